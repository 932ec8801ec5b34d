internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import CAssay
internal import CAssayABI

/// The keys of one table during a check. Workers hash them, and they are claimed in the order of the rows.
///
///     worker 1   check ▸ hash slice 0 ─┐
///     worker 2   check ▸ hash slice 1 ─┴► slices that wait ──► keys of the slices before
///
final class KeyTask: Sendable {
    /// The columns of the keys; the positions are the numbers of fields.
    let columns: [KeyColumn]
    /// The column that decides which record with a key is kept.
    private let preference: BoundPreference?
    /// The index of the first key in the reported rules.
    let firstRule: Int
    /// The set that compares the keys; `nil` if another program compares them, or there are no keys.
    private let seen: SeenKeys?
    let hashes: KeyHashes?
    /// Collects the keys instead of comparing them.
    private let collected: ReferencedKeys?
    private let firstRecord: Int
    /// The limit of memory for references of the table to itself, in bytes.
    private let memory: Int
    private let state = Lock(State())

    private struct State: @unchecked Sendable {
        // SAFETY: a worker that puts rows here does not use them any more; they are used under the lock, or by one
        // other worker.
        /// The next slice to claim, and the slices that were finished early.
        var next = 0
        var waiting: [Int: RowKeys] = [:]
        /// Rows that may be used for other slices.
        var idle: [RowKeys] = []
        var open = OpenKeys()
        var hasNoRoom = false
        var failure: (any Error)?
    }

    init(
        _ columns: [KeyColumn], preference: BoundPreference?, seen: SeenKeys?, hashes: KeyHashes?,
        collected: ReferencedKeys?, firstRule: Int,
        firstRecord: Int, memory: Int
    ) {
        (self.columns, self.preference, self.seen, self.hashes, self.collected) = (
            columns, preference, seen, hashes, collected
        )
        (self.firstRule, self.firstRecord, self.memory) = (firstRule, firstRecord, memory)
    }

    /// The record number of a row.
    func record(_ row: Int) -> UInt64 { UInt64(firstRecord + row + 1) }

    /// Returns rows without keys.
    func takeRows() -> RowKeys { state.withLock { $0.idle.popLast() } ?? RowKeys(columns, preference: preference) }

    /// Adds the keys of a slice, and decides those that follow all decided ones.
    func put(_ slice: Int, _ keys: RowKeys) {
        hashes?.put(keys, firstRecord: firstRecord)
        state.withLock { state in
            state.waiting[slice] = keys
            while let keys = state.waiting.removeValue(forKey: state.next) {
                state.next += 1
                decide(keys, &state)
                state.idle.append(keys)
            }
        }
    }

    private func decide(_ keys: RowKeys, _ state: inout State) {
        if let collected {
            do { try collected.add(keys) } catch { state.failure = error }
            return
        }
        if state.hasNoRoom { return }
        if let seen {
            state.hasNoRoom = !seen.claim(keys, into: &state.open)
        } else {
            keys.beginDeciding()
            state.open.events.add(keys)
        }
        guard columns.hasOwnForeign else { return }
        keys.forEachClaim { (key, column) throws(Never) in
            switch columns[column].role {
            case .ownForeign, .target: state.open.links.append(KeyLink(key.hash, record: key.record, column: column))
            case .unique, .foreign, .lateForeign, .exported, .sorted: break
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
        var events = open.events
        if let seen { events += try seen.decide(open.preferred) }
        events.sort()
        if !columns.hasOwnForeign { return events }
        do {
            let orphans = try OwnReferences.orphans(
                of: open.links, excluding: events.map(\.record), OwnReferenceColumns(columns), memory: memory)
            events += orphans.map { KeyEvent(record: $0.record, key: $0.column, holder: 0) }
        } catch let error as InputError {
            throw Fault(
                ASSAY_FAULT_MEMORY, error.message,
                hint: "raise assay_options.key_memory, which may take \(memory) bytes more now")
        }
        return events.sorted()
    }
}

/// The keys of a table that have been seen so far.
struct OpenKeys: Sendable {
    var events: [KeyEvent] = []
    /// Records that are decided after the last one.
    var preferred = PreferredKeys()
    /// References of the table to itself, and their possible targets.
    var links: [KeyLink] = []

    mutating func add(_ other: OpenKeys) {
        events += other.events
        preferred.add(other.preferred)
        links += other.links
    }
}

/// Hashes the keys of slices. One worker uses it.
final class KeyWorker {
    private let task: KeyTask
    private let hasher: KeyHasher

    init(_ task: KeyTask) throws(NoMemoryError) {
        hasher = try KeyHasher()
        self.task = task
    }

    /// Adds the keys of the rows of a slice that are not rejected.
    func claim(
        _ rows: Range<Int>, _ columns: [(field: Int, values: KeptValues)], rejected: UnsafePointer<UInt64>
    ) {
        let keys = task.takeRows()
        keys.begin(rows: rows.count)
        let task = task
        let kept = KeyColumns.kept { field in columns.first { $0.field == field }!.values.column }
        let source = RowKeys.Slice(rows: rows.count, columns: kept) { to, first, open in
            var count = 0
            for word in 0..<maskWords(rows.count) {
                forEachBit(in: open[word]) { bit in
                    let (row, record) = (first + count, task.record(rows.lowerBound + 64 * word + bit))
                    to.entries[row] = UInt32(64 * word + bit)
                    to.records[row] = record
                    for key in 0..<to.each {
                        to.keys[row * to.each + key] = assay_key(hash: assay_key_hash(), record: record, place: 0)
                    }
                    count += 1
                }
            }
            return count
        }
        keys.add(source, hasher) { rejected[$0] }
        task.put(rows.lowerBound / SchemaEvaluator.sliceRows, keys)
    }
}
