internal import CAssay

/// Checks values in a contiguous buffer without copying.
func bulk<Offset: FixedWidthInteger & Sendable>(
    _ evaluator: BulkEvaluator, utf8: Span<UInt8>, offsets: Span<Offset>, threads: Int?, limits: MatchLimits,
    budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?
) throws(BulkError) -> VerdictMask {
    try utf8.withUnsafeBufferPointer { utf8 throws(BulkError) in
        try offsets.withUnsafeBufferPointer { offsets throws(BulkError) in
            try bulk(
                evaluator, utf8: utf8, offsets: offsets, threads: threads, limits: limits, budget: budget,
                progress: progress)
        }
    }
}

private func bulk<Offset: FixedWidthInteger & Sendable>(
    _ evaluator: BulkEvaluator, utf8: UnsafeBufferPointer<UInt8>, offsets: UnsafeBufferPointer<Offset>, threads: Int?,
    limits: MatchLimits, budget: CallBudget?, progress: (@Sendable (BulkProgress) -> BulkControl)?
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
        count: Swift.max(0, offsets.count - 1), threads: threads, budget: budget, progress: progress,
        makeWorker: { SpanWorker(limits: limits, $0) },
        work: { worker, rows, bits in worker.evaluate(utf8, offsets, rows, by: evaluator, bits: bits) })
}

/// A worker for a buffer of values: it writes the cells of a chunk, checks its UTF-8 once, and checks all values in one
/// call.
private struct SpanWorker: ~Copyable {
    private let scratch: Scratch
    private let cells = UnsafeMutablePointer<assay_cell>.allocate(capacity: bulkChunk)
    private var apart = LongValues()

    init(limits: MatchLimits, _ account: BudgetAccount?) { scratch = Scratch(orEndWith: limits, charging: account) }

    deinit { cells.deallocate() }

    mutating func evaluate<Offset: FixedWidthInteger>(
        _ utf8: UnsafeBufferPointer<UInt8>, _ offsets: UnsafeBufferPointer<Offset>, _ rows: Range<Int>,
        by evaluator: BulkEvaluator, bits: VerdictBits
    ) {
        let start = Int(offsets[rows.lowerBound])
        let end = Int(offsets[rows.upperBound])
        let base = utf8.cBase + start
        // The chunk may be well-formed although a value is not, if an offset splits a character.
        var isCut = false
        var from = start
        for row in 0..<rows.count {
            let to = Int(offsets[rows.lowerBound + row + 1])
            isCut = isCut || (to < end && utf8[to] & 0xC0 == 0x80)
            cells[row] = assay_cell(
                start: UInt32(truncatingIfNeeded: from - start), length: UInt32(truncatingIfNeeded: to - from))
            from = to
        }
        // Check value by value if the chunk has 2 GiB or more, because cells are 32-bit, or if it contains ill-formed
        // bytes.
        if isCut || end - start > Int32.max || assay_utf8_valid_prefix(base, end - start) != end - start {
            setApart(utf8, offsets, rows, node: evaluator.node)
        }
        let view = ColumnView(bytes: base, cells: UnsafeBufferPointer(start: cells, count: rows.count))
        if let node = evaluator.node {
            node.evaluate(view, skip: apart.skip, scratch: scratch.handle, into: bits)
        } else {
            bits.clear(rows: rows.count)
        }
        apart.merge(into: bits, rows: rows.count)
        evaluator.finish(rows: rows.count, bits: bits, scratch: scratch) { row in
            let range = Int(offsets[rows.lowerBound + row])..<Int(offsets[rows.lowerBound + row + 1])
            return String(validating: UnsafeBufferPointer(rebasing: utf8[range]), as: UTF8.self)
        }
    }

    /// Checks each value separately. Values that are not well-formed UTF-8 fail.
    private mutating func setApart<Offset: FixedWidthInteger>(
        _ utf8: UnsafeBufferPointer<UInt8>, _ offsets: UnsafeBufferPointer<Offset>, _ rows: Range<Int>, node: Node?
    ) {
        for row in 0..<rows.count {
            let (from, to) = (Int(offsets[rows.lowerBound + row]), Int(offsets[rows.lowerBound + row + 1]))
            let value = UnsafeBufferPointer(rebasing: utf8[from..<to])
            let isWellFormed = assay_utf8_valid_prefix(value.cBase, value.count) == value.count
            // Without a node, the evaluator checks all well-formed values.
            let verdict = isWellFormed ? node.map { scratch.verdict(of: value, by: $0) } ?? .pass : .fail
            apart.set(row, verdict)
            cells[row] = assay_cell(start: 0, length: 0)
        }
    }
}
