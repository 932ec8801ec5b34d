#!/bin/sh
# Builds the archive of ISA-L, which Debian's packages lack, from Debian's source of the tested version.
#
#   sh Release/dist/isal.sh FOLDER        writes libisal.a and its licence; needs nasm and, the first time, the network
set -eu
folder=$1
version=2.30.0
archive=libisal_$version.orig.tar.xz
address=http://deb.debian.org/debian/pool/main/libi/libisal/$archive
checksum=f363f1be3d657d5676cef5253ee2233e60116e2fa9c9de86881185bf81e0e4b8

mkdir -p "$folder"
cd "$folder"
[ ! -f libisal.a ] || exit 0
[ -f "$archive" ] || { curl -fsSL -o "$archive.part" "$address" && mv "$archive.part" "$archive"; }
echo "$checksum  $archive" | sha256sum --check --quiet
tar -xf "$archive"
# Build only these units. Add the objects in name order and without times, so that the archive is reproducible.
make -s -C "libisal-$version" -f Makefile.unx units="igzip crc" DEBUG= lib >build.log 2>&1 ||
    { cat build.log >&2; exit 1; }
mkdir -p members
cd members
ar x "../libisal-$version/bin/isa-l.a"
rm -f ../libisal.a
find . -name '*.o' | LC_ALL=C sort | xargs ar rcD ../libisal.a
cd ..
cp "libisal-$version/LICENSE" libisal.copyright
echo "$version" >libisal.version
rm -r members
