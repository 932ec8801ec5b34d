"""Polars, pandas, DuckDB and lists: results have the type of the checked table."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import CLEAN, EMAILS, IDS, RULES_FOUND

import assay

DATA = {"id": IDS, "email": EMAILS}


def test_polars(rules):
    df = pl.DataFrame(DATA)
    result = rules.check(df)
    assert isinstance(result.mask, pl.Series) and result.mask.to_list() == CLEAN
    assert result.clean.equals(df.filter(pl.Series(CLEAN)))
    assert result.rejected["id"].to_list() == ["x", None, ""]
    assert list(result.findings.select("record", "rule").iter_rows()) == RULES_FOUND


def test_polars_column():
    matched = assay.Pattern(r"\d+").match(pl.Series("id", IDS))
    assert matched.name == "id" and matched.to_list() == [True, False, None, True, False]
    assert assay.Pattern(r"\d+").match(pl.Series("id", ["1", "x", "1"], pl.Categorical)).to_list() == [
        True,
        False,
        True,
    ]


def test_polars_nulls(rules):
    """Polars exports a column of only nulls with a validity bitmap that Arrow does not define."""
    df = pl.DataFrame({"id": ["1", "x"], "email": [None, None]})
    assert rules.check(df).mask.to_list() == [True, False]
    import assay.polars  # noqa: F401

    assert df.lazy().assay.clean(rules).collect()["id"].to_list() == ["1"]


def test_polars_queries_go_on_behind_the_rules(rules):
    """Later steps of a query must run after the rules; by default, releases up to 1.36 move them before."""
    import assay.polars  # noqa: F401

    lazy = pl.LazyFrame({"id": ["x", "1", "y", "2"], "email": [None] * 4, "n": [1, 2, 3, 4]})
    clean, rejected = lazy.assay.clean(rules), lazy.assay.rejected(rules)
    assert clean.head(1).collect()["id"].to_list() == ["1"]
    assert clean.tail(1).collect()["id"].to_list() == ["2"]
    assert rejected.slice(1, 1).collect()["id"].to_list() == ["y"]
    assert clean.select("n").collect()["n"].to_list() == [2, 4]
    assert clean.filter(pl.col("n") > 2).select("id").collect()["id"].to_list() == ["2"]


def test_polars_does_not_push_operations_down(rules, monkeypatch):
    """Tests the arguments, because the default depends on the installed release."""
    import assay.polars  # noqa: F401

    recorded = []
    monkeypatch.setattr(pl.LazyFrame, "map_batches", lambda frame, pick, **options: recorded.append(options))
    lazy = pl.LazyFrame(DATA)
    lazy.assay.clean(rules)
    lazy.assay.rejected(rules)
    for options in recorded:
        assert [options[f"{what}_pushdown"] for what in ("predicate", "projection", "slice")] == [False] * 3
    assert len(recorded) == 2


def test_polars_map_batches():
    digits = assay.Pattern(r"\d+")
    df = pl.DataFrame(DATA).with_columns(ok=pl.col("id").map_batches(digits.match, return_dtype=pl.Boolean))
    assert df["ok"].to_list() == [True, False, None, True, False]


def test_pandas(rules):
    df = pd.DataFrame(DATA, index=[10, 11, 12, 13, 14])
    result = rules.check(df)
    assert list(result.mask) == CLEAN and list(result.mask.index) == [10, 11, 12, 13, 14]
    assert list(result.clean.index) == [10, 13] and list(result.rejected.index) == [11, 12, 14]
    assert list(zip(result.findings["record"], result.findings["rule"])) == RULES_FOUND
    matched = assay.Pattern(r"\d+").match(df["id"])
    assert matched.isna().tolist() == [False, False, True, False, False]
    assert matched.dropna().tolist() == [True, False, True, False]


def test_duckdb_relation(rules):
    users = pa.table(DATA)
    relation = duckdb.sql("SELECT id, email FROM users")
    result = rules.check(relation)
    assert result.mask.to_pylist() == CLEAN
    clean = result.clean
    assert duckdb.sql("SELECT count(*) FROM clean").fetchall() == [(2,)]
    assert result.findings.num_rows == 4
    assert users.num_rows == 5


def test_lists(rules):
    result = rules.check(DATA)
    assert result.mask == CLEAN
    assert result.clean == {"id": ["1", "4"], "email": ["anna@example.org", "carl@example.org"]}
    records = [dict(zip(DATA, values)) for values in zip(*DATA.values())]
    assert rules.check(records).clean == [records[0], records[3]]
    assert [(f.record, f.rule) for f in rules.check(records)] == RULES_FOUND
    findings = rules.check(records).findings
    assert [(finding["record"], finding["rule"]) for finding in findings] == RULES_FOUND
    assert list(zip(result.findings["record"], result.findings["rule"])) == RULES_FOUND
    assert len(result.findings_table(2)["record"]) == 2
    assert rules.check([]).mask == [] and rules.check([]).findings == []
    reasons = [[], ["id.type"], ["id.required", "email.format"], [], ["id.required"]]
    assert result.reasons == rules.check(records).reasons == reasons
    # A column of a library is checked as Arrow, perhaps in several chunks.
    pieces = {"id": pa.chunked_array([IDS[:2], IDS[2:]]), "email": EMAILS}
    assert rules.check(pieces).reasons == reasons
    assert rules.check_column("id", np.array(["1", "x"])).reasons == [[], ["id.type"]]
    assert rules.check([]).reasons == []
    assert rules.check_column("id", IDS).mask == [True, False, False, True, False]
    assert rules.check_column("id", tuple(IDS)).findings[0]["message"] == "is not an integer"


def test_dicts_of_columns_of_libraries():
    """A column of a dict may be of any library; all forms of null are missing values."""
    rules = assay.Rules.parse("fields: [{name: a, type: integer}, {name: b, type: integer}]")
    columns = [
        ["1", None, "x"],
        pa.array(["1", None, "x"]),
        pa.chunked_array([["1", None], ["x"]]),
        pl.Series(["1", None, "x"]),
        pd.Series(["1", pd.NA, "x"]),
        pd.Series([1, pd.NaT, "x"], dtype=object),
        np.array([1, float("nan"), "x"], dtype=object),
    ]
    for column in columns:
        result = rules.check({"a": column, "b": [1, 2, 3]})
        assert result.mask == [True, True, False]
        assert [list(values) for values in result.rejected.values()] == [["x"], [3]]
    dates = pd.Series(["2024-02-29", None, "x"]).map(lambda text: pd.NaT if text is None else text)
    assert assay.Rules.parse("fields: [{name: d, type: date}]").check({"d": dates}).mask == [True, True, False]


def test_other_python_values():
    import datetime

    rules = assay.Rules.parse("fields: [{name: n, type: number}, {name: d, type: date}, {name: b, type: boolean}]")
    leap = datetime.date(2024, 2, 29)
    result = rules.check({"n": [1, 2.5, float("nan")], "d": [leap, None, "x"], "b": [True, False, "no"]})
    assert [(f.record, f.rule) for f in result] == [(3, "d.type"), (3, "b.type")]
    assert assay.Pattern(".*").match(["\ud800"]) == [False]


def test_anything_with_the_protocol(rules):
    class Table:
        def __init__(self, table):
            self.table = table

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    result = rules.check(Table(pa.table(DATA)))
    assert pa.chunked_array(result.mask).to_pylist() == CLEAN
    assert pa.table(result.findings).num_rows == 4
    assert result.clean.num_rows == 2


def test_a_reader_is_read_once(rules):
    reader = pa.table(DATA).to_reader()
    assert rules.check(reader).report.clean == 2


def lazy(rows, batch=1000):
    """Returns a query whose rows are not in memory."""
    made = pl.LazyFrame({"n": range(rows)}).with_columns(id=pl.col("n").cast(pl.String), email=pl.lit(None, pl.String))
    return made.with_columns(id=pl.when(pl.col("n") % 1000 == 7).then(pl.lit("x")).otherwise("id"))


def test_a_polars_query_is_checked_in_batches(rules):
    rows = 300_000
    result = rules.check(lazy(rows))
    assert (result.report.records, result.report.rejected) == (rows, 300)
    assert isinstance(result.mask, pl.Series) and result.mask.sum() == rows - 300
    assert result.findings["record"].to_list() == list(range(8, rows, 1000))
    assert result.reasons[7].to_list() == ["id.type"]
    assert len(result._results) > 1
    for read in (lambda: result.clean, lambda: result.rejected):
        with pytest.raises(TypeError, match="the rows of a LazyFrame are not kept: lf.assay.clean.rules. and"):
            read()


def test_queries_of_polars_without_rows_or_columns(rules):
    none = lazy(5).filter(pl.col("n") > 9)
    assert rules.check(none).mask.to_list() == [] and rules.check(none).findings.is_empty()
    with pytest.raises(assay.AssayError, match="no column is named 'email'"):
        rules.check(lazy(5).drop("email"))
    with pytest.raises(TypeError, match="LazyFrame is not a column that assay can read"):
        rules.check_column("id", lazy(5))
    with pytest.raises(pl.exceptions.InvalidOperationError):
        rules.check(lazy(5).with_columns(id=pl.lit("x").cast(pl.Int64)))


@pytest.mark.parametrize("keep", ["first", "none", "last"])
def test_queries_of_polars_with_keys(keep):
    rules = assay.Rules.parse(f"{{fields: [{{name: k, constraints: {{unique: true}}}}], keep: {keep}}}")
    query = pl.LazyFrame({"k": [str(n % 200_000) for n in range(300_000)]})
    assert rules.check(query).report.rejected == (200_000 if keep == "none" else 100_000)


EXPRESSIONS = """
fields:
  - {name: id, type: integer}
  - {name: email, format: email}
  - {name: n, type: integer, constraints: {maximum: 250000}}
