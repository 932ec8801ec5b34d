"""Built-in types at the command line: rule files give the verdicts of C and Swift, which read the same cases."""

import json
import pathlib
import re
import unittest

from support import CommandTest

CASES = pathlib.Path(__file__).resolve().parent.parent / "Types/cases.tsv"


def cases():
    """(format, whether it passes, the bytes of the value) for each line."""
    for line in CASES.read_bytes().split(b"\n"):
        if line.count(b"\t") >= 2 and not line.startswith(b"#"):
            form, sign, value = line.split(b"\t", 2)
            value = re.sub(rb"\\(\\|x(..))", lambda found: bytes.fromhex((found[2] or b"5c").decode()), value)
            yield form.decode(), sign == b"+", value


class BuiltInTypeTests(CommandTest):
    def failing(self, form, values, *options):
        """The places of the values that fail as this format, in rules and columns."""
        self.write("t.csv", b"a,b\n" + b"".join(b'"%s",\n' % value.replace(b'"', b'""') for value in values))
        self.write("r.json", json.dumps({"fields": [{"name": "a", "format": form}], "missingValues": []}))
        outcome = self.assay("check", "t.csv", "--rules", "r.json", "--findings", "-", "--quiet", *options)
        self.assertIn(outcome.status, (0, 1), outcome.err)
        return [json.loads(line)["record"] - 1 for line in outcome.text.splitlines()]

    def test_every_case(self):
        forms = {}
        for form, passes, value in cases():
            forms.setdefault(form, []).append((passes, value))
        self.assertGreater(len(forms), 100)
        for form, rows in forms.items():
            for options in ([], ["--no-jit"]):
                with self.subTest(form=form, options=options):
                    failing = self.failing(form, [value for _, value in rows], *options)
                    self.assertEqual(failing, [place for place, (passes, _) in enumerate(rows) if not passes])

    def test_no_type_takes_what_is_not_utf8(self):
        types = json.loads(self.assay("types", "--json", status=0).text)
        self.assertGreater(len(types), 70)
        for info in types:
            example = info["example"].encode()
            values = [example, example + b"\n", example + b"\xff", b"\xc3", example[:1] + b"\x80" + example[1:]]
            with self.subTest(info["name"]):
                self.assertEqual(self.failing(info["name"], values), [1, 2, 3, 4])

    def test_list_and_details(self):
        text = self.assay("types", status=0).text
        for info in json.loads(self.assay("types", "--json", status=0).text):
            entry = "\n%s  %s\n    %s\n" % (info["name"], info["example"], info["profile"])
            if info["source"]:
                entry += "    table: %s %s\n" % (info["source"], info["edition"])
            self.assertIn(entry, "\n" + text)
            self.assertEqual(set(info), {"name", "noun", "profile", "example", "options", "source", "edition"})
        details = self.assay("types", "time-zone", "email", status=0).text
        self.assertIn("table    Debian tzdata, edition 20", details)
        self.assertIn("options  quoted ip-literal unicode single-label numeric-tld", details)

    def test_unknown_names(self):
        outcome = self.assay("types", "emial", status=2)
        self.assertIn("no built-in type is called emial; did you mean email?", outcome.err)
        self.write("t.csv", "a\n")
        self.write("r.json", '{"fields": [{"name": "a", "format": "email bogus"}]}')
        outcome = self.assay("check", "t.csv", "--rules", "r.json", status=2)
        self.assertIn("r.json:1:44: error: email has no option 'bogus'", outcome.err)


if __name__ == "__main__":
    unittest.main()
