"""What goes wrong with rules, patterns, tables and files. Bad data is none of this: it is counted."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _native

_CODES = {
    1: "argument",
    2: "memory",
    3: "rules",
    4: "columns",
    5: "arrow",
    6: "stream",
    7: "input",
    8: "file",
    9: "cancelled",
    10: "internal",
}


class Fault(NamedTuple):
    """One mistake: what it is, where it is, and what to do about it."""

    #: ``rules``, ``columns``, ``arrow``, ``stream``, ``input``, ``file`` …
    code: str
    #: In the rule file, from 1; 0 where there is no such place.
    line: int
    #: In characters, from 1; of a pattern the byte. 0 where there is no place.
    column: int
    message: str
    hint: str | None
    #: All of it, as people read it.
    text: str


class AssayError(ValueError):
    """Rules, a pattern, a table or a file that cannot be used. It lists every mistake of the call.

    >>> import assay
    >>> try:
    ...     assay.Rules.parse("fields: [{name: a, maxLenght: 5}]")
    ... except assay.AssayError as error:
    ...     error.faults[0].message
    "unknown key 'maxLenght' in a field"
    """

    faults: list[Fault]

    def __init__(self, faults: list[tuple[Any, ...]]):
        self.faults = [Fault(_CODES.get(fault[0], "internal"), *fault[1:]) for fault in faults]
        super().__init__(faults)

    def __str__(self) -> str:
        return "\n".join(fault.text for fault in self.faults)

    def __reduce__(self) -> tuple[Any, ...]:
        codes = {name: number for number, name in _CODES.items()}
        return type(self), ([(codes[fault.code], *fault[1:]) for fault in self.faults],)


_native.set_error_class(AssayError)
