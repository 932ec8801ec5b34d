internal import Assay
package import AssayRules
internal import CAssay

/// The beginning of a file: what stands before the first record, and what it tells about the rest.
///
///     sep=;⏎                a note for Excel, obeyed
///     Export of today⏎      lines that are skipped          all of it goes to the top of both outputs
///     # a comment⏎
///     id;name⏎              the header: one record or more
///     7;Anna⏎               rest
///
package struct TableHead: Sendable {
    /// Bytes that go to the top of every output as they came: a byte order mark, lines above the table, the header.
    package let prefix: [UInt8]
    /// How many of them stand before the last record of the header.
    let lastHeaderStart: Int
    /// The names of the columns; `nil` when the dialect has no header.
    package let header: [String]?
    /// How many fields the first record has: the header, or else the first of the data. 0: there is none.
    package let columnCount: Int
    /// The dialect that the table is read with: the one that was given, with the delimiter that was found.
    package let dialect: Dialect
    /// How the records stand in the file.
    package let format: InputFormat
    /// Whether the delimiter was chosen by the records, and is not the usual one.
    package let choseDelimiter: Bool
    /// Whether a bare CR ends records.
    let endsAtCR: Bool
    /// What has been read of the source beyond the prefix.
    let rest: [UInt8]
    let sourceEnded: Bool
    /// Lines in the prefix.
    let lines: Int
    /// What speaks for another delimiter: a header of one column that holds one. It matters where the columns of the rules are
    /// not found.
    let delimiterDoubt: InputError?
    /// How many lines more would have to be skipped to come to a header with all fields of the rules; `nil`: there is none.
    let linesAboveHeader: Int?

    /// Whether anything follows the head.
    var hasRecords: Bool { !rest.isEmpty || !sourceEnded }

    /// How much is read at first. Where that is not enough, it is doubled.
    static let firstRead = 64 << 10

    /// Reads as much of a source as it takes.
    ///
    /// What it guesses, it guesses from the first 64 KiB, or from the bytes up to the end of the records that are wanted, if
    /// these are fewer. It waits for no more than those, and how a pipe cuts them up makes no difference.
    ///
    /// - Parameters:
    ///   - wanted: how many records will be read, the header not counted; `nil`: all.
    ///   - choosesDelimiter: whether the records may tell the delimiter where the dialect has none.
    ///   - asked: how the records stand in it; `nil`: its name and its first bytes tell.
    ///   - fields: the names that the rules have for columns.
    ///   - emptyHint: what to do where there is nothing at all, if not to read it without a header.
    /// - Throws: ``InputError`` for what is no such table at all, with what to do instead; ``FileError``.
    package init(
        _ source: any Source, dialect given: Dialect, limits: Limits, format asked: InputFormat? = nil,
        choosesDelimiter: Bool = true, fields: [String] = [], most wanted: Int? = nil, emptyHint: String? = nil
    ) throws {
        let batch = assay_batch_create()
        defer { assay_batch_free(batch) }
        guard let batch else { throw HeadBytes.noMemory }

        let known = asked ?? InputFormat(path: source.name).flatMap { $0 == .jsonLines ? $0 : nil }
        var dialect = known == .jsonLines ? Dialect.jsonLines : given
        let headerRows = dialect.header ? dialect.headerRows.last ?? 1 : 0
        let records = wanted.map { max(1, $0 + headerRows) }
        var read = HeadBytes(source, wanted: records, skip: dialect.skip)
        try read.more(upTo: Self.firstRead, dialect, limits, batch)
        let first64 = Array(read.looked(atMost: Self.firstRead))
        if let foreign = ForeignFormat(firstBytes: first64), foreign != .json || asked == nil {
            throw InputError(
                "\(printable(source.name)) is \(foreign.name), not CSV",
                remedy: .convert(foreign, hasHeader: dialect.header))
        }
        format = known ?? InputFormat(firstBytes: first64)
        if format == .jsonLines {
            while !read.ended && read.bytes.count < Self.firstRead, JSONDocument(read.bytes) == nil { try read.piece() }
            if JSONDocument(read.bytes) == .document {
                throw InputError(
                    "\(printable(source.name)) is JSON over several lines, not an object on each line",
                    remedy: .convert(.json, hasHeader: true))
            }
            let mark = read.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            self.dialect = .jsonLines
            (choseDelimiter, self.endsAtCR, sourceEnded, lines) = (false, false, read.ended, 0)
            (prefix, rest) = (Array(read.bytes[..<mark]), Array(read.bytes[mark...]))
            (header, columnCount, lastHeaderStart) = (fields, 1, mark)
            (delimiterDoubt, linesAboveHeader) = (nil, nil)
            return
        }
        while !read.hasStart && !read.ended && read.bytes.count <= limits.recordBytes {
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
        }
        if let delimiter = read.notedDelimiter, dialect.delimiter == nil {
            dialect.delimiter = delimiter
            if let conflict = dialect.conflict {
                throw InputError("\(printable(source.name)):1: by the note for Excel, \(conflict)")
            }
        }

        // The first terminator decides for the whole file, and may be far away.
        var terminator = read.firstTerminator(dialect)
        while terminator == nil && !read.ended && read.bytes.count <= limits.recordBytes {
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
            terminator = read.firstTerminator(dialect)
        }
        var endsAtCR = terminator == .cr

        var chose = false
        if dialect.delimiter == nil {
            if choosesDelimiter {
                let sample = read.looked(atMost: Self.firstRead)
                dialect.delimiter = try DelimiterChoice.delimiter(
                    of: sample.dropFirst(read.start), isAll: read.ended && sample.count == read.bytes.count,
                    dialect: dialect,
                    endsAtCR: endsAtCR, limits: limits, fields: fields, name: source.name)
                chose = dialect.separator != UInt8(ascii: ",")
                // Until now any of them might have come before a quote that opens.
                endsAtCR = read.firstTerminator(dialect) == .cr
                if let conflict = dialect.conflict {
                    throw InputError("\(printable(source.name)): \(conflict)", hint: "say which delimiter it is")
                }
            } else {
                dialect.delimiter = dialect.separator
            }
        }
        choseDelimiter = chose
        self.endsAtCR = endsAtCR
        self.dialect = dialect

        let most = dialect.header && dialect.commentChar == nil ? headerRows : Int.max
        let cDialect = dialect.cValue(endsAtCR: endsAtCR)
        var first = try read.scan(batch, cDialect, limits, most: most)
        // A broken record is no header, but says so; without a header it says nothing about the others.
        func isEnough() -> Bool {
            let entries = Int(batch.pointee.record_count) - Int(batch.pointee.comment_count)
            if dialect.header { return entries >= headerRows }
            return read.bytes.count > limits.recordBytes ? first != nil : Self.fieldCount(batch) != nil
        }
        while !isEnough() {
            let isLong = read.bytes.count > 2 * limits.recordBytes
            if read.ended || isLong && (first != nil || !read.hasStart) { break }
            // The records that are wanted do not tell how many columns there are.
            read.wanted = nil
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
            first = try read.scan(batch, cDialect, limits, most: most)
        }
        if !read.hasStart && !read.ended {
            throw InputError(
                "\(printable(source.name)): a line above the table is longer than \(limits.recordBytes) bytes",
                hint: "is this a table with one record on each line?", remedy: .limit("record-bytes", read.bytes.count))
        }
        let (bytes, start) = (read.bytes, read.start)
        sourceEnded = read.ended

        guard dialect.header else {
            if batch.pointee.record_count == batch.pointee.comment_count {
                columnCount = 0
            } else if let count = Self.fieldCount(batch) {
                columnCount = count
            } else {
                throw InputError(
                    "\(printable(source.name)): none of the first \(batch.pointee.record_count) records is well-formed",
                    remedy: .noQuotes)
            }
            try Self.checkColumns(columnCount, limits, source.name)
            header = nil
            (delimiterDoubt, linesAboveHeader) = (nil, nil)
            prefix = Array(bytes[..<start])
            lastHeaderStart = start
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
            source: source.name, bytes: Array(bytes[start..<start + Int(batch.pointee.records[lastEntry].end)]),
            linesBefore: countLines(bytes[..<start], endsAtCR: endsAtCR))
        let names = try Self.names(rows, place, batch, cDialect, dialect, limits)
        columnCount = names.count
        try Self.checkColumns(columnCount, limits, source.name)
        delimiterDoubt =
            choosesDelimiter && given.delimiter == nil
            ? nil : Self.delimiterDoubt(names, dialect: dialect, name: source.name)
        header = names
        let end = start + place.bytes.count
        prefix = Array(bytes[..<end])
        lastHeaderStart = start + Int(batch.pointee.records[lastEntry].start)
        rest = Array(bytes[end...])
        lines = countLines(prefix[...], endsAtCR: endsAtCR)

        let columns = Set(names.map(ByteEqualString.init))
        if fields.isEmpty || Set(fields.map(ByteEqualString.init)).isSubset(of: columns) {
            linesAboveHeader = nil
        } else {
            let others = given.delimiter == nil ? DelimiterChoice.usual : [dialect.separator]
            linesAboveHeader =
                others.lazy.compactMap { [rest, lines, sourceEnded, endsAtCR] delimiter -> Int? in
                    if rest.isEmpty { return nil }
                    var read = dialect
                    if given.delimiter == nil { read.delimiter = delimiter }
                    let sample = SampleRecords(
                        rest.prefix(Self.firstRead), batch, read.cValue(endsAtCR: endsAtCR), limits: limits,
                        isAll: sourceEnded, most: 100)
                    return sample.line(ofRecordWith: fields).map { $0 + lines }
                }.first
        }
    }

    private static func checkColumns(_ count: Int, _ limits: Limits, _ name: String) throws(InputError) {
        if count > limits.columns {
            throw InputError(
                "\(printable(name)) has \(count) columns, more than the limit of \(limits.columns)",
                remedy: .limit("columns", count))
        }
    }

    /// How many fields the first record has that can be read as one.
    private static func fieldCount(_ batch: UnsafeMutablePointer<assay_batch>) -> Int? {
        guard let records = batch.pointee.records else { return nil }
        for entry in 0..<Int(batch.pointee.record_count) where records[entry].flags == 0 {
            return Int(records[entry + 1].first_field - records[entry].first_field)
        }
        return nil
    }

    /// The bytes from the first record of a header to its end, and where they stand.
    private struct HeaderPlace {
        let source: String
        let bytes: [UInt8]
        let linesBefore: Int
    }

    /// The names of the columns: those of one record, or those of several joined.
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
                    "\(where_): the header has a quote that is never closed, or text after a closing quote",
                    remedy: .noQuotes)
            }
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw InputError("\(where_): the header is not UTF-8", remedy: .encoding(EncodingGuess(bytes)?.name))
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

    private static func delimiterDoubt(_ names: [String], dialect: Dialect, name: String) -> InputError? {
        guard names.count == 1, let only = names.first else { return nil }
        for other in [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"), UInt8(ascii: ",")]
        where only.utf8.contains(other) && other != dialect.separator {
            let (seen, used) = (Self.spelled([other]), Self.spelled(dialect.separatorBytes))
            return InputError(
                "\(printable(name)):1: the header is a single column when read with \(used), but it contains \(seen)",
                remedy: .delimiter(other))
        }
        return nil
    }

    /// A delimiter as messages name it.
    private static func spelled(_ delimiter: [UInt8]) -> String {
        delimiter == [UInt8(ascii: "\t")] ? "tab" : "'" + printable(String(decoding: delimiter, as: UTF8.self)) + "'"
    }
}

