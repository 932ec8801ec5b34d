"""Measures the speed of column checks, compared with functions of the libraries and with the C core.

    python Python/benchmarks/columns.py [--rows N] [--rounds N] [--results DIR]

Needs pyarrow and polars; for the C core also cmake and a C compiler. --results writes the case `python` to the
results of this machine, as Benchmarks/README.md describes.
"""

import argparse
import concurrent.futures
import ctypes
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from harness import Case, Goal, publish

import assay

ROOT = pathlib.Path(__file__).resolve().parents[2]
THREADS = os.cpu_count()
BAD = 100  # one value in a hundred is bad

options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
options.add_argument("--rows", type=int, default=1_000_000)
options.add_argument("--rounds", type=int, default=7)
options.add_argument("--results")
options = options.parse_args()
ROWS = options.rows
dice = random.Random(1)


def word(low, high, letters="abcdefghijklmnopqrstuvwxyz"):
    return "".join(dice.choices(letters, k=dice.randint(low, high)))


#: Patterns, with a function that makes a matching value. A value with a leading "!" does not match.
SUBJECTS = {
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


def values_of(make):
    pool = [make() for _ in range(20_000)]
    return ["!" + pool[i % 20_000] if i % BAD == 7 else pool[i * 7 % 20_000] for i in range(ROWS)]


COLUMNS = {name: pa.array(values_of(make)) for name, (_, make) in SUBJECTS.items()}
GOOD = ROWS - sum(i % BAD == 7 for i in range(ROWS))


def sum_of(array):
    return pc.sum(array).as_py()


def patterns():
    """Measures one pattern over one column."""
    for name, (text, _) in SUBJECTS.items():
        column, whole, pattern = COLUMNS[name], f"^(?:{text})$", assay.Pattern(text)
        # Convert the column, so that Polars owns its memory, as after reading a file.
        views, series = column.cast(pa.string_view()), pl.Series(name, column.to_pylist())
        halves = [
            column.slice(ROWS * i // THREADS, ROWS * (i + 1) // THREADS - ROWS * i // THREADS) for i in range(THREADS)
        ]
        lazy = series.to_frame().lazy().select(pl.col(name).str.contains(whole))
        pool = concurrent.futures.ThreadPoolExecutor(THREADS)
        case = Case(name, ROWS, GOOD)
        case.add("pyarrow", 1, lambda: pc.match_substring_regex(column, whole), sum_of)
        case.add(
            "pyarrow, parts on threads of ours",
            THREADS,
            lambda: pa.chunked_array(list(pool.map(lambda part: pc.match_substring_regex(part, whole), halves))),
            sum_of,
        )
        case.add("Polars", 1, lambda: series.str.contains(whole), pl.Series.sum)
        case.add("Polars, streaming", THREADS, lambda: lazy.collect(engine="streaming")[name], pl.Series.sum)
        case.add("assay, string", THREADS, lambda: pattern.match(column), sum_of)
        case.add("assay, string, one thread", 1, lambda: pattern.match(column, threads=1), sum_of)
        case.add("assay, string_view", THREADS, lambda: pattern.match(views), sum_of)
        case.add("assay, Polars", THREADS, lambda: pattern.match(series), pl.Series.sum)
        case.add("assay, Polars, one thread", 1, lambda: pattern.match(series, threads=1), pl.Series.sum)
        yield case.run(options.rounds)


def dictionary():
    """Measures a dictionary of a thousand distinct values, which are checked once each."""
    text, make = SUBJECTS["email"]
    pool = [make() if i % BAD else "!" for i in range(1000)]
    encoded = pa.array([pool[i * 7 % 1000] for i in range(ROWS)]).dictionary_encode()
    plain, pattern, whole = encoded.cast(pa.string()), assay.Pattern(text), f"^(?:{text})$"
    categories = pl.Series("email", plain).cast(pl.Categorical)
    runs = pc.run_end_encode(plain.take(pc.sort_indices(encoded.indices)))
    case = Case("a dictionary of 1,000", ROWS, sum_of(pc.match_substring_regex(plain, whole)))
    case.add("pyarrow, decoded already", 1, lambda: pc.match_substring_regex(plain, whole), sum_of)
    case.add("assay, dictionary", THREADS, lambda: pattern.match(encoded), sum_of)
    case.add("assay, dictionary, one thread", 1, lambda: pattern.match(encoded, threads=1), sum_of)
    case.add("assay, Polars' Categorical", THREADS, lambda: pattern.match(categories), pl.Series.sum)
    case.add("assay, run-end encoded", THREADS, lambda: pattern.match(runs), sum_of)
    return case.run(options.rounds)


class CoreColumn(ctypes.Structure):
    _fields_ = [("offsets", ctypes.c_void_p), ("bytes", ctypes.c_void_p), ("pattern", ctypes.c_char_p)]


def core():
    """Builds core_columns.c with the C core, and the compiler of the C core; None if that is impossible."""
    compiler = next((name for name in ("clang", "cc") if shutil.which(name)), None)
    if compiler is None or not shutil.which("cmake"):
        return None
    build, library = ROOT / "build/core-benchmark", pathlib.Path(tempfile.mkdtemp()) / "core_columns.so"
    for command in (
        ["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
        + ["-DASSAY_WERROR=OFF", f"-DCMAKE_C_COMPILER={compiler}"],
        ["cmake", "--build", build, "--target", "assay-shared"],
        [compiler, "-std=c11", "-O2", "-shared", "-fPIC", ROOT / "Python/benchmarks/core_columns.c"]
        + ["-I", ROOT / "Sources/CAssay/include", "-L", build, "-lassay-core", f"-Wl,-rpath,{build}", "-lpthread"]
        + ["-o", library],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    loaded = ctypes.CDLL(str(library))
    loaded.core_create.restype = ctypes.c_void_p
    loaded.core_judge.restype = ctypes.c_bool
    loaded.core_judge.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_char_p]
    return loaded


def rules():
    """Measures ten columns of required values with a pattern each."""
    names = list(SUBJECTS) * 2
    columns = [COLUMNS[name].slice(0) for name in names]
    fields = "".join(
        f"  - {{name: c{i}, constraints: {{required: true, pattern: '{SUBJECTS[name][0]}'}}}}\n"
        for i, name in enumerate(names)
    )
    compiled = assay.Rules.parse("fields:\n" + fields)
    table = pa.table({f"c{i}": column for i, column in enumerate(columns)})
    case = Case("ten columns", ROWS, GOOD)
    library = core()
    if library is not None:
        described = (CoreColumn * 10)(
            *(
                CoreColumn(column.buffers()[1].address, column.buffers()[2].address, SUBJECTS[name][0].encode())
                for name, column in zip(names, columns)
            )
        )
        judged = library.core_create(described, ctypes.c_size_t(10))
        rejected = ctypes.create_string_buffer(8 * ((ROWS + 63) // 64))

        def judge(threads):
            assert library.core_judge(judged, ROWS, threads, rejected)
            return rejected

        def count(mask):
            return ROWS - int.from_bytes(mask.raw, "little").bit_count()

        case.add("C core", THREADS, lambda: judge(THREADS), count)
        case.add("C core, one thread", 1, lambda: judge(1), count)
    case.add("assay", THREADS, lambda: compiled.check(table), lambda result: result.report.clean)
    case.add("assay, one thread", 1, lambda: compiled.check(table, threads=1), lambda result: result.report.clean)
    case.add("assay, with mask", THREADS, lambda: compiled.check(table).mask, sum_of)
    case.add("assay, with the clean rows", THREADS, lambda: compiled.check(table).clean, lambda clean: clean.num_rows)
    return case.run(options.rounds)


cases = list(patterns())
goals = [
    Goal(
        "Pattern.match beside pyarrow, worst pattern", min(c.ratio("pyarrow", "assay, string") for c in cases), least=8
    ),
    *(
        Goal(f"Pattern.match beside Polars, {threads}, worst pattern", min(c.ratio(one, other) for c in cases), least=6)
        for threads, one, other in [
            ("one thread each", "Polars", "assay, Polars, one thread"),
            ("all threads each", "Polars, streaming", "assay, Polars"),
        ]
    ),
]
tables = [case.table("pyarrow") for case in cases]
shared = dictionary()
goals.append(
    Goal("a dictionary beside pyarrow", shared.ratio("pyarrow, decoded already", "assay, dictionary"), least=20)
)
tables.append(shared.table("pyarrow, decoded already"))
ten = rules()
if any(contender.name == "C core" for contender in ten.contenders):
    for suffix in ("", ", one thread"):
        goals.append(
            Goal(f"Rules.check beside the C core{suffix}", ten.ratio(f"assay{suffix}", f"C core{suffix}"), most=1.1)
        )
    tables.append(ten.table("C core"))
else:
    tables.append(ten.table("assay") + "\n\nThe C core is absent: it needs cmake and a C compiler.")

command = f"columns.py --rows {ROWS} --rounds {options.rounds}"
facts = {
    "versions": f"assay {assay.__version__} ({assay.engine}), pyarrow {pa.__version__}, Polars {pl.__version__}",
    "values": f"{ROWS:,}, one in {BAD} bad",
}
publish(options.results, "python", "Columns in Python", command, facts, tables, goals, [*cases, shared, ten])
