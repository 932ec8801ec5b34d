#!/usr/bin/env python3
"""Infers rules for each table of the corpus, and checks that they reject no good row of it.

    python3 Tests/Corpus/run.py --assay .build/release/assay [--fit typical] [--mutations 500 [--seed 1]] [TABLE…]

Tests/Corpus/fetch.py makes the corpus. A good row is a well-formed record: it has as many fields as the header, no
stray quotes, and is well-formed UTF-8. For each table the script checks that

* `assay infer` writes the same rules with one thread and with four,
* `assay check` accepts these rules as a rule file,
* `assay check` rejects only malformed records,
* the number of passing records in the rule file is the number that `assay check` counts,
* the tighter rules in comments reject as many values as the comments claim, and the first in the claimed record,
* Python's csv module finds as many well-formed records.

With --mutations the tables are small tables of the corpus with changed cells. With `--fit typical` the rules may reject
good rows.

A table that `infer` refuses, such as one with an open quote in its header, is listed with the message. A failure ends
the script with status 1; there is no list of exceptions. TABLE selects tables by a part of their path.
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
import random
import re
import subprocess
import sys
import tempfile

import candidates
import mutations

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Codes of findings about malformed records.
MALFORMED = ("structure.", "encoding")

# Without a TABLE, a run with fewer tables fails, because infer may have refused each of them.
MIN_TABLES = 300

# A byte that is not UTF-8, as Python's surrogateescape represents it.
UNDECODABLE = re.compile("[\udc80-\udcff]")

csv.field_size_limit(1 << 30)


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
    """The counts of a table."""

    table: str
    records: int = 0
    malformed: int = 0
    rejected: int = 0  # good rows
    rules: int = 0
    candidates: int = 0
    refusal: str = ""
    failures: list = dataclasses.field(default_factory=list)

    def fail(self, *arguments):
        self.failures.append(Failure(self.table, *arguments))


class Runner:
    """Runs the command in a folder of tables."""

    def __init__(self, command, tables, fit):
        self.command = str(pathlib.Path(command).resolve())
        self.tables = tables
        self.fit = ["--fit", fit] if fit else []
        self.may_reject = fit == "typical"

    def assay(self, *arguments):
        return subprocess.run([self.command, *arguments], cwd=self.tables, capture_output=True, text=True, timeout=600)

    def run(self, table):
        outcome = Outcome(table)
        inferred = self.assay("infer", table, "--quiet", "--threads", "4", *self.fit)
        if inferred.returncode == 2:
            outcome.refusal = inferred.stderr.strip()
        elif inferred.returncode != 0:
            outcome.fail(f"infer ends with {inferred.returncode}: {inferred.stderr[:300]}")
        else:
            again = self.assay("infer", table, "--quiet", "--threads", "1", *self.fit).stdout
            if again.replace(" --threads 1", " --threads 4") != inferred.stdout:
                outcome.fail("infer writes other rules with one thread")
            self.try_rules(outcome, inferred.stdout)
            self.try_candidates(outcome, inferred.stdout)
        return outcome

    def check(self, outcome, rules):
        """The report, and the first finding of each rule. Without a report the rules are no rule file."""
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            (scratch / "rules.yaml").write_text(rules)
            done = self.assay("check", outcome.table, "--rules", str(scratch / "rules.yaml"), "--quiet",
                              "--show-values", "--findings", str(scratch / "findings.jsonl"), "--report",
                              str(scratch / "report.json"))
            if done.returncode not in (0, 1):
                message = done.stderr.replace(str(scratch), "").strip()
                outcome.fail(f"check ends with {done.returncode}: {message[:600]}")
                return None, {}
            examples = {}
            with open(scratch / "findings.jsonl") as lines:
                for line in lines:
                    finding = json.loads(line)
                    if not finding["code"].startswith(MALFORMED):
                        examples.setdefault(finding["rule"], finding)
            return json.loads((scratch / "report.json").read_text()), examples

    def try_rules(self, outcome, rules):
        report, examples = self.check(outcome, rules)
        if not report:
            return
        read = report["inputs"][0]
        counts = failed_of(report)
        outcome.rules = len(counts)
        outcome.records = read["records"]
        outcome.malformed = sum(report["structure"].values())
        outcome.rejected = read["rejected"] - outcome.malformed
        if not self.may_reject:
            for rule, count in counts.items():
                if count:
                    example = examples.get(rule, {})
                    column = example.get("column") or ""
                    outcome.fail(f"rule {rule} rejects {count} of {outcome.records} rows", rule, column,
                                 example.get("code", ""), count, example, line_of(rules, column, rule))
            if (outcome.rejected or read["undecided"]) and not any(counts.values()):
                outcome.fail(f"{outcome.rejected} good rows are rejected, {read['undecided']} undecided")
        passed = re.search(r"^# ([\d,]+) of ([\d,]+) records? ", rules, re.MULTILINE)
        if passed and int(passed[1].replace(",", "")) != read["clean"]:
            outcome.fail(f"the rules claim {passed[1]} passing records, check counts {read['clean']}")
        if read["format"] == "csv" and read["encoding"]["name"] == "UTF-8":
            # Python's module accepts text after a closing quote.
            good = outcome.records - outcome.malformed
            difference = well_formed(self.tables / outcome.table, read["delimiter"]["text"]) - good
            if not 0 <= difference <= report["structure"]["quote"]:
                outcome.fail(f"{good} well-formed records, {difference:+} according to Python's csv module")

    def try_candidates(self, outcome, rules):
        tightened, claims = candidates.tightened(rules)
        outcome.candidates = len(claims)
        report, examples = self.check(outcome, tightened) if claims else (None, {})
        if not report:
            return
        counts = failed_of(report)
        for claim in claims:
            rule = f"{claim.column}.{claim.key}"
            record = examples.get(rule, {}).get("record")
            if (counts.get(rule), record) != (claim.count, claim.record):
                outcome.fail(f"the tighter {rule} fails {counts.get(rule)} values, the first in record {record}; infer "
                             f"claims {claim.count}, the first in record {claim.record}")


def failed_of(report):
    """The number of values that each rule rejects or cannot decide about."""
    rules = [rule for column in report["columns"] for rule in column["rules"]] + report["rows"]
    counts = {rule["id"]: rule["failed"] + rule["undecided"] for rule in rules}
    return counts | {key["id"]: key["refused"] for key in report["keys"]}


def line_of(rules, column, rule):
    """The line of a rule file that has the rule: `pattern: '[A-Z]{3}'` for the rule teamID.pattern."""
    name = rule.rsplit(".", 1)[-1]
    inside = False
    for line in rules.splitlines():
        if line.startswith("  - name: "):
            inside = candidates.unquoted(line.removeprefix("  - name: ")) == column
        elif inside and line.strip().startswith(name + ":"):
            return line.strip()[:300]
    return ""


def text_of(path):
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def well_formed(path, delimiter):
    """The number of records with as many fields as the header, according to Python's csv module."""
    text = text_of(path).removeprefix(b"\xef\xbb\xbf")
    rows = csv.reader(io.StringIO(text.decode("utf-8", "surrogateescape"), newline=""), delimiter=delimiter)
    header = next(rows)
    # A blank line, here an empty list, is a record of a table with one column.
    return sum(max(len(row), 1) == len(header) and not UNDECODABLE.search("".join(row)) for row in rows)


