#!/bin/sh
# Tries what `make dist` has made in bare systems, in which nothing else is installed: `make test-dist`.
#
#   sh Scripts/dist/test.sh [SUITE…]        default: bookworm trixie
#
# The systems are made by debootstrap, and kept in build/dist/roots. Besides Debian's suites, `jammy` is Ubuntu 22.04, whose
# keyring must be installed.
set -eu
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] || { echo "skipped: test-dist needs root, for chroot"; exit 0; }
command -v debootstrap >/dev/null || { echo "skipped: test-dist needs debootstrap (apt-get install debootstrap)"; exit 0; }
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)
out=build/dist/$version name=assay-$version-linux-x86_64
[ -f "$out/SHA256SUMS" ] || { echo "test-dist: run 'make dist' first" >&2; exit 1; }
(cd "$out" && sha256sum --check --quiet SHA256SUMS) && echo "ok: checksums"

fail() { echo "failed: $*" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# inside ROOT COMMAND…: with /proc, of which the Swift runtime takes the command line. It is gone when the command ends.
inside() { unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$@"; }

# judge NAME ROOT ASSAY EXAMPLES: the command says its version, and cleans the example as it should.
judge() {
    place=$1 root=$2 assay=$3 examples=$4
    inside "$root" "$assay" --version | head -1 | grep -qx "assay $version" || fail "$place: --version"
    rm -rf "$root/tmp/out"
    mkdir "$root/tmp/out"
    inside "$root" "$assay" clean "$examples/users.csv" --rules "$examples/users.rules.yaml" --output-dir /tmp/out --threads 2 \
        >"$work/summary" 2>&1 || fail "$place: clean: $(cat "$work/summary")"
    grep -q '  clean             3,760    94.00 %' "$work/summary" || fail "$place: clean: $(cat "$work/summary")"
    # gzip in and out, an encoding by iconv, a time zone.
    gzip -c "$root$examples/users.csv" >"$root/tmp/out/packed.csv.gz"
    inside "$root" "$assay" clean /tmp/out/packed.csv.gz --rules "$examples/users.rules.yaml" --quiet || fail "$place: gzip"
    gzip -dc "$root/tmp/out/packed.clean.csv.gz" | cmp - "$root/tmp/out/users.clean.csv" || fail "$place: gzip"
    printf 'name\ncaf\351\n' >"$root/tmp/out/latin.csv"
    inside "$root" "$assay" check /tmp/out/latin.csv --encoding windows-1252 --quiet || fail "$place: windows-1252"
    echo "ok: $place"
}

abi=$(sed -n 's/^#define ASSAY_ABI_VERSION //p' Sources/CAssayABI/assay/assay.h)
${CC:-cc} -std=c11 -Ibuild/dist/libassay/include Examples/c/check_table.c -Lbuild/dist/libassay/lib -lassay -o "$work/check_table"
printf 'fields: [{name: id, type: integer}, {name: email, format: email}]\n' >"$work/rules.yaml"

for suite in ${*:-bookworm trixie}; do
    root=build/dist/roots/$suite
    mirror=http://deb.debian.org/debian
    [ "$suite" != jammy ] || mirror=http://archive.ubuntu.com/ubuntu
    if [ ! -f "$root.made" ]; then
        rm -rf "$root"
        mkdir -p "$root"
        debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || { tail -3 "$root.log"; exit 1; }
        touch "$root.made"
    fi

    rm -rf "$root/opt/$name"
    tar -xzf "$out/$name.tar.gz" -C "$root/opt" --no-same-owner
    judge "$suite, the archive" "$root" "/opt/$name/bin/assay" "/opt/$name/share/doc/assay/examples"
    [ -f "$root/opt/$name/share/man/man1/assay.1" ] || fail "$suite: the archive has no man page"

    cp "$out"/*.deb "$root/tmp/"
    # Minimal systems leave out documents of packages: here they are looked at.
    inside "$root" sh -c 'dpkg --path-include=/usr/share/doc/* --path-include=/usr/share/man/* -i /tmp/assay_*.deb' >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "$suite: dpkg -i"; }
    judge "$suite, the package" "$root" /usr/bin/assay /usr/share/doc/assay/examples
    [ "$(gzip -dc "$root/usr/share/man/man1/assay.1.gz" | head -c 4)" = '.\" ' ] || fail "$suite: the man page"
    # The library: with a program that was built beside it. It is linked with glibc as it comes, 2.36.
    if [ "$suite" != jammy ]; then
        cp "$work/check_table" "$work/rules.yaml" "$root/tmp/"
        inside "$root" sh -c 'dpkg -i /tmp/libassay*.deb' >"$work/log" 2>&1 || { cat "$work/log"; fail "$suite: dpkg -i libassay"; }
        inside "$root" /tmp/check_table /tmp/rules.yaml >"$work/found" || [ $? -eq 1 ] || fail "$suite: libassay"
        grep -qx '4 records: 2 clean, 2 rejected' "$work/found" || fail "$suite: libassay: $(cat "$work/found")"
        for file in include/assay/assay.h lib/pkgconfig/libassay.pc lib/cmake/assay/assay-config.cmake lib/libassay.a lib/libassay.so; do
            [ -e "$root/usr/$file" ] || fail "$suite: libassay-dev has no $file"
        done
        inside "$root" dpkg -r libassay-dev "libassay$abi" >/dev/null
        echo "ok: $suite, libassay"
    fi
    inside "$root" sh -c 'dpkg -r assay && rm /tmp/*.deb' >/dev/null
done

# The image: its one layer, as a system of its own.
mkdir "$work/image" "$work/layer"
tar -xf "$out/assay-$version-image.tar" -C "$work/image"
layer=$(python3 - "$work/image" <<'TEXT'
import json, sys
from pathlib import Path
folder = Path(sys.argv[1])
blob = lambda entry: folder / "blobs" / entry["digest"].replace(":", "/")
index = json.loads((folder / "index.json").read_text())
print(blob(json.loads(blob(index["manifests"][0]).read_text())["layers"][0]))
TEXT
)
tar -xzf "$layer" -C "$work/layer"
mkdir -p "$work/layer/data/examples"
cp Examples/users.csv Examples/users.rules.yaml "$work/layer/data/examples/"
judge "the image" "$work/layer" /usr/bin/assay /data/examples

# The same bytes, made anew in another folder.
sh Scripts/dist/again.sh
