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

    init(_ ids: [String], rows: Int, _ allocator: Allocator) throws(Fault) {
        var blocks: (values: [Block], validity: [Block]) = ([], [])
        for _ in ids {
            blocks.values.append(try Block(16 * rows, allocator))
            blocks.validity.append(try Block(8 * maskWords(rows), allocator))
        }
        (self.ids, self.rows) = (ids, rows)
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
    }

    var array: OutgoingArray {
        OutgoingArray(
            length: rows, buffers: [nil],
            children: zip(values, validity).map { values, validity in
                let nulls = (0..<maskWords(rows)).reduce(rows) { $0 - validity.words()[$1].nonzeroBitCount }
                return OutgoingArray(length: rows, nullCount: nulls, buffers: [validity, values])
            })
    }

    var schema: OutgoingSchema {
        OutgoingSchema(
            format: "+s", children: ids.map { OutgoingSchema(format: "w:16", name: $0, isNullable: true) })
    }
}
