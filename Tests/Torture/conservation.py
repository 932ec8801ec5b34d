"""Checks that every byte of a table is in exactly one output, for arbitrary bytes: compares mutated files with the
second readers of the tests.

    python3 Tests/Torture/conservation.py 7 1234     repeats file 1234 of seed 7, and prints it and its defects

A single process cleans most files (Driver/main.swift, which also controls the sizes of blocks). The command cleans one
in 200. The second reader computes the output of each byte, and the place and reason of each rejected record.
"""

import collections
import concurrent.futures
import contextlib
import ctypes
import ctypes.util
import dataclasses
import gzip
import json
import os
import pathlib
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import zlib

import second_reader
import tables
from scene import ASSAY, PATIENCE

DRIVER = pathlib.Path(ASSAY).with_name("TortureDriver")
COMMAND_EVERY = 200
AT_ONCE = 500  # files per request to a process
KINDS = ["none", "pattern", "unique", "last", "alone"]
SEQUENCES = {"GB18030": "gb18030", "Shift_JIS": "cp932", "EUC-KR": "cp949"}
BYTES = {"windows-1252": "cp1252", "windows-1251": "cp1251", "KOI8-R": "koi8-r", "ISO-8859-15": "iso8859-15",
         "IBM850": "cp850"}
WIDE = {"UTF-16LE": (2, "little"), "UTF-16BE": (2, "big"), "UTF-32LE": (4, "little"), "UTF-32BE": (4, "big")}
ZSTD_NAME = ctypes.util.find_library("zstd")
ZSTD = ctypes.CDLL(ZSTD_NAME) if ZSTD_NAME else None
PACKINGS = ["gzip", "zstd"] if ZSTD else ["gzip"]


@dataclasses.dataclass
class Case:
    """One file, the options for cleaning it, and the expected result."""

    tables: list  # several files are one table
    rules: dict
    format: str
    way: str
    threads: int
    sizes: tuple  # bytes: first read, block, read-ahead; records; bytes of a piece
    memory: int
    packing: str
    encoding: str  # of the outputs
    clean: bytes
    rejects: bytes
    outcome: second_reader.Outcome | None  # None: the table is truncated, and Assay must reject it
    is_packed: bool
    is_encoded: bool
    is_repaired: bool

    def line(self) -> str:
        words = [self.way, self.threads, *self.sizes, self.memory, self.format, self.packing, self.encoding,
                 len(self.tables)]
        return " ".join(map(str, words))


