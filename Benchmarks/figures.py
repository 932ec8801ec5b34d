#!/usr/bin/env python3
"""Computes the tables of figures in the documents from the rounds of the benchmarks.

    python3 Benchmarks/figures.py Benchmarks/Results/<machine>                     print the table
    python3 Benchmarks/figures.py Benchmarks/Results/<machine> --update README.md  update a document
    python3 Benchmarks/figures.py --check README.md                                compare with the results (make
    test-docs)

In a document the table is between two comments; the first names the results. README.md shows the tables of
readme_figures.py, other documents show all figures. Without a folder, --update uses the most recently measured machine.
A case without results has no row. Docs/performance.md also has a section about the cases engines-… with a chart,
engines.svg, of the machine
on which they were measured last. Only the standard library is used.
"""

import argparse
import csv
import pathlib
import re
import statistics
import sys
import textwrap

import engine_figures
import readme_figures

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN = "<!-- figures of {} by Benchmarks/figures.py: not typed in -->"
END = "<!-- end of figures -->"
# A line of the summary's table of cases: | [case](#case) | date | …
CASE_LINE = re.compile(r"^\| \[(.+?)\]\(.*?\) \| (.+?) \| ", re.MULTILINE)
BLOCK = re.compile(re.escape(BEGIN).replace(r"\{\}", "(.+?)") + "\n.*?" + re.escape(END), re.DOTALL)
ENGINES_BEGIN = "<!-- engines by Benchmarks/figures.py: not typed in -->"
ENGINES_END = "<!-- end of engines -->"
ENGINES_BLOCK = re.compile(re.escape(ENGINES_BEGIN) + "\n.*?" + re.escape(ENGINES_END), re.DOTALL)
CHART = ROOT / "Docs" / "engines.svg"



class Rounds:
    """The rounds of a case, by subject, contender and number of threads. Figures are those of the best round."""

    def __init__(self, folder, case):
        with open(folder / "rounds.csv", newline="", encoding="utf-8") as file:
            self.rows = [row for row in csv.DictReader(file) if row["case"] == case and row["round"] != "0"]

    def subjects(self, end=""):
        return list(dict.fromkeys(row["subject"] for row in self.rows if row["subject"].endswith(end)))

    def contenders(self, subject, start=""):
        names = (row["contender"] for row in self.rows if row["subject"] == subject)
        return list(dict.fromkeys(name for name in names if name.startswith(start)))

    def find(self, subject, contender, threads):
        return [row for row in self.rows
                if (row["subject"], row["contender"], row["threads"]) == (subject, contender, str(threads))]

    def best(self, column, subject, contender, threads=1):
        """Returns the minimum of a column over all rounds; None if there are no rounds."""
        return min((float(row[column]) for row in self.find(subject, contender, threads)), default=None)

    def work(self, subject, contender, threads=1):
        return int(self.find(subject, contender, threads)[0]["work"])

    def each(self, subject, contender, threads=1, column="cpu_s"):
        """Returns the nanoseconds per value."""
        seconds = self.best(column, subject, contender, threads)
        return seconds and seconds * 1e9 / self.work(subject, contender, threads)

    def speed(self, subject, contender, threads):
        """Returns MB per second of elapsed time."""
        return self.work(subject, contender, threads) / 1e6 / self.best("wall_s", subject, contender, threads)

    def peak(self, subject, contender, threads):
        """Returns the maximum resident memory of all rounds in MB."""
        return max(int(row["peak_bytes"]) for row in self.find(subject, contender, threads)) / 1e6


def figure(value):
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:,.{digits}f}"


def between(values, unit="×"):
    return f"{figure(min(values))}{unit} to {figure(max(values))}{unit}"


def clean_rows(folder):
    rounds = Rounds(folder, "clean")
    by_bad = {subject.rsplit(", ", 1)[1]: subject for subject in rounds.subjects("bad")}
    usual, none, every = (by_bad[f"{percent} % bad"] for percent in (6, 0, 100))

    def speed(subject, threads):
        return figure(rounds.speed(subject, "assay clean", threads)) + " MB/s"

    yield (f"`assay clean`, ten rules, {usual.split(',')[0]}, 6 % of rows bad, two threads", speed(usual, 2),
           speed(usual, 1) + " on one")
    yield "the same with every row bad", speed(every, 2), speed(none, 2) + " with none"
    yield "its peak memory", figure(rounds.peak(usual, "assay clean", 2)) + " MB", ""


def large_clean_rows(case):
    def rows(folder):
        rounds = Rounds(folder, case)
        sizes = rounds.subjects(", 6 % bad")
        if len(sizes) < 2:
            return
        small, large = sizes[0], sizes[-1]
        yield (f"`assay clean`, {large.split(',')[0]}, 6 % bad, two threads",
               figure(rounds.speed(large, "assay clean", 2)) + " MB/s",
               f"peak memory {figure(rounds.peak(large, 'assay clean', 2))} MB; "
               f"at {small.split(',')[0]} {figure(rounds.peak(small, 'assay clean', 2))} MB")
    return rows


