internal import Assay
internal import AssayRules
internal import CAssay
internal import Synchronization

/// The keys of a table in one run: what its workers share.
///
///     worker 1   judge ▸ hash ▸ claim ─────▸ write       each hashes the keys of its chunk; claiming them is done by one at
///     worker 2          judge ▸ hash ─▸ claim ▸ write    a time, in the order of the file, so that the first one has them
///
/// When the memory has no more room, or if none of the records with equal keys is to stay, that cannot be decided before the
/// end. Then the keys go to partitions in a file, and the chunks wait in it, judged as they are. At the end it is decided about
/// the partitions one by one, and the chunks are taken up again:
///
///     pass 1     judge ▸ hash ▸ park          pass 2     take up ▸ decide ▸ write
///
/// A foreign key into this table cannot be decided before the end either: what it refers to must be clean.
final class TableKeys: Sendable {
    let columns: [KeyColumn]
    /// Takes the keys, if that is what the run is for.
    private let collected: ReferencedKeys?
    /// By file.
    let templates: [KeyTemplates]
    private let keep: KeptRecords
    private let memory: Int
    private let temporaryDirectory: String?
    private let mostKept: Int
    /// How much is read, where that is known.
    private let tableBytes: Int?

    private let claims: TicketSequencer
    private let decisions: TicketSequencer
    // SAFETY: these three are used only by the worker whose turn it is, and between the passes.
    /// The keys of clean records, as long as they have room.
    nonisolated(unsafe) private var taken: KeySet?
    nonisolated(unsafe) private var waiting: Waiting?
    nonisolated(unsafe) private var refusals: MergedEvents?

    /// What waits for the end.
    private struct Waiting {
        let file: ScratchFile
        let chunks: ParkedChunks
        var partitions: KeyPartitions
        var links: SpilledList<KeyLink>
        /// The first record whose keys are not decided.
        let firstOpen: UInt64
    }

    /// What has become of a chunk.
    enum Decision {
        case decided
        /// It is known at the end only.
        case parked
        /// Another worker has failed.
        case cancelled
    }

    /// Reads what foreign keys refer to.
    ///
    /// - Parameters:
    ///   - collected: takes the keys, which are then not decided about.
    ///   - control: asked now and then whether to go on.
    /// - Throws: ``InputError`` for a key of lists; what ``References/keys(_:of:memory:control:)`` throws.
    init?(
        _ table: PreparedTable, styles: [FindingStyle], collecting collected: ReferencedKeys?, spins: Bool,
        control: @escaping @Sendable () -> BulkControl
    ) throws {
        let (schema, options) = (table.cleaner.rules.schema, table.cleaner.options)
        if schema.keys.isEmpty && schema.foreignKeys.isEmpty { return nil }
        try table.json?.refuseLists(in: schema)
        var memory = options.memory ?? usualKeyMemory()
        let columns = try Self.columns(of: table, collecting: collected, memory: &memory, control: control)
        let inputs = table.parts.map(\.source.name)
        self.columns = columns
        self.collected = collected
        templates = styles.map { KeyTemplates(columns, foreign: schema.foreignKeys, style: $0, inputs: inputs) }
        keep = schema.keep
        self.memory = memory
        temporaryDirectory = options.temporaryDirectory
        mostKept = options.keptFindings
        let lengths = table.parts.map(\.source.byteCount)
        tableBytes = lengths.contains(nil) || options.head != nil ? nil : lengths.reduce(0) { $0 + ($1 ?? 0) }
        claims = TicketSequencer(spinsBeforeParking: spins)
        decisions = TicketSequencer(spinsBeforeParking: spins)
        let decidesAtOnce = keep == .first && !columns.hasOwnForeign && columns.uniqueCount > 0 && collected == nil
        taken = decidesAtOnce && memory >= KeySet.leastBytes ? try KeySet(memory: memory) : nil
    }

    /// - Parameter memory: what the keys may take; becomes what is left of it.
    private static func columns(
        of table: PreparedTable, collecting collected: ReferencedKeys?, memory: inout Int,
        control: @escaping @Sendable () -> BulkControl
    ) throws -> [KeyColumn] {
        let cleaner = table.cleaner
        let compiled = try table.json == nil ? cleaner.schema : cleaner.jsonSchema()
        func column(_ key: CompiledKey, _ role: KeyColumn.Role, _ secret: KeySecret = KeySecret()) -> KeyColumn {
            KeyColumn(key: BoundKey(key, in: table.bound, secret: secret), role: role)
        }
        let unique = compiled.keys.map { column($0, .unique, collected?.secret ?? KeySecret()) }
        var (foreign, targets): ([KeyColumn], [KeyColumn]) = ([], [])
        for (number, key) in compiled.foreignKeys.enumerated() {
            if let held = try cleaner.references.keys(number, of: cleaner, memory: memory, control: control) {
                memory = max(0, memory - held.bytes)
                foreign.append(column(key.key, .foreign(held), held.secret))
            } else if let target = key.target {
                let secret = KeySecret()
                foreign.append(column(key.key, .ownForeign(number), secret))
                targets.append(column(target, .target(number), secret))
            }
        }
        return unique + foreign + targets
    }

