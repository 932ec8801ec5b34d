"""How far a check is, for whoever wants to know; and progress bars, if tqdm is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import _native


class Steps:
    """A table that is judged piece by piece: the rows that are done, what to call as they grow, and the keys they have."""

    def __init__(
        self, report: Callable[[int, int], object] | None, total: int, seen: _native.SeenKeys | None = None
    ):
        #: The rows of the pieces before this one.
        self.done = 0
        #: Their keys; None: there is one piece only, or it is a stream.
        self.seen = seen
        self._report, self._total = report, total
        #: The rows of pieces that are done, but whose results come later, as those of a stream may that has one result for all.
        self._ahead = 0
        #: What to call with (rows of this piece that are done, rows of this piece).
        self.progress = None if report is None else self._tell

    def _tell(self, done: int, of_piece: int) -> None:
        assert self._report is not None
        self._report(self.done + self._ahead + done, self._total)
        if done == of_piece:
            self._ahead += of_piece

    def add(self, rows: int) -> None:
        """A piece is done."""
        self.done += rows
        self._ahead = 0


@contextmanager
def reporting(
    progress: bool | Callable[[int, int], object], unit: str
) -> Iterator[Callable[[int, int], object] | None]:
    """What to call with (done, total) while it lasts. ``True``: a bar of tqdm, if it is installed."""
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
