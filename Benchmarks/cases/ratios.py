"""Ratios of Assay's time to that of the fastest other engine, from the rounds of the cases engines-…"""

import math
import statistics
from dataclasses import dataclass

COLUMN, SINGLE = "Assay, column", "Assay, single calls"
FIRST_VALUE = "compile and first value"
SIZES = {"200 B": (200, 8192), "2 KB": (2000, 1024), "64 KB": (64_000, 48)}
#: A ratio up to here is noise.
BEHIND = 1.05


@dataclass
class Row:
    """The nanoseconds per value of all engines on one column of a pattern, or for its first value."""

    kind: str
    pattern: str
    #: Such as "90 % match" or "64 KB".
    setting: str
    times: dict

    @property
    def rivals(self):
        return {name: time for name, time in self.times.items() if not name.startswith("Assay")}

    @property
    def best_rival(self):
        return min(self.rivals, key=self.rivals.get)

    def ratio(self, name):
        """Returns the ratio of Assay's time, as a column or in single calls, to that of the fastest other engine."""
        return self.times[name] / self.rivals[self.best_rival]


def rows_of(rounds):
    """Returns the rows of rounds, which are dictionaries with the names of rounds.csv."""
    rows = {}
    for one in rounds:
        kind = one["case"].removeprefix("engines-")
        pattern, setting = one["subject"].split(", ", 1)
        row = rows.setdefault((kind, pattern, setting), Row(kind, pattern, setting, {}))
        if one["cpu_s"]:
            time = float(one["cpu_s"]) * 1e9 / int(one["work"])
            row.times[one["contender"]] = min(time, row.times.get(one["contender"], time))
    return list(rows.values())


@dataclass
class Group:
    """Rows of the same use, with the goals for their ratios."""

    name: str
    contender: str
    settings: tuple
    mean_goal: float | None = None
    max_goal: float | None = None

    def ratios(self, rows):
        """Returns pairs of a row and its ratio, the worst first."""
        pairs = [(row, row.ratio(self.contender)) for row in rows if row.setting in self.settings and row.rivals]
        return sorted(pairs, key=lambda pair: -pair[1])


VALUES = ("90 % match", "50 % match")
GROUPS = [
    Group("columns of values", COLUMN, VALUES, 0.30, 1.10),
    Group("single calls", SINGLE, VALUES, 0.65, 1.25),
    *(Group(f"searches in {size}", COLUMN, (size,)) for size in SIZES),
    Group("searches, all", COLUMN, tuple(SIZES), 0.70, 1.5),
    Group("searches, single calls", SINGLE, tuple(SIZES)),
    Group(FIRST_VALUE, SINGLE, (FIRST_VALUE,)),
]


def behind(rows):
    """Returns the patterns that are behind the fastest other engine, in their worst row, by group."""
    found = {}
    for group in GROUPS:
        if group.name in ("searches, all", FIRST_VALUE):
            continue
        worst = {}
        for row, ratio in group.ratios(rows):
            if ratio > BEHIND:
                worst.setdefault(row.pattern, f"{row.pattern} {ratio:.2f}")
        if worst:
            found[group.name] = list(worst.values())
    return found


def distributions(rows):
    """Returns the rows of the table of ratios."""
    groups = ((group.name, [ratio for _, ratio in group.ratios(rows)]) for group in GROUPS)
    return [[name, *Distribution.of(found).cells] for name, found in groups if found]


@dataclass
class Distribution:
    NAMES = ("Assay / fastest other engine", "rows", "geometric mean", "median", "p90", "max", f"over {BEHIND}")

    count: int
    mean: float
    median: float
    p90: float
    max: float
    behind: int

    @staticmethod
    def of(ratios):
        ordered = sorted(ratios)
        return Distribution(
            len(ordered),
            math.exp(statistics.fmean(map(math.log, ordered))),
            statistics.median(ordered),
            ordered[min(len(ordered) - 1, math.ceil(0.9 * len(ordered)) - 1)],
            ordered[-1],
            sum(ratio > BEHIND for ratio in ordered),
        )

    @property
    def cells(self):
        numbers = (self.mean, self.median, self.p90, self.max)
        return [str(self.count), *(f"{number:.2f}" for number in numbers), str(self.behind)]
