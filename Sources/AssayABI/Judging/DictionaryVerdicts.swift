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
    /// For each value: 0 clean, else 1 + the index of its marks.
    private let marks: [UInt32]
    private let places: [[Place]]
    private let missing: [Bool]

    /// - Parameter verdicts: the verdicts of a column that holds the dictionary.
    init(_ verdicts: TableVerdicts) {
        var marks = [UInt32](repeating: 0, count: verdicts.rows)
        var places: [[Place]] = []
        var missing: [Bool] = []
        func mark(_ row: Int) -> Int {
            if marks[row] == 0 {
                places.append([])
                missing.append(false)
                marks[row] = UInt32(places.count)
            }
            return Int(marks[row]) - 1
        }
        for row in 0..<verdicts.rows where verdicts.missing.words()[row / 64] >> UInt64(row % 64) & 1 != 0 {
            missing[mark(row)] = true
        }
        verdicts.forEachFinding { row, rule, isUndecided in
            let isReject = verdicts.rules[rule].severity == .reject
            places[mark(row)].append(Place(rule: rule, isUndecided: isUndecided, isReject: isReject))
        }
        isClean = places.isEmpty
        self.marks = marks
        self.places = places
        self.missing = missing
    }

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
            if missing[mark - 1] { report(row) }
            for place in places[mark - 1] { body(place, row) }
        }
    }
}