/// The lines of bytes, as an editor counts them.
func countLines(_ bytes: ArraySlice<UInt8>, endsAtCR: Bool) -> Int {
    var lines = 0
    for index in bytes.indices {
        if bytes[index] == 10 { lines += index > bytes.startIndex && bytes[index - 1] == 13 && endsAtCR ? 0 : 1 }
        if endsAtCR && bytes[index] == 13 { lines += 1 }
    }
    return lines
}

/// What has been read of a source so far.
private struct HeadBytes {
    enum Terminator { case lf, cr }

    private let source: any Source
    private(set) var bytes: [UInt8] = []
    private(set) var ended = false
    /// How many records are enough; `nil`: as many as there are.
    var wanted: Int?
    /// Where they end, once all of them have been read.
    private var end: Int?
    /// Bytes so far that may end a record: where these are too few, looking for records is no use.
    private var terminators = 0

    /// Lines above the table that are still to be found.
    private var linesToSkip: Int
    /// How many bytes stand before the first record, as far as is known: a mark, a note for Excel, lines that are skipped.
    private(set) var start = 0
    /// Whether that is all of them.
    private(set) var hasStart = false
    private var hasLookedForNote = false
    /// The delimiter that a note for Excel tells.
    private(set) var notedDelimiter: UInt8?

