import Assay
import AssayFiles
import AssayRules
import Foundation
import Testing

/// A single body must have the findings that the pipeline has for the same object in JSON Lines.
@Suite("JSON bodies") struct JSONBodyTests {
    private static let rules = """
        types: TYPES
        missingValues: ["", "n/a"]
        fields:
          - {name: email, format: email, constraints: {required: true, maxLength: 12}}
          - {name: age, type: integer, constraints: {minimum: 18, maximum: 120}}
          - {name: plan, constraints: {enum: [free, team]}, repair: REPAIR}
          - {name: address.city, constraints: {required: true, pattern: "[A-Z].*"}}
          - name: 'address.zip\\.code'
            constraints: {minLength: 5}
            rules: [{id: zip, pattern: '\\d+', message: digits}]
          - {name: "tags[]", constraints: {maxLength: 3}}
          - {name: "items[].price", type: number, constraints: {required: true, exclusiveMinimum: 0}}
          - {name: "items[].sizes[]", type: integer, constraints: {maximum: 9}}
          - {name: roles, type: list, constraints: {minLength: 1, maxLength: 2}}
          - {name: paid, type: boolean}
          - {name: start, type: date}
          - {name: end, type: date}
          - {name: warned, rules: [{id: only-warns, pattern: 'x', severity: warn}]}
        rows:
          - {id: dates, check: end >= start, message: ends before it starts}
          - {id: adult, check: 'age >= 21 || plan == "free"'}
          - {id: overflow, check: 'age * 9223372036854775807 > 0', severity: warn}
        """

    private static func file(types: String, repairs: Bool) throws -> RuleFile {
        let text = rules.replacing("TYPES", with: types).replacing("REPAIR", with: repairs ? "[trim]" : "[]")
        return try RuleFile.parse(Array(text.utf8), name: "rules.yaml")
    }

    /// A random object. `space` is between all tokens.
    private struct Generator {
        var random: SeededGenerator
        var space = " "

