"""pyarrow: every layout of a text has the same verdicts."""

import json

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import CLEAN, EMAILS, IDS, RULES_FOUND

import assay

LAYOUTS = {
    "string": lambda values: pa.array(values, pa.string()),
    "large_string": lambda values: pa.array(values, pa.large_string()),
    "string_view": lambda values: pa.array(values, pa.string_view()),
    "binary": lambda values: pa.array([None if v is None else v.encode() for v in values], pa.binary()),
    "large_binary": lambda values: pa.array([None if v is None else v.encode() for v in values], pa.large_binary()),
    "binary_view": lambda values: pa.array([None if v is None else v.encode() for v in values], pa.binary_view()),
    "dictionary": lambda values: pa.array(values, pa.string()).dictionary_encode(),
    "dictionary of int8": lambda values: pa.array(values, pa.dictionary(pa.int8(), pa.large_string())),
    "slice": lambda values: pa.array(["9", None, "8", *values, "7"], pa.string())[3:-1],
    "slice of views": lambda values: pa.array(["9", None, "8", *values, "7"], pa.string_view())[3:-1],
    "runs": lambda values: pc.run_end_encode(pa.array(values, pa.string())),
    "runs of int64": lambda values: pc.run_end_encode(pa.array(values, pa.large_string()), pa.int64()),
    "slice of runs": lambda values: pc.run_end_encode(pa.array(["9", None, None, *values, "7"], pa.string()))[3:-1],
    "slice of a dictionary": lambda values: pa.array(["9", None, "8", *values, "7"]).dictionary_encode()[3:-1],
}


def table(make):
    return pa.table({"id": make(IDS), "email": make(EMAILS), "other": pa.array([[1]] * 5)})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(rules, layout):
    data = table(LAYOUTS[layout])
    result = rules.check(data)
    assert result.mask.to_pylist() == CLEAN
    assert [(f.record, f.rule) for f in result] == RULES_FOUND
    assert result.report.to_dict()["rejected"] == 3
    # The type must be kept, although pyarrow cannot filter views and runs.
    assert result.clean.schema == data.schema
    assert result.clean["id"].to_pylist() == [value for value, kept in zip(data["id"].to_pylist(), CLEAN) if kept]
    assert result.rejected.num_rows == 3


VIEW = pa.string_view()
RUNS = pa.array([2, 5], pa.int32())
#: Columns of types that pyarrow cannot filter, some because they contain a view.
NESTED = [
    pa.array([["a"], None, ["b", "c"], [], ["d"]], pa.list_(VIEW)),
    pa.array([["a"], None, ["b", "c"], [], ["d"]], pa.large_list(VIEW)),
    pa.array([["a"], None, ["b"], ["c"], ["d"]], pa.list_(VIEW, 1)),
    pa.array([{"x": "a"}, None, {"x": "b"}, {"x": None}, {"x": "c"}], pa.struct([pa.field("x", VIEW)])),
    pa.array([[{"x": b"a"}], None, [], [{"x": b"b"}], [None]], pa.list_(pa.struct([("x", pa.binary_view())]))),
    pa.array([[("a", "b")], None, [], [("c", None)], []], pa.map_(VIEW, VIEW)),
    pa.RunEndEncodedArray.from_arrays(RUNS, pa.array(["a", "b"], VIEW)),
    pa.RunEndEncodedArray.from_arrays(RUNS, pa.array([["a"], ["b"]])),
    pa.StructArray.from_arrays([pa.RunEndEncodedArray.from_arrays(RUNS, pa.array([1, 2]))], ["x"]),
]


@pytest.mark.parametrize("column", NESTED, ids=lambda column: str(column.type)[:50])
def test_rows_of_types_that_pyarrow_cannot_filter(rules, column):
    for ids, clean in ((IDS, CLEAN), (["1"] * 5, [True] * 5), (["x"] * 5, [False] * 5)):
        unsliced = pa.table({"id": ids, "email": [None] * 5, "other": column})
        cut = pa.concat_tables([unsliced.slice(0, 2), unsliced.slice(2)])
        for data in (unsliced, cut, unsliced.to_batches()[0]):
            result = rules.check(data)
            assert result.clean.schema == result.rejected.schema == data.schema
            for picked, expected_clean in ((result.clean, True), (result.rejected, False)):
                picked.validate(full=True)
                rows = [row for row, is_clean in zip(data.to_pylist(), clean) if is_clean == expected_clean]
                assert picked.to_pylist() == rows


@pytest.mark.parametrize("chunks", [[0, 5], [0, 2, 2, 5], [0, 1, 2, 3, 4, 5]])
def test_chunks(rules, chunks):
    unsliced = table(LAYOUTS["string_view"])
    data = pa.concat_tables([unsliced.slice(a, b - a) for a, b in zip(chunks, chunks[1:])])
    result = rules.check(data)
    assert result.mask.to_pylist() == CLEAN
    assert [(row["record"], row["rule"]) for row in result.findings.to_pylist()] == RULES_FOUND
    assert result.findings_table(2).num_rows == 2


def test_no_chunks(rules):
    result = rules.check(
        pa.table({"id": pa.chunked_array([], pa.string()), "email": pa.chunked_array([], pa.string())})
    )
    assert result.mask.to_pylist() == [] and result.ok and result.findings.num_rows == 0


