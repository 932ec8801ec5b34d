// The bulk calls of patterns and requirements have the same form: see Requirement+Bulk.swift.
extension Pattern {
    /// Checks an array of strings, or of substrings such as the fields of a line, which are not copied into strings.
    ///
    /// Uses all processors (`DispatchQueue.concurrentPerform` over chunks of 4,096 values). The verdicts are in the
    /// order of the values, and do not depend on the number of threads. Values need no individual allocations.
    ///
    /// Do not call this from an `async` function with other work to do, because it blocks the thread until it is done.
    ///
    /// - Parameters:
    ///   - threads: The number of threads, including the caller's; `nil`: the number of processors; 1: only the calling
    ///     thread, without Dispatch.
    ///   - limits: The maximum work for one value.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(), budget: CallBudget? = nil
    ) -> VerdictMask {
        uncancelled { () throws(BulkError) in
            try bulk(BulkJudge(self), texts: values, threads: threads, limits: limits, budget: budget, progress: nil)
        }
    }

    /// Checks an array of strings or substrings, and reports progress.
    ///
    /// - Parameters:
    ///   - threads: As in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: The maximum work for one value.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    ///   - progress: Called after each chunk by the thread that finished it. Calls never overlap. If it returns
    ///     ``BulkControl/cancel``, the call ends soon.
    /// - Throws: ``BulkError/cancelled``.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(BulkJudge(self), texts: values, threads: threads, limits: limits, budget: budget, progress: progress)
    }

    /// Checks consecutive values in a buffer in the Arrow layout: value *i* is `utf8[offsets[i]..<offsets[i + 1]]`, so
    /// that *n* values have *n* + 1 offsets. Values are not copied.
    ///
    /// The bytes are not trusted: a value that is not well-formed UTF-8 fails.
    ///
    /// - Parameters:
    ///   - threads: As in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: The maximum work for one value.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    ///   - progress: As in ``verdicts(for:threads:limits:budget:progress:)``.
    /// - Throws: ``BulkError/badOffset(index:)``; ``BulkError/cancelled``.
    public func verdicts(
        utf8: Span<UInt8>, offsets: Span<Int32>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) throws(BulkError) -> VerdictMask {
        try bulk(
            BulkJudge(self), utf8: utf8, offsets: offsets, threads: threads, limits: limits, budget: budget,
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
            BulkJudge(self), utf8: utf8, offsets: offsets, threads: threads, limits: limits, budget: budget,
            progress: progress)
    }
}
