#!/bin/sh
# Makes the release of `make dist` again, of the same commit in another folder, and compares all of it byte by byte.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)
out=$PWD/build/dist/$version
[ -f "$out/SHA256SUMS" ] || { echo "again: run 'make dist' first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
there=$work/another/folder
git clone --quiet --no-checkout . "$there"
git -C "$there" checkout --quiet --detach "$(cat build/dist/commit)"
# What was fetched need not be fetched again.
mkdir -p "$there/.build" "$there/build/dist/link"
cp -R .build/repositories .build/checkouts .build/workspace-state.json "$there/.build/"
cp Package.resolved "$there/"
cp -R build/dist/python-build "$there/build/dist/"
cp -R build/dist/link/isal "$there/build/dist/link/"
make -C "$there" dist >"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
if cmp "$out/SHA256SUMS" "$there/build/dist/$version/SHA256SUMS"; then
    echo "ok: the release is the same bytes, built in another folder"
else
    diff "$out/SHA256SUMS" "$there/build/dist/$version/SHA256SUMS" || true
    exit 1
fi
