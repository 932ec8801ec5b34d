"""The repairs of fields (``repair:``), applied to texts in pyarrow tables and Python lists.

Numbers, dates and times that are not texts stay unchanged. A column without changes is returned as the same object.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from . import _native
from ._arrow import Exported
from ._paths import column_of, inside, opened
from ._text import column_name

#: The number of cells that each repair changed, by column.
Changes = dict[str, dict[str, int]]
#: The counts of libassay: changed cells, unsettled cells, and the cells that each repair changed.
Counts = tuple[int, int, list[tuple[str, int]]]


class Repairs:
    """The repairs of some rules, and the number of cells that they changed so far. Not thread-safe. It uses ``threads``
    worker threads; 0 is one per processor."""

    def __init__(self, rules: _native.Rules, threads: int = 0):
        if threads < 0:
            raise ValueError(f"threads is {threads}; it is 0 or more")
        self._rules = rules
        self.threads = threads
        self._fields: dict[str, int] = {}
        #: The fields whose repairs fill in missing values, and those whose repairs produce missing values.
        self.fills: set[str] = set()
        self.empties: set[str] = set()
        self.changes: Changes = {}
        #: The number of values per column that stay unchanged because a second repair would change them again.
        self.unsettled: dict[str, int] = {}
        fields = json.loads(rules.json())["fields"]
        for place, field in enumerate(fields):
            name, repair = field["name"], field.get("repair")
            if repair:
                self._fields[name] = place
                self.changes[name] = {count: 0 for count, _ in rules.repair_texts([], place, 1)[1][2]}
                self.unsettled[name] = 0
                kinds = self.changes[name]
                if "default" in kinds:
                    self.fills |= {name, column_of(name)}
                if "missing" in kinds:
                    self.empties |= {name, column_of(name)}
        self._names = [field["name"] for field in fields]
        self._find_columns()

    def __bool__(self) -> bool:
        return bool(self._fields)

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def looks_into(self, prefix: str) -> bool:
        """Whether members of a struct, whose names begin with `prefix`, have repairs."""
        return any(name.startswith(prefix) for name in self._columns)

    def keep(self, field: int) -> None:
        """Keeps only the repairs of one field."""
        self._fields = {name: place for name, place in self._fields.items() if place == field}
        self.changes = {name: self.changes[name] for name in self._fields}
        self.unsettled = {name: self.unsettled[name] for name in self._fields}
        self._find_columns()

    def _find_columns(self) -> None:
        #: The field of each column, under all names that the column may have.
        self._columns = {column_of(name): name for name in self._fields} | {name: name for name in self._fields}

    @property
    def fields(self) -> list[str]:
        """The fields that have repairs."""
        return list(self._fields)

    def place_of(self, name: str) -> int:
        return self._fields[self._columns[name]]

    def name_of(self, field: int) -> str:
        return str(self._names[field])

    def texts(self, name: str, values: Sequence[Any]) -> list[Any] | None:
        """Repairs the str, bytes and None values of a column; None: no value changes."""
        kinds = (str, bytes, type(None))
        are_texts = all(isinstance(value, kinds) for value in values)
        places = range(len(values)) if are_texts else [i for i, value in enumerate(values) if isinstance(value, kinds)]
        given = values if are_texts else [values[place] for place in places]
        repaired = self._texts(name, given)
        if repaired is None or are_texts:
            return repaired
        full = list(values)
        for place, value in zip(places, repaired):
            full[place] = value
        return full

    def array(self, name: str, array: Any) -> Any:
        """Repairs a pyarrow array of texts, and returns large strings; None: no value changes."""
        import pyarrow

        schema, capsule = array.__arrow_c_array__()
        repaired, counts = self._rules.repair_array(schema, capsule, self.place_of(name), self.threads)
        self._count(name, counts)
        return None if repaired is None else pyarrow.array(Exported(repaired))

    def _texts(self, name: str, given: Sequence[Any]) -> list[Any] | None:
        repaired, counts = self._rules.repair_texts(given, self.place_of(name), self.threads)
        self._count(name, counts)
        return repaired

    def _count(self, name: str, counts: Counts) -> None:
        _, unsettled, repairs = counts
        name = self._columns[name]
        self.unsettled[name] += unsettled
        for repair, cells in repairs:
            self.changes[name][repair] += cells


def repair_arrow(repairs: Repairs, data: Any, field: int) -> Any:
    """Repairs a pyarrow table or batch (field −1), or an array. The types stay the same."""
    if field >= 0:
        return _column(repairs, "", repairs.name_of(field), data)
    if not hasattr(data, "columns"):
        return _column(repairs, "", "", data, is_table=True)
    # Read `columns` once, because each access creates new objects.
    given = data.columns
    columns = [_column(repairs, "", column_name(name), column) for name, column in zip(data.schema.names, given)]
    schema = data.schema
    for place, (part, column) in enumerate(zip(data.schema, columns)):
        schema = schema.set(place, _field(repairs, "", part, column.type))
    if schema == data.schema and all(new is old for new, old in zip(columns, given)):
        return data
    return type(data).from_arrays(columns, schema=schema)


def _field(repairs: Repairs, before: str, field: Any, kind: Any) -> Any:
    return field.with_type(kind).with_nullable(field.nullable
                                               or inside(before, column_name(field.name)) in repairs.empties)


def _column(repairs: Repairs, before: str, key: str, column: Any, is_table: bool = False) -> Any:
    """Repairs a column. In a struct, ``before`` is the prefix of its column names."""
    import pyarrow

    kind, name, prefix = column.type, inside(before, key), "" if is_table else opened(before, key)
    make: Callable[[Any], Any]
    if pyarrow.types.is_struct(kind) and (is_table or repairs.looks_into(prefix)):
        make = partial(_struct, repairs, prefix)
    elif name in repairs and (_holds_texts(kind) or pyarrow.types.is_null(kind) and name in repairs.fills):
        make = partial(_texts, repairs, name)
        if pyarrow.types.is_null(kind):
            column = column.cast(pyarrow.string())
    else:
        return column
    if not isinstance(column, pyarrow.ChunkedArray):
        return make(column)
    given = column.chunks
    chunks = [make(chunk) for chunk in given]
    if all(new is old for new, old in zip(chunks, given)):
        return column
    widest = max((chunk.type for chunk in chunks), key=_index_width)
    return pyarrow.chunked_array([chunk if chunk.type == widest else _as(chunk, widest) for chunk in chunks], widest)


def _index_type(kind: Any, count: int) -> Any:
    """Returns the smallest index type, from `kind` on, that can count `count` values."""
    import pyarrow

    is_signed = pyarrow.types.is_signed_integer(kind)
    sizes = [kind.bit_width << power for power in range(4) if kind.bit_width << power <= 64]
    bits = next(size for size in sizes if count <= 1 << (size - is_signed))
    return getattr(pyarrow, f"{'' if is_signed else 'u'}int{bits}")()


def _index_width(kind: Any) -> int:
    import pyarrow

    return int(kind.index_type.bit_width) if pyarrow.types.is_dictionary(kind) else 0


def _struct(repairs: Repairs, prefix: str, array: Any) -> Any:
    """Repairs the members of a struct array, whose names begin with a prefix."""
    import pyarrow

    # flatten() makes the members null in rows whose struct is null.
    given = array.flatten()
    columns = [_column(repairs, prefix, column_name(part.name), given[i]) for i, part in enumerate(array.type)]
    if all(new is old for new, old in zip(columns, given)):
        return array
    fields = [_field(repairs, prefix, part, column.type) for part, column in zip(array.type, columns)]
    return pyarrow.StructArray.from_arrays(columns, fields=fields, mask=array.is_null() if array.null_count else None)


def _texts(repairs: Repairs, name: str, array: Any) -> Any:
    repaired = repairs.array(name, array)
    return array if repaired is None else _as(repaired, array.type)


def _holds_texts(kind: Any) -> bool:
    import pyarrow

    types = pyarrow.types
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        return _holds_texts(kind.value_type)
    plain = (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())
    return kind in plain or kind in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view())


def _as(texts: Any, kind: Any) -> Any:
    """Casts large strings to another text type."""
    import pyarrow
    import pyarrow.compute

    if pyarrow.types.is_dictionary(kind):
        encoded = texts.dictionary_encode()
        values = _as(encoded.dictionary, kind.value_type)
        indices = encoded.indices.cast(_index_type(kind.index_type, len(values)))
        return pyarrow.DictionaryArray.from_arrays(indices, values, ordered=kind.ordered)
    if pyarrow.types.is_run_end_encoded(kind):
        runs = pyarrow.compute.run_end_encode(texts, kind.run_end_type)
        values = _as(runs.values, kind.value_type)
        return pyarrow.RunEndEncodedArray.from_arrays(runs.run_ends, values, type=kind)
    return texts.cast(kind)
