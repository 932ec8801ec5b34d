"""SQL functions for DuckDB: formats, patterns and rules.

>>> import assay
>>> import assay.duckdb
>>> import duckdb
>>> connection = duckdb.connect()
>>> assay.duckdb.register(connection)
>>> query = "SELECT assay_is('iban country=DE', 'DE8937'), assay_matches('[A-Z]+', 'ABC'), assay_is('email', NULL)"
>>> connection.sql(query).fetchall()
[(False, True, None)]

Rules check the rows of a query. The alias of a table denotes its row:

>>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
>>> assay.duckdb.register(connection, "check_users", rules)
>>> connection.sql("SELECT u.id, check_users(u).assay_reasons AS why FROM (VALUES ('1'), ('x')) u(id)").fetchall()
[('1', []), ('x', ['id.type'])]

To check a whole relation with its keys, use :meth:`assay.Rules.check`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import duckdb
import pyarrow

from ._kind import CLEAN, REASONS
from ._pattern import Flags, Matcher, compiled
from ._rules import Carried, Rules
from ._sql import FUNCTIONS, checkable, evaluate_rows

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def register(connection: duckdb.DuckDBPyConnection) -> None: ...


@overload
def register(connection: duckdb.DuckDBPyConnection, name: str, what: Rules) -> None: ...


@overload
def register(connection: duckdb.DuckDBPyConnection, name: str, what: Matcher | str, **flags: Unpack[Flags]) -> None: ...


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str | None = None,
    what: Rules | Matcher | str | None = None,
    **flags: Unpack[Flags],
) -> None:
    """Registers SQL functions in a connection. DuckDB calls them with Arrow vectors.

    ``register(connection)`` adds ``assay_matches(pattern, value)``, which matches whole values, and
    ``assay_is(format, value)``, which takes the name of an :class:`assay.Format`.

    ``register(connection, name, pattern)`` adds ``name(value)`` for a pattern or a format. The flags are those of
    :class:`assay.Pattern`; they apply to a pattern that is given as text.

    ``register(connection, name, rules)`` adds ``name(row)``, which returns a struct of ``assay_clean`` and
    ``assay_reasons``: whether the row is clean, and the names of the rules with findings. ``unnest`` turns the struct
    into columns. Rules with keys, ``unique`` or ``sorted`` raise :class:`ValueError`, because a function cannot compare
    rows.

    The functions return NULL for a missing value and if a limit left the value undecided.
    """
    if name is None:
        for own, function in FUNCTIONS.items():
            _create(connection, own, function, ["VARCHAR", "VARCHAR"], "BOOLEAN")
    elif isinstance(what, Rules):
        # Without parameters, the function accepts arguments of any types.
        _create(connection, name, _of_rows(name, checkable(what)), None,
                f"STRUCT({CLEAN} BOOLEAN, {REASONS} VARCHAR[])")
    elif what is None:
        raise TypeError(f"pass the pattern, assay.Format or rules of the function {name!r} as the next argument")
    else:
        matcher = compiled(what, flags)
        # One thread, because DuckDB calls the function from its own threads, with one vector each.
        _create(connection, name, lambda values: matcher.match(values, threads=1), ["VARCHAR"], "BOOLEAN")


def _of_rows(name: str, rules: Carried) -> Callable[..., Any]:
    """Returns the function that checks rows. DuckDB passes all arguments of the query, so it takes any number."""

    def evaluate(*given: Any) -> Any:
        if len(given) != 1 or not pyarrow.types.is_struct(given[0].type):
            what = f"{len(given)} arguments" if len(given) != 1 else f"a value of the Arrow type {given[0].type}"
            raise TypeError(
                f"{name} takes one argument, a row, and was given {what}: write {name}(u) where u is the alias of the "
                f"table, or {name}(struct_pack(id := …, email := …))"
            )
        return evaluate_rows(rules, given[0])

    return evaluate


def _create(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: Callable[..., Any],
    parameters: list[str] | None,
    returned: str,
) -> None:
    # Pass names, because the enumerations moved between releases of DuckDB.
    options: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
    connection.create_function(name, function, parameters, returned, **options)  # type: ignore[arg-type]
