"""Rules on the whole table: each aggregate compared with a plain model over random tables, the verdicts and reports of
rules, and the runs that cannot decide them."""

import csv
import datetime
import decimal
import io
import json
import math
import os
import random
import unittest
from fractions import Fraction

from support import CommandTest, volume

SEED = int(os.environ.get("ASSAY_TEST_SEED", "1"), 0)
NUMBERS = ["sum", "mean", "min", "max"]
SHARES = ["0", "0.01", "0.5", "0.9", "0.99", "1"]


def exact(text):
    """The number of a text as an integer and a number of decimal places; None if Assay cannot compute it."""
    number = decimal.Decimal(text)
    if not number.is_finite():
        return None
    _, digits, exponent = number.as_tuple()
    coefficient = int("".join(map(str, digits))) * (-1 if number < 0 else 1)
    if coefficient == 0:
        return Fraction(0)
    while coefficient % 10 == 0:
        coefficient, exponent = coefficient // 10, exponent + 1
    # At most 38 digits, before and after the point.
    if -exponent > 38 or len(str(abs(coefficient))) + max(0, exponent) > 38:
        return None
    return Fraction(coefficient) * Fraction(10) ** exponent


def fits(number):
    """Whether a decimal number has a coefficient of 127 bits."""
    coefficient, scale = number, 0
    while coefficient.denominator != 1:
        coefficient, scale = coefficient * 10, scale + 1
    return -(2**127) < coefficient < 2**127


class Model:
    """The aggregates of a column, from the texts of its values in the accepted records."""

    def __init__(self, texts, kind):
        self.missing = sum(text == "" for text in texts)
        present = [text for text in texts if text]
        self.count = len(present)
        self.kind = kind
        self.unread = False
        if kind == "string":
            self.distinct = len(set(present))
            return
        if kind == "datetime":
            values = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in present]
            self.distinct = len(set(values))
        else:
            values = [exact(text) for text in present]
            self.unread = None in values
            self.distinct = len({decimal.Decimal(text).normalize() for text in present})
            if kind == "integer":
                self.unread = self.unread or any(not -(2**63) <= value < 2**63 for value in values)
        self.values = [] if self.unread else sorted(values)

    def of(self, function):
        """The value of an aggregate; None: no value."""
        if function in ("count", "missing", "distinct"):
            return getattr(self, function)
        if self.unread or (not self.values and function != "sum"):
            return None
        if function == "min":
            return self.values[0]
        if function == "max":
            return self.values[-1]
        total = sum(self.values, Fraction(0))
        if not fits(total):
            return None
        if function == "sum":
            return total if self.kind == "number" or -(2**63) <= total < 2**63 else None
        return total / len(self.values)

    def quantile(self, share):
        if self.unread or not self.values:
            return None
        rank = max(1, math.ceil(Fraction(share) * len(self.values)))
        return self.values[rank - 1]


class TableRuleTest(CommandTest):
    FIELDS = [
        {"name": "id", "type": "integer", "constraints": {"maximum": 1_000_000}},
        {"name": "amount", "type": "number"},
        {"name": "n", "type": "integer"},
        {"name": "at", "type": "datetime"},
        {"name": "country"},
    ]

    def rule_file(self, *rules, fields=None, name="rules.json", **more):
        rules = [rule if isinstance(rule, dict) else {"check": rule} for rule in rules]
        return self.rules(*(fields or self.FIELDS), name=name, table=rules, **more)

    def table(self, name="t.report.json"):
        """The rules on the table in a report."""
        return json.loads(self.read(name))["table"]

    def measured(self, name="t.report.json"):
        """The aggregates in a report."""
        return {it["name"]: it["value"] for rule in self.table(name) for it in rule["aggregates"]}

    def verdicts(self, name="t.report.json"):
        return [(rule["id"], rule["verdict"], rule["problem"]) for rule in self.table(name)]


