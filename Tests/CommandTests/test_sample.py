"""--sample and --seed of check."""

import gzip
import json

from support import CommandTest, volume, slow

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(value):
    """SplitMix64."""
    z = (value + GOLDEN) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def numbers(records, seed):
    """The pseudorandom number of each record, which decides whether it is in the sample."""
    return {record: mix((mix(seed) + record * GOLDEN) & MASK) for record in range(1, records + 1)}


def share(records, percent, seed=0):
    return {record for record, number in numbers(records, seed).items() if number < percent / 100 * 2**64}


def first(records, count, seed=0):
    found = numbers(records, seed)
    return set(sorted(found, key=found.get)[:count])


class SampleTests(CommandTest):
    RECORDS = volume(5_000, 20_000)

    def setUp(self):
        super().setUp()
        # Every record is bad, so that the findings show the sample.
        self.write("t.csv",
                   "id,word\n" + "".join(f"n{number},x{number % 7}\n" for number in range(1, self.RECORDS + 1)))
        self.rules({"name": "id", "type": "boolean"}, {"name": "word"})

    def sample(self, *arguments, name="t.csv", status=1, **more):
        outcome = self.assay(
            "check", name, "-r", "rules.json", "--findings", "f.jsonl", "--report", "r.json", "--force", *arguments,
            status=status, **more)
        return [finding["record"] for finding in self.findings("f.jsonl")], self.report("r.json"), outcome.err

    def test_a_share(self):
        few = volume("0.1%", "0.01%")
        for percent, seed in [("1%", 0), ("12.5%", 7), ("100%", 0), (few, 3)]:
            for threads in (1, 2, 7):
                found, report, error = self.sample("--sample", percent, "--seed", seed, "--threads", threads)
                self.assertEqual(found, sorted(share(self.RECORDS, float(percent[:-1]), seed)))
                [counts] = report["inputs"]
                self.assertEqual([counts["records"], counts["clean"], counts["rejected"]], [len(found), 0, len(found)])
                self.assertEqual(
                    report["sample"],
                    {"percent": float(percent[:-1]), "count": None, "seed": seed, "read": self.RECORDS})
        self.assertIn(f"\n  sample    {few[:-1]} % (--seed 3) of {self.RECORDS:,} records\n", error)

    @slow
    def test_so_many(self):
        for count in (1, 10, 1_000, self.RECORDS - 1, self.RECORDS, 30_000):
            for threads in (1, 5):
                found, report, _ = self.sample("--sample", count, "--seed", 5, "--threads", threads)
                self.assertEqual(found, sorted(first(self.RECORDS, count, 5)))
                self.assertEqual(report["sample"], {"percent": None, "count": count, "seed": 5, "read": self.RECORDS})

    def test_no_sample(self):
        _, report, error = self.sample()
        self.assertIsNone(report["sample"])
        self.assertNotIn("sample", error)

    def test_the_lines_of_findings_are_those_of_the_file(self):
        self.sample("--sample", "1%")
        for finding in self.findings("f.jsonl"):
            self.assertEqual(finding["line"], finding["record"] + 1)

    def test_rates_and_thresholds_are_those_of_the_sample(self):
        self.write("h.csv", "id\n" + "".join(f"{'x' if number % 2 else 1}\n" for number in range(10_000)))
        self.rules({"name": "id", "type": "integer"}, thresholds={
            "rejected": "60%", "rules": {"id.type": 100}, "records": {"min": 10_000}})
        _, report, _ = self.sample("--sample", "1000", name="h.csv")
        measured = {threshold["of"]: threshold["measured"] for threshold in report["thresholds"]}
        self.assertEqual(measured["records"], 10_000)
        self.assertTrue(400 < measured["rejected"] < 600, measured)

    def test_keys_are_those_of_the_sample(self):
        self.rules({"name": "id"}, {"name": "word", "constraints": {"unique": True}})
        for memory in ("64M", "1M"):
            found, report, _ = self.sample("--sample", "100", "--memory", memory)
            self.assertEqual(report["inputs"][0]["records"], 100)
            chosen = sorted(first(self.RECORDS, 100))
            seen, twice = set(), []
            for record in chosen:
                if record % 7 in seen:
                    twice.append(record)
                seen.add(record % 7)
            self.assertEqual(found, twice)

    def test_json_lines_comments_and_broken_records(self):
        lines = [json.dumps({"id": number, "word": ""}) if number % 3 else '{"id"' for number in range(1, 3_001)]
        self.write("t.jsonl", "\n".join(lines) + "\n")
        found, report, _ = self.sample("--sample", "10%", name="t.jsonl")
        self.assertEqual(found, sorted(share(3_000, 10)))
        self.assertEqual(report["structure"]["json"], sum(record % 3 == 0 for record in found))
        self.write("c.csv", "id,word\n" + "".join(
            "# a note\n" if number % 2 else 'x"y\n' if number % 3 else "1,\n" for number in range(2_000)))
        found, report, _ = self.sample("--sample", "200", "--comment", "#", name="c.csv")
        self.assertEqual(report["inputs"][0]["records"], 200)
        self.assertEqual(set(found), {record for record in first(1_000, 200) if (2 * record - 2) % 3})

    @slow
    def test_overlong_records(self):
        self.write("l.csv", "id,word\n" + "".join(
            f"n{number},{'y' * 5_000_000 if number == 4 else ''}\n" for number in range(1, 9)))
        for seed in range(6):
            found, report, _ = self.sample("--sample", "50%", "--seed", seed, name="l.csv")
            self.assertEqual(found, sorted(share(8, 50, seed)))
            self.assertEqual(report["inputs"][0]["records"], len(found))

    def test_several_files_packed_and_piped(self):
        text = self.read("t.csv")
        self.write("u.csv.gz", gzip.compress(text))
        found, _, _ = self.sample("--sample", "500", name="u.csv.gz")
        self.assertEqual(found, sorted(first(self.RECORDS, 500)))
        found, report, _ = self.sample("--sample", "500", "--as-one", "u.csv.gz")
        self.assertEqual(found, sorted(first(2 * self.RECORDS, 500)))
        self.assertEqual(sum(counts["records"] for counts in report["inputs"]), 500)
        found, _, _ = self.sample("--sample", "2%", name="-", stdin=text)
        self.assertEqual(found, sorted(share(self.RECORDS, 2)))
        found, _, _ = self.sample("--sample", "10", "--head", "100")
        self.assertEqual(found, sorted(first(100, 10)))

    def test_stop_after(self):
        outcome = self.assay(
            "check", "t.csv", "-r", "rules.json", "--sample", "10%", "--stop-after", "30", status=1)
        self.assertIn("stopped after 30 rejected records of 30 records", outcome.err)

    def test_a_pipe_has_no_count(self):
        self.assertEqual(
            self.assay("check", "-", "-r", "rules.json", "--sample", "10", stdin="id,word\n1,2\n", status=2).err,
            "assay: error: --sample 10 reads its input twice, and standard input can be read only once\n"
            "  hint: give a share, such as --sample 1%\n")

    def test_mistakes(self):
        for value in ("0", "-1", "0%", "101%", "many", "1.5", "nan%"):
            error = self.assay("check", "t.csv", f"--sample={value}", status=2).err
            self.assertIn("--sample takes a share such as 1%, or a number of records such as 10000, not '", error)
        self.assertIn("--seed needs --sample", self.assay("check", "t.csv", "--seed", "1", status=2).err)
        self.assertIn("Unknown option '--sample'", self.assay("clean", "t.csv", "--sample", "1%", status=2).err)
