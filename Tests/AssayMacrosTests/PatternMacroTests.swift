import Assay
import Testing

@testable import AssayMacrosPlugin

@Suite("#pattern in the compiler")
struct PatternMacroTests {
    @Test(
        "expands to the one pattern for its text",
        arguments: [
            (
                ##"#pattern(#"\d{4}"#, options: [.search, Pattern.Options.dotMatchesNewlines])"##,
                ##"_AssayPattern._shared(literal: #"\d{4}"#, options: [.search, .dotMatchesNewlines])"##
            ),
            (
                ##"#pattern("a\\d\n", options: .search)"##,
                ##"_AssayPattern._shared(literal: #"a\d\#u{a}"#, options: [.search])"##
            ),
            (##"#pattern("a", options: [])"##, ##"_AssayPattern._shared(literal: "a")"##),
            ("#pattern(\"\"\"\n    a\n      b\n    \"\"\")", ##"_AssayPattern._shared(literal: "a\u{a}  b")"##),
        ])
    func expansion(source: String, expected: String) {
        let expansion = Expansion("let p = \(source)")
        #expect(expansion.diagnostics == [])
        #expect(expansion.source == "let p = \(expected)")
    }

    @Test(
        "shows a mistake at its character",
        arguments: [
            (#"let p = #pattern("(a")"#, "1:21", "missing closing parenthesis"),
            (##"let p = #pattern(#"(\d+"#)"##, "1:24", "missing closing parenthesis"),
            (##"let p = #pattern(#"a)b"#)"##, "1:21", "unmatched closing parenthesis"),
            (##"let p = #pattern(#"a{3,1}"#)"##, "1:25", "numbers out of order in {} quantifier"),
            (#"let p = #pattern("\u{20AC}*+?+")"#, "1:29", "quantifier does not follow a repeatable item"),
            (
                "let p = #pattern(\"\"\"\n    a\n    \\\\d[b\n    \"\"\")", "3:10",
                "missing terminating ] for character class"
            ),
            ("let p = #pattern(\"\"\"\n    a\n    )b\n    \"\"\")", "3:5", "unmatched closing parenthesis"),
            (#"let p = #pattern("a\\Cb")"#, "1:23", "using \\C is disabled by the application"),
            (
                #"let p = #pattern("(*UTF)a")"#, "1:19",
                "a pattern may not set (*UTF): patterns and values are always UTF-8"
            ),
            (#"let p = #pattern("a(?C1)b")"#, "1:25", "a pattern may not have callouts, (?C)"),
            (#"let p = #pattern("a # (", options: [.search])"#, "1:24", "missing closing parenthesis"),
        ])
    func mistakes(source: String, place: String, message: String) {
        let expansion = Expansion(source)
        #expect(expansion.diagnostics == ["\(place) error: this pattern does not compile: \(message)"])
        #expect(expansion.source == source)
    }

    @Test("reports the same mistakes as the library")
    func sameAsLibrary() throws {
        for pattern in [
            "(", "[", "a{3,1}", "(?<n", "\\p{Nope}", "(?<=a+)b", "*", "(*NO_JIT)a", "\\", "(?C)", "a++", "x",
        ] {
            let mistake = PatternMistake(in: Array(pattern.utf8), options: try PatternOptions(nil))
            do {
                _ = try Pattern(pattern)
                #expect(mistake == nil, "\(pattern)")
            } catch {
                #expect(mistake?.message == "this pattern does not compile: \(error.message)")
                #expect(mistake?.offset == error.offset)
            }
        }
    }

    @Test("refuses patterns that only some hosts could run")
    func everyHost() {
        guard EngineInfo.current.pcre2.hasPrefix("10.42"), EngineInfo.current.jit else { return }
        let expansion = Expansion(#"let p = #pattern("a|b(?R)c")"#)
        #expect(expansion.diagnostics.count == 1)
        #expect(expansion.diagnostics.first?.contains("this pattern would not compile on every host") == true)
    }

    @Test("reads the pattern with its options")
    func options() {
        #expect(Expansion(#"let p = #pattern("a # (", options: .extended)"#).diagnostics == [])
        let known = Pattern.Options.names.filter { $0.option != .icuSyntax }
        // One option has another name in rule files.
        func swiftName(_ name: String) -> String { name == "dotAll" ? "dotMatchesNewlines" : name }
        #expect(Set(PatternOptions.names.keys) == Set(known.map { swiftName($0.name) }))
        for (name, option) in known {
            #expect(PatternOptions.names[swiftName(name)].map(UInt32.init) == option.rawValue)
        }
    }

    @Test("wants a literal, without interpolation, and options that are written out")
    func literals() {
        let literal = "#pattern needs a string literal; a text that is known at run time only goes to `try Pattern(…)`"
        let interpolation =
            "a pattern is compiled together with your code, so it cannot contain interpolations; "
            + "make it at run time with `try Pattern(…)`"
        let options =
            "the options of #pattern must be written out, such as [.search, .dotMatchesNewlines]: "
            + "the pattern is compiled with them, together with your code"
        #expect(Expansion("let p = #pattern(text)").diagnostics == ["1:18 error: \(literal)"])
        #expect(Expansion(#"let p = #pattern("a" + "b")"#).diagnostics == ["1:18 error: \(literal)"])
        #expect(Expansion(#"let p = #pattern("a\(b)")"#).diagnostics == ["1:20 error: \(interpolation)"])
        #expect(Expansion(##"let p = #pattern(#"a\(b\#(c)"#)"##).diagnostics == ["1:24 error: \(interpolation)"])
        for wrong in ["mine", "[.search, mine]", "[.dotall]"] {
            let expansion = Expansion(#"let p = #pattern("a", options: \#(wrong))"#)
            #expect(expansion.diagnostics.map { $0.drop { $0 != " " } } == [" error: \(options)"], "\(wrong)")
        }
    }

    @Test("warns at the character with another meaning elsewhere")
    func warnings() {
        let expansion = Expansion(##"let p = #pattern(#"[a&&b]{,3}"#)"##)
        #expect(
            expansion.diagnostics == [
                "1:22 warning: \(ForeignConstruct.intersection)", "1:26 warning: \(ForeignConstruct.openRepeat)",
            ])
        #expect(expansion.source.contains("_AssayPattern._shared(literal: \"[a&&b]{,3}\")"))
    }
}
