"""`clean`: the bytes of each output, and the messages."""

import collections
import json
import os
import unittest

import reference
from support import (
    BOM, EXAMPLES, FINDING_KEYS, NEVER, PATIENCE, CommandTest, csv_rows, example_maker, make_ten, volume, slow)

# A small table. Records 2 and 4 fail `b.pattern`, which requires that b begins with "ok".
SMALL = b"a,b,c\n1,ok,x\n2,no,x\n3,ok 2,x\n4,bad,x\n"


class CleanTest(CommandTest):
    """Rules that require `b` to begin with ok."""

    def ok_rules(self, **more):
        return self.rules("a", {"name": "b", "constraints": {"pattern": "(?s)ok.*"}}, **more)

    def clean(self, content, *flags, name="users.csv", status=0, rules=None):
        self.write(name, content)
        return self.assay("clean", name, "--rules", rules or self.ok_rules(), *flags, status=status)

    def expected(self, content, column=1, **dialect):
        """The table, its clean records, its rejects and its findings, computed without the command."""
        table = reference.read(content, **dialect)
        clean, rejected, findings = [], [], []
        for record in table.records:
            if record.problems:
                rejected.append(record)
                findings.append((record.number, record.line, record.start, None, None, record.problems))
            elif (text := record.cells[column].text) and not text.startswith(b"ok"):
                cell = record.cells[column]
                rejected.append(record)
                findings.append((record.number, cell.line, cell.offset, "b", column + 1, {"b.pattern"}))
            else:
                clean.append(record)
        return table, clean, rejected, findings

    def assert_split(self, content, *flags, **dialect):
        """Cleans a table and compares all outputs with the expected ones."""
        self.clean(content, "--force", *flags)
        table, clean, rejected, findings = self.expected(content, **dialect)
        self.assertEqual(self.read("users.clean.csv"), table.prefix + table.bytes_of(clean) + table.kept)
        self.assertEqual(self.read("users.rejects.csv"), table.prefix + table.bytes_of(rejected))
        found = self.findings("users.findings.jsonl")
        self.assertEqual(len(found), len(findings))
        for finding, (record, line, offset, column, position, rules) in zip(found, findings):
            self.assertEqual(
                [finding[key] for key in FINDING_KEYS[:5]], [record, line, offset, column, position], content[:200])
            self.assertIn(finding["rule"], rules)
        report = self.report("users.report.json")["inputs"][0]
        self.assertEqual(
            (report["records"], report["clean"], report["rejected"], report["bytes"]),
            (len(table.records), len(clean), len(rejected), len(content)))


