"""A second, simple implementation of dialects, written independently of the product's sources.

The rules of `reference.py` for plain CSV apply, and in addition:

  - A delimiter may have two bytes; one of these bytes alone is data.
  - Any byte after an escape is data, inside quotes and outside; for CR LF, both bytes are. After a backslash, 0 b f n r
    t v Z have their meaning in MySQL, PostgreSQL and ClickHouse, and a field that consists of `\\N` stays unchanged.
  - A line that begins with the comment byte at the start of a record is a comment, in which quotes and escapes have
    no meaning.
  - If initial spaces are skipped, spaces and tabs before a field and after its closing quote are not part of the field.
  - Blank lines are records, kept like comments, or skipped. After the last record they are kept, unless they are
    skipped.
  - An escaped terminator does not end a line that is a record because its quotes never close.
"""

import bisect
import dataclasses
import re

import reference

LF, CR, SPACE, TAB = 0x0A, 0x0D, 0x20, 0x09
LETTERS = {ord("0"): 0, ord("b"): 8, ord("f"): 12, ord("n"): LF, ord("r"): CR, ord("t"): TAB, ord("v"): 11,
           ord("Z"): 0x1A}


@dataclasses.dataclass
class Dialect:
    delimiter: bytes = b","
    quote: bytes = b'"'
    escape: bytes = b""
    comment: bytes = b""
    spaces: bool = False
    keep: bool = False
    blank_lines: str = "reject"

    def in_rules(self):
        """The dialect in the notation of a rule file."""
        settings = {"delimiter": self.delimiter.decode(), "quoteChar": self.quote.decode() or None}
        if self.escape:
            settings["escapeChar"] = self.escape.decode()
        if self.comment:
            settings["commentChar"] = self.comment.decode()
        if self.spaces:
            settings["skipInitialSpace"] = True
        if self.keep:
            settings["extraFields"] = "keep"
        if self.blank_lines != "reject":
            settings["blankLines"] = self.blank_lines
        return settings


@dataclasses.dataclass
class Entry:
    start: int
    end: int
    line: int
    number: int = 0  # of a record, from 1; 0 for the header and for comments
    is_comment: bool = False
    is_blank: bool = False
    offsets: list = dataclasses.field(default_factory=list)
    lines: list = dataclasses.field(default_factory=list)
    cells: list = dataclasses.field(default_factory=list)
    problems: set = dataclasses.field(default_factory=set)


