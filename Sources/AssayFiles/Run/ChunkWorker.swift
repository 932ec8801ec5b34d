internal import Assay
internal import AssayRules
internal import CAssay

/// One of the equal workers of a run. It takes each of its chunks through all steps by itself:
///
///     read ▸ check ▸ decide ▸ settle ▸ lay out ▸ place ▸ write
///     TableReader   RunPolicy          ChunkOutputs      ChunkOutputs
///            ChunkEvaluator       RunPolicy         OrderedCommit
///
/// Only `place` is in the order of the table. The policies of the run (``RunPolicy``) decide about more than single
/// records; without them, each chunk is final after the evaluator.
struct ChunkWorker: ~Copyable {
    private let run: TableRun
    let chunk: Chunk
    var evaluator: ChunkEvaluator
    var outputs: ChunkOutputs
    private(set) var counts: VerdictCounts

    /// - Throws: ``NoMemoryError`` or ``FileError``.
    init(_ run: TableRun) throws {
        let plan = run.plan
        let chunk = try run.reader.makeChunk()
        let evaluator = try ChunkEvaluator(plan, run.policies.evaluationParts)
        let outputs = try ChunkOutputs(plan)
        (self.run, self.chunk) = (run, chunk)
        self.evaluator = evaluator
        self.outputs = outputs
        counts = VerdictCounts(plan)
    }

    /// Processes the next chunk of a pass. Returns `false` if there is no next chunk, the run was ended or another
    /// worker failed.
    mutating func step(_ pass: RunPass) throws -> Bool {
        switch pass {
        case .table: try stepThroughTable()
        case .setAside(let chunks):
            try chunks.takeNext(into: chunk, &evaluator, room: run.commit.room) ? write() : false
        }
    }

    private mutating func stepThroughTable() throws -> Bool {
        let policies = run.policies
        guard !policies.haveEndedRun, try run.reader.next(chunk) else { return false }
        policies.didRead(chunk)
        try evaluateChunk()
        let decision = try policies.decide(&self)
        if decision == .drop { return false }
        let parts = run.plan.parts
        counts.add(evaluator, input: parts.count > 1 ? parts[chunk.input].source.name : nil)
        return decision == .setAside ? true : try write()
    }

    /// Checks the records of the chunk. Can be repeated after the chunk was cut.
    mutating func evaluateChunk() throws { try evaluator.evaluate(chunk, room: run.commit.room) }

    /// Writes the chunk, whose records are all decided. Returns `false` if another worker failed.
    private mutating func write() throws -> Bool {
        let (policies, commit) = (run.policies, run.commit)
        try policies.settle(&self)
        counts.positions.add(chunk, rejects: evaluator.rejects)
        try outputs.prepare(chunk, evaluator, atMost: commit.room.written, cleanOffset: commit.cleanOffset(of: chunk))
        let changes = outputs.changeLines.bytes
        return try changes.withUnsafeBytes { changes in
            try outputs.prepareChanges(changes)
            guard let places = try commit.commit(&self, policies) else { return false }
            if run.plan.areFiles { try outputs.write(at: places) }
            return true
        }
    }
}

extension ChunkEvaluator {
    /// - Parameter parts: The parts that only some runs need.
    fileprivate init(_ plan: RunPlan, _ parts: EvaluationParts) throws(NoMemoryError) {
        let head = plan.head
        try self.init(
            schema: plan.bound, limits: plan.cleaner.rules.limits.match, dialect: head.recordDialect,
            width: RecordWidth(head), plan: plan.findings, templates: plan.templates, json: plan.json,
            keys: parts.keys, repairs: parts.repairs, tableRules: parts.tableRules, sample: plan.options.sample,
            account: parts.account, now: parts.now,
            dropsBlankLines: head.format == .csv && head.dialect.blankLines == .skip)
    }
}
