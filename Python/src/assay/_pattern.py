"""What is asked of many values: one pattern, or one built-in type."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypedDict

from . import _arrow, _native
from ._arrow import ArrowArray, ArrowColumn
from ._kinds import kind_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Flags(TypedDict, total=False):
    """What a pattern may be told besides its text. (In the order of the bits that libassay has for them.)"""

    case_insensitive: bool
    unicode_classes: bool
    dot_all: bool
    extended: bool
    multiline: bool
    search: bool


_FLAGS = tuple(Flags.__annotations__)


class Judge:
    """Something that values pass or do not pass."""

    _native: _native.Rules

    def match(self, values: Any, *, threads: int = 0) -> Any:
        """Judges a column of pyarrow, Polars, pandas or NumPy, of anything that has ``__arrow_c_stream__`` or
        ``__arrow_c_array__``, or a list of str.

        :param threads: how many work; 0: one for each processor.
        :return: booleans in the form in which the values came; null where there is no value, and where a limit left it
            undecided.
        """
        kind = kind_of(values)
        results = kind.check(self._native, values, 0, threads, None)
        column: ArrowColumn
        if hasattr(values, "__arrow_c_array__"):
            column = ArrowArray(results[0], _arrow.NULLABLE_VERDICTS)
        else:
            column = ArrowColumn(results, _arrow.NULLABLE_VERDICTS)
        return kind.mask(values, column)

    def matches(self, value: str) -> bool | None:
        """Whether one value matches; None where a limit left it undecided. For many, :meth:`match` is far quicker."""
        if not isinstance(value, str):
            raise TypeError(f"a value is a str, not {type(value).__name__}")
        return next(_arrow.matches([self._native.check_texts([value], 0, 1, None)]))


class Pattern(Judge):
    r"""A PCRE2 pattern, compiled to machine code. The whole value must match, unless ``search`` is asked for.

    >>> import assay
    >>> date = assay.Pattern(r"\d{4}-\d{2}-\d{2}")
    >>> date.match(["2024-02-29", "2024-02-29\n", "", None])
    [True, False, False, None]
    >>> assay.Pattern("example", search=True).match(["anna@example.org"])
    [True]

    Patterns never change, and any number of threads may use them at once. They can be pickled.

    A pattern has up to 1 MiB, enough for lists of some ten thousand words. A value may be of any length; one of 2 GiB and more, and one
    that costs more than the limits of the engine allow, is left undecided.
    """

    def __init__(self, pattern: str, **flags: Unpack[Flags]):
        """
        :param flags: ``case_insensitive``, ``unicode_classes``, ``dot_all``, ``extended``, ``multiline``, ``search``: each false,
            unless it is given.
        """
        if not isinstance(pattern, str):
            raise TypeError(f"a pattern is a str, not {type(pattern).__name__}")
        for name in flags:
            if name not in _FLAGS:
                raise TypeError(f"a pattern got an unexpected keyword argument {name!r}: there are {', '.join(_FLAGS)}")
        self.pattern = pattern
        self._flags = sum(1 << bit for bit, name in enumerate(_FLAGS) if flags.get(name))
        self._native = _native.pattern(pattern.encode("utf-8", "surrogatepass"), self._flags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and (self.pattern, self._flags) == (other.pattern, other._flags)

    def __hash__(self) -> int:
        return hash((self.pattern, self._flags))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.pattern, [name for bit, name in enumerate(_FLAGS) if self._flags >> bit & 1])

    def __repr__(self) -> str:
        flags = "".join(f", {name}=True" for bit, name in enumerate(_FLAGS) if self._flags >> bit & 1)
        return f"assay.Pattern({self.pattern!r}{flags})"


class Format(Judge):
    """A built-in type, such as ``email`` or ``iban country=DE,AT``: the values match that a field with this ``format:`` accepts.
    Unlike there, an empty text is a value.

    >>> import assay
    >>> assay.Format("email").match(["anna@example.org", "bo", "", None])
    [True, False, False, None]

    Formats never change, and any number of threads may use them at once. They can be pickled.
    """

    def __init__(self, format: str):
        """
        :param format: its name, and options separated by spaces: the command ``assay types`` lists them.
        """
        if not isinstance(format, str):
            raise TypeError(f"a format is a str, not {type(format).__name__}")
        self.format = format
        field = json.dumps({"fields": [{"name": "value", "format": format}], "missingValues": []})
        self._native = _native.parse(field, "format", False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Format) and self.format == other.format

    def __hash__(self) -> int:
        return hash(self.format)

    def __reduce__(self) -> tuple[Any, ...]:
        return Format, (self.format,)

    def __repr__(self) -> str:
        return f"assay.Format({self.format!r})"


def compiled(given: Judge | str, flags: Flags) -> Judge:
    """A pattern of a text and flags; or what is given, which has its flags already."""
    if not isinstance(given, Judge):
        return Pattern(given, **flags)
    if set_ := [name for name, is_set in flags.items() if is_set]:
        raise TypeError(f"{', '.join(set_)}: a compiled pattern has its flags already, give them to assay.Pattern")
    return given


def _unpickle(pattern: str, flags: list[str]) -> Pattern:
    return Pattern(pattern, **{name: True for name in flags})
