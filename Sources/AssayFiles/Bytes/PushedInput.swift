internal import Assay

/// Bytes that come piece by piece, on their way to a stream: unpacked where they are packed, decoded where they are not UTF-8.
///
///     piece ──► packed ──► Decompressed ──► text ──► Decoded ──► emit
///
/// What has nothing to do is left out.
struct PushedInput {
    private var packed: Entry
    private var text: Entry
    private let asked: String?
    private(set) var compression: Compression?
    private(set) var encoding = TextEncoding.utf8

    /// Where bytes are pushed to, and what comes of them.
    private struct Entry {
        let feed: PushSource
        /// `nil`: it is not known yet what the bytes are.
        var source: (any Source)?
        /// Whether the bytes are passed on as they are.
        var isPlain = false
    }

    init(name: String, unpacks: Bool, encoding: String?) {
        packed = Entry(feed: PushSource(name: name), isPlain: !unpacks)
        text = Entry(feed: PushSource(name: name))
        asked = encoding
    }

    /// Takes the next bytes, and hands on what comes of them, a bounded piece at a time.
    mutating func push(
        _ piece: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if packed.isPlain { return try pushText(piece, emit) }
        packed.feed.append(piece)
        try handOn(emit)
    }

    /// Says that no more bytes come, and hands on what is left.
    mutating func finish(_ emit: (UnsafeRawBufferPointer) throws -> Void) throws {
        if !packed.isPlain {
            packed.feed.close()
            try handOn(emit)
        }
        if !text.isPlain {
            text.feed.close()
            try handOnText(emit)
        }
    }

    private mutating func handOn(_ emit: (UnsafeRawBufferPointer) throws -> Void) throws {
        if packed.source == nil {
            let first = packed.feed.peek(Compression.magicBytes)
            if Compression.mayBegin(first.bytes) && !first.isAll { return }
            compression = Compression(firstBytes: first.bytes)
            packed.isPlain = compression == nil
            packed.source =
                try compression.map { try Decompressed(later: packed.feed, from: $0, threads: 0) } ?? packed.feed
        }
        guard let source = packed.source else { return }
        try Self.drain(source) { try pushText($0, emit) }
    }

    private mutating func pushText(
        _ piece: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if text.isPlain { return try emit(piece) }
        text.feed.append(piece)
        try handOnText(emit)
    }

    private mutating func handOnText(_ emit: (UnsafeRawBufferPointer) throws -> Void) throws {
        if text.source == nil {
            let first = text.feed.peek(EncodingGuess.sampleBytes)
            guard let found = TextEncoding.find(in: first.bytes, asked: asked, isAll: first.isAll) else { return }
            encoding = found
            text.isPlain = found.isUTF8
            text.source = found.isUTF8 ? text.feed : try Decoded(later: text.feed, from: found, threads: 0)
        }
        guard let source = text.source else { return }
        try Self.drain(source, emit)
    }

    /// Hands on all that can be read.
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
