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
    /// The terminator for a record without one: the first one of the file, as one byte. A bare CR is only used in a table in which it
    /// ends records, and in which the first record does not end in LF, because other readers would take it for data.
    var terminator: UInt8 {
        guard endsAtCR else { return 10 }
        let bytes = prefix.contains { $0 == 10 || $0 == 13 } ? prefix : rest
        guard let first = bytes.firstIndex(where: { $0 == 10 || $0 == 13 }) else { return 13 }
        return bytes[first] == 10 || (first + 1 < bytes.count && bytes[first + 1] == 10) ? 10 : 13
    }
    /// What has been read of the source beyond the prefix.
    let rest: [UInt8]
    let sourceEnded: Bool
    /// The number of lines in the prefix.
    let lines: Int
    /// The number of bytes in the prefix before the first line: a mark and a note for Excel.
    private let firstLine: Int
    /// The names that the rules have for columns.
    let fields: [String]
    private let encoding: TextEncoding
    private let limits: Limits
    /// Whether the given dialect has a delimiter that the file name does not suggest.
    let hasGivenDelimiter: Bool

    /// Names for columns without names, by position.
    package var placeNames: [String] { (0..<columnCount).map { "column \($0 + 1)" } }

    /// Returns the dialect for the records below the head.
    ///
    /// A blank line after the last record is not a record, unless the table has a single column: there it is a missing value.
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
    ///   - wanted: The number of records that will be read, without the header; `nil` reads all.
    ///   - choosesDelimiter: Whether to detect the delimiter if the dialect has no delimiter.
    ///   - asked: The format of the records. `nil` selects it by the name and the first bytes.
    ///   - formatIsImplied: See ``CleanerOptions``.
    ///   - fields: The column names in the rules.
    ///   - encoding: The original encoding of the source.
    ///   - emptyHint: The hint for an empty source. The default suggests reading it without a header.
    ///   - firstRead: The size of the first read in bytes.
    /// - Throws: ``InputError`` with a suggestion if the source is not a table; ``FileError``.
    package init(
        _ source: any Source, dialect given: Dialect, limits: Limits, format asked: InputFormat? = nil,
        formatIsImplied: Bool = false, choosesDelimiter: Bool = true, fields: [String] = [], most wanted: Int? = nil,
        encoding: TextEncoding = .utf8, emptyHint: String? = nil, firstRead: Int = Self.firstRead
    ) throws {
        let batch = assay_batch_create()
        defer { assay_batch_free(batch) }
        guard let batch else { throw HeadBytes.noMemory }

        let known = asked ?? InputFormat(path: source.name).flatMap { $0 == .jsonLines ? $0 : nil }
        var dialect = known == .jsonLines ? Dialect.jsonLines : given
        let headerRows = dialect.header ? dialect.headerRows.last ?? 1 : 0
        let records = wanted.map { max(1, $0 + headerRows) }
        var read = HeadBytes(source, wanted: records, dialect: dialect)
        try InputError.beforeStart(of: source) { try read.more(upTo: firstRead, dialect, limits, batch) }
        let first64 = Array(read.looked(atMost: Self.firstRead))
        if let foreign = ForeignFormat(firstBytes: first64), foreign != .ebcdic || encoding.origin == .usual,
            asked == nil || !foreign.mayBeTable(first64) || formatIsImplied && foreign != .json
        {
            var error = InputError(
                foreign: foreign, input: source.name, isJSONLines: known == .jsonLines, hasHeader: dialect.header)
            if foreign == .json {
                try read.readRest()
                error.advise(jqFor: read)
            }
            if foreign.mayBeTable(first64) {
                error.override = foreign.isInOtherEncoding ? .encoding : .format
            }
            throw error
        }
        if encoding.origin == .usual, let binary = BinaryContent(firstBytes: first64[...]) {
            throw binary.error(for: source.name)
        }
        format = known ?? InputFormat(firstBytes: first64)
        formatIsGiven = asked != nil
        (self.fields, self.encoding, self.limits, hasGivenDelimiter) = (
            fields, encoding, limits,
            given.delimiter != nil && given.delimiter != Dialect.delimiter(suggestedBy: source.name)
        )
        if format == .jsonLines {
            try read.requireJSONLines(source.name, most: limits.recordBytes, isGiven: asked == .jsonLines)
            let mark = read.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            self.dialect = .jsonLines
            (choseDelimiter, endsAtCR, sourceEnded, lines) = (false, false, read.ended, 0)
            (prefix, rest) = (Array(read.bytes[..<mark]), Array(read.bytes[mark...]))
            (header, columnCount) = (fields, 1)
            firstLine = mark
            return
        }
        let found = try Self.findDialect(
            &read, dialect, limits, batch, fields: choosesDelimiter ? fields : nil, name: source.name)
        (dialect, choseDelimiter, endsAtCR) = (found.dialect, found.choseDelimiter, found.endsAtCR)
        self.dialect = dialect
        let cDialect = dialect.cValue(endsAtCR: endsAtCR)
        try Self.scanFirstRecords(&read, dialect, cDialect, limits, batch, headerRows: headerRows, name: source.name)
        let (bytes, start) = (read.bytes, read.start)
        sourceEnded = read.ended
        firstLine = read.firstLine
        let search = ReadingSearch(
            bytes: bytes.dropFirst(firstLine).prefix(Self.firstRead),
            isAll: read.ended && bytes.count - firstLine <= Self.firstRead, dialect: dialect, endsAtCR: endsAtCR,
            limits: limits, fields: choosesDelimiter ? fields : [], isUTF8: encoding.isUTF8, batch: batch)

        guard dialect.header else {
            if batch.pointee.record_count == batch.pointee.comment_count {
                columnCount = 0
            } else if let count = Self.fieldCount(batch, cDialect, bytes[start...])
                ?? Self.fieldCount(batch, cDialect, nil)
            {
                columnCount = count
            } else {
                throw InputError(
                    "\(printable(source.name)): none of the first \(batch.pointee.record_count) records is well-formed",
                    remedy: search.remedy)
            }
            try Self.checkColumns(columnCount, limits, source.name)
            header = nil
            prefix = Array(bytes[..<start])
            rest = Array(bytes[start...])
            lines = countLines(bytes[..<start], endsAtCR: endsAtCR)
            return
        }
        let entries = (0..<Int(batch.pointee.record_count)).filter {
            batch.pointee.records[$0].flags & UInt32(ASSAY_RECORD_COMMENT) == 0
        }
        guard entries.count >= headerRows, let lastEntry = entries.prefix(headerRows).last else {
            throw InputError(
                "\(printable(source.name)) is empty\(dialect.skip > 0 ? " behind the lines that are skipped" : ""): "
                    + "a header was expected", hint: emptyHint,
                remedy: emptyHint == nil && dialect.skip == 0 ? .noHeader : nil)
        }
        let rows = dialect.headerRows.map { entries[$0 - 1] }
        let place = HeaderPlace(
            source: source.name, encoding: encoding,
            bytes: Array(bytes[start..<start + Int(batch.pointee.records[lastEntry].end)]),
            linesBefore: countLines(bytes[..<start], endsAtCR: endsAtCR),
            sample: BinaryContent(firstBytes: first64[...]) == nil ? first64 : [])
        let names: [String]
        do {
            let all = try Self.names(rows, place, batch, cDialect, dialect, limits)
            let endsInDelimiter = dialect.trailingDelimiter && all.count > 1 && all.last == ""
            names = endsInDelimiter ? all.dropLast() : all
        } catch var error as InputError {
            error.remedy = search.remedy ?? error.remedy
            throw error
        }
        columnCount = names.count
        try Self.checkColumns(columnCount, limits, source.name)
        header = names
        let end = start + place.bytes.count
        prefix = Array(bytes[..<end])
        rest = Array(bytes[end...])
        lines = countLines(prefix[...], endsAtCR: endsAtCR)
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
                dialect: dialect, endsAtCR: endsAtCR, limits: limits, fields: fields, isUTF8: encoding.isUTF8,
                batch: batch))
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

    /// Reads until the batch contains the header, or without a header the first record that determines the number of
    /// columns.
    private static func scanFirstRecords(
        _ read: inout HeadBytes, _ dialect: Dialect, _ cDialect: assay_dialect, _ limits: Limits,
        _ batch: UnsafeMutablePointer<assay_batch>, headerRows: Int, name: String
    ) throws {
        let most = dialect.header && !dialect.hasLinesBetweenRecords ? headerRows : Int.max
        while true {
            let first = try read.scan(batch, cDialect, limits, most: most)
            // A broken header is reported as an error. Without a header, a broken record does not determine the number
            // of columns.
            let entries = Int(batch.pointee.record_count) - Int(batch.pointee.comment_count)
            let isTooLong = read.bytes.count > limits.recordBytes
            if dialect.header
                ? entries >= headerRows
                : isTooLong
                    ? first != nil : fieldCount(batch, cDialect, read.bytes[read.start...]) != nil
            {
                return
            }
            if read.ended { return }
            if read.bytes.count > 2 * limits.recordBytes {
                if first != nil { return }
                if !read.hasStart { break }
            }
            // The wanted records do not determine the number of columns.
            read.wanted = nil
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
        }
        throw InputError(
            "\(printable(name)): a line above the table is longer than \(limits.recordBytes) bytes",
            hint: "is this a table with one record on each line?", remedy: .limit("record-bytes", read.bytes.count))
    }

    private static func checkColumns(_ count: Int, _ limits: Limits, _ name: String) throws(InputError) {
        if count > limits.columns {
            throw InputError(
                "\(printable(name)) has \(count) columns, more than the limit of \(limits.columns)",
                remedy: .limit("columns", count))
        }
    }

    /// Returns the number of fields of the first well-formed record.
    ///
    /// - Parameter bytes: The bytes from the first record on, to skip blank lines; `nil` counts blank lines.
    private static func fieldCount(
        _ batch: UnsafeMutablePointer<assay_batch>, _ cDialect: assay_dialect, _ bytes: ArraySlice<UInt8>?
    ) -> Int? {
        guard let records = batch.pointee.records else { return nil }
        for entry in 0..<Int(batch.pointee.record_count) where records[entry].flags == 0 {
            let (start, end) = (Int(records[entry].start), Int(records[entry].end))
            if let bytes, end - start <= 2,
                bytes[(bytes.startIndex + start)..<(bytes.startIndex + end)].allSatisfy({ $0 == 10 || $0 == 13 })
            {
                continue
            }
            return Int(withUnsafePointer(to: cDialect) { assay_batch_width(batch, $0, UInt32(entry)) })
        }
        return nil
    }

    /// The bytes of a header and their place.
    private struct HeaderPlace {
        let source: String
        let encoding: TextEncoding
        let bytes: [UInt8]
        let linesBefore: Int
        /// The first bytes of the file, used to guess its encoding.
        let sample: [UInt8]
    }

    /// Returns the names of the columns, from one record or joined from several.
    private static func names(
        _ rows: [Int], _ place: HeaderPlace, _ batch: UnsafeMutablePointer<assay_batch>, _ cDialect: assay_dialect,
        _ dialect: Dialect, _ limits: Limits
    ) throws -> [String] {
        var parts: [[String]] = []
        for row in rows {
            let record = batch.pointee.records[row]
            let bytes = Array(place.bytes[Int(record.start)..<Int(record.end)])
            let line = place.linesBefore + countLines(place.bytes[..<Int(record.start)], endsAtCR: cDialect.cr_ends) + 1
            let where_ = printable(place.source) + ":\(line)"
            if record.flags & UInt32(ASSAY_RECORD_TOO_LONG) != 0 {
                let isField = bytes.count <= limits.recordBytes
                let (name, limit) = isField ? ("field-bytes", limits.fieldBytes) : ("record-bytes", limits.recordBytes)
                throw InputError(
                    "\(where_): the header " + FindingText.tooLong(over: limit, limit: name, inField: isField),
                    hint: "is this a table with one record on each line?")
            }
            if record.flags != 0 {
                throw InputError(
                    "\(where_): the header has a quote that is never closed, or text after a closing quote")
            }
            guard String(validating: bytes, as: UTF8.self) != nil else {
                if place.encoding.isUTF8 {
                    // The recommended encoding must be able to decode the header.
                    let guess =
                        [bytes, place.sample].lazy.compactMap { EncodingGuess($0)?.name }.first {
                            EncodingGuess.decodes(bytes, from: $0)
                        }
                    throw InputError(
                        "\(where_): the header is not UTF-8",
                        hint: guess == nil ? "no other encoding is certain" : nil,
                        remedy: guess.map { .read(with: [[.encoding($0)]]) }, override: guess == nil ? .encoding : nil)
                }
                let windows = WindowsPage(of: place.encoding.name).flatMap { page in
                    bytes.withUnsafeBufferPointer { page.hasCharacters(forEscapedIn: $0) } ? page.name : nil
                }
                throw InputError(
                    "\(where_): the header is not valid \(place.encoding.name)",
                    hint: windows == nil ? "is it in another encoding?" : nil,
                    remedy: windows.map { .read(with: [[.encoding($0)]]) })
            }
            let padded = place.bytes + [UInt8](repeating: 0, count: place.bytes.count)
            parts.append(SampleRecords.texts(ofEntry: row, batch, cDialect, padded, count: place.bytes.count))
        }
        if parts.count == 1 { return parts[0] }
        return (0..<(parts.map(\.count).max() ?? 0)).map { column in
            parts.compactMap { $0.indices.contains(column) ? $0[column] : nil }.filter { !$0.isEmpty }
                .joined(separator: dialect.headerJoin)
        }
    }

    /// Returns a delimiter in the form used in messages.
    private static func spelled(_ delimiter: [UInt8]) -> String {
        delimiter == [UInt8(ascii: "\t")] ? "tab" : "'" + printable(String(decoding: delimiter, as: UTF8.self)) + "'"
    }
}
