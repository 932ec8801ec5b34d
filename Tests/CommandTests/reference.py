"""A second, simple implementation of CSV, written independently of the product's sources.

It returns the bounds, line, cells and problems of each record. The tests compare the command with it.

  - A quote opens only as the first byte of a field; elsewhere it is data. Inside quotes, two quotes are one.
  - Text after a closing quote makes the record malformed. The record continues to its terminator.
  - Quotes are ignored if they never close (the input or the record limit ends), or if a line ends inside them and then
    text follows a closing quote. The physical line is a record, and reading continues at the next line.
  - LF and CR LF end records. A bare CR ends a record only if the first terminator of the file is a bare CR.
  - A blank line is a record with one empty field; in a table with several columns it is malformed.
  - In such a table, blank lines after the last record are not records, up to 64 KiB or the record limit. In any table,
    a Ctrl-Z at the end of the file is not a record.
"""

import bisect
import dataclasses
import re

LF, CR = 0x0A, 0x0D


@dataclasses.dataclass(slots=True)
class Cell:
    offset: int
    line: int
    text: bytes


@dataclasses.dataclass(slots=True)
class Record:
    number: int  # from 1; the header is 0
    start: int
    end: int
    line: int
    cells: list
    # A set of codes. More than one may apply; the command reports one.
    problems: set


@dataclasses.dataclass
class Table:
    prefix: bytes  # byte order mark and header, unchanged
    header: list  # names, or None
    records: list
    data: bytes
    end: int  # after this offset there are no records, only kept lines

    @property
    def kept(self):
        return self.data[self.end:]

    def bytes_of(self, records):
        return b"".join(self.data[record.start:record.end] for record in records)


END_MARK, BLANK_BYTES = b"\x1a", 1 << 16


def kept_from(entries, data, has_columns, record_bytes, cr_ends, is_comment=lambda entry: False):
    """The number of entries before the lines that are kept at the end of a table. Entries must be in order."""
    count = len(entries)
    if count > 0 and data[entries[-1].start:] == END_MARK:
        count -= 1
    while has_columns and count > 0:
        start = entries[count - 1].start
        is_blank = data[start:entries[count - 1].end] in (b"\n", b"\r\n", *([b"\r"] if cr_ends else []))
        if not (is_blank and len(data) - start <= min(BLANK_BYTES, record_bytes) or is_comment(entries[count - 1])):
            break
        count -= 1
    return count


def read(data, delimiter=b",", quote=b'"', header=True, field_bytes=1 << 20, record_bytes=4 << 20):
    return Reader(data, delimiter, quote, field_bytes, record_bytes).table(header)


