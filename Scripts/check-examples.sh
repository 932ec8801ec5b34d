#!/bin/sh
# Builds Examples/swift as somebody would who copied it, and holds what its programs print against what is expected.
# Its build is its own, in build/examples: the first takes as long as one of the library.
set -eu
cd "$(dirname "$0")/.."
# A cached plan does not know of files that are new in the library.
build="--package-path Examples/swift --scratch-path build/examples --disable-build-manifest-caching"
# shellcheck disable=SC2086 # the options are meant to be split
swift build $build
# shellcheck disable=SC2086
programs=$(swift build $build --show-bin-path)

expect() { # expect NAME EXIT-STATUS EXPECTED-OUTPUT, then the program; input from standard input
    name=$1 wanted=$2 expected=$3
    shift 3
    status=0
    output=$("$@" 2>&1) || status=$?
    if [ "$status" -ne "$wanted" ] || [ "$output" != "$expected" ]; then
        printf '%s: exit status %s instead of %s, and it printed\n%s\n' "$name" "$status" "$wanted" "$output" >&2
        exit 1
    fi
    echo "$name: as expected"
}

printf 'pass\nCorrect4Horse\n' | expect form-field 0 "Must have at least 8 characters; Must contain a digit; Must contain an upper-case letter
ok" "$programs/form-field"

expect request-body 1 "items[1].sku: is not an article number
giftNote: Is missing" "$programs/request-body" < Examples/swift/order.json

expect many-strings 0 "2: bo at example.org
2 of 3 match" "$programs/many-strings" '[^@\s]+@[^@\s]+' < Examples/swift/addresses.txt
expect "many-strings without a pattern" 2 "usage: many-strings PATTERN < lines.txt" "$programs/many-strings"
