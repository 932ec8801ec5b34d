"""The serial part of `assay check` and `clean` with the command's own figures, because it limits the gain of more
threads."""

import json
import subprocess

from harness.command import workplace
from harness.race import figure, gigabytes, table, times
from harness.results import Goal, Report

from . import export


def run(options):
    rounds = options.rounds_or(1, 9)
    shares, parts, lines = [], [], []
    with workplace(options.scratch) as place:
        data = export.make(place, options.rows_or(50_000), 6)
        for threads in 1, 2, 7:
            place.touch(2 * data.bytes)
            command = [
                options.command,
                "bench",
                data.path,
                "--rules",
                data.rules,
                "--stages",
                "--json",
                "--threads",
                threads,
            ]
            command += ["--rounds", rounds, "--temp-dir", place.folder]
            figures = json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE).stdout)
            export.compare("assay bench --stages, records", figures["records"], data.records)
            for name in "check", "clean":
                one = figures[name]
                serial = {part: seconds * 1e3 for part, seconds in one["serialSeconds"].items()}
                speed_ups = [times(one["model"]["speedUp"][str(number)]) for number in (4, 8, 16, 32, 64)]
                share = f"{figure(one['share'] * 100)} %"
                lines.append([name, threads, serial["all"], one["processorSeconds"] * 1e3, share, *speed_ups])
                publishing = one["publishingSeconds"] * 1e3
                parts.append([name, threads, serial["records"], serial["outputs"], serial["ends"], publishing])
                shares.append((one["share"] * 100, f"{name}, {threads} thread{'s' * (threads > 1)}"))
    return Report(
        f"""`assay bench --stages` on an export of ten columns with a pattern each, {gigabytes(data.bytes)}, 6 % of the
        rows bad, from file to files in {options.scratch}; best of {rounds} rounds. Milliseconds. share: the time in
        which only one thread may work, of all processor time. 4 to 64: the largest possible speedup of so many
        threads against one, by Amdahl's law with this share; it is not measured.""",
        [
            table("run|threads|one at a time, ms|processor ms|share|4|8|16|32|64", lines),
            table("run|threads|records|outputs|begin and end|to the disk, not counted", parts),
        ],
        [
            Goal(
                "share in which only one thread may work",
                max(shares)[0],
                at_most=2,
                unit=" %",
                note=f"the worst: {max(shares)[1]}",
            )
        ],
    )