class OutputTests(CleanTest):
    def test_four_files_next_to_the_input(self):
        outcome = self.clean(SMALL)
        self.assertEqual(outcome.out, b"", "the summary goes to standard error")
        self.assertEqual(self.read("users.clean.csv"), b"a,b,c\n1,ok,x\n3,ok 2,x\n")
        self.assertEqual(self.read("users.rejects.csv"), b"a,b,c\n2,no,x\n4,bad,x\n")
        self.assert_no_files_left(
            "rules.json", "users.clean.csv", "users.csv", "users.findings.jsonl", "users.rejects.csv",
            "users.report.json")
        self.assertEqual(self.read("users.csv"), SMALL, "the input is left alone")

    @slow
    def test_split_of_tables_of_all_kinds(self):
        tables = {
            "byte order mark": BOM + SMALL,
            "CR LF": SMALL.replace(b"\n", b"\r\n"),
            "LF and CR LF mixed": b"a,b,c\r\n1,ok,x\n2,no,x\r\n3,ok,x\n",
            "bare CR ends records": SMALL.replace(b"\n", b"\r"),
            "bare CR is data": b"a,b,c\n1,ok\rok,x\n2,no\r,x\r\r\n3,\rok,x\n",
            "no final newline": SMALL[:-1],
            "no final newline, last is clean": SMALL + b"5,ok,x",
            "no final newline after a quote": b'a,b,c\n1,ok,"x"',
            "ends in a delimiter": b"a,b,c\n1,ok,",
            "ends in CR": b"a,b,c\n1,ok,x\r",
            "empty lines": b"a,b,c\n\n1,ok,x\n\n\r\n2,no,x\n\n",
            "no records": b"a,b,c\n",
            "no records and no newline": b"a,b,c",
            "only clean": b"a,b,c\n1,ok,x\n2,ok,x\n",
            "only rejects": b"a,b,c\n1,no,x\n2,no,x\n",
            "empty cells": b"a,b,c\n,,\n,ok,\n",
            "quoted": b'a,b,c\n"1","ok","x"\n"2","no","x"\n',
            "doubled quotes": b'a,b,c\n1,"ok ""quoted""",x\n2,"""ok""",x\n3,"no ""x""",""\n',
            "line feeds in quotes": b'a,b,c\n1,"ok\n\n",x\n"2\n\n",no,"x\n"\n3,"\nno",x\n4,no,x\n',
            "CR LF in quotes": b'a,b,c\r\n1,"ok\r\n",x\r\n"2\r\n",no,x\r\n',
            "delimiters in quotes": b'a,b,c\n"1,1","ok,",x\n"2,2",",no",x\n',
            "quotes are data inside": b'a,b,c\n1,ok "x",5" disk\n2,no "x","y"\n',
            "text after a quote": b'a,b,c\n1,ok,"x"y\n2,ok,x\n3,"ok" ,x\n4,"ok"",",x\n5,ok,x\n',
            "a quote that never closes": b'a,b,c\n1,ok,x\n2,"ok,x\n3,ok,x\n4,no,x\n',
            "a quote that never closes, at the end": b'a,b,c\n1,ok,x\n2,"',
            "a quote that the next record closes": b'a,b,c\n1,"ok,x\n2,"ok",x\n3,no,x\n',
            "ragged": b"a,b,c\n1,ok\n1,ok,x,y\n1\n1,ok,x\n,,,,,,,,,\n",
            "not UTF-8": b"a,b,c\n1,ok,\xe9t\xe9\n2,ok,\xc3\xa9\n3,\xff,x\n4,ok,\xed\xa0\x80\n5,no,\xc3\xa9\n"
                         b"6,ok,\xc3\n",
            "not UTF-8 and ragged": b"a,b,c\n1,ok,\xe9,\xe9\n2,no,x\n",
            "NUL": b"a,b,c\n1,ok\x00,\x00\n2,\x00ok,x\n",
            "many scripts": "a,b,c\nä,ok ñ,日本\nя,н😀т,x\n\"é\n\",no,x\n".encode(),
            "one column": b"b\nok\nno\n\nok\n",
        }
        for name, content in tables.items():
            with self.subTest(name):
                if name == "one column":
                    self.rules({"name": "b", "constraints": {"pattern": "ok.*"}}, name="one.json")
                    self.clean(content, "--force", rules="one.json")
                    self.assertEqual(self.read("users.clean.csv"), b"b\nok\n\nok\n", "an empty line is an empty field")
                    self.assertEqual(self.read("users.rejects.csv"), b"b\nno\n")
                else:
                    self.assert_split(content)

    def test_lines_where_bare_cr_ends_records(self):
        self.assert_split(b'a,b,c\r1,no,x\n2,no,x\r\n3,"ok\n\r",x\r4,no,x\r')

    def test_other_dialects(self):
        self.assert_split(b"a;b;c\n1;ok,;x\n2;no;x\n", "--delimiter", ";", delimiter=b";")
        self.assert_split(b"a\tb\tc\n1\tok,\tx\n2\tno\tx\n", "--delimiter", "tab", delimiter=b"\t")
        self.assert_split(b"a,b,c\n'1,1',ok,x\n2,'no',\"x\n", "--quote", "'", quote=b"'")
        self.assert_split(b'a,b,c\n"1,ok,"x\n"2,no,x"\n3,ok,"\n', "--quote", "none", quote=None)

    def test_no_header(self):
        content = b"1,ok,x\n2,no,x\n"
        self.clean(content, "--no-header")
        self.assertEqual(self.read("users.clean.csv"), b"1,ok,x\n")
        self.assertEqual(self.read("users.rejects.csv"), b"2,no,x\n")
        finding, = self.findings("users.findings.jsonl")
        self.assertEqual([finding[key] for key in FINDING_KEYS[:5]], [2, 2, 9, "b", 2])

    def test_names_of_outputs(self):
        for name, stem, ending in [
            ("users.csv", "users", ".csv"), ("users", "users", ""), ("users.tsv", "users", ".tsv"),
            ("my.users.2024.csv", "my.users.2024", ".csv"), (".hidden", ".hidden", ""), ("y.z/users", "y.z/users", ""),
        ]:
            with self.subTest(name):
                folder = f"{len(self.files())}/"
                content = SMALL.replace(b",", b"\t") if ending == ".tsv" else SMALL
                self.clean(content, name=folder + name)
                outputs = [f"{stem}.clean{ending}", f"{stem}.rejects{ending}", f"{stem}.findings.jsonl",
                           f"{stem}.report.json"]
                self.assertEqual([file for file in self.files() if file.startswith(folder)],
                                 sorted(folder + file for file in outputs + [name]))

    def test_tsv_means_tab(self):
        self.clean(b"a\tb\n1\tok\n2\tno, and\n", name="users.tsv")
        self.assertEqual(self.read("users.rejects.tsv"), b"a\tb\n2\tno, and\n")

    def test_options_have_precedence_over_the_name(self):
        """An option has priority over the rule file, and the rule file over the extension. An explicit comma counts as
        explicit, although it is the default."""
        tables = {",": b"a,b\n1,ok\n2,no\n", "\t": b"a\tb\n1\tok\n2\tno\n", ";": b"a;b\n1;ok\n2;no\n"}
        for option, written, name, separator in [
            (None, ",", "users.tsv", ","), (None, ";", "users.tsv", ";"), (None, "tab", "users.csv", "\t"),
            (None, None, "users.tsv", "\t"), (None, None, "users.TSV", "\t"), (None, None, "users.csv", ","),
            (",", ";", "users.tsv", ","), (";", ",", "users.csv", ";"), ("tab", ",", "users.csv", "\t"),
        ]:
            with self.subTest(option=option, written=written, name=name):
                self.write(name, tables[separator])
                more = {"dialect": {"delimiter": written}} if written else {}
                rules = self.rules({"name": "b", "constraints": {"pattern": "ok"}}, **more)
                options = ["--delimiter", option] if option else []
                self.assay("clean", name, "--rules", rules, "--force", *options, status=0)
                stem, ending = name.split(".")
                header, good, bad = tables[separator].splitlines(keepends=True)
                self.assertEqual(self.read(f"{stem}.clean.{ending}"), header + good)
                self.assertEqual(self.read(f"{stem}.rejects.{ending}"), header + bad)
                self.assertEqual(
                    self.report(f"{stem}.report.json")["rules"].get("dialect", {}).get("delimiter", ","), separator)

    def test_a_named_delimiter_is_not_doubted(self):
        """The rules know their columns. Without them, a header such as `a;b` is a single column."""
        self.write("one.csv", "a;b\nok\nno\n")
        rule = {"name": "a;b", "constraints": {"pattern": "ok"}}
        self.assay("check", "one.csv", "--rules", self.rules(rule), status=1)
        self.assertEqual(self.cells(b"a;b\nok\nno\n", columns=["a;b"]), [["ok"], ["no"]])
        declared = self.rules(rule, name="said.json", dialect={"delimiter": ","})
        self.assay("check", "one.csv", "--rules", declared, status=1)
        self.assertIn("one.csv", self.assay("bench", "one.csv", "--rules", declared, "--rounds", 1, status=0).text)
        self.assertIn("a;b", self.assay("init", "one.csv", "--delimiter", ",", status=0).text)
        # If the columns are not found, the delimiter is the likely reason.
        rules = self.rules("a", "b", name="two.json", dialect={"delimiter": ","})
        outcome = self.assay("check", "one.csv", "--rules", rules, status=2)
        self.assertIn("assay check one.csv --rules two.json --delimiter ';'", outcome.err)

    def test_output_dir(self):
        os.mkdir(self.path("out"))
        self.clean(SMALL, "--output-dir", "out", name="in/users.csv")
        self.assertEqual(
            [name for name in self.files() if name.startswith("out/")],
            ["out/users.clean.csv", "out/users.findings.jsonl", "out/users.rejects.csv", "out/users.report.json"])
        self.assertEqual([name for name in self.files() if name.startswith("in/")], ["in/users.csv"])

    def test_named_outputs(self):
        self.clean(SMALL, "--clean", "good", "--rejects", "bad", "--findings", "why", "--report", "how")
        self.assert_no_files_left("bad", "good", "how", "rules.json", "users.csv", "why")
        self.assertEqual(len(self.findings("why")), 2)

    def test_outputs_that_exist_are_all_listed(self):
        self.clean(SMALL)
        before = {name: self.read(name) for name in self.files()}
        os.remove(self.path("users.report.json"))
        del before["users.report.json"]
        outcome = self.clean(SMALL, status=2)
        for name in ("users.clean.csv", "users.rejects.csv", "users.findings.jsonl"):
            self.assertIn(name, outcome.err)
        self.assertNotIn("users.report.json", outcome.err)
        self.assertIn("--force", outcome.err)
        self.assertEqual({name: self.read(name) for name in self.files()}, before)

    def test_force_replaces(self):
        self.clean(SMALL)
        self.clean(b"a,b,c\n1,ok,x\n", "--force")
        self.assertEqual(self.read("users.clean.csv"), b"a,b,c\n1,ok,x\n")
        self.assertEqual(self.read("users.rejects.csv"), b"a,b,c\n")
        self.assertEqual(self.read("users.findings.jsonl"), b"")

    def test_existing_outputs_are_found_before_a_byte_is_read(self):
        """The check must also precede reading from a pipe that never provides a byte."""
        self.write("bad.csv", "old")
        process = self.start("clean", "-", "--rules", self.ok_rules(), "--rejects", "bad.csv")
        self.assertEqual(process.wait(PATIENCE), 2)

    def test_head(self):
        outcome = self.clean(SMALL, "--head", "3")
        self.assertIn("the first 3 records only (--head)", outcome.err)
        self.assertEqual(self.read("users.clean.csv"), b"a,b,c\n1,ok,x\n3,ok 2,x\n")
        self.assertEqual(self.read("users.rejects.csv"), b"a,b,c\n2,no,x\n")
        self.assertEqual(self.report("users.report.json")["inputs"][0]["records"], 3)
        self.clean(SMALL, "--head", "0", "--force")
        self.assertEqual(self.read("users.clean.csv"), b"a,b,c\n")
        outcome = self.clean(SMALL, "--head", "99", "--force")
        self.assertNotIn("records only", outcome.err)
        self.assertEqual(self.report("users.report.json")["inputs"][0]["records"], 4)

    def test_rejects_none_is_reported(self):
        outcome = self.clean(SMALL, "--rejects", "none")
        self.assertFalse(self.exists("users.rejects.csv"))
        self.assertFalse(self.exists("none"))
        self.assertIn("    rejects   dropped (--rejects none)\n", outcome.err)

    def test_clean_none_is_reported(self):
        outcome = self.clean(SMALL, "--clean", "none")
        self.assertFalse(self.exists("users.clean.csv"))
        self.assertFalse(self.exists("none"))
        self.assertIn("    clean     dropped (--clean none)\n", outcome.err)
        self.assertNotIn("rejects   dropped", outcome.err)
        self.assertIn("none",
                      self.assay("clean", "--help", status=0).text.split("--clean <path>")[1].split("--rejects")[0])


