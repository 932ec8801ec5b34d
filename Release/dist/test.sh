#!/bin/sh
# Tests the files of `make dist` in minimal systems without other software: `make test-dist`.
#
#   sh Release/dist/test.sh [SUITE…]        default: bookworm trixie forky jammy noble
#
# debootstrap makes the systems in build/dist/roots, where they are kept: Debian 12, 13 and 14, Ubuntu 22.04 and 24.04.
# Together they have every Python that the wheel supports. The Python package is tested in copies with Python and the
# libraries of its tests.
set -eu
cd "$(dirname "$0")/../.."
[ "$(id -u)" -eq 0 ] || { echo "skipped: test-dist needs root, for chroot"; exit 0; }
command -v debootstrap >/dev/null ||
    { echo "skipped: test-dist needs debootstrap (apt-get install debootstrap)"; exit 0; }
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' Sources/CAssay/include/assay/core.h)
fail() { echo "failed: $*" >&2; exit 1; }
[ -n "$version" ] || fail "there is no version in core.h"
out=build/dist/$version name=assay-$version-linux-x86_64
[ -f "$out/SHA256SUMS" ] || { echo "test-dist: run 'make dist' first" >&2; exit 1; }
(cd "$out" && sha256sum --check --quiet SHA256SUMS) || fail "checksums"
echo "ok: checksums"

# The libraries of the Python package's tests. The last pandas for Python 3.10 is 2.3, which Scripts/test-python.sh also
# uses.
beside="pyarrow polars duckdb pandas pytest tqdm pydantic"
roots=build/dist/roots
wheel=$(ls "$out"/assay-"$version"-*.whl)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# inside ROOT COMMAND…: runs a command with /proc mounted, because the Swift runtime reads the command line from it. The
# mount ends with the command.
inside() { unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$@"; }

# inside_python ROOT COMMAND…: like inside, with shared memory, this repository in /mnt, and a pip cache that all
# systems share.
inside_python() {
    mkdir -p "$1/root/.cache/pip" build/dist/pip
    unshare --mount sh -c '
        mount -t proc proc "$1/proc" && mkdir -p "$1/dev/shm" && mount -t tmpfs tmpfs "$1/dev/shm" &&
        mount --bind build/dist/pip "$1/root/.cache/pip" && mount --bind . "$1/mnt" &&
        mount -o remount,bind,ro "$1/mnt" &&
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
            DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
            PIP_CERT=/tmp/certificates.crt \
            ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} sh -c "$2"' sh "$@"
}

# make_root SUITE: makes the minimal system if it does not exist.
make_root() {
    root=$roots/$1
    [ ! -f "$root.made" ] || return 0
    scripts=/usr/share/debootstrap/scripts
    case $1 in
    jammy | noble)
        keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
        if [ ! -f "$keyring" ]; then
            (make_root trixie)
            keyring=$roots/trixie$keyring
            [ -f "$keyring" ] ||
                fail "$roots/trixie is of before, and has not Ubuntu's keys: remove it and $roots/trixie.made"
        fi
        set -- "$1" http://archive.ubuntu.com/ubuntu "$scripts/jammy" --keyring="$keyring" --components=main,universe
        ;;
    # trixie has a package with Ubuntu's keys; bookworm does not.
    trixie) set -- "$1" http://deb.debian.org/debian "$scripts/trixie" --include=ubuntu-keyring ;;
    *) set -- "$1" http://deb.debian.org/debian "$scripts/trixie" ;;
    esac
    suite_of_root=$1 mirror=$2 script=$3
    shift 3
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase "$@" "$suite_of_root" "$root" "$mirror" "$script" >"$root.log" 2>&1 ||
        { tail -n 3 "$root.log"; exit 1; }
    touch "$root.made"
}

