internal import Assay

/// The offsets of a chunk in the outputs, or its sizes there.
struct OutputPlaces {
    var clean = 0
    var rejects = 0
    var changes = 0
    var findings = 0

    static func += (places: inout OutputPlaces, sizes: OutputPlaces) {
        places.clean += sizes.clean
        places.rejects += sizes.rejects
        places.changes += sizes.changes
        places.findings += sizes.findings
    }
}

/// The bytes of a worker's chunk for each output.
///
///     prepare        lays out, encodes and packs      at any time, by many workers concurrently
///     write          writes                           when it is the worker's turn
///     write(at:)     writes to new files              concurrently; only the places depend on the order
struct ChunkOutputs: ~Copyable {
    /// The clean and the rejected records.
    private var records: ChunkEmitter
    private var findings: OutputWriter
    private var changes: OutputWriter
    /// The changes of the chunk as lines. Empty without repairs.
    var changeLines = ChangeLines()

    init(_ plan: RunPlan) throws(FileError) {
        let outputs = plan.outputs
        let records = try ChunkEmitter(plan)
        let findings = try OutputWriter(outputs.findings)
        let changes = try OutputWriter(outputs.changes)
        self.records = records
        self.findings = findings
        self.changes = changes
    }

    /// The size of the chunk in each output.
    var sizes: OutputPlaces {
        OutputPlaces(
            clean: records.clean.size, rejects: records.rejects.size, changes: changes.size, findings: findings.size)
    }

    /// The bytes of the input that are passed on or dropped.
    var inputBytes: Int { records.byteCount }

    /// Lays out the records and the findings of a chunk. Overwrites the chunk.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of findings.
    ///   - offset: The offset of the chunk in the clean output, if known.
    mutating func prepare(
        _ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator, atMost limit: Int, cleanOffset offset: Int?
    ) throws {
        try records.prepare(chunk, evaluator, cleanOffset: offset)
        try findings.prepare(evaluator.findings.written(atMost: limit).bytes)
    }

    /// Lays out the changes.
    ///
    /// - Parameter lines: The bytes of ``changeLines``, which must remain valid until they are written.
    mutating func prepareChanges(_ lines: UnsafeRawBufferPointer) throws(FileError) { try changes.prepare(lines) }

    /// Lays out the findings again if fewer fit. Returns the time for this in nanoseconds, and the number of findings.
    ///
    /// - Parameter limit: The maximum number of findings, at most as before.
    mutating func limitFindings(
        of evaluator: borrowing ChunkEvaluator, atMost limit: Int
    ) throws(FileError) -> (count: Int, time: Int) {
        let (bytes, count) = evaluator.findings.written(atMost: limit)
        if bytes.count == findings.count { return (count, 0) }
        let start = nanoseconds()
        try findings.prepare(bytes)
        return (count, nanoseconds() - start)
    }

    func write() throws(FileError) {
        try records.clean.write()
        try records.rejects.write()
        try changes.write()
        try findings.write()
    }

    /// - Precondition: The outputs are new files.
    func write(at places: OutputPlaces) throws(FileError) {
        try records.clean.write(at: places.clean)
        try records.rejects.write(at: places.rejects)
        try changes.write(at: places.changes)
        try findings.write(at: places.findings)
    }
}
