#!/usr/bin/env python3
"""Compares the guesses of `assay infer`, DuckDB, frictionless, csvkit and pandas for exports with known columns.

    python3 Tests/Conformance/guesses.py --assay .build/release/assay [--check] [--verbose]

Tests/CommandTests/exports.py contains the exports and the correct facts about their columns. The script skips tools
that are not installed, and reports them. It writes its part of Docs/profile.md; with --check it only compares.
Tests/Conformance/run.sh creates the environment that it needs.
"""

import argparse
import collections
import contextlib
import importlib.metadata
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs/profile.md"
BEGIN, END = "<!-- guesses -->\n", "<!-- end of guesses -->"
sys.path.insert(0, str(ROOT / "Tests/CommandTests"))

from exports import EXPORTS, Guess, Truth, inferred  # noqa: E402

PLAIN = ("utf-8", "utf-8-sig")


def assay(command):
    def guesses(export, path, texts):
        encoding = [] if export.encoding in PLAIN else ["--encoding", export.encoding]
        done = subprocess.run([command, "infer", path, *encoding], capture_output=True, text=True, check=True)
        found = inferred(done.stdout)
        return [found[column.name] for column in export.columns]

    return guesses


def duckdb(export, path, texts):
    import duckdb

    encoding = "" if export.encoding in PLAIN else ", encoding = 'latin-1'"
    table = f"read_csv('{path}'{encoding})"
    connection = duckdb.connect()
    names = {"BIGINT": "integer", "DOUBLE": "number", "BOOLEAN": "boolean", "DATE": "date", "TIME": "time"}
    found = []
    for name, kind, *_ in connection.execute(f"DESCRIBE FROM {table}").fetchall():
        kind = names.get(kind, "datetime" if kind.startswith("TIMESTAMP") else "text")
        quoted = name.replace('"', '""')
        [[minimum]] = connection.execute(f'SELECT min("{quoted}") FROM {table}').fetchall()
        found.append(Guess(kind, minimum=comparable(kind, minimum)))
    return found


def frictionless(export, path, texts):
    import frictionless

    options = {} if export.encoding in PLAIN else {"encoding": export.encoding}
    names = {"string": "text", "any": "text", "duration": "text", "array": "text", "object": "text", "geopoint": "text"}
    with frictionless.system.use_context(trusted=True):
        fields = frictionless.describe(path, type="resource", **options).schema.fields
    found = []
    for field, column in zip(fields, texts.values()):
        kind = names.get(field.type, field.type)
        minimum = None
        if kind in ("integer", "number"):
            # The values as its types read them.
            with contextlib.suppress(ValueError):
                minimum = min(float(text) for text in column if text)
        found.append(Guess(kind, minimum=minimum, missing={""}))
    return found


def csvkit(export, path, texts):
    from csvkit.utilities.csvjson import CSVJSON
    from csvkit.utilities.csvstat import CSVStat

    # It does not detect the tab as a delimiter.
    form = ["-d", export.delimiter] + ([] if export.encoding in PLAIN else ["-e", export.encoding])
    stats = json.loads(output_of(CSVStat, ["--json", *form, path]))
    rows = json.loads(output_of(CSVJSON, [*form, path]))
    names = {"Boolean": "boolean", "Date": "date", "DateTime": "datetime", "TimeDelta": "time"}
    found = []
    for column, values in zip(stats, texts.values()):
        typed = [row[column["column_name"]] for row in rows]
        kind = names.get(column["type"], "text")
        if column["type"] == "Number":
            # It has a single type for both.
            kind = "integer" if all(value is None or value == int(value) for value in typed) else "number"
        missing = {text for text, value in zip(values, typed) if value is None}
        found.append(Guess(kind, minimum=comparable(kind, column.get("min")), missing=missing | {""}))
    return found


def output_of(utility, arguments):
    out = io.StringIO()
    utility(arguments, out).run()
    return out.getvalue()


