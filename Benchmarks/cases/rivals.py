"""The whole job compared with other tools, from file to files: same bytes, patterns and number of processors.

Benchmarks/rivals has a script for each tool; job.py there describes the job."""

import functools
import json
import pathlib
import subprocess
from dataclasses import dataclass

from harness import ROOT
from harness.command import Limit, workplace
from harness.command import run as run_command
from harness.race import Measured, Race, figure, gigabytes, table, times
from harness.results import Goal, Report

from . import export
from .clean import LIKE_RIVALS, bytes_of_row, clean

FOLDER = ROOT / "Benchmarks" / "rivals"
SAME_JOB, USUAL = "assay clean, the same job", "assay clean"


@dataclass(frozen=True)
class Tool:
    """A script and its properties. It may be unavailable on this machine."""

    script: str
    way: tuple = ()
    #: Whether the tool can use several threads.
    is_threaded: bool = True
    #: Whether the tool reports the columns at fault. If not, its counts by column are not compared.
    has_reasons: bool = True
    #: The divisor of the row count, so that a slow tool runs for seconds. Assay runs on the same smaller input.
    one_row_of: int = 1

    @property
    def label(self):
        return " ".join([self.script.removeprefix("run_").removesuffix(".py"), *self.way])

    @functools.cached_property
    def name(self):
        """The name and version that the tool prints; an empty string if it does not run here."""
        done = subprocess.run([*self.command, "--version"], capture_output=True, encoding="utf-8")
        return done.stdout.strip() if done.returncode == 0 else ""

    @property
    def command(self):
        return [interpreter(), str(FOLDER / self.script), *self.way]

    def run(self, place, data, threads, limit):
        """Does the job once, and compares its counts and its outputs with the expected ones."""
        output, job = place.fresh(), place / "job.json"
        rules = [{"column": name, "pattern": pattern} for name, pattern in export.patterns().items()]
        job.write_text(json.dumps({"input": str(data.path), "output": str(output), "threads": threads, "rules": rules}))
        sample = run_command([*self.command, job], threads, limit)
        answer = json.loads((output / "counts.json").read_text(encoding="utf-8"))
        export.compare(f"{self.name}, records", answer["records"], data.records)
        if self.has_reasons:
            for column in export.patterns():
                expected = data.failed.get(f"{column}.pattern", 0)
                export.compare(f"{self.name}, bad in {column}", answer["failed"].get(column, 0), expected)
        export.compare(f"{self.name}, rows in valid.csv", export.rows_of(output / "valid.csv"), data.clean)
        export.compare(f"{self.name}, rows in rejects.csv", export.rows_of(output / "rejects.csv"), data.rejected)
        place.fresh()
        return Measured(answer["rejected"], sample._replace(start=sample.wall - answer["seconds"]))


TOOLS = [
    Tool("run_polars.py", ("memory",)),
    Tool("run_polars.py", ("streaming",)),
    Tool("run_duckdb.py", ("table",)),
    Tool("run_duckdb.py", ("scans",)),
    Tool("run_pyarrow.py"),
    Tool("run_pandas.py"),
    Tool("run_pandera.py"),
    Tool("run_great_expectations.py", is_threaded=False, one_row_of=10),
    Tool("run_ripgrep.py", is_threaded=False, has_reasons=False),
    Tool("run_jsonschema.py", is_threaded=False, one_row_of=10),
    Tool("run_csv_re.py", is_threaded=False, one_row_of=10),
    Tool("run_csvkit.py", is_threaded=False, has_reasons=False, one_row_of=10),
    Tool("run_frictionless.py", is_threaded=False, one_row_of=100),
    # Fewer rows, because Debian's 6.6 compiles a pattern again for each row.
    Tool("run_miller.py", one_row_of=100),
]


@functools.cache
def interpreter():
    """Returns the Python of the environment that install.sh makes, or the system's, for tools without packages."""
    own = ROOT / "Benchmarks" / ".rivals" / "bin" / "python"
    return str(own if own.exists() else pathlib.Path("/usr/bin/python3"))


