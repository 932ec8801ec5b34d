"""One pattern over many values."""

from __future__ import annotations

from typing import Any

from . import _arrow, _native
from ._arrow import ArrowArray, ArrowColumn
from ._kinds import kind_of

_FLAGS = ("case_insensitive", "unicode_classes", "dot_all", "extended", "multiline", "search")


class Pattern:
    r"""A PCRE2 pattern, compiled to machine code. The whole value must match, unless ``search`` is asked for.

    >>> import assay
    >>> date = assay.Pattern(r"\d{4}-\d{2}-\d{2}")
    >>> date.match(["2024-02-29", "2024-02-29\n", "", None])
    [True, False, False, None]
    >>> assay.Pattern("example", search=True).match(["anna@example.org"])
    [True]

    Patterns never change, and any number of threads may use them at once. They can be pickled.

    A pattern has up to 1 MiB, enough for lists of some ten thousand words. A value may be of any length; one of 2 GiB and more, and one that costs more than the limits of the engine allow, is left
    undecided.
    """

    def __init__(
        self,
        pattern: str,
        *,
        case_insensitive: bool = False,
        unicode_classes: bool = False,
        dot_all: bool = False,
        extended: bool = False,
        multiline: bool = False,
        search: bool = False,
    ):
        if not isinstance(pattern, str):
            raise TypeError(f"a pattern is a str, not {type(pattern).__name__}")
        given = (case_insensitive, unicode_classes, dot_all, extended, multiline, search)
        self.pattern = pattern
        self._flags = sum(1 << bit for bit, flag in enumerate(given) if flag)
        self._native = _native.pattern(pattern.encode("utf-8", "surrogatepass"), self._flags)

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and (self.pattern, self._flags) == (other.pattern, other._flags)

    def __hash__(self) -> int:
        return hash((self.pattern, self._flags))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.pattern, [name for bit, name in enumerate(_FLAGS) if self._flags >> bit & 1])

    def __repr__(self) -> str:
        flags = "".join(f", {name}=True" for bit, name in enumerate(_FLAGS) if self._flags >> bit & 1)
        return f"assay.Pattern({self.pattern!r}{flags})"


def compiled(
    pattern: Pattern | str,
    *,
    case_insensitive: bool,
    unicode_classes: bool,
    dot_all: bool,
    extended: bool,
    multiline: bool,
    search: bool,
) -> Pattern:
    """A pattern of a text and flags, or the one that is given, which has its flags already."""
    given = (case_insensitive, unicode_classes, dot_all, extended, multiline, search)
    flags = dict(zip(_FLAGS, given))
    if not isinstance(pattern, Pattern):
        return Pattern(pattern, **flags)
    if any(given):
        names = ", ".join(name for name, flag in flags.items() if flag)
        raise TypeError(f"{names}: a compiled pattern has its flags already, give them to assay.Pattern")
    return pattern


def _unpickle(pattern: str, flags: list[str]) -> Pattern:
    return Pattern(pattern, **dict.fromkeys(flags, True))
