extension Requirement where Value == String {
    /// Judges an array of strings, or of substrings such as the fields of a line, on all processors.
    ///
    /// What is data runs as column checks in the C core. Closures are asked only about the strings that those left
    /// open. The verdicts are those of ``evaluate(_:)``, in the order of the strings, for any number of threads.
    ///
    /// Each thread needs about 1 MiB for matching. Where the system has no memory for that, the process ends, as Swift
    /// ends it for want of any other memory.
    ///
    /// Do not call this from an `async` function with other work to do: it occupies the thread until it is done.
    ///
    /// - Parameters:
    ///   - threads: how many threads work, the caller's included; `nil`: as many as there are processors; 1: the
    ///     calling thread
    ///     alone, without Dispatch.
    ///   - limits: how much work one value may cause in each pattern.
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
    ///   - limits: how much work one value may cause in each pattern.
    ///   - budget: bounds of the whole call; values beyond them are undecided.
    ///   - progress: called after each chunk, from whichever thread finished it, but never by two at once. When it
    ///     returns
    ///     ``BulkControl/cancel`` the call ends soon.
    /// - Throws: ``BulkError/cancelled``.
    public func verdicts<Text: StringProtocol & Sendable>(
        for values: [Text], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(BulkJudge(self), texts: values, threads: threads, limits: limits, budget: budget, progress: progress)
    }

    /// Judges values that stand one after the other in a buffer, as Arrow keeps them: value *i* is
    /// `utf8[offsets[i]..<offsets[i + 1]]`, so that *n* values take *n* + 1 offsets. Column checks copy nothing;
    /// closures get strings.
    ///
    /// The bytes are not trusted: a value that is not well-formed UTF-8 fails, whatever the requirement asks.
    ///
    /// - Parameters:
    ///   - threads: as in ``verdicts(for:threads:limits:budget:)``.
    ///   - limits: how much work one value may cause in each pattern.
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

extension Requirement where Value: Sendable {
    /// Judges many values of any kind, on all processors: the verdicts of ``evaluate(_:)`` in the order of the values.
    ///
    /// - Parameters:
    ///   - threads: how many threads work, the caller's included; `nil`: as many as there are processors; 1: the
    ///     calling thread
    ///     alone, without Dispatch.
    ///   - limits: how much work one text may cause in each pattern.
    ///   - budget: bounds of the whole call; values beyond them are undecided.
    @_disfavoredOverload
    public func verdicts(
        for values: [Value], threads: Int? = nil, limits: MatchLimits = MatchLimits(), budget: CallBudget? = nil
    ) -> VerdictMask {
        uncancelled { () throws(BulkError) in
            try bulk(evaluator, values: values, threads: threads, limits: limits, budget: budget, progress: nil)
        }
    }

    /// Judges many values of any kind, and says how far it is.
    ///
    /// - Parameters:
    ///   - threads: how many threads work, as without `progress`.
    ///   - limits: how much work one text may cause in each pattern.
    ///   - budget: bounds of the whole call; values beyond them are undecided.
    ///   - progress: called after each chunk, from whichever thread finished it, but never by two at once. When it
    ///     returns
    ///     ``BulkControl/cancel`` the call ends soon.
    /// - Throws: ``BulkError/cancelled``.
    @_disfavoredOverload
    public func verdicts(
        for values: [Value], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(evaluator, values: values, threads: threads, limits: limits, budget: budget, progress: progress)
    }
}

/// Judges values one by one.
private func bulk<Value: Sendable>(
    _ evaluator: any Evaluator<Value>, values: [Value], threads: Int?, limits: MatchLimits,
    budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?
) throws(BulkError) -> VerdictMask {
    try runBulk(
        count: values.count, threads: threads, budget: budget, progress: progress,
        makeWorker: { Scratch(orEndWith: limits, charging: $0) },
        work: { scratch, rows, bits in
            bits.clear(rows: rows.count)
            scratch.withThreadUsingThis {
                // A span lends its elements; an array would count references up and down, on all threads.
                let values = values.span
                for index in rows {
                    let mayAsk = scratch.spend(onClosuresOver: 0)
                    bits.set(index - rows.lowerBound, mayAsk ? evaluator.evaluate(values[index]).verdict : .undecided)
                }
            }
        })
}
