"""Rules of what Python people have already: dataclasses, models of pydantic, schemas of Arrow. What cannot be carried over is an error."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import types
import typing
import uuid
from collections.abc import Mapping
from typing import Any

from ._kind import library_of, pyarrow_for
from ._text import name_of

#: Types of Python, and what a field of them is.
_TYPES: dict[Any, dict[str, str]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    decimal.Decimal: {"type": "number"},
    datetime.datetime: {"type": "datetime"},
    datetime.date: {"type": "date"},
    datetime.time: {"type": "time"},
    uuid.UUID: {"format": "uuid"},
}


def rules_of(model: Any) -> dict[str, Any]:
    """The rules that a model means, as a dict.

    Raises :class:`TypeError` for what is no model, and for what rules cannot say.
    """
    if hasattr(model, "model_json_schema"):
        return _of_json_schema(model.model_json_schema())
    if isinstance(model, type) and dataclasses.is_dataclass(model):
        return {"fields": _fields_of_dataclass(model)}
    if library_of(model) == "pyarrow" or hasattr(model, "__arrow_c_schema__"):
        pyarrow = pyarrow_for("to read a schema")
        schema = model if isinstance(model, pyarrow.Schema) else pyarrow.schema(model)
        return {"fields": [one for field in schema for one in _fields_of_arrow(pyarrow, field, "", True)]}
    raise TypeError(
        f"{name_of(model)} is no model that assay knows: give it a dataclass, a model of pydantic, or a schema of Arrow"
    )


# -- Dataclasses


def _fields_of_dataclass(model: type) -> list[dict[str, Any]]:
    hints = typing.get_type_hints(model)
    return [_field_of_hint(field.name, hints[field.name]) for field in dataclasses.fields(model)]


def _field_of_hint(name: str, hint: Any) -> dict[str, Any]:
    is_required = True
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        if len(kinds) == 1:
            is_required, hint = False, kinds[0]
    constraints: dict[str, Any] = {"required": True} if is_required else {}
    field: dict[str, Any] = {"name": name}
    if hint in _TYPES:
        field |= _TYPES[hint]
    elif typing.get_origin(hint) is typing.Literal:
        field |= _enumerated(typing.get_args(hint), name, constraints)
    elif isinstance(hint, type) and issubclass(hint, enum.Enum):
        field |= _enumerated([member.value for member in hint], name, constraints)
    else:
        raise TypeError(f"the field {name!r} is {hint}, which rules cannot say: leave it out, or write the rules as a dict")
    return field | ({"constraints": constraints} if constraints else {})


def _enumerated(values: Any, name: str, constraints: dict[str, Any]) -> dict[str, str]:
    kinds = set(map(type, values))
    if kinds not in ({str}, {int}):
        raise TypeError(f"the field {name!r} is one of {values}, and rules have only str, or only int, in an enum")
    constraints["enum"] = list(values)
    return _TYPES[kinds.pop()]


# -- pydantic


def _of_json_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON Schema as libassay reads it: with what it refers to in place, and null as no value."""
    made = {key: value for key, value in schema.items() if key != "$defs"}
    required = list(made.get("required", []))
    properties = {}
    for name, value in made.get("properties", {}).items():
        properties[name], may_be_null = _plain_property(value, schema.get("$defs", {}), name)
        if may_be_null and name in required:
            required.remove(name)
    return made | {"properties": properties, "required": required}


def _plain_property(value: Mapping[str, Any], definitions: Mapping[str, Any], name: str) -> tuple[dict[str, Any], bool]:
    """A property without references and without null, and whether null was in it. A default is none of the data."""
    own = {key: part for key, part in value.items() if key not in ("$ref", "anyOf", "default")}
    if "$ref" in value:
        named = definitions[value["$ref"].removeprefix("#/$defs/")]
        inner, may_be_null = _plain_property(named, definitions, name)
        return inner | own, may_be_null
    if "anyOf" not in value:
        return own, False
    kinds = [kind for kind in value["anyOf"] if kind.get("type") != "null"]
    may_be_null = len(kinds) < len(value["anyOf"])
    # How pydantic describes a Decimal.
    if sorted(str(kind.get("type")) for kind in kinds) == ["number", "string"]:
        kinds = [kind for kind in kinds if kind["type"] == "number"]
    if len(kinds) != 1:
        raise TypeError(f"the field {name!r} is of one of several types, which rules cannot say: leave it out of the model")
    inner, is_nullable_inside = _plain_property(kinds[0], definitions, name)
    return inner | own, may_be_null or is_nullable_inside


# -- Arrow


def _fields_of_arrow(pyarrow: Any, field: Any, before: str, may_be_required: bool) -> list[dict[str, Any]]:
    types_of, name = pyarrow.types, before + field.name
    kind = field.type.value_type if types_of.is_dictionary(field.type) or types_of.is_run_end_encoded(field.type) else field.type
    is_required = may_be_required and not field.nullable
    if types_of.is_struct(kind):
        inner = (kind.field(place) for place in range(kind.num_fields))
        return [one for part in inner for one in _fields_of_arrow(pyarrow, part, f"{name}.", is_required)]
    constraints: dict[str, Any] = {"required": True} if is_required else {}
    found = {"name": name, "type": _type_of_arrow(pyarrow, kind, name, constraints)}
    return [found | ({"constraints": constraints} if constraints else {})]


def _type_of_arrow(pyarrow: Any, kind: Any, name: str, constraints: dict[str, Any]) -> str:
    is_kind = pyarrow.types
    if is_kind.is_integer(kind):
        is_signed = is_kind.is_signed_integer(kind)
        bits = kind.bit_width - is_signed
        constraints |= {"minimum": -(2**bits) if is_signed else 0, "maximum": 2**bits - 1}
        return "integer"
    for name_of_type, tests in {
        "string": ("is_string", "is_large_string", "is_string_view", "is_null"),
        "number": ("is_floating", "is_decimal"),
        "boolean": ("is_boolean",),
        "date": ("is_date",),
        "datetime": ("is_timestamp",),
        "time": ("is_time",),
    }.items():
        if any(getattr(is_kind, test)(kind) for test in tests if hasattr(is_kind, test)):
            return name_of_type
    raise TypeError(f"the column {name!r} is of the Arrow type {kind}, which rules cannot say: leave it out of the schema")
