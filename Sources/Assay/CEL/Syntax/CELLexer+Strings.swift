// Literals in quotes: 'text', "text", '''text''', r'raw', b'bytes'.

extension CELLexer {
    /// Reads a literal in quotes; `nil` if the next token is another one.
    mutating func stringLiteral() throws(CELMistake) -> CELToken.Kind? {
        guard var quotation = Quotation(at: position, in: self) else { return nil }
        let value = try quotation.read(&self)
        return quotation.isBytes ? .bytes : .string(value)
    }

    /// The place in the text of a byte of a literal's value.
    ///
    ///     value      a\d      offset 1
    ///     text      'a\\d'    its place is 2 bytes after the literal's start
    static func place(ofByte offset: Int, inLiteral range: Range<Int>, of text: [UInt8]) -> Int {
        var lexer = CELLexer(text)
        lexer.position = range.lowerBound
        guard var quotation = Quotation(at: range.lowerBound, in: lexer) else { return range.lowerBound }
        _ = try? quotation.read(&lexer, upTo: offset)
        return lexer.position
    }
}

/// The quotation of a literal.
private struct Quotation {
    let isBytes: Bool
    let isRaw: Bool
    let isTriple: Bool
    let quote: UInt8
    /// The place of the opening quotes.
    let start: Int

    /// Reads the prefix and the opening quotes; `nil` if no literal begins here.
    init?(at position: Int, in lexer: CELLexer) {
        var offset = 0
        isBytes = lexer.peek().map { $0 | 0x20 } == UInt8(ascii: "b")
        if isBytes { offset += 1 }
        isRaw = lexer.peek(offset).map { $0 | 0x20 } == UInt8(ascii: "r")
        if isRaw { offset += 1 }
        guard let quote = lexer.peek(offset), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
            return nil
        }
        self.quote = quote
        start = position + offset
        isTriple = lexer.peek(offset + 1) == quote && lexer.peek(offset + 2) == quote
    }

    /// Reads the value and the closing quotes. With a limit, reads only as many bytes of the value, and the lexer is
    /// then at the place of the next byte.
    mutating func read(_ lexer: inout CELLexer, upTo limit: Int = .max) throws(CELMistake) -> String {
        lexer.position = start + (isTriple ? 3 : 1)
        var value: [UInt8] = []
        while value.count < limit {
            guard let byte = lexer.peek() else {
                throw CELMistake("the text in quotes is never closed", at: start..<start + (isTriple ? 3 : 1))
            }
            if byte == quote, !isTriple || (lexer.peek(1) == quote && lexer.peek(2) == quote) {
                lexer.position += isTriple ? 3 : 1
                break
            }
            if !isTriple, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                throw CELMistake(
                    "the text in quotes is not closed on its line", "write \\n, or three quotes around several lines",
                    at: start..<start + 1)
            }
            if byte == UInt8(ascii: "\\") && !isRaw {
                value += try escape(&lexer)
            } else {
                value.append(byte)
                lexer.position += 1
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// The bytes of an escape sequence. For bytes literals, which row rules do not support, only the syntax matters.
    private func escape(_ lexer: inout CELLexer) throws(CELMistake) -> [UInt8] {
        let start = lexer.position
        let letter = lexer.peek(1) ?? 0
        lexer.position += 2
        switch letter {
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            return [letter]
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return try scalar(&lexer, digits: 2, radix: 16, from: start)
        case UInt8(ascii: "u"): return try scalar(&lexer, digits: 4, radix: 16, from: start)
        case UInt8(ascii: "U"): return try scalar(&lexer, digits: 8, radix: 16, from: start)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            lexer.position -= 1
            return try scalar(&lexer, digits: 3, radix: 8, from: start)
        default:
            // Include all bytes of the character after the backslash.
            while let byte = lexer.peek(), byte & 0xC0 == 0x80 { lexer.position += 1 }
            let end = min(lexer.position, lexer.bytes.count)
            let word = lexer.text(start..<end)
            throw CELMistake(
                "'\(word)' is no escape", "write \\\(word), or r before the quotes of a pattern", at: start..<end)
        }
    }

    /// The UTF-8 of a code point in digits.
    private func scalar(
        _ lexer: inout CELLexer, digits: Int, radix: Int, from start: Int
    ) throws(CELMistake) -> [UInt8] {
        let end = lexer.position + digits
        guard end <= lexer.bytes.count, lexer.bytes[lexer.position..<end].allSatisfy(CELLexer.isHexDigit),
            let value = UInt32(lexer.text(lexer.position..<end), radix: radix)
        else {
            let unit = radix == 8 ? "octal" : "hexadecimal"
            let range = start..<min(end, lexer.bytes.count)
            throw CELMistake("an escape needs \(digits) \(unit) digits here", at: range)
        }
        lexer.position = end
        guard let scalar = Unicode.Scalar(value) else {
            throw CELMistake("'\(lexer.text(start..<end))' is no character of Unicode", at: start..<end)
        }
        return Array(String(scalar).utf8)
    }
}
