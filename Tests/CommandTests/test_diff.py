"""assay diff: the records whose verdicts differ between two rule files. The model compares two runs of `check` and
`clean`."""

import gzip
import json
import random

from support import ROOT, CommandTest, volume, slow

OLD = """fields:
  - name: id
    type: integer
  - name: email
    constraints: {required: true}
  - name: born
    type: date
"""

NEW = """fields:
  - name: id
    type: integer
    constraints: {unique: true}
  - name: email
    format: email
  - name: born
"""

TABLE = """id,email,born
1,a@b.org,2001-02-03
2,nobody,2001-02-03
2,,2001-02-03
x,,2001-02-03
4,c@d.org,31.12.1999
5,nobody,none
"""

COUNTS = ["records", "leftOut", "acceptedByBoth", "rejectedByBoth", "rejectedNow", "acceptedNow", "otherRules",
          "cleanedOtherwise"]


class DiffTest(CommandTest):
    def lines(self, name):
        return [json.loads(line) for line in self.read(name).decode().splitlines()]

    def diff(self, *arguments, **more):
        """The comparison as JSON. Asserts that the exit status matches it."""
        outcome = self.assay("diff", *arguments, "--json", **more)
        self.assertEqual(outcome.error_bytes, b"")
        diff = json.loads(outcome.text)
        changed = sum(diff[name] for name in ("rejectedNow", "acceptedNow", "otherRules", "cleanedOtherwise"))
        self.assertEqual(outcome.status, 1 if changed else 0)
        return diff

    # The model

    def run_of(self, rules, *inputs):
        """The results of `check` and `clean` for a table: the rejecting findings and the changed cells, by record."""
        self.assay("check", *inputs, "-r", rules, "-q", "--force", "--findings", "m.jsonl", "--report", "m.json",
                   "--show-values", "--max-findings", 10**9)
        self.assay("clean", *inputs, "-r", rules, "-q", "--force", "--clean", "none", "--rejects", "none",
                   "--findings", "none", "--report", "none", "--changes", "c.jsonl", "--show-values", status=0)
        rejected, changed = {}, {}
        for finding in self.lines("m.jsonl"):
            if finding["severity"] == "reject":
                rejected.setdefault(finding["record"], []).append(finding)
        for change in self.lines("c.jsonl"):
            changed.setdefault(change["record"], []).append(change)
        inputs = self.report("m.json")["inputs"]
        self.assertEqual(sum(one["rejected"] for one in inputs), len(rejected))
        return sum(one["records"] for one in inputs), rejected, changed

    def model(self, old, new, *inputs, first=10):
        records, before, made = self.run_of(old, *inputs)
        _, now, makes = self.run_of(new, *inputs)
        diff = dict.fromkeys(COUNTS, 0) | {"records": records}
        rules, columns = {}, {}
        shown = {name: [] for name in COUNTS[4:]}

        def finding(one):
            return {key: one[key] for key in ("line", "offset", "column", "rule", "code", "message", "input", "value")
                    if key in one}

        def change(one):
            return {key: one[key] for key in ("line", "offset", "column", "repairs", "input", "before", "after")
                    if key in one}

        def count(kind, record, old_rules, new_rules):
            diff[kind] += 1
            for rule in old_rules:
                rules.setdefault(rule, dict.fromkeys(("rejectedNow", "acceptedNow", "added", "dropped"), 0))[
                    "dropped" if kind == "otherRules" else kind] += 1
            for rule in new_rules:
                rules.setdefault(rule, dict.fromkeys(("rejectedNow", "acceptedNow", "added", "dropped"), 0))[
                    "added" if kind == "otherRules" else kind] += 1
            shown[kind].append({
                "record": record, "old": [finding(one) for one in before.get(record, []) if one["rule"] in old_rules],
                "new": [finding(one) for one in now.get(record, []) if one["rule"] in new_rules]})

        for record in range(1, records + 1):
            was = {one["rule"] for one in before.get(record, [])}
            is_now = {one["rule"] for one in now.get(record, [])}
            if was and is_now:
                diff["rejectedByBoth"] += 1
                if was != is_now:
                    count("otherRules", record, was - is_now, is_now - was)
            elif is_now:
                count("rejectedNow", record, set(), is_now)
            elif was:
                count("acceptedNow", record, was, set())
            else:
                diff["acceptedByBoth"] += 1
                olds = {one["offset"]: one for one in made.get(record, [])}
                news = {one["offset"]: one for one in makes.get(record, [])}
                others = [place for place in sorted({*olds, *news})
                          if olds.get(place, {}).get("after") != news.get(place, {}).get("after")]
                if others:
                    diff["cleanedOtherwise"] += 1
                    sides = [[change(side[place]) for place in others if place in side] for side in (olds, news)]
                    for column in {one["column"] for side in sides for one in side}:
                        columns[column] = columns.get(column, 0) + 1
                    shown["cleanedOtherwise"].append({"record": record, "old": sides[0], "new": sides[1]})
        return diff, rules, columns, {kind: shown[kind][:first] for kind in shown}

    def assert_model(self, old, new, *inputs, flags=(), first=10):
        """The output of the command must equal that of the model, and must not depend on the number of threads."""
        counts, rules, columns, shown = self.model(old, new, *inputs, *flags, first=first)
        outputs = []
        for threads in (1, 2, 7):
            outcome = self.assay("diff", old, new, *inputs, *flags, "--json", "--show-values", "--threads", threads,
                                 "--first", first)
            self.assertEqual(outcome.error_bytes, b"")
            outputs.append((outcome.status, outcome.out))
        self.assertEqual(len(set(outputs)), 1)
        diff = json.loads(outputs[0][1])
        self.assertEqual({name: diff[name] for name in COUNTS}, counts)
        self.assertEqual({rule["id"]: {key: rule[key] for key in list(rule)[2:]} for rule in diff["rules"]}, rules)
        totals = [sum(list(rule.values())[2:]) for rule in diff["rules"]]
        self.assertEqual(totals, sorted(totals, reverse=True))
        self.assertEqual({column["name"]: column["cleanedOtherwise"] for column in diff["columns"]}, columns)
        self.assertEqual(diff["first"], shown)
        self.assertEqual(outputs[0][0], 1 if any(counts[name] for name in COUNTS[4:]) else 0)
        return diff


