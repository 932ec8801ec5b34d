/// A word of an expression.
struct CELToken {
    let kind: Kind
    /// Bytes of the text.
    let range: Range<Int>

    /// What is written.
    enum Kind: Equatable {
        case identifier(String)
        /// A name in backquotes, which may stand after a point.
        case quotedIdentifier(String)
        /// An integer without its sign: 2^63 is one only after a minus.
        case integer(UInt64)
        case number(CELNumber)
        /// A number that does not fit into one of ours.
        case oversized
        case string(String)
        case unsigned, bytes
        /// Operators and punctuation.
        case symbol(String)
        case end
    }

    /// Whether it is this operator or punctuation.
    func isSymbol(_ text: String) -> Bool { kind == .symbol(text) }

    /// The operator between two values that it is.
    var binaryOperator: CELOperator? {
        switch kind {
        case .symbol(let text): CELOperator(rawValue: text)
        case .identifier("in"): .contained
        default: nil
        }
    }

    /// Words that are neither names nor functions.
    static let keywords: Set<String> = ["true", "false", "null", "in"]

    /// Words that are no names, so that languages around CEL can have them.
    static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    ]
}
