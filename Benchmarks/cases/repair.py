"""The cost of repairs: `assay clean` with and without repairs, compared with Polars and the same expressions.

Two exports: 2 % of the values of four columns need a repair in the first, all in the second. The repairs are `trim`,
`lower`, `missing` words, and a date from two formats."""

import hashlib
import json
import random
import sys

from harness.command import run as run_command
from harness.command import workplace
from harness.race import Measured, Race, table
from harness.results import Goal, Report

POLARS = """
import os
os.environ["POLARS_MAX_THREADS"] = "2"
import polars as pl, sys
day = pl.col("day")
frame = pl.scan_csv(sys.argv[1], infer_schema=False)
frame.with_columns(
    pl.col("name").str.strip_chars(),
    pl.col("country").str.to_lowercase(),
    pl.when(pl.col("mark").is_in(["N/A", "-"])).then(None).otherwise(pl.col("mark")).alias("mark"),
    pl.coalesce(
        day.str.to_date("%d.%m.%Y", strict=False).dt.to_string("%Y-%m-%d"),
        day.str.to_date("%m/%d/%Y", strict=False).dt.to_string("%Y-%m-%d"), day),
).sink_csv(sys.argv[2])
"""
FIELDS = [
    ({"name": "name"}, ["trim"]),
    ({"name": "country"}, ["lower"]),
    ({"name": "mark"}, [{"missing": ["N/A", "-"]}]),
    ({"name": "day", "type": "date"}, [{"canonical": {"from": ["%d.%m.%Y", "%m/%d/%Y"]}}]),
]


def run(options):
    rows, rounds, races = options.rows_or(20_000), options.rounds_or(1, 5), {}
    with workplace(options.scratch) as place:
        for share in 0.02, 1:
            name = f"{share:.0%}"
            path = place / f"{name}.csv"
            digest = make(path, rows, share)
            race = races[name] = Race(f"{name} to repair", path.stat().st_size, digest)
            if share < 1:
                # Copying writes the same amount on one thread without checks. No answer is compared.
                race.add("cp", lambda path=path, digest=digest: measured(place, ["cp", path], digest))
                race.add(
                    "clean, no repairs",
                    lambda path=path, digest=digest: measured(place, clean(options, place, path, False), digest),
                    threads=2,
                )
            race.add("clean", lambda path=path: measured(place, clean(options, place, path, True)), threads=2)
            race.add("Polars", lambda path=path: measured(place, [sys.executable, "-c", POLARS, path]), threads=2)
        for _ in range(rounds):
            for race in races.values():
                race.run(1, warm_up=False)
    lines = [
        [f"{one.name}, {name}", one.wall, race.megabytes_per_second(one.name)]
        for name, race in races.items()
        for one in race.contenders
    ]
    few, all_ = races["2%"], races["100%"]
    return Report(
        f"""{rows:,} rows, two threads, the best of {rounds} rounds. Both tools write the clean rows, which must
        have the bytes that the generator knows.""",
        [table("command|seconds|MB/s", lines)],
        [
            Goal("2 % to repair, against no repairs", few.ratio("clean", "clean, no repairs"), at_most=1.2),
            Goal("speed with 2 %", few.megabytes_per_second("clean"), at_least=1000, unit=" MB/s"),
            Goal("speed with 100 %", all_.megabytes_per_second("clean"), at_least=400, unit=" MB/s"),
            Goal(
                "Polars, 2 %",
                few.ratio("Polars", "clean"),
                at_least=10,
                note=f"{few.ratio('Polars', 'cp'):.1f} times as long as cp",
            ),
            Goal("Polars, 100 %", all_.ratio("Polars", "clean"), at_least=10),
        ],
        list(races.values()),
    )


def clean(options, place, path, has_repairs):
    rules = place / "rules.json"
    rules.write_text(
        json.dumps({"fields": [field | ({"repair": repair} if has_repairs else {}) for field, repair in FIELDS]})
    )
    outputs = ["--rejects", place / "rejects.csv", "--findings", "none", "--report", "none"]
    return [options.command, "clean", path, "-r", rules, "-q", "--threads", 2, "--force", *outputs, "--clean"]


def measured(place, command, answer=None):
    """Runs a command that writes the file of its last argument, which is added. Returns the digest of the file, unless
    the answer is given."""
    output = place / "output.csv"
    output.unlink(missing_ok=True)
    sample = run_command([*command, output])
    if answer is None:
        with open(output, "rb") as file:
            answer = hashlib.file_digest(file, "sha256").hexdigest()
    return Measured(answer, sample)


def make(path, rows, share):
    """Writes a table in which `share` of the values need repairs; returns the digest of the clean rows."""
    chance = random.Random(9)
    digest = hashlib.sha256()
    header = "uuid,name,country,mark,day,email,url,comment\n"
    digest.update(header.encode())
    with open(path, "w", encoding="utf-8") as file:
        file.write(header)
        for number in range(rows):
            key = f"{chance.getrandbits(128):032x}"
            year, month, day = 1950 + number % 70, number % 12 + 1, number % 28 + 1
            good = [f"Name {number % 7919}", "de", "new" if share < 1 else "", f"{year}-{month:02}-{day:02}"]
            foreign = f"{day:02}.{month:02}.{year}" if number % 2 else f"{month:02}/{day:02}/{year}"
            bad = [f" Name {number % 7919} ", "DE", "N/A", foreign]
            cells = list(good)
            for place in range(4):
                if chance.random() < share:
                    cells[place] = bad[place]
                    good[place] = "" if place == 2 else good[place]
            url, comment = f"https://example.org/{key[:20]}/{number}", "lorem ipsum dolor sit amet " * 4
            rest = f"user{number}@example.org,{url},{comment}\n"
            file.write(",".join([key, *cells, rest]))
            digest.update(",".join([key, *good, rest]).encode())
    return digest.hexdigest()
