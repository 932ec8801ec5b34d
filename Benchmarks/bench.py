#!/usr/bin/env python3
"""Measures Assay, and compares it with other tools. Each case checks its own answers.

    python3 Benchmarks/bench.py --list                      the cases
    python3 Benchmarks/bench.py --case NAMES [options]      some of them

Each case runs in a process of its own. Exit status: 0, 1 if a case failed or an answer was wrong, 2 for usage. A goal
that is not met is reported and is not a failure.
"""

import argparse
import importlib
import importlib.util
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass

from cases import patterns, swift
from harness import ROOT
from harness.race import progress
from harness.results import Results, Run, machine


@dataclass
class Case:
    """A case: `cases/module.py` has a function that takes the options and returns a `Report`."""

    name: str
    module: str
    function: str = "run"
    arguments: tuple = ()
    #: A name for several cases.
    group: str = ""
    #: The Python modules that the case needs. Without them it is absent.
    needs: tuple = ()
    #: Whether the case takes minutes and gigabytes of memory, so that it runs only on request.
    is_large: bool = False
    #: Whether the case sums up the results of other cases, so that it needs them and always runs.
    is_sum: bool = False

    @property
    def missing(self):
        return [module for module in self.needs if not importlib.util.find_spec(module)]

    def run(self, options):
        return getattr(importlib.import_module(f"cases.{self.module}"), self.function)(options, *self.arguments)


CASES = [
    *(Case(name, "swift", arguments=(name,)) for name in swift.CASES),
    Case("start", "start"),
    Case("clean", "clean", "usual"),
    Case("types-clean", "clean", "types"),
    Case("columns", "clean", "columns"),
    Case("stages", "stages"),
    Case("threads", "threads"),
    Case("writes", "writes"),
    Case("rivals", "rivals", "usual"),
    Case("inputs", "inputs"),
    Case("keys", "keys", needs=("duckdb",)),
    Case("repair", "repair", needs=("polars",)),
    Case("rows", "rows"),
    Case("profile", "profile"),
    Case("records", "records"),
    *(Case(f"engines-{kind}", "engines", arguments=(kind,), group="engines") for kind in patterns.kinds()),
    Case("engines-all", "engines", "total", group="engines", is_sum=True),
    Case("python", "python", needs=("assay", "polars", "pyarrow")),
    Case("typed", "typed", needs=("assay", "polars", "pyarrow")),
    Case("words", "words", needs=("assay", "polars", "pyarrow")),
    Case("cold", "cold", needs=("assay", "polars")),
    Case("spark", "spark", needs=("assay", "pyspark")),
    Case("bindings", "bindings"),
    Case("clean-2.4gb", "clean", "large", (10,), is_large=True),
    Case("rivals-2.4gb", "rivals", "large", (10, 90), is_large=True),
    Case("clean-10gb", "clean", "large", (42,), is_large=True),
    Case("rivals-10gb", "rivals", "large", (42, 180), is_large=True),
]

BENCHMARKS = ROOT / "Benchmarks" / ".build" / "release" / "assay-benchmarks"


class Options(argparse.Namespace):
    def rounds_or(self, quick, standard):
        """Returns the number of rounds of a race."""
        return self.rounds or (quick if self.quick else standard)

    def rows_or(self, quick, standard=1_000_000):
        """Returns the number of rows of an export."""
        return self.rows or (quick if self.quick else standard)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    add = parser.add_argument
    add("--list", action="store_true", help="list the cases, the large ones last")
    add("--case", metavar="NAMES", help="some of the cases, such as keys,engines (all but the large ones)")
    add("--full", action="store_true", help="the large cases, too: 2.4 and 10 GB, if memory allows")
    add("--quick", action="store_true", help="small data, few rounds: whether everything works, not how fast it is")
    add("--rounds", type=int, help="rounds of each race; the best one counts")
    add("--rows", type=int, help="rows of the exports; the large cases take ten and 42 times as many")
    add("--limit", type=int, metavar="SECONDS", help="the time of a tool for one run in rivals (60; 90 and 180)")
    add("--benchmarks", metavar="PATH", default=str(BENCHMARKS), help="the program of the cases in one Swift process")
    add("--command", metavar="PATH", default=str(ROOT / ".build" / "release" / "assay"), help="the command assay")
    add("--scratch", metavar="DIR", default="/dev/shm", help="the folder of exports and outputs: in memory (/dev/shm)")
    add("--results", metavar="DIR", help="replace the results of the cases in DIR/<machine>, after each case")
    add("--resume", action="store_true", help="leave out cases that have results of the current commit")
    add("--pattern", metavar="NAME", help="only this pattern of engines, value, column and strings, without results")
    add("--cpu", metavar="PATH", help="a processor path of Assay in engines, such as avx2, without results")
    options = parser.parse_args(namespace=Options())
    if options.results and (options.pattern or options.cpu):
        parser.error("--results is for complete cases")
    names = options.case.split(",") if options.case else []
    unknown = set(names) - {case.name for case in CASES} - {case.group for case in CASES}
    if unknown:
        parser.error(f"no case is called {', '.join(sorted(unknown))}; --list shows the names")
    chosen = [case for case in CASES if {case.name, case.group} & set(names)]
    chosen = chosen or [case for case in CASES if options.full or not case.is_large]
    return options, [case for case in chosen if options.results or not case.is_sum]


def main():
    options, chosen = parsed()
    if options.list:
        print("\n".join(case.name for case in CASES))
        return 0
    if len(chosen) == 1:
        return run(chosen[0], options)
    failed, start, others = [], time.time(), arguments_without_cases()
    for number, case in enumerate(chosen, 1):
        progress(f"case {number} of {len(chosen)} after {time.time() - start:.0f} s: {case.name}")
        # A failing case does not stop the others.
        if subprocess.run([sys.executable, sys.argv[0], "--case", case.name, *others]).returncode:
            failed.append(case.name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def arguments_without_cases():
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--case")
    parser.add_argument("--full", action="store_true")
    return parser.parse_known_args()[1]


def run(case, options):
    results = Results(options.results) if options.results else None
    if case.missing:
        progress(f"{case.name} is absent: it needs {', '.join(case.missing)}")
        return 0
    if results and options.resume and not case.is_sum and results.is_current(case.name):
        progress(f"{case.name} has results of this commit")
        return 0
    facts = Run(shlex.join(["bench.py", *sys.argv[1:]]))
    report = case.run(options)
    print(f"## {case.name}\n\n{machine()}; {facts.date}; load before: {facts.load}\n\n{report.text}", flush=True)
    if results:
        results.write(case.name, report, facts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
