#!/bin/sh
# Formats all sources (write), or fails if a source is not formatted (check).
set -eu
cd "$(dirname "$0")/.."
swift_sources="Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources
    Examples/swift/Package.swift Examples/swift/Sources Examples/server/Package.swift Examples/server/Sources"
# Skip build folders and virtual environments, which contain headers of other projects.
c_sources=$(find Sources Tests Examples Benchmarks Python Bindings \
    \( -name '.?*' -o -name build -o -name venv \) -prune -o \( -name '*.c' -o -name '*.h' \) -print)
case $1 in
write)
    # shellcheck disable=SC2086 # lists are meant to be split
    swift format format --in-place --parallel --recursive $swift_sources
    # shellcheck disable=SC2086
    clang-format -i $c_sources
    ;;
check)
    # shellcheck disable=SC2086
    swift format lint --strict --parallel --recursive $swift_sources
    # shellcheck disable=SC2086
    clang-format --dry-run --Werror $c_sources
    ;;
*)
    echo "usage: $0 write|check" >&2
    exit 2
    ;;
esac
