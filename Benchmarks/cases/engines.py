"""Assay compared with other engines, on the patterns of Benchmarks/Patterns. A case for each kind of pattern."""

import time

from harness.race import Measured, Race, Sample, WrongAnswer, table
from harness.results import COLUMNS, Goal, Report, Results

from . import engine_library as library
from . import ratios
from .patterns import patterns
from .ratios import COLUMN, FIRST_VALUE, SINGLE, SIZES

RUST = "Rust regex"
#: Values of a column, the number of different values, and the bytes that a column may have.
VALUES, DISTINCT, COLUMN_BYTES = 65_536, 8192, 4_000_000
MATCHING = {"90 % match": 0.9, "50 % match": 0.5}
#: The seconds from which on a pattern is compiled only once, and the first value does not count.
SLOW_COMPILATION = 0.1
NOTES = """One thread, nanoseconds of processor time for a value, the best of {rounds} rounds; only the best is in
rounds.csv. Assay, column: assay_check_column in slices of 4,096 rows. Assay, single calls: assay_pattern_match with a
pattern that sees no column. PCRE2 JIT: pcre2_jit_match, for searches with its start optimizations. RE2: Match, 64 MB.
Hyperscan: block mode, up to the first match. Rust regex: str.contains of Polars, without the fixed time of a call. The
verdict of each value was compared with that of its template; Assay and PCRE2 must agree with it, and another engine
that does not, or that refuses a pattern, has a dash."""


def run(options, kind):
    if options.cpu:
        library.select_processor_path(options.cpu)
    rounds = options.rounds or 9
    chosen = [pattern for pattern in patterns(kind) if options.pattern in (None, pattern.name)]
    if not chosen:
        raise ValueError(f"no pattern of {kind} is called {options.pattern}")
    races = [race for pattern in chosen for race in races_of(pattern, rounds)]
    report = Report(NOTES.format(rounds=rounds), [], races=races)
    rows = ratios.rows_of(dict(zip(COLUMNS.split(","), map(str, [kind, *row]))) for row in report.rows)
    report.tables += [times(rows, races), first_values(rows), distributions(rows)]
    report.goals += goals(rows)
    return report


def races_of(pattern, rounds):
    """Measures one pattern."""
    if pattern.is_search:
        columns = {size: pattern.texts(count, length) for size, (length, count) in SIZES.items()}
    else:
        columns = {setting: values(pattern, share) for setting, share in MATCHING.items()}
    engines = Engines(pattern)
    for setting, (strings, verdicts) in columns.items():
        yield engines.race(f"{pattern.name}, {setting}", strings, verdicts, rounds)
    yield engines.first_value(next(iter(columns.values()))[0], rounds)


def values(pattern, share):
    """Returns the different values of a column, as many as its size allows."""
    sample, _ = pattern.values(100, share)
    size = sum(len(value.encode()) for value in sample) / 100
    return pattern.values(min(DISTINCT, max(500, int(COLUMN_BYTES / size))), share)


