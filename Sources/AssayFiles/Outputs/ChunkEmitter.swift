internal import Assay
internal import AssayRules
internal import CAssay

/// Lays out the clean and the rejected records of a worker's chunk, byte for byte.
struct ChunkEmitter: ~Copyable {
    private let outputs: Outputs
    private let annotate: Bool
    private let endsAtCR: Bool
    private let isJSON: Bool
    private let areDecoded: [Bool]
    private var rejected: UnsafeMutableRawBufferPointer?
    /// The distance by which the clean records are moved before the first record.
    private var moved = 0
    private(set) var cleanCount = 0
    private var rejectedCount = 0
    /// The clean records, if some are repaired.
    private var edited: UnsafeMutableRawBufferPointer?
    /// The number of bytes that repairs added to the clean records.
    private var growth = 0
    private var annotated: UnsafeMutableRawBufferPointer?
    private var annotatedCount = 0
    private(set) var clean: OutputWriter
    private(set) var rejects: OutputWriter

    /// - Parameter areDecoded: By file: whether its records were decoded, so that rejected ones may contain escapes.
    init(outputs: Outputs, endsAtCR: Bool, annotate: Bool, areDecoded: [Bool], isJSON: Bool) throws(FileError) {
        let clean = try OutputWriter(outputs.clean)
        let rejects = try OutputWriter(outputs.rejects)
        self.clean = clean
        self.rejects = rejects
        self.endsAtCR = endsAtCR
        self.isJSON = isJSON
        self.areDecoded = areDecoded
        self.outputs = outputs
        self.annotate = annotate
    }

