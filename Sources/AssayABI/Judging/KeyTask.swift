internal import Assay
internal import AssayFiles
internal import CAssay
internal import CAssayABI

/// The keys of one table during a check. Workers hash them, and they are claimed in the order of the rows.
///
///     worker 1   judge ▸ hash slice 0 ─┐
///     worker 2   judge ▸ hash slice 1 ─┴► slices that wait ──► keys of the slices before
///
final class KeyTask: Sendable {
    /// The keys to compare, and the index of the first one in the reported rules.
    let keys: [CompiledKey]
    let firstRule: Int
    /// By key, the fields of its parts; `nil` for columns that the table does not have.
    let fields: [[Int?]]
    /// The foreign keys, which follow the keys.
    let foreign: [ForeignKeyTask]
    /// The set that compares them; `nil` if another program compares them, or there are no keys.
    let seen: SeenKeys?
    let hashes: KeyHashes?
    private let seeds: [assay_key_hash]
    private let firstRecord: Int
    /// Collects the keys instead of comparing them.
    private let collected: ReferencedKeys?
    /// The limit of memory for references of the table to itself, in bytes.
    private let memory: Int
    private let state = Lock(State())

    private struct State {
        /// The next slice to claim, and the slices that were finished early.
        var next = 0
        var waiting: [Int: SliceKeys] = [:]
        var open = OpenKeys()
        var hasNoRoom = false
        var failure: (any Error)?
    }

    init(
        _ keys: [CompiledKey], seeds: [assay_key_hash], fields: [[Int?]], foreign: [ForeignKeyTask], seen: SeenKeys?,
        hashes: KeyHashes?, collected: ReferencedKeys?, firstRule: Int, firstRecord: Int, memory: Int
    ) {
        (self.foreign, self.collected, self.memory) = (foreign, collected, memory)
        (self.keys, self.seeds, self.fields) = (keys, seeds, fields)
        (self.seen, self.hashes) = (seen, hashes)
        (self.firstRule, self.firstRecord) = (firstRule, firstRecord)
    }

    /// The number of keys per row.
    var count: Int { keys.count + foreign.count }

    /// The index of the primary key.
    var primary: Int? { keys.firstIndex { $0.key.kind == .primary } }

    /// The record number of a row.
    func record(_ row: Int) -> UInt64 { UInt64(firstRecord + row + 1) }

    /// The hash seed of a key.
    func seed(_ key: Int) -> assay_key_hash { seeds[key] }

    /// Adds the keys of a slice.
    func put(_ slice: Int, _ keys: SliceKeys) {
        hashes?.put(keys, firstRecord: firstRecord)
        state.withLock { state in
            state.open.add(keys.open)
            if let collected {
                do { try collected.add(keys.keys.filter { $0.record != 0 }) } catch { state.failure = error }
                return
            }
            guard let seen else { return }
            state.waiting[slice] = keys
            while !state.hasNoRoom, let keys = state.waiting.removeValue(forKey: state.next) {
                state.next += 1
                state.hasNoRoom = !seen.claim(keys, each: self.keys.count, into: &state.open.events)
            }
        }
    }

    /// The key conflicts after all slices. If all records with equal keys are rejected, they include conflicts of
    /// earlier tables.
    ///
    /// - Throws: a fault if the keys exceed the memory limit.
    func events() throws -> [KeyEvent] { try settle(open()) }

    /// The key conflicts and links after all slices, before references of the table to itself are resolved.
    ///
    /// - Throws: a fault if the keys exceed the memory limit.
    func open() throws -> OpenKeys {
        let (open, hasNoRoom, failure) = state.withLock { ($0.open, $0.hasNoRoom, $0.failure) }
        if let failure { throw failure }
        if hasNoRoom, let seen { throw seen.noRoom }
        return open
    }

    /// Resolves the references of a table to itself, after all records have been read. Returns the events in the order
    /// of the records.
    func settle(_ open: OpenKeys) throws -> [KeyEvent] {
        var events = open.events.sorted()
        let own = foreign.filter { $0.target != nil }
        if own.isEmpty { return events }
        let columns = OwnReferenceColumns(firstTarget: keys.count + foreign.count, ids: own.map(\.key.key.id))
        do {
            let orphans = try OwnReferences.orphans(
                of: open.links, besides: events.map(\.record), columns, memory: memory)
            events += orphans.map { KeyEvent(record: $0.record, key: $0.column, holder: 0) }
        } catch let error as InputError {
            throw Fault(
                ASSAY_FAULT_MEMORY, error.message,
                hint: "raise assay_options.key_memory, which may take \(memory) bytes more now")
        }
        return events.sorted()
    }
}

/// A foreign key of a check.
struct ForeignKeyTask: Sendable {
    let key: CompiledKey
    /// The fields of its parts; `nil` for columns that the table does not have.
    let fields: [Int?]
    /// The referenced keys; `nil` if it refers to the table itself, or another program compares.
    let held: ReferencedKeys?
    /// The referenced key of the table itself.
    let target: (key: CompiledKey, fields: [Int?])?
    let seed: assay_key_hash
}

