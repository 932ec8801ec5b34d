"""The kinds of Python lists and dicts, NumPy arrays, and CSV text."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from . import _arrow, _native
from ._arrow import ArrowColumn, ArrowFindings
from ._frames import Polars
from ._checked import texts_of_arrow
from ._kind import Kind, Progress, Results, empty, library_of, outer_of, take_of_arrow, unknown
from ._pandas import Pandas, array_of_pandas, array_of_texts, structs_of_pandas
from ._paths import FieldPath, keys_of, names_of_columns, opened, paths_of, refuse_elements, value_inside
from ._pyarrow import pyarrow_for
from ._repair import Repairs, repair_arrow
from ._text import Fields, Styles, column_name, name_of, style_of, texts


class Lists(Kind):
    """A dict of lists, or a list of dicts, or one list of values."""

    holds_rows = True

    def hold(self, data: Any, field: int) -> Any:
        """Copies the lists, but not the dicts in a list of dicts: later changes of these dicts affect picked rows."""
        if isinstance(data, Mapping):
            return {name: _held(name, values) for name, values in data.items()}
        return data if isinstance(data, tuple) else list(data)

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        if field >= 0:
            if isinstance(data, Mapping):
                raise unknown(data, field)
            return [rules.check_texts(texts(data, Styles(rules), field, "the list"), field, threads, progress)]
        if isinstance(data, Mapping):
            columns = [(column_name(key), values) for key, values in data.items()]
            rows = len(columns[0][1]) if columns else 0
            return self._check_columns(rules, columns + _columns_inside(rules, dict(columns)), rows, threads, progress)
        if not all(isinstance(row, Mapping) for row in data):
            raise unknown(data, field)
        if not data:
            return [empty(rules, field)]
        fields, paths, nothing = set(rules.fields()), paths_of(rules), (None,) * len(data)
        columns = []
        for key in dict.fromkeys(chain.from_iterable(data)):
            name = column_name(key)
            if name not in paths:
                columns.append((name, [row.get(key) for row in data] if name in fields else nothing))
        columns += [(name, [path.value(row) for row in data]) for name, path in paths.items()
                    if any(map(path.is_in, data))]
        return self._check_columns(rules, columns, len(data), threads, progress)

    def _check_columns(
        self, rules: _native.Rules, columns: list[tuple[str, Any]], rows: int, threads: int, progress: Progress
    ) -> Results:
        """Checks named columns. libassay refuses two keys with the same text, such as 1 and "1"."""
        for name, values in columns:
            if len(values) != rows:
                raise ValueError(f"column {name!r} has {len(values)} values, the first column has {rows}")
        fields, outer = set(rules.fields()), outer_of(rules)
        refuse_elements(fields, dict(columns))
        # A column that is not a field matters only if rules use members of its structs.
        looked_at = names_of_columns(fields) | outer
        if any(_is_of_library(values) for name, values in columns if name in looked_at):
            try:
                pyarrow = pyarrow_for("to read these columns as they are")
            except ImportError:
                pass
            else:
                table = _table(pyarrow, rules, columns, rows)
                return super().check(rules, table, -1, threads, progress)
        styles, nothing = Styles(rules), (None,) * rows
        written = [
            (name, texts(listed(values), styles, name, f"column {name!r}") if name in fields else nothing)
            for name, values in columns
        ]
        return [rules.check_columns(written, rows, threads, progress)]

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        if column.kind == _arrow.NULLABLE_VERDICTS:
            return list(_arrow.matches(column.results))
        return list(_arrow.verdicts(column.results))

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        return _arrow.reasons(column.results)

    def table(self, data: Any, table: ArrowFindings) -> Any:
        found = list(table)
        if isinstance(data, Mapping):
            return {name: [finding[name] for finding in found] for name in _arrow.FINDING_NAMES}
        return found

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        keep = [is_clean == clean for is_clean in _arrow.verdicts(results)]
        if isinstance(data, Mapping):
            return {name: [value for value, kept in zip(listed(data[name]), keep) if kept] for name in data}
        return [row for row, kept in zip(data, keep) if kept]

    def texts(self, data: Any, column: str | None, rows: Sequence[int], styles: Fields,
              field: str) -> Sequence[str | bytes | None]:
        if isinstance(data, Mapping):
            columns = {column_name(key): values for key, values in data.items()}
            first, *inner = [column] if column in columns else keys_of(column or "")
            if first in columns and not _is_of_library(columns[first]):
                values = columns[first]
                if inner:
                    values = [value_inside(value, inner) for value in values]
            else:
                return _texts_of_library(columns, rows, styles, field)
        elif column is None and data is not None:
            values = listed(data)
        else:
            values = self.take(data, column, range(len(data or ())))
        # The other values of the column decide whether NaN is a number or a missing value.
        style = style_of(values, styles, field)
        return [values[row] if style is None else style.text(values[row], row, field) for row in rows]

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        if data is None:
            raise TypeError("the rows of a CSV text, or of a single record, are not kept")
        if column is None:
            return _taken(data, rows)
        if isinstance(data, Mapping):
            columns = {column_name(key): values for key, values in data.items()}
            first, *inner = [column] if column in columns else keys_of(column)
            taken = _taken(columns[first], rows)
            return [value_inside(value, inner) for value in taken] if inner else taken
        keys = [key for key in dict.fromkeys(chain.from_iterable(data)) if column_name(key) == column]
        path = FieldPath.of(column)
        if not keys and not any(map(path.is_in, data)):
            raise KeyError(column)
        key = keys[0] if keys else column
        return [data[row][key] if key in data[row] else path.value(data[row]) for row in rows]

    def widened(self, data: Any, findings: Any, columns: Mapping[str, Any], rows: Sequence[int]) -> Any:
        if isinstance(data, Mapping):
            return findings | columns
        added = zip(*columns.values())
        return [finding | dict(zip(columns, values)) for finding, values in zip(findings, added)]

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        if field >= 0:
            return _repaired(repairs, repairs.name_of(field), data)
        if isinstance(data, Mapping):
            return {key: _repaired(repairs, column_name(key), values) for key, values in data.items()}
        if not all(isinstance(row, Mapping) for row in data):
            raise unknown(data, field)
        rows = [dict(row) for row in data]
        for key in dict.fromkeys(chain.from_iterable(rows)):
            name = column_name(key)
            values = repairs.texts(name, [row.get(key) for row in rows]) if name in repairs else None
            for row, value in zip(rows, values or ()):
                if value is not row.get(key):
                    row[key] = value
        for path in (path for path in map(FieldPath.of, repairs.fields) if not path.is_plain):
            given = [path.value(row) for row in rows]
            for place, value in enumerate(repairs.texts(path.name, given) or ()):
                if value is not given[place]:
                    rows[place] = path.changed(rows[place], value)
        return rows


class NumPy(Kind):
    """A one-dimensional array. Its mask is an array; its dtype is object if a verdict is None."""

    def hold(self, data: Any, field: int) -> Any:
        return data.view()

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        if field < 0 or data.ndim != 1:
            raise unknown(data, field)
        return [rules.check_texts(texts(listed(data), Styles(rules), field, "the array"), field, threads, progress)]

    def mask(self, data: Any, column: ArrowColumn) -> Any:
        nullable = column.kind == _arrow.NULLABLE_VERDICTS
        found = list(_arrow.matches(column.results) if nullable else _arrow.verdicts(column.results))
        return sys.modules["numpy"].array(found, dtype=object if None in found else bool)

    def table(self, data: Any, table: ArrowFindings) -> Any:
        return Lists().table(None, table)

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        return Lists().reasons(data, column)

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        mask = self.mask(data, ArrowColumn(results, _arrow.VERDICTS))
        return data[mask if clean else ~mask]

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        return Lists().take(data, column, rows)

    def texts(self, data: Any, column: str | None, rows: Sequence[int], styles: Fields,
              field: str) -> Sequence[str | bytes | None]:
        return Lists().texts(data, column, rows, styles, field)

    def widened(self, data: Any, findings: Any, columns: Mapping[str, Any], rows: Sequence[int]) -> Any:
        return Lists().widened(data, findings, columns, rows)

    def repair(self, repairs: Repairs, data: Any, field: int) -> Any:
        if field < 0 or data.ndim != 1:
            raise unknown(data, field)
        return _repaired(repairs, repairs.name_of(field), data)


def _columns_inside(rules: _native.Rules, columns: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Returns the columns of fields that are members of dicts in list columns."""
    found = []
    for name, path in paths_of(rules).items():
        first = path.keys[0]
        if name not in columns and first in columns and not _is_of_library(columns[first]):
            records = [{first: value} for value in columns[first]]
            if any(map(path.is_in, records)):
                found.append((name, [path.value(record) for record in records]))
    return found


