"""Tables of Delta Lake and Iceberg. Their folders also contain files that the table has removed, so only the snapshot
that the log of the table names has its rows."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from typing import Any

from ._errors import printable, refusal

#: The library that reads each kind of table.
_LIBRARIES = {"Delta": "deltalake", "Iceberg": "pyiceberg"}


def lake_at(folder: str) -> str | None:
    """Returns the kind of the table in a folder: ``Delta``, ``Iceberg``, or None."""
    if os.path.isdir(os.path.join(folder, "_delta_log")):
        return "Delta"
    if glob.glob(os.path.join(glob.escape(folder), "metadata", "*.metadata.json*")):
        return "Iceberg"
    return None


def lake_around(path: str) -> tuple[str, str] | None:
    """Returns the kind and the folder of the table that a file or a folder belongs to."""
    folder = os.path.abspath(path)
    while True:
        kind = lake_at(folder)
        if kind is not None:
            return kind, folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def refuse_parts(paths: Iterable[str]) -> None:
    """Raises :class:`assay.AssayError` for files and folders inside a Delta or Iceberg table."""
    folders = (path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths))
    for folder in dict.fromkeys(folders):
        around = lake_around(folder)
        if around is not None:
            kind, table = around
            raise refusal(
                "input",
                f"{printable(folder)} is part of the {kind} table {printable(table)}, which may have removed some of "
                "its files",
                f"clean the snapshot of the table: rules.clean_dataset({table!r}, …)",
            )


def opened_lake(folder: str) -> Any:
    """Opens the current snapshot of a table: a dataset of pyarrow, or for Iceberg a table of pyiceberg.

    Raises :class:`assay.AssayError` if the library is missing or cannot read the table.
    """
    kind = lake_at(folder)
    assert kind is not None, f"{folder} is no table"
    try:
        return _delta(folder) if kind == "Delta" else _iceberg(folder)
    except ImportError as error:
        raise refusal(
            "input",
            f"{printable(folder)} is a {kind} table, whose folder may contain files that the table has removed",
            f"pip install {_LIBRARIES[kind]}, which reads its snapshot ({error})",
        ) from None


def _delta(folder: str) -> Any:
    import deltalake
    import deltalake.exceptions

    try:
        return deltalake.DeltaTable(folder).to_pyarrow_dataset()
    except deltalake.exceptions.DeltaError as error:
        raise _unreadable(folder, "Delta", error) from None


def _iceberg(folder: str) -> Any:
    from pyiceberg.table import StaticTable

    return StaticTable.from_metadata(_current_metadata(folder))


def _current_metadata(folder: str) -> str:
    """Returns the metadata file of the current snapshot. The catalog of a table knows it. Without the catalog, it is
    the version in ``version-hint.text``, or the highest one, if only one file has this version."""
    metadata = os.path.join(folder, "metadata")
    versions: dict[int, list[str]] = {}
    for path in glob.glob(os.path.join(glob.escape(metadata), "*.metadata.json*")):
        number = re.match(r"v?(\d+)", os.path.basename(path))
        versions.setdefault(int(number[1]) if number else -1, []).append(path)
    current = max(versions)
    try:
        with open(os.path.join(metadata, "version-hint.text"), encoding="utf-8") as file:
            current = int(file.read().strip())
    except (OSError, ValueError):
        pass
    found = versions.get(current, [])
    if len(found) != 1:
        raise refusal(
            "input",
            f"{printable(folder)} has {len(found) or 'no'} metadata files of version {current}, and only the catalog "
            "of the table knows the current one",
            "load the table from its catalog with pyiceberg, and clean it: rules.clean_dataset(table, …)",
        )
    return found[0]


def is_iceberg(source: Any) -> bool:
    """Whether an object is a table of pyiceberg."""
    return any(base.__module__ == "pyiceberg.table" and base.__name__ == "Table" for base in type(source).__mro__)


def is_delta(source: Any) -> bool:
    """Whether an object is a table of deltalake."""
    return type(source).__module__.partition(".")[0] == "deltalake" and hasattr(source, "to_pyarrow_dataset")


def _unreadable(folder: str, kind: str, error: Exception) -> Exception:
    detail = printable(" ".join(str(error).split()))
    return refusal("input", f"cannot read the {kind} table {printable(folder)}: {detail}")
