internal import AssayRules
internal import CAssay

/// Lays out what a worker writes of a chunk: its clean records and its rejected ones, byte for byte, runs at once.
struct ChunkEmitter: ~Copyable {
    private let outputs: Outputs
    private let annotate: Bool
    private let endsAtCR: Bool
    private var clean: UnsafeMutableRawBufferPointer?
    private var rejected: UnsafeMutableRawBufferPointer?
    private var cleanCount = 0
    private var rejectedCount = 0
    private var annotated: UnsafeMutableRawBufferPointer?
    private var annotatedCount = 0

    init(outputs: Outputs, endsAtCR: Bool, annotate: Bool) {
        self.endsAtCR = endsAtCR
        self.outputs = outputs
        self.annotate = annotate
    }

    deinit {
        clean?.deallocate()
        rejected?.deallocate()
        annotated?.deallocate()
    }

    /// Bytes of the file that `write` passes on.
    var byteCount: Int { cleanCount + rejectedCount }

    /// Copies the records apart, unless all of them go the same way: then the chunk itself is written.
    mutating func prepare(_ chunk: Chunk, _ judge: borrowing ChunkJudge) {
        let consumed = Int(chunk.batch.pointee.consumed)
        let rejectedEntries = judge.rejectedRecords + (chunk.startsWithContinuation ? 1 : 0)
        (cleanCount, rejectedCount, annotatedCount) = (0, 0, 0)
        if outputs.clean == nil && outputs.rejects == nil { return }
        if rejectedEntries == 0 {
            cleanCount = consumed
        } else if rejectedEntries == chunk.entries {
            rejectedCount = consumed
        } else {
            let clean = Self.room(&clean, consumed)
            let rejected = Self.room(&rejected, consumed)
            let rejects = judge.rejects
            assay_emit_records(
                chunk.batch, chunk.bytes, 0, UInt32(chunk.entries), rejects, clean, &cleanCount, rejected,
                &rejectedCount)
        }
        if annotate && rejectedEntries > 0 { annotateRejected(chunk, judge, rejectedBytes: rejectedCount) }
    }

    private mutating func annotateRejected(_ chunk: Chunk, _ judge: borrowing ChunkJudge, rejectedBytes: Int) {
        let notes = judge.findings.notes
        let notesBytes = notes.pointee.count == 0 ? 0 : notes.pointee.ends[notes.pointee.count - 1]
        let target = Self.room(&annotated, rejectedBytes + notesBytes + 1)
        let rejects = judge.rejects
        annotatedCount = assay_emit_annotated(
            chunk.batch, chunk.bytes, 0, UInt32(chunk.entries), rejects, endsAtCR, notes, target)
    }

    /// Writes what was prepared.
    func write(_ chunk: Chunk, _ judge: borrowing ChunkJudge) throws(FileError) {
        let whole = UnsafeRawBufferPointer(start: chunk.bytes, count: Int(chunk.batch.pointee.consumed))
        if cleanCount > 0 {
            try outputs.clean?.write(
                cleanCount == whole.count ? whole : UnsafeRawBufferPointer(rebasing: clean![..<cleanCount]))
        }
        if rejectedCount > 0 {
            if annotate {
                try outputs.rejects?.write(UnsafeRawBufferPointer(rebasing: annotated![..<annotatedCount]))
            } else {
                try outputs.rejects?.write(
                    rejectedCount == whole.count ? whole : UnsafeRawBufferPointer(rebasing: rejected![..<rejectedCount])
                )
            }
        }
    }

    private static func room(_ buffer: inout UnsafeMutableRawBufferPointer?, _ count: Int) -> UnsafeMutablePointer<
        UInt8
    > {
        if buffer.map({ $0.count < count }) ?? true {
            buffer?.deallocate()
            buffer = .allocate(byteCount: max(count, RecordReader.chunkBytes), alignment: 64)
        }
        return buffer!.baseAddress!.assumingMemoryBound(to: UInt8.self)
    }
}

/// A record without its terminator, and the terminator.
func splitTerminator(_ record: [UInt8], endsAtCR: Bool) -> (record: [UInt8], terminator: [UInt8]) {
    if endsAtCR && record.last == 13 { return (Array(record.dropLast()), [13]) }
    guard record.last == 10 else { return (record, []) }
    let isCRLF = record.dropLast().last == 13
    let length = record.count - (isCRLF ? 2 : 1)
    return (Array(record[..<length]), Array(record[length...]))
}
