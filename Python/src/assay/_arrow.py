"""Arrow arrays and tables of ours, for whoever reads the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _native

VERDICTS, NULLABLE_VERDICTS, REASONS, FINDINGS, KEYS = range(5)
REJECTED, UNDECIDED, MISSING = 1, 2, 3
ALL = 2**63


class ArrowColumn:
    """An Arrow array in chunks, as ``pyarrow.chunked_array``, ``polars.Series`` and others read it."""

    def __init__(self, results: list[_native.Result], kind: int, limit: int = ALL):
        self.results, self.kind, self.limit = results, kind, limit

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _native.export_stream(self.results, self.kind, self.limit)

    def __len__(self) -> int:
        if self.kind == FINDINGS:
            return min(self.limit, sum(result.totals()[4] for result in self.results))
        return sum(result.totals()[0] for result in self.results)

    def __repr__(self) -> str:
        return "<an Arrow column or table of assay: pyarrow.table, pyarrow.chunked_array, polars.DataFrame … read it>"


class ArrowArray(ArrowColumn):
    """An Arrow array in one piece, as ``pyarrow.array`` reads it."""

    def __init__(self, result: _native.Result, kind: int, limit: int = ALL):
        super().__init__([result], kind, limit)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.results[0].export(self.kind, self.limit)

    def __arrow_c_schema__(self) -> object:
        return self.__arrow_c_array__()[0]


class Exported:
    """An Arrow array that libassay has given out. It is read once."""

    def __init__(self, capsules: tuple[object, object]):
        self._capsules = capsules

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._capsules


def verdicts(results: list[_native.Result]) -> Iterator[bool]:
    """For each row whether it is clean."""
    for result in results:
        bits = result.rows(REJECTED)
        if bits is None:
            raise TypeError("there is no mask of the rows of a CSV text; look at the findings")
        for row in range(result.totals()[0]):
            yield not bits[row >> 3] >> (row & 7) & 1


def findings(result: _native.Result) -> Iterator[tuple[Any, ...]]:
    """The findings one after the other; never many of them at once, since there may be millions."""
    row = place = 0
    while True:
        found, row, place = result.findings(row, place, 4096)
        if not found:
            return
        yield from found


def reasons(results: list[_native.Result]) -> list[list[str]]:
    """For each row the names of the rules that found something, each of them once."""
    rows: list[list[str]] = [[] for result in results for _ in range(result.totals()[0])]
    for result in results:
        for record, _, _, _, rule, *_ in findings(result):
            if rule not in rows[record - 1]:
                rows[record - 1].append(rule)
    return rows


def matches(results: list[_native.Result]) -> Iterator[bool | None]:
    """For each value whether it matches; None where there is no value, or no verdict."""
    for result in results:
        failed, undecided, missing = (result.rows(kind) or b"" for kind in (REJECTED, UNDECIDED, MISSING))
        for row in range(result.totals()[0]):
            byte, bit = row >> 3, 1 << (row & 7)
            if (missing[byte] | undecided[byte]) & bit:
                yield None
            else:
                yield not failed[byte] & bit
