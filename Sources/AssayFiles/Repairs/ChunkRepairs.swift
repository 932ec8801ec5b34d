internal import Assay
internal import CAssay

/// What repairs have changed in a chunk: which bytes of which record become which others. Scratch of one worker.
///
///     judged     7, Anna ,x⏎   8,bo,N/A⏎      values " Anna " → "Anna", "N/A" → ""
///     changes    ├ 2..<8 Anna              the fields as they are written: in quotes only where they must be
///                └ 18..<21 (empty)
///     settled    those of clean records, in the order of the bytes
///
final class ChunkRepairs {
    /// A cell that is written anew.
    struct Change: BitwiseCopyable {
        var entry: UInt32
        /// Which bytes of the chunk it stands in for.
        var start, end: UInt32
        /// Where in ``texts`` it begins, and how long it is.
        var text, length: UInt32
        /// Bit i: repair i of the column changed it.
        var causes: UInt32
        /// Its place in ``RepairPlan/columns``.
        var column: UInt32
    }

    let plan: RepairPlan
    private var changes: [Change] = []
    private(set) var texts: [UInt8] = []
    /// Those of clean records, ascending, once the chunk is settled.
    private(set) var settled: [Change] = []
    private(set) var edits: [assay_edit] = []
    /// The values have more bytes than are allowed, so that what there is of them is not whole.
    private(set) var failure: NoMemoryError?
    /// By column and repair: how many cells of clean records it changed, of all chunks.
    private(set) var counts: [[Int]]

    init(_ plan: RepairPlan) {
        self.plan = plan
        counts = plan.columns.map { Array(repeating: 0, count: $0.repairs.count) }
    }

    /// Begins with another chunk.
    func begin() {
        changes.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        settled.removeAll(keepingCapacity: true)
        edits.removeAll(keepingCapacity: true)
    }

    /// How many bytes more the clean records have than they came with.
    var growth: Int { edits.reduce(0) { $0 + Int($1.length) - Int($1.end - $1.start) } }

    // MARK: - Judging

    /// Takes what was changed in the plain columns of a slice.
    func add(_ slice: Slice, _ repairer: ColumnRepairer) {
        let delimiterBytes = withUnsafePointer(to: plan.dialect) { Int(assay_dialect_delimiter_bytes($0)) }
        forEachChange(repairer) { cell, value in
            let position = plan.columns[cell.column].position
            if let json = slice.json {
                let start = json.places(position)[cell.row - slice.first]
                addScalar(slice.chunk, cell, entry: cell.row, at: start, cell.column, value)
            } else {
                let range = slice.chunk.fieldRange(cell.row, position, delimiterBytes: delimiterBytes)
                addField(slice.chunk, cell, range, value)
            }
        }
    }

