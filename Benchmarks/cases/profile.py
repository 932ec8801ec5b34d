"""`assay profile` compared with DuckDB's SUMMARIZE, Polars' describe and ydata-profiling, on an export of 15 columns
(about 240 bytes per row) and on tables of one kind of values.

ydata-profiling, with its fast option (`minimal`), takes minutes, so it gets a twentieth of the rows, and Assay is
measured on the same rows."""

import array
import importlib.util
import json
import random
import sys
from collections.abc import Callable
from typing import NamedTuple

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

POLARS = """
import os
os.environ["POLARS_MAX_THREADS"] = "2"
import json, polars, sys
frame = polars.read_csv(sys.argv[1], try_parse_dates=True)
found = frame.describe().to_dict(as_series=False)
names = found.pop("statistic")
columns = {column: dict(zip(names, map(str, values))) for column, values in found.items()}
print(json.dumps([{"column": column, **facts} for column, facts in columns.items()]))
"""

YDATA = """
import contextlib, json, sys
import pandas, ydata_profiling
with contextlib.redirect_stdout(sys.stderr):
    report = ydata_profiling.ProfileReport(pandas.read_csv(sys.argv[1]), minimal=True, progress_bar=False)
    columns = report.get_description().variables
print(json.dumps({name: [int(column["n_missing"]), int(column["n_distinct"])] for name, column in columns.items()}))
"""
ASSAY, SUMMARIZE, DESCRIBE = "assay profile", "DuckDB SUMMARIZE", "Polars describe"
PROFILE_REPORT = "ydata-profiling"


