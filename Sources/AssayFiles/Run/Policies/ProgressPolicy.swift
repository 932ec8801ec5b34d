internal import Assay

/// Reports the progress of a run, by one thread at a time.
final class ProgressPolicy: RunPolicy {
    private let report: @Sendable (RunProgress) -> BulkControl
    private let ledger: RunLedger
    private let table: PreparedTable
    /// The size of the header.
    private let headBytes: Int
    private let resumed: RunProgress.Resumed
    private let state = Lock(State())

    private struct State {
        var stage = RunProgress.Stage.records
        /// The progress of checking since the first chunk was set aside.
        var checked: RunProgress?
    }

    /// - Parameter resumed: The checkpoint of the run that this run resumes.
    init(
        _ report: @escaping @Sendable (RunProgress) -> BulkControl, _ plan: RunPlan, _ ledger: RunLedger,
        resumed: Checkpoint?
    ) {
        (self.report, self.ledger) = (report, ledger)
        (table, headBytes) = (plan.table, plan.prefix.count)
        self.resumed = RunProgress.Resumed(bytes: resumed?.bytes ?? 0, records: resumed?.records ?? 0)
    }

    func commit(_ worker: borrowing ChunkWorker) -> BulkControl {
        let (written, resumed, report) = (written, resumed, report)
        return state.withLock { state in
            var progress = written
            (progress.stage, progress.resumed) = (state.stage, resumed)
            return report(progress)
        }
    }

    /// The progress of writing.
    private var written: RunProgress {
        let total = ledger.counts.withLock { $0.total }
        // The size of compressed input is an estimate that improves.
        return RunProgress(
            bytes: headBytes + total.bytes, totalBytes: table.totalBytes, records: total.records,
            rejected: total.rejected)
    }

    /// Called after a judged chunk was set aside.
    ///
    /// - Throws: ``RunCancelled``.
    func didSetAside(_ worker: borrowing ChunkWorker) throws(RunCancelled) {
        let (written, report) = (written, report)
        let (bytes, records) = (worker.chunk.entryBytes.count, worker.chunk.recordCount)
        let rejected = worker.evaluator.rejectedRecords
        let control = state.withLock { state in
            var checked = state.checked ?? written
            checked.stage = .waiting
            checked.bytes += bytes
            checked.records += records
            checked.rejected += rejected
            state.checked = checked
            return report(checked)
        }
        if control == .cancel { throw RunCancelled() }
    }

    /// Called while the keys of chunks that were set aside are decided.
    ///
    /// - Throws: ``RunCancelled``.
    func willDecideKeys() throws(RunCancelled) {
        var progress = state.withLock { $0.checked } ?? written
        (progress.stage, progress.totalBytes) = (.keys, table.totalBytes)
        if report(progress) == .cancel { throw RunCancelled() }
    }

    /// Called before the chunks that were set aside are written.
    func willWriteSetAside() { state.withLock { $0.stage = .writing } }
}
