internal import Assay
internal import CAssay

/// The rows of a chunk that have a key, sorted by the shards of keys, and what is decided about them there. Scratch of one worker.
///
///     rows 0 1 2 3 4   ──►   shard 0: rows 1 4    shard 1: row 0    shard 2: rows 2 3
///
struct ShardedRows {
    private var keys: [assay_key] = []
    private var rows: [UInt32] = []
    /// Where each shard begins.
    private var starts: [Int] = []
    private var holders: [assay_key] = []
    /// Each shard has words of its own.
    private var refused: [UInt64] = []

    /// Begins with the rows of another chunk, of which nothing is decided.
    ///
    /// - Parameters:
    ///   - claims: by row and key; only the first key of each row counts.
    ///   - each: how many keys a row has.
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

    /// Has the set of a shard decide. `false`: it has no room.
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

    /// Gives each key a ``KeyOrder`` as its record.
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

    /// Hands out the rows whose keys others hold, shard by shard.
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
