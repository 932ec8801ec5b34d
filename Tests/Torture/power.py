"""Simulates power cuts. The disk contains all synchronized data, and any part of the other changes, in any order.

The script records the system calls of a run. Each output must be synchronized after its last write and before the first
output is renamed, and the directory after the last rename. Then the script replays a cut after each of these calls.
Names: each rename or removal since the last fsync of the directory may be on the disk or not. Bytes: of the writes
since the last fsync of the file, no write, every write or every second write is on the disk. In each state, every
output must be either old or complete. If the renames took effect in order, so must the outputs. The next run must
remove leftover files and either start again or, with --resume, continue.

The states are built in the directory of the recorded run, from its files, because a resumed run identifies its input
and outputs by inode number and modification time.
"""

import codecs
import dataclasses
import itertools
import os
import pathlib
import re
import subprocess

from scene import OLD, OLD_MODE, PATIENCE, Scene

TRACED = "openat,fsync,fdatasync,lseek,rename,renameat2,link,unlink,write,pwrite64"
OTHER_WRITES = "writev,pwritev,ftruncate,fallocate,copy_file_range,sendfile"


@dataclasses.dataclass(frozen=True)
class Call:
    """A change that a run made in its directory. Files are numbered in order of creation."""

    name: str  # make, write, fsync, rename, remove; sync is the fsync of the directory
    file: int = -1
    path: str = ""
    target: str = ""
    offset: int = 0
    data: bytes = b""


def recorded(scene: Scene, place: pathlib.Path) -> list[Call]:
    log = scene.base / "order"
    subprocess.run(
        ["strace", "-f", "-y", "-qq", "-s", "100000000", "-e", f"trace={TRACED},{OTHER_WRITES}", "-o", log,
         *scene.command], cwd=place,
        check=True, timeout=PATIENCE)
    calls: list[Call] = []
    files: dict[str, int] = {}
    ends: dict[int, int] = {}
    made = itertools.count()
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"\d+ +(\w+)\((?:\d+<([^>]*)>)?(.*)", line)
        if call is None:
            continue
        name, opened, rest = call.groups()
        texts = re.findall(r'"((?:[^"\\]|\\.)*)"', rest if opened else line)
        if name == "openat":
            if "O_CREAT" in rest and not texts[0].startswith("/"):
                files[texts[0]] = next(made)
                calls.append(Call("make", files[texts[0]], texts[0]))
        elif name in ("rename", "renameat2", "link", "unlink"):
            assert name != "link", f"a call that the replay does not know: {line}"
            if name == "unlink" and texts[0] not in files:
                continue
            file = files.pop(texts[0])
            if name != "unlink":
                files[texts[1]] = file
            calls.append(Call("remove" if name == "unlink" else "rename", file, texts[0],
                              "" if name == "unlink" else texts[1]))
        elif opened == str(place):
            calls.append(Call("sync"))
        elif opened is None or not opened.startswith(str(place)) or "SEEK_CUR" in rest or opened == str(
                place / scene.input):
            continue
        elif name in ("fsync", "fdatasync"):
            calls.append(Call("fsync", files[pathlib.Path(opened).name]))
        elif name in ("write", "pwrite64"):
            # The temporary files of keys have no name, so they do not survive a power cut.
            if "(deleted)" in line or "#" in opened:
                continue
            file = files[pathlib.Path(opened).name]
            data = codecs.escape_decode(texts[0].encode())[0]
            numbers = [int(number) for number in re.findall(r'", (\d+)(?:, (\d+))?', rest)[0] if number]
            assert numbers[0] == len(data), f"not all that was written was recorded: {line[:200]}"
            offset = numbers[1] if name == "pwrite64" else ends.get(file, 0)
            calls.append(Call("write", file, offset=offset, data=data))
            if name == "write":
                ends[file] = offset + len(data)
        else:
            assert name == "lseek" or "(deleted)" in rest or "#" in opened, (
                f"a call that the replay does not know: {line[:200]}")
    return calls


def check_order(scene: Scene, calls: list[Call]) -> None:
    written = {call.file: at for at, call in enumerate(calls) if call.name == "write"}
    named = [(at, call) for at, call in enumerate(calls) if call.name == "rename" and call.target in scene.outputs]
    assert len(named) == len(scene.outputs), f"{len(named)} names"
    first, last = named[0][0], named[-1][0]
    for _, call in named:
        ends = [at for at, other in enumerate(calls) if other.name == "fsync" and other.file == call.file]
        assert ends, f"{call.target} is never synchronized"
        assert written[call.file] < ends[-1] < first, f"{call.target} is synchronized too early, or too late"
    assert any(call.name == "sync" for call in calls[last:]), "the directory is not synchronized after the last name"


