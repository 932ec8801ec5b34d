#!/bin/sh
# Links the command of the test build again, with the static Swift runtime, and prints its path. Its start takes about
# 5 ms of processor time instead of 8 ms, because the loader opens and relocates fewer libraries; the tests start it
# 6,000 times.
#
#   ASSAY=$(sh Scripts/link-test-command.sh)        after `make build-tests`
#
# SwiftPM cannot do this, because it would also link the test bundle statically. Without the static runtime, and on
# systems other than Linux, prints the path of the command of SwiftPM.
set -eu
cd "$(dirname "$0")/.."
build=$PWD/.build/tests/release
linked=$PWD/build/test-command/assay
if [ "$(uname -s)" != Linux ] || [ ! -x "$build/assay" ] || [ ! -f "$build/assay.product/Objects.LinkFileList" ]; then
    echo "$build/assay"
    exit 0
fi
if [ ! -x "$linked" ] || [ "$build/assay" -nt "$linked" ]; then
    mkdir -p "${linked%/*}"
    sh Scripts/static-libraries.sh "${linked%/*}/static"
    # SwiftPM names the entry point after the target. Foundation's static libraries do not list those that they need.
    # shellcheck disable=SC2046 # the list of libraries is meant to be split
    if ! "${SWIFTC:-swiftc}" -static-stdlib -gnone -o "$linked.new" "@$build/assay.product/Objects.LinkFileList" \
        -L"${linked%/*}/static" -l_FoundationCollections -l_FoundationCShims -lstdc++ \
        $(pkg-config --libs libpcre2-8 yaml-0.1 libzstd uchardet) \
        -Xlinker --gc-sections -Xlinker -s -Xlinker --defsym=main=AssayTool_main >"${linked%/*}/log" 2>&1; then
        echo "$build/assay"
        exit 0
    fi
    mv "$linked.new" "$linked"
fi
echo "$linked"
