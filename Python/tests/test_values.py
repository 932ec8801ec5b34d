"""Python values in lists and dicts are checked like Arrow values, as the text that a file has."""

import datetime as dt
import random
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from test_types import CASES

import assay
from assay._text import Styles

LEAP = dt.date(2024, 2, 29)
BERLIN = dt.timezone(dt.timedelta(hours=1))
#: Local mean time, as in Berlin until 1893.
SOLAR = dt.timezone(dt.timedelta(seconds=3208))


def ruled(field):
    return assay.Rules.parse(f"fields: [{{name: v, {field}}}]")


@pytest.mark.parametrize(("array", "field", "texts"), CASES, ids=lambda value: str(getattr(value, "type", value))[:40])
def test_lists_are_spelled_as_arrow(array, field, texts):
    """Tests every value of test_types.CASES as a Python value."""
    if str(array.type) == "halffloat":
        values = [np.float16(value) for value in array.to_pylist()]
    elif str(array.type) == "float":
        values = [np.float32(value) for value in array.to_pylist()]
    else:
        values = array.to_pylist()
    body = field.removeprefix("{").removesuffix("}")
    for value, text in zip(values, texts):
        codes = {f.code for f in ruled(f"{body}, rules: [{{pattern: '\\Q{text}\\E'}}]").check({"v": [value]})}
        assert "pattern" not in codes, (value, text)
    assert ruled(body).check({"v": values}).mask == ruled(body).check({"v": texts}).mask


#: A field, a Python value, and its text in a file.
VALUES = [
    ("type: date, format: '%d/%m/%Y'", LEAP, "29/02/2024"),
    ("type: date", dt.datetime(2024, 2, 29), "2024-02-29"),
    ("type: date", np.datetime64("2024-02-29"), "2024-02-29"),
    ("type: date", np.datetime64("2024-02-29T00:00:00.000000000"), "2024-02-29"),
    ("type: string, format: date", dt.datetime(2024, 2, 29), "2024-02-29"),
    ("format: date min-age=1", dt.datetime(2024, 2, 29), "2024-02-29"),
    ("format: date min-age=1", dt.datetime(2024, 2, 29, 1), "2024-02-29T01:00:00"),
    ("format: date-time", dt.datetime(2024, 2, 29, tzinfo=dt.timezone.utc), "2024-02-29T00:00:00Z"),
    ("type: datetime", np.datetime64("1969-12-31T23:59:59.000000001"), "1969-12-31T23:59:59.000000001"),
    ("type: datetime", pd.Timestamp("2024-02-29T12:00:00.123456789"), "2024-02-29T12:00:00.123456789"),
    ("type: datetime", dt.datetime(2024, 2, 29, 1, tzinfo=BERLIN), "2024-02-29T01:00:00+01:00"),
    ("type: date", dt.datetime(2024, 2, 29, tzinfo=BERLIN), "2024-02-29"),
    ("type: datetime, format: '%F %R %z'", dt.datetime(2024, 2, 29, 1, tzinfo=BERLIN), "2024-02-29 01:00 +0100"),
    ("type: datetime", dt.datetime(1890, 1, 1, tzinfo=SOLAR), "1889-12-31T23:06:32Z"),
    ("type: date, format: '%A %e %B %y'", LEAP, "Thursday 29 February 24"),
    ("type: time, format: '%H:%M'", dt.time(1, 2), "01:02"),
    ("type: time, format: '%I:%M %p'", dt.time(0, 2), "12:02 AM"),
    ("type: number, decimalChar: ','", 1.5, "1,5"),
    ("type: number, decimalChar: ','", Decimal("1.50"), "1,50"),
    ("type: number", np.float32(0.1), "0.1"),
    ("type: number", float("-inf"), "-INF"),
    ("type: number", Decimal("Infinity"), "INF"),
    ("type: number", float("nan"), "NaN"),
    ("type: integer", 1.0, "1"),
    ("type: integer", np.float32(7), "7"),
    ("type: integer", -0.0, "0"),
    ("type: integer", Decimal("1E+2"), "100"),
    ("type: integer", Decimal("5.00"), "5"),
    ("type: integer", Decimal("-0.00"), "0"),
    ("type: integer", Decimal("123456789012345678901234567890123.000"), "123456789012345678901234567890123"),
    ("type: integer", np.int8(-7), "-7"),
    ("type: integer", 10**30, "1" + "0" * 30),
    ("type: datetime", dt.datetime.min.replace(tzinfo=BERLIN), "0001-01-01T00:00:00+01:00"),
    ("type: boolean, trueValues: [yes], falseValues: [no]", True, "yes"),
    ("type: boolean, trueValues: [yes], falseValues: [no]", np.False_, "no"),
    ("type: boolean", np.True_, "true"),
    ("type: integer", True, "true"),
    ("type: string", np.str_("é"), "é"),
]


@pytest.mark.parametrize(("field", "value", "text"), VALUES, ids=str)
def test_written_as_in_a_file(field, value, text):
    for values in ([value], [value, "x"]):
        for data in ({"v": values}, [{"v": one} for one in values]):
            result = ruled(f"{field}, rules: [{{pattern: '\\Q{text}\\E'}}]").check(data)
            # Among texts, NaN is a missing value.
            assert [f.code for f in result if f.record == 1 and f.code == "pattern"] == []
    result = ruled(field).check_column("v", [value])
    assert result.mask == ruled(field).check_column("v", [text]).mask


def test_more_digits_than_python_writes():
    rules = ruled("type: integer, rules: [{pattern: '-10{5000}'}]")
    assert rules.check({"v": [-(10**5000), 10**5000]}).mask == [True, False]


