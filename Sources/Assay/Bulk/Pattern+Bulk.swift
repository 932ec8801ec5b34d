// The bulk calls of a pattern and of a requirement are alike: see Requirement+Bulk.swift.
extension Pattern {
    /// Judges an array of strings, or of substrings such as the fields of a line, which are not copied into strings.
    ///
    /// All processors work (`DispatchQueue.concurrentPerform` over chunks of 4,096 values). The verdicts are in the order of the
    /// values, and the same for any number of threads. Nothing is allocated per value.
    ///
    /// Do not call this from an `async` function with other work to do: it occupies the thread until it is done.
    ///
    /// - Parameters:
    ///   - threads: how many threads work, the caller's included; `nil`: as many as there are processors; 1: the calling thread
    ///     alone, without Dispatch.
    ///   - limits: how much work one value may cause.
    ///   - budget: bounds of the whole call; values beyond them are undecided.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(), budget: CallBudget? = nil
    ) -> VerdictMask {
        uncancelled { () throws(BulkError) in
            try bulk(BulkJudge(self), texts: values, threads: threads, limits: limits, budget: budget, progress: nil)
        }
    }

    /// Judges an array of strings or substrings, and says how far it is.
    ///
    /// - Parameters:
    ///   - threads: as in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: how much work one value may cause.
    ///   - budget: bounds of the whole call; values beyond them are undecided.
    ///   - progress: called after each chunk, from whichever thread finished it, but never by two at once. When it returns
    ///     ``BulkControl/cancel`` the call ends soon.
    /// - Throws: ``BulkError/cancelled``.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(BulkJudge(self), texts: values, threads: threads, limits: limits, budget: budget, progress: progress)
    }

    /// Judges values that stand one after the other in a buffer, as Arrow keeps them: value *i* is
    /// `utf8[offsets[i]..<offsets[i + 1]]`, so that *n* values take *n* + 1 offsets. Nothing is copied.
    ///
    /// The bytes are not trusted: a value that is not well-formed UTF-8 fails.
    ///
    /// - Parameters:
    ///   - threads: as in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: how much work one value may cause.
    ///   - budget: bounds of the whole call; values beyond them are undecided.
    ///   - progress: as in ``verdicts(for:threads:limits:budget:progress:)``.
    /// - Throws: ``BulkError/badOffset(index:)``; ``BulkError/cancelled``.
    public func verdicts(
        utf8: Span<UInt8>, offsets: Span<Int32>, threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: (@Sendable (BulkProgress) -> BulkControl)? = nil
    ) throws(BulkError) -> VerdictMask {
        try bulk(
            BulkJudge(self), utf8: utf8, offsets: offsets, threads: threads, limits: limits, budget: budget,
            progress: progress)
    }

    /// The same with 64-bit offsets, as Arrow's large layout has them.
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
