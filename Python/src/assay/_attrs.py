"""Converts the validators of attrs classes to constraints. Validators that rules cannot express are errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ._constraints import ModelField

_OPERATORS = {">=": "ge", ">": "gt", "<=": "le", "<": "lt"}


def is_attrs(model: Any) -> bool:
    """Whether a class is one of attrs."""
    return isinstance(model, type) and "__attrs_attrs__" in vars(model)


def validators_of(attribute: Any) -> Iterator[Any]:
    """Yields the validators of an attribute; a validator that combines several is split."""
    given = [] if attribute.validator is None else [attribute.validator]
    while given:
        validator = given.pop(0)
        if _name(validator) == "_AndValidator":
            given = [*validator._validators, *given]
        else:
            yield validator


def constrain(field: ModelField, validators: Iterable[Any], enumerate_values: Callable[[Any], dict[str, str]]) -> bool:
    """Adds the constraints of validators to a field. Returns whether they allow None.

    :param enumerate_values: adds a list of allowed values, and returns the members of the field for them.

    Raises :class:`TypeError` for validators that rules cannot express.
    """
    may_be_none = False
    for validator in validators:
        name = _name(validator)
        if name == "_OptionalValidator":
            may_be_none = True
            inner = validator.validator
            parts = inner if isinstance(inner, (list, tuple)) else getattr(inner, "_validators", [inner])
            constrain(field, parts, enumerate_values)
        elif name == "_NumberValidator" and validator.compare_op in _OPERATORS:
            field.constrain_by(_OPERATORS[validator.compare_op], validator.bound)
        elif name == "_MaxLengthValidator":
            field.constrain_by("max_length", validator.max_length)
        elif name == "_MinLengthValidator":
            field.constrain_by("min_length", validator.min_length)
        elif name == "_MatchesReValidator" and field.is_plain_text:
            _match(field, validator)
        elif name == "_InValidator" and field.type in ("string", "integer"):
            field.field |= enumerate_values(validator.options)
        elif name != "_InstanceOfValidator" or validator.type is not field.kind:
            raise field.refused(f"the validator {validator!r}")
    return may_be_none


def _match(field: ModelField, validator: Any) -> None:
    pattern, how = validator.pattern, validator.match_func.__name__
    if not isinstance(pattern.pattern, str) or pattern.flags & ~re.UNICODE:
        raise field.refused(f"the validator {validator!r}")
    if how == "search":
        field.match("pattern", pattern.pattern, options=["search"])
    else:
        # match() needs only a beginning.
        field.match("pattern", pattern.pattern if how == "fullmatch" else f"(?:{pattern.pattern})(?s:.*)")


def _name(validator: Any) -> str:
    """Returns the name of a validator class of attrs; empty for others."""
    kind = type(validator)
    return kind.__name__ if kind.__module__ in ("attr.validators", "attr._make") else ""
