extension Unicode.Scalar {
    /// Whether a reader would not see this character, or would see the text around it in a wrong order: controls, line
    /// and paragraph separators, byte order marks, blanks without a width, soft hyphens, tag characters (which can hide
    /// a text of their own), noncharacters of the first plane, and the controls of writing direction. The joiners
    /// (U+200C, U+200D) are seen by how the letters beside them look.
    ///
    /// Such characters are written as escapes in JSON and in messages. Source for the last: UAX #9, section 2
    /// (see also "Trojan Source", CVE-2021-42574).
    var isInvisible: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0xAD: true
        case 0x180E, 0x200B, 0x2060...0x2065, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x206F: true
        case 0xFDD0...0xFDEF, 0xFFFE, 0xFFFF: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }

    /// The character as `\n`, `\x1B`, `\u202E` or `\U000E0041`.
    var escaped: String {
        switch self {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: break
        }
        let digits = String(value, radix: 16, uppercase: true)
        let (letter, width) = value <= 0xFF ? ("x", 2) : value <= 0xFFFF ? ("u", 4) : ("U", 8)
        return "\\" + letter + String(repeating: "0", count: width - digits.count) + digits
    }
}

extension String {
    /// The text with hidden characters written as escapes, fit for a message on a terminal.
    ///
    /// File names, column names and cells come from strangers, and a terminal obeys what it is sent (CWE-150).
    package var visible: String {
        if unicodeScalars.allSatisfy({ !$0.isInvisible }) { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isInvisible { text += scalar.escaped } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// The text for a message: visible, and cut if it is long.
    var shortened: String {
        let limit = 60
        return utf8.count > limit && count > limit ? String(prefix(limit)).visible + "…" : visible
    }

    /// The text in single quotes for a message.
    var quoted: String { "'\(shortened)'" }
}
