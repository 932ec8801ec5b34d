"""Compares the values that the command reads with public test cases, Python's csv module, and the reference.

The values are reported by `check --findings … --show-values`, with a rule that fails for every cell.
"""

import csv
import io
import json
import random
import unittest

import reference
from support import BOM, SUITES, CommandTest, volume, slow


class SpectrumTests(CommandTest):
    """csv-spectrum: twelve files and their expected content as JSON."""

    # The number in the JSON differs from that in the CSV.
    UPSTREAM_SLIPS = {("location_coordinates", "Contact Phone Number")}

    @slow
    def test_all_files(self):
        folder = SUITES / "csv-spectrum"
        if not folder.is_dir():
            self.skipTest(f"there is no suite at {folder}")
        files = sorted((folder / "csvs").glob("*.csv"))
        self.assertEqual(len(files), 12)
        for file in files:
            with self.subTest(file.name):
                content = file.read_bytes()
                meant = json.loads((folder / "json" / f"{file.stem}.json").read_text())
                meant = [meant] if isinstance(meant, dict) else meant
                names = list(meant[0])
                read = [dict(zip(names, record)) for record in self.cells(content, columns=names)]
                for name in names:
                    if (file.stem, name) not in self.UPSTREAM_SLIPS:
                        self.assertEqual([record[name] for record in read], [record[name] for record in meant])
                # Without a header, the first record contains the names.
                read = self.cells(content, "--no-header", columns=names)
                self.assertEqual(read[0], names)

    def test_they_are_clean(self):
        folder = SUITES / "csv-spectrum" / "csvs"
        if not folder.is_dir():
            self.skipTest(f"there is no suite at {folder}")
        for file in sorted(folder.glob("*.csv")):
            with self.subTest(file.name):
                self.assay("check", file, status=0)


class NaughtyTests(CommandTest):
    """Byte sequences and strings that cause failures in programs."""

    def test_utf8(self):
        cases = SUITES / "utf8-flenniken" / "cases.jsonl"
        if not cases.is_file():
            self.skipTest(f"there is no suite at {cases}")
        cases = [json.loads(line) for line in cases.read_text().splitlines()]
        rows = [(case["id"], bytes.fromhex(case["hex"]), case["valid"]) for case in cases]
        rows = [row for row in rows if not set(row[1]) & set(b'\n\r",')]
        self.write("x.csv", b"a,b\n" + b"".join(b"x,%s\n" % data for _, data, _ in rows))
        self.assay("check", "x.csv", "--findings", "f.jsonl", "--quiet", status=1)
        bad = {finding["record"] - 1 for finding in self.findings("f.jsonl") if finding["code"] == "encoding"}
        self.assertEqual([rows[index][0] for index in sorted(bad)], [name for name, _, valid in rows if not valid])

    def test_naughty_strings(self):
        strings = SUITES / "blns" / "raw" / "blns.json"
        if not strings.is_file():
            self.skipTest(f"there is no suite at {strings}")
        texts = [text for text in json.loads(strings.read_text())]
        output = io.StringIO()
        csv.writer(output, lineterminator="\n",
                   quoting=csv.QUOTE_ALL).writerows([["a", "b"]] + [[text, "x"] for text in texts])
        content = output.getvalue().encode()
        read = self.cells(content, columns=["a", "b"])
        self.assertEqual([record[0] for record in read], texts)


class DifferentialTests(CommandTest):
    """Generated tables, read by the command and by Python's csv module."""

    ALPHABET = ["a", "b", " ", '"', '""', ",", "\n", "\r\n", ";", "'", "\\", "é", "日", "😀", "\t", "0", "=",
                "\x00", "\x7f"]

    def table(self, rng, columns, rows):
        return [["".join(rng.choice(self.ALPHABET) for _ in range(rng.choice([0, 1, 2, 3, 5, 9])))
                 for _ in range(columns)] for _ in range(rows)]

    def test_values_written_by_python(self):
        """Every quoting style of Python, both kinds of line ends, with and without a final newline."""
        rng = random.Random(4180)
        for seed in range(volume(12, 40)):
            columns = rng.choice([1, 2, 3, 7])
            names = [f"c{number}" for number in range(columns)]
            rows = self.table(rng, columns, rng.choice([1, 10, 100]))
            quoting = rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
            terminator = rng.choice(["\n", "\r\n"])
            delimiter = rng.choice([",", ";", "\t", "|"])
            output = io.StringIO()
            csv.writer(output, quoting=quoting, lineterminator=terminator,
                       delimiter=delimiter).writerows([names] + rows)
            content = output.getvalue().encode()
            if rng.random() < 0.3:
                content = BOM + content
            if rng.random() < 0.3:
                content = content.removesuffix(terminator.encode())
            with self.subTest(seed=seed):
                read = self.cells(content, "--delimiter", "tab" if delimiter == "\t" else delimiter, columns=names)
                self.assertEqual(read, rows)

    def test_usual_spellings(self):
        """Handwritten tables with quotes inside cells, unnecessary quotes and missing ones. If both readers accept a
        table, they must agree."""
        rng = random.Random(1)
        cells = ["", "x", '"x"', '""', '"a,b"', '"a\nb"', '"a""b"', '"a""b""c"', '""""', 'a"b', 'a""b', "a'b",
                 " x ", ' "x"', "日", '"😀\r\n"', "\\", '\\"', "a\\,"]
        cells = [cell for cell in cells if "," not in cell or cell.startswith('"')]
        for seed in range(volume(8, 20)):
            columns = rng.choice([2, 3, 5])
            lines = [",".join(rng.choice(cells) for _ in range(columns)) for _ in range(200)]
            names = [f"c{number}" for number in range(columns)]
            terminators = rng.choice([["\n"], ["\r\n"], ["\n", "\r\n"]])
            text = "".join(line + rng.choice(terminators) for line in [",".join(names)] + lines)
            with self.subTest(seed=seed):
                expected = list(csv.reader(io.StringIO(text, newline=""), strict=True))[1:]
                self.assertEqual(self.cells(text.encode(), columns=names), expected)


