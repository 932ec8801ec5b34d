"""Assay inside pandas: ``import assay.pandas`` adds ``assay`` to frames and Series.

>>> import assay.pandas
>>> import pandas as pd
>>> frame = pd.DataFrame({"id": ["1", "x"], "name": ["Anna", "Bo"]})
>>> rules = assay.Rules.parse("fields: [{name: id, type: integer}]")
>>> frame.assay.clean(rules)["name"].tolist()
['Anna']
>>> frame["id"].assay.matches(r"\\d+").tolist()
[True, False]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ._pattern import Flags, Judge, compiled
from ._profile import Profile
from ._result import Result
from ._rules import ProgressOption, Rules, profile

if TYPE_CHECKING:
    from typing_extensions import Unpack


@pd.api.extensions.register_dataframe_accessor("assay")
class FrameAccessor:
    """``df.assay``"""

    def __init__(self, frame: pd.DataFrame):
        self._frame = frame

    def check(self, rules: Rules, *, threads: int = 0, progress: ProgressOption = False) -> Result:
        """What :meth:`assay.Rules.check` gives."""
        return rules.check(self._frame, threads=threads, progress=progress)

    def clean(self, rules: Rules) -> pd.DataFrame:
        """The rows that are clean, repaired."""
        rows: pd.DataFrame = self.check(rules).clean
        return rows

    def rejected(self, rules: Rules) -> pd.DataFrame:
        """The rows that are not, as they came."""
        rows: pd.DataFrame = self.check(rules).rejected
        return rows

    def repair(self, rules: Rules) -> pd.DataFrame:
        """All rows, repaired: what :meth:`assay.Rules.repair` gives."""
        rows: pd.DataFrame = rules.repair(self._frame)
        return rows

    def validate(self, rules: Rules, *, values: bool = False) -> pd.DataFrame:
        """The frame, repaired, if no row is rejected: what :meth:`assay.Rules.validate` gives."""
        rows: pd.DataFrame = rules.validate(self._frame, values=values)
        return rows

    def profile(self, *, values: bool = False) -> Profile:
        """What is in the columns: what :func:`assay.profile` gives."""
        return profile(self._frame, values=values)


@pd.api.extensions.register_series_accessor("assay")
class SeriesAccessor:
    """``series.assay``"""

    def __init__(self, series: Any):
        self._series = series

    def matches(self, pattern: Judge | str, **flags: Unpack[Flags]) -> Any:
        """Whether each value matches a pattern or an :class:`assay.Format`; NA where there is none. The flags are those of :class:`assay.Pattern`, for a
        pattern that is a text.
        """
        return compiled(pattern, flags).match(self._series)
