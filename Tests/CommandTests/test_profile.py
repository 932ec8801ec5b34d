"""assay profile: the facts about columns must equal the counts of a short Python implementation, for any number of
threads."""

import csv
import fractions
import gzip
import html.entities
import importlib.util
import io
import json
import math
import random
import re
import unicodedata
import unittest

from support import EXAMPLES, ROOT, CommandTest, make_ten, volume, slow


def number(text):
    """The value of a text as a number, and whether it is an integer. None if it is not a number."""
    body = text[1:] if text[:1] in "+-" and text else text
    if not body.isascii():
        return None
    if body.isdigit():
        return float(text), True
    mantissa, _, exponent = body.replace("E", "e").partition("e")
    integer, _, fraction = mantissa.partition(".")
    digits = integer + fraction
    if not digits.isdigit() or ("e" in body.lower() and not exponent.lstrip("+-").isdigit()):
        return None
    return float(text), False


def shape(text):
    def of(character):
        if ord(character) > 127:
            return "U"
        if character.isdigit():
            return "9"
        if character.isalpha():
            return "A" if character.isupper() else "a"
        return character if 32 <= ord(character) < 127 else "¶"
    return "".join(map(of, text))


def runs(text):
    out = []
    for character in shape(text):
        out.append(character + "⁺" if character in "Aa9U" else character)
        if len(out) > 1 and out[-1] == out[-2] and character in "Aa9U":
            out.pop()
    return "".join(out)


ENTITY = re.compile("&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|%s);" % "|".join([*html.entities.name2codepoint, "apos"]))
# Scripts and symbols in which a joiner is a part of correct text.
JOINING = re.compile("[\u0600-\u0dff\u1000-\u109f\u1780-\u18af\u2190-\u2bff\ua840-\uabff\ufb50-\ufefc"
                     "\U00010a00-\U00011fff\U0001e900-\U0001e95f\U0001f000-\U0001faff]")


def anomalies_of(text):
    """The kinds of anomaly in a text."""
    found = set()
    for at, character in enumerate(text):
        if character == "\0":
            found.add("nul")
        elif character in "\r\n":
            found.add("lineBreak")
        elif unicodedata.category(character) == "Cc" and character != "\t":
            found.add("control")
        elif character == "\ufffd":
            found.add("replacement")
        elif character in "\u200b\u2060\ufeff" or character in "\u200c\u200d" and not (
                at > 0 and JOINING.match(text[at - 1])):
            found.add("zeroWidth")
        elif character in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
            found.add("direction")
        elif character.isspace() and unicodedata.decomposition(character).startswith("<noBreak>"):
            found.add("noBreakSpace")
    if ENTITY.search(text):
        found.add("htmlEntity")
    return found


def plain_anomalies(values):
    """The expected anomalies of records and their texts."""
    found = []
    for kind in "nul", "control", "replacement", "zeroWidth", "direction", "noBreakSpace", "htmlEntity", "lineBreak":
        records = [record for record, text in values if kind in anomalies_of(text)]
        if not records:
            continue
        found.append({"kind": kind, "count": len(records), "firstRecord": records[0]})
        if kind == "lineBreak":
            lines = [(-len(re.split("\r\n|\r|\n", text)), record) for record, text in values]
            found[-1].update(maxLines=-min(lines)[0], maxLinesRecord=min(lines)[1])
    return found


def plain(rows, column):
    """The expected facts about a column, counted one by one."""
    values = [(record, row[column]) for record, row in enumerate(rows, 1) if row[column] != ""]
    texts = [text for _, text in values]
    found = {"values": len(texts), "missing": len(rows) - len(texts), "distinct": len(set(texts))}
    padded = [record for record, text in values if text[0] in " \t" or text[-1] in " \t"]
    found["padded"], found["firstPadded"] = len(padded), padded[0] if padded else None
    found["anomalies"] = plain_anomalies(values)
    found["notASCII"] = sum(not text.isascii() for text in texts)
    counts, first = {}, {}
    for record, text in values:
        counts[shape(text)] = counts.get(shape(text), 0) + 1
        first.setdefault(shape(text), record)
    found["shapes"] = sorted(([s, n, first[s]] for s, n in counts.items()),
                             key=lambda item: (-item[1], item[0].encode()))
    tops = {}
    for record, text in values:
        tops.setdefault(text, [0, record])[0] += 1
    found["top"] = sorted(([t, n, r] for t, (n, r) in tops.items()), key=lambda item: (-item[1], item[0].encode()))
    found["lengths"] = sorted(map(len, texts))
    found["numbers"] = sorted(n[0] for n in map(number, texts) if n)
    return found


HOSTILE = [
    "a", " ", "é", "\t", "\n", "\r", "\r\n", "\0", "\x01", "\x1f", "\x7f", "\x80", "\x85", "\x9f", "\xa0", "\xa1",
    "\u061b", "\u061c", "\u0645", "\u0915", "\u2006", "\u2007", "\u200b", "\u200c", "\u200d", "\u200e", "\u2011",
    "\u202e", "\u202f", "\u2060", "\u2069", "\u206a", "\u3042", "\ufeff", "\uff0c", "\ufffd", "\U0001f469",
    "\U0001f4bb", "&", "&amp;", "amp;", "&#", "&#233;", "&#xE9;", "#", ";", "&AMP;", "&apos;", "&foo;",
]


