"""Conversions of columns whose values differ from their Arrow storage: extension types, 128-bit integers of Polars, and
some types of DuckDB.

libassay reads the storage. Types such as ``arrow.json``, whose storage is the text itself, need no conversion.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any

from ._errors import printable, refusal
from ._paths import inside, names_of_columns, opened
from ._text import column_name

#: Extension types that may be stored as numbers, although their values are not numbers.
_OTHERS = ("arrow.opaque", "pandas.period")


def as_values(data: Any, fields: Collection[str] | None, column: str | None = None) -> Any:
    """Converts columns of pyarrow and Polars to types whose storage is the value. Returns other objects unchanged.

    Raises :class:`assay.AssayError` for a column whose values cannot be read from its storage.

    :param fields: the names of the columns to convert; None: all.
    :param column: the name of `data` if it is a single column.
    """
    pyarrow, polars = sys.modules.get("pyarrow"), sys.modules.get("polars")
    columns = _Columns(fields if column is None else [column])
    name = column or ""
    if pyarrow is not None and isinstance(data, pyarrow.RecordBatchReader):
        # Not schema.empty_table(), because that does not support extension types in structs.
        empty = pyarrow.table([pyarrow.nulls(0, field.type) for field in data.schema], data.schema)
        plain = columns.of_arrow(empty)
        if plain is empty:
            return data
        return pyarrow.RecordBatchReader.from_batches(plain.schema, map(columns.of_arrow, data))
    if pyarrow is not None and isinstance(data, (pyarrow.Table, pyarrow.RecordBatch)):
        return columns.of_arrow(data)
    if pyarrow is not None and isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray)):
        if column is None:
            return columns.inside(data, "")
        return columns.column(data, pyarrow.field(name, data.type), "", name)
    if polars is not None and isinstance(data, polars.DataFrame):
        return data.with_columns([new for old in data
                                  if (new := columns.series(old, column_name(old.name))) is not old])
    if polars is not None and isinstance(data, polars.Series):
        return columns.series(data, name, is_table=column is None)
    return data


class _Columns:
    """The columns to convert, by their names in the rules."""

    def __init__(self, fields: Collection[str] | None):
        self._fields = None if fields is None else names_of_columns(fields)

    def __contains__(self, name: str) -> bool:
        return self._fields is None or name in self._fields

    def looks_into(self, prefix: str) -> bool:
        """Whether a struct has columns to convert, whose names begin with `prefix`."""
        return self._fields is None or any(field.startswith(prefix) for field in self._fields)

    def of_arrow(self, data: Any) -> Any:
        """Converts a pyarrow table or batch."""
        columns, schema = data.columns, data.schema
        is_same = True
        for place, field in enumerate(schema):
            column = self.column(columns[place], field, "", column_name(field.name))
            if column is not columns[place]:
                is_same, columns[place] = False, column
                schema = schema.set(place, field.with_type(column.type))
        return data if is_same else type(data).from_arrays(columns, schema=schema)

    def column(self, column: Any, field: Any, prefix: str, key: str) -> Any:
        """Converts a pyarrow column. In a struct, `prefix` is the prefix of its column names."""
        pyarrow, name = sys.modules["pyarrow"], inside(prefix, key)
        extension = _extension_of(pyarrow, field)
        if extension and name in self:
            if extension == "arrow.bool8":
                return _each(column, lambda chunk: getattr(chunk, "storage", chunk).cast(pyarrow.bool_()))
            _refuse_unless_stored(pyarrow, extension, field.type, name)
        if pyarrow.types.is_struct(field.type) and self.looks_into(opened(prefix, key)):
            return self.inside(column, opened(prefix, key))
        return column

    def inside(self, column: Any, prefix: str) -> Any:
        """Converts the members of a struct column, whose names begin with `prefix`."""
        pyarrow = sys.modules["pyarrow"]
        if not pyarrow.types.is_struct(column.type):
            return column
        parts = list(column.type)
        # Test without rows first, because most structs need no conversion.
        nothing = [self.column(pyarrow.nulls(0, part.type), part, prefix, column_name(part.name)) for part in parts]
        if all(one.type == part.type for one, part in zip(nothing, parts)):
            return column
        fields = [part.with_type(one.type) for part, one in zip(parts, nothing)]

        def struct(chunk: Any) -> Any:
            # flatten() makes the members null in rows whose struct is null.
            given = [self.column(one, part, prefix, column_name(part.name))
                     for one, part in zip(chunk.flatten(), parts)]
            mask = chunk.is_null() if chunk.null_count else None
            return pyarrow.StructArray.from_arrays(given, fields=fields, mask=mask)

        return _each(column, struct)

    def series(self, series: Any, name: str, is_table: bool = False) -> Any:
        """Converts a Polars Series."""
        polars = sys.modules["polars"]
        # Decimals hold 38 digits, which fits nearly all values; texts hold all values.
        targets = [self._kind(series.dtype, "", name, number, is_table)
                  for number in (polars.Decimal(38, 0), polars.String())]
        if targets[0] == series.dtype:
            return series
        try:
            return series.cast(targets[0])
        except polars.exceptions.PolarsError:
            return series.cast(targets[1])

    def _kind(self, kind: Any, before: str, key: str, number: Any, is_table: bool) -> Any:
        polars = sys.modules["polars"]
        prefix = "" if is_table else opened(before, key)
        if isinstance(kind, polars.Struct) and (is_table or self.looks_into(prefix)):
            parts = {part.name: self._kind(part.dtype, prefix, column_name(part.name), number, False)
                     for part in kind.fields}
            return polars.Struct(parts)
        return number if str(kind) in ("Int128", "UInt128") and inside(before, key) in self else kind


def _extension_of(pyarrow: Any, field: Any) -> str:
    """Returns the name of an extension type; empty for other types."""
    if isinstance(field.type, pyarrow.BaseExtensionType):
        return str(field.type.extension_name)
    # An extension type that pyarrow does not know appears only in the metadata.
    name: bytes = (field.metadata or {}).get(b"ARROW:extension:name", b"")
    return name.decode("utf-8", "replace")


def _refuse_unless_stored(pyarrow: Any, extension: str, kind: Any, name: str) -> None:
    """Raises :class:`assay.AssayError` for an extension type whose values differ from its storage.

    Bytes are not text, and values of opaque types belong to another system. Arrow allows readers to treat other unknown
    types as their storage.
    """
    types, is_known = pyarrow.types, isinstance(kind, pyarrow.BaseExtensionType)
    storage, type_name = (kind.storage_type, str(kind)) if is_known else (kind, f"extension<{extension}>")
    if storage in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
        return
    are_bytes = types.is_binary(storage) or types.is_large_binary(storage) or types.is_fixed_size_binary(storage)
    if are_bytes or storage == pyarrow.binary_view() or extension in _OTHERS:
        is_sql = "vendor_name=DuckDB" in type_name
        cast = f": CAST({_quoted(name)} AS VARCHAR)" if is_sql else ""
        raise refusal(
            "arrow",
            f"the column {printable(name)!r} is of the Arrow type {printable(type_name)}, which no rule can judge",
            f"leave the column out of the rules, or convert it to text first{cast}",
        )


def _each(column: Any, make: Callable[[Any], Any]) -> Any:
    """Applies `make` to each chunk of a pyarrow column."""
    pyarrow = sys.modules["pyarrow"]
    if not isinstance(column, pyarrow.ChunkedArray):
        return make(column)
    # Convert an empty array, because a column without chunks still needs a type.
    kind = make(pyarrow.nulls(0, column.type)).type
    return pyarrow.chunked_array(list(map(make, column.chunks)), kind)


#: DuckDB types that Arrow lacks. DuckDB exports them as other types, and integers above 2^127 as negative numbers.
_TEXTS_OF_DUCKDB = ("bignum", "varint", "bit", "uhugeint", "uuid", "time with time zone")


def _quoted(name: str) -> str:
    """Quotes a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def with_texts(relation: Any) -> Any:
    """Casts the columns of a DuckDB relation that Arrow cannot represent to text, including struct members."""
    kinds = getattr(relation, "types", [])
    columns = [_text_of_duckdb(f"#{place}", kind) or f"#{place}" for place, kind in enumerate(kinds, 1)]
    if all(column.startswith("#") for column in columns):
        return relation
    return relation.project(", ".join(f"{column} AS {_quoted(name)}"
                                      for column, name in zip(columns, relation.columns)))


def _text_of_duckdb(value: str, kind: Any) -> str | None:
    """Returns the SQL that casts a value of a type to text; None: no cast is needed."""
    if kind.id in _TEXTS_OF_DUCKDB:
        cast = f"CAST({value} AS VARCHAR)"
        # Append the minutes that RFC 3339 requires, because DuckDB prints 12:00:00+02.
        return f"regexp_replace({cast}, '([+-][0-9][0-9])$', '\\1:00')" if kind.id == "time with time zone" else cast
    if kind.id != "struct":
        return None
    parts = {name: f"struct_extract({value}, '" + name.replace("'", "''") + "')" for name, _ in kind.children}
    texts = {name: _text_of_duckdb(parts[name], inner) for name, inner in kind.children}
    if not any(texts.values()):
        return None
    packed = ", ".join(f"{_quoted(name)} := {texts[name] or part}" for name, part in parts.items())
    return f"CASE WHEN {value} IS NOT NULL THEN struct_pack({packed}) END"
