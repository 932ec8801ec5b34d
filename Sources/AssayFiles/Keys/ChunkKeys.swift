internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The keys of a chunk's records, with their places in the chunk. Scratch memory of one worker.
final class ChunkKeys {
    let rows: RowKeys
    private let hasher: KeyHasher
    private let keepsValues: Bool
    private let delimiterBytes: Int
    /// For each row and key: the value, if findings show it.
    private var values: [[UInt8]] = []
    private var sharded = ShardedRows()

    /// The number of rows in all chunks that each key refused: first the keys, then the foreign keys, then the sorted
    /// columns.
    private(set) var failed: [Int]
    /// For each column in `[KeyColumn].keyPositions`: the number of rows that its single-column keys refused.
    private(set) var failedByColumn: [Int]
    /// For each key: its index among these columns, if it has a single column.
    private let columnOfKey: [Int?]

    init(
        _ columns: [KeyColumn], preference: BoundPreference?, limits: MatchLimits, dialect: assay_dialect,
        keepsValues: Bool
    ) throws(NoMemoryError) {
        hasher = try KeyHasher(limits: limits)
        var dialect = dialect
        rows = RowKeys(columns, preference: preference)
        self.keepsValues = keepsValues
        delimiterBytes = Int(assay_dialect_delimiter_bytes(&dialect))
        let keys = columns[..<columns.reportedCount]
        failed = Array(repeating: 0, count: keys.count)
        let positions = columns.keyPositions
        failedByColumn = Array(repeating: 0, count: positions.count)
        columnOfKey = keys.map { key in key.onlyPosition.flatMap { positions.firstIndex(of: $0) } }
    }

    /// Begins another chunk.
    func begin(entries: Int) {
        rows.begin(rows: entries)
        values.removeAll(keepingCapacity: true)
    }

    /// Adds the rows of a slice after its other checks.
    ///
    /// - Parameters:
    ///   - closed: The rows to leave out.
    ///   - lines: The line numbers of the chunk, requested in ascending order.
    func add(_ slice: Slice, closed: (_ word: Int) -> UInt64, dialect: assay_dialect, lines: inout assay_lines) {
        let (chunk, delimiterBytes) = (slice.chunk, delimiterBytes)
        let columns = KeyColumns.cells { position, selected, cells, nullTexts in
            slice.gather(position, only: selected, dialect: dialect, into: cells, nullTexts: nullTexts)
        }
        withUnsafeMutablePointer(to: &lines) { lines in
            let source = RowKeys.Slice(rows: slice.rows, columns: columns) { to, first, open in
                assay_key_rows_add(
                    &to, first, chunk.batch, lines, UInt32(slice.first), open, slice.rows,
                    UInt64(chunk.recordNumber(0)),
                    RecordPlace(line: 0, input: chunk.input).bits)
            } place: { to, first, number, position, open in
                assay_key_rows_place(
                    &to, first, number, chunk.batch, UInt32(slice.first), open, slice.rows, UInt32(position),
                    delimiterBytes, slice.places(position: position))
            }
            rows.add(source, hasher, closed: closed) { open, first in
                if keepsValues { addValues(of: slice, open, from: first, dialect: dialect) }
            }
        }
    }

    private func addValues(of slice: Slice, _ open: UnsafePointer<UInt64>, from first: Int, dialect: assay_dialect) {
        let each = rows.each
        values.append(contentsOf: repeatElement([], count: (rows.rows - first) * each))
        for (number, column) in rows.columns.enumerated() {
            guard let position = column.onlyPosition else { continue }
            slice.withCells(of: position, in: open, dialect: dialect) { bytes, cells in
                for row in first..<rows.rows {
                    let cell = cells[Int(rows.entries[row]) - slice.first]
                    values[row * each + number] = Array(
                        UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length)))
                }
            }
        }
    }

    /// Decides the rows of the chunk `ticket` with the held keys; see ``KeyShards/claim(ticket:_:)``.
    ///
    /// - Parameter chunks: The number of following chunks, which may have equally many keys.
    func claim(in shards: KeyShards, ticket: Int, chunksToCome chunks: Int) throws(FileError) -> Int? {
        rows.beginDeciding()
        if shards.count == 1 {
            return try shards.claim(ticket: ticket) { _, set in
                defer { set.reserve(chunks: chunks) }
                return rows.claim(in: set)
            }
        }
        sharded.divide(rows.claims, rows: rows.rows, each: rows.each, among: shards.count)
        let firstWithoutRoom = try shards.claim(ticket: ticket) { shard, set in
            defer { set.reserve(chunks: chunks) }
            return sharded.claim(shard, in: set)
        }
        sharded.forEachRefused { rows.refuse($0, holder: $1) }
        return firstWithoutRoom
    }

    /// Returns the keys of rows with one key each, sorted by partition.
    func dividedForPartitions() -> ShardedRows {
        sharded.divide(rows.claims, rows: rows.rows, each: rows.each, among: KeyPartitions.count)
        sharded.setOrders()
        return sharded
    }

    /// Returns the findings about keys of refused rows in the order of the records, and counts them.
    func findings(of templates: KeyTemplates, in chunk: Chunk, endsAtCR: Bool) -> [KeyFinding] {
        var found: [KeyFinding] = []
        var lastRows = Array(repeating: -1, count: failedByColumn.count)
        rows.forEachRefusal { row, key, holder in
            failed[key] += 1
            if let place = columnOfKey[key], lastRows[place] != row {
                failedByColumn[place] += 1
                lastRows[place] = row
            }
            let (entry, cell) = (Int(rows.entries[row]), row * rows.each + key)
            var value = keepsValues ? values[cell] : nil
            if keepsValues && templates.isOfRecord(key) { value = chunk.text(entry, endsAtCR: endsAtCR) }
            found.append(
                KeyFinding(
                    entry: entry, record: Int(rows.records[row]), place: Int(rows.places[cell]), column: key,
                    holder: holder, value: value))
        }
        return found
    }

    /// Appends the rows to `bytes`, without their keys.
    func park(in bytes: inout PlainBytes) {
        let state = rows.state
        bytes.put(all: state.entries)
        bytes.put(all: state.records)
        bytes.put(all: state.places)
        bytes.put(all: state.incomplete)
        bytes.put(all: state.closed)
        for orphans in state.orphans { bytes.put(all: orphans) }
        bytes.put(all: state.unsorted)
        bytes.put(values.count)
        for value in values { bytes.put(all: value) }
    }

    /// Restores the rows from `bytes`.
    func restore(from bytes: inout PlainBytes) {
        values.removeAll(keepingCapacity: true)
        rows.restore(
            RowKeys.State(
                entries: bytes.takeAll(), records: bytes.takeAll(), places: bytes.takeAll(),
                incomplete: bytes.takeAll(),
                closed: bytes.takeAll(), orphans: rows.columns[rows.columns.foreign].map { _ in bytes.takeAll() },
                unsorted: bytes.takeAll()))
        for _ in 0..<bytes.take(Int.self) { values.append(bytes.takeAll()) }
    }
}
