"""Converts constraints of annotated-types and pydantic to rules. A constraint that rules cannot express raises an error
with its name; it is never ignored."""

from __future__ import annotations

import dataclasses
import datetime
import math
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
_LENGTHS = {"min_length": "minLength", "max_length": "maxLength"}
#: The field types whose values are ordered.
_ORDERED = ("integer", "number", "date", "datetime", "time")
#: Maximum number of digits in a pattern, because findings show the pattern.
_MAX_DIGITS = 100
_FINITE = "[-+0-9.eE]+"


class ModelField:
    """A field of a model that is converted to a field of rules."""

    def __init__(self, name: str):
        self.name = name
        #: The Python type of the values.
        self.kind: Any = None
        self.field: dict[str, Any] = {"name": name}
        self.constraints: dict[str, Any] = {}
        self.rules: list[dict[str, Any]] = []
        #: Whether infinities and NaN are allowed; None: the annotation does not specify it.
        self.allows_nan: bool | None = None

    @property
    def type(self) -> str:
        return str(self.field.get("type", "string"))

    @property
    def is_plain_text(self) -> bool:
        return self.field.get("type") == "string"

    def refused(self, what: str) -> TypeError:
        """Returns the error for a part of the annotation that rules cannot express."""
        return TypeError(
            f"the field {self.name!r} has {what}, which rules cannot express: leave it out of the model, or write the "
            "rules as a dict"
        )

    def require(self, key: str, value: Any) -> None:
        """Adds a constraint, as a separate rule if one of the same kind exists."""
        if key in self.constraints:
            self.rules.append({"id": self._id(key), key: value})
        else:
            self.constraints[key] = value

    def match(self, what: str, pattern: str, message: str | None = None, options: Iterable[str] = ()) -> None:
        """Adds a pattern.

        :param what: the last part of the rule's name in findings.
        """
        rule: dict[str, Any] = {"id": self._id(what), "pattern": pattern}
        if options:
            rule["options"] = list(options)
        self.rules.append(rule | ({"message": message} if message else {}))

    def multiple_of(self, step: Any) -> None:
        exact = Decimal(repr(step)) if isinstance(step, float) else Decimal(step)
        if isinstance(step, bool) or not exact.is_finite() or exact <= 0:
            raise self.refused(f"'multiple_of' ({step!r}) of a {self.type}")
        places = -exact.adjusted()
        if self.type == "number" and places >= 0 and Fraction(str(step)) == Fraction(1, 10**places):
            self.digits(None, places)
            return
        if self.type not in ("integer", "number"):
            raise self.refused(f"'multiple_of' ({step!r}) of a {self.type}")
        self.rules.append({"id": self._id("multiple_of"), "multipleOf": f"{exact:f}"})

    def digits(self, max_digits: int | None, decimal_places: int | None) -> None:
        """Limits the digits of a number, without leading zeros before the point and without trailing zeros after it."""
        for name, count in (("max_digits", max_digits), ("decimal_places", decimal_places)):
            if count is not None and not 0 <= count <= _MAX_DIGITS:
                raise self.refused(f"{name!r} ({count})")
        if max_digits is None:
            shapes = [("*", decimal_places)]
        elif decimal_places is None:
            shapes = [(f"{{0,{digits}}}", max_digits - digits) for digits in range(max_digits + 1)]
        else:
            shapes = [(f"{{0,{max(max_digits - decimal_places, 0)}}}", min(decimal_places, max_digits))]
        forms = "|".join(rf"\d{integer_digits}(?:\.\d{{0,{places}}}0*)?" for integer_digits, places in shapes)
        parts = [f"{max_digits} digits" if max_digits is not None else ""]
        parts.append(f"{decimal_places} after the point" if decimal_places is not None else "")
        message = f"has more than {' or '.join(filter(None, parts))}, or an exponent"
        self.match("digits", f"[-+]?0*(?:{forms})", message)

    def rule_dict(self, is_required: bool) -> dict[str, Any]:
        """Returns the field as a member of a rule file. Must be called only once."""
        if self.allows_nan is False:
            self.match("finite", _FINITE, "is not finite")
        constraints = {"required": True} | self.constraints if is_required else self.constraints
        made = self.field | ({"constraints": constraints} if constraints else {})
        return made | ({"rules": self.rules} if self.rules else {}) | ({} if is_required else {"optional": True})

    def _id(self, what: str) -> str:
        taken = {rule["id"] for rule in self.rules} | {f"{self.name}.{key}" for key in self.constraints}
        names = (f"{self.name}.{what}{number or ''}" for number in [0, *range(2, 1000)])
        return next(name for name in names if name not in taken)

    def constrain(self, metadata: Iterable[Any]) -> None:
        """Adds the constraints of annotations.

        Raises :class:`TypeError` for constraints that rules cannot express.
        """
        digits: dict[str, Any] = {}
        for what, value in _named(self, metadata):
            if what in ("max_digits", "decimal_places") and self.type == "number":
                digits[what] = value
            else:
                self.constrain_by(what, value)
        if digits:
            self.digits(digits.get("max_digits"), digits.get("decimal_places"))

    def set_apart(self, known: Iterable[str]) -> None:
        """Moves the constraints other than the known ones to rules of their own, which may have a severity."""
        for key in self.constraints.keys() - set(known):
            value = self.constraints.pop(key)
            self.rules.append({"id": self._id(key), key: value})

    def constrain_by(self, what: str, value: Any) -> None:
        """Adds one constraint by the name of its parameter in pydantic.

        Raises :class:`TypeError` for constraints that rules cannot express.
        """
        if what in _BOUNDS and self.type in _ORDERED:
            self.require(_BOUNDS[what], self._bound(what, value))
        elif what in _LENGTHS and self.is_plain_text:
            self.require(_LENGTHS[what], value)
        elif what == "pattern" and self.is_plain_text:
            if isinstance(value, re.Pattern):
                if value.flags & ~re.UNICODE:
                    raise self.refused(f"'pattern' with flags ({value!r})")
                value = value.pattern
            self.match("pattern", value, options=["search"])
        elif what == "multiple_of":
            self.multiple_of(value)
        elif what == "strip_whitespace" and self.is_plain_text and "repair" not in self.field:
            self.field["repair"] = ["trim"]
        elif what == "allow_inf_nan" and self.type == "number":
            self.allows_nan = value
        elif what == "ascii_only" and self.is_plain_text:
            self.match(what, r"[\x00-\x7F]*")
        else:
            raise self.refused(f"{what!r} ({value!r})")

    def _bound(self, what: str, value: Any) -> str:
        if isinstance(value, (datetime.date, datetime.time)):
            return value.isoformat()
        if self.type in ("integer", "number") and isinstance(value,
                                                             (int, float, Decimal)) and not isinstance(value, bool):
            if isinstance(value, int):
                return str(value)
            if math.isfinite(value):
                number = Decimal(repr(value)) if isinstance(value, float) else value
                return format(number, "f")
        raise self.refused(f"{what!r} ({value!r})")


