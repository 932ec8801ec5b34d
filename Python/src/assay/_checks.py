"""Checks that are functions of Python. Each is asked of a whole column, and its answers are a column of booleans that is judged by a
row rule.

    email ──► function ──► assay_check_1 ──► rows: [{id: email.check, check: assay_check_1}]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from ._kind import library_of, pyarrow_for, rows_in
from ._lists import listed
from ._missing import column_named, names_in
from ._paths import FieldPath, value_inside
from ._text import name_of

#: What the columns of answers are called, with a number.
PREFIX = "assay_check_"


class Check(NamedTuple):
    """A function that says of each value of a column whether it is good."""

    field: str
    function: Callable[[Any], Any]
    id: str
    message: str
    severity: str


def with_checks(rules: Mapping[str, Any], checks: Sequence[Check]) -> dict[str, Any]:
    """Rules that want the answers, and judge them."""
    fields, rows = list(rules["fields"]), list(rules.get("rows", []))
    for number, check in enumerate(checks, 1):
        answer, value = f"{PREFIX}{number}", f'row["{check.field}"]'
        fields.append({"name": answer, "type": "boolean"})
        # The value stands there so that the rule is not asked where there is none, or where it failed its own rules.
        asked = f"{answer} || {value} != {value}"
        rows.append({"id": check.id, "check": asked, "message": check.message, "severity": check.severity})
    return {**rules, "fields": fields, "rows": rows}


def answered(data: Any, checks: Sequence[Check]) -> Any:
    """A table with the columns of answers.

    Raises :class:`TypeError` for what is no table in memory, and :class:`ValueError` for answers that are not one for each row.
    """
    columns: dict[str, list[bool | None]] = {}
    for number, check in enumerate(checks, 1):
        column, rows = _column(data, check.field)
        if column is None:
            continue  # which the rules say better
        given = listed(check.function(column))
        if len(given) != rows:
            raise ValueError(f"the check {check.id!r} gave {len(given)} answers for {rows} values")
        columns[f"{PREFIX}{number}"] = [None if one is None or one != one else bool(one) for one in given]
    return _widened(data, columns)


def _column(data: Any, name: str) -> tuple[Any, int]:
    """A column, as its library has it, and how many rows there are."""
    path = FieldPath.of(name)
    if isinstance(data, Mapping):
        values = data.get(name)
        if values is None and not path.is_plain and path.keys[0] in data:
            values = [value_inside(value, path.keys[1:]) for value in listed(data[path.keys[0]])]
        # A list that is held is a tuple.
        return (list(values) if isinstance(values, tuple) else values), 0 if values is None else len(values)
    if _is_list_of_dicts(data):
        return [path.value(row) for row in data], len(data)
    library = library_of(data)
    if library == "pyarrow" and hasattr(data, "schema"):
        return (column_named(data, name) if name in names_in(data.schema) else None), rows_in(data)
    if library in ("polars", "pandas") and hasattr(data, "__len__") and hasattr(data, "columns"):
        return (data[name] if name in data.columns else None), rows_in(data)
    raise TypeError(
        f"the rules have checks in Python, which are asked of whole columns, and {name_of(data)} has none: check a table of pyarrow, "
        "Polars or pandas, a dict of lists or a list of dicts"
    )


def _widened(data: Any, columns: Mapping[str, list[bool | None]]) -> Any:
    if isinstance(data, Mapping):
        return {**data, **columns}
    if isinstance(data, Sequence):
        return [{**row, **{name: answers[place] for name, answers in columns.items()}} for place, row in enumerate(data)]
    library = library_of(data)
    if library == "polars":
        polars = sys.modules["polars"]
        return data.with_columns([polars.Series(name, answers, polars.Boolean) for name, answers in columns.items()])
    if library == "pandas":
        pandas = sys.modules["pandas"]
        return data.assign(**{name: pandas.array(answers, dtype="boolean") for name, answers in columns.items()})
    pyarrow = pyarrow_for("to check columns")
    table = data if isinstance(data, pyarrow.Table) else pyarrow.Table.from_batches([data])
    for name, answers in columns.items():
        table = table.append_column(name, pyarrow.array(answers, pyarrow.bool_()))
    return table


def _is_list_of_dicts(data: Any) -> bool:
    return isinstance(data, Sequence) and all(isinstance(row, Mapping) for row in data)


def refuse() -> NoReturn:
    raise TypeError(
        "the rules have checks in Python, which are asked of tables in memory: by Rules.check, validate and check_record. Leave the checks "
        "out of the rules for all else"
    )
