"""`validate` and `checked`: the type and the identity of the returned table, thresholds, queries and coroutines."""

import asyncio
import inspect

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay

GOOD = {"id": ["1", "2"], "name": ["a", "b"]}
BAD = {"id": ["1", "x"], "name": ["a", "b"]}
RULES = assay.Rules.parse("fields: [{name: id, type: integer}]")
REPAIRING = assay.Rules.parse("fields: [{name: id, type: integer, repair: [trim]}]")
TOLERANT = assay.Rules.parse("{fields: [{name: id, type: integer}], thresholds: {rejected: 50%}}")

TABLES = {
    "pyarrow": pa.table,
    "batch": pa.record_batch,
    "struct": lambda data: pa.table(data).to_struct_array(),
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "series": lambda data: pl.DataFrame(data).to_struct("s"),
    "pandas": pd.DataFrame,
    "dict": dict,
    "rows": lambda data: [dict(zip(data, values)) for values in zip(*data.values())],
    "frames": lambda data: [pl.DataFrame(data)],
    "reader": lambda data: pa.table(data).to_reader(),
    "iterator": lambda data: iter(pa.table(data).to_batches()),
    "generator": lambda data: (frame for frame in [pd.DataFrame(data)]),
}


def ids(table):
    """Returns the ids of a table of any library."""
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    if isinstance(table, pa.RecordBatchReader):
        table = table.read_all()
    if hasattr(table, "__next__"):
        return [value for part in table for value in ids(part)]
    if isinstance(table, list):
        return [value for part in table for value in ([part["id"]] if isinstance(part, dict) else ids(part))]
    if isinstance(table, pl.Series):
        table = table.struct.unnest()
    if isinstance(table, pa.ChunkedArray):
        table = pa.Table.from_struct_array(table)
    values = table["id"]
    return values.to_pylist() if hasattr(values, "to_pylist") else list(values)


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_the_type_stays(make):
    kind = type(make(GOOD))
    is_iterator = hasattr(make(GOOD), "__next__") and not kind.__module__.startswith("pyarrow")
    for rules, data, expected in (
        (RULES, GOOD, ["1", "2"]),
        (REPAIRING, GOOD, ["1", "2"]),
        (REPAIRING, {"id": [" 1", "2 "], "name": ["a", "b"]}, ["1", "2"]),
        (TOLERANT, BAD, ["1"]),
    ):
        table = make(data)
        valid = rules.validate(table)
        if data is GOOD and not is_iterator and not isinstance(table, (pa.RecordBatchReader, pl.LazyFrame)):
            assert valid is table
        if isinstance(table, pl.LazyFrame):
            assert (valid is table) == (rules is RULES)
        if is_iterator:
            assert hasattr(valid, "__next__")
        elif not (isinstance(table, list) and data is not GOOD):
            assert isinstance(valid, kind)
        assert ids(valid) == expected
        with pytest.raises(assay.ValidationError, match=r"1 of 2 records is rejected"):
            RULES.validate(make(BAD))


def test_relations_become_tables():
    users = pa.table(GOOD)
    valid = RULES.validate(duckdb.sql("FROM users"))
    assert isinstance(valid, pa.Table) and valid.equals(users)


def test_a_clean_table_is_not_copied():
    table, frame = pa.table(GOOD), pl.DataFrame(GOOD)
    assert RULES.check(table).clean is table
    assert REPAIRING.check(table).clean is table
    clean = RULES.check(frame).clean
    clean.insert_column(0, pl.Series("new", [1, 2]))
    assert frame.columns == ["id", "name"]


@pytest.mark.parametrize(
    "thresholds, passes",
    [
        ("{rejected: 50%}", True),
        ("{rejected: 1}", True),
        ("{rejected: 49%}", False),
        ("{rejected: 0}", False),
        # Other thresholds do not permit rejected rows.
        ("{columns: {id: 50%}}", False),
        ("{records: {min: 1}}", False),
        ("{rejected: 50%, records: {min: 3}}", False),
        ("{rejected: 50%, rules: {id.type: 0}}", False),
    ],
)
def test_thresholds(tmp_path, thresholds, passes):
    rules = assay.Rules.parse(f"{{fields: [{{name: id, type: integer}}], thresholds: {thresholds}}}")
    for make in (pa.table, pl.LazyFrame, dict):
        table = make(BAD)
        assert rules.check(table).passes == passes and not rules.check(table).ok
        if passes:
            assert ids(rules.validate(table)) == ["1"]
        else:
            with pytest.raises(assay.ValidationError):
                rules.validate(table)
    assert rules.check_column("id", ["1", "x"]).passes is False
    assert rules.check({"id": ["1", "2", "3"]}).passes


def test_queries_keep_references_and_keys():
    rules = assay.Rules.parse("""
fields: [{name: id, constraints: {unique: true}}, {name: user}]
foreignKeys: [{fields: user, reference: {resource: users.csv, fields: id}}]
thresholds: {rejected: 70%}
""")
    query = pl.LazyFrame({"id": ["1", "1", "2"], "user": ["a", "a", "b"]})
    valid = rules.validate(query, references={"users.csv": {"id": ["a"]}})
    assert valid.collect().rows() == [("1", "a")]


def test_checked_coroutines():
    @assay.checked(RULES, users=REPAIRING)
    async def load(users, wrong=False):
        """Loads users."""
        await asyncio.sleep(0)
        return pl.LazyFrame(BAD if wrong else users)

    assert inspect.iscoroutinefunction(load) and load.__doc__ == "Loads users."
    assert asyncio.run(load({"id": [" 1"], "name": ["a"]})).collect().rows() == [("1", "a")]
    with pytest.raises(assay.ValidationError, match="what load returned: 1 of 2 records is rejected"):
        asyncio.run(load(GOOD, wrong=True))
    with pytest.raises(assay.ValidationError, match="the argument 'users' of load: 1 of 2 records is rejected"):
        asyncio.run(load(BAD))
