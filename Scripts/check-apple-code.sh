#!/bin/sh
# Type-checks, where Apple's frameworks are not, what AssayForms has for UIKit, SwiftUI and Combine, and the seeds' lines that
# use it: against stubs of those frameworks (Tests/AppleStubs), which have the names and types and no bodies.
#
#     Scripts/check-apple-code.sh [.build/debug/Modules]
#
# Needs the modules of a debug build. What the stubs get wrong, this gets wrong: on a Mac, `swift build` is the check.
set -eu
cd "$(dirname "$0")/.."
modules=${1:-.build/debug/Modules}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
maps=""
for map in CAssay/include CPCRE2; do maps="$maps -Xcc -fmodule-map-file=Sources/$map/module.modulemap"; done
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
check() { swift_frontend -typecheck "$@"; } # bodies too, which emitting a module leaves out

strict="-warnings-as-errors -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility"
# As SwiftPM names it: by the folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]')
sources=$(find Sources/AssayForms -name '*.swift')

for stub in Combine UIKit SwiftUI; do emit "$stub" "Tests/AppleStubs/Modules/$stub.swift"; done
# shellcheck disable=SC2086 # the lists are meant to be split
check AssayForms $strict -package-name $package $sources
# The build's own AssayForms knows nothing of the frameworks; the one made here comes first on the path.
# shellcheck disable=SC2086
emit AssayForms $strict -package-name $package $sources
check Seeds -warnings-as-errors Tests/AppleStubs/Seeds/*.swift
# As in Xcode's template for applications: all is on the main actor unless it says otherwise.
check Application -warnings-as-errors -default-isolation MainActor \
    Tests/AppleStubs/Seeds/Seed003.swift Tests/AppleStubs/Seeds/Seed004.swift Tests/AppleStubs/MainActor/*.swift
echo "AssayForms and the seeds' lines type-check with UIKit, SwiftUI and Combine"
