"""The expected outputs for a table, from the second readers of the tests and the rules in this file.

    pattern    `id` is empty or contains only digits
    unique     in addition, no two clean records have the same `id`; the first one stays
    last       as `unique`, but the last one stays
    alone      in addition, all records with a repeated `id` are rejected

A repair may replace the `name` Anna.
"""

import dataclasses
import json
import pathlib
import re
import sys

from tables import MARK, Form

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "CommandTests"))
import dialect_reader  # noqa: E402
import reference  # noqa: E402

DIGITS = re.compile(rb"[0-9]*")
REPLACEMENT = "\ufffd".encode()
JSON_DEPTH = 128
NAME, NEW_NAME = b"Anna", "Zoë & Jörg".encode()
# The value of `keep` for each kind with a key.
KEYS = {"unique": "first", "last": "last", "alone": "none"}
REPAIR = {"map": {NAME.decode(): NEW_NAME.decode()}}


def rules(kind: str, repairs: bool) -> dict:
    field = {"name": "id", "constraints": {"pattern": "[0-9]*"} if kind != "none" else {}}
    if kind in KEYS:
        field["constraints"]["unique"] = True
    keep = {"keep": KEYS[kind]} if kind in KEYS else {}
    return {"fields": [field, {"name": "name"} | ({"repair": [REPAIR]} if repairs else {}),
                       {"name": "note", "optional": True}]} | keep


@dataclasses.dataclass(slots=True)
class Entry:
    """A record or a comment. Comments have no number."""

    start: int
    end: int
    number: int
    line: int
    problems: set
    id: bytes | None = None
    # The line and offset of findings about `id`.
    place: tuple | None = None
    # The start of the name to repair.
    name: int | None = None


@dataclasses.dataclass(slots=True)
class Outcome:
    clean: list  # pairs of the start and the end of a record in the text
    rejects: list
    # For each rejected record: its number, line, offset, column, and the set of possible codes, of which one must
    # appear. Lines and offsets are None if unknown.
    findings: list
    records: int
    names: list = dataclasses.field(default_factory=list)  # starts of names in clean records that can be repaired
    absent: frozenset = frozenset()  # fields that are absent from all records of JSON Lines
    is_simple: bool = True  # whether these names have no quotes or escapes, and no record depends on later bytes

    def repaired(self, text: bytes, start: int, end: int) -> bytes:
        """A clean record after the repair of its name."""
        places = [place for place in self.names if start <= place < end]
        return text[start:end] if not places else text[start:places[0]] + NEW_NAME + text[places[0] + len(NAME):end]


def read_csv(text: bytes, above: int, form: Form) -> tuple[int, list[Entry]]:
    """The start of the first record, and the entries from there on. `above` is the number of bytes above the table."""
    table = text[above:]
    lines = form.skip
    if form.is_plain:
        limits = {"field_bytes": min(form.record_bytes, 1 << 20),
                  "record_bytes": form.record_bytes} if form.record_bytes else {}
        found = reference.read(table, form.delimiter, form.quote or None, form.header, **limits)
        return above + len(found.prefix), [
            Entry(above + record.start, above + record.end, record.number, lines + record.line, record.problems,
                  record.cells[0].text if record.cells else None,
                  (lines + record.cells[0].line, above + record.cells[0].offset) if record.cells else None,
                  above + record.cells[1].offset if len(record.cells) > 1 and record.cells[1].text == NAME else None)
            for record in found.records] + (
                [Entry(above + found.end, len(text), 0, 0, set())] if found.end < len(table) else [])
    dialect = dialect_reader.Dialect(form.delimiter, form.quote, form.escape, form.comment, form.spaces, form.keep)
    # The header has no quotes.
    found = dialect_reader.Reader(table, dialect, cr_ends=re.search(rb"\r\n|\n|\r", table)[0] == b"\r")
    return above + len(found.prefix), [
        Entry(above + entry.start, above + entry.end, entry.number, lines + entry.line, entry.problems,
              entry.cells[0] if entry.cells else None,
              (lines + entry.lines[0], above + entry.offsets[0]) if entry.cells else None,
              above + entry.offsets[1] if len(entry.cells) > 1 and entry.cells[1] == NAME else None)
        for entry in found.entries]


