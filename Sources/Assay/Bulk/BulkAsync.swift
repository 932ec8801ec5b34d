internal import Dispatch
internal import Synchronization

extension BulkCheckable {
    /// Checks an array of strings or substrings on threads of Dispatch, while the calling task waits without a thread.
    ///
    /// - Parameters:
    ///   - threads: The number of threads; `nil`: the number of processors.
    ///   - limits: The maximum work for one value in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    /// - Throws: `CancellationError` soon after the task is cancelled.
    nonisolated(nonsending) public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(), budget: CallBudget? = nil
    ) async throws -> VerdictMask {
        let evaluator = bulkCheck.evaluator
        return try await onOtherThread(cancelled: BulkError.cancelled) { control in
            try bulk(
                evaluator, texts: values, threads: threads, limits: limits, budget: budget, progress: { _ in control() }
            )
        }
    }
}

extension Requirement where Value: Sendable {
    /// Checks many values of any type on threads of Dispatch, while the calling task waits without a thread.
    ///
    /// - Parameters:
    ///   - threads: The number of threads; `nil`: the number of processors.
    ///   - limits: The maximum work for one text in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    /// - Throws: `CancellationError` soon after the task is cancelled.
    @_disfavoredOverload
    nonisolated(nonsending) public func verdicts(
        for values: [Value], threads: Int? = nil, limits: MatchLimits = MatchLimits(), budget: CallBudget? = nil
    ) async throws -> VerdictMask {
        try await onOtherThread(cancelled: BulkError.cancelled) { control in
            try verdicts(for: values, threads: threads, limits: limits, budget: budget, progress: { _ in control() })
        }
    }
}

/// Runs work that blocks its thread on a thread of Dispatch, and suspends the calling task until the work ends.
///
/// The threads of Swift's tasks must not block, because there are only as many as processors.
///
/// - Parameters:
///   - cancelled: The error that `work` throws soon after its argument returned ``BulkControl/cancel``.
///   - work: Calls its argument from time to time.
/// - Throws: `CancellationError` if the task was cancelled, or the error of `work`.
package nonisolated(nonsending) func onOtherThread<Result: Sendable, Failure: Error & Equatable>(
    cancelled: Failure,
    _ work: @escaping @Sendable (_ control: @escaping @Sendable () -> BulkControl) throws -> Result
) async throws -> Result {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    do {
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Swift.Result { try work { cancellation.control } })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    } catch let error as Failure where error == cancelled {
        throw CancellationError()
    }
}

/// Whether the task that waits for work on another thread has been cancelled.
private final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    var control: BulkControl { isCancelled.load(ordering: .relaxed) ? .cancel : .proceed }
}
