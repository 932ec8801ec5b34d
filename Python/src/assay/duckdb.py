"""Assay inside DuckDB: patterns as functions of SQL.

>>> import assay.duckdb
>>> import duckdb
>>> connection = duckdb.connect()
>>> assay.duckdb.register(connection, "is_iban", r"[A-Z]{2}\\d{6}")
>>> connection.sql("SELECT is_iban('DE104233') AS yes, is_iban('x') AS no, is_iban(NULL) AS unknown").fetchall()
[(True, False, None)]

A whole relation is judged by :meth:`assay.Rules.check`.
"""

from __future__ import annotations

from typing import Any

import duckdb

from ._pattern import Pattern, compiled


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    pattern: Pattern | str,
    *,
    case_insensitive: bool = False,
    unicode_classes: bool = False,
    dot_all: bool = False,
    extended: bool = False,
    multiline: bool = False,
    search: bool = False,
) -> None:
    """Makes ``name(VARCHAR) → BOOLEAN`` of a pattern. It is called with vectors of Arrow, not with single values.

    The flags are those of :class:`assay.Pattern`, for a pattern that is a text. Where a limit left a value undecided the answer is NULL.
    """
    one = compiled(
        pattern,
        case_insensitive=case_insensitive,
        unicode_classes=unicode_classes,
        dot_all=dot_all,
        extended=extended,
        multiline=multiline,
        search=search,
    )

    def match(values: Any) -> Any:
        # DuckDB calls it from its own threads, one vector each.
        return one.match(values, threads=1)

    # By name: the enumerations have moved from one release of DuckDB to the next.
    options: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
    connection.create_function(name, match, ["VARCHAR"], "BOOLEAN", **options)
