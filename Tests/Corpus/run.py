#!/usr/bin/env python3
"""Infers rules for each table of the corpus, and checks that they reject no good row of it.

    python3 Tests/Corpus/run.py --assay .build/release/assay [--folder build/corpus] [--fit typical] [TABLE…]

Tests/Corpus/fetch.py makes the corpus. A good row is a well-formed record: it has as many fields as the header, no
stray quotes, and is well-formed UTF-8. For each table the script checks that

* `assay infer` writes the same rules with one thread and with four,
* `assay check` accepts these rules as a rule file,
* `assay check` rejects only malformed records,
* the number of passing records in the rule file is the number that `assay check` counts,
* Python's csv module finds as many well-formed records.

A table that `infer` refuses, such as one with two columns of one name, is listed with the message. A failure ends the
script with status 1; there is no list of exceptions. TABLE selects tables by a part of their path.
"""

import argparse
import concurrent.futures
import csv
import dataclasses
import gzip
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Codes of findings about malformed records.
MALFORMED = ("structure.", "encoding")

# A byte that is not UTF-8, as Python's surrogateescape represents it.
UNDECODABLE = re.compile("[\udc80-\udcff]")


@dataclasses.dataclass
class Failure:
    """A rule that rejects good rows, or another contradiction if it has no rule."""

    table: str
    problem: str
    rule: str = ""
    column: str = ""
    code: str = ""
    count: int = 0
    example: dict = dataclasses.field(default_factory=dict)
    line: str = ""  # of the rule file

    def __str__(self):
        text = f"{self.table}: {self.problem}"
        if self.example:
            text += f"; record {self.example['record']}: {self.example.get('value')!r} {self.example['message'][:150]}"
        return text + (f"\n    {self.line}" if self.line else "")


@dataclasses.dataclass
class Outcome:
    table: str
    records: int = 0
    malformed: int = 0
    rejected: int = 0  # good rows
    refusal: str = ""
    delimiter: str = ""
    rules: str = ""
    failures: list = dataclasses.field(default_factory=list)


class Runner:
    def __init__(self, command, folder, fit):
        self.command = [str(pathlib.Path(command).resolve())]
        self.tables = folder / "tables"
        self.fit = ["--fit", fit] if fit else []

    def assay(self, *arguments):
        return subprocess.run([*self.command, *arguments], cwd=self.tables, capture_output=True, text=True, timeout=600)

    def run(self, table):
        outcome = Outcome(table)
        inferred = self.assay("infer", table, "--quiet", "--threads", "4", *self.fit)
        if inferred.returncode == 2:
            outcome.refusal = inferred.stderr.strip()
            return outcome
        outcome.rules = inferred.stdout
        if inferred.returncode != 0:
            outcome.failures.append(Failure(table, f"infer ends with {inferred.returncode}: {inferred.stderr[:300]}"))
            return outcome
        again = self.assay("infer", table, "--quiet", "--threads", "1", *self.fit).stdout
        if again.replace(" --threads 1", " --threads 4") != inferred.stdout:
            outcome.failures.append(Failure(table, "infer writes other rules with one thread"))
        with tempfile.TemporaryDirectory() as scratch:
            self.check(outcome, pathlib.Path(scratch))
        return outcome

    def check(self, outcome, scratch):
        table, rules = outcome.table, scratch / "rules.yaml"
        rules.write_text(outcome.rules)
        done = self.assay("check", table, "--rules", str(rules), "--quiet", "--show-values", "--findings",
                          str(scratch / "findings.jsonl"), "--report", str(scratch / "report.json"))
        if done.returncode not in (0, 1):
            message = done.stderr.replace(str(rules), "rules.yaml").strip()
            outcome.failures.append(Failure(table, f"check ends with {done.returncode}: {message[:600]}"))
            return
        report = json.loads((scratch / "report.json").read_text())
        read = report["inputs"][0]
        outcome.delimiter = (read["delimiter"] or {}).get("text", "")
        outcome.records = read["records"]
        outcome.malformed = sum(report["structure"].values())
        outcome.rejected = read["rejected"] - outcome.malformed
        if outcome.rejected or read["undecided"]:
            outcome.failures += self.rejections(outcome, report, scratch / "findings.jsonl")
        passed = re.search(r"^# ([\d,]+) of ([\d,]+) records? ", outcome.rules, re.MULTILINE)
        if passed and int(passed[1].replace(",", "")) != read["clean"]:
            outcome.failures.append(Failure(table, f"the rules claim {passed[1]} passing records, check counts "
                                                   f"{read['clean']}"))
        if read["format"] == "csv" and read["encoding"]["name"] == "UTF-8":
            # Python's module accepts text after a closing quote.
            difference = well_formed(self.tables / table, outcome.delimiter) - (outcome.records - outcome.malformed)
            if not 0 <= difference <= report["structure"]["quote"]:
                outcome.failures.append(Failure(table, f"{outcome.records - outcome.malformed} well-formed records, "
                                                       f"{difference:+} according to Python's csv module"))

    def rejections(self, outcome, report, findings):
        """A failure per rule that rejects good rows or cannot decide about them."""
        examples = {}
        with open(findings) as lines:
            for line in lines:
                finding = json.loads(line)
                if not finding["code"].startswith(MALFORMED):
                    examples.setdefault(finding["rule"], finding)
        counts = {rule["id"]: rule["failed"] + rule["undecided"]
                  for column in report["columns"] for rule in column["rules"]}
        counts |= {rule["id"]: rule["failed"] + rule["undecided"] for rule in report["rows"]}
        counts |= {key["id"]: key["refused"] for key in report["keys"]}
        for rule, count in counts.items():
            if count:
                example = examples.get(rule, {})
                column = example.get("column") or ""
                yield Failure(outcome.table, f"rule {rule} rejects {count} of {outcome.records} rows", rule, column,
                              example.get("code", ""), count, example, line_of(outcome.rules, column, rule))


