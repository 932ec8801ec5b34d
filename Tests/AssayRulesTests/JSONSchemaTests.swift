import Assay
import Testing

@testable import AssayRules

/// JSON Schemas of flat objects, read as rules for the records of a table.
@Suite("JSON Schema") struct JSONSchemaTests {
    @Test func aCompleteSchema() throws {
        let file = try rules(
            #"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$id": "https://example.org/person.schema.json",
              "title": "Person", "type": "object",
              "required": ["id", "code", "seen", "note"],
              "additionalProperties": false,
              "properties": {
                "id": {"type": "integer", "minimum": 1, "exclusiveMaximum": 1000000},
                "code": {"type": "string", "pattern": "^[A-Z]", "minLength": 2, "maxLength": 8, "examples": ["AB"]},
                "email": {"type": ["string", "null"], "format": "email"},
                "size": {"enum": ["S", "M", null]},
                "kind": {"const": "person", "description": "always the same"},
                "price": {"type": "number", "multipleOf": 0.01},
                "active": {"type": "boolean"},
                "seen": {"type": ["null", "string"], "format": "date-time"},
                "anything": true
              }
            }
            """#)
        #expect(file.jsonTypes == .jsonSchema)
        func optional(_ field: Field, isNullable: Bool = false) -> Field {
            var field = field
            field.isOptional = true
            field.isNullable = isNullable
            return field
        }
        var seen = Field(name: "seen", type: ValueType(.string, format: "date-time"), isRequired: true)
        seen.isNullable = true
        #expect(
            file.schema
                == Schema(
                    fields: [
                        Field(
                            name: "id", type: .integer, isRequired: true,
                            rules: [
                                Rule(
                                    id: "id.minimum", code: "minimum",
                                    check: .range(min: Bound("1"), max: nil, as: .integer)),
                                Rule(
                                    id: "id.exclusiveMaximum", code: "exclusiveMaximum",
                                    check: .range(min: nil, max: Bound("1000000", isExclusive: true), as: .integer)),
                            ]),
                        Field(
                            name: "code", isRequired: true,
                            rules: [
                                Rule(
                                    id: "code.minLength", code: "minLength",
                                    check: .length(min: 2, max: nil, in: .scalars)),
                                Rule(
                                    id: "code.maxLength", code: "maxLength",
                                    check: .length(min: nil, max: 8, in: .scalars)),
                                Rule(
                                    id: "code.pattern", code: "pattern",
                                    check: .matches(pattern: "^[A-Z]", options: .search)),
                            ]),
                        optional(
                            Field(
                                name: "email",
                                type: ValueType(.string, format: "email single-label quoted ip-literal")),
                            isNullable: true),
                        optional(
                            Field(
                                name: "size", rules: [Rule(id: "size.enum", code: "enum", check: .oneOf(["S", "M"]))]),
                            isNullable: true),
                        optional(
                            Field(
                                name: "kind",
                                rules: [Rule(id: "kind.const", code: "enum", check: .oneOf(["person"]))])),
                        optional(
                            Field(
                                name: "price", type: .number,
                                rules: [
                                    Rule(
                                        id: "price.multipleOf", code: "multipleOf",
                                        check: .multiple(of: "0.01", as: .number))
                                ])),
                        optional(Field(name: "active", type: .boolean)),
                        seen,
                        optional(Field(name: "anything", type: ValueType(.any, format: "json"))),
                        Field(name: "note", type: ValueType(.any, format: "json"), isRequired: true),
                    ], fieldsMatch: .equal))
        #expect(try rules(file.json()) == file)
    }

    /// A required column may be empty only if null is among the types and the values.
    @Test(arguments: [
        ("{type: [string, 'null']}", false), ("{type: string}", true), ("{type: [string, 'null'], enum: [a]}", true),
        ("{type: [string, 'null'], enum: [a, null]}", false), ("{type: string, enum: [a, null]}", true),
        ("{enum: [a, null]}", false), ("{enum: [a]}", true), ("{type: [string, 'null'], const: a}", true), ("{}", true),
        (#"{type: [string, "null"], enum: [a, null], const: a}"#, true),
    ]) func whereNullIsAllowed(_ property: String, _ isRequired: Bool) throws {
        let file = try rules("properties: {a: \(property)}\nrequired: [a]")
        let field = try #require(file.schema.fields.first)
        #expect((field.isRequired && !field.isNullable) == isRequired)
    }

    @Test(arguments: [
        ("{properties: {}}", true), ("{type: object, properties: {}}", true), ("{fields: [], properties: {}}", false),
        ("{$schema: 'http://json-schema.org/draft-07/schema#'}", true), ("{type: array, items: {}}", true),
        ("{$schema: 'https://datapackage.org/profiles/2.0/tableschema.json', fields: []}", false), ("{}", false),
        ("[]", false), ("x", false),
    ]) func whatIsOne(_ text: String, _ isOne: Bool) throws {
        var reader = YAMLReader(SourceText(name: "rules.yaml", bytes: Array(text.utf8)), depth: 32)
        let root = reader.read()
        #expect(RuleReader.isJSONSchema(try #require(root)) == isOne)
    }

    @Test func settingsNextToProperties() throws {
        let file = try rules(
            """
            properties: {a: {type: string}}
            additionalProperties: false
            fieldsMatch: superset
            missingValues: ["-"]
            dialect: {delimiter: tab}
            limits: {match-base: 5}
            """)
        #expect(file.schema.fieldsMatch == .superset && file.schema.missingValues == ["-"])
        #expect(file.dialect.delimiter == 9)
        #expect(file.limits != Limits())
        #expect(try rules("{properties: {}, additionalProperties: true}").schema.fieldsMatch == .subset)
        #expect(try rules("{properties: {}}").schema.fieldsMatch == .subset)
    }

    /// A property, its valid values, and its invalid values.
    static let cells: [(property: String, passes: [String], fails: [String])] = [
        // Patterns are not anchored, and `$` matches only at the very end.
        (#"{"type": "string", "pattern": "b"}"#, ["b", "abc", "b\n"], ["", "a"]),
        (#"{"type": "string", "pattern": "^b$"}"#, ["b"], ["ab", "b\n", "bb"]),
        (#"{"type": "string", "pattern": "a|ab$"}"#, ["ab", "xa"], ["b"]),
        (
            #"{"type": "string", "pattern": "^\\s$"}"#,
            [" ", "\t", "\u{B}", "\u{A0}", "\u{FEFF}", "\u{2003}", "\u{2029}"], ["a", "\u{85}"]
        ),
        (
            #"{"type": "string", "pattern": "^\\S$"}"#, ["a", "\u{85}", "ä"],
            [" ", "\u{A0}", "\u{FEFF}", "\u{2003}", "\u{2029}"]
        ),
        (#"{"type": "string", "pattern": "^[a\\s]$"}"#, ["a", " ", "\u{A0}"], ["b"]),
        (#"{"type": "string", "pattern": "^[^\\s.]$"}"#, ["a"], [" ", "\u{A0}", "."]),
        (#"{"type": "string", "pattern": "^[\\s\\S]$"}"#, ["a", "\n", "\u{A0}"], ["", "ab"]),
        (#"{"type": "string", "pattern": "^.$"}"#, ["a", "ä", "\u{85}"], ["\n", "\r", "\u{2028}", "\u{2029}"]),
        (#"{"type": "string", "pattern": "^a\\.b$"}"#, ["a.b"], ["axb"]),
        (#"{"enum": [1, 2.5]}"#, ["1", "1.0", "2.50"], ["2", "a"]),
        (#"{"const": -2.0}"#, ["-2", "-2.0"], ["2"]),
        (#"{"enum": [true]}"#, ["true"], ["false", "x"]),
        (#"{"enum": ["a"], "maxLength": 1}"#, ["a"], ["b"]),
        (#"{"enum": [7, 8], "minimum": 8}"#, ["8"], ["7"]),
        (#"{}"#, ["a", "1", "[1]"], []),
        (#"{"type": "string", "minLength": 2, "maxLength": 3}"#, ["ab", "äöü", "👩‍👩"], ["a", "abcd"]),
        (#"{"enum": ["1", "a"]}"#, ["1", "a"], ["1.0", "A"]),
        (#"{"type": "number", "enum": [1, 2.5]}"#, ["1", "1.0", "2.50"], ["2"]),
        (#"{"type": "number", "const": 1}"#, ["1", "1.0"], ["2"]),
        (#"{"type": "boolean", "const": true}"#, ["true"], ["false"]),
        (#"{"const": "1"}"#, ["1"], ["1.0"]),
        (#"{"type": "string", "format": "date", "enum": ["2024-02-29"]}"#, ["2024-02-29"], ["2024-03-01"]),
        (#"{"type": "integer", "minimum": 0, "maximum": 10}"#, ["0", "10"], ["-1", "11"]),
        (#"{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 10}"#, ["0.1", "9.9"], ["0", "10", "NaN"]),
        (#"{"type": "number", "multipleOf": 1}"#, ["0", "7", "-7", "7.0", "7.", "+12"], ["7.5", ".1"]),
        (#"{"type": "number", "multipleOf": 0.01}"#, ["1", "1.1", "1.15", "1.150", "-.05", "0", "1e2"], ["1.155"]),
        (#"{"type": "number", "multipleOf": 0.05}"#, ["1", "1.1", "1.15", "1.250", ".05"], ["1.12", "1.001"]),
        (#"{"type": "number", "multipleOf": 0.5}"#, ["1", "1.5", "1.0"], ["1.2", "1.55"]),
        (#"{"type": "number", "multipleOf": 0.002}"#, ["1.12", "1.124", "1.1240"], ["1.123", "1.1242"]),
        (#"{"type": "integer", "multipleOf": 5}"#, ["0", "5", "10", "-15"], ["1", "51"]),
        (#"{"type": "integer", "multipleOf": 2}"#, ["0", "12", "00"], ["1", "21"]),
        (#"{"type": "integer", "multipleOf": 10}"#, ["0", "10", "120"], ["1", "105"]),
        (#"{"type": "number", "multipleOf": 20.0}"#, ["0", "40", "120.0"], ["30", "20.1", "4"]),
        (#"{"type": "number", "multipleOf": 3}"#, ["0", "9", "3e7"], ["10", "1e2"]),
        (#"{"type": "number", "multipleOf": 1e-8}"#, ["12391239123", "1e-8"], ["1.5e-8"]),
        // A CSV cell is a string, and also a number if it has the notation of one.
        (#"{"minimum": 5}"#, ["5", "x", "", "true", "0x1"], ["4", "-1e3"]),
        (#"{"multipleOf": 2}"#, ["4", "x"], ["3"]),
        (#"{"maxLength": 2}"#, ["ab", "12"], ["abc", "123"]),
        (#"{"pattern": "^a", "maximum": 5}"#, ["a"], ["b", "6"]),
        (#"{"format": "ipv4"}"#, ["127.0.0.1"], ["x", "1"]),
        (#"{"type": ["integer", "boolean"]}"#, ["1", "1.0", "true"], ["x", "1.5", "True"]),
        (#"{"type": ["string", "integer"], "minimum": 5}"#, ["x", "5", "4.5x"], ["4"]),
        (#"{"enum": [1, "a", true]}"#, ["1", "1.0", "a", "true"], ["2", "b", "false"]),
        (#"{"enum": [1, "01"]}"#, ["1", "01"], ["2", "001"]),
        (#"{"const": null}"#, [], ["a", "1"]), (#"{"type": "null"}"#, [], ["a"]),
        (#"{"type": "object"}"#, [#"{"a": 1}"#], ["[]", "a"]), (#"{"type": "array"}"#, ["[1]"], ["{}", "a"]),
        (#"{"type": "integer", "minimum": 0.5, "const": 2.0}"#, ["2"], ["0", "3"]),
        (#"{"type": "string", "maxLength": 2.0}"#, ["ab"], ["abc"]),
        (
            #"{"type": "string", "pattern": "^\\p{Letter}\\P{gc=Uppercase_Letter}[\\p{Decimal_Number}_]$"}"#,
            ["äö1", "aa_"], ["äÖ1", "1aa"]
        ),
        (#"{"type": "number", "multipleOf": 200}"#, ["0", "400", "1200"], ["100", "20", "2"]),
    ]

    @Test(arguments: cells.indices) func verdicts(_ index: Int) throws {
        let (property, passes, fails) = Self.cells[index]
        let field = try field(#"{"properties": {"a": \#(property)}}"#)
        let check = try CompiledCheck(.all([.type(field.type)] + field.rules.map(\.check)))
        for text in passes { #expect(check.verdict(of: text) == .pass, "\(property) and \(text.debugDescription)") }
        for text in fails { #expect(check.verdict(of: text) == .fail, "\(property) and \(text.debugDescription)") }
    }

    @Test(arguments: [
        ("{required: [a], properties: {a: {type: string}}}", true),
        ("{required: [a], properties: {a: {type: [string, 'null']}}}", false),
        ("{required: [a], properties: {a: {type: [string, null]}}}", false),
        ("{required: [a], properties: {a: {enum: [x, null]}}}", false),
        ("{required: [a], properties: {a: {type: string, enum: [x, null]}}}", true),
        ("{required: [], properties: {a: {type: string}}}", false),
        ("{required: [a], properties: {a: true}}", true), ("{required: [a], properties: {}}", true),
    ]) func required(_ text: String, _ isRequired: Bool) throws {
        let field = try field(text)
        #expect((field.isRequired && !field.isNullable) == isRequired)
    }

    /// A property with a mistake, the underlined part, the message, and the advice.
    static let wrong: [(property: String, marked: String, message: String, advice: String?)] = [
        ("{type: strin}", "strin", "unknown type of JSON 'strin'", "did you mean 'string'?"),
        ("{patern: x}", "patern", "unknown key 'patern' in a property", "did you mean 'pattern'?"),
        (
            "{type: integer, pattern: x}", "pattern", "'pattern' is for strings, and this is an integer",
            "remove it: JSON Schema does not ask it here"
        ),
        (
            "{type: string, minimum: 1}", "minimum", "'minimum' is for numbers, and this is a string",
            "write type: number, or remove it"
        ),
        (
            "{type: [boolean, 'null'], minimum: 1}", "minimum", "'minimum' is for numbers, and this is a boolean",
            "write type: number, or remove it"
        ),
        (
            "{type: [integer, boolean], format: date}", "format",
            "'format' is for strings, and this is one of integer, boolean",
            "remove it: JSON Schema does not ask it here"
        ),
        (
            "{type: [integer, x]}", "x", "unknown type of JSON 'x'",
            "known are string, number, integer, boolean, null, array, object"
        ),
        ("{type: []}", "[]", "the list is empty: no value could pass", nil),
        (
            "{type: string, const: 2}", "2", "'const' has a number, '2', and this is a string",
            #"a string has quotes: "2""#
        ),
        (
            "{enum: [[1]]}", "[1]", "'enum' has a list, and a cell is no object and no list",
            "give each part a column of its own"
        ),
        (
            "{const: {}}", "{}", "'const' has a mapping, and a cell is no object and no list",
            "give each part a column of its own"
        ),
        (
            #"{type: string, pattern: '[a\S]'}"#, #"'[a\S]'"#, #"'\S' in brackets is not supported"#,
            #"write it outside the brackets, as in (?:\S|[…])"#
        ),
        (
            "{type: number, multipleOf: 4294967296}", "4294967296",
            "'multipleOf': \"4294967296\" has more digits than values are divided by: at most 4294967295", nil
        ),
        ("{type: number, multipleOf: 0}", "0", "'multipleOf': \"0\" is not a number greater than 0", nil),
        ("{type: number, multipleOf: -1}", "-1", "'multipleOf': \"-1\" is not a number greater than 0", nil),
        (
            "{type: number, minimum: 5, exclusiveMinimum: true}", "true",
            "'exclusiveMinimum' is a bound itself since draft 6 of JSON Schema",
            "remove 'minimum', and write exclusiveMinimum: 5"
        ),
        ("{type: integer, minimum: one}", "one", "'one' is not an integer", nil),
        ("{type: integer, const: 1.5}", "1.5", "'1.5' is not an integer", nil),
        (
            "{type: integer, const: x}", "x", "'const' has a string, 'x', and this is an integer",
            "write values of one type"
        ),
        (
            "{type: string, const: null}", "null", "'const' allows only null, and this is a string",
            "write type: [string, 'null'], or leave out the type"
        ),
        (
            "{type: integer, enum: [null]}", "[null]", "'enum' allows only null, and this is an integer",
            "write type: [integer, 'null'], or leave out the type"
        ),
        ("{type: string, format: emial}", "emial", "unknown format 'emial'", "did you mean 'email'?"),
        (
            #"{type: string, pattern: '[\u4e00-\u9fff]'}"#, #"'[\u4e00-\u9fff]'"#,
            #"patterns are PCRE2's, which has no '\u4e00'"#,
            #"write \x{4e00} instead"#
        ),
        ("{type: string, pattern: 'a(b'}", "'", "missing closing parenthesis at offset 3", nil),
        ("{$ref: '#/$defs/a'}", "$ref", "'$ref' is not supported yet", "replace it by its target"),
        (
            "{anyOf: [{type: string}]}", "anyOf", "'anyOf' in a JSON Schema is not supported yet",
            "a rule file has all, any, not and when: see rule-files.md in the documentation"
        ),
        (
            "{type: string, items: {}}", "items", "'items' is for objects and lists, not for cells",
            "give each part a column of its own"
        ),
        ("{nullable: true}", "nullable", "'nullable' is not JSON Schema", "write type: [string, 'null']"),
        (
            "{required: true}", "required", "'required' belongs beside 'properties'",
            "write required: [the names of the columns] there"
        ),
        ("false", "false", "the schema false allows no value, and is not supported yet", "leave the property out"),
    ]

    @Test(arguments: wrong.indices) func aMistakeInAProperty(_ index: Int) throws {
        let (property, marked, message, advice) = Self.wrong[index]
        let source = "properties: {a: \(property)}"
        // If a pattern does not compile, the place after it is shown.
        let isPattern = message.hasPrefix("missing")
        let places = property.indices.filter { property[$0...].hasPrefix(marked) }
        let place = try #require(isPattern ? places.last : places.first)
        let start = property.distance(from: property.startIndex, to: place)
        let column = "properties: {a: ".count + start
        let carets = String(repeating: "^", count: marked.count)
        #expect(
            mistakes(source) == """
                rules.yaml:1:\(column + 1): error: \(message)
                   1 | \(source)
                     | \(String(repeating: " ", count: column))\(carets)\(advice.map { " " + $0 } ?? "")
                """)
    }

    @Test(arguments: [
        ("{type: array, items: {type: object}}", "this is the schema of a list of records"),
        ("{type: array, properties: {}}", "a record is an object, and this is the schema of 'array'"),
        ("{type: object}", "'properties' is missing"), ("{type: object, propertys: {}}", "unknown key 'propertys'"),
        ("{properties: []}", "expected a mapping of columns, found a list"),
        ("{properties: {}, required: a}", "expected a list of names, found 'a'"),
        ("{properties: {}, minProperties: 2}", "'minProperties' is not supported yet"),
        (
            "{properties: {}, additionalProperties: {type: string}}",
            "'additionalProperties' with a schema is not supported yet"
        ),
        ("{properties: {a: {}, a: {}}}", "a"), ("{properties: {}, constraints: {}}", "unknown key 'constraints'"),
    ]) func aMistakeInTheSchema(_ text: String, _ words: String) {
        #expect(mistakes(text).contains(words), "\(mistakes(text))")
    }
}
