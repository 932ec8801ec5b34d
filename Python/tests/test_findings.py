"""Findings with the values and keys of their rows, explanations of rows, single records, and `validate`."""

import datetime
import pickle
import re
import sys
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import RULES
from test_types import CASES

import assay
from assay.testing import assert_valid

DATA = {"key": [7, 8, 9], "id": ["1", "x", None], "email": ["anna@example.org", None, "bo"]}
VALUES = ["x", None, "bo"]
KEYS = [8, 9, 9]


class Unknown:
    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__()


def tables():
    table = users = pa.table(DATA)
    frame = pd.DataFrame(DATA, index=list("abc"))
    rows = [dict(zip(DATA, values)) for values in zip(*DATA.values())]
    return {
        "pyarrow": table,
        "batch": table.to_batches()[0],
        "batches": table.to_batches(max_chunksize=2),
        "polars": pl.DataFrame(DATA),
        "pandas": frame,
        "frames": [frame[:2], frame[2:]],
        "dict": DATA,
        "dicts": rows,
        "duckdb": duckdb.sql("SELECT * FROM users"),
        "unknown": Unknown(table),
    }


def columns_of(findings):
    if isinstance(findings, list):
        return {name: [finding[name] for finding in findings] for name in findings[0]}
    if isinstance(findings, dict):
        return findings
    if isinstance(findings, pa.Table):
        return findings.to_pydict()
    return {name: list(findings[name]) for name in findings.columns}


@pytest.mark.parametrize("kind", tables())
def test_findings_with_values_and_keys(rules, kind):
    result = rules.check(tables()[kind])
    found = columns_of(result.findings_table(values=True, keys=["key"]))
    assert list(found) == ["record", "column", "rule", "code", "severity", "message", "key", "value"]
    assert [None if value != value else value for value in found["value"]] == VALUES and list(found["key"]) == KEYS
    assert found["record"] == [2, 3, 3]
    first = columns_of(result.findings_table(2, values=True))
    assert list(first)[-1] == "value" and len(first["value"]) == 2
    with pytest.raises(KeyError, match="the table has no column 'nobody'"):
        result.findings_table(keys=["nobody"])
    with pytest.raises(ValueError, match="findings have a column 'rule' of their own: rename that of the table"):
        result.findings_table(keys=["rule"])
    assert result.explain(1) == "record 1 is clean"
    assert result.explain(2) == "record 2 is rejected\n  id: 'x' is not an integer (id.type)"
    assert result.explain(3, values=False) == (
        "record 3 is rejected\n  id: is missing (id.required)\n  email: is not an e-mail address: there is no @ "
        "(email.format)"
    )
    for record in (0, 4, -1):
        with pytest.raises(IndexError, match=f"there is no record {record}: there are 3, from 1"):
            result.explain(record)


def ruled(field):
    return assay.Rules.parse(f"fields: [{{name: v, {field}}}]")


def test_findings_of_pandas_have_its_index(rules):
    frame = tables()["pandas"]
    assert list(rules.check(frame).findings_table(values=True).index) == ["b", "c", "c"]


def test_values_of_one_column(rules):
    for column in (["1", "x"], pa.array(["1", "x"]), pl.Series(["1", "x"]), pd.Series(["1", "x"]),
                   np.array(["1", "x"])):
        result = rules.check_column("id", column)
        assert list(columns_of(result.findings_table(values=True))["value"]) == ["x"]
        with pytest.raises(ValueError, match="a check of one column knows no column 'key': check the table"):
            result.findings_table(keys=["key"])


def test_values_inside_of_structs():
    rules = assay.Rules.parse("fields: [{name: user.id, type: integer}]")
    data = [{"id": "1"}, {"id": "x"}, None]
    frames = pa.table({"user": data}), pl.DataFrame({"user": data}), pd.DataFrame({"user": data[:2]})
    for frame in frames:
        assert list(columns_of(rules.check(frame).findings_table(values=True))["value"]) == ["x"]


