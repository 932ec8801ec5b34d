"""Thresholds of the rules and --stop-after: the values at each bound and one beyond it, and the end of a run."""

import contextlib
import gzip
import importlib.util
import json
import unittest

from support import PATIENCE, ROOT, CommandTest, slow

# The keys of each entry of `thresholds` in a report.
KEYS = ["of", "name", "max", "min", "measured", "percent", "exceeded"]


def rows(bad, good, header="id,email\n"):
    """Records; the first `bad` have an invalid `email`."""
    return header + "".join(f"{number},{'no' if number < bad else 'a@b.org'}\n" for number in range(bad + good))


class ThresholdTest(CommandTest):
    EMAIL = {"name": "email", "constraints": {"maxLength": 20, "pattern": ".+@.+"}}

    def rules_with(self, *fields, **thresholds):
        return self.rules("id", *(fields or [self.EMAIL]), thresholds=thresholds)

    def measured(self, name="users.report.json"):
        """The thresholds of the report: subject, count, share, and whether it is exceeded."""
        thresholds = self.report(name)["thresholds"]
        for threshold in thresholds:
            self.assertEqual(list(threshold), KEYS)
        return [
            (" ".join(filter(None, [it["of"], it["name"]])), it["measured"], it["percent"], it["exceeded"])
            for it in thresholds
        ]

    def clean(self, content, rules, *flags, status=0, name="users.csv"):
        self.write(name, content)
        return self.assay("clean", name, "-r", rules, "--force", "-q", *flags, status=status)


