#!/usr/bin/env python3
"""Writes two versions of the headers of libassay, to test programs that were compiled with another version.

    python3 Tests/LibassayTests/growth.py FOLDER

`FOLDER/larger/assay` has a later version: each structure that can grow has two more words at its end.
`FOLDER/smaller/assay` has an earlier one: structures that the caller fills in have their first size, and those that the
library fills in lack their last field.
"""

import pathlib
import re
import sys

HEADERS = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources/CAssayABI/assay"

# The first field that the earlier version lacks; None: it has all fields.
STRUCTURES = {
    "assay_fault": None,
    "assay_allocator": None,
    "assay_options": "key_memory",
    "assay_column": None,
    "assay_change_count": "cells",
    "assay_totals": "findings",
    "assay_finding": "severity",
    "assay_rule_count": "undecided",
    "assay_outputs": "changes",
    "assay_table": None,
}
# Structures of the interface that never change.
FIXED = {"assay_cursor"}


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def larger(fields, name):
    return fields + "    uint64_t later[2];\n"


def smaller(fields, name):
    first = STRUCTURES[name]
    if first is None:
        return fields
    declarations = fields.split(";")
    kept = next(i for i, one in enumerate(declarations) if re.search(rf"\b{first}(\[\d+\])?$", one))
    return ";".join(declarations[:kept]) + ";\n"


def written(text, change, macro):
    def body(match):
        name = match[2]
        return f"typedef struct {name} {{{change(match[1], name) if name in STRUCTURES else match[1]}}} {name};"

    text = without_comments(text)
    found = {match[1] for match in re.finditer(r"^} (assay_\w+);", text, re.M)}
    enumerations = set(re.findall(r"typedef enum (\w+) {", text))
    unknown = found - enumerations - STRUCTURES.keys() - FIXED
    if unknown or STRUCTURES.keys() - found:
        sys.exit(f"growth.py: not in STRUCTURES or FIXED, or not in assay.h: {unknown or STRUCTURES.keys() - found}")
    return f"#define {macro} 1\n" + re.sub(r"typedef struct \w+ {([^}]*)} (\w+);", body, text)


def main():
    text = (HEADERS / "assay.h").read_text()
    for folder, change, macro in [("larger", larger, "ASSAY_TEST_LARGER"), ("smaller", smaller, "ASSAY_TEST_SMALLER")]:
        made = pathlib.Path(sys.argv[1]) / folder / "assay"
        made.mkdir(parents=True, exist_ok=True)
        (made / "assay.h").write_text(written(text, change, macro))
        (made / "arrow.h").write_text((HEADERS / "arrow.h").read_text())


if __name__ == "__main__":
    main()