class SeveralInputsTests(CleanTest):
    def test_each_has_its_own_outputs_and_header(self):
        self.write("one.csv", SMALL)
        self.write("two/two.tsv", b"b\ta\r\nno\t1\r\nok\t2\r\n")
        outcome = self.assay("clean", "one.csv", "two/two.tsv", "--rules", self.ok_rules(), status=0)
        self.assertEqual(self.read("one.rejects.csv"), b"a,b,c\n2,no,x\n4,bad,x\n")
        self.assertEqual(self.read("two/two.clean.tsv"), b"b\ta\r\nok\t2\r\n")
        self.assertEqual(self.read("two/two.rejects.tsv"), b"b\ta\r\nno\t1\r\n")
        self.assertIn("one.csv", outcome.err)
        self.assertIn("two/two.tsv", outcome.err)
        self.assertIn("2 files", outcome.err)

    def test_one_name_for_many_outputs(self):
        for number in "12":
            self.write(f"{number}.csv", SMALL)
        for option in ("--clean", "--rejects", "--findings", "--report"):
            outcome = self.assay("clean", "1.csv", "2.csv", "--rules", self.ok_rules(), option, "x", status=2)
            self.assertIn("--output-dir", outcome.err)
        self.assert_no_files_left("1.csv", "2.csv", "rules.json")

    def test_all_are_opened_before_the_first_is_read(self):
        self.write("one.csv", SMALL)
        outcome = self.assay("clean", "one.csv", "nowhere.csv", "--rules", self.ok_rules(), status=2)
        self.assertIn("nowhere.csv", outcome.err)
        self.assert_no_files_left("one.csv", "rules.json")

    def test_existing_outputs_of_all_inputs_are_listed(self):
        for name in ("1.csv", "2.csv"):
            self.write(name, SMALL)
        self.write("1.clean.csv", "")
        self.write("2.report.json", "")
        outcome = self.assay("clean", "1.csv", "2.csv", "--rules", self.ok_rules(), status=2)
        self.assertIn("1.clean.csv", outcome.err)
        self.assertIn("2.report.json", outcome.err)
        self.assert_no_files_left("1.clean.csv", "1.csv", "2.csv", "2.report.json", "rules.json")

    def test_two_inputs_with_the_same_outputs(self):
        self.write("x/users.csv", SMALL)
        self.write("y/users.csv", SMALL)
        os.mkdir(self.path("out"))
        outcome = self.assay(
            "clean", "x/users.csv", "y/users.csv", "--rules", self.ok_rules(), "--output-dir", "out", status=2)
        self.assertEqual(
            outcome.err, "assay: error: x/users.csv and y/users.csv would both be written to out/users.clean.csv\n"
            "  hint: clean them one after the other, each with an --output-dir of its own\n")
        self.assertEqual(os.listdir(self.path("out")), [])
        outcome = self.assay("clean", "x/users.csv", "x/users.csv", "--rules", self.ok_rules(), status=2)
        self.assertEqual(outcome.err, "assay: error: the input x/users.csv is named twice\n  hint: name it once\n")

    def test_the_worst_status_counts(self):
        self.write("good.csv", b"a,b\n1,ok\n")
        self.write("bad.csv", b"a,b\n1,no\n")
        arguments = ["--rules", self.ok_rules(), "--max-reject-rate", "0", "--force"]
        self.assay("clean", "good.csv", *arguments, status=0)
        self.assay("clean", "good.csv", "bad.csv", *arguments, status=1)
        self.assay("clean", "bad.csv", "good.csv", *arguments, status=1)


