"""Archives that come out the same, byte for byte, whenever and wherever they are packed."""

import gzip
import io
import os
import tarfile
from pathlib import Path


def epoch() -> int:
    """The time that every file in an archive has: SOURCE_DATE_EPOCH, which Release/dist/dist.sh sets to that of the commit."""
    return int(os.environ["SOURCE_DATE_EPOCH"])


def tar(folder: Path, prefix: str = "") -> bytes:
    """All of a folder: in the order of the names, owned by root, with two modes only, except for folders like /tmp."""
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
    """As a gzip file without a name and a time."""
    return gzip.compress(data, compresslevel=9, mtime=0)
