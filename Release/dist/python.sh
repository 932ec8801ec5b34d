#!/bin/sh
# Builds the Python package of a release: a source distribution, and from it a wheel that includes libassay.
#
#   sh Release/dist/python.sh COMMIT LIBASSAY OUTPUT
#
# SOURCE_DATE_EPOCH must be set. Needs the network the first time.
#
# Builds a copy of the commit in a separate folder, because setuptools would also pack old files in Python/build.
set -eu
# Set the umask, because a wheel records the modes of its files.
umask 022
commit=$1 out=$3
libassay=$(cd "$2" && pwd)
tools=build/dist/python-build work=build/dist/python
if ! [ -x "$tools/bin/python" ] || ! cmp -s Release/dist/python-build.txt "$tools/made-of"; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes \
        -r Release/dist/python-build.txt
    cp Release/dist/python-build.txt "$tools/made-of"
fi
rm -rf "$work"
mkdir -p "$work/sources" "$work/packages"
git -c tar.umask=0002 archive --format=tar --output="$work/sources.tar" "$commit" \
    Python Package.swift LICENSE THIRD-PARTY-NOTICES.txt vendor-notes.md Sources Scripts
tar -xf "$work/sources.tar" -C "$work/sources" --no-same-owner
# Without --wheel and --sdist, build makes the wheel from the source distribution.
ASSAY_LIBASSAY=$libassay "$tools/bin/python" -m build --no-isolation --outdir "$work/packages" "$work/sources/Python" \
    >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }
cp "$work/packages"/assay-*.whl "$out/"
# Repack the source distribution, because setuptools records the owner and times of its files.
tar -xzf "$work/packages"/assay-*.tar.gz -C "$work" --no-same-owner
for folder in "$work"/assay-*; do python3 Release/dist/archive.py "$folder" "$out/${folder##*/}.tar.gz"; done
