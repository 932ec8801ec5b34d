/// Writes strings in JSON.
package enum JSONText {
    /// Appends a string in quotes.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in append(utf8: Span(_unsafeElements: utf8), to: &bytes) }
    }

    /// A string in quotes.
    package static func of(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends bytes as a string in quotes. Bytes that are not UTF-8 become U+FFFD, one for each maximal subpart.
    ///
    /// - Complexity: O(bytes).
    package static func append(utf8 text: Span<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            if isPlain(byte) {
                bytes.append(byte)
                offset += 1
                continue
            }
            let step = UTF8Step(text, at: offset)
            append(step.scalar ?? "\u{FFFD}", to: &bytes)
            offset += step.length
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether an ASCII byte needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
        case "\n": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        case "\r": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
        case "\t": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
        case "\u{8}": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "b")]
        case "\u{C}": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "f")]
        case _ where scalar.isInvisible:
            let digits = Array("0123456789abcdef".utf8)
            for unit in UTF16.encode(scalar)! {
                bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
                for shift in [12, 8, 4, 0] { bytes.append(digits[Int(unit >> UInt16(shift)) & 0xF]) }
            }
        default:
            if let encoded = UTF8.encode(scalar) { bytes.append(contentsOf: encoded) }
        }
    }
}