def evaluate_csv(text: bytes, above: int, form: Form, kind: str, is_decoded: bool) -> tuple[int, Outcome]:
    """The start of the first record, and the outcome for all records."""
    first, entries = read_csv(text, above, form)
    for entry in entries if is_decoded else []:
        # Decoded text contains a replacement character only in place of an invalid byte.
        if REPLACEMENT in text[entry.start:entry.end] and entry.number:
            entry.problems.add("encoding")
    refused = by_key(kind, [
        (entry.number, entry.id) for entry in entries
        if entry.number and not entry.problems and (kind == "none" or DIGITS.fullmatch(entry.id))])
    outcome = Outcome([], [], [], sum(entry.number > 0 for entry in entries))
    late = []
    for entry in entries:
        if not entry.number:
            outcome.clean.append((entry.start, entry.end))
        elif entry.problems:
            outcome.rejects.append((entry.start, entry.end))
            outcome.findings.append((entry.number, entry.line, entry.start, None, entry.problems))
        elif kind != "none" and not DIGITS.fullmatch(entry.id):
            outcome.rejects.append((entry.start, entry.end))
            outcome.findings.append((entry.number, *entry.place, "id", {"pattern"}))
        elif entry.number in refused:
            outcome.rejects.append((entry.start, entry.end))
            outcome.findings.append((entry.number, *entry.place, "id", {"unique"}))
        else:
            outcome.clean.append((entry.start, entry.end))
            if entry.name is not None:
                outcome.names.append(entry.name)
                outcome.is_simple = outcome.is_simple and text.startswith(NAME, entry.name)
        outcome.is_simple = outcome.is_simple and not entry.problems & {
            "structure.quote", "structure.too-long", "structure.blank"}
        # Blank lines at the end of a file are records if other records follow.
        outcome.is_simple = outcome.is_simple and (entry.number > 0
                                                   or text[entry.start:entry.end].strip(b"\r\n\x1a") != b"")
    return first, outcome


def by_key(kind: str, good: list) -> set:
    """The numbers of otherwise good records that a key rejects."""
    if kind not in KEYS:
        return set()
    holders, refused = {}, set()
    for number, key in reversed(good) if kind == "last" else good:
        if not key:
            continue
        if key in holders:
            refused |= {number, holders[key]} if kind == "alone" else {number}
        else:
            holders[key] = number
    return refused


class NotJSON(ValueError):
    pass


def members(pairs: list) -> dict:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotJSON("a name twice")
    return found


def refuse(word: str) -> None:
    raise NotJSON(word)


def depth(value: object) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + max(map(depth, parts), default=0) if isinstance(value, (dict, list)) else 0


def has_lone_surrogate(value: object) -> bool:
    """Whether a name or a text contains half of a surrogate pair, which is not a character (RFC 7493, section 2.1)."""
    if isinstance(value, dict):
        return any(map(has_lone_surrogate, [*value, *value.values()]))
    if isinstance(value, list):
        return any(map(has_lone_surrogate, value))
    return isinstance(value, str) and bool(re.search("[\ud800-\udfff]", value))


# Keeps the spelling of numbers.
DECODER = json.JSONDecoder(
    object_pairs_hook=members, parse_constant=refuse, parse_int=lambda text: (text,), parse_float=lambda text: (text,))


def parsed(line: bytes, is_decoded: bool) -> tuple[dict | None, str]:
    """The object on a line, or the code of its error."""
    if is_decoded and REPLACEMENT in line:
        return None, "encoding"
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return None, "encoding"
    if not text.strip(" \t\r\n"):
        return None, "structure.blank"
    try:
        value = DECODER.decode(text.strip(" \t\r\n"))
    except (ValueError, RecursionError):
        return None, "structure.json"
    if not isinstance(value, dict) or depth(value) > JSON_DEPTH or has_lone_surrogate(value):
        return None, "structure.json"
    return value, ""


