"""Dialects: the choice of the delimiter, lines above a table, comments, escapes, two-byte delimiters, initial spaces
and extra fields. Each dialect must split a table into the same records and cells as `dialect_reader.py`, for any number
of threads, without losing a byte."""

import collections
import csv
import io
import json
import random
import unittest

from dialect_reader import Dialect, Reader
from support import BOM, NEVER, PATIENCE, SLOW, CommandTest, volume, slow

THREADS = (1, 2, 7)


def every(name):
    """A field with a finding for each cell."""
    return {"name": name, "missingValues": [], "rules": [{"id": f"{name}.every", "pattern": NEVER}]}


class DialectTest(CommandTest):
    def clean(self, content, *options, rules=(), status=0, name="t.csv", **more):
        """Cleans a table. Returns its clean rows and its rejects."""
        self.write(name, content)
        rules = self.rules(*rules, **more)
        self.assay("clean", name, "-r", rules, "-q", "--force", "--clean", "good", "--rejects", "bad",
                   "--findings", "f.jsonl", "--report", "r.json", *options, status=status)
        return self.read("good"), self.read("bad")

    def places(self):
        """Record, line, offset and column of each finding."""
        return [(f["record"], f["line"], f["offset"], f["column"]) for f in self.findings("f.jsonl")]

    def values(self, content, *options, columns, stdin=False, **more):
        """The cells of good records, and the codes of the other records."""
        self.write("v.csv", content)
        rules = self.rules(*map(every, columns), name="v.json", **more)
        outcome = self.assay(
            "check", "-" if stdin else "v.csv", "-r", rules, "-q", "--findings", "v.jsonl", "--force",
            "--show-values", *options, stdin=content if stdin else b"")
        self.assertIn(outcome.status, (0, 1), outcome.err)
        records = []
        for finding in self.findings("v.jsonl"):
            if finding["record"] > len(records):
                self.assertEqual(finding["record"], len(records) + 1)
                records.append([] if finding["column"] is not None else finding["code"])
            if finding["column"] is not None:
                records[-1].append(finding["value"])
        return records


class DelimiterChoiceTests(DialectTest):
    # Without rules: the first records, and the expected columns. None: two delimiters fit equally well.
    HEADS = [
        ("a,b\n1,2\n", ["a", "b"]), ("a;b\n1;2\n", ["a", "b"]), ("a\tb\n1\t2\n", ["a", "b"]),
        ("a|b\n1|2\n", ["a", "b"]),
        # Only a header.
        ("a,b\n", ["a", "b"]), ("a;b\n", ["a", "b"]), ("a\tb\n", ["a", "b"]), ("a|b\n", ["a", "b"]),
        ("a;b", ["a", "b"]),
        # Line terminators and byte order marks.
        ("a;b\r\n1;2\r\n", ["a", "b"]), ("a;b\r1;2\r", ["a", "b"]), ("\ufeffa;b\n1;2\n", ["a", "b"]),
        # Decimal commas.
        ("name;amount\nAnna;1,50\nBo;2,00\n", ["name", "amount"]),
        ("x;y;z\n1,5;2,5;3,5\n1,5;2,5;3,5\n", ["x", "y", "z"]),
        ("x\ty\n1,5\t2;5\n", ["x", "y"]), ("x|y\n1,5|2;5\n", ["x", "y"]),
        # Text with commas, semicolons and bars.
        ("id;text\n1;red, green\n2;blue\n3;a, b, c\n", ["id", "text"]), ("id,text\n1,a; b\n2,c\n", ["id", "text"]),
        ("id,text\n1,a|b\n2,c\td\n", ["id", "text"]),
        ('name,text\nx,"a;b"\ny,"c;d"\n', ["name", "text"]), ('name;text\n"x;y,z";1\n', ["name", "text"]),
        ('"a;b","c"\n1,2\n', ["a;b", "c"]), ('"a;b","c;d"\n"1;2","3;4"\n', ["a;b", "c;d"]),
        # The header decides if both the header and the records contain its delimiter.
        ("a;b;c\n1,2;3;4\n1,2,3;4;5\n", ["a", "b", "c"]), ("a,b;c\n1,2;3;4\n", ["a", "b;c"]),
        ("a\tb,c\n1\t2,3\n1\t2\n", ["a", "b,c"]),
        # The delimiter fits most of the records, but not all.
        ("a;b\n1\n3;4\n5;6\n", ["a", "b"]), ("a;b\nx\ny\nz;1\n", ["a;b"]),
        # A single column.
        ("x\n1\n2\n", ["x"]), ("x\n1,2\n3,4\n", ["x"]), ("x\n1;2\n3;4\n", ["x"]), ("a b\n1 2\n", ["a b"]),
        ("a:b\n1:2\n", ["a:b"]),
        # Two delimiters fit equally well.
        ("a,b;c\n", None), ("a,b;c\n1,b;c\n", None), ("a|b,c\n1|2,3\n", None), ("a\tb|c\n1\t2|3\n", None),
        ("a;b,c|d\te\n1;b,c|d\te\n", None),
        # Malformed records do not decide, whether they are one in ten or three in ten.
        ("id,name;nick\n" + "".join(f"{n},Ann{n};A\n" for n in range(8)) + "9,Bo;B,x\n", None),
        ("id,name;nick\n" + "".join(f"{n},Ann{n};A\n" for n in range(6)) + "9,Bo;B,x\n" * 3, ["id,name", "nick"]),
    ]

    def columns(self, *arguments, stdin=b""):
        """The names of the columns in the output of `init`."""
        lines = self.assay("init", *arguments, stdin=stdin, status=0).text.splitlines()
        names = [line.removeprefix("  - name: ") for line in lines if line.startswith("  - name: ")]
        return [name[1:-1].replace("''", "'") if name.startswith("'") else name for name in names]

    def test_by_the_first_records(self):
        for head, columns in self.HEADS:
            content = head.encode()
            with self.subTest(head):
                self.write("t.csv", content)
                if columns is None:
                    self.assertIn(": each gives several columns\n  try:\n", self.assay("init", "t.csv", status=2).err)
                    self.assertIn(": each gives several columns\n  try:\n",
                                  self.assay("check", "-", stdin=content, status=2).err)
                    continue
                self.assertEqual(self.columns("t.csv"), columns)
                if not SLOW:
                    continue
                self.assertEqual(self.columns("-", stdin=content), columns)
                # A check without rules finds the same columns: records with the same number of fields are good.
                rows = "".join(line for line in head.splitlines(keepends=True)[1:])
                self.assay("check", "t.csv", "--report", "r.json", "--force", "-q")
                self.assay("check", "-", "--report", "s.json", "--force", "-q", stdin=content)
                first, second = self.report("r.json")["inputs"][0], self.report("s.json")["inputs"][0]
                for key in ("records", "clean", "rejected", "bytes"):
                    self.assertEqual(first[key], second[key])
                self.assertEqual(first["records"], len(rows.splitlines()))

    @slow
    def test_the_same_for_a_part(self):
        """With or without --head, from a file or a pipe, the first record has the same fields."""
        for head, columns in volume(self.HEADS[::3], self.HEADS):
            # With --head, only the requested records count. The majority of the first two may differ from the majority
            # of all.
            if columns is None or head == "a;b\n1\n3;4\n5;6\n":
                continue
            content = head.encode()
            with self.subTest(head):
                self.write("t.csv", content)
                found = []
                for arguments in (["t.csv"], ["t.csv", "--head", 1], ["-"], ["-", "--head", 1]):
                    self.assay("check", *arguments, "-q", "--findings", "f.jsonl", "--force", stdin=content)
                    found.append([finding for finding in self.findings("f.jsonl") if finding["record"] == 1])
                self.assertEqual(found, found[:1] * 4)

    def test_all_that_fit_are_named(self):
        self.write("t.csv", "a;b,c|d\te\n1;b,c|d\te\n")
        self.assertEqual(
            self.assay("check", "t.csv", "-q", status=2).err,
            "assay: error: t.csv: the delimiter may be ',' or ';' or tab or '|': each gives several columns\n  try:\n"
            "    assay check t.csv --quiet --delimiter ,\n    assay check t.csv --quiet --delimiter ';'\n"
            "    assay check t.csv --quiet --delimiter tab\n    assay check t.csv --quiet --delimiter '|'\n")
        self.write("t.csv", "a|b,c\n")
        self.assertEqual(
            self.assay("check", "t.csv", status=2).err,
            "assay: error: t.csv: the delimiter may be ',' or '|': each gives several columns\n  try:\n"
            "    assay check t.csv --delimiter ,\n    assay check t.csv --delimiter '|'\n")

    @slow
    def test_by_the_columns_of_the_rules(self):
        for content, columns, cells in [
            (b"a,b;c\n1,2;3\n", ["a", "b;c"], [["1", "2;3"]]), (b"a,b;c\n1,2;3\n", ["a,b", "c"], [["1,2", "3"]]),
            (b"a,b;c\n1,2;3\n", ["c"], [["3"]]), (b"a,b;c\n1,2;3\n", ["a"], [["1"]]),
            # The rules override most of the records.
            (b"a;b,c\n1;2\n3;4\n", ["b,c"], [["2"], ["4"]]), (b"a;b,c\n1,2\n3,4\n", ["b,c"], ["structure.fields"] * 2),
            (b"a|b;c\n1|2;3\n", ["a", "b;c"], [["1", "2;3"]]), (b"a\tb;c\n1\t2;3\n", ["a\tb"], [["1\t2"]]),
            # The delimiter that fits the largest number of named columns wins.
            (b"a,b;c,d\n1,2;3,4\n", ["a", "d"], [["1", "4"]]),
            # The whole header may be one name.
            (b"a;b\nok\nno\n", ["a;b"], [["ok"], ["no"]]), (b"a;b\nok;1\nno;2\n", ["a;b"], [["ok;1"], ["no;2"]]),
            (b"a,b\n1,2\n", ["a", "b"], [["1", "2"]]),
        ]:
            with self.subTest(content=content, columns=columns):
                self.assertEqual(self.values(content, columns=columns), cells)
                self.assertEqual(self.values(content, columns=columns, stdin=True), cells)

    def test_a_flag_and_a_rule_file_win(self):
        content = b"a;b\n1;2\n"
        self.assertEqual(self.values(content, "--delimiter", ",", columns=["a;b"]), [["1;2"]])
        self.assertEqual(self.values(content, columns=["a;b"], dialect={"delimiter": ","}), [["1;2"]])
        self.assertEqual(self.values(content, "--delimiter", ";", columns=["a", "b"], dialect={"delimiter": ","}),
                         [["1", "2"]])
        rules = self.rules("a", "b", name="c.json", dialect={"delimiter": ","})
        self.write("t.csv", content)
        self.assertEqual(
            self.assay("check", "t.csv", "-r", rules, status=2).err,
            "assay: error: t.csv:1: the header is a single column when read with ',', but it contains ';'\n"
            "  try:\n    assay check t.csv --rules c.json --delimiter ';'\n")

    def test_tsv_means_tab(self):
        self.write("t.tsv", "a;b\tc\n1;2\t3\n")
        self.assertEqual(self.columns("t.tsv"), ["a;b", "c"])
        self.assertEqual(self.values(b"a;b\tc\n1;2\t3\n", "--delimiter", ";", columns=["a", "b\tc"]), [["1", "2\t3"]])
        self.assay("check", "t.tsv", "--delimiter", ";", "-r", self.rules("b\tc"), "-q", status=0)
        self.write("t.TSV", "a;b\n1;2\n")
        self.assertEqual(self.columns("t.TSV"), ["a;b"])
        self.assay("check", "t.TSV", "-r", self.rules("a", dialect={"delimiter": ";"}), status=0)

    def test_without_a_header(self):
        for content, cells in [
            (b"1;2\n3;4\n", [["1", "2"], ["3", "4"]]), (b"1|2\n3|4\n", [["1", "2"], ["3", "4"]]),
            (b"1,5;2\n3,5;4\n", None), (b"1,5;2\n3;4\n", [["1,5", "2"], ["3", "4"]]),
        ]:
            with self.subTest(content):
                if cells is None:
                    self.write("t.csv", content)
                    self.assertIn(
                        "\n  try:\n    assay check t.csv --no-header --delimiter ,\n"
                        "    assay check t.csv --no-header --delimiter ';'\n",
                        self.assay("check", "t.csv", "--no-header", status=2).err)
                else:
                    self.assertEqual(self.values(content, "--no-header", columns=["a", "b"]), cells)

    def test_characters_with_another_meaning_are_not_chosen(self):
        self.assertEqual(self.values(b"a|b,c\n1|2,3\n", "--comment", "|", columns=["a|b", "c"]), [["1|2", "3"]])
        self.assertEqual(self.values(b"a|b,c\n1|2,3\n", "--escape", "|", columns=["ab", "c"]), [["12", "3"]])
        self.assertEqual(self.values(b"|a;b|,c\n|1;2|,3\n", "--quote", "|", columns=["a;b", "c"]), [["1;2", "3"]])

    def test_the_first_records_decide_alone(self):
        """Later records do not influence the choice, and Assay does not wait for more input from a pipe."""
        content = b"a,b;c\n1,2;3;4\n" + b"1,2,3;4\n" * 9
        for arguments, rest in ((["t.csv"], b""), (["-"], content)):
            self.write("t.csv", content)
            self.assay("check", *arguments, "--head", 1, "-q", stdin=rest, status=0)
            self.assertEqual(
                self.assay("check", *arguments, "--head", 0, stdin=rest, status=2).err.count("--delimiter"), 2)
        process = self.start("check", "-", "--head", 1, "-q", "--findings", "f.jsonl", "-r", self.rules(every("b")))
        process.stdin.write(b"a;b\n1,5;2\n")
        process.stdin.flush()
        self.assertEqual(process.wait(PATIENCE), 1)
        self.assertEqual(self.places(), [(1, 2, 8, "b")])

    def test_both_outputs_keep_it(self):
        for delimiter in (";", "\t", "|"):
            with self.subTest(delimiter):
                table = "a,b\nx,1\ny,2\nz\n".replace(",", delimiter).encode()
                good, bad = self.clean(table, "--annotate", rules=[{"name": "a", "constraints": {"pattern": "x"}}])
                self.assertEqual(good.decode(), f"a{delimiter}b\nx{delimiter}1\n")
                self.assertEqual(
                    bad.decode(), "a,b,_line,_reasons\ny,2,3,a.pattern\nz,4,structure.fields\n".replace(",", delimiter))

    def test_the_terminator_is_looked_for_with_the_chosen_delimiter(self):
        """A terminator in quotes does not end a record, and a bare CR after an LF is data."""
        for options in (["--delimiter", ";"], []):
            with self.subTest(options):
                self.assertEqual(self.values(b'a;"b\rc"\n1;x\ry\n', *options, columns=["a", "b\rc"]), [["1", "x\ry"]])
                self.assertEqual(self.values(b'a;"b\nc"\r1;2\r', *options, columns=["a", "b\nc"]), [["1", "2"]])

    def test_the_choice_is_reported(self):
        """Assay reports every choice other than the comma."""
        self.write("t.csv", "a;b\n1;2\n")
        self.assertIn("';'", self.assay("check", "t.csv", status=0).err)
        self.write("t.csv", "a,b\n1,2\n")
        self.assertNotIn("','", self.assay("check", "t.csv", status=0).err)


