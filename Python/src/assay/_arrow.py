"""Arrow arrays and tables of results, for readers of the Arrow PyCapsule interface."""

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


#: The columns of a table of findings, in order.
FINDING_NAMES = ("record", "column", "rule", "code", "severity", "message")


class _Exported:
    """A part of some results, as an Arrow stream and as a Python sequence."""

    def __init__(self, results: list[_native.Result], kind: int, limit: int = ALL):
        #: ``limit`` is the maximum number of findings.
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
        return f"<{self._WHAT} of assay; convert it with pyarrow, Polars, pandas, NumPy or list()>"

    _WHAT: str


class ArrowColumn(_Exported):
    """An Arrow array in chunks, for ``pyarrow.chunked_array``, ``polars.Series``, NumPy, pandas, ``list`` and
    others."""

    _WHAT = "an Arrow column"

    def __len__(self) -> int:
        return sum(result.totals()[0] for result in self.results)

    def __iter__(self) -> Iterator[Any]:
        if self.kind == REASONS:
            return iter(reasons(self.results))
        return (matches if self.kind == NULLABLE_VERDICTS else verdicts)(self.results)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Returns the array for NumPy and pandas. Raises :class:`ValueError` if `copy` is False."""
        if copy is False:
            raise ValueError("Arrow data cannot become a NumPy array without a copy")
        made = self._array()
        return made if dtype is None else made.astype(dtype)

    def _array(self) -> Any:
        import numpy

        values = list(self)
        is_plain = self.kind != REASONS and None not in values
        return numpy.array(values, bool) if is_plain else _objects(values)


class ArrowArray(ArrowColumn):
    """An Arrow array in one chunk, for ``pyarrow.array``."""

    def __init__(self, result: _native.Result, kind: int, limit: int = ALL):
        super().__init__([result], kind, limit)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.results[0].export(self.kind, self.limit)

    def __arrow_c_schema__(self) -> object:
        return self.__arrow_c_array__()[0]


class ArrowFindings(_Exported):
    """A table of findings: for Python a sequence of dicts, for NumPy an array with one named field per column.

    It is not a ``collections.abc.Sequence``, because Polars would infer the types from the first hundred dicts. It has
    no ``__array__``, because pandas would make one column from it instead of a frame from the dicts.
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
        """The array interface of NumPy."""
        return self._array.__array_interface__

    @cached_property
    def _array(self) -> Any:
        import numpy

        return numpy.array(list(self._rows()), [(name, "u8" if name == "record" else object) for name in FINDING_NAMES])

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        # Drop line and offset, which exist only for CSV text.
        every = chain.from_iterable(map(findings, self.results))
        return ((record, *rest) for record, _, _, *rest in islice(every, min(self.limit, maxsize)))


class Exported:
    """An Arrow array that libassay exported. It can be read once."""

    def __init__(self, capsules: tuple[object, object]):
        self._capsules = capsules

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._capsules


def _objects(values: list[Any]) -> Any:
    """Returns a one-dimensional NumPy array of objects, even if the values are lists of equal length."""
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
    """Yields whether each row is clean."""
    for result in results:
        bits = _rejected_bits(result)
        for row in range(result.totals()[0]):
            yield not bits[row >> 3] >> (row & 7) & 1


def findings(result: _native.Result) -> Iterator[tuple[Any, ...]]:
    """Yields the findings in small batches, because a result may have millions."""
    row = place = 0
    while True:
        found, row, place = result.findings(row, place, 4096)
        if not found:
            return
        yield from found


def reasons(results: list[_native.Result]) -> list[list[str]]:
    """Returns the distinct names of the rules with findings in each row."""
    rows: list[list[str]] = [[] for result in results for _ in range(result.totals()[0])]
    for result in results:
        _rejected_bits(result)
        for record, _, _, _, rule, *_ in findings(result):
            if rule not in rows[record - 1]:
                rows[record - 1].append(rule)
    return rows


def matches(results: list[_native.Result]) -> Iterator[bool | None]:
    """Yields whether each value matches; None for missing and undecided values."""
    for result in results:
        failed, undecided, missing = (result.rows(kind) or b"" for kind in (REJECTED, UNDECIDED, MISSING))
        for row in range(result.totals()[0]):
            byte, bit = row >> 3, 1 << (row & 7)
            if (missing[byte] | undecided[byte]) & bit:
                yield None
            else:
                yield not failed[byte] & bit
