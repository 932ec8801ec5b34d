"""Counts of missing values per column, which verdicts do not contain."""

from __future__ import annotations

import json
from typing import Any

from . import _arrow, _native
from ._paths import column_of, inside, opened
from ._pyarrow import pyarrow_for
from ._storage import as_values
from ._text import column_name


def names_in(schema: Any) -> list[str]:
    """Returns the names of a table's columns in rules, in table order; a struct member is ``outer.inner``."""
    return list(_paths_in(schema))


def column_named(table: Any, name: str) -> Any:
    """Returns a column of a pyarrow table or batch by its name in the rules.

    Raises :class:`KeyError` if there is no such column.
    """
    paths = _paths_in(table.schema)
    path = paths.get(name) or paths.get(column_of(name))
    if path is None:
        raise KeyError(name)
    return _column(table, path)


def _paths_in(schema: Any) -> dict[str, list[int]]:
    """The positions of each name: first in the table, then in the nested structs."""
    types = pyarrow_for("to read columns").types
    paths: dict[str, list[int]] = {}

    def visit(fields: Any, before: str, path: list[int]) -> None:
        for place, field in enumerate(fields):
            key = column_name(field.name)
            paths.setdefault(inside(before, key), [*path, place])
            if types.is_struct(field.type):
                visit(field.type, opened(before, key), [*path, place])

    visit(schema, "", [])
    return paths


class MissingValues:
    """Counts of missing values. Uses the null count of Arrow if it suffices; otherwise libassay finds the values that
    the rules treat as missing."""

    def __init__(self, rules: _native.Rules, schema: Any, names: list[str]):
        self.counts = [0] * len(names)
        paths = _paths_in(schema)
        self._names, self._paths = names, [paths[name] for name in names]
        described = json.loads(rules.json())
        fields = {field["name"]: field for field in described["fields"]}
        usual = described.get("missingValues", [""])
        nothing = as_values(pyarrow_for("to read columns").RecordBatch.from_pylist([], schema=schema), names)
        bare = [_bare(fields[name], _is_plain(_column(nothing, paths[name]).type)) for name in names]
        # Parse the fields without their checks, because only missing values are counted.
        self._rules = _native.parse(json.dumps({"fields": bare, "missingValues": usual}), "rules", False)
        self._only_empty = [set(field.get("missingValues", usual)) <= {""} for field in bare]

    def add(self, batch: Any, threads: int) -> None:
        """Adds the counts of a batch."""
        batch = as_values(batch, self._names)
        for place, path in enumerate(self._paths):
            self.counts[place] += self._count(place, _column(batch, path), threads)

    def _count(self, place: int, column: Any, threads: int) -> int:
        # Count only nulls, because the text of a number or a date is never empty.
        if self._only_empty[place] and _is_plain(column.type):
            return int(column.null_count)
        schema, array = column.__arrow_c_array__()
        result = self._rules.check_array(schema, array, place, threads, 0, None, None)
        return int.from_bytes(result.rows(_arrow.MISSING) or b"", "little").bit_count()


def _bare(field: dict[str, Any], is_plain: bool) -> dict[str, Any]:
    """Removes the checks of a field, but keeps the format of numbers and dates."""
    if "repair" not in field and (not is_plain or field.get("type", "string") == "string"):
        return {key: field[key] for key in ("name", "missingValues") if key in field}
    return {key: value for key, value in field.items() if key not in ("constraints", "rules")}


def _column(batch: Any, path: list[int]) -> Any:
    column = batch.column(path[0])
    return pyarrow_for("to read columns").compute.struct_field(column, path[1:]) if path[1:] else column


def _is_plain(kind: Any) -> bool:
    """Whether the texts of an Arrow type are never empty, unlike those of strings."""
    types = pyarrow_for("to read columns").types
    kinds = (types.is_boolean, types.is_integer, types.is_floating, types.is_decimal, types.is_temporal, types.is_null)
    return any(is_kind(kind) for is_kind in kinds)
