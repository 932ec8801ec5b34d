import SwiftParser
import SwiftSyntax
import Testing

@testable import AssayMacrosPlugin

@Suite("The text of a literal, and its places")
struct LiteralTextTests {
    private func literal(_ source: String) throws -> StringLiteralExprSyntax {
        var parser = Parser(source)
        return try #require(ExprSyntax.parse(from: &parser).as(StringLiteralExprSyntax.self))
    }

    @Test(
        "reads every kind of literal as the compiler does",
        arguments: [
            #""""#, ##"#""#"##, #""a""#, #""é€👨‍👩‍👧""#, #""\\d+\"\'\t\r\n\0""#, #""\u{20AC}x\u{1F600}""#,
            ##"#"\d+\n"x"#"##,
            ##"#"a\#n\#u{41}\#\"#"##, ###"##"a\#n"#\##tb"##"###, "\"\"\"\n\"\"\"", "\"\"\"\n  a\n   b\n\n  c\n  \"\"\"",
            "\"\"\"\n  a\\\n  b\n  \"\"\"", "\"\"\"\r\n  a\r\n  b\r\n  \"\"\"",
            "#\"\"\"\n\\d+\n\\#u{41}\"\"\"\"\n\"\"\"#",
        ])
    func text(source: String) throws {
        let literal = try literal(source)
        #expect(try LiteralText(literal).text == literal.representedLiteralValue)
    }

    @Test("a text that is written as a literal is read again")
    func roundTrip() throws {
        let alphabet: [Unicode.Scalar] = [
            "\\", "\"", "#", "(", ")", "a", "u", "{", "}", "n", "0", "\n", "\r", "\t", "\0", "é", "\u{301}", "\u{2028}",
            "\u{1F600}",
            "\u{7F}", "\u{FEFF}",
        ]
        var state: UInt64 = 42
        for _ in 0..<1_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<(state >> 60) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                scalars.append(alphabet[Int(state >> 33) % alphabet.count])
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let text = String(scalars)
            let written = LiteralText.source(of: text)
            #expect(try Array(LiteralText(literal(written)).text.utf8) == Array(text.utf8), "\(written)")
            #expect(try literal(written).representedLiteralValue?.utf8.elementsEqual(text.utf8) == true, "\(written)")
        }
    }

    /// For each byte of the text, the character of the source that it is from; then the end of the source.
    @Test(
        "knows the place of each byte",
        arguments: [
            (#""ab""#, ["a", "b", ""]), (#""""#, [""]), (#""é""#, ["é", "é", ""]),
            (#""€x""#, ["€", "€", "€", "x", ""]), (#""😀x""#, ["😀", "😀", "😀", "😀", "x", ""]),
            (#""a\\b""#, ["a", #"\\"#, "b", ""]),
            (#""\u{20AC}x""#, [#"\u{20AC}"#, #"\u{20AC}"#, #"\u{20AC}"#, "x", ""]),
            (##"#"\d\#n"#"##, [#"\"#, "d", ##"\#n"##, ""]),
            ("\"\"\"\n  a\n   b\n  \"\"\"", ["a", "\n", " ", "b", ""]),
            ("\"\"\"\n  a\\\n  b\n  \"\"\"", ["a", "b", ""]),
            ("\"\"\"\r\n  a\r\n  b\r\n  \"\"\"", ["a", "\r\n", "b", ""]),
        ] as [(String, [String])])
    func places(source: String, expected: [String]) throws {
        let text = try LiteralText(literal(source))
        let bytes = Array(source.utf8)
        let places = (0...text.bytes.count).map { offset in
            let range = text.place(of: offset)
            return String(decoding: bytes[range.lowerBound.utf8Offset..<range.upperBound.utf8Offset], as: UTF8.self)
        }
        #expect(places == expected)
    }
}
