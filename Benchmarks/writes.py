"""Measures whether the system serializes writes: one or two threads write 1 GiB with pwrite, to one new file or one
file each.

    python3 Benchmarks/writes.py DIRECTORY

Prints the seconds of the best of seven rounds, and the number of times that a thread had to wait in that round. Each
write has 256 KiB, as in `assay clean`. The number of waits is meaningful even on a busy machine. The directory needs 1
GiB of free space. The files are removed, and the program does not wait until they are on disk.
"""

import os
import resource
import sys
import tempfile
import threading
import time

ALL = 1 << 30
PIECE = bytes(range(256)) * (1 << 10)


def write(descriptor, start, end):
    for place in range(start, end, len(PIECE)):
        os.pwrite(descriptor, PIECE, place)


def waits():
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def measure(directory, threads, files):
    """Returns the duration of writing all parts, one per thread, and the number of waits."""
    made = [tempfile.TemporaryFile(dir=directory) for _ in range(files)]
    part = ALL // threads
    workers = [
        threading.Thread(target=write, args=(made[number % files].fileno(), number * part, (number + 1) * part))
        for number in range(threads)]
    before, start = waits(), time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    taken = (time.perf_counter() - start, waits() - before)
    for file in made:
        file.close()
    return taken


def main():
    directory = sys.argv[1]
    ways = [(1, 1), (2, 1), (2, 2)]
    rounds = [[measure(directory, *way) for way in ways] for _ in range(7)]
    for number, (threads, files) in enumerate(ways):
        seconds, waited = min(taken[number] for taken in rounds)
        name = f"{threads} thread{'s' * (threads > 1)}, {files} file{'s' * (files > 1)}"
        print(f"{name}  {seconds:.2f} s, {waited} waits")


main()
