import Testing

@testable import Assay

/// Lists, arrays and objects in a cell.
@Suite("Types with members") struct MemberTypeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var check: Check
        var passes: [String]
        var fails: [String]
        var message: String
        var phrase: String

        var testDescription: String { phrase }
    }

    static let numbers = ValueType(.list, itemType: .integer, delimiter: ";")
    static let cases = [
        Case(
            check: .type(.list), passes: ["", "a", "a,b", ","], fails: [], message: "is not a list", phrase: "a list"),
        Case(
            check: .type(numbers), passes: ["", "1", "1;-2;03"], fails: ["1,2", "1;", "1; 2", "x"],
            message: "is not a list of integers", phrase: "a list of integers"),
        Case(
            check: .type(ValueType(.list, itemType: .datetime)), passes: ["2024-02-29T12:00:00Z"],
            fails: ["2024-02-29"], message: "is not a list of dates and times", phrase: "a list of dates and times"),
        Case(
            check: .type(ValueType(.list, itemType: .boolean)), passes: ["true,0"], fails: ["yes"],
            message: "is not a list of true and false", phrase: "a list of true and false"),
        Case(
            check: .type(.array), passes: ["[]", " [1, {\"a\": null}] "], fails: ["", "{}", "[1", "[1] 2", "1"],
            message: "is not an array of JSON", phrase: "an array of JSON"),
        Case(
            check: .type(.object), passes: ["{}", "{\"a\": [1]}"], fails: ["", "[]", "{a: 1}", "{\"a\"}"],
            message: "is not an object of JSON", phrase: "an object of JSON"),
        Case(
            check: .count(min: 2, max: nil, as: numbers), passes: ["1;2", "1;2;3"], fails: ["", "1", "1;x"],
            message: "has fewer than 2 items", phrase: "at least 2 items"),
        Case(
            check: .count(min: nil, max: 1, as: .object), passes: ["{}", "{\"a\": {\"b\": 1, \"c\": 2}}"],
            fails: ["{\"a\": 1, \"b\": 2}", "x"], message: "has more than 1 member", phrase: "at most 1 member"),
        Case(
            check: .count(min: 1, max: 2, as: .array), passes: ["[1]", "[1,[2,3]]"], fails: ["[]", "[1,2,3]"],
            message: "does not have 1 to 2 items", phrase: "1 to 2 items"),
        Case(
            check: .oneOf(["1;2", ""], as: numbers), passes: ["1;2", "01;+2", ""], fails: ["2;1", "1"],
            message: "is not one of 1;2, ''", phrase: "one of \"1;2\", \"\""),
        Case(
            check: .oneOf(["[1, \"a\"]", "[]"], as: .array), passes: ["[1.0,\"\\u0061\"]", "[ ]"], fails: ["[\"a\",1]"],
            message: "is not one of [1, \"a\"], []", phrase: "one of \"[1, \\\"a\\\"]\", \"[]\""),
    ]

    @Test(arguments: cases) func verdictsAndWords(_ one: Case) throws {
        let check = try CompiledCheck(one.check)
        for value in one.passes { #expect(check.verdict(of: value) == .pass, "\(value)") }
        for value in one.fails { #expect(check.verdict(of: value) == .fail, "\(value)") }
        let requirement = try Requirement<String>(one.check)
        // A column must have the same verdicts.
        let verdicts = requirement.verdicts(for: one.passes + one.fails)
        for (row, value) in (one.passes + one.fails).enumerated() {
            #expect(verdicts[row] == (row < one.passes.count ? .pass : .fail), "\(value)")
        }
        #expect(one.check.failureMessage == one.message)
        #expect(requirement.description == one.phrase)
    }

    @Test func whatIsNoDescription() {
        func message(_ check: Check) -> String? {
            do {
                _ = try CompiledCheck(check)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(
            message(.type(ValueType(.list, itemType: .year)))
                == "the items of a list are string, integer, number, boolean, date, time or datetime")
        #expect(
            message(.type(ValueType(.list, delimiter: String(repeating: "-", count: 17))))
                == "a delimiter is at most 16 bytes")
        #expect(message(.count(min: 1, max: nil, as: .string)) == "only lists, arrays and objects have items to count")
        #expect(message(.count(min: -1, max: nil, as: .list)) == "a number of items is not negative")
        #expect(message(.range(min: Bound("[1]"), max: nil, as: .array)) == "an array has no minimum or maximum")
        #expect(message(.oneOf(["[1"], as: .array)) == "\"[1\" is not of the type")
    }

    @Test("a key of lists is refused") func keys() throws {
        var schema = Schema(fields: [Field(name: "tags", type: .list)])
        schema.keys = [Key(.unique, fields: ["tags"])]
        do {
            _ = try CompiledSchema(schema)
            Issue.record("it compiled")
        } catch {
            #expect(error.message == "the key 'tags.unique' names 'tags', and a list cannot be part of a key")
        }
    }

    /// In a schema of JSON Lines, a list is an array, and values in rules keep their notation.
    @Test func inJSON() throws {
        let compiler = CheckCompiler(engine: .dfa, maxPatternBytes: 1_000, cache: .shared, typing: .jsonStrict)
        func verdict(_ check: Check, _ text: String) throws -> Verdict {
            let node = try compiler.compile(check)
            let scratch = try Scratch(limits: MatchLimits())
            return Array(text.utf8).withUnsafeBufferPointer { node.verdict(of: $0, scratch: scratch.handle) }
        }
        #expect(try verdict(.type(.list), "[\"a\",\"b\"]") == .pass)
        #expect(try verdict(.type(.list), "a,b") == .fail)
        #expect(try verdict(.type(Self.numbers), "[1,2]") == .pass)
        #expect(try verdict(.type(Self.numbers), "[\"1\"]") == .fail)
        #expect(try verdict(.oneOf(["1;2"], as: Self.numbers), "[1,2]") == .pass)
        #expect(try verdict(.count(min: 2, max: 2, as: Self.numbers), "[1,2]") == .pass)
    }
}