class FindingTests(CleanTest):
    def test_form(self):
        """Compares the exact bytes, so that a change that breaks other readers is noticed."""
        rules = self.rules({"name": "b", "rules": [
            {"id": "b.ok", "pattern": "ok.*", "message": "is not \"ok\"\n"}]})
        self.clean(b'a,b\n"1\n\n",no\n1,ok,2\n', rules=rules)
        self.assertEqual(
            self.read("users.findings.jsonl").decode(),
            '{"record":1,"line":4,"offset":10,"column":"b","position":2,"rule":"b.ok","code":"pattern",'
            '"severity":"reject","message":"is not \\"ok\\"\\n"}\n'
            '{"record":2,"line":5,"offset":13,"column":null,"position":null,"rule":"structure.fields",'
            '"code":"structure.fields","severity":"reject","message":"has 3 fields where 2 are expected"}\n')

    def test_order_is_record_then_column_then_declared(self):
        rules = self.rules(
            {"name": "c", "rules": [{"id": "c1", "pattern": NEVER}]},
            {"name": "a", "rules": [{"id": "a1", "pattern": NEVER}, {"id": "a0", "minLength": 9}]},
            {"name": "b", "constraints": {
                "enum": ["x"], "pattern": NEVER, "maxLength": 1, "minLength": 9 - 8},
                "rules": [{"id": "b9", "pattern": NEVER}]})
        self.clean(b"a,b,c\n1,22,3\n4,55,6\n", rules=rules)
        ids = ["a1", "a0", "b.maxLength", "b.pattern", "b.enum", "b9", "c1"]
        found = self.findings("users.findings.jsonl")
        self.assertEqual([(finding["record"], finding["rule"]) for finding in found],
                         [(record, rule) for record in (1, 2) for rule in ids])

    def test_order_of_constraints(self):
        rules = self.rules({"name": "n", "type": "integer", "constraints": {
            "maximum": 5, "minimum": 7 - 6, "enum": [3], "pattern": "x", "maxLength": 1, "minLength": 1}})
        self.clean(b"n,m\n66,\n", rules=rules)
        self.assertEqual([finding["code"] for finding in self.findings("users.findings.jsonl")],
                         ["maxLength", "pattern", "enum", "maximum"])

    def test_missing_cells_are_checked_only_for_required(self):
        rules = self.rules(
            {"name": "a", "type": "integer", "constraints": {"required": True, "minimum": 3}},
            {"name": "b", "constraints": {"minLength": 5}}, missingValues=["", "-", "N/A"])
        self.clean(b'a,b\n,\n"",""\n-,N/A\nn/a,n/a\n', rules=rules)
        self.assertEqual(
            [(finding["record"], finding["rule"]) for finding in self.findings("users.findings.jsonl")],
            [(1, "a.required"), (2, "a.required"), (3, "a.required"), (4, "a.type"), (4, "b.minLength")])
        report = self.report("users.report.json")
        self.assertEqual([(column["name"], column["missing"]) for column in report["columns"]], [("a", 3), ("b", 3)])

    def test_a_value_of_the_wrong_type_has_one_finding(self):
        rules = self.rules({"name": "n", "type": "number", "constraints": {
            "minimum": 5, "pattern": r"\d+", "maxLength": 1, "enum": ["7"]}})
        self.clean(b"n,m\nabc,\n6,\n7,\n7.0,\n", rules=rules)
        self.assertEqual(
            [(finding["record"], finding["code"]) for finding in self.findings("users.findings.jsonl")],
            [(1, "type"), (2, "enum"), (4, "maxLength"), (4, "pattern")],
            "enum compares values (7.0 is 7), patterns and lengths look at the text")

    def test_broken_records_have_one_finding(self):
        content = b'a,b,c\nno,no\n\xff,no,x\n"x"y,no,\xff\n1,no,x\n'
        self.clean(content)
        self.assertEqual([finding["record"] for finding in self.findings("users.findings.jsonl")], [1, 2, 3, 4])

    def test_csv(self):
        rules = self.rules({"name": "b", "rules": [{"id": "b,1", "pattern": "ok", "message": 'is "bad", really'}]})
        self.clean(b"a,b\n1,no\n2\n", "--findings", "why.csv", rules=rules)
        rows = csv_rows(self.read("why.csv"))
        self.assertEqual(rows[0], FINDING_KEYS)
        self.assertEqual(rows[1], ["1", "2", "6", "b", "2", "b,1", "pattern", "reject", 'is "bad", really'])
        self.assertEqual(rows[2][:8], ["2", "3", "9", "", "", "structure.fields", "structure.fields", "reject"])
        self.assertEqual(len(rows), 3)

    def test_csv_in_capitals(self):
        self.clean(b"a,b\n1,no\n", "--findings", "WHY.CSV")
        self.assertEqual(csv_rows(self.read("WHY.CSV"))[0], FINDING_KEYS)

    def test_csv_with_values(self):
        self.clean(b'a,b\n1,"n""o,\n"\n', "--findings", "why.csv", "--show-values")
        rows = csv_rows(self.read("why.csv"))
        self.assertEqual(rows[0], FINDING_KEYS + ["value"])
        self.assertEqual(rows[1][-1], 'n"o,\n')

    def test_csv_with_values_that_are_not_utf8(self):
        """One U+FFFD for each maximal subpart, as in JSON."""
        content = b"a,b\nx\xff\xf0\x9f\x98,1\n"
        self.clean(content, "--findings", "why.csv", "--show-values")
        self.clean(content, "--findings", "why.jsonl", "--show-values", "--force")
        value = self.findings("why.jsonl")[0]["value"]
        self.assertEqual(value, "x\ufffd\ufffd,1")
        self.assertEqual(csv_rows(self.read("why.csv"))[1][-1], value)

    def test_max_findings_reports_the_cut(self):
        rows = volume(6_000, 50_000)
        content = b"a,b\n" + b"".join(b"%d,no\n" % number for number in range(1, rows + 1))
        for threads in (1, 3):
            outcome = self.clean(content, "--max-findings", "70", "--threads", threads, "--force")
            found = self.findings("users.findings.jsonl")
            self.assertEqual([finding["record"] for finding in found], list(range(1, 71)), "the first in input order")
            report = self.report("users.report.json")
            self.assertEqual(report["inputs"][0]["rejected"], rows, "all are counted")
            self.assertEqual(report["findings"]["dropped"], rows - 70)
            self.assertEqual(report["columns"][1]["rules"][0]["failed"], rows)
            self.assertIn("--max-findings", outcome.err)
            self.assertIn(f"{rows - 70:,}", outcome.err)
        self.clean(content, "--max-findings", "0", "--force")
        self.assertEqual(self.read("users.findings.jsonl"), b"")
        self.assertEqual(self.report("users.report.json")["findings"]["dropped"], rows)

    def test_values_are_private_by_default(self):
        content = b'a,b,c\n1,SECRET-1,x\n2,"SECRET ""2""",x\n3,SECRET\n4,SECRET-\xff,x\n5,"SECRET"x,x\n'
        rules = self.rules({"name": "b", "type": "date", "constraints": {"enum": ["2024-01-01"]}})
        for flags in ([], ["--annotate"], ["--findings", "x.csv"]):
            outcome = self.clean(content, "--force", *flags, rules=rules)
            contents = outcome.error_bytes + self.read("users.report.json")
            contents += self.read("x.csv" if "x.csv" in flags else "users.findings.jsonl")
            self.assertNotIn(b"SECRET", contents)
        outcome = self.clean(content, "--force", "--show-values", rules=rules)
        self.assertEqual([finding["value"] for finding in self.findings("users.findings.jsonl")][:2],
                         ["SECRET-1", 'SECRET "2"'])
        self.assertIn("SECRET-1", outcome.err)
        self.assertNotIn(b"SECRET", self.read("users.report.json"), "a report has no place for values")

    def test_values_are_the_cells_as_read(self):
        cells = ["x", "", 'a "b"', "a\nb", "a\r\nb", "\r", "tab\t", "\x00\x01\x1b", "😀é", "ends in CR\r",
                 ' "no quote', "\\"]
        content = "a,b,c\n" + "".join('1,"%s",x\n' % cell.replace('"', '""') for cell in cells)
        content += "1,bare CR\r,x\n1,5\" disk,x\n"
        rules = self.rules({"name": "b", "missingValues": [], "rules": [{"pattern": NEVER}]})
        self.clean(content.encode(), "--show-values", rules=rules)
        self.assertEqual([finding["value"] for finding in self.findings("users.findings.jsonl")],
                         cells + ["bare CR\r", '5" disk'])

    def test_values_of_broken_records_are_still_json(self):
        content = b'a,b\n\xff\xfe,\xc3\n\xed\xa0\x80\x00,"\n1,2,3\n'
        self.clean(content, "--show-values")
        self.assertEqual(len(self.findings("users.findings.jsonl")), 3)


