"""The kinds of pyarrow, Polars and DuckDB, and of batches. The caller imported these libraries, so `sys.modules` has
them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from . import _arrow, _native
from ._arrow import ArrowArray, ArrowColumn, ArrowFindings
from ._checked import texts_of_polars
from ._kind import (
    Kind,
    Progress,
    Results,
    are_all_clean,
    decides_at_the_end,
    empty,
    evaluate,
    library_of,
    of_arrow,
    pick_of_arrow,
    raising,
    read_already,
    rows_in,
    take_of_arrow,
    unknown,
)
from ._pandas import Pandas, arrow_of_pandas, is_of_pandas, mask_of_pandas, reasons_of_pandas
from ._paths import inside, keys_of, opened
from ._progress import Steps
from ._pyarrow import pyarrow_for
from ._queries import clean_query
from ._repair import Repairs, repair_arrow
from ._storage import with_texts
from ._text import Fields, column_name, name_of


class PyArrow(Kind):
    """Tables, batches and arrays, which are immutable, and readers, which can be read once."""

    holds_rows = True

    def hold(self, data: Any, field: int) -> Any:
        return data

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        pyarrow = sys.modules["pyarrow"]
        is_array = isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray))
        if field < 0 and is_array and not pyarrow.types.is_struct(data.type):
            raise unknown(data, field)
        if not isinstance(data, pyarrow.RecordBatchReader):
            return super().check(rules, without_nul(data), field, threads, progress)
        if decides_at_the_end(rules):
            with raising(data) as reader:
                return super().check(rules, reader, field, threads, progress)
        # Read batch by batch, so that exceptions of the reader are raised here. Check the columns before the first
        # batch.
        none = super().check(rules, pyarrow.RecordBatchReader.from_batches(data.schema, []), field, threads, None)
        steps = Steps(progress, 0, rules.seen_keys())
        return [result for batch in data for result in evaluate(rules, batch, field, threads, steps)] or none

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        pyarrow = sys.modules["pyarrow"]
        if isinstance(column, ArrowArray):
            return pyarrow.array(column)
        return pyarrow.chunked_array(column)

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        return self.mask(data, column)

    def table(self, data: Any, table: ArrowFindings) -> Any:
        return sys.modules["pyarrow"].table(table)

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        return pick_of_arrow(data, results, clean)

    def rereadable(self, data: Any) -> Any:
        return data.read_all() if isinstance(data, sys.modules["pyarrow"].RecordBatchReader) else data

    def valid(self, rules: Any, given: Any, held: Any, result: Any, check: Callable[[Any], Any]) -> Any:
        valid = super().valid(rules, given, held, result, check)
        return valid if given is held else valid.to_reader()

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        return take_of_arrow(data, column, rows)

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        pyarrow = sys.modules["pyarrow"]
        if not isinstance(data, pyarrow.RecordBatchReader):
            return repair_arrow(repairs, data, field)
        schema = repair_arrow(repairs, data.schema.empty_table(), field).schema
        return pyarrow.RecordBatchReader.from_batches(schema, (repair_arrow(repairs, batch, field) for batch in data))


class Batches(PyArrow):
    """A list or an iterable of Arrow tables, batches or arrays."""

    def hold(self, data: Any, field: int) -> Any:
        if not isinstance(data, Sequence):
            return data
        return [(Pandas() if is_of_pandas(batch) else Kind()).hold(without_nul(batch), field) for batch in data]

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        if decides_at_the_end(rules):
            batches = list(self._batches(rules, data, field))
            if not batches:
                return [empty(rules, field)]
            return Kind().check(rules, self._joined(batches, "to compare keys in"), field, threads, progress)
        results: Results = []
        rows = sum(map(rows_in, data)) if isinstance(data, Sequence) else 0
        steps = Steps(progress, rows, rules.seen_keys())
        for batch in self._batches(rules, data, field):
            results += evaluate(rules, batch, field, threads, steps)
        return results or [empty(rules, field)]

    @staticmethod
    def _batches(rules: _native.Rules, data: Any, field: int) -> Iterator[Any]:
        for batch in data:
            if is_of_pandas(batch):
                # Convert here, because the Arrow stream of pandas has the index as a column.
                batch = arrow_of_pandas(rules, batch, field)
            if not (hasattr(batch, "__arrow_c_array__") or hasattr(batch, "__arrow_c_stream__")):
                raise TypeError(
                    f"{name_of(data)} gave {name_of(batch)}, which is not an Arrow batch: "
                    "list() makes a list of the batches"
                )
            yield without_nul(batch)

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        if _are_of_pandas(data):
            return mask_of_pandas(column, _index_of(data))
        return super().mask(data, column) if "pyarrow" in sys.modules else column

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        if _are_of_pandas(data):
            return reasons_of_pandas(column, _index_of(data))
        return self.mask(data, column)

    def table(self, data: Any, table: ArrowFindings) -> Any:
        if _are_of_pandas(data):
            return Pandas().table(data, table)
        return super().table(data, table) if "pyarrow" in sys.modules else table

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        if not isinstance(data, Sequence):
            raise read_already(data)
        if _are_of_pandas(data):
            # Join before picking, so that the column types do not depend on the picked rows.
            return Pandas().pick(sys.modules["pandas"].concat(data), results, clean)
        return super().pick(self._joined(data), results, clean)

    def rereadable(self, data: Any) -> Any:
        return data if isinstance(data, Sequence) else list(data)

    def valid(self, rules: Any, given: Any, held: Any, result: Any, check: Callable[[Any], Any]) -> Any:
        valid = Kind.valid(self, rules, given, held, result, check)
        if given is held:
            return valid
        return iter(valid if isinstance(valid, list) else [valid])

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        if not isinstance(data, Sequence):
            raise read_already(data)
        if _are_of_pandas(data):
            return Pandas().take(sys.modules["pandas"].concat(data), column, rows)
        return super().take(self._joined(data), column, rows)

    def texts(self, data: Any, column: str | None, rows: Sequence[int], styles: Fields,
              field: str) -> Sequence[str | bytes | None]:
        if not _are_of_pandas(data):
            return super().texts(data, column, rows, styles, field)
        # One frame at a time, as in the check, because joining frames may change the type of numbers.
        texts: list[str | bytes | None] = [None] * len(rows)
        start = 0
        for frame in data:
            places = [place for place, row in enumerate(rows) if start <= row < start + len(frame)]
            own = Pandas().texts(frame, column, [rows[place] - start for place in places], styles, field)
            for place, text in zip(places, own):
                texts[place] = text
            start += len(frame)
        return texts

    def widened(self, data: Any, findings: Any, columns: Mapping[str, Any], rows: Sequence[int]) -> Any:
        if _are_of_pandas(data):
            return Pandas().widened(sys.modules["pandas"].concat(data), findings, columns, rows)
        return super().widened(data, findings, columns, rows)

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        def repaired(batch: Any) -> Any:
            own = {"polars": Polars(), "pandas": Pandas()}.get(library_of(batch), Kind())
            return own.repair(repairs, batch, field)

        return list(map(repaired, data)) if isinstance(data, Sequence) else map(repaired, data)

    @staticmethod
    def _joined(data: Sequence[Any], purpose: str = "to pick rows from") -> Any:
        """The batches as one table, or the arrays as one column."""
        pyarrow = pyarrow_for("to join batches")
        try:
            pieces = [of_arrow(batch) for batch in data]
            if not isinstance(pieces[0], pyarrow.Table):
                return pyarrow.chunked_array(pieces)
            # A column without values in a batch has the null type there.
            have_same_columns = len({tuple(piece.column_names) for piece in pieces}) == 1
            has_nulls = any(pyarrow.types.is_null(kind) for piece in pieces for kind in piece.schema.types)
            promotes = have_same_columns and has_nulls
            return pyarrow.concat_tables(pieces, promote_options="default" if promotes else "none")
        except (pyarrow.ArrowException, TypeError) as error:
            detail = " ".join(str(error).split())
            raise TypeError(
                f"the parts of the {name_of(data)} do not form one table {purpose} ({detail}): "
                "give all the same columns, or check them separately"
            ) from None


def _are_of_pandas(data: Any) -> bool:
    return isinstance(data, Sequence) and all(map(is_of_pandas, data))


def _index_of(frames: Sequence[Any]) -> Any:
    """Returns the joined index of the pandas frames of one table."""
    return frames[0].index.append([batch.index for batch in frames[1:]])


class Polars(Kind):
    holds_rows = True

    def hold(self, data: Any, field: int) -> Any:
        # Clone the frame, which shares its memory, because callers may change frames in place.
        polars = sys.modules["polars"]
        return data.clone() if isinstance(data, (polars.DataFrame, polars.Series)) else data

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        polars = sys.modules["polars"]
        if field < 0 and isinstance(data, polars.Series) and data.dtype != polars.Struct:
            raise unknown(data, field)
        data = without_nul(data)
        chunks = _chunks(data)
        if not chunks or decides_at_the_end(rules):
            return super().check(rules, data, field, threads, progress)
        steps = Steps(progress, rows_in(data), rules.seen_keys())
        return [result for chunk in chunks for result in evaluate(rules, chunk, field, threads, steps)]

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        # Two steps, because Polars takes the name of the Arrow stream as the name of the column.
        return sys.modules["polars"].Series(getattr(data, "name", "clean"), sys.modules["polars"].Series(column))

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        return sys.modules["polars"].Series("reasons", sys.modules["polars"].Series(column))

    def table(self, data: Any, table: ArrowFindings) -> Any:
        polars = sys.modules["polars"]
        # Plain strings, because Polars cannot search in categories as in strings. This needs no pyarrow.
        return polars.DataFrame(table).with_columns(polars.exclude("record").cast(polars.String))

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        if clean and are_all_clean(results):
            # A clone, which shares its memory, because frames can be changed in place.
            return data.clone()
        mask = self.mask(data, ArrowColumn(results, _arrow.VERDICTS))
        return data.filter(mask if clean else ~mask)

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        if column is None:
            return data.gather(rows)
        if isinstance(data, sys.modules["polars"].Series):
            data = data.struct.unnest()
        first, *inner = [column] if column in data.columns else keys_of(column)
        if first not in data.columns:
            raise KeyError(column)
        values = data[first].gather(rows)
        for name in inner:
            values = values.struct.field(name)
        return values

    def texts(self, data: Any, column: str | None, rows: Sequence[int], styles: Fields,
              field: str) -> Sequence[str | bytes | None]:
        return texts_of_polars(self.take(data, column, rows), styles.of(field))

    def widened(self, data: Any, findings: Any, columns: Mapping[str, Any], rows: Sequence[int]) -> Any:
        polars = sys.modules["polars"]
        return findings.with_columns(
            [polars.Series(name, values, polars.String if isinstance(values, list) else None)
             for name, values in columns.items()]
        )

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        polars = sys.modules["polars"]
        if isinstance(data, polars.LazyFrame):
            raise TypeError("a LazyFrame has no rows yet: collect() it, or use lf.assay.repair(rules) of assay.polars")
        if isinstance(data, polars.Series):
            return _repair_series(repairs, "", repairs.name_of(field) if field >= 0 else "", data, is_table=field < 0)
        return _repair_frame(repairs, "", data)


def _chunks(data: Any) -> list[Any]:
    """Splits a DataFrame into one frame per chunk without copying, because the Arrow export of Polars copies all chunks
    into one. Empty if copying is faster or `data` is not a DataFrame.
    """
    polars = sys.modules["polars"]
    if not isinstance(data, polars.DataFrame) or not 1 < data.n_chunks() <= len(data) // _MIN_CHUNK_ROWS:
        return []
    columns = [column.get_chunks() for column in data.get_columns()]
    if len({tuple(map(len, chunks)) for chunks in columns}) > 1:
        return []
    starts = accumulate(map(len, columns[0]), initial=0)
    return [data.slice(start, len(chunk)) for start, chunk in zip(starts, columns[0])]


#: Minimum average of rows per chunk. With fewer rows, starting a check per chunk costs more than copying.
_MIN_CHUNK_ROWS = 1 << 14


class LazyPolars(Polars):
    """A LazyFrame, which is a query. It runs once; its rows are checked in batches and not kept."""

    #: The number of rows per batch.
    _ROWS = 1 << 17

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        if field >= 0:
            raise unknown(data, field)
        # Check the columns before the query runs.
        none = super().check(rules, data.collect_schema().to_frame(), field, threads, None)
        # Polars up to 1.33 lacks collect_batches().
        has_batches = hasattr(data, "collect_batches")
        batches = iter(data.collect_batches(chunk_size=self._ROWS) if has_batches else [data.collect()])
        first = next(batches, None)
        if first is None:
            return none
        return Batches().check(rules, chain([first], batches), field, threads, progress)

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        return self.pick(data, [], True)

    def valid(self, rules: Any, given: Any, held: Any, result: Any, check: Callable[[Any], Any]) -> Any:
        # The query runs again when it is collected.
        if result.ok and not Repairs(rules._native):
            return given
        return clean_query(given, rules, check)

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        raise TypeError(
            "the rows of a LazyFrame are not kept: lf.assay.clean(rules) and lf.assay.rejected(rules) of assay.polars "
            "are queries for them, and collect() makes a DataFrame"
        )


def _repair_frame(repairs: Repairs, prefix: str, frame: Any) -> Any:
    columns = [(column, _repair_series(repairs, prefix, column_name(column.name), column)) for column in frame]
    changed = [new for old, new in columns if new is not old]
    return frame.with_columns(changed) if changed else frame


def _holds_texts(kind: Any) -> bool:
    polars = sys.modules["polars"]
    return any(kind == text for text in (polars.String, polars.Binary, polars.Categorical, polars.Enum))


def _repair_series(repairs: Repairs, before: str, key: str, series: Any, is_table: bool = False) -> Any:
    polars = sys.modules["polars"]
    name, prefix = inside(before, key), "" if is_table else opened(before, key)
    if series.dtype == polars.Struct and (is_table or repairs.looks_into(prefix)):
        given = series.struct.unnest()
        frame = _repair_frame(repairs, prefix, given)
        if frame is given:
            return series
        repaired = frame.to_struct(series.name)
        if not series.null_count():
            return repaired
        return polars.select(polars.when(series.is_not_null()).then(repaired).alias(series.name)).to_series()
    if name not in repairs or not (_holds_texts(series.dtype) or series.dtype == polars.Null and name in repairs.fills):
        return series
    kind = polars.Binary if series.dtype == polars.Binary else polars.String
    given = series.cast(kind)
    texts = _repair_texts(repairs, name, given)
    if texts is None:
        return series if series.dtype != polars.Null else given
    repaired = polars.Series(series.name, texts, kind)
    if series.dtype not in (polars.Categorical, polars.Enum):
        return repaired
    # The categories of an Enum are fixed and may lack a repaired value.
    fits = series.dtype == polars.Categorical or set(repaired.unique().drop_nulls()) <= set(series.dtype.categories)
    return repaired.cast(series.dtype) if fits else repaired


def _repair_texts(repairs: Repairs, name: str, series: Any) -> Any:
    """Returns the repaired values of a Series; None: no value changes. Works without pyarrow, but is faster with it."""
    try:
        pyarrow_for("to repair texts quickly")
    except ImportError:
        return repairs.texts(name, series.to_list())
    given = series.to_arrow()
    repaired = repair_arrow(repairs, given, repairs.place_of(name))
    return None if repaired is given else repaired


def without_nul(data: Any) -> Any:
    """Escapes NUL in the column names of a table or Series, because NUL ends names in Arrow.

    pyarrow would export the part before it, which may be the name of another column, and Polars would abort the
    process.
    """
    library = library_of(data)
    if library == "pyarrow" and hasattr(data, "rename_columns"):
        names = data.schema.names
        return data.rename_columns(list(map(column_name, names))) if "\0" in "".join(names) else data
    if library == "polars" and "\0" in "".join(getattr(data, "columns", None) or [getattr(data, "name", "")]):
        polars = sys.modules["polars"]
        return data.rename("") if isinstance(data, polars.Series) else data.rename(column_name)
    return data


class DuckDB(Kind):
    """Relations, which are queries and run once. Results are of pyarrow, which DuckDB can query by variable name."""

    def hold(self, data: Any, field: int) -> Any:
        held = super().hold(with_texts(data), field)
        # Restore the names, because DuckDB renames duplicates.
        return held.rename_columns(data.columns) if held is not data and hasattr(held, "rename_columns") else held

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        return PyArrow().mask(data, column) if "pyarrow" in sys.modules else column

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        return self.mask(data, column)

    def table(self, data: Any, table: ArrowFindings) -> Any:
        return pyarrow_for("to make a table of the findings").table(table)

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        return super().repair(repairs, self.hold(data, field), field)
