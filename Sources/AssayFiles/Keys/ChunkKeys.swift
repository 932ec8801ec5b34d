internal import Assay
internal import CAssay

/// The keys of the chunk's records that have no other errors, and the records that are refused because of their keys.
/// Scratch memory of one worker.
///
///     row   entry   email.unique   primaryKey
///     0       0      7d…            91…          entry 1 was rejected before, and takes no part;
///     1       2      ·              e0…          of entry 2 a part of the first key is missing
///
/// A foreign key is looked up as soon as its rows are checked, unless it refers to this table.
final class ChunkKeys {
    private let columns: [KeyColumn]
    /// The number of keys per record.
    var count: Int { columns.count }
    /// The number of unique keys. Their columns come first.
    private let uniqueCount: Int
    /// The range of foreign keys.
    private let foreign: Range<Int>
    private var hasher: KeyHasher
    /// Whether all columns are foreign keys that can be looked up immediately. Only orphans are then added as rows.
    private let addsOnlyOrphans: Bool
    private let keepsValues: Bool
    private let delimiterBytes: Int

    /// The number of rows.
    private(set) var rows = 0
    /// By row: the entry of the chunk.
    private(set) var entries: [UInt32] = []
    /// By row: the number of the record.
    private(set) var records: [UInt64] = []
    /// By row and key. The record is 0 if the row lacks the key.
    private(set) var claims: [assay_key] = []
    /// By row and key: the place of a finding in the chunk.
    private(set) var places: [UInt32] = []
    /// By row and key: the value, if findings show it.
    private(set) var values: [[UInt8]] = []
    /// Rows that lack a part of the primary key.
    private var lacking: [UInt64] = []
    /// By foreign key: rows without a target.
    private var orphans: [[UInt64]]
    /// Rows that are excluded from decisions between records, because they lack a part of a key or are orphans.
    private var closed: [UInt64] = []

    /// Refused rows: closed rows, and rows with keys that other records hold.
    private var refused: [UInt64] = []
    /// By row and key; valid only for refused rows.
    private var holders: [assay_key] = []
    private var sharded = ShardedRows()

    /// The number of rows in all chunks that each key refused; by key, then by foreign key.
    private(set) var failed: [Int]
    /// By column in `[KeyColumn].keyPositions`: the number of rows that its single-column keys refused.
    private(set) var failedByColumn: [Int]
    /// By key: its index among these columns, if it has a single column.
    private let columnOfKey: [Int?]

    /// The number of keys per row.
    var each: Int { columns.count }

    init(_ columns: [KeyColumn], limits: MatchLimits, dialect: assay_dialect, keepsValues: Bool) throws(NoMemoryError) {
        hasher = try KeyHasher(limits: limits)
        var dialect = dialect
        self.columns = columns
        uniqueCount = columns.uniqueCount
        foreign = columns.foreign
        self.keepsValues = keepsValues
        addsOnlyOrphans = columns.allSatisfy { if case .foreign = $0.role { true } else { false } }
        delimiterBytes = Int(assay_dialect_delimiter_bytes(&dialect))
        orphans = Array(repeating: [], count: foreign.count)
        failed = Array(repeating: 0, count: foreign.upperBound)
        let positions = columns.keyPositions
        failedByColumn = Array(repeating: 0, count: positions.count)
        columnOfKey = columns[..<foreign.upperBound].map { key in
            key.onlyPosition.flatMap { positions.firstIndex(of: $0) }
        }
    }

    /// Begins another chunk.
    func begin(entries most: Int) {
        rows = 0
        lacking.removeAll(keepingCapacity: true)
        closed.removeAll(keepingCapacity: true)
        for key in orphans.indices { orphans[key].removeAll(keepingCapacity: true) }
        values.removeAll(keepingCapacity: true)
        makeRoom(most)
    }

    private func makeRoom(_ most: Int) {
        guard entries.count < most else { return }
        let none = assay_key(hash: assay_key_hash(), record: 0, place: 0)
        entries = Array(repeating: 0, count: most)
        records = Array(repeating: 0, count: most)
        claims = Array(repeating: none, count: most * each)
        holders = claims
        places = Array(repeating: 0, count: most * each)
    }

