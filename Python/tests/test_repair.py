"""Repairs of tables of every library, and of files."""

import json
import random

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.compute
import pyarrow.parquet
import pytest

import assay
import assay.polars

RULES = assay.Rules.parse("""
fields:
  - {name: id, type: integer, repair: [trim], constraints: {required: true}}
  - {name: name, repair: [trim, {missing: ['-']}, {map: {Bob: Bo}}]}
  - {name: mark, repair: [trim, {default: none}], constraints: {enum: [A, none]}}
rows:
  - {id: other, check: name != mark}
primaryKey: id
""")

GIVEN = {
    "id": [" 1", "2", "2 ", "4", "x "],
    "name": ["Anna", " - ", "Cy", "Bob", None],
    "mark": ["A ", None, "A", "", "A"],
    "note": [" a", "b ", " c", None, ""],
}
REPAIRED = {
    "id": ["1", "2", "2", "4", "x"],
    "name": ["Anna", None, "Cy", "Bo", None],
    "mark": ["A", "none", "A", "none", "A"],
    "note": [" a", "b ", " c", None, ""],
}
#: Records 1, 2 and 4. The third has the key of another record, and the fifth has no number.
CLEAN = {name: [values[row] for row in (0, 1, 3)] for name, values in REPAIRED.items()}
REJECTED = {name: [values[row] for row in (2, 4)] for name, values in GIVEN.items()}
CHANGES = {"id": {"trim": 1}, "name": {"trim": 1, "missing": 1, "map": 1}, "mark": {"trim": 1, "default": 2}}


def contents(data):
    """Converts a table of any library to a dict of lists."""
    if isinstance(data, pandas.DataFrame):
        return {
            name: [None if pandas.isna(value) else value for value in data[name].tolist()] for name in data.columns
        }
    if isinstance(data, polars.DataFrame):
        return data.to_dict(as_series=False)
    if isinstance(data, (pyarrow.Table, pyarrow.RecordBatch)):
        return data.to_pydict()
    if isinstance(data, list):
        return {name: [row[name] for row in data] for name in data[0]}
    return {name: list(values) for name, values in data.items()}


