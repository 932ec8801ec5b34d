/// A column in memory that is somebody else's: where its values lie and which of them there are.
///
///     values     offsets   0 5 5 12           bytes   hellogoodbye
///     validity   101                          → "hello", null, "goodbye"
///
/// It is made only after everything that can be checked has been: whoever reads values of rows `0..<count` need not look
/// again whether offsets descend or indices lie outside.
///
/// - Precondition: the memory outlives it.
struct SourceColumn: @unchecked Sendable {
    // SAFETY: the memory is only read, for as long as the call lasts that it was lent to.
    let count: Int
    let values: Values
    /// There is a value where all of these have a one: the column's own bits and those of the structs around it.
    var validity: [Bitmap] = []

    indirect enum Values {
        case offsets32(UnsafePointer<UInt8>, UnsafePointer<Int32>)
        case offsets64(UnsafePointer<UInt8>, UnsafePointer<Int64>)
        case views(UnsafePointer<StringView>, buffers: [UnsafePointer<UInt8>])
        case pointers(UnsafePointer<UnsafePointer<UInt8>?>, lengths: UnsafePointer<Int>)
        /// Numbers and times, which become text as they are judged.
        case written(any ValueWriter)
        case dictionary(Indices, values: SourceColumn)
        case nothing
    }
}

/// A value of Arrow's view layout: the text itself if it has up to 12 bytes, else where it stands.
///
///     ┌ length ┬ prefix ┬ buffer ┬ offset ┐        ┌ length ┬ text, and zeros ┐
struct StringView {
    static let inline = 12
    let length: Int32
    let prefix: UInt32
    let buffer: Int32
    let offset: Int32
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

/// The indices of a dictionary-encoded column: whole numbers of some width.
struct Indices {
    enum Width {
        case int8(UnsafePointer<Int8>), uint8(UnsafePointer<UInt8>)
        case int16(UnsafePointer<Int16>), uint16(UnsafePointer<UInt16>)
        case int32(UnsafePointer<Int32>), uint32(UnsafePointer<UInt32>)
        case int64(UnsafePointer<Int64>), uint64(UnsafePointer<UInt64>)
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
        }
    }

    @inline(__always)
    private static func each<Index: FixedWidthInteger>(
        _ base: UnsafePointer<Index>, _ rows: Range<Int>, _ body: (Int, Int) -> Void
    ) {
        for row in rows { body(row, Int(exactly: base[row]) ?? -1) }
    }
}
