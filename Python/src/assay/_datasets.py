"""Splits the rows of a pyarrow dataset into a clean and a rejected dataset.

    fragments ──► batches ──► verdicts ──► clean, rejects    folders that get their names at the end
"""

from __future__ import annotations

import os
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from . import _native
from ._clean import REASONS, OutputPaths, Run, blank_report, with_report
from ._errors import AssayError, printable, refusal
from ._frames import PyArrow
from ._groups import GroupWriter
from ._inputs import Path, path_text
from ._lakes import is_delta, is_iceberg, lake_at, opened_lake, refuse_parts
from ._outputs import Outputs
from ._parquet import READ_BYTES, codec_of
from ._pyarrow import pyarrow_for

#: The number of rows per batch, and the number of batches that pyarrow reads ahead.
_BATCH_ROWS, _READ_AHEAD = 1 << 16, 2
#: Maximum number of output partitions. High, because each input partition may become an output partition.
_MAX_PARTITIONS = 1 << 20


class DatasetTable:
    """A dataset that is read as one table."""

    def __init__(self, source: Any, format: Any, partitioning: Any):
        """
        Raises :class:`assay.AssayError` if the dataset has no columns or cannot be read.
        """
        pyarrow_for("to read datasets")
        from pyarrow import dataset

        is_path = isinstance(source, (str, os.PathLike))
        self.name = printable(os.fspath(source)) if is_path else "the dataset"
        self.folder = os.fspath(source) if is_path and os.path.isdir(source) else None
        if self.folder is not None and lake_at(self.folder) is not None:
            source = opened_lake(self.folder)
        elif self.folder is not None:
            refuse_parts([self.folder])
        elif isinstance(source, (list, tuple)):
            refuse_parts([os.fspath(path) for path in source if isinstance(path, (str, os.PathLike))])
        if is_delta(source):
            source = source.to_pyarrow_dataset()
        #: Reads the rows of a table of pyiceberg, which is no dataset; None: read the dataset.
        self._scan: Callable[[], Any] | None = None
        if is_iceberg(source):
            self._scan = source.scan().to_arrow_batch_reader
            with self._scan() as reader:
                source = dataset.dataset(reader.schema.empty_table())
        if isinstance(source, dataset.Dataset):
            self._dataset = source
        else:
            self._dataset = _opened(dataset, source, format, partitioning)
        self.schema = self._dataset.schema
        self.format = getattr(self._dataset, "format", None)
        self.partitioning = _partitioning(dataset, self._dataset)
        self.files: list[str] = getattr(self._dataset, "files", [])
        self._states = self._looked_at()
        #: The number of rows; None: unknown before reading.
        self.rows: int | None = self._dataset.count_rows() if self._is("parquet") else None

    def _is(self, name: str) -> bool:
        return self.format is not None and self.format.default_extname == name

    def _looked_at(self) -> list[tuple[Any, Any]]:
        if not self.files:
            return []
        return [(info.size, info.mtime_ns) for info in self._dataset.filesystem.get_file_info(self.files)]

    @property
    def format_name(self) -> str | None:
        """The name of the format in reports; None: the files have several formats."""
        from pyarrow import dataset

        if self._scan is not None:
            return "parquet"
        if isinstance(self._dataset, dataset.InMemoryDataset):
            return "arrow"
        name: str | None = getattr(self.format, "default_extname", None)
        return {"json": "jsonl", "feather": "arrow"}.get(name, name) if name else None

    @property
    def delimiter(self) -> str | None:
        """The delimiter; None: the format is not CSV."""
        options = getattr(self.format, "parse_options", None) if self._is("csv") else None
        return options.delimiter if options is not None else None

    @property
    def bytes(self) -> int:
        return sum(size or 0 for size, _ in self._states)

    @property
    def has_changed(self) -> bool:
        """Whether the files changed since the dataset was opened."""
        return self._looked_at() != self._states

    def batches(self, threads: int) -> Iterator[Any]:
        """Yields the rows in file order."""
        from pyarrow import dataset

        if self._scan is not None:
            with self._scan() as reader:
                yield from reader
            return
        # Without these options, pyarrow keeps all data that it has read from a file in memory until it reaches the end
        # of the file.
        keeps_less = dataset.ParquetFragmentScanOptions(pre_buffer=False, use_buffered_stream=True,
                                                        buffer_size=READ_BYTES)
        yield from self._dataset.to_batches(
            batch_size=_BATCH_ROWS,
            batch_readahead=_READ_AHEAD,
            fragment_readahead=1,
            use_threads=threads != 1,
            fragment_scan_options=keeps_less if self._is("parquet") else None,
        )

    def form(self, output_format: Any) -> dict[str, Any]:
        """Returns the options for writing the outputs, by default those of the input."""
        from pyarrow import dataset

        format: Any = self.format
        options = {}
        if self._scan is not None and output_format is None:
            format, options["compression"] = dataset.ParquetFileFormat(), "zstd"
        elif output_format is not None:
            format = dataset.ParquetFileFormat() if output_format == "parquet" else _format(dataset, output_format)
        elif self._is("parquet"):
            codecs = {codec_of(fragment.metadata) for fragment in self._dataset.get_fragments()}
            options["compression"] = codecs.pop() if len(codecs) == 1 else "zstd"
        elif self._is("csv"):
            options["delimiter"] = format.parse_options.delimiter
        elif format is None or self._is("json"):
            raise refusal(
                "input",
                f"pyarrow cannot write datasets in the format of {self.name}",
                "choose a format for the outputs, as in output_format='parquet'",
            )
        return {"format": format, "file_options": format.make_write_options(**options)}


