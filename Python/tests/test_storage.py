"""Columns whose values differ from their Arrow storage: extension types, DuckDB types that Arrow lacks, 128-bit
integers."""

import uuid

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assay
import assay.duckdb


class Unknown:
    """A table of an unknown library."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__()


def ruled(field, name="v"):
    return assay.Rules.parse(f"fields: [{{name: {name}, {field}}}]")


def stored(kind, values, storage):
    return pa.ExtensionArray.from_storage(kind, pa.array(values, storage))


# -- Extension types of Arrow

FLAGS = stored(pa.bool8(), [1, 0, 5, None], pa.int8())
OPAQUE = stored(pa.opaque(pa.binary(), "bignum", "DuckDB"), [b"\x80\x00\x01\x05"], pa.binary())
PERIODS = pa.array(pd.period_range("2024", periods=1, freq="D"))
BOOLEAN = "type: boolean, trueValues: [ja], falseValues: [nein], constraints: {enum: [ja]}"


@pytest.mark.parametrize("name", ["v", "s.v"])
@pytest.mark.parametrize("form", ["table", "batch", "batches", "reader", "struct", "dict", "unknown"])
def test_bool8_is_a_boolean(name, form):
    table = pa.table({"v": pa.chunked_array([FLAGS[:2], FLAGS[2:]]), "w": [1, 2, 3, 4]})
    if name == "s.v":
        table = pa.table({"s": table.to_struct_array().combine_chunks()})
    data = {
        "table": table,
        "batch": table.combine_chunks().to_batches()[0],
        "batches": iter(table.to_batches()),
        "reader": table.to_reader(),
        "struct": table.to_struct_array(),
        "dict": {one: table[one] for one in table.column_names},
        "unknown": Unknown(table),
    }[form]
    assert [(one.record, one.rule) for one in ruled(BOOLEAN, name).check(data)] == [(2, f"{name}.enum")]


def test_bool8_is_returned_unchanged():
    table = pa.table({"v": FLAGS})
    assert ruled(BOOLEAN).check(table).clean.equals(table.take([0, 2, 3]))
    assert ruled(BOOLEAN).check_column("v", FLAGS).mask.to_pylist() == [True, False, True, True]


def test_parquet_has_extension_types(tmp_path):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"v": FLAGS}), path)
    report = ruled("type: boolean, missingValues: ['0']").clean(path)
    assert (report["inputs"][0]["clean"], report["columns"][0]["missing"]) == (4, 1)


@pytest.mark.parametrize(
    ("array", "shown"),
    [
        (OPAQUE, "extension<arrow.opaque[storage_type=binary, type_name=bignum, vendor_name=DuckDB]>"),
        (stored(pa.opaque(pa.int64(), "money", "me"), [5], pa.int64()),
         "extension<arrow.opaque[storage_type=int64, type_name=money, vendor_name=me]>"),
        (pa.array([uuid.UUID(int=5).bytes], pa.uuid()), "extension<arrow.uuid>"),
        (PERIODS, f"{PERIODS.type}"),
    ],
)
def test_unreadable_types_are_refused(array, shown):
    table = pa.table({"v": array, "w": ["1"]})
    for check in (lambda: ruled("type: integer").check(table), lambda: ruled("type: integer").check_column("v", array),
                  lambda: assay.profile(table)):
        with pytest.raises(assay.AssayError) as caught:
            check()
        cast = ': CAST("v" AS VARCHAR)' if "DuckDB" in shown else ""
        assert str(caught.value) == (
            f"the column 'v' is of the Arrow type {shown}, which no rule can judge\n"
            f"  hint: leave the column out of the rules, or convert it to text first{cast}"
        )
    assert ruled("type: integer", "w").check(table).ok


def test_stored_values_of_other_records():
    """JSON and opaque database numbers are stored as text; unknown extension types are treated as their storage."""
    json = stored(pa.json_(), ['{"a": 1}', "{"], pa.string())
    assert ruled("format: json").check(pa.table({"v": json})).mask.to_pylist() == [True, False]
    number = stored(pa.opaque(pa.string(), "numeric", "PostgreSQL"), ["1.5", "x"], pa.string())
    assert ruled("type: number").check(pa.table({"v": number})).mask.to_pylist() == [True, False]
    own = pa.field("v", pa.int64(), metadata={"ARROW:extension:name": "example.cents"})
    assert ruled("type: integer, constraints: {maximum: 6}").check(
        pa.table([pa.array([5, 7])], pa.schema([own]))).mask.to_pylist() == [True, False]
    shape = pa.field("v", pa.binary(), metadata={"ARROW:extension:name": "geoarrow.wkb"})
    with pytest.raises(assay.AssayError, match="the column 'v' is of the Arrow type extension<geoarrow.wkb>, which no "
                                               "rule can judge"):
        ruled("type: string").check(pa.table([pa.array([b"\x01"])], pa.schema([shape])))


# -- DuckDB

#: An SQL value, a field that accepts it, and its text.
DUCKDB = [
    ("5::BIGNUM", "type: integer", "5"),
    ("'-123456789012345678901234567890123456789012345'::BIGNUM", "type: integer",
     "-123456789012345678901234567890123456789012345"),
    ("'101'::BIT", "pattern: '[01]+'", "101"),
    ("340282366920938463463374607431768211455::UHUGEINT", "type: integer", str(2**128 - 1)),
    ("'7e6bbf7c-6a5f-4b29-9a3d-94c0bf2f04d2'::UUID", "format: uuid", "7e6bbf7c-6a5f-4b29-9a3d-94c0bf2f04d2"),
    ("'12:00:00+02'::TIMETZ", "format: time", "12:00:00+02:00"),
    ("'12:00:00.5-03:30'::TIMETZ", "format: time", "12:00:00.5-03:30"),
]


@pytest.mark.parametrize(("sql", "field", "text"), DUCKDB)
@pytest.mark.parametrize("lossless", [False, True])
def test_types_of_duckdb_that_arrow_lacks_are_texts(sql, field, text, lossless):
    connection = duckdb.connect()
    connection.execute(f"SET arrow_lossless_conversion = {lossless}")
    field = field if field.startswith("type") else f"constraints: {{{field}}}" if "pattern" in field else field
    relation = connection.sql(f"SELECT {sql} AS v UNION ALL SELECT NULL ORDER BY v")
    result = ruled(field).check(relation)
    assert result.ok and result.clean["v"].to_pylist() == [text, None]
    inside = connection.sql(
        f"""SELECT {{'a b': {{'it''s': {sql}, 'n': 1}}, 'm': 2}} AS s, 3 AS k, 4 AS k UNION ALL SELECT NULL, 5, 6""")
    result = ruled(field, '"s.a b.it\'s"').check(inside)
    assert result.ok and result.clean.column_names == ["s", "k", "k"]
    assert result.clean["s"].to_pylist() == [{"a b": {"it's": text, "n": 1}, "m": 2}, None]
    assert assay.infer(relation).rules.check(relation).ok


def test_repairs_of_duckdb_that_arrow_lacks():
    rules = ruled("repair: [{map: {'101': '5'}}], constraints: {enum: ['5']}")
    bits = duckdb.sql("SELECT '101'::BIT AS v")
    assert rules.check(bits).clean["v"].to_pylist() == rules.repair(bits)["v"].to_pylist() == ["5"]


def test_keys_of_duckdb_that_arrow_lacks():
    rules = assay.Rules.parse(
        "{fields: [{name: v}], foreignKeys: [{fields: v, reference: {resource: bits, fields: v}}]}")
    bits = duckdb.sql("SELECT '101'::BIT AS v")
    assert rules.check({"v": ["101", "100"]}, references={"bits": bits}).mask == [True, False]


def test_duckdb_functions_report_their_arguments():
    connection = duckdb.connect()
    assay.duckdb.register(connection, "check_users", ruled("type: integer"))
    hint = (r"write check_users\(u\) where u is the alias of the table, or check_users\(struct_pack\(id := …, email := "
            r"…\)\)")
    for call, shown in [("check_users(u, u)", "2 arguments"), ("check_users(u.v)", "a value of the Arrow type int32")]:
        with pytest.raises(duckdb.Error, match=f"check_users takes one argument, a row, and was given {shown}: {hint}"):
            connection.sql(f"SELECT {call} FROM (SELECT 1 AS v) u").fetchall()
    with pytest.raises(duckdb.Error, match=r'convert it to text first: CAST\("v" AS VARCHAR\)'):
        connection.sql("SELECT check_users(u) FROM (SELECT 5::BIGNUM AS v) u").fetchall()


# -- Polars

INTEGER = "type: integer, constraints: {minimum: -5}"


@pytest.mark.parametrize("kind", [pl.Int128, pl.UInt128])
@pytest.mark.parametrize("maximum", [10**38 - 1, 10**38])
def test_integers_of_128_bits(kind, maximum):
    minimum = 3 if kind == pl.UInt128 else -6
    frame = pl.DataFrame({"v": pl.Series([7, None, maximum, minimum], dtype=kind)})
    mask = [True, True, True, kind == pl.UInt128]
    rules = ruled(INTEGER)
    assert rules.check(frame).mask.to_list() == rules.check(frame.lazy()).mask.to_list() == mask
    assert rules.check(frame).clean.equals(frame.filter(mask))
    assert rules.check_column("v", frame["v"]).mask.to_list() == mask
    structs = frame.select(s=pl.struct("v"))
    assert ruled(INTEGER, "s.v").check(structs).mask.to_list() == mask
    assert rules.check(frame.to_struct()).mask.to_list() == mask
    assert ruled(f"type: integer, constraints: {{maximum: {maximum - 1}}}").check(frame).mask.to_list() == [
        True, True, False, True]
    assert assay.profile(frame)["v"]["type"]["type"] == "integer"
