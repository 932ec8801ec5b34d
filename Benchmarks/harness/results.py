"""The results of a case, and the two files of a machine in which they are kept.

    rounds.csv    a line for each round:      keys,"the export",clean,2,…
    summary.md    a line for each case:       | [keys](#keys) | 2026-11-22T21:12:23Z | 61.9 s | …
                  a section for each case:    ## keys

Results are written after each case, each file atomically, so that a run may be interrupted at any time. They replace
the earlier ones of that case and keep those of all others.
"""

import contextlib
import csv
import io
import math
import os
import pathlib
import platform
import re
import shutil
import subprocess
import textwrap
import time
from dataclasses import dataclass, field

from . import ROOT
from .race import figure, table

COLUMNS = "case,subject,contender,threads,work,round,wall_s,cpu_s,peak_bytes,own_bytes,answer"
#: The start of the summary: the name of the machine, a table of facts, and the lines of the cases.
HEAD = """# Benchmarks on {name}

{facts}

Times are the best of several interleaved rounds: processor time for work on one thread, time on the clock for threads
and commands. Every answer was compared with the expected one. [rounds.csv](rounds.csv) has every round.

| case | measured | took | load before | commit | goals met | command |
|:--|--:|--:|--:|--:|--:|:--|
{cases}
"""
#: A line of the table of facts.
FACT = re.compile(r"^\| (machine|assay|pcre2|swift) *\| *(.*?) *\|$", re.MULTILINE)


@dataclass
class Goal:
    """A goal for a figure, with the measured value."""

    name: str
    found: float
    at_least: float | None = None
    at_most: float | None = None
    unit: str = "×"
    #: A note, such as the pattern with the worst figure.
    note: str = ""

    @property
    def is_measured(self):
        return math.isfinite(self.found)

    @property
    def is_met(self):
        return (self.at_least is None or self.found >= self.at_least) and (
            self.at_most is None or self.found <= self.at_most
        )

    @property
    def row(self):
        bound = f"at least {self.at_least:.4g}" if self.at_least is not None else f"at most {self.at_most:.4g}"
        if not self.is_measured:
            return [self.name, bound + self.unit, "–", "not measured", self.note]
        found = figure(self.found) + self.unit
        return [self.name, bound + self.unit, found, "yes" if self.is_met else "**no**", self.note]


@dataclass
class Report:
    """The report of a case. `notes` are paragraphs that describe the contenders and the conditions."""

    notes: str
    tables: list
    goals: list = field(default_factory=list)
    races: list = field(default_factory=list)
    #: Facts about the software, for the head of the summary.
    facts: dict = field(default_factory=dict)

    @property
    def text(self):
        notes = [
            textwrap.fill(" ".join(part.split()), 120, break_on_hyphens=False) for part in self.notes.split("\n\n")
        ]
        goals = table("goal||found|met|", [goal.row for goal in self.goals]) if self.goals else ""
        return "\n\n".join(part for part in [*notes, *self.tables, goals] if part) + "\n"

    @property
    def goals_met(self):
        """The numbers of met and measured goals: "3 of 4"."""
        measured = [goal for goal in self.goals if goal.is_measured]
        return f"{sum(goal.is_met for goal in measured)} of {len(measured)}" if measured else "–"

    @property
    def rows(self):
        """A row for each round. A contender without rounds has one row with round 0, and the reason instead of an
        answer."""

        def seconds(value):
            return "" if value is None else f"{value:.9f}"

        for race in self.races:
            # Other answers than counts are not kept, because they may be long.
            answer = race.expected if isinstance(race.expected, int) else ""
            for one in race.contenders:
                start = [race.subject, one.name, one.threads, race.work]
                if one.without:
                    yield [*start, 0, "", "", "", "", one.without]
                for number, sample in enumerate(one.samples, 1):
                    memory = ["" if size is None else size for size in (sample.peak, sample.own)]
                    yield [*start, number, seconds(sample.wall), seconds(sample.cpu), *memory, answer]


