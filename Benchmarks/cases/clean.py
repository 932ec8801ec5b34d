"""`assay clean` alone: different shares of bad rows, a second thread, many columns, large files."""

from harness.command import run as run_command
from harness.command import workplace
from harness.race import Measured, Race, progress, table, times
from harness.results import Goal, Report

from . import export

#: The options for the job of the other tools, which write no findings.
LIKE_RIVALS = ("--annotate", "--findings", "none")


def clean(command, place, data, threads, options=()):
    """Runs `assay clean` once, and compares its report and its outputs with the expected counts."""
    output = place.fresh()
    job = f"assay clean, {data.records} rows, {threads} threads"
    words = [
        command,
        "clean",
        data.path,
        "--rules",
        data.rules,
        "--output-dir",
        output,
        "--threads",
        threads,
        "--quiet",
    ]
    sample = run_command([*words, *options], processors=threads)
    good, bad = (output / f"{data.path.stem}.{kind}.csv" for kind in ("clean", "rejects"))
    data.check_report(output / f"{data.path.stem}.report.json", job)
    if options == LIKE_RIVALS:
        export.compare(f"{job}, clean rows", export.rows_of(good), data.clean)
        export.compare(f"{job}, rejects", export.rows_of(bad), data.rejected)
    else:
        # Every input byte is in one of the two outputs; the header is in both.
        written = good.stat().st_size + bad.stat().st_size
        export.compare(f"{job}, bytes", written, data.bytes + len(data.header))
    place.fresh()
    return Measured(data.rejected, sample)


def race(command, place, data, threads, rounds, warm_up=True):
    """Measures `assay clean` with each number of threads, and copying the input."""
    made = Race(data.label, data.bytes, data.rejected)
    made.data = data

    def cleaned(number):
        place.touch(2 * data.bytes)
        return clean(command, place, data, number)

    def copied():
        place.touch(2 * data.bytes)
        sample = run_command(["cp", data.path, place / "copy"], processors=1)
        (place / "copy").unlink()
        return Measured(data.rejected, sample)

    for number in threads:
        made.add("assay clean", lambda number=number: cleaned(number), threads=number)
    made.add("cp", copied)
    return made.run(rounds, warm_up)


