import Testing

@testable import AssayRules

@Suite("Writing JSON") struct JSONWriterTests {
    @Test func values() {
        var json = JSONWriter()
        json.object { json in
            json.key("a")
            json.strings(["x", "y"])
            json.key("b")
            json.object { _ in }
            json.key("c")
            json.strings([])
            json.key("d")
            json.array { json in
                json.integer(UInt64.max)
                json.bool(true)
                json.null()
                json.array { _ in }
            }
        }
        #expect(
            json.text == """
                {
                  "a": [
                    "x",
                    "y"
                  ],
                  "b": {},
                  "c": [],
                  "d": [
                    18446744073709551615,
                    true,
                    null,
                    []
                  ]
                }
                """)
    }

    @Test(
        arguments: [
            ("plain", "plain"), ("", ""), ("a\"b\\c/d", #"a\"b\\c/d"#), ("\u{8}\u{C}\n\r\t", #"\b\f\n\r\t"#),
            ("\0\u{1F}\u{7F}", #"\u0000\u001f\u007f"#), ("\u{80}\u{85}\u{9F}\u{A0}", "\\u0080\\u0085\\u009f\u{A0}"),
            ("\u{202E}\u{2066}\u{200F}\u{61C}", #"\u202e\u2066\u200f\u061c"#),
            ("\u{2028}\u{2029}\u{FEFF}\u{FFFE}\u{FFFF}", #"\u2028\u2029\ufeff\ufffe\uffff"#),
            ("\u{AD}\u{200B}\u{2060}\(Unicode.Scalar(0xFDD0 as UInt16)!)", #"\u00ad\u200b\u2060\ufdd0"#),
            (
                "\u{180E}a\u{E0001}\u{E0041}\u{E007F}\u{E0100}",
                "\\u180ea\\udb40\\udc01\\udb40\\udc41\\udb40\\udc7f\u{E0100}"
            ),
            ("é東😀\u{200C}\u{200D}\u{10FFFF}", "é東😀\u{200C}\u{200D}\u{10FFFF}"),
        ])
    func strings(_ text: String, _ expected: String) {
        var json = JSONWriter()
        json.string(text)
        #expect(json.text == "\"\(expected)\"")
        #expect(JSONText.of(text) == "\"\(expected)\"")
    }

    /// Invalid UTF-8 becomes U+FFFD as in `String(decoding:as:)`, for every two bytes and for longer sequences with a
    /// valid start.
    @Test func damagedUTF8() {
        func written(_ bytes: [UInt8]) -> String {
            var text: [UInt8] = []
            JSONText.append(utf8: bytes.span, to: &text)
            return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
        }
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x20)...0xFF {
                for tail in [[], [0x41], [0x80], [0x80, 0x80], [0x80, 0x41]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    let text = String(decoding: bytes, as: UTF8.self)
                    if text.unicodeScalars.contains(where: { $0.isInvisible || $0 == "\"" || $0 == "\\" }) { continue }
                    if written(bytes) != text { Issue.record("\(bytes)") }
                }
            }
        }
        #expect(written([0x61, 0xF0, 0x9F, 0x98]) == "a\u{FFFD}")
    }
}