    // MARK: Pass 1

    /// Decides which records of a chunk that has been judged have keys that are taken.
    func decide(_ chunk: Chunk, _ judge: borrowing ChunkJudge) throws -> Decision {
        guard let own = judge.keys else { return .decided }
        if let collected {
            try collected.add(own) { makeRoom(in: $0, after: chunk) }
            return .decided
        }
        if columns.uniqueCount == 0 && !columns.hasOwnForeign {
            own.beginDeciding()
            return .decided
        }
        var chunks: ParkedChunks?
        let kept = judge.findings.kept
        let went = try claims.run(ticket: chunk.sequence) { () throws(FileError) in
            if waiting == nil, let taken, own.claim(in: taken) {
                if chunk.sequence == 0 { makeRoom(in: taken, after: chunk) }
                return
            }
            if waiting == nil { try beginWaiting(with: chunk) }
            try own.forEachClaim { claim, column throws(FileError) in
                let order = KeyOrder(record: claim.record, key: column).bits
                if case .unique = columns[column].role {
                    try waiting?.partitions.append(assay_key(hash: claim.hash, record: order, place: claim.place))
                } else {
                    try waiting?.links.append(KeyLink(hash: claim.hash, order: order))
                }
            }
            waiting?.chunks.keep(kept, of: chunk, most: mostKept)
            chunks = waiting?.chunks
        }
        if !went { return .cancelled }
        guard let chunks else { return .decided }
        try chunks.park(chunk, judge)
        return .parked
    }

    /// Makes room for the keys of the table, if it goes on as it began: a set that grows is filled again and again.
    private func makeRoom(in set: KeySet, after chunk: Chunk) {
        guard let tableBytes, chunk.entryBytes.count > 0 else { return }
        let chunks = max(0, tableBytes / chunk.entryBytes.count - 1)
        let (more, isTooMany) = chunks.multipliedReportingOverflow(by: set.count)
        if !isTooMany { set.reserve(more) }
    }

    /// From this chunk on all wait. The keys that are held go to the partitions first.
    private func beginWaiting(with chunk: Chunk) throws(FileError) {
        let file = try ScratchFile(in: temporaryDirectory)
        var partitions = KeyPartitions(file)
        try taken?.forEach { key throws(FileError) in
            var key = key
            key.record = KeyOrder(record: key.record, key: 0).bits
            try partitions.append(key)
        }
        taken = nil
        waiting = Waiting(
            file: file, chunks: ParkedChunks(file, first: chunk.sequence), partitions: partitions,
            links: SpilledList(file), firstOpen: UInt64(chunk.recordsBefore) + 1)
    }

    // MARK: Pass 2

    /// Decides about all that waits, once everything has been read. `false`: nothing does.
    func decideWaiting() throws -> Bool {
        guard let waiting else { return false }
        var resolver = KeyResolver(
            waiting.file, memory: memory, keep: keep, each: columns.uniqueCount, firstOpen: waiting.firstOpen)
        var events = try resolver.decide(waiting.partitions)
        if columns.hasOwnForeign {
            var graph = try OwnReferences(waiting.links, columns, memory: memory)
            events.append(try graph.orphans(besides: MergedEvents(events), in: waiting.file))
        }
        refusals = try MergedEvents(events)
        return true
    }

    /// Takes up the next chunk that waits, with its keys decided. `nil`: there is none, or another worker has failed.
    func takeNext(into chunk: Chunk, _ judge: inout ChunkJudge, room: FindingRoom) throws -> Bool {
        guard let chunks = waiting?.chunks, let index = try chunks.takeNext(into: chunk, &judge, room: room),
            let own = judge.keys
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

    /// Ends all waiting.
    func cancel() {
        claims.cancel()
        decisions.cancel()
    }
}

extension JSONTable {
    /// Refuses keys with a list: it is not said which of its values would be the key.
    fileprivate func refuseLists(in schema: Schema) throws(InputError) {
        for (id, fields) in schema.keys.map({ ($0.id, $0.fields) }) + schema.foreignKeys.map({ ($0.id, $0.fields) }) {
            let list = paths.lists.map { paths.names[$0] }.first { name in
                fields.contains { ByteEqualString($0) == ByteEqualString(name) }
            }
            guard let list else { continue }
            throw InputError(
                "the key \(printable(id)) is of the list '\(printable(list))', and a key has one value in a record",
                hint: "leave it out of the key")
        }
    }
}