def installed(tools):
    """Returns the tools that run on this machine, and the labels of the others."""
    return [tool for tool in tools if tool.name], [tool.label for tool in tools if not tool.name]


def race(options, place, tools, rows, bad_percent, threads, rounds, limit, smaller=None):
    """Measures Assay, with the same job and with its default outputs, and each tool.

    A tool that would exceed the limit, by its time on the smaller file, is not started."""
    data = export.make(place, rows, bad_percent, values_only=True)
    made = Race(f"{data.label}, {threads} thread{'s' * (threads > 1)}", data.bytes, data.rejected)
    made.data = data

    def add(name, run, **properties):
        def touched():
            # The size of the outputs, plus the maximum own memory of fast tools on a small file.
            place.touch(2 * data.bytes + (1 << 30))
            return run()

        made.add(name, touched, threads=threads, **properties)

    add(SAME_JOB, lambda: clean(options.command, place, data, threads, LIKE_RIVALS))
    add(USUAL, lambda: clean(options.command, place, data, threads))
    for tool in tools:
        if reason := smaller and reason_to_leave_out(tool, smaller, data.bytes, limit):
            made.leave_out(tool.name, reason)
        else:
            add(tool.name, lambda tool=tool: tool.run(place, data, threads, limit), once_over=10)
    return made.run(rounds, warm_up=False)


def reason_to_leave_out(tool, smaller, size, limit):
    before = smaller[tool.name]
    if before.without:
        return f"{before.without} at {gigabytes(smaller.work)}"
    without_start = before.wall - before.best.start
    if limit.seconds and without_start * size / smaller.work > 1.3 * limit.seconds:
        return f"not tried: {figure(before.wall)} s at {gigabytes(smaller.work)}, limit {limit.seconds} s"
    return None


