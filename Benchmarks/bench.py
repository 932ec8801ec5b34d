#!/usr/bin/env python3
"""Compares Assay with other tools. Each case checks its own answers.

    python3 Benchmarks/bench.py --list
    python3 Benchmarks/bench.py --case NAMES [options]

Exit status: 0, 1 if a case failed or an answer was wrong, 2 for usage. A goal that is not met is reported and is not a
failure.
"""

import argparse
import shlex
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from cases import engines, patterns
from harness.race import progress
from harness.results import Results, Run, machine


@dataclass
class Case:
    """A case, with its name on the command line and in the results. `run(options, results)` returns its `Report`;
    `results` is None if results are not kept."""

    name: str
    run: Callable
    #: Whether the case only sums up the results of others, so that it always runs.
    is_sum: bool = False


CASES = [
    *(
        Case(f"engines-{kind}", lambda options, results, kind=kind: engines.run(kind, options))
        for kind in patterns.kinds()
    ),
    Case("engines-all", engines.total, is_sum=True),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument(
        "--case", metavar="NAMES", help="the cases to run, such as engines, which is all cases that begin with engines-"
    )
    parser.add_argument("--rounds", type=int, help="rounds of each race; the best one counts")
    parser.add_argument("--pattern", metavar="NAME", help="run only this pattern of engines, without results")
    parser.add_argument(
        "--cpu", metavar="PATH", help="limit Assay to this processor path, such as avx2, in engines, without results"
    )
    parser.add_argument("--resume", action="store_true", help="leave out cases that have results of the current commit")
    parser.add_argument(
        "--results", metavar="DIR", help="replace the results of the cases in DIR/<machine>, after each case"
    )
    options = parser.parse_args()
    if options.list:
        return print("\n".join(case.name for case in CASES))
    names = (options.case or "").split(",")
    chosen = [case for case in CASES if any(case.name == name or case.name.startswith(f"{name}-") for name in names)]
    if not chosen:
        parser.error(f"no case is called {options.case}; --list shows the names")
    if options.results and (options.pattern or options.cpu):
        parser.error("--results is for complete cases")
    return run(chosen, options)


def run(chosen, options):
    """Runs the cases, and returns the exit status. A failing case does not stop the others."""
    results = Results(options.results) if options.results else None
    command = shlex.join(["bench.py", *sys.argv[1:]])
    failed, start = [], time.time()
    for number, case in enumerate(chosen, 1):
        if results and options.resume and not case.is_sum and results.is_current(case.name):
            progress(f"case {number} of {len(chosen)}: {case.name} has results of this commit")
            continue
        progress(f"case {number} of {len(chosen)} after {time.time() - start:.0f} s: {case.name}")
        facts = Run(command)
        try:
            report = case.run(options, results)
        except Exception:
            traceback.print_exc()
            failed.append(case.name)
            continue
        print(f"## {case.name}\n\n{machine()}; {facts.date}; load before: {facts.load}\n\n{report.text}", flush=True)
        if results:
            results.write(case.name, report, facts)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
