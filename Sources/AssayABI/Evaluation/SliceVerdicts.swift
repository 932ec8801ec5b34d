internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The findings in one slice of a table: the rows for each rule with findings.
struct SliceVerdicts: ~Copyable {
    /// The rows of one slice that failed one rule for one reason, and the undecided rows.
    struct Found: Sendable {
        let rule: Int
        /// The index of the failed rows' reason in `FailureReason.all`, or `nil` if it is unknown.
        let failureReason: Int?
        var failed: [UInt64]
        var undecided: [UInt64]
        /// The undecided rows that a limit on row rules stopped, with the limit.
        var exhausted: [Int: CELResource] = [:]
        /// For a key, for each failed row: the record that has the key, or 0 if a part of the key is missing.
        var holders: [UInt64] = []

        /// The record that has the key of a failed row.
        func holder(word: Int, bit: UInt64) -> UInt64? {
            if holders.isEmpty { return nil }
            let before = failed[..<word].reduce(0) { $0 + $1.nonzeroBitCount }
            return holders[before + (failed[word] & (1 << bit - 1)).nonzeroBitCount]
        }
    }

    /// In reported order after the slice is complete.
    private(set) var found: [Found] = []
    private let words: Int
    /// The words of this slice in the masks of the table, initially zero.
    let rejected: UnsafeMutablePointer<UInt64>
    private let undecided: UnsafeMutablePointer<UInt64>
    private let missing: UnsafeMutablePointer<UInt64>
    /// The rows over the budget; `nil` without a budget.
    private let over: UnsafeMutablePointer<UInt64>?
    private let rows: Int

    init(
        rows: Int, rejected: UnsafeMutablePointer<UInt64>, undecided: UnsafeMutablePointer<UInt64>,
        missing: UnsafeMutablePointer<UInt64>, over: UnsafeMutablePointer<UInt64>? = nil
    ) {
        words = maskWords(rows)
        self.rows = rows
        self.over = over
        self.rejected = rejected
        self.undecided = undecided
        self.missing = missing
    }

    /// Adds the rows that failed a rule or were left undecided.
    ///
    /// - Parameter exhausted: the undecided rows that a limit on row rules stopped.
    mutating func add(
        _ rule: Int, failed: UnsafePointer<UInt64>, undecided: UnsafePointer<UInt64>?,
        exhausted: [Int: CELResource] = [:], isReject: Bool
    ) {
        let place = place(of: rule, failureReason: nil)
        if isReject { assay_mask_merge(rejected, failed, words) }
        found[place].failed.merge(failed)
        // Almost all masks of undecided rows are zero and share their memory.
        guard let undecided, assay_mask_merge(self.undecided, undecided, words) else { return }
        if isReject { assay_mask_merge(rejected, undecided, words) }
        found[place].undecided.merge(undecided)
        found[place].exhausted = exhausted
    }

    mutating func add(_ kind: FindingKind, row: Int, isReject: Bool) {
        let place = place(of: kind.rule, failureReason: kind.failureReason)
        let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
        if kind.isUndecided {
            found[place].undecided[word] |= bit
            undecided[word] |= bit
            found[place].exhausted[row] = kind.exhausted
        } else {
            found[place].failed[word] |= bit
        }
        if isReject { rejected[word] |= bit }
    }

    /// Adds rows that the budget of the call left undecided.
    func addOver(_ rows: UnsafePointer<UInt64>) { if let over { assay_mask_merge(over, rows, words) } }
    func addOver(row: Int) { over?[row / 64] |= 1 << UInt64(row % 64) }
    /// Adds all rows, except rejected ones if `butRejected` is set.
    func addAllOver(butRejected: Bool = false) {
        for word in 0..<words {
            over?[word] |= lowBits(rows - 64 * word) & (butRejected ? ~rejected[word] : ~0)
        }
    }

    /// Rejects the rows over the budget, so that their keys are not compared.
    func rejectOver() { if let over { assay_mask_merge(rejected, over, words) } }

    /// Converts the rows over the budget to findings of a rule. They are rejected, because a rule might reject them.
    mutating func reportOver(_ rule: Int) {
        guard let over, (0..<words).contains(where: { over[$0] != 0 }) else { return }
        let place = place(of: rule, failureReason: nil)
        assay_mask_merge(rejected, over, words)
        assay_mask_merge(undecided, over, words)
        found[place].undecided.merge(over)
    }

    func addMissing(_ rows: UnsafePointer<UInt64>) { assay_mask_merge(missing, rows, words) }

    func addMissing(row: Int) { missing[row / 64] |= 1 << UInt64(row % 64) }

    /// The index in `found` of a rule with this failure reason. Columns are added in reported order, so it is almost
    /// always at the end. The failure reasons of a rule are in the order of their first use, because a value has only
    /// one.
    private mutating func place(of rule: Int, failureReason: Int?) -> Int {
        var place = found.count
        while place > 0, found[place - 1].rule >= rule {
            place -= 1
            if found[place].rule == rule && found[place].failureReason == failureReason { return place }
        }
        while place < found.count, found[place].rule == rule { place += 1 }
        found.insert(empty(rule, failureReason), at: place)
        return place
    }

    private func empty(_ rule: Int, _ failureReason: Int?) -> Found {
        let none = words == Self.noRows.count ? Self.noRows : [UInt64](repeating: 0, count: words)
        return Found(rule: rule, failureReason: failureReason, failed: none, undecided: none)
    }

    /// The empty mask of a whole slice.
    private static let noRows = [UInt64](repeating: 0, count: SchemaEvaluator.sliceRows / 64)
}

extension [UInt64] {
    /// Sets the bits of a mask of the same length.
    fileprivate mutating func merge(_ other: UnsafePointer<UInt64>) {
        withUnsafeMutableBufferPointer { _ = assay_mask_merge($0.baseAddress!, other, $0.count) }
    }
}
