#!/usr/bin/env python3
"""Compares the public Swift API with the recorded one, so that every change is visible in a review.

    python3 Scripts/check-api.py                compare (make test-macros)
    python3 Scripts/check-api.py --record       record the current API

The records are Tests/APITests/<module>.txt: one line for each public declaration, sorted, as in the compiler's symbol
graph. A declaration must have a documentation comment, or implement a protocol requirement that has one. Needs the
test build with macros (`make test-macros`). Only the standard library is used.
"""

import argparse
import difflib
import json
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/tests"
RECORDS = ROOT / "Tests" / "APITests"
MODULES = [
    "Assay", "AssayFoundation", "AssayForms", "AssayRules", "AssayFiles", "AssayFilesFoundation", "AssayMacros",
]


def module_maps():
    """Returns the module maps of the C modules that the Swift modules import."""
    here = [path for path in (ROOT / "Sources").rglob("module.modulemap")]
    built = [path for path in (BUILD / "release").glob("*.build/module.modulemap") if "-tool" not in path.parent.name]
    others = (BUILD / "checkouts").glob("*/Sources/*/include/module.modulemap")
    return [*here, *built, *others]


def symbol_graphs(module, folder):
    """Runs the compiler's extractor. Returns the symbols of the module, including its extensions of other modules."""
    command = ["swift-symbolgraph-extract", "-module-name", module, "-I", BUILD / "release/Modules",
               "-target", f"{platform.machine()}-unknown-linux-gnu", "-minimum-access-level", "public",
               "-skip-synthesized-members", "-output-dir", folder]
    for path in module_maps():
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"check-api: {module}: {done.stderr.strip()}\nIs it built? make test-macros")
    for path in sorted(pathlib.Path(folder).glob(f"{module}*.symbols.json")):
        if path.name.split(".")[0].split("@")[0] == module:
            yield from json.loads(path.read_text(encoding="utf-8"))["symbols"]


def declarations(module, folder):
    lines, undocumented = set(), set()
    for symbol in symbol_graphs(module, folder):
        # Skip synthesized members, such as != for Equatable, and symbols of other modules.
        if "::SYNTHESIZED::" in symbol["identifier"]["precise"] or "location" not in symbol:
            continue
        text = "".join(part["spelling"] for part in symbol["declarationFragments"])
        lines.add(f"{'.'.join(symbol['pathComponents'])}    {' '.join(text.split())}")
        if not symbol.get("docComment", {}).get("lines"):
            place = pathlib.Path(symbol["location"]["uri"].removeprefix("file://"))
            line = symbol["location"]["position"]["line"] + 1
            undocumented.add(
                f"{place.relative_to(ROOT)}:{line}: {'.'.join(symbol['pathComponents'])} has no doc comment")
    return sorted(lines), sorted(undocumented)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--record", action="store_true", help="keep the API as it is now")
    arguments = parser.parse_args()
    if platform.system() != "Linux":
        print("check-api: SKIPPED: the API was recorded on Linux")
        return 0
    changes = count = undocumented = 0
    for module in MODULES:
        with tempfile.TemporaryDirectory() as folder:
            now, without = declarations(module, folder)
        count += len(now)
        undocumented += len(without)
        print(*without, sep="\n", end="\n" if without else "")
        record = RECORDS / f"{module}.txt"
        if arguments.record:
            RECORDS.mkdir(exist_ok=True)
            record.write_text("\n".join(now) + "\n", encoding="utf-8")
            continue
        then = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
        for line in difflib.unified_diff(then, now, f"{module}, recorded", f"{module}, now", lineterm="", n=0):
            print(line)
            changes += line[0] in "+-" and not line.startswith(("+++", "---"))
    print(f"API: {count} public declarations in {len(MODULES)} modules, {undocumented} without documentation"
          + (f", {changes} lines differ. If that is meant: python3 Scripts/check-api.py --record" if changes else ""))
    return 1 if changes or undocumented else 0


if __name__ == "__main__":
    sys.exit(main())
