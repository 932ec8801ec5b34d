"""Validation at column speed: rule files and PCRE2 patterns over Arrow, Polars, pandas, DuckDB, Spark and CSV.

>>> import assay
>>> assay.Pattern(r"[A-Z]{2}\\d{6}").match(["DE104233", "de104233", None])
[True, False, None]
"""

from ._budget import Budget
from ._checks import RowCheck
from ._decorators import checked
from ._errors import AssayError, Fault
from ._fields import Field
from ._functions import check, clean, infer, profile, validate
from ._inferred import Inferred
from ._native import engine, release
from ._pattern import Format, Pattern
from ._profile import Profile
from ._report import Report, RuleCount
from ._result import Finding, Result
from ._rules import Rules
from ._validation import ValidationError

__version__ = release

__all__ = [
    "AssayError",
    "Budget",
    "Fault",
    "Field",
    "Finding",
    "Format",
    "Inferred",
    "Pattern",
    "Profile",
    "Report",
    "Result",
    "RowCheck",
    "RuleCount",
    "Rules",
    "ValidationError",
    "check",
    "checked",
    "clean",
    "engine",
    "infer",
    "profile",
    "validate",
]
