"""JSON Lines: the values that each field type accepts, the offsets of errors, and that no byte of a line is lost or
changed."""

import csv
import gzip
import io
import json
import random
import re
import shutil
import subprocess
import unittest

from support import BOM, NEVER, PATIENCE, ROOT, SUITES, CommandTest, csv_rows, make_ten, volume, slow

SCHEMAS = ROOT / "Docs"


def lines_of(*lines):
    """The lines, each followed by a line feed."""
    return b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)


def finding(record, offset, rule, message, column=None, position=None, line=None, severity="reject"):
    code = rule.rsplit(".", 1)[-1] if column is not None else rule
    return {
        "record": record, "line": line or record, "offset": offset, "column": column, "position": position,
        "rule": rule, "code": code, "severity": severity, "message": message,
    }


class JSONTest(CommandTest):
    def check(self, content, rules=None, *flags, name="x.jsonl", status=None):
        """The findings for the lines in `content`."""
        self.write(name, content)
        given = ["-r", rules] if rules else []
        outcome = self.assay("check", name, *given, "--findings", "f.jsonl", "--force", "-q", *flags, status=status)
        self.assertIn(outcome.status, (0, 1), outcome.err)
        return self.findings("f.jsonl")

    def clean(self, content, rules, *flags, name="x.jsonl", status=0):
        """The clean lines and the rejected lines."""
        self.write(name, content)
        self.assay("clean", name, "-r", rules, "--force", "-q", *flags, status=status)
        stem = name.split(".")[0]
        ending = name[len(stem) :]
        return self.read(f"{stem}.clean{ending}"), self.read(f"{stem}.rejects{ending}")


class Types(JSONTest):
    # A value, the field types that accept it unchanged, and the further types that accept it with `types: text`.
    VALUES = [
        ('"x"', "string any", ""),
        ('"7"', "string any", "integer number"),
        ('"007"', "string any", "integer number"),
        ('"-0.5"', "string any", "number"),
        ('"true"', "string any", "boolean"),
        ('"2024-02-29"', "string date any", ""),
        ('"2023-02-29"', "string any", ""),
        ('"2024"', "string year any", "integer number"),
        ('"2024-02"', "string yearmonth any", ""),
        ('"12:30:00"', "string time any", ""),
        ('"2024-02-29T12:30:00Z"', "string datetime any", ""),
        ('"P1D"', "string duration any", ""),
        ('"\\u0037"', "string any", "integer number"),
        ('"NaN"', "string any", "number"),
        ("7", "integer number any", "string"),
        ("-7", "integer number any", "string"),
        ("-0", "integer number any", "string"),
        ("7.0", "number any", "string"),
        ("0.10", "number any", "string"),
        ("7e2", "number any", "string"),
        ("1E+400", "number any", "string"),
        ("2024", "integer number any", "string year"),
        ("123456789012345678901234567890", "integer number any", "string"),
        ("true", "boolean any", "string"),
        ("false", "boolean any", "string"),
        ("{}", "", ""), ("[]", "", ""), ('{"a":1}', "", ""), ("[1]", "", ""), ('["x"]', "", ""), ("[[]]", "", ""),
    ]
    TYPES = ["string", "integer", "number", "boolean", "date", "time", "datetime", "year", "yearmonth",
             "duration", "any"]

    def taken(self, values, **rules):
        """For each value, the field types that accept it."""
        content = lines_of(*("{" + ",".join(f'"{kind}":{value}' for kind in self.TYPES) + "}" for value in values))
        fields = [{"name": kind, "type": kind} for kind in self.TYPES]
        refused = [set() for _ in values]
        for found in self.check(content, self.rules(*fields, **rules)):
            self.assertEqual(found["code"], "type")
            refused[found["record"] - 1].add(found["column"])
        return [set(self.TYPES) - each for each in refused]

    def test_a_field_takes_values_of_its_type(self):
        for value, taken in zip(self.VALUES, self.taken([value for value, _, _ in self.VALUES])):
            with self.subTest(value[0]):
                self.assertEqual(taken, set(value[1].split()))

    def test_as_text_strings_are_read_as_cells(self):
        values = self.taken([value for value, _, _ in self.VALUES], types="text")
        for (value, strict, more), taken in zip(self.VALUES, values):
            with self.subTest(value):
                self.assertEqual(taken, set(strict.split()) | set(more.split()))

    def test_null_and_absent_are_missing(self):
        fields = [
            {"name": kind, "type": kind, "constraints": {"required": True}}
            for kind in ("string", "integer", "boolean")]
        content = lines_of(
            '{"string":"a","integer":1,"boolean":true}', '{"string":null,"integer":null,"boolean":null}', "{}",
            '{"string":"","integer":0,"boolean":false}')
        found = self.check(content, self.rules(*fields))
        at = content.index(b'{"string":null')
        last = content.index(b'{"string":""')
        self.assertEqual(found, [
            finding(2, at + len('{"string":'), "string.required", "is missing", "string", 1),
            finding(2, content.index(b'null,"boolean"'), "integer.required", "is missing", "integer", 2),
            finding(2, content.index(b"null}"), "boolean.required", "is missing", "boolean", 3),
            *(finding(3, content.index(b"{}"), f"{name}.required", "is missing", name, place)
              for place, name in enumerate(("string", "integer", "boolean"), 1)),
            finding(4, last + len('{"string":'), "string.required", "is missing", "string", 1),
        ])
        self.assay("check", "x.jsonl", "-r", "rules.json", "--report", "r.json", "-q", status=1)
        self.assertEqual([column["missing"] for column in self.report("r.json")["columns"]], [3, 2, 2])

    def test_missing_values_break_no_other_rule(self):
        field = {"name": "a", "type": "string", "rules": [{"id": "never", "pattern": NEVER}]}
        self.assertEqual(self.check(lines_of('{"a":null}', "{}", '{"b":1}', '{"a":""}'), self.rules(field)), [])

    def test_words_for_missing(self):
        field = {"name": "a", "type": "integer", "missingValues": ["-", "n/a"], "constraints": {"required": True}}
        found = self.check(lines_of('{"a":"-"}', '{"a":"n\\/a"}', '{"a":""}', '{"a":1}', '{"a":null}'),
                           self.rules(field))
        self.assertEqual(
            [(each["record"], each["code"]) for each in found],
            [(1, "required"), (2, "required"), (3, "type"), (5, "required")])

    def test_numbers_are_checked_by_their_digits(self):
        big = "9007199254740993"
        field = {"name": "a", "type": "integer", "constraints": {"minimum": big}}
        content = lines_of('{"a":9007199254740992}', '{"a":9007199254740993}', '{"a":9007199254740994}')
        self.assertEqual([each["record"] for each in self.check(content, self.rules(field))], [1])
        field = {"name": "a", "type": "number", "constraints": {"maximum": "1e400", "minimum": "-0.3"}}
        content = lines_of(
            '{"a":1e400}', '{"a":1.0000000000000000000000001e400}', '{"a":-0.30}', '{"a":-0.30000000000000000000001}',
            '{"a":10000e396}', '{"a":-3E-1}', '{"a":' + "9" * 400 + "}", '{"a":' + "9" * 402 + "}")
        self.assertEqual(
            [(each["record"], each["code"]) for each in self.check(content, self.rules(field))],
            [(2, "maximum"), (4, "minimum"), (8, "maximum")])

    def test_patterns_and_lengths_check_the_text(self):
        fields = [
            {"name": "n", "type": "number", "constraints": {"pattern": r"[0-9]+\.[0-9]{2}"}},
            {"name": "s", "constraints": {"maxLength": 2, "pattern": r"[^\\]*"}},
        ]
        found = self.check(
            lines_of('{"n":1.50,"s":"\\u00fc\\ud83d\\ude00"}', '{"n":1.5,"s":"a\\\\b"}', '{"n":1.50,"s":"\\n\\t"}'),
            self.rules(*fields))
        self.assertEqual(
            [(each["record"], each["rule"]) for each in found],
            [(2, "n.pattern"), (2, "s.maxLength"), (2, "s.pattern")])

    def test_enumerations(self):
        fields = [
            {"name": "n", "type": "integer", "constraints": {"enum": [1, 20]}},
            {"name": "s", "constraints": {"enum": ["ü", "no"]}}]
        found = self.check(
            lines_of('{"n":1,"s":"\\u00FC"}', '{"n":20,"s":"no"}', '{"n":2,"s":"No"}', '{"n":-20,"s":"ue"}'),
            self.rules(*fields))
        self.assertEqual([(each["record"], each["column"]) for each in found], [(3, "n"), (3, "s"), (4, "n"), (4, "s")])


