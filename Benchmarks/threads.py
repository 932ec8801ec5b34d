"""Measures `check`, `clean` and `profile` with one thread, one thread per processor, and more threads.

    python3 Benchmarks/threads.py [--assay .build/release/assay] [--rows N] [--rounds N] [--threads 1,2,3,7]

Uses an export of a million rows, 0.24 GB, with 6 % bad rows. Each round runs all numbers of threads, and the best round
of each counts, in elapsed and processor time. All runs must write the same bytes.
"""

import argparse
import hashlib
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "Benchmarks" / "export.rules.yaml"


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, folder):
    """Returns the elapsed seconds, the processor seconds, and the digest of the outputs."""
    for file in folder.iterdir():
        file.unlink()
    before, start = used(), time.perf_counter()
    # Status 1 means that `check` found bad rows.
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    seconds = time.perf_counter() - start, used() - before
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode())
    # Skip the first line of a profile, which contains the duration.
    digest = hashlib.sha256(done.stdout.split(b"\n", 1)[-1])
    for file in sorted(folder.iterdir()):
        # Skip the report, which contains its time and the number of threads.
        if not file.name.endswith(".report.json"):
            digest.update(file.read_bytes())
    return *seconds, digest.hexdigest()


def main():
    processors = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default=".build/release/assay")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", default=f"1,{processors},{processors + 1},{3 * processors + 1}")
    options = parser.parse_args()
    numbers = [int(number) for number in options.threads.split(",")]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        export, outputs = pathlib.Path(folder) / "export.csv", pathlib.Path(folder) / "outputs"
        outputs.mkdir()
        subprocess.run(
            [sys.executable, ROOT / "Scripts" / "make-example.py", "--columns", "ten", "--rows", str(options.rows),
             "--output", export], check=True, stdout=subprocess.DEVNULL)
        commands = {
            "check": ["check", export, "--rules", RULES, "--quiet"],
            "clean": ["clean", export, "--rules", RULES, "--quiet", "--output-dir", outputs],
            "profile": ["profile", export, "--quiet"],
        }
        print(f"{processors} processors\n\n| | threads | seconds | processor seconds | times one for each processor |")
        print("|:--|--:|--:|--:|--:|")
        for name, words in commands.items():
            best, answers = {}, set()
            for _ in range(options.rounds):
                for number in dict.fromkeys([processors, *numbers]):
                    *seconds, answer = run([options.assay, *map(str, words), "--threads", str(number)], outputs)
                    best[number] = [min(pair) for pair in zip(seconds, best.get(number, seconds))]
                    answers.add(answer)
            if len(answers) != 1:
                sys.exit(f"{name}: what was written depends on the threads")
            for number in numbers:
                clock, cpu = best[number]
                print(f"| `{name}` | {number} | {clock:.3f} | {cpu:.3f} | {clock / best[processors][0]:.2f} |")


if __name__ == "__main__":
    main()
