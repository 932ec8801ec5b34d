internal import Assay

/// Bytes that come piece by piece, on their way to a stream: unpacked where they are packed.
///
///     piece ──► entry ──► Decompressed ──► emit       packed
///     piece ──► emit                                  plain
///
struct PushedInput {
    private let entry: PushSource
    private let unpacks: Bool
    /// What comes of the bytes; `nil`: they are passed on as they are, or it is not known yet what they are.
    private var source: (any Source)?
    private var isPlain: Bool
    private(set) var compression: Compression?

    init(name: String, unpacks: Bool) {
        entry = PushSource(name: name)
        self.unpacks = unpacks
        isPlain = !unpacks
    }

    /// Takes the next bytes, and hands on what comes of them, a bounded piece at a time.
    mutating func push(
        _ piece: UnsafeRawBufferPointer, _ emit: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if isPlain { return try emit(piece) }
        entry.append(piece)
        try handOn(emit)
    }

    /// Says that no more bytes come, and hands on what is left.
    mutating func finish(_ emit: (UnsafeRawBufferPointer) throws -> Void) throws {
        if isPlain { return }
        entry.close()
        try handOn(emit)
    }

    private mutating func handOn(_ emit: (UnsafeRawBufferPointer) throws -> Void) throws {
        if source == nil {
            let first = entry.peek(Compression.magicBytes)
            if Compression.mayBegin(first.bytes) && !first.isAll { return }
            compression = Compression(firstBytes: first.bytes)
            if let compression {
                source = try Decompressed(entry, from: compression, threads: 0)
            } else {
                isPlain = true
                source = entry
            }
        }
        guard let source else { return }
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
