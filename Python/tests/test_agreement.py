"""Every layout, cut and chunked at random, against Python's own regular expressions."""

import random
import re

import pyarrow as pa
import pytest

import assay

VALUES = [
    None,
    "",
    "1",
    "12",
    "x",
    "é",
    "12é",
    "1" * 12,
    "1" * 13,
    "9" * 40,
    "é" * 9,
    "x" * 5000,
    "7" * 4096,
    "7" * 4097,
]
TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
LENGTHS = [0, 1, 63, 64, 65, 100, 4095, 4096, 4097, 9000]
DIGITS = re.compile("[0-9]+")


def column(choose, values, kind):
    """The values as an Arrow array that was put together from pieces, perhaps dictionary-encoded."""
    if "binary" in str(kind):
        values = [None if value is None else value.encode() for value in values]
    cuts = sorted([0, len(values), *(choose.randrange(len(values) + 1) for _ in range(choose.choice([0, 1, 6])))])
    array = pa.concat_arrays([pa.array(values[a:b], kind) for a, b in zip(cuts, cuts[1:])])
    return array.dictionary_encode() if choose.random() < 0.3 and "view" not in str(kind) else array


@pytest.mark.parametrize("seed", range(100))
def test_random_columns(seed):
    choose = random.Random(seed)
    kind = choose.choice(TYPES)
    pool = [choose.choice(VALUES) for _ in range(choose.choice([1, 3, 14]))]
    values = [choose.choice(pool) for _ in range(choose.choice(LENGTHS))]
    start = choose.randrange(len(values) + 1)
    stop = choose.randrange(start, len(values) + 1)
    array = column(choose, values, kind)[start:stop]
    values = values[start:stop]

    expected = [None if value is None else DIGITS.fullmatch(value) is not None for value in values]
    assert assay.Pattern(r"\d+").match(array, threads=choose.choice([1, 2])).to_pylist() == expected

    rules = assay.Rules.parse(r"fields: [{name: c, constraints: {required: true, pattern: '\d+'}}]")
    result = rules.check(pa.record_batch([array], names=["c"]))
    wrong = [row + 1 for row, value in enumerate(values) if not value or not DIGITS.fullmatch(value)]
    assert [finding.record for finding in result] == wrong
    assert (result.report.rejected, result.report.findings) == (len(wrong), len(wrong))
