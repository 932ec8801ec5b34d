#!/usr/bin/env python3
"""Runs the make targets of `make test` or `make test-all`, two at a time, and reports the seconds of each.

    python3 Scripts/run-targets.py test
    python3 Scripts/run-targets.py test-all [--only TARGET…]

A target starts when the targets that it needs have passed and a processor is free; the lists below are in order of
priority, with fast checks first. The output of a target is in build/log/TARGET.log; if a target fails, its end is
printed, no further target starts, and the exit status is 1. Only the standard library is used.
"""

import argparse
import os
import pathlib
import re
import stat
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / "build/log"

# Each target with its prerequisite targets.
LISTS = {
    "test": {
        "check-format": [],
        "check-prose": [],
        "build-tests": [],
        "test-core": [],
        "test-links": ["build-tests"],
        "test-swift": ["build-tests"],
        "test-abi": ["build-tests"],
        "test-command": ["build-tests"],
    },
    # SwiftPM locks .build, so the targets that build in it follow one another.
    "test-all": {
        "build": [],
        "test-core-slow": [],
        "test-cross": ["test-core-slow"],
        "test-without-pcre2": ["test-core-slow"],
        "test-installed-core": ["test-core-slow"],
        "test-environments": [],
        "torture-driver": ["build"],
        "libassay": ["torture-driver"],
        "test-package": [],
        "test-examples": ["libassay"],
        "wheel": ["libassay", "test-environments"],
        "test-integration": ["test-examples", "wheel"],
        "conformance": ["build", "test-environments", "test-core-slow"],
        "test-swift-slow": ["test-examples"],
        "test-macros": ["test-swift-slow"],
        "test-docs": ["test-macros"],
        "test-command-slow": ["build"],
        "test-python": ["wheel"],
        "test-libassay": ["libassay"],
        "test-bindings": ["libassay"],
        "test-torture": ["torture-driver"],
        "check-thresholds": ["libassay"],
    },
}

# The patterns of test durations in the output of test runners: (pattern, group of the name, group of the seconds).
DURATIONS = [
    (re.compile(r"^✔ (Test (?!run with).*?) (?:with \d+ test cases? )?passed after ([\d.]+) seconds"), 1, 2),
    (re.compile(r"^\s*\d+/\d+ Test +#\d+: (\S+) \.* +Passed +([\d.]+) sec"), 1, 2),
    (re.compile(r"^([\d.]+)s (?:call|setup) +(\S+)"), 2, 1),
    (re.compile(r"^seconds +([\d.]+) +(.+)$"), 2, 1),
]
# The patterns of their counts of passed, failed and skipped tests.
COUNTS = [
    re.compile(r"Test run with (?P<passed>\d+) tests? in \d+ suites? passed"),
    re.compile(r"tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)"),
    re.compile(r"^(?P<passed>\d+) passed, (?P<failed>\d+) failed(?:, (?P<skipped>\d+) skipped)?$"),
    re.compile(
        r"^=*\s*(?:(?P<failed>\d+) failed, )?(?P<passed>\d+) passed(?:, (?P<skipped>\d+) skipped)?.* in [\d.]+s"),
]


def null_device():
    """The type and the permissions of /dev/null. A program of root that renames a file to it, or changes its mode,
    breaks the tests that run as other users."""
    status = os.stat(os.devnull)
    return stat.filemode(status.st_mode), status.st_rdev


NULL_DEVICE = null_device()


