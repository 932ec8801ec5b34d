import Assay
import AssayFiles
import AssayRules
import Testing

struct EngineAgreementTests {
    /// The disagreement between two sets of rules over one table. The sets stand for two engines.
    private func problem(_ table: String, _ one: String, _ other: String) throws -> String? {
        func file(_ rules: String) throws -> RuleFile {
            try RuleFile.parse(Array("fields: [{name: b, rules: [\(rules)]}]".utf8), name: "rules.yaml")
        }
        let rules = try file(one)
        let sample = try BenchSample(PieceSource(table), rules: rules, maxBytes: 1 << 20)
        var agreement = try EngineAgreement(
            sample, try sample.bind(rules, .jit), try sample.bind(file(other), .interpreter),
            limits: rules.limits.match)
        do {
            try agreement.check()
            return nil
        } catch {
            return (error as? ConservationError)?.message ?? "\(error)"
        }
    }

    @Test("the same verdicts agree, broken records or not")
    func agreement() throws {
        let rule = "{id: r, pattern: '[a-z]+'}"
        #expect(try problem("a,b\n1,x\n2,X\n3\n\"4\n,\"y\"\"z\"\n", rule, rule) == nil)
    }

    @Test("one row is enough, also if the counts are equal")
    func sameCounts() throws {
        let table = "a,b\n\"1\n1\",x\n2,\"y\"\"\"\n3,z\n"
        #expect(
            try problem(table, "{id: r, not: {pattern: x}}", "{id: r, not: {pattern: z}}")
                == "table.csv:3:10: the engines disagree about the rule r in record 1")
        #expect(
            try problem(table, "{id: r, pattern: '[xyz]\"?'}", "{id: r, pattern: '[xyz]'}")
                == "table.csv:4:14: the engines disagree about the rule r in record 2")
    }

    @Test("a row beyond the first slice is found, and the first of several")
    func manySlices() throws {
        let table = "a,b\n" + (1...20_000).map { "\($0),\($0 >= 9_000 ? "n" : "y")\n" }.joined()
        let found = try problem(table, "{id: r, pattern: '.'}", "{id: r, pattern: y}")
        #expect(found?.contains("table.csv:9001:") == true && found?.hasSuffix("in record 9000") == true)
    }
}
