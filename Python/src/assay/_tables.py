"""Tables for profiling, as functions that open a new Arrow stream on each call."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ._frames import without_nul
from ._inputs import Paths, inputs_of
from ._kind import library_of, of_arrow, unknown
from ._kinds import kind_of
from ._lists import array_of_column
from ._pandas import array_of_pandas, is_of_pandas
from ._parquet import ParquetTable
from ._pyarrow import pyarrow_for
from ._storage import as_values
from ._text import Style, column_name, name_of

#: Returns a capsule with a new stream of the same batches.
Open = Callable[[], object]


class _Plain:
    """The styles of fields without a type; whole numbers are written as integers."""

    def of(self, field: int | str) -> Style:
        return Style({"type": "integer"})


def is_path(data: Any) -> bool:
    return isinstance(data, (str, bytes, os.PathLike)) or (
        isinstance(data, Sequence) and bool(data) and isinstance(data[0], (str, bytes, os.PathLike))
    )


def file_or_table(data: Paths) -> tuple[bytes | None, Open | None, str]:
    """Returns the path of a file for libassay or the function that opens a Parquet file, and the name of the table."""
    inputs = inputs_of(data)
    if not inputs.are_parquet:
        return os.fsencode(inputs.paths[0]), None, inputs.name
    table = ParquetTable(inputs.paths)
    pyarrow = pyarrow_for("to read Parquet files")
    return None, lambda: _stream(pyarrow.RecordBatchReader.from_batches(table.schema, table.batches(0))), inputs.name


def opened(data: Any, is_read_again: bool) -> Open:
    """Returns the function that opens a table of any library.

    Raises :class:`TypeError` for objects that are not tables, and for single-use tables if `is_read_again` is set.
    """
    library = library_of(data)
    if library == "polars" and isinstance(data, sys.modules["polars"].LazyFrame):
        return lambda: _stream(_of_query(data))
    is_gone = isinstance(data, Iterator) or type(data).__name__ == "RecordBatchReader"
    if is_gone and is_read_again:
        raise TypeError(
            f"{name_of(data)} can be read only once, but must be read more than once: make a table first")
    if isinstance(data, Iterator):
        first = next(data, None)
        if first is None:
            raise TypeError(f"{name_of(data)} gave no batch, so that it has no columns")
        pyarrow = pyarrow_for("to read batches")
        tables = (of_arrow(_table(batch)) for batch in chain([first], data))
        head = next(tables)
        batches = (batch for table in chain([head], tables) for batch in table.to_batches())
        return lambda: _stream(pyarrow.RecordBatchReader.from_batches(head.schema, batches))
    if is_gone:
        return lambda: _stream(data)
    table = _table(kind_of(data).hold(data, -1))
    return lambda: _stream(table)


def _stream(data: Any) -> object:
    return data.__arrow_c_stream__()


def _of_query(query: Any) -> Any:
    """Runs a LazyFrame and returns a reader of its rows."""
    pyarrow = pyarrow_for("to read the batches of a LazyFrame")
    schema = as_values(query.collect_schema().to_frame(), None).to_arrow().schema
    frames = query.collect_batches() if hasattr(query, "collect_batches") else [query.collect()]
    batches = (batch for frame in frames for batch in as_values(frame, None).to_arrow().cast(schema).to_batches())
    return pyarrow.RecordBatchReader.from_batches(schema, batches)


def _table(data: Any) -> Any:
    """Converts a table to an object with an Arrow stream."""
    if is_of_pandas(data):
        return _of_pandas(data)
    if isinstance(data, Mapping):
        return _of_columns([(column_name(name), values) for name, values in data.items()])
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _of_sequence(data)
    data = as_values(without_nul(data), None)
    if hasattr(data, "__arrow_c_stream__"):
        return data
    if hasattr(data, "__arrow_c_array__"):
        return of_arrow(data)
    raise unknown(data, -1)


def _of_sequence(data: Sequence[Any]) -> Any:
    if not data:
        raise TypeError("the list is empty, so that it has no columns")
    if isinstance(data[0], Mapping):
        if not all(isinstance(row, Mapping) for row in data):
            raise unknown(data, -1)
        names = dict.fromkeys(chain.from_iterable(data))
        return _of_columns([(column_name(name), [row.get(name) for row in data]) for name in names])
    pyarrow = pyarrow_for("to join batches")
    return pyarrow.concat_tables([of_arrow(_table(batch)) for batch in data], promote_options="default")


def _of_pandas(frame: Any) -> Any:
    pyarrow = pyarrow_for("to read pandas data")
    if not hasattr(frame, "columns"):
        raise unknown(frame, -1)
    columns = [
        (name, array_of_pandas(pyarrow, frame.iloc[:, place], _Plain(), name, f"column {name!r}"))
        for place, name in enumerate(map(column_name, frame.columns))
    ]
    return pyarrow.table([column for _, column in columns], names=[name for name, _ in columns])


def _of_columns(columns: list[tuple[str, Any]]) -> Any:
    pyarrow = pyarrow_for("to read lists")
    arrays = [array_of_column(pyarrow, values, _Plain(), name) for name, values in columns]
    return pyarrow.table(arrays, names=[name for name, _ in columns])
