internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The keys of the chunks that wait for the end of the input.
///
///     claims ─┬──────────────────────────► partitions ──► KeyResolver ──► refusals
///             ├► undecided, until references or the order of the records are known ─► partitions, links
///             ├► references to keys on disk
///             └► links of the table to itself
///
/// It has more than twelve properties, because each kind of claim waits in its own list.
struct WaitingKeys {
    let chunks: ParkedChunks
    private let file: ScratchFile
    private let columns: [KeyColumn]
    private let keep: DuplicatePolicy
    private let memory: Int
    /// The first record with undecided keys.
    private let firstOpen: UInt64
    private let hasLateForeign: Bool

    /// The values of unique keys.
    private var partitions: KeyPartitions
    /// Foreign keys into this table, and their targets.
    private var links: SpilledList<KeyLink>
    /// References to keys on disk.
    private var references: KeyPartitions
    /// Unique keys and foreign keys into this table that are added later.
    private var undecided: SpilledList<assay_key>
    /// The values of the column that decides which record is kept.
    private var preferences: PreferenceRuns?
    /// The order in which the records get their keys, if it is not that of the table, once it is known.
    private var order: PreferenceOrder?

    /// - Parameters:
    ///   - memory: The maximum memory for keys, in bytes.
    ///   - chunk: The first chunk that waits.
    init(_ file: ScratchFile, _ columns: [KeyColumn], keep: DuplicatePolicy, memory: Int, from chunk: Chunk) {
        (self.file, self.columns, self.keep, self.memory) = (file, columns, keep, memory)
        chunks = ParkedChunks(file, first: chunk.sequence)
        (partitions, references) = (KeyPartitions(file), KeyPartitions(file))
        (links, undecided) = (SpilledList(file), SpilledList(file))
        firstOpen = UInt64(chunk.recordsBefore) + 1
        hasLateForeign = columns.contains { $0.late != nil }
        let isUnique = columns.uniqueCount > 0
        if isUnique && keep.column != nil { preferences = PreferenceRuns(file, memory: memory / 4) }
        if isUnique && keep == .last { order = .reversed }
    }

    // MARK: Pass 1

    /// Adds a key that a clean record held before memory ran out.
    mutating func addHeld(_ key: assay_key) throws(FileError) {
        // The first waiting chunk and later ones may have claimed keys before memory ran out.
        if key.record >= firstOpen { return }
        var key = key
        key.record = KeyOrder(record: key.record, key: 0).bits
        try partitions.append(key)
    }

    /// Adds the rows of a chunk with one unique key each. The chunks must come in the order of the table.
    mutating func add(_ rows: ShardedRows) throws(FileError) { try partitions.append(rows) }

    /// Adds the claims of a chunk. The chunks must come in the order of the table.
    mutating func add(_ rows: RowKeys) throws(FileError) {
        let waits = hasLateForeign || preferences != nil
        try rows.forEachClaim { claim, column throws(FileError) in
            var key = claim
            key.record = KeyOrder(record: claim.record, key: column).bits
            if columns[column].late != nil {
                try references.append(key)
            } else if waits {
                try undecided.append(key)
            } else {
                try settle(key, column)
            }
        }
        try preferences?.append(rows)
    }

    /// Adds the key of a record that is not an orphan. Its record is a ``KeyOrder``.
    private mutating func settle(_ key: assay_key, _ column: Int) throws(FileError) {
        guard case .unique = columns[column].role else {
            return try links.append(KeyLink(hash: key.hash, order: key.record))
        }
        var key = key
        if let place = try order?.place(of: KeyOrder(bits: key.record).record) {
            key.record = KeyOrder(record: place, key: column).bits
        }
        try partitions.append(key)
    }

    // MARK: Pass 2

    /// Returns the events of all refused records, after the whole input has been read.
    ///
    /// - Parameters:
    ///   - threads: The maximum number of threads.
    ///   - step: Called periodically.
    mutating func refusals(threads: Int, step: () throws -> Void) throws -> MergedEvents {
        let late = try hasLateForeign ? lateOrphans(step) : []
        if var runs = preferences {
            preferences = nil
            order = try PreferenceOrder(&runs, in: file, memory: memory / 2)
            try step()
        }
        try settleUndecided(excluding: MergedEvents(late))
        var events = try resolved(threads: threads, step: step)
        if let order { events = try order.eventsByRecord(events, in: file, memory: memory / 4) }
        if columns.hasOwnForeign {
            try step()
            var graph = try OwnReferences(links, OwnReferenceColumns(columns), memory: memory)
            events.append(try graph.orphans(excluding: MergedEvents(events), in: file))
        }
        return try MergedEvents(events + late)
    }

    private func resolved(threads: Int, step: () throws -> Void) throws -> [SpilledList<KeyEvent>] {
        var resolver = KeyResolver(
            file, memory: memory, keep: keep, each: columns.uniqueCount, firstOpen: firstOpen, threads: threads)
        return try resolver.decide(partitions, step: step)
    }

    /// Returns events for references to missing keys on disk.
    private func lateOrphans(_ step: () throws -> Void) throws -> [SpilledList<KeyEvent>] {
        var join = ReferenceJoin(file, memory: memory)
        return try join.orphans(
            of: references, in: columns.compactMap(\.late).compactMap(\.partitions), step: step)
    }

    /// Adds the undecided keys of records that are not orphans to the partitions and links.
    private mutating func settleUndecided(excluding orphans: MergedEvents) throws {
        var orphans = orphans
        var reader = undecided.makeReader()
        while let key = try reader.next() {
            let own = KeyOrder(bits: key.record)
            while let orphan = orphans.first, orphan.order >> 16 < own.record { try orphans.removeFirst() }
            if let orphan = orphans.first, orphan.order >> 16 == own.record { continue }
            try settle(key, own.key)
        }
    }
}
