internal import Assay
internal import CAssay

/// Decides about keys that have no room in memory together: which records are refused, and who holds their keys.
///
///     partitions of all keys ──► those that are not alone ──► decisions, in the order of the records
///     (by hash, each in memory)  (in the order of the records)
///
struct KeyResolver {
    let file: ScratchFile
    /// The most memory for the keys of a partition, in bytes.
    let memory: Int
    let keep: KeptRecords
    /// How many keys a record has.
    let each: Int
    /// Records before this one were clean when the memory had no more room: they hold their keys.
    let firstOpen: UInt64

    /// By group of equal keys: who holds it; record 0: nobody yet. Only where records have several keys.
    private var groups: [(record: UInt64, place: UInt64)] = []
    private var lists: [SpilledList<KeyEvent>] = []

    init(_ file: ScratchFile, memory: Int, keep: KeptRecords, each: Int, firstOpen: UInt64) {
        (self.file, self.memory, self.keep, self.each) = (file, memory, keep, each)
        self.firstOpen = firstOpen
    }

    /// - Parameter keys: each with a ``KeyOrder`` as its record, in the order of the records within a partition, but for those
    ///   that are held.
    /// - Returns: an event for each key of a refused record that another holds.
    mutating func decide(_ keys: KeyPartitions) throws -> MergedEvents {
        try resolve(keys)
        let events = try MergedEvents(lists)
        return isGreedy ? try refuseInOrder(events) : events
    }

    /// Whether a record that is refused for one key leaves another free that a later one may have.
    private var isGreedy: Bool { keep == .first && each > 1 }

    private mutating func resolve(_ keys: KeyPartitions) throws {
        for partition in keys.partitions where !partition.isEmpty {
            let groupsBefore = groups.count
            if let list = try events(of: partition) {
                lists.append(list)
            } else {
                groups.removeLast(groups.count - groupsBefore)
                try resolve(keys.split(partition))
            }
        }
    }

    /// What happens in a partition. `nil`: its keys have no room in memory.
    private mutating func events(of partition: SpilledList<assay_key>) throws -> SpilledList<KeyEvent>? {
        let set = try KeySet(memory: memory)
        var list = SpilledList<KeyEvent>(file)
        var reader = partition.makeReader()
        while let key = try reader.next() {
            guard let holder = set.claim(key) else { return nil }
            if holder.record == 0 { continue }
            if keep == .first && each == 1 {
                let record = KeyOrder(bits: holder.record).record
                try list.append(KeyEvent(order: key.record, holder: record, place: holder.place))
            } else if set.find(key.hash.second) == nil {
                // The second of its group: from here on the group has a number.
                var second = key
                second.hash = key.hash.second
                if keep == .first {
                    second.record = UInt64(groups.count) + 1
                    groups.append((0, 0))
                }
                guard set.claim(second) != nil else { return nil }
            }
        }
        if keep == .first && each == 1 { return list }

        reader = partition.makeReader()
        while let key = try reader.next() {
            guard let second = set.find(key.hash.second) else { continue }
            if keep == .none {
                guard let first = set.find(key.hash) else { continue }
                let other = first.record == key.record ? second : first
                let record = KeyOrder(bits: other.record).record
                try list.append(KeyEvent(order: key.record, holder: record, place: other.place))
            } else if KeyOrder(bits: key.record).record < firstOpen {
                groups[Int(second.record) - 1] = (KeyOrder(bits: key.record).record, key.place)
            } else {
                try list.append(KeyEvent(order: key.record, holder: second.record - 1, place: key.place))
            }
        }
        return list
    }

    /// Goes through the records in order: one whose groups are all free holds them, the others are refused.
    private mutating func refuseInOrder(_ events: MergedEvents) throws -> MergedEvents {
        var events = events
        var decisions = SpilledList<KeyEvent>(file)
        var own: [KeyEvent] = []
        while let first = events.first {
            own.removeAll(keepingCapacity: true)
            while let event = events.first, event.order >> 16 == first.order >> 16 {
                own.append(event)
                try events.removeFirst()
            }
            let isFree = own.allSatisfy { groups[Int($0.holder)].record == 0 }
            for event in own {
                let group = Int(event.holder)
                if isFree {
                    groups[group] = (KeyOrder(bits: event.order).record, event.place)
                } else if groups[group].record != 0 {
                    let holder = groups[group]
                    try decisions.append(KeyEvent(order: event.order, holder: holder.record, place: holder.place))
                }
            }
        }
        return try MergedEvents([decisions])
    }
}

extension KeySet {
    /// Adds a key, unless another holds it. Returns the holder, without a record if there was none; `nil`: no room.
    fileprivate func claim(_ key: assay_key) -> assay_key? {
        var holder = assay_key(hash: key.hash, record: 0, place: 0)
        var refused: UInt64 = 0
        let fits = withUnsafePointer(to: key) { claim($0, records: 1, each: 1, holders: &holder, refused: &refused) }
        if !fits { return nil }
        if refused == 0 { holder.record = 0 }
        return holder
    }
}

extension assay_key_hash {
    /// Under which the second of a group of equal keys stands: as far from all others as any hash is.
    fileprivate var second: assay_key_hash { assay_key_hash(low: low ^ 0x9E37_79B9_7F4A_7C15, high: ~high) }
}
