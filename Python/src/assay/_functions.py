"""The functions of the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from . import _native
from ._decorators import RulesLike, rules_like
from ._inferred import Inferred
from ._inputs import Path, Paths
from ._profile import Profile, look_at
from ._progress import ProgressOption
from ._result import Result
from ._rules import Rules
from ._tables import is_path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._budget import Budget
    from ._now import Now

_Table = TypeVar("_Table")


class CleanOptions(TypedDict, total=False):
    """The options of :meth:`Rules.clean`."""

    clean: Path | None
    rejects: Path | None
    findings: Path | None
    changes: Path | None
    report: Path | None
    replace: bool
    annotate: bool | None
    encoding: str | None
    delimiter: str | None
    head: int | None
    max_findings: int | None
    show_values: bool
    guard_formulas: bool
    compress: str | None
    threads: int
    progress: ProgressOption
    budget: Budget | None
    now: Now | None


class CheckOptions(TypedDict, total=False):
    """The options of :meth:`Rules.check`."""

    references: Mapping[str, Any] | None
    threads: int
    progress: ProgressOption
    budget: Budget | None
    now: Now | None


class ValidateOptions(CheckOptions, total=False):
    """The options of :meth:`Rules.validate`."""

    values: bool
    what: str


def clean(
    path: Paths, rules: Rules | Path, output_dir: Path | None = None, **options: Unpack[CleanOptions]
) -> dict[str, Any]:
    """Splits a file into clean records and rejects, and returns the report. The options are those of
    :meth:`Rules.clean`.

    :param rules: rules, or the path of a rule file.
    """
    if not isinstance(rules, Rules):
        rules = Rules.load(rules)
    return rules.clean(path, output_dir, **options)


def check(table: Any, rules: RulesLike, **options: Unpack[CheckOptions]) -> Result:
    """Checks a table, a dataset or a file. The options are those of :meth:`Rules.check`.

    :param rules: rules, a dict, or the path of a rule file.

    >>> import assay
    >>> assay.check({"id": ["1", "x"]}, {"fields": [{"name": "id", "type": "integer"}]})
    <assay.Result 2 records: 1 clean, 1 rejected; id.type 1>
    """
    return rules_like(rules).check(table, **options)


def validate(table: _Table, rules: RulesLike, **options: Unpack[ValidateOptions]) -> _Table:
    """Returns the clean rows of a table, repaired, if the table passes. The options are those of
    :meth:`Rules.validate`.

    :param rules: rules, a dict, or the path of a rule file.

    Raises :class:`assay.ValidationError` if the table does not pass.
    """
    return rules_like(rules).validate(table, **options)


def profile(
    table: Any,
    *,
    values: bool = False,
    encoding: str | None = None,
    delimiter: str | None = None,
    threads: int = 0,
    progress: ProgressOption = False,
) -> Profile:
    """Profiles a table in one pass over all values: column types, missing and distinct counts, lengths, and value
    shapes.

    :param table: a table as for :meth:`Rules.check`, or the path of a CSV, JSON Lines or Parquet file.
    :param values: whether the profile contains the most frequent values of each column, which may be confidential.
    :param encoding: of a file, such as ``windows-1252``; ``auto`` detects it.
    :param delimiter: of a file. Default: detected from the first records.

    Raises :class:`assay.AssayError` if the file cannot be read, and :class:`TypeError` for unsupported objects.
    """
    return Profile(look_at(_native.profile, table, _dialect(table, encoding, delimiter), values, threads, progress))


def infer(
    table: Any,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    threads: int = 0,
    progress: ProgressOption = False,
) -> Inferred:
    """Infers rules from a table or a file: types and formats, small sets, lengths, patterns, required and unique
    columns, each with its evidence. The rules describe the data as they are, not as they should be.

    The table must not be an iterator, because it is read twice: to infer the rules, and to count the records that pass.

    :param table: as for :func:`profile`.
    :param encoding: as for :func:`profile`.
    :param delimiter: as for :func:`profile`.
    """
    return Inferred(look_at(_native.infer, table, _dialect(table, encoding, delimiter), False, threads, progress))


def _dialect(table: Any, encoding: str | None, delimiter: str | None) -> _native.Rules | None:
    """Returns rules that contain only a dialect, or None for the default dialect."""
    given = {"encoding": encoding, "delimiter": delimiter}
    dialect = {name: value for name, value in given.items() if value is not None}
    if not dialect:
        return None
    if not is_path(table):
        raise TypeError(f"{' and '.join(dialect)}: only for a file, and this is a table")
    return Rules.parse({"fields": [], "dialect": dialect})._native