class Paths(JSONTest):
    def seen(self, content, *names):
        """The values at these paths as (record, column, value). A rule that fails for every value reports them."""
        fields = [
            {"name": name, "missingValues": [], "rules": [{"id": f"every.{place}", "pattern": NEVER}]}
            for place, name in enumerate(names)]
        found = self.check(content, self.rules(*fields, types="text"), "--show-values")
        return [(each["record"], each["column"], each["value"]) for each in found]

    def test_members_of_objects(self):
        content = lines_of(
            '{"address":{"city":"K","geo":{"lat":50.9}}}', '{"address":{"geo":{"lat":"x"}},"address.city":"exact"}',
            '{"address":{"city":"path"},"address.city":"exact"}', '{"address":"text"}', '{"address":null}',
            '{"address":[{"city":"no"}]}', '{"\\u0061ddress":{"cit\\u0079":"K"}}')
        self.assertEqual(self.seen(content, "address.city", "address.geo.lat"), [
            (1, "address.city", "K"), (1, "address.geo.lat", "50.9"), (2, "address.city", "exact"),
            (2, "address.geo.lat", "x"), (3, "address.city", "exact"), (7, "address.city", "K")])

    def test_escapes(self):
        content = lines_of(
            '{"x.y":"dot","x":{"y":"path"}}', '{"x":{"y":"path"}}', '{"t[]":"bracket","t":["list"]}',
            '{"x\\\\.y":"exact","x.y":"dot"}', '{"o":{"p.q":"inner","p":{"q":"no"}}}')
        self.assertEqual(self.seen(content, r"x\.y", r"t\[\]", r"o.p\.q"), [
            (1, r"x\.y", "dot"), (3, r"t\[\]", "bracket"), (4, r"x\.y", "exact"), (5, r"o.p\.q", "inner")])

    def test_lists(self):
        content = lines_of(
            '{"tags":["a",null,"b"],"items":[{"price":1},{},{"price":null},{"price":"2"}]}',
            '{"tags":[],"items":[]}', '{"tags":null,"items":null}', "{}",
            '{"m":[["1","2"],[],["3"]]}', '{"q":{"r":[{"s":{"t":["u"]}},{"s":{"t":[]}},{"s":{"t":["v","w"]}}]}}')
        self.assertEqual(self.seen(content, "tags[]", "items[].price", "m[][]", "q.r[].s.t[]"), [
            (1, "tags[0]", "a"), (1, "tags[2]", "b"), (1, "items[0].price", "1"), (1, "items[3].price", "2"),
            (5, "m[0][0]", "1"), (5, "m[0][1]", "2"), (5, "m[2][0]", "3"),
            (6, "q.r[0].s.t[0]", "u"), (6, "q.r[2].s.t[0]", "v"), (6, "q.r[2].s.t[1]", "w")])

    def test_long_lists(self):
        for count in (63, 64, 65, 4095, 4096, 4097, 20_000):
            with self.subTest(count):
                content = lines_of(json.dumps({"t": list(range(count))}), '{"t":[7]}', json.dumps({"t": [1] * count}))
                field = {"name": "t[]", "type": "integer", "constraints": {"maximum": count - 2}}
                found = self.check(content, self.rules(field))
                self.assertEqual(found, [finding(
                    1, content.index(b"]") - len(str(count - 1)), "t[].maximum", f"is above {count - 2}",
                    f"t[{count - 1}]", 1)])

    def test_a_value_that_is_no_list_is_of_another_type(self):
        content = lines_of('{"tags":"a"}', '{"tags":7}', '{"tags":{"a":"b"}}', '{"m":["a",["b"]]}')
        fields = [{"name": "tags[]", "constraints": {"enum": ["b"]}}, {"name": "m[][]", "constraints": {"enum": ["c"]}}]
        self.assertEqual(self.check(content, self.rules(*fields)), [
            finding(1, 8, "tags[].type", "is not a list", "tags[]", 1),
            finding(2, 13 + 8, "tags[].type", "is not a list", "tags[]", 1),
            finding(3, 13 + 11 + 8, "tags[].type", "is not a list", "tags[]", 1),
            finding(4, content.index(b'"a",['), "m[][].type", "is not a list", "m[0][]", 2),
            finding(4, content.index(b'"b"]]'), "m[][].enum", "is not one of c", "m[1][0]", 2)])

    def test_lists_inside_elements(self):
        content = lines_of('{"t":[["x"],{"a":1},"ok"]}')
        self.assertEqual(self.check(content, self.rules("t[]")), [
            finding(1, 6, "t[].type", "is not text: it is a JSON array", "t[0]", 1),
            finding(1, 12, "t[].type", "is not text: it is a JSON object", "t[1]", 1)])

    def test_values_of_another_kind_are_named(self):
        fields = [
            {"name": "i", "type": "integer"}, {"name": "s"}, {"name": "d", "type": "date"},
            {"name": "b", "type": "boolean"}, {"name": "l", "type": "list"}, {"name": "n[]", "type": "number"}]
        text = "; 'types: text' would read its text"
        string, number, boolean = (f"it is a JSON {kind}{text}" for kind in ("string", "number", "boolean"))
        wrong = {
            "i": {'"42"': string, "true": boolean, "[1]": "it is a JSON array", "{}": "it is a JSON object"},
            "s": {"1": number, "false": boolean, "{}": "it is a JSON object"},
            "d": {"20240229": number, '"2023-02-29"': "its year is no leap year and has no 29 February"},
            "b": {'"true"': string, "1": number}, "l": {'"a"': string, "{}": "it is a JSON object"},
        }
        says = {
            "i": "is not an integer", "s": "is not text", "d": "is not a date (YYYY-MM-DD)",
            "b": "is not true or false", "l": "is not a list"}
        lines = [(name, value, reason) for name, values in wrong.items() for value, reason in values.items()]
        content = lines_of(*(f'{{"{name}":{value}}}' for name, value, _ in lines), '{"n":[1,"2"]}', '{"i":1.5}')
        expected = [f"{says[name]}: {reason}" for name, _, reason in lines]
        expected += [f"is not a number: {string}", "is not an integer"]
        for shown in ([], ["--show-values"], ["--quiet"]):
            self.write("x.jsonl", content)
            self.assay(
                "check", "x.jsonl", "-r", self.rules(*fields), "--findings", "x.findings.jsonl",
                "--force", *shown, status=1)
            self.assertEqual([each["message"] for each in self.findings("x.findings.jsonl")], expected)
        self.write("x.jsonl", content)
        self.assay(
            "check", "x.jsonl", "-r", self.rules(*fields, types="text"), "--findings", "x.findings.jsonl",
            "--force", "--quiet", status=1)
        self.assertEqual(
            {each["message"] for each in self.findings("x.findings.jsonl")},
            {"is not an integer", "is not an integer: it is a JSON array", "is not an integer: it is a JSON object",
             "is not text: it is a JSON object", "is not a date (YYYY-MM-DD)", "is not a list: it is a JSON object",
             "is not a date (YYYY-MM-DD): its year is no leap year and has no 29 February"})

    def test_elements_that_are_required(self):
        field = {"name": "items[].price", "type": "number", "constraints": {"required": True}}
        content = lines_of('{"items":[{"price":1},{},{"price":null}]}', '{"items":[]}', "{}", '{"items":null}')
        self.assertEqual(self.check(content, self.rules(field)), [
            finding(1, content.index(b"{},"), "items[].price.required", "is missing", "items[1].price", 1),
            finding(1, content.index(b"null}"), "items[].price.required", "is missing", "items[2].price", 1)])

    def test_names_that_are_no_paths(self):
        self.write("x.jsonl", "{}\n")
        for name in ("a..b", ".a", "a.", "a[", "a[1]", "a]b", "[]", "a[]b", "a[][][][][]"):
            with self.subTest(name):
                outcome = self.assay("check", "x.jsonl", "-r", self.rules(name), status=2)
                self.assertIn(f"the field '{name}' is no path into JSON", outcome.err)
        self.write("x.csv", "a..b,a[1]\n1,2\n")
        self.assay("check", "x.csv", "-r", self.rules("a..b", "a[1]"), status=0)

    def test_rules_of_lists_and_columns_in_order(self):
        fields = [
            {"name": "t[]", "constraints": {"maxLength": 1, "pattern": "[a-z]*"}},
            {"name": "a", "constraints": {"maxLength": 1}},
            {"name": "u[]", "constraints": {"maxLength": 1}}]
        content = lines_of('{"u":["zz"],"a":"yy","t":["x","XX","w","VV"]}', '{"t":["UU"]}')
        self.assertEqual([(each["record"], each["column"], each["code"])
                          for each in self.check(content, self.rules(*fields))], [
            (1, "t[1]", "maxLength"), (1, "t[1]", "pattern"), (1, "t[3]", "maxLength"), (1, "t[3]", "pattern"),
            (1, "a", "maxLength"), (1, "u[0]", "maxLength"), (2, "t[0]", "maxLength"), (2, "t[0]", "pattern")])

    def test_an_element_that_only_warns(self):
        field = {"name": "t[]", "rules": [{"id": "odd", "pattern": "a", "severity": "warn"}]}
        clean, rejects = self.clean(lines_of('{"t":["a","b"]}'), self.rules(field))
        self.assertEqual((clean, rejects), (b'{"t":["a","b"]}\n', b""))
        self.assertEqual(self.findings("x.findings.jsonl"), [
            finding(1, 10, "odd", "does not match a", "t[1]", 1, severity="warn") | {"code": "pattern"}])


