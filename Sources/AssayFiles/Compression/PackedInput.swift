internal import Assay
internal import CAssaySystem

/// The compressed bytes of a source that are read but not decompressed yet.
///
///     memory   │ used │ unread          │ free   │
///                     position      count
struct PackedInput {
    let source: any Source
    private var bytes: [UInt8] = []
    private var position = 0
    /// The offset of the unread bytes in the source.
    private(set) var offset: Int
    private(set) var hasEnded = false
    /// Whether the source is a regular file, so that reading does not wait.
    let isFile: Bool

    /// The number of bytes of one read.
    static let pieceBytes = 1 << 18

    /// - Parameter offset: The position of the source in its file, unless the source is a file.
    init(_ source: any Source, offset: Int? = nil) {
        let file = source as? FileSource
        self.source = source
        self.offset = offset ?? file?.position ?? 0
        isFile = file?.byteCount != nil
    }

    var count: Int { bytes.count - position }

    /// Reads until at least `minCount` bytes are available, or to the end of the source.
    mutating func fill(_ minCount: Int) throws(FileError) {
        while count < minCount && !hasEnded {
            if position > 0 {
                bytes.removeFirst(position)
                position = 0
            }
            hasEnded = try source.readPiece(
                onto: &bytes, upTo: bytes.count + max(Self.pieceBytes, minCount - bytes.count))
        }
    }

    /// Calls `body` with the unread bytes.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[position...])) }
    }

    /// The length in the trailer of a gzip member that ends at `end`.
    func length(endingAt end: Int) -> Int {
        withBytes { bytes in (1...4).reduce(0) { $0 << 8 | Int(bytes[end - $1]) } }
    }

    mutating func skip(_ count: Int) {
        position += count
        offset += count
    }

    /// Moves unread bytes to a block that needs `finish`.
    mutating func move(_ count: Int, to block: Block) {
        block.inputStart = offset
        block.input += bytes[position..<position + count]
        block.isUnfinished = true
        skip(count)
    }
}

/// A regular file from a given offset on, independent of the file's position.
final class FileTail: Source {
    private let file: FileSource
    private let offset: Lock<Int>

    init(_ file: FileSource, from offset: Int) {
        self.file = file
        self.offset = Lock(offset)
    }

    var name: String { file.name }
    var byteCount: Int? { file.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try offset.withLock { offset throws(FileError) in
            let count = try file.readFully(at: offset, into: buffer)
            if count == 0, let bytes = file.byteCount, offset < bytes {
                throw .shortened(file.name, at: offset, from: bytes)
            }
            offset += count
            return count
        }
    }
}
