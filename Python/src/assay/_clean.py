"""Splits a table that is read in batches into clean rows and rejects, with findings and a report. For Parquet files;
`_datasets` uses it for datasets."""

from __future__ import annotations

import csv
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import IO, Any, NamedTuple, Protocol

from . import _arrow, _native
from ._arrow import ArrowFindings
from ._errors import AssayError, printable, refusal
from ._frames import PyArrow, without_nul
from ._inputs import PARQUET, Inputs
from ._kind import Results, decides_at_the_end, evaluate, pick_of_arrow, rows_of
from ._missing import MissingValues, names_in
from ._now import text_of
from ._outputs import Outputs
from ._parquet import ParquetTable, ParquetWriter
from ._progress import Steps
from ._pyarrow import pyarrow_for
from ._repair import Repairs, repair_arrow
from ._report import Report
from ._thresholds import measured

#: A batch and its results.
_Checked = tuple[Any, Results]


class Table(Protocol):
    """The input. It must support repeated reads, because some rules need two passes."""

    @property
    def schema(self) -> Any: ...

    @property
    def rows(self) -> int | None:
        """The number of rows; None: unknown before reading."""

    def batches(self, threads: int) -> Iterator[Any]: ...


class Writer(Protocol):
    """An output of rows. It has written all rows at the end of its ``with`` statement."""

    def write(self, batch: Any) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> None: ...


#: Makes a writer for rows of a schema; None: the rows are not written.
MakeWriter = Callable[[Any], Writer] | None

#: The column that annotated rejects have in addition.
REASONS = "_reasons"
#: Maximum number of findings to write, as in the command. The report counts the others.
_MAX_FINDINGS = 1_000_000


class OutputPaths(NamedTuple):
    """The paths of the outputs, in publishing order; None: not written."""

    clean: str | None
    rejects: str | None
    findings: str | None
    report: str | None

    def check(self) -> None:
        """Refuses names with the extension of another format."""
        for path in (self.clean, self.rejects):
            if path is not None and not path.lower().endswith(PARQUET):
                raise refusal(
                    "input",
                    f"the rows are written as Parquet, and {path!r} has another ending",
                    f"use a name that ends in {', '.join(PARQUET)}",
                )
        if self.findings is not None and not self.findings.lower().endswith((".jsonl", ".ndjson", ".json", ".csv")):
            raise refusal(
                "input",
                f"the findings are written as JSON lines or as CSV, and {self.findings!r} has another ending",
                "use a name that ends in .jsonl or .csv",
            )
        if self.report is not None and not self.report.lower().endswith(".json"):
            raise refusal(
                "input",
                f"the report is written as JSON, and {self.report!r} has another ending",
                "use a name that ends in .json",
            )


