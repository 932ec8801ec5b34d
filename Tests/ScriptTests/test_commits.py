#!/usr/bin/env python3
"""Tests the form of commit messages that Scripts/check-commits.py accepts, and its hook."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from test_prose import ROOT, module

commits = module("check-commits")
BODY = "\n\nISA-L accepts them, and zlib does not.\n"
VERB = "the subject must begin with a capitalized verb, without a prefix"
NO_BODY = "the body is missing: it gives the reason for the change"


def imperative(word):
    return f"the subject must be imperative, as in 'Reject gzip headers', and begins with '{word}'"


class MessageTests(unittest.TestCase):
    def test_accepted(self):
        for subject in ("Reject gzip headers with reserved flags", "Embed the tables", "Pass the name on",
                        "Bring it back", "Re-read the header", "Add " + "x" * 68, "Let `a` win over B",
                        "Focus the first field"):
            self.assertEqual(commits.mistakes(subject + BODY), [], subject)

    def test_rejected(self):
        for message, expected in (
                ("fix: reject gzip headers" + BODY, [VERB]),
                ("reject gzip headers" + BODY, [VERB]),
                ("Changelog" + BODY, [VERB]),
                ("Rejects gzip headers" + BODY, [imperative("Rejects")]),
                ("Rejected gzip headers" + BODY, [imperative("Rejected")]),
                ("Rejecting gzip headers" + BODY, [imperative("Rejecting")]),
                ("The reader rejects gzip headers" + BODY, [imperative("The")]),
                ("New reader of gzip headers" + BODY, [imperative("New")]),
                ("Add " + "x" * 69 + BODY, ["the subject has 73 characters, more than 72"]),
                ("Reject gzip headers." + BODY, ["the subject must not end with a period"]),
                ("Reject gzip headers\nISA-L accepts them.\n", ["the second line must be blank"]),
                ("Reject gzip headers\n", [NO_BODY]),
                ("Reject gzip headers\n\n \n", [NO_BODY]),
                ("Reject gzip headers\n\nSigned-off-by: A <a@example.org>\n", [NO_BODY]),
                ("", [VERB, NO_BODY])):
            self.assertEqual(commits.mistakes(message), expected, message)

    def test_hook(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "COMMIT_EDITMSG"
            for text, status in (("Reject gzip headers" + BODY + "# Please enter the message.\n", 0),
                                 ("Reject gzip headers\n# Please enter the message.\n", 1),
                                 ("fixup! Reject gzip headers\n", 0)):
                file.write_text(text, encoding="utf-8")
                result = subprocess.run([sys.executable, ROOT / "Scripts/check-commits.py", "--message", file],
                                        capture_output=True, text=True)
                self.assertEqual(result.returncode, status, text + result.stdout)


if __name__ == "__main__":
    unittest.main()
