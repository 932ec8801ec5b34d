"""Suggested commands in messages: they must work as printed, and must keep all options of the failed command."""

import bz2
import gzip
import re
import subprocess
import unittest

from support import ASSAY, PATIENCE, CommandTest, Outcome, environment

SEMICOLONS = "a;b\n1;ök\n2;nö\n"

# Two delimiters fit this table equally well.
EITHER = "a,b;c\n1,b;c\n"


class SuggestionTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.rules("a", {"name": "b", "constraints": {"pattern": "ök"}})

    def suggested(self, *arguments, stdin=b""):
        """The commands after `try:`, stripped."""
        before = self.files()
        error = self.assay(*arguments, stdin=stdin, status=2).err
        self.assertEqual(self.files(), before)
        self.assertIn("\n  try:\n", error)
        return [line.strip() for line in error.split("\n  try:\n")[1].splitlines()]

    def assert_suggested(self, arguments, *commands, stdin=b""):
        self.assertEqual(self.suggested(*arguments, stdin=stdin), list(commands))


class OptionTests(SuggestionTest):
    def test_all_options_stay(self):
        """This includes future options: the test passes all options of the help and expects them in the suggestion."""
        self.write("s.csv", bz2.compress(f"a note\n{SEMICOLONS}".encode()))
        values = {
            "--rules": "rules.json", "--delimiter": ";", "--quote": "~", "--threads": "2", "--head": "9",
            "--max-reject-rate": "99%",
            "--max-findings": "7", "--limit": "columns=8", "--progress": "never", "--findings": "none",
            "--report": "none", "--clean": "out of here.csv", "--rejects": "none", "--skip": "1", "--escape": "\\",
            "--comment": "#", "--extra-fields": "keep", "--compression": "none", "--compress": "none",
            "--encoding": "utf-8", "--output-encoding": "same", "--format": "csv", "--stop-after": "6",
            "--memory": "9M", "--temp-dir": ".", "--blank-lines": "keep", "--line-terminator": "lf", "--sample": "100%",
            "--seed": "3", "--changes": "none", "--now": "2024-02-29T12:30:00Z",
        }
        # --resource is for Data Packages, and a run that reads a pipe cannot be resumed.
        left = {"clean": {"--output-dir", "--resource", "--resume", "--checkpoint-every"}, "check": {"--resource"}}
        for command in ("clean", "check"):
            with self.subTest(command):
                text = self.assay(command, "--help", status=0).text
                options = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.M)) - {"--version", "--help"}
                given = []
                for option in sorted(options - left[command]):
                    given += [option, values[option]] if option in values else [option]
                [suggestion] = self.suggested(command, "s.csv", *given)
                for option in options - left[command]:
                    self.assertIn(f" {option}", suggestion)
                for value in ["99%", "columns=8", "'\\'", "'#'"] + (["'out of here.csv'"]
                                                                    if command == "clean" else []):
                    self.assertIn(value, suggestion)
                self.shell(suggestion, status=0)
        self.assertEqual(self.read("out of here.csv").decode(), "a note\n1;ök\n")

    def test_repeated_limits(self):
        self.write("s.csv", EITHER)
        command = "assay check s.csv --limit columns=8 --limit depth=9 --quiet --delimiter"
        self.assert_suggested(
            ["check", "s.csv", "--limit", "columns=8", "--limit", "depth=9", "-q"], f"{command} ,", f"{command} ';'")

    def test_outputs_in_a_directory(self):
        self.write("s.csv", SEMICOLONS)
        self.path("od").mkdir()
        [suggestion] = self.suggested(
            "clean", "s.csv", "-r", "rules.json", "--annotate", "--output-dir", "od", "--findings", "none",
            "--max-reject-rate", "1%", "--delimiter", ",")
        self.assertEqual(
            suggestion, "assay clean s.csv --rules rules.json --annotate --output-dir od --findings none"
            " --max-reject-rate 1% --delimiter ';'")
        self.shell(suggestion, status=1)
        self.assertEqual(self.read("od/s.rejects.csv").decode(), "a;b;_line;_reasons\n2;nö;3;b.pattern\n")

    def test_a_pipe_gives_the_outputs_their_names(self):
        self.write("d/s.csv.bz2", bz2.compress(SEMICOLONS.encode()))
        self.path("od").mkdir()
        [suggestion] = self.suggested(
            "clean", "d/s.csv.bz2", "-r", "rules.json", "--delimiter", ";", "--findings", "none", "--output-dir", "od")
        self.assertEqual(
            suggestion, "bzip2 -t d/s.csv.bz2 && bzcat d/s.csv.bz2 | assay clean - --rules rules.json --delimiter ';'"
            " --findings none --clean od/s.clean.csv --rejects od/s.rejects.csv --report od/s.report.json")
        self.shell(suggestion, status=0)
        self.assertEqual(self.read("od/s.rejects.csv").decode(), "a;b\n2;nö\n")

    def test_no_header(self):
        self.write("nh.csv.bz2", bz2.compress(b"1,2\n3,4\n"))
        self.assert_suggested(
            ["check", "nh.csv.bz2", "--no-header"],
            "bzip2 -t nh.csv.bz2 && bzcat nh.csv.bz2 | assay check - --no-header")
        self.write("e.csv", EITHER)
        self.assert_suggested(
            ["check", "e.csv", "--no-header"], "assay check e.csv --no-header --delimiter ,",
            "assay check e.csv --no-header --delimiter ';'")

    def test_another_encoding(self):
        header = "größe;straße;füße;bücher;überall;äpfel\n"
        self.write("s.csv", (header + "1;2;3;4;5;6\n").encode("windows-1252"))
        [suggestion] = self.suggested("check", "s.csv", "--quote", "'", "--delimiter", ";")
        self.assertRegex(suggestion, r"^assay check s\.csv --quote .* --delimiter ';' --encoding [\w-]+$")
        self.shell(suggestion, status=0)

    def test_a_name_that_means_tab(self):
        """Standard input has no name from which the delimiter could be derived."""
        self.write("s.tsv.bz2", bz2.compress(b"a\tb\n1\tx\n"))
        read = "bzip2 -t s.tsv.bz2 && bzcat s.tsv.bz2 | assay check -"
        self.assert_suggested(["check", "s.tsv.bz2"], f"{read} --delimiter tab")
        self.assert_suggested(["check", "s.tsv.bz2", "--delimiter", "|"], f"{read} --delimiter '|'")
        self.rules("a", name="bar.json", dialect={"delimiter": "|"})
        self.assert_suggested(["check", "s.tsv.bz2", "-r", "bar.json"], f"{read} --rules bar.json")

    def test_another_program_writes_commas(self):
        self.write("s.parquet", b"PAR1" + b"\0" * 100)
        [suggestion] = self.suggested("check", "s.parquet", "--delimiter", ";", "--quote", "'", "--no-header")
        self.assertTrue(suggestion.startswith("duckdb -c "))
        self.assertIn("(HEADER false)", suggestion)
        self.assertTrue(
            suggestion.endswith(" && assay check s.converted.csv --delimiter , --quote '\"' --no-header"), suggestion)
        self.rules("a", name="bar.json", dialect={"delimiter": "|"})
        [suggestion] = self.suggested("check", "s.parquet", "-r", "bar.json")
        self.assertTrue(suggestion.endswith(" && assay check s.converted.csv --rules bar.json --delimiter ,"),
                        suggestion)

    def test_existing_files_are_not_overwritten(self):
        """This includes the input, which may already have the extension of the converted file."""
        convert = ("duckdb -c 'COPY (FROM read_parquet('\\''{0}'\\'')) TO '\\''{1}'\\'' (HEADER)' "
                   "&& assay check {1}").format
        parquet = b"PAR1" + b"\0" * 100
        self.write("table.csv", parquet)
        self.assert_suggested(["check", "table.csv"], convert("table.csv", "table.converted.csv"))
        self.write("table.converted.csv", "a\n1\n")
        self.path("table.converted-2.csv").symlink_to("nowhere")
        self.assert_suggested(["check", "table.csv"], convert("table.csv", "table.converted-3.csv"))
        self.write("d/.json", parquet)
        self.assert_suggested(["check", "d/.json"], convert("d/.json", "d/.json.converted.csv"))
        office = (
            "mkdir {1} && libreoffice --headless --convert-to csv --outdir {1} {0} "
            "&& assay check {1}/report.csv").format
        self.write("d/report.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(80))
        self.assert_suggested(["check", "d/report.csv"], office("d/report.csv", "d/report.converted"))
        self.path("d/report.converted").mkdir()
        self.assert_suggested(["check", "d/report.csv"], office("d/report.csv", "d/report.converted-2"))

    def test_existing_files_are_not_overwritten_by_the_shell(self):
        self.write("users.rules.yaml", "fields: []\n")
        self.write("s.csv", "a\n1\n")
        self.assertIn("assay init s.csv > users.rules-2.yaml", self.assay("clean", "s.csv", status=2).err)

    def test_a_cut_archive_is_not_published(self):
        full = "".join(f"{number},ök\n" for number in range(1000))
        self.write("t.csv.bz2", bz2.compress(f"a,b\n{full}".encode())[:-20])
        [suggestion] = self.suggested("clean", "t.csv.bz2", "-r", "rules.json")
        self.shell(suggestion, status=2)
        self.assertEqual(self.files(), [".tools/assay", "rules.json", "t.csv.bz2"])
        for content, test in [
            (b"\xfd7zXZ\0", "xz -t x && xzcat x | "), (b"BZh91AY&SY", "bzip2 -t x && bzcat x | "),
        ]:
            self.write("x", content)
            self.assert_suggested(["check", "x"], f"{test}assay check -")
        # A pipe of all files in an archive would be a single table.
        self.write("x", b"PK\3\4")
        self.assertNotIn("unzip", self.assay("check", "x", status=2).err)
        # Assay itself tests the formats that it decompresses. Without decompression, they are not CSV.
        for content, name, test in [
            (b"\x28\xb5\x2f\xfd", "Zstandard", "zstd -tq x && zstdcat x | "),
            (gzip.compress(b"")[:9], "gzip", "gzip -t x && zcat x | "),
        ]:
            self.write("x", content)
            outcome = self.assay("clean", "x", "-r", "rules.json", status=3)
            self.assertRegex(outcome.err, rf"^assay: error: x is damaged at byte \d+: {name}: [^\n]+\n$")
            self.assertEqual(self.files(), [".tools/assay", "rules.json", "t.csv.bz2", "x"])
            self.assert_suggested(["check", "x", "--compression", "none"], f"{test}assay check - --compression none")

    def test_init_and_bench(self):
        self.write("s.csv", EITHER)
        command = "assay init s.csv --quote none --limit columns=5 --delimiter"
        self.assert_suggested(
            ["init", "s.csv", "--quote", "none", "--limit", "columns=5"], f"{command} ,", f"{command} ';'")
        self.write("s.csv", SEMICOLONS)
        [suggestion] = self.suggested(
            "bench", "s.csv", "-r", "rules.json", "--rounds", "1", "--megabytes", "2", "--delimiter", ",")
        self.assertEqual(
            suggestion, "assay bench s.csv --rules rules.json --rounds 1 --megabytes 2 --delimiter ';'")
        self.shell(suggestion, status=0)

    def test_how_to_begin(self):
        self.write("s.csv", SEMICOLONS)
        error = self.assay("clean", "--delimiter", ";", "--", "-s.csv", status=2).err
        self.assertIn("To start with a skeleton: assay init ./-s.csv --delimiter ';' > users.rules.yaml", error)


class InputTests(SuggestionTest):
    def test_standard_input(self):
        self.assert_suggested(
            ["clean", "-", "-r", "rules.json", "--rejects", "none", "--delimiter", ","],
            "… | assay clean - --rules rules.json --rejects none --delimiter ';'", stdin=SEMICOLONS)
        self.assert_suggested(
            ["check", "-"], "… | assay check - --delimiter ,", "… | assay check - --delimiter ';'", stdin=EITHER)
        self.assert_suggested(
            ["check", "-", "-r", "rules.json"], "… | assay check - --rules rules.json --skip 2",
            stdin="Export\n\na,b\n1,ök\n")
        self.assert_suggested(
            ["clean", "-", "-r", "rules.json", "--rejects", "x y"],
            "… | bzcat | assay clean - --rules rules.json --rejects 'x y'", stdin=bz2.compress(b"a,b\n"))
        error = self.assay("check", "-", stdin=b"PAR1" + b"\0" * 100, status=2).err
        self.assertNotIn("try:", error, "no file that another program could read")

    def test_a_name_that_looks_like_an_option(self):
        self.write("-s.csv", EITHER)
        self.assert_suggested(
            ["check", "--", "-s.csv"], "assay check ./-s.csv --delimiter ,", "assay check ./-s.csv --delimiter ';'")
        self.shell("assay check ./-s.csv --delimiter ';'", status=0)
        self.write("-s.csv", bz2.compress(b"a,b\n1,2\n"))
        [suggestion] = self.suggested("check", "--", "-s.csv")
        self.shell(suggestion, status=0)
        self.write("-r.json", self.read("rules.json"))
        self.write("-s.csv", SEMICOLONS)
        [suggestion] = self.suggested("check", "--rules=-r.json", "--delimiter=,", "--", "-s.csv")
        self.shell(suggestion, status=1)

    def test_several_inputs(self):
        self.write("one.csv", SEMICOLONS)
        self.write("two.csv", SEMICOLONS)
        self.write("three.csv.bz2", bz2.compress(b"a,b\n1,\xc3\xb6k\n"))
        self.write("four.csv", "a,b\n1,ök\n")
        self.write("five.csv", "a|b\n1|ök\n")
        rules = ["-r", "rules.json", "-q"]
        self.assay("clean", "one.csv", "four.csv", "five.csv", *rules, "--output-dir", ".", status=0)
        for name in ("one", "four", "five"):
            for kind in ("clean.csv", "rejects.csv", "findings.jsonl", "report.json"):
                self.path(f"{name}.{kind}").unlink()
        self.assert_suggested(
            ["check", "one.csv", "two.csv", *rules, "--delimiter", ","],
            "assay check one.csv two.csv --rules rules.json --quiet --delimiter ';'")
        commands = self.suggested(
            "clean", "one.csv", "three.csv.bz2", "four.csv", "two.csv", "five.csv", *rules, "--delimiter", ",")
        self.assertEqual(commands, [
            "assay clean one.csv two.csv --rules rules.json --quiet --delimiter ';'",
            "assay clean five.csv --rules rules.json --quiet --delimiter '|'",
            "bzip2 -t three.csv.bz2 && bzcat three.csv.bz2 | assay clean - --rules rules.json --quiet --delimiter ,"
            " --clean three.clean.csv --rejects three.rejects.csv --findings three.findings.jsonl --report "
            "three.report.json",
            "assay clean four.csv --rules rules.json --quiet --delimiter ,",
        ])
        self.shell(" && ".join(commands), status=0)
        self.write("six.csv", EITHER)
        self.write("seven.csv", "Export\na,b\n1,ök\n")
        commands = self.suggested("check", "six.csv", "four.csv", "-q")
        self.assertEqual(commands, [
            "assay check six.csv --quiet --delimiter ,", "assay check six.csv --quiet --delimiter ';'",
            "assay check four.csv --quiet"])
        commands = self.suggested("check", "seven.csv", "four.csv", "one.csv", *rules)
        self.assertEqual(commands, [
            "assay check seven.csv --rules rules.json --quiet --skip 1",
            "assay check four.csv one.csv --rules rules.json --quiet"])
        self.shell(commands[0], status=0)

    def test_a_process_substitution(self):
        error = self.shell(f"printf '{EITHER}' > s.csv; assay check <(cat s.csv)", status=2).err
        self.assertTrue(error.endswith(
            "\n  try:\n    assay check <(…) --delimiter ,\n    assay check <(…) --delimiter ';'\n"), error)


class ArgumentTests(CommandTest):
    """Arguments that are not UTF-8 would be confused with others."""

    def test_words_that_are_not_utf8(self):
        rules = self.rules("a")
        for arguments, index, shown in [
            ((b"check", b"caf\xe9.csv"), 2, "$'caf\\xe9.csv'"),
            ((b"clean", b"x.csv", b"-r", rules.encode(), b"--clean", b"o'\xff"), 6, "$'o\\'\\xff'"),
            ((b"explain", b"\xff", b"x"), 2, "$'\\xff'"),
            ((b"\xff",), 1, "$'\\xff'"),
        ]:
            with self.subTest(arguments):
                outcome = self.run_bytes(arguments)
                command = "clean" if arguments[0] == b"clean" else "check"
                self.assertEqual(
                    outcome.err,
                    f"assay: error: argument {index} is not UTF-8: {shown}\n  hint: if it names a file, rename "
                    f"the file, or let the shell open it: assay {command} - < {shown}\n")
        outcome = self.run_bytes((b"check", b"--rules=\xe9.json", b"x.csv"))
        self.assertEqual(
            outcome.err, "assay: error: argument 2 is not UTF-8: $'--rules=\\xe9.json'\n"
                         "  hint: if it names a file, rename the file\n")
        self.assert_no_files_left(rules)

    def run_bytes(self, arguments):
        result = subprocess.run([ASSAY, *arguments], cwd=self.directory, env=environment(), capture_output=True,
                                timeout=PATIENCE)
        self.assertEqual(result.returncode, 2)
        return Outcome(result.returncode, result.stdout, result.stderr)


if __name__ == "__main__":
    unittest.main()