class BoundTests(ThresholdTest):
    def each(self, content, cases, what, *fields, name="users.csv"):
        """Checks one table with each of several thresholds. The measured value must be constant; only `exceeded` may
        differ."""
        for thresholds, exceeded in cases:
            with self.subTest(thresholds):
                rules = self.rules_with(*fields, **thresholds)
                outcome = self.clean(content, rules, status=int(exceeded), name=name)
                measured = self.measured(name.split(".")[0] + ".report.json")
                self.assertEqual([(it[0], it[1], it[3]) for it in measured], [(*what, exceeded)])
                self.assertEqual(outcome.err.count("\n"), int(exceeded), outcome.err)
                self.assertTrue(self.exists(name.replace(".", ".rejects.", 1)), "published all the same")

    def test_rejected(self):
        cases = [
            ({"rejected": 5}, False), ({"rejected": 4}, True), ({"rejected": "0.5%"}, False),
            ({"rejected": "0.4999%"}, True),
            ({"rejected": "0%"}, True), ({"rejected": 0}, True), ({"rejected": "100%"}, False),
        ]
        self.each(rows(5, 995), cases, ("rejected", 5))

    def test_shares_that_no_double_has(self):
        """A share equal to the bound is within it, for any number of digits."""
        for bad, share in ((1, "0.1%"), (3, "0.3%"), (7, "0.7%"), (29, "2.9%"), (57, "5.7%"), (333, "33.3%")):
            self.each(rows(bad, 1000 - bad), [({"rejected": share}, False)], ("rejected", bad))
            self.each(rows(bad + 1, 999 - bad), [({"rejected": share}, True)], ("rejected", bad + 1))

    def test_malformed_records_are_rejected(self):
        content = "id,email\n1,a@b.org\n2\n3,no\n4,a@b.org\n"
        self.each(content, [({"rejected": "50%"}, False), ({"rejected": 1}, True)], ("rejected", 2))
        self.each(content, [({"columns": {"email": 1}}, False), ({"columns": {"email": 0}}, True)], ("column email", 1))
        self.each(
            content, [({"rules": {"structure.fields": 1}}, False), ({"rules": {"structure.fields": 0}}, True)],
            ("rule structure.fields", 1))

    def test_column(self):
        cases = [
            ({"columns": {"email": 5}}, False), ({"columns": {"email": 4}}, True),
            ({"columns": {"email": "0.5%"}}, False), ({"columns": {"email": "0.49%"}}, True),
        ]
        self.each(rows(5, 995), cases, ("column email", 5))
        self.each(rows(5, 995), [({"columns": {"id": 0}}, False)], ("column id", 0))

    def test_a_record_that_fails_two_rules_of_a_column_counts_once(self):
        content = "id,email\n1," + "x" * 21 + "\n2,no\n3," + "a@" * 11 + "\n4,a@b.org\n"
        self.each(content, [({"columns": {"email": 3}}, False), ({"columns": {"email": 2}}, True)], ("column email", 3))
        self.each(content, [({"rules": {"email.pattern": 2}}, False)], ("rule email.pattern", 2))
        self.each(content, [({"rules": {"email.maxLength": 1}}, True)], ("rule email.maxLength", 2))

    def test_required_and_types(self):
        field = {"name": "n", "type": "integer", "constraints": {"required": True}}
        content = "id,n\n1,\n2,x\n3,y\n4,4\n"
        for thresholds, what in (
            ({"rules": {"n.required": 1}}, ("rule n.required", 1)), ({"rules": {"n.type": 2}}, ("rule n.type", 2)),
            ({"columns": {"n": 3}}, ("column n", 3)),
        ):
            self.each(content, [(thresholds, False)], what, field)

    def test_warnings_count_for_rules_and_not_for_columns(self):
        field = {"name": "email", "rules": [{"id": "mail", "pattern": ".+@.+", "severity": "warn"}]}
        cases = [({"rules": {"mail": 5}}, False), ({"rules": {"mail": "0.49%"}}, True)]
        self.each(rows(5, 995), cases, ("rule mail", 5), field)
        self.each(rows(5, 995), [({"columns": {"email": 0}}, False)], ("column email", 0), field)

    def test_undecided_values_count(self):
        for severity, count in ("reject", 1), ("warn", 0):
            field = {"name": "email", "rules": [{"id": "hard", "pattern": r"(a+)+\d\1{0}", "severity": severity}]}
            content = "id,email\n1," + "a" * 60 + "!\n2,a1\n"
            self.each(content, [({"rules": {"hard": 1}}, False), ({"rules": {"hard": 0}}, True)],
                      ("rule hard", 1), field)
            self.each(content, [({"columns": {"email": 1}}, False)], ("column email", count), field)

    def test_records(self):
        for thresholds, exceeded in (
            ({"min": 10}, [False]), ({"min": 11}, [True]), ({"max": 10}, [False]), ({"max": 9}, [True]),
            ({"min": 10, "max": 10}, [False, False]), ({"min": 11, "max": 11}, [True, False]), ({"max": 0}, [True]),
        ):
            with self.subTest(thresholds):
                rules = self.rules_with(records=thresholds)
                self.clean(rows(2, 8), rules, status=int(any(exceeded)))
                self.assertEqual(self.measured(), [("records", 10, None, it) for it in exceeded])

    def test_a_table_without_records(self):
        rules = self.rules_with(rejected="0%", columns={"email": 0}, records={"min": 1})
        self.clean("id,email\n", rules, status=1)
        self.assertEqual(
            self.measured(),
            [("rejected", 0, 0, False), ("column email", 0, None, False), ("records", 0, None, True)])

    def test_json_lines(self):
        content = "".join(
            json.dumps(row) + "\n"
            for row in ({"tags": ["a", "B", "C"]}, {"tags": ["D"]}, {"tags": ["e"]}, {"tags": []},
                        {"tags": [1, "F"]}, 7))
        fields = [{"name": "tags[]", "constraints": {"pattern": "[a-z]", "maxLength": 0}}]
        for thresholds, measured in (
            ({"rejected": "50%"}, [("rejected", 5, 500 / 6, True)]),
            # The unit is the record: a record with several bad elements counts once.
            ({"columns": {"tags[]": 4}}, [("column tags[]", 4, None, False)]),
            ({"columns": {"tags[]": 3}}, [("column tags[]", 4, None, True)]),
            # The unit is the value: each element counts.
            ({"rules": {"tags[].pattern": 4}}, [("rule tags[].pattern", 4, None, False)]),
            ({"rules": {"tags[].maxLength": "100%"}}, [("rule tags[].maxLength", 6, 100, False)]),
            ({"rules": {"tags[].type": 0}}, [("rule tags[].type", 1, None, True)]),
            ({"rules": {"structure.json": 1}}, [("rule structure.json", 1, None, False)]),
        ):
            with self.subTest(thresholds):
                rules = self.rules(*fields, thresholds=thresholds)
                self.clean(content, rules, status=int(measured[0][3]), name="users.jsonl")
                self.assertEqual(self.measured(), measured)

    def test_columns_that_are_not_there(self):
        rules = self.rules("id", "email", fieldsMatch="partial",
                           thresholds={"columns": {"email": 0}, "rules": {"email.type": 0}})
        self.clean("id\n1\n", rules)
        self.assertEqual([it[1] for it in self.measured()], [0, 0])