        mutating func value(depth: Int = 0) -> String {
            let texts = [
                "\"\"", "\"n/a\"", "\"a@b.co\"", "\"anna@example.org\"", "\"free\"", "\" team \"", "\"K\\u00f6ln\"",
                "\"12345\"", "\"2026-02-30\"", "\"2026-03-01\"", "\"2025-01-01\"", "\"abcd\"", "\"\\ud83d\\ude00\"",
            ]
            let numbers = ["0", "1", "-3", "17", "30", "1.0", "1e3", "5.5", "99999999999999999999"]
            switch Int.random(in: 0..<(depth < 3 ? 14 : 10), using: &random) {
            case 0: return "null"
            case 1: return ["true", "false"].randomElement(using: &random)!
            case 2...4: return numbers.randomElement(using: &random)!
            case 5...9: return texts.randomElement(using: &random)!
            case 10, 11:
                let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth + 1) }
                return "[\(space)" + elements.joined(separator: "\(space),\(space)") + "\(space)]"
            default:
                return object(["price", "sizes", "city", "zip.code", "other"], depth: depth + 1)
            }
        }

        mutating func object(_ names: [String], depth: Int = 0) -> String {
            var members: [String] = []
            for name in names.shuffled(using: &random) where Int.random(in: 0..<5, using: &random) > 0 {
                let value =
                    name == "items" && Bool.random(using: &random)
                    ? "[" + object(["price", "sizes"], depth: 1) + "," + object(["price", "sizes"], depth: 1) + "]"
                    : name == "address" && Bool.random(using: &random)
                        ? object(["city", "zip.code"], depth: 1) : self.value(depth: depth)
                members.append("\"\(name)\"\(space):\(space)\(value)")
            }
            return "{\(space)" + members.joined(separator: "\(space),\(space)") + "\(space)}"
        }

        mutating func body() -> String {
            let body = object([
                "email", "age", "plan", "address", "tags", "items", "roles", "paid", "start", "end", "warned", "other",
            ])
            if Int.random(in: 0..<30, using: &random) > 0 { return body }
            return String(body.dropLast(Int.random(in: 1...body.count, using: &random)))
        }
    }

    private struct Finding: Decodable {
        var record: Int
        var column: String?
        var rule: String
        var severity: String
        var code: String
        var message: String
    }

    @Test(arguments: ["strict", "text", "jsonSchema"], [false, true])
    func bodiesAgreeWithLines(types: String, repairs: Bool) throws {
        let file = try Self.file(types: types, repairs: repairs)
        let compiled = try file.compiled()
        var generator = Generator(random: SeededGenerator(seed: repairs ? 7 : 3))
        let bodies = (0..<(runsSlowTests ? 20_000 : 300)).map { _ in generator.body() }
        var options = CleanerOptions()
        options.format = .jsonLines
        let sink = MemorySink()
        // The last line has all members, because a run fails if a member is absent from all records.
        let last = #"{"address":{"zip.code":""},"tags":[""],"items":[{"price":1,"sizes":[1]}],"warned":"x"}"#
        _ = try Cleaner(rules: file, options: options).run(
            PieceSource((bodies + [last]).joined(separator: "\n") + "\n"),
            to: Outputs(clean: MemorySink(), rejects: MemorySink(), findings: sink))
        var expected = Array(repeating: [String](), count: bodies.count + 1)
        for line in String(decoding: sink.take(), as: UTF8.self).split(separator: "\n") {
            let finding = try JSONDecoder().decode(Finding.self, from: Data(line.utf8))
            if finding.severity != "reject" { continue }
            let isSyntax = finding.rule.hasPrefix("structure.")
            expected[finding.record - 1].append(isSyntax ? "json" : "\(finding.rule) \(finding.code == "undecided")")
        }
        #expect(expected.joined().count > bodies.count)
        for (body, expected) in zip(bodies, expected) {
            let reasons = compiled.failures(inJSON: body)
            let rules = reasons.map { reason in
                reason.rule!.hasPrefix("json.") ? "json" : "\(reason.rule!) \(reason.isUndecided)"
            }
            try #require(rules == expected, "\(body)")
            #expect(compiled.failures(inJSON: Data(body.utf8)) == reasons)
            #expect(compiled.failures(inJSON: Array(body.utf8).span) == reasons)
        }
    }

    @Test func spacesDoNotMatter() throws {
        let compiled = try Self.file(types: "strict", repairs: false).compiled()
        var plain = Generator(random: SeededGenerator(seed: 11), space: "")
        var pretty = Generator(random: SeededGenerator(seed: 11), space: "\r\n\t ")
        for _ in 0..<300 {
            let reasons = compiled.failures(inJSON: plain.body()).filter { !$0.rule!.hasPrefix("json.") }
            let others = compiled.failures(inJSON: pretty.body()).filter { !$0.rule!.hasPrefix("json.") }
            #expect(reasons.map(\.rule) == others.map(\.rule) || reasons.isEmpty || others.isEmpty)
        }
    }

    @Test func everyMistakeOfABody() throws {
        let body = """
            {
              "age": "17",
              "plan": "gold",
              "address": {"zip.code": "12a45"},
              "tags": ["a", "long tag"],
              "items": [{"price": 1}, {"price": 0, "sizes": [1, 10]}, {}],
              "start": "2026-02-01", "end": "2026-01-01"
            }
            """
        let compiled = try Self.file(types: "strict", repairs: false).compiled()
        let reasons = compiled.failures(inJSON: body)
        #expect(
            reasons.map { "\($0.path): \($0.message)" } == [
                "email: Is missing",
                "age: Is not of the type integer",
                "plan: Is not one of the allowed values",
                "address.city: Is missing",
                #"address["zip.code"]: digits"#,
                "tags[1]: Must have at most 3 characters",
                "items[1].price: Must be greater than 0",
                "items[2].price: Is missing",
                "items[1].sizes[1]: Must be at most 9",
                ": ends before it starts",
            ])
        #expect(reasons[1].parameters == ["type": .text("integer"), "found": .text("string")])
        #expect(reasons[5].parameters == ["max": .integer(3)])
        #expect(reasons[5].message(in: "ru") == "Максимальная длина: 3 симв.")
        #expect(reasons[4].path == ValuePath([.field("address"), .field("zip.code")]))
        #expect(compiled.failures(inJSON: body, limit: 3) == Array(reasons.prefix(3)))
        #expect(compiled.failures(inJSON: body, limit: 7) == Array(reasons.prefix(7)))
        #expect(compiled.failures(inJSON: body, limit: 0).isEmpty)
    }

    @Test func bodiesThatAreNoObject() throws {
        let compiled = try Schema(fields: [Field(name: "id", isRequired: true)]).compiled(maxBytes: 100)
        func failure(_ body: String) -> Reason? { compiled.failures(inJSON: body).first }
        #expect(failure("")?.rule == "json.object")
        #expect(failure(" \n")?.rule == "json.object")
        #expect(failure("[]")?.message == "Must be one JSON object")
        let mistake = try #require(failure("{\n \"a\": 1,\n \"ä\" 2}"))
        #expect(mistake.message == "Is not valid JSON: line 3, column 6")
        #expect(mistake.parameters["mistake"]?.description.contains("colon") == true)
        #expect(failure("{\"a\": \"\(String(repeating: "x", count: 100))\"}")?.message == "Must have at most 100 bytes")
        #expect(compiled.failures(inJSON: [0x7B, 0xFF, 0x7D]).first?.rule == "json.encoding")
        #expect(failure("\u{FEFF}{\"id\": \"x\"}") == nil)
        #expect(failure("{}")?.rule == "id.required")
    }

    @Test func schemasForBodies() throws {
        #expect(throws: CompileError.self) { try Schema(fields: [Field(name: "a..b")]).compiled() }
        #expect(throws: CompileError.self) { try Schema(fieldsMatch: .exact).compiled() }
        // Rules about several records do not concern a single one.
        var schema = Schema(fields: [Field(name: "id")])
        schema.keys = [Key(.unique, fields: ["id"])]
        schema.fields[0].sorted = SortOrder(.ascending)
        #expect(try schema.compiled().failures(inJSON: #"{"id": "x"}"#).isEmpty)
    }

    @Test func manyThreadsShareASchema() async throws {
        let compiled = try Self.file(types: "strict", repairs: true).compiled()
        var generator = Generator(random: SeededGenerator(seed: 5))
        let bodies = (0..<100).map { _ in generator.body() }
        let expected = bodies.map { compiled.failures(inJSON: $0) }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for (body, expected) in zip(bodies, expected) {
                        #expect(compiled.failures(inJSON: body) == expected)
                    }
                }
            }
        }
    }
}
