"""How the system takes 1 GiB that one thread or two write by pwrite, to one new file or to one each: does it serialise?

    python3 Benchmarks/writes.py DIRECTORY

Seconds, the best of seven rounds, and how often a thread then had to wait for something, in pieces of 256 KiB, as `assay clean` writes
them. The waits tell also on a machine that has other work to do. The directory has to have room for 1 GiB; nothing stays in it, and
nothing is waited for until it is on the disk.
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
    """How long it takes to write all of it, each thread its part, and how often one waits."""
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
