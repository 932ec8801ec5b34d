internal import Assay
internal import CAssay
internal import Synchronization

/// The keys that clean records of a table hold, in shards: some bits of its hash say which of them a key is in. Workers follow
/// one another through the shards, so that several claim keys at once, and each shard still sees the chunks in their order.
///
///     worker 1   shard 0 ▸ shard 1 ▸ shard 2 ▸ …      with the keys of chunk 7
///     worker 2             shard 0 ▸ shard 1 ▸ …      with those of chunk 8
///
/// A record that has several keys gets all of them or none; then there is one shard.
final class KeyShards: Sendable {
    private let shards: [Shard]
    /// By shard; or one for all shards.
    private let turns: [TicketSequencer]
    private let firstWithoutRoom = Atomic(Int.max)

    private final class Shard: Sendable {
        /// `nil` once they have been taken out.
        let set: Lock<KeySet?>

        init(memory: Int) throws(NoMemoryError) { set = Lock(try KeySet(memory: memory)) }
    }

    /// How many shards there are for records with one key. The number does not depend on that of the threads, so that the
    /// memory suffices for the same tables.
    private static let mostShards = 8

    /// - Parameters:
    ///   - memory: the most that the keys take, in bytes. Too little for any: `nil`.
    ///   - keys: how many keys a record may have.
    ///   - spins: whether each worker has a processor of its own. If not, a worker goes through all shards in one turn: to be
    ///     woken for each takes longer than what is done there.
    init?(memory: Int, keys: Int, spins: Bool) throws(NoMemoryError) {
        if memory < KeySet.leastBytes { return nil }
        let count = keys == 1 ? min(Self.mostShards, powerOfTwo(atMost: memory / KeySet.leastBytes)) : 1
        var shards: [Shard] = []
        for _ in 0..<count { shards.append(try Shard(memory: memory / count)) }
        self.shards = shards
        turns = (0..<(spins ? count : 1)).map { _ in TicketSequencer(spinsBeforeParking: spins) }
    }

    var count: Int { shards.count }

    /// The longest time in which a shard had one worker in it after another.
    var heldNanoseconds: Int { turns.map(\.heldNanoseconds).max() ?? 0 }

    /// Runs `body` with each shard when the turn of a chunk has come there; in which order, depends on the other workers. Returns
    /// which chunk is the first without room, as `body` says, of those up to this one; none: a larger number. `nil`: another
    /// worker has failed.
    ///
    /// What has no room in one shard is not asked for in the others.
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
        // All chunks before this one have been in all shards.
        return firstWithoutRoom.load(ordering: .relaxed)
    }

    /// Takes all keys out. From here on there is room for none. Workers may be on their way through the shards.
    func removeAll(_ body: (assay_key) throws(FileError) -> Void) throws(FileError) {
        for shard in shards {
            let set = shard.set.withLock { set in
                defer { set = nil }
                return set
            }
            try set?.forEach(body)
        }
    }

    /// Ends all waiting.
    func cancel() { for turn in turns { turn.cancel() } }
}

private func powerOfTwo(atMost number: Int) -> Int { 1 << (Int.bitWidth - 1 - number.leadingZeroBitCount) }
