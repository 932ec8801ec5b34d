"""Several files as one table: --as-one."""

import gzip
import os
import random
import unittest

from support import CommandTest, slow, volume


class AsOneTests(CommandTest):
    def clean(self, *arguments, rules=None, status=0):
        rules = rules or self.rules({"name": "id", "type": "integer"}, "name")
        return self.assay("clean", *arguments, "-r", rules, "--as-one", "--force", "-q", status=status)

    def test_one_set_of_outputs(self):
        self.write("part-01.csv", "id,name\n1,a\nx,b")
        self.write("part-02.csv.gz", gzip.compress("id,name\n3,ä\ny,d\n".encode("utf-16")))
        self.clean("part-01.csv", "part-02.csv.gz", "--annotate")
        self.assertEqual(self.read("part.clean.csv").decode(), "id,name\n1,a\n3,ä\n")
        self.assertEqual(
            self.read("part.rejects.csv").decode(), "id,name,_line,_reasons\nx,b,3,id.type\ny,d,3,id.type\n")
        found = [(each["record"], each["line"], each["offset"], each["input"])
                 for each in self.findings("part.findings.jsonl")]
        self.assertEqual(found, [(2, 3, 12, "part-01.csv"), (4, 3, 13, "part-02.csv.gz")])
        inputs = self.report("part.report.json")["inputs"]
        self.assertEqual(
            [(each["path"], each["compression"], each["encoding"]["name"], each["records"], each["rejected"])
             for each in inputs],
            [("part-01.csv", None, "UTF-8", 2, 1), ("part-02.csv.gz", "gzip", "UTF-16LE", 2, 1)])

    def test_a_file_is_a_part_of_a_table_once(self):
        self.write("a1.csv", "id,name\n1,a\n")
        self.write("copy.csv", "id,name\n1,a\n")
        os.symlink("a1.csv", self.path("a2.csv"))
        for names, error in [
            (["a1.csv", "a1.csv"], "the input a1.csv is named twice"),
            (["copy.csv", "a1.csv", "a2.csv"], "a1.csv and a2.csv are the same file"),
        ]:
            for command in "clean", "check", "profile":
                rules = [] if command == "profile" else ["-r", self.rules("id", "name")]
                self.assertEqual(
                    self.assay(command, *names, "--as-one", *rules, status=2).err,
                    f"assay: error: {error}\n  hint: name it once\n")
        self.clean("a1.csv", "copy.csv")

    def test_reading_settings_are_reported(self):
        self.write("a1.csv", "id,name\n1,café\n".encode("latin-1"))
        self.write("a2.csv", "id,name\n2,café\n")
        self.write("a3.csv", gzip.compress("id,name\n3,x\n".encode("utf-16")))
        rules = self.rules({"name": "id", "type": "integer"}, "name")
        guess, packed = "  read as   windows-1252, guessed from 1 different word", "  read as   gzip; UTF-16LE"
        for names in (["a2.csv", "a1.csv", "a3.csv"], ["a1.csv", "a2.csv", "a3.csv"]):
            text = self.assay(
                "check", *names, "-r", rules, "--as-one", "--encoding", "auto", "--report", "r.md",
                "--report", "r.html", "--force", status=0).err
            self.assertIn(f"{guess}: a1.csv\n{packed}: a3.csv\n", text)
            self.assertEqual(text.count("read as"), 2)
            for report in ("r.md", "r.html"):
                page = self.read(report).decode()
                self.assertTrue("windows-1252 (a guess)" in page and "gzip, UTF-16LE" in page, page[:2000])
        text = self.assay("check", "a1.csv", "-r", rules, "--encoding", "auto", status=0).err
        self.assertIn(f"{guess}\n", text)

    def test_many_large_files_for_any_number_of_threads(self):
        """The number and order of the records must stay the same, for sizes at which pieces of different files could be
        confused."""
        chance = random.Random(5)
        names, expected = [], ["id,name\n"]
        for number in range(volume(6, 24)):
            lines, size = [], 0
            while size < 265_000 + number * 9_000:
                lines.append(f"{number},{'x' * chance.randrange(30)}{len(lines)}\n")
                size += len(lines[-1])
            expected += lines
            self.write(f"p{number:02}.csv", "id,name\n" + "".join(lines))
            names.append(f"p{number:02}.csv")
        full = "".join(expected).encode()
        for threads in volume((1, 4), (1, 2, 4, 7, 4, 7)):
            self.clean(*names, "--threads", threads)
            self.assertTrue(self.read("p.clean.csv") == full, f"{threads} threads")

    def test_headers_without_a_line_end(self):
        for first, second, clean in [
            ("id,name", "id,name\n1,a\n", "id,name\n1,a\n"), ("id,name", "id,name\r1,a\r2,b\r", "id,name\r1,a\r2,b\r"),
            ("id,name\r", "id,name\n1,a\rb\n", "id,name\r1,a\rb\n"), ("id,name\n", "id,name", "id,name\n"),
        ]:
            with self.subTest(first=first, second=second):
                self.write("a1.csv", first)
                self.write("a2.csv", second)
                self.clean("a1.csv", "a2.csv")
                self.assertEqual(self.read("a.clean.csv").decode(), clean)

    def test_the_terminator_between_files_is_that_of_the_table(self):
        """With a bare CR between lines that end in LF, another reader would join two records."""
        rules = self.rules("id", "name")
        for first, between in (("id,name\n2,y", "\n"), ("id,name\r\n2,y", "\n"), ("id,name\r2,y", "\r")):
            end = first[len("id,name"):-len("2,y")]
            with self.subTest(first):
                self.write("a.csv", first)
                self.write("b.csv", f"id,name{end}1,x{end}")
                self.assay("clean", "a.csv", "b.csv", "--as-one", "--line-terminator", "cr", "-r", rules, "-q",
                           "--force", status=0)
                self.assertEqual(self.read("all.clean.csv").decode(), f"{first}{between}1,x{end}")

    def test_files_without_records_have_no_effect(self):
        self.write("b1.csv", "")
        self.write("b2.csv", "1;a\n2\n3;b\n4;c\n")
        for names in (["b1.csv", "b2.csv"], ["b2.csv", "b1.csv"]):
            self.clean(*names, "--no-header")
            self.assertEqual(self.read("b.clean.csv").decode(), "1;a\n3;b\n4;c\n")
            self.assertEqual(self.read("b.rejects.csv").decode(), "2\n")

    def test_an_escape_at_the_end(self):
        self.write("c1.csv", "id,name\n2,b\\\n")
        self.write("c2.csv", "id,name\n3,c\n")
        self.clean("c1.csv", "c2.csv", "--escape", "\\")
        self.assertEqual(self.read("c.clean.csv").decode(), "id,name\n2,b\\\n\n3,c\n")
        self.write("c1.csv", "id,name\n2,b\\")
        error = self.clean("c1.csv", "c2.csv", "--escape", "\\", status=3).err
        self.assertEqual(
            error, "assay: error: cannot read c1.csv: it ends in an escape, so that no other file can follow it in "
                   "one table\n")

    def test_rejects_of_a_file_that_was_not_decoded_stay(self):
        self.write("d1.csv", "id,name\nx,ä\n".encode("utf-16"))
        self.write("d2.csv", b"id,name\n2,\xed\xa0\x80z\n")
        self.clean("d1.csv", "d2.csv")
        self.assertEqual(self.read("d.rejects.csv"), "id,name\nx,ä\n".encode() + b"2,\xed\xa0\x80z\n")

    def test_inputs_that_are_not_one_table(self):
        self.write("e1.csv", "id,name\n1,a\n")
        for content, difference, advice in [
            ("id;name\n1;a\n", "the delimiters are ',' and ';'",
             "\n        name the delimiter: --delimiter, or delimiter in the dialect of the rules"),
            ("id,nam\n", "column 2 is 'name' in one and 'nam' in the other", ""),
            ("id,name,x\n", "their headers have 2 and 3 columns", ""),
            ('{"id":1}\n', "one is CSV, the other JSON Lines",
             "\n        to read it as a table all the same, name the format: --format csv or --format jsonl"),
        ]:
            with self.subTest(content):
                self.write("e2.csv", content)
                before = self.files()
                self.assertEqual(
                    self.assay("check", "e1.csv", "e2.csv", "--as-one", status=2).err,
                    f"assay: error: e1.csv and e2.csv are not one table: {difference}\n"
                    f"  hint: without --as-one each file has outputs of its own{advice}\n")
                self.assertEqual(self.files(), before)

    def test_head_and_json_lines(self):
        self.write("f1.jsonl", '{"id":1}\n{"id":"x"}')
        self.write("f2.jsonl", '{"id":2}\n{"id":3}\n')
        rules = self.rules({"name": "id", "type": "integer"}, name="json.json")
        self.clean("f1.jsonl", "f2.jsonl", "--head", 3, rules=rules)
        self.assertEqual(self.read("f.clean.jsonl").decode(), '{"id":1}\n{"id":2}\n')
        self.assertEqual(self.read("f.rejects.jsonl").decode(), '{"id":"x"}\n')

    def test_no_file_follows_a_damaged_one(self):
        packed = bytearray(gzip.compress(b"id,name\n" + b"1,a\n" * 100_000))
        packed[-5] ^= 1
        self.write("g1.csv.gz", bytes(packed))
        self.write("g2.csv", b"id,name\n" + b"2,b\n" * 100_000)
        rules = self.rules("id", "name", name="g.json")
        for _ in range(10):
            outcome = self.assay(
                "clean", "g1.csv.gz", "g2.csv", "-r", rules, "--as-one", "-q", "--clean", "-", "--rejects", "none",
                "--findings", "none", "--report", "none", "--compress", "none", "--threads", 7, status=3)
            self.assertNotIn(b"2,b", outcome.out)


