internal import Assay
internal import AssayEvaluation
internal import AssayRules
internal import CAssay
internal import Synchronization

/// The keys of a table in one run. The workers share them.
///
///     worker 1   check ▸ hash ▸ claim ─────▸ write       each worker hashes the keys of its chunk; keys are claimed in
///     worker 2          check ▸ hash ─▸ claim ▸ write    file order: the first record holds them (see ``KeyShards``)
///
/// Some keys can be decided only at the end: if memory runs out, or if all records with duplicate keys must be
/// rejected. Then the keys move to partitions in a file, and the checked chunks wait in the same file. At the end, the
/// partitions are resolved and the chunks are restored:
///
///     pass 1     check ▸ hash ▸ park          pass 2     take up ▸ decide ▸ write
///
/// A foreign key into this table is also decided at the end, because its target must be in a clean record. The same
/// holds for a foreign key into a file with more keys than fit in memory; then the keys of a record wait until the
/// record is known not to be an orphan.
///
/// It has more than twelve properties, because both passes are decided by the same facts about the table.
final class TableKeys: Sendable {
    let columns: [KeyColumn]
    /// Receives the keys, if the run only collects them.
    private let collected: ReferencedKeys?
    /// Whether records are decided in order, so that rejected ones can end the run.
    let countForStop: Bool
    /// The templates for each file.
    let templates: [KeyTemplates]
    private let keep: DuplicatePolicy
    private let memory: Int
    private let isStoppable: Bool
    private let hasLateForeign: Bool
    private let temporaryDirectory: String?
    private let maxKept: Int
    /// The size of the table in bytes, if known.
    private let tableBytes: Int?

    /// The order of the sorted columns, and the turns for it. `nil` without sorted columns.
    private let order: TableOrder?
    private let orders: TicketSequencer
    private let claims: TicketSequencer
    private let decisions: TicketSequencer
    /// The keys of clean records, while they fit in memory.
    private let taken: KeyShards?
    // SAFETY: Used only by the worker that has the turn, and between the passes.
    nonisolated(unsafe) private var waiting: Waiting?
    nonisolated(unsafe) private var refusals: MergedEvents?

    /// The state of the chunks that wait for the end.
    private struct Waiting {
        let file: ScratchFile
        let chunks: ParkedChunks
        /// The values of unique keys.
        var partitions: KeyPartitions
        /// Foreign keys into this table, and their targets.
        var links: SpilledList<KeyLink>
        /// References to keys on disk.
        var references: KeyPartitions
        /// Unique keys and foreign keys into this table, until the references are decided.
        var undecided: SpilledList<assay_key>
        /// The first record with undecided keys.
        let firstOpen: UInt64

        init(_ file: ScratchFile, from chunk: Chunk) {
            self.file = file
            chunks = ParkedChunks(file, first: chunk.sequence)
            (partitions, references) = (KeyPartitions(file), KeyPartitions(file))
            (links, undecided) = (SpilledList(file), SpilledList(file))
            firstOpen = UInt64(chunk.recordsBefore) + 1
        }

        /// Adds the key of a record that is not an orphan. Its record is a ``KeyOrder``.
        mutating func add(_ key: assay_key, _ column: KeyColumn) throws(FileError) {
            if case .unique = column.role {
                try partitions.append(key)
            } else {
                try links.append(KeyLink(hash: key.hash, order: key.record))
            }
        }
    }

    /// The state of a chunk after its keys were claimed.
    enum Decision {
        case decided
        /// The chunk waits for the end of the input.
        case parked
        /// Memory ran out, and the run can stop because of rejected keys, so that the decision cannot be postponed.
        case noRoom
        /// Another worker failed.
        case cancelled
    }

    /// Reads the tables that foreign keys refer to.
    ///
    /// - Parameters:
    ///   - kept: The maximum number of findings to keep as values.
    ///   - collected: Receives the keys, which are then not checked.
    ///   - progress: Called periodically. Its result can cancel the run.
    /// - Throws: ``InputError`` for a key of lists; errors of ``References/keys(_:of:memory:spills:secret:progress:)``.
    init?(
        _ table: PreparedTable, styles: [FindingStyle], kept: Int, collecting collected: ReferencedKeys?, spins: Bool,
        progress: @escaping @Sendable (RunProgress) -> BulkControl
    ) throws {
        let (schema, options) = (table.cleaner.rules.schema, table.cleaner.options)
        if !schema.comparesRecords { return nil }
        try table.json?.refuseLists(in: schema)
        var memory = options.memory ?? usualKeyMemory()
        let columns = try Self.columns(of: table, collecting: collected, memory: &memory, progress: progress)
        let inputs = table.parts.map(\.source.name)
        self.columns = columns
        self.collected = collected
        templates = styles.map { KeyTemplates(columns, foreign: schema.foreignKeys, style: $0, inputs: inputs) }
        keep = schema.keep
        self.memory = memory
        temporaryDirectory = options.temporaryDirectory
        maxKept = kept
        let lengths = table.parts.map(\.source.byteCount)
        tableBytes = lengths.contains(nil) || options.head != nil ? nil : lengths.reduce(0) { $0 + ($1 ?? 0) }
        order = columns.contains { $0.sortOrder != nil } ? TableOrder() : nil
        orders = TicketSequencer(spinsBeforeParking: spins)
        claims = TicketSequencer(spinsBeforeParking: spins)
        decisions = TicketSequencer(spinsBeforeParking: spins)
        countForStop = (keep == .first || columns.uniqueCount == 0) && !columns.hasOwnForeign
        isStoppable = options.stopAfter != nil
        hasLateForeign = columns.contains { $0.late != nil }
        let decidesAtOnce = countForStop && !hasLateForeign && columns.uniqueCount > 0 && collected == nil
        taken = decidesAtOnce ? try KeyShards(memory: memory, keys: columns.uniqueCount, spins: spins) : nil
    }

