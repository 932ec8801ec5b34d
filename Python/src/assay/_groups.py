"""Writers that write rows to files in groups."""

from __future__ import annotations

from typing import Any

from ._pyarrow import pyarrow_for

#: The size of a group in rows and bytes. A group is written when it reaches one of these.
GROUP_ROWS, GROUP_BYTES = 1 << 20, 64 << 20


class GroupWriter:
    """Collects batches into groups, which a subclass writes. The last group is written at the end, but not after an
    error."""

    def __init__(self, schema: Any, purpose: str):
        self._pyarrow, self._schema = pyarrow_for(purpose), schema
        self._gathered: list[Any] = []
        self._rows = self._bytes = 0

    def write(self, batch: Any) -> None:
        if batch.num_rows == 0:
            return
        self._gathered.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self._end_group()

    def _end_group(self) -> None:
        if self._gathered:
            self._write_group(self._pyarrow.Table.from_batches(self._gathered, self._schema))
        self._gathered.clear()
        self._rows = self._bytes = 0

    def _write_group(self, group: Any) -> None:
        raise NotImplementedError

    def _close(self) -> None:
        """Closes the output, after all groups are written or after an error."""

    def __enter__(self) -> GroupWriter:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if error is None:
            self._end_group()
        self._gathered.clear()
        self._close()
