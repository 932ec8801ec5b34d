#!/bin/sh
# Runs `swift build` or `swift test` with the settings of the test build, which is in .build/tests/release.
#
#   sh Scripts/swift-tests.sh build
#   sh Scripts/swift-tests.sh test --filter CleanerTests      further arguments go to `swift test`
#
# ASSAY_TARGETS selects the targets (Package.swift); without it, those of `make test`. With ASSAY_TRAITS, only these
# traits are enabled, and the build is in .build/tests-of-traits:
#
#   ASSAY_TRAITS=Command,Forms sh Scripts/swift-tests.sh build              without PCRE2
set -eu
cd "$(dirname "$0")/.."
action=$1
shift

scratch=.build/tests
if [ -n "${ASSAY_TRAITS:-}" ]; then
    scratch=.build/tests-of-traits
    set -- --traits "$ASSAY_TRAITS" "$@"
fi
# The release configuration without optimization, because it compiles in three quarters of the processor time of the
# debug configuration and does not define DEBUG, with which swift-argument-parser validates all options of a command
# several times at each start. That is half of the time of a short run, and the tests start thousands of processes.
set -- -c release -Xswiftc -Onone -Xswiftc -enable-testing --scratch-path "$scratch" "$@"
# Without debug information, because failed tests and preconditions report their lines without it.
set -- -Xswiftc -gnone "$@"
# Access generic types by functions instead of names: see Scripts/swift-release.sh.
set -- -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors "$@"
ASSAY_TARGETS=${ASSAY_TARGETS:-core}
export ASSAY_TARGETS
case $action in
build)
    # The archiver adds to an existing archive, so the members of renamed or removed sources would remain in it.
    rm -f "$scratch"/*/release/libAssayABI.a
    # See Scripts/swift-release.sh. Tests run with random hash values.
    SWIFT_DETERMINISTIC_HASHING=1
    export SWIFT_DETERMINISTIC_HASHING
    set -- --build-tests "$@" ;;
# One test at a time, so that durations are comparable; another target uses the other processor.
test) set -- --no-parallel "$@" ;;
esac
# A cached build plan does not notice that ASSAY_TARGETS changed.
exec "${SWIFT:-swift}" "$action" --disable-build-manifest-caching "$@"
