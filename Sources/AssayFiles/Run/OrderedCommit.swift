internal import Assay
internal import Synchronization

/// Commits chunks in the order of the table. One worker at a time has the turn: its chunk gets its share of the
/// findings and its places in the outputs, and is counted.
///
///     worker 1   … lay out ▸ place ▸ write             New files are written after the turn, concurrently.
///     worker 2   … lay out ────────▸ place ▸ write     All other outputs, such as pipes, are written in the turn.
final class OrderedCommit: Sendable {
    private let plan: RunPlan
    private let ledger: RunLedger
    /// The turns of the chunks. The ticket of a chunk is its number.
    let turns: TicketSequencer
    /// The sizes of the outputs so far. Changed only in a turn.
    let ends = Lock(OutputPlaces())
    /// The number of written findings. Changed only in a turn, read at any time.
    let findingsWritten = Atomic(0)
    /// The time of laying out findings again, in nanoseconds. Changed only in a turn.
    private let findingsTime = Atomic(0)

    init(_ plan: RunPlan, _ ledger: RunLedger) {
        (self.plan, self.ledger) = (plan, ledger)
        turns = TicketSequencer(spinsBeforeParking: plan.spins)
    }

    /// Writes the header of each output, before any chunk.
    func writeHeaders() throws {
        try plan.writeHeaders()
        let outputs = plan.outputs
        var places = OutputPlaces(clean: plan.prefix.count)
        if plan.areFiles {
            func end(of sink: (any Sink)?) throws(FileError) -> Int { try sink?.stagedFile?.count ?? 0 }
            places = OutputPlaces(
                clean: try end(of: outputs.clean), rejects: try end(of: outputs.rejects),
                changes: try end(of: outputs.changes), findings: try end(of: outputs.findings))
        }
        ends.withLock { $0 = places }
    }

    /// An upper bound on the findings that can still be kept. Other workers may reduce it concurrently, but never
    /// increase it.
    var room: FindingRoom {
        FindingRoom(
            written: max(0, plan.findings.limit - findingsWritten.load(ordering: .relaxed)),
            kept: max(0, plan.findings.kept - ledger.counts.withLock { $0.firstFindings.count }))
    }

    /// Returns the offset of a chunk in the clean output if all earlier chunks are committed, or `nil`.
    func cleanOffset(of chunk: Chunk) -> Int? {
        turns.isCurrent(chunk.sequence) ? ends.withLock { $0.clean } : nil
    }

    /// Waits for the turn of a worker's chunk, and commits it. Returns its places in new files, or `nil` if another
    /// worker failed.
    func commit(_ worker: inout ChunkWorker, _ policies: RunPolicies) throws -> OutputPlaces? {
        var places = OutputPlaces()
        var control = BulkControl.proceed
        let isCommitted = try turns.run(ticket: worker.chunk.sequence) { () throws(FileError) in
            try takeFindings(&worker)
            if !plan.areFiles { try worker.outputs.write() }
            let sizes = worker.outputs.sizes
            places = ends.withLock { ends in
                defer { ends += sizes }
                return ends
            }
            let bytes = worker.outputs.inputBytes
            ledger.counts.withLock { $0.add(worker.chunk, worker.evaluator, outputBytes: bytes, plan) }
            control = policies.commit(worker)
        }
        if control == .cancel { throw RunCancelled() }
        return isCommitted ? places : nil
    }

    /// Takes the chunk's share of the findings.
    private func takeFindings(_ worker: inout ChunkWorker) throws(FileError) {
        // Other workers may have used some of the limit since the chunk was laid out, so that fewer findings fit.
        let (count, time) = try worker.outputs.limitFindings(of: worker.evaluator, atMost: room.written)
        if time > 0 { findingsTime.wrappingAdd(time, ordering: .relaxed) }
        if plan.findings.isWritten { findingsWritten.wrappingAdd(count, ordering: .relaxed) }
    }

    /// Returns how many of `count` findings were not written; 0 if the run writes no findings.
    func droppedFindings(of count: Int) -> Int {
        plan.findings.isWritten ? count - findingsWritten.load(ordering: .relaxed) : 0
    }

    /// Wakes all waiting workers, because a worker has failed.
    func cancel() { turns.cancel() }

    /// The time of laying out findings in turns, and of all other work in turns, in nanoseconds.
    var serialTime: (findings: Int, rest: Int) {
        let findings = findingsTime.load(ordering: .relaxed)
        return (findings, turns.heldNanoseconds - findings)
    }
}
