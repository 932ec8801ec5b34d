"""Memory: independent of the file size, and below 100 MB."""

import gzip
import json
import os
import unittest

from support import ROOT, CommandTest, make_ten, slow

MEGABYTES_ALLOWED = 100


@slow
class MemoryTests(CommandTest):
    def rules_of_ten(self):
        return ["--rules", os.path.relpath(ROOT / "Benchmarks/export.rules.yaml", self.directory)]

    def test_30_and_300_megabytes(self):
        peaks = []
        for rows in (125_000, 1_250_000):
            make_ten(self.path("big.csv"), rows)
            peaks.append(self.peak("clean", "big.csv", *self.rules_of_ten(), "--quiet", "--force"))
        self.assertLess(max(peaks), MEGABYTES_ALLOWED)
        self.assertLess(peaks[1], peaks[0] + 25, "more data must not mean more memory")

    def test_packed_and_encoded_input(self):
        make_ten(self.path("big.csv"), 250_000)
        text = self.read("big.csv").decode(errors="replace")
        self.path("big.csv").unlink()
        ways = {
            "gzip": gzip.compress(text.encode(), 1), "UTF-16": text.encode("utf-16"), "GB18030": text.encode("gb18030"),
            "gzip of UTF-16": gzip.compress(text.encode("utf-16"), 1),
        }
        for name, content in ways.items():
            self.write("big.csv", content)
            options = ["--encoding", "GB18030"] if name == "GB18030" else []
            with self.subTest(name):
                peak = self.peak("clean", "big.csv", *self.rules_of_ten(), "--quiet", "--force", *options)
                self.assertLess(peak, MEGABYTES_ALLOWED)

    def test_keys(self):
        """The memory for keys stays within the limit, for any number of records and of equal keys."""
        rows = 400_000
        keys = {
            "all different": (rows, "first"), "all twice": (rows // 2, "first"),
            "all twice, none kept": (rows // 2, "none"), "all the same": (1, "first"),
            "all twice, the last kept": (rows // 2, "last"), "all twice, the greatest kept": (rows // 2, "max"),
            "all different, the greatest kept": (rows, "max"),
        }
        rules = {keep: self.rules("a", "b", "c", primaryKey="a", uniqueKeys=[["b"]], name=f"{keep}.json",
                                  keep={"max": "c"} if keep == "max" else keep)
                 for keep in ("first", "none", "last", "max")}
        self.write("big.csv", "a,b,c\n" + "".join(f"{row},{row},x\n" for row in range(rows)))
        base = self.peak("clean", "big.csv", "-r", self.rules("a"), "-q", "--force")
        for name, (different, keep) in keys.items():
            lines = (f"{row % different},{row * 7 % different},{row}\n" for row in range(rows))
            self.write("big.csv", "a,b,c\n" + "".join(lines))
            for allowed in (1, 8):
                with self.subTest(name, allowed=allowed):
                    options = ["-r", rules[keep], "-q", "--force", "--max-findings", "1000"]
                    peak = self.peak("clean", "big.csv", *options, "--memory", f"{allowed}M")
                    # In addition, the buffers of each partition, and the many records of each chunk.
                    self.assertLess(peak, base + 1.1 * allowed + 30)

    def test_many_packed_inputs(self):
        """Assay keeps only the first bytes of later inputs in memory."""
        rules = self.rules("a")
        names = [f"{number}.csv.gz" for number in range(300)]
        for name in names:
            self.write(name, gzip.compress(b"a\n" + b"12\n" * 200_000, 1))
        self.assertLess(self.peak("check", *names, "--rules", rules, "--quiet"), 3 * MEGABYTES_ALLOWED)

    def test_every_row_is_bad(self):
        make_ten(self.path("big.csv"), 250_000, bad=100)
        for flags in ([], ["--annotate"], ["--show-values"], ["--max-findings", "10"]):
            with self.subTest(flags):
                peak = self.peak("clean", "big.csv", *self.rules_of_ten(), "--quiet", "--force", *flags)
                self.assertLess(peak, MEGABYTES_ALLOWED)

    def test_tiny_records(self):
        self.write("tiny.csv", b"a\n" + b"\n" * 20_000_000)
        self.assertLess(self.peak("clean", "tiny.csv", "--rules", self.rules("a"), "--quiet"), MEGABYTES_ALLOWED)

    def test_tiny_records_that_all_break_many_rules(self):
        self.write("tiny.csv", b"a,b\n" + b"12,5\n" * 2_000_000)
        rules = self.rules(
            {"name": "a", "rules": [{"id": f"r{number}", "pattern": f"x{number}"} for number in range(10)]}, "b")
        for threads in (1, 2, 8):
            with self.subTest(threads):
                peak = self.peak("clean", "tiny.csv", "--rules", rules, "--quiet", "--force", "--threads", threads)
                self.assertLess(peak, MEGABYTES_ALLOWED * (1 if threads <= 2 else 3))

    def test_a_list_of_millions_that_all_break_rules(self):
        """Cells, places and rows take about 35 bytes per element, and findings take no further memory."""
        for element in (b"1", b'"a"'):
            self.write("list.jsonl", b'{"tags":[' + b",".join([element] * (4_000_000 // (len(element) + 1))) + b"]}\n")
            rules = [{"id": f"r{number}", "pattern": f"[{number + 2}-9]"} for number in range(5)]
            for count in (1, 5):
                field = {"name": "tags[]", "type": "integer" if element == b"1" else "string", "rules": rules[:count]}
                peak = self.peak("check", "list.jsonl", "-r", self.rules(field), "-q", "--threads", 1,
                                 "--max-findings", 1, status=1)
                with self.subTest(element, count=count):
                    self.assertLess(peak, 1.5 * MEGABYTES_ALLOWED)

    def test_rules_between_many_columns(self):
        """A rule stores only the columns that it names."""
        rows = [{"check": f"c{number} > 0 || c{number + 1} > 0"} for number in range(2_000)]
        rules = self.write("rows.json",
                           json.dumps({"fields": [{"name": f"c{number}"} | {"type": "integer"}
                                                  for number in range(14_000)],
                                                    "rows": rows}))
        self.write("wide.csv", ",".join(f"c{number}" for number in range(14_000)) + "\n")
        peak = self.peak("check", "wide.csv", "-r", rules, "-q", "--threads", 1)
        self.assertLess(peak, 2 * MEGABYTES_ALLOWED)

    def test_many_columns(self):
        columns = 5_000
        row = b",".join([b"x"] * columns) + b"\n"
        self.write("wide.csv", b",".join(b"c%d" % number for number in range(columns)) + b"\n" + row * 3_000)
        rules = self.rules(*({"name": f"c{number}", "constraints": {"maxLength": 1}}
                             for number in range(0, columns, 50)))
        self.assertLess(self.peak("clean", "wide.csv", "--rules", rules, "--quiet"), MEGABYTES_ALLOWED)

    def test_records_at_the_limit(self):
        """Four megabytes each, mostly doubled quotes."""
        cell = b'"' + b'""' * 500_000 + b'"'
        self.write("long.csv", b"a,b,c\n" + (b",".join([cell] * 3) + b"\n") * 10)
        rules = self.rules({"name": "b", "constraints": {"maxLength": 9}}, "a")
        self.assertLess(self.peak("clean", "long.csv", "--rules", rules, "--quiet", "--threads", "2"),
                        MEGABYTES_ALLOWED)

    def test_a_line_without_end(self):
        """100 MB without a newline, through a pipe."""
        with open(self.path("line"), "wb") as file:
            file.write(b"a,b\n")
            for _ in range(100):
                file.write(b"x" * 1_000_000)
        with open(self.path("line"), "rb") as file:
            peak = self.peak("clean", "-", "--rules", self.rules("a"), "--clean", "good.csv",
                             "--rejects", "bad.csv", "--quiet", stdin=file)
        self.assertLess(peak, MEGABYTES_ALLOWED)
        self.assertEqual(self.path("bad.csv").stat().st_size, 4 + 100_000_000)


if __name__ == "__main__":
    unittest.main()
