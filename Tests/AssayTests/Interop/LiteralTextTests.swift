import Testing

@testable import Assay

/// U+0301 and the preceding character form one `Character`, and so do U+0600 and the following character.
@Suite("Text is looked into byte by byte") struct LiteralTextTests {
    @Test func endsOfATextThatCharactersHide() {
        #expect("-\u{301}x".begins(withBytesOf: "-") && !"-\u{301}x".hasPrefix("-"))
        #expect("x\u{600}.csv".ends(withBytesOf: ".csv") && !"x\u{600}.csv".hasSuffix(".csv"))
        #expect(!"a".begins(withBytesOf: "ab") && !"a".ends(withBytesOf: "ba") && "".begins(withBytesOf: ""))
        #expect("\u{E9}" == "e\u{301}" && !"\u{E9}".begins(withBytesOf: "e\u{301}"))
    }

    @Test func whatStandsInside() {
        #expect("a:\u{301}//".contains(bytesOf: ":") && !"a:\u{301}//".contains(bytesOf: "://"))
        #expect("://\u{301}".contains(bytesOf: "://") && "".contains(bytesOf: "") && !"".contains(bytesOf: "a"))
    }

    @Test func pieces() {
        #expect("a/\u{301}b//c/".pieces(at: "/") == ["a", "\u{301}b", "", "c", ""])
        #expect("".pieces(at: "/") == [""] && "tags[][]\u{301}.x".pieces(at: "[]") == ["tags", "", "\u{301}.x"])
    }

    @Test func replacing() {
        #expect("a'\u{301}b'".replacingEach("'", by: "''").utf8.elementsEqual("a''\u{301}b''".utf8))
    }
}
