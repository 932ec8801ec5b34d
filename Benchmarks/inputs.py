"""Measures `assay check` on the same rows compressed, as JSON Lines and in other encodings, compared with programs that
only decompress, and with Polars and DuckDB, which read JSON and check the same ten patterns.

    python Benchmarks/inputs.py --assay .build/release/assay [--rows N] [--rounds N] [--results DIR]

Needs igzip, zstd, and a Python with polars and duckdb; missing ones have no figure. Each round runs all contenders, and
the best round of each counts. Every answer is compared with the counts of the data generator: rejected rows, and errors
per column. --results writes the case `inputs` to the results of this machine.
"""

import argparse
import codecs
import csv
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "Benchmarks" / "export.rules.yaml"
sys.path.insert(0, str(ROOT / "Python" / "benchmarks"))
import harness  # noqa: E402

POLARS = """
import json, polars as pl, sys
rules = json.loads(sys.argv[2])
frame = pl.scan_ndjson(sys.argv[1], schema={name: pl.String for name in rules})
flags = [pl.col(name).str.contains(rf"\\A(?:{pattern})\\z").fill_null(False).alias(name)
         for name, pattern in rules.items()]
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


def patterns():
    """Returns the patterns of the rules as Assay reads them, from a report."""
    import re

    text, rules, name = RULES.read_text(encoding="utf-8"), {}, None
    for line in text.splitlines():
        if found := re.match(r"  - name: (\w+)", line):
            name = found[1]
        elif found := re.match(r"    constraints: \{pattern: '(.*)'\}", line):
            rules[name] = found[1].replace("''", "'")
    return rules


codecs.register_error("letter", lambda error: ("x" * (error.end - error.start), error.end))


class Contender:
    def __init__(self, name, command, answer=None, env=None):
        self.name, self.command, self.answer, self.env, self.samples = name, command, answer, env, []

    def run(self):
        start = time.perf_counter()
        # Discard the output of programs that only decompress, so that they do not wait for a reader.
        out = subprocess.PIPE if self.answer else subprocess.DEVNULL
        done = subprocess.run(self.command, stdout=out, stderr=subprocess.PIPE, env=self.env)
        seconds = time.perf_counter() - start
        if done.returncode != 0:
            sys.exit(f"{self.name}: {done.stderr.decode(errors='replace')[-500:]}")
        if self.answer:
            self.answer(done.stdout)
        self.samples.append(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--assay", default=str(ROOT / ".build" / "release" / "assay"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scratch", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    parser.add_argument("--results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        race(options, pathlib.Path(folder))


def race(options, folder):
    plain, known = make(options.rows, folder)
    rules = patterns()
    (folder / "text.yaml").write_text(RULES.read_text(encoding="utf-8") + "\ntypes: text\n", encoding="utf-8")

    def counted(out):
        bad, failed = json.loads(out)
        expect(bad, failed)

    def expect(bad, failed):
        if bad != known["rejected"] or {k: v for k, v in failed.items() if v} != known["rules"]:
            sys.exit(f"a wrong answer: {bad} rejected {failed}, and the generator knows {known}")

    def reported(path):
        def check(_):
            report = json.loads((folder / f"{path}.json").read_text())
            failed = {c["name"]: sum(r["failed"] for r in c["rules"]) for c in report["columns"]}
            expect(report["inputs"][0]["rejected"], failed)
            (folder / f"{path}.json").unlink()
        return check

    def check(name, path, *more, rules=RULES):
        command = [options.assay, "check", folder / path, "-r", rules, "-q", "--max-reject-rate", "99",
                   "--report", folder / f"{path}.json", *more]
        return Contender(name, list(map(str, command)), reported(path))

    def clean(name, path, compress):
        command = [options.assay, "clean", folder / path, "-r", RULES, "-q", "--force", "--compress", compress,
                   "--output-dir", folder / "out"]
        return Contender(name, list(map(str, command)))

    (folder / "out").mkdir()
    contenders = [check("CSV", "ten.csv")]
    beside, goals = {}, []

    def goal(name, what, other, bound, is_least=True):
        goals.append((name, what, other, bound, is_least))

    if shutil.which("igzip"):
        subprocess.run(["igzip", "-k", "-1", plain, "-o", folder / "one.csv.gz"], check=True, stderr=subprocess.DEVNULL)
        members(plain, folder / "members.csv.gz", ["igzip", "-1", "-c"])
        contenders += [check("gzip", "one.csv.gz"),
                       Contender("igzip -dc", ["igzip", "-dc", str(folder / "one.csv.gz")]),
                       check("gzip, members of 8 MB", "members.csv.gz"),
                       clean("gzip, clean to plain files", "one.csv.gz", "none"),
                       clean("gzip, clean to gzip", "one.csv.gz", "gzip")]
        (folder / "parts.csv.gz").write_bytes(flushed(plain))
        contenders.append(check("gzip, blocks as of pigz -i", "parts.csv.gz"))
        goal("gzip", "of the time of igzip -dc", "igzip -dc", 1.15, False)
        goal("gzip, clean to gzip", "of the time of plain outputs", "gzip, clean to plain files", 2, False)
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", "-k", plain, "-o", folder / "one.csv.zst"], check=True)
        contenders += [check("Zstandard", "one.csv.zst"),
                       Contender("zstd -dc", ["zstd", "-dqc", str(folder / "one.csv.zst")])]
        goal("Zstandard", "of the time of zstd -dc", "zstd -dc", 1.15, False)
    for encoding, codec in (("windows-1252", "cp1252"), ("UTF-16LE", "utf-16-le")):
        path = f"{encoding}.csv"
        # Replace letters that the encoding lacks by another letter, so that the same rows are good.
        (folder / path).write_bytes(plain.read_bytes().decode().encode(codec, "letter"))
        contenders.append(check(encoding, path, "--encoding", encoding))
        goal(encoding, "of the time of UTF-8", "CSV", 1 / 0.6, False)
    contenders.append(check("JSON Lines", "ten.jsonl", rules=folder / "text.yaml"))
    for name, module, script, bound in (("Polars scan_ndjson", "polars", POLARS, 10),
                                        ("DuckDB read_json", "duckdb", DUCKDB, 30)):
        if importlib.util.find_spec(module):
            command = [sys.executable, "-c", script, str(folder / "ten.jsonl"), json.dumps(rules)]
            contenders.append(Contender(name, command, counted, os.environ | {"POLARS_MAX_THREADS": "2"}))
            goal(name, "times as long as JSON Lines", "JSON Lines", bound)
    for _ in range(options.rounds):
        for contender in contenders:
            contender.run()
    table(contenders, goals, folder, options)


def make(rows, folder):
    plain = folder / "ten.csv"
    done = subprocess.run(
        [sys.executable, ROOT / "Scripts" / "make-example.py", "--rows", str(rows), "--columns", "ten", "--values-only",
         "--output", plain], check=True, stdout=subprocess.PIPE)
    known = json.loads(done.stdout)
    known["rules"] = {name.split(".")[0]: count for name, count in known["rules"].items()}
    with open(plain, encoding="utf-8", newline="") as source, open(folder / "ten.jsonl", "w",
                                                                   encoding="utf-8") as target:
        for row in csv.DictReader(source):
            target.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    return plain, known


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


def table(contenders, goals, folder, options):
    best = {contender.name: min(contender.samples) for contender in contenders}
    size = (folder / "ten.csv").stat().st_size
    lines = [f"{options.rows:,} rows, {size / 1e6:.0f} MB of CSV, {(folder / 'ten.jsonl').stat().st_size / 1e6:.0f} "
             f"MB of JSON Lines, {os.cpu_count()} processors, the best of {options.rounds}", ""]
    for name, seconds in best.items():
        lines.append(f"  {name:30}{seconds:8.3f} s{options.rows / seconds / 1e6:8.2f} million rows/s")
    lines.append("")
    met = 0
    for name, what, other, bound, is_least in goals:
        ratio = best[name] / best[other]
        is_met = ratio >= bound if is_least else ratio <= bound
        met += is_met
        lines.append(f"  {name}: {ratio:.2f} {what} ({'at least' if is_least else 'at most'} {bound:.2f}): "
                     f"{'met' if is_met else 'NOT MET'}")
    print("\n".join(lines))
    if options.results:
        # Commands choose their number of threads, and their processor time is not measured.
        rows = [[f"{options.rows:,} rows", contender.name, "", options.rows, number, f"{wall:.9f}", "", "", "", ""]
                for contender in contenders for number, wall in enumerate(contender.samples, 1)]
        command = f"inputs.py --rows {options.rows} --rounds {options.rounds}"
        text = "\n".join(["```text", *lines, "```"])
        harness.write(options.results, "inputs", command, f"{met} of {len(goals)}", text, rows)


if __name__ == "__main__":
    main()
