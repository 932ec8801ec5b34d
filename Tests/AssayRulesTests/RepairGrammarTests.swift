import Assay
import Testing

@testable import AssayRules

/// `repair:` of a field: accepted and written forms, and every mistake with its place.
@Suite("Repairs in rule files") struct RepairGrammarTests {
    /// The repairs under `repair:` for a field of this type.
    private func read(_ repair: String, type: String = "format: email", missing: String = "") throws -> [Repair] {
        let text = "fields:\n  - name: a\n    \(type)\n    repair: \(repair)\n\(missing)"
        return try rules(text).schema.fields[0].repair
    }

    @Test(.needsPCRE2) func everyRepairIsRead() throws {
        let read = try read(
            """

                  - trim
                  - collapse
                  - upper
                  - lower
                  - nfc
                  - nfkc
                  - strip-control
                  - ascii-digits
                  - unquote
                  - {missing: [N/A, null, '-', 99]}
                  - {replace: '(\\d)-', with: '$1'}
                  - {map: {m: male, 'f': female, x: ''}}
                  - {default: none}
            """, type: "type: string")
        let expected: [Repair] = [
            .trim, .collapse, .upper, .lower, .nfc, .nfkc, .stripControl, .asciiDigits, .unquote,
            .missing(["N/A", "null", "-", "99"]), .replace(pattern: "(\\d)-", with: "$1"),
            .map(["m": "male", "f": "female", "x": ""]), .default("none"),
        ]
        #expect(read == expected)
    }

    @Test func editorsKnowTheWords() throws {
        func value(_ node: YAMLNode?, _ key: String) -> YAMLNode? {
            guard case .mapping(let entries) = node?.content else { return nil }
            return entries.first { $0.key == key }?.value
        }
        var node = EditorSchemaTests.schema
        for key in ["$defs", "field", "properties", "repair", "items", "anyOf"] { node = value(node, key) }
        guard case .sequence(let choices) = node?.content,
            case .sequence(let words) = value(choices.first, "enum")?.content
        else {
            Issue.record("no words of repairs")
            return
        }
        #expect(words.map(\.scalarText) == Repair.words.map(\.name))
    }

