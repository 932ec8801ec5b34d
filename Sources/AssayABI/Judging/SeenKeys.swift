internal import Assay
internal import AssayFiles
internal import AssayRules
internal import CAssay
public import CAssayABI

/// An error in a key of a record.
struct KeyEvent: Comparable, Sendable {
    /// The number of the record.
    let record: UInt64
    let key: Int
    /// The record that has the same key; 0 if a part of the key is missing.
    let holder: UInt64

    static func < (one: KeyEvent, other: KeyEvent) -> Bool { (one.record, one.key) < (other.record, other.key) }
}

/// The keys of the records that have been checked: in one table, in a stream, or in parts of a table.
final class SeenKeys: Handle, @unchecked Sendable {
    // SAFETY: one check at a time uses it, as the header requires, and one worker at a time, under a lock.
    static let argument = "seen"

    private let rules: Rules
    private let set: OpaquePointer
    private let memory: Int
    private let seeds: [assay_key_hash]

    /// - Parameter memory: the memory limit in bytes; `nil`: a quarter of the machine's.
    init(_ rules: Rules, memory: Int?) throws(NoMemoryError) {
        let memory = memory ?? usualKeyMemory()
        guard let set = assay_keys_create(memory) else { throw NoMemoryError(for: "keys") }
        (self.rules, self.set, self.memory) = (rules, set, memory)
        seeds = rules.schema.keys.map { _ in assay_key_hash(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
        }
    }

    deinit { assay_keys_free(set) }

    /// Whether a later record with the same key changes the verdict on an earlier one.
    var keepsNone: Bool { rules.file.schema.keep == .none }

    func seed(_ key: Int) -> assay_key_hash { seeds[key] }

    /// Returns whether the keys belong to these rules.
    func belongs(to other: Rules) -> Bool { rules === other }

    /// Reserves memory for the keys of a table, within the limit, because a growing set is rehashed repeatedly.
    func reserve(_ count: Int) {
        if assay_keys_count(set) == 0 { assay_keys_reserve(set, count) }
    }

    /// Claims the keys of a slice, which follow the keys of all earlier slices. Returns `false` if the keys or events
    /// exceed the memory.
    ///
    /// - Parameter each: the number of keys per row.
    func claim(_ slice: SliceKeys, each: Int, into events: inout [KeyEvent]) -> Bool {
        let hasRoom = keepsNone ? claimAll(slice, each, into: &events) : claimFirst(slice, each, into: &events)
        // Count the events twice, because they are sorted in a copy later.
        return hasRoom && assay_keys_bytes(set) + 2 * events.count * MemoryLayout<KeyEvent>.stride <= mostBytes
    }

    /// The memory limit, which is at least 128 KiB.
    private var mostBytes: Int { max(memory, 1 << 17) }

    /// Gives a row its keys if all are free.
    private func claimFirst(_ slice: SliceKeys, _ each: Int, into events: inout [KeyEvent]) -> Bool {
        let rows = slice.keys.count / each
        if rows == 0 { return true }
        var holders = slice.keys
        var refused = [UInt64](repeating: 0, count: maskWords(rows))
        guard assay_keys_claim(set, slice.keys, rows, each, &holders, &refused) == .ASSAY_OK else { return false }
        for word in refused.indices {
            forEachBit(in: refused[word]) { bit in
                let first = (64 * word + bit) * each
                // A rejected row has at least one key with a record number.
                let record = slice.keys[first..<first + each].first { $0.record != 0 }?.record ?? 0
                for key in 0..<each where holders[first + key].record != 0 {
                    events.append(KeyEvent(record: record, key: key, holder: holders[first + key].record))
                }
            }
        }
        return true
    }

    /// Rejects all rows with equal keys. The first row names the second, and each later row names the first.
    private func claimAll(_ slice: SliceKeys, _ each: Int, into events: inout [KeyEvent]) -> Bool {
        for (place, key) in slice.keys.enumerated() where key.record != 0 {
            guard let first = claim(key) else { return false }
            if first == 0 { continue }
            let number = place % each
            events.append(KeyEvent(record: key.record, key: number, holder: first))
            var second = key
            second.hash = second.hash.second
            guard let known = claim(second) else { return false }
            if known == 0 { events.append(KeyEvent(record: first, key: number, holder: key.record)) }
        }
        return true
    }

    /// Adds a key if it is free. Returns the record that has the key, 0 if it was free, or `nil` if memory ran out.
    private func claim(_ key: assay_key) -> UInt64? {
        var (key, holder, refused) = (key, assay_key(), UInt64(0))
        guard assay_keys_claim(set, &key, 1, 1, &holder, &refused) == .ASSAY_OK else { return nil }
        return refused == 0 ? 0 : holder.record
    }

    var noRoom: Fault {
        Fault(
            ASSAY_FAULT_MEMORY, "the keys of the records need more than the \(memory) bytes that they may take",
            hint:
                "raise assay_options.key_memory, or clean a file (assay_clean_file), which keeps on disk what has no room"
        )
    }
}

extension assay_key_hash {
    /// The hash for the second row of a group with equal keys. It is as unlikely to collide as any other hash.
    fileprivate var second: assay_key_hash { assay_key_hash(low: low ^ 0x9E37_79B9_7F4A_7C15, high: ~high) }
}

@c @implementation
public func assay_seen_keys_create(
    _ rules: OpaquePointer?, _ memory: UInt64, _ seen: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let seen else { throw Fault.null("seen") }
        let rules = try Rules.behind(rules)
        if let key = rules.ownForeignKey { throw Fault.needsOnePlace(key) }
        if rules.file.schema.keep == .none, let key = rules.schema.keys.first {
            throw Fault(
                ASSAY_FAULT_RULES,
                "the rules have the key '\(printable(key.key.id))' and 'keep: none': which records stay is known only when all have been seen",
                hint: "check them as one table or one stream, or write 'keep: first'")
        }
        seen.pointee = try SeenKeys(rules, memory: memory == 0 ? nil : Int(clamping: memory)).lent()
    }
}

@c @implementation
public func assay_seen_keys_free(_ seen: OpaquePointer?) { SeenKeys.release(seen) }