class AbsentFields(JSONTest):
    """Fields that no record has. Their rules never ran, so Assay must not report the data as clean."""

    def refused(self, lines, *fields):
        self.write("t.jsonl", lines_of(*lines))
        outcome = self.assay("clean", "t.jsonl", "-r", self.rules(*fields), "--force", status=2)
        self.assertFalse(self.exists("t.clean.jsonl"))
        return outcome.err

    def test_no_field_occurs(self):
        error = self.refused(
            ['{"a":1,"b":{"c":2}}', '{"a":3}'], {"name": "id", "type": "integer"},
            {"name": "address.zip", "type": "integer"})
        self.assertIn("no record has 'id', so its rules never ran", error)
        self.assertIn("no record has 'address.zip', so its rules never ran", error)
        self.assertIn("the first records have: a, b.c", error)

    def test_similar_names(self):
        for field, member, shown in (
                ("email", '"Email":"x"', "Email"), ("e-mail", '"e_mail":"x"', "e_mail"),
                ("address.zip", '"adress":{"zip":"1"}', "adress.zip"),
                ("items.price", '"items":[{"price":"1"}]', "items[].price"),
                ("caf\u00e9", '"cafe\u0301":"x"', "cafe\u0301"),
                ("last name", '"last\u00a0name":"x"', "")):
            with self.subTest(field):
                error = self.refused([f'{{"id":1,{member}}}'], {"name": "id", "type": "integer"}, field)
                self.assertIn("so its rules never ran   did you mean '", error)
                self.assertIn(shown, error)

    def test_members_that_only_some_records_have(self):
        self.write("t.jsonl", lines_of('{"id":1,"tags":["x"]}', '{"id":2,"email":null}', '{"id":3}'))
        outcome = self.assay("check", "t.jsonl",
                             "-r", self.rules({"name": "id", "type": "integer"}, "email", {"name": "tags[]"}), status=0)
        self.assertNotIn("never ran", outcome.err)

    def test_optional_members_are_named_in_the_summary(self):
        self.write("t.jsonl", lines_of('{"id":1,"phone1":"x"}'))
        names = [{"name": name, "optional": True} for name in ("nickname", "phone2")]
        rules = self.rules({"name": "id", "type": "integer"}, *names)
        outcome = self.assay("check", "t.jsonl", "-r", rules, "--report", "r.json", status=0)
        self.assertIn("no record has nickname, phone2: the rules of these fields never ran", outcome.err)
        self.assertEqual(json.loads(self.read("r.json"))["absentFields"], ["nickname", "phone2"])

    def test_other_members_are_named_in_the_error(self):
        error = self.refused(['{"id":1,"phone1":"x"}', '{"id":2,"b.c":3}'], {"name": "id", "type": "integer"},
                             "nickname", {"name": "c", "optional": True})
        self.assertEqual(error, (
            "assay: error: no record has 'nickname', so its rules never ran\n"
            "  hint: the first records have: id, phone1, b\\.c\n"
            "        if the field may be absent from all records, declare it optional: {name: nickname, optional: "
            "true}\n"))

    def test_required_fields_are_not_optional(self):
        error = self.refused(['{"id":1}'], {"name": "id", "type": "integer"},
                             {"name": "zip", "optional": True, "constraints": {"required": True}})
        self.assertIn("no record has 'zip', so its rules never ran", error)
        # A list with elements needs them.
        self.write("t.jsonl", lines_of('{"id":1,"tags":[]}'))
        tags = {"name": "tags[]", "optional": True, "constraints": {"required": True}}
        self.assay("check", "t.jsonl", "-r", self.rules({"name": "id", "type": "integer"}, tags), status=0)

    def test_inputs_without_records(self):
        for lines in [], [""], ["x"], ["[1]", '{"a":']:
            with self.subTest(lines):
                self.write("t.jsonl", lines_of(*lines))
                outcome = self.assay("check", "t.jsonl", "-r", self.rules("email"),
                                     status=1 if lines and lines != [""] else None)
                self.assertNotIn("never ran", outcome.err)

    def test_a_part_of_the_records(self):
        """Assay has not seen the other records, so it reports an absent field only if another name is similar."""
        self.write("t.jsonl", lines_of('{"id":1,"Email":"x"}', '{"id":2,"zip":"1"}'))
        for part in ("--head", "1"), ("--sample", "1"):
            with self.subTest(part):
                self.assay("check", "t.jsonl", "-r", self.rules({"name": "id", "type": "integer"}, "zip", "phone"),
                           *part, status=0)
                error = self.assay("check", "t.jsonl", "-r", self.rules({"name": "id", "type": "integer"}, "email"),
                                   *part, status=2).err
                self.assertIn("did you mean 'Email'?", error)

    def test_generated_rules_declare_optional_fields(self):
        self.write("t.jsonl", lines_of(*['{"id":1,"tags":["a"],"nick":"x"}'] * 20, '{"id":2,"tags":["b"]}'))
        self.write("other.jsonl", lines_of('{"id":3}'))
        for command in "infer", "init":
            with self.subTest(command):
                rules = self.assay(command, "t.jsonl", status=0).text
                parts = re.findall(r"(?ms)^  - name: (\S+)\n(.*?)(?=^  - name|\Z)", rules)
                fields = {name.strip("'\""): "optional: true" in rest for name, rest in parts}
                self.assertEqual(fields, {"id": False, "tags[]": True, "nick": True}, rules)
                self.write("made.rules.yaml", rules)
                self.assay("check", "other.jsonl", "-r", "made.rules.yaml", status=0)

    def test_elements_that_no_list_has(self):
        self.write("t.jsonl", lines_of('{"id":1,"tags":[],"items":[{"p":1}]}', '{"id":2,"tags":null,"items":[]}'))
        for field, is_absent in ("tags[]", True), ("notes[]", True), ("items[].quantity", True), ("items[].p", False):
            with self.subTest(field):
                error = self.assay("check", "t.jsonl", "-r", self.rules({"name": "id", "type": "integer"}, {
                    "name": field, "type": "any"}), status=2 if is_absent else 0).err
                self.assertEqual(f"no record has '{field}'" in error, is_absent)
                error = self.assay("check", "t.jsonl", "-r", self.rules(
                    {"name": "id", "type": "integer"}, {"name": field, "type": "any", "optional": True}), status=0).err
                self.assertEqual(f"no record has {field}: the rules" in error, is_absent)

    def test_keys_need_their_fields(self):
        for keys in {"primaryKey": ["id", "zip"]}, {"uniqueKeys": [["zip"]]}:
            with self.subTest(keys):
                self.write("t.jsonl", lines_of('{"id":1}', '{"id":2}'))
                rules = self.rules({"name": "id", "type": "integer"}, "zip", **keys)
                self.assertIn("no record has 'zip', so its rules never ran",
                              self.assay("check", "t.jsonl", "-r", rules, status=2).err)

    def test_any_number_of_threads(self):
        """The only record with the member is in the last chunk."""
        lines = ['{"id":1,"text":"' + "x" * 500 + '"}'] * 9_000 + ['{"id":1,"Email":"x","email":"y"}']
        self.write("t.jsonl", lines_of(*lines))
        rules = self.rules({"name": "id", "type": "integer"}, "email")
        for threads in "1", "4":
            self.assertNotIn("never ran",
                             self.assay("check", "t.jsonl", "-r", rules, "--threads", threads, status=0).err)


