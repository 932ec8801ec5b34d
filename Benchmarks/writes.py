"""How the system takes 1 GiB that one thread or two write by pwrite, to one new file or to one each: does it serialise?

    python3 Benchmarks/writes.py DIRECTORY

Seconds, the best of seven rounds, in pieces of 256 KiB, as `assay clean` writes them. The directory has to have room for 1 GiB;
nothing stays in it, and nothing is waited for until it is on the disk.
"""

import os
import sys
import tempfile
import threading
import time

ALL = 1 << 30
PIECE = bytes(range(256)) * (1 << 10)


def write(descriptor, start, end):
    for place in range(start, end, len(PIECE)):
        os.pwrite(descriptor, PIECE, place)


def seconds(directory, threads, files):
    """How long it takes to write all of it; each thread writes its part."""
    made = [tempfile.TemporaryFile(dir=directory) for _ in range(files)]
    part = ALL // threads
    workers = [
        threading.Thread(target=write, args=(made[number % files].fileno(), number * part, (number + 1) * part))
        for number in range(threads)]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    taken = time.perf_counter() - start
    for file in made:
        file.close()
    return taken


def main():
    directory = sys.argv[1]
    ways = [(1, 1), (2, 1), (2, 2)]
    rounds = [[seconds(directory, *way) for way in ways] for _ in range(7)]
    for number, (threads, files) in enumerate(ways):
        print(f"{threads} thread{'s' * (threads > 1)}, {files} file{'s' * (files > 1)}  {min(taken[number] for taken in rounds):.2f} s")


main()