MISENCODED = pa.array([b"\xff"]).view(pa.string())
FAR = pa.array([2**30], pa.date32())


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (pd.DataFrame({"v": pd.Series([None, "1"], dtype="string")}), None),
        (pd.DataFrame({"v": pd.Series([None, 1], dtype="Int64")}), None),
        (pd.DataFrame({"v": pd.Series([None, "1"], dtype=pd.ArrowDtype(pa.string()))}), None),
        (pd.DataFrame({"v": pd.Series(MISENCODED, dtype=pd.ArrowDtype(pa.string()))}), r"\xff"),
        ({"v": pd.Series([None, "1"], dtype="string")}, None),
        (pa.table({"v": pa.array(["1", None], pa.string_view())}), "1"),
        (pa.table({"v": pa.array([b"1", None], pa.binary_view())}), "1"),
        (pa.table({"v": pc.run_end_encode(pa.array(["1", "1", None]))}), "1"),
        ([pl.DataFrame({"v": ["1"]}), pl.DataFrame({"v": ["2"]})], "1"),
        (pa.table({"v": ["1", "2"]}).to_struct_array(), "1"),
        (pa.table({"v": ["1", "2"]}).to_struct_array().combine_chunks(), "1"),
        (pl.DataFrame({"v": ["1", "2"]}).to_struct("s"), "1"),
        (pa.table({"v": MISENCODED}), r"\xff"),
        (pa.table({"v": pa.DictionaryArray.from_arrays(pa.array([0]), MISENCODED)}), r"\xff"),
        ({"v": MISENCODED}, r"\xff"),
        (pa.table({"v": FAR}), "2941775-04-07"),
        (pa.table({"v": FAR.cast(pa.timestamp("s"))}), "2941775-04-07T00:00:00"),
        (pl.DataFrame({"v": pl.Series([2**30], dtype=pl.Int32).cast(pl.Date)}), "2941775-04-07"),
        ({"v": FAR}, "2941775-04-07"),
    ],
)
def test_values_of_all_inputs(data, value):
    rules = assay.Rules.parse("fields: [{name: v, constraints: {required: true, pattern: '[a-z]+'}}]")
    result = rules.check(data)
    shown = columns_of(result.findings_table(values=True))["value"][0]
    assert pd.isna(shown) if value is None else shown == value
    found = result.findings_table(keys=["v"], limit=1)
    assert len(found["record"]) == len(found["v"]) == 1
    message = "is missing" if value is None else f"{value!r} "
    assert f"  v: {message}" in result.explain(1)
    with pytest.raises(assay.ValidationError, match="rejected"):
        rules.validate(data, values=True)


def forms_of(array):
    """Yields an array as a table of each library that supports it, with the name of the library."""
    yield "pyarrow", pa.table({"v": array})
    yield "batches", pa.table({"v": array}).to_batches(2)
    yield "struct", pa.table({"v": array}).to_struct_array()
    # pyarrow cannot encode decimals of 32 bits as dictionaries.
    if "decimal32" not in str(array.type):
        # Build the dictionary here, because pyarrow cannot encode 16-bit floats.
        indices = pa.array([row if value.is_valid else None for row, value in enumerate(array)], pa.int32())
        yield "dictionary", pa.table({"v": pa.DictionaryArray.from_arrays(indices, array)})
        yield "runs", pa.table({"v": pc.run_end_encode(pa.concat_arrays([array, array]))[1:]})
    yield "column", {"v": array}
    yield "lists", {"v": array.to_pylist()}
    yield "dicts", [{"v": value} for value in array.to_pylist()]
    yield "numpy", {"v": array.to_numpy(zero_copy_only=False)}
    yield "pandas", pa.table({"v": array}).to_pandas()
    yield "frames", [pd.DataFrame({"v": ["x"]}), pa.table({"v": array}).to_pandas()]
    yield "pandas of Arrow", pd.DataFrame({"v": pd.Series(array, dtype=pd.ArrowDtype(array.type))})
    # Polars has no numbers of 256 bits, no negative scales, and only named zones.
    if not re.search(r"256|, -|tz=[+-]", str(array.type)):
        yield "polars", pl.DataFrame({"v": pl.from_arrow(array)})


