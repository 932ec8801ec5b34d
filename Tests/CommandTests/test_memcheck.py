"""The command under valgrind's memcheck: it must not read uninitialized bytes, or bytes beyond an allocation.

The runs are without JIT, or with values that automata decide, because memcheck does not know which bytes PCRE2's
machine code may read.
"""

import gzip
import json
import shutil
import subprocess
import unittest

from support import ASSAY, EXAMPLES, PATIENCE, CommandTest, environment, slow

# A run under memcheck takes about 50 times as long.
MEMCHECK_PATIENCE = 10 * PATIENCE

# Patterns for each engine except JIT, types, row rules, keys, repairs.
RULES = {
    "fields": [
        {"name": "id", "type": "integer", "constraints": {"required": True, "unique": True}},
        {"name": "email", "format": "email", "repair": ["trim", "lower"],
         "rules": [{"id": "twice", "not": {"pattern": r".*(.)\1{3}.*"}}]},
        {"name": "full_name",
         "rules": [{"id": "letters", "pattern": r"[\p{L} .'-]+"}, {"id": "reference", "pattern": r"(\w+) (?!\1).*"}]},
    ],
    "rows": [{"id": "size", "check": "id > 0 && email.size() > 3"}],
    "fieldsMatch": "partial",
}


@slow
@unittest.skipIf(shutil.which("valgrind") is None, "valgrind is not installed")
class MemcheckTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rules.json", json.dumps(RULES))
        lines = (EXAMPLES / "users.csv").read_bytes().splitlines(keepends=True)[:120]
        self.write("users.csv", b"".join(lines))

    def run_checked(self, *arguments, status=(0, 1)):
        run = subprocess.run(["valgrind", "-q", "--error-exitcode=99", ASSAY, *arguments], cwd=self.directory,
                             env=environment(), capture_output=True, timeout=MEMCHECK_PATIENCE)
        self.assertIn(run.returncode, status, run.stderr.decode(errors="replace"))
        self.assertNotIn(b"==", run.stderr)
        return run.stdout

    def outputs(self, name):
        return [self.read(f"{name}.{kind}") for kind in ("clean.csv", "rejects.csv", "findings.jsonl")]

    def test_clean(self):
        command = ["clean", "users.csv", "-r", "rules.json", "-q", "--force"]
        self.assay(*command, status=0)
        expected = self.outputs("users")
        for flags in (["--threads", "1"], ["--threads", "3", "--no-dfa"]):
            with self.subTest(flags=flags):
                self.run_checked(*command, "--no-jit", *flags)
                self.assertEqual(self.outputs("users"), expected)

    def test_values_enough_for_automata_and_repaired_ones_among_them(self):
        # JIT is enabled, but the automata decide all values.
        rules = self.rules(
            {"name": "id", "type": "integer"}, {"name": "email", "format": "email", "repair": ["trim", "lower"]},
            {"name": "full_name", "constraints": {"pattern": "([A-Z][a-z]*)*"}})
        rows = (f'{row},{" A" if row % 5 == 0 else "a"}{row}@Example.org,{"Anna" * (row % 3)}\n'
                for row in range(6_000))
        self.write("many.csv", "id,email,full_name\n" + "".join(rows))
        command = ["clean", "many.csv", "-r", rules, "-q", "--force", "--threads", "1"]
        self.assay(*command, status=0)
        expected = self.outputs("many")
        self.run_checked(*command)
        self.assertEqual(self.outputs("many"), expected)

    def test_packed_in_another_encoding_and_with_findings_of_all_kinds(self):
        text = self.read("users.csv").decode() + '"open,1,2\n\n7,"a" b,c\n\u20ac,\u00e4\u00f6\n'
        self.write("packed.csv.gz", gzip.compress(text.encode("utf-16")))
        self.run_checked("check", "packed.csv.gz", "-r", "rules.json", "--no-jit", "--threads", "2", "--show-values")
        self.write("hostile.csv", b"id,email,full_name\n" + bytes(range(256)) * 40 + b'"' + b",\r\n\xff" * 500)
        self.run_checked("check", "hostile.csv", "-r", "rules.json", "--no-jit", "--encoding", "utf-8")

    def test_json_lines_and_tables(self):
        self.write("users.jsonl", "".join(
            json.dumps({"id": number, "email": f"a{number}@example.org", "full_name": "Anna \u00c9 \U0001D4B3"}) + "\n"
            for number in range(70))
            + '{"id": 1, "id": 2}\n[1\n{"email": "\\ud800"}\n')
        self.write("members.json", json.dumps({key: value for key, value in RULES.items() if key != "fieldsMatch"}))
        self.run_checked("check", "users.jsonl", "-r", "members.json", "--no-jit")
        self.assertIn(b'"columns"', self.run_checked("profile", "users.csv", "--json"))


if __name__ == "__main__":
    unittest.main()
