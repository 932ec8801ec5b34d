"""Measures the cost of repairs: `assay clean` with and without repairs, compared with Polars and the same expressions.

    python Benchmarks/repair.py --assay .build/release/assay [--rows N] [--rounds N]

Needs Polars (in build/python). Two exports of a million rows, 0.24 GB: 2 % of the values of four columns need a repair
in the first, all in the second. The repairs are `trim`, `lower`, `missing` words, and a date from two formats. Both
tools write the clean rows, which must have the bytes that the data generator knows. `cp` is the baseline: it writes the
same amount on one thread without checks. Two threads; each round runs all contenders, and the best round of each
counts.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

POLARS = """
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
    ({"name": "name"}, ["trim"]), ({"name": "country"}, ["lower"]), ({"name": "mark"}, [{"missing": ["N/A", "-"]}]),
    ({"name": "day", "type": "date"}, [{"canonical": {"from": ["%d.%m.%Y", "%m/%d/%Y"]}}]),
]


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
            bad = [f" Name {number % 7919} ", "DE", "N/A", f"{day:02}.{month:02}.{year}" if number % 2 else
                   f"{month:02}/{day:02}/{year}"]
            cells = list(good)
            for place in range(4):
                if chance.random() < share:
                    cells[place] = bad[place]
                    good[place] = "" if place == 2 else good[place]
            rest = (f",user{number}@example.org,https://example.org/{key[:20]}/{number},"
                    f"{'lorem ipsum dolor sit amet ' * 4}\n")
            file.write(f"{key}," + ",".join(cells) + rest)
            digest.update((f"{key}," + ",".join(good) + rest).encode())
    return digest.hexdigest()


def rules(path, has_repairs):
    fields = [field | ({"repair": repair} if has_repairs else {}) for field, repair in FIELDS]
    path.write_text(json.dumps({"fields": fields}))
    return path


def run(command, output, expected):
    if output.exists():
        output.unlink()
    start = time.perf_counter()
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"POLARS_MAX_THREADS": "2"})
    seconds = time.perf_counter() - start
    if expected is not None:
        with open(output, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != expected:
            sys.exit(f"{command}: other bytes than the generator of the data knows")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--assay", default=str(ROOT / ".build" / "release" / "assay"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    scratch = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        folder = pathlib.Path(folder)
        tables = {share: (folder / f"{share}.csv", make(folder / f"{share}.csv", options.rows, share))
                  for share in (0.02, 1)}
        repairing, judging = rules(folder / "repair.json", True), rules(folder / "judge.json", False)
        best = {}

        def note(name, command, output, expected):
            best[name] = min(run(command, output, expected), best.get(name, 1e9))

        def clean(table, rule_file, output):
            return [options.assay, "clean", table, "-r", rule_file, "-q", "--threads", 2, "--clean", output,
                    "--rejects", folder / "rejects.csv", "--findings", "none", "--report", "none", "--force"]

        for _ in range(options.rounds):
            table, digest = tables[0.02]
            note("cp", ["cp", table, folder / "f.csv"], folder / "f.csv", None)
            note("clean, no repairs", clean(table, judging, folder / "a.csv"), folder / "a.csv", None)
            note("clean, repairs, 2 %", clean(table, repairing, folder / "b.csv"), folder / "b.csv", digest)
            note("Polars, 2 %", [sys.executable, "-c", POLARS, table, folder / "c.csv"], folder / "c.csv", digest)
            table, digest = tables[1]
            note("clean, repairs, 100 %", clean(table, repairing, folder / "d.csv"), folder / "d.csv", digest)
            note("Polars, 100 %", [sys.executable, "-c", POLARS, table, folder / "e.csv"], folder / "e.csv", digest)
        sizes = {share: table.stat().st_size / 1e6 for share, (table, _) in tables.items()}
    print(f"{options.rows:,} rows, {sizes[0.02]:.0f} MB and {sizes[1]:.0f} MB, two threads, the best of "
          f"{options.rounds}\n")
    for name, seconds in best.items():
        print(f"  {name:24}{seconds:8.3f} s{sizes[1 if '100' in name else 0.02] / seconds:8.0f} MB/s")

    def verdict(text, value, bound, is_met):
        print(f"  {text}: {value} ({bound}): {'met' if is_met else 'NOT MET'}")

    print()
    more = best["clean, repairs, 2 %"] / best["clean, no repairs"]
    speed, full = sizes[0.02] / best["clean, repairs, 2 %"], sizes[1] / best["clean, repairs, 100 %"]
    verdict("2 % beside no repairs", f"{more:.2f} times", "at most 1.2", more <= 1.2)
    verdict("speed with 2 %", f"{speed:.0f} MB/s", "at least 1000", speed >= 1000)
    verdict("speed with 100 %", f"{full:.0f} MB/s", "at least 400", full >= 400)
    for share in "2 %", "100 %":
        ratio = best[f"Polars, {share}"] / best[f"clean, repairs, {share}"]
        verdict(f"Polars, {share}", f"{ratio:.1f} times as long", "at least 10", ratio >= 10)
    print(f"  Polars, 2 %, beside cp: {best['Polars, 2 %'] / best['cp']:.1f} times as long")


if __name__ == "__main__":
    main()
