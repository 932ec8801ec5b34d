internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The rows of a chunk that have a key, sorted by shard, and the decisions about them. Scratch memory of one worker.
///
///     rows 0 1 2 3 4   ──►   shard 0: rows 1 4    shard 1: row 0    shard 2: rows 2 3
///
struct ShardedRows {
    private var keys: [assay_key] = []
    private var rows: [UInt32] = []
    /// The index at which each shard begins.
    private var starts: [Int] = []
    private var holders: [assay_key] = []
    /// Each shard has its own words.
    private var refused: [UInt64] = []

    /// Begins with the undecided rows of another chunk.
    ///
    /// - Parameters:
    ///   - claims: By row and key; only the first key of each row counts.
    ///   - each: The number of keys per row.
    mutating func divide(_ claims: [assay_key], rows count: Int, each: Int, among shards: Int) {
        if keys.count < count {
            keys = Array(repeating: assay_key(hash: assay_key_hash(), record: 0, place: 0), count: count)
            holders = keys
            rows = Array(repeating: 0, count: count)
        }
        starts = Array(repeating: 0, count: shards + 1)
        assay_keys_shard(claims, count, each, shards, &keys, &rows, &starts)
        refused = Array(repeating: 0, count: firstWord(of: shards))
    }

    private func firstWord(of shard: Int) -> Int { starts[shard] / 64 + shard }

    /// Decides the rows of a shard. Returns `false` if memory runs out.
    mutating func claim(_ shard: Int, in set: KeySet) -> Bool {
        let own = starts[shard]..<starts[shard + 1]
        if own.isEmpty { return true }
        let word = firstWord(of: shard)
        return keys.withUnsafeBufferPointer { keys in
            holders.withUnsafeMutableBufferPointer { holders in
                refused.withUnsafeMutableBufferPointer { refused in
                    set.claim(
                        keys.baseAddress! + own.lowerBound, records: own.count, each: 1,
                        holders: holders.baseAddress! + own.lowerBound, refused: refused.baseAddress! + word)
                }
            }
        }
    }

    /// Sets the record of each key to a ``KeyOrder``.
    mutating func setOrders() {
        for place in 0..<(starts.last ?? 0) { keys[place].record = KeyOrder(record: keys[place].record, key: 0).bits }
    }

    func withKeys(
        of shard: Int, _ body: (UnsafeBufferPointer<assay_key>) throws(FileError) -> Void
    ) throws(FileError) {
        var problem: FileError?
        keys.withUnsafeBufferPointer { keys in
            let own = UnsafeBufferPointer(rebasing: keys[starts[shard]..<starts[shard + 1]])
            do throws(FileError) { try body(own) } catch { problem = error }
        }
        if let problem { throw problem }
    }

    /// Passes the rows with keys that other records hold to `body`, shard by shard.
    func forEachRefused(_ body: (_ row: Int, _ holder: assay_key) -> Void) {
        for shard in starts.indices.dropLast() {
            let word = firstWord(of: shard)
            for other in 0..<maskWords(starts[shard + 1] - starts[shard]) {
                forEachBit(in: refused[word + other]) { bit in
                    let place = starts[shard] + 64 * other + bit
                    body(Int(rows[place]), holders[place])
                }
            }
        }
    }
}
