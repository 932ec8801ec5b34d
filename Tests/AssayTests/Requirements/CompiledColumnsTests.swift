import Testing

@testable import Assay

struct CompiledColumnsTests {
    @Test("the checks of a requirement are compiled by the first array, and used again by later ones and by copies")
    func once() {
        let requirement: Requirement<String> = .all([
            .minLength(2), .matches(pattern: "[a-z]+"), .init { _ in .confirmed },
        ])
        let copy = requirement
        let plan = requirement.columns.plan(of: requirement.node)
        #expect(requirement.verdicts(for: ["ab", "a", "AB"]).map { $0 } == [.pass, .fail, .fail])
        #expect(plan === copy.columns.plan(of: copy.node))
        #expect(copy.verdicts(for: ["ab", "a", "AB"]) == requirement.verdicts(for: ["ab", "a", "AB"]))
    }
}
