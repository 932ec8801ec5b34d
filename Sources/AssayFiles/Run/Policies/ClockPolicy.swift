internal import Assay

/// Gives all evaluators one time, for rules that depend on the time of the run. A resumed run continues with the time
/// of the first one.
final class ClockPolicy: RunPolicy, ResumablePolicy {
    private let now: Lock<Timestamp>

    init(_ plan: RunPlan) { now = Lock(plan.options.now ?? .current) }

    func equip(_ parts: inout EvaluationParts) { parts.now = now.withLock { $0 } }

    func complete(_ result: inout RunResult, positions: [Int]) { result.now = now.withLock { $0 } }

    func code(with coder: inout CheckpointCoder, before next: Int) {
        let time = now.withLock { $0 }
        var (seconds, nanoseconds) = (Int(time.secondsSince1970), Int(time.nanoseconds))
        coder.code(&seconds)
        coder.code(&nanoseconds)
        guard coder.isReading, let nanoseconds = Int32(exactly: nanoseconds),
            let time = Timestamp(secondsSince1970: Int64(seconds), nanoseconds: nanoseconds)
        else { return }
        now.withLock { $0 = time }
    }
}
