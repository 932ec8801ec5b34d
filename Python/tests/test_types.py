"""Values other than texts are checked as the text that a file of the same rules has."""

import datetime as dt
import decimal

import pyarrow as pa
import pytest

import assay

DAY, NOON, EVE = dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 12, 0, 0, 250000), dt.datetime(1969, 12, 31, 23, 59, 59)

#: An Arrow array, a field of the rules, and the text of each value in a file.
CASES = [
    (pa.array([1, -2, None, 127], pa.int8()), "type: integer", ["1", "-2", None, "127"]),
    (pa.array([255], pa.uint8()), "type: integer", ["255"]),
    (pa.array([-32768], pa.int16()), "type: integer", ["-32768"]),
    (pa.array([65535], pa.uint16()), "type: integer", ["65535"]),
    (pa.array([-2147483648], pa.int32()), "type: integer", ["-2147483648"]),
    (pa.array([4294967295], pa.uint32()), "type: integer", ["4294967295"]),
    (pa.array([-(2**63), 2**63 - 1, 0], pa.int64()), "type: integer", [str(-(2**63)), str(2**63 - 1), "0"]),
    (pa.array([2**64 - 1], pa.uint64()), "type: integer", [str(2**64 - 1)]),
    (pa.array([1.5, 3.0, -0.1], pa.float64()), "type: number", ["1.5", "3.0", "-0.1"]),
    (pa.array([3.0, -7.0], pa.float64()), "type: integer", ["3", "-7"]),
    (pa.array([1.5], pa.float32()), "{type: number, decimalChar: ','}", ["1,5"]),
    (pa.array([float("nan"), float("inf"), float("-inf")]), "type: number", ["NaN", "INF", "-INF"]),
    (pa.array([1.5, -0.25, 65504.0, 6e-8], pa.float16()), "type: string", ["1.5", "-0.25", "65504.0", "5.9604645e-08"]),
    (pa.array([True, False, None]), "type: boolean", ["true", "false", None]),
    (pa.array([True, False]), "{type: boolean, trueValues: [ja], falseValues: [nein]}", ["ja", "nein"]),
    (
        pa.array(
            [decimal.Decimal("1.50"), decimal.Decimal("-0.05"), decimal.Decimal("12345678901234567890123456789.01")]
        ),
        "type: string",
        ["1.50", "-0.05", "12345678901234567890123456789.01"],
    ),
    (pa.array([decimal.Decimal("-1.50")], pa.decimal128(5, 2)), "{type: number, decimalChar: ','}", ["-1,50"]),
    (
        pa.array([decimal.Decimal("-1.50"), decimal.Decimal("0.00")], pa.decimal256(40, 2)),
        "type: number",
        ["-1.50", "0.00"],
    ),
    (
        pa.array(
            [decimal.Decimal("9" * 76), decimal.Decimal(-(10**75)), decimal.Decimal(2**64), None], pa.decimal256(76, 0)
        ),
        "type: integer",
        ["9" * 76, "-1" + "0" * 75, str(2**64), None],
    ),
    (
        pa.array([decimal.Decimal("-1.2E-70")], pa.decimal256(76, 75)),
        "type: number",
        ["-0." + "0" * 69 + "12" + "0" * 4],
    ),
    (pa.array([decimal.Decimal("12300"), decimal.Decimal(0)], pa.decimal128(5, -2)), "type: integer", ["12300", "0"]),
    (pa.array([decimal.Decimal("5.00"), decimal.Decimal("-120.00"), decimal.Decimal("0.00")]), "type: integer",
     ["5", "-120", "0"]),
    (pa.array([decimal.Decimal("-5.00")], pa.decimal32(5, 2)), "type: integer", ["-5"]),
    (pa.array([decimal.Decimal("9" * 70 + ".00000")], pa.decimal256(76, 5)), "type: integer", ["9" * 70]),
    (pa.array([decimal.Decimal("-7E+20")], pa.decimal256(40, -20)), "type: integer", ["-7" + "0" * 20]),
    (pa.array([decimal.Decimal("0.00012")], pa.decimal128(5, 5)), "type: number", ["0.00012"]),
    (
        pa.array([2.0**63, 1e19, -1e19, 1e23, 1.7976931348623157e308]),
        "type: integer",
        [str(2**63), str(10**19), str(-(10**19)), str(int(1e23)), str(int(1.7976931348623157e308))],
    ),
    (pa.array([2.0**63, 2.0**100], pa.float32()), "type: integer", [str(2**63), str(2**100)]),
    (pa.array([DAY, None], pa.date32()), "type: date", ["2024-02-29", None]),
    (pa.array([DAY], pa.date64()), "{type: date, format: '%d/%m/%Y'}", ["29/02/2024"]),
    (pa.array([DAY], pa.date32()), "{type: date, format: '%a %d %b %y'}", ["Thu 29 Feb 24"]),
    (pa.array([DAY], pa.date32()), "{type: date, format: '%Y-%j'}", ["2024-060"]),
    (pa.array([DAY], pa.date32()), "type: datetime", ["2024-02-29T00:00:00"]),
    (pa.array([DAY], pa.date32()), "type: yearmonth", ["2024-02"]),
    (pa.array([dt.date(1, 1, 1), dt.date(9999, 12, 31)], pa.date32()), "type: date", ["0001-01-01", "9999-12-31"]),
    (pa.array([NOON, EVE], pa.timestamp("us")), "type: datetime", ["2024-02-29T12:00:00.25", "1969-12-31T23:59:59"]),
    (pa.array([EVE], pa.timestamp("ns", "UTC")), "type: datetime", ["1969-12-31T23:59:59Z"]),
    (
        pa.array([dt.datetime(2024, 2, 28, 18, 30), EVE], pa.timestamp("ms", "+05:30")),
        "type: date",
        ["2024-02-29", "1970-01-01T05:29:59+05:30"],
    ),
    (pa.array([EVE], pa.timestamp("s", "-03:30")), "{type: datetime, format: '%Y-%m-%d %H:%M %z'}",
     ["1969-12-31 20:29 -0330"]),
    (
        pa.array([dt.datetime(2024, 2, 29), NOON], pa.timestamp("ms")),
        "type: date",
        ["2024-02-29", "2024-02-29T12:00:00.25"],
    ),
    (
        pa.array([NOON], pa.timestamp("ms")),
        "{type: datetime, format: '%d.%m.%Y %I:%M:%S %p'}",
        ["29.02.2024 12:00:00 PM"],
    ),
    (pa.array([dt.time(1, 2, 3)], pa.time32("s")), "type: time", ["01:02:03"]),
    (pa.array([dt.time(1, 2, 3, 500)], pa.time64("ns")), "type: time", ["01:02:03.0005"]),
    (pa.array([None, None], pa.null()), "type: integer", [None, None]),
]


