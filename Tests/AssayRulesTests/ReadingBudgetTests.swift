import Assay
import Testing

@testable import AssayRules

@Suite("The total budget for reading a rule file") struct ReadingBudgetTests {
    /// A pattern with the maximum size of folded ranges.
    private static let wide = #"(?i)"# + String(repeating: #"[\x{0}-\x{10FFFF}]"#, count: 8)

    private func problems(_ text: String, trusted: Bool = false) -> [String] {
        var limits = Limits()
        if trusted { limits.trustRuleFiles() }
        do {
            _ = try RuleFile.parse(Array(text.utf8), name: "r.yaml", limits: limits)
            return []
        } catch {
            return error.problems.map { "\($0.line) \($0.message): \($0.suggestion ?? "")" }
        }
    }

    private static let refusal =
        "up to here, ranges that ignore case have more than 71303168 characters in this file: "
        + "write (?-i:…) around large ones, or call trustRuleFiles() on the limits if you trust the file"

    @Test("patterns with case-insensitive ranges are refused if all together take too long", arguments: [8, 9])
    func wideRanges(_ count: Int) {
        let fields = (0..<count).map { "  - {name: f\($0), constraints: {pattern: '\(Self.wide)'}}\n" }
        let text = "fields:\n" + fields.joined()
        #expect(problems(text) == (count == 8 ? [] : ["10 \(Self.refusal)"]))
        #expect(problems(text, trusted: true).isEmpty)
    }

    @Test("patterns of expressions and repairs count, and small ones are still read", .needsPCRE2)
    func elsewhere() {
        let matches = (0..<7).map { _ in "a.matches(r'\(Self.wide)')" }.joined(separator: " || ")
        let text = """
            fields:
              - name: a
                repair: [{replace: '\(Self.wide)', with: ''}]
              - {name: b, constraints: {pattern: '(?i)[a-z]+'}}
            rows:
              - check: "\(matches.replacing("\\", with: "\\\\"))"
              - check: a.matches(r'(?i)[\\x{0}-\\x{10FFFF}]')
              - check: a.matches(r'[\\x{0}-\\x{10FFFF}]')
            """
        let found = problems(text)
        #expect(found == ["7 \(Self.refusal)"])
    }

    private static let code =
        "up to here, the patterns of this file take more than 64 MiB of memory: "
        + "repeat less in them, as in {1,9} inside {1,9}, or call trustRuleFiles() on the limits if you trust the file"

    /// A pattern whose code is much longer than its text. With `{1,9}` after it, it exceeds PCRE2's limit.
    private static func repeated(_ number: Int, _ more: String = "") -> String {
        "((((a{1,9}){1,9}){1,9}){1,9})\(more)\(number)"
    }

    @Test("patterns with nested repetitions are refused if all together take too much memory", .needsPCRE2)
    func muchCode() {
        let fields = (100..<148).map {
            "  - {name: f\($0), constraints: {pattern: '\(Self.repeated($0, "{1,9}"))'}}\n"
        }
        let found = problems("fields:\n" + fields.joined())
        #expect(found == ["49 \(Self.code)"])
        let same = (100..<148).map { "  - {name: f\($0), constraints: {pattern: '\(Self.repeated(0, "{1,9}"))'}}\n" }
        #expect(problems("fields:\n" + same.joined()).isEmpty)
        #expect(problems("fields:\n" + fields.joined(), trusted: true).isEmpty)
        let largest = "fields:\n" + fields.dropLast().joined()
        let repairs = (200..<260).map { "  - {name: f\($0), repair: [{replace: '\(Self.repeated($0))', with: ''}]}\n" }
        let rows = (200..<260).map { "  - {check: \"f100.matches('\(Self.repeated($0))')\"}\n" }
        for text in [largest + repairs.joined(), largest + "rows:\n" + rows.joined()] {
            let others = problems(text)
            #expect(!others.isEmpty && others.allSatisfy { $0.hasSuffix(" " + Self.code) }, "\(others.prefix(1))")
        }
    }

    @Test("names are compared for the first mistakes, and then no more")
    func closestNames() {
        let names = (0..<10_000).map { "\(100_000 + $0)" + String(repeating: "x", count: 94) }
        var budget = ReadingBudget()
        let found = (0..<100).map { _ in budget.closestName(to: "10000xxxxx", among: names + ["10000xxxx"]) }
        #expect(found == Array(repeating: "10000xxxx", count: 1) + Array(repeating: nil, count: 99))
    }
}
