"""The first steps of Python/README.md without pyarrow, Polars and pandas.

python first_steps.py FOLDER-OF-THE-EXAMPLES        writes to the current folder
"""

import gzip
import shutil
import sys
from pathlib import Path

import assay

examples = Path(sys.argv[1])
shutil.copy(examples / "users.csv", "users.csv")

rules = assay.Rules.parse("fields:\n  - {name: id, type: integer}\n  - {name: email, format: email}\n")
table = {"id": ["1", "x"], "email": ["anna@example.org", "bo"]}
result = rules.check(table)
assert result.clean == {"id": ["1"], "email": ["anna@example.org"]}, result.clean
assert [(found.record, found.column) for found in result] == [(2, "id"), (2, "email")], list(result)
assert list(assay.Pattern(r"[A-Z]{2}\d{6}").match(["DE123456", "DE12"])) == [True, False]
assert [found.column for found in rules.check_record({"id": "x", "email": "anna@example.org"})] == ["id"]
try:
    rules.validate(table)
except assay.ValidationError as error:
    assert str(error).startswith("1 of 2 records is rejected"), error
else:
    raise SystemExit("a table with errors was valid")
assert rules.validate({"id": ["1"], "email": ["anna@example.org"]}) == {"id": ["1"], "email": ["anna@example.org"]}

report = assay.clean("users.csv", assay.Rules.load(examples / "users.rules.yaml"))
assert report["inputs"][0]["clean"] == 3760, report["inputs"]
assert Path("users.clean.csv").stat().st_size > 600_000


# Test the included ISA-L with gzip.
Path("packed.csv.gz").write_bytes(gzip.compress(Path("users.csv").read_bytes()))
assay.clean("packed.csv.gz", assay.Rules.load(examples / "users.rules.yaml"))
assert gzip.decompress(Path("packed.clean.csv.gz").read_bytes()) == Path("users.clean.csv").read_bytes()

assert list(assay.profile("users.csv").columns)[:2] == ["id", "uuid"]
assert "name: email" in str(assay.infer("users.csv"))
