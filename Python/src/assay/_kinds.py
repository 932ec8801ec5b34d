"""The libraries whose tables and columns are taken and given back: what came as Polars goes back as Polars.

Nothing is imported that the caller has not imported: a table's own module says what it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import _arrow, _native
from ._arrow import ArrowArray, ArrowColumn

Progress = Callable[[int, int], object] | None


class Kind:
    """Anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``, of a library that we know nothing of."""

    def check(
        self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress
    ) -> list[_native.Result]:
        """Judges a table (field −1) or a column, in as many pieces as it has."""
        if hasattr(data, "__arrow_c_array__"):
            schema, array = data.__arrow_c_array__()
            return [rules.check_array(schema, array, field, threads, 0, progress)]
        if hasattr(data, "__arrow_c_stream__"):
            stream = rules.open_stream(data.__arrow_c_stream__(), field, threads)
            results: list[_native.Result] = []
            done = 0
            while (result := stream.next()) is not None:
                results.append(result)
                done += result.totals()[0]
                if progress is not None:
                    progress(done, 0)
            return results or [empty(rules, field)]
        what, other = ("table", "a dict of lists") if field < 0 else ("column", "a list of str")
        hint = ""
        if hasattr(data, "tolist"):
            hint = "; tolist() makes a list of it"
        elif isinstance(data, str) and field >= 0:
            hint = "; for one value there is Pattern.matches"
        raise TypeError(
            f"{_name(data)} is no {what} that assay knows: give it something of pyarrow, Polars, pandas or DuckDB, "
            f"anything with __arrow_c_stream__ or __arrow_c_array__, {other}, or batches of Arrow one by one{hint}"
        )

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        """Booleans, as this library has them."""
        return column

    def table(self, data: Any, table: ArrowColumn) -> Any:
        """A table of ours, as this library has them."""
        return table

    def pick(self, data: Any, results: list[_native.Result], clean: bool) -> Any:
        """The rows of a table that are clean, or those that are not."""
        pyarrow = _pyarrow("to pick the rows of this table")
        return PyArrow().pick(pyarrow.table(data), results, clean)


class PyArrow(Kind):
    def mask(self, data, column):
        pyarrow = sys.modules["pyarrow"]
        if isinstance(column, ArrowArray):
            return pyarrow.array(column)
        return pyarrow.chunked_array(column)

    def table(self, data, table):
        return sys.modules["pyarrow"].table(table)

    def pick(self, data, results, clean):
        pyarrow = _pyarrow("to pick rows")
        if not hasattr(data, "filter"):
            raise _read_already(data)
        mask = pyarrow.chunked_array(ArrowColumn(results, _arrow.VERDICTS))
        if isinstance(data, pyarrow.RecordBatch):
            mask = mask.chunk(0)
        return _filter(data, mask if clean else pyarrow.compute.invert(mask))


class Batches(PyArrow):
    """Arrays of Arrow one by one: a list of them, or whatever they can be drawn from."""

    def check(self, rules, data, field, threads, progress):
        results: list[_native.Result] = []
        done = 0
        for batch in data:
            if not hasattr(batch, "__arrow_c_array__"):
                raise TypeError(f"{_name(data)} gave {_name(batch)}, which is no batch of Arrow")
            schema, array = batch.__arrow_c_array__()
            results.append(rules.check_array(schema, array, field, threads, done, None))
            done += len_of(results[-1])
            if progress is not None:
                progress(done, 0)
        return results or [empty(rules, field)]

    def mask(self, data, column):
        return super().mask(data, column) if "pyarrow" in sys.modules else column

    def table(self, data, table):
        return super().table(data, table) if "pyarrow" in sys.modules else table

    def pick(self, data, results, clean):
        if not isinstance(data, Sequence):
            raise _read_already(data)
        pyarrow = _pyarrow("to pick rows")
        return super().pick(pyarrow.Table.from_batches(map(pyarrow.record_batch, data)), results, clean)


class Polars(Kind):
    def check(self, rules, data, field, threads, progress):
        polars = sys.modules["polars"]
        if isinstance(data, polars.LazyFrame):
            raise TypeError("a LazyFrame has no rows yet: collect() it, or use lf.assay.clean(rules) of assay.polars")
        return super().check(rules, data, field, threads, progress)

    def mask(self, data, column):
        # One by one: Polars reads an Arrow stream of ours, and takes its name for the column's.
        return sys.modules["polars"].Series(getattr(data, "name", "clean"), sys.modules["polars"].Series(column))

    def table(self, data, table):
        return sys.modules["polars"].DataFrame(table)

    def pick(self, data, results, clean):
        mask = self.mask(data, ArrowColumn(results, _arrow.VERDICTS))
        return data.filter(mask if clean else ~mask)


class Pandas(Kind):
    def check(self, rules, data, field, threads, progress):
        pandas = sys.modules["pandas"]
        if isinstance(data, pandas.Series) and not hasattr(data, "__arrow_c_stream__"):
            pyarrow = _pyarrow("to read a Series of pandas")
            return super().check(rules, pyarrow.array(data, from_pandas=True), field, threads, progress)
        return super().check(rules, data, field, threads, progress)

    def mask(self, data, column):
        pandas = sys.modules["pandas"]
        if column._kind != _arrow.NULLABLE_VERDICTS:
            return pandas.Series(~self._rows(column, _arrow.REJECTED), index=data.index)
        unknown = self._rows(column, _arrow.MISSING) | self._rows(column, _arrow.UNDECIDED)
        values = pandas.arrays.BooleanArray(~self._rows(column, _arrow.REJECTED), unknown)
        return pandas.Series(values, index=data.index)

    @staticmethod
    def _rows(column, rows):
        """A kind of rows as booleans of NumPy, which pandas brings along."""
        import numpy

        parts = [
            numpy.unpackbits(numpy.frombuffer(result.rows(rows), numpy.uint8), count=len_of(result), bitorder="little")
            for result in column._results
        ]
        return numpy.concatenate(parts).astype(bool)

    def table(self, data, table):
        return _pyarrow("to make a DataFrame of the findings").table(table).to_pandas()

    def pick(self, data, results, clean):
        mask = self.mask(data, ArrowColumn(results, _arrow.VERDICTS))
        return data[mask if clean else ~mask]


class DuckDB(Kind):
    """Relations. They are read once, as Arrow; what comes back is of pyarrow, which DuckDB reads by its name."""

    def mask(self, data, column):
        return PyArrow().mask(data, column) if "pyarrow" in sys.modules else column

    def table(self, data, table):
        return _pyarrow("to make a table of the findings").table(table)


class Lists(Kind):
    """A dict of lists, or a list of dicts, or one list of str."""

    def check(self, rules, data, field, threads, progress):
        if field >= 0:
            return [rules.check_texts(_texts(data), field, threads, progress)]
        if isinstance(data, Mapping):
            columns = [(str(name), _texts(values)) for name, values in data.items()]
        else:
            names = list(dict.fromkeys(name for row in data for name in row))
            columns = [(str(name), _texts([row.get(name) for row in data])) for name in names]
        return [rules.check_columns(columns, threads, progress)]

    def mask(self, data, column):
        if column._kind == _arrow.NULLABLE_VERDICTS:
            return list(_arrow.matches(column._results))
        return list(_arrow.verdicts(column._results))

    def table(self, data, table):
        return table

    def pick(self, data, results, clean):
        keep = [is_clean == clean for is_clean in _arrow.verdicts(results)]
        if isinstance(data, Mapping):
            return {name: [value for value, kept in zip(values, keep) if kept] for name, values in data.items()}
        return [row for row, kept in zip(data, keep) if kept]


_KINDS: dict[str, Kind] = {
    "pyarrow": PyArrow(),
    "polars": Polars(),
    "pandas": Pandas(),
    "duckdb": DuckDB(),
    "_duckdb": DuckDB(),
}


def kind_of(data: Any) -> Kind:
    """Which library a table or a column is of."""
    name = type(data).__module__.partition(".")[0]
    if name in _KINDS:
        return _KINDS[name]
    if isinstance(data, Iterator) or isinstance(data, Sequence) and data and hasattr(data[0], "__arrow_c_array__"):
        return Batches()
    if isinstance(data, (Mapping, Sequence)) and not isinstance(data, (str, bytes)):
        return Lists()
    return Kind()


def _name(data: Any) -> str:
    kind = type(data)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _read_already(data: Any) -> TypeError:
    return TypeError(
        f"the rows of {_name(data)} were read once and are gone: to pick rows, check a table (pyarrow: "
        "reader.read_all(), pyarrow.Table.from_batches(list(batches)))"
    )


def _filter(data: Any, mask: Any) -> Any:
    """The rows of a table or batch of pyarrow. For some types it has no filter: those go through one that it has."""
    pyarrow = sys.modules["pyarrow"]
    try:
        return data.filter(mask)
    except pyarrow.ArrowNotImplementedError:
        pass
    compute = sys.modules["pyarrow.compute"]
    longer = {pyarrow.string_view(): pyarrow.large_string(), pyarrow.binary_view(): pyarrow.large_binary()}
    columns = []
    for column in data.columns:
        if column.type in longer:
            columns.append(column.cast(longer[column.type]).filter(mask).cast(column.type))
        elif pyarrow.types.is_run_end_encoded(column.type):
            values = compute.run_end_decode(column).filter(mask)
            columns.append(compute.run_end_encode(values, column.type.run_end_type))
        else:
            columns.append(column.filter(mask))
    return type(data).from_arrays(columns, schema=data.schema)


def len_of(result: _native.Result) -> int:
    """How many rows a result has."""
    return result.totals()[0]


def empty(rules: _native.Rules, field: int) -> _native.Result:
    """What comes of no rows at all."""
    if field >= 0:
        return rules.check_texts([], field, 1, None)
    return rules.check_columns([(name, []) for name in rules.fields()], 1, None)


def _texts(values: Sequence[Any]) -> Sequence[Any]:
    """Values as texts, as a CSV file would have them. Strings are left as they are."""
    if all(value is None or isinstance(value, (str, bytes)) for value in values):
        return values
    return [_text(value) for value in values]


def _text(value: Any) -> Any:
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value != value:
        return None
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _pyarrow(purpose: str) -> Any:
    try:
        import pyarrow
        import pyarrow.compute
    except ImportError:
        raise ImportError(f"pyarrow is needed {purpose}: pip install pyarrow") from None
    return pyarrow
