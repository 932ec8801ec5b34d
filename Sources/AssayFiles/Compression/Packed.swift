internal import Assay
internal import CAssaySystem
internal import CGzip
internal import CZstd

/// A sink that compresses its data.
///
///     let outputs = Outputs(clean: Packed(file, as: .gzip))
///
/// Each write becomes separate members or frames, which other programs read as one file. A ``Cleaner`` compresses in
/// its threads, so that only writing is serial. The bytes are the same for any number of threads.
public struct Packed: Sink {
    /// The sink for the compressed bytes.
    public let sink: any Sink
    /// The compression format.
    public let compression: Compression

    /// A sink that compresses for another sink.
    public init(_ sink: any Sink, as compression: Compression) {
        self.sink = sink
        self.compression = compression
    }

    public var name: String { sink.name }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        if bytes.isEmpty { return }
        var packer = Packer(compression)
        try sink.write(packer.pack(bytes, for: name))
    }

    /// Writes the compressed form of an empty file.
    func writeEmpty() throws(FileError) {
        var packer = Packer(compression)
        try sink.write(packer.pack(UnsafeRawBufferPointer(start: nil, count: 0), for: name))
    }
}

/// A compressor for one thread.
struct Packer: ~Copyable {
    private let compression: Compression
    private var deflater: OpaquePointer?
    private var context: OpaquePointer?
    private var memory: UnsafeMutableRawBufferPointer?

    init(_ compression: Compression) { self.compression = compression }

    deinit {
        gzip_deflater_free(deflater)
        ZSTD_freeCCtx(context)
        free(memory?.baseAddress)
    }

    /// The compressed bytes. Valid until the next call.
    mutating func pack(_ bytes: UnsafeRawBufferPointer, for name: String) throws(FileError) -> UnsafeRawBufferPointer {
        let bound = compression == .gzip ? gzip_bound(bytes.count) : ZSTD_compressBound(bytes.count)
        if memory.map({ $0.count < bound }) ?? true {
            free(memory?.baseAddress)
            memory = nil
            guard let new = malloc(bound) else { throw FileError("pack", path: name, code: ENOMEM) }
            memory = UnsafeMutableRawBufferPointer(start: new, count: bound)
        }
        let count =
            switch compression {
            case .gzip: try gzip(bytes, name)
            case .zstd: try zstd(bytes, name)
            }
        return UnsafeRawBufferPointer(rebasing: memory![..<count])
    }

    private mutating func gzip(_ bytes: UnsafeRawBufferPointer, _ name: String) throws(FileError) -> Int {
        if deflater == nil { deflater = gzip_deflater_create() }
        guard let deflater else { throw .noGzip(name, to: "write") }
        let count = gzip_deflate(
            deflater, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
            memory!.baseAddress!.assumingMemoryBound(to: UInt8.self))
        precondition(count > 0, "ISA-L refused to pack")
        return count
    }

    private mutating func zstd(_ bytes: UnsafeRawBufferPointer, _ name: String) throws(FileError) -> Int {
        if context == nil {
            context = ZSTD_createCCtx()
            ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
            ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        }
        guard let context else { throw FileError("pack", path: name, code: ENOMEM) }
        let count = ZSTD_compress2(context, memory!.baseAddress, memory!.count, bytes.baseAddress, bytes.count)
        if ZSTD_isError(count) != 0 { throw FileError("pack", path: name, code: ENOMEM) }
        return count
    }
}
