"""Dates and times as text, in the strptime-like formats of fields. This must agree with TimeWriter.swift."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple


#: The period of the calendar in days: 400 years, which are whole weeks.
CYCLE = 146_097


class Moment(NamedTuple):
    """A day, a time of the day, or both."""

    year: int = 1970
    month: int = 1
    day: int = 1
    #: The day of the year, from 1.
    year_day: int = 1
    #: The day of the week; Monday is 0.
    weekday: int = 3
    hour: int = 0
    minute: int = 0
    second: int = 0
    nanosecond: int = 0
    has_day: bool = True
    has_time: bool = True
    is_zoned: bool = False
    #: The offset from UTC, in minutes.
    offset: int = 0

    @classmethod
    def of(cls, value: Any) -> Moment | None:
        """Converts a date, a time or a datetime; None for other values."""
        if isinstance(value, datetime.datetime):
            offset = value.utcoffset()
            # Convert to UTC, because an offset with seconds, as of local mean time, cannot be written (RFC 3339, 4.2).
            if offset is not None and offset.total_seconds() % 60:
                try:
                    value, offset = value.astimezone(datetime.timezone.utc), datetime.timedelta()
                except OverflowError:
                    pass  # the first and the last day that Python has
            minutes = 0 if offset is None else int(offset.total_seconds()) // 60
            # A pandas Timestamp also has nanoseconds.
            nanosecond = 1000 * value.microsecond + getattr(value, "nanosecond", 0)
            time = (value.hour, value.minute, value.second, nanosecond)
            return cls(*_day(value), *time, True, True, offset is not None, minutes)
        if isinstance(value, datetime.date):
            return cls(*_day(value), has_time=False)
        if isinstance(value, datetime.time):
            time = (value.hour, value.minute, value.second, 1000 * value.microsecond)
            return cls(1970, 1, 1, 1, 3, *time, has_day=False)
        return None

    @classmethod
    def of_numpy(cls, value: Any) -> Moment:
        """Converts a datetime64 other than NaT. Units of days or longer are dates, as in Arrow."""
        day = value.astype("datetime64[D]")
        year, month = day.astype("datetime64[Y]"), day.astype("datetime64[M]")
        date = (
            int(year.astype("int64")) + 1970,
            int(month.astype("int64")) % 12 + 1,
            int((day - month.astype("datetime64[D]")).astype("int64")) + 1,
            int((day - year.astype("datetime64[D]")).astype("int64")) + 1,
            (int(day.astype("int64")) + 3) % 7,
        )
        if value.dtype in ("datetime64[D]", "datetime64[M]", "datetime64[W]", "datetime64[Y]"):
            return cls(*date, has_time=False)
        nanoseconds = int((value - day).astype("timedelta64[ns]").astype("int64"))
        seconds, nanosecond = divmod(nanoseconds, 1_000_000_000)
        return cls(*date, seconds // 3600, seconds // 60 % 60, seconds % 60, nanosecond)

    @classmethod
    def of_parts(
        cls, days: int, parts: int, per_second: int, *, has_day: bool = True, has_time: bool = True,
        is_zoned: bool = False, offset: int = 0
    ) -> Moment:
        """Makes a moment from days since 1970, which may exceed the range of Python, and fractions of a second since
        midnight. Times that are negative or longer than a day keep their value."""
        cycles, rest = divmod(days, CYCLE)
        year, month, day, year_day, weekday = _day(datetime.date(1970, 1, 1) + datetime.timedelta(rest))
        seconds, fraction = divmod(parts, per_second)
        # All parts of a negative time are negative.
        sign, size = (-1 if seconds < 0 else 1), abs(seconds)
        time = (sign * (size // 3600), sign * (size // 60 % 60), sign * (size % 60),
                fraction * (1_000_000_000 // per_second))
        date = (year + 400 * cycles, month, day, year_day, weekday)
        return cls(*date, *time, has_day, has_time, is_zoned, offset)

    @property
    def is_midnight(self) -> bool:
        return not (self.hour or self.minute or self.second or self.nanosecond)


def _day(date: datetime.date) -> tuple[int, int, int, int, int]:
    return date.year, date.month, date.day, date.timetuple().tm_yday, date.weekday()


def _offset(minutes: int, separator: str) -> str:
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}{separator}{rest:02d}"


def _two(number: int) -> str:
    """Formats a number with at least two digits after the sign."""
    return f"{'-' if number < 0 else ''}{abs(number):02d}"


_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_LONGER = {"T": "%H:%M:%S", "D": "%m/%d/%y", "F": "%Y-%m-%d", "R": "%H:%M"}
_DIRECTIVES: dict[str, Callable[[Moment], str]] = {
    "Y": lambda moment: f"{'-' if moment.year < 0 else ''}{abs(moment.year):04d}",
    "y": lambda moment: f"{moment.year % 100:02d}",
    "m": lambda moment: f"{moment.month:02d}",
    "d": lambda moment: f"{moment.day:02d}",
    "e": lambda moment: f"{moment.day:02d}",
    "j": lambda moment: f"{moment.year_day:03d}",
    "H": lambda moment: _two(moment.hour),
    # fmod(), because libassay uses the remainder of C for hours outside of a day.
    "I": lambda moment: _two(int(math.fmod(moment.hour + 11, 12)) + 1),
    "p": lambda moment: "AM" if math.fmod(moment.hour, 24) < 12 else "PM",
    "M": lambda moment: _two(moment.minute),
    "S": lambda moment: _two(moment.second),
    "f": lambda moment: f"{moment.nanosecond // 1000:06d}",
    "z": lambda moment: _offset(moment.offset, ""),
    "b": lambda moment: _MONTHS[moment.month - 1][:3],
    "h": lambda moment: _MONTHS[moment.month - 1][:3],
    "B": lambda moment: _MONTHS[moment.month - 1],
    "a": lambda moment: _WEEKDAYS[moment.weekday][:3],
    "A": lambda moment: _WEEKDAYS[moment.weekday],
    "%": lambda moment: "%",
    # Z or +01:00. Internal: users' formats do not contain it.
    "\1": lambda moment: _offset(moment.offset, ":") if moment.offset else "Z",
    # The fraction without trailing zeros, empty if it is zero. Internal: users' formats do not contain it.
    "\0": lambda moment: f".{moment.nanosecond:09d}".rstrip("0") if moment.nanosecond else "",
}


class Form:
    """The text format of a field's moments."""

    def __init__(self, kind: str, given: str | None, has_day: bool, has_time: bool, is_zoned: bool):
        #: The format for midnight in fields of dates, because many tables store dates as moments.
        self._day_only: str | None = None
        if given not in (None, "default", "any") and kind in ("date", "time", "datetime"):
            self._format = re.sub("%(.)", lambda found: _LONGER.get(found[1], found[0]), given or "", flags=re.DOTALL)
        elif not has_time:
            days = {"datetime": "%Y-%m-%dT00:00:00", "yearmonth": "%Y-%m", "year": "%Y"}
            self._format = days.get(kind, "%Y-%m-%d")
        elif not has_day:
            self._format = "%H:%M:%S%\0"
        else:
            self._format = "%Y-%m-%dT%H:%M:%S%\0" + ("%\1" if is_zoned else "")
            # `format: date`, with or without options, is a built-in type of string fields.
            is_date = kind == "date" or kind == "string" and (given or "").split()[:1] == ["date"]
            self._day_only = "%Y-%m-%d" if is_date else None

    def text(self, moment: Moment) -> str:
        form = self._day_only if self._day_only and moment.is_midnight else self._format

        def written(found: re.Match[str]) -> str:
            write = _DIRECTIVES.get(found[1])
            return write(moment) if write else ""

        return re.sub("%(.)", written, form, flags=re.DOTALL)
