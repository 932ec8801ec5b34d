"""A power cut: what is on the disk is what was synchronized, and of the rest any part, in any order.

From the system calls of a run: each output is synchronized after its last write and before the first rename, and the directory after
the last one. Then whatever part of the renames reaches the disk, each output is the old one or wholly the new one.
"""

import re
import subprocess

from scene import PATIENCE, Scene

WRITES = {"write", "pwrite64", "writev", "ftruncate", "fallocate"}


def order(scene: Scene) -> dict:
    place = scene.stage()
    log = scene.base / "order"
    traced = "openat,write,pwrite64,writev,ftruncate,fallocate,fsync,rename,renameat2,dup,fcntl"
    subprocess.run(
        ["strace", "-f", "-y", "-qq", "-e", f"trace={traced}", "-o", log, *scene.command], cwd=place, check=True, timeout=PATIENCE)
    written: dict[str, int] = {}
    synchronized: dict[str, int] = {}
    renames: list[tuple[int, str]] = []
    for at, line in enumerate(log.read_text(errors="replace").splitlines()):
        call = re.match(r"\d+ +(\w+)\((?:\d+<([^>]*)>)?", line)
        if call is None:
            continue
        name, file = call.groups()
        if name in WRITES and file is not None:
            written[file] = at
        elif name == "fsync":
            synchronized[file] = at
        elif name.startswith("rename"):
            renames.append((at, str(place / re.findall(r'"([^"]*)"', line)[0])))
    assert len(renames) == len(scene.outputs), f"{len(renames)} renames"
    first, last = renames[0][0], renames[-1][0]
    for _, file in renames:
        assert file in synchronized, f"{file} is never synchronized"
        assert written[file] < synchronized[file] < first, f"{file} is synchronized too early, or too late"
    assert synchronized.get(str(place), -1) > last, "the directory is not synchronized after the last rename"
    return {"outputs": len(renames), "writes": len(written)}