def listed(folder, parts):
    """The tables of the corpus whose path contains one of the parts; without parts, all."""
    tables = [line.split("\t")[0] for line in (folder / "tables.tsv").read_text().splitlines()]
    return [table for table in tables if not parts or any(part in table for part in parts)]


def is_enough(count, parts):
    """Whether the corpus, if no part of it is chosen, has enough tables for a verdict."""
    return count >= (1 if parts else MIN_TABLES)


def mutate(folder, tables, seed, count, target):
    """Writes mutated tables into the folder target; returns their names."""
    small = [table for table in tables if re.search(r"\.(csv|tsv)$", table)
             and (folder / "tables" / table).stat().st_size < 200_000]
    names = []
    for number in range(count):
        chosen = random.Random(f"{seed} {number}")
        source = chosen.choice(small)
        text = text_of(folder / "tables" / source).decode("utf-8-sig", "replace")
        rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if source.endswith("tsv") else ",")
        header = next(rows)
        good = [row for row in rows if len(row) == len(header)]
        if len(good) >= 5:
            names.append(f"{seed}-{number}-{source.rsplit('/', 1)[-1].removesuffix('.tsv').removesuffix('.csv')}.csv")
            (target / names[-1]).write_bytes(mutations.mutated(header, good, chosen))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default=str(ROOT / ".build/release/assay"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/corpus")
    parser.add_argument("--fit", help="the --fit of assay infer")
    parser.add_argument("--mutations", type=int, help="the number of tables with changed cells, instead of the corpus")
    parser.add_argument("--seed", type=int, default=1, help="of the mutations")
    parser.add_argument("--results", type=pathlib.Path, help="a file for all failures, as JSON Lines")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="only tables with this in their path")
    options = parser.parse_args()
    folder, tables = options.folder.resolve(), listed(options.folder, options.tables)
    source = folder / "tables"
    if options.mutations:
        # They stay in the folder, because a failed run is repeated with them.
        source = folder / "mutations"
        source.mkdir(exist_ok=True)
        tables = mutate(folder, tables, options.seed, options.mutations, source)
    runner = Runner(options.assay, source, options.fit)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(runner.run, tables))
    failures = report(outcomes)
    if options.results:
        options.results.write_text("".join(json.dumps(dataclasses.asdict(failure)) + "\n" for failure in failures))
    read = sum(not outcome.refusal for outcome in outcomes)
    sys.exit(1 if failures or not is_enough(read, options.tables or options.mutations) else 0)


def report(outcomes):
    """Prints the outcomes; returns the failures."""
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    for outcome in outcomes:
        if outcome.refusal:
            print(f"refused: {outcome.refusal.splitlines()[0]}")
    for failure in failures:
        print(f"FAILED: {failure}")
    read = [outcome for outcome in outcomes if not outcome.refusal]
    rejecting = sum(outcome.rejected > 0 for outcome in read)
    print(f"{len(outcomes)} tables, {len(outcomes) - len(read)} refused; {sum(o.records for o in read):,} records, "
          f"{sum(o.malformed for o in read):,} malformed; {sum(o.rules for o in read):,} rules reject "
          f"{sum(o.rejected for o in read):,} good rows in {rejecting} tables; {sum(o.candidates for o in read):,} "
          "tighter rules tried")
    failed = len({failure.table for failure in failures})
    print(f"{len(read) - failed} passed, {failed} failed")
    return failures


if __name__ == "__main__":
    main()
