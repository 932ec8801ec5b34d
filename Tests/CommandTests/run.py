#!/usr/bin/env python3
"""Runs the command's tests in several processes and reports the slowest ones.

    ASSAY=path/to/assay python3 Tests/CommandTests/run.py [NAME…]

A NAME is part of a test's name, such as test_keys or CleanTests; without names all tests run. ASSAY_SLOW_TESTS=1 adds
the slow ones. Each test runs alone, so a class must not share files between its tests. Only the standard library is
used.
"""

import concurrent.futures
import io
import os
import pathlib
import sys
import time
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))


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


def run_test(name):
    """Runs a test in a process of the pool. Returns its seconds, the reasons for skips, and its output if it failed."""
    output = io.StringIO()
    result = unittest.TextTestRunner(stream=output,
                                     resultclass=TimedResult).run(unittest.defaultTestLoader.loadTestsFromName(name))
    failed = not result.wasSuccessful()
    # A test with subtests can have skips and still count as passed.
    skipped = any(hasattr(test, "_testMethodName") for test, _ in result.skipped)
    return name, failed, skipped, {reason
                                   for _, reason in result.skipped}, result.seconds, output.getvalue() if failed else ""


def main():
    selected = sys.argv[1:]
    names = [test.id() for test in load() if not selected or any(name in test.id() for name in selected)]
    if not names:
        sys.exit(f"no test has {' or '.join(selected)} in its name")
    passed = skips = 0
    seconds, reasons, failures = {}, set(), []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 2) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run_test, name) for name in names]):
            name, failed, skipped, why, times, output = future.result()
            passed, skips = passed + (not failed and not skipped), skips + skipped
            seconds.update(times)
            reasons.update(why)
            if failed:
                failures.append((name, output))
                print(f"FAILED {name}", flush=True)
    for reason in sorted(reasons):
        print(f"skipped: {reason}")
    for test, time_ in sorted(seconds.items(), key=lambda pair: -pair[1]):
        if time_ >= 1:
            print(f"seconds {time_:7.2f}  {test}")
    # Failures are last because a reader of a log starts there. A message can quote megabytes of output.
    for name, output in failures:
        print(f"{name}\n" + "\n".join(line[:2_000] for line in output.splitlines()[:200]))
    for name, _ in failures:
        print(f"FAILED {name}")
    print(f"{passed} passed, {len(failures)} failed, {skips} skipped")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
