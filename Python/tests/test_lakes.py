"""Tables of Delta Lake and Iceberg: the snapshot is cleaned, and files outside it are refused."""

import builtins
import glob
import json
import os

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs
import pyarrow.parquet as pq
import pytest

import assay

RULES = assay.Rules.parse("fields: [{name: id, type: integer}]")
ROWS = pa.table({"id": ["1", "2", "x", "4"], "p": ["u", "u", "v", None]})


def counts(report):
    return [report["inputs"][0][name] for name in ("records", "clean", "rejected")]


def read(folder):
    return sorted(ds.dataset(folder, partitioning="hive").to_table().to_pylist(), key=str)


@pytest.fixture
def delta(tmp_path):
    """A table of which a row was deleted and whose first files are still in the folder."""
    deltalake = pytest.importorskip("deltalake")
    folder = str(tmp_path / "t")
    deltalake.write_deltalake(folder, ROWS, partition_by=["p"])
    deltalake.DeltaTable(folder).delete("id = '2'")
    return folder


def check_outputs(report, tmp_path):
    assert counts(report) == [3, 2, 1]
    assert read(tmp_path / "good") == [{"id": "1", "p": "u"}, {"id": "4", "p": None}]
    assert read(tmp_path / "bad") == [{"id": "x", "_reasons": "id.type", "p": "v"}]


def test_the_snapshot_of_a_delta_table(delta, tmp_path):
    assert len(glob.glob(f"{delta}/**/*.parquet", recursive=True)) == 4
    check_outputs(RULES.clean_dataset(delta, tmp_path / "good", tmp_path / "bad"), tmp_path)
    assert sorted(os.listdir(tmp_path / "good")) == ["p=__HIVE_DEFAULT_PARTITION__", "p=u"]


@pytest.mark.parametrize("opened", [lambda table: table, lambda table: table.to_pyarrow_dataset()])
def test_an_opened_delta_table(delta, tmp_path, opened):
    import deltalake

    source = opened(deltalake.DeltaTable(delta))
    check_outputs(RULES.clean_dataset(source, tmp_path / "good", tmp_path / "bad"), tmp_path)


def test_an_older_version_of_a_delta_table(delta, tmp_path):
    import deltalake

    report = RULES.clean_dataset(deltalake.DeltaTable(delta, version=0), tmp_path / "good", tmp_path / "bad")
    assert counts(report) == [4, 3, 1]


def test_parts_of_a_table_are_refused(delta, tmp_path, monkeypatch):
    words = r"is part of the Delta table .*/t, which may have removed some of its files\n  hint: clean the snapshot of"
    files = glob.glob(f"{delta}/**/*.parquet", recursive=True)
    for call in (
        lambda: assay.clean(f"{delta}/**/*.parquet", RULES),
        lambda: assay.clean(files, RULES),
        lambda: assay.clean(delta, RULES),
        lambda: assay.profile(f"{delta}/*/*.parquet"),
        lambda: RULES.clean_dataset(f"{delta}/p=u", tmp_path / "good"),
        lambda: RULES.clean_dataset(files, tmp_path / "good"),
    ):
        with pytest.raises(assay.AssayError, match=words):
            call()
    monkeypatch.chdir(delta)
    with pytest.raises(assay.AssayError, match=words):
        assay.clean("p=u/*.parquet", RULES)
    # A file that is named alone is cleaned.
    assert counts(assay.clean(files[0], RULES, tmp_path))[0] >= 1
    assert not (tmp_path / "good").exists()


@pytest.mark.parametrize("library", ["deltalake", "pyiceberg"])
def test_without_the_library(tmp_path, monkeypatch, library):
    kind = {"deltalake": "Delta", "pyiceberg": "Iceberg"}[library]
    if kind == "Delta":
        (tmp_path / "t/_delta_log").mkdir(parents=True)
    else:
        (tmp_path / "t/metadata").mkdir(parents=True)
        (tmp_path / "t/metadata/v1.metadata.json").write_text("{}")
    pq.write_table(ROWS, tmp_path / "t/a.parquet")
    real = builtins.__import__

    def without(name, *rest, **options):
        if name.partition(".")[0] == library:
            raise ImportError(f"no module {name}")
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(assay.AssayError, match=rf"is a {kind} table, (.|\n)*pip install {library}, which"):
        RULES.clean_dataset(tmp_path / "t", tmp_path / "good")


