"""Runs contenders in turn, compares their answers, and writes results in the format of the harness in Benchmarks/."""

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
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: The start of the run, and the load of the machine in the minute before.
STARTED = time.time()
DATE = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(STARTED))
LOAD = f"{os.getloadavg()[0]:.2f}"

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
class Contender:
    """A way to do a job. `work` returns the answer, and `count` converts it to a number."""

    name: str
    threads: int
    work: object
    count: object = None
    samples: list = field(default_factory=list)

    @property
    def wall(self):
        return min(wall for wall, _ in self.samples)

    @property
    def cpu(self):
        """The minimum processor time of all threads, which other load affects least."""
        return min(cpu for _, cpu in self.samples)


class Timed(NamedTuple):
    """A result of `work` that contains its own duration."""

    answer: object
    wall: float


class Case:
    """The contenders for one job. A wrong answer ends the run."""

    def __init__(self, subject, work, expected):
        self.subject, self.work, self.expected = subject, work, expected
        self.contenders = []

    def add(self, name, threads, work, count=None):
        self.contenders.append(Contender(name, threads, work, count))

    def run(self, rounds):
        for _ in range(rounds):
            for contender in self.contenders:
                wall, cpu = time.perf_counter(), time.process_time()
                answer = contender.work()
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                if isinstance(answer, Timed):
                    answer, wall = answer
                contender.samples.append((wall, cpu))
                found = contender.count(answer) if contender.count else answer
                if found != self.expected:
                    raise SystemExit(f"{self.subject}: {contender.name} says {found}, and {self.expected} is right")
        return self

    def wall(self, name):
        return next(contender.wall for contender in self.contenders if contender.name == name)

    def ratio(self, slow, fast):
        """Returns the ratio of the elapsed times of two contenders, in their best rounds."""
        return self.wall(slow) / self.wall(fast)

    def table(self, base, processor=True):
        """Returns the table of the case. `processor` must be false if other processes do the work."""
        names = [self.subject, "threads", "ms", *["processor ms"] * processor, "values/s", f"times as fast as {base}"]
        lines = [names, ["---", *["--:"] * (len(names) - 1)]]
        for one in self.contenders:
            numbers = [f"{1000 * one.wall:.1f}", *[f"{1000 * one.cpu:.1f}"] * processor, f"{self.work / one.wall:,.0f}"]
            lines.append([one.name, str(one.threads), *numbers, f"{self.wall(base) / one.wall:.2f}"])
        return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


@dataclass
class Goal:
    words: str
    found: float
    least: float | None = None
    most: float | None = None

    @property
    def is_met(self):
        return (self.least is None or self.found >= self.least) and (self.most is None or self.found <= self.most)

    def row(self):
        bound = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        return f"| {self.words} | {bound} | {self.found:.2f} | {'yes' if self.is_met else '**no**'} |"


def machine():
    """Returns the name of the machine, and its folder in Benchmarks/Results."""
    name = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        line = next((line for line in info.read_text().splitlines() if line.startswith("model name")), ":" + name)
        name = line.split(":")[-1].strip()
    name = f"{name}, {os.cpu_count()} cores"
    return name, "-".join(re.findall("[a-z0-9]+", name.lower()))


def publish(results, name, title, command, facts, tables, goals, cases):
    """Prints a section of the summary. Writes it and every round to the folder of this machine if `results` is a
    path."""
    text = "\n\n".join(
        [
            title,
            "\n".join(f"* {key}: {value}" for key, value in facts.items()),
            "By the clock, the best of several rounds in which all contenders took turns. Every answer was compared.",
            *tables,
            "\n".join(["| goal | | found | met |", "|---|---|--:|---|", *(goal.row() for goal in goals)]),
        ]
    )
    print(f"{machine()[0]}; {DATE}; {command}; load before: {LOAD}\n\n{text}")
    rows = [
        [case.subject, one.name, one.threads, case.work, number, f"{wall:.9f}", f"{cpu:.9f}", "", "", case.expected]
        for case in cases
        for one in case.contenders
        for number, (wall, cpu) in enumerate(one.samples, 1)
    ]
    if results:
        write(results, name, command, f"{sum(goal.is_met for goal in goals)} of {len(goals)}", text, rows)


def write(results, name, command, goals, text, rows):
    """Replaces the results of a case in the folder of this machine: its rows in `rounds.csv`, its line and its section
    in `summary.md`. Keeps those of all other cases. Sources/AssayBenchmarks/Harness/Results.swift writes the same
    files."""
    folder = pathlib.Path(results) / machine()[1]
    folder.mkdir(parents=True, exist_ok=True)
    rounds, summary = folder / "rounds.csv", folder / "summary.md"
    old = rounds.read_text(encoding="utf-8") if rounds.exists() else COLUMNS + "\n"
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([name, *row] for row in rows)
    save(rounds, "\n".join(replaced(old.split("\n")[:-1], name + ",", out.getvalue().split("\n")[:-1])) + "\n")

    old = summary.read_text(encoding="utf-8") if summary.exists() else HEAD.format(machine()[0])
    head, *sections = old.split("\n## ")
    link = f"| [{name}](#{name.replace('.', '')})"
    line = f"{link} | {DATE} | {time.time() - STARTED:.1f} s | {LOAD} | {commit()} | {goals} | `{command}` |"
    head = "\n".join(replaced(head.split("\n")[:-1], link, [line])) + "\n"
    sections = replaced(sections, name + "\n", [f"{name}\n\n{text}\n"])
    save(summary, "\n## ".join([head, *sections]))


def replaced(items, start, new):
    """`items` with `new` instead of those that start with `start`, at the place of the first one or at the end."""
    place = next((index for index, item in enumerate(items) if item.startswith(start)), len(items))
    return [*items[:place], *new, *(item for item in items[place:] if not item.startswith(start))]


def save(path, text):
    """Writes a file atomically."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def commit():
    """The commit of the sources, with a plus if they have uncommitted changes; "unknown" without git."""

    def git(*arguments):
        command = ["git", "-C", ROOT, *arguments]
        return subprocess.run(command, check=False, capture_output=True, encoding="utf-8").stdout.strip()

    if not shutil.which("git"):
        return "unknown"
    changes = git("status", "--porcelain", "--", "Sources", "Benchmarks/*.py", "Python")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + "+" * bool(changes)
