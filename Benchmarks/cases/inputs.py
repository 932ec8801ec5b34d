"""`assay check` on the same rows compressed, as JSON Lines and in other encodings, compared with programs that only
decompress, and with Polars and DuckDB, which read JSON and check the same ten patterns."""

import codecs
import csv
import importlib.util
import json
import shutil
import subprocess
import sys
import zlib

from harness.command import run as run_command
from harness.command import workplace
from harness.race import Measured, Race, table
from harness.results import Goal, Report

from . import export

POLARS = """
import os
os.environ["POLARS_MAX_THREADS"] = "2"
import json, polars as pl, sys
rules = json.loads(sys.argv[2])
frame = pl.scan_ndjson(sys.argv[1], schema={name: pl.String for name in rules})
found = {name: pl.col(name).str.contains(rf"\\A(?:{pattern})\\z") for name, pattern in rules.items()}
flags = [flag.fill_null(False).alias(name) for name, flag in found.items()]
judged = frame.select(flags)
good = pl.all_horizontal(list(rules))
counts = judged.select(pl.len().alias("all"), (~good).sum().alias("bad"), *[(~pl.col(name)).sum() for name in rules])
_, bad, *failed = counts.collect(engine="streaming").row(0)
print(json.dumps([bad, dict(zip(rules, failed))]))
"""

DUCKDB = """
import duckdb, json, sys
rules = json.loads(sys.argv[2])
quoted = lambda text: "'" + text.replace("'", "''") + "'"
columns = "{" + ", ".join(f"{name}: 'VARCHAR'" for name in rules) + "}"
flags = {name: f"coalesce(regexp_full_match({name}, {quoted(pattern)}), false)" for name, pattern in rules.items()}
con = duckdb.connect()
con.execute("SET threads = 2")
con.execute("SET enable_progress_bar = false")
row = con.execute(
    "SELECT " + ", ".join([f"count(*) FILTER (NOT ({' AND '.join(flags.values())}))"] +
                          [f"count(*) FILTER (NOT {flag})" for flag in flags.values()]) +
    f" FROM read_json({quoted(sys.argv[1])}, format = 'newline_delimited', columns = {columns})").fetchone()
print(json.dumps([row[0], dict(zip(rules, row[1:]))]))
"""
JSON_TOOLS = [("Polars scan_ndjson", "polars", POLARS, 10), ("DuckDB read_json", "duckdb", DUCKDB, 30)]


def run(options):
    rounds = options.rounds_or(1, 5)
    with workplace(options.scratch) as place:
        inputs = Inputs(options, place)
        inputs.race.run(rounds, warm_up=False)
        size, lines_size = inputs.data.bytes, (place / "ten.jsonl").stat().st_size
    race = inputs.race
    lines = [[one.name, one.wall, race.work / one.wall / 1e6] for one in race.contenders]
    goals = [Goal(f"{name} {text}", race.ratio(name, other), **bound) for name, text, other, bound in inputs.goals]
    return Report(
        f"""{race.work:,} rows, {size / 1e6:.0f} MB of CSV, {lines_size / 1e6:.0f} MB of JSON Lines, the best of
        {rounds} rounds. Every answer was compared with the counts of the generator: rejected rows, and errors
        per column.""",
        [table("input|seconds|million rows/s", lines)],
        goals,
        [race],
    )


