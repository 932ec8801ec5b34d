"""The constraint `sorted`, compared with a short Python implementation."""

import datetime
import json
import random
import re
import signal
import time
from decimal import Decimal

from support import PATIENCE, CommandTest, volume

# Enough for several chunks.
ROWS = volume(12_000, 60_000)


def key_of(kind, text):
    """The value of a text for comparison; None if it cannot be compared."""
    if text == "":
        return None
    if kind == "integer":
        return int(text)
    if kind == "number":
        value = Decimal(text)
        return None if value.is_nan() else value
    if kind == "date":
        return datetime.datetime.strptime(text, "%d.%m.%Y")
    if kind == "datetime":
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return text.encode()


def follows(earlier, later, descending, strict):
    if isinstance(later, datetime.datetime) and (earlier.tzinfo is None) != (later.tzinfo is None):
        return False
    return later == earlier and not strict or (later < earlier if descending else later > earlier)


def expected(records, columns):
    """For each record out of order (from 1), its columns with the record that it does not follow.

    `records` has the comparable values of each record, or None for a record that other rules reject. `columns` has the
    direction and the strictness of each sorted column.
    """
    last, refused = [None] * len(columns), {}
    for number, values in enumerate(records, 1):
        if values is None:
            continue
        found = [
            (place, last[place][0]) for place, value in enumerate(values)
            if value is not None and last[place] and not follows(last[place][1], value, *columns[place])]
        if found:
            refused[number] = found
            continue
        for place, value in enumerate(values):
            if value is not None:
                last[place] = (number, value)
    return refused


