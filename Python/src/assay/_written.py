"""Converts rules that are a Python dict to the text that libassay reads."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ._fields import Field


def written_rules(rules: Mapping[str, Any]) -> str:
    """Converts a dict to JSON with one member per line, so that messages quote the right line.

    Dates and times are written as in rule files. Raises :class:`TypeError` for values without a form in rule files.
    """
    return json.dumps(_plain(rules, "rules"), indent=1, ensure_ascii=False)


def _plain(value: Any, where: str) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Field):
        value = value.to_dict()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"{where} has the key {key!r}, and keys are str")
        return {key: _plain(one, f"{where}[{key!r}]") for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, f"{where}[{place}]") for place, one in enumerate(value)]
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return value
    if isinstance(value, Decimal) and value.is_finite():
        # Keep all digits, because a JSON number would be rounded to 64 bits.
        return str(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    raise TypeError(
        f"{where} is {value!r}, which rules cannot say: they are made of dicts, lists, str, numbers, bool and None")
