internal import Assay
internal import AssayRules
internal import CAssay

/// The bytes that have been read of a source so far.
///
/// Most properties are the state of a search for the first record, which continues when more bytes arrive.
struct HeadBytes {
    enum Terminator { case lf, cr }

    private let source: any Source
    private(set) var bytes: [UInt8] = []
    private(set) var ended = false
    /// The number of records that suffice; `nil` reads all.
    var recordLimit: Int?
    /// The end of the wanted records, after all have been read.
    private var end: Int?
    /// The number of bytes that may end a record. If it is too small, a search for records is useless.
    private var terminators = 0

    /// The number of lines above the table that have not been found yet.
    private var linesToSkip: Int
    /// The known size of the bytes before the first record: a mark, a note for Excel, skipped lines.
    private(set) var start = 0
    /// Whether `start` is final.
    private(set) var hasStart = false
    private var hasLookedForNote = false
    /// The number of bytes before the first line: a mark and a note for Excel.
    private(set) var firstLine = 0
    /// The delimiter in a note for Excel.
    private(set) var notedDelimiter: UInt8?

    /// The given delimiter. If it is `nil`, a note may set it.
    private let delimiter: UInt8?
    /// Whether a bare CR ends lines above the table.
    private let endsAtCR: Bool

    init(_ source: any Source, recordLimit: Int?, dialect: Dialect) {
        self.source = source
        self.recordLimit = recordLimit
        delimiter = dialect.delimiter
        endsAtCR = dialect.endsAtCR ?? true
        linesToSkip = dialect.skip
    }

