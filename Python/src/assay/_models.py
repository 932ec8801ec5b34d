"""Converts dataclasses, models and schemas to rules. Parts that rules cannot express are errors."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import ipaddress
import re
import sys
import types
import typing
import uuid
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from . import _attrs
from ._constraints import ModelField, parameters_of_field
from ._kind import library_of
from ._pandera import rules_of_schema, schema_of
from ._paths import inside, opened
from ._pyarrow import pyarrow_for
from ._text import name_of

#: The field members of Python types.
_TYPES: dict[Any, dict[str, str]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    decimal.Decimal: {"type": "number"},
    datetime.datetime: {"type": "datetime"},
    datetime.date: {"type": "date"},
    datetime.time: {"type": "time"},
    uuid.UUID: {"format": "uuid any-version"},
    ipaddress.IPv4Address: {"format": "ipv4"},
    ipaddress.IPv6Address: {"format": "ipv6"},
}

#: Types of pydantic, by name, whose values are texts of a built-in type.
_FORMATS = {"EmailStr": "email unicode"}


def rules_of(model: Any) -> dict[str, Any]:
    """Converts a model to rules, as a dict.

    Raises :class:`TypeError` for objects that are not models, and for parts that rules cannot express.
    """
    if isinstance(model, type) and (hasattr(model, "__pydantic_fields__") or hasattr(model, "model_fields")):
        return _of_pydantic(model)
    if (schema := schema_of(model)) is not None:
        return rules_of_schema(schema)
    if _attrs.is_attrs(model):
        return _rules(_of_attrs(model))
    if isinstance(model, type) and dataclasses.is_dataclass(model):
        return _rules(_of_dataclass(model))
    if typing.is_typeddict(model) or isinstance(model, type) and issubclass(model, tuple) and hasattr(model, "_fields"):
        return _rules(_of_hints(model))
    if library_of(model) == "polars":
        return _of_polars(model)
    if library_of(model) == "pyarrow" or hasattr(model, "__arrow_c_schema__"):
        return _of_arrow(model)
    raise TypeError(
        f"{name_of(model)} is no model that assay knows: give it a dataclass, a model of pydantic, attrs or pandera, "
        "or a schema of Arrow or Polars"
    )


def _rules(made: Iterable[tuple[ModelField, bool]], **members: Any) -> dict[str, Any]:
    """Makes rules from pairs of a field and whether it is optional."""
    return {"fields": [field.rule_dict(not may_be_missing) for field, may_be_missing in made], **members}


# -- Classes of Python and attrs

#: Keys of the metadata of a field that describe it and do not constrain its values.
_DESCRIPTIONS = {"title", "description", "doc", "help", "unit", "example", "examples", "comment"}


def _of_dataclass(model: Any) -> Iterator[tuple[ModelField, bool]]:
    _refuse_method(model, "__post_init__")
    hints = typing.get_type_hints(model, include_extras=True)
    for field in dataclasses.fields(model):
        _refuse_metadata(field)
        yield _field_of_hint(field.name, hints[field.name])


def _of_attrs(model: Any) -> Iterator[tuple[ModelField, bool]]:
    for method in ("__attrs_pre_init__", "__attrs_post_init__"):
        _refuse_method(model, method)
    hints = typing.get_type_hints(model, include_extras=True)
    for attribute in model.__attrs_attrs__:
        _refuse_metadata(attribute)
        name = attribute.name
        hint = hints.get(name, attribute.type)
        if hint is None:
            raise ModelField(name).refused("no type")
        if attribute.converter is not None:
            raise ModelField(name).refused(f"the converter {attribute.converter!r}")
        field, may_be_null = _field_of_hint(name, hint)
        enumerate_values = partial(_enumerated, name=name, constraints=field.constraints)
        may_be_none = _attrs.constrain(field, _attrs.validators_of(attribute), enumerate_values)
        yield field, may_be_null or may_be_none


def _of_hints(model: Any) -> Iterator[tuple[ModelField, bool]]:
    """Converts a TypedDict or a NamedTuple."""
    hints = typing.get_type_hints(model, include_extras=True)
    required = getattr(model, "__required_keys__", hints)
    for name, hint in hints.items():
        while typing.get_origin(hint) in _QUALIFIERS:
            (hint,) = typing.get_args(hint)
        field, may_be_null = _field_of_hint(name, hint)
        yield field, may_be_null or name not in required


#: The type qualifiers of TypedDict; older versions of Python lack some.
_QUALIFIERS = [getattr(typing, name) for name in ("Required", "NotRequired", "ReadOnly") if hasattr(typing, name)]


def _refuse_method(model: Any, name: str) -> None:
    if hasattr(model, name):
        raise _is_refused(model, f"the method {name!r}")


def _refuse_metadata(field: Any) -> None:
    for key, value in field.metadata.items():
        if key not in _DESCRIPTIONS:
            raise ModelField(field.name).refused(f"{key!r} in its metadata ({value!r})")


# -- Types of Python


def _field_of_hint(name: str, hint: Any, metadata: Iterable[Any] = ()) -> tuple[ModelField, bool]:
    """Returns a field and whether it may be null.

    :param metadata: constraints in addition to the type.
    """
    field, may_be_null, requested = ModelField(name), False, list(metadata)
    while True:
        if typing.get_origin(hint) is typing.Annotated:
            hint, requested = hint.__origin__, [*hint.__metadata__, *requested]
        elif typing.get_origin(hint) in (typing.Union, types.UnionType):
            kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
            if len(kinds) != 1:
                raise _is_other(name, f"of one of several types, {hint}")
            may_be_null, hint = True, kinds[0]
        elif type(hint).__name__ == "TypeAliasType" or isinstance(hint, typing.NewType):
            hint = hint.__value__ if hasattr(hint, "__value__") else hint.__supertype__
        else:
            break
    field.kind = hint
    if _is_known(hint):
        field.field |= _TYPES[hint]
    elif typing.get_origin(hint) is typing.Literal:
        field.field |= _enumerated(typing.get_args(hint), name, field.constraints)
    elif isinstance(hint, type) and issubclass(hint, enum.Enum):
        field.field |= _enumerated([member.value for member in hint], name, field.constraints)
    elif _is_of_pydantic(hint) and hint.__name__ in _FORMATS:
        field.field["format"] = _FORMATS[hint.__name__]
    elif _is_of_pydantic(hint) and hasattr(hint, "_constraints"):
        _add_url(field, hint)
    else:
        raise _is_other(name, str(hint))
    field.constrain(requested)
    return field, may_be_null


def _is_known(hint: Any) -> bool:
    return isinstance(hint, type) and hint in _TYPES


def _is_other(name: str, what: str) -> TypeError:
    return TypeError(
        f"the field {name!r} is {what}, which rules cannot express: leave it out, or write the rules as a dict")


def _enumerated(values: Any, name: str, constraints: dict[str, Any]) -> dict[str, str]:
    kinds = set(map(type, values))
    if kinds not in ({str}, {int}):
        raise TypeError(f"the field {name!r} is one of {values}, and rules have only str, or only int, in an enum")
    constraints["enum"] = list(values)
    # The members of texts have no type, so that other constraints are refused: the list of values is complete.
    return {"type": "integer"} if kinds == {int} else {}


# -- pydantic


def _of_pydantic(model: Any) -> dict[str, Any]:
    """Converts a pydantic model or dataclass."""
    if getattr(model, "__pydantic_root_model__", False):
        raise _is_refused(model, "a root value instead of fields")
    for method in ("__post_init__", "__post_init_post_parse__"):
        _refuse_method(model, method)
    if _home(getattr(model, "model_post_init", None)) not in ("", "pydantic"):
        raise _is_refused(model, "the method 'model_post_init'")
    for validators in ("validators", "field_validators", "root_validators", "model_validators"):
        for name in getattr(getattr(model, "__pydantic_decorators__", None), validators, {}):
            raise _is_refused(model, f"the validator {name!r}")
    config = getattr(model, "model_config", None) or getattr(model, "__pydantic_config__", None) or {}
    common = list(_constraints_of(config, model))
    fields = getattr(model, "__pydantic_fields__", None) or model.model_fields
    made = []
    for own, info in fields.items():
        field, may_be_null = _field_of_hint(_alias(own, info, config), info.annotation, info.metadata)
        for what, value in parameters_of_field(info):
            raise field.refused(f"{what!r} ({value!r})")
        if field.is_plain_text:
            field.constrain(common)
        if field.type == "number":
            # pydantic's defaults: a float may be infinite or NaN, a Decimal not.
            allows = field.kind is float and config.get("allow_inf_nan", True)
            field.allows_nan = allows if field.allows_nan is None else field.allows_nan
        made.append((field, may_be_null or not info.is_required()))
    members = {"fieldsMatch": "superset"} if config.get("extra") == "forbid" else {}
    return _rules(made, **members)


def _home(function: Any) -> str:
    """Returns the package that defines a function; empty for None."""
    return (getattr(function, "__module__", None) or "").partition(".")[0]


def _is_refused(model: Any, what: str) -> TypeError:
    return TypeError(
        f"the model {model.__name__!r} has {what}, which rules cannot express: leave it out, or write the rules as a "
        "dict"
    )


def _constraints_of(config: Mapping[str, Any], model: Any) -> Iterator[Any]:
    """Yields the constraints that a model's configuration puts on all its texts, as annotations."""
    for name in ("strict", "str_to_lower", "str_to_upper", "coerce_numbers_to_str"):
        if config.get(name):
            raise _is_refused(model, f"{name!r} in its configuration")
    given = {name: config.get(f"str_{name}") for name in ("strip_whitespace", "min_length", "max_length")}
    if any(given.values()):
        yield sys.modules["pydantic"].StringConstraints(**given)


