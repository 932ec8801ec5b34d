"""The libraries whose tables and columns are taken and given back: what came as Polars goes back as Polars.

Nothing is imported that the caller has not imported: a table's own module says what it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from os import PathLike
from typing import Any

from . import _arrow, _native
from ._arrow import ArrowArray, ArrowColumn

Progress = Callable[[int, int], object] | None
#: What came of a table or of a column, in as many pieces as it has.
Results = list[_native.Result]


class Kind:
    """Anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``, of a library that we know nothing of."""

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        """Judges a table (field −1) or a column."""
        if hasattr(data, "__arrow_c_array__"):
            schema, array = data.__arrow_c_array__()
            return [rules.check_array(schema, array, field, threads, 0, progress)]
        if hasattr(data, "__arrow_c_stream__"):
            stream = rules.open_stream(data.__arrow_c_stream__(), field, threads)
            results: Results = []
            done = 0
            while (result := stream.next()) is not None:
                results.append(result)
                done += result.totals()[0]
                if progress is not None:
                    progress(done, 0)
            return results or [empty(rules, field)]
        raise _unknown(data, field)

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        """Booleans, as this library has them."""
        return column

    def table(self, data: Any, table: ArrowColumn) -> Any:
        """A table of ours, as this library has them."""
        return table

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        """The rows of a table that are clean, or those that are not."""
        pyarrow = _pyarrow("to pick the rows of this table")
        return PyArrow().pick(pyarrow.table(data), results, clean)


class PyArrow(Kind):
    def mask(self, data: Any, column: ArrowColumn) -> Any:
        pyarrow = sys.modules["pyarrow"]
        if isinstance(column, ArrowArray):
            return pyarrow.array(column)
        return pyarrow.chunked_array(column)

    def table(self, data: Any, table: ArrowColumn) -> Any:
        return sys.modules["pyarrow"].table(table)

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        pyarrow = _pyarrow("to pick rows")
        if not hasattr(data, "filter"):
            raise _read_already(data)
        mask = pyarrow.chunked_array(ArrowColumn(results, _arrow.VERDICTS))
        if isinstance(data, pyarrow.RecordBatch):
            mask = mask.chunk(0)
        return _filter(data, mask if clean else pyarrow.compute.invert(mask))


class Batches(PyArrow):
    """Arrays of Arrow one by one: a list of them, or whatever they can be drawn from."""

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        results: Results = []
        done = 0
        for batch in data:
            if not hasattr(batch, "__arrow_c_array__"):
                raise TypeError(f"{_name(data)} gave {_name(batch)}, which is no batch of Arrow: list() makes a list of them")
            schema, array = batch.__arrow_c_array__()
            results.append(rules.check_array(schema, array, field, threads, done, None))
            done += len_of(results[-1])
            if progress is not None:
                progress(done, 0)
        return results or [empty(rules, field)]

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        return super().mask(data, column) if "pyarrow" in sys.modules else column

    def table(self, data: Any, table: ArrowColumn) -> Any:
        return super().table(data, table) if "pyarrow" in sys.modules else table

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        if not isinstance(data, Sequence):
            raise _read_already(data)
        pyarrow = _pyarrow("to pick rows")
        return super().pick(pyarrow.Table.from_batches(map(pyarrow.record_batch, data)), results, clean)


class Polars(Kind):
    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        polars = sys.modules["polars"]
        if isinstance(data, polars.LazyFrame):
            raise TypeError("a LazyFrame has no rows yet: collect() it, or use lf.assay.clean(rules) of assay.polars")
        return super().check(rules, data, field, threads, progress)

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        # One by one: Polars reads an Arrow stream of ours, and takes its name for the column's.
        return sys.modules["polars"].Series(getattr(data, "name", "clean"), sys.modules["polars"].Series(column))

    def table(self, data: Any, table: ArrowColumn) -> Any:
        return sys.modules["polars"].DataFrame(table)

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        mask = self.mask(data, ArrowColumn(results, _arrow.VERDICTS))
        return data.filter(mask if clean else ~mask)


class Pandas(Kind):
    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        pandas = sys.modules["pandas"]
        if isinstance(data, pandas.Series) and not hasattr(data, "__arrow_c_stream__"):
            pyarrow = _pyarrow("to read a Series of pandas")
            return super().check(rules, pyarrow.array(data, from_pandas=True), field, threads, progress)
        return super().check(rules, data, field, threads, progress)

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        pandas = sys.modules["pandas"]
        if column.kind != _arrow.NULLABLE_VERDICTS:
            return pandas.Series(~self._rows(column, _arrow.REJECTED), index=data.index)
        unknown = self._rows(column, _arrow.MISSING) | self._rows(column, _arrow.UNDECIDED)
        values = pandas.arrays.BooleanArray(~self._rows(column, _arrow.REJECTED), unknown)
        return pandas.Series(values, index=data.index)

    @staticmethod
    def _rows(column: ArrowColumn, rows: int) -> Any:
        """A kind of rows as booleans of NumPy, which pandas brings along."""
        import numpy

        parts = [
            numpy.unpackbits(
                numpy.frombuffer(result.rows(rows) or b"", numpy.uint8), count=len_of(result), bitorder="little"
            )
            for result in column.results
        ]
        return numpy.concatenate(parts).astype(bool)

    def table(self, data: Any, table: ArrowColumn) -> Any:
        return _pyarrow("to make a DataFrame of the findings").table(table).to_pandas()

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        mask = self.mask(data, ArrowColumn(results, _arrow.VERDICTS))
        return data[mask if clean else ~mask]


class DuckDB(Kind):
    """Relations. They are read once, as Arrow; what comes back is of pyarrow, which DuckDB reads by its name."""

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        return PyArrow().mask(data, column) if "pyarrow" in sys.modules else column

    def table(self, data: Any, table: ArrowColumn) -> Any:
        return _pyarrow("to make a table of the findings").table(table)


class Lists(Kind):
    """A dict of lists, or a list of dicts, or one list of str."""

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        if field >= 0:
            if isinstance(data, Mapping):
                raise _unknown(data, field)
            return [rules.check_texts(_texts(data, "the list"), field, threads, progress)]
        if isinstance(data, Mapping):
            columns = [(str(name), _texts(_listed(name, data), f"column {name!r}")) for name in data]
            return [rules.check_columns(columns, threads, progress)]
        if not all(isinstance(row, Mapping) for row in data):
            raise _unknown(data, field)
        if not data:
            return [empty(rules, field)]
        names = list(dict.fromkeys(chain.from_iterable(data)))
        columns = [(str(name), _texts([row.get(name) for row in data], f"column {name!r}")) for name in names]
        return [rules.check_columns(columns, threads, progress)]

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        if column.kind == _arrow.NULLABLE_VERDICTS:
            return list(_arrow.matches(column.results))
        return list(_arrow.verdicts(column.results))

    def table(self, data: Any, table: ArrowColumn) -> Any:
        every = chain.from_iterable(result.findings(min(table.limit, sys.maxsize)) for result in table.results)
        # Line and offset are those of a CSV text.
        found = [(record, *rest) for record, _, _, *rest in islice(every, min(table.limit, sys.maxsize))]
        names = ("record", "column", "rule", "code", "severity", "message")
        if isinstance(data, Mapping):
            return {name: [finding[place] for finding in found] for place, name in enumerate(names)}
        return [dict(zip(names, finding)) for finding in found]

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        keep = [is_clean == clean for is_clean in _arrow.verdicts(results)]
        if isinstance(data, Mapping):
            return {name: [value for value, kept in zip(_listed(name, data), keep) if kept] for name in data}
        return [row for row, kept in zip(data, keep) if kept]


class CSV(Lists):
    """A CSV text. Its rows are not kept."""

    def table(self, data: Any, table: ArrowColumn) -> Any:
        return [
            dict(zip(("record", "line", "offset", "column", "rule", "code", "severity", "message"), finding))
            for result in table.results
            for finding in result.findings(min(table.limit, sys.maxsize))
        ]


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


def _unknown(data: Any, field: int) -> TypeError:
    what, other = ("table", "a dict of lists, a list of dicts") if field < 0 else ("column", "a list of str")
    hint = ""
    if hasattr(data, "tolist"):
        hint = "; tolist() makes a list of it"
    elif isinstance(data, (str, PathLike)):
        hint = (
            "; for one value there is Pattern.matches"
            if field >= 0
            else "; for a file there is Rules.clean, and for the text of one Rules.check_csv"
        )
    elif isinstance(data, Iterable) and not isinstance(data, (Sequence, Mapping)):
        hint = "; list() makes a list of it"
    return TypeError(
        f"{_name(data)} is no {what} that assay knows: give it something of pyarrow, Polars, pandas or DuckDB, "
        f"anything with __arrow_c_stream__ or __arrow_c_array__, {other}, or batches of Arrow one by one{hint}"
    )


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


def _listed(name: Any, table: Mapping[Any, Any]) -> Collection[Any]:
    """The values of a column of a dict, which may also be an array or a series, as Python has them."""
    values = table[name]
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, method):
            values = getattr(values, method)()
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Collection):
        raise TypeError(f"column {name!r} is {_name(values)}: in a dict, a column is a list of values")
    return values


def _texts(values: Collection[Any], where: str) -> Collection[Any]:
    """Values as texts, as a CSV file would have them. Strings are left as they are."""
    if all(value is None or isinstance(value, (str, bytes)) for value in values):
        return values
    return [_text(value, row, where) for row, value in enumerate(values)]


def _text(value: Any, row: int, where: str) -> Any:
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Collection) or hasattr(value, "__arrow_c_array__"):
        raise TypeError(f"value {row} of {where} is {_name(value)}, which no rule can judge: make text of it first")
    pandas = sys.modules.get("pandas")
    if isinstance(value, float) and value != value or pandas and (value is pandas.NA or value is pandas.NaT):
        return None
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _pyarrow(purpose: str) -> Any:
    try:
        import pyarrow
        import pyarrow.compute
    except ImportError:
        raise ImportError(f"pyarrow is needed {purpose}: pip install pyarrow") from None
    return pyarrow
