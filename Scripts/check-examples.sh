#!/bin/sh
# Builds the packages Examples/swift and Examples/server, and compares the output of the example programs with the
# expected one. Scripts/test-integration.sh tests the server.
#
#   sh Scripts/check-examples.sh             build both, compare
#   sh Scripts/check-examples.sh --server    build the server; prints its path
#
# Both build in .build, the scratch path of the root package, so that the library is compiled once. SwiftPM repeats only
# its plan when the root changes, because the commands that compile the library are the same.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
build() { # build PACKAGE [OPTION…]
    package=$1
    shift
    # A cached build plan does not notice new files in the library.
    ASSAY_TARGETS=core swift build --package-path "Examples/$package" --scratch-path .build \
        --disable-build-manifest-caching "$@"
}
build server >build/examples.log 2>&1 || { cat build/examples.log >&2; exit 1; }
programs=$(build server --show-bin-path)
if [ "${1:-}" = --server ]; then
    echo "$programs/assay-server"
    exit 0
fi
build swift

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

printf 'pass\nCorrect4Horse\n' | expect form-field 0 "\
Must have at least 8 characters; Must contain a digit; Must contain an upper-case letter
ok" "$programs/form-field"

expect request-body 1 "items[1].sku: is not an article number
giftNote: Is missing" "$programs/request-body" < Examples/swift/order.json

expect many-strings 0 "2: bo at example.org
2 of 3 match" "$programs/many-strings" '[^@\s]+@[^@\s]+' < Examples/swift/addresses.txt
expect "many-strings without a pattern" 2 "usage: many-strings PATTERN < lines.txt" "$programs/many-strings"