def _alias(own: str, info: Any, config: Mapping[str, Any]) -> str:
    """Returns the name of a field in the data."""
    alias = info.validation_alias or own
    if not isinstance(alias, str):
        raise ModelField(own).refused(f"'validation_alias' ({alias!r})")
    for name in ("populate_by_name", "validate_by_name"):
        if alias != own and config.get(name):
            raise ModelField(own).refused(f"two names, by {name!r}")
    return own if config.get("validate_by_alias") is False else alias


def _is_of_pydantic(hint: Any) -> bool:
    return isinstance(hint, type) and hint.__module__.partition(".")[0] == "pydantic"


def _add_url(field: ModelField, kind: Any) -> None:
    """Adds the constraints of a pydantic URL type."""
    field.field["format"] = "uri"
    limits = kind._constraints
    for name in ("host_required", "default_host", "default_port", "default_path"):
        if getattr(limits, name, None) is not None:
            raise field.refused(f"{name!r} ({kind.__name__})")
    if limits.max_length is not None:
        field.require("maxLength", limits.max_length)
    if limits.allowed_schemes is not None:
        schemes = "|".join(map(re.escape, limits.allowed_schemes))
        field.match("scheme", f"(?:{schemes}):.*", f"is not a URL of {' or '.join(limits.allowed_schemes)}",
                    ["caseInsensitive"])


