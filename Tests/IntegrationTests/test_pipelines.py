"""The recipes of Docs/pipelines.md, run as they stand with the real programs."""

import contextlib
import getpass
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "Docs/pipelines.md").read_text()
RECIPES = dict(re.findall(r"^## (.*?)\n.*?^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))

#: The exit status of each recipe, and what it must print.
EXPECTED = {
    "Compressed in, compressed out": (0, r"id,uuid,email,[^\n]*\n"),
    "Into PostgreSQL": (0, r"([\w.-]+\|\d+\n){3}"),
    "With DuckDB": (0, r"(?s).*\b[1-9]\d{2,}\b.*"),
    "Findings with jq": (0, r"( +\d+ [\w.-]+\n){3}"),
    "Stop the line when too much is bad": (1, r""),
}

#: The command `duckdb` for those who have it only as a Python package.
DUCKDB = """#!{python}
import sys, duckdb
result = duckdb.sql(sys.argv[2])
if result is not None:
    print(result)
"""


def test_every_recipe_is_known():
    assert list(RECIPES) == list(EXPECTED)


@pytest.fixture(scope="module")
def postgres():
    """A server of our own in a directory of our own, spoken to through a socket there."""
    binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    path = binaries[-1] if binaries else os.path.dirname(shutil.which("initdb"))
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
        user = "postgres" if os.getuid() == 0 else getpass.getuser()
        if os.getuid() == 0:
            shutil.chown(directory, user)
        as_user = ["runuser", "-u", user, "--"] if os.getuid() == 0 else []
        data = f"{directory}/data"
        run = dict(check=True, stdout=subprocess.DEVNULL, cwd="/")
        subprocess.run([*as_user, f"{path}/initdb", "-D", data, "-A", "trust", "-E", "UTF8", "--no-locale"], **run)
        control = [*as_user, f"{path}/pg_ctl", "-D", data, "-w"]
        options = f"-c listen_addresses='' -c unix_socket_directories={directory}"
        subprocess.run([*control, "-l", f"{directory}/log", "-o", options, "start"], **run)
        stack.callback(subprocess.run, [*control, "-m", "immediate", "stop"], **run)
        yield {"PGHOST": directory, "PGUSER": user, "PGDATABASE": "postgres"}


@pytest.mark.parametrize("heading", EXPECTED)
def test_recipe(heading, tmp_path, request):
    script = RECIPES[heading]
    status, printed = EXPECTED[heading]
    environment = dict(os.environ)
    if "psql" in script:
        environment |= request.getfixturevalue("postgres")
    for example in (ROOT / "Examples").glob("users.*"):
        shutil.copy(example, tmp_path)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "assay").symlink_to(pathlib.Path(os.environ["ASSAY"]).resolve())
    if shutil.which("duckdb") is None:
        (programs / "duckdb").write_text(DUCKDB.format(python=sys.executable))
        (programs / "duckdb").chmod(0o755)
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == status, done.stderr
    assert done.stderr == ""
    assert re.fullmatch(printed, done.stdout), done.stdout
