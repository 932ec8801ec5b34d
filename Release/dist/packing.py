"""Reproducible archives: equal folders produce equal bytes at any time and on any machine."""

import gzip
import io
import os
import tarfile
from pathlib import Path


def epoch() -> int:
    """Returns the time of all files in archives: SOURCE_DATE_EPOCH, which Release/dist/dist.sh sets to the commit's
    time."""
    return int(os.environ["SOURCE_DATE_EPOCH"])


def tar(folder: Path, prefix: str = "") -> bytes:
    """Packs a folder as a tar file, in name order and owned by root. Uses only two modes, except for folders like
    /tmp."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            name = (Path(prefix) / path.relative_to(folder)).as_posix()
            entry = archive.gettarinfo(path, name)
            entry.mtime = epoch()
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            if entry.isreg():
                entry.mode = 0o755 if entry.mode & 0o100 else 0o644
                with path.open("rb") as file:
                    archive.addfile(entry, file)
            else:
                entry.mode = 0o1777 if entry.mode & 0o1000 else 0o777 if entry.issym() else 0o755
                archive.addfile(entry)
    return out.getvalue()


def packed(data: bytes) -> bytes:
    """Compresses data as gzip without a name and a time."""
    return gzip.compress(data, compresslevel=9, mtime=0)