class NoteTests(DialectTest):
    """The line `sep=;`, which Excel writes above a header."""

    @slow
    def test_it_is_obeyed_and_kept(self):
        rule = {"name": "b", "constraints": {"pattern": "ok"}}
        for delimiter in ";,\t|:#":
            for mark in (b"", BOM):
                for end in ("\n", "\r\n", "\r"):
                    with self.subTest(delimiter=delimiter, mark=mark, end=end):
                        lines = [f"sep={delimiter}{end}", f"a{delimiter}b{end}", f"1{delimiter}ok{end}",
                                 f"2{delimiter}no{end}"]
                        head = mark + "".join(lines[:2]).encode()
                        table = head + "".join(lines[2:]).encode()
                        expected = (head + lines[2].encode(), head + lines[3].encode())
                        self.assertEqual(self.clean(table, rules=[rule]), expected)
                        self.assertEqual(self.places(), [(2, 4, len(head) + len(lines[2]) + 2, "b")])
                        self.assay("clean", "-", "-r", "rules.json", "-q", "--rejects", "bad",
                                   "--force", stdin=table, status=0)
                        self.assertEqual(self.read("bad"), expected[1])

    def test_it_has_precedence_over_records_but_not_over_options(self):
        content = b"sep=;\na,b;c,d\n1,2;3,4\n"
        self.assertEqual(self.values(content, columns=["a,b", "c,d"]), [["1,2", "3,4"]])
        self.assertEqual(self.values(content, "--delimiter", ",", columns=["a", "b;c", "d"]), [["1", "2;3", "4"]])
        self.assertEqual(self.values(content, columns=["a", "b;c", "d"], dialect={"delimiter": ","}),
                         [["1", "2;3", "4"]])
        good, bad = self.clean(content, "--delimiter", ",", rules=[every("a")])
        self.assertEqual((good, bad), (b"sep=;\na,b;c,d\n", content))

    def test_texts_that_are_not_notes(self):
        for content, columns in [
            (b"sep=,b\n1,2\n", ["sep=", "b"]), (b"sep=\n1\n", ["sep="]), (b"Sep=;\n1;2\n", ["Sep=", ""]),
            (b"sep=;;\n1;2;3\n", ["sep=", "", ""]), (b" sep=;\n1;2\n", [" sep=", ""]),
            (b"xsep=;\n1;2\n", ["xsep=", ""]),
        ]:
            with self.subTest(content):
                self.write("t.csv", content)
                self.assay("check", "t.csv", "-r", self.rules(columns[0]), "-q", status=0)
        self.write("t.csv", "a;b\nsep=;\n1;2\n")
        self.assay("check", "t.csv", "-q", status=0)

    def test_lines_below_it_are_skipped(self):
        content = b"sep=;\nExport\na;b\n1;2\n"
        good, bad = self.clean(content, "--skip", 1, rules=[every("a")])
        self.assertEqual((good, bad), (b"sep=;\nExport\na;b\n", content))
        self.assertEqual(self.places(), [(1, 4, 17, "a")])

    def test_a_character_with_another_meaning(self):
        for note, options in (("#", ["--comment", "#"]), ('"', []), ("!", ["--escape", "!"]), (";", ["--quote", ";"])):
            with self.subTest(note):
                self.write("t.csv", f"sep={note}\na{note}b\n1{note}2\n")
                outcome = self.assay("check", "t.csv", *options, status=2)
                self.assertIn(" are the same character\n", outcome.err)

    def test_nothing_below_it(self):
        self.write("t.csv", "sep=;\n")
        self.assertIn("t.csv is empty", self.assay("check", "t.csv", status=2).err)
        good, bad = self.clean(b"sep=;\n", "--no-header")
        self.assertEqual((good, bad), (b"sep=;\n", b"sep=;\n"))


