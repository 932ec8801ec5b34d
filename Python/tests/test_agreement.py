"""Compares every layout, randomly sliced and chunked, with Python's regular expressions, and tables with files."""

import csv
import json
import random
import re

import pyarrow as pa
import pyarrow.compute as pc
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
    """Returns the values as an Arrow array that is joined from pieces, perhaps dictionary-encoded."""
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


#: Fields of built-in types, and values with different errors; one field has its own message.
TYPED = """
fields:
  - {name: email, format: email, constraints: {required: true}}
  - {name: iban, format: iban}
  - {name: ean, type: string, format: ean}
  - {name: site, rules: [{type: string, format: url, message: is no page of ours}]}
"""
EMAILS = ["anna@example.org", "anna", "anna@", " bo@example.org", "", None, "é@example.org", "a b@example.org"]
IBANS = ["DE89370400440532013000", "DE88370400440532013000", "XX89", "", None, "DE89 3704"]
EANS = ["4006381333931", "4006381333932", "12", None]
SITES = ["https://example.org/", "example.org", "https://", None]


def typed_table(choose, rows):
    """Returns a realistic table: mostly repeated values, some of them bad."""
    return {
        name: choose.choices(pool, k=rows)
        for name, pool in {"email": EMAILS, "iban": IBANS, "ean": EANS, "site": SITES}.items()
    }


def summary(findings):
    return [(f.record, f.column, f.rule, f.code, f.severity, f.message) for f in findings]


@pytest.mark.parametrize(
    "layout",
    {
        "string": lambda values: pa.array(values),
        "large_string": lambda values: pa.array(values, pa.large_string()),
        "string_view": lambda values: pa.array(values, pa.string_view()),
        "dictionary": lambda values: pa.array(values).dictionary_encode(),
        "runs": lambda values: pc.run_end_encode(pa.array(values)),
        "list": lambda values: values,
    }.items(),
    ids=lambda layout: layout[0],
)
def test_tables_agree_with_files(layout, tmp_path):
    """The findings of `assay.clean` for a file equal those of `Rules.check` for a table, including all messages."""
    data = typed_table(random.Random(1), 10_000)
    path = tmp_path / "users.csv"
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(data)
        out.writerows(["" if value is None else value for value in row] for row in zip(*data.values()))
    rules = assay.Rules.parse(TYPED)
    assay.clean(path, rules, threads=1)
    lines = [json.loads(line) for line in (tmp_path / "users.findings.jsonl").read_text().splitlines()]
    names = ("record", "column", "rule", "code", "severity", "message")
    of_file = [tuple(line[name] for name in names) for line in lines]
    assert len({message for *_, message in of_file}) > 10

    table = {name: layout[1](values) for name, values in data.items()}
    result = rules.check(table if layout[0] == "list" else pa.table(table))
    assert summary(result) == of_file
    findings = result.findings
    rows = zip(*findings.values()) if isinstance(findings, dict) else zip(*(c.to_pylist() for c in findings.columns))
    assert list(rows) == of_file
    # Lists must have the same reasons as Arrow.
    by_row = [[] for _ in range(10_000)]
    for record, _, rule, *_ in of_file:
        by_row[record - 1].append(rule)
    reasons = result.reasons if layout[0] == "list" else pa.chunked_array(result.reasons).to_pylist()
    assert reasons == [list(dict.fromkeys(names)) for names in by_row]
    # Findings are counted once, regardless of their message.
    assert result.report.findings == len(of_file)
    assert summary(rules.check_csv(path.read_text())) == of_file


def test_differences_between_tables_and_files():
    """Errors of a record in a file are errors of values in a table (Docs/python.md)."""
    rules = assay.Rules.parse(
        """
        limits: {record-bytes: 12, field-bytes: 10}
        fields: [{name: a, type: integer}, {name: b, type: integer}]
        """
    )
    values = {"a": [b"\xff", b"x", b"1234567"], "b": [b"x", b"12345678901", b"1234567"]}
    lines = b"".join(b"%s,%s\n" % row for row in zip(*values.values()))

    def places(findings):
        return [(finding.record, finding.column, finding.rule) for finding in findings]

    table = pa.table({name: pa.array(column, pa.binary()) for name, column in values.items()})
    assert places(rules.check(table)) == [
        (1, "a", "encoding"),
        (1, "b", "b.type"),
        (2, "a", "a.type"),
        (2, "b", "structure.too-long"),
    ]
    assert places(rules.check_csv(b"a,b\n" + lines)) == [
        (1, None, "encoding"),
        (2, None, "structure.too-long"),
        (3, None, "structure.too-long"),
    ]