    deinit {
        Assay.release(rejected?.baseAddress?.assumingMemoryBound(to: UInt8.self))
        Assay.release(edited?.baseAddress?.assumingMemoryBound(to: UInt8.self))
        Assay.release(annotated?.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// The size of blank lines that are not written.
    private var droppedCount = 0
    /// The size of the input that was passed on or dropped, including bytes that repairs replaced.
    var byteCount: Int { cleanCount - growth + rejectedCount + droppedCount }

    /// Separates clean and rejected records, unless all are of one kind. The clean ones are moved together inside the
    /// chunk, because its bytes are in the processor's caches. This overwrites the bytes between them.
    ///
    /// - Parameter offset: The offset of the clean records in the output, if known. The records then have the same
    ///   alignment in memory as in a page of the file, which makes the kernel's copy 5 % faster.
    mutating func prepare(
        _ chunk: Chunk, _ judge: borrowing ChunkJudge, cleanOffset offset: Int?
    ) throws {
        let consumed = chunk.entryBytes.count
        let rejectedEntries = judge.rejectedRecords + (chunk.startsWithContinuation ? 1 : 0)
        (moved, cleanCount, rejectedCount, annotatedCount, growth) = (0, 0, 0, 0, 0)
        droppedCount = judge.droppedBytes
        if outputs.clean == nil && outputs.rejects == nil { return }
        if annotate && rejectedEntries > 0 { try annotateRejected(chunk, judge) }
        var cleanBytes: UnsafePointer<UInt8>?
        if let repairs = judge.repairs, !repairs.settled.isEmpty {
            cleanBytes = try edit(chunk, judge, repairs)
        } else if rejectedEntries == 0 && judge.droppedLines == 0 {
            cleanCount = consumed
        } else if rejectedEntries == chunk.entries {
            rejectedCount = consumed
        } else {
            let rejected = try Self.room(&rejected, consumed)
            if let offset { moved = (Int(bitPattern: chunk.bytes) - offset) & (Chunk.front - 1) }
            assay_emit_records(
                chunk.batch, chunk.bytes, 0, UInt32(chunk.entries), judge.rejects,
                judge.drops.isEmpty ? nil : judge.drops,
                chunk.bytes - moved, &cleanCount, rejected, &rejectedCount)
        }
        // Only comments may contain escapes, because they are not checked.
        try clean.prepare(
            UnsafeRawBufferPointer(start: cleanBytes ?? UnsafePointer(chunk.bytes - moved), count: cleanCount),
            isDecoded: areDecoded[chunk.input] && chunk.batch.pointee.comment_count > 0)
        do throws(FileError) {
            try rejects.prepare(rejectedBytes(chunk), isDecoded: areDecoded[chunk.input])
        } catch {
            throw error.advice == nil ? error : naming(error, chunk, judge)
        }
    }

    /// Separates clean and rejected records, applies repairs to the clean ones and returns these.
    private mutating func edit(
        _ chunk: Chunk, _ judge: borrowing ChunkJudge, _ repairs: ChunkRepairs
    ) throws(NoMemoryError) -> UnsafePointer<UInt8> {
        growth = repairs.growth
        let clean = try Self.room(&edited, chunk.entryBytes.count + repairs.margin)
        let rejected = try Self.room(&rejected, chunk.entryBytes.count)
        (cleanCount, rejectedCount) = repairs.emit(
            chunk, rejects: judge.rejects, drops: judge.drops, clean: clean, rejected: rejected)
        return UnsafePointer(clean)
    }

    private mutating func annotateRejected(_ chunk: Chunk, _ judge: borrowing ChunkJudge) throws(NoMemoryError) {
        let notes = judge.findings.notes
        let notesBytes = notes.pointee.count == 0 ? 0 : notes.pointee.ends[notes.pointee.count - 1]
        let target = try Self.room(&annotated, chunk.entryBytes.count + notesBytes)
        annotatedCount = assay_emit_annotated(
            chunk.batch, chunk.bytes, 0, UInt32(chunk.entries), judge.rejects, endsAtCR, isJSON, notes, target)
    }

    /// Adds the number of the record to an error at a byte of the rejected records.
    private func naming(_ error: FileError, _ chunk: Chunk, _ judge: borrowing ChunkJudge) -> FileError {
        var (error, end, next) = (error, 0, 0)
        let notes = judge.findings.notes.pointee
        for entry in 0..<chunk.entries where judge.rejects[entry / 64] >> UInt64(entry % 64) & 1 != 0 {
            end += Int(chunk.record(entry).end - chunk.record(entry).start)
            if annotate && next < notes.count { end += notes.ends[next] - (next == 0 ? 0 : notes.ends[next - 1]) }
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
        if rejectedCount == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let (buffer, count) = annotate ? (annotated, annotatedCount) : (rejected, rejectedCount)
        let isWhole = !annotate && count == chunk.entryBytes.count
        return isWhole ? chunk.entryBytes : UnsafeRawBufferPointer(rebasing: buffer![..<count])
    }

    private static func room(
        _ buffer: inout UnsafeMutableRawBufferPointer?, _ count: Int
    ) throws(NoMemoryError) -> UnsafeMutablePointer<UInt8> {
        if buffer.map({ $0.count < count }) ?? true {
            release(&buffer)
            let size = max(count, RecordReader.chunkBytes)
            let memory: UnsafeMutablePointer<UInt8> = try reserve(size, for: "the rejected records of a thread")
            buffer = UnsafeMutableRawBufferPointer(start: memory, count: size)
        }
        return buffer!.baseAddress!.assumingMemoryBound(to: UInt8.self)
    }
}

private func release(_ buffer: inout UnsafeMutableRawBufferPointer?) {
    Assay.release(buffer?.baseAddress?.assumingMemoryBound(to: UInt8.self))
    buffer = nil
}

/// Splits a record into its content and its terminator.
func splitTerminator(_ record: [UInt8], endsAtCR: Bool) -> (record: [UInt8], terminator: [UInt8]) {
    if endsAtCR && record.last == 13 { return (Array(record.dropLast()), [13]) }
    guard record.last == 10 else { return (record, []) }
    let isCRLF = record.dropLast().last == 13
    let length = record.count - (isCRLF ? 2 : 1)
    return (Array(record[..<length]), Array(record[length...]))
}