class SkipTests(DialectTest):
    RULE = {"name": "b", "constraints": {"pattern": "ok"}}

    @slow
    def test_lines_go_to_both_outputs(self):
        for mark in (b"", BOM):
            for end in ("\n", "\r\n", "\r"):
                for skipped in (["Export of today"], ["", ""], ['"', 'x,"y'], ["a,b", "", "é;|\t"]):
                    with self.subTest(mark=mark, end=end, skipped=skipped):
                        above = mark + "".join(line + end for line in skipped).encode()
                        head = above + f"a,b{end}".encode()
                        rows = [f"1,ok{end}".encode(), f'2,"n{end}o"{end}'.encode(), f"3,no{end}".encode()]
                        good, bad = self.clean(head + b"".join(rows), "--skip", len(skipped), rules=[self.RULE])
                        self.assertEqual(good, head + rows[0])
                        self.assertEqual(bad, head + rows[1] + rows[2])
                        line = len(skipped) + 2
                        self.assertEqual(self.places(), [
                            (2, line + 1, len(head) + len(rows[0]) + 2, "b"),
                            (3, line + 3, len(head) + len(rows[0]) + len(rows[1]) + 2, "b")])
                        declared = self.clean(head + b"".join(rows), rules=[self.RULE], dialect={"skip": len(skipped)})
                        self.assertEqual(declared, (good, bad))
                        outcome = self.assay(
                            "clean", "-", "-r", "rules.json", "-q", "--rejects", "bad",
                            "--force", stdin=head + b"".join(rows), status=0)
                        self.assertEqual((outcome.out, self.read("bad")), (good, bad))

    def test_the_flag_wins(self):
        content = b"one\ntwo\na,b\n1,ok\n"
        self.assertEqual(self.clean(content, "--skip", 2, rules=[self.RULE], dialect={"skip": 1})[0], content)
        self.clean(content, "--skip", 0, rules=[self.RULE], dialect={"skip": 2}, status=2)

    def test_without_a_header(self):
        good, bad = self.clean(b"one\n1,2\n3\n", "--skip", 1, "--no-header", rules=["a", "b"])
        self.assertEqual((good, bad), (b"one\n1,2\n", b"one\n3\n"))
        self.assertEqual(self.places(), [(2, 3, 8, None)])

    @slow
    def test_all_lines_are_skipped(self):
        content = b"one\na,b\n1,ok\n"
        self.write("t.csv", content)
        for skip in (3, 4, 100_000):
            with self.subTest(skip):
                self.assertIn(
                    "t.csv is empty behind the lines that are skipped: a header was expected",
                    self.assay("check", "t.csv", "--skip", skip, status=2).err)
                self.assertIn("is empty behind the lines that are skipped: a header",
                              self.assay("check", "-", "--skip", skip, stdin=content, status=2).err)
                self.assertEqual(self.clean(content, "--skip", skip, "--no-header"), (content, content))
                self.assertEqual(self.report("r.json")["inputs"][0]["records"], 0)
        for skip in ("-1", "100001", "x", "1.5", ""):
            with self.subTest(skip):
                self.assertIn("--skip", self.assay("check", "t.csv", "--skip", skip, status=2).err)
                self.assertIn("skip", self.assay(
                    "check", "t.csv", "-r", self.rules(name="bad.json", dialect={"skip": skip}), status=2).err)

    def test_columns_in_a_later_line_make_a_command(self):
        for content, lines in [
            ("Export\na,b\n1,ok\n", 1), ("Export\n\n\na,b\n1,ok\n", 3), ('"Ex\nport"\n\na,b\n1,ok\n', 3),
            ("x,y\n1,2\nb,a\nok,1\n", 2), ("Export\r\n\r\na,b\r\n1,ok\r\n", 2), ("\ufeffExport\na,b\n1,ok\n", 1),
            ("Export\r\ra,b\r1,ok\r", 2),
            ("Export\n\na;b\n1;ok\n", "--delimiter ';' --skip 2"),
            ("Export, of all\na\tb\n1\tok\n", "--delimiter tab --skip 1"),
        ]:
            with self.subTest(content):
                self.write("t.csv", content)
                rules = self.rules("a", self.RULE)
                error = self.assay("check", "t.csv", "-r", rules, status=2).err
                options = lines if isinstance(lines, str) else f"--skip {lines}"
                self.assertTrue(error.endswith(f"\n  try:\n    assay check t.csv --rules rules.json {options}\n"),
                                error)
                self.shell(f"assay check t.csv --rules rules.json {options} -q", status=0)

    def test_no_command_if_they_do_not_occur(self):
        self.write("t.csv", "Export\na,c\n1,ok\n")
        self.assertNotIn("--skip", self.assay("check", "t.csv", "-r", self.rules("a", "b"), status=2).err)

    def test_commands_work_wherever_they_are_suggested(self):
        self.write("t.csv", "Export\na,b\n1,ok\n")
        self.rules("a", "b")
        for command in ("check", "clean", "bench"):
            with self.subTest(command):
                error = self.assay(command, "t.csv", "-r", "rules.json", status=2).err
                self.shell(error.split("  try:\n")[1].strip(), status=0)


class HeaderRowTests(DialectTest):
    def test_names_of_several_records(self):
        content = b"id,address,,\n,street,town,\n1,x,y,z\n2,x,ok,z\n"
        dialect = {"headerRows": [1, 2]}
        good, bad = self.clean(content, "--annotate", rules=[{"name": "town", "constraints": {"pattern": "ok"}}],
                               dialect=dialect)
        head = b"id,address,,\n,street,town,\n"
        self.assertEqual(good, head + b"2,x,ok,z\n")
        self.assertEqual(bad, b"id,address,,\n,street,town,,_line,_reasons\n1,x,y,z,3,town.pattern\n")
        self.assertEqual(self.places(), [(1, 3, len(head) + 4, "town")])
        for columns, join in ((["id", "address street", "town", ""], None), (["id", "address/street", "town", ""], "/"),
                              (["id", "addressstreet", "town", ""], "")):
            more = dialect | ({} if join is None else {"headerJoin": join})
            self.assertEqual(self.values(content, columns=columns, dialect=more),
                             [["1", "x", "y", "z"], ["2", "x", "ok", "z"]])

    def test_only_a_later_one(self):
        content = b"Some,words\na,b\n1,2\n"
        good, bad = self.clean(content, "--annotate", rules=[every("b")], dialect={"headerRows": [2]})
        self.assertEqual((good, bad), (b"Some,words\na,b\n", b"Some,words\na,b,_line,_reasons\n1,2,3,b.every\n"))
        self.assertEqual(self.places(), [(1, 3, 17, "b")])
        self.assertEqual(self.values(b"x,y\na,b\nc,d\n1,2\n", columns=["x c", "y d"], dialect={"headerRows": [1, 3]}),
                         [["1", "2"]])

    def test_quotes_and_lines_in_them(self):
        content = b'"a\n1",b\r\n"c""",d\r\n1,2\r\n'
        self.assertEqual(self.values(content, columns=['a\n1 c"', "b d"], dialect={"headerRows": [1, 2]}), [["1", "2"]])
        good, bad = self.clean(content, rules=[every("b d")], dialect={"headerRows": [1, 2]})
        self.assertEqual((good, bad), (content[:-5], content))
        self.assertEqual(self.places(), [(1, 4, len(content) - 3, "b d")])

    def test_rows_of_other_lengths(self):
        self.assertEqual(self.values(b"a\nb,c\n1,2\n", columns=["a b", "c"],
                                     dialect={"headerRows": [1, 2], "delimiter": ","}), [["1", "2"]])
        self.assertEqual(self.values(b"a,b\nc\n1,2\n", columns=["a c", "b"], dialect={"headerRows": [1, 2]}),
                         [["1", "2"]])

    def test_too_few_values(self):
        self.write("t.csv", "a,b\n")
        outcome = self.assay("check", "t.csv", "-r", self.rules("a", dialect={"headerRows": [1, 2]}), status=2)
        self.assertIn("a header was expected", outcome.err)
        self.assertEqual(self.clean(b"a,b\nc,d\n", rules=["a c"], dialect={"headerRows": [1, 2]}), (b"a,b\nc,d\n",) * 2)

    def test_none_of_them(self):
        self.assertEqual(self.values(b"1,2\n3,4\n", columns=["a", "b"], dialect={"headerRows": []}),
                         [["1", "2"], ["3", "4"]])

    def test_mistakes(self):
        for rows in ([0], [2, 1], [1, 1], ["x"], 1, [65], list(range(1, 18)), [1.5]):
            with self.subTest(rows):
                rules = self.rules(dialect={"headerRows": rows})
                self.assertIn("headerRows is a list of ascending numbers",
                              self.assay("rules", "check", rules, status=2).err)

    def test_the_first_records_do_not_count_the_header(self):
        content = b"a,b\nc,d\n1,2\n3,4\n5,6\n"
        good, _ = self.clean(content, "--head", 2, rules=["a c"], dialect={"headerRows": [1, 2]})
        self.assertEqual(good, content[:-4])


