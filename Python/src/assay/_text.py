"""The texts of Python values, as a file of the same rules has them and as libassay writes them for Arrow.

    {type: date, format: "%d/%m/%Y"}     date(2024, 2, 29)   →  29/02/2024
    {type: number, decimalChar: ","}     1.5                 →  1,5
    {type: boolean, trueValues: [ja]}    True                →  ja
    {type: integer}                      3.0                 →  3

This must agree with the writers of libassay in Sources/AssayABI/Columns; test_values.py compares both.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Collection, Mapping
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any, Protocol

from . import _native
from ._moment import Form, Moment
from ._paths import column_of

_TEXTS = {str, bytes, type(None)}


class Nested(TypeError):
    """A list or a dict, which tables of Python values cannot hold in a field of the rules."""


class Fields(Protocol):
    """A source of field styles."""

    def of(self, field: int | str) -> Style: ...


class Styles:
    """The styles of the fields of some rules. The rules are parsed on first use."""

    def __init__(self, rules: _native.Rules):
        self._rules = rules

    @cached_property
    def _fields(self) -> list[dict[str, Any]]:
        fields: list[dict[str, Any]] = json.loads(self._rules.json())["fields"]
        return fields

    def of(self, field: int | str) -> Style:
        """Returns the style of a field, by its index or name."""
        if isinstance(field, int):
            return Style(self._fields[field])
        return Style(next(item for item in self._fields if field in (item["name"], column_of(item["name"]))))


def texts(
    values: Collection[Any], styles: Fields, field: int | str, where: str, nan_is_null: bool = False
) -> Collection[Any]:
    """Converts values to texts. Texts stay unchanged.

    In a column of numbers NaN is a number, as in Arrow; among other values it is a missing value.

    :param nan_is_null: whether NaN is also a missing value among numbers, as in pandas.
    """
    style = style_of(values, styles, field, nan_is_null)
    return values if style is None else [style.text(value, row, where) for row, value in enumerate(values)]


def style_of(values: Collection[Any], styles: Fields, field: int | str, nan_is_null: bool = False) -> Style | None:
    """Returns the style that :func:`texts` uses for a column; None: all values are texts."""
    kinds = set(map(type, values))
    if kinds <= _TEXTS:
        return None
    style = styles.of(field)
    are_numbers = bool not in kinds and all(issubclass(kind, Real) for kind in kinds - {type(None)})
    style.nan_is_null = nan_is_null or not are_numbers
    return style


class Style:
    """The text format of a field's values."""

    def __init__(self, field: Mapping[str, Any]):
        self.nan_is_null = False
        self.name = field.get("name", "")
        self._type = field.get("type", "string")
        self._point = field.get("decimalChar", ".") if self._type == "number" else "."
        spelled = field if self._type == "boolean" else {}
        self._booleans = (spelled.get("falseValues", ["false"])[0], spelled.get("trueValues", ["true"])[0])
        self._forms: dict[tuple[bool, bool, bool], Form] = {}
        self._format = field.get("format")

    @property
    def is_plain(self) -> bool:
        """Whether floats of moderate size have the text of ``repr``."""
        return self._type != "integer" and self._point == "."

    def quick(self, value: Any) -> str | None:
        """Returns the :meth:`text` of a boolean or a number with a fraction, without further type tests; None for
        others."""
        kind = type(value)
        if kind is bool:
            return str(self._booleans[value])
        return self._float(value) if kind is float else None

    def text(self, value: Any, row: int, where: str) -> str | bytes | None:
        """Returns the text of a value; None for missing values of any type."""
        if value is None or isinstance(value, (str, bytes)):
            return value
        if type(value).__module__ == "numpy":
            value = _of_numpy(value)
        if isinstance(value, bool):
            return str(self._booleans[value])
        if isinstance(value, int):
            return _digits(value)
        if isinstance(value, (float, Single)):
            return self._float(value)
        if isinstance(value, Decimal):
            return self._decimal(value)
        if value is None or _is_null_of_pandas(value):
            return None
        moment = value if isinstance(value, Moment) else Moment.of(value)
        if moment is not None:
            return self.moment(moment)
        if isinstance(value, (Collection, datetime.timedelta)) or hasattr(value, "__arrow_c_array__"):
            kind = Nested if isinstance(value, (list, tuple, Mapping)) else TypeError
            raise kind(f"value {row} of {where} is {name_of(value)}, which no rule can judge: convert it to text first")
        return str(value)

    def _float(self, value: float | Single) -> str | None:
        number = value.value if isinstance(value, Single) else value
        if number != number:
            return None if self.nan_is_null else "NaN"
        if number in (float("inf"), float("-inf")):
            return "INF" if number > 0 else "-INF"
        if self._type == "integer" and number == int(number):
            return _digits(int(number))
        text = value.digits if isinstance(value, Single) else repr(float(number))
        if isinstance(value, Single) or abs(number) > _EXACT:
            text = _spelled(Decimal(text), _EXACT_SINGLE if isinstance(value, Single) else _EXACT)
        return text.replace(".", self._point)

    def _decimal(self, value: Decimal) -> str | None:
        if value.is_nan():
            return None
        if value.is_infinite():
            return "INF" if value > 0 else "-INF"
        if self._type == "integer" and abs(value.adjusted()) < 1000 and value == value.to_integral_value():
            return _digits(int(value))
        # Keep the exponent of extreme numbers, because thousands of zeros are not intended and would fill the memory.
        text = format(value, "f") if abs(value.adjusted()) < 1000 else str(value)
        return text.replace(".", self._point)

    def moment(self, moment: Moment) -> str:
        key = (moment.has_day, moment.has_time, moment.is_zoned)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = Form(self._type, self._format, *key)
        return form.text(moment)