class HeadTests(CommandTest):
    """The first bytes of inputs that once took too much time or memory."""

    def test_many_comments_above_a_header(self):
        self.write("t.csv", "#\n" * 200_000 + "a,b\n1,2\n")
        self.assay("check", "t.csv", "--comment", "#", status=0)

    def test_comments_are_no_records_for_head(self):
        self.write("t.csv", "#c1\n#c2\nid;name\n1;a\n2;b\n")
        self.assay("check", "t.csv", "--comment", "#", "--head", 1, "-r", self.rules("id", "name"), status=0)

    @slow
    def test_a_line_above_the_table_that_never_ends(self):
        self.write("t.csv", b"x" * (12 << 20))
        error = self.assay("check", "t.csv", "--skip", 1, status=2).err
        self.assertIn("is empty behind the lines that are skipped", error)
        self.write("t.csv", b"x" * (20 << 20))
        error = self.assay("check", "t.csv", "--skip", 1, status=2).err
        self.assertIn("a line above the table is longer than 4194304 bytes", error)

    def test_a_character_at_the_end_of_the_sample(self):
        text = "a,b\n" + "1,2\n" * (((1 << 20) - 5) // 4) + "é\n2,日本é\n"
        for shift in range(5):
            with self.subTest(shift):
                self.write("t.csv", "x" * shift + text)
                self.assay("check", "t.csv", "--encoding", "auto", "--report", "r.json", "--force", "-q")
                self.assertEqual(self.report("r.json")["inputs"][0]["encoding"]["name"], "UTF-8")


if __name__ == "__main__":
    unittest.main()
