"""The pandas extension: ``import assay.pandas`` adds the accessor ``assay`` to frames and Series.

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

from ._functions import profile
from ._pattern import Flags, Matcher, compiled
from ._profile import Profile
from ._progress import ProgressOption
from ._result import Result
from ._rules import Rules

if TYPE_CHECKING:
    from typing_extensions import Unpack


@pd.api.extensions.register_dataframe_accessor("assay")
class FrameAccessor:
    """``df.assay``"""

    def __init__(self, frame: pd.DataFrame):
        self._frame = frame

    def check(self, rules: Rules, *, threads: int = 0, progress: ProgressOption = False) -> Result:
        """Calls :meth:`assay.Rules.check` with the frame."""
        return rules.check(self._frame, threads=threads, progress=progress)

    def clean(self, rules: Rules) -> pd.DataFrame:
        """Returns the clean rows, repaired."""
        rows: pd.DataFrame = self.check(rules).clean
        return rows

    def rejected(self, rules: Rules) -> pd.DataFrame:
        """Returns the rejected rows, unchanged."""
        rows: pd.DataFrame = self.check(rules).rejected
        return rows

    def repair(self, rules: Rules) -> pd.DataFrame:
        """Returns all rows, repaired by :meth:`assay.Rules.repair`."""
        rows: pd.DataFrame = rules.repair(self._frame)
        return rows

    def validate(self, rules: Rules, *, values: bool = False) -> pd.DataFrame:
        """Returns the frame, repaired, if no row is rejected. Raises the errors of :meth:`assay.Rules.validate`."""
        rows: pd.DataFrame = rules.validate(self._frame, values=values)
        return rows

    def profile(self, *, values: bool = False) -> Profile:
        """Calls :func:`assay.profile` with the frame."""
        return profile(self._frame, values=values)


@pd.api.extensions.register_series_accessor("assay")
class SeriesAccessor:
    """``series.assay``"""

    def __init__(self, series: Any):
        self._series = series

    def matches(self, pattern: Matcher | str, **flags: Unpack[Flags]) -> Any:
        """Whether each value matches a pattern or an :class:`assay.Format`; NA for missing values. The flags are those
        of
        :class:`assay.Pattern`; they apply to a pattern that is given as text.
        """
        return compiled(pattern, flags).match(self._series)
