internal import AssayRules
internal import CAssay

/// Lays out what a worker writes of a chunk: its clean records and its rejected ones, byte for byte, runs at once.
struct ChunkEmitter: ~Copyable {
    private let outputs: Outputs
    private let dialect: Dialect
    private let annotate: Bool
    private let endsAtCR: Bool
    private var clean: UnsafeMutableRawBufferPointer?
    private var rejected: UnsafeMutableRawBufferPointer?
    private var cleanCount = 0
    private var rejectedCount = 0
    private var annotated: [UInt8] = []

    init(outputs: Outputs, dialect: Dialect, endsAtCR: Bool, annotate: Bool) {
        self.endsAtCR = endsAtCR
        self.outputs = outputs
        self.dialect = dialect
        self.annotate = annotate
    }

    deinit {
        clean?.deallocate()
        rejected?.deallocate()
    }

    /// Bytes of the file that `write` passes on.
    var byteCount: Int { cleanCount + rejectedCount }

    /// Copies the records apart, unless all of them go the same way: then the chunk itself is written.
    mutating func prepare(_ chunk: Chunk, _ judge: borrowing ChunkJudge) {
        let consumed = Int(chunk.batch.pointee.consumed)
        let rejectedEntries = judge.rejectedRecords + (chunk.startsWithContinuation ? 1 : 0)
        (cleanCount, rejectedCount) = (0, 0)
        if outputs.clean == nil && outputs.rejects == nil { return }
        if rejectedEntries == 0 {
            cleanCount = consumed
        } else if rejectedEntries == chunk.entries && !annotate {
            rejectedCount = consumed
        } else {
            let clean = Self.room(&clean, consumed)
            let rejected = Self.room(&rejected, consumed)
            let rejects = judge.rejects
            assay_emit_records(
                chunk.batch, chunk.bytes, 0, UInt32(chunk.entries), rejects, clean, &cleanCount, rejected,
                &rejectedCount)
            if annotate { layOutAnnotated(chunk, judge) }
        }
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
                try outputs.rejects?.write(annotated)
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

    /// Rejected records with their line and their reasons as two more fields.
    private mutating func layOutAnnotated(_ chunk: Chunk, _ judge: borrowing ChunkJudge) {
        annotated.removeAll(keepingCapacity: true)
        var next = 0
        for entry in 0..<chunk.entries where judge.rejects[entry / 64] >> UInt64(entry % 64) & 1 != 0 {
            let record = chunk.record(entry)
            let bytes = Array(
                UnsafeBufferPointer(start: chunk.bytes + Int(record.start), count: Int(record.end - record.start)))
            let annotation = judge.annotations[next]
            next += 1
            if record.flags & UInt32(ASSAY_RECORD_CONTINUED) != 0 {
                // An overlong record passes through piece by piece; the last one is annotated.
                annotated += bytes
                continue
            }
            let (line, end) = splitTerminator(bytes, endsAtCR: endsAtCR)
            annotated += line
            annotated.append(dialect.separator)
            appendDecimal(annotation.line, to: &annotated)
            annotated.append(dialect.separator)
            annotated += csvField(
                Array(annotation.rules.joined(separator: ";").utf8), delimiter: dialect.separator,
                quote: dialect.quoteChar ?? UInt8(ascii: "\""))
            annotated += end.isEmpty ? [UInt8(ascii: "\n")] : end
        }
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
