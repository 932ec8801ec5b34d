/// The sizes of chunks, for tests. The results must not depend on them. All are at least 1.
package struct ChunkSizes: Hashable, Sendable {
    /// The number of bytes that are read to find the head, and for the first chunk if the input is not a regular file.
    package var readBytes: Int
    /// The size of the blocks of a regular file, and the number of following bytes that are read with each block.
    package var blockBytes: Int
    package var tail: Int
    /// The maximum number of records of a chunk.
    package var records: Int

    package init(readBytes: Int, blockBytes: Int, tail: Int, records: Int) {
        (self.readBytes, self.blockBytes, self.tail, self.records) = (readBytes, blockBytes, tail, records)
    }
}
