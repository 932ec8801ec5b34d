"""The Polars extension: ``import assay.polars`` adds the namespace ``assay`` to frames and expressions.

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

Rules can be used as expressions, which keep all rows:

>>> df.with_columns(ok=pl.col("id").assay.verdict(rules))["ok"].to_list()
[True, False]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from ._kind import CLEAN, REASONS, has_keys
from ._now import fixed
from ._pattern import Flags, Matcher, compiled
from ._progress import ProgressOption
from ._queries import checked_rows, clean_query, of_schema, repaired_schema
from ._result import Result
from ._rules import Rules

if TYPE_CHECKING:
    from typing_extensions import Unpack


@pl.api.register_dataframe_namespace("assay")
class FrameNamespace:
    """``df.assay``"""

    def __init__(self, frame: pl.DataFrame):
        self._frame = frame

    def check(self, rules: Rules, *, threads: int = 0, progress: ProgressOption = False) -> Result:
        """Calls :meth:`assay.Rules.check` with the frame."""
        return rules.check(self._frame, threads=threads, progress=progress)

    def clean(self, rules: Rules) -> pl.DataFrame:
        """Returns the clean rows, repaired."""
        clean: pl.DataFrame = self.check(rules).clean
        return clean

    def repair(self, rules: Rules) -> pl.DataFrame:
        """Returns all rows, repaired by :meth:`assay.Rules.repair`."""
        repaired: pl.DataFrame = rules.repair(self._frame)
        return repaired

    def rejected(self, rules: Rules) -> pl.DataFrame:
        """Returns the rejected rows, unchanged."""
        rejected: pl.DataFrame = self.check(rules).rejected
        return rejected


@pl.api.register_lazyframe_namespace("assay")
class LazyNamespace:
    """``lf.assay``. The rows are checked when they are collected, in batches if the query is streamed and the rules
    have no keys."""

    def __init__(self, frame: pl.LazyFrame):
        self._frame = frame

    def check(self, rules: Rules, *, threads: int = 0, progress: ProgressOption = False) -> Result:
        """Runs the query and checks its rows with :meth:`assay.Rules.check`. The rows are not kept, so the result has
        no ``clean`` and ``rejected``: use the queries of :meth:`clean` and :meth:`rejected`.
        """
        return rules.check(self._frame, threads=threads, progress=progress)

    def clean(self, rules: Rules) -> pl.LazyFrame:
        """Returns a query for the clean rows, repaired."""
        return clean_query(self._frame, rules, partial(rules.check, now=fixed(None)))

    def repair(self, rules: Rules) -> pl.LazyFrame:
        """Returns a query for all rows, repaired by :meth:`assay.Rules.repair`. An Enum column becomes a String column
        if its categories lack repaired values, for any rows."""
        schema = repaired_schema(self._frame, rules)
        return self._frame.map_batches(lambda frame: of_schema(rules.repair(frame), schema), schema=schema,
                                       streamable=True)

    def rejected(self, rules: Rules) -> pl.LazyFrame:
        """Returns a query for the rejected rows, unchanged."""
        check = partial(rules.check, now=fixed(None))
        return checked_rows(self._frame, rules, lambda frame: check(frame).rejected)


@pl.api.register_expr_namespace("assay")
class ExpressionNamespace:
    """``pl.col(…).assay``"""

    def __init__(self, expression: pl.Expr):
        self._expression = expression

    def matches(self, pattern: Matcher | str, **flags: Unpack[Flags]) -> pl.Expr:
        """Whether each value matches a pattern or an :class:`assay.Format`; null for missing values. The flags are
        those of
        :class:`assay.Pattern`; they apply to a pattern that is given as text.
        """
        matcher = compiled(pattern, flags)
        return self._expression.map_batches(matcher.match, return_dtype=pl.Boolean, is_elementwise=True)

    def verdict(self, rules: Rules) -> pl.Expr:
        """Whether each row is clean. The members of a struct are the columns of a row. Any other column is checked with
        the rules of the field of its name.

        >>> import assay.polars
        >>> import polars as pl
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}, {name: email, format: email}]")
        >>> lf = pl.LazyFrame({"id": ["1", "2"], "email": ["anna@example.org", "bo"]})
        >>> lf.filter(pl.struct("id", "email").assay.verdict(rules)).collect()["id"].to_list()
        ['1']
        """
        return self._checked_rows(rules, pl.Boolean(), _verdict)

    def reasons(self, rules: Rules) -> pl.Expr:
        """The names of the rules with findings in each row. Rows are as in :meth:`verdict`."""
        return self._checked_rows(rules, _REASONS, _reasons)

    def check(self, rules: Rules) -> pl.Expr:
        """The verdict and the reasons, as a struct of ``assay_clean`` and ``assay_reasons`` for ``struct.unnest()``."""
        return self._checked_rows(rules, pl.Struct({CLEAN: pl.Boolean(), REASONS: _REASONS}), _both)

    def _checked_rows(self, rules: Rules, answer: pl.DataType, pick: Callable[[Result], pl.Series]) -> pl.Expr:
        now = fixed(None)

        def matcher(values: pl.Series) -> pl.Series:
            is_row = isinstance(values.dtype, pl.Struct)
            result = rules.check(values, now=now) if is_row else rules.check_column(values.name, values, now=now)
            return pick(result).rename(values.name)

        # Without keys each row is checked independently, so that a query may stream and filter rows first.
        return self._expression.map_batches(matcher, return_dtype=answer, is_elementwise=not has_keys(rules._native))


_REASONS = pl.List(pl.String())


def _verdict(result: Result) -> pl.Series:
    mask: pl.Series = result.mask
    return mask


def _reasons(result: Result) -> pl.Series:
    reasons: pl.Series = result.reasons
    return reasons.cast(_REASONS)


def _both(result: Result) -> pl.Series:
    return pl.DataFrame({CLEAN: _verdict(result), REASONS: _reasons(result)}).to_struct()