class SortedTests(CommandTest):
    def clean(self, *arguments, rules="rules.json", status=0):
        return self.assay("clean", *arguments, "-r", rules, "--force", "-q", status=status)

    def refusals(self, name="t.findings.jsonl"):
        """For each record out of order, its rules with the record that the message names."""
        refused = {}
        for finding in self.findings(name):
            if finding["code"] == "sorted":
                holder = int(re.search(r" order after record ([0-9]+) ", finding["message"])[1])
                refused.setdefault(finding["record"], []).append((finding["rule"], holder))
        return refused

    def test_the_outputs_in_full(self):
        self.rules({"name": "time", "type": "time", "constraints": {"sorted": "ascending"}},
                   {"name": "n", "type": "integer", "constraints": {"sorted": "descending", "strict": True}})
        self.write("t.csv", "time,n\n10:00:00,9\n10:07:00,8\n10:05:00,7\n10:07:00,8\n10:07:00,7\n,6\nx,1\n10:08:00,6\n")
        self.clean("t.csv", "--annotate")
        self.assertEqual(self.read("t.clean.csv").decode(), "time,n\n10:00:00,9\n10:07:00,8\n10:07:00,7\n,6\n")
        self.assertEqual(
            self.read("t.rejects.csv").decode(),
            "time,n,_line,_reasons\n10:05:00,7,4,time.sorted\n10:07:00,8,5,n.sorted\nx,1,8,time.type\n"
            "10:08:00,6,9,n.sorted\n")
        self.assertEqual(
            [(each["record"], each["line"], each["column"], each["rule"], each["code"], each["message"])
             for each in self.findings("t.findings.jsonl") if each["code"] != "type"],
            [(3, 4, "time", "time.sorted", "sorted", "is not in ascending order after record 2 (line 3)"),
             (4, 5, "n", "n.sorted", "sorted", "is not in strictly descending order after record 2 (line 3)"),
             (8, 9, "n", "n.sorted", "sorted", "is not in strictly descending order after record 6 (line 7)")])
        self.assertEqual(
            self.report("t.report.json")["keys"],
            [{"id": "time.sorted", "refused": 1}, {"id": "n.sorted", "refused": 2}])
        outcome = self.assay("check", "t.csv", "-r", "rules.json", status=1)
        self.assertRegex(outcome.err, r"n\.sorted +2 ")

    def test_order_by_type(self):
        day = {"type": "date", "format": "%d/%m/%Y"}
        cases = [
            ({"type": "integer"}, ["-10", "-9", "007", "7", "10", "9"], [6]),
            ({"type": "number"}, ["1e-400", "0.5", "NaN", "5e-1", "1e3", "999", "INF", "1e999999"], [6, 8]),
            ({"type": "string"}, ["10", "9", "a", "B", "ä", "z"], [4, 6]),
            ({"type": "any"}, ["", "a", "", "ab", "aa"], [5]),
            (day, ["31/12/2023", "1/1/2024", "02/02/2023"], [3]),
            ({"type": "datetime"}, ["2024-01-01T10:00:00Z", "2024-01-01T11:00:00+01:00", "2024-01-01T12:00:00",
                                    "2024-01-01T10:00:00.1Z"], [3]),
            ({"type": "duration"}, ["PT1S", "PT60S", "PT1M", "P30D", "P1M", "P40D"], [5]),
            ({"type": "yearmonth"}, ["2024-01", "2023-12"], [2]),
        ]
        for field, values, refused in cases:
            for direction, cells in (("ascending", values), ("strict", values)):
                with self.subTest(field, direction=direction):
                    order = {"sorted": "ascending"} | ({"strict": True} if direction == "strict" else {})
                    self.rules({"name": "v", **field, "constraints": order}, "w")
                    self.write("t.csv", "v,w\n" + "".join(f"{value},x\n" for value in cells))
                    self.clean("t.csv")
                    found = sorted(self.refusals())
                    if direction == "strict":
                        self.assertTrue(set(refused) <= set(found))
                    else:
                        self.assertEqual(found, refused)

    def test_it_is_decided_before_keys_and_rejected_records_hold_none(self):
        self.rules({"name": "n", "type": "integer", "constraints": {"sorted": "ascending", "unique": True}},
                   {"name": "k", "constraints": {"unique": True}})
        self.write("t.csv", "n,k\n1,a\n5,a\n3,b\n5,b\n6,c\n5,d\n6,e\n")
        for more in (["--memory", "1G"], ["--memory", "0"]):
            self.clean("t.csv", *more)
            # Record 2 is rejected for its key, and record 3 is still compared with it.
            self.assertEqual(self.read("t.clean.csv").decode(), "n,k\n1,a\n5,b\n6,c\n")
            self.assertEqual(self.refusals(), {3: [("n.sorted", 2)], 6: [("n.sorted", 5)]})
        self.assertEqual(
            self.report("t.report.json")["keys"],
            [{"id": "n.unique", "refused": 1}, {"id": "k.unique", "refused": 1}, {"id": "n.sorted", "refused": 2}])

    def test_json_lines_and_several_files(self):
        self.rules({"name": "a.n", "type": "number", "constraints": {"sorted": "descending"}})
        self.write("t.jsonl", "".join(json.dumps({"a": {"n": n}}) + "\n" for n in [3, 2.5, 2.75, None, 2, 9]))
        self.clean("t.jsonl")
        self.assertEqual(self.refusals(), {3: [("a.n.sorted", 2)], 6: [("a.n.sorted", 5)]})
        self.rules({"name": "n", "type": "integer", "constraints": {"sorted": "ascending"}})
        self.write("one.csv", "n\n1\n2\n")
        self.write("two.csv", "n\n1\n2\n")
        self.clean("one.csv", "two.csv", "--as-one", "--findings", "f.jsonl")
        found = self.findings("f.jsonl")
        self.assertEqual([(each["record"], each["message"]) for each in found],
                         [(3, "is not in ascending order after record 2 (line 3 of one.csv)")])

    def test_mistakes(self):
        cases = [
            ({"type": "boolean", "constraints": {"sorted": "ascending"}}, "'sorted' is for texts, integer"),
            ({"type": "list", "constraints": {"sorted": "ascending"}}, "'sorted' is for texts, integer"),
            ({"constraints": {"sorted": "up"}}, "ascending"),
            ({"constraints": {"sorted": True}}, "ascending"),
            ({"constraints": {"strict": True}}, "'strict' without 'sorted'"),
            ({"sorted": "ascending"}, "'sorted' belongs under 'constraints'"),
            ({"rules": [{"sorted": "ascending"}]}, "'sorted' belongs under 'constraints'"),
        ]
        for field, message in cases:
            with self.subTest(field):
                self.rules({"name": "v", **field})
                self.assertIn(message, self.assay("rules", "lint", "rules.json", status=2).err)
        self.rules({"name": "v[]", "constraints": {"sorted": "ascending"}})
        self.write("t.jsonl", '{"v": [1]}\n')
        self.assertIn("'v[]'", self.assay("check", "t.jsonl", "-r", "rules.json", status=2).err)

    # Comparison with Python

    KINDS = ["integer", "number", "date", "datetime", "string"]

    def cell(self, chance, kind, number, noise):
        """A value near `number`, in one of its spellings."""
        value = number + chance.choice([0, 0, 0, chance.randrange(-noise, noise + 1)])
        if chance.random() < 0.03:
            return ""
        if kind == "integer":
            return chance.choice(["", "0", "+"]) + str(value) if value > 0 else str(value)
        if kind == "number":
            return chance.choice([
                f"{value}.50", f"{value * 10 + 5}e-1", "NaN" if chance.random() < 0.05 else f"{value}.5"])
        if kind == "date":
            day = datetime.date(2000, 1, 1) + datetime.timedelta(days=value % 400_000)
            return chance.choice([f"{day:%d.%m.%Y}", f"{day.day}.{day.month}.{day:%Y}"])
        if kind == "datetime":
            moment = datetime.datetime(2000, 1, 1) + datetime.timedelta(minutes=value)
            if chance.random() < 0.001:
                return moment.isoformat()
            hours = chance.choice([0, 0, 5, -3])
            moment += datetime.timedelta(hours=hours)
            return f"{moment.isoformat()}{hours:+03}:00" if hours else f"{moment.isoformat()}Z"
        return f"v{value:09}"

    def table(self, seed, columns, rows):
        """The texts of a table, and its comparable values. Some records are rejected by another rule."""
        chance = random.Random(seed)
        noise = chance.choice([0, 0, 1, 30])
        texts, values = [], []
        for number in range(rows):
            step = [rows - number if descending else number for _, descending, _ in columns]
            cells = [self.cell(chance, kind, place, noise) for (kind, _, _), place in zip(columns, step)]
            is_good = chance.random() < 0.98
            texts.append([*cells, "good" if is_good else "bad"])
            values.append([key_of(kind, cell) for (kind, _, _), cell in zip(columns, cells)] if is_good else None)
        return texts, values

    def test_against_python(self):
        for seed in range(volume(8, 60)):
            chance = random.Random(seed)
            columns = [(chance.choice(self.KINDS), chance.random() < 0.4, chance.random() < 0.3)
                       for _ in range(chance.choice([1, 1, 2, 3]))]
            with self.subTest(seed=seed, columns=columns):
                self.compare(seed, columns)

    def compare(self, seed, columns):
        texts, values = self.table(seed, columns, random.Random(seed).choice([70, 1_000, ROWS]))
        names = [f"c{place}" for place in range(len(columns))]
        fields = [
            {"name": name, "type": kind, **({"format": "%d.%m.%Y"} if kind == "date" else {}), "constraints": {
                "sorted": "descending" if descending else "ascending", **({"strict": True} if strict else {})}}
            for name, (kind, descending, strict) in zip(names, columns)]
        self.rules(*fields, {"name": "note", "constraints": {"enum": ["good"]}})
        lines = [",".join(cells) + "\n" for cells in texts]
        self.write("t.csv", ",".join([*names, "note"]) + "\n" + "".join(lines))
        objects = [json.dumps({name: self.json(kind, cell) for name, kind, cell in zip(
            [*names, "note"], [*(kind for kind, _, _ in columns), "string"], cells)}) + "\n" for cells in texts]
        self.write("j.jsonl", "".join(objects).replace('"NaN"', "null").replace('"@', "").replace('@"', ""))
        found = expected(values, [(descending, strict) for _, descending, strict in columns])
        found = {number: [(f"c{place}.sorted", holder) for place, holder in each] for number, each in found.items()}
        before = None
        for more in (["--threads", "1"], ["--threads", "4"], ["--threads", "3", "--show-values"]):
            self.clean("t.csv", *more)
            self.assertEqual(self.refusals(), found)
            clean = b"".join(line.encode() for number, line in enumerate(lines, 1)
                             if values[number - 1] is not None and number not in found)
            self.assertEqual(self.read("t.clean.csv").partition(b"\n")[2], clean)
            outputs = [self.read(name) for name in ("t.clean.csv", "t.rejects.csv")]
            self.assertEqual(before or outputs, outputs)
            before = outputs
        self.clean("j.jsonl", "--threads", "4")
        self.assertEqual(self.refusals("j.findings.jsonl"), found)

    def json(self, kind, cell):
        """A cell as a JSON value; a number keeps its spelling."""
        if cell == "":
            return None
        if kind == "integer":
            return int(cell)
        return f"@{cell}@" if kind == "number" and cell != "NaN" else cell

    def test_stop_after(self):
        texts, values = self.table(3, [("integer", False, False)], ROWS)
        chance = random.Random(4)
        for number in chance.sample(range(ROWS), 40):
            texts[number][0] = "0"
            values[number] = values[number] and [0]
        self.rules({"name": "n", "type": "integer", "constraints": {"sorted": "ascending"}},
                   {"name": "note", "constraints": {"enum": ["good"]}})
        self.write("t.csv", "n,note\n" + "".join(",".join(cells) + "\n" for cells in texts))
        refused = expected(values, [(False, False)])
        rejected = sorted({*refused, *(number for number, each in enumerate(values, 1) if each is None)})
        for limit in (1, 7, len(rejected) // 2):
            for threads in "14":
                outcome = self.assay(
                    "check", "t.csv", "-r", "rules.json", "-q", "--stop-after", limit, "--threads", threads, status=1)
                self.assertIn(f"stopped after {limit:,} rejected record", outcome.err)
                self.assertIn(f" of {rejected[limit - 1]:,} record", outcome.err)

    def test_a_run_that_is_killed_continues_with_the_last_value(self):
        rows = volume(60_000, 300_000)
        chance = random.Random(9)
        lines = [f"{number - (40 if chance.random() < 0.05 else 0)},{'x' * 40}\n" for number in range(rows)]
        self.rules({"name": "n", "type": "integer", "constraints": {"sorted": "ascending", "strict": True}}, "note")
        self.write("t.csv", "n,note\n" + "".join(lines))
        self.clean("t.csv")
        names = ("t.clean.csv", "t.rejects.csv", "t.findings.jsonl")
        plain = [self.read(name) for name in names]
        keys = self.report("t.report.json")["keys"]
        for name in (*names, "t.report.json"):
            self.path(name).unlink()
        arguments = ["clean", "t.csv", "-r", "rules.json", "-q", "--resume", "--checkpoint-every", 0]
        for _ in range(30):
            if self.kill_and_resume(arguments, chance):
                break
            # On a busy machine, the run may have ended before the kill.
            for name in (*names, "t.report.json"):
                self.path(name).unlink()
        else:
            self.fail("it is always faster")
        self.assertTrue([self.read(name) for name in names] == plain)
        self.assertEqual(self.report("t.report.json")["keys"], keys)

    def kill_and_resume(self, arguments, chance):
        """Kills a run after checkpoints, up to four times, and lets it finish. Returns the number of kills."""
        for kills in range(4):
            process = self.start(*arguments, "--threads", chance.choice([1, 2, 4]))
            begin = time.monotonic()
            while process.poll() is None and time.monotonic() - begin < PATIENCE:
                if self.exists(".t.clean.csv.assay-checkpoint"):
                    time.sleep(chance.random() * 0.02)
                    process.kill()
                    break
                time.sleep(0.0005)
            if process.wait(PATIENCE) == 0:
                return kills
            self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assay(*arguments, status=0)
        return 4

    def test_a_pipe(self):
        self.rules({"name": "n", "type": "integer", "constraints": {"sorted": "ascending"}})
        self.write("t.csv", "n\n3\n1\n4\n2\n")
        text = self.read("t.csv")
        outcome = self.assay("clean", "-", "-r", "rules.json", "-q", "--clean", "-", "--rejects", "none", "--findings",
                             "none", "--report", "none", stdin=text, status=0)
        self.assertEqual(outcome.text, "n\n3\n4\n")
