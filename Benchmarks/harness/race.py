"""Contenders for one job, which run in turn."""

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


class Measured(NamedTuple):
    """The result of a contender that measured its cost itself."""

    answer: object
    sample: Sample


class WrongAnswer(Exception):
    """A wrong answer, which invalidates all measurements of a case."""


@dataclass
class Contender:
    """A way to do a job. `run` returns the answer or a `Measured`; `count` makes answers comparable."""

    name: str
    run: Callable
    threads: int = 1
    count: Callable = lambda answer: answer
    #: The contender runs only twice if it takes more than this many times as long as the fastest one.
    slow: float | None = None
    samples: list = field(default_factory=list)
    #: The reason for missing samples, such as "over 60 s".
    without: str | None = None

    @property
    def wall(self):
        """The elapsed time of the best round, because disturbances make a round longer, never shorter."""
        return min(sample.wall for sample in self.samples)

    @property
    def cpu(self):
        return min(sample.cpu for sample in self.samples)


class Race:
    """The contenders for one job, with the expected answer and the amount of work, in values or bytes."""

    def __init__(self, subject, work, expected):
        self.subject, self.work, self.expected = subject, work, expected
        self.contenders = []

    def add(self, name, run, **properties):
        self.contenders.append(Contender(name, run, **properties))

    def leave_out(self, name, reason):
        """Adds a contender that has no samples."""
        self.contenders.append(Contender(name, lambda: None, without=reason))

    def run(self, rounds, warm_up=True):
        """Runs all contenders in each round, so that disturbances of the machine affect all of them. Each round begins
        with another contender. The warm-up is an additional first round, which does not count."""
        start = time.perf_counter()
        for number in range(0 if warm_up else 1, rounds + 1):
            for turn in range(len(self.contenders)):
                contender = self.contenders[(turn + number) % len(self.contenders)]
                if contender.without is None and not self.is_slow(contender):
                    sample = self.measure(contender)
                    if number > 0:
                        contender.samples.append(sample)
        progress(f"{self.subject}: {time.perf_counter() - start:.1f} s")
        return self

    def is_slow(self, contender):
        if contender.slow is None or len(contender.samples) < 2:
            return False
        return contender.wall > contender.slow * min(one.wall for one in self.contenders if one.samples)

    def measure(self, contender):
        wall, cpu = time.perf_counter(), time.process_time()
        answer = contender.run()
        sample = Sample(time.perf_counter() - wall, time.process_time() - cpu)
        if isinstance(answer, Measured):
            answer, sample = answer
        found = contender.count(answer)
        if found != self.expected:
            raise WrongAnswer(f"{self.subject}: {contender.name} answers {found}, and {self.expected} is right")
        return sample

    def wall(self, name):
        return next(contender.wall for contender in self.contenders if contender.name == name)

    def ratio(self, slow, fast):
        """Returns the ratio of the elapsed times of two contenders, in their best rounds."""
        return self.wall(slow) / self.wall(fast)

    def table(self, base, processor=True):
        """Returns the table of the race. `processor` must be false if other processes do the work."""
        names = [self.subject, "threads", "ms", *["processor ms"] * processor, "values/s", f"times as fast as {base}"]
        rows = []
        for one in self.contenders:
            numbers = [f"{1000 * one.wall:.1f}", *[f"{1000 * one.cpu:.1f}"] * processor, f"{self.work / one.wall:,.0f}"]
            rows.append([one.name, str(one.threads), *numbers, f"{self.wall(base) / one.wall:.2f}"])
        return table(names, rows)


def table(names, rows, title=None):
    """Returns a Markdown table. The first column is left-aligned; the others, which are figures, are right-aligned."""
    lines = [names, ["---", *["--:"] * (len(names) - 1)], *rows]
    text = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
    return f"**{title}**\n\n{text}" if title else text


def figure(value):
    """Returns a number with its significant digits: 0.97, 12.3, 457."""
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:,.{digits}f}"


def progress(text):
    """Writes a line to standard error, so that standard output contains only the results."""
    print(f"  … {text}", file=sys.stderr, flush=True)
