/// A list of plain values that keeps only its last values in memory if it has a file.
struct SpilledList<Value: BitwiseCopyable & Sendable>: Sendable {
    private let file: ScratchFile?
    private var last: [Value] = []
    private var pieces: [(offset: Int, count: Int)] = []

    /// The minimum size of a written piece.
    private static var pieceBytes: Int { 1 << 14 }
    private static var maxItemsInMemory: Int { pieceBytes / MemoryLayout<Value>.stride }

    init(_ file: ScratchFile?) { self.file = file }

    var isEmpty: Bool { last.isEmpty && pieces.isEmpty }

    mutating func append(_ value: Value) throws(FileError) {
        last.append(value)
        if file != nil && last.count >= Self.maxItemsInMemory { try spill() }
    }

    mutating func append(all values: UnsafeBufferPointer<Value>) throws(FileError) {
        last.append(contentsOf: values)
        if file != nil && last.count >= Self.maxItemsInMemory { try spill() }
    }

    /// The number of values.
    var count: Int { pieces.reduce(last.count) { $0 + $1.count } }

    /// Writes all values in memory to the file, if there is one.
    mutating func spill() throws(FileError) {
        guard let file, !last.isEmpty else { return }
        pieces.append((try file.append(all: last), last.count))
        last.removeAll()
    }

    /// Returns a reader over the current values. It does not include values that are appended later.
    func makeReader() -> Reader { Reader(list: self) }

    struct Reader {
        fileprivate let list: SpilledList
        private var piece = 0
        private var values: [Value] = []
        private var taken = 0

        fileprivate init(list: SpilledList) { self.list = list }

        mutating func next() throws(FileError) -> Value? {
            if taken == values.count, try !load() { return nil }
            taken += 1
            return values[taken - 1]
        }

        /// Returns the next values that are in memory together, or `nil` at the end.
        mutating func nextPiece() throws(FileError) -> ArraySlice<Value>? {
            if taken == values.count, try !load() { return nil }
            defer { taken = values.count }
            return values[taken...]
        }

        private mutating func load() throws(FileError) -> Bool {
            taken = 0
            guard piece < list.pieces.count else {
                values = piece == list.pieces.count ? list.last : []
                piece = list.pieces.count + 1
                return !values.isEmpty
            }
            guard let file = list.file else { preconditionFailure("without a file there are no pieces") }
            let (offset, count) = list.pieces[piece]
            piece += 1
            values = try file.read(count, at: offset)
            return true
        }
    }
}
