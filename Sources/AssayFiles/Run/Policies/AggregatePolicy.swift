internal import Assay

/// Computes the aggregates of the accepted records, and evaluates the rules on the table at the end.
///
///     settle     adds the accepted records of a chunk to the totals of its worker
///     end        adds the totals of the worker to those of the run
final class AggregatePolicy: RunPolicy {
    private let bound: BoundTableRules
    private let plan: RunPlan
    private let totals: Lock<Totals>

    private struct Totals {
        let all: TableTotals
        /// The first error of adding totals.
        var failure: NoMemoryError?
    }

    /// Returns `nil` if there are no rules on the table.
    init?(_ plan: RunPlan) throws {
        guard let bound = try plan.table.boundTableRules() else { return nil }
        (self.bound, self.plan) = (bound, plan)
        totals = Lock(Totals(all: try TableTotals(bound.rules)))
    }

    var usesNow: Bool { bound.rules.usesNow }

    func equip(_ parts: inout EvaluationParts) { parts.tableRules = bound }

    func settle(_ worker: inout ChunkWorker) throws {
        let chunk = worker.chunk
        try worker.evaluator.aggregates?.settle(rejects: worker.evaluator.rejects) { chunk.recordNumber($0) }
    }

    func end(_ worker: borrowing ChunkWorker) {
        guard let more = worker.evaluator.aggregates?.totals else { return }
        totals.withLock { totals in
            do throws(NoMemoryError) {
                try totals.all.add(more)
            } catch {
                totals.failure = totals.failure ?? error
            }
        }
    }

    func complete(_ result: inout RunResult, positions: [Int]) {
        if result.isStopped { return }
        let partReason = partReason(result)
        let showsValues = plan.options.showValues
        let now = result.now
        result.tableRules = totals.withLock { totals in
            let problem = partReason ?? totals.failure.map { $0.message }
            return totals.all.outcomes(now: now).map { outcome in
                RunResult.TableRule(
                    id: outcome.rule.id, severity: outcome.rule.severity,
                    verdict: problem == nil ? outcome.verdict : .undecided, check: outcome.rule.check,
                    message: outcome.rule.failureMessage, problem: problem ?? outcome.problem,
                    aggregates: outcome.aggregates.map {
                        RunResult.Aggregate(name: $0.text, value: $0.isCount || showsValues ? $0.value : nil)
                    })
            }
        }
    }

    /// The reason why the aggregates are not those of the whole table, or `nil`.
    private func partReason(_ result: RunResult) -> String? {
        if plan.options.sample != nil { return "only a sample of the table was checked" }
        if let head = plan.options.head, result.records >= head { return "only the first records were checked" }
        return result.overBudget > 0 ? "the budget of the run left records undecided" : nil
    }
}

extension PreparedTable {
    /// The rules on the table, compiled for its format and bound to its columns; `nil` if there are none.
    ///
    /// - Throws: ``CompileError``.
    fileprivate func boundTableRules() throws -> BoundTableRules? {
        guard let rules = json == nil ? cleaner.tableRules : try cleaner.jsonTableRules() else { return nil }
        return rules.bound(to: bound)
    }
}
