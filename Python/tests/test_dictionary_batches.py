"""Batches with fewer rows than dictionary values: only values that occur in rows are checked."""

import random

import pyarrow
import pytest

import assay

RULES = [
    "fields: [{name: a, constraints: {pattern: '[a-m]+'}}]",
    "fields: [{name: a, constraints: {required: true, maxLength: 14}, rules: [{pattern: '[a-z]+', severity: warn}]}]",
    "fields: [{name: a, type: integer}]",
]
TYPES = [pyarrow.string(), pyarrow.large_string(), pyarrow.binary(), pyarrow.string_view()]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("of", TYPES, ids=str)
def test_as_the_values_themselves(rules, of):
    random.seed(7)
    values = [None, "", "é", "17"] + ["".join(random.choices("abcnz0", k=random.randrange(1, 30))) for _ in range(996)]
    dictionary = pyarrow.array(values).cast(of)
    shared_rules = assay.Rules.parse(rules)
    for rows in (0, 1, 3, 64, 65, 400, 499, 500, 2_500):
        codes = [random.choice([None, random.randrange(1_000), random.randrange(4)]) for _ in range(rows)]
        indices = pyarrow.array(codes, pyarrow.int32())
        shared = shared_rules.check(pyarrow.table({"a": pyarrow.DictionaryArray.from_arrays(indices, dictionary)}))
        plain = shared_rules.check(pyarrow.table({"a": pyarrow.array(values).take(indices).cast(of)}))
        assert shared.mask.equals(plain.mask)
        assert shared.findings == plain.findings
        assert shared.report == plain.report


def test_an_index_outside_is_reported():
    indices = pyarrow.array([0, 9], pyarrow.int8())
    wrong = pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["a"] * 8), safe=False)
    with pytest.raises(assay.AssayError, match="an index outside its dictionary, at row 1"):
        assay.Rules.parse(RULES[0]).check(pyarrow.table({"a": wrong}))


def test_midnight_is_a_date_in_strings():
    moments = pyarrow.table({"a": pyarrow.array([0, 86_400_000, 1], pyarrow.timestamp("ms"))})
    result = assay.Rules.parse("fields: [{name: a, format: date min-age=18}]").check(moments)
    assert result.mask.to_pylist() == [True, True, False]
