// Messages for syntax errors, for readers who do not know the YAML specification.

internal import Assay

extension Mistake {
    /// Returns the mistake for a character or byte that YAML does not allow.
    static func refused(_ scalar: Unicode.Scalar?, at place: Int, in source: SourceText) -> Mistake {
        let byte = source.bytes[place]
        let range = place..<place + 1
        if place == 0, source.bytes.starts(with: [0xFF, 0xFE]) || source.bytes.starts(with: [0xFE, 0xFF]) {
            return Mistake(range: range, message: "the file is UTF-16", suggestion: "save it as UTF-8")
        }
        if let packed = packedForms.first(where: { source.bytes.starts(with: $0.magic) }) {
            return Mistake(
                range: range, message: "the file is compressed with \(packed.command)",
                suggestion: "unpack it: \(packed.command) -d")
        }
        guard let scalar else {
            let digits = String(byte, radix: 16, uppercase: true)
            return Mistake(
                range: range, message: "the byte 0x\(digits) is not UTF-8",
                suggestion: "save the file as UTF-8; it may be windows-1252")
        }
        return Mistake(
            range: place..<place + UTF8.width(scalar),
            message: "the control character \(scalar.escaped) is not allowed here",
            suggestion: "in double quotes it is written \"\(scalar.escaped)\"")
    }

