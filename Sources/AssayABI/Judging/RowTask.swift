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
    /// The judge, or `nil` without rules between columns.
    private let judge: RowPlan.Judge?
    private let keys: KeyWorker?

    private let account: BudgetAccount?

    init(_ task: RowTask, _ account: BudgetAccount?) throws(NoMemoryError) {
        self.account = account
        var keys: KeyWorker?
        if let task = task.keys { keys = try KeyWorker(task) }
        judge = task.rules.isEmpty ? nil : try task.plan.takeJudge()
        self.task = task
        self.keys = keys
        if let account { judge?.judge.charge(to: account) }
    }

    deinit {
        guard let judge else { return }
        judge.judge.charge(to: nil)
        task.plan.giveBack(judge)
    }

    /// Checks some rows and adds the findings to the verdicts of their slice.
    ///
    /// - Parameter columns: the columns with kept values, with their fields.
    func judge(_ rows: Range<Int>, _ columns: [(field: Int, values: KeptValues)], into verdicts: inout SliceVerdicts) {
        let isSpent = account?.isSpent ?? false
        if isSpent { verdicts.addAllOver() }
        if let judge = judge?.judge, !isSpent {
            judge.begin(rows: rows.count)
            for column in columns { judge.keep(column.field, column.values.column) }
            for (place, rule) in task.rules.enumerated() {
                if let account, account.isSpent {
                    verdicts.addAllOver()
                    break
                }
                judge.judge(rule)
                if account != nil { verdicts.addOver(judge.over) }
                verdicts.addFound(
                    task.firstRule + place, failed: judge.failed, undecided: judge.undecided,
                    exhausted: judge.exhaustedRows(ofRule: rule),
                    isReject: task.plan.reported[rule].isReject)
            }
        }
        guard let keys else { return }
        if let account {
            judge?.judge.endSlice()
            verdicts.rejectOver()
            let ticks = BudgetAccount.ticksPerKey * rows.count * (task.keys?.columns.count ?? 0)
            if !account.spend(ticks) {
                verdicts.addAllOver(butRejected: true)
                verdicts.rejectOver()
            }
        }
        keys.claim(rows, columns, rejected: verdicts.rejected)
    }
}
