"""`assay profile` compared with DuckDB's SUMMARIZE and ydata-profiling, on an export of 15 columns (about 240 bytes per
row).

ydata-profiling, with its fast option (`minimal`), takes minutes, so it gets a twentieth of the rows, and Assay is
measured on the same rows."""

import importlib.util
import json
import random
import sys

from harness.command import run as run_command
from harness.command import workplace
from harness.race import Measured, Race, table, times
from harness.results import Goal, Report

from .export import compare

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
ASSAY, SUMMARIZE, PROFILE_REPORT = "assay profile", "DuckDB SUMMARIZE", "ydata-profiling"


def run(options):
    rows, rounds = options.rows_or(20_000), options.rounds_or(1, 5)
    with workplace(options.scratch) as place:
        races = [
            race(options, place, rows, rounds, {SUMMARIZE: ("duckdb", DUCKDB, check_duckdb)}),
            race(options, place, rows // 20, rounds, {PROFILE_REPORT: ("ydata_profiling", YDATA, check_ydata)}),
        ]
    lines = [
        [
            one.name,
            race.subject,
            one.wall,
            race.megabytes_per_second(one.name),
            one.peak_megabytes,
            times(one.wall / race[ASSAY].wall),
        ]
        for race in races
        for one in race.contenders
        if one.samples
    ]
    goals = [
        Goal("assay profile", races[0].megabytes_per_second(ASSAY), at_least=400, unit=" MB/s"),
        Goal("its peak memory", races[0][ASSAY].peak_megabytes, at_most=150, unit=" MB"),
    ]
    if SUMMARIZE in races[0]:
        goals.append(Goal("DuckDB's SUMMARIZE", races[0].ratio(SUMMARIZE, ASSAY), at_least=3))
    return Report(
        f"""15 columns, two threads, the best of {rounds} rounds. Every answer was compared with the counts of the
        generator: records, missing and distinct values, types.""",
        [table("tool|export|seconds|MB/s|peak MB|× assay's time", lines)],
        goals,
        races,
    )


def race(options, place, rows, rounds, others):
    """Measures `assay profile`, and the others that are installed."""
    path = place / "export.csv"
    known = make(path, rows)
    made = Race(f"{rows:,} rows", path.stat().st_size, rows)

    def measured(name, command, check):
        sample = run_command(command, output=place / "output")
        check(name, json.loads((place / "output").read_text()), known, rows)
        return Measured(rows, sample)

    made.add(
        ASSAY,
        lambda: measured(ASSAY, [options.command, "profile", path, "--json", "--threads", 2], check_assay),
        threads=2,
    )
    for name, (module, script, check) in others.items():
        if importlib.util.find_spec(module):
            made.add(
                name,
                lambda name=name, script=script, check=check: measured(
                    name, [sys.executable, "-c", script, path], check
                ),
                threads=2,
            )
        else:
            made.leave_out(name, "not installed")
    return made.run(rounds, warm_up=False)


TYPES = dict(
    zip(
        "id uuid email name phone country city born joined plan balance score active website note".split(),
        "integer uuid email string phone country string date datetime string number integer boolean url string".split(),
    )
)


def make(path, rows):
    """Writes the export; returns the numbers of missing and of distinct values of each column."""
    chance = random.Random(15)
    first = [f"{a}{b}" for a in ("An", "Be", "Chlo", "Dmi", "E", "Far") for b in ("na", "la", "ra", "tri", "va")]
    cities = [f"{word} {number}" for word in ("North", "South", "Old", "New") for number in range(60)]
    notes = [
        "",
        "",
        "call again",
        "prefers mail to the office in the afternoon",
        "moved",
        "wants a copy of the last invoice",
    ]
    different = [set() for _ in TYPES]
    missing = [0] * len(TYPES)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(TYPES) + "\n")
        for n in range(rows):
            person, bits = first[n * 7 % 30], chance.getrandbits(64)
            row = (
                str(n + 1),
                f"{bits & 0xFFFFFFFF:08x}-{bits >> 32 & 0xFFFF:04x}-4{bits >> 48 & 0xFFF:03x}-a000-{n:012x}",
                f"{person.lower()}.{n}@mail.example.org",
                f"{person} {first[n % 29]}son",
                f"+4930{bits % 90_000_000 + 10_000_000}",
                ("DE", "FR", "IT", "NO")[bits & 3],
                cities[bits % 240],
                f"{1950 + bits % 50}-{1 + bits % 12:02}-{1 + bits % 28:02}",
                f"2024-{1 + n % 12:02}-{1 + n % 28:02}T{n % 24:02}:{n % 60:02}:{bits % 60:02}",
                ("free", "pro", "team")[bits % 3],
                f"{(bits % 20_000_000 - 1_000_000) / 100:.2f}",
                str(bits % 101),
                ("true", "false")[bits & 1],
                f"https://www.example.org/members/{person.lower()}/{n}?from=mail" if bits % 5 else "",
                notes[bits % 6],
            )
            for index, value in enumerate(row):
                if value:
                    different[index].add(hash(value))
                else:
                    missing[index] += 1
            file.write(",".join(row) + "\n")
    return {name: (missing[i], len(different[i])) for i, name in enumerate(TYPES)}


def check_assay(tool, found, known, rows):
    compare(f"{tool}, records", found["records"], rows)
    for column in found["columns"]:
        name = column["name"]
        missing, different = known[name]
        compare(f"{tool}, missing in {name}", column["missing"], missing)
        # Assay counts distinct values by a sketch.
        compare(f"{tool}, distinct in {name}", close(column["distinct"]["count"], different, 0.02), different)
        compare(f"{tool}, type of {name}", column["type"]["format"] or column["type"]["type"], TYPES[name])
        compare(f"{tool}, values of the type in {name}", column["type"]["fits"], rows - missing)


def check_duckdb(tool, found, known, rows):
    for column in found:
        name = column["column_name"]
        missing, different = known[name]
        compare(f"{tool}, values of {name}", int(column["count"]) in (rows, rows - missing), True)
        # DuckDB's sketch is coarse.
        compare(f"{tool}, distinct in {name}", close(int(column["approx_unique"]), different, 0.35), different)


def check_ydata(tool, found, known, rows):
    compare(f"{tool}, missing and distinct", {name: tuple(counts) for name, counts in found.items()}, known)


def close(count, expected, share):
    """Returns the expected count if the other one is close to it, otherwise the other one."""
    return expected if abs(count - expected) <= share * expected else count
