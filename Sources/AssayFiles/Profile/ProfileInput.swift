internal import Assay
internal import AssayRules
internal import CAssay

/// The records of a profiled table, slice by slice. The rest of the profile is independent of how records are read.
final class ProfileInput: Sendable {
    let table: PreparedTable
    /// The names of the columns; for JSON Lines the paths of the values.
    let names: [String]
    let reader: TableReader
    let dialect: assay_dialect
    /// The paths of JSON Lines; `nil` for CSV.
    let paths: JSONPaths?
    private let width: RecordWidth
    private let sample: RecordSample?

    init(_ table: PreparedTable) throws {
        self.table = table
        let head = table.head
        sample = table.cleaner.options.sample
        width = RecordWidth(head)
        dialect = head.recordDialect
        let isJSON = head.format == .jsonLines
        if isJSON {
            names = head.fieldNames
            paths = try JSONPaths.reading(Schema(fields: names.map { Field(name: $0) }), .jsonStrict)
        } else {
            names = head.header ?? head.placeNames
            paths = nil
        }
        reader = table.makeReader(rules: 0, spins: false, longest: FileBlocks.longestWithTables)
    }

    /// The number of bytes before the first records.
    var headBytes: Int { table.parts.reduce(0) { $0 + $1.head.prefix.count } }

    func makeJSONReader() throws(NoMemoryError) -> JSONReader? {
        if let paths { try JSONReader(paths) } else { nil }
    }

    /// Calls `body` with the slices of a chunk, in order, with the rows without values, and those of the rows that are
    /// not UTF-8.
    ///
    /// - Parameter used: The used size of the chunk's buffer.
    func forEachSlice(
        of chunk: Chunk, _ json: JSONReader?,
        _ body: (
            _ slice: Slice, _ broken: UnsafePointer<UInt64>, _ misencoded: UnsafePointer<UInt64>, _ used: inout UInt32
        ) throws -> Void
    ) throws {
        var used = chunk.freeStart
        let limit = Slice.rowsEach(of: chunk.entries)
        for first in stride(from: 0, to: chunk.entries, by: limit) {
            let slice = Slice(
                chunk, first: first, rows: min(limit, chunk.entries - first), width: width, json: json, sample: sample)
            var failure: (any Error)?
            try slice.withBroken(used: &used) { broken, misencoded, used in
                do { try body(slice, broken, misencoded, &used) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }
}

/// The values of one column in a slice, or the elements of its lists.
struct ProfileCells {
    let bytes: UnsafePointer<UInt8>
    let cells: UnsafePointer<assay_cell>
    let count: Int
    /// The values to skip.
    let skip: UnsafePointer<UInt64>
    /// The values that are null or absent; `nil` if all are present.
    let nulls: UnsafePointer<UInt64>?
    /// For elements: their rows.
    let rowOf: UnsafePointer<UInt32>?
}