def test_a_broken_delta_table(tmp_path):
    pytest.importorskip("deltalake")
    (tmp_path / "t/_delta_log").mkdir(parents=True)
    with pytest.raises(assay.AssayError, match="cannot read the Delta table"):
        RULES.clean_dataset(tmp_path / "t", tmp_path / "good")


@pytest.fixture
def iceberg(tmp_path):
    """A table of which a row was deleted, and whose column has a new name."""
    catalogs = pytest.importorskip("pyiceberg.catalog.sql")
    pytest.importorskip("sqlalchemy")
    catalog = catalogs.SqlCatalog("c", uri=f"sqlite:///{tmp_path}/c.db", warehouse=f"file://{tmp_path}/w")
    catalog.create_namespace("n")
    table = catalog.create_table("n.t", ROWS.rename_columns(["number", "p"]).schema)
    table.append(ROWS.rename_columns(["number", "p"]))
    table.delete("number = '2'")
    with table.update_schema() as update:
        update.rename_column("number", "id")
    return catalog.load_table("n.t")


def test_the_snapshot_of_an_iceberg_table(iceberg, tmp_path):
    folder = iceberg.location().removeprefix("file://")
    for number, source in enumerate((iceberg, folder)):
        good, bad = tmp_path / f"good{number}", tmp_path / f"bad{number}"
        report = RULES.clean_dataset(source, good, bad, report=tmp_path / f"r{number}.json")
        assert counts(report) == [3, 2, 1] and report["inputs"][0]["format"] == "parquet"
        assert read(good) == [{"id": "1", "p": "u"}, {"id": "4", "p": None}]
        assert read(bad) == [{"id": "x", "p": "v", "_reasons": "id.type"}]
    with pytest.raises(assay.AssayError, match="is part of the Iceberg table"):
        assay.clean(f"{folder}/data/*.parquet", RULES)
    keyed = assay.Rules.parse("{fields: [{name: p, constraints: {unique: true}}], keep: none}")
    assert counts(keyed.clean_dataset(iceberg, None)) == [3, 3, 0]


def test_the_current_metadata_of_iceberg(iceberg, tmp_path):
    folder = iceberg.location().removeprefix("file://")
    newest = max(glob.glob(f"{folder}/metadata/*.metadata.json"))
    name = os.path.basename(newest)
    # Two writers wrote the same version, and only the catalog knows which one succeeded.
    other = f"{folder}/metadata/{name.split('-')[0]}-other.metadata.json"
    with open(newest) as file, open(other, "w") as copy:
        copy.write(file.read())
    with pytest.raises(assay.AssayError, match="has 2 metadata files of version .*only the catalog of the table"):
        RULES.clean_dataset(folder, tmp_path / "good")
    first = min(glob.glob(f"{folder}/metadata/*.metadata.json"))
    os.rename(first, f"{folder}/metadata/v0.metadata.json")
    with open(f"{folder}/metadata/version-hint.text", "w") as file:
        file.write("0\n")
    with pytest.raises(assay.AssayError, match="no column is named 'id'"):
        RULES.clean_dataset(folder, tmp_path / "good")


def test_partition_expressions(tmp_path):
    """A dataset of files with partition expressions, without a partitioning."""
    for name, rows in (("a", ROWS.slice(0, 2)), ("b", ROWS.slice(2, 1))):
        pq.write_table(rows.select(["id"]), tmp_path / f"{name}.parquet")
    source = ds.FileSystemDataset.from_paths(
        ["a.parquet", "b.parquet"], schema=ROWS.schema, format=ds.ParquetFileFormat(),
        filesystem=pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem()),
        partitions=[ds.field("p") == "u", ds.field("p") == "v"])
    report = RULES.clean_dataset(source, tmp_path / "good", tmp_path / "bad", report=tmp_path / "r.json")
    assert counts(report) == [3, 2, 1] and json.loads((tmp_path / "r.json").read_text()) == report
    assert read(tmp_path / "good") == [{"id": "1", "p": "u"}, {"id": "2", "p": "u"}]
    assert read(tmp_path / "bad") == [{"id": "x", "_reasons": "id.type", "p": "v"}]
    # Expressions that name no value of a column are no partitions.
    source = ds.FileSystemDataset.from_paths(
        [str(tmp_path / "a.parquet")], schema=pa.schema([("id", pa.string())]), format=ds.ParquetFileFormat(),
        filesystem=pyarrow.fs.LocalFileSystem(), partitions=[ds.field("id") > "0"])
    assert counts(RULES.clean_dataset(source, tmp_path / "all")) == [2, 2, 0]
