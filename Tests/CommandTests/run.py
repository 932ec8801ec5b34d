#!/usr/bin/env python3
"""Runs the command's tests in several processes and reports the slowest ones.

    ASSAY=path/to/assay python3 Tests/CommandTests/run.py [NAME…]

A NAME is part of a test's name, such as test_keys or CleanTests; without names all tests run. ASSAY_SLOW_TESTS=1 adds the slow
ones. A process runs one test class at a time, because the tests of a class may share a file that takes long to make. Only the
standard library is used.
"""

import concurrent.futures
import io
import os
import pathlib
import sys
import time
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent


class TimedResult(unittest.TextTestResult):
    """A result that also has the seconds of each test."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.seconds = {}

    def startTest(self, test):
        self._started = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.seconds[test.id()] = time.monotonic() - self._started
        super().stopTest(test)


def tests_of(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from tests_of(part)
        else:
            yield part


def load():
    return list(tests_of(unittest.defaultTestLoader.discover(str(FOLDER), top_level_dir=str(FOLDER))))


def run_class(name, ids):
    """Runs the tests of a class, in a process of the pool."""
    suite = unittest.defaultTestLoader.loadTestsFromNames(ids)
    output = io.StringIO()
    result = unittest.TextTestRunner(stream=output, resultclass=TimedResult).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = sorted({reason for _, reason in result.skipped})
    # A class that skips itself runs no test, and counts as one skipped test.
    passed = result.testsRun - failed - sum(1 for test, _ in result.skipped if hasattr(test, "_testMethodName"))
    return name, passed, failed, len(result.skipped), skipped, result.seconds, "" if failed == 0 else output.getvalue()


def main():
    sys.path.insert(0, str(FOLDER))
    names = sys.argv[1:]
    classes = {}
    for test in load():
        if not names or any(name in test.id() for name in names):
            classes.setdefault(test.id().rpartition(".")[0], []).append(test.id())
    if not classes:
        sys.exit(f"no test has {' or '.join(names)} in its name")
    sums, seconds, reasons = [0, 0, 0], {}, set()
    # Large classes first, so that the processes finish at about the same time.
    order = sorted(classes, key=lambda name: -len(classes[name]))
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 2) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run_class, name, classes[name]) for name in order]):
            name, passed, failed, skipped, why, times, output = future.result()
            sums = [sums[0] + passed, sums[1] + failed, sums[2] + skipped]
            seconds.update(times)
            reasons.update(why)
            if failed:
                print(f"{name}\n{output}", flush=True)
    for reason in sorted(reasons):
        print(f"skipped: {reason}")
    for test, time_ in sorted(seconds.items(), key=lambda pair: -pair[1]):
        if time_ >= 1:
            print(f"seconds {time_:7.2f}  {test}")
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")
    return 1 if sums[1] or not sums[0] else 0


if __name__ == "__main__":
    sys.exit(main())
