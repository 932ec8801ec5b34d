"""If the system denies executable memory, Assay must return the same verdicts and report that JIT is missing."""

import ctypes
import json
import subprocess
import sys
import unittest

from support import ASSAY, EXAMPLES, PATIENCE, CommandTest, environment

# linux/prctl.h, since Linux 6.3
PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1

RULES = {
    "fields": [
        {"name": "id", "rules": [{"id": "dfa", "pattern": r"\d+"}]},
        # These patterns have no DFA.
        {"name": "email", "rules": [{"id": "twice", "not": {"pattern": r".*(.)\1.*"}},
                                    {"id": "group", "pattern": r"(?:(?>[a-z]+)|[^a-z])*@.*"}]},
        {"name": "full_name", "rules": [{"id": "reference", "pattern": r"(\w+) (?!\1).*"}]},
    ],
    "fieldsMatch": "partial",
}


def deny():
    """Runs in the child process, before the command: pages cannot become executable any more, even after exec."""
    if ctypes.CDLL(None).prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0:
        raise OSError("no PR_SET_MDWE")


def is_there():
    try:
        return sys.platform == "linux" and subprocess.run(["true"], preexec_fn=deny).returncode == 0
    except subprocess.SubprocessError:
        return False


@unittest.skipUnless(is_there(), "this kernel has no PR_SET_MDWE")
class DeniedTests(CommandTest):
    def run_denied(self, *arguments):
        return subprocess.run([ASSAY, *arguments], cwd=self.directory, env=environment(), capture_output=True,
                              preexec_fn=deny, timeout=PATIENCE)

    def test_it_is_reported(self):
        self.assertIn("JIT works", self.assay("--version", status=0).text)
        self.assertIn(b"JIT not available: the interpreter is used", self.run_denied("--version").stdout)
        self.assertIn(b"interpreter: this host does not allow JIT", self.run_denied("explain", r"(a+)\1", "aa").stdout)

    def test_the_same_verdicts(self):
        self.write("users.csv", (EXAMPLES / "users.csv").read_bytes())
        self.write("own.json", json.dumps(RULES))
        for rules, flags in (("own.json", []), (EXAMPLES / "users.rules.yaml", []),
                             (EXAMPLES / "users.rules.yaml", ["--no-dfa"])):
            with self.subTest(rules=rules, flags=flags):
                command = ["clean", "users.csv", "--rules", str(rules), "--force", *flags]
                names = ("users.clean.csv", "users.rejects.csv", "users.findings.jsonl")
                self.assay(*command, status=0)
                expected = [self.read(name) for name in names]
                self.assertIs(self.report("users.report.json")["engine"]["jit"], True)
                outcome = self.run_denied(*command)
                self.assertEqual(outcome.returncode, 0, outcome.stderr)
                self.assertEqual([self.read(name) for name in names], expected)
                self.assertIs(self.report("users.report.json")["engine"]["jit"], False)
                self.assertGreater(expected[2].count(b"\n"), 100)


if __name__ == "__main__":
    unittest.main()
