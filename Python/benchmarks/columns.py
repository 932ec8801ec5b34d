"""How fast columns are judged, beside what the libraries themselves offer. Every contender's answer is compared first.

    python Python/benchmarks/columns.py [ROWS]

Prints the best of five runs each, and ratios within this run. Needs pyarrow, polars and duckdb.
"""

import os
import sys
import time

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import assay

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
EMAIL = r"[a-z0-9]+(?:\.[a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+"


def best(work, runs=5):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def show(name, seconds, base=None):
    ratio = "" if base is None else f"   {base / seconds:6.1f} times as fast as {base_name}"
    print(f"{name:44} {1000 * seconds:9.1f} ms{ratio}")


emails = [f"user.{i % 9973}@mail-{i % 97}.example{'' if i % 50 else ' '}.org" for i in range(ROWS)]
column = pa.array(emails)
series = pl.Series("email", emails)
dictionary = pa.array([emails[i % 1000] for i in range(ROWS)]).dictionary_encode()
pattern = assay.Pattern(EMAIL)
whole = f"^(?:{EMAIL})$"

expected = pc.match_substring_regex(column, whole)
assert pattern.match(column).equals(expected), "assay and pyarrow disagree"
assert pattern.match(series).equals(series.str.contains(whole), check_names=False), "assay and Polars disagree"
assert pattern.match(dictionary).equals(pc.match_substring_regex(dictionary.cast(pa.string()), whole))

print(f"{ROWS:,} values, {os.cpu_count()} processors, {assay.engine}\n")
base_name = "it"
base = best(lambda: pc.match_substring_regex(column, whole), 2)
show("pyarrow.compute.match_substring_regex", base)
base_name = "pyarrow"
show("assay.Pattern.match, string", best(lambda: pattern.match(column)), base)
show("assay.Pattern.match, string, 1 thread", best(lambda: pattern.match(column, threads=1)), base)
show("assay.Pattern.match, dictionary", best(lambda: pattern.match(dictionary)), base)
show("assay.Pattern.match, string_view", best(lambda: pattern.match(column.cast(pa.string_view()))), base)
base = best(lambda: series.str.contains(whole), 2)
show("polars.str.contains", base)
base_name = "Polars"
show("assay.Pattern.match, Series", best(lambda: pattern.match(series)), base)

rules = assay.Rules.parse(
    "fields:\n"
    + "".join(
        f"  - {{name: c{i}, constraints: {{required: true, pattern: '{p}'}}}}\n"
        for i, p in enumerate([EMAIL, r"\d+", r"\d{4}-\d{2}-\d{2}", r"[A-Z]{2}\d{6}", ".{1,40}"] * 2)
    )
)
columns = [
    column,
    pa.array([str(i) for i in range(ROWS)]),
    pa.array([f"2024-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(ROWS)]),
    pa.array([f"DE{i % 1000000:06}" for i in range(ROWS)]),
    pa.array([f"Name {i}" for i in range(ROWS)]),
] * 2
table = pa.table({f"c{i}": values for i, values in enumerate(columns)})
print()
alone = sum(best(lambda i=i: rules.check_column(f"c{i}", columns[i]), 3) for i in range(10))
show("ten columns, one call each", alone)
show("ten columns, Rules.check", best(lambda: rules.check(table), 3))
