"""Progress bars, where somebody wants one and tqdm is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