class SeverityTests(CleanTest):
    def test_warn_reports_and_accepts(self):
        rules = self.rules({"name": "b", "rules": [
            {"id": "b.ok", "pattern": "ok.*", "severity": "warn"}, {"id": "b.short", "maxLength": 5}]})
        outcome = self.clean(b"a,b\n1,ok\n2,no\n3,no, no, no\n4,very long\n", "--max-reject-rate", "50%", rules=rules)
        self.assertEqual(self.read("users.clean.csv"), b"a,b\n1,ok\n2,no\n")
        found = self.findings("users.findings.jsonl")
        self.assertEqual([(finding["record"], finding["rule"], finding["severity"]) for finding in found], [
            (2, "b.ok", "warn"), (3, "structure.fields", "reject"), (4, "b.ok", "warn"), (4, "b.short", "reject")])
        column, = self.report("users.report.json")["columns"]
        self.assertEqual(column["rules"], [
            {"id": "b.ok", "failed": 0, "warned": 2, "undecided": 0},
            {"id": "b.short", "failed": 1, "warned": 0, "undecided": 0}])
        self.assertIn("warn", outcome.err)

    def test_undecided_rejects_under_its_own_code(self):
        rules = self.rules({"name": "b", "rules": [{"id": "b.slow", "pattern": r"(a+)+\d\1{0}"}]})
        content = b"a,b\n1,aaaa1\n2," + b"a" * 60 + b"!\n3,a\n"
        outcome = self.clean(content, rules=rules)
        found = self.findings("users.findings.jsonl")
        self.assertEqual([(finding["record"], finding["rule"], finding["code"], finding["severity"])
                          for finding in found],
                         [(2, "b.slow", "undecided", "reject"), (3, "b.slow", "pattern", "reject")])
        self.assertEqual(self.read("users.clean.csv"), b"a,b\n1,aaaa1\n")
        report = self.report("users.report.json")
        self.assertEqual(report["inputs"][0]["undecided"], 1)
        self.assertEqual(report["columns"][0]["rules"], [{"id": "b.slow", "failed": 1, "warned": 0, "undecided": 1}])
        self.assertIn("undecided", outcome.err)


