internal import Assay

/// Splits one file into chunks of whole records, for any number of workers.
///
///     RecordReader   any source, one turn at a time   pipes, compressed or encoded input, small files, first records
///     BlockReader    regular files, by block          each worker reads and scans its own blocks
///
/// Both produce the same records.
protocol RecordChunks: Sendable {
    func makeChunk() throws(NoMemoryError) -> Chunk

    /// The maximum size of a chunk, including the places of its fields.
    var chunkMemory: Int { get }

    /// Whether one chunk is known to hold all records, so that one worker is enough.
    var fitsOneChunk: Bool { get }

    /// Fills a chunk with the next records. Returns `false` at the end, and for a ``PushSource`` also when it needs
    /// more input.
    ///
    /// - Throws: ``FileError`` or ``NoMemoryError``, once; after that every worker sees the end.
    func next(_ chunk: Chunk) throws -> Bool

    /// Whether all existing or requested records are handed out.
    var isAtEnd: Bool { get }

    /// Whether reading failed, so that no further file may follow.
    var hasFailed: Bool { get }

    /// Starts threads that decompress and decode ahead.
    func startReadingAhead()

    /// The chunks and records that have been handed out, including those of earlier files.
    var handedOut: HandedOut { get }

    /// Bytes of this file that were handed out.
    var handedOutBytes: Int { get }

    /// The time of work that only one thread at a time may do, in nanoseconds.
    var heldNanoseconds: Int { get }

    /// Numbers chunks and records after those of the previous file. Called before any is handed out.
    func continueNumbering(after other: HandedOut)
}

/// Chunks of a run that another run can resume where it ended.
protocol ResumableChunks: RecordChunks {
    /// Writes or restores the state of reading. Workers must not read during the call.
    ///
    /// - Parameter hash: A hash of the bytes of all chunks so far when writing, or a new hash when reading. Further
    ///   bytes are added to it: when writing, those that were read beyond the chunks; when reading, all bytes that are
    ///   read again. Both hashes are then equal if the input is unchanged.
    func code(with coder: inout CheckpointCoder, _ hash: RangeHash) throws(FileError)
}

/// The progress of reading.
package struct HandedOut: Sendable {
    var chunks = 0
    package var records = 0
    /// Records that are still wanted.
    var remaining = Int.max
}
