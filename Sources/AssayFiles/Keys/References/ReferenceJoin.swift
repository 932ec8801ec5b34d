internal import Assay
internal import AssayEvaluation
internal import CAssay

/// Finds references without a target if the target keys do not fit in memory together.
///
///     partitions of the references ──┐
///     (by hash)                      ├──► one at a time, in memory ──► references that are not there
///     partitions of the keys ────────┘
///
struct ReferenceJoin {
    /// The most memory for the keys of a partition, in bytes.
    private let memory: Int
    private var events: EventRuns

    /// - Parameter memory: The memory limit in bytes, without the item being processed.
    init(_ file: ScratchFile, memory: Int) {
        self.memory = memory / 2
        events = EventRuns(file, memory: memory / 4)
    }

    /// - Parameters:
    ///   - references: Each has a ``KeyOrder`` as its record.
    ///   - keys: The keys of all tables that the references refer to. Each foreign key has its own secret, so that keys
    ///     of different tables have no common hashes.
    ///   - step: Called periodically.
    /// - Returns: Lists with an event for each reference to a missing key.
    mutating func orphans(
        of references: KeyPartitions, in keys: [KeyPartitions], step: () throws -> Void
    ) throws -> [SpilledList<KeyEvent>] {
        try join(references, keys, step)
        return try events.ended()
    }

    private mutating func join(
        _ references: KeyPartitions, _ keys: [KeyPartitions], _ step: () throws -> Void
    ) throws {
        for (index, partition) in references.partitions.enumerated() where !partition.isEmpty {
            try step()
            let set = try KeySet(memory: memory)
            if try keys.allSatisfy({ try fill(set, from: $0.partitions[index]) }) {
                try addOrphans(of: partition, excluding: set)
            } else {
                try join(references.split(partition), keys.map { try $0.split($0.partitions[index]) }, step)
            }
        }
    }

    /// Returns `false` if the keys do not fit in memory.
    private func fill(_ set: KeySet, from partition: SpilledList<assay_key>) throws(FileError) -> Bool {
        var reader = partition.makeReader()
        while let key = try reader.next() {
            if !set.add(key) { return false }
        }
        return true
    }

    private mutating func addOrphans(of partition: SpilledList<assay_key>, excluding set: KeySet) throws {
        var reader = partition.makeReader()
        while let reference = try reader.next() {
            if set.find(reference.hash) != nil { continue }
            try events.append(KeyEvent(order: reference.record, holder: 0, place: 0))
        }
    }
}
