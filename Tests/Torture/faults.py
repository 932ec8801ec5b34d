"""Lets the n-th system call of each kind fail, for each n and several errors."""

import re
import shutil

import calls
from scene import Scene

# Errors of each call, from its manual page.
ERRORS = {
    "read": ["EIO", "EINTR"],
    "pread64": ["EIO", "EINTR"],
    "write": ["ENOSPC", "EIO", "EDQUOT", "EINTR"],
    "pwrite64": ["ENOSPC", "EIO", "EDQUOT", "EFBIG", "EINTR"],
    "openat": ["EMFILE", "EACCES", "EIO", "ENOSPC"],
    "fsync": ["EIO", "ENOSPC"],
    "rename": ["EIO", "ENOSPC", "EACCES"],
    "renameat2": ["EIO", "ENOSPC", "EACCES"],
    "fchmod": ["EIO", "EPERM"],
    "flock": ["ENOLCK", "EINTR"],
    "ftruncate": ["EIO", "ENOSPC"],
    "fallocate": ["ENOSPC", "EOPNOTSUPP"],
    "newfstatat": ["EIO", "ENOMEM"],
    "unlink": ["EIO"],
    "close": ["EIO"],
    "clone3": ["EAGAIN"],
    "getrandom": ["ENOSYS", "EINTR"],
    "mmap": ["ENOMEM"],
    "mprotect": ["ENOMEM", "EACCES"],
    "brk": ["ENOMEM"],
    "madvise": ["EINVAL"],
    "fadvise64": ["EINVAL"],
    "fgetxattr": ["EIO", "EOPNOTSUPP"],
    "getdents64": ["EIO"],
}
# The Swift runtime ends the process if it gets no memory (Docs/reliability.md). The loader does the same before the
# command starts.
MAY_CRASH = {"mmap", "mprotect", "brk"}


def evaluate(scene: Scene, place, result, name: str) -> str:
    """The result of the run. Raises AssertionError if that result is not allowed."""
    published = scene.published(place)
    message = result.stderr.strip()
    # If a rename failed, other outputs may already have their names, and the message lists them.
    in_place = re.search(r"\n  these outputs are already in place: (.*)$", message)
    lines = [line for line in message.splitlines() if not line.startswith(("  hint: ", "  these outputs are already"))]
    if result.returncode == 0:
        assert published == len(scene.outputs), "it has ended well, and not everything is there"
        return "no harm"
    if result.returncode == 127 or "error while loading shared libraries" in message:
        assert published == 0
        return "not loaded"
    if result.returncode in (2, 3):
        assert len(lines) >= 1 and lines[0].startswith("assay: error: "), f"says {message!r}"
        names = in_place.group(1) if in_place is not None else "none"
        assert names == (", ".join(scene.outputs[:published])
                         or "none"), f"{published} are published, and it says {message!r}"
        # The state from which the next run resumes.
        left = [] if scene.resumes else scene.leftovers(place)
        assert left == [] or name in ("unlink", "flock"), f"left {left}"
        assert len(lines) == 1, f"says more than one line: {message!r}"
        return f"exit {result.returncode}"
    assert name in MAY_CRASH, f"ended with {result.returncode}: {message[:300]!r}"
    return "crashed"


def at_each_call(scene: Scene, step: int = 1) -> tuple[dict[str, dict[str, int]], list[str]]:
    """The results by call, and the defects."""
    table: dict[str, dict[str, int]] = {}
    defects = []
    for name, count in calls.of_run(scene).items():
        for error in ERRORS.get(name, []):
            row = table.setdefault(f"{name} {error}", {})
            for nth in range(1, count + 1, step):
                place = scene.stage()
                result = calls.disturbed(scene, place, name, f"error={error}:when={nth}")
                try:
                    end = evaluate(scene, place, result, name)
                    scene.next_run(place, keeps_modes=name != "fchmod")
                except AssertionError as defect:
                    end = "defect"
                    defects.append(f"{scene.name}: {name} {nth} fails with {error}: {defect}")
                row[end] = row.get(end, 0) + 1
                shutil.rmtree(place)
    return table, defects
