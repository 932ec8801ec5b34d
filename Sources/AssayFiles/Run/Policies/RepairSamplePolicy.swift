internal import Assay

/// Keeps a sample of the records, and tries repairs on it at the end (``CleanerOptions/suggestsRepairs``).
final class RepairSamplePolicy: RunPolicy {
    /// The size of the rejected records on which repairs are tried, in bytes; clean records get half of this. The limit
    /// exists because one attempt takes some milliseconds.
    private static let sampleBytes = 1 << 21

    private let rejected: RejectSample
    private let clean: CleanSample

    init(_ plan: RunPlan) {
        let width = plan.head.header == nil && plan.json == nil ? plan.head.columnCount : nil
        rejected = RejectSample(limit: Self.sampleBytes, width: width)
        clean = CleanSample(limit: Self.sampleBytes / 2, evaluatedSample: plan.options.sample)
    }

    func commit(_ worker: borrowing ChunkWorker) -> BulkControl {
        if worker.evaluator.rejectedRecords > 0 { rejected.add(worker.chunk, rejects: worker.evaluator.rejects) }
        clean.add(worker.chunk, rejects: worker.evaluator.rejects, drops: worker.evaluator.drops)
        return .proceed
    }

    func end(_ result: inout RunResult, _ run: TableRun) throws {
        if result.isStopped { return }
        let table = run.plan.table
        result.repairTrial = try table.cleaner.tryRepairs(on: rejected, and: clean, of: table, result: result)
    }
}