# -- Arrow


def _of_arrow(model: Any) -> dict[str, Any]:
    pyarrow = pyarrow_for("to read a schema")
    schema = model if isinstance(model, pyarrow.Schema) else pyarrow.schema(model)
    return _rules(one for field in schema for one in _fields_of_arrow(pyarrow, field, "", True))


def _of_polars(model: Any) -> dict[str, Any]:
    """Converts a Polars schema. Enums need extra code, because Arrow exports them without their categories."""
    polars, pyarrow = sys.modules["polars"], pyarrow_for("to read a schema")
    schema = model if isinstance(model, polars.Schema) else model.schema
    made = []
    for field, kind in zip(polars.DataFrame(schema=schema).to_arrow().schema, schema.values()):
        if _holds_enum(polars, kind) and not isinstance(kind, polars.Enum):
            raise TypeError(f"the column {field.name!r} is of the Polars type {kind}, which rules cannot express: "
                            "leave it out of the schema")
        for one, may_be_missing in _fields_of_arrow(pyarrow, field, "", True):
            if isinstance(kind, polars.Enum):
                one.constraints["enum"] = kind.categories.to_list()
            made.append((one, may_be_missing))
    return _rules(made)


def _holds_enum(polars: Any, kind: Any) -> bool:
    if isinstance(kind, polars.Struct):
        return any(_holds_enum(polars, part.dtype) for part in kind.fields)
    return isinstance(kind, polars.Enum)


def _fields_of_arrow(pyarrow: Any, field: Any, before: str, may_be_required: bool) -> list[tuple[ModelField, bool]]:
    types_of, name = pyarrow.types, inside(before, field.name)
    kind = field.type.value_type if types_of.is_dictionary(field.type) or types_of.is_run_end_encoded(
        field.type) else field.type
    is_required = may_be_required and not field.nullable
    if types_of.is_struct(kind):
        inner = (kind.field(place) for place in range(kind.num_fields))
        return [one for part in inner for one in _fields_of_arrow(pyarrow, part, opened(before, field.name),
                                                                  is_required)]
    found = ModelField(name)
    found.field["type"] = _type_of_arrow(pyarrow, kind, found)
    if types_of.is_decimal(kind):
        found.digits(kind.precision - min(kind.scale, 0), max(kind.scale, 0))
    return [(found, not is_required)]


def _type_of_arrow(pyarrow: Any, kind: Any, field: ModelField) -> str:
    is_kind = pyarrow.types
    if is_kind.is_integer(kind):
        is_signed = is_kind.is_signed_integer(kind)
        bits = kind.bit_width - is_signed
        field.constraints |= {"minimum": -(2**bits) if is_signed else 0, "maximum": 2**bits - 1}
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
    raise TypeError(f"the column {field.name!r} is of the Arrow type {kind}, which rules cannot express: leave it out "
                    "of the schema")
