"""Single records with lists or objects, checked as a line of JSON Lines.

    {"id": 7, "tags": ["a", "B"]}  ──►  record.jsonl  ──►  findings of record 1
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from . import _native
from ._paths import lists_in
from ._text import Style, column_name


class LineRules:
    """Rules for records that are written as JSON. Immutable; any number of threads may use it."""

    def __init__(self, rules: _native.Rules, name: str, trust: bool):
        self._names = rules.fields()
        #: The members of a record that fields read.
        self._members = set(self._names) | {_native.path_keys(name)[0][0] for name in self._names
                                            if _native.path_keys(name)[0]}
        self._rules = _with_optional_elements(rules, name, trust)

    def findings(self, record: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Returns the findings of a record, in the order of :class:`assay.Finding`.

        Raises :class:`TypeError` for values that JSON does not have.
        """
        members = ((column_name(key), value) for key, value in record.items())
        line = _object((key, value) for key, value in members if key in self._members)
        # A run fails if no record has a field, so a second record has all fields. Its findings are dropped.
        fields = [name for name in self._names if not lists_in(name)]
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            path, findings = os.path.join(folder, "record.jsonl"), os.path.join(folder, "findings.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{line}\n{json.dumps(dict.fromkeys(fields))}\n")
            self._rules.clean_file(os.fsencode(path), None, None, os.fsencode(findings), None, None, True, False, 1,
                                   None)
            with open(findings, encoding="utf-8") as file:
                found = list(map(json.loads, file))
        return [(1, None, None, one["column"], one["rule"], one["code"], one["severity"], one["message"])
                for one in found if one["record"] == 1]


def _with_optional_elements(rules: _native.Rules, name: str, trust: bool) -> _native.Rules:
    """Returns rules that accept records without the lists of their element fields."""
    described = json.loads(rules.json())
    elements = [field for field in described["fields"] if lists_in(field["name"])]
    if not elements:
        return rules
    for field in elements:
        field["optional"] = True
    folder = rules.folder()
    if trust or folder is None:
        return _native.parse(json.dumps(described), name, trust)
    return _native.parse(json.dumps(described), name, False, os.path.abspath(os.fsdecode(folder)))


def _object(members: Iterable[tuple[str, Any]]) -> str:
    return "{" + ", ".join(f"{json.dumps(key)}: {_json(value)}" for key, value in members) + "}"


def _json(value: Any) -> str:
    """Returns a value as JSON. A number keeps its digits; dates and times are strings in the form of ISO 8601."""
    if isinstance(value, Mapping):
        return _object((column_name(key), inner) for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_json, value)) + "]"
    if isinstance(value, bytes):
        # Invalid UTF-8 becomes lone surrogates, which the rules report.
        value = value.decode("utf-8", "surrogateescape")
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value)
    text = _PLAIN.text(value, 0, "the record")
    if text is None:
        return "null"
    kind = getattr(getattr(value, "dtype", None), "kind", "")  # of a NumPy value
    is_literal = isinstance(value, (int, float, Decimal)) or kind in ("b", "i", "u", "f")
    return str(text) if is_literal and text not in _NO_NUMBERS else json.dumps(text)


_PLAIN = Style({"type": "any"})
#: The texts of numbers that JSON does not have.
_NO_NUMBERS = ("NaN", "INF", "-INF")