class Reader:
    def __init__(self, data, delimiter, quote, field_bytes, record_bytes):
        self.data = data
        self.delimiter = delimiter[0]
        self.quote = quote[0] if quote else None
        self.field_bytes, self.record_bytes = field_bytes, record_bytes
        self.start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.cr_ends = False
        self.cr_ends = self._first_terminator_is_cr()
        self._terminators = re.compile(rb"\r\n|\n|\r" if self.cr_ends else rb"\r\n|\n")
        self._field_ends = re.compile(self._terminators.pattern + b"|" + re.escape(delimiter))
        # The starts of physical lines, including lines inside quotes.
        self._lines = [0, *(match.end() for match in self._terminators.finditer(data))]

    def table(self, has_header):
        records = []
        position = self.start
        while position < len(self.data):
            record = self._record(position)
            records.append(record)
            position = record.end
        names, prefix = None, self.data[:self.start]
        if has_header and records:
            first = records.pop(0)
            names = [cell.text.decode() for cell in first.cells]
            prefix = self.data[:first.end]
        expected = len(names) if names is not None else (len(records[0].cells) if records else 0)
        count = kept_from(records, self.data, expected != 1, self.record_bytes, self.cr_ends)
        end = records[count].start if count < len(records) else len(self.data)
        del records[count:]
        for number, record in enumerate(records, 1):
            record.number = number
            if not record.problems and len(record.cells) != expected:
                is_blank = len(record.cells) == 1 and self._terminator(record.start) == record.end - record.start
                record.problems.add("structure.blank" if is_blank else "structure.fields")
            try:
                self.data[record.start:record.end].decode()
            except UnicodeDecodeError:
                record.problems.add("encoding")
        return Table(prefix, names, records, self.data, end)

    def _first_terminator_is_cr(self):
        in_quotes, field_start, i = False, True, self.start
        data = self.data
        while i < len(data):
            byte = data[i]
            if in_quotes:
                if byte == self.quote:
                    if data[i + 1:i + 2] == bytes([self.quote]):
                        i += 1
                    else:
                        in_quotes = False
            elif byte == self.quote and field_start:
                in_quotes, field_start = True, False
            elif byte == LF:
                return False
            elif byte == CR:
                return data[i + 1:i + 2] != b"\n"
            else:
                field_start = byte == self.delimiter
            i += 1
        return False

    def _terminator(self, i):
        """The length of the terminator at `i`, 0 if there is none."""
        if self.data[i] == LF:
            return 1
        if self.data[i] == CR:
            if self.data[i + 1:i + 2] == b"\n":
                return 2
            return 1 if self.cr_ends else 0
        return 0

    def line(self, offset):
        return bisect.bisect_right(self._lines, offset)

    def _record(self, start):
        data, problems, cells = self.data, set(), []
        i = start
        while True:
            i, cell, is_closed, text_at = self._field(i)
            if (text_at is not None and text_at - start < self.record_bytes
                    and self._terminators.search(data, start, text_at)):
                return self._physical_line(start, {"structure.quote"})
            cells.append(cell)
            if i - cell.offset > self.field_bytes:
                problems.add("structure.too-long")
            if text_at is not None:
                problems.add("structure.quote")
            length = self._terminator(i) if i < len(data) else 0
            end = i + length
            if end - start > self.record_bytes:
                return self._over_limit(start)
            if not is_closed:
                return self._physical_line(start, {"structure.quote"})
            if i == len(data) or length:
                return Record(0, start, end, self.line(start), cells, problems)
            i += 1  # the delimiter

    def _field(self, start):
        """The end of the field, its text, whether its quotes are closed, and the position of text after them."""
        data, text, behind_quotes = self.data, b"", start
        if start < len(data) and data[start] == self.quote:
            quote = bytes([self.quote])
            closing = data.find(quote, start + 1)
            while closing >= 0 and data[closing + 1:closing + 2] == quote:
                closing = data.find(quote, closing + 2)
            is_closed = closing >= 0
            text = data[start + 1:closing if is_closed else len(data)].replace(quote + quote, quote)
            if not is_closed:
                return len(data), Cell(start, self.line(start), text), False, None
            behind_quotes = closing + 1
        match = self._field_ends.search(data, behind_quotes)
        end = match.start() if match else len(data)
        text_at = behind_quotes if start < behind_quotes < end else None
        return end, Cell(start, self.line(start), text + data[behind_quotes:end]), True, text_at

    def _over_limit(self, start):
        """If the limit is inside quotes, they are ignored. Otherwise the record extends to the end of its line."""
        limit, place = start + self.record_bytes, "start"
        for byte in self.data[start:limit]:
            if place == "quoted":
                place = "quote" if byte == self.quote else "quoted"
            elif byte == self.quote and place in ("start", "quote"):
                place = "quoted"
            else:
                place = "start" if byte == self.delimiter else "text"
        if place == "quoted":
            return self._physical_line(start, {"structure.quote"})
        if self.cr_ends and self.data[limit - 1:limit + 1] == b"\r\n":
            limit -= 1
        end = self._physical_line(limit, set()).end
        return Record(0, start, end, self.line(start), [], {"structure.too-long"})

    def _physical_line(self, start, problems):
        match = self._terminators.search(self.data, start)
        end = match.end() if match else len(self.data)
        if end - start > self.record_bytes:
            problems = {"structure.too-long"}
        return Record(0, start, end, self.line(start), [], problems)