def clean_parquet(
    rules: _native.Rules,
    inputs: Inputs,
    paths: OutputPaths,
    replace: bool,
    annotate: bool,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """Cleans files that form one table, and returns the report. The outputs get their names after all are complete."""
    start = time.monotonic()
    paths.check()
    table = ParquetTable(inputs.paths)
    if annotate and REASONS in table.schema.names:
        raise refusal(
            "input",
            f"{printable(inputs.name)} has a column {REASONS} already",
            "these are rejects of an earlier run: take the column out, or say annotate=False",
        )
    # Report mistakes in the columns before writing any output.
    nothing = PyArrow().check(rules, table.schema.empty_table(), -1, 1, None)
    report = blank_report(rules, table.schema, threads, nothing)
    with Outputs(paths, inputs.paths, replace) as outputs:

        def writer(path: str | None) -> MakeWriter:
            return None if path is None else lambda schema: ParquetWriter(outputs.temporary(path), schema, table.form)

        writers = writer(paths.clean), writer(paths.rejects)
        run = Run(rules, table, report, writers, paths.findings, outputs, annotate)
        run.evaluate(threads, progress)
        report["inputs"][0].update(
            path=inputs.name,
            format="parquet",
            delimiter=None,
            bytes=table.bytes,
            changedWhileRead=table.has_changed,
            outputs={"clean": paths.clean, "rejects": paths.rejects, "findings": paths.findings},
        )
        if len(inputs.paths) > 1:
            report["inputs"][0]["files"] = inputs.paths
        with_report(report, paths.report, outputs, start)
        outputs.publish()
    return report


def with_report(report: dict[str, Any], path: str | None, outputs: Outputs, start: float) -> None:
    """Adds the duration to the report and writes it."""
    report["seconds"] = round(time.monotonic() - start, 3)
    if path is not None:
        with open(outputs.temporary(path), "w", encoding="utf-8") as file:
            file.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")


class Run:
    """One pass over a table.

    batch ──► verdicts ──► clean rows, rejects, findings, counts
    """

    def __init__(
        self,
        rules: _native.Rules,
        table: Table,
        report: dict[str, Any],
        writers: tuple[MakeWriter, MakeWriter],
        findings: str | None,
        outputs: Outputs,
        annotate: bool,
    ):
        """
        :param writers: the writers of the clean rows and of the rejects.
        """
        self._pyarrow = pyarrow_for("to read Parquet files")
        self._rules, self._table, self._report, self._annotate = rules, table, report, annotate
        self._tally = _native.Tally()
        self._repairs = Repairs(rules)
        #: The repairs of rejected rows, run only to count unsettled values (values that a second repair would change
        #: again, and are therefore left as they are).
        self._reject_repairs = Repairs(rules)
        self._thresholds = report["rules"].get("thresholds", {})
        names = [column["name"] for column in report["columns"]]
        #: The number of records that each column rejects.
        self._rejected = Counter(dict.fromkeys([*names, *self._thresholds.get("columns", {})], 0))
        self._missing = MissingValues(rules, table.schema, names)
        with ExitStack() as stack:
            schema = repair_arrow(self._repairs, table.schema.empty_table(), -1).schema
            clean, rejects = writers
            self._clean: Writer | None = stack.enter_context(clean(schema)) if clean else None
            self._rejects: Writer | None = stack.enter_context(rejects(self._schema_of_rejects())) if rejects else None
            self._findings = None
            if findings is not None:
                file = stack.enter_context(open(outputs.temporary(findings), "w", encoding="utf-8", newline="\n"))
                self._findings = _Findings(file, findings.lower().endswith(".csv"), table.schema.names)
            self._close = stack.pop_all()

    def _schema_of_rejects(self) -> Any:
        schema = self._table.schema
        if not self._annotate:
            return schema
        return schema.append(self._pyarrow.field(REASONS, self._pyarrow.string(), nullable=False))

    def evaluate(self, threads: int, progress: Callable[[int, int], object] | None) -> None:
        """Checks and writes all rows, and fills in the counts of the report."""
        self._repairs.threads = self._reject_repairs.threads = threads
        checked = self._checked_twice if decides_at_the_end(self._rules) else self._checked
        rows = 0
        with self._close:
            for batch, results in checked(threads, progress):
                self._take(batch, results, rows, threads)
                rows += batch.num_rows
        self._count()
        self._compare(rows, self._table.rows)

    def _compare(self, rows: int, known: int | None) -> None:
        if known is None or rows == known:
            return
        raise refusal(
            "file",
            f"the files had {known:,} rows at first, and {rows:,} were read",
            "another program wrote to them during the run: clean them when they are complete",
        )

    def _checked(self, threads: int, progress: Callable[[int, int], object] | None) -> Iterator[_Checked]:
        steps = Steps(progress, self._table.rows or 0, self._rules.seen_keys())
        for batch in self._table.batches(threads):
            yield batch, evaluate(self._rules, without_nul(batch), -1, threads, steps)

    def _checked_twice(self, threads: int, progress: Callable[[int, int], object] | None) -> Iterator[_Checked]:
        """Checks all rows before yielding the first, because the verdict of a row may depend on later rows."""
        errors: list[BaseException] = []

        def batches() -> Iterator[Any]:
            try:
                yield from map(without_nul, self._table.batches(threads))
            except BaseException as error:
                errors.append(error)
                raise

        schema = without_nul(self._table.schema.empty_table()).schema
        reader = self._pyarrow.RecordBatchReader.from_batches(schema, batches())
        steps = Steps(progress, self._table.rows or 0)
        try:
            verdicts = evaluate(self._rules, reader, -1, threads, steps)
        except AssayError as error:
            # Prefer the original exception, because the stream reduces it to an error number.
            raise errors[0] if errors else error from None
        self._compare(steps.done, self._table.rows)
        for batch, result in zip(self._table.batches(threads), verdicts):
            self._compare(batch.num_rows, rows_of(result))
            yield batch, [result]

    def _take(self, batch: Any, results: Results, first: int, threads: int) -> None:
        """Counts and writes the rows of a batch. `first` is the number of rows in earlier batches."""
        for result in results:
            self._tally.add(result)
            if self._findings is not None:
                self._findings.write(result)
        self._missing.add(batch, threads)
        rejected = sum(result.totals()[2] for result in results)
        if rejected:
            for name in self._rejected:
                self._rejected[name] += sum(result.rejected_by(name) for result in results)
        # Repair clean rows even if they are not written, because the report counts their changes.
        clean = batch
        if rejected and (self._repairs or self._clean is not None):
            clean = pick_of_arrow(batch, results, True)
        if self._repairs:
            clean = repair_arrow(self._repairs, clean, -1)
            if rejected:
                repair_arrow(self._reject_repairs, pick_of_arrow(batch, results, False), -1)
        if self._clean is not None:
            self._clean.write(clean)
        if self._rejects is not None and rejected:
            rows = pick_of_arrow(batch, results, False) if rejected < batch.num_rows else batch
            if self._annotate:
                reasons = _reasons(self._pyarrow, results)
                assert len(reasons) == rows.num_rows, f"a rejected row after row {first} has no reason"
                columns, schema = [*rows.columns, reasons], self._schema_of_rejects()
                rows = self._pyarrow.RecordBatch.from_arrays(columns, schema=schema)
            self._rejects.write(rows)

    def _count(self) -> None:
        """Fills in the counts of the report."""
        records, clean, rejected, undecided, findings = self._tally.totals()
        assert records == clean + rejected, f"{records} records are not {clean} + {rejected}"
        self._report["inputs"][0].update(records=records, clean=clean, rejected=rejected, undecided=undecided)
        written = findings if self._findings is None else self._findings.count
        self._report["findings"] = {"total": findings, "dropped": findings - written}
        rules = {(column["name"], rule["id"]): rule for column in self._report["columns"] for rule in column["rules"]}
        rules |= {("", rule["id"]): rule for rule in self._report["rows"]}
        keys = {key["id"]: key for key in self._report["keys"]}
        structure = self._report["structure"]
        found: Counter[str] = Counter()
        for column, name, severity, failed, undecided in self._tally.rules():
            found[name] += failed + undecided
            rule = rules.get((column or "", name))
            if rule is not None:
                rule["failed" if severity == "reject" else "warned"] += failed
                rule["undecided"] += undecided
            elif name in keys:
                keys[name]["refused"] += failed
            elif name == "encoding":
                structure["encoding"] += failed
            elif name == "structure.too-long":
                structure["tooLong"] += failed
        for column, count in zip(self._report["columns"], self._missing.counts):
            column["missing"] = count
            column["rejected"] = self._rejected[column["name"]]
            if "unsettled" in column:
                parts = (self._repairs, self._reject_repairs)
                column["unsettled"] = sum(part.unsettled[column["name"]] for part in parts)
            for repair in column.get("repairs", []):
                repair["changed"] = self._repairs.changes[column["name"]][repair["name"]]
        self._report["thresholds"] = measured(self._thresholds, records, rejected, self._rejected, found)


class _Findings:
    """A file of findings in the format of the command. Line and offset are null, because rows of Parquet have
    neither."""

    _NAMES = ("record", "line", "offset", "column", "position", "rule", "code", "severity", "message")

    def __init__(self, file: IO[str], as_csv: bool, columns: list[str]):
        self._file = file
        self._csv = csv.writer(file, lineterminator="\n") if as_csv else None
        if self._csv is not None:
            self._csv.writerow(self._NAMES)
        self._columns = columns
        #: The JSON text after the record number, for each kind of finding.
        self._tails: dict[tuple[Any, ...], str] = {}
        self.count = 0

    def write(self, result: _native.Result) -> None:
        for record, _, _, *kind in _arrow.findings(result):
            if self.count == _MAX_FINDINGS:
                return
            self.count += 1
            if self._csv is not None:
                column, *rest = kind
                self._csv.writerow((record, None, None, column, self._position(column), *rest))
                continue
            key = tuple(kind)
            tail = self._tails.get(key)
            if tail is None:
                if len(self._tails) >= 4096:
                    self._tails.clear()
                tail = self._tails[key] = self._tail(*kind)
            self._file.write(f'{{"record":{record},{tail}\n')

    def _tail(self, column: str | None, *rest: str) -> str:
        values = (None, None, column, self._position(column), *rest)
        text = json.dumps(dict(zip(self._NAMES[1:], values)), ensure_ascii=False, separators=(",", ":"))
        return text[1:]

    def _position(self, column: str | None) -> int | None:
        """Returns the position of a column from 1; for a struct member, the position of the struct."""
        if column is None:
            return None
        if column not in self._columns:
            column = max((name for name in self._columns if column.startswith(f"{name}.")), key=len, default=None)
        return None if column is None else self._columns.index(column) + 1


def _reasons(pyarrow: Any, results: list[_native.Result]) -> Any:
    """Returns the ids of the rules that rejected each rejected row, joined by semicolons."""
    compute = pyarrow.compute
    found = pyarrow.table(ArrowFindings(results)).select(["record", "rule", "severity"])
    found = found.filter(compute.equal(found["severity"].cast(pyarrow.string()), "reject"))
    found = found.set_column(1, "rule", found["rule"].cast(pyarrow.string()))
    # One thread, because only then the groups keep the order of the records.
    groups = found.group_by("record", use_threads=False).aggregate([("rule", "list")])
    return compute.binary_join(groups["rule_list"], ";").combine_chunks()


def blank_report(rules: _native.Rules, schema: Any, threads: int, nothing: Results) -> dict[str, Any]:
    """Returns the report of libassay for a CSV file with the columns of `schema` and no rows, because the parts of this
    report about the engine, the limits and the rules also apply to the checked table.

    :param nothing: the results of a table with these columns and no rows.
    """
    given = json.loads(rules.json())
    limits = given.get("limits", {})
    fields = {field["name"]: field for field in given["fields"]}
    present = [name for name in names_in(schema) if name in fields]
    plain = {
        "fields": [fields[name] for name in present],
        "fieldsMatch": "partial",
        "missingValues": given.get("missingValues", [""]),
        # Byte limits are left out: the CSV header of this temporary file could exceed them.
        "limits": {name: limit for name, limit in limits.items() if name not in ("field-bytes", "record-bytes")},
    }
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerow(present or ["none"])
        text = _native.parse(json.dumps(plain), "rules", True).clean_file(
            os.fsencode(path), None, None, None, None, None, False, False, threads, None
        )
    report: dict[str, Any] = json.loads(text)
    report["limits"] |= limits
    report["rules"] = given
    if (moment := rules.now()) is not None:
        report["now"] = text_of(*moment)
    rows = {rule["id"] for rule in given.get("rows", [])}
    own = {rule["id"] for column in report["columns"] for rule in column["rules"]}
    own |= {"encoding", "structure.too-long"}
    report["keys"] = []
    for column, name, *_ in Report(nothing).rules:
        if column is None and name in rows:
            report["rows"].append({"id": name, "failed": 0, "warned": 0, "undecided": 0})
        elif name not in own:
            report["keys"].append({"id": name, "refused": 0})
    return report
