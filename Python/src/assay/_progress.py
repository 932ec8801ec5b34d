"""The progress of checks, and progress bars of tqdm if it is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import _native

#: The argument `progress` of checks: whether to show a bar of tqdm, or a function of (done, total).
ProgressOption = bool | Callable[[int, int], object]


class Steps:
    """The state of a table that is checked in batches: the checked rows, the progress callback, and the keys seen so
    far."""

    def __init__(
        self, report: Callable[[int, int], object] | None, total: int, seen: _native.SeenKeys | None = None
    ):
        #: The number of rows in earlier batches.
        self.done = 0
        #: The keys of earlier batches; None: there is only one batch, or one Arrow stream has all batches.
        self.seen = seen
        self._report, self._total = report, total
        #: The rows of batches that are checked but have no result yet. A stream may have only one result for all its
        #: batches.
        self._ahead = 0
        #: The callback for (checked rows of this batch, rows of this batch).
        self.progress = None if report is None else self._report_progress

    def _report_progress(self, done: int, of_piece: int) -> None:
        assert self._report is not None
        self._report(self.done + self._ahead + done, self._total)
        if done == of_piece:
            self._ahead += of_piece

    def add(self, rows: int) -> None:
        """Records a finished batch."""
        self.done += rows
        self._ahead = 0


@contextmanager
def reporting(progress: ProgressOption, unit: str) -> Iterator[Callable[[int, int], object] | None]:
    """Yields the callback for (done, total); for ``True``, a tqdm bar if tqdm is installed."""
    if not progress:
        yield None
        return
    if callable(progress):
        yield progress
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(unit=unit, unit_scale=True) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total or None
            bar.update(done - bar.n)

        yield show
