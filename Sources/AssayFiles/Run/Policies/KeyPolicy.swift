internal import Assay
internal import AssayEvaluation
internal import Synchronization

/// Decides which records are rejected because of other records: for their keys, or because they are out of order
/// (``TableKeys``).
///
///     decide     compares the records that passed the rules with earlier ones, or sets the chunk aside
///     settle     rejects the records of the chunk whose keys are refused
///     nextPass   decides the keys of all chunks that were set aside
final class KeyPolicy: RunPolicy, SetAsideChunks, ResumablePolicy {
    private let keys: TableKeys
    private let stop: StopPolicy?
    private let progress: ProgressPolicy?
    private let refused: Lock<Refused>
    /// The time of deciding keys between passes, in nanoseconds.
    private let decidingTime = Atomic(0)

    /// The counts of refused records, summed over the workers that have ended.
    private struct Refused {
        /// The counts of the keys, then of the foreign keys, then of the sorted columns.
        var byKey: [Int]
        /// For each column of ``Swift/Array/keyPositions``: the number of records that single-column keys refused.
        var byColumn: [Int]
    }

    init(_ keys: TableKeys, _ stop: StopPolicy?, _ progress: ProgressPolicy?) {
        (self.keys, self.stop, self.progress) = (keys, stop, progress)
        let columns = keys.columns
        refused = Lock(
            Refused(
                byKey: Array(repeating: 0, count: columns.reportedCount),
                byColumn: Array(repeating: 0, count: columns.keyPositions.count)))
    }

    func equip(_ parts: inout EvaluationParts) { parts.keys = keys }

    func decide(_ worker: inout ChunkWorker) throws -> ChunkDecision {
        switch try keys.decide(worker.chunk, worker.evaluator) {
        case .decided: return .write
        case .cancelled: return .drop
        case .parked:
            try progress?.didSetAside(worker)
            return .setAside
        case .noRoom:
            guard let stop else { preconditionFailure("only runs that keys can stop need room") }
            if try stop.endsRun(before: worker.chunk) { return .drop }
            throw InputError(
                "the keys have no room in the memory for keys, and --stop-after counts the records that they refuse",
                hint: "without --stop-after they are decided at the end", override: .keyMemory)
        }
    }

    func settle(_ worker: inout ChunkWorker) throws { try worker.evaluator.refuse(worker.chunk) }

    func end(_ worker: borrowing ChunkWorker) {
        guard let own = worker.evaluator.keys else { return }
        let (byKey, byColumn) = (own.failed, own.failedByColumn)
        refused.withLock { refused in
            for (index, count) in byKey.enumerated() { refused.byKey[index] += count }
            for (index, count) in byColumn.enumerated() { refused.byColumn[index] += count }
        }
    }

    func nextPass(after pass: RunPass, _ run: TableRun, threads: Int) throws -> RunPass? {
        guard case .table = pass else { return nil }
        let start = nanoseconds()
        defer { decidingTime.wrappingAdd(nanoseconds() - start, ordering: .relaxed) }
        guard try keys.decideWaiting(threads: threads, step: { try progress?.willDecideKeys() }) else { return nil }
        progress?.willWriteSetAside()
        return .setAside(self)
    }

    func takeNext(into chunk: Chunk, _ evaluator: inout ChunkEvaluator, room: FindingRoom) throws -> Bool {
        try keys.takeNext(into: chunk, &evaluator, room: room)
    }

    func complete(_ result: inout RunResult, positions: [Int]) {
        let (byKey, byColumn) = refused.withLock { ($0.byKey, $0.byColumn) }
        result.keys = zip(keys.columns, byKey).map { column, refused in
            let key = column.key.key.key
            return RunResult.Rule(
                id: key.id, severity: .reject, failed: refused, warned: 0, undecided: 0, keyColumns: key.fields)
        }
        for (keyPosition, refused) in zip(keys.columns.keyPositions, byColumn) {
            for (index, position) in positions.enumerated() where position == keyPosition {
                result.columns[index].refusedByKeys = refused
            }
        }
        result.references = keys.columns.compactMap(\.referenced?.summary)
        result.serialTime.keys = keys.heldNanoseconds
        result.serialTime.waitingKeys = decidingTime.load(ordering: .relaxed)
    }

    func cancel() { keys.cancel() }

    func code(with coder: inout CheckpointCoder, before next: Int) {
        keys.code(with: &coder, before: next)
        refused.withLock { refused in
            coder.code(&refused.byKey)
            coder.code(&refused.byColumn)
        }
    }
}

extension TableKeys {
    /// - Parameters:
    ///   - collected: Receives the keys, which are then not checked.
    ///   - progress: Called periodically while the tables that foreign keys refer to are read.
    convenience init?(
        _ plan: RunPlan, collecting collected: ReferencedKeys?,
        progress: @escaping @Sendable (RunProgress) -> BulkControl
    ) throws {
        try self.init(
            plan.table, styles: plan.styles, kept: plan.findings.kept, collecting: collected, spins: plan.spins,
            progress: progress)
    }
}
