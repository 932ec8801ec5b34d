/// One step of decoding possibly invalid UTF-8.
///
///     41        → U+0041, 1 byte
///     F0 9F 98  → nil, 3 bytes: an incomplete character becomes one U+FFFD
///
/// Source: the Unicode Standard, table 3-7 and "Maximal subparts" in section 3.9.
struct UTF8Step {
    /// `nil` if the bytes are not UTF-8.
    var scalar: Unicode.Scalar?
    /// The number of bytes in this step; at least 1.
    var length: Int

    /// - Precondition: `offset` is inside `bytes`.
    init(_ bytes: Span<UInt8>, at offset: Int) {
        let first = bytes[offset]
        if first < 0x80 {
            self.init(scalar: Unicode.Scalar(first), length: 1)
            return
        }
        var second: ClosedRange<UInt8> = 0x80...0xBF
        let count: Int
        switch first {
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: count = 4
        default:
            self.init(scalar: nil, length: 1)
            return
        }
        var value = UInt32(first) & (0x7F >> UInt32(count))
        for index in 1..<count {
            let allowed = index == 1 ? second : 0x80...0xBF
            guard offset + index < bytes.count, allowed.contains(bytes[offset + index]) else {
                self.init(scalar: nil, length: index)
                return
            }
            value = value << 6 | UInt32(bytes[offset + index] & 0x3F)
        }
        self.init(scalar: Unicode.Scalar(value), length: count)
    }

    private init(scalar: Unicode.Scalar?, length: Int) {
        self.scalar = scalar
        self.length = length
    }
}
