internal import Assay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A stage between a source and its records, such as unpacking, block by block.
///
///     source ──cut──► block ──finish──► block      cut: in order, by one thread at a time
///                                                  finish: for many blocks side by side, where they do not depend on each other
///
/// A stage whose blocks depend on each other does everything in `cut`.
protocol BlockStage: AnyObject, Sendable {
    /// What the bytes are taken from.
    var source: any Source { get }

    /// Whether `cut` neither waits nor works, so that whoever waits for a block may as well make one.
    var cutsAtOnce: Bool { get }

    /// Takes from the source what the block is made of. `false`: the source has ended.
    ///
    /// After an error of a source that cannot be waited for (``FileError/needsMoreInput``) it may be called again.
    func cut(_ block: Block) throws(FileError) -> Bool

    /// Makes the block's bytes.
    func finish(_ block: Block) throws(FileError)

    /// Looks at a finished block when it is its turn, in the order of the source.
    func accept(_ block: Block) throws(FileError)
}

extension BlockStage {
    /// What to call the bytes in messages.
    var name: String { source.name }

    var cutsAtOnce: Bool { false }

    func accept(_ block: Block) throws(FileError) {}
}

/// A stage that can begin anew in the middle of its source.
protocol RestartableStage: BlockStage {
    /// The same stage, which guesses nothing, from the beginning of a block on: it gives what comes behind the blocks that were
    /// accepted.
    func restarted(at block: Block) throws(FileError) -> any BlockStage
}

/// A block on its way through a stage. Used by one thread at a time, and again and again.
final class Block: @unchecked Sendable {
    /// What it is made of, where `cut` leaves that to `finish`.
    var input: [UInt8] = []
    /// Whether `finish` has anything to do.
    var isUnfinished = false
    /// Where in the source the input begins.
    var inputStart = 0
    /// Where in the source the next block begins.
    var inputEnd = 0
    /// What was guessed of the input; `nil`: nothing.
    var guess: Guess?
    /// The parts that a guess of ``Guess/parts(isFirst:isLast:)`` led to.
    var parts: [Part] = []
    /// Whether the guess was wrong, so that the bytes have to be made in another way.
    var isMisguided = false
    private var tool: AnyObject?
    /// Its place in the order of the source.
    var sequence = 0

    // SAFETY: memory of its own, freed in `deinit`.
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    /// The bytes that are made.
    var count = 0
    /// How many of them have been taken.
    var taken = 0
    /// Why no more could be made.
    var failure: FileError?

    enum Guess {
        /// Members begin where the input does and where it ends.
        case members
        /// Parts of members that do not depend on those before begin there; the first has the header before it, and with the last
        /// the source ends.
        case parts(isFirst: Bool, isLast: Bool)
    }

    /// Bytes of one member.
    struct Part {
        let count: Int
        let checksum: UInt32
        /// The checksum and the length of the whole member that stand behind it, and where in the input that ends; `nil`: the
        /// member goes on.
        let end: (checksum: UInt32, length: UInt32, inputEnd: Int)?
    }

    /// How many bytes a block has, about: a chunk of records.
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

    /// What `finish` works with, made for the first block and kept for those after it.
    func tool<Tool: AnyObject>(_ type: Tool.Type, make: () throws(FileError) -> Tool) throws(FileError) -> Tool {
        if let tool = tool as? Tool { return tool }
        let made = try make()
        tool = made
        return made
    }

    /// Makes room for so many bytes in all; those that are there stay.
    func reserveRoom(_ room: Int) throws(FileError) {
        if room <= capacity { return }
        guard let memory = realloc(bytes, room) else { throw FileError("read", path: "the input", code: ENOMEM) }
        bytes = memory.assumingMemoryBound(to: UInt8.self)
        capacity = room
    }

    /// Room for more bytes.
    var room: UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: bytes + count, count: capacity - count)
    }

    /// Moves bytes into a buffer, as many as it takes.
    func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = min(buffer.count, count - taken)
        buffer.baseAddress?.copyMemory(from: bytes + taken, byteCount: part)
        taken += part
        return part
    }
}
