internal import Assay
internal import AssayRules
internal import CAssay
internal import Synchronization

/// Splits a regular file into chunks of whole records, for any number of workers that read and scan concurrently.
///
///     blocks      │      0       │      1       │      2       │
///     file        7,a⏎8,"b⏎c"⏎9,d⏎10,e⏎11,"f,⏎g",h⏎12,i⏎ …
///     chunks      ├──────0────────────┤├─────1──────────┤├───    the records that start in a block
///
/// 1. A worker takes the number of the next block, reads it, and scans it from the first line on. The result is a guess
///    that holds if the block does not begin inside quotes. Workers do not wait for each other.
/// 2. Then, in the order of the blocks, this guess is compared with the end of the previous block. Usually a guessed
///    record begins there, so that all following records are correct (see assay_scan_range.c). If not, the block is
///    scanned again. The only other serial work is adding up records and lines.
///
/// The records of a chunk depend only on the file, not on the threads. No byte is scanned more than twice, except the
/// rest of the record at the end of a block, and with unbalanced quotes (see assay_scan_plain.c), which scan each byte
/// twice more.
///
/// The file is read up to the length that it had when it was opened.
final class BlockReader: ResumableChunks {
    private struct State {
        var sequence = 0
        /// The offset of the next record.
        var position: Int
        var records = 0
        var lines: Int
        /// Whether the last chunk ended within an overlong record.
        var continues = false
        /// The line on which the overlong record started.
        var overlongLine = 0
        var failed = false
    }

    private let scanner: BlockScanner
    private let layout: FileBlocks
    private let maxRecords: Int
    private let capacity: Int
    private let firstOffset: Int
    private let nextBlock = Atomic(0)
    private let alwaysGuesses: Bool
    /// Blocks are compared in their order.
    private let turns: TicketSequencer
    private let state: Lock<State>

