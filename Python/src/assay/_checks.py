"""Checks that are Python functions. Each is called with a whole column; its answers become a column of booleans that a
row rule tests.

    email ──► function ──► assay_check_1 ──► rows: [{id: email.check, check: assay_check_1}]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from . import _arrow, _native
from ._arrow import ArrowColumn
from ._kind import are_all_clean, library_of, rows_in
from ._kinds import kind_of
from ._lists import listed
from ._missing import column_named, names_in
from ._paths import FieldPath, value_inside
from ._pyarrow import pyarrow_for
from ._text import name_of

#: The prefix of the names of answer columns, before a number.
PREFIX = "assay_check_"


class Check(NamedTuple):
    """A function that returns a boolean for each value of a column, or for each row."""

    #: None: the function receives the whole table.
    field: str | None
    function: Callable[[Any], Any]
    id: str
    message: str
    severity: str


def with_checks(rules: Mapping[str, Any], checks: Sequence[Check]) -> dict[str, Any]:
    """Returns the rules with fields and row rules for the answers."""
    fields, rows = list(rules["fields"]), list(rules.get("rows", []))
    for number, check in enumerate(checks, 1):
        answer, value = f"{PREFIX}{number}", f'row["{check.field}"]'
        fields.append({"name": answer, "type": "boolean"})
        # The rule mentions the value, so that it is skipped for values that are missing or fail their own rules.
        requested = answer if check.field is None else f"{answer} || {value} != {value}"
        rows.append({"id": check.id, "check": requested, "message": check.message, "severity": check.severity})
    return {**rules, "fields": fields, "rows": rows}


class ValidValues:
    """The columns of checks without the values that break other rules of their field. So a function such as
    ``lambda ids: ids.cast(int) > 0`` also works for a column with text. Immutable; any number of threads may use it."""

    def __init__(self, rules: _native.Rules, checks: Sequence[Check]):
        described = json.loads(rules.json())
        common = {key: described[key] for key in ("missingValues", "limits") if key in described}
        fields = {field["name"]: field for field in described["fields"]}
        self._rules = {
            check.field: _native.parse(json.dumps({**common, "fields": [_alone(fields[check.field])]}), "rules", True)
            for check in checks if check.field is not None and check.field in fields
        }

    def of(self, field: str, column: Any) -> Any:
        """Returns a column with null in place of the invalid values; the same column if all are valid."""
        kind = kind_of(column)
        results = kind.check(self._rules[field], kind.hold(column, 0), 0, 0, None)
        if are_all_clean(results):
            return column
        mask = kind.mask(column, ArrowColumn(results, _arrow.VERDICTS))
        library = library_of(column)
        if library == "pyarrow":
            pyarrow = pyarrow_for("to check columns")
            mask = mask if isinstance(mask, pyarrow.ChunkedArray) else pyarrow.array(mask)
            try:
                return pyarrow.compute.if_else(mask, column, pyarrow.scalar(None, column.type))
            except pyarrow.ArrowException:
                return column  # of a type without this function, such as string_view
        if library == "polars":
            polars = sys.modules["polars"]
            return polars.select(polars.when(mask).then(column)).to_series().alias(column.name)
        if library == "pandas":
            return column.where(mask.to_numpy(dtype=bool))
        return [value if is_valid else None for value, is_valid in zip(listed(column), mask)]


def _alone(field: dict[str, Any]) -> dict[str, Any]:
    """Removes the rules of a field that compare values with one another."""
    constraints = {key: value for key, value in field.get("constraints", {}).items() if key not in ("unique", "sorted")}
    return {**field, "constraints": constraints} if constraints else {
        key: value for key, value in field.items() if key != "constraints"}


def answered(data: Any, checks: Sequence[Check], valid: ValidValues) -> Any:
    """Returns the table with the columns of answers.

    Raises :class:`TypeError` for objects that are not tables in memory, and :class:`ValueError` if a function does not
    return one answer per row.
    """
    columns: dict[str, list[bool | None]] = {}
    for number, check in enumerate(checks, 1):
        column, rows = _table(data) if check.field is None else _column(data, check.field)
        if column is None:
            continue  # the rules report a missing column with a better message
        if check.field is not None:
            column = valid.of(check.field, column)
        given = listed(check.function(column))
        if len(given) != rows:
            of_what = "rows" if check.field is None else "values"
            raise ValueError(f"the check {check.id!r} gave {len(given)} answers for {rows} {of_what}")
        columns[f"{PREFIX}{number}"] = [None if one is None or one != one else bool(one) for one in given]
    return _widened(data, columns)


class RowCheck:
    """A Python function that checks whole rows, as a member of :meth:`assay.Rules.of`. It receives the table, as an
    object of its library, and returns one boolean per row: whether the row is valid. ``None`` makes no statement.

    A dict of lists stays one, and so does a list of dicts. Such rules apply only to tables in memory, in
    :meth:`assay.Rules.check`, ``validate`` and ``check_record``. The function also receives rows that break other
    rules.

    >>> import assay
    >>> def above_mean(table):
    ...     mean = sum(table["price"]) / len(table["price"])
    ...     return [price < 3 * mean for price in table["price"]]
    >>> rules = assay.Rules.of(assay.Field("price").type("number"), assay.RowCheck(above_mean, "is an outlier"))
    >>> [(finding.record, finding.rule) for finding in rules.check({"price": [1, 1, 1, 9]})]
    [(4, 'above_mean')]
    """

    def __init__(
        self, function: Callable[[Any], Any], message: str, *, id: str | None = None, severity: str = "reject"
    ):
        """
        Raises :class:`TypeError` if `function` is not callable.

        :param id: the id of the rule. Default: the name of the function.
        """
        if not callable(function):
            raise TypeError(f"a check is a function of a table, not {type(function).__name__}")
        own = id or getattr(function, "__name__", "check").replace("<lambda>", "check")
        self._check = Check(None, function, own, message, severity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowCheck) and self._check == other._check

    def __hash__(self) -> int:
        return hash(self._check)

    def __repr__(self) -> str:
        return f"<assay.RowCheck {self._check.id}>"


RowCheck.__module__ = "assay"


def _table(data: Any) -> tuple[Any, int]:
    """Returns the table for a check of rows, and the number of rows."""
    if isinstance(data, Mapping):
        # Pass lists, because `hold` stores lists as tuples.
        table = {name: list(values) if isinstance(values, tuple) else values for name, values in data.items()}
        return table, max(map(len, table.values()), default=0)
    if _is_list_of_dicts(data):
        return list(data), len(data)
    if library_of(data) in ("pyarrow", "polars", "pandas") and hasattr(data, "__len__") and hasattr(data, "columns"):
        return data, len(data)
    raise _no_columns(data)


def _no_columns(data: Any) -> TypeError:
    return TypeError(
        f"the rules have checks in Python, which need whole columns, but {name_of(data)} has no columns: check a "
        f"table of pyarrow, Polars or pandas, a dict of lists or a list of dicts"
    )


def _column(data: Any, name: str) -> tuple[Any, int]:
    """Returns a column of the table's library, and the number of rows."""
    path = FieldPath.of(name)
    if isinstance(data, Mapping):
        values = data.get(name)
        if values is None and not path.is_plain and path.keys[0] in data:
            values = [value_inside(value, path.keys[1:]) for value in listed(data[path.keys[0]])]
        # Pass a list, because `hold` stores lists as tuples.
        return (list(values) if isinstance(values, tuple) else values), 0 if values is None else len(values)
    if _is_list_of_dicts(data):
        return [path.value(row) for row in data], len(data)
    library = library_of(data)
    if library == "pyarrow" and hasattr(data, "schema"):
        return (column_named(data, name) if name in names_in(data.schema) else None), rows_in(data)
    if library in ("polars", "pandas") and hasattr(data, "__len__") and hasattr(data, "columns"):
        return (data[name] if name in data.columns else None), rows_in(data)
    raise _no_columns(data)


def _widened(data: Any, columns: Mapping[str, list[bool | None]]) -> Any:
    if isinstance(data, Mapping):
        return {**data, **columns}
    if isinstance(data, Sequence):
        return [{**row, **{name: answers[place] for name, answers in columns.items()}}
                for place, row in enumerate(data)]
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
        "the rules have checks in Python, which are asked of tables in memory: by Rules.check, validate and "
        "check_record. Leave the checks out of the rules for all else"
    )
