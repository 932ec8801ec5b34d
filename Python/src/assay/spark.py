"""Rules over a Spark DataFrame: the executors check its rows in Arrow batches.

    cleaned = assay.spark.clean(df, rules)
    cleaned.clean.write.parquet("users.clean")
    cleaned.rejected.write.json("users.rejects")     # with assay_reasons
    cleaned.report                                   # counts, after the first write

Each Python worker compiles the rules once. If Spark repeats a task, the task returns the same rows and Spark uses one
of the two results, so each row appears once in the output.

Keys (``unique``, ``primaryKey``, ``uniqueKeys``) are compared across all partitions, with one shuffle per key. Because
the rows of a DataFrame are unordered, a column must decide which of the records with equal keys is first, here or as
``keep: {max: received_at}`` in the rules:

    cleaned = assay.spark.clean(df, rules, order_by="received_at")           # or F.desc("received_at")

Foreign keys are joined by their hashes, with a file that the driver reads or with another DataFrame:

    cleaned = assay.spark.clean(orders, rules, references={"customers.csv": customers})

One row per finding:

    assay.spark.findings(df, rules, keys=["id"], values=True)

SQL functions for formats, patterns and rules:

    assay.spark.register(session)
    session.sql("SELECT * FROM users WHERE assay_is('email', email)")

Sessions of Spark Connect are supported. :func:`check` and :func:`findings` accept a streaming DataFrame. :func:`clean`
does not, because its counts need a finite table: call it for the batches of ``foreachBatch``.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, overload
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
from ._now import Now, instant
from ._paths import opened
from ._pattern import Flags, Matcher, compiled
from ._repair import Repairs, repair_arrow
from ._report import Report, RuleCount
from ._result import Result
from ._rules import Rules, carried
from ._sql import FUNCTIONS, checkable, evaluate_rows, rules_of, verdicts
from ._text import Styles, shown
from ._thresholds import measured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from typing_extensions import Unpack

#: The columns that decide which of several rows is first: names, or expressions such as ``F.desc("received_at")``.
Order: TypeAlias = str | Column | Sequence[str | Column]

#: Prefix of rule names among the counts that Spark gathers, because a rule may have the name of a total.
_RULE = "rule "
#: Prefix of column names among these counts, for the columns whose rejects are counted.
_COLUMN = "column "
#: Temporary column: in the first row of some batches, the counts since the previous such row, as JSON.
_COUNTS = "assay_counts"
#: The counts other than those of rules and columns: rows, begun partitions, ended partitions, rejected rows. `_CLEAN`
#: is the count that Spark takes after it compared the keys.
_OWN_COUNTS, _CLEAN = ("batched", "begun", "ended", "refused"), "clean"
#: Temporary column: the findings of each row, as a list of structs with the fields `_FINDING`.
_FINDINGS = "assay_findings"
_FINDING = (*_arrow.FINDING_NAMES[1:], "value")
#: Temporary column: the key values of each row, as texts.
_VALUES = "assay_values"
#: Temporary columns: the hash of each key, and whether another row shares one of these hashes; the hash of each foreign
#: key, and the matching hash of the referenced table; a value that is unique to the row.
_KEY, _SHARED = "assay_key_", "assay_shared"
_FOREIGN, _HELD, _OWN = "assay_foreign_", "assay_held_", "assay_own"
#: Temporary columns: the order of the values in the column that decides which row is kept (``{max: COLUMN}``), as
#: bytes; the place of a row in the order.
_PREFERENCE, _PLACE = "assay_preference", "assay_place"


def check(
    df: DataFrame,
    rules: Rules,
    *,
    order_by: Order | None = None,
    references: Mapping[str, DataFrame] | None = None,
    now: Now | None = None,
) -> DataFrame:
    """Returns the rows unchanged, with two more columns: ``assay_clean`` and ``assay_reasons``.

    Raises :class:`assay.AssayError` before any task runs if the columns do not fit the rules.

    :param order_by: the column or columns whose order decides which of the rows with equal keys is first. The first row
        is kept, or with ``keep: last`` the last one. Each is a name or a Column, such as ``F.desc("received_at")``,
        which reverses the order. A Column must refer to others by their names, and not through the DataFrame as
        ``df.received_at`` does. Required if the rules have keys, unless they have ``keep: none``, ``{max: COLUMN}`` or
        ``{min: COLUMN}``. With the latter two, it decides among rows with equal values in that column. The job fails if
        the order does not decide between two rows with equal keys.
    :param references: the DataFrames that foreign keys refer to, by the names in the rules. They replace files of these
        names, which the driver would read. Foreign keys into the table itself raise :class:`ValueError`.
    :param now: the value of ``now()`` in row rules for all rows: a datetime with a time zone, or a text such as
        ``"2024-02-29T12:30:00Z"``. Default: the time of this call. For a streaming DataFrame, which does not end, the
        default is the time at which each batch of rows is checked.
    """
    return _checked(df, rules, _Requested(df, rules), order_by, references, now)


def findings(
    df: DataFrame,
    rules: Rules,
    *,
    values: bool = False,
    keys: str | Sequence[str] = (),
    order_by: Order | None = None,
    references: Mapping[str, DataFrame] | None = None,
    now: Now | None = None,
) -> DataFrame:
    """Returns all findings: ``column``, ``rule``, ``code``, ``severity``, ``message``, then the columns of ``keys``,
    and ``value`` if requested. Like :meth:`assay.Result.findings_table`, but without the record number, because the
    rows of Spark are not numbered.

    The rows of ``df`` are checked again for this call: cache them if they are expensive.

    :param values: whether to add a column ``value`` with the value of the cell as text; null for findings of the whole
        row.
    :param keys: the column or columns of the DataFrame to copy beside each finding, to identify its row.
    :param order_by: as in :func:`check`.
    :param references: as in :func:`check`.
    :param now: as in :func:`check`.
    """
    names = _Names(df)
    shown_keys: list[str] = []
    for key in [keys] if isinstance(keys, str) else keys:
        if names.same(key) in _FINDING:
            raise ValueError(f"findings have a column {key!r} of their own: rename that of the DataFrame")
        if (own := names.own(key)) is None:
            raise KeyError(f"the DataFrame has no column {key!r}: {', '.join(df.columns)}")
        shown_keys.append(own)
    requested = _Requested(df, rules)
    rows = _checked(df, rules, requested, order_by, references, now, values=values)
    # Spark compares keys after the workers checked the rows, so append the findings of keys here.
    for place, key in enumerate(requested.keys + requested.foreign):
        is_new = F.array_contains(REASONS, key) & ~F.array_contains(F.col(f"{_FINDINGS}.rule"), key)
        reported = [F.lit(text).cast("string").alias(name) for name, text in zip(_FINDING, requested.texts_of(key))]
        value = F.col(_VALUES)[place] if values else F.lit(None).cast("string")
        row_texts = F.struct(*reported, value.alias("value"))
        rows = rows.withColumn(_FINDINGS,
                               F.when(is_new, F.concat(_FINDINGS, F.array(row_texts))).otherwise(F.col(_FINDINGS)))
    rows = rows.select(*shown_keys, F.explode(_FINDINGS).alias(_FINDINGS))
    found = [F.col(f"{_FINDINGS}.{name}").alias(name) for name in _FINDING]
    return rows.select(*found[:-1], *shown_keys, *(found[-1:] if values else ()))


def _checked(
    df: DataFrame,
    rules: Rules,
    requested: _Requested,
    order_by: Order | None,
    references: Mapping[str, DataFrame] | None,
    now: Now | None,
    *,
    counted: _Counted | None = None,
    values: bool | None = None,
) -> DataFrame:
    """Returns the result of :func:`check`, with the column of counts if `counted` is given, and with the column of
    findings if `values` is not None.
    """
    keys, foreign, keep = requested.keys, requested.foreign, requested.keep
    has_preference = isinstance(keep, dict) and bool(keys)
    names_of_df = _Names(df)
    names_of_df.expect_found()
    if df.isStreaming and (keys or foreign):
        raise ValueError(
            f"the rules have the key {(keys + foreign)[0]!r}, and no key can be compared in a stream that does not "
            f"end: check each batch with foreachBatch, or leave the keys out of the rules"
        )
    taken = {CLEAN, REASONS, _COUNTS, _FINDINGS, _VALUES, _SHARED, _OWN, _PREFERENCE, _PLACE, *_key_names(keys),
             *_key_names(foreign, _FOREIGN), *_key_names(foreign, _HELD)}
    for name in df.columns:
        if names_of_df.same(name) in taken:
            raise ValueError(f"the DataFrame has a column {name!r} already: was it checked before?")
    order = _order(order_by, df, names_of_df)
    if keys and not order and keep in ("first", "last"):
        raise ValueError(
            f"the rules have the key {keys[0]!r}, and rows of Spark have no order: name the column that decides which "
            f"of the records with equal keys is {keep}, as in order_by='received_at', or write 'keep: none' or "
            "'keep: {max: received_at}' in the rules"
        )
    if has_preference:
        # Rows without a value come last.
        order = [F.col(_PREFERENCE).asc_nulls_last(), *order]
    if references:
        # Report mistakes in the referenced tables now, with the messages of Rules.check.
        rules._native.with_references([(name, as_stream(_no_rows(table))) for name, table in references.items()])
    secret = os.urandom(16) if keys or foreign else None
    held = [_held(df, rules, number, references or {}, secret) for number in range(len(foreign))] if secret else []
    # Orphans get a unique value in place of their key hashes, so that they hold no keys.
    has_own = bool(keys and foreign)
    travelling = carried(rules)
    # One time for all executors. A stream would otherwise keep the time of its start for ever.
    moment = None if df.isStreaming and now is None else instant(now)
    requested_columns = requested.columns

    def evaluate(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        own_rules, rows = rules_of(travelling)._native, 0
        if moment is not None:
            own_rules = own_rules.with_now(*moment)
        counting = _Counting(counted) if counted else None
        for batch, is_last in _with_last(batches) if counting else ((batch, False) for batch in batches):
            # One thread, because Spark runs one task per processor.
            schema, array = batch.__arrow_c_array__()
            result = own_rules.check_array(schema, array, -1, 1, 0, None, secret)
            more = []
            if secret is not None:
                found = pa.record_batch(ArrowArray(result, _arrow.KEYS)).columns
                own = _own(rows, batch.num_rows)
                more = [pc.coalesce(column.cast(pa.binary()), own) for column in found[: len(keys)]]
                more += [column.cast(pa.binary()) for column in found[len(keys) : len(keys) + len(foreign)]]
                more += [own] if has_own else []
                more += [found[-1].cast(pa.binary())] if has_preference else []
            if counting is not None:
                more.append(counting.column(result, batch.num_rows, is_last))
            if values is not None:
                more.append(_findings(Result(batch, PyArrow(), [result], False, own_rules),
                                      batch.num_rows, values))
            if values and (keys or foreign):
                more.append(_key_values(batch, [requested_columns[key] for key in keys + foreign],
                                        Styles(own_rules)))
            rows += batch.num_rows
            yield pa.RecordBatch.from_arrays([*batch.columns, *verdicts(result), *more], names)

    added = [StructField(CLEAN, BooleanType(), False), StructField(REASONS, ArrayType(StringType(), False), False)]
    added += [StructField(name, BinaryType(), False) for name in _key_names(keys)]
    added += [StructField(name, BinaryType(), True) for name in _key_names(foreign, _FOREIGN)]
    added += [StructField(_OWN, BinaryType(), False)] if has_own else []
    added += [StructField(_PREFERENCE, BinaryType(), True)] if has_preference else []
    added += [StructField(_COUNTS, StringType(), True)] if counted else []
    if values is not None:
        finding = StructType([StructField(name, StringType(), True) for name in _FINDING])
        added.append(StructField(_FINDINGS, ArrayType(finding, False), False))
    added += [StructField(_VALUES, ArrayType(StringType(), True), False)] if values and (keys or foreign) else []
    schema = StructType([*df.schema.fields, *added])
    names = schema.names
    rows = df.mapInArrow(evaluate, schema)
    if foreign:
        rows = _joined(rows, keys, foreign, held)
    if not keys:
        return rows
    compared = _compared(rows, keys, order, keep)
    return compared.drop(_PREFERENCE) if has_preference else compared


def _findings(result: Result, rows: int, values: bool) -> pa.Array:
    """The list of findings of each row."""
    found = result.findings_table(values=values)
    of_row = Counter(found["record"].to_pylist())
    offsets = pa.array(list(accumulate((of_row[row + 1] for row in range(rows)), initial=0)), pa.int32())
    columns = [found[name].cast(pa.string()).combine_chunks() for name in found.column_names[1:]]
    columns += [] if values else [pa.nulls(len(found), pa.string())]
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(columns, list(_FINDING)))


def _key_values(batch: pa.RecordBatch, columns: Sequence[str | None], styles: Styles) -> pa.Array:
    """The texts of each row in its key columns; null for a key of several columns."""

    def texts(column: str | None) -> list[str | None]:
        if column is None:
            return [None] * batch.num_rows
        return list(map(shown, PyArrow().texts(batch, column, range(batch.num_rows), styles, column)))

    return pa.array(list(zip(*map(texts, columns))), pa.list_(pa.string()))


def _held(
    df: DataFrame, rules: Rules, number: int, references: Mapping[str, DataFrame], secret: bytes
) -> DataFrame:
    """The distinct hashes of the values that a foreign key may refer to."""
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


def _joined(checked: DataFrame, keys: list[str], foreign: list[str], held: list[DataFrame]) -> DataFrame:
    """Drops the hashes of foreign keys and rejects the rows whose reference is missing. Rejected rows hold no keys."""
    names, held_names = _key_names(foreign, _FOREIGN), _key_names(foreign, _HELD)
    for name, held_name, referenced in zip(names, held_names, held):
        checked = checked.join(referenced, checked[name] == referenced[held_name], "left")
    orphan = [F.col(name).isNotNull() & F.col(held_name).isNull() for name, held_name in zip(names, held_names)]
    found = F.filter(F.array(*[F.when(is_orphan, F.lit(key)) for is_orphan, key in zip(orphan, foreign)]), _is_there)
    is_orphan = _any(orphan)
    checked = checked.withColumn(REASONS, F.concat(REASONS, found)).withColumn(CLEAN, F.col(CLEAN) & ~is_orphan)
    for name in _key_names(keys):
        checked = checked.withColumn(name, F.when(is_orphan, F.col(_OWN)).otherwise(F.col(name)))
    return checked.drop(*names, *held_names, _OWN)


def _is_there(value: Column) -> Column:
    return value.isNotNull()


def _order(order_by: Order | None, df: DataFrame, names: _Names) -> list[Column]:
    """Returns the columns of `order_by`. Raises :class:`ValueError` for unknown names."""
    order = []
    # A Column has no truth value, and iterating over it does not end.
    for one in [] if order_by is None else [order_by] if isinstance(order_by, (str, Column)) else order_by:
        if isinstance(one, str):
            if (own := names.own(one)) is None:
                raise ValueError(
                    f"order_by names {one!r}, which is no column of the DataFrame: {', '.join(df.columns)}")
            one = F.col(own)
        order.append(one)
    return order


def _compared(checked: DataFrame, keys: list[str], order: list[Column], keep: Any) -> DataFrame:
    """Drops the hashes of keys and rejects the rows that have a key of another row."""
    names = _key_names(keys)
    if keep == "none":
        refused = [F.count(F.lit(1)).over(Window.partitionBy(name)) > 1 for name in names]
    elif len(names) == 1:
        preferred = F.lead if keep == "last" else F.lag
        has_preferred = preferred(F.lit(True)).over(Window.partitionBy(names[0]).orderBy(*order)).isNotNull()
        refused = [F.coalesce(_error_of_tie(names[0], keys[0], order, keep), has_preferred)]
    else:
        return _compared_in_order(checked, keys, order, keep)
    for name, is_refused in zip(names, refused):
        # Replace the hash with the verdict.
        checked = checked.withColumn(name, is_refused)
    found = F.filter(F.array(*[F.when(F.col(name), F.lit(key)) for name, key in zip(names, keys)]), _is_there)
    return (
        checked.withColumn(REASONS, F.concat(REASONS, found))
        .withColumn(CLEAN, F.col(CLEAN) & ~_any([F.col(name) for name in names]))
        .drop(*names)
    )


def _compared_in_order(checked: DataFrame, keys: list[str], order: list[Column], keep: Any) -> DataFrame:
    """Does the same for several keys. Because a row that is rejected for one key does not hold its other keys, one task
    visits the rows that share a key in order. All other rows are spread over the tasks by their first key, and pass
    through unchanged."""
    names = _key_names(keys)
    windows = [Window.partitionBy(name).orderBy(*order) for name in names]
    others = [place(F.lit(True)).over(window) for window in windows for place in (F.lag, F.lead)]
    ties = [_error_of_tie(name, key, order, keep) for name, key in zip(names, keys)]
    # coalesce() evaluates the ties first, so that each tie raises an error.
    checked = checked.withColumn(_SHARED, F.coalesce(*ties, *others, F.lit(False)))
    place = F.when(F.col(_SHARED), F.lit(0)).otherwise(F.xxhash64(names[0]))
    if keep == "last":
        # A Column cannot be reversed, but the place in its order can.
        checked = checked.withColumn(_PLACE, F.row_number().over(Window.partitionBy(place).orderBy(*order)))
        order = [F.desc(_PLACE)]
    checked = checked.repartition(place).sortWithinPartitions(_SHARED, *order)
    kept = [field for field in checked.schema.fields if field.name not in (*names, _SHARED, _PLACE)]

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

    return checked.mapInArrow(refuse, StructType(kept))


def _refused(batch: pa.RecordBatch, keys: list[str], held: list[set[bytes]]) -> dict[int, list[str]]:
    """Returns the rejected rows of a batch with the names of their keys, and adds the keys of the other rows to
    `held`."""
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


def _error_of_tie(name: str, key: str, order: list[Column], keep: Any) -> Column:
    """Null, or an error that ends the job if the previous row has the same key and order values. Spark compares them as
    it does for sorting: two NaN are equal, and two times in a repeated hour of a clock change are not."""
    window = Window.partitionBy(name).orderBy(*order)
    # Equal rows have the rank of the first one. This needs no values, which a descending column does not have.
    is_tie = F.row_number().over(window) != F.rank().over(window)
    columns = list(map(_text_of, order))
    if isinstance(keep, dict):
        columns[0] = next(iter(keep.values()))
    message = (f"two rows are equal in the key '{key}' and in {', '.join(columns)}: order_by must decide which one is "
               f"{'last' if keep == 'last' else 'first'}")
    return F.when(is_tie, F.raise_error(F.lit(message)).cast("boolean"))


def _text_of(column: Column) -> str:
    """Returns the SQL text of a column: ``received_at DESC NULLS LAST``."""
    return str(column).removeprefix("Column<'").removesuffix("'>")


def _own(first: int, rows: int) -> pa.Array:
    """A value for each row that no other row has."""
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
    """The column names of a DataFrame, compared as its session does, which may ignore case."""

    def __init__(self, df: DataFrame):
        self._minds_case = df.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
        self._names = df.columns

    def same(self, name: str) -> str:
        """Returns a text that is equal for names that Spark treats as equal."""
        return name if self._minds_case else name.lower()

    def own(self, name: str) -> str | None:
        """Returns the name as the DataFrame spells it, or None."""
        return next((own for own in self._names if self.same(own) == self.same(name)), None)

    def expect_found(self) -> None:
        """Raises :class:`ValueError` if Spark's Arrow functions, which look up columns by name, would not find a
        column."""
        seen: dict[str, str] = {}
        for name in self._names:
            if "." in name or "`" in name:
                raise ValueError(
                    f"the DataFrame has a column {name!r}, but Spark's functions over Arrow cannot find a column "
                    "with a dot or a backquote in its name: rename it, as in "
                    "df.toDF(*[name.replace('.', '_') for name in df.columns])"
                )
            if (other := seen.setdefault(self.same(name), name)) != name or self._names.count(name) > 1:
                both = f"two columns {name!r}" if other == name else (f"columns {other!r} and {name!r}, which are the "
                                                                      "same to Spark")
                raise ValueError(f"the DataFrame has {both}: rename one, as in df.toDF('a', 'b', …)")


class _Requested:
    """The rules and keys that apply to the rows of a DataFrame."""

    def __init__(self, df: DataFrame, rules: Rules):
        """Raises :class:`assay.AssayError` if the columns do not fit the rules."""
        given = json.loads(rules.json())
        references = given.get("foreignKeys", [])
        for number, key in enumerate(references, 1):
            if refers_to_own(key):
                raise ValueError(
                    f"the foreign key 'foreignKeys.{number}' refers to the table itself, which is not asked of a "
                    f"DataFrame: leave it out of the rules, or check a table with Rules.check or a file with "
                    "assay.clean"
                )
        for field in given["fields"]:
            if field.get("constraints", {}).get("sorted"):
                raise ValueError(
                    f"the rule '{field['name']}.sorted' compares each row with the earlier ones, and rows of Spark "
                    "have no order: leave 'sorted' out of the rules, or check a table with Rules.check or a file with "
                    "assay.clean"
                )
        schema, array = _no_rows(df).__arrow_c_array__()
        result = rules._native.check_array(schema, array, -1, 1, 0, None, bytes(16))
        #: Every rule, in report order.
        self.counts: list[RuleCount] = Report([result]).rules
        #: The names of the keys, and of the foreign keys.
        self.keys: list[str] = []
        self.foreign: list[str] = []
        is_unique = any(field.get("constraints", {}).get("unique") for field in given["fields"])
        if references or is_unique or given.get("primaryKey") or given.get("uniqueKeys"):
            names = pa.record_batch(ArrowArray(result, _arrow.KEYS)).schema.names
            names = [name for name in names if name != "keep"]
            self.keys, self.foreign = names[: len(names) - len(references)], names[len(names) - len(references) :]
        #: Which of the records with equal keys is kept: a name, or a dict with a column.
        self.keep: str | dict[str, str] = given.get("keep", "first")
        #: The column of each rule.
        self.columns = {count.rule: count.column for count in self.counts}
        self._references = {name: key["reference"] for name, key in zip(self.foreign, references)}

    def texts_of(self, key: str) -> tuple[str | None, ...]:
        """The finding for a row that a key rejects: column, rule, code, severity, message."""
        others = {"first": "an earlier row", "last": "a later row"}
        code, message = "unique", f"equals {others.get(str(self.keep), 'another row')}"
        if key in self._references:
            fields = self._references[key]["fields"]
            columns = fields if isinstance(fields, str) else ", ".join(fields)
            code, message = "foreignKey", f"is not in '{columns}' of {self._references[key]['resource']}"
        return self.columns[key], key, code, "reject", message


class Cleaned:
    """The clean and the rejected rows of a DataFrame. Both are computed from ``checked``: cache it if you use both."""

    def __init__(self, checked: DataFrame, observed: _Observed, rules: Rules):
        #: All rows, the clean ones repaired, with ``assay_clean`` and ``assay_reasons``.
        self.checked = checked
        self._observed = observed
        self._rules = rules

    @property
    def clean(self) -> DataFrame:
        """The clean rows, repaired, with their original columns."""
        return self.checked.filter(F.col(CLEAN)).drop(CLEAN, REASONS)

    @property
    def rejected(self) -> DataFrame:
        """The rejected rows, unchanged, with ``assay_reasons``."""
        return self.checked.filter(~F.col(CLEAN)).drop(CLEAN)

    @property
    def report(self) -> dict[str, Any]:
        """The counts of the first successful action on ``checked``, ``clean`` or ``rejected``.

        They are ``records``, ``clean``, ``rejected``, ``rules`` with the count of rows in which each rule has a
        finding, and ``thresholds`` as in the report of :func:`assay.clean`. ``partial`` is true if the action did not
        read a partition to its end, as with ``show``, ``take`` and ``limit``; the counts then cover the rows that it
        read. Partitions that the action did not begin are unknown, so the counts cover all rows only if the action
        needs all rows.

        Raises :class:`TimeoutError` if no action has succeeded after ten seconds. Without Spark Connect, Spark reports
        no counts for ``toLocalIterator``, ``foreach``, ``rdd`` and lazy checkpoints.
        """
        return self.report_within(10)

    def report_within(self, seconds: float | None) -> dict[str, Any]:
        """Returns the :attr:`report`, waiting for an action that runs in another thread.

        :param seconds: the maximum wait; ``None`` waits without limit.

        Raises :class:`TimeoutError` if no action has succeeded in this time.
        """
        observed = self._observed.get(seconds)
        counted: Counter[str] = Counter()
        # The observed text is a comma-separated series of JSON objects.
        for counts in json.loads(f"[{observed.pop(_COUNTS)}]"):
            counted.update(counts)
        batched, begun, ended, refused = (counted.pop(name, 0) for name in _OWN_COUNTS)
        records = observed.pop("records")
        counted.update(observed)
        is_partial = batched != records or begun != ended
        if _CLEAN in counted:
            clean = counted.pop(_CLEAN)
        else:
            # Without keys, the counts of the batches are final, although the action may have read only some of their
            # rows.
            records, clean = batched, batched - refused

        def counts_of(kind: str) -> dict[str, int]:
            return {name.removeprefix(kind): count for name, count in counted.items() if count
                    and name.startswith(kind)}

        totals = {"records": records, "clean": clean, "rejected": records - clean}
        given = json.loads(self._rules.json()).get("thresholds", {})
        rules = counts_of(_RULE)
        thresholds = measured(given, records, records - clean, counts_of(_COLUMN), rules)
        return totals | {"rules": rules, "thresholds": thresholds, "partial": is_partial}


class _Observed:
    """The counts that Spark observed during an action. In Spark Connect, an Observation does not block and ignores
    failed actions."""

    def __init__(self) -> None:
        self.name = f"assay {uuid.uuid4()}"
        self.observation = Observation(self.name)

    def get(self, seconds: float | None) -> dict[str, Any]:
        end = None if seconds is None else time.monotonic() + seconds
        while not (found := self._found()):
            left = 1.0 if end is None else end - time.monotonic()
            if left <= 0:
                raise TimeoutError(self._empty_after(f"{seconds:g} s"))
            time.sleep(min(0.05, left))
        return found

    def _found(self) -> dict[str, Any]:
        return dict(self.observation.get)

    def _empty_after(self, time: str) -> str:
        return (
            f"no action on checked, clean or rejected has ended after {time}: run one first, such as checked.count() "
            f"or a write; report_within(seconds) waits longer"
        )


class _Receiver(_Observed):
    """The counts of a session with a JVM. There, an Observation keeps the counts of the action that ran first, even if
    it failed or reads its rows later, as toLocalIterator does. Therefore a listener records the successful actions and
    their counts."""

    #: The instances that wait for an action, and the sessions that have a listener.
    _waiting: ClassVar[WeakValueDictionary[str, _Receiver]] = WeakValueDictionary()
    _sessions: ClassVar[set[str]] = set()

    def __init__(self, session: SparkSession):
        super().__init__()
        self._counts: dict[str, Any] = {}
        self._failure = ""
        self._waiting[self.name] = self
        jvm_session = session._jsparkSession
        if (own := jvm_session.sessionUUID()) not in self._sessions:
            # Import here, because Spark's client for Connect lacks this module.
            from pyspark.java_gateway import ensure_callback_server_started

            ensure_callback_server_started(session.sparkContext._gateway)
            jvm_session.listenerManager().register(_Listener())
            self._sessions.add(own)

    def hear(self, action: str, execution: Any, failure: str) -> None:
        """Records an action that ended. Runs in a thread of py4j."""
        observed = execution.observedMetrics().get(self.name)
        if not observed.isDefined():
            return
        if failure:
            self._failure = failure
            return
        counts = json.loads(observed.get().json())
        # A lazy checkpoint has not run at this time, so its counts are 0.
        if counts["records"] or action not in ("checkpoint", "localCheckpoint"):
            self._counts = counts
            self._waiting.pop(self.name, None)

    def _found(self) -> dict[str, Any]:
        counts = self._counts
        if not counts or self._failure:
            return dict(counts)
        # Spark calls listeners some time after an action ends, when the next action on the DataFrame may have reset the
        # counts. The Observation is read as the first action ends. It has fewer rows, or raises Py4JError, if that
        # action was one without listener calls.
        from py4j.protocol import Py4JError

        observed: dict[str, Any] = {}
        try:
            observed = dict(self.observation.get)
        except Py4JError:
            pass
        return observed if observed.get("records", 0) > counts["records"] else dict(counts)

    def _empty_after(self, time: str) -> str:
        if self._failure:
            return (
                f"the last action on checked, clean or rejected failed, and no action has succeeded after {time}: run "
                f"it again to get a report. It failed with: {self._failure}"
            )
        return (f"{super()._empty_after(time)}. (Spark reports no counts for toLocalIterator, foreach, rdd and lazy "
                "checkpoints.)")


class _Unheard(_Observed):
    """The counts of a session that accepts no listeners, such as a managed session with a restricted JVM. Only the
    report is unavailable there."""

    def __init__(self, reason: BaseException):
        super().__init__()
        self._reason = reason

    def get(self, seconds: float | None) -> dict[str, Any]:
        raise RuntimeError(
            "this Spark session does not accept listeners, so there is no report: count the rows of checked,"
            f" as in checked.groupBy('{CLEAN}').count()"
        ) from self._reason


def _observed(session: SparkSession) -> _Observed:
    if is_remote():
        return _Observed()
    try:
        return _Receiver(session)
    except Exception as error:
        return _Unheard(error)


class _Listener:
    """The listener that Spark calls at the end of each action of a session."""

    def onSuccess(self, action: str, execution: Any, nanoseconds: int) -> None:
        self._report_progress(action, execution, "")

    def onFailure(self, action: str, execution: Any, error: Any) -> None:
        self._report_progress(action, execution, str(error.toString()).partition("\n")[0])

    def _report_progress(self, action: str, execution: Any, failure: str) -> None:
        for reference in _Receiver._waiting.valuerefs():
            waiting = reference()
            if waiting is not None:
                waiting.hear(action, execution, failure)

    class Java:
        implements = ["org.apache.spark.sql.util.QueryExecutionListener"]


class _Counted:
    """The counts to gather. Workers count per batch, because Spark would evaluate each rule for each row. Spark counts
    only the rejects of keys."""

    def __init__(self, rules: Rules, requested: _Requested):
        later = {*requested.keys, *requested.foreign}
        #: The rules that compare rows with one another; the columns with a threshold that only other rules can reject.
        self.later = sorted(later)
        self.columns: list[str] = []
        self._later_columns: dict[str, list[str]] = {}
        for column in json.loads(rules.json()).get("thresholds", {}).get("columns", {}):
            # Encoding errors and overlong values do not count as rejects of a column.
            others = {"encoding", "structure.too-long"}
            own = [c.rule for c in requested.counts if c.column == column and c.severity == "reject"
                   and c.rule not in others]
            if later.isdisjoint(own):
                self.columns.append(column)
            else:
                self._later_columns[column] = own

    def observed(self) -> list[Column]:
        """The aggregates for Spark to observe."""
        gathered = [F.count(F.lit(1)).alias("records"), F.concat_ws(",", F.collect_list(_COUNTS)).alias(_COUNTS)]
        gathered += [F.count_if(F.col(CLEAN)).alias(_CLEAN)] if self.later else []
        gathered += [F.count_if(F.array_contains(REASONS, name)).alias(_RULE + name) for name in self.later]
        for column, own in self._later_columns.items():
            gathered.append(F.count_if(F.arrays_overlap(REASONS, F.array(*map(F.lit, own)))).alias(_COLUMN + column))
        return gathered


class _Counting:
    """The counts of a partition. They are emitted after 1, 2, 4, 8 … batches and at the end, so that Spark keeps few
    counts per partition, and an action that stops early loses only the last ones."""

    def __init__(self, counted: _Counted):
        self._counted = counted
        self._batches, self._next = 0, 1
        self._start()

    def _start(self) -> None:
        self._tally = _native.Tally()
        self._columns: Counter[str] = Counter()

    def column(self, result: _native.Result, rows: int, is_last: bool) -> pa.Array:
        """Returns the column of counts for a batch: JSON in its first row, or only nulls."""
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
    """Yields each batch that has rows, and whether it is the last one."""
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
    """Returns all rows of a DataFrame with the repairs of the rules applied, without checking them."""
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
    """Returns the clean rows repaired and the other rows unchanged."""
    columns = [
        pc.if_else(clean, new, old.cast(new.type)) if name in repairs or repairs.looks_into(opened("", name)) else old
        for name, new, old in zip(batch.schema.names, repaired.columns, batch.columns)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=repaired.schema)


def clean(
    df: DataFrame,
    rules: Rules,
    *,
    order_by: Order | None = None,
    references: Mapping[str, DataFrame] | None = None,
    now: Now | None = None,
) -> Cleaned:
    """Splits a DataFrame into its clean rows, repaired, and its rejected rows, unchanged, and counts both.

    Raises :class:`ValueError` for a streaming DataFrame, and the errors of :func:`check`.

    :param order_by: as in :func:`check`.
    :param references: as in :func:`check`.
    :param now: as in :func:`check`.
    """
    if df.isStreaming:
        raise ValueError(
            "a streaming DataFrame does not end, so that its rows cannot be counted: assay.spark.check(df, rules) "
            "checks its rows, and df.writeStream.foreachBatch(lambda batch, number: …) has batches to clean"
        )
    requested = _Requested(df, rules)
    counted = _Counted(rules, requested)
    rows = _checked(df, rules, requested, order_by, references, now, counted=counted)
    observed = _observed(df.sparkSession)
    checked = rows.observe(observed.observation, *counted.observed()).drop(_COUNTS)
    return Cleaned(_repaired(checked, rules, only_clean=True) if Repairs(rules._native) else checked, observed, rules)


@overload
def register(session: SparkSession) -> None: ...


@overload
def register(session: SparkSession, name: str, what: Rules) -> None: ...


@overload
def register(session: SparkSession, name: str, what: Matcher | str, **flags: Unpack[Flags]) -> None: ...


def register(
    session: SparkSession, name: str | None = None, what: Rules | Matcher | str | None = None, **flags: Unpack[Flags]
) -> None:
    """Registers SQL functions in a session. Spark calls them with Arrow batches. Needs Spark 4.1 or later; raises
    :class:`NotImplementedError` otherwise.

    ``register(session)`` adds ``assay_matches(pattern, value)``, which matches whole values, and
    ``assay_is(format, value)``, which takes the name of an :class:`assay.Format`.

    ``register(session, name, pattern)`` adds ``name(value)`` for a pattern or a format. The flags are those of
    :class:`assay.Pattern`; they apply to a pattern that is given as text.

    ``register(session, name, rules)`` adds ``name(struct(*))``, which returns a struct of ``assay_clean`` and
    ``assay_reasons``. Rules with keys, ``unique`` or ``sorted`` raise :class:`ValueError`, because a function cannot
    compare rows. For a DataFrame, :func:`check` is faster.

    The functions return null for a missing value and if a limit left the value undecided.
    """
    if name is None:
        for own, function in FUNCTIONS.items():
            _create(session, own, function, "boolean")
    elif isinstance(what, Rules):
        rules = checkable(what)

        def evaluate(rows: pa.Array) -> pa.Array:
            return evaluate_rows(rules, rows)

        _create(session, name, evaluate, f"{CLEAN} boolean, {REASONS} array<string>")
    elif what is None:
        raise TypeError(f"pass the pattern, assay.Format or rules of the function {name!r} as the next argument")
    else:
        requested = compiled(what, flags)

        def match(values: pa.Array) -> pa.Array:
            return requested.match(values, threads=1)

        _create(session, name, match, "boolean")


def _create(session: SparkSession, name: str, function: Callable[..., Any], returned: str) -> None:
    if not hasattr(F, "arrow_udf"):
        raise NotImplementedError("functions over Arrow need Spark 4.1 or later: assay.spark.check judges DataFrames")
    session.udf.register(name, F.arrow_udf(function, returned))


def _no_rows(df: DataFrame) -> pa.RecordBatch:
    """Returns an empty batch with the columns of a DataFrame, to check them against the rules."""
    # Spark needs a time zone to convert its timestamp types.
    schema = to_arrow_schema(df.schema, timezone=df.sparkSession.conf.get("spark.sql.session.timeZone"))
    return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
