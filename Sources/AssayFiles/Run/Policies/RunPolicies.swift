internal import Assay
internal import AssayEvaluation

/// The policies of a run, in the order in which they decide about a chunk.
struct RunPolicies: Sendable {
    let all: [any RunPolicy]

    /// Chooses the policies that the rules and options of a run require. Reads the tables that foreign keys refer to.
    ///
    /// - Parameters:
    ///   - collected: Receives the keys of the records. They are then not checked.
    ///   - resumption: Writes checkpoints, or `nil`.
    init(
        _ plan: RunPlan, _ ledger: RunLedger, collecting collected: ReferencedKeys?, resumption: Resumption?,
        progress report: (@Sendable (RunProgress) -> BulkControl)?
    ) throws {
        let progress = report.map { ProgressPolicy($0, plan, ledger, resumed: resumption?.checkpoint) }
        let keys = try TableKeys(plan, collecting: collected) { report?($0) ?? .proceed }
        let stop = plan.options.stopAfter.map { StopPolicy(after: $0, plan, keys) }
        let keyPolicy = keys.map { KeyPolicy($0, stop, progress) }
        // The records that keys reject count toward the limit if they are known in time.
        let decisive: [(any RunPolicy)?] = stop?.countsKeys ?? false ? [keyPolicy, stop] : [stop, keyPolicy]
        let aggregates = collected == nil ? try AggregatePolicy(plan) : nil
        let others: [(any RunPolicy)?] = [
            plan.bound.usesNow || aggregates?.usesNow == true ? ClockPolicy(plan) : nil,
            // After the keys, because they decide which records are accepted.
            aggregates,
            RepairPolicy(plan),
            // Otherwise references to records beyond the budget would seem to be wrong.
            collected == nil ? plan.options.budget.map { BudgetPolicy($0, plan) } : nil,
            resumption.map { CheckpointPolicy($0) },
            plan.options.suggestsRepairs ? RepairSamplePolicy(plan) : nil,
            progress,
        ]
        all = (decisive + others).compactMap(\.self)
    }

    var evaluationParts: EvaluationParts { all.reduce(into: EvaluationParts()) { $1.equip(&$0) } }

    func begin(_ run: TableRun) throws -> RunStart {
        for policy in all {
            let start = try policy.begin(run)
            if start != .fresh { return start }
        }
        return .fresh
    }

    var haveEndedRun: Bool { all.contains { $0.hasEndedRun } }

    func didRead(_ chunk: Chunk) {
        for policy in all { policy.didRead(chunk) }
    }

    /// Returns the first decision other than to write the chunk.
    func decide(_ worker: inout ChunkWorker) throws -> ChunkDecision {
        for policy in all {
            let decision = try policy.decide(&worker)
            if decision != .write { return decision }
        }
        return .write
    }

    func settle(_ worker: inout ChunkWorker) throws {
        for policy in all { try policy.settle(&worker) }
    }

    func commit(_ worker: borrowing ChunkWorker) -> BulkControl {
        var control = BulkControl.proceed
        for policy in all where policy.commit(worker) == .cancel { control = .cancel }
        return control
    }

    func pauseWorker(after chunk: Chunk) -> Bool { all.contains { $0.pausesWorker(after: chunk) } }

    func end(_ worker: borrowing ChunkWorker) {
        for policy in all { policy.end(worker) }
    }

    func nextPass(after pass: RunPass, _ run: TableRun, threads: Int) throws -> RunPass? {
        for policy in all {
            if let next = try policy.nextPass(after: pass, run, threads: threads) { return next }
        }
        return nil
    }

    func complete(_ result: inout RunResult, positions: [Int]) {
        for policy in all { policy.complete(&result, positions: positions) }
    }

    func end(_ result: inout RunResult, _ run: TableRun) throws {
        for policy in all { try policy.end(&result, run) }
    }

    func cancel() {
        for policy in all { policy.cancel() }
    }
}
