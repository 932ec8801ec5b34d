internal import Assay

/// Texts in the single-line syntax of YAML.
package enum YAMLScalar {
    /// Returns the text without quotes if every reader reads it as this text; otherwise in single quotes, or in double
    /// quotes with escapes.
    package static func text(_ text: String) -> String {
        if isPlain(text) { return text }
        if text.unicodeScalars.allSatisfy({ !$0.isInvisible }) {
            return "'" + text.replacingEach("'", by: "''") + "'"
        }
        // JSON's escapes are also valid in YAML.
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text in double quotes, with escapes for the characters that meet a condition.
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

    /// Words that readers of YAML 1.1 do not read as text.
    private static let resolved: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
}
