"""Text in other encodings: the same verdicts as for UTF-8, and optional outputs in the original encoding."""

import gzip
import json
import random
import re
import unittest

from support import BOM, NEVER, PATIENCE, Background, CommandTest, volume, slow

# Usual names and Python's codecs.
SINGLE_BYTES = (
    [(f"windows-{page}", f"cp{page}") for page in range(1250, 1259)]
    + [(f"ISO-8859-{part}", f"iso8859-{part}") for part in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)]
    + [("KOI8-R", "koi8-r"), ("KOI8-U", "koi8-u"), ("macintosh", "mac-roman"), ("IBM437", "cp437"), ("IBM850", "cp850"),
       ("IBM852", "cp852"), ("IBM866", "cp866"), ("windows-874", "cp874")])
# Lead bytes at which Python and the system have the same characters.
SEQUENCES = [
    ("Shift_JIS", "cp932", [*range(0x81, 0xA0), *range(0xE0, 0xEB)]),
    ("EUC-JP", "euc_jp", [*range(0xA4, 0xA9), *range(0xB0, 0xF5)]),
    ("GB18030", "gb18030", [*range(0x81, 0xA6), 0xA7, *range(0xA9, 0xFE)]),
    ("Big5", "big5", [*range(0xA4, 0xC6), *range(0xC9, 0xF9)]), ("EUC-KR", "cp949", range(0x81, 0xFE)),
]
WIDE = [
    ("UTF-16LE", "utf-16-le", b"\xff\xfe"), ("UTF-16BE", "utf-16-be", b"\xfe\xff"),
    ("UTF-32LE", "utf-32-le", b"\xff\xfe\0\0"), ("UTF-32BE", "utf-32-be", b"\0\0\xfe\xff"),
]
GERMAN = ["Müller", "Schröder", "Weiß", "Größe", "Straße", "über", "Köln", "schön", "Äpfel", "Öl", "heute",
          "morgen", "nicht"]
RUSSIAN = ["привет", "Москва", "улица", "Шевченко", "который", "хорошо", "Пушкин", "дом", "объект", "счёт",
           "почта", "человек"]
JAPANESE = ["東京都", "大阪", "佐藤さくら", "プログラム", "ありがとう", "日本語", "株式会社", "ソフトウェア", "ください", "能力"]


def decodable(codec, leads=None):
    """The characters above ASCII that a codec reads and writes as the same bytes, without C1 controls."""
    sequences = [bytes([byte]) for byte in range(0x80, 0x100)]
    if leads is not None:
        sequences = [bytes([first, second]) for first in leads for second in range(0x30, 0xFF)]
    found = []
    for sequence in sequences:
        try:
            text = sequence.decode(codec)
            if len(text) == 1 and text.encode(codec) == sequence and (leads or not 0x80 <= ord(text) < 0xA0):
                found.append(text)
        except UnicodeError:
            pass
    return "".join(found)


def has(codec, text):
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


