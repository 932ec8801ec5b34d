/// Checks an array of optional strings: those that are not `nil` as a column, with the evaluator of their requirement.
func bulk(
    _ evaluator: BulkEvaluator, optionals values: [String?], nilIsConfirmed: Bool, threads: Int?, limits: MatchLimits,
    budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?
) throws(BulkError) -> VerdictMask {
    try runBulk(
        count: values.count, threads: threads, budget: budget, progress: progress,
        makeWorker: { OptionalWorker(limits: limits, $0) },
        work: { worker, rows, bits in
            worker.evaluate(values, rows, nilIsConfirmed: nilIsConfirmed, by: evaluator, bits: bits)
        })
}

/// A worker for optional strings: it collects the present ones of a chunk, checks them, and spreads their verdicts.
///
///     values    "a"  nil  nil  "b"
///     present   "a"  "b"
///     places    0    3
private struct OptionalWorker: ~Copyable {
    private var worker: StringWorker
    private var present: [String] = []
    private var places: [Int] = []

    init(limits: MatchLimits, _ account: BudgetAccount?) {
        worker = StringWorker(limits: limits, account)
        present.reserveCapacity(bulkChunk)
        places.reserveCapacity(bulkChunk)
    }

    mutating func evaluate(
        _ values: [String?], _ rows: Range<Int>, nilIsConfirmed: Bool, by evaluator: BulkEvaluator, bits: VerdictBits
    ) {
        bits.clear(rows: rows.count)
        present.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        for (row, index) in rows.enumerated() {
            if let value = values[index] {
                present.append(value)
                places.append(row)
            } else if !nilIsConfirmed {
                bits.set(row, .fail)
            }
        }
        let words = maskWords(present.count)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(1, 2 * words)) { memory in
            let base = memory.baseAddress!
            let part = VerdictBits(failed: base, undecided: base + words)
            part.clear(rows: present.count)
            worker.evaluate(present, 0..<present.count, by: evaluator, bits: part)
            for word in 0..<words {
                var open = part.failed[word] | part.undecided[word]
                while open != 0 {
                    let bit = open.trailingZeroBitCount
                    open &= open - 1
                    let isUndecided = part.undecided[word] >> UInt64(bit) & 1 != 0
                    bits.set(places[64 * word + bit], isUndecided ? .undecided : .fail)
                }
            }
        }
    }
}