class Engines:
    """The engines that accept a pattern."""

    def __init__(self, pattern):
        self.pattern, self.compiled, self.refusing, self.seconds = pattern, {}, {}, {}
        for name in library.names():
            if name in pattern.without:
                self.refusing[name] = "left out"
                continue
            start = time.perf_counter()
            try:
                # RE2 and Hyperscan make no machine code, and take seconds to compile some patterns.
                self.compiled[name] = library.Compiled(name, pattern, copies=1 if name in ("RE2", "Hyperscan") else 3)
            except ValueError as error:
                self.refusing[name] = str(error)
            self.seconds[name] = time.perf_counter() - start
        try:
            import polars
        except ImportError:
            self.rust = None
        else:
            self.rust = RustRegex(polars, pattern)

    def race(self, subject, strings, verdicts, rounds):
        """Compares the verdict of each value, and measures a column with these values, repeated."""
        copies = (
            1 if self.pattern.is_search else max(1, min(VALUES // len(strings), COLUMN_BYTES // sum(map(len, strings))))
        )
        strings, verdicts = strings * copies, verdicts * copies
        column = library.Column(strings)
        race = Race(subject, column.count, sum(verdicts))
        race.bytes_per_value = column.bytes_per_value
        for name, compiled in self.compiled.items():
            found = [verdict == library.PASS for verdict in compiled.verdicts(column)]
            if problem := difference(found, verdicts, strings):
                if name in (COLUMN, SINGLE, "PCRE2 JIT"):
                    raise WrongAnswer(f"{subject}: {name} {problem}")
                race.leave_out(name, problem)
                continue
            race.add(
                name,
                lambda compiled=compiled: compiled.count(column),
                slow=float("inf") if name.startswith("Assay") else 5,
            )
        for name, reason in self.refusing.items():
            race.leave_out(name, reason)
        if self.rust:
            self.rust.enter(race, strings, verdicts)
        race.run(rounds)
        keep_best(race)
        return race

    def first_value(self, strings, rounds):
        race = Race(f"{self.pattern.name}, {FIRST_VALUE}", 1, 1)
        column = library.Column(strings[:1])
        race.bytes_per_value = column.bytes_per_value

        def measure(name):
            seconds = library.first_value(name, self.pattern, column) / 1e9
            return Measured(1, Sample(seconds, seconds))

        fast = [name for name in self.compiled if self.seconds[name] < SLOW_COMPILATION]
        for name in fast:
            if name != COLUMN:
                race.add(name, lambda name=name: measure(name))
        race.run(rounds)
        for name in self.compiled.keys() - fast:
            race.add(name, None, samples=[Sample(self.seconds[name], self.seconds[name])])
        keep_best(race)
        return race


class RustRegex:
    """Rust's regex, as Polars calls it."""

    def __init__(self, polars, pattern):
        self.polars, self.text = polars, pattern.rust

    def enter(self, race, strings, verdicts):
        """Adds the engine to a race."""
        one = self.polars.Series(strings[:1])
        try:
            # Polars prepares the pattern again in each call, so that the time of a call with one value is subtracted.
            fixed = min(self.seconds(one)[1] for _ in range(5))
        except self.polars.exceptions.PolarsError:
            return race.leave_out(RUST, f"{RUST} refuses the pattern")
        series = self.polars.Series(strings)
        answer, seconds = self.seconds(series)
        if problem := difference(answer.to_list(), verdicts, strings):
            return race.leave_out(RUST, problem)
        # Few long texts take a time close to the fixed one. Their views are repeated, not their bytes.
        times = 1 + int(20 * fixed / max(seconds - fixed, fixed / 20))
        repeated = series.gather(list(range(len(strings))) * times) if times > 1 else series

        def run():
            answer, seconds = self.seconds(repeated)
            each = max(seconds - fixed, 0) / times
            return Measured(answer.sum() // times, Sample(each, each))

        return race.add(RUST, run, slow=5)

    def seconds(self, series):
        start = time.process_time()
        answer = series.str.contains(self.text)
        return answer, time.process_time() - start


def difference(found, verdicts, strings):
    """Returns the first difference of two lists of verdicts; None if they are equal."""
    wrong = [index for index, (one, other) in enumerate(zip(found, verdicts)) if one != other]
    return (
        f"answers differently for {len(wrong)} of {len(verdicts)} values: {strings[wrong[0]][:100]!r}"
        if wrong
        else None
    )


def keep_best(race):
    """Keeps only the best round of each contender, because the case has thousands of races."""
    for contender in race.contenders:
        contender.samples = sorted(contender.samples, key=lambda sample: sample.cpu)[:1]


def times(rows, races):
    """Returns the table of times per value and ratios of a kind."""
    engines = [*dict.fromkeys(name for row in rows for name in row.times)]
    lines = []
    for row, race in zip(rows, races):
        if row.setting != FIRST_VALUE:
            cells = [row.times[name] if name in row.times else "–" for name in engines]
            found = [f"{row.ratio(name):.2f}" if row.rivals else "–" for name in (COLUMN, SINGLE)]
            lines.append([f"{row.pattern}, {row.setting}", race.bytes_per_value, *cells, *found])
    return table("|".join(["pattern", "bytes", *engines, "column/best", "single/best"]), lines)


def first_values(rows):
    """Returns the table of the microseconds for compiling a pattern and checking one value."""
    first = [row for row in rows if row.setting == FIRST_VALUE]
    engines = [*dict.fromkeys(name for row in first for name in row.times)]
    lines = [
        [row.pattern, *(row.times[name] / 1000 if name in row.times else "–" for name in engines)] for row in first
    ]
    return table("|".join([f"{FIRST_VALUE}, µs", *engines]), lines)


def distributions(rows):
    """Returns the table of ratios to the fastest other engine by group."""
    return table("|".join(ratios.Distribution.NAMES), ratios.distributions(rows))


def goals(rows, mean=False):
    """Returns the goals for the worst pattern of each group, with `mean` also those for all patterns."""
    made = []
    for group in ratios.GROUPS:
        found = group.ratios(rows)
        if not found or group.max_goal is None:
            continue
        one = ratios.Distribution.of(ratio for _, ratio in found)
        if mean:
            made.append(Goal(f"{group.name}, geometric mean", one.mean, at_most=group.mean_goal))
        worst = found[0][0]
        made.append(
            Goal(f"{group.name}, each", one.max, at_most=group.max_goal, note=f"{worst.pattern}, {worst.setting}")
        )
    first = [row for row in rows if row.setting == FIRST_VALUE and row.rivals]
    if mean and first:
        micros = sorted(row.times[SINGLE] / 1000 for row in first)
        made.append(Goal(f"{FIRST_VALUE}, median", micros[len(micros) // 2], at_most=13, unit=" µs"))
    if first:
        worst = max(first, key=lambda row: row.times[SINGLE] / max(row.rivals.values()))
        made.append(
            Goal(
                f"{FIRST_VALUE}, against the slowest other engine",
                worst.times[SINGLE] / max(worst.rivals.values()),
                at_most=1,
                note=worst.pattern,
            )
        )
    return made


def total(options):
    """Reports the distribution over all kinds that have results."""
    rows = ratios.rows_of(Results(options.results).rounds("engines-"))
    if not rows:
        raise ValueError("the other cases of engines have no results")
    behind = [f"Behind, {name}: {', '.join(patterns)}." for name, patterns in ratios.behind(rows).items()]
    kinds = {row.kind: None for row in rows}
    count = len({(row.kind, row.pattern) for row in rows})
    return Report(
        f"All kinds with results: {', '.join(kinds)}; {count} patterns.",
        [distributions(rows), *behind],
        goals(rows, mean=True),
    )
