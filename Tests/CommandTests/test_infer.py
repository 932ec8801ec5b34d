"""assay infer: the rules must be true of the file, and the stated number of records must pass."""

import csv
import importlib.util
import io
import json
import pathlib
import random
import re
import unittest

from exports import EXPORTS, Export, Truth, inferred, mostly
from support import EXAMPLES, CommandTest, make_export, volume, slow

PASSES = re.compile(r"^# ([\d,]+) of ([\d,]+) records?", re.M)


class InferTest(CommandTest):
    def infer(self, name, *arguments, status=0):
        return self.assay("infer", name, *arguments, status=status).text

    def assert_passes(self, name, text, *arguments):
        """The number of passing records in the output of `infer` must equal that of `check`."""
        self.write("inferred.yaml", text)
        self.assay("rules", "check", "inferred.yaml", status=0)
        passing, records = (int(number.replace(",", "")) for number in PASSES.search(text).groups())
        outcome = self.assay(
            "check", name, "--rules", "inferred.yaml", "--report", "inferred.json", "--force",
            "--max-reject-rate", "100", *arguments, status=0)
        [counts] = self.report("inferred.json")["inputs"]
        self.assertEqual((counts["clean"], counts["records"]), (passing, records), outcome.err)
        return passing, records

    def fields(self, text):
        """The fields of an inferred rule file, read line by line."""
        fields, field = {}, None
        for line in text.splitlines():
            line = re.sub(r"  # .*$", "", line)
            if found := re.match(r"  - name: (.*)", line):
                field = fields.setdefault(found[1].strip("'"), {})
            elif field is not None and (found := re.match(r"    +(\w+): (.+)", line)):
                field[found[1]] = found[2]
        return fields

    def types(self, text):
        return {name: self.type(field) for name, field in self.fields(text).items()}

    def type(self, field):
        kind, format = field.get("type"), field.get("format", "").strip("'")
        return " ".join(filter(None, [kind, format])) or "string"


