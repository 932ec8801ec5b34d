"""Checks that the same table always gives the same outputs: two rows of each built-in type, and two of the postal codes
of San Marino.

    ASSAY=.build/release/assay python3 Tests/Torture/repeats.py --runs 3000 --rounds 1200 --busy 4

A run is one process of the command. A round cleans a table of two rows in a long-lived process (Driver/main.swift). The
expected verdicts are from Tests/Types/cases.tsv, and all outputs must equal the first ones, byte for byte. Runs
alternate between one thread and four, a pinned processor, a pipe, other contents of fresh memory, and chaos.c, which
shortens reads, pauses threads and denies executable memory. `--busy 4` starts four processes that use processor time.
"""

import argparse
import collections
import contextlib
import itertools
import json
import math
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from conservation import Driver
from scene import ASSAY, PATIENCE

FOLDER = pathlib.Path(__file__).resolve().parent
CASES = FOLDER.parent / "Types/cases.tsv"
SAN_MARINO = "postal-code country=SM"
# Equal tables in one process; ten times this number if they have one column.
SAME = 50
# The variants of a run: options, environment, whether it is pinned to one processor, whether it reads a pipe.
WAYS = [
    ("as it is", [], {}, False, False),
    ("1 thread", ["--threads", "1"], {}, False, False),
    ("4 threads", ["--threads", "4"], {}, False, False),
    ("4 threads, pinned", ["--threads", "4"], {}, True, False),
    ("from a pipe", [], {}, False, True),
    ("other memory", [], {"MALLOC_PERTURB_": "*"}, False, False),
    ("pauses", ["--threads", "4"], {"CHAOS": "pauses"}, False, False),
    ("pauses, pinned", ["--threads", "4"], {"CHAOS": "pauses"}, True, False),
    ("short reads", [], {"CHAOS": "reads"}, False, False),
    ("short reads from a pipe", [], {"CHAOS": "reads,pauses"}, False, True),
    ("JIT fails at times", [], {"CHAOS": "jit"}, False, False),
    ("all of it", ["--threads", "4"], {"CHAOS": "pauses,reads,jit", "MALLOC_PERTURB_": "*"}, False, False),
]


def cases():
    """The values of each type that fit into a cell, as pairs: whether the value is valid, and its bytes."""
    forms = {SAN_MARINO: [(True, b"47890"), (True, b"47895"), (False, b"4789"), (False, b"57890")]}
    for line in CASES.read_bytes().split(b"\n"):
        if line.count(b"\t") < 2 or line.startswith(b"#"):
            continue
        form, sign, value = line.split(b"\t", 2)
        value = re.sub(rb"\\(\\|x(..))", lambda found: bytes.fromhex((found[2] or b"5c").decode()), value)
        with contextlib.suppress(UnicodeDecodeError):
            if value.decode().isprintable() and value:
                forms.setdefault(form.decode(), []).append((sign == b"+", value))
    return forms


class Table:
    """Two rows with a column for each type, and the cells that must be rejected."""

    def __init__(self, name, forms, rows):
        self.name = name
        self.columns = len(forms)
        names = [f"c{number}" for number in range(len(forms))]
        cells = ([b'"%s"' % value.replace(b'"', b'""') for _, value in row] for row in rows)
        self.text = b"\n".join([",".join(names).encode(), *(b",".join(row) for row in cells), b""])
        self.rules = json.dumps({"fields": [{"name": name, "format": form} for name, form in zip(names, forms)]})
        self.expected = [
            (number, name) for number, row in enumerate(rows, 1) for name, (passes, _) in zip(names, row) if not passes]


def tables(chance):
    """Three tables: only 47890, a good and a bad code, and all types."""
    forms = cases()
    codes = forms[SAN_MARINO]
    pairs = [[chance.choice(values) for values in forms.values()] for _ in range(2)]
    return [
        Table("47890 twice", [SAN_MARINO], [[codes[0]], [codes[0]]]),
        Table("a good and a bad code", [SAN_MARINO], [[codes[0]], [codes[2]]]),
        Table("all types", list(forms), pairs),
    ]


def rejected(findings):
    """The places of the findings."""
    return [(finding["record"], finding["column"]) for finding in map(json.loads, findings.splitlines())]


