/// The verdicts about many values: two bits for each.
///
///     let mask = pattern.verdicts(for: emails)
///     mask.failedCount                        // 12
///     for index in mask.indices(of: .fail) { … }
///     let (passed, rejected) = mask.partition(emails)
///
/// This is a collection of ``Verdict``. Reading an element or a count is O(1).
public struct VerdictMask: Sendable, Hashable, RandomAccessCollection {
    public let count: Int
    /// The number of values that failed.
    public let failedCount: Int
    /// The number of values that are undecided because of a limit.
    public let undecidedCount: Int
    /// The number of values that are undecided because the budget of the call was spent (``CallBudget``).
    public let overBudgetCount: Int
    /// The number of values that passed.
    public var passedCount: Int { count - failedCount - undecidedCount }

    /// Whether every value passed.
    public var allPassed: Bool { passedCount == count }

    // Bit i of word i / 64 belongs to value i; bits beyond the last value are 0; no value has both bits.
    private let failed: [UInt64]
    private let undecided: [UInt64]
    /// The masks of the values over the budget, by the first word of their chunk. Other chunks have no mask.
    private let over: [Int: [UInt64]]

    init(count: Int, failed: [UInt64], undecided: [UInt64], over: [Int: [UInt64]] = [:]) {
        self.count = count
        self.over = over
        overBudgetCount = over.values.joined().reduce(0) { $0 + $1.nonzeroBitCount }
        self.failed = failed
        self.undecided = undecided
        failedCount = failed.reduce(0) { $0 + $1.nonzeroBitCount }
        undecidedCount = undecided.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(index: Int) -> Verdict {
        checkPrecondition(index >= 0 && index < count, "index \(index) is outside 0..<\(count)")
        let (word, bit) = (index / 64, UInt64(index % 64))
        if failed[word] >> bit & 1 != 0 { return .fail }
        return undecided[word] >> bit & 1 != 0 ? .undecided : .pass
    }

    /// The number of values with this verdict.
    public func count(of verdict: Verdict) -> Int {
        switch verdict {
        case .pass: passedCount
        case .fail: failedCount
        case .undecided: undecidedCount
        }
    }

    /// Whether a value is undecided because the budget of the call was spent, so that it may be judged again.
    ///
    /// In the chunks that were in progress when the budget was spent, up to 4,096 values for each thread, this includes
    /// values that are undecided because of a limit on one value.
    public func isOverBudget(_ index: Int) -> Bool {
        checkPrecondition(index >= 0 && index < count, "index \(index) is outside 0..<\(count)")
        let first = index / bulkChunk * bulkChunk / 64
        return over[first].map { $0[index / 64 - first] >> UInt64(index % 64) & 1 != 0 } ?? false
    }

    /// The positions of the values with this verdict, in order.
    ///
    /// - Complexity: O(count / 64 + n) for n positions, which are found during the iteration.
    public func indices(of verdict: Verdict) -> VerdictIndices { VerdictIndices(mask: self, verdict: verdict) }

    /// Splits the values into those that passed and those that failed or are undecided, both in order.
    ///
    /// - Precondition: `values` are the ``count`` values of this mask.
    /// - Complexity: O(count).
    @inlinable
    public func partition<Values: Collection>(
        _ values: Values
    ) -> (passed: [Values.Element], rejected: [Values.Element]) {
        // Inlinable, because a generic function that the compiler does not specialize takes ten times as long.
        let count = values.count
        requireCount(count)
        var passed: [Values.Element] = []
        var rejected: [Values.Element] = []
        passed.reserveCapacity(passedCount)
        rejected.reserveCapacity(count - passedCount)
        var index = values.startIndex
        for first in stride(from: 0, to: count, by: 64) {
            var bits = passedBits(first / 64)
            for _ in 0..<Swift.min(64, count - first) {
                if bits & 1 != 0 { passed.append(values[index]) } else { rejected.append(values[index]) }
                bits >>= 1
                values.formIndex(after: &index)
            }
        }
        return (passed, rejected)
    }

    @usableFromInline
    func requireCount(_ valueCount: Int) {
        checkPrecondition(valueCount == count, "\(count) values were judged, not \(valueCount)")
    }

    @usableFromInline
    func passedBits(_ index: Int) -> UInt64 { word(index, of: .pass) }

    /// A mask of the values with this verdict among the values 64 × word ..< 64 × word + 64.
    fileprivate func word(_ word: Int, of verdict: Verdict) -> UInt64 {
        switch verdict {
        case .fail: failed[word]
        case .undecided: undecided[word]
        case .pass: ~failed[word] & ~undecided[word] & lowBits(count - 64 * word)
        }
    }

    fileprivate var wordCount: Int { failed.count }
}

/// The positions of the values with one verdict in a ``VerdictMask``. An iterator reads 64 verdicts at a time.
public struct VerdictIndices: Sendable, Sequence {
    let mask: VerdictMask
    let verdict: Verdict

    public struct Iterator: IteratorProtocol {
        let mask: VerdictMask
        let verdict: Verdict
        var word = -1
        var rest: UInt64 = 0

        public mutating func next() -> Int? {
            while rest == 0 {
                word += 1
                guard word < mask.wordCount else { return nil }
                rest = mask.word(word, of: verdict)
            }
            defer { rest &= rest - 1 }
            return 64 * word + rest.trailingZeroBitCount
        }
    }

    public func makeIterator() -> Iterator { Iterator(mask: mask, verdict: verdict) }

    /// The number of positions. O(1).
    public var count: Int { mask.count(of: verdict) }
    public var underestimatedCount: Int { count }
}
