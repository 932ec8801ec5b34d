"""Assay inside Spark: the same rules over a DataFrame, batch by batch of Arrow, on all executors.

    cleaned = assay.spark.clean(df, rules)
    cleaned.clean.write.parquet("users.clean")
    cleaned.rejected.write.json("users.rejects")     # with assay_reasons
    cleaned.report                                   # counts, once something was written

Each Python worker compiles the rules once. A task that Spark runs again gives the same rows again, and Spark takes one
of the two: every row comes out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, Observation
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import ArrayType, BooleanType, StringType, StructField, StructType
except ImportError as error:
    raise ImportError(f"assay.spark needs Spark and pyarrow ({error}): pip install pyspark pyarrow") from error

from ._rules import Rules

#: The columns that are added: whether a row is clean, and the names of the rules that found something. (Without an
#: underscore in front: readers of directories that are partitioned by them would take them for hidden.)
CLEAN, REASONS = "assay_clean", "assay_reasons"
#: Stands before the names of the rules among the counts that Spark gathers: a rule may be called like one of the totals.
_RULE = "rule "


def check(df: DataFrame, rules: Rules) -> DataFrame:
    """The same rows with two more columns, ``assay_clean`` and ``assay_reasons``.

    Raises :class:`assay.AssayError` at once, not in a task, when the columns are not those of the rules.
    """
    taken = {CLEAN, REASONS}.intersection(df.columns)
    if taken:
        raise ValueError(f"the DataFrame has a column {taken.pop()!r} already: was it checked before?")
    rules.check(_no_rows(df))
    shared = df.sparkSession.sparkContext.broadcast(rules.json())

    def judge(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        compiled = _compiled(shared.value)
        for batch in batches:
            # One thread: Spark runs as many tasks as there are processors.
            result = compiled.check(batch, threads=1)
            reasons = pa.array(result.reasons)
            names = pa.ListArray.from_arrays(reasons.offsets, reasons.values.dictionary_decode())
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, result.mask, names], [*batch.schema.names, CLEAN, REASONS]
            )

    added = [StructField(CLEAN, BooleanType(), False), StructField(REASONS, ArrayType(StringType(), False), False)]
    return df.mapInArrow(judge, StructType([*df.schema.fields, *added]))


class Cleaned:
    """A DataFrame in two halves, which are one computation: cache ``judged`` if you use both."""

    def __init__(self, judged: DataFrame, observation: Observation):
        #: All rows, with ``assay_clean`` and ``assay_reasons``.
        self.judged = judged
        self._observation = observation

    @property
    def clean(self) -> DataFrame:
        """The rows that are clean, with the columns they came with."""
        return self.judged.filter(F.col(CLEAN)).drop(CLEAN, REASONS)

    @property
    def rejected(self) -> DataFrame:
        """The rows that are not, and why."""
        return self.judged.filter(~F.col(CLEAN)).drop(CLEAN)

    @property
    def report(self) -> dict[str, Any]:
        """Counts that Spark gathered on the way, of the first action on any of the three: it waits for one.

        ``records``, ``clean``, ``rejected``, and ``rules`` with the rows that each rule found something in.
        """
        observed = dict(self._observation.get)
        totals = {name: observed.pop(name) or 0 for name in ("records", "clean", "rejected")}
        rules = {name.removeprefix(_RULE): count for name, count in observed.items() if count}
        return totals | {"rules": rules}


def clean(df: DataFrame, rules: Rules) -> Cleaned:
    """Judges a DataFrame once, and gives its clean rows, its rejected rows, and the counts."""
    observation = Observation()
    found = [F.count_if(F.array_contains(REASONS, name)).alias(_RULE + name) for name in _rule_names(df, rules)]
    judged = check(df, rules).observe(
        observation,
        F.count(F.lit(1)).alias("records"),
        F.count_if(F.col(CLEAN)).alias("clean"),
        F.count_if(~F.col(CLEAN)).alias("rejected"),
        *found,
    )
    return Cleaned(judged, observation)


@lru_cache(maxsize=64)
def _compiled(text: str) -> Rules:
    """Rules, compiled once for each worker process."""
    return Rules.parse(text)


def _rule_names(df: DataFrame, rules: Rules) -> list[str]:
    report = rules.check(_no_rows(df)).report
    return list(dict.fromkeys(count.rule for count in report.rules))


def _no_rows(df: DataFrame) -> pa.RecordBatch:
    """A batch with the columns of a DataFrame, to ask the rules what they make of them."""
    # Without a time zone Spark does not know what to make of its timestamps.
    schema = to_arrow_schema(df.schema, timezone=df.sparkSession.conf.get("spark.sql.session.timeZone"))
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
