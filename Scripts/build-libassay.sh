#!/bin/sh
# Builds libassay, the library for other languages, in the layout of an installation.
#
#   sh Scripts/build-libassay.sh [DIRECTORY]        default: build/libassay
#
#     lib/libassay.so.ABI      contains the Swift runtime and the libraries below; exports only assay_*
#     lib/libassay.a           the same as an archive
#     include/assay/           assay.h, arrow.h; assay.hpp for C++
#     lib/pkgconfig, lib/cmake/assay
#     share/assay/             suppressions for the thread sanitizer and for memcheck
#     share/doc/libassay/      the licences of the included libraries, and Debian's common licences
#
# ASSAY_MAP=FILE keeps the linker map, which lists the archives and objects in the shared library.
#
# SwiftPM only makes the archive, because it always links the Swift runtime dynamically into dynamic products. This
# script does the rest. ASSAY_SYSTEM_PCRE2=1 links the system's PCRE2, libyaml, libzstd and uchardet instead of
# including them, for distributions that patch them in one place.
# ISA-L is loaded when gzip must be unpacked. ASSAY_ISAL=FOLDER includes it instead: the folder has libisal.a and its
# licence, as Release/dist/isal.sh makes them.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
target=${1:-$root/build/libassay}
case $target in /*) ;; *) target=$root/$target ;; esac
# Replace only a tree of libassay, complete or not, and never a folder with other files, such as /usr/local.
others=$(ls -A "$target" 2>/dev/null | grep -vxE 'include|lib|share|[a-z]*\.o|[a-z]*\.map|symbols|exports' || true)
others=$others$(ls -A "$target/include" 2>/dev/null | grep -vx assay || true)
if [ -n "$others" ]; then
    echo "build-libassay: $target has other things in it, which would be lost: name a new folder" >&2
    exit 1
fi
sh Scripts/install-dependencies.sh build

header=Sources/CAssayABI/assay/assay.h
abi=$(sed -n 's/^#define ASSAY_ABI_VERSION //p' "$header")
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)

archive=$(sh Scripts/swift-release.sh --show-bin-path)/libAssayABI.a
# Remove the archive, because SwiftPM adds to an existing one and keeps the objects of deleted files.
rm -f "$archive"
sh Scripts/swift-release.sh --product AssayABI

rm -rf "$target"
documents=$target/share/doc/libassay
mkdir -p "$target/lib/pkgconfig" "$target/lib/cmake/assay" "$target/include/assay" "$documents"
cp LICENSE THIRD-PARTY-NOTICES.txt vendor-notes.md "$documents/"
cp Sources/CAssayABI/assay/*.h Sources/CAssayABI/assay/*.hpp "$target/include/assay/"

# The exported symbols are the declarations of the header.
symbols=$(sed -n 's/^[A-Za-z].*[ *]\(assay_[a-z0-9_]*\)(.*/\1/p' "$header" | sort)
[ -n "$symbols" ] || { echo "build-libassay: found no functions in $header" >&2; exit 1; }

# Include the archives of PCRE2 and the other libraries. Link shared libraries if requested or if an archive is missing.
archives="" shared="" system="-lstdc++ -lm -lpthread -ldl"
for pair in libpcre2-8:libpcre2-dev yaml-0.1:libyaml-dev libzstd:libzstd-dev uchardet:libuchardet-dev; do
    library=${pair%:*} licence=/usr/share/doc/${pair#*:}/copyright
    archive_name=lib$(pkg-config --libs-only-l "$library" | sed 's/^ *-l//; s/ *$//').a
    file=$(pkg-config --variable=libdir "$library")/$archive_name
    # Ask the compiler, because the folder in Debian's libzstd.pc does not contain the archive.
    [ -f "$file" ] || file=$(${CC:-cc} -print-file-name="$archive_name")
    if [ -z "${ASSAY_SYSTEM_PCRE2:-}" ] && [ -f "$file" ]; then
        archives="$archives $file"
        [ ! -f "$licence" ] || cp "$licence" "$documents/$library.copyright"
    else
        shared="$shared $(pkg-config --libs "$library")"
    fi
done

# Request the functions of ISA-L explicitly, because the weak references in CGzip do not load archive members.
isal=""
if [ -n "${ASSAY_ISAL:-}" ]; then
    for symbol in isal_inflate_init isal_inflate isal_deflate_stateless_init isal_deflate_stateless crc32_gzip_refl; do
        isal="$isal --undefined=$symbol"
    done
    isal="$isal $ASSAY_ISAL/libisal.a"
    cp "$ASSAY_ISAL/libisal.copyright" "$documents/"
fi

case $(uname -s) in
Darwin)
    name=libassay.$abi.dylib
    printf '_%s\n' $symbols >"$target/exports"
    swiftc -emit-library -o "$target/lib/$name" -Xlinker -force_load -Xlinker "$archive" $archives $shared \
        -Xlinker -exported_symbols_list -Xlinker "$target/exports" -Xlinker -dead_strip \
        -Xlinker -install_name -Xlinker "@rpath/$name"
    cp "$archive" "$target/lib/libassay.a" # the Swift runtime is part of the system there
    rm "$target/exports"
    ln -s "$name" "$target/lib/libassay.dylib"
    ;;
