"""Rules, and what can be done with them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Any

from . import _native
from ._budget import Budget, within
from ._checks import PREFIX, Check, answered, refuse, with_checks
from ._clean import OutputPaths, clean_parquet
from ._datasets import clean_dataset
from ._errors import printable, refusal
from ._fields import Field
from ._inputs import Path, Paths, inputs_of, path_text
from ._kind import as_stream, raising
from ._kinds import kind_of, repaired
from ._lists import CSV, Lists
from ._models import rules_of
from ._paths import FieldPath, lists_in, paths_of, refuse_elements
from ._profile import Inferred, Profile, look_at
from ._progress import reporting
from ._repair import Repairs
from ._result import Finding, Result
from ._tables import is_path
from ._text import Style
from ._validation import ValidationError
from ._written import written_rules

ProgressOption = bool | Callable[[int, int], object]


class Rules:
    """Rules, read and compiled. They never change, and any number of threads may use them at once.

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

    Rules can be pickled: what travels is their text, and they are compiled where they arrive.
    """

    def __init__(self, native: _native.Rules, name: str = "rules", trust: bool = False):
        if not isinstance(native, _native.Rules):
            raise TypeError("rules are made by Rules.load(path) and Rules.parse(text)")
        self._native = native
        #: What a table is asked.
        self._asked = native
        #: In whose directory relative paths of trusted rules begin; of text without one, in the current directory.
        self._name = name
        self._trust = trust

    @classmethod
    def load(cls, path: Path, *, trust: bool = False) -> Rules:
        """Reads a rule file.

        :param trust: whether it may raise the limits on the work for one value beyond four times the defaults, and name any file that
            the process can open. Without it the files that foreign keys refer to have to be in the folder of the rule file.

        Raises :class:`assay.AssayError` with every mistake of the file, each with its place and what to write instead.
        """
        text = path_text(path)
        return cls(_native.load(text, trust), os.path.abspath(text), trust)

    @classmethod
    def parse(cls, text: str | bytes | Mapping[str, Any], name: str = "rules", trust: bool = False) -> Rules:
        """Reads rules from YAML or JSON, or from what either would be read to: a dict. ``name`` is what to call them in
        messages. Foreign keys of rules that are given so refer to tables in memory (``references=``), and to files only with
        ``trust``, as for :meth:`load`: these are looked for in the directory of the name, if it has one, as in
        ``name="/data/users.rules.yaml"``, else in the current one.

        >>> import assay
        >>> assay.Rules.parse({"fields": [{"name": "id", "type": "integer", "constraints": {"minimum": 1}}]})
        <assay.Rules id>
        """
        checks: list[Check] = []
        if isinstance(text, Mapping):
            fields = text.get("fields")
            checks = [check for field in fields or () if isinstance(field, Field) for check in field._checks]
            text = written_rules(with_checks(text, checks) if checks else text)
        elif not isinstance(text, (str, bytes)):
            raise TypeError(f"rules are text, in YAML or JSON, or a dict, not {type(text).__name__}")
        # What is no Unicode is for libassay to refuse, which knows the place.
        given = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        name = printable(name).encode("utf-8", "backslashreplace").decode()
        native = _native.parse(given, name, trust)
        path = os.path.abspath(name)
        return CheckedRules(native, path, checks) if checks else cls(native, path, trust)

    @classmethod
    def of(cls, *fields: Field | Mapping[str, Any], trust: bool = False, **members: Any) -> Rules:
        """Rules of fields that are written in Python.

        :param trust: as for :meth:`parse`; foreign keys can name files only with it.
        :param members: what else a rule file has, such as ``primaryKey="id"`` or ``thresholds={"rejected": "1%"}``.

        >>> import assay
        >>> assay.Rules.of(assay.Field("id").type("integer").required(), assay.Field("email").format("email"))
        <assay.Rules id, email>
        """
        return cls.parse({"fields": list(fields), **members}, trust=trust)

    @classmethod
    def from_model(cls, model: Any) -> Rules:
        """The rules that a dataclass, a model of pydantic or a schema of Arrow means: the type of each field, whether it has to have a
        value, and what else rules can say.

        Raises :class:`TypeError` or :class:`assay.AssayError` for what they cannot.

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
        """The names of the fields, in the order of the file."""
        return self._native.fields()

    def json(self) -> str:
        """The rules as JSON, which :meth:`parse` reads back."""
        return self._native.json()

    def check(
        self,
        table: Any,
        *,
        references: Mapping[str, Any] | None = None,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
    ) -> Result:
        """Judges a table: of pyarrow, Polars, pandas or DuckDB, of anything that has ``__arrow_c_stream__`` or
        ``__arrow_c_array__``, a dict of lists, or a list of dicts.

        Columns are found by name; those of structs are called ``outer.inner``. Texts of Arrow are not copied. Values
        that are no text are judged as the text that a CSV file of these rules would have for them.

        Row rules are asked, too, and no two rows that are clean have a key in common (``unique``, ``primaryKey``,
        ``uniqueKeys``), over all batches of a table. ``foreignKeys`` refer to files, which are read when the check begins, and
        again by a later one if they have changed; to the table itself; or to the tables of ``references``.

        :param references: tables for foreign keys to refer to, by the names that the rules have for them
            (``{"customers.csv": customers}``), in place of the files of these names.
        :param threads: how many work; 0: one for each processor.
        :param progress: ``True`` for a bar of tqdm, if it is installed; or a function of (rows done, rows in all or 0).
        :param budget: the most that the check may take. Rows that it leaves unjudged are undecided.
        """
        native = self._asked
        if references:
            with ExitStack() as stack:
                tables = {name: stack.enter_context(raising(data)) for name, data in references.items()}
                native = native.with_references([(name, as_stream(data)) for name, data in tables.items()])
        return self._check(table, -1, threads, progress, within(budget, native))

    def check_column(
        self,
        field: str,
        values: Any,
        *,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
    ) -> Result:
        """Judges one column by the rules of one field. Row rules, keys and foreign keys that name no other field are
        asked, too. The options are those of :meth:`check`.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
        >>> rules.check_column("id", ["1", "x"]).mask
        [True, False]
        """
        return self._check(values, self._place(field), threads, progress, within(budget, self._native))

    def check_record(self, record: Mapping[str, Any]) -> list[Finding]:
        """Judges one record: what is wrong with it, and nothing if it is clean. For many, :meth:`check` is far quicker.

        Fields are paths, as in JSON Lines: ``address.city`` is in the dict ``address``. A field that is not there has no value; what is
        no field is not looked at. Each record is a table of its own: it is the
        equal of no other.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}, {name: email, format: email}]")
        >>> rules.check_record({"id": 1, "email": "anna@example.org"})
        []
        >>> [(finding.column, finding.message) for finding in rules.check_record({"id": "x"})]
        [('id', 'is not an integer')]
        """
        if not isinstance(record, dict):
            record = dict(record)
        if self._paths or self._elements:
            record = self._flat(record)
        if self._native.accepts(record, self._write, self._plain):
            return []
        results = Lists().check(self._native, [self._flat(record)], -1, 1, None)
        return list(Result(None, Lists(), results, chunked=True, rules=self._native))

    @cached_property
    def _styles(self) -> list[Style]:
        return [Style(field) for field in json.loads(self.json())["fields"]]

    def _flat(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record with a member for each field, and no other."""
        refuse_elements(self._elements, record)
        inside = {name: path.value(record) for name, path in self._paths.items()}
        return {name: record.get(name) for name in self.fields} | inside

    @cached_property
    def _paths(self) -> dict[str, FieldPath]:
        return paths_of(self._asked)

    @cached_property
    def _elements(self) -> list[str]:
        """The fields about the elements of a list."""
        return [name for name in self.fields if lists_in(name)]

    @cached_property
    def _plain(self) -> bytes:
        """For each field whether its floats are written as Python does."""
        return bytes(style.is_plain for style in self._styles)

    def _write(self, field: int, value: Any) -> str | bytes | None:
        """A value of a field as the text that is judged."""
        style = self._styles[field]
        return style.quick(value) or style.text(value, 0, f"the record, field {style.name!r}")

    def validate(
        self,
        table: Any,
        *,
        references: Mapping[str, Any] | None = None,
        values: bool = False,
        threads: int = 0,
        progress: ProgressOption = False,
        what: str = "",
        budget: Budget | None = None,
    ) -> Any:
        """Gives back a table of which no row is rejected, repaired; for all others it raises. The options are those of
        :meth:`check`.

        Raises :class:`assay.ValidationError`, whose message is a summary and whose ``result`` has all findings, if a row is
        rejected or a threshold of the rules is exceeded.

        :param values: whether the message shows the values that were found. They are data.
        :param what: what the table is called in the message.

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
        result = self.check(table, references=references, threads=threads, progress=progress, budget=budget)
        if not result.ok or any(one["exceeded"] for one in result.thresholds):
            raise ValidationError(result, values, what)
        return result.clean

    def profile(
        self, table: Any, *, values: bool = False, threads: int = 0, progress: ProgressOption = False
    ) -> Profile:
        """What is in a table, or in a file, which is read in the dialect of these rules. See :func:`assay.profile`."""
        return Profile(look_at(_native.profile, table, self._native, values, threads, progress))

    def repair(self, table: Any, *, threads: int = 0) -> Any:
        """A table of the same library, with what ``repair:`` of the fields makes of its texts. Nothing is judged, and the given
        table stays as it is; of a DuckDB relation it is a table of pyarrow. A check does the same by itself, and
        ``check(table).clean`` has only the clean rows.

        What ``missing`` takes for no value becomes null. Numbers, dates and times that are no text are left alone.
        ``threads``: how many work on a column; 0 is one for each processor.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, repair: [trim, lower]}]")
        >>> rules.repair({"id": [" A1", "b2", 3], "name": ["Anna ", "Bo", "Cy"]})
        {'id': ['a1', 'b2', 3], 'name': ['Anna ', 'Bo', 'Cy']}
        """
        repairs = Repairs(self._native, threads)
        return repaired(repairs, table, -1) if repairs else table

    def repair_column(self, field: str, values: Any, *, threads: int = 0) -> Any:
        """One column with what the repairs of one field make of its texts.

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
        """What is judged of a table."""
        return data

    def check_csv(
        self,
        text: str | bytes | bytearray | memoryview,
        *,
        threads: int = 0,
        progress: ProgressOption = False,
        budget: Budget | None = None,
    ) -> Result:
        """Judges a CSV file that is in memory, header included. Its findings have a line and an offset; it has no mask.
        ``budget``: as for :meth:`check`.

        >>> import assay
        >>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
        >>> [(f.line, f.column, f.message) for f in rules.check_csv("id,name\\n1,Anna\\nx,Bo\\n")]
        [(3, 'id', 'is not an integer')]
        """
        if not isinstance(text, (str, bytes, bytearray, memoryview)):
            hint = "; for a file there is Rules.clean" if isinstance(text, os.PathLike) else ""
            raise TypeError(f"the text of a CSV file is str or bytes, not {type(text).__name__}{hint}")
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
        with reporting(progress, "B") as report:
            result = within(budget, self._native).check_csv(data, threads, report)
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
    ) -> dict[str, Any]:
        """Splits a CSV file, or Parquet files, into clean records and rejects, and returns the report.

        ``users.csv`` becomes ``users.clean.csv``, ``users.rejects.csv``, ``users.findings.jsonl`` and
        ``users.report.json``, all at once when all is written, as the command ``assay clean`` does it. ``None`` for one of
        them: do not write it. ``users.parquet`` becomes ``users.clean.parquet`` and so on: pyarrow reads it, a part at a
        time, and its values are judged as :meth:`check` judges those of a table.

        :param path: a path; of Parquet also a pattern such as ``"part-*.parquet"``, or a list of paths: the files are
            one table.
        :param output_dir: the folder of the outputs, in place of the input's.
        :param changes: of CSV: a file for the cells that repairs changed in clean records, as JSON lines or, if it ends in ``.csv``, as
            CSV.
        :param replace: outputs that exist may be replaced.
        :param annotate: the rejects get the column ``_reasons``, those of CSV also ``_line``. ``None``: those of Parquet do.

        :param budget: the most that the run may take, as for :meth:`check`. Records that it leaves unjudged go to the rejects.

        The others are for CSV and JSON Lines, and mean what they mean for the command:

        :param encoding: of the input, such as ``"windows-1252"``, or ``"auto"``, in place of what the rules say.
        :param delimiter: of the input, one or two ASCII characters, or ``"tab"``, in place of what the rules say.
        :param head: read so many records only.
        :param max_findings: write no more findings than this; the report counts the others. ``None``: a million.
        :param show_values: findings and changes show the values.
        :param guard_formulas: cells that a spreadsheet would compute get an apostrophe.
        :param compress: ``"gzip"``, ``"zstd"`` or ``"none"``. ``None``: as the input, or as the names of the outputs say.
        """
        inputs = inputs_of(path)
        ending = inputs.ending_packed(compress)
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
                return clean_parquet(within(budget, self._native), inputs, outputs, replace, annotate is not False, threads, show)
        with reporting(progress, "B") as show:
            text = within(budget, self._native).clean_file(
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
                compress,
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
    ) -> dict[str, Any]:
        """Splits a dataset of pyarrow into a clean one and one of rejects, and returns the report, which has the form of that of
        :meth:`clean`. Memory does not grow with the number of rows. The columns of partitions are columns like others, for the rules,
        too, and both outputs have the partitions of the source.

        The outputs get their names when all is written. A folder that has something in it is not replaced.

        :param source: a ``pyarrow.dataset.Dataset``, or what ``pyarrow.dataset.dataset`` takes: a folder, a file, a list of files.
        :param clean: the folder of the clean rows, repaired; ``None``: do not write them.
        :param rejects: the folder of the others, as they came, with a column ``_reasons`` unless ``annotate`` is false.
        :param findings: a file for the findings, JSON lines or, if it ends in ``.csv``, CSV.
        :param report: a file for the report.
        :param format: of a source that is no dataset yet: ``"parquet"``, ``"csv"``, ``"json"``, ``"arrow"``, or a format of pyarrow.
            The columns of CSV are read as texts, which are judged and written as they are.
        :param partitioning: the same: ``"hive"`` for folders such as ``year=2026``, or what pyarrow takes.
        :param output_format: of the outputs; as the source's, if it is left out. JSON, which pyarrow does not write, needs another.

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
                self._native,
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
    """Rules with checks that are functions. They are asked of tables in memory, and there is no text of them."""

    def __init__(self, native: _native.Rules, name: str, checks: Sequence[Check]):
        self._asked, self._name, self._trust, self._checks = native, name, False, tuple(checks)

    @property
    def _native(self) -> _native.Rules:  # type: ignore[override]
        refuse()

    @property
    def fields(self) -> list[str]:
        return [name for name in self._asked.fields() if not name.startswith(PREFIX)]

    def _answered(self, data: Any) -> Any:
        return answered(data, self._checks)

    def check_record(self, record: Mapping[str, Any]) -> list[Finding]:
        return list(self.check([self._flat(record)], threads=1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CheckedRules) and (self._asked.json(), self._checks) == (other._asked.json(), other._checks)

    def __hash__(self) -> int:
        return hash((self._asked.json(), self._checks))

    def __reduce__(self) -> tuple[Any, ...]:
        refuse()


#: Rules as they travel: their text, their name, whether they are trusted, and the folder whose files they may name.
Carried = tuple[str, str, bool, str | None]


def carried(rules: Rules) -> Carried:
    folder = rules._native.folder()
    return rules.json(), rules._name, rules._trust, None if folder is None else os.path.abspath(os.fsdecode(folder))


def travelled(text: str, name: str, trust: bool, folder: str | None) -> Rules:
    """Rules that have been read before. They may do what they could before, and no more."""
    if trust or folder is None:
        return Rules.parse(text, name, trust)
    return Rules(_native.parse(text, name, False, folder), name)


def clean(
    path: Paths,
    rules: Rules | Path,
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
) -> dict[str, Any]:
    """Splits a CSV file, or Parquet files, into clean records and rejects. The options are those of :meth:`Rules.clean`.

    :param rules: rules, or the path of a rule file.
    """
    if not isinstance(rules, Rules):
        rules = Rules.load(rules)
    return rules.clean(
        path,
        output_dir,
        clean=clean,
        rejects=rejects,
        findings=findings,
        changes=changes,
        report=report,
        replace=replace,
        annotate=annotate,
        encoding=encoding,
        delimiter=delimiter,
        head=head,
        max_findings=max_findings,
        show_values=show_values,
        guard_formulas=guard_formulas,
        compress=compress,
        threads=threads,
        progress=progress,
    )


def profile(
    table: Any,
    *,
    values: bool = False,
    encoding: str | None = None,
    delimiter: str | None = None,
    threads: int = 0,
    progress: ProgressOption = False,
) -> Profile:
    """Looks at every value of a table, in one pass: what types the columns have, how many values are missing and different, how long
    they are, what they look like.

    :param table: what :meth:`Rules.check` takes; or the path of a file of CSV, JSON Lines or Parquet, as for :func:`clean`.
    :param values: whether the profile has the most frequent values of each column. They are data.
    :param encoding: of a file, such as ``windows-1252``; ``auto`` guesses.
    :param delimiter: of a file; by default what its first records show.
    """
    return Profile(look_at(_native.profile, table, _dialect(table, encoding, delimiter), values, threads, progress))


def infer(
    table: Any,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    threads: int = 0,
    progress: ProgressOption = False,
) -> Inferred:
    """Makes rules that fit a table or a file: types and formats, small sets, lengths, patterns, what is required and unique, each
    with the evidence for it. They describe what is there, not what should be.

    The table is read for what is in it, and again to count how many records pass, so that it is no iterator.

    :param table: as for :func:`profile`, as are the encoding and the delimiter.
    """
    return Inferred(look_at(_native.infer, table, _dialect(table, encoding, delimiter), False, threads, progress), Rules.parse)


def _dialect(table: Any, encoding: str | None, delimiter: str | None) -> _native.Rules | None:
    """Rules that say nothing but how a file is read; None: as files usually are."""
    given = {"encoding": encoding, "delimiter": delimiter}
    dialect = {name: value for name, value in given.items() if value is not None}
    if not dialect:
        return None
    if not is_path(table):
        raise TypeError(f"{' and '.join(dialect)}: only for a file, and this is a table")
    return Rules.parse({"fields": [], "dialect": dialect})._native


def _encoded(path: str | None) -> bytes | None:
    return None if path is None else os.fsencode(path)
