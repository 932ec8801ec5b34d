/// Events that come in any order, sorted in runs that fit into the memory (an external merge sort).
struct EventRuns {
    private let file: ScratchFile
    private let maxItemsInMemory: Int
    private var events: [KeyEvent] = []
    private var runs: [SpilledList<KeyEvent>] = []

    /// - Parameter bytes: the memory for a run. Short runs would be many.
    init(_ file: ScratchFile, memory bytes: Int) {
        self.file = file
        maxItemsInMemory = max(1 << 16, bytes) / MemoryLayout<KeyEvent>.stride
    }

    mutating func append(_ event: KeyEvent) throws(FileError) {
        if events.count >= maxItemsInMemory { try endRun() }
        events.append(event)
    }

    private mutating func endRun() throws(FileError) {
        events.sort { $0.order < $1.order }
        var run = SpilledList<KeyEvent>(file)
        for event in events { try run.append(event) }
        try run.spill()
        runs.append(run)
        events.removeAll(keepingCapacity: true)
    }

    /// All events, in lists that are each in order.
    mutating func ended() throws(FileError) -> [SpilledList<KeyEvent>] {
        try endRun()
        return runs
    }
}
