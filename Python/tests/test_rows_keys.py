"""Row rules, keys and thresholds over tables in memory agree with those of files, in every layout."""

import csv
import datetime
import json
import pickle
import random
import re

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import assay

RULES = """
fields:
  - {name: id, type: integer, constraints: {unique: true}}
  - {name: start, type: date}
  - {name: end, type: date, constraints: {required: true}}
  - {name: price, type: number, constraints: {minimum: 0}}
  - {name: country, type: string, missingValues: ["", "-"], rules: [{id: short, maxLength: 2, severity: warn}]}
  - {name: note, type: string, constraints: {unique: true}}
uniqueKeys: [[country, price], [start, end, country]]
rows:
  - {id: dates, check: end >= start, message: ends before it starts}
  - {id: share, check: "100 / int(price) > 3", severity: warn}
  - {id: where, check: "country != 'AT' || price > 2.5 || !has(start)"}
  - {id: text, check: "size(note) < 40 || note.startsWith('x') || note.matches('^[^z]*$') && row.country < 'E'"}
  - {id: list, check: "id in [1, 2, 3] || id > 4"}
"""

VALUES = {
    "id": ["1", "2", "02", "3", "4", "77", "x", None, "9" * 30],
    "start": ["2026-01-01", "2026-02-01", "2026-03-01", "soon", None],
    "end": ["2026-01-01", "2026-02-01", "2026-03-01", "2026-02-30", None],
    "price": ["0", "1", "1.0", "2.50", "2.5", "-1", "40", None, "3.14159"],
    "country": ["AT", "DE", "CH", "-", None, "Austria"],
    "note": ["", "a", "é", "x" * 41, "y" * 5000, "y" * 5001, "z" * 4097, "z" * 50, "long" * 20, None],
}
#: Many distinct values, so that some records are completely clean.
SPREAD = {"id": lambda choose: str(choose.randrange(5, 100_000)), "note": lambda choose: str(choose.random())}


#: Each kind of preference among records with equal keys.
KEEPS = ["first", "none", "last", "{max: start}", "{min: price}"]


def table(choose, rows, clean):
    def value(name):
        if choose.random() < clean and name in SPREAD:
            return SPREAD[name](choose)
        return choose.choice(VALUES[name][: 3 if choose.random() < clean else None])

    return [{name: value(name) for name in VALUES} for _ in range(rows)]


def of_file(rules, rows, folder):
    """Returns the findings of a file, without line numbers, and the report."""
    path = folder / "table.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(VALUES)
        out.writerows([row[name] for name in VALUES] for row in rows)
    report = rules.clean(path, clean=None, rejects=None, report=None, replace=True)
    with open(folder / "table.findings.jsonl", encoding="utf-8") as file:
        findings = [json.loads(line) for line in file]
    names = ("record", "column", "rule", "code", "severity")
    return report, [(*(f[name] for name in names), without_line(f["message"])) for f in findings]


def without_line(message):
    return re.sub(r" \(line .*\)", "", message)


def of_memory(result):
    return [(f.record, f.column, f.rule, f.code, f.severity, f.message) for f in result]


