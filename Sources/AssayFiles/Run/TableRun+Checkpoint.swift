internal import Assay
internal import Synchronization

extension TableRun {
    /// Whether a worker stops for a checkpoint, which happens at the end of a block.
    func pauses(_ worker: borrowing Worker) -> Bool {
        guard let resumption, worker.chunk.rest == nil else { return false }
        return resumption.isDue
    }

    /// Saves a checkpoint after all workers have stopped. Returns `false` if reading has ended or failed.
    func keepCheckpoint() throws -> Bool {
        guard let resumption, !reader.isAtEnd,
            written.withLock({ $0.failure == nil && $0.workers > 0 })
        else { return false }
        var coder = CheckpointCoder()
        try code(with: &coder)
        let (bytes, records) = written.withLock { ($0.bytes, $0.records) }
        let state = Checkpoint(bytes: head.prefix.count + bytes, records: records, state: coder.bytes)
        try resumption.save(state, files: outputs.files)
        return true
    }

    /// Records the end of the run. If it is interrupted while the outputs get their names, the next run resumes from
    /// it.
    func keepEnd() throws {
        guard let resumption else { return }
        var coder = CheckpointCoder()
        codeWritten(with: &coder)
        let (bytes, records) = written.withLock { ($0.bytes, $0.records) }
        resumption.keepEnd(Checkpoint(bytes: head.prefix.count + bytes, records: records, state: coder.bytes))
    }

    /// Restores the result of a run with complete outputs. Returns `false` if there is no such run.
    func takeUpWhole() throws -> Bool {
        guard let resumption, let checkpoint = resumption.checkpoint, checkpoint.isWhole else { return false }
        var coder = CheckpointCoder(reading: checkpoint.state)
        let hashes = codeWritten(with: &coder)
        try expectWhole(coder, resumption)
        try takeUp(resumption) { () throws(FileError) in
            let sizes = try outputs.files.map { file throws(FileError) in try file.stamp.size }
            try expectOutputs(sizes, hashes)
        }
        written.withLock { $0.workers = 1 }
        resumption.keepEnd(checkpoint)
        return true
    }

    /// Resumes an interrupted run. Returns `false` if there is no checkpoint.
    ///
    /// - Throws: ``InputError`` if the outputs differ from those that the run left.
    func goOn() throws -> Bool {
        guard let resumption, let checkpoint = resumption.checkpoint else { return false }
        var coder = CheckpointCoder(reading: checkpoint.state)
        let hashes = try code(with: &coder)
        try expectWhole(coder, resumption)
        let places = ends.withLock { $0 }
        let sizes = [
            (outputs.clean, places.clean), (outputs.rejects, places.rejects), (outputs.findings, places.findings),
            (outputs.changes, places.changes),
        ].compactMap { sink, size in sink?.stagedFile == nil ? nil : size }
        try takeUp(resumption) { () throws(FileError) in
            try expectOutputs(sizes, hashes)
            for (file, size) in zip(outputs.files, sizes) { try file.cut(to: size) }
        }
        cleanBytes.store(places.clean, ordering: .relaxed)
        return true
    }

    private func expectWhole(_ coder: CheckpointCoder, _ resumption: Resumption) throws(InputError) {
        let isWhole = written.withLock { written in
            written.inputs.count == 1 && written.counts.isLike(VerdictCounts(bound, json))
        }
        guard coder.isComplete, isWhole else { throw Checkpoint.damaged(resumption.path) }
    }

    /// Resumes from outputs. An output that another program changed is an ``InputError``, because the run has not
    /// begun.
    private func takeUp(_ resumption: Resumption, _ body: () throws(FileError) -> Void) throws(InputError) {
        do throws(FileError) {
            try body()
        } catch {
            throw InputError("\(error)", hint: Checkpoint.beginAnew(resumption.path))
        }
    }

    /// Throws if the bytes of an output differ from those that the run wrote. Call it before an output is changed.
    ///
    /// - Parameters:
    ///   - sizes: The number of bytes written to each file, in order.
    ///   - hashes: The hash of each file.
    private func expectOutputs(_ sizes: [Int], _ hashes: [UInt64]) throws(FileError) {
        for (file, (size, hash)) in zip(outputs.files, zip(sizes, hashes)) { try file.expect(size, hash) }
    }

    /// - Returns: The hashes of the outputs.
    @discardableResult
    private func code(with coder: inout CheckpointCoder) throws -> [UInt64] {
        guard let resumption, let reader = reader.resumable else {
            preconditionFailure("only one file can be gone on with")
        }
        let input = resumption.input
        input.code(with: &coder)
        // The head is not among the chunks that workers hash.
        let here = sha256(head.prefix)
        var prefix = here
        coder.code(&prefix)
        if !coder.isDamaged && prefix != here { throw Checkpoint.changedInput(resumption.path) }
        let seen = RangeHash(key: input.key, value: coder.isReading ? 0 : input.value)
        try reader.code(with: &coder, seen)
        let expected = RangeHash(key: input.key, value: seen.value)
        expected.code(with: &coder)
        if !coder.isDamaged && expected.value != seen.value { throw Checkpoint.changedInput(resumption.path) }
        if coder.isReading { sequencer.start(at: reader.handedOut.chunks) }
        return codeWritten(with: &coder)
    }

