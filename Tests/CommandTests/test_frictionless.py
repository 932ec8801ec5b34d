"""Schemas and descriptors of the Frictionless project: Assay agrees about their data, or rejects them for a listed
reason.

They are the suite frictionless of Tests/Suites. Without it, the tests are skipped. The bad records were compared with
frictionless-py 5.21 (`frictionless.validate`), record by record.
"""

import json
import re
import shutil
import unittest

from support import SUITES, CommandTest, slow

DATA = SUITES / "frictionless" / "data"

# Reasons for rejecting a valid file, with the error message.
REASONS = {
    "a table of another package": "unknown key 'datapackage' in a reference",
    "geo types": "the type '(geopoint|geojson)' is not supported yet",
    "a type of its own for items": "unknown key .arrayItem. in a field",
    "a date of a year alone": "this date format needs a year, month and day, such as %Y-%m-%d at offset 2",
    "keys of one's own without x-": "unknown key '.*' in a (rule file|field)",
    "data inside": "data inside the descriptor is not read",
    "not a file": ".* is a URL, and Assay does not read from the network|the scheme 'https' is not read",
    "another format": "the format '(json|xls|ods|sql)' is not read|unknown key 'sql' in a dialect",
    "an archive": "the compression 'zip' is not read|'innerpath' is for archives, which are not read",
    "no such file in the suite": r"cannot open (table\.xls|chunk1\.csv\.zip): No such file or directory",
    "a comment above the header": r"countries\.csv: no column is named 'id'",
    "says too little to be a descriptor": r"clean needs --rules\. .*",
    "no resources": "the input catalog/package[12].yaml is named like a rule file",
}

# Intentionally invalid files, and their error messages.
BROKEN_SCHEMAS = {
    "bad.schema.yaml": ["expected a list of fields, found 'bad'"],
    "schema-invalid-empty.json": ["'fields' is missing"],
    "schema-invalid-multiple-errors.json": [
        "unknown type 'magical_unicorn'", "'primaryKey' names 'identifier', which is no field",
        "the foreign key 1 names 'notafield', which is no field"],
    "schema-invalid-pk-array.json": ["'primaryKey' names 'titel', which is no field"],
    "schema-invalid-pk-is-wrong-type.json": ["'fields' is missing"],
    "schema-invalid-pk-no-fields.json": ["'fields' is missing"],
    "schema-invalid-pk-string.json": ["'primaryKey' names 'identifier', which is no field"],
    "schema-invalid-wrong-type.json": ["expected a mapping with 'fields', found a list"],
    "schema-invalid.json": ["'required' belongs under 'constraints'"],
    "schema-invalid-fk-array.json": ["the foreign key 1 names 'title', which is no field"],
    "schema-invalid-fk-no-reference.json": ["'reference' is missing"],
    "schema-invalid-fk-string.json": ["the foreign key 1 names 'doesnotexist', which is no field"],
} | {
    f"schema-invalid-fk-{case}.json": [f"the foreign key 1 has {count}", "unknown key 'datapackage' in a reference"]
    for case, count in (
        ("array-string-ref", "2 fields, and refers to 1 field"), ("array-string", "1 field, and refers to 2 fields"),
        ("array-wrong-number", "2 fields, and refers to 3 fields"),
        ("string-array-ref", "1 field, and refers to 2 fields"))
}
BROKEN_DESCRIPTORS = {
    "capital.package.yaml": ["capital-invalid.csv: no column is named 'name2'   did you mean 'name'?"],
    "capital.resource-bad.yaml": ["capital-invalid.csv: no column is named 'name2'   did you mean 'name'?"],
    "capital.resource.yaml": ["capital-invalid.csv: no column is named 'name2'   did you mean 'name'?"],
    "countries-invalid.yaml": ["'required' belongs under 'constraints'"] * 2,
    "issue-494.package.json": ["the resource has no 'path'"],
    "issue-991.resource.json": [
        "unknown key 'properties' in a field", "unknown key 'properties' in a field",
        "'properties' is JSON Schema, and 'fields' is Table Schema"],
    "minimal.resource.json": ["the resource has no 'name'"],
    "multiple-errors.package.json": ["a second resource named 'number-two'"],
    "package-1067.json": [
        "capital-invalid.csv: the column 'name' occurs more than once (columns 2, 3), and the rules name it"],
    "package-with-dereferencing.json": [
        "table.csv:1: the header is a single column when read with ';', but it contains ','"],
    "package-with-missingvalues-993.json": ["'missingValues' belongs to the schema of a resource"],
    "resource-with-dereferencing.json": [
        "table.csv:1: the header is a single column when read with ';', but it contains ','"],
    "resource-with-missingvalues-993.json": ["'missingValues' belongs under 'schema'"],
    # Two fields with the same name.
    "zipped-resources/datapackage.json": [
        "'innerpath' is for archives, which are not read", "a second field named 'name'",
        "'innerpath' is for archives, which are not read"],
}

