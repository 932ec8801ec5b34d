internal import Assay
internal import CAssay

/// The keys of those records of a chunk that are good in all else, and which of the records are refused for them. Scratch of
/// one worker.
///
///     row   entry   email.unique   primaryKey
///     0       0      7d…            91…          entry 1 was rejected before, and takes no part;
///     1       2      ·              e0…          of entry 2 a part of the first key is missing
///
final class ChunkKeys {
    private let keys: [BoundKey]
    private var hasher: KeyHasher
    private let keepsValues: Bool
    private let delimiterBytes: Int

    /// How many rows there are.
    private(set) var rows = 0
    /// By row: the entry of the chunk.
    private(set) var entries: [UInt32] = []
    /// By row: the number of the record.
    private(set) var records: [UInt64] = []
    /// By row and key; without a record where there is no key.
    private(set) var claims: [assay_key] = []
    /// By row and key: where in the chunk what is found stands.
    private(set) var places: [UInt32] = []
    /// By row and key: the value, if it is to be shown.
    private(set) var values: [[UInt8]] = []
    /// Rows that lack a part of the primary key.
    private(set) var lacking: [UInt64] = []

    /// Rows that are refused: those that lack something, and those of whose keys others are the holders.
    private var refused: [UInt64] = []
    /// By row and key; right for refused rows.
    private var holders: [assay_key] = []

    /// How many rows each key has refused, of all chunks.
    private(set) var failed: [Int]

    /// How many keys each row has.
    var each: Int { keys.count }

    init(_ keys: [BoundKey], limits: MatchLimits, dialect: assay_dialect, keepsValues: Bool) throws(NoMemoryError) {
        hasher = try KeyHasher(limits: limits)
        var dialect = dialect
        self.keys = keys
        self.keepsValues = keepsValues
        delimiterBytes = Int(assay_dialect_delimiter_bytes(&dialect))
        failed = Array(repeating: 0, count: keys.count)
    }

    /// Begins with another chunk.
    func begin(entries most: Int) {
        rows = 0
        lacking.removeAll(keepingCapacity: true)
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

    /// Adds the rows of a slice, when it has been judged.
    ///
    /// - Parameters:
    ///   - closed: those that take no part.
    ///   - lines: of the chunk; asked in ascending order.
    func add(_ slice: Slice, closed: (_ word: Int) -> UInt64, dialect: assay_dialect, lines: inout assay_lines) {
        let first = rows
        let words = maskWords(slice.rows)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * words) { buffer in
            let (open, present) = (buffer.baseAddress!, buffer.baseAddress! + words)
            for word in 0..<words {
                let rows = min(64, slice.rows - 64 * word)
                open[word] = ~closed(word) & (rows == 64 ? ~0 : 1 << UInt64(rows) - 1)
            }
            withRows { to in
                let chunk = slice.chunk
                rows += assay_key_rows_add(
                    &to, first, chunk.batch, &lines, UInt32(slice.first), open, slice.rows,
                    UInt64(chunk.recordNumber(0)), RecordPlace(line: 0, input: chunk.input).bits)
                // Where no record was read there are no values.
                for (number, key) in keys.enumerated() where rows > first {
                    present.update(from: open, count: words)
                    let hashes = hasher.hash(key, rows: slice.rows, wanted: present) { position, cells in
                        slice.gather(position, only: present, dialect: dialect, into: cells)
                    }
                    assay_key_rows_hash(&to, first, number, open, present, slice.rows, hashes)
                    // What is found in a key of several columns stands where the record does.
                    guard key.positions.count == 1, let position = key.positions[0] else { continue }
                    assay_key_rows_place(
                        &to, first, number, chunk.batch, UInt32(slice.first), open, slice.rows, UInt32(position),
                        delimiterBytes, slice.places(position: position))
                }
            }
            if keepsValues && rows > first { addValues(of: slice, open, from: first, dialect: dialect) }
        }
        markLacking(from: first)
    }

    /// Lends the rows to C.
    private func withRows(_ body: (inout assay_key_rows) -> Void) {
        entries.withUnsafeMutableBufferPointer { entries in
            records.withUnsafeMutableBufferPointer { records in
                claims.withUnsafeMutableBufferPointer { claims in
                    places.withUnsafeMutableBufferPointer { places in
                        var rows = assay_key_rows(
                            each: keys.count, entries: entries.baseAddress, records: records.baseAddress,
                            keys: claims.baseAddress, places: places.baseAddress)
                        body(&rows)
                    }
                }
            }
        }
    }

