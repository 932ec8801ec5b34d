import Assay
import Testing

@testable import AssayRules

@Suite("YAML and JSON") struct YAMLTests {
    /// The values of `enum` in the only field.
    func values(_ list: String) throws -> [String] {
        guard
            case .oneOf(let values, _)? = try field("{fields: [{name: a, constraints: {enum: \(list)}}]}").rules.first?
                .check
        else { return [] }
        return values
    }

    @Test func wordsStayAsWritten() throws {
        #expect(try values("[NO, 007, on]") == ["NO", "007", "on"])
        #expect(
            try values("[true, 1_000, 0x1F, 1e3, 2024-01-01, 12:30:45, .inf, =, yes]")
                == ["true", "1_000", "0x1F", "1e3", "2024-01-01", "12:30:45", ".inf", "=", "yes"])
        #expect(try values("['null', \"~\", '']") == ["null", "~", ""])
        #expect(try values("[ a b , 'it''s', \"x\\ty\" ]") == ["a b", "it's", "x\ty"])
    }

    @Test("quotes inside an unquoted text do not begin a quoted one")
    func oddQuotes() throws {
        #expect(try values("[5\" disk, 'a\u{AD}b', \"\\ud83d\\ude00\"]") == ["5\" disk", "a\u{AD}b", "\u{1F600}"])
        #expect(try values("[a, # 5\" disk\n \"\\ud83d\\ude00\"]") == ["a", "\u{1F600}"])
    }

    @Test("texts are written so that they are read again, also those in which U+0301 follows a quote")
    func writtenAndRead() throws {
        for text in ["it's", "it'\u{301}s", "'\u{301}", "a \u{345}", "-\u{301}", "\u{600}'", "NO"] {
            let read = try values("[\(YAMLScalar.text(text))]")
            #expect(read.map { Array($0.utf8) } == [Array(text.utf8)])
        }
    }

    @Test func textOfSeveralLines() throws {
        let text = """
            fields:
              - name: a
                rules:
                  - id: literal
                    options: [extended]
                    pattern: |-
                      \\d{4}   # year
                      -\\d\\d  # month
                  - id: folded
                    pattern: >-
                      a
                      b
                  - id: plain
                    pattern: a
                      b
            """
        #expect(
            try field(text).rules.map(\.check) == [
                .matches(pattern: "\\d{4}   # year\n-\\d\\d  # month", options: .extended), .matches(pattern: "a b"),
                .matches(pattern: "a b"),
            ])
    }

    @Test func lineEndsMayBeAnyOfThree() throws {
        let expected = try rules("fields:\n  - name: a\n  - name: b\n")
        #expect(try rules("fields:\r\n  - name: a\r\n  - name: b\r\n") == expected)
        #expect(try rules("fields:\r  - name: a\r  - name: b\r") == expected)
        #expect(mistakes("fields:\r\n  - nam: a\r\n").hasPrefix("rules.yaml:2:5: error: unknown key 'nam'"))
        #expect(mistakes("fields:\r  - nam: a\r").hasPrefix("rules.yaml:2:5: error: unknown key 'nam'"))
    }

    /// U+0085 and U+2028 end lines for YAML 1.1 but not for editors.
    @Test func linesAreThoseOfEditors() {
        #expect(
            mistakes("title: 'a\u{85}\u{2028}b'\nfields:\n- nam: x\n").hasPrefix(
                "rules.yaml:3:3: error: unknown key 'nam'"))
    }

    @Test func byteOrderMarkIsNoColumn() throws {
        #expect(try rules("\u{FEFF}fields: []") == RuleFile())
        #expect(
            mistakes("\u{FEFF}feilds: []") == """
                rules.yaml:1:1: error: unknown key 'feilds' in a rule file
                   1 | feilds: []
                     | ^^^^^^ did you mean 'fields'?
                """)
    }

    @Test func oneDocumentMayBeMarked() throws {
        #expect(try rules("%YAML 1.2\n---\nfields: []\n...\n") == RuleFile())
    }

    @Test func surrogatesOfJSON() throws {
        #expect(try values(#"["\ud83d\ude00", "\u00e9\uD83D\uDE00x", "\\ud83d"]"#) == ["😀", "é😀x", "\\ud83d"])
        // In single quotes a backslash is literal. Comments have no escapes.
        #expect(try field(#"{fields: [{name: '\ud83d\ude00" ''" '}]} # "\ud83d\ude00"#).name == #"\ud83d\ude00" '" "#)
    }

    @Test func placesAfterSurrogates() {
        #expect(
            mistakes(#"{"fields": [{"name": "\ud83d\ude00\ud83d\ude00", "typ": "x"}]}"#) == #"""
                rules.yaml:1:50: error: unknown key 'typ' in a field
                   1 | {"fields": [{"name": "\ud83d\ude00\ud83d\ude00", "typ": "x"}]}
                     |                                                  ^^^^^ did you mean 'type'?
                """#)
    }

    @Test func halfASurrogate() {
        #expect(
            mistakes(#"{"fields": [{"name": "\ud83d"}]}"#) == #"""
                rules.yaml:1:25: error: this escape is half a character
                   1 | {"fields": [{"name": "\ud83d"}]}
                     |                         ^ write the character itself, or the complete escape: "\U0001F600"
                """#)
    }

    /// Characters that JSON allows in strings, but that YAML 1.1 treats as line ends or rejects.
    @Test func charactersThatOnlyJSONAllows() throws {
        let text = "a\u{7F}b\u{85}c\u{2028}d\u{2029}e\u{FEFF}f\u{FFFF}g\u{9F}"
        #expect(try field("{\"fields\": [{\"name\": \"\(text)\"}]}").name == text)
    }

    @Test func JSONWithoutBlanks() throws {
        #expect(
            try rules(#"{"fields":[{"name":"a\/b","type":"integer","constraints":{"required":true}}]}"#)
                == RuleFile(schema: Schema(fields: [Field(name: "a/b", type: .integer, isRequired: true)])))
    }

    /// Swift considers these texts equal, but columns of a table are distinguished byte by byte.
    @Test func keysThatAreEqualOnlyAsUnicode() throws {
        let schema = try rules("{\"properties\": {\"\u{E9}\": {}, \"e\u{301}\": {}}}").schema
        #expect(schema.fields.map { Array($0.name.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    }

    @Test func tabsInJSON() throws {
        #expect(try rules("{\n\t\"fields\":\t[\n\t\t{\"name\": \"a\"}\n\t]\n}\n").schema.fields.count == 1)
    }

    @Test func NULInANameIsACharacter() throws {
        #expect(try field(#"{"fields": [{"name": "a\u0000b"}]}"#).name == "a\0b")
    }

    @Test func limits() {
        var limits = Limits()
        limits.ruleFileBytes = 20
        #expect(
            mistakes("fields: [{name: abcdef}]", limits: limits) == """
                rules.yaml:1:1: error: the file has 24 bytes; a rule file may have 20
                   1 |
                     | ^ if that is right, raise ruleFileBytes of the limits to 24
                """)
        limits = Limits()
        limits.depth = 4
        #expect(
            mistakes("fields: [{name: a, rules: [{not: {pattern: a}}]}]", limits: limits) == """
                rules.yaml:1:28: error: nested more than 4 deep
                   1 | fields: [{name: a, rules: [{not: {pattern: a}}]}]
                     |                            ^ if that is right, raise depth of the limits
                """)
        limits = Limits()
        limits.rules = 2
        #expect(
            mistakes("fields: [{name: a, rules: [{not: {pattern: a}}, {pattern: b}, {enum: [b]}]}]", limits: limits)
                == """
                rules.yaml:1:49: error: more than 2 rules
                   1 | fields: [{name: a, rules: [{not: {pattern: a}}, {pattern: b}, {enum: [b]}]}]
                     |                                                 ^^^^^^^^^^^^ if that is right, \
                raise rules of the limits
                """)
    }

    /// 300 bytes that would expand to gigabytes.
    @Test func bombsDoNotGoOff() {
        var text = "a: &a [x,x,x,x,x,x,x,x,x]\n"
        for (name, last) in zip("bcdefghi", "abcdefgh") {
            text += "\(name): &\(name) [\(Array(repeating: "*\(last)", count: 9).joined(separator: ","))]\n"
        }
        let problems = mistakes(text)
        #expect(problems.contains("anchors such as &a are not read"))
        #expect(problems.contains("aliases such as *h are not read"))
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["[", "{a: ", "- ", "? ", "\"", "a: 1\n", "&a ", "!!a ", ":", "*a\n", "{nme: 1}, "])
    func repetitionEnds(_ part: String) {
        for prefix in ["", "fields: [", "{"] {
            #expect(!mistakes(prefix + String(repeating: part, count: 100_000 / part.count)).isEmpty)
        }
    }

    @Test func noMoreThanAThousandMistakes() throws {
        let text = "fields: [" + String(repeating: "{nme: 1}, ", count: 1_200) + "]"
        let error = try #require(throws: RuleFileError.self) { try RuleFile.parse(Array(text.utf8), name: "x") }
        #expect(error.problems.count == 1_000)
        #expect(error.description.hasSuffix("\nThere may be more: no more than 1000 mistakes are listed."))
    }
}
