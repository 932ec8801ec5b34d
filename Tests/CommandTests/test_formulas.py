"""clean --guard-formulas: in all CSV outputs, cells that a spreadsheet would evaluate get an apostrophe."""

import csv
import gzip
import io
import json
import random
import re

from support import CommandTest, csv_rows, volume, slow

DIGITS = r"(?:[0-9]|[.,](?=[0-9]))+"
NUMBER = re.compile(rf"[+-](?={DIGITS})[0-9.,]*[0-9](?:[eE][+-]?[0-9]+)?%?")


def guarded(text):
    """The model: the guarded text of a cell."""
    if text[:1] in ("=", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠") and text:
        return f"'{text}"
    if text[:1] in ("+", "-") and text and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text


class FormulaTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("r.json", json.dumps({"fields": []}))

    def clean(self, name, *flags, rules="r.json", **more):
        return self.assay("clean", name, "-r", rules, "--guard-formulas", "--force", "-q", *flags, status=0, **more)

    def guarded_cells(self, name="t"):
        return self.report(f"{name}.report.json")["guardedCells"]


class CellTests(FormulaTest):
    def test_cells(self):
        """Cells as written in the file, before and after."""
        cases = [
            ("=1+1", "'=1+1"), ("@SUM(1)", "'@SUM(1)"), ("+1+1", "'+1+1"), ("-2-3", "'-2-3"), ("-", "'-"), ("+", "'+"),
            ("\t=1", "'\t=1"), ('"=1,2"', '"\'=1,2"'), ('"\t=1"', '"\'\t=1"'), ('"\r=1"', '"\'\r=1"'),
            ('"\n=1"', '"\'\n=1"'), ('"=""a"""', '"\'=""a"""'), ("\0=1", "'\0=1"), ("＝1+1", "'＝1+1"), ("＋1", "'＋1"),
            ("－1", "'－1"), ("＠x", "'＠x"), ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            # Numbers
            ("-5", "-5"), ("+3.2", "+3.2"), ("-.5", "-.5"), ("-1e5", "-1e5"), ("+1.5E-10", "+1.5E-10"), ("-5%", "-5%"),
            ("+491234", "+491234"), ('"-1,234.5"', '"-1,234.5"'), ('"-5"', '"-5"'), ("-5.", "'-5."), ("--5", "'--5"),
            ("-5e", "'-5e"), ("-5 ", "'-5 "), ('"-5"""', '"\'-5"""'),
            ("+49 30 12", "'+49 30 12"), ("-5%%", "'-5%%"), ("-1e5%", "-1e5%"), ("-5=", "'-5="),
            # Unchanged
            ("1=1", "1=1"), (" =1", " =1"), ("'=1", "'=1"), ("", ""), ("！1", "！1"), ("１=", "１="), ('""', '""'),
            ('"a,=b"', '"a,=b"'), ('"a\n=b"', '"a\n=b"'), ('5"" disk', '5"" disk'), ('"a"",=b"', '"a"",=b"'),
            ("a", "a"), ("ä=", "ä="), ('""""', '""""'), ("a\tb", "a\tb"),
        ]
        self.write("t.csv", "id,cell,end\n" + "".join(f"1,{before},x\n" for before, _ in cases))
        self.clean("t.csv")
        self.assertEqual(
            self.read("t.clean.csv").decode(), "id,cell,end\n" + "".join(f"1,{after},x\n" for _, after in cases))
        self.assertEqual(self.guarded_cells(), sum(before != after for before, after in cases))
        for before, after in cases:
            [text] = list(csv.reader(io.StringIO(before, newline=""))) or [[""]]
            if "\0" not in before:
                self.assertEqual(next(csv.reader(io.StringIO(after, newline="")), [""])[0] if after else "",
                                 guarded((text or [""])[0]), before)

    def test_every_place_in_a_record(self):
        for end in ("\n", "\r\n", ""):
            with self.subTest(end):
                self.write("t.csv", f"=a,=b\r\n=1,=2\n-1,-2\n=3,=4{end}")
                self.clean("t.csv")
                self.assertEqual(self.read("t.clean.csv").decode(), f"'=a,'=b\r\n'=1,'=2\n-1,-2\n'=3,'=4{end}")
        self.write("t.csv", "\ufeff=a,b\n1,2\n")
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv").decode(), "\ufeff'=a,b\n1,2\n")

    def test_other_dialects(self):
        cases = [
            ("a;b\n=1;-1,5\n=1,2;-x\n", "a;b\n'=1;-1,5\n'=1,2;'-x\n", []),
            ("a\tb\n=1\t=2\n\t-3\n", "a\tb\n'=1\t'=2\n\t-3\n", ["--delimiter", "tab"]),
            ('a||b\n=1||=2|=3\n"=||"||x\n', 'a||b\n\'=1||\'=2|=3\n"\'=||"||x\n', ["--delimiter", "||"]),
            ('a,b\n"=1",=2\n', 'a,b\n"\'=1",\'=2\n', ["--quote", "none"]),
            # The quotes, escapes and comments of the spreadsheet program are unknown, so a cell may begin after each
            # delimiter.
            ('a,b\nx\\,=1,=2\n', 'a,b\nx\\,\'=1,\'=2\n', ["--escape", "\\"]),
            ('a,b\n^x,=1^,"=2"\n', 'a,b\n^x,\'=1^,"\'=2"\n', ["--quote", "^"]),
            ('a,b\n1,"x,=1+1,-5,y"\n', 'a,b\n1,"x,\'=1+1,-5,y"\n', ["--comment", "#"]),
            ('note,"open\na,b\n1,"x,=1+1,y"\n', 'note,"open\na,b\n1,"x,\'=1+1,y"\n', ["--skip", "1"]),
            ("# =,=\na,b\n1,=2\n", "# =,'=\na,b\n1,'=2\n", ["--comment", "#"]),
            ("a,b\r=1,=2\r", "a,b\r'=1,'=2\r", []),
            ("a||b\n-1||-5|x\n", "a||b\n-1||'-5|x\n", ["--delimiter", "||"]),
        ]
        for before, after, flags in cases:
            with self.subTest(before):
                self.write("t.csv", before)
                self.clean("t.csv", *flags)
                self.assertEqual(self.read("t.clean.csv").decode(), after)
        self.write("s.json", json.dumps({"fields": [], "dialect": {"skipInitialSpace": True}}))
        self.write("t.csv", 'a,b\n "x,=1",=2\n  =1, "=2"\n')
        self.clean("t.csv", rules="s.json")
        self.assertEqual(self.read("t.clean.csv").decode(), 'a,b\n "x,\'=1",\'=2\n  \'=1, "\'=2"\n')

    def test_random_tables(self):
        """Python's reader must see the guarded cells of the model, and apostrophes are the only change. A second run
        must not change any bytes. The result must not depend on the number of threads."""
        dice = random.Random(5)
        pieces = ["=", "+", "-", "@", "\t", "1", "2.5", ",", '"', "\n", "\r\n", "a", " ", "'", "%", "e", "ä", "12"]
        rows = [["a", "b", "c"]] + [
            ["".join(dice.choice(pieces) for _ in range(dice.randrange(5))) for _ in range(3)]
            for _ in range(volume(4_000, 20_000))]
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        self.write("t.csv", text.getvalue())
        seen = set()
        for threads in (1, 2, 7):
            self.clean("t.csv", "--threads", threads)
            seen.add((self.read("t.clean.csv"), self.guarded_cells()))
        [(content, count)] = seen
        self.assertEqual(csv_rows(content), [[guarded(cell) for cell in row] for row in rows])
        self.assertEqual(count, sum(guarded(cell) != cell for row in rows for cell in row))
        self.assertEqual(len(content), len(text.getvalue().encode()) + count)
        self.write("again.csv", content)
        self.clean("again.csv")
        self.assertEqual((self.read("again.clean.csv"), self.guarded_cells("again")), (content, 0))

    @slow
    def test_records_that_come_in_pieces(self):
        """The pieces of an overlong record begin and end anywhere, so a possible formula counts as one."""
        for delimiter in (",", "||"):
            cells = volume(600_000, 2_400_000) // len(cell := f"-53+cmd{delimiter}")
            for shift in range(len(cell)):
                with self.subTest(delimiter=delimiter, shift=shift):
                    self.write("t.csv", f"a{delimiter}b\n{'x' * shift}{delimiter}{cell * cells}\n")
                    self.clean("t.csv", "--delimiter", delimiter, "--limit", "record-bytes=1000",
                               "--limit", "field-bytes=1000")
                    record = self.read("t.rejects.csv").decode().splitlines()[1]
                    found = record.split(delimiter)[1:-1]
                    self.assertEqual([cell for cell in found if cell.startswith("-")], [])
                    self.assertEqual([cell.replace("'", "") for cell in found], ["-53+cmd"] * cells)


class OutputTests(FormulaTest):
    def test_only_on_request(self):
        self.write("t.csv", "a,b\n=1,2\n=2\n")
        self.assay("clean", "t.csv", "-r", "r.json", "-q", status=0)
        self.assertEqual((self.read("t.clean.csv"), self.read("t.rejects.csv")), (b"a,b\n=1,2\n", b"a,b\n=2\n"))
        self.assertNotIn("guardedCells", self.report("t.report.json"))

    def test_all_outputs(self):
        """The quoting rules of a reader of the rejects are unknown, so a cell may begin after every delimiter."""
        self.write("r.json",
                   json.dumps({"fields": [{"name": "b", "repair": ["trim"], "constraints": {"enum": ["@x", "ok"]}}]}))
        self.write("t.csv", 'a,b\n=1, @x \n=2,=no\n"a,=6",no\n"=3,x\n4,ok,=5\n')
        self.clean("t.csv", "--findings", "f.csv", "--changes", "c.csv", "--show-values", "--annotate")
        self.assertEqual(self.read("t.clean.csv").decode(), "a,b\n'=1,'@x\n")
        rejects = self.read("t.rejects.csv").decode().splitlines()
        self.assertEqual(rejects, ["a,b,_line,_reasons", "'=2,'=no,3,b.enum", '"a,\'=6",no,4,b.enum',
                                   '"\'=3,x",5,structure.quote', "4,ok,'=5,6,structure.fields"])
        values = [row[-1] for row in csv_rows(self.read("f.csv"))]
        self.assertIn("'=no", values)
        self.assertEqual([row[-2:] for row in csv_rows(self.read("c.csv"))], [["before", "after"], [" @x ", "'@x"]])
        findings = self.read("f.csv").decode().count(",'=") + self.read("f.csv").decode().count('"\'=')
        self.assertEqual(self.guarded_cells(), 2 + 5 + findings + 1)
        # Findings in JSON Lines are for programs, so their values are unguarded.
        self.clean("t.csv", "--show-values")
        self.assertIn("=no", [finding.get("value") for finding in self.findings("t.findings.jsonl")])

    def test_malformed_records(self):
        """Readers continue after a quote that closes too early."""
        self.write("t.csv", 'a,b\n"-5"+cmd|x!A0,1\n""=1+1,2\n"""=1,2"x\n"-5"x,"-5",-5"\n')
        self.clean("t.csv")
        self.assertEqual(
            self.read("t.rejects.csv").decode(),
            'a,b\n"\'-5"+cmd|x!A0,1\n""\'=1+1,2\n"""\'=1,2"x\n"\'-5"x,"-5",\'-5"\n')

    def test_packed_encoded_and_piped(self):
        self.write("t.csv.gz", gzip.compress(b"a,b\n=1,2\n"))
        self.clean("t.csv.gz")
        self.assertEqual(gzip.decompress(self.read("t.clean.csv.gz")), b"a,b\n'=1,2\n")
        self.write("u.csv", "a,b\n=ä,2\n".encode("utf-16"))
        self.clean("u.csv", "--output-encoding", "same")
        self.assertEqual(self.read("u.clean.csv").decode("utf-16"), "a,b\n'=ä,2\n")
        outcome = self.clean("-", "--rejects", "none", stdin="a,b\n=1,2\n")
        self.assertEqual(outcome.text, "a,b\n'=1,2\n")

    def test_the_summary(self):
        self.write("t.csv", "a,b\n=1,2\n")
        error = self.assay("clean", "t.csv", "-r", "r.json", "--guard-formulas", status=0).err
        self.assertIn("\n  guarded               1  cells that look like formulas\n", error)

    def test_unguardable_texts(self):
        self.write("t.jsonl", '{"a": "=1"}\n')
        self.write("t.csv", "a,b\n=1,2\n")
        error = self.assay("clean", "t.jsonl", "-r", "r.json", "--guard-formulas", status=2).err
        self.assertEqual(
            error, "assay: error: --guard-formulas is for CSV, and t.jsonl is JSON Lines\n"
            "  hint: leave it out: no spreadsheet computes JSON\n")
        for option, name in (("--quote", "quote"), ("--escape", "escape"), ("--comment", "comment"),
                             ("--delimiter", "delimiter")):
            error = self.assay("clean", "t.csv", "-r", "r.json", "--guard-formulas", option, "'", status=2).err
            self.assertEqual(
                error,
                f"assay: error: --guard-formulas puts an apostrophe before cells, and in t.csv it is the {name}\n"
                "  hint: leave it out, and do not open the outputs in a spreadsheet\n")
        self.assert_no_files_left("r.json", "t.csv", "t.jsonl")
