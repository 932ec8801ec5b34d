#!/bin/sh
# Runs `swift build` with the settings of released binaries: optimized, with the Swift runtime included.
#
#   sh Scripts/swift-release.sh --product assay        further arguments go to `swift build`; the compiler is $SWIFT
#
# All release builds use this script, because SwiftPM compiles everything again when its options change.
set -eu
cd "$(dirname "$0")/.."
root=$PWD

# Include the Swift runtime, so that the binary runs without an installed Swift. On Apple's systems the runtime is part
# of the system. With .build/static (Scripts/static-libraries.sh), the binary also includes the C++ runtime.
[ "$(uname -s)" != Linux ] || set -- --static-swift-stdlib -Xlinker -s -Xswiftc -L.build/static "$@"
# Intel's processors before Ice Lake decode a branch that crosses 32 bytes on each execution: see vendor-notes.md.
[ "$(uname -m)" != x86_64 ] || set -- -Xcc -mbranches-within-32B-boundaries "$@"
# Access generic types by functions instead of names. For a name, Swift's runtime searches all 4,600 conformances in the
# command: without this option, the start takes 29 % more instructions.
set -- -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors "$@"
# Equal sources produce equal bytes in any folder (vendor-notes.md):
# - compiled code does not contain paths of this machine;
# - objects do not contain a hash of their inputs, because it depends on the folder;
# - only LLVM unrolls loops, because the output of Swift's own pass depends on memory addresses in the compiler.
set -- -Xcc "-ffile-prefix-map=$root=." -Xswiftc -file-prefix-map -Xswiftc "$root=." \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xswiftc -Xllvm -Xswiftc -sil-disable-pass=loop-unroll "$@"
# Leave out the macros, which no released product contains (Package.swift).
ASSAY_TARGETS=core
export ASSAY_TARGETS
# SwiftPM passes the traits to the compiler in the order of a set, and compiles everything again if the order changes.
SWIFT_DETERMINISTIC_HASHING=1
export SWIFT_DETERMINISTIC_HASHING
# The version of the only package in a released program. Package.swift has a range, because a version there would bind
# all packages that depend on this one.
parser=1.8.2
resolved() { # the version in Package.resolved; empty before the first resolution
    [ ! -f Package.resolved ] ||
        sed -n '/"identity" : "swift-argument-parser"/,/}/s/.*"version" : "\(.*\)".*/\1/p' Package.resolved
}
if [ "$(resolved)" != "$parser" ]; then
    # SwiftPM can set the version only of a package that it has resolved.
    "${SWIFT:-swift}" package resolve >&2
    [ "$(resolved)" = "$parser" ] || "${SWIFT:-swift}" package resolve swift-argument-parser --version "$parser" >&2
fi
exec "${SWIFT:-swift}" build -c release --disable-build-manifest-caching "$@"
