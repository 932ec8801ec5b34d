/// A token of an expression.
struct CELToken {
    let kind: Kind
    /// The place in the text, in bytes.
    let range: Range<Int>

    /// The kind of a token, with its value.
    enum Kind: Equatable {
        case identifier(String)
        /// A name in backquotes, which is allowed after a point.
        case quotedIdentifier(String)
        /// The magnitude of an integer: 2^63 is allowed only after a minus.
        case integer(UInt64)
        case number(CELNumber)
        /// A number that does not fit ``CELNumber``.
        case oversized
        case string(String)
        case unsigned, bytes
        /// Operators and punctuation.
        case symbol(String)
        case end
    }

    /// Whether the token is this operator or punctuation.
    func isSymbol(_ text: String) -> Bool { kind == .symbol(text) }

    /// The binary operator of the token, if it is one.
    var binaryOperator: CELOperator? {
        switch kind {
        case .symbol(let text): CELOperator(rawValue: text)
        case .identifier("in"): .contained
        default: nil
        }
    }

    /// Words that are not names or functions.
    static let keywords: Set<String> = ["true", "false", "null", "in"]

    /// Reserved words, which are not names, so that languages that embed CEL can use them.
    static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    ]
}
