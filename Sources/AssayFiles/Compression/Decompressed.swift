internal import Assay

/// The bytes that are packed in another source.
///
///     let source = try Decompressed(FileSource(path: "users.csv.gz"), from: .gzip)
///     let result = try cleaner.run(source)
///
/// ``Cleaner`` unpacks what is packed by itself; this is for whoever wants the bytes. They are unpacked ahead of whoever reads
/// them, in a few MiB. Every checksum is verified: data that is damaged or cut off is a ``FileError`` with the packed offset.
public final class Decompressed: Source, ReadingAhead {
    private let unpacked: ReadAheadSource

    /// - Parameters:
    ///   - threads: how many members or frames are unpacked side by side, where they do not depend on each other; 0: whoever
    ///     reads unpacks.
    /// - Throws: ``FileError`` when there is no memory, or no library for it.
    public convenience init(
        _ source: any Source, from compression: Compression, threads: Int = 1
    ) throws(FileError) {
        try self.init(later: source, from: compression, threads: threads)
        startReadingAhead()
    }

    /// One that is read ahead only from ``startReadingAhead()`` on.
    init(later source: any Source, from compression: Compression, threads: Int) throws(FileError) {
        let stage: any BlockStage
        switch compression {
        case .gzip: stage = try GzipStage(source, guesses: threads > 1)
        case .zstd: stage = try ZstdStage(source, isSerial: threads == 0)
        }
        unpacked = try ReadAheadSource(stage, threads: threads)
    }

    public var name: String { unpacked.name }
    /// An estimate by how far the packed bytes have been read; `nil` where their number is not known.
    public var byteCount: Int? { unpacked.byteCount }

    func startReadingAhead() { unpacked.startReadingAhead() }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try unpacked.read(into: buffer)
    }
}
