internal import Assay
internal import CAssay

/// The keys of one table on their way through the check: hashed by the workers, claimed in the order of the rows.
///
///     worker 1   judge ▸ hash slice 0 ─┐
///     worker 2   judge ▸ hash slice 1 ─┴► slices that wait ──► keys of the slices before
///
final class KeyTask: Sendable {
    /// Those that are asked for, and where they start among the reported rules.
    let keys: [CompiledKey]
    let firstRule: Int
    /// By key, the fields of its parts; `nil` where the table has no such column.
    let fields: [[Int?]]
    /// Where they are compared; `nil`: somebody else does it.
    let seen: SeenKeys?
    let hashes: KeyHashes?
    private let seeds: [assay_key_hash]
    private let firstRecord: Int
    private let state = Lock(State())

    private struct State {
        /// The slice whose turn it is, and those that are ready before their turn.
        var next = 0
        var waiting: [Int: SliceKeys] = [:]
        var events: [KeyEvent] = []
        var hasNoRoom = false
    }

    init(
        _ keys: [CompiledKey], seeds: [assay_key_hash], fields: [[Int?]], seen: SeenKeys?, hashes: KeyHashes?,
        firstRule: Int, firstRecord: Int
    ) {
        (self.keys, self.seeds, self.fields) = (keys, seeds, fields)
        (self.seen, self.hashes) = (seen, hashes)
        (self.firstRule, self.firstRecord) = (firstRule, firstRecord)
    }

    /// Which key is the primary one.
    var primary: Int? { keys.firstIndex { $0.key.kind == .primary } }

    /// The number of the record of a row.
    func record(_ row: Int) -> UInt64 { UInt64(firstRecord + row + 1) }

    /// What the hashes of a key begin with.
    func seed(_ key: Int) -> assay_key_hash { seeds[key] }

    /// Hands over the keys of a slice.
    func put(_ slice: Int, _ keys: SliceKeys) {
        hashes?.put(keys, firstRecord: firstRecord)
        state.withLock { state in
            guard let seen else {
                state.events += keys.lacking
                return
            }
            state.waiting[slice] = keys
            while !state.hasNoRoom, let keys = state.waiting.removeValue(forKey: state.next) {
                state.next += 1
                state.events += keys.lacking
                state.hasNoRoom = !seen.claim(keys, each: self.keys.count, into: &state.events)
            }
        }
    }

    /// What is wrong with keys, once all slices are in, of earlier tables too if none of equal records stays.
    ///
    /// - Throws: a fault if the keys had no room in the memory that they may take.
    func events() throws -> [KeyEvent] {
        let (events, hasNoRoom) = state.withLock { ($0.events, $0.hasNoRoom) }
        if hasNoRoom, let seen { throw seen.noRoom }
        return events.sorted()
    }
}

/// The keys of a slice: those of its rows that are good in all else.
struct SliceKeys: Sendable {
    /// By row and key; without a record where there is no key.
    var keys: [assay_key] = []
    /// Rows that lack a part of the primary key, which have no keys at all.
    var lacking: [KeyEvent] = []
}

/// Hashes the keys of slices. Used by one worker.
final class KeyWorker {
    private let task: KeyTask
    private let hasher: RowKeyHasher

    init(_ task: KeyTask) throws(NoMemoryError) {
        hasher = try RowKeyHasher()
        self.task = task
    }

    /// Hands over the keys of those rows of a slice that are not rejected.
    func claim(
        _ rows: Range<Int>, _ columns: [(field: Int, values: KeptValues)], rejected: UnsafePointer<UInt64>
    ) {
        let (words, each) = (maskWords(rows.count), task.keys.count)
        // Of a row: where its keys are among those of the slice.
        var places = [Int32](repeating: -1, count: rows.count)
        var found = SliceKeys()
        var count = 0
        for word in 0..<words {
            forEachBit(in: ~rejected[word] & lowBits(rows.count - 64 * word)) { bit in
                places[64 * word + bit] = Int32(count)
                count += 1
            }
        }
        found.keys = Array(repeating: assay_key(), count: count * each)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { wanted in
            for (number, key) in task.keys.enumerated() {
                for word in 0..<words { wanted[word] = ~rejected[word] & lowBits(rows.count - 64 * word) }
                let hashes = hasher.hash(
                    key, seed: task.seed(number), rows: rows.count, wanted: wanted.baseAddress!
                ) { part in
                    guard let field = task.fields[number][part] else { return nil }
                    return columns.first { $0.field == field }?.values.column
                }
                for word in 0..<words {
                    forEachBit(in: wanted[word]) { bit in
                        let row = 64 * word + bit
                        found.keys[Int(places[row]) * each + number] = assay_key(
                            hash: hashes[row], record: task.record(rows.lowerBound + row), place: 0)
                    }
                }
            }
        }
        if let primary = task.primary { takeOutLacking(primary, rows, places, &found) }
        task.put(rows.lowerBound / SchemaJudge.sliceRows, found)
    }

    /// A row that lacks a part of the primary key is not clean, and so holds none.
    private func takeOutLacking(_ primary: Int, _ rows: Range<Int>, _ places: [Int32], _ found: inout SliceKeys) {
        let each = task.keys.count
        for row in 0..<rows.count where places[row] >= 0 {
            let first = Int(places[row]) * each
            if found.keys[first + primary].record != 0 { continue }
            for key in 0..<each { found.keys[first + key].record = 0 }
            found.lacking.append(KeyEvent(record: task.record(rows.lowerBound + row), key: primary, holder: 0))
        }
    }
}