# Data files that differ from their descriptions. frictionless-py reports these as well.
OTHER_FILES = {
    "package-dialect-no-header.json": [
        "cannot verify package-dialect-no-header.csv: it has 600 bytes, and "
        "package-dialect-no-header.json states 839871"],
}

# The lines of the bad records of each table. In all other tables, every record is good.
BAD_LINES = {
    # The neighbour in line 5 is not among the clean records.
    "countries.resource.yaml": {"countries": [3, 4, 5, 7]},
    "invalid/datapackage.json": {"data": [3], "data2": [4]},
    "invalid/datapackage_no_foreign_key.json": {"data": [3], "data2": [4]},
    "issue-1004.package.json": {"issue-1004-data1": [3, 6], "issue-1004-data2": [2, 3, 4, 5]},
    # frictionless-py also reports line 7, because its `unique` value equals that of line 6. For Assay, the rejected
    # line 6 does not occupy the key.
    "number/datapackage.json": {"number-test": [2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14]},
}


def is_descriptor(path):
    """Whether the top level of a file contains the keys of a Data Package or a Data Resource."""
    text = path.read_text(errors="replace")
    if path.suffix == ".json":
        try:
            content = json.loads(text)
        except ValueError:
            return False
        return isinstance(content, dict) and not {"resources", "path", "data"}.isdisjoint(content)
    return re.search("^(resources|path|data):", text, re.M) is not None


def is_schema(path):
    text = path.read_text(errors="replace")
    return path.name.startswith("schema") or re.search(r"^\s*\"?fields\"?\s*:", text, re.M) is not None


def reason(message):
    return next((name for name, pattern in REASONS.items() if re.fullmatch(pattern, message)), None)


@unittest.skipUnless(DATA.is_dir(), f"there is no suite at {DATA}")
class FrictionlessTests(CommandTest):
    def setUp(self):
        super().setUp()
        # A test must not write into the suite.
        shutil.copytree(DATA, self.path("data"))
        self.names = sorted(
            str(path.relative_to(DATA)) for path in DATA.rglob("*") if path.suffix in (".json", ".yaml"))

    def assert_refused(self, name, error, broken):
        messages = re.findall("error: (.*)", error)
        if name in broken:
            self.assertEqual(messages, broken[name])
        else:
            self.assertEqual([message for message in messages if reason(message) is None], [], error)

    @slow
    def test_schemas(self):
        names = [name for name in self.names if not is_descriptor(DATA / name) and is_schema(DATA / name)]
        names = [name for name in names if "profiles/" not in name]
        accepted = []
        for name in names:
            with self.subTest(name):
                outcome = self.assay("rules", "check", name, cwd=self.path("data"))
                if outcome.status == 0:
                    accepted.append(name)
                    self.assertNotIn(name, BROKEN_SCHEMAS)
                else:
                    self.assert_refused(name, outcome.err, BROKEN_SCHEMAS)
        self.assertEqual(set(BROKEN_SCHEMAS) - set(names), set())
        self.assertEqual(len(accepted), 14, accepted)

    @slow
    def test_descriptors(self):
        names = [name for name in self.names if is_descriptor(DATA / name)]
        read = []
        for number, name in enumerate(names):
            with self.subTest(name):
                out = f"out{number}"
                self.path(out).mkdir()
                outcome = self.assay("clean", name, "--output-dir", self.path(out), cwd=self.path("data"))
                if name in OTHER_FILES:
                    self.assertEqual((outcome.status, re.findall("error: (.*)", outcome.err)), (3, OTHER_FILES[name]))
                    continue
                if outcome.status != 0:
                    self.assertEqual(outcome.status, 2, outcome.err)
                    self.assert_refused(name, outcome.err, BROKEN_DESCRIPTORS)
                    continue
                read.append(name)
                found = {
                    path.name.removesuffix(".findings.jsonl"): sorted(
                        {finding["line"] for finding in self.findings(path)})
                    for path in self.path(out).glob("*.findings.jsonl")}
                expected = BAD_LINES.get(name, {})
                self.assertEqual(found, {table: expected.get(table, []) for table in found})
                self.assertLessEqual(set(expected), set(found))
        self.assertEqual(set(BAD_LINES) | set(BROKEN_DESCRIPTORS),
                         (set(BAD_LINES) | set(BROKEN_DESCRIPTORS)) & set(names))
        self.assertEqual(len(read), 29, read)
