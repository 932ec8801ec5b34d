"""The input files of a cleaning run, and the names of its outputs."""

from __future__ import annotations

import glob
import itertools
import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from ._errors import printable, refusal
from ._lakes import lake_at, refuse_parts

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
#: A path, a pattern such as ``part-*.parquet``, or an iterable of paths.
Paths = Path | Iterable[Path]

PARQUET = (".parquet", ".parq", ".pq")
#: Extensions of formats with other readers. libassay detects the format of all other files from their content.
_FOREIGN = {
    ".arrow": "pyarrow.ipc.open_file",
    ".avro": "polars.read_avro",
    ".feather": "pyarrow.feather.read_table",
    ".ods": "polars.read_ods",
    ".orc": "pyarrow.orc.read_table",
    ".xls": "pandas.read_excel",
    ".xlsb": "pandas.read_excel",
    ".xlsm": "pandas.read_excel",
    ".xlsx": "pandas.read_excel",
}


class Inputs(NamedTuple):
    """The files of one table, in row order."""

    #: The argument as the caller wrote it.
    name: str
    paths: list[str]
    #: The folder and the stem of the output names; None: the argument suggests no stem.
    folder: str
    stem: str | None

    @property
    def are_parquet(self) -> bool:
        return self.ending.lower() in PARQUET

    @property
    def ending(self) -> str:
        """The extension with its compression suffix, such as ``.csv.gz``. The suffix selects the compression of
        outputs."""
        return _split(self.paths[0])[1]

    def ending_packed(self, compression: str | None) -> str:
        """Returns the extension of outputs with a compression; None: the compression of the input."""
        if compression is None:
            return self.ending
        if compression not in _COMPRESSIONS:
            raise refusal(
                "argument",
                f"there is no compression {printable(compression)!r}",
                "use gzip or zstd, or leave compress= out",
            )
        stem, packed = os.path.splitext(self.ending)
        plain = stem if packed.lower() in _PACKED else self.ending
        return plain + _COMPRESSIONS[compression]

    def output(self, given: Path | None, usual: str, folder: Path | None) -> str | None:
        """Returns the path of an output, as given or derived from the input; None: the output is omitted."""
        if given is None:
            return None
        path = path_text(given)
        if path:
            return path
        if self.stem is None:
            raise ValueError(
                f"{printable(self.name)} gives the outputs no name: give them one, clean=, rejects=, findings= and "
                f"report= (None: do not write it)"
            )
        return os.path.join(self.folder if folder is None else path_text(folder), self.stem + usual)


#: Compression suffixes.
_COMPRESSIONS = {"gzip": ".gz", "zstd": ".zst", "none": ""}
_PACKED = (".gz", ".gzip", ".bgz", ".zst", ".zstd")


def _split(path: str) -> tuple[str, str]:
    """Splits a path into stem and extension: ``.csv`` or ``.csv.gz``."""
    stem, ending = os.path.splitext(path)
    if ending.lower() not in _PACKED:
        return stem, ending
    stem, inner = os.path.splitext(stem)
    return stem, inner + ending


def inputs_of(given: Paths) -> Inputs:
    """Resolves the argument to one file of any format, or to the Parquet files of one table."""
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes, os.PathLike)):
        return _inputs_in_list(given)
    path = path_text(given)
    if glob.has_magic(path) and not os.path.lexists(path):
        return _inputs_of_pattern(path)
    _refuse_other_kinds(path)
    folder, name = os.path.split(path)
    return Inputs(path, [path], folder, _split(name)[0])


def _inputs_of_pattern(pattern: str) -> Inputs:
    found = sorted(glob.glob(pattern, recursive=True))
    files = [path for path in found if not os.path.isdir(path)]
    if not files:
        for folder in found:
            _refuse_other_kinds(folder)
        raise FileNotFoundError(f"no file is called {printable(pattern)}")
    loop = f"for path in glob.glob({pattern!r}): assay.clean(path, rules)"
    for path in files:
        _refuse_all_but_parquet(path, loop)
    refuse_parts(files)
    return Inputs(pattern, files, *_name_of_many(re.split(r"[*?[]", pattern, maxsplit=1)[0]))


def _inputs_in_list(given: Iterable[Path]) -> Inputs:
    paths = list(map(path_text, given))
    if not paths:
        raise ValueError("there is no path in the list")
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            raise ValueError(f"the input {printable(path)} is named twice: name it once")
        seen.add(path)
    for path in paths:
        if os.path.isdir(path):
            _refuse_other_kinds(path)
        _refuse_all_but_parquet(path, "for path in paths: assay.clean(path, rules)")
    if len(paths) == 1:
        return inputs_of(paths[0])
    refuse_parts(paths)
    return Inputs(", ".join(paths), paths, *_name_of_many(_common_beginning(paths)))


def _common_beginning(texts: list[str]) -> str:
    first, last = min(texts), max(texts)
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last))
    return "".join(pair[0] for pair in same)


def _name_of_many(start: str) -> tuple[str, str | None]:
    """Returns the folder and the stem of the outputs of several files with a common path prefix.

    data/part-000              data, part
    data/users.parquet/        data, users       beside the folder, so that readers of the folder ignore the outputs
    """
    folder, name = os.path.split(start)
    stem = re.sub(r"[-_.= ]*\d*$", "", name)
    if stem:
        return folder, stem
    parent, name = os.path.split(folder)
    stem, ending = os.path.splitext(name)
    if name in ("", ".", ".."):
        return folder, None
    return parent, stem if ending.lower() in PARQUET else name


def _refuse_other_kinds(path: str) -> None:
    if os.path.isdir(path):
        if lake_at(path) is not None:
            refuse_parts([path])
        depth = next(
            ("*" if where == path else "**/*" for where, _, names in os.walk(path) if _has_parquet(names)), "*"
        )
        raise IsADirectoryError(
            f"{printable(path)} is a directory: name its files, "
            f"assay.clean({os.path.join(path, depth + '.parquet')!r}, …)"
        )
    ending = os.path.splitext(path)[1].lower()
    if ending in _FOREIGN:
        raise ValueError(
            f"{printable(path)} is not a Parquet ({', '.join(PARQUET)}) or CSV file: read it with {_FOREIGN[ending]}, "
            f"and check the table with Rules.check"
        )


def _has_parquet(names: list[str]) -> bool:
    return any(name.lower().endswith(PARQUET) for name in names)


def _refuse_all_but_parquet(path: str, loop: str) -> None:
    if os.path.splitext(path)[1].lower() not in PARQUET:
        raise ValueError(
            f"{printable(path)} is not Parquet ({', '.join(PARQUET)}), and only Parquet files are cleaned as one "
            f"table: leave it out, or clean the files one at a time: {loop}"
        )


def path_text(path: Path) -> str:
    """Returns a path as text. Refuses NUL, because it would cut the path for the system, and paths that are not UTF-8,
    because libassay does not accept them."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"no path has a NUL in it: {text!r}")
    try:
        os.fsencode(text).decode()
    except UnicodeError:
        raise ValueError(f"the path {text!r} is not UTF-8, which Assay needs: rename the file or folder") from None
    return text
