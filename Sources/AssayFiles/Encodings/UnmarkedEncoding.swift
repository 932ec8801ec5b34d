/// The recognition of encodings with characteristic bytes: UTF-16 and UTF-32 without a byte order mark, and
/// ISO-2022-JP.
enum UnmarkedEncoding {
    /// The number of bytes that decide, unless the text is shorter.
    static let sampleBytes = 1 << 12
    /// The minimum number of characters that show UTF-16 in other scripts than Latin, because a few bytes with NUL can
    /// look like it by chance.
    private static let minUnits = 16

    /// The name of the UTF-16 or UTF-32 encoding of a text.
    ///
    /// In UTF-32, two of four bytes are NUL in most characters. In UTF-16, delimiters, digits, line ends and Latin
    /// letters have a NUL byte, always at odd offsets (LE) or always at even ones (BE). The other characters must be
    /// those of a script: bytes of UTF-8 that are read as UTF-16 would be control characters and a mixture of symbols.
    ///
    /// - Complexity: O(bytes).
    static func wide(_ text: ArraySlice<UInt8>) -> String? {
        let sample = text.prefix(sampleBytes)
        guard sample.count >= 8, sample.contains(0) else { return nil }
        /// The share of NUL among the bytes at a place of each unit, in the first 200 bytes.
        func share(_ place: Int, of unit: Int) -> Double {
            let bytes = sample.prefix(200).dropFirst(place).enumerated().filter { $0.offset % unit == 0 }
            return bytes.isEmpty ? 0 : Double(bytes.count { $0.element == 0 }) / Double(bytes.count)
        }
        // Text in Latin letters may be short or damaged.
        if share(1, of: 2) > 0.9 && share(0, of: 2) == 0 { return "UTF-16LE" }
        if share(0, of: 2) > 0.9 && share(1, of: 2) == 0 { return "UTF-16BE" }
        if isUTF32(sample, bigEndian: false) { return "UTF-32LE" }
        if isUTF32(sample, bigEndian: true) { return "UTF-32BE" }
        if isUTF8(sample) { return nil }
        if isUTF16(sample, high: 1) { return "UTF-16LE" }
        return isUTF16(sample, high: 0) ? "UTF-16BE" : nil
    }

    /// Whether a text is well-formed UTF-8 with several characters that are not ASCII.
    private static func isUTF8(_ sample: ArraySlice<UInt8>) -> Bool {
        // The last character may be truncated.
        let whole = sample.dropLast(sample.reversed().prefix(4).prefix { $0 >= 0x80 }.count)
        return whole.count { $0 >= 0x80 } >= 8 && String(validating: whole, as: UTF8.self) != nil
    }

    /// Whether a text is UTF-32: nearly all units are characters, and not control characters except those of text.
    private static func isUTF32(_ sample: ArraySlice<UInt8>, bigEndian: Bool) -> Bool {
        var (units, damaged) = (0, 0)
        for place in stride(from: sample.startIndex, to: sample.endIndex - 3, by: 4) {
            let bytes = sample[place..<place + 4]
            let unit = (bigEndian ? Array(bytes) : bytes.reversed()).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            units += 1
            // Planes 4 to 13 are unassigned, and two units of UTF-16 look like their characters.
            if Unicode.Scalar(unit) == nil || 0x40000...0xDFFFF ~= unit
                || unit < 0x20 && ![9, 10, 13, 0x1A, 0x1B].contains(unit)
            {
                damaged += 1
            }
        }
        return damaged * 10 <= units
    }

    /// Frequent characters whose low byte is a line end in UTF-8: 上, 不, a closing quote and a Thai letter.
    private static let frequent: [UInt16] = [0x4E0A, 0x4E0D, 0x300D, 0x0E0D]

    /// Whether a text is UTF-16.
    ///
    /// - Parameter high: The place of the high byte in each unit: 1 in little-endian text.
    private static func isUTF16(_ sample: ArraySlice<UInt8>, high: Int) -> Bool {
        // `highLow`: other characters whose low byte is above 7F. `narrowEnds`: low bytes that are line ends in UTF-8.
        var (latin, script, others, highLow, lineEnds, narrowEnds, damaged) = (0, 0, 0, 0, 0, 0, 0)
        var expectsLow = false
        for place in stride(from: sample.startIndex, to: sample.endIndex - 1, by: 2) {
            let unit = UInt16(sample[place + high]) << 8 | UInt16(sample[place + 1 - high])
            let isLow = 0xDC00...0xDFFF ~= unit
            if expectsLow != isLow { damaged += 1 }
            expectsLow = false
            if [10, 13].contains(unit & 0xFF) && !frequent.contains(unit) { narrowEnds += 1 }
            switch unit {
            case 9, 10, 13, 0x20...0x7E, 0xA0...0xFF:
                latin += 1
                if unit == 10 || unit == 13 { lineEnds += 1 }
            case 0x1A, 0x1B, 0x7F: latin += 1
            case 0...0x1F, 0x80...0x9F, 0xFFFE, 0xFFFF, 0xFDD0...0xFDEF: damaged += 1
            // Rare characters, and frequent in other text: NUL after a line end.
            case 0x100..<0x3000 where unit & 0xFF == 0: damaged += 1
            case 0x100...0x1FFF: script += 1
            case 0xD800...0xDBFF: expectsLow = true
            case 0xDC00...0xDFFF: break
            default:
                others += 1
                if unit & 0x80 != 0 { highLow += 1 }
            }
        }
        let units = latin + script + others
        guard units >= minUnits, damaged * 200 <= units, latin * 20 >= units, lineEnds > 0, lineEnds * 3 >= narrowEnds
        else { return false }
        // Pairs of ASCII letters would be characters of these blocks whose low byte is below 80.
        return others * 10 <= units || highLow * 5 >= others
    }

    /// ISO-2022-JP, if a text switches to its characters with an escape sequence. Other text does not have these
    /// sequences.
    ///
    /// Source: RFC 1468.
    static func escaped(_ text: ArraySlice<UInt8>) -> String? {
        var rest = text
        while let escape = rest.firstIndex(of: 0x1B) {
            rest = text[(escape + 1)...]
            if rest.starts(with: "$B".utf8) || rest.starts(with: "$@".utf8) { return "ISO-2022-JP" }
        }
        return nil
    }
}