class RuleTests(InferTest):
    def one(self, values, *arguments, name="c", records=None):
        self.write("t.tsv", "n\t" + name + "\n" + "".join(f"{n}\t{value}\n" for n, value in enumerate(values)))
        text = self.infer("t.tsv", *arguments)
        self.assert_passes("t.tsv", text)
        return self.fields(text)[name]

    def test_timestamps_as_postgresql_writes_them(self):
        """The offset has only hours, and a fraction of 0 is omitted."""
        random.seed(4)
        dates = ["2021-%02d-%02d %02d:25:37" % (1 + day % 12, 1 + day % 28, day % 24) for day in range(300)]
        parts = [random.choice(["", ".5", f".{random.randrange(1, 10**6):06}"]) for _ in dates]
        rows = [f"{day}+00,{day}.{number:06}+02,{day}{part}-05" for number, (day, part) in enumerate(zip(dates, parts))]
        self.write("pg.csv", "\n".join(["plain,micro,mixed"] + rows) + "\n")
        text = self.infer("pg.csv")
        self.assertEqual(self.assert_passes("pg.csv", text), (300, 300))
        fields = self.fields(text)
        self.assertEqual(
            [(field.get("type"), field["format"].strip("'")) for field in fields.values()],
            [("datetime", "%Y-%m-%d %H:%M:%S%z"), ("datetime", "%Y-%m-%d %H:%M:%S.%f%z"),
             (None, "date-time space basic-offset")])

    def test_numbers_with_a_sign_are_no_telephone_numbers(self):
        self.assertEqual(self.one([f"+{10 + n % 90}" for n in range(195)] + [f"-{n}" for n in range(1, 6)])["type"],
                         "integer")
        self.assertEqual(self.one([f"+{10_000_000 + 7919 * n}" for n in range(196)] + ["-12345678"] * 4)["type"],
                         "integer")
        numbers = [f"+4917{30_000_000 + 7919 * n}" for n in range(195)]
        self.assertEqual(self.one(numbers + ["4917312345678"] * 5, "--fit", "typical")["format"], "phone")
        self.assertEqual(self.one(numbers)["format"], "phone")

    def test_names_that_differ_only_in_their_bytes(self):
        # A single character, and a letter with a combining mark: Swift's == considers them equal.
        names = ["\u00e9", "e\u0301"]
        rows = [f"{n},{n if n % 25 else 'x'}\n" for n in range(1, 101)]
        self.write("t.csv", ",".join(names) + "\n" + "".join(rows))
        text = self.infer("t.csv", "--fit", "typical")
        self.assertEqual(
            [line for line in text.splitlines() if "type:" in line],
            [
                "    type: integer  # all 100 values fit",
                "    type: integer  # 96 of 100 values fit, the first that does not in record 25; 4 fail",
            ])
        self.assertEqual(self.assert_passes("t.csv", text), (96, 100))

    def test_repeated_names_that_differ_only_in_their_bytes(self):
        names = ["\u00e9", "e\u0301"]
        self.write("t.csv", ",".join(2 * names) + "\n1,2,3,4\n")
        self.assertEqual(self.infer("t.csv").count("more than once"), 2)

    @slow
    def test_the_rules_of_a_column(self):
        many = range(60)
        cases = [
            (["red", "green"] * 40, {"enum": "[green, red]", "required": "true"}),
            (["red", "green", ""] * 40, {"enum": "[green, red]"}),
            (["red", "green"] * 600 + ["purple"], {"enum": "[green, red]", "required": "true"}),
            ([f"AB-{n:03}" for n in many], {"pattern": r"'[A-Z]{2}-\d{3}'", "required": "true"}),
            ([f"X{n}" for n in range(5, 200)], {"pattern": r"'[A-Z]\d{1,3}'", "required": "true"}),
            ([f"{n:05}" for n in many], {"pattern": r"'\d{5}'", "required": "true"}),
            ([f"Name{'x' * (n % 9)} Other" for n in many], {"maxLength": "20", "required": "true"}),
            ([n % 5 + 1 for n in range(200)], {"type": "integer", "minimum": "1", "maximum": "5", "required": "true"}),
            ([n * 3.5 for n in range(120)], {"type": "number", "minimum": "0", "required": "true"}),
            # Sixty distinct values are too few for a minimum.
            ([n * 3.5 for n in many], {"type": "number", "required": "true"}),
            ([n * 3.5 - 9 for n in many], {"type": "number", "required": "true"}),
            (["yes", "no"] * 30,
             {"type": "boolean", "trueValues": "['yes']", "falseValues": "['no']", "required": "true"}),
            ([f"{n % 28 + 1:02}.{n % 12 + 1:02}.2024" for n in many],
             {"type": "date", "format": "'%d.%m.%Y'", "required": "true"}),
            ([f"{1 + n % 9:02}/{1 + n % 7:02}/2024" for n in many],
             {"pattern": r"'\d{2}/\d{2}/\d{4}'", "required": "true"}),
            ([n if n % 10 else "N/A" for n in range(7, 400)],
             {"type": "integer", "missingValues": "['', 'N/A']", "minimum": "0"}),
            ([f"a{n}@example.org" for n in many], {"format": "email", "required": "true"}),
            (["", "", ""], {}),
        ]
        for values, expected in cases:
            with self.subTest(values[:3]):
                found = self.one(values, "--fit", "typical")
                if "missingValues" in found:
                    found["missingValues"] = found["missingValues"].replace("N/A]", "'N/A']").replace(
                        "''N/A''", "'N/A'")
                self.assertEqual(found, expected)

    @slow
    def test_words_for_missing_texts(self):
        many = range(300)
        for word in volume(("NULL", "n/a"), ("NULL", "\\N", "n/a", "(null)", "#N/A")):
            written = word if word == "n/a" else f"'{word}'"
            for make, rule in [
                (lambda n: f"x{n + 1}", {"pattern": r"'[a-z]\d{1,3}'"}),
                (lambda n: ["red", "green"][n % 2], {"enum": "[green, red]"}),
                (lambda n: f"Name Other {'x' * (n % 9)}", {"maxLength": "20"}),
            ]:
                with self.subTest(word, rule=rule):
                    found = self.one([word if n % 10 == 0 else make(n) for n in many])
                    self.assertEqual(found, {"missingValues": f"['', {written}]", **rule})
        # Words that may be text are kept.
        for word in ("None", "NA", "-"):
            found = self.one([word if n % 10 == 0 else "red" for n in many])
            self.assertIn("red", found["enum"])
            self.assertIn(word, found["enum"])
            self.assertEqual(found["required"], "true")
        self.assertEqual(self.one(["NULL"] * 30), {"missingValues": "['', 'NULL']"})

    def test_message_for_one(self):
        self.write("t.csv", "n,c\n" + "".join(f"{n},x\n" for n in range(20)) + "20,\n21\n")
        text = self.infer("t.csv")
        self.assertIn("# 21 of 22 records (95.45 %) pass all rules:\n", text)
        self.assertIn("# 1 record is malformed or not UTF-8, under any rules.\n", text)
        self.assertIn("    # 1 of 21 is missing\n", text)
        self.write("t.csv", "c,d,e\nx,,7\n")
        text = self.infer("t.csv")
        self.assertIn("    # no value in 1 record\n", text)
        self.assertIn("    type: integer  # the one value fits\n", text)
        self.assertIn("from 1 record.\n# 1 of 1 record (100 %) passes all rules:\n", text)
        self.assertIn("    # all have 1 character\n", text)

    def test_records_in_another_encoding(self):
        self.write("t.csv", ("id,name\n" + "".join(f"{n},{'Müller-Lüdenscheidt' if n % 3 else 'Anna'}\n"
                                                   for n in range(90))).encode("windows-1252"))
        hint = ("by 2 different words these look like windows-1252. If the whole file is in it: --encoding "
                "windows-1252\n")
        outcome = self.assay("infer", "t.csv", status=0)
        self.assertEqual(outcome.err, f"assay: t.csv: 60 records are not UTF-8: {hint}")
        self.assertIn(f"# 60 records are malformed or not UTF-8, under any rules.\n"
                      f"# Records that are not UTF-8: {hint}", outcome.text)
        self.assertEqual(self.assay("infer", "t.csv", "-q", status=0).err, "")

    def test_the_likely_key(self):
        self.write("t.csv", "user_id,v\n" + "".join(f"{n},{n % 3}\n" for n in range(100)))
        text = self.infer("t.csv")
        self.assertEqual(self.fields(text)["user_id"],
                         {"type": "integer", "required": "true", "unique": "true", "minimum": "0"})
        self.assert_passes("t.csv", text)
        self.write("t.csv", self.read("t.csv") + b"7,1\n")
        text = self.infer("t.csv")
        self.assertNotIn("unique", self.fields(text)["user_id"])
        self.assertIn("    # likely key: unique: true would refuse 1\n", text)
        self.assert_passes("t.csv", text)

    def test_the_form_of_the_table(self):
        for content, arguments, comment in [
            ("a;b\n1;2\n" * 1 + "3;4\n" * 20, [], "dialect:\n  delimiter: ';'\n"),
            ("# c\na,b\n" + "3,4\n" * 20, ["--comment", "#"], "  commentChar: '#'\n"),
            ("above\na,b\n" + "3,4\n" * 20, ["--skip", "1"], "  skip: 1\n"),
            ("1,x\n" + "3,y\n" * 20, ["--no-header"], "  header: false\n"),
        ]:
            with self.subTest(comment):
                self.write("t.csv", content)
                text = self.infer("t.csv", *arguments)
                self.assertIn(comment, text)
                self.assert_passes("t.csv", text)

    def test_repeated_names(self):
        self.write("t.csv", "a,b,a\n" + "1,2,3\n" * 20)
        text = self.infer("t.csv")
        self.assertEqual(list(self.fields(text)), ["b"])
        self.assertIn("# The header has a more than once: a rule could not tell which is meant.\n", text)

    def test_json_lines(self):
        self.write("t.jsonl", "".join(json.dumps({
            "id": n, "code": str(10_000 + n), "price": n / 4, "ok": n % 2 == 0, "tags": ["x"] * (n % 3),
            "who": {"mail": f"a{n}@example.org"}, "none": None}) + "\n" for n in range(80)))
        text = self.infer("t.jsonl")
        self.assertEqual(self.types(text), {
            "id": "integer", "code": "string", "price": "number", "ok": "boolean", "who.mail": "email",
            "none": "string", "tags[]": "string"})
        self.assertEqual(self.assert_passes("t.jsonl", text), (80, 80))

    def test_json_lines_of_several_kinds(self):
        """A field gets no rules if these would reject more than 5 % of the values."""
        string, number, inner, many = '{"a":"x"}', '{"a":1}', '{"a":{"x":1}}', '{"a":["x"]}'
        several = "of several kinds, so that rules would refuse some: "
        for lines, fields, comment in [
            ([string] * 40 + [many], ["a"], f"  # - name: 'a[]'  # {several}string 1, 40 in place of a list\n"),
            ([string] * 37 + [inner] * 3, ["a.x"], f"  # - name: a  # {several}string 37, object 3\n"),
            ([string, inner] * 20, ["a.x"], f"  # - name: a  # {several}string 20, object 20\n"),
            ([string, number] * 20, ["a"], "    type: any  # all 40 values fit\n"),
            ([number] * 39 + [string], ["a"],
             "    type: integer  # 39 of 40 values fit, the first that does not in record 40; 1 fails\n"),
            ([many, inner] * 20, ["a.x"], f"  # - name: 'a[]'  # {several}string 20, 20 in place of a list\n"),
            ([string, many] * 20, [], "fields: []\n  # - name: a  # "),
        ]:
            with self.subTest(lines[-2:]):
                self.write("t.jsonl", "\n".join(lines) + "\n")
                text = self.infer("t.jsonl", "--fit", "typical")
                self.assertEqual(list(self.fields(text)), fields)
                self.assertIn(comment, text)
                passing, records = self.assert_passes("t.jsonl", text)
                self.assertGreaterEqual(passing, 0.95 * records)
                passing, records = self.assert_passes("t.jsonl", self.infer("t.jsonl"))
                self.assertEqual(passing, records)

    def test_paths_without_rules(self):
        self.write("t.jsonl",
                   "".join(f'{{"id":{n}}}\n' for n in range(9_000)) + '{"id":1,"late":2}\n{"id":2,"":{"x":3}}\n')
        text = self.infer("t.jsonl")
        self.assertIn("# 2 records, beginning with record 9,001, have values that these rules do not cover:\n",
                      text)
        self.assert_passes("t.jsonl", text)

    def test_elements_of_lists_are_no_key(self):
        self.write("t.jsonl", "".join(f'{{"tags":["t{n}"]}}\n' for n in range(40)))
        text = self.infer("t.jsonl")
        self.assertNotIn("unique", text)
        self.assertEqual(self.assert_passes("t.jsonl", text), (40, 40))

    def test_numbers_with_two_readings(self):
        """Only a value of the column can decide between the readings."""
        note = "    # group and decimal separators are ambiguous: type: {} or type: {}\n"
        points = note.format("integer, groupChar: '.'", "number")
        commas = note.format("number, decimalChar: ','", "integer, groupChar: ','")
        for values, more, expected in [
            ([f"1.23{n}" for n in range(10)], [], points), ([f"1,23{n}" for n in range(10)], [], commas),
            ([f"1.23{n}" for n in range(10)], ["1.23"], "    type: number  #"),
            ([f"1.23{n}" for n in range(10)], ["1.234.567"], "    groupChar: '.'\n"),
            ([f"1.23{n}" for n in range(10)], ["1.234,5"], "    groupChar: '.'\n"),
            ([f"1,23{n}" for n in range(10)], ["1,5"], "    decimalChar: ','\n"),
            ([f"1.23{n}" for n in range(10)] * 3000, ["1.234.567"] * 600, "    groupChar: '.'\n"),
        ]:
            with self.subTest(values[0], more=more[:1]):
                self.write("t.csv", "v;t\n" + "".join(f"{value};{n},{n}\n" for n, value in enumerate(values + more)))
                text = self.infer("t.csv")
                field = text.split("  - name: t")[0]
                self.assertIn(expected, field)
                self.assertEqual("type: integer  #" in field or "type: number  #" in field,
                                 not expected.startswith("    # "))
        self.write("t.csv", "v;t\n" + "".join(f"1.23{n};{n},{n}\n" for n in range(10)))
        self.assertIn(
            "group and decimal separators are ambiguous: integer groupChar '.' or number",
            self.assay("profile", "t.csv", status=0).text.replace("\n", " "))

    def test_few_values_are_no_evidence(self):
        self.write("t.csv", "amount,temp\n" + "".join(f"{n * 7 + 3},{n % 4 + 1}.5\n" for n in range(10)))
        text = self.infer("t.csv")
        for rule in "required", "unique", "minimum":
            self.assertNotIn(f"      {rule}:", text)
        for note in (
                "no value is missing, but 10 are too few for required: true",
                "3 to 66, but too few values for minimum: 0", "1.5 to 4.5, but too few values for minimum: 0"):
            self.assertIn(f"    # {note}\n", text)
        # With more values. The name is not that of a key.
        self.write("t.csv", "amount,v\n" + "".join(f"{n * 7 + 3},{n % 4}\n" for n in range(100)))
        self.assertEqual(
            self.fields(self.infer("t.csv"))["amount"], {"type": "integer", "required": "true", "minimum": "0"})
        self.write("t.csv", "v,id\n" + "".join(f"{n % 4},{n}\n" for n in range(10)))
        self.assertEqual(self.fields(self.infer("t.csv"))["id"], {"type": "integer", "unique": "true"})

    def test_words_for_missing_values_are_not_different_values(self):
        self.write("t.csv", "id\n" + "".join(f"{n}\n" for n in range(1, 101)) + "NA\nNA\n-\n")
        text = self.infer("t.csv")
        self.assertIn("      unique: true  # all 100 are different\n", text)
        self.assertEqual(self.assert_passes("t.csv", text), (103, 103))

    def test_codes_with_more_punctuation_are_different_codes(self):
        self.write("t.csv", "c\n" + "".join(f"AB-{n}\n" for n in range(904, 1_000))
                   + "".join(f"AB--{n}\n" for n in range(100, 104)))
        text = self.infer("t.csv", "--fit", "typical")
        self.assertIn("      pattern: '[A-Z]{2}-\\d{3}'  # 96 of 100 look like AA-999; 4 fail\n", text)
        self.assert_passes("t.csv", text)

    def test_numbers_beyond_doubles(self):
        self.write("t.csv", "v\n" + "".join(f"{n}.5\n" for n in range(1, 41)) + "-1e400\n")
        text = self.infer("t.csv")
        self.assertIn("    # 1.5 to 40.5, and 1 number such as 1e400\n", text)
        self.assertEqual(self.assert_passes("t.csv", text), (41, 41))

    def test_inputs_that_can_be_read_once(self):
        self.assertIn(
            "infer reads its input several times, and standard input can be read only once",
            self.assay("infer", "-", stdin="a\n1\n", status=2).err)

    def test_a_sample(self):
        self.write("t.csv",
                   "n,mail\n" + "".join(f"{n},{'x' if n % 500 == 7 else f'a{n}@example.org'}\n" for n in range(5_000)))
        text = self.infer("t.csv", "--sample", "10%")
        self.assertIn("(a random sample)", text)
        self.assert_passes("t.csv", text)
        # 1 % of the values are invalid: more than 5 % of the sample, but not of the file.
        self.write("t.csv", "n\n" + "".join(f"{'x' if n % 100 == 7 else n}\n" for n in range(10_000)))
        text = self.infer("t.csv", "--sample", "500", "--seed", "1", "--fit", "typical")
        self.assertEqual(self.types(text), {"n": "integer"})
        # Without the option, all records must pass.
        text = self.infer("t.csv", "--sample", "500", "--seed", "1")
        self.assertEqual(self.types(text), {"n": "string"})
        self.assertEqual(self.assert_passes("t.csv", text), (10_000, 10_000))

    def test_mistakes(self):
        self.write("t.csv", "a\n1\n")
        self.assertIn("infer takes one input, or several with --as-one.",
                      self.assay("infer", "t.csv", "t.csv", status=2).err)
        self.assertIn("cannot open nowhere.csv", self.assay("infer", "nowhere.csv", status=2).err)
        self.write("empty.csv", "a,b\n")
        self.assertEqual(self.fields(self.infer("empty.csv")), {"a": {}, "b": {}})


    def test_a_sample_of_a_sparse_column(self):
        """A rule that 20 % of the values fail is dropped, even if these are few among the records."""
        codes = ["" if n % 50 else "x" if n % 250 == 0 else str(n % 997) for n in range(10_000)]
        self.write("t.csv", "id,code\n" + "".join(f"{n},{code}\n" for n, code in enumerate(codes)))
        for seed in range(4):  # with some seeds, the sample has only numbers
            with self.subTest(seed):
                text = self.infer("t.csv", "--sample", "200", "--seed", str(seed))
                self.assertNotIn("integer", text[text.index("name: code"):])