    /// Hands out the changes with their values, and forgets them.
    private func forEachChange(
        _ repairer: ColumnRepairer, _ body: (RepairedCells.Cell, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        do {
            let (cells, bytes) = (repairer.changes.cells, repairer.changes.bytes)
            bytes.withUnsafeBufferPointer { bytes in
                for cell in cells { body(cell, UnsafeBufferPointer(rebasing: bytes[cell.range])) }
            }
        }
        repairer.changes.removeAll()
    }

    /// Takes what was changed in the elements of a list column.
    ///
    /// - Parameters:
    ///   - number: which of the list columns this is.
    ///   - first: the first entry of the slice.
    func add(
        list number: Int, _ elements: JSONReader.Elements, of chunk: Chunk, first: Int, _ repairer: ColumnRepairer
    ) {
        forEachChange(repairer) { cell, value in
            let entry = first + Int(elements.rows[cell.row])
            addScalar(chunk, cell, entry: entry, at: elements.places[cell.row], plan.plainCount + number, value)
        }
    }

    private func addField(
        _ chunk: Chunk, _ cell: RepairedCells.Cell, _ range: Range<Int>, _ value: UnsafeBufferPointer<UInt8>
    ) {
        let dialect = plan.dialect
        var from = range.lowerBound
        if dialect.skip_initial_space {
            while from < range.upperBound, [32, 9].contains(chunk.bytes[from]) { from += 1 }
        }
        let wasQuoted = dialect.quoting && from < range.upperBound && chunk.bytes[from] == dialect.quote
        let position = plan.columns[cell.column].position
        let isOnly = chunk.fieldCount(cell.row) == 1
        let length = write(upTo: 2 * value.count + 2) { out in
            withUnsafePointer(to: dialect) {
                assay_csv_write($0, value.baseAddress, value.count, wasQuoted, position == 0, isOnly, out)
            }
        }
        add(cell, entry: cell.row, range, cell.column, length)
    }

    private func addScalar(
        _ chunk: Chunk, _ cell: RepairedCells.Cell, entry: Int, at start: UInt32, _ number: Int,
        _ value: UnsafeBufferPointer<UInt8>
    ) {
        let column = plan.columns[number]
        let end = assay_json_scalar_end(chunk.bytes, start, chunk.record(entry).end)
        let isMissing = value.isEmpty && (column.hasNoText || cell.causes & column.missing != 0)
        let length = write(upTo: 6 * value.count + 4) { out in
            if isMissing {
                out.update(from: Self.null, count: Self.null.count)
                return Self.null.count
            }
            return assay_json_write(chunk.bytes[Int(start)], column.isLiteral, value.baseAddress, value.count, out)
        }
        add(cell, entry: entry, Int(start)..<Int(end), number, length)
    }

    private static let null = Array("null".utf8)

    private func add(
        _ cell: RepairedCells.Cell, entry: Int, _ range: Range<Int>, _ column: Int, _ length: Int
    ) {
        changes.append(
            Change(
                entry: UInt32(entry), start: UInt32(range.lowerBound), end: UInt32(range.upperBound),
                text: UInt32(texts.count - length), length: UInt32(length), causes: cell.causes,
                column: UInt32(column)))
    }

    /// Appends to the texts what `body` writes, and returns how much that is.
    private func write(upTo most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) -> Int {
        if texts.count + most > RepairedCells.mostBytes {
            failure = .repairedValues
            return 0
        }
        return appending(upTo: most, body)
    }

    private func appending(upTo most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { out in
            let count = body(out.baseAddress!)
            texts.append(contentsOf: UnsafeBufferPointer(rebasing: out[..<count]))
            return count
        }
    }

    // MARK: - Writing

    /// Drops the changes of records that are rejected: they are written as they came. Puts the others in the order of the bytes,
    /// and counts them.
    func settle(_ chunk: Chunk, rejects: [UInt64]) {
        settled.removeAll(keepingCapacity: true)
        edits.removeAll(keepingCapacity: true)
        sort(entries: chunk.entries, without: rejects)
        for change in settled {
            edits.append(
                assay_edit(start: change.start, end: change.end, text: change.text, length: change.length))
            var causes = change.causes
            while causes != 0 {
                counts[Int(change.column)][causes.trailingZeroBitCount] += 1
                causes &= causes - 1
            }
        }
    }

    /// Sorts by entry, and those of one entry by their places: changes come column by column.
    private func sort(entries: Int, without rejects: [UInt64]) {
        func isClean(_ change: Change) -> Bool {
            rejects[Int(change.entry / 64)] >> UInt64(change.entry % 64) & 1 == 0
        }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: entries + 1) { next in
            next.initialize(repeating: 0)
            var count = 0
            for change in changes where isClean(change) {
                next[Int(change.entry) + 1] += 1
                count += 1
            }
            if count == 0 { return }
            for entry in 0..<entries { next[entry + 1] += next[entry] }
            settled.append(contentsOf: repeatElement(changes[0], count: count))
            settled.withUnsafeMutableBufferPointer { settled in
                for change in changes where isClean(change) {
                    settled[next[Int(change.entry)]] = change
                    next[Int(change.entry)] += 1
                }
                // Now each is where the next entry begins. A record of JSON Lines may have any number of elements.
                for entry in 0..<entries {
                    let own = (entry == 0 ? 0 : next[entry - 1])..<next[entry]
                    if own.count > 1 { settled[own].sort { $0.start < $1.start } }
                }
            }
        }
    }

    // MARK: - Waiting

    /// Puts the changes behind other bytes.
    func park(in bytes: inout PlainBytes) {
        bytes.put(all: changes)
        bytes.put(all: texts)
    }

    /// Has the changes that were put there.
    func restore(from bytes: inout PlainBytes) {
        begin()
        changes = bytes.takeAll()
        texts = bytes.takeAll()
    }
}
