internal import CAssay
internal import CAssayABI

/// A column in the caller's memory: the location of its values, and which values are present.
///
///     values     offsets   0 5 5 12           bytes   hellogoodbye
///     validity   101                          → "hello", null, "goodbye"
///
/// When it is created, all is validated except single offsets, views and indices. ``SliceCells`` validates these
/// one slice at a time, just before the values are read, so that the slice enters the processor's first-level cache
/// once and each worker validates its own slices.
///
/// - Precondition: the memory outlives the column.
struct SourceColumn: @unchecked Sendable {
    // SAFETY: the memory is only read, and only during the call that lent it.
    let count: Int
    let values: Values
    /// The name of the column in faults.
    let path: String
    /// The code of faults in this column.
    let faultCode: assay_fault_code
    /// A value is present if its bit is 1 in all of these maps: the column's own map and those of the enclosing
    /// structs.
    var validity: [Bitmap] = []
    /// The numbers of a column with `written` values; `nil` if their texts must be checked.
    var numbers: NumberColumn?

    indirect enum Values {
        case offsets32(UnsafePointer<UInt8>, UnsafePointer<Int32>)
        case offsets64(UnsafePointer<UInt8>, UnsafePointer<Int64>)
        case views(UnsafePointer<StringView>, ViewBuffers)
        case pointers(UnsafePointer<UnsafePointer<UInt8>?>, lengths: UnsafePointer<Int>)
        /// Numbers and times, which are converted to text while they are checked.
        case written(any ValueWriter)
        /// Values that several rows share: those of a dictionary or of runs.
        case dictionary(Indices, values: SourceColumn)
        case nothing
    }
}

typealias StringView = assay_string_view

extension StringView {
    /// The maximum length of a text inside its view.
    static var inline: Int { Int(ASSAY_STRING_VIEW_INLINE) }
}

/// The buffers that the views of a column point into.
///
///     addresses[0]    addresses[1]
///     ↓               ↓
///     ┌ buffer 0 ┐    ┌ buffer 1 ┐    ┌ views ┐
///     └──────────┘    └──────────┘    └───────┘
///     ├──────── a reach: at most 2 GiB ───────┤
struct ViewBuffers {
    let bases: [UnsafePointer<UInt8>]
    /// The addresses of the buffers, followed by 0 for views without a buffer.
    let addresses: [UInt]
    /// The sizes of the buffers, followed by -1, which refuses views with an invalid buffer index.
    let limits: [Int]
    /// The common base of all cells in the column, or `nil` if the buffers are too far apart. The cells of a
    /// slice may then still have a common base.
    let reach: Reach?

    /// Memory whose bytes a 32-bit offset can address.
    struct Reach {
        let base: UnsafePointer<UInt8>
        /// Whether the base also reaches the views, which contain the short texts.
        let hasViews: Bool

        /// Returns `nil` if the texts are too far apart.
        init?(texts: Range<UInt>?, views: Range<UInt>) {
            let texts = texts ?? views
            let all = min(texts.lowerBound, views.lowerBound)..<max(texts.upperBound, views.upperBound)
            hasViews = Self.spans(all)
            guard hasViews || Self.spans(texts),
                let base = UnsafePointer<UInt8>(bitPattern: hasViews ? all.lowerBound : texts.lowerBound)
            else { return nil }
            self.base = base
        }

        private static func spans(_ addresses: Range<UInt>) -> Bool {
            addresses.upperBound - addresses.lowerBound <= UInt(Int32.max)
        }
    }

    init(_ buffers: [UnsafeBufferPointer<UInt8>], views: UnsafeRawBufferPointer) {
        bases = buffers.map { $0.baseAddress! }
        addresses = bases.map { UInt(bitPattern: $0) } + [0]
        limits = buffers.map(\.count) + [-1]
        let used = zip(addresses, limits).filter { $0.1 > 0 }
        let texts = used.map(\.0).min().map { $0..<used.map { $0.0 + UInt($0.1) }.max()! }
        reach = Reach(texts: texts, views: Self.addresses(views))
    }

