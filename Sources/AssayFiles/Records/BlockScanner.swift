internal import Assay
internal import CAssay

/// The bytes of a file that a chunk has scanned.
struct ScannedBlock {
    /// The offset of its first record.
    let start: Int
    /// The offset up to which the file was read.
    let end: Int
}

/// Reads and scans blocks of a file, at any offset.
struct BlockScanner: Sendable {
    let file: FileSource
    let dialect: assay_dialect
    let limits: assay_record_limits
    let layout: FileBlocks
    let lastTerminator: LastTerminator

    /// Scans a block as if it began outside quotes. Returns `nil` if no record starts in it, or if a record is too
    /// long.
    func guess(_ chunk: Chunk, _ block: Range<Int>) throws -> ScannedBlock? {
        // The preceding byte is included, because a record starts at the block's start if that byte is a terminator.
        let start = max(layout.start, block.lowerBound - Chunk.front)
        let end = layout.end(ofBlockEndingAt: block.upperBound)
        try hold(chunk, from: start, to: end)
        let first = withUnsafePointer(to: dialect) {
            assay_scan_guess($0, chunk.bytes, chunk.count, block.lowerBound - start)
        }
        if start + first >= block.upperBound { return nil }
        chunk.drop(first)
        let scanned = try scan(chunk, ScannedBlock(start: start + first, end: end), to: block.upperBound, isGuess: true)
        return chunk.endsUnfinished ? nil : scanned
    }

    /// Scans from the start of a record, or with `continues` from inside an overlong one, to the end of a block. If its
    /// last record is very long, it scans further.
    func scan(_ chunk: Chunk, from start: Int, to blockEnd: Int, continues: Bool) throws -> ScannedBlock {
        let end = layout.end(ofBlockEndingAt: blockEnd)
        try hold(chunk, from: start, to: end)
        let block = ScannedBlock(start: start, end: end)
        return try scan(chunk, block, to: blockEnd, continues: continues, isGuess: false)!
    }

    /// Scans a part of a block again.
    func scan(_ chunk: Chunk, _ rest: BlockRest, limit: Int) throws {
        try hold(chunk, from: rest.offset, to: rest.scannedTo)
        let status = withDialect { dialect, limits in
            assay_scan(
                chunk.batch, dialect, limits, chunk.bytes, chunk.count, UInt32(limit), rest.scannedTo == layout.fileEnd,
                rest.continues)
        }
        try check(status, chunk)
        if chunk.entries != limit { throw FileError.changed(file.name) }
    }

    /// Removes all entries of a chunk.
    func clear(_ chunk: Chunk) throws {
        try check(withDialect { assay_scan(chunk.batch, $0, $1, chunk.bytes, 0, 0, false, false) }, chunk)
    }

    private func scan(
        _ chunk: Chunk, _ block: ScannedBlock, to blockEnd: Int, continues: Bool = false, isGuess: Bool
    ) throws -> ScannedBlock? {
        var (end, isExtended) = (block.end, false)
        while true {
            let isLast = end == layout.fileEnd
            let status = withDialect { dialect, limits in
                assay_scan_until(
                    chunk.batch, dialect, limits, chunk.bytes, chunk.count,
                    isExtended ? chunk.count : blockEnd - block.start,
                    isLast, continues)
            }
            try check(status, chunk)
            if isLast || block.start + Int(chunk.batch.pointee.consumed) >= blockEnd {
                return ScannedBlock(start: block.start, end: end)
            }
            var next = min(layout.fileEnd, blockEnd + FileBlocks.longestTail)
            if end >= next {
                if isGuess { return nil }
                isExtended = true
                next = min(layout.fileEnd, block.start + min(chunk.capacity - 1, 2 * chunk.count))
            }
            precondition(next > end, "a record outgrew the record limit without being found too long")
            try chunk.append(file, from: end, to: next)
            if next == layout.fileEnd { try endLastRecord(chunk) }
            end = next
        }
    }

    private func hold(_ chunk: Chunk, from start: Int, to end: Int) throws(FileError) {
        try chunk.hold(file, from: start, to: end)
        if end == layout.fileEnd { try endLastRecord(chunk) }
    }

    private func endLastRecord(_ chunk: Chunk) throws(FileError) {
        let bytes = UnsafeBufferPointer(start: chunk.bytes, count: chunk.count)
        if try lastTerminator.isMissing(behind: bytes) { chunk.append(lastTerminator.byte) }
    }

    private func withDialect(
        _ body: (UnsafePointer<assay_dialect>, UnsafePointer<assay_record_limits>) -> assay_status
    ) -> assay_status {
        withUnsafePointer(to: dialect) { dialect in withUnsafePointer(to: limits) { body(dialect, $0) } }
    }

    private func check(_ status: assay_status, _ chunk: Chunk) throws(NoMemoryError) {
        if status != .ASSAY_OK { throw NoMemoryError(for: "the places of the records in \(chunk.count) bytes") }
    }
}