class AnnotateTests(CleanTest):
    def test_line_and_reasons(self):
        rules = self.rules(
            {"name": "b", "rules": [{"id": "b.ok", "pattern": "ok.*"}, {"id": "b;,\"", "maxLength": 5},
                                    {"id": "b.w", "pattern": "ok.*", "severity": "warn"}]})
        content = b'a,b\r\n1,ok\r\n"2\r\n",no\r\n3,no no no\r\n4\r\n5,\xff\r\n6,no'
        self.clean(content, "--annotate", rules=rules)
        rows = csv_rows(self.read("users.rejects.csv").replace(b"\xff", b"?"))
        self.assertEqual(rows, [
            ["a", "b", "_line", "_reasons"],
            ["2\r\n", "no", "3", "b.ok"],
            ["3", "no no no", "5", 'b.ok;b;,"'],
            ["4", "6", "structure.fields"],
            ["5", "?", "7", "encoding"],
            ["6", "no", "8", "b.ok"],
        ])
        self.assertEqual(self.read("users.clean.csv"), b"a,b\r\n1,ok\r\n", "clean rows are never touched")
        self.assertTrue(self.read("users.rejects.csv").startswith(b"a,b,_line,_reasons\r\n"))

    def test_a_missing_line_break_stays_missing(self):
        for end in ("\n", "\r\n", "\r"):
            with self.subTest(end):
                self.clean(f"a,b{end}1,ok{end}2,no".encode(), "--annotate", "--force")
                self.assertEqual(
                    self.read("users.rejects.csv").decode(), f"a,b,_line,_reasons{end}2,no,3,b.pattern")
        self.clean(b"a,b", "--annotate", "--force")
        self.assertEqual(self.read("users.rejects.csv"), b"a,b,_line,_reasons")

    @slow
    def test_a_quote_that_is_never_closed_is_closed_before_the_notes(self):
        """Otherwise the notes and the following records would be inside the quotes."""
        for end in ("\n", "\r\n"):
            for last in ("", end):
                for flags in ([], ["--show-values"], ["--threads", "1", "--max-findings", "0"]):
                    with self.subTest(end=end, last=last, flags=flags):
                        content = f'a,b{end}1,ok{end}2,"no, ""no{end}3,no{last}'
                        self.clean(content.encode(), "--annotate", "--force", *flags)
                        rejects = self.read("users.rejects.csv")
                        self.assertEqual(
                            rejects.decode(),
                            f'a,b,_line,_reasons{end}2,"no, ""no",3,structure.quote{end}3,no,4,b.pattern{last}')
                        self.assertEqual(
                            csv_rows(rejects)[1:],
                            [["2", 'no, "no', "3", "structure.quote"], ["3", "no", "4", "b.pattern"]])
                        self.clean(f'a,b{end}1,no{end}2,"{last}'.encode(), "--annotate", "--force", *flags)
                        self.assertEqual(
                            self.read("users.rejects.csv").decode(),
                            f'a,b,_line,_reasons{end}1,no,2,b.pattern{end}2,"",3,structure.quote{last}')
        self.clean(b"a,b\n1,'no\n", "--annotate", "--force", "--quote", "'")
        self.assertEqual(self.read("users.rejects.csv"), b"a,b,_line,_reasons\n1,'no',2,structure.quote\n")
        self.clean(b'a,b\n1,"no\n', "--force")
        self.assertEqual(self.read("users.rejects.csv"), b'a,b\n1,"no\n', "byte for byte without notes")

    def test_off_by_default(self):
        self.clean(SMALL)
        self.assertNotIn(b"_line", self.read("users.rejects.csv"))

    def test_follows_the_dialect(self):
        self.clean(b"a;b\n1;no\n", "--annotate", "--delimiter", ";")
        self.assertEqual(self.read("users.rejects.csv"), b"a;b;_line;_reasons\n1;no;2;b.pattern\n")


