"""Counts of one check, or sums over several checks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import chain
from typing import Any, NamedTuple

from . import _native
from ._checks import PREFIX
from ._errors import printable


class RuleCount(NamedTuple):
    """The number of findings of one rule."""

    #: The column; None for rules of the whole record.
    column: str | None
    rule: str
    severity: str
    failed: int
    undecided: int


RuleCount.__module__ = "assay"


class Report:
    """The counts of records, clean records, and findings per rule. Reports support ``+`` and ``sum``, and can be
    pickled. They are immutable.

    >>> import assay
    >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
    >>> first = rules.check({"id": ["1", "x"]}).report
    >>> second = rules.check({"id": ["3"]}).report
    >>> first + second
    3 records: 2 clean, 1 rejected; id.type 1
    >>> sum([first, second]).records
    3
    """

    def __init__(self, results: Iterable[_native.Result] = ()):
        tally = _native.Tally()
        for result in results:
            tally.add(result)
        self._totals: tuple[int, ...] = tally.totals()
        # Hide the columns that hold the answers of Python functions.
        self._rules = [RuleCount(*counts) for counts in tally.rules() if not (counts[0] or "").startswith(PREFIX)]

    @classmethod
    def of_counts(cls, totals: tuple[int, int, int, int, int], rules: Iterable[RuleCount]) -> Report:
        """Makes a report of counts: records, clean, rejected and undecided records, findings; and those of rules."""
        made = cls()
        made._totals, made._rules = totals, list(rules)
        return made

    def __add__(self, other: Report) -> Report:
        if not isinstance(other, Report):
            return NotImplemented
        total = Report()
        total._totals = tuple(map(sum, zip(self._totals, other._totals)))
        counts: dict[tuple[str | None, str, str], RuleCount] = {}
        for count in chain(self._rules, other._rules):
            # Include the severity, because rules of other files may use the name with another one.
            key = (count.column, count.rule, count.severity)
            known = counts.setdefault(key, count._replace(failed=0, undecided=0))
            counts[key] = known._replace(
                failed=known.failed + count.failed, undecided=known.undecided + count.undecided
            )
        total._rules = list(counts.values())
        return total

    def __radd__(self, other: object) -> Report:
        # sum() starts with 0.
        return self + Report() if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and (self._totals, self._rules) == (other._totals, other._rules)

    @property
    def records(self) -> int:
        return self._totals[0]

    @property
    def clean(self) -> int:
        return self._totals[1]

    @property
    def rejected(self) -> int:
        """The number of rejected records. ``clean + rejected == records`` always holds."""
        return self._totals[2]

    @property
    def undecided(self) -> int:
        """The number of records with an undecided finding, because of a limit. They are rejected if the rule
        rejects."""
        return self._totals[3]

    @property
    def findings(self) -> int:
        return self._totals[4]

    @property
    def rules(self) -> list[RuleCount]:
        """The counts of every rule that ran, including rules without findings."""
        return list(self._rules)

    def to_dict(self) -> dict[str, Any]:
        """Returns the counts as JSON-compatible data."""
        names = ("records", "clean", "rejected", "undecided", "findings")
        return dict(zip(names, self._totals)) | {"rules": [count._asdict() for count in self.rules]}

    def _found(self) -> list[RuleCount]:
        found = [count for count in self.rules if count.failed + count.undecided > 0]
        return sorted(found, key=lambda count: -(count.failed + count.undecided))

    def __repr__(self) -> str:
        text = f"{self.records:,} records: {self.clean:,} clean, {self.rejected:,} rejected"
        found = [f"{count.rule} {count.failed + count.undecided:,}" for count in self._found()]
        if len(found) > 5:
            found = found[:5] + [f"and {len(found) - 5} rules more"]
        return printable("; ".join([text, *found]))

    def _repr_html_(self) -> str:
        caption = f"<caption>{self.records:,} records: {self.clean:,} clean, {self.rejected:,} rejected</caption>"
        found = self._found()
        if not found:
            return f"<table>{caption}</table>"
        rows = "".join(
            f"<tr><td>{escape(count.column or '')}</td><td>{escape(count.rule)}</td>"
            f"<td style='text-align:right'>{count.failed:,}</td>"
            f"<td style='text-align:right'>{count.undecided:,}</td></tr>"
            for count in found[:20]
        )
        if len(found) > 20:
            rows += f"<tr><td></td><td>and {len(found) - 20} rules more</td><td></td><td></td></tr>"
        return (
            f"<table>{caption}<thead><tr><th>column</th><th>rule</th><th>failed</th><th>undecided</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )
