"""Column checks of the Python package, compared with functions of the libraries and with the C core."""

import concurrent.futures
import ctypes
import os
import random

from harness.race import Race
from harness.results import Goal, Report

THREADS = os.cpu_count()
BAD = 100  # one value in a hundred is bad


class Subjects:
    """Patterns by name, with a function that makes a matching value, and a column for each of them. A value with a
    leading "!" does not match."""

    def __init__(self, rows):
        import pyarrow

        dice = random.Random(1)

        def word(low, high, letters="abcdefghijklmnopqrstuvwxyz"):
            return "".join(dice.choices(letters, k=dice.randint(low, high)))

        self.rows = rows
        self.makers = {
            "email": (
                r"[a-z0-9]+(?:\.[a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+",
                lambda: f"{word(3, 9)}.{dice.randrange(9999)}@{word(4, 12)}.example.org",
            ),
            "date": (
                r"\d{4}-\d{2}-\d{2}",
                lambda: f"{dice.randint(1900, 2030)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}",
            ),
            "code": (r"[A-Z]{2}\d{6}", lambda: f"{word(2, 2, 'DEFRIT')}{dice.randrange(10**6):06}"),
            "number": (r"-?(?:0|[1-9]\d*)(?:\.\d+)?", lambda: f"{dice.randrange(10**6)}.{dice.randrange(1, 99)}"),
            "phone": (r"\+[1-9]\d{7,14}", lambda: f"+{dice.randint(10**10, 10**12)}"),
        }
        self.columns = {name: pyarrow.array(self.values(make)) for name, (_, make) in self.makers.items()}
        self.good = rows - sum(i % BAD == 7 for i in range(rows))

    def values(self, make):
        pool = [make() for _ in range(20_000)]
        return ["!" + pool[i % 20_000] if i % BAD == 7 else pool[i * 7 % 20_000] for i in range(self.rows)]

    def pattern(self, name):
        return self.makers[name][0]


def sum_of(array):
    import pyarrow.compute

    return pyarrow.compute.sum(array).as_py()


def run(options):
    import assay
    import polars
    import pyarrow

    rounds, subjects = options.rounds_or(1, 7), Subjects(options.rows_or(20_000))
    columns = [race_of_pattern(subjects, name).run(rounds) for name in subjects.makers]
    shared, ten = dictionary(subjects).run(rounds), rules(subjects).run(rounds)

    def worst(slow, fast):
        return min(race.ratio(slow, fast) for race in columns)

    goals = [
        Goal("Pattern.match beside pyarrow, worst pattern", worst("pyarrow", "assay, string"), at_least=8),
        Goal(
            "Pattern.match beside Polars, one thread each, worst pattern",
            worst("Polars", "assay, Polars, one thread"),
            at_least=6,
        ),
        Goal(
            "Pattern.match beside Polars, all threads each, worst pattern",
            worst("Polars, streaming", "assay, Polars"),
            at_least=6,
        ),
        Goal("a dictionary beside pyarrow", shared.ratio("pyarrow, decoded already", "assay, dictionary"), at_least=20),
        *(
            Goal(f"Rules.check beside the C core{suffix}", ten.ratio(f"assay{suffix}", f"C core{suffix}"), at_most=1.1)
            for suffix in ("", ", one thread")
        ),
    ]
    return Report(
        f"""assay {assay.__version__} ({assay.engine}), pyarrow {pyarrow.__version__}, Polars {polars.__version__}.
        {subjects.rows:,} values, one in {BAD} bad. Best of {rounds} rounds.""",
        [*(race.table("pyarrow") for race in columns), shared.table("pyarrow, decoded already"), ten.table("C core")],
        goals,
        [*columns, shared, ten],
    )


