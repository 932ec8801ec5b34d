"""Every guess about the content or the name of an input that ends a run before it starts (exit status 2), and the
option that overrides it.

The table of these guesses in Docs/csv.md has the same options.
"""

import re
import unittest
from pathlib import Path

from support import CommandTest

ROOT = Path(__file__).resolve().parents[2]
EVERY_BYTE = b"".join(bytes([byte]) * 3 for byte in range(256))

# Name, files, command, part of the message, the option that it names, and the options with which the run starts.
CASES = [
    ("a list of JSON", {"t.csv": '[{"a": 1}]\n'}, "check t.csv", "is a JSON array", "--format csv", "--format csv"),
    ("JSON over several lines", {"t.json": '{"a": 1,\n"b": 2}\n'}, "check t.json", "is JSON over several lines",
     "--format jsonl", "--format jsonl"),
    ("HTML", {"t.csv": "<html>\n<b>\n"}, "check t.csv", "is a web page", "--format csv", "--format csv"),
    ("XML", {"t.csv": "<?xml version='1'?>\n<a>\n"}, "check t.csv", "is XML", "--format csv", "--format csv"),
    ("XML instead of JSON Lines", {"t.jsonl": "<?xml version='1'?>\n<a>\n"}, "check t.jsonl", "is XML",
     "--format jsonl", "--format jsonl"),
    ("PDF", {"t.csv": "%PDF-1.4,x\n1,a\n"}, "check t.csv", "is a PDF document", "--format csv", "--format csv"),
    ("Stata", {"t.csv": "<stata_dta><header>,x\n1,a\n"}, "check t.csv", "is a Stata data set", "--format csv",
     "--format csv"),
    ("SAS", {"t.csv": "HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!,x\n1,a\n"}, "check t.csv", "is a SAS data set",
     "--format csv", "--format csv"),
    ("EBCDIC", {"t.csv": "id,name\n1,Anna\n2,Bo\n".encode("cp500")}, "check t.csv", "is text in EBCDIC",
     "--encoding NAME", "--encoding KOI8-R"),
    ("a picture", {"t.csv": "ÿØÿ,b\n1,2\n".encode("cp1252")}, "check t.csv", "is a picture", "--encoding NAME",
     "--encoding windows-1252"),
    ("Zstandard", {"t.csv": "(µ/ý,b\n1,2\n".encode("cp1252")}, "check t.csv --compression none", "is Zstandard data",
     "--encoding NAME", "--encoding windows-1252"),
    ("Zstandard that cannot be unpacked", {"t.csv": "(µ/ý,b\n1,2\n".encode("cp1252")}, "check t.csv",
     "has the first bytes of Zstandard data", "--compression none", "--compression none --encoding windows-1252"),
    ("Zstandard with a large window", {"t.csv": "(µ/ýAé,b\n1,2\n".encode("cp1252")}, "check t.csv",
     "is Zstandard data with a window", "--compression none", "--compression none --encoding windows-1252"),
    ("binary data", {"t.csv": EVERY_BYTE}, "check t.csv", "is not text", "--encoding NAME", "--encoding KOI8-R"),
    ("binary data, with a guess of the encoding", {"t.csv": EVERY_BYTE}, "check t.csv --encoding auto", "is not text",
     "--encoding NAME", "--encoding KOI8-R"),
    ("NULs", {"t.csv": bytes(100)}, "check t.csv", "its first 100 bytes are NUL", "--encoding NAME",
     "--encoding UTF-8"),
    ("one NUL", {"t.csv": b"\0"}, "check t.csv", "its first byte is NUL", "--encoding NAME", "--encoding UTF-8"),
    ("UTF-8", {"t.csv": "id,n\n1,José\n"}, "check t.csv --encoding windows-1252", "is UTF-8, not windows-1252",
     "--trust-encoding", "--trust-encoding"),
    ("another encoding", {"t.csv": "Größe,Länge,Höhe\n1,2,3\n".encode("cp1252")}, "check t.csv", "is not UTF-8",
     "--encoding windows-1252", "--encoding windows-1252"),
    ("no certain encoding", {"t.csv": "\u0416\u0416,b\n1,2\n".encode("koi8-r")}, "check t.csv", "is not UTF-8",
     "--encoding", "--encoding KOI8-R"),
    ("two delimiters", {"t.csv": "a,b;c\n1,2;3\n"}, "check t.csv", "the delimiter may be ',' or ';'", "--delimiter ,",
     "--delimiter ,"),
    ("sep= with the quote", {"t.csv": "sep=;\na,b\n1,2\n"}, "check t.csv --quote ;", "by the note for Excel",
     "--delimiter", "--delimiter ,"),
    ("the comma as the escape", {"t.csv": "a;b\n1;2\n"}, "check t.csv --escape ,", "are the same character",
     "--delimiter", "--delimiter ;"),
    ("no header", {"t.csv": ""}, "check t.csv", "is empty", "--no-header", "--no-header"),
    ("too many columns", {"t.csv": "a" + ",a" * 20_000 + "\n"}, "check t.csv", "more than the limit",
     "--limit columns=20001", "--limit columns=20001"),
    ("a bare CR in the first line",
     {"t.csv": "id,na\rme\n1,a\n2,b\n", "r.yaml": 'fields: [{name: id}, {name: "na\\rme"}]\n'},
     "check t.csv --rules r.yaml", "no column is named", "--line-terminator lf", "--line-terminator lf"),
    ("a bare CR in the first line of one file", {"a.csv": "id,n\n1,x\n", "b.csv": "id,n\r1,x\r"},
     "check a.csv b.csv --as-one",
     "a bare CR ends the records of only one file", "--line-terminator cr", "--line-terminator cr"),
    ("files with different delimiters", {"a.csv": "x;y|z\n1;2\n3;4\n", "b.csv": "x;y|z\n1|2\n3|4\n"},
     "check a.csv b.csv --as-one", "the delimiters are", "--delimiter", "--delimiter ;"),
    ("JSON by its first bytes, and fieldsMatch",
     {"t.csv": '{"a"};x\n1;2\n', "r.yaml": "fieldsMatch: exact\nfields: [{name: '{\"a\"}'}, {name: x}]\n"},
     "check t.csv --rules r.yaml", "is JSON Lines", "--format csv", "--format csv"),
    ("JSON by its first bytes, and skip",
     {"t.csv": '{"a"}\nx;y\n1;2\n', "r.yaml": "dialect: {skip: 1}\nfields: [{name: x}]\n"},
     "check t.csv --rules r.yaml", "is JSON Lines", "--format csv", "--format csv"),
    ("JSON by its first bytes, and a name that is not a path",
     {"t.csv": '{"a"};x[\n1;2\n', "r.yaml": "fields: [{name: 'x['}]\n"},
     "check t.csv --rules r.yaml", "is no path into JSON", "--format csv", "--format csv"),
    ("JSON by its name", {"t.json": "a;b\n1;2\n"}, "check t.json --delimiter ;", "is JSON Lines", "--format csv",
     "--format csv"),
    ("a rule file by its name", {"t.yaml": "id,name\n1,a\n"}, "check t.yaml", "is named like a rule file",
     "--format csv", "--format csv"),
    ("a Data Package by its name", {"resource.json": '{"id": 1}\n{"id": 2}\n'}, "check resource.json",
     "is named like a Data Package", "--format jsonl", "--format jsonl"),
    ("a Data Package by its name, and an option", {"resource.json": "id;x\n1;2\n"}, "check resource.json --delimiter ;",
     "is a Data Package", "--format csv", "--format csv"),
]


