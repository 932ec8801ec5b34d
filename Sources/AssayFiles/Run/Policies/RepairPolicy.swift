internal import Assay

/// Applies the repairs of clean records, and counts and lists the changed cells.
///
///     settle     drops the changes to rejected records, and lays out the others as lines
///     commit     keeps the first changes as values
final class RepairPolicy: RunPolicy, ResumablePolicy {
    private let plan: RepairPlan
    private let changed: Lock<Changed>

    private struct Changed {
        var cells = 0
        var first: [Change] = []
        /// For each repair of each column: the number of changed cells in the chunks of ended workers.
        var byRepair: [[Int]]
    }

    /// Returns `nil` if no column has repairs.
    init?(_ plan: RunPlan) {
        guard let repairs = RepairPlan(plan.table, plan.outputs, dialect: plan.head.recordDialect) else { return nil }
        self.plan = repairs
        changed = Lock(Changed(byRepair: repairs.columns.map { Array(repeating: 0, count: $0.repairs.count) }))
    }

    func equip(_ parts: inout EvaluationParts) { parts.repairs = plan }

    func settle(_ worker: inout ChunkWorker) throws {
        guard let repairs = worker.evaluator.repairs else { return }
        try repairs.settle(worker.chunk, rejects: worker.evaluator.rejects)
        worker.outputs.changeLines.prepare(worker.chunk, repairs, room: room)
    }

    /// The number of changes that are still wanted as values.
    private var room: Int { plan.kept == 0 ? 0 : max(0, plan.kept - changed.withLock { $0.first.count }) }

    func commit(_ worker: borrowing ChunkWorker) -> BulkControl {
        guard let repairs = worker.evaluator.repairs else { return .proceed }
        let first = worker.outputs.changeLines.kept
        changed.withLock { [plan] changed in
            changed.cells += repairs.settled.count
            changed.first += first.prefix(max(0, plan.kept - changed.first.count))
        }
        return .proceed
    }

    func end(_ worker: borrowing ChunkWorker) {
        guard let counts = worker.evaluator.repairs?.counts else { return }
        changed.withLock { changed in
            for (column, counts) in counts.enumerated() {
                for (repair, count) in counts.enumerated() { changed.byRepair[column][repair] += count }
            }
        }
    }

    func complete(_ result: inout RunResult, positions: [Int]) {
        let (cells, first, byRepair) = changed.withLock { ($0.cells, $0.first, $0.byRepair) }
        (result.changes, result.firstChanges) = (cells, first)
        for (column, counts) in zip(plan.columns, byRepair) {
            guard let index = positions.firstIndex(of: column.position) else { continue }
            result.columns[index].repairs = zip(column.repairs, counts).map { .init(name: $0, changed: $1) }
        }
    }

    func code(with coder: inout CheckpointCoder, before next: Int) {
        changed.withLock { changed in
            coder.code(&changed.cells)
            coder.code(&changed.first, blank: .blank) { $0.code(with: &$1) }
            coder.code(&changed.byRepair, blank: []) { $1.code(&$0) }
        }
    }
}