    init(_ source: any Source, wanted: Int?, skip: Int) {
        self.source = source
        self.wanted = wanted
        linesToSkip = skip
    }

    /// The bytes that may be looked at for a guess.
    func looked(atMost most: Int) -> ArraySlice<UInt8> { bytes[..<min(most, end ?? bytes.count)] }

    /// Goes on looking for the first record in the bytes that have come.
    private mutating func findStart() {
        if hasStart || (bytes.count < 3 && !ended && [0xEF, 0xBB, 0xBF].starts(with: bytes)) { return }
        if start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        if !hasLookedForNote {
            // `sep=;` on a line of its own, which Excel writes above the header and reads as the delimiter.
            let note = bytes[start...]
            let isNote = note.starts(with: "sep=".utf8)
            if !isNote && !ended && "sep=".utf8.starts(with: note) { return }
            if isNote {
                guard let line = lineEnd(from: start) else {
                    if !ended { return }
                    hasStart = true
                    return
                }
                let text = bytes[start + 4..<line].filter { $0 != 10 && $0 != 13 }
                if text.count == 1, let delimiter = text.first, delimiter < 0x80 {
                    notedDelimiter = delimiter
                    start = line
                }
            }
            hasLookedForNote = true
        }
        while linesToSkip > 0 {
            guard let line = lineEnd(from: start) else {
                if ended { start = bytes.count }
                hasStart = ended
                return
            }
            start = line
            linesToSkip -= 1
        }
        hasStart = true
    }