class ReportTests(CleanTest):
    def test_contents(self):
        outcome = self.clean(b'a,b,c\n,no,x\n2\n"3,no,x\n\xff,ok,x\n', "--threads", "2", "--limit", "columns=99")
        self.assertEqual(outcome.status, 0)
        report = self.report("users.report.json")
        self.assertEqual(report["version"], 1)
        self.assertEqual(set(report["engine"]), {"pcre2", "unicode", "dfa", "jit"})
        self.assertRegex(report["engine"]["pcre2"], r"^10\.\d+")
        self.assertIsInstance(report["engine"]["jit"], bool)
        entry, = report["inputs"]
        self.assertEqual(entry["path"], "users.csv")
        self.assertEqual(entry["bytes"], len(self.read("users.csv")))
        self.assertEqual([entry[key] for key in ("records", "clean", "rejected", "undecided")], [4, 0, 4, 0])
        self.assertEqual(entry["outputs"]["clean"], "users.clean.csv")
        self.assertEqual(entry["outputs"]["rejects"], "users.rejects.csv")
        self.assertEqual(entry["outputs"]["findings"], "users.findings.jsonl")
        self.assertEqual(report["structure"],
                         {"fields": 1, "quote": 1, "tooLong": 0, "encoding": 1, "json": 0, "blank": 0})
        self.assertEqual(report["columns"], [
            {"name": "a", "missing": 1, "rejected": 0, "rules": []},
            {"name": "b", "missing": 0, "rejected": 1,
             "rules": [{"id": "b.pattern", "failed": 1, "warned": 0, "undecided": 0}]}])
        self.assertEqual(report["limits"]["columns"], 99)
        self.assertEqual(report["limits"]["field-bytes"], 1 << 20)
        self.assertEqual(report["findings"], {"total": 4, "dropped": 0})
        # Two threads were requested, but one is enough for four records.
        self.assertEqual(report["threads"], 1)
        self.assertGreaterEqual(report["seconds"], 0)

    def test_resolved_rules_are_rules(self):
        """The rules in the report form a rule file with the same effect."""
        self.clean(SMALL)
        rules = self.report("users.report.json")["rules"]
        self.write("again.json", json.dumps(rules))
        self.assay("rules", "check", "again.json", status=0)
        before = self.read("users.rejects.csv"), self.read("users.findings.jsonl")
        self.clean(SMALL, "--force", rules="again.json")
        self.assertEqual((self.read("users.rejects.csv"), self.read("users.findings.jsonl")), before)

    def test_no_jit_is_reported(self):
        self.clean(SMALL, "--no-jit")
        self.assertIs(self.report("users.report.json")["engine"]["jit"], False)


class SummaryTests(CleanTest):
    def test_counts_worst_rules_and_first_findings(self):
        content = b"a,b,c\n" + b"".join(b"%d,no,x\n" % number for number in range(1_234)) + b"1,ok,x\n" * 1_000
        outcome = self.clean(content)
        self.assertIn("2,234", outcome.err)
        self.assertIn("1,234", outcome.err)
        self.assertIn("1,000", outcome.err)
        self.assertIn("b.pattern", outcome.err)
        self.assertRegex(outcome.err, r"(?m)^ *users\.csv:2:8 b\.pattern ")
        self.assertEqual(outcome.err.count("users.csv:"), 10, "the first ten findings")

    def test_quiet(self):
        self.assertEqual(self.clean(SMALL, "--quiet").error_bytes, b"")

    def test_no_colours_where_there_is_no_terminal(self):
        self.assertNotIn("\x1b", self.clean(SMALL).err)

    def test_progress(self):
        self.assertNotIn("\r", self.clean(SMALL).err)
        self.assertIn("\r", self.clean(SMALL, "--progress", "always", "--force").err)
        self.assertNotIn("\r", self.clean(SMALL, "--progress", "never", "--force").err)


class RateTests(CleanTest):
    def test_clean_falls_short_only_when_a_rate_is_given(self):
        self.clean(SMALL)
        for rate, status in [("50%", 0), ("50", 0), ("49.9%", 1), ("0%", 1), ("0", 1), ("100%", 0)]:
            with self.subTest(rate):
                self.clean(SMALL, "--max-reject-rate", rate, "--force", status=status)
                self.assertEqual(self.read("users.rejects.csv"), b"a,b,c\n2,no,x\n4,bad,x\n", "published all the same")
                self.assertTrue(self.exists("users.report.json"))

    def test_notes_where_there_are_no_quotes(self):
        rules = [{"id": name, "pattern": NEVER} for name in ("one", "a;b,c|d", "two\nlines", '"four"')]
        for delimiter, reasons in (";", 'one|a_b,c|d|two_lines|"four"'), (",", 'one;a;b_c|d;two_lines;"four"'):
            for kept in ([], ["--show-values"]):
                with self.subTest(delimiter=delimiter, kept=kept):
                    content = f'a{delimiter}b\n1{delimiter}"x\n' * 40
                    self.clean(
                        content.replace(f"\na{delimiter}b", "").encode(), "--quote", "none", "--delimiter", delimiter,
                        "--annotate", "--force", *kept, rules=self.rules("a", {"name": "b", "rules": rules}))
                    rows = self.read("users.rejects.csv").decode().splitlines()
                    self.assertEqual(rows[0], delimiter.join(["a", "b", "_line", "_reasons"]))
                    self.assertEqual(
                        rows[1:], [delimiter.join(["1", '"x', str(line), reasons]) for line in range(2, 42)])

    def test_one_of_each(self):
        """Messages about a single item use the singular."""
        self.write("users.csv", "b\n1,2\nx\n")
        self.write("none.csv", "b\n")
        outcome = self.assay("check", "users.csv", "none.csv", "--head", "1", status=1)
        self.assertIn("  the first 1 record only (--head)\n", outcome.err)
        self.assertIn("the record has 2 fields where 1 is expected\n", outcome.err)
        self.assertIn("2 files  1 record, 0 clean, 1 rejected (100 %)\n", outcome.err)
        outcome = self.clean(b"a,b\n1,no\n2,no\n", "--max-findings", "1")
        self.assertIn("    1 finding was not written: raise --max-findings to write them all\n", outcome.err)

    def test_why_the_status_is_1(self):
        why = "assay: users.csv: rejected 2 of 4 records (50.00 %), more than --max-reject-rate 49.9%\n"
        outcome = self.clean(SMALL, "--max-reject-rate", "49.9%", "--quiet", status=1)
        self.assertEqual(outcome.err, why)
        outcome = self.clean(SMALL, "--max-reject-rate", "49.9%", "--force", status=1)
        self.assertTrue(outcome.err.endswith(f"\n{why}"), outcome.err)
        for rate in ([], ["--max-reject-rate", "50"]):
            self.assertNotIn("more than", self.clean(SMALL, *rate, "--force").err)
        self.write("two.csv", SMALL)
        self.write("good.csv", "a,b,c\n1,ok,x\n")
        for command in (["clean", "--force"], ["check"]):
            outcome = self.assay(
                *command, "two.csv", "good.csv", "users.csv", "-r", self.ok_rules(), "-q",
                "--max-reject-rate", "0", status=1)
            self.assertEqual(
                [line.split(" (")[0] for line in outcome.err.splitlines()],
                ["assay: two.csv: rejected 2 of 4 records", "assay: users.csv: rejected 2 of 4 records"])
        outcome = self.assay("check", "-", "-q", "--max-reject-rate", "0", stdin="a,b\n1\n", status=1)
        self.assertEqual(
            outcome.err, "assay: standard input: rejected 1 of 1 record (100 %), more than --max-reject-rate 0\n")

    def test_invalid_rates(self):
        for rate in ("-1", "101", "x", "%", "nan", ""):
            with self.subTest(rate):
                self.clean(SMALL, f"--max-reject-rate={rate}", "--force", status=2)


