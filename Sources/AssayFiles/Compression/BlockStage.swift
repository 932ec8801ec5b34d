internal import Assay
internal import CAssaySystem

/// A stage between a source and its records, such as decompression, which works block by block.
///
///     source ──cut──► block ──finish──► block      cut: in order, by one thread at a time
///                                                  finish: for several independent blocks at the same time
///
/// A stage with dependent blocks does all work in `cut`.
protocol BlockStage: AnyObject, Sendable {
    /// The source of the bytes.
    var source: any Source { get }

    /// Whether `cut` neither waits nor computes, so that a thread that waits for a block can cut another one instead.
    var cutsAtOnce: Bool { get }

    /// Takes the input of a block from the source. Returns `false` if the source has ended.
    ///
    /// May be called again after ``FileError/needsMoreInput``, the error of sources that cannot wait.
    func cut(_ block: Block) throws(FileError) -> Bool

    /// Produces the block's bytes.
    func finish(_ block: Block) throws(FileError)

    /// Processes a finished block. Called in the order of the source.
    func accept(_ block: Block) throws(FileError)
}

extension BlockStage {
    /// The name for messages.
    var name: String { source.name }

    var cutsAtOnce: Bool { false }

    func accept(_ block: Block) throws(FileError) {}
}

/// A stage that can restart in the middle of its source.
protocol RestartableStage: BlockStage {
    /// Returns the same stage without guesses, restarted at a block. Its first bytes follow those of the accepted
    /// blocks.
    func restarted(at block: Block) throws(FileError) -> any BlockStage
}

/// A block that passes through a stage. Used by one thread at a time, and reused.
///
/// It has many properties because it hands on all facts that one step of the stage learns and a later one needs.
final class Block: @unchecked Sendable {
    /// The input, if `cut` leaves the work to `finish`.
    var input: [UInt8] = []
    /// Whether the block needs `finish`.
    var isUnfinished = false
    /// The offset of the input in the source.
    var inputStart = 0
    /// The offset of the next block's input in the source.
    var inputEnd = 0
    /// The guess about the input; `nil` if there is no guess.
    var guess: Guess?
    /// The parts that follow from the guess ``Guess/parts(isFirst:isLast:)``.
    var parts: [Part] = []
    /// Whether the guess was wrong, so that the bytes must be produced in another way.
    var isMisguided = false
    private var tool: AnyObject?
    /// The number of the block in the order of the source.
    var sequence = 0

    // SAFETY: this object owns the memory and frees it in `deinit`.
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    /// The number of produced bytes.
    var count = 0
    /// The number of bytes that were read.
    var taken = 0
    /// The error that stopped the production.
    var failure: FileError?

    enum Guess {
        /// The input starts and ends at boundaries of members.
        case members
        /// The input consists of independent parts of members. The first one has the header before it, and the source
        /// ends after the last one.
        case parts(isFirst: Bool, isLast: Bool)
    }

    /// Bytes of one member.
    struct Part {
        let count: Int
        let checksum: UInt32
        /// The checksum and the length in the member's trailer, with the end of the trailer in the input; `nil` if the
        /// member continues.
        let end: (checksum: UInt32, length: UInt32, inputEnd: Int)?
    }

    /// The approximate number of bytes of a block, which is that of a chunk of records.
    static let size = RecordReader.chunkBytes

    init() throws(NoMemoryError) {
        bytes = try reserve(Self.size, for: "a block of the input")
        capacity = Self.size
    }

    deinit { release(bytes) }

    func reuse() {
        input.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        (isUnfinished, guess, isMisguided, count, taken, failure) = (false, nil, false, 0, 0, nil)
    }

    /// The tool of `finish`, created for the first block and reused.
    func tool<Tool: AnyObject>(_ type: Tool.Type, make: () throws(FileError) -> Tool) throws(FileError) -> Tool {
        if let tool = tool as? Tool { return tool }
        let made = try make()
        tool = made
        return made
    }

    /// Grows the capacity to at least `room` bytes and keeps the existing bytes.
    func reserveRoom(_ room: Int) throws(FileError) {
        if room <= capacity { return }
        guard let memory = realloc(bytes, room) else { throw FileError("read", path: "the input", code: ENOMEM) }
        bytes = memory.assumingMemoryBound(to: UInt8.self)
        capacity = room
    }

    /// The free space after the produced bytes.
    var room: UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: bytes + count, count: capacity - count)
    }

    /// Copies unread bytes into a buffer, up to its size, and returns their number.
    func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = min(buffer.count, count - taken)
        buffer.baseAddress?.copyMemory(from: bytes + taken, byteCount: part)
        taken += part
        return part
    }
}