def cut(choose, frame):
    """Cuts a table into pieces, with a random layout per column."""
    kinds = [pa.string(), pa.large_string(), pa.string_view(), pa.large_binary(), pa.binary_view()]
    columns = []
    for column in frame.columns:
        kind = choose.choice(kinds)
        pieces, start = [], 0
        while start < len(column):
            stop = min(len(column), start + choose.choice([1, 7, 100, 3000, 10_000]))
            pieces.append(pa.array(column[start:stop].to_pylist(), pa.string()).cast(kind))
            start = stop
        array = pa.concat_arrays(pieces)
        if choose.random() < 0.3 and not pa.types.is_string_view(kind) and not pa.types.is_binary_view(kind):
            array = array.dictionary_encode()
        columns.append(array)
    full = pa.table(columns, names=frame.column_names)
    size = choose.choice([1, 63, 500, 4096, 100_000])
    return pa.Table.from_batches(full.to_batches(max_chunksize=max(size, len(frame) // 50 + 1)), full.schema)


FORMS = {
    "pyarrow": lambda choose, frame: frame,
    "pieces": cut,
    "batch": lambda choose, frame: frame.combine_chunks().to_batches()[0],
    "reader": lambda choose, frame: frame.to_reader(max_chunksize=1000),
    "batches": lambda choose, frame: frame.to_batches(max_chunksize=1000),
    "iterator": lambda choose, frame: iter(frame.to_batches(max_chunksize=1000)),
    "polars": lambda choose, frame: pl.from_arrow(frame),
    "pandas": lambda choose, frame: frame.to_pandas(),
    "frames": lambda choose, frame: [frame.slice(0, 900).to_pandas(), frame.slice(900).to_pandas()],
    "dict": lambda choose, frame: frame.to_pydict(),
    "rows": lambda choose, frame: frame.to_pylist(),
}


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("seed", range(4))
def test_tables_are_checked_like_files(tmp_path, seed, keep):
    choose = random.Random(seed)
    rules = assay.Rules.parse(RULES + f"keep: {keep}\n")
    rows = table(choose, [1, 300, 5000, 9000][seed], [0.5, 0.95, 0.99, 0.8][seed])
    report, expected = of_file(rules, rows, tmp_path)
    frame = pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in VALUES]))
    rejected = {record for record, _, _, _, severity, _ in expected if severity == "reject"}
    for name, form in FORMS.items():
        result = rules.check(form(choose, frame), threads=choose.choice([1, 3]))
        assert of_memory(result) == expected, name
        assert result.report.rejected == len(rejected) == report["inputs"][0]["rejected"]
        counts = {count.rule: count.failed for count in result.report.rules}
        assert [counts[key["id"]] for key in report["keys"]] == [key["refused"] for key in report["keys"]]
        assert [counts[rule["id"]] for rule in report["rows"]] == [
            rule["failed"] + rule["warned"] for rule in report["rows"]
        ]
        if name not in ("reader", "iterator"):
            mask = result.mask
            mask = mask.to_pylist() if hasattr(mask, "to_pylist") else list(mask)
            assert mask == [record not in rejected for record in range(1, len(rows) + 1)]
            assert len(result.clean if name != "dict" else result.clean["id"]) == len(rows) - len(rejected)
    with open(tmp_path / "table.csv", "rb") as file:
        of_csv = rules.check_csv(file.read())
    assert [(*found, without_line(message)) for *found, message in of_memory(of_csv)] == expected


