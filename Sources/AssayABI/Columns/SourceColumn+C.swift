internal import CAssayABI

extension SourceColumn {
    /// A column that C describes.
    ///
    /// - Throws: a fault for NULL, and for a last offset outside the bytes.
    init(_ column: assay_column, count: Int, path: String = "the column") throws(Fault) {
        guard column.reserved == 0 else { throw Fault(ASSAY_FAULT_ARGUMENT, "assay_column.reserved is not 0") }
        self.count = count
        self.path = path
        faultCode = ASSAY_FAULT_ARGUMENT
        validity = column.validity.map { [Bitmap(bytes: $0, offset: 0)] } ?? []
        switch column.layout {
        case ASSAY_LAYOUT_OFFSETS32:
            let offsets = try Self.offsets(column, as: Int32.self, count: count)
            values = .offsets32(column.bytes ?? UnsafePointer(emptyBase), offsets)
        case ASSAY_LAYOUT_OFFSETS64:
            let offsets = try Self.offsets(column, as: Int64.self, count: count)
            values = .offsets64(column.bytes ?? UnsafePointer(emptyBase), offsets)
        case ASSAY_LAYOUT_POINTERS:
            if count == 0 {
                values = .nothing
                return
            }
            guard let pointers = column.pointers else { throw .null("pointers") }
            guard let lengths = column.lengths else { throw .null("lengths") }
            values = .pointers(pointers, lengths: lengths)
        default:
            throw Fault(ASSAY_FAULT_ARGUMENT, "assay_column.layout is \(column.layout.rawValue), which is not a layout")
        }
    }

    private static func offsets<Offset: FixedWidthInteger>(
        _ column: assay_column, as type: Offset.Type, count: Int
    ) throws(Fault) -> UnsafePointer<Offset> {
        guard let offsets = column.offsets?.assumingMemoryBound(to: Offset.self) else { throw .null("offsets") }
        guard column.byte_count >= 0 else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "assay_column.byte_count is beyond any memory")
        }
        guard Int(offsets[count]) <= column.byte_count else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "the last offset is \(offsets[count]), beyond the \(column.byte_count) bytes there are")
        }
        if column.bytes == nil && offsets[count] > 0 { throw .null("bytes") }
        return offsets
    }
}

/// One byte as a valid address for empty data.
// SAFETY: written once, here, and only read afterwards.
nonisolated(unsafe) let emptyBase: UnsafeMutablePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return byte
}()
