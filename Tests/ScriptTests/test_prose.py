#!/usr/bin/env python3
"""Tests that Scripts/check-prose.py notices each construction in each kind of text, and long lines."""

import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def module(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), ROOT / "Scripts" / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


prose = module("check-prose")

# Each construction with sentences that have it once, and sentences that do not have it.
EXAMPLES = {
    "clause with what": (
        ["It writes what came.", "Whatever follows is text.", "It writes\nwhat came."],
        ["What does it do?", "It shows what it is.", "A somewhat long line."]),
    "negative or vague pronoun": (
        ["Nothing is written.", "No one calls it.", "None of the rows has it.", "Neither is free."],
        ["It writes no files.", "A nonempty text."]),
    "text that speaks": (
        ["If it is said, it runs.", "The page says so.", "The rule has to say it."],
        ["The page reports it.", "An error is reported."]),
    "is to, has to be": (
        ["The caller is to free it.", "It has to be\nclosed."],
        ["The caller must free it.", "The distance is to the left."]),
    "pronoun at the end": (
        ["The end of it.", "One of\nthem.", "A type whose values differ.", "The rows of which it knows."],
        ["The end of the file.", "One of three."]),
    "so many, as much": (["There are so many rows.", "As much as fits."], ["The number of rows.", "Many rows."]),
    "trailing too": (["It is read, too.", "That works too)"], ["It is too long.", "It is also read."]),
    "where for if": (
        ["Where the file is empty, it has no rows.", "where there is no header"],
        ["If the file is empty, it has no rows.", "The line where it ended."]),
    "things that stand or lie": (
        ["The name stands in the header.", "The file lies beside it."], ["The name is in the header.", "a stand"]),
    "old adverb": (["The run begins anew.", "Meanwhile it waits."], ["The run begins again.", "beside the file"]),
    "by itself, in turn": (["It runs by itself.", "Side by side."], ["It runs alone.", "a turn to the left"]),
}

# A file of each kind, with a mark for the sentence: the name, the text, the kind and the line.
FILES = [
    ("a.md", "# Title\n\nFirst line.\n{}\n", "documents", 4),
    ("a.1", ".TH ASSAY 1\n{}\n", "documents", 2),
    ("a.swift", "let a = 1\n/// Text.\n/// {}\n", "comments", 3),
    ("a.swift", "/* Text.\n   {} */\n", "comments", 2),
    ("a.c", "int a; /* {} */\n", "comments", 1),
    ("a.h", '#define A "http://x"\n// {}\n', "comments", 2),
    ("a.rs", "fn a<'b>() {{}}\n//! {}\n", "comments", 2),
    ("a.go", "// {}\n", "comments", 1),
    ("A.java", "/**\n * {}\n */\n", "comments", 2),
    ("a.js", "const a = 'x'; // {}\n", "comments", 1),
    ("a.py", '"""Text.\n\n{}\n"""\n', "comments", 3),
    ("a.py", "a = 1  # {}\n", "comments", 1),
    ("a.sh", "#!/bin/sh\n# {}\n", "comments", 2),
    ("a.yml", "a: 1 # {}\n", "comments", 1),
    ("Makefile", "# {}\na:\n", "comments", 1),
    ("Sources/A/a.swift", 'let a = "Text: \\(a). {}"\n', "messages", 1),
    ("Sources/A/b.swift", 'let a = """\n    {}\n    """\n', "messages", 2),
    ("Sources/C/a.c", 'char *a = "{}";\n', "messages", 1),
    ("Python/src/a.py", 'raise E(f"{{a}} {}")\n', "messages", 1),
]

# Text that is code, or that users do not read.
IGNORED = [
    ("a.md", "```\n{}\n```\n"),
    ("a.md", "Use `{}` here.\n"),
    ("a.md", "<!-- {} -->\n"),
    ("a.swift", 'let a = "// {}"\n'),
    ("a.c", 'char *a = "/* {} */";\n'),
    ("a.swift", "/// Text:\n///\n///     {}\n"),
    ("a.py", 'def a():\n    """Text.\n\n        {}\n    """\n'),
    ("a.py", "a = '{}'\n"),
    ("a.py", "# Returns None.\n"),
    ("Python/tests/a.py", 'a = "{}"\n'),
    ("Benchmarks/Results/a.md", "{}\n"),
    ("a.json", '"{}"\n'),
]


class ProseTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def found(self, name, text):
        """Returns the constructions in a file, as (kind, line, construction)."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return [(kind, line, construction) for kind, texts in prose.prose(self.root, [name]).items()
                for text in texts for line, construction, _ in text.found()]

    def test_every_construction_has_examples(self):
        self.assertEqual(list(EXAMPLES), list(prose.CONSTRUCTIONS))

    def test_each_construction(self):
        for construction, (bad, good) in EXAMPLES.items():
            for sentence in bad:
                found = self.found("a.md", f"Text.\n\n{sentence}\n")
                self.assertEqual([name for _, _, name in found], [construction], sentence)
            for sentence in good:
                self.assertEqual(self.found("a.md", f"{sentence}\n"), [], sentence)

    def test_each_kind_of_text(self):
        for name, text, kind, line in FILES:
            found = self.found(name, text.format("The end of it and more words."))
            self.assertEqual(found, [(kind, line, "pronoun at the end")], (name, text))

    def test_code_is_not_prose(self):
        for name, text in IGNORED:
            self.assertEqual(self.found(name, text.format("The end of it and more words.")), [], (name, text))

    def test_a_construction_continues_on_the_next_line(self):
        for name, text in (("a.c", "/* The end of\n * it. */\n"), ("a.swift", "// The end of\n// it.\n"),
                           ("a.sh", "# The end of\n# it.\n"), ("a.py", "# The end of\n# it.\n")):
            self.assertEqual(self.found(name, text), [("comments", 1, "pronoun at the end")], name)

    def test_reasons(self):
        self.found("a.swift", "// It is so, because\n// of this. Because!\n")
        self.assertEqual(prose.prose(self.root, ["a.swift"])["comments"][0].reasons(), 2)

    def test_rates(self):
        self.found("a.md", "Nothing is here. " + "word " * 997)
        rate = prose.Rate("documents", prose.prose(self.root, ["a.md"])["documents"])
        self.assertEqual((rate.words, rate.value, rate.places[0][0]), (1_000, 1.0, "a.md:1"))
        # One construction is allowed in few words, and none at a limit of 0.
        self.assertEqual([rate.allowed(limit) for limit in (0, 0.1, 1, 1.1)], [0, 1, 1, 2])

    def check(self, limits, *arguments):
        """Runs the check of a file with one construction and two reasons in 1,000 words, and one long line."""
        self.found("a.c", "/* Nothing, because" + " word" * 30 + " */\n/* Because" + "\n * word" * 967 + " */\n")
        (self.root / "limits.json").write_text(json.dumps(limits), encoding="utf-8")
        output = io.StringIO()
        with (mock.patch.multiple(prose, ROOT=self.root, LIMITS=self.root / "limits.json", files=lambda: ["a.c"],
                                  commits=lambda since: None),
              mock.patch.object(sys, "argv", ["check-prose.py", *arguments]), contextlib.redirect_stdout(output)):
            status = prose.main()
        return status, output.getvalue(), json.loads((self.root / "limits.json").read_text(encoding="utf-8"))

    def test_limits(self):
        limits = {"max": {"documents": 0, "comments": 1.0, "messages": 0, "commits": 0}, "min because": 2.0,
                  "long lines": 1, "commits since": ""}
        status, output, _ = self.check(limits)
        self.assertEqual(status, 0, output)
        for changed in ({"max": limits["max"] | {"comments": 0.0}}, {"min because": 2.1}, {"long lines": 0}):
            status, output, _ = self.check(limits | changed)
            self.assertEqual(status, 1, output)
        self.assertIn("a.c:1: 172 columns", output)
        # Limits become lower, never higher.
        high = limits | {"max": limits["max"] | {"comments": 5.0}, "long lines": 9}
        self.assertEqual(self.check(high, "--record")[2], limits)
        low = limits | {"max": limits["max"] | {"comments": 0.5}, "long lines": 0}
        self.assertEqual(self.check(low, "--record")[2], low)

    def test_long_lines(self):
        words = ("word " * 30).strip()
        lines = {"a.c": words[:120], "b.c": words[:121], "c.md": "x\n" + words[:130], "d.md": "See " + "x" * 120,
                 "e.json": words, "Benchmarks/Results/a.md": words, "f.md": "é" * 60 + " " + "é" * 59,
                 "g.md": "é" * 60 + " " + "é" * 60, "Makefile": "# " + words}
        for name, text in lines.items():
            self.found(name, text + "\n")
        found = list(prose.long_lines(self.root, list(lines)))
        self.assertEqual(found, [("b.c:1", 121), ("c.md:2", 130), ("g.md:1", 121), ("Makefile:1", 151)])


if __name__ == "__main__":
    unittest.main()
