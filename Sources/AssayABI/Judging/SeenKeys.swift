internal import Assay
internal import AssayFiles
internal import AssayRules
internal import CAssay
public import CAssayABI

/// One thing that is wrong with a key of a record.
struct KeyEvent: Comparable, Sendable {
    /// The number of the record.
    let record: UInt64
    let key: Int
    /// The record that holds the key; 0: a part of it is missing.
    let holder: UInt64

    static func < (one: KeyEvent, other: KeyEvent) -> Bool { (one.record, one.key) < (other.record, other.key) }
}

/// The keys of the records that were checked so far: of one table, of a stream, or of tables that belong together.
final class SeenKeys: Handle, @unchecked Sendable {
    // SAFETY: one check at a time uses it, as the header says, and of its workers one, under a lock.
    static let argument = "seen"

    private let rules: Rules
    private let set: OpaquePointer
    private let memory: Int
    private let seeds: [assay_key_hash]

    /// - Parameter memory: the most that it takes, in bytes; `nil`: a quarter of the machine's.
    init(_ rules: Rules, memory: Int?) throws(NoMemoryError) {
        let memory = memory ?? usualKeyMemory()
        guard let set = assay_keys_create(memory) else { throw NoMemoryError(for: "keys") }
        (self.rules, self.set, self.memory) = (rules, set, memory)
        seeds = rules.schema.keys.map { _ in assay_key_hash(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
        }
    }

    deinit { assay_keys_free(set) }

    /// Whether an equal record that comes later changes what is to be said of an earlier one.
    var keepsNone: Bool { rules.file.schema.keep == .none }

    func seed(_ key: Int) -> assay_key_hash { seeds[key] }

    /// Whether they are those of the rules of a check.
    func belongs(to other: Rules) -> Bool { rules === other }

    /// Makes room for the keys of a table, if the memory allows it: a set that grows is filled again and again.
    func reserve(_ count: Int) {
        if assay_keys_count(set) == 0 { assay_keys_reserve(set, count) }
    }

    /// Decides about the rows of a slice, which follow those of all slices before. `false`: there is no room for their keys, or for what is
    /// wrong with them.
    ///
    /// - Parameter each: how many keys a row has.
    func claim(_ slice: SliceKeys, each: Int, into events: inout [KeyEvent]) -> Bool {
        let hasRoom = keepsNone ? claimAll(slice, each, into: &events) : claimFirst(slice, each, into: &events)
        // They are sorted later, in a copy.
        return hasRoom && assay_keys_bytes(set) + 2 * events.count * MemoryLayout<KeyEvent>.stride <= mostBytes
    }

    /// A set has some room in any case.
    private var mostBytes: Int { max(memory, 1 << 17) }

    /// A row gets its keys if all of them are free.
    private func claimFirst(_ slice: SliceKeys, _ each: Int, into events: inout [KeyEvent]) -> Bool {
        let rows = slice.keys.count / each
        if rows == 0 { return true }
        var holders = slice.keys
        var refused = [UInt64](repeating: 0, count: maskWords(rows))
        guard assay_keys_claim(set, slice.keys, rows, each, &holders, &refused) == .ASSAY_OK else { return false }
        for word in refused.indices {
            forEachBit(in: refused[word]) { bit in
                let first = (64 * word + bit) * each
                // Some key of a row that is refused has a record.
                let record = slice.keys[first..<first + each].first { $0.record != 0 }?.record ?? 0
                for key in 0..<each where holders[first + key].record != 0 {
                    events.append(KeyEvent(record: record, key: key, holder: holders[first + key].record))
                }
            }
        }
        return true
    }

    /// Of rows with equal keys none stays: the first names the second, and each later one the first.
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

    /// Adds a key, unless another record holds it: that one, 0 if there is none; `nil`: no room.
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
    /// Under which the second of a group of equal keys stands: as far from all others as any hash is.
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