def rival_rows(case):
    def rows(folder):
        rounds = Rounds(folder, case)
        subject = next(name for name in rounds.subjects("6 % bad, 2 threads"))
        # By default the command also writes findings, which are not part of the common job.
        same, usual = (rounds.best("wall_s", subject, name, 2) for name in ("assay clean, the same job", "assay clean"))
        assay = same or usual
        for tool in "Polars", "DuckDB", "pyarrow":
            times = {name: rounds.best("wall_s", subject, name, 2) for name in rounds.contenders(subject, tool)}
            if not times:
                continue
            fastest = min(times, key=times.get)
            runs = len(rounds.find(subject, fastest, 2))
            yield (f"the same job, {subject.split(',')[0]}: {fastest}", figure(times[fastest] / assay) + "× the time",
                   f"{figure(times[fastest])} s, Assay {figure(assay)} s, "
                   f"{f'best of {runs}' if runs > 1 else 'one run'}; peak "
                   f"{figure(rounds.peak(subject, fastest, 2))} MB")
    return rows


NAMES = {
    "bare": "bare pcre2_jit_match", "call": "assay_check_column", "spans": "verdicts(utf8:offsets:)", "re2": "RE2",
    "hyperscan": "Hyperscan", "foundation": "NSRegularExpression firstMatch", "each": "NSRegularExpression per call",
    "swift": "Swift Regex",
}


def column_rows(folder):
    rounds = Rounds(folder, "column")

    def time(subject, engine):
        return rounds.each(subject, NAMES[engine])

    for pattern, words in ("date", "dates"), ("email", "e-mail addresses"):
        subject = pattern + ", 1 % bad"
        yield (f"a column of {words}, one thread", figure(time(subject, "spans")) + " ns a value",
               f"Swift `Regex`: {figure(time(subject, 'swift'))} ns")
        yield ("`NSRegularExpression`, compiled once", figure(time(subject, "foundation")) + " ns a value",
               f"compiled for each value: {figure(time(subject, 'each'))} ns")
    subjects = rounds.subjects()

    def times(engine, ours):
        pairs = [(time(subject, engine), time(subject, ours)) for subject in subjects]
        return [other / own for other, own in pairs if other is not None]

    foundation = times("foundation", "spans")
    yield ("ten patterns, 0 to 100 % bad, times `NSRegularExpression` compiled once", between(foundation),
           f"{figure(statistics.median(foundation))}× in the median")
    yield ("a column check in C, its time against a bare loop over `pcre2_jit_match`",
           between([1 / ratio for ratio in times("bare", "call")]), "")
    for engine in "re2", "hyperscan":
        ratios = times(engine, "call")
        if ratios:
            yield (f"the same, times {NAMES[engine]}", between(ratios),
                   f"{figure(statistics.median(ratios))}× in the median")


def type_rows(folder):
    rounds = Rounds(folder, "types")
    for name, words in (
        ("email", "e-mail addresses by `format: email`"), ("url", "URLs by `format: url`"),
        ("type: number", "numbers by `type: number`"),
    ):
        yield (f"a column of {words}, one thread", figure(rounds.each(name, "type")) + " ns a value",
               f"a similar pattern with JIT: {figure(rounds.each(name, 'bare pattern'))} ns")


def string_rows(folder):
    rounds = Rounds(folder, "strings")

    def total(contender, threads):
        return sum(rounds.each(subject, contender, threads, "wall_s") for subject in rounds.subjects())

    def gain(contender):
        return total(contender, 1) / total(contender, 2)

    yield ("`[String]` in bulk, ten patterns, two threads",
           figure(gain("verdicts(for: [String])")) + "× as fast as on one",
           f"the bare loop: {figure(gain(NAMES['bare']))}×")


def scan_rows(folder):
    rounds = Rounds(folder, "scan")
    subject = rounds.subjects()[0]

    def speed(contender):
        return figure(1 / rounds.each(subject, contender)) + " GB/s"

    yield (f"finding records and fields, {subject}, one core", speed("assay_scan"),
           speed("assay_scan_plain") + " for the plain state machine")


def start_rows(folder):
    rounds = Rounds(folder, "start")
    times = [float(row["wall_s"]) * 1e3 for row in rounds.find("ten rows", "assay check", 1)]
    yield "`assay check` on ten rows, start to exit", figure(statistics.median(times)) + " ms", "the median"


def python_rows(folder):
    rounds = Rounds(folder, "python")
    subjects = [name for name in rounds.subjects() if rounds.find(name, "assay, string", 2)]

    def gain(subject, contender, threads, ours):
        return rounds.best("wall_s", subject, contender, threads) / rounds.best("wall_s", subject, ours, 2)

    by_pyarrow = [gain(name, "pyarrow", 1, "assay, string") for name in subjects]
    by_polars = [gain(name, "Polars", 1, "assay, Polars") for name in subjects]
    yield ("`Pattern.match` in Python, two threads, times pyarrow's `match_substring_regex`", between(by_pyarrow),
           "on one thread")
    yield "the same, times Polars' `str.contains`", between(by_polars), "on one thread"
    yield ("`Rules.check` of ten Arrow columns in Python, its time against the C core's",
           figure(1 / gain("ten columns", "C core", 2, "assay")) + "×", "both on two threads")


