extension Requirement where Value: Sendable {
    /// Checks many values of any type on all processors. The verdicts are those of ``evaluate(_:)``, in the order of
    /// the values. For strings, see ``BulkCheckable``.
    ///
    /// - Parameters:
    ///   - threads: The number of threads, including the caller's; `nil`: the number of processors; 1: only the calling
    ///     thread, without Dispatch.
    ///   - limits: The maximum work for one text in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    @_disfavoredOverload
    public func verdicts(
        for values: [Value], threads: Int? = nil, limits: MatchLimits = MatchLimits(), budget: CallBudget? = nil
    ) -> VerdictMask {
        uncancelled { () throws(BulkError) in
            try bulk(self, values: values, threads: threads, limits: limits, budget: budget, progress: nil)
        }
    }

    /// Checks many values of any type, and reports progress.
    ///
    /// - Parameters:
    ///   - threads: The number of threads, as without `progress`.
    ///   - limits: The maximum work for one text in each pattern.
    ///   - budget: Limits of the whole call; values beyond them are undecided.
    ///   - progress: Called after each chunk by the thread that finished it. Calls never overlap. If it returns
    ///     ``BulkControl/cancel``, the call ends soon.
    /// - Throws: ``BulkError/cancelled``.
    @_disfavoredOverload
    public func verdicts(
        for values: [Value], threads: Int? = nil, limits: MatchLimits = MatchLimits(),
        budget: CallBudget? = nil, progress: @escaping @Sendable (BulkProgress) -> BulkControl
    ) throws(BulkError) -> VerdictMask {
        try bulk(self, values: values, threads: threads, limits: limits, budget: budget, progress: progress)
    }
}

private func bulk<Value: Sendable>(
    _ requirement: Requirement<Value>, values: [Value], threads: Int?, limits: MatchLimits,
    budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?
) throws(BulkError) -> VerdictMask {
    // Columns of tables are often optional. The cast is of `Any`, because a cast of the array itself would examine each
    // element.
    if let node = requirement.node as? OptionalNode<String>, let texts = values as Any as? [String?] {
        return try bulk(
            BulkEvaluator(node.child), optionals: texts, nilIsConfirmed: node.nilIsConfirmed, threads: threads,
            limits: limits, budget: budget, progress: progress)
    }
    // Ranges of numbers need no calls for each value. With a budget, each value is charged.
    if budget == nil {
        if let range = requirement.evaluator as? IntRange, let numbers = values as Any as? [Int] {
            return try bulk(numbers, threads: threads, progress: progress) { range.range.contains($0) }
        }
        if let range = requirement.evaluator as? DoubleRange, let numbers = values as Any as? [Double] {
            return try bulk(numbers, threads: threads, progress: progress) { $0 >= range.min && $0 <= range.max }
        }
    }
    return try bulk(
        requirement.evaluator, values: values, threads: threads, limits: limits, budget: budget, progress: progress)
}

/// Checks values by a condition that cannot be undecided, 64 at a time.
@inline(__always)
private func bulk<Value: Sendable>(
    _ values: [Value], threads: Int?, progress: (@Sendable (BulkProgress) -> BulkControl)?,
    passes: @escaping @Sendable (Value) -> Bool
) throws(BulkError) -> VerdictMask {
    try runBulk(
        count: values.count, threads: threads, budget: nil, progress: progress, makeWorker: { _ in },
        work: { _, rows, bits in
            let values = values.span
            for first in stride(from: rows.lowerBound, to: rows.upperBound, by: 64) {
                var failed: UInt64 = 0
                for index in first..<min(first + 64, rows.upperBound) where !passes(values[index]) {
                    failed |= 1 << UInt64(index - first)
                }
                bits.failed[(first - rows.lowerBound) / 64] = failed
                bits.undecided[(first - rows.lowerBound) / 64] = 0
            }
        })
}

/// Checks values one by one.
@_specialize(where Value == Int)
@_specialize(where Value == Double)
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
                    let mayEvaluate = scratch.spend(onClosuresOver: 0)
                    bits.set(
                        index - rows.lowerBound, mayEvaluate ? evaluator.evaluate(values[index]).verdict : .undecided)
                }
            }
        })
}
