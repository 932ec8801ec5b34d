internal import Assay
internal import CAssay

/// Asks the random records of a profile what was not counted in all.
struct SampleReader {
    private let rows: [ProfileSample.Row]
    let types: [ProbedType]

    init(_ sample: ProfileSample, _ types: [ProbedType]) {
        (rows, self.types) = (sample.rows, types)
    }

    /// How many records there are.
    var count: Int { rows.count }

    private func counted(
        _ column: Int, _ text: (UnsafeBufferPointer<UInt8>) -> [UInt8]
    ) -> [(text: [UInt8], count: Int, first: Int)] {
        var found: [[UInt8]: (count: Int, first: Int)] = [:]
        for row in rows {
            guard let value = row.value(column) else { continue }
            let key = value.withUnsafeBufferPointer(text)
            let known = found[key] ?? (0, .max)
            found[key] = (known.count + 1, min(known.first, row.record))
        }
        return found.map { ($0.key, $0.value.count, $0.value.first) }
    }

    /// Shapes with runs, and how many of the records have them.
    func shapes(_ column: Int) -> [ColumnProfile.Item] {
        counted(column) { value in
            var shape = [UInt8](repeating: 0, count: Int(ASSAY_SHAPE_BYTES))
            let length = assay_profile_write_shape(value.cBase, value.count, 1, &shape)
            return Array(shape[..<length])
        }.map { shape in
            ColumnProfile.Item(
                text: shape.text.withUnsafeBufferPointer { ShapeText.text($0) }, count: shape.count,
                firstRecord: shape.first)
        }
    }

    func values(_ column: Int) -> [ColumnProfile.Item] {
        counted(column) { Array($0) }.map {
            ColumnProfile.Item(text: String(decoding: $0.text, as: UTF8.self), count: $0.count, firstRecord: $0.first)
        }
    }

    /// The values of a column, one after another, without words for missing ones.
    func texts(_ column: Int) -> [[UInt8]] {
        let words = Self.words
        return rows.compactMap { $0.value(column).map { Array($0) } }.filter { !words.contains($0) }
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

    /// How many of some values are of a type.
    func count(_ values: [[UInt8]], of type: ProbedType, scratch: OpaquePointer) -> Int {
        var bytes: [UInt8] = []
        let cells = values.map { value in
            defer { bytes += value }
            return assay_cell(start: UInt32(bytes.count), length: UInt32(value.count))
        }
        let none = [UInt64](repeating: 0, count: maskWords(cells.count))
        var (failed, undecided) = (none, none)
        type.judge(bytes, cells, cells.count, skip: none, scratch: scratch, failed: &failed, undecided: &undecided)
        return cells.count - failed.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
