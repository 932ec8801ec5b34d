internal import Assay
internal import AssayRules

/// The text of another source, as UTF-8.
///
///     let source = try Decoded(FileSource(path: "users.csv"), from: "windows-1252")
///     let result = try cleaner.run(source)
///
/// Bytes that cannot be decoded become lone surrogates (U+DC00 + the byte; of UTF-16 the unit itself), or other bytes that are no
/// well-formed UTF-8, so that a ``Cleaner`` rejects the records that have some. A byte order mark is passed over.
public final class Decoded: Source, ReadingAhead {
    private let decoded: ReadAheadSource
    /// The usual name of the encoding.
    public let encoding: String

    /// - Parameters:
    ///   - encoding: a name of WHATWG's or IANA's, in any case.
    ///   - threads: how many blocks are decoded side by side, ahead of whoever reads; 0: whoever reads decodes.
    /// - Throws: ``InputError`` for a name that is not known; ``FileError``.
    public convenience init(_ source: any Source, from encoding: String, threads: Int = 1) throws {
        let peeked = try PeekedSource.peek(source) { $0.count < 4 }
        guard Encodings.canonicalName(encoding) != nil,
            let found = TextEncoding.find(in: peeked.bytes, asked: encoding, isAll: true)
        else { throw InputError.unknownEncoding(encoding) }
        try self.init(later: peeked.source, from: found, threads: threads)
        startReadingAhead()
    }

    /// One that is read ahead only from ``startReadingAhead()`` on.
    init(later source: any Source, from encoding: TextEncoding, threads: Int) throws(FileError) {
        self.encoding = encoding.name
        decoded = try ReadAheadSource(DecodeStage(source, from: encoding), threads: threads)
    }

    public var name: String { decoded.name }
    /// An estimate by how far the text has been read; `nil` where its length is not known.
    public var byteCount: Int? { decoded.byteCount }

    func startReadingAhead() { decoded.startReadingAhead() }

    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try decoded.read(into: buffer)
    }
}

extension InputError {
    /// A name that no encoding has.
    package static func unknownEncoding(_ name: String) -> InputError {
        let near = closestName(to: name, among: Encodings.names)
        return InputError(
            "'\(printable(name))' is no encoding that Assay knows",
            hint: near.map { "did you mean '\($0)'?" } ?? "the encodings are \(Encodings.names.joined(separator: ", "))"
        )
    }
}
