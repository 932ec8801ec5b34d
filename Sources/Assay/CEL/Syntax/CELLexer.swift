/// Splits a text into tokens.
///
/// Source: cel-spec, "Syntax".
struct CELLexer {
    let bytes: [UInt8]
    /// The start of the next token, or of the white space before it.
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the next token. At the end, each call returns the end token.
    mutating func next() throws(CELMistake) -> CELToken {
        skipSpace()
        let start = position
        guard let byte = peek() else { return CELToken(kind: .end, range: start..<start) }
        let kind: CELToken.Kind
        if let literal = try stringLiteral() {
            kind = literal
        } else if Self.isNameStart(byte) {
            kind = try identifier()
        } else if Self.isDigit(byte) || (byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true) {
            kind = try number()
        } else if byte == UInt8(ascii: "`") {
            kind = try quotedIdentifier()
        } else {
            kind = .symbol(try symbol())
        }
        return CELToken(kind: kind, range: start..<position)
    }

    /// The byte at an offset from the next one; `nil` after the end.
    func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    /// The text of some bytes.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Skips white space, and comments up to the end of their line.
    private mutating func skipSpace() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C: position += 1
            case UInt8(ascii: "/") where peek(1) == byte:
                while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
            default: return
            }
        }
    }

    /// A name or a keyword.
    private mutating func identifier() throws(CELMistake) -> CELToken.Kind {
        let start = position
        while let byte = peek(), Self.isNameStart(byte) || Self.isDigit(byte) { position += 1 }
        if let byte = peek(), byte >= 0x80 {
            position = start
            throw foreignLetter()
        }
        return .identifier(text(start..<position))
    }

    /// A name in backquotes.
    private mutating func quotedIdentifier() throws(CELMistake) -> CELToken.Kind {
        let start = position
        position += 1
        while let byte = peek(), byte != UInt8(ascii: "`"), byte != UInt8(ascii: "\n") { position += 1 }
        guard peek() == UInt8(ascii: "`") else {
            throw CELMistake("the '`' is never closed", at: start..<start + 1)
        }
        position += 1
        return .quotedIdentifier(text(start + 1..<position - 1))
    }

    /// `12`, `0x1F`, `1u`, `1.5`, `.5e-3`.
    private mutating func number() throws(CELMistake) -> CELToken.Kind {
        let start = position
        if bytes[start] == UInt8(ascii: "0"), peek(1) == UInt8(ascii: "x") || peek(1) == UInt8(ascii: "X") {
            position += 2
            while let byte = peek(), Self.isHexDigit(byte) { position += 1 }
            return try integer(text(start + 2..<position), radix: 16, from: start)
        }
        skipDigits()
        var isInteger = true
        if peek() == UInt8(ascii: "."), peek(1).map(Self.isDigit) == true {
            isInteger = false
            position += 1
            skipDigits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if peek(isSigned ? 2 : 1).map(Self.isDigit) == true {
                isInteger = false
                position += isSigned ? 2 : 1
                skipDigits()
            }
        }
        if isInteger { return try integer(text(start..<position), radix: 10, from: start) }
        try mustEndNumber(from: start)
        return CELNumber(bytes[start..<position]).map { .number($0) } ?? .oversized
    }

    /// The token of an integer after its digits were read. A `u` may follow.
    private mutating func integer(_ digits: String, radix: Int, from start: Int) throws(CELMistake) -> CELToken.Kind {
        let isUnsigned = peek() == UInt8(ascii: "u") || peek() == UInt8(ascii: "U")
        if isUnsigned { position += 1 }
        try mustEndNumber(from: start)
        if digits.isEmpty { throw CELMistake("'0x' has no digits", at: start..<position) }
        if isUnsigned { return .unsigned }
        guard let value = UInt64(digits, radix: radix) else {
            throw Self.tooLarge(text(start..<position), at: start..<position)
        }
        return .integer(value)
    }

    /// The mistake of an integer beyond 64 bits.
    static func tooLarge(_ text: String, at range: Range<Int>) -> CELMistake {
        let advice = text.hasPrefix("0") ? nil : "write \(text).0, a number"
        return CELMistake("the integer \(text) does not fit into 64 bits", advice, at: range)
    }

    /// Checks that the next byte is not a letter or digit.
    private mutating func mustEndNumber(from start: Int) throws(CELMistake) {
        guard let byte = peek(), Self.isNameStart(byte) || Self.isDigit(byte) else { return }
        while let byte = peek(), Self.isNameStart(byte) || Self.isDigit(byte) { position += 1 }
        let word = text(start..<position)
        throw CELMistake("'\(word)' is not a number or a name", at: start..<position)
    }

    private mutating func skipDigits() {
        while let byte = peek(), Self.isDigit(byte) { position += 1 }
    }

    /// An operator or punctuation.
    private mutating func symbol() throws(CELMistake) -> String {
        let rest = bytes[position...]
        for symbol in Self.symbols where rest.starts(with: symbol.utf8) {
            position += symbol.utf8.count
            return symbol
        }
        for (word, advice) in Self.foreignSymbols where rest.starts(with: word.utf8) {
            throw CELMistake(
                "'\(word)' is no operator", "write '\(advice)'", at: position..<position + word.utf8.count)
        }
        throw bytes[position] >= 0x80 ? foreignLetter() : foreignByte()
    }

    /// The symbols; longer ones must be first.
    private static let symbols = [
        "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ".", ",", "(", ")", "[",
        "]", "{", "}",
    ]

    /// Symbols of other languages, and those of CEL.
    private static let foreignSymbols = [("=", "=="), ("&", "&&"), ("|", "||")]

    /// The mistake of a byte that is not in CEL's syntax.
    private func foreignByte() -> CELMistake {
        let byte = bytes[position]
        let isShown = byte > 0x20 && byte < 0x7F
        let name = isShown ? "'\(text(position..<position + 1))'" : "a control character"
        return CELMistake("\(name) has no place in an expression", at: position..<position + 1)
    }

    /// The mistake of a name with letters outside ASCII.
    private func foreignLetter() -> CELMistake {
        var end = position
        while end < bytes.count, Self.isNameStart(bytes[end]) || Self.isDigit(bytes[end]) || bytes[end] >= 0x80 {
            end += 1
        }
        let word = text(position..<end)
        if let first = word.unicodeScalars.first, "“”„‘’«»".unicodeScalars.contains(first) {
            let range = position..<position + String(first).utf8.count
            return CELMistake("'\(first)' is no quotation mark of CEL", "write ' or \"", at: range)
        }
        return CELMistake(
            "'\(word)' is no name: names have letters from a to z, digits and '_'", "write row[\"\(word)\"]",
            at: position..<end)
    }

    /// `0` to `9`.
    static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }

    /// `0` to `9`, `a` to `f` in either case.
    static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// A letter or `_`.
    static func isNameStart(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
