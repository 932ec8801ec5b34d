"""Compares `assay profile` with DuckDB's SUMMARIZE and ydata-profiling, on an export of 15 columns (about 240 bytes per
row).

    python Benchmarks/profile.py --assay .build/release/assay [--rows N] [--rounds N]

The others run if their modules are installed. ydata-profiling, with its fast option (`minimal`), gets a twentieth of
the rows, and Assay is measured on the same rows. Each round runs all contenders, and the best round of each counts.
Every answer is compared with the counts of the generator: records, missing and distinct values, types.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from inputs import Contender

ROOT = pathlib.Path(__file__).resolve().parent.parent

DUCKDB = """
import duckdb, json, sys
con = duckdb.connect()
con.execute("SET threads = 2")
con.execute("SET enable_progress_bar = false")
rows = con.execute(f"SUMMARIZE SELECT * FROM read_csv('{sys.argv[1]}')").fetchall()
names = [column[0] for column in con.description]
print(json.dumps([{k: None if v is None else str(v) for k, v in zip(names, row)} for row in rows]))
"""

YDATA = """
import contextlib, json, sys
import pandas, ydata_profiling
with contextlib.redirect_stdout(sys.stderr):
    report = ydata_profiling.ProfileReport(pandas.read_csv(sys.argv[1]), minimal=True, progress_bar=False)
    columns = report.get_description().variables
print(json.dumps({name: [int(column["n_missing"]), int(column["n_distinct"])] for name, column in columns.items()}))
"""


def make(path, rows):
    """Writes the export; returns the facts of each column: missing count, distinct count, minimum, maximum."""
    chance = random.Random(15)
    names = "id,uuid,email,name,phone,country,city,born,joined,plan,balance,score,active,website,note".split(",")
    first = [f"{a}{b}" for a in ("An", "Be", "Chlo", "Dmi", "E", "Far") for b in ("na", "la", "ra", "tri", "va")]
    cities = [f"{word} {number}" for word in ("North", "South", "Old", "New") for number in range(60)]
    notes = ["", "", "call again", "prefers mail to the office in the afternoon", "moved",
             "wants a copy of the last invoice"]
    different = [set() for _ in names]
    missing = [0] * len(names)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        for start in range(0, rows, 10_000):
            lines = []
            for n in range(start, min(rows, start + 10_000)):
                person, bits = first[n * 7 % 30], chance.getrandbits(64)
                row = (
                    str(n + 1),
                    f"{bits & 0xffffffff:08x}-{bits >> 32 & 0xffff:04x}-4{bits >> 48 & 0xfff:03x}-a000-{n:012x}",
                    f"{person.lower()}.{n}@mail.example.org", f"{person} {first[n % 29]}son",
                    f"+4930{bits % 90_000_000 + 10_000_000}",
                    ("DE", "FR", "IT", "NO")[bits & 3], cities[bits % 240],
                    f"{1950 + bits % 50}-{1 + bits % 12:02}-{1 + bits % 28:02}",
                    f"2024-{1 + n % 12:02}-{1 + n % 28:02}T{n % 24:02}:{n % 60:02}:{bits % 60:02}",
                    ("free", "pro", "team")[bits % 3],
                    f"{(bits % 20_000_000 - 1_000_000) / 100:.2f}", str(bits % 101), ("true", "false")[bits & 1],
                    f"https://www.example.org/members/{person.lower()}/{n}?from=mail" if bits % 5 else "",
                    notes[bits % 6],
                )
                for index, value in enumerate(row):
                    if value:
                        different[index].add(hash(value))
                    else:
                        missing[index] += 1
                lines.append(",".join(row))
            file.write("\n".join(lines) + "\n")
    return {name: (missing[i], len(different[i])) for i, name in enumerate(names)}


TYPES = dict(zip(
    "id uuid email name phone country city born joined plan balance score active website note".split(),
    "integer uuid email string phone country string date datetime string number integer boolean url string".split()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--assay", default=str(ROOT / ".build" / "release" / "assay"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scratch", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        path, few = pathlib.Path(folder) / "export.csv", pathlib.Path(folder) / "few.csv"
        rivals = {"DuckDB SUMMARIZE": ("duckdb", DUCKDB, check_duckdb)}
        assay = compare(path, options.rows, rivals, options)
        # ydata-profiling takes minutes, so it gets fewer rows, and Assay the same rows.
        compare(few, options.rows // 20, {"ydata-profiling": ("ydata_profiling", YDATA, check_ydata)}, options)
        memory = subprocess.run(
            [sys.executable, "-c",
             "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)", *assay.command],
             capture_output=True, check=True)
        print(f"assay profile of {options.rows:,} rows: {int(memory.stdout) / 1000:.0f} MB of memory at most")


def compare(path, rows, rivals, options):
    """Measures `assay profile` and the installed rivals. Returns Assay's contender."""
    known = make(path, rows)

    def contender(name, command, check):
        return Contender(name, command, lambda out: check(json.loads(out), known, rows))

    assay = contender("assay profile", [options.assay, "profile", str(path), "--json", "--threads", "2"], check_assay)
    contenders = [assay]
    for name, (module, script, check) in rivals.items():
        if importlib.util.find_spec(module):
            contenders.append(contender(name, [sys.executable, "-c", script, str(path)], check))
        else:
            print(f"{name} is not installed, and is left out")
    for _ in range(options.rounds):
        for one in contenders:
            one.run()
    size = path.stat().st_size
    print(f"{rows:,} rows, {size / 1e6:.0f} MB, {len(known)} columns, the best of {options.rounds} rounds")
    for one in contenders:
        print(
            f"  {one.name:18} {one.best:7.2f} s  {size / one.best / 1e6:7.0f} MB/s  {one.best / assay.best:5.1f} times")
    return assay


def check_assay(found, known, rows):
    assert found["records"] == rows
    for column in found["columns"]:
        name = column["name"]
        missing, different = known[name]
        assert column["missing"] == missing, name
        assert abs(column["distinct"]["count"] - different) <= 0.02 * different, (name, column["distinct"], different)
        kind = column["type"]["format"] or column["type"]["type"]
        assert kind == TYPES[name] and column["type"]["fits"] == rows - missing, (name, column["type"])


def check_duckdb(found, known, rows):
    for column in found:
        missing, different = known[column["column_name"]]
        assert int(column["count"]) in (rows, rows - missing)
        # DuckDB's sketch is coarse.
        assert abs(int(column["approx_unique"]) - different) <= 0.35 * different, (column, different)


def check_ydata(found, known, rows):
    assert {name: tuple(counts) for name, counts in found.items()} == known, (found, known)


if __name__ == "__main__":
    main()
