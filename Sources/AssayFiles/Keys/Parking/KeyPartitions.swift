internal import AssayEvaluation
internal import CAssay

/// Keys partitioned by bits of their hashes, so that equal keys are in the same partition and each partition is small.
struct KeyPartitions: Sendable {
    private(set) var partitions: [SpilledList<assay_key>]
    private let depth: Int
    private let file: ScratchFile

    private static let bits = 6

    /// The number of partitions.
    static let count = 1 << bits

    /// - Parameter depth: The number of earlier partitioning steps, which used other bits.
    init(_ file: ScratchFile, depth: Int = 0) {
        self.file = file
        self.depth = depth
        partitions = Array(repeating: SpilledList(file), count: Self.count)
    }

    mutating func append(_ key: assay_key) throws(FileError) {
        // Use the high half, because hash sets use the low half to place keys.
        let partition = Int(truncatingIfNeeded: key.hash.high >> UInt64(Self.bits * depth)) & (partitions.count - 1)
        try partitions[partition].append(key)
    }

    /// Adds the keys of rows with one key each, divided among ``count`` shards. The record of each key must be a
    /// ``KeyOrder``.
    mutating func append(_ rows: ShardedRows) throws(FileError) {
        precondition(depth == 0, "shards are partitions that have not been split")
        for shard in 0..<Self.count {
            try rows.withKeys(of: shard) { keys throws(FileError) in try partitions[shard].append(all: keys) }
        }
    }

    /// Writes all keys in memory to the file.
    mutating func spill() throws(FileError) {
        for index in partitions.indices { try partitions[index].spill() }
    }

    /// Returns the keys of a partition that does not fit in memory, partitioned again.
    func split(_ partition: SpilledList<assay_key>) throws(FileError) -> KeyPartitions {
        precondition(Self.bits * (depth + 2) <= 64, "hashes with sixty bits in common are not this many")
        var parts = KeyPartitions(file, depth: depth + 1)
        var reader = partition.makeReader()
        while let key = try reader.next() { try parts.append(key) }
        return parts
    }
}

/// A key of a record as a number that is ordered by record, then by key.
struct KeyOrder {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }
    init(record: UInt64, key: Int) { bits = record << 16 | UInt64(key) }

    var record: UInt64 { bits >> 16 }
    var key: Int { Int(bits & 0xFFFF) }
}

/// A key of a record that other records have as well.
struct KeyEvent: BitwiseCopyable {
    /// A ``KeyOrder``.
    var order: UInt64
    /// The record that holds the key. Before it is known, the number of the group of equal keys.
    var holder: UInt64
    /// The ``RecordPlace`` of the holder. Before it is known, the place of the record itself.
    var place: UInt64
}
