internal import Assay
package import AssayRules
internal import CAssay

/// The beginning of a file: what stands before the first record, and what it tells about the rest.
package struct TableHead: Sendable {
    /// Bytes that go to the top of every output as they came: a byte order mark, the header record.
    package let prefix: [UInt8]
    /// The names of the columns; `nil` when the dialect has no header.
    package let header: [String]?
    /// How many fields the first record has: the header, or else the first of the data. 0: there is none.
    package let columnCount: Int
    /// Whether a bare CR ends records.
    let endsAtCR: Bool
    /// What has been read of the source beyond the prefix.
    let rest: [UInt8]
    let sourceEnded: Bool
    /// Lines in the prefix.
    let lines: Int

    /// Reads as much of a source as it takes.
    ///
    /// - Throws: ``InputError`` for what is no such table at all, with what to do instead; ``FileError``.
    package init(_ source: any Source, dialect: Dialect, limits: Limits) throws {
        var bytes: [UInt8] = []
        var ended = false
        func readMore(_ target: Int) throws(FileError) {
            bytes.reserveCapacity(target)
            while !ended && bytes.count < target {
                var problem: FileError?
                let part = [UInt8](unsafeUninitializedCapacity: target - bytes.count) { buffer, initialized in
                    do throws(FileError) {
                        initialized = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
                    } catch { problem = error }
                }
                if let problem { throw problem }
                ended = part.isEmpty
                bytes += part
            }
        }

        try readMore(64 << 10)
        try Self.refuseOtherFormats(bytes, name: source.name)
        let mark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []

        // The first terminator decides for the whole file, and may be far away.
        var terminator = Self.firstTerminator(bytes[mark.count...], dialect: dialect, ended: ended)
        while terminator == nil && !ended && bytes.count <= limits.recordBytes {
            try readMore(bytes.count * 2)
            terminator = Self.firstTerminator(bytes[mark.count...], dialect: dialect, ended: ended)
        }
        let endsAtCR = terminator == .cr
        self.endsAtCR = endsAtCR

        let batch = assay_batch_create()
        defer { assay_batch_free(batch) }
        guard let batch else { fatalError("out of memory") }
        func scanFirst() -> assay_record? {
            var scanDialect = dialect.cValue(endsAtCR: endsAtCR)
            var scanLimits = assay_record_limits(
                field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
            let status = bytes.withUnsafeBufferPointer { buffer in
                assay_scan(
                    batch, &scanDialect, &scanLimits, buffer.baseAddress! + mark.count, buffer.count - mark.count, 1,
                    ended, false)
            }
            precondition(status == .ASSAY_OK, "the head of a file could not be scanned: out of memory")
            return batch.pointee.record_count > 0 ? batch.pointee.records[0] : nil
        }
        var first = bytes.count > mark.count ? scanFirst() : nil
        while first == nil && !ended {
            try readMore(bytes.count * 2)
            first = bytes.count > mark.count ? scanFirst() : nil
        }
        sourceEnded = ended
        columnCount = Int(batch.pointee.field_count)

        guard dialect.header else {
            header = nil
            prefix = mark
            rest = Array(bytes[mark.count...])
            lines = 0
            return
        }
        guard let first else {
            throw InputError(
                "\(printable(source.name)) is empty: a header was expected",
                hint: "if the file has no header line, say so with --no-header")
        }
        let end = mark.count + Int(first.end)
        let record = Array(bytes[mark.count..<end])
        let names = try Self.names(record, first, batch, dialect: dialect, source: source.name)
        if names.count > limits.columns {
            throw InputError(
                "\(printable(source.name)) has \(names.count) columns, more than the limit of \(limits.columns)",
                hint: "if that is right, raise it with --limit columns=\(names.count)")
        }
        try Self.refuseOtherDelimiter(names, dialect: dialect, name: source.name)
        header = names
        prefix = Array(bytes[..<end])
        rest = Array(bytes[end...])
        lines = Int(batch.pointee.lines)
    }

    private enum Terminator { case lf, cr }

    /// The first terminator outside quotes; `nil` when it is not among these bytes.
    private static func firstTerminator(_ bytes: ArraySlice<UInt8>, dialect: Dialect, ended: Bool) -> Terminator? {
        var inQuotes = false
        // Where a quote opens: at the start of a field, or right after one that closed, since then both are one in the text.
        var mayOpen = true
        for (index, byte) in zip(bytes.indices, bytes) {
            if inQuotes {
                inQuotes = byte != dialect.quoteChar
                mayOpen = !inQuotes
            } else if byte == dialect.quoteChar && mayOpen {
                inQuotes = true
            } else if byte == UInt8(ascii: "\n") {
                return .lf
            } else if byte == UInt8(ascii: "\r") {
                guard index + 1 < bytes.endIndex else { return ended ? .cr : nil }
                return bytes[index + 1] == UInt8(ascii: "\n") ? .lf : .cr
            } else {
                mayOpen = byte == dialect.delimiter
            }
        }
        return nil
    }

    private static func names(
        _ record: [UInt8], _ first: assay_record, _ batch: UnsafeMutablePointer<assay_batch>, dialect: Dialect,
        source: String
    ) throws -> [String] {
        let where_ = printable(source) + ":1"
        if first.flags & UInt32(ASSAY_RECORD_TOO_LONG) != 0 {
            throw InputError(
                "\(where_): the header is too long for a header", hint: "is this a table with one record on each line?")
        }
        if first.flags != 0 {
            throw InputError(
                "\(where_): the header has a quote that is never closed, or text after a closing quote",
                hint: "if quotes are ordinary text in this file, use --quote none")
        }
        guard String(validating: record, as: UTF8.self) != nil else {
            throw InputError(
                "\(where_): the header is not UTF-8",
                hint: "convert the file first: iconv -f WINDOWS-1252 -t UTF-8 \(shellQuoted(source)) > utf8.csv")
        }
        var dialect = dialect.cValue(endsAtCR: false)
        var bytes = record + [UInt8](repeating: 0, count: record.count)
        var used = UInt32(record.count)
        return (0..<batch.pointee.field_count).map { field in
            var cell = assay_cell()
            assay_batch_gather(batch, &dialect, &bytes, &used, field, 0, 1, nil, &cell)
            return String(decoding: bytes[Int(cell.start)..<Int(cell.start + cell.length)], as: UTF8.self)
        }
    }

    private static func refuseOtherFormats(_ bytes: [UInt8], name: String) throws {
        let file = shellQuoted(name)
        let formats: [(magic: [UInt8], what: String, hint: String)] = [
            ([0x1F, 0x8B], "gzip data", "zcat \(file) | assay clean - --rules … --rejects rejects.csv > clean.csv"),
            (
                [0x28, 0xB5, 0x2F, 0xFD], "Zstandard data",
                "zstdcat \(file) | assay clean - --rules … --rejects rejects.csv > clean.csv"
            ),
            (Array("BZh".utf8), "bzip2 data", "bzcat \(file) | assay clean - --rules … --rejects rejects.csv > clean.csv"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data", "xzcat \(file) | assay clean - --rules … --rejects rejects.csv > clean.csv"),
            (
                Array("PK\u{3}\u{4}".utf8), "a zip archive or an Excel workbook",
                "unzip -p \(file) | assay clean - --rules … --rejects rejects.csv > clean.csv   (zip with one CSV)\n"
                    + "      libreoffice --headless --convert-to csv \(file)                                (Excel)"
            ),
            (
                Array("PAR1".utf8), "a Parquet file",
                "duckdb -c \"COPY (FROM '\(name)') TO 'table.csv' (HEADER)\" && assay clean table.csv --rules …"
            ),
            ([0xFF, 0xFE], "UTF-16 text", "iconv -f UTF-16 -t UTF-8 \(file) > utf8.csv && assay clean utf8.csv --rules …"),
            ([0xFE, 0xFF], "UTF-16 text", "iconv -f UTF-16 -t UTF-8 \(file) > utf8.csv && assay clean utf8.csv --rules …"),
        ]
        for format in formats where bytes.starts(with: format.magic) {
            throw InputError("\(printable(name)) is \(format.what), not CSV", hint: "try: \(format.hint)")
        }
    }

    private static func refuseOtherDelimiter(_ names: [String], dialect: Dialect, name: String) throws {
        guard names.count == 1, let only = names.first else { return }
        let others: [(Character, String)] = [(";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")]
        for (character, spelling) in others
        where only.contains(character) && character.asciiValue != dialect.delimiter {
            let delimiter = printable(String(UnicodeScalar(dialect.delimiter)))
            throw InputError(
                "\(printable(name)):1: the header is a single column, but it contains \(spelling)",
                hint: "try: --delimiter \(spelling)   (it was read with '\(delimiter)')")
        }
    }
}

extension Dialect {
    func cValue(endsAtCR: Bool) -> assay_dialect {
        assay_dialect(delimiter: delimiter, quote: quoteChar ?? 0, quoting: quoteChar != nil, cr_ends: endsAtCR)
    }
}

/// An input, or a set of options, that the job cannot start with.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String
    /// What to do instead.
    public var hint: String?

    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    public var description: String { hint.map { "\(message)\n  hint: \($0)" } ?? message }
}

/// A word as a POSIX shell reads it back.
package func shellQuoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "._-/+,@:".utf8.contains(byte)
    }
    if plain && !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
