"""The rules of CSV, written down a second time: slow, plain, and without a look at the product's sources.

It says where each record starts and ends, on which line, what its cells are, and what is wrong with it. The tests hold
the command against it.

  - A quote opens only as the first byte of a field; elsewhere it is data. Inside quotes, two are one.
  - Text after a closing quote spoils the record, which goes on to its terminator.
  - Quotes that never close (the input or the record limit ends) are not believed: the physical line is a record, and
    reading goes on at the next line.
  - LF and CR LF end records. A bare CR does only where the first terminator of the file is one.
  - A blank line is a record with one empty field.
"""

import dataclasses

LF, CR = 0x0A, 0x0D


@dataclasses.dataclass
class Cell:
    offset: int
    line: int
    text: bytes


@dataclasses.dataclass
class Record:
    number: int  # from 1; the header is 0
    start: int
    end: int
    line: int
    cells: list
    # What is wrong: a set of codes. More than one may be true; the command says one of them.
    problems: set


@dataclasses.dataclass
class Table:
    prefix: bytes  # byte order mark and header, as they came
    header: list  # names, or None
    records: list
    data: bytes

    def bytes_of(self, records):
        return b"".join(self.data[record.start:record.end] for record in records)


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
        self._lines = self._line_starts()

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
        for number, record in enumerate(records, 1):
            record.number = number
            if not record.problems and len(record.cells) != expected:
                record.problems.add("structure.fields")
            try:
                self.data[record.start:record.end].decode()
            except UnicodeDecodeError:
                record.problems.add("encoding")
        return Table(prefix, names, records, self.data)

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

    def _line_starts(self):
        """Where physical lines start, whether or not quotes are open there."""
        starts, i = [0], 0
        while i < len(self.data):
            length = self._terminator(i) or 1
            if self._terminator(i):
                starts.append(i + length)
            i += length
        return starts

    def line(self, offset):
        low, high = 0, len(self._lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._lines[middle] <= offset else (low, middle)
        return low + 1

    def _record(self, start):
        data, problems, cells = self.data, set(), []
        i = start
        while True:
            i, cell, is_closed, has_text_after = self._field(i)
            cells.append(cell)
            if i - cell.offset > self.field_bytes:
                problems.add("structure.too-long")
            if has_text_after:
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
        """Where the field ends, what it holds, whether its quotes are closed, whether text follows them."""
        data, i = self.data, start
        text, has_text_after = bytearray(), False
        if i < len(data) and data[i] == self.quote:
            i += 1
            while True:
                if i >= len(data):
                    return i, Cell(start, self.line(start), bytes(text)), False, False
                if data[i] == self.quote:
                    if data[i + 1:i + 2] == bytes([self.quote]):
                        text.append(self.quote)
                        i += 2
                        continue
                    i += 1
                    break
                text.append(data[i])
                i += 1
        while i < len(data) and data[i] != self.delimiter and not self._terminator(i):
            if data[start] == self.quote:
                has_text_after = True
            text.append(data[i])
            i += 1
        return i, Cell(start, self.line(start), bytes(text)), True, has_text_after

    def _over_limit(self, start):
        """Inside quotes at the limit the record is not believed; outside it goes to the end of the line that it has come to."""
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
        i = start
        while i < len(self.data) and not self._terminator(i):
            i += 1
        end = i + (self._terminator(i) if i < len(self.data) else 0)
        if end - start > self.record_bytes:
            problems = {"structure.too-long"}
        return Record(0, start, end, self.line(start), [], problems)
