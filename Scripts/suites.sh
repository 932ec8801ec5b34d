#!/bin/sh
# Makes build/suites, where tests read the third-party suites: one folder per suite, from the archives in Tests/Suites.
#
#   sh Scripts/suites.sh              makes build/suites unless it is current
#   sh Scripts/suites.sh --fetch      the same, and downloads suites that we may not store
#   sh Scripts/suites.sh --missing    the same, and prints how many suites the tests can read
#
# Suites without an archive are copied from $ASSAY_SUITES or ../shared/suites, if they are there. Tests read
# $ASSAY_SUITES instead of build/suites if it is set. Any number of processes may run this script at the same time.
set -eu
export LC_ALL=C # one order of names, so that the stamp does not depend on the locale

# The data of these two is LGPL: see Tests/Suites/README.md.
without_archive="iso-codes iban-registry"
iso_codes_version=4.15.0-1

mode=${1:-}
case $mode in
"" | --fetch | --missing) ;;
*)
    echo "usage: $0 [--fetch | --missing]" >&2
    exit 2
    ;;
esac

override=""
[ -z "${ASSAY_SUITES:-}" ] || override=$(cd "$ASSAY_SUITES" 2>/dev/null && pwd) || override=$ASSAY_SUITES
cd "$(dirname "$0")/.."
set -- Tests/Suites/*.tar.gz
[ -e "$1" ] || shift
stamp=$(cksum Scripts/suites.sh "$@")
new=build/suites.new.$$
status=0

# Prints the folder from which to copy a suite that has no archive, if there is one.
source_of() {
    for folder in "$override" ../shared/suites; do
        if [ -n "$folder" ] && [ -f "$folder/$1/SOURCE.txt" ]; then
            echo "$folder/$1"
            return
        fi
    done
}

is_current() {
    [ "$stamp" = "$(cat build/suites/stamp 2>/dev/null)" ] || return 1
    for name in $without_archive; do
        source=$(source_of "$name")
        [ -z "$source" ] || diff -r "$source" "build/suites/$name" >/dev/null 2>&1 || return 1
    done
    [ "$mode" != --fetch ] || [ -d build/suites/iso-codes ]
}

# Downloads Debian's package and converts its tables. apt checks the signature of the package.
fetch_iso_codes() (
    mkdir "$new/package"
    cd "$new/package"
    apt-get -q download "iso-codes=$iso_codes_version" >log 2>&1 || { cat log >&2; return 1; }
    dpkg-deb -x ./*.deb .
    mkdir ../iso-codes
    python3 ../../../Tests/Suites/iso-codes.py usr/share/iso-codes/json >../iso-codes/cases.jsonl || return 1
    cat >../iso-codes/SOURCE.txt <<TEXT
repository: https://salsa.debian.org/iso-codes-team/iso-codes (Debian package iso-codes $iso_codes_version)
licence: LGPL-2.1-or-later
files: cases.jsonl, made by Tests/Suites/iso-codes.py
TEXT
    cd ..
    rm -rf package
)

fill() {
    for archive; do
        tar -xzof "$archive" -C "$new"
    done
    for name in $without_archive; do
        source=$(source_of "$name")
        [ -n "$source" ] || [ ! -d "build/suites/$name" ] || source=build/suites/$name
        [ -z "$source" ] || cp -RL "$source" "$new/"
    done
    chmod -R u+w "$new"
    if [ "$mode" = --fetch ] && [ ! -d "$new/iso-codes" ] && ! fetch_iso_codes; then
        echo "$0: iso-codes $iso_codes_version was not fetched: apt-get of Debian 12 must have it" >&2
        rm -rf "$new/package" "$new/iso-codes"
        status=1
    fi
    echo "$stamp" >"$new/stamp"
}

# Replaces the old folder with the new one. A lock prevents a process from removing the folder that another one has just
# made and that tests may already read.
install_new() {
    tries=0
    # The lock is held for two renames: a process that holds it for ten seconds was killed.
    until mkdir build/suites.lock 2>/dev/null || [ "$tries" -eq 100 ]; do
        tries=$((tries + 1))
        sleep 0.1 2>/dev/null || sleep 1 # POSIX knows only whole seconds
    done
    if ! is_current; then
        [ ! -d build/suites ] || mv build/suites "$new.old"
        mv "$new" build/suites
    fi
    rmdir build/suites.lock 2>/dev/null || :
}

if ! is_current; then
    trap 'rm -rf "$new" "$new.old"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p build "$new"
    fill "$@"
    install_new
fi

if [ "$mode" = --missing ]; then
    folder=${override:-build/suites}
    count=0 present=0 missing=""
    for name in "$@" $without_archive; do
        name=$(basename "$name" .tar.gz)
        count=$((count + 1))
        if [ -f "$folder/$name/SOURCE.txt" ]; then
            present=$((present + 1))
        else
            missing="$missing${missing:+,} $name"
        fi
    done
    echo "test suites: $present of $count present${missing:+; missing:$missing (see Tests/Suites/README.md)}"
fi
exit "$status"
