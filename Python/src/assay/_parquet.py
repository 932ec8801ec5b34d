"""Reading and writing of Parquet files with pyarrow, in parts of row groups."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ._errors import AssayError, printable, refusal
from ._groups import GroupWriter
from ._pyarrow import pyarrow_for

#: Maximum rows per batch, and approximate maximum bytes.
_BATCH_ROWS, _BATCH_BYTES = 1 << 16, 16 << 20
#: The number of bytes to read per column at a time, instead of whole column chunks.
READ_BYTES = 1 << 20


class ParquetTable:
    """The Parquet files of one table. Each file is opened only while it is read."""

    def __init__(self, paths: Sequence[str]):
        """Reads all footers.

        Raises :class:`assay.AssayError` if a file is not a Parquet file, or if its columns differ from those of the
        first.
        """
        self._pyarrow = pyarrow_for("to read Parquet files")
        self.paths = paths
        self._states = [os.stat(path) for path in paths]
        self.bytes = sum(state.st_size for state in self._states)
        self.rows = 0
        self._batch_rows: list[int] = []
        codecs: set[str] = set()
        for path in paths:
            with self._open(path) as file:
                schema, metadata = file.schema_arrow, file.metadata
                if path == paths[0]:
                    self.schema = schema
                    #: The options for writing a file with the same properties.
                    self.form = _form(file)
                elif difference := _difference(schema, path, self.schema, paths[0]):
                    raise refusal(
                        "input",
                        f"{printable(path)} and {printable(paths[0])} are not one table: {difference}",
                        "clean the files that differ separately",
                    )
                self.rows += metadata.num_rows
                self._batch_rows.append(_batch_rows(metadata))
                codecs |= _codecs(metadata)
        self.form["compression"] = _codec(codecs)

    @contextmanager
    def _open(self, path: str) -> Iterator[Any]:
        from pyarrow import parquet

        with (
            _reading(path, self._pyarrow),
            parquet.ParquetFile(path, buffer_size=READ_BYTES, pre_buffer=False) as file,
        ):
            yield file

    def batches(self, threads: int) -> Iterator[Any]:
        """Yields the rows of all files. The memory of a batch is reused after the caller releases it."""
        for path, rows in zip(self.paths, self._batch_rows):
            with self._open(path) as file:
                for batch in file.iter_batches(batch_size=rows, use_threads=threads != 1):
                    # Use the column names and metadata of the first file.
                    yield self._pyarrow.RecordBatch.from_arrays(batch.columns, schema=self.schema)

    @property
    def has_changed(self) -> bool:
        """Whether the files changed since their footers were read."""

        def version(state: os.stat_result) -> tuple[int, int, int]:
            return state.st_ino, state.st_size, state.st_mtime_ns

        return any(version(os.stat(path)) != version(state) for path, state in zip(self.paths, self._states))


@contextmanager
def _reading(path: str, pyarrow: Any) -> Iterator[None]:
    """Converts errors of pyarrow to :class:`assay.AssayError`. Errors of the code that consumes the rows pass
    through."""
    try:
        yield
    except (AssayError, FileNotFoundError, PermissionError):
        raise
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        detail = printable(" ".join(str(error).split()))
        raise refusal("input", f"cannot read {printable(path)} as Parquet: {detail}") from None


def _form(file: Any) -> dict[str, Any]:
    """Returns the write options of a file that differ from the defaults of pyarrow."""
    metadata = file.metadata
    columns = [file.schema.column(place) for place in range(len(file.schema))]
    times = [column for column in columns if column.physical_type == "INT96"]
    decimals = [column.physical_type for column in columns if column.logical_type.type == "DECIMAL"]
    form = {
        "version": metadata.format_version if metadata.format_version in ("1.0", "2.4", "2.6") else "2.6",
        "store_schema": b"ARROW:schema" in (metadata.metadata or {}),
        "use_deprecated_int96_timestamps": bool(times),
    }
    if any(kind in ("INT32", "INT64") for kind in decimals):
        form["store_decimal_as_integer"] = True  # unknown to older releases of pyarrow
    return form


def _batch_rows(metadata: Any) -> int:
    """Returns the number of rows per batch; long rows get smaller batches."""
    groups = (metadata.row_group(place) for place in range(metadata.num_row_groups))
    longest = max((group.total_byte_size // group.num_rows for group in groups if group.num_rows), default=0)
    return max(1, min(_BATCH_ROWS, _BATCH_BYTES // max(1, longest)))


def _codecs(metadata: Any) -> set[str]:
    """Returns the codecs of a file. All row groups have the same codecs, unless the file was joined from two files."""
    if metadata.num_row_groups == 0:
        return set()
    group = metadata.row_group(0)
    return {group.column(place).compression for place in range(metadata.num_columns)}


def codec_of(metadata: Any) -> str:
    """Returns the codec of one file."""
    return _codec(_codecs(metadata))


def _codec(codecs: set[str]) -> str:
    if len(codecs) != 1:
        return "zstd"
    codec = codecs.pop().lower()
    return "none" if codec == "uncompressed" else codec


def _difference(schema: Any, path: str, first: Any, first_path: str) -> str | None:
    """Describes the first difference between the columns of two files; None: they are equal."""
    path, first_path = printable(os.path.basename(path)), printable(os.path.basename(first_path))
    if schema.equals(first):
        return None
    for name in first.names:
        if name not in schema.names:
            return f"{path} has no column {name!r}"
    for name in schema.names:
        if name not in first.names:
            return f"{first_path} has no column {name!r}"
    if schema.names != first.names:
        return "their columns are in another order"
    for one, other in zip(schema, first):
        if one.type != other.type:
            return f"the column {one.name!r} is {one.type} in {path}, and {other.type} in {first_path}"
        if one.nullable != other.nullable:
            never, may = (first_path, path) if one.nullable else (path, first_path)
            return f"the column {one.name!r} may be null in {may}, and not in {never}"
    return "their schemas differ"


class ParquetWriter(GroupWriter):
    """A writer of a Parquet file, which collects rows into row groups."""

    def __init__(self, path: str, schema: Any, form: dict[str, Any]):
        from pyarrow import parquet

        super().__init__(schema, "to write Parquet files")
        self._writer = parquet.ParquetWriter(path, schema, **form)

    def _write_group(self, group: Any) -> None:
        self._writer.write_table(group, row_group_size=group.num_rows)

    def _close(self) -> None:
        """Writes the footer."""
        self._writer.close()