@pytest.mark.parametrize(("array", "field", "texts"), CASES, ids=lambda value: str(getattr(value, "type", value))[:40])
def test_written_as_in_a_file(array, field, texts):
    """The type accepts exactly the values whose texts it accepts."""
    body = field.removeprefix("{").removesuffix("}")
    rules = assay.Rules.parse(f"fields: [{{name: v, {body}}}]")
    expected = rules.check({"v": texts}).mask
    for part in (array, pa.concat_arrays([array[:1], array])[1:]):  # without and with an offset
        assert rules.check(pa.table({"v": part})).mask.to_pylist() == expected


@pytest.mark.parametrize(("array", "field", "texts"), CASES, ids=lambda value: str(getattr(value, "type", value))[:40])
def test_exact_spelling(array, field, texts):
    """Compares the checked texts byte by byte, with the expected text as the pattern."""
    body = field.removeprefix("{").removesuffix("}")
    for place, text in enumerate(texts):
        if text is None:
            continue
        rules = assay.Rules.parse(f"fields: [{{name: v, {body}, rules: [{{pattern: '\\Q{text}\\E'}}]}}]")
        codes = {finding.code for finding in rules.check(pa.table({"v": array.slice(place, 1)}))}
        assert "pattern" not in codes, text


def test_ranges_of_numbers_and_dates():
    rules = assay.Rules.parse(
        """
        fields:
          - {name: n, type: integer, constraints: {minimum: 2, maximum: 4}}
          - {name: d, type: date, format: '%d/%m/%Y', constraints: {minimum: 01/02/2024}}
        """
    )
    days = pa.array([dt.date(2024, 1, 31), dt.date(2024, 2, 1), None, dt.date(2025, 1, 1), DAY], pa.date32())
    table = pa.table({"n": pa.array([1, 2, 4, 5, None], pa.int64()), "d": days})
    found = [(f.record, f.rule) for f in rules.check(table)]
    assert found == [(1, "n.minimum"), (1, "d.minimum"), (4, "n.maximum")]


def test_dictionary_of_numbers():
    values = pa.array([5, 7, None, 5], pa.int32()).dictionary_encode()
    rules = assay.Rules.parse("fields: [{name: n, type: integer, constraints: {maximum: 6}}]")
    assert rules.check(pa.table({"n": values})).mask.to_pylist() == [True, False, True, True]
