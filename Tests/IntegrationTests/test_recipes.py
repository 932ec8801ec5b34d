"""The recipes of Docs/ci.md for other tools, with the real programs.

They are installed from PyPI into separate environments below build/recipes. A recipe whose program does not install is
skipped with the reason. ASSAY_RECIPES sets another folder for the environments.
"""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import assay

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "Docs/ci.md").read_text()
PLACE = pathlib.Path(os.environ.get("ASSAY_RECIPES") or ROOT / "build/recipes")
# dbt-core 1.11 and later download parts from elsewhere during installation.
PACKAGES = {
    "dbt": ["dbt-core<1.11", "dbt-duckdb<1.10"],
    "airflow": ["apache-airflow"],
    "gx": ["great_expectations"],
    "prefect": ["prefect", "pyarrow"],
    "dask": ["dask[dataframe]", "pyarrow"],
    "ray": ["ray[data]", "pyarrow"],
    "beam": ["apache-beam", "pyarrow"],
}


def blocks(kind, page=PAGE):
    """The code blocks of a kind, as pairs of the rest of their first line and their text."""
    return re.findall(rf"^```\w+ {kind}(?: (\S+))?\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def environment(tool):
    """The folder of the programs of an environment with the packages of the tool."""
    place = PLACE / tool
    done = place / "installed"
    if not done.exists():
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        result = subprocess.run([place / "bin/python", "-m", "pip", "install", "--quiet",
                                 "--disable-pip-version-check", *PACKAGES[tool]],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800)
        if result.returncode != 0:
            shutil.rmtree(place)
            pytest.skip(f"{' '.join(PACKAGES[tool])} cannot be installed: {result.stdout.strip().splitlines()[-1]}")
        done.touch()
    return place / "bin"


@pytest.fixture
def folder(tmp_path):
    """A folder with the example, and the program on the PATH."""
    for name in ("users.csv", "users.rules.yaml"):
        shutil.copy(ROOT / "Examples" / name, tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/assay").symlink_to(pathlib.Path(os.environ["ASSAY"]).resolve())
    return tmp_path


def run(folder, programs, *command, status=0, **env):
    path = f"{folder}/bin:{programs}:{os.environ['PATH']}"
    result = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            timeout=600, env=os.environ | {"PATH": path, "HOME": str(folder)} | env)
    assert result.returncode == status, result.stdout
    return result.stdout


def test_dbt(folder):
    programs = environment("dbt")
    *files, (_, script) = blocks("dbt")
    for name, text in files:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "dbt_project.yml").write_text(json.dumps({"name": "exports", "version": "1.0", "profile": "exports"}))
    (folder / "profiles.yml").write_text(json.dumps(
        {"exports": {"target": "dev", "outputs": {"dev": {"type": "duckdb", "path": "users.duckdb", "threads": 1}}}}))
    run(folder, programs, "bash", "-c", script, DO_NOT_TRACK="1")
    query = ("import duckdb; print(duckdb.connect('users.duckdb').sql('select sum(users) from "
             "users_by_plan').fetchall()[0][0])")
    assert run(folder, programs, programs / "python", "-c", query) == "3760\n"
    shown = re.search(r"`(select rule.*?)`", PAGE, re.DOTALL).group(1).replace("\n", " ")
    assert "balance.cents" in run(folder, programs, programs / "python",
                                  "-c", f"import duckdb; print(duckdb.sql({shown!r}).fetchall())")
    # Bad data ends the script before dbt runs.
    run(folder, programs, "bash", "-c", script.replace("10%", "1%").replace("dbt ", "touch late; dbt "), status=1)
    assert not (folder / "late").exists()


def test_airflow(folder):
    programs = environment("airflow")
    [(_, code)] = blocks("airflow")
    (folder / "dags").mkdir()
    (folder / "clean").mkdir()
    (folder / "dags/exports.py").write_text(code.replace('"/data"', repr(str(folder))) + "\n")
    settings = {"AIRFLOW_HOME": str(folder), "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
                "AIRFLOW__CORE__DAGS_FOLDER": str(folder / "dags"), "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False"}
    run(folder, programs, "airflow", "db", "migrate", **settings)
    text = run(folder, programs, "airflow", "dags", "test", "exports", **settings)
    assert "state=success" in text or "DagRun Finished" in text, text
    assert (folder / "clean/users.clean.csv").exists()


@pytest.fixture
def users(folder):
    """The example as Parquet, with all values as text, and its clean rows."""
    with open(folder / "users.csv", newline="", encoding="utf-8", errors="replace") as file:
        names, *rows = csv.reader(file)
    table = pa.Table.from_pylist([dict(zip(names, row)) for row in rows if len(row) == len(names)])
    (folder / "users.parquet").mkdir()
    for part in range(3):
        pq.write_table(table.slice(part * 1_500, 1_500), folder / f"users.parquet/{part}.parquet")
    result = assay.Rules.load(folder / "users.rules.yaml").check(table)
    assert result.report.clean and result.report.rejected
    return result


