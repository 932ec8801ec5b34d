"""Small inputs that Assay once changed, passed or advised about by a wrong guess."""

import gzip
import io
import subprocess
import tarfile
import unittest
import zipfile

from support import CommandTest

ID_NAME = 'fields: [{name: id, type: integer}, {name: name}]\n'
# Numbers of Berlin and a mobile number, with the digits of the country code but without a plus sign.
PHONES = "p\n49 30 901820\n493004255784\n4917026018159\n4930123456.0\n+49 0170 1234567\n"
PHONE_RULES = "fields: [{name: p, format: phone region=DE, repair: [{canonical: {region: DE}}]}]\n"
ROWS = "".join(f"{row},n{row},x\n" for row in range(40))


def zip_of(**members):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return archive.getvalue()


def tar_of(**members):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as file:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return archive.getvalue()


def danish(rows):
    """The euro sign, the dash and the quotes are far beyond the bytes on which the guess of the encoding is based."""
    text = "id,name,note\r\n" + "".join(f"{row},Søren Møller,pris\r\n" for row in range(rows))
    return (text + f"{rows},Møller,pris 50 € – “godt”\r\n").encode("cp1252")


def stray_quote(rows):
    lines = {10: '10,"Bo\n', rows // 2: f'{rows // 2},"Lee, Ann"\n'}
    return "id,name\n" + "".join(lines.get(row, f"{row},n{row}\n") for row in range(rows))


# A name, the files, the command, its exit status, and texts in its output; the output must not contain texts after
# "not". A dictionary contains the expected content of files, or their end if it begins with a line feed.
CASES = [
    ("phone numbers with a country code and without a plus sign", {"t.csv": PHONES, "r.yaml": PHONE_RULES},
     "clean t.csv --rules r.yaml", 0,
     {"t.clean.csv": "p\n+491701234567\n", "t.rejects.csv": PHONES[:-len("+49 0170 1234567\n")]}),
    ("a late euro sign", {"t.csv": danish(30_000), "r.yaml": ID_NAME}, "clean t.csv --encoding auto --rules r.yaml", 0,
     ["read as   windows-1252", {"t.clean.csv": "\n30000,Møller,pris 50 € – “godt”\r\n"}]),
    ("one word in another encoding", {"t.csv": ("id,name\n" + "1,José\n" * 50).encode("cp1252")}, "check t.csv", 1,
     ["these look like windows-1252. If the whole file is in it: --encoding windows-1252"]),
    ("the same, read as what it seems to be", {"t.csv": ("id,name\n" + "1,José\n" * 50).encode("cp1252")},
     "check t.csv --encoding auto", 0, ["read as   windows-1252, guessed from 1 different word"]),
    ("a stray quote that a far one closes", {"t.csv": stray_quote(20_000), "r.yaml": ID_NAME},
     "clean t.csv --rules r.yaml --max-reject-rate 0.5%", 0,
     ["clean            19,999", "the record has a quote that is never closed; lines 12 to 10002 were read",
      {"t.rejects.csv": 'id,name\n10,"Bo\n'}]),
    ("a stray quote that the next row closes", {"t.csv": 'id,name\n1,"Bo\n2,"Al, B"\n3,Cy\n', "r.yaml": ID_NAME},
     "clean t.csv --rules r.yaml", 0, {"t.clean.csv": 'id,name\n2,"Al, B"\n3,Cy\n'}),
    ("fields that no record has", {"t.jsonl": '{"ID":1,"Email":"nonsense","adress":{"zip":"x"}}\n',
     "r.yaml": "fields: [{name: id, type: integer}, {name: email, format: email}, "
               "{name: address.zip, type: integer}]\n"},
     "check t.jsonl --rules r.yaml", 2, ["no record has 'id'", "did you mean 'Email'?", "did you mean 'adress.zip'?"]),
    ("UTF-8 that is called windows-1252", {"t.csv": "id,name\n" + "1,Zoë\n2,Jörg\n" * 60},
     "check t.csv --encoding windows-1252", 2, ["is UTF-8, not windows-1252"]),
    ("a preamble of a semicolon file",
     {"t.csv": ('"EXTF";700;21;"Buchungen"\n"Konto";"Name"\n' + '1200;"Müller"\n' * 40).encode("cp1252"),
     "r.yaml": "fields: [{name: Konto, type: integer}, {name: Name}]\n"}, "check t.csv --rules r.yaml", 2,
     ["--delimiter ';' --skip 1", "not", "--quote none"]),
    ("a quoted preamble", {"t.csv": '"Report";"2024";"x"\nid;name\n' + "".join(f"{row};n{row}\n" for row in range(50))},
     "check t.csv", 2, ["assay check t.csv --delimiter ';' --skip 1\n", "not", "--quote none"]),
    ("a preamble of a comma file", {"t.csv": "Report of 2024-01\nid,name,x\n" + ROWS}, "check t.csv", 1,
     ["it is read as one column; with --skip 1 it has 3 columns", "assay check t.csv --skip 1\n"]),
    ("the same for profile", {"t.csv": "Report of 2024-01\nid,name,x\n" + ROWS}, "profile t.csv", 0,
     ["assay profile t.csv --skip 1\n"]),
    ("the same for infer", {"t.csv": "Report of 2024-01\nid,name,x\n" + ROWS}, "infer t.csv", 0,
     ["assay infer t.csv --skip 1\n"]),
    ("a delimiter at the end of the header", {"t.csv": "id,name,x,\n" + ROWS}, "check t.csv", 1,
     ["assay check t.csv --trailing-delimiter\n"]),
    ("quotes after backslashes", {"t.csv": "id,name\n" + '1,"a \\"b\\", c"\n' * 50}, "check t.csv", 1,
     ["assay check t.csv --escape '\\'\n"]),
    ("a preamble that is padded to all columns",
     {"t.csv": "Account:;AT12 3456;;\nFrom:;2024-01-01;;\n;;;\nDate;Text;Amount;Currency\n"
      + "2024-01-02;Payment 1;1,50;EUR\n" * 40},
     "infer t.csv", 0, ["the header has columns without names", "assay infer t.csv --skip 3\n"]),
    ("sep= of another delimiter", {"t.csv": "sep=;\nid,name\n1,Ann\n2,Bo\n", "r.yaml": ID_NAME},
     "check t.csv --rules r.yaml", 2, ["assay check t.csv --rules r.yaml --delimiter ,\n", "not", "--no-header"]),
    ("a zip archive of two tables",
     {"t.zip": zip_of(**{"e.csv": "id\n1\n", "f.csv": "id\n2\n", "__MACOSX/._e.csv": "x"})}, "check t.zip", 2,
     ["unzip -p t.zip e.csv | assay check -\n", "unzip -p t.zip f.csv | assay check -\n", "not", "__MACOSX"]),
    ("a tar archive", {"t.tar.gz": tar_of(**{"users.csv": b"id,name\n1,Ann\n"}), "r.yaml": ID_NAME},
     "check t.tar.gz --rules r.yaml", 2,
     ["t.tar.gz is a tar archive, not CSV", "tar -xOf t.tar.gz users.csv | assay check - --rules r.yaml\n",
      "not", "\0"]),
    ("numbers with a comma before three digits", {"t.csv": "d\n" + "".join(f'"{row},165"\n' for row in range(700, 740)),
     "r.yaml": "fields: [{name: d, type: number}]\n"}, "check t.csv --rules r.yaml", 1,
     ["values with two readings: no repair is recommended for 40 values of d", "not", "fixes"]),
    ("half a surrogate pair",
     {"t.jsonl": '{"id": 1, "name": "\\ud83d"}\n{"id": 2, "name": "\\ude00x"}\n', "r.yaml": ID_NAME},
     "check t.jsonl --rules r.yaml", 1, ["structure.json", "clean                 0 ", "half of a surrogate pair"]),
    ("integers beyond doubles", {"t.csv": "id\n9007199254740993\n9007199254740995\n"}, "profile t.csv", 0,
     ["9,007,199,254,740,993 … 9,007,199,254,740,995"]),
    ("capitals in a host",
     {"t.csv": "e\nDörte@Sörensen.example.com\n", "r.yaml": "fields: [{name: e, format: email unicode}]\n"},
     "check t.csv --rules r.yaml", 0, ["clean                 1 "]),
    ("a header with a line break and a bar", {"t.csv": 'id,"a\nb | c",x\n1,2,3\n4,5,6\n'}, "check t.csv", 0,
     ["clean                 2 ", "not", "delimiter"]),
    ("text that was encoded twice", {"t.csv": "id,name\n1,Zoë\n2,JosÃ©\n"}, "profile t.csv", 0,
     ["1 value seems to be UTF-8 that was read as windows-1252, as Ã© for é, first in record 2\n"]),
    ("a header in the middle", {"t.csv": "\ufeffid,name\n1,a\n\ufeffid,name\n2,b\n"}, "profile t.csv", 0,
     ["1 record repeats the header, on line 3, after a byte order mark\n"]),
    ("commas in a file that is called .tsv", {"x.tsv": "a,b\n1,2\n"}, "check x.tsv", 0,
     ["x.tsv: it is read as one column; with --delimiter , it has 2 columns", "assay check x.tsv --delimiter ,\n"]),
    ("the same with an option", {"x.tsv": "a,b\n1,2\n"}, "check x.tsv --delimiter tab", 0, ["not", "one column"]),
    ("the same for infer", {"x.tsv": "a;b\n1;2\n"}, "infer x.tsv", 0, ["assay infer x.tsv --delimiter ';'\n"]),
    ("a name that is as near as another", {"t.csv": "q1_2023,q1_2024,x\n1,2,3\n",
     "r.yaml": "fields: [{name: q1_2025}, {name: xx}]\n"}, "check t.csv --rules r.yaml", 2,
     ["no column is named 'q1_2025'", "not", "did you mean"]),
    ("columns of one name", {"t.csv": "Key,Labels,Labels\n1,a,b\n", "r.yaml": "fields: [{name: Labels}]\n"},
     "check t.csv --rules r.yaml", 2,
     ["the column 'Labels' occurs more than once (columns 2, 3)", "--no-header --skip 1"]),
]


class WrongGuessTests(CommandTest):
    def test_columns_that_are_called_like_magic_numbers(self):
        for name in ("GIF89a", "GIF87a", "%PDF-version", "<html>", "<?xml?>", "HEADER RECORD*******LIB", "<stata_dta>",
                     "BZh11AY&SY", "RDX2", "$FL2@(#)", "ORC", "MZ", "PAR1"):
            with self.subTest(name):
                self.write("t.csv", name + ",x\n1,a\n")
                for options in ([], ["--format", "csv"], ["--encoding", "windows-1252"]):
                    self.assay("check", "t.csv", *options, status=0)
        self.write("t.csv", b"mmkkmmkk")
        self.assay("check", "t.csv", status=0)

    def test_a_format_that_was_named(self):
        """An explicit format has priority over all magic numbers of ASCII bytes."""
        for start in (b"%PDF-1.4,x\n1,a\n", b"<html>\n<b>\n", b"<?xml version='1'?>\n<a>\n",
                      b"<stata_dta><header>,x\n1,a\n",
                      b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!,x\n1,a\n", b"[[1],x\n2,a\n"):
            with self.subTest(start):
                self.write("t.csv", start)
                self.assertIn(", not CSV", self.assay("check", "t.csv", status=2).err)
                self.assay("check", "t.csv", "--format", "csv", status=0)
                self.assay("check", "t.csv", "--format", "jsonl", status=1)
        self.write("t.csv", b"\x89PNG\r\n\x1a\n\0\0")
        self.assay("check", "t.csv", "--format", "csv", status=2)

    def test_ebcdic(self):
        """The user chooses the code page, and the command works for both line ends of EBCDIC."""
        text = "id,name\n" + "".join(f"{row},Müller in Hamburg\n" for row in range(20))
        for end in (b"\x25", b"\x15"):
            content = text.encode("cp273").replace(b"\x25", end).replace(b"\x15", end)
            self.write("t.csv", content)
            outcome = self.assay("check", "t.csv", status=2)
            self.assertIn("t.csv is text in EBCDIC, not CSV", outcome.err)
            self.assertNotIn("try:", outcome.err)
            command = "tr '\\025' '\\045' < FILE | iconv -f CODEPAGE -t UTF-8"
            self.assertIn(command, outcome.err)
            converted = subprocess.run(
                ["sh", "-c", command.replace("FILE", str(self.path("t.csv"))).replace("CODEPAGE", "IBM273")],
                capture_output=True, check=True)
            self.assertEqual(converted.stdout.decode(), text)

    def test_broken_first_line_of_json(self):
        self.write("t.jsonl", '{"a": 1,\nbroken\n{"a":2}\n')
        self.assertIn("is JSON over several lines", self.assay("check", "t.jsonl", status=2).err)
        outcome = self.assay("check", "t.jsonl", "--format", "jsonl", status=1)
        self.assertIn("clean                 1 ", outcome.err)

    def test_json_that_jq_changes(self):
        for content, is_kept in (('[{"a": 1}]', True), ('[{"a": 1, "a": 2}]', False),
                                 ('[{"a": 12345678901234567}]', False),
                                 ('[{"a": 0.12345678901234567}]', False),
                                 ('[{"a": "12345678901234567"}, {"a": {"a": 1}}]', True),
                                 ('{"a": 1,\n"a": 2}\n', False), ('{"a": 1,\n"b": "\\"c"}\n', True),
                                 ('{"a": 1,\n"\\u0061": 2}\n', False), ('[{"a": 1.10}]', False),
                                 ('[{"a": 1e2}]', False), ('[{"a": -1.25}]', True)):
            with self.subTest(content):
                self.write("t.json", content)
                outcome = self.assay("check", "t.json", status=2)
                (self.assertIn if is_kept else self.assertNotIn)("jq -c", outcome.err)
                if not is_kept:
                    self.assertIn("which jq may change", outcome.err)

    def test_csv_that_begins_like_json(self):
        self.write("br.csv", '{"a"};x\n1;2\n')
        for option in (["--delimiter", ";"], ["--format", "csv"]):
            self.assay("check", "br.csv", *option, status=0)
            self.assertIn("name: x", self.assay("init", "br.csv", *option, status=0).text)
            self.assay("profile", "br.csv", *option, status=0)
        self.write("br.csv", '{"a"}\na;b\n1;2\n')
        self.assay("check", "br.csv", "--skip", "1", status=0)
        self.write("br.json", '{"a": 1}\n')
        self.assertIn("--delimiter is for CSV", self.assay("check", "br.json", "--delimiter", ";", status=2).err)

    def test_names_of_other_files(self):
        """An explicit format has priority over the name of an input, and the content over the name of a rule file."""
        self.write("t.yaml", "id,name\n1,a\n")
        self.write("r.csv", ID_NAME)
        self.assertIn("named like a rule file", self.assay("check", "t.yaml", status=2).err)
        self.assay("check", "t.yaml", "--format", "csv", "--rules", "r.csv", status=0)
        self.assay("rules", "check", "r.csv", status=0)
        self.assay("rules", "lint", "r.csv", status=0)
        self.write("r.csv", "id,secret\n1,a\n")
        outcome = self.assay("check", "t.yaml", "--format", "csv", "--rules", "r.csv", status=2)
        self.assertIn("r.csv is named like a table, not like rules", outcome.err)
        self.assertNotIn("secret", outcome.err)

    def test_options_for_csv_contradict_json_only(self):
        """A login page that was downloaded in place of an export is not a table, for any delimiter."""
        page = "<!DOCTYPE html>\n<html><head></head>\n<body>please; log in</body></html>\n"
        for content in (page, '<?xml version="1.0"?>\n<a><b/></a>\n', "%PDF-1.4\n1 0 obj\n"):
            self.write("t.csv", content)
            for flags in (["--no-header"], ["--delimiter", ";"], ["--blank-lines", "skip"], ["--quote", "none"],
                          ["--skip", "1"]):
                with self.subTest(content[:9], flags=flags):
                    self.assertIn(", not CSV", self.assay("check", "t.csv", *flags, status=2).err)
            self.assertIsNot(self.assay("check", "t.csv", "--format", "csv", "--no-header", "--delimiter", ";").status,
                             2)

    def test_capital_letters_and_signs_are_no_utf8(self):
        for text, encoding in (("NESTLÉ®", "windows-1252"), ("CAFÉ™", "windows-1252"), ("5В»", "windows-1251")):
            with self.subTest(text):
                self.write("t.csv", f"id,n\n1,{text}\n".encode(encoding))
                self.assay("check", "t.csv", "--encoding", encoding, status=0)
        self.write("t.csv", "id,n\n1,José\n")
        self.assertIn("is UTF-8", self.assay("check", "t.csv", "--encoding", "windows-1252", status=2).err)

    def test_kinds_of_zip_archives(self):
        for members, name in (({"xl/data.csv": "id\n1\n"}, "a zip archive"),
                              ({"[Content_Types].xml": "x", "word/document.xml": "x"}, "a zip archive"),
                              ({"[Content_Types].xml": "x", "xl/workbook.xml": "x"}, "an Excel workbook"),
                              ({}, "a zip archive")):
            with self.subTest(members):
                self.write("t.zip", zip_of(**members))
                outcome = self.assay("check", "t.zip", status=2)
                self.assertIn(f"t.zip is {name}, not CSV", outcome.err)
                if not members:
                    self.assertNotIn("unzip", outcome.err)

    def test_members_that_are_no_tables(self):
        members = {"logo.png": "x", "README.md": "x", "a.csv": "id\n1\n", "b.jsonl.gz": "x"}
        for name, content in (("t.zip", zip_of(**members)),
                              ("t.tar.gz", tar_of(**{each: text.encode() for each, text in members.items()}))):
            self.write(name, content)
            error = self.assay("check", name, status=2).err
            self.assertIn("a.csv", error)
            self.assertIn("b.jsonl.gz", error)
            self.assertNotIn("logo.png", error)
            self.assertNotIn("README.md", error)
        self.write("t.zip", zip_of(**{"logo.png": "x", "data": "id\n1\n"}))
        self.assertIn("logo.png", self.assay("check", "t.zip", status=2).err)

    def test_a_column_that_is_called_like_a_note(self):
        self.write("t.csv", "sep=x\n2\n3\n")
        self.write("r.yaml", "fields: [{name: sep=x, type: integer}]\n")
        self.assertIn("clean                 2 ",
                      self.assay("check", "t.csv", "--rules", "r.yaml", "--delimiter", ",", status=0).err)
        self.write("t.csv", "sep=;\na,b\n1,2\n")
        self.assertIn("clean                 1 ", self.assay("check", "t.csv", "--delimiter", ",", status=0).err)

    def test_blank_lines_at_the_end(self):
        """By default they are kept. An explicit `reject` applies to all blank lines."""
        self.write("t.csv", "id,name\n1,a\n\n\n")
        self.write("r.yaml", "dialect: {blankLines: reject}\nfields: [{name: id}, {name: name}]\n")
        self.assay("check", "t.csv", status=0)
        for options in (["--blank-lines", "reject"], ["--rules", "r.yaml"]):
            self.assertIn("structure.blank                               2",
                          self.assay("check", "t.csv", *options, status=1).err)

    def test_a_referenced_table_that_is_named_like_json(self):
        self.write("t.csv", "id,ref\n1,7\n2,8\n")
        self.write("r.yaml", "fields: [{name: id}, {name: ref}]\n"
                   "foreignKeys: [{fields: ref, reference: {resource: ref.json, fields: id}}]\n")
        for content in ("id,n\n7,a\n", '{"id": "7"}\n'):
            self.write("ref.json", content)
            self.assertIn("clean                 1 ", self.assay("check", "t.csv", "--rules", "r.yaml", status=1).err)

    def test_a_referenced_table_that_is_packed_or_encoded(self):
        self.write("t.csv", "id,ref\n1,7\n2,8\n")
        self.write("r.yaml", "fields: [{name: id}, {name: ref}]\n"
                   "foreignKeys: [{fields: ref, reference: {resource: ref.json, fields: id}}]\n")
        for content in ("id,n\n7,a\n", '{"id": "7"}\n'):
            for packed in (gzip.compress(content.encode()), content.encode("utf-16"),
                           gzip.compress(content.encode("utf-16-le"))):
                self.write("ref.json", packed)
                self.assertIn("clean                 1 ",
                              self.assay("check", "t.csv", "--rules", "r.yaml", status=1).err)

    def test_archives_of_tables_with_one_name(self):
        self.write("two.tar", tar_of(**{"a/t.csv": b"id\n1\n", "b/t.csv": b"id\n2\n"}))
        error = self.assay("infer", "two.tar", status=2).err
        self.assertIn(" > t.csv && assay infer t.csv", error)
        self.assertIn(" > t-2.csv && assay infer t-2.csv", error)

    def test_json_that_was_examined_in_part(self):
        """`jq` keeps the last one of two members with the same name, at any position."""
        text = '[{"a": "x"}' + '\n,{"a": "x"}' * 8_000
        for end, is_kept in (("]\n", True), (',{"a": 1, "a": 2}]\n', False)):
            for start in ("", '{"all":'):
                self.write("t.json", start + text + (end.strip() + "}\n" if start else end))
                error = self.assay("check", "t.json", status=2).err
                (self.assertIn if is_kept else self.assertNotIn)("jq -c", error)

    def test_blank_lines_above_a_table_without_header(self):
        for start in ("\n", "\r\n\n"):
            self.write("t.csv", start + "1,a\n2,b\n")
            outcome = self.assay("check", "t.csv", "--no-header", status=1).err
            self.assertIn("clean                 2 ", outcome)
            self.assertIn("structure.blank", outcome)
        self.write("t.csv", "\n\n")
        self.assay("check", "t.csv", "--no-header", status=0)

    def test_all(self):
        for name, files, command, status, expected in CASES:
            with self.subTest(name):
                for path in self.path(".").iterdir():
                    path.unlink()
                for file, content in files.items():
                    self.write(file, content)
                outcome = self.assay(*command.split(" "), status=status)
                output, is_there = outcome.text + outcome.err, True
                for text in [expected] if isinstance(expected, dict) else expected:
                    if isinstance(text, dict):
                        for file, content in text.items():
                            found = self.read(file).decode()
                            self.assertEqual(found[-len(content):] if content.startswith("\n") else found, content)
                    elif text == "not":
                        is_there = False
                    elif is_there:
                        self.assertIn(text, output)
                    else:
                        self.assertNotIn(text, output)


if __name__ == "__main__":
    unittest.main()
