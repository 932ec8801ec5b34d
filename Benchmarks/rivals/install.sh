#!/bin/sh
# Installs the rivals of the benchmarks: RE2, Hyperscan, Miller and ripgrep from the system's packages, and a separate
# Python environment, Benchmarks/.rivals, with the pinned packages of requirements.txt.
#
#   sh Benchmarks/rivals/install.sh
#
# Building and testing Assay does not need these. The script reports rivals that it cannot install; the results omit
# these.
set -eu
cd "$(dirname "$0")/.."

sudo=""
[ "$(id -u)" -eq 0 ] || sudo=sudo
if command -v apt-get >/dev/null 2>&1; then
    $sudo apt-get update -qq
    # One by one: Hyperscan exists for x86-64 only, Vectorscan elsewhere.
    for package in libre2-dev libhyperscan-dev miller ripgrep valgrind python3-venv; do
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $package >/dev/null ||
            echo "not to be had: $package" >&2
    done
    [ -e /usr/include/hs/hs.h ] ||
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends libvectorscan-dev \
            >/dev/null || echo "not to be had: libvectorscan-dev" >&2
elif command -v brew >/dev/null 2>&1; then
    brew install -q re2 vectorscan miller ripgrep || echo "brew could not install all of them" >&2
fi

python3 -m venv .rivals
# Install wheels one by one, so that a package without a wheel for this machine does not stop the others.
grep -v '^#' rivals/requirements.txt | while read -r package; do
    .rivals/bin/pip install --quiet --disable-pip-version-check --only-binary :all: "$package" ||
        echo "not to be had: $package" >&2
done
