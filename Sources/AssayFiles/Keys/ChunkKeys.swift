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

    /// By row: the entry of the chunk.
    var entries: [UInt32] = []
    /// By row: the number of the record.
    var records: [UInt64] = []
    /// By row and key; without a record where there is no key.
    var claims: [assay_key] = []
    /// By row and key: where in the chunk what is found stands.
    var places: [UInt32] = []
    /// By row and key: the value, if it is to be shown.
    var values: [[UInt8]] = []
    /// Rows that lack a part of the primary key.
    var lacking: [UInt64] = []

    /// Rows that are refused: those that lack something, and those of whose keys others are the holders.
    var refused: [UInt64] = []
    /// By row and key; right for refused rows.
    var holders: [assay_key] = []

    /// How many rows each key has refused, of all chunks.
    private(set) var failed: [Int]

    /// How many keys each row has.
    var each: Int { keys.count }
    var rows: Int { entries.count }

    init(_ keys: [BoundKey], limits: MatchLimits, dialect: assay_dialect, keepsValues: Bool) throws(NoMemoryError) {
        hasher = try KeyHasher(limits: limits)
        var dialect = dialect
        self.keys = keys
        self.keepsValues = keepsValues
        delimiterBytes = Int(assay_dialect_delimiter_bytes(&dialect))
        failed = Array(repeating: 0, count: keys.count)
    }

    /// Begins with another chunk.
    func begin() {
        entries.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
        claims.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        lacking.removeAll(keepingCapacity: true)
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
            let (open, wanted) = (buffer.baseAddress!, buffer.baseAddress! + words)
            for word in 0..<words {
                let rows = min(64, slice.rows - 64 * word)
                open[word] = ~closed(word) & (rows == 64 ? ~0 : 1 << UInt64(rows) - 1)
            }
            addRows(slice, open, &lines)
            for (number, key) in keys.enumerated() {
                wanted.update(from: open, count: words)
                let hashes = hasher.hash(key, rows: slice.rows, wanted: wanted) { position, cells in
                    slice.gather(position, only: wanted, dialect: dialect, into: cells)
                }
                var row = first
                forEachRow(open, words) { index in
                    if wanted[index / 64] >> UInt64(index % 64) & 1 != 0 {
                        claims[row * each + number].hash = hashes[index]
                    } else {
                        claims[row * each + number].record = 0
                    }
                    row += 1
                }
                addPlaces(of: key, number, slice, open, from: first, dialect: dialect)
            }
        }
        markLacking(from: first)
    }

    private func addRows(_ slice: Slice, _ open: UnsafePointer<UInt64>, _ lines: inout assay_lines) {
        let chunk = slice.chunk
        forEachRow(open, maskWords(slice.rows)) { index in
            let entry = slice.first + index
            let line = assay_lines_at(&lines, Int(chunk.record(entry).start), UInt32(entry))
            let record = UInt64(chunk.recordNumber(entry))
            let place = RecordPlace(line: Int(line), input: chunk.input).bits
            entries.append(UInt32(entry))
            records.append(record)
            for _ in 0..<each {
                claims.append(assay_key(hash: assay_key_hash(), record: record, place: place))
                places.append(chunk.record(entry).start)
            }
            if keepsValues { values.append(contentsOf: repeatElement([], count: each)) }
        }
    }

    /// What is found in a key of one column stands where its value does; else where the record does.
    private func addPlaces(
        of key: BoundKey, _ number: Int, _ slice: Slice, _ open: UnsafePointer<UInt64>, from first: Int,
        dialect: assay_dialect
    ) {
        guard key.positions.count == 1, let position = key.positions[0] else { return }
        var row = first
        forEachRow(open, maskWords(slice.rows)) { index in
            let place = slice.place(slice.first + index, position: position, delimiterBytes: delimiterBytes)
            places[row * each + number] = UInt32(place)
            row += 1
        }
        guard keepsValues else { return }
        slice.withCells(of: position, in: open, dialect: dialect) { bytes, cells in
            var row = first
            forEachRow(open, maskWords(slice.rows)) { index in
                let cell = cells[index]
                values[row * each + number] = Array(
                    UnsafeBufferPointer(start: bytes + Int(cell.start), count: Int(cell.length)))
                row += 1
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

    /// Makes room for what is decided about the rows: so far those are refused that lack something.
    func beginDeciding() {
        refused.removeAll(keepingCapacity: true)
        refused.append(contentsOf: lacking)
        if holders.count < claims.count {
            holders.append(
                contentsOf: repeatElement(
                    assay_key(hash: assay_key_hash(), record: 0, place: 0), count: claims.count - holders.count))
        }
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
    func forEachRefusal(_ body: (_ row: Int, _ key: Int, _ holder: assay_key?) -> Void) {
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

private func forEachRow(_ mask: UnsafePointer<UInt64>, _ words: Int, _ body: (Int) -> Void) {
    for word in 0..<words { forEachBit(in: mask[word]) { body(word * 64 + $0) } }
}
