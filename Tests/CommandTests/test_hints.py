"""Hints must work when followed: each case has an input, the command that the hint prints, and its result."""

import collections
import csv
import io
import json
import random
import re
import zipfile

from support import CommandTest, slow

ROWS = "".join(f"{n},n{n},c{n}\n" for n in range(1, 51))
SEMICOLONS = ROWS.replace(",", ";")
HEADER = "id,name,city\n"


class ReadingHints(CommandTest):
    """Dialect options, for tables with and without rules."""

    def commands(self, *arguments):
        error = self.assay(*arguments).err
        return re.findall(r"^    (assay .+)$", error, re.M)

    def assert_right(self, content, settings, records=50, rules=(), commands=("check", "profile", "infer")):
        """Each command prints the options, and prints no hint when called with them."""
        self.write("t.csv", content)
        for command in commands:
            given = [command, "t.csv", *rules]
            self.assertEqual(self.commands(*given), [f"assay {' '.join(given)}{settings}".replace(" -r ", " --rules ")])
        outcome = self.shell(f"assay check t.csv{''.join(' ' + word for word in rules)}{settings}")
        self.assertNotIn("try:", outcome.err)
        self.assertRegex(outcome.err, rf"\n  clean +{records} ")

    def test_without_rules(self):
        for content, settings, records in [
            # One or several lines above the table, with each delimiter.
            (f"Report of 2024-01\n{HEADER}{ROWS}", " --skip 1", 50),
            (f"Notes:\n\"text, with a comma\"\n\n{HEADER}{ROWS}", " --skip 3", 50),
            (f"Report;2024-01\nid;name;city\n{SEMICOLONS}", " --delimiter ';' --skip 1", 50),
            (f'"Report";2024-01\nid;name;city\n{SEMICOLONS}', " --delimiter ';' --skip 1", 50),
            ("Account:;AT12 3456;;\nPeriod:;January;;\n;;;\nDate;Text;Amount;Balance\n"
             + "01.01.2024;Pay;-1,50;2,00\n" * 9,
             " --skip 3", 9),
            # The `sep=` line for Excel is wrong.
            (f"sep=;\n{HEADER}{ROWS}", " --delimiter ,", 50),
            (f"id,name,city,\n{ROWS}", " --trailing-delimiter", 50),
            (HEADER + ROWS.replace("\n", ",\n"), " --trailing-delimiter", 50),
            ('"id";name;city\n' + "1;n;c;\n" * 50, " --delimiter ';' --trailing-delimiter", 50),
            (HEADER + 'x,"say \\"hi\\", ok",y\n' * 50, " --escape '\\'", 50),
            ('"id" ,"name" ,"city"\n' + '"1" ,"a, b" ,"c"\n' * 50, " --skip-initial-space", 50),
            ('"a" "b"\n' + "1 2\n" * 50, " --delimiter ' '", 50),
            ("a b c\n" + "1 x 2\n" * 50, " --delimiter ' '", 50),
        ]:
            with self.subTest(content[:60]):
                self.assert_right(content, settings, records)

    def test_with_rules(self):
        self.rules("id", "city")
        rules = ["-r", "rules.json"]
        for content, settings in [
            (f"Report\n{HEADER}{ROWS}", " --skip 1"), (f"sep=;\n{HEADER}{ROWS}", " --delimiter ,"),
            (f"sep=,\nReport\n{HEADER}{ROWS}", " --skip 1"),
            (f'"EXTF";700;21;"x";13\nid;name;city\n{SEMICOLONS}', " --delimiter ';' --skip 1"),
        ]:
            with self.subTest(content[:40]):
                self.assert_right(content, settings, rules=rules, commands=("check",))
        # The columns are found, but few records have their number.
        self.assert_right(HEADER + 'x,"say \\"hi\\", ok",y\n' * 50, " --escape '\\'", rules=rules, commands=("check",))

    def test_the_encoding_is_part_of_the_reading(self):
        names = ["Müller", "Söhne", "Grüße", "Bäcker", "Jäger", "Größe", "Köhler", "Schäfer"]
        rows = "".join(f"{n},00;S;{name}\n" for n, name in enumerate(names * 4))
        self.write("t.csv", f'"EXTF";700;21;"x";13\nUmsatz;S/H;Buchungstext\n{rows}'.encode("cp1252"))
        self.rules("Umsatz", "Buchungstext")
        [command] = self.commands("check", "t.csv", "-r", "rules.json")
        self.assertEqual(command,
                         "assay check t.csv --rules rules.json --delimiter ';' --skip 1 --encoding windows-1252")
        self.shell(command, status=0)

    def test_no_hint_for_a_table_that_is_read_right(self):
        for content in [
            HEADER + ROWS, "a\nAnna Lee\nBo Smith\n", "first last\nAnna Lee\nBo Smith\n",
            f"a b,c\n{'x,y' + chr(10)}" * 9,
            'size,text\n5" disk,a "quoted" word\n' * 9, f"name;name\n{'a;b' + chr(10)}" * 9, ",a\n0,x\n1,y\n",
            # R writes one name fewer than there are columns.
            "name,city\n" + "".join(f"r{n},a,b\n" for n in range(9)),
            # A header with too many names, and texts below it.
            "a,b,c,d\n" + "x,y,z\n" * 9,
            "a\n" + "1;2\n1;2;3\n" * 20, HEADER, HEADER + "1,2\n3\n",
        ]:
            with self.subTest(content[:40]):
                self.write("t.csv", content)
                self.assertEqual(self.commands("check", "t.csv"), [])

    def test_delimiters_inside_quotes(self):
        """A valid file in which all cells are quoted is not ambiguous."""
        for content in ['"a","x\ny","b | c"\n"1","x","2"\n"3","y","4"\n', 'id,"a;b"\n1,"c;d"\n']:
            self.write("t.csv", content)
            outcome = self.assay("check", "t.csv", status=0)
            self.assertNotIn("read as", outcome.err)


    @slow
    def test_random_tables(self):
        """Tables with each delimiter and quoting style, and with lines above them. A hint must be correct; it may be
        absent."""
        chance = random.Random(50)
        words = ["Anna", "Bo Lee", "a, b", "c; d", "e | f", "Zürich", "5\" disk", "", "12", "3.5", "1,5", "2024-01-02",
                 "x\ny", "it's"]
        found = collections.defaultdict(collections.Counter)
        for kind in KINDS:
            for _ in range(60 if kind == "plain" else 15):
                delimiter, quoting = chance.choice(",;\t|"), chance.choice(
                    [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
                width, count = chance.randint(2, 7), chance.randint(20, 60)
                rows = [[n, *(chance.choice(words) for _ in range(width - 1))] for n in range(count)]
                header = ["id", *(f"name {n}" for n in range(1, width))]
                text = io.StringIO()
                csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator="\n").writerows([header, *rows])
                above = KINDS[kind].replace("?", delimiter)
                self.write("t.csv", above + text.getvalue())
                # A line with as many fields as the table may be its header.
                is_doubtful = any(line.count(delimiter) + 1 != width for line in above.splitlines())
                if is_doubtful or not above:
                    found[kind][self.outcome(count, is_doubtful)] += 1
        with self.subTest(str(dict(found))):
            self.assertEqual(sum(counts["wrong"] for counts in found.values()), 0)
            for kind, counts in found.items():
                self.assertGreaterEqual(counts["right"] / counts.total(), 0.95, kind)

    def outcome(self, count, is_doubtful):
        def records(command):
            outcome = self.shell(f"{command} --report r.json --force")
            return json.loads(self.read("r.json"))["inputs"][0]["clean"] if outcome.status < 2 else None

        commands = self.commands("check", "t.csv")
        if not commands and not is_doubtful:
            return "right" if records("assay check t.csv") == count else "wrong"
        if not commands:
            return "silent"
        return "right" if [records(command) for command in commands] == [count] else "wrong"


# The lines above a table; ? is its delimiter.
KINDS = {
    "plain": "", "one line": "Report of January\n", "two lines": "Report of January\n\n", "a quoted line": '"Report"\n',
    "delimiters": "Report?January\n", "quoted with delimiters": '"Report"?"January"\n',
    "two with delimiters": "Report?January\nBy?Anna\n",
}


class OtherHints(CommandTest):
    def following(self, *arguments, status=0):
        """Runs the only command in an error message."""
        error = self.assay(*arguments, status=2).err
        [command] = re.findall(r"^    (.+)$", error.split("\n  try:\n")[1], re.M)
        return command, self.shell(command, status=status)

    def test_members_of_an_archive(self):
        with zipfile.ZipFile(self.path("two.zip"), "w") as archive:
            for name, content in [("e.csv", "a,b\n1,2\n"), ("__MACOSX/._e.csv", "\0\5"), ("d/", ""),
                                  ("d/p [1].csv", "x,y\n3,4\n")]:
                archive.writestr(name, content)
        error = self.assay("check", "two.zip", status=2).err
        commands = [line.strip() for line in error.split("\n  try:\n")[1].splitlines()]
        self.assertEqual(commands, [
            "unzip -tqq two.zip && unzip -p two.zip e.csv | assay check -",
            "unzip -tqq two.zip && unzip -p two.zip 'd/p \\[1].csv' | assay check -"])
        for command in commands:
            self.assertRegex(self.shell(command, status=0).err, r"\n  records +1\n")
        with zipfile.ZipFile(self.path("option.zip"), "w") as archive:
            archive.writestr("-l.csv", "a,b\n1,2\n")
        command, outcome = self.following("check", "option.zip")
        self.assertEqual(command, "unzip -tqq option.zip && unzip -p option.zip '[-]l.csv' | assay check -")
        self.assertRegex(outcome.err, r"\n  records +1\n")
        with zipfile.ZipFile(self.path("one.zip"), "w") as archive:
            archive.writestr("e.csv", "a,b\n1,2\n")
        # A named pipe must not block the command after its writer has exited.
        outcome = self.shell("mkfifo p; cat one.zip > p & assay check p", status=2)
        self.assertIn("zip archive", outcome.err)
        command, _ = self.following("check", "one.zip")
        self.assertEqual(command, "unzip -tqq one.zip && unzip -p one.zip e.csv | assay check -")

    def test_commands_that_read_a_file_twice(self):
        with zipfile.ZipFile(self.path("one.zip"), "w") as archive:
            archive.writestr("e.csv", HEADER + ROWS)
        command, outcome = self.following("infer", "one.zip")
        self.assertEqual(command, "unzip -tqq one.zip && unzip -p one.zip e.csv > e.csv && assay infer e.csv")
        self.assertIn("fields:", outcome.text)

    def test_names_that_differ(self):
        """The name in the hint can be copied into the rules."""
        for header, name, shown in [
            ("Email", "email", "Email"), ("email ", "email", "'email '"), ("e mail", "email", "e mail"),
            ("email\u00a0", "email", '"email\\u00A0"'), ("\u200bemail", "email", '"\\u200Bemail"'),
            ("Cafe\u0301", "Caf\u00e9", '"Cafe\\u0301"'), ("Caf\u00e9", "Cafe\u0301", '"Caf\\u00E9"'),
            ("a\u2007b", "a b", '"a\\u2007b"'),
        ]:
            with self.subTest(header):
                self.write("t.csv", f"{header},x\n1,2\n")
                self.rules(name)
                error = self.assay("check", "t.csv", "-r", "rules.json", status=2).err
                advice = f"name: {shown}\n" if shown[0] == '"' else f"did you mean '{shown.strip(chr(39))}'?\n"
                self.assertIn(advice, error)
                self.write("right.yaml", f"fields: [{{name: {shown}}}]\n")
                self.assay("check", "t.csv", "-r", "right.yaml", status=0)

    def test_names_that_occur_twice(self):
        self.write("t.csv", "Key,Labels,Labels\n1,a,b\n")
        self.rules("Labels")
        error = self.assay("check", "t.csv", "-r", "rules.json", status=2).err
        self.assertIn("--no-header --skip 1", error)
        self.rules("Key", "first", "second")
        self.assay("check", "t.csv", "-r", "rules.json", "--no-header", "--skip", "1", status=0)
