"""Exports of Scripts/make-example.py in files, with their expected results."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from harness import ROOT
from harness.race import WrongAnswer, gigabytes

#: The rule files of the kinds of exports: ten columns with a pattern each, and eight with a built-in type each.
RULES = {"ten": ROOT / "Benchmarks" / "export.rules.yaml", "types": ROOT / "Benchmarks" / "types.rules.yaml"}


def patterns():
    """Returns the ten patterns by column, as they are in the rule file."""
    found = re.findall(
        r"  - name: (\w+)\n    constraints: \{pattern: '(.*)'\}", RULES["ten"].read_text(encoding="utf-8")
    )
    return {name: pattern.replace("''", "'") for name, pattern in found}


@dataclass
class Export:
    path: Path
    rules: Path
    bad_percent: int
    bytes: int
    records: int
    clean: int
    rejected: int
    #: The number of malformed records by kind.
    structure: dict
    #: The number of findings by rule, for rules that have findings.
    failed: dict = field(default_factory=dict)

    @property
    def label(self):
        return f"{gigabytes(self.bytes)}, {self.bad_percent} % bad"

    @property
    def header(self):
        """The header line with its terminator."""
        with open(self.path, "rb") as file:
            return file.readline()

    def check_report(self, path, job):
        """Compares the counts of a report of Assay with the expected ones."""
        report = json.loads(path.read_text(encoding="utf-8"))
        [counts] = report["inputs"]
        compare(f"{job}, records", counts["records"], self.records)
        compare(f"{job}, clean", counts["clean"], self.clean)
        compare(f"{job}, rejected", counts["rejected"], self.rejected)
        for kind, count in self.structure.items():
            compare(f"{job}, structure, {kind}", report["structure"].get(kind, 0), count)
        for column in report["columns"]:
            for rule in column["rules"]:
                compare(f"{job}, rule {rule['id']}", rule["failed"], self.failed.get(rule["id"], 0))

    def repeating_columns(self, copies, place):
        """Writes the same cells in fewer rows with repeated columns, which have distinct names, and rules for all
        columns. A hundred rows of ten columns become ten rows of a hundred columns. No cell may contain a line feed."""
        columns = patterns()
        names = [f"{name}_{copy}" for copy in range(1, copies + 1) for name in columns]
        path, rules = place / "wide.csv", place / "wide.rules.yaml"
        with open(self.path, "rb") as source, open(path, "wb") as target:
            source.readline()
            target.write(",".join(names).encode() + b"\n")
            for line in source:
                target.write(b",".join([line.rstrip(b"\n")] * copies) + b"\n")
        quoted = {name: pattern.replace("'", "''") for name, pattern in columns.items()}
        rules.write_text(
            "fields:\n"
            + "".join(
                f"  - name: {name}\n    constraints: {{pattern: '{quoted[name.rsplit('_', 1)[0]]}'}}\n"
                for name in names
            )
        )
        failed = {f"{name}.pattern": self.failed.get(f"{name.rsplit('_', 1)[0]}.pattern", 0) for name in names}
        return Export(
            path,
            rules,
            self.bad_percent,
            path.stat().st_size,
            self.records,
            self.clean,
            self.rejected,
            self.structure,
            failed,
        )


def make(place, rows, bad_percent, kind="ten", values_only=False, name="export"):
    """Makes an export. With `values_only` every record is well-formed and UTF-8, so that all tools can read it."""
    path = place / f"{name}.csv"
    command = [
        sys.executable,
        ROOT / "Scripts" / "make-example.py",
        "--columns",
        kind,
        "--rows",
        rows,
        "--bad",
        bad_percent,
    ]
    command += ["--output", path, *["--values-only"] * values_only]
    known = json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE).stdout)
    return Export(
        path,
        RULES[kind],
        bad_percent,
        known["bytes"],
        known["records"],
        known["clean"],
        known["rejected"],
        known["structure"],
        known["rules"],
    )


def rows_of(path):
    """Returns the number of rows of a file without its header; 0 if it is missing, because some tools do not write
    empty files. Rows are lines, because no cell contains a line feed."""
    if not path.exists():
        return 0
    with open(path, "rb") as file:
        return max(0, sum(block.count(b"\n") for block in iter(lambda: file.read(8 << 20), b"")) - 1)


def compare(job, answer, expected):
    if answer != expected:
        raise WrongAnswer(f"{job}: {answer}, and {expected} is right")