def _repaired(repairs: Repairs, name: str, values: Any) -> Any:
    """Repairs a column of a dict. Returns the same object if no value changes."""
    library = library_of(values)
    if name not in repairs and repairs.looks_into(opened("", name)):
        return _repaired_inside(repairs, name, values, library)
    if name not in repairs or library == "numpy" and values.dtype.kind not in "OUST":
        return values
    if library == "pandas":
        return Pandas().repair(repairs, values, repairs.place_of(name))
    if library == "pyarrow":
        return repair_arrow(repairs, values, repairs.place_of(name))
    if library == "polars":
        return Polars().repair(repairs, values, repairs.place_of(name))
    given = listed(values)
    repaired = repairs.texts(name, given)
    if repaired is None:
        return values
    if library == "numpy":
        return _array_as(values.dtype, repaired)
    return tuple(repaired) if isinstance(values, tuple) else repaired


def _repaired_inside(repairs: Repairs, name: str, values: Any, library: str) -> Any:
    """Repairs a struct column as a column of a table of its library."""
    if library == "pyarrow":
        pyarrow = sys.modules["pyarrow"]
        make = pyarrow.table if isinstance(values, pyarrow.ChunkedArray) else pyarrow.record_batch
        return repair_arrow(repairs, make({name: values}), -1).column(0)
    if library == "polars":
        return Polars().repair(repairs, values.to_frame(name), -1).to_series().alias(values.name)
    if library == "pandas":
        return Pandas().repair(repairs, values.to_frame(name), -1)[name]
    # A list of rows that were picked from an Arrow or Polars column.
    pyarrow = pyarrow_for("to repair structs")
    return _repaired_inside(repairs, name, pyarrow.array(values), "pyarrow").to_pylist()


