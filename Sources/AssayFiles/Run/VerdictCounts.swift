internal import Assay

/// The counts of all checks in the chunks of one worker, or of all workers.
///
/// They do not depend on the distribution of chunks among workers, so the counts of workers are added at the end.
struct VerdictCounts {
    var structure = RunResult.Structure()
    var lineBreaks = LineBreaks()
    var tally: RuleTally
    var listTallies: [RuleTally]
    /// For each path of JSON Lines: whether a record has the member.
    var present: [Bool]
    var positions = RejectPositions()
    var firsts = FirstFindings()

    init(_ plan: RunPlan) {
        tally = RuleTally(plan.bound)
        listTallies = (plan.json?.lists ?? []).map { RuleTally($0) }
        present = Array(repeating: false, count: plan.json?.paths.names.count ?? 0)
    }

    /// Adds the counts of a chunk that an evaluator has just checked.
    ///
    /// - Parameter input: The file of the chunk, if the table has several.
    mutating func add(_ evaluator: borrowing ChunkEvaluator, input: String?) {
        structure.add(evaluator.findings.structure)
        lineBreaks.add(evaluator.lineBreaks, input: input)
        tally.add(evaluator.tally)
        let lists = evaluator.listTallies
        for index in lists.indices { listTallies[index].add(lists[index]) }
        notePresent(evaluator.present)
    }

    mutating func add(_ other: VerdictCounts) {
        structure.add(other.structure)
        lineBreaks.add(other.lineBreaks)
        tally.add(other.tally)
        for index in listTallies.indices { listTallies[index].add(other.listTallies[index]) }
        notePresent(other.present)
        positions.add(other.positions)
        firsts.add(other.firsts)
    }

    private mutating func notePresent(_ other: [Bool]) {
        for (index, isPresent) in other.enumerated() where isPresent { present[index] = true }
    }
}