def line_of(rules, column, rule):
    """The line of a rule file that has the rule: `pattern: '[A-Z]{3}'` for the rule teamID.pattern."""
    name = rule.rsplit(".", 1)[-1]
    inside = False
    for line in rules.splitlines():
        if found := re.match(r"  - name: (.*)", line):
            inside = found[1].strip("'\"") == column
        elif inside and line.strip().startswith(name + ":"):
            return line.strip()[:300]
    return ""


def text_of(path):
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def well_formed(path, delimiter):
    """The number of records with as many fields as the header, according to Python's csv module."""
    csv.field_size_limit(1 << 30)
    text = text_of(path).removeprefix(b"\xef\xbb\xbf")
    rows = csv.reader(io.StringIO(text.decode("utf-8", "surrogateescape"), newline=""), delimiter=delimiter or ",")
    header = next(rows)
    # A blank line, here an empty list, is a record of a table with one column.
    return sum(max(len(row), 1) == len(header) and not UNDECODABLE.search("".join(row)) for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default=str(ROOT / ".build/release/assay"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/corpus")
    parser.add_argument("--fit", help="the --fit of assay infer")
    parser.add_argument("--results", type=pathlib.Path, help="a file for all failures, as JSON Lines")
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    options = parser.parse_args()
    folder = options.folder.resolve()
    listed = [line.split("\t")[0] for line in (folder / "tables.tsv").read_text().splitlines()]
    chosen = [table for table in listed
              if not options.tables or any(part in table for part in options.tables)]
    runner = Runner(options.assay, folder, options.fit)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(runner.run, chosen))
    sys.exit(report(outcomes, options.results))


def report(outcomes, results):
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    for outcome in outcomes:
        if outcome.refusal:
            print(f"refused: {outcome.table}: {outcome.refusal.splitlines()[0]}")
    for failure in failures:
        print(f"FAILED: {failure}")
    if results:
        results.write_text("".join(json.dumps(dataclasses.asdict(failure)) + "\n" for failure in failures))
    read = [outcome for outcome in outcomes if not outcome.refusal]
    print(f"{len(outcomes)} tables, {len(outcomes) - len(read)} refused; {sum(o.records for o in read):,} records, "
          f"{sum(o.malformed for o in read):,} malformed; {sum(o.rejected for o in read):,} good rows rejected in "
          f"{sum(o.rejected > 0 for o in read)} tables")
    failed = len({failure.table for failure in failures})
    print(f"{len(read) - failed} passed, {failed} failed")
    return 1 if failures or not outcomes else 0


if __name__ == "__main__":
    main()
