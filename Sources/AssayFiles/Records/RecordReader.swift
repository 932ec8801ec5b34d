internal import Assay
internal import AssayRules
internal import CAssay
internal import Synchronization

/// Cuts a source into chunks of whole records, in order, for any number of workers.
///
/// A worker that wants work takes the turn: it reads into its own chunk, finds the records, leaves the unfinished one at
/// the end for whoever comes next, and gives the turn back. Judging and writing happen outside the turn.
///
/// Memory: one chunk for each worker and one unfinished record, whatever the size of the file.
package final class RecordReader: Sendable {
    /// Bytes read at once. A record that is longer makes its chunk longer, up to the record limit.
    package static let chunkBytes = 1 << 20
    /// Records in a chunk at most, so that tables of very short lines do not take more memory than others.
    private static let chunkRecords: UInt32 = 1 << 17

    private struct State {
        var unfinished: [UInt8] = []
        var sourceEnded = false
        var finished = false
        var continues = false
        var sequence = 0
        var offset: Int
        var records = 0
        var lines = 0
        var recordsLeft: Int
        var failed = false
    }

    private let source: any Source
    private let dialect: assay_dialect
    private let limits: assay_record_limits
    private let capacity: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - prefix: bytes already read from the source that belong to the records.
    ///   - offset: where in the file the prefix starts.
    ///   - lines: the lines before it.
    ///   - most: how many records to read at most; `nil`: all.
    init(
        source: any Source, dialect: assay_dialect, limits: Limits, prefix: [UInt8], sourceEnded: Bool, offset: Int,
        lines: Int, most: Int?
    ) {
        self.source = source
        self.dialect = dialect
        self.limits = assay_record_limits(
            field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
        // Room for a record that is just not too long, and one more read.
        capacity = limits.recordBytes + 2 * Self.chunkBytes + prefix.count
        state = Mutex(
            State(
                unfinished: prefix, sourceEnded: sourceEnded, offset: offset, lines: lines, recordsLeft: most ?? .max))
    }

    package func makeChunk() -> Chunk { Chunk(capacity: capacity) }

    /// Fills a chunk with the next records. `false` at the end.
    ///
    /// - Throws: ``FileError``, once; after that every worker sees the end.
    package func next(_ chunk: Chunk) throws(FileError) -> Bool {
        let result: Result<Bool, FileError> = state.withLock { state in
            do throws(FileError) {
                return .success(try fill(chunk, &state))
            } catch {
                state.finished = true
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Records and bytes handed out so far.
    package var handedOut: (records: Int, offset: Int) { state.withLock { ($0.records, $0.offset) } }

    private func fill(_ chunk: Chunk, _ state: inout State) throws(FileError) -> Bool {
        if state.finished || (state.recordsLeft == 0 && !state.continues) { return false }
        chunk.count = state.unfinished.count
        chunk.bytes.update(from: state.unfinished, count: state.unfinished.count)
        let batch = chunk.batch

        // The rest of an overlong record is an entry and not a record.
        let mostEntries = UInt32(min(state.recordsLeft, Int(Self.chunkRecords))) + (state.continues ? 1 : 0)
        var target = max(Self.chunkBytes, chunk.count)
        while true {
            try read(into: chunk, upTo: target, &state)
            let status = withUnsafePointer(to: dialect) { dialect in
                withUnsafePointer(to: limits) { limits in
                    assay_scan(
                        batch, dialect, limits, chunk.bytes, chunk.count,
                        mostEntries, state.sourceEnded, state.continues)
                }
            }
            precondition(status == .ASSAY_OK, "a chunk of \(chunk.count) bytes could not be scanned: out of memory")
            if batch.pointee.consumed > 0 || state.sourceEnded { break }
            precondition(target < chunk.capacity, "a record outgrew the record limit without being found too long")
            target = min(chunk.capacity, 2 * target)
        }

        let consumed = Int(batch.pointee.consumed)
        state.unfinished.removeAll(keepingCapacity: true)
        state.unfinished.append(
            contentsOf: UnsafeBufferPointer(start: chunk.bytes + consumed, count: chunk.count - consumed))
        state.finished = state.sourceEnded && state.unfinished.isEmpty
        if chunk.entries == 0 { return false }

        chunk.sequence = state.sequence
        chunk.firstOffset = state.offset
        chunk.recordsBefore = state.records
        chunk.linesBefore = state.lines
        state.sequence += 1
        state.offset += consumed
        state.records += chunk.recordCount
        state.lines += Int(batch.pointee.lines)
        state.recordsLeft -= chunk.recordCount
        state.continues = chunk.endsUnfinished
        return true
    }

    private func read(into chunk: Chunk, upTo target: Int, _ state: inout State) throws(FileError) {
        while !state.sourceEnded && chunk.count < target {
            let room = UnsafeMutableRawBufferPointer(start: chunk.bytes + chunk.count, count: target - chunk.count)
            let count = try source.read(into: room)
            chunk.count += count
            if count == 0 { state.sourceEnded = true }
        }
    }
}
