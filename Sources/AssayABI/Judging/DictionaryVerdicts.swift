internal import Assay

/// What came of the values of a dictionary, each judged once.
final class DictionaryVerdicts: Sendable {
    /// One thing that is wrong with a value.
    struct Place: Sendable {
        let rule: Int
        let isUndecided: Bool
        let isReject: Bool
    }

    /// Whether no value has a finding or is missing.
    let isClean: Bool
    /// For each value: 0 clean, else 1 + which of the marks it has.
    private let marks: [UInt32]
    private let kinds: [Mark]

    /// All that is to be said of a value. There are few different ones, however many values there are.
    private struct Mark: Hashable {
        /// Twice the rule, and one more if it is undecided.
        var places: [Int] = []
        var isMissing = false
    }

    /// - Parameter verdicts: the verdicts of a column that holds the dictionary.
    init(_ verdicts: TableVerdicts) {
        var marks = [UInt32](repeating: 0, count: verdicts.rows)
        var kinds: [Mark: UInt32] = [:]
        var ordered: [Mark] = []
        var mark = Mark()
        var last = (mark: Mark(), kind: UInt32(0))
        var reader = FindingReader(verdicts)
        var finding = reader.next()
        for row in 0..<verdicts.rows {
            mark.places.removeAll(keepingCapacity: true)
            mark.isMissing = verdicts.missing.words()[row / 64] >> UInt64(row % 64) & 1 != 0
            while let found = finding, found.row == row {
                mark.places.append(2 * found.rule + (found.isUndecided ? 1 : 0))
                finding = reader.next()
            }
            if mark.places.isEmpty && !mark.isMissing { continue }
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
        self.kinds = ordered
        rejects = verdicts.rules.map { $0.severity == .reject }
    }

    /// Whether each of the rules rejects.
    private let rejects: [Bool]

    /// Calls the closures for everything that is to be said of some rows that have a value.
    ///
    /// - Parameter nulls: the rows without an index, as bits.
    func forEachMark(
        of indices: Indices, rows: Range<Int>, nulls: UnsafePointer<UInt64>, _ body: (Place, _ row: Int) -> Void,
        missing report: (_ row: Int) -> Void
    ) {
        indices.forEach(rows) { row, index in
            let row = row - rows.lowerBound
            if nulls[row / 64] >> UInt64(row % 64) & 1 != 0 { return }
            let mark = Int(marks[index])
            if mark == 0 { return }
            let kind = kinds[mark - 1]
            if kind.isMissing { report(row) }
            for place in kind.places {
                body(Place(rule: place / 2, isUndecided: place % 2 == 1, isReject: rejects[place / 2]), row)
            }
        }
    }
}
