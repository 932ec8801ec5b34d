"""Budgets of checks."""

import pytest

import assay

RULES = r"""
fields:
  - {name: id, type: integer}
  - {name: name, constraints: {pattern: '(.).*\1'}}
rows: [{id: x, check: "name.matches('(a)\\\\1') || id > 3"}]
"""


def table(rows):
    return {"id": [str(i % 7) for i in range(rows)], "name": [("abc", "abca", "aa")[i % 3] for i in range(rows)]}


@pytest.fixture
def rules():
    return assay.Rules.parse(RULES)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_generous_budget_has_no_effect(rules, threads):
    plain = rules.check(table(6000), threads=threads)
    generous = rules.check(table(6000), threads=threads, budget=assay.Budget(10**18, 10**18, 1e6))
    assert generous.over_budget == plain.over_budget == 0
    assert generous.mask == plain.mask
    assert [tuple(f) for f in generous] == [tuple(f) for f in plain]


def test_rows_beyond_it_are_undecided_and_counted(rules):
    plain = rules.check(table(6000), threads=1)
    counts = []
    for work in (1, *range(500_000, 20_000_000, 1_500_000), 10**9):
        result = rules.check(table(6000), threads=1, budget=assay.Budget(work=work))
        over = {f.record for f in result if f.rule == "budget"}
        assert len(over) == result.over_budget <= result.report.undecided
        assert {f.code for f in result if f.rule == "budget"} <= {"undecided"}
        for record, (cut, full) in enumerate(zip(result.mask, plain.mask), 1):
            assert cut == (full and record not in over)
        counts.append(len(over))
    assert counts[0] == 6000 and counts[-1] == 0 and counts == sorted(counts, reverse=True)
    assert any(0 < count < 6000 for count in counts)


def test_other_calls_take_one(rules):
    small = assay.Budget(work=1)
    alone = assay.Rules.parse("fields: [{name: name, constraints: {pattern: 'a+'}}]")
    assert alone.check_column("name", ["a"] * 10, budget=small).over_budget == 10
    text = "id,name\n" + "1,aba\n" * 50
    assert rules.check_csv(text, budget=small).over_budget == 50
    with pytest.raises(assay.ValidationError):
        rules.validate(table(10), budget=small)


def test_memory_and_time():
    rules = assay.Rules.parse(
        "{fields: [{name: l, type: list, itemType: integer}], rows: [{id: x, check: 'l.map(x, l.map(y, x)).size() > "
        "0'}]}"
    )
    lists = {"l": ["1,2", ",".join(["1"] * 60)] * 20}
    assert rules.check(lists).ok
    assert rules.check(lists, threads=1, budget=assay.Budget(memory=20_000)).over_budget == 20
    assert rules.check(lists, budget=assay.Budget(seconds=1e-9)).over_budget == 40


def test_clean(tmp_path, rules):
    path = tmp_path / "t.csv"
    path.write_text("id,name\n" + "1,aba\n" * 50)
    report = rules.clean(path, budget=assay.Budget(work=1))
    assert report["overBudget"] == 50
    assert report["inputs"][0]["rejected"] == 50


def test_invalid_budgets(rules):
    with pytest.raises(ValueError, match="work of a budget is greater than 0"):
        assay.Budget(work=0)
    with pytest.raises(TypeError, match="a budget is an assay.Budget, not int"):
        rules.check(table(1), budget=5)