def test_numbers_are_spelled_as_arrow():
    """Random numbers of all sizes have the same text in Python as in libassay for Arrow."""
    choose = random.Random(1)
    values = [choose.uniform(-1, 1) * 10.0 ** choose.randrange(-30, 40) for _ in range(300)]
    values += [float(2**power + more) for power in range(50, 70) for more in (-1, 0, 1, 2, 1024)]
    values += [0.0, -0.0, 1e-4, 9.999e-5, 1e-5, 5e-324, 1.7976931348623157e308, 123456789012345680.0]
    singles = [np.float32(min(max(value, -3e38), 3e38)) for value in values]
    singles += [np.float32(2**power + more) for power in range(20, 30) for more in (-1, 0, 1, 2)]
    for numbers, kind in ((values, pa.float64()), (singles, pa.float32())):
        for field in ("type: number", "type: number, decimalChar: ','", "type: integer"):
            style = Styles(ruled(field)._native).of(0)
            for number in numbers:
                text = style.text(number, 0, "")
                found = ruled(f"{field}, rules: [{{pattern: '\\Q{text}\\E'}}]").check({"v": pa.array([number], kind)})
                # A fraction is not an integer, and other rules skip it.
                assert found.ok or field == "type: integer" and number != int(number), (number, text)


@pytest.mark.parametrize(
    ("values", "field", "mask"),
    [
        ([1.5, float("nan"), None], "type: number, constraints: {required: true}", [True, True, False]),
        ([1, float("nan")], "type: integer", [True, False]),
        (["1", float("nan")], "type: integer", [True, True]),
        ([LEAP, float("nan")], "type: date", [True, True]),
        (["1", float("nan")], "type: integer, constraints: {required: true}", [True, False]),
        (
            [np.datetime64("NaT"), np.datetime64("2024-02-29")],
            "type: date, constraints: {required: true}",
            [False, True],
        ),
        ([pd.NaT, pd.NA, None], "type: date, constraints: {required: true}", [False, False, False]),
        ([LEAP, "29/02/2024", dt.datetime(2024, 2, 29, 12)], "type: date", [True, False, False]),
        ([1, "1", 1.0, True, Decimal(1)], "type: integer", [True, True, True, False, True]),
    ],
    ids=str,
)
def test_columns_of_several_kinds(values, field, mask):
    assert ruled(field).check({"v": values}).mask == mask
    assert ruled(field).check_column("v", values).mask == mask


@pytest.mark.parametrize("value", [dt.timedelta(1), np.timedelta64(1, "s"), [1], {"a": 1}, {1}, np.array([1])], ids=str)
def test_values_that_no_rule_can_check(value):
    with pytest.raises(TypeError, match="value 1 of column 'v' is .*, which no rule can judge: convert it"):
        ruled("type: string").check({"v": ["a", value]})
    # Columns that the rules do not name are ignored.
    assert ruled("type: string").check({"v": ["a"], "w": [value]}).ok


MIDNIGHTS = ["2024-02-29T00:00:00", "2024-03-01T00:00:00"]


@pytest.mark.parametrize(
    "days",
    [
        pa.array([LEAP, dt.date(2024, 3, 1)]),
        pa.chunked_array([[LEAP], [dt.date(2024, 3, 1)]]),
        pa.array([LEAP, dt.date(2024, 3, 1)]).dictionary_encode(),
        pl.Series([LEAP, dt.date(2024, 3, 1)]),
        pl.Series([dt.datetime(2024, 2, 29), dt.datetime(2024, 3, 1)]),
        pd.Series(pd.to_datetime(MIDNIGHTS)),
        pd.Series([LEAP, dt.date(2024, 3, 1)], dtype=object),
        pd.Series([LEAP, "2024-03-01"], dtype=object),
        np.array(["2024-02-29", "2024-03-01"], "datetime64[D]"),
        np.array(MIDNIGHTS, "datetime64[ns]"),
        np.array(["2024-02-29", "2024-03-01"]),
        np.array([LEAP, "2024-03-01"], object),
    ],
    ids=lambda days: f"{type(days).__module__} {getattr(days, 'type', getattr(days, 'dtype', ''))}",
)
def test_dicts_of_columns_have_the_types_of_the_columns(days, monkeypatch):
    rules = assay.Rules.parse("fields: [{name: day, type: date}, {name: n, type: integer}]")
    data = {"day": days, "n": [1, "x"], "other": [[1], {2}]}
    result = rules.check(data)
    assert result.mask == [True, False] and len(result.clean["day"]) == 1 and result.clean["n"] == [1]
    # Without pyarrow, values are converted one by one, with the same result.
    if type(days).__module__.partition(".")[0] != "pyarrow":
        monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
        assert rules.check(data).mask == [True, False]


def test_dicts_of_columns_keep_lone_surrogates():
    assert [(f.record, f.code) for f in ruled("type: string").check({"v": ["a", "\ud800"]})] == [(2, "encoding")]
    rules = assay.Rules.parse("fields: [{name: v}, {name: n, type: integer}]")
    found = rules.check({"v": ["a", "\ud800"], "n": pa.array([1, 2])})
    assert [(f.record, f.code) for f in found] == [(2, "encoding")]


def test_structs_in_dicts():
    rules = assay.Rules.parse("fields: [{name: user.id, type: integer}]")
    assert rules.check({"user": pa.array([{"id": "1"}, {"id": "x"}])}).mask == [True, False]


def test_columns_of_different_lengths():
    with pytest.raises(ValueError, match="column 'b' has 1 values, the first column has 2"):
        ruled("type: string").check({"v": ["a", "b"], "b": ["c"]})
    with pytest.raises(ValueError, match="column 'b' has 1 values, the first column has 2"):
        ruled("type: string").check({"v": pa.array(["a", "b"]), "b": ["c"]})
