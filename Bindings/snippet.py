#!/usr/bin/env python3
"""Converts the example of a language in Docs/bindings.md to a program: python3 Bindings/snippet.py rust|java|js|go"""

import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "Docs/bindings.md"

PROGRAMS = {
    "rust": "fn main() -> Result<(), assay::Error> {\n%s\nOk(()) }",
    "java": "import assay.*;\nimport java.nio.file.Path;\nimport java.util.*;\n"
    "public class Snippet { public static void main(String[] arguments) {\n%s\n} }",
    "js": "(async () => {\n%s\n})();",
    "go": 'package main\nimport (\n"fmt"\nassay "github.com/OWNER/assay/Bindings/Go"\n)\n'
    "func main() {\n%s\nif err != nil { panic(err) }\n_, _, _ = findings, record, verdict\n}",
}

blocks = dict(re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S))
print(PROGRAMS[sys.argv[1]] % blocks[sys.argv[1]])