def test_record_batch(rules):
    batch = table(LAYOUTS["string"]).to_batches()[0]
    result = rules.check(batch)
    assert isinstance(result.mask, pa.BooleanArray) and result.mask.to_pylist() == CLEAN
    assert isinstance(result.clean, pa.RecordBatch) and result.clean.num_rows == 2
    assert pa.array(result.reasons).to_pylist() == [
        [],
        ["id.type"],
        ["id.required", "email.format"],
        [],
        ["id.required"],
    ]


def test_runs_are_checked_by_the_run():
    values = ["1"] * 5000 + ["x"] * 70 + [None] * 3 + ["2"] * 5000
    runs = pc.run_end_encode(pa.array(values))
    for start, stop in [(0, 10073), (4990, 5080), (5000, 5001), (10072, 10073), (7, 7)]:
        expected = [None if value is None else value != "x" for value in values[start:stop]]
        assert assay.Pattern(r"\d").match(runs[start:stop]).to_pylist() == expected


def test_batches(rules):
    """Tests a list and iterables of batches."""
    batches = table(LAYOUTS["string"]).to_batches(max_chunksize=2)
    for data in (batches, iter(batches), (batch for batch in batches)):
        result = rules.check(data)
        assert result.mask.to_pylist() == CLEAN
        assert [(f.record, f.rule) for f in result] == RULES_FOUND
    assert rules.check(batches).clean.num_rows == 2
    with pytest.raises(TypeError, match="were read once and are gone"):
        rules.check(iter(batches)).clean
    with pytest.raises(TypeError, match="were read once and are gone"):
        rules.check(pa.RecordBatchReader.from_batches(batches[0].schema, batches)).clean
    with pytest.raises(TypeError, match="generator gave str, which is not an Arrow batch"):
        assay.Pattern("a").match(text for text in ["a"])
    assert assay.Pattern(r"\d").match([pa.array(["1"]), pa.array(["x", None])]).to_pylist() == [True, False, None]


@pytest.mark.parametrize("values", [[["1"]], []])
def test_types_that_no_rule_can_check(rules, values):
    data = pa.table({"id": pa.array(values, pa.list_(pa.string())), "email": pa.nulls(len(values))})
    with pytest.raises(assay.AssayError, match=r"column 'id' is of the Arrow type list, which no rule can judge"):
        rules.check(data)


def test_structs():
    rules = assay.Rules.parse("fields: [{name: user.id, type: integer, constraints: {required: true}}]")
    users = pa.array([{"id": "1"}, None, {"id": None}, {"id": "x"}, {"id": "5"}])
    data = pa.table({"user": users})
    assert rules.check(data).mask.to_pylist() == [True, False, False, False, True]
    assert rules.check(data.slice(2)).mask.to_pylist() == [False, False, True]


def test_many_rows_and_threads():
    values = [None if i % 13 == 0 else f"x{i}" if i % 7 == 0 else str(i) for i in range(100_000)]
    expected = [None if v is None else v.isdigit() for v in values]
    pattern = assay.Pattern(r"\d+")
    for make in LAYOUTS.values():
        for threads in (1, 3):
            assert pattern.match(make(values), threads=threads).to_pylist() == expected


def test_long_views_in_many_buffers():
    parts = [pa.array([f"{'7' * 20}{i}", f"{'x' * 5000}", "12"], pa.string_view()) for i in range(12)]
    values = pa.concat_arrays(parts)
    assert assay.Pattern(r"\d+").match(values).to_pylist() == [True, False, True] * 12


def test_unsupported_types():
    rules = assay.Rules.parse("fields: [{name: tags}]")
    with pytest.raises(assay.AssayError, match="the column 'tags' is of the Arrow type list, which no rule can judge"):
        rules.check(pa.table({"tags": [[1]]}))


def test_columns_that_are_not_there(rules):
    with pytest.raises(assay.AssayError, match="no column is named 'email'   did you mean 'emial'") as caught:
        rules.check(pa.table({"id": ["1"], "emial": ["a"]}))
    assert caught.value.faults[0].code == "columns"


def test_invalid_bytes_are_findings(rules):
    data = pa.table({"id": pa.array([b"1", b"\xff"], pa.binary()), "email": pa.array([None, None], pa.string())})
    assert [(f.record, f.column, f.code) for f in rules.check(data)] == [(2, "id", "encoding")]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("missing", [None, [], ["n/a"], ["", "n/a"]])
@pytest.mark.parametrize("values", [["a", "n/a", "b"], ["a", "", "n/a"], ["a", None, "b"], [None, "", "n/a"]])
def test_missing_values(layout, missing, values):
    """Arrow distinguishes null and empty texts; the rules decide which texts are missing."""
    setting = "" if missing is None else f"missingValues: {json.dumps(missing)}\n"
    rules = assay.Rules.parse(setting + "fields: [{name: a, constraints: {required: true}}]")
    absent = [""] if missing is None else missing
    expected = [value is not None and value not in absent for value in values]
    result = rules.check(pa.table({"a": LAYOUTS[layout](values * 2000)}))
    assert result.mask.to_pylist() == expected * 2000
    assert result.report.findings == 2000 * expected.count(False)