    /// Adds the rows of a slice after its other checks.
    ///
    /// - Parameters:
    ///   - closed: The rows to leave out.
    ///   - lines: The line numbers of the chunk, requested in ascending order.
    func add(_ slice: Slice, closed: (_ word: Int) -> UInt64, dialect: assay_dialect, lines: inout assay_lines) {
        let first = rows
        let words = maskWords(slice.rows)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (2 + each) * words) { buffer in
            let (open, present) = (buffer.baseAddress!, buffer.baseAddress! + words)
            for word in 0..<words {
                let rows = min(64, slice.rows - 64 * word)
                open[word] = ~closed(word) & (rows == 64 ? ~0 : 1 << UInt64(rows) - 1)
            }
            let absent = present + words
            if addsOnlyOrphans && !keepOrphans(of: slice, open, absent: absent, dialect: dialect) { return }
            withRows { to in
                let chunk = slice.chunk
                rows += assay_key_rows_add(
                    &to, first, chunk.batch, &lines, UInt32(slice.first), open, slice.rows,
                    UInt64(chunk.recordNumber(0)), RecordPlace(line: 0, input: chunk.input).bits)
                // If no record was read, there are no values.
                for (number, column) in columns.enumerated() where rows > first {
                    if addsOnlyOrphans {
                        addOrphans(absent + number * words, of: number, open, words: words, from: first)
                    } else {
                        hashKey(number, of: slice, open, present, from: first, dialect: dialect, into: &to)
                    }
                    // A finding about a key of several columns has the place of the record.
                    guard let position = column.onlyPosition else { continue }
                    assay_key_rows_place(
                        &to, first, number, chunk.batch, UInt32(slice.first), open, slice.rows, UInt32(position),
                        delimiterBytes, slice.places(position: position))
                }
            }
            if keepsValues && rows > first { addValues(of: slice, open, from: first, dialect: dialect) }
        }
        markLacking(from: first)
        close(from: first)
    }

    /// Hashes a key of the rows that have been added.
    ///
    /// - Parameters:
    ///   - open: The rows of the slice that were added as the rows from `first` on.
    ///   - present: Scratch memory.
    private func hashKey(
        _ number: Int, of slice: Slice, _ open: UnsafePointer<UInt64>, _ present: UnsafeMutablePointer<UInt64>,
        from first: Int, dialect: assay_dialect, into to: inout assay_key_rows
    ) {
        let (column, words) = (columns[number], maskWords(slice.rows))
        present.update(from: open, count: words)
        let hashes = hasher.hash(column.key, rows: slice.rows, wanted: present) { position, cells in
            slice.gather(position, only: present, dialect: dialect, into: cells)
        }
        if case .foreign(let held) = column.role {
            held.takeOut(hashes, rows: slice.rows, from: present)
            addOrphans(present, of: number - foreign.lowerBound, open, words: words, from: first)
            present.update(repeating: 0, count: words)
        }
        assay_key_rows_hash(&to, first, number, open, present, slice.rows, hashes)
    }

    /// Keeps only the orphans among the rows of a mask. Returns `false` if there are no orphans.
    ///
    /// - Parameter absent: By foreign key; receives the rows without a target.
    private func keepOrphans(
        of slice: Slice, _ open: UnsafeMutablePointer<UInt64>, absent: UnsafeMutablePointer<UInt64>,
        dialect: assay_dialect
    ) -> Bool {
        let words = maskWords(slice.rows)
        for (number, column) in columns.enumerated() {
            guard case .foreign(let held) = column.role else { continue }
            let own = absent + number * words
            own.update(from: open, count: words)
            let hashes = hasher.hash(column.key, rows: slice.rows, wanted: own) { position, cells in
                slice.gather(position, only: own, dialect: dialect, into: cells)
            }
            held.takeOut(hashes, rows: slice.rows, from: own)
        }
        var isAny = false
        for word in 0..<words {
            open[word] = (0..<each).reduce(0) { $0 | absent[$1 * words + word] }
            isAny = isAny || open[word] != 0
        }
        return isAny
    }

    /// Marks added rows with a foreign key that has no target.
    ///
    /// - Parameters:
    ///   - absent: The rows of the slice without a target.
    ///   - open: The rows of the slice that were added as the rows from `first` on.
    private func addOrphans(
        _ absent: UnsafePointer<UInt64>, of key: Int, _ open: UnsafePointer<UInt64>, words: Int, from first: Int
    ) {
        orphans[key].append(contentsOf: repeatElement(0, count: maskWords(rows) - orphans[key].count))
        var before = first
        for word in 0..<words {
            forEachBit(in: absent[word]) { bit in
                let row = before + (open[word] & (1 << UInt64(bit) - 1)).nonzeroBitCount
                orphans[key][row / 64] |= 1 << UInt64(row % 64)
            }
            before += open[word].nonzeroBitCount
        }
    }

    /// Passes the rows to a C function.
    private func withRows(_ body: (inout assay_key_rows) -> Void) {
        entries.withUnsafeMutableBufferPointer { entries in
            records.withUnsafeMutableBufferPointer { records in
                claims.withUnsafeMutableBufferPointer { claims in
                    places.withUnsafeMutableBufferPointer { places in
                        var rows = assay_key_rows(
                            each: each, entries: entries.baseAddress, records: records.baseAddress,
                            keys: claims.baseAddress, places: places.baseAddress)
                        body(&rows)
                    }
                }
            }
        }
    }

    private func addValues(of slice: Slice, _ open: UnsafePointer<UInt64>, from first: Int, dialect: assay_dialect) {
        values.append(contentsOf: repeatElement([], count: (rows - first) * each))
        for (number, column) in columns.enumerated() {
            guard let position = column.onlyPosition else { continue }
            slice.withCells(of: position, in: open, dialect: dialect) { bytes, cells in
                for row in first..<rows {
                    let cell = cells[Int(entries[row]) - slice.first]
                    values[row * each + number] = Array(
                        UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length)))
                }
            }
        }
    }

    /// Marks rows that lack a part of the primary key. They must be rejected.
    private func markLacking(from first: Int) {
        lacking.append(contentsOf: repeatElement(0, count: maskWords(rows) - lacking.count))
        guard let primary = columns.firstIndex(where: { $0.isPrimary }) else { return }
        for row in first..<rows where claims[row * each + primary].record == 0 {
            lacking[row / 64] |= 1 << UInt64(row % 64)
        }
    }

    /// Removes the claims of orphans and of rows that lack a part of a key. References that are looked up at the end
    /// are kept.
    private func close(from first: Int) {
        closed.append(contentsOf: repeatElement(0, count: maskWords(rows) - closed.count))
        for word in first / 64..<closed.count {
            closed[word] |= lacking[word]
            for orphans in orphans where word < orphans.count { closed[word] |= orphans[word] }
            forEachBit(in: closed[word]) { bit in
                for column in 0..<each where columns[column].late == nil {
                    claims[(word * 64 + bit) * each + column].record = 0
                }
            }
        }
    }

    /// Begins with the closed rows as the only refused ones.
    func beginDeciding() {
        refused.removeAll(keepingCapacity: true)
        refused.append(contentsOf: closed)
    }

    /// Decides the rows of the chunk `ticket` with the held keys; see ``KeyShards/claim(ticket:_:)``.
    ///
    /// - Parameter chunks: The number of following chunks, which may have equally many keys.
    func claim(in shards: KeyShards, ticket: Int, chunksToCome chunks: Int) throws(FileError) -> Int? {
        beginDeciding()
        if shards.count == 1 {
            return try shards.claim(ticket: ticket) { _, set in
                defer { set.reserve(chunks: chunks) }
                return claim(in: set)
            }
        }
        sharded.divide(claims, rows: rows, each: each, among: shards.count)
        let firstWithoutRoom = try shards.claim(ticket: ticket) { shard, set in
            defer { set.reserve(chunks: chunks) }
            return sharded.claim(shard, in: set)
        }
        sharded.forEachRefused { row, holder in
            refused[row / 64] |= 1 << UInt64(row % 64)
            holders[row * each] = holder
        }
        return firstWithoutRoom
    }

    /// Returns the keys of rows with one key each, sorted by partition.
    func dividedForPartitions() -> ShardedRows {
        sharded.divide(claims, rows: rows, each: each, among: KeyPartitions.count)
        sharded.setOrders()
        return sharded
    }

    /// Decides the rows with a set. Returns `false` if memory runs out.
    func claim(in set: KeySet) -> Bool {
        beginDeciding()
        let done = refused.withUnsafeMutableBufferPointer { refused in
            holders.withUnsafeMutableBufferPointer { holders in
                claims.withUnsafeBufferPointer { claims in
                    rows == 0
                        || set.claim(
                            claims.baseAddress!, records: rows, each: each, holders: holders.baseAddress!,
                            refused: refused.baseAddress!)
                }
            }
        }
        for word in refused.indices { refused[word] |= closed[word] }
        return done
    }

    /// The number of refused rows.
    var refusedRows: Int { refused.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Adds the entries of refused rows to a mask.
    func addRefused(to mask: inout [UInt64]) {
        for word in refused.indices {
            forEachBit(in: refused[word]) { bit in
                let entry = Int(entries[word * 64 + bit])
                mask[entry / 64] |= 1 << UInt64(entry % 64)
            }
        }
    }

    /// Restores the decisions that were made before the chunk was cut and its rows were added again.
    func decideAsBefore() {
        let words = maskWords(rows)
        refused.removeLast(refused.count - words)
        if rows % 64 > 0 { refused[words - 1] &= lowBits(rows % 64) }
    }

    /// Passes all keys to `body` in the order of the rows, each with the number of its column.
    func forEachClaim(_ body: (assay_key, _ column: Int) throws(FileError) -> Void) throws(FileError) {
        for row in 0..<rows {
            for column in 0..<each where claims[row * each + column].record != 0 {
                try body(claims[row * each + column], column)
            }
        }
    }

    /// Refuses a row for a column, because another record holds the key or a foreign key has no target.
    func refuse(_ row: Int, column: Int, holder record: UInt64, place: UInt64) {
        let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
        if refused[word] & bit == 0 {
            for other in 0..<each { holders[row * each + other].record = 0 }
        }
        refused[word] |= bit
        if foreign.contains(column) {
            let key = column - foreign.lowerBound
            orphans[key].append(contentsOf: repeatElement(0, count: maskWords(rows) - orphans[key].count))
            orphans[key][word] |= bit
        } else {
            holders[row * each + column] = assay_key(hash: assay_key_hash(), record: record, place: place)
        }
    }

    /// Calls `body` for each reason to refuse a row, and counts it. `holder` is `nil` if a part of the primary key is
    /// missing or a foreign key has no target.
    private func forEachRefusal(_ body: (_ row: Int, _ column: Int, _ holder: assay_key?) -> Void) {
        var lastRows = Array(repeating: -1, count: failedByColumn.count)
        for word in refused.indices {
            forEachBit(in: refused[word]) { bit in
                let row = word * 64 + bit
                let lacks = isSet(lacking, row)
                let isClosed = isSet(closed, row)
                for column in 0..<foreign.upperBound {
                    let holder = holders[row * each + column]
                    let isReason =
                        foreign.contains(column)
                        ? isSet(orphans[column - foreign.lowerBound], row)
                        : isClosed ? lacks && columns[column].isPrimary : holder.record != 0
                    if !isReason { continue }
                    failed[column] += 1
                    if let place = columnOfKey[column], lastRows[place] != row {
                        failedByColumn[place] += 1
                        lastRows[place] = row
                    }
                    body(row, column, isClosed || foreign.contains(column) ? nil : holder)
                }
            }
        }
    }

    private func isSet(_ mask: [UInt64], _ row: Int) -> Bool {
        row / 64 < mask.count && mask[row / 64] >> UInt64(row % 64) & 1 != 0
    }
}

