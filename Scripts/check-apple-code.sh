#!/bin/sh
# Type-checks the code of AssayForms for UIKit, SwiftUI and Combine, and its uses in the articles, on systems without
# Apple's frameworks. Uses stubs of these frameworks (Tests/AppleStubs), which have names and types but no bodies.
#
#     Scripts/check-apple-code.sh [.build/tests/release/Modules]
#
# Needs the modules of the test build. Errors in the stubs make this check wrong; on a Mac, `swift build` is the real
# check.
set -eu
cd "$(dirname "$0")/.."
modules=${1:-.build/tests/release/Modules}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
maps=""
for map in CAssay/include CAssaySystem CPCRE2; do
    maps="$maps -Xcc -fmodule-map-file=Sources/$map/module.modulemap"
done
maps="$maps -Xcc -fmodule-map-file=$modules/../COpenCombineHelpers.build/module.modulemap"

# swift MODE NAME ADDITIONAL-OPTIONS SOURCE...
swift_frontend() {
    mode=$1
    name=$2
    shift 2
    # shellcheck disable=SC2086 # the lists are meant to be split
    swiftc $mode -module-name "$name" -parse-as-library -swift-version 6 -I "$work" -I "$modules" $maps "$@"
}
emit() { swift_frontend "-emit-module -emit-module-path $work/$1.swiftmodule" "$@"; }
check() { swift_frontend -typecheck "$@"; } # includes function bodies, which emitting a module skips

strict="-warnings-as-errors -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility"
# SwiftPM names the package after the folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]')
sources=$(find Sources/AssayForms -name '*.swift')

for stub in Combine UIKit SwiftUI; do emit "$stub" "Tests/AppleStubs/Modules/$stub.swift"; done
# shellcheck disable=SC2086 # the lists are meant to be split
check AssayForms $strict -package-name $package $sources
# Emit a module of AssayForms with the stubs. It precedes that of the build, which lacks this code, on the search path.
# shellcheck disable=SC2086
emit AssayForms $strict -package-name $package $sources
check Articles -warnings-as-errors Tests/AppleStubs/Articles/*.swift
# As in Xcode's template for applications, declarations are on the main actor by default.
check Application -warnings-as-errors -default-isolation MainActor \
    Tests/AppleStubs/Articles/CompositeValidators.swift Tests/AppleStubs/Articles/Requirements.swift \
    Tests/AppleStubs/MainActor/*.swift
echo "AssayForms and the lines of the articles type-check with UIKit, SwiftUI and Combine"
