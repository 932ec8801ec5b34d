#!/bin/sh
# Builds the fuzzers of the C core with clang and runs each of them for so many seconds.
#
#   sh Scripts/fuzz.sh SECONDS
set -eu
cd "$(dirname "$0")/.."
seconds=$1
command -v "${CC:-clang}" >/dev/null || { echo "fuzz: needs clang" >&2; exit 1; }
CC=${CC:-clang} cmake -S . -B build/fuzz -DASSAY_FUZZERS=ON -DASSAY_SANITIZE="address;undefined" -DBUILD_TESTING=OFF >/dev/null
cmake --build build/fuzz --parallel >/dev/null
for source in Tests/Fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    mkdir -p "build/fuzz/$name.found" "build/fuzz/$name.corpus"
    echo "$name: $seconds s"
    "build/fuzz/$name" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="build/fuzz/$name.found/" \
        "build/fuzz/$name.corpus" >"build/fuzz/$name.log" 2>&1 || { tail -40 "build/fuzz/$name.log"; exit 1; }
    grep -E 'stat::number_of_executed_units|stat::peak_rss_mb' "build/fuzz/$name.log"
done