def evaluate_json(text: bytes, kind: str, is_decoded: bool) -> tuple[int, Outcome]:
    first = start = len(MARK) if text.startswith(MARK) else 0
    found, good, number, present, is_read = [], [], 0, set(), False
    while start < len(text):
        end = text.find(b"\n", start) + 1 or len(text)
        number += 1
        value, code = parsed(text[start:end], is_decoded)
        # The parser determines the offset of an error within the line.
        findings = [(number, number, None, None, {code})] if code else []
        if value is not None:
            is_read = True
            present |= value.keys()
            # Absent members, null and the empty text count as missing.
            for name in ("id", "name", "note"):
                cell = value.get(name)
                if cell is not None and not isinstance(cell, str):
                    findings.append((number, number, None, name, {"type"}))
                elif name == "id" and cell and kind != "none" and not re.fullmatch("[0-9]*", cell):
                    findings.append((number, number, None, name, {"pattern"}))
            if not findings:
                good.append((number, value.get("id")))
        found.append((start, end, number, findings))
        start = end
    refused = by_key(kind, good)
    outcome = Outcome([], [], [], number, absent=frozenset({"id", "name", "note"} - present if is_read else ()))
    for start, end, number, findings in found:
        if number in refused:
            findings = [(number, number, None, "id", {"unique"})]
        (outcome.rejects if findings else outcome.clean).append((start, end))
        outcome.findings += findings
    return first, outcome


@dataclasses.dataclass(slots=True)
class Decoded:
    """UTF-8 text, and for each byte the offset of the encoded character that it is from."""

    text: bytes
    places: list

    def encoded(self, start: int, end: int, raw: bytes) -> bytes:
        return raw[self.places[start]:self.places[end]]


def decode_bytes(raw: bytes, codec: str) -> Decoded:
    """Decodes a single-byte encoding."""
    # Bytes 80 to 9F are control characters in ISO 8859. Text does not contain them, so Assay decodes them as invalid.
    undefined = range(0x80, 0xA0) if codec.startswith("iso8859") else ()
    table = [b"\xef\xbf\xbd" if byte in undefined else bytes([byte]).decode(codec, "replace").encode()
             for byte in range(256)]
    text, places = bytearray(), []
    for at, byte in enumerate(raw):
        text += table[byte]
        places += [at] * len(table[byte])
    return Decoded(bytes(text), [*places, len(raw)])


def decode_sequences(characters: str, codec: str) -> Decoded:
    """Encodes text and maps its offsets, for an encoding in which all characters are known."""
    places, at = [], 0
    for character in characters:
        places += [at] * len(character.encode())
        at += len(character.encode(codec))
    return Decoded(characters.encode(), [*places, at])


def decode_wide(raw: bytes, width: int, order: str, start: int) -> Decoded:
    """Decodes UTF-16 or UTF-32 after its byte order mark. U+FFFD replaces each unpaired surrogate of UTF-16, each byte
    of a UTF-32 unit that is beyond Unicode or in U+DC00 to U+DCFF, which represents a byte, each other surrogate in
    UTF-32, and each remaining byte at the end."""
    text, places, at = bytearray(), [], start
    while at < len(raw):
        length, wrong = width, 0
        scalar = int.from_bytes(raw[at:at + width], order)
        if at + width > len(raw):
            wrong = len(raw) - at
        elif width == 4 and (scalar > 0x10FFFF or 0xDC00 <= scalar < 0xDD00):
            wrong = 4
        elif 0xD800 <= scalar < 0xE000:
            low = int.from_bytes(raw[at + 2:at + 4], order) if at + 4 <= len(raw) else 0
            if width == 2 and scalar < 0xDC00 and 0xDC00 <= low < 0xE000:
                scalar, length = 0x10000 + (scalar - 0xD800) * 0x400 + low - 0xDC00, 4
            else:
                wrong = 1
        character = REPLACEMENT * wrong if wrong else chr(scalar).encode()
        text += character
        places += [at] * len(character)
        at += length
    return Decoded(bytes(text), [*places, len(raw)])
