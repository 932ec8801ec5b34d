internal import Assay
internal import CAssay
internal import Synchronization

/// Checked chunks that wait in a file until their keys are decided.
///
/// Checking them again would require an input that can be read twice. The file contains only the data that the outputs
/// need.
final class ParkedChunks: Sendable {
    private let file: ScratchFile
    /// The number of the first one.
    private let first: Int
    private let places = Lock<[(offset: Int, count: Int)]>([])
    private let next = Atomic(0)
    private let kept = Lock(Kept())

    /// The first findings of the chunks, which have values.
    private struct Kept {
        var findings: [Int: [Finding]] = [:]
        var count = 0
    }

    init(_ file: ScratchFile, first: Int) { (self.file, self.first) = (file, first) }

    /// Stores a waiting chunk. Any worker may call it, in any order.
    func park(_ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator) throws(FileError) {
        var bytes = PlainBytes()
        chunk.park(in: &bytes)
        evaluator.park(in: &bytes)
        let offset = try file.append(all: bytes.bytes)
        let index = chunk.sequence - first
        places.withLock { places in
            while places.count <= index { places.append((0, 0)) }
            places[index] = (offset, bytes.bytes.count)
        }
    }

    /// Keeps the first findings of a chunk. In the order of the chunks: more than are wanted of all are not kept.
    func keep(_ findings: [Finding], of chunk: Chunk, limit: Int) {
        kept.withLock { kept in
            if findings.isEmpty || kept.count >= limit { return }
            kept.findings[chunk.sequence] = findings
            kept.count += findings.count
        }
    }

    /// Restores the next chunk in its checked state. Returns its number among the waiting chunks, or `nil` if no chunk
    /// waits.
    func takeNext(
        into chunk: Chunk, _ evaluator: inout ChunkEvaluator, room: FindingRoom
    ) throws -> Int? {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard let (offset, count) = places.withLock({ index < $0.count ? $0[index] : nil }) else { return nil }
        var bytes = PlainBytes(try file.read(count, at: offset))
        try chunk.restore(from: &bytes)
        let findings = kept.withLock { $0.findings.removeValue(forKey: chunk.sequence) ?? [] }
        try evaluator.restore(chunk, from: &bytes, kept: findings, room: room)
        return index
    }
}

extension Chunk {
    fileprivate func park(in bytes: inout PlainBytes) {
        for number in [sequence, input, firstOffset, recordsBefore, linesBefore, overlongLine] { bytes.put(number) }
        let batch = batch.pointee
        bytes.put(all: UnsafeBufferPointer(start: self.bytes, count: Int(batch.consumed)))
        bytes.put(all: UnsafeBufferPointer(start: batch.records, count: entries + 1))
        let commentWords = batch.comment_count == 0 ? 0 : maskWords(entries)
        bytes.put(all: UnsafeBufferPointer(start: batch.comments, count: commentWords))
        bytes.put(batch.comment_count)
        bytes.put(batch.lines)
    }

    fileprivate func restore(from bytes: inout PlainBytes) throws(NoMemoryError) {
        sequence = bytes.take()
        input = bytes.take()
        firstOffset = bytes.take()
        recordsBefore = bytes.take()
        linesBefore = bytes.take()
        overlongLine = bytes.take()
        hold(bytes.takeAll(of: UInt8.self))
        let records = bytes.takeAll(of: assay_record.self)
        let comments = bytes.takeAll(of: UInt64.self)
        let status = assay_batch_restore(
            batch, records, UInt32(records.count - 1), comments, bytes.take(), bytes.take())
        if status != .ASSAY_OK { throw NoMemoryError(for: "the records that a thread works on") }
    }
}

extension FindingWriter {
    func park(in bytes: inout PlainBytes) {
        bytes.put(count)
        bytes.put(undecidedRecords)
        bytes.put(all: misencodedSample)
        for pieces in [handle.pointee.text, handle.pointee.notes] {
            let ends = UnsafeBufferPointer(start: pieces.ends, count: pieces.count)
            bytes.put(all: ends)
            bytes.put(all: UnsafeBufferPointer(start: pieces.bytes, count: ends.last ?? 0))
        }
    }

    mutating func restore(_ chunk: Chunk, from bytes: inout PlainBytes, kept findings: [Finding], room: FindingRoom) {
        begin(chunk, room: room)
        count = bytes.take()
        undecidedRecords = bytes.take()
        misencodedSample = bytes.takeAll()
        kept = findings
        for isNote in [false, true] {
            let ends = bytes.takeAll(of: Int.self)
            let text = bytes.takeAll(of: UInt8.self)
            text.withUnsafeBufferPointer { text in
                var start = 0
                for end in ends {
                    let piece = text.baseAddress! + start
                    expectMemory(
                        isNote
                            ? assay_findings_add_note(handle, piece, end - start)
                            : assay_findings_add_text(handle, piece, end - start))
                    start = end
                }
            }
        }
    }
}
