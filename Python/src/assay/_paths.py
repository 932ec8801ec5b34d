"""Names of fields as paths into records with other records inside: ``address.city``. libassay reads them, for JSON Lines and for all else.

    address.city     the member "city" of the member "address"
    a\\.b             the member "a.b"
    tags[]           the elements of the member "tags"

A member that is called exactly as the field has precedence over the path.
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
    """The keys that lead to the value of a field; those of a name that is no path are the name itself."""
    keys, lists = _native.path_keys(name)
    return tuple(keys) if keys and not lists else (name,)


def lists_in(name: str) -> int:
    """How many lists a path goes through: ``items[].price`` through one."""
    return _native.path_keys(name)[1]


def column_of(name: str) -> str:
    """The name that a column has in a table, or in a struct, if the name of a field is the path to it."""
    first, *inner = keys_of(name)
    return ".".join(map(_escaped, (first, *inner))) if inner else first


def inside(before: str, key: str) -> str:
    """The name of a column. ``before``: what :func:`opened` has for the structs around it, if it is inside of some."""
    return before + _escaped(key) if before else key


def opened(before: str, key: str) -> str:
    """How the names of the columns inside of a struct begin."""
    return f"{before}{_escaped(key)}."


def _escaped(key: str) -> str:
    return re.sub(r"([.\[\]\\])", r"\\\1", key)


def names_of_columns(fields: Iterable[str]) -> set[str]:
    """All names that the columns of some fields may have."""
    return {name for field in fields for name in (field, column_of(field))}


class FieldPath(NamedTuple):
    """How the value of a field is found in a record."""

    name: str
    keys: tuple[str, ...]

    @classmethod
    def of(cls, name: str) -> FieldPath:
        return cls(name, keys_of(name))

    @property
    def is_plain(self) -> bool:
        """Whether only a member of the name itself is looked for."""
        return self.keys == (self.name,)

    def is_in(self, record: Mapping[str, Any]) -> bool:
        """Whether the record has the member, or null in place of one of those around it."""
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
        """The value in a record; None if there is none."""
        return record[self.name] if self.name in record else value_inside(record, self.keys)

    def changed(self, record: dict[str, Any], value: Any) -> dict[str, Any]:
        """The record with another value, in copies of the dicts around it. A member that is not there is not put there."""
        keys = (self.name,) if self.name in record else self.keys
        changed: dict[str, Any] = _changed(record, keys, value)
        return changed


def paths_of(rules: _native.Rules) -> dict[str, FieldPath]:
    """The fields that may be found otherwise than by a member that is called so."""
    return {path.name: path for path in map(FieldPath.of, rules.fields()) if not path.is_plain}


def value_inside(value: Any, keys: Iterable[str]) -> Any:
    """What is in a dict, perhaps in one inside of it."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _changed(record: Any, keys: Collection[str], value: Any) -> Any:
    first, *rest = keys
    if not isinstance(record, Mapping) or first not in record:
        return record
    return {**record, first: _changed(record[first], rest, value) if rest else value}


def refuse_elements(fields: Iterable[str], members: Collection[str]) -> None:
    """Raises :class:`assay.AssayError` for a field about the elements of a list, if no member is called exactly so: only files of
    JSON Lines are judged by elements."""
    for name in fields:
        if name not in members and lists_in(name):
            raise refusal(
                "columns",
                f"the field {printable(name)!r} is about the elements of a list, which are judged in JSON Lines only",
                "write the records to a file, one JSON object on each line, and clean it; or leave the field out of the rules",
            )