@pytest.mark.parametrize("keep", KEEPS)
def test_parquet_is_cleaned_as_csv_is(tmp_path, keep):
    from pyarrow import parquet

    thresholds = "{rejected: 1%, columns: {price: 1}, rules: {dates: 3}}"
    rules = assay.Rules.parse(RULES + f"keep: {keep}\nthresholds: {thresholds}\n")
    rows = table(random.Random(11), 3000, 0.9)
    report, expected = of_file(rules, rows, tmp_path)
    frame = pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in VALUES]))
    parquet.write_table(frame, tmp_path / "table.parquet", row_group_size=500)
    of_parquet = rules.clean(tmp_path / "table.parquet", replace=True)
    with open(tmp_path / "table.findings.jsonl", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    assert [(f["record"], f["rule"], f["message"]) for f in found] == [(f[0], f[2], f[5]) for f in expected]
    assert {key: of_parquet[key] for key in ("rows", "keys", "thresholds", "columns")} == {
        key: report[key] for key in ("rows", "keys", "thresholds", "columns")
    }
    clean = parquet.read_table(tmp_path / "table.clean.parquet")
    assert len(clean) == report["inputs"][0]["clean"] == of_parquet["inputs"][0]["clean"]


def test_thresholds_contain_the_measured_counts(tmp_path):
    rules = assay.Rules.parse("""
fields:
  - {name: id, type: integer, constraints: {unique: true, required: true}}
  - {name: email, format: email}
rows: [{id: small, check: id < 10, severity: warn}]
thresholds: {rejected: 50%, columns: {id: 0, email: 1%}, rules: {id.unique: 0, small: 1}, records: {min: 5}}
""")
    data = {"id": ["1", "1", "11", "x", ""], "email": ["a@example.org", None, "bo", None, None]}
    path = tmp_path / "t.csv"
    path.write_text("id,email\n" + "".join(f"{a},{b or ''}\n" for a, b in zip(data["id"], data["email"])))
    of_file = rules.clean(path, clean=None, rejects=None, findings=None, report=None)["thresholds"]
    assert [(one["of"], one["name"], one["measured"], one["exceeded"]) for one in of_file] == [
        ("rejected", None, 4, True),
        ("column", "id", 3, True),
        ("column", "email", 1, True),
        ("rule", "id.unique", 1, True),
        ("rule", "small", 1, False),
        ("records", None, 5, False),
    ]
    assert rules.check(data).thresholds == of_file
    assert rules.check(pl.DataFrame(data)).thresholds == of_file
    assert rules.check(pd.DataFrame(data)).thresholds == of_file
    assert rules.check_csv(path.read_bytes()).thresholds == of_file
    assert assay.Rules.parse("fields: [{name: id}]").check(data).thresholds == []
    assert rules.check_column("id", data["id"][:1]).thresholds == []


def test_one_column_is_checked_without_other_columns():
    rules = assay.Rules.parse("""
fields: [{name: a, type: integer, constraints: {unique: true}}, {name: b, type: integer}, {name: c}]
rows: [{id: even, check: a % 2 == 0}, {id: less, check: b < a + 1}]
""")
    with pytest.raises(assay.AssayError, match="the row rule 'less' also needs the column 'b'"):
        rules.check_column("a", ["1"])
    rules = assay.Rules.parse(rules.json().replace("b < a + 1", "b < 3"))
    assert rules.check_column("a", ["2", "1", "2", None]).mask == [True, False, False, True]
    assert rules.check_column("b", pa.chunked_array([["1"], ["4"]])).mask.to_pylist() == [True, False]
    assert rules.check_column("c", ["x", "x"]).mask == [True, True]
    pieces = pa.chunked_array([[1, 2], [2, 4]])
    assert pa.chunked_array(rules.check_column("a", pieces).reasons).to_pylist() == [["even"], [], ["a.unique"], []]
    none = assay.Rules.parse("{fields: [{name: a, constraints: {unique: true}}], keep: none}")
    assert none.check_column("a", pieces).mask.to_pylist() == [True, False, False, True]
    assert none.check_column("a", [pa.array([1, 2]), pa.array([2, 4])]).mask.to_pylist() == [True, False, False, True]
    last = assay.Rules.parse("{fields: [{name: a, constraints: {unique: true}}, {name: b}], keep: last}")
    assert last.check_column("a", pieces).mask.to_pylist() == [True, False, True, True]
    assert last.check_column("a", [pa.array([1, 2]), pa.array([2, 4])]).mask.to_pylist() == [True, False, True, True]
    most = assay.Rules.parse("{fields: [{name: a, constraints: {unique: true}}, {name: b}], keep: {max: b}}")
    with pytest.raises(assay.AssayError, match="the key 'a.unique' also needs the column 'b'"):
        most.check_column("a", pieces)
    assert most.check_column("b", pieces).mask.to_pylist() == [True] * 4


def plain(rows, keys, order):
    """The rejected rows and the rows that hold their keys: a row gets its keys, in this order, if all are free."""
    held, refused = [{} for _ in keys], {}
    for row in order:
        own = [(taken, tuple(rows[row][key] for key in columns)) for taken, columns in zip(held, keys)]
        own = [(taken, key) for taken, key in own if None not in key]
        found = [taken[key] for taken, key in own if key in taken]
        refused.update({row: found} if found else {})
        for taken, key in [] if found else own:
            taken[key] = row
    return refused


@pytest.mark.parametrize("form", ["table", "batches", "typed", "lists"])
@pytest.mark.parametrize("side", ["max", "min", "last"])
def test_the_preferred_record_of_typed_columns(side, form):
    """Compared with a plain implementation, for columns with types of their own."""
    choose = random.Random(side + form)
    kinds = {
        "integer": (pa.int64(), lambda: choose.randrange(-20, 20)),
        "number": (pa.float64(), lambda: choose.choice([float("nan"), -1e300, 0.5, -0.0, 0.0, 2.5, float("inf")])),
        "string": (pa.string(), lambda: choose.choice(["", "a", "aa", "b\0", "b", "é", "x" * 300])),
        "date": (pa.date32(), lambda: datetime.date(1970, 1, 1) + datetime.timedelta(choose.randrange(-9, 9))),
        "datetime": (pa.timestamp("us", "UTC"), lambda: datetime.datetime(
            2026, 1, 1, microsecond=choose.randrange(9), tzinfo=datetime.timezone.utc)),
        "time": (pa.time64("us"), lambda: datetime.time(choose.randrange(4), microsecond=choose.randrange(4))),
    }
    for kind, (type, value) in kinds.items():
        rows = [{"a": choose.choice([None, *range(40)]), "b": choose.choice([None, *range(60)]),
                 "v": choose.choice([None, value(), value(), value()])} for _ in range(300)]
        keep = "last" if side == "last" else f"{{{side}: v}}"
        rules = assay.Rules.parse(f"""
fields: [{{name: a, type: integer}}, {{name: b, type: integer}}, {{name: v, type: {kind}}}]
uniqueKeys: [[a], [b], [a, b]]
keep: {keep}
""")
        order = list(range(300))
        if side == "last":
            order.reverse()
        else:
            known = [row for row in order if (one := rows[row]["v"]) is not None and one == one and one != ""]
            known.sort(key=lambda row: rows[row]["v"], reverse=side == "max")
            order = known + [row for row in order if row not in set(known)]
        expected = plain(rows, [["a"], ["b"], ["a", "b"]], order)
        frame = pa.Table.from_pylist(rows, pa.schema([("a", pa.int64()), ("b", pa.int64()), ("v", type)]))
        if form == "lists":
            frame = frame.to_pydict()
        elif form == "batches":
            frame = frame.to_batches(max_chunksize=7)
        elif form == "typed":
            frame = pl.from_arrow(frame)
        found = {}
        for finding in rules.check(frame, threads=choose.choice([1, 2])):
            assert finding.code == "unique"
            found.setdefault(finding.record - 1, []).append(int(finding.message.split()[-1]) - 1)
        assert found == expected, kind


def test_typed_columns_and_nested_ones():
    rules = assay.Rules.parse("""
fields:
  - {name: at.from, type: datetime}
  - {name: at.to, type: datetime}
  - {name: n, type: number}
  - {name: ok, type: boolean}
primaryKey: [n, ok]
rows: [{id: order, check: 'row["at.to"] > row["at.from"]'}, {id: sum, check: 'ok == (n > 1)'}]
""")
    at = [
        {"from": "2026-01-01T00:00:00", "to": "2026-01-01T00:00:01"},
        {"from": "2026-01-01T00:00:01", "to": "2026-01-01T00:00:00"},
        None,
        {"from": "2026-01-01T00:00:00", "to": None},
    ]
    frame = pa.table({"at": at, "n": pa.array([1.0, 2.5, 2.5, 1.0]), "ok": [False, True, True, False]})
    result = rules.check(frame)
    assert pa.chunked_array(result.reasons).to_pylist() == [[], ["order"], [], ["primaryKey"]]
    assert [found.message for found in result] == [
        'does not fulfil row["at.to"] > row["at.from"]',
        "equals record 1",
    ]
    runs = frame.flatten().set_column(2, "n", pc.run_end_encode(frame["n"].combine_chunks()))
    assert pa.chunked_array(rules.check(runs).reasons).to_pylist() == [[], ["order"], [], ["primaryKey"]]


def test_an_error_of_batches_is_raised_as_it_is():
    rules = assay.Rules.parse("{fields: [{name: a, constraints: {unique: true}}], keep: none}")

    def batches():
        yield pa.record_batch({"a": ["1"]})
        raise KeyError("no more")

    with pytest.raises(KeyError):
        rules.check(batches())


def test_a_streamed_query_of_polars_is_one_table():
    import assay.polars  # noqa: F401

    rules = assay.Rules.parse("{fields: [{name: a, constraints: {unique: true}}], rows: [{check: 'a != \"3\"'}]}")
    frame = pl.DataFrame({"a": [str(number % 100_000) for number in range(300_000)]})
    query = frame.lazy().assay.clean(rules)
    for engine in ("in-memory", "streaming"):
        assert query.collect(engine=engine)["a"].sort().to_list() == sorted(set(frame["a"]) - {"3"})


REFERRING = """
fields:
  - {name: id, type: integer, constraints: {unique: true}}
  - {name: start, type: integer}
  - {name: end, type: integer}
  - {name: price, type: number, constraints: {minimum: 0}}
  - {name: country, type: string, missingValues: ["", "-"]}
  - {name: note, type: string}
uniqueKeys: [[country, price]]
foreignKeys:
  - {fields: start, reference: {resource: starts.csv, fields: code}}
  - {fields: [country, price], reference: {resource: more/prices.jsonl, fields: [in, of.it]}}
"""
OWN = "  - {fields: end, reference: {fields: id}}\n"


def referring(choose, rows):
    def some(*values):
        return choose.choice([None, "x", *values * 20])

    return [
        {
            "id": some(str(choose.randrange(4 * rows)), f"0{choose.randrange(4 * rows)}"),
            "start": some(str(choose.randrange(60)), f"+{choose.randrange(60)}"),
            "end": some(str(choose.randrange(4 * rows)), None, None),
            "price": some("-1", "1", "1.0", "2", str(choose.random())),
            "country": some("-", "AT", "DE", "é"),
            "note": None,
        }
        for _ in range(rows)
    ]


@pytest.fixture
def referred(tmp_path):
    """Writes the files that the rules refer to, and returns tables with the same contents."""
    starts = [str(each) for each in range(50)] + ["07", "x", ""]
    (tmp_path / "starts.csv").write_text("name;code\n" + "".join(f"a;{each}\n" for each in starts))
    prices = [(country, price) for country in ("AT", "DE", None) for price in (1, 3.5, 2)]
    (tmp_path / "more").mkdir()
    with open(tmp_path / "more" / "prices.jsonl", "w") as file:
        for country, price in prices:
            file.write(json.dumps({"in": country, "of": {"it": price}}) + "\n")
    inner = pa.array([{"it": price} for _, price in prices], pa.struct([("it", pa.float64())]))
    tables = {
        "starts.csv": {"code": starts},
        "more/prices.jsonl": pa.table({"in": [country for country, _ in prices], "of": inner}),
    }
    return tables


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("own", ["", OWN])
def test_references_are_checked_as_in_files(tmp_path, referred, own, keep):
    choose = random.Random(f"{own}{keep}")
    path = tmp_path / "referring.rules.yaml"
    path.write_text(REFERRING + own + f"keep: {keep}\nthresholds: {{columns: {{start: 1, end: 1, id: 1}}}}\n")
    rules = assay.Rules.load(path)
    rows = referring(choose, 4000)
    report, expected = of_file(rules, rows, tmp_path)
    assert len({code for _, _, _, code, _, _ in expected}) > 3
    frame = pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in VALUES]))
    assert rules.check_csv((tmp_path / "table.csv").read_bytes()).report.rejected == report["inputs"][0]["rejected"]
    for name, form in FORMS.items():
        result = rules.check(form(choose, frame), threads=choose.choice([1, 3]))
        assert of_memory(result) == expected, name
        assert result.thresholds == report["thresholds"]
    # Pass the tables in place of the files, which are removed here.
    for name in referred:
        (tmp_path / name).unlink()
    with pytest.raises(assay.AssayError, match="'foreignKeys.1' refers to starts.csv; its path is relative"):
        rules.check(frame)
    polars = {name: pl.from_arrow(pa.table(given)) for name, given in referred.items()}
    pandas = {name: pa.table(given).to_pandas() for name, given in referred.items() if name == "starts.csv"}
    for tables in (referred, polars, referred | pandas):
        assert of_memory(rules.check(frame, references=tables)) == expected


