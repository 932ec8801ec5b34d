internal import Assay
internal import CAssay

/// Cuts the files of a table into chunks, one file after another, for any number of workers.
///
///     part-1.csv   records 1 … 1,000      each file has its own reader, so lines and offsets are those of the file;
///     part-2.csv   records 1,001 …        records and chunks are numbered across files
///
final class TableReader: Sendable {
    private let readers: [any RecordChunks]
    /// The index of the current file.
    private let current = Lock(0)

    init(_ readers: [any RecordChunks]) {
        self.readers = readers
        readers[0].startReadingAhead()
    }

    func makeChunk() throws(NoMemoryError) -> Chunk {
        // A chunk is used for all files, so it needs room for the longest records.
        try readers[widest].makeChunk()
    }

    private var widest: Int { readers.indices.max { readers[$0].chunkMemory < readers[$1].chunkMemory } ?? 0 }

    /// The number of workers, at most `limit`, with enough work and memory.
    func workers(limit: Int) -> Int {
        if readers.count == 1 && readers[0].fitsOneChunk { return 1 }
        return threadsWithRoom(limit, bytes: readers[widest].chunkMemory)
    }

    /// Fills a chunk with the next records, all from one file. Returns `false` at the end, and for a ``PushSource``
    /// also when it needs more input.
    ///
    /// - Throws: ``FileError`` or ``NoMemoryError``.
    func next(_ chunk: Chunk) throws -> Bool {
        while true {
            // A worker first takes the rest of its block, even if others have continued with the next file.
            let index = chunk.rest == nil ? current.withLock { $0 } : chunk.input
            chunk.input = index
            if try readers[index].next(chunk) { return true }
            guard index + 1 < readers.count, readers[index].isAtEnd, !readers[index].hasFailed else { return false }
            current.withLock { current in
                if current != index { return }
                readers[index + 1].continueNumbering(after: readers[index].handedOut)
                readers[index + 1].startReadingAhead()
                current += 1
            }
        }
    }

    /// Whether all existing or requested records are handed out.
    var isAtEnd: Bool { readers.allSatisfy(\.isAtEnd) }

    /// The reader of the only file, if another run can resume it; otherwise `nil`.
    var resumable: (any ResumableChunks)? { readers.count == 1 ? readers[0] as? any ResumableChunks : nil }

    /// The time of exclusive work, in nanoseconds.
    var heldNanoseconds: Int { readers.reduce(0) { $0 + $1.heldNanoseconds } }

    /// The numbers of records and bytes that are handed out so far.
    var handedOut: (records: Int, bytes: Int) {
        // Record numbers continue across files, so the current reader has the total.
        let index = current.withLock { $0 }
        return (readers[index].handedOut.records, readers.reduce(0) { $0 + $1.handedOutBytes })
    }
}