# judge NAME ROOT ASSAY EXAMPLES: checks that the command prints its version and cleans the example correctly.
judge() {
    place=$1 root=$2 assay=$3 examples=$4
    inside "$root" "$assay" --version | head -1 | grep -qx "assay $version" || fail "$place: --version"
    rm -rf "$root/tmp/out"
    mkdir "$root/tmp/out"
    inside "$root" "$assay" clean "$examples/users.csv" --rules "$examples/users.rules.yaml" \
        --output-dir /tmp/out --threads 2 \
        >"$work/summary" 2>&1 || fail "$place: clean: $(cat "$work/summary")"
    grep -q '  clean             3,760    94.00 %' "$work/summary" || fail "$place: clean: $(cat "$work/summary")"
    # Test gzip input and output, an iconv encoding, and a time zone.
    gzip -c "$root$examples/users.csv" >"$root/tmp/out/packed.csv.gz"
    inside "$root" "$assay" clean /tmp/out/packed.csv.gz --rules "$examples/users.rules.yaml" --quiet ||
        fail "$place: gzip"
    gzip -dc "$root/tmp/out/packed.clean.csv.gz" | cmp - "$root/tmp/out/users.clean.csv" || fail "$place: gzip"
    printf 'name\ncaf\351\n' >"$root/tmp/out/latin.csv"
    inside "$root" "$assay" check /tmp/out/latin.csv --encoding windows-1252 --quiet || fail "$place: windows-1252"
    echo "ok: $place"
}

# pythons SUITE: prints the Pythons of the suite.
pythons() {
    case $1 in
    jammy) echo 3.10 ;;
    bookworm) echo 3.11 ;;
    noble) echo 3.12 ;;
    trixie) echo 3.13 ;;
    forky) echo 3.14 3.15 ;;
    esac
}

# make_python_root SUITE: makes a copy of the minimal system with Python if it does not exist.
make_python_root() {
    root=$roots/$1-python packages=""
    [ ! -f "$root.made" ] || return 0
    for python in $(pythons "$1"); do packages="$packages python$python python$python-venv"; done
    rm -rf "$root"
    cp -a "$roots/$1" "$root"
    # Accept outdated indexes, because mirrors may lag behind. The indexes are still signed.
    inside_python "$root" "apt-get -q -o Acquire::Check-Valid-Until=false update &&
        apt-get -q install -y --no-install-recommends tzdata $packages" >"$root.log" 2>&1 ||
        { tail -n 3 "$root.log"; exit 1; }
    touch "$root.made"
}

# try_python SUITE PYTHON: tests the wheel without other packages, with the first steps of its README; then runs the
# package's tests with the other libraries.
try_python() {
    root=$roots/$1-python python=$2
    cp "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$root/tmp/certificates.crt"
    inside_python "$root" "rm -rf /opt/alone /tmp/alone && python$python -m venv /opt/alone &&
        mkdir /tmp/alone && cd /tmp/alone &&
        /opt/alone/bin/pip install -q --no-index /mnt/$wheel &&
        /opt/alone/bin/python -W error /mnt/Release/dist/first_steps.py /mnt/Examples" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "$1: the wheel by itself in Python $python"; }
    inside_python "$root" "python$python -m venv /opt/$python &&
        /opt/$python/bin/pip install -q --only-binary :all: $beside &&
        /opt/$python/bin/pip install -q --force-reinstall --no-deps --no-index /mnt/$wheel" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "$1: pip install in Python $python"; }
    # Scripts/test-python.sh runs the tests that build packages or need Spark.
    inside_python "$root" "cd /tmp && package=\$(echo /opt/$python/lib/python*/site-packages/assay) &&
        /opt/$python/bin/python -m pytest -q -p no:cacheprovider --doctest-modules --ignore=\$package/spark.py \
            --ignore=/mnt/Python/tests/test_wheel.py \$package /mnt/Python/tests" >"$work/log" 2>&1 ||
        { tail -n 60 "$work/log"; fail "$1: the tests of the Python package in Python $python"; }
    echo "ok: $1, the wheel in Python $python: $(tail -n 1 "$work/log")"
}

