#!/bin/sh
# Checks the memory protection of ELF files: all addresses that the loader writes are read-only before the first
# function runs (full RELRO), no memory is both writable and executable, and code has no relocations. Programs must be
# position-independent.
#
#   sh Scripts/check-hardening.sh FILE…        prints each missing property, and exits with 1 if there is one
set -eu
[ $# -gt 0 ] || { echo "usage: $0 FILE…" >&2; exit 2; }
status=0
missing() { # missing FILE PROPERTY
    echo "check-hardening: $1: $2" >&2
    status=1
}
for file; do
    segments=$(LC_ALL=C readelf -lW "$file")
    dynamic=$(LC_ALL=C readelf -dW "$file")
    case $segments in
    *'Program Headers:'*) ;;
    *) missing "$file" "is no program and no shared library"; continue ;;
    esac
    case $segments in
    *GNU_RELRO*) ;;
    *) missing "$file" "no RELRO: data for the loader stays writable (-z relro)" ;;
    esac
    echo "$dynamic" | grep -Eq '\((FLAGS|FLAGS_1|BIND_NOW)\).*(BIND_NOW|NOW)' ||
        missing "$file" "addresses of functions are bound late and stay writable (-z now)"
    stack=$(echo "$segments" | awk '$1 == "GNU_STACK" { print $7 }')
    [ "$stack" = RW ] || missing "$file" "the stack is executable (-z noexecstack)"
    echo "$segments" | awk '$1 == "LOAD" && / RWE / { found = 1 } END { exit !found }' &&
        missing "$file" "a segment is writable and executable"
    case $dynamic in *TEXTREL*) missing "$file" "code has relocations (-z text)" ;; esac
    case $segments in *'Elf file type is EXEC'*) missing "$file" "runs at one address only (-pie)" ;; esac
done
exit $status
