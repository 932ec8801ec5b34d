"""Tables for conservation.py: rows of all kinds, with changed, deleted, inserted, moved or truncated bytes.

The first record is always well-formed, because Assay rejects a table without any. The rest is arbitrary.
"""

import dataclasses
import random

MARK = b"\xef\xbb\xbf"
PIECES = [
    b"\n", b"\r", b"\r\n", b"\n\n", b"\0", b"\xff", b"\xc3\xa9", MARK, b"\x1a", b"x" * 300, b"\xe2\x80", "日本".encode(),
    b"\xf0\x9f\x8e\x89", b" ", b"\t", b"7"]
JSON_PIECES = [
    *PIECES, b'"', b",", b"{", b"}", b"[", b"]", b":", b"\\", b"\\u00e9", b"\\ud83c\\udf89", b"\\ud800", b"null",
    b"[1]", b"true", b"NaN", b"-0", b"1e5", b"01", b"/", b'{"id":"7"}', b'"id":"8",', b'"\\u0069d":"9",', b"\x1f",
    b"\x7f", b"[" * 64, b'{"a":' * 64]
ROWS = [0, 1, 2, 7, 40, 150, 400, 3_000]
OFTEN = [5, 8, 10, 25, 35, 13, 3, 1]


@dataclasses.dataclass(frozen=True)
class Form:
    """The dialect of a table, as a rule file describes it."""

    delimiter: bytes = b","
    quote: bytes = b'"'
    header: bool = True
    skip: int = 0
    record_bytes: int = 0  # 0: the default
    escape: bytes = b""
    comment: bytes = b""
    spaces: bool = False
    keep: bool = False
    has_mark: bool = False
    end: bytes = b"\n"

    @property
    def is_plain(self) -> bool:
        return not (len(self.delimiter) > 1 or self.escape or self.comment or self.spaces or self.keep)

    def in_rules(self) -> dict:
        dialect = {"delimiter": self.delimiter.decode(), "quoteChar": self.quote.decode() or None,
                   "header": self.header}
        dialect |= {"skip": self.skip} if self.skip else {}
        dialect |= {"escapeChar": self.escape.decode()} if self.escape else {}
        dialect |= {"commentChar": self.comment.decode()} if self.comment else {}
        dialect |= {"skipInitialSpace": True} if self.spaces else {}
        dialect |= {"extraFields": "keep"} if self.keep else {}
        limits = {"field-bytes": min(self.record_bytes, 1 << 20),
                  "record-bytes": self.record_bytes} if self.record_bytes else {}
        return {"dialect": dialect, "limits": limits} if limits else {"dialect": dialect}


def plain_form(chance: random.Random) -> Form:
    """A form that Tests/CommandTests/reference.py can read."""
    end = chance.choice([b"\n", b"\n", b"\n", b"\r\n", b"\r"])
    return Form(
        delimiter=chance.choice([b",", b",", b";", b"\t", b"|", b"\x1f"]),
        quote=chance.choice([b'"', b'"', b'"', b"'", b""]),
        # A mutation may turn the CR after the header into CR LF, and then the lines above it have another line end.
        header=chance.random() < 0.8, skip=0 if end == b"\r" else chance.choice([0, 0, 0, 1, 3]),
        record_bytes=chance.choice([0, 0, 0, 40, 200, 5_000]), has_mark=chance.random() < 0.2, end=end)


def other_form(chance: random.Random) -> Form:
    """A form that Tests/CommandTests/dialect_reader.py can read."""
    return Form(
        delimiter=chance.choice([b",", b"||", b",,", b";"]), quote=chance.choice([b'"', b'"', b""]),
        escape=chance.choice([b"", b"\\", b"\\", b"!"]), comment=chance.choice([b"", b"#"]),
        spaces=chance.random() < 0.3,
        keep=chance.random() < 0.3, has_mark=chance.random() < 0.2, end=chance.choice([b"\n", b"\n", b"\r\n", b"\r"]))


def csv(chance: random.Random, form: Form) -> tuple[bytes, bytes]:
    """The lines above the table, and the table."""
    delimiter, quote = form.delimiter, form.quote
    marks = [mark for mark in (delimiter, quote, quote * 2, form.escape, form.comment, b"a" + quote + b"b") if mark]
    pieces = [*PIECES, *marks, *marks]
    names = [b"Anna", quote + b"B" + delimiter + b" C" + quote,
             quote + b"say " + quote * 2 + b"hi" + quote * 2 + quote, b""]
    count = chance.choices(ROWS, OFTEN)[0]
    ends = [form.end, form.end, form.end, chance.choice([b"\r\n", b"\n"])]
    ids = range(count) if chance.random() < 0.5 else chance.choices(range(1 + count // 2), k=count)
    body = bytearray(
        b"".join(
            b"%d%b%b%b%b%b" % (number, delimiter, name, delimiter, note, end)
            for number, name, note, end in zip(
                ids, chance.choices(names, k=count), chance.choices(pieces, k=count), chance.choices(ends, k=count))))
    mutate(chance, body, 0, pieces)
    above = (MARK if form.has_mark else b"") + b"".join(b"above %d" % line + form.end for line in range(form.skip))
    first = [b"id", b"name", b"note"] if form.header else [b"0", b"Anna", b"x"]
    return above, delimiter.join(first) + form.end + bytes(body)


def json_lines(chance: random.Random) -> bytes:
    """JSON Lines; the first line is an object."""
    count = chance.choices(ROWS, OFTEN)[0]
    ids = range(count) if chance.random() < 0.5 else chance.choices(range(1 + count // 2), k=count)
    notes = [
        b'"y"', b"null", b'"a\\"b"', b"3.50", b'"\\u00e9"', b'["x",{"y":[]}]', b'"\xc3\xa9"', b'""',
        b'"' + b"x" * 300 + b'"', b"-1e-7", b"true"]
    lines = [b'{"id": "0", "name": "x"}\n']
    lines += [
        b'{"id": "%d", "name": %b, "note":%b}%b' % (number, name, note, end)
        for number, name, note, end in zip(
            ids, chance.choices([b'"x"', b'"x"', b'""', b"7"], k=count), chance.choices(notes, k=count),
            chance.choices([b"\n", b"\n", b"\n", b"\r\n", b"\n \n"], k=count))]
    body = bytearray(b"".join(lines))
    mutate(chance, body, len(lines[0]), JSON_PIECES)
    return (MARK if chance.random() < 0.2 else b"") + bytes(body)


def mutate(chance: random.Random, body: bytearray, first: int, pieces: list[bytes]) -> None:
    """Changes bytes at random places from `first` on."""
    for _ in range(chance.choice([0, 1, 3, 20])):
        place = chance.randint(first, len(body))
        kind = chance.random()
        if kind < 0.8:
            body[place:place + chance.choice([0, 0, 1, 5])] = chance.choice(pieces)
        elif kind < 0.9:
            body[place:place + chance.choice([10, 100])] = b""
        else:
            start = chance.randint(first, len(body))
            body[place:place] = body[start:start + chance.choice([3, 30, 300])]
    if chance.random() < 0.2:
        body += chance.choice([b"\n", b"\r\n", b"\r"]) * chance.choice([1, 2, 30]) + chance.choice([b"", b"\x1a"])
    if chance.random() < 0.3:
        del body[chance.randint(first, len(body)):]
