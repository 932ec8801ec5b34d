internal import CAssay

/// Checks an array of strings.
func bulk<Text: StringProtocol & Sendable>(
    _ evaluator: BulkEvaluator, texts: [Text], threads: Int?, limits: MatchLimits,
    budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?
) throws(BulkError) -> VerdictMask {
    // Dispatch to specialized code for both kinds of text. The cast is of `Any`, because a cast of the array itself
    // would examine each element.
    switch texts as Any {
    case let strings as [String]:
        try bulk(evaluator, strings: strings, threads: threads, limits: limits, budget: budget, progress: progress)
    case let substrings as [Substring]:
        try bulk(evaluator, strings: substrings, threads: threads, limits: limits, budget: budget, progress: progress)
    default:
        try bulk(evaluator, strings: texts, threads: threads, limits: limits, budget: budget, progress: progress)
    }
}

private func bulk<Text: StringProtocol & Sendable>(
    _ evaluator: BulkEvaluator, strings values: [Text], threads: Int?, limits: MatchLimits,
    budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?
) throws(BulkError) -> VerdictMask {
    try runBulk(
        count: values.count, threads: threads, budget: budget, progress: progress,
        makeWorker: { StringWorker(limits: limits, $0) },
        work: { worker, rows, bits in worker.evaluate(values, rows, by: evaluator, bits: bits) })
}

/// A worker for strings: it packs them into columns and checks each column in one call.
struct StringWorker: ~Copyable {
    private let scratch: Scratch
    private var column = PackedColumn()
    private var long = LongValues()

    init(limits: MatchLimits, _ account: BudgetAccount?) { scratch = Scratch(orEndWith: limits, charging: account) }

    mutating func evaluate<Text: StringProtocol>(
        _ values: [Text], _ rows: Range<Int>, by evaluator: BulkEvaluator, bits: VerdictBits
    ) {
        withBorrowedTexts(of: values) { values in
            if let node = evaluator.node {
                self.evaluate(values, rows, node: node, bits: bits)
            } else {
                bits.clear(rows: rows.count)
            }
            evaluator.finish(rows: rows.count, bits: bits, scratch: scratch) { values[rows.lowerBound + $0].string }
        }
    }

    /// - Parameter node: The check for columns.
    private mutating func evaluate<Text: StringProtocol>(
        _ values: UnsafePointer<BorrowedText<Text>>, _ rows: Range<Int>, node: Node, bits: VerdictBits
    ) {
        var start = rows.lowerBound
        // Process 64 rows at a time, because column checks write whole words of the masks.
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: 64) {
            let end = min(first + 64, rows.upperBound)
            column.append(values, first..<end) { row, value in
                long.set(row, scratch.verdict(of: value, by: node))
            }
            guard column.isFull || end == rows.upperBound else { continue }
            let word = (start - rows.lowerBound) / 64
            let part = VerdictBits(failed: bits.failed + word, undecided: bits.undecided + word)
            node.evaluate(column.view, skip: long.skip, scratch: scratch.handle, into: part)
            long.merge(into: part, rows: column.count)
            column.removeAll()
            start = end
        }
    }
}

/// The verdicts of values that are too long to copy into a column and were checked in place.
struct LongValues: ~Copyable {
    private static let words = bulkChunk / 64
    private let evaluated = UnsafeMutablePointer<UInt64>.allocate(capacity: 3 * words)
    private var isEmpty = true

    init() { evaluated.initialize(repeating: 0, count: 3 * Self.words) }

    deinit { evaluated.deallocate() }

    mutating func set(_ row: Int, _ verdict: Verdict) {
        let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
        evaluated[word] |= bit
        if verdict == .fail { evaluated[Self.words + word] |= bit }
        if verdict == .undecided { evaluated[2 * Self.words + word] |= bit }
        isEmpty = false
    }

    /// The rows that a column check must skip.
    var skip: UnsafePointer<UInt64>? { isEmpty ? nil : UnsafePointer(evaluated) }

    /// Adds these verdicts to those of a column of `rows` values, and removes them here.
    mutating func merge(into bits: VerdictBits, rows: Int) {
        if isEmpty { return }
        for word in 0..<maskWords(rows) {
            bits.failed[word] |= evaluated[Self.words + word]
            bits.undecided[word] |= evaluated[2 * Self.words + word]
        }
        evaluated.update(repeating: 0, count: 3 * Self.words)
        isEmpty = true
    }
}