class FitTests(InferTest):
    """The rules accept all values unless `--fit typical` is given."""

    def column(self, values, *arguments, name="c"):
        """The text of the inferred field of a column of these values, which all must pass if they must fit."""
        with open(self.path("t.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["n", name])
            writer.writerows([n, value] for n, value in enumerate(values))
        text = self.infer("t.csv", *arguments)
        passing, records = self.assert_passes("t.csv", text)
        self.assertIn("\n#   assay check t.csv --rules THIS-FILE\n", text)
        if not arguments:
            self.assertEqual((passing, records), (len(values), len(values)), text)
        return text[text.index(f"  - name: {name}\n"):]

    def test_a_wider_type_that_fits_more_values(self):
        values = [f"{10 + n}" + (".50" if n % 33 == 32 else "") for n in range(100)]
        for arguments in [], ["--fit", "typical"]:
            text = self.column(values, *arguments)
            self.assertIn("    type: number  # all 100 values fit\n", text)
        self.assertIn("    # tighter: type: integer  # 3 values fail, such as '42.50' in record 33\n",
                      self.column(values))

    def test_tighter_rules_are_comments(self):
        mails = [f"a{n}@example.org" for n in range(195)] + ["none@", "x", "y", "z", "?!"]
        text = self.column(mails)
        self.assertNotIn("    format:", text)
        self.assertIn("    # tighter: format: email  # 5 values fail, such as 'none@' in record 196\n", text)
        self.assertIn("    format: email  # 195 of 200 values fit",
                      self.column(mails, "--fit", "typical"))
        colors = ["red", "green"] * 600 + ["purple"]
        text = self.column(colors)
        self.assertIn("      enum: [green, red, purple]  # 3 values in 1,201\n", text)
        self.assertIn("    # tighter: enum: [green, red]  # 1 value fails: 'purple' in record 1,201\n", text)
        self.assertIn("enum: [green, red]  # 2 values in 1,201; 1 rare one is left out; 1 fails\n",
                      self.column(colors, "--fit", "typical"))

    def test_words_for_missing_values_belong_to_a_tighter_type(self):
        text = self.column([f"{n}.5" for n in range(60)] + ["c", "?", "?", "?"])
        self.assertIn(
            "    # tighter: type: number  # 1 value fails: 'c' in record 61\n"
            "    #          missingValues: ['', '?']  # ?: 3\n", text)

    def test_an_equal_length_of_few_words_is_no_rule(self):
        text = self.column(["one", "two", "six"] * 7)
        self.assertNotIn("minLength", text)
        self.assertIn("      maxLength: 10  #", text)

    def test_numbers_are_no_dates(self):
        """A format without separators reads most numbers of nine to eleven digits."""
        populations = ["264534532", "260792111", "255852212", "257195726", "254953025", "250795788", "248792692",
                       "247547472", "240194764", "235465952"]
        seconds = [str(1_700_000_000 + 7919 * n) for n in range(80)]
        for values in populations, seconds:
            for arguments in [], ["--fit", "typical"]:
                self.assertIn("    type: integer  # all", self.column(values, *arguments))
        self.assertNotIn("time", self.column([f"{1 + n % 9}:{1 + n % 7}" for n in range(80)]))
        stamps = [f"2024{1 + n % 12:02}{1 + n % 28:02}{n % 24:02}{n % 60:02}{n * 7 % 60:02}" for n in range(80)]
        self.assertIn("format: '%Y%m%d%H%M%S'\n", self.column(stamps))
        self.assertIn("format: '%H:%M'\n", self.column([f"{n % 24}:{n * 7 % 60:02}" for n in range(80)]))

    def test_sets_of_words_count_distinct_values(self):
        others = ["D.R.", "Cuba", "Venezuela"]
        countries = [others[n % 3] if n % 29 == 28 else "USA" for n in range(200)]
        for arguments in [], ["--fit", "typical"]:
            text = self.column(countries, *arguments, name="deathCountry")
            self.assertNotIn("country-alpha3", text)
            self.assertIn("      enum: [USA, Cuba, D.R., Venezuela]" if not arguments else "enum: [USA", text)
        codes = ["DE", "FR", "IT", "ES", "GB", "US", "PL", "NL", "SE", "DK"]
        self.assertIn("    format: country  #", self.column([codes[n % 10] for n in range(100)], name="country"))

    def test_a_column_of_one_word(self):
        for word, lines in [
            ("TRUE", ["    type: boolean"]), ("true", ["    type: boolean"]),
            ("yes", ["    type: boolean", "trueValues: ['yes']", "falseValues: ['no']"]),
            ("Nein", ["    type: boolean", "trueValues: [Ja]", "falseValues: [Nein]"]),
        ]:
            with self.subTest(word):
                text = self.column([word] * 100)
                for line in lines:
                    self.assertIn(line, text)
        for word in "ABCD", "on", "x":
            text = self.column([word] * 100)
            for rule in "type:", "minLength:", "maxLength:", "pattern:":
                self.assertNotIn(rule, text)

    def test_unique_needs_the_name_of_a_key(self):
        def table(names, rows):
            self.write("t.csv", "\n".join([",".join(names)] + [",".join(map(str, row)) for row in rows]) + "\n")
            return self.fields(self.infer("t.csv"))

        firsts = [f"Anna{n}" for n in range(200)]
        found = table(["first_name", "v"], [(name, n % 3) for n, name in enumerate(firsts)])
        self.assertNotIn("unique", found["first_name"])
        for name in "paid", "valid", "grid":
            found = table(["v", name], [(n % 3, n) for n in range(200)])
            self.assertNotIn("unique", found[name])
        for name in "id", "user_id", "userId", "UserID", "uuid", "Kundennummer", "ID":
            found = table(["v", name], [(n % 3, n) for n in range(200)])
            self.assertEqual(found[name].get("unique"), "true", name)
        # All records decide, and a column with values in half of the records is no key.
        rows = [(n if n < 400 else "", f"K{n:05}x") for n in range(1_000)]
        found = table(["lid", "icao_code"], rows)
        self.assertNotIn("unique", found["lid"])
        self.assertEqual(found["icao_code"].get("unique"), "true")

    def test_repairs(self):
        numbers = [f"{n * 7.25:10.2f}" for n in range(100)]
        text = self.column(numbers)
        self.assertIn("    type: number  #", text)
        self.assertIn("    repair: [trim]\n", text)
        digits = "370400440532013000"
        ibans = []
        for n in range(60):
            account = f"{int(digits) + n:018}"
            check = 98 - int(account + "131400") % 97
            plain = f"DE{check:02}{account}"
            ibans.append(" ".join(plain[at:at + 4] for at in range(0, len(plain), 4)))
        text = self.column(ibans, name="iban")
        self.assertIn("    format: iban  #", text)
        self.assertIn("    repair: [canonical]\n", text)
        phones = [f"+44 7400 50{n:04}"[:15] for n in range(5800, 5880)]
        text = self.column(phones, name="phone")
        self.assertIn("    format: phone  #", text)
        self.assertIn("    repair: [canonical]\n", text)
        # A value that the repair does not mend: the type is a comment.
        text = self.column(numbers + ["unknown"])
        self.assertNotIn("    type:", text)

    def test_numbers_that_look_like_other_values(self):
        """Lists of three digits are no number with groups, and 12e3 is a number among numbers with decimals."""
        text = self.column([",".join(str(100 + n + at) for at in range(20)) for n in range(60)])
        self.assertNotIn("    type:", text)
        values = [f"{n}.5e-{n % 9}" for n in range(90)] + [f"22523{n}e12" for n in range(10, 20)]
        self.assertIn("    type: number  # all 100 values fit", self.column(values))
        codes = [f"{10 + n}E{10 + n % 30}" for n in range(90)]
        self.assertNotIn("    type:", self.column(codes))

    def test_list_elements(self):
        keys = [f"k{n % 9}" for n in range(22)]
        self.write("t.jsonl", "".join(
            json.dumps({"l": [{"k": "en"} for _ in keys] + [{"k": "link"}]}) + "\n" for _ in range(40)))
        for arguments in [], ["--fit", "typical"]:
            passing, records = self.assert_passes("t.jsonl", self.infer("t.jsonl", *arguments))
            self.assertEqual(passing, records)

    def test_noise_does_not_widen_a_pattern(self):
        codes = [f"AB-{n:04}" for n in range(1000, 1980)] + [f"AB-{n}" for n in range(20)]
        text = self.column(codes)
        self.assertNotIn("      pattern:", text)
        self.assertIn(
            "    # tighter: pattern: '[A-Z]{2}-\\d{4}'  # 20 values fail, such as 'AB-0' in record 981\n", text)
        self.assertIn("      pattern: '[A-Z]{2}-\\d{4}'", self.column(codes, "--fit", "typical"))
        teams = [f"{'ABC'[n % 3]}L{'N' if n % 20 else 4}" for n in range(600)]
        teams = [team + str(n % 7) for n, team in enumerate(teams)]
        self.assertIn("      pattern: '[A-Z]{2}[A-Z0-9]\\d'", self.column(teams))
        # Shapes of more than 32 characters have runs.
        long = [("ABCDEF" * 6, "abcdef" * 6)[n % 2] + f"-{n}" for n in range(300)]
        self.assertIn("      pattern: '[A-Z]+-\\d+|[a-z]+-\\d+'", self.column(long))

    def test_a_warning_about_two_centuries(self):
        def dates(years):
            return self.column([f"{1 + day % 28:02}.{1 + day % 12:02}.{years[day % len(years)]}" for day in range(90)])
        self.assertIn("    # warning: %y reads two digits as 1969 to 2068, and these are of both centuries: 1985-",
                      dates(["85", "99", "07"]))
        self.assertNotIn("warning", dates(["85", "99"]))
        self.assertNotIn("warning", dates(["05", "24"]))

    def test_spaces_between_digits_are_no_decimal_comma(self):
        rows = [f"1 {n:03};12.{345 + n}" for n in range(100)]
        self.write("t.csv", "population;weight_kg\n" + "\n".join(rows) + "\n")
        found = self.fields(self.infer("t.csv"))
        self.assertEqual(found["weight_kg"]["type"], "number")
        self.assertNotIn("groupChar", found["weight_kg"])
        self.assertEqual((found["population"]["type"], found["population"]["groupChar"]), ("integer", "' '"))


class RandomTests(InferTest):
    @slow
    def test_it_passes_the_reported_values(self):
        """Random tables in which every cell may be invalid."""
        for seed in range(60):
            chance = random.Random(seed)
            kinds = [
                lambda: str(chance.randrange(10**chance.randrange(1, 9))),
                lambda: f"{chance.uniform(-9, 1e4):.{chance.randrange(4)}f}",
                lambda: chance.choice(["red", "green", "blue", "Ünicode", "it's", "a, b", "no", "{x}", "[y]", "#z",
                                       "- q", "null"]),
                lambda: f"{chance.choice('ABC')}{chance.choice('+*.?[(|^$')}{chance.randrange(1000):03}",
                lambda: chance.choice(["true", "false"]),
                lambda: f"{chance.randrange(1, 29):02}/{chance.randrange(1, 13):02}/{chance.randrange(1990, 2030)}",
                lambda: f"u{chance.randrange(10**6)}@example.org",
                lambda: "".join(chance.choices("ab c,\"\n'é1-:#", k=chance.randrange(1, 30))),
            ]
            columns = [(chance.choice(kinds), chance.choice([0, 0, 0.01, 0.2])) for _ in range(chance.randrange(1, 8))]
            spoilt = ["", "n/a", " x ", "NULL", "-", "?"]
            rows = [[chance.choice(spoilt) if chance.random() < share else make() for make, share in columns]
                    for _ in range(chance.choice([0, 1, 9, 40, 700, 3_000]))]
            names = [chance.choice(["id", "name", "x y", "it's", "é", "no", "a: b", "#c", "- d", "null"]) + str(n)
                     for n in range(len(columns))]
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(rows)
            with self.subTest(seed):
                self.write("t.csv", text.getvalue())
                options = ["--delimiter", ",", "--threads", 1 + seed % 3]
                passing, records = self.assert_passes("t.csv", self.infer("t.csv", *options), *options[:2])
                malformed = sum(self.report("inferred.json")["structure"].values())
                self.assertEqual(passing, records - malformed, seed)
                inferred = self.infer("t.csv", *options, "--fit", "typical")
                passing, records = self.assert_passes("t.csv", inferred, *options[:2])
                # Each column's rules reject at most 5 % of the values.
                self.assertGreaterEqual(passing, records * (1 - 0.06 * len(columns)) - 5)

    @slow
    def test_messy_files(self):
        for name in ("users.csv",):
            text = self.infer(EXAMPLES / name)
            passing, records = self.assert_passes(EXAMPLES / name, text)
            self.assertGreater(passing, 0.9 * records)
        for columns in ("ten", "types"):
            make_export(columns, self.path(f"{columns}.csv"), volume(3_000, 20_000))
            self.assert_passes(f"{columns}.csv", self.infer(f"{columns}.csv"))


class ExportTests(InferTest):
    def encoding(self, export):
        return [] if export.encoding.startswith("utf-8") else ["--encoding", export.encoding]

    @slow
    def test_the_types_of_exports(self):
        right, less = 0, []
        for export in EXPORTS:
            path, texts = export.write(self.directory)
            text = self.infer(path, *self.encoding(export))
            found = inferred(text)
            for column in export.columns:
                worth = Truth(column.truth, texts[column.name]).evaluate(found[column.name])
                with self.subTest(f"{export.name}: {column.name}"):
                    self.assertNotEqual(worth, "false", found[column.name])
                right += worth == "right"
                if worth == "less":
                    less.append((export.name, column.name, found[column.name]))
            with self.subTest(export.name):
                self.assert_passes(path, text, *self.encoding(export))
        self.assertGreaterEqual(right, 0.95 * (right + len(less)), less)

    @slow
    def test_columns_of_exports_in_any_order_and_spoilt(self):
        columns = [column for export in EXPORTS for column in export.columns if export.encoding == "utf-8"]
        for seed in range(40):
            chance = random.Random(seed)
            chosen = [column._replace(name=f"{column.name} {n}", make=mostly(
                column.make, chance.choice([0, 0, 0.02, 0.1]), "", "?", " x", "N/A", "007"))
                      for n, column in enumerate(chance.sample(columns, chance.randrange(2, 9)))]
            export = Export("any", chosen, rows=chance.choice([1, 12, 90, 900]))
            with self.subTest(seed):
                path, _ = export.write(self.directory, seed)
                self.assert_passes(path, self.infer(path, "--delimiter", ","), "--delimiter", ",")

    def test_data_of_scikit_learn(self):
        found = importlib.util.find_spec("sklearn")
        if found is None or not found.origin:
            self.skipTest("scikit-learn is not installed")
        folder = pathlib.Path(found.origin).parent / "datasets" / "data"
        for path in sorted(folder.glob("*.csv")):
            with self.subTest(path.name):
                # The first line contains the counts of rows and columns.
                self.assert_passes(path, self.infer(path, "--skip", 1, "--no-header",
                                                    "--delimiter", ",;"[path.name.startswith("linn")]), "--skip", 1)


    def test_a_column_of_one_number(self):
        self.write("t.csv", "a,b\n" + "".join(f"5,{row % 3}\n" for row in range(200)))
        text = self.assay("infer", "t.csv", status=0).text
        fields = text[text.index("name: a"):].split("- name: b")
        self.assertNotIn("minimum", fields[0])
        self.assertIn("# all are 5\n", fields[0])
        self.assertIn("maximum: 2", fields[1])


if __name__ == "__main__":
    unittest.main()
