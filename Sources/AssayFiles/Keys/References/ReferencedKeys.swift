package import Assay
package import CAssay

/// The keys of a table that a foreign key refers to. They are constant after the reader of that table has added them.
///
/// If they do not fit in memory, all keys move to partitions in a file, and references are resolved at the end.
package final class ReferencedKeys: Sendable {
    package let secret: KeySecret
    private let key: ForeignKey
    /// The destination of keys that do not fit in memory. `nil` makes this an error.
    private let spill: Spill?
    private let filling = Lock(())
    // SAFETY: Changed only under the lock while keys are added. Lookups begin after that, when the fields are constant.
    private nonisolated(unsafe) var inMemory: KeySet?
    private(set) nonisolated(unsafe) var partitions: KeyPartitions?
    /// The summary of the table, if it was a file.
    private(set) nonisolated(unsafe) var table: RunResult.Reference?

    /// The destination of keys that do not fit in memory.
    struct Spill {
        /// A directory; `nil` selects the default.
        var directory: String?
    }

    /// - Parameters:
    ///   - memory: The maximum size of the keys, in bytes.
    ///   - secret: The prefix of the hashed bytes. The referring keys must use the same one.
    init(_ key: ForeignKey, memory: Int, secret: KeySecret = KeySecret(), spill: Spill? = nil) throws(NoMemoryError) {
        (self.key, self.secret, self.spill) = (key, secret, spill)
        inMemory = try KeySet(memory: memory)
    }

    /// Creates an empty set for a table in memory. Its keys are never written to disk.
    package convenience init(_ key: ForeignKey, memory: Int, secret: KeySecret) throws(NoMemoryError) {
        try self.init(key, memory: memory, secret: secret, spill: nil)
    }

    /// The memory that the keys use, in bytes.
    package var bytes: Int { inMemory?.bytes ?? 0 }

    /// The number of keys, if they are in memory.
    package var count: Int { inMemory?.count ?? 0 }

    /// Adds the keys of a chunk of the table.
    ///
    /// - Parameter makeRoom: Called after the first keys, to reserve memory for later ones.
    /// - Throws: ``KeysHaveNoRoom`` if the keys do not fit in memory and must not be written to disk; ``FileError``.
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
        // Many records may have the same key.
        keys.beginDeciding()
    }

    /// Adds the keys of rows of a table in memory. Keys without a record are skipped.
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

    /// Ends the filling. Moves the remaining partitions to the file, if there is one.
    ///
    /// - Parameter result: The result of reading the table with these keys.
    func endFilling(_ result: RunResult) throws(FileError) {
        table = RunResult.Reference(
            id: key.id, resource: key.reference.resource, records: result.records, structure: result.structure,
            encodingGuess: result.encodingGuess)
        try partitions?.spill()
    }

    /// Clears the rows in a mask that have a hash among the keys.
    ///
    /// - Precondition: The keys are in memory.
    package func takeOut(_ hashes: UnsafePointer<assay_key_hash>, rows: Int, from mask: UnsafeMutablePointer<UInt64>) {
        guard let inMemory else { preconditionFailure("keys on disk are looked up at the end") }
        inMemory.takeOutHeld(hashes, rows: rows, from: mask)
    }

    /// Passes all keys to `body`, in no particular order.
    ///
    /// - Precondition: The keys are in memory.
    package func forEach(_ body: (assay_key_hash) -> Void) {
        guard let inMemory else { preconditionFailure("keys on disk are looked up at the end") }
        inMemory.forEachHash(body)
    }
}

/// The keys that a foreign key refers to exceed the memory for keys and must not be written to disk.
package struct KeysHaveNoRoom: Error {
    /// The foreign key.
    package let key: ForeignKey

    fileprivate init(_ key: ForeignKey) { self.key = key }
}
