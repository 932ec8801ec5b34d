internal import Assay

/// The decompressed bytes of another source.
///
///     let source = try Decompressed(FileSource(path: "users.csv.gz"), from: .gzip)
///     let result = try cleaner.run(source)
///
/// ``Cleaner`` decompresses its inputs; use this type to get the bytes. They are decompressed ahead of the reader, with
/// a few MiB of memory. All checksums are verified: corrupt or truncated data is a ``FileError`` with the compressed
/// offset.
public final class Decompressed: Source, ReadingAhead {
    private let unpacked: ReadAheadSource

    /// - Parameters:
    ///   - threads: The number of independent members or frames that are decompressed at the same time; 0 means that
    ///     the reading thread decompresses.
    /// - Throws: ``FileError`` if there is not enough memory, or if the library is missing.
    public convenience init(
        _ source: any Source, from compression: Compression, threads: Int = 1
    ) throws(FileError) {
        try self.init(later: source, from: compression, threads: threads)
        startReadingAhead()
    }

    /// A source that starts to read ahead with ``startReadingAhead()``.
    init(later source: any Source, from compression: Compression, threads: Int) throws(FileError) {
        let stage: any BlockStage
        switch compression {
        case .gzip: stage = try GzipStage(source, guesses: threads > 1)
        case .zstd: stage = try ZstdStage(source, isSerial: threads == 0)
        }
        unpacked = try ReadAheadSource(stage, threads: threads)
    }

    public var name: String { unpacked.name }
    /// An estimate from the fraction of the compressed bytes read so far; `nil` if their number is unknown.
    public var byteCount: Int? { unpacked.byteCount }

    func startReadingAhead() { unpacked.startReadingAhead() }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try unpacked.read(into: buffer)
    }
}
