"""The cost of keys: `assay clean` and `assay check` with and without keys, compared with DuckDB.

Three tables: an export with `unique` on its UUIDs; a table with 1 % duplicates of its primary key, compared with
DuckDB's `GROUP BY … HAVING count(*) > 1` on the same file, and again with little memory; a table with a foreign key
into another table of equal size."""

import json
import random
import sys

from harness.command import run as run_command
from harness.command import workplace
from harness.race import Measured, Race, table
from harness.results import Goal, Report

DUCKDB = """
import duckdb, sys
con = duckdb.connect()
con.execute("SET threads = 2")
con.execute("SET enable_progress_bar = false")
query = f"SELECT id FROM read_csv('{sys.argv[1]}', all_varchar = true) GROUP BY id HAVING count(*) > 1"
print(con.execute(f"SELECT count(*) FROM ({query})").fetchone()[0])
"""
FIELDS = [
    {"name": "uuid", "format": "uuid"},
    {"name": "email", "format": "email"},
    {"name": "day", "type": "date"},
    {"name": "amount", "type": "number"},
]
UNIQUE, PLAIN = "clean, unique UUIDs", "clean"
PRIMARY, LITTLE_MEMORY, GROUP_BY = "primary key", "primary key, --memory 100M", "DuckDB GROUP BY"
FOREIGN, NO_FOREIGN, ONE_RECORD = "foreign key", "no foreign key", "one record with a foreign key"


def run(options):
    rows, many, rounds = options.rows_or(20_000), 10 * options.rows_or(20_000), options.rounds_or(1, 3)
    with workplace(options.scratch) as place:
        uuids(place / "export.csv", rows)
        duplicates = numbers(place / "many.csv", many)
        missing = orders(place, rows)
        key = {"fields": [{"name": "id"}], "primaryKey": "id"}
        customer = [{"name": "customer", "type": "integer"}]
        reference = {"resource": str(place / "customers.csv"), "fields": "id"}
        foreign = {"fields": customer, "foreignKeys": [{"fields": "customer", "reference": reference}]}

        def assay(race, name, file, rules, *more, command="check"):
            race.add(
                name, lambda: check(options.command, place, place / file, rules, *more, command=command), threads=2
            )

        # The answer is the number of records that each key rejected.
        export = [Race("the export", rows, answer) for answer in ([], [0])]
        assay(export[0], PLAIN, "export.csv", {"fields": FIELDS}, command="clean")
        unique = [FIELDS[0] | {"constraints": {"unique": True}}, *FIELDS[1:]]
        assay(export[1], UNIQUE, "export.csv", {"fields": unique}, command="clean")
        primary = Race(f"a primary key, {duplicates:,} records twice", many, [duplicates])
        assay(primary, PRIMARY, "many.csv", key, "--max-findings", 0)
        assay(
            primary, LITTLE_MEMORY, "many.csv", key, "--max-findings", 0, "--memory", "100M", "--temp-dir", place.folder
        )
        primary.add(
            GROUP_BY,
            lambda: twice([sys.executable, "-c", DUCKDB, place / "many.csv"], place),
            threads=2,
            count=lambda output: [int(output)],
        )
        references = [Race("a foreign key", rows, answer) for answer in ([0], [], [missing])]
        assay(references[0], ONE_RECORD, "one.csv", foreign)
        assay(references[1], NO_FOREIGN, "orders.csv", {"fields": customer})
        assay(references[2], FOREIGN, "orders.csv", foreign)
        races = [*export, primary, *references]
        for _ in range(rounds):
            for race in races:
                race.run(1, warm_up=False)
    lines = [[one.name, f"{race.work:,}", one.wall, one.peak_megabytes] for race in races for one in race.contenders]
    best = {one.name: one.wall for race in races for one in race.contenders}
    cost = best[FOREIGN] - best[NO_FOREIGN] - best[ONE_RECORD]
    return Report(
        """Two threads. Each command runs twice, and the second run counts, because a virtual machine returns free
        memory to its host, and getting it back can take longer than the measured work. Every answer was compared with
        that of the generator.""",
        [table("command|records|seconds|peak MB", lines)],
        [
            Goal("clean with unique UUIDs, against no key", best[UNIQUE] / best[PLAIN], at_most=1.3),
            Goal("primary key, against DuckDB", best[PRIMARY] / best[GROUP_BY], at_most=0.33),
            Goal("its memory", primary[PRIMARY].peak_megabytes, at_most=600, unit=" MB"),
            Goal("its memory with 100M", primary[LITTLE_MEMORY].peak_megabytes, at_most=150, unit=" MB"),
            Goal("its time with 100M, against all in memory", best[LITTLE_MEMORY] / best[PRIMARY], at_most=3),
            Goal(
                "a foreign key, without the time to read the other file, per record",
                cost / rows * 1e9,
                at_most=40,
                unit=" ns",
            ),
        ],
        races,
    )


def check(assay, place, file, rules, *more, command):
    """Runs Assay, and returns the number of records that each key rejected."""
    report, rule_file = place / "report.json", place / "rules.json"
    rule_file.write_text(json.dumps(rules))
    outputs = ["--clean", "/dev/null", "--rejects", "/dev/null"] if command == "clean" else []
    words = [
        assay,
        command,
        file,
        "-r",
        rule_file,
        "-q",
        "--threads",
        2,
        "--force",
        "--report",
        report,
        *outputs,
        *more,
    ]
    measured = twice(words, place)
    return Measured([key["refused"] for key in json.loads(report.read_text())["keys"]], measured.sample)


def twice(command, place):
    """Runs a command twice, and returns the output and the cost of the second run."""
    for _ in range(2):
        sample = run_command(command, output=place / "output", statuses=(0, 1))
    return Measured((place / "output").read_text(), sample)


def uuids(path, rows):
    chance = random.Random(3)
    with open(path, "w", encoding="utf-8") as file:
        file.write("uuid,email,country,phone,amount,day,url,comment\n")
        for number in range(rows):
            value = f"{chance.getrandbits(128):032x}"
            file.write(
                f"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]},user{number}@example.org,DE,"
                f"+49 30 {number:09},{number / 100:.2f},2024-{number % 12 + 1:02}-{number % 28 + 1:02},"
                f"https://example.org/{value[:20]}/{number},{'lorem ipsum dolor sit amet ' * 4}\n"
            )


def numbers(path, rows):
    """Writes a table, and returns the number of records with the key of an earlier record."""
    chance = random.Random(5)
    duplicates = {chance.randrange(rows) for _ in range(rows // 100)}
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,name\n")
        for number in range(rows):
            file.write(f"{number + 10**9},name {number % 977}\n")
            if number in duplicates:
                file.write(f"{number + 10**9},again\n")
    return len(duplicates)


def orders(place, rows):
    """Writes tables of orders and their customers, and returns the number of orders without a customer."""
    chance, missing = random.Random(7), 0
    with open(place / "orders.csv", "w", encoding="utf-8") as file:
        file.write("order,customer\n")
        for number in range(rows):
            customer = chance.randrange(int(rows * 1.01))
            missing += customer >= rows
            file.write(f"{number},{customer}\n")
    (place / "customers.csv").write_text("id,name\n" + "".join(f"{number},name {number}\n" for number in range(rows)))
    (place / "one.csv").write_text("order,customer\n1,1\n")
    return missing
