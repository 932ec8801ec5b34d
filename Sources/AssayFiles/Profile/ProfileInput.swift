internal import Assay
internal import AssayRules
internal import CAssay

/// The records of a table that is profiled, slice by slice. Nothing else of the profile knows how records are read.
final class ProfileInput: Sendable {
    let table: PreparedTable
    /// What the columns are called; of JSON Lines the paths of their values.
    let names: [String]
    let reader: TableReader
    let dialect: assay_dialect
    /// Of JSON Lines; `nil`: the records are CSV.
    let paths: JSONPaths?
    private let width: RecordWidth
    private let sample: RecordSample?

    init(_ table: PreparedTable) throws {
        self.table = table
        let head = table.head
        let options = table.cleaner.options
        let limits = table.cleaner.rules.limits
        sample = options.sample
        width = RecordWidth(head)
        dialect = head.recordDialect
        let isJSON = head.format == .jsonLines
        if isJSON {
            names = head.fieldNames
            var rules = RuleFile()
            rules.schema.fields = names.map { Field(name: $0) }
            paths = try JSONPaths(rules)
        } else {
            names = head.header ?? head.placeNames
            paths = nil
        }
        let parts = table.parts
        reader = TableReader(
            parts.enumerated().map { index, part in
                part.records(
                    limits: isJSON ? limits.forLines : limits, most: options.head, rules: 0,
                    lastTerminator: index + 1 == parts.count ? 0 : head.endsAtCR ? 13 : 10, endsAtCR: head.endsAtCR,
                    spins: false)
            })
    }

    /// Bytes of all files, where that is known.
    var totalBytes: Int? {
        var total = 0
        for part in table.parts {
            guard let count = part.source.byteCount else { return nil }
            total += count
        }
        return total
    }

    /// Bytes above the first records.
    var headBytes: Int { table.parts.reduce(0) { $0 + $1.head.prefix.count } }

    func makeJSONReader() throws(NoMemoryError) -> JSONReader? {
        if let paths { try JSONReader(paths) } else { nil }
    }

    /// Lends the slices of a chunk, one after the other, with the rows that have no values, and those of them that are not UTF-8.
    ///
    /// - Parameter used: how much of the chunk's buffer is taken.
    func forEachSlice(
        of chunk: Chunk, _ json: JSONReader?,
        _ body: (
            _ slice: Slice, _ broken: UnsafePointer<UInt64>, _ garbled: UnsafePointer<UInt64>, _ used: inout UInt32
        ) throws -> Void
    ) throws {
        var used = chunk.freeStart
        let most = Slice.rowsEach(of: chunk.entries)
        for first in stride(from: 0, to: chunk.entries, by: most) {
            let slice = Slice(
                chunk, first: first, rows: min(most, chunk.entries - first), width: width, json: json, sample: sample)
            var failure: (any Error)?
            try slice.withBroken(used: &used) { broken, garbled, used in
                do { try body(slice, broken, garbled, &used) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }
}

/// The values of one column in a slice, or of the elements of its lists.
struct ProfileCells {
    let bytes: UnsafePointer<UInt8>
    let cells: UnsafePointer<assay_cell>
    let count: Int
    /// Values that do not count.
    let skip: UnsafePointer<UInt64>
    /// Values that are null or absent; `nil`: none are.
    let nulls: UnsafePointer<UInt64>?
    /// Of elements: their rows.
    let rowOf: UnsafePointer<UInt32>?
}
