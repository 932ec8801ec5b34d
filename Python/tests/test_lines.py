"""Single records with lists and dicts have the findings of JSON Lines."""

import datetime
import json
import random
from decimal import Decimal

import numpy as np
import pytest

import assay

RULES = """
fields:
  - {name: id, type: integer, constraints: {required: true}}
  - {name: 'tags[]', constraints: {required: true, pattern: '[a-z]+'}, optional: true}
  - {name: 'items[].price', type: number, constraints: {minimum: 0}, optional: true}
  - {name: items, type: array, constraints: {maxLength: 60}}
  - {name: codes, type: list, itemType: integer}
  - {name: o.a, type: integer}
  - {name: o, type: object}
  - {name: j, type: any, format: json}
rows: [{id: small, check: id < 100 || size(codes) > 2}]
"""
#: Values of members, valid and invalid ones.
VALUES = {
    "id": [1, 2**70, 1.5, "x", None, [1], {"a": 1}],
    "tags": [[], ["a"], ["a", "B", None], [["a"]], "a", {"a": 1}, None],
    "items": [[], [{"price": 1.5}], [{"price": -1}, {"price": "x"}, {}], [1], {"price": 1}, [{"price": 1}] * 9],
    "codes": [[1, 2], [1, 2, 3], ["1"], [1, "x"], [[1]], "1,2", None],
    "o": [{"a": 1}, {"a": "x"}, {"a": [1]}, {}, None, 7, [1]],
    "j": [{"deep": [{}, [None, "ü", "\u2028"]]}, [1], True, "text", None],
    "more": [[1], {"id": 7}, None],
}


@pytest.mark.parametrize("types", ["strict", "text", "jsonSchema"])
def test_records_are_checked_like_lines(tmp_path, types):
    rules = assay.Rules.parse(f"types: {types}\n{RULES}")
    choose = random.Random(7)
    records = [{name: choose.choice(values) for name, values in VALUES.items() if choose.random() < 0.6}
               for _ in range(150)]
    # Only these records are written as lines: they have a list or a dict in a field, or lack the lists of elements.
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    rules.clean(tmp_path / "t.jsonl", clean=None, rejects=None, report=None)
    expected = {}
    for finding in map(json.loads, (tmp_path / "t.findings.jsonl").read_text().splitlines()):
        expected.setdefault(finding["record"], []).append((finding["column"], finding["rule"], finding["message"]))
    for number, record in enumerate(records, 1):
        found = [(finding.column, finding.rule, finding.message) for finding in rules.check_record(record)]
        assert found == expected.get(number, []), record
    assert len(expected) > 50


def test_values_of_python():
    rules = assay.Rules.parse("""
fields:
  - {name: l, type: list, itemType: number}
  - {name: day, type: date}
  - {name: price, type: number, constraints: {minimum: 1.5}}
  - {name: ok, type: boolean}
""")
    record = {"l": (1, Decimal("2.50"), np.float32(0.5), np.int8(3)), "day": datetime.date(2024, 2, 29),
              "price": Decimal("1.50"), "ok": np.bool_(True)}
    assert rules.check_record(record) == []
    broken = {"l": [float("nan")], "day": datetime.datetime(2024, 2, 29, 1), "price": Decimal("1.49"), "ok": 1}
    assert [finding.rule for finding in rules.check_record(broken)] == [
        "l.type", "day.type", "price.minimum", "ok.type"]
    assert [finding.rule for finding in rules.check_record({"l": ["\ud800"]})] == ["structure.json"]
    assert [finding.rule for finding in rules.check_record({"l": [b"\xff"]})] == ["structure.json"]
    for value in ({1}, [{1}], datetime.timedelta(1)):
        with pytest.raises(TypeError, match="which no rule can judge: convert it to text first"):
            rules.check_record({"l": value})


@pytest.mark.parametrize("kind", ["string", "number", "any", "integer"])
def test_nan_of_decimal_is_missing(kind):
    rules = assay.Rules.parse({"fields": [{"name": "c", "type": kind, "constraints": {"required": True}}]})
    for nan in (Decimal("NaN"), Decimal("-sNaN1")):
        found = rules.check_record({"c": nan})
        assert [finding.rule for finding in found] == ["c.required"]
        assert found == list(rules.check([{"c": nan}])) == list(rules.check({"c": [nan]}))
        assert [finding.rule for finding in rules.check({"c": [1, 1.5, nan]})][-1:] == ["c.required"]


def test_keys_and_trust(tmp_path):
    """The second record of the file, which has every field, must not affect the first."""
    rules = assay.Rules.parse("""
fields: [{name: id}, {name: parent}, {name: 'tags[]', type: string}]
primaryKey: id
keep: none
foreignKeys: [{fields: parent, reference: {fields: id}}]
""")
    assert rules.check_record({"id": "a", "parent": "a", "tags": ["x"]}) == []
    assert [finding.rule for finding in rules.check_record({"id": "a", "parent": "b"})] == ["foreignKeys.1"]
    assert [finding.code for finding in rules.check_record({"tags": []})] == ["primaryKey"]
    (tmp_path / "users.csv").write_text("id\na\n")
    (tmp_path / "rules.yaml").write_text("""
fields: [{name: user}, {name: 'tags[]', type: string}]
foreignKeys: [{fields: user, reference: {resource: users.csv, fields: id}}]
""")
    rules = assay.Rules.load(tmp_path / "rules.yaml")
    assert [len(rules.check_record({"user": user, "tags": ["x"]})) for user in ("a", "b")] == [0, 1]
