internal import Assay

/// What came of the values of a dictionary, each judged once.
final class DictionaryVerdicts: Sendable {
    /// Whether no value has a finding or is missing.
    let isClean: Bool
    /// For each value that was judged: 0 clean, else 1 + which of the marks it has.
    private let marks: [UInt32]
    /// Which of those each value of the dictionary is; `nil`: all were judged.
    private let places: [UInt32]?
    private let kinds: [Mark]
    /// The rule of values that the budget of the call left undecided; `nil`: there is no budget.
    let budgetRule: Int?

    /// All that is to be said of a value. There are few different ones, however many values there are.
    private struct Mark: Hashable {
        var findings: [FindingKind] = []
        var isMissing = false
    }

    /// - Parameters:
    ///   - verdicts: the verdicts of a column that holds the dictionary, or some values of it.
    ///   - places: where each value of the dictionary is in that column, if not at its own index.
    init(_ verdicts: TableVerdicts, places: [UInt32]? = nil) {
        var marks = [UInt32](repeating: 0, count: verdicts.rows)
        var kinds: [Mark: UInt32] = [:]
        var ordered: [Mark] = []
        var mark = Mark()
        var last = (mark: Mark(), kind: UInt32(0))
        var reader = FindingReader(verdicts)
        var finding = reader.next()
        for row in 0..<verdicts.rows {
            mark.findings.removeAll(keepingCapacity: true)
            mark.isMissing = verdicts.missing.words()[row / 64] >> UInt64(row % 64) & 1 != 0
            while let found = finding, found.row == row {
                mark.findings.append(found.kind)
                finding = reader.next()
            }
            if mark.findings.isEmpty && !mark.isMissing { continue }
            // Most values are like the one before.
            if last.kind == 0 || mark != last.mark {
                let kind = kinds[mark] ?? UInt32(ordered.count + 1)
                if kind > ordered.count {
                    ordered.append(mark)
                    kinds[mark] = kind
                }
                last = (mark, kind)
            }
            marks[row] = last.kind
        }
        isClean = ordered.isEmpty
        self.marks = marks
        self.places = places
        self.kinds = ordered
        budgetRule = verdicts.over == nil ? nil : verdicts.rules.count - 1
        rejects = verdicts.rules.map { $0.severity == .reject }
    }

    /// Whether each of the rules rejects.
    private let rejects: [Bool]

    /// Calls the closures for everything that is to be said of some rows that have a value.
    ///
    /// - Parameter nulls: the rows without an index, as bits.
    func forEachMark(
        of indices: Indices, rows: Range<Int>, nulls: UnsafePointer<UInt64>,
        _ body: (FindingKind, _ isReject: Bool, _ row: Int) -> Void, missing report: (_ row: Int) -> Void
    ) {
        indices.forEach(rows) { row, index in
            let row = row - rows.lowerBound
            if nulls[row / 64] >> UInt64(row % 64) & 1 != 0 { return }
            let mark = Int(marks[places.map { Int($0[index]) } ?? index])
            if mark == 0 { return }
            let kind = kinds[mark - 1]
            if kind.isMissing { report(row) }
            for finding in kind.findings { body(finding, rejects[finding.rule], row) }
        }
    }
}
