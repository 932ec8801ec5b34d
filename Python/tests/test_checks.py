"""Checks that are Python functions, and functions whose tables are checked."""

import pickle

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import assay

DATA = {"id": ["1", "2", "x", None], "email": ["a@b.org", "c@d.org", "a@b.org", "bo"]}


def odd(values):
    # pandas 3 uses NaN for missing texts.
    return [isinstance(value, str) and value.isdigit() and int(value) % 2 == 1 for value in values]


RULES = assay.Rules.of(
    assay.Field("id").type("integer").check(odd, "is even"),
    assay.Field("email").format("email").check(lambda values: [v != "c@d.org" for v in values], "is gone", id="gone",
                                               severity="warn"),
    thresholds={"rules": {"gone": 0}},
)
FOUND = [(2, "id.odd", "is even", "reject"), (2, "gone", "is gone", "warn"),
         (3, "id.type", "is not an integer", "reject"),
         (4, "email.format", "is not an e-mail address: there is no @", "reject")]


def as_rows(data):
    return [dict(zip(data, values)) for values in zip(*data.values())]


@pytest.mark.parametrize("make", [dict, as_rows, pl.DataFrame, pd.DataFrame], ids=["dict", "rows", "polars", "pandas"])
def test_findings_of_checks_are_like_other_findings(make):
    table = make(DATA)
    result = RULES.check(table)
    assert sorted((f.record, f.rule, f.message, f.severity) for f in result) == sorted(FOUND)
    assert list(result.mask) == [True, False, False, False]
    assert [sorted(why) for why in result.reasons] == [[], ["gone", "id.odd"], ["id.type"], ["email.format"]]
    assert type(result.clean) is type(table) and result.report.clean == 1
    assert result.thresholds[0]["measured"] == 1 and result.thresholds[0]["exceeded"]
    counts = {count.rule: count.failed for count in result.report.rules}
    assert counts["id.odd"] == counts["gone"] == 1 and not [name for name in counts if name.startswith("assay_check")]
    assert "id.odd" in repr(result)
    if make is not as_rows:
        assert list(result.clean) == list(table) if make is dict else list(result.clean.columns) == list(table.columns)


def test_checks_get_columns_of_their_library():
    seen = []

    def see(values):
        seen.append(type(values))
        return [True] * len(values)

    rules = assay.Rules.of(assay.Field("id").check(see, "no"))
    for table in (pa.table(DATA), pa.record_batch(DATA), pl.DataFrame(DATA), pd.DataFrame(DATA, index=[7, 7, 8, 9]),
                  DATA, as_rows(DATA)):
        assert rules.check(table).ok
    assert seen == [pa.ChunkedArray, pa.StringArray, pl.Series, pd.Series, list, list]
    # Null, NA and NaN make no statement, in any form of answers.
    short = {"id": ["a", "bb", "c"]}
    for table, function in (
        (pa.table(short), lambda values: pc.equal(pc.utf8_length(values), 1)),
        (pl.DataFrame(short), lambda values: values.str.len_chars() == 1),
        (pd.DataFrame(short, index=[3, 3, 5]), lambda values: values.str.len() == 1),
        (pa.table(short), lambda values: pa.array([None, False, True])),
        (short, lambda values: [float("nan"), False, True]),
    ):
        result = assay.Rules.of(assay.Field("id").check(function, "is long")).check(table)
        assert [(f.record, f.column, f.rule) for f in result] == [(2, None, "id.check")]


def test_checks_with_keys_rows_and_repairs():
    rules = assay.Rules.of(
        assay.Field("a b").repair("trim").unique().check(lambda values: [v != "z" for v in values], "is z"),
        rows=[{"id": "short", "check": 'size(row["a b"]) < 3'}],
        fieldsMatch="exact",
    )
    result = rules.check({"a b": ["x ", "x", "z", "long", None]})
    assert result.reasons == [[], ["a b.unique"], ["a b.check"], ["short"], []]
    assert result.clean == {"a b": ["x", None]} and rules.fields == ["a b"]
    assert [f.rule
            for f in rules.check_record({"a b": "z"})] == ["a b.check"] and rules.check_record({"a b": "y"}) == []
    with pytest.raises(assay.ValidationError, match=r"a b.check  1  is z \(record 1\)"):
        rules.validate({"a b": ["z"]})


