internal import CAssay
internal import CAssayABI

/// A column in memory that is somebody else's: where its values lie and which of them there are.
///
///     values     offsets   0 5 5 12           bytes   hellogoodbye
///     validity   101                          → "hello", null, "goodbye"
///
/// It is made only after all has been checked but what takes as long as there are values: offsets, views and indices. Of those
/// ``SliceCells`` looks at the ones of a slice just before it reads them, so that they come into the processor's first caches
/// once, and each worker looks at its own.
///
/// - Precondition: the memory outlives it.
struct SourceColumn: @unchecked Sendable {
    // SAFETY: the memory is only read, for as long as the call lasts that it was lent to.
    let count: Int
    let values: Values
    /// What to call it in faults, and what kind of faults they are.
    let path: String
    let faultCode: assay_fault_code
    /// There is a value where all of these have a one: the column's own bits and those of the structs around it.
    var validity: [Bitmap] = []

    indirect enum Values {
        case offsets32(UnsafePointer<UInt8>, UnsafePointer<Int32>)
        case offsets64(UnsafePointer<UInt8>, UnsafePointer<Int64>)
        case views(UnsafePointer<StringView>, ViewBuffers)
        case pointers(UnsafePointer<UnsafePointer<UInt8>?>, lengths: UnsafePointer<Int>)
        /// Numbers and times, which become text as they are judged.
        case written(any ValueWriter)
        /// Values that rows share: of a dictionary, or of runs.
        case dictionary(Indices, values: SourceColumn)
        case nothing
    }
}

typealias StringView = assay_string_view

extension StringView {
    /// The longest text that stands inside its view.
    static var inline: Int { Int(ASSAY_STRING_VIEW_INLINE) }
}

/// What the views of a column point into.
///
///     addresses[0]    addresses[1]
///     ↓               ↓
///     ┌ buffer 0 ┐    ┌ buffer 1 ┐    ┌ views ┐
///     └──────────┘    └──────────┘    └───────┘
///     ├──────── a reach: at most 2 GiB ───────┤
struct ViewBuffers {
    let bases: [UnsafePointer<UInt8>]
    /// The same as numbers. There is always one, for views that need none.
    let addresses: [UInt]
    /// How long each buffer is; then one more, which nothing fits into, for the views that name a buffer that is not there.
    let limits: [Int]
    /// Where all cells of the column may be counted from. `nil`: the buffers are too far apart. A single slice may still have a reach of
    /// its own.
    let reach: Reach?

    /// Memory whose bytes 32 bits can count.
    struct Reach {
        let base: UnsafePointer<UInt8>
        /// Whether the views, which have short texts inside, can be counted from there too.
        let hasViews: Bool

        /// `nil`: the texts are too far apart.
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

/// One bit for each row, least significant first, from some bit on.
struct Bitmap {
    let bytes: UnsafePointer<UInt8>
    let offset: Int

    func isSet(_ row: Int) -> Bool {
        let bit = offset + row
        return bytes[bit >> 3] >> UInt8(bit & 7) & 1 != 0
    }

    /// The bits of rows `first ..< first + count`, at most 64 of them; the others are 0.
    func word(first: Int, count: Int) -> UInt64 {
        let start = offset + first
        let end = (start + count + 7) >> 3
        let shift = UInt64(start & 7)
        var word: UInt64 = 0
        // Byte by byte, so that nothing beyond the last byte of the map is touched.
        for (index, byte) in ((start >> 3)..<end).enumerated() {
            let value = UInt64(bytes[byte])
            let place = UInt64(8 * index)
            word |= place >= shift ? value << (place - shift) : value >> (shift - place)
        }
        return count >= 64 ? word : word & ((1 << UInt64(count)) - 1)
    }
}

/// Which of the values that rows share each row has: a whole number for each row, or runs.
struct Indices {
    enum Width {
        case int8(UnsafePointer<Int8>), uint8(UnsafePointer<UInt8>)
        case int16(UnsafePointer<Int16>), uint16(UnsafePointer<UInt16>)
        case int32(UnsafePointer<Int32>), uint32(UnsafePointer<UInt32>)
        case int64(UnsafePointer<Int64>), uint64(UnsafePointer<UInt64>)
        case runs16(RunEnds<Int16>), runs32(RunEnds<Int32>), runs64(RunEnds<Int64>)
    }

    let width: Width

    /// Calls `body` with the index of each row; one that fits no Int comes as −1.
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

/// Where runs of equal values end, counted from the row that `start` rows come before.
///
///     ends   3 4 9     start 2     →  rows 0 | 1 | 2 3 4 5 6
struct RunEnds<End: FixedWidthInteger> {
    /// Ascending; the last one lies behind all rows.
    let ends: UnsafePointer<End>
    let count: Int
    let start: Int

    /// The run that a row lies in. O(log runs).
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