def test_parquet_refers_as_csv_does(tmp_path, referred):
    from pyarrow import parquet

    rules = assay.Rules.parse(REFERRING + OWN, name=f"{tmp_path}/rules", trust=True)
    rows = referring(random.Random(3), 3000)
    report, expected = of_file(rules, rows, tmp_path)
    frame = pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in VALUES]))
    parquet.write_table(frame, tmp_path / "table.parquet", row_group_size=500)
    of_parquet = rules.clean(tmp_path / "table.parquet", replace=True)
    assert of_parquet["keys"] == report["keys"]
    with open(tmp_path / "table.findings.jsonl", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    assert [(f["record"], f["rule"], f["message"]) for f in found] == [(f[0], f[2], f[5]) for f in expected]


def test_references_that_cannot_be(tmp_path, referred):
    rules = assay.Rules.parse(REFERRING, name=f"{tmp_path}/rules", trust=True)
    frame = {name: [] for name in VALUES}
    with pytest.raises(assay.AssayError) as raised:
        rules.check(frame, references={"start.csv": {"code": []}})
    assert str(raised.value) == (
        "no foreign key of the rules refers to start.csv\n  hint: they refer to more/prices.jsonl, starts.csv"
    )
    with pytest.raises(assay.AssayError, match="'foreignKeys.1': starts.csv: .*no column is named 'code'"):
        rules.check(frame, references={"starts.csv": {"kode": ["1"]}})
    text = assay.Rules.parse(
        "fields: [{name: a}]\nforeignKeys: [{fields: a, reference: {resource: none.csv, fields: b}}]", trust=True
    )
    with pytest.raises(assay.AssayError) as raised:
        text.check({"a": ["1"]})
    assert str(raised.value) == (
        "cannot open none.csv: No such file or directory\n  hint: 'foreignKeys.1' refers to none.csv; rules that are "
        "given as text look for it in the current directory, or in that of the name they are given"
    )
    assert text.check({"a": ["1", "2"]}, references={"none.csv": {"b": [2]}}).mask == [False, True]
    assert text.check({"a": []}, references={"none.csv": {"b": [2]}}).mask == []
    one = assay.Rules.parse(
        "fields: [{name: a}, {name: b}]\nforeignKeys: [{fields: a, reference: {fields: a}}, {fields: b, reference: "
        "{fields: a}}]"
    )
    with pytest.raises(assay.AssayError, match="the foreign key 'foreignKeys.2' also needs the column 'a'"):
        one.check_column("b", ["1"])


def test_a_file_that_changes_is_read_again(tmp_path, referred):
    rules = assay.Rules.parse(
        "fields: [{name: a, type: integer}]\nforeignKeys: [{fields: a, reference: {resource: starts.csv, fields: "
        "code}}]",
        name=f"{tmp_path}/rules",
        trust=True,
    )
    assert rules.check_column("a", ["1", "99"]).mask == [True, False]
    (tmp_path / "starts.csv").write_text("code\n99\n")
    assert rules.check({"a": ["1", "99"]}).mask == [False, True]
    assert pickle.loads(pickle.dumps(rules)).check({"a": [1, 99]}).mask == [False, True]
