import Testing

@testable import AssayRules

@Suite("Places of mistakes in patterns") struct PatternPlaceTests {
    /// The mistakes of a rule file with one pattern. `text` is its YAML notation.
    func show(_ text: String) -> String { mistakes("fields:\n- name: a\n  constraints:\n    pattern: \(text)\n") }

    @Test func plain() {
        #expect(
            show("a(b") == """
                rules.yaml:4:17: error: missing closing parenthesis at offset 3
                   4 |     pattern: a(b
                     |                 ^
                """)
        #expect(
            show("größe東)x") == """
                rules.yaml:4:20: error: unmatched closing parenthesis at offset 10
                   4 |     pattern: größe東)x
                     |                     ^
                """)
    }

    /// PCRE2's offset is that of the last byte of `ï`.
    @Test(.needsPCRE2) func insideACharacter() {
        #expect(
            show("'[a-z ü-ï]*'") == """
                rules.yaml:4:22: error: range out of order in character class at offset 9
                   4 |     pattern: '[a-z ü-ï]*'
                     |                      ^
                """)
    }

    @Test func singleQuoted() {
        #expect(
            show("'it''s ''[z-a]'") == """
                rules.yaml:4:26: error: range out of order in character class at offset 9
                   4 |     pattern: 'it''s ''[z-a]'
                     |                          ^
                """)
    }

    @Test func doubleQuotedBeforeAnyEscape() {
        #expect(
            show(#""a)\t""#) == #"""
                rules.yaml:4:16: error: unmatched closing parenthesis at offset 1
                   4 |     pattern: "a)\t"
                     |                ^
                """#)
    }

    @Test func doubleQuotedAfterAnEscape() {
        #expect(
            show(#""^(\\d{4}-(\\d{2})""#) == #"""
                rules.yaml:4:14: error: missing closing parenthesis at offset 15
                   4 |     pattern: "^(\\d{4}-(\\d{2})"
                     |              ^^^^^^^^^^^^^^^^^^^
                     | ^(\d{4}-(\d{2})
                     |                ^
                """#)
    }

    @Test func overSeveralLines() {
        #expect(
            show("|\n      ab\n      c)d") == """
                rules.yaml:4:14: error: unmatched closing parenthesis at offset 4
                   4 |     pattern: |
                     |              ^
                     | c)d
                     |  ^
                """)
        #expect(
            show("'a\n      )'") == """
                rules.yaml:4:14: error: unmatched closing parenthesis at offset 2
                   4 |     pattern: 'a
                     |              ^^
                     | a )
                     |   ^
                """)
    }

    @Test func inJSON() {
        #expect(
            mistakes(#"{"fields": [{"name": "a", "constraints": {"pattern": "\\d("}}]}"#) == #"""
                rules.yaml:1:54: error: missing closing parenthesis at offset 3
                   1 | {"fields": [{"name": "a", "constraints": {"pattern": "\\d("}}]}
                     |                                                      ^^^^^^
                     | \d(
                     |    ^
                """#)
    }

    @Test(.needsPCRE2) func inANestedCheck() {
        #expect(
            mistakes("fields: [{name: a, rules: [{any: [{not: {pattern: 'a{2,1}'}}]}]}]") == """
                rules.yaml:1:57: error: numbers out of order in {} quantifier at offset 5
                   1 | fields: [{name: a, rules: [{any: [{not: {pattern: 'a{2,1}'}}]}]}]
                     |                                                         ^
                """)
    }

    @Test func formatOfADate() {
        let problems = mistakes("fields: [{name: a, type: date, format: 'fmt:%d/%Q'}]")
        #expect(problems.hasPrefix("rules.yaml:1:48: error: unknown directive %Q"))
    }
}
