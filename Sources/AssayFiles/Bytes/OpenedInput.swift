internal import Assay

/// A source prepared for reading: decompressed, and in UTF-8.
///
///     users.csv.gz   1F 8B 08 …   ──►  Decompressed  ──►  7,anna@example.org⏎…
///
/// The format is detected by the first bytes, never by the name. Plain UTF-8 is passed on unchanged.
package struct OpenedInput: Sendable {
    package let source: any Source
    /// The compression of the source, or `nil`.
    package let compression: Compression?
    /// The original encoding of the text.
    package let encoding: TextEncoding

    /// - Parameters:
    ///   - unpacks: Whether compressed bytes are decompressed.
    ///   - encoding: The name of an encoding, or `auto`. `nil` if the user named no encoding.
    ///   - trustsEncoding: Whether a named encoding is used even if the first bytes contradict it.
    ///   - hasHeader: Whether the table has a header, for advice about other formats.
    ///   - threads: The maximum number of threads.
    /// - Throws: ``InputError`` for an unknown encoding, or if the input is not text; ``FileError``.
    package init(
        _ source: any Source, unpacks: Bool = true, encoding: String? = nil, trustsEncoding: Bool = false,
        hasHeader: Bool = true,
        threads: Int
    ) throws {
        if let encoding, encoding != TextEncoding.auto, Encodings.canonicalName(encoding) == nil {
            throw InputError.unknownEncoding(encoding)
        }
        // Pushed bytes are already decompressed and decoded.
        if let pushed = source.pushed {
            self.source = source
            (compression, self.encoding) = (nil, pushed.encoding)
            return
        }
        var source = source
        var compression: Compression?
        var mayBeText = false
        if unpacks {
            let peeked = try PeekedSource.peek(source) { Compression.mayBegin($0) || Compression.mayBeginText($0) }
            source = peeked.source
            compression = Compression(firstBytes: peeked.bytes)
            mayBeText = Compression.isText(firstBytes: peeked.bytes)
        }
        if let compression {
            source = try Decompressed(later: source, from: compression, threads: threads)
        }
        self.compression = compression
        let text = try Self.peek(source, requested: encoding, mayBeText: mayBeText)
        source = text.source
        try InputError.refuseBinary(text.bytes, of: source.name, requested: encoding, hasHeader: hasHeader)
        self.encoding = TextEncoding.find(in: text.bytes, requested: encoding, isAll: true) ?? .utf8
        if !trustsEncoding { try self.encoding.refuseContradiction(by: text.bytes, of: source.name) }
        self.source =
            self.encoding.isUTF8
            ? source : try Decoded(later: source, from: self.encoding, threads: max(1, threads / 2))
    }

    /// Reads the bytes that determine the encoding, or that can contradict it. For an input that is read unchanged,
    /// ``TableHead`` examines the first bytes.
    private static func peek(
        _ source: any Source, requested encoding: String?, mayBeText: Bool
    ) throws -> (bytes: [UInt8], source: any Source) {
        let named = encoding.flatMap { TextEncoding.find(in: [], requested: $0, isAll: true) }
        let target =
            encoding == nil
            ? 0 : named?.canBeContradicted ?? false ? TextEncoding.contradictionBytes : ForeignFormat.magicBytes
        let sample = encoding == TextEncoding.auto ? EncodingGuess.sampleBytes : TextEncoding.contradictionBytes
        return try InputError.beforeStart(of: source, mayBeText: mayBeText) {
            try PeekedSource.peek(source, atLeast: encoding == nil ? nil : sample) {
                TextEncoding.find(in: $0, requested: encoding, isAll: false) == nil || $0.count < target
            }
        }
    }
}

/// A source with first bytes that were already read.
final class PeekedSource: Source, ReadingAhead {
    private let source: any Source
    private let bytes: Lock<[UInt8]>

    private init(_ source: any Source, _ bytes: [UInt8]) {
        self.source = source
        self.bytes = Lock(bytes)
    }

    var name: String { source.name }
    var byteCount: Int? { source.byteCount }

    func startReadingAhead() { source.startReadingAheadIfPossible() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let count = bytes.withLock { bytes in
            let count = min(buffer.count, bytes.count)
            buffer.copyBytes(from: bytes.prefix(count))
            bytes.removeFirst(count)
            return count
        }
        return count > 0 ? count : try source.read(into: buffer)
    }

    /// Reads the first bytes of a source, and no more than necessary.
    ///
    /// - Parameters:
    ///   - minCount: The number of bytes to read from a regular file; `nil` selects the default.
    ///   - isUndecided: Whether more bytes are needed than these.
    /// - Returns: The bytes, and a source that still contains them. A regular file is returned itself, with its
    ///   position unchanged.
    static func peek(
        _ source: any Source, atLeast minCount: Int? = nil, while isUndecided: ([UInt8]) -> Bool
    ) throws(FileError) -> (bytes: [UInt8], source: any Source) {
        var bytes: [UInt8] = []
        if let file = source as? FileSource, let position = file.position {
            // Report read errors, because an unreadable file must not seem to be empty or of another format.
            var failure: FileError?
            bytes = [UInt8](unsafeUninitializedCapacity: minCount ?? firstBytes) { buffer, count in
                do throws(FileError) {
                    count = try file.readFully(at: position, into: UnsafeMutableRawBufferPointer(buffer))
                } catch { failure = error }
            }
            if let failure { throw failure }
            return (bytes, source)
        }
        while isUndecided(bytes), try !source.readPiece(onto: &bytes, upTo: bytes.count + firstBytes) {}
        return (bytes, bytes.isEmpty ? source : PeekedSource(source, bytes))
    }

    private static let firstBytes = 4096
}
