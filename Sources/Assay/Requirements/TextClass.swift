/// The built-in requirements that a text contains a kind of character. Each is a pattern and is recognized by that
/// pattern, so that a rule file written from a requirement gives the same reasons when it is read.
enum TextClass: Equatable {
    case digit, uppercase, lowercase, symbol
    /// At least one of these characters.
    case oneOf(String)

    private static let named: [(Self, pattern: String)] = [
        (.digit, #"\p{Nd}"#), (.uppercase, #"\p{Lu}"#), (.lowercase, #"\p{Ll}"#), (.symbol, #"[^\p{L}\p{M}\p{N}\s]"#),
    ]

    init?(_ check: Check) {
        guard case .matches(let source, .search) = check else { return nil }
        if let known = Self.named.first(where: { $0.pattern == source })?.0 {
            self = known
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

    var check: Check { self == .oneOf("") ? .any([]) : .matches(pattern: pattern, options: .search) }

    private var pattern: String {
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
        }
    }

    var phrase: String {
        switch self {
        case .digit: "a digit"
        case .uppercase: "an upper-case letter"
        case .lowercase: "a lower-case letter"
        case .symbol: "a special character"
        case .oneOf(let characters): "one of the characters \(characters)"
        }
    }
}
