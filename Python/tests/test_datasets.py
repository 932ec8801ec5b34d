"""Datasets of pyarrow: no row is lost, and the partitions are kept."""

import json
import os
import stat
import subprocess
import sys

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import assay

RULES = """
fields:
  - {name: id, type: integer, repair: [trim]}
  - {name: email, format: email}
  - {name: year, type: integer, constraints: {maximum: 2026}}
"""
ROWS = 30_000


@pytest.fixture
def rules():
    return assay.Rules.parse(RULES)


def table(rows=ROWS):
    return pa.table(
        {
            "id": [f" {row}" if row % 10 == 0 else f"x{row}" if row % 11 == 1 else str(row) for row in range(rows)],
            "email": [None if row % 7 else f"a{row}@example.org" for row in range(rows)],
            "year": [2020 + row % 8 for row in range(rows)],
            "n": list(range(rows)),
        }
    )


def written(folder, format="parquet", keys=("year",), flavor="hive"):
    ds.write_dataset(table(), folder, format=format, partitioning=list(keys), partitioning_flavor=flavor,
                     max_rows_per_file=2_000, max_rows_per_group=1_000)
    return folder


def read(folder, format="parquet", partitioning="hive"):
    return ds.dataset(folder, format=format, partitioning=partitioning).to_table()


def sorted_rows(rows):
    return sorted(rows, key=lambda row: int(row["n"]))