def _array_as(kind: Any, texts: list[Any]) -> Any:
    """Converts repaired texts to a NumPy array of this type, with the required width; of objects if None must be
    stored."""
    numpy = sys.modules["numpy"]
    if kind.kind == "T":
        if hasattr(kind, "na_object"):
            texts = [kind.na_object if text is None else text for text in texts]
        return numpy.array(texts, object if None in texts and not hasattr(kind, "na_object") else kind)
    return numpy.array(texts, object if kind.kind == "O" or None in texts else kind.type)


class CSV(Lists):
    """CSV text. Its rows are not kept."""

    def reasons(self, data: Any, column: ArrowColumn) -> Any:
        # Reading the column raises an error, because CSV text has findings but no rows.
        return column

    def table(self, data: Any, table: ArrowFindings) -> Any:
        names = ("record", "line", "offset", "column", "rule", "code", "severity", "message")
        every = chain.from_iterable(map(_arrow.findings, table.results))
        return [dict(zip(names, finding)) for finding in islice(every, min(table.limit, sys.maxsize))]


def _is_of_library(values: Any) -> bool:
    """Whether the values are an array or series of a library, which has their types."""
    return any(hasattr(values, name) for name in ("__arrow_c_stream__", "__arrow_c_array__", "dtype"))


def _held(name: Any, values: Any) -> Any:
    """Returns a column of a dict whose length other code cannot change."""
    if _is_of_library(values):
        values = _shared(values)
        if hasattr(values, "__len__"):
            return values
    elif isinstance(values, Collection) and not isinstance(values, (str, bytes, Mapping)):
        return tuple(values)
    raise TypeError(f"column {name!r} is {name_of(values)}: in a dict, a column is a list of values")


def _shared(values: Any) -> Any:
    """Returns an array or series that shares the memory of the given one, but has a fixed length."""
    library = library_of(values)
    if library == "numpy":
        return values.view()
    if library == "pandas":
        return values.copy(deep=False)
    if library == "polars":
        return values.clone()
    if not library and (hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__")):
        # Copy it, because an unknown type may return new values on each read.
        try:
            pyarrow = pyarrow_for("to hold a column of an unknown library")
        except ImportError:
            return values
        return (pyarrow.array if hasattr(values, "__arrow_c_array__") else pyarrow.chunked_array)(values)
    return values


def listed(values: Any) -> Any:
    """Converts a column, array or series to a list of Python values."""
    if library_of(values) == "numpy":
        # tolist() returns some times as numbers, and prints single floats with too many digits.
        if values.dtype.kind not in "fMm":
            return values.tolist()
        masked = sys.modules["numpy"].ma.masked
        return [None if value is masked else value for value in values]
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, method):
            return getattr(values, method)()
    return values


