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

What is wrong, a row for each finding:

    assay.spark.findings(df, rules, keys=["id"], values=True)

Formats, patterns and rules are functions of SQL, too:

    assay.spark.register(session)
    session.sql("SELECT * FROM users WHERE assay_is('email', email)")

A session may be one of Spark Connect as well. Of a streaming DataFrame :func:`check` and :func:`findings` judge the rows as they come;
what :func:`clean` counts is of a table that ends, so that it is for the batches of ``foreachBatch``.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, overload
from weakref import WeakValueDictionary

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyspark import TaskContext
    from pyspark.sql import Column, DataFrame, Observation, Window
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import ArrayType, BinaryType, BooleanType, StringType, StructField, StructType
    from pyspark.sql.utils import is_remote
except ImportError as error:
    raise ImportError(f"assay.spark needs Spark and pyarrow ({error}): pip install pyspark pyarrow") from error

from . import _arrow, _native
from ._arrow import ArrowArray, Exported
from ._frames import PyArrow
from ._kind import CLEAN, REASONS, as_stream, refers_to_own
from ._paths import opened
from ._pattern import Flags, Judge, compiled
from ._repair import Repairs, repair_arrow
from ._report import Report, RuleCount
from ._result import Result
from ._rules import Rules, carried
from ._sql import FUNCTIONS, judge_rows, judgeable, rules_of, verdicts
from ._text import Styles, shown
from ._thresholds import measured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from typing_extensions import Unpack

#: Stands before the names of the rules among the counts that Spark gathers: a rule may be called like one of the totals.
_RULE = "rule "
#: The same for the columns whose rejects are counted.
_COLUMN = "column "
#: A column on the way, in the first row of some batches: what was counted since the one before, as JSON.
_COUNTS = "assay_counts"
#: What stands there besides rules and columns: rows, whether a partition begins or ends, rows that are rejected. And what Spark counts
#: where keys reject some more.
_OWN_COUNTS, _CLEAN = ("batched", "begun", "ended", "refused"), "clean"
#: Another: for each row a list of what was found. And what is said of each finding.
_FINDINGS = "assay_findings"
_FINDING = (*_arrow.FINDING_NAMES[1:], "value")
#: And for each row the values of its keys, as texts.
_VALUES = "assay_values"
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
    """The same rows, as they came, with two more columns, ``assay_clean`` and ``assay_reasons``.

    Raises :class:`assay.AssayError` at once, not in a task, when the columns are not those of the rules.

    :param order_by: the column, or the columns, whose order says which of the rows with equal keys is the first one, which
        stays. Needed if the rules have keys, but for ``keep: none``. The job fails if two rows with equal keys have the same
        values there.
    :param references: DataFrames for foreign keys to refer to, by the names that the rules have for them, in place of files. A
        file is read by the driver. Foreign keys into the table itself are refused.
    """
    return _checked(df, rules, _Asked(df, rules), order_by, references)


def findings(
    df: DataFrame,
    rules: Rules,
    *,
    values: bool = False,
    keys: str | Sequence[str] = (),
    order_by: str | Sequence[str] | None = None,
    references: Mapping[str, DataFrame] | None = None,
) -> DataFrame:
    """All findings: ``column``, ``rule``, ``code``, ``severity``, ``message``, then the columns of ``keys`` and, if it is asked for,
    ``value``. As :meth:`assay.Result.findings_table` has them, but for the number of the record, which rows of Spark have not.

    The rows of ``df`` are judged for it once more: cache them if they are expensive.

    :param values: whether there is a column ``value`` with what stands in the row, as text; null for what is the row's.
    :param keys: the column, or the columns, of the DataFrame that are wanted beside each finding, to know its row by.
    :param order_by: as in :func:`check`.
    :param references: as in :func:`check`.
    """
    names = _Names(df)
    shown_keys: list[str] = []
    for key in [keys] if isinstance(keys, str) else keys:
        if names.same(key) in _FINDING:
            raise ValueError(f"findings have a column {key!r} of their own: rename that of the DataFrame")
        if (own := names.own(key)) is None:
            raise KeyError(f"the DataFrame has no column {key!r}: {', '.join(df.columns)}")
        shown_keys.append(own)
    asked = _Asked(df, rules)
    rows = _checked(df, rules, asked, order_by, references, values=values)
    # What keys refuse is found later than the other findings.
    for place, key in enumerate(asked.keys + asked.foreign):
        is_new = F.array_contains(REASONS, key) & ~F.array_contains(F.col(f"{_FINDINGS}.rule"), key)
        said = [F.lit(text).cast("string").alias(name) for name, text in zip(_FINDING, asked.said_of(key))]
        value = F.col(_VALUES)[place] if values else F.lit(None).cast("string")
        said_of_row = F.struct(*said, value.alias("value"))
        rows = rows.withColumn(_FINDINGS, F.when(is_new, F.concat(_FINDINGS, F.array(said_of_row))).otherwise(F.col(_FINDINGS)))
    rows = rows.select(*shown_keys, F.explode(_FINDINGS).alias(_FINDINGS))
    found = [F.col(f"{_FINDINGS}.{name}").alias(name) for name in _FINDING]
    return rows.select(*found[:-1], *shown_keys, *(found[-1:] if values else ()))


