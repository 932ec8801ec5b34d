internal import Assay

/// What was found in one slice of a table: for each rule that found anything, the rows.
struct SliceVerdicts: ~Copyable {
    /// The rows of one slice that one rule failed, and those it left undecided.
    struct Found: Sendable {
        let rule: Int
        var failed: [UInt64]
        var undecided: [UInt64]
    }

    /// In reported order, once the slice is done.
    private(set) var found: [Found] = []
    private let words: Int
    /// The words of this slice in the masks of the whole table, zero at first.
    private let rejected: UnsafeMutablePointer<UInt64>
    private let undecided: UnsafeMutablePointer<UInt64>
    private let missing: UnsafeMutablePointer<UInt64>

    init(
        rows: Int, rejected: UnsafeMutablePointer<UInt64>, undecided: UnsafeMutablePointer<UInt64>,
        missing: UnsafeMutablePointer<UInt64>
    ) {
        words = maskWords(rows)
        self.rejected = rejected
        self.undecided = undecided
        self.missing = missing
    }

    /// Adds the rows that a rule failed or left undecided.
    mutating func add(
        _ rule: Int, failed: UnsafePointer<UInt64>, undecided: UnsafePointer<UInt64>?, isReject: Bool
    ) {
        let place = place(of: rule)
        for word in 0..<words {
            let open = undecided?[word] ?? 0
            // Most words are zero, and so are nearly all masks of undecided rows, which then share their memory.
            if failed[word] != 0 { found[place].failed[word] |= failed[word] }
            if open != 0 {
                found[place].undecided[word] |= open
                self.undecided[word] |= open
            }
            if isReject { rejected[word] |= failed[word] | open }
        }
    }

    mutating func add(_ rule: Int, row: Int, isUndecided: Bool, isReject: Bool) {
        let place = place(of: rule)
        let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
        if isUndecided {
            found[place].undecided[word] |= bit
            undecided[word] |= bit
        } else {
            found[place].failed[word] |= bit
        }
        if isReject { rejected[word] |= bit }
    }

    func addMissing(_ rows: UnsafePointer<UInt64>) {
        for word in 0..<words { missing[word] |= rows[word] }
    }

    func addMissing(row: Int) { missing[row / 64] |= 1 << UInt64(row % 64) }

    /// Where the rule stands in `found`. Columns come in reported order, so that it is nearly always at the end.
    private mutating func place(of rule: Int) -> Int {
        if let place = found.lastIndex(where: { $0.rule <= rule }) {
            if found[place].rule == rule { return place }
            found.insert(empty(rule), at: place + 1)
            return place + 1
        }
        found.insert(empty(rule), at: 0)
        return 0
    }

    private func empty(_ rule: Int) -> Found {
        let none = words == Self.noRows.count ? Self.noRows : [UInt64](repeating: 0, count: words)
        return Found(rule: rule, failed: none, undecided: none)
    }

    /// The mask of a whole slice in which nothing is set.
    private static let noRows = [UInt64](repeating: 0, count: SchemaJudge.sliceRows / 64)
}
