internal import CAssaySystem

/// Calls `body` for each escape: three bytes for an undecodable byte or unit (`assay/encodings.h`).
///
///     ED A0..BF 80..BF    a lone surrogate: a unit of UTF-16, or the last eight bits are the byte
///     E0 80..83 80..BF    the incomplete unit at the end of UTF-16
private func forEachEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (_ place: Int, _ what: Escape) -> Void) {
    for first in [0xED, 0xE0] as [UInt8] {
        var from = 0
        while from + 2 < bytes.count,
            let found = memchr(bytes.baseAddress! + from, Int32(first), bytes.count - from - 2)
        {
            let place = UnsafeRawPointer(bytes.baseAddress!).distance(to: UnsafeRawPointer(found))
            let (second, third) = (bytes[place + 1], bytes[place + 2])
            from = place + 1
            let low = Int(second & 0x3F) << 6 | Int(third & 0x3F)
            guard third & 0xC0 == 0x80, first == 0xED ? second >= 0xA0 && second <= 0xBF : second & 0xFC == 0x80 else {
                continue
            }
            body(place, first == 0xED ? .surrogate(0xD000 | low) : .oddByte(low))
            from = place + 3
        }
    }
}

private enum Escape {
    case surrogate(Int)
    case oddByte(Int)
}

/// A byte or a UTF-16 unit in hexadecimal, with at least two digits.
func hexadecimal(_ number: some BinaryInteger) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
}

/// Whether all undecodable single bytes satisfy a condition.
func escapedBytes(_ bytes: UnsafeBufferPointer<UInt8>, allSatisfy condition: (UInt8) -> Bool) -> Bool {
    var holds = true
    forEachEscape(bytes) { _, what in
        guard case .surrogate(let unit) = what else { return holds = false }
        if !condition(UInt8(unit & 0xFF)) { holds = false }
    }
    return holds
}

/// The undecodable bytes or units in hexadecimal: `bytes 81 8D`, `unit D800`; at most eight.
func escapedBytes(_ bytes: UnsafeBufferPointer<UInt8>, isUTF16: Bool) -> String {
    var texts: [String] = []
    var units = 0
    var oddByte: String?
    forEachEscape(bytes) { _, what in
        switch what {
        case .surrogate(let unit):
            units += 1
            if units <= 8 { texts.append(hexadecimal(isUTF16 ? unit : unit & 0xFF)) }
        case .oddByte(let byte): oddByte = hexadecimal(byte)
        }
    }
    var parts: [String] = []
    if !texts.isEmpty {
        let noun = (isUTF16 ? "unit" : "byte") + (units == 1 ? " " : "s ")
        parts.append(noun + texts.joined(separator: " ") + (units > 8 ? " …" : ""))
    }
    if let oddByte { parts.append("byte " + oddByte) }
    return parts.joined(separator: ", ")
}

/// Replaces the escapes by U+FFFD, which is also three bytes long.
func replaceEscapes(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    forEachEscape(UnsafeBufferPointer(bytes)) { place, _ in
        (bytes[place], bytes[place + 1], bytes[place + 2]) = (0xEF, 0xBF, 0xBD)
    }
}
