import pytest

import assay

RULES = """
fields:
  - {name: id, type: integer, constraints: {required: true}}
  - {name: email, format: email}
"""

IDS = ["1", "x", None, "4", ""]
EMAILS = ["anna@example.org", None, "bo", "carl@example.org", "dora@example.org"]
#: Which rows are clean. The empty text is a missing value, as in a file.
CLEAN = [True, False, False, True, False]
RULES_FOUND = [(2, "id.type"), (3, "id.required"), (3, "email.format"), (5, "id.required")]


@pytest.fixture
def rules():
    return assay.Rules.parse(RULES)
