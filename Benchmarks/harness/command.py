"""Commands that are measured from their start to their end, with all of their threads and their memory."""

import contextlib
import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from . import ROOT
from .race import OverLimit, Sample, figure


@dataclass(frozen=True)
class Limit:
    """The limits of a command; 0 is no limit."""

    seconds: int = 0
    megabytes: int = 0


@functools.cache
def launcher():
    """Compiles measure.c, and returns the path of the program."""
    source, program = pathlib.Path(__file__).with_name("measure.c"), ROOT / "build" / "measure"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        program.parent.mkdir(exist_ok=True)
        subprocess.run(["cc", "-std=c11", "-O2", "-pthread", "-o", program, source], check=True)
    return str(program)


def run(command, processors=0, limit=Limit(), output=os.devnull, statuses=(0,)):
    """Runs a command on a number of processors (0: all), and returns its cost. Raises OverLimit if it exceeded a limit.

    The number of processors is limited by the scheduler, because not every program has an option for threads."""
    words = [launcher(), processors, limit.seconds, limit.megabytes, output, *command]
    found = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, encoding="utf-8").stdout.split()
    if len(found) != 7:
        raise RuntimeError(f"cannot run {command[0]}")
    wall, user, system, peak, own, status, exceeded = map(int, found)
    if exceeded:
        raise OverLimit(
            f"over {limit.seconds} s" if exceeded == 1 else f"over {figure(limit.megabytes / 1e3)} GB of memory"
        )
    if status not in statuses:
        raise RuntimeError(f"{' '.join(map(str, command))} ends with status {status}")
    return Sample(wall / 1e9, (user + system) / 1e6, peak, own or None)


PREFIX = "assay-benchmarks-"


class Workplace:
    """A temporary folder for exports and outputs, in memory if possible."""

    def __init__(self, folder):
        self.folder = folder

    def __truediv__(self, name):
        return self.folder / name

    @property
    def free_bytes(self):
        """The free bytes of the file system, limited to the free memory, because the file system may be in memory."""
        room = shutil.disk_usage(self.folder).free
        memory = pathlib.Path("/proc/meminfo")
        for line in memory.read_text().splitlines() if memory.exists() else []:
            if line.startswith("MemAvailable:"):
                return min(room, int(line.split()[1]) << 10)
        return room

    def touch(self, size):
        """Allocates memory, writes to it and frees it, because the first use of memory in a virtual machine is slow and
        must not be measured. Call it directly before each run, because some machines reclaim free memory within
        seconds."""
        piece = bytes(64 << 20)
        with open(self / "touched", "wb") as file:
            for _ in range(max(1, min(size, self.free_bytes - (1 << 30)) // len(piece))):
                file.write(piece)
        (self / "touched").unlink()

    def fresh(self, name="out"):
        """Returns an empty folder, and removes an earlier one of this name."""
        shutil.rmtree(self / name, ignore_errors=True)
        (self / name).mkdir()
        return self / name


@contextlib.contextmanager
def workplace(parent):
    """Makes a Workplace, and removes it at the end, also if a signal ends the run."""
    remove_leftovers(parent)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(dir=parent, prefix=f"{PREFIX}{os.getpid()}-") as folder:
        yield Workplace(pathlib.Path(folder))


def remove_leftovers(parent):
    """Removes the files of killed runs, because they may fill the memory."""
    for path in pathlib.Path(parent).glob(PREFIX + "*"):
        process = path.name.removeprefix(PREFIX).split("-")[0]
        try:
            os.kill(int(process), 0)
        except ProcessLookupError:
            shutil.rmtree(path, ignore_errors=True)