@pytest.mark.parametrize("format", ["parquet", "csv", "arrow"])
def test_no_row_is_lost(rules, tmp_path, format):
    source = written(tmp_path / "in", format)
    report = rules.clean_dataset(source, tmp_path / "clean", tmp_path / "rejects", format=format,
                                 findings=tmp_path / "f.jsonl", report=tmp_path / "r.json")
    expected = rules.check(table())
    clean, rejects = read(tmp_path / "clean", format), read(tmp_path / "rejects", format)
    assert report["inputs"][0]["records"] == ROWS == clean.num_rows + rejects.num_rows
    assert (clean.num_rows, rejects.num_rows) == (expected.report.clean, expected.report.rejected)
    assert set(clean["n"].to_pylist()) == {row["n"] for row in expected.clean.to_pylist()}
    reasons = {row["n"]: ";".join(why) for row, why in zip(table().to_pylist(), expected.reasons.to_pylist())}
    assert all(row["_reasons"] == reasons[row["n"]] for row in rejects.to_pylist())
    if format != "csv":
        got = rejects.drop_columns("_reasons").select(table().column_names).to_pylist()
        assert sorted_rows(got) == sorted_rows(expected.rejected.to_pylist())
        assert sorted_rows(clean.select(table().column_names).to_pylist()) == sorted_rows(expected.clean.to_pylist())
    # A rule rejects 2027 in a column that exists only in folder names.
    assert sorted(os.listdir(tmp_path / "clean")) == [f"year={year}" for year in range(2020, 2027)]
    assert sorted(os.listdir(tmp_path / "rejects")) == [f"year={year}" for year in range(2020, 2028)]
    assert json.loads((tmp_path / "r.json").read_text()) == report
    assert sum(1 for _ in (tmp_path / "f.jsonl").open()) == report["findings"]["total"] == len(list(expected))
    counts = {rule["id"]: rule["failed"] for column in report["columns"] for rule in column["rules"]}
    assert counts["year.maximum"] == ROWS // 8 and report["inputs"][0]["changedWhileRead"] is False
    assert report["inputs"][0]["bytes"] == sum(os.path.getsize(os.path.join(at, name))
                                               for at, _, names in os.walk(source) for name in names)
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_texts_of_csv_stay(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.csv").write_text("id;day;share\n007;2026-01-02;1.50\nx;NA;\n")
    format = ds.CsvFileFormat(csv.ParseOptions(delimiter=";"))
    rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
    rules.clean_dataset(tmp_path / "in", tmp_path / "clean", tmp_path / "rejects", format=format, annotate=False)
    [clean] = (tmp_path / "clean").iterdir()
    [rejects] = (tmp_path / "rejects").iterdir()
    assert clean.read_text().replace('"', "") == "id;day;share\n007;2026-01-02;1.50\n"
    assert rejects.read_text().replace('"', "") == "id;day;share\nx;NA;\n"


def test_json_becomes_the_requested_format(rules, tmp_path):
    (tmp_path / "in.json").write_text("".join(json.dumps(row) + "\n" for row in table(100).to_pylist()))
    with pytest.raises(assay.AssayError,
                       match="pyarrow cannot write datasets in the format of(.|\n)*output_format='parquet'"):
        rules.clean_dataset(tmp_path / "in.json", tmp_path / "clean", format="json")
    report = rules.clean_dataset(tmp_path / "in.json", tmp_path / "clean", tmp_path / "rejects", format="json",
                                 output_format="parquet")
    assert report["inputs"][0]["records"] == 100 == read(tmp_path / "clean").num_rows + read(
        tmp_path / "rejects").num_rows


@pytest.mark.parametrize(
    "format, name, delimiter",
    [
        ("parquet", "parquet", None),
        ("arrow", "arrow", None),
        ("orc", "orc", None),
        ("json", "jsonl", None),
        (ds.CsvFileFormat(csv.ParseOptions(delimiter=";")), "csv", {"text": ";", "chosen": False}),
        (None, "arrow", None),
    ],
)
def test_reports_contain_the_format(rules, misfits, tmp_path, format, name, delimiter):
    source = tmp_path / "in"
    if format is None:
        source = ds.dataset(table(100))
    elif format == "json":
        source.write_text("".join(json.dumps(row) + "\n" for row in table(100).to_pylist()))
    elif format == "orc":
        pytest.importorskip("pyarrow.orc").write_table(table(100), source)
    else:
        # pyarrow 25 always writes commas, regardless of the delimiter in the read options.
        options = format.make_write_options(delimiter=";") if name == "csv" else None
        ds.write_dataset(table(100), source, format=format, file_options=options)
    report = rules.clean_dataset(source, tmp_path / "clean", None, format=format, output_format="parquet")
    assert (report["inputs"][0]["format"], report["inputs"][0]["delimiter"]) == (name, delimiter)
    assert misfits(report, "report") == []


def test_reports_of_several_formats(rules, misfits, tmp_path):
    written(tmp_path / "a", "parquet", keys=())
    both = ds.dataset([ds.dataset(tmp_path / "a", format="parquet"), ds.dataset(table(100))])
    report = rules.clean_dataset(both, tmp_path / "clean", None, output_format="parquet")
    assert report["inputs"][0]["format"] is None
    assert misfits(report, "report") == []


def test_datasets_and_partitions_of_other_forms(rules, tmp_path):
    source = written(tmp_path / "in", flavor=None)
    dataset = ds.dataset(source, format="parquet", partitioning=["year"])
    rules.clean_dataset(dataset, tmp_path / "clean", tmp_path / "rejects")
    assert sorted(os.listdir(tmp_path / "clean")) == [str(year) for year in range(2020, 2027)]
    # A dataset in memory has no file format.
    with pytest.raises(assay.AssayError, match="pyarrow cannot write datasets in the format of the dataset"):
        rules.clean_dataset(ds.dataset(table()), tmp_path / "other")
    rules.clean_dataset(ds.dataset(table()), tmp_path / "other", output_format="csv")
    assert read(tmp_path / "other", "csv").num_rows == rules.check(table()).report.clean


@pytest.mark.parametrize("keep", ["first", "none", "last"])
def test_keys_are_compared_over_all_files(tmp_path, keep):
    rules = assay.Rules.parse(f"{{fields: [{{name: k, type: integer, constraints: {{unique: true}}}}], keep: {keep}}}")
    for part in range(3):
        (tmp_path / "in").mkdir(exist_ok=True)
        pq.write_table(pa.table({"k": [str(n % 2_000) for n in range(part * 1_000, part * 1_000 + 1_000)]}),
                       tmp_path / f"in/{part}.parquet")
    report = rules.clean_dataset(tmp_path / "in", tmp_path / "clean", tmp_path / "rejects")
    assert report["inputs"][0]["rejected"] == (2_000 if keep == "none" else 1_000)
    clean = read(tmp_path / "clean")["k"].to_pylist()
    assert len(clean) == len(set(clean)) == 3_000 - report["inputs"][0]["rejected"]


def test_compression_progress_and_modes(rules, tmp_path):
    pq.write_table(table(100), tmp_path / "in.parquet", compression="gzip")
    seen = []
    (tmp_path / "in").mkdir(mode=0o750)
    os.rename(tmp_path / "in.parquet", tmp_path / "in/a.parquet")
    rules.clean_dataset(tmp_path / "in", tmp_path / "clean", progress=lambda *step: seen.append(step))
    assert seen[-1] == (100, 100)
    [file] = (tmp_path / "clean").iterdir()
    assert pq.ParquetFile(file).metadata.row_group(0).column(0).compression == "GZIP"
    assert stat.S_IMODE(os.stat(tmp_path / "clean").st_mode) & 0o007 == 0


def test_existing_folders_are_kept_and_temporary_ones_removed(rules, tmp_path):
    source = written(tmp_path / "in")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    for options, message in (
        ({"clean": tmp_path / "full"}, "the output .*full exists already"),
        ({"clean": source / "year=2020/clean"}, "is in the input"),
        ({"clean": tmp_path / "a", "rejects": tmp_path / "a"}, "both outputs would be the same folder"),
        ({"clean": tmp_path / "no/where"}, "cannot create .*: No such file"),
        ({"clean": tmp_path / "a", "findings": tmp_path / "f.txt"}, "the findings are written as JSON lines or as CSV"),
    ):
        with pytest.raises(assay.AssayError, match=message):
            rules.clean_dataset(source, **options)
    with pytest.raises(assay.AssayError, match="no column is named 'email'"):
        assay.Rules.parse(RULES).clean_dataset(ds.dataset(table().drop_columns("email")), tmp_path / "a",
                                               output_format="parquet")
    # Errors while reading.
    broken = tmp_path / "in/year=2026/part-0.parquet"
    content = bytearray(broken.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    broken.write_bytes(content)
    with pytest.raises((assay.AssayError, OSError)):
        rules.clean_dataset(source, tmp_path / "a", tmp_path / "b", findings=tmp_path / "f.jsonl")

    def stop(done, total):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        rules.clean_dataset(ds.dataset(table()), tmp_path / "a", tmp_path / "b", output_format="parquet", progress=stop)
    assert sorted(os.listdir(tmp_path)) == ["full", "in"]


def test_a_side_without_rows(rules, tmp_path):
    report = rules.clean_dataset(ds.dataset(table(1)), tmp_path / "clean", tmp_path / "rejects",
                                 output_format="parquet")
    assert report["inputs"][0]["rejected"] == 0
    assert read(tmp_path / "clean").num_rows == 1 and os.listdir(tmp_path / "rejects") == []
    # Refuse input that is already annotated rejects.
    rejects = table(1).append_column("_reasons", [["id.type"]])
    with pytest.raises(assay.AssayError, match="has a column _reasons already"):
        rules.clean_dataset(ds.dataset(rejects), tmp_path / "c", output_format="parquet")



MEMORY = """
import resource, sys
import assay, pyarrow.dataset as ds
rules = assay.Rules.parse({"fields": [{"name": "id", "type": "integer"}]})
rules.clean_dataset(sys.argv[1], sys.argv[2], sys.argv[3], threads=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_rows(tmp_path):
    """Compares about 100 MB of texts with four times that size, in row groups of equal size."""
    texts = pa.array(["x" * 100] * 100_000)
    peaks = []
    for groups in (10, 40):
        folder = tmp_path / f"in{groups}"
        folder.mkdir()
        with pq.ParquetWriter(folder / "a.parquet", pa.schema({"id": pa.string(), "text": pa.string()}),
                              use_dictionary=False) as writer:
            for group in range(groups):
                ids = pa.array([str(row) if row % 3 else "x" for row in range(100_000)])
                writer.write_table(pa.table({"id": ids, "text": texts}))
        outputs = [tmp_path / f"{name}{groups}" for name in ("clean", "rejects")]
        done = subprocess.run([sys.executable, "-c", MEMORY, folder, *outputs], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert sum(read(output).num_rows for output in outputs) == groups * 100_000
        peaks.append(int(done.stdout) << 10)
    assert peaks[1] - peaks[0] < 200 << 20, peaks
