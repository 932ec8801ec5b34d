"""Single reads of inputs, tables that results keep, and the columns that are read."""

import datetime as dt
import pickle

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay

LEAP = dt.date(2024, 2, 29)


@pytest.fixture
def integers():
    return assay.Rules.parse("fields: [{name: id, type: integer}]")


def test_untrusted_rules_raise_limits_to_a_ceiling(tmp_path):
    text = "{limits: {match-base: 20001}, fields: [{name: id}]}"
    path = tmp_path / "r.yaml"
    path.write_text(text)
    for read, given in ((assay.Rules.parse, text), (assay.Rules.load, path)):
        with pytest.raises(assay.AssayError,
                           match="a rule file may raise match-base to 20000, not to 20001") as refused:
            read(given)
        assert refused.value.faults[0].hint == "lower it, or read it with trust=True if you trust the file"
        rules = read(given, trust=True)
        # Trusted rules can be pickled.
        assert pickle.loads(pickle.dumps(rules)).json() == rules.json()


class Query:
    """A table that changes with each read, like that of a query."""

    def __init__(self, *tables):
        self.tables = list(tables)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.tables.pop(0).__arrow_c_stream__(requested_schema)


def test_duckdb_runs_a_query_once(integers):
    connection = duckdb.connect()
    connection.sql(
        "CREATE TABLE b AS SELECT CASE WHEN range % 2 = 0 THEN 'x' || range ELSE range::VARCHAR END id FROM "
        "range(200000)"
    )
    # The order of groups differs in each run.
    result = integers.check(connection.sql("SELECT id, count(*) FROM b GROUP BY id"))
    assert sum(value[0] == "x" for value in result.clean["id"].to_pylist()) == 0
    assert all(value[0] == "x" for value in result.rejected["id"].to_pylist())
    assert (result.clean.num_rows, result.rejected.num_rows) == (100_000, 100_000)
    connection.sql("CREATE SEQUENCE numbers")
    relation = connection.sql("SELECT nextval('numbers')::VARCHAR id FROM range(3)")
    assert integers.check(relation).clean["id"].to_pylist() == ["1", "2", "3"]


def test_a_stream_of_an_unknown_library_is_read_once(integers):
    result = integers.check(Query(pa.table({"id": ["1", "x"]}), pa.table({"id": ["x", "2"]})))
    assert result.clean["id"].to_pylist() == ["1"] and result.rejected["id"].to_pylist() == ["x"]
    result = integers.check_column("id", pl.Series(["1", "x"]))
    assert result.clean.to_list() == ["1"]


def test_columns_of_an_unknown_library(integers):
    result = integers.check({"id": Query(pa.chunked_array([["1", "x"]]), pa.chunked_array([["x", "1"]])), "n": [1, 2]})
    assert result.clean == {"id": ["1"], "n": [1]}


def test_arrays_of_an_unknown_library(integers):
    class Array:
        def __init__(self, array):
            self.array = array

        def __arrow_c_array__(self, requested_schema=None):
            return self.array.__arrow_c_array__(requested_schema)

    result = integers.check(Array(pa.record_batch({"id": ["1", "x"]})))
    assert result.clean["id"].to_pylist() == ["1"]
    assert integers.check_column("id", Array(pa.array(["1", "x"]))).rejected.to_pylist() == ["x"]


def test_lengths_of_stream_only_inputs(integers):
    result = integers.check(Query(pa.table({"id": ["1", "x", "y"]})))
    assert len(result.mask) == 3 and len(result.findings) == 2 and len(result.findings_table(1)) == 1


def test_lists_of_tables_and_readers(integers):
    tables = [pa.table({"id": ["1", "x"]}), pa.table({"id": ["y"]}), pl.DataFrame({"id": ["4"]})]
    result = integers.check(tables)
    assert result.mask.to_pylist() == [True, False, False, True]
    assert [finding.record for finding in result] == [2, 3]
    assert integers.check(table for table in tables).mask.to_pylist() == [True, False, False, True]
    assert integers.check(tables[:2]).clean["id"].to_pylist() == ["1"]
    assert integers.check([table.to_reader() for table in tables[:2]]).rejected["id"].to_pylist() == ["x", "y"]
    assert integers.check_column("id", [pa.array(["1"]), pa.array(["x"])]).clean.to_pylist() == ["1"]