class ProfileTests(CommandTest):
    def profile(self, *arguments, stdin=b"", status=0):
        return json.loads(self.assay("profile", *arguments, "--json", stdin=stdin, status=status).text)

    def columns(self, *arguments, **more):
        return {column["name"]: column for column in self.profile(*arguments, **more)["columns"]}

    def assert_plain(self, found, expected):
        for key in ("values", "missing", "padded", "firstPadded", "notASCII", "anomalies"):
            self.assertEqual(found[key], expected[key], (found["name"], key))
        self.assertEqual(found["distinct"], {"count": expected["distinct"], "exact": True, "standardError": 0.0})
        if found["shapes"]["form"] == "whole":
            self.assertEqual(found["shapes"]["different"], len(expected["shapes"]))
            self.assertEqual([list(item.values()) for item in found["shapes"]["first"]], expected["shapes"][:20])
        self.assertEqual([list(item.values()) for item in found["top"]["first"]], expected["top"][:20])
        self.assert_spread(found["lengths"], expected["lengths"], True)
        if found["numbers"]:
            self.assert_spread(found["numbers"], expected["numbers"], all(n == int(n) for n in expected["numbers"]))

    def assert_spread(self, found, values, are_integers):
        if not values:
            self.assertIsNone(found)
            return
        self.assertEqual([found["count"], found["minimum"], found["maximum"]], [len(values), values[0], values[-1]])
        self.assertEqual(found["mean"], float(sum(map(fractions.Fraction, values)) / len(values)))
        for name, at in (("p5", 0.05), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95)):
            exact = values[max(1, math.ceil(at * len(values) - 1e-9)) - 1]
            error = 0 if are_integers and abs(exact) < 1024 else abs(exact) / 1024
            self.assertLessEqual(abs(found["quantiles"][name] - exact), error, name)
        self.assertEqual(sum(found["bars"]), len(values))

    def random_table(self, seed):
        chance = random.Random(seed)
        kinds = [
            lambda: str(chance.randrange(100)), lambda: f"{chance.uniform(-1e6, 1e6):.2f}",
            lambda: chance.choice(["red", "green", "blue"]),
            lambda: chance.choice(["", "n/a", "x", "é", " y", "z\t"]),
            lambda: f"{chance.choice('ABC')}{chance.randrange(1000):03}-{chance.randrange(9)}",
            lambda: "".join(chance.choices("ab ,\"\n1é", k=chance.randrange(9))),
            # Shapes of more than 32 characters have runs.
            lambda: "".join(chance.choices(HOSTILE, [60] + [1] * (len(HOSTILE) - 1), k=chance.randrange(20)))[:32],
            lambda: f"{chance.randrange(10**12):e}",
            lambda: str(chance.randrange(10**6)).zfill(chance.randrange(1, 8)),
            lambda: f"{chance.randrange(1990, 2030)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
        ]
        columns = [chance.choice(kinds) for _ in range(chance.randrange(1, 7))]
        rows = [[make() for make in columns] for _ in range(chance.randrange(0, 2_000))]
        rows = [row for row in rows if row != [""]]
        lines = [[f"c{index}" for index in range(len(columns))], *rows]
        return "".join(",".join(map(self.cell, line)) + "\n" for line in lines), rows, len(columns)

    def cell(self, text):
        """The text as a cell of CSV. `csv.writer` leaves a lone CR without quotes."""
        return '"' + text.replace('"', '""') + '"' if re.search('[,"\r\n]', text) else text

    def test_random_tables(self):
        for seed in range(volume(12, 40)):
            with self.subTest(seed):
                text, rows, width = self.random_table(seed)
                self.write("t.csv", text)
                # Some tables look as if they had another delimiter.
                found = self.profile("t.csv", "--show-values", "--delimiter", ",", "--threads", 1 + seed % 4)
                self.assertEqual(found["records"], len(rows))
                empty = [record for record, row in enumerate(rows, 1) if not any(row)]
                self.assertEqual([found["emptyRecords"], found["firstEmpty"]], [len(empty), (empty or [None])[0]])
                self.assertEqual(len(found["columns"]), width)
                for index, column in enumerate(found["columns"]):
                    self.assert_plain(column, plain(rows, index))

    @slow
    def test_any_number_of_threads(self):
        """Includes a table with more distinct values and shapes than are counted individually."""
        make_ten(self.path("t.csv"), volume(12_000, 40_000))
        alike = None
        for threads in (1, 2, 3, 8):
            found = self.profile("t.csv", "--show-values", "--threads", threads)
            del found["seconds"], found["threads"]
            alike = alike or found
            self.assertEqual(found, alike)
        with open(self.path("t.csv"), "rb") as file:
            self.assertEqual(alike["bytes"], len(file.read()))

    def test_sketches_have_the_stated_error(self):
        rows = [(n, f"user{n * 7919 % 60_000}@example.org", n // 2 * 7919 % 50_021) for n in range(60_000)]
        self.write("t.csv", "id,mail,half\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
        columns = self.columns("t.csv")
        self.assertEqual(columns["id"]["distinct"], {"count": 60_000, "exact": True, "standardError": 0.0},
                         "the likely key")
        self.assertEqual(columns["id"]["duplicates"], {"count": 0, "exact": True})
        for name, at in (("mail", 1), ("half", 2)):
            exact = len({row[at] for row in rows})
            distinct = columns[name]["distinct"]
            self.assertFalse(distinct["exact"])
            self.assertLess(distinct["standardError"], 0.005)
            self.assertLessEqual(abs(distinct["count"] - exact), 0.02 * exact)
        # The mails may be the key as well, so their duplicates are estimated.
        self.assertEqual(columns["mail"]["duplicates"], {"count": 0, "exact": False})

    def test_a_key_that_all_records_show(self):
        """The first records suggest another column, which has values only there."""
        rows = "".join(f"{n if n < 400 else ''},{n},{n * 7919 % 30_000}\n" for n in range(30_000))
        self.write("t.csv", "code,user_id,v\n" + rows)
        found = self.profile("t.csv")
        self.assertEqual(found["likelyKey"], "user_id")
        text = self.assay("infer", "t.csv", status=0).text
        self.assertIn("      unique: true  # all 30,000 are different\n", text)
        # One duplicate, which no estimate finds.
        self.write("t.csv", "code,user_id,v\n" + rows + ",7,1\n")
        self.assertNotIn("      unique: true", self.assay("infer", "t.csv", status=0).text)

    def test_the_mean_of_large_integers(self):
        self.write("t.csv", "id,v\n9007199254740993,1\n9007199254740995,2\n")
        text = self.assay("profile", "t.csv", status=0).text
        self.assertIn("  9.007199254740994e+15 ", text)

    def test_amounts_are_no_coordinates(self):
        amounts = [f"-1.02{n % 10},{n % 90 + 10}" for n in range(40)] + ["Umsatz"] * 3
        self.write("t.csv", "amount;n\n" + "".join(f"{amount};{n}\n" for n, amount in enumerate(amounts)))
        self.assertNotIn("lat-long", self.assay("profile", "t.csv", status=0).text)

    def test_duplicates_of_the_likely_key(self):
        self.write("t.csv", "name,id\n" + "".join(f"a,{min(n, 4_990)}\n" for n in range(5_000)))
        found = self.profile("t.csv")
        self.assertEqual(found["likelyKey"], "id")
        self.assertEqual(found["columns"][1]["duplicates"], {"count": 9, "exact": True})
        self.assertIsNone(found["columns"][0]["duplicates"])

    def test_types(self):
        cases = {
            "integer": ["1", "-2", "30"], "number": ["1.5", "2", "-.5"], "boolean": ["true", "false"],
            "email": ["a@example.org", "b@example.net"],
            "uuid": ["123e4567-e89b-42d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"],
            "date": ["2024-02-29", "1999-12-31"],
            "date %d.%m.%Y": ["31.12.2024", "01.02.2023"], "date %m/%d/%Y": ["12/31/2024", "01/02/2023"],
            "datetime": ["2024-02-29T10:00:00Z", "2024-02-29T10:00:01"],
            "datetime %Y-%m-%d %H:%M:%S": ["2024-02-29 10:00:00", "2023-01-01 23:59:59"],
            "time %H:%M": ["10:00", "23:59"],
            "string": ["007", "042"], "url": ["https://example.org/a", "http://www.example.net"],
            "ipv4": ["10.0.0.1", "192.168.1.2"],
            "number decimalChar ','": ["1,5", "22,75"], "integer groupChar ','": ["1,234", "1,234,567"],
            "iban": ["DE89370400440532013000"],
        }
        for name, values in cases.items():
            with self.subTest(name):
                self.write("t.tsv", "c\td\n" + "".join(f"{value}\t{n}\n" for n, value in enumerate(values * 6)))
                column = self.columns("t.tsv")["c"]
                type = column["type"]
                text_shown = type["format"] if type["type"] == "string" and type["format"] else type["type"]
                if type["type"] != "string" and type["format"]:
                    text_shown += " " + type["format"]
                for key in ("decimalChar", "groupChar"):
                    text_shown += f" {key} '{type[key]}'" if type[key] else ""
                self.assertEqual(text_shown, name)
                self.assertEqual([type["fits"], type["of"], type["exact"]], [6 * len(values)] * 2 + [True])

    def test_decimal_commas_in_one_column_apply_to_other_columns(self):
        """1.234 is an integer above one thousand if most values of another column have a decimal comma. Half of the
        values are not enough."""
        for last, type, group in (("x", "number", None), ("4,5", "integer", ".")):
            with self.subTest(last):
                self.write("t.tsv", f"a\tb\n1,5\t1.234\nx\t2.345\n2,5\t3.456\n{last}\t4.567\n")
                found = self.columns("t.tsv")["b"]["type"]
                self.assertEqual((found["type"], found["groupChar"]), (type, group))

    def test_a_type_that_the_first_records_do_not_show(self):
        self.write("t.csv",
                   "n,late\n" + "".join(f"{n},{'' if n < 30_000 else f'u{n}@example.org'}\n" for n in range(60_000)))
        type = self.columns("t.csv")["late"]["type"]
        self.assertEqual([type["format"], type["exact"]], ["email", False])

    def test_words_and_misfits(self):
        self.write("t.csv", "n,when\n1,2024-01-01\n2,n/a\n3,2024-01-02\n4,soon\n" + "5,2024-01-05\n" * 40 + "NULL,\n")
        columns = self.columns("t.csv")
        type = columns["when"]["type"]
        self.assertEqual([type["type"], type["fits"], type["of"], type["firstMisfit"]], ["date", 42, 43, 4])
        self.assertEqual([type["first"], type["last"]], ["2024-01-01", "2024-01-05"])
        self.assertEqual(columns["when"]["missingWords"], [{"text": "n/a", "count": 1}])
        self.assertEqual(columns["n"]["missingWords"], [{"text": "NULL", "count": 1}])

    def test_notes_on_one_value(self):
        self.write("t.csv", "key,n\n" + "".join(f"k{n},{n % 7}\n" for n in range(100)) + "k1,x\n")
        text = self.assay("profile", "t.csv", status=0).text
        self.assertIn("    key  likely key, but 1 duplicate\n", text)
        self.assertIn("    n    1 of 101 is no integer, first in record 101\n", text)

    def test_likely_keys(self):
        rows = range(300)
        for header, row, key in [
            ("Kundennummer,stamp", lambda n: f"{max(n, 1)},t{n}", "Kundennummer"),
            ("stamp,Kundennummer", lambda n: f"t{n},{max(n, 1)}", "Kundennummer"),
            # The first column may contain a few duplicates, other columns may not.
            ("Konto,stamp", lambda n: f"{max(n, 1)},t{n}", "Konto"),
            ("Ort,Konto,stamp", lambda n: f"o{n % 9},{max(n, 1)},t{n}", "stamp"),
        ]:
            with self.subTest(header):
                self.write("t.csv", header + "\n" + "".join(row(n) + "\n" for n in rows))
                self.assertEqual(self.profile("t.csv")["likelyKey"], key)

    def test_day_and_month(self):
        self.write("t.csv", "n,d\n" + "".join(f"{n},0{1 + n % 9}/0{1 + n % 7}/2024\n" for n in range(50)))
        self.assertTrue(self.columns("t.csv")["d"]["ambiguous"])
        self.assertIn("day and month are ambiguous: date %d/%m/%Y or date %m/%d/%Y",
                      self.assay("profile", "t.csv", status=0).text)
        # One unambiguous value decides.
        self.write("t.csv", self.read("t.csv") + b"51,12/31/2024\n")
        column = self.columns("t.csv")["d"]
        self.assertEqual([column["ambiguous"], column["type"]["format"]], [False, "%m/%d/%Y"])

    def test_malformed_records_have_no_values(self):
        self.write("t.csv", b"a,b\n1,2\n3\n\xff,5\n6,7\n")
        found = self.profile("t.csv")
        self.assertEqual([found["records"], found["malformed"], found["notUTF8"], found["firstMalformed"]],
                         [4, 1, 1, 2])
        self.assertEqual(found["columns"][0]["values"], 2)

    def test_malformed_records_have_no_kinds(self):
        self.write("t.jsonl", '{"a":1,"b":"x"}\n{"a":"s","b":"x"}\n{"a":2,"b":"x"\n{"a":3,"b":"x"}\n')
        self.assertEqual(self.columns("t.jsonl")["a"]["kinds"], {"string": 1, "number": 2})
        text = self.assay("profile", "t.jsonl", status=0).text
        self.assertIn("of several kinds: string 1, number 2\n", text)
        # Records outside the sample do not count either.
        self.write("t.jsonl", '{"a":1}\n' * 500)
        self.assertEqual(self.columns("t.jsonl", "--sample", "7")["a"]["kinds"], {"number": 7})

    def test_records_in_another_encoding(self):
        self.write("t.csv", ("id,name\n" + "".join(f"{n},{'Müller-Lüdenscheidt' if n % 3 else 'Anna'}\n"
                                                   for n in range(3_000))).encode("windows-1252"))
        hint = "by {} different words these look like windows-1252. If the whole file is in it: --encoding windows-1252"
        checked = self.assay("check", "t.csv", status=1).err
        [text_shown] = [line.strip() for line in checked.splitlines() if "these look like" in line]
        for threads in "1", "3":
            text = self.assay("profile", "t.csv", "--threads", threads, status=0).text
            self.assertIn(f"  left out   2,000 not UTF-8, first record 2\n             {text_shown}\n", text)
        self.assertRegex(text_shown, hint.format("[0-9,]+"))
        self.assertEqual(self.profile("t.csv")["encodingGuess"], "windows-1252")
        self.assertIsNone(self.profile("t.csv", "--encoding", "windows-1252")["encodingGuess"])
        self.assertIn(text_shown, self.assay("profile", "t.csv", "--html", status=0).text)

    def test_json_lines(self):
        self.write("t.jsonl", "".join(json.dumps({"id": n, "address": {"city": "Köln"}, "tags": ["a", "b"][: n % 3],
                                                  "x": None if n % 2 else str(n)}) + "\n" for n in range(100)))
        columns = self.columns("t.jsonl", "--show-values")
        self.assertEqual(list(columns), ["id", "address.city", "x", "tags[]"], "as they were seen first")
        self.assertEqual(columns["id"]["kinds"], {"number": 100})
        self.assertEqual(columns["address.city"]["top"]["first"], [{"value": "Köln", "count": 100, "firstRecord": 1}])
        self.assertEqual(columns["tags[]"]["values"], sum(min(2, n % 3) for n in range(100)))
        self.assertEqual([columns["x"]["values"], columns["x"]["missing"]], [50, 50])

    def test_paths_that_the_first_objects_do_not_have(self):
        self.write("t.jsonl", "".join(f'{{"id":{n},"t":[1]}}\n' for n in range(9_000))
                   + '{"id":1,"late":2}\n{"id":2,"t":{"x":3}}\n{"id":3,"late":null}\n{"id":4,"t":5}\n'
                     '{"id":5,"":{"x":"y"}}\n')
        for threads in (1, 3):
            found = self.profile("t.jsonl", "--threads", threads)
            self.assertEqual([column["name"] for column in found["columns"]], ["id", "t[]"])
            self.assertEqual([found["unnamed"], found["firstUnnamed"]], [4, 9_001])
            self.assertEqual([found["columns"][1][key] for key in ("values", "missing", "kinds")],
                             [9_000, 0, {"number": 9_000}])
        text_shown = "values in 4 records, first record 9,001"
        self.assertIn(f"  not shown  {text_shown}: their paths are not in the first 64 KiB, or cannot be named\n",
                      self.assay("profile", "t.jsonl", status=0).text)
        self.assertIn("Values in 4 records, first record 9,001, are not shown",
                      self.assay("profile", "t.jsonl", "--html", status=0).text)

    def test_a_first_object_of_more_than_64_kib(self):
        line = json.dumps({"id": 1, "text": "x" * 200_000, "last": True})
        for content in (f'{line}\n{{"id":2,"other":3}}\n', line, f'\n\n{line}\n'):
            self.write("t.jsonl", content)
            found = self.profile("t.jsonl")
            self.assertEqual([column["name"] for column in found["columns"]], ["id", "text", "last"])
            self.assertEqual(found["unnamed"], content.count("other"))
        self.assertEqual(self.profile("-", "--format", "jsonl", stdin=content)["columns"], found["columns"])

    def test_a_random_sample_of_list_elements(self):
        chance = random.Random(3)
        texts = ["".join(chance.choices("aA9-./ _", k=12)) for _ in range(12_000)]
        self.write("t.jsonl", "".join(json.dumps({"t": texts[n:n + 2]}) + "\n" for n in range(0, 12_000, 2)))
        alike = None
        for threads in (1, 3):
            column = self.columns("t.jsonl", "--show-values", "--threads", threads)["t[]"]
            alike = alike or column
            self.assertEqual(column, alike)
        self.assertEqual(column["shapes"]["form"], "sampled")
        self.assertGreater(column["shapes"]["different"], 3_000)
        self.assertEqual(column["top"]["sampleOf"], 4096)

    def test_long_values_that_begin_alike(self):
        """The order of truncated values must not depend on the number of threads."""
        self.write("t.csv", "v\n" + "".join("x" * 100 + f"{n % 300:05}\n" for n in range(30_000)))
        tops = [self.columns("t.csv", "--show-values", "--threads", threads)["v"]["top"] for threads in (1, 2, 3, 4)]
        self.assertEqual([item["firstRecord"] for item in tops[0]["first"]], list(range(1, 21)))
        self.assertEqual(tops, tops[:1] * 4)

    def test_times_with_a_zone(self):
        for values, first, last in [
            (["2024-01-01T00:30:00+14:00", "2024-01-02T00:30:00+14:00"], "2023-12-31T10:30:00Z",
             "2024-01-01T10:30:00Z"),
            (["2024-01-01T00:30:00", "2024-01-02T00:30:00"], "2024-01-01T00:30:00", "2024-01-02T00:30:00"),
        ]:
            self.write("t.csv", "t,n\n" + "".join(f"{value},1\n" for value in values))
            type = self.columns("t.csv")["t"]["type"]
            self.assertEqual([type["first"], type["last"]], [first, last])

    def test_no_quantile_is_beyond_the_greatest(self):
        self.write("t.csv", "q\n1234\n5678\n9999\n")
        text = self.assay("profile", "t.csv", status=0).text
        self.assertRegex(text, r"\n    q  1,234  +1,23\d +5,680 +9,999 +9,999 ")

    def test_numbers_beyond_doubles(self):
        self.write("t.csv", "v\n1\n2\n1e400\n-1e400\n")
        column = self.columns("t.csv")["v"]
        self.assertEqual([column["beyondDoubles"], column["numbers"]["maximum"]], [2, 2.0])
        self.assertIn("2 numbers such as 1e400, too large for the range", self.assay("profile", "t.csv", status=0).text)

    def test_text_that_was_encoded_twice(self):
        texts = {
            "José".encode().decode("cp1252"): True, "Zoë": False,
            "naïve – “x”".encode().decode("cp1252", "replace"): False,
            "10 €".encode().decode("cp1252"): True, "Łódź".encode().decode("latin-1"): True, "Köln": False,
            "Привет".encode().decode("latin-1"): True, "日本".encode().decode("latin-1"): True, "Ã": False,
            "NESCAFÉ®": False,
            "« SOCIÉTÉ»": False, "ROSÉ™": False, "GRÖßE": False, "JosÃ© Muñoz": False, "Ã©Zoë": False,
            "😀".encode().decode("cp1252"): True, "😀".encode().decode("latin-1"): True, "Привет": False, "日本": False,
            "voilà »": False, "\ufeffid".encode().decode("cp1252"): True,
        }
        for text, expected in texts.items():
            self.write("t.csv", f"id,name\n1,Ann\n2,{text}\n3,{text}\n")
            column = self.columns("t.csv")["name"]
            self.assertEqual([column["twiceEncoded"], column["firstTwiceEncoded"]],
                             [2, 2] if expected else [0, None], text)
            note = "name  2 values seem to be UTF-8 that was read as windows-1252, as Ã© for é, first in record 2\n"
            self.assertEqual(note in self.assay("profile", "t.csv", status=0).text, expected, text)

    def test_anomalies_in_any_number_of_threads(self):
        chance = random.Random(5)
        rows = []
        for _ in range(volume(30_000, 100_000)):
            text = "".join(chance.choices(HOSTILE, k=6)) if chance.randrange(500) == 0 else "a plain text of many words"
            rows.append([text, chance.choice(["", "x"])])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([["text", "n"]] + rows)
        self.write("t.csv", text.getvalue())
        expected = plain_anomalies(list(enumerate((row[0] for row in rows), 1)))
        for threads in 1, 2, 3:
            self.assertEqual(self.columns("t.csv", "--threads", threads)["text"]["anomalies"], expected)

    def test_notes_about_anomalies(self):
        notes = {
            "a\0": "1 value with NUL, first in record 2",
            "\x1b[31m": "1 value with control characters, first in record 2",
            "Z\ufffdrich": "1 value with U+FFFD, which replaces undecodable bytes, first in record 2",
            "a\u200bb": "1 value with zero-width characters, first in record 2",
            "a\u202eb": "1 value with invisible marks of writing direction, first in record 2",
            "10\u00a0000": "1 value with no-break spaces, first in record 2",
            "R&amp;D": "1 value with HTML entities such as &amp;, first in record 2",
            '"a\nb\nc"': "1 value with line breaks, first in record 2, which has 3 lines",
            '"a\nb"\n4,"a\nb\nc"': "2 values with line breaks, first in record 2, the longest in record 3 has 3 lines",
            "می\u200cخواهم": None, "👩\u200d💻": None, "R&D": None, "?a=1&copy=2": None, "&foo;": None, "AT&T;": None,
        }
        for text, note in notes.items():
            with self.subTest(text):
                self.write("t.csv", f"id,text\n1,Ann\n2,{text}\n3,Bo\n")
                outcome = self.assay("profile", "t.csv", status=0).text
                page = self.assay("profile", "t.csv", "--html", status=0).text
                if note:
                    self.assertIn(f"    text  {note}\n", outcome)
                    self.assertIn(html.escape(note, quote=False), re.sub("</?strong[^>]*>", "", page))
                else:
                    self.assertEqual(self.columns("t.csv")["text"]["anomalies"], [])

    def test_anomalies_of_json_lines(self):
        self.write("t.jsonl", '{"t":"a","l":["x"]}\n{"t":"a\\u0000\\nb","l":["x","\\u200b","y\\u200b"]}\n')
        columns = self.columns("t.jsonl")
        self.assertEqual(columns["t"]["anomalies"], [
            {"kind": "nul", "count": 1, "firstRecord": 2},
            {"kind": "lineBreak", "count": 1, "firstRecord": 2, "maxLines": 2, "maxLinesRecord": 2}])
        self.assertEqual(columns["l[]"]["anomalies"], [{"kind": "zeroWidth", "count": 2, "firstRecord": 2}])

    def test_empty_records(self):
        for name, text, count, first in [
            ("t.csv", "a,b\n1,\n,\n,2\n,\n3\n", 2, 2), ("t.csv", "a,b\n1,2\n", 0, None),
            ("t.csv", 'a,b\n1,2\n"",""\n', 1, 2),
            ("t.jsonl", '{"a":1,"b":[1],"c":{"d":2}}\n{}\n{"a":null,"b":[]}\n{"b":[2]}\n{"z":1}\n{"c":{"d":3}}\n',
             2, 2),
            # A null or number in the place of a list makes a column in which lists are values.
            ("t.jsonl", '{"a":1,"b":[1]}\n{"b":null}\n{"b":[null]}\n{"b":[2]}\n', 1, 2),
            ("t.jsonl", '{"a":1,"b":[1]}\n{}\n{"b":7}\n', 1, 2),
        ]:
            self.write(name, text)
            found = self.profile(name)
            self.assertEqual([found["emptyRecords"], found["firstEmpty"]], [count, first], text)
        self.write("t.csv", "a,b\n,\n1,2\n,\n")
        self.assertIn("\n  empty      2 records have no values, first record 1\n",
                      self.assay("profile", "t.csv", status=0).text)
        self.assertIn("<p>2 records have no values, first record 1.</p>",
                      self.assay("profile", "t.csv", "--html", status=0).text)
        rows = "".join(",\n" if n % 7_919 == 5_000 else f"{n},x\n" for n in range(60_000))
        self.write("t.csv", "a,b\n" + rows)
        for threads in 1, 3:
            found = self.profile("t.csv", "--threads", threads)
            self.assertEqual([found["emptyRecords"], found["firstEmpty"]], [7, 5_001])

    def test_names_of_columns(self):
        self.write("t.csv", "id,Labels, ,Labels,\n1,2,3,4,5\n")
        found = self.profile("t.csv")
        self.assertEqual(found["columnNames"], {"unnamed": [3, 5], "equal": [{"name": "Labels", "positions": [2, 4]}]})
        outcome = self.assay("profile", "t.csv", status=0).text
        self.assertIn("\n  names      2 columns have no name: 3, 5\n"
                      "             2 columns have the name 'Labels': 2, 4\n", outcome)
        page = self.assay("profile", "t.csv", "--html", status=0).text
        self.assertIn("<p>2 columns have no name: 3, 5.</p>", page)
        self.assertEqual(self.profile("t.csv", "--no-header")["columnNames"], {"unnamed": [], "equal": []})

    def test_placeholders(self):
        chance = random.Random(2)
        days = [f"20{chance.randrange(20, 25)}-0{chance.randrange(1, 10)}-1{chance.randrange(10)}" for _ in range(400)]
        born = [f"{chance.randrange(1880, 2020)}-0{chance.randrange(1, 10)}-1{chance.randrange(10)}"
                for _ in range(400)]
        ages = [str(chance.randrange(18, 90)) for _ in range(400)]
        wide = [str(chance.randrange(-5_000, 5_000)) for _ in range(400)]
        cases = [
            (days, {"9999-12-31": 1}, True), (days, {"1970-01-01": 2, "1900-01-01": 1}, True),
            ([f"{day} 00:00:00" for day in days], {"1970-01-01 00:00:00": 3}, True),
            ([f"{day[8:]}.{day[5:7]}.{day[:4]}" for day in days], {"31.12.9999": 2}, True),
            (born, {"1900-01-01": 1}, False), (born, {"1900-01-01": 60}, True), (born, {"9999-12-31": 1}, True),
            (ages, {"999": 1}, True), (ages, {"-1": 3}, True), (ages, {"0": 2}, False), (ages, {"0": 90}, True),
            (wide, {"999": 1, "-1": 1, "0": 1}, False), (wide, {"-999": 40}, True), (wide, {"99999": 1}, True),
            (["-1", "0", "1"] * 99, {}, False), (["0", "1"] * 99, {}, False),
            ([str(n) for n in range(2_000)], {}, False),
        ]
        for values, added, is_found in cases:
            with self.subTest(added):
                cells = values + [text for text, count in added.items() for _ in range(count)]
                chance.shuffle(cells)
                self.write("t.tsv", "n\tv\n" + "".join(f"{n}\t{value}\n" for n, value in enumerate(cells)))
                def shown(text):
                    return "9999-12-31" if "31.12.9999" == text else text.removesuffix(" 00:00:00")
                expected = [{"value": shown(text), "count": count, "firstRecord": cells.index(text) + 1}
                            for text, count in added.items()] if is_found else []
                for threads in 1, 2:
                    found = self.columns("t.tsv", "--threads", threads)["v"]["placeholders"]
                    self.assertEqual(found, sorted(expected, key=lambda item: item["value"]))
                note = "may mean a missing value: " + ", ".join(
                    f"{item['value']} ({item['count']}, first in record {item['firstRecord']})" for item in found)
                self.assertEqual(note + "\n" in self.assay("profile", "t.tsv", status=0).text, bool(expected))

    def test_likely_keys_of_two_columns(self):
        orders = [(n // 3, n % 3, n % 7) for n in range(6_000)]
        grid = [(year, land, year % 9) for land in range(20) for year in range(1990, 2015)]
        for header, rows, names, duplicates in [
            ("order,line,x", orders, ["order", "line"], 0),
            ("order,line,x", orders + [(5, 0, 1), (6, 1, 1)], ["order", "line"], 2),
            ("order,line,x", orders + [(1, 1, 1)] * 50, None, None),
            ("year,land,x", grid, ["year", "land"], 0),
            ("order,line,x", orders[:12], None, None),
            ("order,line,n", [(*row[:2], n) for n, row in enumerate(orders)], None, None),
            ("a,b,c", [(n % 2, n % 3, n % 5) for n in range(6_000)], None, None),
        ]:
            self.write("t.csv", header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
            for threads in 1, 3:
                found = self.profile("t.csv", "--threads", threads)["likelyKeyOfTwo"]
                self.assertEqual(found, names and {
                    "columns": names, "duplicates": {"count": duplicates, "exact": True}})
            text = self.assay("profile", "t.csv", status=0).text
            page = self.assay("profile", "t.csv", "--html", status=0).text
            if names:
                note = "all pairs are unique" if duplicates == 0 else f"{duplicates} duplicates"
                self.assertIn(f"\n  key        '{names[0]}' and '{names[1]}' together: {note}\n", text)
                self.assertIn(f"'{names[0]}' and '{names[1]}' together: {note}", html.unescape(page))
            else:
                self.assertNotIn("together", text)

    def test_no_noise(self):
        """Identifiers such as 12E345 are not numbers that are too large. Words such as #1001
        are not colors by chance."""
        self.write("t.csv", "n,hex,order\n" + "".join(
            f"{n},{f'{n:03}e{n:03}' if n % 3 else f'ab{n:05}'},#{n + (900 if n % 2 else 10_000)}\n"
            for n in range(900)))
        columns = self.columns("t.csv")
        self.assertGreater(columns["hex"]["beyondDoubles"], 0)
        outcome = self.assay("profile", "t.csv", status=0).text
        self.assertNotIn("1e400", outcome)
        self.assertNotIn("hex-color", outcome)

    def test_records_that_repeat_the_header(self):
        for text, first, line in [
            ("id,name\n1,a\n\ufeffid,name\n2,b\n", {"record": 2, "line": 3, "byteOrderMark": True},
             "1 record repeats the header, on line 3, after a byte order mark"),
            ('id,name\n1,"a\nb"\n"id",name\nid,name\n', {"record": 2, "line": 4, "byteOrderMark": False},
             "2 records repeat the header, the first on line 4"),
            ("id,name\n" + "1,a\n" * 5_000 + "id,name\n", {"record": 5_001, "line": 5_002, "byteOrderMark": False},
             "1 record repeats the header, on line 5,002"),
            ('id,"na""me"\nid,"na""me"\n', {"record": 1, "line": 2, "byteOrderMark": False},
             "1 record repeats the header, on line 2"),
            ("id,name\nid,Name\nid,name,x\nID,name\n,\n", None, None),
        ]:
            self.write("t.csv", text)
            self.assertEqual(self.profile("t.csv")["repeatedHeaders"]["first"], first)
            outcome = self.assay("profile", "t.csv", status=0).text
            self.assertIn(f"\n  header     {line}\n", outcome) if line else self.assertNotIn("  header  ", outcome)
        self.write("t.csv", "id,name\nid,name\n")
        self.assertEqual(self.profile("t.csv", "--no-header")["repeatedHeaders"], {"records": 0, "first": None})

    def test_several_files_that_repeat_the_header(self):
        self.write("a.csv", "id,name\n1,a\n")
        self.write("b.csv", "id,name\n1,a\nid,name\n")
        outcome = self.assay("profile", "a.csv", "b.csv", "--as-one", status=0).text
        self.assertIn("\n  header     1 record repeats the header, on line 3 of b.csv\n", outcome)
        self.assertEqual(self.profile("a.csv", "b.csv", "--as-one")["repeatedHeaders"]["first"]["input"], "b.csv")

    def test_long_integers_do_not_widen_the_table(self):
        for digits in (40, 41, 309):
            self.write("t.csv", "a\n" + "1" * digits + "\n" + "2" * 20 + "\n")
            outcome = self.assay("profile", "t.csv", status=0).text
            self.assertLess(max(map(len, outcome.splitlines())), 400)
            self.assertEqual(f"{int('1' * digits):,}" in outcome, digits == 40)

    def test_integers_that_doubles_round(self):
        cases = [
            (["9007199254740993", "9007199254740995"], 9007199254740993, 9007199254740995),
            (["-9007199254740993", "-9007199254740995", "+9007199254740993"], -9007199254740995, 9007199254740993),
            (["1", "9007199254740993", "5"], 1, 9007199254740993),
            (["1", "-12345678901234567890123", "5.5"], -12345678901234567890123, 5.5),
            (["1" + "0" * 305 + "7", "1" + "0" * 305 + "9"], 10**306 + 7, 10**306 + 9),
            (["9007199254740991", "1000000000000000"], 10**15, 9007199254740991),
        ]
        for values, minimum, maximum in cases:
            for threads in (1, 3):
                self.write("t.csv", "n\n" + "".join(f"{value}\n" for value in values * 3))
                numbers = self.columns("t.csv", "--threads", threads)["n"]["numbers"]
                self.assertEqual([numbers["minimum"], numbers["maximum"]], [minimum, maximum])
                # Python compares integers and doubles without rounding.
                for other in [numbers["mean"], *numbers["quantiles"].values()]:
                    self.assertTrue(minimum <= other <= maximum, numbers)
            text = self.assay("profile", "t.csv", status=0).text
            if isinstance(maximum, int):
                self.assertIn(f"{minimum:,} … {maximum:,}" if maximum < 10**40 else " 1e+306 … 1e+306\n", text)
        # A number beyond 2^53 with a decimal point is known only as a double.
        self.write("t.csv", "n\n9007199254740993\n9007199254740995.5\n")
        self.assertEqual(self.columns("t.csv")["n"]["numbers"]["maximum"], 9007199254740996.0)
        # Doubles round two integers to adjacent values, but "each number" of a range requires exact values.
        self.write("t.csv", "n\n" + "9007199254740993\n9007199254740995\n" * 50)
        self.assertNotIn("each number from", self.assay("infer", "t.csv", status=0).text)

    @slow
    def test_very_many_columns_have_few_threads(self):
        self.write("t.csv", ",".join(f"c{n}" for n in range(4_000)) + "\n" + ("1," * 3_999 + "1\n") * volume(120, 200))
        self.assertLessEqual(self.profile("t.csv", "--threads", 16)["threads"], 2)

    def test_an_input_that_grows(self):
        for command in ("profile", "infer"):
            status, error = self.growing(command, "big.csv", "-q")
            self.assertEqual(status, 0, error)
            self.assertEqual(error, "assay: big.csv: changed while it was being read; run again once it is complete\n")

    def test_the_ways_in(self):
        """Compressed, decoded, from a pipe, as one table, by position, with comments."""
        text = "name;n\nJosé;1\nAnna;2\n"
        known = None
        for name, content, arguments in [
            ("a.csv", text.encode(), []), ("a.csv.gz", gzip.compress(text.encode()), []),
            ("b.csv", text.encode("utf-16"), []),
            ("c.csv", text.encode("latin-1"), ["--encoding", "latin1"]),
            ("d.csv", b"# a note\n" + text.encode(), ["--comment", "#"]),
        ]:
            self.write(name, content)
            columns = self.profile(name, *arguments)["columns"]
            known = known or columns
            self.assertEqual(columns, known, name)
        self.assertEqual(self.profile("-", stdin=text)["columns"], known)
        self.write("p1.csv", "name;n\nJosé;1\n")
        self.write("p2.csv", "name;n\nAnna;2\n")
        self.assertEqual(self.profile("p1.csv", "p2.csv", "--as-one")["columns"], known)
        found = self.profile("p1.csv", "--no-header")
        self.assertEqual([column["name"] for column in found["columns"]], ["column 1", "column 2"])
        self.assertEqual(found["header"], False)

    def test_quiet(self):
        self.write("t.csv", "id,n\n" + "".join(f"{n},{n % 7}\n" for n in range(2_000)))
        self.write("r.yaml", "fields: [{name: id, type: integer}]\n")
        for command in (["profile", "t.csv"], ["infer", "t.csv"], ["diff", "r.yaml", "r.yaml", "t.csv"]):
            with self.subTest(command):
                plain = self.assay(*command, "--progress", "always", status=0)
                quiet = self.assay(*command, "--progress", "always", "--quiet", status=0)
                self.assertEqual(quiet.err, "")
                self.assertIn("t.csv", plain.err)
                self.assertEqual([line for line in quiet.text.splitlines() if " s" not in line],
                                 [line for line in plain.text.splitlines() if " s" not in line])

    def test_a_sample(self):
        self.write("t.csv", "n\n" + "".join(f"{n}\n" for n in range(10_000)))
        found = self.profile("t.csv", "--sample", "10%", "--seed", 4)
        self.assertEqual(found["sample"]["read"], 10_000)
        self.assertTrue(850 < found["records"] < 1_150)
        self.assertEqual(found["columns"][0]["values"], found["records"])
        self.assertEqual(self.profile("t.csv", "--sample", 500)["records"], 500)

    @slow
    def test_the_report_has_its_form(self):
        if importlib.util.find_spec("jsonschema") is None:
            self.skipTest("jsonschema is not installed")
        import jsonschema
        validator = jsonschema.Draft202012Validator(json.loads((ROOT / "Docs/assay-profile.schema.json").read_text()))
        self.write("t.jsonl", '{"a":1,"b":["x",null]}\n{"a":"2024-01-01"}\n')
        self.write("empty.csv", "a,b\n")
        make_ten(self.path("ten.csv"), volume(300, 3_000))
        for name in (EXAMPLES / "users.csv", "t.jsonl", "empty.csv", "ten.csv"):
            for arguments in ([], ["--show-values"], ["--sample", "50%"]):
                validator.validate(self.profile(name, *arguments))

    def test_suggested_commands(self):
        self.write("either.csv", "a,b;c\n1,b;c\n")
        for command in ("profile", "infer"):
            error = self.assay(command, "either.csv", "--head", 9, "--sample", "50%", "--seed", 3, status=2).err
            commands = [line.strip() for line in error.split("\n  try:\n")[1].splitlines()]
            self.assertEqual(commands, [
                f"assay {command} either.csv --head 9 --sample 50% --seed 3 --delimiter {delimiter}"
                for delimiter in (",", "';'")])
            self.shell(commands[0], status=0)

    def test_empty_tables(self):
        self.write("header.csv", "a,b\n")
        found = self.profile("header.csv")
        self.assertEqual([found["records"], [c["values"] for c in found["columns"]]], [0, [0, 0]])
        self.assertEqual(self.assay("profile", "header.csv", status=0).text.split("\n", 1)[1], WITHOUT_RECORDS)
        self.write("empty.csv", "")
        self.assertEqual(self.assay("profile", "empty.csv", status=2).out, b"")
        self.write("blank.csv", "a\n\n\n")
        self.assay("profile", "blank.csv", status=0)

    def test_no_values_by_default(self):
        secret = "Zebra-Street-77-Xyz"
        self.write("t.csv", f"id,secret\n" + "".join(f"{n},{secret}\n" for n in range(5)))
        for arguments in ([], ["--json"]):
            self.assertNotIn(secret, self.assay("profile", "t.csv", *arguments, status=0).text)
            self.assertIn(secret, self.assay("profile", "t.csv", "--show-values", *arguments, status=0).text)

    def test_visible_text(self):
        self.write("t.csv", "id,mail,plan,price\n" + "".join(
            f"{n},a{n}@example.org,{['free', 'pro'][n % 2]},{n / 4}\n" for n in range(1, 9)) + "9,nobody,free ,n/a\n")
        text = self.assay("profile", "t.csv", status=0).text
        self.assertEqual(text.split("\n", 1)[1], SHOWN_TEXT)

    def test_mistakes(self):
        self.write("t.csv", "a\n1\n")
        self.write("u.csv", "a\n1\n")
        self.assertIn("--json takes one input, or several with --as-one.",
                      self.assay("profile", "t.csv", "u.csv", "--json", status=2).err)
        self.assertIn("--seed needs --sample", self.assay("profile", "t.csv", "--seed", "1", status=2).err)
        self.assertIn("cannot open missing.csv", self.assay("profile", "missing.csv", status=2).err)
        self.assertEqual(self.assay("profile", "t.csv", "u.csv", status=0).text.count("records    1"), 2)

    def test_the_example(self):
        columns = self.columns(EXAMPLES / "users.csv")
        types = {name: column["type"]["format"] or column["type"]["type"] for name, column in columns.items()}
        self.assertEqual(types, {
            "id": "integer", "uuid": "uuid", "email": "email", "full_name": "string", "phone": "phone",
            "country": "country", "birth_date": "date", "signup_at": "datetime", "plan": "string", "balance": "number",
            "website": "url", "notes": "string"})


WITHOUT_RECORDS = """\
  records    0

    column  type    fits  filled  different  range
    a       string                        0
    b       string                        0
"""

SHOWN_TEXT = """\
  records    9

    column  type      fits  filled            different  range
    id      integer  100 %  ██████████ 100 %          9  1 … 9
    mail    string   100 %  ██████████ 100 %          9  length 6 to 14, mean 13.1
    plan    string   100 %  ██████████ 100 %          3  length 3 to 5, mean 3.7
    price   number   100 %  ██████████ 100 %          9  0.25 … 2

  worth a look
    id     likely key: all values are unique
    mail   88.89 % are email, first that is not in record 9
    plan   1 value with spaces at the ends, first in record 9
    price  may mean a missing value: n/a (1)

  numbers
           least   5 %  median  95 %  most   mean
    id         1     1       5     9     9      5  █ █ █ █ █ █ █ ██
    price   0.25  0.25       1     2     2  1.125  █ █ █ █  █ █ █ █

  shapes  A capital, a other letter, 9 digit, U above ASCII, ⁺ one or more
    id                    ██████████     100 %  9
    mail                  █████████·   88.89 %  a9@aaaaaaa.aaa
                          █·········   11.11 %  aaaaaa
    plan                  ████······   44.44 %  aaa
                          ████······   44.44 %  aaaa
                          █·········   11.11 %  aaaa 
    price                 ████······   44.44 %  9.9
                          ████······   44.44 %  9.99
                          █·········   11.11 %  a/a
"""

if __name__ == "__main__":
    unittest.main()