class CommentTests(DialectTest):
    def test_they_stay_among_the_clean_rows(self):
        content = b"# first\na,b\n# second, \"one\n1,x\n#\n2,y\n3\n#last"
        rule = {"name": "b", "constraints": {"pattern": "x"}}
        for options, more in ((["--comment", "#"], {}), ([], {"dialect": {"commentChar": "#"}})):
            good, bad = self.clean(content, "--annotate", *options, rules=[rule], **more)
            self.assertEqual(good, b"# first\na,b\n# second, \"one\n1,x\n#\n#last")
            self.assertEqual(bad, b"# first\na,b,_line,_reasons\n2,y,6,b.pattern\n3,7,structure.fields\n")
            self.assertEqual(self.places(), [(2, 6, 35, "b"), (3, 7, 37, None)])
            inputs = self.report("r.json")["inputs"][0]
            self.assertEqual((inputs["records"], inputs["clean"], inputs["rejected"]), (3, 1, 2))

    def test_without_the_character_they_are_records(self):
        content = b"a,b\n# x\n1,2\n"
        good, bad = self.clean(content, rules=["a"])
        self.assertEqual((good, bad), (b"a,b\n1,2\n", b"a,b\n# x\n"))
        good, bad = self.clean(content, "--comment", "none", rules=["a"], dialect={"commentChar": "#"})
        self.assertEqual((good, bad), (b"a,b\n1,2\n", b"a,b\n# x\n"))

    def test_only_at_the_start_of_a_record(self):
        content = b'a,b\n1,#x\n"1\n#2",3\n #,4\n"#",5\n'
        self.assertEqual(self.values(content, "--comment", "#", columns=["a", "b"]),
                         [["1", "#x"], ["1\n#2", "3"], [" #", "4"], ["#", "5"]])

    def test_heads_do_not_count_them(self):
        content = b"# c\na,b\n#1\n1,2\n#2\n#3\n3,4\n#4\n5,6\n#5\n"
        for head, kept in ((0, b"# c\na,b\n"), (1, b"# c\na,b\n#1\n1,2\n"), (2, b"# c\na,b\n#1\n1,2\n#2\n#3\n3,4\n")):
            with self.subTest(head):
                good, bad = self.clean(content, "--comment", "#", "--head", head, rules=["a"])
                self.assertEqual((good, bad), (kept, b"# c\na,b\n"))
                outcome = self.assay("clean", "-", "-r", "rules.json", "-q", "--rejects", "none", "--comment", "#",
                                     "--head", head, stdin=content, status=0)
                self.assertEqual(outcome.out, kept)
        good, _ = self.clean(content, "--comment", "#", "--head", 3, rules=["a"])
        self.assertIn(good, (content, content[:-3]))

    def test_only_comments(self):
        content = b"# a\n# b"
        self.write("t.csv", content)
        self.assertIn("t.csv is empty: a header was expected",
                      self.assay("check", "t.csv", "--comment", "#", status=2).err)
        good, bad = self.clean(content, "--comment", "#", "--no-header")
        self.assertEqual((good, bad), (content, b""))
        self.assertEqual(self.report("r.json")["inputs"][0]["records"], 0)
        content = b"a,b\n# x\n# y\n"
        self.assertEqual(self.clean(content, "--comment", "#", rules=["a"]), (content, b"a,b\n"))

    def test_between_two_rows_of_a_header(self):
        content = b"#0\na,b\n#1\n#2\nc,d\n#3\n1,2\n3,4\n"
        good, bad = self.clean(
            content, "--annotate", rules=[{"name": "b d", "constraints": {"pattern": "2"}}],
            dialect={"headerRows": [1, 2], "commentChar": "#"})
        self.assertEqual(good, b"#0\na,b\n#1\n#2\nc,d\n#3\n1,2\n")
        self.assertEqual(bad, b"#0\na,b\n#1\n#2\nc,d,_line,_reasons\n3,4,8,b d.pattern\n")
        self.assertEqual(self.places(), [(2, 8, 26, "b d")])

    def test_terminators(self):
        for end in (b"\n", b"\r\n", b"\r"):
            with self.subTest(end):
                content = end.join([b"# \"", b"a,b", b"#,\"", b"1,2", b"#'", b"3", b""])
                good, bad = self.clean(content, "--comment", "#", rules=["a"])
                self.assertEqual(good, end.join([b"# \"", b"a,b", b"#,\"", b"1,2", b"#'", b""]))
                self.assertEqual(bad, end.join([b"# \"", b"a,b", b"3", b""]))
                self.assertEqual(self.places()[0][:2], (2, 6))

    def test_quotes_in_them_hide_no_terminator(self):
        """The search for the first terminator includes comments."""
        self.assertEqual(self.values(b'#,"x\na,b\n1,"2\r3"\n1,y\rz\n', "--comment", "#", columns=["a", "b"]),
                         [["1", "2\r3"], ["1", "y\rz"]])

    def test_the_delimiter_is_not_looked_for_in_them(self):
        self.assertEqual(self.values(b"# x,y,z\n# x,y,z\na;b\n# p,q\n1;2\n", "--comment", "#", columns=["a", "b"]),
                         [["1", "2"]])
        self.write("t.csv", b"# x,y,z\n# x,y,z\na;b\n# p,q\n1;2\n")
        self.assay("check", "t.csv", "--comment", "#", "-q", "--report", "r.json", status=0)
        self.assertIn("delimiter: ';'", self.assay("init", "-", stdin=b"a;b\n1;2\n", status=0).text)


class EscapeTests(DialectTest):
    MYSQL = {"delimiter": "tab", "quoteChar": None, "escapeChar": "\\"}

    def test_a_dump_of_mysql(self):
        content = (b"id\ttext\n0\tform\\feed\\vtab\n1\tone\\ttwo\n2\tback\\\\slash\n3\t\\N\n4\tline\\\nfeed\n5\tnew\\n"
                   b"line\\r\\0\\b\\Z\\x\\\"\n6\t\\\\N\n7\tx\\\tyes\n8\t\\NN\n")
        cells = [["0", "form\feed\vtab"], ["1", "one\ttwo"], ["2", "back\\slash"], ["3", "\\N"], ["4", "line\nfeed"],
                 ["5", "new\nline\r\0\b\x1ax\""], ["6", "\\N"], ["7", "x\tyes"], ["8", "NN"]]
        self.assertEqual(self.values(content, columns=["id", "text"], dialect=self.MYSQL), cells)
        self.assertEqual(
            self.values(content, "--delimiter", "tab", "--quote", "none", "--escape", "\\", columns=["id", "text"]),
            cells)
        self.assertEqual(self.values(content, columns=["id", "text"], dialect=self.MYSQL, stdin=True), cells)

    def test_missing_values(self):
        content = b"id\ttext\n1\t\\N\n2\t\n3\tN\n4\t\\\\N\n"
        required = {"name": "text", "constraints": {"required": True}}
        good, bad = self.clean(content, rules=[required], dialect=self.MYSQL, missingValues=["\\N"])
        # An escaped backslash followed by N is text, although the value in a NULL cell is the same.
        self.assertEqual(good, b"id\ttext\n2\t\n3\tN\n4\t\\\\N\n")
        self.assertEqual(bad, b"id\ttext\n1\t\\N\n")
        self.assertEqual(self.places(), [(1, 2, 10, "text")])
        lower = {"name": "text", "constraints": {"pattern": "[a-z]*"}}
        _, bad = self.clean(content, rules=[lower], dialect=self.MYSQL, missingValues=["\\N"])
        self.assertEqual(bad, b"id\ttext\n3\tN\n4\t\\\\N\n")
        # A default does not replace it either.
        content = b"id\ttext\n1\t\\N\n2\t\\\\N\n3\tx\n"
        repairs = {"name": "text", "repair": [{"default": "y"}]}
        good, bad = self.clean(content, rules=[repairs], dialect=self.MYSQL, missingValues=["\\N"])
        self.assertEqual((good, bad), (b"id\ttext\n1\ty\n2\t\\\\N\n3\tx\n", b"id\ttext\n"))

    def test_places_of_the_following_text(self):
        """Escaped terminators do not end records, but they count as lines."""
        content = b'a,b\n1\\\n2,x\\\r\ny\n"3\\"\n",4\n5,6\n'
        self.assertEqual(self.values(content, "--escape", "\\", columns=["a", "b"]),
                         [["1\n2", "x\r\ny"], ['3"\n', "4"], ["5", "6"]])
        good, bad = self.clean(content, "--annotate", rules=[every("a"), every("b")], dialect={"escapeChar": "\\"})
        self.assertEqual(good, b"a,b\n")
        self.assertEqual(bad, b'a,b,_line,_reasons\n1\\\n2,x\\\r\ny,2,a.every;b.every\n"3\\"\n",4,5,a.every;b.every\n'
                              b'5,6,7,a.every;b.every\n')
        self.assertEqual(self.places(), [
            (1, 2, 4, "a"), (1, 3, 9, "b"), (2, 5, 15, "a"), (2, 6, 22, "b"), (3, 7, 24, "a"), (3, 7, 26, "b")])

    def test_annotated_records_that_end_in_an_escape(self):
        rules = [{"name": "id", "type": "integer"}]
        for content, expected in ((b'id,b\nx,"q"\nx,end\\',
                                   b'id,b,_line,_reasons\nx,"q",2,id.type\nx,end\\\\,3,id.type'),
                                  (b"id,b\nx,y\\\\", b"id,b,_line,_reasons\nx,y\\\\,2,id.type"),
                                  (b'id,b\n8,"x\\', b'id,b,_line,_reasons\n8,"x\\\\",2,structure.quote'),
                                  (b"id,b\\", b"id,b\\\\,_line,_reasons")):
            _, bad = self.clean(content, "--annotate", "--escape", "\\", rules=rules, fieldsMatch="subset")
            self.assertEqual(bad, expected)

    def test_in_quotes(self):
        content = b'a,b\n"x\\"y","p""q"\n"\\\\",\\"z\n"a\\,b",c\\,d\n'
        self.assertEqual(
            self.values(content, "--escape", "\\", columns=["a", "b"]), [['x"y', 'p"q'], ["\\", '"z'], ["a,b", "c,d"]])

    def test_another_character(self):
        """Only after a backslash do letters have a special meaning."""
        self.assertEqual(self.values(b"a,b\n1!,2,!n!!!N\n!N,3\n", "--escape", "!", columns=["a", "b"]),
                         [["1,2", "n!N"], ["N", "3"]])

    def test_names_of_columns(self):
        self.assertEqual(self.values(b"a\\,b,c\\\nd\n1,2\n", "--escape", "\\", columns=["a,b", "c\nd"]), [["1", "2"]])

    def test_at_the_end(self):
        self.assertEqual(self.values(b"a,b\n1,2\\", "--escape", "\\", columns=["a", "b"]), [["1", "2\\"]])
        self.assertEqual(self.clean(b"a,b\n1,2\\", "--escape", "\\", rules=["a"]), (b"a,b\n1,2\\", b"a,b\n"))

    def test_without_one_backslashes_are_data(self):
        self.assertEqual(self.values(b"a,b\n\\N,x\\\n", columns=["a", "b"]), [["\\N", "x\\"]])
        self.assertEqual(self.values(b"a,b\n\\N,x\\\n", "--escape", "none", columns=["a", "b"],
                                     dialect={"escapeChar": "\\"}), [["\\N", "x\\"]])

    def test_an_unclosed_quote_gives_up_its_line_only(self):
        content = b'a,b\n1,"x\\\ny\n2,3\n'
        good, bad = self.clean(content, "--escape", "\\", rules=["a"])
        self.assertEqual((good, bad), (b"a,b\n2,3\n", b'a,b\n1,"x\\\ny\n'))
        self.assertEqual([finding["code"] for finding in self.findings("f.jsonl")], ["structure.quote"])