class Mistakes(JSONTest):
    """Lines that are not JSON objects, and the offset of the first error."""

    DEEP = '{"a":' + "[" * 127 + "]" * 127 + "}"
    DEEPER = '{"a":' + "[" * 128 + "]" * 128 + "}"
    OBJECTS = '{"a":' * 128 + "1" + "}" * 128
    # A line, its error and the offset of the error. None: the line is correct.
    LINES = [
        ('{"a":1}', None, 0),
        (' {"a" : 1 , "b" : [ ] } ', None, 0),
        ("{}", None, 0), ("\t{\t}\t", None, 0),
        ('{"":1}', None, 0),
        ('{"a":{"a":{"a":1}},"b":{"a":1}}', None, 0),
        ('{"a":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"}', None, 0),
        ('{"a":"\\ud800\\udc00","b":"\\uDBFF\\uDFFF\\ue000","\\ud83d\\ude00":"\\\\ud800"}', None, 0),
        ('{"a":"\\ud83d"}', "has an escape that is half of a surrogate pair", 6),
        ('{"a":"x\\udc00\\ud800"}', "has an escape that is half of a surrogate pair", 7),
        ('{"a":1,"\\udfff":2}', "has an escape that is half of a surrogate pair", 8),
        ('{"a":"\u2028\x7f\U0001F600"}', None, 0),
        ('{"a":-0.0e-0,"b":1E+2,"c":0}', None, 0),
        (DEEP, None, 0), (OBJECTS, None, 0),
        (DEEPER, "is nested deeper than 128 levels", 5 + 127),
        ('{"a":' + OBJECTS + "}", "is nested deeper than 128 levels", 5 * 128),
        ("[1]", "is not a JSON object", 0), ('"s"', "is not a JSON object", 0), ("  7", "is not a JSON object", 2),
        ("null", "is not a JSON object", 0), ("id,name", "is not a JSON object", 0),
        ("\ufeff{}", "is not a JSON object", 0), ('{"a":1}x', "is not valid JSON: text follows the object", 7),
        ('{"a":1} {"b":2}', "is not valid JSON: text follows the object", 8),
        ('{"a":1},', "is not valid JSON: text follows the object", 7),
        ("{", "is not valid JSON: a name in quotes is expected", 1),
        ("{1:2}", "is not valid JSON: a name in quotes is expected", 1),
        ("{a:2}", "is not valid JSON: a name in quotes is expected", 1),
        ('{"a":1,}', "is not valid JSON: a name in quotes is expected", 7),
        ('{,"a":1}', "is not valid JSON: a name in quotes is expected", 1),
        ('{"a"}', "is not valid JSON: a colon is expected", 4),
        ('{"a" 1}', "is not valid JSON: a colon is expected", 5),
        ('{"a"', "is not valid JSON: a colon is expected", 4),
        ('{"a":}', "is not valid JSON: a value is expected", 5),
        ('{"a":[1,]}', "is not valid JSON: a value is expected", 8),
        ('{"a":', "is not valid JSON: a value is expected", 5),
        ('{"a":+1}', "is not valid JSON: a number is not written as JSON has it", 5),
        ('{"a":.5}', "is not valid JSON: a number is not written as JSON has it", 5),
        ("{\"a\":'x'}", "is not valid JSON: a value is expected", 5),
        ('{"a":1 "b":2}', "is not valid JSON: a comma or } is expected", 7),
        ('{"a":1', "is not valid JSON: a comma or } is expected", 6),
        ('{"a":1]', "is not valid JSON: a comma or } is expected", 6),
        ('{"a":[1 2]}', "is not valid JSON: a comma or ] is expected", 8),
        ('{"a":[1}', "is not valid JSON: a comma or ] is expected", 7),
        ('{"a":"\\x"}', "is not valid JSON: a string has a bad escape", 6),
        ('{"a":"\\u12g4"}', "is not valid JSON: a string has a bad escape", 6),
        ('{"\\u":1}', "is not valid JSON: a string has a bad escape", 2),
        ('{"a":"b\tc"}', "is not valid JSON: a string has a control character", 7),
        ('{"a\x00":1}', "is not valid JSON: a string has a control character", 3),
        ('{"a":"b', "is not valid JSON: a string is never closed", 5),
        ('{"a', "is not valid JSON: a string is never closed", 1),
        ('{"a":"b\\"}', "is not valid JSON: a string is never closed", 5),
        ('{"a":01}', "is not valid JSON: a number is not written as JSON has it", 5),
        ('{"a":-}', "is not valid JSON: a number is not written as JSON has it", 5),
        ('{"a":1.}', "is not valid JSON: a number is not written as JSON has it", 5),
        ('{"a":1e}', "is not valid JSON: a number is not written as JSON has it", 5),
        ('{"a":-Infinity}', "is not valid JSON: a number is not written as JSON has it", 5),
        ('{"a":tru}', "is not valid JSON: a word is not true, false or null", 5),
        ('{"a":NaN}', "is not valid JSON: a word is not true, false or null", 5),
        ('{"a":True}', "is not valid JSON: a word is not true, false or null", 5),
        ('{"a":1,"a":2}', "has a name twice in one object", 7),
        ('{"a":1,"\\u0061":2}', "has a name twice in one object", 7),
        ('{"ü":1,"\\u00FC":2}', "has a name twice in one object", 8),
        ('{"a":{"b":[{"c":1,"c":1}]}}', "has a name twice in one object", 18),
        ('{"":1,"":1}', "has a name twice in one object", 6),
        ('{"\\ud83d\\ude00":1,"\U0001F600":1}', "has a name twice in one object", 18),
    ]
    BLANK = ["", " ", "\t  "]

    def expected(self, lines, end):
        found, at = [], 0
        for record, (text, message, place) in enumerate(lines, 1):
            if message is not None:
                rule = "structure.blank" if message == "is blank" else "structure.json"
                found.append(finding(record, at + place, rule, message))
            at += len((text + end).encode())
        return found

    def test_place_of_the_mistake(self):
        # An object first, because the first line determines the format.
        lines = self.LINES + [(text, "is blank", 0) for text in self.BLANK] + self.LINES[-5:]
        for end in ("\n", "\r\n"):
            content = "".join(text + end for text, _, _ in lines).encode()
            expected = self.expected(lines, end)
            for threads in (1, 2, 7):
                with self.subTest(end=end, threads=threads):
                    self.assertEqual(self.check(content, None, "--threads", threads), expected)
            self.assay("check", "x.jsonl", "-q", "--report", "r.json", "--force", status=1)
            structure = self.report("r.json")["structure"]
            self.assertEqual(structure["blank"], len(self.BLANK))
            self.assertEqual(structure["json"], len(expected) - len(self.BLANK))

    @slow
    def test_each_line_alone_at_the_end(self):
        """The line has no line end and no bytes after it."""
        for text, message, place in self.LINES:
            with self.subTest(text):
                found = self.check(b"{}\n" + text.encode())
                self.assertEqual(found, [] if message is None else [finding(2, 3 + place, "structure.json", message)])

    def test_a_malformed_line_gets_no_other_findings(self):
        rules = self.rules({"name": "a", "type": "integer", "constraints": {"required": True}},
                           {"name": "t[]", "type": "integer"})
        content = lines_of('{"a":"x","b":}', '{"b":1,"b":2}', '{"t":["x"],}', "", '{"t":["x"],"a":1}')
        self.assertEqual(
            [each["rule"] for each in self.check(content, rules)],
            ["structure.json", "structure.json", "structure.json", "structure.blank", "t[].type"])

    def test_ill_formed_utf8(self):
        for bad in (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe2\x82"):
            with self.subTest(bad):
                content = lines_of("{}", b'{"a":"' + bad + b'"}', b'{"' + bad + b'":1}', b'{"a":1,,"' + bad + b'"}',
                                   '{"a":"\u20ac"}')
                found = self.check(content)
                self.assertEqual([(each["record"], each["rule"], each["column"]) for each in found], [
                    (2, "encoding", None), (3, "encoding", None), (4, "encoding", None)])
                message = f"is not well-formed UTF-8: byte {bad[0]:02X} at offset 9"
                self.assertEqual(found[0], finding(2, 3, "encoding", message))

    def test_long_lines(self):
        """The line end counts."""
        lines = ["{}", '{"a":"' + "x" * 91 + '"}', '{"a":"' + "x" * 92 + '"}', '{"b":1}', '{"a":"' + "x" * 9000, "{}"]
        content = lines_of(*lines)
        flags = ["--limit", "record-bytes=100", "--limit", "field-bytes=100"]
        message = "is over 100 bytes (limit record-bytes)"
        for threads in (1, 2, 7):
            self.assertEqual(self.check(content, None, "--threads", threads, *flags), [
                finding(3, 3 + 100, "structure.too-long", message),
                finding(5, 3 + 100 + 101 + 8, "structure.too-long", message)])
            clean, rejects = self.clean(content, self.rules("a"), "--threads", threads, *flags)
            self.assertEqual(clean, lines_of(*(lines[place] for place in (0, 1, 3, 5))))
            self.assertEqual(rejects, lines_of(lines[2], lines[4]))
        self.assertEqual(self.report("x.report.json")["structure"]["tooLong"], 2)


class Lines(JSONTest):
    """Clean lines and rejects are unchanged input lines."""

    RULES = {"name": "id", "type": "integer",
             "constraints": {"required": True}}, {"name": "t[]", "optional": True, "constraints": {"maxLength": 3}}

    @staticmethod
    def table(rows, seed, end=b"\n"):
        """The lines, and for each whether it is clean."""
        chance = random.Random(seed)
        lines = []
        for row in range(rows):
            pad = " " * chance.choice([0, 0, 0, 1, 5])
            text = chance.choice(["a", "\u00fc\u4e2d\U0001F600", '\\"', "\\u00e9", "x" * chance.randrange(300)])
            kind = chance.randrange(14)
            line, good = {
                0: (f'{{"id":"{row}","n":"{text}"}}', False),
                1: (f'{{"id":{row},"t":["a","long{text}"]}}', False),
                2: (pad, False),
                3: (f'{{"id":{row},"n":"{text}"', False),
                4: (f'{{"id":{row},"id":{row}}}', False),
            }.get(kind, (f'{pad}{{"id":{pad}{row},"n":"{text}","t":["a",null,"b"]}}{pad}', True))
            raw = line.encode()
            if kind == 5:
                raw, good = raw[:-1] + b',"\xff":1}', False
            lines.append((raw + end, good))
        return lines

    @slow
    def test_byte_for_byte_in_order(self):
        rules = self.rules(*self.RULES)
        for seed, end in ((1, b"\n"), (2, b"\r\n")):
            for rows in (1, 7, volume(5_000, 20_000)):
                lines = self.table(rows, seed, end)
                lines.insert(0, (b'{"id":0}' + end, True))
                for cut in (False, True):
                    if cut:
                        lines[-1] = (b'{"id":1}', True)
                    content = b"".join(line for line, _ in lines)
                    good = b"".join(line for line, isgood in lines if isgood)
                    bad = b"".join(line for line, isgood in lines if not isgood)
                    for threads in (1, 2, 7):
                        with self.subTest(seed=seed, rows=rows, cut=cut, threads=threads):
                            clean, rejects = self.clean(content, rules, "--threads", threads)
                            self.assertTrue(clean == good, "the clean lines are those that came in")
                            self.assertTrue(rejects == bad, "the rejects are those that came in")
                            outcome = self.assay(
                                "clean", "-", "-r", rules, "--format", "jsonl", "--rejects", "r.lines", "--force",
                                "-q", "--threads", threads, stdin=content, status=0)
                            self.assertTrue(outcome.out == good)
                            self.assertTrue(self.read("r.lines") == bad)
                            found = self.findings("x.findings.jsonl")
                            numbers = sorted({each["record"] for each in found})
                            self.assertEqual(numbers, [at for at, (_, isgood) in enumerate(lines, 1) if not isgood])
                            self.assertTrue(all(each["line"] == each["record"] for each in found))

    def test_offsets_are_in_their_lines(self):
        lines = [b'{"id":0}\n'] + [line for line, _ in self.table(5_000, 3)]
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line))
        expected = None
        for threads in (1, 2, 7):
            found = self.check(b"".join(lines), self.rules(*self.RULES), "--threads", threads)
            for each in found:
                start, end = starts[each["record"] - 1], starts[each["record"]]
                self.assertTrue(start <= each["offset"] < end, each)
                rest = lines[each["record"] - 1][each["offset"] - start :]
                if each["rule"] == "id.type":
                    self.assertTrue(rest.startswith(b'"'), rest)
                if each["rule"] == "t[].maxLength":
                    self.assertTrue(rest.startswith(b'"long'), rest)
                    self.assertEqual(each["column"], "t[1]")
            expected = expected or found
            self.assertEqual(found, expected)

    def test_a_byte_order_mark(self):
        content = BOM + lines_of('{"id":1}', '{"id":"x"}')
        clean, rejects = self.clean(content, self.rules(*self.RULES))
        self.assertEqual((clean, rejects), (BOM + b'{"id":1}\n', BOM + b'{"id":"x"}\n'))
        message = "is not an integer: it is a JSON string; 'types: text' would read its text"
        self.assertEqual(
            self.findings("x.findings.jsonl"), [finding(2, 3 + 9 + 6, "id.type", message, "id", 1)])
        found = self.check(BOM + b'{"id":"x"}\n', self.rules(*self.RULES), name="unnamed")
        self.assertEqual(found, [finding(1, 9, "id.type", message, "id", 1)])

    def test_nothing(self):
        for content in (b"", BOM):
            clean, rejects = self.clean(content, self.rules(*self.RULES))
            self.assertEqual((clean, rejects), (content, content))
        clean, rejects = self.clean(b"\n\n", self.rules(*self.RULES))
        self.assertEqual((clean, rejects), (b"", b"\n\n"))

    def test_a_bare_cr_ends_no_line(self):
        content = b'{"id":1}\r{"id":2}\n{"id":\r3}\n{"id":4}\r'
        clean, rejects = self.clean(content, self.rules(*self.RULES))
        self.assertEqual((clean, rejects), (b'{"id":\r3}\n{"id":4}\r', b'{"id":1}\r{"id":2}\n'))

    def test_large_lines_at_block_borders(self):
        lines = []
        for size in (65_000, 65_535, 65_536, 70_000, 262_140, 262_144, 524_288, 1_000_000, 1_040_000):
            lines.append(b'{"id":1,"n":["' + b"\\u00e9" * (size // 6) + b'"]}\n')
            lines.append(b'{"id":"1","n":["' + "\u00fc".encode() * (size // 2) + b'"]}\n')
        good, bad = b"".join(lines[::2]), b"".join(lines[1::2])
        for threads in (1, 2, 7):
            clean, rejects = self.clean(b"".join(lines), self.rules(*self.RULES), "--threads", threads)
            self.assertTrue(clean == good and rejects == bad)


class Annotated(JSONTest):
    RULES = {"name": "id", "type": "integer",
             "constraints": {"required": True}}, {"name": "t[]", "optional": True, "constraints": {"maxLength": 3}}

    def test_members_are_added_at_the_end(self):
        lines = [
            ('{"id":1}', None), ('{"id":"x"}', '{"id":"x","_line":2,"_reasons":["id.type"]}'),
            ("{}", '{"_line":3,"_reasons":["id.required"]}'),
            (" { } ", None), ('{"id":1', '{"id":1'), ("", ""), ('{"id":1,"id":2}', '{"id":1,"id":2}'),
            ('{"id":"x","t":["long","longer","a"]} \t', None), ('{"t":null,"o":{"a":{}}}', None),
            ('{"id":null,"s":"}"}', None)]
        content = lines_of(*(line for line, _ in lines))
        clean, rejects = self.clean(content, self.rules(*self.RULES), "--annotate")
        self.assertEqual(clean, b'{"id":1}\n')
        rejects = rejects.decode().split("\n")
        self.assertEqual(rejects.pop(), "")
        self.assertEqual(len(rejects), len(lines) - 1)
        found = {}
        for each in self.findings("x.findings.jsonl"):
            found.setdefault(each["record"], []).append(each["rule"])
        for record, ((line, expected), got) in enumerate(zip(lines[1:], rejects), 2):
            with self.subTest(line):
                if expected is not None:
                    self.assertEqual(got, expected)
                    continue
                reasons = list(dict.fromkeys(found[record]))
                self.assertEqual(json.loads(got), json.loads(line) | {"_line": record, "_reasons": reasons})
                self.assertEqual(list(json.loads(got))[-2:], ["_line", "_reasons"])
                # The other bytes are unchanged.
                self.assertTrue(got.startswith(line.rstrip()[:-1].rstrip()), got)

    def test_the_line_end(self):
        content = b'{"id":"x"}\r\n{"id":"y"} \r\n{"id":"z"}'
        _, rejects = self.clean(content, self.rules(*self.RULES), "--annotate")
        self.assertEqual([line.endswith(b"\r\n") for line in rejects.splitlines(True)], [True, True, False])
        self.assertEqual([json.loads(line)["_line"] for line in rejects.splitlines()], [1, 2, 3])

    def test_ids_that_need_escapes(self):
        field = {"name": "a", "rules": [{"id": 'q"\\\u00fc', "pattern": NEVER}]}
        _, rejects = self.clean(lines_of('{"a":"x"}'), self.rules(field), "--annotate")
        self.assertEqual(json.loads(rejects), {"a": "x", "_line": 1, "_reasons": ['q"\\\u00fc']})

    def test_many_lines(self):
        lines = [b'{"id":0}\n'] + [line for line, _ in Lines.table(5_000, 5)]
        rules = self.rules(*self.RULES)
        _, plain = self.clean(b"".join(lines), rules)
        expected = None
        for threads in (1, 2, 7):
            _, rejects = self.clean(b"".join(lines), rules, "--annotate", "--threads", threads)
            expected = expected or rejects
            self.assertTrue(rejects == expected)
        found = self.findings("x.findings.jsonl")
        structure = {each["record"] for each in found if each["column"] is None}
        encoding = {each["record"] for each in found if each["code"] == "encoding"}
        numbers = sorted({each["record"] for each in found})
        for number, got, came in zip(numbers, expected.splitlines(True), plain.splitlines(True), strict=True):
            if number in encoding:
                continue
            if number in structure:
                self.assertEqual(got, came)
            else:
                value = json.loads(got)
                self.assertEqual(value.pop("_line"), number)
                self.assertTrue(value.pop("_reasons"))
                self.assertEqual(value, json.loads(came))


class Recognised(JSONTest):
    def format(self, *arguments, stdin=b""):
        self.assay("check", *arguments, "--report", "r.json", "--force", "-q", stdin=stdin)
        return self.report("r.json")["inputs"][0]["format"]

    def test_by_name(self):
        for name in ("a.jsonl", "a.ndjson", "a.json", "A.JSONL", "a.b.Json"):
            for content in ('{"a":1}\n', '\n{"a":1}\n', '7\n{"a":1}\n', "a,b\n1,2\n"):
                with self.subTest(name=name, content=content):
                    self.write(name, content)
                    self.assertEqual(self.format(name), "jsonl")
        for name in ("a.csv", "a.tsv"):
            with self.subTest(name):
                self.write(name, "a,b\n1,2\n")
                self.assertEqual(self.format(name), "csv")

    @slow
    def test_by_the_first_bytes(self):
        lines = {
            b'{"a":1}\n': "jsonl", b"{}\n": "jsonl", b' {"a":1}\n': "jsonl", b'\n\r\n{"a":1}\n': "jsonl",
            BOM + b'{"a":1}\n': "jsonl", b'{ "a":1}\n{"b":2}\n': "jsonl", b'{"a":1}': "jsonl",
            b"{a},b\n1,2\n": "csv", b"{a}\n1\n": "csv", b'"{""a"":1}",b\n1,2\n': "csv", b"a{\n1\n": "csv",
            b"x,{}\n1,2\n": "csv",
        }
        for content, expected in lines.items():
            for name in ("unnamed", "a.txt", "a.dat"):
                with self.subTest(content=content, name=name):
                    self.write(name, content)
                    self.assertEqual(self.format(name), expected)
            with self.subTest(content=content, pipe=True):
                self.assertEqual(self.format("-", stdin=content), expected)

    def test_by_the_option(self):
        self.write("a.csv", '{"a":1}\n')
        self.assertEqual(self.format("a.csv", "--format", "jsonl"), "jsonl")
        self.write("a.jsonl", "{a},b\n1,2\n")
        self.assertEqual(self.format("a.jsonl", "--format", "csv"), "csv")
        self.assertEqual(self.format("-", "--format", "jsonl", stdin=b'\n{"a":1}\n'), "jsonl")
        self.assertEqual(self.format("-", "--format", "csv", stdin=b'{"a",b\n1,2\n'), "csv")
        self.assertIn("--format", self.assay("check", "a.csv", "--format", "json", status=2).err)

    def test_the_report_has_no_delimiter(self):
        self.write("a.jsonl", '{"a":1}\n')
        self.assay("check", "a.jsonl", "--report", "r.json", "-q", status=0)
        self.assertIsNone(self.report("r.json")["inputs"][0]["delimiter"])

    def test_options_for_tables_of_fields_are_refused(self):
        self.write("a.jsonl", '{"a":1}\n')
        self.write("b.csv", "a\n1\n")
        for options in (
                ["--delimiter", ";"], ["--quote", "none"], ["--no-header"], ["--escape", "!"], ["--comment", "#"],
                ["--extra-fields", "keep"], ["--skip-initial-space"], ["--trailing-delimiter"],
                ["--blank-lines", "keep"], ["--skip", 0]):
            with self.subTest(options):
                outcome = self.assay("check", "b.csv", "a.jsonl", *options, status=2)
                self.assertEqual(
                    outcome.err, f"assay: error: {options[0]} is for CSV, and a.jsonl is JSON Lines\n"
                    "  hint: leave it out, or, if this is CSV, add --format csv\n")
        rules = self.rules("a")
        for command in (["init"], ["bench", "-r", rules]):
            with self.subTest(command):
                self.assertEqual(
                    self.assay(*command, "a.jsonl", "--skip", 1, status=2).err,
                    "assay: error: --skip is for CSV, and a.jsonl is JSON Lines\n"
                    "  hint: leave it out, or, if this is CSV, add --format csv\n")

    def test_a_first_line_with_more_behind_its_object_is_a_reject(self):
        for line in ('{"a": "1"}[', '{"a": "1"}{"a": ', '"a" {'):
            with self.subTest(line=line):
                self.write("t.jsonl", f'{line}\n1\n{{"a": "2"}}\n')
                self.write("r.json", '{"fields": [{"name": "a"}]}')
                self.assay(
                    "clean", "t.jsonl", "-r", "r.json", "--format", "jsonl", "-q", "--force", "--clean", "clean",
                    "--rejects", "rejects")
                self.assertEqual(self.read("clean"), b'{"a": "2"}\n')
                self.assertEqual(self.read("rejects").decode(), f"{line}\n1\n")

    @slow
    def test_documents_that_are_no_lines(self):
        """One object over several lines, or an array. The suggested conversion command must work."""
        several = "is JSON over several lines, not an object on each line"
        cases = [
            ('{\n  "a": 1\n}\n', several), ('{"a": 1,\n "b": 2}\n', several), ('{\r\n\t"a": 1\r\n}\r\n', several),
            ('[{"a":1}]\n', "is a JSON array, not "), ('[\n  {"a": 1},\n  {"a": 2}\n]\n', "is a JSON array, not "),
            ('\n [{"a":1}]', "is a JSON array, not ")]
        for content, message in cases:
            for name in ("a.json", "b.jsonl", "unnamed", "it's a name.json"):
                with self.subTest(content=content, name=name):
                    self.write(name, content)
                    outcome = self.assay("check", name, status=2)
                    lines = outcome.err.splitlines()
                    self.assertEqual(len(lines), 4, outcome.err)
                    self.assertIn(message, lines[0])
                    self.assertIn("name the format: --format csv or --format jsonl", lines[1])
                    self.assertEqual(lines[2], "  try:")
                    self.assertIn("jq -c ", lines[3])
                    if shutil.which("jq"):
                        self.shell(lines[3], status=0)
            with self.subTest(content=content, pipe=True):
                outcome = self.assay("check", "-", stdin=content, status=2)
                self.assertIn(f"standard input {message}", outcome.err)
                self.assertIn("jq -c ", outcome.err)

    def test_names_of_outputs(self):
        rules = self.rules("a")
        for name, ending in (("a.jsonl", ".jsonl"), ("b.ndjson", ".ndjson"), ("c.json", ".json"), ("d", "")):
            with self.subTest(name):
                stem = name.split(".")[0]
                self.write(name, '{"a":"x"}\n{\n')
                self.assay("clean", name, "-r", rules, "-q", "--format", "jsonl", status=0)
                self.assertEqual(self.read(f"{stem}.clean{ending}"), b'{"a":"x"}\n')
                self.assertEqual(self.read(f"{stem}.rejects{ending}"), b"{\n")
                self.assertTrue(self.exists(f"{stem}.findings.jsonl") and self.exists(f"{stem}.report.json"))


class Ways(JSONTest):
    """Other kinds of inputs and outputs."""

    RULES = {"name": "id", "type": "integer",
             "constraints": {"required": True}}, {"name": "t[]", "optional": True, "constraints": {"maxLength": 3}}

    def expected(self, rows=3_000):
        lines = [b'{"id":0}\n'] + [line for line, _ in Lines.table(rows, 9)]
        return b"".join(lines)

    def test_packed(self):
        content = self.expected()
        rules = self.rules(*self.RULES)
        clean, rejects = self.clean(content, rules)
        found = self.read("x.findings.jsonl")
        ways = {"g.jsonl.gz": (gzip.compress(content), gzip.decompress)}
        if shutil.which("zstd"):
            def zstd(data, *options):
                return subprocess.run(["zstd", "-qc", *options], input=data, stdout=subprocess.PIPE, check=True).stdout

            ways["z.ndjson.zst"] = (zstd(content), lambda data: zstd(data, "-d"))
        for name, (packed, unpack) in ways.items():
            stem, ending = name[0], name[1:]
            for threads in (1, 2, 7):
                with self.subTest(name=name, threads=threads):
                    self.write(name, packed)
                    self.assay("clean", name, "-r", rules, "--force", "-q", "--threads", threads, status=0)
                    self.assertTrue(unpack(self.read(f"{stem}.clean{ending}")) == clean)
                    self.assertTrue(unpack(self.read(f"{stem}.rejects{ending}")) == rejects)
                    self.assertTrue(self.read(f"{stem}.findings.jsonl") == found)
                    self.assertEqual(self.report(f"{stem}.report.json")["inputs"][0]["format"], "jsonl")

    @slow
    def test_utf16(self):
        content = self.expected().decode(errors="ignore").encode()
        rules = self.rules(*self.RULES)
        clean, rejects = self.clean(content, rules)
        found = self.findings("x.findings.jsonl")
        for encoding, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-32-le", b"\xff\xfe\0\0"),
                               ("utf-16-le", b"")):
            for threads in (1, 2, 7):
                with self.subTest(encoding=encoding, mark=mark, threads=threads):
                    wide = mark + content.decode().encode(encoding)
                    got = self.clean(wide, rules, "--threads", threads, name="w.jsonl")
                    self.assertTrue(got == (clean, rejects))
                    self.assertEqual(self.findings("w.findings.jsonl"), found)
                    clean16, rejects16 = self.clean(wide, rules, "--output-encoding", "same", "--threads", threads,
                                                    name="w.jsonl")
                    self.assertTrue(clean16 == mark + clean.decode().encode(encoding))
                    self.assertTrue(rejects16 == mark + rejects.decode().encode(encoding))

    def test_head(self):
        content = lines_of('{"id":1}', "", '{"id":"x"}', '{"id":2}', "{")
        for head, expected in ((0, (b"", b"")), (1, (b'{"id":1}\n', b"")),
                               (3, (b'{"id":1}\n', b'\n{"id":"x"}\n')), (9, None)):
            with self.subTest(head):
                got = self.clean(content, self.rules(*self.RULES), "--head", head)
                self.assertEqual(got, expected or (b'{"id":1}\n{"id":2}\n', b'\n{"id":"x"}\n{\n'))

    def test_the_first_lines_of_a_pipe_are_not_waited_for(self):
        process = self.start("check", "-", "--head", 2, "--format", "jsonl")
        process.stdin.write(b'{"a":1}\n{"a":2}\n{"a"')
        process.stdin.flush()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_findings_as_csv(self):
        content = self.expected(200)
        rules = self.rules(*self.RULES)
        found = self.check(content, rules)
        self.assay("check", "x.jsonl", "-r", rules, "--findings", "f.csv", "-q", status=1)
        rows = csv_rows(self.read("f.csv"))
        names = rows.pop(0)
        self.assertEqual(len(rows), len(found))
        for row, each in zip(rows, found):
            self.assertEqual(
                dict(zip(names, row)), {key: "" if value is None else str(value) for key, value in each.items()})

    def test_values_are_shown_on_request(self):
        content = lines_of('{"id":"a\\u00fcb","t":["l\\"ng"]}', '{"id":{"a": [1]}}', '{"id":1.50}',
                           '{"id":true}', '{"id":')
        found = self.check(content, self.rules(*self.RULES), "--show-values")
        self.assertEqual([each["value"] for each in found],
                         ["a\u00fcb", 'l"ng', '{"a": [1]}', "1.50", "true", '{"id":'])

    def test_bench(self):
        self.write("x.jsonl", lines_of(*(f'{{"id":{row},"o":{{"s":"a"}}}}' for row in range(3_000))))
        fields = {"name": "id", "type": "integer"}, {"name": "o.s", "constraints": {"pattern": "[a-z]+"}}
        outcome = self.assay("bench", "x.jsonl", "-r", self.rules(*fields), "--rounds", 1, status=0)
        self.assertIn("id.type", outcome.text)
        self.assertIn("o.s.pattern", outcome.text)
        outcome = self.assay("bench", "x.jsonl", "-r", self.rules(*self.RULES), "--rounds", 1, status=2)
        self.assertIn("bench does not measure rules for elements of lists, such as t[]", outcome.err)

    def test_several_inputs_of_different_formats(self):
        self.write("a.jsonl", '{"id":1}\n{"id":"x"}\n')
        self.write("b.csv", "id,t[]\n1,a\nx,b\n")
        self.assay("clean", "a.jsonl", "b.csv", "-r", self.rules(*self.RULES), "-q", status=0)
        self.assertEqual(self.read("a.clean.jsonl") + self.read("b.clean.csv"), b'{"id":1}\nid,t[]\n1,a\n')

    def test_a_short_line_alone_in_a_chunk(self):
        """A short chunk is parsed in a copy, regardless of the number of bytes after it."""
        rules = self.rules({"name": "a", "type": "integer"})
        self.write("x.jsonl", '{"a":1}\n' + '{"a":"' + "x" * 300_000 + '"}\n')
        self.assay("check", "x.jsonl", "-r", rules, "-q", status=1)
        self.write("x.jsonl", '{"a":"\\u0061"}\n' * 1000)
        outcome = self.assay("check", "x.jsonl", "-r", rules, "--show-values", "--head", 1, status=1)
        self.assertIn("x.jsonl:1:5 a.type a is not an integer: it is a JSON string; 'types: text' would read its "
                      "text: a\n", outcome.err)

    def test_outputs_match_the_schemas(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("Python has no jsonschema here")
        self.write("x.jsonl", self.expected(500))
        self.assay("clean", "x.jsonl", "-r", self.rules(*self.RULES), "-q", "--show-values", "--annotate", status=0)
        report = json.loads((SCHEMAS / "assay-report.schema.json").read_text())
        jsonschema.Draft202012Validator(report).validate(self.report("x.report.json"))
        validator = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "assay-finding.schema.json").read_text()))
        found = self.findings("x.findings.jsonl")
        self.assertGreater(len(found), 50)
        for each in found:
            validator.validate(each)
        report = self.report("x.report.json")["inputs"][0]
        self.assertEqual(report["records"], report["clean"] + report["rejected"])


class SameAsCSV(JSONTest):
    @slow
    def test_the_verdicts_of_an_export(self):
        make_ten(self.path("ten.csv"), 5_000)
        rules = self.write("r.yaml", "types: text\n" + (ROOT / "Benchmarks" / "export.rules.yaml").read_text())
        self.assay("clean", "ten.csv", "-r", rules, "-q", status=0)
        clean, rejects = csv_rows(self.read("ten.clean.csv")), self.well_formed()
        self.assertGreater(len(clean), 4_000)
        self.assertGreater(len(rejects), 100)
        header = clean.pop(0)
        rows = []
        chance = random.Random(1)
        waiting = list(rejects)
        for row in clean:
            rows.append(row)
            if waiting and chance.random() < 0.1:
                rows.append(waiting.pop())
        rows += waiting
        output = io.StringIO()
        csv.writer(output, lineterminator="\n").writerows([header, *rows])
        self.write("t.csv", output.getvalue())
        verdicts = None
        for ascii_only in (False, True):
            content = lines_of(*(json.dumps(dict(zip(header, row)), ensure_ascii=ascii_only) for row in rows))
            self.write("t.jsonl", content)
            for name in ("t.csv", "t.jsonl"):
                for threads in (1, 7):
                    self.assay(
                        "check", name, "-r", rules, "-q", "--findings", "f.jsonl", "--report", "r.json", "--force",
                        "--show-values", "--threads", threads, status=1)
                    report = self.report("r.json")
                    found = [
                        (each["record"], each["column"], each["rule"], each["message"], each["value"])
                        for each in self.findings("f.jsonl")]
                    # A JSON value may have a type other than text, unlike a cell of CSV.
                    counts = {
                        rule["id"]: rule for column in report["columns"] for rule in column["rules"]
                        if name == "t.csv" or not rule["id"].endswith(".type")}
                    got = (found, counts, report["inputs"][0]["clean"], report["structure"])
                    verdicts = verdicts or got
                    with self.subTest(name=name, ascii_only=ascii_only, threads=threads):
                        self.assertEqual(got[1:], verdicts[1:])
                        self.assertEqual(got[0], verdicts[0])

    def well_formed(self):
        """The well-formed rejected rows, as Python reads them."""
        found = {each["record"] for each in self.findings("ten.findings.jsonl") if each["column"] is None}
        numbers = sorted({each["record"] for each in self.findings("ten.findings.jsonl")})
        self.assay(
            "check", "ten.csv", "-r", self.rules(*(
                {"name": name, "missingValues": [], "rules": [{"id": f"every.{name}", "pattern": NEVER}]}
                for name in csv_rows(self.read("ten.clean.csv"))[0])),
            "-q", "--findings", "all.jsonl", "--show-values", status=1)
        unfound = set(numbers) - found
        rows = {}
        for each in self.findings("all.jsonl"):
            if each["record"] in unfound:
                rows.setdefault(each["record"], []).append(each["value"])
        return [rows[number] for number in sorted(rows)]


def is_object(line):
    """Whether Python accepts a line as a JSON object, in strict mode."""
    def refuse(text):
        raise ValueError(text)

    def pairs(members):
        names = [name for name, _ in members]
        if len(set(names)) < len(names):
            raise ValueError("a name twice")
        return dict(members)

    try:
        text = line.decode()
        # Python strips no characters other than the white space of JSON.
        value = json.loads(text, parse_constant=refuse, object_pairs_hook=pairs)
        # Python accepts a lone surrogate.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict)


class Differential(JSONTest):
    SEEDS = [
        "{}", '{"a":1}', '{"a":"b","c":[1,2.5e-3,-0],"d":{"e":null}}', '{"a":true,"b":false,"c":null}',
        '{"a":"\\u00fc\\ud83d\\ude00\\n"}', '{"a":"ü😀中","ß":"\u2028"}', '{"a":[[],[[]],{},{"a":[]}]}',
        ' { "a" : [ 1 , 2 ] , "b" : "c" } ', '{"a":1,"b":2,"c":3,"aa":4,"ab":5}', '{"":{"":{"":""}}}',
        '{"a":"\\\\\\"\\/\\b\\f\\t\\r"}', '{"a":123456789012345678901234567890.5E+10}', '{"a":-1,"b":-1.5,"c":0.0}',
    ]
    PIECES = [
        b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b" ", b"\t", b"0", b"1", b"-", b"+", b".", b"e",
        b"E", b"u", b"t", b"true", b"null", b"NaN", b"Infinity", b'"a"', b'"a":1', b"\\u0061", b"\\ud800", b"\\u12",
        b"\x00", b"\x1f", b"\x7f", b"\x80", b"\xc3\xbc", b"\xc3", b"\xed\xa0\x80", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80",
        b"\xff", b"\xef\xbb\xbf", b"//", b"'", b"\xc2\xa0", b"\x0c", b"\r", b"1e400", b"00",
    ]

    def seeds(self):
        chance = random.Random(99)

        def value(depth):
            kind = chance.randrange(8 if depth < 4 else 5)
            if kind == 0:
                return chance.choice([True, False, None])
            if kind in (1, 2):
                return chance.choice([0, -1, 17, 2.5, 1e-7, 10**25, -0.0])
            if kind in (3, 4):
                return "".join(chance.choice('ab"\\/\n\tü中😀\x7f ') for _ in range(chance.randrange(12)))
            if kind == 5:
                return [value(depth + 1) for _ in range(chance.randrange(5))]
            return {"".join(chance.choice("abü.") for _ in range(chance.randrange(4))): value(depth + 1)
                    for _ in range(chance.randrange(6))}

        made = [
            json.dumps({"a": value(0), "b": value(0)}, ensure_ascii=chance.random() < 0.4,
                       separators=chance.choice([(",", ":"), (", ", " : ")]))
            for _ in range(50 - len(self.SEEDS))]
        return [seed.encode() for seed in self.SEEDS + made]

    def mutated(self, count):
        chance = random.Random(8259)
        seeds = self.seeds()
        for _ in range(count):
            line = bytearray(chance.choice(seeds))
            for _ in range(chance.choice([1, 1, 1, 2, 3])):
                at = chance.randrange(len(line) + 1)
                to = min(len(line), at + chance.choice([1, 1, 2, 5]))
                kind = chance.randrange(5)
                if kind == 0:
                    del line[at:to]
                elif kind == 1:
                    line[at:at] = chance.choice(self.PIECES)
                elif kind == 2:
                    line[at:to] = chance.choice(self.PIECES)
                elif kind == 3:
                    line[at:at] = line[at:to] if chance.random() < 0.5 else chance.choice(seeds)[at:to]
                elif line and at < len(line):
                    line[at] ^= 1 << chance.randrange(8)
            yield bytes(line).replace(b"\n", b"")

    def test_python_agrees_about_mutated_lines(self):
        lines = list(self.mutated(volume(5_000, 30_000)))
        # A CR before the LF is part of the line end.
        content = b"{}\n" + b"".join(line + b"\n" for line in lines)
        for threads in (1, 2, 7):
            bad = {each["record"] - 2: each for each in self.check(content, None, "--threads", threads)}
            for place, line in enumerate(lines):
                expected = is_object(line)
                if expected != (place not in bad):
                    self.fail(f"{line!r}: Python says {expected}, the command says {bad.get(place, 'nothing')}")
            self.assertGreater(len(bad), len(lines) // 3)
            self.assertLess(len(bad), len(lines) * 29 // 30)
        for place, each in bad.items():
            line = lines[place]
            try:
                line.decode()
            except UnicodeDecodeError:
                self.assertEqual(each["code"], "encoding", line)
            else:
                self.assertEqual(each["code"], "structure.json" if line.strip(b" \t\r") else "structure.blank", line)

    def test_values_agree_with_python(self):
        lines = [line for line in self.mutated(volume(3_000, 8_000)) if is_object(line)]
        fields = [{"name": name, "missingValues": [], "rules": [{"id": f"every.{name}", "pattern": NEVER}]}
                  for name in ("a", "b")]
        content = b"{}\n" + b"".join(line + b"\n" for line in lines)
        found = self.check(content, self.rules(*fields, types="text"), "--show-values", "--max-findings", 1_000_000)
        got = {(each["record"], each["column"]): each["value"] for each in found if each["code"] == "pattern"}
        expected = {}
        for record, line in enumerate(lines, 2):
            value = json.loads(line, parse_float=lambda text: ("n", text), parse_int=lambda text: ("n", text))
            for name in ("a", "b"):
                member = value.get(name)
                if isinstance(member, str):
                    expected[record, name] = member
                elif isinstance(member, tuple):
                    expected[record, name] = member[1]
                elif isinstance(member, bool):
                    expected[record, name] = str(member).lower()
        self.assertEqual(got, expected)


class PathDifferential(JSONTest):
    """Values at paths, extracted by the command and by a simple recursive walk."""

    NAMES = ["a", "a.b", r"x\.y", "t[]", "o.t[]", "t[].a", "m[][]", "t[].b[]", "m[][].a"]
    STEPS = {
        "a": ["a"], "a.b": ["a", "b"], r"x\.y": ["x.y"], "t[]": ["t", None], "o.t[]": ["o", "t", None],
        "t[].a": ["t", None, "a"],
        "m[][]": ["m", None, None], "t[].b[]": ["t", None, "b", None], "m[][].a": ["m", None, None, "a"]}

    def value(self, chance, depth=1):
        kind = chance.randrange(9 if depth < 4 else 5)
        if kind == 0:
            return None
        if kind == 1:
            return chance.choice([True, False])
        if kind == 2:
            return chance.randrange(100)
        if kind < 5:
            return chance.choice(["", "s", "ü\n", '"q', "x" * chance.randrange(40)])
        if kind < 7:
            return [self.value(chance, depth + 1)
                    for _ in range(chance.choice([0, 1, 2, 3, 70]) if depth < 2 else chance.randrange(3))]
        return {name: self.value(chance, depth + 1)
                for name in chance.sample(["a", "b", "t", "o", "m", "x.y", "a.b"], chance.randrange(5))}

    def walk(self, value, steps, name):
        """Yields all values below a value, with their names. For a non-list in place of a list it yields an empty list,
        which is a type error as well."""
        if not steps:
            yield value, name
        elif steps[0] is not None:
            inner = value.get(steps[0]) if isinstance(value, dict) else None
            yield from self.walk(inner, steps[1:], (name and name + ".") + steps[0].replace(".", r"\."))
        elif isinstance(value, list):
            for index, element in enumerate(value):
                yield from self.walk(element, steps[1:], f"{name}[{index}]")
        elif value is not None:
            rest = "".join("[]" if step is None else "." + step for step in steps)
            yield [], name + rest

    def test_a_plain_walk_finds_the_same(self):
        for seed in (1, 2, 3):
            chance = random.Random(seed)
            objects = [
                {name: self.value(chance) for name in chance.sample(["a", "b", "t", "o", "m", "x.y", "a.b", "t[]"],
                                                                    chance.randrange(8))}
                for _ in range(volume(600, 3_000))]
            content = lines_of(*(json.dumps(each, ensure_ascii=chance.random() < 0.5) for each in objects))
            fields = [
                {"name": name, "missingValues": [], "rules": [{"id": f"every.{place}", "pattern": NEVER}]}
                for place, name in enumerate(self.NAMES)]
            got = {}
            for each in self.check(content, self.rules(*fields, types="text"), "--show-values", "--threads", seed):
                value = None if each["code"] == "type" else each["value"]
                got.setdefault(each["record"], []).append((each["position"], each["column"], each["code"], value))
            for record, value in enumerate(objects, 1):
                expected = []
                for position, name in enumerate(self.NAMES, 1):
                    exact = "[]" not in name and name in value
                    for found, column in [(value[name], name)] if exact else self.walk(value, self.STEPS[name], ""):
                        if isinstance(found, (list, dict)):
                            expected.append((position, column, "type", None))
                        elif found is not None:
                            text = found if isinstance(found, str) else json.dumps(found)
                            expected.append((position, column, "pattern", text))
                self.assertEqual(got.get(record, []), expected, json.dumps(value))


class ListTests(JSONTest):
    @slow
    def test_more_findings_than_memory_is_kept_for(self):
        field = {"name": "t[]", "constraints": {"maxLength": 1, "pattern": "[a-z]*"}}
        line = json.dumps({"t": ["XX"] * 40}, separators=(",", ":"))
        self.write("t.jsonl", "{}\n" + f"{line}\n" * volume(600, 3_000))
        outputs = set()
        for threads in (1, 2, 7):
            self.assay(
                "clean", "t.jsonl", "-r", self.rules(field), "-q", "--force", "--annotate",
                "--threads", threads, status=0)
            self.assertEqual(self.report("t.report.json")["findings"], {"total": 80 * volume(600, 3_000), "dropped": 0})
            self.assertEqual(self.read("t.findings.jsonl").count(b"\n"), 80 * volume(600, 3_000))
            outputs.add(self.read("t.rejects.jsonl"))
        [rejects] = outputs
        for number, text in enumerate(rejects.splitlines(), 2):
            self.assertEqual(
                json.loads(text), json.loads(line) | {"_line": number, "_reasons": ["t[].maxLength", "t[].pattern"]})

    def test_the_order_of_findings_in_lists_of_many_thousands(self):
        """Findings are ordered by record, field, element and rule, whether they are written or only counted, and also
        next to repaired values."""
        draw = random.Random(11)
        def values(maximum):
            return ["".join(draw.choices("ab ", k=draw.randrange(3))) if draw.random() < 0.3 else "ok"
                    for _ in range(draw.randrange(maximum))]
        records = [{"a": values(9), "id": draw.randrange(3), "b": values(maximum)}
                   for maximum in [4, 9000, 1, 3, 5000, 4] + [3] * 500]
        self.write("t.jsonl", lines_of(*(json.dumps(record) for record in records)))
        rules = [{"id": "long", "minLength": 2}, {"id": "as", "pattern": "[^a]*"},
                 {"id": "bs", "pattern": "[^b]*", "severity": "warn"}]
        lists = [{"name": f"{name}[]", "repair": ["trim"],
                  "rules": [rule | {"id": f"{name}.{rule['id']}"} for rule in rules]} for name in "ab"]
        fields = self.rules(lists[0],
                            {"name": "id", "type": "integer", "rules": [{"id": "zero", "maximum": 0}]}, lists[1])
        def of_list(name, texts):
            for element, text in enumerate(text.strip() for text in texts):
                found = [len(text) < 2, "a" in text, "b" in text] if text else []
                yield from ((f"{name}.{rule['id']}", f"{name}[{element}]", text)
                            for rule, bad in zip(rules, found) if bad)
        expected, reasons = [], []
        for number, record in enumerate(records, 1):
            found = [*of_list("a", record["a"]), *([("zero", "id", str(record["id"]))] if record["id"] else []),
                     *of_list("b", record["b"])]
            expected += [(number, *of) for of in found]
            rejecting = dict.fromkeys(rule for rule, _, _ in found if not rule.endswith("bs"))
            if rejecting:
                reasons.append(list(rejecting))
        for maximum in (10**6, 3000, 11, 0):
            for threads in (1, 3):
                with self.subTest(maximum=maximum, threads=threads):
                    self.assay("clean", "t.jsonl", "-r", fields, "-q", "--force", "--annotate", "--show-values",
                               "--threads", threads, "--max-findings", maximum, status=0)
                    found = [(it["record"], it["rule"], it["column"], it["value"])
                             for it in self.findings("t.findings.jsonl")]
                    self.assertEqual(found, expected[:maximum])
                    self.assertEqual(self.report("t.report.json")["findings"]["total"], len(expected))
                    rejects = [json.loads(line)["_reasons"] for line in self.read("t.rejects.jsonl").splitlines()]
                    self.assertEqual(rejects, reasons)

    def test_a_name_that_a_note_would_have_twice(self):
        content = lines_of('{"a":1,"_line":7}', '{"a":2}')
        self.write("t.jsonl", content)
        self.assay("clean", "t.jsonl", "-r", self.rules("a"), "-q", "--annotate", status=0)
        self.assertEqual(
            self.read("t.rejects.jsonl"), b'{"a":1,"_line":7}\n{"a":2,"_line":2,"_reasons":["a.type"]}\n')

    def test_column_only_settings_are_refused(self):
        self.write("t.jsonl", '{"a":"1"}\n')
        error = self.assay("check", "t.jsonl", "-r", self.rules("a", fieldsMatch="exact"), status=2).err
        self.assertIn("t.jsonl is JSON Lines, where objects may have any members, but the rules say fieldsMatch: exact",
                      error)
        self.write("s.json", '{"properties": {"a": {}}, "additionalProperties": false}')
        error = self.assay("check", "t.jsonl", "-r", "s.json", status=2).err
        self.assertIn("fieldsMatch: equal (in a JSON Schema, additionalProperties: false)", error)
        error = self.assay("check", "t.jsonl", "--skip", 1, status=2).err
        self.assertIn("t.jsonl is JSON Lines, which has no lines above the table", error)

    def test_a_line_may_be_longer_than_a_field_of_csv(self):
        self.write("t.jsonl", json.dumps({"n": ["x" * 100] * 15_000}) + "\n")
        self.assay("check", "t.jsonl", status=0)

    def test_the_first_lines_of_a_pipe_are_not_waited_for(self):
        process = self.start("check", "-", "--head", 2, "-q")
        process.stdin.write(b'{"a":1}\n{"a":2}\n')
        process.stdin.flush()
        self.assertEqual(process.wait(PATIENCE), 0)


class Suite(JSONTest):
    """JSONTestSuite: documents that a parser must accept (y_) or reject (n_)."""

    def test_all_documents(self):
        folder = SUITES / "JSONTestSuite" / "test_parsing"
        if not folder.is_dir():
            self.skipTest(f"there is no suite at {folder}")
        lines, expected = [b"{}"], [True]
        names = ["none"]
        for file in sorted(folder.glob("[yn]_*.json")):
            document = file.read_bytes()
            # A line end is white space in a JSON document, but ends a record in JSON Lines.
            if b"\n" in document.strip(b"\n\r"):
                if file.name.startswith("n_"):
                    continue
                document = document.replace(b"\n", b" ")
            document = document.strip(b"\n\r")
            lines.append(b'{"a":' + document + b"}")
            expected.append(file.name.startswith("y_"))
            names.append(file.name)
        self.assertGreater(len(lines), 250)
        bad = {each["record"] for each in self.check(lines_of(*lines), None)}
        wrong = [
            name for record, (name, good) in enumerate(zip(names, expected), 1)
            if (record not in bad) != good]
        # A duplicate name is valid JSON, but readers disagree about the value, so Assay rejects it.
        self.assertEqual(wrong, ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"])


if __name__ == "__main__":
    unittest.main()