@dataclass
class Run:
    """The time and conditions of a run of a case."""

    command: str
    started: float = field(default_factory=time.time)
    load: str = field(default_factory=lambda: f"{os.getloadavg()[0]:.2f}")

    @property
    def date(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.started))

    @property
    def took(self):
        return f"{time.time() - self.started:.1f} s"


class Results:
    """The files of this machine in a folder of results."""

    def __init__(self, directory):
        self.folder = pathlib.Path(directory) / "-".join(re.findall("[a-z0-9]+", machine().lower()))

    def write(self, name, report, run):
        self.folder.mkdir(parents=True, exist_ok=True)
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([name, *row] for row in report.rows)
        lines = replaced(
            self.text("rounds.csv", COLUMNS + "\n").split("\n")[:-1], name + ",", out.getvalue().split("\n")[:-1]
        )
        self.save("rounds.csv", "\n".join(lines) + "\n")

        head, *sections = self.text("summary.md", "").split("\n## ")
        line = (
            f"{link(name)} | {run.date} | {run.took} | {run.load} | {commit()} | {report.goals_met} | `{run.command}` |"
        )
        facts = {"machine": f"{machine()}, {system()}"}
        facts = facts | dict(FACT.findall(head)) | report.facts | facts
        cases = [line for line in head.split("\n") if line.startswith("| [")]
        head = HEAD.format(
            name=machine(),
            facts=table("|measured with", facts.items()),
            cases="\n".join(replaced(cases, link(name), [line])),
        )
        sections = replaced(sections, name + "\n", [f"{name}\n\n{report.text}"])
        self.save("summary.md", "\n## ".join([head, *sections]))

    def is_current(self, name):
        """Returns whether the results of a case are those of the current commit, without uncommitted changes."""
        lines = [line for line in self.text("summary.md", "").split("\n") if line.startswith(link(name) + " |")]
        return bool(lines) and lines[0].split(" | ")[4] == commit() and not commit().endswith("+")

    def rounds(self, start):
        """Returns the rows of the cases whose names begin with `start`, as dictionaries."""
        rows = csv.DictReader(self.text("rounds.csv", COLUMNS + "\n").splitlines())
        return [row for row in rows if row["case"].startswith(start)]

    def text(self, name, default):
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.exists() else default

    def save(self, name, text):
        """Writes a file atomically."""
        part = self.folder / (name + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(self.folder / name)


def link(name):
    """Returns the first cell of a case's line."""
    return f"| [{name}](#{name.replace('.', '')})"


def replaced(items, start, new):
    """Returns `items` with `new` in place of the items that start with `start`, or at the end."""
    place = next((index for index, item in enumerate(items) if item.startswith(start)), len(items))
    return [*items[:place], *new, *(item for item in items[place:] if not item.startswith(start))]


def machine():
    """Returns the name of the machine.

    Processors without AVX-512 have a suffix, because virtual machines call several generations `AMD EPYC`.
    """
    name = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    suffix = ""
    if info.exists():
        facts = dict(re.findall(r"^(model name|flags)\s*:\s*(.*)$", info.read_text(), re.MULTILINE))
        name = facts.get("model name", name).strip()
        flags = facts.get("flags", "").split()
        suffix = ", AVX2" if "avx2" in flags and "avx512bw" not in flags else ""
    return f"{name}, {os.cpu_count()} cores{suffix}"


def system():
    """Returns the memory and the operating system of the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    with contextlib.suppress(OSError):
        return (
            f"{memory} GB, {platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.system()} {platform.release()}"
        )
    return f"{memory} GB, {platform.platform()}"


def commit():
    """Returns the commit of the sources, with a plus if they have uncommitted changes; "unknown" without git."""

    def git(*arguments):
        command = ["git", "-C", ROOT, *arguments]
        return subprocess.run(command, check=False, capture_output=True, encoding="utf-8").stdout.strip()

    if not shutil.which("git"):
        return "unknown"
    changes = git("status", "--porcelain", "--", "Sources", "Benchmarks", ":!Benchmarks/Results", "Python")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + "+" * bool(changes)