class TwoCharacterTests(DialectTest):
    def test_delimiters(self):
        for delimiter in ("||", "::", "~|", ", ", "\t\t", "ab"):
            with self.subTest(delimiter):
                one, two = delimiter[0], delimiter[1]
                rows = [["1", f"x{one}y"], [f'"p{delimiter}q"', f"z{two}"], ["3", "no"]]
                if one == two:
                    rows[1][1] = "z"
                texts = [["1", f"x{one}y"], [f"p{delimiter}q", rows[1][1]], ["3", "no"]]
                content = (f"i{delimiter}j\n" + "".join(f"{delimiter.join(row)}\n" for row in rows)).encode()
                declared = "tab" if delimiter == "\t" else delimiter
                self.assertEqual(self.values(content, "--delimiter", declared, columns=["i", "j"]), texts)
                self.assertEqual(self.values(content, columns=["i", "j"], dialect={"delimiter": declared}), texts)

    def test_outputs_and_places(self):
        content = b"id||name\n1||x\n2||y|z\n3|x|y\n||\n|||x\n"
        good, bad = self.clean(
            content, "--annotate", rules=["id", {"name": "name", "constraints": {"pattern": "x"}}],
            dialect={"delimiter": "||"})
        self.assertEqual(good, b"id||name\n1||x\n||\n")
        self.assertEqual(
            bad,
            b"id||name||_line||_reasons\n2||y|z||3||name.pattern\n3|x|y||4||structure.fields\n|||x||6||name.pattern\n")
        self.assertEqual(self.places(), [(2, 3, 17, "name"), (3, 4, 21, None), (5, 6, 32, "name")])

    def test_annotated_records_that_end_in_half_a_delimiter(self):
        """They stay unchanged, because a delimiter after them would begin with that half."""
        rules, dialect = [{"name": "a", "type": "integer"}], {"delimiter": "::"}
        content = b'a::b\nx::y:\nx::y\nx:\nx::::\nx::"y:"\nx::"y:\n'
        _, bad = self.clean(content, "--annotate", rules=rules, dialect=dialect)
        self.assertEqual(
            bad, b'a::b::_line::_reasons\nx::y:\nx::y::3::a.type\nx:\nx::::::5::structure.fields\nx::"y:"::6::a.type\n'
                 b'x::"y:"::7::structure.quote\n')
        self.write("h.csv", b"a::b:\n1::2\n")
        outcome = self.assay("clean", "h.csv", "-r", self.rules(*rules, dialect=dialect), "--annotate", status=2)
        self.assertIn("--annotate cannot add columns to a header that ends in half of a delimiter", outcome.err)
        self.assertFalse(self.exists("h.rejects.csv"))

    def test_the_first_character_alone_opens_no_quotes(self):
        self.assertEqual(self.values(b'a|"b||c\n1|"||"2\n3"\n', "--delimiter", "||", columns=['a|"b', "c"]),
                         [['1|"', "2\n3"]])
        self.assertEqual(self.values(b'a|"b||c\nx||y"\rz\n', "--delimiter", "||", columns=['a|"b', "c"]),
                         [["x", 'y"\rz']])

    def test_the_wrong_one_is_doubted(self):
        self.write("t.csv", "a;b\n1;2\n")
        outcome = self.assay("check", "t.csv", "-r", self.rules("a", "b"), "--delimiter", "||", status=2)
        self.assertEqual(
            outcome.err,
            "assay: error: t.csv:1: the header is a single column when read with '||', but it contains ';'\n"
            "  try:\n    assay check t.csv --rules rules.json --delimiter ';'\n")

    def test_a_skeleton_of_a_dump(self):
        self.write("t.csv", "# of users\n1\tAnna\\\tLee\n2\t\\N\n")
        arguments = ["--delimiter", "tab", "--quote", "none", "--no-header", "--escape", "\\", "--comment", "#"]
        text = self.assay("init", "t.csv", *arguments, status=0).text
        self.assertEqual(
            text[text.index("dialect:"):text.index("fields:")],
            "dialect:\n  delimiter: tab\n  escapeChar: '\\'\n  commentChar: '#'\n  quoteChar: none\n"
            "  header: false\n\n")
        self.assertEqual([line for line in text.splitlines() if line.startswith("  - ")],
                         ["  - name: column 1", "  - name: column 2"])
        self.write("t.yaml", text)
        self.assertIn("  clean                 2      100 %\n",
                      self.assay("check", "t.csv", "-r", "t.yaml", status=0).err)

    def test_a_skeleton_has_it(self):
        self.write("t.csv", "a||b\n1||2\n")
        text = self.assay("init", "t.csv", "--delimiter", "||", status=0).text
        self.assertIn("\n  delimiter: '||'\n", text)
        self.write("t.yaml", text)
        self.assay("check", "t.csv", "-r", "t.yaml", "-q", status=0)


class InitialSpaceTests(DialectTest):
    def test_before_fields_and_behind_quotes(self):
        content = b'a, "b"\t, c\n 1,\t"x, y" ,z \n  "2" ,  , "p""q"\t \n'
        cells = [["1", "x, y", "z "], ["2", "", 'p"q']]
        self.assertEqual(self.values(content, columns=["a", "b", "c"], dialect={"skipInitialSpace": True}), cells)
        good, bad = self.clean(content, rules=[{"name": "b", "constraints": {"enum": ["x, y"]}}, "c"],
                               dialect={"skipInitialSpace": True}, missingValues=[])
        lines = content.splitlines(keepends=True)
        self.assertEqual((good, bad), (lines[0] + lines[1], lines[0] + lines[2]))

    def test_without_it_they_are_text(self):
        self.assertEqual(self.values(b'a,b\n 1, "x"\n"y" ,2\n', columns=["a", "b"]),
                         [[" 1", ' "x"'], "structure.quote"])

    def test_text_behind_the_closing_quote(self):
        self.assertEqual(
            self.values(b'a,b\n1, "x" y\n2,"x" "\n3,"x"  \r\n', columns=["a", "b"], dialect={"skipInitialSpace": True}),
            ["structure.quote", "structure.quote", ["3", "x"]])

    def test_a_tab_that_is_the_delimiter(self):
        self.assertEqual(
            self.values(b'a\tb\n 1\t\t\n 2\t "x" \n', columns=["a", "b"],
                        dialect={"skipInitialSpace": True, "delimiter": "tab"}),
            ["structure.fields", ["2", "x"]])

    def test_a_quote_behind_spaces_hides_terminators(self):
        for content, columns, cells in [
            (b'a, "b\nc"\r1,2\r', ["a", "b\nc"], [["1", "2"]]),
            (b'a, "b\rc"\n1,x\ry\n', ["a", "b\rc"], [["1", "x\ry"]]),
        ]:
            with self.subTest(content):
                self.assertEqual(self.values(content, columns=columns, dialect={"skipInitialSpace": True}), cells)

    def test_places_are_those_of_the_fields(self):
        content = b'a, b\n1,  x\n'
        self.clean(content, rules=[every("b")], dialect={"skipInitialSpace": True})
        self.assertEqual(self.places(), [(1, 2, 7, "b")])

    def test_as_python_reads_it(self):
        content = b'a, b, c\n1,  "x, y", z\n"p", q,r \n'
        rows = list(csv.reader(io.StringIO(content.decode()), skipinitialspace=True))
        self.assertEqual(self.values(content, columns=rows[0], dialect={"skipInitialSpace": True}), rows[1:])


    def test_the_option_and_a_space_as_the_delimiter(self):
        content = b'a, "b"\n1, "x, y"\n'
        self.assertEqual(self.values(content, "--skip-initial-space", columns=["a", "b"]), [["1", "x, y"]])
        for delimiter in ("space", " "):
            with self.subTest(delimiter):
                self.assertEqual(
                    self.values(b'a b\n1 "x y"\n', "--delimiter", delimiter, columns=["a", "b"]), [["1", "x y"]])
        self.write("t.csv", content)
        for command in (["infer"], ["init"], ["profile", "--format", "csv"]):
            with self.subTest(command):
                outcome = self.assay(*command, "t.csv", "--skip-initial-space", status=0)
                self.assertIn("b", outcome.text)
                self.assertNotIn('"b"', outcome.text)
        self.assertIn("\n  skipInitialSpace: true\n",
                      self.assay("init", "t.csv", "--skip-initial-space", status=0).text)


