"""Findings with the values and keys of their rows; a row explained; single records; tables that have to be good."""

import datetime
import pickle
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import RULES

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
        "record 3 is rejected\n  id: is missing (id.required)\n  email: is not an e-mail address: there is no @ (email.format)"
    )
    for record in (0, 4, -1):
        with pytest.raises(IndexError, match=f"there is no record {record}: there are 3, from 1"):
            result.explain(record)


def test_findings_of_pandas_have_its_index(rules):
    frame = tables()["pandas"]
    assert list(rules.check(frame).findings_table(values=True).index) == ["b", "c", "c"]


def test_values_of_one_column(rules):
    for column in (["1", "x"], pa.array(["1", "x"]), pl.Series(["1", "x"]), pd.Series(["1", "x"]), np.array(["1", "x"])):
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


GARBLED = pa.array([b"\xff"]).view(pa.string())
FAR = pa.array([2**30], pa.date32())


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (pd.DataFrame({"v": pd.Series([None, "1"], dtype="string")}), None),
        (pd.DataFrame({"v": pd.Series([None, 1], dtype="Int64")}), None),
        (pd.DataFrame({"v": pd.Series([None, "1"], dtype=pd.ArrowDtype(pa.string()))}), None),
        (pd.DataFrame({"v": pd.Series(GARBLED, dtype=pd.ArrowDtype(pa.string()))}), r"\xff"),
        ({"v": pd.Series([None, "1"], dtype="string")}, None),
        (pa.table({"v": pa.array(["1", None], pa.string_view())}), "1"),
        (pa.table({"v": pa.array([b"1", None], pa.binary_view())}), "1"),
        (pa.table({"v": pc.run_end_encode(pa.array(["1", "1", None]))}), "1"),
        ([pl.DataFrame({"v": ["1"]}), pl.DataFrame({"v": ["2"]})], "1"),
        (pa.table({"v": ["1", "2"]}).to_struct_array(), "1"),
        (pa.table({"v": ["1", "2"]}).to_struct_array().combine_chunks(), "1"),
        (pl.DataFrame({"v": ["1", "2"]}).to_struct("s"), "1"),
        (pa.table({"v": GARBLED}), r"\xff"),
        (pa.table({"v": pa.DictionaryArray.from_arrays(pa.array([0]), GARBLED)}), r"\xff"),
        ({"v": GARBLED}, r"\xff"),
        (pa.table({"v": FAR}), "1073741824 days from 1970-01-01"),
        (pa.table({"v": FAR.cast(pa.timestamp("s"))}), "92771293593600 s from 1970-01-01"),
        (pl.DataFrame({"v": pl.Series([2**30], dtype=pl.Int32).cast(pl.Date)}), "1073741824 days from 1970-01-01"),
        ({"v": FAR}, "1073741824 days from 1970-01-01"),
    ],
)
def test_values_of_whatever_is_checked(data, value):
    rules = assay.Rules.parse("fields: [{name: v, constraints: {required: true, pattern: '[a-z]+'}}]")
    result = rules.check(data)
    shown = columns_of(result.findings_table(values=True))["value"][0]
    assert pd.isna(shown) if value is None else shown == value
    found = result.findings_table(keys=["v"], limit=1)
    assert len(found["record"]) == len(found["v"]) == 1
    said = "is missing" if value is None else f"{value!r} "
    assert f"  v: {said}" in result.explain(1)
    with pytest.raises(assay.ValidationError, match="rejected"):
        rules.validate(data, values=True)


def test_values_that_are_gone(rules):
    for data in (iter(pa.table(DATA).to_batches()), pl.LazyFrame(DATA)):
        with pytest.raises(TypeError, match="are not kept|were read once and are gone"):
            rules.check(data).findings_table(values=True)
    with pytest.raises(TypeError, match="the rows of a CSV text, or of a single record, are not kept"):
        rules.check_csv("id,email\nx,\n").findings_table(values=True)


#: Records, and whether they are clean.
RECORDS = [
    ({"id": 1, "email": "anna@example.org"}, True),
    ({"id": -(2**63)}, True),
    ({"id": 10**30}, True),
    ({"id": True}, False),
    ({"id": 5.0, "email": None}, True),
    ({"id": 5.5}, False),
    ({"id": Decimal("5.00")}, True),
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
def test_one_record_is_judged_as_a_table(record, is_clean, more):
    rules = assay.Rules.parse(RULES + more)
    whole = {name: record.get(name) for name in ("id", "email")}
    expected = list(rules.check([whole]))
    assert rules.check_record(record) == expected
    if not more:
        assert (expected == []) == is_clean


def test_one_record_of_something_else(rules):
    import collections

    assert rules.check_record(collections.ChainMap({"id": 1})) == []
    assert rules.check_record(collections.defaultdict(list, id=1)) == []
    with pytest.raises(TypeError, match="value 0 of the record, field 'id' is list, which no rule can judge"):
        rules.check_record({"id": [1]})
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
    # What is wrong with the first need not be wrong with the others.
    assert str(caught.value).splitlines()[1].startswith("  email.format  3  for example record 1: is not an e-mail address: its host name is empty")
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


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, 0.1, -12.25, 1e-5, 5e-324, 2.0**53, -(2.0**53), 2.0**53 + 2, 1e16, 1e300, float("inf"), float("nan")])
@pytest.mark.parametrize("kind", ["string", "number", "integer", "{type: number, decimalChar: ','}"])
def test_floats_of_a_record_are_written_as_those_of_a_table(value, kind):
    kind = kind.strip("{}") if ":" in kind else f"type: {kind}"
    text = next(iter(assay.Rules.parse(f"fields: [{{name: v, {kind}}}]")._styles)).text(value, 0, "")
    for word in (text, f"{text}0"):
        rules = assay.Rules.parse(f"fields: [{{name: v, {kind}, rules: [{{id: r, pattern: '{word}'}}]}}]")
        whole = [finding.rule for finding in rules.check([{"v": value}])]
        assert [finding.rule for finding in rules.check_record({"v": value})] == whole
        plain = [rules._native.accepts({"v": value}, rules._write, plain) for plain in (b"\0", rules._plain)]
        assert plain == [not whole] * 2