# Swift, Python and NumPy print the same shortest digits. But Swift prints an exponent above the largest consecutive
# exact integer, while Python and NumPy switch at other limits.
_EXACT, _EXACT_SINGLE = 2**53, 2**24


def _spelled(value: Decimal, exact: int) -> str:
    if abs(value) <= exact and (abs(value) >= Decimal("1e-4") or not value):
        text = format(value, "f")
        return text if "." in text else text + ".0"
    sign, digits, exponent = value.normalize().as_tuple()
    power, rest = int(exponent) + len(digits) - 1, "".join(map(str, digits[1:]))
    return f"{'-' if sign else ''}{digits[0]}{'.' if rest else ''}{rest}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _digits(value: int) -> str:
    try:
        return str(int(value))
    except ValueError:
        # Decimal prints all digits, because str() refuses integers with too many digits.
        return format(Decimal(value), "f")


class Single:
    """A NumPy float with fewer bits than a Python float."""

    def __init__(self, value: float, digits: str):
        self.value, self.digits = value, digits


def _of_numpy(value: Any) -> Any:
    """Converts a NumPy value to a Python value, a `Single` or a `Moment`; None for NaT."""
    kind = value.dtype.kind if hasattr(value, "dtype") and not getattr(value, "shape", True) else ""
    if kind == "f" and value.dtype.itemsize < 8:
        single = value.astype("float32")
        return Single(float(single), str(single))
    if kind == "f":
        return float(value)
    if kind and kind in "biu":
        return value.item()
    if kind == "M":
        return None if value != value else Moment.of_numpy(value)
    if kind == "m":
        return None if value != value else datetime.timedelta()
    return value


def _is_null_of_pandas(value: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def shown(text: str | bytes | None) -> str | None:
    """Returns a checked text in printable form."""
    return text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text


def column_name(name: Any) -> str:
    """Returns the name of a column for libassay, with NUL and invalid Unicode escaped.

    Rules cannot name such a column, so the escaped form is never looked up.
    """
    return str(name).replace("\0", r"\x00").encode("utf-8", "backslashreplace").decode()


def name_of(value: Any) -> str:
    """Returns the name of a value's type for messages."""
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