    static func addresses(_ memory: UnsafeRawBufferPointer) -> Range<UInt> {
        let start = UInt(bitPattern: memory.baseAddress)
        return start..<start + UInt(memory.count)
    }
}

/// One bit per row, least significant first, starting at bit `offset`.
struct Bitmap {
    let bytes: UnsafePointer<UInt8>
    let offset: Int

    func isSet(_ row: Int) -> Bool {
        let bit = offset + row
        return bytes[bit >> 3] >> UInt8(bit & 7) & 1 != 0
    }

    /// The bits of the rows `first ..< first + count`, at most 64; the other bits are 0.
    func word(first: Int, count: Int) -> UInt64 {
        let start = offset + first
        let (byte, shift) = (start >> 3, UInt64(start & 7))
        // Memory after the last byte of the map is not read.
        let size = (start + count + 7) >> 3 - byte
        var word: UInt64 = 0
        if size >= 8 {
            word = UnsafeRawPointer(bytes + byte).loadUnaligned(as: UInt64.self).littleEndian >> shift
            if size > 8 { word |= UInt64(bytes[byte + 8]) << (64 - shift) }
        } else {
            var index = 0
            while index < size {
                word |= UInt64(bytes[byte + index]) << UInt64(8 * index)
                index += 1
            }
            word >>= shift
        }
        return count >= 64 ? word : word & ((1 << UInt64(count)) - 1)
    }
}

/// The index of the shared value of each row: one integer or bit per row, or runs.
struct Indices {
    enum Width {
        case int8(UnsafePointer<Int8>), uint8(UnsafePointer<UInt8>)
        case int16(UnsafePointer<Int16>), uint16(UnsafePointer<UInt16>)
        case int32(UnsafePointer<Int32>), uint32(UnsafePointer<UInt32>)
        case int64(UnsafePointer<Int64>), uint64(UnsafePointer<UInt64>)
        case bits(Bitmap)
        case runs16(RunEnds<Int16>), runs32(RunEnds<Int32>), runs64(RunEnds<Int64>)
    }

    let width: Width

    /// Calls `body` with the index of each row, or −1 if the index does not fit into Int.
    @inline(__always)
    func forEach(_ rows: Range<Int>, _ body: (_ row: Int, _ index: Int) -> Void) {
        switch width {
        case .int8(let base): Self.each(base, rows, body)
        case .uint8(let base): Self.each(base, rows, body)
        case .int16(let base): Self.each(base, rows, body)
        case .uint16(let base): Self.each(base, rows, body)
        case .int32(let base): Self.each(base, rows, body)
        case .uint32(let base): Self.each(base, rows, body)
        case .int64(let base): Self.each(base, rows, body)
        case .uint64(let base): Self.each(base, rows, body)
        case .bits(let bits): for row in rows { body(row, bits.isSet(row) ? 1 : 0) }
        case .runs16(let runs): runs.forEach(rows, body)
        case .runs32(let runs): runs.forEach(rows, body)
        case .runs64(let runs): runs.forEach(rows, body)
        }
    }

    @inline(__always)
    private static func each<Index: FixedWidthInteger>(
        _ base: UnsafePointer<Index>, _ rows: Range<Int>, _ body: (Int, Int) -> Void
    ) {
        for row in rows { body(row, Int(exactly: base[row]) ?? -1) }
    }
}

/// The ends of runs of equal values. The first row of the column is at position `start`.
///
///     ends   3 4 9     start 2     →  rows 0 | 1 | 2 3 4 5 6
struct RunEnds<End: FixedWidthInteger> {
    /// Ascending; the last end is after all rows.
    let ends: UnsafePointer<End>
    let count: Int
    let start: Int

    /// The run that contains a row. O(log runs).
    func run(of row: Int) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if Int(ends[middle]) > start + row { high = middle } else { low = middle + 1 }
        }
        return low
    }

    @inline(__always)
    func forEach(_ rows: Range<Int>, _ body: (_ row: Int, _ run: Int) -> Void) {
        var run = run(of: rows.lowerBound)
        for row in rows {
            if start + row >= Int(ends[run]) { run += 1 }
            body(row, run)
        }
    }
}
