"""The checked texts of pyarrow and Polars values that are not texts. This repeats the formatting of libassay for the
few values that are shown; test_findings.py compares both.
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

from ._moment import CYCLE, Moment
from ._pyarrow import pyarrow_for
from ._storage import as_values
from ._text import Single, Style

_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}

#: Converts the number that Arrow stores to a date or a time.
_OfNumber = Callable[[int], Moment]


def texts_of_arrow(values: Any, style: Style) -> list[str | bytes | None]:
    """Returns the texts of a pyarrow array."""
    pyarrow = pyarrow_for("to read values")
    types = pyarrow.types
    values = as_values(values, None, style.name)
    kind = values.type
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        decode = pyarrow.compute.run_end_decode if types.is_run_end_encoded(kind) else (
            lambda chunk: chunk.dictionary_decode())
        chunks = values.chunks if isinstance(values, pyarrow.ChunkedArray) else [values]
        return [text for chunk in chunks for text in texts_of_arrow(decode(chunk), style)]
    if types.is_float16(kind) or types.is_float32(kind):
        # Print the shortest digits for 32 bits, because Python prints those for 64 bits.
        digits = values.cast(pyarrow.float32()).cast(pyarrow.string()).to_pylist()
        return [_single(value, text, style) for value, text in zip(values.to_pylist(), digits)]
    if types.is_date32(kind):
        return _moments(values.cast(pyarrow.int32()).to_pylist(), style, _day)
    if types.is_date64(kind):
        return _moments(values.cast(pyarrow.int64()).to_pylist(), style, lambda number: _day(number // 86_400_000))
    if types.is_time(kind):
        per_second = _PER_SECOND[kind.unit]
        numbers = values.cast(pyarrow.int32() if types.is_time32(kind) else pyarrow.int64())
        return _moments(numbers.to_pylist(), style,
                        lambda number: Moment.of_parts(0, number, per_second, has_day=False))
    if types.is_timestamp(kind):
        return _moments(values.cast(pyarrow.int64()).to_pylist(), style, _instants(kind.unit, kind.tz))
    try:
        given = values.to_pylist()
    except UnicodeDecodeError:
        given = [value.cast(pyarrow.binary()).as_py() for value in values]
    return [style.text(value, 0, "the findings") for value in given]


def texts_of_polars(series: Any, style: Style) -> list[str | bytes | None]:
    """Returns the texts of a Polars Series, without pyarrow."""
    polars = sys.modules["polars"]
    kind = series.dtype
    if kind == polars.Date:
        return _moments(series.to_physical().to_list(), style, _day)
    if kind == polars.Time:
        return _moments(series.to_physical().to_list(), style,
                        lambda number: Moment.of_parts(0, number, 10**9, has_day=False))
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
    """Returns a converter from UTC counts to local moments of a zone."""
    per_second, clocks = _PER_SECOND[unit], _zone(zone or "")

    def moment(number: int) -> Moment:
        seconds, rest = divmod(number, per_second)
        offset = _offset(clocks, seconds)
        # Keep UTC if the local time exceeds 64 bits.
        if not -(2**63) <= seconds + offset < 2**63:
            offset = 0
        days, time = divmod(seconds + offset, 86_400)
        return Moment.of_parts(days, time * per_second + rest, per_second, is_zoned=bool(zone), offset=offset // 60)

    return moment


def _offset(zone: datetime.tzinfo, seconds: int) -> int:
    """Returns the UTC offset of a zone in seconds, always a whole number of minutes."""
    days, time = divmod(seconds, 86_400)
    if not -700_000 < days < 2_900_000:
        # Map years outside of Python's range into it. Offsets are constant before the first change of a zone, and
        # repeat with the calendar after the last.
        days = days % CYCLE + (19 if days > 0 else -4) * CYCLE
    moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(days, time)
    offset = moment.astimezone(zone).utcoffset() or datetime.timedelta()
    found = int(offset.total_seconds())
    # An offset with seconds, as of local mean time, cannot be written (RFC 3339, 4.2).
    return 0 if found % 60 else found


@lru_cache(maxsize=64)
def _zone(name: str) -> datetime.tzinfo:
    """Returns the zone of an Arrow name, from the same files as libassay reads; UTC for unknown names."""
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