CASES = [
    ("clean", clean_rows), ("clean-10gb", large_clean_rows("clean-10gb")),
    ("rivals", rival_rows("rivals")), ("rivals-10gb", rival_rows("rivals-10gb")), ("scan", scan_rows),
    ("column", column_rows), ("types", type_rows), ("strings", string_rows), ("start", start_rows),
    ("python", python_rows),
]


# The tables of README.
README_CASES = [("rivals", readme_figures.job_table), ("column", readme_figures.value_table)]


def table(folder, readme=False):
    """Returns the text between the comments, for README or for other documents."""
    summary = (folder / "summary.md").read_text(encoding="utf-8")
    runs = dict(CASE_LINE.findall(summary))
    cases = README_CASES if readme else CASES
    used = [case for case, _ in cases if case in runs]
    if not used:
        raise SystemExit(f"{folder}: there are no results of {', '.join(case for case, _ in cases)}")
    dates = sorted({runs[case][:10] for case in used})
    machine = re.search(r"^\| machine +\| *(.*?) *\|$", summary, re.MULTILINE).group(1)
    name = folder.relative_to(ROOT).as_posix()
    up = "" if readme else "../"
    command = "make bench" if readme else "make bench-full"
    words = (f"Machine: {machine}. Measured on {' and '.join(dates)}, files in memory. `{command}` measures this "
             f"again. Each figure is the best of several rounds. [The results]({up}{name}/summary.md) have the "
             "command, commit and load of each run, and the goals that are not met yet.")
    words = textwrap.wrap(words, 120, break_long_words=False, break_on_hyphens=False)
    lines = [BEGIN.format(name), ""]
    if readme:
        for case in used:
            lines += [*dict(cases)[case](Rounds(folder, case), figure), ""]
        return "\n".join(lines + [*words, "", END])
    lines += [*words, "", "| | figure | beside |", "|:--|--:|:--|"]
    for case in used:
        lines += ["| " + " | ".join(row) + " |" for row in dict(cases)[case](folder)]
    return "\n".join(lines + ["", END])


def last_measured(is_selected):
    """Returns the folder of the machine on which a wanted case was measured last; None if there is no such machine."""
    found = {}
    for summary in (ROOT / "Benchmarks" / "Results").glob("*/summary.md"):
        cases = CASE_LINE.findall(summary.read_text(encoding="utf-8"))
        if dates := [date for case, date in cases if is_selected(case)]:
            found[summary.parent] = max(dates)
    return max(found, key=found.get, default=None)


def engines():
    """Returns the text between the comments of the section about engines, and the chart."""
    folder = last_measured(lambda case: case.startswith("engines-"))
    section, chart = (engine_figures.section(folder), engine_figures.chart(folder)) if folder else ("", "")
    return "\n".join([ENGINES_BEGIN, *([section] if section else []), ENGINES_END]), chart


def is_readme(path):
    return path is not None and path.resolve() == ROOT / "README.md"


def problem_with(path):
    """Returns the mistake in the figures of a document, or None."""
    text = path.read_text(encoding="utf-8")
    found = BLOCK.search(text)
    if not found:
        return "there is no table of figures (python3 Benchmarks/figures.py --update README.md)"
    folder = ROOT / found.group(1)
    if not (folder / "summary.md").exists():
        return f"the figures are of {found.group(1)}, which is not there"
    if table(folder, is_readme(path)) != found.group(0):
        return (f"the figures are not those of {found.group(1)} (python3 Benchmarks/figures.py {found.group(1)} "
                f"--update {path})")
    if shown := ENGINES_BLOCK.search(text):
        section, chart = engines()
        if shown.group(0) != section or (CHART.read_text(encoding="utf-8") if CHART.exists() else "") != chart:
            return (f"the section about engines is not that of the results (python3 Benchmarks/figures.py --update "
                    f"{path})")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("results", nargs="?", type=pathlib.Path, help="the folder of a machine")
    parser.add_argument("--update", type=pathlib.Path, metavar="FILE", help="put the table into a document")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE", help="compare the table of a document")
    arguments = parser.parse_args()
    if arguments.check:
        problem = problem_with(arguments.check)
        if problem:
            print(f"{arguments.check}: {problem}", file=sys.stderr)
        return 1 if problem else 0
    folder = arguments.results.resolve() if arguments.results else last_measured(lambda case: case in dict(CASES))
    if folder is None:
        raise SystemExit("there are no results: make bench-full")
    made = table(folder, is_readme(arguments.update))
    if not arguments.update:
        print(made)
        return 0
    text = arguments.update.read_text(encoding="utf-8")
    if not BLOCK.search(text):
        raise SystemExit(f"{arguments.update}: the comment before the figures is missing: {BEGIN.format('…')}")
    text = BLOCK.sub(lambda _: made, text)
    if ENGINES_BLOCK.search(text):
        section, chart = engines()
        text = ENGINES_BLOCK.sub(lambda _: section, text)
        if chart:
            CHART.write_text(chart, encoding="utf-8")
    arguments.update.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
