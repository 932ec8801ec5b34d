"""Validation at column speed: rule files and PCRE2 patterns over Arrow, Polars, pandas, DuckDB, Spark and CSV.

>>> import assay
>>> assay.Pattern(r"[A-Z]{2}\\d{6}").match(["DE104233", "de104233", None])
[True, False, None]
"""

from ._errors import AssayError, Fault
from ._native import engine, release
from ._pattern import Pattern
from ._report import Report, RuleCount
from ._result import Finding, Result
from ._rules import Rules, clean

__version__ = release

__all__ = [
    "AssayError",
    "Fault",
    "Finding",
    "Pattern",
    "Report",
    "Result",
    "RuleCount",
    "Rules",
    "clean",
    "engine",
]
