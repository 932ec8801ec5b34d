"""Every byte of a table is in exactly one output, whatever its bytes: mutated files beside the second reader of the tests.

For CSV the records of the reader (Tests/CommandTests/reference.py) say what is in which output. For JSON Lines each line goes to
one of them: a clean one is what Python's json reads as an object with the right values.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

from scene import ASSAY, PATIENCE, ROOT

sys.path.insert(0, str(ROOT / "Tests/CommandTests"))
import reference  # noqa: E402

RULES = {"fields": [{"name": "id"}, {"name": "name"}, {"name": "note"}]}
PIECES = [b'"', b'""', b",", b"\n", b"\r", b"\r\n", b";", b"\t", b"\0", b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf", b"x" * 300, b'a"b', b"\xe2\x80"]
DIALECTS = [
    ([], b",", b'"'), (["--delimiter", ";"], b";", b'"'), (["--delimiter", "\t"], b"\t", b'"'),
    (["--delimiter", ","], b",", b'"'), (["--delimiter", "|", "--quote", "none"], b"|", None)]


def table(random_: random.Random, delimiter: bytes) -> bytes:
    """A table with a header that reads, rows of all kinds, and bytes that were changed, left out, put in or cut off."""
    header = delimiter.join([b"id", b"name", b"note"]) + b"\n"
    rows = []
    for number in range(random_.choice([0, 1, 2, 7, 40, 400, 3000])):
        cells = [str(number).encode(), random_.choice([b"Anna", b'"B, C"', b'"say ""hi"""', b""]), random_.choice(PIECES)]
        rows.append(delimiter.join(cells) + random_.choice([b"\n", b"\n", b"\n", b"\r\n"]))
    body = bytearray(b"".join(rows))
    for _ in range(random_.choice([0, 1, 3, 20])):
        place = random_.randrange(len(body) + 1)
        body[place:place + random_.choice([0, 0, 1, 5])] = random_.choice(PIECES)
    if random_.random() < 0.3:
        del body[random_.randrange(len(body) + 1):]
    return header + bytes(body)


def outputs(folder: pathlib.Path, data: bytes, name: str, flags: list[str]) -> tuple[bytes, bytes]:
    for output in folder.iterdir():
        output.unlink()
    (folder / name).write_bytes(data)
    (folder / "rules.json").write_text(json.dumps(RULES))
    command = [ASSAY, "clean", name, "--rules", "rules.json", "--clean", "clean", "--rejects", "rejects", "--findings", "none",
               "--report", "none", "--quiet", *flags]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 0, f"{command[2:]}: {result.stderr}"
    return (folder / "clean").read_bytes(), (folder / "rejects").read_bytes()


def csv_case(folder: pathlib.Path, random_: random.Random) -> int:
    flags, delimiter, quote = random_.choice(DIALECTS)
    data = table(random_, delimiter)
    found = outputs(folder, data, "t.csv", [*flags, "--threads", str(random_.randint(1, 8))])
    read = reference.read(data, delimiter, quote)
    clean = [record for record in read.records if not record.problems]
    rejects = [record for record in read.records if record.problems]
    # A clean table stays one: it ends the last record where that of the input had no end.
    expected = read.prefix + read.bytes_of(clean), read.prefix + read.bytes_of(rejects)
    assert same(found[0], expected[0]) and same(found[1], expected[1]), "the outputs are not what the second reader says"
    return len(read.records)


def json_case(folder: pathlib.Path, random_: random.Random) -> int:
    lines = [b'{"id": "%d", "name": "x", "note": "y"}' % number for number in range(random_.choice([1, 5, 60, 900]))]
    body = bytearray(b"\n".join(lines) + b"\n")
    for _ in range(random_.choice([0, 1, 5])):
        place = random_.randrange(len(lines[0]), len(body))  # the first line says what the file is
        body[place:place + random_.choice([0, 1, 4])] = random_.choice([*PIECES, b"{", b"}", b"\\", b"null", b"[1]"])
    data = bytes(body)
    clean, rejects = outputs(folder, data, "t.jsonl", ["--format", "jsonl", "--threads", str(random_.randint(1, 8))])
    for line in clean.split(b"\n"):
        assert line.strip(b"\r") == b"" or isinstance(json.loads(line), dict), f"a clean line is no object: {line!r}"
    # Each line is in one of them; the last one may have got an end.
    found = sorted((clean + rejects).split(b"\n"))
    assert found in (sorted(data.split(b"\n")), sorted([*data.split(b"\n"), b""])), "lines are lost, or others have come"
    return data.count(b"\n")


def same(found: bytes, expected: bytes) -> bool:
    return found == expected or found == expected + b"\n"


def run(cases: int, seed: int) -> dict:
    tally = {"files": 0, "records": 0, "seed": seed}
    with tempfile.TemporaryDirectory(prefix="assay-conservation-") as name:
        for number in range(cases):
            random_ = random.Random(f"{seed} {number}")
            case = csv_case if number % 4 else json_case
            try:
                tally["records"] += case(pathlib.Path(name), random_)
            except AssertionError as error:
                raise AssertionError(f"conservation, seed {seed}, file {number}: {error}") from error
            tally["files"] += 1
    return tally