class ModelTests(TableRuleTest):
    """Random tables."""

    AGGREGATES = (
        [f"{function}({column})" for column in ("amount", "n") for function in NUMBERS]
        + [f"quantile({column}, {share})" for column in ("amount", "n") for share in SHARES]
        + [f"{function}(at)" for function in ("min", "max")]
        + [
            f"{function}({column})" for column in ("amount", "n", "at", "country")
            for function in ("count", "missing", "distinct")
        ]
    )

    def random_number(self, random, kind):
        if kind == "small":
            return f"{random.randrange(-10**6, 10**6) / 100:.{random.randrange(4)}f}"
        if kind == "wide":
            digits = random.randrange(1, 39)
            text = str(random.randrange(10**digits))
            point = random.randrange(len(text) + 1)
            return random.choice(["", "-"]) + (text[:point] or "0") + "." + (text[point:] or "0")
        if kind == "large":
            return random.choice(["1e30", "-1e30", "123456789012345678901234567890", "9" * 38, "1E+5", "2.5e-3"])
        return random.choice(["0", "-0", "0.0", "1", "1.0", "01", "+7", "7"])

    def records(self, random):
        kinds = random.choice([["small"], ["plain"], ["small", "plain"], ["small", "wide"], ["large", "small"]])
        many = random.random() < 0.2
        for number in range(random.choice([0, 1, 2, 100, volume(3_000, 30_000)])):
            amount = "" if random.random() < 0.1 else self.random_number(random, random.choice(kinds))
            n = "" if random.random() < 0.1 else str(random.randrange(-10**random.randrange(1, 19), 10**9))
            second = random.randrange(10**9)
            at = datetime.datetime.fromtimestamp(second, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            if random.random() < 0.2:
                at = at.replace("Z", f".{random.randrange(1000):03}Z")
            country = random.choice(["DE", "FR", "", "US"]) if not many else f"c{random.randrange(5_000)}"
            # A tenth of the records is rejected.
            yield [str(number if random.random() < 0.9 else 5_000_000 + number), amount, n, at, country]

    def compare(self, records, measured, accepts=lambda record: int(record[0]) <= 1_000_000):
        accepted = [record for record in records if accepts(record)]
        columns = {}
        for place, (name, kind) in enumerate(
                [("amount", "number"), ("n", "integer"), ("at", "datetime"), ("country", "string")], 1):
            columns[name] = Model([record[place] for record in accepted], kind)
        self.assertEqual(measured["count()"], str(len(accepted)))
        for text in self.AGGREGATES:
            function, column = text[:-1].split("(")
            with self.subTest(text):
                if function == "quantile":
                    column, share = column.split(", ")
                    self.assert_near(measured[text], columns[column].quantile(share), Fraction(1, 1024))
                    continue
                value = columns[column].of(function)
                if function == "mean":
                    self.assert_near(measured[text], value, Fraction(1, 10**33))
                elif value is None:
                    self.assertIsNone(measured[text])
                elif isinstance(value, datetime.datetime):
                    self.assertEqual(
                        datetime.datetime.fromisoformat(measured[text].replace("Z", "+00:00")), value)
                else:
                    self.assertEqual(Fraction(measured[text]), value)

    def assert_near(self, text, value, error):
        if value is None:
            self.assertIsNone(text)
        else:
            self.assertLessEqual(abs(Fraction(text) - value), abs(value) * error, f"{text} for {float(value)}")

    def test_random_tables(self):
        rules = self.rule_file("count() >= 0", *[f"{text} == {text}" for text in self.AGGREGATES])
        for number in range(volume(12, 100)):
            source = random.Random(SEED * 1_000 + number)
            records = list(self.records(source))
            self.write("t.csv", "id,amount,n,at,country\n" + "".join(",".join(record) + "\n" for record in records))
            outcomes = []
            for threads in (1, 2):
                with self.subTest(table=number, threads=threads):
                    self.assay(
                        "clean", "t.csv", "-r", rules, "--force", "-q", "--show-values", "--threads", threads)
                    outcomes.append(self.table())
                    self.compare(records, self.measured())
            self.assertEqual(outcomes[0], outcomes[1])

    def test_several_files_as_one(self):
        source = random.Random(SEED)
        records = [list(self.records(source)) for _ in range(4)]
        for number, part in enumerate(records):
            self.write(f"{number}.csv", "id,amount,n,at,country\n" + "".join(",".join(it) + "\n" for it in part))
        rules = self.rule_file("count() >= 0", *[f"{text} == {text}" for text in self.AGGREGATES])
        self.assay(
            "check", *[f"{number}.csv" for number in range(4)], "-r", rules, "--as-one", "-q", "--show-values",
            "--report", "t.report.json")
        self.compare(sum(records, []), self.measured())

    def test_json_lines(self):
        source = random.Random(SEED + 7)
        records = list(self.records(source))
        lines = []
        for record in records:
            numbers = [decimal.Decimal(text) if text else None for text in record[:3]]
            members = [f'"id": {record[0]}']
            members += [
                f'"{name}": {"null" if number is None else number if number else 0}'
                for name, number in zip(("amount", "n"), numbers[1:])
            ]
            members += [f'"{name}": {json.dumps(text or None)}' for name, text in zip(("at", "country"), record[3:])]
            lines.append("{" + ", ".join(members) + "}\n")
        self.write("t.jsonl", "".join(lines))
        optional = [{**field, "optional": True} for field in self.FIELDS]
        rules = self.rule_file(
            "count() >= 0", *[f"{text} == {text}" for text in self.AGGREGATES], fields=optional)
        self.assay("check", "t.jsonl", "-r", rules, "-q", "--show-values", "--report", "t.report.json")
        self.compare(records, self.measured())

    def test_keys_and_repairs(self):
        """Only records that keys accept count, with their repaired values."""
        source = random.Random(SEED + 13)
        records = [
            [str(source.randrange(400)), f" {source.randrange(100)} ", "", "2024-01-01T00:00:00Z", "x"]
            for _ in range(2_000)
        ]
        self.write("t.csv", "id,amount,n,at,country\n" + "".join(",".join(it) + "\n" for it in records))
        fields = [{**field, "repair": ["trim"]} for field in self.FIELDS]
        for keep in ("first", "last", "none"):
            for threads in (1, 2):
                rules = self.rule_file(
                    "count() >= 0", *[f"{text} == {text}" for text in self.AGGREGATES], fields=fields,
                    primaryKey="id", keep=keep)
                self.assay(
                    "clean", "t.csv", "-r", rules, "--force", "-q", "--show-values", "--threads", threads)
                clean = list(csv.reader(io.StringIO(self.read("t.clean.csv").decode())))[1:]
                self.assertLess(len(clean), 500)
                self.compare(clean, self.measured())

    def test_many_different_values(self):
        """Beyond 65,536 different values the number is an estimate, with a standard error of 0.8 %."""
        rules = self.rule_file("distinct(n) > 0", fields=["n"])
        for count in (65_535, 65_536, 65_537, 200_000):
            self.write("t.csv", "n\n" + "".join(f"{number}\n" for number in range(count)) * 2)
            texts = set()
            for threads in (1, 2):
                self.assay("clean", "t.csv", "-r", rules, "--force", "-q", "--threads", threads)
                texts.add(self.measured()["distinct(n)"])
            self.assertEqual(len(texts), 1)
            error = 0 if count <= 65_536 else 0.04
            self.assertLessEqual(abs(int(texts.pop()) / count - 1), error, count)


class VerdictTests(TableRuleTest):
    TABLE = "id,amount,n,at,country\n1,1.5,1,2024-01-01T00:00:00Z,DE\n2,2.5,,2024-01-02T00:00:00Z,FR\n"

    def check(self, *rules, table=TABLE, status=0, flags=(), **more):
        self.write("t.csv", table)
        names = self.rule_file(*rules, **more)
        return self.assay(
            "check", "t.csv", "-r", names, "-q", "--force", "--report", "t.report.json", *flags, status=status)

    def test_pass_and_fail(self):
        outcome = self.check(
            {"id": "enough", "check": "count() >= 3", "message": "the export is too small"},
            {"id": "fresh", "check": "max(at) > timestamp('2024-01-01T12:00:00Z')"},
            {"id": "mean", "check": "mean(amount) == 2.0 && sum(amount) == 4.0 && share(missing(n)) <= 0.5"},
            {"check": "distinct(country) == 1", "severity": "warn"}, status=1)
        self.assertEqual(
            self.verdicts(), [
                ("enough", "failed", None), ("fresh", "passed", None), ("mean", "passed", None),
                ("table.4", "failed", None)])
        self.assertEqual(
            outcome.err,
            "assay: t.csv: the rule enough on the table failed: the export is too small (count() = 2)\n")

    def test_a_warning_does_not_fail(self):
        outcome = self.check({"check": "count() > 5", "severity": "warn"})
        self.assertEqual(outcome.err, "")

    def test_undecided(self):
        """A rule without a value fails the run and is stated as such."""
        empty = "id,amount,n,at,country\n"
        cases = [
            (
                empty, "mean(amount) < 5.0",
                "mean(amount) has no value, because no accepted record has one in this column"
            ),
            (empty, "share(missing(n)) < 0.5", "the expression divides by zero, or exceeds the range of numbers"),
            (
                empty + "1,NaN,1,,\n2,1.5,1,,\n3,INF,1,,\n", "sum(amount) < 5.0",
                "sum(amount) has no exact value, because 2 values of the column cannot be computed, first in record 1"
            ),
            (
                empty + "1,1.5,1,,\n2,1e300,1,,\n", "max(amount) > 1.0",
                "max(amount) has no exact value, because a value of the column cannot be computed, first in record 2"
            ),
            (
                empty + f"1,,{2**63 - 1},,\n2,,1,,\n", "sum(n) > 0", "sum(n) exceeds the range of numbers"
            ),
        ]
        for table, rule, problem in cases:
            with self.subTest(rule):
                outcome = self.check(rule, table=table, status=1)
                self.assertEqual(self.verdicts(), [("table.1", "undecided", problem)])
                self.assertIn(f"the rule table.1 on the table is undecided: {problem}", outcome.err)

    def test_logic_needs_only_the_decisive_side(self):
        self.check("count() == 0 || mean(amount) > 0.0", table="id,amount,n,at,country\n")
        self.check("count(n) > 5 ? min(n) > 0 : true")

    def test_the_outputs_remain(self):
        self.write("t.csv", self.TABLE)
        self.assay("clean", "t.csv", "-r", self.rule_file("count() > 5"), "-q", status=1)
        self.assertEqual(self.read("t.clean.csv").decode(), self.TABLE)

    def test_values_need_show_values(self):
        rule = "max(amount) > 0.0 && count() > 0"
        self.check(rule)
        self.assertEqual(self.measured(), {"count()": "2", "max(amount)": None})
        self.check(rule, flags=["--show-values"])
        self.assertEqual(self.measured(), {"count()": "2", "max(amount)": "2.5"})

    def test_only_accepted_records(self):
        self.check("count() == 1 && sum(amount) == 1.5", table=self.TABLE.replace("\n2,", "\nx,"), status=1)
        self.assertEqual(self.verdicts(), [("table.1", "passed", None)])

    def test_a_part_of_the_table(self):
        part = "only the first records were checked"
        self.check("count() == 1", flags=["--head", "1"], status=1)
        self.assertEqual(self.verdicts(), [("table.1", "undecided", part)])
        self.check("count() == 2", flags=["--head", "5"])
        self.check("count() >= 1", flags=["--sample", "50%"], status=1)
        self.assertEqual(self.verdicts(), [("table.1", "undecided", "only a sample of the table was checked")])

    def test_resume_is_refused(self):
        self.write("t.csv", self.TABLE)
        outcome = self.assay("clean", "t.csv", "-r", self.rule_file("count() > 0"), "--resume", status=2)
        self.assertIn(
            "--resume cannot be used: the rules have rules on the table, whose aggregates live in memory", outcome.err)

    def test_repairs_are_suggested_as_without_them(self):
        table = "id,amount,n,at,country\n" + " 1,1.5,1,,\n" * 50
        texts = []
        for rules in ([], ["count() > 0 && max(amount) > 1.0"]):
            self.write("t.csv", table)
            outcome = self.assay("check", "t.csv", "-r", self.rule_file(*rules), status=1)
            texts.append([line for line in outcome.err.splitlines() if "repair" in line])
        self.assertIn("trim", "".join(texts[0]))
        self.assertEqual(texts[0], texts[1])

    def test_the_text_of_null(self):
        r"""With a backslash as the escape, `\N` is NULL and `\\N` is a text, for aggregates and keys as for columns."""
        self.write("t.tsv", "1\t\\\\N\n2\t\\N\n3\tx\n4\t\\\\N\n")
        dialect = {"delimiter": "tab", "quoteChar": "none", "escapeChar": "\\", "header": False}
        for repair in ([], ["trim"]):
            rules = self.rule_file(
                "missing(s) == 1 && count(s) == 2 && distinct(s) == 2", fields=["id", {"name": "s", "repair": repair}],
                dialect=dialect, missingValues=["\\N"], uniqueKeys=[["s"]])
            self.assay(
                "check", "t.tsv", "-r", rules, "-q", "--force", "--report", "t.report.json", "--max-reject-rate", "50%",
                status=0)
            report = json.loads(self.read("t.report.json"))
            self.assertEqual(report["columns"][1]["missing"], 1)
            self.assertEqual(report["keys"][0]["refused"], 1)

    def test_columns_that_the_table_lacks(self):
        self.check("missing(n) == 2 && count(n) == 0", table="id,amount\n1,1\n2,2\n", fieldsMatch="partial")


class ReportTests(TableRuleTest):
    RULES = [
        {"id": "enough", "check": "count() >= 3", "message": "too small | <b>"},
        {"id": "positive", "check": "min(amount) > 0.0"},
        {"id": "some", "check": "mean(n) > 0.0", "severity": "warn"},
    ]
    WARNING = "the rule enough on the table failed: too small | <b> (count() = 1)"

    def report(self, ending):
        self.write("t.csv", "id,amount,n,at,country\n1,1.5,,,\n")
        rules = self.rule_file(*self.RULES)
        self.assay("check", "t.csv", "-r", rules, "-q", "--report", f"r.{ending}", status=1)
        return self.read(f"r.{ending}").decode()

    def test_json(self):
        problem = "mean(n) has no value, because no accepted record has one in this column"
        self.assertEqual(
            json.loads(self.report("json"))["table"], [
                {
                    "id": "enough", "severity": "reject", "verdict": "failed", "check": "count() >= 3",
                    "message": "too small | <b>", "problem": None, "aggregates": [{"name": "count()", "value": "1"}]
                },
                {
                    "id": "positive", "severity": "reject", "verdict": "passed", "check": "min(amount) > 0.0",
                    "message": "does not fulfil min(amount) > 0.0", "problem": None,
                    "aggregates": [{"name": "min(amount)", "value": None}]
                },
                {
                    "id": "some", "severity": "warn", "verdict": "undecided", "check": "mean(n) > 0.0",
                    "message": "does not fulfil mean(n) > 0.0", "problem": problem,
                    "aggregates": [{"name": "mean(n)", "value": None}]
                },
            ])

    def test_html(self):
        page = self.report("html")
        self.assertIn("Rules on the table", page)
        self.assertIn("too small | &lt;b&gt;", page)
        self.assertNotIn("too small | <b>", page)

    def test_markdown(self):
        self.assertIn(
            "| rule on the table | measured | | problem |\n|:--|:--|:--|:--|\n"
            "| `enough` | `count() = 1` | **failed** | too small &#124; &#60;b&#62; |\n| `positive` |  | passed |  |\n"
            "| `some` |  | undecided | mean(n) has no value, because no accepted record has one in this column |\n",
            self.report("md"))

    def test_junit(self):
        report = self.report("xml")
        self.assertIn('<testcase classname="t.csv.table" name="enough">', report)
        self.assertIn('type="reject"', report)
        self.assertIn('<testcase classname="t.csv.table" name="positive"/>', report)

    def test_sarif(self):
        run = json.loads(self.report("sarif"))["runs"][0]
        notes = run["invocations"][0]["toolExecutionNotifications"]
        self.assertIn({"level": "error", "message": {"text": self.WARNING}}, notes)

    def test_annotations(self):
        self.assertIn(f"::error file=t.csv,title=enough::{self.WARNING}\n", self.report("annotations"))

    def test_prometheus(self):
        report = self.report("prom")
        self.assertIn('assay_table_rule_passed{table="t.csv",rule="enough"} 0\n', report)
        self.assertIn('assay_table_rule_passed{table="t.csv",rule="positive"} 1\n', report)

    def test_summary(self):
        self.write("t.csv", "id,amount,n,at,country\n1,1.5,,,\n")
        outcome = self.assay("check", "t.csv", "-r", self.rule_file(*self.RULES), status=1)
        self.assertIn(
            "  table\n    enough    failed     too small | <b>; count() = 1\n    positive  passed\n"
            "    some      undecided  mean(n) has no value, because no accepted record has one in this column\n",
            outcome.err)


if __name__ == "__main__":
    unittest.main()