class EndTests(ThresholdTest):
    def test_each_is_named(self):
        lines = [
            "assay: users.csv: rejected 5 of 100 records (5.00 %), more than 1% (thresholds.rejected)\n",
            "assay: users.csv: the column email rejects 5 of 100 records (5.00 %), more than 0.5% "
            "(thresholds.columns)\n",
            "assay: users.csv: the rule email.pattern finds 5 values in 100 records (5.00 %), more than 4 "
            "(thresholds.rules)\n",
            "assay: users.csv: has 100 records, fewer than 1,000 (thresholds.records)\n",
        ]
        rules = self.rules_with(
            rejected="1%", columns={"email": "0.5%"}, rules={"email.pattern": 4}, records={"min": 1000})
        for command in ["clean", "--force"], ["check"]:
            self.write("users.csv", rows(5, 95))
            outcome = self.assay(*command, "users.csv", "-r", rules, "-q", status=1)
            self.assertEqual(outcome.err, "".join(lines))
            outcome = self.assay(*command, "users.csv", "-r", rules, status=1)
            self.assertTrue(outcome.err.endswith("".join(lines)), outcome.err)
            self.assertIn(
                "  thresholds\n"
                "    rejected                                      5     5.00 %  at most 1%  exceeded\n"
                "    column email                                  5     5.00 %  at most 0.5%  exceeded\n"
                "    rule email.pattern                            5     5.00 %  at most 4  exceeded\n"
                "    records                                     100             at least 1,000  exceeded\n",
                outcome.err)

    def test_no_message_without_thresholds(self):
        self.write("users.csv", rows(5, 95))
        outcome = self.assay("clean", "users.csv", "-r", self.rules("id", self.EMAIL), status=0)
        self.assertNotIn("threshold", outcome.err)
        self.assertEqual(self.report("users.report.json")["thresholds"], [])

    def test_report(self):
        rules = self.rules_with(rejected="1.50%", rules={"email.pattern": 4}, records={"min": 1000})
        self.clean(rows(5, 95), rules, status=1)
        report = self.report("users.report.json")
        self.assertEqual(report["thresholds"], [
            {"of": "rejected", "name": None, "max": "1.5%", "min": None, "measured": 5, "percent": 5,
             "exceeded": True},
            {"of": "rule", "name": "email.pattern", "max": 4, "min": None, "measured": 5, "percent": None,
             "exceeded": True},
            {"of": "records", "name": None, "max": None, "min": 1000, "measured": 100, "percent": None,
             "exceeded": True},
        ])
        self.assertEqual(
            report["rules"]["thresholds"],
            {"rejected": "1.5%", "rules": {"email.pattern": 4}, "records": {"min": 1000}})
        spec = importlib.util.spec_from_file_location("check_docs", ROOT / "Scripts/check-docs.py")
        check_docs = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(check_docs)
        schema = json.loads((ROOT / "Docs/assay-report.schema.json").read_text())
        self.assertEqual(list(check_docs.misfits(report, schema, schema)), [])

    def test_check_allows_the_thresholds_of_the_rules(self):
        """Without a `rejected` threshold, check allows no rejected records, regardless of other thresholds."""
        self.write("users.csv", rows(5, 95))
        for thresholds, flags, status in (
            ({"rejected": "5%"}, [], 0), ({"rejected": 4}, [], 1), ({"columns": {"email": "5%"}}, [], 1),
            ({"columns": {"email": "5%"}}, ["--max-reject-rate", "5%"], 0),
            ({"columns": {"email": 4}}, ["--max-reject-rate", "5%"], 1),
            ({"rejected": "5%"}, ["--max-reject-rate", "4%"], 1), ({"rejected": "4%"}, ["--max-reject-rate", "5%"], 1),
        ):
            with self.subTest(thresholds=thresholds, flags=flags):
                self.assay("check", "users.csv", "-r", self.rules_with(**thresholds), "-q", *flags, status=status)

    def test_clean_with_both(self):
        for rate, rejected, lines in (("5%", "5%", 0), ("4%", "5%", 1), ("5%", "4%", 1), ("4%", "4%", 2)):
            with self.subTest(rate=rate, rejected=rejected):
                outcome = self.clean(
                    rows(5, 95), self.rules_with(rejected=rejected), "--max-reject-rate", rate, status=min(lines, 1))
                self.assertEqual(outcome.err.count("more than"), lines, outcome.err)

    def test_each_of_several_inputs_by_itself(self):
        self.write("a.csv", rows(1, 9))
        self.write("b.csv", rows(2, 8))
        self.write("c.csv", rows(0, 9))
        rules = self.rules_with(rejected="10%", records={"min": 10})
        outcome = self.assay("clean", "a.csv", "b.csv", "c.csv", "-r", rules, "-q", status=1)
        self.assertEqual(outcome.err, (
            "assay: b.csv: rejected 2 of 10 records (20.00 %), more than 10% (thresholds.rejected)\n"
            "assay: c.csv: has 9 records, fewer than 10 (thresholds.records)\n"))
        exceeded = {name: [it[3] for it in self.measured(f"{name}.report.json")] for name in "abc"}
        self.assertEqual(exceeded, {"a": [False, False], "b": [True, False], "c": [False, True]})

    def test_as_one(self):
        self.write("a1.csv", rows(1, 9))
        self.write("a2.csv", rows(2, 8))
        for thresholds, exceeded in (
            ({"rejected": "15%"}, False), ({"rejected": 2}, True), ({"columns": {"email": 3}}, False),
            ({"columns": {"email": 2}}, True), ({"records": {"min": 20}}, False), ({"records": {"min": 21}}, True),
        ):
            with self.subTest(thresholds):
                rules = self.rules_with(**thresholds)
                outcome = self.assay(
                    "clean", "a1.csv", "a2.csv", "--as-one", "-r", rules, "-q", "--force", status=int(exceeded))
                self.assertEqual([it[3] for it in self.measured("a.report.json")], [exceeded])
                self.assertEqual(outcome.err.startswith("assay: a1.csv and 1 other: "), exceeded, outcome.err)

    def test_head(self):
        self.clean(rows(5, 95), self.rules_with(rejected=5, records={"min": 11}), "--head", 10, status=1)
        self.assertEqual(self.measured(), [("rejected", 5, None, False), ("records", 10, None, True)])

    def test_a_json_schema_of_a_record(self):
        schema = {
            "type": "object", "properties": {"email": {"type": "string", "maxLength": 5}}, "required": ["id"],
            "thresholds": {"columns": {"id": 0}, "rules": {"email.maxLength": 1}}}
        self.clean("id,email\n,a@b.org\n2,a@b.org\n", self.write("s.json", json.dumps(schema)), status=1)
        self.assertEqual([it[0:2] for it in self.measured()], [("column id", 1), ("rule email.maxLength", 2)])

    def test_mistakes(self):
        rules = self.write("r.yaml", "fields: [{name: email, format: email}]\nthresholds: {rules: {email.fromat: 1}}\n")
        outcome = self.assay("rules", "check", rules, status=2)
        self.assertIn("there is no rule 'email.fromat'", outcome.err)
        self.assertIn("did you mean 'email.format'?", outcome.err)


