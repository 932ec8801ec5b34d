"""The recipes of Docs/pipelines.md, run unchanged with the real programs, one after the other in one directory."""

import contextlib
import getpass
import glob
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "Docs/pipelines.md").read_text()
RECIPES = dict(re.findall(r"^## (.*?)\n.*?^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))

#: The exit status of each recipe, and what it must print, on standard output and on standard error.
EXPECTED = {
    "Compressed in, compressed out": (0, r"id,uuid,email,[^\n]*\n", ""),
    "Forty parts as one table": (0, r"\d{4}\n", ""),
    "A dump of MySQL": (0, r"1\tAnna\t\\N\n2\tBo\\tB\.\t1990-01-01\n", ""),
    "A dump of PostgreSQL": (0, r"1\tAnna\t2021-06-21 06:25:37\.12\+00\n2\tBo\t\\N\n", ""),
    "Into PostgreSQL": (0, r"([\w.-]+\|\d+\n){3}", ""),
    "With DuckDB": (0, r"(?s).*\b[1-9]\d{2,}\b.*", ""),
    "Findings with jq": (0, r"( +\d+ [\w.-]+\n){3}", ""),
    "A list of JSON": (0, r'\{"id":1,"mail":"anna@example.org"\}\n', ""),
    "Stop when too many rows are bad": (
        1, "", "assay: standard input: rejected 240 of 4,000 records (6.00 %), more than --max-reject-rate 0.5\n"),
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
    """A private server in a private directory, reached through a socket there."""
    servers = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb")) or [shutil.which("initdb")]
    if servers[-1] is None or shutil.which("psql") is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    path = os.path.dirname(servers[-1])
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
        user = "postgres" if os.getuid() == 0 else getpass.getuser()
        if os.getuid() == 0:
            shutil.chown(directory, user)
        as_user = ["runuser", "-u", user, "--"] if os.getuid() == 0 else []
        if subprocess.run([*as_user, "sh", "-c", ": >/dev/null"], cwd="/", stderr=subprocess.DEVNULL).returncode != 0:
            pytest.skip(f"{user} may not write to /dev/null, which initdb does: {os.stat('/dev/null')}")
        data = f"{directory}/data"
        run = dict(check=True, stdout=subprocess.DEVNULL, cwd="/")
        subprocess.run([*as_user, f"{path}/initdb", "-D", data, "-A", "trust", "-E", "UTF8", "--no-locale"], **run)
        control = [*as_user, f"{path}/pg_ctl", "-D", data, "-w"]
        options = f"-c listen_addresses='' -c unix_socket_directories={directory}"
        subprocess.run([*control, "-l", f"{directory}/log", "-o", options, "start"], **run)
        stack.callback(subprocess.run, [*control, "-m", "immediate", "stop"], **run)
        yield {"PGHOST": directory, "PGUSER": user, "PGDATABASE": "postgres"}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A directory with the example, and the programs that recipes need."""
    directory = tmp_path_factory.mktemp("pipelines")
    for name in ("users.csv", "users.rules.yaml"):
        shutil.copy(ROOT / "Examples" / name, directory)
    programs = directory / "programs"
    programs.mkdir()
    (programs / "assay").symlink_to(pathlib.Path(os.environ["ASSAY"]).resolve())
    if shutil.which("duckdb") is None:
        (programs / "duckdb").write_text(DUCKDB.format(python=sys.executable))
        (programs / "duckdb").chmod(0o755)
    return directory


@pytest.mark.parametrize("heading", EXPECTED)
def test_recipe(heading, workplace, request):
    script = RECIPES[heading]
    status, printed, message = EXPECTED[heading]
    environment = os.environ | {"PATH": f"{workplace / 'programs'}:{os.environ['PATH']}"}
    if "psql" in script:
        environment |= request.getfixturevalue("postgres")
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=workplace, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == status, done.stderr
    assert done.stderr == message
    assert re.fullmatch(printed, done.stdout), done.stdout


COPY_RULES = r"""
dialect: {delimiter: tab, quoteChar: none, escapeChar: '\', header: false}
missingValues: ['\N']
fields:
  - {name: id, type: integer}
  - {name: text, repair: [upper]}
"""


def test_copy_text_and_back(postgres, workplace, tmp_path):
    """Moves 20,000 texts out of a table, through a repair that rewrites most of the texts, and into another table."""
    chance = random.Random(50)
    letters = "\b\f\n\r\t\v\\\\Nabfnrtv01xZ. \"'\x1a\x7f\x01"
    words = ["\\N", "\\.", "N", "\\", "\\\\N", "", "\\n"]
    with open(tmp_path / "hex", "w") as file:
        for number in range(20_000):
            kind = chance.random()
            text = chance.choice(words) if kind < 0.2 else "".join(chance.choice(letters)
                                                                   for _ in range(chance.randrange(12)))
            file.write(f"{number}\t{'NULL' if kind > 0.92 else text.encode().hex()}\n")

    def psql(*commands):
        options = [option for command in commands for option in ("-c", command)]
        return subprocess.run(
            ["psql", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", *options], env=os.environ | postgres, check=True,
            capture_output=True, text=True, timeout=600).stdout

    psql("CREATE TABLE hex (id int, text text)", f"\\copy hex from {tmp_path}/hex with (null 'NULL')",
         "CREATE TABLE before AS SELECT id, convert_from(decode(text, 'hex'), 'UTF8') AS text FROM hex",
         f"\\copy (select * from before order by id) to {tmp_path}/out.copy")
    (tmp_path / "rules.yaml").write_text(COPY_RULES)
    subprocess.run(
        [workplace / "programs" / "assay", "clean", "out.copy", "--rules", "rules.yaml",
         "--clean", "clean.copy", "--quiet"],
        cwd=tmp_path, check=True, timeout=600)
    equal = "count(*) FILTER (WHERE upper(before.text) IS NOT DISTINCT FROM after.text)"
    found = psql("CREATE TABLE after (id int, text text)", f"\\copy after from {tmp_path}/clean.copy",
                 f"SELECT {equal}, count(*) FROM before JOIN after USING (id)")
    assert found == "20000|20000\n"
