package import Assay
package import CAssay

/// The keys of a table that a foreign key refers to. Whoever reads that table fills them; then they never change.
///
/// If they have no room in memory, all of them go to partitions in a file, and what refers to them is decided at the end.
package final class ReferencedKeys: Sendable {
    package let secret: KeySecret
    private let key: ForeignKey
    /// Where they go if they have no room; `nil`: nowhere, and then it is an error.
    private let spill: Spill?
    private let filling = Lock(())
    // SAFETY: changed under the lock by those who fill them. They are looked up when that has ended, and nobody changes them.
    private nonisolated(unsafe) var inMemory: KeySet?
    private(set) nonisolated(unsafe) var partitions: KeyPartitions?
    /// What there was to read, if it was a file.
    private(set) nonisolated(unsafe) var table: RunResult.Reference?

    /// Where keys go that have no room in memory.
    struct Spill {
        /// A directory; `nil`: the usual one.
        var directory: String?
    }

    /// - Parameters:
    ///   - memory: the most that they take, in bytes.
    ///   - secret: what their hashes begin with; those that refer have the same.
    init(_ key: ForeignKey, memory: Int, secret: KeySecret = KeySecret(), spill: Spill? = nil) throws(NoMemoryError) {
        (self.key, self.secret, self.spill) = (key, secret, spill)
        inMemory = try KeySet(memory: memory)
    }

    /// Those of a table in memory, of which nothing goes to disk.
    package convenience init(_ key: ForeignKey, memory: Int, secret: KeySecret) throws(NoMemoryError) {
        try self.init(key, memory: memory, secret: secret, spill: nil)
    }

    /// What they take in memory, in bytes.
    package var bytes: Int { inMemory?.bytes ?? 0 }

    /// How many there are, if they are in memory.
    package var count: Int { inMemory?.count ?? 0 }

    /// Adds the keys of a chunk of the table.
    ///
    /// - Parameter makeRoom: called after the first ones for those that follow.
    /// - Throws: ``KeysHaveNoRoom``, if they may not go to disk; ``FileError``.
    func add(_ keys: ChunkKeys, makeRoom: (KeySet) -> Void) throws {
        try filling.withLock { _ in
            if let inMemory {
                let isFirst = inMemory.count == 0
                if keys.claim(in: inMemory) {
                    if isFirst { makeRoom(inMemory) }
                    return
                }
                try beginSpilling()
            }
            try keys.forEachClaim { key, _ throws(FileError) in try partitions?.append(key) }
        }
        // Many records may have the same.
        keys.beginDeciding()
    }

    /// Adds the keys of rows of a table in memory; those without a record are none.
    ///
    /// - Throws: ``KeysHaveNoRoom``.
    package func add(_ keys: [assay_key]) throws(KeysHaveNoRoom) {
        if keys.isEmpty { return }
        let fits = filling.withLock { _ in
            var holders = keys
            var refused = [UInt64](repeating: 0, count: maskWords(keys.count))
            return inMemory?.claim(keys, records: keys.count, each: 1, holders: &holders, refused: &refused) ?? false
        }
        if !fits { throw KeysHaveNoRoom(key) }
    }

    private func beginSpilling() throws {
        guard let spill else { throw KeysHaveNoRoom(key) }
        var partitions = KeyPartitions(try ScratchFile(in: spill.directory))
        try inMemory?.forEach { key throws(FileError) in try partitions.append(key) }
        (self.partitions, inMemory) = (partitions, nil)
    }

    /// Has none in memory that can be in the file.
    ///
    /// - Parameter result: what came of the table that they are of.
    func endFilling(_ result: RunResult) throws(FileError) {
        table = RunResult.Reference(
            id: key.id, resource: key.reference.resource, records: result.records, structure: result.structure,
            encodingGuess: result.encodingGuess)
        try partitions?.spill()
    }

    /// Takes the rows out of a mask whose hashes are among the keys.
    ///
    /// - Precondition: they are in memory.
    package func takeOut(_ hashes: UnsafePointer<assay_key_hash>, rows: Int, from mask: UnsafeMutablePointer<UInt64>) {
        guard let inMemory else { preconditionFailure("keys on disk are looked up at the end") }
        inMemory.takeOutHeld(hashes, rows: rows, from: mask)
    }

    /// Hands out all keys, in no order.
    ///
    /// - Precondition: they are in memory.
    package func forEach(_ body: (assay_key_hash) -> Void) {
        guard let inMemory else { preconditionFailure("keys on disk are looked up at the end") }
        inMemory.forEachHash(body)
    }
}

/// The keys that a foreign key refers to have no room in the memory that keys may take, and may not go to disk.
package struct KeysHaveNoRoom: Error {
    /// The foreign key.
    package let key: ForeignKey

    fileprivate init(_ key: ForeignKey) { self.key = key }
}
