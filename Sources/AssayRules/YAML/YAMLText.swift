/// The text that libyaml gets to read, and the way back from its places to the bytes of the source.
///
/// libyaml counts characters, refuses `\ud83d\ude00` (the way JSON writes U+1F600), and takes some characters that JSON
/// allows in a string for line breaks. So double-quoted texts of a file that starts with `{` are rewritten before:
///
///     {"enum": ["\ud83d\ude00"]}      source
///     {"enum": ["\U0001F600"]}        bytes, two shorter; `edits` remembers
struct YAMLText {
    private(set) var bytes: [UInt8] = []

    /// The first character that YAML does not allow: its offset in `bytes`, and the character (`nil` for invalid
    /// UTF-8).
    private(set) var firstRefused: (offset: Int, scalar: Unicode.Scalar?)?

    private var edits: [Edit] = []

    /// Byte offsets in `bytes` of every 64th character; empty if all is ASCII.
    private var checkpoints: [Int] = []
    private static let stride = 64

    private struct Edit {
        /// In `bytes`, from where on places are moved.
        var end: Int
        /// In the source.
        var sourceStart: Int
        var sourceEnd: Int
        var length: Int
    }

    init(_ source: SourceText) {
        let isFlow = source.bytes.first { !Self.isBlank($0) } == UInt8(ascii: "{")
        if isFlow { rewrite(source.bytes) } else { bytes = source.bytes }
        (checkpoints, firstRefused) = Self.scan(bytes)
    }

    /// The byte of the source for a place that libyaml gave. O(log edits).
    func sourceOffset(character: Int) -> Int { sourceOffset(byte: byteOffset(character: character)) }

    /// The byte of the source for a byte of `bytes`. O(log edits).
    func sourceOffset(byte: Int) -> Int {
        var (low, high) = (0, edits.count)
        while low < high {
            let middle = (low + high) / 2
            if edits[middle].end - edits[middle].length <= byte { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return byte }
        let edit = edits[low - 1]
        return byte < edit.end ? edit.sourceStart : edit.sourceEnd + byte - edit.end
    }

    private func byteOffset(character: Int) -> Int {
        if checkpoints.isEmpty { return min(character, bytes.count) }
        let index = min(character / Self.stride, checkpoints.count - 1)
        var offset = checkpoints[index]
        for _ in 0..<character - index * Self.stride where offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    /// Finds where characters are, and the first that libyaml would refuse.
    private static func scan(_ bytes: [UInt8]) -> ([Int], (offset: Int, scalar: Unicode.Scalar?)?) {
        let text = bytes.span
        var (offset, characters, isASCII) = (0, 0, true)
        var checkpoints: [Int] = []
        while offset < text.count {
            if characters % stride == 0 { checkpoints.append(offset) }
            let step = UTF8Step(text, at: offset)
            guard let scalar = step.scalar, isAllowed(scalar) else { return ([], (offset, step.scalar)) }
            if step.length > 1 { isASCII = false }
            offset += step.length
            characters += 1
        }
        return (isASCII ? [] : checkpoints, nil)
    }

    /// YAML 1.1, section 4.1.1, as libyaml has it.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }
}

// MARK: - JSON

extension YAMLText {
    /// Copies a file in flow style, rewriting its double-quoted texts. Single-quoted ones and comments, which JSON does
    /// not have, are left alone, and so are quotes inside of a text without quotes: `5" disk`.
    private mutating func rewrite(_ source: [UInt8]) {
        let text = source.span
        bytes.reserveCapacity(source.count)
        var offset = 0
        var previous = UInt8(ascii: "{")
        while offset < text.count {
            let byte = text[offset]
            switch byte {
            case UInt8(ascii: "\"") where "{[,:".utf8.contains(previous):
                copyDoubleQuoted(text, &offset)
            case UInt8(ascii: "'") where "{[,:".utf8.contains(previous):
                // Two quotes in a row are one quote; treating them as two adjacent texts has the same result.
                repeat { copy(text, &offset, before: UInt8(ascii: "'")) } while copyQuotePair(text, &offset)
            case UInt8(ascii: "#") where offset == 0 || Self.isBlank(text[offset - 1]):
                copy(text, &offset, before: UInt8(ascii: "\n"))
                continue
            default:
                bytes.append(byte)
                offset += 1
            }
            if !Self.isBlank(byte) { previous = byte }
        }
    }

    /// Copies the bytes from here up to `end`.
    private mutating func copy(_ text: Span<UInt8>, _ offset: inout Int, before end: UInt8) {
        repeat {
            bytes.append(text[offset])
            offset += 1
        } while offset < text.count && text[offset] != end
    }

    /// At the quote that ends a text: copies it if another follows.
    private mutating func copyQuotePair(_ text: Span<UInt8>, _ offset: inout Int) -> Bool {
        guard offset + 1 < text.count, text[offset + 1] == UInt8(ascii: "'") else { return false }
        bytes.append(text[offset])
        offset += 1
        return true
    }

    private mutating func copyDoubleQuoted(_ text: Span<UInt8>, _ offset: inout Int) {
        bytes.append(text[offset])
        offset += 1
        while offset < text.count {
            let step = UTF8Step(text, at: offset)
            switch step.scalar {
            case "\"":
                bytes.append(text[offset])
                offset += 1
                return
            case "\\":
                copyEscape(text, &offset)
            case let scalar? where scalar.isInvisible && !Self.isBlank(text[offset]) && scalar.value >= 0x7F:
                let digits = String(scalar.value, radix: 16)
                let (letter, width) = scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
                let zeros = String(repeating: "0", count: width - digits.count)
                replace(&offset, length: step.length, by: "\\\(letter)\(zeros)\(digits)")
            default:
                for index in offset..<offset + step.length { bytes.append(text[index]) }
                offset += step.length
            }
        }
    }

    /// At a backslash.
    private mutating func copyEscape(_ text: Span<UInt8>, _ offset: inout Int) {
        if let high = unit(text, at: offset), (0xD800...0xDBFF).contains(high),
            let low = unit(text, at: offset + 6), (0xDC00...0xDFFF).contains(low)
        {
            let value = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
            let digits = String(value, radix: 16, uppercase: true)
            let zeros = String(repeating: "0", count: 8 - digits.count)
            replace(&offset, length: 12, by: "\\U\(zeros)\(digits)")
            return
        }
        // The escaped byte may be a quote; the following bytes are read separately.
        bytes.append(text[offset])
        offset += 1
        if offset < text.count, text[offset] < 0x80 {
            bytes.append(text[offset])
            offset += 1
        }
    }

    private mutating func replace(_ offset: inout Int, length: Int, by text: String) {
        bytes.append(contentsOf: text.utf8)
        edits.append(
            Edit(
                end: bytes.count, sourceStart: offset, sourceEnd: offset + length, length: text.utf8.count))
        offset += length
    }

    /// The value of `\uXXXX` at an offset.
    private func unit(_ text: Span<UInt8>, at offset: Int) -> UInt32? {
        guard offset + 6 <= text.count, text[offset] == UInt8(ascii: "\\"), text[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt32 = 0
        for index in offset + 2..<offset + 6 {
            guard let digit = Character(Unicode.Scalar(text[index])).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