def compiled_chaos(directory):
    """The path of chaos.c as a library, or None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    library = directory / "chaos.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, FOLDER / "chaos.c", "-ldl"], check=True)
    return library


def run_command(directory, way, table, number, chaos):
    """The exit status and the output of the command."""
    _, options, changes, is_pinned, is_pipe = way
    variables = {key: str(number % 255 + 1) if value == "*" else value for key, value in changes.items()}
    if "CHAOS" in changes:
        variables |= {"CHAOS_SEED": str(number), "LD_PRELOAD": str(chaos)}
    command = [ASSAY, "check", "-" if is_pipe else "table.csv", "-r", "rules.json", "-q", "--format", "csv",
               "--findings", "-", *options]
    if is_pinned:
        command = ["taskset", "-c", str(number % len(os.sched_getaffinity(0))), *command]
    run = subprocess.run(command, cwd=directory, capture_output=True, timeout=PATIENCE,
                         input=table.text if is_pipe else None, env=os.environ | variables)
    return run.returncode, run.stdout, run.stderr


def repeat_command(runs, seed, end, directory, preloads, tally, defects):
    chance = random.Random(seed)
    chaos = compiled_chaos(directory) if preloads else None
    ways = [way for way in WAYS if ("CHAOS" not in way[2] or chaos) and (not way[3] or shutil.which("taskset"))]
    for table, share in zip(tables(chance), (2, 1, 1)):
        (directory / "table.csv").write_bytes(table.text)
        (directory / "rules.json").write_text(table.rules)
        first_out = None
        for number, way in zip(range(runs * share // 4), itertools.cycle(ways)):
            if time.monotonic() > end:
                break
            status, out, err = run_command(directory, way, table, number, chaos)
            first_out = first_out or out
            found = rejected(out) if status in (0, 1) else None
            tally[f"runs: {table.name}"] += 1
            tally[f"runs: {way[0]}"] += 1
            if (status, found, out, err) == (int(bool(table.expected)), table.expected, first_out, b""):
                continue
            defects.append(
                f"{table.name}, run {number} ({way[0]}): status {status}, {out!r}, {err!r}, and not {first_out!r} "
                f"with {table.expected}")


def repeat_in_process(rounds, seed, end, tally, defects):
    chance = random.Random(seed)
    with contextlib.closing(Driver()) as driver:
        for first in range(0, rounds, SAME):
            if time.monotonic() > end:
                break
            # Random values of all types, or only the codes.
            table = tables(chance)[2 if first // SAME % 2 == 0 else chance.randrange(2)]
            (driver.directory / "table").write_bytes(table.text)
            (driver.directory / "rules.json").write_text(table.rules)
            first_outputs = None
            for _ in range(SAME if table.columns > 1 else 10 * SAME):
                way = chance.choice(["job", "job", "pieces", "stream"])
                sizes = [chance.choice([1, 7, 64, 1 << 16]), chance.choice([1, 3, 16, 1_000, 1 << 18]),
                         chance.choice([1, 20, 512]), chance.choice([1, 2, 64]), chance.choice([1, 2, 7, 1_000])]
                words = [way, chance.randint(1, 4), *sizes, 0, "csv", "none", "utf-8", 1]
                line = " ".join(map(str, words))
                answer = driver.ask(line)
                outputs = [(driver.directory / name).read_bytes() for name in ("clean", "rejects", "findings")]
                tally["in one process: tables"] += 1
                tally["in one process: columns of two rows"] += table.columns
                first_outputs = first_outputs or outputs
                if outputs != first_outputs or rejected(
                        outputs[2]) != table.expected or not answer.startswith("done 2 "):
                    defects.append(
                        f"{table.name}, {line}: {answer}, {outputs}, and not {first_outputs} with {table.expected}")
                    driver.end()


def run(runs, rounds, seed, busy=0, preloads=True, minutes=math.inf):
    """Counts of the trials, and the defects."""
    end = time.monotonic() + 60 * minutes
    tally, defects = collections.Counter(), []
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        with tempfile.TemporaryDirectory(prefix="assay-repeats-") as directory:
            repeat_command(runs, seed, end, pathlib.Path(directory), preloads, tally, defects)
        repeat_in_process(rounds, seed, end, tally, defects)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    return tally, defects


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=240, help="how many processes of the command")
    parser.add_argument("--rounds", type=int, default=100, help="how many tables in one process")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0, help="processes that take processor time meanwhile")
    parser.add_argument("--minutes", type=float, default=math.inf, help="end after these, with the counts so far")
    parser.add_argument("--no-preload", action="store_true", help="without chaos.c, which sanitizers do not go with")
    options = parser.parse_args()
    tally, defects = run(options.runs, options.rounds, options.seed, options.busy, not options.no_preload,
                         options.minutes)
    for what, count in tally.items():
        print(f"{what:44} {count:,}")
    for defect in defects:
        print(f"DEFECT {defect}")
    print(f"{len(defects)} defects: {shlex.join(sys.argv)}")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
