internal import Assay
internal import CAssay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Makes UTF-8 of text in another encoding.
///
/// What cannot be decoded becomes lone surrogates, which are no well-formed UTF-8: the records that have them are found as
/// others of which the encoding is broken, and the encoder makes the bytes of them that they were (`assay_decoder_step`).
///
/// Where a character is a fixed number of bytes, blocks are decoded side by side.
final class DecodeStage: BlockStage {
    let source: any Source
    private let encoding: String
    /// Bytes at whose multiples the text may be cut; 0: nowhere.
    private let unit: Int
    /// How many bytes a surrogate pair of UTF-16 has before its second half; which byte of a unit tells that it is a first half.
    private let surrogateByte: Int?
    private let state: Lock<State>

    private struct State {
        var input: PackedInput
        let decoder: Decoder?
        /// Bytes of a mark that are still to be passed over.
        var markBytes: Int
    }

    /// - Parameter encoding: one that is known, by its usual name.
    init(_ source: any Source, from encoding: TextEncoding) throws(FileError) {
        self.source = source
        self.encoding = encoding.name
        unit = Int(assay_encoding_unit(encoding.name))
        surrogateByte = encoding.name == "UTF-16LE" ? 1 : encoding.name == "UTF-16BE" ? 0 : nil
        state = Lock(
            State(
                input: PackedInput(source), decoder: unit == 0 ? try Decoder(encoding.name, source.name) : nil,
                markBytes: encoding.markBytes))
    }

    func cut(_ block: Block) throws(FileError) -> Bool {
        try state.withLock { state throws(FileError) in
            defer { block.inputEnd = state.input.offset }
            if state.markBytes > 0 {
                try state.input.fill(state.markBytes)
                state.input.skip(state.markBytes)
                state.markBytes = 0
            }
            return unit == 0 ? try decode(&state, block) : try cutUnits(&state, block)
        }
    }

    /// Takes whole characters, to be decoded by `finish`.
    private func cutUnits(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        let wanted = Block.size * max(1, unit)
        // Of a pipe what has come is passed on.
        try state.input.fill(state.input.isFile ? wanted : unit == 1 ? 1 : 4)
        var count = min(state.input.count, wanted)
        if count == 0 { return false }
        if !(state.input.hasEnded && count == state.input.count) {
            count -= count % unit
            if let surrogateByte, count >= 4 {
                let high = state.input.withBytes { $0[count - 2 + surrogateByte] & 0xFC }
                if high == 0xD8 { count -= 2 }
            }
        }
        state.input.move(count, to: block)
        return true
    }

    func finish(_ block: Block) throws(FileError) {
        let decoder = try block.tool(Decoder.self) { () throws(FileError) in try Decoder(encoding, name) }
        // One byte may become three, two of UTF-16 three, four of UTF-32 twelve.
        try block.reserveRoom(block.input.count * 3 + 64)
        let input = block.input
        let coded = input.withUnsafeBufferPointer { decoder.step($0, isLast: true, into: block) }
        precondition(coded == input.count, "a block that was cut at a character is decoded whole")
    }

    /// Decodes on, in turn.
    private func decode(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        guard let decoder = state.decoder else { preconditionFailure("text without units has a decoder of its own") }
        while block.count == 0 {
            let isLast = state.input.hasEnded
            let consumed = state.input.withBytes { decoder.step($0, isLast: isLast, into: block) }
            state.input.skip(consumed)
            if block.count > 0 { break }
            if consumed == 0 || state.input.count == 0 {
                // A character may be cut off: then more is wanted than there is.
                if isLast && state.input.count == 0 { return false }
                try state.input.fill(state.input.count + 1)
            }
        }
        return true
    }
}

/// A decoder of the C core, for one thread at a time.
private final class Decoder: @unchecked Sendable {
    // SAFETY: made in `init`, freed in `deinit`; whoever holds the decoder is alone with it.
    private let handle: OpaquePointer

    init(_ encoding: String, _ name: String) throws(FileError) {
        guard let handle = assay_decoder_create(encoding) else { throw FileError("read", path: name, code: ENOMEM) }
        self.handle = handle
    }

    deinit { assay_decoder_free(handle) }

    /// Decodes into the room of a block. Returns how many bytes it took.
    func step(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool, into block: Block) -> Int {
        let room = block.room
        let coded = assay_decoder_step(handle, input.baseAddress, input.count, isLast, room.baseAddress, room.count)
        block.count += coded.produced
        return coded.consumed
    }
}
