#!/bin/sh
# Makes a release of the current commit in build/dist/VERSION: `make dist`, on Debian 12.
#
#     assay-VERSION-linux-x86_64.tar.gz    the command with all libraries but libc, man page, completions, licences
#     assay_…deb, libassay…deb             the same, libassay and libassay-core, as Debian packages
#     assay-core-VERSION-linux-x86_64.tar.gz    libassay-core, which needs the PCRE2 of the system
#     assay-VERSION-image.tar              the command as an image, in the OCI layout
#     assay-…whl, assay-VERSION.tar.gz     the Python package, and its source distribution; pip requires this name
#     assay-VERSION-source.tar.gz          the source, and
#     assay.rb                             a Homebrew formula that builds it
#     assay-VERSION.cdx.json               the components of the command (CycloneDX),
#     libassay-VERSION.cdx.json            and of libassay, which the Python package includes
#     SHA256SUMS                           checksums of all files
#
# No file contains times, owners or paths of the build; Release/dist/again.sh compares. ASSAY_HOMEPAGE is the address of
# the project in the packages and the formula. ASSAY_MAINTAINER, as `Name <address>`, is the maintainer in the Debian
# packages.
set -eu
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=C TZ=UTC
for tool in nasm curl xz dpkg-deb python3; do
    command -v "$tool" >/dev/null ||
        { echo "dist: needs $tool: apt-get install nasm curl xz-utils dpkg python3" >&2; exit 1; }
done
python3 -c 'import ensurepip, os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
    { echo "dist: the Python package needs more: apt-get install python3-venv python3-dev" >&2; exit 1; }
changes=$(git status --porcelain)
[ -z "$changes" ] || { echo "dist: there are changes that are not committed (git status)" >&2; exit 1; }
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)
[ -n "$version" ] || { echo "dist: there is no version in core.h" >&2; exit 1; }
commit=$(git rev-parse HEAD)
for tag in $(git tag --points-at "$commit" 'v[0-9]*'); do
    [ "$tag" = "v$version" ] || { echo "dist: the commit is tagged $tag, and its version is $version" >&2; exit 1; }
done
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH
homepage=${ASSAY_HOMEPAGE:-https://example.org/assay}
export ASSAY_HOMEPAGE="$homepage"
name=assay-$version-linux-x86_64
out=build/dist/$version
rm -rf "$out"
mkdir -p "$out" build/dist/link
echo "$commit" >build/dist/commit

sh Release/dist/link.sh build/dist/link
export ASSAY_MAP="$PWD/build/dist/libassay.map" ASSAY_ISAL="$PWD/build/dist/link/isal"
sh Scripts/build-libassay.sh build/dist/libassay >build/dist/libassay.log 2>&1 ||
    { cat build/dist/libassay.log; exit 1; }

stage=build/dist/stage/$name documents=build/dist/stage/$name/share/doc/assay
rm -rf build/dist/stage
sh Scripts/install.sh build/dist/link/assay "$stage" >/dev/null
cp LICENSE THIRD-PARTY-NOTICES.txt vendor-notes.md "$documents/"
sed 's|](Docs/|](|g' CHANGELOG.md >"$documents/CHANGELOG.md"
mkdir "$documents/examples"
cp Examples/users.csv Examples/users.rules.yaml "$documents/examples/"
contents() { python3 Release/dist/sbom.py "$1" "$2" "$3" "$version" "$out/$1-$version.cdx.json" ${4:+"$4"}; }
contents assay build/dist/link/assay build/dist/link/assay.map "$documents/licences"
cp "$out/assay-$version.cdx.json" "$documents/sbom.cdx.json"
contents libassay "$(ls build/dist/libassay/lib/libassay.so.*)" "$ASSAY_MAP"
cp "$out/libassay-$version.cdx.json" build/dist/libassay/share/doc/libassay/sbom.cdx.json

core=build/dist/stage/assay-core-$version-linux-x86_64
cmake -S . -B build/core-release -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DCMAKE_INSTALL_LIBDIR=lib >/dev/null
cmake --build build/core-release >/dev/null
cmake --install build/core-release --strip --prefix "$core" >/dev/null
mkdir -p "$core/share/doc/assay-core"
cp LICENSE THIRD-PARTY-NOTICES.txt "$core/share/doc/assay-core/"

python3 Release/dist/archive.py "$stage" "$out/$name.tar.gz"
python3 Release/dist/archive.py "$core" "$out/${core##*/}.tar.gz"
python3 Release/dist/debs.py "$version" "$stage" build/dist/libassay "$core" "$out"
python3 Release/dist/image.py "$version" "$stage" "$out/assay-$version-image.tar"
sh Release/dist/python.sh "$commit" build/dist/libassay "$out"
git -c tar.umask=0002 archive --format=tar --prefix="assay-$version/" \
    --output="$out/assay-$version-source.tar" "$commit"
gzip -9n "$out/assay-$version-source.tar"
sum=$(sha256sum "$out/assay-$version-source.tar.gz" | cut -d ' ' -f 1)
sed -e "s|@HOMEPAGE@|$homepage|g; s|@VERSION@|$version|g; s|@SHA256@|$sum|" Release/dist/assay.rb.in >"$out/assay.rb"
(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum -- >SHA256SUMS &&
    cat SHA256SUMS)
