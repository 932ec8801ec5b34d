"""Built-in types on the command line: rule files must give the same verdicts as the tests in C and Swift, which share
the cases."""

import collections
import json
import os
import pathlib
import re
import unittest

from support import ROOT, CommandTest, make_export, volume, slow

CASES = pathlib.Path(__file__).resolve().parent.parent / "Types/cases.tsv"


def cases():
    """(format, whether it is valid, the bytes of the value) for each line."""
    for line in CASES.read_bytes().split(b"\n"):
        if line.count(b"\t") >= 2 and not line.startswith(b"#"):
            form, sign, value = line.split(b"\t", 2)
            value = re.sub(rb"\\(\\|x(..))", lambda found: bytes.fromhex((found[2] or b"5c").decode()), value)
            yield form.decode(), sign == b"+", value


class BuiltInTypeTests(CommandTest):
    def failing(self, form, values, *options):
        """The indexes of the values that fail as this format, in rules and columns."""
        self.write("t.csv", b"a,b\n" + b"".join(b'"%s",\n' % value.replace(b'"', b'""') for value in values))
        self.write("r.json", json.dumps({"fields": [{"name": "a", "format": form}], "missingValues": []}))
        outcome = self.assay("check", "t.csv", "--rules", "r.json", "--findings", "-", "--quiet", *options)
        self.assertIn(outcome.status, (0, 1), outcome.err)
        return [json.loads(line)["record"] - 1 for line in outcome.text.splitlines()]

    @slow
    def test_every_case(self):
        forms = {}
        for form, passes, value in cases():
            forms.setdefault(form, []).append((passes, value))
        self.assertGreater(len(forms), 100)
        # The tests of the C core run all cases.
        for form, rows in volume(list(forms.items())[::5], forms.items()):
            for options in ([], ["--no-jit"]):
                with self.subTest(form=form, options=options):
                    failing = self.failing(form, [value for _, value in rows], *options)
                    self.assertEqual(failing, [place for place, (passes, _) in enumerate(rows) if not passes])

    def test_no_type_accepts_invalid_utf8(self):
        types = json.loads(self.assay("types", "--json", status=0).text)
        self.assertGreater(len(types), 70)
        for info in volume(types[::5], types):
            example = info["example"].encode()
            values = [example, example + b"\n", example + b"\xff", b"\xc3", example[:1] + b"\x80" + example[1:]]
            with self.subTest(info["name"]):
                self.assertEqual(self.failing(info["name"], values), [1, 2, 3, 4])

    def test_messages_of_an_export(self):
        """The reason of each invalid value in an export, also if every row is bad."""
        rules = os.path.relpath(ROOT / "Benchmarks/types.rules.yaml", self.directory)
        for bad, flags in [(6, []), (100, ["--threads", 1]), (100, ["--threads", 3]), (100, ["--show-values"])]:
            with self.subTest(bad=bad, flags=flags):
                expected = make_export("types", self.path("types.csv"), volume(3_000, 12_000), bad)
                self.assay("clean", "types.csv", "--rules", rules, "--force", *flags, status=0)
                report = self.report("types.report.json")
                self.assertEqual(report["inputs"][0]["rejected"], expected["rejected"])
                failed = {rule["id"]: rule["failed"] for column in report["columns"] for rule in column["rules"]}
                self.assertEqual(failed, expected["rules"])
                messages = collections.Counter(
                    json.loads(line)["message"] for line in self.read("types.findings.jsonl").splitlines())
                self.assertEqual(messages, expected["messages"])

    def test_list_and_details(self):
        text = self.assay("types", status=0).text
        for info in json.loads(self.assay("types", "--json", status=0).text):
            entry = "\n%s  %s\n    %s\n" % (info["name"], info["example"], info["profile"])
            if info["source"]:
                entry += "    table: %s %s\n" % (info["source"], info["edition"])
            self.assertIn(entry, "\n" + text)
            self.assertEqual(
                set(info),
                {"name", "displayName", "profile", "example", "options", "source", "edition", "canonicalForm"})
        details = self.assay("types", "time-zone", "email", status=0).text
        self.assertIn("table    Debian tzdata, edition 20", details)
        self.assertIn("options  quoted ip-literal unicode single-label numeric-tld", details)
        self.assertIn("\n  repair   canonical: the domain in small letters\n", details)
        self.assertEqual(details.count("canonical"), 1)

    @slow
    def test_canonical_forms_are_those_of_the_document(self):
        document = (ROOT / "Docs" / "types.md").read_text()
        table = document.partition("## Canonical forms\n")[2].partition("\n## ")[0]
        listed = set()
        for line in table.splitlines():
            if line.startswith("| `"):
                listed |= {name for name in re.findall("`([^`]+)`", line.split("|")[1])
                           if not name.startswith("type: ")}
        for info in json.loads(self.assay("types", "--json", status=0).text):
            self.rules({"name": "a", "format": info["name"], "repair": ["canonical"]})
            is_refused = self.assay("rules", "check", "rules.json").status != 0
            self.assertEqual(is_refused, info["name"] not in listed, info["name"])
            self.assertEqual(is_refused, info["canonicalForm"] == "", info["name"])

    def test_values_at_the_command_line(self):
        outcome = self.assay("types", "iban country=DE", "date", "--try", "DE89370400440532013000",
                             "--try", "2023-02-29", status=1)
        self.assertEqual(outcome.text, (
            "DE89370400440532013000 is an IBAN\n"
            "2023-02-29 is not an IBAN: it is too short\n"
            "DE89370400440532013000 is not a date: it is too long\n"
            "2023-02-29 is not a date: its year is no leap year and has no 29 February\n"))
        self.assertEqual(self.assay("types", "iban", "--try", "DE89370400440532013000", status=0).text,
                         "DE89370400440532013000 is an IBAN\n")
        self.assertIn("--try needs a type: assay types iban --try VALUE",
                      self.assay("types", "--try", "x", status=2).err)
        self.assertIn("iban country=XX: country=XX: no such country has IBANs",
                      self.assay("types", "iban country=XX", "--try", "x", status=2).err)
        self.assertEqual(self.assay("types", "iban country=XX", status=2).err,
                         "assay: error: iban country=XX: country=XX: no such country has IBANs\n")
        self.assay("types", "iban country=DE", status=0)

    def test_messages_about_ibans(self):
        self.write("t.csv",
                   'a,b\nDE88370400440532013000,x\n" DE89370400440532013000",x\nDE,x\nDE89370400440532013000,x\n')
        self.write("r.yaml", "fields:\n  - {name: a, format: iban}\n  - {name: b}\n")
        outcome = self.assay("check", "t.csv", "--rules", "r.yaml", "--findings", "-", "--quiet", status=1)
        self.assertEqual([json.loads(line)["message"] for line in outcome.text.splitlines()],
                         ["is not an IBAN: the check digits do not fit the rest",
                          "is not an IBAN: it begins or ends with white space",
                          "is not an IBAN: its length is wrong for its country"])

    def test_types_that_are_no_formats(self):
        for name in ("number", "boolean", "datetime"):
            self.assertEqual(
                self.assay("types", name, status=2).err,
                f"assay: error: '{name}' is a type, not a format of strings\n  hint: in a rule file, write type: "
                f"{name}\n")

    def test_unknown_names(self):
        self.assertEqual(self.assay("types", "iban country=DE", status=0).text,
                         self.assay("types", "iban", status=0).text)
        outcome = self.assay("types", "emial", status=2)
        self.assertIn("no built-in type is called emial; did you mean email?", outcome.err)
        self.write("t.csv", "a\n")
        self.write("r.json", '{"fields": [{"name": "a", "format": "email bogus"}]}')
        outcome = self.assay("check", "t.csv", "--rules", "r.json", status=2)
        self.assertIn("r.json:1:44: error: email has no option 'bogus'", outcome.err)


if __name__ == "__main__":
    unittest.main()
