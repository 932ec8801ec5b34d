"""The test suite of JSON Schema, draft 2020-12: Assay returns the verdict of the suite, or rejects the keyword by name.

It is the suite json-schema of Tests/Suites. Without it, the tests are skipped.
"""

import collections
import json
import re
import unittest

from support import SUITES, CommandTest, slow

CASES = SUITES / "json-schema" / "cases.jsonl"

# Keywords that Assay rejects in every schema.
REFUSED = {
    "$defs", "$dynamicRef", "$ref", "allOf", "anyOf", "contains", "contentEncoding", "contentMediaType",
    "dependentRequired", "dependentSchemas", "else", "if", "items", "maxContains", "maxItems", "maxProperties",
    "minContains", "minItems", "minProperties", "not", "oneOf", "patternProperties", "prefixItems", "properties",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
    # Rejected as a schema for other members, and if false in JSON Lines.
    "additionalProperties",
    # Rejected with objects and arrays.
    "const", "enum",
}

# For the suite, `format` is an annotation unless a vocabulary states otherwise. Assay asserts formats, as
# optional/format of the suite does.
ANNOTATION = re.compile("invalid .* string is only an annotation by default")


@unittest.skipUnless(CASES.exists(), "the suite json-schema is missing: see Tests/Suites/README.md")
class JSONSchemaSuite(CommandTest):
    def verdicts(self, schema, records):
        """Whether each record passes, or the error message for the schema."""
        self.write("schema.json", json.dumps(schema).encode())
        self.write("t.jsonl", "".join(json.dumps(record) + "\n" for record in records).encode())
        outcome = self.assay("check", "t.jsonl", "--rules", "schema.json", "--findings", "t.findings.jsonl",
                             "--force", status=None)
        if outcome.status == 2:
            return outcome.err
        self.assertIn(outcome.status, (0, 1), outcome.err)
        bad = {json.loads(line)["record"] for line in self.read("t.findings.jsonl").splitlines()}
        return [number not in bad for number in range(1, len(records) + 1)]

    def evaluate(self, group):
        """The tests of a group with their verdicts, or the error message for the schema.

        A schema with properties applies to the record. Every other schema applies to a property.
        """
        schema, tests = group["schema"], group["tests"]
        if isinstance(schema, dict):
            schema = {key: value for key, value in schema.items() if key != "$schema"}
            if schema.keys() & {"properties", "required"}:
                tests = [test for test in tests if isinstance(test["data"], dict)]
                # A field that is absent from all records is an error, so the last record has all fields.
                names = [*schema.get("properties", {}), *schema.get("required", [])]
                found = self.verdicts({"properties": {}} | schema,
                                      [*(test["data"] for test in tests), dict.fromkeys(names, 1)])
                return found if isinstance(found, str) else list(zip(tests, found))
        found = self.verdicts({"properties": {"p": schema}}, [{"p": test["data"]} for test in tests])
        return found if isinstance(found, str) else list(zip(tests, found))

    @slow
    def test_no_case_differs(self):
        counts, differing, unnamed = collections.Counter(), [], []
        for line in CASES.read_text().rstrip("\n").split("\n"):
            group = json.loads(line)
            found = self.evaluate(group)
            if isinstance(found, str):
                counts["refused"] += len(group["tests"])
                words = re.findall("error: (.*)", found)
                names = {name for word in words for name in re.findall(r"'([\w$]+)'|the schema (false)", word)
                         for name in name if name}
                if not words or not names & (REFUSED | {"false"}) or not all(
                        f'"{name}"' in line or name == "false" for name in names):
                    unnamed.append((group["file"], group["description"], found))
                continue
            for test, passes in found:
                is_annotation = ANNOTATION.fullmatch(test["description"]) is not None
                counts["asserted" if is_annotation else "evaluated"] += 1
                if passes != (test["valid"] and not is_annotation):
                    differing.append((group["file"], group["description"], test["description"], test["data"]))
        self.assertEqual(unnamed, [])
        self.assertEqual(differing, [])
        self.assertEqual(counts["asserted"], 19)
        # Later versions may support more cases, but not fewer.
        self.assertGreaterEqual(counts["evaluated"], 420)


