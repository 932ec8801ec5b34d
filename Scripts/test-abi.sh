#!/bin/sh
# The tests of libassay with the test build: its archive is linked to a shared library, and Tests/LibassayTests run with
# it. Scripts/test-libassay.sh tests the released library, installed and under memcheck.
#
#   sh Scripts/test-abi.sh        after `make build-tests`
set -eu
cd "$(dirname "$0")/.."
[ "$(uname -s)" = Linux ] || { echo "skipped: the tests of libassay, which link as on Linux"; exit 0; }
archive=.build/tests/release/libAssayABI.a
[ -f "$archive" ] || { echo "test-abi: there is no $archive: run make build-tests" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
CC=${CC:-cc}

resources=$(swiftc -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)".*$/\1/p')/linux
# shellcheck disable=SC2046 # the lists of flags are meant to be split
$CC -shared -o "$work/libassay.so" "$resources/$(uname -m)/swiftrt.o" \
    -Wl,--whole-archive "$archive" -Wl,--no-whole-archive \
    -L"$resources" -Wl,-rpath,"$resources" $(swift-autolink-extract "$archive" -o /dev/stdout | grep '^-l' | sort -u) \
    $(pkg-config --libs libpcre2-8 yaml-0.1 libzstd uchardet) -lstdc++

export ASSAY_ESCAPES="$work/escapes"
python3 Tests/Escapes/escapes.py "$ASSAY_ESCAPES"

python3 Tests/LibassayTests/growth.py "$work/growth"
for header in larger smaller; do
    $CC -std=c11 -g -Wall -Wextra -Wpedantic -Werror Tests/LibassayTests/growth.c -I"$work/growth/$header" \
        -L"$work" -lassay -Wl,-rpath,"$work" -Wl,-rpath-link,"$resources" -o "$work/growth-$header"
    "$work/growth-$header" "$work"
done

for source in Tests/LibassayTests/test_*.c; do
    name=$(basename "$source" .c)
    # Fewer random structures, numbers, forks and rounds than in test-libassay, which takes the default.
    case $name in
    test_arrow_random) few=2000 ;;
    test_numbers) few=1 ;;
    test_fork) few=60 ;;
    test_threads) few=3 ;;
    *) few="" ;;
    esac
    $CC -std=c11 -g -Wall -Wextra -Wpedantic -Werror "$source" -ISources/CAssayABI -L"$work" -lassay -lpthread \
        -Wl,-rpath,"$work" -Wl,-rpath-link,"$resources" -o "$work/$name"
    start=$(date +%s%N)
    # shellcheck disable=SC2086
    "$work/$name" "$work" $few
    echo "seconds $(echo "$start $(date +%s%N)" | awk '{ printf "%.2f", ($2 - $1) / 1e9 }')  $name"
done
