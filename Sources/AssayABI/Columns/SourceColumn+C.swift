internal import CAssayABI

extension SourceColumn {
    /// A column that C describes.
    ///
    /// - Throws: a fault for a NULL, and for offsets that descend or lie outside. O(count).
    init(_ column: assay_column, count: Int) throws(Fault) {
        guard column.size == MemoryLayout<assay_column>.size else { throw .size("assay_column", column.size) }
        guard column.reserved == 0 else { throw Fault(ASSAY_FAULT_ARGUMENT, "assay_column.reserved is not 0") }
        self.count = count
        validity = column.validity.map { [Bitmap(bytes: $0, offset: 0)] } ?? []
        switch column.layout {
        case ASSAY_LAYOUT_OFFSETS32:
            let offsets = try Self.offsets(column, as: Int32.self, count: count)
            values = .offsets32(column.bytes ?? UnsafePointer(nowhere), offsets)
        case ASSAY_LAYOUT_OFFSETS64:
            let offsets = try Self.offsets(column, as: Int64.self, count: count)
            values = .offsets64(column.bytes ?? UnsafePointer(nowhere), offsets)
        case ASSAY_LAYOUT_POINTERS:
            if count == 0 {
                values = .nothing
                return
            }
            guard let pointers = column.pointers else { throw .null("pointers") }
            guard let lengths = column.lengths else { throw .null("lengths") }
            for row in 0..<count where lengths[row] < 0 {
                throw Fault(ASSAY_FAULT_ARGUMENT, "the length of value \(row) is beyond any memory")
            }
            values = .pointers(pointers, lengths: lengths)
        default:
            throw Fault(ASSAY_FAULT_ARGUMENT, "assay_column.layout is \(column.layout.rawValue), which is no layout")
        }
    }

    private static func offsets<Offset: FixedWidthInteger>(
        _ column: assay_column, as type: Offset.Type, count: Int
    ) throws(Fault) -> UnsafePointer<Offset> {
        guard let offsets = column.offsets?.assumingMemoryBound(to: Offset.self) else { throw .null("offsets") }
        guard column.byte_count >= 0 else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "assay_column.byte_count is beyond any memory")
        }
        if let wrong = firstWrongOffset(offsets, count: count) {
            throw Fault(ASSAY_FAULT_ARGUMENT, "offset \(wrong) is negative or descends")
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

/// One byte to point at where there is none.
// SAFETY: written once, here, and only ever read.
nonisolated(unsafe) let nowhere: UnsafeMutablePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return byte
}()

/// The index of the first of `count` + 1 offsets that is negative or less than the one before.
func firstWrongOffset<Offset: FixedWidthInteger>(_ offsets: UnsafePointer<Offset>, count: Int) -> Int? {
    if offsets[0] < 0 { return 0 }
    // One sign for all of them, so that many are looked at at once; nearly always there is nothing to find. Of two that are
    // not negative the difference cannot overflow.
    var signs: Offset = 0
    for index in 0..<count { signs |= offsets[index + 1] | (offsets[index + 1] &- offsets[index]) }
    return signs < 0 ? (1...count).first { offsets[$0] < offsets[$0 - 1] } : nil
}
