"""Profiles and inferred rules of tables of every library equal those of a file with the same values."""

import datetime
import decimal
import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
import pytest

import assay

ROWS = 300
DATA = {
    "id": list(range(1, ROWS + 1)),
    "mail": [None if n % 7 == 0 else f"user{n}@example.org" for n in range(ROWS)],
    "share": [n / 4 for n in range(ROWS)],
    "kind": ["new, used"[n % 2 :: 2] for n in range(ROWS)],
    "note": ['say "hi"\nthere' if n % 5 == 0 else f"text number {n}" for n in range(ROWS)],
}


def tables():
    table = users = pa.table(DATA)
    rows = [dict(zip(DATA, values)) for values in zip(*DATA.values())]
    return {
        "pyarrow": table,
        "batch": table.combine_chunks().to_batches()[0],
        "batches": table.to_batches(max_chunksize=70),
        "views": table.set_column(1, "mail", table["mail"].cast(pa.string_view())),
        "dictionary": table.set_column(3, "kind", table["kind"].dictionary_encode()),
        "polars": pl.DataFrame(DATA),
        "query": pl.LazyFrame(DATA),
        "categories": pl.DataFrame(DATA).with_columns(pl.col("kind").cast(pl.Categorical)),
        "pandas": pd.DataFrame(DATA, index=range(5, ROWS + 5)),
        "frames": [pd.DataFrame(DATA)[:100], pd.DataFrame(DATA)[100:]],
        "dict": DATA,
        "arrays": DATA | {"id": np.array(DATA["id"]), "kind": pd.Series(DATA["kind"])},
        "dicts": rows,
        "duckdb": duckdb.sql("SELECT * FROM users"),
    }


def columns(profile):
    return profile.to_dict()["columns"]


@pytest.fixture(scope="module")
def in_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("file") / "table.csv"
    pa.csv.write_csv(pa.table(DATA).set_column(2, "share", pa.array([f"{n:g}" for n in DATA["share"]])), path)
    return path


@pytest.mark.parametrize("kind", tables())
def test_a_profile_is_that_of_a_file(kind, in_file):
    profile = assay.profile(tables()[kind], values=True)
    expected = columns(assay.profile(in_file, values=True))
    for one, other in zip(columns(profile), expected):
        # Of a file 0.25 is 0.25; of a table it is 0.25, and 3.0 is 3.
        assert one == other, one["name"]
    assert profile.records == len(profile) * 60 == ROWS and list(profile) == profile.columns == list(DATA)
    assert profile.likely_key == "id" and profile["mail"]["missing"] == DATA["mail"].count(None)


def test_profiles_report_the_format(in_file, misfits, tmp_path):
    pyarrow.parquet.write_table(pa.table(DATA), tmp_path / "table.parquet")
    for source, format, delimiter in ((in_file, "csv", ","), (tmp_path / "table.parquet", "arrow", None),
                                      (DATA, "arrow", None)):
        found = assay.profile(source).to_dict()
        assert (found["format"], found["delimiter"]) == (format, delimiter)
        assert misfits(found, "profile") == []


@pytest.mark.parametrize("kind", tables())
def test_rules_that_are_inferred_pass_the_table(kind):
    inferred = assay.infer(tables()[kind])
    rules = inferred.rules
    assert inferred.text.splitlines()[1] == f"# {ROWS} of {ROWS} records (100 %) pass all rules:"
    assert rules.check(tables()[kind]).ok
    fields = {field["name"]: field for field in json.loads(rules.json())["fields"]}
    assert (fields["id"]["type"], fields["mail"]["format"], fields["share"]["type"]) == ("integer", "email", "number")
    assert str(inferred) == inferred.text and "<pre># Rules" in inferred._repr_html_()
    assert repr(inferred) == f"<assay.Inferred {ROWS} of {ROWS} records (100 %) pass all rules:>"


def test_types_of_columns():
    day, noon = datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12)
    table = pa.table(
        {
            "whole": pa.array([1.0, 2.0, None]),
            "decimal": pa.array([decimal.Decimal("1.50"), decimal.Decimal("2.00"), None]),
            "day": pa.array([day, day, None]),
            "noon": pa.array([noon, noon, None]),
            "flag": pa.array([True, False, None]),
            "runs": pa.array(["a@b.org", "a@b.org", "c@d.org"]),
            "nulls": pa.nulls(3),
        }
    )
    runs = pc.run_end_encode(table["runs"])
    for given in (table, table.set_column(5, "runs", runs)):
        profile = assay.profile(given)
        kinds = [profile[name]["type"]["format"] or profile[name]["type"]["type"] for name in given.column_names]
        assert kinds == ["integer", "number", "date", "datetime", "boolean", "email", "string"]
        assert assay.infer(given).rules.check(given).ok


