#!/bin/sh
# Builds libassay, the library for other languages, and lays it out as it is installed.
#
#   sh Scripts/build-libassay.sh [DIRECTORY]        default: build/libassay
#
#     lib/libassay.so.ABI      self-contained: the Swift runtime, PCRE2 and libyaml are in it; only assay_* is exported
#     lib/libassay.a           the same as one archive, to be linked with the Swift runtime (see libassay.pc)
#     include/assay/           assay.h, arrow.h
#     lib/pkgconfig, lib/cmake/assay
#
# SwiftPM links the runtime dynamically into dynamic products whatever it is told, so it makes the archive only, and the
# shared library is linked here. ASSAY_SYSTEM_PCRE2=1 links the system's PCRE2 and libyaml instead of copying them, for
# distributions that want to mend them in one place.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
target=${1:-build/libassay}
sh Scripts/install-dependencies.sh build

header=Sources/CAssayABI/assay/assay.h
abi=$(sed -n 's/^#define ASSAY_ABI_VERSION //p' "$header")
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)

static=""
[ "$(uname -s)" != Linux ] || static="--static-swift-stdlib -Xlinker -s"
# shellcheck disable=SC2086 # lists are meant to be split, here and below
swift build -c release $static --product AssayABI
archive=$(swift build -c release $static --show-bin-path)/libAssayABI.a

rm -rf "$target"
mkdir -p "$target/lib/pkgconfig" "$target/lib/cmake/assay" "$target/include/assay"
cp Sources/CAssayABI/assay/*.h "$target/include/assay/"
cp "$archive" "$target/lib/libassay.a"

# What is exported is what the header declares.
symbols=$(sed -n 's/^[a-z].*[ *]\(assay_[a-z0-9_]*\)(.*/\1/p' "$header" | sort)
[ -n "$symbols" ] || { echo "build-libassay: found no functions in $header" >&2; exit 1; }

link_static() { # link_static LIBRARY: its archive where there is one, so that the result needs nothing
    if [ -z "${ASSAY_SYSTEM_PCRE2:-}" ]; then
        directory=$(pkg-config --variable=libdir "$1")
        name=$(pkg-config --libs-only-l "$1" | sed 's/ *$//; s/^-l//')
        if [ -f "$directory/lib$name.a" ]; then
            echo "$directory/lib$name.a"
            return
        fi
    fi
    pkg-config --libs "$1"
}
libraries="$(link_static libpcre2-8) $(link_static yaml-0.1)"

case $(uname -s) in
Darwin)
    name=libassay.$abi.dylib
    printf '_%s\n' $symbols >"$target/exports"
    swiftc -emit-library -o "$target/lib/$name" -Xlinker -force_load -Xlinker "$archive" $libraries \
        -Xlinker -exported_symbols_list -Xlinker "$target/exports" -Xlinker -dead_strip \
        -Xlinker -install_name -Xlinker "@rpath/$name"
    rm "$target/exports"
    ln -s "$name" "$target/lib/libassay.dylib"
    ;;
*)
    name=libassay.so.$abi
    { echo "{ global:"; printf '%s;\n' $symbols; echo "local: *; };"; } >"$target/exports"
    # One object of the archive: -static-stdlib hides everything that comes from archives.
    ld -r -o "$target/all.o" --whole-archive "$archive"
    # lld, since gold exports protected symbols whatever the list says.
    swiftc -use-ld=lld -static-stdlib -emit-library -o "$target/lib/$name" "$target/all.o" $libraries \
        -Xlinker "--version-script=$root/$target/exports" -Xlinker --gc-sections -Xlinker -s \
        -Xlinker -soname="$name" -Xlinker -z -Xlinker defs
    rm "$target/exports" "$target/all.o"
    ln -s "$name" "$target/lib/libassay.so"
    ;;
esac

sed -e "s|@VERSION@|$version|" Scripts/libassay/libassay.pc.in >"$target/lib/pkgconfig/libassay.pc"
sed -e "s|@VERSION@|$version|" -e "s|@LIBRARY@|$name|" Scripts/libassay/assay-config.cmake.in \
    >"$target/lib/cmake/assay/assay-config.cmake"
sed -e "s|@VERSION@|$version|" Scripts/libassay/assay-config-version.cmake.in \
    >"$target/lib/cmake/assay/assay-config-version.cmake"
echo "$target/lib/$name"
