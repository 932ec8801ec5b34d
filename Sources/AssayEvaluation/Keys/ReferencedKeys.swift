package import Assay
package import CAssay

/// The keys of a table that a foreign key refers to. They do not change after that table has been read.
///
/// If they do not fit in memory, all keys are moved to `overflow`, and references are looked up at the end of the
/// input.
package final class ReferencedKeys: Sendable {
    package let secret: KeySecret
    private let key: ForeignKey
    /// Receives the keys if they do not fit in memory. `nil` makes this an error.
    package let overflow: (any KeyOverflow)?
    private let filling = Lock(())
    // SAFETY: Changed only under the lock, while keys are added. Lookups begin only after all keys have been added.
    private nonisolated(unsafe) var inMemory: KeySet?

    /// - Parameters:
    ///   - memory: The maximum size of the keys, in bytes.
    ///   - secret: The prefix of the hashed bytes. The referring keys must use the same one.
    package init(
        _ key: ForeignKey, memory: Int, secret: KeySecret = KeySecret(), overflow: (any KeyOverflow)? = nil
    ) throws(NoMemoryError) {
        (self.key, self.secret, self.overflow) = (key, secret, overflow)
        inMemory = try KeySet(memory: memory)
    }

    package var isInMemory: Bool { inMemory != nil }

    /// The memory that the keys use, in bytes.
    package var bytes: Int { inMemory?.bytes ?? 0 }

    /// The number of keys; 0 if they are not in memory.
    package var count: Int { inMemory?.count ?? 0 }

    /// Adds the keys of some rows of the table.
    ///
    /// - Parameter makeRoom: Called after the first keys were added, to reserve memory for the others.
    /// - Throws: ``KeysHaveNoRoom`` if the keys do not fit in memory and there is no overflow; errors of the overflow.
    package func add(_ keys: RowKeys, makeRoom: (KeySet) -> Void = { _ in }) throws {
        try filling.withLock { _ in
            if let inMemory {
                let isFirst = inMemory.count == 0
                if keys.claim(in: inMemory) {
                    if isFirst { makeRoom(inMemory) }
                    return
                }
                guard let overflow else { throw KeysHaveNoRoom(key) }
                try inMemory.forEach { key throws(any Error) in try overflow.append(key) }
                self.inMemory = nil
            }
            try keys.forEachClaim { key, _ in try overflow?.append(key) }
        }
        // Duplicates are allowed here, so forget the rows that `claim` refused because the set had their key.
        keys.beginDeciding()
    }

    /// Clears the bits of `mask` for the rows with a hash among the keys.
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

/// The destination of keys that do not fit in memory.
package protocol KeyOverflow: AnyObject, Sendable {
    /// Adds a key. Calls do not overlap.
    func append(_ key: assay_key) throws
}

/// The keys of other tables that the foreign keys of a table refer to.
package struct HeldReferences: Sendable {
    /// For each foreign key of the rules: the keys that it refers to; `nil` if it refers to its own table or is not
    /// used.
    package private(set) var keys: [ReferencedKeys?]
    /// A secret for each foreign key. Only keys that refer to their own table use it.
    package let secrets: [KeySecret]
    /// The remaining memory for other keys, in bytes.
    package private(set) var memoryLeft: Int

    /// - Parameters:
    ///   - count: The number of foreign keys.
    ///   - memory: The memory limit for keys, in bytes; `nil` for the default, ``usualKeyMemory()``.
    package init(count: Int, memory: Int?) {
        keys = Array(repeating: nil, count: count)
        secrets = keys.map { _ in KeySecret() }
        memoryLeft = memory ?? usualKeyMemory()
    }

    package mutating func hold(_ number: Int, _ held: ReferencedKeys) {
        keys[number] = held
        memoryLeft = max(0, memoryLeft - held.bytes)
    }
}