@pytest.mark.parametrize(("array", "field", "texts"), CASES, ids=lambda value: str(getattr(value, "type", value))[:40])
def test_values_are_the_checked_texts(array, field, texts):
    """In every library, a rule whose pattern is the value's text accepts the value."""
    body = field.removeprefix("{").removesuffix("}")
    never = ruled(f"{body}, rules: [{{id: none, pattern: '(*FAIL)'}}]")
    for form, data in forms_of(array):
        result = never.check(data)
        findings = list(result)
        shown = {finding.record: text for finding, text in zip(findings, result.values_of(findings))}
        # NaN is a missing value for pandas.
        assert len(shown) >= len(array) - array.null_count - (form in ("pandas", "frames") and "NaN" in texts), form
        for record, text in shown.items():
            ruled_by = ruled(f"{body}, rules: [{{id: none, pattern: '\\Q{text}\\E'}}]")
            assert not [one for one in ruled_by.check(data) if one.record == record
                        and one.code == "pattern"], (form, text)
        if form in ("pyarrow", "struct", "dictionary", "column", "pandas of Arrow", "polars"):
            assert list(shown.values()) == [text for text in texts if text is not None], form


MOMENTS = [0, -1, 951_782_400, -(2**40), 2**61, -(2**61), 253402300800, -62135596801, 2**63 - 1, -(2**63) + 1]
SECONDS = [0, 86_400, -1, -3_600, -3_661, 86_399, 2**31 - 1, -(2**31)]
DAYS = [0, -1, 2**31 - 1, -(2**31), -719_529, -719_163, 2_932_897]


@pytest.mark.parametrize(
    "array",
    [pa.array(MOMENTS).view(pa.timestamp(unit, zone)) for unit in ("s", "us", "ns")
     for zone in (None, "UTC", "Europe/Berlin", "America/New_York", "+05:30", "Africa/Monrovia", "Nobody/Where")]
    + [pa.array(SECONDS, pa.int32()).view(pa.time32("s")),
       pa.array([0, 86_400_000, -500], pa.int32()).view(pa.time32("ms"))]
    + [pa.array([0, -1, 10**12, -(10**15), 1500]).view(pa.time64("ns")), pa.array(DAYS, pa.int32()).view(pa.date32())]
    + [pa.array([0.1, 1.0, 1e20, 3e-7, float("nan"), float("inf"), -0.0], pa.float32())],
    ids=lambda array: str(array.type),
)  # fmt: skip
@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_values_that_python_does_not_have(array, library):
    """Includes times longer than a day, and years that Python lacks."""
    kind = str(array.type)
    if library == "polars" and ("time32" in kind or "+05" in kind or "Nobody" in kind
                                or kind.startswith("timestamp[s")):
        pytest.skip("Polars has no such type")
    for place in range(len(array)):
        one = array.slice(place, 1)
        if library == "polars" and pl.from_arrow(one).null_count():
            continue  # not a time of day
        data = pa.table({"v": one}) if library == "pyarrow" else pl.DataFrame({"v": pl.from_arrow(one)})
        [text] = columns_of(ruled("rules: [{pattern: '(*FAIL)'}]").check(data).findings_table(values=True))["value"]
        assert ruled(f"rules: [{{pattern: '\\Q{text}\\E'}}]").check(data).ok, text


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (pa.table({"v": [float("nan")]}), "NaN"),
        (pl.DataFrame({"v": [float("nan")]}), "NaN"),
        (pd.DataFrame({"v": [float("nan")]}), None),
        ({"v": [float("nan"), 1.5]}, "NaN"),
        ({"v": [float("nan"), "x"]}, None),
        (pa.table({"v": pa.array([0.1], pa.float32())}), "0.1"),
        (pl.DataFrame({"v": pl.Series([0.1], dtype=pl.Float32)}), "0.1"),
        ({"v": np.array([0.1], "float32")}, "0.1"),
        (pd.DataFrame({"v": pd.Series([0.1], dtype="float32")}), "0.1"),
        (pa.table({"v": [float("inf")]}), "INF"),
        ([{"v": float("-inf")}], "-INF"),
        (pa.table({"v": pa.array([86_400], pa.int32()).view(pa.time32("s"))}), "24:00:00"),
        (pa.table({"v": pa.array([-1], pa.int32()).view(pa.time32("s"))}), "00:00:-01"),
        (pd.DataFrame({"v": [pd.Timestamp("2024-02-29T12:00", tz="Europe/Berlin")]}), "2024-02-29T12:00:00+01:00"),
        (pa.table({"v": [True]}), "true"),
        (duckdb.sql("SELECT 5::BIGNUM AS v"), "5"),
        ({"u": pa.array([{"v": 0.5}])}, "0.5"),
        (pd.DataFrame({"u": [{"v": 1}, {"v": 2}]}), "1"),
    ],
)
def test_value_is_the_checked_text(data, value):
    name = "u.v" if "u" in (data if isinstance(data, dict) else getattr(data, "columns", [])) else "v"
    rules = assay.Rules.parse(f"fields: [{{name: {name}, constraints: {{required: true, pattern: '[A-Z]{{9}}'}}}}]")
    found = columns_of(rules.check(data).findings_table(values=True))["value"][0]
    assert (None if found != found else found) == value


