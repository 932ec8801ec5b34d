"""Keys: unique, primaryKey, uniqueKeys and keep, compared with a short Python implementation."""

import datetime
import gzip
import itertools
import json
import os
import random
import signal
import subprocess
import unittest

from support import PATIENCE, ROOT, CommandTest, environment, volume, wait_until, slow

# Enough for several chunks, and for the keys of more than one partition.
ROWS = volume(6_000, 12_000)


def preferred(values, keep):
    """The numbers of the records in the order in which they get their keys. `values` are those of the column that
    decides, or None.
    """
    numbers = range(1, len(values) + 1)
    if keep == "last":
        return list(reversed(numbers))
    if not isinstance(keep, dict):
        return list(numbers)
    known = [number for number in numbers if values[number - 1] is not None]
    # Sorting is stable in both directions, so ties go to the first record.
    known.sort(key=lambda number: values[number - 1], reverse="max" in keep)
    return known + [number for number in numbers if values[number - 1] is None]


def expected(records, keys, primary=(), keep="first", values=None):
    """The expected rejections. Each record is a tuple of values or None. Returns, for each rejected record (from 1),
    its keys and their holders.

    `keys` contains the columns by id, in the order in which they are reported. `values` are those of the column that
    `keep` names.
    """
    full = {id: [tuple(record[column] for column in columns) for record in records] for id, columns in keys.items()}
    refused, holders = {}, {id: {} for id in keys}
    for number in preferred(values or records, keep):
        record = records[number - 1]
        own = {id: full[id][number - 1] for id in keys}
        if any(None in own[id] for id in primary):
            refused[number] = [(id, None) for id in primary]
            continue
        own = {id: key for id, key in own.items() if None not in key}
        if keep == "none":
            for id, key in own.items():
                holders[id].setdefault(key, []).append(number)
            continue
        taken = [(id, holders[id][key]) for id, key in own.items() if key in holders[id]]
        if taken:
            refused[number] = taken
        else:
            for id, key in own.items():
                holders[id][key] = number
    if keep == "none":
        for number in range(1, len(records) + 1):
            if number in refused:
                continue
            taken = []
            for id in keys:
                equal = holders[id].get(full[id][number - 1], [])
                if len(equal) > 1:
                    taken.append((id, equal[1] if equal[0] == number else equal[0]))
            if taken:
                refused[number] = taken
    return refused


