"""The class :class:`Rules`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Any, TypeVar

from . import _native
from ._budget import Budget, within
from ._checks import PREFIX, Check, RowCheck, ValidValues, answered, refuse, with_checks
from ._clean import OutputPaths, clean_parquet
from ._datasets import clean_dataset
from ._errors import printable, refusal
from ._fields import Field
from ._file_result import FileResult
from ._inputs import Path, Paths, inputs_of, path_text
from ._kind import as_stream, raising
from ._kinds import kind_of, repaired
from ._lines import LineRules
from ._lists import CSV, Lists
from ._models import rules_of
from ._now import Now, at, fixed
from ._paths import FieldPath, lists_in, paths_of, refuse_elements
from ._profile import Profile, look_at
from ._progress import ProgressOption, reporting
from ._repair import Repairs
from ._result import Finding, Result
from ._scanned import ParquetFiles, is_file
from ._text import Nested, Style
from ._validation import ValidationError
from ._written import written_rules

_Table = TypeVar("_Table")


class Rules:
    """Compiled rules. They are immutable, and any number of threads may use them at once.

    >>> import assay
    >>> rules = assay.Rules.parse('''
    ... fields:
    ...   - {name: id, type: integer, constraints: {required: true}}
    ...   - {name: email, format: email}
    ... ''')
    >>> rules
    <assay.Rules id, email>
    >>> rules.check({"id": ["1", None], "email": ["anna@example.org", "bo"]})
    <assay.Result 2 records: 1 clean, 1 rejected; id.required 1; email.format 1>

    Rules can be pickled. The pickle contains their text; unpickling compiles it.
    """

    def __init__(self, native: _native.Rules, name: str = "rules", trust: bool = False):
        if not isinstance(native, _native.Rules):
            raise TypeError("rules are made by Rules.load(path) and Rules.parse(text)")
        self._native = native
        #: The rules for whole tables.
        self._requested = native
        #: The path whose directory resolves relative paths of trusted rules.
        self._name = name
        self._trust = trust

    @classmethod
    def load(cls, path: Path, *, trust: bool = False) -> Rules:
        """Reads a rule file.

        :param trust: whether the file may raise the limits on the work per value beyond four times the defaults, and
            name any file that the process can open. Without it, files of foreign keys must be in the folder of the rule
            file.

        Raises :class:`assay.AssayError` with all mistakes of the file, each with its place and a suggestion.
        """
        text = path_text(path)
        return cls(_native.load(text, trust), os.path.abspath(text), trust)

    @classmethod
    def parse(cls, text: str | bytes | Mapping[str, Any], name: str = "rules", trust: bool = False) -> Rules:
        """Reads rules from YAML or JSON text, or from a dict.

        :param name: the name of the rules in messages. If it has a directory, as in ``name="/data/users.rules.yaml"``,
            relative paths of foreign keys start there; otherwise in the current directory.
        :param trust: as for :meth:`load`. Without it, foreign keys refer only to tables in memory (``references=``).

        Raises :class:`assay.AssayError` with all mistakes of the rules, and :class:`TypeError` for other types of
        `text`.

        >>> import assay
        >>> assay.Rules.parse({"fields": [{"name": "id", "type": "integer", "constraints": {"minimum": 1}}]})
        <assay.Rules id>
        """
        checks: list[Check] = []
        if isinstance(text, Mapping):
            fields = text.get("fields")
            checks = [check for field in fields or () if isinstance(field, Field) for check in field._checks]
            if of_rows := [field._check for field in fields or () if isinstance(field, RowCheck)]:
                checks += of_rows
                text = {**text, "fields": [field for field in fields or () if not isinstance(field, RowCheck)]}
            text = written_rules(with_checks(text, checks) if checks else text)
        elif not isinstance(text, (str, bytes)):
            raise TypeError(f"rules are text, in YAML or JSON, or a dict, not {type(text).__name__}")
        # Pass lone surrogates to libassay, because its error reports their place.
        given = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        name = printable(name).encode("utf-8", "backslashreplace").decode()
        native = _native.parse(given, name, trust)
        path = os.path.abspath(name)
        return CheckedRules(native, path, checks) if checks else cls(native, path, trust)

    @classmethod
    def of(cls, *fields: Field | RowCheck | Mapping[str, Any], trust: bool = False, **members: Any) -> Rules:
        """Rules of fields that are written in Python, and of checks of whole rows.

        :param trust: as for :meth:`parse`; foreign keys can name files only with it.
        :param members: what else a rule file has, such as ``primaryKey="id"`` or ``thresholds={"rejected": "1%"}``.

        >>> import assay
        >>> assay.Rules.of(assay.Field("id").type("integer").required(), assay.Field("email").format("email"))
        <assay.Rules id, email>
        """
        return cls.parse({"fields": list(fields), **members}, trust=trust)

    @classmethod
    def from_model(cls, model: Any) -> Rules:
        """Makes rules from a dataclass, a TypedDict, a NamedTuple, a class of attrs, a model of pydantic or pandera, or
        a schema of pandera, Arrow or Polars: the type of each field, whether it is required, and the constraints that
        rules can express.

        Raises :class:`TypeError` or :class:`assay.AssayError` for types, constraints, validators, converters and
        unknown metadata of fields that rules cannot express.

        >>> import assay, dataclasses
        >>> @dataclasses.dataclass
        ... class User:
        ...     id: int
        ...     age: float | None
        >>> rules = assay.Rules.from_model(User)
        >>> [finding.rule for finding in rules.check_record({"age": "old"})]
        ['id.required', 'age.type']
        """
        return cls.parse(rules_of(model), name=f"the rules of {getattr(model, '__name__', 'the schema')}")

    @property
    def fields(self) -> list[str]:
        """The names of the fields, in the order of the rules."""
        return self._native.fields()

    def json(self) -> str:
        """Returns the rules as JSON, which :meth:`parse` accepts."""
        return self._native.json()

    def check(
        self,
        table: Any,
        *,
        references: Mapping[str, Any] | None = None,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
        now: Now | None = None,
    ) -> Result:
        """Checks a table of pyarrow, Polars, pandas or DuckDB, an object with ``__arrow_c_stream__`` or
        ``__arrow_c_array__``, a dict of lists, or a list of dicts. Also checks a dataset or a scanner of pyarrow, and a
        file by its path: CSV, JSON Lines, or Parquet (one file, a pattern or a list).

        The rows of datasets, scanners and files are read in batches and not kept. Their results have counts, findings
        and reports, but no clean and rejected rows, which :meth:`clean` and :meth:`clean_dataset` write. For CSV and
        JSON Lines there is no mask either, and at most a million findings.

        Columns are found by name; members of structs are called ``outer.inner``. Arrow texts are not copied. Other
        values are checked as the text that they have in a CSV file of these rules.

        Row rules and keys apply: two clean rows of a table never share a key (``unique``, ``primaryKey``,
        ``uniqueKeys``), across all batches. ``foreignKeys`` refer to files, to the table itself, or to the tables of
        ``references``. A check reads the files when it begins; later checks read them again only if they changed.

        Any number of threads may call this at once.

        :param references: tables for foreign keys, by the names in the rules (``{"customers.csv": customers}``). They
            replace the files of these names.
        :param threads: the number of worker threads; 0 is one per processor.
        :param progress: ``True`` for a tqdm bar, if tqdm is installed; or a function of (rows done, total rows or 0).
        :param budget: the limit of the work for this check. Rows beyond it are undecided.
        :param now: the value of ``now()`` in row rules: a datetime with a time zone, or a text such as
            ``"2024-02-29T12:30:00Z"``. Default: the time of this call.

        Raises :class:`assay.AssayError` if the columns do not fit the rules or a referenced file is unreadable, and
        :class:`TypeError` for unsupported objects.
        """
        native = self._requested
        if references:
            with ExitStack() as stack:
                tables = {name: stack.enter_context(raising(data)) for name, data in references.items()}
                native = native.with_references([(name, as_stream(data)) for name, data in tables.items()])
        native = within(budget, at(now, native))
        if is_file(table):
            inputs = inputs_of(table)
            if not inputs.are_parquet:
                if references:
                    raise refusal(
                        "input",
                        "references= is for tables, datasets and Parquet files, and not for CSV and JSON Lines",
                        "load the rules from a file in the folder of the referenced files, and leave references= out",
                    )
                return self._check_file(inputs.paths[0], native, threads, progress)
            table = ParquetFiles(inputs)
        if self._has_table_rules:
            raise refusal(
                "rules",
                "rules under 'table' are about the whole table, and only CSV and JSON Lines files are checked with "
                "them",
                "check or clean a file, or leave out 'table'",
            )
        return self._check(table, -1, threads, progress, native)

    def _check_file(self, path: str, native: _native.Rules, threads: int, progress: ProgressOption) -> Result:
        """Checks a CSV or JSON Lines file."""
        rules = self._native  # raises an error for rules with checks in Python

        def run(findings: str | None, report: str | None) -> dict[str, Any]:
            with reporting(progress, "B") as show:
                text = native.clean_file(os.fsencode(path), None, None, _encoded(findings), None, _encoded(report),
                                         True, False, threads, show)
            written: dict[str, Any] = json.loads(text)
            return written

        return FileResult(path, run, rules)

    def check_column(
        self,
        field: str,
        values: Any,
        *,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
        now: Now | None = None,
    ) -> Result:
        """Checks one column with the rules of one field. Row rules, keys and foreign keys apply if they use no other
        field. The options are those of :meth:`check`.

        Raises :class:`KeyError` if the rules have no such field.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
        >>> rules.check_column("id", ["1", "x"]).mask
        [True, False]
        """
        return self._check(values, self._place(field), threads, progress, within(budget, at(now, self._native)))

    def check_record(self, record: Mapping[str, Any]) -> list[Finding]:
        """Checks one record and returns its findings; the list is empty if the record is clean. For many records,
        :meth:`check` is much faster.

        Fields are paths, as in JSON Lines: ``address.city`` is a member of the dict ``address``. A missing field has no
        value, and members that are not fields are ignored. Each record is its own table, so keys find no duplicates.

        A record with a list or a dict in a field, and all records of rules with fields such as ``tags[]``, are checked
        as a line of JSON Lines: their values must have the JSON types of the fields, unless the rules have ``types:
        text``. This takes some milliseconds, because the line is a temporary file.

        Raises :class:`TypeError` for values that are neither text, numbers, dates or times, nor part of JSON.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}, {name: email, format: email}]")
        >>> rules.check_record({"id": 1, "email": "anna@example.org"})
        []
        >>> [(finding.column, finding.message) for finding in rules.check_record({"id": "x"})]
        [('id', 'is not an integer')]
        """
        if not isinstance(record, dict):
            record = dict(record)
        if any(name not in record for name in self._elements):
            return [Finding(*found) for found in self._lines.findings(record)]
        flat = self._flat(record) if self._paths or self._elements else record
        try:
            if self._native.accepts(flat, self._write, self._plain):
                return []
            results = Lists().check(self._native, [self._flat(record)], -1, 1, None)
        except Nested:
            return [Finding(*found) for found in self._lines.findings(record)]
        return list(Result(None, Lists(), results, chunked=True, rules=self._native))

    @cached_property
    def _has_table_rules(self) -> bool:
        return "table" in json.loads(self._requested.json())

    @cached_property
    def _lines(self) -> LineRules:
        return LineRules(self._native, self._name, self._trust)

    @cached_property
    def _styles(self) -> list[Style]:
        return [Style(field) for field in json.loads(self.json())["fields"]]

    def _flat(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the record with exactly one member per field."""
        refuse_elements(self._elements, record)
        inside = {name: path.value(record) for name, path in self._paths.items()}
        return {name: record.get(name) for name in self.fields} | inside

    @cached_property
    def _paths(self) -> dict[str, FieldPath]:
        return paths_of(self._requested)

    @cached_property
    def _elements(self) -> list[str]:
        """The fields that refer to list elements."""
        return [name for name in self.fields if lists_in(name)]

    @cached_property
    def _plain(self) -> bytes:
        """One byte per field: whether its floats have the same text as in Python."""
        return bytes(style.is_plain for style in self._styles)

    def _write(self, field: int, value: Any) -> str | bytes | None:
        """Returns the text of a field's value that the rules check."""
        style = self._styles[field]
        return style.quick(value) or style.text(value, 0, f"the record, field {style.name!r}")

    def validate(
        self,
        table: _Table,
        *,
        references: Mapping[str, Any] | None = None,
        values: bool = False,
        threads: int = 0,
        progress: ProgressOption = False,
        what: str = "",
        budget: Budget | None = None,
        now: Now | None = None,
    ) -> _Table:
        """Returns the clean rows of a table, repaired, if the table passes. Without rejected rows and repaired cells,
        this is the same object. The options are those of :meth:`check`.

        A table passes if no row is rejected and no threshold of the rules is exceeded. With ``thresholds: {rejected:
        1%}``, up to this share of the rows may be rejected; the result does not contain them.

        The result has the type of the table, with these exceptions: a DuckDB relation and a stream of an unknown
        library become a pyarrow table, and batches in a list become one table if rows or cells change. A LazyFrame runs
        once for the check, in batches, and again when the returned LazyFrame is collected. The rows of a
        ``RecordBatchReader`` and of an iterator of batches are held in memory.

        Raises :class:`assay.ValidationError` if the table does not pass. Its message is a summary, and its ``result``
        has all findings.

        :param values: whether the message contains values of the table, which may be confidential.
        :param what: the name of the table in the message.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
        >>> rules.validate({"id": ["1", "2"]})
        {'id': ['1', '2']}
        >>> rules.validate({"id": ["1", "x"]}, values=True)
        Traceback (most recent call last):
            ...
        assay.ValidationError: 1 of 2 records is rejected
          id.type  1  'x' is not an integer (record 2)
        """
        now = fixed(now)

        def check(data: Any) -> Result:
            return self.check(data, references=references, threads=threads, progress=progress, budget=budget, now=now)

        kind = kind_of(table)
        held = kind.rereadable(table)
        result = check(held)
        if not result.passes:
            raise ValidationError(result, values, what)
        valid: _Table = kind.valid(self, table, held, result, check)
        return valid

    def profile(
        self, table: Any, *, values: bool = False, threads: int = 0, progress: ProgressOption = False
    ) -> Profile:
        """Profiles a table or a file, which is read in the dialect of these rules. See :func:`assay.profile`."""
        return Profile(look_at(_native.profile, table, self._native, values, threads, progress))

    def repair(self, table: Any, *, threads: int = 0) -> Any:
        """Returns the table with the repairs of the fields applied to its texts, without checking them. The result is
        of the same library; for a DuckDB relation it is a pyarrow table. The given table stays unchanged. A check also
        repairs values: ``check(table).clean`` has the repaired clean rows.

        Values that a ``missing`` repair lists become null. Numbers, dates and times that are not texts stay unchanged.

        :param threads: the number of worker threads per column; 0 is one per processor.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, repair: [trim, lower]}]")
        >>> rules.repair({"id": [" A1", "b2", 3], "name": ["Anna ", "Bo", "Cy"]})
        {'id': ['a1', 'b2', 3], 'name': ['Anna ', 'Bo', 'Cy']}
        """
        repairs = Repairs(self._native, threads)
        return repaired(repairs, table, -1) if repairs else table

    def repair_column(self, field: str, values: Any, *, threads: int = 0) -> Any:
        """Returns one column with the repairs of one field applied to its texts.

        Raises :class:`KeyError` if the rules have no such field.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, repair: [trim, lower]}]")
        >>> rules.repair_column("id", [" A1", None])
        ['a1', None]
        """
        place, repairs = self._place(field), Repairs(self._native, threads)
        return repaired(repairs, values, place) if field in repairs else values

    def _place(self, field: str) -> int:
        if field not in self.fields:
            raise KeyError(f"the rules have no field {field!r}; they have {printable(', '.join(self.fields))}")
        return self.fields.index(field)

    def _check(self, data: Any, field: int, threads: int, progress: ProgressOption, native: _native.Rules) -> Result:
        kind = kind_of(data)
        chunked = not hasattr(data, "__arrow_c_array__")
        data = kind.hold(data, field)
        with reporting(progress, " rows") as report:
            results = kind.check(native, self._answered(data), field, threads, report)
        return Result(data, kind, results, chunked, native, field=field)

    def _answered(self, data: Any) -> Any:
        """Returns the table to check. `CheckedRules` adds the columns of its functions."""
        return data

    def check_csv(
        self,
        text: str | bytes | bytearray | memoryview,
        *,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
        now: Now | None = None,
    ) -> Result:
        """Checks the text of a CSV file with its header. The findings have a line and an offset; the result has no
        mask. The options are those of :meth:`check`.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
        >>> [(f.line, f.column, f.message) for f in rules.check_csv("id,name\\n1,Anna\\nx,Bo\\n")]
        [(3, 'id', 'is not an integer')]
        """
        if not isinstance(text, (str, bytes, bytearray, memoryview)):
            hint = "; to check a file, call Rules.check" if isinstance(text, os.PathLike) else ""
            raise TypeError(f"the text of a CSV file is str or bytes, not {type(text).__name__}{hint}")
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
        with reporting(progress, "B") as report:
            result = within(budget, at(now, self._native)).check_csv(data, threads, report)
        return Result(None, CSV(), [result], chunked=False, rules=self._native)

    def clean(
        self,
        path: Paths,
        output_dir: Path | None = None,
        *,
        clean: Path | None = "",
        rejects: Path | None = "",
        findings: Path | None = "",
        changes: Path | None = None,
        report: Path | None = "",
        replace: bool = False,
        annotate: bool | None = None,
        encoding: str | None = None,
        delimiter: str | None = None,
        head: int | None = None,
        max_findings: int | None = None,
        show_values: bool = False,
        guard_formulas: bool = False,
        compress: str | None = None,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
        now: Now | None = None,
    ) -> dict[str, Any]:
        """Splits a file into clean records and rejects, and returns the report.

        Like the command ``assay clean``, this writes ``users.clean.csv``, ``users.rejects.csv``,
        ``users.findings.jsonl`` and ``users.report.json`` for ``users.csv``. The outputs get their names together,
        after all are complete. ``None`` omits an output. For ``users.parquet`` the outputs are ``users.clean.parquet``
        and so on; pyarrow reads the file in parts, and its values are checked as in :meth:`check`.

        :param path: a path. Parquet files may also be a pattern such as ``"part-*.parquet"`` or a list of paths, which
            are read as one table.
        :param output_dir: the folder of the outputs. Default: the folder of the input.
        :param changes: for CSV: a file that lists the cells that repairs changed in clean records, as CSV if its name
            ends in ``.csv``, otherwise as JSON Lines.
        :param replace: whether to replace existing outputs.
        :param annotate: whether to add the column ``_reasons`` to the rejects, and ``_line`` to rejects in CSV.
            ``None``: only for Parquet.
        :param budget: the limit of the work, as for :meth:`check`. Records beyond it are rejected.
        :param now: the value of ``now()``, as for :meth:`check`.

        The other options apply to CSV and JSON Lines and mean the same as for the command:

        :param encoding: of the input, such as ``"windows-1252"``, or ``"auto"``. Overrides the rules.
        :param delimiter: of the input: one or two ASCII characters, or ``"tab"``. Overrides the rules.
        :param head: the maximum number of records to read.
        :param max_findings: the maximum number of findings to write; the report counts the others. ``None``: a million.
        :param show_values: whether findings and changes contain the values.
        :param guard_formulas: whether to add an apostrophe to cells that a spreadsheet would evaluate.
        :param compress: of clean records and rejects: ``"gzip"``, ``"zstd"`` or ``"none"``. ``None``: as the input. The
            ending of a given name decides, so ``compress`` is refused if both have given names.

        Raises :class:`assay.AssayError` if a file cannot be read or written, or if the columns do not fit the rules.
        """
        inputs = inputs_of(path)
        ending = inputs.ending_packed(compress)
        if compress is not None and clean != "" and rejects != "":
            raise refusal(
                "argument", "compress= has no effect, because clean= and rejects= are given",
                "leave compress= out: names that end in .gz and .zst are compressed",
            )
        outputs = OutputPaths(
            inputs.output(clean, f".clean{ending}", output_dir),
            inputs.output(rejects, f".rejects{ending}", output_dir),
            inputs.output(findings, ".findings.jsonl", output_dir),
            inputs.output(report, ".report.json", output_dir),
        )
        for name, number in (("head", head), ("max_findings", max_findings)):
            if number is not None and number < 1:
                raise ValueError(f"{name} is 1 or more, not {number}")
        if inputs.are_parquet:
            given = {
                "encoding": encoding, "delimiter": delimiter, "head": head, "max_findings": max_findings,
                "show_values": show_values or None, "guard_formulas": guard_formulas or None, "compress": compress,
            }  # fmt: skip
            for name, value in given.items():
                if value is not None:
                    raise refusal(
                        "input", f"{name}= is for CSV and JSON Lines, and not for Parquet", f"leave {name}= out"
                    )
            if changes is not None:
                raise refusal(
                    "input",
                    "the changes of Parquet files are counted in the report, and not written",
                    "leave changes= out",
                )
            with reporting(progress, " rows") as show:
                return clean_parquet(within(budget, at(now, self._native)), inputs, outputs, replace,
                                     annotate is not False, threads, show)
        with reporting(progress, "B") as show:
            text = within(budget, at(now, self._native)).clean_file(
                os.fsencode(inputs.paths[0]),
                _encoded(outputs.clean),
                _encoded(outputs.rejects),
                _encoded(outputs.findings),
                _encoded(path_text(changes) if changes is not None else None),
                _encoded(outputs.report),
                replace,
                bool(annotate),
                threads,
                show,
                0 if max_findings is None else max_findings,
                0 if head is None else head,
                encoding,
                delimiter,
                show_values,
                guard_formulas,
            )
        written: dict[str, Any] = json.loads(text)
        return written

    def clean_dataset(
        self,
        source: Any,
        clean: Path | None,
        rejects: Path | None = None,
        *,
        findings: Path | None = None,
        report: Path | None = None,
        format: Any = "parquet",
        partitioning: Any = "hive",
        output_format: Any = None,
        annotate: bool = True,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
        now: Now | None = None,
    ) -> dict[str, Any]:
        """Splits a pyarrow dataset into a clean and a rejected one, and returns a report like that of :meth:`clean`.
        Memory use is independent of the number of rows. Rules may use partition columns like other columns, and both
        outputs keep the partitions of the source.

        The outputs get their names after all are complete. A folder that is not empty is never replaced.

        :param source: a ``pyarrow.dataset.Dataset``, or an argument of ``pyarrow.dataset.dataset``: a folder, a file,
            or a list of files. Also a table of deltalake or pyiceberg, or the folder of one, whose current snapshot
            these libraries read.
        :param clean: the folder of the clean rows, repaired; ``None`` omits them.
        :param rejects: the folder of the rejected rows, unchanged, with a column ``_reasons`` unless ``annotate`` is
            false.
        :param findings: a file for the findings, as CSV if its name ends in ``.csv``, otherwise as JSON Lines.
        :param report: a file for the report.
        :param format: of a source that is not a dataset: ``"parquet"``, ``"csv"``, ``"json"``, ``"arrow"``, or a format
            of pyarrow. CSV columns are read as texts, which are checked and written unchanged.
        :param partitioning: of such a source: ``"hive"`` for folders such as ``year=2026``, or an argument of pyarrow.
        :param output_format: of the outputs. Default: the format of the source. A JSON source needs another format,
            because pyarrow does not write JSON.

        Raises :class:`assay.AssayError` if the source cannot be read or the outputs cannot be written.

        >>> import assay, tempfile
        >>> import pyarrow as pa, pyarrow.dataset as ds
        >>> folder = tempfile.mkdtemp()
        >>> table = pa.table({"year": [2025, 2026, 2026], "id": ["1", "2", "x"]})
        >>> ds.write_dataset(table, f"{folder}/in", format="parquet", partitioning=["year"], partitioning_flavor="hive")
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
        >>> report = rules.clean_dataset(f"{folder}/in", f"{folder}/clean", f"{folder}/rejects")
        >>> [report["inputs"][0][count] for count in ("records", "clean", "rejected")]
        [3, 2, 1]
        >>> ds.dataset(f"{folder}/rejects", partitioning="hive").to_table().to_pylist()
        [{'id': 'x', '_reasons': 'id.type', 'year': 2026}]
        """
        with reporting(progress, " rows") as show:
            return clean_dataset(
                within(budget, at(now, self._native)),
                source,
                clean,
                rejects,
                findings,
                report,
                format,
                partitioning,
                output_format,
                annotate,
                threads,
                show,
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.json() == other.json()

    def __hash__(self) -> int:
        return hash(self.json())

    def __reduce__(self) -> tuple[Any, ...]:
        return travelled, carried(self)

    def __repr__(self) -> str:
        names = self.fields
        return f"<assay.Rules {printable(', '.join(names[:8]))}{' …' if len(names) > 8 else ''}>"


class CheckedRules(Rules):
    """Rules with checks that are functions. They apply to tables in memory only, and cannot be written as text."""

    def __init__(self, native: _native.Rules, name: str, checks: Sequence[Check]):
        self._requested, self._name, self._trust, self._checks = native, name, False, tuple(checks)

    @property
    def _native(self) -> _native.Rules:  # type: ignore[override]
        refuse()

    @property
    def fields(self) -> list[str]:
        return [name for name in self._requested.fields() if not name.startswith(PREFIX)]

    def _answered(self, data: Any) -> Any:
        return answered(data, self._checks, self._valid)

    @cached_property
    def _valid(self) -> ValidValues:
        return ValidValues(self._requested, self._checks)

    def check_record(self, record: Mapping[str, Any]) -> list[Finding]:
        flat = self._flat(record)
        # Checks of rows receive all members.
        row = {**record, **flat} if any(check.field is None for check in self._checks) else flat
        return list(self.check([row], threads=1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CheckedRules) and (self._requested.json(),
                                                    self._checks) == (other._requested.json(), other._checks)

    def __hash__(self) -> int:
        return hash((self._requested.json(), self._checks))

    def __reduce__(self) -> tuple[Any, ...]:
        refuse()


#: Serialized rules: text, name, whether they are trusted, and the folder whose files they may name.
Carried = tuple[str, str, bool, str | None]


def carried(rules: Rules) -> Carried:
    folder = rules._native.folder()
    return rules.json(), rules._name, rules._trust, None if folder is None else os.path.abspath(os.fsdecode(folder))


def travelled(text: str, name: str, trust: bool, folder: str | None) -> Rules:
    """Rebuilds serialized rules with the same permissions as before."""
    if trust or folder is None:
        return Rules.parse(text, name, trust)
    return Rules(_native.parse(text, name, False, folder), name)


def _encoded(path: str | None) -> bytes | None:
    return None if path is None else os.fsencode(path)
