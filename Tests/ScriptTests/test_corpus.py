#!/usr/bin/env python3
"""Tests of Tests/Corpus: the checks find rules that reject good rows and claims that are false. Needs no network."""

import contextlib
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Corpus"))

import candidates  # noqa: E402
import fetch  # noqa: E402
import mutations  # noqa: E402
import run  # noqa: E402

RULES = """\
# 4 of 5 records (80 %) pass all rules:

fields:
  - name: n
    constraints:
      required: true  # no value is missing
      maxLength: 10  # 1 to 4 characters
    # tighter: type: number  # 1 value fails: 'c' in record 3
    #          missingValues: ['', '?']  # ?: 3
    # all 64 are different

  - name: 'it''s: b'
    constraints:
      enum: [x, y]  # 2 values in 5
    # tighter: enum: [x]  # 1,024 values fail, such as 'y' in record 2,000
"""

TIGHTENED = """\
# 4 of 5 records (80 %) pass all rules:

fields:
  - name: n
    type: number
    missingValues: ['', '?']
    constraints:
      required: true  # no value is missing

  - name: 'it''s: b'
    constraints:
      enum: [x]

"""


class StubRunner(run.Runner):
    """Answers as a command that writes RULES, and that counts the given failures of its rules."""

    def __init__(self, tables, failed, tighter, fit=None):
        super().__init__("assay", tables, fit)
        self.failed, self.tighter = failed, tighter

    def assay(self, verb, table, *options):
        if verb == "infer":
            return subprocess.CompletedProcess([], 0, RULES, "")
        option = dict(zip(options, options[1:]))
        is_tighter = "type: number" in pathlib.Path(option["--rules"]).read_text().split("# tighter")[0]
        failed = self.tighter if is_tighter else self.failed
        findings = [{"record": record, "column": rule.split(".")[0], "rule": rule, "code": rule.split(".")[1],
                     "message": "is wrong", "value": "v"} for rule, (_, record) in failed.items()]
        pathlib.Path(option["--findings"]).write_text("".join(json.dumps(finding) + "\n" for finding in findings))
        rules = [{"id": rule, "failed": count, "undecided": 0} for rule, (count, _) in failed.items()]
        rejected = sum(count for count, _ in failed.values())
        pathlib.Path(option["--report"]).write_text(json.dumps({
            "inputs": [{"records": 5, "clean": 4 - rejected, "rejected": rejected + 1, "undecided": 0, "format": "csv",
                        "encoding": {"name": "UTF-8"}, "delimiter": {"text": ","}}],
            "columns": [{"rules": rules}], "rows": [], "keys": [],
            "structure": {"fields": 1, "quote": 0}}))
        return subprocess.CompletedProcess([], 1, "", "")


class CorpusTests(unittest.TestCase):
    CLAIMED = {"n.type": (1, 3), "it's: b.enum": (1024, 2000)}

    def outcome(self, failed, tighter, table="n,b\n1,x\n2,x\n3,x\n4,x\n5\n", fit=None):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "t.csv").write_text(table)
            return StubRunner(pathlib.Path(folder), failed, tighter, fit).run("t.csv")

    def test_true_rules(self):
        outcome = self.outcome({"n.maxLength": (0, 0)}, self.CLAIMED)
        self.assertEqual(outcome.failures, [])
        self.assertEqual((outcome.records, outcome.malformed, outcome.rejected, outcome.rules, outcome.candidates),
                         (5, 1, 0, 1, 2))

    def test_rejected_rows(self):
        failed = {"n.maxLength": (2, 4)}
        self.assertEqual([str(failure) for failure in self.outcome(failed, self.CLAIMED).failures],
                         ["t.csv: rule n.maxLength rejects 2 of 5 rows; record 4: 'v' is wrong\n"
                          "    maxLength: 10  # 1 to 4 characters",
                          "t.csv: the rules claim 4 passing records, check counts 2"])
        self.assertEqual([str(failure) for failure in self.outcome(failed, self.CLAIMED, fit="typical").failures],
                         ["t.csv: the rules claim 4 passing records, check counts 2"])

    def test_false_claims(self):
        outcome = self.outcome({}, self.CLAIMED | {"n.type": (4, 3)})
        self.assertEqual([str(failure) for failure in outcome.failures],
                         ["t.csv: the tighter n.type fails 4 values, the first in record 3; infer claims 1, the first "
                          "in record 3"])

    def test_lost_records(self):
        outcome = self.outcome({}, self.CLAIMED, "n,b\n1,x\n2,x\n3,x\n4,x\n5,x\n")
        self.assertEqual([str(failure) for failure in outcome.failures],
                         ["t.csv: 4 well-formed records, +1 according to Python's csv module"])

    def test_few_tables(self):
        self.assertFalse(run.is_enough(299, []))
        self.assertTrue(run.is_enough(300, []))
        self.assertFalse(run.is_enough(0, ["iris"]))

    def test_candidates(self):
        self.assertEqual(candidates.tightened(RULES),
                         (TIGHTENED, [candidates.Claim("n", "type", 1, 3),
                                      candidates.Claim("it's: b", "enum", 1024, 2000)]))

    def test_mutations(self):
        rows = [[str(row), "x"] for row in range(9)]
        first, again, other = (mutations.mutated(["id", "v"], rows, random.Random(seed)) for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(rows[0], ["0", "x"])

    def test_json(self):
        self.assertEqual(fetch.json_lines(b'[{"a": 1.50}, {"b": "\xc3\xa9"}]'), '{"a": 1.5}\n{"b": "é"}\n'.encode())
        for other in (b'{"a": 1}', b'[{"a": [1]}]', b"[1]", b"[", b""):
            self.assertIsNone(fetch.json_lines(other), other)

    def test_packages(self):
        packages = list(fetch.packages())
        self.assertEqual(len({name for name, *_ in packages}), len(packages))
        for name, version, digest, limit in packages:
            self.assertRegex(f"{name} {version} {digest} {limit}", r"^[a-z0-9-]+ [0-9.]+ [0-9a-f]{64} [0-9]+$")

    def test_report(self):
        outcome = self.outcome({"n.maxLength": (2, 4)}, self.CLAIMED)
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            run.report([outcome, run.Outcome("u.csv", refusal="assay: error: u.csv:1: no")])
        self.assertEqual(shown.getvalue().splitlines()[0], "refused: assay: error: u.csv:1: no")
        self.assertEqual(shown.getvalue().splitlines()[-2:],
                         ["2 tables, 1 refused; 5 records, 1 malformed; 1 rules reject 2 good rows in 1 tables; "
                          "2 tighter rules tried", "0 passed, 1 failed"])


if __name__ == "__main__":
    unittest.main()