    /// - Parameter memory: The memory for keys. The remaining memory on return.
    private static func columns(
        of table: PreparedTable, collecting collected: ReferencedKeys?, memory: inout Int,
        progress: @escaping @Sendable (RunProgress) -> BulkControl
    ) throws -> [KeyColumn] {
        let cleaner = table.cleaner
        let compiled = try table.json == nil ? cleaner.schema : cleaner.jsonSchema()
        var held = HeldReferences(count: compiled.foreignKeys.count, memory: memory)
        for number in compiled.foreignKeys.indices {
            let keys = try cleaner.references.keys(
                number, of: cleaner, memory: held.memoryLeft, spills: true, progress: progress)
            if let keys { held.hold(number, keys) }
        }
        memory = held.memoryLeft
        func bind(_ key: CompiledKey, _ secret: KeySecret) -> BoundKey {
            BoundKey(key, positions: key.positions(in: table.bound), secret: secret)
        }
        return [KeyColumn](
            own: compiled.keys.map { bind($0, collected?.secret ?? KeySecret()) },
            foreign: Array(compiled.foreignKeys.enumerated()).map { ($0.offset, $0.element) }, held: held, bind: bind)
    }

    /// The time of deciding keys, one worker at a time.
    var heldNanoseconds: Int {
        (taken?.heldNanoseconds ?? 0) + orders.heldNanoseconds + claims.heldNanoseconds + decisions.heldNanoseconds
    }

    // MARK: Pass 1

    /// Decides which records of a checked chunk are out of order or have duplicate keys.
    func decide(_ chunk: Chunk, _ evaluator: borrowing ChunkEvaluator) throws -> Decision {
        guard let own = evaluator.keys else { return .decided }
        if let collected {
            try collected.add(own.rows) { $0.reserve(chunks: chunksToCome(after: chunk)) }
            return .decided
        }
        if let order {
            let went = try orders.run(ticket: chunk.sequence) { () throws(FileError) in order.decide(own.rows) }
            if !went { return .cancelled }
        }
        if columns.uniqueCount == 0 && !columns.hasOwnForeign && !hasLateForeign {
            own.rows.beginDeciding()
            return .decided
        }
        var chunks: ParkedChunks?
        let kept = evaluator.findings.kept
        var hasNoRoom = false
        if let taken {
            let chunks = chunk.sequence == 0 ? chunksToCome(after: chunk) : 0
            guard let firstToWait = try own.claim(in: taken, ticket: chunk.sequence, chunksToCome: chunks) else {
                return .cancelled
            }
            if chunk.sequence < firstToWait { return .decided }
            if chunk.sequence == firstToWait { claims.start(at: firstToWait) }
        }
        let divided =
            columns.uniqueCount == 1 && !hasLateForeign && !columns.hasOwnForeign ? own.dividedForPartitions() : nil
        let went = try claims.run(ticket: chunk.sequence) { () throws(FileError) in
            hasNoRoom = isStoppable && countForStop
            if hasNoRoom { return }
            if waiting == nil { try beginWaiting(with: chunk) }
            if let divided { try waiting?.partitions.append(divided) } else { try addClaims(of: own) }
            waiting?.chunks.keep(kept, of: chunk, limit: maxKept)
            chunks = waiting?.chunks
        }
        if hasNoRoom { return .noRoom }
        if !went { return .cancelled }
        guard let chunks else { return .decided }
        try chunks.park(chunk, evaluator)
        return .parked
    }

    /// Adds the claims of a chunk to the waiting keys.
    private func addClaims(of own: ChunkKeys) throws(FileError) {
        try own.rows.forEachClaim { claim, column throws(FileError) in
            var key = claim
            key.record = KeyOrder(record: claim.record, key: column).bits
            if columns[column].late != nil {
                try waiting?.references.append(key)
            } else if hasLateForeign {
                try waiting?.undecided.append(key)
            } else {
                try waiting?.add(key, columns[column])
            }
        }
    }

    /// Returns the estimated number of following chunks, if the size of the table is known. Reserving memory for them
    /// avoids repeated growth of the sets.
    private func chunksToCome(after chunk: Chunk) -> Int {
        guard let tableBytes, chunk.entryBytes.count > 0 else { return 0 }
        return max(0, tableBytes / chunk.entryBytes.count - 1)
    }

