"""Rules on the whole table: checked for files, refused for tables in memory, ignored for single records."""

import json

import assay
import pytest

RULES = assay.Rules.parse("""
fields: [{name: id, type: integer}, {name: amount, type: number}]
table:
  - {id: enough, check: count() >= 3, message: too few}
  - {id: mean, check: mean(amount) < 5.0, severity: warn}
""")


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("id,amount\n1,2.5\n2,\nx,1\n")
    return file


def test_a_file(path):
    result = RULES.check(path)
    assert [(rule["id"], rule["verdict"]) for rule in result.table_rules] == [("enough", "failed"), ("mean", "passed")]
    assert result.table_rules[0]["aggregates"] == [{"name": "count()", "value": "2"}]
    assert result.report.records == 3 and not result.passes
    assert result.to_dict()["table"] == result.table_rules
    assert "Rules on the table" in result.to_html()


@pytest.mark.parametrize("rows, passes", [(2, False), (3, True)])
def test_passes(tmp_path, rows, passes):
    file = tmp_path / "t.csv"
    file.write_text("id,amount\n" + "1,2\n" * rows)
    result = RULES.check(file)
    assert result.ok and result.passes == passes


def test_clean_reports_them(path, tmp_path):
    report = RULES.clean(path, clean=tmp_path / "good.csv", rejects=tmp_path / "bad.csv")
    assert [rule["verdict"] for rule in report["table"]] == ["failed", "passed"]
    assert (tmp_path / "good.csv").exists()


def tables():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"id": ["1"], "amount": ["2"]})
    yield {"id": ["1"], "amount": ["2"]}
    yield [{"id": 1, "amount": 2}]
    yield table
    yield table.slice(0, 0)
    yield table.to_reader()
    yield table.to_pandas()


def test_tables_in_memory_are_refused():
    for table in tables():
        for call in (RULES.check, RULES.validate):
            with pytest.raises(assay.AssayError, match="rules under 'table' are about the whole table"):
                call(table)


def test_libassay_refuses_them_as_well(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"id": ["1"], "amount": ["2"]}), tmp_path / "t.parquet")
    words = "the rule 'enough' under 'table' is about the whole table"
    with pytest.raises(assay.AssayError, match=words):
        RULES.clean(tmp_path / "t.parquet", clean=tmp_path / "good.parquet")
    with pytest.raises(assay.AssayError, match=words):
        RULES.check_csv("id,amount\n1,2\n")
    assert not (tmp_path / "good.parquet").exists()


def test_single_records_and_columns_ignore_them():
    assert RULES.check_record({"id": 1, "amount": 2}) == []
    assert [finding.rule for finding in RULES.check_record({"id": "x", "amount": 2})] == ["id.type"]
    assert RULES.check_column("id", ["1", "x"]).report.rejected == 1


def test_mistakes():
    with pytest.raises(assay.AssayError) as error:
        assay.Rules.parse("{fields: [{name: id}], table: [{check: sum(id) > 3}]}")
    assert "'sum' needs a column of numbers, and 'id' is string" in str(error.value)


def test_the_rules_are_kept_in_json():
    assert json.loads(RULES.json())["table"][0] == {"id": "enough", "check": "count() >= 3", "message": "too few"}
    assert assay.Rules.parse(RULES.json()).json() == RULES.json()
