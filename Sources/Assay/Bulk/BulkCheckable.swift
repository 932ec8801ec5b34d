/// A check of many strings in one call: a ``Pattern``, or a ``Requirement`` of strings.
///
///     let mask = try Pattern("[0-9]+").verdicts(for: ["12", "x"])
///
/// Column checks run in the C core. Closures of a requirement run only for the values that these leave open. The
/// verdicts are those of single values, in the order of the values, and do not depend on the number of threads.
///
/// All calls use all processors (`DispatchQueue.concurrentPerform` over chunks of 4,096 values). Each thread needs
/// about 1 MiB for matching. If the system has no memory for that, the process ends, as Swift ends it if other
/// allocations fail. A call blocks its thread until it is done. In `async` functions,
/// ``verdicts(for:threads:limits:budget:)`` has an asynchronous form, which suspends the task instead and ends when the
/// task is cancelled.
public protocol BulkCheckable: Sendable {
    /// The checks for many strings. Only types of this library can create the value.
    var bulkCheck: BulkCheck { get }
}

/// The checks of a ``BulkCheckable`` for many strings.
public struct BulkCheck: Sendable {
    let evaluator: BulkEvaluator
}

extension Pattern: BulkCheckable {
    public var bulkCheck: BulkCheck { BulkCheck(evaluator: BulkEvaluator(self)) }
}

extension Requirement: BulkCheckable where Value == String {
    public var bulkCheck: BulkCheck { BulkCheck(evaluator: BulkEvaluator(self)) }
}

extension BulkCheckable {
    /// Checks an array of strings, or of substrings such as the fields of a line, which are not copied into strings.
    ///
    /// - Parameters:
    ///   - threads: The number of threads, including the caller's; `nil`: the number of processors; 1: only the calling
    ///     thread, without Dispatch.
    ///   - limits: The maximum work for one value in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(), budget: CallBudget? = nil
    ) -> VerdictMask {
        uncancelled { () throws(BulkError) in
            try bulk(
                bulkCheck.evaluator, texts: values, threads: threads, limits: limits, budget: budget, progress: nil)
        }
    }

    /// Checks an array of strings or substrings, and reports progress.
    ///
    /// - Parameters:
    ///   - threads: As in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: The maximum work for one value in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    ///   - progress: Called after each chunk by the thread that finished it. Calls never overlap. If it returns
    ///     ``BulkControl/cancel``, the call ends soon.
    /// - Throws: ``BulkError/cancelled``.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(
            bulkCheck.evaluator, texts: values, threads: threads, limits: limits, budget: budget, progress: progress)
    }

    /// Checks consecutive values in a buffer in the Arrow layout: value *i* is `utf8[offsets[i]..<offsets[i + 1]]`, so
    /// that *n* values have *n* + 1 offsets. Column checks copy no values; closures get strings.
    ///
    /// The bytes are not trusted: a value that is not well-formed UTF-8 fails.
    ///
    /// - Parameters:
    ///   - threads: As in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: The maximum work for one value in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    ///   - progress: As in ``verdicts(for:threads:limits:budget:progress:)``.
    /// - Throws: ``BulkError/badOffset(index:)``; ``BulkError/cancelled``.
    public func verdicts(
        utf8: Span<UInt8>, offsets: Span<Int32>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) throws(BulkError) -> VerdictMask {
        try bulk(
            bulkCheck.evaluator, utf8: utf8, offsets: offsets, threads: threads, limits: limits, budget: budget,
            progress: progress)
    }

    /// The same with 64-bit offsets, as in Arrow's large layout.
    ///
    /// - Throws: ``BulkError/badOffset(index:)``; ``BulkError/cancelled``.
    public func verdicts(
        utf8: Span<UInt8>, offsets: Span<Int64>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) throws(BulkError) -> VerdictMask {
        try bulk(
            bulkCheck.evaluator, utf8: utf8, offsets: offsets, threads: threads, limits: limits, budget: budget,
            progress: progress)
    }
}
