internal import Assay
internal import AssayEvaluation
internal import CAssay

/// Resolves keys that do not fit in memory together, if a record has one key and the first record with a key is kept:
/// all later ones are refused. Partitions are independent, so several threads work concurrently.
final class DeferredKeys: Sendable {
    private let keys: KeyPartitions
    private let file: ScratchFile
    /// The maximum memory for the keys of a partition, in bytes.
    private let memory: Int
    private let threads: Int
    private let state = Lock(State())

    private struct State {
        var next = 0
        var events: [SpilledList<KeyEvent>] = []
        var problem: (any Error)?
    }

    /// - Parameters:
    ///   - keys: Each has a ``KeyOrder`` as its record, in the order of the records within a partition.
    ///   - memory: The maximum memory for keys of all threads, in bytes.
    init(_ keys: KeyPartitions, _ file: ScratchFile, memory: Int, threads: Int) {
        self.threads = min(threads, KeyPartitions.count)
        (self.keys, self.file, self.memory) = (keys, file, memory / self.threads)
    }

    /// - Parameter step: Called periodically.
    /// - Returns: Sorted lists with an event for each key of a refused record.
    func decide(step: () throws -> Void) throws -> [SpilledList<KeyEvent>] {
        for end in stride(from: threads, to: KeyPartitions.count + threads, by: threads) {
            try step()
            onThreads(threads) { [self] in work(before: end) }
        }
        return try state.withLock { state in
            if let problem = state.problem { throw problem }
            return state.events
        }
    }

    /// Resolves partitions while there are any before `end`.
    private func work(before end: Int) {
        while let partition = takeNext(before: end) {
            do {
                let events = try events(of: keys.partitions[partition], among: keys)
                state.withLock { $0.events.append(events) }
            } catch {
                state.withLock { $0.problem = $0.problem ?? error }
            }
        }
    }

    private func takeNext(before end: Int) -> Int? {
        state.withLock { state in
            if state.problem != nil || state.next >= min(end, KeyPartitions.count) { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    /// Returns the events of a partition. All are written to the file.
    private func events(
        of partition: SpilledList<assay_key>, among keys: KeyPartitions
    ) throws -> SpilledList<KeyEvent> {
        if partition.isEmpty { return SpilledList(file) }
        if let events = try eventsInMemory(of: partition) { return events }
        var parts = try keys.split(partition)
        try parts.spill()
        // Each list is read with one piece in memory, so the number of lists must be small.
        var merged = try MergedEvents(parts.partitions.map { try events(of: $0, among: parts) })
        var list = SpilledList<KeyEvent>(file)
        while let event = merged.first {
            try list.append(event)
            try merged.removeFirst()
        }
        try list.spill()
        return list
    }

    /// Returns `nil` if the keys do not fit in memory.
    private func eventsInMemory(of partition: SpilledList<assay_key>) throws -> SpilledList<KeyEvent>? {
        let set = try KeySet(memory: memory)
        set.reserve(partition.count)
        var events = SpilledList<KeyEvent>(file)
        var reader = partition.makeReader()
        var (holders, refused): ([assay_key], [UInt64]) = ([], [])
        while let piece = try reader.nextPiece() {
            holders.append(contentsOf: piece.dropFirst(holders.count))
            refused = Array(repeating: 0, count: maskWords(piece.count))
            let fits = piece.withUnsafeBufferPointer {
                set.claim($0.baseAddress!, records: $0.count, each: 1, holders: &holders, refused: &refused)
            }
            if !fits { return nil }
            for word in refused.indices {
                while refused[word] != 0 {
                    let bit = refused[word].trailingZeroBitCount
                    refused[word] &= refused[word] - 1
                    let (key, holder) = (piece[piece.startIndex + 64 * word + bit], holders[64 * word + bit])
                    let record = KeyOrder(bits: holder.record).record
                    try events.append(KeyEvent(order: key.record, holder: record, place: holder.place))
                }
            }
        }
        try events.spill()
        return events
    }
}
