#!/bin/sh
# Runs code with many threads under the thread sanitizer: the C core, with random pauses; the command, from Python;
# libassay, from C; and the Swift tests.
#
#   sh Scripts/test-tsan.sh [core] [command] [libassay] [swift]        default: all
#
# Reports are in build/tsan/reports and printed at the end; if there are any, the exit status is 1.
set -eu
cd "$(dirname "$0")/.."
scratch=build/tsan
reports=$PWD/$scratch/reports
log=$PWD/$scratch/build.log
mkdir -p "$scratch"
rm -rf "$reports"
mkdir "$reports"
TSAN_OPTIONS="suppressions=$PWD/Scripts/test-tsan.supp allocator_may_return_null=1 ${TSAN_OPTIONS:-}"
export TSAN_OPTIONS="log_path=$reports/race exitcode=66 $TSAN_OPTIONS"
# An installed Swift runtime treats SIGQUIT as a crash.
export SWIFT_BACKTRACE=enable=no

# All targets but the macros, and the traits of all (Package.swift).
ASSAY_TARGETS=core
export ASSAY_TARGETS

build() {
    swift build --sanitize=thread --scratch-path "$scratch" "$@" >"$log" 2>&1 || { tail -40 "$log"; exit 1; }
}

# Only tests with several threads, because most tests of patterns and CEL have one thread and would take hours.
filter='CleanerTests|BlockReaderTests|ChunkSizeTests|CleanStreamTests|InputTests|KeyTests|StopTests'
filter="$filter|SerialTimeTests|FindingWriterTests|GzipTests"
filter="$filter|BulkTests|RequirementSpanTests|RequirementBulkTests|AsyncRequirementTests"
filter="$filter|ValueRequirementTests|LockTests|PatternCacheTests|PatternTests"
filter="$filter|TicketSequencerTests|LiteralPatternsTests|FieldTests|ValidatorTests|CheckTests"

for part in "$@"; do
    case $part in
    core | command | libassay | swift) ;;
    *) echo "usage: $0 [core] [command] [libassay] [swift]" >&2; exit 2 ;;
    esac
done
failed=0
case " ${*:-core} " in *" core "*)
    cmake -S . -B "$scratch/core" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DASSAY_WERROR=ON -DASSAY_CHAOS=ON \
        -DASSAY_SANITIZE=thread >"$log"
    cmake --build "$scratch/core" --target test_determinism --parallel "$(getconf _NPROCESSORS_ONLN)" \
        >"$log" 2>&1 || { tail -40 "$log"; exit 1; }
    for placement in free one; do "$scratch/core/test_determinism" 20000 4 "$placement" || failed=1; done
    ;;
esac
case " ${*:-command} " in *" command "*)
    build --product assay
    ASSAY=$scratch/debug/assay
    export ASSAY
    # Not test_streams.py, because the sanitizer does not run with a limit on the size of files.
    for test in threads resume signals as_one; do
        echo "test_$test.py"
        python3 -m unittest discover -s Tests/CommandTests -p "test_$test.py" || failed=1
    done
    ;;
esac
case " ${*:-libassay} " in *" libassay "*)
    build --product AssayABI
    products=$(swift build --sanitize=thread --scratch-path "$scratch" --show-bin-path)
    for source in Tests/LibassayTests/test_*.c; do
        name=$(basename "$source" .c)
        case $name in test_arrow_random) few=2000 ;; *) few="" ;; esac
        clang -std=c11 -g -fsanitize=thread -ISources/CAssayABI -c "$source" -o "$scratch/$name.o"
        # shellcheck disable=SC2046 # flags
        swiftc -sanitize=thread "$scratch/$name.o" \
            -Xlinker --whole-archive "$products/libAssayABI.a" -Xlinker --no-whole-archive \
            $(pkg-config --libs libpcre2-8 yaml-0.1 libzstd uchardet) -o "$scratch/$name"
        echo "$name"
        mkdir -p "$scratch/work"
        # shellcheck disable=SC2086 # mostly empty
        "$scratch/$name" "$scratch/work" $few || failed=1
    done
    ;;
esac
case " ${*:-swift} " in *" swift "*)
    # The tests of the macros need a separate build; Package.swift has the reason.
    for targets in core macros; do
        ASSAY_TARGETS=$targets
        build --build-tests --disable-build-manifest-caching
        swift test --sanitize=thread --scratch-path "$scratch" --skip-build --disable-build-manifest-caching \
            --filter "$filter" || failed=1
    done
    ;;
esac

for report in "$reports"/*; do
    [ -e "$report" ] || continue
    failed=1
    cat "$report"
done
exit $failed
