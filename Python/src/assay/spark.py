"""Assay inside Spark: the same rules over a DataFrame, batch by batch of Arrow, on all executors.

    cleaned = assay.spark.clean(df, rules)
    cleaned.clean.write.parquet("users.clean")
    cleaned.rejected.write.json("users.rejects")     # with assay_reasons
    cleaned.report                                   # counts, once something was written

Each Python worker compiles the rules once. A task that Spark runs again gives the same rows again, and Spark takes one
of the two: every row comes out once.

Keys (``unique``, ``primaryKey``, ``uniqueKeys``) are compared over all partitions, by a shuffle for each. The rows of a
DataFrame have no order of their own, so that a column has to say which of the records with equal keys is first:

    cleaned = assay.spark.clean(df, rules, order_by="received_at")

Foreign keys are joined, by their hashes: with a file that the driver reads, or with another DataFrame:

    cleaned = assay.spark.clean(orders, rules, references={"customers.csv": customers})

A session may be one of Spark Connect as well. Of a streaming DataFrame :func:`check` judges the rows as they come; what
:func:`clean` counts is of a table that ends, so that it is for the batches of ``foreachBatch``.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyspark import TaskContext
    from pyspark.sql import Column, DataFrame, Observation, Window
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import ArrayType, BinaryType, BooleanType, LongType, StringType, StructField, StructType
except ImportError as error:
    raise ImportError(f"assay.spark needs Spark and pyarrow ({error}): pip install pyspark pyarrow") from error

from . import _arrow
from ._arrow import ArrowArray, Exported
from ._kind import refers_to_own
from ._repair import Repairs, repair_arrow
from ._report import Report, RuleCount
from ._rules import Rules
from ._thresholds import measured

#: The columns that are added: whether a row is clean, and the names of the rules that found something. (Without an
#: underscore in front: readers of directories that are partitioned by them would take them for hidden.)
CLEAN, REASONS = "assay_clean", "assay_reasons"
#: Stands before the names of the rules among the counts that Spark gathers: a rule may be called like one of the totals.
_RULE = "rule "
#: The same for the columns whose rejects are counted.
_COLUMN = "column "
#: A column on the way, in the first row of each batch: what was counted in it.
_COUNTS = "assay_counts"
#: What stands there before the counts of rules and columns: rows, whether the batch is the first and the last of its partition.
_OWN_COUNTS = ("batched", "begun", "ended")
#: Columns on the way: the hash of each key, and whether some other row has one of them, too; the hash of each foreign key, and
#: whether it is among those that it refers to; what no other row has.
_KEY, _SHARED = "assay_key_", "assay_shared"
_FOREIGN, _HELD, _OWN = "assay_foreign_", "assay_held_", "assay_own"


def check(
    df: DataFrame,
    rules: Rules,
    *,
    order_by: str | Sequence[str] | None = None,
    references: Mapping[str, DataFrame] | None = None,
) -> DataFrame:
    """The same rows with two more columns, ``assay_clean`` and ``assay_reasons``.

    Raises :class:`assay.AssayError` at once, not in a task, when the columns are not those of the rules.

    :param order_by: the column, or the columns, whose order says which of the rows with equal keys is the first one, which
        stays. Needed if the rules have keys, but for ``keep: none``. The job fails if two rows with equal keys have the same
        values there.
    :param references: DataFrames for foreign keys to refer to, by the names that the rules have for them, in place of files. A
        file is read by the driver. Foreign keys into the table itself are refused.
    """
    return _judged(df, rules, _Asked(df, rules), order_by, references, counted=None)


def _judged(
    df: DataFrame,
    rules: Rules,
    asked: _Asked,
    order_by: str | Sequence[str] | None,
    references: Mapping[str, DataFrame] | None,
    counted: _Counted | None,
) -> DataFrame:
    """What :func:`check` gives and, if something is to be counted, the column of the counts."""
    keys, foreign, keeps_none = asked.keys, asked.foreign, asked.keeps_none
    if df.isStreaming and (keys or foreign):
        raise ValueError(
            f"the rules have the key {(keys + foreign)[0]!r}, and no key can be compared in a stream that does not end: check each "
            "batch with foreachBatch, or leave the keys out of the rules"
        )
    taken = {CLEAN, REASONS, _COUNTS, _SHARED, _OWN, *_key_names(keys), *_key_names(foreign, _FOREIGN), *_key_names(foreign, _HELD)}
    taken = taken.intersection(df.columns)
    if taken:
        raise ValueError(f"the DataFrame has a column {taken.pop()!r} already: was it checked before?")
    order = [order_by] if isinstance(order_by, str) else list(order_by or [])
    for name in order:
        if name not in df.columns:
            raise ValueError(f"order_by names {name!r}, which is no column of the DataFrame: {', '.join(df.columns)}")
    if keys and not order and not keeps_none:
        raise ValueError(
            f"the rules have the key {keys[0]!r}, and rows of Spark have no order: say which column decides which of the "
            "records with equal keys is first, as in order_by='received_at', or write 'keep: none' in the rules"
        )
    secret = os.urandom(16) if keys or foreign else None
    # What is wrong with a reference is said now.
    held = [_held(df, rules, number, references or {}, secret) for number in range(len(foreign))] if secret else []
    # The hash of a key that a row does not have, and of an orphan.
    has_own = bool(keys and foreign)
    text = rules.json()

    def judge(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        compiled, rows = _compiled(text), 0
        for batch, is_last in _with_last(batches) if counted else ((batch, False) for batch in batches):
            # One thread: Spark runs as many tasks as there are processors.
            schema, array = batch.__arrow_c_array__()
            result = compiled._native.check_array(schema, array, -1, 1, 0, None, secret)
            verdicts = pa.array(ArrowArray(result, _arrow.VERDICTS))
            reasons = pa.array(ArrowArray(result, _arrow.REASONS))
            names = pa.ListArray.from_arrays(reasons.offsets, reasons.values.dictionary_decode())
            hashes = []
            if secret is not None:
                found = pa.record_batch(ArrowArray(result, _arrow.KEYS)).columns
                own = _own(rows, batch.num_rows)
                hashes = [pc.coalesce(column.cast(pa.binary()), own) for column in found[: len(keys)]]
                hashes += [column.cast(pa.binary()) for column in found[len(keys) :]]
                hashes += [own] if has_own else []
            if counted is not None:
                hashes.append(counted.column(result, reasons, batch.num_rows, rows == 0, is_last))
            rows += batch.num_rows
            yield pa.RecordBatch.from_arrays([*batch.columns, verdicts, names, *hashes], judged_names)

    added = [StructField(CLEAN, BooleanType(), False), StructField(REASONS, ArrayType(StringType(), False), False)]
    added += [StructField(name, BinaryType(), False) for name in _key_names(keys)]
    added += [StructField(name, BinaryType(), True) for name in _key_names(foreign, _FOREIGN)]
    added += [StructField(_OWN, BinaryType(), False)] if has_own else []
    added += [StructField(_COUNTS, ArrayType(LongType(), False), True)] if counted else []
    judged_schema = StructType([*df.schema.fields, *added])
    judged_names = judged_schema.names
    judged = df.mapInArrow(judge, judged_schema)
    if foreign:
        judged = _joined(judged, keys, foreign, held)
    return _compared(judged, keys, order, keeps_none) if keys else judged


def _held(
    df: DataFrame, rules: Rules, number: int, references: Mapping[str, DataFrame], secret: bytes
) -> DataFrame:
    """The hashes of what a foreign key refers to, each once."""
    resource = json.loads(rules.json())["foreignKeys"][number]["reference"]["resource"]
    name = f"{_HELD}{number + 1}"
    schema = StructType([StructField(name, BinaryType(), False)])
    session = df.sparkSession
    if resource not in references:
        array = pa.array(Exported(rules._native.export_reference(number, secret)))
        return session.createDataFrame([(value,) for value in array.to_pylist()], schema)
    referenced = references[resource]
    own = rules._native.of_reference(number)
    Rules(own).check(_no_rows(referenced))
    text = own.json()

    def hashes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            schema, array = batch.__arrow_c_array__()
            result = _compiled(text)._native.check_array(schema, array, -1, 1, 0, None, secret)
            found = pa.record_batch(ArrowArray(result, _arrow.KEYS)).column(0)
            yield pa.RecordBatch.from_arrays([found.drop_null().cast(pa.binary())], [name])

    return referenced.mapInArrow(hashes, schema).distinct()


def _joined(judged: DataFrame, keys: list[str], foreign: list[str], held: list[DataFrame]) -> DataFrame:
    """The rows without the hashes of their foreign keys. Those are refused that refer to what is not there, and hold no keys."""
    names, held_names = _key_names(foreign, _FOREIGN), _key_names(foreign, _HELD)
    for name, held_name, referenced in zip(names, held_names, held):
        judged = judged.join(referenced, judged[name] == referenced[held_name], "left")
    orphan = [F.col(name).isNotNull() & F.col(held_name).isNull() for name, held_name in zip(names, held_names)]
    found = F.filter(F.array(*[F.when(is_orphan, F.lit(key)) for is_orphan, key in zip(orphan, foreign)]), _is_there)
    is_orphan = _any(orphan)
    judged = judged.withColumn(REASONS, F.concat(REASONS, found)).withColumn(CLEAN, F.col(CLEAN) & ~is_orphan)
    for name in _key_names(keys):
        judged = judged.withColumn(name, F.when(is_orphan, F.col(_OWN)).otherwise(F.col(name)))
    return judged.drop(*names, *held_names, _OWN)


def _is_there(value: Column) -> Column:
    return value.isNotNull()


def _compared(judged: DataFrame, keys: list[str], order: list[str], keeps_none: bool) -> DataFrame:
    """The rows without the hashes of their keys. Those are refused of which another row holds a key."""
    names = _key_names(keys)
    if keeps_none:
        refused = [F.count(F.lit(1)).over(Window.partitionBy(name)) > 1 for name in names]
    elif len(names) == 1:
        window = Window.partitionBy(names[0]).orderBy(*order)
        values = F.struct(*order)
        is_later = F.row_number().over(window) > 1
        is_tie = is_later & F.lag(values).over(window).eqNullSafe(values)
        refused = [F.when(is_tie, F.raise_error(F.lit(_tie(keys[0], order))).cast("boolean")).otherwise(is_later)]
    else:
        return _compared_in_order(judged, keys, order)
    for name, is_refused in zip(names, refused):
        # What was a hash becomes a verdict.
        judged = judged.withColumn(name, is_refused)
    found = F.filter(F.array(*[F.when(F.col(name), F.lit(key)) for name, key in zip(names, keys)]), _is_there)
    return (
        judged.withColumn(REASONS, F.concat(REASONS, found))
        .withColumn(CLEAN, F.col(CLEAN) & ~_any([F.col(name) for name in names]))
        .drop(*names)
    )


def _compared_in_order(judged: DataFrame, keys: list[str], order: list[str]) -> DataFrame:
    """The same for several keys. A row that is refused for one leaves the others free, so that those rows which share some
    key with another are looked at one after the other, in one task; all others only pass through where they are."""
    names = _key_names(keys)
    for name in names:
        is_shared = F.count(F.lit(1)).over(Window.partitionBy(name)) > 1
        judged = judged.withColumn(_SHARED, F.col(_SHARED) | is_shared if _SHARED in judged.columns else is_shared)
    place = F.when(F.col(_SHARED), F.lit(0)).otherwise(F.xxhash64(names[0]))
    judged = judged.repartition(place).sortWithinPartitions(_SHARED, *order)
    kept = [field for field in judged.schema.fields if field.name not in (*names, _SHARED)]

    def refuse(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        holders: list[dict[bytes, tuple[Any, ...]]] = [{} for _ in keys]
        for batch in batches:
            found = _refused(batch, keys, order, holders) if pc.any(batch[_SHARED]).as_py() else {}
            columns = {field.name: batch[field.name] for field in kept}
            if found:
                clean, reasons = batch[CLEAN].to_pylist(), batch[REASONS].to_pylist()
                for row, refused in found.items():
                    clean[row] = False
                    reasons[row] = [*reasons[row], *refused]
                columns[CLEAN] = pa.array(clean, pa.bool_())
                columns[REASONS] = pa.array(reasons, batch[REASONS].type)
            yield pa.RecordBatch.from_arrays(list(columns.values()), list(columns))

    return judged.mapInArrow(refuse, StructType(kept))


def _refused(
    batch: pa.RecordBatch, keys: list[str], order: list[str], holders: list[dict[bytes, tuple[Any, ...]]]
) -> dict[int, list[str]]:
    """The rows of a batch that are refused, and for which keys. Those of clean rows are added to the holders."""
    refused: dict[int, list[str]] = {}
    values = list(zip(*(batch[name].to_pylist() for name in order)))
    hashes = list(zip(*(batch[name].to_pylist() for name in _key_names(keys))))
    for row, is_shared in enumerate(batch[_SHARED].to_pylist()):
        if not is_shared:
            continue
        held = [place for place, hash in enumerate(hashes[row]) if hash in holders[place]]
        for place in held:
            if holders[place][hashes[row][place]] == values[row]:
                raise ValueError(_tie(keys[place], order))
        if held:
            refused[row] = [keys[place] for place in held]
        else:
            for place, hash in enumerate(hashes[row]):
                holders[place][hash] = values[row]
    return refused


def _tie(key: str, order: list[str]) -> str:
    columns = ", ".join(order)
    return f"two rows are equal in the key '{key}' and in {columns}: order_by has to say which of them is first"


def _own(first: int, rows: int) -> pa.Array:
    """For each row a value that no other has."""
    task = TaskContext.get()
    numbers = pa.array(range(first, first + rows), pa.int64()).cast(pa.string())
    own = pc.binary_join_element_wise(f"no key {task.partitionId() if task else 0}", numbers, ".")
    return own.cast(pa.binary())


def _key_names(keys: Sequence[Any], prefix: str = _KEY) -> list[str]:
    return [f"{prefix}{number}" for number in range(1, len(keys) + 1)]


def _any(columns: list[Column]) -> Column:
    found = columns[0]
    for column in columns[1:]:
        found = found | column
    return found


class _Asked:
    """What the rules ask of the rows of a DataFrame."""

    def __init__(self, df: DataFrame, rules: Rules):
        """Raises :class:`assay.AssayError` when the columns are not those of the rules."""
        given = json.loads(rules.json())
        references = given.get("foreignKeys", [])
        for number, key in enumerate(references, 1):
            if refers_to_own(key):
                raise ValueError(
                    f"the foreign key 'foreignKeys.{number}' refers to the table itself, which is not asked of a DataFrame: "
                    "leave it out of the rules, or check a table with Rules.check or a file with assay.clean"
                )
        schema, array = _no_rows(df).__arrow_c_array__()
        result = rules._native.check_array(schema, array, -1, 1, 0, None, bytes(16))
        #: Every rule, in the order in which it is reported.
        self.counts: list[RuleCount] = Report([result]).rules
        #: The names of the keys, and of the foreign keys.
        self.keys: list[str] = []
        self.foreign: list[str] = []
        is_unique = any(field.get("constraints", {}).get("unique") for field in given["fields"])
        if references or is_unique or given.get("primaryKey") or given.get("uniqueKeys"):
            names = pa.record_batch(ArrowArray(result, _arrow.KEYS)).schema.names
            self.keys, self.foreign = names[: len(names) - len(references)], names[len(names) - len(references) :]
        #: Whether none of the records stays that have a key in common.
        self.keeps_none = given.get("keep") == "none"


class Cleaned:
    """A DataFrame in two halves, which are one computation: cache ``judged`` if you use both."""

    def __init__(self, judged: DataFrame, observation: Observation, rules: Rules):
        #: All rows, with ``assay_clean`` and ``assay_reasons``.
        self.judged = judged
        self._observed = _Observed(observation)
        self._rules = rules

    @property
    def clean(self) -> DataFrame:
        """The rows that are clean, with the columns they came with, and with what ``repair:`` of the rules makes of their
        values."""
        rows = self.judged.filter(F.col(CLEAN)).drop(CLEAN, REASONS)
        return repair(rows, self._rules) if Repairs(self._rules._native) else rows

    @property
    def rejected(self) -> DataFrame:
        """The rows that are not, as they came, and why."""
        return self.judged.filter(~F.col(CLEAN)).drop(CLEAN)

    @property
    def report(self) -> dict[str, Any]:
        """Counts that Spark gathered on the way, of the first action on any of the three.

        ``records``, ``clean``, ``rejected``, ``rules`` with the rows that each rule found something in, and ``thresholds``
        as the report of :func:`assay.clean` has them. ``partial``: the action did not read a partition to its end, as ``show``,
        ``take`` and ``limit`` do not, and the counts are of what it read. (Partitions that it did not begin nobody knows of:
        counts are those of all rows if the action needs all rows.)

        Raises :class:`TimeoutError` if no action has ended after ten seconds.
        """
        return self.report_within(10)

    def report_within(self, seconds: float | None) -> dict[str, Any]:
        """The :attr:`report`; for whoever runs the action in another thread. ``None``: waits as long as it takes.

        Raises :class:`TimeoutError` if no action has ended by then.
        """
        observed = self._observed.get(seconds)
        totals = {name: observed.pop(name) or 0 for name in ("records", "clean", "rejected")}
        batched, begun, ended = (observed.pop(name) or 0 for name in _OWN_COUNTS)

        def counts(kind: str) -> dict[str, int]:
            return {name.removeprefix(kind): n for name, n in observed.items() if n and name.startswith(kind)}

        rules, columns = counts(_RULE), counts(_COLUMN)
        given = json.loads(self._rules.json()).get("thresholds", {})
        thresholds = measured(given, totals["records"], totals["rejected"], columns, rules)
        is_partial = batched != totals["records"] or begun != ended
        return totals | {"rules": rules, "thresholds": thresholds, "partial": is_partial}


class _Observed:
    """What Spark observes. Its own classes wait for ever, or not at all."""

    def __init__(self, observation: Observation):
        self._observation = observation
        self._thread: threading.Thread | None = None
        self._found: dict[str, Any] = {}
        self._error: BaseException | None = None

    def get(self, seconds: float | None) -> dict[str, Any]:
        end = None if seconds is None else time.monotonic() + seconds
        while not self._found:
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            if self._thread is None:
                self._thread = threading.Thread(target=self._ask, name="assay-report", daemon=True)
                self._thread.start()
            left = 1.0 if end is None else end - time.monotonic()
            if left <= 0:
                raise TimeoutError(
                    f"no action on judged, clean or rejected has ended after {seconds:g} s: run one first, such as judged.count() or "
                    "a write; report_within(seconds) waits longer"
                )
            self._thread.join(min(left, 1.0))
            if not self._thread.is_alive():
                self._thread = None
                # Spark Connect does not wait.
                if not self._found and self._error is None:
                    time.sleep(min(0.05, left))
        return dict(self._found)

    def _ask(self) -> None:
        try:
            self._found = dict(self._observation.get)
        except BaseException as error:
            self._error = error


class _Counted:
    """What is counted where rows are judged: Spark would ask each row about each rule."""

    def __init__(self, rules: Rules, asked: _Asked):
        found_later = {*asked.keys, *asked.foreign}
        #: The rules, and the columns that have a threshold. What keys refuse is found later, and counted row by row.
        self.rules = [name for name in dict.fromkeys(count.rule for count in asked.counts) if name not in found_later]
        self.later = sorted(found_later)
        self.columns: list[str] = []
        self.later_columns: dict[str, list[str]] = {}
        for column in json.loads(rules.json()).get("thresholds", {}).get("columns", {}):
            # What is no text is not for the rules of a column.
            others = {"encoding", "structure.too-long"}
            own = [c.rule for c in asked.counts if c.column == column and c.severity == "reject" and c.rule not in others]
            if found_later.isdisjoint(own):
                self.columns.append(column)
            else:
                self.later_columns[column] = own
        self._places = {name: place for place, name in enumerate(self.rules)}

    def column(self, result: Any, reasons: pa.ListArray, rows: int, is_first: bool, is_last: bool) -> pa.Array:
        """The column of the counts, for a batch that was judged."""
        counts = [0] * len(self.rules)
        # Each name stands there at most once for a row.
        for found in reasons.values.value_counts().to_pylist():
            if found["values"] in self._places:
                counts[self._places[found["values"]]] = found["counts"]
        own = [rows, int(is_first), int(is_last)]
        values = pa.array([own + counts + [result.rejected_by(name) for name in self.columns]], pa.list_(pa.int64()))
        return pa.concat_arrays([values, pa.nulls(rows - 1, values.type)]) if rows else values[:0]

    def sums(self) -> list[Column]:
        """What Spark has to add up."""
        names = [*_OWN_COUNTS, *(_RULE + name for name in self.rules), *(_COLUMN + name for name in self.columns)]
        sums = [F.sum(F.col(_COUNTS)[place]).alias(name) for place, name in enumerate(names)]
        sums += [F.count_if(F.array_contains(REASONS, name)).alias(_RULE + name) for name in self.later]
        for column, own in self.later_columns.items():
            sums.append(F.count_if(F.arrays_overlap(REASONS, F.array(*map(F.lit, own)))).alias(_COLUMN + column))
        return sums


def _with_last(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[pa.RecordBatch, bool]]:
    """Each batch that has rows, and whether it is the last one."""
    held = None
    for batch in batches:
        if batch.num_rows == 0:
            continue
        if held is not None:
            yield held, False
        held = batch
    if held is not None:
        yield held, True


def repair(df: DataFrame, rules: Rules) -> DataFrame:
    """All rows of a DataFrame, with what ``repair:`` of the rules makes of their texts. Nothing is judged."""
    text = rules.json()

    def repaired(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        repairs = Repairs(_compiled(text)._native, threads=1)
        for batch in batches:
            yield repair_arrow(repairs, batch, -1)

    empties = Repairs(rules._native).empties
    fields = [StructField(f.name, f.dataType, f.nullable or f.name in empties, f.metadata) for f in df.schema.fields]
    return df.mapInArrow(repaired, StructType(fields))


def clean(
    df: DataFrame,
    rules: Rules,
    *,
    order_by: str | Sequence[str] | None = None,
    references: Mapping[str, DataFrame] | None = None,
) -> Cleaned:
    """Judges a DataFrame once, and gives its clean rows, its rejected rows, and the counts.

    :param order_by: as in :func:`check`.
    :param references: as in :func:`check`.
    """
    if df.isStreaming:
        raise ValueError(
            "a streaming DataFrame does not end, so that nothing can be counted: assay.spark.check(df, rules) judges its rows, and "
            "df.writeStream.foreachBatch(lambda batch, number: …) has batches to clean"
        )
    asked = _Asked(df, rules)
    counted = _Counted(rules, asked)
    observation = Observation()
    judged = _judged(df, rules, asked, order_by, references, counted).observe(
        observation,
        F.count(F.lit(1)).alias("records"),
        F.count_if(F.col(CLEAN)).alias("clean"),
        F.count_if(~F.col(CLEAN)).alias("rejected"),
        *counted.sums(),
    ).drop(_COUNTS)
    return Cleaned(judged, observation, rules)


@lru_cache(maxsize=64)
def _compiled(text: str) -> Rules:
    """Rules, compiled once for each worker process."""
    return Rules.parse(text, trust=True)


def _no_rows(df: DataFrame) -> pa.RecordBatch:
    """A batch with the columns of a DataFrame, to ask the rules what they make of them."""
    # Without a time zone Spark does not know what to make of its timestamps.
    schema = to_arrow_schema(df.schema, timezone=df.sparkSession.conf.get("spark.sql.session.timeZone"))
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
