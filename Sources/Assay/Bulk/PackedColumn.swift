internal import CAssay

/// A worker's buffer that holds copies of scattered values in one block, so that a column check can run over them.
///
///     strings   "anna@example.org"   "bo@example.org"
///     bytes     anna@example.orgbo@example.org
///     cells     (0, 16) (16, 14)
///
/// Copying a short value takes a few nanoseconds, less than checking it. Long values are checked in place.
struct PackedColumn: ~Copyable {
    /// The maximum length of a copied value, in bytes.
    static let longest = 4096
    /// The number of used bytes from which the column is full. It is tested after each block of at most 64 values.
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

    /// Whether the column must be checked before more values are appended.
    var isFull: Bool { used >= Self.full }

    /// Appends up to 64 values. Values longer than ``longest`` become empty cells and are passed to `apart`.
    @inline(__always)
    mutating func append<Text: StringProtocol>(
        _ values: UnsafePointer<BorrowedText<Text>>, _ rows: Range<Int>,
        apart: (_ row: Int, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        // Local copies, because the compiler must assume that stores through the pointers change this struct.
        let (bytes, cells) = (bytes, cells + count)
        var end = used
        for row in 0..<rows.count {
            let length = values[rows.lowerBound + row].withUTF8 { value in
                if value.count <= Self.longest {
                    copy(value, to: bytes + end)
                    return value.count
                }
                apart(count + row, value)
                return 0
            }
            cells[row] = assay_cell(
                start: UInt32(truncatingIfNeeded: end), length: UInt32(truncatingIfNeeded: length))
            end &+= length
        }
        used = end
        count += rows.count
    }

    mutating func removeAll() {
        used = 0
        count = 0
    }

    var view: ColumnView {
        ColumnView(bytes: UnsafePointer(bytes), cells: UnsafeBufferPointer(start: cells, count: count))
    }
}

/// Copies a value. Up to 16 bytes are copied with two loads and stores, which may overlap, because a call of memcpy
/// takes longer.
@inline(__always)
private func copy(_ value: UnsafeBufferPointer<UInt8>, to place: UnsafeMutablePointer<UInt8>) {
    let count = value.count
    guard count > 0, let base = value.baseAddress else { return }
    let (from, to) = (UnsafeRawPointer(base), UnsafeMutableRawPointer(place))
    func copyEnds<Word: BitwiseCopyable>(_: Word.Type) {
        let last = count &- MemoryLayout<Word>.size
        let (one, other) = (from.loadUnaligned(as: Word.self), from.loadUnaligned(fromByteOffset: last, as: Word.self))
        to.storeBytes(of: one, as: Word.self)
        to.storeBytes(of: other, toByteOffset: last, as: Word.self)
    }
    switch count {
    case 17...: to.copyMemory(from: from, byteCount: count)
    case 8...: copyEnds(UInt64.self)
    case 4...: copyEnds(UInt32.self)
    case 2...: copyEnds(UInt16.self)
    default: copyEnds(UInt8.self)
    }
}
