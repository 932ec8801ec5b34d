"""`check`: verdicts without outputs."""

import json
import os
import unittest

from support import EXAMPLES, CommandTest, slow


class DoubtTests(CommandTest):
    """One line on standard error if a table without rules is probably read incorrectly."""

    DATA = "assay: t.csv: the first line is read as the header, and looks like data: --no-header?"

    def doubts(self, content, *arguments, commands=("check", "profile", "infer"), name="t.csv"):
        self.write(name, content)
        found = []
        for command in commands:
            quiet = self.assay(command, name, *arguments, "-q")
            outcome = self.assay(command, name, *arguments)
            self.assertEqual(quiet.status, outcome.status)
            self.assertNotIn("looks like data", quiet.err)
            self.assertNotIn("one column", quiet.err)
            found.append([line for line in outcome.err.splitlines() if line.startswith("assay: ")])
        self.assertEqual(found, [found[0]] * len(found))
        return found[0]

    def test_header_without_a_name_for_the_first_column(self):
        advice = ("if the first column has no name, as in files that R writes, add a name and a delimiter to the "
                  "start of the header")
        table = '"id","name"\n"1",7,"a"\n"2",8,"b"\n"3",9,"c"\n'
        self.assertEqual(
            self.doubts(table),
            [f"assay: t.csv: the header has 2 names, and the first 3 records have 3 fields: {advice}"])
        self.assertEqual(
            self.doubts("id,name\n1,7,a\n"),
            [f"assay: t.csv: the header has 2 names, and the first record has 3 fields: {advice}"])
        # With the name, all records fit.
        self.assertEqual(self.doubts('"row",' + table), [])
        # Records with different counts are no evidence.
        self.assertEqual(self.doubts("id,name\n1,7,a\n2,8,b,x\n3,9,c\n4,b,c,d\n"), [])
        self.assay("check", "t.csv", "--rules", self.rules("id", "name"), status=1)
        self.write("t.csv", table)
        outcome = self.assay("check", "t.csv", "--rules", self.rules("id", "name"), status=1)
        self.assertIn(advice, outcome.err)

    def test_lines_above_a_table_of_another_delimiter(self):
        title = "Kundenliste Stand 1.1.2024"
        for content, settings in [
            (f"{title};;\n;;\nid;name;name;;\n1;a;b;;\n2;c;d;;\n", "--delimiter ';' --skip 2"),
            (f"{title}\n\nid|name\n" + "1|a\n" * 30, "--delimiter '|' --skip 2"),
            (f"{title}\r\nid\tname\r\n" + "1\ta\r\n" * 20, "--delimiter tab --skip 1"),
        ]:
            columns = 5 if "name;name" in content else 2
            with self.subTest(content[:40]):
                self.assertEqual(
                    self.doubts(content),
                    [f"assay: t.csv: it is read as one column; with {settings} it has {columns} columns"])
        # Lines of many widths do not form a table with any delimiter.
        self.assertEqual(
            self.doubts("a\n" + "1;2\n1;2;3\n" * 20),
            ["assay: t.csv: it is read as one column, and its lines contain ';'"])
        for content in ["a\n1\n2\n3\n", "a\nfoo; bar\nfoo\nbar\nbaz\n", "a;b\n1;2\n", "a\n", ""]:
            with self.subTest(content):
                doubts = self.doubts(content, commands=("check", "profile", "infer") if content else ("check",))
                self.assertEqual([line for line in doubts if "error" not in line], [])
        # The suggested command reads two records and reports no doubt.
        self.write("t.csv", f"{title};;\n;;\nid;name;name;;\n1;a;b;;\n2;c;d;;\n")
        self.assertEqual(self.doubts(self.read("t.csv"), "--skip", "2"), [])
        self.assertEqual(self.doubts(self.read("t.csv"), "--delimiter", ","), [])
        self.assertEqual(json.loads(self.assay("profile", "t.csv", "--skip", "2", "--json", status=0).text)["records"],
                         2)

    @slow
    def test_a_header_that_is_data(self):
        rows = range(3, 40)
        for row, is_data in [
            (lambda n: f"{n},Anna,anna{n}@example.org", True),
            (lambda n: f"{n},Bo,2024-01-{n % 28 + 1:02} 10:00:00", True),
            (lambda n: f"{n},Cy", True), (lambda n: f"a,{n / 4},b", True), (lambda n: f"5,{n / 4},b", True),
            (lambda n: f"x,{n:08}-0000-4000-8000-000000000000,\\N", True),
            (lambda n: f"x,{n % 28 + 1:02}.12.1999", True),
            (lambda n: "Anna,Lee", False), (lambda n: f"-,c{n}", False),
        ]:
            content = "".join(row(n) + "\n" for n in rows)
            with self.subTest(content[:40]):
                self.assertEqual(self.doubts(content), [self.DATA] if is_data else [])
                self.assertEqual(self.doubts(content, "--no-header"), [])
                self.assertEqual(self.doubts("id,name,mail\n" + content), [])
        numbers = "".join(f"x{n},{n / 3:.2f},{n},{n * 3}\n" for n in rows)
        for header in ("country,2019,2020,2021", "pixel,0,1,2", "name,5,50,95", "name,0.1,0.2,0.5", "name,a,7,3"):
            with self.subTest(header):
                self.assertEqual(self.doubts(header + "\n" + numbers), [])
        # A few records are not enough evidence.
        self.assertEqual(self.doubts("5,Anna,a@example.org\n6,Bo,b@example.org\n"), [])

    def test_rules_know_the_columns(self):
        self.write("t.csv", "".join(f"{n},anna{n}@example.org\n" for n in range(3, 40)))
        self.write("rules.json", '{"fields": [{"name": "3"}]}')
        self.assertNotIn("assay:", self.assay("check", "t.csv", "-r", "rules.json", status=0).err)

    def test_standard_input(self):
        outcome = self.assay("check", "-", stdin="".join(f"{n},anna{n}@example.org\n" for n in range(3, 40)), status=0)
        self.assertTrue(outcome.err.startswith("assay: standard input: the first line is read as the header"),
                        outcome.err)

    def test_the_example(self):
        for command in "check", "profile", "infer":
            error = self.assay(command, EXAMPLES / "users.csv").err
            self.assertNotIn("looks like data", error)
            self.assertNotIn("one column", error)


