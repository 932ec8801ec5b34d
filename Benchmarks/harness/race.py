"""Contenders for one job, which take turns."""

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple


class Sample(NamedTuple):
    """The cost of one round, in seconds and bytes."""

    wall: float
    #: The processor time of all threads; None if other processes did the work and it was not measured.
    cpu: float | None
    #: The largest resident memory of a command, with and without mapped files.
    peak: int | None = None
    own: int | None = None
    #: The part of `wall` before the job began, such as the start of Python, for commands that report it.
    start: float = 0


class Measured(NamedTuple):
    """The result of a contender that measured its cost itself."""

    answer: object
    sample: Sample


class WrongAnswer(Exception):
    """A wrong answer, which invalidates all measurements of a case."""


class OverLimit(Exception):
    """A contender exceeded a limit, and has no figures. The text is shown instead, such as "over 60 s"."""


@dataclass
class Contender:
    """A way to do a job. `run` returns the answer or a `Measured`; `count` makes answers comparable."""

    name: str
    run: Callable
    threads: int = 1
    count: Callable = lambda answer: answer
    #: The contender runs only twice if it takes more than this many times as long as the fastest one.
    slow: float = float("inf")
    #: The contender runs only once if it takes more seconds.
    once_over: float = float("inf")
    samples: list = field(default_factory=list)
    #: The reason for missing samples, such as "over 60 s".
    without: str | None = None

    @property
    def best(self):
        """The round with the least elapsed time, because disturbances make a round longer, never shorter."""
        return min(self.samples, key=lambda sample: sample.wall)

    @property
    def wall(self):
        return self.best.wall

    @property
    def cpu(self):
        return min(sample.cpu for sample in self.samples)

    @property
    def median(self):
        return statistics.median(sample.wall for sample in self.samples)

    @property
    def peak_megabytes(self):
        return max(sample.peak for sample in self.samples) / 1e6

    @property
    def own_megabytes(self):
        """NaN if the command was too short to be sampled."""
        return max((sample.own for sample in self.samples if sample.own), default=float("nan")) / 1e6


class Race:
    """The contenders for one job, with the expected answer and the amount of work, in values or bytes."""

    def __init__(self, subject, work, expected):
        self.subject, self.work, self.expected = subject, work, expected
        self.contenders = []

    def __getitem__(self, name):
        """Returns the contender with a name, or with a name and a number of threads."""
        name, threads = name if isinstance(name, tuple) else (name, None)
        return next(one for one in self.contenders if one.name == name and threads in (None, one.threads))

    def __contains__(self, name):
        return any(one.name == name and one.samples for one in self.contenders)

    def add(self, name, run, **properties):
        self.contenders.append(Contender(name, run, **properties))

    def leave_out(self, name, reason):
        """Adds a contender that has no samples."""
        self.contenders.append(Contender(name, lambda: None, without=reason))

    def run(self, rounds, warm_up=True):
        """Runs all contenders in each round, so that disturbances of the machine affect all. Each round begins
        with another contender, and every second one is in the opposite order, so that each contender also follows one
        that leaves the data in the caches. The warm-up is an additional first round, which does not count."""
        start = time.perf_counter()
        for number in range(0 if warm_up else 1, rounds + 1):
            for turn in range(len(self.contenders)):
                position = number + turn if number % 2 == 0 else number - turn
                contender = self.contenders[position % len(self.contenders)]
                if not self.is_done(contender):
                    self.run_once(contender, number > 0)
        progress(f"{self.subject}: {time.perf_counter() - start:.1f} s")
        return self

    def is_done(self, contender):
        if contender.without or (contender.samples and contender.samples[0].wall > contender.once_over):
            return True
        fastest = min((one.wall for one in self.contenders if one.samples), default=0)
        return len(contender.samples) >= 2 and contender.wall > contender.slow * fastest

    def run_once(self, contender, is_counted):
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            answer = contender.run()
        except OverLimit as limit:
            contender.without, contender.samples = str(limit), []
            return
        sample = Sample(time.perf_counter() - wall, time.process_time() - cpu)
        if isinstance(answer, Measured):
            answer, sample = answer
        found = contender.count(answer)
        if found != self.expected:
            raise WrongAnswer(f"{self.subject}: {contender.name} answers {found}, and {self.expected} is right")
        if is_counted:
            contender.samples.append(sample)

    def ratio(self, slow, fast):
        """Returns the ratio of the elapsed times of two contenders, in their best rounds."""
        return self[slow].wall / self[fast].wall

    def megabytes_per_second(self, name):
        """Returns the speed of a contender, if the work is in bytes."""
        return self.work / 1e6 / self[name].wall

    def table(self, base, processor=True):
        """Returns the table of the race. `processor` must be false if other processes do the work."""
        rows = []
        for one in self.contenders:
            cpu = [1000 * one.cpu] if processor else []
            rows.append(
                [one.name, one.threads, 1000 * one.wall, *cpu, self.work / one.wall, self.ratio(base, one.name)]
            )
        names = f"{self.subject}|threads|ms{'|processor ms' * processor}|values/s|times as fast as {base}"
        return table(names, rows)


def table(names, rows, title=None):
    """Returns a Markdown table. `names` are separated by bars. Cells are texts, whole numbers or figures. The first
    column is left-aligned; the others, which are figures, are right-aligned."""
    names = names.split("|")
    lines = [names, ["---", *["--:"] * (len(names) - 1)], *rows]
    text = "\n".join("| " + " | ".join(map(cell, cells)) + " |" for cells in lines)
    return f"**{title}**\n\n{text}" if title else text


def cell(value):
    return figure(value) if isinstance(value, float) else str(value)


def figure(value):
    """Returns a number with its significant digits: 0.97, 12.3, 457; a dash for NaN."""
    if value != value:
        return "–"
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:,.{digits}f}"


def gigabytes(size):
    """Returns the size of a file, such as "0.24 GB"."""
    value = size / 1e9
    return f"{value:.{3 if value < 0.095 else 2 if value < 9.5 else 1}f} GB"


def times(value):
    return figure(value) + "×"


def progress(text):
    """Writes a line to standard error, so that standard output contains only the results."""
    print(f"  … {text}", file=sys.stderr, flush=True)