@pytest.mark.parametrize(
    "make, function",
    [
        (lambda data: pa.table(data), lambda ids: pc.greater(ids.cast(pa.int64()), 1)),
        (lambda data: pa.record_batch(data), lambda ids: pc.greater(ids.cast(pa.int64()), 1)),
        (lambda data: pa.concat_tables([pa.table(data).slice(0, 2), pa.table(data).slice(2)]),
         lambda ids: pc.greater(ids.cast(pa.int64()), 1)),
        (lambda data: pa.table({"id": pa.array(data["id"]).dictionary_encode()}),
         lambda ids: pc.greater(ids.cast(pa.string()).cast(pa.int64()), 1)),
        (pl.DataFrame, lambda ids: ids.cast(pl.Int64) > 1),
        (lambda data: pd.DataFrame(data, index=[3, 3, 5, 7, 9]), lambda ids: ids.astype(float) > 1),
        (dict, lambda ids: [None if value is None else int(value) > 1 for value in ids]),
        (as_rows, lambda ids: [None if value is None else int(value) > 1 for value in ids]),
    ],
)
def test_checks_get_valid_values(make, function):
    """A function that converts the values of a column works although the column has invalid values."""
    field = assay.Field("id").type("integer").unique().check(function, "is small", id="small")
    result = assay.Rules.of(field).check(make({"id": ["1", "q", "2", None, "2"]}))
    assert [(found.record, found.rule) for found in result] == [(1, "small"), (2, "id.type"), (5, "id.unique")]


def test_checks_of_types_without_if_else():
    table = pa.table({"id": pa.array(["1", "q"], pa.string_view())})
    rules = assay.Rules.of(assay.Field("id").type("integer").check(lambda ids: [len(id.as_py()) > 1 for id in ids],
                                                                   "is small", id="small"))
    assert [(found.record, found.rule) for found in rules.check(table)] == [(1, "small"), (2, "id.type")]


def test_checks_of_rows():
    seen = []

    def rise(table):
        """Whether the email is longer than the id."""
        seen.append(type(table))
        if isinstance(table, list):
            table = {name: [row[name] for row in table] for name in table[0]}
        ids, emails = (column.to_pylist() if isinstance(column, (pa.Array, pa.ChunkedArray)) else list(column)
                       for column in (table["id"], table["email"]))
        return [None if email is None else len(str(id)) < len(email) for id, email in zip(ids, emails)]

    rules = assay.Rules.of(
        assay.Field("id").type("integer").check(lambda ids: [str(id) != "4" for id in ids], "is 4", id="four"),
        assay.RowCheck(rise, "is not longer"),
        assay.RowCheck(lambda table: [len(table) > 0] * 4, "is empty", id="some", severity="warn"),
    )
    data = {"id": ["1", "22222", "4", "x"], "email": ["ab", "a", "abc", None]}
    expected = [(2, None, "rise", "reject"), (3, None, "four", "reject"), (4, "id", "id.type", "reject")]
    for table in (pa.table(data), pa.record_batch(data), pl.DataFrame(data), pd.DataFrame(data, index=[7, 7, 8, 9]),
                  data, as_rows(data)):
        result = rules.check(table)
        assert sorted((f.record, f.column, f.rule, f.severity) for f in result) == expected, type(table)
        assert len(result.clean) == (2 if isinstance(table, dict) else 1)
    assert seen == [pa.Table, pa.RecordBatch, pl.DataFrame, pd.DataFrame, dict, list]
    one = assay.Rules.of(assay.Field("id"), assay.RowCheck(rise, "is not longer"))
    assert one.fields == ["id"] and [f.rule for f in one.check_record({"id": "22222", "email": "a"})] == ["rise"]
    assert one.check_record({"id": "2", "email": "ab", "more": [1]}) == []
    with pytest.raises(ValueError, match="the check 'rise' gave 1 answers for 2 rows"):
        assay.Rules.of(assay.RowCheck(lambda table: [True], "no", id="rise")).check({"id": ["1", "2"]})
    with pytest.raises(TypeError, match="a check is a function of a table, not str"):
        assay.RowCheck("rise", "no")
    with pytest.raises(TypeError, match="which need whole columns, but polars.*LazyFrame has no columns"):
        rules.check(pl.LazyFrame(data))
    one = assay.RowCheck(rise, "no")
    assert one == assay.RowCheck(rise, "no") != assay.RowCheck(rise, "yes") and repr(one) == "<assay.RowCheck rise>"
    assert assay.Rules.of(one) == assay.Rules.parse({"fields": [one]})


