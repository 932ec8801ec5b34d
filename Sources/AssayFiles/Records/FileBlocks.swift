internal import CAssay

/// How a file is cut into blocks, from its first record to its end.
///
///     0         start                                                  fileEnd
///     │ header… │    0    │     1     │     2     │     3     │    4    │
///               multiples of blockBytes: ┴
struct FileBlocks: Sendable {
    let start: Int
    let fileEnd: Int
    let blockBytes: Int
    /// How much of what follows a block is read with it, for the record that it ends in.
    let tail: Int

    /// How much at most, before it is known where the block begins.
    static let longestTail = 64 << 10
    /// Blocks of tables with long records are longer, so that they have more than a few of them.
    private static let longest = 4 * RecordReader.chunkBytes
    private static let shortest = 16 << 10
    private static let page = 4096

    /// Blocks of so many bytes.
    init(start: Int, fileEnd: Int, blockBytes: Int, tail: Int) {
        (self.start, self.fileEnd, self.blockBytes, self.tail) = (start, fileEnd, blockBytes, tail)
    }

    /// Blocks with a number of records that can be judged at once, if they are as long as the first ones.
    ///
    /// - Parameters:
    ///   - first: the first bytes, from `start` on.
    ///   - rules: how many findings a record may have.
    init(start: Int, fileEnd: Int, first: [UInt8], rules: Int) {
        let lines = first.withUnsafeBufferPointer { Int(assay_count_lines($0.baseAddress!, $0.count, true)) }
        // Without the beginning of a record at the end, which of few long ones would be much.
        let ended = (first.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? first.count - 1) + 1
        let record = max(1, (2 * ended < first.count ? first.count : ended) / max(1, lines))
        let most = RecordReader.mostRecords(rules: rules) * record * 7 / 8
        let least = min(Self.longest, 8 * RecordReader.recordsAtOnce * record)
        var bytes = max(Self.shortest, min(most, max(RecordReader.chunkBytes, least)))
        // So that few records are left over, which cost more each; of short ones a page has many.
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

    /// Where reading ends for a block.
    func end(ofBlockEndingAt end: Int) -> Int { min(fileEnd, end + tail) }
}
