#!/bin/sh
# Adds inputs to the seeds of a fuzzer. The seeds are one archive per fuzzer, because thousands of small files slow down
# every clone.
#
#   sh Tests/Fuzz/seeds/add.sh NAME FILE…        such as fuzz_json build/fuzz/fuzz_json.found/crash-…
#
# Each input is named by its SHA-1, as libFuzzer names them. The archive depends only on its inputs: no times and no
# owners.
set -eu
name=$1
shift
archive=$(cd "$(dirname "$0")" && pwd)/$name.tar.gz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ ! -f "$archive" ] || tar -xzf "$archive" -C "$work"
for file; do cp "$file" "$work/$(sha1sum <"$file" | cut -d ' ' -f 1)"; done
ls "$work" >"$work.list"
trap 'rm -rf "$work" "$work.list" "$work.tar"' EXIT
tar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cf "$work.tar" -C "$work" -T "$work.list"
gzip -9n <"$work.tar" >"$archive"
echo "$archive: $(wc -l <"$work.list") seeds"
