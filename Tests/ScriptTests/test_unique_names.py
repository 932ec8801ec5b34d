#!/usr/bin/env python3
"""Tests that no test hides an earlier one with the same name, which would never run."""

import ast
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def hidden(source):
    """Yields the name and line of each function or class that a later one in the same block replaces."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (ast.Module, ast.ClassDef)):
            continue
        lines = {}
        for child in node.body:
            # Decorators such as @property.setter and @overload give several functions one name.
            is_plain = isinstance(child, ast.FunctionDef) and not child.decorator_list
            if not is_plain and not isinstance(child, ast.ClassDef):
                continue
            if child.name in lines:
                yield child.name, lines[child.name]
            lines[child.name] = child.lineno


class NameTests(unittest.TestCase):
    def test_hidden(self):
        source = "class A:\n    def one(self): ...\n    def two(self): ...\n    def one(self): ...\n\ndef one(): ...\n"
        self.assertEqual(list(hidden(source)), [("one", 2)])
        self.assertEqual(list(hidden("@overload\ndef one(): ...\n@overload\ndef one(): ...\n")), [])

    def test_no_test_hides_another(self):
        names = subprocess.run(["git", "ls-files", "-z", "*.py"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        paths = [path for path in names.decode().split("\0") if path and (ROOT / path).exists()]
        self.assertGreater(len(paths), 100)
        found = [f"{path}:{line}: {name}" for path in paths for name, line in hidden((ROOT / path).read_bytes())]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
