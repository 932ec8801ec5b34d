"""Fields are paths into records, with the same verdicts at every entry point."""

import csv
import io
import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROOT

import assay
import assay.duckdb
from assay._paths import FieldPath, column_of, inside, keys_of, opened

CASES = json.loads((ROOT / "Tests/Records/paths.json").read_text())


def members(records):
    """Returns all keys of some records, in the order of their first occurrence."""
    return list(dict.fromkeys(key for record in records for key in record))


def arrow(records):
    return pa.table({key: pa.array([record.get(key) for record in records]) for key in members(records)})


def flat(record, before=""):
    """Returns the values of a record by column name, without values that have no distinct name."""
    found = {}
    for key, value in record.items():
        if isinstance(value, dict):
            found = {**flat(value, opened(before, key)), **found}
        else:
            found[inside(before, key)] = value
    return found


def verdicts(result):
    return [value.as_py() if isinstance(value, pa.Scalar) else bool(value) for value in result.mask]


def verdicts_of_csv(rules, records):
    rows = [flat(record) for record in records]
    names = [name for name in members(rows) if any(isinstance(row.get(name), str) for row in rows)]
    text = io.StringIO()
    writer = csv.DictWriter(text, names, extrasaction="ignore", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    rejected = {finding.record for finding in rules.check_csv(text.getvalue())}
    return [number not in rejected for number in range(1, len(records) + 1)]


def verdicts_of_lines(rules, records, folder):
    (folder / "t.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    rules.clean(folder / "t.jsonl", replace=True)
    findings = map(json.loads, (folder / "t.findings.jsonl").read_text().splitlines())
    rejected = {finding["record"] for finding in findings}
    return [number not in rejected for number in range(1, len(records) + 1)]


ENTRY_POINTS = {
    "check_record": lambda rules, records, _: [not rules.check_record(record) for record in records],
    "a list of dicts": lambda rules, records, _: verdicts(rules.check(records)),
    "a dict of lists": lambda rules, records, _: verdicts(
        rules.check({key: [record.get(key) for record in records] for key in members(records)})),
    "Arrow": lambda rules, records, _: verdicts(rules.check(arrow(records))),
    "batches": lambda rules, records, _: verdicts(rules.check(batch
                                                              for batch in arrow(records).to_batches(max_chunksize=2))),
    "a dict of arrays": lambda rules, records, _: verdicts(
        rules.check(dict(zip(members(records), arrow(records).columns)))),
    "pandas": lambda rules, records, _: verdicts(rules.check(pd.DataFrame(records))),
    "Polars": lambda rules, records, _: verdicts(rules.check(pl.from_arrow(arrow(records)))),
    "DuckDB": lambda rules, records, _: verdicts(rules.check(duckdb.from_arrow(arrow(records)))),
    "CSV": lambda rules, records, _: verdicts_of_csv(rules, records),
    "JSON Lines": verdicts_of_lines,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
@pytest.mark.parametrize("entry", ENTRY_POINTS)
def test_same_verdicts_everywhere(case, entry, tmp_path):
    # `types: text` makes JSON Lines compare texts, like all other formats.
    rules = assay.Rules.parse(case["rules"] | {"types": "text"})
    names = [inside("", key) for record in case["records"] for key in record]
    given = json.loads(json.dumps(case["records"]))
    assert ENTRY_POINTS[entry](rules, given, tmp_path) == case["valid"], names
    assert given == case["records"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
def test_rows_and_values(case):
    """Picks rows and shows values of findings for each library."""
    rules = assay.Rules.parse(case["rules"])
    records, valid = case["records"], case["valid"]
    kept = [record for record, is_valid in zip(records, valid) if is_valid]
    assert rules.check(records).clean == kept
    for table in (arrow(records), pl.from_arrow(arrow(records)), pd.DataFrame(records), records):
        result = rules.check(table)
        assert len(result.clean) == len(kept)
        if "rows" not in case["rules"]:
            path = FieldPath.of(case["rules"]["fields"][0]["name"])
            first = next(finding for finding
                         in result.findings_table(values=True).to_pylist()) if isinstance(table, pa.Table) else None
            if first and first["column"] == path.name and first["value"] is not None:
                assert first["value"] == path.value(records[first["record"] - 1])


def test_repairs_inside():
    rules = assay.Rules.parse(
        {"fields": [{"name": "o.a", "repair": ["trim", "upper"], "constraints": {"enum": ["A"]}}]})
    records = [{"o": {"a": " a", "b": 1}}, {"o": {"a": "b"}}, {"o": None}]
    assert rules.check(records).clean == [{"o": {"a": "A", "b": 1}}, {"o": None}]
    filled = assay.Rules.parse({"fields": [{"name": "o.a", "repair": [{"default": "A"}]}]})
    assert filled.repair([{"o": {"a": None}}, {"o": None}, {}]) == [{"o": {"a": "A"}}, {"o": None}, {}]
    assert rules.check_record(records[0]) == [] and [finding.rule
                                                     for finding in rules.check_record(records[1])] == ["o.a.enum"]
    assert records == [{"o": {"a": " a", "b": 1}}, {"o": {"a": "b"}}, {"o": None}]
    assert rules.repair(pa.Table.from_pylist(records))["o"].to_pylist() == [
        {"a": "A", "b": 1}, {"a": "B", "b": None}, None]
    dotted = assay.Rules.parse({"fields": [{"name": r"o.a\.b", "repair": ["upper"]}]})
    records = [{"o": {"a.b": "x"}}]
    for table in (pa.Table.from_pylist(records), pl.DataFrame(records)):
        repaired = dotted.repair(table)["o"]
        assert (repaired.to_pylist() if isinstance(table, pa.Table) else repaired.to_list()) == [{"a.b": "X"}]
    assert dotted.repair(records) == [{"o": {"a.b": "X"}}]


def test_checks_in_python():
    rules = assay.Rules.of(assay.Field("o.a").check(lambda values: [str(value) == "x" for value in values], "is not x"))
    records = [{"o": {"a": "x"}}, {"o": {"a": "y"}}, {"o": None}]
    columns = {"o": [record["o"] for record in records]}
    for table in (records, columns, pa.Table.from_pylist(records)):
        assert verdicts(rules.check(table)) == [True, False, True]
    assert [bool(rules.check_record(record)) for record in records] == [False, True, False]


def test_elements_of_lists_are_refused():
    """Element fields are refused in tables, because only JSON Lines and single records have lists."""
    rules = assay.Rules.parse("fields: [{name: 'tags[]', type: integer}]")
    words = r"the field 'tags\[\]' is about the elements of a list"
    record = {"tags": ["x"]}
    for check in (
        lambda: rules.check([record]),
        lambda: rules.check({"tags": [["x"]]}),
    ):
        with pytest.raises(assay.AssayError, match=words):
            check()
    for table in (pa.table({"tags": [["x"]]}), pd.DataFrame([record]), pl.DataFrame([record])):
        with pytest.raises(assay.AssayError, match=r"no column is named 'tags\[\]'"):
            rules.check(table)
    assert [finding.column for finding in rules.check_record(record)] == ["tags[0]"] and rules.check_record({}) == []
    # A member with exactly this name is an ordinary value.
    assert [finding.rule for finding in rules.check_record({"tags[]": "x"})] == ["tags[].type"]
    assert rules.check([{"tags[]": "1"}]).ok


@pytest.mark.parametrize(
    "name, keys",
    [
        ("a", ["a"]),
        ("a.b", ["a", "b"]),
        (r"a\.b.c", ["a.b", "c"]),
        (r"a\\.b", ["a\\", "b"]),
        (r"a\x.b", [r"a\x", "b"]),
        (r"\[\].é", ["[]", "é"]),
        ("", [""]),
        ("a..b", ["a..b"]),
        (".a", [".a"]),
        ("a.", ["a."]),
        ("a[0]", ["a[0]"]),
    ],
)
def test_keys(name, keys):
    assert list(keys_of(name)) == keys
    if len(keys) > 1:
        # Escaped names must parse to the same names.
        prefix = ""
        for key in keys[:-1]:
            prefix = opened(prefix, key)
        assert list(keys_of(inside(prefix, keys[-1]))) == keys and column_of(name) == inside(prefix, keys[-1])
