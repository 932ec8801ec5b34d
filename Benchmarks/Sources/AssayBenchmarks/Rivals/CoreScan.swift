import CAssay

/// Scans a buffer in chunks, like the file cleaner, and counts records and fields.
final class CoreScan {
    /// The chunk size of the file cleaner, RecordReader.chunkBytes in AssayFiles.
    static let chunkBytes = 1 << 18
    private static let maxRecords: UInt32 = 1 << 17

    private let batch: UnsafeMutablePointer<assay_batch>
    private let usesPlain: Bool

    init(plain: Bool) {
        guard let batch = assay_batch_create() else { fatalError("out of memory") }
        self.batch = batch
        usesPlain = plain
    }

    deinit { assay_batch_free(batch) }

    /// Returns the number of records plus a large multiple of the number of fields, so that one figure verifies both.
    func answer(_ bytes: [UInt8]) -> Int {
        var dialect = assay_dialect()
        (dialect.delimiter, dialect.quote, dialect.quoting) = (UInt8(ascii: ","), UInt8(ascii: "\""), true)
        var limits = assay_record_limits(field_bytes: 1 << 18, record_bytes: 4 << 20)
        var (records, fields) = (0, 0)
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var position = 0
            while position < bytes.count {
                let count = min(Self.chunkBytes, bytes.count - position)
                let isLast = position + count == bytes.count
                let status =
                    usesPlain
                    ? assay_scan_plain(
                        batch, &dialect, &limits, base + position, count, Self.maxRecords, isLast, false)
                    : assay_scan(batch, &dialect, &limits, base + position, count, Self.maxRecords, isLast, false)
                guard status == .ASSAY_OK, batch.pointee.consumed > 0 else { return }
                records += Int(batch.pointee.record_count)
                fields += Int(batch.pointee.field_count)
                position += Int(batch.pointee.consumed)
            }
        }
        return Self.answer(records: records, fields: fields)
    }

    static func answer(records: Int, fields: Int) -> Int { fields << 24 + records }
}