extension ChunkKeys {
    /// Returns the findings about keys of refused rows in the order of the records, and counts them.
    func findings(of templates: KeyTemplates, in chunk: Chunk, endsAtCR: Bool) -> [KeyFinding] {
        var found: [KeyFinding] = []
        forEachRefusal { row, key, holder in
            let (entry, cell) = (Int(entries[row]), row * each + key)
            var value = keepsValues ? values[cell] : nil
            if keepsValues && templates.isOfRecord(key) { value = chunk.text(entry, endsAtCR: endsAtCR) }
            found.append(
                KeyFinding(
                    entry: entry, record: Int(records[row]), place: Int(places[cell]), column: key, holder: holder,
                    value: value))
        }
        return found
    }

    /// Appends the rows to `bytes`, without their keys.
    func park(in bytes: inout PlainBytes) {
        bytes.put(all: Array(entries[..<rows]))
        bytes.put(all: Array(records[..<rows]))
        bytes.put(all: Array(places[..<(rows * each)]))
        bytes.put(all: lacking)
        bytes.put(all: closed)
        for orphans in orphans { bytes.put(all: orphans) }
        bytes.put(values.count)
        for value in values { bytes.put(all: value) }
    }

    /// Restores the rows from `bytes`.
    func restore(from bytes: inout PlainBytes) {
        let entries = bytes.takeAll(of: UInt32.self)
        begin(entries: entries.count)
        rows = entries.count
        self.entries.replaceSubrange(..<rows, with: entries)
        records.replaceSubrange(..<rows, with: bytes.takeAll(of: UInt64.self))
        places.replaceSubrange(..<(rows * each), with: bytes.takeAll(of: UInt32.self))
        lacking = bytes.takeAll()
        closed = bytes.takeAll()
        for key in orphans.indices { orphans[key] = bytes.takeAll() }
        for _ in 0..<bytes.take(Int.self) { values.append(bytes.takeAll()) }
    }
}
