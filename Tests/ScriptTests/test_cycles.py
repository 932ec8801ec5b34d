#!/usr/bin/env python3
"""Tests that the C files of the core can be read in an order in which each file uses only files before it."""

import graphlib
import pathlib
import re
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources/CAssay"
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
# Definitions with external linkage begin in the first column, as clang-format leaves them.
FUNCTION = re.compile(r"^(?!static\b|typedef\b|#)[A-Za-z_][\w *]*?[ *](\w+)\([^;{}]*\)\s*\{", re.M)
TABLE = re.compile(r"^(?!static\b|extern\b)const [\w ]*?[ *](\w+)(?:\[[^\]]*\])* = ", re.M)


def uses(texts):
    """Returns the files that each file uses: those that define functions and tables with names in its text.

    :param texts: the text of each file, by its name.
    """
    texts = {name: COMMENT_OR_TEXT.sub(" ", text) for name, text in texts.items()}
    owners = {}
    for name, text in texts.items():
        for found in FUNCTION.findall(text) + TABLE.findall(text):
            owners.setdefault(found, set()).add(name)
    graph = {}
    for name, text in texts.items():
        used = [owners[word] for word in set(re.findall(r"\w+", text)) & owners.keys()]
        # Kernels for several processors are defined in several files.
        graph[name] = {owner for files in used if name not in files for owner in files}
    return graph


class CycleTests(unittest.TestCase):
    def test_graph(self):
        texts = {"a.c": "int a_one(int x)\n{\n    return b_two(x); /* c_three() */\n}\n",
                 "b.c": "const int b_table[] = {1};\n\nstatic int one(void) { return 1; }\n\n"
                        "int b_two(int x) { return x; }\n",
                 "c.c": "bool c_three(int x,\n             int y)\n{\n    return b_table[x] == y;\n}\n"}
        self.assertEqual(uses(texts), {"a.c": {"b.c"}, "b.c": set(), "c.c": {"b.c"}})

    def test_no_files_use_each_other(self):
        graph = uses({str(path.relative_to(SOURCES)): path.read_text() for path in SOURCES.rglob("*.c")})
        self.assertGreater(sum(map(len, graph.values())), 300)
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            self.fail("these files use each other: " + " → ".join(error.args[1]))

    def test_no_headers_include_each_other(self):
        headers = {str(path.relative_to(SOURCES)): path.read_text() for path in SOURCES.rglob("*.h")}
        graph = {name: set(re.findall(r'^#include "([^"]+)"', text, re.M)) for name, text in headers.items()}
        graphlib.TopologicalSorter(graph).prepare()


if __name__ == "__main__":
    unittest.main()
