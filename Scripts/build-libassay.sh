#!/bin/sh
# Builds libassay, the library for other languages, and lays it out as it is installed.
#
#   sh Scripts/build-libassay.sh [DIRECTORY]        default: build/libassay
#
#     lib/libassay.so.ABI      self-contained: the Swift runtime and the libraries below are in it; only assay_* is exported
#     lib/libassay.a           the same as an archive
#     include/assay/           assay.h, arrow.h
#     lib/pkgconfig, lib/cmake/assay
#     share/doc/libassay/      the licences of what is inside, in Debian's words also by the texts that they name
#
# ASSAY_MAP=FILE keeps what the linker says of the archives and objects that went into the shared library.
#
# SwiftPM links the runtime dynamically into dynamic products whatever it is told, so it makes an archive only, and the rest
# is done here. ASSAY_SYSTEM_PCRE2=1 links the system's PCRE2, libyaml, libzstd, uchardet and utf8proc instead of copying them, for
# distributions that want to mend them in one place.
# ISA-L is loaded where there is gzip to unpack. ASSAY_ISAL=FOLDER has it inside instead: libisal.a and its licence, as Release/dist/isal.sh
# leaves them.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
target=${1:-$root/build/libassay}
case $target in /*) ;; *) target=$root/$target ;; esac
# What is there is replaced: a tree of libassay by itself, perhaps one that was not finished, and nothing else, such as /usr/local.
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
# SwiftPM adds to an archive that is there, and leaves in it what came of files that are gone.
rm -f "$archive"
sh Scripts/swift-release.sh --product AssayABI

rm -rf "$target"
documents=$target/share/doc/libassay
mkdir -p "$target/lib/pkgconfig" "$target/lib/cmake/assay" "$target/include/assay" "$documents"
cp LICENSE THIRD-PARTY-NOTICES.txt vendor-notes.md "$documents/"
cp Sources/CAssayABI/assay/*.h "$target/include/assay/"

# What is exported is what the header declares.
symbols=$(sed -n 's/^[a-z].*[ *]\(assay_[a-z0-9_]*\)(.*/\1/p' "$header" | sort)
[ -n "$symbols" ] || { echo "build-libassay: found no functions in $header" >&2; exit 1; }

# PCRE2 and the others: their archives, to have them inside; or, where there are none or so asked, outside.
archives="" shared="" system="-lstdc++ -lm -lpthread -ldl"
for pair in libpcre2-8:libpcre2-dev yaml-0.1:libyaml-dev libzstd:libzstd-dev uchardet:libuchardet-dev \
    libutf8proc:libutf8proc-dev; do
    library=${pair%:*} licence=/usr/share/doc/${pair#*:}/copyright
    archive_name=lib$(pkg-config --libs-only-l "$library" | sed 's/^ *-l//; s/ *$//').a
    file=$(pkg-config --variable=libdir "$library")/$archive_name
    # What Debian's libzstd.pc calls its folder is not where the archive is.
    [ -f "$file" ] || file=$(${CC:-cc} -print-file-name="$archive_name")
    if [ -z "${ASSAY_SYSTEM_PCRE2:-}" ] && [ -f "$file" ]; then
        archives="$archives $file"
        [ ! -f "$licence" ] || cp "$licence" "$documents/$library.copyright"
    else
        shared="$shared $(pkg-config --libs "$library")"
    fi
done

# CGzip uses the functions of ISA-L if they are there, which does not make the linker look for them.
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
    # Everything becomes one object in which only assay_* can be seen: it is the archive, and with a loader's header the
    # shared library. (Swift's own driver hides what comes from archives, and gold shows protected symbols.) rodata.ld keeps RELRO possible.
    resources=$(swiftc -static-stdlib -print-target-info | sed -n 's/^ *"runtimeResourcePath": "\(.*\)".*$/\1/p')/linux
    ld -r -T Scripts/libassay/rodata.ld -o "$target/own.o" --whole-archive "$archive"
    runtime=""
    for flag in $(swift-autolink-extract "$target/own.o" -o /dev/stdout | sort -u) -lswiftCore; do
        file=$resources/lib${flag#-l}.a
        if [ -f "$file" ]; then runtime="$runtime $file"; fi
    done
    # libdispatch is of the Swift project, too. Of libgcc the compiler takes what processors lack.
    gcc=$(${CC:-cc} -dumpversion)
    for pair in "swift:$resources/../../../share/swift/LICENSE.txt" "libgcc:/usr/share/doc/libgcc-$gcc-dev/copyright"; do
        [ ! -f "${pair#*:}" ] || cp "${pair#*:}" "$documents/${pair%%:*}.copyright"
    done
    ${CC:-cc} -std=c11 -O2 -fPIC -ffunction-sections -c Scripts/libassay/hypotf.c -o "$target/hypotf.o"
    ld -r -T Scripts/libassay/rodata.ld -o "$target/all.o" -Map="$target/inside.map" "$target/own.o" "$target/hypotf.o" "$resources/$(uname -m)/swiftrt.o" \
        --start-group $runtime $archives --end-group $isal
    echo "$symbols" >"$target/symbols"
    objcopy --strip-debug --keep-global-symbols="$target/symbols" "$target/all.o" "$target/libassay.o"
    rm -f "$target/lib/libassay.a"
    ar rcsD "$target/lib/libassay.a" "$target/libassay.o"
    { echo "{ global:"; printf '%s;\n' $symbols; echo "local: *; };"; } >"$target/exports"
    # Threads still have destructors of the Swift runtime to call after dlclose(3): it stays.
    ${CC:-cc} -shared -o "$target/lib/$name" "$target/libassay.o" $shared $system \
        "-Wl,--version-script=$target/exports" -Wl,--gc-sections -Wl,-s -Wl,-soname,"$name" -Wl,-z,defs -Wl,-z,text -Wl,-z,noexecstack \
        -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now \
        "-Wl,-Map=$target/around.map"
    [ -z "${ASSAY_MAP:-}" ] || cat "$target/inside.map" "$target/around.map" >"$ASSAY_MAP"
    rm "$target/own.o" "$target/hypotf.o" "$target/all.o" "$target/libassay.o" "$target/symbols" "$target/exports" "$target"/*.map
    ln -s "$name" "$target/lib/libassay.so"
    ;;
esac

# Debian's texts name others for the whole of a licence.
if grep -qs /usr/share/common-licenses "$documents"/*.copyright; then
    mkdir "$documents/common-licenses"
    grep -ohE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$documents"/*.copyright | sort -u |
        while IFS= read -r text; do [ ! -f "$text" ] || cp "$text" "$documents/common-licenses/"; done
fi

sed -e "s|@VERSION@|$version|" -e "s|@PRIVATE@|$shared $system|" Scripts/libassay/libassay.pc.in \
    >"$target/lib/pkgconfig/libassay.pc"
sed -e "s|@VERSION@|$version|" -e "s|@LIBRARY@|$name|" Scripts/libassay/assay-config.cmake.in \
    >"$target/lib/cmake/assay/assay-config.cmake"
sed -e "s|@VERSION@|$version|" Scripts/libassay/assay-config-version.cmake.in \
    >"$target/lib/cmake/assay/assay-config-version.cmake"
echo "$target/lib/$name"