class AgreementTests(CommandTest):
    """The outputs must not depend on the number of threads or the engine."""

    def outputs(self, *flags):
        self.assay("clean", "big.csv", "--force", "--quiet", *flags, status=0)
        return {name: self.read(f"big.{name}") for name in ("clean.csv", "rejects.csv", "findings.jsonl")}

    def test_threads_and_engines_on_many_chunks(self):
        expected = make_ten(self.path("big.csv"), volume(4_000, 125_000))
        # Add records that place the ends of chunks at unusual positions: multi-line, long and bad records.
        odd = b'"%s",,,,,,,,,"a ""b""\r\n\n"\n' + b'x,"y\n' + b'",z\n\n' + b"\xc3(\n"
        with open(self.path("big.csv"), "ab") as file:
            for number in range(volume(20, 60)):
                file.write(odd % (b"long \n" * (number * 150)))
        rules = ["--rules", os.path.relpath(EXAMPLES.parent / "Benchmarks/export.rules.yaml", self.directory)]
        first = self.outputs("--threads", 1, *rules)
        report = self.report("big.report.json")
        self.assertEqual(report["inputs"][0]["records"], expected["records"] + volume(20, 60) * 4)
        self.assertEqual(report["inputs"][0]["rejected"], expected["rejected"] + volume(20, 60) * 4)
        found = {rule["id"]: rule["failed"] + rule["undecided"] for column in report["columns"]
                 for rule in column["rules"]}
        # The first of these records has an empty email, which is missing rather than invalid.
        self.assertEqual(found, collections.Counter(expected["rules"]) + collections.Counter(
            {"email.pattern": volume(19, 59), "amount.pattern": volume(20, 60)}))
        for flags in (["--threads", 2], ["--threads", 3], ["--threads", 8], ["--no-jit"], ["--no-jit", "--threads", 5]):
            with self.subTest(flags):
                self.assertTrue(self.outputs(*flags, *rules) == first, "not the same bytes")


class ExampleTests(CommandTest):
    """The example table, whose generator knows the errors in it."""

    def test_the_script_makes_the_file_that_ships(self):
        example_maker().make_users(str(self.path("users.csv")), 4_000, 6, 2024)
        self.assertTrue(self.read("users.csv") == (EXAMPLES / "users.csv").read_bytes(),
                        "Examples/users.csv is not what Scripts/make-example.py writes")

    def test_counts(self):
        expected = json.loads(example_maker().make_users(str(self.path("users.csv")), 4_000, 6, 2024).json("", 0))
        self.assay("clean", "users.csv", "--rules", EXAMPLES / "users.rules.yaml", status=0)
        report = self.report("users.report.json")
        entry = report["inputs"][0]
        self.assertEqual([entry[key] for key in ("records", "clean", "rejected")],
                         [expected[key] for key in ("records", "clean", "rejected")])
        self.assertEqual(report["structure"], expected["structure"] | {"json": 0})
        rules = [rule for column in report["columns"] for rule in column["rules"]]
        failed = {rule["id"]: rule["failed"] + rule["undecided"] for rule in rules}
        self.assertEqual({rule: count for rule, count in failed.items() if count}, expected["rules"])
        warned = {rule["id"]: rule["warned"] for rule in rules if rule["warned"]}
        self.assertEqual(warned, expected["warnings"])
        self.assertEqual(entry["undecided"], 0, "the value that a backtracking engine would match for ages")

    def test_split_agrees_with_the_reference(self):
        content = (EXAMPLES / "users.csv").read_bytes()
        self.write("users.csv", content)
        self.assay("clean", "users.csv", "--rules", EXAMPLES / "users.rules.yaml", "--findings", "why.jsonl", status=0)
        table = reference.read(content)
        rejected = {finding["record"] for finding in self.findings("why.jsonl") if finding["severity"] == "reject"}
        self.assertEqual(self.read("users.rejects.csv"), table.prefix + table.bytes_of(
            record for record in table.records if record.number in rejected))
        self.assertEqual(self.read("users.clean.csv"), table.prefix + table.bytes_of(
            record for record in table.records if record.number not in rejected))
        for finding in self.findings("why.jsonl"):
            record = table.records[finding["record"] - 1]
            place = record if finding["column"] is None else record.cells[finding["position"] - 1]
            self.assertEqual((finding["line"], finding["offset"]),
                             (place.line, record.start if finding["column"] is None else place.offset))

    def test_the_other_rule_files(self):
        for name in ("users.rules.json", "schema.table-schema.json"):
            with self.subTest(name):
                self.assay("rules", "check", EXAMPLES / name, status=0)
                outcome = self.assay("check", EXAMPLES / "users.csv", "--rules", EXAMPLES / name, status=1)
                self.assertIn("4,000", outcome.err)


if __name__ == "__main__":
    unittest.main()
