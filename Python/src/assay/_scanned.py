"""The kind of sources that are read in batches and not kept: datasets and scanners of pyarrow, and Parquet files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _native
from ._frames import PyArrow
from ._inputs import PARQUET, Inputs
from ._kind import Kind, Progress, Results, rows_in, unknown
from ._parquet import ParquetTable
from ._pyarrow import pyarrow_for
from ._repair import Repairs
from ._text import name_of


class ParquetFiles:
    """The Parquet files of one table."""

    def __init__(self, inputs: Inputs):
        self.name = inputs.name
        self._table = ParquetTable(inputs.paths)

    @property
    def num_rows(self) -> int:
        return self._table.rows or 0

    def to_reader(self, threads: int = 0) -> Any:
        """Returns a RecordBatchReader of the rows."""
        pyarrow = pyarrow_for("to read Parquet files")
        return pyarrow.RecordBatchReader.from_batches(self._table.schema, self._table.batches(threads))


def is_scanned(data: Any) -> bool:
    """Whether an object is a dataset or a scanner of pyarrow, or a :class:`ParquetFiles`."""
    if isinstance(data, ParquetFiles):
        return True
    dataset = sys.modules.get("pyarrow.dataset")
    return dataset is not None and isinstance(data, (dataset.Dataset, dataset.Scanner))


class Scanned(PyArrow):
    """A source that is read in batches. A new reader reads it again."""

    holds_rows = False

    def check(self, rules: _native.Rules, data: Any, field: int, threads: int, progress: Progress) -> Results:
        if field >= 0:
            raise unknown(data, field)
        source = data.scanner(use_threads=threads != 1) if hasattr(data, "scanner") else data
        done = progress if progress is None else _with_total(progress, rows_in(data))
        return super().check(rules, source.to_reader(), field, threads, done)

    def valid(self, rules: Any, given: Any, held: Any, result: Any, check: Callable[[Any], Any]) -> Any:
        return given if result.ok and not Repairs(rules._native) else result.clean

    def rereadable(self, data: Any) -> Any:
        return data

    def take(self, data: Any, column: str | None, rows: Sequence[int]) -> Any:
        return self.pick(data, [], True)

    def widened(self, data: Any, findings: Any, columns: Mapping[str, Any], rows: Sequence[int]) -> Any:
        return Kind().widened(data, findings, columns, rows)

    def pick(self, data: Any, results: Results, clean: bool) -> Any:
        is_file = isinstance(data, ParquetFiles)
        name, writer = (data.name, "Rules.clean") if is_file else (name_of(data), "Rules.clean_dataset")
        raise TypeError(f"the rows of {name} are not kept: {writer} writes its clean and its rejected rows")


class Files(Kind):
    """The path of a CSV or JSON Lines file. Only its result exists in memory."""

    def valid(self, rules: Any, given: Any, held: Any, result: Any, check: Callable[[Any], Any]) -> Any:
        return Scanned().valid(rules, given, held, result, check)


def is_file(data: Any) -> bool:
    """Whether an object is a path, or a list of paths of Parquet files. Bytes are not, and neither is str with a line
    feed, because they may be the text of a file."""
    if isinstance(data, (list, tuple)) and data:
        return all(isinstance(path, (str, os.PathLike)) and os.fsdecode(path).lower().endswith(PARQUET)
                   for path in data)
    return isinstance(data, os.PathLike) or isinstance(data, str) and "\n" not in data


def _with_total(progress: Callable[[int, int], object], rows: int) -> Callable[[int, int], object]:
    return lambda done, total: progress(done, total or rows)
