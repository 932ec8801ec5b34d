internal import Assay
internal import AssayRules
internal import CAssay

/// The records at the start of a table, for guesses about its dialect. It borrows a batch.
struct SampleRecords {
    private let bytes: [UInt8]
    private let batch: UnsafeMutablePointer<assay_batch>
    private let dialect: assay_dialect
    /// The entries of the batch that are records, without comments.
    private let entries: [Int]
    /// The number of fields of each record; `nil` for malformed records.
    let widths: [Int?]

    /// - Parameters:
    ///   - sample: Bytes from the start of a record.
    ///   - isAll: Whether the table ends with the sample. Otherwise the last record may be incomplete and is left out.
    ///   - count: The maximum number of records.
    init(
        _ sample: ArraySlice<UInt8>, _ batch: UnsafeMutablePointer<assay_batch>, _ dialect: assay_dialect,
        limits: Limits, isAll: Bool, limit count: Int
    ) {
        // The second half is for cells with resolved quotes.
        bytes = sample + [UInt8](repeating: 0, count: sample.count)
        self.batch = batch
        self.dialect = dialect
        var limits = assay_record_limits(
            field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
        var dialect = dialect
        let status = bytes.withUnsafeBufferPointer {
            assay_scan(batch, &dialect, &limits, $0.baseAddress!, sample.count, UInt32(count), isAll, false)
        }
        let comment = UInt32(ASSAY_RECORD_COMMENT)
        entries =
            status == .ASSAY_OK
            ? (0..<Int(batch.pointee.record_count)).filter { batch.pointee.records[$0].flags & comment == 0 } : []
        widths = entries.map { entry in
            batch.pointee.records[entry].flags == 0
                ? Int(withUnsafePointer(to: dialect) { assay_batch_width(batch, $0, UInt32(entry)) }) : nil
        }
    }

    /// The texts of the fields of a record; empty if it is malformed or does not exist. Valid until the batch is
    /// reused.
    func texts(of index: Int) -> [String] {
        guard entries.indices.contains(index), widths[index] != nil else { return [] }
        return Self.texts(ofEntry: entries[index], batch, dialect, bytes, count: bytes.count / 2)
    }

    static func texts(
        ofEntry entry: Int, _ batch: UnsafeMutablePointer<assay_batch>, _ dialect: assay_dialect, _ bytes: [UInt8],
        count: Int
    ) -> [String] {
        var (bytes, dialect, used) = (bytes, dialect, UInt32(count))
        let fields = Int(batch.pointee.records[entry + 1].first_field - batch.pointee.records[entry].first_field)
        return (0..<fields).map { field in
            var cell = assay_cell()
            assay_batch_gather(batch, &dialect, &bytes, &used, UInt32(field), UInt32(entry), 1, nil, &cell)
            return String(decoding: bytes[Int(cell.start)..<Int(cell.start + cell.length)], as: UTF8.self)
        }
    }

    /// Whether a record is a line without any text.
    func isBlank(_ index: Int) -> Bool {
        let record = batch.pointee.records[entries[index]]
        return bytes[Int(record.start)..<Int(record.end)].allSatisfy { $0 == 10 || $0 == 13 }
    }

    /// The number of lines before a record.
    func line(of index: Int, endsAtCR: Bool) -> Int {
        countLines(bytes[..<Int(batch.pointee.records[entries[index]].start)], endsAtCR: endsAtCR)
    }
}