    /// - Parameters:
    ///   - offset: The offset of the first record in the file.
    ///   - lines: The number of lines before it.
    ///   - layout: The blocks from there to the end of the file.
    ///   - rules: The maximum number of findings per record.
    ///   - limit: The maximum number of records per chunk, even if more would fit.
    ///   - spins: See ``TicketSequencer``.
    ///   - alwaysGuesses: Whether to guess even if the start of a block is known. For tests.
    init(
        _ file: FileSource, dialect: assay_dialect, limits: Limits, lines: Int, layout: FileBlocks, rules: Int,
        lastTerminator: UInt8 = 0, atMost limit: Int = .max, spins: Bool, alwaysGuesses: Bool = false
    ) {
        self.alwaysGuesses = alwaysGuesses
        self.layout = layout
        firstOffset = layout.start
        maxRecords = min(limit, RecordReader.maxRecords(rules: rules))
        // Twice the longest record, because with unbalanced quotes each chunk scans the same number of bytes again.
        capacity = 2 * limits.recordBytes + 2 * layout.blockBytes + 2 * FileBlocks.longestTail
        scanner = BlockScanner(
            file: file, dialect: dialect,
            limits: assay_record_limits(
                field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes)),
            layout: layout, lastTerminator: LastTerminator(byte: lastTerminator, dialect: dialect, name: file.name))
        turns = TicketSequencer(spinsBeforeParking: spins)
        state = Lock(State(position: layout.start, lines: lines))
    }

    func makeChunk() throws(NoMemoryError) -> Chunk { try Chunk(capacity: capacity) }

    var chunkMemory: Int { 2 * Chunk.memory(capacity: capacity) }

    var fitsOneChunk: Bool { false }

    func next(_ chunk: Chunk) throws -> Bool {
        // Another worker has failed, or this one.
        if turns.isCancelled { return false }
        do {
            if let rest = chunk.rest {
                try take(rest, chunk)
                return true
            }
            while true {
                let block = nextBlock.wrappingAdd(1, ordering: .relaxed).oldValue
                guard block < layout.count else {
                    // Another file with continued record numbers may follow.
                    turns.wait(until: layout.count)
                    return false
                }
                guard try take(block, chunk) else { return false }
                if let rest = chunk.rest { try take(rest, chunk) }
                if chunk.entries > 0 { return true }
            }
        } catch {
            state.withLock { $0.failed = true }
            turns.cancel()
            throw error
        }
    }

    /// Fills a chunk with the records of a block. Returns `false` if reading failed.
    private func take(_ block: Int, _ chunk: Chunk) throws -> Bool {
        let bounds = layout.bounds(of: block)
        var found: ScannedBlock?
        if turns.isCurrent(block) && !alwaysGuesses {
            // The start of the block's records is already known.
            let (position, continues) = state.withLock { ($0.position, $0.continues) }
            if position < bounds.upperBound && !continues {
                found = try scanner.scan(chunk, from: position, to: bounds.upperBound, continues: false)
            }
        } else {
            found = try scanner.guess(chunk, bounds)
        }
        var result = Result<Bool, any Error>.success(false)
        let went = try turns.run(ticket: block) { () throws(FileError) in
            state.withLock { state in
                if state.failed { return }
                result = Result {
                    try settle(chunk, found, before: bounds.upperBound, &state)
                    return true
                }
                if case .failure = result { state.failed = true }
            }
        }
        return went ? try result.get() : false
    }

    /// Compares the scanned records with the end of the previous block, and numbers them. Called only during the
    /// worker's turn.
    private func settle(_ chunk: Chunk, _ found: ScannedBlock?, before end: Int, _ state: inout State) throws {
        chunk.rest = nil
        if state.position >= end { return try scanner.clear(chunk) }
        var (found, first) = (found, 0)
        if let start = found?.start, !state.continues, let entry = chunk.entry(at: state.position - start) {
            first = entry
        } else {
            found = nil
        }
        let scanned = try found ?? scanner.scan(chunk, from: state.position, to: end, continues: state.continues)
        number(chunk, from: first, scanned, &state)
    }

    /// Numbers the records from an entry on. If that is not the first entry, or there are more records than fit in one
    /// chunk, the worker reads them again.
    private func number(_ chunk: Chunk, from first: Int, _ scanned: ScannedBlock, _ state: inout State) {
        let batch = chunk.batch.pointee
        let dropped = Int(batch.records[first].start)
        let entries = chunk.entries - first
        let comments = batch.comment_count - assay_batch_comments_before(chunk.batch, UInt32(first))
        let records = entries - Int(comments) - (chunk.startsWithContinuation ? 1 : 0)
        let endsAtCR = scanner.dialect.cr_ends
        let lines = Int(batch.lines - (first == 0 ? 0 : assay_count_lines(chunk.bytes, dropped, endsAtCR)))
        let rest = BlockRest(
            offset: state.position, scannedTo: scanned.end, entries: entries, sequence: state.sequence,
            recordsBefore: state.records, linesBefore: state.lines, continues: state.continues,
            overlongLine: state.overlongLine)
        rest.number(chunk)
        let isPart = first > 0 || entries > maxRecords
        if isPart { chunk.rest = rest }
        if chunk.endsUnfinished && !(entries == 1 && chunk.startsWithContinuation) {
            var numbered = chunk.lines(endsAtCR: endsAtCR)
            let last = chunk.entries - 1
            state.overlongLine = Int(assay_lines_at(&numbered, Int(chunk.record(last).start), UInt32(last)))
        }
        state.continues = chunk.endsUnfinished
        state.sequence += (entries + maxRecords - 1) / maxRecords
        state.position += Int(batch.consumed) - dropped
        state.records += records
        state.lines += lines
    }

    /// Fills a chunk with the next records of a block.
    private func take(_ rest: BlockRest, _ chunk: Chunk) throws {
        let count = min(maxRecords, rest.entries)
        try scanner.scan(chunk, rest, limit: count)
        rest.number(chunk)
        chunk.rest = rest.entries > count ? rest.after(chunk) : nil
    }

    var isAtEnd: Bool { turns.isCurrent(layout.count) }

    var hasFailed: Bool { state.withLock { $0.failed } }

    func startReadingAhead() {}

    var heldNanoseconds: Int { turns.heldNanoseconds }

    var handedOut: HandedOut { state.withLock { HandedOut(chunks: $0.sequence, records: $0.records) } }

    var handedOutBytes: Int { state.withLock { $0.position } - firstOffset }

    func code(with coder: inout CheckpointCoder, _ hash: RangeHash) throws(FileError) {
        var block = nextBlock.load(ordering: .relaxed)
        coder.code(&block)
        state.withLock { state in
            coder.code(&state.sequence)
            coder.code(&state.position)
            coder.code(&state.records)
            coder.code(&state.lines)
            coder.code(&state.overlongLine)
            var continues = state.continues ? 1 : 0
            coder.code(&continues)
            state.continues = continues == 1
        }
        if !coder.isReading { return precondition(turns.isCurrent(block), "a block is read that is not counted") }
        nextBlock.store(block, ordering: .relaxed)
        turns.start(at: block)
        let end = state.withLock { $0.position }
        if coder.isDamaged || end < firstOffset { return }
        try hash.add(firstOffset..<end) { buffer, place throws(FileError) in
            try scanner.file.readAll(at: place, into: buffer)
        }
    }

    func continueNumbering(after other: HandedOut) {
        state.withLock { ($0.sequence, $0.records) = (other.chunks, other.records) }
    }
}

/// Records of a block that the worker processes later. They are read again.
struct BlockRest {
    /// The offset at which they start.
    var offset: Int
    /// The offset up to which the file was scanned to find them.
    let scannedTo: Int
    /// The number of remaining entries.
    var entries: Int
    var sequence: Int
    var recordsBefore: Int
    var linesBefore: Int
    var continues: Bool
    let overlongLine: Int

    /// Sets the position and the record numbers of a chunk with these entries.
    func number(_ chunk: Chunk) {
        chunk.sequence = sequence
        chunk.firstOffset = offset
        chunk.recordsBefore = recordsBefore
        chunk.linesBefore = linesBefore
        chunk.overlongLine = overlongLine
    }

    /// Returns the remaining entries after a chunk.
    func after(_ chunk: Chunk) -> BlockRest {
        var rest = self
        rest.offset += Int(chunk.batch.pointee.consumed)
        rest.entries -= chunk.entries
        rest.sequence += 1
        rest.recordsBefore += chunk.recordCount
        rest.linesBefore += Int(chunk.batch.pointee.lines)
        rest.continues = false
        return rest
    }
}
