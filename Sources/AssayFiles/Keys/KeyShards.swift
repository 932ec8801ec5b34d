internal import Assay
internal import AssayEvaluation
internal import CAssay
internal import Synchronization

/// The keys of a table's clean records, divided into shards by some bits of their hashes. Workers pass through the
/// shards one after another, so that several claim keys concurrently, and each shard still receives the chunks in
/// order.
///
///     worker 1   shard 0 ▸ shard 1 ▸ shard 2 ▸ …      with the keys of chunk 7
///     worker 2             shard 0 ▸ shard 1 ▸ …      with those of chunk 8
///
/// The keys of a record with several keys must be claimed together, so there is only one shard for them.
final class KeyShards: Sendable {
    private let shards: [Shard]
    /// One per shard, or a single one for all shards.
    private let turns: [TicketSequencer]
    private let firstWithoutRoom = Atomic(Int.max)

    private final class Shard: Sendable {
        /// `nil` after the keys have been removed.
        let set: Lock<KeySet?>

        init(memory: Int) throws(NoMemoryError) { set = Lock(try KeySet(memory: memory)) }
    }

    /// The number of shards for records with one key. It does not depend on the number of threads, so that memory
    /// suffices for the same tables.
    private static let maxShards = 8

    /// - Parameters:
    ///   - memory: The maximum size of the keys in bytes. If it is too small for an empty set, the initializer returns
    ///     `nil`.
    ///   - keys: The maximum number of keys per record.
    ///   - spins: Whether each worker has its own processor. If not, a worker processes all shards in one turn, because
    ///     a wakeup per shard would take longer than the work.
    init?(memory: Int, keys: Int, spins: Bool) throws(NoMemoryError) {
        if memory < KeySet.minBytes { return nil }
        let count = keys == 1 ? min(Self.maxShards, powerOfTwo(atMost: memory / KeySet.minBytes)) : 1
        var shards: [Shard] = []
        for _ in 0..<count { shards.append(try Shard(memory: memory / count)) }
        self.shards = shards
        turns = (0..<(spins ? count : 1)).map { _ in TicketSequencer(spinsBeforeParking: spins) }
    }

    var count: Int { shards.count }

    /// The longest total time for which one of the turns was held.
    var heldNanoseconds: Int { turns.map(\.heldNanoseconds).max() ?? 0 }

    /// Runs `body` with each shard when it is the chunk's turn there. The order of shards depends on the other workers.
    /// Returns the number of the first chunk up to this one for which memory ran out, or a larger number if memory
    /// sufficed. Returns `nil` if another worker failed.
    ///
    /// After memory ran out in one shard, the other shards are skipped.
    func claim(ticket: Int, _ body: (_ shard: Int, KeySet) -> Bool) throws(FileError) -> Int? {
        var left = Array(turns.indices)
        var fits = true
        while !left.isEmpty {
            let turn = left.remove(at: left.firstIndex { turns[$0].isCurrent(ticket) } ?? 0)
            let went = try turns[turn].run(ticket: ticket) { () throws(FileError) in
                for shard in stride(from: turn, to: shards.count, by: turns.count) where fits {
                    fits = shards[shard].set.withLock { $0.map { body(shard, $0) } ?? false }
                }
                if !fits { firstWithoutRoom.min(ticket, ordering: .relaxed) }
            }
            if !went { return nil }
        }
        // All earlier chunks have passed through all shards.
        return firstWithoutRoom.load(ordering: .relaxed)
    }

    /// Removes all keys, after which no keys fit. Workers may still be passing through the shards.
    func removeAll(_ body: (assay_key) throws(FileError) -> Void) throws(FileError) {
        for shard in shards {
            let set = shard.set.withLock { set in
                defer { set = nil }
                return set
            }
            try set?.forEach(body)
        }
    }

    /// Wakes all waiting threads.
    func cancel() { for turn in turns { turn.cancel() } }
}

private func powerOfTwo(atMost number: Int) -> Int { 1 << (Int.bitWidth - 1 - number.leadingZeroBitCount) }
