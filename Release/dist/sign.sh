#!/bin/sh
# Signs the checksums of a release: writes SHA256SUMS.sig, which Release/action/install.sh verifies.
#
#     sh Release/dist/sign.sh [FOLDER]        default: build/dist/VERSION
#
# ASSAY_SIGNING_KEY is a private key in OpenSSH format without a passphrase (a secret of CI), or the path of a key file.
# If the file has a public key, ssh-agent or a hardware key signs. Fails if the files differ from SHA256SUMS, or if
# Release/action/allowed_signers does not have the key.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
signers=$root/Release/action/allowed_signers
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' "$root/Sources/CAssay/include/assay/core.h")
fail() { echo "sign: $*" >&2; exit 1; }
cd "${1:-$root/build/dist/$version}"
[ -f SHA256SUMS ] || fail "there is no SHA256SUMS in $PWD: run 'make dist' first"
[ -n "${ASSAY_SIGNING_KEY:-}" ] || fail "ASSAY_SIGNING_KEY is empty: it is a private key, or the path of one"
grep -q '^[^#]' "$signers" || fail "Release/action/allowed_signers has no key yet: see Release/README.md"

sha256sum --check --quiet --strict SHA256SUMS ||
        fail "the files are not those of SHA256SUMS"
for file in *; do
    case $file in SHA256SUMS | SHA256SUMS.sig) continue ;; esac
    awk -v name="$file" '{ sub(/^\*/, "", $2) } $2 == name { found = 1 } END { exit !found }' SHA256SUMS ||
        fail "SHA256SUMS does not name $file"
done

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
case $ASSAY_SIGNING_KEY in
-----BEGIN*)
    key=$work/key
    printf '%s\n' "$ASSAY_SIGNING_KEY" >"$key"
    ;;
*) key=$ASSAY_SIGNING_KEY ;;
esac
ssh-keygen -q -Y sign -f "$key" -n assay-release <SHA256SUMS >"$work/signature" || fail "ssh-keygen could not sign"
ssh-keygen -Y verify -f "$signers" -I assay-release -n assay-release -s "$work/signature" <SHA256SUMS >/dev/null ||
    fail "Release/action/allowed_signers does not have this key: with this signature the release could not be installed"
umask 022
cat "$work/signature" >SHA256SUMS.sig
echo "$PWD/SHA256SUMS.sig"
