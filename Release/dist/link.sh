#!/bin/sh
# Links the released command from the objects of `make build`, with all libraries but libc.
#
#   sh Release/dist/link.sh FOLDER        writes FOLDER/assay and its linker map, FOLDER/assay.map
#
# SwiftPM would link PCRE2 and libyaml as shared libraries, because their .pc files name a folder with both forms. Here
# the linker first searches a folder that has only archives.
set -eu
folder=$1
objects=$(swift build -c release --static-swift-stdlib --show-bin-path)/assay.product/Objects.LinkFileList
[ -f "$objects" ] || { echo "link: run 'make build' first: there is no $objects" >&2; exit 1; }
mkdir -p "$folder/archives"
folder=$(cd "$folder" && pwd)

sh Release/dist/isal.sh "$folder/isal"
ln -sf "$folder/isal/libisal.a" "$folder/archives/"
for name in pcre2-8 yaml zstd uchardet stdc++; do
    archive=$(${CC:-cc} -print-file-name="lib$name.a")
    case $archive in
    /*) ln -sf "$archive" "$folder/archives/" ;;
    *) echo "link: there is no lib$name.a; Debian has it in the package with -dev at its end" >&2; exit 1 ;;
    esac
done
${CC:-cc} -std=c11 -O2 -Wall -Wextra -Werror -c Release/dist/older_libc.c -o "$folder/older_libc.o"

# Request the functions of ISA-L explicitly, because the weak references in CGzip do not load archive members.
wanted=""
for symbol in isal_inflate_init isal_inflate isal_deflate_stateless_init isal_deflate_stateless crc32_gzip_refl; do
    wanted="$wanted -Xlinker --undefined=$symbol"
done
# shellcheck disable=SC2086 # the list is meant to be split
swiftc -emit-executable -static-stdlib -module-name assay -o "$folder/assay" "@$objects" "$folder/older_libc.o" \
    -L "$folder/archives" -lpcre2-8 -lyaml -luchardet -lzstd $wanted -lisal \
    -Xlinker --wrap=arc4random -Xlinker --wrap=hypotf -Xlinker --wrap=_dl_find_object \
    -Xlinker --defsym=main=AssayTool_main \
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker -z -Xlinker noexecstack \
    -Xlinker --gc-sections -Xlinker -s -Xlinker -Map="$folder/assay.map" \
    -Xclang-linker -static-libgcc

# Check that the command needs no other library and no newer glibc, and contains no path of this machine.
fail() { echo "link: $*" >&2; exit 1; }
needed=$(readelf -d "$folder/assay" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -Ev '^(libc|libm|libpthread|libdl)\.so|^ld-linux' || true)
[ -z "$needed" ] || fail "the command needs" $needed
newest=$(readelf -V "$folder/assay" | grep -o 'GLIBC_2[.0-9]*' | sort -Vu | tail -1)
[ "$newest" = GLIBC_2.34 ] || fail "the command needs $newest, not GLIBC_2.34"
sh Scripts/check-hardening.sh "$folder/assay" || exit 1
if strings "$folder/assay" | grep -F "$PWD"; then fail "the lines above name the folder of the build"; fi
