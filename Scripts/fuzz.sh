#!/bin/sh
# Builds the fuzzers with clang and runs each of them for so many seconds.
#
#   sh Scripts/fuzz.sh SECONDS [NAME…]       NAME as in Tests/Fuzz: fuzz_scan, fuzz_rules …; default: all
#
# Those of the C core run under the address and undefined-behaviour sanitizers. Those of Tests/Fuzz/libassay reach what is written in
# Swift: a debug build of libassay in which libFuzzer sees what is run, and each overflow or index out of range ends the process.
# What they have learned stays in build/fuzz, and what they find in build/fuzz/NAME.found.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
export CC="${CC:-clang}"
command -v "$CC" >/dev/null || { echo "fuzz: needs clang" >&2; exit 1; }
cmake -S . -B build/fuzz -DASSAY_FUZZERS=ON -DASSAY_SANITIZE="address;undefined" -DBUILD_TESTING=OFF >/dev/null
cmake --build build/fuzz --parallel >/dev/null

scratch=build/fuzz-swift
swift build --scratch-path "$scratch" --product AssayABI -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link \
    >build/fuzz-swift.log 2>&1 || { tail -40 build/fuzz-swift.log; exit 1; }
archive=$(swift build --scratch-path "$scratch" --show-bin-path)/libAssayABI.a
for source in Tests/Fuzz/libassay/fuzz_*.c; do
    name=$(basename "$source" .c)
    "$CC" -std=c11 -O1 -g -fsanitize=fuzzer-no-link -ISources/CAssayABI -c "$source" -o "build/fuzz/$name.o"
    # shellcheck disable=SC2046 # flags
    swiftc -sanitize=fuzzer "build/fuzz/$name.o" -Xlinker --whole-archive "$archive" -Xlinker --no-whole-archive \
        $(pkg-config --libs libpcre2-8 yaml-0.1 libzstd uchardet) -lutf8proc -o "build/fuzz/$name"
done

for source in Tests/Fuzz/fuzz_*.c Tests/Fuzz/libassay/fuzz_*.c; do
    name=$(basename "$source" .c)
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    mkdir -p "build/fuzz/$name.found" "build/fuzz/$name.corpus"
    seeds=Tests/Fuzz/seeds/$name
    [ -d "$seeds" ] || seeds=""
    dictionary=""
    [ ! -f "Tests/Fuzz/seeds/$name.dict" ] || dictionary="-dict=Tests/Fuzz/seeds/$name.dict"
    echo "$name: $seconds s"
    # shellcheck disable=SC2086 # nothing where there are none
    "build/fuzz/$name" -max_total_time="$seconds" -timeout=20 -print_final_stats=1 $dictionary \
        -artifact_prefix="build/fuzz/$name.found/" "build/fuzz/$name.corpus" $seeds \
        >"build/fuzz/$name.log" 2>&1 || { tail -40 "build/fuzz/$name.log"; exit 1; }
    grep -E 'stat::number_of_executed_units|stat::peak_rss_mb' "build/fuzz/$name.log"
done