    /// The first bytes of compressed files.
    private static let packedForms: [(magic: [UInt8], command: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    ]

    /// Returns the mistake for an error of libyaml. `place` and `context` are byte offsets in the source.
    static func syntax(_ error: YAMLSyntaxError, place: Int, context: Int, in source: SourceText) -> Mistake {
        let place = min(place, source.bytes.count)
        let range = place..<min(place + 1, source.bytes.count)
        let character = place < source.bytes.count ? source.bytes[place] : 0
        switch (error.problem, error.context) {
        case ("found unknown escape character", _):
            return Mistake(
                range: place..<min(place + 2, source.bytes.count),
                message: "unknown escape in a text in double quotes",
                suggestion: singleQuoted(from: context, in: source).map { "use single quotes: \($0)" }
                    ?? "use single quotes, in which a backslash is just a backslash")

        case ("found invalid Unicode character escape code", _):
            return Mistake(
                range: range, message: "this escape is half a character",
                suggestion: #"write the character itself, or the complete escape: "\U0001F600""#)

        case ("found unexpected end of stream", _), ("found unexpected document indicator", _):
            return Mistake(
                range: context..<min(context + 1, source.bytes.count),
                message: "this quote is never closed", suggestion: nil)

        case ("found character that cannot start any token", _) where character == UInt8(ascii: "\t"):
            return Mistake(range: range, message: "a tab cannot indent", suggestion: "use spaces")

        case ("found a tab character that violates indentation", _):
            return Mistake(range: range, message: "a tab cannot indent", suggestion: "use spaces")

        case ("found character that cannot start any token", _):
            let sign = String(decoding: [character], as: UTF8.self)
            return Mistake(
                range: range, message: "text cannot start with \(sign.quoted) unless it is in quotes",
                suggestion: quoteAdvice(at: place, in: source))

        case ("mapping values are not allowed in this context", _):
            return Mistake(
                range: range, message: "a key is not allowed here",
                suggestion: spaceAdvice(above: place, in: source)
                    ?? "text that holds ': ' needs single quotes; otherwise check the indentation")

        case ("block sequence entries are not allowed in this context", _):
            return Mistake(
                range: range, message: "a list entry cannot start here",
                suggestion: "the text '-' needs quotes; otherwise check the indentation")

        case ("did not find expected alphabetic or numeric character", _):
            let sign = context < source.bytes.count ? source.bytes[context] : character
            let word = String(decoding: [sign], as: UTF8.self)
            return Mistake(
                range: context..<min(context + 1, source.bytes.count),
                message: "text cannot start with \(word.quoted) unless it is in quotes",
                suggestion: quoteAdvice(at: context, in: source))

        case ("could not find expected ':'", _):
            let line = source.line(source.lineIndex(at: context))
            let start = min(max(context, line.lowerBound), line.upperBound)
            return Mistake(
                range: start..<line.upperBound, message: "expected 'key: value'",
                suggestion: "is a colon missing, or a space after it?")

        case ("did not find expected <document start>", _) where beginsWithBracket(source):
            let isBracket = character == UInt8(ascii: "}") || character == UInt8(ascii: "]")
            let sign = String(decoding: [character], as: UTF8.self)
            return Mistake(
                range: range, message: "text follows the end of the document",
                suggestion: isBracket
                    ? "remove it: all brackets are closed before this '\(sign)', or one is closed too early"
                    : "a rule file is one document: remove the rest")

        case ("did not find expected key", "while parsing a block mapping"?),
            ("did not find expected '-' indicator", _), ("did not find expected <document start>", _):
            if let mistake = bracketAdvice(at: place, in: source) ?? strayQuote(at: place, in: source) {
                return mistake
            }
            return Mistake(
                range: range, message: "this does not fit the lines above",
                suggestion:
                    "check the indentation: the keys of one mapping, and the entries of one list, must start in one "
                    + "column")

        case ("did not find expected ',' or '}'", _), ("did not find expected ',' or ']'", _):
            if let mistake = strayQuote(at: place, in: source) { return mistake }
            let closer = error.problem.hasSuffix("'}'") ? "}" : "]"
            let opening = source.lineIndex(at: context) + 1
            return Mistake(
                range: range, message: "expected a comma or '\(closer)' here",
                suggestion: "it was opened on line \(opening); text that holds , [ ] { } or # needs single quotes")

        case (let problem, let context):
            let words = context.map { "\(problem) \($0)" } ?? problem
            return Mistake(range: range, message: words, suggestion: nil)
        }
    }

    /// Whether the whole file is in brackets, as in JSON.
    private static func beginsWithBracket(_ source: SourceText) -> Bool {
        let first = source.bytes.first { ![9, 10, 13, 32].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Returns the text in double quotes at a place, in single quotes. Returns `nil` if it spans lines.
    private static func singleQuoted(from start: Int, in source: SourceText) -> String? {
        guard start < source.bytes.count, source.bytes[start] == UInt8(ascii: "\"") else { return nil }
        let line = source.line(source.lineIndex(at: start))
        var text: [UInt8] = [UInt8(ascii: "'")]
        var index = start + 1
        while index < line.upperBound {
            let byte = source.bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text + [UInt8(ascii: "'")], as: UTF8.self)
            case UInt8(ascii: "'"):
                text += [byte, byte]
            case UInt8(ascii: "\\") where index + 1 < line.upperBound:
                // An escaped quote is a quote; any other backslash is kept, because the author probably meant it
                // literally.
                index += 1
                text += source.bytes[index] == UInt8(ascii: "\"") ? [source.bytes[index]] : [byte, source.bytes[index]]
            default:
                text.append(byte)
            }
            index += 1
        }
        return nil
    }

    /// Returns advice to put the rest of a line in single quotes, for text that starts with a YAML indicator.
    private static func quoteAdvice(at start: Int, in source: SourceText) -> String {
        let line = source.line(source.lineIndex(at: start))
        var text = source.text(start..<max(start, line.upperBound))
        while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
        guard text.count <= 60, !text.unicodeScalars.contains(where: { ",[]{}#".unicodeScalars.contains($0) }) else {
            return "use single quotes"
        }
        return "write '\(text.replacingEach("'", by: "''").visible)'"
    }

    /// `'[A-Z '-]+'` reads as the text `[A-Z ` followed by a stray `-]+'`.
    private static func strayQuote(at place: Int, in source: SourceText) -> Mistake? {
        let line = source.line(source.lineIndex(at: place))
        guard place > line.lowerBound, let end = [UInt8]("'\"".utf8).first(where: { $0 == source.bytes[place - 1] })
        else { return nil }
        if place < source.bytes.count, source.bytes[place] == UInt8(ascii: ":") {
            return Mistake(
                range: place - 1..<place, message: "the key that ends here has more than 1,024 characters",
                suggestion: "shorten it: YAML takes no longer ones")
        }
        return Mistake(
            range: place - 1..<place, message: "this quote ends the text, and more follows",
            suggestion: end == UInt8(ascii: "'")
                ? "inside single quotes a quote is written twice: ''"
                : #"inside double quotes a quote is written \""#)
    }

    /// Returns advice for a mapping that starts with `name:a`, which YAML reads as text, before a line with a key.
    private static func spaceAdvice(above place: Int, in source: SourceText) -> String? {
        let number = source.lineIndex(at: place)
        guard number > 0 else { return nil }
        let above = source.text(source.line(number - 1)).drop { " -".contains($0) }
        guard let colon = above.firstIndex(of: ":"), above[..<colon].allSatisfy(\.isLetter), colon > above.startIndex,
            let next = above[colon...].dropFirst().first, !next.isWhitespace
        else { return nil }
        return "a space must follow the colon on line \(number): \(above[..<colon]): …"
    }

    /// `pattern: [A-Z]+` reads as a list followed by a stray `+`.
    private static func bracketAdvice(at place: Int, in source: SourceText) -> Mistake? {
        let line = source.line(source.lineIndex(at: place))
        let text = source.bytes[line]
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            let start = text[(colon + 1)...].firstIndex(where: { $0 != UInt8(ascii: " ") }), start < place,
            source.bytes[start] == UInt8(ascii: "[") || source.bytes[start] == UInt8(ascii: "{")
        else { return nil }
        var value = source.text(start..<line.upperBound)
        while value.unicodeScalars.last == " " { value.unicodeScalars.removeLast() }
        let inner = value.replacingEach("'", by: "''")
        return Mistake(
            range: start..<line.upperBound,
            message: "text that starts with '\(value.unicodeScalars.first!)' needs quotes",
            suggestion: value.count <= 60 ? "write '\(inner.visible)'" : "use single quotes")
    }
}
