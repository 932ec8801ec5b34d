"""Lists the system calls of a run, and disturbs one of them with strace, which counts the calls of each thread."""

import collections
import re
import subprocess
from pathlib import Path

from scene import PATIENCE, Scene


def of_run(scene: Scene) -> dict[str, int]:
    """For each call, the maximum count over the threads."""
    place = scene.stage()
    log = scene.base / "calls"
    subprocess.run(["strace", "-f", "-qq", "-o", log, *scene.command], cwd=place, check=True, timeout=PATIENCE)
    counts: dict[str, dict[str, int]] = collections.defaultdict(lambda: collections.defaultdict(int))
    for line in log.read_text(errors="replace").splitlines():
        found = re.match(r"(\d+) +(\w+)\(", line)
        if found is not None:
            counts[found.group(2)][found.group(1)] += 1
    return {name: max(threads.values()) for name, threads in sorted(counts.items())}


def disturbed(scene: Scene, place: Path, call: str, what: str) -> subprocess.CompletedProcess:
    """A run with one injection, such as `error=EIO:when=3`."""
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{what}",
               *scene.command]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=PATIENCE)