class TrailingDelimiterTests(DialectTest):
    RULES = [{"name": "b", "constraints": {"pattern": "ok"}}]

    def test_one_empty_field_more(self):
        content = b'a,b\n1,ok\n2,ok,\n3,no,\n4,ok,,\n5,ok,""\n6,ok,x\n7\n8,\n9,ok,\r\n'
        for options, more in ((["--trailing-delimiter"], {}), ([], {"dialect": {"trailingDelimiter": True}})):
            for threads in THREADS:
                good, bad = self.clean(content, *options, "--threads", threads, rules=self.RULES, **more)
                self.assertEqual(good, b"a,b\n1,ok\n2,ok,\n8,\n9,ok,\r\n")
                self.assertEqual(bad, b'a,b\n3,no,\n4,ok,,\n5,ok,""\n6,ok,x\n7\n')
                self.assertEqual([(f["record"], f["code"]) for f in self.findings("f.jsonl")],
                                 [(3, "pattern"), (4, "structure.fields"), (5, "structure.fields"),
                                  (6, "structure.fields"), (7, "structure.fields")])

    def test_without_it_they_are_rejects(self):
        content = b"a,b\n1,ok\n2,ok,\n"
        self.assertEqual(self.clean(content, rules=self.RULES), (content[:9], b"a,b\n2,ok,\n"))

    def test_at_the_end_of_the_header(self):
        content = b"a,b,\n1,ok\n2,ok,\n3,no,\n4,ok,x\n"
        good, bad = self.clean(content, "--trailing-delimiter", rules=self.RULES)
        self.assertEqual((good, bad), (b"a,b,\n1,ok\n2,ok,\n", b"a,b,\n3,no,\n4,ok,x\n"))
        self.write("t.csv", content)
        self.assertEqual(self.assay("init", "t.csv", "--trailing-delimiter", status=0).text.count("- name:"), 2)

    def test_delimiters_of_two_bytes_and_choice(self):
        good, bad = self.clean(
            b"a||b||\n1||ok||\n2||ok|\n3||ok|||\n", "--delimiter", "||", "--trailing-delimiter", rules=self.RULES)
        self.assertEqual((good, bad), (b"a||b||\n1||ok||\n", b"a||b||\n2||ok|\n3||ok|||\n"))
        content = b"a;b\n1,5;ok;\n2,5;ok;\n"
        self.assertEqual(self.clean(content, "--trailing-delimiter")[0], content)
        self.assertEqual(self.report("r.json")["inputs"][0]["delimiter"]["text"], ";")

    def test_without_a_header(self):
        good, bad = self.clean(b"1,2,\n3,4\n5,6,\n7,8,9\n", "--no-header", "--trailing-delimiter")
        self.assertEqual((good, bad), (b"1,2,\n3,4\n5,6,\n", b"7,8,9\n"))


class BlankLineTests(DialectTest):
    CONTENT = b"\nid,name\n\n1,a\n\r\n\n2\n#c\n3,b\n\n#d\n\r\n\n\x1a"
    COMMENT = ["--comment", "#"]

    def split(self, content, *options, **more):
        good, bad = self.clean(content, *options, rules=["id", "name"], **more)
        inputs = self.report("r.json")["inputs"][0]
        return good, bad, inputs["records"], inputs["skippedBlankLines"]

    def test_before_a_table_without_a_header(self):
        """They do not set the delimiter or the number of columns."""
        for blank in "\n", "\r\n\n":
            self.write("t.csv", f"{blank}1;x\n2;y\n")
            outcome = self.assay("check", "t.csv", "--no-header", status=1)
            self.assertIn("read as   delimiter ';'", outcome.text + outcome.err)
            self.assertNotIn("structure.fields", outcome.text + outcome.err)

    def test_before_another_file(self):
        """With --as-one, the lines after the last record of a file are inside the table, so the rules would reject the
        clean rows."""
        self.write("x.csv", "a,b\n1,2\n\n")
        self.write("y.csv", "a,b\n3,4\n\n")
        self.rules("a")
        for threads in (1, 3):
            self.assay("clean", "x.csv", "y.csv", "-r", "rules.json", "--as-one", "--clean", "c.csv",
                       "--rejects", "b.csv", "--force", "-q", "--findings", "none", "--threads", threads, status=0)
            self.assertEqual((self.read("c.csv"), self.read("b.csv")), (b"a,b\n1,2\n3,4\n\n", b"a,b\n\n"))
            self.assay("check", "c.csv", "-r", "rules.json", "-q", status=0)

    def test_after_the_last_record_they_are_kept(self):
        content = self.CONTENT[1:]
        good = b"id,name\n1,a\n#c\n3,b\n\n#d\n\r\n\n\x1a"
        for threads in THREADS:
            self.assertEqual(self.split(content, *self.COMMENT, "--threads", threads),
                             (good, b"id,name\n\n\r\n\n2\n", 6, 0))
            self.assertEqual([(f["record"], f["line"], f["code"], f["message"]) for f in self.findings("f.jsonl")],
                             [(1, 2, "structure.blank", "is blank"), (3, 4, "structure.blank", "is blank"),
                              (4, 5, "structure.blank", "is blank"),
                              (5, 6, "structure.fields", "has 1 field where 2 are expected")])
        self.assertEqual(self.report("r.json")["structure"]["blank"], 3)

    def test_kept(self):
        for options, more in ((["--blank-lines", "keep"], {}), ([], {"dialect": {"blankLines": "keep"}})):
            self.assertEqual(
                self.split(self.CONTENT, *self.COMMENT, *options, **more),
                (self.CONTENT.replace(b"2\n", b"", 1), b"\nid,name\n2\n", 3, 0))

    def test_skipped(self):
        for options, more in ((["--blank-lines", "skip"], {}), ([], {"dialect": {"blankLines": "skip"}})):
            self.assertEqual(
                self.split(self.CONTENT, *self.COMMENT, *options, **more),
                (b"\nid,name\n1,a\n#c\n3,b\n#d\n\x1a", b"\nid,name\n2\n", 3, 6))
        outcome = self.assay("check", "t.csv", "--comment", "#", "--blank-lines", "skip", status=1)
        self.assertRegex(outcome.err, r"(?m)^  skipped               6  blank lines$")

    def test_skipped_among_repaired_records(self):
        rules = [{"name": "id", "constraints": {"pattern": "[0-9]"}}, {"name": "name", "repair": ["trim"]}]
        good, bad = self.clean(b"id,name\n\n1, a\nx,y\n\n\n2,b \n\nx,z\n3,c\n\n", "--blank-lines", "skip", rules=rules)
        self.assertEqual((good, bad), (b"id,name\n1,a\n2,b\n3,c\n", b"id,name\nx,y\nx,z\n"))

    def test_skipped_with_keys_that_wait(self):
        content = b"id\n" + b"".join(b"%d\n\n" % (n % 700) for n in range(1400))
        rules = self.rules({"name": "id", "constraints": {"unique": True}}, keep="none")
        self.write("t.csv", content)
        self.assay("clean", "t.csv", "-r", rules, "-q", "--blank-lines", "skip", "--report", "r.json", status=0)
        self.assertEqual(self.read("t.clean.csv"), b"id\n")
        self.assertEqual(self.read("t.rejects.csv"), content.replace(b"\n\n", b"\n"))
        self.assertEqual(self.report("r.json")["inputs"][0]["skippedBlankLines"], 1400)

    def test_a_table_of_one_column(self):
        content = b"id\n1\n\n2\n\n\x1a"
        rules = [{"name": "id", "constraints": {"required": True}}]
        self.assertEqual(self.clean(content, rules=rules), (b"id\n1\n2\n\x1a", b"id\n\n\n"))
        self.assertEqual(self.clean(content, "--blank-lines", "keep", rules=rules), (content, b"id\n"))

    def test_only_a_ctrl_z_that_ends_the_file(self):
        self.assertEqual(self.split(b"id,name\n\x1a\n1,a\n\x1a")[:2], (b"id,name\n1,a\n\x1a", b"id,name\n\x1a\n"))
        self.assertEqual(self.split(b"id,name\n1,\x1a")[:2], (b"id,name\n1,\x1a", b"id,name\n"))

    def test_many_at_the_end(self):
        """Blank lines within 64 KiB of the end, or within the record limit, are kept for every block size."""
        table = b"id,name\n" + b"1,a\n" * 70_000
        for options, limit in (([], 1 << 16), (["--limit", "record-bytes=1000", "--limit", "field-bytes=1000"], 1000)):
            for extra in (0, 1, 3):
                content = table + b"\n" * (limit + extra)
                for threads in (1, 3):
                    with self.subTest(limit=limit, extra=extra, threads=threads):
                        good, bad, records, _ = self.split(content, *options, "--threads", threads)
                        self.assertEqual(records, 70_000 + extra)
                        self.assertTrue(good == table + b"\n" * limit and bad == b"id,name\n" + b"\n" * extra)
                self.assay("clean", "-", "-r", "rules.json", "-q", "--rejects", "bad", "--force", *options,
                           stdin=content, status=0)
                self.assertEqual(self.read("bad"), b"id,name\n" + b"\n" * extra)

    def test_the_first_records(self):
        content = b"id,name\n\n1,a\n\n\n2,b\n\n"
        self.assertEqual(self.split(content, "--head", 2, "--blank-lines", "keep")[2], 2)
        outcome = self.assay("clean", "-", "-r", "rules.json", "-q", "--rejects", "none", "--head", 1,
                             "--blank-lines", "keep", stdin=content, status=0)
        self.assertEqual(outcome.out, b"id,name\n\n1,a\n")

    def test_words(self):
        self.write("t.csv", b"a\n1\n")
        self.assertIn("--blank-lines takes reject, keep or skip, not 'drop'.",
                      self.assay("check", "t.csv", "--blank-lines", "drop", status=2).err)
        self.rules("a", dialect={"blankLines": "drop"})
        self.assertIn("blankLines is reject, keep or skip, found the text 'drop'",
                      self.assay("check", "t.csv", "-r", "rules.json", status=2).err)