# needs FILE…: fails if a file needs a glibc function newer than 2.34. GLIBC_ABI_… of newer versions sorts after all
# numbers.
needs() {
    for file in "$@"; do
        newest=$(readelf -V "$file" | grep -o 'GLIBC_[A-Z0-9._]*' | sort -Vu | tail -n 1)
        [ -n "$newest" ] || fail "$file: readelf names no function of glibc"
        [ "$(printf '%s\n' GLIBC_2.34 "$newest" | sort -V | tail -n 1)" = GLIBC_2.34 ] ||
            fail "${file##*/} needs $newest"
    done
}

abi=$(sed -n 's/^#define ASSAY_ABI_VERSION //p' Sources/CAssayABI/assay/assay.h)
${CC:-cc} -std=c11 -Ibuild/dist/libassay/include Examples/c/check_table.c -Lbuild/dist/libassay/lib -lassay \
    -o "$work/check_table"
core=$out/assay-core-$version-linux-x86_64.tar.gz
mkdir "$work/core"
tar -xzf "$core" -C "$work/core" --strip-components=1 --no-same-owner
${CC:-cc} -std=c11 -I"$work/core/include" Examples/c/validate_column.c -L"$work/core/lib" -lassay-core \
    -o "$work/validate_column"
printf 'fields: [{name: id, type: integer}, {name: email, format: email}]\n' >"$work/rules.yaml"