class BigTest(ThresholdTest):
    """A table of many chunks."""

    RECORDS = 20_000

    def big(self):
        """Writes several chunks of 256 KiB in which about 1 % of the records are bad. Returns the numbers of the bad
        ones."""
        bad = {number for number in range(1, self.RECORDS + 1) if number % 97 == 0 or number % 1009 == 5}
        emails = ("no" if number in bad else "a@b.org" for number in range(1, self.RECORDS + 1))
        lines = (f"{number},{email},{'x' * 190}\n" for number, email in enumerate(emails, 1))
        self.write("big.csv", "id,email,notes\n" + "".join(lines))
        return sorted(bad)


class ThreadTests(BigTest):
    def test_the_same_for_any_number_of_threads(self):
        bad = self.big()
        rules = self.rules_with(rejected="1%", columns={"email": len(bad)}, rules={"email.pattern": len(bad) - 1})
        for threads in 1, 2, 7:
            with self.subTest(threads):
                self.assay("clean", "big.csv", "-r", rules, "-q", "--force", "--threads", threads, status=1)
                share = 100 * len(bad) / self.RECORDS
                self.assertEqual(
                    self.measured("big.report.json"),
                    [("rejected", len(bad), share, share > 1), ("column email", len(bad), None, False),
                     ("rule email.pattern", len(bad), None, True)])