def make(seed: int, number: int) -> Case:
    chance = random.Random(f"{seed} {number}")
    kind = chance.choice(KINDS)
    is_json = chance.random() < 0.25
    if is_json:
        form, above, text = None, 0, tables.json_lines(chance)
    else:
        form = tables.plain_form(chance) if chance.random() < 0.7 else tables.other_form(chance)
        top, table = tables.csv(chance, form)
        above, text = len(top), top + table
    way = "command" if number % COMMAND_EVERY == 0 else chance.choice(["job", "job", "job", "pieces", "stream"])
    raw, decoded, name = text, None, None
    if chance.random() < 0.15:
        has_mark = text.startswith(tables.MARK)
        top = above - len(tables.MARK) if has_mark and above else above
        raw, decoded, name = encoded(chance, text[len(tables.MARK) if has_mark else 0:], top)
        text, above = decoded.text, top
    if is_json:
        first, outcome = second_reader.evaluate_json(text, kind, decoded is not None)
    else:
        first, outcome = second_reader.evaluate_csv(text, above, form, kind, decoded is not None)
    is_repaired = not is_json and decoded is None and outcome.is_simple and chance.random() < 0.3
    rules = second_reader.rules(kind, is_repaired) | (form.in_rules() if form else {})
    if name:
        rules["dialect"] = rules.get("dialect", {}) | {"encoding": name}
    keeps = decoded is not None and way in ("job", "command") and chance.random() < 0.5
    if keeps:
        mark = raw[:decoded.places[0]]
        parts = [mark + b"".join(decoded.encoded(*place, raw) for place in [(0, first), *places])
                 for places in (outcome.clean, outcome.rejects)]
    else:
        parts = [b"".join(text[start:end] for start, end in [(0, first), *places])
                 for places in (outcome.clean, outcome.rejects)]
    if is_repaired:
        parts[0] = text[:first] + b"".join(outcome.repaired(text, start, end) for start, end in outcome.clean)
    texts = [raw]
    if way in ("job", "command") and decoded is None and outcome.is_simple and (
            is_json or form.header) and chance.random() < 0.2:
        texts = several(chance, raw, first, outcome, is_json)
    packing = chance.choice(PACKINGS) if chance.random() < 0.15 else "none"
    stored = [packed(chance, table, packing) for table in texts]
    is_full = all(is_full for _, is_full in stored)
    size = len(text)
    block = chance.choice([1, 2, 3, 5, 7, 16, 64, 65, 100, 1_000, size + 1])
    sizes = (
        max(chance.choice([1, 7, 64, 1_000, 1 << 16]), size // 1_000), max(block, size // 1_000),
        chance.choice([1, 20, 512, 1 << 16]),
        chance.choice([1, 2, 3, 7, 64, 1 << 14]), max(chance.choice([1, 2, 7, 64, 1_000, size + 1]), size // 1_000))
    return Case(
        tables=[table for table, _ in stored], rules=rules, format="jsonl" if is_json else "csv", way=way,
        threads=chance.randint(1, 8), sizes=sizes,
        memory=chance.choice([0, 0, 1, 1 << 12]), packing=chance.choice(PACKINGS) if chance.random() < 0.1 else "none",
        encoding="same" if keeps else "utf-8", clean=parts[0], rejects=parts[1], outcome=outcome if is_full else None,
        is_packed=packing != "none", is_encoded=decoded is not None, is_repaired=is_repaired)


def several(chance: random.Random, text: bytes, first: int, outcome: second_reader.Outcome,
            is_json: bool) -> list[bytes]:
    """The text as several files, each with its own top, cut at starts of records. Adjusts the places of findings after
    the first cut."""
    # The first line of JSON Lines determines the format, and an LF after the CR of a header is part of that line end.
    starts = sorted(
        start for start, _ in outcome.clean + ([] if is_json else outcome.rejects)
        if text[first - 1:first] != b"\r" or text[start:start + 1] != b"\n")
    cuts = sorted(chance.sample(starts, min(len(starts), chance.choice([1, 1, 2, 5]))))
    bounds = [first, *cuts, len(text)]
    lines = [text[:cut].count(b"\n") for cut in cuts]

    def moved(number, line, offset, column, codes):
        if offset is None:  # JSON Lines
            return number, line - max((before for before in lines if before < line), default=0), None, column, codes
        cut = max((cut for cut in cuts if cut <= offset), default=None)
        return (number, line, offset, column,
                codes) if cut is None else (number, None, offset - cut + first, column, codes)

    outcome.findings = [moved(*finding) for finding in outcome.findings]
    return [text[:first] + text[start:end] for start, end in zip(bounds, bounds[1:])]


def encoded(chance: random.Random, text: bytes, above: int) -> tuple[bytes, second_reader.Decoded, str | None]:
    """The text in another encoding, with changed bytes after the first line, and the result of decoding it."""
    characters = text.decode(errors="ignore")
    first = max(characters.find("\n"), characters.find("\r"), above) + 1
    if chance.random() < 0.1:
        # Invalid sequences are not tested, because libraries disagree about them.
        name = chance.choice(list(SEQUENCES))
        characters = characters.encode(SEQUENCES[name], "ignore").decode(SEQUENCES[name])
        return characters.encode(SEQUENCES[name]), second_reader.decode_sequences(characters, SEQUENCES[name]), name
    if chance.random() < 0.5:
        name = chance.choice(list(BYTES))
        raw = bytearray(characters.encode(BYTES[name], "ignore"))
        mutate_raw(chance, raw, len(characters[:first + 40].encode(BYTES[name], "ignore")))
        return bytes(raw), second_reader.decode_bytes(bytes(raw), BYTES[name]), name
    name = chance.choice(list(WIDE))
    width, order = WIDE[name]
    raw = bytearray(("\ufeff" + characters).encode(name))
    mutate_raw(chance, raw, len(("\ufeff" + characters[:first + 40]).encode(name)))
    return bytes(raw), second_reader.decode_wide(bytes(raw), width, order, width), chance.choice([None, name])


def mutate_raw(chance: random.Random, raw: bytearray, first: int) -> None:
    for _ in range(chance.choice([0, 0, 1, 5])):
        if first < len(raw):
            place = chance.randrange(first, len(raw))
            raw[place:place + chance.choice([1, 1, 2, 4])] = chance.randbytes(chance.choice([0, 1, 1, 2, 4]))


def packed(chance: random.Random, raw: bytes, packing: str) -> tuple[bytes, bool]:
    """The compressed bytes, in one or several members or frames, and whether they are complete."""
    if packing == "none":
        return raw, True
    cuts = sorted(chance.randrange(len(raw) + 1) for _ in range(chance.choice([0, 0, 1, 5])))
    parts = [raw[start:end] for start, end in zip([0, *cuts], [*cuts, len(raw)])]
    members = [(gzip_member if packing == "gzip" else zstd_frame)(chance, part) for part in parts]
    full = b"".join(members)
    if chance.random() < 0.05:
        # Truncated within the last member.
        return full[:len(full) - len(members[-1])
                     + chance.randrange(min(12, len(members[-1]) - 1), len(members[-1]))], False
    return full, True


def gzip_member(chance: random.Random, part: bytes) -> bytes:
    packer = zlib.compressobj(chance.choice([0, 1, 6]), zlib.DEFLATED, 31)
    middle = chance.randrange(len(part) + 1)
    flushed = packer.compress(part[:middle]) + packer.flush(
        chance.choice([zlib.Z_NO_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH]))
    return flushed + packer.compress(part[middle:]) + packer.flush()


def zstd_frame(chance: random.Random, part: bytes) -> bytes:
    room = ctypes.create_string_buffer(len(part) + len(part) // 128 + 1_000)
    ZSTD.ZSTD_compress.restype = ctypes.c_size_t
    count = ZSTD.ZSTD_compress(room, ctypes.c_size_t(len(room)), part, ctypes.c_size_t(len(part)),
                               chance.choice([1, 3]))
    return room.raw[:count]


def unpacked(content: bytes, packing: str, maximum: int) -> bytes:
    if packing == "gzip":
        return gzip.decompress(content)
    if packing == "zstd":
        room = ctypes.create_string_buffer(maximum + 1)
        ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
        count = ZSTD.ZSTD_decompress(room, ctypes.c_size_t(len(room)), content, ctypes.c_size_t(len(content)))
        assert count <= maximum, "an output cannot be unpacked, or is longer than it should be"
        return room.raw[:count]
    return content


def names(case: Case) -> list[str]:
    """The names of the files of the table."""
    return ["table"] + [f"table{number}" for number in range(2, len(case.tables) + 1)]


class Driver:
    """A process that cleans tables in its own directory."""

    def __init__(self):
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="assay-conservation-", dir=base))
        self.process = None

    def close(self) -> None:
        self.end()
        shutil.rmtree(self.directory)

    def end(self) -> int | None:
        if self.process is None:
            return None
        self.process.kill()
        self.process.stdin.close()
        self.process.stdout.close()
        status, self.process = self.process.wait(), None
        return status

    def ask(self, line: str) -> str:
        if self.process is None:
            self.process = subprocess.Popen(
                [DRIVER, self.directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, bufsize=0)
        self.process.stdin.write(line.encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            assert select.select([self.process.stdout], [], [], PATIENCE)[0], self.failed("has not ended")
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            assert part, self.failed("has crashed")
            answer += part
        return answer.decode().strip()

    def failed(self, how: str) -> str:
        return f"the process {how} (status {self.end()})"

    def command(self, case: Case, ending: str) -> str:
        command = [
            ASSAY, "clean", *names(case), *(["--as-one"] if len(case.tables) > 1 else []), "--rules", "rules.json",
            "--format", case.format, "--clean", f"clean{ending}", "--rejects", f"rejects{ending}",
            "--findings", "findings", "--report", "none", "--quiet", "--threads", str(case.threads),
            "--output-encoding", case.encoding]
        run = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=PATIENCE)
        assert run.returncode in (0, 2, 3), f"exit status {run.returncode}: {run.stderr}"
        return "refused " + run.stderr if run.returncode else ""

    def check(self, case: Case) -> None:
        """Cleans the case and compares the outputs."""
        for output in self.directory.iterdir():
            output.unlink()
        for name, table in zip(names(case), case.tables):
            (self.directory / name).write_bytes(table)
        (self.directory / "rules.json").write_text(json.dumps(case.rules))
        packing = case.packing if case.way in ("job", "command") else "none"
        ending = {"gzip": ".gz", "zstd": ".zst"}.get(packing, "")
        answer = self.command(case, ending) if case.way == "command" else self.ask(case.line())
        absent = case.outcome.absent if case.outcome else frozenset()
        is_needed = bool(absent - {"note"})
        if answer.startswith("refused"):
            # Assay rejects rules that never ran.
            never_ran = set(re.findall("no record has '(\\w+)', so its rules never ran", answer))
            assert never_ran <= absent - {"note"}, f"{answer}, and absent are {absent}"
            is_cut = case.outcome is None and re.search("it ends in the middle of a (member|frame)", answer)
            assert never_ran or is_cut, answer
            left = {output.name for output in self.directory.iterdir()} - {*names(case), "rules.json"}
            assert not left, f"refused, and yet there is {left}"
            return
        assert case.outcome is not None, "a file that is cut off was not refused"
        assert not is_needed, f"rules that never ran were not refused: {absent}"
        for name, expected in (("clean", case.clean), ("rejects", case.rejects)):
            found = unpacked((self.directory / (name + ending)).read_bytes(), packing, len(expected) + 8)
            assert found == expected, f"{name}: {difference(found, expected)}"
        if case.way != "command":
            records, rejected = case.outcome.records, len(case.outcome.rejects)
            assert answer == f"done {records} {records - rejected} {rejected}", (
                f"{answer}, and not {records} with {rejected} rejects")
        self.check_findings(case)

    def check_findings(self, case: Case) -> None:
        lines = (self.directory / "findings").read_text().splitlines()
        expected = case.outcome.findings
        assert len(lines) == len(expected), f"{len(lines)} findings, and not {len(expected)}"
        for line, (number, place, offset, column, codes) in zip(lines, expected):
            found = json.loads(line)
            is_right = found["record"] == number and found["column"] == column and found["code"] in codes
            is_there = place in (None, found["line"]) and offset in (None, found["offset"])
            assert is_right and is_there, f"{line}, and not {(number, place, offset, column, codes)}"


def difference(found: bytes, expected: bytes) -> str:
    at = next((at for at, (one, other) in enumerate(zip(found, expected)) if one != other),
              min(len(found), len(expected)))
    return f"at byte {at} {found[max(0, at - 20):at + 40]!r} and not {expected[max(0, at - 20):at + 40]!r}"


def some(seed: int, first: int, count: int) -> tuple[collections.Counter, list[str]]:
    """Checks `count` files of a seed, starting at `first`."""
    tally, defects = collections.Counter(), []
    with contextlib.closing(Driver()) as driver:
        for number in range(first, first + count):
            case = make(seed, number)
            try:
                driver.check(case)
            except Exception as error:  # unreadable output is a defect as well, and must not stop the other files
                driver.end()
                defects.append(
                    f"python3 Tests/Torture/conservation.py {seed} {number}: {type(error).__name__}: {error}")
            tally["files"] += 1
            tally["records"] += case.outcome.records if case.outcome else 0
            tally["bytes"] += sum(map(len, case.tables))
            tally["JSON Lines"] += case.format == "jsonl"
            tally["packed"] += case.is_packed
            tally["encoded"] += case.is_encoded
            tally["repaired"] += case.is_repaired
            tally["in several files"] += len(case.tables) > 1
            tally["by the command"] += case.way == "command"
    return tally, defects


def run(files: int, seed: int) -> tuple[collections.Counter, list[str]]:
    """Checks `files` files on all processors. Returns counts of the tested features, and the defects."""
    tally, defects = collections.Counter(), []
    starts = range(0, files, AT_ONCE)
    with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for some_tally, some_defects in pool.map(some, [seed] * len(starts), starts,
                                                 [min(AT_ONCE, files - start) for start in starts]):
            tally += some_tally
            defects += some_defects
    return tally, defects


def main(seed: int, number: int) -> int:
    case = make(seed, number)
    driver = Driver()
    print(
        f"{driver.directory}: {', '.join(names(case))}, rules.json, and what came of them, by the line: {case.line()}")
    try:
        driver.check(case)
    except AssertionError as error:
        print(error)
        return 1
    finally:
        driver.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
