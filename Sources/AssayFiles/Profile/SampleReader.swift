internal import Assay
internal import CAssay

/// Answers questions about a column from the random sample of a profile.
struct SampleReader {
    private let rows: [ProfileSample.Row]
    let types: [ProbedType]

    init(_ sample: ProfileSample, _ types: [ProbedType]) {
        (rows, self.types) = (sample.rows, types)
    }

    /// The number of records in the sample.
    var count: Int { rows.count }

    /// The values of a column, grouped by a key: a row of each group, its size, and its first record.
    private func counted(
        _ column: Int, _ key: (UnsafeBufferPointer<UInt8>) -> UInt64
    ) -> [(row: Int, count: Int, first: Int)] {
        var found: [UInt64: (row: Int, count: Int, first: Int)] = [:]
        for (index, row) in rows.enumerated() {
            guard let value = row.value(column) else { continue }
            let hash = value.withUnsafeBufferPointer(key)
            let known = found[hash] ?? (index, 0, .max)
            found[hash] = (known.row, known.count + 1, min(known.first, row.record))
        }
        return Array(found.values)
    }

    /// The shapes with runs, with the number of records in the sample.
    func shapes(_ column: Int) -> [ColumnProfile.Item] {
        counted(column) { value in
            Self.withShape(of: value) { assay_profile_hash($0.cBase, $0.count) }
        }.map { found in
            let text = rows[found.row].value(column)!.withUnsafeBufferPointer { value in
                Self.withShape(of: value) { ShapeText.text($0) }
            }
            return ColumnProfile.Item(text: text, count: found.count, firstRecord: found.first)
        }
    }

    private static func withShape<Result>(
        of value: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(ASSAY_SHAPE_BYTES)) { shape in
            let length = assay_profile_write_shape(value.cBase, value.count, 1, shape.baseAddress!)
            return body(UnsafeBufferPointer(rebasing: shape[..<length]))
        }
    }

    /// The values that occur in more than one record of the sample.
    func repeatedValues(_ column: Int) -> [ColumnProfile.Item] {
        counted(column) { assay_profile_hash($0.cBase, $0.count) }.filter { $0.count > 1 }.map { found in
            let text = String(decoding: rows[found.row].value(column)!, as: UTF8.self)
            return ColumnProfile.Item(text: text, count: found.count, firstRecord: found.first)
        }
    }

    /// The first values of a column, without words for missing ones.
    func values(_ column: Int, limit: Int = .max) -> SampleValues {
        var values = SampleValues()
        for row in rows {
            if values.count == limit { break }
            guard let value = row.value(column), !Self.isWord(value) else { continue }
            values.append(value)
        }
        return values
    }

    /// The distinct values of a column, without words for missing ones.
    func distinctValues(_ column: Int) -> SampleValues {
        var values = SampleValues()
        var seen: Set<[UInt8]> = []
        for row in rows {
            guard let value = row.value(column), !Self.isWord(value) else { continue }
            if seen.insert(Array(value)).inserted { values.append(value) }
        }
        return values
    }

    private static let words: Set<[UInt8]> = {
        var words: Set<[UInt8]> = []
        var index = 0
        while let word = assay_profile_word(index) {
            words.insert(Array(String(cString: word).utf8))
            index += 1
        }
        return words
    }()

    /// Whether a value is a word for a missing one. Compares only values with the first byte of a word, because each
    /// comparison copies the value.
    private static func isWord(_ value: ArraySlice<UInt8>) -> Bool {
        guard let first = value.first, beginsWord[Int(first)] else { return false }
        return words.contains(Array(value))
    }

    /// The first bytes of the words.
    private static let beginsWord: [Bool] = {
        let first = Set(words.map { $0[0] })
        return (0...UInt8.max).map { first.contains($0) }
    }()
}

/// Some values in one buffer.
struct SampleValues {
    private var bytes: [UInt8] = []
    private var cells: [assay_cell] = []

    var count: Int { cells.count }

    /// The values as text.
    var texts: [String] {
        cells.map { String(decoding: bytes[Int($0.start)..<Int($0.start + $0.length)], as: UTF8.self) }
    }

    mutating func append(_ value: ArraySlice<UInt8>) {
        cells.append(assay_cell(start: UInt32(bytes.count), length: UInt32(value.count)))
        bytes += value
    }

    /// The range of the lengths of the values, if there are any and all consist of only ASCII digits; otherwise `nil`.
    var lengthsOfDigits: ClosedRange<Int>? { AssayFiles.lengthsOfDigits(bytes, cells[...]) }

    /// The number of values that are numbers in a style.
    func count(of style: ProfilePlan.NumberStyle) -> Int { style.count(in: bytes, cells) }

    /// The number of integers without separators, and the number of integers with leading zeros.
    var integers: (count: Int, withLeadingZeros: Int) {
        let counts = ProfilePlan.NumberStyle.all[0].counts(in: bytes, cells)
        return (Int(counts.integers), Int(counts.leading_zeros))
    }

    /// The number of values of a type.
    func count(of type: ProbedType, scratch: OpaquePointer) -> Int {
        let none = [UInt64](repeating: 0, count: maskWords(count))
        var (failed, undecided) = (none, none)
        type.evaluate(bytes, cells, count, skip: none, scratch: scratch, failed: &failed, undecided: &undecided)
        return count - failed.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
