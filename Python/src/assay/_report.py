"""Counts: of a check, or of many checks added up."""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

from . import _native


class RuleCount(NamedTuple):
    """How often one rule had a finding."""

    #: None for what is the record's.
    column: str | None
    rule: str
    severity: str
    failed: int
    undecided: int


class Report:
    """How many records there were, how many are clean, and how often each rule had a finding. Reports add up.

    >>> import assay
    >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
    >>> first = rules.check({"id": ["1", "x"]}).report
    >>> second = rules.check({"id": ["3"]}).report
    >>> first + second
    3 records: 2 clean, 1 rejected; id.type 1
    """

    def __init__(self, results: list[_native.Result] = []):
        self._tally = _native.Tally()
        for result in results:
            self._tally.add(result)

    def __add__(self, other: Report) -> Report:
        if not isinstance(other, Report):
            return NotImplemented
        total = Report()
        total._tally.add(self._tally)
        total._tally.add(other._tally)
        return total

    @property
    def records(self) -> int:
        return self._tally.totals()[0]

    @property
    def clean(self) -> int:
        return self._tally.totals()[1]

    @property
    def rejected(self) -> int:
        """``clean + rejected == records``, always."""
        return self._tally.totals()[2]

    @property
    def undecided(self) -> int:
        """Records with a finding that a limit left undecided. They are among the rejected, if the rule rejects."""
        return self._tally.totals()[3]

    @property
    def findings(self) -> int:
        return self._tally.totals()[4]

    @property
    def rules(self) -> list[RuleCount]:
        """Every rule that was asked, also those that found nothing."""
        return [RuleCount(*counts) for counts in self._tally.rules()]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, ready for JSON."""
        names = ("records", "clean", "rejected", "undecided", "findings")
        return dict(zip(names, self._tally.totals())) | {"rules": [count._asdict() for count in self.rules]}

    def _found(self) -> list[RuleCount]:
        found = [count for count in self.rules if count.failed + count.undecided > 0]
        return sorted(found, key=lambda count: -(count.failed + count.undecided))

    def __repr__(self) -> str:
        text = f"{self.records:,} records: {self.clean:,} clean, {self.rejected:,} rejected"
        found = [f"{count.rule} {count.failed + count.undecided:,}" for count in self._found()]
        if len(found) > 5:
            found = found[:5] + [f"and {len(found) - 5} rules more"]
        return "; ".join([text, *found])

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
