"""Measures the search for lists of words, compared with the engines of Polars (Rust's regex) and pyarrow (RE2), on one
thread.

    python Python/benchmarks/words.py [--bytes N] [--rounds N] [--results DIR]

A pattern is word|word|…, as a search in texts and as a whole value. Texts consist of words that share prefixes with the
list but are not in it, so the number of matches is known. --results writes the case `words` to the results of this
machine.
"""

import argparse
import os
import random

os.environ["POLARS_MAX_THREADS"] = "1"

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from harness import Case, Goal, publish

import assay

FILLER, OTHERS = "abcdefghijklm", "nopqrstuvwxyz"

options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
options.add_argument("--bytes", type=int, default=12_000_000)
options.add_argument("--rounds", type=int, default=5)
options.add_argument("--results")
options = options.parse_args()
dice = random.Random(22)


def letters(low, high, alphabet):
    return "".join(dice.choices(alphabet, k=dice.randint(low, high)))


def word():
    """Returns a word. Its prefix may occur in any text, its last letter only in words of the list."""
    return letters(3, 8, FILLER) + dice.choice(OTHERS)


WORDS = list(dict.fromkeys(word() for _ in range(11_000)))[:10_000]


def texts(size, hits, words):
    """Returns texts of about `size` bytes. One in `hits` contains a word of the list."""
    filler = " ".join(letters(3, 9, FILLER) for _ in range(50_000))
    made = []
    for i in range(options.bytes // size):
        start = dice.randrange(len(filler) - size)
        text = filler[start : start + size]
        if i % hits == hits // 2:
            at = dice.randrange(size - 10)
            text = text[:at] + dice.choice(words) + text[at:]
        made.append(text)
    return made, sum(i % hits == hits // 2 for i in range(len(made)))


def values(words):
    """Returns single words. Half are in the list."""
    pool = [dice.choice(words) if i % 2 else letters(3, 9, FILLER) for i in range(20_000)]
    made = [pool[i * 7 % 20_000] for i in range(options.bytes // 12)]
    return made, sum(i * 7 % 20_000 % 2 for i in range(len(made)))


# With more words, RE2's states exceed its memory limit, and it takes milliseconds per text.
RE2_MOST = 1000


def race(name, words, column, expected, whole=False, ignoring_case=False):
    text = "|".join(words)
    rival = f"^(?:{text})$" if whole else text
    rival = "(?i)" + rival if ignoring_case else rival
    pattern = assay.Pattern(("(?i)" if ignoring_case else "") + text, search=not whole)
    array, series = pa.array(column), pl.Series(column)
    case = Case(name, len(column), expected)
    if len(words) <= RE2_MOST:
        case.add("pyarrow", 1, lambda: pc.match_substring_regex(array, rival), lambda found: pc.sum(found).as_py())
    case.add("Polars", 1, lambda: series.str.contains(rival), pl.Series.sum)
    case.add("assay", 1, lambda: pattern.match(array, threads=1), lambda found: pc.sum(found).as_py())
    return case.run(options.rounds)


cases = []
for count in (10, 100, 1000, 10_000):
    listed = WORDS[:count]
    for size, shown in ((64, "64 B"), (1 << 10, "1 KiB"), (1 << 16, "64 KiB")):
        for hits, often in ((200, "rare"), (2, "frequent")):
            column, expected = texts(size, hits, listed)
            cases.append(race(f"{count:,} words in {shown}, {often}", listed, column, expected))
    if count <= RE2_MOST:  # the same limit applies to Polars with several cases
        column, expected = texts(64, 200, listed)
        cases.append(race(f"{count:,} words in 64 B, rare, any case", listed, column, expected, ignoring_case=True))
    column, expected = values(listed)
    cases.append(race(f"one of {count:,} words", listed, column, expected, whole=True))


def has(case, name):
    return any(contender.name == name for contender in case.contenders)


worst = {
    rival: min((case for case in cases if has(case, rival)), key=lambda case: case.ratio(rival, "assay"))
    for rival in ("pyarrow", "Polars")
}
goals = [
    Goal(f"beside {rival}, worst case: {case.subject}", case.ratio(rival, "assay"), least=1)
    for rival, case in worst.items()
]
lines = ["| words | pyarrow, ms | Polars, ms | assay, ms | times pyarrow | times Polars |", "|---|--:|--:|--:|--:|--:|"]
for case in cases:
    numbers = [f"{1000 * case.wall(name):.2f}" if has(case, name) else "-" for name in ("pyarrow", "Polars", "assay")]
    numbers += [f"{case.ratio(rival, 'assay'):.1f}" if has(case, rival) else "-" for rival in ("pyarrow", "Polars")]
    lines.append("| " + " | ".join([case.subject, *numbers]) + " |")
command = f"words.py --bytes {options.bytes} --rounds {options.rounds}"
facts = {
    "versions": f"assay {assay.__version__} ({assay.engine}), pyarrow {pa.__version__}, Polars {pl.__version__}",
}
publish(options.results, "words", "Words in Python", command, facts, ["\n".join(lines)], goals, cases)
