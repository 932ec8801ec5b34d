internal import Assay
internal import AssayRules
internal import CAssay

/// Lays out the clean and the rejected records of a worker's chunk, byte for byte.
struct ChunkEmitter: ~Copyable {
    private let form: Form
    /// The rejected records, unless they are the whole chunk, and those with the columns of `--annotate`.
    private var rejected = RecordBuffer()
    private var annotated = RecordBuffer()
    /// The clean records, if some are repaired.
    private var edited = RecordBuffer()
    /// The distance by which the clean records are moved before the first record.
    private var moved = 0
    private var cleanCount = 0
    /// The number of bytes that repairs added to the clean records.
    private var growth = 0
    private(set) var clean: OutputWriter
    private(set) var rejects: OutputWriter

    /// The form of the outputs.
    private struct Form {
        /// Whether there is an output of records.
        let isWritten: Bool
        let annotate: Bool
        let endsAtCR: Bool
        let isJSON: Bool
        /// For each file: whether its records were decoded. Rejected records may then contain escapes.
        let areDecoded: [Bool]
    }

    init(_ plan: RunPlan) throws(FileError) {
        let clean = try OutputWriter(plan.outputs.clean)
        let rejects = try OutputWriter(plan.outputs.rejects)
        self.clean = clean
        self.rejects = rejects
        form = Form(
            isWritten: plan.outputs.clean != nil || plan.outputs.rejects != nil, annotate: plan.findings.annotate,
            endsAtCR: plan.head.endsAtCR, isJSON: plan.json != nil,
            areDecoded: plan.parts.map { !$0.encoding.isUTF8 })
    }

    /// The size of blank lines that are not written.
    private var droppedCount = 0
    /// The size of the input that was passed on or dropped, including bytes that repairs replaced.
    var byteCount: Int { cleanCount - growth + rejected.count + droppedCount }

    /// Separates clean and rejected records, unless all are of one kind. The clean ones are moved together inside the
    /// chunk, because its bytes are in the processor's caches. This overwrites the bytes between them.
    ///
    /// - Parameter offset: The offset of the clean records in the output, if known. The records then have the same
    ///   alignment in memory as in a page of the file, which makes the kernel's copy 5 % faster.
    mutating func prepare(
        _ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator, cleanOffset offset: Int?
    ) throws {
        let consumed = chunk.entryBytes.count
        let rejectedEntries = evaluator.rejectedRecords + (chunk.startsWithContinuation ? 1 : 0)
        (moved, cleanCount, rejected.count, annotated.count, growth) = (0, 0, 0, 0, 0)
        droppedCount = evaluator.droppedBytes
        if !form.isWritten { return }
        if form.annotate && rejectedEntries > 0 { try annotateRejected(chunk, evaluator) }
        var cleanBytes: UnsafePointer<UInt8>?
        if let repairs = evaluator.repairs, !repairs.settled.isEmpty {
            cleanBytes = try edit(chunk, evaluator, repairs)
        } else if rejectedEntries == 0 && evaluator.droppedLines == 0 {
            cleanCount = consumed
        } else if rejectedEntries == chunk.entries {
            rejected.count = consumed
        } else {
            let target = try rejected.reserve(consumed)
            if let offset { moved = (Int(bitPattern: chunk.bytes) - offset) & (Chunk.front - 1) }
            assay_emit_records(
                chunk.batch, chunk.bytes, 0, UInt32(chunk.entries), evaluator.rejects,
                evaluator.drops.isEmpty ? nil : evaluator.drops,
                chunk.bytes - moved, &cleanCount, target, &rejected.count)
        }
        // Only comments may contain escapes, because they are not checked.
        try clean.prepare(
            UnsafeRawBufferPointer(start: cleanBytes ?? UnsafePointer(chunk.bytes - moved), count: cleanCount),
            isDecoded: form.areDecoded[chunk.input] && chunk.batch.pointee.comment_count > 0)
        do throws(FileError) {
            try rejects.prepare(rejectedBytes(chunk), isDecoded: form.areDecoded[chunk.input])
        } catch {
            throw error.advice == nil ? error : naming(error, chunk, evaluator)
        }
    }

