"""The texts that were judged, of values of pyarrow and Polars that are no text. What libassay writes for Arrow is written here once more,
for the few values that somebody wants to see; test_findings.py holds the two together.
"""

from __future__ import annotations

import datetime
import os
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from ._kind import pyarrow_for
from ._moment import CYCLE, Moment
from ._storage import as_values
from ._text import Single, Style

_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}

#: Makes a date or a time of the number that Arrow has for it.
_OfNumber = Callable[[int], Moment]


def texts_of_arrow(values: Any, style: Style) -> list[str | bytes | None]:
    """The texts of an array of pyarrow."""
    pyarrow = pyarrow_for("to read values")
    types = pyarrow.types
    values = as_values(values, None, style.name)
    kind = values.type
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        decode = pyarrow.compute.run_end_decode if types.is_run_end_encoded(kind) else (lambda chunk: chunk.dictionary_decode())
        chunks = values.chunks if isinstance(values, pyarrow.ChunkedArray) else [values]
        return [text for chunk in chunks for text in texts_of_arrow(decode(chunk), style)]
    if types.is_float16(kind) or types.is_float32(kind):
        # The digits that 32 bits need; Python would show those that 64 bits do.
        digits = values.cast(pyarrow.float32()).cast(pyarrow.string()).to_pylist()
        return [_single(value, text, style) for value, text in zip(values.to_pylist(), digits)]
    if types.is_date32(kind):
        return _moments(values.cast(pyarrow.int32()).to_pylist(), style, _day)
    if types.is_date64(kind):
        return _moments(values.cast(pyarrow.int64()).to_pylist(), style, lambda number: _day(number // 86_400_000))
    if types.is_time(kind):
        per_second = _PER_SECOND[kind.unit]
        numbers = values.cast(pyarrow.int32() if types.is_time32(kind) else pyarrow.int64())
        return _moments(numbers.to_pylist(), style, lambda number: Moment.of_parts(0, number, per_second, has_day=False))
    if types.is_timestamp(kind):
        return _moments(values.cast(pyarrow.int64()).to_pylist(), style, _instants(kind.unit, kind.tz))
    try:
        given = values.to_pylist()
    except UnicodeDecodeError:
        given = [value.cast(pyarrow.binary()).as_py() for value in values]
    return [style.text(value, 0, "the findings") for value in given]


def texts_of_polars(series: Any, style: Style) -> list[str | bytes | None]:
    """The texts of a Series of Polars, without pyarrow."""
    polars = sys.modules["polars"]
    kind = series.dtype
    if kind == polars.Date:
        return _moments(series.to_physical().to_list(), style, _day)
    if kind == polars.Time:
        return _moments(series.to_physical().to_list(), style, lambda number: Moment.of_parts(0, number, 10**9, has_day=False))
    if kind == polars.Datetime:
        return _moments(series.to_physical().to_list(), style, _instants(kind.time_unit, kind.time_zone))
    if str(kind) in ("Float16", "Float32"):
        digits = series.cast(polars.String).to_list()
        return [_single(value, text, style) for value, text in zip(series.to_list(), digits)]
    return [style.text(value, 0, "the findings") for value in series.to_list()]


def _single(value: Any, digits: str | None, style: Style) -> str | bytes | None:
    return None if value is None or digits is None else style.text(Single(float(value), digits), 0, "the findings")


def _moments(numbers: list[int | None], style: Style, moment: _OfNumber) -> list[str | bytes | None]:
    return [None if number is None else style.moment(moment(number)) for number in numbers]


def _day(days: int) -> Moment:
    return Moment.of_parts(days, 0, 1, has_time=False)


def _instants(unit: str, zone: str | None) -> _OfNumber:
    """Moments that are counted in UTC, as the clocks of a zone showed them."""
    per_second, clocks = _PER_SECOND[unit], _zone(zone or "")

    def moment(number: int) -> Moment:
        seconds, rest = divmod(number, per_second)
        offset = _offset(clocks, seconds)
        # What 64 bits cannot count is left in UTC.
        if not -(2**63) <= seconds + offset < 2**63:
            offset = 0
        days, time = divmod(seconds + offset, 86_400)
        return Moment.of_parts(days, time * per_second + rest, per_second, is_zoned=bool(zone), offset=offset // 60)

    return moment


def _offset(zone: datetime.tzinfo, seconds: int) -> int:
    """How far the clocks of a zone are from UTC, in seconds that make whole minutes."""
    days, time = divmod(seconds, 86_400)
    if not -700_000 < days < 2_900_000:
        # Python has no such years. What clocks do was the same before the first change, and is the same each year after the last.
        days = days % CYCLE + (19 if days > 0 else -4) * CYCLE
    moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(days, time)
    offset = moment.astimezone(zone).utcoffset() or datetime.timedelta()
    found = int(offset.total_seconds())
    # Of clocks that followed the sun there is nothing to write: an offset has no seconds (RFC 3339, 4.2).
    return 0 if found % 60 else found


@lru_cache(maxsize=64)
def _zone(name: str) -> datetime.tzinfo:
    """The zone of a name of Arrow, from the same files as libassay has it; UTC if there is none."""
    if fixed := re.fullmatch("([+-])([01][0-9]|2[0-3]):([0-5][0-9])", name):
        offset = datetime.timedelta(hours=int(fixed[2]), minutes=int(fixed[3]))
        return datetime.timezone(-offset if fixed[1] == "-" else offset)
    if any(not part or part.startswith(".") for part in name.split("/")):
        return datetime.timezone.utc
    try:
        with open(os.path.join(os.environ.get("TZDIR", "/usr/share/zoneinfo"), name), "rb") as file:
            return ZoneInfo.from_file(file)
    except (OSError, ValueError):
        return datetime.timezone.utc
