import Testing

@testable import AssayRules

@Suite("Writing JSON") struct JSONWriterTests {
    @Test func compact() {
        var json = JSONWriter()
        for record in 1...2 {
            json.object { json in
                json.key("record")
                json.integer(record)
                json.key("column")
                json.null()
                json.key("ok")
                json.bool(true)
                json.key("seconds")
                json.number(0.25)
                json.key("never")
                json.number(.nan)
                json.key("list")
                json.array { json in
                    json.integer(UInt64.max)
                    json.string("x")
                    json.array { _ in }
                    json.object { _ in }
                }
            }
            json.newline()
        }
        let line = #","column":null,"ok":true,"seconds":0.25,"never":null,"list":[18446744073709551615,"x",[],{}]}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"record\":1\(line)\n{\"record\":2\(line)\n")
    }

    @Test func pretty() {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.key("a")
            json.strings(["x", "y"])
            json.key("b")
            json.object { _ in }
            json.key("c")
            json.strings([])
        }
        #expect(
            String(decoding: json.bytes, as: UTF8.self) == """
                {
                  "a": [
                    "x",
                    "y"
                  ],
                  "b": {},
                  "c": []
                }
                """)
    }

    @Test func appendsToABuffer() {
        var json = JSONWriter(bytes: Array("x=".utf8))
        json.string("y")
        #expect(json.bytes == Array("x=\"y\"".utf8))
    }

    @Test(
        arguments: [
            ("plain", "plain"), ("", ""), ("a\"b\\c/d", #"a\"b\\c/d"#), ("\u{8}\u{C}\n\r\t", #"\b\f\n\r\t"#),
            ("\0\u{1F}\u{7F}", #"\u0000\u001f\u007f"#), ("\u{80}\u{85}\u{9F}\u{A0}", "\\u0080\\u0085\\u009f\u{A0}"),
            ("\u{202E}\u{2066}\u{200F}\u{61C}", #"\u202e\u2066\u200f\u061c"#),
            ("\u{2028}\u{2029}\u{FEFF}\u{FFFE}\u{FFFF}", #"\u2028\u2029\ufeff\ufffe\uffff"#),
            ("é東😀\u{10FFFF}", "é東😀\u{10FFFF}"),
        ])
    func strings(_ text: String, _ expected: String) {
        var json = JSONWriter()
        json.string(text)
        #expect(String(decoding: json.bytes, as: UTF8.self) == "\"\(expected)\"")
        json.bytes = []
        var again = JSONWriter()
        let bytes = Array(text.utf8)
        again.string(utf8: bytes.span)
        #expect(String(decoding: again.bytes, as: UTF8.self) == "\"\(expected)\"")
    }

    /// Damage becomes U+FFFD as in `String(decoding:as:)`, for every two bytes and for longer ones that start well.
    @Test func damagedUTF8() {
        func written(_ bytes: [UInt8]) -> String {
            var json = JSONWriter()
            json.string(utf8: bytes.span)
            return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
        }
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x20)...0xFF {
                for tail in [[], [0x41], [0x80], [0x80, 0x80], [0x80, 0x41]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    let text = String(decoding: bytes, as: UTF8.self)
                    if text.unicodeScalars.contains(where: { $0.isHidden || $0 == "\"" || $0 == "\\" }) { continue }
                    if written(bytes) != text { Issue.record("\(bytes)") }
                }
            }
        }
        #expect(written([0x61, 0xF0, 0x9F, 0x98]) == "a\u{FFFD}")
    }
}
