#!/bin/sh
# Copies libassay to another folder and uses it there: the examples in C and C++ through pkg-config and CMake, with the
# shared and with the static library; and the tests of Tests/LibassayTests, also under memcheck.
#
#   sh Scripts/test-libassay.sh [--write]      --write records the interface after an intended change
#
# ASSAY_LIBASSAY=FOLDER is a built libassay; default: built here.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
sh Scripts/install-dependencies.sh all
[ "$(uname -s)" = Linux ] || { echo "skipped: the tests of libassay, which read ELF files"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
libassay=${ASSAY_LIBASSAY:-}
if [ -z "$libassay" ]; then
    libassay=build/libassay
    sh Scripts/build-libassay.sh "$libassay" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
# Use a copy in another folder, because an installed tree must work in any folder.
cp -R "$libassay" "$work/prefix"
export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$work/prefix/lib"
CC=${CC:-cc} CXX=${CXX:-c++}
strict="-Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2046,SC2086 # lists are meant to be split, here and below
flags() { pkg-config "$@" libassay; }
same() { # same NAME EXPECTED FOUND
    diff -u "$2" "$3" || { echo "failed: $1" >&2; exit 1; }
    echo "ok: $1"
}

# -- the interface: exported functions, and what abi.c prints
$CC -std=c11 $strict Tests/LibassayTests/abi.c $(flags --cflags) -o "$work/abi"
{
    nm -D --defined-only "$work"/prefix/lib/libassay.so.* | awk '$2 == "T" { sub(/@@.*/, "", $3); print $3 }' | sort -u
    "$work/abi"
} >"$work/abi.txt"
[ "${1:-}" != --write ] || cp "$work/abi.txt" Tests/LibassayTests/abi.txt
same "the interface is what it was (if it is meant to differ: raise ASSAY_ABI_VERSION, then --write)" \
    Tests/LibassayTests/abi.txt "$work/abi.txt"
abi=$(sed -n 's/^ASSAY_ABI_VERSION //p' "$work/abi.txt")
if nm -D --defined-only "$work"/prefix/lib/libassay.so.* | awk '$2 == "T" { print $3 }' | grep -v "@@ASSAY_$abi\$"; then
    echo "failed: the functions above do not have the version ASSAY_$abi" >&2
    exit 1
fi
soname=$(objdump -p "$work"/prefix/lib/libassay.so.* | awk '/SONAME/ { print $2 }')
[ "$soname" = "libassay.so.$abi" ] || { echo "failed: the soname is $soname, and the ABI is $abi" >&2; exit 1; }
echo "ok: functions and soname have the number of the interface"
for library in $(objdump -p "$work"/prefix/lib/libassay.so.* | awk '/NEEDED/ { print $2 }'); do
    case $library in
    libc.* | libm.* | libgcc_s.* | libstdc++.* | ld-linux* | libdl.* | libpthread.*) ;;
    *) echo "failed: libassay needs $library" >&2; exit 1 ;;
    esac
done
echo "ok: self-contained"
sh Scripts/check-hardening.sh "$work"/prefix/lib/libassay.so.*
if readelf -SW "$work"/prefix/lib/libassay.so.* | grep -E '\] \.rodata +PROGBITS .* WA'; then
    echo "failed: the constants of libassay are writable: see Scripts/libassay/rodata.ld" >&2
    exit 1
fi
echo "ok: read-only after loading"
# The required versions of the system's libraries must be those in the documents. glibc 2.34 is required because
# pthread_*, sem_* and dl* moved into libc there. A build on a newer system may require more.
for newest in GLIBC_2.34 GLIBCXX_3.4.29 CXXABI_1.3.13; do
    found=$(objdump -p "$work"/prefix/lib/libassay.so.* | grep -oE "\\b${newest%%_*}_[0-9.]+" | sort -Vu | tail -n 1)
    if [ "$(printf '%s\n%s\n' "$found" "$newest" | sort -V | tail -n 1)" != "$newest" ]; then
        echo "failed: libassay needs $found, and Docs/embedding.md says $newest" >&2
        objdump -T "$work"/prefix/lib/libassay.so.* | grep -F "$found" >&2
        exit 1
    fi
done
echo "ok: glibc 2.34"

# -- the examples
cat >"$work/rules.yaml" <<'TEXT'
fields:
  - {name: id, type: integer, constraints: {required: true, unique: true}}
  - {name: email, format: email, constraints: {required: true}}
rows:
  - {id: short, check: size(email) > 16 + id, message: has a short address, severity: warn}