def _checked(
    df: DataFrame,
    rules: Rules,
    asked: _Asked,
    order_by: str | Sequence[str] | None,
    references: Mapping[str, DataFrame] | None,
    *,
    counted: _Counted | None = None,
    values: bool | None = None,
) -> DataFrame:
    """What :func:`check` gives and, if something is to be counted, the column of the counts; if findings are wanted, with or
    without values, theirs.
    """
    keys, foreign, keeps_none = asked.keys, asked.foreign, asked.keeps_none
    names_of_df = _Names(df)
    names_of_df.expect_found()
    if df.isStreaming and (keys or foreign):
        raise ValueError(
            f"the rules have the key {(keys + foreign)[0]!r}, and no key can be compared in a stream that does not end: check each "
            "batch with foreachBatch, or leave the keys out of the rules"
        )
    taken = {CLEAN, REASONS, _COUNTS, _FINDINGS, _VALUES, _SHARED, _OWN, *_key_names(keys), *_key_names(foreign, _FOREIGN), *_key_names(foreign, _HELD)}
    for name in df.columns:
        if names_of_df.same(name) in taken:
            raise ValueError(f"the DataFrame has a column {name!r} already: was it checked before?")
    order: list[str] = []
    for name in [order_by] if isinstance(order_by, str) else order_by or []:
        if (own_name := names_of_df.own(name)) is None:
            raise ValueError(f"order_by names {name!r}, which is no column of the DataFrame: {', '.join(df.columns)}")
        order.append(own_name)
    if keys and not order and not keeps_none:
        raise ValueError(
            f"the rules have the key {keys[0]!r}, and rows of Spark have no order: say which column decides which of the "
            "records with equal keys is first, as in order_by='received_at', or write 'keep: none' in the rules"
        )
    if references:
        # What is wrong with them is said now, and as Rules.check says it.
        rules._native.with_references([(name, as_stream(_no_rows(table))) for name, table in references.items()])
    secret = os.urandom(16) if keys or foreign else None
    held = [_held(df, rules, number, references or {}, secret) for number in range(len(foreign))] if secret else []
    # The hash of a key that a row does not have, and of an orphan.
    has_own = bool(keys and foreign)
    travelling = carried(rules)
    asked_columns = asked.columns

    def judge(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        own_rules, rows = rules_of(travelling), 0
        counting = _Counting(counted) if counted else None
        for batch, is_last in _with_last(batches) if counting else ((batch, False) for batch in batches):
            # One thread: Spark runs as many tasks as there are processors.
            schema, array = batch.__arrow_c_array__()
            result = own_rules._native.check_array(schema, array, -1, 1, 0, None, secret)
            more = []
            if secret is not None:
                found = pa.record_batch(ArrowArray(result, _arrow.KEYS)).columns
                own = _own(rows, batch.num_rows)
                more = [pc.coalesce(column.cast(pa.binary()), own) for column in found[: len(keys)]]
                more += [column.cast(pa.binary()) for column in found[len(keys) :]]
                more += [own] if has_own else []
            if counting is not None:
                more.append(counting.column(result, batch.num_rows, is_last))
            if values is not None:
                more.append(_findings(Result(batch, PyArrow(), [result], False, own_rules._native), batch.num_rows, values))
            if values and (keys or foreign):
                more.append(_key_values(batch, [asked_columns[key] for key in keys + foreign], Styles(own_rules._native)))
            rows += batch.num_rows
            yield pa.RecordBatch.from_arrays([*batch.columns, *verdicts(result), *more], names)

    added = [StructField(CLEAN, BooleanType(), False), StructField(REASONS, ArrayType(StringType(), False), False)]
    added += [StructField(name, BinaryType(), False) for name in _key_names(keys)]
    added += [StructField(name, BinaryType(), True) for name in _key_names(foreign, _FOREIGN)]
    added += [StructField(_OWN, BinaryType(), False)] if has_own else []
    added += [StructField(_COUNTS, StringType(), True)] if counted else []
    if values is not None:
        finding = StructType([StructField(name, StringType(), True) for name in _FINDING])
        added.append(StructField(_FINDINGS, ArrayType(finding, False), False))
    added += [StructField(_VALUES, ArrayType(StringType(), True), False)] if values and (keys or foreign) else []
    schema = StructType([*df.schema.fields, *added])
    names = schema.names
    rows = df.mapInArrow(judge, schema)
    if foreign:
        rows = _joined(rows, keys, foreign, held)
    return _compared(rows, keys, order, keeps_none) if keys else rows


def _findings(result: Result, rows: int, values: bool) -> pa.Array:
    """For each row the list of its findings."""
    found = result.findings_table(values=values)
    of_row = Counter(found["record"].to_pylist())
    offsets = pa.array(list(accumulate((of_row[row + 1] for row in range(rows)), initial=0)), pa.int32())
    columns = [found[name].cast(pa.string()).combine_chunks() for name in found.column_names[1:]]
    columns += [] if values else [pa.nulls(len(found), pa.string())]
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(columns, list(_FINDING)))


