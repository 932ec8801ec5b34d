"""The kind of pandas, which converts frames and Series to Arrow. The caller imported pandas, so `sys.modules` has
it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from . import _arrow, _native
from ._arrow import ArrowColumn, ArrowFindings
from ._checked import texts_of_arrow
from ._kind import Kind, Progress, Results, library_of, outer_of, rows_of, take_of_arrow, unknown
from ._paths import keys_of, names_of_columns, opened, value_inside
from ._pyarrow import pyarrow_for
from ._repair import Repairs
from ._text import Fields, Styles, column_name, texts


class Pandas(Kind):
    """Frames and Series. Only columns that the rules use are converted; the index is not a column."""

    holds_rows = True

    def hold(self, data: Any, field: int) -> Any:
        # A shallow copy shares the values but does not see rows and columns that are added or removed later.
        pandas = sys.modules["pandas"]
        return data.copy(deep=False) if isinstance(data, (pandas.DataFrame, pandas.Series)) else data

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        return super().check(rules, arrow_of_pandas(rules, data, field), field, threads, progress)

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        return mask_of_pandas(column, data.index)

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        return reasons_of_pandas(column, data.index)

    def table(self, data: Any, table: ArrowFindings) -> Any:
        return pyarrow_for("to make a DataFrame of the findings").table(table).to_pandas()

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        mask = self.mask(data, ArrowColumn(results, _arrow.VERDICTS))
        return data[mask if clean else ~mask]

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        if column is None:
            return data.iloc[rows]
        names = list(map(column_name, data.columns))
        if column in names:
            return data.iloc[rows, names.index(column)]
        first, *inner = keys_of(column)
        if first not in names:
            raise KeyError(column)
        return data.iloc[rows, names.index(first)].map(lambda value: value_inside(value, inner))

    def texts(self, data: Any, column: str | None, rows: Sequence[int], styles: Fields,
              field: str) -> Sequence[str | bytes | None]:
        pyarrow = pyarrow_for("to read pandas data")
        first, *inner = keys_of(column or "")
        names = [] if column is None else list(map(column_name, data.columns))
        if inner and column not in names and first in names:
            # Convert the whole column, because the type of the struct members depends on all values.
            structs = structs_of_pandas(pyarrow, data.iloc[:, names.index(first)], {field}, first)
            return texts_of_arrow(take_of_arrow(pyarrow.table({first: structs}), column, rows), styles.of(field))
        return texts_of_arrow(array_of_pandas(pyarrow, self.take(data, column, rows), styles, field, field),
                              styles.of(field))

    def widened(self, data: Any, findings: Any, columns: Mapping[str, Any], rows: Sequence[int]) -> Any:
        pandas = sys.modules["pandas"]
        # Take the dtype from a text, because it depends on the release, and without values it would be numeric.
        texts = pandas.Series([""]).dtype
        found = findings.set_axis(data.index[rows])
        for name, values in columns.items():
            found[name] = (pandas.Series(values, dtype=texts) if isinstance(values, list) else values).array
        return found

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        pandas = sys.modules["pandas"]
        if not isinstance(data, pandas.DataFrame if field < 0 else pandas.Series):
            raise unknown(data, field)
        if field >= 0:
            return _repair_series(repairs, repairs.name_of(field), data)
        repaired = data.copy(deep=False)
        for place, name in enumerate(map(column_name, data.columns)):
            column = data.iloc[:, place]
            new = _repair_series(repairs, name, column)
            if new is not column:
                repaired.isetitem(place, new)
        return repaired


def _repair_series(repairs: Repairs, name: str, series: Any) -> Any:
    """Returns a Series with repaired texts. Adds categories for repaired values that have none."""
    pandas = sys.modules["pandas"]
    if repairs.looks_into(opened("", name)) and name not in repairs and _is_of_structs(series):
        raise TypeError(
            f"the fields in column {name!r} have repairs, which are of columns: make columns of its values first")
    is_category = isinstance(series.dtype, pandas.CategoricalDtype)
    values = series.cat.categories if is_category else series
    if name not in repairs or not _may_hold_texts(values.dtype):
        return series
    if not is_category and pandas.api.types.infer_dtype(series, skipna=True) == "string":
        texts = _repair_texts(repairs, name, series)
        if texts is not None:
            return texts
    given = [None if is_null else value for value, is_null in zip(series.tolist(), series.isna())]
    repaired = repairs.texts(name, given)
    if repaired is None:
        return series
    # Missing values keep their marker: None, NaN or NA.
    full = [old if new is None and null is None else new for new, null, old in zip(repaired, given, series.tolist())]
    kind = series.dtype
    if is_category:
        known = list(kind.categories)
        more = dict.fromkeys(value for value in repaired if value is not None and value not in set(known))
        kind = pandas.CategoricalDtype([*known, *more], kind.ordered)
    return pandas.Series(full, index=series.index, dtype=kind, name=series.name)


def _repair_texts(repairs: Repairs, name: str, series: Any) -> Any:
    """Repairs a Series of str and missing values with pyarrow; None if a text is not valid Unicode or pyarrow is not
    installed."""
    try:
        import numpy
        import pyarrow

        given = pyarrow.array(series, pyarrow.large_string(), from_pandas=True)
    except (ImportError, UnicodeEncodeError):
        return None
    if isinstance(given, pyarrow.ChunkedArray):
        given = given.combine_chunks()
    repaired = repairs.array(name, given)
    if repaired is None:
        return series
    pandas = sys.modules["pandas"]
    # Keep the objects of unchanged values, including the markers of missing ones.
    old, new = series.to_numpy(object), repaired.to_numpy(zero_copy_only=False)
    was_null, is_null = numpy.asarray(given.is_null()), numpy.asarray(repaired.is_null())
    is_same = numpy.equal(numpy.where(was_null, None, old), numpy.where(is_null, None, new))
    stays = (was_null & is_null) | numpy.asarray(is_same, bool)
    return pandas.Series(numpy.where(stays, old, new), index=series.index, dtype=series.dtype, name=series.name)


def _may_hold_texts(kind: Any) -> bool:
    types = sys.modules["pandas"].api.types
    return bool(types.is_object_dtype(kind) or types.is_string_dtype(kind))


def _is_of_structs(series: Any) -> bool:
    if str(series.dtype).startswith("struct"):
        return True
    return bool(sys.modules["pandas"].api.types.is_object_dtype(series.dtype) and _begins_with_dict(series))


def is_of_pandas(data: Any) -> bool:
    """Whether `data` is a frame or a Series. The module alone does not decide, because Timestamp and NaT are of
    pandas."""
    if library_of(data) != "pandas":
        return False
    pandas = sys.modules["pandas"]
    return isinstance(data, (pandas.DataFrame, pandas.Series))


def arrow_of_pandas(rules: _native.Rules, data: Any, field: int) -> Any:
    """Converts a frame to a pyarrow table without the index, or a Series to an array."""
    pandas = sys.modules["pandas"]
    if not isinstance(data, pandas.DataFrame if field < 0 else pandas.Series):
        raise unknown(data, field)
    pyarrow = pyarrow_for("to read pandas data")
    styles = Styles(rules)
    if field >= 0:
        return array_of_pandas(pyarrow, data, styles, field, "the Series")
    names, fields, outer = list(map(column_name, data.columns)), names_of_columns(rules.fields()), outer_of(rules)
    columns = []
    for place, name in enumerate(names):
        if name in fields:
            columns.append(array_of_pandas(pyarrow, data.iloc[:, place], styles, name, f"column {name!r}"))
        elif name in outer:
            columns.append(structs_of_pandas(pyarrow, data.iloc[:, place], fields.difference(names), name))
        else:
            columns.append(pyarrow.nulls(len(data)))
    if not names:
        # Add and drop a column, because a table made without columns has no row count.
        return pyarrow.table({"": pyarrow.nulls(len(data))}).select([])
    return pyarrow.table(columns, names=names)


def mask_of_pandas(column: ArrowColumn, index: Any) -> Any:
    """Converts verdicts to a Series with an index."""
    pandas = sys.modules["pandas"]
    if column.kind != _arrow.NULLABLE_VERDICTS:
        return pandas.Series(~_rows(column, _arrow.REJECTED), index=index)
    unknown = _rows(column, _arrow.MISSING) | _rows(column, _arrow.UNDECIDED)
    values = pandas.arrays.BooleanArray(~_rows(column, _arrow.REJECTED), unknown)
    return pandas.Series(values, index=index)


def reasons_of_pandas(column: ArrowColumn, index: Any) -> Any:
    """Converts lists of rule names to a Series with an index."""
    pandas, numpy = sys.modules["pandas"], sys.modules["numpy"]
    return pandas.Series(numpy.asarray(column), index=index, name="reasons")


def _rows(column: ArrowColumn, rows: int) -> Any:
    """Returns a kind of rows as NumPy booleans. pandas depends on NumPy, so it is installed."""
    import numpy

    parts = [
        numpy.unpackbits(
            numpy.frombuffer(result.rows(rows) or b"", numpy.uint8), count=rows_of(result), bitorder="little"
        )
        for result in column.results
    ]
    return numpy.concatenate(parts).astype(bool)


def array_of_pandas(pyarrow: Any, series: Any, styles: Fields, field: int | str, where: str) -> Any:
    """Converts a Series to a pyarrow array. Objects of mixed types are converted to texts one by one."""
    pandas = sys.modules["pandas"]
    types = pandas.api.types
    # For categorical data, the categories have the type.
    values = series.cat.categories if isinstance(series.dtype, pandas.CategoricalDtype) else series
    is_object = types.is_object_dtype(values.dtype)
    if is_object and types.infer_dtype(values, skipna=True) not in ("string", "bytes", "empty"):
        # Dicts become a struct, because rules may use their members.
        is_one_kind = _begins_with_dict(values)
    else:
        # Arrow would store periods as numbers.
        is_one_kind = not isinstance(values.dtype, pandas.PeriodDtype)
    if is_one_kind:
        try:
            return pyarrow.array(series, from_pandas=True)
        except (pyarrow.ArrowException, TypeError, ValueError):
            pass
    return array_of_texts(pyarrow, texts(series.tolist(), styles, field, where, nan_is_null=True))


def structs_of_pandas(pyarrow: Any, series: Any, missing: set[str], name: str) -> Any:
    """Converts a Series whose struct members are fields to an array of structs; nulls if it has no structs.

    :param missing: the fields that have no column of their own name.
    """
    if not _is_of_structs(series):
        return pyarrow.nulls(len(series))
    try:
        return pyarrow.array(series, from_pandas=True)
    except (pyarrow.ArrowException, TypeError, ValueError) as error:
        if not any(len(keys) > 1 and keys[0] == name for keys in map(keys_of, missing)):
            return pyarrow.nulls(len(series))
        raise TypeError(
            f"the rules refer to members of column {name!r}, but pyarrow cannot convert its values to structs "
            f"({error}): convert them to columns first"
        ) from None


def _begins_with_dict(series: Any) -> bool:
    return isinstance(next(iter(series.dropna()), None), Mapping)


def array_of_texts(pyarrow: Any, values: Any) -> Any:
    """Converts Python texts to a pyarrow array. Keeps invalid Unicode, so that it becomes a finding."""
    try:
        return pyarrow.array(values, pyarrow.large_binary())
    except UnicodeError:
        full = [value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value for value in values]
        return pyarrow.array(full, pyarrow.large_binary())