class ReferenceTests(CommandTest):
    """Random bytes, read by the command and by reference.py: places, texts, problems and outputs."""

    PIECES = [b"a", b"b", b",", b",", b'"', b'"', b'""', b"\n", b"\n", b"\r\n", b"\r", "é".encode(), b"\xff",
              b"\xc3", b"\x00", b"x,y\n", b'"q",', b',"', b'"\n', b"1,2,3\n", b"1,2,3\n", b"\xef\xbb\xbf", b"\x1a"]

    def assert_agrees(self, content, *flags, table=None, delimiter=b",", quote=b'"', **limits):
        table = table or reference.read(content, delimiter, quote, **limits)
        self.write("r.csv", content)
        fields = [{"name": name, "missingValues": [], "rules": [{"id": name, "pattern": ".*y.*"}]}
                  for name in table.header]
        rules = self.rules(*fields)
        self.assay("clean", "r.csv", "--rules", rules, "--show-values", "--quiet", "--force", *flags, status=0)
        expected, rejected = [], []
        for record in table.records:
            if record.problems:
                expected.append((record.number, record.line, record.start, None, record.problems, None))
                rejected.append(record)
                continue
            bad = [(number, cell) for number, cell in enumerate(record.cells)
                   if b"y" not in cell.text or b"\n" in cell.text]
            for number, cell in bad:
                expected.append((record.number, cell.line, cell.offset, number + 1, {table.header[number]},
                                 cell.text.decode()))
            if bad:
                rejected.append(record)
        found = self.findings("r.findings.jsonl")
        for finding, (number, line, offset, position, rules, text) in zip(found, expected):
            self.assertEqual(
                (finding["record"], finding["line"], finding["offset"], finding["position"]),
                (number, line, offset, position), (content, finding))
            self.assertIn(finding["rule"], rules, content)
            if text is not None:
                self.assertEqual(finding["value"], text, content)
        self.assertEqual(len(found), len(expected), content)
        self.assertEqual(self.read("r.rejects.csv"), table.prefix + table.bytes_of(rejected), content)
        numbers = {record.number for record in rejected}
        clean = [record for record in table.records if record.number not in numbers]
        self.assertEqual(self.read("r.clean.csv"), table.prefix + table.bytes_of(clean) + table.kept, content)

    def random_table(self, rng, size, terminator):
        return b"c1,c2,c3" + terminator + b"".join(rng.choice(self.PIECES) for _ in range(size))

    @slow
    def test_random_bytes(self):
        rng = random.Random(7)
        for _ in range(volume(40, 150)):
            content = self.random_table(rng, rng.choice([0, 1, 3, 10, 40, 200]), rng.choice([b"\n", b"\r\n"]))
            self.assert_agrees(content, "--threads", "1")

    def test_random_bytes_where_bare_cr_ends_records(self):
        rng = random.Random(8)
        for _ in range(volume(15, 40)):
            content = self.random_table(rng, rng.choice([1, 3, 10, 40, 200]), b"\r")
            if not content.startswith(b"c1,c2,c3\r\n"):
                self.assert_agrees(content)

    def test_random_bytes_in_other_dialects(self):
        rng = random.Random(9)
        for _ in range(volume(8, 20)):
            content = self.random_table(rng, 60, b"\n")
            self.assert_agrees(content, "--quote", "none", quote=None)
            content = content.replace(b",", b";").replace(b'"', b"b").replace(b"\x00", b'"')
            self.assert_agrees(content, "--delimiter", ";", "--quote", "b", delimiter=b";", quote=b"b")

    @slow
    def test_random_bytes_under_small_limits(self):
        """Records reach the limits, and are too long or have a quote that never closes."""
        rng = random.Random(10)
        for _ in range(volume(20, 60)):
            content = self.random_table(rng, 80, b"\n")
            self.assert_agrees(content, "--limit", "record-bytes=30", "--limit", "field-bytes=12",
                               record_bytes=30, field_bytes=12)

    @slow
    def test_across_chunks(self):
        """Several chunks of 256 KiB, so that records cross the ends of reads, with any number of threads."""
        rng = random.Random(11)
        parts = [b'"%s",y,"%s"\n' % (b"\ny" * rng.choice([0, 1, 9, 2_000]), b'""y' * rng.choice([0, 1, 300]))
                 for _ in range(volume(200, 900))]
        parts += [b"y,y,y\r\n" * rng.choice([1, 50, 900]) for _ in range(volume(150, 700))]
        parts += [b"y,y\n", b'y,"y"y,y\n', b"\xff,y,y\n", b"y,\xc3\xa9y,y\n", b"\n"] * 20
        rng.shuffle(parts)
        content = b"c1,c2,c3\n" + b"".join(parts)
        self.assertGreater(len(content), volume(550_000, 2_500_000), "two chunks and more")
        table = reference.read(content)
        for threads in (1, 4):
            self.assert_agrees(content, "--threads", str(threads), table=table)


if __name__ == "__main__":
    unittest.main()