def _opened(dataset: Any, source: Any, format: Any, partitioning: Any) -> Any:
    """Opens the dataset of a folder or of files. CSV columns are read as texts, because the rules define their
    types."""
    opened = dataset.dataset(source, format=format, partitioning=partitioning)
    if opened.format.default_extname != "csv":
        return opened
    pyarrow = pyarrow_for("to read datasets")
    partitions = _partitioning(dataset, opened)
    keys = partitions.schema.names if partitions is not None else []
    fields = [field if field.name in keys else field.with_type(pyarrow.string()) for field in opened.schema]
    return dataset.dataset(source, format=format, partitioning=partitioning, schema=pyarrow.schema(fields))


def _partitioning(dataset: Any, opened: Any) -> Any:
    """Returns a partitioning with only the partition keys of the files, because the partitioning of pyarrow may also
    contain columns in the files. None: the files are not partitioned."""
    keys = {key for fragment in opened.get_fragments()
            for key in dataset.get_partition_keys(fragment.partition_expression)}
    if not keys or not hasattr(opened, "partitioning"):
        return None
    flavors = {dataset.HivePartitioning: "hive", dataset.FilenamePartitioning: "filename"}
    # A dataset of files with partition expressions, such as one of deltalake, has no partitioning of its own.
    own = opened.partitioning
    names = [name for name in opened.schema.names if name in keys] if own is None else own.schema.names
    flavor = "hive" if own is None else flavors.get(type(own))
    fields = [opened.schema.field(name) for name in names if name in keys]
    return dataset.partitioning(pyarrow_for("to read datasets").schema(fields), flavor=flavor)


def _format(dataset: Any, given: Any) -> Any:
    formats = {"parquet": "ParquetFileFormat", "csv": "CsvFileFormat", "arrow": "IpcFileFormat", "orc": "OrcFileFormat"}
    if not isinstance(given, str):
        return given
    if given not in formats:
        raise ValueError(f"pyarrow cannot write datasets in the format {given!r}; choose one of {', '.join(formats)}")
    return getattr(dataset, formats[given])()


