#!/usr/bin/env bash
# Installs a release of assay on a runner of GitHub Actions (action.yml). Verifies the signature of the release's
# checksums, compares the checksum of the archive, and only then unpacks it and adds the program to the PATH of later
# steps.
#
#   ASSAY_VERSION    such as 0.1.0
#   ASSAY_CHECKSUM   an additional required SHA-256 of the archive; empty: only that of SHA256SUMS is required
#   ASSAY_RELEASES   the address that has a folder for each release
#
# The keys are in allowed_signers in this folder, so each version of the action has its own.
set -euo pipefail

fail() {
    echo "::error::$1"
    exit 2
}

version=${ASSAY_VERSION#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+.0-9A-Za-z]*)$ ]] ||
    fail "'version' of the assay action is a release such as 0.1.0, not '$version'"
signers=$(cd "$(dirname "$0")" && pwd)/allowed_signers
grep -q '^[^#]' "$signers" || fail "this version of the assay action has no key of a release: use a newer one"
command -v ssh-keygen >/dev/null ||
    fail "there is no ssh-keygen, which verifies the signature of a release: install OpenSSH 8.1 or later"
system=$(uname -s | tr '[:upper:]' '[:lower:]')
machine=$(uname -m)
name=assay-$version-$system-$machine
folder=$(mktemp -d "$RUNNER_TEMP/assay-XXXXXX")
cd "$folder"

fetch() { # fetch FILE MESSAGE
    curl --fail --silent --show-error --location --retry 3 --output "$1" "$ASSAY_RELEASES/v$version/$1" ||
        fail "assay $version has no $1: $2"
}

fetch SHA256SUMS "is there such a release?"
fetch SHA256SUMS.sig "releases are signed, and this one is not"
reason=$(ssh-keygen -Y verify -f "$signers" -I assay-release -n assay-release -s SHA256SUMS.sig <SHA256SUMS 2>&1) || {
    # Prefix the lines, because the message may contain text of the signature, and the runner would execute
    # '::notice::x'.
    printf '%s\n' "$reason" | tr -dc '[:print:]\n' | sed 's/^/ssh-keygen: /'
    fail "SHA256SUMS of assay $version is not signed with a key of this version of the action"
}

# A line is `HASH  NAME`, or has a star before the name.
checksum=$(awk -v name="$name.tar.gz" '{ sub(/^\*/, "", $2) } $2 == name { print $1 }' SHA256SUMS)
# Require the name with the version, because the signature alone is also valid for the files of other releases.
[[ $checksum =~ ^[0-9a-f]{64}$ ]] ||
    fail "SHA256SUMS names no $name.tar.gz: is there such a release for $system on $machine?"
given=$(printf %s "${ASSAY_CHECKSUM:-$checksum}" | tr '[:upper:]' '[:lower:]')
[ "$given" = "$checksum" ] ||
    fail "'checksum' of the assay action is $given, and $name.tar.gz of the release has $checksum"

fetch "$name.tar.gz" "SHA256SUMS names it"
if command -v sha256sum >/dev/null; then
    found=$(sha256sum "$name.tar.gz")
else
    found=$(shasum -a 256 "$name.tar.gz")
fi
[ "${found%% *}" = "$checksum" ] || fail "$name.tar.gz has the checksum ${found%% *}, not $checksum"

tar -xzf "$name.tar.gz"
program=$folder/$name/bin/assay
[ -x "$program" ] || fail "$name.tar.gz holds no program called assay"
dirname "$program" >>"$GITHUB_PATH"
"$program" --version
