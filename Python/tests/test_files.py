"""Checks of files, datasets and scanners, and reports of results."""

import csv
import json
import pathlib

import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from conftest import CLEAN, EMAILS, IDS, RULES, RULES_FOUND

import assay

TABLE = pa.table({"id": IDS, "email": EMAILS})
KEYED = RULES + """
  - {name: n, type: integer, rules: [{maximum: 2, severity: warn}]}
rows: [{id: late, check: n < 5}]
primaryKey: n
thresholds: {rejected: 80%, rules: {id.type: 0}}
"""
NUMBERS = [1, 2, 3, 1, 9]


def counts(result):
    """Returns the counts of rules with findings."""
    found = [one for one in result.report.rules if one.failed + one.undecided]
    return sorted((one.column or "", one.rule, one.severity, one.failed, one.undecided) for one in found)


@pytest.fixture
def files(tmp_path):
    """Returns the paths of one table in all formats."""
    table = TABLE.append_column("n", pa.array(NUMBERS))
    pq.write_table(table, tmp_path / "t.parquet")
    pq.write_table(table.slice(0, 2), tmp_path / "part-1.parquet")
    pq.write_table(table.slice(2), tmp_path / "part-2.parquet")
    with open(tmp_path / "t.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        writer.writerows(zip(*(column.to_pylist() for column in table.columns)))
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    return tmp_path, table


def test_rules_without_findings_have_their_column_and_severity(tmp_path):
    rules = assay.Rules.parse("""
fields: [{name: n, type: integer, constraints: {unique: true}, rules: [{maximum: 100, severity: warn}]}]
rows: [{id: late, check: n < 50, severity: warn}]
primaryKey: n
""")
    (tmp_path / "t.csv").write_text("n\n1\n2\n")
    expected = {("n", "n.type", "reject"), ("n", "n.maximum", "warn"), (None, "late", "warn"),
                ("n", "n.unique", "reject"), ("n", "primaryKey", "reject")}
    for checked in tmp_path / "t.csv", {"n": ["1", "2"]}:
        assert expected <= {(one.column, one.rule, one.severity) for one in rules.check(checked).report.rules}


def test_files_have_the_findings_of_tables(files):
    folder, table = files
    rules = assay.Rules.parse(KEYED + "types: text\n")
    expected = rules.check(table)
    assert not expected.passes
    sources = {
        "csv": str(folder / "t.csv"),
        "json": folder / "t.jsonl",
        "parquet": folder / "t.parquet",
        "pattern": str(folder / "part-*.parquet"),
        "list": [folder / "part-1.parquet", str(folder / "part-2.parquet")],
        "dataset": ds.dataset(folder / "t.parquet"),
        "scanner": ds.dataset(folder / "t.parquet").scanner(columns=["id", "email", "n"]),
        "in memory": ds.dataset(table),
    }
    for name, source in sources.items():
        result = assay.check(source, rules)
        assert repr(result) == repr(expected), name
        found = [(one.record, one.column, one.rule, one.message.partition(" (line")[0]) for one in result]
        assert found == [(one.record, one.column, one.rule, one.message) for one in expected], name
        assert counts(result) == counts(expected), name
        measured = [(one["of"], one["name"], one["measured"], one["exceeded"]) for one in result.thresholds]
        assert measured == [(one["of"], one["name"], one["measured"], one["exceeded"]) for one in expected.thresholds]
        assert (result.ok, result.passes, result.over_budget) == (False, False, 0)
        assert [one.rule for one in result.first(2)] == [one.rule for one in expected.first(2)]
        assert result.explain(2, values=False) == expected.explain(2, values=False)
        assert len(result.findings) == len(expected.findings)
        for read in (lambda: result.clean, lambda: result.rejected):
            with pytest.raises(TypeError, match="are not kept: Rules.clean"):
                read()
    result = assay.check(folder / "t.csv", rules)
    assert [one.line for one in result] == [one["line"] for one in result.findings] and result.findings[0]["line"] == 3
    for read in (lambda: result.mask, lambda: result.reasons, lambda: result.changes,
                 lambda: result.findings_table(values=True), lambda: result.values_of(list(result))):
        with pytest.raises(TypeError, match="are not kept: Rules.clean"):
            read()
    assert assay.check(folder / "t.parquet", rules).mask.to_pylist() == expected.mask.to_pylist()


def test_malformed_files(tmp_path, rules):
    (tmp_path / "t.csv").write_bytes(b"id,email\n1\n2,\xff\n3,\n")
    result = rules.check(tmp_path / "t.csv")
    assert counts(result) == [("", "encoding", "reject", 1, 0), ("", "structure.fields", "reject", 1, 0)]
    assert (result.report.records, result.report.rejected) == (3, 2)
    with pytest.raises(assay.AssayError, match="no such file|No such file"):
        rules.check("missing.csv")
    (tmp_path / "t.xlsx").write_bytes(b"")
    with pytest.raises(ValueError, match="pandas.read_excel"):
        rules.check(tmp_path / "t.xlsx")
    field = assay.Field("id").check(lambda column: [True] * len(column), "no")
    with pytest.raises(TypeError, match="checks in Python"):
        assay.Rules.of(field).check(tmp_path / "t.csv")


def test_references_and_budgets_of_files(tmp_path):
    rules = assay.Rules.parse("""
fields: [{name: user}]
foreignKeys: [{fields: user, reference: {resource: users.csv, fields: id}}]
""")
    (tmp_path / "t.csv").write_text("user\na\nb\n")
    references = {"users.csv": {"id": ["a"]}}
    with pytest.raises(assay.AssayError, match="references= is for tables, datasets and Parquet files"):
        rules.check(tmp_path / "t.csv", references=references)
    pq.write_table(pa.table({"user": ["a", "b"]}), tmp_path / "t.parquet")
    result = rules.check(tmp_path / "t.parquet", references=references)
    assert counts(result) == [("user", "foreignKeys.1", "reject", 1, 0)]
    (tmp_path / "users.csv").write_text("id\na\n")
    (tmp_path / "rules.json").write_text(rules.json())
    assert counts(assay.check(tmp_path / "t.csv", tmp_path / "rules.json")) == counts(result)
    pattern = assay.Rules.parse("fields: [{name: user, constraints: {pattern: '(a+)+$'}}]")
    result = pattern.check(tmp_path / "t.csv", budget=assay.Budget(seconds=0.0000001))
    assert result.over_budget == result.report.rejected


def test_validate_of_files(files):
    folder, table = files
    good, warned = assay.Rules.parse(RULES), assay.Rules.parse("fields: [{name: n, type: integer}]")
    for source in (folder / "t.csv", str(folder / "t.parquet"), ds.dataset(table)):
        assert assay.validate(source, warned) is source
        with pytest.raises(assay.ValidationError, match="3 of 5 records are rejected"):
            assay.validate(source, good, what="users")
        tolerant = assay.Rules.parse(RULES + "thresholds: {rejected: 60%}\n")
        with pytest.raises(TypeError, match="are not kept: Rules.clean"):
            assay.validate(source, tolerant)
    assert assay.validate({"n": [1]}, {"fields": [{"name": "n", "type": "integer"}]}) == {"n": [1]}


def test_reports_of_results(files, misfits):
    folder, table = files
    rules = assay.Rules.parse(KEYED)
    for make in (lambda data: data, pl.from_arrow, lambda data: data.to_pydict()):
        result = rules.check(make(table))
        page = result.to_html()
        assert "<title>a table of" in page and "80.00 % rejected" in page and "at most 80%" in page
        assert all(rule in page for rule in ("id.type", "late", "primaryKey")) and "anna@example.org" not in page
        result.save(folder / "r.html", replace=True)
        assert (folder / "r.html").read_text() == page
        result.save(folder / "r.json", replace=True)
        assert json.loads((folder / "r.json").read_text()) == result.to_dict()
        assert result.to_dict()["thresholds"][0]["measured"] == 4
    with pytest.raises(FileExistsError):
        result.save(folder / "r.html")
    with pytest.raises(ValueError, match="a .html or a .json file, and not 'r.txt'"):
        result.save("r.txt")
    hostile = assay.Rules.parse({"fields": [{"name": "<b>\u202e", "rules": [{"id": "<i>&", "pattern": "a"}]}]})
    page = hostile.check({"<b>\u202e": ["b"] * 60}).to_html()
    assert "<b>" not in page and "<i>" not in page and "\u202e" not in page and "and 10 more" in page
    assert page.count("<tr><td") == 1 + 50
    assert "0 of 0 records" in hostile.check({"<b>\u202e": []}).to_html()
    # Reports of files are those of the command.
    result = rules.check(folder / "t.csv")
    assert not misfits(result.to_dict(), "report") and "<!DOCTYPE html>" in result.to_html()
    for name in ("f.html", "f.md", "f.sarif", "f.junit.xml", "f.json"):
        result.save(folder / name)
        with pytest.raises(FileExistsError, match="exists already: replace it with replace=True"):
            result.save(folder / name)
        result.save(pathlib.Path(folder / name), replace=True)
        assert (folder / name).stat().st_size > 100
