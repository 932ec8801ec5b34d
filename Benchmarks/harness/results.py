"""The results of a case, and the two files of a machine in which they are kept.

    rounds.csv    a line for each round:      keys,"the export",clean,2,…
    summary.md    a line for each case:       | [keys](#keys) | 2026-11-22T21:12:23Z | 61.9 s | …
                  a section for each case:    ## keys

Results are written after each case, each file atomically, so that a run may be interrupted at any time. They replace
the earlier ones of that case and keep those of all others, including the cases that Harness/Results.swift of
assay-benchmarks writes to the same files.
"""

import csv
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import time
from dataclasses import dataclass, field

from . import ROOT
from .race import table

COLUMNS = "case,subject,contender,threads,work,round,wall_s,cpu_s,peak_bytes,own_bytes,answer"
#: The start of the summary of a machine on which assay-benchmarks has not run yet.
HEAD = """# Benchmarks on {0}

|         | measured with |
|:--------|--------------:|
| machine | {0} |

| case | measured | took | load before | commit | goals met | command |
|:--|--:|--:|--:|--:|--:|:--|
"""


@dataclass
class Goal:
    words: str
    found: float
    at_least: float | None = None
    at_most: float | None = None
    unit: str = ""
    #: A note, such as the pattern with the worst figure.
    note: str = ""

    @property
    def is_met(self):
        return (self.at_least is None or self.found >= self.at_least) and (
            self.at_most is None or self.found <= self.at_most
        )

    @property
    def row(self):
        bound = f"at least {self.at_least:g}" if self.at_least is not None else f"at most {self.at_most:g}"
        return [
            self.words,
            bound + self.unit,
            f"{self.found:.2f}{self.unit}",
            "yes" if self.is_met else "**no**",
            self.note,
        ]


@dataclass
class Report:
    """The report of a case. `notes` describe the contenders and the conditions."""

    notes: str
    tables: list
    goals: list = field(default_factory=list)
    races: list = field(default_factory=list)

    @property
    def text(self):
        goals = table(["goal", "", "found", "met", ""], [goal.row for goal in self.goals]) if self.goals else ""
        return "\n\n".join(part for part in [self.notes, *self.tables, goals] if part) + "\n"

    @property
    def goals_met(self):
        return f"{sum(goal.is_met for goal in self.goals)} of {len(self.goals)}" if self.goals else "–"

    @property
    def rows(self):
        """A row for each round. A contender without rounds has one row with round 0, and the reason instead of an
        answer."""

        def seconds(value):
            return "" if value is None else f"{value:.9f}"

        for race in self.races:
            for one in race.contenders:
                start = [race.subject, one.name, one.threads, race.work]
                if one.without:
                    yield [*start, 0, "", "", "", "", one.without]
                for number, sample in enumerate(one.samples, 1):
                    memory = ["" if size is None else size for size in (sample.peak, sample.own)]
                    yield [*start, number, seconds(sample.wall), seconds(sample.cpu), *memory, race.expected]


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
        name = machine()
        self.folder = pathlib.Path(directory) / "-".join(re.findall("[a-z0-9]+", name.lower()))
        self.head = HEAD.format(name)

    def write(self, name, report, run):
        self.folder.mkdir(parents=True, exist_ok=True)
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([name, *row] for row in report.rows)
        lines = replaced(
            self.text("rounds.csv", COLUMNS + "\n").split("\n")[:-1], name + ",", out.getvalue().split("\n")[:-1]
        )
        self.save("rounds.csv", "\n".join(lines) + "\n")

        head, *sections = self.text("summary.md", self.head).split("\n## ")
        line = (
            f"{link(name)} | {run.date} | {run.took} | {run.load} | {commit()} | {report.goals_met} | `{run.command}` |"
        )
        head = "\n".join(replaced(head.split("\n")[:-1], link(name), [line])) + "\n"
        sections = replaced(sections, name + "\n", [f"{name}\n\n{report.text}"])
        self.save("summary.md", "\n## ".join([head, *sections]))

    def is_current(self, name):
        """Returns whether the results of a case are those of the current commit, without uncommitted changes."""
        lines = [line for line in self.text("summary.md", "").split("\n") if line.startswith(link(name) + " |")]
        return bool(lines) and lines[0].split(" | ")[4] == commit().removesuffix("+")

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
    """Returns `items` with `new` instead of those that start with `start`, at their place or at the end."""
    place = next((index for index, item in enumerate(items) if item.startswith(start)), len(items))
    return [*items[:place], *new, *(item for item in items[place:] if not item.startswith(start))]


def machine():
    """Returns the name of the machine."""
    name = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        line = next((line for line in info.read_text().splitlines() if line.startswith("model name")), ":" + name)
        name = line.split(":")[-1].strip()
    return f"{name}, {os.cpu_count()} cores"


def commit():
    """Returns the commit of the sources, with a plus if they have uncommitted changes; "unknown" without git."""

    def git(*arguments):
        command = ["git", "-C", ROOT, *arguments]
        return subprocess.run(command, check=False, capture_output=True, encoding="utf-8").stdout.strip()

    if not shutil.which("git"):
        return "unknown"
    changes = git("status", "--porcelain", "--", "Sources", "Benchmarks", ":!Benchmarks/Results", "Python")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + "+" * bool(changes)
