internal import Assay
internal import CAssay
internal import CAssaySystem

/// A sink that converts UTF-8 to another encoding.
///
/// Bytes that ``Decoded`` could not decode are written unchanged.
public struct Encoded: Sink {
    /// The sink for the encoded bytes. It may be ``Packed``.
    public let sink: any Sink
    /// The canonical name of the encoding.
    public let encoding: String
    /// The byte order mark at the start of the output.
    let mark: [UInt8]

    /// - Throws: ``InputError`` for an unknown name.
    public init(_ sink: any Sink, as encoding: String) throws(InputError) {
        guard let name = Encodings.canonicalName(encoding) else { throw .unknownEncoding(encoding) }
        self.init(sink, as: name, mark: [])
    }

    init(_ sink: any Sink, as encoding: String, mark: [UInt8]) {
        (self.sink, self.encoding, self.mark) = (sink, encoding, mark)
    }

    public var name: String { sink.name }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var encoder = try TextEncoder(encoding, name)
        try sink.write(encoder.encode(bytes))
    }
}

/// An encoder for one thread.
struct TextEncoder: ~Copyable {
    private let handle: OpaquePointer
    private let encoding: String
    private let name: String
    private var memory: UnsafeMutableBufferPointer<UInt8>?

    init(_ encoding: String, _ name: String) throws(FileError) {
        guard let handle = assay_encoder_create(encoding) else { throw FileError("write", path: name, code: ENOMEM) }
        (self.handle, self.encoding, self.name) = (handle, encoding, name)
    }

    deinit {
        assay_encoder_free(handle)
        free(memory?.baseAddress)
    }

    /// The encoded bytes. Valid until the next call.
    ///
    /// - Throws: ``FileError`` that names a character without a code in the encoding.
    mutating func encode(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> UnsafeRawBufferPointer {
        // One byte of UTF-8 may become four of UTF-32. Some encodings start and end with escape sequences.
        let room = 4 * bytes.count + 64
        if memory.map({ $0.count < room }) ?? true {
            free(memory?.baseAddress)
            memory = nil
            guard let new = malloc(room) else { throw FileError("write", path: name, code: ENOMEM) }
            memory = UnsafeMutableBufferPointer(start: new.assumingMemoryBound(to: UInt8.self), count: room)
        }
        let input = bytes.bindMemory(to: UInt8.self)
        let target = memory!.baseAddress!
        let coded = assay_encoder_step(handle, input.baseAddress, input.count, true, target, room)
        if coded.status != .ASSAY_ENCODED_OK {
            let rest = String(decoding: input[coded.consumed...].prefix(4), as: UTF8.self)
            let code = String(rest.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true)
            var error = FileError("write", path: name, code: EILSEQ, offset: coded.consumed)
            error.advice =
                "\(encoding) has no character U+\(String(repeating: "0", count: max(0, 4 - code.count)) + code)"
            throw error
        }
        let end = assay_encoder_finish(handle, target + coded.produced, room - coded.produced)
        return UnsafeRawBufferPointer(start: target, count: coded.produced + end)
    }
}
