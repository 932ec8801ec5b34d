/// How a table is cut into chunks, where a test says it: what comes of the table is the same. All are 1 or more.
package struct ChunkSizes: Hashable, Sendable {
    /// How much of the table is read before its head is looked for, and for the first chunk of what is no regular file.
    package var readBytes: Int
    /// How long the blocks of a regular file are, and how much of what follows is read with them.
    package var blockBytes: Int
    package var tail: Int
    /// How many records a chunk has at most.
    package var records: Int

    package init(readBytes: Int, blockBytes: Int, tail: Int, records: Int) {
        (self.readBytes, self.blockBytes, self.tail, self.records) = (readBytes, blockBytes, tail, records)
    }
}
