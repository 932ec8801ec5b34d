"""Operations on tables and columns of data libraries. Each library has its own :class:`Kind` in a file of this
folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from os import PathLike
from typing import Any

from . import _arrow, _native
from ._arrow import ArrowColumn, ArrowFindings
from ._checked import texts_of_arrow
from ._missing import column_named
from ._paths import keys_of
from ._progress import Steps
from ._pyarrow import pyarrow_for
from ._repair import Repairs, repair_arrow
from ._storage import as_values, with_texts
from ._text import Fields, name_of

Progress = Callable[[int, int], object] | None
#: The results of a table or column, one per batch.
Results = list[_native.Result]
#: The columns that queries add: whether a row is clean, and the names of the rules with findings. The names must not
#: begin with an underscore, because readers of datasets treat directories whose names begin with an underscore as
#: hidden, and a dataset may be partitioned by these columns.
CLEAN, REASONS = "assay_clean", "assay_reasons"


class Kind:
    """Any object with ``__arrow_c_stream__`` or ``__arrow_c_array__`` of an unknown library."""

    def hold(self, data: Any, field: int) -> Any:
        """Returns the object to check and to pick rows from later. It must return the same rows each time it is read,
        and other code must not be able to remove rows from it.

        A stream of an unknown library may be a query that returns different rows the next time, so its rows are copied.
        """
        if hasattr(data, "__arrow_c_array__") or not hasattr(data, "__arrow_c_stream__"):
            return data
        try:
            pyarrow = pyarrow_for("to hold the rows of a stream")
        except ImportError:
            # The stream is read only once, because picking rows needs pyarrow.
            return data
        return pyarrow.table(data) if field < 0 else pyarrow.chunked_array(data)

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        """Checks a table (field −1) or a column."""
        if not (hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__")):
            raise unknown(data, field)
        steps = Steps(progress, rows_in(data))
        return evaluate(rules, data, field, threads, steps) or [empty(rules, field)]

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        """Returns a column of booleans as a type of this library."""
        return column

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        """Returns the rule names of each row as a column of this library."""
        return column

    def table(self, data: Any, table: ArrowFindings) -> Any:
        """Returns a table of findings as a table of this library."""
        return table

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        """Returns the clean rows of a table, or the rejected ones."""
        return pick_of_arrow(of_arrow(data), results, clean)

    #: Whether objects of this kind hold their rows, unlike queries and streams.
    holds_rows = False

    def rereadable(self, data: Any) -> Any:
        """Returns a table with the rows of `data` that can be read more than once."""
        return data

    def valid(self, rules: Any, given: Any, held: Any, result: Any, check: Callable[[Any], Any]) -> Any:
        """Returns the clean rows, repaired, in the type of the given table. Without rejected rows and changed cells,
        returns the given table.

        :param rules: the :class:`assay.Rules`.
        :param held: the table that :meth:`rereadable` made of the given one.
        :param result: the :class:`assay.Result` of this table.
        :param check: checks another table in the same way.
        """
        return held if self.holds_rows and result.ok and not result._changes_rows else result.clean

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        """Returns the values of some rows of a column, as a column of this library. With the column name ``None``,
        `data` is the column.

        Raises :class:`KeyError` if the table has no such column.
        """
        return take_of_arrow(of_arrow(data), column, rows)

    def texts(self, data: Any, column: str | None, rows: Sequence[int], styles: Fields,
              field: str) -> Sequence[str | bytes | None]:
        """Returns the values of :meth:`take` as the texts that the rules saw before repairs; None for missing values.

        :param field: the name of the field in the rules.
        """
        return texts_of_arrow(self.take(data, column, rows), styles.of(field))

    def widened(self, data: Any, findings: Any, columns: Mapping[str, Any], rows: Sequence[int]) -> Any:
        """Returns a table of findings with more columns. A column that is given as a list becomes a column of strings.

        :param rows: the row of each finding.
        """
        pyarrow = pyarrow_for("to add columns to the findings")
        table = pyarrow.table(findings)
        for name, values in columns.items():
            table = table.append_column(name,
                                        pyarrow.array(values, pyarrow.string()) if isinstance(values, list) else values)
        return table

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        """Returns a table (field −1) or a column with repaired values, of the same type as the result of
        :meth:`pick`."""
        if not (hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__")):
            raise unknown(data, field)
        return repair_arrow(repairs, of_arrow(data), field)


def evaluate(rules: _native.Rules, data: Any, field: int, threads: int, steps: Steps) -> Results:
    """Checks an Arrow object as a continuation of the batches that `steps` has already counted."""
    results: Results = []
    names = rules.fields()
    data = as_values(data, names, names[field] if field >= 0 else None)
    if hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        results.append(rules.check_array(schema, array, field, threads, steps.done, steps.progress, steps.seen))
        steps.add(rows_of(results[-1]))
        return results
    stream = rules.open_stream(data.__arrow_c_stream__(), field, threads, steps.done, steps.progress, steps.seen)
    while (result := stream.next()) is not None:
        results.append(result)
        steps.add(rows_of(result))
    return results


def of_arrow(data: Any) -> Any:
    """Converts an object with an Arrow interface to a pyarrow table, or to an array if it is not a table."""
    pyarrow = pyarrow_for("to pick rows")
    if isinstance(data, (pyarrow.Table, pyarrow.ChunkedArray)):
        return data
    if library_of(data) == "pandas":
        # Drop the index, because it is not a column of the rules.
        is_frame = hasattr(data, "columns")
        return pyarrow.Table.from_pandas(data, preserve_index=False) if is_frame else pyarrow.chunked_array([data])
    if not hasattr(data, "__arrow_c_array__"):
        return pyarrow.table(data)
    array = pyarrow.array(data)
    return pyarrow.Table.from_struct_array(array) if pyarrow.types.is_struct(array.type) else array


def pick_of_arrow(data: Any, results: Results, clean: bool) -> Any:
    """Picks the clean or the rejected rows of a pyarrow table, batch or array."""
    pyarrow = pyarrow_for("to pick rows")
    if not hasattr(data, "filter"):
        raise read_already(data)
    if clean and are_all_clean(results):
        return data
    mask = pyarrow.chunked_array(ArrowColumn(results, _arrow.VERDICTS))
    if not isinstance(data, (pyarrow.Table, pyarrow.ChunkedArray)):
        mask = mask.chunk(0)
    if not clean:
        mask = pyarrow.compute.invert(mask)
    return _filter(data, mask)


def take_of_arrow(data: Any, column: str | None, rows: Sequence[int]) -> Any:
    """Takes some values from a column of a pyarrow table, or from an array."""
    pyarrow = pyarrow_for("to read values")
    if not hasattr(data, "filter"):
        raise read_already(data)
    if column is not None and not hasattr(data, "schema"):
        data = pyarrow.Table.from_struct_array(data)
    values = data if column is None else column_named(data, column)
    places = pyarrow.array(rows, "int64")
    try:
        return values.take(places)
    except pyarrow.ArrowNotImplementedError:
        return _through(values, lambda column: column.take(places), ((row, 1) for row in rows))


def _filter(data: Any, mask: Any) -> Any:
    """Filters a pyarrow table, batch or array. Types without a filter in pyarrow are cast to a type with one."""
    pyarrow = pyarrow_for("to pick rows")
    try:
        return data.filter(mask)
    except pyarrow.ArrowNotImplementedError:
        if not hasattr(data, "columns"):
            return _filter_column(data, mask)
    return type(data).from_arrays([_filter_column(column, mask) for column in data.columns], schema=data.schema)


def _filter_column(column: Any, mask: Any) -> Any:
    return _through(column, lambda values: values.filter(mask), _runs(mask))


def _through(column: Any, pick: Callable[[Any], Any], slices: Iterable[tuple[int, int]]) -> Any:
    """Applies ``pick`` to a column by way of a type that pyarrow supports. Without such a type, it joins the slices
    (start, length) instead.
    """
    pyarrow = pyarrow_for("to pick rows")
    try:
        if pyarrow.types.is_run_end_encoded(column.type):
            values = pick(pyarrow.compute.run_end_decode(column))
            return pyarrow.compute.run_end_encode(values, column.type.run_end_type)
        return pick(column.cast(_without_views(column.type))).cast(column.type)
    except pyarrow.ArrowNotImplementedError:
        return _pieces(column, slices)


def _without_views(kind: Any) -> Any:
    """Replaces view types with large strings and binaries in a pyarrow type, including nested lists and structs."""
    pyarrow = pyarrow_for("to pick rows")
    types = pyarrow.types
    if kind == pyarrow.string_view():
        return pyarrow.large_string()
    if kind == pyarrow.binary_view():
        return pyarrow.large_binary()
    if types.is_struct(kind):
        return pyarrow.struct([part.with_type(_without_views(part.type)) for part in kind])
    if types.is_list(kind) or types.is_large_list(kind):
        value = kind.value_field.with_type(_without_views(kind.value_type))
        return pyarrow.list_(value) if types.is_list(kind) else pyarrow.large_list(value)
    return kind


def _runs(mask: Any) -> Iterator[tuple[int, int]]:
    """Yields the runs of true values in a mask, as (start, length)."""
    start = 0
    for kept, run in groupby(mask.to_pylist()):
        count = len(list(run))
        if kept:
            yield start, count
        start += count


def _pieces(column: Any, slices: Iterable[tuple[int, int]]) -> Any:
    """Joins slices to one column. Slow, but pyarrow supports it for every type."""
    pyarrow = pyarrow_for("to pick rows")
    pieces = [column.slice(start, count) for start, count in slices] or [column.slice(0, 0)]
    if isinstance(column, pyarrow.ChunkedArray):
        return pyarrow.chunked_array([chunk for piece in pieces for chunk in piece.chunks], column.type)
    return pyarrow.concat_arrays(pieces)


#: The libraries that have their own :class:`Kind`.
LIBRARIES = ("pyarrow", "polars", "pandas", "duckdb", "_duckdb", "numpy")


def library_of(data: Any) -> str:
    """Returns the library that defines the type of `data` or one of its base classes; empty for unknown libraries."""
    modules = (base.__module__.partition(".")[0] for base in type(data).__mro__)
    return next((module for module in modules if module in LIBRARIES), "")


def are_all_clean(results: Results) -> bool:
    """Whether no row of a table is rejected."""
    return all(result.totals()[2] == 0 for result in results)


def rows_of(result: _native.Result) -> int:
    """Returns the number of rows of a result."""
    return result.totals()[0]


def rows_in(data: Any) -> int:
    """Returns the number of rows of a table or column, or 0 if it is unknown."""
    rows = getattr(data, "num_rows", None)
    if rows is None and library_of(data) in ("pyarrow", "polars", "pandas"):
        rows = len(data) if hasattr(data, "__len__") else None
    return rows if isinstance(rows, int) else 0


def has_keys(rules: _native.Rules) -> bool:
    """Whether the rules compare rows with one another."""
    given = json.loads(rules.json())
    constraints = [field.get("constraints", {}) for field in given["fields"]]
    is_compared = any(of_field.get("unique") or of_field.get("sorted") for of_field in constraints)
    refers = any(refers_to_own(key) for key in given.get("foreignKeys", []))
    return bool(is_compared or given.get("primaryKey") or given.get("uniqueKeys") or refers)


def decides_at_the_end(rules: _native.Rules) -> bool:
    """Whether a later row can change the verdict of an earlier one: with any ``keep`` except ``first``, or with foreign
    keys into the table itself."""
    given = json.loads(rules.json())
    refers = any(refers_to_own(key) for key in given.get("foreignKeys", []))
    return bool(given.get("keep", "first") != "first" or refers)


def refers_to_own(foreign_key: dict[str, Any]) -> bool:
    """Whether a foreign key, as parsed from the rules, refers to its own table."""
    return not foreign_key["reference"].get("resource")


@contextmanager
def raising(data: Any) -> Iterator[Any]:
    """Yields the table, and replaces a pyarrow reader with one that keeps exceptions. At the end, the context manager
    raises the original exception of the reader, because an Arrow stream reduces it to an error number."""
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is None or not isinstance(data, pyarrow.RecordBatchReader):
        yield data
        return
    raised: list[BaseException] = []

    def batches() -> Iterator[Any]:
        try:
            yield from data
        except BaseException as error:
            raised.append(error)
            raise

    try:
        yield pyarrow.RecordBatchReader.from_batches(data.schema, batches())
    except Exception:
        if raised:
            raise raised[0] from None
        raise


def as_stream(data: Any) -> object:
    """Converts a table of any library, a dict of lists or a list of dicts to an Arrow stream."""
    if library_of(data) in ("duckdb", "_duckdb"):
        data = with_texts(data)
    if isinstance(data, Mapping) or isinstance(data, Sequence) and data and isinstance(data[0], Mapping):
        pyarrow = pyarrow_for("to refer to lists")
        data = pyarrow.table(dict(data)) if isinstance(data, Mapping) else pyarrow.Table.from_pylist(list(data))
    elif library_of(data) == "pandas" or not hasattr(data, "__arrow_c_stream__"):
        if not (hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns")):
            raise unknown(data, -1)
        data = of_arrow(data)
        if not hasattr(data, "__arrow_c_stream__"):
            data = pyarrow_for("to refer to a batch").Table.from_batches([data])
    return data.__arrow_c_stream__()


def empty(rules: _native.Rules, field: int) -> _native.Result:
    """Returns the result of a table or column without rows."""
    if field >= 0:
        return rules.check_texts([], field, 1, None)
    return rules.check_columns([(name, []) for name in rules.fields()], 0, 1, None)


def outer_of(rules: _native.Rules) -> set[str]:
    """Returns the columns whose struct members the rules check, such as ``user`` for a field ``user.id``.

    Such a column is not always a field itself. If it is not, the format of its own values is unknown.
    """
    return {keys[0] for keys in map(keys_of, rules.fields()) if len(keys) > 1}


def unknown(data: Any, field: int) -> TypeError:
    what, other = ("table", "a dict of lists, a list of dicts") if field < 0 else ("column", "a list of str")
    hint = ""
    if field < 0 and library_of(data) in LIBRARIES and (hasattr(data, "dtype") or hasattr(data, "type")):
        hint = '; to check one column, call check_column("name", column)'
    elif hasattr(data, "tolist"):
        hint = "; tolist() converts it to a list"
    elif isinstance(data, (str, PathLike)):
        hint = (
            "; to check one value, call Pattern.matches"
            if field >= 0
            else "; to check the text of a CSV file, call Rules.check_csv"
        )
    elif isinstance(data, Iterable) and not isinstance(data, (Sequence, Mapping)):
        hint = "; list() converts it to a list"
    return TypeError(
        f"{name_of(data)} is not a {what} that assay can read: pass one of pyarrow, Polars, pandas or DuckDB, "
        f"an object with __arrow_c_stream__ or __arrow_c_array__, {other}, or one Arrow batch at a time{hint}"
    )


def read_already(data: Any) -> TypeError:
    return TypeError(
        f"the rows of {name_of(data)} were read once and are gone: to pick rows, check a table (pyarrow: "
        "reader.read_all(), pyarrow.Table.from_batches(list(batches)))"
    )