# Check the documented requirements: the C library, by its symbol versions, and the Python package.
mkdir "$work/packages"
tar -xzf "$out/$name.tar.gz" -C "$work/packages"
dpkg-deb -x "$out/libassay${abi}_${version}_amd64.deb" "$work/packages"
python3 -m zipfile -e "$wheel" "$work/packages"
needs "$work/packages/$name/bin/assay" "$work/packages/usr/lib/libassay.so.$abi" "$work/packages/assay"/*.so \
    "$work/packages/assay/libassay.so.$abi"
sh Scripts/check-hardening.sh "$work/packages/$name/bin/assay" \
    "$work/packages/usr/lib/libassay.so.$abi" "$work/packages/assay"/*.so "$work/packages/assay/libassay.so.$abi"
echo "ok: read-only after loading"
for deb in "$out"/assay_*.deb "$out/libassay${abi}_"*.deb; do
    dpkg-deb --field "$deb" Depends | grep -q '^libc6 (>= 2.34)' || fail "$deb is said to need another glibc"
done
echo "ok: of glibc's functions those of 2.34 suffice"
tools=build/dist/tools
if [ ! -x "$tools/bin/check-wheel-contents" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check \
        abi3audit auditwheel check-wheel-contents twine
fi
"$tools/bin/twine" check --strict "$wheel" "$out/assay-$version.tar.gz" >"$work/log" ||
    { cat "$work/log"; fail "twine"; }
# W002 reports duplicates: GPL and GPL-3 of Debian's common licenses are the same text.
"$tools/bin/check-wheel-contents" --ignore W002 "$wheel" >"$work/log" ||
    { cat "$work/log"; fail "check-wheel-contents"; }
cmp "$work/packages/assay-$version.dist-info/sboms/libassay.cdx.json" "$out/libassay-$version.cdx.json" ||
    fail "the list of libraries in the wheel"
grep -qx "Project-URL: Homepage, .*" "$work/packages/assay-$version.dist-info/METADATA" ||
    fail "the wheel names no homepage"
"$tools/bin/abi3audit" --strict "$wheel" >"$work/log" 2>&1 || { cat "$work/log"; fail "abi3audit"; }
"$tools/bin/auditwheel" show "$wheel" >"$work/log" || { cat "$work/log"; fail "auditwheel"; }
tr '\n' ' ' <"$work/log" | grep -q 'consistent with the following platform tag: "manylinux_2_34_x86_64"' ||
    { cat "$work/log"; fail "auditwheel"; }
echo "ok: twine, check-wheel-contents, abi3audit and auditwheel"

claimed=$(sed -n 's/^  "Programming Language :: Python :: \(3\.[0-9]*\)",$/\1/p' Python/pyproject.toml)
[ -n "$claimed" ] || fail "Python/pyproject.toml names no version of Python"
suites=${*:-bookworm trixie forky jammy noble}
tried=$(for suite in $suites; do pythons "$suite"; done | tr '\n' ' ')
for python in $claimed; do
    case " $tried " in *" $python "*) continue ;; esac
    [ $# -gt 0 ] || fail "no suite has Python $python, which the wheel is said to be for"
    echo "not tried: Python $python, which the wheel is said to be for"
done
for suite in $suites; do
    (make_root "$suite")
    root=$roots/$suite

    rm -rf "$root/opt/$name"
    tar -xzf "$out/$name.tar.gz" -C "$root/opt" --no-same-owner
    judge "$suite, the archive" "$root" "/opt/$name/bin/assay" "/opt/$name/share/doc/assay/examples"
    [ -f "$root/opt/$name/share/man/man1/assay.1" ] || fail "$suite: the archive has no man page"

    cp "$out"/*.deb "$root/tmp/"
    # Install the documents, which minimal systems exclude, because this test checks them.
    inside "$root" sh -c 'dpkg --path-include=/usr/share/doc/* --path-include=/usr/share/man/* -i /tmp/assay_*.deb' \
        >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "$suite: dpkg -i"; }
    judge "$suite, the package" "$root" /usr/bin/assay /usr/share/doc/assay/examples
    [ "$(gzip -dc "$root/usr/share/man/man1/assay.1.gz" | head -c 4)" = '.\" ' ] || fail "$suite: the man page"
    # Test the library with a program that was built against it.
    cp "$work/check_table" "$work/rules.yaml" "$root/tmp/"
    inside "$root" sh -c 'dpkg -i /tmp/libassay[0-9]*.deb /tmp/libassay-dev*.deb' >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "$suite: dpkg -i libassay"; }
    inside "$root" /tmp/check_table /tmp/rules.yaml >"$work/found" || [ $? -eq 1 ] || fail "$suite: libassay"
    grep -qx '4 records: 2 clean, 2 rejected' "$work/found" || fail "$suite: libassay: $(cat "$work/found")"
    for file in include/assay/assay.h include/assay/assay.hpp lib/pkgconfig/libassay.pc \
        lib/cmake/assay/assay-config.cmake lib/libassay.a lib/libassay.so share/assay/tsan.supp; do
        [ -e "$root/usr/$file" ] || fail "$suite: libassay-dev has no $file"
    done
    inside "$root" dpkg -r libassay-dev "libassay$abi" >/dev/null
    echo "ok: $suite, libassay"
    # The development package needs that of PCRE2, so only its files are tested.
    cp "$work/validate_column" "$root/tmp/"
    printf 'DE104233\nxx\n' >"$root/tmp/values.txt"
    inside "$root" sh -c 'dpkg -i /tmp/libassay-core[0-9]*.deb' >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "$suite: dpkg -i libassay-core"; }
    inside "$root" /tmp/validate_column '[A-Z]{2}[0-9]{6}' /tmp/values.txt >"$work/found" || [ $? -eq 1 ] ||
        fail "$suite: libassay-core"
    grep -qx '2 values: 1 pass, 1 fail, 0 undecided' "$work/found" ||
        fail "$suite: libassay-core: $(cat "$work/found")"
    dpkg-deb --contents "$root"/tmp/libassay-core-dev*.deb >"$work/found"
    for file in include/assay/core.h lib/pkgconfig/assay-core.pc lib/cmake/assay-core/assay-core-config.cmake \
        lib/libassay-core.a lib/libassay-core.so; do
        grep -q "/usr/$file" "$work/found" || fail "$suite: libassay-core-dev has no $file"
    done
    echo "ok: $suite, libassay-core"
    inside "$root" sh -c 'dpkg -r assay && rm /tmp/*.deb' >/dev/null

    (make_python_root "$suite")
    for python in $(pythons "$suite"); do try_python "$suite" "$python"; done
done

# Test the image: unpack its only layer as a root file system.
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

# A second build in another folder must produce the same bytes.
sh Release/dist/again.sh
