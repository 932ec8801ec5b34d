internal import Assay

/// A feature that only some runs use: keys, a limit on rejects, checkpoints, repairs, a budget, progress. A run calls
/// all of its policies at the points below. A run without a feature does not have its policy, and the code of runs does
/// not refer to the feature.
///
///     for each chunk    didRead ▸ decide ▸ settle ▸ commit      by any worker; `commit` in the order of the table
///     for a worker      equip … pauseWorker … end               by any worker
///     for the run       begin ▸ nextPass … ▸ complete ▸ end     by one thread, while there are no workers
protocol RunPolicy: AnyObject, Sendable {
    /// Adds the parts that the evaluators of this run need.
    func equip(_ parts: inout EvaluationParts)

    /// Begins the run, or resumes an earlier one.
    ///
    /// - Throws: ``InputError``.
    func begin(_ run: TableRun) throws -> RunStart

    /// Whether the run ends before the table does, so that no further chunk is read.
    var hasEndedRun: Bool { get }

    /// Called with a chunk of the table before its records are evaluated.
    func didRead(_ chunk: Chunk)

    /// Decides whether an evaluated chunk of the table is written, kept for a later pass or dropped.
    func decide(_ worker: inout ChunkWorker) throws -> ChunkDecision

    /// Completes the verdicts of a chunk before its outputs are laid out.
    func settle(_ worker: inout ChunkWorker) throws

    /// Called in the worker's turn, after its chunk was counted. The result can cancel the run.
    func commit(_ worker: borrowing ChunkWorker) -> BulkControl

    /// Whether a worker ends its pass after this chunk. ``nextPass(after:_:threads:)`` must then return another pass,
    /// unless the table has been read to its end.
    func pausesWorker(after chunk: Chunk) -> Bool

    /// Called when a worker has ended its pass without an error.
    func end(_ worker: borrowing ChunkWorker)

    /// Returns another pass, or `nil`.
    ///
    /// - Parameter threads: The maximum number of threads for work between passes. With 1, the work runs on the
    ///   caller's thread.
    func nextPass(after pass: RunPass, _ run: TableRun, threads: Int) throws -> RunPass?

    /// Adds the part of the result that this policy knows.
    ///
    /// - Parameter positions: The position of each column of the result.
    func complete(_ result: inout RunResult, positions: [Int])

    /// Called with the complete result.
    func end(_ result: inout RunResult, _ run: TableRun) throws

    /// Wakes all waiting workers, because a worker has failed.
    func cancel()
}

extension RunPolicy {
    func equip(_ parts: inout EvaluationParts) {}
    func begin(_ run: TableRun) throws -> RunStart { .fresh }
    var hasEndedRun: Bool { false }
    func didRead(_ chunk: Chunk) {}
    func decide(_ worker: inout ChunkWorker) throws -> ChunkDecision { .write }
    func settle(_ worker: inout ChunkWorker) throws {}
    func commit(_ worker: borrowing ChunkWorker) -> BulkControl { .proceed }
    func pausesWorker(after chunk: Chunk) -> Bool { false }
    func end(_ worker: borrowing ChunkWorker) {}
    func nextPass(after pass: RunPass, _ run: TableRun, threads: Int) throws -> RunPass? { nil }
    func complete(_ result: inout RunResult, positions: [Int]) {}
    func end(_ result: inout RunResult, _ run: TableRun) throws {}
    func cancel() {}
}

/// A policy with state that a checkpoint keeps.
protocol ResumablePolicy {
    /// Writes or restores the state between two chunks.
    ///
    /// - Parameter next: The number of the next chunk.
    func code(with coder: inout CheckpointCoder, before next: Int)
}

/// The start of a run.
enum RunStart {
    case fresh
    /// An earlier run was resumed from its last checkpoint.
    case resumed
    /// An earlier run had complete outputs, so that no record is left to read.
    case finished
}

/// A pass of all workers: over the table, or over the chunks that a policy has kept.
enum RunPass {
    case table
    case setAside(any SetAsideChunks)
}

/// Evaluated chunks that wait until the end of the table. Workers take them in any order.
protocol SetAsideChunks: Sendable {
    /// Restores the next chunk and its verdicts, which are now final. Returns `false` if no chunk is left or another
    /// worker failed.
    func takeNext(into chunk: Chunk, _ evaluator: inout ChunkEvaluator, room: FindingRoom) throws -> Bool
}

/// The decision of a policy about an evaluated chunk.
enum ChunkDecision {
    /// The chunk is written now.
    case write
    /// The policy keeps the chunk for a later pass.
    case setAside
    /// The chunk is not written, because the run has ended before it or another worker failed.
    case drop
}

/// The parts of an evaluator that only some runs need.
struct EvaluationParts {
    var keys: TableKeys?
    var repairs: RepairPlan?
    var tableRules: BoundTableRules?
    var account: BudgetAccount?
    /// `nil` if no rule depends on the time.
    var now: Timestamp?
}