class LineBreakTests(DialectTest):
    def breaks(self, content, *options, rules=("a",)):
        self.clean(content, *options, rules=rules)
        found = self.report("r.json")["lineBreaks"]
        for threads in THREADS:
            self.write("p.csv", content)
            profile = json.loads(self.assay("profile", "p.csv", "--json", "--threads", threads, *options,
                                            status=0).text)
            self.assertEqual(profile["lineBreaks"], found)
        return found

    @staticmethod
    def cell(lines):
        return b'"' + b"\n".join([b"x"] * lines) + b'"'

    def test_none(self):
        self.assertEqual(self.breaks(b'a,b\n"1",2\n3,"4"'), {"cells": 0, "outlier": None})

    def test_an_outlier_has_more_than_ten_lines_and_ten_times_the_average(self):
        for others, lines, is_outlier in (([], 10, False), ([], 11, True), ([2, 2], 20, False), ([2, 2], 21, True),
                                          ([3, 2], 25, False), ([3, 2], 26, True), ([15] * 3, 15, False)):
            with self.subTest(others=others, lines=lines):
                cells = [self.cell(count) for count in (*others, lines)]
                content = b"a,b\n1,2\n" + b"".join(b"%d,%b\n" % (n, cell) for n, cell in enumerate(cells))
                record = len(cells) + 1
                self.assertEqual(self.breaks(content), {"cells": len(cells), "outlier": None if not is_outlier else {
                    "record": record, "line": 3 + sum(others), "column": "b", "position": 2, "lines": lines}})

    def test_terminators_and_malformed_records(self):
        content = b'a,b\r"1\r\n2\n3\r4",x\r1,"2\r3",4\r' + b'5,"' + b"\r" * 11 + b'"\r'
        self.assertEqual(
            self.breaks(content), {"cells": 2, "outlier": None})
        self.assertEqual(self.breaks(b'a,b\n1,"x\r' + b"y\r" * 30 + b'"\n'), {"cells": 0, "outlier": None})

    def test_escaped_line_breaks(self):
        self.assertEqual(self.breaks(b"a,b\n1,x\\\ny\n", "--quote", "none", "--escape", "\\")["cells"], 1)

    def test_in_many_chunks(self):
        rows = [b"%d,%b\n" % (n, self.cell(3) if n % 100 == 0 else b"y") for n in range(60_000)]
        rows[41_234] = b"0," + self.cell(500) + b"\n"
        rows[51_234] = b"0," + self.cell(500) + b"\n"
        self.assertEqual(self.breaks(b"a,b\n" + b"".join(rows)), {"cells": 602, "outlier": {
            "record": 41_235, "line": 2 + 41_234 + 2 * 413, "column": "b", "position": 2, "lines": 500}})
        outcome = self.assay("check", "t.csv", status=0)
        self.assertIn("  multiline           602  cells contain line breaks; the one on line 42,062, in column 'b', "
                      "has 500 lines\n", outcome.err)
        self.assertIn(
            "  multiline  602 cells contain line breaks; the one on line 42,062, in column 'b', has 500 lines\n",
                      self.assay("profile", "t.csv", status=0).text)


class LinesReadTests(DialectTest):
    def messages(self, content, *options):
        seen = set()
        for threads in THREADS:
            self.clean(content, "--threads", threads, *options, rules=["a"])
            seen.add(tuple((f["line"], f["message"]) for f in self.findings("f.jsonl")))
        self.assertEqual(len(seen), 1)
        return list(seen.pop())

    def test_a_quote_that_is_never_closed(self):
        unclosed = "has a quote that is never closed"
        for content, options, messages in [
            (b'a,b\n1,"x\n', [], [(2, unclosed)]),
            (b'a,b\n1,"x', [], [(2, unclosed)]),
            (b'a,b\n1,"x\n2,y\n3,z\n', [], [(2, unclosed + "; lines 2 to 4 were read")]),
            (b'a,b\n1,"x\r\n2,y\r\n3,z', [], [(2, unclosed + "; lines 2 to 4 were read")]),
            (b'a,b\r1,"x\r2,y\r\n3,z\r', [], [(2, unclosed + "; lines 2 to 4 were read")]),
            (b'a,b\n1,"x\n2,y\n3,"z"\n', [], [(2, unclosed + "; lines 2 to 4 were read")]),
            (b'a,b\n1,"x\n2,y\n3",z\n4,w,v\n', [], [
                (2, "has 3 fields where 2 are expected; lines 2 to 4 were read"),
                (5, "has 3 fields where 2 are expected")]),
            (b'a,b\n1,"x\r\n2\ny"\n3,"p\nq",r\n', [],
             [(5, "has 3 fields where 2 are expected; lines 5 to 6 were read")]),
            (b'a,b\n1,"x\n2,y\n' + b"3,z\n" * 20, ["--limit", "record-bytes=12", "--limit", "field-bytes=12"],
             [(2, unclosed + "; lines 2 to 4 were read")]),
        ]:
            with self.subTest(content):
                self.assertEqual(self.messages(content, *options), messages)

    def test_in_later_chunks(self):
        content = b"a,b\n" + b"1,x\n" * 90_000 + b'2,"y\n' + b"3,z\n" * 60_000 + b'4,"Lee, Cy"\n' + b"5,x\n" * 9
        self.assertEqual(self.messages(content),
                         [(90_002, "has a quote that is never closed; lines 90002 to 150003 were read")])

    def test_a_record_over_a_limit(self):
        content = b"a,b\n1,\"" + b"x\n" * 40 + b'"\n2,y\n'
        field = "has a field over 50 bytes (limit field-bytes)"
        self.assertEqual(self.messages(content, "--limit", "field-bytes=50"),
                         [(2, field + "; lines 2 to 42 were read")])
        self.assertEqual(self.messages(b"a,b\n1," + b"x" * 60 + b"\n", "--limit", "field-bytes=50"), [(2, field)])


class ExtraFieldTests(DialectTest):
    def test_they_are_kept(self):
        content = b"a,b\n1,ok\n2,ok,3\n4\n5,no,ok\n6,ok,,,\n7,ok,\"x\"y\n"
        rules = [{"name": "b", "constraints": {"pattern": "ok"}}]
        for options, more in ((["--extra-fields", "keep"], {}), ([], {"dialect": {"extraFields": "keep"}})):
            good, bad = self.clean(content, *options, rules=rules, **more)
            self.assertEqual(good, b"a,b\n1,ok\n2,ok,3\n6,ok,,,\n")
            self.assertEqual(bad, b"a,b\n4\n5,no,ok\n7,ok,\"x\"y\n")
            self.assertEqual([(f["record"], f["code"], f["column"]) for f in self.findings("f.jsonl")],
                             [(3, "structure.fields", None), (4, "pattern", "b"), (6, "structure.quote", None)])
            self.assertEqual(self.report("r.json")["structure"]["fields"], 1)

    def test_or_rejected(self):
        content = b"a,b\n1,ok\n2,ok,3\n"
        expected = (b"a,b\n1,ok\n", b"a,b\n2,ok,3\n")
        for options, more in (([], {}), (["--extra-fields", "reject"], {"dialect": {"extraFields": "keep"}}),
                              ([], {"dialect": {"extraFields": "reject"}})):
            self.assertEqual(self.clean(content, *options, rules=["a"], **more), expected)

    def test_without_a_header(self):
        """The first record determines the number of columns."""
        good, bad = self.clean(b"1,2\n3,4,5\n6\n", "--no-header", "--extra-fields", "keep", rules=["a", "b"])
        self.assertEqual((good, bad), (b"1,2\n3,4,5\n", b"6\n"))

    def test_mistakes(self):
        rules = self.rules(dialect={"extraFields": "drop"})
        self.assertIn("extraFields is reject or keep, found the text 'drop'",
                      self.assay("rules", "check", rules, status=2).err)


class ConflictTests(DialectTest):
    @slow
    def test_one_character_with_two_meanings(self):
        self.write("t.csv", "a,b\n1,2\n")
        for options, declared, words in [
            (["--delimiter", '"'], {"delimiter": '"'}, "the delimiter and the quote are the same character"),
            (["--quote", ","], {"quoteChar": ","}, "the delimiter and the quote are the same character"),
            (["--delimiter", "#", "--comment", "#"], {"delimiter": "#", "commentChar": "#"},
             "the delimiter and the comment are the same character"),
            (["--delimiter", "\\", "--escape", "\\"], {"delimiter": "\\", "escapeChar": "\\"},
             "the delimiter and the escape are the same character"),
            (["--escape", '"'], {"escapeChar": '"'}, "the quote and the escape are the same character"),
            (["--comment", '"'], {"commentChar": '"'}, "the quote and the comment are the same character"),
            (["--comment", "#", "--escape", "#"], {"commentChar": "#", "escapeChar": "#"},
             "the escape and the comment are the same character"),
            (["--delimiter", '|"'], {"delimiter": '|"'}, "the delimiter contains the quote or the escape"),
            (["--delimiter", "|\\", "--escape", "\\"], {"delimiter": "|\\", "escapeChar": "\\"},
             "the delimiter contains the quote or the escape"),
        ]:
            with self.subTest(words=words, options=options):
                self.assertRegex(self.assay("check", "t.csv", *options, status=2).err,
                                 f"assay: error: (t.csv: )?{words}\n  hint: ")
                rules = self.rules(dialect=declared)
                self.assertIn(words, self.assay("rules", "check", rules, status=2).err)
                self.assertIn(words, self.assay("check", "t.csv", "-r", rules, status=2).err)
        # A flag that conflicts with a rule file.
        rules = self.rules(dialect={"commentChar": "#"})
        self.assertIn("the escape and the comment are the same",
                      self.assay("check", "t.csv", "-r", rules, "--escape", "#", status=2).err)

    def test_no_conflict(self):
        self.write("t.csv", 'a"b\n1"2\n')
        self.assay("check", "t.csv", "--delimiter", '"', "--quote", "none", "-q", status=0)
        self.write("t.csv", "a|#b\n#|#\n1|#2\n")
        self.assay("check", "t.csv", "--delimiter", "|#", "--comment", "#", "-q", status=0)

    def test_invalid_characters(self):
        for key in ("escapeChar", "commentChar"):
            for value in ("ab", "é", "\n", ""):
                with self.subTest(key=key, value=value):
                    rules = self.rules(dialect={key: value})
                    self.assertIn(key, self.assay("rules", "check", rules, status=2).err)
            self.assay("rules", "check", self.rules(dialect={key: None}), "-q", status=0)
        for value in ("abc", "é", ";é", "\n", ";\n", ""):
            with self.subTest(value):
                self.assertIn("delimiter",
                              self.assay("rules", "check", self.rules(dialect={"delimiter": value}), status=2).err)


