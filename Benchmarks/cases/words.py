"""The search for lists of words in Python, compared with the engines of Polars (Rust's regex) and pyarrow (RE2), on one
thread.

A pattern is word|word|…, as a search in texts and as a whole value. Texts consist of words that share prefixes with the
list but are not in it, so the number of matches is known."""

import os
import random

from harness.race import Race, table
from harness.results import Goal, Report

FILLER, OTHERS = "abcdefghijklm", "nopqrstuvwxyz"
# With more words, RE2's states exceed its memory limit, and it takes milliseconds per text.
MAX_RE2_WORDS = 1000
SIZES = {"64 B": 64, "1 KiB": 1 << 10, "64 KiB": 1 << 16}


class Texts:
    """Makes words, values and texts of a number of bytes."""

    def __init__(self, size):
        self.size, self.dice = size, random.Random(22)
        self.words = list(dict.fromkeys(self.word() for _ in range(11_000)))[:10_000]

    def letters(self, low, high, alphabet):
        return "".join(self.dice.choices(alphabet, k=self.dice.randint(low, high)))

    def word(self):
        """Returns a word. Its prefix may occur in any text, its last letter only in words of the list."""
        return self.letters(3, 8, FILLER) + self.dice.choice(OTHERS)

    def texts(self, size, hits, words):
        """Returns texts of about `size` bytes, one in `hits` of which contains a word of the list, and their number."""
        filler = " ".join(self.letters(3, 9, FILLER) for _ in range(50_000))
        made = []
        for i in range(self.size // size):
            start = self.dice.randrange(len(filler) - size)
            text = filler[start : start + size]
            if i % hits == hits // 2:
                at = self.dice.randrange(size - 10)
                text = text[:at] + self.dice.choice(words) + text[at:]
            made.append(text)
        return made, sum(i % hits == hits // 2 for i in range(len(made)))

    def values(self, words):
        """Returns single words, half of which are in the list, and their number."""
        pool = [self.dice.choice(words) if i % 2 else self.letters(3, 9, FILLER) for i in range(20_000)]
        made = [pool[i * 7 % 20_000] for i in range(self.size // 12)]
        return made, sum(i * 7 % 20_000 % 2 for i in range(len(made)))


def run(options):
    os.environ["POLARS_MAX_THREADS"] = "1"
    import assay
    import polars
    import pyarrow

    rounds, texts = options.rounds_or(1, 5), Texts(12 * options.rows_or(20_000))
    races = [race_of(*job).run(rounds) for job in jobs(texts)]
    worst = {
        other: min((race for race in races if other in race), key=lambda race: race.ratio(other, "assay"))
        for other in ("pyarrow", "Polars")
    }
    lines = []
    for race in races:
        times = [1000 * race[name].wall if name in race else "–" for name in ("pyarrow", "Polars", "assay")]
        ratios = [race.ratio(other, "assay") if other in race else "–" for other in ("pyarrow", "Polars")]
        lines.append([race.subject, *times, *ratios])
    return Report(
        f"""assay {assay.__version__} ({assay.engine}), pyarrow {pyarrow.__version__}, Polars {polars.__version__}. Best
        of {rounds} rounds.""",
        [table("words|pyarrow, ms|Polars, ms|assay, ms|times pyarrow|times Polars", lines)],
        [
            Goal(f"beside {other}, worst case", race.ratio(other, "assay"), at_least=1, note=race.subject)
            for other, race in worst.items()
        ],
        races,
    )


def jobs(texts):
    """Returns name, words, column, number of matches, whether words are whole values, and whether case is ignored."""
    for count in (10, 100, 1000, 10_000):
        listed = texts.words[:count]
        for shown, size in SIZES.items():
            for hits, often in (200, "rare"), (2, "frequent"):
                yield f"{count:,} words in {shown}, {often}", listed, *texts.texts(size, hits, listed), False, False
        if count <= MAX_RE2_WORDS:  # the same limit applies to Polars with several cases
            yield f"{count:,} words in 64 B, rare, any case", listed, *texts.texts(64, 200, listed), False, True
        yield f"one of {count:,} words", listed, *texts.values(listed), True, False


def race_of(name, words, column, expected, full, ignoring_case):
    import assay
    import polars
    import pyarrow
    import pyarrow.compute as compute

    prefix, text = "(?i)" * ignoring_case, "|".join(words)
    other = prefix + (f"^(?:{text})$" if full else text)
    pattern = assay.Pattern(prefix + text, search=not full)
    array, series = pyarrow.array(column), polars.Series(column)

    def count(found):
        return compute.sum(found).as_py()

    race = Race(name, len(column), expected)
    if len(words) <= MAX_RE2_WORDS:
        race.add("pyarrow", lambda: compute.match_substring_regex(array, other), count=count)
    race.add("Polars", lambda: series.str.contains(other), count=polars.Series.sum)
    race.add("assay", lambda: pattern.match(array, threads=1), count=count)
    return race
