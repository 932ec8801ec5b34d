"""Rules between columns (`rows:`), in the Common Expression Language."""

import json
import random
import unittest
from datetime import datetime, timedelta, timezone

from support import SLOW, CommandTest, processor_time, volume

RULES = """
fields:
  - {name: id, type: integer}
  - {name: start, type: date}
  - {name: end, type: date}
  - {name: country}
  - {name: vat, constraints: {pattern: '[A-Z]{2}[0-9]+'}}
  - {name: net, type: number}
  - {name: tax, type: number}
  - {name: gross, type: number}
rows:
  - {id: dates, check: end >= start, message: ends before it starts}
  - {id: vat, check: "country != 'DE' || has(vat)"}
  - {id: sum, check: net + tax == gross}
  - {id: large, check: gross < 1000, severity: warn}
"""

HEADER = "id,start,end,country,vat,net,tax,gross\n"


class Rows(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("r.yaml", RULES)

    def findings(self, name):
        return [json.loads(line) for line in self.read(f"{name}.findings.jsonl").splitlines()]

    def test_records_are_split_by_rules_between_their_columns(self):
        lines = [
            "1,2026-01-01,2026-02-01,DE,DE1,1.10,0.20,1.30\n",
            "2,2026-02-01,2026-01-01,DE,DE1,1,2,3\n",
            "3,2026-01-01,,DE,,0.1,0.2,0.30\n",
            "4,,2026-01-01,FR,,1,2,3.01\n",
            "5,2026-02-01,2026-01-01,DE,,1,1,9\n",
            "6,x,2026-01-01,DE,de1,1,1,2\n",
            "7,2026-01-01,2026-01-01,FR,,999,1,1000\n",
        ]
        self.write("a.csv", HEADER + "".join(lines))
        self.assay("clean", "a.csv", "-r", "r.yaml", "-q", status=0)
        self.assertEqual(self.read("a.clean.csv").decode(), HEADER + lines[0] + lines[6])
        found = [(f["record"], f["rule"], f["code"], f["column"], f["severity"]) for f in self.findings("a")]
        self.assertEqual(found, [
            (2, "dates", "row", None, "reject"), (3, "vat", "row", None, "reject"), (4, "sum", "row", None, "reject"),
            (5, "dates", "row", None, "reject"), (5, "vat", "row", None, "reject"), (5, "sum", "row", None, "reject"),
            (6, "start.type", "type", "start", "reject"), (6, "vat.pattern", "pattern", "vat", "reject"),
            (7, "large", "row", None, "warn"),
        ])
        first = self.findings("a")[0]
        self.assertEqual((first["line"], first["offset"], first["message"]),
                         (3, len(HEADER + lines[0]), "ends before it starts"))
        rows = {rule["id"]: rule for rule in self.report("a.report.json")["rows"]}
        self.assertEqual([rows[name]["failed"] for name in ("dates", "vat", "sum", "large")], [2, 2, 2, 0])
        self.assertEqual(rows["large"]["warned"], 1)

    def test_any_number_of_threads_and_annotated_rejects(self):
        chance = random.Random(7)
        content = HEADER
        expected = set()
        for number in range(volume(9_000, 18_000)):
            start, end = (f"20{chance.randrange(10, 99)}-0{chance.randrange(1, 9)}-1{chance.randrange(9)}"
                          for _ in "ab")
            net, tax = chance.randrange(10_000), chance.randrange(1000)
            gross = net + tax + chance.choice([0, 0, 0, 1])
            content += f"{number},{start},{end},FR,,{net / 100},{tax / 100:.2f},{gross / 100:.3f}\n"
            if end < start or gross != net + tax:
                expected.add(number)
        self.write("a.csv", content)
        seen = set()
        for threads in (1, 2, 7):
            self.assay("clean", "a.csv", "-r", "r.yaml", "-q", "--force", "--annotate", "--threads", threads)
            seen.add((self.read("a.clean.csv"), self.read("a.rejects.csv"), self.read("a.findings.jsonl")))
        self.assertEqual(len(seen), 1)
        rejected = self.read("a.rejects.csv").decode().splitlines()[1:]
        self.assertEqual({int(line.split(",")[0]) for line in rejected}, expected)
        self.assertTrue(all(line.rsplit(",", 1)[1] in ("dates", "sum", "dates;sum", "dates sum") for line in rejected),
                        rejected[:3])

    def test_json_lines(self):
        self.write("r.json.yaml", """
fields:
  - {name: a.price, type: number}
  - {name: a.paid, type: number}
  - {name: kind}
  - {name: ok, type: boolean}
rows:
  - {id: paid, check: "kind != 'done' || a.paid >= a.price"}
  - {id: ok, check: "ok || has(kind)"}
""")
        lines = ['{"kind":"done","a":{"price":1.5,"paid":1.50},"ok":true}',
                 '{"kind":"done","a":{"price":2,"paid":1.5}}',
                 '{"kind":"open","a":{"price":2,"paid":1}}', '{"ok":false}',
                 '{"ok":true,"kind":"d\\u006fne","a":{"price":3,"paid":1}}']
        self.write("a.jsonl", "\n".join(lines) + "\n")
        self.assay("clean", "a.jsonl", "-r", "r.json.yaml", "-q", "--show-values", status=0)
        self.assertEqual([(f["record"], f["rule"]) for f in self.findings("a")], [(2, "paid"), (4, "ok"), (5, "paid")])

    def test_mistakes_have_a_place(self):
        cases = {
            "end >= start_": ("there is no column 'start_'", "did you mean 'start'?"),
            "last_seen_at > end": ("the rules have no field 'last_seen_at'",
                                   "add it to 'fields': - name: last_seen_at"),
            "end >= country": ("", ""),
            "net +": ("", ""),
            "{'a': 1}.a == net": ("map", ""),
        }
        for check, (message, hint) in cases.items():
            with self.subTest(check=check):
                self.write("bad.yaml", RULES + f'  - {{id: bad, check: "{check}"}}\n')
                outcome = self.assay("rules", "check", "bad.yaml", status=2)
                self.assertIn("bad.yaml:16:", outcome.err)
                self.assertIn(message, outcome.err)
                self.assertIn(hint, outcome.err)
        self.write("bad.yaml", RULES + "  - {id: bad, check: 'net > 0', unit: EUR}\n")
        error = self.assay("rules", "check", "bad.yaml", status=2).err
        self.assertIn("unknown key 'unit' in a row rule", error)
        self.assertIn("known are id, check, message, severity", error)
        self.write("bad.yaml", RULES + "  - {id: dates, check: 'net > 0'}\n")
        self.assertIn("a second rule with the id 'dates'", self.assay("rules", "check", "bad.yaml", status=2).err)

    def test_rows_over_lists_are_refused(self):
        self.write("bad.yaml",
                   "fields: [{name: 'items[].price', type: number}]\nrows: [{check: \"row['items[].price'] > 0\"}]\n")
        self.assertIn("each element of a list", self.assay("rules", "check", "bad.yaml", status=2).err)

    def test_bench_shows_their_cost(self):
        self.write("a.csv", HEADER + "1,2026-01-01,2026-02-01,DE,DE1,1.10,0.20,1.30\n" * 1000)
        out = self.assay("bench", "a.csv", "-r", "r.yaml", status=0).out.decode()
        for rule in ("dates", "sum"):
            self.assertRegex(out, rf"(?m)^\s*{rule}\b.*\d")

    def test_a_column_that_the_file_lacks_has_no_values(self):
        self.write("p.yaml", """
fieldsMatch: partial
fields: [{name: id}, {name: other}, {name: number, type: number}]
rows:
  - {check: "size(other) > 3"}
  - {check: "other.matches('x') || other.contains(id) || other < id"}
  - {check: "number > 1"}
  - {check: "!has(other) && !has(number)"}
""")
        self.write("a.csv", "id\n" + "".join(f"{n}\n" for n in range(5000)))
        self.assay("check", "a.csv", "-r", "p.yaml", status=0)

    def test_missing_cells_of_one_part_are_not_those_of_another(self):
        fields = ("fields: [{name: a, type: integer}, {name: b, type: integer}, {name: c, type: integer}, {name: d, "
                  "type: integer}]\n")
        self.write("r.yaml", fields + "rows: [{id: r, check: 'a + b > 10 && c + d < 100'}, {id: s, check: '2 * (a + "
                                      "b) <= c + d'}]\n")
        self.write("a.csv", "a,b,c,d\n1,1,,5\n,9,1,1\n")
        self.assay("clean", "a.csv", "-r", "r.yaml", "-q", status=0)
        self.assertEqual([(f["record"], f["rule"]) for f in self.findings("a")], [(1, "r")])

    def test_failed_computations_are_reported(self):
        self.write("r.yaml", "fields: [{name: a, type: integer}, {name: d, type: date}, {name: e, type: date}]\nrows:\n"
                   "  - {id: r, check: 10 / a > 1}\n  - {id: s, check: \"e - d >= duration('0s')\"}\n")
        self.write("a.csv", "a,d,e\n0,,\n5,1700-01-01,2024-01-01\n4,2023-01-01,2024-01-01\n")
        outcome = self.assay("check", "a.csv", "-r", "r.yaml", "--findings", "a.findings.jsonl", status=1)
        found = self.findings("a")
        self.assertEqual([(f["record"], f["rule"], f["code"]) for f in found],
                         [(1, "r", "undecided"), (2, "s", "undecided")])
        self.assertIn("a part of 10 / a > 1 has no value", found[0]["message"])
        self.assertNotIn("the record the record", outcome.text)

    def test_explain_shows_how_a_rule_runs(self):
        out = self.assay("explain", "--rules", "r.yaml", "sum", status=0).out.decode()
        self.assertIn("columns  net: number, tax: number, gross: number\n", out)
        self.assertIn("runs     over columns", out)
        self.assertNotIn("dates", out)
        self.write("slow.yaml", RULES + "  - {id: slow, check: \"[net, tax].all(x, x > 0)\"}\n")
        self.assertIn("record by record", self.assay("explain", "-r", "slow.yaml", "slow", status=0).out.decode())
        self.assertIn("did you mean 'dates'?", self.assay("explain", "-r", "r.yaml", "date", status=2).err)
        self.assertIn("<pattern>", self.assay("explain", status=2).err)

    def test_a_long_list_costs_no_more_than_a_short_one(self):
        numbers = ", ".join(str(n * 3) for n in range(9_000))
        self.write("long.yaml", f"fields: [{{name: id, type: integer}}]\nrows: [{{check: 'id in [{numbers}]'}}]\n")
        self.write("a.csv", "id\n" + "".join(f"{n}\n" for n in range(27_000)))
        self.assay("check", "a.csv", "-r", "long.yaml", "-q", "--report", "r.json",
                   "--findings", "a.findings.jsonl", status=1)
        # A finding does not repeat a long expression completely.
        self.assertLess(len(self.findings("a")[0]["message"]), 100)
        self.assertEqual(self.report("r.json")["inputs"][0]["rejected"], 18_000)

    def test_rules_come_back_as_they_were(self):
        self.write("a.csv", HEADER)
        self.assay("check", "a.csv", "-r", "r.yaml", "-q", "--report", "r.json", status=0)
        rules = self.report("r.json")["rules"]
        self.assertEqual(rules["rows"][0], {"id": "dates", "check": "end >= start", "message": "ends before it starts"})
        self.write("again.json", json.dumps(rules))
        self.assay("rules", "check", "again.json", status=0)


class CurrentTime(CommandTest):
    """`now()` and `today()`: one time for all records, files and threads of a run."""

    def setUp(self):
        super().setUp()
        self.write("r.yaml", """
            fields: [{name: at, type: datetime}, {name: day, type: date}]
            rows:
              - {id: past, check: at <= now()}
              - {id: day, check: day <= today()}
            """)

    def rejected(self, *arguments):
        """The numbers of the rejected records."""
        self.assay("clean", "a.csv", "-r", "r.yaml", "-q", "--force", *arguments, status=0)
        return sorted({(f["record"], f["rule"]) for f in self.findings("a.findings.jsonl")})

    def test_a_given_time(self):
        self.write("a.csv", "at,day\n"
                   "2024-02-29T12:30:00Z,2024-02-29\n2024-02-29T12:30:01Z,2024-02-29\n"
                   "2024-02-29T13:30:00+01:00,2024-03-01\n,\n")
        for now, expected in [
            ("2024-02-29T12:30:00Z", [(2, "past"), (3, "day")]),
            ("2024-02-29T13:30:00.5+01:00", [(2, "past"), (3, "day")]),
            ("2024-02-28T23:59:59.999999999Z",
             [(1, "day"), (1, "past"), (2, "day"), (2, "past"), (3, "day"), (3, "past")]),
            ("2024-03-01T00:00:00Z", []),
        ]:
            self.assertEqual(self.rejected("--now", now), expected, now)
        self.assertEqual(self.report("a.report.json")["now"], "2024-03-01T00:00:00Z")

    def test_all_records_have_one_time(self):
        """The plain definition: each value is compared with the time of the report."""
        begin = datetime.now(timezone.utc)
        times = [begin + timedelta(milliseconds=step) for step in range(0, 4000, 2)]
        text = "at,day\n" + "".join(f"{time.isoformat(timespec='microseconds')},\n" for time in times)
        self.write("a.csv", text)
        self.write("b.csv", text)
        found = []
        for threads in 1, 2:
            self.assay("clean", "a.csv", "b.csv", "-r", "r.yaml", "-q", "--force", "--threads", threads, status=0)
            reports = [self.report(f"{name}.report.json") for name in "ab"]
            self.assertEqual(reports[0]["now"], reports[1]["now"])
            now = datetime.fromisoformat(reports[0]["now"][:26].rstrip("Z") + "+00:00")
            self.assertLessEqual(begin, now)
            expected = sum(time > now for time in times)
            self.assertEqual([report["inputs"][0]["rejected"] for report in reports], [expected] * 2)
            found.append(now)
        self.assertLess(found[0], found[1])

    def test_the_time_is_reported_only_if_a_rule_needs_it(self):
        self.write("a.csv", "at\n2024-02-29T12:30:00Z\n")
        self.write("r.yaml", "fields: [{name: at, type: datetime}]")
        self.rejected("--now", "2024-02-29T12:30:00Z")
        self.assertNotIn("now", self.report("a.report.json"))

    def test_the_time_of_rules_on_the_table(self):
        self.write("a.csv", "at\n2024-02-29T12:30:00Z\n")
        self.write("r.yaml", "fields: [{name: at, type: datetime}]\n"
                   "table: [{check: max(at) > now() - duration('24h')}]")
        check = ["check", "a.csv", "-r", "r.yaml", "-q", "--report", "r.json", "--force"]
        self.assay(*check, "--now", "2024-03-01T12:29:59Z", status=0)
        self.assay(*check, "--now", "2024-03-01T12:30:00Z", status=1)
        self.assertEqual(self.report("r.json")["now"], "2024-03-01T12:30:00Z")
        self.assay("check", "a.csv", "-r", "r.yaml", "-q", status=1)

    def test_mistakes(self):
        self.write("a.csv", "at,day\n")
        for now, words in [("2024-02-29", "write 2024-02-29T00:00:00Z"), ("noon", "such as 2024-02-29T12:30:00Z")]:
            self.assertIn(words, self.assay("check", "a.csv", "-r", "r.yaml", "--now", now, status=2).err)
        self.write("r.yaml", "{fields: [{name: at, type: datetime}], rows: [{check: at <= now}]}")
        self.assertIn("now()", self.assay("check", "a.csv", "-r", "r.yaml", status=2).err)


class RowLimits(CommandTest):
    """The work and memory for one rule and record are bounded, for any list."""

    CELLS = {"csv": 'l,t\n"{ints}","{texts}"\n', "jsonl": '{{"l": [{ints}], "t": [{texts}]}}\n'}
    STEPS = "cannot be decided: {} takes over 1000000 steps"
    BYTES = "cannot be decided: {} takes over 16777216 bytes of memory (limit row-rule-bytes)"
    # The fourth nesting level is never reached.
    CHECKS = [
        ("l.map(x, l).size() > 0", None), ("l.all(d, d >= l[0])", None),
        ("l.exists(x, has(l) && x == -1) || l[0] == 0", None),
        ("l.map(x, l.map(y, l)).size() > 0", BYTES), ("l.all(a, l.all(b, l.all(c, l.all(d, d >= 0))))", STEPS),
        ("l.exists(a, l.exists(b, l.exists(c, l.exists(d, d < 0))))", STEPS),
        ("l.exists_one(a, l.exists_one(b, l.exists_one(c, c == a)))", STEPS),
        ("l.map(x, t.map(y, y + y)).size() > 0", BYTES), ("l.map(x, t + t).size() > 0", BYTES),
        ("t.filter(x, t.filter(y, y == x) == [x]) == t", STEPS),
    ]

    def rows(self, checks):
        fields = [{"name": "l", "type": "list", "itemType": "integer"}, {"name": "t", "type": "list", "optional": True}]
        return self.rules(*fields, rows=[{"id": f"r{number}", "check": check} for number, check in enumerate(checks)])

    def table(self, form, count):
        texts = [f"a text of more bytes than {number}" for number in range(count)]
        if form == "jsonl":
            texts = [json.dumps(text) for text in texts]
        content = self.CELLS[form].format(ints=",".join(map(str, range(count))), texts=",".join(texts))
        return self.write(f"l.{form}", content)

    def test_hostile_and_honest_rules_over_lists(self):
        rules = self.rows([check for check, _ in self.CHECKS])
        expected = [(f"r{number}", text.format(check)) for number, (check, text) in enumerate(self.CHECKS) if text]
        for form in self.CELLS:
            name = self.table(form, 5_000)
            flags = [[], ["--threads", "1"], ["--show-values"], ["--max-findings", "3"]]
            # Each run takes five seconds without optimization.
            for more in flags if SLOW else flags[:1] if form == "csv" else flags[3:]:
                with self.subTest(form=form, more=more):
                    start = processor_time()
                    self.assay("check", name, "-r", rules, "-q", "--findings", "f.jsonl", "--report", "r.json",
                               "--force", *more, status=1)
                    self.assertLess(processor_time() - start, 60)
                    found = [(finding["rule"], finding["message"]) for finding in self.findings("f.jsonl")]
                    self.assertEqual(found, expected[:3] if "--max-findings" in more else expected)
                    self.assertEqual({finding["code"] for finding in self.findings("f.jsonl")}, {"undecided"})
                    self.assertEqual([rule["undecided"] for rule in self.report("r.json")["rows"]],
                                     [int(text is not None) for _, text in self.CHECKS])

    def test_memory_stays_within_the_limit(self):
        name = self.table("csv", 12_000)
        base = self.peak("check", name, "-r", self.rows(["l[0] == 0"]), "-q")
        for check, undecided in self.CHECKS[:4] + self.CHECKS[7:]:
            with self.subTest(check):
                status = int(undecided is not None)
                self.assertLess(self.peak("check", name, "-r", self.rows([check]), "-q", status=status), base + 24)

    def test_the_limit_on_memory(self):
        self.write("l.jsonl", '{"l": [1, 2]}\n{"l": [%s]}\n{"l": []}\n' % ", ".join("7" * 2_000))
        rules = self.rows(["l.map(x, x + 1).all(x, x > 1)"])
        self.assay("check", "l.jsonl", "-r", rules, "-q", status=0)
        self.assay("check", "l.jsonl", "-r", rules, "-q", "--limit", "row-rule-bytes=64K",
                   "--findings", "f.jsonl", status=1)
        [finding] = self.findings("f.jsonl")
        self.assertEqual((finding["record"], finding["message"]),
                         (2, "cannot be decided: l.map(x, x + 1).all(x, x > 1) takes over 65536 bytes of memory "
                             "(limit row-rule-bytes)"))
        rules = self.rules({"name": "l", "type": "list", "itemType": "integer"}, limits={"row-rule-bytes": "1K"},
                           rows=[{"check": "l.size() < 100"}])
        self.assay("check", "l.jsonl", "-r", rules, "-q", status=1)
        self.assay("check", "l.jsonl", "-r", rules, "-q", "--limit", "row-rule-bytes=1M", status=1)

    def test_an_error_in_a_list_fails_the_record(self):
        self.write("i.csv", "i\n0\n1\n")
        checks = ["[1 / i].all(x, true)", "[1 / i, 2].exists(x, x == 2)"]
        rules = self.rules({"name": "i", "type": "integer"}, rows=[{"check": check} for check in checks])
        self.assay("check", "i.csv", "-r", rules, "-q", "--findings", "f.jsonl", status=1)
        self.assertEqual([(finding["record"], finding["rule"], finding["code"])
                          for finding in self.findings("f.jsonl")],
                         [(1, "rows.1", "undecided"), (1, "rows.2", "undecided")])


if __name__ == "__main__":
    unittest.main()
