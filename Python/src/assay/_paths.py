"""Field names as paths into nested records, such as ``address.city``. libassay parses them.

    address.city     the member "city" of the member "address"
    a\\.b             the member "a.b"
    tags[]           the elements of the member "tags"

A member whose name equals the field name takes precedence over the path.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from . import _native
from ._errors import printable, refusal


@lru_cache(maxsize=1024)
def keys_of(name: str) -> tuple[str, ...]:
    """Returns the keys of the path of a field; for a name that is not a path, only the name."""
    keys, lists = _native.path_keys(name)
    return tuple(keys) if keys and not lists else (name,)


def lists_in(name: str) -> int:
    """Returns the number of lists in a path; ``items[].price`` has one."""
    return _native.path_keys(name)[1]


def column_of(name: str) -> str:
    """Returns the name of the table column or struct member that the path of a field refers to."""
    first, *inner = keys_of(name)
    return ".".join(map(_escaped, (first, *inner))) if inner else first


def inside(before: str, key: str) -> str:
    """Returns the name of a column. ``before`` is the prefix that :func:`opened` returned for the enclosing structs."""
    return before + _escaped(key) if before else key


def opened(before: str, key: str) -> str:
    """Returns the prefix of the names of a struct's members."""
    return f"{before}{_escaped(key)}."


def _escaped(key: str) -> str:
    return re.sub(r"([.\[\]\\])", r"\\\1", key)


def names_of_columns(fields: Iterable[str]) -> set[str]:
    """Returns all possible column names of some fields."""
    return {name for field in fields for name in (field, column_of(field))}


class FieldPath(NamedTuple):
    """The place of a field's value in a record."""

    name: str
    keys: tuple[str, ...]

    @classmethod
    def of(cls, name: str) -> FieldPath:
        return cls(name, keys_of(name))

    @property
    def is_plain(self) -> bool:
        """Whether the path is only the name itself."""
        return self.keys == (self.name,)

    def is_in(self, record: Mapping[str, Any]) -> bool:
        """Whether the record has the member, or null in place of an enclosing member."""
        if self.name in record:
            return True
        inner: Any = record
        for key in self.keys:
            if inner is None:
                return True
            if not isinstance(inner, Mapping) or key not in inner:
                return False
            inner = inner[key]
        return True

    def value(self, record: Any) -> Any:
        """Returns the value in a record; None if it is missing."""
        return record[self.name] if self.name in record else value_inside(record, self.keys)

    def changed(self, record: dict[str, Any], value: Any) -> dict[str, Any]:
        """Returns the record with another value, in copies of the enclosing dicts. Never adds a missing member."""
        keys = (self.name,) if self.name in record else self.keys
        changed: dict[str, Any] = _changed(record, keys, value)
        return changed


def paths_of(rules: _native.Rules) -> dict[str, FieldPath]:
    """Returns the fields whose path differs from their name."""
    return {path.name: path for path in map(FieldPath.of, rules.fields()) if not path.is_plain}


def value_inside(value: Any, keys: Iterable[str]) -> Any:
    """Returns the value at a path of keys in nested dicts; None if it is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _changed(record: Any, keys: Collection[str], value: Any) -> Any:
    first, *rest = keys
    if not isinstance(record, Mapping) or first not in record:
        return record
    return {**record, first: _changed(record[first], rest, value) if rest else value}


def refuse_elements(fields: Iterable[str], members: Collection[str]) -> None:
    """Raises :class:`assay.AssayError` for a field that refers to list elements and is not the name of a member,
    because only JSON Lines files support element fields."""
    for name in fields:
        if name not in members and lists_in(name):
            raise refusal(
                "columns",
                f"the field {printable(name)!r} is about the elements of a list, which are judged in JSON Lines only",
                "write the records to a file, one JSON object on each line, and clean it; or leave the field out of "
                "the rules",
            )
