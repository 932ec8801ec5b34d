#!/bin/sh
# Builds the fuzzers with clang and runs each for SECONDS.
#
#   sh Scripts/fuzz.sh SECONDS [NAME…]       NAME as in Tests/Fuzz: fuzz_scan, fuzz_rules …; default: all
#
# All fuzzers use the address sanitizer; the C code also uses the undefined-behaviour sanitizer. The fuzzers in
# Tests/Fuzz/swift test the Swift code through libassay or its modules: libFuzzer measures coverage, and an overflow or
# an index out of range ends the process. They are optimized, which keeps these checks and multiplies the inputs per
# second. The corpora are in build/fuzz, and failing inputs in build/fuzz/NAME.found.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
export CC="${CC:-clang}"
command -v "$CC" >/dev/null || { echo "fuzz: needs clang" >&2; exit 1; }
pkg-config --exists zlib || { echo "fuzz: needs zlib: apt-get install zlib1g-dev" >&2; exit 1; }
mkdir -p build
cmake -S . -B build/fuzz -DASSAY_FUZZERS=ON -DASSAY_WERROR=ON -DASSAY_SANITIZE="address;undefined" \
    -DBUILD_TESTING=OFF >/dev/null
cmake --build build/fuzz --parallel "$(getconf _NPROCESSORS_ONLN)" >build/fuzz-core.log 2>&1 ||
    { tail -40 build/fuzz-core.log; exit 1; }

scratch=build/fuzz-swift
swift build -c release --scratch-path "$scratch" --product AssayABI \
    -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=fuzzer-no-link,address,undefined -Xcc -fno-sanitize-recover=all \
    >build/fuzz-swift.log 2>&1 || { tail -40 build/fuzz-swift.log; exit 1; }
products=$(swift build -c release --scratch-path "$scratch" --show-bin-path)
# Modules of one package share its name, which SwiftPM takes from the folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' _)
modules=""
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap; do
    modules="$modules -Xcc -fmodule-map-file=$map"
done
swift_names=$(for source in Tests/Fuzz/swift/fuzz_*; do basename "${source%.*}"; done | sort -u)
for name in $swift_names; do
    objects="" source=Tests/Fuzz/swift/$name
    if [ -f "$source.c" ]; then
        "$CC" -std=c11 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
            -ISources/CAssayABI -c "$source.c" -o "build/fuzz/$name.c.o"
        objects=build/fuzz/$name.c.o
    fi
    if [ -f "$source.swift" ]; then
        # shellcheck disable=SC2086 # flags
        swiftc -c -O -g -parse-as-library -sanitize=fuzzer,address -module-name "$name" -package-name "$package" \
            -I "$products/Modules" $modules "$source.swift" -o "build/fuzz/$name.swift.o"
        objects="$objects build/fuzz/$name.swift.o"
    fi
    # shellcheck disable=SC2046,SC2086 # flags, and a list
    swiftc -sanitize=fuzzer,address $objects \
        -Xlinker --whole-archive "$products/libAssayABI.a" -Xlinker --no-whole-archive \
        $(pkg-config --libs libpcre2-8 yaml-0.1 libzstd uchardet zlib) -o "build/fuzz/$name" \
        >"build/fuzz/$name.link.log" 2>&1 || { tail -40 "build/fuzz/$name.link.log"; exit 1; }
done

core_names=$(for source in Tests/Fuzz/fuzz_*.c; do basename "$source" .c; done)
failed=""
for name in $core_names $swift_names; do
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    mkdir -p "build/fuzz/$name.found" "build/fuzz/$name.corpus"
    seeds=""
    if [ -f "Tests/Fuzz/seeds/$name.tar.gz" ]; then
        seeds=build/fuzz/$name.seeds
        rm -rf "$seeds"
        mkdir "$seeds"
        tar -xzf "Tests/Fuzz/seeds/$name.tar.gz" -C "$seeds"
    fi
    dictionary=""
    [ ! -f "Tests/Fuzz/seeds/$name.dict" ] || dictionary="-dict=Tests/Fuzz/seeds/$name.dict"
    # A high timeout, because the search of `rules lint` takes seconds with sanitizers, and longer on a busy machine.
    echo "$name: $seconds s"
    # shellcheck disable=SC2086 # may be empty
    SWIFT_BACKTRACE=enable=no "build/fuzz/$name" -max_total_time="$seconds" -timeout=120 \
        -print_final_stats=1 $dictionary \
        -artifact_prefix="build/fuzz/$name.found/" "build/fuzz/$name.corpus" $seeds \
        >"build/fuzz/$name.log" 2>&1 || { tail -40 "build/fuzz/$name.log"; failed="$failed $name"; }
    grep -E 'stat::number_of_executed_units|stat::peak_rss_mb' "build/fuzz/$name.log" || true
done
[ -z "$failed" ] || { echo "fuzz: found something:$failed" >&2; exit 1; }
