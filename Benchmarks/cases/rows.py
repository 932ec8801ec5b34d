"""The cost of row rules: `assay check` with and without five row rules, compared with DuckDB and the same conditions.

Assay reads a CSV file; its figure is the difference between a run with the row rules and one with the columns' own
rules only, so it includes parsing the cells as dates and numbers. DuckDB has the same cells in a table in memory, as
text and also as dates and decimals, and only its query is timed. One thread each."""

import datetime
import json
import random

from harness.command import run as run_command
from harness.command import workplace
from harness.race import Measured, Race, table
from harness.results import Goal, Report

FIELDS = {
    "start": "date",
    "end": "date",
    "kind": "string",
    "vat": "string",
    "net": "number",
    "tax": "number",
    "gross": "number",
    "country": "string",
    "ship": "string",
}
ROWS = {
    "dates": "end >= start",
    "vat": "kind != 'company' || has(vat)",
    "sum": "net + tax == gross",
    "member": "country in ['DE', 'FR', 'AT', 'CH', 'IT']",
    "ship": "country == ship",
}
SQL = {
    "dates": "end_ >= start",
    "vat": "kind <> 'company' OR vat IS NOT NULL",
    "sum": "net + tax = gross",
    "member": "country IN ('DE', 'FR', 'AT', 'CH', 'IT')",
    "ship": "country = ship",
}
CASTS = {"start": "DATE", "end_": "DATE", "net": "DECIMAL(18, 2)", "tax": "DECIMAL(18, 2)", "gross": "DECIMAL(18, 2)"}
TEXT, TYPED = "DuckDB, a table of text", "DuckDB, a typed table"


def run(options):
    rows, rounds = options.rows_or(20_000), options.rounds_or(1, 5)
    with workplace(options.scratch) as place:
        known = make(place / "table.csv", rows)
        without, race = Race("no row rules", rows, {}), Race("five row rules", rows, known)
        without.add("assay check", lambda: check(options.command, place, {}))
        race.add("assay check", lambda: check(options.command, place, ROWS))
        try:
            connection = duckdb_tables(place / "table.csv")
        except ImportError:
            connection = None
        for name, queried in ((TEXT, "as_text"), (TYPED, "as_typed")) if connection else ():
            race.add(
                name,
                lambda queried=queried: connection.execute(query(queried)).fetchone(),
                count=lambda row: dict(zip(SQL, row)),
            )
        for _ in range(rounds):
            without.run(1, warm_up=False)
            race.run(1, warm_up=False)
    cost, each = race["assay check"].wall - without["assay check"].wall, rows * len(ROWS)
    lines = [
        ["assay check, no row rules", without["assay check"].wall, "–"],
        ["assay check, row rules", race["assay check"].wall, cost / each * 1e9],
    ]
    lines += [[one.name, one.wall, one.wall / each * 1e9] for one in race.contenders[1:]]
    goals = [Goal("a row rule and row", cost / each * 1e9, at_most=15, unit=" ns")]
    goals += [Goal(one.name, one.wall / cost, at_least=10) for one in race.contenders if one.name == TYPED]
    return Report(
        f"""{rows:,} rows, {len(ROWS)} row rules, one thread, the best of {rounds} rounds. All count the failures that
        the generator knows.""",
        [table("command|seconds|ns for a rule and row", lines)],
        goals,
        [without, race],
    )


def check(command, place, rules):
    """Runs Assay, and returns the number of failures by row rule."""
    rule_file, report = place / "rules.json", place / "report.json"
    fields = [{"name": name, "type": kind} for name, kind in FIELDS.items()]
    rule_file.write_text(
        json.dumps({"fields": fields, "rows": [{"id": name, "check": text} for name, text in rules.items()]})
    )
    sample = run_command(
        [
            command,
            "check",
            place / "table.csv",
            "-r",
            rule_file,
            "-q",
            "--threads",
            1,
            "--max-reject-rate",
            100,
            "--report",
            report,
            "--force",
        ]
    )
    return Measured({rule["id"]: rule["failed"] for rule in json.loads(report.read_text())["rows"]}, sample)


def duckdb_tables(path):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    names = ", ".join(f'"{name}" AS {name}_' if name == "end" else name for name in FIELDS)
    connection.execute(f"CREATE TABLE as_text AS SELECT {names} FROM read_csv('{path}', all_varchar = true)")
    casts = ", ".join(f"{name}::{kind} AS {name}" for name, kind in CASTS.items())
    connection.execute(f"CREATE TABLE as_typed AS SELECT {casts}, kind, vat, country, ship FROM as_text")
    return connection


def query(queried):
    def condition(sql):
        if queried == "as_text":
            for name, kind in CASTS.items():
                sql = sql.replace(name, f"{name}::{kind}")
        return sql

    counts = ", ".join(f"count(*) FILTER (NOT ({condition(sql)}))" for sql in SQL.values())
    return f"SELECT {counts} FROM {queried}"


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
            amounts = ",".join(f"{amount / 100:.2f}" for amount in (net, tax, gross))
            file.write(f"{number},{start},{end},{kind},{vat},{amounts},{country},{ship}\n")
    return failed
