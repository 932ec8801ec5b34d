"""Queries of Polars that check the rows of a LazyFrame when it is collected. The caller imported Polars."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._kind import has_keys
from ._repair import Repairs

if TYPE_CHECKING:
    import polars as pl


def clean_query(frame: pl.LazyFrame, rules: Any, check: Callable[[pl.DataFrame], Any]) -> pl.LazyFrame:
    """Returns a query for the clean rows, repaired.

    :param check: checks rows with the rules.
    """
    schema = repaired_schema(frame, rules)
    return checked_rows(frame, rules, lambda rows: of_schema(check(rows).clean, schema), schema)


def repaired_schema(frame: pl.LazyFrame, rules: Any) -> pl.Schema | None:
    """Returns the column types after repairs, which a query must know before it runs; ``None`` if they do not
    change."""
    if not Repairs(rules._native):
        return None

    polars = sys.modules["polars"]

    def every(name: str, kind: pl.DataType) -> pl.DataFrame:
        values = [*kind.categories, None] if isinstance(kind, polars.Enum) else []
        frame: pl.DataFrame = polars.DataFrame({name: polars.Series(values, dtype=kind)})
        return frame

    schema = frame.collect_schema()
    repaired = [rules.repair(every(name, kind)) for name, kind in schema.items()]
    found: pl.Schema = polars.Schema([(column.columns[0], column.dtypes[0]) for column in repaired])
    return found


def of_schema(frame: pl.DataFrame, schema: pl.Schema | None) -> pl.DataFrame:
    return frame if schema is None or frame.schema == schema else frame.cast(schema)


def checked_rows(
    frame: pl.LazyFrame, rules: Any, pick: Callable[[pl.DataFrame], pl.DataFrame], schema: pl.Schema | None = None
) -> pl.LazyFrame:
    """Returns a query for the picked rows.

    Optimizations must not move past this step, because the rules need all columns, and because the first picked row may
    not be the first row. Rules with keys disable streaming, because keys are compared across all rows.
    """
    return frame.map_batches(
        pick,
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=schema,
        streamable=not has_keys(rules._native),
    )
