"""Measures the cost of keys: `assay clean` and `assay check` with and without keys, compared with DuckDB.

    python Benchmarks/keys.py --assay .build/release/assay [--rows N] [--many N] [--rounds N]

Needs DuckDB (in build/python). Three tables: the export of the other benchmarks with `unique` on its UUIDs; a table
with 1 % duplicates of its primary key, compared with DuckDB's `GROUP BY … HAVING count(*) > 1` on the same file, and
again with little memory; a table with a foreign key into another table of equal size. Each round runs all contenders,
and the best round of each counts. Every answer is compared with the counts of the data generator. Two threads.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

DUCKDB = """
import duckdb, sys
con = duckdb.connect()
con.execute("SET threads = 2")
con.execute("SET enable_progress_bar = false")
query = f"SELECT id FROM read_csv('{sys.argv[1]}', all_varchar = true) GROUP BY id HAVING count(*) > 1"
print(con.execute(f"SELECT count(*) FROM ({query})").fetchone()[0])
"""


def timed(command):
    """Returns the seconds, the output, and the maximum resident memory in MB.

    The command runs twice, and the second run counts, because a virtual machine returns free memory to its host, and
    getting it back can take longer than the measured work. After the first run, the memory is available."""
    subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL)
    start = time.perf_counter()
    child = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command}: exit status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - start, output, usage.ru_maxrss / 1024


class Bench:
    def __init__(self, assay, folder, rounds):
        self.assay, self.folder, self.rounds, self.best, self.peak = assay, folder, rounds, {}, {}

    def note(self, name, seconds, peak, answer, expected):
        if answer != expected:
            sys.exit(f"{name}: {answer}, and the generator of the data knows {expected}")
        self.best[name] = min(seconds, self.best.get(name, seconds))
        self.peak[name] = max(peak, self.peak.get(name, 0))

    def run(self, name, table, rules, refused, *more, command="check"):
        """Runs Assay, and compares the number of records that the keys rejected, from the report."""
        report = self.folder / "report.json"
        rule_file = self.folder / "rules.json"
        rule_file.write_text(json.dumps(rules))
        outputs = ["--clean", "/dev/null", "--rejects", "/dev/null"] if command == "clean" else []
        seconds, _, peak = timed(
            [self.assay, command, table, "-r", rule_file, "-q", "--threads", 2, "--force", "--report", report, *outputs,
             *more])
        self.note(name, seconds, peak, [key["refused"] for key in json.loads(report.read_text())["keys"]], refused)

    def show(self, *names):
        for name in names:
            print(f"  {name:36}{self.best[name]:8.3f} s{self.peak[name]:8.0f} MB")

    def ratio(self, text, value, most, unit=""):
        print(f"  {text}: {value:.2f}{unit} (at most {most}{unit}): {'met' if value <= most else 'NOT MET'}")


def uuids(path, rows):
    chance = random.Random(3)
    with open(path, "w", encoding="utf-8") as file:
        file.write("uuid,email,country,phone,amount,day,url,comment\n")
        for number in range(rows):
            value = f"{chance.getrandbits(128):032x}"
            file.write(
                f"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]},user{number}@example.org,DE,"
                f"+49 30 {number:09},{number / 100:.2f},2024-{number % 12 + 1:02}-{number % 28 + 1:02},"
                f"https://example.org/{value[:20]}/{number},{'lorem ipsum dolor sit amet ' * 4}\n")


def numbers(path, rows):
    """Returns the number of records with the key of an earlier record, and the number of their distinct keys."""
    chance = random.Random(5)
    duplicates = {chance.randrange(rows) for _ in range(rows // 100)}
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,name\n")
        for number in range(rows):
            file.write(f"{number + 10**9},name {number % 977}\n")
            if number in duplicates:
                file.write(f"{number + 10**9},again\n")
    return len(duplicates)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--assay", default=str(ROOT / ".build" / "release" / "assay"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--many", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    scratch = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        folder = pathlib.Path(folder)
        bench = Bench(options.assay, folder, options.rounds)
        uuids(folder / "export.csv", options.rows)
        duplicates = numbers(folder / "many.csv", options.many)
        chance = random.Random(7)
        missing = 0
        with open(folder / "orders.csv", "w", encoding="utf-8") as file:
            file.write("order,customer\n")
            for number in range(options.rows):
                customer = chance.randrange(int(options.rows * 1.01))
                missing += customer >= options.rows
                file.write(f"{number},{customer}\n")
        with open(folder / "customers.csv", "w", encoding="utf-8") as file:
            file.write("id,name\n" + "".join(f"{number},name {number}\n" for number in range(options.rows)))
        (folder / "one.csv").write_text("order,customer\n1,1\n")
        fields = [{"name": "uuid", "format": "uuid"}, {"name": "email", "format": "email"},
                  {"name": "day", "type": "date"}, {"name": "amount", "type": "number"}]
        unique = [fields[0] | {"constraints": {"unique": True}}] + fields[1:]
        table, many, orders = folder / "export.csv", folder / "many.csv", folder / "orders.csv"
        key = {"fields": [{"name": "id"}], "primaryKey": "id"}
        customer = {"name": "customer", "type": "integer"}
        foreign = [{"fields": "customer", "reference": {"resource": str(folder / "customers.csv"), "fields": "id"}}]
        for _ in range(options.rounds):
            bench.run("clean", table, {"fields": fields}, [], command="clean")
            bench.run("clean, unique UUIDs", table, {"fields": unique}, [0], command="clean")
            bench.run("primary key", many, key, [duplicates], "--max-findings", 0)
            bench.run("primary key, --memory 100M", many, key, [duplicates], "--max-findings", 0, "--memory", "100M",
                      "--temp-dir", folder)
            seconds, output, peak = timed([sys.executable, "-c", DUCKDB, many])
            bench.note("DuckDB GROUP BY", seconds, peak, int(output), duplicates)
            bench.run("one record with a foreign key", folder / "one.csv",
                      {"fields": [customer], "foreignKeys": foreign}, [0])
            bench.run("no foreign key", orders, {"fields": [customer]}, [])
            bench.run("foreign key", orders, {"fields": [customer], "foreignKeys": foreign}, [missing])
    best, peak = bench.best, bench.peak
    print(f"the export, {options.rows:,} rows")
    bench.show("clean", "clean, unique UUIDs")
    bench.ratio("with the key", best["clean, unique UUIDs"] / best["clean"], 1.30, " times")
    print(f"\na primary key over {options.many:,} records, {duplicates:,} of them twice")
    bench.show("primary key", "primary key, --memory 100M", "DuckDB GROUP BY")
    bench.ratio("beside DuckDB", best["primary key"] / best["DuckDB GROUP BY"], 0.33, " times")
    bench.ratio("memory", peak["primary key"], 600, " MB")
    bench.ratio("memory with 100M", peak["primary key, --memory 100M"], 150, " MB")
    bench.ratio("time with 100M", best["primary key, --memory 100M"] / best["primary key"], 3, " times")
    cost = best["foreign key"] - best["no foreign key"] - best["one record with a foreign key"]
    print(f"\na foreign key of {options.rows:,} records into as many")
    bench.show("one record with a foreign key", "no foreign key", "foreign key")
    bench.ratio("a record, when the other file has been read", cost / options.rows * 1e9, 40, " ns")


if __name__ == "__main__":
    main()
