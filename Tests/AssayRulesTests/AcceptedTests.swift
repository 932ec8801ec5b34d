import Assay
import Testing

@testable import AssayRules

@Suite("Features of rule files") struct AcceptedTests {
    @Test func smallest() throws {
        #expect(try rules("fields: []") == RuleFile())
        #expect(try rules("fields: [{name: a}]") == RuleFile(schema: Schema(fields: [Field(name: "a")])))
    }

    @Test func everyConstraintInItsOrder() throws {
        let field = try field(
            """
            fields:
              - name: amount
                type: integer
                constraints:
                  exclusiveMaximum: 1000
                  maximum: 999
                  exclusiveMinimum: 0
                  minimum: 1
                  enum: [1, 10, 100]
                  pattern: '[0-9]+'
                  maxLength: 3
                  minLength: 1
                  required: true
                  unique: false
                rules:
                  - {id: even, pattern: '.*[02468]', severity: warn, message: Odd amounts are rare}
            """)
        #expect(field.isRequired)
        #expect(field.type == .integer)
        #expect(
            field.rules == [
                Rule(id: "amount.minLength", code: "minLength", check: .length(min: 1, max: nil, in: .scalars)),
                Rule(id: "amount.maxLength", code: "maxLength", check: .length(min: nil, max: 3, in: .scalars)),
                Rule(id: "amount.pattern", code: "pattern", check: .matches(pattern: "[0-9]+")),
                Rule(id: "amount.enum", code: "enum", check: .oneOf(["1", "10", "100"], as: .integer)),
                Rule(id: "amount.minimum", code: "minimum", check: .range(min: Bound("1"), max: nil, as: .integer)),
                Rule(
                    id: "amount.exclusiveMinimum", code: "exclusiveMinimum",
                    check: .range(min: Bound("0", isExclusive: true), max: nil, as: .integer)),
                Rule(id: "amount.maximum", code: "maximum", check: .range(min: nil, max: Bound("999"), as: .integer)),
                Rule(
                    id: "amount.exclusiveMaximum", code: "exclusiveMaximum",
                    check: .range(min: nil, max: Bound("1000", isExclusive: true), as: .integer)),
                Rule(
                    id: "even", code: "pattern", check: .matches(pattern: ".*[02468]"), message: "Odd amounts are rare",
                    severity: .warn),
            ])
    }

    @Test(
        "one value is between two exclusive bounds",
        arguments: [
            ("integer", "2", "4"), ("integer", "-1", "1"), ("integer", "-10", "-8"),
            ("integer", "99999999999999999999", "100000000000000000001"), ("number", "2", "3"),
            ("year", "2023", "2025"), ("yearmonth", "2023-12", "2024-02"), ("date", "2024-02-28", "2024-03-01"),
            ("date", "2023-12-31", "2024-01-02"), ("time", "01:00:00", "01:00:01"),
        ])
    func exclusiveBounds(type: String, low: String, high: String) throws {
        let field = try field(
            "fields: [{name: x, type: \(type), constraints: {exclusiveMinimum: '\(low)', exclusiveMaximum: '\(high)'}}]"
        )
        #expect(field.rules.count == 2)
    }

    @Test func everyCheckOfARule() throws {
        let field = try field(
            """
            fields:
              - name: x
                rules:
                  - {pattern: a, options: [caseInsensitive, unicodeClasses, dotAll, extended, multiline, \
            search, linearTime, icuCompatible]}
                  - {minLength: 2, maxLength: 3, lengthUnit: characters}
                  - {enum: [a, b]}
                  - {enum: [1, 2], as: integer, id: x.one}
                  - {minimum: 1, exclusiveMaximum: '2,5', as: {type: number, decimalChar: ','}}
                  - {type: date, format: '%d/%m/%Y'}
                  - {all: [{minLength: 1}, {any: [{pattern: b}, {not: {pattern: c}}]}]}
                  - when: {pattern: 'a.*'}
                    then: {maxLength: 5}
            """)
        let everyOption: Pattern.Options = [
            .caseInsensitive, .unicodeClasses, .dotMatchesNewlines, .extended, .multiline, .search,
            .linearTime, .icuSyntax,
        ]
        let comma = ValueType(.number, decimalChar: ",")
        #expect(
            field.rules.map(\.check) == [
                .matches(pattern: "a", options: everyOption),
                .length(min: 2, max: 3, in: .characters),
                .oneOf(["a", "b"], as: .string),
                .oneOf(["1", "2"], as: .integer),
                .range(min: Bound("1"), max: Bound("2,5", isExclusive: true), as: comma),
                .type(ValueType(.date, format: "%d/%m/%Y")),
                .all([
                    .length(min: 1, max: nil, in: .scalars),
                    .any([.matches(pattern: "b"), .not(.matches(pattern: "c"))]),
                ]),
                .when(.matches(pattern: "a.*"), then: .length(min: nil, max: 5, in: .scalars)),
            ])
        #expect(
            field.rules.map(\.code) == ["pattern", "length", "enum", "enum", "range", "type", "all", "when"])
        #expect(
            field.rules.map(\.id) == [
                "x.pattern", "x.length", "x.enum", "x.one", "x.range", "x.type", "x.all", "x.when",
            ])
    }

    @Test func typesAndTheirProperties() throws {
        let file = try rules(
            """
            fields:
              - {name: a, type: string, format: email}
              - {name: b, type: number, decimalChar: ',', groupChar: '.', bareNumber: false}
              - {name: c, type: boolean, trueValues: [yes, 1], falseValues: [no]}
              - {name: d, type: datetime, format: '%d.%m.%Y %H:%M'}
              - {name: e, type: integer, groupChar: ' '}
              - {name: f, type: date, format: default}
              - {name: g, type: date, format: 'fmt:%d/%m/%Y'}
              - {name: h, type: any}
              - {name: i, type: year}
              - {name: j, type: yearmonth}
              - {name: k, type: duration}
              - {name: l, type: time}
            """)
        #expect(
            file.schema.fields.map(\.type) == [
                ValueType(.string, format: "email"),
                ValueType(.number, decimalChar: ",", groupChar: ".", isBareNumber: false),
                ValueType(.boolean, trueValues: ["yes", "1"], falseValues: ["no"]),
                ValueType(.datetime, format: "%d.%m.%Y %H:%M"),
                ValueType(.integer, groupChar: " "),
                .date, ValueType(.date, format: "%d/%m/%Y"), .any, .year, .yearmonth, .duration, .time,
            ])
    }

    @Test func unitOfLengths() throws {
        let file = try rules(
            """
            lengthUnit: characters
            fields:
              - {name: a, constraints: {minLength: 1}}
              - {name: b, lengthUnit: utf16, constraints: {minLength: 1}, rules: [{maxLength: 9, lengthUnit: utf8}]}
              - {name: c, lengthUnit: utf16, constraints: {minLength: 1, lengthUnit: scalars}}
            """)
        let units = file.schema.fields.flatMap(\.rules).map { rule in
            if case .length(_, _, let unit) = rule.check { unit } else { LengthUnit?.none }
        }
        #expect(units == [.characters, .utf16, .utf8, .scalars])
    }

    @Test func missingValues() throws {
        let file = try rules(
            """
            missingValues: ["", NA, '-', -99]
            fields:
              - {name: a}
              - {name: b, missingValues: []}
              - name: c
                missingValues:
                  - {value: "", label: left out}
                  - value: 'null'
            """)
        #expect(file.schema.missingValues == ["", "NA", "-", "-99"])
        #expect(file.schema.fields.map(\.missingValues) == [nil, [], ["", "null"]])
    }

    @Test(arguments: FieldsMatch.allCases) func fieldsMatch(_ match: FieldsMatch) throws {
        #expect(try rules("{fieldsMatch: \(match.rawValue), fields: []}").schema.fieldsMatch == match)
        #expect(try rules("{fieldsMatch: [\(match.rawValue)], fields: []}").schema.fieldsMatch == match)
    }

    @Test func categories() throws {
        let file = try rules(
            """
            fields:
              - {name: a, categories: [apple, orange], categoriesOrdered: true}
              - name: b
                type: integer
                categories: [{value: 0, label: apple}, {value: 1}]
                constraints: {minimum: 0, enum: [1]}
            """)
        #expect(
            file.schema.fields[0].rules == [
                Rule(id: "a.categories", code: "categories", check: .oneOf(["apple", "orange"], as: .string))
            ])
        #expect(file.schema.fields[1].rules.map(\.code) == ["enum", "categories", "minimum"])
        #expect(file.schema.fields[1].rules[1].check == .oneOf(["0", "1"], as: .integer))
    }

    @Test func descriptionsAndNotes() throws {
        let file = try rules(
            """
            $schema: https://datapackage.org/profiles/2.0/tableschema.json
            name: users
            title: Users
            description: |
              Exported on Mondays.
            sources: [{title: CRM, path: https://example.org}]
            x-owner: team data
            fields:
              - {name: a, title: A, description: First, example: 1, rdfType: 'http://schema.org/Thing', x-unit: kg}
            """)
        #expect(file == RuleFile(schema: Schema(fields: [Field(name: "a")])))
    }

    @Test func emptyRulesAcceptAll() throws {
        let file = try rules(
            """
            dialect:
            limits:
            fields:
              - name: a
                constraints:
                  # required: true
                rules:
                  # - {pattern: x}
            """)
        #expect(file == RuleFile(schema: Schema(fields: [Field(name: "a")])))
    }

    /// In Table Schema, constraints are JSON values, or texts in the notation of the column.
    @Test func valuesOfJSONAreWrittenAsTheColumnDoes() throws {
        let number = ValueType(.number, decimalChar: ",", groupChar: ".")
        let price = try field(
            """
            {"fields": [{"name": "price", "type": "number", "decimalChar": ",", "groupChar": ".",
                         "constraints": {"minimum": 1.5, "maximum": "1.000,5", "enum": [2.0, -3e2, "4,5"]}}]}
            """)
        #expect(
            price.rules.map(\.check) == [
                .oneOf(["2,0", "-3e2", "4,5"], as: number),
                .range(min: Bound("1,5"), max: nil, as: number),
                .range(min: nil, max: Bound("1.000,5"), as: number),
            ])
        let flag = try field(
            """
            {"fields": [{"name": "ok", "type": "boolean", "trueValues": ["ja"], "falseValues": ["nein"],
                         "constraints": {"enum": [true, "nein"]}}]}
            """)
        #expect(flag.rules.map(\.check) == [.oneOf(["ja", "nein"], as: flag.type)])
    }

    @Test func dialects() throws {
        func dialect(_ text: String) throws -> Dialect { try rules("{dialect: \(text), fields: []}").dialect }
        let tab = UInt8(ascii: "\t")
        #expect(try dialect("{}") == Dialect())
        #expect(
            try dialect("{delimiter: ';', quoteChar: \"'\", header: false}")
                == Dialect(delimiter: UInt8(ascii: ";"), quoteChar: UInt8(ascii: "'"), header: false))
        #expect(try dialect(#"{delimiter: "\t"}"#).delimiter == tab)
        #expect(try dialect(#"{delimiter: '\t'}"#).delimiter == tab)
        #expect(try dialect("{delimiter: tab}").delimiter == tab)
        for space in ["space", "' '"] {
            #expect(try dialect("{delimiter: \(space)}").delimiter == UInt8(ascii: " "))
        }
        for none in ["none", "null", "~", "false", "'none'"] {
            #expect(try dialect("{quoteChar: \(none)}").quoteChar == nil)
        }
        #expect(
            try dialect(
                #"{$schema: x, doubleQuote: true, lineTerminator: ~, skipInitialSpace: false, escapeChar: null,"#
                    + " headerRows: [1], commentChar: ~, nullSequence: }") == Dialect())
        var terminated = Dialect()
        terminated.lineTerminator = .cr
        for text in [#"{lineTerminator: "\r"}"#, #"{lineTerminator: \r}"#] {
            #expect(try dialect(text) == terminated)
        }
        terminated.lineTerminator = .lf
        for text in [#"{lineTerminator: "\n"}"#, #"{lineTerminator: \n}"#, #"{lineTerminator: \r\n}"#] {
            #expect(try dialect(text) == terminated)
        }
        var all = Dialect(delimiter: UInt8(ascii: ":"))
        all.secondDelimiter = UInt8(ascii: ":")
        all.escapeChar = UInt8(ascii: "\\")
        all.commentChar = UInt8(ascii: "#")
        all.skipInitialSpace = true
        all.skip = 3
        all.headerRows = [1, 2]
        all.headerJoin = "-"
        all.extraFields = .keep
        all.trailingDelimiter = true
        all.blankLines = .skip
        all.lineTerminator = .lf
        all.encoding = "latin1"
        let text =
            #"{delimiter: '::', escapeChar: '\', commentChar: '#', skipInitialSpace: true, skip: 3, headerRows: [1,"#
            + #" 2], headerJoin: '-', extraFields: keep, trailingDelimiter: true, blankLines: skip,"#
            + #" lineTerminator: \n, encoding: latin1}"#
        #expect(try dialect(text) == all)
        // The written form must be readable.
        let file = try rules("{dialect: \(text), types: text, fields: []}")
        #expect(file.jsonTypes == .text)
        #expect(try rules(file.json()) == file)
    }

    @Test func limits() throws {
        let limits = try rules("{limits: {field-bytes: 2M, columns: 5, match-base: 7}, fields: []}").limits
        var expected = Limits()
        expected.fieldBytes = 2 << 20
        expected.columns = 5
        expected.match.baseSteps = 7
        #expect(limits == expected)
    }

    @Test("a file may raise limits on the work for a value to four times the defaults, and further if it is trusted")
    func ceilingOfLimits() throws {
        let usual = MatchLimits()
        let (base, perByte, heap, stack) = (usual.baseSteps, usual.stepsPerByte, usual.heapKiB, usual.jitStackBytes)
        let values = [
            ("match-base", base), ("match-per-byte", perByte), ("heap-kib", heap), ("jit-stack-bytes", stack),
            ("row-rule-bytes", usual.rowRuleBytes),
        ]
        for (name, value) in values {
            _ = try rules("{limits: {\(name): \(4 * value)}, fields: []}")
            let text = "{limits: {\(name): \(4 * value + 1)}, fields: []}"
            #expect(mistakes(text).contains("lower it, or call trustRuleFiles() on the limits if you trust the file"))
            var trusting = Limits()
            trusting.trustRuleFiles()
            _ = try rules(text, limits: trusting)
        }
    }

    @Test func limitsAreSetOverTheGivenOnes() throws {
        var given = Limits()
        given.columns = 9
        given.depth = 8
        let limits = try rules("{limits: {match-base: 7}, fields: []}", limits: given).limits
        #expect(limits.columns == 9)
        #expect(limits.depth == 8)
        #expect(limits.match.baseSteps == 7)
    }

    /// The file may raise its own limit for patterns, at any position of `limits`.
    @Test func limitOfPatterns() throws {
        let text = "fields: [{name: a, constraints: {pattern: '\(String(repeating: "a", count: 20))'}}]\n"
        #expect(mistakes("limits: {pattern-bytes: 10}\n" + text).contains("pattern"))
        #expect(mistakes(text + "limits: {pattern-bytes: 20}\n").isEmpty)
    }
}
