"""A power cut: what is on the disk is what was synchronized, and of the rest any part, in any order.

The system calls of a run are recorded: each output is synchronized after its last write and before the first rename, and the directory
after the last one. Then the cut is replayed behind each of these calls. Names: of the renames that no fsync of the directory has made
last, each may have reached the disk or not. Bytes: of the writes that no fsync of the file has made last, none, all or every second
one. In each of these states an output is the old one or wholly the new one, where the renames came in order the outputs did, too, and
the next run removes what is left and does all of the work.
"""

import itertools
import pathlib
import re
import shutil
import subprocess

from scene import OLD, PATIENCE, Scene

WRITES = {"write", "pwrite64"}
OTHER_WRITES = {"writev", "pwritev", "ftruncate", "fallocate", "copy_file_range", "sendfile"}


def recorded(scene: Scene, place: pathlib.Path) -> list[tuple]:
    """What the run did to files of its directory, in order: (write, file, offset, length), (fsync, file), (rename, from, to)."""
    log = scene.base / "order"
    traced = ",".join(["fsync", "fdatasync", "lseek", "rename", "renameat2", *WRITES, *OTHER_WRITES])
    subprocess.run(["strace", "-f", "-y", "-qq", "-s", "0", "-e", f"trace={traced}", "-o", log, *scene.command], cwd=place, check=True,
                   timeout=PATIENCE)
    calls: list[tuple] = []
    ends: dict[str, int] = {}
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"\d+ +(\w+)\((?:\d+<([^>]*)>)?(.*)", line)
        if call is None:
            continue
        name, file, rest = call.groups()
        if name.startswith("rename"):
            source, target = re.findall(r'"([^"]*)"', line)
            calls.append(("rename", str(place / source), str(place / target)))
        elif file is None or not file.startswith(str(place)) or "SEEK_CUR" in rest or file == str(place / scene.input):
            continue
        elif name in WRITES:
            numbers = [int(number) for number in re.findall(r", (\d+)(?=,|\)| <)", rest)]
            offset = numbers[1] if name == "pwrite64" else ends.get(file, 0)
            calls.append(("write", file, offset, numbers[0]))
            if name == "write":
                ends[file] = offset + numbers[0]
        elif name in ("fsync", "fdatasync"):
            calls.append(("fsync", file))
        else:
            # The temporary files of keys have no name, and no power cut leaves them.
            assert "(deleted)" in rest or "#" in file, f"a call that the replay does not know: {line}"
    return calls


def check_order(scene: Scene, place: pathlib.Path, calls: list[tuple]) -> None:
    written = {call[1]: at for at, call in enumerate(calls) if call[0] == "write"}
    synchronized = {call[1]: at for at, call in enumerate(calls) if call[0] == "fsync"}
    renames = [(at, call[1]) for at, call in enumerate(calls) if call[0] == "rename"]
    assert len(renames) == len(scene.outputs), f"{len(renames)} renames"
    first, last = renames[0][0], renames[-1][0]
    for _, file in renames:
        assert file in synchronized, f"{file} is never synchronized"
        assert written[file] < synchronized[file] < first, f"{file} is synchronized too early, or too late"
    assert synchronized.get(str(place), -1) > last, "the directory is not synchronized after the last rename"


def bytes_of(file: str, calls: list[tuple], whole: bytes, keeps) -> bytes:
    """What of a file is on the disk: what was synchronized, and of the writes after that those that are kept."""
    last_sync = max((at for at, call in enumerate(calls) if call == ("fsync", file)), default=-1)
    content = bytearray()
    for at, call in enumerate(calls):
        if call[0] != "write" or call[1] != file or (at > last_sync and not keeps(at)):
            continue
        start, end = call[2], call[2] + call[3]
        content.extend(b"\0" * (end - len(content)))
        content[start:end] = whole[start:end]
    return bytes(content)


def replay(scene: Scene, place: pathlib.Path, calls: list[tuple]) -> tuple[int, int]:
    """Returns how many states were looked at, and in how many of them the next run was made."""
    # What each file was in the end; which is what the replay of all calls must give, or it has missed some.
    finals = {call[1]: pathlib.Path(call[2]).read_bytes() for call in calls if call[0] == "rename"}
    for file, whole in finals.items():
        assert bytes_of(file, calls, whole, lambda at: True) == whole, f"not all writes of {file} were recorded"
    states, runs = 0, 0
    for cut in range(len(calls) + 1):
        done = calls[:cut]
        directory_sync = max((at for at, call in enumerate(done) if call == ("fsync", str(place))), default=-1)
        durable = [call for call in done[:max(directory_sync, 0)] if call[0] == "rename"]
        pending = [call for call in done[max(directory_sync, 0):] if call[0] == "rename"]
        for count in range(len(pending) + 1):
            for chosen in itertools.combinations(pending, count):
                for keeps in (lambda at: False, lambda at: True, lambda at: at % 2 == 0):
                    states += 1
                    named = durable + list(chosen)
                    if not named:
                        continue  # all outputs are the old ones
                    after = scene.stage()
                    targets = {call[1]: call[2] for call in named}
                    for file, whole in finals.items():
                        name = pathlib.Path(targets.get(file, file)).name
                        (after / name).write_bytes(bytes_of(file, done, whole, keeps))
                    if list(chosen) == pending[:count]:
                        scene.published(after)
                    else:
                        for output in scene.outputs:
                            content = scene.content(after, output)
                            assert content in (OLD, scene.expected[output]), f"{output} after a cut behind call {cut}"
                    if keeps(1) is False and keeps(0) is False:
                        scene.next_run(after)
                        runs += 1
                    shutil.rmtree(after)
    return states, runs


def order(scene: Scene) -> dict:
    place = scene.stage()
    calls = recorded(scene, place)
    check_order(scene, place, calls)
    states, runs = replay(scene, place, calls)
    return {"calls": len(calls), "states": states, "next runs": runs}
