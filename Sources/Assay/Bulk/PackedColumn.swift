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

    /// Whether it is time to judge what is here.
    var isFull: Bool { used >= Self.full }

    /// Appends up to 64 values. Those that are longer than ``longest`` come out empty, and are handed to `apart`.
    @inline(__always)
    mutating func append<Text: StringProtocol>(
        _ values: UnsafePointer<LentText<Text>>, _ rows: Range<Int>,
        apart: (_ row: Int, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        // In locals: what is stored through pointers could be this struct, as far as the compiler knows.
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

/// Copies a value. One of a few bytes by two loads and stores, which may overlap: calling memcpy takes longer than that.
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
