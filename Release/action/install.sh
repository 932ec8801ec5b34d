#!/usr/bin/env bash
# Installs a release of assay on a runner of GitHub Actions (action.yml): downloads the archive, compares its checksum, and puts
# the program on the PATH of later steps.
#
#   ASSAY_VERSION    such as 0.1.0
#   ASSAY_CHECKSUM   the SHA-256 of the archive; empty: what SHA256SUMS of the release says
#   ASSAY_RELEASES   the address that has a folder for each release
set -euo pipefail

version=${ASSAY_VERSION#v}
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+.0-9A-Za-z]*)$ ]]; then
    echo "::error::'version' of the assay action is a release such as 0.1.0, not '$version'"
    exit 2
fi
system=$(uname -s | tr '[:upper:]' '[:lower:]')
machine=$(uname -m)
name=assay-$version-$system-$machine
folder=$RUNNER_TEMP/assay-$version
mkdir -p "$folder"
cd "$folder"

fetch() { # fetch FILE
    curl --fail --silent --show-error --location --retry 3 --output "$1" "$ASSAY_RELEASES/v$version/$1" || {
        echo "::error::assay $version has no $1: is there such a release for $system on $machine?"
        exit 2
    }
}

fetch "$name.tar.gz"
checksum=${ASSAY_CHECKSUM:-}
if [ -z "$checksum" ]; then
    fetch SHA256SUMS
    # `HASH  NAME`, or with a star before the name.
    checksum=$(awk -v name="$name.tar.gz" '{ sub(/^\*/, "", $2) } $2 == name { print $1 }' SHA256SUMS)
fi
if command -v sha256sum >/dev/null; then
    found=$(sha256sum "$name.tar.gz")
else
    found=$(shasum -a 256 "$name.tar.gz")
fi
if [ "${found%% *}" != "$(printf %s "$checksum" | tr '[:upper:]' '[:lower:]')" ]; then
    echo "::error::$name.tar.gz has the checksum ${found%% *}, not ${checksum:-any that SHA256SUMS names}"
    exit 2
fi

tar -xzf "$name.tar.gz"
program=$(find "$folder" -type f -name assay -perm -u+x | head -n 1)
if [ -z "$program" ]; then
    echo "::error::$name.tar.gz holds no program called assay"
    exit 2
fi
dirname "$program" >>"$GITHUB_PATH"
"$program" --version