rows: [{id: even, check: n % 2 == 0, severity: warn}]
"""


def test_polars_expressions_agree_with_check():
    """Tests a streaming query that creates its rows."""
    import assay.polars  # noqa: F401

    rules = assay.Rules.parse(EXPRESSIONS)
    query = lazy(300_000).with_columns(email=pl.when(pl.col("n") % 77
                                                     == 0).then(pl.lit("bo")).otherwise(pl.lit("a@b.org")))
    row = pl.struct("n", "id", "email").assay
    requested = query.select("n", ok=row.verdict(rules), why=row.reasons(rules), both=row.check(rules))
    expected = rules.check(query.collect())
    for engine in ("streaming", "in-memory"):
        found = requested.collect(engine=engine)
        assert found.schema == requested.collect_schema()
        assert found["ok"].equals(expected.mask) and found["why"].to_list() == expected.reasons.to_list()
        both = found["both"].struct.unnest()
        assert both.columns == ["assay_clean", "assay_reasons"]
        assert both["assay_clean"].equals(found["ok"]) and both["assay_reasons"].equals(found["why"])


def test_expressions_of_polars_stream_and_are_optimized():
    import assay.polars  # noqa: F401

    rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
    lengths = []

    class Counted(assay.Rules):
        def check_column(self, field, values, **options):
            lengths.append(len(values))
            return super().check_column(field, values, **options)

    query = lazy(300_000).with_columns(ok=pl.col("id").assay.verdict(Counted(rules._native)))
    assert query.select(pl.col("ok").sum()).collect(engine="streaming").item() == 300_000 - 300
    assert sum(lengths) == 300_000 and len(lengths) > 1
    # A filter runs first, and unused expressions are not evaluated.
    lengths.clear()
    assert query.filter(pl.col("n") < 10).collect(engine="streaming").height == 10 and sum(lengths) == 10
    lengths.clear()
    assert query.select("n").collect(engine="streaming").height == 300_000 and not lengths


def test_expressions_of_polars_with_keys():
    """Keys are compared across all rows, even in a streaming query."""
    import assay.polars  # noqa: F401

    rules = assay.Rules.parse("fields: [{name: id, constraints: {unique: true}}]")
    query = lazy(300_000).with_columns(id=(pl.col("n") % 200_000).cast(pl.String))
    found = query.select(ok=pl.col("id").assay.verdict(rules)).collect(engine="streaming")
    assert found["ok"].to_list() == [True] * 200_000 + [False] * 100_000


def test_polars_expressions_name_the_failed_rules():
    import assay.polars  # noqa: F401

    rules = assay.Rules.parse("fields: [{name: place.city, constraints: {maxLength: 3}}, {name: tag}]")
    frame = pl.DataFrame({"place": [{"city": "Rome"}, {"city": "Ulm"}], "tag": ["a", "b"]})
    assert frame.select(pl.struct("place", "tag").assay.verdict(rules)).to_series().to_list() == [False, True]
    assert frame.select(pl.col("tag").assay.reasons(rules)).to_series().to_list() == [[], []]
    # Some releases wrap exceptions of Python.
    with pytest.raises((KeyError, pl.exceptions.ComputeError), match="the rules have no field .*other"):
        frame.select(pl.col("tag").alias("other").assay.verdict(rules))
    with pytest.raises((assay.AssayError, pl.exceptions.ComputeError), match="no column is named 'place.city'"):
        frame.select(pl.struct("tag").assay.verdict(rules))
    # Without rows.
    assert frame.clear().select(pl.struct("place", "tag").assay.reasons(rules)).schema == {"place": pl.List(pl.String)}
    assert frame.select(pl.col("tag").assay.matches(assay.Format("slug"))).to_series().to_list() == [True, True]


@pytest.mark.parametrize("more", [{}, {"keep": "none"}])
def test_chunks_of_polars_are_checked_in_place(monkeypatch, more):
    from assay import _frames

    rows = 60_000
    mails = [f"user.{row}@example.org" if row % 1000 else f"user {row}" for row in range(rows)]
    ids = [str(row) if row % 7777 else "5" for row in range(rows)]
    full = pl.DataFrame({"id": ids, "email": mails})
    frame = pl.concat([full[:20_000], full[20_000:50_000], full[50_000:]], rechunk=False)
    rules = assay.Rules.parse(
        {"fields": [{"name": "id", "constraints": {"unique": True}}, {"name": "email", "format": "email"}], **more})
    checked, evaluate = [], _frames.evaluate
    monkeypatch.setattr(_frames, "evaluate", lambda rules, data, *rest: checked.append(data.n_chunks("all"))
                        or evaluate(rules, data, *rest))
    expected, found = rules.check(full), rules.check(frame)
    # Polars copies a frame of several chunks for Arrow, so it must get only frames of one chunk, unless the rules need
    # all rows at once.
    assert checked == ([] if more else [[1, 1]] * 3)
    assert found.report == expected.report and list(found) == list(expected)
    assert found.mask.equals(expected.mask) and found.reasons.equals(expected.reasons)
    assert found.clean.equals(expected.clean) and found.rejected.equals(expected.rejected)
    uneven = pl.DataFrame([frame["id"], full["email"].rename("email")])
    assert rules.check(uneven).report == expected.report
    # A column may have an empty name, like the index that pandas writes.
    rules = assay.Rules.parse({"fields": [{"name": "", "constraints": {"unique": True}}], **more})
    found = rules.check(frame.rename({"id": ""}))
    assert found.report == rules.check(full.rename({"id": ""})).report and not found.ok


def test_masked_arrays_of_numpy():
    rules = assay.Rules.parse("fields: [{name: v, type: number, constraints: {required: true}}]")
    for values in (np.ma.array([1.5, 2.5], mask=[True, False]), np.ma.array([1, 2], mask=[True, False])):
        assert rules.check_column("v", values).mask.tolist() == rules.check({"v": values}).mask == [False, True]
    days = np.ma.array(np.array(["2024-01-01", "2024-01-02"], "M8[D]"), mask=[True, False])
    rules = assay.Rules.parse("fields: [{name: v, type: date, constraints: {required: true}}]")
    assert rules.check_column("v", days).mask.tolist() == [False, True]
