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
/// Some keys can be decided only at the end: if memory runs out, or if a later record can change the verdict on an
/// earlier one (any ``DuplicatePolicy`` except `first`). Then the keys move to partitions in a file, and the checked
/// chunks wait in the same file (``WaitingKeys``). At the end, the partitions are resolved and the chunks are restored:
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
    /// The column that decides which record with a key is kept.
    let preference: BoundPreference?
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
    nonisolated(unsafe) private var waiting: WaitingKeys?
    nonisolated(unsafe) private var refusals: MergedEvents?

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
        let compiled = try table.json == nil ? table.cleaner.schema : table.cleaner.jsonSchema()
        let columns = try Self.columns(compiled, of: table, collecting: collected, memory: &memory, progress: progress)
        preference = compiled.preference.map { BoundPreference($0, positions: $0.key.positions(in: table.bound)) }
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
        _ compiled: CompiledSchema, of table: PreparedTable, collecting collected: ReferencedKeys?,
        memory: inout Int, progress: @escaping @Sendable (RunProgress) -> BulkControl
    ) throws -> [KeyColumn] {
        let cleaner = table.cleaner
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
        let isOrdered = keep == .first || keep == .none
        let divided =
            columns.uniqueCount == 1 && !hasLateForeign && !columns.hasOwnForeign && isOrdered
            ? own.dividedForPartitions() : nil
        let went = try claims.run(ticket: chunk.sequence) { () throws(FileError) in
            hasNoRoom = isStoppable && countForStop
            if hasNoRoom { return }
            if waiting == nil { try beginWaiting(with: chunk) }
            if let divided { try waiting?.add(divided) } else { try waiting?.add(own.rows) }
            waiting?.chunks.keep(kept, of: chunk, limit: maxKept)
            chunks = waiting?.chunks
        }
        if hasNoRoom { return .noRoom }
        if !went { return .cancelled }
        guard let chunks else { return .decided }
        try chunks.park(chunk, evaluator)
        return .parked
    }

    /// Returns the estimated number of following chunks, if the size of the table is known. Reserving memory for them
    /// avoids repeated growth of the sets.
    private func chunksToCome(after chunk: Chunk) -> Int {
        guard let tableBytes, chunk.entryBytes.count > 0 else { return 0 }
        return max(0, tableBytes / chunk.entryBytes.count - 1)
    }

    /// Makes this chunk and all later chunks wait. Moves the held keys to the partitions first.
    private func beginWaiting(with chunk: Chunk) throws(FileError) {
        var waiting = WaitingKeys(
            try ScratchFile(in: temporaryDirectory), columns, keep: keep, memory: memory, from: chunk)
        try taken?.removeAll { key throws(FileError) in try waiting.addHeld(key) }
        self.waiting = waiting
    }

    // MARK: Pass 2

    /// Decides all waiting chunks after the whole input has been read. Returns `false` if no chunk waits.
    ///
    /// - Parameters:
    ///   - threads: The maximum number of threads.
    ///   - step: Called periodically.
    func decideWaiting(threads: Int, step: () throws -> Void) throws -> Bool {
        guard waiting != nil else { return false }
        refusals = try waiting?.refusals(threads: threads, step: step)
        return true
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
        let preferred = schema.keep.column.map { [("keep", [$0.name])] } ?? []
        let keys = schema.keys.map { ($0.id, $0.fields) } + schema.foreignKeys.map { ($0.id, $0.fields) } + preferred
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