    /// Separates clean and rejected records, applies repairs to the clean ones and returns these.
    private mutating func edit(
        _ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator, _ repairs: ChunkRepairs
    ) throws(NoMemoryError) -> UnsafePointer<UInt8> {
        growth = repairs.growth
        let clean = try edited.reserve(chunk.entryBytes.count + repairs.margin)
        let target = try rejected.reserve(chunk.entryBytes.count)
        (cleanCount, rejected.count) = repairs.emit(
            chunk, rejects: evaluator.rejects, drops: evaluator.drops, clean: clean, rejected: target)
        return UnsafePointer(clean)
    }

    private mutating func annotateRejected(_ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator) throws(NoMemoryError)
    {
        let notes = evaluator.findings.notes
        let notesBytes = notes.pointee.count == 0 ? 0 : notes.pointee.ends[notes.pointee.count - 1]
        let target = try annotated.reserve(chunk.entryBytes.count + notesBytes)
        annotated.count = assay_emit_annotated(
            chunk.batch, chunk.bytes, 0, UInt32(chunk.entries), evaluator.rejects, form.endsAtCR, form.isJSON, notes,
            target)
    }

    /// Adds the number of the record to an error at a byte of the rejected records.
    private func naming(_ error: FileError, _ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator) -> FileError {
        var (error, end, next) = (error, 0, 0)
        let notes = evaluator.findings.notes.pointee
        for entry in 0..<chunk.entries where evaluator.rejects[entry / 64] >> UInt64(entry % 64) & 1 != 0 {
            end += Int(chunk.record(entry).end - chunk.record(entry).start)
            if form.annotate && next < notes.count { end += notes.ends[next] - (next == 0 ? 0 : notes.ends[next - 1]) }
            next += 1
            if end > error.offset ?? 0 {
                error.advice = "record \(chunk.recordNumber(entry)): \(error.advice ?? "")"
                break
            }
        }
        error.offset = nil
        return error
    }

    private func rejectedBytes(_ chunk: Chunk) -> UnsafeRawBufferPointer {
        if rejected.count == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
        if form.annotate { return annotated.bytes }
        return rejected.count == chunk.entryBytes.count ? chunk.entryBytes : rejected.bytes
    }
}

/// Memory for the records of one chunk, which grows as needed.
// Not private, because the optimizer of another module then refers to metadata that this module does not export, and
// the compiler aborts (Swift 6.3.1, release build of TortureDriver).
struct RecordBuffer: ~Copyable {
    // SAFETY: this value owns the memory and frees it in `deinit`.
    private var memory: UnsafeMutableBufferPointer<UInt8>?
    /// The number of used bytes.
    var count = 0

    deinit { release(memory?.baseAddress) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory?.baseAddress, count: count) }

    /// Makes room for bytes without keeping the earlier ones.
    mutating func reserve(_ bytes: Int) throws(NoMemoryError) -> UnsafeMutablePointer<UInt8> {
        if let memory, memory.count >= bytes { return memory.baseAddress! }
        release(memory?.baseAddress)
        memory = nil
        let size = max(bytes, RecordReader.chunkBytes)
        let start: UnsafeMutablePointer<UInt8> = try Assay.reserve(size, for: "the rejected records of a thread")
        memory = UnsafeMutableBufferPointer(start: start, count: size)
        return start
    }
}

/// Splits a record into its content and its terminator.
func splitTerminator(_ record: [UInt8], endsAtCR: Bool) -> (record: [UInt8], terminator: [UInt8]) {
    if endsAtCR && record.last == 13 { return (Array(record.dropLast()), [13]) }
    guard record.last == 10 else { return (record, []) }
    let isCRLF = record.dropLast().last == 13
    let length = record.count - (isCRLF ? 2 : 1)
    return (Array(record[..<length]), Array(record[length...]))
}
