internal import Assay
internal import AssayEvaluation

/// The order keys of the column that decides which record with a key is kept, sorted in runs that fit in memory (an
/// external merge sort).
struct PreferenceRuns {
    private let file: ScratchFile
    private let maxBytes: Int
    private var text: [UInt8] = []
    private var items: [Item] = []
    /// The places of the runs in the file.
    private var runs: [Range<Int>] = []

    private struct Item {
        let record: UInt64
        let orderKey: Range<Int>
    }

    /// - Parameter bytes: The memory for a run.
    init(_ file: ScratchFile, memory bytes: Int) {
        self.file = file
        maxBytes = max(1 << 16, bytes)
    }

    /// Adds the order keys of a chunk. The chunks must come in the order of the table.
    mutating func append(_ rows: RowKeys) throws(FileError) {
        try rows.forEachPreference { (row, orderKey) throws(FileError) in
            // Sorting needs as much memory as the items.
            let bytes = text.count + orderKey.count + 2 * (items.count + 1) * MemoryLayout<Item>.stride
            if bytes > maxBytes && !items.isEmpty { try endRun() }
            let start = text.count
            text.append(contentsOf: orderKey)
            items.append(Item(record: rows.records[row], orderKey: start..<text.count))
        }
    }

    private mutating func endRun() throws(FileError) {
        if items.isEmpty { return }
        text.withUnsafeBufferPointer { text in
            items.sort { one, other in
                let order = compareBytes(
                    UnsafeBufferPointer(rebasing: text[one.orderKey]),
                    UnsafeBufferPointer(rebasing: text[other.orderKey]))
                return order == 0 ? one.record < other.record : order < 0
            }
        }
        var bytes = PlainBytes()
        for item in items {
            bytes.put(item.record)
            text.withUnsafeBufferPointer { bytes.put(all: UnsafeBufferPointer(rebasing: $0[item.orderKey])) }
        }
        let start = try file.append(all: bytes.bytes)
        runs.append(start..<start + bytes.bytes.count)
        text.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
    }

    /// Passes all records to `body` in the order of their keys, records with equal keys in the order of the table.
    mutating func forEach(_ body: (_ record: UInt64) throws -> Void) throws {
        try endRun()
        (text, items) = ([], [])
        // Each run is read with one piece in memory.
        let maxRuns = max(8, maxBytes / Reader.pieceBytes)
        while runs.count > maxRuns {
            let merged = try mergedRun(of: Array(runs.prefix(maxRuns)))
            runs.removeFirst(maxRuns)
            runs.append(merged)
        }
        try merge(runs) { reader in try body(reader.record) }
    }

    /// Merges some runs to one, and returns its place. No other thread may append to the file.
    private func mergedRun(of runs: [Range<Int>]) throws -> Range<Int> {
        var bytes = PlainBytes()
        var place: Range<Int>?
        func write() throws {
            let start = try file.append(all: bytes.bytes)
            place = (place?.lowerBound ?? start)..<start + bytes.bytes.count
            bytes = PlainBytes()
        }
        try merge(runs) { reader in
            bytes.put(reader.record)
            reader.withOrderKey { bytes.put(all: $0) }
            if bytes.bytes.count >= Reader.pieceBytes { try write() }
        }
        try write()
        return place!
    }

    private func merge(_ runs: [Range<Int>], _ body: (Reader) throws -> Void) throws {
        var readers = runs.map { Reader(file, $0) }
        // The last reader has the first record.
        var order: [Int] = []
        func insert(_ reader: Int) {
            var (low, high) = (0, order.count)
            while low < high {
                let middle = (low + high) / 2
                if readers[reader].precedes(readers[order[middle]]) { low = middle + 1 } else { high = middle }
            }
            order.insert(reader, at: low)
        }
        for reader in readers.indices where try readers[reader].advance() { insert(reader) }
        while let reader = order.popLast() {
            try body(readers[reader])
            if try readers[reader].advance() { insert(reader) }
        }
    }

    /// Reads a run from the file.
    private struct Reader {
        private let file: ScratchFile
        private var unread: Range<Int>
        private var bytes: [UInt8] = []
        private var taken = 0
        private(set) var record: UInt64 = 0
        private var orderKey = 0..<0

        static let pieceBytes = 1 << 14
        private static let headerBytes = MemoryLayout<UInt64>.size + MemoryLayout<Int>.size

        init(_ file: ScratchFile, _ place: Range<Int>) { (self.file, unread) = (file, place) }

        /// Reads the next record. Returns `false` at the end.
        mutating func advance() throws(FileError) -> Bool {
            if unread.isEmpty && taken == bytes.count { return false }
            try load(Self.headerBytes)
            record = number(at: taken)
            let count = Int(number(at: taken + MemoryLayout<UInt64>.size))
            try load(Self.headerBytes + count)
            taken += Self.headerBytes
            orderKey = taken..<taken + count
            taken += count
            return true
        }

        private func number(at place: Int) -> UInt64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
        }

        /// Ensures that the next `count` bytes are in memory.
        private mutating func load(_ count: Int) throws(FileError) {
            if bytes.count - taken >= count { return }
            bytes.removeFirst(taken)
            taken = 0
            let more = min(unread.count, max(Self.pieceBytes, count - bytes.count))
            bytes += try file.read(more, at: unread.lowerBound) as [UInt8]
            unread = unread.lowerBound + more..<unread.upperBound
        }

        func withOrderKey<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
            bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[orderKey])) }
        }

        func precedes(_ other: Reader) -> Bool {
            let order = withOrderKey { own in other.withOrderKey { compareBytes(own, $0) } }
            return order == 0 ? record < other.record : order < 0
        }
    }
}
