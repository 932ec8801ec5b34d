"""Assay inside Polars: ``import assay.polars`` adds the namespace ``assay`` to frames and expressions.

>>> import assay.polars
>>> import polars as pl
>>> df = pl.DataFrame({"id": ["1", "x"], "name": ["Anna", "Bo"]})
>>> df.with_columns(ok=pl.col("id").assay.matches(r"\\d+"))["ok"].to_list()
[True, False]
>>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
>>> df.assay.clean(rules)["name"].to_list()
['Anna']
>>> df.lazy().assay.clean(rules).collect()["name"].to_list()
['Anna']

Rules are expressions as well, which leave the rows where they are:

>>> df.with_columns(ok=pl.col("id").assay.verdict(rules))["ok"].to_list()
[True, False]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import polars as pl

from ._kind import CLEAN, REASONS, has_keys
from ._pattern import Flags, Judge, compiled
from ._repair import Repairs
from ._result import Result
from ._rules import ProgressOption, Rules

if TYPE_CHECKING:
    from typing_extensions import Unpack


@pl.api.register_dataframe_namespace("assay")
class FrameNamespace:
    """``df.assay``"""

    def __init__(self, frame: pl.DataFrame):
        self._frame = frame

    def check(self, rules: Rules, *, threads: int = 0, progress: ProgressOption = False) -> Result:
        """What :meth:`assay.Rules.check` gives."""
        return rules.check(self._frame, threads=threads, progress=progress)

    def clean(self, rules: Rules) -> pl.DataFrame:
        """The rows that are clean, repaired."""
        clean: pl.DataFrame = self.check(rules).clean
        return clean

    def repair(self, rules: Rules) -> pl.DataFrame:
        """All rows, repaired: what :meth:`assay.Rules.repair` gives."""
        repaired: pl.DataFrame = rules.repair(self._frame)
        return repaired

    def rejected(self, rules: Rules) -> pl.DataFrame:
        """The rows that are not, as they came."""
        rejected: pl.DataFrame = self.check(rules).rejected
        return rejected


@pl.api.register_lazyframe_namespace("assay")
class LazyNamespace:
    """``lf.assay``: the rows are judged when they are collected, batch by batch when the query is streamed and the rules have no
    keys."""

    def __init__(self, frame: pl.LazyFrame):
        self._frame = frame

    def check(self, rules: Rules, *, threads: int = 0, progress: ProgressOption = False) -> Result:
        """What :meth:`assay.Rules.check` gives: the query runs now, and its rows are judged as they come. They are not kept, so
        that the result has no ``clean`` and ``rejected``: :meth:`clean` and :meth:`rejected` are queries for them.
        """
        return rules.check(self._frame, threads=threads, progress=progress)

    def clean(self, rules: Rules) -> pl.LazyFrame:
        """The rows that are clean, repaired."""
        schema = _repaired_schema(self._frame, rules)
        return _judged(self._frame, rules, lambda frame: _of_schema(rules.check(frame).clean, schema), schema)

    def repair(self, rules: Rules) -> pl.LazyFrame:
        """All rows, repaired: what :meth:`assay.Rules.repair` gives. An Enum that lacks what a repair makes of its categories is a
        column of texts here, whatever the rows are."""
        schema = _repaired_schema(self._frame, rules)
        return self._frame.map_batches(lambda frame: _of_schema(rules.repair(frame), schema), schema=schema, streamable=True)

    def rejected(self, rules: Rules) -> pl.LazyFrame:
        """The rows that are not, as they came."""
        return _judged(self._frame, rules, lambda frame: rules.check(frame).rejected)


def _repaired_schema(frame: pl.LazyFrame, rules: Rules) -> pl.Schema | None:
    """The types of the repaired columns of a query, which it has to know before it runs; ``None``: those that it has."""
    if not Repairs(rules._native):
        return None

    def every(name: str, kind: pl.DataType) -> pl.DataFrame:
        values = [*kind.categories, None] if isinstance(kind, pl.Enum) else []
        return pl.DataFrame({name: pl.Series(values, dtype=kind)})

    schema = frame.collect_schema()
    repaired = [rules.repair(every(name, kind)) for name, kind in schema.items()]
    return pl.Schema([(column.columns[0], column.dtypes[0]) for column in repaired])


def _of_schema(frame: pl.DataFrame, schema: pl.Schema | None) -> pl.DataFrame:
    return frame if schema is None or frame.schema == schema else frame.cast(schema)


def _judged(
    frame: pl.LazyFrame, rules: Rules, pick: Callable[[pl.DataFrame], pl.DataFrame], schema: pl.Schema | None = None
) -> pl.LazyFrame:
    """The rows that are picked. What follows in the query is done with these.

    The rules want all columns, and who takes the first clean row does not mean the first row. Keys are compared over all
    rows, which are not streamed then.
    """
    return frame.map_batches(
        pick,
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        schema=schema,
        streamable=not has_keys(rules._native),
    )


@pl.api.register_expr_namespace("assay")
class ExpressionNamespace:
    """``pl.col(…).assay``"""

    def __init__(self, expression: pl.Expr):
        self._expression = expression

    def matches(self, pattern: Judge | str, **flags: Unpack[Flags]) -> pl.Expr:
        """Whether each value matches a pattern or an :class:`assay.Format`; null where there is none. The flags are those of :class:`assay.Pattern`, for a
        pattern that is a text.
        """
        judge = compiled(pattern, flags)
        return self._expression.map_batches(judge.match, return_dtype=pl.Boolean, is_elementwise=True)

    def verdict(self, rules: Rules) -> pl.Expr:
        """Whether each row is clean. A struct is a row, whose fields are the columns of the rules; any other column is judged by the
        rules of the field of its name.

        >>> import assay.polars
        >>> import polars as pl
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}, {name: email, format: email}]")
        >>> lf = pl.LazyFrame({"id": ["1", "2"], "email": ["anna@example.org", "bo"]})
        >>> lf.filter(pl.struct("id", "email").assay.verdict(rules)).collect()["id"].to_list()
        ['1']
        """
        return self._judged(rules, pl.Boolean(), _verdict)

    def reasons(self, rules: Rules) -> pl.Expr:
        """For each row, as :meth:`verdict` has it, the names of the rules that found something."""
        return self._judged(rules, _REASONS, _reasons)

    def check(self, rules: Rules) -> pl.Expr:
        """Both at once: a struct of ``assay_clean`` and ``assay_reasons``, which ``struct.unnest()`` makes columns of."""
        return self._judged(rules, pl.Struct({CLEAN: pl.Boolean(), REASONS: _REASONS}), _both)

    def _judged(self, rules: Rules, answer: pl.DataType, pick: Callable[[Result], pl.Series]) -> pl.Expr:
        def judge(values: pl.Series) -> pl.Series:
            is_row = isinstance(values.dtype, pl.Struct)
            return pick(rules.check(values) if is_row else rules.check_column(values.name, values)).rename(values.name)

        # Keys are compared over all rows; all else is asked of each by itself, so that a query may stream and filter before.
        return self._expression.map_batches(judge, return_dtype=answer, is_elementwise=not has_keys(rules._native))


_REASONS = pl.List(pl.String())


def _verdict(result: Result) -> pl.Series:
    mask: pl.Series = result.mask
    return mask


def _reasons(result: Result) -> pl.Series:
    reasons: pl.Series = result.reasons
    return reasons.cast(_REASONS)


def _both(result: Result) -> pl.Series:
    return pl.DataFrame({CLEAN: _verdict(result), REASONS: _reasons(result)}).to_struct()
