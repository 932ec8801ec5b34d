internal import Assay
internal import CAssay

/// The changes of repairs to a chunk: the replaced bytes of each record. Scratch memory of one worker.
///
///     judged     7, Anna ,x⏎   8,bo,N/A⏎      values " Anna " → "Anna", "N/A" → ""
///     changes    ├ 2..<8 Anna              the fields as written: quoted only if necessary
///                └ 18..<21 (empty)
///     settled    the changes to clean records, in byte order
///
final class ChunkRepairs {
    let plan: RepairPlan
    private let changes: UnsafeMutablePointer<assay_edits>
    /// The ``counts`` in the layout of the core: a row of all possible repairs for each column.
    private let counters: UnsafeMutablePointer<UInt64>

    init(_ plan: RepairPlan) throws(NoMemoryError) {
        let counters: UnsafeMutablePointer<UInt64> = try reserve(
            plan.columns.count * Self.maxRepairs, for: "the repairs of a thread")
        guard let changes = assay_edits_create() else {
            release(counters)
            throw NoMemoryError(for: "the repairs of a thread")
        }
        counters.update(repeating: 0, count: plan.columns.count * Self.maxRepairs)
        (self.plan, self.changes, self.counters) = (plan, changes, counters)
    }

    deinit {
        assay_edits_free(changes)
        release(counters)
    }

    private static let maxRepairs = Int(ASSAY_MAX_REPAIRS)

    /// Begins another chunk.
    func begin() { assay_edits_begin(changes) }

    // MARK: - Judging

    /// Adds the changes to the plain columns of a slice.
    func add(_ slice: Slice, _ repairer: ColumnRepairer) throws(NoMemoryError) {
        let (chunk, first) = (slice.chunk, UInt32(slice.first))
        for repaired in repairer.repairedColumns {
            let column = plan.columns[repaired.index]
            var changed = repaired.changed(as: repaired.index)
            if let json = slice.json {
                var style = column.style
                try check(
                    assay_edits_add_scalars(
                        changes, chunk.batch, chunk.bytes, &style, json.places(column.position), nil, first, &changed))
            } else {
                var dialect = plan.dialect
                try check(
                    assay_edits_add_fields(
                        changes, chunk.batch, chunk.bytes, &dialect, UInt32(column.position), first, &changed))
            }
        }
    }

    /// Adds the changes to the last checked elements of a list column.
    ///
    /// - Parameters:
    ///   - number: The index of the list column.
    ///   - firstElement: The first of the elements.
    ///   - first: The first entry of the slice.
    func add(
        list number: Int, _ elements: JSONReader.Elements, from firstElement: Int, of chunk: Chunk, first: Int,
        _ repairer: ColumnRepairer
    ) throws(NoMemoryError) {
        for repaired in repairer.repairedColumns {
            let index = plan.plainCount + number
            var style = plan.columns[index].style
            var changed = repaired.changed(as: index)
            try check(
                assay_edits_add_scalars(
                    changes, chunk.batch, chunk.bytes, &style, elements.places + firstElement,
                    elements.rows + firstElement, UInt32(first), &changed))
        }
    }

    private func check(_ status: assay_status) throws(NoMemoryError) {
        if status != .ASSAY_OK { throw .repairedValues }
    }

    // MARK: - Writing

    /// Drops the changes to rejected records, because these are written unchanged. Sorts the other changes by offset
    /// and counts them.
    func settle(_ chunk: Chunk, rejects: [UInt64]) throws(NoMemoryError) {
        try check(assay_edits_settle(changes, UInt32(chunk.entries), rejects, counters))
    }

    /// The changes to clean records in ascending order, after the chunk is settled.
    var settled: UnsafeBufferPointer<assay_edit> {
        UnsafeBufferPointer(start: changes.pointee.settled, count: changes.pointee.settled_count)
    }

    /// Returns the text of a change. Valid until the next chunk.
    func text(of change: assay_edit) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: changes.pointee.texts + Int(change.text), count: Int(change.length))
    }

    /// The number of bytes that the changes add to the clean records.
    var growth: Int { Int(changes.pointee.growth) }

    /// The additional memory that the clean records need.
    var margin: Int { max(0, growth) + Int(ASSAY_EDIT_MARGIN) }

    /// Separates the records: the rejected ones unchanged, the clean ones with the changes.
    ///
    /// - Parameter drops: The entries that are not written; empty writes all.
    /// - Returns: The sizes of the clean and the rejected records.
    func emit(
        _ chunk: Chunk, rejects: [UInt64], drops: [UInt64], clean: UnsafeMutablePointer<UInt8>,
        rejected: UnsafeMutablePointer<UInt8>
    ) -> (clean: Int, rejected: Int) {
        var (cleanCount, rejectedCount) = (0, 0)
        assay_emit_edited(
            chunk.batch, chunk.bytes, UInt32(chunk.entries), rejects, drops.isEmpty ? nil : drops, changes, clean,
            &cleanCount, rejected, &rejectedCount)
        return (cleanCount, rejectedCount)
    }

    /// For each repair of each column: the number of changed cells in clean records of all chunks.
    var counts: [[Int]] {
        plan.columns.enumerated().map { index, column in
            column.repairs.indices.map { Int(counters[index * Self.maxRepairs + $0]) }
        }
    }

    // MARK: - Waiting

    /// Appends the changes to `bytes`.
    func park(in bytes: inout PlainBytes) {
        let changes = changes.pointee
        bytes.put(all: UnsafeBufferPointer(start: changes.items, count: changes.count))
        bytes.put(all: UnsafeBufferPointer(start: changes.texts, count: changes.text_count))
    }

    /// Restores the changes from `bytes`.
    func restore(from bytes: inout PlainBytes) throws(NoMemoryError) {
        let items: [assay_edit] = bytes.takeAll()
        let texts: [UInt8] = bytes.takeAll()
        try check(assay_edits_restore(changes, items, items.count, texts, texts.count))
    }
}