def bytes_of(file: int, calls: list[Call], keeps) -> bytes:
    """The content of a file on the disk: the synchronized writes, and those later writes that `keeps` selects."""
    last_sync = max((at for at, call in enumerate(calls) if call.name == "fsync" and call.file == file), default=-1)
    content = bytearray()
    for at, call in enumerate(calls):
        if call.name != "write" or call.file != file or (at > last_sync and not keeps(at)):
            continue
        end = call.offset + len(call.data)
        content.extend(b"\0" * (end - len(content)))
        content[call.offset:end] = call.data
    return bytes(content)


def names_after(scene: Scene, calls: list[Call], missing: set[Call]) -> dict[str, int] | None:
    """The number of the file with each name; −1 is an old output. `None`: the state is impossible without the missing
    calls."""
    names = dict.fromkeys(scene.outputs, -1)
    for call in calls:
        if call in missing:
            continue
        if call.name == "make":
            names[call.path] = call.file
        elif call.name in ("rename", "remove"):
            if names.pop(call.path, None) != call.file:
                return None
            if call.name == "rename":
                names[call.target] = call.file
    return names


KEPT = (lambda at: False, lambda at: True, lambda at: at % 2 == 0)


class Replay:
    """Builds the states of a directory from the files that the recorded run created there."""

    def __init__(self, scene: Scene, place: pathlib.Path, calls: list[Call]):
        self.scene, self.place, self.calls = scene, place, calls
        # Each remaining file is kept under a second name, together with its last modification time.
        self.kept = scene.base / "kept"
        self.kept.mkdir()
        self.wholes: dict[int, bytes] = {}
        self.times: dict[int, int] = {}
        for name, file in names_after(scene, calls, set()).items():
            self.wholes[file] = (place / name).read_bytes()
            self.times[file] = (place / name).stat().st_mtime_ns
            os.link(place / name, self.kept / str(file))
            assert bytes_of(file, calls,
                            lambda at: True) == self.wholes[file], f"not all writes of {name} were recorded"

    def make(self, names: dict[str, int], contents: dict[int, bytes]) -> None:
        for file in list(self.place.iterdir()):
            if file.name not in (self.scene.input, "rules.json"):
                file.unlink()
        for name, file in names.items():
            path = self.place / name
            if file == -1:
                self.scene.write_old(path)
            elif file not in self.wholes:
                path.touch(mode=0o600)
                path.write_bytes(contents[file])
            else:
                (self.kept / str(file)).write_bytes(contents[file])
                is_complete = contents[file] == self.wholes[file]
                os.utime(self.kept / str(file), ns=(0, self.times[file] if is_complete else 0))
                (self.kept / str(file)).chmod(OLD_MODE if name in self.scene.outputs else 0o600)
                os.link(self.kept / str(file), path)

    def run(self) -> dict:
        states, runs = 0, 0
        seen = set()
        for cut in range(len(self.calls) + 1):
            done = self.calls[:cut]
            synchronized = max((at for at, call in enumerate(done) if call.name == "sync"), default=0)
            pending = [call for call in done[synchronized:] if call.name in ("rename", "remove")]
            for count in range(len(pending) + 1):
                for chosen in itertools.combinations(pending, count):
                    names = names_after(self.scene, done, set(pending) - set(chosen))
                    if names is None:
                        continue
                    for keeps in KEPT:
                        contents = {file: bytes_of(file, done, keeps) for file in names.values() if file >= 0}
                        state = tuple(sorted((name, contents.get(file)) for name, file in names.items()))
                        if state in seen:
                            continue
                        seen.add(state)
                        self.make(names, contents)
                        self.look(cut, is_in_order=list(chosen) == pending[:count])
                        states += 1
                        try:
                            self.scene.next_run(self.place)
                        except AssertionError as error:
                            raise AssertionError(f"after a cut behind call {cut}, {sorted(names)}: {error}") from error
                        runs += 1
        return {"calls": len(self.calls), "states": states, "next runs": runs}

    def look(self, cut: int, is_in_order: bool) -> None:
        if is_in_order:
            self.scene.published(self.place)
        for output in self.scene.outputs:
            content = self.scene.content(self.place, output)
            assert content in (OLD, self.scene.expected[output]), f"{output} after a cut behind call {cut}"


def order(scene: Scene) -> dict:
    place = scene.stage()
    calls = recorded(scene, place)
    check_order(scene, calls)
    return Replay(scene, place, calls).run()
