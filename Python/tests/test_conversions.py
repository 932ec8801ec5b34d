"""Results convert to pandas, Polars, Arrow and NumPy without further code, or raise an error."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import CLEAN, EMAILS, IDS, RULES_FOUND

import assay

DATA = {"id": IDS, "email": EMAILS}
REASONS = [[], ["id.type"], ["id.required", "email.format"], [], ["id.required"]]


class Unknown:
    """A table of an unknown library."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__()


def test_reasons_go_into_a_frame_of_pandas(rules):
    frame = pd.DataFrame(DATA, index=list("abcde"))
    result = rules.check(frame)
    rejected = result.rejected.assign(why=result.reasons)
    assert rejected["why"].tolist() == [REASONS[1], REASONS[2], REASONS[4]] and list(rejected.index) == list("bce")
    assert result.reasons.str.join(";").tolist() == ["", "id.type", "id.required;email.format", "", "id.required"]
    assert rules.check_column("id", frame["id"]).reasons.tolist() == [one[:1] for one in REASONS]
    several = rules.check([frame[:2], frame[2:]])
    assert several.reasons.tolist() == REASONS and list(several.reasons.index) == list("abcde")


def test_reasons_go_into_a_frame_of_polars(rules):
    frame = pl.DataFrame(DATA)
    added = frame.with_columns(why=rules.check(frame).reasons)
    assert added["why"].to_list() == REASONS


def test_reasons_go_into_a_table_of_pyarrow(rules):
    table = pa.table(DATA)
    assert table.append_column("why", rules.check(table).reasons)["why"].to_pylist() == REASONS
    assert rules.check(table.to_batches()[0]).reasons.to_pylist() == REASONS
    assert rules.check(iter(table.to_batches(max_chunksize=2))).reasons.to_pylist() == REASONS


@pytest.mark.parametrize("batch_rows", [100, 2])
def test_columns_of_unregistered_libraries(rules, batch_rows):
    result = rules.check(Unknown(pa.Table.from_batches(pa.table(DATA).to_batches(max_chunksize=batch_rows))))
    mask, reasons, findings = result.mask, result.reasons, result.findings
    assert list(mask) == CLEAN and mask[1] is False and mask[-2:] == CLEAN[-2:]
    assert np.asarray(mask).dtype == bool and np.asarray(mask).tolist() == CLEAN
    assert np.asarray(mask, dtype=int).tolist() == [int(one) for one in CLEAN]
    assert pd.Series(mask).tolist() == CLEAN and pl.Series(mask).to_list() == CLEAN
    assert pa.chunked_array(mask).to_pylist() == CLEAN
    assert list(reasons) == REASONS and np.asarray(reasons).tolist() == REASONS
    assert pd.Series(reasons).tolist() == REASONS and pl.Series(reasons).to_list() == REASONS
    assert [(one["record"], one["rule"]) for one in findings] == RULES_FOUND
    for frame in (pd.DataFrame(findings), pl.DataFrame(findings), pa.table(findings).to_pandas()):
        assert list(frame.columns) == ["record", "column", "rule", "code", "severity", "message"]
        assert list(zip(frame["record"], frame["rule"])) == RULES_FOUND
    array = np.asarray(findings)
    assert list(zip(array["record"], array["rule"])) == RULES_FOUND
    assert len(np.asarray(result.findings_table(2))) == len(list(result.findings_table(2))) == 2
    with pytest.raises(ValueError, match="cannot become a NumPy array without a copy"):
        np.asarray(mask, copy=False)


def columns_of(findings):
    """Converts a table of findings of any library to lists."""
    if isinstance(findings, dict):
        return findings
    if isinstance(findings, pl.DataFrame):
        return findings.to_dict(as_series=False)
    if isinstance(findings, pd.DataFrame):
        findings = pa.Table.from_pandas(findings, preserve_index=False)
    return pa.table(findings).to_pydict()


OF_ROWS = """
fields: [{name: a, type: integer}, {name: b, type: integer}]
rows: [{id: order, check: a < b}]
"""
ROWS = {"a": ["2"] * 150 + ["x"], "b": ["1"] * 151}


@pytest.mark.parametrize("library", [pl.DataFrame, pl.LazyFrame, pa.table, pd.DataFrame, dict,
                                     lambda data: Unknown(pa.table(data))])
def test_row_findings_have_no_column(library):
    """Tests every library, because Polars would infer a null column from the first hundred findings."""
    found = columns_of(assay.Rules.parse(OF_ROWS).check(library(ROWS)).findings)
    assert list(found) == ["record", "column", "rule", "code", "severity", "message"]
    assert found["record"] == list(range(1, 152))
    assert found["column"] == [None] * 150 + ["a"] and found["rule"] == ["order"] * 150 + ["a.type"]


@pytest.mark.parametrize("library", [pl.DataFrame, pa.table, pd.DataFrame, dict])
def test_a_column_without_a_name_is_no_row(library):
    rules = assay.Rules.parse(
        "{fields: [{name: '', type: integer}, {name: b}], rows: [{id: same, check: 'row[\"\"] == int(b)'}]}")
    found = columns_of(rules.check(library({"": ["2", "x"], "b": ["1", "1"]})).findings)
    assert list(zip(found["column"], found["rule"])) == [(None, "same"), ("", ".type")]


def test_findings_of_polars_have_types(rules):
    kinds = {"record": pl.UInt64} | dict.fromkeys(("column", "rule", "code", "severity", "message"), pl.String)
    for ids in ([], ["1"], ["x"]):
        frame = pl.DataFrame({"id": ids, "email": ids}, schema={"id": pl.String, "email": pl.String})
        assert rules.check(frame).findings.schema == rules.check(frame.lazy()).findings.schema == kinds
        # Tables of unknown libraries keep the types of Arrow.
        found = pl.DataFrame(rules.check(
            Unknown(pa.table({"id": pa.array(ids, pa.string()), "email": pa.array(ids, pa.string())}))).findings)
        assert list(found.schema) == list(kinds) and found["record"].dtype == pl.UInt64


def test_findings_of_polars_need_no_pyarrow(monkeypatch):
    """Findings for Polars need no pyarrow, and are not made from single values."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("assay._arrow.findings", None)
    found = assay.Rules.parse(OF_ROWS).check(pl.DataFrame(ROWS)).findings
    assert found["column"].to_list() == [None] * 150 + ["a"]


def test_findings_of_several_checks_are_of_one_schema():
    rules = assay.Rules.parse(OF_ROWS)
    tables = [rules.check(pa.table({"a": ["2", a], "b": ["1", "3"]})).findings for a in ("x", "1")]
    assert pa.concat_tables(tables)["column"].to_pylist() == [None, "a", None]


def test_no_rows(rules):
    result = rules.check(Unknown(pa.table({"id": pa.array([], pa.string()), "email": pa.array([], pa.string())})))
    for column in (result.mask, result.reasons, result.findings):
        assert list(column) == [] and len(np.asarray(column)) == 0


def test_a_csv_text_has_no_columns(rules):
    result = rules.check_csv("id,email\nx,\n")
    for read in (list, np.asarray, pd.Series):
        with pytest.raises(TypeError, match="there is no mask of the rows of a CSV text; look at the findings"):
            read(result.reasons)
