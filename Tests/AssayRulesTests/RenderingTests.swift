import Assay
import Testing

@testable import AssayRules

@Suite("How mistakes are shown") struct RenderingTests {
    @Test func asInTheManual() {
        #expect(
            mistakes(
                """
                fields:
                  - name: email
                    constraints:
                      maxLenght: 5
                """) == """
                    rules.yaml:4:7: error: unknown key 'maxLenght' in constraints
                       4 |       maxLenght: 5
                         |       ^^^^^^^^^ did you mean 'maxLength'?
                    """)
    }

    @Test(
        "hidden characters are written as escapes",
        arguments: [
            ("a\n\r\t\r\nb", #"a\n\r\t\r\nb"#), ("\0\u{1B}[2J\u{7F}", #"\x00\x1B[2J\x7F"#),
            ("\u{AD}\u{2028}\u{202E}\u{FEFF}", #"\xAD\u2028\u202E\uFEFF"#),
            ("é\u{200D}\u{1F600} \\", "é\u{200D}\u{1F600} \\"),
        ])
    func visible(text: String, expected: String) {
        #expect(text.visible == expected)
    }

    @Test func allMistakesInOrderOfPlace() {
        #expect(
            mistakes(
                """
                primaryKey: id
                fields:
                  - name: a
                    type: intger
                    constraints: {maxLength: "5", required: yes, pattern: '['}
                  - name: a
                limits: {depth: 5}
                fieldsMatch: subsets
                """) == """
                    rules.yaml:1:13: error: 'primaryKey' names 'id', which is no field
                       1 | primaryKey: id
                         |             ^^ add it to 'fields': - name: id
                    rules.yaml:4:11: error: unknown type 'intger'
                       4 |     type: intger
                         |           ^^^^^^ did you mean 'integer'?
                    rules.yaml:5:30: error: expected a whole number, found the text '5'
                       5 |     constraints: {maxLength: "5", required: yes, pattern: '['}
                         |                              ^^^ remove the quotes
                    rules.yaml:5:45: error: expected true or false, found 'yes'
                       5 |     constraints: {maxLength: "5", required: yes, pattern: '['}
                         |                                             ^^^ write true
                    rules.yaml:5:61: error: missing terminating ] for character class at offset 1
                       5 |     constraints: {maxLength: "5", required: yes, pattern: '['}
                         |                                                             ^
                    rules.yaml:6:11: error: a second field named 'a'
                       6 |   - name: a
                         |           ^ the first is on line 3; put all rules of a column into one field
                    rules.yaml:7:10: error: 'depth' cannot be set in the file that it limits
                       7 | limits: {depth: 5}
                         |          ^^^^^ set depth of the Limits that are passed to the reader of the file
                    rules.yaml:8:14: error: unknown fieldsMatch 'subsets'
                       8 | fieldsMatch: subsets
                         |              ^^^^^^^ did you mean 'subset'?
                    """)
    }

    @Test func wideCharactersTakeTwoColumns() {
        // é as two scalars, 東 wide, 👩‍👩‍👧 one wide character of five scalars: columns count characters.
        #expect(
            mistakes("fields: [{name: e\u{301}東京👩‍👩‍👧, typ: x}]") == """
                rules.yaml:1:23: error: unknown key 'typ' in a field
                   1 | fields: [{name: e\u{301}東京👩‍👩‍👧, typ: x}]
                     |                          ^^^ did you mean 'type'?
                """)
    }

    @Test func tabsAreFourSpaces() {
        #expect(
            mistakes("{\n\t\"fields\": [],\n\t\"x\":\t1\n}") == """
                rules.yaml:3:2: error: unknown key 'x' in a rule file
                   3 |     "x":    1
                     |     ^^^ a note of your own starts with 'x-'
                """)
    }

    @Test func hiddenCharactersAreEscapes() {
        #expect(
            mistakes("fields: [] # \u{202E}abc\nfoo\u{200F}: 1 # \u{2066}") == """
                rules.yaml:2:1: error: unknown key 'foo\\u200F' in a rule file
                   2 | foo\\u200F: 1 # \\u2066
                     | ^^^^^^^^^ a note of your own starts with 'x-'
                """)
    }

    @Test func charactersThatHideATextAreEscapes() {
        #expect(
            mistakes("fields: []\nfoo\u{E0041}\u{E007F}\u{180E}: 1") == """
                rules.yaml:2:1: error: unknown key 'foo\\U000E0041\\U000E007F\\u180E' in a rule file
                   2 | foo\\U000E0041\\U000E007F\\u180E: 1
                     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a note of your own starts with 'x-'
                """)
        #expect(mistakes("{\"fields\": [], \"x-a\u{E0041}b\": 1}") == "")
    }

    @Test func longLinesAreCutAroundTheCaret() {
        let before = (0..<100).map { "{name: a\($0)}" }.joined(separator: ", ")
        let after = (0..<100).map { "{name: b\($0)}" }.joined(separator: ", ")
        #expect(
            mistakes("fields: [\(before), {nme: x}, \(after)]") == """
                rules.yaml:1:1301: error: unknown key 'nme' in a field
                   1 | …a95}, {name: a96}, {name: a97}, {name: a98}, {name: a99}, {nme: x}, {name: b0}, \
                {name: b1}, {name: b2}, {name: b3}, {n…
                     |                                                             ^^^ did you mean 'name'?
                """)
    }

    @Test func aLongMarkIsCut() {
        let problems = mistakes("fields: '\(String(repeating: "x", count: 500))'")
        let lines = problems.split(separator: "\n").map(String.init)
        #expect(
            lines[0]
                == "rules.yaml:1:9: error: expected a list of fields, found the text '"
                + String(repeating: "x", count: 60) + "…'"
        )
        #expect(lines[1] == "   1 | fields: '\(String(repeating: "x", count: 119))…")
        #expect(lines[2].hasPrefix("     |         \(String(repeating: "^", count: 120)) "))
    }

    @Test func gutterGrows() {
        let problems = mistakes("fields:" + String(repeating: "\n", count: 12_344) + "  - nam: x")
        #expect(
            problems == """
                rules.yaml:12345:5: error: unknown key 'nam' in a field
                12345 |   - nam: x
                      |     ^^^ did you mean 'name'?
                """)
    }

    @Test func partsOfAProblem() throws {
        let error = try #require(throws: RuleFileError.self) {
            try RuleFile.parse(Array("fields: []\nfeilds: []".utf8), name: "a/b.yaml")
        }
        let problem = try #require(error.problems.first)
        #expect(problem.file == "a/b.yaml")
        #expect(problem.line == 2)
        #expect(problem.column == 1)
        #expect(problem.width == 6)
        #expect(problem.sourceLine == "feilds: []")
        #expect(problem.message == "unknown key 'feilds' in a rule file")
        #expect(problem.suggestion == "did you mean 'fields'?")
    }

    @Test(
        arguments: [
            ("maxLenght", "maxLength"), ("max_length", "maxLength"), ("maxlength", "maxLength"), ("patern", "pattern"),
            ("minimun", "minimum"), ("x", nil), ("colour", nil), ("", nil), ("mnimum", "minimum"),
        ] as [(String, String?)])
    func closestNames(_ word: String, _ expected: String?) {
        #expect(closestName(to: word, among: ["minLength", "maxLength", "pattern", "minimum", "a"]) == expected)
    }

    @Test(
        "digits and single letters say which of several names is meant",
        arguments: [
            ("q1_2025", nil), ("q1 2024", "q1_2024"), ("xx", nil), ("X", "x"), ("Ab_", "ab"), ("abc", nil),
            ("name2", "name"),
            ("adress_3", nil), ("strete", "street"),
        ] as [(String, String?)])
    func namesThatAreNotNear(_ word: String, _ expected: String?) {
        let names = ["q1_2023", "q1_2024", "x", "ab", "name", "address_1", "address_2", "street", "street2"]
        #expect(closestName(to: word, among: names) == expected)
    }
}
