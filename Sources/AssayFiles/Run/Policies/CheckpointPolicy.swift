internal import Assay
internal import AssayRules
internal import Synchronization

/// Saves the state of a run from time to time, so that another run can resume it (``Resumption``).
///
///     table ▸ all workers end their pass ▸ save ▸ table ▸ … ▸ the end
///
/// The state is that of the other parts of the run: reader, ledger, places in the outputs, repairs, order.
final class CheckpointPolicy: RunPolicy {
    private let resumption: Resumption

    init(_ resumption: Resumption) { self.resumption = resumption }

    func didRead(_ chunk: Chunk) { resumption.input.add(chunk.entryBytes, at: chunk.firstOffset) }

    /// A worker ends its pass at the end of a block.
    func pausesWorker(after chunk: Chunk) -> Bool { chunk.rest == nil && resumption.isDue }

    func nextPass(after pass: RunPass, _ run: TableRun, threads: Int) throws -> RunPass? {
        if run.reader.isAtEnd { return nil }
        var coder = CheckpointCoder()
        try code(run, with: &coder)
        try resumption.save(checkpoint(of: run, coder), files: run.plan.outputs.files)
        return .table
    }

    /// Records the end of the run. If a run is interrupted while the outputs get their names, the next one resumes
    /// from here.
    func end(_ result: inout RunResult, _ run: TableRun) {
        var coder = CheckpointCoder()
        codeOutputs(of: run, with: &coder)
        resumption.recordEnd(checkpoint(of: run, coder))
    }

    private func checkpoint(of run: TableRun, _ coder: CheckpointCoder) -> Checkpoint {
        let total = run.ledger.counts.withLock { $0.total }
        return Checkpoint(
            bytes: run.plan.head.prefix.count + total.bytes, records: total.records, state: coder.bytes)
    }

    // MARK: Resuming

    func begin(_ run: TableRun) throws -> RunStart {
        guard let checkpoint = resumption.checkpoint else { return .fresh }
        var coder = CheckpointCoder(reading: checkpoint.state)
        if checkpoint.isComplete {
            try restoreFinished(run, checkpoint, &coder)
            return .finished
        }
        try restore(run, &coder)
        return .resumed
    }

    /// Restores the result of a run with complete outputs.
    private func restoreFinished(
        _ run: TableRun, _ checkpoint: Checkpoint, _ coder: inout CheckpointCoder
    ) throws(InputError) {
        let hashes = codeOutputs(of: run, with: &coder)
        try expectCompatible(run, coder)
        try restoreOutputs { () throws(FileError) in
            let files = run.plan.outputs.files
            try expect(files, files.map { file throws(FileError) in try file.stamp.size }, hashes)
        }
        resumption.recordEnd(checkpoint)
    }

    /// Restores the state of an interrupted run.
    private func restore(_ run: TableRun, _ coder: inout CheckpointCoder) throws {
        let hashes = try code(run, with: &coder)
        try expectCompatible(run, coder)
        let (outputs, ends) = (run.plan.outputs, run.commit.ends.withLock { $0 })
        // In the order of `Outputs.files`.
        let sizes = [
            (outputs.clean, ends.clean), (outputs.rejects, ends.rejects), (outputs.findings, ends.findings),
            (outputs.changes, ends.changes),
        ].compactMap { sink, size in sink?.stagedFile == nil ? nil : size }
        try restoreOutputs { () throws(FileError) in
            try expect(outputs.files, sizes, hashes)
            for (file, size) in zip(outputs.files, sizes) { try file.cut(to: size) }
        }
    }

    private func expectCompatible(_ run: TableRun, _ coder: CheckpointCoder) throws(InputError) {
        let isOneFile = run.ledger.counts.withLock { $0.inputs.count == 1 }
        let isLike = run.ledger.workers.withLock { $0.verdicts.isLike(VerdictCounts(run.plan)) }
        guard coder.isComplete, isOneFile, isLike else { throw Checkpoint.damaged(resumption.path) }
    }

    /// Calls `body`. An output that another program changed is an ``InputError``, because the run has not begun.
    private func restoreOutputs(_ body: () throws(FileError) -> Void) throws(InputError) {
        do throws(FileError) {
            try body()
        } catch {
            throw InputError("\(error)", hint: Checkpoint.removalHint(resumption.path))
        }
    }

    /// Throws if the bytes of an output differ from those that the run wrote. Call it before an output is changed.
    ///
    /// - Parameters:
    ///   - sizes: The number of bytes written to each file.
    ///   - hashes: The hash of each file.
    private func expect(_ files: [StagedFile], _ sizes: [Int], _ hashes: [UInt64]) throws(FileError) {
        for (file, (size, hash)) in zip(files, zip(sizes, hashes)) { try file.expect(size, hash) }
    }

    // MARK: The state of a run

    /// Writes or restores the state of a run between two chunks.
    ///
    /// - Returns: The hashes of the outputs.
    @discardableResult
    private func code(_ run: TableRun, with coder: inout CheckpointCoder) throws -> [UInt64] {
        guard let reader = run.reader.resumable else { preconditionFailure("only a run over one file can be resumed") }
        let input = resumption.input
        input.code(with: &coder)
        // The head is not among the chunks that workers hash.
        let head = sha256(run.plan.head.prefix)
        var knownHead = head
        coder.code(&knownHead)
        if !coder.isDamaged && knownHead != head { throw Checkpoint.changedInput(resumption.path) }
        let seen = RangeHash(key: input.key, value: coder.isReading ? 0 : input.value)
        try reader.code(with: &coder, seen)
        let expected = RangeHash(key: input.key, value: seen.value)
        expected.code(with: &coder)
        if !coder.isDamaged && expected.value != seen.value { throw Checkpoint.changedInput(resumption.path) }
        if coder.isReading { run.commit.turns.start(at: reader.handedOut.chunks) }
        return codeOutputs(of: run, with: &coder)
    }

    /// Writes or restores the counts of a run and the sizes of its outputs.
    ///
    /// - Returns: The hashes of the outputs.
    @discardableResult
    private func codeOutputs(of run: TableRun, with coder: inout CheckpointCoder) -> [UInt64] {
        var hashes = run.plan.outputs.files.map { Int(truncatingIfNeeded: $0.hash?.value ?? 0) }
        coder.code(&hashes)
        run.commit.code(with: &coder)
        run.ledger.counts.withLock { $0.code(with: &coder) }
        run.ledger.workers.withLock { $0.verdicts.code(with: &coder) }
        let next = run.reader.resumable?.handedOut.chunks ?? 0
        for policy in run.policies.all { (policy as? any ResumablePolicy)?.code(with: &coder, before: next) }
        return hashes.map { UInt64(truncatingIfNeeded: $0) }
    }
}

extension OrderedCommit {
    fileprivate func code(with coder: inout CheckpointCoder) {
        var findings = findingsWritten.load(ordering: .relaxed)
        coder.code(&findings)
        findingsWritten.store(findings, ordering: .relaxed)
        ends.withLock { ends in
            for size in [\OutputPlaces.clean, \.rejects, \.changes, \.findings] { coder.code(&ends[keyPath: size]) }
        }
    }
}
