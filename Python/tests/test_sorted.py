"""The constraint ``sorted`` over tables in memory, compared with a plain implementation."""

import random

import pyarrow as pa
import pytest

import assay

RULES = """
fields:
  - {name: n, type: integer, constraints: {sorted: ascending}}
  - {name: text, type: string, constraints: {sorted: descending, strict: true}}
"""


def expected(rows):
    """For each row out of order, the rules with the record that it does not follow."""
    last, found = {}, {}
    for record, (number, text) in enumerate(rows, 1):
        refused = []
        if number is not None and "n" in last and number < last["n"][1]:
            refused.append(("n.sorted", last["n"][0]))
        if text is not None and "text" in last and text.encode() >= last["text"][1].encode():
            refused.append(("text.sorted", last["text"][0]))
        if refused:
            found[record] = refused
            continue
        last |= {name: (record, value) for name, value in (("n", number), ("text", text)) if value is not None}
    return found


def refusals(result):
    found = {}
    for finding in result:
        assert finding.code == "sorted"
        found.setdefault(finding.record, []).append((finding.rule, int(finding.message.split()[-1])))
    return found


def rows_of(seed, count=9_000):
    choose = random.Random(seed)
    rows = []
    for number in range(count):
        value = number // 3 - (choose.randrange(5) if choose.random() < 0.05 else 0)
        text = f"v{count - number - (choose.randrange(-3, 4) if choose.random() < 0.05 else 0):06}"
        rows.append((None if choose.random() < 0.02 else value, None if choose.random() < 0.02 else text))
    return rows


@pytest.mark.parametrize("seed", range(3))
def test_tables_in_every_layout(seed):
    rules = assay.Rules.parse(RULES)
    rows = rows_of(seed)
    found = expected(rows)
    numbers, texts = [row[0] for row in rows], [row[1] for row in rows]
    table = pa.table({"n": pa.array(numbers, pa.int64()), "text": pa.array(texts)})
    tables = [
        table, pa.table({"n": pa.array([n if n is None else f"0{n}" for n in numbers]), "text": texts}),
        table.set_column(1, "text", table["text"].dictionary_encode()),
        {"n": numbers, "text": texts},
        pa.table({"n": table["n"], "text": table["text"].cast(pa.string_view())}),
    ]
    for data in tables:
        for threads in (1, 3):
            assert refusals(rules.check(data, threads=threads)) == found
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=700))
    assert refusals(rules.check(reader)) == found
    assert refusals(rules.check(table.to_batches(max_chunksize=1_111))) == found


def test_fields():
    field = assay.Field("n").type("integer").sorted("descending", strict=True)
    assert field.to_dict()["constraints"] == {"sorted": "descending", "strict": True}
    rules = assay.Rules.of(field)
    assert refusals(rules.check({"n": [3, 3, 2, None, 5, 1]})) == {2: [("n.sorted", 1)], 5: [("n.sorted", 3)]}
    with pytest.raises(assay.AssayError, match="ascending"):
        assay.Rules.of(assay.Field("n").sorted("up"))


def test_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = rows_of(7, 4_000)
    table = pa.table({"n": pa.array([row[0] for row in rows], pa.int64()), "text": [row[1] for row in rows]})
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=900)
    assay.clean(tmp_path / "t.parquet", assay.Rules.parse(RULES))
    found = expected(rows)
    kept = [row for record, row in enumerate(rows, 1) if record not in found]
    clean = parquet.read_table(tmp_path / "t.clean.parquet")
    assert list(zip(clean["n"].to_pylist(), clean["text"].to_pylist())) == kept
