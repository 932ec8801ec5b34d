internal import Assay
package import AssayRules
internal import CAssay

/// The beginning of a file: the bytes before the first record, and the properties of the table that they determine.
///
///     sep=;⏎                a note for Excel, obeyed
///     Export of today⏎      lines that are skipped          all but `rest` is copied to the top of both outputs
///     # a comment⏎
///     id;name⏎              the header: one record or more
///     7;Anna⏎               rest
///
/// It has more than twelve properties, because they are independent facts that different readers need.
package struct TableHead: Sendable {
    /// The bytes that are copied to the top of every output: a byte order mark, lines above the table, the header.
    package let prefix: [UInt8]
    /// The names of the columns. `nil` if the dialect has no header.
    package let header: [String]?
    /// The number of fields of the first record: the header, or the first data record. 0 if there are no records.
    package let columnCount: Int
    /// The dialect of the table: the given one with the detected delimiter.
    package let dialect: Dialect
    /// The format of the records.
    package let format: InputFormat
    /// Whether the format was named, and not guessed by the name of the file or its first bytes.
    let formatIsGiven: Bool
    /// Whether the delimiter was detected and differs from the default.
    package let choseDelimiter: Bool
    /// Whether a bare CR ends records.
    let endsAtCR: Bool
    /// The terminator for a record without one: the first one of the file, as one byte. A bare CR is only used in a
    /// table in which it ends records, and in which the first record does not end in LF, because other readers would
    /// take it for data.
    var terminator: UInt8 {
        guard endsAtCR else { return 10 }
        let bytes = prefix.contains { $0 == 10 || $0 == 13 } ? prefix : rest
        guard let first = bytes.firstIndex(where: { $0 == 10 || $0 == 13 }) else { return 13 }
        return bytes[first] == 10 || (first + 1 < bytes.count && bytes[first + 1] == 10) ? 10 : 13
    }
    /// The bytes of the source after the prefix that have been read.
    let rest: [UInt8]
    let sourceEnded: Bool
    /// The number of lines in the prefix.
    let lines: Int
    /// The number of bytes in the prefix before the first line: a mark and a note for Excel.
    private let firstLine: Int
    private let given: Given

    /// The parameters that later searches for other readings use.
    private struct Given {
        let fields: [String]
        let encoding: TextEncoding
        let limits: Limits
        let hasDelimiter: Bool
    }

    /// The names that the rules have for columns.
    var fields: [String] { given.fields }
    /// Whether the given dialect has a delimiter that the file name does not suggest.
    var hasGivenDelimiter: Bool { given.hasDelimiter }

    /// Names for columns without names, by position.
    package var placeNames: [String] { (0..<columnCount).map { "column \($0 + 1)" } }

    /// Returns the dialect for the records below the head.
    ///
    /// A blank line after the last record is not a record, unless the table has a single column: there it is a missing
    /// value.
    func recordDialect(endsAtCR: Bool) -> assay_dialect {
        var records = dialect.cValue(endsAtCR: endsAtCR)
        if format == .jsonLines { return records }
        records.end_mark = true
        if dialect.blankLines == .reject && !dialect.rejectsLastBlankLines && columnCount != 1 {
            records.blank_lines = UInt8(ASSAY_BLANK_LAST_KEPT.rawValue)
        }
        return records
    }

    /// The dialect of the records with the terminators of this file.
    var recordDialect: assay_dialect { recordDialect(endsAtCR: endsAtCR) }

    /// Whether any bytes follow the head.
    var hasRecords: Bool { !rest.isEmpty || !sourceEnded }

    /// The size of the first read in bytes. It is doubled until it suffices.
    static let firstRead = 64 << 10

    /// Reads the necessary bytes of a source.
    ///
    /// Guesses use the first 64 KiB, or the bytes up to the end of the wanted records if these are fewer. Reading waits
    /// only for these bytes, and the result does not depend on the pieces in which a pipe delivers them.
    ///
    /// - Parameters:
    ///   - recordLimit: The number of records that will be read, without the header; `nil` reads all.
    ///   - choosesDelimiter: Whether to detect the delimiter if the dialect has no delimiter.
    ///   - requested: The format of the records. `nil` selects it by the name and the first bytes.
    ///   - formatIsImplied: See ``CleanerOptions``.
    ///   - fields: The column names in the rules.
    ///   - encoding: The original encoding of the source.
    ///   - emptyHint: The hint for an empty source. The default suggests reading it without a header.
    ///   - firstRead: The size of the first read in bytes.
    /// - Throws: ``InputError`` with a suggestion if the source is not a table; ``FileError``.
    package init(
        _ source: any Source, dialect given: Dialect, limits: Limits, format requested: InputFormat? = nil,
        formatIsImplied: Bool = false, choosesDelimiter: Bool = true, fields: [String] = [],
        limit recordLimit: Int? = nil,
        encoding: TextEncoding = .utf8, emptyHint: String? = nil, firstRead: Int = Self.firstRead
    ) throws {
        let batch = assay_batch_create()
        defer { assay_batch_free(batch) }
        guard let batch else { throw HeadBytes.noMemory }
        let known = requested ?? InputFormat(path: source.name).flatMap { $0 == .jsonLines ? $0 : nil }
        var dialect = known == .jsonLines ? Dialect.jsonLines : given
        var read = HeadBytes(
            source, recordLimit: recordLimit.map { max(1, $0 + dialect.headerRowCount) }, dialect: dialect)
        try InputError.beforeStart(of: source) { try read.more(upTo: firstRead, dialect, limits, batch) }
        let first64 = Array(read.looked(atMost: Self.firstRead))
        try Self.refuseOtherFormats(
            first64, &read, requested, formatIsImplied: formatIsImplied, isJSONLines: known == .jsonLines,
            hasHeader: dialect.header, encoding, name: source.name)
        format = known ?? InputFormat(firstBytes: first64)
        formatIsGiven = requested != nil
        self.given = Given(
            fields: fields, encoding: encoding, limits: limits,
            hasDelimiter: given.delimiter != nil && given.delimiter != Dialect.delimiter(suggestedBy: source.name))
        if format == .jsonLines {
            try read.requireJSONLines(source.name, limit: limits.recordBytes, isGiven: requested == .jsonLines)
            firstLine = read.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            (self.dialect, choseDelimiter, endsAtCR, sourceEnded, lines) = (.jsonLines, false, false, read.ended, 0)
            (prefix, rest) = (Array(read.bytes[..<firstLine]), Array(read.bytes[firstLine...]))
            (header, columnCount) = (fields, 1)
            return
        }
        let found = try Self.findDialect(
            &read, dialect, limits, batch, fields: choosesDelimiter ? fields : nil, name: source.name)
        (dialect, choseDelimiter, endsAtCR) = (found.dialect, found.choseDelimiter, found.endsAtCR)
        self.dialect = dialect
        let top = try HeaderScan(
            source: source.name, dialect: dialect, endsAtCR: endsAtCR, limits: limits, encoding: encoding, batch: batch
        ).header(in: &read, sample: first64, fields: choosesDelimiter ? fields : [], emptyHint: emptyHint)
        (header, columnCount, sourceEnded, firstLine) = (top.names, top.columnCount, read.ended, read.firstLine)
        (prefix, rest) = (Array(read.bytes[..<top.end]), Array(read.bytes[top.end...]))
        lines = countLines(prefix[...], endsAtCR: endsAtCR)
    }

    /// Throws if the first bytes show another format than CSV or JSON Lines.
    ///
    /// - Parameters:
    ///   - requested: The format of the records, if it was given.
    ///   - isJSONLines: Whether the records are JSON Lines by the given format or the name.
    private static func refuseOtherFormats(
        _ first64: [UInt8], _ read: inout HeadBytes, _ requested: InputFormat?, formatIsImplied: Bool,
        isJSONLines: Bool,
        hasHeader: Bool, _ encoding: TextEncoding, name: String
    ) throws {
        if let foreign = ForeignFormat(firstBytes: first64), foreign != .ebcdic || encoding.origin == .usual,
            requested == nil || !foreign.mayBeTable(first64) || formatIsImplied && foreign != .json
        {
            var error = InputError(foreign: foreign, input: name, isJSONLines: isJSONLines, hasHeader: hasHeader)
            if foreign == .json {
                try read.readRest()
                error.advise(jqFor: read)
            }
            if foreign.mayBeTable(first64) {
                error.override = foreign.isInOtherEncoding ? .encoding : .format
            }
            throw error
        }
        if encoding.origin == .usual,
            let other = UnmarkedEncoding.wide(first64[...]) ?? UnmarkedEncoding.escaped(first64[...])
        {
            throw InputError(
                "\(printable(name)) is not UTF-8: its bytes are those of text in \(other)", override: .encoding)
        }
        if encoding.origin == .usual, let binary = BinaryContent(firstBytes: first64[...]) {
            throw binary.error(for: name)
        }
    }

    /// Runs a search for other readings of the first lines.
    ///
    /// - Parameter fields: The names that a header must have; empty allows any names.
    func search<Result>(fields: [String], _ body: (ReadingSearch) -> Result?) -> Result? {
        guard format == .csv, let batch = assay_batch_create() else { return nil }
        defer { assay_batch_free(batch) }
        let bytes = (prefix + rest).dropFirst(firstLine)
        return body(
            ReadingSearch(
                bytes: bytes.prefix(Self.firstRead), isAll: sourceEnded && bytes.count <= Self.firstRead,
                dialect: dialect, endsAtCR: endsAtCR, limits: given.limits, fields: fields,
                isUTF8: given.encoding.isUTF8, batch: batch))
    }

    /// Returns the error for fields of the rules that are not columns, with settings under which they are.
    func binding(_ error: BindError, source: String) -> InputError {
        var problem = InputError(error, source: source)
        guard let remedy = search(fields: fields, { $0.remedy }) ?? search(fields: [], { $0.remedy }) else {
            return problem
        }
        if let only = header?.first, header?.count == 1, case .read(let readings) = remedy,
            case .delimiter(let other)? = readings.first?.first, only.utf8.contains(other)
        {
            let (seen, used) = (Self.spelled([other]), Self.spelled(dialect.separatorBytes))
            problem = InputError(
                "\(printable(source)):1: the header is a single column when read with \(used), but it contains \(seen)")
        }
        problem.remedy = remedy
        return problem
    }

    /// Reads until the delimiter and the terminator are known.
    ///
    /// - Parameter fields: The fields of the rules, to detect the delimiter; `nil` disables detection.
    private static func findDialect(
        _ read: inout HeadBytes, _ given: Dialect, _ limits: Limits, _ batch: UnsafeMutablePointer<assay_batch>,
        fields: [String]?, name: String
    ) throws -> (dialect: Dialect, choseDelimiter: Bool, endsAtCR: Bool) {
        var dialect = given
        while !read.hasStart && !read.ended && read.bytes.count <= limits.recordBytes {
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
        }
        if let delimiter = read.notedDelimiter, dialect.delimiter == nil {
            dialect.delimiter = delimiter
            if let conflict = dialect.conflict {
                throw InputError("\(printable(name)):1: by the note for Excel, \(conflict)", override: .delimiter)
            }
        }

        // The first terminator determines the terminator of the whole file, and may appear late.
        var terminator = read.firstTerminator(dialect)
        while terminator == nil && !read.ended && read.bytes.count <= limits.recordBytes {
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
            terminator = read.firstTerminator(dialect)
        }
        let endsAtCR = terminator == .cr

        if dialect.delimiter != nil { return (dialect, false, endsAtCR) }
        guard let fields else {
            dialect.delimiter = dialect.separator
            return (dialect, false, endsAtCR)
        }
        let sample = read.looked(atMost: firstRead)
        dialect.delimiter = try DelimiterChoice.delimiter(
            of: sample.dropFirst(read.start), isAll: read.ended && sample.count == read.bytes.count, dialect: dialect,
            endsAtCR: endsAtCR, limits: limits, fields: fields, name: name)
        if let conflict = dialect.conflict {
            throw InputError("\(printable(name)): \(conflict)", override: .delimiter)
        }
        // Before the delimiter was known, any candidate could have preceded an opening quote, so search again.
        return (dialect, dialect.separator != UInt8(ascii: ","), read.firstTerminator(dialect) == .cr)
    }

    /// Returns a delimiter in the form used in messages.
    private static func spelled(_ delimiter: [UInt8]) -> String {
        delimiter == [UInt8(ascii: "\t")] ? "tab" : "'" + printable(String(decoding: delimiter, as: UTF8.self)) + "'"
    }
}
