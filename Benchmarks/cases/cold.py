"""The first job of a process: importing a library, compiling ten rules, and checking a table once.

Each contender is a separate process, in which Polars has already read the table. A second figure covers the whole
process except for reading the table."""

import os
import random
import subprocess
import sys
import time

BAD = 100  # one row in a hundred is bad
COUNTRIES = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split()
STATES = ["new", "paid", "sent", "returned"]
#: Patterns, which must match the whole value.
PATTERNS = {
    "id": r"[1-9][0-9]{0,9}",
    "email": r"[a-z0-9]+(?:\.[a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+",
    "day": r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "code": r"[A-Z]{2}[0-9]{6}",
    "amount": r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]{1,2})?",
    "phone": r"\+[1-9][0-9]{7,14}",
    "key": r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
}
SETS = {"country": COUNTRIES, "state": STATES}
SHORTEST, LONGEST = 2, 40  # of a name


def make(path, rows):
    """Writes the table, and returns the number of its bad rows."""
    import polars as pl

    dice = random.Random(1)

    def word(low, high):
        return "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(low, high)))

    values = {
        "id": lambda: str(dice.randint(1, 10**10 - 1)),
        "email": lambda: f"{word(3, 9)}.{dice.randrange(9999)}@{word(4, 12)}.example.org",
        "day": lambda: f"{dice.randint(1900, 2030)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}",
        "code": lambda: f"{dice.choice(['DE', 'FR', 'IT'])}{dice.randrange(10**6):06}",
        "amount": lambda: f"{dice.randrange(10**6)}.{dice.randrange(100):02}",
        "phone": lambda: f"+{dice.randint(10**10, 10**12)}",
        "key": lambda: f"{(n := f'{dice.getrandbits(128):032x}')[:8]}-{n[8:12]}-{n[12:16]}-{n[16:20]}-{n[20:]}",
        "country": lambda: dice.choice(COUNTRIES),
        "state": lambda: dice.choice(STATES),
        "name": lambda: f"{word(2, 12).title()} {word(3, 20).title()}",
    }
    pools = {name: [one() for _ in range(20_000)] for name, one in values.items()}
    bad = list(range(7, rows, BAD))
    columns = {}
    for number, (name, pool) in enumerate(pools.items()):
        column = [pool[row * 7 % len(pool)] for row in range(rows)]
        for row in bad[number :: len(pools)]:
            column[row] = "!"
        columns[name] = column
    pl.DataFrame(columns).write_ipc(path, compression="uncompressed", compat_level=pl.CompatLevel.newest())
    return len(bad)


# The jobs of the processes, which return the number of bad rows.


def assay_job(table):
    import assay

    fields = [{"name": name, "constraints": {"required": True, "pattern": text}} for name, text in PATTERNS.items()]
    fields += [{"name": name, "constraints": {"required": True, "enum": words}} for name, words in SETS.items()]
    fields += [{"name": "name", "constraints": {"required": True, "minLength": SHORTEST, "maxLength": LONGEST}}]
    return assay.Rules.parse({"fields": fields}).check(table).report.rejected


def polars_rules():
    import polars as pl

    rules = {name: pl.col(name).str.contains(f"^(?:{text})$") for name, text in PATTERNS.items()}
    rules |= {name: pl.col(name).is_in(words) for name, words in SETS.items()}
    rules["name"] = pl.col("name").str.len_chars().is_between(SHORTEST, LONGEST)
    return [rule.fill_null(False).alias(name) for name, rule in rules.items()]


def polars_job(table):
    import polars as pl

    return table.select(polars_rules()).select((~pl.all_horizontal(pl.all())).sum()).item()


def polars_streaming_job(table):
    import polars as pl

    verdicts = table.lazy().select(polars_rules()).select((~pl.all_horizontal(pl.all())).sum())
    return verdicts.collect(engine="streaming").item()


def pandera_job(table):
    import pandera.polars as pa

    columns = {name: pa.Column(str, pa.Check.str_matches(f"^(?:{text})$")) for name, text in PATTERNS.items()}
    columns |= {name: pa.Column(str, pa.Check.isin(words)) for name, words in SETS.items()}
    columns["name"] = pa.Column(str, pa.Check.str_length(SHORTEST, LONGEST))
    try:
        pa.DataFrameSchema(columns).validate(table, lazy=True)
    except pa.errors.SchemaErrors as errors:
        return errors.failure_cases["index"].n_unique()
    return 0


JOBS = {"assay": assay_job, "Polars": polars_job, "Polars, streaming": polars_streaming_job, "pandera": pandera_job}


def do(name, path):
    """Prints the answer, the seconds for reading the table, and the seconds for the job."""
    import polars as pl

    start = time.perf_counter()
    table = pl.read_ipc(path)
    read = time.perf_counter()
    answer = JOBS[name](table)
    print(answer, read - start, time.perf_counter() - read)


def run(options):
    from importlib.metadata import version
    from importlib.util import find_spec

    from harness.command import workplace
    from harness.race import Measured, Race, Sample
    from harness.results import Goal, Report

    rows, rounds = options.rows_or(20_000), options.rounds_or(1, 7)
    names = [name for name in JOBS if name != "pandera" or find_spec("pandera")]
    with workplace(options.scratch) as place:
        path = str(place / "table.arrow")
        bad = make(path, rows)

        def process(name, is_full):
            start = time.perf_counter()
            # -P: without the modules of this folder.
            command = [sys.executable, "-P", __file__, name, path]
            printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.split()
            total = time.perf_counter() - start
            return Measured(int(printed[0]), Sample(total - float(printed[1]) if is_full else float(printed[2]), None))

        races = [Race("first job, ten rules", rows, bad), Race("the whole process", rows, bad)]
        for race, is_full in zip(races, (False, True)):
            for name in names:
                race.add(name, lambda name=name, is_full=is_full: process(name, is_full), threads=os.cpu_count())
            race.run(rounds)
    polars = min(("Polars", "Polars, streaming"), key=lambda name: races[0][name].wall)
    others = [polars, *(name for name in names if name == "pandera")]
    packages = ["assay", "polars", *["pandera"] * ("pandera" in names)]
    return Report(
        f"{', '.join(f'{package} {version(package)}' for package in packages)}. Best of {rounds} rounds.",
        [race.table(polars, processor=False) for race in races],
        [Goal(f"first job beside {other}", races[0].ratio(other, "assay"), at_least=2) for other in others],
        races,
    )


if __name__ == "__main__":
    do(*sys.argv[1:])
