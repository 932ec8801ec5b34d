/// The built-in requirements about the characters of a text. Each is a pattern and is recognized by that pattern, so
/// that a rule file written from a requirement gives the same reasons when it is read.
enum TextClass: Equatable {
    // At least one such character.
    case digit, uppercase, lowercase, symbol
    /// At least one of these characters.
    case oneOf(String)

    // Only such characters.
    case alphanumeric, ascii

    // This text at the beginning, at the end or anywhere.
    case prefix(String), suffix(String), part(String)

    private static let named: [(Self, pattern: String, options: Pattern.Options)] = [
        (.digit, #"\p{Nd}"#, .search), (.uppercase, #"\p{Lu}"#, .search), (.lowercase, #"\p{Ll}"#, .search),
        (.symbol, #"[^\p{L}\p{M}\p{N}\s]"#, .search), (.alphanumeric, #"[\p{L}\p{M}\p{N}]*"#, []),
        (.ascii, #"[\x00-\x7F]*"#, []),
    ]

    init?(_ check: Check) {
        guard case .matches(let source, let options) = check, options == .search || options == [] else { return nil }
        if let known = Self.named.first(where: { $0.pattern == source && $0.options == options })?.0 {
            self = known
        } else if options == [] {
            return nil
        } else if let literal = Self.literal(in: source) {
            self = literal
        } else {
            let inner = source.unicodeScalars.dropFirst().dropLast()
            var characters = String.UnicodeScalarView()
            var isEscaped = false
            for scalar in inner {
                if scalar == "\\" && !isEscaped {
                    isEscaped = true
                } else {
                    characters.append(scalar)
                    isEscaped = false
                }
            }
            // The characters are certain only if this type would write the same pattern.
            self = .oneOf(String(characters))
            if pattern != source { return nil }
        }
    }

    var check: Check {
        if self == .oneOf("") { return .any([]) }
        let options = Self.named.first { $0.0 == self }?.options ?? .search
        return .matches(pattern: pattern, options: options)
    }

    /// The requirement of a literal text between `\Q` and `\E`.
    private static func literal(in source: String) -> Self? {
        // Scalars, because a combining mark after a letter of these tokens would change the letter's character.
        let scalars = Array(source.unicodeScalars)
        let isPrefix = scalars.starts(with: #"\A\Q"#.unicodeScalars)
        let isSuffix = !isPrefix && scalars.suffix(4).elementsEqual(#"\E\z"#.unicodeScalars)
        var text = ""
        var rest = scalars.dropFirst(isPrefix ? 4 : 2).dropLast(isSuffix ? 4 : 2)
        while let scalar = rest.first {
            let isJoint = rest.starts(with: joint.unicodeScalars)
            if !isJoint { text.unicodeScalars.append(scalar) }
            rest = rest.dropFirst(isJoint ? joint.unicodeScalars.count : 1)
        }
        // The text is certain only if this type would write the same pattern.
        let literal = isPrefix ? Self.prefix(text) : isSuffix ? .suffix(text) : .part(text)
        return literal.pattern.utf8.elementsEqual(source.utf8) ? literal : nil
    }

    /// The end and the start of quoting, between the backslash and the E of a text.
    private static let joint = #"\E\Q"#

    /// A pattern of the text itself.
    private static func quoted(_ text: String) -> String {
        var pattern = #"\Q"#
        var isAfterBackslash = false
        for scalar in text.unicodeScalars {
            if isAfterBackslash && scalar == "E" { pattern += joint }
            pattern.unicodeScalars.append(scalar)
            isAfterBackslash = scalar == "\\"
        }
        return pattern + #"\E"#
    }

    private var pattern: String {
        switch self {
        case .prefix(let text): return #"\A"# + Self.quoted(text)
        case .suffix(let text): return Self.quoted(text) + #"\z"#
        case .part(let text): return Self.quoted(text)
        default: break
        }
        guard case .oneOf(let characters) = self else { return Self.named.first { $0.0 == self }!.pattern }
        // In PCRE2, a backslash before ASCII punctuation always makes it literal.
        return characters.unicodeScalars.reduce(into: "[") { text, scalar in
            let isPunctuation =
                scalar.isASCII && scalar.value > 32 && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
            if isPunctuation { text += "\\" }
            text.unicodeScalars.append(scalar)
        } + "]"
    }

    /// The reason with the name and parameters of the rule.
    var reason: Reason {
        switch self {
        case .digit: Reason(rule: "string.containsDigit")
        case .uppercase: Reason(rule: "string.containsUppercase")
        case .lowercase: Reason(rule: "string.containsLowercase")
        case .symbol: Reason(rule: "string.containsSymbol")
        case .oneOf(let characters):
            Reason(rule: "string.containsOneOf", parameters: ["characters": .text(characters)])
        case .alphanumeric: Reason(rule: "string.alphanumeric")
        case .ascii: Reason(rule: "string.ascii")
        case .prefix(let text): Reason(rule: "string.hasPrefix", parameters: ["prefix": .text(text)])
        case .suffix(let text): Reason(rule: "string.hasSuffix", parameters: ["suffix": .text(text)])
        case .part(let text): Reason(rule: "string.contains", parameters: ["text": .text(text)])
        }
    }

    var phrase: String {
        switch self {
        case .digit: "a digit"
        case .uppercase: "an upper-case letter"
        case .lowercase: "a lower-case letter"
        case .symbol: "a special character"
        case .oneOf(let characters): "one of the characters \(characters)"
        case .alphanumeric: "only letters and digits"
        case .ascii: "only ASCII characters"
        case .prefix(let text): "text that begins with \(text.debugDescription)"
        case .suffix(let text): "text that ends with \(text.debugDescription)"
        case .part(let text): "text that contains \(text.debugDescription)"
        }
    }
}