def test_files(tmp_path, in_file):
    path = tmp_path / "table.parquet"
    pa.parquet.write_table(pa.table(DATA), path, row_group_size=70)
    assert columns(assay.profile(path)) == columns(assay.profile(pa.table(DATA)))
    assert assay.infer(path).rules.fields == list(DATA)
    lines = tmp_path / "table.jsonl"
    lines.write_text('{"id": 1, "user": {"name": "Anna"}}\n{"id": 2}\n')
    assert assay.profile(lines).columns == ["id", "user.name"]
    semicolons = tmp_path / "odd.csv"
    semicolons.write_text("id|n,m\n1|2\n")
    assert assay.Rules.parse("{dialect: {delimiter: '|'}, fields: []}").profile(semicolons).columns == ["id", "n,m"]
    inferred = assay.infer(in_file)
    assert f"#   assay check {in_file} --rules THIS-FILE\n" in inferred.text
    with pytest.raises(assay.AssayError, match="cannot open .*none.csv: No such file or directory"):
        assay.infer(tmp_path / "none.csv")


def test_looks():
    profile = assay.profile({"<b>": ["x", "x"], "n": [1, 5]})
    assert repr(profile) == ("2 records, 2 columns\n  <b>  string      0 missing  1 different\n"
                             "  n    integer     0 missing  2 different  1 to 5")
    assert profile._repr_html_() == (
        "<table><caption>2 records, 2 columns</caption><thead><tr><th>column</th><th>type</th><th>missing</th><th>diff"
        "erent</th><th>range</th></tr></thead><tbody><tr><td>&lt;b&gt;</td><td>string</td><td "
        "style='text-align:right'>0</td><td style='text-align:right'>1</td><td></td></tr><tr><td>n</td><td>integer</td"
        "><td style='text-align:right'>0</td><td style='text-align:right'>2</td><td>1 to 5</td></tr></tbody></table>"
    )
    wide = assay.profile({f"c{n}": ["a"] for n in range(50)})
    assert repr(wide).endswith("\n  and 10 columns more") and "and 10 columns more" in wide._repr_html_()
    with pytest.raises(KeyError, match="there is no column 'm'; there are <b>, n"):
        profile["m"]
    assert "top" not in profile["n"] and "top" in assay.profile({"n": [1]}, values=True)["n"]


def test_unreadable_inputs():
    batches = pa.table(DATA).to_batches(max_chunksize=100)
    assert assay.profile(iter(batches)).records == ROWS
    assert assay.profile(pa.RecordBatchReader.from_batches(batches[0].schema, batches)).records == ROWS
    for once in (iter(batches), pa.RecordBatchReader.from_batches(batches[0].schema, batches)):
        with pytest.raises(TypeError, match="can be read only once, but must be read more than once: make a table "
                                            "first"):
            assay.infer(once)
    for wrong, says in [
        (7, "int is not a table that assay can read"),
        ([], "the list is empty, so that it has no columns"),
        (iter([]), "gave no batch, so that it has no columns"),
        (["a.csv", "b.csv"], "only Parquet files are cleaned as one table"),
    ]:
        with pytest.raises((TypeError, ValueError), match=says):
            assay.profile(wrong)
    with pytest.raises(assay.AssayError, match="(?s)the column 'a' is of the Arrow type list.*leave the column out of "
                                               "the table"):
        assay.profile(pa.table({"a": [[1]]}))

    def broken():
        yield batches[0]
        raise RuntimeError("no more")

    with pytest.raises(assay.AssayError, match="(?s)the stream could not give a batch.*no more"):
        assay.profile(pa.RecordBatchReader.from_batches(batches[0].schema, broken()))

    class Raises:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("not today")

        num_rows = 3

    with pytest.raises(RuntimeError, match="not today"):
        assay.profile(Raises())
    calls = []
    assert assay.profile(pa.table(DATA), progress=lambda done, total: calls.append((done, total))) and calls


def test_a_file_in_another_encoding(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(("id;name\n" + "".join(f"{n};{'Müller-Lüdenscheidt' if n % 3 else 'Anna'}\n" for n in range(90))
                      + "7\n").encode("windows-1252"))
    found = assay.profile(path)
    assert repr(found).splitlines()[:3] == [
        "91 records, 2 columns",
        "  left out: 1 malformed, 60 not UTF-8, first record 2",
        "  those that are not UTF-8 look like windows-1252: encoding='windows-1252'",
    ]
    caption = "<caption>91 records, 2 columns; left out: 1 malformed, 60 not UTF-8, first record 2; "
    assert caption in found._repr_html_()
    read = assay.profile(path, encoding="windows-1252", delimiter=";")
    assert [read["name"]["values"], read.to_dict()["notUTF8"], read.to_dict()["encoding"]] == [90, 0, "windows-1252"]
    assert repr(read).splitlines()[1] == "  left out: 1 malformed, first record 91"
    inferred = assay.infer(path, encoding="windows-1252", delimiter=";")
    assert "  encoding: windows-1252\n" in inferred.text and inferred.rules.fields == ["id", "name"]
    assert assay.profile(path, encoding="windows-1252", delimiter="|").columns == ["id;name"]
    with pytest.raises(TypeError, match="encoding: only for a file, and this is a table"):
        assay.profile({"a": [1]}, encoding="utf-8")
