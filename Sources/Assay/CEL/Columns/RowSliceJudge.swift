internal import CAssay

/// Checks rules between columns if each column is checked separately. Used by one worker.
package final class RowSliceJudge {
    private let scratch: Scratch
    private let judge: RowJudge
    private let masks: UnsafeMutablePointer<UInt64>
    private static let words = SchemaJudge.sliceRows / 64

    /// - Precondition: The schema has rules between columns.
    package init(_ schema: BoundSchema, limits: MatchLimits) throws(NoMemoryError) {
        let scratch = try Scratch(limits: limits)
        guard let judge = try RowJudge.make(schema, limits: limits, scratch: scratch.handle) else {
            preconditionFailure("there are rules to judge")
        }
        masks = try reserve(3 * Self.words, for: "the rows of a thread")
        masks.update(repeating: 0, count: 3 * Self.words)
        self.judge = judge
        self.scratch = scratch
    }

    deinit { release(masks) }

    /// The rows that failed the latest rule, and those that it left undecided.
    package var failed: UnsafePointer<UInt64> { UnsafePointer(masks) }
    package var undecided: UnsafePointer<UInt64> { UnsafePointer(masks + Self.words) }

    /// The rows that the latest rule left undecided because of the budget; `undecided` does not contain them. Only under a budget.
    package var over: UnsafePointer<UInt64> { UnsafePointer(judge.over) }

    /// Sets the account that later work is charged to; `nil`: no budget.
    package func charge(to account: BudgetAccount?) {
        assay_scratch_set_budget(scratch.handle, account?.handle)
        judge.account = account
    }

    /// Returns the rest of the lease.
    package func endSlice() { assay_scratch_end_lease(scratch.handle) }

    /// The rows that reached a limit in a rule, and the limit.
    package func exhaustedRows(ofRule rule: Int) -> [Int: CELResource] { judge.exhaustedRows(ofRule: rule) }

    /// Begins a slice. Columns without a call of ``keep(_:_:)`` are empty.
    package func begin(rows: Int) { judge.begin(rows: rows, broken: masks + 2 * Self.words) }

    /// Keeps the values of a field, if a rule refers to it.
    ///
    /// - Precondition: The column has as many rows as the slice.
    package func keep(_ field: Int, _ column: KeptColumn) {
        if let cells = judge.keptCells(field) {
            cells.update(from: column.cells, count: judge.cells.rows)
            judge.cells.keep(field, column)
        }
    }

    /// Checks a rule over the kept columns.
    package func judge(_ rule: Int) {
        judge.judge(
            rule, broken: masks + 2 * Self.words,
            into: VerdictBits(failed: masks, undecided: masks + Self.words))
        guard judge.account != nil else { return }
        for word in 0..<maskWords(judge.cells.rows) { masks[Self.words + word] &= ~judge.over[word] }
    }
}

extension CompiledSchema {
    /// The fields that a rule between columns refers to.
    package func fields(ofRowRule index: Int) -> Set<Int> { rowRules[index].fields }
}
