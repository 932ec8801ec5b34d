import importlib.util
import json
import pathlib

import pytest

import assay

ROOT = pathlib.Path(__file__).resolve().parents[2]

RULES = """
fields:
  - {name: id, type: integer, constraints: {required: true}}
  - {name: email, format: email}
"""

IDS = ["1", "x", None, "4", ""]
EMAILS = ["anna@example.org", None, "bo", "carl@example.org", "dora@example.org"]
#: Whether each row is clean. The empty text is a missing value, as in a file.
CLEAN = [True, False, False, True, False]
RULES_FOUND = [(2, "id.type"), (3, "id.required"), (3, "email.format"), (5, "id.required")]


@pytest.fixture(scope="session")
def misfits():
    """Returns a function that lists the violations of a JSON Schema of Docs in a value."""
    module = importlib.util.spec_from_file_location("check_docs", ROOT / "Scripts/check-docs.py")
    check_docs = importlib.util.module_from_spec(module)
    module.loader.exec_module(check_docs)

    def misfits(value, name):
        schema = json.loads((ROOT / f"Docs/assay-{name}.schema.json").read_text())
        return list(check_docs.misfits(value, schema, schema))

    return misfits


@pytest.fixture
def rules():
    return assay.Rules.parse(RULES)