    @Test(.needsPCRE2) func canonicalHasOptions() throws {
        #expect(try read("[canonical]", type: "type: date") == [.canonical()])
        #expect(
            try read("[{canonical: {from: ['%d.%m.%Y', '%m/%d/%Y']}}]", type: "type: date")
                == [.canonical(Repair.CanonicalOptions(from: ["%d.%m.%Y", "%m/%d/%Y"]))])
        #expect(
            try read("[{canonical: {region: GB}}]", type: "format: phone")
                == [.canonical(Repair.CanonicalOptions(region: "GB"))])
        #expect(
            try read("[{canonical: {decimalChar: ',', groupChar: '.'}}]", type: "type: number")
                == [.canonical(Repair.CanonicalOptions(decimalChar: ",", groupChar: "."))])
    }

    @Test(.needsPCRE2) func whatIsWrittenIsReadAgain() throws {
        let text = """
            fields:
              - name: born
                type: date
                repair: [trim, {missing: [N/A]}, {canonical: {from: ['%d.%m.%Y']}}]
              - name: mark
                repair: [{replace: '\\s', with: ''}, {map: {b: c, a: ''}}, {default: '-'}, strip-control]
              - name: phone
                format: phone
                repair: [{canonical: {region: GB}}, canonical]
            """
        let file = try rules(text)
        #expect(try rules(file.json()) == file)
        #expect(
            file.json().contains(
                """
                      "repair": [
                        {
                          "replace": "\\\\s",
                          "with": ""
                        },
                        {
                          "map": {
                            "b": "c",
                            "a": ""
                          }
                        },
                        {
                          "default": "-"
                        },
                        "strip-control"
                      ]
                """))
    }

    @Test(arguments: [
        (
            "trim", "format: email", "",
            """
            rules.yaml:3:13: error: expected a list of repairs, found 'trim'
               3 |     repair: trim
                 |             ^^^^ write [trim]
            """
        ),
        (
            "[trimm]", "format: email", "",
            """
            rules.yaml:3:14: error: unknown repair 'trimm'
               3 |     repair: [trimm]
                 |              ^^^^^ did you mean 'trim'?
            """
        ),
        (
            "[{strip: '-'}]", "format: email", "",
            """
            rules.yaml:3:15: error: unknown key 'strip' in a repair
               3 |     repair: [{strip: '-'}]
                 |               ^^^^^ write trim for white space, or {replace: PATTERN, with: ''}
            """
        ),
        (
            "[{trim: true}]", "format: email", "",
            """
            rules.yaml:3:15: error: 'trim' is a repair without a value
               3 |     repair: [{trim: true}]
                 |               ^^^^ write [trim]
            """
        ),
        (
            "[{canonical: de}]", "format: phone", "",
            """
            rules.yaml:3:26: error: expected options such as {region: GB}, found 'de'
               3 |     repair: [{canonical: de}]
                 |                          ^^ write {canonical: {region: DE}}
            """
        ),
        (
            "[{canonical: '%d.%m.%Y'}]", "type: date", "",
            """
            rules.yaml:3:26: error: expected options such as {region: GB}, found the text '%d.%m.%Y'
               3 |     repair: [{canonical: '%d.%m.%Y'}]
                 |                          ^^^^^^^^^^ write {canonical: {from: ['%d.%m.%Y']}}
            """
        ),
        (
            "[{canonical: {region: UK}}]", "format: phone", "",
            """
            rules.yaml:3:14: error: 'UK' is no region with telephone numbers, such as GB, which the United Kingdom is
               3 |     repair: [{canonical: {region: UK}}]
                 |              ^^^^^^^^^^^^^^^^^^^^^^^^^
            """
        ),
        (
            "[missing]", "format: email", "",
            """
            rules.yaml:3:14: error: 'missing' is not a complete repair
               3 |     repair: [missing]
                 |              ^^^^^^^ write {missing: [N/A, '-']}
            """
        ),
        (
            "[{missing: N/A}]", "format: email", "",
            """
            rules.yaml:3:24: error: expected a list of words, found 'N/A'
               3 |     repair: [{missing: N/A}]
                 |                        ^^^ write [N/A]
            """
        ),
        (
            "[{missing: [N/A]}]", "format: email", "missingValues: [none]",
            """
            rules.yaml:3:24: error: 'missing' makes values empty, but missingValues does not include the empty text
               3 |     repair: [{missing: [N/A]}]
                 |                        ^^^^^ add '' to missingValues
            """
        ),
        (
            "[{replace: 'a'}]", "format: email", "",
            """
            rules.yaml:3:14: error: 'replace' without 'with'
               3 |     repair: [{replace: 'a'}]
                 |              ^^^^^^^^^^^^^^ write {replace: …, with: ''} to remove it
            """
        ),
        (
            "[{replace: 'a(', with: ''}]", "format: email", "",
            """
            rules.yaml:3:27: error: missing closing parenthesis at offset 2
               3 |     repair: [{replace: 'a(', with: ''}]
                 |                           ^
            """
        ),
        (
            "[{replace: 'a', with: 'b$1'}]", "format: email", "",
            """
            rules.yaml:3:38: error: the pattern has no such group, or several at offset 2
               3 |     repair: [{replace: 'a', with: 'b$1'}]
                 |                                      ^
            """
        ),
        (
            "[{replace: 'a', with: 'aa'}]", "format: email", "",
            """
            rules.yaml:3:35: error: the replacement would be replaced again
               3 |     repair: [{replace: 'a', with: 'aa'}]
                 |                                   ^^^^ a repeated repair must not change the value
            """
        ),
        (
            "[{map: {a: b, b: c}}]", "format: email", "",
            """
            rules.yaml:3:24: error: 'a' becomes 'b', which becomes 'c': repairing again would change it
               3 |     repair: [{map: {a: b, b: c}}]
                 |                        ^ write a: c
            """
        ),
        (
            "[{default: ''}]", "format: email", "",
            """
            rules.yaml:3:24: error: the default '' means that there is no value
               3 |     repair: [{default: ''}]
                 |                        ^^ remove it, or write another
            """
        ),
        (
            "[{pattern: a, with: b}]", "format: email", "",
            """
            rules.yaml:3:15: error: unknown key 'pattern' in a repair
               3 |     repair: [{pattern: a, with: b}]
                 |               ^^^^^^^ write {replace: PATTERN, with: TEXT}
            """
        ),
        (
            "[{map: {a: b}, default: c}]", "format: email", "",
            """
            rules.yaml:3:28: error: a repair has one of these keys, and this one has both 'map' and 'default'
               3 |     repair: [{map: {a: b}, default: c}]
                 |                            ^^^^^^^ write [{map: …}, {default: …}]
            """
        ),
        (
            "[canonical]", "type: string", "",
            """
            rules.yaml:3:14: error: text without a format has no canonical form
               3 |     repair: [canonical]
                 |              ^^^^^^^^^ write the format of the field, such as format: email
            """
        ),
        (
            "[canonical]", "format: password", "",
            """
            rules.yaml:3:14: error: the format 'password' has no canonical form
               3 |     repair: [canonical]
                 |              ^^^^^^^^^
            """
        ),
        (
            "[canonical]", "type: date\n    format: '%d/%m/%Y'", "",
            """
            rules.yaml:3:14: error: the type with a format of its own refuses canonical values, which are ISO 8601
               3 |     repair: [canonical]
                 |              ^^^^^^^^^ write {canonical: {from: ['%d/%m/%Y']}}, and remove the format
            """
        ),
        (
            "[{canonical: {decimalChar: ','}}]", "type: number\n    decimalChar: ','", "",
            """
            rules.yaml:3:14: error: the type with a decimalChar of its own refuses canonical numbers, which have a point
               3 |     repair: [{canonical: {decimalChar: ','}}]
                 |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write {canonical: {decimalChar: ','}}, \
            and remove it from the field
            """
        ),
        (
            "[{canonical: {from: ['%d.%m.%Y']}}]", "type: number", "",
            """
            rules.yaml:3:33: error: 'from' is for dates and times
               3 |     repair: [{canonical: {from: ['%d.%m.%Y']}}]
                 |                                 ^^^^^^^^^^^^ remove it, or write the type of the field
            """
        ),
        (
            "[{canonical: {from: ['%d.%q']}}]", "type: date", "",
            """
            rules.yaml:3:38: error: unknown directive %q; known are %Y %y %m %b %B %h %d %e %j \
            %a %A %H %I %p %M %S %f %z %T %D %F %R %% at offset 3
               3 |     repair: [{canonical: {from: ['%d.%q']}}]
                 |                                      ^
            """
        ),
    ])
    func mistakesAreReported(_ repair: String, _ type: String, _ missing: String, _ expected: String) {
        if !hasPCRE2 && repair.contains("replace: 'a") { return }
        let found = mistakes("fields:\n  - name: a\n    repair: \(repair)\n    \(type)\n\(missing)")
        #expect(found == expected)
    }
}
