"""The value of ``now()`` in row rules."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta, timezone

from . import _native

#: A time: a datetime with a time zone, or a text of RFC 3339.
Now = datetime | str

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_TEXT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)", re.ASCII)


def instant(now: Now | None) -> tuple[int, int]:
    """Returns the seconds since 1970 and the nanoseconds of a time, or of the clock for None.

    Raises :class:`ValueError` for a datetime without a time zone and for another text.
    """
    if now is None:
        seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
        return seconds, nanoseconds
    if isinstance(now, str):
        return _of_text(now)
    if not isinstance(now, datetime):
        raise TypeError(f"now= is a datetime with a time zone or a str, not {type(now).__name__}")
    if now.utcoffset() is None:
        raise ValueError(f"now= needs a time zone: {now!r} has none; use datetime.now(timezone.utc)")
    # A pandas Timestamp also has nanoseconds.
    return _split(now, getattr(now, "nanosecond", 0))


def _of_text(text: str) -> tuple[int, int]:
    advice = "write it as in '2024-02-29T12:30:00Z'"
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f"now= is a timestamp with a time zone, not {text!r}: {advice}")
    day, clock, fraction, zone = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{'+00:00' if zone == 'Z' else zone}")
    except ValueError:
        raise ValueError(f"now= is {text!r}, which is no time of the calendar: {advice}") from None
    seconds, _ = _split(moment, 0)
    return seconds, int((fraction or "").ljust(9, "0"))


def _split(moment: datetime, nanosecond: int) -> tuple[int, int]:
    passed = moment - _EPOCH
    # Whole seconds, rounded down.
    seconds = passed // timedelta(seconds=1)
    return seconds, 1000 * (passed - timedelta(seconds=seconds)).microseconds + nanosecond


def text_of(seconds: int, nanoseconds: int) -> str:
    """Returns the timestamp in UTC, as in the report of the command."""
    fraction = f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""
    return f"{(_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat()}{fraction}Z"


def fixed(now: Now | None) -> Now:
    """Returns the given time, or that of the clock, for several checks."""
    return text_of(*instant(None)) if now is None else now


def at(now: Now | None, rules: _native.Rules) -> _native.Rules:
    """Returns the same rules with one value of ``now()`` for all their checks, and without a budget."""
    return rules.with_now(*instant(now))
