"""The error that is raised for tables with rejected rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ._errors import printable
from ._result import Finding, Result
from ._thresholds import is_violated

#: Maximum number of rules in a message.
_MAX_ROWS = 10
#: The verbs of verdicts on a rule that has not passed.
_VERBS = {"failed": "failed", "undecided": "is undecided"}


class ValidationError(ValueError):
    """A table has rejected rows or exceeds a threshold. The message is a summary; ``result`` has all findings."""

    result: Result

    def __init__(self, result: Result, values: bool = False, what: str = ""):
        self.result = result
        super().__init__((f"{what}: " if what else "") + summary(result, values))

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle only the message, because results cannot be pickled.
        return ValueError, (str(self),)


ValidationError.__module__ = "assay"


def summary(result: Result, values: bool = False) -> str:
    """Returns a readable summary of the broken rules of a table, with counts and the first record of each.

    :param values: whether to show the values.
    """
    report = result.report
    verb = "is" if report.rejected == 1 else "are"
    lines = [f"{report.rejected:,} of {report.records:,} records {verb} rejected"]
    for one in result.thresholds:
        if one["exceeded"]:
            what = " ".join(filter(None, (one["of"], one["name"])))
            bound = f"at most {one['max']}" if one["max"] is not None else f"at least {one['min']}"
            lines.append(f"  the threshold of {what} is {bound}, and it is {one['measured']:,}")
    for rule in filter(is_violated, result.table_rules):
        reason = rule["message"] if rule["verdict"] == "failed" else rule["problem"]
        lines.append(f"  the rule {rule['id']} on the table {_VERBS[rule['verdict']]}: {reason}")
    firsts = list(_firsts(result))
    texts = _values_of(result, [finding for _, finding in firsts[:_MAX_ROWS]]) if values else [None] * len(firsts)
    names = [finding.rule for _, finding in firsts[:_MAX_ROWS]]
    counts = [f"{count:,}" for count, _ in firsts[:_MAX_ROWS]]
    for (_, finding), name, count, text in zip(firsts, names, counts, texts):
        shown = finding.message if text is None else f"{text} {finding.message}"
        left = f"  {name:<{max(map(len, names))}}  {count:>{max(map(len, counts))}}"
        # "for example", because the other findings may have different messages.
        place = f"record {finding.record:,}"
        lines.append(f"{left}  {shown} ({place})" if count == "1" else f"{left}  for example {place}: {shown}")
    if len(firsts) > _MAX_ROWS:
        lines.append(f"  and {len(firsts) - _MAX_ROWS} rules more")
    return "\n".join(map(printable, lines))


def _firsts(result: Result) -> Iterator[tuple[int, Finding]]:
    """Yields the finding count and the first finding of each rejecting rule, the most frequent rule first."""
    counts = {
        (count.column, count.rule): count.failed + count.undecided
        for count in result.report.rules
        if count.severity == "reject" and count.failed + count.undecided > 0
    }
    firsts: dict[tuple[str | None, str], Finding] = {}
    for finding in result:
        if len(firsts) == len(counts):
            break
        if finding.severity == "reject":
            firsts.setdefault((finding.column, finding.rule), finding)
    for key, finding in sorted(firsts.items(), key=lambda item: -counts.get(item[0], 0)):
        yield counts.get(key, 1), finding


def _values_of(result: Result, findings: list[Finding]) -> list[str | None]:
    """Returns the values of findings as messages show them; None for findings of whole rows, or if rows were not
    kept."""
    try:
        return [None if text is None else repr(text) for text in result.values_of(findings)]
    except TypeError:
        return [None] * len(findings)
