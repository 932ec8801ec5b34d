"""The outputs must not depend on the number of threads. Under the thread sanitizer (`make test-tsan`), these runs find
data races."""

import gzip
import json
import os
import random
import re
import signal
import time

from support import PATIENCE, CommandTest, volume, wait_until, slow
from test_compression import flushed, has_zstd, members, unzstd, zstd

THREADS = volume((1, 3), (1, 2, 4, 8))
# Two to four chunks of 256 KiB.
ROWS = volume(7_000, 14_000)

FIELDS = [
    {"name": "id", "type": "integer"},
    {"name": "email", "format": "email", "repair": ["trim", "lower", {"missing": ["n/a"]}]},
    {"name": "born", "type": "date", "repair": [{"canonical": {"from": ["%d.%m.%Y"]}}]},
    {"name": "country", "constraints": {"pattern": "[A-Z]{2}"}},
    {"name": "score", "type": "number", "rules": [{"id": "score.low", "pattern": "[0-9.]{1,4}", "severity": "warn"}]},
    {"name": "note", "constraints": {"maxLength": 200},
     "rules": [{"id": "note.same", "pattern": r"(?:(\w+) \1|[^?]*)"}]},
]
ROW_RULES = [{"id": "grown", "check": "born < timestamp('2020-01-01T00:00:00Z')"},
             {"id": "more", "check": f"score > double(id) - {ROWS - 1_000}.0", "severity": "warn"}]
KEYS = {"primaryKey": "id",
        "foreignKeys": [{"fields": "country", "reference": {"resource": "countries.csv", "fields": "code"}}]}
TO_ITSELF = {"fields": "score", "reference": {"resource": "", "fields": "id"}}


class ThreadTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("countries.csv", "code,name\n" + "".join(f"{a}{b},some country\n" for a in "DFIU" for b in "ABESTR"))
        self.rules(*FIELDS, rows=ROW_RULES)

    def rows(self, count=ROWS, seed=11):
        chance = random.Random(seed)
        for number in range(count):
            yield {
                "id": str(chance.randrange(number + 1) if chance.random() < 0.02 else number),
                "email": chance.choice(["a{}@example.org", " B{}@example.org ", "c{}@example.com", "d{}@x.org", "n/a",
                                        "e{}"]).format(number),
                "born": chance.choice(["2001-02-03", "31.12.1999", "2024-02-29", "none", "1999-12-31"]),
                "country": chance.choice(["DE", "FR", "IT", "US", "de", "UX"]),
                "score": str(chance.randrange(count)),
                "note": chance.choice(["", "x" * 90, "same same", 'he said "so",\nand left', "ü" * 90, "ab " * 70]),
            }

    def table(self, rows):
        def line(cells):
            return ",".join('"' + cell.replace('"', '""') + '"' if set(cell) & set('",\n') else cell
                            for cell in cells) + "\n"

        return (line(field["name"] for field in FIELDS) + "".join(line(row.values()) for row in rows)).encode()

    def lines(self, rows):
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()

    def outputs(self, folder):
        """The outputs of a run in a folder, decompressed, and reports without times. Removes the folder."""
        found = {}
        for path in sorted(self.path(folder).iterdir()):
            content = path.read_bytes()
            if path.name.endswith(".gz"):
                content = gzip.decompress(content)
            elif path.name.endswith(".zst"):
                content = unzstd(content)
            elif path.name.endswith("report.json"):
                report = json.loads(content)
                for key in ("seconds", "bytesPerSecond", "threads", "started", "finished", "compression"):
                    report.pop(key, None)
                content = report
            found[path.name] = content
            path.unlink()
        return found

    def assert_the_same(self, *inputs, outputs=4, threads=THREADS, status=(0, 1), options=()):
        """Runs with each of these numbers of threads, and asserts equal outputs."""
        expected = None
        for count in threads:
            outcome = self.assay("clean", *inputs, "-r", "rules.json", "-q", "--output-dir", "out",
                                 "--threads", count, *options)
            self.assertIn(outcome.status, status, outcome.err)
            found = self.outputs("out")
            self.assertEqual(len(found), outputs, list(found))
            expected = expected or found
            for name in expected:
                self.assertTrue(found[name] == expected[name],
                                f"{inputs} {options}: {name} differs with {count} threads")

    def setups(self):
        """Rules without keys, with keys, with keys that exceed the memory, and with references into the same table."""
        yield ()
        self.rules(*FIELDS, rows=ROW_RULES, **KEYS)
        yield ()
        yield ("--memory", "100K")
        self.rules(*FIELDS, primaryKey="id", foreignKeys=[*KEYS["foreignKeys"], TO_ITSELF])
        yield ()

    def test_csv_with_and_without_keys(self):
        self.path("out").mkdir()
        self.write("t.csv", self.table(self.rows()))
        for options in self.setups():
            self.assert_the_same("t.csv", options=options)

    def test_json_lines_with_and_without_keys(self):
        self.path("out").mkdir()
        self.write("t.jsonl", self.lines(self.rows()))
        for options in self.setups():
            self.assert_the_same("t.jsonl", options=options)

    def test_changes_notes_bounds_and_heads(self):
        self.path("out").mkdir()
        self.write("t.csv", self.table(self.rows()))
        for options, outputs in [
            (("--changes", "out/c.csv", "--show-values"), 5), (("--annotate", "--max-findings", ROWS // 3), 4),
            (("--findings", "out/f.csv", "--max-findings", 1), 4), (("--head", ROWS * 2 // 3), 4),
            (("--stop-after", ROWS // 7), 0),
        ]:
            self.assert_the_same("t.csv", options=options, outputs=outputs)

    @slow
    def test_packed_input_and_output(self):
        self.path("out").mkdir()
        plain = self.table(self.rows())
        self.write("one.csv.gz", gzip.compress(plain, 1))
        self.write("members.csv.gz", members(plain, 100_000))
        self.write("parts.csv.gz", flushed(plain, 150_000))
        inputs = ["one.csv.gz", "members.csv.gz", "parts.csv.gz"]
        if has_zstd():
            inputs.append("frames.csv.zst")
            self.write(inputs[-1], b"".join(zstd(plain[i : i + 200_000]) for i in range(0, len(plain), 200_000)))
            self.assert_the_same("members.csv.gz", options=("--compress", "zstd"))
        for name in inputs:
            self.assert_the_same(name)
        self.assert_the_same("one.csv.gz", options=("--compress", "gzip"))

    def test_other_encodings(self):
        self.path("out").mkdir()
        plain = self.table(self.rows()).decode()
        self.write("t.csv", plain.encode("utf-16"))
        self.assert_the_same("t.csv")
        self.write("t.csv", plain.encode("windows-1252"))
        self.assert_the_same("t.csv", options=("--encoding", "windows-1252"))

    def test_several_inputs(self):
        self.path("out").mkdir()
        names = []
        for part in range(3):
            names.append(self.write(f"part-{part}.csv", self.table(self.rows(ROWS // 3, seed=part))))
        self.assert_the_same(*names, outputs=12)
        self.rules(*FIELDS, **KEYS)
        self.assert_the_same(*names, outputs=4, options=("--as-one",))

    def test_a_pipe(self):
        content = self.table(self.rows())
        found = {
            self.assay("clean", "-", "-r", "rules.json", "-q", "--rejects", "none", "--findings", "none",
                       "--report", "none", "--threads", count, stdin=content).out
            for count in THREADS
        }
        self.assertEqual(len(found), 1)
        self.assertGreater(len(found.pop()), 10_000)

    @slow
    def test_questions_about_a_file(self):
        """The commands check, profile, infer and diff."""
        self.write("t.csv", self.table(self.rows()))
        self.write("t.jsonl", self.lines(self.rows()))
        self.rules(*FIELDS, name="old.json")
        self.rules(*FIELDS[:-1], name="new.json", **KEYS)
        for name in ("t.csv", "t.jsonl"):
            for command in (
                ["profile", name, "--show-values", "--json"], ["infer", name],
                ["diff", "old.json", "new.json", name, "--json"],
                ["check", name, "-r", "new.json", "--findings", "-", "-q"],
            ):
                with self.subTest(command):
                    found = set()
                    for count in THREADS:
                        outcome = self.assay(*command, "--threads", count)
                        self.assertIn(outcome.status, (0, 1), outcome.err)
                        # Remove the elapsed time and the number of threads.
                        found.add(re.sub(rb'"(seconds|threads)": [0-9.e-]+|--threads [0-9]+', b"", outcome.out))
                    self.assertEqual(len(found), 1)

    def test_an_interrupt_while_all_threads_work(self):
        """Either the signal ends the run and no files remain, or the run has completed."""
        self.write("t.csv", self.table(self.rows()))
        before = self.files()
        for count in THREADS[1:]:
            for wait in (0.0, 0.01, 0.05):
                process = self.start("clean", "t.csv", "-r", "rules.json", "-q", "--threads", count, "--force")
                wait_until(lambda: len(self.files()) > len(before) or process.poll() is not None,
                           "it has begun to write")
                time.sleep(wait)
                process.send_signal(signal.SIGINT)
                status = process.wait(PATIENCE)
                self.assertEqual(process.stderr.read(), b"")
                if status == -signal.SIGINT:
                    self.assertFalse([name for name in self.files() if ".assay-" in name])
                else:
                    self.assertIn(status, (0, 1))
                for name in set(self.files()) - set(before):
                    os.remove(self.path(name))