*)
    name=libassay.so.$abi
    # Combine all objects into one that exports only assay_*, for the archive and the shared library. Not with Swift's
    # driver, which hides the symbols of archives, and not with gold, which exports protected symbols. rodata.ld allows
    # RELRO.
    resources=$(swiftc -static-stdlib -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)".*$/\1/p')/linux
    ld -r -T Scripts/libassay/rodata.ld -o "$target/own.o" --whole-archive "$archive"
    runtime=""
    for flag in $(swift-autolink-extract "$target/own.o" -o /dev/stdout | sort -u) -lswiftCore; do
        file=$resources/lib${flag#-l}.a
        if [ -f "$file" ]; then runtime="$runtime $file"; fi
    done
    # libdispatch belongs to the Swift project. libgcc provides operations that the processor lacks.
    gcc=$(${CC:-cc} -dumpversion)
    for pair in "swift:$resources/../../../share/swift/LICENSE.txt" \
        "libgcc:/usr/share/doc/libgcc-$gcc-dev/copyright"; do
        [ ! -f "${pair#*:}" ] || cp "${pair#*:}" "$documents/${pair%%:*}.copyright"
    done
    ${CC:-cc} -std=c11 -O2 -fPIC -ffunction-sections -c Scripts/libassay/hypotf.c -o "$target/hypotf.o"
    ld -r -T Scripts/libassay/rodata.ld -o "$target/all.o" -Map="$target/inside.map" \
        "$target/own.o" "$target/hypotf.o" "$resources/$(uname -m)/swiftrt.o" \
        --start-group $runtime $archives --end-group $isal
    echo "$symbols" >"$target/symbols"
    objcopy --strip-debug --keep-global-symbols="$target/symbols" "$target/all.o" "$target/libassay.o"
    rm -f "$target/lib/libassay.a"
    ar rcsD "$target/lib/libassay.a" "$target/libassay.o"
    { echo "ASSAY_$abi { global:"; printf '%s;\n' $symbols; echo "local: *; };"; } >"$target/exports"
    # Keep the library loaded after dlclose(3), because threads still call destructors of the Swift runtime.
    ${CC:-cc} -shared -o "$target/lib/$name" "$target/libassay.o" $shared $system \
        "-Wl,--version-script=$target/exports" -Wl,--gc-sections -Wl,-s \
        -Wl,-soname,"$name" -Wl,-z,defs -Wl,-z,text -Wl,-z,noexecstack \
        -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now \
        "-Wl,-Map=$target/around.map"
    [ -z "${ASSAY_MAP:-}" ] || cat "$target/inside.map" "$target/around.map" >"$ASSAY_MAP"
    rm "$target/own.o" "$target/hypotf.o" "$target/all.o" "$target/libassay.o" \
        "$target/symbols" "$target/exports" "$target"/*.map
    ln -s "$name" "$target/lib/libassay.so"
    ;;
esac

# Copy the common licences, because Debian's copyright files refer to them.
if grep -qs /usr/share/common-licenses "$documents"/*.copyright; then
    mkdir "$documents/common-licenses"
    grep -ohE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$documents"/*.copyright | sort -u |
        while IFS= read -r text; do [ ! -f "$text" ] || cp "$text" "$documents/common-licenses/"; done
fi

# On Apple's systems, the archive needs the Swift runtime of the system (swiftc or Xcode).
private=$(echo "$shared $system" | xargs)
for kind in libassay libassay-static; do
    sed -e "s|@VERSION@|$version|" -e "s|@PRIVATE@|$private|" "Scripts/libassay/$kind.pc.in" \
        >"$target/lib/pkgconfig/$kind.pc"
done
sed -e "s|@VERSION@|$version|" -e "s|@LIBRARY@|$name|" -e "s|@PRIVATE@|$(echo "$private" | tr ' ' ';')|" \
    Scripts/libassay/assay-config.cmake.in >"$target/lib/cmake/assay/assay-config.cmake"
mkdir -p "$target/share/assay"
for tool in tsan memcheck; do
    sed -e "s|@LIBRARY@|$name|" "Scripts/libassay/$tool.supp.in" >"$target/share/assay/$tool.supp"
done
sed -e "s|@VERSION@|$version|" Scripts/libassay/assay-config-version.cmake.in \
    >"$target/lib/cmake/assay/assay-config-version.cmake"
echo "$target/lib/$name"
