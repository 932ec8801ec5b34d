internal import Assay
internal import CAssay
internal import CAssaySystem

/// Converts text in another encoding to UTF-8.
///
/// Undecodable bytes are escaped (`assay/encodings.h`), mostly as lone surrogates, which are not well-formed UTF-8.
/// Records with escapes are therefore found like other records with invalid UTF-8, and the encoder restores their
/// original bytes.
///
/// Encodings with a fixed number of bytes for each character are decoded in parallel. For regular files, `cut` only
/// determines the range of a block, and `finish` reads it:
///
///     file    │ block │ block │ … │ block │ an incomplete unit, and data that is appended later: read serially
///           start                        end
final class DecodeStage: BlockStage {
    let source: any Source
    private let encoding: String
    /// The text may be cut at multiples of this number of bytes; 0 if it cannot be cut.
    private let unit: Int
    /// The index of the byte in a UTF-16 unit that identifies the first half of a surrogate pair; `nil` for other
    /// encodings.
    private let surrogateByte: Int?
    /// The source if `finish` reads its blocks, and the offset of the text in it.
    private let file: FileSource?
    private let textStart: Int?
    private let state: Lock<State>

    /// The number of bytes of one read of a file.
    private static let pieceBytes = 1 << 16

    private struct State {
        var input: PackedInput
        let decoder: Decoder?
        /// The remaining bytes of the byte order mark, which are skipped.
        var markBytes: Int
        /// The range for `finish` that is not cut yet, in whole units; `nil` after its end.
        var unread: Range<Int>?
    }

    /// - Parameter encoding: A known encoding with its canonical name.
    init(_ source: any Source, from encoding: TextEncoding) throws(FileError) {
        self.source = source
        self.encoding = encoding.name
        unit = Int(assay_encoding_unit(encoding.name))
        surrogateByte = encoding.name == "UTF-16LE" ? 1 : encoding.name == "UTF-16BE" ? 0 : nil
        let file = source as? FileSource
        var state = State(
            input: PackedInput(source), decoder: unit == 0 ? try Decoder(encoding.name, source.name) : nil,
            markBytes: encoding.markBytes)
        if unit > 0, let file, let position = file.position, let byteCount = file.byteCount {
            let start = position + encoding.markBytes
            state.unread = start..<max(start, byteCount - (byteCount - start) % unit)
        }
        textStart = state.unread?.lowerBound
        self.file = textStart == nil ? nil : file
        self.state = Lock(state)
    }

    var cutsAtOnce: Bool { file != nil }

    func cut(_ block: Block) throws(FileError) -> Bool {
        try state.withLock { state throws(FileError) in
            if let unread = state.unread {
                if cutRange(unread, &state, block) { return true }
                try readRest(after: unread.upperBound, &state)
            }
            defer { block.inputEnd = state.input.offset }
            if state.markBytes > 0 {
                try state.input.fill(state.markBytes)
                state.input.skip(state.markBytes)
                state.markBytes = 0
            }
            return unit == 0 ? try decode(&state, block) : try cutUnits(&state, block)
        }
    }

    /// Cuts a range for `finish`. Returns `false` at the end of the file.
    private func cutRange(_ unread: Range<Int>, _ state: inout State, _ block: Block) -> Bool {
        if unread.isEmpty { return false }
        let range = unread.prefix(Block.size * unit)
        (block.inputStart, block.inputEnd) = (range.lowerBound, range.upperBound)
        block.isUnfinished = true
        state.unread = range.upperBound..<unread.upperBound
        return true
    }

    /// Continues serially after the range for `finish`.
    private func readRest(after end: Int, _ state: inout State) throws(FileError) {
        guard let file, let textStart else { preconditionFailure("only a file has blocks that are read later") }
        let start = surrogateByte == nil || end == textStart ? end : end - 2
        state.unread = nil
        state.markBytes = 0
        state.input = PackedInput(FileTail(file, from: start), offset: start)
        // The previous block left the first half of a surrogate pair.
        try state.input.fill(end - start)
        if start < end && !state.input.withBytes({ isFirstHalf($0.prefix(2)) }) { state.input.skip(2) }
    }

    /// Whether these bytes end in the first half of a surrogate pair of UTF-16.
    private func isFirstHalf(_ bytes: Swift.Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let surrogateByte, bytes.count >= 2 else { return false }
        return bytes[bytes.endIndex - 2 + surrogateByte] & 0xFC == 0xD8
    }

