"""Parquet files: read and written with pyarrow, a part of a row group at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ._errors import AssayError, printable, refusal
from ._groups import GroupWriter
from ._kind import pyarrow_for

#: The most rows that are judged at once, and about how many bytes.
_BATCH_ROWS, _BATCH_BYTES = 1 << 16, 16 << 20
#: Instead of whole column chunks, so much of each column is read at once.
READ_BYTES = 1 << 20


class ParquetTable:
    """Parquet files that are one table. Each is opened when its turn comes."""

    def __init__(self, paths: Sequence[str]):
        """Reads all footers.

        Raises :class:`assay.AssayError` if a file is no Parquet, or has other columns than the first.
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
                    #: What a file of the same form is written with.
                    self.form = _form(file)
                elif difference := _difference(schema, path, self.schema, paths[0]):
                    raise refusal(
                        "input",
                        f"{printable(path)} and {printable(paths[0])} are not one table: {difference}",
                        "clean those that differ by themselves",
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
        """The rows of all files. Their memory is free for the next ones as soon as nobody has them any more."""
        for path, rows in zip(self.paths, self._batch_rows):
            with self._open(path) as file:
                for batch in file.iter_batches(batch_size=rows, use_threads=threads != 1):
                    # With the names and the metadata of the first file.
                    yield self._pyarrow.RecordBatch.from_arrays(batch.columns, schema=self.schema)

    @property
    def has_changed(self) -> bool:
        """Whether somebody wrote to the files since their footers were read."""

        def version(state: os.stat_result) -> tuple[int, int, int]:
            return state.st_ino, state.st_size, state.st_mtime_ns

        return any(version(os.stat(path)) != version(state) for path, state in zip(self.paths, self._states))


@contextmanager
def _reading(path: str, pyarrow: Any) -> Iterator[None]:
    """Errors of pyarrow in the words of the package. Those of whoever takes the rows pass through."""
    try:
        yield
    except (AssayError, FileNotFoundError, PermissionError):
        raise
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        said = printable(" ".join(str(error).split()))
        raise refusal("input", f"cannot read {printable(path)} as Parquet: {said}") from None


def _form(file: Any) -> dict[str, Any]:
    """The choices of whoever wrote a file that pyarrow would make in another way."""
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
        form["store_decimal_as_integer"] = True  # which older releases of pyarrow do not know
    return form


def _batch_rows(metadata: Any) -> int:
    """How many rows to judge at once: fewer, if they are long."""
    groups = (metadata.row_group(place) for place in range(metadata.num_row_groups))
    longest = max((group.total_byte_size // group.num_rows for group in groups if group.num_rows), default=0)
    return max(1, min(_BATCH_ROWS, _BATCH_BYTES // max(1, longest)))


def _codecs(metadata: Any) -> set[str]:
    """The codecs of a file. Its row groups all have the same, unless somebody joined two files."""
    if metadata.num_row_groups == 0:
        return set()
    group = metadata.row_group(0)
    return {group.column(place).compression for place in range(metadata.num_columns)}


def codec_of(metadata: Any) -> str:
    """The codec of one file."""
    return _codec(_codecs(metadata))


def _codec(codecs: set[str]) -> str:
    if len(codecs) != 1:
        return "zstd"
    codec = codecs.pop().lower()
    return "none" if codec == "uncompressed" else codec


def _difference(schema: Any, path: str, first: Any, first_path: str) -> str | None:
    """The first thing in which the columns of two files differ."""
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
    """Rows on their way into a file, gathered to row groups. Two of the same form read alike."""

    def __init__(self, path: str, schema: Any, form: dict[str, Any]):
        from pyarrow import parquet

        super().__init__(schema, "to write Parquet files")
        self._writer = parquet.ParquetWriter(path, schema, **form)

    def _write_group(self, group: Any) -> None:
        self._writer.write_table(group, row_group_size=group.num_rows)

    def _close(self) -> None:
        """Writes the footer."""
        self._writer.close()