class StopTests(BigTest):
    def stopped(self, rejects, records, share, ending=""):
        noun = "record" if rejects == 1 else "records"
        return f"stopped after {rejects} rejected {noun} of {records} records ({share} %), by --stop-after{ending}\n"

    @slow
    def test_the_same_for_any_number_of_threads(self):
        bad = self.big()
        rules = self.rules_with()
        for count in 1, 100, len(bad) - 1, len(bad):
            read = bad[count - 1]
            share = 100 * count / read
            message = self.stopped(count, f"{read:,}", f"{share:.2f}")
            expected = None
            for threads in 1, 2, 7, 2, 7:
                with self.subTest(count=count, threads=threads):
                    outcome = self.assay(
                        "check", "big.csv", "-r", rules, "--stop-after", count, "--threads", threads, status=1)
                    lines = outcome.err.splitlines(keepends=True)
                    self.assertEqual(lines[-1], f"assay: big.csv: {message}")
                    # Everything but the time and the number of threads.
                    summary = lines[1:]
                    expected = expected or summary
                    self.assertEqual(summary, expected)
                    self.assertIn(f"  rejected  {count:>13,}", outcome.err)
                    self.assertRegex(outcome.err, rf"email\.pattern +{count:,} ")

    def test_findings_agree_with_a_shorter_table(self):
        bad = self.big()
        rules = self.rules_with()
        self.assay("check", "big.csv", "-r", rules, "-q", "--head", bad[199], "--findings", "f.jsonl", status=1)
        expected = self.read("f.jsonl")
        for threads in 1, 2, 7:
            outcome = self.assay(
                "check", "big.csv", "-r", rules, "-q", "--stop-after", 200, "--findings", "-",
                "--threads", threads, status=1)
            self.assertEqual(outcome.out, expected)

    def test_no_output_is_published(self):
        bad = self.big()
        rules = self.rules_with()
        for threads in 1, 2, 7:
            outcome = self.assay(
                "clean", "big.csv", "-r", rules, "-q", "--stop-after", 10, "--threads", threads, status=1)
            self.assertEqual(
                outcome.err,
                "assay: big.csv: " + self.stopped(10, bad[9], f"{1000 / bad[9]:.2f}", "; no file was written"))
            self.assert_no_files_left("big.csv", rules)
        for more in ["--findings", "f.jsonl"], ["--report", "r.json"]:
            outcome = self.assay("check", "big.csv", "-r", rules, "-q", "--stop-after", 10, *more, status=1)
            self.assertTrue(outcome.err.endswith("; no file was written\n"), outcome.err)
            self.assert_no_files_left("big.csv", rules)

    def test_outputs_that_exist_stay(self):
        self.write("users.clean.csv", "old")
        self.clean(rows(5, 95), self.rules_with(), "--stop-after", 5, status=1)
        self.assertEqual(self.read("users.clean.csv"), b"old")

    def test_at_the_number_and_one_beyond(self):
        for count, status in ((4, 1), (5, 1), (6, 0)):
            with self.subTest(count):
                self.clean(rows(5, 95), self.rules_with(), "--stop-after", count, status=status)
                self.assertEqual(self.exists("users.clean.csv"), status == 0)

    def test_standard_output_is_incomplete(self):
        outcome = self.assay(
            "clean", "-", "-r", self.rules_with(), "--rejects", "bad.csv", "-q", "--stop-after", 2,
            stdin=rows(3, 5), status=1)
        ending = "; standard output is incomplete, and no file was written"
        self.assertEqual(outcome.err, "assay: standard input: " + self.stopped(2, "2", "100", ending))
        self.assertFalse(self.exists("bad.csv"))

    def test_a_pipe_is_not_read_to_its_end(self):
        process = self.start("check", "-", "-r", self.rules_with(), "-q", "--stop-after", 1)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"id,email\n" + b"1,no\n" * 200_000)
            process.stdin.flush()
        self.assertEqual(process.wait(PATIENCE), 1)

    def test_malformed_records_and_comments(self):
        content = "id,email\n# one\n1,a@b.org\n2\n# two\n3,\"a\nb\"\n# three\n4,no\n5,no\n"
        for count, records in ((1, 2), (2, 3), (3, 4), (4, 5)):
            outcome = self.assay(
                "check", "-", "-r", self.rules_with(), "-q", "--comment", "#", "--stop-after", count, "--findings", "-",
                stdin=content, status=1)
            self.assertIn(f"stopped after {count} rejected record{'s' * (count > 1)} of {records} record", outcome.err)
            self.assertEqual([json.loads(line)["record"] for line in outcome.out.splitlines()],
                             list(range(2, 2 + count)))

    def test_a_record_over_its_limit(self):
        content = "id,email\n1,a@b.org\n2," + "x" * 2_000_000 + "\n3,no\n4,no\n"
        for count, records in ((1, 2), (2, 3), (3, 4)):
            outcome = self.assay(
                "check", "-", "-r", self.rules_with(), "-q", "--limit", "record-bytes=1000",
                "--limit", "field-bytes=1000", "--stop-after", count, stdin=content, status=1)
            self.assertIn(f" of {records} records (", outcome.err)

    def test_json_lines(self):
        lines = ['{"n": 1}', '{"n": "x"}', "7", '{"n": 2}', '{"n": "y"}', '{"n": 3}']
        content = "\n".join(lines * 300) + "\n"
        rules = self.rules({"name": "n", "type": "integer"})
        self.write("x.jsonl", content)
        for count, records in ((1, 2), (2, 3), (3, 5), (4, 8), (900, 1799)):
            for threads in 1, 2:
                outcome = self.assay(
                    "check", "x.jsonl", "-r", rules, "-q", "--stop-after", count, "--threads", threads, status=1)
                self.assertIn(f" of {records:,} records (", outcome.err)

    def test_packed(self):
        bad = self.big()
        self.write("big.csv.gz", gzip.compress(self.read("big.csv"), 1))
        outcome = self.assay("check", "big.csv.gz", "-r", self.rules_with(), "-q", "--stop-after", 150, status=1)
        self.assertIn(f"stopped after 150 rejected records of {bad[149]:,} records", outcome.err)

    def test_each_of_several_inputs_by_itself(self):
        self.write("a.csv", rows(3, 9))
        self.write("b.csv", rows(2, 8))
        outcome = self.assay("clean", "a.csv", "b.csv", "-r", self.rules_with(), "-q", "--stop-after", 3, status=1)
        self.assertEqual(outcome.err, "assay: a.csv: " + self.stopped(3, "3", "100", "; no file was written"))
        self.assert_no_files_left(
            "a.csv", "b.clean.csv", "b.csv", "b.findings.jsonl", "b.rejects.csv", "b.report.json", "rules.json")

    def test_as_one(self):
        self.write("a1.csv", rows(3, 9))
        self.write("a2.csv", rows(2, 8))
        for count, records in ((3, 3), (4, 13), (5, 14)):
            outcome = self.assay(
                "clean", "a1.csv", "a2.csv", "--as-one", "-r", self.rules_with(), "-q", "--stop-after", count, status=1)
            self.assertIn(f"stopped after {count} rejected records of {records} records", outcome.err)
            self.assert_no_files_left("a1.csv", "a2.csv", "rules.json")

    def test_thresholds_are_not_measured(self):
        rules = self.rules_with(rejected=0, records={"min": 1000})
        outcome = self.clean(rows(5, 95), rules, "--stop-after", 2, status=1)
        self.assertEqual(outcome.err, "assay: users.csv: " + self.stopped(2, "2", "100", "; no file was written"))

    def test_warnings_do_not_stop(self):
        field = {"name": "email", "rules": [{"pattern": ".+@.+", "severity": "warn"}]}
        self.clean(rows(5, 95), self.rules_with(field), "--stop-after", 1)

    def test_annotated(self):
        self.big()
        outcome = self.assay(
            "clean", "big.csv", "-r", self.rules_with(), "-q", "--annotate", "--stop-after", 200, "--clean", "none",
            "--rejects", "-", "--findings", "none", "--report", "none", "--threads", 2, status=1)
        self.assertEqual(outcome.out.count(b"email.pattern"), 200)
        self.assertEqual(len(outcome.out.splitlines()), 201)

    def test_invalid_numbers(self):
        self.write("users.csv", rows(1, 1))
        for number in "0", "-1", "x", "":
            with self.subTest(number):
                self.assay("check", "users.csv", f"--stop-after={number}", status=2)


if __name__ == "__main__":
    unittest.main()
