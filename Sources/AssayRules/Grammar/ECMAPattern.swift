/// A pattern of ECMA-262, in PCRE2's syntax, as far as the same characters mean another set there.
///
///     \s    white space of Unicode, not of ASCII alone; \S all else
///     .     no line terminator: LF, CR, U+2028, U+2029
///
/// Source: ECMA-262, "CharacterClassEscape" and "LineTerminator".
struct ECMAPattern {
    /// The pattern in PCRE2's syntax; equal to the given one if that means the same there.
    private(set) var translated = ""
    /// Whether a class of characters has `\S` in it, without `\s` beside it. PCRE2 has no such union.
    private(set) var hasComplementInClass = false

    private static let spaces = #"\s\p{Zs}\x{FEFF}\x{2028}\x{2029}"#

    init(_ pattern: String) {
        var rest = pattern.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\": translated += Self.escape(rest.popFirst(), inClass: false)
            case ".": translated += #"[^\n\r\x{2028}\x{2029}]"#
            case "[": translateClass(&rest)
            default: translated.unicodeScalars.append(scalar)
            }
        }
    }

    /// Translates the rest of a class of characters, after its bracket.
    private mutating func translateClass(_ rest: inout Substring.UnicodeScalarView) {
        var (items, kinds): ([String], Set<Unicode.Scalar>) = ([], [])
        if rest.first == "^" { items.append(String(rest.removeFirst())) }
        // PCRE2 takes a bracket here for a member.
        if rest.first == "]" { items.append(String(rest.removeFirst())) }
        while let scalar = rest.popFirst() {
            guard scalar != "]" else {
                items.append("]")
                break
            }
            guard scalar == "\\" else {
                items.append(String(scalar))
                continue
            }
            let escaped = rest.popFirst()
            if let escaped { kinds.insert(escaped) }
            items.append(Self.escape(escaped, inClass: true))
        }
        hasComplementInClass = hasComplementInClass || kinds.contains("S") && !kinds.contains("s")
        translated += "[" + items.joined()
    }

    private static func escape(_ scalar: Unicode.Scalar?, inClass: Bool) -> String {
        switch scalar {
        case "s": inClass ? spaces : "[\(spaces)]"
        case "S" where !inClass: "[^\(spaces)]"
        case let scalar?: "\\" + String(scalar)
        case nil: "\\"
        }
    }
}