    /// Where the line ends that begins here, behind its terminator; `nil`: not within these bytes.
    private func lineEnd(from start: Int) -> Int? {
        guard let end = bytes[start...].firstIndex(where: { $0 == 10 || $0 == 13 }) else { return nil }
        if bytes[end] == 10 { return end + 1 }
        if end + 1 < bytes.count { return bytes[end + 1] == 10 ? end + 2 : end + 1 }
        return ended ? end + 1 : nil
    }

    static var noMemory: NoMemoryError { NoMemoryError(for: "the head of a table") }

    /// Reads what has come, or waits for something.
    mutating func piece() throws { ended = try source.readPiece(onto: &bytes, upTo: bytes.count + TableHead.firstRead) }

    /// Reads on until there are so many bytes, or the records that are wanted. Of JSON a piece is enough.
    mutating func more(
        upTo target: Int, _ dialect: Dialect, _ limits: Limits, _ batch: UnsafeMutablePointer<assay_batch>
    ) throws {
        guard let wanted else {
            if !ended { ended = try source.read(onto: &bytes, upTo: target) }
            return findStart()
        }
        defer { findStart() }
        while !ended && end == nil && bytes.count < target {
            let known = bytes.count
            ended = try source.readPiece(onto: &bytes, upTo: target)
            if InputFormat(firstBytes: bytes) == .jsonLines { return }
            // Which kind of archive it is stands further on, and line ends mean nothing in one.
            if bytes.starts(with: ForeignFormat.zipMagic) {
                self.wanted = nil
                return try more(upTo: target, dialect, limits, batch)
            }
            terminators += bytes[known...].count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            findStart()
            guard !ended, hasStart, terminators >= wanted, let terminator = firstTerminator(dialect) else { continue }
            // Comments are no records.
            let hasComments = dialect.commentChar != nil
            _ = try scan(batch, dialect.cValue(endsAtCR: terminator == .cr), limits, most: hasComments ? .max : wanted)
            let entries = (0..<Int(batch.pointee.record_count)).lazy.filter { [batch] in
                batch.pointee.records[$0].flags & UInt32(ASSAY_RECORD_COMMENT) == 0
            }.prefix(wanted)
            guard entries.count == wanted, let entry = Array(entries).last else { continue }
            let last = batch.pointee.records[entry]
            if last.flags & UInt32(ASSAY_RECORD_CONTINUED) == 0 { end = start + Int(last.end) }
        }
    }

