internal import Assay
internal import AssayEvaluation
internal import CAssay

/// Decides about keys that have no room in memory together: which records are refused, and who holds their keys.
///
///     partitions of all keys ──► those that are not alone ──► decisions, in the order of the records
///     (by hash, each in memory)  (in the order of the records)
///
struct KeyResolver {
    private let file: ScratchFile
    /// The most memory for the keys of a partition, in bytes.
    private let memory: Int
    private let keep: DuplicatePolicy
    /// The number of keys per record.
    private let each: Int
    /// Records before this one were clean when the memory had no more room: they hold their keys.
    private let firstOpen: UInt64
    private let threads: Int

    /// The holder of each group of equal keys. Used only if records have several keys.
    private var groups: GroupHolders
    private var events: EventRuns

    /// - Parameter memory: The memory limit in bytes, without the item being processed.
    init(_ file: ScratchFile, memory: Int, keep: DuplicatePolicy, each: Int, firstOpen: UInt64, threads: Int) {
        (self.file, self.memory, self.keep, self.each) = (file, memory / 2, keep, each)
        (self.firstOpen, self.threads) = (firstOpen, threads)
        groups = GroupHolders(file, memory: memory / 4)
        events = EventRuns(file, memory: memory / 4)
    }

    /// - Parameters:
    ///   - keys: Each with a ``KeyOrder`` as its record. If the first record is kept, the keys of a partition are in
    ///     the order of the records, except held ones. For other preferences, the record is its place in the order in
    ///     which the records get their keys.
    ///   - step: called now and then.
    /// - Returns: lists with an event for each key of a refused record that another holds.
    mutating func decide(_ keys: KeyPartitions, step: () throws -> Void) throws -> [SpilledList<KeyEvent>] {
        if keep == .first && each == 1 {
            return try DeferredKeys(keys, file, memory: memory, threads: threads).decide(step: step)
        }
        try resolve(keys, step)
        let met = try events.ended()
        return isGreedy ? [try refuseInOrder(MergedEvents(met))] : met
    }

    /// Whether the records are visited in the order in which they get their keys: because a record that is refused for
    /// one key leaves another free, or because the keys are not in this order.
    private var isGreedy: Bool { keep != .none && (each > 1 || keep != .first) }

    private mutating func resolve(_ keys: KeyPartitions, _ step: () throws -> Void) throws {
        for partition in keys.partitions where !partition.isEmpty {
            try step()
            let groupsBefore = groups.count
            let set = try KeySet(memory: memory)
            if try fill(set, from: partition) {
                try addEvents(of: partition, in: set)
            } else {
                groups.removeAll(from: groupsBefore)
                try resolve(keys.split(partition), step)
            }
        }
    }

    /// Finds the first two keys of each group of equal keys. Returns `false` if memory runs out.
    private mutating func fill(_ set: KeySet, from partition: SpilledList<assay_key>) throws -> Bool {
        var reader = partition.makeReader()
        while let key = try reader.next() {
            guard let first = set.claim(key) else { return false }
            if first.record == 0 || set.find(key.hash.second) != nil { continue }
            var second = key
            second.hash = key.hash.second
            // From here on the group has a number.
            if isGreedy { second.record = UInt64(try groups.append()) + 1 }
            guard set.claim(second) != nil else { return false }
        }
        return true
    }

    /// Adds an event for each key that several records have.
    private mutating func addEvents(of partition: SpilledList<assay_key>, in set: KeySet) throws {
        var reader = partition.makeReader()
        while let key = try reader.next() {
            guard let first = set.find(key.hash) else { continue }
            let record = KeyOrder(bits: key.record).record
            if isGreedy {
                guard let group = set.find(key.hash.second).map({ Int($0.record) - 1 }) else { continue }
                if record < firstOpen {
                    try groups.set(group, GroupHolders.Holder(record: record, place: key.place))
                } else {
                    try events.append(KeyEvent(order: key.record, holder: UInt64(group), place: key.place))
                }
            } else {
                let isFirst = first.record == key.record
                guard let other = isFirst ? set.find(key.hash.second) : first else { continue }
                let holder = KeyOrder(bits: other.record).record
                try events.append(KeyEvent(order: key.record, holder: holder, place: other.place))
            }
        }
    }

    /// Processes the records in order: a record holds its groups if all are free, and is refused otherwise.
    private mutating func refuseInOrder(_ events: MergedEvents) throws -> SpilledList<KeyEvent> {
        var events = events
        var decisions = SpilledList<KeyEvent>(file)
        var own: [(event: KeyEvent, holder: GroupHolders.Holder)] = []
        while let first = events.first {
            own.removeAll(keepingCapacity: true)
            while let event = events.first, event.order >> 16 == first.order >> 16 {
                own.append((event, try groups.holder(Int(event.holder))))
                try events.removeFirst()
            }
            let isFree = own.allSatisfy { $0.holder.record == 0 }
            for (event, holder) in own {
                if isFree {
                    let record = KeyOrder(bits: event.order).record
                    try groups.set(Int(event.holder), GroupHolders.Holder(record: record, place: event.place))
                } else if holder.record != 0 {
                    try decisions.append(KeyEvent(order: event.order, holder: holder.record, place: holder.place))
                }
            }
        }
        return decisions
    }
}
