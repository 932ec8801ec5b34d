internal import Assay
internal import AssayEvaluation
internal import CAssay
internal import CAssayABI

/// The keys of a table's rows as hashes that another program compares.
final class KeyHashes: Sendable {
    /// The maximum number of rows. There is a maximum, because an array of nulls can have any length without memory,
    /// and the hashes need memory for each row.
    static let maxRows = 1 << 26

    /// The ids of the keys, followed by those of the foreign keys.
    let ids: [String]
    let rows: Int
    /// For each key: 16 bytes per row, and one bit per row, which is set if the row has the key.
    private let values: [Block]
    private let validity: [Block]
    /// Whether a column decides which record is kept, and the order keys of its values by their first rows.
    private let hasPreference: Bool
    private let preferences = Lock<[Int: Preferences]>([:])
    private let allocator: Allocator

    /// The order keys of a slice.
    private struct Preferences {
        var rows: [Int] = []
        var ends: [Int] = []
        var text: [UInt8] = []
    }

    init(_ ids: [String], hasPreference: Bool, rows: Int, _ allocator: Allocator) throws(Fault) {
        var blocks: (values: [Block], validity: [Block]) = ([], [])
        for _ in ids {
            blocks.values.append(try Block(16 * rows, allocator))
            blocks.validity.append(try Block(8 * maskWords(rows), allocator))
        }
        (self.ids, self.rows, self.allocator) = (ids, rows, allocator)
        self.hasPreference = hasPreference
        (values, validity) = (blocks.values, blocks.validity)
    }

    /// Stores the keys of a slice.
    ///
    /// - Parameter firstRecord: the number of records before the first row.
    func put(_ keys: RowKeys, firstRecord: Int) {
        keys.forEachClaim { (key, number) throws(Never) in
            let row = Int(key.record) - firstRecord - 1
            let hash = values[number].bytes.assumingMemoryBound(to: UInt64.self) + 2 * row
            (hash[0], hash[1]) = (key.hash.low, key.hash.high)
            // Slices consist of whole words, so two workers never write to the same word.
            validity[number].words()[row / 64] |= 1 << UInt64(row % 64)
        }
        if !hasPreference { return }
        var own = Preferences()
        keys.forEachPreference { (row, orderKey) throws(Never) in
            own.rows.append(Int(keys.records[row]) - firstRecord - 1)
            own.text += orderKey
            own.ends.append(own.text.count)
        }
        if let first = own.rows.first { preferences.withLock { [own] in $0[first] = own } }
    }

    func array() throws(Fault) -> OutgoingArray {
        var children = zip(values, validity).map { values, validity in
            let nulls = (0..<maskWords(rows)).reduce(rows) { $0 - validity.words()[$1].nonzeroBitCount }
            return OutgoingArray(length: rows, nullCount: nulls, buffers: [validity, values])
        }
        if hasPreference { children.append(try array(of: preferences.withLock { $0 })) }
        return OutgoingArray(length: rows, buffers: [nil], children: children)
    }

    private func array(of preferences: [Int: Preferences]) throws(Fault) -> OutgoingArray {
        let pieces = preferences.sorted { $0.key < $1.key }.map(\.value)
        let text = try Block(pieces.flatMap(\.text), allocator)
        let offsets = try Block(MemoryLayout<Int64>.stride * (rows + 1), allocator)
        let validity = try Block(8 * maskWords(rows), allocator)
        let ends = offsets.numbers(Int64.self)
        var (next, known, end) = (0, 0, 0)
        for piece in pieces {
            for (index, row) in piece.rows.enumerated() {
                while next <= row {
                    ends[next] = Int64(end)
                    next += 1
                }
                end += piece.ends[index] - (index == 0 ? 0 : piece.ends[index - 1])
                validity.words()[row / 64] |= 1 << UInt64(row % 64)
                known += 1
            }
        }
        while next <= rows {
            ends[next] = Int64(end)
            next += 1
        }
        return OutgoingArray(length: rows, nullCount: rows - known, buffers: [validity, offsets, text])
    }

    var schema: OutgoingSchema {
        var children = ids.map { OutgoingSchema(format: "w:16", name: $0, isNullable: true) }
        if hasPreference { children.append(OutgoingSchema(format: "Z", name: "keep", isNullable: true)) }
        return OutgoingSchema(format: "+s", children: children)
    }
}
