package import Assay
internal import AssayRules
internal import CAssay

/// Splits a source into chunks of whole records, in order, for any number of workers.
///
/// A worker without work takes the turn: it reads into its own chunk, finds the records, leaves the incomplete last
/// record for the next worker, and releases the turn. Checking and writing run outside the turn.
///
/// Finding records must be part of the turn, because the start of the next chunk depends on it: whether a line feed
/// ends a record depends on all quotes before it. A ``BlockReader`` guesses instead, and needs a source with random
/// access.
///
/// Memory: one chunk per worker and one incomplete record, independent of the size of the file.
package final class RecordReader: ResumableChunks {
    /// The approximate size of a chunk: small enough to remain in the second-level cache until it is written.
    package static let chunkBytes = 1 << 18
    /// Records are checked in groups of this size; each record of an incomplete group costs more. A chunk of long
    /// records is extended to at least two groups, because every column has a fixed cost per chunk, but at most to
    /// `longestForRecords`. (A longer single record also extends its chunk, up to the record limit.)
    static let recordsAtOnce = 64
    private static let longestForRecords = 2 * chunkBytes
    /// The maximum number of findings per chunk, which a worker keeps as text until its turn. It limits the records.
    private static let chunkFindings = 1 << 16

    /// Returns the maximum number of records per chunk, so that tables with short lines or many rules do not need more
    /// memory.
    static func maxRecords(rules: Int) -> Int {
        let limit = max(8, min(1 << 14, chunkFindings / max(1, rules)))
        return limit < recordsAtOnce ? limit : limit - limit % recordsAtOnce
    }

    private struct State {
        var unfinished: [UInt8] = []
        var sourceEnded = false
        var finished = false
        var failed = false
        var continues = false
        var handedOut: HandedOut
        var offset: Int
        var lines = 0
        var heldNanoseconds = 0
        /// The number of bytes to read for the next chunk, and the maximum number of records to take from it.
        var target: Int
        var maxRecords: Int
        /// The line on which the current overlong record started.
        var overlongLine = 0

        /// The offset up to which the source has been read.
        var end: Int { offset + unfinished.count }

        var isAtEnd: Bool { finished || (handedOut.remaining == 0 && !continues) }

        /// Moves the bytes of a chunk from `start` on to the next chunk.
        mutating func keep(_ chunk: Chunk, from start: Int) {
            unfinished.removeAll(keepingCapacity: true)
            unfinished.append(contentsOf: UnsafeBufferPointer(start: chunk.bytes + start, count: chunk.count - start))
        }
    }

    private let source: any Source
    /// The source, if it does not block.
    private let feed: PushSource?
    /// Whether the number of records is limited. If so, reading does not wait for more bytes than these need.
    private let isLimited: Bool
    private let dialect: assay_dialect
    private let limits: assay_record_limits
    private let capacity: Int
    private let maxRecords: Int
    private let chunkBytes: Int
    private let state: Lock<State>
    private let firstOffset: Int
    private let lastTerminator: LastTerminator
    let fitsOneChunk: Bool

    /// - Parameters:
    ///   - prefix: Bytes already read from the source that belong to the records.
    ///   - offset: The offset of the prefix in the file.
    ///   - lines: The number of lines before it.
    ///   - recordLimit: The maximum number of records to read; `nil` reads all.
    ///   - rules: The maximum number of findings per record.
    ///   - lastTerminator: The terminator to append to an unterminated last record, because another file follows; 0
    ///     appends no byte.
    ///   - limit: The maximum number of records per chunk, even if more would fit.
    ///   - chunkBytes: The approximate size of a chunk.
    init(
        source: any Source, dialect: assay_dialect, limits: Limits, prefix: [UInt8], sourceEnded: Bool, offset: Int,
        lines: Int, limit recordLimit: Int?, rules: Int, lastTerminator: UInt8 = 0, atMost limit: Int = .max,
        chunkBytes: Int = RecordReader.chunkBytes
    ) {
        firstOffset = offset
        let last = LastTerminator(byte: lastTerminator, dialect: dialect, name: source.name)
        self.lastTerminator = last
        self.source = source
        feed = source.pushed
        isLimited = recordLimit != nil && feed == nil
        self.dialect = dialect
        self.limits = assay_record_limits(
            field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
        // Twice the longest record, because with unbalanced quotes each chunk reads the same number of bytes again.
        capacity = 2 * limits.recordBytes + 2 * Self.chunkBytes + prefix.count
        maxRecords = min(limit, Self.maxRecords(rules: rules))
        self.chunkBytes = min(chunkBytes, Self.chunkBytes)
        fitsOneChunk =
            sourceEnded && prefix.count <= chunkBytes
            && prefix.withUnsafeBufferPointer { assay_count_lines($0.baseAddress, $0.count, true) } < maxRecords
        // The file ended within its head. If it ends in an escape, reading it reports the error.
        let lacksTerminator = sourceEnded ? (try? last.isMissing(behind: prefix)) ?? false : false
        state = Lock(
            State(
                unfinished: lacksTerminator ? prefix + [lastTerminator] : prefix, sourceEnded: sourceEnded,
                handedOut: HandedOut(remaining: max(0, recordLimit ?? .max)), offset: offset, lines: lines,
                target: self.chunkBytes, maxRecords: maxRecords))
    }

    package func makeChunk() throws(NoMemoryError) -> Chunk { try Chunk(capacity: capacity) }

    /// The maximum size of a chunk, including the places of its fields.
    var chunkMemory: Int { 2 * Chunk.memory(capacity: capacity) }

    /// Fills a chunk with the next records. Returns `false` at the end, and for a ``PushSource`` also if it needs more
    /// bytes.
    ///
    /// - Throws: ``FileError`` or ``NoMemoryError``, once; afterwards every worker sees the end.
    package func next(_ chunk: Chunk) throws -> Bool {
        try state.withLock { state in
            let start = nanoseconds()
            defer { state.heldNanoseconds += nanoseconds() - start }
            return take(chunk, &state)
        }.get()
    }

    private func take(_ chunk: Chunk, _ state: inout State) -> Result<Bool, any Error> {
        do {
            return .success(try fill(chunk, &state))
        } catch {
            state.finished = true
            state.failed = true
            return .failure(error)
        }
    }

    /// Whether all requested records have been handed out.
    var isAtEnd: Bool { state.withLock { $0.isAtEnd } }

    /// Whether reading failed, so that no further file may follow.
    var hasFailed: Bool { state.withLock { $0.failed } }

    /// Starts threads that decompress and decode ahead.
    func startReadingAhead() { source.startReadingAheadIfPossible() }

    package var handedOut: HandedOut { state.withLock { $0.handedOut } }

    var heldNanoseconds: Int { state.withLock { $0.heldNanoseconds } }

    var handedOutBytes: Int { state.withLock { $0.offset } - firstOffset }

    /// A decompressed or decoded source can be positioned only by producing all earlier bytes again.
    func code(with coder: inout CheckpointCoder, _ hash: RangeHash) throws(FileError) {
        try state.withLock { state throws(FileError) in
            // The bytes that were read for the head, which vary in number.
            let (here, rest, hasEnded) = (state.end, state.unfinished, state.sourceEnded)
            for number in [
                \State.handedOut.chunks, \.offset, \.handedOut.records, \.lines, \.target, \.maxRecords, \.overlongLine,
            ] {
                coder.code(&state[keyPath: number])
            }
            for flag in [\State.sourceEnded, \.continues] {
                var number = state[keyPath: flag] ? 1 : 0
                coder.code(&number)
                state[keyPath: flag] = number == 1
            }
            coder.code(&state.unfinished)
            if coder.isDamaged { return }
            if !coder.isReading { return state.unfinished.withUnsafeBytes { hash.add($0, at: state.offset) } }
            let missing = state.end - here
            rest.withUnsafeBytes {
                hash.add(UnsafeRawBufferPointer(rebasing: $0.prefix($0.count + missing)), at: firstOffset)
            }
            if missing > 0 {
                var place = here
                return try source.skip(missing) { bytes in
                    hash.add(bytes, at: place)
                    place += bytes.count
                }
            }
            state.unfinished += rest.suffix(-missing)
            state.sourceEnded = hasEnded
        }
    }

    func continueNumbering(after other: HandedOut) {
        state.withLock { $0.handedOut = other }
    }

    private func fill(_ chunk: Chunk, _ state: inout State) throws -> Bool {
        if state.isAtEnd { return false }
        if state.sourceEnded { try lastTerminator.expectNoOpenEscape(state.unfinished) }
        var target = max(state.target, state.unfinished.count)
        if needsMoreInput(target - state.unfinished.count) { return false }
        chunk.hold(state.unfinished)
        let batch = chunk.batch

        // The rest of an overlong record is an entry, but not a record.
        let maxEntries = UInt32(min(state.handedOut.remaining, state.maxRecords)) + (state.continues ? 1 : 0)
        var terminators = TerminatorCount()
        while true {
            try read(into: chunk, upTo: target, &state, &terminators)
            let status = withUnsafePointer(to: dialect) { dialect in
                withUnsafePointer(to: limits) { limits in
                    assay_scan(
                        batch, dialect, limits, chunk.bytes, chunk.count,
                        maxEntries, state.sourceEnded, state.continues)
                }
            }
            if status != .ASSAY_OK { throw NoMemoryError(for: "the places of the records in \(chunk.count) bytes") }
            if chunk.count < target && !state.sourceEnded {
                // All wanted records are complete, regardless of later bytes. Otherwise, line ends inside quotes were
                // counted.
                if batch.pointee.record_count == maxEntries && !chunk.endsUnfinished { break }
                terminators.hasMisled = true
                continue
            }
            if batch.pointee.consumed > 0 || state.sourceEnded { break }
            precondition(target < chunk.capacity, "a record outgrew the record limit without being found too long")
            target = min(chunk.capacity, 2 * target)
            if needsMoreInput(target - chunk.count) {
                state.keep(chunk, from: 0)
                state.target = target
                return false
            }
        }

        let consumed = Int(batch.pointee.consumed)
        plan(&state, after: chunk, consumed: consumed)
        state.keep(chunk, from: consumed)
        state.finished = state.sourceEnded && state.unfinished.isEmpty
        if chunk.entries == 0 { return false }

        chunk.sequence = state.handedOut.chunks
        chunk.firstOffset = state.offset
        chunk.recordsBefore = state.handedOut.records
        chunk.linesBefore = state.lines
        state.handedOut.chunks += 1
        state.offset += consumed
        state.handedOut.records += chunk.recordCount
        state.lines += Int(batch.pointee.lines)
        state.handedOut.remaining -= chunk.recordCount
        chunk.overlongLine = state.overlongLine
        if chunk.endsUnfinished && !(chunk.entries == 1 && chunk.startsWithContinuation) {
            var lines = assay_lines_begin(batch, chunk.bytes, dialect.cr_ends, UInt64(chunk.linesBefore + 1))
            let last = chunk.entries - 1
            state.overlongLine = Int(assay_lines_at(&lines, Int(chunk.record(last).start), UInt32(last)))
        }
        state.continues = chunk.endsUnfinished
        return true
    }

    /// Plans the next chunk for records of the same average size: the number of records that fills a chunk of the usual
    /// size, as a multiple of ``recordsAtOnce``.
    private func plan(_ state: inout State, after chunk: Chunk, consumed: Int) {
        let wasFull = chunk.entries >= state.maxRecords
        var target = chunkBytes
        state.maxRecords = maxRecords
        if chunk.entries > 0 {
            let usual = chunkBytes * chunk.entries / max(1, consumed)
            let groups = max(2, (usual + Self.recordsAtOnce / 2) / Self.recordsAtOnce)
            let limit = Self.longestForRecords * chunk.entries / max(1, consumed)
            let records = min(maxRecords, groups * Self.recordsAtOnce, limit - limit % Self.recordsAtOnce)
            if records > 0 {
                state.maxRecords = records
                target = max(min(64 << 10, chunkBytes), records * consumed / chunk.entries)
            }
        }
        // The record at the end of a chunk that was not full may be very long.
        if !wasFull { target = max(target, 2 * (chunk.count - consumed)) }
        state.target = min(capacity, target)
    }

    /// Whether the source lacks `count` bytes. Waiting here instead of scanning each piece makes the result independent
    /// of the pieces, and avoids scanning bytes repeatedly.
    private func needsMoreInput(_ count: Int) -> Bool { feed.map { !$0.holds(count) } ?? false }

    /// Counts the bytes of a chunk that may end a record.
    private struct TerminatorCount {
        private var counted = 0
        private var terminators = 0
        /// Whether the count was sufficient although the records were incomplete.
        var hasMisled = false

        mutating func isAtLeast(_ minCount: Int, in chunk: Chunk) -> Bool {
            for index in counted..<chunk.count where chunk.bytes[index] == 10 || chunk.bytes[index] == 13 {
                terminators += 1
            }
            counted = chunk.count
            if !hasMisled { return terminators >= minCount }
            hasMisled = false
            return false
        }
    }

    /// Whether the chunk may contain all records that are still wanted, so that reading need not wait for a pipe.
    private func mayHoldAll(_ chunk: Chunk, _ state: State, _ terminators: inout TerminatorCount) -> Bool {
        guard isLimited, state.handedOut.remaining <= state.maxRecords, !state.continues else { return false }
        return terminators.isAtLeast(state.handedOut.remaining, in: chunk)
    }

    /// Terminates an unterminated last record if another file follows.
    private func endLastRecord(_ chunk: Chunk, _ state: State) throws(FileError) {
        let bytes = UnsafeBufferPointer(start: chunk.bytes, count: chunk.count)
        let isMissing =
            chunk.count == 0 ? state.continues && lastTerminator.byte != 0 : try lastTerminator.isMissing(behind: bytes)
        if isMissing { chunk.append(lastTerminator.byte) }
    }

    private func read(
        into chunk: Chunk, upTo target: Int, _ state: inout State, _ terminators: inout TerminatorCount
    ) throws(FileError) {
        while !state.sourceEnded && chunk.count < target && !mayHoldAll(chunk, state, &terminators) {
            let room = UnsafeMutableRawBufferPointer(start: chunk.bytes + chunk.count, count: target - chunk.count)
            let count = try source.read(into: room)
            chunk.count += count
            if count == 0 {
                state.sourceEnded = true
                try endLastRecord(chunk, state)
            }
        }
    }
}