def test_lists_of_frames_of_pandas():
    """Each frame is checked separately, and the results are of pandas."""
    rules = assay.Rules.parse(
        "{fieldsMatch: exact, fields: [{name: id, type: integer}, {name: month, type: yearmonth}]}"
    )
    months = pd.period_range("2024-01", periods=3, freq="M")
    frames = [
        pd.DataFrame({"id": [1, "x", None], "month": months}, index=pd.Index(["a", "b", "c"], name="key")),
        pd.DataFrame({"id": ["\ud800", 2.0], "month": ["2024-01", "2024"]}, index=["a", "d"]),
    ]
    result = rules.check(frames)
    # Removing rows later does not affect the result.
    frames[0].drop("a", inplace=True)
    assert isinstance(result.mask, pd.Series) and result.mask.tolist() == [True, False, True, False, False]
    assert list(result.mask.index) == ["a", "b", "c", "a", "d"]
    assert list(result.clean.index) == ["a", "c"] and list(result.rejected.index) == ["b", "a", "d"]
    assert list(result.rejected["id"]) == ["x", "\ud800", 2.0]
    assert list(result.findings["record"]) == [2, 4, 5]
    assert [(f.record, f.rule) for f in result] == [(2, "id.type"), (4, "encoding"), (5, "month.type")]


def test_batches_of_pandas_one_by_one(integers):
    frames = [pd.DataFrame({"id": [1, "x"]}, index=["a", "b"]), pd.DataFrame({"id": ["2"]}, dtype=object)]
    result = integers.check(frame for frame in frames)
    assert result.mask.to_pylist() == [True, False, True] and [f.record for f in result] == [2]
    # Mixed with other tables, they become a pyarrow table.
    result = integers.check([pa.table({"id": ["x"]}), frames[1]])
    assert result.clean.to_pylist() == [{"id": "2"}]
    series = [pd.Series([1, "x"], dtype=object), pd.Series([None, "2"], index=[7, 8], dtype=object)]
    assert list(assay.Pattern("[0-9]").match(series).isna()) == [False, False, True, False]
    assert integers.check_column("id", series).clean.tolist() == [1, None, "2"]
    # Single values of pandas are not batches.
    assert integers.check_column("id", [pd.NaT, pd.NA, "1"]).ok


def test_batches_that_make_no_one_table(integers):
    result = integers.check([pa.table({"id": ["1"]}), pa.table({"id": [1]})])
    assert result.ok
    with pytest.raises(
        TypeError, match="the parts of the list do not form one table to pick rows from .Schema at index 1 .*: give"
    ):
        result.clean
    result = integers.check_column("id", [pa.array(["1"]), pa.array([1])])
    with pytest.raises(TypeError, match="do not form one table to pick rows from"):
        result.rejected


