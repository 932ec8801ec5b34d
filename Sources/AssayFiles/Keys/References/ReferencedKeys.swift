internal import Assay
internal import CAssay

/// The keys of a table that a foreign key refers to. A run over that table fills them; then they never change.
final class ReferencedKeys: Sendable {
    let secret = KeySecret()
    private let set: Lock<KeySet>
    // SAFETY: the same set. It is looked up only when the run that fills it has ended, and then nobody changes it.
    private let filled: KeySet
    private let key: ForeignKey

    /// - Parameter memory: the most that they take, in bytes.
    init(_ key: ForeignKey, memory: Int) throws(NoMemoryError) {
        let set = try KeySet(memory: memory)
        self.key = key
        self.set = Lock(set)
        filled = set
    }

    /// What they take, in bytes.
    var bytes: Int { filled.bytes }

    /// Adds the keys of a chunk of the table.
    ///
    /// - Parameter makeRoom: called after the first ones for those that follow.
    /// - Throws: ``InputError``: there are more than the memory has room for.
    func add(_ keys: ChunkKeys, makeRoom: (KeySet) -> Void) throws(InputError) {
        let fits = set.withLock { set in
            let isFirst = set.count == 0
            let fits = keys.claim(in: set)
            if isFirst && fits { makeRoom(set) }
            return fits
        }
        // Many records may have the same.
        keys.beginDeciding()
        if fits { return }
        throw InputError(
            "the keys of \(printable(key.reference.resource)) (\(key.id)) have no room in the memory for keys",
            hint: "allow more with --memory")
    }

    /// Takes the rows out of a mask whose hashes are among the keys.
    func takeOut(_ hashes: UnsafePointer<assay_key_hash>, rows: Int, from mask: UnsafeMutablePointer<UInt64>) {
        filled.takeOutHeld(hashes, rows: rows, from: mask)
    }
}
