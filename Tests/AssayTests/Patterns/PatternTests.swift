import Testing

@testable import Assay

struct PatternTests {
    @Test(
        "the complete value must match",
        arguments: [
            ("a|ab", "ab", true), ("a|ab", "abc", false), ("a|ab", "xab", false),
            ("^[a-zA-Z]+$", "abc", true), ("^[a-zA-Z]+$", "abc\n", false), ("abc$", "abc\n", false),
            (#"abc\Z"#, "abc\n", false), ("", "", true), ("", "a", false), ("a*", "", true),
            ("(?m)abc$", "abc\n", false), ("(?=a)b?a", "a", true), ("(?:a*(?:b)?+)ab", "aaab", true),
            (#"\p{L}+"#, "Žofie", true), (#"\d"#, "٣", false), (".", "é", true), ("..", "é", false),
        ])
    func fullMatch(pattern: String, value: String, expected: Bool) throws {
        for engine in Pattern.Engine.allCases {
            #expect(try Pattern(pattern, engine: engine).matches(value) == expected, "\(engine)")
        }
    }

    @Test(
        "options",
        arguments: [
            ("ABC", "abc", Pattern.Options.caseInsensitive, true), ("ABC", "abc", [], false),
            (#"\d"#, "٣", .unicodeClasses, true), (".", "\n", .dotMatchesNewlines, true), (".", "\n", [], false),
            ("a b # c", "ab", .extended, true), ("b", "abc", .search, true), ("b$", "ab\n", .search, false),
            ("^b", "a\nb", [.search, .multiline], true), ("^b", "a\nb", .search, false),
        ] as [(String, String, Pattern.Options, Bool)])
    func options(pattern: String, value: String, options: Pattern.Options, expected: Bool) throws {
        for engine in Pattern.Engine.allCases {
            #expect(try Pattern(pattern, options: options, engine: engine).matches(value) == expected, "\(engine)")
        }
    }

    @Test("in a switch, of a part of a text, and printed")
    func everyday() throws {
        let (date, word) = (try Pattern(#"\d{4}-\d{2}"#), try Pattern("[a-z]+", options: [.caseInsensitive, .search]))
        func kind(_ text: String) -> String {
            switch text {
            case date: "date"
            case word: "word"
            default: "other"
            }
        }
        #expect(["2024-02", "2024-2x", "!"].map(kind) == ["date", "word", "other"])
        let text = "on 2024-02"
        #expect(date.matches(text.dropFirst(3)) && !date.matches(text.dropFirst(2)))
        if case date = text.dropFirst(3) {} else { Issue.record("a part of a text is a text") }
        #expect("\(date)" == #"\d{4}-\d{2}"# && "\(word)" == "[a-z]+ (caseInsensitive, search)")
        #expect("\(try Pattern("a\n\u{202E}é"))" == #"a\n\u{202E}é"#)
        #expect("\(try Pattern(String(repeating: "a", count: 101)))" == String(repeating: "a", count: 100) + "…")
    }

    @Test("a mistake has its place and PCRE2's own words")
    func mistake() {
        #expect {
            try Pattern(#"^(\d{4}-(\d{2})"#)
        } throws: { error in
            let error = error as? CompileError
            return error?.part == .pattern && error?.offset == 15
                && error?.message.contains("missing closing parenthesis") == true
        }
    }

    @Test("a hostile value is undecided, never a pass, and ends", .needsPCRE2)
    func limit() throws {
        let pattern = try Pattern(#"(a+)+b\1{0}"#)
        let value = String(repeating: "a", count: 64)
        #expect(pattern.verdict(of: value) == .undecided)
        #expect(!pattern.matches(value))
        #expect(try Pattern("(a+)+b", engine: .interpreter).verdict(of: value) == .undecided)
    }

    @Test("a DFA decides a hostile value, alone and among many")
    func linear() throws {
        let pattern = try Pattern("(a+)+b")
        let value = String(repeating: "a", count: 64)
        #expect(pattern.verdict(of: value) == .fail)
        let values = [String](repeating: value, count: 5000)
        #expect(pattern.verdicts(for: values, threads: 1).failedCount == 5000)
    }

    @Test("linearTime refuses a pattern without a DFA, and names the construct", arguments: Pattern.Engine.allCases)
    func linearTime(engine: Pattern.Engine) throws {
        for dialect in Pattern.Dialect.allCases {
            let accepted = try Pattern("(a+)+b", dialect: dialect, options: .linearTime, engine: engine)
            #expect(
                accepted.matches("aab")
                    && "\(accepted)".hasSuffix("linearTime\(dialect == .icu ? ", icuCompatible" : ""))"))
            let error = #expect(throws: CompileError.self) {
                try Pattern(#"(a)\1"#, dialect: dialect, options: .linearTime, engine: engine)
            }
            #expect(error?.offset == 3)
            #expect(error?.message == "linearTime excludes a back reference; write out the alternatives")
        }
    }

    @Test("a regular long value is decided")
    func longValue() throws {
        let value = String(repeating: "ab", count: 50_000)
        #expect(try Pattern("(?:a|b)+").verdict(of: value) == .pass)
        #expect(try Pattern("(?:a|b)+").verdict(of: value + "c") == .fail)
    }

    @Test("NUL is data, in the value and in the pattern")
    func nul() throws {
        #expect(try Pattern("a\0b").matches("a\0b"))
        #expect(try !Pattern("a").matches("a\0b"))
    }

    @Test("a substring is checked without the rest of its string")
    func substring() throws {
        let line = "2024-02-29,x"
        #expect(try Pattern(#"\d{4}-\d{2}-\d{2}"#).verdict(of: line.prefix(10)) == .pass)
        #expect(try Pattern(#"\d{4}-\d{2}-\d{2}"#).verdict(of: line.prefix(11)) == .fail)
    }

    @Test("the engine is reported correctly", .needsPCRE2)
    func engine() throws {
        let interpreted = try Pattern("a", engine: .interpreter)
        #expect(interpreted.engine == .interpreter && interpreted.jitSize == 0)
        #expect(interpreted.jitRefusal == "JIT is switched off")
        let compiled = try Pattern("a", engine: .jit)
        #expect((compiled.engine == .jit) == EngineInfo.current.jit)
        #expect((compiled.jitSize > 0) == EngineInfo.current.jit)
        #expect(EngineInfo.current.pcre2.hasPrefix("10."))
    }

    @Test("shows the DFA, or the reason why there is no DFA", .needsPCRE2)
    func dfa() throws {
        #expect(try Pattern("[a-z]+@[a-z]+").engine == .dfa)
        #expect(try Pattern("ab").dfa == .states(5))
        let words = (0..<1000).map { "word\($0)x" }.joined(separator: "|")
        #expect(try Pattern(words).engine == .dfa)
        guard case .lazy(let instructions, _) = try Pattern(words).dfa else {
            Issue.record("1,000 words have no lazy DFA")
            return
        }
        #expect(instructions > 1000)
        #expect(try Pattern(words).verdict(of: "word199x") == .pass)
        #expect(try Pattern(words).verdict(of: "word1000x") == .fail)
        #expect(try Pattern("(a)b\\1").dfa == .none(because: "a back reference", offset: 4))
        #expect(try Pattern("a", engine: .jit).dfa == .none(because: "it is switched off", offset: 0))
    }

    @Test(
        "how far a value could have matched", .needsPCRE2,
        arguments: [
            (#"\d{4}-\d{2}"#, "2024/01", "2024"), (#"\d{4}-\d{2}"#, "2024", "2024"), ("abc", "xyz", ""),
            ("a|ab", "abc", "ab"), ("é+x", "ééy", "éé"),
        ])
    func viablePrefix(pattern: String, value: String, expected: String) throws {
        #expect(try Pattern(pattern).viablePrefix(of: value).map(String.init) == expected)
    }

    @Test("look-behind: how far is not available")
    func noViablePrefix() throws {
        #expect(try Pattern("(?<=a)b").viablePrefix(of: "b") == nil)
    }
}
