"""What came of a check."""

from __future__ import annotations

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
from ._repair import Changes, Repairs
from ._report import Report
from ._text import Styles, shown
from ._thresholds import of_results


class Finding(NamedTuple):
    """One thing that is wrong with one record."""

    #: From 1.
    record: int
    #: Of a CSV text: the physical line, and the byte at which the cell starts; 0 otherwise.
    line: int
    offset: int
    #: None for what is the record's.
    column: str | None
    rule: str
    code: str
    severity: str
    message: str


Finding.__module__ = "assay"


class Result:
    """What came of a check, in the form of the table that was checked. It keeps that table, for the rows to be picked from:
    rows and columns that are added or removed afterwards do not matter, while a value that is overwritten in place, in a
    DataFrame of pandas, an array of NumPy or a dict of a list, is picked as it is then.

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

    def __bool__(self) -> bool:
        # Without it every result would be true, and `if rules.check(table):` take bad data for good.
        raise TypeError("a result is neither true nor false: result.ok says whether no record is rejected")

    @cached_property
    def report(self) -> Report:
        """The counts."""
        return Report(self._results)

    @cached_property
    def thresholds(self) -> list[dict[str, Any]]:
        """Each threshold of the rules, with what was measured, as the report of :func:`assay.clean` has it: ``of``,
        ``name``, ``most`` or ``least``, ``measured``, ``percent`` and ``exceeded``. Empty for a check of one column.

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
        """Rows that are undecided because the ``budget`` of the check was spent. They are among the rejected."""
        return sum(result.over_budget() for result in self._results)

    def _column(self, kind: int) -> ArrowColumn:
        if self._chunked:
            return ArrowColumn(self._results, kind)
        return ArrowArray(self._results[0], kind)

    @cached_property
    def mask(self) -> Any:
        """A boolean for each row: true is clean."""
        return self._kind.mask(self._data, self._column(_arrow.VERDICTS))

    @cached_property
    def reasons(self) -> Any:
        """For each row the names of the rules that found something, as a column of the library whose table was checked: of
        pyarrow and Polars a list of dictionary-encoded strings, of pandas a Series with the index of the frame.

        A list of lists, if lists or an array of NumPy were checked. Of another library it is something with an Arrow interface,
        which pyarrow, Polars, pandas, NumPy and ``list`` read.
        """
        return self._kind.reasons(self._data, self._column(_arrow.REASONS))

    @property
    def findings(self) -> Any:
        """All findings as a table: record, column (null for what is of the whole row), rule, code, severity, message."""
        return self.findings_table(_arrow.ALL)

    def findings_table(self, limit: int | None = None, *, values: bool = False, keys: Sequence[str] = ()) -> Any:
        """The findings as a table, of the library of the checked one; of pandas it has the index of the rows if there are values or keys.

        :param limit: the most of them: the first ones.
        :param values: whether there is a column ``value`` with the text that was judged; null for what is the row's.
        :param keys: columns of the table that are wanted beside each finding.

        >>> import assay
        >>> result = assay.Rules.parse("fields: [{name: age, type: integer}]").check({"name": ["Anna", "Bo"], "age": ["7", "x"]})
        >>> result.findings_table(values=True, keys=["name"])["value"]
        ['x']
        """
        most = _arrow.ALL if limit is None else _counted(limit, _arrow.ALL)
        table = self._kind.table(self._data, ArrowFindings(self._results, most))
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
        """For each finding the text that was judged, before any repairs; None where there is no value, and for what is the row's."""
        texts: list[str | None] = [None] * len(findings)
        places: dict[str, list[int]] = {}
        for place, finding in enumerate(findings):
            if finding.column is not None:
                places.setdefault(finding.column, []).append(place)
        styles = Styles(self._rules)
        for column, own in places.items():
            rows = [findings[place].record - 1 for place in own]
            whole = None if self._field >= 0 else column
            for place, text in zip(own, self._kind.texts(self._data, whole, rows, styles, column)):
                texts[place] = shown(text)
        return texts

    def explain(self, record: int, *, values: bool = True) -> str:
        """What is wrong with a row, for people.

        :param record: its number, from 1, as findings have it.
        :param values: whether the values are shown.

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
                return self._explained(number, [Finding(*one) for one in found if one[0] == number], values)
            done += rows
        raise IndexError(f"there is no record {number}: there are {done}, from 1")

    def _explained(self, number: int, findings: list[Finding], values: bool) -> str:
        kinds = {finding.severity for finding in findings}
        verdict = "is rejected" if "reject" in kinds else "is clean, with warnings" if kinds else "is clean"
        texts = self.values_of(findings) if values else [None] * len(findings)
        lines = [f"record {number} {verdict}"]
        for finding, text in zip(findings, texts):
            said = finding.message if text is None else f"{text!r} {finding.message}"
            where = "" if finding.column is None else f"{finding.column}: "
            lines.append(f"  {where}{said} ({finding.rule})")
        return "\n".join(map(printable, lines))

    @property
    def clean(self) -> Any:
        """The rows that are clean, with what ``repair:`` of the rules makes of their values."""
        return self._repaired[0]

    @property
    def changes(self) -> Changes:
        """For each column with repairs how many cells of clean rows each of them changed.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer, repair: [trim, {missing: ['-']}]}]")
        >>> result = rules.check({"id": [" 1", "-", "x "]})
        >>> result.clean, result.rejected, result.changes
        ({'id': ['1', None]}, {'id': ['x ']}, {'id': {'trim': 1, 'missing': 1}})
        """
        return self._repaired[1]

    @cached_property
    def unsettled(self) -> dict[str, int]:
        """For each column with repairs how many values stay as they came, since their repairs would change them a second time.
        Of all rows; they are looked at for this when it is asked for.

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
        """The rows that are not, as they came."""
        return self._kind.pick(self._data, self._results, False)

    def first(self, count: int = 10) -> list[Finding]:
        """The first findings."""
        return list(islice(self, _counted(count, sys.maxsize)))

    def __iter__(self) -> Iterator[Finding]:
        for result in self._results:
            yield from map(Finding._make, _arrow.findings(result))

    def __repr__(self) -> str:
        return f"<assay.Result {self.report!r}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def _counted(count: int, most: int) -> int:
    """A number of findings that somebody asked for, or all of them."""
    number = index(count)
    if number < 0:
        raise ValueError(f"{number} is no number of findings: it is 0 or more")
    return min(number, most)