def make(place, rows, bad_percent, kind="ten"):
    """Makes an export of the given rows, or of as many rows as fit; None if fewer than half fit."""
    (place / "export.csv").unlink(missing_ok=True)
    fitting = min(rows, (place.free_bytes - (2 << 30)) // bytes_of_row(bad_percent))
    if fitting <= rows // 2:
        progress(f"no room for {rows} rows, {bad_percent} % bad")
        return None
    return export.make(place, fitting, bad_percent, kind)


def bytes_of_row(bad_percent):
    """Returns the bytes for a row of an export and its outputs: twice its size, and about 160 bytes for a finding if it
    is bad."""
    return 490 + 160 * bad_percent // 100


def usual(options):
    """Measures exports with no bad rows, some bad rows, and only bad rows."""
    races, rounds = bad_shares("ten", options)
    report = report_of(races, "ten columns with a pattern each", "a value, or its structure", f"{rounds} rounds")
    six = races[6]
    report.goals = [
        Goal("assay clean on two threads, 6 % bad", speed(six, 2), at_least=1000, unit=" MB/s"),
        peak_goal(races.values()),
        Goal(
            "every row bad against no row bad, two threads",
            races[100]["assay clean", 2].wall / races[0]["assay clean", 2].wall,
            at_most=1.5,
        ),
        Goal(
            "assay clean on two threads against one, 6 % bad",
            six["assay clean", 1].wall / six["assay clean", 2].wall,
            at_least=1.85,
        ),
    ]
    return report


def types(options):
    """Measures the same with built-in types, whose messages describe the error of a value."""
    races, rounds = bad_shares("types", options)
    report = report_of(
        races,
        "eight columns with a built-in type each",
        "a value, and the findings have its failure reason",
        f"{rounds} rounds",
    )
    report.goals = [
        Goal(
            f"every row bad against no row bad, {threads} thread{'s' * (threads > 1)}",
            races[100]["assay clean", threads].wall / races[0]["assay clean", threads].wall,
            at_most=1.5,
        )
        for threads in (1, 2)
    ]
    return report


def bad_shares(kind, options):
    rounds, races = options.rounds_or(1, 5), {}
    with workplace(options.scratch) as place:
        for bad_percent in 0, 6, 100:
            if data := make(place, options.rows_or(50_000), bad_percent, kind):
                races[bad_percent] = race(options.command, place, data, [1, 2], rounds)
    return races, rounds


def large(options, factor):
    """Measures larger files, to show that time grows with the rows and memory does not grow."""
    rows, rounds = options.rows_or(50_000), 1 if factor > 10 else 2
    races = {}
    with workplace(options.scratch) as place:
        small = race(options.command, place, make(place, rows, 6), [2], 3)
        for bad_percent in 0, 6, 100:
            if data := make(place, factor * rows, bad_percent):
                races[bad_percent] = race(options.command, place, data, [1, 2], rounds, warm_up=False)
    report = report_of(
        {"small": small, **races},
        "ten columns with a pattern each",
        "a value, or its structure",
        "one round" if rounds == 1 else "two rounds",
    )
    report.notes += " If the memory is too small for these rows and their outputs, there are as many rows as fit."
    report.goals = [peak_goal([small, *races.values()])]
    if 6 in races:
        one = races[6]["assay clean", 2]
        report.goals += [
            Goal(
                "peak memory, the larger file against the smaller",
                one.peak_megabytes / small["assay clean", 2].peak_megabytes,
                at_most=1.25,
                note=races[6].subject,
            ),
            Goal(
                "seconds a row, the larger file against the smaller",
                seconds_of_row(races[6]) / seconds_of_row(small),
                at_most=1.1,
                note=races[6].subject,
            ),
        ]
    if {0, 100} <= races.keys():
        report.goals.append(
            Goal(
                "every row bad against no row bad, seconds a row",
                seconds_of_row(races[100]) / seconds_of_row(races[0]),
                at_most=1.5,
            )
        )
    return report


def columns(options):
    """Measures the same bytes in more columns, each with its rule, to show that time grows only with the number of
    cells."""
    rounds, rows, races = options.rounds_or(1, 3), options.rows_or(50_000), {}
    with workplace(options.scratch) as place:
        for copies in 1, 2, 4, 8, 16:
            few = export.make(place, rows // copies, 6, values_only=True, name="few")
            data = few.repeating_columns(copies, place)
            races[10 * copies] = race(options.command, place, data, [2], rounds)
            races[10 * copies].subject = f"{10 * copies} columns"
    lines = []
    for count, one in races.items():
        best, cell = one["assay clean"], seconds_of_row(one) / count * 1e9
        lines.append([count, one.data.records, one.work / 1e6, best.wall, speed(one, 2), cell, best.peak_megabytes])
    slowest = min(races.values(), key=lambda one: speed(one, 2))
    return Report(
        f"""`assay clean` on exports of about the same bytes: the ten columns of `clean`, repeated with names of their
        own, each with its rule, in accordingly fewer rows. 6 % of the rows are bad, in each copy of the columns. Two
        threads, best of {rounds} rounds; all files in {options.scratch}.""",
        [table("columns|rows|MB|seconds|MB/s|ns a cell|peak MB", lines)],
        [
            Goal(
                "seconds a byte, many columns against ten",
                speed(races[10], 2) / speed(slowest, 2),
                at_most=1.1,
                note=f"the worst: {slowest.subject}",
            )
        ],
        list(races.values()),
    )


def report_of(races, columns_of, mistakes, rounds):
    """Returns a report of races without goals."""
    lines = []
    for one in races.values():
        row = [one.data.records, f"{one.data.bad_percent} %", one.work / 1e6]
        for best in one.contenders[:-1]:
            figures = [best.wall, speed(one, best.threads), best.cpu, best.peak_megabytes]
            lines.append([*row, best.threads, *figures, times(best.wall / one["cp"].wall)])
    notes = f"""Exports of {columns_of}, all files in memory, memory touched before each run. Seconds on the clock
    for the whole command, from start to exit, on as many processors as threads. MB are 10⁶ bytes of input. A bad row
    has one mistake: {mistakes}. Records, clean and rejected rows and the count of every rule are read from the
    report and compared with those of the generator; clean rows and rejects together are as long as the input. × cp:
    against copying the input. Best of {rounds}."""
    names = "rows|bad|MB|threads|seconds|MB/s|processor s|peak MB|× cp"
    return Report(notes, [table(names, lines)], races=list(races.values()))


def speed(one, threads):
    """Returns MB per second."""
    return one.work / 1e6 / one["assay clean", threads].wall


def seconds_of_row(one):
    return one["assay clean", 2].wall / one.data.records


def peak_goal(races):
    peaks = [
        (best.peak_megabytes, f"{one.subject}, {best.threads} threads") for one in races for best in one.contenders[:-1]
    ]
    return Goal(
        "peak memory of assay clean", max(peaks)[0], at_most=100, unit=" MB", note=f"the worst: {max(peaks)[1]}"
    )
