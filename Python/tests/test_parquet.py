"""Parquet files: rows are copied unchanged, as one table, in constant memory, or the run fails as a whole."""

import csv
import datetime as dt
import decimal
import json
import os
import pathlib
import re
import stat
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import EMAILS, IDS, RULES

import assay

ALL = ["users.clean.parquet", "users.findings.jsonl", "users.rejects.parquet", "users.report.json"]
#: The reasons of rejected rows, in the order of IDS and EMAILS.
REASONS = ["id.type", "id.required;email.format", "id.required"]


def users(times=1):
    return pa.table({"id": IDS * times, "email": EMAILS * times})


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "users.parquet"
    pq.write_table(users(), path)
    return path


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def findings_in(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_outputs(rules, source, tmp_path):
    report = assay.clean(source, rules)
    assert names_in(tmp_path) == sorted([*ALL, "users.parquet"])
    assert pq.read_table(tmp_path / "users.clean.parquet").equals(users().take([0, 3]))
    rejects = pq.read_table(tmp_path / "users.rejects.parquet")
    assert rejects.drop(["_reasons"]).equals(users().take([1, 2, 4]))
    assert rejects["_reasons"].to_pylist() == REASONS
    assert (tmp_path / "users.findings.jsonl").read_text().splitlines()[0] == (
        '{"record":2,"line":null,"offset":null,"column":"id","position":1,"rule":"id.type","code":"type",'
        '"severity":"reject","message":"is not an integer"}'
    )
    assert json.loads((tmp_path / "users.report.json").read_text()) == report
    counts = {key: report["inputs"][0][key] for key in ("records", "clean", "rejected", "undecided", "bytes")}
    assert counts == {"records": 5, "clean": 2, "rejected": 3, "undecided": 0, "bytes": source.stat().st_size}
    assert report["findings"] == {"total": 4, "dropped": 0}
    assert [(column["name"], column["missing"]) for column in report["columns"]] == [("id", 2), ("email", 1)]
    assert report["columns"][0]["rules"][0] == {"id": "id.required", "failed": 2, "warned": 0, "undecided": 0}


def typed_table():
    """Returns a table with one column per type, in which every third row is rejected."""
    rows = 30
    noon = dt.datetime(2024, 2, 29, 12)
    values = {
        "id": pa.array([i if i % 3 else -i for i in range(1, rows + 1)], pa.int32()),
        "float": pa.array([i / 8 for i in range(rows)], pa.float32()),
        "bool": pa.array([i % 2 == 0 for i in range(rows)]),
        "date": pa.array([dt.date(2024, 2, 1 + i % 28) for i in range(rows)]),
        "zoned": pa.array([noon] * rows, pa.timestamp("us", "Europe/Berlin")),
        "nanos": pa.array([noon] * rows, pa.timestamp("ns")),
        "time": pa.array([dt.time(1, 2, 3, i) for i in range(rows)]),
        "decimal": pa.array([decimal.Decimal(f"{i}.25") for i in range(rows)], pa.decimal128(12, 2)),
        "text": pa.array([f"é{i}" if i % 5 else None for i in range(rows)]),
        "large": pa.array([f"x{i}" for i in range(rows)], pa.large_string()),
        "category": pa.array(["ab"[i % 2] for i in range(rows)]).dictionary_encode(),
        "bytes": pa.array([bytes([i]) for i in range(rows)]),
        "list": pa.array([["a"] * (i % 3) if i % 4 else None for i in range(rows)]),
        "struct": pa.array([{"x": i, "y": ["z"]} for i in range(rows)]),
        "map": pa.array([[("k", i)] for i in range(rows)], pa.map_(pa.string(), pa.int64())),
        "duration": pa.array([dt.timedelta(seconds=i) for i in range(rows)]),
        "uint": pa.array(range(rows), pa.uint32()),
        "nothing": pa.nulls(rows),
    }
    fields = [
        pa.field(name, column.type, nullable=name != "large", metadata={"note": name} if name == "bool" else None)
        for name, column in values.items()
    ]
    return pa.table(list(values.values()), schema=pa.schema(fields, metadata={"owner": "anna"}))


TYPED = """
fieldsMatch: partial
fields:
  - {name: id, type: integer, constraints: {minimum: 0, required: true}}
  - {name: float, type: number, constraints: {maximum: 100}}
  - {name: bool, type: boolean}
  - {name: date, type: date, format: '%d/%m/%Y'}
  - {name: zoned, type: datetime, format: '%Y-%m-%dT%H:%M:%S%z'}
  - {name: decimal, type: number}
  - {name: text, rules: [{id: early, pattern: 'é[12]?\\d', severity: warn}]}
  - {name: category, constraints: {enum: [a, b]}}
  - {name: struct.x, type: integer}
"""


@pytest.mark.parametrize("codec", ["snappy", "zstd", "gzip", "lz4", "brotli", "none"])
def test_types_come_back_as_they_were(tmp_path, codec):
    table, path = typed_table(), tmp_path / "users.parquet"
    pq.write_table(table, path, row_group_size=7, compression=codec)
    rules = assay.Rules.parse(TYPED)
    report = assay.clean(path, rules)
    complete = rules.check(table)
    assert complete.report.rejected == 10
    clean, rejects = (pq.ParquetFile(tmp_path / f"users.{name}.parquet") for name in ("clean", "rejects"))
    assert clean.schema.equals(pq.ParquetFile(path).schema)
    for file, rows in ((clean, complete.clean), (rejects, complete.rejected)):
        found = file.read()
        found.validate(full=True)
        found = found.drop(["_reasons"]) if file is rejects else found
        expected = pq.read_schema(path)
        assert found.schema.equals(expected, check_metadata=True), found.schema.to_string(show_field_metadata=True)
        assert found.to_pylist() == rows.to_pylist()
        assert {file.metadata.row_group(0).column(i).compression for i in range(file.metadata.num_columns)} == {
            pq.ParquetFile(path).metadata.row_group(0).column(0).compression
        }
    missing = {column["name"]: column["missing"] for column in report["columns"]}
    assert missing == dict.fromkeys(missing, 0) | {"text": 6}


def test_agrees_with_a_check_of_the_complete_table(tmp_path):
    """Tests batches, row groups, files, and findings that only warn."""
    table = pa.concat_tables([typed_table()] * 5000)
    cuts = [0, 40_000, 40_001, 150_000]
    for place, (start, stop) in enumerate(zip(cuts, cuts[1:])):
        pq.write_table(table.slice(start, stop - start), tmp_path / f"users-{place}.parquet", row_group_size=9999)
    rules = assay.Rules.parse(TYPED)
    report = assay.clean(str(tmp_path / "users-*.parquet"), rules)
    result = rules.check(table)
    assert pq.read_table(tmp_path / "users.clean.parquet").equals(result.clean.combine_chunks())
    rejects = pq.read_table(tmp_path / "users.rejects.parquet")
    assert rejects.num_rows == result.report.rejected
    assert rejects["_reasons"].unique().to_pylist() == ["id.minimum"]
    found = [
        (f["record"], f["column"], f["rule"], f["code"], f["message"])
        for f in findings_in(tmp_path / "users.findings.jsonl")
    ]
    assert found == [(f.record, f.column, f.rule, f.code, f.message) for f in result]
    counted = {(c["name"], r["id"]): r["failed"] + r["warned"] for c in report["columns"] for r in c["rules"]}
    requested = {
        (c.column, c.rule): c.failed for c in result.report.rules if c.rule not in ("encoding", "structure.too-long")
    }
    assert counted == requested


def test_a_pattern_is_one_table(rules, tmp_path):
    for name, table in (("part-b", users(2)), ("part-a", users()), ("part-c", users().slice(0, 0))):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    report = rules.clean(f"{tmp_path}/part-?.parquet")
    paths = [str(tmp_path / f"part-{name}.parquet") for name in "abc"]
    assert report["inputs"][0]["path"] == f"{tmp_path}/part-?.parquet"
    assert report["inputs"][0]["files"] == paths
    assert report["inputs"][0]["records"] == 15
    assert [f["record"] for f in findings_in(tmp_path / "part.findings.jsonl")] == [
        2,
        3,
        3,
        5,
        7,
        8,
        8,
        10,
        12,
        13,
        13,
        15,
    ]
    assert pq.read_table(tmp_path / "part.clean.parquet").equals(users(3).take([0, 3, 5, 8, 10, 13]))
    # The files of a list keep their order, and output_dir applies.
    (tmp_path / "out").mkdir()
    rules.clean([paths[1], pathlib.Path(paths[0])], tmp_path / "out")
    assert names_in(tmp_path / "out") == [name.replace("users", "part") for name in ALL]
    assert rules.clean(iter(paths[:1]))["inputs"][0]["path"] == paths[0]


@pytest.mark.parametrize(
    ("given", "folder", "stem"),
    [
        ("data/part-*.parquet", "data", "part"),
        ("data/part-000[0-9].parquet", "data", "part"),
        ("data/*.parquet", "", "data"),
        ("out/users.parquet/*.parquet", "out", "users"),
        ("out/**/*.parquet", "", "out"),
        (["data/part-1.parquet", "data/part-20.parquet"], "data", "part"),
        (["data/part-1.parquet", "out/users.parquet/x.parquet"], "", None),
    ],
)
def test_names_of_the_outputs_of_many(rules, tmp_path, monkeypatch, given, folder, stem):
    monkeypatch.chdir(tmp_path)
    for name in (
        "data/part-1.parquet",
        "data/part-20.parquet",
        "data/part-0003.parquet",
        "out/users.parquet/x.parquet",
    ):
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(users(), name)
    if stem is None:
        with pytest.raises(ValueError, match="gives the outputs no name: give them one, clean=, rejects="):
            rules.clean(given)
        rules.clean(given, clean="a.parquet", rejects=None, findings=None, report=None)
        assert os.path.exists("a.parquet")
        return
    outputs = rules.clean(given)["inputs"][0]["outputs"]
    assert outputs["clean"] == os.path.join(folder, f"{stem}.clean.parquet")
    assert os.path.exists(outputs["clean"]) and os.path.exists(outputs["findings"])


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (users().drop(["email"]), "b.parquet has no column 'email'"),
        (users().append_column("age", [[1] * 5]), "a.parquet has no column 'age'"),
        (users().select(["email", "id"]), "their columns are in another order"),
        (users().set_column(0, "id", [[1] * 5]), "the column 'id' is int64 in b.parquet, and string in a.parquet"),
        (
            pa.table([["1"], ["a"]], schema=pa.schema([pa.field("id", pa.string(), False), ("email", pa.string())])),
            "the column 'id' may be null in a.parquet, and not in b.parquet",
        ),
    ],
)
def test_files_that_are_not_one_table(rules, tmp_path, other, says):
    pq.write_table(users(), tmp_path / "a.parquet")
    pq.write_table(other, tmp_path / "b.parquet")
    with pytest.raises(assay.AssayError) as caught:
        rules.clean([tmp_path / "a.parquet", tmp_path / "b.parquet"], clean=tmp_path / "c.parquet", rejects=None)
    assert str(caught.value) == (
        f"{tmp_path}/b.parquet and {tmp_path}/a.parquet are not one table: {says}\n"
        "  hint: clean the files that differ separately"
    )
    assert names_in(tmp_path) == ["a.parquet", "b.parquet"]


