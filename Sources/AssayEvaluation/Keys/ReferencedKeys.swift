package import Assay
package import CAssay

/// The keys of a table that a foreign key refers to. They are constant after the reader of that table has added them.
///
/// If they do not fit in memory, all keys move to an overflow, and references are resolved at the end.
package final class ReferencedKeys: Sendable {
    package let secret: KeySecret
    private let key: ForeignKey
    /// Receives the keys if they do not fit in memory. `nil` makes this an error.
    package let overflow: (any KeyOverflow)?
    private let filling = Lock(())
    // SAFETY: Changed only under the lock while keys are added. Lookups begin after that, when it is constant.
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

    /// The number of keys, if they are in memory.
    package var count: Int { inMemory?.count ?? 0 }

    /// Adds the keys of some rows of the table.
    ///
    /// - Parameter makeRoom: Called after the first keys, to reserve memory for later ones.
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
        // Many records may have the same key.
        keys.beginDeciding()
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

/// The destination of keys that do not fit in memory.
package protocol KeyOverflow: AnyObject, Sendable {
    /// Adds a key. Calls do not overlap.
    func append(_ key: assay_key) throws
}

/// The keys of other tables that the foreign keys of a table refer to.
package struct HeldReferences: Sendable {
    /// By foreign key of the rules; `nil` for the table itself and for unused keys.
    package private(set) var keys: [ReferencedKeys?]
    /// By foreign key: the secret of a key into the table itself.
    package let secrets: [KeySecret]
    /// The remaining memory for other keys, in bytes.
    package private(set) var memoryLeft: Int

    /// - Parameters:
    ///   - count: The number of foreign keys.
    ///   - memory: The limit of memory for keys, in bytes; `nil`: a quarter of the machine's.
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
