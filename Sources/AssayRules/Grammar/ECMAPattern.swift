/// An ECMA-262 pattern in PCRE2's syntax. Only constructs that PCRE2 does not read in the same way are translated:
///
///     \s    white space of Unicode, not of ASCII alone; \S all else
///     .     no line terminator: LF, CR, U+2028, U+2029
///     \p{Letter}, \p{gc=Letter}    categories by their long names; PCRE2 has only the short ones
///
/// Source: ECMA-262, "CharacterClassEscape", "LineTerminator" and the table of the values of General_Category.
struct ECMAPattern {
    /// The pattern in PCRE2's syntax. It is unchanged if PCRE2 reads it in the same way.
    private(set) var translated = ""
    /// Whether a character class contains `\S` but not `\s`. A class of PCRE2 cannot contain the complement of ECMA's
    /// white space.
    private(set) var hasComplementInClass = false
    /// Whether it has long names of categories.
    private(set) var hasLongCategories = false

    private static let spaces = #"\s\p{Zs}\x{FEFF}\x{2028}\x{2029}"#

    init(_ pattern: String) {
        var rest = pattern.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                let escaped = rest.popFirst()
                translated += Self.escape(escaped, inClass: false) + category(escaped, &rest)
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
        // PCRE2 reads a bracket here as a member of the class.
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
            items.append(Self.escape(escaped, inClass: true) + category(escaped, &rest))
        }
        hasComplementInClass = hasComplementInClass || kinds.contains("S") && !kinds.contains("s")
        translated += "[" + items.joined()
    }

    /// Consumes the braces after `\p` or `\P` if they name a category in a form that PCRE2 does not know. Returns the
    /// short name in braces, or an empty text if the braces were not consumed.
    private mutating func category(_ escaped: Unicode.Scalar?, _ rest: inout Substring.UnicodeScalarView) -> String {
        guard escaped == "p" || escaped == "P", rest.first == "{", let end = rest.firstIndex(of: "}") else { return "" }
        var name = Substring(rest[rest.index(after: rest.startIndex)..<end])
        let property = ["General_Category=", "gc="].first { name.hasPrefix($0) }
        name.removeFirst(property?.count ?? 0)
        // PCRE2 does not know `gc=` and `General_Category=`, so they are also removed from short names.
        let isShort = property != nil && Self.categories.values.contains(String(name))
        guard let short = Self.categories[String(name)] ?? (isShort ? String(name) : nil) else { return "" }
        hasLongCategories = true
        rest = rest[rest.index(after: end)...]
        return "{\(short)}"
    }

    private static let categories = [
        "Letter": "L", "Cased_Letter": "L&", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M",
        "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N",
        "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P",
        "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
        "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
        "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
        "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C",
        "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
    ]

    private static func escape(_ scalar: Unicode.Scalar?, inClass: Bool) -> String {
        switch scalar {
        case "s": inClass ? spaces : "[\(spaces)]"
        case "S" where !inClass: "[^\(spaces)]"
        case let scalar?: "\\" + String(scalar)
        case nil: "\\"
        }
    }
}