def usual(options):
    tools, absent = installed(TOOLS)
    rows, rounds, limit = options.rows_or(20_000), options.rounds_or(1, 5), Limit(seconds=options.limit or 60)
    fast = [tool for tool in tools if tool.one_row_of == 1]
    threaded = [tool for tool in fast if tool.is_threaded]
    with workplace(options.scratch) as place:
        races = [race(options, place, threaded, rows, bad, 2, rounds, limit) for bad in (6, 0, 100)]
        races.append(race(options, place, fast, rows, 6, 1, 1, limit))
        for part in sorted({tool.one_row_of for tool in tools} - {1}):
            slow = [tool for tool in tools if tool.one_row_of == part]
            races += [race(options, place, slow, rows // part, bad, 1, 1, limit) for bad in (6, 100)]
    notes = f"""{job_notes(options, absent)}

    Best of {rounds} rounds on two threads; one round on one thread, and for tools that take more than ten seconds.
    Tools with one thread run beside the others on one. Slow tools get a tenth or a hundredth of the rows, and so does
    Assay beside them; the tables have the size. A limit of {limit.seconds} s for one run."""
    return Report(notes, [table_of(one) for one in races], goals(races[0]), races)


def large(options, factor, seconds):
    """Measures larger files with the tools that are fast enough, to show the growth of time and memory."""
    tools, absent = installed([tool for tool in TOOLS if tool.one_row_of == 1 and tool.is_threaded])
    rows, limit = options.rows_or(20_000), Limit(seconds=options.limit or seconds)
    with workplace(options.scratch) as place:
        smaller = race(options, place, tools, rows, 6, 2, 1, limit)
        # Input and output are in memory. At least four gigabytes must remain for the tool.
        largest = min(factor * rows, (place.free_bytes - (5 << 30)) // bytes_of_row(6))
        if largest <= 2 * rows:
            raise RuntimeError(f"no room for files of {factor * rows} rows in {options.scratch}")
        left = place.free_bytes - largest * bytes_of_row(6) - (1 << 30)
        limit = Limit(limit.seconds, left // 1_000_000)
        one = race(options, place, tools, largest, 6, 2, 1 if factor > 10 else 2, limit, smaller)
    notes = f"""{job_notes(options, absent)}

    Two threads; one round{"" if factor > 10 else ", two on the larger file"}. A limit of {limit.seconds} s for one
    run, and of {figure(limit.megabytes / 1e3)} GB of own memory, which the files leave. A tool that would exceed the
    limit, by its time on the smaller file, does not run and has no figure."""
    tables = [table_of(one), growth(smaller, one), table_of(smaller)]
    return Report(notes, tables, goals(one, smaller), [one, smaller])


def job_notes(options, absent):
    return f"""Exports of ten columns with a pattern each, as in `clean`, but with mistakes in values only, which all of
    these tools can find. All files in {options.scratch}, memory touched before each run. The job: the good rows to one
    file, the bad ones with the columns at fault to another, and the numbers of both. Every answer is compared with
    that of the generator. assay clean, the same job: with --annotate --findings none. assay clean: without these
    options, so that it also writes a finding with line and byte offset for each mistake. Benchmarks/README.md
    describes the job of each tool.

    Seconds on the clock for the whole process, on as many processors as threads. start: the start of Python and its
    packages. peak MB: resident memory with mapped files, own MB: without them. jsonschema-rs is the engine of qsv,
    which is not available here and would be faster. rg reports which lines are bad but not the columns, and does not
    parse CSV. csvkit does not report the columns. Absent: {", ".join(absent) or "none"}."""


def table_of(one):
    assay, lines = one[SAME_JOB].wall, []
    for tool in one.contenders:
        if tool.without:
            lines.append([tool.name, tool.without, *["–"] * 7])
            continue
        figures = [tool.wall, tool.best.start, one.megabytes_per_second(tool.name), tool.best.cpu]
        ratios = [times(tool.wall / assay), times((tool.wall - tool.best.start) / assay)]
        lines.append([tool.name, *figures, tool.peak_megabytes, tool.own_megabytes, *ratios])
    names = "tool|seconds|start|MB/s|processor s|peak MB|own MB|× assay's time|× without start"
    return table(names, lines, f"{one.subject}, {one.data.records} rows")


def growth(smaller, larger):
    """Returns a table of the tools on both files."""
    sizes = [gigabytes(one.work) for one in (smaller, larger)]
    names = "|".join(["tool"] + [f"{what} at {size}" for what in ("MB/s", "own MB", "peak MB") for size in sizes])
    lines = []
    for tool in larger.contenders:
        pair = [one[tool.name] for one in (smaller, larger)]
        if not any(found.without for found in pair):
            speeds = [one.megabytes_per_second(tool.name) for one in (smaller, larger)]
            memory = [found.own_megabytes for found in pair] + [found.peak_megabytes for found in pair]
            lines.append([tool.name, *speeds, *memory])
    return table(names, lines, f"From {sizes[0]} to {sizes[1]}")


def goals(one, smaller=None):
    size = gigabytes(one.work)
    made = [
        Goal(f"assay clean beside other tools, {size}", one.megabytes_per_second(USUAL), at_least=1000, unit=" MB/s")
    ]
    for name, bound in ("Polars", 10), ("DuckDB", 40):
        found = [tool for tool in one.contenders if tool.name.startswith(name) and tool.samples]
        best = min(found, key=lambda tool: tool.wall, default=None)
        assay = one[SAME_JOB].wall
        note = best and (
            f"{best.name}; {times((best.wall - best.best.start) / assay)} without its start; "
            f"{times(best.wall / one[USUAL].wall)} the time of assay clean with findings"
        )
        made.append(
            Goal(
                f"times {name}, ten rules, {size}",
                best.wall / assay if best else float("nan"),
                at_least=bound,
                note=note or "none within its limits",
            )
        )
    if smaller:
        ratio = one[USUAL].peak_megabytes / smaller[USUAL].peak_megabytes
        made.append(
            Goal(f"peak memory beside other tools, {size} against {gigabytes(smaller.work)}", ratio, at_most=1.25)
        )
    return made
