internal import Assay
internal import CAssay

/// Cuts the files of a table into chunks, one file after the other, for any number of workers.
///
///     part-1.csv   records 1 … 1,000      each file has a reader of its own, so that lines and offsets are the file's;
///     part-2.csv   records 1,001 …        records and chunks are numbered on
///
final class TableReader: Sendable {
    private let readers: [any RecordChunks]
    /// The file that is being read.
    private let current = Lock(0)

    init(_ readers: [any RecordChunks]) {
        self.readers = readers
        readers[0].startReadingAhead()
    }

    func makeChunk() throws(NoMemoryError) -> Chunk {
        // A chunk is filled from each file in turn: it has room for the widest records.
        try readers[widest].makeChunk()
    }

    private var widest: Int { readers.indices.max { readers[$0].chunkMemory < readers[$1].chunkMemory } ?? 0 }

    /// How many workers out of `most` there is work and memory for.
    func workers(most: Int) -> Int {
        if readers.count == 1 && readers[0].fitsOneChunk { return 1 }
        return threadsWithRoom(most, bytes: readers[widest].chunkMemory)
    }

    /// Fills a chunk with the next records, all of one file. `false` at the end; of a ``PushSource`` also when more has to come
    /// first.
    ///
    /// - Throws: ``FileError`` or ``NoMemoryError``.
    func next(_ chunk: Chunk) throws -> Bool {
        while true {
            // A worker first takes the rest of its block, also when others have gone on to the next file.
            let index = chunk.rest == nil ? current.withLock { $0 } : chunk.input
            chunk.input = index
            if try readers[index].next(chunk) { return true }
            guard index + 1 < readers.count, readers[index].isAtEnd, !readers[index].hasFailed else { return false }
            current.withLock { current in
                if current != index { return }
                readers[index + 1].goOn(after: readers[index].handedOut)
                readers[index + 1].startReadingAhead()
                current += 1
            }
        }
    }

    /// Whether all records are handed out that there are, or that were asked for.
    var isAtEnd: Bool { readers.allSatisfy(\.isAtEnd) }

    /// The reader of the only file, if another run can go on with it.
    var resumable: (any ResumableChunks)? { readers.count == 1 ? readers[0] as? any ResumableChunks : nil }

    /// How many nanoseconds work was done that only one thread may do at a time.
    var heldNanoseconds: Int { readers.reduce(0) { $0 + $1.heldNanoseconds } }

    /// Records handed out so far, and bytes of them.
    var handedOut: (records: Int, bytes: Int) {
        // Records are numbered on, so that the last reader that has begun knows all.
        let index = current.withLock { $0 }
        return (readers[index].handedOut.records, readers.reduce(0) { $0 + $1.handedOutBytes })
    }
}