def test_outputs_that_exist(rules, source, tmp_path):
    for name in ("users.rejects.parquet", "users.report.json"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(assay.AssayError) as caught:
        assay.clean(source, rules)
    assert str(caught.value) == (
        f"these outputs exist already:\n    {tmp_path}/users.rejects.parquet\n    {tmp_path}/users.report.json\n"
        "  hint: remove the existing files, choose other names, or replace it with replace=True"
    )
    assert names_in(tmp_path) == ["users.parquet", "users.rejects.parquet", "users.report.json"]
    assay.clean(source, rules, replace=True)
    assert pq.read_table(tmp_path / "users.rejects.parquet").num_rows == 3
    # Options of the other format are refused with the same message.
    (tmp_path / "users.csv").write_text("id,email\n")
    with pytest.raises(assay.AssayError, match="(?s)this output exists already:.*or replace it with replace=True"):
        assay.clean(tmp_path / "users.csv", rules, clean=None, rejects=None, findings=None)


def test_outputs_that_cannot_be(rules, source, tmp_path):
    (tmp_path / "link.parquet").symlink_to(tmp_path / "nowhere")
    for options, says in (
        (
            {"clean": source, "replace": True},
            f"the output {source} is the input {source}\n  hint: give it another name",
        ),
        ({"clean": tmp_path / "a.parquet", "rejects": tmp_path / "a.parquet"}, "two outputs would be the same file: "),
        ({"clean": tmp_path / "link.parquet"}, "link.parquet is a dangling link"),
        ({"clean": tmp_path / "a.csv"}, "the rows are written as Parquet, and '.*a.csv' has another ending"),
        ({"findings": tmp_path / "a.parquet"}, "the findings are written as JSON lines or as CSV"),
        ({"report": tmp_path / "a.yaml"}, "the report is written as JSON"),
        (
            {"output_dir": tmp_path / "no"},
            f"cannot create {tmp_path}/no/.*: No such file .*\n  hint: make the directory",
        ),
    ):
        with pytest.raises(assay.AssayError, match=says):
            rules.clean(source, **options)
        assert names_in(tmp_path) == ["link.parquet", "users.parquet"]
    pq.write_table(users(), tmp_path / "users.clean.parquet")
    with pytest.raises(assay.AssayError, match="was written by an earlier run, leave it out of the inputs, or choose"):
        rules.clean(f"{tmp_path}/users*.parquet", replace=True)


def test_omitted_parts(rules, source, tmp_path):
    rules.clean(source, clean=None, report=None, findings=tmp_path / "why.csv", annotate=False)
    assert names_in(tmp_path) == ["users.parquet", "users.rejects.parquet", "why.csv"]
    assert pq.read_table(tmp_path / "users.rejects.parquet").equals(users().take([1, 2, 4]))
    found = list(csv.DictReader((tmp_path / "why.csv").open(newline="")))
    assert [(f["record"], f["line"], f["column"], f["rule"]) for f in found] == [
        ("2", "", "id", "id.type"),
        ("3", "", "id", "id.required"),
        ("3", "", "email", "email.format"),
        ("5", "", "id", "id.required"),
    ]


def test_rejects_can_be_cleaned_again(rules, source, tmp_path):
    rules.clean(source)
    rejects = tmp_path / "users.rejects.parquet"
    with pytest.raises(assay.AssayError, match="has a column _reasons already\n  hint: .*, or say annotate=False"):
        rules.clean(rejects)
    assert rules.clean(rejects, annotate=False)["inputs"][0]["rejected"] == 3


def test_reasons_are_of_rules_that_reject(tmp_path):
    rules = assay.Rules.parse(
        "fields:\n"
        "  - {name: a, rules: [{id: odd, pattern: '[13579]'}, {id: small, pattern: '[0-4]', severity: warn}]}\n"
        "  - {name: b, rules: [{id: b odd, pattern: '[13579]'}, {id: hard, pattern: '(x+)+\\1y|1'}]}\n"
    )
    pq.write_table(pa.table({"a": ["8", "9", "1"], "b": ["2", "1", "x" * 80]}), tmp_path / "users.parquet")
    rules.clean(tmp_path / "users.parquet")
    assert pq.read_table(tmp_path / "users.clean.parquet")["a"].to_pylist() == ["9"]
    assert pq.read_table(tmp_path / "users.rejects.parquet")["_reasons"].to_pylist() == ["odd;b odd;hard", "b odd;hard"]
    (tmp_path / "users.csv").write_text(f"a,b\n8,2\n9,1\n1,{'x' * 80}\n")
    rules.clean(tmp_path / "users.csv", annotate=True, replace=True)
    with (tmp_path / "users.rejects.csv").open(newline="") as file:
        assert [row["_reasons"] for row in csv.DictReader(file)] == ["odd;b odd;hard", "b odd;hard"]


def corrupt(path):
    """Corrupts a page in the middle of a file, and keeps its footer."""
    data = bytearray(path.read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(2).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(data)


def test_an_error_midway_publishes_no_output(rules, tmp_path):
    source = tmp_path / "users.parquet"
    pq.write_table(users(1000), source, row_group_size=1000)
    complete = source.read_bytes()
    (tmp_path / "users.clean.parquet").write_text("mine")
    corrupt(source)
    with pytest.raises(assay.AssayError, match=f"cannot read {source} as Parquet: "):
        rules.clean(source, replace=True)
    assert names_in(tmp_path) == ["users.clean.parquet", "users.parquet"]
    assert (tmp_path / "users.clean.parquet").read_text() == "mine"
    source.write_bytes(complete)

    def stop(done, total):
        seen.append((done, total, names_in(tmp_path)))
        raise KeyboardInterrupt

    seen = []
    with pytest.raises(KeyboardInterrupt):
        rules.clean(source, replace=True, progress=stop)
    done, total, names = seen[0]
    assert (total, len(names)) == (5000, 6) and 0 < done <= 5000
    assert sum(re.fullmatch(rf"\.users\.\w+\.\w+\.assay-{os.getpid()}-\d+", name) is not None for name in names) == 4
    assert names_in(tmp_path) == ["users.clean.parquet", "users.parquet"]


def test_another_program_creates_an_output_during_the_run(rules, source, tmp_path):
    def make(done, total):
        (tmp_path / "users.rejects.parquet").write_text("mine")

    with pytest.raises(assay.AssayError) as caught:
        rules.clean(source, progress=make)
    assert str(caught.value) == (
        f"cannot rename into place {tmp_path}/users.rejects.parquet: File exists\n"
        f"  these outputs are already in place: {tmp_path}/users.clean.parquet"
    )
    assert names_in(tmp_path) == ["users.clean.parquet", "users.parquet", "users.rejects.parquet"]


def test_modes_links_and_leftovers(rules, source, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/real.parquet").write_text("old")
    (tmp_path / "users.clean.parquet").symlink_to(tmp_path / "out/real.parquet")
    dead = tmp_path / ".users.clean.csv.assay-1-0"
    dead.write_text("")
    other = tmp_path / ".notes.assay-1"
    other.write_text("")
    source.chmod(0o600)
    rules.clean(source, replace=True)
    assert (tmp_path / "users.clean.parquet").is_symlink()
    assert pq.read_table(tmp_path / "out/real.parquet").num_rows == 2
    assert not dead.exists() and other.exists()
    assert all(stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600 for name in ALL)
    source.chmod(0o644)
    for name in ALL:
        (tmp_path / name).unlink()
    umask = os.umask(0o027)
    try:
        rules.clean(source)
    finally:
        os.umask(umask)
    assert all(stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o640 for name in ALL)


@pytest.mark.parametrize("row_groups", [0, 1])
def test_no_rows(rules, source, tmp_path, row_groups):
    with pq.ParquetWriter(source, users().schema, compression="gzip") as writer:
        if row_groups:
            writer.write_table(users().slice(0, 0))
    report = rules.clean(source)
    assert report["inputs"][0]["records"] == 0 and report["findings"]["total"] == 0
    assert pq.read_table(tmp_path / "users.clean.parquet").equals(users().slice(0, 0))
    assert pq.read_schema(tmp_path / "users.rejects.parquet").names == ["id", "email", "_reasons"]
    assert (tmp_path / "users.findings.jsonl").read_text() == ""


def test_dictionaries_that_differ(tmp_path):
    """Each file and each row group has its own categories."""
    for place, values in enumerate((["a", "b", None] * 50_000, ["c", "a"] * 50_000, ["x"] * 9)):
        table = pa.table({"kind": pa.array(values).dictionary_encode(), "id": range(len(values))})
        pq.write_table(table, tmp_path / f"part-{place}.parquet", row_group_size=30_000)
    rules = assay.Rules.parse("{fieldsMatch: partial, fields: [{name: kind, constraints: {enum: [a, c]}}]}")
    report = rules.clean(f"{tmp_path}/part-*.parquet")
    clean, rejects = (pq.read_table(tmp_path / f"part.{name}.parquet") for name in ("clean", "rejects"))
    assert clean["kind"].to_pylist() == ["a", None] * 50_000 + ["c", "a"] * 50_000
    assert rejects["kind"].to_pylist() == ["b"] * 50_000 + ["x"] * 9
    assert clean.schema == table.schema and report["columns"][0]["missing"] == 50_000


def test_metadata_of_pandas(rules, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"id": pandas.Categorical(IDS), "email": EMAILS}, index=pandas.Index([5, 3, 9, 1, 7], name="key")
    )
    frame.to_parquet(tmp_path / "users.parquet")
    rules.clean(tmp_path / "users.parquet")
    clean = pandas.read_parquet(tmp_path / "users.clean.parquet")
    pandas.testing.assert_frame_equal(clean, frame.iloc[[0, 3]])
    assert list(pandas.read_parquet(tmp_path / "users.rejects.parquet").index) == [3, 9, 7]


def test_the_form_of_spark(rules, tmp_path):
    """Tests 96-bit timestamps, decimals as integers, files without an Arrow schema, and several codecs."""
    columns = {
        "when": [dt.datetime(2024, 2, 29)] * 5,
        "price": pa.array([decimal.Decimal("1.5")] * 5, pa.decimal128(9, 2)),
    }
    table = pa.table({"id": IDS, "email": EMAILS} | columns)
    options = {"use_deprecated_int96_timestamps": True, "store_decimal_as_integer": True, "store_schema": False}
    pq.write_table(
        table, tmp_path / "users.parquet", version="1.0", compression={"id": "gzip", "email": "snappy"}, **options
    )
    rules = assay.Rules.parse(RULES + "fieldsMatch: partial\n")
    rules.clean(tmp_path / "users.parquet")
    before, after = (pq.ParquetFile(tmp_path / f"users{name}.parquet") for name in ("", ".clean"))
    assert after.schema.equals(before.schema)
    assert [after.schema.column(place).physical_type for place in (2, 3)] == ["INT96", "INT32"]
    assert b"ARROW:schema" not in (after.metadata.metadata or {})
    assert after.metadata.row_group(0).column(0).compression == "ZSTD"


def test_inputs_that_cannot_be(rules, source, tmp_path):
    (tmp_path / "text.parquet").write_text("id,email\n1,\n")
    (tmp_path / "users.csv").write_text("id,email\n1,\n")
    (tmp_path / "deep/a=1").mkdir(parents=True)
    pq.write_table(users(), tmp_path / "deep/a=1/x.parquet")
    for given, kind, says in (
        (
            "users.feather",
            ValueError,
            r"not a Parquet \(.parquet, .parq, .pq\) or CSV file: read it with pyarrow.feather",
        ),
        ("no*.parquet", FileNotFoundError, r"no file is called .*/no\*.parquet"),
        ("no.parquet", FileNotFoundError, "No such file or directory"),
        (
            "deep",
            IsADirectoryError,
            r"deep is a directory: name its files, assay.clean\('.*/deep/\*\*/\*.parquet', …\)",
        ),
        (
            "deep/*",
            IsADirectoryError,
            r"a=1 is a directory: name its files, assay.clean\('.*/deep/a=1/\*.parquet', …\)",
        ),
        ("text.parquet", assay.AssayError, "cannot read .*text.parquet as Parquet: Parquet magic bytes not found"),
        ("users.*", ValueError, r"users.csv is not Parquet .*or clean the files one at a time: for path in glob"),
    ):
        with pytest.raises(kind, match=says):
            rules.clean(f"{tmp_path}/{given}")
    for given, says in (
        ([], "no path in the list"),
        ([source, tmp_path / "users.csv"], "users.csv is not Parquet"),
        ([source] * 2, "users.parquet is named twice: name it once"),
    ):
        with pytest.raises(ValueError, match=says):
            rules.clean(given)
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike"):
        rules.clean([5])
    with pytest.raises(assay.AssayError, match="no column is named 'id'"):
        pq.write_table(pa.table({"a": ["x"]}), tmp_path / "a.parquet")
        rules.clean(tmp_path / "a.parquet")
    assert not list(tmp_path.glob(".*")) and not list(tmp_path.glob("*.clean.*"))


def test_a_name_that_looks_like_a_pattern(rules, tmp_path):
    pq.write_table(users(), tmp_path / "users[1].PARQUET")
    rules.clean(tmp_path / "users[1].PARQUET")
    assert (tmp_path / "users[1].clean.PARQUET").exists()


def test_pyarrow_is_needed(source):
    program = (
        "import sys; sys.modules['pyarrow'] = None; import assay\n"
        f"assay.clean({str(source)!r}, assay.Rules.parse('fields: [{{name: id}}]'))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr.splitlines()[-1] == "ImportError: pyarrow is needed to read Parquet files: pip install pyarrow"


def test_missing_values(tmp_path):
    rules = assay.Rules.parse(
        "{missingValues: ['', '-', '-9'], fields: [{name: n, type: integer}, {name: t}, {name: s.x, missingValues: "
        "['7']}, {name: d, type: date, format: '%d/%m/%Y', missingValues: ['01/02/2024']}]}"
    )
    days = [dt.date(2024, 2, 1), dt.date(2024, 1, 2), None]
    struct = [{"x": 7}, None, {"x": None}]
    table = pa.table({"n": [-9, 9, None], "t": ["-", "", "x"], "s": struct, "d": days})
    pq.write_table(table, tmp_path / "users.parquet")
    columns = rules.clean(tmp_path / "users.parquet")["columns"]
    assert [(column["name"], column["missing"]) for column in columns] == [("n", 2), ("t", 2), ("s.x", 3), ("d", 2)]


def test_forms_are_those_of_the_schemas(tmp_path, misfits):
    values = pa.array([b"1", b"\xff", b"7" * (2 << 20), None], pa.binary())
    for name in ("a", "b"):
        pq.write_table(pa.table({"id": values, "email": EMAILS[:4]}), tmp_path / f"users-{name}.parquet")
    # Limits that a header would exceed, and a dialect, which tables do not have.
    given = {"limits": {"field-bytes": 2, "record-bytes": 2}, "dialect": {"header": False, "quoteChar": None}}
    for more in ({}, given):
        rules = assay.Rules.parse(json.dumps({"fields": json.loads(assay.Rules.parse(RULES).json())["fields"]} | more))
        report = rules.clean(f"{tmp_path}/users-*.parquet", replace=True)
        assert misfits(report, "report") == []
        assert (report["inputs"][0]["format"], report["inputs"][0]["delimiter"]) == ("parquet", None)
        assert assay.Rules.parse(json.dumps(report["rules"])) == rules
        assert report["limits"]["field-bytes"] == (2 if more else 1 << 20)
        expected = {"fields": 0, "quote": 0, "tooLong": 6 if more else 2, "encoding": 2, "json": 0, "blank": 0}
        assert report["structure"] == expected
        for finding in findings_in(tmp_path / "users.findings.jsonl"):
            assert misfits(finding, "finding") == []


@pytest.mark.parametrize(
    "thresholds",
    [
        {"rejected": "50%", "columns": {"n": "33.3%", "s": 1}, "records": {"min": 7}},
        {"rejected": 3, "columns": {"n": 2}, "rules": {"n.required": 0, "n.even": 2, "s.maxLength": "0.5%"}},
        {"rules": {"n.type": 1, "s.warn": 1, "encoding": 0}, "records": {"min": 1, "max": 5}},
        {},
    ],
)
def test_thresholds(tmp_path, thresholds):
    """Thresholds are the same as for CSV."""
    fields = [
        {
            "name": "n",
            "type": "integer",
            "constraints": {"required": True},
            "rules": [{"id": "n.even", "enum": ["2", "4"]}, {"id": "n.long", "minLength": 2}],
        },
        {"name": "s", "constraints": {"maxLength": 2},
         "rules": [{"id": "s.warn", "pattern": "a+", "severity": "warn"}]},
    ]
    rules = assay.Rules.parse(json.dumps({"fields": fields, "thresholds": thresholds}))
    rows = [("1", "a"), ("22", "aaa"), ("x", "b"), (None, "a"), ("4", "a"), ("44", "a")]
    pq.write_table(pa.table({"n": [n for n, _ in rows], "s": [s for _, s in rows]}), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("n,s\n" + "".join(f"{n or ''},{s}\n" for n, s in rows))
    reports = [rules.clean(tmp_path / name, replace=True) for name in ("t.csv", "t.parquet")]
    assert reports[0]["thresholds"] == reports[1]["thresholds"]
    count = sum(len(named) if isinstance(named, dict) else 1 for named in thresholds.values())
    assert len(reports[1]["thresholds"]) == count


def test_only_so_many_findings_are_written(rules, source, tmp_path, monkeypatch):
    monkeypatch.setattr("assay._clean._MAX_FINDINGS", 3)
    assert rules.clean(source)["findings"] == {"total": 4, "dropped": 1}
    assert len(findings_in(tmp_path / "users.findings.jsonl")) == 3
    assert pq.read_table(tmp_path / "users.rejects.parquet")["_reasons"].to_pylist() == REASONS


#: Uses small row groups, because the buffered row group counts as memory, and filling one of the usual size with
#: rejects would need many more rows.
MEMORY = """
import sys, pyarrow as pa, pyarrow.parquet as pq, assay
assay._groups.GROUP_ROWS = 1 << 13
path, rows = sys.argv[1], int(sys.argv[2])
group = pa.table({
    "id": [str(i) if i % 99 else "x" for i in range(1 << 17)],
    "other": list(range(1 << 17)),
})
with pq.ParquetWriter(path, group.schema) as writer:
    for _ in range(rows >> 17):
        writer.write_table(group)
del group
pool = pa.proxy_memory_pool(pa.default_memory_pool())
pa.set_memory_pool(pool)
rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
report = assay.clean(path, rules, replace=True)
assert report["inputs"][0]["records"] == rows
assert pool.bytes_allocated() == 0
print(pool.max_memory())
"""


def test_memory_does_not_grow(tmp_path):
    def peak(rows):
        arguments = [sys.executable, "-c", MEMORY, str(tmp_path / "users.parquet"), str(rows)]
        return int(subprocess.run(arguments, stdout=subprocess.PIPE, text=True, timeout=300, check=True).stdout)

    few, many = peak(1 << 20), peak(1 << 22)
    assert many < 1.1 * few, (few, many)
