"""Whether the system serializes writes: one or two threads write 1 GiB with pwrite, to one new file or one file each.

Each write has 256 KiB, as in `assay clean`. The number of waits is meaningful even on a busy machine. --scratch is the
folder, which needs 1 GiB of free space. The files are removed, and the case does not wait until they are on disk."""

import os
import resource
import tempfile
import threading
import time

from harness.race import Measured, Race, Sample, table
from harness.results import Report

ALL = 1 << 30
PIECE = bytes(range(256)) * (1 << 10)


def run(options):
    rounds, race, waits = options.rounds_or(1, 7), Race("1 GiB", ALL, None), {}
    for threads, files in (1, 1), (2, 1), (2, 2):
        name = f"{threads} thread{'s' * (threads > 1)}, {files} file{'s' * (files > 1)}"
        waits[name] = []
        race.add(
            name,
            lambda found=waits[name], threads=threads, files=files: write_all(options.scratch, threads, files, found),
            threads=threads,
        )
    race.run(rounds, warm_up=False)
    lines = []
    for one in race.contenders:
        fastest = one.samples.index(one.best)
        lines.append([one.name, one.wall, waits[one.name][fastest]])
    return Report(
        f"pwrite of 1 GiB in {options.scratch}, the best of {rounds} rounds.",
        [table("|seconds|waits of a thread in this round", lines)],
        races=[race],
    )


def write_all(folder, threads, files, waits):
    """Writes all parts, one per thread, and adds the number of waits."""
    made = [tempfile.TemporaryFile(dir=folder) for _ in range(files)]
    part = ALL // threads
    workers = [
        threading.Thread(target=write, args=(made[number % files].fileno(), number * part, (number + 1) * part))
        for number in range(threads)
    ]
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw, time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sample = Sample(time.perf_counter() - start, None)
    waits.append(resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw - before)
    for file in made:
        file.close()
    return Measured(None, sample)


def write(descriptor, start, end):
    for place in range(start, end, len(PIECE)):
        os.pwrite(descriptor, PIECE, place)
