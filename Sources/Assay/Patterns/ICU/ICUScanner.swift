/// The characters of a pattern as ICU's scanner passes them to its parser: `\x41`, `\u0041`, `\0101` and `\cA` are
/// single characters, `\Q…\E` is resolved, and with the flag `x`, white space and comments are removed.
///
/// Source: `RegexCompile::nextChar` in ICU's `regexcmp.cpp`.
struct ICUScanner {
    struct Item {
        /// The character; `nil` at the end of the pattern.
        var scalar: Unicode.Scalar?
        /// Whether the character is escaped or between `\Q` and `\E`, and therefore literal. False for the backslash of
        /// `\d` and for its `d`.
        var isQuoted: Bool
        /// The position in bytes of the pattern.
        var range: Range<Int>
    }

    private let scalars: [Unicode.Scalar]
    /// The byte offset of each scalar, followed by the length of the pattern.
    private let offsets: [Int]
    private var index = 0
    private var isInQuotation = false
    private var isAfterBackslash = false

    /// The flag `x`: white space and comments are skipped.
    var skipsSpace = false
    /// Whether a `#` as the next character is not the start of a comment, because it follows `(?`.
    var keepsNumberSign = false

    private(set) var current = Item(scalar: nil, isQuoted: false, range: 0..<0)

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
        offsets = scalars.reduce(into: [0]) { $0.append($0.last! + UTF8.width($1)) }
    }

    /// Whether the current character is `scalar` with its special meaning.
    func isAt(_ scalar: Unicode.Scalar) -> Bool { current.scalar == scalar && !current.isQuoted }

    /// Advances to the next character for the parser.
    mutating func advance() throws(CompileError) {
        defer { keepsNumberSign = false }
        while let scalar = nextRaw() {
            let start = index - 1
            if isInQuotation {
                guard scalar == "\\", peekRaw() == "E" else { return found(scalar, isQuoted: true, from: start) }
                index += 1
                isInQuotation = false
            } else if isAfterBackslash {
                isAfterBackslash = false
                return found(scalar, isQuoted: false, from: start)
            } else if skipsSpace && scalar == "#" && !keepsNumberSign {
                skipComment()
            } else if skipsSpace && scalar.properties.isPatternWhitespace {
                continue
            } else if scalar != "\\" {
                return found(scalar, isQuoted: false, from: start)
            } else if peekRaw() == "Q" {
                index += 1
                isInQuotation = true
            } else if let escaped = try escape(from: start) {
                return found(escaped, isQuoted: true, from: start)
            } else {
                isAfterBackslash = true
                return found("\\", isQuoted: false, from: start)
            }
        }
        let end = offsets[scalars.count]
        current = Item(scalar: nil, isQuoted: false, range: end..<end)
    }

    /// Consumes the next character if it is an ASCII digit, regardless of the flags.
    mutating func nextDigit() -> Int? {
        guard let scalar = peekRaw(), "0" <= scalar, scalar <= "9" else { return nil }
        index += 1
        current.range = current.range.lowerBound..<offsets[index]
        return Int(scalar.value - 48)
    }

    private mutating func found(_ scalar: Unicode.Scalar, isQuoted: Bool, from start: Int) {
        current = Item(scalar: scalar, isQuoted: isQuoted, range: offsets[start]..<offsets[index])
    }

    private func peekRaw() -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func nextRaw() -> Unicode.Scalar? {
        guard let scalar = peekRaw() else { return nil }
        index += 1
        return scalar
    }

    /// Skips from `#` to the end of the line. U+2029 does not end a comment, although it ends lines elsewhere.
    private mutating func skipComment() {
        while let scalar = nextRaw() {
            if ["\r", "\n", "\u{85}", "\u{2028}"].contains(scalar) { return }
        }
    }
}

// MARK: - Escapes for one character

extension ICUScanner {
    /// The character of the escape after the backslash; `nil` if the escape is one for the parser, such as `\d`.
    private mutating func escape(from start: Int) throws(CompileError) -> Unicode.Scalar? {
        guard let letter = peekRaw(), "acefnrtuUx0".unicodeScalars.contains(letter) else { return nil }
        index += 1
        switch letter {
        case "a": return "\u{7}"
        case "e": return "\u{1B}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "c": return try control(from: start)
        case "0": return try octal(from: start)
        default: return try hexadecimal(letter, from: start)
        }
    }

    private mutating func control(from start: Int) throws(CompileError) -> Unicode.Scalar {
        guard let scalar = nextRaw(), scalar.isASCII else {
            throw refusal(from: start, "\\c wants an ASCII character after it")
        }
        return Unicode.Scalar(UInt8(scalar.value & 0x1F))
    }

    /// One to three digits after `\0`, as in Java. A third digit is not consumed if the value would exceed `\0377`.
    private mutating func octal(from start: Int) throws(CompileError) -> Unicode.Scalar {
        var value: UInt32 = 0
        var count = 0
        while count < 3, let digit = peekRaw(), "0" <= digit, digit <= "7", value * 8 + digit.value - 48 <= 0xFF {
            value = value * 8 + digit.value - 48
            index += 1
            count += 1
        }
        guard count > 0 else { throw refusal(from: start, "\\0 wants octal digits after it, as in \\0101") }
        return Unicode.Scalar(UInt8(value))
    }

    /// `\x4`, `\x41`, `\x{1F600}`, `\u0041`, `\U0001F600`, and a surrogate pair as two `\u`.
    private mutating func hexadecimal(_ letter: Unicode.Scalar, from start: Int) throws(CompileError) -> Unicode.Scalar
    {
        let value: UInt32?
        if letter == "x" && peekRaw() == "{" {
            index += 1
            value = digits(1...8)
            if value != nil, nextRaw() != "}" { throw refusal(from: start, "the } of \\x{…} is missing") }
        } else {
            value = digits(letter == "x" ? 1...2 : letter == "u" ? 4...4 : 8...8)
        }
        guard let value else {
            let form = letter == "x" ? "\\x41 or \\x{41}" : letter == "u" ? "\\u0041" : "\\U00000041"
            throw refusal(from: start, "\\\(letter) wants hexadecimal digits after it, as in \(form)")
        }
        if let scalar = Unicode.Scalar(value) { return scalar }
        if (0xD800..<0xDC00).contains(value), peekRaw() == "\\" {
            index += 1
            if nextRaw() == "u", let trail = digits(4...4), (0xDC00..<0xE000).contains(trail),
                let scalar = Unicode.Scalar(0x10000 + ((value - 0xD800) << 10) + (trail - 0xDC00))
            {
                return scalar
            }
        }
        throw refusal(from: start, "this is no character: write \\x{…} with a value up to 10FFFF, and no surrogate")
    }

    /// The value of the longest sequence of hexadecimal digits within `counts`; `nil` if there are too few.
    private mutating func digits(_ counts: ClosedRange<Int>) -> UInt32? {
        var value: UInt32 = 0
        var count = 0
        while count < counts.upperBound, let digit = peekRaw().flatMap({ Character($0).hexDigitValue }),
            peekRaw()!.isASCII
        {
            value = value << 4 | UInt32(digit)
            index += 1
            count += 1
        }
        return counts.contains(count) ? value : nil
    }

    private func refusal(from start: Int, _ message: String) -> CompileError {
        CompileError(part: .pattern, message: message, offset: offsets[start])
    }
}
