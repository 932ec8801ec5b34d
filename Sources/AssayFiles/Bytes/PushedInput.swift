internal import Assay

/// Passes pieces of bytes on to a stream, decompressed and converted to UTF-8.
///
///     piece ──► packed ──► Decompressed ──► text ──► Decoded ──► feed
///
/// Stages that the input does not need are skipped.
struct PushedInput {
    private var packed: Entry
    private var text: Entry
    private let requested: String?
    private let trustsEncoding: Bool
    private let hasHeader: Bool
    /// Receives the decoded bytes.
    private let feed: PushSource
    private(set) var compression: Compression?

    /// A source for pushed bytes, and the stage that reads it.
    private struct Entry {
        let feed: PushSource
        /// `nil` until the format of the bytes is known.
        var source: (any Source)?
        /// Whether the bytes are passed on as they are.
        var isPlain = false
    }

    /// - Parameter feed: receives the decoded bytes and the encoding.
    init(to feed: PushSource, unpacks: Bool, encoding: String?, trustsEncoding: Bool, hasHeader: Bool) {
        self.trustsEncoding = trustsEncoding
        self.feed = feed
        self.hasHeader = hasHeader
        packed = Entry(feed: PushSource(name: feed.name), isPlain: !unpacks)
        text = Entry(feed: PushSource(name: feed.name))
        requested = encoding
    }

    /// Takes the next bytes and passes the decoded bytes on in pieces of bounded size.
    ///
    /// - Parameter advance: called when the feed has been given a piece.
    mutating func push(_ piece: UnsafeRawBufferPointer, _ advance: () throws -> Void) throws {
        if packed.isPlain { return try pushText(piece, advance) }
        packed.feed.append(piece)
        try handOn(advance)
    }

    /// Ends the input, passes the remaining bytes on and closes the feed.
    mutating func finish(_ advance: () throws -> Void) throws {
        if !packed.isPlain {
            packed.feed.close()
            try handOn(advance)
        }
        if !text.isPlain {
            text.feed.close()
            try handOnText(advance)
        }
        feed.close()
        try advance()
    }

    private mutating func handOn(_ advance: () throws -> Void) throws {
        if packed.source == nil {
            let first = packed.feed.peek(Compression.magicBytes)
            if Compression.mayBegin(first.bytes) && !first.isAll { return }
            compression = Compression(firstBytes: first.bytes)
            packed.isPlain = compression == nil
            packed.source =
                try compression.map { try Decompressed(later: packed.feed, from: $0, threads: 0) } ?? packed.feed
        }
        guard let source = packed.source else { return }
        try Self.drain(source) { try pushText($0, advance) }
    }

    private mutating func pushText(_ piece: UnsafeRawBufferPointer, _ advance: () throws -> Void) throws {
        if text.isPlain { return try handOver(piece, advance) }
        text.feed.append(piece)
        try handOnText(advance)
    }

    private mutating func handOnText(_ advance: () throws -> Void) throws {
        if text.source == nil {
            let first = text.feed.peek(EncodingGuess.sampleBytes)
            guard let found = TextEncoding.find(in: first.bytes, requested: requested, isAll: first.isAll) else {
                return
            }
            let target =
                found.canBeContradicted
                ? TextEncoding.contradictionBytes : requested == nil ? 0 : ForeignFormat.magicBytes
            if !first.isAll && first.bytes.count < target { return }
            try InputError.refuseBinary(Array(first.bytes), of: feed.name, requested: requested, hasHeader: hasHeader)
            if !trustsEncoding { try found.refuseContradiction(by: Array(first.bytes), of: feed.name) }
            feed.encoding = found
            text.isPlain = found.isUTF8
            text.source = found.isUTF8 ? text.feed : try Decoded(later: text.feed, from: found, threads: 0)
        }
        guard let source = text.source else { return }
        try Self.drain(source) { try handOver($0, advance) }
    }

    private func handOver(_ piece: UnsafeRawBufferPointer, _ advance: () throws -> Void) throws {
        feed.append(piece)
        try advance()
    }

    /// Passes on all bytes that can be read.
    private static func drain(_ source: any Source, _ emit: (UnsafeRawBufferPointer) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(byteCount: RecordReader.chunkBytes, alignment: 64) { buffer in
            while true {
                let count: Int
                do throws(FileError) {
                    count = try source.read(into: buffer)
                } catch {
                    if error.needsMoreInput { return }
                    throw error
                }
                if count == 0 { return }
                try emit(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }
}