    /// The bytes that may be looked at for a guess.
    func looked(atMost limit: Int) -> ArraySlice<UInt8> { bytes[..<min(limit, end ?? bytes.count)] }

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
                if text.count == 1, let noted = text.first, noted < 0x80, mayBeNote(of: noted) {
                    notedDelimiter = noted
                    start = line
                }
            }
            hasLookedForNote = true
            firstLine = start
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

    /// Whether a note may have this delimiter. If another one was given, `sep=x` may be a column name.
    private func mayBeNote(of noted: UInt8) -> Bool {
        let isAlphanumeric =
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(noted)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(noted | 0x20)
        return delimiter == nil || delimiter == noted || !isAlphanumeric
    }

    /// Returns the end of the line that begins at `start`, including the terminator. Returns `nil` if it is not within
    /// the bytes.
    private func lineEnd(from start: Int) -> Int? {
        guard let end = bytes[start...].firstIndex(where: { $0 == 10 || $0 == 13 && endsAtCR }) else { return nil }
        if bytes[end] == 10 { return end + 1 }
        if end + 1 < bytes.count { return bytes[end + 1] == 10 ? end + 2 : end + 1 }
        return ended ? end + 1 : nil
    }

    static var noMemory: NoMemoryError { NoMemoryError(for: "the head of a table") }

    /// Reads the available bytes, or waits for the first ones.
    mutating func piece() throws { ended = try source.readPiece(onto: &bytes, upTo: bytes.count + TableHead.firstRead) }

    /// The limit on bytes that are read only for advice.
    private static let maxBytesForAdvice = 16 << 20

    /// Reads the rest of a file up to ``maxBytesForAdvice``. Does not read a pipe, because its writer may be slow.
    mutating func readRest() throws {
        guard source.byteCount != nil else { return }
        while !ended && bytes.count < Self.maxBytesForAdvice { try piece() }
    }

    /// Reads until `target` bytes or the wanted records are available. For JSON, one piece suffices.
    mutating func more(
        upTo target: Int, _ dialect: Dialect, _ limits: Limits, _ batch: UnsafeMutablePointer<assay_batch>
    ) throws {
        guard let recordLimit else {
            if !ended { ended = try source.read(onto: &bytes, upTo: target) }
            return findStart()
        }
        defer { findStart() }
        while !ended && end == nil && bytes.count < target {
            let known = bytes.count
            ended = try source.readPiece(onto: &bytes, upTo: target)
            if InputFormat(firstBytes: bytes) == .jsonLines { return }
            // The kind of an archive is determined by later bytes, and line ends have no meaning in an archive.
            if bytes.starts(with: ForeignFormat.zipMagic) {
                self.recordLimit = nil
                return try more(upTo: target, dialect, limits, batch)
            }
            terminators += bytes[known...].count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            findStart()
            guard !ended, hasStart, terminators >= recordLimit, let terminator = firstTerminator(dialect) else {
                continue
            }
            // Comments are not records.
            let limit = dialect.hasLinesBetweenRecords ? .max : recordLimit
            _ = try scan(batch, dialect.cValue(endsAtCR: terminator == .cr), limits, limit: limit)
            let entries = (0..<Int(batch.pointee.record_count)).lazy.filter { [batch] in
                batch.pointee.records[$0].flags & UInt32(ASSAY_RECORD_COMMENT) == 0
            }.prefix(recordLimit)
            guard entries.count == recordLimit, let entry = Array(entries).last else { continue }
            let last = batch.pointee.records[entry]
            if last.flags & UInt32(ASSAY_RECORD_CONTINUED) == 0 { end = start + Int(last.end) }
        }
    }

    /// Returns the first terminator outside quotes, or `nil` if it is not within the bytes. If the delimiter is
    /// unknown, a quote may open after each candidate.
    func firstTerminator(_ dialect: Dialect) -> Terminator? {
        if let endsAtCR = dialect.endsAtCR { return endsAtCR ? .cr : .lf }
        let delimiters = dialect.delimiter == nil ? DelimiterChoice.usual : [dialect.separator]
        // A comment has no quotes.
        let isComment = start < bytes.count && bytes[start] == dialect.commentChar
        let (quote, escape) = isComment ? (nil, nil) : (dialect.quoteChar, dialect.escapeChar)
        var inQuotes = false
        // A quote opens at the start of a field, or directly after a closing quote, because both are then one quote in
        // the text.
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

    /// Finds at most `limit` records and returns the first one. Returns `nil` if it is incomplete.
    func scan(
        _ batch: UnsafeMutablePointer<assay_batch>, _ dialect: assay_dialect, _ limits: Limits, limit: Int
    ) throws(NoMemoryError) -> assay_record? {
        guard hasStart, bytes.count > start else { return nil }
        var dialect = dialect
        var limits = assay_record_limits(
            field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
        let status = bytes.withUnsafeBufferPointer { buffer in
            assay_scan(
                batch, &dialect, &limits, buffer.baseAddress! + start, buffer.count - start,
                UInt32(clamping: limit), ended, false)
        }
        if status != .ASSAY_OK { throw Self.noMemory }
        return batch.pointee.record_count > 0 ? batch.pointee.records[0] : nil
    }
}

/// Counts lines as an editor does.
func countLines(_ bytes: ArraySlice<UInt8>, endsAtCR: Bool) -> Int {
    var lines = 0
    for index in bytes.indices {
        if bytes[index] == 10 { lines += index > bytes.startIndex && bytes[index - 1] == 13 && endsAtCR ? 0 : 1 }
        if endsAtCR && bytes[index] == 13 { lines += 1 }
    }
    return lines
}

extension Dialect {
    func cValue(endsAtCR: Bool) -> assay_dialect {
        assay_dialect(
            delimiter: separator, quote: quoteChar ?? 0, quoting: quoteChar != nil, cr_ends: endsAtCR,
            delimiter2: secondDelimiter ?? 0, escape: escapeChar ?? 0, comment: commentChar ?? 0,
            skip_initial_space: skipInitialSpace, trailing_delimiter: trailingDelimiter, end_mark: false,
            blank_lines: UInt8((blankLines == .reject ? ASSAY_BLANK_RECORDS : ASSAY_BLANK_KEPT).rawValue))
    }
}
