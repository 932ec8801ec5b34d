"""The result of a check: verdicts, findings, and the clean and rejected rows."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from operator import index
from typing import Any, NamedTuple

from . import _arrow, _native
from ._arrow import ArrowArray, ArrowColumn, ArrowFindings
from ._errors import printable
from ._kind import Kind
from ._kinds import repaired
from ._pages import MAX_FINDINGS, page
from ._repair import Changes, Repairs
from ._report import Report
from ._text import Styles, name_of, shown
from ._thresholds import is_violated, of_results


class Finding(NamedTuple):
    """One broken rule of one record."""

    #: The record number, from 1.
    record: int
    #: For CSV and JSON Lines, the physical line and the byte offset of the cell; None for tables and single records.
    line: int | None
    offset: int | None
    #: The column; None for findings of the whole record.
    column: str | None
    rule: str
    code: str
    severity: str
    message: str


Finding.__module__ = "assay"


def finding_of(found: Sequence[Any]) -> Finding:
    """Makes a finding of the values of libassay, whose lines are from 1; 0 is no line."""
    record, line, offset, *rest = found
    return Finding(record, line, offset, *rest) if line else Finding(record, None, None, *rest)


class Result:
    """The result of a check. Its tables have the type of the checked table.

    A result keeps the checked table, because ``clean`` and ``rejected`` pick rows from it. Rows and columns that are
    added or removed later do not affect the result. Values that are overwritten in place in a pandas DataFrame, a NumPy
    array or a dict of a list do.

    >>> import assay
    >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
    >>> result = rules.check({"id": ["1", "x"], "name": ["Anna", "Bo"]})
    >>> result.mask
    [True, False]
    >>> result.clean
    {'id': ['1'], 'name': ['Anna']}
    >>> result.rejected
    {'id': ['x'], 'name': ['Bo']}
    >>> [(finding.record, finding.message) for finding in result]
    [(2, 'is not an integer')]
    """

    def __init__(
        self,
        data: Any,
        kind: Kind,
        results: list[_native.Result],
        chunked: bool,
        rules: _native.Rules,
        field: int = -1,
    ):
        self._data, self._kind, self._results, self._chunked = data, kind, results, chunked
        self._rules, self._field = rules, field

    @property
    def ok(self) -> bool:
        """Whether no record is rejected."""
        return self.report.rejected == 0

    @property
    def passes(self) -> bool:
        """Whether ``assay check`` would end with status 0 for this table: no threshold is exceeded, no rule on the
        table is violated, and no record is rejected, unless the rules have ``thresholds: {rejected: …}``.

        >>> import assay
        >>> rules = assay.Rules.parse("{fields: [{name: id, type: integer}], thresholds: {rejected: 50%}}")
        >>> result = rules.check({"id": ["1", "x"]})
        >>> result.ok, result.passes
        (False, True)
        """
        if any(one["exceeded"] for one in self.thresholds) or any(map(is_violated, self.table_rules)):
            return False
        return self.ok or any(one["of"] == "rejected" for one in self.thresholds)

    @property
    def _changes_rows(self) -> bool:
        """Whether the repairs of the rules change a cell of a clean row."""
        return bool(Repairs(self._rules)) and any(any(cells.values()) for cells in self.changes.values())

    def __bool__(self) -> bool:
        # Without this method every result would be true, so that `if rules.check(table):` would accept bad data.
        raise TypeError("a result has no truth value: result.ok is true if no record is rejected")

    @cached_property
    def report(self) -> Report:
        """The counts of records and findings."""
        return Report(self._results)

    @property
    def table_rules(self) -> list[dict[str, Any]]:
        """The rules on the whole table (``table:`` in a rule file) with their verdicts, as in the report of
        :func:`assay.clean`: ``id``, ``severity``, ``verdict`` (``passed``, ``failed`` or ``undecided``), ``check``,
        ``message``, ``problem`` and ``aggregates``. Empty for a table in memory, whose check refuses such rules.
        """
        return []

    @cached_property
    def thresholds(self) -> list[dict[str, Any]]:
        """The thresholds of the rules with the measured values, as in the report of :func:`assay.clean`: ``of``,
        ``name``, ``max`` or ``min``, ``measured``, ``percent`` and ``exceeded``. Empty for a check of one column.

        >>> import assay
        >>> rules = assay.Rules.parse("{fields: [{name: id, type: integer}], thresholds: {rejected: 10%}}")
        >>> [(one["of"], one["measured"], one["exceeded"]) for one in rules.check({"id": ["1", "x"]}).thresholds]
        [('rejected', 1, True)]
        """
        if self._field >= 0:
            return []
        return of_results(self._rules, self._results)

    @property
    def over_budget(self) -> int:
        """The number of rows that are undecided because the ``budget`` of the check was exhausted. They are
        rejected."""
        return sum(result.over_budget() for result in self._results)

    def _column(self, kind: int) -> ArrowColumn:
        if self._chunked:
            return ArrowColumn(self._results, kind)
        return ArrowArray(self._results[0], kind)

    @cached_property
    def mask(self) -> Any:
        """One boolean per row: true if the row is clean."""
        return self._kind.mask(self._data, self._column(_arrow.VERDICTS))

    @cached_property
    def reasons(self) -> Any:
        """The names of the rules with findings in each row, as a column of the library of the checked table: for
        pyarrow and Polars a list of dictionary-encoded strings, for pandas a Series with the index of the frame.

        A list of lists for Python lists and NumPy arrays. For other libraries, an object with an Arrow interface that
        pyarrow, Polars, pandas, NumPy and ``list`` can read.
        """
        return self._kind.reasons(self._data, self._column(_arrow.REASONS))

    @property
    def findings(self) -> Any:
        """All findings as a table: record, column (null for findings of the whole row), rule, code, severity,
        message."""
        return self.findings_table(_arrow.ALL)

    def findings_table(self, limit: int | None = None, *, values: bool = False, keys: Sequence[str] = ()) -> Any:
        """Returns the findings as a table of the library of the checked table. With values or keys, a pandas frame has
        the index of the rows.

        :param limit: the maximum number of findings; the first ones are returned.
        :param values: whether to add a column ``value`` with the checked text; null for findings of the whole row.
        :param keys: columns of the table to copy beside each finding.

        Raises :class:`KeyError` if the table has no column of `keys`.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: age, type: integer}]")
        >>> result = rules.check({"name": ["Anna", "Bo"], "age": ["7", "x"]})
        >>> result.findings_table(values=True, keys=["name"])["value"]
        ['x']
        """
        maximum = _arrow.ALL if limit is None else _counted(limit, _arrow.ALL)
        table = self._kind.table(self._data, ArrowFindings(self._results, maximum))
        if not values and not keys:
            return table
        findings = list(self) if limit is None else self.first(limit)
        rows = [finding.record - 1 for finding in findings]
        columns: dict[str, Any] = {}
        for key in keys:
            if key in (*_arrow.FINDING_NAMES, "value"):
                raise ValueError(f"findings have a column {key!r} of their own: rename that of the table")
            columns[key] = self._take(key, rows)
        if values:
            columns["value"] = self.values_of(findings)
        return self._kind.widened(self._data, table, columns, rows)

    def _take(self, column: str, rows: Sequence[int]) -> Any:
        if self._field >= 0:
            raise ValueError(f"a check of one column knows no column {column!r}: check the table")
        try:
            return self._kind.take(self._data, column, rows)
        except KeyError:
            raise KeyError(f"the table has no column {column!r}") from None

    def values_of(self, findings: Sequence[Finding]) -> list[str | None]:
        """Returns the text of each finding before any repairs; None for missing values and findings of the whole
        row."""
        texts: list[str | None] = [None] * len(findings)
        places: dict[str, list[int]] = {}
        for place, finding in enumerate(findings):
            if finding.column is not None:
                places.setdefault(finding.column, []).append(place)
        styles = Styles(self._rules)
        for column, own in places.items():
            rows = [findings[place].record - 1 for place in own]
            full = None if self._field >= 0 else column
            for place, text in zip(own, self._kind.texts(self._data, full, rows, styles, column)):
                texts[place] = shown(text)
        return texts

    def explain(self, record: int, *, values: bool = True) -> str:
        """Returns a readable description of the findings of a record.

        :param record: the record number, from 1.
        :param values: whether to show the values.

        >>> import assay
        >>> result = assay.Rules.parse("fields: [{name: age, type: integer}]").check({"age": ["7", "x"]})
        >>> print(result.explain(2))
        record 2 is rejected
          age: 'x' is not an integer (age.type)
        >>> print(result.explain(1))
        record 1 is clean
        """
        number, done = index(record), 0
        for result in self._results:
            rows = result.totals()[0]
            if 0 < number - done <= rows:
                found = result.findings(number - done - 1, 0, 4096)[0]
                return self._explained(number, [finding_of(one) for one in found if one[0] == number], values)
            done += rows
        raise IndexError(f"there is no record {number}: there are {done}, from 1")

    def _explained(self, number: int, findings: list[Finding], values: bool) -> str:
        kinds = {finding.severity for finding in findings}
        verdict = "is rejected" if "reject" in kinds else "is clean, with warnings" if kinds else "is clean"
        texts = self.values_of(findings) if values else [None] * len(findings)
        lines = [f"record {number} {verdict}"]
        for finding, text in zip(findings, texts):
            text_shown = finding.message if text is None else f"{text!r} {finding.message}"
            where = "" if finding.column is None else f"{finding.column}: "
            lines.append(f"  {where}{text_shown} ({finding.rule})")
        return "\n".join(map(printable, lines))

    @property
    def clean(self) -> Any:
        """The clean rows, with the repairs of the rules applied."""
        return self._repaired[0]

    @property
    def changes(self) -> Changes:
        """The number of cells in clean rows that each repair changed, by column.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer, repair: [trim, {missing: ['-']}]}]")
        >>> result = rules.check({"id": [" 1", "-", "x "]})
        >>> result.clean, result.rejected, result.changes
        ({'id': ['1', None]}, {'id': ['x ']}, {'id': {'trim': 1, 'missing': 1}})
        """
        return self._repaired[1]

    @cached_property
    def unsettled(self) -> dict[str, int]:
        """The number of values, by column, that stay unchanged because applying their repairs a second time would
        change them again. Counts the values of all rows, on the first access.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, repair: [unquote, trim]}]")
        >>> rules.check({"id": ["'a'", " 'b'"]}).unsettled
        {'id': 1}
        """
        repairs = Repairs(self._rules)
        if self._field >= 0:
            repairs.keep(self._field)
        if repairs:
            repaired(repairs, self._data, self._field)
        return repairs.unsettled

    @cached_property
    def _repaired(self) -> tuple[Any, Changes]:
        rows, repairs = self._kind.pick(self._data, self._results, True), Repairs(self._rules)
        if self._field >= 0:
            repairs.keep(self._field)
        return repaired(repairs, rows, self._field) if repairs else rows, repairs.changes

    @cached_property
    def rejected(self) -> Any:
        """The rejected rows, unchanged."""
        return self._kind.pick(self._data, self._results, False)

    def first(self, count: int = 10) -> list[Finding]:
        """Returns the first findings, at most `count`."""
        return list(islice(self, _counted(count, sys.maxsize)))

    def to_dict(self) -> dict[str, Any]:
        """Returns the counts of :attr:`report` and the :attr:`thresholds` as JSON-compatible data."""
        return self.report.to_dict() | {"thresholds": self.thresholds}

    def to_html(self) -> str:
        """Returns a report as an HTML page in one file, without scripts and without values of the table."""
        return page(self.report, self.thresholds, self.first(MAX_FINDINGS), f"a table of {name_of(self._data)}")

    def save(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Writes a report: ``.html`` is the page of :meth:`to_html`, and ``.json`` has the data of :meth:`to_dict`.
        A check of a CSV or JSON Lines file can also write all other reports of the command, such as ``.md``, and reads
        the file again for it.

        :param replace: whether to replace an existing file.

        Raises :class:`FileExistsError` for an existing file, and :class:`ValueError` for other extensions.
        """
        target = os.fspath(path)
        ending = os.path.splitext(target)[1].lower()
        if ending not in (".html", ".json"):
            raise ValueError(f"a report of a table is a .html or a .json file, and not {target!r}")
        text = self.to_html() if ending == ".html" else json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"
        with open(target, "w" if replace else "x", encoding="utf-8") as file:
            file.write(text)

    def __iter__(self) -> Iterator[Finding]:
        for result in self._results:
            yield from map(finding_of, _arrow.findings(result))

    def __repr__(self) -> str:
        return f"<assay.Result {self.report!r}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def _counted(count: int, maximum: int) -> int:
    """Returns a requested number of findings, limited to `maximum`."""
    number = index(count)
    if number < 0:
        raise ValueError(f"{number} is no number of findings: it is 0 or more")
    return min(number, maximum)
