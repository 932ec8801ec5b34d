internal import Assay
internal import AssayRules
internal import CAssay
internal import Synchronization

/// The keys of a table in one run: what its workers share.
///
///     worker 1   judge ▸ hash ▸ claim ─────▸ write       each hashes the keys of its chunk; claiming them is done by one at
///     worker 2          judge ▸ hash ─▸ claim ▸ write    a time, in the order of the file, so that the first one has them
///
final class TableKeys: Sendable {
    let keys: [BoundKey]
    /// By file.
    let templates: [KeyTemplates]
    private let sequencer: TicketSequencer
    private let taken: KeySet

    /// - Throws: ``InputError`` for a key of lists.
    init?(_ table: PreparedTable, styles: [FindingStyle], spins: Bool) throws {
        let compiled = try table.json == nil ? table.cleaner.schema : table.cleaner.jsonSchema()
        if compiled.keys.isEmpty { return nil }
        try table.json?.refuseKeysOfLists(compiled.keys.map(\.key))
        let keys = compiled.keys.map { BoundKey($0, in: table.bound) }
        let inputs = table.parts.map(\.source.name)
        self.keys = keys
        templates = styles.map { KeyTemplates(keys, style: $0, inputs: inputs) }
        sequencer = TicketSequencer(spinsBeforeParking: spins)
        taken = try KeySet(memory: table.cleaner.options.memory ?? .max)
    }

    /// Decides which records of a chunk have keys that are taken. `false`: another worker has failed.
    func decide(_ chunk: Chunk, _ judge: borrowing ChunkJudge) throws -> Bool {
        guard let own = judge.keys else { return true }
        var fits = true
        let went = try sequencer.run(ticket: chunk.sequence) { () throws(FileError) in fits = own.claim(in: taken) }
        if !fits { throw NoMemoryError(for: "the keys") }
        return went
    }

    /// Ends all waiting.
    func cancel() { sequencer.cancel() }
}

extension JSONTable {
    /// Refuses keys with a list: it is not said which of its values would be the key.
    fileprivate func refuseKeysOfLists(_ keys: [Key]) throws(InputError) {
        for key in keys {
            let list = paths.lists.map { paths.names[$0] }.first { name in
                key.fields.contains { ByteEqualString($0) == ByteEqualString(name) }
            }
            guard let list else { continue }
            throw InputError(
                "the key \(printable(key.id)) is of the list '\(printable(list))', and a key has one value in a record",
                hint: "leave it out of the key")
        }
    }
}
