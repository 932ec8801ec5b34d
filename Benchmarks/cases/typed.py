"""Rules for typed columns, such as integers, dates and decimal numbers, compared with expressions of Polars.

One value in a hundred is bad, so that both sides also write masks. The goals are those of issue 56: at most Polars'
processor time."""

import datetime
import decimal
import os
import random

from harness.race import Race, table
from harness.results import Goal, Report

THREADS = os.cpu_count()
BAD = 100
EPOCH = datetime.datetime(2024, 1, 1)


def run(options):
    import assay
    import polars
    import pyarrow

    rounds, typed = options.rounds_or(1, 7), columns(options.rows_or(20_000))
    races = [race_of(typed, *job).run(rounds) for job in jobs(polars)]
    rows = [
        [race.subject, *(1000 * race[name].cpu for name in ("Polars", "assay")), race["assay"].cpu / race["Polars"].cpu]
        for race in races
    ]
    return Report(
        f"""assay {assay.__version__} ({assay.engine}), pyarrow {pyarrow.__version__}, Polars {polars.__version__}.
        {typed.num_rows:,} rows, one value in {BAD} bad, {THREADS} threads. Best of {rounds} rounds.""",
        [table("rule|Polars, processor ms|assay, processor ms|times Polars", rows)],
        [Goal(f"{row[0]}, processor time beside Polars", row[-1], at_most=1) for row in rows],
        races,
    )


def columns(rows):
    """Returns a table. The bad values are at the same rows of each column."""
    import pyarrow as pa

    dice = random.Random(5)
    bad = [row % BAD == 7 for row in range(rows)]

    def values(good, wrong):
        return [wrong() if is_bad else good() for is_bad in bad]

    def moment(low, high):
        return EPOCH + datetime.timedelta(seconds=dice.randint(low, high))

    starts = values(lambda: moment(0, 10**8), lambda: moment(-(10**8), -1))
    ends = [
        start + datetime.timedelta(seconds=-1 if is_bad else dice.randrange(10**6))
        for start, is_bad in zip(starts, bad)
    ]
    last_days = [(end - datetime.timedelta(days=is_bad)).date() for end, is_bad in zip(ends, bad)]
    ids = values(lambda: dice.randint(1, 10**9), lambda: -dice.randint(1, 10**9))
    utc = pa.timestamp("us", tz="UTC")
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "maybe": pa.array(values(lambda: dice.randint(1, 9), lambda: None), pa.int64()),
            "kind": pa.array(values(lambda: dice.choice([1, 2, 4]), lambda: 3), pa.int64()),
            "small": pa.array(values(lambda: dice.randint(0, 120), lambda: -1), pa.int32()),
            "share": pa.array(values(dice.random, lambda: 1.5), pa.float64()),
            "price": pa.array(values(lambda: dice.randrange(10**5) / 100, lambda: 1e6), pa.float64()),
            "amount": pa.array(
                values(lambda: decimal.Decimal(dice.randrange(10**6)) / 100, lambda: decimal.Decimal(10**6)),
                pa.decimal128(12, 2),
            ),
            "is_open": pa.array(values(lambda: dice.random() < 0.5, lambda: None), pa.bool_()),
            "day": pa.array([start.date() for start in starts], pa.date32()),
            "last_day": pa.array(last_days, pa.date32()),
            "start": pa.array(starts, pa.timestamp("us")).cast(utc),
            "end": pa.array(ends, pa.timestamp("us")).cast(utc),
        }
    )


def jobs(polars):
    """Returns name, rules in YAML and the expression of Polars that is true for good rows."""
    column, moment = polars.col, datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
    fields = {
        "int64 required": ("maybe", "integer", "required: true", column("maybe").is_not_null()),
        "int64 bounds": ("id", "integer", "minimum: 1, maximum: 1000000000", column("id").is_between(1, 10**9)),
        "int64 enum": ("kind", "integer", "enum: [1, 2, 4]", column("kind").is_in([1, 2, 4])),
        "int32 bounds": ("small", "integer", "minimum: 0, maximum: 120", column("small").is_between(0, 120)),
        "float64 bounds": ("share", "number", "minimum: 0, maximum: 1", column("share").is_between(0, 1)),
        "bool required": ("is_open", "boolean", "required: true", column("is_open").is_not_null()),
        "date32 minimum": ("day", "date", "minimum: 2024-01-01", column("day") >= moment.date()),
        "timestamp minimum": ("start", "datetime", "minimum: '2024-01-01T00:00:00Z'", column("start") >= moment),
        "decimal maximum": ("amount", "number", "maximum: 10000", column("amount") <= decimal.Decimal(10000)),
    }
    for name, (field, type, constraint, good) in fields.items():
        yield name, field_rule(field, type, constraint), "", good
    rows = {
        "int64 and int32": (("id", "integer"), ("small", "integer"), "id > small", column("id") > column("small")),
        "dates": (("day", "date"), ("last_day", "date"), "last_day >= day", column("last_day") >= column("day")),
        "timestamps": (("start", "datetime"), ("end", "datetime"), "end >= start", column("end") >= column("start")),
        "float64 and a bound": (("price", "number"), None, "price < 1000.5", column("price") < 1000.5),
    }
    for name, (one, other, check, good) in rows.items():
        named = "".join(field_rule(*field, "") for field in (one, other) if field)
        yield f"row rule of {name}", named, f"  - {{id: rule, check: {check}}}\n", good
    all_good = polars.all_horizontal(
        *(fields[name][3].fill_null(True) for name in fields), *(row[3] for row in list(rows.values())[1:3])
    )
    constraints = {field: (type, constraint) for field, type, constraint, _ in fields.values()}
    named = "".join(field_rule(field, *rule) for field, rule in constraints.items())
    named += field_rule("last_day", "date", "") + field_rule("end", "datetime", "")
    between = "".join(f"  - {{id: rule{i}, check: {row[2]}}}\n" for i, row in enumerate(list(rows.values())[1:3]))
    yield "all of these rules", named, between, all_good


def field_rule(name, type, constraint):
    return f"  - {{name: {name}, type: {type}, constraints: {{{constraint}}}}}\n"


def race_of(typed, name, fields, between, good):
    import assay
    import polars

    rules = assay.Rules.parse("fields:\n" + fields + ("rows:\n" + between if between else ""))
    # Copied, so that Polars owns its memory, as after reading a file.
    frame = polars.from_arrow(typed).clone()
    race = Race(name, typed.num_rows, sum(row % BAD == 7 for row in range(typed.num_rows)))
    # A null on one side of a comparison is not a finding.
    race.add("Polars", lambda: frame.select((~good.fill_null(True)).sum()).item(), threads=THREADS)
    race.add("assay", lambda: rules.check(typed, threads=2), threads=2, count=lambda result: result.report.rejected)
    return race