class OutputTests(DiffTest):
    def setUp(self):
        super().setUp()
        self.write("old.yaml", OLD)
        self.write("new.yaml", NEW)
        self.write("t.csv", TABLE)

    def test_names_that_differ_only_in_their_bytes(self):
        """A single character, and a letter with a combining mark: Swift's == considers them equal."""
        names = ["e\u0301", "\u00e9"]
        self.write("n.csv", ",".join(names) + "\n" + "x,x \n" * 3 + "x ,x\n" + "1,y\n")
        for name, repair in (("a", []), ("b", ["trim"])):
            self.rules(*({"name": column, "repair": repair} for column in names), name=f"{name}.json")
        diff = self.diff("a.json", "b.json", "n.csv")
        self.assertEqual([tuple(column.values()) for column in diff["columns"]], [(names[1], 3), (names[0], 1)])
        for name, pattern in (("a", "q"), ("b", ".*")):
            self.rules({"name": names[0], "rules": [{"id": f"r.{names[0]}", "pattern": pattern}]},
                       {"name": names[1], "rules": [{"id": f"r.{names[1]}", "pattern": "q"}]}, name=f"{name}.json")
        diff = self.diff("a.json", "b.json", "n.csv")
        self.assertEqual(len(diff["first"]["otherRules"]), 5)
        for record in diff["first"]["otherRules"]:
            self.assertEqual([[finding["rule"] for finding in record[side]] for side in ("old", "new")],
                             [[f"r.{names[0]}"], []])

    def test_the_text_in_full(self):
        outcome = self.assay("diff", "old.yaml", "new.yaml", "t.csv", status=1)
        self.assertEqual(outcome.err, "")
        self.assertEqual(outcome.text, """t.csv  old.yaml → new.yaml
  records                           6      100 %
  accepted by both                  1    16.67 %
    cleaned otherwise               0        0 %
  rejected by both                  2    33.33 %
    by other rules                  2    33.33 %
  rejected now                      1    16.67 %  accepted before
  accepted now                      2    33.33 %  rejected before

  records by rule
    rule            column  rejected now  accepted now  also now  no more
    email.required  email              ·             1         ·        1
    born.type       born               ·             1         ·        1
    email.format    email              1             ·         1        ·

  rejected now
    record 2
      + t.csv:3:37 email.format email is not an e-mail address: there is no @

  accepted now
    record 3
      - t.csv:4:57 email.required email is missing
    record 5
      - t.csv:6:93 born.type born is not a date (YYYY-MM-DD)

  rejected by other rules
    record 4
      - t.csv:5:71 email.required email is missing
    record 6
      - t.csv:7:113 born.type born is not a date (YYYY-MM-DD)
      + t.csv:7:106 email.format email is not an e-mail address: there is no @
""")

    def test_values_only_if_requested(self):
        plain = self.assay("diff", "old.yaml", "new.yaml", "t.csv", "--json", status=1).text
        self.assertNotIn("nobody", plain)
        self.assertNotIn("nobody", self.assay("diff", "old.yaml", "new.yaml", "t.csv", status=1).text)
        self.assertIn("there is no @: nobody\n",
                      self.assay("diff", "old.yaml", "new.yaml", "t.csv", "--show-values", status=1).text)
        self.assertIn('"value": "nobody"',
                      self.assay("diff", "old.yaml", "new.yaml", "t.csv", "--show-values", "--json", status=1).text)

    def test_nothing_changes(self):
        outcome = self.assay("diff", "old.yaml", "old.yaml", "t.csv", status=0)
        self.assertTrue(outcome.text.endswith("  no record changes\n"), outcome.text)
        self.assertEqual(self.diff("old.yaml", "old.yaml", "t.csv")["rules"], [])

    def test_cells_that_are_cleaned_otherwise(self):
        """These repairs do not change verdicts, but they change the output."""
        self.write("r.yaml", "fields:\n  - {name: email, repair: [trim]}\n")
        self.write("s.yaml", "fields:\n  - {name: email, repair: [trim, upper]}\n")
        self.write("t.csv", "id,email\n1, a \n2,B \n3,c\n4, D\n")
        self.assertEqual(self.assay("diff", "r.yaml", "s.yaml", "t.csv", "--show-values", status=1).text,
                         """t.csv  r.yaml → s.yaml
  records                           4      100 %
  accepted by both                  4      100 %
    cleaned otherwise               2    50.00 %
  rejected by both                  0        0 %
    by other rules                  0        0 %
  rejected now                      0        0 %  accepted before
  accepted now                      0        0 %  rejected before

  records cleaned otherwise, by column  3 cells repaired before, 4 now
    email                                         2

  cleaned otherwise
    record 1
      - t.csv:2:11 email trim a
      + t.csv:2:11 email trim, upper A
    record 3
      + t.csv:4:22 email upper C
""")
        self.assertNotIn("after", self.assay("diff", "r.yaml", "s.yaml", "t.csv", "--json", status=1).text)
        self.assertEqual(self.diff("r.yaml", "s.yaml", "t.csv", "--no-repair")["cleanedOtherwise"], 0)

    def test_how_many_are_shown(self):
        rows = "".join(f"{number},x,2001-02-03\n" for number in range(1000))
        self.write("t.csv", "id,email,born\n" + rows)
        for first, shown in (((), 10), (("--first", 0), 0), (("--first", 3), 3), (("--first", 5000), 1000)):
            diff = self.diff("old.yaml", "new.yaml", "t.csv", *first)
            self.assertEqual([record["record"] for record in diff["first"]["rejectedNow"]], list(range(1, shown + 1)))
            self.assertEqual(diff["rejectedNow"], 1000)
        text = self.assay("diff", "old.yaml", "new.yaml", "t.csv", status=1).text
        self.assertIn("\n  first rejected now of 1,000\n    record 1\n", text)

    def test_several_files(self):
        self.write("u.csv", "id,email,born\n1,a@b.org,2001-02-03\n")
        text = self.assay("diff", "old.yaml", "new.yaml", "u.csv", "t.csv", status=1).text
        self.assertTrue(text.startswith("u.csv  old.yaml → new.yaml\n"), text)
        self.assertIn("  no record changes\n\nt.csv  old.yaml → new.yaml\n", text)
        self.write("v.csv", "id\n1\n")
        outcome = self.assay("diff", "old.yaml", "new.yaml", "t.csv", "v.csv", status=2)
        self.assertEqual(outcome.text, "", "all of them are prepared before any is compared")
        self.assert_model("old.yaml", "new.yaml", "u.csv", "t.csv", flags=["--as-one"])
        self.assertIn("\n      - t.csv:4:57 ",
                      self.assay("diff", "old.yaml", "new.yaml", "u.csv", "t.csv", "--as-one", status=1).text)

    def test_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("there is no jsonschema")
        schema = json.loads((ROOT / "Docs/assay-diff.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        self.write("r.yaml", "fields:\n  - {name: email, repair: [upper]}\n")
        for rules in (("old.yaml", "new.yaml"), ("old.yaml", "r.yaml"), ("r.yaml", "old.yaml")):
            for flags in ((), ("--show-values",)):
                validator.validate(self.diff(*rules, "t.csv", *flags))


class InputTests(DiffTest):
    """All inputs that `check` accepts."""

    def setUp(self):
        super().setUp()
        self.write("old.yaml", OLD)
        self.write("new.yaml", NEW)
        self.write("t.csv", TABLE)
        self.expected = self.diff("old.yaml", "new.yaml", "t.csv") | {"inputs": None}

    def assert_same(self, *arguments, **more):
        self.assertEqual(self.diff("old.yaml", "new.yaml", *arguments, **more) | {"inputs": None}, self.expected)

    def test_pipes(self):
        """Pipes are copied first, because they are read twice."""
        self.path("temp").mkdir()
        self.assert_same("-", "--temp-dir", "temp", stdin=TABLE)
        self.assert_same("/dev/stdin", stdin=TABLE)
        self.assertEqual(self.files(), ["new.yaml", "old.yaml", "t.csv"])
        piped = self.shell("cat t.csv | assay diff old.yaml new.yaml - --json", status=1).text
        self.assertEqual(json.loads(piped) | {"inputs": None}, self.expected)
        self.assertEqual(self.shell("assay diff old.yaml new.yaml <(cat t.csv) --json", status=1).err, "")
        self.assertEqual(self.shell("assay diff old.yaml new.yaml - --json < t.csv", status=1).text, piped)
        self.assertTrue(self.assay("diff", "old.yaml", "new.yaml", "-", stdin=TABLE, status=1).text.startswith(
            "standard input  old.yaml → new.yaml\n"))

    def test_packed_and_encoded(self):
        self.write("t.csv.gz", gzip.compress(TABLE.encode()))
        self.assert_same("t.csv.gz")
        self.assert_same("-", stdin=gzip.compress(TABLE.encode()))
        self.write("u.csv", TABLE.encode("utf-16"))
        self.assert_same("u.csv")

    def test_dialects(self):
        self.write("s.csv", TABLE.replace(",", ";"))
        self.assert_same("s.csv")
        self.assert_same("s.csv", "--delimiter", ";")
        self.write("h.csv", TABLE.split("\n", 1)[1])
        self.assertEqual(self.diff("old.yaml", "new.yaml", "h.csv", "--no-header")["rejectedNow"], 1)
        self.assertEqual(self.diff("old.yaml", "new.yaml", "t.csv", "--head", "2")["records"], 2)

    def test_a_sample(self):
        self.write("t.csv", "id,email,born\n" + "".join(f"{n},x{n % 7},2001-02-03\n" for n in range(5000)))
        half = self.diff("old.yaml", "new.yaml", "t.csv", "--sample", "50%", "--seed", "7")
        self.assertEqual(half["records"] + half["leftOut"], 5000)
        self.assertEqual(half["rejectedNow"], half["records"])
        expected = self.diff("old.yaml", "new.yaml", "t.csv", "--sample", "100")
        self.assertEqual(expected["rejectedNow"], 100)
        piped = self.diff("old.yaml", "new.yaml", "-", "--sample", "100", stdin=self.read("t.csv"))
        self.assertEqual(piped | {"inputs": None}, expected | {"inputs": None})

    def test_json_lines(self):
        self.write("a.json", json.dumps(
            {"fields": [{"name": "n", "type": "integer"}, {"name": "tags[]", "constraints": {"maxLength": 3}}]}))
        self.write("b.json", json.dumps({"fields": [
            {"name": "n", "type": "integer", "constraints": {"minimum": 20}},
            {"name": "tags[]", "constraints": {"maxLength": 5}, "repair": ["trim"]}]}))
        rows = [{"n": n if n % 7 else str(n), "tags": [" x"] * (n % 3) + ["abcd"] * (n % 4)} for n in range(200)]
        self.write("t.jsonl", "".join(json.dumps(row) + "\n" for row in rows) + "{\n")
        diff = self.assert_model("a.json", "b.json", "t.jsonl")
        for kind in COUNTS[4:]:
            self.assertGreater(diff[kind], 0, kind)
        self.assertEqual({rule["column"] for rule in diff["rules"]}, {"n", "tags[]"})

    def test_empty_tables(self):
        for content in ("id,email,born\n", "id,email,born"):
            self.write("e.csv", content)
            self.assertEqual(self.diff("old.yaml", "new.yaml", "e.csv")["records"], 0)


    def test_rules_from_a_pipe(self):
        self.write("t.csv", "a\n1\n")
        rules = self.rules("a")
        outcome = self.assay("diff", "/dev/stdin", rules, "t.csv", stdin=self.read(rules), status=0)
        self.assertNotIn("empty", outcome.err)


class ModelTests(DiffTest):
    """Random rules and tables."""

    CHECKS = {
        "id": [{}, {"type": "integer"}, {"constraints": {"unique": True}},
               {"type": "integer", "constraints": {"minimum": 20}},
               {"type": "integer", "constraints": {"unique": True, "required": True}}],
        "code": [{}, {"constraints": {"pattern": "[A-Z]{2}[0-9]"}}, {"constraints": {"enum": ["AB1", "CD2"]}},
                 {"repair": ["trim"]},
                 {"repair": ["trim", "upper"], "constraints": {"minLength": 3}}, {"repair": ["upper"]},
                 {"rules": [{"id": "code.own", "pattern": "[A-Z].*", "severity": "warn"}]},
                 {"rules": [{"id": "code.own", "pattern": "[A-Z].*"}]}],
        "amount": [{}, {"type": "number"},
                   {"type": "number", "constraints": {"maximum": "50"}, "missingValues": ["", "-"]},
                   {"repair": [{"canonical": {"decimalChar": ","}}], "type": "number"}],
        "day": [{}, {"type": "date"}, {"constraints": {"required": True}},
                {"type": "date", "constraints": {"required": True}}],
    }
    VALUES = {
        "id": lambda dice: str(dice.randrange(60)) if dice.random() < 0.95 else "x",
        "code": lambda dice: dice.choice(["AB1", "CD2", " AB1", "ab1", "AB", "", "\u00e4B1", "a,b", 'q"q',
                                          "two\nlines", "Zed"]),
        "amount": lambda dice: dice.choice(["1", "2.5", "2,5", "99", "-", "", "many"]),
        "day": lambda dice: dice.choice(["2001-02-03", "2001-02-30", ""]),
    }
    ROWS = [{"id": "rows.sum", "check": "amount < 50.0", "message": "too much"}]

    def random_rules(self, name, dice):
        fields = [{"name": column} | dice.choice(checks) for column, checks in self.CHECKS.items()]
        dice.shuffle(fields)
        more = {}
        if next(field for field in fields if field["name"] == "amount").get("type") == "number" and dice.random() < 0.5:
            more["rows"] = self.ROWS
        key = dice.random()
        if key < 0.2:
            more["primaryKey"] = ["id", "code"]
        elif key < 0.3:
            more["uniqueKeys"] = [["code", "amount"]]
        elif key < 0.4:
            more |= {"uniqueKeys": [["code", "day"]], "keep": "none"}
        if dice.random() < 0.2:
            more["missingValues"] = ["", "AB1"]
        return self.write(name, json.dumps({"fields": fields} | more))

    def random_table(self, name, dice, rows):
        def cell(column):
            text = self.VALUES[column](dice)
            return '"' + text.replace('"', '""') + '"' if any(mark in text
                                                              for mark in ',"\n') or dice.random() < 0.1 else text
        lines = [",".join(self.VALUES)]
        for _ in range(rows):
            cells = [cell(column) for column in self.VALUES]
            chance = dice.random()
            if chance < 0.01:
                cells.append("one more")
            elif chance < 0.02:
                cells[1] = '"open'
            elif chance < 0.03:
                cells[1] = '"a"b'
            lines.append(",".join(cells))
        return self.write(name, "\n".join(lines) + "\n")

    @slow
    def test_random_rules_and_tables(self):
        kinds = set()
        for seed in range(25):
            with self.subTest(seed):
                dice = random.Random(seed)
                self.random_table("t.csv", dice, dice.choice([5, 300, 3000]))
                old, new = self.random_rules("old.json", dice), self.random_rules("new.json", dice)
                diff = self.assert_model(old, new, "t.csv", first=dice.choice([0, 3, 10]))
                kinds |= {name for name in COUNTS if diff[name]}
        self.assertEqual(kinds, set(COUNTS) - {"leftOut"})

    @slow
    def test_keys_that_spill(self):
        """Keys decided at the end, with the memory exhausted."""
        dice = random.Random(3)
        self.random_table("t.csv", dice, volume(5_000, 20_000))
        self.write("old.json", json.dumps({"fields": [{"name": "id"}, {"name": "code"}]}))
        self.write("new.json", json.dumps({
            "fields": [{"name": "id"}, {"name": "code"}], "uniqueKeys": [["id", "code"]], "keep": "none"}))
        self.assert_model("old.json", "new.json", "t.csv", flags=["--memory", "100K"])


class MistakeTests(DiffTest):
    def setUp(self):
        super().setUp()
        self.write("old.yaml", OLD)
        self.write("new.yaml", NEW)
        self.write("t.csv", TABLE)

    def mistake(self, *arguments, status=2, **more):
        outcome = self.assay("diff", *arguments, status=status, **more)
        self.assertEqual(outcome.out, b"")
        self.assert_safe(outcome.error_bytes)
        return outcome.err

    def test_rules_that_read_the_file_differently(self):
        cases = [
            ("dialect: {delimiter: ','}", "dialect: {delimiter: ','}", None),
            ("dialect: {quoteChar: none}", "",
             "the quote is none by one and '\"' by the other\n  hint: say which it is: --quote"),
            ("dialect: {skip: 1, header: false}", "dialect: {header: false}",
             "'skip' is 1 by one and 0 by the other\n  hint: say which it is: --skip"),
            ("", "limits: {record-bytes: 2000000}",
             "the limit record-bytes is 4194304 by one and 2000000 by the other\n"
             "  hint: say which it is: --limit record-bytes=4194304"),
        ]
        for one, other, expected in cases:
            with self.subTest(one):
                self.write("a.yaml", OLD + one + "\n")
                self.write("b.yaml", OLD + other + "\n")
                if expected is None:
                    self.assay("diff", "a.yaml", "b.yaml", "t.csv", status=0)
                else:
                    self.assertEqual(
                        self.mistake("a.yaml", "b.yaml", "t.csv"),
                        f"assay: error: a.yaml and b.yaml read t.csv differently: {expected}\n")

    def test_a_column_that_only_one_names(self):
        self.write("b.yaml", "fields:\n  - name: e-mail\n")
        error = self.mistake("old.yaml", "b.yaml", "t.csv")
        self.assertTrue(error.startswith("assay: error: by b.yaml: t.csv"), error)
        error = self.mistake("b.yaml", "old.yaml", "t.csv")
        self.assertTrue(error.startswith("assay: error: by b.yaml: t.csv"), error)
        error = self.mistake("b.yaml", "b.yaml", "t.csv")
        self.assertTrue(error.startswith("assay: error: t.csv"), error)

    @slow
    def test_usage(self):
        for arguments in (
            [], ["old.yaml"], ["old.yaml", "new.yaml"], ["old.yaml", "new.yaml", "t.csv", "--first", "-1"],
            ["old.yaml", "new.yaml", "t.csv", "t.csv", "--json"], ["old.yaml", "new.yaml", "none.csv"],
            ["old.yaml", "none.yaml", "t.csv"], ["old.yaml", "new.yaml", "t.csv", "--rules", "old.yaml"],
            ["old.yaml", "new.yaml", "t.csv", "--memory", "much"],
            ["old.yaml", "new.yaml", "t.csv", "--temp-dir", "nowhere"],
            ["old.yaml", "new.yaml", "."],
        ):
            with self.subTest(arguments):
                self.assertNotEqual(self.mistake(*arguments, status=2), "")
        order = "  hint: first the old rules, then the new ones, then the files\n"
        for name in ("t.csv", "t.TSV", "t.jsonl", "t.ndjson.gz", "t.csv.zst"):
            self.assertEqual(
                self.mistake(name, "old.yaml", "new.yaml"),
                f"assay: error: {name} is named like a table, not like rules\n" + order)
        self.assertEqual(
            self.mistake("old.yaml", "new.yaml", "new.yaml"),
            "assay: error: the input new.yaml is named like a rule file\n" + order)
        self.write("new.yaml", NEW + "nonsense: 1\n")
        self.assertIn("new.yaml:8:1", self.mistake("old.yaml", "new.yaml", "t.csv"))

    def test_a_data_package(self):
        self.write("datapackage.json", json.dumps({"name": "p", "resources": [
            {"name": "t", "path": "t.csv", "profile": "tabular-data-resource",
             "schema": {"fields": [{"name": "id"}]}}]}))
        self.assertEqual(
            self.mistake("old.yaml", "new.yaml", "datapackage.json"),
            "assay: error: datapackage.json is a Data Package with its own rules\n"
            "  hint: to compare rules over one of its files, give that file\n")

    def test_suggested_alternatives(self):
        self.write("e.csv", "a,b;c\n1,b;c\n")
        self.write("n.yaml", "fields: []\n")
        error = self.mistake("n.yaml", "n.yaml", "e.csv", "--show-values", "--first", "3")
        self.assertIn("\n    assay diff n.yaml n.yaml e.csv --show-values --first 3 --delimiter ';'\n", error)
