#!/bin/sh
# `swift build` as all that is released is built: optimized, with the Swift runtime inside.
#
#   sh Scripts/swift-release.sh --product assay        further arguments go to `swift build`; the compiler is $SWIFT
#
# SwiftPM compiles everything anew where its options change, so these stand in one place.
set -eu
cd "$(dirname "$0")/.."
root=$PWD

# One file that runs where Swift is not installed; on Apple's systems the runtime is part of the system.
# With .build/static (Scripts/static-libraries.sh) the C++ runtime below it goes in, too.
[ "$(uname -s)" != Linux ] || set -- --static-swift-stdlib -Xlinker -s -Xswiftc -L.build/static "$@"
# Intel's processors before Ice Lake decode a branch that crosses 32 bytes anew each time: see vendor-notes.md.
[ "$(uname -m)" != x86_64 ] || set -- -Xcc -mbranches-within-32B-boundaries "$@"
# Generic types by their functions instead of by their names. For a name, Swift's runtime looks at all 4,600 conformances in the
# command to find those of the type: without this it takes 29 % more instructions to start.
set -- -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors "$@"
# The same sources give the same bytes, in any folder (vendor-notes.md):
# - no folder of this machine is named in what is compiled;
# - the objects have no hash of what they were compiled from, which depends on the folder;
# - loops are unrolled by LLVM alone: Swift's own pass orders what a loop leaves behind by its addresses in the compiler's memory.
set -- -Xcc "-ffile-prefix-map=$root=." -Xswiftc -file-prefix-map -Xswiftc "$root=." \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xswiftc -Xllvm -Xswiftc -sil-disable-pass=loop-unroll "$@"
# Without the macros, which no released product contains (Package.swift).
ASSAY_TARGETS=core
export ASSAY_TARGETS
exec "${SWIFT:-swift}" build -c release --disable-build-manifest-caching "$@"
