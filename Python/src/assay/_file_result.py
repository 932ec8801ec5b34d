"""The result of a check of a CSV or JSON Lines file. The rows stay in the file."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NoReturn

from . import _native
from ._kind import empty
from ._lists import CSV
from ._report import Report, RuleCount
from ._result import Finding, Result

#: Runs the check of a file, with the paths of the findings and of a report, and returns the report as a dict.
RunFile = Callable[[str | None, str | None], dict[str, Any]]


class FileResult(Result):
    """The result of :meth:`assay.Rules.check` for a CSV or JSON Lines file: counts, findings and reports. It has no
    columns and rows: :meth:`assay.Rules.clean` writes the clean and the rejected records.
    """

    def __init__(self, path: str, run: RunFile, rules: _native.Rules):
        super().__init__(None, CSV(), [], False, rules)
        self._path, self._run, self._known = path, run, _known_rules(rules)
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            findings = os.path.join(folder, "findings.jsonl")
            self._written = run(findings, None)
            with open(findings, encoding="utf-8") as file:
                self._found = [_finding(json.loads(line)) for line in file]

    @property
    def report(self) -> Report:
        """The counts of records and findings."""
        written = self._written
        counts = [self._count(column["name"], rule) for column in written["columns"] for rule in column["rules"]]
        counts += [self._count(None, rule) for rule in written["rows"]]
        columns = {rule: column for column, rule in self._known} | {found.rule: found.column for found in self._found}
        counts += [RuleCount(columns.get(key["id"]), key["id"], "reject", key["refused"], 0)
                   for key in written["keys"]]
        structure = {"structure." + _NAMES.get(name, name) if name != "encoding" else name: count
                     for name, count in written["structure"].items() if isinstance(count, int)}
        counts += [RuleCount(None, name, "reject", count, 0) for name, count in structure.items() if count]
        records, clean, rejected, undecided = (written["inputs"][0][name]
                                               for name in ("records", "clean", "rejected", "undecided"))
        return Report.of_counts((records, clean, rejected, undecided, written["findings"]["total"]), counts)

    def _count(self, column: str | None, rule: dict[str, Any]) -> RuleCount:
        severity = self._known.get((column, rule["id"]), "reject")
        return RuleCount(column, rule["id"], severity, rule["failed"] + rule["warned"], rule["undecided"])

    @property
    def table_rules(self) -> list[dict[str, Any]]:
        """The rules on the table with their verdicts."""
        return list(self._written["table"])

    @property
    def thresholds(self) -> list[dict[str, Any]]:
        """The thresholds of the rules with the measured values."""
        return list(self._written["thresholds"])

    @property
    def over_budget(self) -> int:
        return int(self._written.get("overBudget", 0))

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings as a list of dicts. The report counts findings beyond the first million."""
        return self.findings_table()

    def findings_table(
        self, limit: int | None = None, *, values: bool = False, keys: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        if values or keys:
            self._refuse()
        return [finding._asdict() for finding in islice(self._found, limit)]

    def to_dict(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(json.dumps(self._written))
        return report

    def to_html(self) -> str:
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            path = os.path.join(folder, "report.html")
            self._run(None, path)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def save(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Writes a report in the format of the extension of the path: ``.json``, ``.html``, ``.md``, ``.sarif``,
        ``.xml`` (JUnit), ``.prom`` (Prometheus) or ``.annotations`` (GitHub). Reads the file again.

        :param replace: whether to replace an existing file.
        """
        target = os.fspath(path)
        if os.path.lexists(target) and not replace:
            raise FileExistsError(f"{target} exists already: replace it with replace=True")
        self._run(None, target)

    def explain(self, record: int, *, values: bool = True) -> str:
        return self._explained(record, [finding for finding in self._found if finding.record == record], False)

    def values_of(self, findings: Sequence[Finding]) -> list[str | None]:
        self._refuse()

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found)

    @property
    def mask(self) -> Any:
        self._refuse()

    @property
    def reasons(self) -> Any:
        self._refuse()

    @property
    def clean(self) -> Any:
        self._refuse()

    @property
    def rejected(self) -> Any:
        self._refuse()

    @property
    def changes(self) -> Any:
        self._refuse()

    @property
    def unsettled(self) -> dict[str, int]:
        return {column["name"]: column["unsettled"] for column in self._written["columns"] if column.get("unsettled")}

    def _refuse(self) -> NoReturn:
        raise TypeError(f"the rows of {self._path} are not kept: Rules.clean writes its clean and its rejected records")


#: The last part of rule ids of malformed records that differs from the report.
_NAMES = {"tooLong": "too-long"}


def _known_rules(rules: _native.Rules) -> dict[tuple[str | None, str], str]:
    """Returns the severities of rules by column and id, because the report of a file does not contain them."""
    described = json.loads(rules.json())
    # Foreign keys reject, and would read the files that they refer to.
    described.pop("foreignKeys", None)
    # Rules on the table have no findings, and the check of a table in memory refuses them.
    described.pop("table", None)
    # The caller has accepted the rules, and they name no files without foreign keys.
    plain = _native.parse(json.dumps(described), "rules", True)
    return {(count.column, count.rule): count.severity for count in Report([empty(plain, -1)]).rules}


def _finding(found: dict[str, Any]) -> Finding:
    return Finding(*(found[name] for name in Finding._fields))