def readable(values: Any) -> Any:
    """Replaces values that Python cannot represent: dates out of its range by texts, and invalid UTF-8 by bytes."""
    library = library_of(values)
    if library == "polars" and values.dtype.is_temporal():
        try:
            pyarrow_for("to read dates, where Polars stops the thread for some")
        except ImportError:
            return listed(values)
        values = values.to_arrow()
    try:
        return listed(values)
    except (OverflowError, ValueError):
        if library not in ("pyarrow", "polars", "pandas"):
            raise
    pyarrow = pyarrow_for("to read values that Python does not have")
    return [_readable(pyarrow, value) for value in (pyarrow.array(values) if library == "pandas" else values)]


def _readable(pyarrow: Any, value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return value.cast(pyarrow.binary()).as_py()
    except (OverflowError, ValueError):
        unit = getattr(value.type, "unit", "days" if pyarrow.types.is_date32(value.type) else "ms")
        return f"{value.value} {unit} from 1970-01-01"


def _taken(values: Any, rows: Sequence[int]) -> list[Any]:
    """Takes some values of a column, array or series."""
    library = library_of(values)
    if library == "pyarrow":
        return list(readable(take_of_arrow(values, None, rows)))
    if library == "polars":
        return list(readable(values.gather(rows)))
    if library == "pandas":
        return list(readable(values.iloc[rows]))
    given = listed(values)
    return [given[row] for row in rows]


def _texts_of_library(
    columns: Mapping[str, Any], rows: Sequence[int], styles: Fields, field: str
) -> Sequence[str | bytes | None]:
    """Returns the checked texts of a field in a column that is an array or a series, or in its structs."""
    inside = None if field in columns else keys_of(field)[0]
    values = columns[inside or field]
    try:
        pyarrow = pyarrow_for("to read these columns as they are")
    except ImportError:
        full = texts(listed(values), styles, field, field)
        return [full[row] for row in rows]  # type: ignore[index]
    if inside is None:
        taken = take_of_arrow(array_of_column(pyarrow, values, styles, field), None, rows)
    else:
        taken = take_of_arrow(pyarrow.table({inside: _structs(pyarrow, values, {field}, inside)}), field, rows)
    return texts_of_arrow(taken, styles.of(field))


def _table(pyarrow: Any, rules: _native.Rules, columns: list[tuple[str, Any]], rows: int) -> Any:
    """Converts columns to a pyarrow table. Columns that the rules do not use become nulls."""
    styles, fields, outer = Styles(rules), names_of_columns(rules.fields()), outer_of(rules)
    names = [name for name, _ in columns]
    arrays = []
    for name, values in columns:
        if name in fields:
            arrays.append(array_of_column(pyarrow, values, styles, name))
        elif name in outer and _is_of_library(values):
            arrays.append(_structs(pyarrow, values, fields.difference(names), name))
        else:
            arrays.append(pyarrow.nulls(rows))
    return pyarrow.table(arrays, names=names)


def array_of_column(pyarrow: Any, values: Any, styles: Fields, name: str) -> Any:
    """Converts the values of a column to a pyarrow array."""
    where = f"column {name!r}"
    library = library_of(values)
    try:
        if library == "pandas":
            return array_of_pandas(pyarrow, values, styles, name, where)
        if library == "numpy" and values.dtype.kind in "biufM":
            return pyarrow.array(values)
        if library != "numpy" and hasattr(values, "__arrow_c_stream__"):
            return pyarrow.chunked_array(values)
        if library != "numpy" and hasattr(values, "__arrow_c_array__"):
            return pyarrow.array(values)
    except pyarrow.ArrowException:
        pass
    return array_of_texts(pyarrow, texts(listed(values), styles, name, where))


def _structs(pyarrow: Any, values: Any, missing: set[str], name: str) -> Any:
    """Converts a struct column that is not a field, but has members that are."""
    if library_of(values) == "pandas":
        return structs_of_pandas(pyarrow, values, missing, name)
    try:
        if hasattr(values, "__arrow_c_stream__"):
            return pyarrow.chunked_array(values)
        if hasattr(values, "__arrow_c_array__"):
            return pyarrow.array(values)
    except pyarrow.ArrowException:
        pass
    return pyarrow.nulls(len(values))
