"""The work of `assay check` and `clean` that only one thread at a time may do, because it limits the gain of more
threads. StagesDriver (Benchmarks/Stages) runs them and has the times."""

import json
import pathlib
import subprocess

from harness.command import workplace
from harness.race import figure, gigabytes, table, times
from harness.results import Goal, Report

from . import export

PARTS = ("records", "keys", "findings", "outputs", "ends")


def speed_up(share, threads):
    """The upper bound on the speed-up over one thread, if the serial part is constant and all other work is parallel.

    A model, not a measurement: Amdahl, Validity of the single processor approach to achieving large scale computing
    capabilities, AFIPS 1967."""
    return 1 / (share + (1 - share) / threads)


def run(options):
    rounds = options.rounds_or(1, 9)
    driver = pathlib.Path(options.command).resolve().parent / "StagesDriver"
    shares, parts, lines = [], [], []
    with workplace(options.scratch) as place:
        data = export.make(place, options.rows_or(50_000), 6)
        for threads in 1, 2, 7:
            place.touch(2 * data.bytes)
            command = [driver, data.path, data.rules, threads, rounds, place.folder]
            figures = json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE).stdout)
            export.compare("StagesDriver, records", figures["records"], data.records)
            for name in "check", "clean":
                one = figures[name]
                serial = sum(one["serialSeconds"][part] for part in PARTS)
                share = min(1, serial / one["processorSeconds"]) if one["processorSeconds"] > 0 else 0
                bounds = [times(speed_up(share, number)) for number in (4, 8, 16, 32, 64)]
                lines.append(
                    [name, threads, serial * 1e3, one["processorSeconds"] * 1e3, f"{figure(share * 100)} %", *bounds])
                milliseconds = [one["serialSeconds"][part] * 1e3 for part in PARTS]
                parts.append([name, threads, *milliseconds, one["publishingSeconds"] * 1e3])
                shares.append((share * 100, f"{name}, {threads} thread{'s' * (threads > 1)}"))
    return Report(
        f"""StagesDriver on an export of ten columns with a pattern each, {gigabytes(data.bytes)}, 6 % of the rows bad,
        from file to files in {options.scratch}; best of {rounds} rounds. Milliseconds. share: the time in which only
        one thread may work, of all processor time. 4 to 64: the largest possible speedup of so many threads against
        one, by Amdahl's law with this share; it is not measured.""",
        [
            table("run|threads|one at a time, ms|processor ms|share|4|8|16|32|64", lines),
            table("run|threads|records|keys|findings|outputs|begin and end|to the disk, not counted", parts),
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