class KeyTests(CommandTest):
    def clean(self, *arguments, rules="rules.json", status=0, **more):
        return self.assay("clean", *arguments, "-r", rules, "--force", "-q", status=status, **more)

    def outputs(self, name="t"):
        found = [path for path in self.files() if path.startswith(f"{name}.") and ".report." not in path]
        return {path: self.read(path) for path in found}

    def refusals(self, name="t.findings.jsonl"):
        """For each record, the rules that rejected it, with the record that the message names."""
        refused = {}
        for finding in self.findings(name):
            words = finding["message"].split()
            holder = int(words[2]) if finding["code"] == "unique" else None
            refused.setdefault(finding["record"], []).append((finding["rule"], holder))
        return refused

    # Definition of keys

    def test_the_outputs_in_full(self):
        self.rules(
            {"name": "id", "type": "integer"}, {"name": "email", "constraints": {"unique": True, "maxLength": 5}},
            primaryKey="id")
        self.write("t.csv", 'id,email\n1,a\n01,b\n2,a\n,c\n3,"x,y"\n4,toolong\n4,"x,y"\n5,toolong\n6,\n7,\n4,d\n')
        self.clean("t.csv", "--annotate")
        self.assertEqual(self.read("t.clean.csv").decode(), 'id,email\n1,a\n3,"x,y"\n6,\n7,\n4,d\n')
        self.assertEqual(
            self.read("t.rejects.csv").decode(),
            "id,email,_line,_reasons\n01,b,3,primaryKey\n2,a,4,email.unique\n,c,5,primaryKey\n"
            '4,toolong,7,email.maxLength\n4,"x,y",8,email.unique\n5,toolong,9,email.maxLength\n')
        found = self.findings("t.findings.jsonl")
        self.assertEqual(
            [(each["record"], each["line"], each["offset"], each["column"], each["rule"], each["code"], each["message"])
             for each in found if each["code"] != "maxLength"],
            [(2, 3, 13, "id", "primaryKey", "unique", "equals record 1 (line 2)"),
             (3, 4, 20, "email", "email.unique", "unique", "equals record 1 (line 2)"),
             (4, 5, 22, "id", "primaryKey", "primaryKey", "is missing, and is the primary key"),
             (7, 8, 45, "email", "email.unique", "unique", "equals record 5 (line 6)")])
        report = self.report("t.report.json")
        self.assertEqual(
            report["keys"], [{"id": "email.unique", "refused": 2}, {"id": "primaryKey", "refused": 2}])
        self.assertEqual(report["inputs"][0]["rejected"], 6)
        outcome = self.assay("check", "t.csv", "-r", "rules.json", status=1)
        self.assertRegex(outcome.err, r"email\.unique +2 ")

    def test_equality_by_type(self):
        day = {"name": "v", "type": "date", "format": "%d/%m/%Y"}
        cases = [
            ({"name": "v", "type": "integer"}, ["7", "007", "+7", "8", "-7"], [2, 3]),
            ({"name": "v", "type": "number"}, ["1", "1.0", "10e-1", "1.01", "NaN", "nan", "0", "-0.0"], [2, 3, 6, 8]),
            ({"name": "v", "type": "string"}, ["7", "007", "a", "A", "a ", "a"], [6]),
            ({"name": "v", "type": "any"}, ["1", "1.0", "1"], [3]),
            ({"name": "v", "type": "boolean"}, ["true", "1", "false", "0"], [2, 4]),
            ({"name": "v", "type": "boolean", "trueValues": ["ja", "yes"], "falseValues": ["nein"]},
             ["ja", "yes", "nein"], [2]),
            (day, ["01/02/2024", "1/2/2024", "2/1/2024"], [2]),
            ({"name": "v", "type": "datetime"}, ["2024-01-01T10:00:00Z", "2024-01-01T11:00:00+01:00",
                                                 "2024-01-01T10:00:00"], [2]),
            ({"name": "v", "type": "duration"}, ["PT60S", "PT1M", "P1M", "P30D"], [2]),
        ]
        for field, values, refused in cases:
            with self.subTest(field):
                self.rules(field | {"constraints": {"unique": True}})
                self.write("t.csv", "v,w\n" + "".join(f"{value},x\n" for value in values))
                self.clean("t.csv")
                self.assertEqual(sorted(self.refusals()), refused)

    def test_a_record_that_is_bad_in_something_else_holds_no_key(self):
        self.rules({"name": "a", "constraints": {"unique": True}}, {"name": "b", "type": "integer"})
        self.write("t.csv", "a,b\n1,x\n1,1\n1,2\n2\n2,5\n")
        self.clean("t.csv")
        self.assertEqual(self.read("t.clean.csv").decode(), "a,b\n1,1\n2,5\n")
        self.assertEqual(self.findings("t.findings.jsonl")[1]["message"], "equals record 2 (line 3)")

    def test_a_refused_record_leaves_its_other_keys_free(self):
        self.rules({"name": "a", "constraints": {"unique": True}}, {"name": "b", "constraints": {"unique": True}})
        self.write("t.csv", "a,b\n1,1\n1,2\n2,2\n2,3\n3,3\n")
        for memory in ("1G", "0"):
            self.clean("t.csv", "--memory", memory)
            self.assertEqual(self.read("t.clean.csv").decode(), "a,b\n1,1\n2,2\n3,3\n")

    def test_warnings_stay_and_come_first(self):
        warn = {"pattern": "[0-9]+", "severity": "warn", "id": "warned"}
        self.rules({"name": "a", "constraints": {"unique": True}, "rules": [warn]}, "b")
        self.write("t.csv", "a,b\nx,1\ny,2\nx,3\nz,4\nx,5\n")
        for more in ([], ["--memory", "0"], ["--show-values"]):
            self.clean("t.csv", *more)
            self.assertEqual(
                [(each["record"], each["rule"]) for each in self.findings("t.findings.jsonl")],
                [(1, "warned"), (2, "warned"), (3, "warned"), (3, "a.unique"), (4, "warned"), (5, "warned"),
                 (5, "a.unique")])

    def test_values_are_shown_only_on_request(self):
        self.rules("a", "b", primaryKey="a", uniqueKeys=[["b", "a"]])
        self.write("t.csv", 'a,b\n"x""y",1\n"x""y",1\n')
        for memory in ("1G", "0"):
            self.clean("t.csv", "--show-values", "--memory", memory)
            self.assertEqual([each["value"] for each in self.findings("t.findings.jsonl")], ['x"y', '"x""y",1'])

    def test_findings_as_csv(self):
        self.rules({"name": "a", "constraints": {"unique": True}}, "b")
        self.write("t.csv", "a,b\n1,1\n1,2\n")
        self.clean("t.csv", "--findings", "f.csv")
        self.assertEqual(
            self.read("f.csv").decode().splitlines()[1], "2,3,8,a,1,a.unique,unique,reject,equals record 1 (line 2)")

    def test_a_column_that_the_table_lacks(self):
        self.rules("a", "b", fieldsMatch="partial", primaryKey=["a", "b"], uniqueKeys=[["b"]])
        self.write("t.csv", "a,c\n1,1\n1,1\n")
        self.clean("t.csv")
        self.assertEqual([each["message"] for each in self.findings("t.findings.jsonl")],
                         ["lacks a part of the primary key"] * 2)
        self.rules("a", "b", fieldsMatch="partial", primaryKey="b")
        self.clean("t.csv")
        self.assertEqual([each["message"] for each in self.findings("t.findings.jsonl")],
                         ["has no 'b', which is the primary key"] * 2)

    def test_no_record_and_no_key(self):
        self.rules({"name": "a", "constraints": {"unique": True}}, "b")
        for text in ("a,b\n", "a,b\n,1\n,2\n"):
            for more in ([], ["--memory", "0"]):
                self.write("t.csv", text)
                self.clean("t.csv", *more)
                self.assertEqual(self.read("t.clean.csv").decode(), text)

    # Comparison with Python

    def records(self, seed, duplicates, rows=ROWS):
        """Records of an integer, a text and a date, some of which are missing."""
        chance = random.Random(seed)
        start = datetime.date(1900, 1, 1)
        for number in range(rows):
            def draw(few):
                return chance.randrange(few) if chance.random() < duplicates else 1000 + number
            missing = [chance.random() < 0.02 for _ in range(3)]
            yield (None if missing[0] else draw(40), None if missing[1] else f"v{draw(60)}",
                   None if missing[2] else start + datetime.timedelta(days=draw(50)))

    def csv(self, records, seed=3):
        """Writes equal values in different spellings."""
        chance = random.Random(seed)
        lines = ["id,text,day\n"]
        for id, text, day in records:
            written = [
                "" if id is None else chance.choice(["", "0", "00", "+"]) + str(id),
                "" if text is None else chance.choice([text, f'"{text}"']),
                "" if day is None else chance.choice([f"{day:%d/%m/%Y}", f"{day.day}/{day.month}/{day.year}"])]
            lines.append(",".join(written) + "\n")
        return "".join(lines)

    FIELDS = [{"name": "id", "type": "integer"}, {"name": "text"},
              {"name": "day", "type": "date", "format": "%d/%m/%Y"}]

    CASES = {
        "one": ({"uniqueKeys": [["id"]]}, {"uniqueKeys.1": [0]}, []),
        "primary": ({"primaryKey": ["id", "day"]}, {"primaryKey": [0, 2]}, ["primaryKey"]),
        "several": ({"primaryKey": "id", "uniqueKeys": [["text", "day"], ["day"]]},
                    {"primaryKey": [0], "uniqueKeys.1": [1, 2], "uniqueKeys.2": [2]}, ["primaryKey"]),
    }

    def check(self, records, case, keep, options):
        rules, keys, primary = self.CASES[case]
        self.rules(*self.FIELDS, keep=keep, **rules)
        names = [field["name"] for field in self.FIELDS]
        values = [record[names.index(*keep.values())] for record in records] if isinstance(keep, dict) else None
        refused = expected(records, keys, primary, keep, values)
        before = None
        for more in options:
            self.clean("t.csv", *more)
            outputs = self.outputs()
            if before is None:
                self.assertEqual(self.refusals(), refused)
                lines = self.read("t.csv").splitlines(keepends=True)
                clean = [line for number, line in enumerate(lines) if number not in refused]
                self.assertEqual(self.read("t.clean.csv"), b"".join(clean))
                counts = {id: sum(id in dict(found) for found in refused.values()) for id in keys}
                self.assertEqual({each["id"]: each["refused"] for each in self.report("t.report.json")["keys"]}, counts)
                before = outputs
            else:
                self.assertEqual(outputs, before, more)

    @slow
    def test_against_python(self):
        keeps = ("first", "none", "last", {"max": "day"}, {"min": "text"}, {"max": "id"})
        for duplicates, case, keep in itertools.product(volume((0.01, 1), (0, 0.01, 0.5, 1)), self.CASES, keeps):
            with self.subTest(duplicates=duplicates, case=case, keep=keep):
                records = list(self.records(duplicates, duplicates, volume(3_000, ROWS)))
                self.write("t.csv", self.csv(records))
                options = [["--threads", "1"], ["--threads", "7"], ["--memory", "0", "--threads", "2"]]
                self.check(records, case, keep, options)

    def test_the_preferred_record_in_full(self):
        self.rules({"name": "id", "type": "integer"}, {"name": "at", "type": "datetime"}, "note", primaryKey="id",
                   keep={"max": "at"})
        self.write("t.csv", "id,at,note\n7,2026-01-01T10:00:00Z,a\n8,,b\n07,2026-01-01T13:00:00+01:00,c\n8,,d\n"
                            "7,2026-01-01T12:00:00Z,e\n7,2027-01-01,f\n")
        self.clean("t.csv")
        self.assertEqual([(each["record"], each["line"], each["code"], each["message"])
                          for each in self.findings("t.findings.jsonl")],
                         [(1, 2, "unique", "equals record 3 (line 4)"), (4, 5, "unique", "equals record 2 (line 3)"),
                          (5, 6, "unique", "equals record 3 (line 4)"),
                          (6, 7, "type", "is not a date and time (YYYY-MM-DDThh:mm:ss)")])
        outcome = self.assay("clean", "-", "-r", "rules.json", "-q", "--rejects", "none",
                             stdin=gzip.compress(self.read("t.csv")), status=0)
        self.assertEqual(gzip.decompress(outcome.out), b"id,at,note\n8,,b\n07,2026-01-01T13:00:00+01:00,c\n")
        self.assertEqual(self.report("t.report.json")["rules"]["keep"], {"max": "at"})

    # The values of each type in ascending order, each with its spellings, and texts without a place in this order.
    ORDERS = {
        "integer": (["-100"], ["-7", "-07"], ["-3"], ["0", "-0", "+0"], ["9", "09"], ["10"], ["1" + "0" * 40]),
        "number": (["-INF"], ["-1e3", "-1000.0"], ["-0.5"], ["0", "0e9"], ["1e-400"], ["2.50", "2.5"], ["1e99"],
                   ["INF"]),
        "string": (["\x01"], ["10"], ["9"], ["A"], ["a"], ["aa"], ["ab"], ["é"], ["\U0001F600"]),
        "any": (["10"], ["9"], ["Z"], ["a"]),
        "date": (["0001-01-01"], ["1969-12-31"], ["1970-01-01"], ["2024-02-29"], ["2024-03-01"]),
        "date %d.%m.%Y": (["31.12.1999"], ["1.1.2000", "01.01.2000"], ["2.1.2000"], ["1.2.2000"]),
        "time": (["00:00:00"], ["09:59:59"], ["10:00:00", "10:00:00.0"], ["10:00:00.5", "10:00:00.50"],
                 ["10:00:00.75"]),
        # A datetime without a zone is less preferred than those with one, in both directions.
        "datetime": (["1969-12-31T23:59:59Z"], ["2024-01-01T12:00:00+01:00", "2024-01-01T11:00:00Z"],
                     ["2024-01-01T11:00:00.5Z"]),
        "year": (["0999"], ["1000"], ["2024"]),
        "yearmonth": (["1999-12"], ["2000-01"], ["2000-02"]),
    }
    WITHOUT_PLACE = {"number": ["NaN"], "integer": ["x"], "date": ["2024-02-30"], "time": ["24:00:00"]}

    def test_every_type_of_the_column_that_decides(self):
        chance = random.Random(56)
        for kind, values in self.ORDERS.items():
            values = [*enumerate(values)]
            kind, _, format = kind.partition(" ")
            decides = {"name": "v", "type": kind} | ({"format": format} if format else {})
            for size, side in itertools.product((1, 2, 3), ("max", "min")):
                keep = {side: "v"}
                records, texts = [], []
                for _ in range(volume(60, 600)):
                    place, spellings = chance.choice(values)
                    text = chance.choice(spellings)
                    if chance.random() < 0.2:
                        place, text = None, ""
                    elif chance.random() < 0.1 and kind in self.WITHOUT_PLACE:
                        text = chance.choice(self.WITHOUT_PLACE[kind])
                        place = None if text == "NaN" else "invalid"
                    keys = [chance.choice([None, *range(volume(12, 100))]) for _ in range(size)]
                    records.append((*keys, place))
                    texts.append(",".join(["" if key is None else str(key) for key in keys] + [text]))
                self.rules(*({"name": f"k{number}", "constraints": {"unique": True}} for number in range(size)),
                           decides, keep=keep)
                names = [f"k{number}" for number in range(size)]
                self.write("t.csv", ",".join([*names, "v"]) + "\n" + "".join(f"{text}\n" for text in texts))
                # Invalid records take no part.
                valid = [number for number, record in enumerate(records, 1) if record[-1] != "invalid"]
                found = expected([records[number - 1] for number in valid],
                                 {f"{name}.unique": [column] for column, name in enumerate(names)}, keep=keep,
                                 values=[records[number - 1][-1] for number in valid])
                found = {valid[number - 1]: [(id, valid[holder - 1]) for id, holder in taken]
                         for number, taken in found.items()}
                before = None
                for memory, threads in (("1G", 1), ("0", 1), ("0", 2)):
                    with self.subTest(kind, size=size, keep=keep, memory=memory):
                        self.clean("t.csv", "--memory", memory, "--threads", threads)
                        refused = {number: taken for number, taken in self.refusals().items() if number in valid}
                        self.assertEqual(refused, found)
                        self.assertEqual(before or self.outputs(), self.outputs())
                        before = self.outputs()

    def test_datetimes_without_a_zone_are_preferred_less(self):
        rows = ["1,2027-01-01T00:00:00", "1,2026-01-01T00:00:00Z", "1,2025-01-01T00:00:00Z", "2,",
                "2,2026-01-01T00:00:00", "2,2027-01-01T00:00:00"]
        self.write("t.csv", "id,at\n" + "".join(f"{row}\n" for row in rows))
        for keep, clean in (("max", [1, 5]), ("min", [2, 4])):
            self.rules("id", {"name": "at", "type": "datetime"}, primaryKey="id", keep={keep: "at"})
            self.clean("t.csv")
            self.assertEqual(self.read("t.clean.csv").decode().splitlines()[1:], [rows[place] for place in clean])

    def test_foreign_keys_and_the_preferred_record(self):
        """An orphan takes no part, and references into the table need the record that stays."""
        self.write("o.csv", "x\na\nb\n")
        foreign = [{"fields": "o", "reference": {"resource": "o.csv", "fields": "x"}}]
        own = [{"fields": "boss", "reference": {"fields": "id"}}]
        self.write("t.csv", "id,n,o,boss\n1,1,a,\n1,9,zz,\n1,3,b,\n2,5,a,1\n2,4,b,7\n3,1,,2\n2,5,,1\n")
        fields = ["id", {"name": "n", "type": "integer"}, "o", "boss"]
        for memory in ("1G", "0"):
            for keep, keys, clean in (({"max": "n"}, foreign, [3, 4, 6]), ({"max": "n"}, foreign + own, [3, 4, 6]),
                                      ("last", foreign, [3, 6, 7]), ({"min": "n"}, foreign + own, [1])):
                self.rules(*fields, primaryKey="id", foreignKeys=keys, keep=keep)
                self.clean("t.csv", "--memory", memory)
                lines = self.read("t.csv").decode().splitlines()
                self.assertEqual(self.read("t.clean.csv").decode().splitlines()[1:], [lines[one] for one in clean],
                                 (keep, memory, self.read("t.findings.jsonl")))

    def test_values_of_the_column_that_decides_spill(self):
        """Long values, in several runs of a file."""
        chance = random.Random(5)
        records = [(str(chance.randrange(700)), f"{chance.randrange(50):03}{'y' * 3000}{chance.randrange(3)}")
                   for _ in range(2_000)]
        self.write("t.csv", "id,v\n" + "".join(f"{id},{value}\n" for id, value in records))
        for keep in ({"max": "v"}, {"min": "v"}):
            self.rules("id", "v", primaryKey="id", keep=keep)
            refused = expected(records, {"primaryKey": [0]}, keep=keep, values=[value for _, value in records])
            for memory, threads in (("1G", 1), ("0", 2)):
                self.clean("t.csv", "--memory", memory, "--threads", threads)
                self.assertEqual(self.refusals(), refused)

    @slow
    def test_memory_of_many_sizes(self):
        """From 0 to more than enough: the set doubles its size, and is full at some point in the table."""
        records = list(self.records(8, 0.1))
        self.write("t.csv", self.csv(records))
        sizes = volume(["0", "100K", "400K", "1600K", "1G"],
                       ["0", "40K", "100K", "200K", "400K", "800K", "1600K", "3M", "1G"])
        for case, keep in itertools.product(("one", "several"), ("first", "last", {"max": "day"})):
            with self.subTest(case, keep=keep):
                options = [["--memory", size, "--threads", threads] for size in sizes for threads in "14"]
                self.check(records, case, keep, options)

    @slow
    def test_annotated_and_limited_findings_are_the_same_in_two_passes(self):
        records = list(self.records(9, 0.3))
        text = self.csv(records).replace("v12", "w\xe912").encode("latin-1")
        self.write("t.csv", text)
        self.rules(*self.FIELDS, primaryKey="id", uniqueKeys=[["text", "day"]])
        for more in (["--annotate"], ["--max-findings", "100"], ["--max-findings", "0"],
                     ["--annotate", "--show-values"],
                     ["--head", ROWS // 2], ["--compress", "gzip"], ["--findings", "t.findings.csv"]):
            with self.subTest(more):
                outcomes = []
                for memory, threads in volume((("1G", 1), ("0", 7), ("300K", 2)),
                                              (("1G", 1), ("1G", 7), ("0", 1), ("0", 7), ("300K", 2))):
                    self.clean("t.csv", "--memory", memory, "--threads", threads, *more)
                    report = self.report("t.report.json")
                    kept = {key: report[key] for key in ("inputs", "columns", "keys", "structure", "findings")}
                    outcomes.append((self.outputs(), kept))
                for other in outcomes[1:]:
                    self.assertEqual(other, outcomes[0])

    def test_json_lines(self):
        records = list(self.records(5, 0.3))
        lines = []
        for id, text, day in records:
            line = {"id": id, "o": {"text": text}} if id is not None else {"o": {"text": text}}
            lines.append(json.dumps(line | {"day": day and f"{day:%d/%m/%Y}"}) + "\n")
        self.write("t.jsonl", "".join(lines))
        fields = [self.FIELDS[0], {"name": "o.text"}, self.FIELDS[2]]
        for keep, memory in itertools.product(("first", "none", "last", {"max": "o.text"}), ("1G", "0")):
            self.rules(*fields, primaryKey="id", uniqueKeys=[["o.text", "day"]], keep=keep)
            self.clean("t.jsonl", "--memory", memory, "--annotate", "--show-values")
            keys = {"primaryKey": [0], "uniqueKeys.1": [1, 2]}
            refused = expected(records, keys, ["primaryKey"], keep, [text for _, text, _ in records])
            self.assertEqual(self.refusals(), refused)
            self.assertEqual(
                self.read("t.clean.jsonl").decode(),
                "".join(line for number, line in enumerate(lines, 1) if number not in refused))
            rejects = [json.loads(line) for line in self.read("t.rejects.jsonl").splitlines()]
            self.assertEqual([each["_line"] for each in rejects], sorted(refused))
            self.assertEqual(
                [each["_reasons"] for each in rejects],
                [[id for id, _ in refused[number]] for number in sorted(refused)])

    def test_equality_of_json_values_by_type(self):
        cases = [
            ({"type": "number"}, ["1", "1.0", "10e-1", "2"], [2, 3]),
            # JSON has its own true and false.
            ({"type": "boolean", "trueValues": ["ja"], "falseValues": ["nein"]}, ["true", "false", "true"], [3]),
        ]
        for field, values, refused in cases:
            with self.subTest(field):
                self.rules(field | {"name": "v", "constraints": {"unique": True}})
                self.write("t.jsonl", "".join(f'{{"v": {value}}}\n' for value in values))
                self.clean("t.jsonl")
                self.assertEqual(sorted(self.refusals()), refused)

    def test_json_lines_that_are_all_bad(self):
        self.rules("a", primaryKey="a")
        self.write("t.jsonl", "x\n\n[]\n")
        for more in ([], ["--memory", "0"], ["--show-values"]):
            self.clean("t.jsonl", *more)
            self.assertEqual(self.read("t.clean.jsonl"), b"")

    def test_several_files_as_one(self):
        records = list(self.records(6, 0.2))
        text = self.csv(records).splitlines(keepends=True)
        first, last = ROWS // 4, ROWS * 3 // 4
        pieces = [text[1 : first + 1], [], text[first + 1 : last], text[last:]]
        names = []
        for number, piece in enumerate(pieces):
            content = (text[0] + "".join(piece)).encode()
            names.append(self.write(f"t-{number}.csv.gz", gzip.compress(content)) if number == 2
                         else self.write(f"t-{number}.csv", content))
        self.rules(*self.FIELDS, primaryKey="id", uniqueKeys=[["text", "day"]])
        refused = expected(records, {"primaryKey": [0], "uniqueKeys.1": [1, 2]}, ["primaryKey"])
        before = None
        for memory, threads in (("1G", 1), ("1G", 7), ("0", 2), ("250K", 3)):
            self.clean(*names, "--as-one", "--memory", memory, "--threads", threads)
            self.assertEqual(self.refusals(), refused)
            before = before or self.outputs()
            self.assertEqual(self.outputs(), before)
        # The message names the file if it is a different one.
        for finding in self.findings("t.findings.jsonl"):
            words = finding["message"].split()
            if finding["code"] != "unique":
                continue
            number = int(words[2]) - 1
            home = next(index for index, end in enumerate((first, first, last - 1, ROWS)) if number < end)
            is_named = len(words) > 5
            self.assertEqual(is_named, names[home] != finding["input"], finding)
            if is_named:
                self.assertEqual(words[-1], names[home] + ")")

    def test_a_pipe(self):
        records = list(self.records(7, 0.2))
        self.rules(*self.FIELDS, primaryKey="id")
        refused = expected(records, {"primaryKey": [0]}, ["primaryKey"])
        text = self.csv(records)
        clean = "".join(
            line for number, line in enumerate(text.splitlines(keepends=True)) if number not in refused)
        for memory in ("1G", "0", "100K"):
            outcome = self.clean("-", "--rejects", "none", "--memory", memory, stdin=text)
            self.assertEqual(outcome.text, clean)

    # The temporary file of keys

    def test_a_killed_run_leaves_no_files(self):
        os.mkdir(self.path("tmp"))
        self.rules({"name": "a", "constraints": {"unique": True}}, "b")
        process = self.start(
            "clean", "-", "-r", "rules.json", "--rejects", "none", "--memory", "0", "--temp-dir", "tmp",
            stdout=subprocess.DEVNULL)
        process.stdin.write(b"a,b\n" + b"".join(b"%d,x\n" % number for number in range(300_000)))
        process.stdin.flush()

        def writes():
            links = []
            for name in os.listdir(f"/proc/{process.pid}/fd"):
                try:
                    links.append(os.readlink(f"/proc/{process.pid}/fd/{name}"))
                except OSError:
                    pass
            return any(str(self.path("tmp")) in link for link in links)

        wait_until(writes, "it has begun to write keys")
        self.assertEqual(os.listdir(self.path("tmp")), [])
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_a_directory_that_cannot_be_written_to(self):
        self.rules({"name": "a", "constraints": {"unique": True}}, "b")
        self.write("t.csv", "a,b\n1,1\n1,2\n")
        usual = environment(TMPDIR="no/such")
        outcome = self.clean("t.csv", "--memory", "0", status=3, env=usual)
        self.assertIn("cannot create a temporary file in no/such: No such file or directory", outcome.err)
        self.assertIn("--temp-dir", outcome.err)
        self.assertFalse(self.exists("t.clean.csv"))
        # If there is enough memory, the directory is not used.
        self.clean("t.csv", env=usual)
        # An explicit directory must exist in any case.
        self.write("file", "")
        for given in ("no/such", "file"):
            outcome = self.clean("t.csv", "--temp-dir", given, status=2)
            self.assertIn(f"--temp-dir takes a directory, but there is no directory at '{given}'.", outcome.err)

    def test_invalid_sizes(self):
        self.rules({"name": "a", "constraints": {"unique": True}})
        self.write("t.csv", "a\n1\n")
        outcome = self.clean("t.csv", "--memory", "many", status=2)
        self.assertIn("--memory takes a size such as 512M or 2G, not 'many'", outcome.err)

    # Rule files

    def test_mistakes(self):
        cases = [
            ({"primaryKey": "idd"}, "'primaryKey' names 'idd', which is no field", None),
            ({"primaryKey": []}, "'primaryKey' names no field", None),
            ({"uniqueKeys": ["id"]}, None, None),
            ({"uniqueKeys": "id"}, "expected a list of keys, found", "write [["),
            ({"uniqueKeys": [["id", "id"]]}, "the key 1 of 'uniqueKeys' names 'id' twice", None),
            ({"uniqueKeys": [["id"], ["x"]]}, "the key 2 of 'uniqueKeys' names 'x', which is no field", None),
            ({"primaryKey": "id", "keep": "best"}, "unknown keep 'best'",
             "known are first, last, none, {max: COLUMN}, {min: COLUMN}"),
            ({"primaryKey": "id", "keep": "max"}, "'keep: max' names no column", "write {max: COLUMN}"),
            ({"primaryKey": "id", "keep": {"max": "idd"}}, "'keep' names 'idd', which is no field",
             "add it to 'fields': - name: idd"),
            ({"primaryKey": "id", "keep": {"maximum": "id"}}, "unknown key 'maximum' in keep", "did you mean 'max'?"),
            ({"primaryKey": "id", "keep": {"max": "id", "min": "id"}}, "'keep' has one of max and min", None),
            ({"primaryKey": "id", "keep": {}}, "'keep' has one of max and min", None),
            ({"fields": [{"name": "id"}, {"name": "b", "type": "boolean"}], "primaryKey": "id", "keep": {"max": "b"}},
             "'keep' names 'b', and a boolean has no order", "name another column"),
            ({"fields": [{"name": "id"}, {"name": "b", "type": "duration"}], "primaryKey": "id", "keep": {"min": "b"}},
             "'keep' names 'b', and durations such as P1M and P30D cannot be compared", None),
            ({"keep": "none"}, "'keep' without a key", None),
        ]
        self.write("t.csv", "id\n1\n")
        for more, message, advice in cases:
            with self.subTest(more):
                self.rules("id", **more)
                outcome = self.clean("t.csv", status=0 if message is None else 2)
                self.assertIn(message or "", outcome.err)
                self.assertIn(advice or "", outcome.err)

    def test_a_list_is_no_key(self):
        self.rules("tags[]", primaryKey="tags[]")
        self.write("t.jsonl", '{"tags":["a"]}\n')
        outcome = self.clean("t.jsonl", status=2)
        self.assertIn("the key primaryKey is of the list 'tags[]'", outcome.err)
        self.rules("id", "tags[]", primaryKey="id", keep={"max": "tags[]"})
        self.assertIn("the key keep is of the list 'tags[]'", self.clean("t.jsonl", status=2).err)

    def test_findings_and_report_match_their_schemas(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("there is no jsonschema")
        self.rules({"name": "a", "constraints": {"unique": True}}, "b", primaryKey="b", uniqueKeys=[["a", "b"]])
        self.write("t.csv", "a,b\n1,1\n1,2\n2,1\n3,\n")
        self.clean("t.csv")
        for name, values in (("report", [self.report("t.report.json")]), ("finding", self.findings("t.findings.jsonl")),
                             ("rules", [self.report("t.report.json")["rules"]])):
            schema = json.loads((ROOT / f"Docs/assay-{name}.schema.json").read_text())
            for value in values:
                jsonschema.Draft202012Validator(schema).validate(value)

    def test_stop_after_and_thresholds_count_records_rejected_by_keys(self):
        self.write("s.yaml", """
fields:
  - {name: id, type: integer}
  - {name: email, constraints: {unique: true}}
thresholds: {columns: {email: 0}, rules: {email.unique: 3}}
""")
        # Of every ten records, one has an invalid integer, and seven have an address that other records have as well.
        rows = [f"{'x' if n % 10 == 9 else n},{'same' if n % 10 < 8 else n}\n" for n in range(40_000)]
        self.write("s.csv", "id,email\n" + "".join(rows))
        # If all duplicates are rejected, this is known only at the end: the fifth record that is rejected for its
        # values is the 50th.
        counts = {"first": "5 rejected records of 6 records (83.33 %)", "none": "45 rejected records of 50 records",
                  "last": "44 rejected records of 50 records", "{max: id}": "44 rejected records of 50 records"}
        for keep, text in counts.items():
            self.write("k.yaml", self.read("s.yaml").decode() + f"keep: {keep}\n")
            for threads in (1, 2, 7):
                outcome = self.assay(
                    "clean", "s.csv", "-r", "k.yaml", "-q", "--force", "--stop-after", 5,
                    "--threads", threads, status=1)
                self.assertIn(f"stopped after {text}", outcome.err)
                self.assertFalse(self.path("s.clean.csv").exists())
        self.assay("clean", "s.csv", "-r", "s.yaml", "-q", status=1)
        found = {entry["name"]: entry for entry in self.report("s.report.json")["thresholds"]}
        self.assertEqual((found["email"]["measured"], found["email"]["exceeded"]), (31_999, True))
        self.assertEqual((found["email.unique"]["measured"], found["email.unique"]["exceeded"]), (31_999, True))

    def test_stop_after_is_the_table_up_to_there(self):
        random.seed(23)
        self.rules({"name": "a", "type": "integer"}, "b", "c", primaryKey="a", uniqueKeys=["b"], foreignKeys=[
            {"fields": "c", "reference": {"resource": "o.csv", "fields": "x"}}])
        self.write("o.csv", "x\n" + "".join(f"{each}\n" for each in range(95)))
        rows = [
            f"{random.choice(['x', '', each, each, each, each // 2])},{random.randrange(90_000)},"
            f"{random.randrange(100)}\n"
            for each in range(30_000)]
        self.write("t.csv", "a,b,c\n" + "".join(rows))
        self.assay("check", "t.csv", "-r", "rules.json", "-q", "--findings", "all.jsonl", status=1)
        everything = self.findings("all.jsonl")
        rejected = sorted({each["record"] for each in everything})
        for count in volume((2, 9_001, len(rejected) + 1), (1, 2, 77, 2_000, 9_001, len(rejected), len(rejected) + 1)):
            for threads in (1, 3):
                outcome = self.assay(
                    "check", "t.csv", "-r", "rules.json", "-q", "--findings", "some.jsonl", "--force",
                    "--stop-after", count, "--threads", threads, status=1)
                if count > len(rejected):
                    self.assertNotIn("stopped", outcome.err)
                    continue
                last = rejected[count - 1]
                self.assertIn(f"stopped after {count:,} rejected record", outcome.err)
                self.assertIn(f" of {last:,} record", outcome.err)
        outcome = self.assay(
            "check", "t.csv", "-r", "rules.json", "-q", "--stop-after", 9_001, "--memory", "1M", status=2)
        self.assertEqual(
            outcome.err,
            "assay: error: the keys have no room in the memory for keys, and --stop-after counts the records that "
            "they refuse\n  hint: without --stop-after they are decided at the end\n        "
            "allow more with --memory\n")

    def test_a_run_that_keys_can_stop_ends_where_blocks_have_several_chunks(self):
        # The first records determine the length of a block. With many short records, a block has several chunks, and a
        # worker must not begin a later one after the run has stopped.
        self.rules({"name": "a", "type": "integer"}, primaryKey="a")
        lines = [f"{10**6 + n},{'x' * 31}\n" for n in range(2_000)]
        lines += [f"{'bad' if 58_000 <= n < 58_050 else 100_000 + n},x\n" for n in range(400_000)]
        self.write("t.csv", "a,b\n" + "".join(lines))
        for threads in (1, 2, 4):
            outcome = self.assay(
                "check", "t.csv", "-r", "rules.json", "-q", "--stop-after", 20, "--threads", threads, status=1)
            self.assertIn("stopped after 20 rejected records of 60,020 records", outcome.err)

    def test_thresholds_of_columns_count_a_record_once(self):
        self.rules(
            {"name": "a", "type": "integer", "constraints": {"unique": True, "maximum": 5}}, "b",
            uniqueKeys=[["a", "b"], ["a"]], thresholds={"columns": {"a": 2, "b": 0}})
        self.write("t.csv", "a,b\n1,1\n1,1\n9,2\n2,3\nx,\n1,\n")
        self.clean("t.csv", status=1)
        found = {entry["name"]: entry["measured"] for entry in self.report("t.report.json")["thresholds"]}
        self.assertEqual(found, {"a": 4, "b": 0})

    def test_rules_in_json_are_the_same_rules(self):
        self.rules(
            {"name": "a", "constraints": {"unique": True, "required": True}}, "b", primaryKey="b",
            uniqueKeys=[["a", "b"]], keep="none")
        self.write("t.csv", "a,b\n1,1\n")
        self.clean("t.csv")
        rules = self.report("t.report.json")["rules"]
        self.assertEqual(rules["fields"][0]["constraints"], {"required": True, "unique": True})
        self.assertEqual((rules["primaryKey"], rules["uniqueKeys"], rules["keep"]), (["b"], [["a", "b"]], "none"))
        self.write("again.json", json.dumps(rules))
        self.clean("t.csv", rules="again.json")
        self.assertEqual(self.report("t.report.json")["rules"], rules)


if __name__ == "__main__":
    unittest.main()
