#!/bin/sh
# Builds the C core for other platforms and runs its tests in an emulator. Skips platforms without installed tools.
#
#   sh Scripts/cross-core.sh [PLATFORM…] [-- TESTS]      default: all platforms, and the tests of `make test-cross`
#
# TESTS is a regular expression of tests for ctest. `-- .` runs all.
#
#     platform   compiler                     tests           packages of Debian
#     musl       musl-gcc, static             here            musl-tools
#     aarch64    gcc for ARM64, static        qemu-aarch64    gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
#     wasm32     clang, for WASI              Node.js         wasi-libc libclang-rt-14-dev-wasm32 nodejs clang lld
#     web        clang, for browsers          Node.js         as wasm32: the package of Bindings/Web, in build/web
#     char       cc -funsigned-char           here
#
# ARM64 has unsigned chars, so `char` finds comparisons that assume signed ones.
# PCRE2 is built from Debian's source package, which apt-get verifies. The results are in
# build/cross/PLATFORM. ASSAY_CLANG names the compiler for wasm32; the toolchain of Swift has one.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
sources=$root/build/cross/sources

platforms=""
tests=""
# Tests with code for each processor and of encodings. In qemu, the further ones take minutes.
short='check|columns|converter|decimal|dfa_columns|encodings|json|keys|lengths|list|mask|numbers'
short="$short|rows|scan|scan_agreement|temporal|type"
further='builtin|canonical|search_filter|singles'
while [ $# -gt 0 ]; do
    case $1 in
    --) tests=${2:?"cross-core: -- needs a regular expression"} && break ;;
    musl | aarch64 | wasm32 | web | char) platforms="$platforms $1" ;;
    *) echo "cross-core: unknown platform '$1' (known: musl, aarch64, wasm32, web, char)" >&2 && exit 2 ;;
    esac
    shift
done
[ -n "$platforms" ] || platforms="char musl aarch64 wasm32 web"

