internal import Assay
internal import AssayRules
internal import CAssay
internal import Synchronization

/// Cuts a regular file into chunks of whole records, for any number of workers that read and scan side by side.
///
///     blocks      │      0       │      1       │      2       │
///     file        7,a⏎8,"b⏎c"⏎9,d⏎10,e⏎11,"f,⏎g",h⏎12,i⏎ …
///     chunks      ├──────0────────────┤├─────1──────────┤├───    the records that start in a block
///
/// 1. A worker takes the number of the next block, reads it, and scans it from the first line on: where a record starts, if the
///    block does not begin inside quotes. Nobody waits.
/// 2. Then, in the order of the blocks, this guess is compared with where the block before has really ended: mostly one of the
///    records begins there, so that all from it on are right (see assay_scan_range.c). If none does, the block is scanned again.
///    All that is done in turn otherwise is to add up records and lines.
///
/// Which records a chunk has depends on the file alone, not on the threads. No byte is scanned more than twice, but for the rest of
/// the record at the end of a block, and where quotes run away (see assay_scan_plain.c), each byte twice more.
///
/// The file is read as long as it was when it was opened.
final class BlockReader: ResumableChunks {
    private struct State {
        var sequence = 0
        /// Where the next record starts.
        var position: Int
        var records = 0
        var lines: Int
        /// Whether the last chunk ended within an overlong record.
        var continues = false
        /// The line on which that started.
        var overlongLine = 0
        var failed = false
    }

    private let scanner: BlockScanner
    private let layout: FileBlocks
    private let mostRecords: Int
    private let capacity: Int
    private let firstOffset: Int
    private let nextBlock = Atomic(0)
    private let alwaysGuesses: Bool
    /// Blocks are compared in their order.
    private let turns: TicketSequencer
    private let state: Lock<State>

    /// - Parameters:
    ///   - offset: where in the file the first record starts.
    ///   - lines: the lines before it.
    ///   - layout: the blocks from there to the end of the file.
    ///   - rules: how many findings a record may have.
    ///   - most: how many records a chunk may have, even if it had room for more.
    ///   - spins: see ``TicketSequencer``.
    ///   - alwaysGuesses: whether also a block is guessed of which it is known where it begins: for tests.
    init(
        _ file: FileSource, dialect: assay_dialect, limits: Limits, lines: Int, layout: FileBlocks, rules: Int,
        lastTerminator: UInt8 = 0, atMost most: Int = .max, spins: Bool, alwaysGuesses: Bool = false
    ) {
        self.alwaysGuesses = alwaysGuesses
        self.layout = layout
        firstOffset = layout.start
        mostRecords = min(most, RecordReader.mostRecords(rules: rules))
        // Room for as much again as the longest record: where quotes run away, every chunk scans as much as it scans again.
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
        // Others have failed, or this worker.
        if turns.isCancelled { return false }
        do {
            if let rest = chunk.rest {
                try take(rest, chunk)
                return true
            }
            while true {
                let block = nextBlock.wrappingAdd(1, ordering: .relaxed).oldValue
                guard block < layout.count else {
                    // Another file may follow, whose records are numbered on.
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

    /// Fills a chunk with the records of a block. `false`: reading has failed.
    private func take(_ block: Int, _ chunk: Chunk) throws -> Bool {
        let bounds = layout.bounds(of: block)
        var found: ScannedBlock?
        if turns.isCurrent(block) && !alwaysGuesses {
            // Where its records start is known already.
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

    /// Compares what was found with where the block before has ended, and numbers the records. Only by the worker whose turn it is.
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

    /// Numbers the records from an entry on. Where that is not the first, or there are too many for one chunk, the worker takes them
    /// up again.
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
        let isPart = first > 0 || entries > mostRecords
        if isPart { chunk.rest = rest }
        if chunk.endsUnfinished && !(entries == 1 && chunk.startsWithContinuation) {
            var numbered = chunk.lines(endsAtCR: endsAtCR)
            let last = chunk.entries - 1
            state.overlongLine = Int(assay_lines_at(&numbered, Int(chunk.record(last).start), UInt32(last)))
        }
        state.continues = chunk.endsUnfinished
        state.sequence += (entries + mostRecords - 1) / mostRecords
        state.position += Int(batch.consumed) - dropped
        state.records += records
        state.lines += lines
    }

    /// Fills a chunk with more of the records of a block.
    private func take(_ rest: BlockRest, _ chunk: Chunk) throws {
        let count = min(mostRecords, rest.entries)
        try scanner.scan(chunk, rest, most: count)
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

    func goOn(after other: HandedOut) {
        state.withLock { ($0.sequence, $0.records) = (other.chunks, other.records) }
    }
}

/// Records of a block that the worker takes up later: they are read once more.
struct BlockRest {
    /// Where in the file they start.
    var offset: Int
    /// How far the file was looked at to find them.
    let scannedTo: Int
    /// How many entries are left.
    var entries: Int
    var sequence: Int
    var recordsBefore: Int
    var linesBefore: Int
    var continues: Bool
    let overlongLine: Int

    /// Tells a chunk of these entries where it stands.
    func number(_ chunk: Chunk) {
        chunk.sequence = sequence
        chunk.firstOffset = offset
        chunk.recordsBefore = recordsBefore
        chunk.linesBefore = linesBefore
        chunk.overlongLine = overlongLine
    }

    /// What is left after a chunk of them.
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
