internal import CAssay

/// The division of a file into blocks, from its first record to its end.
///
///     0         start                                                  fileEnd
///     │ header… │    0    │     1     │     2     │     3     │    4    │
///               multiples of blockBytes: ┴
struct FileBlocks: Sendable {
    let start: Int
    let fileEnd: Int
    let blockBytes: Int
    /// The number of bytes that are read after a block, for its last record.
    let tail: Int

    /// The maximum tail before the start of the block is known.
    static let longestTail = 64 << 10
    /// The maximum size of blocks. Tables with long records have longer blocks, so that a block has more than a few
    /// records.
    static let longest = 4 * RecordReader.chunkBytes
    /// The maximum size of blocks if the columns have tables, as in a profile: the tables of a column are in the cache
    /// only while its values of one block are added.
    static let longestWithTables = 8 * longest
    private static let shortest = 16 << 10
    private static let page = 4096

    /// Blocks of a given size.
    init(start: Int, fileEnd: Int, blockBytes: Int, tail: Int) {
        (self.start, self.fileEnd, self.blockBytes, self.tail) = (start, fileEnd, blockBytes, tail)
    }

    /// Blocks with a number of records that can be checked at once, if those are as long as the first ones.
    ///
    /// - Parameters:
    ///   - first: The first bytes, from `start` on.
    ///   - rules: The maximum number of findings of a record.
    ///   - longest: The maximum size of blocks of long records. If it is larger than the usual one, the file has at
    ///     least 16 blocks, so that several workers have equal shares.
    init(start: Int, fileEnd: Int, first: [UInt8], rules: Int, longest: Int = FileBlocks.longest) {
        let lines = first.withUnsafeBufferPointer { Int(assay_count_lines($0.baseAddress!, $0.count, true)) }
        // Without the incomplete record at the end, which would distort the length if there are only a few records.
        let ended = (first.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? first.count - 1) + 1
        let record = max(1, (2 * ended < first.count ? first.count : ended) / max(1, lines))
        let maximum = RecordReader.maxRecords(rules: rules) * record * 7 / 8
        let groups = longest > Self.longest ? 16 : 8
        let longest = max(Self.longest, min(longest, (fileEnd - start) / 16))
        let minimum = min(longest, groups * RecordReader.recordsAtOnce * record)
        var bytes = max(Self.shortest, min(maximum, max(RecordReader.chunkBytes, minimum)))
        // Whole groups, because remaining records cost more each. A page has many short records, so it needs no
        // rounding.
        let group = RecordReader.recordsAtOnce * record
        if group > Self.page && bytes > group { bytes -= bytes % group }
        self.init(
            start: start, fileEnd: fileEnd, blockBytes: bytes - bytes % Self.page,
            tail: min(Self.longestTail, max(512, 4 * record)))
    }

    var count: Int { (fileEnd - 1) / blockBytes - start / blockBytes + 1 }

    func bounds(of block: Int) -> Range<Int> {
        let number = start / blockBytes + block
        return max(start, number * blockBytes)..<min(fileEnd, (number + 1) * blockBytes)
    }

    /// The offset up to which a block is read.
    func end(ofBlockEndingAt end: Int) -> Int { min(fileEnd, end + tail) }
}
