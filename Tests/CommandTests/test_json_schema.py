"""The test suite of JSON Schema, draft 2020-12: each case is answered as the suite says, or its keyword is refused by name.

It is the suite json-schema of Tests/Suites; without it the tests skip.
"""

import collections
import json
import re
import unittest

from support import SUITES, CommandTest, slow

CASES = SUITES / "json-schema" / "cases.jsonl"

# Keywords that are refused, wherever a schema has them.
REFUSED = {
    "$defs", "$dynamicRef", "$ref", "allOf", "anyOf", "contains", "contentEncoding", "contentMediaType", "dependentRequired",
    "dependentSchemas", "else", "if", "items", "maxContains", "maxItems", "maxProperties", "minContains", "minItems", "minProperties",
    "not", "oneOf", "patternProperties", "prefixItems", "properties", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties", "uniqueItems",
    # As a schema of other members, and false in JSON Lines.
    "additionalProperties",
    # With objects and lists.
    "const", "enum",
}

# The suite takes `format` as an annotation, unless a vocabulary says otherwise. Assay asserts formats, as in optional/format of the suite.
ANNOTATION = re.compile("invalid .* string is only an annotation by default")


@unittest.skipUnless(CASES.exists(), "the suite json-schema is missing: see Tests/Suites/README.md")
class JSONSchemaSuite(CommandTest):
    def verdicts(self, schema, records):
        """Of each record whether it passes; or what is said of the schema."""
        self.write("schema.json", json.dumps(schema).encode())
        self.write("t.jsonl", "".join(json.dumps(record) + "\n" for record in records).encode())
        outcome = self.assay("check", "t.jsonl", "--rules", "schema.json", "--findings", "t.findings.jsonl", "--force", status=None)
        if outcome.status == 2:
            return outcome.err
        self.assertIn(outcome.status, (0, 1), outcome.err)
        bad = {json.loads(line)["record"] for line in self.read("t.findings.jsonl").splitlines()}
        return [number not in bad for number in range(1, len(records) + 1)]

    def judge(self, group):
        """The tests of a group with the verdict of each, or what is said of the schema.

        A schema is that of a property; one that has properties is that of a record.
        """
        schema, tests = group["schema"], group["tests"]
        if isinstance(schema, dict):
            schema = {key: value for key, value in schema.items() if key != "$schema"}
            if schema.keys() & {"properties", "required"}:
                tests = [test for test in tests if isinstance(test["data"], dict)]
                # A field that no record has is an error, so the last record has all.
                names = [*schema.get("properties", {}), *schema.get("required", [])]
                found = self.verdicts({"properties": {}} | schema, [*(test["data"] for test in tests), dict.fromkeys(names, 1)])
                return found if isinstance(found, str) else list(zip(tests, found))
        found = self.verdicts({"properties": {"p": schema}}, [{"p": test["data"]} for test in tests])
        return found if isinstance(found, str) else list(zip(tests, found))

    @slow
    def test_no_case_differs(self):
        counts, differing, unnamed = collections.Counter(), [], []
        for line in CASES.read_text().rstrip("\n").split("\n"):
            group = json.loads(line)
            found = self.judge(group)
            if isinstance(found, str):
                counts["refused"] += len(group["tests"])
                words = re.findall("error: (.*)", found)
                names = {name for word in words for name in re.findall(r"'([\w$]+)'|the schema (false)", word) for name in name if name}
                if not words or not names & (REFUSED | {"false"}) or not all(f'"{name}"' in line or name == "false" for name in names):
                    unnamed.append((group["file"], group["description"], found))
                continue
            for test, passes in found:
                is_annotation = ANNOTATION.fullmatch(test["description"]) is not None
                counts["asserted" if is_annotation else "judged"] += 1
                if passes != (test["valid"] and not is_annotation):
                    differing.append((group["file"], group["description"], test["description"], test["data"]))
        self.assertEqual(unnamed, [])
        self.assertEqual(differing, [])
        self.assertEqual(counts["asserted"], 19)
        # What is refused today may be judged later, but not the other way round.
        self.assertGreaterEqual(counts["judged"], 420)


if __name__ == "__main__":
    unittest.main()
