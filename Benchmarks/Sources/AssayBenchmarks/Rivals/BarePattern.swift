import CBareLoop
import Dispatch

/// The bare C loop over `pcre2_jit_match`, with one handle per thread.
final class BarePattern {
    private let handles: [OpaquePointer]

    init(_ subject: Subject, threads: Int = 1) {
        handles = (0..<threads).map { _ in
            guard let handle = bare_pattern_create(subject.pattern, subject.pattern.utf8.count, false) else {
                fatalError("PCRE2 does not compile \(subject.pattern), or has no JIT here")
            }
            return handle
        }
    }

    deinit { handles.forEach(bare_pattern_free) }

    /// Counts the values of the column that match.
    func count(_ column: Column) -> Int { count(column, bare_pattern_count) }

    /// Counts with `pcre2_match`, which checks its arguments.
    func countSafely(_ column: Column) -> Int { count(column, bare_pattern_count_safely) }

    private func count(
        _ column: Column,
        _ loop: (OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<Int32>?, Int) -> Int
    ) -> Int {
        column.withPointers { loop(handles[0], $0, $1, column.count) }
    }

    /// Counts the values that match all patterns. Stops at the first pattern that fails.
    static func count(_ column: Column, all patterns: [BarePattern]) -> Int {
        let handles = patterns.map { Optional($0.handles[0]) }
        return column.withPointers { bare_pattern_count_all(handles, handles.count, $0, $1, column.count) }
    }

    /// Counts with one call of a C function for each of the first values.
    func countOneByOne(_ column: Column, _ count: Int) -> Int {
        column.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            var matches = 0
            for index in 0..<count {
                let start = Int(column.offsets[index])
                let length = Int(column.offsets[index + 1]) - start
                if bare_pattern_matches(handles[0], base + start, length) { matches += 1 }
            }
            return matches
        }
    }

    /// Counts equal parts of the column on all threads, to measure the gain of a second thread on this machine.
    func countOnAllThreads(_ column: Column) -> Int {
        let threads = handles.count
        var counts = [Int](repeating: 0, count: threads)
        // SAFETY: each thread uses only its own handle and its own element of `counts`.
        nonisolated(unsafe) let handles = handles
        column.bytes.withUnsafeBufferPointer { bytes in
            column.offsets.withUnsafeBufferPointer { offsets in
                counts.withUnsafeMutableBufferPointer { counts in
                    nonisolated(unsafe) let (bytes, offsets, counts) = (bytes, offsets, counts)
                    DispatchQueue.concurrentPerform(iterations: threads) { thread in
                        let first = column.count * thread / threads
                        let rows = column.count * (thread + 1) / threads - first
                        guard let base = offsets.baseAddress else { return }
                        counts[thread] = bare_pattern_count(handles[thread], bytes.baseAddress, base + first, rows)
                    }
                }
            }
        }
        return counts.reduce(0, +)
    }
}