class ConservationTests(DialectTest):
    """Random tables of each dialect: the same records and cells as `dialect_reader.py`, and no lost bytes."""

    DIALECTS = {
        "semicolon": Dialect(b";"),
        "no quotes": Dialect(b"\t", b""),
        "single quotes": Dialect(b"|", b"'"),
        "two bytes": Dialect(b"||"),
        "two others": Dialect(b":;", b"'"),
        "two without quotes": Dialect(b", ", b""),
        "mysql": Dialect(b"\t", b"", b"\\"),
        "mysql in quotes": Dialect(b",", b'"', b"\\"),
        "another escape": Dialect(b";", b'"', b"!"),
        "comments": Dialect(b",", b'"', b"", b"#"),
        "comments and escapes": Dialect(b",", b"'", b"\\", b"#"),
        "spaces": Dialect(b",", spaces=True),
        "spaces and tabs": Dialect(b"\t", spaces=True),
        "extra fields": Dialect(b",", keep=True),
        "blank lines kept": Dialect(b",", blank_lines="keep"),
        "blank lines skipped": Dialect(b",", b'"', b"", b"#", blank_lines="skip"),
        "all": Dialect(b"::", b"'", b"\\", b"#", spaces=True, keep=True),
        "all of another": Dialect(b"|~", b'"', b"^", b"%", spaces=True),
    }

    @staticmethod
    def table(dialect, chance, records, end, odd):
        """Mostly well-formed rows, with cells that contain every special character, and some rows of noise."""
        delimiter, quote, escape, comment = dialect.delimiter, dialect.quote, dialect.escape, dialect.comment
        pieces = [b"a", b"x", b"N", b"n", b"t", b"0", b" ", b"\t", "é".encode(), b"\r", delimiter[:1], delimiter[-1:],
                  comment or b"#"]
        noise = [*pieces, quote or b'"', escape or b"\\", delimiter, b"\n", b"\r\n", b"\xff"]

        def text(maximum):
            return [chance.choice(pieces + [delimiter, quote, escape, b"\n", b"\r\n"])
                    for _ in range(chance.randrange(maximum))]

        def cell():
            kind = chance.randrange(4)
            if kind == 0 and quote:
                body = b"".join(quote * 2 if piece == quote else escape * 2 if piece == escape else piece
                                for piece in text(5))
                space = [b"", b" ", b"\t ", b""] if dialect.spaces and delimiter != b"\t" else [b""]
                return chance.choice(space) + quote + body + quote + chance.choice(space)
            if kind == 1 and escape:
                return b"".join(escape + piece if piece in (delimiter, quote, escape, b"\n", b"\r\n", b"N") else piece
                                for piece in text(4))
            if kind == 2:
                return b"".join(chance.choice([b"a", b"x", b"N", b"0", "é".encode()])
                                for _ in range(chance.randrange(3)))
            return b"a" if chance.randrange(9) else (escape + b"N" if escape else b"")

        rows = [delimiter.join([b"c1", b"c2", b"c3"]) + end]
        for _ in range(records):
            kind = chance.randrange(12)
            if kind == 0 and odd:
                row = b"".join(chance.choice(noise) for _ in range(chance.randrange(12)))
            elif kind == 2 and odd:
                row = b""
            elif kind == 1 and comment:
                row = comment + b"".join(piece for piece in (chance.choice(noise) for _ in range(6))
                                         if piece not in (b"\n", b"\r\n"))
            else:
                row = delimiter.join(cell() for _ in range(3 if kind < 10 else chance.randrange(1, 6)))
            rows.append(row + chance.choice([end, b"\n", b"\r\n"] if end != b"\r" else [end]))
        content = b"".join(rows)
        return content if chance.randrange(3) else content.rstrip(b"\r\n")

    def rule_file(self, dialect):
        return self.rules(*map(every, ["c1", "c2", "c3"]), name="every.json", dialect=dialect.in_rules())

    @slow
    def test_cells_and_places(self):
        for number, (name, dialect) in enumerate(self.DIALECTS.items()):
            for seed, (end, odd) in enumerate([(b"\n", True), (b"\r\n", True), (b"\r", True), (b"\n", False)]):
                with self.subTest(name, end=end, odd=odd):
                    content = self.table(dialect, random.Random(100 * number + seed), 300, end, odd)
                    table = Reader(content, dialect, cr_ends=end == b"\r")
                    self.write("t.csv", content)
                    seen = set()
                    for arguments in (*(["t.csv", "--threads", threads] for threads in THREADS), ["-"]):
                        self.assay("check", *arguments, "-r", self.rule_file(dialect), "-q", "--show-values",
                                   "--findings", "f.jsonl",
                                   "--report", "r.json",
                                   "--force", stdin=content if arguments == ["-"] else b"", status=1)
                        seen.add(self.read("f.jsonl"))
                    self.assertEqual(len(seen), 1, "threads and pipes make no difference")
                    self.assertEqual(self.report("r.json")["inputs"][0]["records"], len(table.records))
                    findings = collections.defaultdict(list)
                    for finding in self.findings("f.jsonl"):
                        findings[finding["record"]].append(finding)
                    for record in table.records:
                        found = findings.pop(record.number)
                        where = (record.number, content[record.start:record.end])
                        if record.problems:
                            self.assertEqual(len(found), 1, where)
                            self.assertIn(found[0]["code"], record.problems, where)
                            self.assertEqual((found[0]["line"], found[0]["offset"]), (record.line, record.start), where)
                            continue
                        self.assertEqual(
                            [(f["line"], f["offset"], f["column"], f["value"]) for f in found],
                            [(record.lines[i], record.offsets[i], f"c{i + 1}", record.cells[i].decode())
                             for i in range(3)], where)
                    self.assertEqual(findings, {})

    @slow
    def test_every_record_is_in_one_output(self):
        for number, (name, dialect) in enumerate(self.DIALECTS.items()):
            for seed, end in enumerate((b"\n", b"\r\n", b"\r")):
                with self.subTest(name, end=end):
                    content = self.table(dialect, random.Random(5000 + 100 * number + seed), 400, end, True)
                    table = Reader(content, dialect, cr_ends=end == b"\r")
                    rejected = {
                        record.start for record in table.records if record.problems
                        or any(b"x" in cell for cell in record.cells[:2])}
                    good = table.bytes_of(entry for entry in table.entries if entry.start not in rejected)
                    bad = table.bytes_of(entry for entry in table.entries if entry.start in rejected)
                    not_x = {"missingValues": [], "constraints": {"pattern": "[^x]*"}}
                    rules = [{"name": "c1"} | not_x, {"name": "c2"} | not_x, "c3"]
                    for threads in THREADS:
                        outputs = self.clean(content, "--threads", threads, rules=rules, dialect=dialect.in_rules())
                        self.assertEqual(outputs, (good, bad))
                    outcome = self.assay("clean", "-", "-r", "rules.json", "-q", "--force", "--rejects", "bad",
                                         stdin=content, status=0)
                    self.assertEqual((outcome.out, self.read("bad")), (good, bad))
                    skipped = sum(entry.end - entry.start for entry in table.entries if table.is_skipped(entry))
                    self.assertEqual(len(good) + len(bad) + skipped, len(content) + len(table.prefix))

    @slow
    def test_large_tables_are_the_same_on_any_number_of_threads(self):
        """A block may end inside an escape, a two-byte delimiter, a comment or a quoted field."""
        for number, (name, dialect) in enumerate(self.DIALECTS.items()):
            with self.subTest(name):
                chance = random.Random(9000 + number)
                piece = self.table(dialect, chance, 2000, b"\n", False)
                head = len(dialect.delimiter.join([b"c1", b"c2", b"c3"])) + 1
                if not piece.endswith(b"\n"):
                    piece += b"\n"
                rows = piece[head:]
                content = piece[:head] + rows * (volume(800_000, 4_000_000) // len(rows))
                rules = [{"name": "c1", "missingValues": [], "constraints": {"pattern": "[^x]*"}}]
                seen = set()
                for threads in THREADS:
                    good, bad = self.clean(content, "--threads", threads, rules=rules, dialect=dialect.in_rules())
                    seen.add((good, bad, self.read("f.jsonl")))
                outcome = self.assay(
                    "clean", "-", "-r", "rules.json", "-q", "--force", "--rejects", "bad", "--findings", "f.jsonl",
                    stdin=content, status=0)
                seen.add((outcome.out, self.read("bad"), self.read("f.jsonl")))
                self.assertEqual(len(seen), 1)
                self.assertGreater(min(len(good), len(bad)), len(content) // 40)
                lines = collections.Counter(good[head:].split(b"\n")) + collections.Counter(bad[head:].split(b"\n"))
                expected = collections.Counter(content[head:].split(b"\n"))
                expected[b""] += 1  # after the last line of the other output
                skipped = expected - lines
                self.assertEqual(lines - expected, collections.Counter())
                self.assertEqual(skipped.total(), self.report("r.json")["inputs"][0]["skippedBlankLines"])
                self.assertLessEqual(set(skipped), {b"", b"\r"})
                self.assertEqual(bool(skipped), dialect.blank_lines == "skip")
                self.assertEqual(len(good) + len(bad) + skipped[b""] + 2 * skipped[b"\r"], len(content) + head)

    def test_as_python_reads_it(self):
        """Dialects with the same rules in Python's csv module."""
        for delimiter, quote in ((b";", b'"'), (b"|", b"'"), (b"\t", b'"')):
            with self.subTest(delimiter):
                chance = random.Random(3)
                names = ["c1", "c2", "c3"]
                rows = [["".join(chance.choice(f"ax\u00e9{delimiter.decode()}{quote.decode()}\n\r ,")
                                 for _ in range(chance.randrange(6)))
                         for _ in names] for _ in range(400)]
                file = io.StringIO(newline="")
                csv.writer(file, delimiter=delimiter.decode(), quotechar=quote.decode(),
                           lineterminator="\r\n").writerows([names, *rows])
                content = file.getvalue().encode()
                self.assertEqual(self.values(content, columns=names, dialect=Dialect(delimiter, quote).in_rules()),
                                 rows)
                if quote == b'"':
                    self.assertEqual(self.values(content, columns=names), rows, "found by the columns")


if __name__ == "__main__":
    unittest.main()
