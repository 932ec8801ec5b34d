"""User errors: the messages, that no output is written, and that messages are safe for the terminal."""

import bz2
import gzip
import io
import json
import lzma
import os
import random
import re
import shutil
import tarfile
import unittest
import zipfile

from support import CommandTest, volume, slow

SMALL = "a,b\n1,ök\n2,nö\n"


class MistakeTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.rules("a", {"name": "b", "constraints": {"pattern": "ök"}})

    def command_in(self, error, *words):
        """The line of a message that contains a command to try."""
        for line in error.splitlines():
            if all(word in line for word in words):
                start = min(line.index(word) for word in words)
                return line[start:].strip()
        self.fail(f"no command with {words} in:\n{error}")


class OtherFormatTests(MistakeTest):
    def assert_guessed(self, name, content, *words, command="clean"):
        """The message must name the format and a command. The command must work as printed."""
        self.write(name, content)
        before = self.files()
        outcome = self.assay(command, name, "--rules", "rules.json", status=2)
        self.assertEqual(self.files(), before)
        if not shutil.which(words[0]):
            self.skipTest(f"{words[0]} is not installed; the message was: {outcome.err}")
        self.shell(self.command_in(outcome.err, *words), status=0)
        # The rejected row must appear in one of the files.
        made = set(self.files()) - set(before)
        self.assertTrue(any("ök".encode() in self.read(file) for file in made), f"{made}\n{outcome.err}")

    def test_gzip(self):
        """Assay decompresses it. Without decompression, it is not CSV."""
        self.write("users.csv.gz", gzip.compress(SMALL.encode()))
        self.assay("clean", "users.csv.gz", "--rules", "rules.json", status=0)
        self.assertEqual(gzip.decompress(self.read("users.clean.csv.gz")).decode(), "a,b\n1,ök\n")
        self.assertEqual(gzip.decompress(self.read("users.rejects.csv.gz")).decode(), "a,b\n2,nö\n")
        for name in self.files():
            if not name.startswith((".tools", "rules")):
                os.remove(self.path(name))
        outcome = self.refused_as_it_stands("users.csv.gz", gzip.compress(SMALL.encode()))
        self.assertEqual(
            outcome.err,
            "assay: error: users.csv.gz is gzip data, not CSV\n  try:\n    gzip -t users.csv.gz && zcat users.csv.gz |"
            " assay clean - --rules rules.json --compression none --clean users.clean.csv --rejects users.rejects.csv"
            " --findings users.findings.jsonl --report users.report.json\n")
        self.shell(self.command_in(outcome.err, "zcat", "assay"), status=0)
        self.assertEqual(self.read("users.rejects.csv").decode(), "a,b\n2,nö\n")

    def test_zstandard(self):
        if not shutil.which("zstd"):
            self.skipTest("zstd is not installed")
        self.write("users.csv", SMALL)
        self.shell("zstd -q --rm users.csv", status=0)
        self.assay("clean", "users.csv.zst", "--rules", "rules.json", status=0)
        self.assertEqual(self.shell("zstdcat users.clean.csv.zst", status=0).text, "a,b\n1,ök\n")
        self.assertEqual(self.shell("zstdcat users.rejects.csv.zst", status=0).text, "a,b\n2,nö\n")
        packed = self.read("users.csv.zst")
        for name in self.files():
            if not name.startswith((".tools", "rules")):
                os.remove(self.path(name))
        outcome = self.refused_as_it_stands("users.csv.zst", packed)
        self.assertTrue(outcome.err.startswith("assay: error: users.csv.zst is Zstandard data, not CSV\n  try:\n"),
                        outcome.err)
        self.shell(self.command_in(outcome.err, "zstdcat", "assay"), status=0)
        self.assertEqual(self.read("users.rejects.csv").decode(), "a,b\n2,nö\n")

    def refused_as_it_stands(self, name, content):
        self.write(name, content)
        before = self.files()
        outcome = self.assay("clean", name, "--rules", "rules.json", "--compression", "none", status=2)
        self.assertEqual(self.files(), before)
        return outcome

    def test_bzip2_and_xz(self):
        self.assert_guessed("users.csv.bz2", bz2.compress(SMALL.encode()), "bzcat", "assay")
        for name in self.files():
            if not name.startswith((".tools", "rules")):
                os.remove(self.path(name))
        self.assert_guessed("users.csv.xz", lzma.compress(SMALL.encode()), "xzcat", "assay")

    def test_zip(self):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("users.csv", SMALL)
        self.assert_guessed("users.zip", archive.getvalue(), "unzip", "assay")

    def test_lz4(self):
        # A frame with one uncompressed block and the checksums that lz4 computed.
        block = b"a,b\n1,\xc3\xb6k\n2,n\xc3\xb6\n"
        frame = bytes.fromhex("04224d186040 82") + (len(block) | 1 << 31).to_bytes(4, "little") + block + bytes(4)
        self.assert_guessed("users.csv.lz4", frame, "lz4", "assay clean")
        for name in self.files():
            if not name.startswith((".tools", "rules")):
                os.remove(self.path(name))
        # A truncated archive is not cleaned.
        self.write("users.csv.lz4", frame[:-9])
        outcome = self.assay("clean", "users.csv.lz4", "--rules", "rules.json", status=2)
        self.assertNotEqual(self.shell(self.command_in(outcome.err, "lz4", "assay")).status, 0)
        self.assertNotIn("users.clean.csv", self.files())

    def test_tar(self):
        for ending, mode in (("tar", "w"), ("tar.gz", "w:gz"), ("tgz", "w:gz"), ("tar.xz", "w:xz")):
            archive = io.BytesIO()
            with tarfile.open(fileobj=archive, mode=mode) as file:
                member = tarfile.TarInfo("users.csv")
                member.size = len(SMALL.encode())
                file.addfile(member, io.BytesIO(SMALL.encode()))
            content = archive.getvalue()
            for flags in ([], ["--encoding", "windows-1252"], ["--encoding", "auto"],
                          ["--encoding", "utf-16"]) if ending != "tar.xz" else ([],):
                with self.subTest(ending=ending, flags=flags):
                    self.write(f"users.{ending}", content)
                    outcome = self.assay("check", f"users.{ending}", *flags, status=2)
                    self.assertIn(" is xz data, not CSV" if ending == "tar.xz"
                                  else f"users.{ending} is a tar archive, not CSV\n", outcome.err)
                    outcome = self.assay("check", "-", *flags, stdin=content, status=2)
                    self.assertNotIn(" | tar", outcome.err)
            if ending != "tar.xz":
                self.assert_guessed(f"users.{ending}", content, "tar", "assay clean")
                for name in self.files():
                    if not name.startswith((".tools", "rules")):
                        os.remove(self.path(name))

    def tar(self, members, mode="w:gz", **options):
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode=mode, **options) as file:
            for name, content in members:
                member = tarfile.TarInfo(name)
                if content is None:
                    member.type = tarfile.DIRTYPE
                else:
                    member.size = len(content)
                file.addfile(member, io.BytesIO(content or b""))
        return archive.getvalue()

    def test_the_members_of_a_tar_archive(self):
        users, items = b"id,name\n1,Ann\n", b"id,item\n1,nut\n2,oak\n"
        long = "a" * 90 + "/" + "b" * 90 + "/ü users.csv"
        members = [("data", None), ("data/._e.csv", b"x"), ("data/e.csv", users), ("__MACOSX/e.csv", b"x"),
                   (long, items), (".hidden", b"x")]
        for mode in ("w", "w:gz"):
            for format in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
                self.write("t.tar.gz", self.tar(members, mode, format=format))
                error = self.assay("check", "t.tar.gz", status=2).err
                test = "tar >/dev/null -tf t.tar.gz && tar -xOf t.tar.gz "
                self.assertEqual(
                    error, "assay: error: t.tar.gz is a tar archive, not CSV\n  try:\n"
                    f"    {test}data/e.csv | assay check -\n    {test}'{long}' | assay check -\n")
                for line, records in zip(error.splitlines()[2:], (1, 2)):
                    self.assertRegex(self.shell(line.strip()).err, rf"\n  clean +{records} ")
        self.write("t.tar", self.tar([("e.csv", users)], "w", format=tarfile.USTAR_FORMAT))
        self.assertIn("tar -xOf t.tar e.csv | assay check -\n", self.assay("check", "t.tar", status=2).err)
        # The members of a truncated archive are unknown, and an archive may contain no files.
        for content in (self.tar([("e.csv", users * 200)], "w")[:700], self.tar([("data", None)], "w")):
            self.write("t.tar", content)
            self.assertEqual(self.assay("check", "t.tar", status=2).err,
                             "assay: error: t.tar is a tar archive, not CSV\n")

    def test_hostile_names_in_a_tar_archive(self):
        """Each printed command must read the member, and must not run a command that the name contains."""
        names = ["--checkpoint-action=exec=touch canary", "-x.csv", "q'$(touch canary).csv", "a\x1b[31mb.csv",
                 "n\nl.csv", "b\\n.csv", "u\u202ee.csv"]
        for name in names:
            with self.subTest(name):
                self.write("t.tar", self.tar([(name, b"id\n1\n")], "w"))
                error = self.assay("check", "t.tar", status=2)
                self.assert_safe(error.error_bytes)
                self.assertRegex(self.shell(error.err.splitlines()[2].strip()).err, r"\n  clean +1 ")
        self.assertNotIn("canary", self.files())

    def test_binary_formats(self):
        """The magic numbers are from files that each format's own program wrote."""
        cases = [
            (bytes.fromhex("80049510000000000000005d9428") + b"x" * 20, "a pickle of Python"),
            (bytes.fromhex("80025d7100284b014b02652e"), "a pickle of Python"),
            (b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0", "an HDF5 file"),
            (b"RDX3\nX\n\0\0\0\x03\0\x04\x02\x02", "data of R"),
            (gzip.compress(b"X\n\0\0\0\x03\0\x04\x02\x02"), "data of R"),
            (bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(80), "a SAS data set"),
            (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!000000000000000000000000000000  ", "a SAS data set"),
            (b"$FL2@(#) IBM SPSS STATISTICS 64-bit" + bytes(80), "an SPSS data file"),
            (b"<stata_dta><header><release>118</release>", "a Stata data set"),
            (b"ARROW1\0\0" + b"\xff" * 4 + bytes(40), "an Arrow file"),
            (b"\xff\xff\xff\xff\x18\x01\0\0\x10\0\0\0" + bytes(40), "an Arrow file"),
            (b"FEA1\0\0\0\0" + bytes(40), "an Arrow file"), (b"ORC\x03\x08\x10" + bytes(40), "an ORC file"),
            (b"Obj\x01\x04\x14avro.codec", "an Avro file"),
            (b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(40), "a 7z archive"),
            (b"Rar!\x1a\x07\x01\0" + bytes(40), "a RAR archive"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"), (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a picture"),
        ]
        for content, words in cases:
            for flags in ([], ["--encoding", "windows-1252"], ["--encoding", "auto"], ["--encoding", "Shift_JIS"]):
                with self.subTest(words, flags=flags):
                    self.write("users.csv", content)
                    outcome = self.assay("check", "users.csv", *flags, status=2)
                    self.assertIn(f"users.csv is {words}, not CSV\n", outcome.err)
                    self.assertRegex(outcome.err, "\n  (hint: |try:\n)|is a picture")
                    self.assertNotIn("--encoding auto\n", outcome.err.replace(" ".join(flags) + "\n", "\n"))
                    outcome = self.assay("check", "-", *flags, stdin=content, status=2)
                    self.assertIn(f"standard input is {words}, not CSV\n", outcome.err)

    def test_the_command_for_another_format_drops_the_encoding(self):
        """The other program writes UTF-8."""
        self.write("users.parquet", b"PAR1\x15\x04" + b"\0" * 100 + b"PAR1")
        outcome = self.assay("check", "users.parquet", "--encoding", "latin1", "--no-header", status=2)
        self.assertIn("HEADER false", outcome.err)
        self.assertIn("--encoding UTF-8", self.command_in(outcome.err, "assay check"))

    def test_random_bytes(self):
        chance = random.Random(7)
        for size in (512, 4096, 65_536, 200_000):
            content = chance.randbytes(size)
            # Random bytes may begin with a short magic number.
            content = b"Q" + content[1:]
            for flags in ([], ["--encoding", "auto"]):
                with self.subTest(size=size, flags=flags):
                    self.write("users.csv", content)
                    outcome = self.assay("check", "users.csv", *flags, status=2)
                    self.assertRegex(
                        outcome.err,
                        r"^assay: error: users\.csv is not text: [\d,]+ bytes of its first [\d,]+ are control "
                        r"characters, of \d\d kinds\n"
                        "  hint: if it is text, name its encoding: --encoding NAME, or ")
                    self.assert_safe(outcome.error_bytes)
            # An explicit encoding overrides the detection.
            self.assertNotIn("is not text", self.assay("check", "users.csv", "--encoding", "macintosh").err)

    def test_text_with_control_characters_is_read(self):
        chance = random.Random(3)
        words = "Müller Größe Straße".split()
        latin = "id\1name\n" + "".join(f"{row}\1{chance.choice(words)}\n" for row in range(300))
        every = bytes(byte for byte in range(256) if byte not in b"\n\r,\"")
        cases = [
            # A Hive delimiter, padding, all control characters in UTF-8, and each byte once.
            (latin.encode("cp1252"), ["--delimiter", "\1"]), (b"id,name\n" + b"1,M\xfcller\0\0\0\0\0\0\n" * 100, []),
            (b"id,name\n" + b"".join(b"%d,%s\n" % (row, every[:124]) for row in range(50)), []),
            (b"id,name\n1," + every + b"\n", []),
            ("id,name\n1,日本語のテキスト\n".encode("iso2022_jp") * 50, ["--encoding", "UTF-8"]),
            ("id,name\n1,日本語のテキスト\n".encode("cp932") * 50, []),
        ]
        for content, flags in cases:
            with self.subTest(content[:30]):
                self.write("users.csv", content)
                outcome = self.assay("check", "users.csv", *flags)
                self.assertIn(outcome.status, (0, 1), outcome.err[:300])

    def test_workbook(self):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("xl/workbook.xml", "<workbook/>")
        self.write("users.xlsx", archive.getvalue())
        outcome = self.assay("check", "users.xlsx", status=2)
        self.assertIn("Excel", outcome.err)

    def test_parquet(self):
        self.write("users.parquet", b"PAR1" + b"\0" * 100 + b"PAR1")
        outcome = self.assay("clean", "users.parquet", "--rules", "rules.json", status=2)
        self.assertIn("Parquet", outcome.err)
        self.command_in(outcome.err, "assay")

    def test_some_nuls_are_data(self):
        self.write("users.csv", b"a,b\n\0,\0\n\0\0\0,x\n")
        self.assay("check", "users.csv", status=0)

    def test_json(self):
        several = "JSON over several lines, not an object on each line"
        for content, words in (
            ('[{"a": 1}]', "a JSON array, not JSON Lines"),
            ('\ufeff\n [\n  {"a": 1}\n]', "a JSON array, not JSON Lines"),
            ("[[1, 2], [3, 4]]", "a JSON array, not JSON Lines"), (" [ ]\n", "a JSON array, not JSON Lines"),
            ('{\n  "a": 1\n}\n', several), ('{"a": 1,\n "b": 2}\n', several),
        ):
            with self.subTest(content):
                self.write("it's.json", content)
                outcome = self.assay("check", "it's.json", status=2)
                self.assertIn(f"it's.json is {words}", outcome.err)
                self.assertIn("jq -c 'if type == \"array\" then .[] else . end' 'it'\\''s.json' | ", outcome.err)
                self.command_in(outcome.err, "assay")
        for header in ("[id],[name]\n1,2\n", "{a},b\n1,2\n", "[1],[2]\n3,4\n"):
            with self.subTest(header):
                self.write("users.csv", header)
                self.assay("check", "users.csv", status=0)

    def test_documents(self):
        for content, words in [
            (b"%PDF-1.4\n%\xe2\xe3\n", "a PDF document"), (b"\n<!DOCTYPE html>\n<html></html>\n", "a web page"),
            (b"<HTML><body>", "a web page"), (b"\xef\xbb\xbf<?xml version='1.0'?><a/>", "XML"),
            (b"SQLite format 3\0" + bytes(80), "an SQLite database"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(80), "an Excel workbook"),
        ]:
            with self.subTest(words):
                self.write("users.csv", content)
                outcome = self.assay("check", "users.csv", status=2)
                self.assertIn(f"users.csv is {words}, not CSV", outcome.err)
                self.assertRegex(outcome.err, "\n  (hint: |try:\n)")

    def test_a_note_for_excel(self):
        """The delimiter in the line is used, and the line stays above the header."""
        for mark in ("", "\ufeff"):
            with self.subTest(mark=bool(mark)):
                self.write("users.csv", mark + "sep=;\r\na;b\r\n1,0;ök\r\n2,0;nö\r\n")
                self.assay("clean", "users.csv", "--rules", "rules.json", "--force", status=0)
                self.assertEqual(self.read("users.clean.csv").decode(), mark + "sep=;\r\na;b\r\n1,0;ök\r\n")
                self.assertEqual(self.read("users.rejects.csv").decode(), mark + "sep=;\r\na;b\r\n2,0;nö\r\n")
                [finding] = self.findings("users.findings.jsonl")
                self.assertEqual((finding["record"], finding["line"], finding["column"]), (2, 4, "b"))
        self.write("users.csv", "sep=,b\n1,2\n")
        self.assay("check", "users.csv", "--rules", self.rules("sep=", "b", name="r.json"), status=0)

    def test_standard_input(self):
        outcome = self.assay("check", "-", stdin=bz2.compress(b"a,b\n"), status=2)
        self.assertIn("bzip2", outcome.err)
        self.assertNotIn("'standard input'", outcome.err, "no file has this name")

    def test_names_with_spaces_are_quoted_for_the_shell(self):
        self.assert_guessed("it's mine; really.bz2", bz2.compress(SMALL.encode()), "bzcat", "assay")

    def test_magic_bytes_later_in_the_file_are_data(self):
        self.write("users.csv", b"a,b\nPAR1,\x50\x4b\x03\x04\n")
        self.assay("check", "users.csv", status=0)

    def test_headers_that_only_look_like_magic(self):
        for header in (b"PK,b\n1,2\n", b"BZ,b\n1,2\n", b"PAR,b\n1,2\n", b"BZhang,b\n1,2\n", b"PAR1,b\n1,2\n"):
            with self.subTest(header):
                self.write("users.csv", header)
                self.assay("check", "users.csv", status=0)


class NewcomerTests(CommandTest):
    """Typical errors of new users."""

    def test_invalid_commands(self):
        self.write("users.csv", "a,b\n1,2\n")
        for arguments, word, hint in [
            (["chekc", "users.csv"], "'chekc' is not a command of assay", "did you mean 'assay check'?"),
            (["users.csv"], "'users.csv' is not a command of assay", "to check a file: assay check users.csv"),
            (["rules", "my rules.yaml"], "'my rules.yaml' is not a command of assay rules",
             "to check a file: assay rules check 'my rules.yaml'"),
            (["frobnicate"], "'frobnicate' is not a command of assay", "the commands are clean, check, init, "),
            (["help", "chekc"], "'chekc' is not a command of assay", "did you mean 'assay check'?"),
            (["help", "rules", "chekc"], "'chekc' is not a command of assay rules",
             "did you mean 'assay rules check'?"),
        ]:
            with self.subTest(arguments):
                self.assertTrue(
                    self.assay(*arguments, status=2).err.startswith(f"assay: error: {word}\n  hint: {hint}"))

    def test_numbers_that_are_negative(self):
        self.write("users.csv", "a,b\n1,2\n")
        for option in ("--threads", "--head", "--max-findings", "--max-reject-rate", "--stop-after"):
            with self.subTest(option):
                self.assertIn(f"assay: error: {option} takes ",
                              self.assay("check", "users.csv", option, "-1", status=2).err)

    def test_an_empty_value(self):
        """A shell makes `--output-dir=` of `--output-dir=$EMPTY`. The next word is not the value."""
        self.write("users.csv", "id\n1\n")
        rules = self.rules("id")
        for option in ("--output-dir=", "--rejects=", "--limit=", "--no-header=", "-r="):
            with self.subTest(option):
                outcome = self.assay("clean", option, "users.csv", "-r", rules, status=2)
                self.assertEqual(outcome.err, f"assay: error: {option} has no value\n"
                                 "  hint: give it a value, or leave it out\n")
        self.assertIn("cannot open --rejects=", self.assay("check", "--", "--rejects=", status=2).err)

    def test_a_limit_without_a_value(self):
        self.write("users.csv", "a,b\n1,2\n")
        outcome = self.assay("check", "users.csv", "--limit", "field-bytes", status=2)
        self.assertEqual(
            outcome.err, "assay: error: --limit takes name=value, such as field-bytes=2M, not 'field-bytes'\n")

    def test_findings_of_another_format(self):
        self.write("users.csv", "a,b\n1,2\n")
        rules = self.rules("a")
        for name in ("a.parquet", "d/a.XLSX", "a.jsonl.bz2", "a.xz", "a.xlsx.gz"):
            for command in (["clean", "-r", rules], ["check"]):
                with self.subTest(name=name, command=command):
                    ending = name.removesuffix(".gz").rsplit(".")[-1].lower()
                    self.assertEqual(
                        self.assay(*command, "users.csv", "--findings", name, status=2).err,
                        f"assay: error: findings are written as JSON lines or as CSV, and {name} has the ending of "
                        "another "
                        f"format\n  hint: use a name that ends in .jsonl or .csv, and convert the file to {ending} "
                        f"afterwards\n")
        self.path("d.gz").mkdir()
        self.write("users.csv", "a,b\n1\n")
        lines = b'{"record":1,"line":2,"offset":4,"column":null,"position":null,"rule":"structure.fields",'
        for name, start in [
            ("a.json", lines), ("a.jsonl", lines), ("a.ndjson", lines), ("a.CSV", b"record,line,"), ("a.txt", lines),
            ("a", lines), ("2024.01", lines), (".gz", lines), ("d.gz/a", lines), ("a.jsonl.gz", lines),
            ("a.csv.gz", b"record,line,"), ("b.gz", lines),
        ]:
            with self.subTest(name):
                self.assay("check", "users.csv", "--findings", name, status=1)
                content = self.read(name)
                if name in ("a.jsonl.gz", "a.csv.gz", "b.gz"):
                    content = gzip.decompress(content)
                self.assertTrue(content.startswith(start), content)
        self.assay("check", "users.csv", "--findings", "none", status=1)
        self.assertTrue(self.assay("check", "users.csv", "--findings", "-", status=1).out.startswith(lines))

    def test_outputs_of_another_format(self):
        self.write("users.csv", "a,b\n1,2\n")
        self.write("users.TXT", "a,b\n1,2\n")
        self.write("users.tsv", "a\tb\n1\t2\n")
        rules = self.rules("a")
        records = "records are written unchanged"
        for option, name, data, written, instead in (
            ("--clean", "good.csv.bz2", "users.csv", records, ".csv"),
            ("--clean", "good.json", "users.csv", records, ".csv"),
            ("--clean", "good.tsv.xz", "users.tsv", records, ".tsv"),
            ("--clean", "good.json.gz", "users.csv", records, ".csv"),
            ("--rejects", "d/bad.XLSX", "users.TXT", records, ".txt"),
            ("--rejects", "bad.csv.br", "-", records, ".csv"),
        ):
            with self.subTest(option=option, name=name):
                ending = name.removesuffix(".gz").rsplit(".")[-1].lower()
                outcome = self.assay("clean", data, "-r", rules, option, name, stdin=b"a,b\n1,2\n", status=2)
                self.assertEqual(
                    outcome.err,
                    f"assay: error: {written}, and {name} has the ending of another format\n"
                    f"  hint: use a name that ends in {instead}, and convert the file to {ending} afterwards\n")
                self.assertFalse(self.path(name).exists())
        # An uncompressed input leads to uncompressed outputs, for any name.
        self.write("plain.gz", "a,b\n1,2\n")
        self.assay("clean", "plain.gz", "-r", rules, status=0)
        self.assertEqual(self.read("plain.clean"), b"a,b\n1,2\n")
        self.assay("clean", "users.csv", "-r", rules, "--clean", "good.tsv", "--rejects", "bad.txt", status=0)
        # The name of an output may request compression.
        self.assay("clean", "users.csv", "-r", rules, "--clean", "good.csv.gz", "--rejects", "bad.TXT.GZ",
                   "--findings", "none", "--report", "r.json.gz", status=0)
        self.assertEqual(gzip.decompress(self.read("good.csv.gz")), b"a,b\n1,2\n")
        self.assertEqual(gzip.decompress(self.read("bad.TXT.GZ")), b"a,b\n")
        self.assertEqual(json.loads(gzip.decompress(self.read("r.json.gz")))["inputs"][0]["records"], 1)

    def test_rules_without_their_option(self):
        self.write("users.csv", "a,b\n1,2\n")
        self.write("my r.yaml", "fields: []")
        self.write("r.YML", "fields: []")
        for command in ("clean", "check"):
            for name, quoted in (("my r.yaml", "'my r.yaml'"), ("r.YML", "r.YML")):
                with self.subTest(command=command, name=name):
                    self.assertEqual(
                        self.assay(command, "users.csv", name, status=2).err,
                        f"assay: error: the input {name} is named like a rule file\n"
                        f"  hint: to use it as the rules: --rules {quoted}; to read it as a table: --format csv\n")
        self.assertEqual(
            self.assay("check", "r.YML", "-r", "my r.yaml", status=2).err,
            "assay: error: the input r.YML is named like a rule file\n"
            "  hint: the rules are my r.yaml already; to read it as a table: --format csv\n")

    def test_rules_from_standard_input(self):
        self.write("users.csv", "a,b\n1,2\n")
        for arguments in (["check", "users.csv", "--rules", "-"], ["rules", "check", "-"]):
            outcome = self.assay(*arguments, stdin="fields: []", status=2)
            self.assertEqual(
                outcome.err,
                "assay: error: rules cannot be read from standard input\n  hint: name a file\n")

    def test_all_inputs_that_cannot_be_used_are_named(self):
        rules = self.rules("a", "b")
        self.write("good.csv", "a,b\n")
        self.write("one.csv", "Export\na,b\n")
        self.write("two.csv", "a,c\n")
        self.write("three.csv", "")
        outcome = self.assay("clean", "one.csv", "good.csv", "two.csv", "three.csv", "--rules", rules, status=2)
        self.assertIn("    assay clean one.csv --rules rules.json --skip 1\n", outcome.err)
        self.assertIn("two.csv: no column is named 'b'", outcome.err)
        self.assertIn("three.csv is empty", outcome.err)
        problems, commands = outcome.err.split("  try:\n")
        self.assertNotIn("good.csv", problems)
        self.assertIn("    assay clean good.csv --rules rules.json\n", commands, "the one that can be read")
        self.assert_no_files_left("good.csv", "one.csv", rules, "three.csv", "two.csv")
        outcome = self.assay("check", "x.csv", "good.csv", "y.csv", status=2)
        self.assertEqual(outcome.err.count("No such file"), 2)
        outcome = self.assay("check", *[f"{n}.csv" for n in range(30)], status=2)
        self.assertEqual(outcome.err.count("No such file"), 20)
        self.assertIn("and 10 more inputs that cannot be used", outcome.err)

    def test_an_output_directory_that_is_missing(self):
        self.write("users.csv", "a,b\n1,2\n")
        outcome = self.assay("clean", "users.csv", "-r", self.rules("a"), "--output-dir", "my out", status=2)
        self.assertIn("hint: make the directory first: mkdir -p 'my out/'", outcome.err)

    def test_outputs_next_to_a_process_substitution(self):
        """Its name is that of a pipe, so no file can be placed beside it."""
        rules = self.rules("a")
        outcome = self.shell(f"assay clean <(printf 'a\\n1\\n') --rules {rules}", status=2)
        self.assertIn(
            "is not a file, so its outputs cannot be placed beside it\n  hint: choose a directory with --output-dir",
                      outcome.err)
        self.shell(f"assay clean <(printf 'a\\n1\\n') --rules {rules} --quiet --output-dir .", status=0)

    def test_empty_names(self):
        """A script passes an empty name if a variable is not set."""
        self.write("users.csv", "a,b\n1,2\n")
        rules = self.rules("a")
        for arguments in (["check", ""], ["check", "users.csv", "-r", ""]):
            outcome = self.assay(*arguments, status=2)
            self.assertEqual(outcome.err, "assay: error: cannot open '': No such file or directory\n")
        for arguments in (["check", "users.csv", "--findings", ""], ["clean", "users.csv", "-r", rules, "--clean", ""]):
            outcome = self.assay(*arguments, status=2)
            self.assertEqual(
                outcome.err, "assay: error: cannot create '': No such file or directory\n"
                             "  hint: an output needs a name; use none to leave it out\n")
        outcome = self.assay("clean", "users.csv", "-r", rules, "--output-dir", "", status=2)
        self.assertIn("--output-dir takes a directory, not ''; . is the current one.", outcome.err)
        self.assert_no_files_left(rules, "users.csv")

    def test_names_that_could_be_misread_are_quoted(self):
        self.write("users.csv", "a, b,\"c,d\",\n")
        outcome = self.assay("check", "users.csv", "--rules", self.rules("b"), status=2)
        self.assertIn("the header has: a, ' b', 'c,d', ''", outcome.err)

    def test_keys_used_by_other_records(self):
        for text, key, meant in [
            ("fields: [{name: a, rules: [{regex: x}]}]", "regex", "pattern"),
            ("fields: [{name: a, type: integer, constraints: {min: 1}}]", "min", "minimum"),
            ("fields: [{name: a, constraints: {mandatory: true}}]", "mandatory", "required"),
            ("{fields: [], dialect: {separator: ;}}", "separator", "delimiter"),
        ]:
            with self.subTest(key):
                outcome = self.assay("rules", "check", self.write("r.yaml", text), status=2)
                self.assertIn(f"unknown key '{key}'", outcome.err)
                self.assertIn(f"did you mean '{meant}'?", outcome.err)


class DelimiterTests(MistakeTest):
    def test_another_delimiter(self):
        """The delimiter is detected from the columns of the rules or from the records, and both outputs use it."""
        for delimiter in (";", "\t", "|"):
            for rules in (["--rules", "rules.json"], ["--rules", self.rules(name="none.json")]):
                with self.subTest(delimiter=delimiter, rules=rules[1]):
                    table = SMALL.replace(",", delimiter)
                    self.write("users.csv", table)
                    self.assay("clean", "users.csv", *rules, "--force", status=0)
                    header, good, bad = (line + "\n" for line in table.splitlines())
                    if rules[1] == "none.json":
                        good, bad = good + bad, ""
                    self.assertEqual(self.read("users.clean.csv").decode(), header + good)
                    self.assertEqual(self.read("users.rejects.csv").decode(), header + bad)
                    self.assertEqual(self.report("users.report.json")["structure"]["fields"], 0)

    def test_another_delimiter_than_the_named_one(self):
        for delimiter in (";", "\t", "|"):
            with self.subTest(delimiter):
                self.write("users.csv", SMALL.replace(",", delimiter))
                outcome = self.assay("clean", "users.csv", "--rules", "rules.json", "--delimiter", ",", status=2)
                spelling = "tab" if delimiter == "\t" else f"'{delimiter}'"
                self.assertEqual(
                    outcome.err,
                    "assay: error: users.csv:1: the header is a single column when read with ',', but it contains"
                    f" {spelling}\n  try:\n    assay clean users.csv --rules rules.json --delimiter {spelling}\n")
                self.assert_no_files_left("rules.json", "users.csv")

    def test_two_delimiters_that_fit_equally(self):
        self.write("users.csv", "a,b;c\n1,b;c\n")
        outcome = self.assay("check", "users.csv", status=2)
        self.assertEqual(
            outcome.err, "assay: error: users.csv: the delimiter may be ',' or ';': each gives several columns\n"
            "  try:\n    assay check users.csv --delimiter ,\n    assay check users.csv --delimiter ';'\n")
        for delimiter, columns in ((",", ["a", "b;c"]), (";", ["a,b", "c"])):
            # Rules determine the delimiter.
            rules = self.rules(*columns, name="r.json")
            self.assay("check", "users.csv", "--rules", rules, status=0)
            self.assay("check", "users.csv", "--rules", rules, "--delimiter", delimiter, status=0)
            self.assay("check", "users.csv", "--delimiter", delimiter, status=0)
        self.assert_no_files_left("r.json", "rules.json", "users.csv")

    def test_the_command_works_as_written(self):
        self.write("users.csv", SMALL.replace(",", ";"))
        outcome = self.assay("clean", "users.csv", "--rules", "rules.json", "--delimiter", "|", status=2)
        self.shell(self.command_in(outcome.err, "assay", "--delimiter"), status=0)
        self.assertEqual(self.read("users.rejects.csv").decode(), "a;b\n2;nö\n")

    def test_a_single_column_is_fine(self):
        self.write("users.csv", "email\nx@example.org\n")
        self.assay("check", "users.csv", status=0)


class HeaderTests(MistakeTest):
    def test_empty_file(self):
        for content in (b"", b"\xef\xbb\xbf"):
            with self.subTest(content):
                self.write("users.csv", content)
                outcome = self.assay("clean", "users.csv", "--rules", "rules.json", status=2)
                self.assertIn("empty", outcome.err)
                self.assert_no_files_left("rules.json", "users.csv")

    def test_empty_file_without_header(self):
        self.write("users.csv", b"")
        self.assay("check", "users.csv", "--no-header", status=0)

    def test_empty_file_without_header_has_no_wrong_number_of_fields(self):
        for content in (b"", b"\xef\xbb\xbf"):
            for match in ("subset", "exact", "equal", "superset", "partial"):
                with self.subTest(content=content, match=match):
                    self.write("users.csv", content)
                    rules = self.rules("a", {"name": "b", "constraints": {"required": True}}, fieldsMatch=match)
                    self.assay("clean", "users.csv", "--no-header", "--rules", rules, "--force", status=0)
                    self.assertEqual(self.read("users.clean.csv"), content)
                    self.assertEqual(self.report("users.report.json")["inputs"][0]["records"], 0)

    def test_missing_column(self):
        self.write("users.csv", "id,e-mail,Full Name\n1,x,y\n")
        rules = self.rules("email", "id", "fullname", "quite_different")
        outcome = self.assay("clean", "users.csv", "--rules", rules, status=2)
        for word in ("email", "did you mean", "e-mail", "quite_different", "id, e-mail, Full Name"):
            self.assertIn(word, outcome.err)
        self.assert_no_files_left("rules.json", "users.csv")

    def test_missing_column_that_is_required(self):
        """The error also appears if not every field needs a column."""
        self.write("t.csv", "b\n1\n")
        field = {"name": "id", "constraints": {"required": True}}
        for match in ("superset", "partial"):
            with self.subTest(match):
                error = self.assay("check", "t.csv", "-r", self.rules(field, "b", fieldsMatch=match), status=2).err
                self.assertEqual(error, (
                    "assay: error: t.csv: no column is named 'id', and it is required\n  hint: the header has: b\n"
                    "        to do without it, leave out its required: true\n"))
                self.assay("check", "t.csv", "-r", self.rules("id", "b", fieldsMatch=match), status=0)
                self.write("t.jsonl", '{"b":"1"}\n')
        self.assay("check", "t.jsonl", "-r", self.rules(field, "b"), status=2)

    def test_missing_column_in_another_normal_form(self):
        self.write("t.csv", "e\u0301\n1\n")
        error = self.assay("check", "t.csv", "-r", self.rules("\u00e9"), status=2).err
        self.assertIn(
            "no column is named '\u00e9'   the header has it in another normal form of Unicode (NFC or NFD)\n", error)

    def test_a_file_that_may_have_no_header(self):
        self.write("users.csv", "1,anna@b.org\n2,bo@b.org\n")
        hint = "if the file has no header line, say so with --no-header"
        for match, listing in [
            ("subset", "the header has: 1, anna@b.org"),
            ("exact", "the header has: 1, anna@b.org\n        the rules have: id, email"),
            ("equal", "the header has: 1, anna@b.org\n        to allow other columns, use fieldsMatch: subset"),
            ("partial", "the header has: 1, anna@b.org\n        the rules have: id, email"),
        ]:
            with self.subTest(match):
                rules = self.rules("id", "email", name="r.json", fieldsMatch=match)
                error = self.assay("check", "users.csv", "-r", rules, status=2).err
                self.assertTrue(error.endswith(f"\n  hint: {listing}\n        {hint}\n"), error)
        self.assay("check", "users.csv", "-r", rules, "--no-header", status=0)
        for header in ("id,anna@b.org\n", "1,emial\n"):
            with self.subTest(header):
                self.write("users.csv", header)
                self.assertNotIn(hint, self.assay("check", "users.csv", "-r", self.rules("id", "email"), status=2).err)

    def test_names_compare_exactly(self):
        for header in ("A,b", "a ,b", " a,b", "а,b"):
            with self.subTest(header):
                self.write("users.csv", f"{header}\n1,ök\n")
                self.assay("check", "users.csv", "--rules", "rules.json", status=2)
        self.write("users.csv", '\ufeff"a","b"\n1,ök\n')
        self.assay("check", "users.csv", "--rules", "rules.json", status=0)

    def test_duplicate_names(self):
        self.write("users.csv", "a,b,a,c,c\n1,ök,3,4,5\n")
        outcome = self.assay("check", "users.csv", "--rules", "rules.json", status=2)
        self.assertIn("'a'", outcome.err)
        self.assertIn("1, 3", outcome.err)
        self.assay("check", "users.csv", "--rules", self.rules("b"), status=0)
        self.assay("check", "users.csv", status=0)

    def test_invalid_headers(self):
        for header in (b'a,"b\n', b'a,"b"x\n1,2\n', b"a,\xe9\n1,2\n"):
            with self.subTest(header):
                self.write("users.csv", header)
                self.assay("check", "users.csv", status=2)


class UsageTests(MistakeTest):
    @slow
    def test_wrong_usage_ends_with_2(self):
        self.write("users.csv", SMALL)
        for arguments in (
            ["nonsense"], ["clean"], ["check"], ["init"], ["rules", "nonsense"], ["rules", "check"], ["explain"],
            ["clean", "users.csv"], ["clean", "users.csv", "--rules"], ["check", "users.csv", "--nonsense"],
            ["check", "users.csv", "--threads", "0"], ["check", "users.csv", "--threads", "x"],
            ["check", "users.csv", "--threads", "-1"], ["check", "users.csv", "--head", "-1"],
            ["check", "users.csv", "--max-findings", "-1"], ["check", "users.csv", "--progress", "sometimes"],
            ["check", "users.csv", "--delimiter", ""], ["check", "users.csv", "--delimiter", "abc"],
            ["check", "users.csv", "--delimiter", "é"], ["check", "users.csv", "--delimiter", "\n"],
            ["check", "users.csv", "--delimiter", '"'], ["check", "users.csv", "--quote", ","],
            ["check", "users.csv", "--delimiter", ';"'], ["check", "users.csv", "--delimiter", ";é"],
            ["check", "users.csv", "--escape", "xy"], ["check", "users.csv", "--escape", '"'],
            ["check", "users.csv", "--escape", ""], ["check", "users.csv", "--comment", "//"],
            ["check", "users.csv", "--comment", "é"],
            ["check", "users.csv", "--comment", '"'], ["check", "users.csv", "--comment", ","],
            ["check", "users.csv", "--comment", "#", "--escape", "#"], ["check", "users.csv", "--skip", "-1"],
            ["check", "users.csv", "--skip", "x"], ["check", "users.csv", "--skip", "100001"],
            ["check", "users.csv", "--skip", "3"], ["check", "users.csv", "--extra-fields", "drop"],
            ["check", "users.csv", "--compression", "gzip"],
            ["clean", "users.csv", "-r", "rules.json", "--compress", "auto"],
            ["check", "users.csv", "--quote", "xy"], ["check", "users.csv", "--limit", "columns"],
            ["check", "users.csv", "--limit", "columns=x"], ["check", "users.csv", "--limit", "colums=1"],
            ["check", "users.csv", "--limit", "columns=0"],
            ["check", "users.csv", "--limit", "columns=99999999999999999999"],
            ["check", "users.csv", "--limit", "field-bytes=8M"], ["check", "users.csv", "--limit", "record-bytes=200"],
            ["init", "users.csv", "--limit", "columns=1"],
            ["rules", "check", "rules.json", "--limit", "rule-file-bytes=9"],
            ["check", "users.csv", "--clean", "x"],
            ["check", ""], ["explain", "("],
        ):
            with self.subTest(arguments):
                outcome = self.assay(*arguments)
                self.assertEqual(outcome.status, 2, outcome.err)
                self.assertNotEqual(outcome.error_bytes, b"")
                self.assertEqual(outcome.out, b"")
                self.assert_no_files_left("rules.json", "users.csv")

    @slow
    def test_an_option_that_is_given_twice(self):
        """The intended value is ambiguous. Flags and lists may be repeated."""
        self.write("users.csv", SMALL)
        values = {"--rules": "rules.json", "--delimiter": ",", "--quote": "none", "--progress": "never",
                  "--output-dir": ".", "--escape": "!", "--comment": "#", "--extra-fields": "keep",
                  "--compression": "none", "--compress": "none", "--blank-lines": "keep", "--line-terminator": "lf",
                  "--encoding": "utf-8", "--output-encoding": "same", "--format": "csv", "--temp-dir": "."}
        for command in ("clean", "check", "init", "bench", "explain", "types", "profile", "infer", "diff"):
            text = self.assay(command, "--help", status=0).text
            needed = ["--rules", "rules.json"] if command in ("clean", "bench") else []
            needed += ["rules.json", "rules.json"] if command == "diff" else []
            for option in set(re.findall(r"(--[\w-]+) <", text)) - {"--limit", "--try", "--resource", "--report"}:
                with self.subTest(command=command, option=option):
                    given = [option, values.get(option, "1")]
                    rest = [] if option == "--rules" else needed
                    ways = [*given, *given], ["=".join(given), *given], [*given, "-q", "=".join(given)]
                    for twice in volume(ways[1:2], ways):
                        if "-q" in twice and command not in ("clean", "check", "profile", "infer", "diff"):
                            continue
                        error = self.assay(command, "users.csv", *twice, *rest, status=2).err
                        self.assertTrue(error.startswith(f"assay: error: {option} is given twice\n"), error)
        self.write("one.yaml", "fields: []")
        for form in (["-r", "one.yaml"], ["-qr", "one.yaml"], ["-r=one.yaml"], ["--rules=one.yaml"]):
            with self.subTest(form):
                self.assertEqual(
                    self.assay("check", "users.csv", "-r", "one.yaml", *form, status=2).err,
                    "assay: error: --rules is given twice\n  hint: one rule file holds the rules of all columns\n")
        self.assay("check", "users.csv", "-q", "-q", "--limit", "columns=8", "--limit", "columns=9", status=0)
        self.write("-r", SMALL)
        self.assay("check", "-q", "-r", "one.yaml", "--", "users.csv", "-r", status=0)
        self.assay("types", "word", "--try", "--rules", "--try", "--rules")

    def test_wrong_usage_names_the_help_of_the_command(self):
        self.write("users.csv", SMALL)
        for arguments in (
            ["clean", "users.csv"], ["clean", "users.csv", "users.csv", "-r", "rules.json", "--clean", "x"],
            ["check", "users.csv", "b.csv", "--findings", "x"], ["check", "users.csv", "--delimiter", "abc"],
            ["check", "users.csv", "--threads", "0"], ["init", "users.csv", "--quote", "ab"],
            ["bench", "users.csv", "-r", "rules.json", "--quote", "ab"],
            ["bench", "users.csv", "-r", "rules.json", "--rounds", "0"],
            ["types", "--try", "x"], ["explain"], ["explain", "--rules", "r.yaml", "id", "value"],
            ["explain", "--rules", "r.yaml", "--search"], ["explain", "x", "--trust-rules"],
            ["explain", "--rules", "r.yaml", "--no-jit"],
        ):
            with self.subTest(arguments):
                lines = self.assay(*arguments, status=2).err.splitlines()
                self.assertTrue(lines[-2].startswith(f"Usage: assay {arguments[0]} "), lines)
                self.assertEqual(lines[-1], f"  See 'assay {arguments[0]} --help' for more information.")

    def test_no_output_for_several_inputs(self):
        """'none' is not a file name."""
        self.write("one.csv", SMALL)
        self.write("two.csv", SMALL)
        self.assay("clean", "one.csv", "two.csv", "-r", "rules.json", "--rejects", "none", "--report=none", status=0)
        self.assert_no_files_left(
            "one.clean.csv", "one.csv", "one.findings.jsonl", "rules.json", "two.clean.csv", "two.csv",
            "two.findings.jsonl")
        self.assay("check", "one.csv", "two.csv", "--findings", "none", "--report", "none", status=0)

    def test_a_value_that_begins_with_a_hyphen(self):
        for arguments in (["explain", r"\d+", "-17"], ["explain", r"\d+", "-i", "x", "-17"],
                          ["check", "users.csv", "-17"]):
            with self.subTest(arguments):
                lines = self.assay(*arguments, status=2).err.splitlines()
                self.assertEqual(lines[:2], [
                    "assay: error: Unknown option '-17'",
                    "  hint: put -- before arguments that begin with a hyphen: … -- -17"])
        hint = "  hint: put -- before arguments that begin with a hyphen: … -- -users.csv"
        for arguments in (["-users.csv"], ["--rules=r.yaml", "-users.csv"], ["-r=r.yaml"]):
            with self.subTest(arguments):
                lines = self.assay("clean", *arguments, status=2).err.splitlines()
                self.assertEqual(lines[1] == hint, "-users.csv" in arguments)
        self.assertIn("pass      '-17'", self.assay("explain", "--", r"-?\d+", "-17", status=0).text)
        self.assertNotIn("hint", self.assay("explain", "x", "--nonsense", status=2).err)

    def test_an_unknown_limit_is_guessed(self):
        self.write("users.csv", SMALL)
        outcome = self.assay("check", "users.csv", "--limit", "field-byte=1", status=2)
        self.assertIn("field-bytes", outcome.err)

    def test_clean_without_rules_suggests_a_first_step(self):
        self.write("users.csv", SMALL)
        self.assertIn("assay init users.csv", self.assay("clean", "users.csv", status=2).err)


class TerminalTests(MistakeTest):
    """Names and cells are untrusted, and a terminal obeys the control characters in its input."""

    EVIL = "\x1b]0;pwned\x07\x1b[2J\x9b31m\u202e\r\x7f\x00\b"
    NAME = EVIL.replace("\x00", "")

    def test_file_names(self):
        rules = "rules.json"
        name = f"{self.NAME}.csv"
        self.write(name, SMALL)
        for arguments in (
            ["clean", name, "--rules", rules], ["clean", name, "--rules", rules], ["clean", name], ["check", name],
            ["check", f"no {self.NAME}"], ["check", name, "--rules", f"no {self.NAME}"],
            ["clean", name, "--rules", rules, "--output-dir", f"no {self.NAME}"], ["init", f"no {self.NAME}"],
            ["rules", "check", name], ["check", name, "--progress", "always"],
        ):
            with self.subTest(arguments):
                outcome = self.assay(*arguments)
                text = outcome.error_bytes.replace(b"\r\x1b[K", b"")
                self.assert_safe(text)
                self.assert_safe(outcome.out)

    def test_file_names_in_commands_to_try(self):
        name = f"{self.NAME}.bz2"
        self.write(name, bz2.compress(b"a,b\n"))
        self.assert_safe(self.assay("check", name, status=2).error_bytes)
        self.write(name, "ü,b\n".encode("latin-1"))
        self.assert_safe(self.assay("check", name, status=2).error_bytes)
        self.write(name, "a,b;c\n")
        self.assert_safe(self.assay("check", name, status=2).error_bytes)
        self.write(name, "Export\na,b\n")
        self.assert_safe(self.assay("check", name, "-r", "rules.json", status=2).error_bytes)
        self.write(name, gzip.compress(b"a,b\n")[:-3])
        self.assert_safe(self.assay("check", name, status=3).error_bytes)

    def test_header_names(self):
        for header in (f"{self.EVIL},b", f"{self.EVIL};b", f'a,a,"{self.EVIL}\n"', f"{self.EVIL},{self.EVIL}"):
            with self.subTest(header):
                self.write("users.csv", f"{header}\n1,2\n1\n")
                for rules in (["--rules", "rules.json"], [], ["--rules", self.rules(self.EVIL, name="evil.json")]):
                    self.assert_safe(self.assay("check", "users.csv", *rules).error_bytes)

    def test_cells(self):
        self.write("users.csv", f'a,b\n"{self.EVIL}","{self.EVIL}\n"\n1,{self.EVIL},3\n')
        outcome = self.assay("check", "users.csv", "--rules", "rules.json", "--show-values",
                             "--findings", "f.jsonl", status=1)
        self.assert_safe(outcome.error_bytes)
        self.assertEqual(self.findings("f.jsonl")[0]["value"], f"{self.EVIL}\n")

    def test_rules(self):
        """Messages and ids of rules appear on the terminal as well, and a rule file may be untrusted."""
        self.write("users.csv", SMALL)
        rules = self.rules({"name": "b", "rules": [{"id": self.EVIL, "pattern": "x", "message": self.EVIL}]})
        self.assert_safe(self.assay("check", "users.csv", "--rules", rules, status=1).error_bytes)
        for text in (f"fields: {self.EVIL}", f"fields:\n- name: b\n  {self.EVIL}: 1",
                     f"fields:\n- name: b\n  type: '{self.EVIL}'",
                     "fields:\n- name: b\n  type: \"\\e[31m\"",
                     "fields:\n- name: b\n  rules: [{pattern: \"(\\e[31m\"}]"):
            with self.subTest(text):
                self.write("evil.yaml", text)
                outcome = self.assay("rules", "check", "evil.yaml", status=2)
                self.assert_safe(outcome.error_bytes)

    def test_options(self):
        self.write("users.csv", SMALL)
        for arguments in (["check", "users.csv", "--threads", self.NAME], ["check", "users.csv", f"--{self.NAME}"],
                          ["check", "users.csv", "--delimiter", self.NAME],
                          ["check", "users.csv", "--quote", self.NAME],
                          ["check", "users.csv", "--limit", self.NAME],
                          ["check", "users.csv", "--limit", f"columns={self.NAME}"],
                          ["check", "users.csv", "--max-reject-rate", self.NAME], ["explain", f"({self.NAME}"],
                          ["check", "users.csv", "--progress", self.NAME], [self.NAME]):
            with self.subTest(arguments):
                outcome = self.assay(*arguments, status=2)
                self.assert_safe(outcome.error_bytes)

    def test_explain(self):
        outcome = self.assay("explain", f"{self.NAME}", self.NAME, "x")
        self.assert_safe(outcome.out)
        self.assert_safe(outcome.error_bytes)


if __name__ == "__main__":
    unittest.main()