class Reader:
    """The entries of a table: `header`, followed by records and comments."""

    def __init__(self, data, dialect, cr_ends=False):
        self.data, self.dialect, self.cr_ends = data, dialect, cr_ends
        terminator = rb"\r\n|\n|\r" if cr_ends else rb"\r\n|\n"
        self.starts = [0, *(match.end() for match in re.finditer(terminator, data))]
        # Bytes without a special meaning in any part of a field.
        special = dialect.delimiter[:1] + dialect.quote + dialect.escape + b"\r\n"
        self.plain = re.compile(b"[^" + re.escape(special) + b"]+")
        entries, i = [], 0
        while i < len(data):
            entries.append(self._entry(i))
            i = entries[-1].end
        first = next(number for number, entry in enumerate(entries) if not entry.is_comment)
        self.header = entries[first]
        self.prefix = data[: self.header.end]
        self.entries = entries[first + 1 :]
        width, number = len(self.header.cells), 0
        for entry in self.entries[reference.kept_from(
                self.entries, data, width != 1, 4 << 20, cr_ends, lambda entry: entry.is_comment) :]:
            entry.is_comment = True
        for entry in self.entries:
            if entry.is_comment:
                continue
            number += 1
            entry.number = number
            count = len(entry.cells)
            if not entry.problems and (count < width if dialect.keep else count != width):
                entry.problems.add("structure.blank" if entry.is_blank else "structure.fields")
            try:
                data[entry.start : entry.end].decode()
            except UnicodeDecodeError:
                entry.problems.add("encoding")
        self.records = [entry for entry in self.entries if not entry.is_comment]

    def bytes_of(self, entries):
        return self.prefix + b"".join(self.data[entry.start : entry.end] for entry in entries
                                      if not self.is_skipped(entry))

    def is_skipped(self, entry):
        return entry.is_blank and self.dialect.blank_lines == "skip"

    def line(self, offset):
        return bisect.bisect_right(self.starts, offset)

    def _terminator(self, i):
        if self.data[i] == LF:
            return 1
        if self.data[i] == CR and (self.cr_ends or self.data[i + 1 : i + 2] == b"\n"):
            return 2 if self.data[i + 1 : i + 2] == b"\n" else 1
        return 0

    def _is(self, i, byte):
        return byte != b"" and self.data[i : i + 1] == byte

    def _skipped(self, i):
        is_space = self.data[i : i + 1] in (b" ", b"\t")
        return self.dialect.spaces and is_space and not self._is(i, self.dialect.delimiter[:1])

    def _entry(self, start):
        data, dialect = self.data, self.dialect
        if self._is(start, dialect.comment):
            i = start
            while i < len(data) and not self._terminator(i):
                i += 1
            return Entry(start, i + (self._terminator(i) if i < len(data) else 0), self.line(start), is_comment=True)
        if (length := self._terminator(start)) and dialect.blank_lines != "reject":
            return Entry(start, start + length, self.line(start), is_comment=True, is_blank=True)
        entry = Entry(start, start, self.line(start), is_blank=length > 0)
        i = start
        while True:
            entry.offsets.append(i)
            entry.lines.append(self.line(i))
            i, text, is_closed, text_at = self._field(i)
            entry.cells.append(text)
            if text_at is not None:
                entry.problems.add("structure.quote")
            # Quotes are ignored if text follows them on a later line.
            if not is_closed or (text_at is not None and self._line_end(start) <= text_at):
                return Entry(start, self._line_end(start), self.line(start), problems={"structure.quote"})
            if i == len(data) or self._terminator(i):
                entry.end = i + (self._terminator(i) if i < len(data) else 0)
                return entry
            i += len(dialect.delimiter)

    def _escaped(self, i):
        """The meaning of the escape at `i` and the bytes after it, and the position after them."""
        following = self.data[i + 1 : i + 3]
        if following == b"":
            return self.dialect.escape, i + 1
        if following == b"\r\n":
            return b"\r\n", i + 3
        byte = following[0]
        if self.dialect.escape == b"\\":
            byte = LETTERS.get(byte, byte)
        return bytes([byte]), i + 2

    def _field(self, i):
        """The end of the field, its text, whether its quotes are closed, and the position of text after them."""
        data, dialect = self.data, self.dialect
        while i < len(data) and self._skipped(i):
            i += 1
        start, text, is_quoted, text_at = i, b"", self._is(i, dialect.quote), None
        if is_quoted:
            i += 1
            while True:
                if i >= len(data):
                    return i, text, False, None
                if run := self.plain.match(data, i):
                    text += run.group()
                    i = run.end()
                elif self._is(i, dialect.escape):
                    part, i = self._escaped(i)
                    text += part
                elif not self._is(i, dialect.quote):
                    text += data[i : i + 1]
                    i += 1
                elif self._is(i + 1, dialect.quote):
                    text += dialect.quote
                    i += 2
                else:
                    i += 1
                    break
            while i < len(data) and self._skipped(i):
                i += 1
        while i < len(data) and not self._terminator(i) and data[i : i + len(dialect.delimiter)] != dialect.delimiter:
            text_at = i if is_quoted and text_at is None else text_at
            if run := self.plain.match(data, i):
                text += run.group()
                i = run.end()
            elif self._is(i, dialect.escape):
                part, i = self._escaped(i)
                text += part
            else:
                text += data[i : i + 1]
                i += 1
        if dialect.escape == b"\\" and data[start:i] == b"\\N":
            text = b"\\N"
        return i, text, True, text_at

    def _line_end(self, i):
        while i < len(self.data):
            if run := self.plain.match(self.data, i):
                i = run.end()
            elif self._is(i, self.dialect.escape):
                i = self._escaped(i)[1]
            elif self._terminator(i):
                return i + self._terminator(i)
            else:
                i += 1
        return i
