import Testing

@testable import Assay

/// Budgets of bulk calls: verdicts are those without a budget, and the remaining values are undecided and counted.
@Suite("Budgets of bulk calls") struct BudgetTests {
    /// Checks the same values with each budget, and compares the verdicts.
    private func compare(
        _ values: [String], _ verdicts: (CallBudget?, _ threads: Int) -> VerdictMask,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let right = Array(verdicts(nil, 1))
        var cuts = 0
        for threads in [1, 4] {
            let generous = verdicts(CallBudget(work: .max, memory: .max, time: .seconds(3600)), threads)
            #expect(Array(generous) == right, sourceLocation: sourceLocation)
            #expect(generous.overBudgetCount == 0, sourceLocation: sourceLocation)
            var work = 1
            while work < 1 << 40 {
                let mask = verdicts(CallBudget(work: work), threads)
                for index in values.indices where !mask.isOverBudget(index) {
                    #expect(mask[index] == right[index], sourceLocation: sourceLocation)
                }
                let over = values.indices.count { mask.isOverBudget($0) }
                #expect(over == mask.overBudgetCount, sourceLocation: sourceLocation)
                #expect(mask.overBudgetCount <= mask.undecidedCount, sourceLocation: sourceLocation)
                if over > 0 && over < values.count { cuts += 1 }
                if over == 0 { break }
                work *= 3
            }
        }
        #expect(cuts > 0, "no budget cut the values in two", sourceLocation: sourceLocation)
        let none = verdicts(CallBudget(time: .zero), 1)
        #expect(none.overBudgetCount == values.count, sourceLocation: sourceLocation)
    }

    @Test("a pattern with a DFA, and one without", .needsPCRE2)
    func patterns() throws {
        let values = BulkTests.values(10_000)
        for source in [#"\d{4}-\d{2}-\d{2}"#, #"(\d)\d*-\1.*|2.{4}-0(\d)-1\2"#] {
            let pattern = try Pattern(source)
            compare(values) { pattern.verdicts(for: values, threads: $1, budget: $0) }
        }
    }

    @Test("a requirement of data and closures, and one of values")
    func requirements() {
        let values = BulkTests.values(10_000)
        let requirement = Requirement<String>.all {
            Requirement.minLength(2)
            Requirement { ($0.last?.isNumber ?? false) ? .confirmed : .failed(reason: Reason(message: "no digit")) }
        }
        compare(values) { requirement.verdicts(for: values, threads: $1, budget: $0) }
        let numbers = Requirement<Int> { $0 % 2 == 0 ? .confirmed : .failed(reason: Reason(message: "odd")) }
        let mask = numbers.verdicts(for: Array(0..<20_000), threads: 1, budget: CallBudget(work: 1_000_000))
        #expect(mask.overBudgetCount > 0 && mask.overBudgetCount < 20_000)
        #expect(mask.passedCount == mask.failedCount || mask.passedCount == mask.failedCount + 1)
        #expect(mask.undecidedCount == mask.overBudgetCount)
    }

    @Test("non-ASCII values with counted characters")
    func characters() {
        let values = (0..<5000).map { String(repeating: "é", count: $0 % 7) }
        let requirement = Requirement<String>.length(min: 2, max: 4)
        compare(values) { requirement.verdicts(for: values, threads: $1, budget: $0) }
    }

    @Test("with one thread the same values are over the budget each time", .needsPCRE2)
    func determinism() throws {
        let pattern = try Pattern(#"(a|b)\1.*"#)
        let values = (0..<9000).map { "a\($0 % 3 == 0 ? "a" : "b")\($0)" }
        _ = pattern.verdicts(for: values, threads: 1)
        let masks = (0..<3).map { _ in pattern.verdicts(for: values, threads: 1, budget: CallBudget(work: 2_000_000)) }
        #expect(masks[0].overBudgetCount > 0 && masks[0].overBudgetCount < values.count)
        #expect(masks[0] == masks[1] && masks[1] == masks[2])
    }
}