class Folder:
    """A folder that has a temporary name and is readable only by its owner until it is published."""

    def __init__(self, path: str, source: str | None):
        self.path = path
        self._target = os.path.abspath(path)
        if os.path.lexists(self._target) and (not os.path.isdir(self._target) or os.listdir(self._target)):
            raise refusal(
                "input", f"the output {printable(path)} exists already",
                "remove it, or choose another folder"
            )
        if source is not None and os.path.commonpath([os.path.realpath(source),
                                                      os.path.realpath(path)]) == os.path.realpath(source):
            raise refusal(
                "input", f"the output {printable(path)} is in the input {printable(source)}",
                "choose a folder beside it"
            )
        # Limit the mode to that of the input, so that only users who can read the input can read the output.
        mode = stat.S_IMODE(os.stat(source).st_mode) if source is not None else 0o777
        parent, name = os.path.split(self._target)
        self.temporary = os.path.join(parent, f".{name}.assay-{os.getpid()}-{threading.get_ident()}")
        try:
            os.mkdir(self.temporary, mode)
            self._mode = stat.S_IMODE(os.stat(self.temporary).st_mode)
            os.chmod(self.temporary, 0o700)
        except OSError as error:
            raise refusal("input", f"cannot create {printable(path)}: {error.strerror}") from None

    def publish(self) -> None:
        os.chmod(self.temporary, self._mode)
        os.rename(self.temporary, self._target)

    def discard(self) -> None:
        """Removes the temporary folder."""
        shutil.rmtree(self.temporary, ignore_errors=True)


class _Writer(GroupWriter):
    """A writer of a dataset. It buffers rows to avoid many small files: when the buffer is full, it writes one file per
    partition in the buffer.

    It does not pass an iterator of batches to pyarrow, which reads them in its own threads, because two such writers
    and a reader wait for one another, need more threads than pyarrow has on a small machine, and would deadlock.
    """

    def __init__(self, folder: str, schema: Any, form: dict[str, Any], partitioning: Any):
        super().__init__(schema, "to write datasets")
        self._folder, self._options = folder, form | {"partitioning": partitioning}
        self._files = 0

    def _write_group(self, group: Any) -> None:
        from pyarrow import dataset

        dataset.write_dataset(
            group,
            self._folder,
            basename_template=f"part-{self._files}-{{i}}.{self._options['format'].default_extname}",
            existing_data_behavior="overwrite_or_ignore",
            max_partitions=_MAX_PARTITIONS,
            **self._options,
        )
        self._files += 1


def clean_dataset(
    rules: _native.Rules,
    source: Any,
    clean: Path | None,
    rejects: Path | None,
    findings: Path | None,
    report: Path | None,
    format: Any,
    partitioning: Any,
    output_format: Any,
    annotate: bool,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """Cleans a dataset, and returns the report. The outputs get their names after all are complete."""
    start = time.monotonic()
    files = OutputPaths(None, None, *(None if path is None else path_text(path) for path in (findings, report)))
    files.check()
    table = DatasetTable(source, format, partitioning)
    if annotate and REASONS in table.schema.names:
        raise refusal(
            "input",
            f"{table.name} has a column {REASONS} already",
            "these are rejects of an earlier run: take the column out, or say annotate=False",
        )
    form = table.form(output_format)
    # Report mistakes in the columns before writing any output.
    nothing = PyArrow().check(rules, table.schema.empty_table(), -1, 1, None)
    made = blank_report(rules, table.schema, threads, nothing)
    with ExitStack() as stack:
        folders: list[Folder] = []

        def writer(path: Path | None) -> Callable[[Any], _Writer] | None:
            if path is None:
                return None
            folder = Folder(path_text(path), table.folder)
            stack.callback(folder.discard)
            folders.append(folder)
            return lambda schema: _Writer(folder.temporary, schema, form, table.partitioning)

        if clean is not None and rejects is not None and os.path.realpath(path_text(clean)) == os.path.realpath(
                path_text(rejects)):
            raise refusal("input", "both outputs would be the same folder", "give them different names")
        writers = writer(clean), writer(rejects)
        outputs = stack.enter_context(Outputs(files, [], False))
        run = Run(rules, table, made, writers, files.findings, outputs, annotate)
        try:
            run.evaluate(threads, progress)
        except pyarrow_for("to read datasets").ArrowException as error:
            detail = printable(" ".join(str(error).split()))
            raise refusal("input", f"cannot read or write {table.name}: {detail}") from None
        paths = {"clean": clean, "rejects": rejects, "findings": files.findings}
        made["inputs"][0].update(
            path=table.name,
            format=table.format_name,
            delimiter=table.delimiter and {"text": table.delimiter, "chosen": False},
            bytes=table.bytes,
            changedWhileRead=table.has_changed,
            outputs={name: None if path is None else path_text(path) for name, path in paths.items()},
        )
        with_report(made, files.report, outputs, start)
        for folder in folders:
            folder.publish()
        outputs.publish()
    return made