    /// Makes this chunk and all later chunks wait. Moves the held keys to the partitions first.
    private func beginWaiting(with chunk: Chunk) throws(FileError) {
        var waiting = Waiting(try ScratchFile(in: temporaryDirectory), from: chunk)
        try taken?.removeAll { key throws(FileError) in
            // This chunk and later ones may have claimed keys before memory ran out.
            if key.record >= waiting.firstOpen { return }
            var key = key
            key.record = KeyOrder(record: key.record, key: 0).bits
            try waiting.partitions.append(key)
        }
        self.waiting = waiting
    }

    // MARK: Pass 2

    /// Decides all waiting chunks after the whole input has been read. Returns `false` if no chunk waits.
    ///
    /// - Parameters:
    ///   - threads: The maximum number of threads.
    ///   - step: Called periodically.
    func decideWaiting(threads: Int, step: () throws -> Void) throws -> Bool {
        guard let waiting else { return false }
        let late = try hasLateForeign ? lateOrphans(step) : []
        // `lateOrphans` may have added keys.
        let open = self.waiting ?? waiting
        var resolver = KeyResolver(
            open.file, memory: memory, keep: keep, each: columns.uniqueCount, firstOpen: open.firstOpen,
            threads: threads)
        var events = try resolver.decide(open.partitions, step: step)
        if columns.hasOwnForeign {
            try step()
            var graph = try OwnReferences(open.links, OwnReferenceColumns(columns), memory: memory)
            events.append(try graph.orphans(excluding: MergedEvents(events), in: open.file))
        }
        refusals = try MergedEvents(events + late)
        return true
    }

    /// Returns events for references to missing keys on disk. Adds the other keys of records that are not orphans to
    /// the partitions and links.
    private func lateOrphans(_ step: () throws -> Void) throws -> [SpilledList<KeyEvent>] {
        guard let waiting else { return [] }
        var join = ReferenceJoin(waiting.file, memory: memory)
        let found = try join.orphans(
            of: waiting.references, in: columns.compactMap(\.late).compactMap(\.partitions), step: step)
        var orphans = try MergedEvents(found)
        var reader = waiting.undecided.makeReader()
        while let key = try reader.next() {
            let order = KeyOrder(bits: key.record)
            while let orphan = orphans.first, orphan.order >> 16 < order.record { try orphans.removeFirst() }
            if let orphan = orphans.first, orphan.order >> 16 == order.record { continue }
            try self.waiting?.add(key, columns[order.key])
        }
        return found
    }

    /// Takes the next waiting chunk, with decided keys. Returns `false` if there is no waiting chunk or another worker
    /// failed.
    func takeNext(into chunk: Chunk, _ evaluator: inout ChunkEvaluator, room: FindingRoom) throws -> Bool {
        guard let chunks = waiting?.chunks, let index = try chunks.takeNext(into: chunk, &evaluator, room: room),
            let own = evaluator.keys?.rows
        else { return false }
        return try decisions.run(ticket: index) { () throws(FileError) in
            own.beginDeciding()
            for row in 0..<own.rows {
                while let event = refusals?.first, event.order >> 16 == own.records[row] {
                    own.refuse(
                        row, column: KeyOrder(bits: event.order).key, holder: event.holder, place: event.place)
                    try refusals?.removeFirst()
                }
            }
        }
    }

    /// Wakes all waiting threads.
    func cancel() {
        taken?.cancel()
        orders.cancel()
        claims.cancel()
        decisions.cancel()
    }
}

extension JSONTable {
    /// Refuses keys with a list, because it is not defined which of its values is the key.
    fileprivate func refuseLists(in schema: Schema) throws(InputError) {
        let names = paths.lists.map { paths.names[$0] }
        let places = FieldPlaces(names)
        let sorted = schema.fields.filter { $0.sorted != nil }.map { ($0.sortedID, [$0.name]) }
        let keys = schema.keys.map { ($0.id, $0.fields) } + schema.foreignKeys.map { ($0.id, $0.fields) }
        for (id, fields) in keys + sorted {
            guard let list = fields.compactMap({ places[$0] }).min().map({ names[$0] }) else { continue }
            throw InputError(
                "the key \(printable(id)) is of the list '\(printable(list))', and a key has one value in a record",
                hint: "leave it out of the key")
        }
    }
}

extension TableKeys {
    /// Writes or restores the last values of the sorted columns, between two chunks of a run without keys.
    ///
    /// - Parameter next: The number of the next chunk.
    func code(with coder: inout CheckpointCoder, before next: Int) {
        guard let order else { return }
        var state = order.state
        coder.code(&state, blank: (id: "", last: TableOrder.Last(value: [], record: 0, place: 0))) { entry, coder in
            var (record, place) = (Int(entry.last.record), Int(truncatingIfNeeded: entry.last.place))
            coder.code(&entry.id)
            coder.code(&entry.last.value)
            coder.code(&record)
            coder.code(&place)
            (entry.last.record, entry.last.place) = (
                UInt64(truncatingIfNeeded: record), UInt64(truncatingIfNeeded: place)
            )
        }
        if !coder.isReading { return }
        order.state = state
        orders.start(at: next)
    }
}
