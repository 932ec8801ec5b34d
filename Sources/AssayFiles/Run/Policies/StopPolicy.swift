internal import Assay
internal import AssayEvaluation
internal import Synchronization

/// Ends a run at the nth rejected record in the order of the table, whichever worker checks it
/// (``CleanerOptions/stopAfter``).
///
///     chunk 0     3 rejects    ──► kept whole            counted in the order of the table, after the check
///     chunk 1     9 rejects    ──► ends at its 7th    (of --stop-after 10)
///     chunk 2     …            ──► not counted and not written
///
/// For any number of threads, the counts and outputs are therefore those of a table that ends there.
final class StopPolicy: RunPolicy {
    /// The number of rejected records that ends the run, at least 1.
    private let limit: Int
    /// The keys, if the records that they reject count. `nil` if there are no keys, or if they are decided only after
    /// all records have been read.
    private let keys: TableKeys?
    /// The turns of the chunks, in the order of the table. The ticket of a chunk is its number.
    private let turns: TicketSequencer
    /// The number of rejected records so far. Changed only in a turn.
    private let rejected = Atomic(0)
    /// Set in the last turn, and read at any time.
    private let isReached = Atomic(false)

    init(after limit: Int, _ plan: RunPlan, _ keys: TableKeys?) {
        self.limit = max(1, limit)
        self.keys = keys?.countForStop ?? false ? keys : nil
        turns = TicketSequencer(spinsBeforeParking: plan.spins)
    }

    /// Whether the records that keys reject count. The keys of a chunk must then be decided before its rejected records
    /// are counted.
    var countsKeys: Bool { keys != nil }

    /// Whether the record that ends the run has been found.
    var hasEndedRun: Bool { isReached.load(ordering: .acquiring) }

    func decide(_ worker: inout ChunkWorker) throws -> ChunkDecision {
        let (chunk, withKeys) = (worker.chunk, countsKeys)
        switch try count(worker.evaluator.rejectedRecords(withKeys: withKeys), in: chunk) {
        case .full: return .write
        case .dropped: return .drop
        case .cut(let reject):
            // The keys of this chunk and of all earlier ones are decided. Cancel all waiting, because a worker with a
            // later chunk may wait for a chunk that no worker will begin.
            keys?.cancel()
            chunk.cut(before: worker.evaluator.entry(ofReject: reject, withKeys: withKeys, in: chunk) + 1)
            try worker.evaluateChunk()
            if withKeys { worker.evaluator.keys?.rows.decideAsBefore() }
            return .write
        }
    }

    /// Returns whether the run has ended before a chunk. Waits for all earlier chunks.
    func endsRun(before chunk: Chunk) throws(FileError) -> Bool {
        if case .full = try count(0, in: chunk) { false } else { true }
    }

    func complete(_ result: inout RunResult, positions: [Int]) { result.isStopped = hasEndedRun }

    func cancel() { turns.cancel() }

    private enum Part {
        case full
        /// The chunk ends with the nth of its rejected records.
        case cut(atReject: Int)
        /// The run ended before the chunk.
        case dropped
    }

    /// Counts the rejected records of a chunk after those of all earlier chunks. Returns the part of the chunk that
    /// belongs to the run.
    private func count(_ rejects: Int, in chunk: Chunk) throws(FileError) -> Part {
        var part = Part.dropped
        _ = try turns.run(ticket: chunk.sequence) { () throws(FileError) in
            let before = rejected.wrappingAdd(rejects, ordering: .relaxed).oldValue
            if before + rejects < limit {
                part = .full
            } else {
                part = .cut(atReject: limit - before)
                isReached.store(true, ordering: .releasing)
                turns.cancel()
            }
        }
        return part
    }
}
