/// The merged events of several sorted lists, by a heap of the next event of each list.
struct MergedEvents {
    private var readers: [SpilledList<KeyEvent>.Reader]
    private var heap: [(event: KeyEvent, reader: Int)] = []

    init(_ lists: [SpilledList<KeyEvent>]) throws(FileError) {
        readers = lists.filter { !$0.isEmpty }.map { $0.makeReader() }
        for index in readers.indices {
            guard let event = try readers[index].next() else { continue }
            heap.append((event, index))
            rise(heap.count - 1)
        }
    }

    /// The event that comes next.
    var first: KeyEvent? { heap.first?.event }

    /// Takes it.
    mutating func removeFirst() throws(FileError) {
        let reader = heap[0].reader
        if let event = try readers[reader].next() {
            heap[0].event = event
        } else {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        sink()
    }

    private mutating func rise(_ start: Int) {
        var child = start
        while child > 0 && isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, smallest) {
                smallest = child
            }
            if smallest == parent { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool { heap[one].event.order < heap[other].event.order }
}
