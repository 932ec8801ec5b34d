#!/usr/bin/env python3
"""Compares the rows that Assay keeps of a table with one stray quote with those that DuckDB keeps with ignore_errors.

    python3 Tests/Conformance/stray_quotes.py --assay .build/release/assay                  100,000 rows
    python3 Tests/Conformance/stray_quotes.py --assay .build/tests/release/assay --rows 5000

Each variation damages one row of a table with quoted cells here and there. A row counts as kept if the output has
exactly its values; the row with the stray quote does not count. Assay must not keep fewer than DuckDB, and must name
the lines that a rejected record of several lines has.
"""

import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

import duckdb


def plain(row):
    return [str(row), "n%d" % row, "x%d" % (row % 7)]


def line(values, quoted=()):
    return ",".join('"%s"' % value if place in quoted else value for place, value in enumerate(values))


class Table:
    """Rows without damage, and the text of the file."""

    def __init__(self, rows, damaged, end="\n", escape='"', **others):
        """`damaged`: the row with the stray quote, and its text. `others`: texts of other rows, as rN, with their
        values."""
        self.escape = escape
        special = {int(name[1:]): other for name, other in others.items()}
        self.good = {}
        lines = ["id,name,note"]
        for row in range(rows):
            if row == damaged[0]:
                lines.append(damaged[1])
            elif row in special:
                text, values = special[row]
                lines.append(text)
                self.good[row] = values
            else:
                lines.append(line(plain(row)))
                self.good[row] = plain(row)
        self.text = end.join(lines) + end


def quoted(row, **more):
    """A row with a comma in a quoted cell."""
    values = [str(row), "Lee, Ann", more.get("note", "y")]
    return line(values, (1,)), values


def variations(rows):
    middle = rows // 2
    far = {"r%d" % (rows - 10): quoted(rows - 10)}
    near = {"r%d" % (middle + 1): quoted(middle + 1)}
    stray = '%d,"Bo,z' % middle
    long_rows = min(rows, 100_000)
    return {
        "in the middle, a far quote": Table(rows, (middle, stray), **far),
        "in the middle, a near quote": Table(rows, (middle, stray), **near),
        "in the middle, no other quote": Table(rows, (middle, stray)),
        "in the first row": Table(rows, (0, '0,"Bo,z'), **far),
        "in the last row": Table(rows, (rows - 1, '%d,"Bo,z' % (rows - 1)), **near),
        "in the first column": Table(rows, (middle, '"%d,Bo,z' % middle), **far),
        "in the last column": Table(rows, (middle, '%d,Bo,"z' % middle), **far),
        "CR LF": Table(rows, (middle, stray), end="\r\n", **far),
        "over the record limit": Table(long_rows * 4, (10, '10,"Bo,z'),
                                       **{"r%d" % (long_rows * 4 - 5): quoted(long_rows * 4 - 5)}),
        "a doubled quote": Table(rows, (middle, '%d,"Bo ""B,z' % middle), **far),
        "a backslash as the escape": Table(rows, (middle, '%d,"Bo \\"B\\",z' % middle), escape="\\", **far),
        "in two columns": Table(rows, (middle, '%d,"Bo,"z' % middle), **far),
        "quoted cells around": Table(rows, (middle, '%d,"Bo,z' % middle), **{
            "r%d" % row: (line(plain(row), (1, 2)), plain(row)) for row in range(middle - 50, middle + 50)
            if row != middle}),
    }


def of_duckdb(path, escape):
    query = (
        "SELECT * FROM read_csv(?, auto_detect=false, header=true, delim=',', quote='\"', escape=?, ignore_errors=true,"
             " columns={'id': 'BIGINT', 'name': 'VARCHAR', 'note': 'VARCHAR'})")
    try:
        return [[str(row[0]), *row[1:]] for row in duckdb.execute(query, [str(path), escape]).fetchall()], ""
    except duckdb.Error as error:
        return [], str(error).splitlines()[0][:60]


def of_assay(assay, folder, path, escape):
    (folder / "r.yaml").write_text("fields: [{name: id, type: integer}, {name: name}, {name: note}]\n")
    flags = ["--escape", "\\"] if escape == "\\" else []
    run = subprocess.run([assay, "clean", str(path), "--rules", str(folder / "r.yaml"), "--force", *flags],
                         capture_output=True, text=True)
    with open(folder / "t.clean.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, doublequote=escape == '"', escapechar="\\" if escape == "\\" else None))[1:]
    return rows, run.stdout + run.stderr


def kept(rows, good):
    known = {values[0]: values for values in good.values()}
    return len({row[0] for row in rows if known.get(row[0]) == row})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", required=True)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    failures = 0
    print("%-32s %9s %9s %9s  %s" % ("stray quote", "good", "Assay", "DuckDB", "DuckDB's error"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, table in variations(options.rows).items():
            path = folder / "t.csv"
            path.write_bytes(table.text.encode())
            ours, summary = of_assay(str(pathlib.Path(options.assay).resolve()), folder, path, table.escape)
            theirs, error = of_duckdb(path, table.escape)
            counts = kept(ours, table.good), kept(theirs, table.good)
            lost = len(table.good) - counts[0]
            has_range = re.search(r"lines [\d,]+ to [\d,]+", summary) is not None
            is_wrong = counts[0] < counts[1] or (lost > 1 and not has_range)
            failures += is_wrong
            print("%-32s %9d %9d %9d  %s%s" % (title, len(table.good), *counts, error, "  WRONG" if is_wrong else ""))
    print("stray quotes: %d variations, %d in which Assay keeps fewer rows, or loses rows without naming the lines" % (
        len(variations(100)), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