def pandas(export, path, texts):
    import pandas

    # sep=None detects the delimiter, and with convert_dtypes, integers with missing values remain integers.
    encoding = "utf-8" if export.encoding in PLAIN else export.encoding
    frame = pandas.read_csv(path, sep=None, engine="python", encoding=encoding).convert_dtypes()
    found = []
    for name, column in zip(frame.columns, texts.values()):
        series = frame[name]
        letter = series.dtype.name[0].lower()
        kind = {"i": "integer", "f": "number", "b": "boolean"}.get(letter, "text")
        missing = {text for text, is_missing in zip(column, series.isna()) if is_missing}
        minimum = comparable(kind, series.min()) if kind in ("integer", "number") and series.notna().any() else None
        found.append(Guess(kind, minimum=minimum, missing=missing | {""}))
    return found


def comparable(kind, minimum):
    if minimum is None or kind in ("text", "boolean", "time", "datetime"):
        return None
    return str(minimum)[:10] if kind == "date" else float(minimum)


RIVALS = {"DuckDB": duckdb, "frictionless": frictionless, "csvkit": csvkit, "pandas": pandas}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--assay", default=str(ROOT / ".build/release/assay"))
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--verbose", action="store_true", help="print each guess that is not right")
    options = parser.parse_args()
    tools = {"`assay infer`": assay(os.path.abspath(options.assay))}
    for name, guesses in RIVALS.items():
        try:
            tools[f"{name} {importlib.metadata.version(name.lower())}"] = guesses
        except importlib.metadata.PackageNotFoundError:
            print(f"{name} is not installed, and is left out")
    counts = {name: collections.Counter() for name in tools}
    wrong = {name: [] for name in tools}
    with tempfile.TemporaryDirectory() as folder:
        for export in EXPORTS:
            path, texts = export.write(pathlib.Path(folder))
            truths = [Truth(column.truth, texts[column.name]) for column in export.columns]
            for name, guesses in tools.items():
                try:
                    found = guesses(export, str(path), texts)
                    if len(found) != len(truths):
                        raise ValueError(f"{len(found)} columns instead of {len(truths)}")
                except Exception as error:  # noqa: BLE001, another tool may fail in any way
                    print(f"{name} has no answer for {export.name}: {type(error).__name__}: {str(error)[:200]}")
                    counts[name]["no answer"] += len(truths)
                    continue
                for column, truth, guess in zip(export.columns, truths, found):
                    worth = truth.evaluate(guess)
                    counts[name][worth] += 1
                    if worth == "false":
                        lost = (guess.missing or set()) - truth.missing
                        mistake = f"{lost.pop()} is missing" if lost else guess.kind
                        wrong[name].append(f"{column.name}: {mistake}")
                    if options.verbose and worth != "right":
                        print(f"{name} {worth}: {export.name}, {column.name} ({column.truth}): {guess}")
    part = text(counts, wrong)
    print(part)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    changed = before + BEGIN + part + END + rest.split(END)[1]
    if options.check and changed != page and len(tools) == len(RIVALS) + 1:
        sys.exit("Docs/profile.md is outdated: python3 Tests/Conformance/guesses.py writes it")
    if not options.check and len(tools) == len(RIVALS) + 1:
        PAGE.write_text(changed, encoding="utf-8")
    mine = counts["`assay infer`"]
    if mine["false"] or mine["right"] < 0.95 * sum(mine.values()):
        sys.exit("assay infer has a false guess, or too few right ones")


def text(counts, wrong):
    total = sum(counts["`assay infer`"].values())
    out = f"\n{len(EXPORTS)} exports, {total} columns:\n\n"
    out += "| | right | true, less specific | false | no answer | examples |\n|---|--:|--:|--:|--:|---|\n"
    for name, count in counts.items():
        share = f"{count['right']} ({100 * count['right'] / total:.1f} %)"
        cells = [name, share, count["less"], count["false"], count["no answer"], ", ".join(wrong[name][:2])]
        out += "| " + " | ".join(map(str, cells)) + " |\n"
    return out + "\n"


if __name__ == "__main__":
    main()
