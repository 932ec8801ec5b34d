"""Moments in time zones are checked as local times, and compared with Python's reading of the same database."""

import datetime as dt
import importlib.resources
import json
import pathlib
import random
import zoneinfo

import assay
import pandas as pd
import pyarrow as pa
import pytest

#: Zones with summer time in the north, in the south and without; with rules across the end of a year, at unusual hours,
#: and with numbered days.
ZONES = [
    "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "America/Nuuk", "Africa/Casablanca",
    "Pacific/Apia", "America/Santiago", "Asia/Gaza", "Antarctica/Troll", "EST5EDT", "Etc/GMT+12", "Europe/Dublin",
]


@pytest.fixture(params=["system", "package"])
def database(request, monkeypatch):
    """The system's files list each year until 2037; those of the package tzdata have a rule for later years."""
    if request.param == "package":
        folder = str(importlib.resources.files("tzdata") / "zoneinfo")
        monkeypatch.setenv("TZDIR", folder)
        zoneinfo.reset_tzpath([folder])
    elif not any(zoneinfo.TZPATH):
        pytest.skip("this system has no time zones")
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()


@pytest.mark.parametrize("zone", ZONES)
def test_the_clocks_of_a_zone(zone, database):
    choose = random.Random(zone)
    # Skip zones that Python finds only in the package tzdata, because Assay does not read it.
    if not any(pathlib.Path(folder, zone).is_file() for folder in zoneinfo.TZPATH):
        pytest.skip("this system does not know the zone")
    information = zoneinfo.ZoneInfo(zone)
    moments = [choose.randrange(-2_208_988_800, 7_258_118_400) for _ in range(2_000)]
    # Add moments around each clock change.
    for year in (1980, 2007, 2024, 2036, 2038, 2100):
        start = int(dt.datetime(year, 1, 1, tzinfo=dt.timezone.utc).timestamp())
        offsets = [dt.datetime.fromtimestamp(start + 1800 * n, information).utcoffset() for n in range(17_600)]
        changes = [start + 1800 * n for n in range(1, len(offsets)) if offsets[n] != offsets[n - 1]]
        moments += [change + more for change in changes for more in (-1801, -1, 0, 1, 1799)]
    texts = []
    for moment in moments:
        clock = dt.datetime.fromtimestamp(moment, information)
        offset = clock.utcoffset()
        if offset.total_seconds() % 60:
            clock, offset = dt.datetime.fromtimestamp(moment, dt.timezone.utc), dt.timedelta()
        texts.append(clock.isoformat() if offset else clock.replace(tzinfo=None).isoformat() + "Z")
    # A text with an offset identifies one moment, so a value among the texts is correct.
    rules = assay.Rules.parse(json.dumps({"fields": [{"name": "v", "constraints": {"enum": sorted(set(texts))}}]}))
    mask = rules.check(pa.table({"v": pa.array(moments, pa.timestamp("s", zone))})).mask.to_pylist()
    assert [text for text, passes in zip(texts, mask, strict=True) if not passes] == []


def test_a_midnight_counts_where_it_is(database):
    rules = assay.Rules.parse("fields: [{name: day, type: date}]")
    days = pd.Series(pd.to_datetime(["2024-02-29 00:00", "2024-07-01 00:00", "2024-07-01 02:00"]).tz_localize(
        "Europe/Berlin"))
    assert rules.check(pd.DataFrame({"day": days})).mask.tolist() == [True, True, False]
    assert rules.check({"day": list(days)}).mask == [True, True, False]


@pytest.mark.parametrize("zone", ["../../../etc/passwd", "/etc/passwd", "Europe//Berlin", ".", "Europe", "zone.tab",
                                  "", "\0", "+24:00"])
def test_a_name_that_is_no_zone_counts_in_utc(zone):
    rules = assay.Rules.parse("fields: [{name: day, type: date}]")
    assert rules.check(pa.table({"day": pa.array([0, 1], pa.timestamp("s", zone))})).mask.to_pylist() == [True, False]
