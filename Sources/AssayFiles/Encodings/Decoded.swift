internal import Assay
internal import AssayRules

/// The text of another source, as UTF-8.
///
///     let source = try Decoded(FileSource(path: "users.csv"), from: "windows-1252")
///     let result = try cleaner.run(source)
///
/// Undecodable bytes become lone surrogates (U+DC00 + the byte; in UTF-16 the unit) or other bytes that are not
/// well-formed UTF-8, so that a ``Cleaner`` rejects their records. A byte order mark is skipped.
public final class Decoded: Source, ReadingAhead {
    private let decoded: ReadAheadSource
    /// The canonical name of the encoding.
    public let encoding: String

    /// - Parameters:
    ///   - encoding: A name from WHATWG or IANA, in any case.
    ///   - threads: The number of blocks that are decoded at the same time, ahead of the reader; 0 means that the
    ///     reading thread decodes.
    /// - Throws: ``InputError`` for an unknown name; ``FileError``.
    public convenience init(_ source: any Source, from encoding: String, threads: Int = 1) throws {
        let peeked = try PeekedSource.peek(source) { $0.count < 4 }
        guard Encodings.canonicalName(encoding) != nil,
            let found = TextEncoding.find(in: peeked.bytes, requested: encoding, isAll: true)
        else { throw InputError.unknownEncoding(encoding) }
        try self.init(later: peeked.source, from: found, threads: threads)
        startReadingAhead()
    }

    /// A source that starts to read ahead with ``startReadingAhead()``.
    init(later source: any Source, from encoding: TextEncoding, threads: Int) throws(FileError) {
        self.encoding = encoding.name
        decoded = try ReadAheadSource(DecodeStage(source, from: encoding), threads: threads)
    }

    public var name: String { decoded.name }
    /// An estimate from the fraction of the text read so far; `nil` if its length is unknown.
    public var byteCount: Int? { decoded.byteCount }

    func startReadingAhead() { decoded.startReadingAhead() }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try decoded.read(into: buffer)
    }
}

extension InputError {
    /// The error for an unknown encoding name.
    package static func unknownEncoding(_ name: String) -> InputError {
        let near = closestName(to: name, among: Encodings.names)
        return InputError(
            "'\(printable(name))' is no encoding that Assay knows",
            hint: near.map { "did you mean '\($0)'?" } ?? "the encodings are \(Encodings.names.joined(separator: ", "))"
        )
    }
}
