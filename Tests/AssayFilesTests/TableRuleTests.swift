import Assay
import AssayRules
import Testing

@testable import AssayFiles

/// Rules on the table in Swift: chunks, threads and waiting keys. `test_table_rules.py` compares the aggregates with
/// Python.
struct TableRuleTests {
    private static let aggregates = [
        "count()", "count(n)", "missing(n)", "distinct(n)", "sum(n)", "mean(n)", "min(n)", "max(n)",
        "quantile(n, 0.25)", "min(at)", "max(at)", "distinct(at)", "missing(at)", "distinct(key)",
    ]

    /// Numbers of many sizes, times with fractions of a second, missing and wrong values, and equal keys.
    private static let table: [UInt8] = {
        var random = SeededGenerator(seed: 3)
        let lines = (0..<1_500).map { row in
            let small = "\(Int.random(in: -900...900, using: &random)).\(Int.random(in: 0..<100, using: &random))"
            let large = "\(Int.random(in: 1...9, using: &random))e\(Int.random(in: -12...12, using: &random))"
            let n = ["", "x", large, large, small, small, small, small].randomElement(using: &random)!
            let second = Int.random(in: 10...59, using: &random)
            let at = ["", "2024-01-02T03:04:\(second)Z", "2024-01-02T03:04:\(second).25Z"].randomElement(
                using: &random)!
            return "\(n),\(at),\(Int.random(in: 0..<400, using: &random))\n"
        }
        return Array(("n,at,key\n" + lines.joined()).utf8)
    }()

    private static func rules(keep: DuplicatePolicy? = nil) -> RuleFile {
        let fields = [
            Field(name: "n", type: .number), Field(name: "at", type: .datetime), Field(name: "key", type: .integer),
        ]
        var rules = RuleFile(schema: Schema(fields: fields))
        if let keep { (rules.schema.keys, rules.schema.keep) = ([Key(.unique, fields: ["key"])], keep) }
        rules.tableRules = aggregates.map { TableRule(id: $0, check: "\($0) == \($0)") }
        return rules
    }

    private static func outcome(
        _ rules: RuleFile, threads: Int = 1, sizes: ChunkSizes? = nil, memory: Int? = nil
    ) throws -> RunResult {
        var options = CleanerOptions()
        (options.threads, options.chunkSizes, options.memory, options.showValues) = (threads, sizes, memory, true)
        return try Cleaner(rules: rules, options: options).run(PieceSource(table))
    }

    @Test func chunksAndThreadsDoNotMatter() throws {
        let policies: [DuplicatePolicy?] = [nil, .first, .last, DuplicatePolicy.none, .max("n")]
        for keep in policies {
            let rules = Self.rules(keep: keep)
            let whole = try Self.outcome(rules)
            #expect(whole.tableRules.count == Self.aggregates.count)
            #expect(whole.tableRules.allSatisfy { $0.verdict == .pass && $0.aggregates[0].value != nil })
            #expect(whole.tableRules[0].aggregates[0].value == "\(whole.clean)")
            for records in [1, 7, 64] {
                let sizes = ChunkSizes(readBytes: 40 * records, blockBytes: 90 * records, tail: 30, records: records)
                for threads in [1, 2] {
                    // Without memory, the chunks of all keys wait until the end of the table.
                    for memory in [nil, 1] {
                        let other = try Self.outcome(rules, threads: threads, sizes: sizes, memory: memory)
                        #expect(other.tableRules == whole.tableRules, "\(keep as Any), \(records), \(threads)")
                    }
                }
            }
        }
    }

    @Test func aStoppedRunHasNoOutcomes() throws {
        var options = CleanerOptions()
        options.stopAfter = 3
        let result = try Cleaner(rules: Self.rules(), options: options).run(PieceSource(Self.table))
        #expect(result.isStopped && result.tableRules.isEmpty)
    }

    @Test func aSpentBudgetLeavesRulesUndecided() throws {
        var options = CleanerOptions()
        options.budget = CallBudget(work: 20_000)
        let result = try Cleaner(rules: Self.rules(), options: options).run(PieceSource(Self.table))
        #expect(result.overBudget > 0)
        #expect(result.tableRules.allSatisfy { $0.verdict == .undecided && $0.isViolated })
        #expect(result.tableRules[0].problem == "the budget of the run left records undecided")
    }

    /// A stream has the same outcomes.
    @Test func aTableInPieces() throws {
        var options = CleanerOptions()
        options.showValues = true
        var stream = try Cleaner(rules: Self.rules(), options: options).stream(named: "t")
        for start in stride(from: 0, to: Self.table.count, by: 1_000) {
            try stream.write(Self.table[start..<min(start + 1_000, Self.table.count)])
        }
        #expect(try stream.finish().tableRules == Self.outcome(Self.rules()).tableRules)
    }

    @Test func mistakesAreErrorsOfTheCleaner() throws {
        var rules = Self.rules()
        rules.tableRules = [TableRule(id: "a", check: "n > 3")]
        let error = #expect(throws: CompileError.self) { try Cleaner(rules: rules) }
        #expect(
            error?.message
                == "rule 'a' on the table: a rule on a table needs an aggregate of the column 'n'; write count(n), "
                + "min(n) or another aggregate; rules on each record belong under 'rows'")
    }
}
