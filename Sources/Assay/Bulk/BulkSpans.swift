internal import CAssay

/// Judges values that already stand side by side: nothing is copied.
func bulk<Offset: FixedWidthInteger & Sendable>(
    _ node: Node, utf8: UnsafeBufferPointer<UInt8>, offsets: UnsafeBufferPointer<Offset>, threads: Int?,
    limits: MatchLimits, progress: (@Sendable (BulkProgress) -> BulkControl)?
) throws(BulkError) -> VerdictMask {
    var previous: Offset = 0
    for index in offsets.indices {
        let offset = offsets[index]
        if offset < previous || Int(offset) > utf8.count { throw .badOffset(index: index) }
        previous = offset
    }
    // SAFETY: the caller's spans outlive this call, and are only read.
    nonisolated(unsafe) let utf8 = utf8
    nonisolated(unsafe) let offsets = offsets
    return try runBulk(
        count: Swift.max(0, offsets.count - 1), threads: threads, progress: progress,
        makeWorker: { SpanWorker(limits: limits) },
        work: { worker, rows, bits in worker.judge(utf8, offsets, rows, node: node, bits: bits) })
}

/// A worker over a buffer of values: makes cells for a chunk, checks its UTF-8 once, and judges it in one call.
private struct SpanWorker: ~Copyable {
    private let scratch: Scratch
    private let cells = UnsafeMutablePointer<assay_cell>.allocate(capacity: bulkChunk)
    private var apart = LongValues()

    init(limits: MatchLimits) { scratch = Scratch(limits: limits) }

    deinit { cells.deallocate() }

    mutating func judge<Offset: FixedWidthInteger>(
        _ utf8: UnsafeBufferPointer<UInt8>, _ offsets: UnsafeBufferPointer<Offset>, _ rows: Range<Int>, node: Node,
        bits: VerdictBits
    ) {
        let start = Int(offsets[rows.lowerBound])
        let end = Int(offsets[rows.upperBound])
        let base = utf8.cBase + start
        let isWellFormed = assay_utf8_valid_prefix(base, end - start) == end - start
        for row in 0..<rows.count {
            let from = Int(offsets[rows.lowerBound + row])
            let value = UnsafeBufferPointer(
                rebasing: utf8[from..<Int(offsets[rows.lowerBound + row + 1])])
            // The chunk as a whole may be well-formed and a value not, when an offset cuts a character in two.
            let startsWell = value.isEmpty || value[0] & 0xC0 != 0x80
            let nextStartsWell = from + value.count == end || utf8[from + value.count] & 0xC0 != 0x80
            if !(isWellFormed && startsWell && nextStartsWell),
                assay_utf8_valid_prefix(value.cBase, value.count) != value.count
            {
                apart.set(row, .fail)
                cells[row] = assay_cell(start: 0, length: 0)
            } else if from - start + value.count > Int32.max {
                // Cells are 32-bit. Only values that make a chunk larger than 2 GiB come here.
                apart.set(row, node.verdict(of: value, scratch: scratch.handle))
                cells[row] = assay_cell(start: 0, length: 0)
            } else {
                cells[row] = assay_cell(start: UInt32(from - start), length: UInt32(value.count))
            }
        }
        let view = ColumnView(bytes: base, cells: UnsafeBufferPointer(start: cells, count: rows.count))
        node.judge(view, skip: apart.skip, scratch: scratch.handle, into: bits)
        apart.merge(into: bits, rows: rows.count)
    }
}
