"""Packs the Debian packages: the command, libassay, the C core, and the development packages of both libraries.

    python3 Release/dist/debs.py VERSION STAGED-COMMAND STAGED-LIBASSAY STAGED-CORE OUTPUT-FOLDER

All folders have the installed layout: bin, lib, include, share. dpkg-deb builds the packages with SOURCE_DATE_EPOCH.
"""

import email.utils
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import packing

MAINTAINER = os.environ.get("ASSAY_MAINTAINER", "The authors of Assay <assay@example.org>")
# The oldest sufficient versions, which test.sh checks.
COMMAND_NEEDS = "libc6 (>= 2.34)"
LIBRARY_NEEDS = "libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11)"
CORE_NEEDS = "libc6 (>= 2.34), libpcre2-8-0 (>= 10.42)"


def build(out: Path, root: Path, name: str, version: str, fields: dict[str, str], extra: dict[str, str]) -> None:
    documents = root / "usr/share/doc" / name
    documents.mkdir(parents=True, exist_ok=True)
    shutil.copyfile("Release/dist/copyright", documents / "copyright")
    changes = (
        f"{name} ({version}) unstable; urgency=medium\n\n  * Version {version}: see CHANGELOG.md.gz.\n\n"
        f" -- {MAINTAINER}  {email.utils.formatdate(packing.epoch())}\n"
    )
    (documents / "changelog.gz").write_bytes(packing.packed(changes.encode()))
    (documents / "CHANGELOG.md").unlink(missing_ok=True)
    (documents / "CHANGELOG.md.gz").write_bytes(packing.packed(Path("CHANGELOG.md").read_bytes()))
    size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file() and not file.is_symlink())
    control = {
        "Package": name,
        "Version": version,
        "Architecture": "amd64",
        "Maintainer": MAINTAINER,
        "Installed-Size": str((size + 1023) // 1024),
        "Homepage": os.environ["ASSAY_HOMEPAGE"],
        **fields,
    }
    # The checksums for `dpkg --verify`.
    files = sorted(file for file in root.rglob("*") if file.is_file() and not file.is_symlink())
    extra = {
        "md5sums": "".join(f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(root)}\n"
                           for file in files),
        **extra,
    }
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text("".join(f"{key}: {value}\n" for key, value in control.items()))
    for file, text in extra.items():
        (root / "DEBIAN" / file).write_text(text)
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            is_executable = path.is_dir() or path.parent.name == "bin"
            path.chmod(0o755 if is_executable else 0o644)
    target = out / f"{name}_{version}_amd64.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, target], check=True,
                   stdout=subprocess.DEVNULL)
    print(target)


def command(out: Path, work: Path, version: str, staged: Path) -> None:
    root = work / "assay"
    shutil.copytree(staged, root / "usr", symlinks=True)
    for page in (root / "usr/share/man").rglob("*.1"):
        page.with_name(page.name + ".gz").write_bytes(packing.packed(page.read_bytes()))
        page.unlink()
    fields = {
        "Section": "utils",
        "Priority": "optional",
        "Depends": COMMAND_NEEDS,
        "Recommends": "tzdata",
        "Suggests": "libc-gconv-modules-extra",
        "Description": "check exports against rules and split the good rows from the bad ones\n"
        " Assay checks every value of a CSV or JSON Lines file against rules and writes\n"
        " good and bad rows to files of their own, byte for byte, with the reasons.",
    }
    build(out, root, "assay", version, fields, {})


def library(out: Path, work: Path, version: str, staged: Path) -> None:
    shared = next(path for path in sorted((staged / "lib").glob("libassay.so.*")) if not path.is_symlink())
    number = shared.name.removeprefix("libassay.so.")
    name = f"libassay{number}"
    root = work / name
    (root / "usr/lib").mkdir(parents=True)
    shutil.copy(shared, root / "usr/lib")
    shutil.copytree(staged / "share/doc/libassay", root / "usr/share/doc" / name / "licences")
    fields = {
        "Section": "libs",
        "Priority": "optional",
        "Depends": LIBRARY_NEEDS,
        "Recommends": "tzdata",
        "Description": "validation engine: rule files, tables, Arrow and CSV\n"
        " The library of Assay for C and other languages.",
    }
    extra = {"shlibs": f"libassay {number} {name} (>= {version})\n", "triggers": "activate-noawait ldconfig\n"}
    build(out, root, name, version, fields, extra)

    root = work / "libassay-dev"
    for folder in ("include", "lib", "share/assay"):
        shutil.copytree(staged / folder, root / "usr" / folder, symlinks=True)
    (root / "usr/lib" / shared.name).unlink()
    fields = {
        "Section": "libdevel",
        "Priority": "optional",
        "Depends": f"{name} (= {version})",
        "Description": "validation engine: headers, archive, pkg-config and CMake files\n"
        " What is needed to build programs with libassay.",
    }
    build(out, root, "libassay-dev", version, fields, {})


def core(out: Path, work: Path, version: str, staged: Path) -> None:
    """Packs the C core, which links to the PCRE2 of the system."""
    link = next(path for path in sorted((staged / "lib").glob("libassay-core.so.*")) if path.is_symlink())
    number = link.name.removeprefix("libassay-core.so.")
    name = f"libassay-core{number}"
    root = work / name
    (root / "usr/lib").mkdir(parents=True)
    for path in (staged / "lib").glob("libassay-core.so.*"):
        shutil.copy(path, root / "usr/lib", follow_symlinks=False)
    licences = root / "usr/share/doc" / name / "licences"
    licences.mkdir(parents=True)
    for document in ("LICENSE", "THIRD-PARTY-NOTICES.txt"):
        shutil.copyfile(document, licences / document)
    fields = {
        "Section": "libs",
        "Priority": "optional",
        "Depends": CORE_NEEDS,
        "Description": "validation engine: patterns, types and columns\n"
        " The C core of Assay, without rule files and tables, which libassay has.",
    }
    extra = {"shlibs": f"libassay-core {number} {name} (>= {version})\n", "triggers": "activate-noawait ldconfig\n"}
    build(out, root, name, version, fields, extra)

    root = work / "libassay-core-dev"
    for folder in ("include", "lib"):
        shutil.copytree(staged / folder, root / "usr" / folder, symlinks=True)
    for path in (root / "usr/lib").glob("libassay-core.so.*"):
        path.unlink()
    fields = {
        "Section": "libdevel",
        "Priority": "optional",
        "Depends": f"{name} (= {version}), libpcre2-dev",
        "Description": "validation engine: headers and archive of the C core\n"
        " What is needed to build programs with libassay-core.",
    }
    build(out, root, "libassay-core-dev", version, fields, {})


def main() -> None:
    version, out = sys.argv[1], Path(sys.argv[5])
    with tempfile.TemporaryDirectory() as folder:
        command(out, Path(folder), version, Path(sys.argv[2]))
        library(out, Path(folder), version, Path(sys.argv[3]))
        core(out, Path(folder), version, Path(sys.argv[4]))


if __name__ == "__main__":
    main()
