"""SQL functions over pyarrow columns, for the modules of DuckDB and Spark."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from . import _arrow
from ._arrow import ArrowArray
from ._kind import CLEAN, REASONS, has_keys
from ._pattern import Format, Matcher, Pattern
from ._rules import Carried, Rules, carried, travelled


@lru_cache(maxsize=256)
def pattern_of(text: str) -> Pattern:
    return Pattern(text)


@lru_cache(maxsize=256)
def format_of(text: str) -> Format:
    return Format(text)


@lru_cache(maxsize=64)
def rules_of(rules: Carried) -> Rules:
    """Compiles serialized rules, once per process."""
    return travelled(*rules)


def matches(patterns: pa.Array, values: pa.Array) -> pa.Array:
    """``assay_matches(pattern, value)``"""
    return _requested(pattern_of, patterns, values)


def is_of(formats: pa.Array, values: pa.Array) -> pa.Array:
    """``assay_is(format, value)``"""
    return _requested(format_of, formats, values)


#: The functions that registering a connection or session adds: (VARCHAR, VARCHAR) → BOOLEAN.
FUNCTIONS = {"assay_matches": matches, "assay_is": is_of}


def _requested(matcher_of: Callable[[str], Matcher], names: pa.Array, values: pa.Array) -> pa.Array:
    names, values = _one(names), _one(values)
    # The name nearly always is a constant, which arrives as a column.
    different = pc.unique(names).to_pylist()
    if len(different) == 1 and different[0] is not None:
        return matcher_of(different[0]).match(values, threads=1)
    answers = pa.nulls(len(values), pa.bool_())
    for name in different:
        if name is not None:
            own = pc.fill_null(pc.equal(names, name), False)
            answers = pc.replace_with_mask(answers, own, matcher_of(name).match(values.filter(own), threads=1))
    return answers


def evaluate_rows(rules: Carried, rows: pa.Array) -> pa.Array:
    """Checks rows that are structs of their columns. Returns structs of the verdict and the reasons."""
    result = rules_of(rules).check(_one(rows), threads=1)
    clean, reasons = verdicts(result._results[0])
    return pa.StructArray.from_arrays([clean, reasons], [CLEAN, REASONS])


def verdicts(result: Any) -> tuple[pa.Array, pa.Array]:
    """Returns two columns of a native result: whether each row is clean, and the names of its rules with findings."""
    reasons = pa.array(ArrowArray(result, _arrow.REASONS))
    names = pa.ListArray.from_arrays(reasons.offsets, reasons.values.dictionary_decode())
    return pa.array(ArrowArray(result, _arrow.VERDICTS)), names


def checkable(rules: Rules) -> Carried:
    """Serializes rules that apply to rows in any order.

    Raises :class:`ValueError` if they compare rows with one another.
    """
    if has_keys(rules._native):
        raise ValueError(
            "the rules compare rows with one another (keys, 'unique' or 'sorted'), and a function of SQL sees only the "
            "rows of its call: check the whole table, or remove these rules"
        )
    return carried(rules)


def _one(column: Any) -> pa.Array:
    """Returns a column as one chunk."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
