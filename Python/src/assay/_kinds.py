"""The supported libraries. A table is returned in the type of its own library.

This imports no library that the caller did not import, because the module of a table's type identifies the library.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._frames import Batches, DuckDB, LazyPolars, Polars, PyArrow
from ._kind import Kind, library_of
from ._lists import Lists, NumPy
from ._pandas import Pandas, is_of_pandas
from ._repair import Repairs
from ._scanned import Files, Scanned, is_file, is_scanned

_KINDS: dict[str, Kind] = {
    "pyarrow": PyArrow(),
    "polars": Polars(),
    "pandas": Pandas(),
    "duckdb": DuckDB(),
    "_duckdb": DuckDB(),
}


def kind_of(data: Any) -> Kind:
    """Returns the kind of a table or a column."""
    if isinstance(data, (str, os.PathLike)) and is_file(data):
        return Files()
    if is_scanned(data):
        return Scanned()
    name = library_of(data)
    if name == "polars" and isinstance(data, sys.modules["polars"].LazyFrame):
        return LazyPolars()
    if name in _KINDS:
        return _KINDS[name]
    if name == "numpy" and hasattr(data, "ndim"):
        return NumPy()
    if isinstance(data, Iterator):
        return Batches()
    if isinstance(data, (Mapping, Sequence)) and not isinstance(data, (str, bytes)):
        are_batches = isinstance(data, Sequence) and data and _is_batch(data[0])
        return Batches() if are_batches else Lists()
    return Kind()


def repaired(repairs: Repairs, data: Any, field: int) -> Any:
    """Repairs a table (field −1) or a column, and returns it in the type of its library."""
    return kind_of(data).repair(repairs, data, field)


def _is_batch(data: Any) -> bool:
    return hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__") or is_of_pandas(data)
