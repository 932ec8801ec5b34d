"""Assertions for tests, with a summary of the findings as the message.

>>> from assay.testing import assert_valid
>>> assert_valid({"id": ["1", "2"]}, {"fields": [{"name": "id", "type": "integer"}]})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._decorators import RulesLike, rules_like
from ._validation import ValidationError


def assert_valid(
    table: Any,
    rules: RulesLike,
    *,
    references: Mapping[str, Any] | None = None,
    values: bool = True,
) -> None:
    """Fails a test with a summary of the findings if a row is rejected or a threshold is exceeded.

    :param rules: rules, a dict, or the path of a rule file.
    :param references: as for :meth:`assay.Rules.check`.
    :param values: whether the message shows the values of the table.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    try:
        rules_like(rules).validate(table, references=references, values=values)
    except ValidationError as error:
        raise AssertionError(str(error)) from None
