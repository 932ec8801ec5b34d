internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import AssayRules
internal import CAssay
public import CAssayABI

/// An error in a key of a record, or a value that is out of order.
struct KeyEvent: Comparable, Sendable {
    /// The number of the record.
    let record: UInt64
    let key: Int
    /// The record that has the same key, or that this one does not follow; 0 if a part of the key is missing.
    let holder: UInt64

    static func < (one: KeyEvent, other: KeyEvent) -> Bool { (one.record, one.key) < (other.record, other.key) }
}

/// The keys and the order of the records that have been checked: in one table, in a stream, or in parts of a table.
final class SeenKeys: Handle, @unchecked Sendable {
    // SAFETY: one check at a time uses it, as the header requires, and one worker at a time, under a lock.
    static let argument = "seen"

    private let rules: Rules
    private let set: KeySet
    /// The order of the sorted columns.
    private let order = TableOrder()
    private let memory: Int
    private let secrets: [KeySecret]
    /// The memory of the records that wait for the end of the table, in bytes.
    private var waitingBytes = 0

    /// - Parameter memory: the memory limit in bytes; `nil`: a quarter of the machine's.
    init(_ rules: Rules, memory: Int?) throws(NoMemoryError) {
        let memory = memory ?? usualKeyMemory()
        (self.rules, self.memory) = (rules, memory)
        set = try KeySet(memory: memory)
        secrets = rules.schema.keys.map { _ in KeySecret() }
    }

    private var keep: DuplicatePolicy { rules.file.schema.keep }

    func secret(_ key: Int) -> KeySecret { secrets[key] }

    /// Returns whether the keys belong to these rules.
    func belongs(to other: Rules) -> Bool { rules === other }

    /// Reserves memory for the keys of a table, within the limit, because a growing set is rehashed repeatedly.
    func reserve(_ count: Int) {
        if set.count == 0 && count > 0 { set.reserve(count) }
    }

    /// Decides the rows of a slice, which follow the rows of all earlier slices. Returns `false` if the keys or events
    /// exceed the memory limit.
    func claim(_ rows: RowKeys, into open: inout OpenKeys) -> Bool {
        order.decide(rows)
        var hasRoom = true
        switch keep {
        case .first: hasRoom = rows.claim(in: set)
        case .none: hasRoom = claimAll(rows, into: &open.events)
        case .last, .max, .min:
            rows.beginDeciding()
            let before = open.preferred.bytes
            open.preferred.add(rows)
            waitingBytes += open.preferred.bytes - before
        }
        open.events.add(rows)
        // Count the events twice, because they are sorted in a copy later.
        let eventBytes = 2 * open.events.count * MemoryLayout<KeyEvent>.stride
        return hasRoom && set.bytes + waitingBytes + eventBytes <= leastMemory
    }

    /// The limit, which is at least 128 KiB.
    private var leastMemory: Int { max(memory, 1 << 17) }

    /// Decides the records that wait for the end of the table.
    func decide(_ preferred: PreferredKeys) throws -> [KeyEvent] {
        guard let refusals = try preferred.refusals(keep, memory: leastMemory - preferred.bytes) else { throw noRoom }
        return refusals.map { KeyEvent(record: $0.record, key: $0.column, holder: $0.holder) }
    }

    /// Rejects all rows with equal keys. The first row names the second, and each later row names the first.
    private func claimAll(_ rows: RowKeys, into events: inout [KeyEvent]) -> Bool {
        rows.beginDeciding()
        var hasRoom = true
        rows.forEachClaim { (key, column) throws(Never) in
            guard hasRoom, case .unique = rows.columns[column].role else { return }
            guard let first = set.claim(key) else { return hasRoom = false }
            if first.record == 0 { return }
            events.append(KeyEvent(record: key.record, key: column, holder: first.record))
            var second = key
            second.hash = key.hash.second
            guard let known = set.claim(second) else { return hasRoom = false }
            if known.record == 0 { events.append(KeyEvent(record: first.record, key: column, holder: key.record)) }
        }
        return hasRoom
    }

    var noRoom: Fault {
        Fault(
            ASSAY_FAULT_MEMORY, "the keys of the records need more than the \(memory) bytes that they may take",
            hint:
                "raise assay_options.key_memory, or clean a file (assay_clean_file), which keeps keys on disk"
        )
    }
}

extension [KeyEvent] {
    /// Adds the reasons to refuse rows.
    mutating func add(_ rows: RowKeys) {
        rows.forEachRefusal { row, column, holder in
            append(KeyEvent(record: rows.records[row], key: column, holder: holder?.record ?? 0))
        }
    }
}

@c @implementation
public func assay_seen_keys_create(
    _ rules: OpaquePointer?, _ memory: UInt64, _ seen: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let seen else { throw Fault.null("seen") }
        let rules = try Rules.behind(rules)
        if let key = rules.ownForeignKey { throw Fault.needsOnePlace(key) }
        let keep = rules.file.schema.keep
        if keep != .first, let key = rules.file.schema.keys.first {
            throw Fault(
                ASSAY_FAULT_RULES,
                "the rules have the key '\(printable(key.id))' and 'keep: \(printable(keep.text))': the records to "
                    + "keep are known only after the last record",
                hint: "check them as one table or one stream, or write 'keep: first'")
        }
        seen.pointee = try SeenKeys(rules, memory: memory == 0 ? nil : Int(clamping: memory)).retained()
    }
}

@c @implementation
public func assay_seen_keys_free(_ seen: OpaquePointer?) { SeenKeys.release(seen) }
