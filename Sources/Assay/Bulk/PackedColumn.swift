internal import CAssay

/// A worker's buffer in which values that stand all over memory are laid side by side, so that a column check can run over
/// them.
///
///     strings   "anna@example.org"   "bo@example.org"
///     bytes     anna@example.orgbo@example.org
///     cells     (0, 16) (16, 14)
///
/// Copying a short value costs a few nanoseconds; checking it costs more. Long values are judged where they stand.
struct PackedColumn: ~Copyable {
    /// Values longer than this are not copied.
    static let longest = 4096
    /// From here on the column is full, as soon as it holds a multiple of 64 values.
    private static let full = 256 << 10
    private static let byteCapacity = full + 64 * longest

    private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCapacity)
    private let cells = UnsafeMutablePointer<assay_cell>.allocate(capacity: bulkChunk)
    private var used = 0
    private(set) var count = 0

    init() {}

    deinit {
        bytes.deallocate()
        cells.deallocate()
    }

    /// Whether it is time to judge what is here. Only at whole words of the masks.
    var isFull: Bool { used >= Self.full && count % 64 == 0 }

    @inline(__always)
    mutating func append(_ value: UnsafeBufferPointer<UInt8>) {
        cells[count] = assay_cell(
            start: UInt32(truncatingIfNeeded: used), length: UInt32(truncatingIfNeeded: value.count))
        if let base = value.baseAddress { (bytes + used).update(from: base, count: value.count) }
        used += value.count
        count += 1
    }

    mutating func removeAll() {
        used = 0
        count = 0
    }

    var view: ColumnView {
        ColumnView(bytes: UnsafePointer(bytes), cells: UnsafeBufferPointer(start: cells, count: count))
    }
}