def test_values_of_polars_need_no_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = pl.DataFrame({"v": [datetime.datetime(2024, 2, 29, 12)]}, schema={"v": pl.Datetime("ms", "Europe/Berlin")})
    found = ruled("type: date").check(frame).findings_table(values=True)
    assert found["value"].to_list() == ["2024-02-29T13:00:00+01:00"]


@pytest.mark.parametrize("kind", tables())
def test_the_column_of_values_is_of_texts(rules, kind):
    """Includes results without findings or without values."""
    def typed(findings):
        if isinstance(findings, pa.Table):
            return findings.schema.field("value").type == pa.string()
        return not hasattr(findings, "columns") or findings["value"].dtype in (pl.String, pd.Series([""]).dtype)

    for table in (pa.table({"key": [1], "id": ["1"], "email": ["a@b.org"]}),
                  pa.table({"key": [1], "id": pa.nulls(1), "email": ["a@b.org"]})):
        data = {
            "pyarrow": lambda: table,
            "batch": lambda: table.to_batches()[0],
            "batches": lambda: table.to_batches(),
            "polars": lambda: pl.from_arrow(table),
            "pandas": lambda: table.to_pandas(),
            "frames": lambda: [table.to_pandas()],
            "dict": lambda: table.to_pydict(),
            "dicts": lambda: table.to_pylist(),
            "duckdb": lambda: duckdb.from_arrow(table),
            "unknown": lambda: Unknown(table),
        }[kind]()  # fmt: skip
        assert typed(rules.check(data).findings_table(values=True))


def test_values_that_are_gone(rules):
    for data in (iter(pa.table(DATA).to_batches()), pl.LazyFrame(DATA)):
        with pytest.raises(TypeError, match="are not kept|were read once and are gone"):
            rules.check(data).findings_table(values=True)
    with pytest.raises(TypeError, match="the rows of a CSV text, or of a single record, are not kept"):
        rules.check_csv("id,email\nx,\n").findings_table(values=True)


#: Pairs of a record and whether it is clean.
RECORDS = [
    ({"id": 1, "email": "anna@example.org"}, True),
    ({"id": -(2**63)}, True),
    ({"id": 10**30}, True),
    ({"id": True}, False),
    ({"id": 5.0, "email": None}, True),
    ({"id": 5.5}, False),
    ({"id": Decimal("5.00")}, True),
    ({"id": Decimal("NaN")}, False),
    ({"id": "x"}, False),
    ({"id": b"7"}, True),
    ({"id": b"\xff"}, False),
    ({"id": "\ud800"}, False),
    ({"id": np.int8(3)}, True),
    ({"id": float("nan")}, False),
    ({"id": datetime.date(2024, 2, 29)}, False),
    ({}, False),
    ({"id": 1, "email": "bo", "more": [1]}, False),
]


@pytest.mark.parametrize(("record", "is_clean"), RECORDS, ids=str)
@pytest.mark.parametrize("more", ["", "rows: [{id: small, check: id < 100000}]", "primaryKey: id"])
def test_one_record_is_checked_like_a_table(record, is_clean, more):
    rules = assay.Rules.parse(RULES + more)
    full = {name: record.get(name) for name in ("id", "email")}
    expected = list(rules.check([full]))
    assert rules.check_record(record) == expected
    if not more:
        assert (expected == []) == is_clean


def test_one_record_of_something_else(rules):
    import collections

    assert rules.check_record(collections.ChainMap({"id": 1})) == []
    assert rules.check_record(collections.defaultdict(list, id=1)) == []
    assert [finding.message for finding in rules.check_record({"id": [1]})] == [
        "is not an integer: it is a JSON array"]
    with pytest.raises(TypeError, match="value 0 of the record, field 'id' is set, which no rule can judge"):
        rules.check_record({"id": {1}})
    warned = assay.Rules.parse("fields: [{name: a, rules: [{pattern: x, severity: warn}]}]")
    assert [finding.severity for finding in warned.check_record({"a": "y"})] == ["warn"]
    wide = assay.Rules.parse({"fields": [{"name": f"c{n}", "type": "integer"} for n in range(100)]})
    assert wide.check_record({"c99": 1}) == [] and len(wide.check_record({"c99": "x"})) == 1
    assert pickle.loads(pickle.dumps(rules)).check_record({"id": 1}) == []