def _key_values(batch: pa.RecordBatch, columns: Sequence[str | None], styles: Styles) -> pa.Array:
    """For each row what stands in the columns of its keys; null for a key of several columns."""

    def texts(column: str | None) -> list[str | None]:
        if column is None:
            return [None] * batch.num_rows
        return list(map(shown, PyArrow().texts(batch, column, range(batch.num_rows), styles, column)))

    return pa.array(list(zip(*map(texts, columns))), pa.list_(pa.string()))


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
    _Names(referenced).expect_found()
    travelling = carried(Rules(rules._native.of_reference(number), trust=rules._trust))

    def hashes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            schema, array = batch.__arrow_c_array__()
            result = rules_of(travelling)._native.check_array(schema, array, -1, 1, 0, None, secret)
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
        is_later = F.lag(F.lit(True)).over(Window.partitionBy(names[0]).orderBy(*order)).isNotNull()
        refused = [F.coalesce(_error_of_tie(names[0], keys[0], order), is_later)]
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
    windows = [Window.partitionBy(name).orderBy(*order) for name in names]
    others = [place(F.lit(True)).over(window) for window in windows for place in (F.lag, F.lead)]
    ties = [_error_of_tie(name, key, order) for name, key in zip(names, keys)]
    # All ties are looked for, whatever the rows share besides.
    judged = judged.withColumn(_SHARED, F.coalesce(*ties, *others, F.lit(False)))
    place = F.when(F.col(_SHARED), F.lit(0)).otherwise(F.xxhash64(names[0]))
    judged = judged.repartition(place).sortWithinPartitions(_SHARED, *order)
    kept = [field for field in judged.schema.fields if field.name not in (*names, _SHARED)]

    def refuse(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held: list[set[bytes]] = [set() for _ in keys]
        for batch in batches:
            found = _refused(batch, keys, held) if pc.any(batch[_SHARED]).as_py() else {}
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


def _refused(batch: pa.RecordBatch, keys: list[str], held: list[set[bytes]]) -> dict[int, list[str]]:
    """The rows of a batch that are refused, and for which keys. Those of clean rows are added to the ones that are held."""
    refused: dict[int, list[str]] = {}
    hashes = list(zip(*(batch[name].to_pylist() for name in _key_names(keys))))
    for row, is_shared in enumerate(batch[_SHARED].to_pylist()):
        if not is_shared:
            continue
        own = list(zip(keys, held, hashes[row]))
        if found := [key for key, holders, hash in own if hash in holders]:
            refused[row] = found
        else:
            for _, holders, hash in own:
                holders.add(hash)
    return refused


def _error_of_tie(name: str, key: str, order: list[str]) -> Column:
    """Null, or the end of the job where another row is equal in a key and in the order. Spark compares, as it does to sort them: two NaN
    are equal, and two times in the hour that a clock shows twice are not."""
    window = Window.partitionBy(name).orderBy(*order)
    values = F.struct(*order)
    # Where there is no other row its values are null, and those of a struct are not.
    is_tie = F.lag(values).over(window).eqNullSafe(values)
    columns = ", ".join(order)
    message = f"two rows are equal in the key '{key}' and in {columns}: order_by has to say which of them is first"
    return F.when(is_tie, F.raise_error(F.lit(message)).cast("boolean"))


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


class _Names:
    """The names of the columns of a DataFrame, as its session takes them: the case of letters may not matter."""

    def __init__(self, df: DataFrame):
        self._minds_case = df.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
        self._names = df.columns

    def same(self, name: str) -> str:
        """A text that is the same for names that are the same to Spark."""
        return name if self._minds_case else name.lower()

    def own(self, name: str) -> str | None:
        """A name as the DataFrame has it."""
        return next((own for own in self._names if self.same(own) == self.same(name)), None)

    def expect_found(self) -> None:
        """Raises :class:`ValueError` where Spark's functions over Arrow, which ask for each column by its name, would not find one."""
        seen: dict[str, str] = {}
        for name in self._names:
            if "." in name or "`" in name:
                raise ValueError(
                    f"the DataFrame has a column {name!r}, and Spark's functions over Arrow find none with a dot or a backquote in its "
                    "name: rename it, as in df.toDF(*[name.replace('.', '_') for name in df.columns])"
                )
            if (other := seen.setdefault(self.same(name), name)) != name or self._names.count(name) > 1:
                both = f"two columns {name!r}" if other == name else f"columns {other!r} and {name!r}, which are the same to Spark"
                raise ValueError(f"the DataFrame has {both}: rename one of them, as in df.toDF('a', 'b', …)")


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
        #: For each rule the column that it is of.
        self.columns = {count.rule: count.column for count in self.counts}
        self._references = {name: key["reference"] for name, key in zip(self.foreign, references)}

    def said_of(self, key: str) -> tuple[str | None, ...]:
        """What is said of a row that a key refuses: column, rule, code, severity, message."""
        code, message = "unique", "equals another row" if self.keeps_none else "equals an earlier row"
        if key in self._references:
            fields = self._references[key]["fields"]
            columns = fields if isinstance(fields, str) else ", ".join(fields)
            code, message = "foreignKey", f"is not in '{columns}' of {self._references[key]['resource']}"
        return self.columns[key], key, code, "reject", message


class Cleaned:
    """A DataFrame in two halves, which are one computation: cache ``judged`` if you use both."""

    def __init__(self, judged: DataFrame, observed: _Observed, rules: Rules):
        #: All rows, the clean ones repaired, with ``assay_clean`` and ``assay_reasons``.
        self.judged = judged
        self._observed = observed
        self._rules = rules

    @property
    def clean(self) -> DataFrame:
        """The rows that are clean, repaired, with the columns they came with."""
        return self.judged.filter(F.col(CLEAN)).drop(CLEAN, REASONS)

    @property
    def rejected(self) -> DataFrame:
        """The rows that are not, as they came, and why."""
        return self.judged.filter(~F.col(CLEAN)).drop(CLEAN)

    @property
    def report(self) -> dict[str, Any]:
        """Counts that Spark gathered on the way, of the first action on any of the three that succeeded.

        ``records``, ``clean``, ``rejected``, ``rules`` with the rows that each rule found something in, and ``thresholds``
        as the report of :func:`assay.clean` has them. ``partial``: the action did not read a partition to its end, as ``show``,
        ``take`` and ``limit`` do not, and the counts are of what it read. (Partitions that it did not begin nobody knows of:
        counts are those of all rows if the action needs all rows.)

        Raises :class:`TimeoutError` if no action has succeeded after ten seconds. (Without Spark Connect nothing is known of what
        ``toLocalIterator``, ``foreach``, ``rdd`` and checkpoints that are not eager read.)
        """
        return self.report_within(10)

    def report_within(self, seconds: float | None) -> dict[str, Any]:
        """The :attr:`report`; for whoever runs the action in another thread. ``None``: waits as long as it takes.

        Raises :class:`TimeoutError` if no action has succeeded by then.
        """
        observed = self._observed.get(seconds)
        counted: Counter[str] = Counter()
        # What stands there is one object after the other.
        for counts in json.loads(f"[{observed.pop(_COUNTS)}]"):
            counted.update(counts)
        batched, begun, ended, refused = (counted.pop(name, 0) for name in _OWN_COUNTS)
        records = observed.pop("records")
        counted.update(observed)
        is_partial = batched != records or begun != ended
        if _CLEAN in counted:
            clean = counted.pop(_CLEAN)
        else:
            # Nothing changes what the batches came to, of which not all rows may have been read.
            records, clean = batched, batched - refused

        def counts_of(kind: str) -> dict[str, int]:
            return {name.removeprefix(kind): count for name, count in counted.items() if count and name.startswith(kind)}

        totals = {"records": records, "clean": clean, "rejected": records - clean}
        given = json.loads(self._rules.json()).get("thresholds", {})
        rules = counts_of(_RULE)
        thresholds = measured(given, records, records - clean, counts_of(_COLUMN), rules)
        return totals | {"rules": rules, "thresholds": thresholds, "partial": is_partial}


class _Observed:
    """What Spark observes of an action. In Spark Connect an Observation does not wait, and has nothing of an action that failed."""

    def __init__(self) -> None:
        self.name = f"assay {uuid.uuid4()}"
        self.observation = Observation(self.name)

    def get(self, seconds: float | None) -> dict[str, Any]:
        end = None if seconds is None else time.monotonic() + seconds
        while not (found := self._found()):
            left = 1.0 if end is None else end - time.monotonic()
            if left <= 0:
                raise TimeoutError(self._nothing_after(f"{seconds:g} s"))
            time.sleep(min(0.05, left))
        return found

    def _found(self) -> dict[str, Any]:
        return dict(self.observation.get)

    def _nothing_after(self, time: str) -> str:
        return (
            f"no action on judged, clean or rejected has ended after {time}: run one first, such as judged.count() or a write; "
            "report_within(seconds) waits longer"
        )


class _Heard(_Observed):
    """The same of a session with a JVM. There an Observation has something of whatever ran first: also of what failed, and of what
    reads its rows only later, as toLocalIterator does. So a listener hears which actions succeeded, and what they counted."""

    #: Those that wait to hear something, and the sessions that are listened to.
    _waiting: ClassVar[WeakValueDictionary[str, _Heard]] = WeakValueDictionary()
    _sessions: ClassVar[set[str]] = set()

    def __init__(self, session: SparkSession):
        super().__init__()
        self._counts: dict[str, Any] = {}
        self._failure = ""
        self._waiting[self.name] = self
        jvm_session = session._jsparkSession
        if (own := jvm_session.sessionUUID()) not in self._sessions:
            # Spark's client for Connect alone comes without.
            from pyspark.java_gateway import ensure_callback_server_started

            ensure_callback_server_started(session.sparkContext._gateway)
            jvm_session.listenerManager().register(_Listener())
            self._sessions.add(own)

    def hear(self, action: str, execution: Any, failure: str) -> None:
        """In a thread of py4j: an action ended."""
        observed = execution.observedMetrics().get(self.name)
        if not observed.isDefined():
            return
        if failure:
            self._failure = failure
            return
        counts = json.loads(observed.get().json())
        # Those may be lazy, and have not run then.
        if counts["records"] or action not in ("checkpoint", "localCheckpoint"):
            self._counts = counts
            self._waiting.pop(self.name, None)

    def _found(self) -> dict[str, Any]:
        counts = self._counts
        if not counts or self._failure:
            return dict(counts)
        # Listeners hear of an action a little later, when the same DataFrame may have begun to count anew for the next one. An
        # Observation is read as the first one ends. (It has fewer rows, or none to ask for, where that was one that nobody hears of.)
        from py4j.protocol import Py4JError

        observed: dict[str, Any] = {}
        try:
            observed = dict(self.observation.get)
        except Py4JError:
            pass
        return observed if observed.get("records", 0) > counts["records"] else dict(counts)

    def _nothing_after(self, time: str) -> str:
        if self._failure:
            return (
                f"the last action on judged, clean or rejected failed, and none has succeeded after {time}: run it again, and the report "
                f"is of that. It failed with: {self._failure}"
            )
        return f"{super()._nothing_after(time)}. (Of toLocalIterator, foreach, rdd and lazy checkpoints Spark tells no counts.)"


class _Unheard(_Observed):
    """Of a session that lets nobody listen, as a managed one may that fences its JVM in. All but the report works there."""

    def __init__(self, reason: BaseException):
        super().__init__()
        self._reason = reason

    def get(self, seconds: float | None) -> dict[str, Any]:
        raise RuntimeError(
            "this session of Spark lets nobody listen to its actions, so there is no report: count the rows of judged, as in "
            f"judged.groupBy('{CLEAN}').count()"
        ) from self._reason


def _observed(session: SparkSession) -> _Observed:
    if is_remote():
        return _Observed()
    try:
        return _Heard(session)
    except Exception as error:
        return _Unheard(error)


class _Listener:
    """Called by Spark at the end of each action of a session."""

    def onSuccess(self, action: str, execution: Any, nanoseconds: int) -> None:
        self._tell(action, execution, "")

    def onFailure(self, action: str, execution: Any, error: Any) -> None:
        self._tell(action, execution, str(error.toString()).partition("\n")[0])

    def _tell(self, action: str, execution: Any, failure: str) -> None:
        for reference in _Heard._waiting.valuerefs():
            waiting = reference()
            if waiting is not None:
                waiting.hear(action, execution, failure)

    class Java:
        implements = ["org.apache.spark.sql.util.QueryExecutionListener"]


class _Counted:
    """What is counted: in the workers for each batch, since Spark would ask each row about each rule; by Spark what keys refuse."""

    def __init__(self, rules: Rules, asked: _Asked):
        later = {*asked.keys, *asked.foreign}
        #: The rules that find something in a row by comparing it with others, and the columns with a threshold that they reject.
        self.later = sorted(later)
        self.columns: list[str] = []
        self._later_columns: dict[str, list[str]] = {}
        for column in json.loads(rules.json()).get("thresholds", {}).get("columns", {}):
            # What is no text is not for the rules of a column.
            others = {"encoding", "structure.too-long"}
            own = [c.rule for c in asked.counts if c.column == column and c.severity == "reject" and c.rule not in others]
            if later.isdisjoint(own):
                self.columns.append(column)
            else:
                self._later_columns[column] = own

    def observed(self) -> list[Column]:
        """What Spark has to gather."""
        gathered = [F.count(F.lit(1)).alias("records"), F.concat_ws(",", F.collect_list(_COUNTS)).alias(_COUNTS)]
        gathered += [F.count_if(F.col(CLEAN)).alias(_CLEAN)] if self.later else []
        gathered += [F.count_if(F.array_contains(REASONS, name)).alias(_RULE + name) for name in self.later]
        for column, own in self._later_columns.items():
            gathered.append(F.count_if(F.arrays_overlap(REASONS, F.array(*map(F.lit, own)))).alias(_COLUMN + column))
        return gathered


class _Counting:
    """The counts of a partition. They are passed on after 1, 2, 4, 8 … batches and at the end, so that Spark has few of them to keep
    however large the partition is, and all but the last ones of an action that stops early."""

    def __init__(self, counted: _Counted):
        self._counted = counted
        self._batches, self._next = 0, 1
        self._start()

    def _start(self) -> None:
        self._tally = _native.Tally()
        self._columns: Counter[str] = Counter()

    def column(self, result: _native.Result, rows: int, is_last: bool) -> pa.Array:
        """The column of the counts for a batch: a text in its first row, or none."""
        self._batches += 1
        self._tally.add(result)
        for name in self._counted.columns:
            self._columns[_COLUMN + name] += result.rejected_by(name)
        if not is_last and self._batches < self._next:
            return pa.nulls(rows, pa.string())
        counts = {name: count for name, count in self._counts(is_last).items() if count}
        self._next *= 2
        self._start()
        return pa.concat_arrays([pa.array([json.dumps(counts)]), pa.nulls(rows - 1, pa.string())])

    def _counts(self, is_last: bool) -> Counter[str]:
        records, _, rejected, *_ = self._tally.totals()
        own = (records, int(self._next == 1), int(is_last), rejected)
        counts = Counter(dict(zip(_OWN_COUNTS, own))) + self._columns
        for _, rule, _, failed, undecided in self._tally.rules():
            if rule not in self._counted.later:
                counts[_RULE + rule] += failed + undecided
        return counts


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
    return _repaired(df, rules)


def _repaired(df: DataFrame, rules: Rules, *, only_clean: bool = False) -> DataFrame:
    _Names(df).expect_found()
    travelling = carried(rules)

    def repaired(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        repairs = Repairs(rules_of(travelling)._native, threads=1)
        for batch in batches:
            new = repair_arrow(repairs, batch, -1)
            yield _where(batch[CLEAN], new, batch, repairs) if only_clean else new

    empties = Repairs(rules._native).empties
    fields = [StructField(f.name, f.dataType, f.nullable or f.name in empties, f.metadata) for f in df.schema.fields]
    return df.mapInArrow(repaired, StructType(fields))


def _where(clean: pa.Array, repaired: pa.RecordBatch, batch: pa.RecordBatch, repairs: Repairs) -> pa.RecordBatch:
    """The clean rows repaired, and the others as they came."""
    columns = [
        pc.if_else(clean, new, old.cast(new.type)) if name in repairs or repairs.looks_into(opened("", name)) else old
        for name, new, old in zip(batch.schema.names, repaired.columns, batch.columns)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=repaired.schema)


def clean(
    df: DataFrame,
    rules: Rules,
    *,
    order_by: str | Sequence[str] | None = None,
    references: Mapping[str, DataFrame] | None = None,
) -> Cleaned:
    """Judges a DataFrame once, and gives its clean rows, with what ``repair:`` of the rules makes of their values, its rejected
    rows, as they came, and the counts.

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
    rows = _checked(df, rules, asked, order_by, references, counted=counted)
    observed = _observed(df.sparkSession)
    judged = rows.observe(observed.observation, *counted.observed()).drop(_COUNTS)
    return Cleaned(_repaired(judged, rules, only_clean=True) if Repairs(rules._native) else judged, observed, rules)


@overload
def register(session: SparkSession) -> None: ...


@overload
def register(session: SparkSession, name: str, what: Rules) -> None: ...


@overload
def register(session: SparkSession, name: str, what: Judge | str, **flags: Unpack[Flags]) -> None: ...


def register(
    session: SparkSession, name: str | None = None, what: Rules | Judge | str | None = None, **flags: Unpack[Flags]
) -> None:
    """Makes functions of SQL in a session, which are called with batches of Arrow, not with single values. Needs Spark 4.1 or later.

    ``register(session)`` makes ``assay_matches(pattern, value)``, the whole of which has to match, and ``assay_is(format, value)``,
    which knows the :class:`assay.Format` of that name.

    ``register(session, name, pattern)`` makes ``name(value)`` of a pattern or of a format. The flags are those of
    :class:`assay.Pattern`, for a pattern that is a text.

    ``register(session, name, rules)`` makes ``name(struct(*))``, the struct of ``assay_clean`` and ``assay_reasons``. Rules with keys are
    refused: a function sees one row at a time. A DataFrame is judged by :func:`check`, which is quicker.

    Answers are null where there is no value, and where a limit left it undecided.
    """
    if name is None:
        for own, function in FUNCTIONS.items():
            _create(session, own, function, "boolean")
    elif isinstance(what, Rules):
        rules = judgeable(what)

        def judge(rows: pa.Array) -> pa.Array:
            return judge_rows(rules, rows)

        _create(session, name, judge, f"{CLEAN} boolean, {REASONS} array<string>")
    elif what is None:
        raise TypeError(f"what is {name}? A pattern, an assay.Format, or rules")
    else:
        asked = compiled(what, flags)

        def match(values: pa.Array) -> pa.Array:
            return asked.match(values, threads=1)

        _create(session, name, match, "boolean")


def _create(session: SparkSession, name: str, function: Callable[..., Any], returned: str) -> None:
    if not hasattr(F, "arrow_udf"):
        raise NotImplementedError("functions over Arrow need Spark 4.1 or later: assay.spark.check judges DataFrames")
    session.udf.register(name, F.arrow_udf(function, returned))


def _no_rows(df: DataFrame) -> pa.RecordBatch:
    """A batch with the columns of a DataFrame, to ask the rules what they make of them."""
    # Without a time zone Spark does not know what to make of its timestamps.
    schema = to_arrow_schema(df.schema, timezone=df.sparkSession.conf.get("spark.sql.session.timeZone"))
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
