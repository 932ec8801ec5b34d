internal import CAssaySystem

/// The interruptions in a row after which a call is given up. A profiler interrupts a process some thousand times
/// a second. The calls themselves take about a tenth of a second (not measured).
private let maxInterruptions = 100_000

/// Calls a function of the system again while a signal interrupts it.
///
/// - Returns: its result; −1 with `errno` set if it fails, also with `EINTR` if each call is interrupted: a call that
///   is repeated for ever would hang the run.
func uninterrupted(_ call: () -> Int) -> Int {
    for _ in 1..<maxInterruptions {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
    return call()
}