@pytest.mark.parametrize(
    ("data", "shorten"),
    [
        ([{"id": "1"}, {"id": "x"}], lambda data: data.clear()),
        ({"id": ["1", "x"]}, lambda data: data["id"].clear()),
        ({"id": ["1", "x"]}, lambda data: data.clear()),
        ({"id": pd.Series(["1", "x"])}, lambda data: data["id"].drop(0, inplace=True)),
        (pd.DataFrame({"id": ["1", "x"]}), lambda data: data.drop(0, inplace=True)),
        (pd.DataFrame({"id": ["1", "x"]}), lambda data: data.insert(0, "b", [1, 2])),
        (pl.DataFrame({"id": ["1", "x"]}), lambda data: data.extend(pl.DataFrame({"id": ["3"]}))),
        ([pa.table({"id": ["1", "x"]})], lambda data: data.clear()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_result_keeps_its_rows(integers, data, shorten):
    result = integers.check(data)
    shorten(data)
    clean = result.clean
    if isinstance(clean, list):
        assert clean == [{"id": "1"}]
    else:
        assert list(clean["id"].to_pylist() if hasattr(clean, "to_batches") else clean["id"]) == ["1"]
        assert len(clean) == 1 and len(result.rejected) == 1


def test_the_index_of_pandas_is_no_column(integers):
    exact = assay.Rules.parse("{fieldsMatch: exact, fields: [{name: id, type: integer}]}")
    frame = pd.DataFrame({"id": ["1", "x", "3"]}, index=pd.Index(["a", "b", "c"], name="key"))
    clean = exact.check(frame).clean
    assert list(clean.index) == ["a", "c"]
    assert exact.check(clean).ok
    assert integers.check(clean).clean.equals(clean)
    with pytest.raises(assay.AssayError, match="no column is named 'key'"):
        assay.Rules.parse("fields: [{name: key, constraints: {required: true}}]").check(frame)


def test_pandas_looks_at_the_columns_that_rules_name(integers):
    mixed = [1, "a", LEAP, [1], {"a": 1}, object()]
    frame = pd.DataFrame({"id": [1, 2.0, "3", None, float("nan"), "x"], "other": mixed, 7: mixed})
    assert list(integers.check(frame).mask) == [True] * 5 + [False]
    with pytest.raises(assay.AssayError, match="the table has: id, other, 7"):
        assay.Rules.parse("fields: [{name: b}]").check(frame)
    with pytest.raises(TypeError, match="value 3 of column 'other' is list, which no rule can judge"):
        assay.Rules.parse("fields: [{name: other}]").check(frame)


@pytest.mark.parametrize(
    ("series", "field", "mask"),
    [
        (pd.Series([LEAP, "29/02/2024", "x"]), "type: date, format: '%d/%m/%Y'", [True, True, False]),
        (pd.Series([LEAP, dt.datetime(2024, 2, 29, 12)], dtype=object), "type: date", [True, False]),
        (pd.Series([True, "no", 2], dtype=object), "type: boolean, falseValues: [no]", [True, True, False]),
        (pd.Series(["a", b"b", b"\xff"], dtype=object), "type: string", [True, True, False]),
        (pd.Series([1, None, "x"], dtype=object), "type: integer", [True, True, False]),
        (pd.Series(["1", "x", "1"], dtype="category"), "type: integer", [True, False, True]),
        (pd.Series([1, "x", 1], dtype="category"), "type: integer", [True, False, True]),
        (pd.Series([1, None], dtype="Int64"), "type: integer, constraints: {required: true}", [True, False]),
        (pd.Series([1.0, None]), "type: integer, constraints: {required: true}", [True, False]),
        (pd.Series(pd.period_range("2024-01", periods=2, freq="M")), "type: yearmonth", [True, True]),
        (
            pd.Series(pd.period_range("2024-01", periods=2, freq="M")).astype("category"),
            "type: yearmonth",
            [True, True],
        ),
        (pd.Series([LEAP, "29/02/2024"]).astype("category"), "type: date, format: '%d/%m/%Y'", [True, True]),
        (pd.Series(pd.to_datetime(["2024-02-29", None])), "type: date, constraints: {required: true}", [True, False]),
        (pd.Series(["a", "\ud800"], dtype=object), "type: string", [True, False]),
    ],
    ids=str,
)
def test_columns_of_pandas(series, field, mask):
    rules = assay.Rules.parse(f"fields: [{{name: v, {field}}}]")
    assert list(rules.check(pd.DataFrame({"v": series})).mask) == mask
    assert list(rules.check_column("v", series).mask) == mask
    assert rules.check({"v": series}).mask == mask


def test_pandas_structs():
    rules = assay.Rules.parse("fields: [{name: user.id, type: integer}]")
    assert list(rules.check(pd.DataFrame({"user": [{"id": "1"}, None, {"id": "x"}]})).mask) == [True, True, False]


NESTED = assay.Rules.parse("fields: [{name: a.b, type: integer}]")


@pytest.mark.parametrize("values", [[1, "x"], [LEAP, LEAP], [{"c": 1}, {"c": "x"}], [[1], {2}]], ids=str)
@pytest.mark.parametrize(
    "form",
    [
        lambda values: {"a": values, "a.b": ["1", "x"]},
        lambda values: {"a": values, "a.b": pa.array(["1", "x"])},
        lambda values: {"a": pd.Series(values, dtype=object), "a.b": ["1", "x"]},
        lambda values: pd.DataFrame({"a": pd.Series(values, dtype=object), "a.b": ["1", "x"]}),
        lambda values: [{"a": value, "a.b": number} for value, number in zip(values, ["1", "x"])],
    ],
    ids=["lists", "pyarrow", "Series", "DataFrame", "rows"],
)
def test_a_column_that_only_begins_like_a_field(form, values):
    """If `a.b` is a field, the column `a` is read only if it is a struct."""
    result = NESTED.check(form(values))
    assert list(result.mask) == [True, False] and len(result.clean) > 0


@pytest.mark.parametrize(
    "data",
    [{"a": [{}]}, [{"a": {"c": "x"}}], {"a": [1]}, [{"a": 1}], pd.DataFrame({"a": [1]}), {"a": np.array([1])}],
    ids=lambda data: type(data).__name__,
)
def test_members_that_no_record_has_are_no_columns(data):
    with pytest.raises(assay.AssayError, match="no column is named 'a.b'\n  hint: the table has: a"):
        NESTED.check(data)
    # The error must not be StopIteration, which would end a loop over tables.
    with pytest.raises(assay.AssayError):
        list(map(NESTED.check, [data]))


@pytest.mark.parametrize("odd", ["\ud800", "b\0c", "a\0c"], ids=ascii)
@pytest.mark.parametrize(
    "form",
    [
        lambda odd: [{"a": "1", odd: "z"}, {"a": "x"}],
        lambda odd: {"a": ["1", "x"], odd: ["z", "z"]},
        lambda odd: {odd: ["z", "z"], "a": pa.array(["1", "x"])},
        lambda odd: pd.DataFrame([["z", "1"], ["z", "x"]], columns=pd.Index([odd, "a"], dtype=object)),
    ],
    ids=["rows", "lists", "pyarrow", "DataFrame"],
)
def test_names_that_no_rule_has(form, odd):
    """Names with a NUL, which ends them in C, or with invalid UTF-8: these columns are ignored."""
    data = form(odd)
    assert list(assay.Rules.parse("fields: [{name: a, type: integer}]").check(data).mask) == [True, False]
    with pytest.raises(assay.AssayError, match=r"no column is named 'z'\n  hint: the table has: .*\\(x00|ud800)"):
        assay.Rules.parse("fields: [{name: z}]").check(data)


@pytest.mark.parametrize("odd", ["b\0c", "a\0c"], ids=ascii)
@pytest.mark.parametrize(
    "form", [pl.DataFrame, pa.table, lambda data: [pa.table(data)], lambda data: iter([pl.DataFrame(data)])]
)
def test_names_of_arrow_that_end_at_a_nul(integers, form, odd):
    """NUL ends names in Arrow, so that two names may become equal, and Polars would abort the process."""
    result = integers.check(form({"id": ["1", "x"], odd: ["z", "z"]}))
    assert [finding.record for finding in result] == [2]
    with pytest.raises(assay.AssayError, match="no column is named 'id'"):
        integers.check(form({"id\0": ["1"]}))


def test_series_whose_name_has_a_nul():
    assert assay.Pattern("a").match(pl.Series("b\0c", ["a", "b"])).to_list() == [True, False]


@pytest.mark.parametrize(
    "data",
    [
        {1: ["x"], "1": ["1"]},
        {1: pa.array(["x"]), "1": ["1"]},
        [{1: "x"}, {"1": "1"}],
        pd.DataFrame([["x", "1"]], columns=[1, "1"]),
    ],
    ids=lambda data: type(data).__name__,
)
def test_keys_that_become_the_same_name(data):
    message = r"the column '1' occurs more than once \(columns 1, 2\), and the rules name it"
    with pytest.raises(assay.AssayError, match=message):
        assay.Rules.parse("fields: [{name: '1', type: integer}]").check(data)
    # Duplicate names are allowed if no rule uses the name.
    others = [{**row, "a": "1"} for row in data] if isinstance(data, list) else {**data, "a": ["1"]}
    assert assay.Rules.parse("fields: [{name: a}]").check(others).ok


@pytest.mark.parametrize(
    "data", [pd.DataFrame(index=[1, 2, 3]), [{}, {}, {}], pa.table({"a": [1, 2, 3]}).select([])], ids=str
)
def test_rows_without_columns(data):
    result = assay.Rules.parse("fieldsMatch: superset\nfields: [{name: a}]").check(data)
    assert (result.report.records, result.report.clean) == (3, 3)
    assert len(result.mask) == 3 and len(result.clean) == 3 and len(result.rejected) == 0
    with pytest.raises(assay.AssayError, match="no column is named 'a'"):
        assay.Rules.parse("fields: [{name: a}]").check(data)


def test_dicts_of_pandas_that_make_no_struct():
    with pytest.raises(
        TypeError,
        match="the rules refer to members of column 'a', but pyarrow cannot convert its values to structs .*: convert"
    ):
        NESTED.check(pd.DataFrame({"a": [{"b": 1}, {"b": "x"}]}))


@pytest.mark.parametrize(
    "data",
    [
        pd.Index(["1"]),
        pd.Series(["1"]),
        pl.Series(["1"]),
        pa.array(["1"]),
        pa.chunked_array([["1"]]),
        np.array(["1"]),
        [pd.Series(["1"])],
    ],
    ids=lambda data: f"{type(data).__module__}.{type(data).__name__}",
)
def test_columns_are_no_tables(integers, data):
    name = type(data[0] if isinstance(data, list) else data).__name__
    with pytest.raises(TypeError) as caught:
        integers.check(data)
    assert f"{name} is not a table that assay can read" in str(caught.value)
    assert str(caught.value).endswith('; to check one column, call check_column("name", column)')
    assert isinstance(data, pd.Index) or integers.check_column("id", data).ok


def test_structs_are_tables(integers):
    structs = pa.array([{"id": "1"}, {"id": "x"}])
    for data in (structs, pa.chunked_array([structs]), pl.Series([{"id": "1"}, {"id": "x"}])):
        assert [finding.record for finding in integers.check(data)] == [2]


def test_subclasses(integers):
    class Frame(pd.DataFrame):
        pass

    frame = Frame({"id": ["1", "x"], "other": [1, "a"]}, index=["a", "b"])
    assert list(integers.check(frame).clean.index) == ["a"]

    class Series(np.ndarray):
        pass

    assert assay.Pattern("1").match(np.array(["1", "x"]).view(Series)).tolist() == [True, False]


def test_numpy():
    digits = assay.Pattern(r"\d+")
    matched = digits.match(np.array(["1", "x", "é"]))
    assert matched.dtype == bool and matched.tolist() == [True, False, False]
    assert digits.match(np.array(["1", None], object)).tolist() == [True, None]
    assert digits.match(np.array([b"1", b"x"])).tolist() == [True, False]
    assert digits.match(np.array([1, 23])).tolist() == [True, True]
    result = assay.Rules.parse("fields: [{name: id, type: integer}]").check_column("id", np.array(["1", "x"]))
    assert result.mask.tolist() == [True, False] and result.clean.tolist() == ["1"]
    assert result.findings[0]["message"] == "is not an integer"
    with pytest.raises(TypeError, match="numpy.ndarray is not a column that assay can read: .*; tolist.. converts it"):
        digits.match(np.array([["1"]]))


def test_lazy_frames(integers):
    import assay.polars  # noqa: F401

    frame = pl.LazyFrame({"id": ["1", "x"]})
    assert frame.assay.check(integers, threads=1).mask.to_list() == [True, False]
    assert integers.check(frame).mask.to_list() == [True, False]
    with pytest.raises(TypeError, match=r"a LazyFrame has no rows yet: collect\(\) it"):
        assay.Rules.parse("fields: [{name: id, repair: [trim]}]").repair(frame)


def test_flags_with_a_compiled_pattern():
    import assay.duckdb
    import assay.polars  # noqa: F401

    pattern = assay.Pattern("a")
    for call in (
        lambda: assay.duckdb.register(duckdb.connect(), "m", pattern, case_insensitive=True),
        lambda: pl.col("id").assay.matches(pattern, case_insensitive=True),
    ):
        with pytest.raises(TypeError, match="case_insensitive: a compiled pattern has its flags already"):
            call()
    frame = pl.DataFrame({"id": ["A", "b"]})
    assert frame.select(pl.col("id").assay.matches("a", case_insensitive=True))["id"].to_list() == [True, False]
    with pytest.raises(TypeError, match="unexpected keyword argument 'case_insensitiv'"):
        pl.col("id").assay.matches("a", case_insensitiv=True)
