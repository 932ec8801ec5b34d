internal import Assay
internal import AssayEvaluation

/// The verdicts on the values of a dictionary, each checked once.
final class DictionaryVerdicts: Sendable {
    /// Whether all values are present and without findings.
    let isClean: Bool
    /// For each checked value: 0 if it is clean, otherwise 1 + the index of its mark.
    private let marks: [UInt32]
    private let kinds: [Mark]
    /// The rule of values that the budget left undecided; `nil` without a budget.
    let budgetRule: Int?

    /// The findings of a value. There are few distinct marks, even for many values.
    private struct Mark: Hashable {
        var findings: [FindingKind] = []
        var isMissing = false
    }

    /// - Parameter verdicts: the verdicts on a column that contains the dictionary.
    init(_ verdicts: TableVerdicts) {
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
            // Most values have the same mark as the previous one.
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
        self.kinds = ordered
        budgetRule = verdicts.over == nil ? nil : verdicts.rules.count - 1
        rejects = verdicts.rules.map(\.isReject)
    }

    /// Whether each of the rules rejects.
    private let rejects: [Bool]

    /// Calls the closures for all findings and missing values of some rows.
    ///
    /// - Parameter nulls: the rows without an index, as bits.
    func forEachMark(
        of indices: Indices, rows: Range<Int>, nulls: UnsafePointer<UInt64>,
        _ body: (FindingKind, _ isReject: Bool, _ row: Int) -> Void, missing report: (_ row: Int) -> Void
    ) {
        indices.forEach(rows) { row, index in
            let row = row - rows.lowerBound
            if nulls[row / 64] >> UInt64(row % 64) & 1 != 0 { return }
            let mark = Int(marks[index])
            if mark == 0 { return }
            let kind = kinds[mark - 1]
            if kind.isMissing { report(row) }
            for finding in kind.findings { body(finding, rejects[finding.rule], row) }
        }
    }
}