class Target:
    """A make target: its process, and the facts that its log contains."""

    def __init__(self, name, needs):
        self.name, self.needs = name, needs
        self.seconds = self.status = self.null_device = None
        self.log = LOGS / f"{name}.log"

    def run(self):
        start = time.monotonic()
        with open(self.log, "wb") as log:
            self.status = subprocess.run(
                ["make", "--no-print-directory", "BUILT=1", self.name], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT).returncode
        self.seconds = time.monotonic() - start
        self.null_device = null_device()

    def lines(self):
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines()

    def slowest(self, count):
        """The slowest tests, as (seconds, name), of those that took a second or more."""
        found = {}
        for line in self.lines():
            for pattern, name, seconds in DURATIONS:
                match = pattern.search(line)
                if match:
                    found[match[name]] = max(float(match[seconds]), found.get(match[name], 0))
        return sorted(((s, n) for n, s in found.items() if s >= 1), reverse=True)[:count]

    def counts(self):
        """The numbers of passed, failed and skipped tests."""
        sums = [0, 0, 0]
        for line in self.lines():
            for pattern in COUNTS:
                match = pattern.search(line)
                if match:
                    found = {name: int(number or 0) for name, number in match.groupdict().items()}
                    failed = found.get("failed", 0)
                    sums[0] += found["passed"] if "passed" in found else found["total"] - failed
                    sums[1] += failed
                    sums[2] += found.get("skipped", 0)
                    break
        return sums


def run(targets, lanes):
    """Runs the targets in up to `lanes` threads. Returns those that ran."""
    waiting, running, done = list(targets), [], []
    changed = threading.Condition()

    def work(target):
        target.run()
        with changed:
            running.remove(target)
            done.append(target)
            report(target)
            changed.notify_all()

    with changed:
        while True:
            failed = any(target.status for target in done)
            passed = {target.name for target in done}
            ready = [] if failed else [t for t in waiting if all(name in passed for name in t.needs)]
            for target in ready[:lanes - len(running)]:
                waiting.remove(target)
                running.append(target)
                threading.Thread(target=work, args=(target,)).start()
            if not running:
                return done
            changed.wait()


def report(target):
    passed, failed, skipped = target.counts()
    tests = f"{passed:,} tests" if passed else ""
    tests += f", {skipped:,} skipped" if skipped else ""
    print(f"{'ok    ' if target.status == 0 else 'FAILED'} {target.name:<22}{target.seconds:7.0f} s  {tests}".rstrip(),
          flush=True)
    if target.status != 0:
        print("\n".join(f"    {line[:1_000]}" for line in target.lines()[-60:]))
        print(f"    The whole log: {target.log.relative_to(ROOT)}", flush=True)


def summarize(name, done, seconds):
    print("\nThe slowest tests:")
    for target in done:
        for number, (time_, test) in enumerate(target.slowest(5)):
            print(f"{target.name if number == 0 else '':<20}{time_:7.1f} s  {test[:100]}")
    sums = [sum(column) for column in zip(*(target.counts() for target in done))]
    print(f"\nmake {name}: {seconds:.0f} s, {sum(target.seconds for target in done):.0f} s in {len(done)} targets")
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("list", choices=LISTS)
    parser.add_argument("--only", nargs="+", metavar="TARGET",
                        help="run these targets of the list; others count as passed")
    options = parser.parse_args()
    needs = LISTS[options.list]
    for name in options.only or []:
        if name not in needs:
            parser.error(f"'{name}' is not a target of {options.list}; these are: {', '.join(needs)}")
    names = options.only or list(needs)
    LOGS.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    done = run([Target(name, [n for n in needs[name] if n in names]) for name in needs if name in names],
               os.cpu_count() or 2)
    summarize(options.list, done, time.monotonic() - start)
    left = [name for name in names if name not in {target.name for target in done}]
    if left:
        print(f"not run: {', '.join(left)}")
    # Not a failure, because a program outside the tests can be the cause.
    for target in done:
        if target.null_device != NULL_DEVICE:
            print(f"{os.devnull} was {NULL_DEVICE}, and {target.null_device} at the end of {target.name}")
            break
    subprocess.run(["sh", "Scripts/suites.sh", "--missing"], cwd=ROOT, check=False)
    # At the end again, because a long report can hide the line above.
    for target in done:
        if target.status != 0:
            print("\n".join([f"FAILED {target.name}; the log ends with:"]
                            + [f"    {line[:200]}" for line in target.lines()[-8:]]))
    return 1 if left or any(target.status for target in done) else 0


if __name__ == "__main__":
    sys.exit(main())