# Prints the missing tools of a platform.
missing() {
    for tool in cmake pkg-config "$@"; do
        case $tool in
        /*) [ -e "$tool" ] ;;
        *) command -v "$tool" >/dev/null 2>&1 ;;
        esac || printf ' %s' "$tool"
    done
}

# Downloads and unpacks the sources of PCRE2 once.
fetch() {
    [ ! -e "$sources/done" ] || return 0
    command -v apt-get >/dev/null 2>&1 || return 1
    rm -rf "$sources"
    mkdir -p "$sources/lists/partial"
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    echo "deb-src http://deb.debian.org/debian $codename main" >"$sources/sources.list"
    set -- -qq -o Dir::Etc::SourceList="$sources/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$sources/lists"
    (cd "$sources" && apt-get "$@" update && apt-get "$@" source --download-only pcre2) \
        >"$sources/log" 2>&1 || return 1
    for archive in "$sources"/*.orig.tar.gz; do tar -C "$sources" -xf "$archive" || return 1; done
    touch "$sources/done"
}

# Builds PCRE2 in $folder. $1: ON if PCRE2 has a JIT compiler for the platform. Others: options for CMake.
libraries() {
    jit=$1
    shift
    [ ! -e "$folder/libraries" ] || return 0
    {
        # shellcheck disable=SC2046 # one folder
        cmake -S $(echo "$sources"/pcre2-*) -B "$folder/pcre2" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
            -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_BUILD_TESTS=OFF -DPCRE2_SUPPORT_JIT="$jit" -DPCRE2_STATIC_PIC=ON \
            -DCMAKE_INSTALL_PREFIX="$folder/root" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POLICY_DEFAULT_CMP0056=NEW \
            "$@" -Wno-dev &&
            cmake --build "$folder/pcre2" --parallel "$(getconf _NPROCESSORS_ONLN)" &&
            cmake --install "$folder/pcre2"
    } >"$folder/log" 2>&1 || { tail -30 "$folder/log" >&2 && return 1; }
    touch "$folder/libraries"
}

# Builds the package for browsers and tests it.
web() {
    cmake --build "$folder/core" --parallel "$(getconf _NPROCESSORS_ONLN)" --target assay-static >"$folder/log" 2>&1 ||
        { grep -E -A5 'error|warning' "$folder/log" | head -60 >&2 && return 1; }
    out=$root/build/web
    rm -rf "$out"
    mkdir -p "$out"
    # shellcheck disable=SC2086 # flags
    "$clang" --target=wasm32-wasi --sysroot="$folder/sysroot" -std=c11 -O2 -Wall -Wextra -Werror -mexec-model=reactor \
        -ISources/CAssay/include Bindings/Web/src/web.c "$folder/core/libassay-core.a" -L"$folder/root/lib" -lpcre2-8 \
        $wasm_link -Wl,-s -Wl,--gc-sections -o "$out/assay.wasm"
    cp Bindings/Web/index.js Bindings/Web/index.d.ts Bindings/Web/package.json Bindings/Web/README.md LICENSE \
        THIRD-PARTY-NOTICES.txt "$out/"
    ASSAY_WEB=$out node --test Bindings/Web/test
    echo "assay.wasm: $(wc -c <"$out/assay.wasm") bytes, $(gzip -9c "$out/assay.wasm" | wc -c) with gzip"
}

# Builds the core with its tests and runs them. Arguments: options for CMake.
core() {
    cmake -S . -B "$folder/core" -DCMAKE_BUILD_TYPE=Release -DASSAY_WERROR=ON "$@" >"$folder/log" 2>&1 ||
        { tail -30 "$folder/log" >&2 && return 1; }
    [ "$platform" != web ] || { web && return 0; }
    cmake --build "$folder/core" --parallel "$(getconf _NPROCESSORS_ONLN)" >"$folder/log" 2>&1 ||
        { grep -E -A5 'error|warning' "$folder/log" | head -60 >&2 && return 1; }
    chosen=$tests
    if [ -z "$chosen" ]; then
        case $platform in
        aarch64) chosen="^test_($short)\$" ;;
        musl | char) chosen="^(test_($short|$further)|no_memory)\$" ;;
        *) chosen="^test_($short|$further)\$" ;;
        esac
    fi
    # Node.js 20.20 ends with SIGSEGV after test_json has passed all of its checks, with most seeds; wasmkit does not.
    left_out='^$'
    [ "$platform" != wasm32 ] || left_out=test_json
    ctest --test-dir "$folder/core" --output-on-failure --parallel 2 -R "$chosen" -E "$left_out"
}

build() {
    case $platform in
    musl)
        libraries ON -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_CXX_COMPILER=false
        export ASSAY_PARTIAL_ICONV=1
        core -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_EXE_LINKER_FLAGS=-static
        ;;
    aarch64)
        set -- -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc
        libraries ON "$@"
        # glibc loads most encodings from modules, which the folder of the cross compiler lacks.
        export ASSAY_PARTIAL_ICONV=1
        core "$@" -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64
        ;;
    wasm32 | web)
        # Links to the headers and libraries of wasm32 alone, because clang would also find the headers of this machine.
        mkdir -p "$folder/sysroot/include" "$folder/sysroot/lib"
        ln -sfn /usr/include/wasm32-wasi "$folder/sysroot/include/wasm32-wasi"
        ln -sfn /usr/lib/wasm32-wasi "$folder/sysroot/lib/wasm32-wasi"
        # The usual stack has 64 KiB, without a check. Here it is below all data, so that an overflow ends the program.
        wasm_link="-Wl,--stack-first -Wl,-z,stack-size=8388608 -nodefaultlibs"
        wasm_link="$wasm_link -lwasi-emulated-process-clocks -lwasi-emulated-mman -lc $wasm_runtime"
        set -- -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_SYSTEM_PROCESSOR=wasm32 -DCMAKE_C_COMPILER="$clang" \
            -DCMAKE_C_COMPILER_TARGET=wasm32-wasi -DCMAKE_SYSROOT="$folder/sysroot" -DCMAKE_AR="$(command -v llvm-ar)" \
            -DCMAKE_C_FLAGS="-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_MMAN" \
            -DCMAKE_EXE_LINKER_FLAGS="$wasm_link" -DCMAKE_EXECUTABLE_SUFFIX=.wasm
        libraries OFF "$@"
        export ASSAY_PARTIAL_ICONV=1
        core "$@" -DCMAKE_CROSSCOMPILING_EMULATOR="node;--no-warnings;$root/Scripts/wasi/run.mjs"
        ;;
    char) core -DCMAKE_C_FLAGS=-funsigned-char ;;
    esac
}

for platform in $platforms; do
    folder=$root/build/cross/$platform
    case $platform in
    musl) absent=$(missing musl-gcc) ;;
    aarch64) absent=$(missing aarch64-linux-gnu-gcc qemu-aarch64) ;;
    wasm32 | web)
        folder=$root/build/cross/wasm32
        clang=$(command -v "${ASSAY_CLANG:-clang}" || true)
        wasm_runtime=$(ls /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a 2>/dev/null | tail -n 1)
        absent=$(missing "${clang:-clang}" wasm-ld llvm-ar node /usr/lib/wasm32-wasi/libc.a \
            "${wasm_runtime:-/usr/lib/llvm-14/lib/clang/14.0.6/lib/wasi/libclang_rt.builtins-wasm32.a}")
        ;;
    char) absent=$(missing) ;;
    esac
    if [ -n "$absent" ]; then
        echo "$platform: skipped, because these are not installed:$absent"
        continue
    fi
    mkdir -p "$folder"
    if [ "$platform" != char ]; then
        if ! fetch; then
            echo "$platform: skipped, because the sources of PCRE2 cannot be downloaded"
            continue
        fi
        export PKG_CONFIG_LIBDIR="$folder/root/lib/pkgconfig"
    fi
    echo "$platform:"
    (build)
done
