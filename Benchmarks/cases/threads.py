"""`check`, `clean` and `profile` with one thread, one thread per processor, and more threads.

An export with 6 % bad rows. All runs must write the same bytes."""

import hashlib
import os

from harness.command import run as run_command
from harness.command import workplace
from harness.race import Measured, Race, table
from harness.results import Report

from . import export


def run(options):
    rounds, processors, races = options.rounds_or(1, 9), len(os.sched_getaffinity(0)), []
    numbers = list(dict.fromkeys([processors, 1, processors + 1, 3 * processors + 1]))
    with workplace(options.scratch) as place:
        data = export.make(place, options.rows_or(50_000), 6)
        commands = {
            "check": ["check", data.path, "--rules", data.rules, "--quiet"],
            "clean": ["clean", data.path, "--rules", data.rules, "--quiet", "--output-dir", place / "out"],
            "profile": ["profile", data.path, "--quiet"],
        }
        for name, words in commands.items():
            command = [options.command, *words, "--threads"]
            race = Race(name, data.bytes, measured(place, [*command, 1]).answer)
            for number in numbers:
                race.add(
                    name, lambda command=command, number=number: measured(place, [*command, number]), threads=number
                )
            races.append(race.run(rounds, warm_up=False))
    lines = [
        [f"`{race.subject}`", number, one.wall, one.cpu, one.wall / race.contenders[0].wall]
        for race in races
        for number in sorted(numbers)
        for one in [race[race.subject, number]]
    ]
    return Report(
        f"{processors} processors. The best of {rounds} rounds. All runs write the same bytes.",
        [table("|threads|seconds|processor seconds|× one for each processor", lines)],
        races=races,
    )


def measured(place, command):
    """Runs a command, and returns the digest of its outputs."""
    output = place.fresh()
    # Status 1 means that `check` found bad rows.
    sample = run_command(command, output=place / "output", statuses=(0, 1))
    # Skip the first line of a profile, which contains the duration.
    digest = hashlib.sha256((place / "output").read_bytes().split(b"\n", 1)[-1])
    for file in sorted(output.iterdir()):
        # Skip the report, which contains its time and the number of threads.
        if not file.name.endswith(".report.json"):
            digest.update(file.read_bytes())
    return Measured(digest.hexdigest(), sample)