MANY = "fields:\n" + "".join(f"  - {{name: c{n}, type: integer}}\n" for n in range(12))


def test_validate(rules):
    good = pa.table({"id": ["1"], "email": [None]})
    assert rules.validate(good).equals(good)
    with pytest.raises(assay.ValidationError) as caught:
        rules.validate(pa.table(DATA))
    assert str(caught.value) == (
        "2 of 3 records are rejected\n"
        "  id.type       1  is not an integer (record 2)\n"
        "  id.required   1  is missing (record 3)\n"
        "  email.format  1  is not an e-mail address: there is no @ (record 3)"
    )
    assert caught.value.result.report.rejected == 2
    with pytest.raises(assay.ValidationError) as caught:
        rules.validate({"id": ["1", "2", "3"], "email": ["a@", "b", "c"]})
    # The message of the first finding is an example, because other findings may have other messages.
    assert str(caught.value).splitlines()[1].startswith(
        "  email.format  3  for example record 1: is not an e-mail address: its host name is empty")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(assay.ValidationError, match=r"\n  and 2 rules more$"):
        assay.Rules.parse(MANY).validate({f"c{n}": ["x"] for n in range(12)})
    bound = assay.Rules.parse("{fields: [{name: id, type: integer}], thresholds: {records: {min: 3}}}")
    with pytest.raises(assay.ValidationError) as caught:
        bound.validate({"id": ["1"]})
    assert str(caught.value) == "0 of 1 records are rejected\n  the threshold of records is at least 3, and it is 1"
    repaired = assay.Rules.parse("fields: [{name: id, type: integer, repair: [trim]}]").validate({"id": [" 1"]})
    assert repaired == {"id": ["1"]}


def test_assert_valid(rules, tmp_path):
    assert_valid({"id": ["1"], "email": [None]}, rules)
    with pytest.raises(AssertionError) as caught:
        assert_valid(pd.DataFrame(DATA), rules)
    assert str(caught.value).splitlines()[1] == "  id.type       1  'x' is not an integer (record 2)"
    path = tmp_path / "rules.yaml"
    path.write_text(RULES)
    with pytest.raises(AssertionError, match="2 of 3 records are rejected"):
        assert_valid(pl.DataFrame(DATA), path)
    with pytest.raises(AssertionError, match=r"is not an integer \(record 2\)"):
        assert_valid(DATA, {"fields": [{"name": "id", "type": "integer"}]}, values=False)


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, 0.1, -12.25, 1e-5, 5e-324, 2.0**53, -(2.0**53), 2.0**53 + 2, 1e16,
                                   1e300, float("inf"), float("nan")])
@pytest.mark.parametrize("kind", ["string", "number", "integer", "{type: number, decimalChar: ','}"])
def test_floats_of_a_record_are_written_as_those_of_a_table(value, kind):
    kind = kind.strip("{}") if ":" in kind else f"type: {kind}"
    text = next(iter(assay.Rules.parse(f"fields: [{{name: v, {kind}}}]")._styles)).text(value, 0, "")
    for word in (text, f"{text}0"):
        rules = assay.Rules.parse(f"fields: [{{name: v, {kind}, rules: [{{id: r, pattern: '{word}'}}]}}]")
        full = [finding.rule for finding in rules.check([{"v": value}])]
        assert [finding.rule for finding in rules.check_record({"v": value})] == full
        plain = [rules._native.accepts({"v": value}, rules._write, plain) for plain in (b"\0", rules._plain)]
        assert plain == [not full] * 2


def test_lines_are_those_of_files(rules):
    for table in (pa.table(DATA), DATA, pa.table(DATA).to_reader()):
        assert {(finding.line, finding.offset) for finding in rules.check(table)} == {(None, None)}
    assert [(finding.line, finding.offset) for finding in rules.check_record({"id": "x"})] == [(None, None)]
    headless = assay.Rules.parse("{dialect: {header: false}, fields: [{name: id, type: integer}]}")
    assert [(finding.line, finding.offset) for finding in headless.check_csv("x\n")] == [(1, 0)]
