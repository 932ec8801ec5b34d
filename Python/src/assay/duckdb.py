"""Assay inside DuckDB: formats, patterns and rules as functions of SQL.

>>> import assay
>>> import assay.duckdb
>>> import duckdb
>>> connection = duckdb.connect()
>>> assay.duckdb.register(connection)
>>> connection.sql("SELECT assay_is('iban country=DE', 'DE8937'), assay_matches('[A-Z]+', 'ABC'), assay_is('email', NULL)").fetchall()
[(False, True, None)]

Rules judge the rows of a query. The alias of a table stands for its row:

>>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
>>> assay.duckdb.register(connection, "check_users", rules)
>>> connection.sql("SELECT u.id, check_users(u).assay_reasons AS why FROM (VALUES ('1'), ('x')) u(id)").fetchall()
[('1', []), ('x', ['id.type'])]

A whole relation is judged by :meth:`assay.Rules.check`, with its keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import duckdb
import pyarrow

from ._kind import CLEAN, REASONS
from ._pattern import Flags, Judge, compiled
from ._rules import Carried, Rules
from ._sql import FUNCTIONS, judge_rows, judgeable

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def register(connection: duckdb.DuckDBPyConnection) -> None: ...


@overload
def register(connection: duckdb.DuckDBPyConnection, name: str, what: Rules) -> None: ...


@overload
def register(connection: duckdb.DuckDBPyConnection, name: str, what: Judge | str, **flags: Unpack[Flags]) -> None: ...


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str | None = None,
    what: Rules | Judge | str | None = None,
    **flags: Unpack[Flags],
) -> None:
    """Makes functions of SQL, which are called with vectors of Arrow, not with single values.

    ``register(connection)`` makes ``assay_matches(pattern, value)``, the whole of which has to match, and
    ``assay_is(format, value)``, which knows the :class:`assay.Format` of that name.

    ``register(connection, name, pattern)`` makes ``name(value)`` of a pattern or of a format. The flags are those of
    :class:`assay.Pattern`, for a pattern that is a text.

    ``register(connection, name, rules)`` makes ``name(row)``, the struct of ``assay_clean`` and ``assay_reasons``: whether a row is
    clean, and the names of the rules that found something. ``unnest`` makes columns of them. Rules with keys are refused: a
    function sees one row at a time.

    Answers are NULL where there is no value, and where a limit left it undecided.
    """
    if name is None:
        for own, function in FUNCTIONS.items():
            _create(connection, own, function, ["VARCHAR", "VARCHAR"], "BOOLEAN")
    elif isinstance(what, Rules):
        # No parameters: of any types.
        _create(connection, name, _of_rows(name, judgeable(what)), None, f"STRUCT({CLEAN} BOOLEAN, {REASONS} VARCHAR[])")
    elif what is None:
        raise TypeError(f"what is {name}? A pattern, an assay.Format, or rules")
    else:
        judge = compiled(what, flags)
        # DuckDB calls it from its own threads, one vector each.
        _create(connection, name, lambda values: judge.match(values, threads=1), ["VARCHAR"], "BOOLEAN")


def _of_rows(name: str, rules: Carried) -> Callable[..., Any]:
    """The function that judges rows, which DuckDB calls with as many arguments as people write."""

    def judge(*given: Any) -> Any:
        if len(given) != 1 or not pyarrow.types.is_struct(given[0].type):
            what = f"{len(given)} arguments" if len(given) != 1 else f"a value of the Arrow type {given[0].type}"
            raise TypeError(
                f"{name} takes one argument, a row, and was given {what}: write {name}(u) where u is the alias of the table, or "
                f"{name}(struct_pack(id := …, email := …))"
            )
        return judge_rows(rules, given[0])

    return judge


def _create(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: Callable[..., Any],
    parameters: list[str] | None,
    returned: str,
) -> None:
    # By name: the enumerations have moved from one release of DuckDB to the next.
    options: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
    connection.create_function(name, function, parameters, returned, **options)  # type: ignore[arg-type]