class EncodingTest(CommandTest):
    def table(self, characters, rows, seed=11):
        """Text of a table with all of these characters, and its rules."""
        chance = random.Random(seed)
        third = "x" + next(each for each in characters if each.isalpha())
        lines = [f"id,name,{third}"]
        rest = list(characters)
        for row in range(max(rows, len(rest) // 5 + 1)):
            text = "".join(rest[:5])
            del rest[:5]
            text += "".join(chance.choice(characters + "abc |;~") for _ in range(chance.randrange(9)))
            if chance.random() < 0.1:
                text = '"' + text + '""' + ("\n" if chance.random() < 0.5 else ",") + '"'
            kind = chance.randrange(40)
            number = "x" if kind == 0 else str(row)
            lines.append(f"{number},{text}"
                         + ("" if kind == 1 else ',"a"b' if kind == 2 else f",{chance.choice(characters)}"))
        fields = [
            {"name": "id", "type": "integer"}, {"name": "name", "constraints": {"maxLength": 10}},
            {"name": third, "rules": [{"id": "letter", "pattern": "[^" + third[1] + "]*"}]}]
        return "\n".join(lines) + "\n", self.rules(*fields)

    def outputs(self, content, rules, *flags, name="e.csv"):
        """Clean rows, rejects and findings."""
        self.write(name, content)
        self.assay("clean", name, "-r", rules, "--force", "-q", "--show-values", *flags, status=0)
        return self.read("e.clean.csv"), self.read("e.rejects.csv"), self.read("e.findings.jsonl")

    def piped(self, content, rules, *flags):
        outcome = self.assay(
            "clean", "-", "-r", rules, "--force", "-q", "--rejects", "p.csv", "--findings", "p.jsonl",
            "--show-values", *flags, stdin=content, status=0)
        return outcome.out, self.read("p.csv"), self.read("p.jsonl")

    def assert_same(self, text, rules, codec, flags, mark=b"", threads=volume((3,), (1, 2, 7))):
        """Asserts that a table has the same verdicts as in UTF-8, and that the outputs can have the original bytes."""
        expected = self.outputs(text.encode(), rules)
        self.assertGreater(min(len(each) for each in expected), 300)
        content = mark + text.encode(codec)
        same = [mark + each.decode().encode(codec) for each in expected[:2]] + [expected[2]]
        for count in threads:
            for name, get in (("file", self.outputs), ("pipe", self.piped)):
                with self.subTest(codec=codec, threads=count, kind=name, mark=mark):
                    got = get(content, rules, "--threads", count, *flags)
                    for one, other in zip(got, expected):
                        self.assertTrue(one == other, self.difference(one, other))
                    got = get(content, rules, "--threads", count, "--output-encoding", "same", *flags)
                    for one, other in zip(got, same):
                        self.assertTrue(one == other, self.difference(one, other))
        # The outputs together contain all rows of the input.
        clean, rejects, _ = self.outputs(content, rules, "--output-encoding", "same", *flags)
        header = mark + re.match(r"[^\r\n]*(\r\n|\r|\n)", text)[0].encode(codec)
        self.assertTrue(clean.startswith(header) and rejects.startswith(header))
        self.assertEqual(len(clean) + len(rejects), len(content) + len(header))

    @staticmethod
    def difference(one, other):
        if one == other:
            return None
        at = next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        return f"byte {at}: {one[max(0, at - 20) : at + 20]!r} instead of {other[max(0, at - 20) : at + 20]!r}"


class SameVerdicts(EncodingTest):
    @slow
    def test_single_bytes(self):
        for name, codec in volume(SINGLE_BYTES[::6], SINGLE_BYTES):
            characters = decodable(codec)
            self.assertGreater(len(characters), 40)
            text, rules = self.table(characters, 900)
            self.assert_same(text, rules, codec, ["--encoding", name])

    @slow
    def test_sequences(self):
        for name, codec, leads in SEQUENCES:
            characters = decodable(codec, leads)
            self.assertGreater(len(characters), 5_000)
            text, rules = self.table(characters, 900)
            self.assert_same(text, rules, codec, ["--encoding", name])

    def test_four_bytes_of_gb18030(self):
        characters = "".join(chr(code) for code in (*range(0x700, 0x780), *range(0x1F600, 0x1F650),
                                                    *range(0x20000, 0x20040), 0x10FFFF))
        text, rules = self.table(characters + "é中", 900)
        self.assert_same(text, rules, "gb18030", ["--encoding", "gb18030"])

    @slow
    def test_wide_with_a_mark(self):
        text, rules = self.table("äß→中文😀🎉\U0010ffff\ufffd\u0100\u0a0d\u0d0a\u2c22", 1500)
        for name, codec, mark in WIDE:
            self.assert_same(text, rules, codec, [], mark)
            self.assert_same(text, rules, codec, ["--encoding", name], mark, threads=(2,))
            # For UTF-16 and UTF-32, the byte order mark determines the byte order.
            self.assert_same(text, rules, codec, ["--encoding", name[:6]], mark, threads=(2,))

    @slow
    def test_wide_without_a_mark(self):
        text, rules = self.table("äß→中文😀🎉\U0010ffff\u0100\u0a0d\u0d0a\u2c22", 1500)
        for name, codec, _ in WIDE:
            self.assert_same(text, rules, codec, ["--encoding", name])
        latin, rules = self.table("äöüßéèñ", 1500)
        for _, codec, _ in WIDE:
            self.assert_same(latin, rules, codec, [])

    def test_a_mark_of_utf8_stays(self):
        text, rules = self.table("äöü", 300)
        clean, rejects, found = self.outputs(BOM + text.encode(), rules)
        self.assertTrue(clean.startswith(BOM) and rejects.startswith(BOM))
        self.assertEqual(self.outputs(BOM + text.encode(), rules, "--output-encoding", "same"), (clean, rejects, found))
        self.assertEqual(self.outputs(BOM + text.encode(), rules, "--encoding", "utf8"), (clean, rejects, found))

    @slow
    def test_line_ends(self):
        for end in ("\r\n", "\r"):
            text, rules = self.table("äöü", 300)
            text = text.replace("\n", end)
            self.assert_same(text, rules, "cp1252", ["--encoding", "windows-1252"], threads=(2,))
            self.assert_same(text[:-1], rules, "utf-16-le", [], b"\xff\xfe", threads=(2,))

    def test_packed(self):
        text, rules = self.table(decodable("cp1252"), 3_000)
        expected = self.outputs(text.encode(), rules)
        self.write("e.csv.gz", gzip.compress(text.encode("cp1252")))
        for flags, codec in (([], "utf-8"), (["--output-encoding", "same"], "cp1252")):
            for threads in (1, 2, 7):
                self.assay(
                    "clean", "e.csv.gz", "-r", rules, "--encoding", "cp1252", "--force", "-q", "--show-values",
                    "--threads", threads, *flags, status=0)
                self.assertEqual(gzip.decompress(self.read("e.clean.csv.gz")).decode(codec), expected[0].decode())
                self.assertEqual(gzip.decompress(self.read("e.rejects.csv.gz")).decode(codec), expected[1].decode())
                self.assertEqual(self.read("e.findings.jsonl"), expected[2])
                report = self.report("e.report.json")["inputs"][0]
                self.assertEqual((report["compression"], report["encoding"]["name"]), ("gzip", "windows-1252"))

    def test_annotated(self):
        text, rules = self.table("äöüß", 300)
        expected = self.outputs(text.encode(), rules, "--annotate")
        for codec, flags in (("cp1252", ["--encoding", "windows-1252"]), ("utf-16-be", ["--encoding", "utf-16be"]),
                             ("cp437", ["--encoding", "IBM437"])):
            clean, rejects, found = self.outputs(text.encode(codec), rules, "--annotate",
                                                 "--output-encoding", "same", *flags)
            self.assertEqual((clean.decode(codec), rejects.decode(codec), found),
                             (expected[0].decode(), expected[1].decode(), expected[2]))


class BlockBorders(EncodingTest):
    """Multi-byte characters at every position of a block boundary."""

    def text(self, characters, size, seed=5):
        chance = random.Random(seed)
        rows, length = ["id,name"], 0
        while length < size:
            rows.append(
                f"{len(rows)},{'x' * chance.randrange(8)}{chance.choice(characters) * chance.randrange(1, 700)}")
            length += len(rows[-1])
        return "\n".join(rows) + "\n"

    @slow
    def test_surrogate_pairs_and_sequences(self):
        field = {"name": "id", "type": "integer", "constraints": {"pattern": "[0-9]*[0-8]"}}
        rules = self.rules(field, "name")
        cases = [
            ("utf-16-le", ["--encoding", "UTF-16LE"], "😀\U0010ffff"),
            ("utf-16-be", ["--encoding", "UTF-16BE"], "😀\U0010ffff"),
            ("utf-32-le", ["--encoding", "UTF-32LE"], "😀中"), ("gb18030", ["--encoding", "GB18030"], "😀中\u0700"),
            ("cp932", ["--encoding", "Shift_JIS"], "表ソ能"), ("euc_jp", ["--encoding", "EUC-JP"], "表ソ\u4e02"),
        ]
        for codec, flags, characters in cases:
            text = self.text([each for each in characters], volume(150_000, 1_500_000))
            self.assert_same(text, rules, codec, flags)

    def test_pipes_that_cut_anywhere(self):
        rules = self.rules({"name": "id", "constraints": {"pattern": "[0-9]*[0-8]"}}, "name")
        for codec, name, characters in (("utf-16-le", "UTF-16LE", "😀ä"), ("gb18030", "GB18030", "😀中\u0700"),
                                        ("cp932", "Shift_JIS", "表ソ能")):
            text = self.text(list(characters), 60_000)
            content = text.encode(codec)
            expected = self.outputs(text.encode(), rules)[0]
            for piece in (1, 3, 4093):
                with self.subTest(codec=codec, piece=piece):
                    process = self.start(
                        "clean", "-", "-r", rules, "--rejects", "p.csv", "--force", "-q", "--encoding", name,
                        "--threads", 2)
                    part = content[:4_000] if piece < 10 else content

                    def feed():
                        for at in range(0, len(part), piece):
                            process.stdin.write(part[at : at + piece])
                            process.stdin.flush()
                        process.stdin.write(content[len(part) :])
                        process.stdin.close()

                    writer = Background(feed)
                    self.assertTrue(process.stdout.read() == expected)
                    writer.result()
                    self.assertEqual(process.wait(PATIENCE), 0)


class Undecodable(EncodingTest):
    def finding(self, record, line, offset, message):
        return {
            "record": record, "line": line, "offset": offset, "column": None, "position": None, "rule": "encoding",
            "code": "encoding", "severity": "reject", "message": message}

    def evaluate(self, content, *flags):
        rules = self.rules({"name": "id", "type": "integer"}, "name")
        self.write("e.csv", content)
        self.assay("clean", "e.csv", "-r", rules, "--force", "-q", *flags, status=0)
        return self.read("e.clean.csv"), self.read("e.rejects.csv"), self.findings("e.findings.jsonl")

    def test_bytes_without_a_character(self):
        content = b"id,name\n1,M\xfcller\n2,x\x81y\x8d\n3,ok\nx,\x9d\n5," + b"\x90" * 9 + b"\n"
        for threads in (1, 2, 7):
            clean, rejects, found = self.evaluate(content, "--encoding", "windows-1252", "--threads", threads)
            self.assertEqual(clean.decode(), "id,name\n1,Müller\n3,ok\n")
            self.assertEqual(rejects.decode(), "id,name\n2,x\ufffdy\ufffd\nx,\ufffd\n5," + "\ufffd" * 9 + "\n")
            self.assertEqual(found, [
                self.finding(2, 3, 18, "is not valid windows-1252: bytes 81 8D"),
                self.finding(4, 5, 34, "is not valid windows-1252: byte 9D"),
                self.finding(5, 6, 40, "is not valid windows-1252: bytes " + "90 " * 8 + "…")])
            clean, rejects, again = self.evaluate(content, "--encoding", "windows-1252", "--threads", threads,
                                               "--output-encoding", "same")
            lines = content.splitlines(True)
            self.assertEqual(clean, lines[0] + lines[1] + lines[3])
            self.assertEqual(rejects, lines[0] + lines[2] + lines[4] + lines[5])
            self.assertEqual(again, found)

    @slow
    def test_broken_sequences(self):
        cases = [
            ("Shift_JIS", b"\x81\x20", "byte 81"), ("EUC-JP", b"\xa4x", "byte A4"),
            ("EUC-JP", b"\xff", "byte FF"), ("GB18030", b"\x81\x20", "byte 81"), ("GB18030", b"\xff", "byte FF"),
            ("Big5", b"\xa4\x20", "byte A4"), ("EUC-KR", b"\xff", "byte FF"), ("ISO-8859-7", b"\xff", "byte FF"),
            ("US-ASCII", b"\xe9\x80", "bytes E9 80"), ("windows-1253", b"\xaa", "byte AA"),
            ("ISO-8859-3", b"\xa5", "byte A5"),
        ]
        for name, bad, reported in cases:
            content = b"id,name\n1,a" + bad + b"b\n2,c\n"
            with self.subTest(name=name, bad=bad):
                clean, rejects, found = self.evaluate(content, "--encoding", name)
                self.assertEqual(clean, b"id,name\n2,c\n")
                self.assertEqual([(each["record"], each["message"]) for each in found],
                                 [(1, f"is not valid {name}: {reported}")])
                self.assertIn("\ufffd", rejects.decode())
                self.assertEqual(self.evaluate(content, "--encoding", name, "--output-encoding", "same")[1],
                                 b"id,name\n1,a" + bad + b"b\n")

    def test_lone_surrogates(self):
        for name, codec, mark in WIDE[:2]:
            text = "id,name\n1,😀\n2,x\ud800y\n3,\udc00\ud800\n4,ok\n"
            content = mark + text.encode(codec, "surrogatepass")
            clean, rejects, found = self.evaluate(content)
            self.assertEqual(clean.decode(), "id,name\n1,😀\n4,ok\n")
            self.assertEqual(rejects.decode(), "id,name\n2,x\ufffdy\n3,\ufffd\ufffd\n")
            self.assertEqual(found, [
                self.finding(2, 3, 15, f"is not valid {name}: unit D800"),
                self.finding(3, 4, 23, f"is not valid {name}: units DC00 D800")])
            clean, rejects, _ = self.evaluate(content, "--output-encoding", "same")
            self.assertEqual(rejects, mark + "id,name\n2,x\ud800y\n3,\udc00\ud800\n".encode(codec, "surrogatepass"))

    @slow
    def test_a_record_over_the_limit_that_comes_in_pieces(self):
        for character, replaced in (("\u00e9", "\u00e9"), (b"\x81".decode("latin-1"), "\ufffd")):
            long = character.encode("latin-1") * 400_000
            for first in (b"2,", b"2,x", b"2,xx"):
                content = b"id,name\n1,a\n" + first + long + b"\n3,b\n"
                flags = ["--encoding", "windows-1252", "--limit", "field-bytes=1000", "--limit", "record-bytes=1000"]
                with self.subTest(first=first, character=character):
                    for threads in (1, 3):
                        rejects = self.evaluate(content, *flags, "--threads", threads)[1]
                        self.assertEqual(rejects.decode(), f"id,name\n{first.decode()}{replaced * 400_000}\n")
                        rejects = self.evaluate(content, *flags, "--threads", threads, "--output-encoding", "same")[1]
                        self.assertTrue(rejects == b"id,name\n" + first + long + b"\n")

    def test_an_odd_byte_at_the_end(self):
        for name, codec, mark in WIDE[:2]:
            # The second case has a unit that could have the same bytes as the odd byte of the first.
            for end, reported, byte in [("1,x", "byte 0A", b"\n"), ("1,\udc0a", "unit DC0A, byte 0A", b"\n"),
                                    ("2,\ud800", "unit D800, byte E9", b"\xe9"),
                                    ("2," + "\ud800" * 9, "units " + "D800 " * 8 + "…, byte E9", b"\xe9")]:
                content = mark + ("id,name\n1,a\n" + end).encode(codec, "surrogatepass") + byte
                with self.subTest(name=name, end=end):
                    clean, rejects, found = self.evaluate(content)
                    self.assertEqual(clean.decode(), "id,name\n1,a\n")
                    self.assertEqual(rejects.decode(),
                                     "id,name\n" + end.translate({0xDC0A: 0xFFFD, 0xD800: 0xFFFD}) + "\ufffd")
                    self.assertEqual(found, [self.finding(2, 3, 12, f"is not valid {name}: {reported}")])
                    clean, rejects, _ = self.evaluate(content, "--output-encoding", "same")
                    self.assertEqual(rejects, mark + ("id,name\n" + end).encode(codec, "surrogatepass") + byte)

    def test_text_after_an_odd_byte_can_be_read(self):
        rules = self.rules({"name": "id", "type": "integer"}, "name")
        for name, codec, mark in WIDE[:2]:
            with self.subTest(name=name):
                self.write("e.csv", mark + "id,name\n1,a\n2,x".encode(codec) + b"b")
                self.write("f.csv", mark + "id,name\ny,b\n3,c\n".encode(codec))
                self.assay(
                    "clean", "e.csv", "f.csv", "--as-one", "-r", rules, "--force", "-q",
                    "--output-encoding", "same", "--clean", "clean.csv", "--rejects", "rejects.csv", status=0)
                self.assertEqual(self.read("clean.csv").decode("utf-16"), "id,name\n1,a\n3,c\n")
                rejects = self.read("rejects.csv").decode(codec, "surrogatepass")
                self.assertEqual(rejects, "\ufeffid,name\n2,x\udc62\ny,b\n")
                self.assay("clean", "e.csv", "-r", rules, "--force", "-q", "--annotate",
                           "--output-encoding", "same", status=0)
                rejects = self.read("e.rejects.csv").decode(codec, "surrogatepass")
                self.assertRegex(rejects, "\ufeffid,name,_line,_reasons\n2,x\udc62,3,.*")

    def test_unchecked_columns_must_be_utf8(self):
        """Comments and lines above the table are copied to the clean rows."""
        content = b"x\x81\nid,name\n1,a\n# y\x8d\n2,b\nz,c\n"
        flags = ["--encoding", "windows-1252", "--skip", "1", "--comment", "#"]
        clean, rejects, _ = self.evaluate(content, *flags)
        self.assertEqual(clean.decode(), "x\ufffd\nid,name\n1,a\n# y\ufffd\n2,b\n")
        self.assertEqual(rejects.decode(), "x\ufffd\nid,name\nz,c\n")
        clean, rejects, _ = self.evaluate(content, *flags, "--output-encoding", "same")
        self.assertEqual((clean, rejects), (content[:-4], b"x\x81\nid,name\nz,c\n"))

    def test_bytes_of_utf8_stay_as_they_are(self):
        content = b"id,name\n1,M\xfcller\n2,\xe2\x82\xac\n"
        for flags in ([], ["--output-encoding", "same"], ["--encoding", "utf-8", "--output-encoding", "same"]):
            clean, rejects, found = self.evaluate(content, *flags)
            self.assertEqual((clean, rejects), (b"id,name\n2,\xe2\x82\xac\n", b"id,name\n1,M\xfcller\n"))
            message = "is not well-formed UTF-8: byte FC at offset 11 in column 'name'"
            self.assertEqual(found, [self.finding(1, 2, 8, message)])

    def test_the_first_byte_that_is_not_utf8(self):
        """The finding contains the byte, its offset in the file and its column, in each chunk and for any number of
        threads."""
        cells = [(b"\xff", 0), (b"a\x80", 1), ("é".encode() + b"\xe2\x82", 2), (b"\xed\xa0\x80", 0), (b"ok\xc0\xaf", 2),
                 (b'"a""\n\xe4"', 5)]
        content, places = b"id,name\n", []
        for row in range(volume(3_000, 60_000)):
            cell, place = cells[row % len(cells)]
            start = len(content)
            first = row % 3 == 0
            content += cell + b",ok\n" if first else b"%d,%s\n" % (row, cell)
            at = start + (0 if first else len(str(row)) + 1) + place
            places.append((start, at, content[at], "id" if first else "name"))
        for threads in (1, 2, 7):
            found = self.evaluate(content, "--threads", threads)[2]
            self.assertEqual([(each["offset"], each["message"]) for each in found], [
                (start, f"is not well-formed UTF-8: byte {byte:02X} at offset {at} in column '{column}'")
                for start, at, byte, column in places])
        self.write("e.csv", b"1,a\n2,\xff\n")
        outcome = self.assay("check", "e.csv", "--no-header", status=1)
        self.assertIn("the record is not well-formed UTF-8: byte FF at offset 6 in column 2", outcome.err)

    def test_control_characters_of_iso_8859(self):
        """A file with bytes from 80 to 9F is almost always in a Windows code page."""
        content = b"id,name\n1,M\xfcller\n2,\x935 \x80\x94\n3,\x81\n"
        cases = [
            ("ISO-8859-1", "windows-1252"), ("latin1", "windows-1252"), ("ISO-8859-15", "windows-1252"),
            ("ISO-8859-9", "windows-1254"),
            ("ISO-8859-13", "windows-1257"), ("ISO-8859-2", "windows-1250"), ("ISO-8859-5", None)]
        for name, windows in cases:
            with self.subTest(name):
                clean, rejects, found = self.evaluate(content, "--encoding", name)
                usual = name if name != "latin1" else "ISO-8859-1"
                hint = f", which {windows} has characters for" if windows else ""
                self.assertEqual(clean, "id,name\n1,M".encode() + b"\xfc".decode(usual).encode() + b"ller\n")
                self.assertEqual(rejects.decode(), "id,name\n2,\ufffd5 \ufffd\ufffd\n3,\ufffd\n")
                self.assertEqual([(each["code"], each["message"]) for each in found], [
                    ("encoding", f"is not valid {usual}: bytes 93 80 94{hint}"),
                    ("encoding", f"is not valid {usual}: byte 81")])
                rejects = self.evaluate(content, "--encoding", name, "--output-encoding", "same")[1]
                self.assertEqual(rejects, b"id,name\n2,\x935 \x80\x94\n3,\x81\n")
        line = "    {} bytes from 80 to 9F, which are control characters in {}\n"
        for threads in (1, 3):
            self.write("e.csv", content + content[8:] * 9_000)
            outcome = self.assay("check", "e.csv", "--encoding", "ISO-8859-2", "--threads", threads, status=1)
            self.assertIn("    encoding                                 18,002 ", outcome.err)
            self.assertIn(line.format("18,002 records have", "ISO-8859-2"), outcome.err)
        for content, name, note in [(content, "windows-1252", None),
                                    (b"id,name\n1,\x93\n2,a\n", "latin1", "1 record has"),
                                    (b"id,name\n1,\xd2\n", "ISO-8859-7", None),
                                    (b"id,name\n1,\xa1\n", "ISO-8859-6", None)]:
            self.write("e.csv", content)
            error = self.assay("check", "e.csv", "--encoding", name).err
            usual = name if name != "latin1" else "ISO-8859-1"
            self.assertIn(line.format(note, usual), error) if note else self.assertNotIn("bytes from 80 to 9F", error)
        self.write("h.csv", b"id,\x93name\x94\n1,a\n")
        outcome = self.assay("check", "h.csv", "--encoding", "latin1", status=2)
        self.assertIn("h.csv:1: the header is not valid ISO-8859-1\n", outcome.err)
        self.assertIn("\n    assay check h.csv --encoding windows-1252\n", outcome.err)
        self.shell("assay check h.csv --encoding windows-1252", status=0)

    @slow
    def test_many(self):
        chance = random.Random(3)
        lines = [b"id,name\n"]
        for row in range(20_000):
            lines.append(b"%d,%s\n" % (row, bytes(chance.choice(b"abc\xe4\xf6\x80\x81\x8d\x8f\x90\x9d")
                                                  for _ in range(chance.randrange(5)))))
        bad = set(b"\x81\x8d\x8f\x90\x9d")
        good = lines[:1] + [line for line in lines[1:] if not bad & set(line)]
        wrong = lines[:1] + [line for line in lines[1:] if bad & set(line)]
        for threads in (1, 2, 7):
            clean, rejects, found = self.evaluate(b"".join(lines), "--encoding", "cp1252", "--output-encoding", "same",
                                               "--threads", threads)
            self.assertTrue(clean == b"".join(good) and rejects == b"".join(wrong))
            self.assertEqual(len(found), len(wrong) - 1)
        clean, rejects, _ = self.evaluate(b"".join(lines), "--encoding", "cp1252")
        self.assertTrue(clean.decode() == b"".join(good).decode("cp1252"))
        self.assertTrue(rejects.decode() == b"".join(wrong).decode("cp1252", "replace"))


class Messages(EncodingTest):
    def seen(self, content, *flags, name="e.csv", status=0):
        """The encoding in the report, and the summary."""
        self.write(name, content)
        outcome = self.assay("check", name, "--report", "r.json", "--force", *flags, status=status)
        return self.report("r.json")["inputs"][0]["encoding"], outcome.err

    def rows(self, words, count=400, seed=1):
        chance = random.Random(seed)
        return "id,text\n" + "".join(f"{row},{' '.join(chance.choice(words) for _ in range(6))}\n"
                                     for row in range(count))

    def test_guesses(self):
        cases = [
            (GERMAN, "cp1252", "windows-1252"), (RUSSIAN, "cp1251", "windows-1251"), (RUSSIAN, "koi8-r", "KOI8-R"),
            (JAPANESE, "cp932", "Shift_JIS"),
        ]
        for words, codec, name in cases:
            with self.subTest(name):
                text = self.rows(words)
                content = text.encode(codec)
                count = sum(byte >= 0x80 for byte in content)
                reported, summary = self.seen(content, "--encoding", "auto")
                different = reported.pop("words")
                self.assertEqual(reported, {"name": name, "origin": "guess", "nonASCIIBytes": count})
                self.assertIn(f"read as   {name}, guessed from {different} different words", summary)
                rules = self.rules("id", {"name": "text", "rules": [{"id": "short", "minLength": 25}]})
                expected = self.outputs(text.encode(), rules)
                self.assertEqual(self.outputs(content, rules, "--encoding", "auto"), expected)
                self.assertEqual(self.piped(content, rules, "--encoding", "auto"), expected)

    def test_auto_of_utf8_is_no_guess(self):
        for text in (self.rows(GERMAN), self.rows(JAPANESE), self.rows(["plain"])):
            reported, summary = self.seen(text.encode(), "--encoding", "auto")
            self.assertEqual(reported, {"name": "UTF-8", "origin": "bytes", "nonASCIIBytes": None, "words": None})
            self.assertNotIn("guess", summary)
        reported, _ = self.seen("id\n😀\n".encode("utf-16"), "--encoding", "auto")
        self.assertEqual(reported["name"], "UTF-16LE")
        self.assertEqual(reported["origin"], "mark")

    def test_wide_without_a_mark_in_any_script(self):
        """A text in UTF-16 or UTF-32 is read as such, or the run ends with the name of the encoding."""
        names = {
            "Cyrillic": "Иван Петров", "Greek": "Νίκος", "Hebrew": "שלום", "Chinese": "北京市海淀区", "Japanese": "東京タワー",
            "Korean": "서울", "Polish": "Zażółć gęślą jaźń", "Thai": "กรุงเทพ", "Hindi": "दिल्ली", "emoji": "😀🎉",
        }
        for script, name in names.items():
            for header in ("id;name", name + ";x"):
                text = header + "\r\n" + "".join(f"{i};{name}\r\n" for i in range(100))
                for codec, encoding in (("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE"), ("utf-32-le", "UTF-32LE"),
                                        ("utf-32-be", "UTF-32BE")):
                    with self.subTest(script=script, header=header, codec=codec):
                        self.write("w.csv", text.encode(codec))
                        outcome = self.assay("check", "w.csv", status=None)
                        if outcome.status == 2:
                            self.assertIn(f"is not UTF-8: its bytes are those of text in {encoding}\n", outcome.err)
                            self.assertIn("--encoding NAME", outcome.err)
                        else:
                            self.assertRegex(outcome.err, f"  read as   {encoding}[;\\n]")
                        outcome = self.assay("check", "w.csv", "--encoding", "auto", "--delimiter", ";", status=0)
                        self.assertRegex(outcome.err, f"  read as   {encoding}[;\\n]")
                        self.assertIn("  records             100\n", outcome.err)
        for text in ("v\n" + "Y\nN\n" * 200, "a\tb\tc\n" + "1\t0\t1\n" * 200,
                     "active\tpaid\tvip\n" + "1\t0\t1\n" * 200, "id,text\n" + ("1," + "不上银行的" * 9 + "\n") * 50):
            for codec, encoding in (("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE"), ("utf-32-le", "UTF-32LE"),
                                    ("utf-32-be", "UTF-32BE")):
                name = self.seen(text.encode(codec), "--encoding", "auto", status=None)[0]["name"]
                self.assertEqual(name, encoding)
        content = ("id,name\n" + "1,田中\n" * 50).encode("iso2022_jp")
        self.write("w.csv", content)
        self.assertIn("its bytes are those of text in ISO-2022-JP", self.assay("check", "w.csv", status=2).err)
        self.assertEqual(self.seen(content, "--encoding", "auto")[0]["name"], "ISO-2022-JP")
        self.assertEqual(self.seen(content, "--encoding", "UTF-8")[0]["name"], "UTF-8")

    def test_other_text_with_nul_is_not_wide(self):
        chance = random.Random(3)
        rows = [[f"{chance.randrange(10 ** 6)}", "Anna", "José", "x" * chance.randrange(12)] for _ in range(100)]
        tables = {
            "padded": "".join(",".join(cell.ljust(12, "\0") for cell in row) + "\n" for row in rows),
            "padded to an odd width": "".join(",".join(cell.ljust(13, "\0") for cell in row) + "\r\n" for row in rows),
            "a NUL after each cell": "".join(",".join(cell + "\0" for cell in row) + "\n" for row in rows),
            "a NUL after each line": "姓名,城市\n\0" + "张三,上海\n\0" * 200,
            "a NUL before each line end": "姓名,城市\0\n" + "张三,上海\0\n" * 200,
            "one NUL": "id,name\n" + "1,\0\n" * 100,
            "NUL for missing": "".join(",".join(cell if chance.random() < 0.5 else "\0" for cell in row) + "\n"
                                       for row in rows),
        }
        for name, text in tables.items():
            for flags in ([], ["--encoding", "auto"]):
                with self.subTest(name=name, flags=flags):
                    read = self.seen(text.encode(), "--no-header", *flags, status=None)[0]
                    self.assertEqual(read["name"], "UTF-8")
        for seed in range(300):
            chance = random.Random(seed)
            letters = chance.choice(["ab\0,\n", "a1\0\0;\n", "\0\n,x", "abcdefgh\0\0\n,;\té", "é\0\n,"])
            text = "a,b\n" + "".join(chance.choice(letters) for _ in range(chance.choice([10, 100, 1000])))
            outcome = self.assay("check", "-", stdin=text.encode(), status=None)
            self.assertNotIn("UTF-16", outcome.err, repr(text[:80]))
            self.assertNotIn("UTF-32", outcome.err, repr(text[:80]))

    def test_how_it_is_known(self):
        text = self.rows(GERMAN, 20)
        cases = [
            (text.encode(), [], "UTF-8", "usual"),
            (text.encode("cp1252"), ["--encoding", "cp1252"], "windows-1252", "given"),
            (b"\xff\xfe" + text.encode("utf-16-le"), [], "UTF-16LE", "mark"),
            (text.encode("utf-16-be"), [], "UTF-16BE", "bytes"),
            (text.encode("utf-32-le"), [], "UTF-32LE", "bytes"),
            (b"\0\0\xfe\xff" + text.encode("utf-32-be"), [], "UTF-32BE", "mark"),
        ]
        for content, flags, name, origin in cases:
            with self.subTest(name=name, origin=origin):
                reported, summary = self.seen(content, *flags)
                self.assertEqual(reported, {"name": name, "origin": origin, "nonASCIIBytes": None, "words": None})
                if name == "UTF-8":
                    self.assertNotIn("read as", summary)
                else:
                    self.assertIn(f"  read as   {name}\n", summary)

    @slow
    def test_names(self):
        content = "id,name\n1,é\n".encode("latin-1")
        names = {
            "cp1252": "windows-1252", "CP1252": "windows-1252", "Windows_1252": "windows-1252",
            "x-cp1252": "windows-1252",
            "latin1": "ISO-8859-1", "iso-8859-1": "ISO-8859-1", "ISO8859_1": "ISO-8859-1", "l1": "ISO-8859-1",
            "iso8859-15": "ISO-8859-15", "latin-9": "ISO-8859-15", "koi8-r": "KOI8-R", "macroman": "macintosh",
            "cp437": "IBM437", "850": "IBM850", "cp866": "IBM866",
        }
        for name, usual in names.items():
            with self.subTest(name):
                self.assertEqual(self.seen(content, "--encoding", name)[0]["name"], usual)
        names = {
            "sjis": "Shift_JIS", "shift-jis": "Shift_JIS", "cp932": "Shift_JIS", "ms932": "Shift_JIS",
            "euc-jp": "EUC-JP", "eucjp": "EUC-JP", "gbk": "GB18030", "gb2312": "GB18030", "big5": "Big5",
            "ks_c_5601-1987": "EUC-KR", "cp949": "EUC-KR", "utf8": "UTF-8", "utf-8": "UTF-8",
        }
        for name, usual in names.items():
            with self.subTest(name):
                self.assertEqual(self.seen(b"id,name\n1,e\n", "--encoding", name)[0]["name"], usual)

    def test_names_that_are_unknown(self):
        self.write("e.csv", "a\n1\n")
        for name, near in (("windos1252", "windows-1252"), ("uft-8", "UTF-8"), ("Shift_JS", "Shift_JIS")):
            outcome = self.assay("check", "e.csv", "--encoding", name, status=2)
            self.assertEqual(outcome.err, f"assay: error: '{name}' is no encoding that Assay knows\n"
                                          f"  hint: did you mean '{near}'?\n")
        for name in ("klingon", "windows1262", "utf-9", "KOI8-X", "", "\u202eevil", "x" * 500):
            outcome = self.assay("check", "e.csv", "--encoding", name, status=2)
            self.assertIn("is no encoding that Assay knows", outcome.err)
            self.assertIn("windows-1252", outcome.err)
            self.assert_safe(outcome.error_bytes)

    def test_the_dialect_of_a_rule_file(self):
        content = "id,name\n1,Müller\n".encode("cp1252")
        self.write("e.csv", content)
        rules = self.rules("id", "name", dialect={"encoding": "cp1252"})
        self.assay("clean", "e.csv", "-r", rules, "-q", status=0)
        self.assertEqual(self.read("e.clean.csv").decode(), "id,name\n1,Müller\n")
        self.assertEqual(self.report("e.report.json")["inputs"][0]["encoding"]["origin"], "given")
        # The command line has priority.
        self.assay("clean", "e.csv", "-r", rules, "-q", "--force", "--encoding", "cp850", status=0)
        self.assertEqual(self.read("e.clean.csv").decode(), content.decode("cp850"))
        rules = self.rules("id", "name", dialect={"encoding": "cp1252x"})
        outcome = self.assay("clean", "e.csv", "-r", rules, "-q", "--force", status=2)
        self.assertIn("cp1252x", outcome.err)

    def test_rows_that_are_not_utf8_get_a_hint(self):
        for words, codec, name in ((GERMAN, "cp1252", "windows-1252"), (RUSSIAN, "cp1251", "windows-1251")):
            text = self.rows(words).encode(codec)
            _, summary = self.seen(text, status=1)
            self.assertIn(f"these look like {name}. If the whole file is in it: --encoding {name}", summary)
            self.seen(text, "--encoding", name, status=0)
        _, summary = self.seen("id,name\n1,Müller\n2,Smith\n".encode("cp1252"), status=1)
        self.assertIn("by 1 different word these look like windows-1252.", summary)

    # The word is common: 2,000 rows with it are no more evidence than one.
    WESTERN = (
        "Muñoz España María José Città Tromsø Besançon naïve Müller Søren Håkon André Daniël Zoë François "
        "Gonçalves São Köln Straße Ångström Größe Curaçao Málaga Perú Béla Jürgen Günther Bjørn Åse Noël Renée Hélène "
        "Irène Café").split()

    def guess(self, content):
        """The encoding in the hint, and the summary."""
        _, summary = self.seen(content, status=1)
        found = re.search(r"--encoding (\S+)", summary)
        return found and found[1], summary

    def test_one_word(self):
        for word in self.WESTERN:
            with self.subTest(word):
                rows = "id,name\n" + "".join(f"{row},{word}\n" for row in range(20))
                self.assertEqual(self.guess(rows.encode("cp1252"))[0], "windows-1252")

    def test_windows_code_pages_are_preferred(self):
        """The last row has a euro sign or a quotation mark, which the ISO 8859 encodings lack."""
        files = [
            ("Søren Håkon Åse", "“5 €”", "cp1252"), ("Müller", "“5 €”", "cp1252"),
            ("François Hélène Noël Château", "5 €", "cp1252"),
            ("José Müller Søren Håkon João Muñoz Åse", "5 €", "cp1252"),
            ("Άννα Γιώργος Ελένη Νίκος Μαρία", "5 €", "cp1253"),
            ("Erzsébet Kovács Horváth Őri Tűz Győző", "„5 €”", "cp1250"),
            ("Łódź Wałęsa Świętek Żółć", "5 €", "cp1250"), ("Dvořák Čapek Jiří Němcová", "5 €", "cp1250"),
            ("Ştefan Brânză Mureşan Ţepeş Cătălin", "5 €", "cp1250"), ("Đoković Šarić Žižić Čilić", "5 €", "cp1250"),
            ("Şahin Gökçe Yıldız Çağlar Öztürk İpek", "5 €", "cp1254"),
            ("Bērziņš Kalniņš Jānis Līga Šūba", "5 €", "cp1257"),
            ("Žemaitė Jonušas Gražina Ąžuolas", "5 €", "cp1257"), ("Иван Петров Мария Сергей", "5 €", "cp1251"),
            ("שלום כהן לוי מזרחי פרץ דוד אברהם ישראל", "“5 €”", "cp1255"),
            ("محمد أحمد علي فاطمة خديجة حسن يوسف مريم", "“5 €”", "cp1256"),
            ("Şahin Gökçe Yıldız Çağlar Öztürk İpek", "“5 €”", "cp1254"), ("สมชาย สมหญิง วิชัย มานี", "“5 €”", "cp874"),
        ]
        self.assertEqual(len(files), 18)
        for words, last, codec in files:
            with self.subTest(codec, words=words):
                names = words.split()
                text = "id,name\n" + "".join(f"{row},{names[row % len(names)]}\n"
                                             for row in range(400)) + f"400,{last}\n"
                name = codec.replace("cp", "windows-")
                self.assertEqual(self.guess(text.encode(codec))[0], name)
                decoded = self.outputs(text.encode(codec), self.rules("id", "name"), "--encoding", "auto")
                self.assertEqual(decoded, self.outputs(text.encode(), self.rules("id", "name")))

    def test_encodings_of_iso_8859(self):
        """The letters must be correct, or there must be no guess."""
        files = [
            ("Άννα Γιώργος Ελένη Νίκος Μαρία", "’5’", "iso8859-7", "ISO-8859-7"),
            ("Γιώργος Ελένη Νίκος Μαρία", "5", "iso8859-7", "windows-1253"),
            ("Иван Петров Мария Сергей", "5", "iso8859-5", "ISO-8859-5"),
            ("Şahin Gökçe Çağlar Öztürk", "5", "iso8859-9", "windows-1254"),
            ("Žemaitė Jonušas", "5", "iso8859-13", "windows-1257"),
            ("José Müller Søren", "5", "iso8859-15", "windows-1252"),
            ("José Müller Søren", "5 €", "iso8859-15", None), ("Łódź Wałęsa Świętek Żółć", "5", "iso8859-2", None),
            ("Čapek Dvořák Žižka Šťastný", "5", "iso8859-2", None),
            ("Müller José", "\x935\x94", "latin-1", "windows-1252"),
        ]
        for words, last, codec, expected in files:
            with self.subTest(codec, words=words):
                names = words.split()
                content = ("id,name\n" + "".join(f"{row},{names[row % len(names)]}\n" for row in range(400))
                           + f"400,{last}\n").encode(codec)
                self.assertEqual(self.guess(content)[0], expected)
                if expected and last == "5":
                    decoded = self.outputs(content, self.rules("id", "name"), "--encoding", "auto")
                    self.assertEqual(decoded, self.outputs(content.decode(codec).encode(), self.rules("id", "name")))

    def test_many_words_of_iso_8859(self):
        """The statistics of characters do not prefer a Windows code page with other letters."""
        czech = ("Šťastný Žižka Bříza Běžný Růžička Kůň Šimek Žák Tesař Hájek Šulc Dušek Mašek Ježek Krátký Vašíček "
                 "Řezníček Štěpánek")
        czech = (czech
                 + " Žemlička Šebesta Bláha Kočí Švec Žáček Tůma Šíp Blažek Maršálek Doležal Přibyl Ťukal").split()
        content = ("id,name\n" + "".join(f"{row},{czech[row % len(czech)]}\n" for row in range(400))).encode(
            "iso8859-2")
        self.assertIn(self.guess(content)[0], (None, "ISO-8859-2"))

    def test_no_guess(self):
        for words, codec in (("Müller José François", "cp850"), ("Müller José François", "mac_roman"),
                             ("서울 부산", "cp949")):
            with self.subTest(codec):
                names = words.split()
                text = "id,name\n" + "".join(f"{row},{names[row % len(names)]}\n" for row in range(60))
                name, summary = self.guess(text.encode(codec))
                self.assertIsNone(name)
                self.assertIn("no other encoding is certain", summary)
                self.assertIn("if you know the encoding of the whole file, name it", summary)
                reported, summary = self.seen(text.encode(codec), "--encoding", "auto", status=1)
                self.assertEqual((reported["name"], reported["origin"]), ("UTF-8", "uncertain"))
                self.assertIn("read as   UTF-8, because no other encoding is certain enough", summary)

    def test_dos_and_macintosh(self):
        """Quotes inside words and capitals after small letters exclude windows-1252, and words without other letters
        are no evidence."""
        words = [
            "André Jörg René", "André", "Malmö", "Jörg", "Köln schön Göttingen", "Straße", "Weiß Straße", "déjà voilà",
            "hôtel", "Nîmes", "Besançon", "René Jörg Müller", "Müller Künzel Brühl Jürgen Günther", "über Düsseldorf",
            "Muñoz España Peña", "López Ramón", "García María Martínez", "Díaz", "Jesús Perú Raúl",
            "Ángel Muñoz López García", "État école études", "ähnlich Ärger", "sûr août flûte",
            "Søren Håkon Åse Møller", "MÜLLER JÖRG", "Äpfel Öl Übung", "où", "Naïve Zoë", "Bogotá está"]
        for codec in ("cp437", "cp850", "mac_roman"):
            for each in words:
                if not has(codec, each):
                    continue
                with self.subTest(codec, words=each):
                    names = each.split()
                    text = "id,name\n" + "".join(f"{row},{names[row % len(names)]}\n" for row in range(9))
                    name, summary = self.guess(text.encode(codec))
                    self.assertIsNone(name)
                    self.assertRegex(summary, "no other encoding is certain for the .*records? that (is|are) not UTF-8")
                    reported, _ = self.seen(text.encode(codec), "--encoding", "auto", status=1)
                    self.assertEqual(reported["origin"], "uncertain")

    def test_many_words_of_dos_and_macintosh(self):
        names = (" ".join(self.WESTERN) + " Äpfel Öl Übung Größe schön Göttingen Künzel Brühl Würzburg Böhm Löwe "
                                          "Jäger Krämer "
                 "Schäfer Hölderlin Schröder Köhler Möller Hübner Böttcher Günther Döring Hänsel Kühn Förster").split()
        for codec in ("cp850", "mac_roman"):
            usable = [name for name in names if has(codec, name)]
            self.assertGreater(len(usable), 25)
            text = "id,name\n" + "".join(f"{row},{usable[row % len(usable)]}\n" for row in range(400))
            self.assertNotIn(str(self.guess(text.encode(codec))[0]),
                             ("windows-1252", "windows-1250", "windows-1254", "windows-1257"))

    def test_punctuation_of_windows(self):
        for text in ("l’été d’où qu’à", "don’t won’t", "“Hello world”", "Müller’s it’s that’s",
                     "Paris–Rouen Hélène Noël", "„Größe“ schön…",
                     "café it’s company’s", "Tšekki Jyväskylä Hämeenlinna"):
            with self.subTest(text):
                self.assertEqual(self.guess(("id,name\n" + f"1,{text}\n" * 9).encode("cp1252"))[0], "windows-1252")

    def test_ambiguous_letters(self):
        """Words that are valid in two code pages are read as windows-1252 if its common languages contain them, and
        otherwise not guessed."""
        cases = [
            # ş and þ, ı and ý, ğ and ð
            ("Şahin", "cp1254", None), ("Yıldız", "cp1254", None), ("Doğan", "cp1254", None),
            ("Şahin Yıldız Doğan Paşa", "cp1254", None),
            ("Şahin Doğan Şimşek Çağlar", "cp1254", None), ("Şahin Doğan Çağlar Gürbüz", "cp1254", "windows-1254"),
            ("Gökçe Yıldız", "cp1254", None), ("Gökçe Yıldız Doğan", "cp1254", "windows-1254"),
            ("Þorsteinn", "cp1252", None), ("Garðar Þorsteinn", "cp1252", None), ("Þórður", "cp1252", "windows-1252"),
            ("Þórður Sigurður Kristján Björk", "cp1252", "windows-1252"), ("Şahin Müller José", "cp1254", None),
            # Romanian ţ and Turkish ş
            ("Ţara Paţa", "cp1250", None), ("Ţepeş Paţa", "cp1250", "windows-1250"),
            ("Brânză Ţepeş Mureşan", "cp1250", "windows-1250"),
            # Romanian ă and ã, Hungarian ő and õ, Polish ń and ñ
            ("Cătălin", "cp1250", None), ("Cătălin Răducanu", "cp1250", "windows-1250"), ("Győző", "cp1250", None),
            ("Győző Tűz Őri", "cp1250", "windows-1250"), ("Poznań", "cp1250", None),
            ("Poznań Gdańsk", "cp1250", "windows-1250"),
            ("Brânză", "cp1250", None), ("Łódź", "cp1250", None), ("Łódź Wałęsa", "cp1250", "windows-1250"),
            ("Dvořák Jiří", "cp1250", "windows-1250"),
            # Lithuanian š and ð, ž and þ; Latvian
            ("Jonušas", "cp1257", None), ("Gražina", "cp1257", None), ("Žemaitė Ąžuolas", "cp1257", "windows-1257"),
            ("Jānis", "cp1257", None), ("Jānis Māris Kārlis", "cp1257", None), ("Château", "cp1252", "windows-1252"),
            ("Līga", "cp1257", None), ("Līga Jānis Kārlis Pēteris", "cp1257", None), ("Birutė Eglė", "cp1257", None),
            ("Kęstutis", "cp1257", None), ("Ēriks Zīle", "cp1257", None), ("Mārīte Ilzēni", "cp1257", None),
            ("Němec", "cp1250", None), ("Dvůr", "cp1250", None), ("Bezděk Kůrka", "cp1250", None),
            ("Kępa Gęsior", "cp1250", None), ("Tűz", "cp1250", None), ("Nîmes", "cp1252", None),
            ("François", "cp1252", "windows-1252"), ("Peça Conceição", "cp1252", "windows-1252"),
            ("Sørensen Jørgensen Møller", "cp1252", "windows-1252"), ("Noël", "cp1252", "windows-1252"),
            ("très frère", "cp1252", "windows-1252"), ("lunedì Forlì", "cp1252", None),
            ("perché città", "cp1252", "windows-1252"), ("Niccolò", "cp1252", "windows-1252"),
            ("São João", "cp1252", "windows-1252"), ("Müller Köln Straße", "cp1252", "windows-1252"),
            ("Muñoz Peña", "cp1252", "windows-1252"), ("Geneviève Hélène", "cp1252", "windows-1252"),
            ("Jānis Bērziņš Kalniņš", "cp1257", "windows-1257"), ("âge Hélène", "cp1252", "windows-1252"),
            ("Bērziņš", "cp1257", None), ("Bērziņš Kalniņš", "cp1257", "windows-1257"), ("Tõnu Jõgi", "cp1252", None),
            ("Tõnu Pärnu", "cp1252", "windows-1252"), ("João Simões irmã", "cp1252", "windows-1252"),
        ]
        for words, codec, expected in cases:
            with self.subTest(codec, words=words):
                names = words.split()
                text = "id,name\n" + "".join(f"{row},{names[row % len(names)]}\n" for row in range(40))
                name, summary = self.guess(text.encode(codec))
                self.assertEqual(name, expected)
                if not expected:
                    self.assertIn("no other encoding is certain for the 40 records that are not UTF-8", summary)
                    reported, _ = self.seen(text.encode(codec), "--encoding", "auto", status=1)
                    self.assertEqual(reported["origin"], "uncertain")

    def test_a_utf8_file_with_broken_records(self):
        """The well-formed records show that the file is UTF-8, even if they are in another slice."""
        good = "".join(f"{row},José Müller\n" for row in range(3_000)).encode()
        for bad in (b"9,Jos\xe9\n", b"9,\xe5\xb1\xb1\xff\xfe\n", b"9,\xff\xfe\n"):
            for content in (good + bad, bad + good):
                name, summary = self.guess(b"id,name\n" + content)
                self.assertIsNone(name)
                self.assertIn("the file is UTF-8 except for 1 record, which seems to be from another source, in "
                              "another encoding", summary)
        self.write("e.csv", b"id,name\n" + good + b"9,Jos\xe9\n")
        self.assertNotIn("--encoding", self.assay("profile", "e.csv", status=0).text)

    def test_a_named_encoding_that_the_file_contradicts(self):
        text = "id,name\n" + "".join(f"{row},José Müller\n" for row in range(10))
        for content in (text.encode(), BOM + b"id,name\n1,a\n", gzip.compress(text.encode())):
            for name in ("windows-1252", "ISO-8859-1", "ISO-8859-15", "macintosh"):
                self.write("e.csv", content)
                outcome = self.assay("check", "e.csv", "--encoding", name, status=2)
                self.assertIn("e.csv is UTF-8, not ", outcome.err)
                self.assay("check", "e.csv", status=0)
    def test_few_words_that_contradict_a_named_encoding(self):
        """Distinct words count. A few words in other encodings among them do not."""
        names = "José Müller Zoë Äsa".split()
        stray = "id,n\n" + "".join(f"{row},{names[row % 4]}\n" for row in range(8))
        for content in ("id,n\n1,José\n2,José\n3,José\n".encode(), stray.encode() + b"9,Jos\xe9\n",
                        "id,name\n1,Ã©\n".encode("cp1252")):
            self.write("e.csv", content)
            outcome = self.assay("check", "e.csv", "--encoding", "windows-1252", status=2)
            self.assertIn("e.csv is UTF-8, not windows-1252: ", outcome.err)
            self.assertIn("--trust-encoding", outcome.err)
            self.assay("check", "e.csv", "--encoding", "windows-1252", "--trust-encoding", status=0)
            self.write("r.yaml", "dialect: {encoding: windows-1252, trustEncoding: true}\nfields: []\n")
            self.assay("check", "e.csv", "--rules", "r.yaml", status=0)
            self.assay("check", "-", "--rules", "r.yaml", stdin=content, status=0)
        self.write("e.csv", BOM + b"id,n\n1,a\n")
        self.assay("check", "e.csv", "--encoding", "windows-1252", "--trust-encoding", status=0)

    def test_words_that_are_utf8_by_chance(self):
        for words, name, codec in (("เขต", "windows-874", "cp874"), ("Сё", "windows-1251", "cp1251")):
            self.write("e.csv", ("id,n\n" + f"1,{words}\n" * 4).encode(codec))
            self.assay("clean", "e.csv", "-r", self.rules("id", "n"), "--encoding", name, "--force", "-q", status=0)
            self.assertIn(words, self.read("e.clean.csv").decode())

    def test_a_header_that_is_not_utf8(self):
        self.write("h.csv", "id,größe\n1,Müller\n".encode("cp1252"))
        outcome = self.assay("check", "h.csv", status=2)
        self.assertEqual(
            outcome.err,
            "assay: error: h.csv:1: the header is not UTF-8\n  try:\n    assay check h.csv --encoding windows-1252\n")
        self.shell("assay check h.csv --encoding windows-1252", status=0)

    def test_a_header_that_is_not_in_the_encoding_that_was_given(self):
        self.write("h.csv", b"a,\xffb\n1,2\n")
        outcome = self.assay("check", "h.csv", "--encoding", "windows-1253", status=2)
        self.assertEqual(
            outcome.err,
            "assay: error: h.csv:1: the header is not valid windows-1253\n  hint: is it in another encoding?\n")

    def test_a_header_that_no_encoding_is_certain_for(self):
        """An encoding is recommended only if it can decode the header."""
        noise = random.Random(5).randbytes(4096)
        for content, name in ((noise, "UTF-8"), (b"id,n\x81\n1,a\n", "windows-1252"), (b"id,n\x81\n1,a\n", "auto"),
                              (b"id,n\x82\n1,a\n", "auto")):
            self.write("h.csv", content)
            self.assertNotIn("try:", self.assay("check", "h.csv", "--encoding", name, status=2).err)
        self.write("h.csv", "id,größe\n1,Müller\n".encode("cp1252"))
        for options in ([], ["--encoding", "UTF-8"]):
            self.assertIn("--encoding windows-1252", self.assay("check", "h.csv", *options, status=2).err)


class Targets(EncodingTest):
    def test_a_character_that_the_target_lacks(self):
        rules = self.rules({"name": "id", "rules": [{"id": "id.→zahl", "pattern": "[0-9]"}]}, "name")
        self.write("e.csv", b"id,name\n1,\xe4\nx,\xfc\n")
        outcome = self.assay(
            "clean", "e.csv", "-r", rules, "--encoding", "cp1252", "--annotate", "--output-encoding", "same", status=3)
        self.assertIn("U+2192", outcome.err)
        self.assertIn("windows-1252", outcome.err)
        self.assert_no_files_left("e.csv", rules)
        self.assay("clean", "e.csv", "-r", rules, "--encoding", "cp1252", "--annotate", "-q", status=0)
        self.assertEqual(self.read("e.rejects.csv").decode(), "id,name,_line,_reasons\nx,ü,3,id.→zahl\n")

    def test_only_where_it_is_written(self):
        """The id of a rule without findings appears in no output, so the encoding need not contain its characters."""
        rules = self.rules({"name": "id", "rules": [{"id": "id.→zahl", "pattern": "[0-9]"}]}, "name")
        self.write("e.csv", b"id,name\n1,\xe4\n")
        self.assay("clean", "e.csv", "-r", rules, "--encoding", "cp1252", "--annotate", "--output-encoding", "same",
                   "-q", status=0)
        self.assertEqual(self.read("e.clean.csv"), b"id,name\n1,\xe4\n")

    def test_outputs_of_empty_input(self):
        rules = self.rules("id", "name")
        for name, codec, mark in WIDE:
            header = mark + "id,name\n".encode(codec)
            got = self.outputs(header, rules, "--output-encoding", "same")
            self.assertEqual(got[:2], (header, header))

    def test_findings_and_reports_are_utf8(self):
        rules = self.rules({"name": "größe", "rules": [{"id": "größe.never", "pattern": NEVER}]})
        _, _, found = self.outputs("größe\nß\n".encode("cp1252"), rules, "--encoding", "cp1252",
                                   "--output-encoding", "same")
        self.assertEqual(json.loads(found)["column"], "größe")
        self.assertEqual(json.loads(found)["value"], "ß")
        self.assertEqual(json.loads(found)["rule"], "größe.never")


if __name__ == "__main__":
    unittest.main()
