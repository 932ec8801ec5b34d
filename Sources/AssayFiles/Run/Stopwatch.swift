internal import CAssaySystem

/// Measures elapsed time, and the processor time of this process in the same interval.
package struct Stopwatch {
    /// Nanoseconds.
    package struct Reading: Sendable {
        package var clock = 0
        /// Of all threads.
        package var processors = 0
    }

    private let start: Reading

    /// Starts it.
    package init() { start = Self.now }

    /// The elapsed time since the start.
    package var reading: Reading {
        let now = Self.now
        return Reading(clock: now.clock - start.clock, processors: now.processors - start.processors)
    }

    private static var now: Reading {
        Reading(clock: nanoseconds(), processors: nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID))
    }
}

/// Returns the time of a monotonic clock.
func nanoseconds() -> Int { nanoseconds(of: CLOCK_MONOTONIC) }

private func nanoseconds(of clock: clockid_t) -> Int {
    var now = timespec()
    clock_gettime(clock, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
}