    /// Cuts whole characters for `finish`.
    private func cutUnits(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        let fillCount = Block.size * max(1, unit)
        // The available bytes of a pipe are used without waiting for more.
        try state.input.fill(state.input.isFile ? fillCount : unit == 1 ? 1 : 4)
        var count = min(state.input.count, fillCount)
        if count == 0 { return false }
        if !(state.input.hasEnded && count == state.input.count) {
            count -= count % unit
            if count >= 4 && state.input.withBytes({ isFirstHalf($0[..<count]) }) { count -= 2 }
        }
        state.input.move(count, to: block)
        return true
    }

    func finish(_ block: Block) throws(FileError) {
        let decoder = try block.tool(Decoder.self) { () throws(FileError) in try Decoder(encoding, name) }
        // One byte may become three, two bytes of UTF-16 three, and four bytes of UTF-32 twelve.
        try block.reserveRoom(max(block.input.count, block.inputEnd - block.inputStart + 2) * 3 + 64)
        if block.input.isEmpty {
            try decodeRange(block, decoder)
        } else {
            let input = block.input
            let coded = input.withUnsafeBufferPointer { decoder.step($0, isLast: true, into: block) }
            precondition(coded == input.count, "a block that was cut at a character is decoded whole")
        }
    }

    /// Reads and decodes the bytes of a block of the file, in pieces that fit into the cache. The second half of a
    /// surrogate pair belongs to the block with the first half.
    private func decodeRange(_ block: Block, _ decoder: Decoder) throws(FileError) {
        guard let file, let textStart else { preconditionFailure("only a file has blocks that are read later") }
        var position = block.inputStart
        if surrogateByte != nil && position > textStart {
            if isFirstHalf(try decoder.read(file, position - 2..<position)[...]) { position -= 2 }
        }
        while position < block.inputEnd {
            let end = min(position + Self.pieceBytes, block.inputEnd)
            var bytes = try decoder.read(file, position..<end)
            if end == block.inputEnd && isFirstHalf(bytes[...]) {
                bytes = UnsafeBufferPointer(rebasing: bytes.dropLast(2))
                if bytes.isEmpty { return }
            }
            position += decoder.step(bytes, isLast: end == block.inputEnd, into: block)
            if end == block.inputEnd { return }
        }
    }

    /// Continues to decode serially.
    private func decode(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        guard let decoder = state.decoder else { preconditionFailure("text without units has a decoder of its own") }
        while block.count == 0 {
            let isLast = state.input.hasEnded
            let consumed = state.input.withBytes { decoder.step($0, isLast: isLast, into: block) }
            state.input.skip(consumed)
            if block.count > 0 { break }
            if consumed == 0 || state.input.count == 0 {
                // A character may be incomplete and need more bytes.
                if isLast && state.input.count == 0 { return false }
                try state.input.fill(state.input.count + 1)
            }
        }
        return true
    }
}

/// A decoder of the C core, for one thread at a time.
private final class Decoder: @unchecked Sendable {
    // SAFETY: created in `init` and freed in `deinit`. The holder has exclusive access.
    private let handle: OpaquePointer
    /// The bytes read from a file.
    private var memory: UnsafeMutableRawBufferPointer?

    init(_ encoding: String, _ name: String) throws(FileError) {
        guard let handle = assay_decoder_create(encoding) else { throw FileError("read", path: name, code: ENOMEM) }
        self.handle = handle
    }

    deinit {
        assay_decoder_free(handle)
        free(memory?.baseAddress)
    }

    /// Reads a part of a file. The bytes are valid until the next part is read.
    func read(_ file: FileSource, _ range: Range<Int>) throws(FileError) -> UnsafeBufferPointer<UInt8> {
        if memory.map({ $0.count < range.count }) ?? true {
            free(memory?.baseAddress)
            memory = nil
            guard let new = malloc(range.count) else { throw FileError("read", path: file.name, code: ENOMEM) }
            memory = UnsafeMutableRawBufferPointer(start: new, count: range.count)
        }
        let target = UnsafeMutableRawBufferPointer(rebasing: memory![..<range.count])
        var count = 0
        while count < range.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[count...])
            let step = try file.readFully(at: range.lowerBound + count, into: rest)
            if step == 0 {
                throw .shortened(file.name, at: range.lowerBound + count, from: file.byteCount ?? range.upperBound)
            }
            count += step
        }
        return UnsafeBufferPointer(target.bindMemory(to: UInt8.self))
    }

    /// Decodes into the free space of a block. Returns the number of consumed bytes.
    func step(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool, into block: Block) -> Int {
        let room = block.room
        let coded = assay_decoder_step(handle, input.baseAddress, input.count, isLast, room.baseAddress, room.count)
        block.count += coded.produced
        return coded.consumed
    }
}
