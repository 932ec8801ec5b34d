internal import Assay
internal import AssayEvaluation

/// The checks of a table's whole rows: rules between columns, and keys.
final class RowTask: Sendable {
    let plan: RowPlan
    /// The rules to evaluate, and the index of the first one in the reported rules.
    let rules: [Int]
    let firstRule: Int
    /// The keys, or `nil` without keys to check.
    let keys: KeyTask?

    init(_ plan: RowPlan, rules: [Int], firstRule: Int, keys: KeyTask?) {
        (self.plan, self.rules, self.firstRule, self.keys) = (plan, rules, firstRule, keys)
    }
}

/// The state of a worker that checks whole rows, after their columns.
final class RowWorker {
    private let task: RowTask
    /// The evaluator, or `nil` without rules between columns.
    private let pooled: EvaluatorPool.PooledEvaluator?
    private let keys: KeyWorker?

    private let account: BudgetAccount?

    init(_ task: RowTask, _ account: BudgetAccount?, at now: Timestamp) throws(NoMemoryError) {
        self.account = account
        var keys: KeyWorker?
        if let task = task.keys { keys = try KeyWorker(task) }
        pooled = task.rules.isEmpty ? nil : try task.plan.evaluators.take(chargedTo: account, at: now)
        self.task = task
        self.keys = keys
    }

    deinit { if let pooled { task.plan.evaluators.giveBack(pooled) } }

    /// Checks some rows and adds the findings to the verdicts of their slice.
    ///
    /// - Parameter columns: the columns with kept values, with their fields.
    func evaluate(_ rows: Range<Int>, _ columns: [(field: Int, values: KeptValues)], into verdicts: inout SliceVerdicts)
    {
        let isSpent = account?.isSpent ?? false
        if isSpent { verdicts.addAllOver() }
        if let pooled, !isSpent { evaluateRows(rows.count, pooled, columns, into: &verdicts) }
        guard let keys else { return }
        if let account {
            verdicts.rejectOver()
            let ticks = BudgetAccount.ticksPerKey * rows.count * (task.keys?.columns.count ?? 0)
            if !account.spend(ticks) {
                verdicts.addAllOver(butRejected: true)
                verdicts.rejectOver()
            }
        }
        keys.claim(rows, columns, rejected: verdicts.rejected)
    }

    private func evaluateRows(
        _ rows: Int, _ pooled: EvaluatorPool.PooledEvaluator, _ columns: [(field: Int, values: KeptValues)],
        into verdicts: inout SliceVerdicts
    ) {
        pooled.evaluator.evaluate(
            rules: task.rules, rows: rows, columns: columns.lazy.map { ($0.field, $0.values.column) })
        for (place, rule) in task.rules.enumerated() where pooled.evaluator.rulesWithFindings.contains(rule) {
            verdicts.add(
                task.firstRule + place, failed: pooled.evaluator.failed(byRule: rule),
                undecided: pooled.evaluator.undecided(byRule: rule),
                exhausted: pooled.evaluator.exhaustedRows(byRule: rule),
                isReject: task.plan.reported[rule].isReject)
        }
        if pooled.evaluator.hasOver { verdicts.addOver(pooled.evaluator.over) }
    }
}