TABLE = pyarrow.table(GIVEN)
TABLES = {
    "dict": GIVEN,
    "rows": [{name: GIVEN[name][row] for name in GIVEN} for row in range(5)],
    "table": TABLE,
    "batch": TABLE.to_batches()[0],
    "chunks": pyarrow.concat_tables([TABLE.slice(0, 2), TABLE.slice(2, 0), TABLE.slice(2)]),
    "large": TABLE.cast(pyarrow.schema([(name, pyarrow.large_string()) for name in GIVEN])),
    "views": TABLE.cast(pyarrow.schema([(name, pyarrow.string_view()) for name in GIVEN])),
    "dictionaries": pyarrow.table({name: TABLE[name].dictionary_encode() for name in GIVEN}),
    "polars": polars.DataFrame(GIVEN),
    "categories of polars": polars.DataFrame(GIVEN).cast(polars.Categorical),
    "pandas": pandas.DataFrame(GIVEN, index=[5, 6, 7, 8, 9]),
    "strings of pandas": pandas.DataFrame(GIVEN).astype("string"),
    "categories of pandas": pandas.DataFrame(GIVEN).astype("category"),
    "arrow of pandas": pandas.DataFrame(GIVEN).astype(pandas.ArrowDtype(pyarrow.string())),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_every_library(kind):
    table = TABLES[kind]
    before = contents(table)
    repaired = RULES.repair(table)
    assert type(repaired) is type(table)
    assert contents(repaired) == REPAIRED
    assert contents(table) == before == GIVEN
    result = RULES.check(table)
    assert contents(result.clean) == CLEAN
    assert contents(result.rejected) == REJECTED
    assert result.changes == CHANGES
    # A second repair makes no changes, and the repaired table has the same verdicts.
    assert contents(RULES.repair(repaired)) == REPAIRED
    assert list(RULES.check(repaired)) == list(result)


@pytest.mark.parametrize("kind", ["table", "batch", "large", "views", "dictionaries", "polars", "categories of polars"])
def test_types_stay(kind):
    table = TABLES[kind]
    assert RULES.repair(table).schema == table.schema


def test_index_and_types_of_pandas_stay():
    for kind in ("pandas", "strings of pandas", "arrow of pandas"):
        repaired = RULES.repair(TABLES[kind])
        assert list(repaired.index) == list(TABLES[kind].index)
        assert list(repaired.dtypes) == list(TABLES[kind].dtypes)
    frame = TABLES["categories of pandas"]
    known = set(frame["mark"].cat.categories)
    assert known < set(RULES.repair(frame)["mark"].cat.categories) == known | {"none"}


def test_unchanged_data_is_returned():
    rules = assay.Rules.parse("fields: [{name: a, repair: [trim]}]")
    table = pyarrow.table({"a": ["x", None]})
    assert rules.repair(table) is table
    frame = polars.DataFrame({"a": ["x", None]})
    assert rules.repair(frame) is frame
    plain = assay.Rules.parse("fields: [{name: a}]")
    assert plain.repair(GIVEN) is GIVEN
    assert plain.check({"a": [" x"]}).changes == {}


NUMBERS = assay.Rules.parse("""
fields:
  - name: price
    type: number
    constraints: {maximum: 2}
    repair: [{canonical: {decimalChar: ',', groupChar: '.'}}, {default: '1'}]
""")


@pytest.mark.parametrize(
    "table",
    [
        pyarrow.table({"price": [1.234, None]}),
        polars.DataFrame({"price": [1.234, None]}),
        pandas.DataFrame({"price": [1.234, None]}),
        {"price": numpy.array([1.234, 0.5])},
    ],
    ids=lambda table: type(table).__module__,
)
def test_numbers_are_left_alone(table):
    result = NUMBERS.check(table)
    assert result.ok
    repaired = NUMBERS.repair(table)
    assert contents(repaired) == contents(table)
    assert result.changes == {"price": {"canonical": 0, "default": 0}}


def test_text_of_numbers_is_repaired():
    assert NUMBERS.repair({"price": ["1.234,5", None, 7]}) == {"price": ["1234.5", "1", 7]}
    assert [finding.record for finding in NUMBERS.check({"price": ["1.234,5", "0,5"]})] == [1]


def test_columns():
    assert RULES.repair_column("name", [" Bob", b" - ", b" \xff", None]) == ["Bo", None, b" \xff", None]
    assert RULES.repair_column("name", ("Bob",)) == ("Bo",)
    array = pyarrow.array(["Bob", None])
    assert RULES.repair_column("name", array).to_pylist() == ["Bo", None]
    assert RULES.repair_column("name", pyarrow.chunked_array([array])).type == pyarrow.string()
    assert RULES.repair_column("name", polars.Series("x", ["Bob"])).equals(polars.Series("x", ["Bo"]), check_names=True)
    series = pandas.Series(["Bob", None], index=[3, 4], name="x")
    assert RULES.repair_column("name", series).equals(pandas.Series(["Bo", None], index=[3, 4], name="x"))
    assert list(RULES.repair_column("name", numpy.array(["Bob ", "Al"]))) == ["Bo", "Al"]
    result = NUMBERS.check_column("price", pyarrow.array(["1,5", "2,5", None]))
    assert result.clean.to_pylist() == ["1.5", "1"] and result.rejected.to_pylist() == ["2,5"]
    assert result.changes == {"price": {"canonical": 1, "default": 1}}
    with pytest.raises(KeyError, match="the rules have no field 'x'; they have id, name, mark"):
        RULES.repair_column("x", [])


def test_null_columns_are_filled():
    rules = assay.Rules.parse("fields: [{name: a, repair: [{default: x}], constraints: {enum: [x]}}]")
    for table in (
        pyarrow.table({"a": pyarrow.nulls(2)}),
        polars.DataFrame({"a": [None, None]}),
        pandas.DataFrame({"a": [None, None]}),
        {"a": [None, None]},
    ):
        assert rules.check(table).ok
        assert contents(rules.repair(table)) == {"a": ["x", "x"]}


def test_columns_of_structs():
    rules = assay.Rules.parse("fields: [{name: user.name, repair: [trim, {default: nobody}]}]")
    users = [{"name": " Anna", "age": 3}, None, {"name": None, "age": 4}]
    repaired = [{"name": "Anna", "age": 3}, None, {"name": "nobody", "age": 4}]
    table = pyarrow.table({"user": users})
    assert rules.repair(table).to_pydict() == {"user": repaired}
    assert rules.repair(table).schema == table.schema
    assert rules.repair(table.slice(1)).to_pydict() == {"user": repaired[1:]}
    assert rules.check(table).clean.to_pydict() == {"user": repaired}
    for column in (table["user"], table["user"].combine_chunks(), polars.Series("user", users)):
        for made in rules.repair({"user": column})["user"], rules.check({"user": column}).clean["user"]:
            assert list(polars.Series(made)) == repaired
    with pytest.raises(TypeError, match="have repairs, which are of columns"):
        rules.repair({"user": pandas.Series(users)})
    frame = polars.DataFrame({"user": users})
    assert rules.repair(frame).to_dict(as_series=False) == {"user": repaired}
    with pytest.raises(TypeError, match="the fields in column 'user' have repairs, which are of columns"):
        rules.repair(pandas.DataFrame({"user": users}))


def test_fixed_categories():
    kind = polars.Enum([" A", "A", "B"])
    frame = polars.DataFrame({"mark": polars.Series([" A", "B"], dtype=kind)})
    repaired = RULES.repair(frame)
    assert repaired["mark"].to_list() == ["A", "B"] and repaired["mark"].dtype == kind
    frame = frame.with_columns(mark=polars.Series([None, "B"], dtype=kind))
    repaired = RULES.repair(frame)
    assert repaired["mark"].to_list() == ["none", "B"] and repaired["mark"].dtype == polars.String


def test_types_that_queries_of_polars_have_after_repairs():
    """A query must know the types before it reads a value."""
    rules = assay.Rules.parse("fields: [{name: v, repair: [trim, {default: x}]}]")
    for values, kind in [
        (polars.Series([None, None]), polars.String),
        (polars.Series(["a", None], dtype=polars.Enum(["a"])), polars.String),
        (polars.Series(["a"], dtype=polars.Enum(["a"])), polars.String),
        (polars.Series(["a", None], dtype=polars.Enum(["a", "x"])), polars.Enum(["a", "x"])),
        (polars.Series(["a", None], dtype=polars.Categorical), polars.Categorical),
        (polars.Series([1, None]), polars.Int64),
    ]:
        frame = polars.DataFrame({"v": values, "w": 1})
        for query in (frame.lazy().assay.repair(rules), frame.lazy().assay.clean(rules)):
            assert query.collect_schema()["v"] == kind and query.collect().schema == query.collect_schema()
            assert query.collect()["v"].to_list() == rules.repair(frame)["v"].to_list()
        assert rules.repair({"v": values})["v"].dtype == rules.repair(frame)["v"].dtype


def test_arrays_of_numpy():
    rules = assay.Rules.parse("fields: [{name: v, repair: [trim, {missing: [N/A]}]}]")
    string = numpy.dtypes.StringDType
    for given, kind, repaired in [
        (numpy.array([" 1", "2"]), "U", ["1", "2"]),
        (numpy.array(["N/A", " 1"]), "O", [None, "1"]),
        (numpy.array([b"N/A", b" 1"]), "O", [None, b"1"]),
        (numpy.array([" 1"], string()), "T", ["1"]),
        (numpy.array(["N/A", " 1"], string()), "O", [None, "1"]),
        (numpy.array(["N/A", None, " 1"], string(na_object=None)), "T", [None, None, "1"]),
    ]:
        for found in (rules.repair({"v": given})["v"], rules.repair_column("v", given)):
            assert found.dtype.kind == kind and found.tolist() == repaired
    given = numpy.array(["N/A", " 1"], string(na_object=numpy.nan))
    found = rules.repair_column("v", given)
    assert found.dtype == given.dtype and numpy.isnan(found[0]) and found[1] == "1"


@pytest.mark.parametrize(("narrow", "count", "wide"), [("int8", 128, "int16"), ("uint8", 256, "uint16")])
def test_dictionaries_that_are_full(narrow, count, wide):
    rules = assay.Rules.parse("fields: [{name: v, repair: [{default: x}]}]")
    places = pyarrow.array([*range(count), None], narrow)
    array = pyarrow.DictionaryArray.from_arrays(places, pyarrow.array([f"c{place}" for place in range(count)]))
    contents = rules.repair_column("v", array)
    assert contents.type == pyarrow.dictionary(wide, pyarrow.string())
    assert contents.to_pylist()[-2:] == [f"c{count - 1}", "x"]
    # All chunks have the same type.
    chunks = pyarrow.chunked_array([array.slice(0, 1), array, array.slice(count)])
    table = rules.check(pyarrow.table({"v": chunks})).clean
    assert table["v"].type == contents.type and table["v"].to_pylist() == ["c0", *contents.to_pylist(), "x"]
    assert rules.repair_column("v", array.slice(1)).type == array.type


def test_runs():
    runs = pyarrow.RunEndEncodedArray.from_arrays([2, 3], pyarrow.array([" x", "y"]))
    rules = assay.Rules.parse("fields: [{name: a, repair: [trim]}]")
    repaired = rules.repair(pyarrow.table({"a": runs}))
    assert repaired["a"].type == runs.type and repaired["a"].to_pylist() == ["x", "x", "y"]
    assert rules.check(pyarrow.table({"a": runs})).changes == {"a": {"trim": 2}}


def test_values_that_rows_share():
    """Dictionaries and runs are repaired per value, with the same result as per row."""
    rules = assay.Rules.parse(
        "fields: [{name: a, repair: [unquote, trim, {missing: [N]}, {map: {b: B}}, {default: z}], constraints: {enum: "
        "[B, x, z]}}]")
    words = [" b", "b", "N", "x ", " ''", "y", "", None]
    for seed in range(20):
        chance = random.Random(seed)
        values = [chance.choice(words) for _ in range(chance.choice([0, 1, 70, 5_000]))]
        plain = pyarrow.array(values, pyarrow.string())
        forms = [plain.dictionary_encode(), plain.dictionary_encode("encode"), pyarrow.compute.run_end_encode(plain)]
        # Unused values, some of them duplicates, and more than there are rows.
        spare = [*words, *words, *(f" {number}" for number in range(chance.choice([0, 100])))]
        places = [spare.index(value) + chance.choice([0, len(words)]) for value in values]
        forms.append(pyarrow.DictionaryArray.from_arrays(pyarrow.array(places, pyarrow.int32()), pyarrow.array(spare)))
        expected = rules.check_column("a", plain)
        repaired = rules.repair_column("a", plain).to_pylist()
        for form in forms:
            for array in (form, form.slice(len(form) // 3)):
                start = len(form) - len(array)
                assert rules.repair_column("a", array).to_pylist() == repaired[start:]
                result = rules.check_column("a", array)
                assert result.mask.to_pylist() == expected.mask.to_pylist()[start:]
                if start == 0:
                    assert result.changes == expected.changes


def test_batches_and_queries():
    rules = assay.Rules.parse("fields: [{name: a, repair: [trim], constraints: {maxLength: 1}}]")
    batches = [pyarrow.record_batch({"a": [" x", "yy"]}), pyarrow.record_batch({"a": ["z "]})]
    assert [batch.to_pydict() for batch in rules.repair(batches)] == [{"a": ["x", "yy"]}, {"a": ["z"]}]
    assert [batch.to_pydict() for batch in rules.repair(iter(batches))] == [{"a": ["x", "yy"]}, {"a": ["z"]}]
    assert rules.check(batches).clean.to_pydict() == {"a": ["x", "z"]}
    reader = pyarrow.RecordBatchReader.from_batches(batches[0].schema, batches)
    assert rules.repair(reader).read_all().to_pydict() == {"a": ["x", "yy", "z"]}
    frames = [pandas.DataFrame({"a": [" x"]}), pandas.DataFrame({"a": ["y "]})]
    assert [frame["a"].tolist() for frame in rules.repair(frames)] == [["x"], ["y"]]
    assert rules.check(frames).clean["a"].tolist() == ["x", "y"]
    relation = duckdb.sql("SELECT unnest([' x', 'yy']) AS a")
    assert rules.repair(relation).to_pydict() == {"a": ["x", "yy"]}
    assert rules.check(relation).clean.to_pydict() == {"a": ["x"]}
    lazy = polars.LazyFrame({"a": [" x", "yy"]})
    assert lazy.assay.repair(rules).collect()["a"].to_list() == ["x", "yy"]
    assert lazy.assay.clean(rules).collect()["a"].to_list() == ["x"]
    assert lazy.collect().assay.repair(rules)["a"].to_list() == ["x", "yy"]
    with pytest.raises(TypeError, match=r"use lf\.assay\.repair\(rules\)"):
        rules.repair(lazy)
    with pytest.raises(TypeError, match="str is not a table that assay can read"):
        rules.repair("users.csv")


def test_files(tmp_path):
    table = pyarrow.table(GIVEN)
    pyarrow.parquet.write_table(table, tmp_path / "users.parquet")
    report = RULES.clean(tmp_path / "users.parquet", annotate=False)
    assert pyarrow.parquet.read_table(tmp_path / "users.clean.parquet").to_pydict() == CLEAN
    assert pyarrow.parquet.read_table(tmp_path / "users.rejects.parquet").to_pydict() == REJECTED
    counts = {
        column["name"]: {repair["name"]: repair["changed"] for repair in column["repairs"]}
        for column in report["columns"]
    }
    assert counts == CHANGES
    assert [column["missing"] for column in report["columns"]] == [0, 2, 0]
    with pytest.raises(assay.AssayError, match="the changes of Parquet files are counted in the report"):
        RULES.clean(tmp_path / "users.parquet", changes=tmp_path / "changes.csv", replace=True)

    (tmp_path / "people.csv").write_text("id,name,mark\n 1,Anna,A\n2,Bob,A\n x,Cy,A\n")
    report = assay.clean(tmp_path / "people.csv", RULES, changes=tmp_path / "people.changes.jsonl")
    assert (tmp_path / "people.clean.csv").read_text() == "id,name,mark\n1,Anna,A\n2,Bo,A\n"
    changes = [json.loads(line) for line in (tmp_path / "people.changes.jsonl").read_text().splitlines()]
    assert [(change["record"], change["column"]) for change in changes] == [(1, "id"), (2, "name")]
    assert [column["repairs"] for column in report["columns"]][:1] == [[{"name": "trim", "changed": 1}]]


def test_fields_that_may_not_be_null(tmp_path):
    schema = pyarrow.schema([pyarrow.field("a", pyarrow.string(), nullable=False)])
    table = pyarrow.table({"a": ["x", "-"]}, schema=schema)
    rules = assay.Rules.parse("fields: [{name: a, repair: [{missing: ['-']}]}]")
    assert rules.repair(table).schema.field("a").nullable
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    rules.clean(tmp_path / "a.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "a.clean.parquet").to_pydict() == {"a": ["x", None]}


PIECES = ["", " ", "a", "B", "\u00e4", "a\u0308", "\ufb01", "'", '"', "-", "N/A", "\u200b", "\u0663", "1", "\x01",
          "\u00a0", "\n", "x" * 40]
EVERY = [
    "trim", "collapse", "upper", "lower", "nfc", "nfkc", "strip-control", "ascii-digits", "unquote",
    "{missing: ['-', N/A]}", "{map: {a: b, '1': '2'}}", "{default: none}", "{replace: '[aB]+', with: o}",
]  # fmt: skip


def test_tables_and_files_agree(tmp_path):
    """Compares the cells of a file, whose repairs have other tests, with each memory layout."""
    random = numpy.random.default_rng(25)
    for lists in ([[repair] for repair in EVERY], [list(random.permutation(EVERY)[:4]) for _ in range(8)]):
        names = [f"c{number}" for number in range(len(lists))]
        fields = "".join(
            f"  - {{name: {name}, repair: [{', '.join(one)}]}}\n" for name, one in zip(names, lists)
        )
        rules = assay.Rules.parse(f"fields:\n{fields}")
        rows = 5000
        cells = {
            name: ["".join(random.choice(PIECES, random.integers(1, 4))) for _ in range(rows)] for name in names
        }
        table = pyarrow.table(cells)
        pandas.DataFrame(cells).to_csv(tmp_path / "t.csv", index=False, quoting=1, lineterminator="\n")
        report = rules.clean(tmp_path / "t.csv", replace=True)
        expected = pandas.read_csv(tmp_path / "t.clean.csv", dtype=str, keep_default_na=False)
        expected = {name: expected[name].tolist() for name in names}
        counts = {
            column["name"]: {repair["name"]: repair["changed"] for repair in column["repairs"]}
            for column in report["columns"]
        }
        assert report["inputs"][0]["clean"] == rows
        views = pyarrow.schema([(name, pyarrow.string_view()) for name in names])
        encoded = pyarrow.table({name: table[name].dictionary_encode() for name in names})
        for given in (table, table.cast(views), encoded, polars.DataFrame(cells), pandas.DataFrame(cells), cells):
            result = rules.check(given)
            found = contents(result.clean)
            assert {name: ["" if value is None else value for value in found[name]] for name in names} == expected
            assert result.changes == counts
            assert contents(rules.repair(result.clean)) == found


def test_polars_without_pyarrow(monkeypatch):
    def missing(purpose):
        raise ImportError(purpose)

    frame = TABLES["polars"].with_columns(note=polars.col("note").cast(polars.Binary))
    monkeypatch.setattr("assay._frames.pyarrow_for", missing)
    assert contents(RULES.repair(frame).drop("note")) == {name: REPAIRED[name] for name in ("id", "name", "mark")}
    rules = assay.Rules.parse("fields: [{name: note, repair: [trim]}]")
    without = rules.repair(frame)["note"]
    monkeypatch.undo()
    assert without.equals(rules.repair(frame)["note"]) and without.to_list() == [b"a", b"b", b"c", None, b""]


def test_values_that_stay_are_counted():
    rules = assay.Rules.parse(
        "{fields: [{name: a, repair: [unquote, trim, {map: {x: xxxxx}}]}], limits: {field-bytes: 4}}")
    result = rules.check({"a": ["'b'", " ''", "x"]})
    assert result.changes == {"a": {"unquote": 1, "trim": 0, "map": 0}}
    assert result.unsettled == {"a": 1}
    assert rules.repair({"a": ["'b'", " ''", "x"]}) == {"a": ["b", " ''", "x"]}


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_threads_agree(threads):
    values = [[" Anna", "Bo ", None, "Cy", "-"][row % 5] for row in range(200_000)]
    values[:70_000] = ["Bo"] * 70_000  # the first part has no changes
    expected = [None if value in (None, "-") else value.strip() for value in values]
    rules = assay.Rules.parse("fields: [{name: a, repair: [trim, {missing: ['-']}]}]")
    assert rules.repair({"a": values}, threads=threads)["a"] == expected
    assert rules.repair(pyarrow.table({"a": values}), threads=threads)["a"].to_pylist() == expected
    views = pyarrow.array(values).cast(pyarrow.string_view())
    assert rules.repair_column("a", views, threads=threads).to_pylist() == expected
    for kind in object, "string", pandas.ArrowDtype(pyarrow.string()):
        series = rules.repair_column("a", pandas.Series(values, dtype=kind), threads=threads)
        assert series.dtype == kind and [None if pandas.isna(value) else value for value in series] == expected
    with pytest.raises(ValueError, match="threads is -1; it is 0 or more"):
        rules.repair({"a": values}, threads=-1)


def test_objects_of_pandas_that_stay_are_the_same():
    class Text(str):
        pass

    given = pandas.Series([Text("a"), None, float("nan"), pandas.NA, " b", "-"], dtype=object)
    rules = assay.Rules.parse("fields: [{name: a, repair: [trim, {missing: ['-']}]}]")
    repaired = rules.repair_column("a", given)
    assert [new is old for new, old in zip(repaired, given)] == [True, True, True, True, False, False]
    assert repaired.tolist()[4:] == ["b", None]
    mixed = pandas.Series([" a", 1, b" b", "\ud800 "], dtype=object)
    assert rules.repair_column("a", mixed).tolist() == ["a", 1, b"b", "\ud800 "]
