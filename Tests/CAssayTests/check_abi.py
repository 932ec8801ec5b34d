#!/usr/bin/env python3
"""Compares the binary interface of libassay-core with the record abi.txt: exported functions, sizes and members of
public structures, values of enumerations.

    python3 check_abi.py LIBRARY [--record]
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
HEADERS = FOLDER.parent.parent / "Sources" / "CAssay" / "include" / "assay"
RECORD = FOLDER / "abi.txt"
VERSION = "ASSAY_CORE_ABI_VERSION"


def declarations():
    """Returns the text of all headers without comments and directives."""
    text = "\n".join(path.read_text() for path in sorted(HEADERS.glob("*.h")))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", "", text, flags=re.M)


def functions(text):
    """Returns the declaration of each function, on one line and without attributes."""
    found = {}
    for declaration in re.findall(r"\bASSAY_API\b([^;{]*)", text):
        declaration = re.sub(r"\bASSAY_[A-Z_]+\b(\([^()]*\))?|\b_Nonnull\b", " ", declaration)
        declaration = re.sub(r"\s+", " ", declaration).strip()
        found[re.search(r"\b(assay_\w+)\s*\(", declaration)[1]] = re.sub(r" ([,)])|(?<=\*) ", r"\1", declaration)
    return found


def members(body):
    for declaration in filter(str.strip, body.split(";")):
        function = re.search(r"\(\*(\w+)\)\s*\(", declaration)
        if function:
            yield function[1]
            continue
        for part in declaration.split(","):
            yield re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:ASSAY_\w+\([^)]*\))?\s*$", part)[1]


def layout(text):
    """Returns lines with the sizes, places and values, which a C program prints."""
    names = [
        name for body in re.findall(r"\benum\b[^{;]*\{(.*?)\}", text, re.S) for name in re.findall(r"\bASSAY_\w+", body)
    ]
    lines = [f'printf("{name} %lld\\n", (long long)({name}));' for name in [VERSION, *dict.fromkeys(names)]]
    for name, body in re.findall(r"\btypedef (?:struct|union) (assay_\w+) *\{(.*?)\} *\1 *;", text, re.S):
        lines.append(f'printf("sizeof({name}) %zu\\n", sizeof({name}));')
        lines += [
            f'printf("{name}.{member} %zu\\n", offsetof({name}, {member}));' for member in members(body)
        ]
    headers = "".join(f'#include "{path}"\n' for path in sorted(HEADERS.glob("*.h")))
    program = f"{headers}#include <stdio.h>\nint main(void) {{\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "abi.c")
        source.write_text(program)
        command = [os.environ.get("CC", "cc"), f"-I{HEADERS.parent}", source, "-o", source.with_suffix("")]
        subprocess.run(command, check=True)
        done = subprocess.run([source.with_suffix("")], check=True, stdout=subprocess.PIPE, encoding="ascii")
    return done.stdout.splitlines()


def interface(library):
    text = declarations()
    declared = functions(text)
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE, encoding="ascii"
    )
    exported = sorted(line.split()[-1] for line in listed.stdout.splitlines())
    # Names that the linker defines.
    exported = [name for name in exported if name not in ("_init", "_fini", "_edata", "_end", "__bss_start")]
    lines = [declared.get(name, f"{name}, which no header declares") for name in exported]
    lines += [f"{name}, which is not exported" for name in sorted(declared.keys() - set(exported))]
    return [*layout(text), *lines]


def advice(recorded, found):
    removed = [line for line in recorded if line not in found]
    if not removed:
        return "Only additions: programs continue to run. Record them: add --record to the command."
    if removed == [line for line in recorded if line.startswith(VERSION)]:
        return f"{VERSION} was raised. Record it: add --record to the command."
    return (
        f"Lines were removed or changed, so a program of an earlier build can fail. Raise {VERSION} in core.h, unless "
        "it was raised after the last release (Docs/versions.md). Then add --record to the command."
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    found = interface(options.library)
    if options.record:
        RECORD.write_text("\n".join(found) + "\n")
        return
    recorded = RECORD.read_text().splitlines()
    if found == recorded:
        return
    for line in difflib.unified_diff(recorded, found, RECORD.name, options.library, n=0, lineterm=""):
        print(line)
    command = f"python3 {pathlib.Path(__file__).relative_to(FOLDER.parent.parent)} {options.library}"
    sys.exit(f"{command}\n{advice(recorded, found)}")


if __name__ == "__main__":
    main()
