internal import Assay

/// Texts as YAML writes them on one line.
package enum YAMLScalar {
    /// The text plain where every reader takes it for that text; else in single quotes, or in double quotes with
    /// escapes.
    package static func text(_ text: String) -> String {
        if isPlain(text) { return text }
        if text.unicodeScalars.allSatisfy({ !$0.isInvisible }) {
            return "'" + text.replacingEach("'", by: "''") + "'"
        }
        // JSON's escapes are YAML's too.
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text in double quotes, with escapes in place of the characters for which a condition holds.
    package static func text(_ text: String, escaping isEscaped: (Unicode.Scalar) -> Bool) -> String {
        let parts = text.unicodeScalars.map { scalar -> String in
            if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
            guard isEscaped(scalar) else { return String(scalar) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let (letter, width) = scalar.value > 0xFFFF ? ("U", 8) : ("u", 4)
            return "\\\(letter)" + String(repeating: "0", count: width - digits.count) + digits
        }
        return "\"\(parts.joined())\""
    }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
            text.unicodeScalars.last != " ", !resolved.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy {
            "_- ./()".unicodeScalars.contains($0) || $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
    }

    /// What readers of YAML 1.1 take for something else than a text.
    private static let resolved: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
}