def run(options):
    rows, rounds = options.rows_or(20_000), options.rounds_or(1, 5)
    summaries = {
        SUMMARIZE: ("duckdb", DUCKDB, check_duckdb),
        DESCRIBE: ("polars", POLARS, check_polars),
    }
    with workplace(options.scratch) as place:
        races = [
            race(options, place, Table("user export, 15 columns", make, rows, 1200), rounds, summaries),
            *(race(options, place, one, rounds, summaries) for one in tables(rows)),
            race(
                options,
                place,
                Table("user export, a twentieth", make, rows // 20, None),
                rounds,
                {PROFILE_REPORT: ("ydata_profiling", YDATA, check_ydata)},
            ),
        ]
    lines = [
        [
            race.subject,
            race.work / 1e6,
            one.name,
            one.wall,
            race.megabytes_per_second(one.name),
            one.peak_megabytes,
            times(one.wall / race[ASSAY].wall),
        ]
        if one.samples
        else [race.subject, race.work / 1e6, one.name, one.without, *["–"] * 3]
        for race in races
        for one in race.contenders
    ]
    goals = [
        Goal(one.subject, one.megabytes_per_second(ASSAY), at_least=one.goal, unit=" MB/s") for one in races if one.goal
    ]
    goals.append(Goal("its peak memory", races[0][ASSAY].peak_megabytes, at_most=150, unit=" MB"))
    if SUMMARIZE in races[0]:
        goals.append(Goal("DuckDB's SUMMARIZE", races[0].ratio(SUMMARIZE, ASSAY), at_least=3))
    return Report(
        f"""Two threads, the best of {rounds} rounds; all tools take turns on the same files in memory. Every answer was
        compared with the facts of the generator: records, missing and distinct values, minimum, maximum, types. The
        times of Python tools include the start of Python.""",
        [table("table|MB|tool|seconds|MB/s|peak MB|× assay's time", lines)],
        goals,
        races,
    )


class Table(NamedTuple):
    """A table that is profiled. `make` writes the rows to a path, and returns the facts of each column. `goal`: the
    required speed in MB/s."""

    name: str
    make: Callable
    rows: int
    goal: int | None
    #: The reason for leaving out Polars.
    without_polars: str | None = None


class Facts(NamedTuple):
    """The expected facts of a column. The extremes are numbers, times in ISO 8601, or texts; `None` is not compared."""

    missing: int
    distinct: int | None
    minimum: float | str | None = None
    maximum: float | str | None = None
    #: The type and format of Assay; `None` is not compared.
    type: str | None = None


def race(options, place, table_of, rounds, others):
    """Measures `assay profile`, and the others that are installed."""
    path, rows = place / "table.csv", table_of.rows
    known = table_of.make(path, rows)
    made = Race(f"{table_of.name}", path.stat().st_size, rows)
    made.goal = table_of.goal

    def measured(name, command, check):
        sample = run_command(command, processors=2, output=place / "output")
        check(name, json.loads((place / "output").read_text()), known, rows)
        return Measured(rows, sample)

    made.add(
        ASSAY,
        lambda: measured(ASSAY, [options.command, "profile", path, "--json", "--threads", 2], check_assay),
        threads=2,
    )
    for name, (module, script, check) in others.items():
        if name == DESCRIBE and table_of.without_polars:
            made.leave_out(name, table_of.without_polars)
        elif importlib.util.find_spec(module):
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
    """Writes the export, and returns the facts of each column."""
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

    def lines():
        for n in range(rows):
            person, bits = first[n * 7 % 30], chance.getrandbits(64)
            yield (
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

    numbers, texts = {"id", "balance", "score"}, {"uuid", "born", "joined"}
    kinds = [float if name in numbers else str if name in texts else None for name in TYPES]
    return write(path, dict(zip(TYPES, kinds)), lines(), TYPES)


def write(path, kinds, lines, types):
    """Writes a table, and returns the facts of each column. `kinds`: `float` or `str`, whose extremes are compared, or
    None. `types`: the expected types of columns."""
    different, missing = [set() for _ in kinds], [0] * len(kinds)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(kinds) + "\n")
        for row in lines:
            for index, value in enumerate(row):
                if value:
                    different[index].add(value)
                else:
                    missing[index] += 1
            file.write(",".join(row) + "\n")
    facts = {}
    for index, (name, kind) in enumerate(kinds.items()):
        values = different[index]
        extremes = (min(map(kind, values)), max(map(kind, values))) if kind else ()
        facts[name] = Facts(missing[index], len(values), *extremes)._replace(type=types.get(name))
    return facts


def tables(rows):
    """The tables of one kind of values."""
    return [
        Table("1,000 integer columns", make_integers, max(100, rows // 50), 600, "takes minutes"),
        Table("four numeric columns", make_numbers, 2 * rows, 800),
        Table("dates and times", make_times, rows, 1000),
        Table("CJK text", make_cjk, rows, 700),
        Table("texts of 2 KB", make_texts, rows // 8, 2000),
    ]


def make_integers(path, rows):
    """Writes 1,000 columns of random integers below a million."""
    chance, width = random.Random(16), 1000
    minimum, greatest = [10**6] * width, [-1] * width
    different = {index: set() for index in (0, 1, width - 1)}
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(f"c{index}" for index in range(width)) + "\n")
        for _ in range(rows):
            raw = chance.randbytes(4 * width)
            row = [number % 1_000_000 for number in array.array("I", raw)]
            minimum, greatest = list(map(min, minimum, row)), list(map(max, greatest, row))
            for index, values in different.items():
                values.add(row[index])
            file.write(",".join(map(str, row)) + "\n")
    return {
        f"c{index}": Facts(
            0,
            len(different[index]) if index in different else None,
            float(minimum[index]),
            float(greatest[index]),
            "integer",
        )
        for index in range(width)
    }


def make_numbers(path, rows):
    chance = random.Random(17)

    def lines():
        for n in range(rows):
            bits = chance.getrandbits(64)
            yield (
                str(n),
                f"{(bits % 20_000_000 - 1_000_000) / 100:.2f}",
                f"{(bits >> 8) % 1_000_003 / 1_000_003:.6f}",
                str((bits >> 30) % 5_000_000),
            )

    types = {"id": "integer", "amount": "number", "ratio": "number", "count": "integer"}
    return write(path, dict.fromkeys(types, float), lines(), types)


def make_times(path, rows):
    chance = random.Random(18)

    def lines():
        for _ in range(rows):
            bits = chance.getrandbits(64)
            day, month, year = f"{1 + bits % 28:02}", f"{1 + (bits >> 8) % 12:02}", 1950 + (bits >> 16) % 75
            clock = f"{(bits >> 24) % 24:02}:{(bits >> 32) % 60:02}:{(bits >> 40) % 60:02}"
            later = f"2{(bits >> 46) % 1000:03}-{month}-{day}T{clock}"
            yield (f"{year}-{month}-{day}", later, clock, f"{month}/{day}/{year}")

    types = {"day": "date", "at": "datetime", "time": "time"}
    return write(path, {"day": str, "at": str, "time": str, "american": None}, lines(), types)


def make_cjk(path, rows):
    chance = random.Random(19)

    def lines():
        for _ in range(rows):
            bits = chance.getrandbits(256)

            def word(count, shift, bits=bits):
                return "".join(chr(0x4E00 + (bits >> (shift + 11 * i)) % 2000) for i in range(count))

            yield (
                f"{word(2 + bits % 3, 4)} {word(2, 40)}",
                f"{word(3, 60)}県{word(4, 90)}{bits % 30}-{bits % 17}-{bits % 9}",
                word(6 + bits % 10, 100),
            )

    types = dict.fromkeys(["名前", "住所", "備考"], "string")
    return write(path, dict.fromkeys(types, str), lines(), types)


def make_texts(path, rows):
    chance = random.Random(20)
    words = "account batch the of and market is a quick brown fox. Lorem ipsum".split()
    text = " ".join(chance.choice(words) for _ in range(20_000))

    def lines():
        for n in range(rows):
            start = chance.randrange(90_000)
            yield (str(n), text[start : start + 1900 + chance.randrange(300)].strip())

    return write(path, {"id": float, "text": None}, lines(), {"id": "integer", "text": "string"})


def check_assay(tool, found, known, rows):
    compare(f"{tool}, records", found["records"], rows)
    for column in found["columns"]:
        name, type_ = column["name"], column["type"]
        facts = known[name]
        compare(f"{tool}, missing in {name}", column["missing"], facts.missing)
        if facts.distinct is not None:
            # Assay counts distinct values by a sketch.
            distinct = close(column["distinct"]["count"], facts.distinct, 0.04)
            compare(f"{tool}, distinct in {name}", distinct, facts.distinct)
        if facts.type is not None:
            compare(f"{tool}, type of {name}", type_["format"] or type_["type"], facts.type)
            compare(f"{tool}, values of the type in {name}", type_["fits"], rows - facts.missing)
        if isinstance(facts.minimum, float):
            numbers = column["numbers"]
            found_range = numbers["minimum"], numbers["maximum"]
            compare(f"{tool}, range of {name}", found_range, (facts.minimum, facts.maximum))
        elif facts.type in ("date", "datetime", "time"):
            compare(f"{tool}, range of {name}", (type_["first"], type_["last"]), (facts.minimum, facts.maximum))


def check_duckdb(tool, found, known, rows):
    for column in found:
        name = column["column_name"]
        facts = known[name]
        compare(f"{tool}, values of {name}", int(column["count"]) in (rows, rows - facts.missing), True)
        if facts.distinct is not None:
            # DuckDB's sketch is coarse.
            distinct = close(int(column["approx_unique"]), facts.distinct, 0.35)
            compare(f"{tool}, distinct in {name}", distinct, facts.distinct)
        check_range(tool, name, facts, column["min"], column["max"])


def check_polars(tool, found, known, rows):
    for column in found:
        name = column["column"]
        facts = known[name]
        compare(f"{tool}, values of {name}", float(column["count"]), float(rows - facts.missing))
        compare(f"{tool}, missing in {name}", float(column["null_count"]), float(facts.missing))
        check_range(tool, name, facts, column["min"], column["max"])


def check_range(tool, name, facts, minimum, maximum):
    if isinstance(facts.minimum, float):
        minimum, maximum = float(minimum), float(maximum)
    elif facts.minimum is not None:
        minimum, maximum = (text.replace(" ", "T") if facts.type == "datetime" else text for text in (minimum, maximum))
        # Polars may add a fraction of zeros.
        minimum, maximum = (text.removesuffix(".000000") for text in (minimum, maximum))
    else:
        return
    compare(f"{tool}, range of {name}", (minimum, maximum), (facts.minimum, facts.maximum))


def check_ydata(tool, found, known, rows):
    expected = {name: (facts.missing, facts.distinct) for name, facts in known.items()}
    compare(f"{tool}, missing and distinct", {name: tuple(counts) for name, counts in found.items()}, expected)


def close(count, expected, share):
    """Returns the expected count if the other one is close to it, otherwise the other one."""
    return expected if abs(count - expected) <= share * expected else count
