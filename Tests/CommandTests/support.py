"""Support for the tests of the command: a directory per test, the command, and readers for its outputs.

    ASSAY=path/to/assay python3 Tests/CommandTests/run.py
"""

import contextlib
import csv
import dataclasses
import functools
import importlib.util
import io
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSAY = str(pathlib.Path(os.environ.get("ASSAY") or ROOT / ".build/tests/release/assay").resolve())
SUITES = pathlib.Path(os.environ.get("ASSAY_SUITES") or ROOT / "build" / "suites")
EXAMPLES = ROOT / "Examples"

# The time after which a run counts as hung. A loaded machine must not reach it.
PATIENCE = 600

# Whether to run the tests of size, memory and processor time, which need the release command.
SLOW = bool(os.environ.get("ASSAY_SLOW_TESTS"))
slow = unittest.skipUnless(SLOW, "slow: make test-all runs these")

BOM = b"\xef\xbb\xbf"

# The keys of a finding, in the order in which they are written.
FINDING_KEYS = ["record", "line", "offset", "column", "position", "rule", "code", "severity", "message"]

# A pattern that matches no text. A rule with it fails for every cell, so that the findings list all of them.
NEVER = "(?!)"

# Prints the exit status of a command and its peak memory in KiB. This takes a process of its own, because the kernel
# keeps only the highest peak of all children.
PEAK = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdin=sys.stdin).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(status, peak // 1024 if sys.platform == "darwin" else peak)
"""

# Without a shell, the tests that read a suite are skipped.
if not os.environ.get("ASSAY_SUITES"):
    with contextlib.suppress(OSError):
        subprocess.run(["sh", ROOT / "Scripts" / "suites.sh"])


def environment(**changes):
    """The environment of a run: only the variables of the caller that a process needs."""
    names = ("PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR", "TSAN_OPTIONS", "SWIFT_BACKTRACE")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    # Swift's crash reports take seconds. Their handler also catches SIGQUIT if the command finds the toolchain.
    return {"LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"} | kept | changes


@dataclasses.dataclass
class Outcome:
    """The result of a run of the command."""

    status: int  # −n: killed by signal n
    out: bytes
    error_bytes: bytes

    @property
    def err(self):
        return self.error_bytes.decode()

    @property
    def text(self):
        return self.out.decode()


class CommandTest(unittest.TestCase):
    """A test with a directory of its own, in which the command runs."""

    maxDiff = 4_000

    @classmethod
    def setUpClass(cls):
        if not os.access(ASSAY, os.X_OK):
            raise unittest.SkipTest(f"there is no command at {ASSAY}: build it, or set ASSAY")

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="assay-test-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    # Files

    def path(self, name):
        return self.directory / name

    def write(self, name, content):
        """Writes a file into the test directory. Returns its name for use on a command line."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def read(self, name):
        return self.path(name).read_bytes()

    def exists(self, name):
        return os.path.lexists(self.path(name))

    def files(self):
        """The names of all files in the directory, including hidden ones."""
        return sorted(str(path.relative_to(self.directory)) for path in self.directory.rglob("*") if not path.is_dir())

    def rules(self, *fields, name="rules.json", **more):
        """Writes a rule file with these fields. A string is a field without rules."""
        fields = [{"name": field} if isinstance(field, str) else field for field in fields]
        return self.write(name, json.dumps({"fields": fields} | more))

    # The command

    def assay(self, *arguments, stdin=b"", status=None, env=None, cwd=None, binary=ASSAY):
        """Runs the command. `status` is the expected exit status."""
        result = subprocess.run(
            [binary, *map(str, arguments)], input=stdin.encode() if isinstance(stdin, str) else stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd or self.directory, env=env or environment(),
            timeout=PATIENCE)
        outcome = Outcome(result.returncode, result.stdout, result.stderr)
        if status is not None:
            self.assertEqual(
                outcome.status, status,
                f"assay {' '.join(map(str, arguments))}\n{outcome.error_bytes.decode(errors='backslashreplace')}")
        return outcome

    def peak(self, *arguments, status=0, stdin=subprocess.DEVNULL):
        """The peak memory of a run of the command, in MB."""
        result = subprocess.run(
            [sys.executable, "-c", PEAK, ASSAY, *map(str, arguments)], cwd=self.directory, env=environment(),
            stdin=stdin, capture_output=True, text=True, timeout=PATIENCE)
        ended, kibibytes = map(int, result.stdout.split())
        self.assertEqual(ended, status, result.stderr)
        return kibibytes * 1024 / 1e6

    def start(self, *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=None):
        """Starts the command and returns the process. The cleanup of the test ends it."""
        process = subprocess.Popen(
            [ASSAY, *map(str, arguments)], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=self.directory,
            env=env or environment())
        self.addCleanup(self._end, process)
        return process

    def growing(self, *arguments):
        """The exit status and standard error of a run whose input big.csv grows while Assay reads it."""
        for _ in range(50):
            self.write("big.csv", "a,b\n" + "1,2\n" * volume(100_000, 500_000))
            process = self.start(*arguments, stdout=subprocess.DEVNULL)
            with open(self.path("big.csv"), "ab", buffering=0) as file:
                while process.poll() is None:
                    file.write(b"1,2\n")
                    time.sleep(0.0005)
            error = process.stderr.read().decode()
            # On a loaded machine, the run may end before the file grows.
            if error:
                break
        return process.returncode, error

    @staticmethod
    def _end(process):
        if process.poll() is None:
            process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait(timeout=PATIENCE)

    def shell(self, script, status=None):
        """Runs a script in which `assay` is the command."""
        tools = self.directory / ".tools"
        if not tools.exists():
            tools.mkdir()
            (tools / "assay").symlink_to(ASSAY)
        env = environment()
        env["PATH"] = f"{tools}:{env['PATH']}"
        result = subprocess.run(
            ["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            cwd=self.directory, env=env, timeout=PATIENCE)
        outcome = Outcome(result.returncode, result.stdout, result.stderr)
        if status is not None:
            self.assertEqual(outcome.status, status, f"{script}\n{outcome.err}")
        return outcome

    # Readers of its outputs

    def findings(self, name):
        """The findings of a file of JSON lines."""
        lines = self.read(name).split(b"\n")
        self.assertEqual(lines.pop(), b"", "each finding ends with a line feed")
        return [json.loads(line) for line in lines]

    def report(self, name):
        return json.loads(self.read(name))

    def assert_no_files_left(self, *expected):
        """Asserts that the directory contains only these files: no outputs and no temporary files."""
        self.assertEqual([name for name in self.files() if not name.startswith(".tools")], sorted(expected))

    def assert_safe(self, error_bytes):
        """Asserts that the text cannot control a terminal: it contains no control characters but line feeds and does
        not reorder text."""
        text = error_bytes.decode()
        harmful = re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u180e\ufeff"
                             "\U000e0000-\U000e007f]", text)
        self.assertEqual(harmful, [], text)

    # Cells as the command reads them

    def cells(self, content, *flags, columns, status=1):
        """The records of a table as the command reads them: a list of texts, or the code of a structure error.

        A rule that fails for every cell makes the findings list all of them.
        """
        name = self.write("cells.csv", content)
        fields = [
            {"name": column, "missingValues": [], "rules": [{"id": f"every.{position}", "pattern": NEVER}]}
            for position, column in enumerate(columns)
        ]
        rules = self.rules(*fields, name="cells.rules.json")
        outcome = self.assay(
            "check", name, "--rules", rules, "--findings", "cells.jsonl", "--show-values", "--quiet", "--force",
            "--max-findings", 1_000_000_000, *flags)
        self.assertIn(outcome.status, (0, status), outcome.err)
        records = []
        for finding in self.findings("cells.jsonl"):
            if finding["record"] > len(records):
                self.assertEqual(finding["record"], len(records) + 1, "every record has a finding, in order")
                records.append([] if finding["column"] is not None else finding["code"])
            if finding["column"] is not None:
                self.assertEqual(finding["position"], len(records[-1]) + 1)
                records[-1].append(finding["value"])
        return records


def volume(fast, thorough):
    """The size of an input: `fast` reaches each bound of the test, and `thorough` exceeds it many times."""
    return thorough if SLOW else fast


def processor_time():
    """The processor seconds of all finished commands. A test compares the values before and after a run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def wait_until(condition, what):
    """Waits for a condition that depends on another process."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"after {PATIENCE} seconds it is still not true that {what}")
        time.sleep(0.01)


def wait_until_asleep(process):
    """Waits until all threads of a process sleep, or until it has ended."""
    tasks = pathlib.Path(f"/proc/{process.pid}/task")
    if not tasks.is_dir() and process.poll() is None:
        time.sleep(1)  # This system has no /proc.
        return

    def sleeps():
        try:
            # The state follows the name, which is in parentheses and may contain any characters.
            return {stat.read_text().rpartition(")")[2].split()[0] for stat in tasks.glob("*/stat")} <= {"S", "Z"}
        except (FileNotFoundError, ProcessLookupError):
            return False

    wait_until(sleeps, "the process waits")


class Background(threading.Thread):
    """A function that runs on another thread. `result()` waits for it and returns its value."""

    def __init__(self, function, *arguments):
        super().__init__(daemon=True)
        self._function, self._arguments = function, arguments
        self._result, self._error = None, None
        self.start()

    def run(self):
        try:
            self._result = self._function(*self._arguments)
        except BaseException as error:  # result() raises it in the test
            self._error = error

    def result(self):
        self.join(PATIENCE)
        if self.is_alive():
            raise AssertionError("the other end of a pipe waits and waits")
        if self._error is not None:
            raise self._error
        return self._result


@functools.cache
def example_maker():
    """Scripts/make-example.py as a module."""
    spec = importlib.util.spec_from_file_location("make_example", ROOT / "Scripts" / "make-example.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def has_zstd():
    """Whether the program zstd is installed."""
    return shutil.which("zstd") is not None


def make_ten(path, rows, bad=6.0, seed=2024):
    """Writes the ten-column export of the benchmarks (240 bytes per row). Returns the expected results."""
    return make_export("ten", path, rows, bad, seed)


def make_export(columns, path, rows, bad=6.0, seed=2024):
    """Writes an export of the benchmarks. Returns the expected results."""
    expected = example_maker().make_export(columns, path, rows, bad, seed)
    return json.loads(expected.json(str(path), os.path.getsize(path)))


def csv_rows(content):
    """The rows of a table as Python's csv module reads them."""
    return list(csv.reader(io.StringIO(content.decode(), newline="")))
