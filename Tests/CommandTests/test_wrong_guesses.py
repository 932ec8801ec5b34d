"""Small inputs that Assay once changed, passed or advised about by a wrong guess."""

import io
import tarfile
import unittest
import zipfile

from support import CommandTest

ID_NAME = 'fields: [{name: id, type: integer}, {name: name}]\n'
# Numbers of Berlin and a mobile number, with the digits of the country code and without a plus sign.
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
    """The euro sign, the dash and the quotes are far behind the bytes from which the encoding is guessed."""
    text = "id,name,note\r\n" + "".join(f"{row},Søren Møller,pris\r\n" for row in range(rows))
    return (text + f"{rows},Møller,pris 50 € – “godt”\r\n").encode("cp1252")


def stray_quote(rows):
    lines = {10: '10,"Bo\n', rows // 2: f'{rows // 2},"Lee, Ann"\n'}
    return "id,name\n" + "".join(lines.get(row, f"{row},n{row}\n") for row in range(rows))


# A name, the files, the command, its exit status, and texts of its output; the output must not contain texts after "not". A
# dictionary has the content of files afterwards, or its end if it begins with a line feed.
CASES = [
    ("phone numbers with a country code and without a plus sign", {"t.csv": PHONES, "r.yaml": PHONE_RULES}, "clean t.csv --rules r.yaml", 0,
     {"t.clean.csv": "p\n+491701234567\n", "t.rejects.csv": PHONES[:-len("+49 0170 1234567\n")]}),
    ("a late euro sign", {"t.csv": danish(30_000), "r.yaml": ID_NAME}, "clean t.csv --encoding auto --rules r.yaml", 0,
     ["read as   windows-1252", {"t.clean.csv": "\n30000,Møller,pris 50 € – “godt”\r\n"}]),
    ("one word in another encoding", {"t.csv": ("id,name\n" + "1,José\n" * 50).encode("cp1252")}, "check t.csv", 1,
     ["these look like windows-1252. If the whole file is in it: --encoding windows-1252"]),
    ("the same, read as what it seems to be", {"t.csv": ("id,name\n" + "1,José\n" * 50).encode("cp1252")}, "check t.csv --encoding auto", 0,
     ["read as   windows-1252, guessed from 1 different word"]),
    ("a stray quote that a far one closes", {"t.csv": stray_quote(20_000), "r.yaml": ID_NAME},
     "clean t.csv --rules r.yaml --max-reject-rate 0.5%", 0,
     ["clean            19,999", "the record has a quote that is never closed; lines 12 to 10002 were read", {"t.rejects.csv": 'id,name\n10,"Bo\n'}]),
    ("a stray quote that the next row closes", {"t.csv": 'id,name\n1,"Bo\n2,"Al, B"\n3,Cy\n', "r.yaml": ID_NAME}, "clean t.csv --rules r.yaml", 0,
     {"t.clean.csv": 'id,name\n2,"Al, B"\n3,Cy\n'}),
    ("fields that no record has", {"t.jsonl": '{"ID":1,"Email":"nonsense","adress":{"zip":"x"}}\n',
     "r.yaml": "fields: [{name: id, type: integer}, {name: email, format: email}, {name: address.zip, type: integer}]\n"},
     "check t.jsonl --rules r.yaml", 2, ["no record has 'id'", "did you mean 'Email'?", "did you mean 'adress.zip'?"]),
    ("UTF-8 that is called windows-1252", {"t.csv": "id,name\n" + "1,Zoë\n2,Jörg\n" * 60}, "check t.csv --encoding windows-1252", 2,
     ["is UTF-8, not windows-1252"]),
    ("a preamble of a semicolon file", {"t.csv": ('"EXTF";700;21;"Buchungen"\n"Konto";"Name"\n' + '1200;"Müller"\n' * 40).encode("cp1252"),
     "r.yaml": "fields: [{name: Konto, type: integer}, {name: Name}]\n"}, "check t.csv --rules r.yaml", 2,
     ["--delimiter ';' --skip 1", "not", "--quote none"]),
    ("a quoted preamble", {"t.csv": '"Report";"2024";"x"\nid;name\n' + "".join(f"{row};n{row}\n" for row in range(50))}, "check t.csv", 2,
     ["assay check t.csv --delimiter ';' --skip 1\n", "not", "--quote none"]),
    ("a preamble of a comma file", {"t.csv": "Report of 2024-01\nid,name,x\n" + ROWS}, "check t.csv", 1,
     ["it is read as one column; with --skip 1 it has 3 columns", "assay check t.csv --skip 1\n"]),
    ("the same for profile", {"t.csv": "Report of 2024-01\nid,name,x\n" + ROWS}, "profile t.csv", 0, ["assay profile t.csv --skip 1\n"]),
    ("the same for infer", {"t.csv": "Report of 2024-01\nid,name,x\n" + ROWS}, "infer t.csv", 0, ["assay infer t.csv --skip 1\n"]),
    ("a delimiter at the end of the header", {"t.csv": "id,name,x,\n" + ROWS}, "check t.csv", 1, ["assay check t.csv --trailing-delimiter\n"]),
    ("quotes after backslashes", {"t.csv": "id,name\n" + '1,"a \\"b\\", c"\n' * 50}, "check t.csv", 1, ["assay check t.csv --escape '\\'\n"]),
    ("a preamble that is padded to all columns",
     {"t.csv": "Account:;AT12 3456;;\nFrom:;2024-01-01;;\n;;;\nDate;Text;Amount;Currency\n" + "2024-01-02;Payment 1;1,50;EUR\n" * 40},
     "infer t.csv", 0, ["the header has columns without names", "assay infer t.csv --skip 3\n"]),
    ("sep= of another delimiter", {"t.csv": "sep=;\nid,name\n1,Ann\n2,Bo\n", "r.yaml": ID_NAME}, "check t.csv --rules r.yaml", 2,
     ["assay check t.csv --rules r.yaml --delimiter ,\n", "not", "--no-header"]),
    ("a zip archive of two tables", {"t.zip": zip_of(**{"e.csv": "id\n1\n", "f.csv": "id\n2\n", "__MACOSX/._e.csv": "x"})}, "check t.zip", 2,
     ["unzip -p t.zip e.csv | assay check -\n", "unzip -p t.zip f.csv | assay check -\n", "not", "__MACOSX"]),
    ("a tar archive", {"t.tar.gz": tar_of(**{"users.csv": b"id,name\n1,Ann\n"}), "r.yaml": ID_NAME}, "check t.tar.gz --rules r.yaml", 2,
     ["t.tar.gz is a tar archive, not CSV", "tar -xOf t.tar.gz users.csv | assay check - --rules r.yaml\n", "not", "\0"]),
    ("numbers with a comma before three digits", {"t.csv": "d\n" + "".join(f'"{row},165"\n' for row in range(700, 740)),
     "r.yaml": "fields: [{name: d, type: number}]\n"}, "check t.csv --rules r.yaml", 1,
     ["values with two readings: no repair is recommended for 40 values of d", "not", "fixes"]),
    ("half a surrogate pair", {"t.jsonl": '{"id": 1, "name": "\\ud83d"}\n{"id": 2, "name": "\\ude00x"}\n', "r.yaml": ID_NAME},
     "check t.jsonl --rules r.yaml", 1, ["structure.json", "clean                 0 ", "half of a surrogate pair"]),
    ("integers beyond doubles", {"t.csv": "id\n9007199254740993\n9007199254740995\n"}, "profile t.csv", 0,
     ["9,007,199,254,740,993 … 9,007,199,254,740,995"]),
    ("capitals in a host", {"t.csv": "e\nDörte@Sörensen.example.com\n", "r.yaml": "fields: [{name: e, format: email unicode}]\n"},
     "check t.csv --rules r.yaml", 0, ["clean                 1 "]),
    ("a header with a line break and a bar", {"t.csv": 'id,"a\nb | c",x\n1,2,3\n4,5,6\n'}, "check t.csv", 0, ["clean                 2 ", "not", "delimiter"]),
    ("text that was encoded twice", {"t.csv": "id,name\n1,Zoë\n2,JosÃ©\n"}, "profile t.csv", 0,
     ["1 value seems to be UTF-8 that was read as windows-1252, as Ã© for é, first in record 2\n"]),
    ("a header in the middle", {"t.csv": "\ufeffid,name\n1,a\n\ufeffid,name\n2,b\n"}, "profile t.csv", 0,
     ["1 record repeats the header, on line 3, after a byte order mark\n"]),
    ("commas in a file that is called .tsv", {"x.tsv": "a,b\n1,2\n"}, "check x.tsv", 0,
     ["x.tsv: it is read as one column; with --delimiter , it has 2 columns", "assay check x.tsv --delimiter ,\n"]),
    ("the same with an option", {"x.tsv": "a,b\n1,2\n"}, "check x.tsv --delimiter tab", 0, ["not", "one column"]),
    ("the same for infer", {"x.tsv": "a;b\n1;2\n"}, "infer x.tsv", 0, ["assay infer x.tsv --delimiter ';'\n"]),
    ("a name that is as near as another", {"t.csv": "q1_2023,q1_2024,x\n1,2,3\n",
     "r.yaml": "fields: [{name: q1_2025}, {name: xx}]\n"}, "check t.csv --rules r.yaml", 2, ["no column is named 'q1_2025'", "not", "did you mean"]),
    ("columns of one name", {"t.csv": "Key,Labels,Labels\n1,a,b\n", "r.yaml": "fields: [{name: Labels}]\n"}, "check t.csv --rules r.yaml", 2,
     ["the column 'Labels' occurs more than once (columns 2, 3)", "--no-header --skip 1"]),
]


class WrongGuessTests(CommandTest):
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
