internal import Assay
internal import CAssaySystem
internal import CZstd

/// Decompresses Zstandard (RFC 8878): a sequence of frames, including skippable ones.
///
/// Frames with a small content size in the header are decompressed in parallel, others serially. A frame has a checksum
/// only if the compressor adds one, as `zstd` does.
final class ZstdStage: BlockStage {
    let source: any Source
    private let isSerial: Bool
    private let state: Lock<State>

    /// The maximum content size of frames for parallel decompression. It is smaller for pipes, because a complete frame
    /// must arrive before its first record.
    private static let maxFrameBytes = (file: 8 << 20, pipe: Block.size)
    /// The maximum compressed size of frames that are combined in one block.
    private static let togetherBytes = 1 << 17
    private static let headerBytes = 18

    private struct State {
        var input: PackedInput
        let unpacker: Unpacker
        var isInside = false
        var hasInput = false
        /// The content size in the frame's header; `nil` if it has none.
        var declared: UInt64?
        /// The number of decompressed bytes of the frame so far.
        var produced: UInt64 = 0
    }

    /// - Parameter isSerial: Whether a single thread does all work.
    init(_ source: any Source, isSerial: Bool) throws(FileError) {
        self.source = source
        self.isSerial = isSerial
        state = Lock(State(input: PackedInput(source), unpacker: try Unpacker(source.name)))
    }

    func cut(_ block: Block) throws(FileError) -> Bool {
        try state.withLock { state throws(FileError) in
            defer { block.inputEnd = state.input.offset }
            if !state.isInside && !isSerial, try cutFrames(&state, block) { return true }
            return try unpack(&state, block)
        }
    }

    /// Cuts complete small frames. Returns `false` if the next one must be decompressed serially, or if there are no
    /// more.
    private func cutFrames(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        var together = 0
        var room = 0
        let limit = state.input.isFile ? Self.maxFrameBytes.file : Self.maxFrameBytes.pipe
        // For a pipe, only the available bytes are used, except for the first frame.
        while together == 0 || state.input.isFile || state.input.count >= together + Self.headerBytes {
            try state.input.fill(together + Self.headerBytes)
            let content = state.input.withBytes { bytes -> UInt64 in
                let rest = bytes.dropFirst(together)
                return rest.isEmpty
                    ? contentSizeError
                    : ZSTD_getFrameContentSize(bytes.baseAddress! + together, rest.count)
            }
            guard content <= UInt64(limit), room + Int(content) <= max(Int(content), Block.size) else {
                break
            }
            let size = try frameSize(at: together, limit: Int(ZSTD_compressBound(Int(content))) + 1 << 10, &state)
            guard size > 0, together + size <= max(size, Self.togetherBytes) else { break }
            together += size
            room += Int(content)
        }
        if together == 0 { return false }
        state.input.move(together, to: block)
        try block.reserveRoom(room)
        return true
    }

    /// The compressed size of the frame at `start`; 0 if it is unknown, or if the frame is incomplete and other frames
    /// precede it in the block.
    ///
    /// - Parameter limit: The maximum compressed size of a frame with this content size.
    private func frameSize(at start: Int, limit: Int, _ state: inout State) throws(FileError) -> Int {
        if state.input.isFile { try state.input.fill(start + limit) }
        while true {
            let size = state.input.withBytes { bytes in
                ZSTD_findFrameCompressedSize(bytes.baseAddress! + start, bytes.count - start)
            }
            if ZSTD_isError(size) == 0 { return size }
            if start > 0 || state.input.hasEnded || state.input.count - start >= limit { return 0 }
            try state.input.fill(state.input.count + 1)
        }
    }

    func finish(_ block: Block) throws(FileError) {
        let unpacker = try block.tool(Unpacker.self) { () throws(FileError) in try Unpacker(name) }
        let result = block.input.withUnsafeBytes { input in
            ZSTD_decompressDCtx(unpacker.handle, block.bytes, block.capacity, input.baseAddress, input.count)
        }
        if ZSTD_isError(result) != 0 { throw damaged(at: block.inputStart, result) }
        block.count = result
    }

    /// Continues to decompress serially. Returns `false` at the end of the source.
    private func unpack(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        while block.count < block.capacity {
            if state.input.count == 0 && !(state.isInside && state.hasInput) {
                // The available bytes of a pipe are returned without waiting.
                if block.count > 0 && !state.input.isFile { break }
                try state.input.fill(1)
                if state.input.count == 0 {
                    if state.isInside {
                        throw .damaged(name, as: .zstd, at: state.input.offset, "it ends in the middle of a frame")
                    }
                    break
                }
            }
            var output = ZSTD_outBuffer(dst: block.bytes, size: block.capacity, pos: block.count)
            if !state.isInside && state.input.count > 0 { try beginFrame(&state) }
            let handle = state.unpacker.handle
            let (result, consumed) = state.input.withBytes { bytes -> (Int, Int) in
                var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                return (ZSTD_decompressStream(handle, &output, &input), input.pos)
            }
            let isStuck = output.pos == block.count && consumed == 0
            state.produced += UInt64(output.pos - block.count)
            block.count = output.pos
            state.input.skip(consumed)
            if ZSTD_isError(result) != 0 { throw damaged(at: state.input.offset, result) }
            state.isInside = result != 0
            // libzstd 1.5.4 does not check this if the frame arrives in pieces and its last block is empty.
            if let declared = state.declared, result == 0, declared != state.produced {
                let message = "a frame declares \(declared) bytes, but has \(state.produced)"
                throw .damaged(name, as: .zstd, at: state.input.offset, message)
            }
            // Bytes that libzstd holds back need space, but no further input.
            state.hasInput = output.pos == output.size
            if isStuck { state.hasInput = false }
            if result == 0 && !isSerial && block.count > 0 { break }
        }
        return block.count > 0
    }

    /// Reads the content size of the next frame from its header.
    private func beginFrame(_ state: inout State) throws(FileError) {
        state.produced = 0
        while true {
            let declared = state.input.withBytes { ZSTD_getFrameContentSize($0.baseAddress!, $0.count) }
            state.declared = declared < contentSizeError ? declared : nil
            let isCut = declared == contentSizeError && state.input.count < Self.headerBytes
            if !isCut || state.input.hasEnded { return }
            try state.input.fill(state.input.count + 1)
        }
    }

    private func damaged(at offset: Int, _ result: Int) -> FileError {
        if ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge {
            return .largeWindow(name, at: offset)
        }
        return .damaged(name, as: .zstd, at: offset, String(cString: ZSTD_getErrorName(result)).lowercased())
    }
}

/// The value of the macro `ZSTD_CONTENTSIZE_ERROR`, which Swift does not import. `ZSTD_CONTENTSIZE_UNKNOWN` is one
/// higher.
private let contentSizeError = UInt64.max - 1

/// A decompression context of libzstd, for one thread at a time.
private final class Unpacker: @unchecked Sendable {
    // SAFETY: created in `init` and freed in `deinit`. The holder has exclusive access.
    let handle: OpaquePointer

    init(_ name: String) throws(FileError) {
        guard let handle = ZSTD_createDCtx() else { throw FileError("read", path: name, code: ENOMEM) }
        self.handle = handle
    }

    deinit { ZSTD_freeDCtx(handle) }
}
