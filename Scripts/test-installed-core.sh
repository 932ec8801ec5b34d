#!/bin/sh
# Installs a built C core into a temporary folder and builds the example against it, with pkg-config (shared, static)
# and with CMake's find_package. Uses CC, or the system's compiler.
#
#   sh Scripts/test-installed-core.sh BUILD      BUILD is a folder of CMake, such as build/core
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# The prefix differs from the configured one, because an installed tree must work in any folder.
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# Debian has a folder of libraries per architecture.
libraries=$(dirname "$(find "$work/prefix" -name pkgconfig -type d)")
export PKG_CONFIG_PATH="$libraries/pkgconfig"
cp -r "$root/Examples/c" "$work/example"

cat >"$work/expected" <<'TEXT'
    3  fail       de104233
    4  fail       IT38
    6  fail       
    7  fail       PT000001 
7 values: 3 pass, 4 fail, 0 undecided
TEXT

# Runs the given program and compares its output with the table above. $1: the name of the test.
check() {
    name=$1
    shift
    status=0
    "$@" >"$work/found" || status=$?
    if [ "$status" -ne 1 ] || ! diff -u "$work/expected" "$work/found"; then
        echo "failed: $name (exit status $status)" >&2
        exit 1
    fi
    echo "ok: $name"
}

make -s -C "$work/example"
check "pkg-config, shared" env LD_LIBRARY_PATH="$libraries" "$work/example/validate_column"

make -s -C "$work/example" clean
make -s -C "$work/example" STATIC=1
check "pkg-config, static" "$work/example/validate_column"

mkdir "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.20)
project(consumer C)
find_package(assay-core REQUIRED)
foreach(kind static shared)
    add_executable(validate_\${kind} "$work/example/validate_column.c")
    target_link_libraries(validate_\${kind} PRIVATE assay::\${kind})
endforeach()
TEXT
cmake -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/consumer/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
check "find_package, static" "$work/consumer/build/validate_static"
check "find_package, shared" "$work/consumer/build/validate_shared"

# As a part of another project, the core adds its libraries, and no tests. Warnings are not errors.
mkdir "$work/part"
cat >"$work/part/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.20)
project(consumer C)
include(CTest)
add_subdirectory("$root" core EXCLUDE_FROM_ALL)
add_executable(validate_part "$work/example/validate_column.c")
target_link_libraries(validate_part PRIVATE assay::static)
TEXT
cmake -S "$work/part" -B "$work/part/build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
commands=$work/part/build/compile_commands.json
if ctest --test-dir "$work/part/build" -N | grep -q 'Test *#' || grep -q -- -Werror "$commands"; then
    echo "failed: add_subdirectory adds tests or -Werror" >&2
    exit 1
fi
grep -q validate_column.c "$commands" || { echo "failed: add_subdirectory" >&2; exit 1; }
echo "ok: add_subdirectory"

# Each header must compile alone, as C and as C++.
for header in "$work"/prefix/include/assay/*.h; do
    strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I$work/prefix/include"
    # shellcheck disable=SC2086 # flags
    echo "#include <assay/${header##*/}>" | ${CC:-cc} -std=c11 $strict -x c - &&
        echo "#include <assay/${header##*/}>" | ${CXX:-c++} -std=c++17 $strict -x c++ - ||
            { echo "failed: ${header##*/}" >&2; exit 1; }
done
echo "ok: each header by itself, C11 and C++17"

if [ "$(uname -s)" != Linux ]; then
    echo "skipped: exported symbols, which are looked at on Linux"
    exit 0
fi
exports=$(nm -D --defined-only "$libraries/libassay-core.so" | awk '{ print $3 }')
if echo "$exports" | grep -v '^assay_'; then
    echo "failed: symbols above are exported" >&2
    exit 1
fi
for name in $(grep -ho '^ASSAY_API [^;]*' "$root"/Sources/CAssay/include/assay/*.h |
    grep -o 'assay_[a-z0-9_]*(' | tr -d '('); do
    echo "$exports" | grep -qx "$name" || { echo "failed: $name is declared but not exported" >&2; exit 1; }
done
echo "ok: exported symbols"
sh "$root/Scripts/check-hardening.sh" "$libraries/libassay-core.so"
echo "ok: read-only after loading"
