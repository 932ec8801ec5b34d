internal import CAssay

/// The positions of rejected records: their number in each of at most 128 parts of equal length, in the order of the
/// file.
///
///     records    1 … 32 │ 33 … 64 │ 65 … 96 │ …
///     rejected      0   │   31    │    2    │
///
/// When a record after the last part is added, each pair of parts is merged. The result depends only on the records, so
/// the counts of several workers can be added regardless of the distribution of chunks.
package struct RejectPositions: Hashable, Sendable {
    /// The maximum number of parts.
    static let maxCount = 128
    /// A part has two to the power of this number of records.
    private var shift = 0
    /// The number of rejected records in each part.
    package private(set) var rejected: [Int] = []

    package init() {}

    /// The number of records per part. The last part may have fewer.
    package var recordsEach: Int { 1 << shift }

    /// Returns the records of a part, from 1.
    ///
    /// - Parameter last: The last record of the table.
    package func records(of part: Int, last: Int) -> ClosedRange<Int> {
        let first = (part << shift) + 1
        return first...max(first, min(last, (part + 1) << shift))
    }

    /// Adds the rejected records of a chunk.
    ///
    /// - Parameter rejects: The rejected entries, one bit per entry.
    /// - Complexity: O(words of `rejects` + parts that the chunk touches).
    mutating func add(_ chunk: Chunk, rejects: [UInt64]) {
        let entries = chunk.entries
        if entries == 0 || !rejects.contains(where: { $0 != 0 }) { return }
        if chunk.batch.pointee.comment_count > 0 || chunk.startsWithContinuation {
            return addOneByOne(chunk, rejects)
        }
        cover(record: chunk.recordsBefore + entries)
        var first = 0
        while first < entries {
            let part = (chunk.recordsBefore + first) >> shift
            let end = min(entries, ((part + 1) << shift) - chunk.recordsBefore)
            rejected[part] += count(of: rejects, first, end)
            first = end
        }
    }

    /// Adds a chunk with entries that are not records.
    private mutating func addOneByOne(_ chunk: Chunk, _ rejects: [UInt64]) {
        // The rest of an overlong record was counted with its beginning.
        var entry = assay_mask_next(rejects, chunk.entries, chunk.startsWithContinuation ? 1 : 0)
        while entry < chunk.entries {
            let record = chunk.recordNumber(entry)
            cover(record: record)
            rejected[(record - 1) >> shift] += 1
            entry = assay_mask_next(rejects, chunk.entries, entry + 1)
        }
    }

    /// Returns the number of set bits from `first` up to `end`.
    private func count(of rejects: [UInt64], _ first: Int, _ end: Int) -> Int {
        var (count, word) = (0, first / 64)
        while word * 64 < end {
            var rows = rejects[word]
            if word == first / 64 { rows &= UInt64.max << UInt64(first % 64) }
            if end - word * 64 < 64 { rows &= ~(UInt64.max << UInt64(end - word * 64)) }
            count += rows.nonzeroBitCount
            word += 1
        }
        return count
    }

    /// Adds the counts of another worker.
    mutating func add(_ other: RejectPositions) {
        if other.rejected.isEmpty { return }
        var other = other
        while other.shift < shift { other.widen() }
        while shift < other.shift { widen() }
        extend(to: other.rejected.count)
        for (part, count) in other.rejected.enumerated() { rejected[part] += count }
    }

    /// Returns the counts with the parts of a table of `records` records.
    func covering(records: Int) -> RejectPositions {
        var all = self
        if records > 0 { all.cover(record: records) }
        return all
    }

    /// Writes or reads the counts.
    mutating func code(with coder: inout CheckpointCoder) {
        coder.code(&shift)
        coder.code(&rejected)
    }

    /// Extends the parts to include a record.
    private mutating func cover(record: Int) {
        while (record - 1) >> shift >= Self.maxCount { widen() }
        extend(to: ((record - 1) >> shift) + 1)
    }

    private mutating func extend(to count: Int) {
        if rejected.count < count { rejected += repeatElement(0, count: count - rejected.count) }
    }

    /// Merges each pair of parts.
    private mutating func widen() {
        rejected = stride(from: 0, to: rejected.count, by: 2).map { part in
            rejected[part] + (part + 1 < rejected.count ? rejected[part + 1] : 0)
        }
        shift += 1
    }
}