    /// - Returns: The hashes of the outputs.
    @discardableResult
    private func codeWritten(with coder: inout CheckpointCoder) -> [UInt64] {
        var hashes = outputs.files.map { Int(truncatingIfNeeded: $0.hash?.value ?? 0) }
        coder.code(&hashes)
        var findings = findingsWritten.load(ordering: .relaxed)
        coder.code(&findings)
        findingsWritten.store(findings, ordering: .relaxed)
        ends.withLock { ends in
            coder.code(&ends.clean)
            coder.code(&ends.rejects)
            coder.code(&ends.changes)
            coder.code(&ends.findings)
        }
        written.withLock { $0.code(with: &coder) }
        return hashes.map { UInt64(truncatingIfNeeded: $0) }
    }
}

extension TableRun.Written {
    mutating func code(with coder: inout CheckpointCoder) {
        coder.code(&inputs, blank: Input()) { input, coder in
            for count in [\Input.bytes, \.records, \.rejected, \.undecided, \.leftOut, \.skippedLines] {
                coder.code(&input[keyPath: count])
            }
        }
        for count in [
            \Self.bytes, \.records, \.clean, \.rejected, \.outputBytes, \.undecided, \.findings, \.dropped, \.changes,
        ] {
            coder.code(&self[keyPath: count])
        }
        coder.code(&first, blank: .blank) { $0.code(with: &$1) }
        coder.code(&firstChanges, blank: .blank) { $0.code(with: &$1) }
        coder.code(&repairCounts, blank: []) { $1.code(&$0) }
        coder.code(&garbledSample)
        counts.code(with: &coder)
        positions.code(with: &coder)
        firsts.code(with: &coder)
    }
}

extension TableRun.VerdictCounts {
    mutating func code(with coder: inout CheckpointCoder) {
        for count in [
            \RunResult.Structure.fields, \.quote, \.tooLong, \.encoding, \.controls, \.json, \.blank,
        ] {
            coder.code(&structure[keyPath: count])
        }
        lineBreaks.code(with: &coder)
        tally.code(with: &coder)
        for index in listTallies.indices { listTallies[index].code(with: &coder) }
        var seen = present.map { $0 ? 1 : 0 }
        coder.code(&seen)
        present = seen.map { $0 == 1 }
    }

    /// Whether both have the same numbers of rules and columns.
    func isLike(_ other: Self) -> Bool {
        present.count == other.present.count && tally.isLike(other.tally)
            && zip(listTallies, other.listTallies).allSatisfy { $0.isLike($1) }
    }
}

extension RuleTally {
    fileprivate mutating func code(with coder: inout CheckpointCoder) {
        coder.code(&rules, blank: Counts()) { counts, coder in
            coder.code(&counts.failed)
            coder.code(&counts.undecided)
        }
        coder.code(&missing)
        coder.code(&rejected)
        coder.code(&unsettled)
    }

    fileprivate func isLike(_ other: Self) -> Bool {
        rules.count == other.rules.count
            && [missing, rejected, unsettled].allSatisfy { $0.count == other.missing.count }
    }
}

extension Finding {
    static let blank = Finding(
        record: 0, line: 0, offset: 0, column: nil, position: nil, rule: "", code: "", severity: .reject, message: "")

    mutating func code(with coder: inout CheckpointCoder) {
        for number in [\Self.record, \.line, \.offset] { coder.code(&self[keyPath: number]) }
        for text in [\Self.rule, \.code, \.message] { coder.code(&self[keyPath: text]) }
        for text in [\Self.column, \.value, \.input] { coder.code(&self[keyPath: text]) }
        coder.code(&position, blank: 0) { $1.code(&$0) }
        coder.code(&character, blank: 0) { $1.code(&$0) }
        var isReject = severity == .reject ? 1 : 0
        coder.code(&isReject)
        severity = isReject == 1 ? .reject : .warn
    }
}

extension Change {
    fileprivate static let blank = Change(
        record: 0, line: 0, offset: 0, column: "", repairs: [], before: "", after: "", input: nil)

    fileprivate mutating func code(with coder: inout CheckpointCoder) {
        for number in [\Self.record, \.line, \.offset] { coder.code(&self[keyPath: number]) }
        for text in [\Self.column, \.before, \.after] { coder.code(&self[keyPath: text]) }
        coder.code(&repairs, blank: "") { $1.code(&$0) }
        coder.code(&input)
    }
}
