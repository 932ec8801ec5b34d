"""Tests of single values and of columns: :class:`Pattern` and :class:`Format`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypedDict

from . import _arrow, _native
from ._arrow import ArrowArray, ArrowColumn
from ._errors import AssayError, refusal
from ._kinds import kind_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Flags(TypedDict, total=False):
    """The flags of a pattern. Their order must be that of the bits in libassay."""

    case_insensitive: bool
    unicode_classes: bool
    dot_all: bool
    extended: bool
    multiline: bool
    search: bool
    linear_time: bool


_FLAGS = tuple(Flags.__annotations__)


class Matcher:
    """A test that values pass or fail. Immutable; any number of threads may use it at once."""

    _native: _native.Rules

    def match(self, values: Any, *, threads: int = 0) -> Any:
        """Tests a column of pyarrow, Polars, pandas or NumPy, an object with ``__arrow_c_stream__`` or
        ``__arrow_c_array__``, or a list of str.

        :param threads: the number of worker threads; 0 is one per processor.
        :return: booleans of the same library; null for missing values, and if a limit left the value undecided.

        Raises :class:`TypeError` for unsupported objects.
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
        """Returns whether one value matches; None if a limit left it undecided. For many values, :meth:`match` is much
        faster.

        Raises :class:`TypeError` if `value` is not a str.
        """
        if not isinstance(value, str):
            raise TypeError(f"a value is a str, not {type(value).__name__}")
        return next(_arrow.matches([self._native.check_texts([value], 0, 1, None)]))


class Pattern(Matcher):
    r"""A PCRE2 pattern, compiled to machine code. The whole value must match, unless ``search`` is set.

    >>> import assay
    >>> date = assay.Pattern(r"\d{4}-\d{2}-\d{2}")
    >>> date.match(["2024-02-29", "2024-02-29\n", "", None])
    [True, False, False, None]
    >>> assay.Pattern("example", search=True).match(["anna@example.org"])
    [True]

    Patterns are immutable, and any number of threads may use them at once. They can be pickled.

    A pattern has at most 1 MiB, enough for lists of several ten thousand words. Values of 2 GiB or more, and values
    that exceed the limits of the engine, are undecided.
    """

    def __init__(self, pattern: str, **flags: Unpack[Flags]):
        """
        Raises :class:`assay.AssayError` for an invalid pattern.

        :param flags: ``case_insensitive``, ``unicode_classes``, ``dot_all``, ``extended``, ``multiline``, ``search``,
            and ``linear_time``, which refuses the pattern unless a DFA matches it in linear time, for untrusted
            patterns. All are false by default.
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


class Format(Matcher):
    """A built-in type, such as ``email`` or ``iban country=DE,AT``. A value matches if a field with this ``format:``
    accepts it. Unlike in rules, an empty text is a value.

    >>> import assay
    >>> assay.Format("email").match(["anna@example.org", "bo", "", None])
    [True, False, False, None]

    Formats are immutable, and any number of threads may use them at once. They can be pickled.
    """

    def __init__(self, format: str):
        """
        Raises :class:`assay.AssayError` for an unknown name or option.

        :param format: the name, then options separated by spaces; the command ``assay types`` lists them.
        """
        if not isinstance(format, str):
            raise TypeError(f"a format is a str, not {type(format).__name__}")
        self.format = format
        field = json.dumps({"fields": [{"name": "value", "format": format}], "missingValues": []})
        try:
            self._native = _native.parse(field, "format", False)
        except AssayError as error:
            # Leave out the place, because the caller did not write these rules.
            fault = error.faults[0]
            raise refusal("rules", fault.message.removesuffix(" of a string"), fault.hint) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Format) and self.format == other.format

    def __hash__(self) -> int:
        return hash(self.format)

    def __reduce__(self) -> tuple[Any, ...]:
        return Format, (self.format,)

    def __repr__(self) -> str:
        return f"assay.Format({self.format!r})"


def compiled(given: Matcher | str, flags: Flags) -> Matcher:
    """Compiles a text with flags to a pattern. Returns other judges unchanged; they must come without flags."""
    if not isinstance(given, Matcher):
        return Pattern(given, **flags)
    if set_ := [name for name, is_set in flags.items() if is_set]:
        raise TypeError(f"{', '.join(set_)}: a compiled pattern has its flags already, give them to assay.Pattern")
    return given


def _unpickle(pattern: str, flags: list[str]) -> Pattern:
    return Pattern(pattern, **{name: True for name in flags})
