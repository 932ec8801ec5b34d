internal import SwiftSyntax

/// The text of a string literal, with the source position of each byte.
///
///     source   "a\u{20AC}\n"
///               ↑↑        ↑
///     bytes    61 E2 82 AC 0A          places   1..<2, 2..<10 (three times), 10..<12
///
/// Supports normal, raw and multi-line literals. Escapes are resolved as in the compiler: see "String Literals" in The
/// Swift Programming Language.
struct LiteralText {
    private(set) var bytes: [UInt8] = []
    private var places: [Range<AbsolutePosition>] = []
    private var end: AbsolutePosition

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// - Throws: A diagnostic at the first interpolation.
    init(_ literal: StringLiteralExprSyntax) throws {
        end = literal.segments.positionAfterSkippingLeadingTrivia
        let pounds = literal.openingPounds?.text.utf8.count ?? 0
        for segment in literal.segments {
            switch segment {
            case .stringSegment(let segment): append(segment.content, pounds: pounds)
            case .expressionSegment(let interpolation):
                throw Message.error(
                    "a pattern is compiled together with your code, so it cannot contain interpolations; "
                        + "make it at run time with `try Pattern(…)`"
                ).at(interpolation).thrown
            }
        }
    }

    /// The source range of the character for the byte at an offset; an empty range at the end for later offsets.
    func place(of offset: Int) -> Range<AbsolutePosition> {
        offset < places.count ? places[offset] : end..<end
    }

    private mutating func append(_ token: TokenSyntax, pounds: Int) {
        var source = Cursor(bytes: Array(token.text.utf8), start: token.positionAfterSkippingLeadingTrivia)
        while let byte = source.peek() {
            let start = source.position
            let unescaped: [UInt8]
            if byte == UInt8(ascii: "\\"), source.startsEscape(pounds: pounds) {
                unescaped = Array(String(source.takeEscape(pounds: pounds)).utf8)
            } else if byte == UInt8(ascii: "\r") {
                // The compiler converts every line ending of a multi-line literal to a line feed.
                source.skip(source.peek(1) == UInt8(ascii: "\n") ? 2 : 1)
                unescaped = [UInt8(ascii: "\n")]
            } else {
                unescaped = source.takeScalar()
            }
            bytes += unescaped
            places += repeatElement(start..<source.position, count: unescaped.count)
        }
        end = source.position
    }
}

extension LiteralText {
    /// A literal for a text, in raw form if the text contains backslashes.
    ///
    /// The literal is built scalar by scalar and contains only ASCII. A quotation mark with a combining mark is one
    /// `Character`, which swift-syntax does not treat as a quotation mark, so its literal would end there.
    static func source(of text: String) -> String {
        let longestRun = text.unicodeScalars.split { $0 != "#" }.map(\.count).max() ?? 0
        let pounds = String(repeating: "#", count: text.unicodeScalars.contains("\\") ? longestRun + 1 : 0)
        var source = pounds + "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": source += "\\" + pounds + "\""
            case " "..."~": source.unicodeScalars.append(scalar)
            default: source += "\\" + pounds + "u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return source + "\"" + pounds
    }
}

/// A byte-by-byte reader of a literal's source.
private struct Cursor {
    let bytes: [UInt8]
    let start: AbsolutePosition
    private var index = 0

    init(bytes: [UInt8], start: AbsolutePosition) {
        self.bytes = bytes
        self.start = start
    }

    var position: AbsolutePosition { start.advanced(by: index) }

    func peek(_ distance: Int = 0) -> UInt8? {
        index + distance < bytes.count ? bytes[index + distance] : nil
    }

    mutating func skip(_ count: Int) { index += count }

    /// Consumes one scalar of the source.
    mutating func takeScalar() -> [UInt8] {
        let first = bytes[index]
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        defer { skip(count) }
        return Array(bytes[index...].prefix(count))
    }

    func startsEscape(pounds: Int) -> Bool {
        (0..<pounds).allSatisfy { peek(1 + $0) == UInt8(ascii: "#") }
    }

    /// Consumes an escape such as `\n` or `\#u{20AC}`. It is well-formed, because the compiler has parsed the literal.
    mutating func takeEscape(pounds: Int) -> Unicode.Scalar {
        skip(1 + pounds)
        let kind = peek() ?? UInt8(ascii: "\\")
        skip(1)
        switch kind {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "0"): return "\0"
        case UInt8(ascii: "u"):
            let digits = bytes[index...].dropFirst().prefix { $0 != UInt8(ascii: "}") }
            skip(digits.count + 2)
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            return value.flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
        default: return Unicode.Scalar(kind)
        }
    }
}
