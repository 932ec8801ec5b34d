"""Converts schemas of pandera to rules. Parts that rules cannot express are errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from ._constraints import ModelField

#: The type of the rules for each dtype, as a pattern of its name in lower case.
_TYPES = (
    (r"u?int(8|16|32|64)", "integer"),
    (r"float(16|32|64)?", "number"),
    (r"str|string(\[.*\])?|utf8", "string"),
    (r"bool|boolean", "boolean"),
    (r"date|date32.*", "date"),
    (r"datetime.*|timestamp.*", "datetime"),
    (r"time", "time"),
)
#: For each built-in check: the names of its parameters, and of the constraint of :class:`ModelField`.
_BOUNDS = {
    "greater_than": ("min_value", "gt"),
    "greater_than_or_equal_to": ("min_value", "ge"),
    "less_than": ("max_value", "lt"),
    "less_than_or_equal_to": ("max_value", "le"),
}


#: The kept records for each value of ``report_duplicates``.
_KEEP = {"all": "none", "exclude_first": "first", "exclude_last": "last"}


def schema_of(model: Any) -> Any:
    """Returns a schema of pandera, or None for other objects. A DataFrameModel is converted."""
    bases = model.__mro__ if isinstance(model, type) else type(model).__mro__
    if not any(base.__module__.partition(".")[0] == "pandera" for base in bases):
        return None
    if isinstance(model, type) and hasattr(model, "to_schema"):
        return model.to_schema()
    return model if hasattr(model, "columns") and hasattr(model, "checks") else None


def rules_of_schema(schema: Any) -> dict[str, Any]:
    """Converts a DataFrameSchema to rules, as a dict."""
    for what in ("checks", "parsers", "index", "dtype", "add_missing_columns"):
        value = getattr(schema, what, None)
        if value is not None and value is not False and not (isinstance(value, list) and not value):
            raise _refused("the schema", f"{what!r} ({value!r})")
    members: dict[str, Any] = {}
    if schema.strict not in (False, True) or schema.ordered and not schema.strict:
        raise _refused("the schema", f"strict={schema.strict!r} and ordered={schema.ordered!r}")
    if schema.strict:
        members["fieldsMatch"] = "exact" if schema.ordered else "equal"
    columns = {str(name): column for name, column in schema.columns.items()}
    unique = schema.unique or []
    keys = [unique] if unique and isinstance(unique[0], str) else list(unique)
    for key in keys:
        if any(columns[name].nullable for name in key):
            raise _refused("the schema", f"'unique' ({key!r}) with columns that may be null")
    if keys:
        members["uniqueKeys"] = [list(key) for key in keys]
    kept = {getattr(column, "report_duplicates", "all") for column in columns.values() if column.unique}
    kept |= {getattr(schema, "report_duplicates", "all")} if keys else set()
    if len(kept) == 1 and kept <= _KEEP.keys():
        members["keep"] = _KEEP[kept.pop()]
    elif kept:
        raise _refused("the schema", f"'report_duplicates' ({', '.join(sorted(map(str, kept)))})")
    return {"fields": [_field(name, column) for name, column in columns.items()], **members}


def _field(name: str, column: Any) -> dict[str, Any]:
    field = ModelField(name)
    if not column.required:
        raise _refused(f"the column {name!r}", "required=False")
    if getattr(column, "regex", False) or getattr(column, "parsers", None) or column.default is not None:
        raise _refused(f"the column {name!r}", "'regex', 'parsers' or 'default'")
    if column.unique and column.nullable:
        raise _refused(f"the column {name!r}", "unique=True and nullable=True, because equal nulls are not compared")
    _add_type(field, column.dtype)
    for check in column.checks:
        _add_check(field, check)
    if field.type == "integer":
        _add_range(field, str(column.dtype).lower())
    if column.unique:
        field.constraints["unique"] = True
    # Rules allow null in a field that is not required, and its column may not be missing in a table.
    made = field.rule_dict(not column.nullable)
    made.pop("optional", None)
    return made


def _add_type(field: ModelField, dtype: Any) -> None:
    if dtype is None:
        field.field["type"] = "any"
        return
    name = str(dtype).lower()
    if name.startswith("decimal") and hasattr(dtype, "precision"):
        field.field["type"] = "number"
        field.digits(dtype.precision, dtype.scale)
        return
    kind = next((kind for pattern, kind in _TYPES if re.fullmatch(pattern, name)), None)
    if kind is None:
        raise _refused(f"the column {field.name!r}", f"the dtype {dtype}")
    field.field["type"] = kind


def _add_range(field: ModelField, dtype: str) -> None:
    """Adds the range of an integer dtype, if the checks permit values outside it."""
    is_signed, bits = not dtype.startswith("u"), int(re.sub(r"\D", "", dtype))
    bounds = {"minimum": -(2 ** (bits - 1)) if is_signed else 0, "maximum": 2 ** (bits - is_signed) - 1}
    for key, bound in bounds.items():
        known = [field.constraints[one] for one in (key, f"exclusive{key.capitalize()}") if one in field.constraints]
        is_inside = any(Decimal(one) >= bound if key == "minimum" else Decimal(one) <= bound for one in known)
        if not is_inside:
            field.require(key, str(bound))


def _add_check(field: ModelField, check: Any) -> None:
    """Adds the constraints of a check. Only the checks of pandera itself have `statistics` that describe them."""
    statistics = dict(check.statistics or {})
    if not _is_built_in(check) or check.groupby is not None or not check.ignore_na:
        raise _refused(f"the column {field.name!r}", f"the check {check!r}")
    known, rules = set(field.constraints), len(field.rules)
    for what, value in _constraints(field, check, statistics):
        if what == "enum":
            field.require("enum", value)
        elif what == "match":
            field.match(value[0], value[1], options=value[2])
        else:
            field.constrain_by(what, value)
    if check.raise_warning:
        field.set_apart(known)
        for rule in field.rules[rules:]:
            rule["severity"] = "warn"


def _is_built_in(check: Any) -> bool:
    function = getattr(check, "_check_fn", None)
    return (getattr(function, "__module__", "") or "").partition(".")[0] == "pandera" or type(
        function).__module__.partition(".")[0] == "pandera"


def _constraints(field: ModelField, check: Any, statistics: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    name = check.name
    if name in _BOUNDS:
        parameter, what = _BOUNDS[name]
        yield what, statistics[parameter]
    elif name == "in_range":
        yield ("ge" if statistics["include_min"] else "gt"), statistics["min_value"]
        yield ("le" if statistics["include_max"] else "lt"), statistics["max_value"]
    elif name == "str_length" and field.is_plain_text:
        for what in ("min_value", "max_value"):
            if statistics.get(what) is not None:
                yield what[:4] + "length", statistics[what]
    elif name in ("isin", "equal_to") and field.type in ("string", "integer"):
        values = [statistics["value"]] if name == "equal_to" else list(statistics["allowed_values"])
        if set(map(type, values)) != {int if field.type == "integer" else str}:
            raise _refused(f"the column {field.name!r}", f"the check {check!r}")
        yield "enum", values
    elif name.startswith("str_") and field.is_plain_text and (pattern := _pattern(name, statistics)) is not None:
        yield "match", (name, *pattern)
    else:
        raise _refused(f"the column {field.name!r}", f"the check {check!r}")


def _pattern(name: str, statistics: dict[str, Any]) -> tuple[str, list[str]] | None:
    given = statistics.get("pattern", statistics.get("string"))
    if isinstance(given, re.Pattern):
        if given.flags & ~re.UNICODE:
            return None
        given = given.pattern
    if not isinstance(given, str):
        return None
    if name == "str_matches":
        return f"(?:{given})(?s:.*)", []
    if name == "str_contains":
        return given, ["search"]
    if name == "str_startswith":
        return f"{re.escape(given)}(?s:.*)", []
    return (f"(?s:.*){re.escape(given)}", []) if name == "str_endswith" else None


def _refused(place: str, what: str) -> TypeError:
    return TypeError(f"{place} has {what}, which rules cannot express: leave it out, or write the rules as a dict")
