import Testing

@testable import Assay

struct ICUTranslationTests {
    @Test(
        "translations for PCRE2", .needsPCRE2,
        arguments: [
            ("abc", [], "abc"), ("a.b", [], #"a[^\n\x0b\x0c\r\x{85}\x{2028}\x{2029}]b"#),
            (#"\d{4}-\d\d?"#, [], #"[\p{Nd}]{4}\-[\p{Nd}][\p{Nd}]?"#), (#"\u0041\x42\0103"#, [], "ABC"),
            ("[a-z--[aeiou]]", [], "(?:(?![aeiou])[a-z])"), ("[[a-z]&&[^aeiou]]", [], "(?:(?=[a-z])[^aeiou])"),
            ("[a[b][c-d]]", [], "[abc-d]"), ("[^[a-z]&&[b]]", [], "(?:(?!(?:(?=[a-z])[b]))(?s:.))"),
            (#"(?<year>\d+)/\k<year>"#, [], #"([\p{Nd}]+)\/\g{1}"#), ("(a)\\11", [], #"(a)\g{1}1"#),
            ("a b # c\n c", .extended, "abc"), ("(?x) a [b c] (?#d) +", [], "a[bc]+"),
            ("(?i)a(?-i:b)", [], "(?i)a(?-i:b)"),
            ("fuss", .caseInsensitive, "fu(?:ss|[ßẞ])"), ("ss+", .caseInsensitive, "ss+"),
            ("(?s).", [], #"(?>\r\n|(?s:.))"#),
            (#"\Qa.b\E\K"#, [], #"a\.bK"#), (#"\p{Letter}\P{sc=Greek}"#, [], #"[\p{L}][^\p{sc:greek}]"#),
            ("[[:^alpha:]]", [], #"[^\p{Alphabetic}]"#), (#"\p{L}"#, .caseInsensitive, #"[\p{L}\x{345}]"#),
        ] as [(String, Pattern.Options, String)])
    func translation(source: String, options: Pattern.Options, expected: String) throws {
        let pattern = try Pattern(source, dialect: .icu, options: options)
        #expect(pattern.pcre2Source == expected)
        #expect(pattern.source == source && pattern.dialect == .icu)
    }

    @Test(
        "refusals, with place and suggestion",
        arguments: [
            ("", 0, "ICU has no empty pattern: write (?:)"),
            ("é{,3}", 2, "ICU wants a number after this {: write {0,n} for up to n"),
            ("a}", 1, "ICU has no } that means itself: write \\}"),
            ("ab**", 3, "there is no expression to repeat before this *: write \\* for the character"),
            ("(?P<n>a)", 0, "ICU has no (?P: write (?<name>…) and \\k<name>"), ("(?|a)", 0, "ICU has no (?|"),
            ("(?R)", 0, "ICU has no (?R"), ("(?(1)a)", 0, "ICU has no (?("),
            ("(*ACCEPT)", 1, "there is no expression to repeat before this *: write \\* for the character"),
            ("(a", 0, "this group has no )"), ("a)", 1, "this ) has no opening (: write \\) for the character"),
            ("[a-\\d]", 4, "\\d is no end of a range: write \\- for the character before it"),
            ("[ab", 0, "this set has no ]"), ("[z-a]", 3, "this range ends before it begins"),
            ("[a-z&&]", 6, "an operation of sets wants a set after it"),
            (
                "(?i)[a&&b]", 9,
                "where case is ignored, put the right side of && or -- in brackets of its own, [a-z--[aeiou]]"
            ),
            ("é\\x", 2, "\\x wants hexadecimal digits after it, as in \\x41 or \\x{41}"),
            ("\\uD800", 0, "this is no character: write \\x{…} with a value up to 10FFFF, and no surrogate"),
            ("a\\", 1, "the pattern ends with a \\"), ("(a)\\2", 3, "there is no group 2"),
            ("\\k<n>", 0, "there is no group called n before this"),
            ("\\N{greek small letter alpha}", 0, "characters have no names here: write \\x{3B1}"),
            ("\\N{nobody}", 0, "there is no character called nobody"),
            (
                "\\X", 0,
                "PCRE2 has other characters as people see them than ICU: count them with a length instead of \\X"
            ),
            (
                "a\\p{Block=Greek}", 1,
                """
                PCRE2 has no property Block=Greek: write a category such as \\p{Lu}, a script such as \\p{Greek}, or \
                a block 
                """
                    + "as a range, [\\x{370}-\\x{3FF}]"
            ),
            (
                "(?i)\\p{Lu}", 4,
                "where case is ignored, ICU adds the other case to Lu: write (?-i:…) around it, or both cases"
            ),
            (
                "(?i)(a)\\1", 7,
                "ICU takes ß for SS where case is ignored, PCRE2 does not: compare exactly, (?-i:\\1)"
            ),
            ("(?w)a", 2, "the flag w of ICU has no counterpart in PCRE2"),
            ("(?:a?|b)*+", 8, "ICU repeats an empty match of this forever: write {0,}+ or {1,}+"),
            ("[[:alpha:]-[a]\\d]", 14, "a property after -[…] or &[…]: put it in brackets of its own, [\\d]"),
            ("a{65536}", 6, "PCRE2 repeats at most 65535 times"),
        ])
    func refusals(source: String, offset: Int, message: String) {
        #expect(throws: CompileError(part: .pattern, message: message, offset: offset)) {
            try Pattern(source, dialect: .icu)
        }
    }

    @Test("refusals of the translation by PCRE2 have a place in the original text", .needsPCRE2)
    func offsetOfPCRE2() throws {
        // `.` becomes 41 bytes. The look-behind that PCRE2 does not support begins at byte 4 of the user's text.
        #expect(throws: CompileError(part: .pattern, message: "lookbehind assertion is not fixed length", offset: 4)) {
            try Pattern(#"..\d(?<=a{1,3})b"#, dialect: .icu)
        }
        #expect(throws: CompileError(part: .pattern, message: #"unknown property after \P or \p"#, offset: 16)) {
            try Pattern(#"..\p{Nosuchname}"#, dialect: .icu)
        }
    }

    @Test("the longest pattern accepted is that which was written; the translation has a limit of its own", .needsPCRE2)
    func sizes() throws {
        _ = try Pattern(#"\b.\b.\b"#, dialect: .icu, maxBytes: 10)
        #expect(throws: CompileError.self) { try Pattern("abcdef", dialect: .icu, maxBytes: 5) }
        #expect {
            try Pattern(String(repeating: #"\b"#, count: 4000), dialect: .icu)
        } throws: {
            ($0 as? CompileError)?.message.hasPrefix("the pattern is too large in the words of PCRE2") == true
        }
        let words = (1...20).map { "\\bword\($0)\\b" }.joined(separator: "|")
        #expect {
            try Pattern(words, dialect: .icu)
        } throws: {
            ($0 as? CompileError)?.message
                == "PCRE2 needs a look-behind for each \\b and \\B, and supports only about 20"
        }
        for (open, close) in [("(", ")"), ("[a", "]")] {
            let deep = String(repeating: open, count: 300) + "a" + String(repeating: close, count: 300)
            #expect(throws: CompileError.self) { try Pattern(deep, dialect: .icu) }
        }
    }

    @Test(
        "letters younger than PCRE2's Unicode are themselves where case is ignored",
        arguments: ["\u{1C89}", "\u{A7DC}"])
    func youngLetters(letter: String) throws {
        for text in [letter, "x" + letter + "SS"] {
            #expect(try Pattern(text, dialect: .icu, options: .caseInsensitive).matches(text) == true)
        }
    }

    @Test("the switch is also an option, for checks, caches and rule files", .needsPCRE2)
    func option() throws {
        let check = try CompiledCheck(.matches(pattern: "[a-z--[aeiou]]+", options: .icuSyntax))
        #expect(check.verdict(of: "xyz") == .pass && check.verdict(of: "abc") == .fail)
        let pattern = try Pattern("[a-z--[aeiou]]+", options: .icuSyntax)
        #expect(try pattern == Pattern("[a-z--[aeiou]]+", dialect: .icu))
        #expect(try pattern != Pattern("[a-z--[aeiou]]+"))
        #expect(try PatternCache(capacity: 2).pattern(".", options: .icuSyntax).matches("\r") == false)
        #expect(try Pattern(#"\d{4}-\d{2}"#, dialect: .icu).viablePrefix(of: "2024/01") == "2024")
        #expect(try Pattern("b", dialect: .icu, options: .search).matches("abc"))
    }
}
