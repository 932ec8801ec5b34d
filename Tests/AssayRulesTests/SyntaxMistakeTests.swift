import Testing

@testable import AssayRules

@Suite("Mistakes in YAML itself") struct SyntaxMistakeTests {
    @Test func emptyFiles() {
        let expected = """
            rules.yaml:1:1: error: the rule file is empty
               1 |
                 | ^
                 | a small rule file looks like this:
                 | fields:
                 |   - name: email
                 |     format: email
                 |     constraints: {required: true, maxLength: 254}
            """
        #expect(mistakes("") == expected)
        #expect(mistakes("\u{FEFF}") == expected)
        #expect(mistakes("\n\n") == expected)
        #expect(
            mistakes("# nothing yet\n").hasPrefix(
                "rules.yaml:1:1: error: the rule file is empty\n   1 | # nothing yet\n"))
        #expect(mistakes("---\n...\n").hasPrefix("rules.yaml:1:1: error: the rule file is empty\n"))
    }

    @Test func notUTF8() {
        #expect(
            mistakes(Array("fields:\n- name: Stra".utf8) + [0xDF, 0x65]) == """
                rules.yaml:2:13: error: the byte 0xDF is not UTF-8
                   2 | - name: Stra\u{FFFD}e
                     |             ^ save the file as UTF-8; it may be windows-1252
                """)
        #expect(
            mistakes([0xFF, 0xFE, 0x61, 0x00]) == """
                rules.yaml:1:1: error: the file is UTF-16
                   1 | \u{FFFD}\u{FFFD}a\\x00
                     | ^ save it as UTF-8
                """)
        #expect(
            mistakes([0x1F, 0x8B, 8, 0])
                .contains("rules.yaml:1:1: error: the file is compressed with gzip\n")
                && mistakes([0x28, 0xB5, 0x2F, 0xFD, 4]).contains("unpack it: zstd -d"))
        #expect(
            mistakes("name: a\u{1B}[31m") == #"""
                rules.yaml:1:8: error: the control character \x1B is not allowed here
                   1 | name: a\x1B[31m
                     |        ^^^^ in double quotes it is written "\x1B"
                """#)
    }

    @Test func badEscape() {
        #expect(
            mistakes(#"fields: [{name: a, constraints: {pattern: "it's \"\d{4}\""}}]"#) == #"""
                rules.yaml:1:51: error: unknown escape in a text in double quotes
                   1 | fields: [{name: a, constraints: {pattern: "it's \"\d{4}\""}}]
                     |                                                   ^^ use single quotes: 'it''s "\d{4}"'
                """#)
        #expect(
            mistakes("fields: [{name: \"a\n  \\d\"}]") == #"""
                rules.yaml:2:3: error: unknown escape in a text in double quotes
                   2 |   \d"}]
                     |   ^^ use single quotes, in which a backslash is just a backslash
                """#)
    }

    @Test func openQuotes() {
        for quote in ["\"", "'"] {
            #expect(
                mistakes("fields:\n- name: \(quote)a\n- name: b\n") == """
                    rules.yaml:2:9: error: this quote is never closed
                       2 | - name: \(quote)a
                         |         ^
                    """)
        }
    }

    @Test(
        "text behind a document that is all in brackets",
        arguments: [
            ("{\"fields\":[]}1️⃣}", "remove it: all brackets are closed before this '}', or one is closed too early"),
            ("[{a: b}]1️⃣]", "remove it: all brackets are closed before this ']', or one is closed too early"),
            ("{\"fields\":[]} 1️⃣trailing", "a rule file is one document: remove the rest"),
            ("\n{\n\"fields\":[]\n}\n1️⃣{\"fields\":[]}", "a rule file is one document: remove the rest"),
        ])
    func textBehindTheEnd(marked: String, advice: String) throws {
        let parts = marked.split(separator: "1️⃣", omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        let place = "\(lines.count):\(lines[lines.count - 1].count + 1)"
        let text = mistakes(parts.joined())
        #expect(text.hasPrefix("rules.yaml:\(place): error: text follows the end of the document\n"), "\(text)")
        #expect(text.hasSuffix(" ^ \(advice)"), "\(text)")
    }

    @Test func openBrackets() {
        #expect(
            mistakes("fields: [{name: a]\n") == """
                rules.yaml:1:18: error: expected a comma or '}' here
                   1 | fields: [{name: a]
                     |                  ^ it was opened on line 1; text that holds , [ ] { } or # needs single quotes
                """)
        #expect(
            mistakes("missingValues: [NA\nfields: []\n") == """
                rules.yaml:2:7: error: expected a comma or ']' here
                   2 | fields: []
                     |       ^ it was opened on line 1; text that holds , [ ] { } or # needs single quotes
                """)
    }

    @Test func patternsThatNeedQuotes() {
        #expect(
            mistakes("fields:\n- name: a\n  constraints:\n    pattern: [A-Z]+'\n") == """
                rules.yaml:4:14: error: text that starts with '[' needs quotes
                   4 |     pattern: [A-Z]+'
                     |              ^^^^^^^ write '[A-Z]+'''
                """)
        #expect(
            mistakes("fields:\n- name: a\n  constraints:\n    pattern: [A-Z]\n") == """
                rules.yaml:4:14: error: expected a pattern, found a list
                   4 |     pattern: [A-Z]
                     |              ^^^^^ if it is text, put it in quotes: '[A-Z]'
                """)
        #expect(
            mistakes("fields:\n- name: a\n  constraints:\n    pattern: *.csv\n") == """
                rules.yaml:4:14: error: text cannot start with '*' unless it is in quotes
                   4 |     pattern: *.csv
                     |              ^ write '*.csv'
                """)
        #expect(
            mistakes("fields:\n- name: @home\n") == """
                rules.yaml:2:9: error: text cannot start with '@' unless it is in quotes
                   2 | - name: @home
                     |         ^ write '@home'
                """)
        #expect(
            mistakes("fields:\n- name: a: b\n") == """
                rules.yaml:2:10: error: a key is not allowed here
                   2 | - name: a: b
                     |          ^ text that holds ': ' needs single quotes; otherwise check the indentation
                """)
    }

    @Test func quotesInsideOfQuotes() {
        #expect(
            mistakes("fields:\n- name: a\n  constraints:\n    pattern: '[A-Z '-]+'\n") == """
                rules.yaml:4:20: error: this quote ends the text, and more follows
                   4 |     pattern: '[A-Z '-]+'
                     |                    ^ inside single quotes a quote is written twice: ''
                """)
        #expect(
            mistakes("fields: [{name: a, rules: [{pattern: '[A-Z '-]+'}]}]\n") == """
                rules.yaml:1:44: error: this quote ends the text, and more follows
                   1 | fields: [{name: a, rules: [{pattern: '[A-Z '-]+'}]}]
                     |                                            ^ inside single quotes a quote is written twice: ''
                """)
        #expect(
            mistakes("fields:\n- name: \"a\"b\"\n") == #"""
                rules.yaml:2:11: error: this quote ends the text, and more follows
                   2 | - name: "a"b"
                     |           ^ inside double quotes a quote is written \"
                """#)
        #expect(
            mistakes("fields: [{name: 'a' type: 'string'}]\n") == """
                rules.yaml:1:21: error: expected a comma or '}' here
                   1 | fields: [{name: 'a' type: 'string'}]
                     |                     ^ it was opened on line 1; text that holds , [ ] { } or # needs single quotes
                """)
    }

    @Test func keysThatYAMLFindsTooLong() {
        let key = String(repeating: "x", count: 1_100)
        let found = mistakes("{\"properties\": {\"\(key)\": {}}}\n")
        #expect(found.contains("error: the key that ends here has more than 1,024 characters"), "\(found)")
    }

    @Test func colonsWithoutASpace() {
        #expect(
            mistakes("fields:\n- name:a\n  type: integer\n") == """
                rules.yaml:3:7: error: a key is not allowed here
                   3 |   type: integer
                     |       ^ a space must follow the colon on line 2: name: …
                """)
        #expect(
            mistakes("fields:\n- name: a\n  constraints:\n    required:true\n") == """
                rules.yaml:4:5: error: expected a mapping of constraints, found 'required:true'
                   4 |     required:true
                     |     ^^^^^^^^^^^^^ a space must follow the colon: required: …
                """)
    }

    @Test func indentation() {
        #expect(
            mistakes("fields:\n\t- name: a\n") == """
                rules.yaml:2:1: error: a tab cannot indent
                   2 |     - name: a
                     | ^^^^ use spaces
                """)
        #expect(
            mistakes("fields:\n  - name: a\n   type: string\n") == """
                rules.yaml:3:4: error: this does not fit the lines above
                   3 |    type: string
                     |    ^ check the indentation: the keys of one mapping, and the entries of one list, \
                must start in one column
                """)
        #expect(
            mistakes("fields:\n  - name: a\n    type string\n  - name: b\n") == """
                rules.yaml:3:5: error: expected 'key: value'
                   3 |     type string
                     |     ^^^^^^^^^^^ is a colon missing, or a space after it?
                """)
        #expect(
            mistakes("fields: - name: a\n") == """
                rules.yaml:1:9: error: a list entry cannot start here
                   1 | fields: - name: a
                     |         ^ the text '-' needs quotes; otherwise check the indentation
                """)
    }

    @Test func anchorsAliasesAndTags() {
        #expect(
            mistakes("fields:\n- &id {name: a}\n- name: *id\n- name: !!str 5\n- !x\n") == """
                rules.yaml:2:3: error: anchors such as &id are not read
                   2 | - &id {name: a}
                     |   ^^^ remove it; if it is text, put it in single quotes: '&id'
                rules.yaml:3:9: error: aliases such as *id are not read
                   3 | - name: *id
                     |         ^^^ write out its value; if it is text, put it in single quotes: '*id'
                rules.yaml:4:9: error: tags such as !!str are not read
                   4 | - name: !!str 5
                     |         ^^^^^ remove it; quotes make text. If it is text, put it in single quotes: '!!str'
                rules.yaml:5:3: error: tags such as !x are not read
                   5 | - !x
                     |   ^^ remove it; quotes make text. If it is text, put it in single quotes: '!x'
                rules.yaml:5:3: error: expected a field, found no value
                   5 | - !x
                     |   ^^
                """)
    }

    @Test func secondDocument() {
        #expect(
            mistakes("fields: []\n---\nfields: []\n") == """
                rules.yaml:2:1: error: a second document
                   2 | ---
                     | ^^^ a rule file is one document; remove this '---' and the rest
                """)
    }

    @Test func keys() {
        #expect(
            mistakes("fields: []\nname: a\nname: b\n[x]: c\n") == """
                rules.yaml:3:1: error: the key 'name' appears twice
                   3 | name: b
                     | ^^^^ the first is on line 2
                rules.yaml:4:1: error: a key must be text, not a list
                   4 | [x]: c
                     | ^^^ text that starts with { or [ needs single quotes
                """)
    }

    @Test func somethingElseEntirely() {
        #expect(
            mistakes("id,name\n1,Ada\n") == """
                rules.yaml:1:1: error: expected a mapping with 'fields', found 'id,name 1,Ada'
                   1 | id,name
                     | ^^^^^^^
                     | a small rule file looks like this:
                     | fields:
                     |   - name: email
                     |     format: email
                     |     constraints: {required: true, maxLength: 254}
                """)
        #expect(
            mistakes("- name: a\n").hasPrefix("rules.yaml:1:1: error: expected a mapping with 'fields', found a list\n")
        )
    }
}
