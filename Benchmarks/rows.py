"""Measures the cost of row rules: `assay check` with and without five row rules, compared with DuckDB and the same
conditions.

    python Benchmarks/rows.py --assay .build/release/assay [--rows N] [--rounds N]

Assay reads a CSV file; its figure is the difference between a run with the row rules and one with the columns' own
rules only, so it includes parsing the cells as dates and numbers. DuckDB has the same cells in a table in memory, as
text and also as dates and decimals, and only its query is timed. One thread each; the best round of each counts. All
must count the failures that the data generator knows.
"""

import argparse
import datetime
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

FIELDS = {"start": "date", "end": "date", "kind": "string", "vat": "string", "net": "number", "tax": "number",
          "gross": "number", "country": "string", "ship": "string"}
ROWS = {
    "dates": "end >= start", "vat": "kind != 'company' || has(vat)", "sum": "net + tax == gross",
    "member": "country in ['DE', 'FR', 'AT', 'CH', 'IT']", "ship": "country == ship",
}
SQL = {
    "dates": "end_ >= start", "vat": "kind <> 'company' OR vat IS NOT NULL", "sum": "net + tax = gross",
    "member": "country IN ('DE', 'FR', 'AT', 'CH', 'IT')", "ship": "country = ship",
}
CASTS = {"start": "DATE", "end_": "DATE", "net": "DECIMAL(18, 2)", "tax": "DECIMAL(18, 2)", "gross": "DECIMAL(18, 2)"}


def make(path, rows):
    """Writes the table; returns the number of failures per rule."""
    chance = random.Random(24)
    first = datetime.date(2015, 1, 1)
    failed = dict.fromkeys(ROWS, 0)
    with open(path, "w", encoding="utf-8") as file:
        file.write("id," + ",".join(FIELDS) + "\n")
        for number in range(rows):
            start = first + datetime.timedelta(chance.randrange(3000))
            end = start + datetime.timedelta(chance.randrange(-3, 100))
            net = chance.randrange(1, 1_000_000)
            tax = net * 19 // 100
            gross = net + tax + (chance.random() < 0.01)
            kind = chance.choice(["company", "private", "public"])
            vat = f"DE{number:09}" if kind == "company" and chance.random() < 0.99 else ""
            country = chance.choice(["DE", "FR", "AT", "CH", "IT", "US"])
            ship = country if chance.random() < 0.9 else "UK"
            failed["dates"] += end < start
            failed["vat"] += kind == "company" and not vat
            failed["sum"] += gross != net + tax
            failed["member"] += country == "US"
            failed["ship"] += country != ship
            file.write(f"{number},{start},{end},{kind},{vat},{net / 100:.2f},{tax / 100:.2f},{gross / 100:.2f},"
                       f"{country},{ship}\n")
    return failed


def rules(folder, name, has_rows):
    fields = [{"name": field, "type": kind} for field, kind in FIELDS.items()]
    rows = [{"id": name, "check": check} for name, check in ROWS.items()] if has_rows else []
    (folder / name).write_text(json.dumps({"fields": fields, "rows": rows}))
    return folder / name


def assay(command, table, rule_file, folder):
    report = folder / "report.json"
    started = time.perf_counter()
    subprocess.run([command, "check", table, "-r", rule_file, "-q", "--threads", "1",
                    "--max-reject-rate", "100", "--report", report, "--force"], check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - started
    return seconds, {rule["id"]: rule["failed"] for rule in json.loads(report.read_text())["rows"]}


def duckdb_tables(table):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    names = ", ".join(f'"{name}" AS {name}_' if name == "end" else name for name in FIELDS)
    connection.execute(f"CREATE TABLE as_text AS SELECT {names} FROM read_csv('{table}', all_varchar = true)")
    casts = ", ".join(f"{name}::{kind} AS {name}" for name, kind in CASTS.items())
    connection.execute(f"CREATE TABLE as_typed AS SELECT {casts}, kind, vat, country, ship FROM as_text")
    return connection


def duckdb_query(connection, table):
    def condition(sql):
        if table == "as_text":
            for name, kind in CASTS.items():
                sql = sql.replace(name, f"{name}::{kind}")
        return sql

    counts = ", ".join(f"count(*) FILTER (NOT ({condition(sql)}))" for sql in SQL.values())
    started = time.perf_counter()
    row = connection.execute(f"SELECT {counts} FROM {table}").fetchone()
    return time.perf_counter() - started, dict(zip(SQL, row))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--assay", default=str(ROOT / ".build" / "release" / "assay"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    scratch = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        folder = pathlib.Path(folder)
        known = make(folder / "table.csv", options.rows)
        with_rows, without = rules(folder, "rows.json", True), rules(folder, "none.json", False)
        connection = duckdb_tables(folder / "table.csv") if importlib.util.find_spec("duckdb") else None
        best = {}

        def note(name, seconds, answer, expected):
            if answer != expected:
                sys.exit(f"{name}: {answer}, and the generator of the data knows {expected}")
            best[name] = min(seconds, best.get(name, seconds))

        for _ in range(options.rounds):
            note("check", *assay(options.assay, folder / "table.csv", without, folder), {})
            note("check with row rules", *assay(options.assay, folder / "table.csv", with_rows, folder), known)
            for table in ("as_text", "as_typed") if connection else ():
                note(f"DuckDB {table}", *duckdb_query(connection, table), known)
    each = options.rows * len(ROWS)
    cost = best["check with row rules"] - best["check"]
    print(f"{options.rows:,} rows, {len(ROWS)} row rules, one thread, the best of {options.rounds}\n")
    for name, seconds in best.items():
        print(f"  {name:24}{seconds:8.3f} s")
    print(f"\n  a row rule and row: {cost / each * 1e9:.1f} ns (at most 15): "
          f"{'met' if cost / each <= 15e-9 else 'NOT MET'}")
    for name, seconds in best.items():
        if name.startswith("DuckDB"):
            print(f"  {name}: {seconds / each * 1e9:.1f} ns, {seconds / cost:.1f} times as long")


if __name__ == "__main__":
    main()
