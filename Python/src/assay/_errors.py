"""Errors in rules, patterns, tables and files. Bad data is a finding, not an error."""

from __future__ import annotations

import re
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
    """One mistake, with its place and a hint."""

    #: The kind: ``rules``, ``columns``, ``arrow``, ``stream``, ``input``, ``file`` …
    code: str
    #: The line in the rule file, from 1; 0 if there is none.
    line: int
    #: The column in characters, from 1, or the byte in a pattern; 0 if there is none.
    column: int
    message: str
    hint: str | None
    #: The complete text for display.
    text: str


class AssayError(ValueError):
    """Rules, a pattern, a table or a file are invalid. ``faults`` has every mistake of the call.

    >>> import assay
    >>> try:
    ...     assay.Rules.parse("fields: [{name: a, maxLenght: 5}]")
    ... except assay.AssayError as error:
    ...     error.faults[0].message
    "unknown key 'maxLenght' in a field"
    """

    faults: list[Fault]

    def __init__(self, faults: list[tuple[Any, ...]] | str):
        """
        :param faults: the faults, or a text, because Polars raises the error again with an extended message.
        """
        if isinstance(faults, str):
            faults = [(10, 0, 0, faults, None, faults)]
        self.faults = [_fault(*fault) for fault in faults]
        super().__init__(faults)

    def __str__(self) -> str:
        return "\n".join(fault.text for fault in self.faults)

    def __reduce__(self) -> tuple[Any, ...]:
        codes = {name: number for number, name in _CODES.items()}
        return type(self), ([(codes[fault.code], *fault[1:]) for fault in self.faults],)


#: Hints of libassay for C callers, and their replacements for Python.
_WORDS = (
    ("allow replacement", "replace it with replace=True"),
    ("with --output-dir", "with output_dir="),
    ("or use assay_rules_check_csv on a buffer", "or use Rules.check_csv for a text"),
    ("use assay_clean_file", "use Rules.clean"),
    ("a result of assay_rules_check_csv cannot be exported as Arrow", "a result of Rules.check_csv has no Arrow"),
    ("read its findings with assay_result_findings", "read its findings, which are a list"),
    ("read it as trusted rules", "read it with trust=True"),
    ("read them as trusted rules", "read them with trust=True"),
    ("in memory (assay_references_add_stream)", "as references="),
    ("allow more with key_memory", "run it on a machine with more memory"),
    ("the streams of the process belong to the program", "standard input and output belong to the program"),
)


def _here(text: str) -> str:
    """Rewrites a text of libassay with the option names of this package."""
    for there, here in _WORDS:
        text = text.replace(there, here)
    return "\n".join(map(printable, text.split("\n")))


def refusal(code: str, message: str, hint: str | None = None) -> AssayError:
    """Returns an error of this package in the format of libassay's errors."""
    number = next(number for number, name in _CODES.items() if name == code)
    return AssayError([(number, 0, 0, message, hint, message if hint is None else f"{message}\n  hint: {hint}")])


def printable(text: str) -> str:
    """Escapes control characters, because names may contain line breaks or terminal sequences."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", _escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def _fault(code: int, line: int, column: int, message: str, hint: str | None, text: str) -> Fault:
    shown_hint = None if hint is None else _here(hint)
    return Fault(_CODES.get(code, "internal"), line, column, _here(message), shown_hint, _here(text))


# The public module, for tracebacks.
Fault.__module__ = AssayError.__module__ = "assay"
_native.set_error_class(AssayError)
