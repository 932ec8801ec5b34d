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
    /// What to call the bytes in messages.
    var name: String { get }

    /// How many bytes will come of the source in all, as far as it can be known; it may change.
    var estimatedByteCount: Int? { get }

    /// Takes from the source what the block is made of. `false`: the source has ended.
    ///
    /// After an error of a source that cannot be waited for (``FileError/needsMoreInput``) it may be called again.
    func cut(_ block: Block) throws(FileError) -> Bool

    /// Makes the block's bytes.
    func finish(_ block: Block) throws(FileError)
}

/// A block on its way through a stage. Used by one thread at a time, and again and again.
final class Block: @unchecked Sendable {
    /// What it is made of, where `cut` leaves that to `finish`.
    var input: [UInt8] = []
    /// Whether `finish` has anything to do.
    var isUnfinished = false
    /// Where in the source the input begins, where it is a guess that it begins something.
    var start = 0
    /// Whether the guess was wrong, so that the bytes have to be made in another way.
    var isMisguided = false
    /// What `finish` keeps from block to block.
    var tool: AnyObject?
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

    /// How many bytes a block has, about: a chunk of records.
    static let size = RecordReader.chunkBytes

    init() throws(NoMemoryError) {
        bytes = try reserve(Self.size, for: "a block of the input")
        capacity = Self.size
    }

    deinit { release(bytes) }

    func reuse() {
        input.removeAll(keepingCapacity: true)
        (isUnfinished, isMisguided, count, taken, failure) = (false, false, 0, 0, nil)
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

/// The bytes of a stage, made by the thread that reads them.
final class SerialStageSource: Source {
    private let stage: any BlockStage
    private let block: Block

    init(_ stage: any BlockStage) throws(NoMemoryError) {
        self.stage = stage
        block = try Block()
    }

    var name: String { stage.name }
    var byteCount: Int? { stage.estimatedByteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        while block.taken == block.count {
            block.reuse()
            guard try stage.cut(block) else { return 0 }
            if block.isUnfinished { try stage.finish(block) }
        }
        return block.move(into: buffer)
    }
}
