"""The thresholds of rules with the measured counts, and rules on the table, in the format of reports."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from . import _native


def of_results(rules: _native.Rules, results: Iterable[_native.Result]) -> list[dict[str, Any]]:
    """Returns the thresholds of rules with the counts of a table's results."""
    thresholds = json.loads(rules.json()).get("thresholds", {})
    if not thresholds:
        return []
    tally, columns, found = _native.Tally(), Counter[str](), Counter[str]()
    for result in results:
        tally.add(result)
        for name in thresholds.get("columns", {}):
            columns[name] += result.rejected_by(name)
    for _, rule, _, failed, undecided in tally.rules():
        found[rule] += failed + undecided
    records, _, rejected, *_ = tally.totals()
    return measured(thresholds, records, rejected, columns, found)


def measured(
    thresholds: Mapping[str, Any], records: int, rejected: int, columns: Mapping[str, int], rules: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Returns each threshold of a rule file with its measured count.

    :param columns: the number of rejected records per column.
    :param rules: the number of findings per rule.
    """

    def measure(
        of: str, name: str | None, count: int, maximum: Any = None, minimum: int | None = None
    ) -> dict[str, Any]:
        percent = None
        if isinstance(maximum, str):
            percent = 100 * count / records if records else 0.0
            exceeded = percent > float(maximum.removesuffix("%"))
        else:
            exceeded = maximum is not None and count > maximum or minimum is not None and count < minimum
        return {
            "of": of,
            "name": name,
            "max": maximum,
            "min": minimum,
            "measured": count,
            "percent": percent,
            "exceeded": exceeded,
        }

    bounds = thresholds.get("records", {})
    found = []
    if "rejected" in thresholds:
        found.append(measure("rejected", None, rejected, thresholds["rejected"]))
    for name, maximum in thresholds.get("columns", {}).items():
        found.append(measure("column", name, columns.get(name, 0), maximum))
    for name, maximum in thresholds.get("rules", {}).items():
        found.append(measure("rule", name, rules.get(name, 0), maximum))
    if "min" in bounds:
        found.append(measure("records", None, records, minimum=bounds["min"]))
    if "max" in bounds:
        found.append(measure("records", None, records, bounds["max"]))
    return found


def is_violated(rule: Mapping[str, Any]) -> bool:
    """Returns whether a rule on the table makes the check fail."""
    return bool(rule["severity"] == "reject" and rule["verdict"] != "passed")
