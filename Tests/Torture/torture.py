"""Disturbs runs of the command in every way that a test can, and prints the number of trials of each kind.

    ASSAY=.build/release/assay python3 Tests/Torture/torture.py [--minutes 60] [--seed 1] [--only
    kills,faults,repeats,conservation]
    … --minutes 0 --only conservation --files 1000000        a million mutated files

`make torture` runs it. Faults and kills at system calls need strace; without strace, the script skips and reports them.
Exit status 1: data was lost, outputs were published in part, or files were left behind. The lines above the table
contain the command that repeats the failure.
"""

import argparse
import shutil
import subprocess
import sys
import time

import conservation
import faults
import kills
import power
import repeats
from scene import Scene

SCENES = [
    {"name": "CSV, 1 thread", "rows": 3_000, "threads": 1},
    {"name": "CSV, 4 threads", "rows": 6_000, "threads": 4},
    {"name": "gzip, keys, 2 threads", "rows": 3_000, "threads": 2, "packed": True, "keys": True},
    {"name": "--resume, 1 thread", "rows": 12_000, "threads": 1, "resumes": True},
]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60, help="how long mutated files and random moments go on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--step", type=int, default=1, help="only each so many-th system call")
    parser.add_argument("--times", type=int, default=500, help="how many random moments between two looks at the clock")
    parser.add_argument("--files", type=int, default=20_000,
                        help="how many mutated files between two looks at the clock")
    parser.add_argument("--runs", type=int, default=240,
                        help="how many runs of one command between two looks at the clock")
    parser.add_argument("--only", default="kills,faults,repeats,conservation")
    options = parser.parse_args()
    selected = options.only.split(",")
    rows: list[str] = []
    defects: list[str] = []

    def row(what: str, outcome: object) -> None:
        rows.append(f"{what:44} {outcome}")
        print(rows[-1], flush=True)

    def attempt(what: str, work, *arguments) -> None:
        try:
            row(what, ", ".join(f"{key}: {value:,}" for key, value in work(*arguments).items()))
        except AssertionError as defect:
            defects.append(f"{what}: {defect}")
            print(f"DEFECT {defects[-1]}", flush=True)

    # Containers may forbid ptrace, which strace needs.
    has_strace = shutil.which("strace") is not None and subprocess.run(
        ["strace", "-o", "/dev/null", "true"]).returncode == 0
    if not has_strace:
        row("faults, kills at system calls", "skipped: strace is not installed, or may not trace")
    for description in SCENES if {"kills", "faults"} & set(selected) else []:
        scene = Scene(**description)
        if "kills" in selected and has_strace:
            attempt(f"SIGKILL at each system call: {scene.name}", kills.at_each_call, scene, options.step)
            attempt(f"order of writes and renames: {scene.name}", power.order, scene)
        if "faults" in selected and has_strace:
            table, found = faults.at_each_call(scene, options.step)
            defects += found
            for defect in found:
                print(f"DEFECT {defect}", flush=True)
            for call, ends in table.items():
                row(f"{scene.name}: {call}", ", ".join(f"{end}: {count}" for end, count in sorted(ends.items())))
        scene.remove()

    # The remaining time is for the tests that can run without end.
    end = time.monotonic() + 60 * options.minutes
    seed = options.seed
    while True:
        if "repeats" in selected:
            tally, found = repeats.run(options.runs, options.runs, seed)
            defects += found
            for defect in found:
                print(f"DEFECT {defect}", flush=True)
            row(f"the same two rows, seed {seed}", ", ".join(f"{what}: {count:,}" for what, count in tally.items()))
        if "conservation" in selected:
            tally, found = conservation.run(options.files, seed)
            defects += found
            for defect in found:
                print(f"DEFECT {defect}", flush=True)
            row(f"mutated files, seed {seed}", ", ".join(f"{what}: {count:,}" for what, count in tally.items()))
        if "kills" in selected:
            for resumes in (False, True):
                scene = Scene("--resume" if resumes else "CSV", 60_000, 2, resumes=resumes)
                attempt(f"SIGKILL at random moments: {scene.name}", kills.at_random, scene, options.times, seed)
                scene.remove()
        seed += 1
        if time.monotonic() > end or not {"conservation", "kills", "repeats"} & set(selected):
            break
    print(f"{len(defects)} defects")
    for defect in defects:
        print(defect)
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