class Inputs:
    """The files, and the contenders for each."""

    def __init__(self, options, place):
        self.command, self.place, self.goals = options.command, place, []
        self.data = export.make(place, options.rows_or(20_000), 6, values_only=True, name="ten")
        self.rules = place / "text.yaml"
        self.rules.write_text(self.data.rules.read_text(encoding="utf-8") + "\ntypes: text\n", encoding="utf-8")
        failed = {name.split(".")[0]: count for name, count in self.data.failed.items()}
        self.race = Race(f"{self.data.records:,} rows", self.data.records, (self.data.rejected, failed))
        self.check("CSV", "ten.csv")
        if shutil.which("igzip"):
            self.add_gzip()
        if shutil.which("zstd"):
            subprocess.run(["zstd", "-q", "-k", self.data.path, "-o", place / "one.csv.zst"], check=True)
            self.check("Zstandard", "one.csv.zst")
            self.decompress("zstd -dc", ["zstd", "-dqc", place / "one.csv.zst"])
            self.goal("Zstandard", "against zstd -dc", "zstd -dc", at_most=1.15)
        for encoding, codec in ("windows-1252", "cp1252"), ("UTF-16LE", "utf-16-le"):
            # Replace letters that the encoding lacks by another letter, so that the same rows are good.
            text = self.data.path.read_bytes().decode()
            (place / f"{encoding}.csv").write_bytes(text.encode(codec, "letter"))
            self.check(encoding, f"{encoding}.csv", "--encoding", encoding)
            self.goal(encoding, "against UTF-8", "CSV", at_most=1 / 0.6)
        self.add_json()

    def add_gzip(self):
        plain, place = self.data.path, self.place
        subprocess.run(["igzip", "-k", "-1", plain, "-o", place / "one.csv.gz"], check=True, stderr=subprocess.DEVNULL)
        members(plain, place / "members.csv.gz", ["igzip", "-1", "-c"])
        (place / "parts.csv.gz").write_bytes(flushed(plain))
        self.check("gzip", "one.csv.gz")
        self.decompress("igzip -dc", ["igzip", "-dc", place / "one.csv.gz"])
        self.check("gzip, members of 8 MB", "members.csv.gz")
        self.check("gzip, blocks as of pigz -i", "parts.csv.gz")
        for name, compress in ("gzip, clean to plain files", "none"), ("gzip, clean to gzip", "gzip"):
            self.race.add(name, lambda compress=compress: self.clean("one.csv.gz", compress), threads=0)
        self.goal("gzip", "against igzip -dc", "igzip -dc", at_most=1.15)
        self.goal("gzip, clean to gzip", "against plain outputs", "gzip, clean to plain files", at_most=2)

    def add_json(self):
        path = self.place / "ten.jsonl"
        with open(self.data.path, encoding="utf-8", newline="") as source, open(path, "w", encoding="utf-8") as target:
            for row in csv.DictReader(source):
                target.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
        self.check("JSON Lines", "ten.jsonl", rules=self.rules)
        for name, module, script, bound in JSON_TOOLS:
            if importlib.util.find_spec(module):
                command = [sys.executable, "-c", script, path, json.dumps(export.patterns())]
                self.race.add(name, lambda command=command: self.counted(command), threads=2)
                self.goal(name, "against JSON Lines", "JSON Lines", at_least=bound)

    def goal(self, name, text, other, **bound):
        self.goals.append((name, text, other, bound))

    # The threads of commands that choose their number are 0.

    def check(self, name, file, *more, rules=None):
        report = self.place / "report.json"
        command = [
            self.command,
            "check",
            self.place / file,
            "-r",
            rules or self.data.rules,
            "-q",
            "--max-reject-rate",
            99,
            "--force",
            "--report",
            report,
            *more,
        ]

        def measured():
            sample = run_command(command)
            found = json.loads(report.read_text())
            failed = {column["name"]: sum(rule["failed"] for rule in column["rules"]) for column in found["columns"]}
            return Measured(answer(found["inputs"][0]["rejected"], failed), sample)

        self.race.add(name, measured, threads=0)

    def clean(self, file, compress):
        sample = run_command(
            [
                self.command,
                "clean",
                self.place / file,
                "-r",
                self.data.rules,
                "-q",
                "--compress",
                compress,
                "--output-dir",
                self.place.fresh(),
            ]
        )
        return Measured(self.race.expected, sample)

    def decompress(self, name, command):
        # The output is discarded, so that the program does not wait for a reader.
        self.race.add(name, lambda: Measured(self.race.expected, run_command(command)))

    def counted(self, command):
        output = self.place / "output"
        sample = run_command(command, output=output)
        return Measured(answer(*json.loads(output.read_text())), sample)


def answer(rejected, failed):
    return rejected, {column: count for column, count in failed.items() if count}


codecs.register_error("letter", lambda error: ("x" * (error.end - error.start), error.end))


def members(plain, target, command):
    """Compresses pieces of 8 MB as separate members, like joined parts of an export."""
    with open(plain, "rb") as source, open(target, "wb") as packed:
        while piece := source.read(8 << 20):
            packed.write(subprocess.run(command, input=piece, stdout=subprocess.PIPE, check=True).stdout)


def flushed(plain):
    """Returns one gzip member with independent blocks of 128 KB, as pigz -i writes it."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    content = plain.read_bytes()
    pieces = (content[i : i + (128 << 10)] for i in range(0, len(content), 128 << 10))
    return b"".join(packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH) for piece in pieces) + packer.flush()