TEXT
cat >"$work/table.txt" <<'TEXT'
record 1: has a short address (short)
record 2: email is not an e-mail address: there is no @ (email.format)
record 3: email is missing (email.required)
record 4: id is not an integer (id.type)
id.type        1
email.required 1
email.format   1
short          1
4 records: 1 clean, 3 rejected
TEXT
cat >"$work/arrow.txt" <<'TEXT'
DE104233  matches
de104233  does not
FR200917  matches
IT38  does not
TEXT
examples() { # examples NAME DIRECTORY: runs the three programs of a directory, which must report findings
    status=0
    "$2/check_table" "$work/rules.yaml" >"$work/found" || status=$?
    [ $status -eq 1 ] || { echo "failed: $1, exit status $status" >&2; exit 1; }
    same "$1, C" "$work/table.txt" "$work/found"
    "$2/check_table_cpp" "$work/rules.yaml" >"$work/found" || status=$?
    [ $status -eq 1 ] || { echo "failed: $1, exit status $status" >&2; exit 1; }
    same "$1, C++ header" "$work/table.txt" "$work/found"
    "$2/check_arrow" >"$work/found" || status=$?
    [ $status -eq 1 ] || { echo "failed: $1, exit status $status" >&2; exit 1; }
    same "$1, C++" "$work/arrow.txt" "$work/found"
}
$CC -std=c11 $strict Examples/c/check_table.c $(flags --cflags --libs) -o "$work/check_table"
$CXX -std=c++17 $strict Examples/cpp/check_arrow.cpp $(flags --cflags --libs) -o "$work/check_arrow"
$CXX -std=c++17 $strict Examples/cpp/check_table.cpp $(flags --cflags --libs) -o "$work/check_table_cpp"
examples "pkg-config, shared" "$work"

rm "$work/check_table" "$work/check_arrow" "$work/check_table_cpp"
static=$(pkg-config --cflags --libs libassay-static)
$CC -std=c11 $strict Examples/c/check_table.c $static -o "$work/check_table"
$CXX -std=c++17 $strict Examples/cpp/check_arrow.cpp $static -o "$work/check_arrow"
$CXX -std=c++17 $strict Examples/cpp/check_table.cpp $static -o "$work/check_table_cpp"
LD_LIBRARY_PATH="" examples "pkg-config, static" "$work"
if nm -g --defined-only "$work/prefix/lib/libassay.a" | awk 'NF == 3 { print $3 }' | grep -v '^assay_'; then
    echo "failed: libassay.a shows the symbols above" >&2
    exit 1
fi
echo "ok: the archive shows only assay_*"

mkdir "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.20)
project(consumer C CXX)
find_package(assay REQUIRED)
set(CMAKE_CXX_STANDARD 17)
add_executable(check_table "$root/Examples/c/check_table.c")
add_executable(check_arrow "$root/Examples/cpp/check_arrow.cpp")
add_executable(check_table_cpp "$root/Examples/cpp/check_table.cpp")
target_link_libraries(check_table PRIVATE assay::assay)
target_link_libraries(check_arrow PRIVATE assay::assay-static)
target_link_libraries(check_table_cpp PRIVATE assay::assay-static)
TEXT
cmake -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/consumer/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
examples "find_package" "$work/consumer/build"

# -- the C++ header
for standard in 17 20; do
    $CXX -std=c++$standard -g $strict Tests/LibassayTests/test_cpp.cpp $(flags --cflags --libs) -o "$work/test_cpp"
    "$work/test_cpp" "$work"
    echo "ok: C++$standard"
done

# -- the tests
export ASSAY_ESCAPES="$work/escapes"
python3 Tests/Escapes/escapes.py "$ASSAY_ESCAPES"

for source in Tests/LibassayTests/test_*.c; do
    name=$(basename "$source" .c)
    $CC -std=c11 -g $strict "$source" $(flags --cflags --libs) -lpthread -o "$work/$name"
    "$work/$name" "$work"
    echo "ok: $name"
done

python3 Tests/LibassayTests/growth.py "$work/growth"
for header in larger smaller; do
    $CC -std=c11 -g $strict Tests/LibassayTests/growth.c -I"$work/growth/$header" $(flags --libs) \
        -o "$work/growth-$header"
    "$work/growth-$header" "$work"
    echo "ok: a program with $header structures"
done

$CC -std=c11 -g $strict Tests/LibassayTests/unload.c -ldl -lpthread -o "$work/unload"
"$work/unload" "$work/prefix/lib/libassay.so"
echo "ok: loaded and closed by threads"

# -- a program with the thread sanitizer, which does not see the atomic operations of the library
echo 'int main(void) { return 0; }' >"$work/empty.c"
if $CC -fsanitize=thread "$work/empty.c" -o "$work/empty" 2>/dev/null && "$work/empty" 2>/dev/null; then
    $CC -std=c11 -g -fsanitize=thread $strict Tests/LibassayTests/test_threads.c $(flags --cflags --libs) \
        -lpthread -o "$work/test_threads_tsan"
    TSAN_OPTIONS="suppressions=$work/prefix/share/assay/tsan.supp" "$work/test_threads_tsan" "$work"
    echo "ok: thread sanitizer"
else
    echo "skipped: the thread sanitizer, which $CC does not have here"
fi

# -- and once more under memcheck, without JIT
command -v valgrind >/dev/null || { echo "skipped: memcheck; valgrind is not installed"; exit 0; }
for source in Tests/LibassayTests/test_*.c; do
    name=$(basename "$source" .c)
    case $name in test_arrow_random) few=2000 ;; test_numbers) few=1 ;; test_fork) few=10 ;; *) few="" ;; esac
    $CC -std=c11 -g $strict "$source" Tests/LibassayTests/no_jit.c $(flags --cflags --libs) -lpthread -o "$work/$name"
    valgrind -q --error-exitcode=99 "$work/$name" "$work" $few
    echo "ok: $name, memcheck"
done
# Exceptions of callbacks leave no memory behind, and the library has no leaks but those that it suppresses.
valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible \
    "--suppressions=$work/prefix/share/assay/memcheck.supp" "$work/test_cpp" "$work"
echo "ok: test_cpp, memcheck with leaks"