/// The keys of a table that have been seen so far.
struct OpenKeys: Sendable {
    var events: [KeyEvent] = []
    /// References of the table to itself, and their possible targets.
    var links: [KeyLink] = []

    mutating func add(_ other: OpenKeys) {
        events += other.events
        links += other.links
    }
}

/// The keys of a slice, for the rows that pass all other rules.
struct SliceKeys: Sendable {
    /// By row and key. An entry for a missing key does not have a record number.
    var keys: [assay_key] = []
    /// By row and foreign key, if another program compares them.
    var foreignKeys: [assay_key] = []
    /// The events of orphans and of rows without a part of the primary key, which have no keys; and the links of the
    /// other rows.
    var open = OpenKeys()
}

/// Hashes the keys of slices. One worker uses it.
final class KeyWorker {
    private let task: KeyTask
    private let hasher: RowKeyHasher

    init(_ task: KeyTask) throws(NoMemoryError) {
        hasher = try RowKeyHasher()
        self.task = task
    }

    /// Adds the keys of the rows of a slice that are not rejected.
    func claim(
        _ rows: Range<Int>, _ columns: [(field: Int, values: KeptValues)], rejected: UnsafePointer<UInt64>
    ) {
        let (words, each) = (maskWords(rows.count), task.keys.count)
        // The index of each row's keys among the keys of the slice.
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
                    values(task.fields[number][part], columns)
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
        addForeign(rows, columns, rejected, places, &found)
        task.put(rows.lowerBound / SchemaJudge.sliceRows, found)
    }

    /// Removes the keys of rows without a part of the primary key, because these rows are rejected.
    private func takeOutLacking(_ primary: Int, _ rows: Range<Int>, _ places: [Int32], _ found: inout SliceKeys) {
        let each = task.keys.count
        for row in 0..<rows.count where places[row] >= 0 {
            let first = Int(places[row]) * each
            if found.keys[first + primary].record != 0 { continue }
            for key in 0..<each { found.keys[first + key].record = 0 }
            found.open.events.append(KeyEvent(record: task.record(rows.lowerBound + row), key: primary, holder: 0))
        }
    }

    private func values(_ field: Int?, _ columns: [(field: Int, values: KeptValues)]) -> KeptColumn? {
        guard let field else { return nil }
        return columns.first { $0.field == field }?.values.column
    }

    /// Looks up the foreign keys of a slice. Removes the keys and links of orphans.
    private func addForeign(
        _ rows: Range<Int>, _ columns: [(field: Int, values: KeptValues)], _ rejected: UnsafePointer<UInt64>,
        _ places: [Int32], _ found: inout SliceKeys
    ) {
        if task.foreign.isEmpty { return }
        let (words, first, each) = (maskWords(rows.count), task.keys.count, task.foreign.count)
        if task.hashes != nil {
            found.foreignKeys = Array(repeating: assay_key(), count: places.count { $0 >= 0 } * each)
        }
        var links: [KeyLink] = []
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { wanted in
            func forEachKey(
                _ key: CompiledKey, _ fields: [Int?], _ task: ForeignKeyTask,
                _ body: (_ row: Int, assay_key_hash) -> Void
            ) {
                for word in 0..<words { wanted[word] = ~rejected[word] & lowBits(rows.count - 64 * word) }
                let hashes = hasher.hash(key, seed: task.seed, rows: rows.count, wanted: wanted.baseAddress!) { part in
                    values(fields[part], columns)
                }
                task.held?.takeOut(hashes, rows: rows.count, from: wanted.baseAddress!)
                for word in 0..<words { forEachBit(in: wanted[word]) { body(64 * word + $0, hashes[64 * word + $0]) } }
            }
            var targets = first + each
            for (number, foreign) in task.foreign.enumerated() {
                forEachKey(foreign.key, foreign.fields, foreign) { row, hash in
                    let record = task.record(rows.lowerBound + row)
                    if foreign.held != nil {
                        found.open.events.append(KeyEvent(record: record, key: first + number, holder: 0))
                        for key in 0..<first { found.keys[Int(places[row]) * first + key].record = 0 }
                    } else if foreign.target != nil {
                        links.append(KeyLink(hash, record: record, column: first + number))
                    } else {
                        let place = Int(places[row]) * each + number
                        found.foreignKeys[place] = assay_key(hash: hash, record: record, place: 0)
                    }
                }
                guard let target = foreign.target else { continue }
                forEachKey(target.key, target.fields, foreign) { row, hash in
                    links.append(KeyLink(hash, record: task.record(rows.lowerBound + row), column: targets))
                }
                targets += 1
            }
        }
        if links.isEmpty { return }
        let closed = Set(found.open.events.map(\.record))
        found.open.links = closed.isEmpty ? links : links.filter { !closed.contains($0.record) }
    }
}
