import Assay
import Testing

@testable import AssayRules

@Suite("Writing rule files and reading them again") struct RoundTripTests {
    @Test func asJSON() throws {
        let file = try rules(
            """
            missingValues: ['', NA]
            dialect: {delimiter: tab, quoteChar: none}
            limits: {columns: 7}
            fields:
              - name: email
                format: email
                missingValues: []
                constraints: {required: true, maxLength: 254}
                rules:
                  - {id: company, pattern: '.+@example\\.org', options: [caseInsensitive], message: Ours, \
            severity: warn}
              - {name: n, type: integer, categories: [1, 2], constraints: {minimum: 1}, \
            rules: [{maximum: 9, as: number}]}
            """)
        #expect(
            file.json() == #"""
                {
                  "fields": [
                    {
                      "name": "email",
                      "type": "string",
                      "format": "email",
                      "missingValues": [],
                      "constraints": {
                        "required": true,
                        "maxLength": 254,
                        "lengthUnit": "scalars"
                      },
                      "rules": [
                        {
                          "id": "company",
                          "message": "Ours",
                          "severity": "warn",
                          "pattern": ".+@example\\.org",
                          "options": [
                            "caseInsensitive"
                          ]
                        }
                      ]
                    },
                    {
                      "name": "n",
                      "type": "integer",
                      "categories": [
                        "1",
                        "2"
                      ],
                      "constraints": {
                        "minimum": "1"
                      },
                      "rules": [
                        {
                          "id": "n.maximum",
                          "maximum": "9",
                          "as": {
                            "type": "number"
                          }
                        }
                      ]
                    }
                  ],
                  "missingValues": [
                    "",
                    "NA"
                  ],
                  "fieldsMatch": "subset",
                  "dialect": {
                    "delimiter": "\t",
                    "quoteChar": null,
                    "header": true
                  },
                  "limits": {
                    "columns": 7
                  }
                }

                """#)
        #expect(try rules(file.json()) == file)
    }

    @Test(arguments: 0..<300) func generatedFiles(_ seed: UInt64) throws {
        var generator = RuleFileGenerator(seed: seed)
        let file = generator.file()
        #expect(try rules(file.json()) == file)
    }

    @Test func keys() throws {
        let file = try rules(
            """
            fields:
              - {name: b, constraints: {unique: true, maxLength: 3}}
              - {name: a, constraints: {unique: false}}
            uniqueKeys: [[a, b], [a]]
            primaryKey: b
            keep: none
            """)
        #expect(
            file.schema.keys == [
                Key(.unique, fields: ["b"]), Key(.primary, fields: ["b"]),
                Key(.combination, fields: ["a", "b"], number: 1), Key(.combination, fields: ["a"], number: 2),
            ])
        #expect(file.schema.keys.map(\.id) == ["b.unique", "primaryKey", "uniqueKeys.1", "uniqueKeys.2"])
        #expect(file.schema.keep == .none)
        #expect(try rules(file.json()) == file)
    }

    @Test(arguments: ["last", "{max: caf\u{e9}}", "{min: caf\u{e9}}"]) func keep(_ text: String) throws {
        let file = try rules("{fields: [{name: caf\u{e9}}], primaryKey: caf\u{e9}, keep: \(text)}")
        let policy = file.schema.keep
        #expect(try rules(file.json()) == file)
        #expect(policy == (text == "last" ? .last : text.hasPrefix("{max") ? .max("caf\u{e9}") : .min("caf\u{e9}")))
        #expect(policy != .max("cafe\u{301}") && policy != .first)
    }

    @Test func sortedColumns() throws {
        let file = try rules(
            """
            fields:
              - {name: a, constraints: {sorted: ascending}}
              - {name: b, type: date, constraints: {sorted: descending, strict: true, required: true}}
              - {name: c}
            """)
        #expect(
            file.schema.fields.map(\.sorted) == [
                SortOrder(.ascending), SortOrder(.descending, isStrict: true), nil,
            ])
        #expect(file.ruleIDs.contains("b.sorted"))
        #expect(try rules(file.json()) == file)
    }

    @Test func foreignKeys() throws {
        let file = try rules(
            """
            fields: [{name: a}, {name: b}]
            foreignKeys:
              - {fields: a, reference: {resource: x/other.csv, fields: id}}
              - {fields: [a, b], reference: {resource: '', fields: [b, a]}}
            """)
        #expect(
            file.schema.foreignKeys == [
                ForeignKey(fields: ["a"], reference: .init(resource: "x/other.csv", fields: ["id"])),
                ForeignKey(fields: ["a", "b"], reference: .init(fields: ["b", "a"]), number: 2),
            ])
        #expect(file.ruleIDs.contains("foreignKeys.2"))
        #expect(try rules(file.json()) == file)
    }

    @Test func dialectsOfReferences() throws {
        let file = try rules(
            """
            fields: [{name: a}, {name: b}]
            foreignKeys:
              - {fields: a, reference: {resource: x.csv, fields: id, dialect: {encoding: windows-1252, delimiter: ;}}}
              - {fields: b, reference: {resource: x.csv, fields: id}}
            """)
        var dialect = Dialect(delimiter: UInt8(ascii: ";"))
        dialect.encoding = "windows-1252"
        #expect(file.referencedTables == [ReferencedTable(name: "x.csv", paths: ["x.csv"], dialect: dialect)])
        #expect(file.schema.foreignKeys.map { file.table(referredToBy: $0)?.dialect } == [dialect, dialect])
        #expect(try rules(file.json()) == file)
    }

    /// Paths in a rule file are relative to its folder.
    @Test(arguments: [
        ("rules.yaml", "x.csv", "x.csv"), ("a/b/rules.yaml", "x.csv", "a/b/x.csv"), ("/rules.yaml", "x.csv", "/x.csv"),
        ("/a/rules.yaml", "../x.csv", "/a/../x.csv"), ("a/rules.yaml", "/x.csv", "/x.csv"),
    ]) func referencedPaths(_ name: String, _ resource: String, _ path: String) throws {
        let text = "{fields: [{name: a}], foreignKeys: [{fields: a, reference: {resource: \(resource), fields: a}}]}"
        var file = try RuleFile.parse(Array(text.utf8), name: name)
        #expect(file.referencedPaths == [path])
        file.referencedTables = [ReferencedTable(name: resource, paths: ["/1.csv", "/2.csv"])]
        #expect(file.referencedPaths == ["/1.csv", "/2.csv"])
    }

    /// Checks that rule files cannot express must be written as equivalent ones.
    @Test func checksThatAreAlwaysTrueOrFalse() throws {
        func afterwards(_ check: Check) throws -> Check {
            let rule = Rule(id: "r", code: "r", check: check)
            let file = RuleFile(schema: Schema(fields: [Field(name: "a", rules: [rule])]))
            return try #require(rules(file.json()).schema.fields[0].rules.first).check
        }
        #expect(try afterwards(.any([])) == .not(.all([])))
        #expect(try afterwards(.oneOf([])) == .not(.all([])))
        #expect(try afterwards(.length(min: nil, max: nil, in: .utf8)) == .all([]))
        #expect(try afterwards(.range(min: nil, max: nil, as: .number)) == .all([]))
    }

    @Test func skeletonOfAnything() throws {
        let header = [
            "id", "first name", "größe", "a: b", "null", "", "x\ny", "it's", "007", "#c", "- d", "{e}", "e-mail (work)",
            "a\u{202E}b", " x ", "tab\tname", "\"q\"", "\\", "yes", "%", "a,b", "😀",
        ]
        for dialect in [
            Dialect(), Dialect(delimiter: 9), Dialect(delimiter: UInt8(ascii: ";"), quoteChar: nil, header: false),
            Dialect(delimiter: UInt8(ascii: "'"), quoteChar: UInt8(ascii: "|")),
            Dialect(delimiter: 1, quoteChar: UInt8(ascii: "'")),
        ] {
            let text = RuleFile.skeleton(header: header, dialect: dialect)
            #expect(
                try rules(text) == RuleFile(schema: Schema(fields: header.map { Field(name: $0) }), dialect: dialect))
            #expect(text.contains("dialect:") == (dialect != Dialect()))
        }
    }

    @Test func skeletonOfRepeatedNames() throws {
        let text = RuleFile.skeleton(header: ["a", "b", "a"])
        #expect(try rules(text).schema.fields.map(\.name) == ["b"])
        let comment = "  # - name: a  # occurs more than once in the header: a rule could not tell which is meant\n"
        #expect(text.split(separator: comment, omittingEmptySubsequences: false).count == 3)
        #expect(try rules(RuleFile.skeleton(header: ["a", "a"])) == RuleFile())
        #expect(try rules(RuleFile.skeleton(header: [])) == RuleFile())
    }

    /// The suggestions must be valid rules without their comment signs.
    @Test func skeletonWithItsSuggestions() throws {
        let text = RuleFile.skeleton(header: ["id", "name"])
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let fields = lines.drop { $0 != "fields:" }.map { line in
            line.hasPrefix("    # ") ? "    " + line.dropFirst(6) : line
        }
        let file = try rules(fields.joined(separator: "\n"))
        #expect(file.schema.fields.map(\.isRequired) == [true, true])
        #expect(file.schema.fields[0].type == .integer)
        #expect(file.schema.fields.map(\.rules.count) == [2, 1])
    }

    @Test func skeletonOfJSON() throws {
        let fields = ["id", "tags", "tags[]"].map { SkeletonField(name: $0, reasonForNone: $0 == "tags" ? "why" : nil) }
        let text = RuleFile.skeleton(fields, dialect: Dialect(), isJSON: true, note: "A note.")
        #expect(text.contains("\n# A note.\nfields:\n") && text.contains("\n  # - name: tags  # why\n"))
        for text in [text, text.replacing("    # ", with: "    ")] {
            let schema = try rules(text).schema
            #expect(schema.fields.map(\.name) == ["id", "tags[]"])
            #expect(schema.fields.allSatisfy { $0.type.kind == .any })
        }
    }
}

/// Generates rule files such as `parse` returns.
struct RuleFileGenerator {
    var random: Seeded
    var ids = 0

    init(seed: UInt64) { random = Seeded(state: seed) }

    mutating func file() -> RuleFile {
        var schema = Schema()
        for index in 0..<Int.random(in: 0...4, using: &random) { schema.fields.append(field("\(text())\(index)")) }
        if chance() { schema.missingValues = texts(0...3) }
        schema.fieldsMatch = FieldsMatch.allCases.randomElement(using: &random)!
        var file = RuleFile(schema: schema)
        if chance() { file.dialect = Dialect(delimiter: 59, quoteChar: chance() ? nil : 39, header: chance()) }
        if chance() { file.limits.columns = 5 }
        if chance() { file.limits.match.heapKiB = 99 }
        if chance() {
            file.jsonTypes = .jsonSchema
            for index in file.schema.fields.indices where chance() { file.schema.fields[index].isNullable = true }
        }
        for index in file.schema.fields.indices where chance() { file.schema.fields[index].isOptional = true }
        if chance() { file.thresholds = thresholds(of: file) }
        return file
    }

    mutating func thresholds(of file: RuleFile) -> Thresholds {
        var thresholds = Thresholds()
        if chance() { thresholds.rejected = amount() }
        for field in file.schema.fields where chance() {
            thresholds.columns.append(.init(name: field.name, max: amount()))
        }
        for id in Set(file.ruleIDs).sorted() where chance() { thresholds.rules.append(.init(name: id, max: amount())) }
        if chance() { thresholds.minRecords = 3 }
        if chance() { thresholds.maxRecords = 4 }
        return thresholds
    }

    mutating func amount() -> Thresholds.Amount {
        chance() ? .count(Int.random(in: 0...9, using: &random)) : .percent(.random(in: 0...100, using: &random))
    }

    mutating func field(_ name: String) -> Field {
        var field = Field(name: name, type: type(), isRequired: chance())
        if chance() { field.missingValues = texts(0...2) }
        if chance() {
            for code in ["minLength", "maxLength", "pattern", "enum", "categories", "minimum", "exclusiveMaximum"] {
                if chance(), let check = constraint(code, of: field) {
                    field.rules.append(Rule(id: "\(name).\(code)", code: code, check: check))
                }
            }
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            ids += 1
            let check = check(of: field, depth: 3)
            field.rules.append(
                Rule(
                    id: "r\(ids)", code: check.code, check: check, message: chance() ? text() : nil,
                    severity: chance() ? .warn : .reject))
        }
        return field
    }

    mutating func constraint(_ code: String, of field: Field) -> Check? {
        switch code {
        // Constraints have a single unit for both bounds.
        case "minLength" where field.type.hasMembers: .count(min: 2, max: nil, as: field.type)
        case "maxLength" where field.type.hasMembers: .count(min: nil, max: 9, as: field.type)
        case "minLength": .length(min: 2, max: nil, in: field.isRequired ? .scalars : .characters)
        case "maxLength": .length(min: nil, max: 9, in: field.isRequired ? .scalars : .characters)
        case "pattern": .matches(pattern: pattern())
        case "enum": .oneOf(values(field.type), as: field.type)
        case "categories":
            // The values of `enum` must be among the categories.
            [.string, .integer].contains(field.type.kind) && !field.rules.contains { $0.code == "enum" }
                ? .oneOf(values(field.type), as: field.type) : nil
        case "minimum":
            ValueType.Kind.ordered.contains(field.type.kind)
                ? .range(min: Bound(values(field.type)[0]), max: nil, as: field.type) : nil
        default: nil
        }
    }

    mutating func check(of field: Field, depth: Int) -> Check {
        switch Int.random(in: 0...(depth > 0 ? 10 : 6), using: &random) {
        case 0: return .type(type())
        case 1:
            let type = chance() ? field.type : type()
            if type.hasMembers { return .count(min: chance() ? 1 : nil, max: 9, as: type) }
            // For a list, length constraints count items, so no length of texts is generated.
            if field.type.hasMembers { return .matches(pattern: pattern()) }
            return .length(min: chance() ? 1 : nil, max: 9, in: LengthUnit.allCases.randomElement(using: &random)!)
        case 2: return .matches(pattern: pattern(), options: options())
        case 3:
            let type = chance() ? field.type : type()
            return .oneOf(values(type), as: type)
        case 4:
            var type = field.type
            while !ValueType.Kind.ordered.contains(type.kind) { type = self.type() }
            let bound = Bound(values(type)[0], isExclusive: chance())
            return chance()
                ? .range(min: bound, max: nil, as: type)
                : .range(min: Bound(bound.text), max: chance() ? Bound(bound.text) : nil, as: type)
        case 5:
            let types = JSONType.allCases.filter { _ in chance() }
            return .jsonType(types.isEmpty ? [.null] : types)
        case 6:
            return .multiple(
                of: chance() ? "0.01" : "3",
                as: field.type.kind == .number && field.type.decimalChar == nil ? field.type : .number)
        case 7: return .all((0..<Int.random(in: 0...3, using: &random)).map { _ in check(of: field, depth: depth - 1) })
        case 8: return .any((0...Int.random(in: 0...2, using: &random)).map { _ in check(of: field, depth: depth - 1) })
        case 9: return .not(check(of: field, depth: depth - 1))
        default: return .when(check(of: field, depth: depth - 1), then: check(of: field, depth: depth - 1))
        }
    }

    mutating func type() -> ValueType {
        let types: [ValueType] = [
            .any, .string, .integer, .number, .boolean, .date, .time, .datetime, .year, .yearmonth, .duration,
            ValueType(.string, format: "uuid"), ValueType(.date, format: "%d/%m/%Y"),
            ValueType(.number, decimalChar: ",", groupChar: ".", isBareNumber: false),
            ValueType(.boolean, trueValues: ["ja"], falseValues: ["nein", "no"]), .list, .array, .object,
            ValueType(.list, itemType: .number, delimiter: " | "),
        ]
        return types.randomElement(using: &random)!
    }

    /// Valid values of the type.
    mutating func values(_ type: ValueType) -> [String] {
        switch type.kind {
        case .any, .string: texts(1...3)
        case .integer: ["7", "-12345678901234567890123"]
        case .number: type.decimalChar == nil ? ["1.5", "2e3"] : ["1.000,5"]
        case .boolean: type.trueValues == nil ? ["true", "0"] : ["ja"]
        case .date: type.format == nil ? ["2024-02-29"] : ["29/02/2024"]
        case .time: ["12:30:00"]
        case .datetime: ["2024-02-29T12:30:00Z"]
        case .year: ["2024"]
        case .yearmonth: ["2024-02"]
        case .duration: ["P1D"]
        case .list: type.itemType == nil ? ["a,b", ""] : ["1 | 2.5"]
        case .array: ["[1, [\"a\"]]", "[]"]
        case .object: ["{\"a\": null}"]
        }
    }

    mutating func pattern() -> String {
        [
            "[A-Z]+", #"\d{4}-\d\d"#, "it's \"q\"", "", "größe|東京", "a\nb", String(repeating: "x", count: 2_000),
            #"\x{1F600}😀"#,
        ]
        .randomElement(using: &random)!
    }

    mutating func options() -> Pattern.Options {
        Pattern.Options(rawValue: UInt32.random(in: 0..<64, using: &random))
    }

    mutating func text() -> String {
        let parts = [
            "a", "NO", "null", "~", "", " ", "\"", "'", "\\", "\n", "\u{85}", "\u{2028}", "\u{7F}", "\0", "é", "😀",
            ": ",
            "#", "x-", "\u{202E}", "\u{FEFF}", "{", "]",
        ]
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
    }

    mutating func texts(_ count: ClosedRange<Int>) -> [String] {
        (0..<Int.random(in: count, using: &random)).map { _ in text() }
    }

    mutating func chance() -> Bool { Bool.random(using: &random) }
}
