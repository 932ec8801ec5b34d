internal import Assay

/// What is asked of the whole rows of a table: rules between columns, and keys.
final class RowTask: Sendable {
    let plan: RowPlan
    /// The rules that are asked, and where they start among the reported ones.
    let rules: [Int]
    let firstRule: Int
    /// `nil`: no key is asked for.
    let keys: KeyTask?

    init(_ plan: RowPlan, rules: [Int], firstRule: Int, keys: KeyTask?) {
        (self.plan, self.rules, self.firstRule, self.keys) = (plan, rules, firstRule, keys)
    }
}

/// What a worker needs to ask about whole rows of slices whose columns have been judged.
final class RowWorker {
    private let task: RowTask
    /// `nil`: there are no rules between columns.
    private let judge: RowPlan.Judge?
    private let keys: KeyWorker?

    init(_ task: RowTask) throws(NoMemoryError) {
        var keys: KeyWorker?
        if let task = task.keys { keys = try KeyWorker(task) }
        judge = task.rules.isEmpty ? nil : try task.plan.takeJudge()
        self.task = task
        self.keys = keys
    }

    deinit { if let judge { task.plan.giveBack(judge) } }

    /// Asks about some rows, and adds what was found to the verdicts of their slice.
    ///
    /// - Parameter columns: those that are kept, with their fields.
    func judge(_ rows: Range<Int>, _ columns: [(field: Int, values: KeptValues)], into verdicts: inout SliceVerdicts) {
        if let judge = judge?.judge {
            judge.begin(rows: rows.count)
            for column in columns { judge.keep(column.field, column.values.column) }
            for (place, rule) in task.rules.enumerated() {
                judge.judge(rule)
                verdicts.addFound(
                    task.firstRule + place, failed: judge.failed, undecided: judge.undecided,
                    exhausted: judge.exhaustedRows(ofRule: rule),
                    isReject: task.plan.reported[rule].severity == .reject)
            }
        }
        keys?.claim(rows, columns, rejected: verdicts.rejected)
    }
}