def test_checks_that_cannot_run():
    rules = assay.Rules.of(assay.Field("id").check(lambda values: [True], "no"))
    with pytest.raises(ValueError, match="the check 'id.check' gave 1 answers for 2 values"):
        rules.check({"id": ["a", "b"]})
    with pytest.raises(assay.AssayError, match="no column is named 'id'"):
        rules.check({"x": ["a"]})
    with pytest.raises(TypeError, match="a check is a function of a column, not str"):
        assay.Field("id").check("odd", "no")
    for call in (
        lambda: rules.check(iter([pa.table({"id": ["a"]})])),
        lambda: rules.check(pl.LazyFrame({"id": ["a"]})),
    ):
        with pytest.raises(TypeError, match="the rules have checks in Python, which need whole columns, but"):
            call()
    for call in (
        lambda: rules.check_csv("id\na\n"),
        lambda: rules.clean("a.csv"),
        lambda: rules.check_column("id", ["a"]),
        lambda: rules.repair({"id": ["a"]}),
        lambda: rules.json(),
        lambda: pickle.dumps(rules),
    ):
        with pytest.raises(TypeError, match="the rules have checks in Python, which are asked of tables in memory"):
            call()
    field = assay.Field("id").check(odd, "no")
    assert field == assay.Field("id").check(odd, "no") != assay.Field("id") and field.required() != field
    assert assay.Rules.of(field) == assay.Rules.of(field) != assay.Rules.of(assay.Field("id"))


def test_checked_functions():
    calls = []

    @assay.checked({"fields": [{"name": "n", "type": "integer", "repair": ["trim"]}]}, users=RULES)
    def numbers(users, factor=1, *, n=None):
        """What it says."""
        calls.append(users)
        return {"n": n or [" 1"] * factor}

    assert numbers({"id": ["1"], "email": [None]}) == {"n": ["1"]} and numbers.__doc__ == "What it says."
    assert numbers(users=None, factor=2) == {"n": ["1", "1"]} and calls[-1] is None
    with pytest.raises(assay.ValidationError,
                       match="the argument 'users' of numbers: 3 of 4 records are rejected") as error:
        numbers(DATA)
    assert error.value.result.report.rejected == 3 and len(calls) == 2
    with pytest.raises(assay.ValidationError, match="what numbers returned: 1 of 1 record is rejected|what numbers "
                                                    "returned: 1 of 1 records is"):
        numbers(None, n=["x"])
    with pytest.raises(TypeError, match="first has no argument 'other': table"):

        @assay.checked(other=RULES)
        def first(table): ...

    @assay.checked(values=True, table=RULES)
    def second(table):
        return 7

    assert second(pl.DataFrame({"id": ["1"], "email": [None]})) == 7
    with pytest.raises(assay.ValidationError, match="'x' is not an integer"):
        second({"id": ["x"], "email": [None]})