def race_of_pattern(subjects, name):
    """Returns the race of one pattern over one column."""
    import assay
    import polars
    import pyarrow
    import pyarrow.compute as compute

    text, rows = subjects.pattern(name), subjects.rows
    column, full, pattern = subjects.columns[name], f"^(?:{text})$", assay.Pattern(text)
    # Convert the column, so that Polars owns its memory, as after reading a file.
    views, series = column.cast(pyarrow.string_view()), polars.Series(name, column.to_pylist())
    starts = [rows * i // THREADS for i in range(THREADS + 1)]
    halves = [column.slice(start, end - start) for start, end in zip(starts, starts[1:])]
    lazy = series.to_frame().lazy().select(polars.col(name).str.contains(full))
    pool = concurrent.futures.ThreadPoolExecutor(THREADS)

    def in_parts():
        return pyarrow.chunked_array(list(pool.map(lambda part: compute.match_substring_regex(part, full), halves)))

    race = Race(name, rows, subjects.good)
    race.add("pyarrow", lambda: compute.match_substring_regex(column, full), count=sum_of)
    race.add("pyarrow, parts on threads of ours", in_parts, threads=THREADS, count=sum_of)
    race.add("Polars", lambda: series.str.contains(full), count=polars.Series.sum)
    race.add(
        "Polars, streaming", lambda: lazy.collect(engine="streaming")[name], threads=THREADS, count=polars.Series.sum
    )
    race.add("assay, string", lambda: pattern.match(column), threads=THREADS, count=sum_of)
    race.add("assay, string, one thread", lambda: pattern.match(column, threads=1), count=sum_of)
    race.add("assay, string_view", lambda: pattern.match(views), threads=THREADS, count=sum_of)
    race.add("assay, Polars", lambda: pattern.match(series), threads=THREADS, count=polars.Series.sum)
    race.add("assay, Polars, one thread", lambda: pattern.match(series, threads=1), count=polars.Series.sum)
    return race


def dictionary(subjects):
    """Returns the race of a dictionary of a thousand distinct values, which are checked once each."""
    import assay
    import polars
    import pyarrow
    import pyarrow.compute as compute

    text, make = subjects.makers["email"]
    pool = [make() if i % BAD else "!" for i in range(1000)]
    encoded = pyarrow.array([pool[i * 7 % 1000] for i in range(subjects.rows)]).dictionary_encode()
    plain, pattern, full = encoded.cast(pyarrow.string()), assay.Pattern(text), f"^(?:{text})$"
    categories = polars.Series("email", plain).cast(polars.Categorical)
    runs = compute.run_end_encode(plain.take(compute.sort_indices(encoded.indices)))
    race = Race("a dictionary of 1,000", subjects.rows, sum_of(compute.match_substring_regex(plain, full)))
    race.add("pyarrow, decoded already", lambda: compute.match_substring_regex(plain, full), count=sum_of)
    race.add("assay, dictionary", lambda: pattern.match(encoded), threads=THREADS, count=sum_of)
    race.add("assay, dictionary, one thread", lambda: pattern.match(encoded, threads=1), count=sum_of)
    race.add("assay, Polars' Categorical", lambda: pattern.match(categories), threads=THREADS, count=polars.Series.sum)
    race.add("assay, run-end encoded", lambda: pattern.match(runs), threads=THREADS, count=sum_of)
    return race


class CoreColumn(ctypes.Structure):
    _fields_ = [("offsets", ctypes.c_void_p), ("bytes", ctypes.c_void_p), ("pattern", ctypes.c_char_p)]


def rules(subjects):
    """Returns the race of ten columns of required values with a pattern each."""
    import assay
    import pyarrow

    from .engine_library import library

    names, rows = list(subjects.makers) * 2, subjects.rows
    columns = [subjects.columns[name].slice(0) for name in names]
    fields = "".join(
        f"  - {{name: c{i}, constraints: {{required: true, pattern: '{subjects.pattern(name)}'}}}}\n"
        for i, name in enumerate(names)
    )
    compiled = assay.Rules.parse("fields:\n" + fields)
    arrow = pyarrow.table({f"c{i}": column for i, column in enumerate(columns)})
    core = library()
    core.core_create.restype, core.core_evaluate.restype = ctypes.c_void_p, ctypes.c_bool
    core.core_evaluate.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_char_p]
    described = (CoreColumn * 10)(
        *(
            CoreColumn(column.buffers()[1].address, column.buffers()[2].address, subjects.pattern(name).encode())
            for name, column in zip(names, columns)
        )
    )
    checked = core.core_create(described, ctypes.c_size_t(10))
    rejected = ctypes.create_string_buffer(8 * ((rows + 63) // 64))

    def evaluate(threads, _=described):
        assert core.core_evaluate(checked, rows, threads, rejected)
        return rows - int.from_bytes(rejected.raw, "little").bit_count()

    race = Race("ten columns", rows, subjects.good)
    race.add("C core", lambda: evaluate(THREADS), threads=THREADS)
    race.add("C core, one thread", lambda: evaluate(1))
    race.add("assay", lambda: compiled.check(arrow), threads=THREADS, count=lambda result: result.report.clean)
    race.add("assay, one thread", lambda: compiled.check(arrow, threads=1), count=lambda result: result.report.clean)
    race.add("assay, with mask", lambda: compiled.check(arrow).mask, threads=THREADS, count=sum_of)
    race.add(
        "assay, with the clean rows",
        lambda: compiled.check(arrow).clean,
        threads=THREADS,
        count=lambda clean: clean.num_rows,
    )
    return race
