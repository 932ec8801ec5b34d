"""Arrow arrays and tables of ours, for whoever reads the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain, islice
from sys import maxsize
from typing import Any

from . import _native

VERDICTS, NULLABLE_VERDICTS, REASONS, FINDINGS, KEYS = range(5)
REJECTED, UNDECIDED, MISSING = 1, 2, 3
ALL = 2**63


#: What a table of findings has, in its order.
FINDING_NAMES = ("record", "column", "rule", "code", "severity", "message")


class _Exported:
    """What libassay has of some results, as an Arrow stream; to Python a sequence."""

    def __init__(self, results: list[_native.Result], kind: int, limit: int = ALL):
        #: ``limit``: the most findings.
        self.results, self.kind, self.limit = results, kind, limit

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _native.export_stream(self.results, self.kind, self.limit)

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    @cached_property
    def _values(self) -> list[Any]:
        return list(self)

    def __getitem__(self, place: Any) -> Any:
        return self._values[place]

    def __repr__(self) -> str:
        return f"<{self._WHAT} of assay: pyarrow, Polars, pandas, NumPy and list read it>"

    _WHAT: str


class ArrowColumn(_Exported):
    """An Arrow array in chunks, as ``pyarrow.chunked_array``, ``polars.Series`` and others read it; NumPy, pandas and ``list``
    read it as well.
    """

    _WHAT = "an Arrow column"

    def __len__(self) -> int:
        return sum(result.totals()[0] for result in self.results)

    def __iter__(self) -> Iterator[Any]:
        if self.kind == REASONS:
            return iter(reasons(self.results))
        return (matches if self.kind == NULLABLE_VERDICTS else verdicts)(self.results)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """What NumPy and pandas read."""
        if copy is False:
            raise ValueError("what Arrow holds is no array of NumPy: a copy is made of it")
        made = self._array()
        return made if dtype is None else made.astype(dtype)

    def _array(self) -> Any:
        import numpy

        values = list(self)
        is_plain = self.kind != REASONS and None not in values
        return numpy.array(values, bool) if is_plain else _objects(values)


class ArrowArray(ArrowColumn):
    """An Arrow array in one piece, as ``pyarrow.array`` reads it."""

    def __init__(self, result: _native.Result, kind: int, limit: int = ALL):
        super().__init__([result], kind, limit)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.results[0].export(self.kind, self.limit)

    def __arrow_c_schema__(self) -> object:
        return self.__arrow_c_array__()[0]


class ArrowFindings(_Exported):
    """A table of findings. To Python it is a sequence of dicts, to NumPy an array with a named field for each column.

    It is no ``collections.abc.Sequence``: Polars would take it for a list of dicts and guess the types from the first hundred. And it
    has no ``__array__``: pandas would make one column of what that gives, and makes a frame of the dicts.
    """

    _WHAT = "an Arrow table"

    def __init__(self, results: list[_native.Result], limit: int = ALL):
        super().__init__(results, FINDINGS, limit)

    def __len__(self) -> int:
        return min(self.limit, sum(result.totals()[4] for result in self.results))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(FINDING_NAMES, row)) for row in self._rows())

    @property
    def __array_interface__(self) -> Any:
        """What NumPy reads."""
        return self._array.__array_interface__

    @cached_property
    def _array(self) -> Any:
        import numpy

        return numpy.array(list(self._rows()), [(name, "u8" if name == "record" else object) for name in FINDING_NAMES])

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        # Line and offset are those of a CSV text.
        every = chain.from_iterable(map(findings, self.results))
        return ((record, *rest) for record, _, _, *rest in islice(every, min(self.limit, maxsize)))


class Exported:
    """An Arrow array that libassay has given out. It is read once."""

    def __init__(self, capsules: tuple[object, object]):
        self._capsules = capsules

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._capsules


def _objects(values: list[Any]) -> Any:
    """Values of Python as an array of NumPy with one object for each, also where they are lists of one length."""
    import numpy

    made = numpy.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        made[place] = value
    return made


def _rejected_bits(result: _native.Result) -> bytes:
    bits = result.rows(REJECTED)
    if bits is None:
        raise TypeError("there is no mask of the rows of a CSV text; look at the findings")
    return bits


def verdicts(results: list[_native.Result]) -> Iterator[bool]:
    """For each row whether it is clean."""
    for result in results:
        bits = _rejected_bits(result)
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
        _rejected_bits(result)
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