    /// The first terminator outside quotes; `nil` when it is not among these bytes. Where nobody has said which the delimiter is,
    /// a quote opens behind each that it may be.
    func firstTerminator(_ dialect: Dialect) -> Terminator? {
        let delimiters = dialect.delimiter == nil ? DelimiterChoice.usual : [dialect.separator]
        // In a comment nothing is quoted.
        let isComment = start < bytes.count && bytes[start] == dialect.commentChar
        let (quote, escape) = isComment ? (nil, nil) : (dialect.quoteChar, dialect.escapeChar)
        var inQuotes = false
        // Where a quote opens: at the start of a field, or right after one that closed, since then both are one in the text.
        var mayOpen = true
        var isEscaped = false
        for index in start..<bytes.count {
            let byte = bytes[index]
            if isEscaped || byte == escape {
                isEscaped.toggle()
                mayOpen = false
            } else if inQuotes {
                inQuotes = byte != quote
                mayOpen = !inQuotes
            } else if byte == quote && mayOpen {
                inQuotes = true
            } else if byte == UInt8(ascii: "\n") {
                return .lf
            } else if byte == UInt8(ascii: "\r") {
                guard index + 1 < bytes.count else { return ended ? .cr : nil }
                return bytes[index + 1] == UInt8(ascii: "\n") ? .lf : .cr
            } else if let second = dialect.secondDelimiter {
                mayOpen = byte == second && index > start && bytes[index - 1] == dialect.separator
            } else if dialect.skipInitialSpace && [9, 32].contains(byte) && !delimiters.contains(byte) {
                continue
            } else {
                mayOpen = delimiters.contains(byte)
            }
        }
        return nil
    }

    /// Finds records, so many at most, and gives the first; `nil`: it is not all there.
    func scan(
        _ batch: UnsafeMutablePointer<assay_batch>, _ dialect: assay_dialect, _ limits: Limits, most: Int
    ) throws(NoMemoryError) -> assay_record? {
        guard hasStart, bytes.count > start else { return nil }
        var dialect = dialect
        var limits = assay_record_limits(
            field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
        let status = bytes.withUnsafeBufferPointer { buffer in
            assay_scan(
                batch, &dialect, &limits, buffer.baseAddress! + start, buffer.count - start,
                UInt32(clamping: most), ended, false)
        }
        if status != .ASSAY_OK { throw Self.noMemory }
        return batch.pointee.record_count > 0 ? batch.pointee.records[0] : nil
    }
}

extension Dialect {
    func cValue(endsAtCR: Bool) -> assay_dialect {
        assay_dialect(
            delimiter: separator, quote: quoteChar ?? 0, quoting: quoteChar != nil, cr_ends: endsAtCR,
            delimiter2: secondDelimiter ?? 0, escape: escapeChar ?? 0, comment: commentChar ?? 0,
            skip_initial_space: skipInitialSpace)
    }
}

extension Dialect {
    /// Lines, of which each is one field.
    static var jsonLines: Dialect {
        var dialect = Dialect(delimiter: UInt8(ascii: "\n"), quoteChar: nil, header: false)
        dialect.skip = 0
        return dialect
    }
}

/// Whether the first object of JSON goes on in the second line.
private enum JSONDocument {
    case lines, document

    /// `nil`: more bytes are wanted.
    init?(_ bytes: [UInt8]) {
        let content = bytes.drop { [9, 10, 13, 32, 0xEF, 0xBB, 0xBF].contains($0) }
        guard let end = content.firstIndex(of: 10) else { return nil }
        var (depth, isInString, isEscaped) = (0, false, false)
        for byte in content[..<end] {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInString
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if !isInString {
                if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(byte) { depth += 1 }
                if [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) { depth -= 1 }
            }
        }
        if depth <= 0 {
            self = .lines
            return
        }
        // A broken line, behind which the next object begins, is a finding.
        guard let next = content[end...].first(where: { ![9, 10, 13, 32].contains($0) }) else { return nil }
        self = next == UInt8(ascii: "{") ? .lines : .document
    }
}
