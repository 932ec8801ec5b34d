internal import Assay
internal import AssayEvaluation
internal import AssayRules
internal import Synchronization

/// One run over one table.
///
///     RunPlan          decisions that hold for the whole run
///     ChunkWorker      a chunk from reading to writing; N equal workers
///     OrderedCommit    the step that is in the order of the table
///     RunLedger        the counts
///     RunPolicies      keys, checkpoints and other concerns that only some runs have
///
/// The workers pass over the table once, and once more over the chunks that a policy has set aside.
final class TableRun: Sendable {
    let plan: RunPlan
    let ledger: RunLedger
    let commit: OrderedCommit
    let policies: RunPolicies
    let reader: TableReader
    /// The time of concurrent work, in nanoseconds. Changed between passes.
    private let concurrentTime = Atomic(0)

    /// - Parameters:
    ///   - collected: Receives the keys of the records. This run then does not check them.
    ///   - resumption: Writes checkpoints, or `nil`.
    init(
        _ table: PreparedTable, to outputs: Outputs, collecting collected: ReferencedKeys? = nil,
        resumption: Resumption? = nil, progress: (@Sendable (RunProgress) -> BulkControl)?
    ) throws {
        plan = RunPlan(table, outputs)
        ledger = RunLedger(plan)
        commit = OrderedCommit(plan, ledger)
        // Before the reader starts to read ahead, because the tables that foreign keys refer to are read first.
        policies = try RunPolicies(
            plan, ledger, collecting: collected, resumption: resumption, progress: progress)
        reader = table.makeReader(rules: plan.bound.rules.count, spins: plan.spins, sizes: plan.options.chunkSizes)
    }

    func run() throws -> RunResult {
        switch try policies.begin(self) {
        case .fresh: try commit.writeHeaders()
        case .resumed: break
        case .finished: return try result(hasRead: false)
        }
        let threads = reader.workers(limit: plan.threads)
        var next: RunPass? = .table
        while let pass = next {
            try run(pass, threads: threads)
            next = try policies.nextPass(after: pass, self, threads: threads)
        }
        var result = try result()
        try policies.end(&result, self)
        return result
    }

    /// Runs a pass to its end on several threads.
    private func run(_ pass: RunPass, threads: Int) throws {
        ledger.workers.withLock { $0.count = 0 }
        let start = nanoseconds()
        onThreads(threads) { [self] in work(pass) }
        concurrentTime.wrappingAdd(nanoseconds() - start, ordering: .relaxed)
        let workers = ledger.workers.withLock { workers in
            if case .table = pass { workers.threads = workers.count }
            return workers
        }
        if let failure = workers.failure { throw failure }
        if workers.count == 0, let shortage = workers.shortage { throw shortage }
    }

    /// Creates a worker and runs its share of a pass.
    private func work(_ pass: RunPass) {
        let made: ChunkWorker
        do {
            made = try ChunkWorker(self)
        } catch {
            // The others do its work, if there are any.
            return ledger.workers.withLock { $0.shortage = error }
        }
        do {
            var worker = made
            while try worker.step(pass), !policies.pauseWorker(after: worker.chunk) {}
            end(worker)
        } catch {
            policies.cancel()
            commit.cancel()
            ledger.workers.withLock { if $0.failure == nil { $0.failure = error } }
        }
    }

    /// Adds the counts of a worker that has ended.
    func end(_ worker: borrowing ChunkWorker) {
        policies.end(worker)
        var verdicts = worker.counts
        verdicts.firsts = worker.evaluator.findings.firsts
        ledger.workers.withLock { [verdicts] workers in
            workers.count += 1
            workers.verdicts.add(verdicts)
        }
    }

    /// Whether all requested records have been read.
    var hasReadAll: Bool { policies.haveEndedRun || reader.isAtEnd }

    /// The time of work that only one worker at a time could do.
    var serialTime: SerialTime {
        let (findings, rest) = commit.serialTime
        return SerialTime(
            records: reader.heldNanoseconds, findings: findings, outputs: rest,
            sideBySide: concurrentTime.load(ordering: .relaxed))
    }
}