class OverriddenGuessTests(CommandTest):
    def test_every_guess_yields_to_an_option(self):
        for name, files, command, message, named, options in CASES:
            with self.subTest(name):
                for path in self.path(".").iterdir():
                    path.unlink()
                for file, content in files.items():
                    self.write(file, content)
                words = command.split(" ")
                outcome = self.assay(*words, status=2)
                self.assertIn(message, outcome.err)
                self.assertIn(named, outcome.err)
                option = options.split(" ")[0]
                if option in words:
                    place = words.index(option)
                    del words[place:place + 2]
                self.assertIn(self.assay(*words, *options.split(" ")).status, (0, 1))

    def test_diff_of_files_with_swapped_names(self):
        self.write("t.yaml", "id,name\n1,a\n")
        for name in ("old.csv", "new.csv"):
            self.write(name, "fields: [{name: id}]\n")
        self.assertIn("is named like a rule file", self.assay("diff", "old.csv", "new.csv", "t.yaml", status=2).err)
        self.assay("diff", "old.csv", "new.csv", "t.yaml", "--format", "csv", status=0)

    def test_lines_that_are_no_objects(self):
        """A table that is guessed to be JSON Lines, and of which all records are rejected."""
        for name, content, count in (
            ("t.json", "a,b\n1,2\n", "its first 2 lines are not objects"),
            ("t.jsonl", "a\n", "its first line is not an object"),
            ("t.csv", '{"a"};x\n1;2\n3;4', "its first 3 lines are not objects"),
        ):
            self.write(name, content)
            note = (f"assay: {name}: it is read as JSON Lines, and {count}\n"
                    f"  try:\n    assay check {name} --format csv\n")
            self.assertIn(note, self.assay("check", name, status=1).err)
            self.assertIn(note.replace("check", "profile"), self.assay("profile", name, status=0).err)
            self.assay("check", name, "--format", "csv", status=0)
            self.assertNotIn("no object", self.assay("check", name, "--format", "jsonl", status=1).err)
            self.assertNotIn("an object", self.assay("check", name, "-q", status=1).err)
        note = ("assay: standard input: it is read as JSON Lines, and its first line is not an object\n"
                "  try:\n    … | assay check - --format csv\n")
        self.assertIn(note, self.assay("check", "-", stdin='{"a"\n', status=1).err)
        # One object is enough, even a malformed one, and incomplete lines do not count.
        for content in ('{"a"\n{"a": 1}\n', '{"a": "' + "x" * 100_000 + '"}\n', '{"a": "\\ud83d"}\n'):
            self.write("t.jsonl", content)
            self.assertNotIn("object", self.assay("check", "t.jsonl").err)

    def test_damaged_zstandard(self):
        """Frames whose first bytes cannot be text are damaged files, not text."""
        for content in (b"\x28\xb5\x2f\xfd\x24\x0aQ\0\0", b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfd\x04"):
            self.write("t.csv", content)
            outcome = self.assay("check", "t.csv")
            self.assertEqual((outcome.status, "--compression" in outcome.err), (3, False), outcome.err)

    def test_a_field_that_no_record_has(self):
        self.write("t.jsonl", '{"a": 1}\n')
        self.write("r.yaml", "fields: [{name: b}]\n")
        error = self.assay("check", "t.jsonl", "--rules", "r.yaml", status=2).err
        self.assertIn("the first records have: a\n", error)
        self.assertIn("{name: b, optional: true}", error)
        self.write("r.yaml", "fields: [{name: b, optional: true}]\n")
        self.assay("check", "t.jsonl", "--rules", "r.yaml", status=0)
        self.write("t.jsonl", "{}\n")
        self.write("r.yaml", "fields: [{name: b}]\n")
        self.assertIn("the first records have no members\n",
                      self.assay("check", "t.jsonl", "--rules", "r.yaml", status=2).err)

    def test_text_in_utf8_is_never_ebcdic(self):
        for text in ("é" * 250, "ああ,いい" * 50, "العالم" * 60):
            for cut in range(4):
                self.write("e.csv", text.encode() [cut * 2:][:400 - cut].decode(errors="ignore"))
                self.assertNotIn("EBCDIC", self.assay("check", "e.csv").err)
            self.write("e.jsonl", '{"v":"' + text + '"}\n{"v":"x"}\n')
            self.assay("check", "e.jsonl", status=0)

    def test_marks_that_text_does_not_have(self):
        """Text never contains these bytes, so no option makes Assay read them as text."""
        for content in (b"\x89PNG\r\n\x1a\n\0\0", b"PK\3\4" + bytes(30), b"\xff\xd8\xff" + EVERY_BYTE,
                        b"SQLite format 3\0"):
            self.write("t.csv", content)
            for options in (["--format", "csv"], ["--encoding", "KOI8-R"], ["--format", "csv", "--encoding", "UTF-8"]):
                self.assay("check", "t.csv", *options, status=2)

    def test_the_table_of_the_documentation(self):
        text = (ROOT / "Docs/csv.md").read_text()
        table = text[text.index("### Guesses and their options"):].split("\n## ")[0]
        for _, _, _, _, named, _ in CASES:
            option = re.match("--[a-z-]+", named).group()
            self.assertIn(option, table)


class LineTerminatorTests(CommandTest):
    def test_a_bare_cr_is_data(self):
        self.write("t.csv", "i\rd,n\n1,a\rb\n2,c\n")
        self.write("r.yaml", 'dialect: {lineTerminator: "\\n"}\nfields: [{name: "i\\rd", type: integer}, {name: n}]\n')
        self.assertIn("clean                 2 ", self.assay("check", "t.csv", "--rules", "r.yaml", status=0).err)
        self.assay("clean", "t.csv", "--rules", "r.yaml", "--line-terminator", "lf", "-q", status=0)
        self.assertEqual(self.read("t.clean.csv"), self.read("t.csv"))
        self.assertIn("name: \"i\\rd\"", self.assay("init", "t.csv", "--line-terminator", "lf", status=0).text)
        self.assertIn("lineTerminator: \\n", self.assay("init", "t.csv", "--line-terminator", "lf", status=0).text)
        self.assertIn("  records    2", self.assay("profile", "t.csv", "--line-terminator", "lf", status=0).text)

    def test_a_bare_cr_ends_records(self):
        self.write("t.csv", "id,n\n1,a\r2,b\r")
        self.assertIn("the record has 3 fields where 2 are expected", self.assay("check", "t.csv", status=1).err)
        for options in (["--line-terminator", "cr"], ["--rules", "r.yaml"]):
            self.write("r.yaml", 'dialect: {lineTerminator: "\\r"}\nfields: [{name: id, type: integer}]\n')
            self.assertIn("records               2", self.assay("check", "t.csv", *options, status=0).err)

    def test_lines_above_the_table(self):
        self.write("t.csv", "Report\rof today\nid,n\n1,a\n")
        self.assertIn("clean                 1 ",
                      self.assay("check", "t.csv", "--skip", "1", "--line-terminator", "lf", status=0).err)

    def test_mistakes(self):
        self.write("t.csv", "a\n1\n")
        self.assertIn("--line-terminator takes lf or cr, not 'crlf'.",
                      self.assay("check", "t.csv", "--line-terminator", "crlf", status=2).err)
        self.write("r.yaml", "dialect: {lineTerminator: x}\nfields: []\n")
        self.assertIn("lines end with LF or CR LF (\\n), or with CR (\\r)",
                      self.assay("rules", "check", "r.yaml", status=2).err)


if __name__ == "__main__":
    unittest.main()