def in_process(tool):
    """The Python of an environment, with a link to the package of this environment. This works because the package has
    no dependencies and one build for all versions."""
    programs = environment(tool)
    found = subprocess.run([programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                           stdout=subprocess.PIPE, text=True, check=True)
    link = pathlib.Path(found.stdout.strip()) / "assay"
    link.unlink(missing_ok=True)
    link.symlink_to(pathlib.Path(assay.__file__).parent)
    return programs


def test_prefect(folder):
    programs = in_process("prefect")
    [(_, code)] = blocks("prefect")
    (folder / "exports.py").write_text(code)
    settings = {"PREFECT_SERVER_ANALYTICS_ENABLED": "false", "PREFECT_LOGGING_LEVEL": "ERROR",
                "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "true",
                "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300"}
    (folder / "clean").mkdir()
    assert run(folder, programs, programs / "python", "exports.py", **settings).splitlines()[-1] == "3760"
    assert (folder / "clean/users.clean.csv").exists()
    (folder / "exports.py").write_text(code.replace("0.1 *", "0.01 *").replace("retries=2", "retries=0"))
    assert "240 of 4000 records are rejected" in run(folder, programs, programs / "python", "exports.py",
                                                     status=1, **settings)


@pytest.mark.parametrize("tool", ["dask", "ray"])
def test_frames_of_workers(folder, users, tool):
    programs = in_process(tool)
    [(_, code)] = blocks(tool)
    # A separate program, with a name that is not a module.
    (folder / "check_users.py").write_text(code)
    run(folder, programs, programs / "python", "check_users.py", RAY_USAGE_STATS_ENABLED="0", RAY_DEDUP_LOGS="0")
    clean = pq.read_table(folder / "clean")
    assert sorted(clean["id"].to_pylist()) == sorted(users.clean["id"].to_pylist())


def test_beam(folder, users):
    programs = in_process("beam")
    [(_, code)] = blocks("beam")
    (folder / "check_users.py").write_text(code)
    run(folder, programs, programs / "python", "check_users.py")
    [count], [rejected] = (list(folder.glob(f"{name}-*")) for name in ("clean", "rejected"))
    assert int(count.read_text()) == users.report.clean
    assert sorted(rejected.read_text().splitlines()) == sorted(users.rejected["id"].to_pylist())


def test_great_expectations(folder):
    programs = environment("gx")
    [(_, code)] = blocks("gx")
    run(folder, programs, programs / "python", "-c", code, GX_ANALYTICS_ENABLED="false")
    text = run(folder, programs, programs / "python", "-c", code.replace("1_000", "1_000_000"), status=1,
               GX_ANALYTICS_ENABLED="false")
    assert "AssertionError" in text


def test_the_suite_of_python_md(folder):
    """The suite finds the same numbers of values as the rules below it, which test_documents.py runs."""
    programs = environment("gx")
    [(_, code)] = blocks("gx-users", (ROOT / "Docs/python.md").read_text())
    text = run(folder, programs, programs / "python", "-c", code, GX_ANALYTICS_ENABLED="false")
    assert text.splitlines()[-1] == "True [0, 2, 1, 1]"


def test_differences_to_great_expectations(folder):
    """The list in Docs/ci.md."""
    programs = environment("gx")
    code = """
import great_expectations as gx, pandas as pd
context = gx.get_context(mode="ephemeral")
def counts(expectation, **columns):
    result = context.data_sources.pandas_default.read_dataframe(pd.DataFrame(columns)).validate(expectation)
    print(result.success, result.result["unexpected_count"])
of = gx.expectations
counts(of.ExpectColumnValuesToBeUnique(column="a"), a=[1, 1, 2])
counts(of.ExpectCompoundColumnsToBeUnique(column_list=["a", "b"]), a=[1, 1, 2], b=[1, 1, 1])
counts(of.ExpectColumnPairValuesAToBeGreaterThanB(column_A="a", column_B="b"), a=[2.0, 2.0, None], b=[1.0, None, 1.0])
counts(of.ExpectColumnValuesToBeInSet(column="a", value_set=["x"], mostly=0.6), a=["x", "y", None, None])
"""
    text = run(folder, programs, programs / "python", "-c", code, GX_ANALYTICS_ENABLED="false")
    lines = [line for line in text.splitlines() if line.startswith(("True", "False"))]
    assert lines == ["False 2", "False 2", "False 2", "False 1"]
    unique = "{fields: [{name: a, constraints: {unique: true}}, {name: b}], uniqueKeys: [[a, b]], keep: none}"
    assert assay.Rules.parse(unique).check({"a": [1, 1, 2], "b": [1, 1, 1]}).report.rejected == 2
    pairs = {"a": [2.0, 2.0, None], "b": [1.0, None, 1.0]}
    fields = "{fields: [{name: a, type: number%s}, {name: b, type: number%s}], rows: [{id: r, check: a > b}]}"
    required = ", constraints: {required: true}"
    assert assay.Rules.parse(fields % ("", "")).check(pairs).report.rejected == 0
    assert assay.Rules.parse(fields % (required, required)).check(pairs).report.rejected == 2
    share = "{fields: [{name: a, constraints: {enum: [x]}}], thresholds: {rejected: 100%, rules: {a.enum: 40%}}}"
    assert assay.Rules.parse(share).check({"a": ["x", "y", None, None]}).passes
