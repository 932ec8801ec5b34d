internal import CAssay

/// Keys that are sorted by some bits of their hashes, so that equal ones are together, and each partition is small.
struct KeyPartitions: Sendable {
    private(set) var partitions: [SpilledList<assay_key>]
    private let depth: Int
    private let file: ScratchFile

    private static let bits = 6

    /// How many partitions there are.
    static let count = 1 << bits

    /// - Parameter depth: how often they have been sorted before, by other bits.
    init(_ file: ScratchFile, depth: Int = 0) {
        self.file = file
        self.depth = depth
        partitions = Array(repeating: SpilledList(file), count: Self.count)
    }

    mutating func append(_ key: assay_key) throws(FileError) {
        // The low half of a hash is what sets place it by.
        let partition = Int(truncatingIfNeeded: key.hash.high >> UInt64(Self.bits * depth)) & (partitions.count - 1)
        try partitions[partition].append(key)
    }

    /// Adds the keys of rows that have one each and have been divided among ``count`` shards: with a ``KeyOrder`` as its record.
    mutating func append(_ rows: ShardedRows) throws(FileError) {
        precondition(depth == 0, "shards are partitions that have not been split")
        for shard in 0..<Self.count {
            try rows.withKeys(of: shard) { keys throws(FileError) in try partitions[shard].append(all: keys) }
        }
    }

    /// Has none in memory.
    mutating func spill() throws(FileError) {
        for index in partitions.indices { try partitions[index].spill() }
    }

    /// The keys of a partition that has become too large for the memory, sorted once more.
    func split(_ partition: SpilledList<assay_key>) throws(FileError) -> KeyPartitions {
        precondition(Self.bits * (depth + 2) <= 64, "hashes with sixty bits in common are not this many")
        var parts = KeyPartitions(file, depth: depth + 1)
        var reader = partition.makeReader()
        while let key = try reader.next() { try parts.append(key) }
        return parts
    }
}

/// A key of a record as a number: in the order of the records, and of the keys of each.
struct KeyOrder {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }
    init(record: UInt64, key: Int) { bits = record << 16 | UInt64(key) }

    var record: UInt64 { bits >> 16 }
    var key: Int { Int(bits & 0xFFFF) }
}

/// A key of a record that others have, too.
struct KeyEvent: BitwiseCopyable {
    /// A ``KeyOrder``.
    var order: UInt64
    /// Who holds it: the record. While that is not known: which group of equal keys it belongs to.
    var holder: UInt64
    /// Where the holder stands, a ``RecordPlace``. While that is not known: where the record itself does.
    var place: UInt64
}