def _named(field: ModelField, metadata: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yields the constraints in the metadata of an annotation as pairs of parameter name and value, such as ``("ge",
    0)``.

    Raises :class:`TypeError` for an unknown object.
    """
    for item in metadata:
        kind = type(item)
        home, name = kind.__module__.partition(".")[0], kind.__qualname__
        if item is None or isinstance(item, str) or (home, name) in _DOCUMENTATION:
            continue
        if (home, name) == ("pydantic", "FieldInfo"):
            yield from parameters_of_field(item)
            yield from _named(field, item.metadata)
        elif home == "annotated_types" and name in ("Interval", "Len"):
            yield from _named(field, item)
        elif home == "annotated_types" and name in ("Gt", "Ge", "Lt", "Le", "MultipleOf", "MinLen",
                                                    "MaxLen") or _is_of_pydantic(kind):
            yield from _parameters(item)
        else:
            raise field.refused(f"{name!r} ({item!r})")


#: Annotation objects without constraints on values.
_DOCUMENTATION = {
    ("annotated_types", "DocInfo"),
    ("annotated_types", "Unit"),
    ("typing_extensions", "Doc"),
    ("pydantic", "WithJsonSchema"),
    ("pydantic", "Examples"),
}


def _is_of_pydantic(kind: type) -> bool:
    """Whether `kind` is a class of constraints that its attributes describe completely."""
    is_metadata = any(base.__qualname__ == "PydanticMetadata" for base in kind.__mro__)
    return kind.__module__.partition(".")[0] == "pydantic" and (is_metadata or kind.__qualname__ == "StringConstraints")


def _parameters(item: Any) -> Iterator[tuple[str, Any]]:
    """Yields the parameters of a constraint that are set."""
    slots = dataclasses.fields(item) if dataclasses.is_dataclass(item) else ()
    values = {slot.name: getattr(item, slot.name) for slot in slots} or vars(item)
    for name, value in values.items():
        if value is not None and (value is not False or name == "allow_inf_nan"):
            yield name, value


def parameters_of_field(info: Any) -> Iterator[tuple[str, Any]]:
    """Yields the attributes of a pydantic FieldInfo, other than its metadata, that affect which values are valid."""
    if info.discriminator is not None:
        yield "discriminator", info.discriminator
