import Testing

@testable import AssayRules

@Suite("The patterns of a rule file that can explode") struct PatternLintTests {
    private func patterns() throws -> [WrittenPattern] {
        let text =
            #"{"fields": [{"name": "a", "rules": [{"id": "a", "pattern": "(a+)+\\1x"}, "#
            + #"{"id": "b", "pattern": "(b+)+\\1x"}]}]}"#
        return try RuleFile.patterns(in: Array(text.utf8), name: "r.json", limits: Limits()).patterns
    }

    @Test("each adds the bounded cost of its search", .needsPCRE2)
    func work() throws {
        var work: UInt64 = 0
        for pattern in try patterns() {
            let before = work
            #expect(pattern.growth(Limits(), adding: &work) != nil)
            #expect(work > before && work - before <= 2_000_000_000)
        }
    }

    @Test("after a file has used up its work, the remaining patterns are not examined", .needsPCRE2)
    func bound() throws {
        var work: UInt64 = 59_999_999_999
        let patterns = try patterns()
        #expect(patterns[0].growth(Limits(), adding: &work) != nil)
        let spent = work
        #expect(spent > 60_000_000_000)
        #expect(patterns[1].growth(Limits(), adding: &work) == nil)
        #expect(work == spent)
    }
}
