internal import Assay
internal import CAssay

/// A set of keys in memory, each with the record that holds it. One thread at a time may change it.
final class KeySet: Sendable {
    // SAFETY: made in `init`, freed in `deinit`; whoever changes it does so alone.
    nonisolated(unsafe) private let handle: OpaquePointer

    /// What an empty set takes.
    static let leastBytes = 40 << 10

    /// - Parameter bytes: the most memory that it takes.
    init(memory bytes: Int) throws(NoMemoryError) {
        guard let handle = assay_keys_create(max(0, bytes)) else { throw NoMemoryError(for: "keys") }
        self.handle = handle
    }

    deinit { assay_keys_free(handle) }

    var count: Int { assay_keys_count(handle) }

    /// Adds the keys of each record in turn if all of them are free; see `assay_keys_claim`. `false`: the memory does not
    /// suffice, and nothing has changed.
    func claim(
        _ keys: UnsafePointer<assay_key>, records: Int, each: Int, holders: UnsafeMutablePointer<assay_key>,
        refused: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        assay_keys_claim(handle, keys, records, each, holders, refused) == .ASSAY_OK
    }

    /// Adds a key that is not in the set. `false`: the memory does not suffice.
    func add(_ key: assay_key) -> Bool {
        var holder = assay_key()
        var refused: UInt64 = 0
        return withUnsafePointer(to: key) { claim($0, records: 1, each: 1, holders: &holder, refused: &refused) }
    }

    /// Makes room for so many keys more, if the memory allows it.
    func reserve(_ more: Int) { assay_keys_reserve(handle, more) }

    /// Makes room for the keys of so many chunks more, each with as many as there are, if the memory allows it.
    func reserve(chunks: Int) {
        let (more, isTooMany) = chunks.multipliedReportingOverflow(by: count)
        if !isTooMany { reserve(more) }
    }

    /// What it takes, in bytes.
    var bytes: Int { assay_keys_bytes(handle) }

    /// Takes the rows out of a mask whose hashes are in the set.
    func takeOutHeld(_ hashes: UnsafePointer<assay_key_hash>, rows: Int, from mask: UnsafeMutablePointer<UInt64>) {
        assay_keys_take_out_held(handle, hashes, rows, mask)
    }

    func find(_ hash: assay_key_hash) -> assay_key? { assay_keys_find(handle, hash)?.pointee }

    /// Hands out all hashes, in the order in which they came.
    func forEachHash(_ body: (assay_key_hash) -> Void) {
        var place = 0
        while let key = assay_keys_next(handle, &place) { body(key.pointee.hash) }
    }

    /// Hands out all keys, in the order in which they came.
    func forEach(_ body: (assay_key) throws(FileError) -> Void) throws(FileError) {
        var place = 0
        while let key = assay_keys_next(handle, &place) { try body(key.pointee) }
    }
}

/// Where a record stands: its line, and which of the table's files it is in.
///
///     ┌─ file, 20 bits ─┬─ line, 44 bits ─┐
///
struct RecordPlace {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }
    init(line: Int, input: Int) { bits = UInt64(input) << 44 | UInt64(line) }

    var line: Int { Int(bits & (1 << 44 - 1)) }
    var input: Int { Int(bits >> 44) }
}