class CheckTests(CommandTest):
    def test_a_value_that_is_not_there(self):
        self.write("t.csv", "a,b\n,1\n")
        self.write("rules.json", '{"fields": [{"name": "a", "constraints": {"required": true}}]}')
        self.assertIn("t.csv:2:4 a.required a is missing\n",
                      self.assay("check", "t.csv", "-r", "rules.json", "--show-values", status=1).err)

    def check(self, content, *flags, status=0, name="users.csv"):
        self.write(name, content)
        return self.assay("check", name, *flags, status=status)

    def test_without_rules_structure_and_encoding(self):
        for content, status in [
            (b"a,b\n1,2\n", 0), (b"a,b\n", 0), (b"a,b", 0), (b"a,b\n,\n", 0), (b"\xef\xbb\xbfa,b\n1,2\n", 0),
            (b"a,b\n1\n", 1), (b"a,b\n1,2,3\n", 1), (b"a,b\n\n", 0), (b"a,b\n\n1,2\n", 1), (b'a,b\n1,"x"y\n', 1),
            (b'a,b\n1,"x\n', 1), (b"a,b\n1,\xff\n", 1),
            # Without rules, this command does not check for unusual or duplicate names.
            (b"a,a\n1,2\n", 0), (b",\n1,2\n", 0),
        ]:
            with self.subTest(content):
                self.check(content, status=status)
                self.assert_no_files_left("users.csv")

    def test_counts_by_kind(self):
        content = b'a,b\n1\n1,2,3\n\n1,"x"y\n1,\xff\n1,2\n'
        self.check(content, "--report", "r.json", status=1)
        self.assertEqual(self.report("r.json")["structure"],
                         {"fields": 2, "quote": 1, "tooLong": 0, "encoding": 1, "json": 0, "blank": 1})
        self.assertEqual(self.report("r.json")["inputs"][0]["rejected"], 5)

    def test_with_rules(self):
        rules = self.rules({"name": "b", "constraints": {"required": True}})
        self.check(b"a,b\n1,2\n", "--rules", rules, status=0)
        outcome = self.check(b"a,b\n1,2\n1,\n", "--rules", rules, status=1)
        self.assertEqual(outcome.out, b"")
        self.assertIn("b.required", outcome.err)
        self.assertIn("users.csv:3:10 b.required", outcome.err)

    def test_warnings_do_not_count(self):
        rules = self.rules({"name": "b", "rules": [{"pattern": "x", "severity": "warn"}]})
        self.check(b"a,b\n1,2\n", "--rules", rules, status=0)

    def test_the_summary_counts_warnings(self):
        rules = self.rules({"name": "a", "rules": [{"id": "w", "pattern": "x", "severity": "warn"}]})
        counts = "  records   {0:>13}\n  clean     {0:>13}      100 %\n  rejected              0        0 %\n"
        warning = ("  warnings              1\n\n  most frequent failures\n    w                                      "
                   "       1    50.00 %"
                   "  warning\n\n  findings\n    users.csv:3:4 w a does not match x\n")
        for content, expected in (("a\nx\n", counts.format(1)), ("a\nx\ny\n", counts.format(2) + warning)):
            self.write("users.csv", content)
            outcome = self.assay("check", "users.csv", "-r", rules, status=0)
            self.assertEqual(outcome.err.split("\n", 1)[1], expected)

    def test_undecided_counts(self):
        rules = self.rules({"name": "b", "rules": [{"pattern": r"(a+)+\d\1{0}"}]})
        self.check(b"a,b\n1," + b"a" * 60 + b"!\n", "--rules", rules, status=1)

    def test_an_undecided_warning_does_not_count(self):
        rules = self.rules({"name": "b", "rules": [{"pattern": r"(a+)+\d\1{0}", "severity": "warn"}]})
        self.check(b"a,b\n1," + b"a" * 60 + b"!\n", "--rules", rules, status=0)

    def test_max_reject_rate(self):
        content = b"a,b\n" + b"1,2\n" * 995 + b"1\n" * 5
        for rate, status in [("0.5%", 0), ("0.5", 0), ("0.49%", 1), ("0", 1), ("100", 0)]:
            with self.subTest(rate):
                self.check(content, "--max-reject-rate", rate, status=status)
        self.check(b"a,b\n", "--max-reject-rate", "0", status=0)

    def test_writes_only_named_outputs(self):
        self.check(b"a,b\n1\n", "--findings", "f.jsonl", status=1)
        self.assert_no_files_left("f.jsonl", "users.csv")
        self.assertEqual(self.findings("f.jsonl")[0]["rule"], "structure.fields")
        self.check(b"a,b\n1\n", "--findings", "f.jsonl", "--report", "r.json", status=2)
        self.assertFalse(self.exists("r.json"))
        self.check(b"a,b\n1\n", "--findings", "f.jsonl", "--report", "r.json", "--force", status=1)
        self.assert_no_files_left("f.jsonl", "r.json", "users.csv")

    def test_findings_to_standard_output(self):
        outcome = self.check(b"a,b\n1\n", "--findings", "-", status=1)
        self.assertTrue(outcome.text.startswith('{"record":1,"line":2,"offset":4,"column":null'), outcome.text)
        self.check(b"a,b\n1\n", "--findings", "-", "--report", "-", status=2)

    def test_standard_input(self):
        self.assertEqual(self.assay("check", "-", stdin=b"a,b\n1,2\n").status, 0)
        outcome = self.assay("check", "-", stdin=b"a,b\n1\n")
        self.assertEqual(outcome.status, 1)
        self.assertRegex(outcome.err, r"-:2:4 |standard input:2:4 ")

    def test_several_inputs(self):
        self.write("good.csv", b"a,b\n1,2\n")
        self.write("bad.csv", b"a,b\n1\n")
        self.write("bad.tsv", b"a\tb\n1\n")
        self.assay("check", "good.csv", "good.csv", status=0)
        outcome = self.assay("check", "good.csv", "bad.csv", "bad.tsv", status=1)
        for name in ("good.csv", "bad.csv", "bad.tsv"):
            self.assertIn(name, outcome.err)
        self.assay("check", "good.csv", "missing.csv", status=2)
        self.assay("check", "good.csv", "bad.csv", "--report", "r.json", status=2)

    def test_head(self):
        self.check(b"a,b\n1,2\n1\n", "--head", "1", status=0)
        self.check(b"a,b\n1,2\n1\n", "--head", "2", status=1)

    def test_mostly_windows_1252(self):
        outcome = self.check("name,city\nJürgen,Köln\nZoë,Genève\nAnn,Oslo\n".encode("windows-1252"), status=1)
        self.assertIn("windows-1252", outcome.err.lower())
        self.assertIn("these look like windows-1252. If the whole file is in it: --encoding windows-1252", outcome.err)
        outcome = self.check(b"name,city\n\xff\xfe\x81,x\nAnn,Oslo\n", status=1)
        self.assertNotIn("windows-1252", outcome.err.lower())

    def test_the_example(self):
        outcome = self.assay("check", EXAMPLES / "users.csv", "--rules", EXAMPLES / "users.rules.yaml", status=1)
        self.assertIn("240", outcome.err)

    @slow
    def test_fields_match(self):
        header = b"a,b,c\n1,2,3\n"
        for match, names, status in [
            ("subset", "ca", 0), ("subset", "", 0), ("subset", "cx", 2),
            ("exact", "abc", 0), ("exact", "acb", 2), ("exact", "ab", 2), ("exact", "abcd", 2),
            ("equal", "cab", 0), ("equal", "ab", 2), ("equal", "abcd", 2),
            ("superset", "abcd", 0), ("superset", "dcba", 0), ("superset", "ab", 2),
            ("partial", "cx", 0), ("partial", "xy", 2),
        ]:
            with self.subTest(match=match, names=names):
                rules = self.rules(*names, fieldsMatch=match)
                self.check(header, "--rules", rules, status=status)
                self.check(header, "--rules", self.rules(*names, fieldsMatch=[match]), status=status)

    def test_subset_is_the_default(self):
        self.check(b"a,b,c\n1,2,3\n", "--rules", self.rules("b"), status=0)

    def test_dialect_of_the_rules_and_flags_that_win(self):
        rules = self.rules({"name": "b", "constraints": {"enum": ["x;y"]}},
                           dialect={"delimiter": ";", "quoteChar": "'"})
        self.check(b"a;b\n1;'x;y'\n", "--rules", rules, status=0)
        self.check(b"a,b\n1,'x;y'\n", "--rules", rules, "--delimiter", ",", status=0)
        self.check(b'a;b\n1;"x;y"\n', "--rules", rules, "--quote", '"', status=0)
        rules = self.rules("a", {"name": "b", "constraints": {"enum": ["2"]}},
                           dialect={"header": False, "delimiter": "\t"})
        self.check(b"1\t2\n1\t2\n", "--rules", rules, status=0)
        self.check(b"1\t3\n1\t2\n", "--rules", rules, status=1)

    def test_no_header_maps_by_position(self):
        rules = self.rules("first", {"name": "second", "constraints": {"enum": ["2"]}})
        self.check(b"1,2\n1,2,\n", "--rules", rules, "--no-header", status=1)
        self.check(b"1,2\n1,2\n", "--rules", rules, "--no-header", status=0)
        self.check(b"1,3\n", "--rules", rules, "--no-header", status=1)
        self.check(b"2\n", "--rules", rules, "--no-header", status=2)

    def test_without_a_header_broken_records_do_not_count(self):
        for count, length in [(1, 65_530), (3, 30_000), (5, 70_000), (2_000, 10)]:
            with self.subTest(f"{count} of {length}"):
                broken = b'"x"' + b"y" * length + b",1\n"
                self.check(broken * count + b"1,2\n3,4\n5\n", "--no-header", "--report", "report.json", status=1)
                report = self.report("report.json")
                self.assertEqual(report["inputs"][0]["records"], count + 3)
                self.assertEqual(report["structure"]["quote"], count)
                self.assertEqual(report["structure"]["fields"], 1)
                os.remove(self.path("report.json"))


if __name__ == "__main__":
    unittest.main()