class ValuesOfJSON(CommandTest):
    """`types: jsonSchema`, the default of JSON Schemas: the handling of null, the empty text and `1.0`."""

    def found(self, rules, *lines):
        """The record, rule and message of each finding."""
        self.write("rules.json", json.dumps(rules).encode())
        self.write("t.jsonl", "".join(line + "\n" for line in lines))
        self.assay("check", "t.jsonl", "-r", "rules.json", "--findings", "t.findings.jsonl", "--force")
        findings = map(json.loads, self.read("t.findings.jsonl").splitlines())
        return [(finding["record"], finding["rule"], finding["message"]) for finding in findings]

    def test_null_is_no_key(self):
        """For keys, null is a missing value, together with the empty text and in a repaired column."""
        for repair in ([], ["trim"]):
            self.write("r.json", json.dumps({
                "types": "jsonSchema", "primaryKey": "p", "uniqueKeys": [["x", "y"]],
                "foreignKeys": [{"fields": "ref", "reference": {"resource": "", "fields": "p"}}],
                "fields": [{"name": "p", "nullable": True},
                           {"name": "a", "type": "integer", "nullable": True, "constraints": {"unique": True}},
                           {"name": "x", "type": "integer"}, {"name": "y", "nullable": True, "repair": repair},
                           {"name": "ref", "nullable": True}]}))
            records = [{"p": None, "a": 1, "x": 1, "y": "", "ref": None},
                       {"p": "k", "a": None, "x": 1, "y": None, "ref": "k"},
                       {"p": "l", "a": None, "x": 1, "y": None, "ref": "z"}]
            self.write("t.jsonl", "".join(json.dumps(record) + "\n" for record in records))
            self.assay("check", "t.jsonl", "-r", "r.json", "-q", "--findings", "f.jsonl", "--force", status=1)
            self.assertEqual([(finding["record"], finding["rule"]) for finding in self.findings("f.jsonl")],
                             [(1, "primaryKey"), (3, "foreignKeys.1")])

    def test_repairs_that_fill_missing_values_need_missing_texts(self):
        self.write("t.jsonl", '{"u": "NA"}\n')
        for repair in ({"missing": ["NA"]}, {"default": "q"}):
            field = {"name": "u", "type": "string", "repair": [repair]}
            self.write("r.json", json.dumps({"types": "jsonSchema", "fields": [field]}))
            self.assertIn("need missingValues: ['']", self.assay("check", "t.jsonl", "-r", "r.json", status=2).err)
            self.write("r.json", json.dumps({"types": "jsonSchema", "fields": [{**field, "missingValues": [""]}]}))
            self.assay("check", "t.jsonl", "-r", "r.json", status=0)

    def test_rules_of_the_report_are_rules(self):
        for types, status in (("strict", 0), ("text", 0), ("jsonSchema", 0)):
            self.write("t.jsonl", '{"a": "x", "b": 1}\n{"a": null, "b": 2}\n')
            self.write("r.json", json.dumps({"properties": {"a": {"type": ["string", "null"]},
                                                            "b": {"type": ["integer", "string"]}},
                                             "required": ["a"], "types": types}))
            self.assay("check", "t.jsonl", "-r", "r.json", "-q", "--report", "p.json", "--force", status=status)
            report = self.report("p.json")
            self.write("again.json", json.dumps(report["rules"]))
            self.assay("check", "t.jsonl", "-r", "again.json", "-q", status=status)
            ids = [rule["id"] for column in report["columns"] for rule in column["rules"]]
            self.assertEqual(len(ids), len(set(ids)), ids)

    def test_categories_in_patterns(self):
        for category in ("gc=Lu", "General_Category=Lu", "General_Category=Uppercase_Letter", "Lu"):
            self.write("r.json",
                       json.dumps({"properties": {"a": {"type": "string", "pattern": f"^\\p{{{category}}}$"}}}))
            self.write("t.jsonl", '{"a": "A"}\n{"a": "a"}\n')
            self.assay("check", "t.jsonl", "-r", "r.json", "-q", "--report", "p.json", "--force", status=1)
            self.assertEqual(self.report("p.json")["inputs"][0]["rejected"], 1)

    def test_keywords_without_a_type(self):
        lines = ['{"a":1}', '{"a":"b"}', '{"a":null}', '{"a":{}}', '{"a":[]}', '{"a":true}', '{"a":""}', '{"a":"1"}',
                 '{"a":2e9}', "{}"]
        for schema, expected in (
                ({"minimum": 3}, [(1, "a.minimum", "is below 3")]),
                ({"multipleOf": 2}, [(1, "a.multipleOf", "is not a multiple of 2")]),
                ({"minLength": 1}, [(7, "a.minLength", "is shorter than 1 character")]),
                ({"pattern": "b"},
                 [(7, "a.pattern", "contains no match for b"), (8, "a.pattern", "contains no match for b")]),
                ({"format": "date", "maximum": 9},
                 [(record, "a.format", "is not a date (YYYY-MM-DD)") for record in (2, 7, 8)]
                 + [(9, "a.maximum", "is above 9")]),
                ({"type": ["integer", "string", "null"], "maxLength": 0},
                 [(2, "a.maxLength", "is longer than 0 characters")]
                 + [(record, "a.type", "is not an integer, a string or null") for record in (4, 5, 6)]
                 + [(8, "a.maxLength", "is longer than 0 characters")]),
                ({"enum": [1, "b", True, None]}, [(record, "a.enum", None) for record in (4, 5, 7, 8, 9)])):
            with self.subTest(schema):
                found = self.found({"properties": {"a": schema}}, *lines)
                if expected[0][2] is None:
                    found = [(record, rule, None) for record, rule, _ in found]
                self.assertEqual(found, expected)

    def test_null_and_the_empty_text(self):
        lines = ['{"a":""}', '{"a":null}', "{}", '{"a":"x"}']
        field = {"name": "a", "constraints": {"required": True, "minLength": 1}}
        short, null, missing = (1, "a.minLength", "is shorter than 1 character"), (
            2, "a.type", "is not text: it is null"), (3, "a.required", "is missing")
        rules = {"types": "jsonSchema", "fields": [field]}
        self.assertEqual(self.found(rules, *lines), [short, null, missing])
        self.assertEqual(self.found(rules | {"fields": [field | {"nullable": True}]}, *lines), [short, missing])
        self.assertEqual(self.found(rules | {"missingValues": [""]}, *lines),
                         [(1, "a.required", "is missing"), null, missing])
        schema = {"properties": {"a": {"type": "string", "minLength": 1}}, "required": ["a"]}
        self.assertEqual(self.found(schema, *lines), [short, null, missing])
        self.assertEqual(self.found(schema | {"types": "strict"}, *lines),
                         [(record, "a.required", "is missing") for record in (1, 2, 3)])

    def test_elements_of_lists(self):
        rules = {"types": "jsonSchema", "fields": [
            {"name": "n[]", "nullable": True, "constraints": {"minLength": 2}},
            {"name": "m[]", "type": "any", "format": "json", "rules": [
                {"jsonType": ["string", "integer"]}, {"when": {"jsonType": "string"}, "then": {"pattern": "a.*"}}]}]}
        elements = '"a","b",1,1.0,1.5,null,{}'
        found = self.found(rules, '{"n":["ab","c",null,""],"m":[%s]}' % elements)
        self.assertEqual([rule for _, rule, _ in found], ["n[].minLength"] * 2 + ["m[].pattern"] + ["m[].type"] * 3)

    def test_integers(self):
        integer = {"name": "a", "type": "integer"}
        lines = ['{"a":1.0}', '{"a":1}', '{"a":1.5}', '{"a":30e-1}', '{"a":1e308}']
        message = "is not an integer"
        rules = {"types": "jsonSchema", "fields": [integer]}
        self.assertEqual(self.found(rules, *lines), [(3, "a.type", message)])
        self.assertEqual(self.found(rules | {"types": "strict"}, *lines),
                         [(record, "a.type", message) for record in (1, 3, 4, 5)])
        unique = integer | {"constraints": {"unique": True, "maximum": 100}}
        self.assertEqual(self.found(rules | {"fields": [unique]}, *lines), [
            (2, "a.unique", "equals record 1 (line 1)"), (3, "a.type", message), (5, "a.maximum", "is above 100")])
        rows = [{"id": "large", "check": "a > 2"}]
        found = self.found(rules | {"rows": rows}, *lines)
        self.assertEqual([(record, rule) for record, rule, _ in found],
                         [(1, "large"), (2, "large"), (3, "a.type"), (5, "large")])

    def test_cells_of_csv(self):
        """They have no JSON type and are read as JSON would read them."""
        cells = ["7", "x", "", "true"]
        self.write("t.csv", "a,b\n" + "".join(f"{cell},\n" for cell in cells))
        for schema, failing in (({"minimum": 8}, [1]), ({"pattern": "^[a-z]"}, [1]), ({"enum": [7, True]}, [2]),
                                ({"enum": ["x", 8]}, [1, 4])):
            with self.subTest(schema):
                self.write("schema.json", json.dumps({"properties": {"a": schema}}).encode())
                self.assay("check", "t.csv", "-r", "schema.json", "--findings", "t.findings.jsonl", "--force")
                found = [json.loads(line)["record"] for line in self.read("t.findings.jsonl").splitlines()]
                self.assertEqual(found, failing)


    def test_types_that_are_those_of_the_text(self):
        """With `types: text`, the text of a value determines its type, regardless of its JSON type."""
        self.write("t.jsonl", '{"a":"7","t":["7"]}\n{"a":7,"t":[7]}\n{"a":"x","t":["x"]}\n')
        for schema, failing in (({"minimum": 8}, [1, 2]), ({"pattern": "^[a-z]"}, [1, 2]), ({"enum": [7, True]}, [3]),
                                ({"type": ["integer", "null"]}, [3])):
            with self.subTest(schema):
                self.write("schema.json", json.dumps({"types": "text", "properties": {"a": schema}}).encode())
                self.assay("check", "t.jsonl", "-r", "schema.json", "--findings", "t.findings.jsonl", "--force")
                found = [json.loads(line)["record"] for line in self.read("t.findings.jsonl").splitlines()]
                self.assertEqual(found, failing)
        self.write("r.yaml", 'types: text\nfields: [{name: "t[]", type: any, rules: [{jsonType: integer}]}]\n')
        outcome = self.assay("check", "t.jsonl", "-r", "r.yaml", status=1)
        self.assertIn("    t.jsonl:3:50 t[].type t[0] is not an integer\n", outcome.err)
        self.assertIn("  rejected              1 ", outcome.err)

    def test_values_of_several_types(self):
        self.write("schema.json", json.dumps({"properties": {"a": {"enum": ["x", 1, True, None]}}}).encode())
        self.write("t.jsonl", '{"a":"y"}\n{"a":1}\n{"a":"1"}\n{"a":null}\n')
        outcome = self.assay("check", "t.jsonl", "-r", "schema.json", "--findings", "t.findings.jsonl", status=1)
        self.assertIn('t.jsonl:1:5 a.enum a is not one of "x", 1, true, null\n', outcome.err)
        found = [json.loads(line) for line in self.read("t.findings.jsonl").splitlines()]
        self.assertEqual([(each["record"], each["rule"], each["code"]) for each in found],
                         [(1, "a.enum", "enum"), (3, "a.enum", "enum")])

    def test_null_in_place_of_a_list(self):
        lines = ['{"t":null}', '{"t":["x"]}', "{}", '{"t":[]}', '{"t":[null]}']
        self.write("t.jsonl", "\n".join(lines) + "\n")
        for more, failing in (("", [1, 5]), (", nullable: true", [1])):
            self.write("r.yaml", 'types: jsonSchema\nfields: [{name: "t[]", type: string' + more + "}]\n")
            outcome = self.assay("check", "t.jsonl", "-r", "r.yaml", "--findings", "t.findings.jsonl",
                                 "--force", status=1)
            self.assertIn("    t.jsonl:1:5 t[].type t[] is not a list\n", outcome.err)
            found = [json.loads(line)["record"] for line in self.read("t.findings.jsonl").splitlines()]
            self.assertEqual(found, failing)
        self.write("t.jsonl", '{"t":null}\n{"t":["x"]}\n')
        self.write("r.yaml", 'fields: [{name: "t[]", type: string, constraints: {required: true}}]\n')
        self.assay("check", "t.jsonl", "-r", "r.yaml", status=0)


if __name__ == "__main__":
    unittest.main()
