package import Assay
package import CAssay

/// A set of keys in memory, each with the record that holds it. Only one thread at a time may change it.
package final class KeySet: Sendable {
    // SAFETY: Created in `init` and freed in `deinit`. Callers must not change the set concurrently.
    nonisolated(unsafe) private let handle: OpaquePointer

    /// The size of an empty set.
    package static let minBytes = 40 << 10

    /// - Parameter bytes: The maximum memory for the set.
    package init(memory bytes: Int) throws(NoMemoryError) {
        guard let handle = assay_keys_create(max(0, bytes)) else { throw NoMemoryError(for: "keys") }
        self.handle = handle
    }

    deinit { assay_keys_free(handle) }

    package var count: Int { assay_keys_count(handle) }

    /// Adds all keys of each record, in order, unless the set already has one of the keys; see `assay_keys_claim`.
    /// Returns `false`, without changes, if memory runs out.
    package func claim(
        _ keys: UnsafePointer<assay_key>, records: Int, each: Int, holders: UnsafeMutablePointer<assay_key>,
        refused: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        assay_keys_claim(handle, keys, records, each, holders, refused) == .ASSAY_OK
    }

    /// Adds a key unless another record holds it. Returns the holder, with record 0 if there was no holder, or `nil` if
    /// memory runs out.
    package func claim(_ key: assay_key) -> assay_key? {
        var holder = assay_key(hash: key.hash, record: 0, place: 0)
        var refused: UInt64 = 0
        let fits = withUnsafePointer(to: key) { claim($0, records: 1, each: 1, holders: &holder, refused: &refused) }
        if !fits { return nil }
        if refused == 0 { holder.record = 0 }
        return holder
    }

    /// Adds a key that is not in the set. Returns `false` if memory runs out.
    package func add(_ key: assay_key) -> Bool { claim(key) != nil }

    /// Reserves memory for `more` additional keys, within the memory limit.
    package func reserve(_ more: Int) { assay_keys_reserve(handle, more) }

    /// Reserves memory for `chunks` more chunks, each with as many keys as the set has now, within the memory limit.
    package func reserve(chunks: Int) {
        let (more, isTooMany) = chunks.multipliedReportingOverflow(by: count)
        if !isTooMany { reserve(more) }
    }

    /// The memory that the set uses, in bytes.
    package var bytes: Int { assay_keys_bytes(handle) }

    /// Clears the bits of `mask` for the rows with a hash in the set.
    package func takeOutHeld(
        _ hashes: UnsafePointer<assay_key_hash>, rows: Int, from mask: UnsafeMutablePointer<UInt64>
    ) {
        assay_keys_take_out_held(handle, hashes, rows, mask)
    }

    package func find(_ hash: assay_key_hash) -> assay_key? { assay_keys_find(handle, hash)?.pointee }

    /// Passes all hashes to `body`, in insertion order.
    package func forEachHash(_ body: (assay_key_hash) -> Void) {
        var place = 0
        while let key = assay_keys_next(handle, &place) { body(key.pointee.hash) }
    }

    /// Passes all keys to `body`, in insertion order.
    package func forEach<Failure: Error>(_ body: (assay_key) throws(Failure) -> Void) throws(Failure) {
        var place = 0
        while let key = assay_keys_next(handle, &place) { try body(key.pointee) }
    }
}

extension assay_key_hash {
    /// A derived hash for the second record with a key. A set can thus store two records with equal keys: the first
    /// under the plain hash, the second under this one. It is as unlikely to collide as any other hash.
    package var second: assay_key_hash { assay_key_hash(low: low ^ 0x9E37_79B9_7F4A_7C15, high: ~high) }
}

/// The place of a record: its line, and its file in the table.
///
///     ┌─ file, 20 bits ─┬─ line, 44 bits ─┐
///
package struct RecordPlace {
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }
    package init(line: Int, input: Int) { bits = UInt64(input) << 44 | UInt64(line) }

    package var line: Int { Int(bits & (1 << 44 - 1)) }
    package var input: Int { Int(bits >> 44) }
}