    private func addValues(of slice: Slice, _ open: UnsafePointer<UInt64>, from first: Int, dialect: assay_dialect) {
        values.append(contentsOf: repeatElement([], count: (rows - first) * each))
        for (number, key) in keys.enumerated() {
            guard key.positions.count == 1, let position = key.positions[0] else { continue }
            slice.withCells(of: position, in: open, dialect: dialect) { bytes, cells in
                for row in first..<rows {
                    let cell = cells[Int(entries[row]) - slice.first]
                    values[row * each + number] = Array(
                        UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length)))
                }
            }
        }
    }

    /// Rows that lack a part of the primary key have no key at all: they are not clean.
    private func markLacking(from first: Int) {
        lacking.append(contentsOf: repeatElement(0, count: maskWords(rows) - lacking.count))
        guard let primary = keys.firstIndex(where: { $0.key.key.kind == .primary }) else { return }
        for row in first..<rows where claims[row * each + primary].record == 0 {
            lacking[row / 64] |= 1 << UInt64(row % 64)
            for key in 0..<each { claims[row * each + key].record = 0 }
        }
    }

    /// So far those are refused that lack something.
    func beginDeciding() {
        refused.removeAll(keepingCapacity: true)
        refused.append(contentsOf: lacking)
    }

    /// Has a set decide about the rows. `false`: it has no room for them.
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
        for word in refused.indices { refused[word] |= lacking[word] }
        return done
    }

    /// Hands out all keys in the order of the rows, each with its number.
    func forEachClaim(_ body: (assay_key, _ number: Int) throws(FileError) -> Void) throws(FileError) {
        for row in 0..<rows {
            for key in 0..<each where claims[row * each + key].record != 0 { try body(claims[row * each + key], key) }
        }
    }

    /// Refuses a row, a key of which another record holds.
    func refuse(_ row: Int, key: Int, holder record: UInt64, place: UInt64) {
        if refused[row / 64] >> UInt64(row % 64) & 1 == 0 {
            for other in 0..<each { holders[row * each + other].record = 0 }
        }
        refused[row / 64] |= 1 << UInt64(row % 64)
        holders[row * each + key] = assay_key(hash: assay_key_hash(), record: record, place: place)
    }

    /// Calls `body` for each reason that a row is refused for, and counts it: the key and who holds it, `nil` where a part of
    /// the primary key is missing.
    private func forEachRefusal(_ body: (_ row: Int, _ key: Int, _ holder: assay_key?) -> Void) {
        for word in refused.indices {
            forEachBit(in: refused[word]) { bit in
                let row = word * 64 + bit
                let lacks = lacking[word] >> UInt64(bit) & 1 != 0
                for (number, key) in keys.enumerated() {
                    let holder = holders[row * each + number]
                    guard lacks ? key.key.key.kind == .primary : holder.record != 0 else { continue }
                    failed[number] += 1
                    body(row, number, lacks ? nil : holder)
                }
            }
        }
    }
}

extension ChunkKeys {
    /// What is wrong with the keys of the rows that are refused, in the order of the records. Counts it.
    func findings(of templates: KeyTemplates, in chunk: Chunk, endsAtCR: Bool) -> [KeyFinding] {
        var found: [KeyFinding] = []
        forEachRefusal { row, key, holder in
            let (entry, cell) = (Int(entries[row]), row * each + key)
            var value = keepsValues ? values[cell] : nil
            if keepsValues && templates.isOfRecord(key) { value = chunk.text(entry, endsAtCR: endsAtCR) }
            found.append(
                KeyFinding(
                    entry: entry, record: Int(records[row]), place: Int(places[cell]), key: key, holder: holder,
                    value: value))
        }
        return found
    }

    /// Puts the rows behind other bytes, without their keys.
    func park(in bytes: inout PlainBytes) {
        bytes.put(all: Array(entries[..<rows]))
        bytes.put(all: Array(records[..<rows]))
        bytes.put(all: Array(places[..<(rows * each)]))
        bytes.put(all: lacking)
        bytes.put(values.count)
        for value in values { bytes.put(all: value) }
    }

    /// Has the rows that were put there.
    func restore(from bytes: inout PlainBytes) {
        let entries = bytes.takeAll(of: UInt32.self)
        begin(entries: entries.count)
        rows = entries.count
        self.entries.replaceSubrange(..<rows, with: entries)
        records.replaceSubrange(..<rows, with: bytes.takeAll(of: UInt64.self))
        places.replaceSubrange(..<(rows * each), with: bytes.takeAll(of: UInt32.self))
        lacking = bytes.takeAll()
        for _ in 0..<bytes.take(Int.self) { values.append(bytes.takeAll()) }
    }
}
