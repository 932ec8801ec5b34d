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
    /// What speaks for another delimiter: a header of one column that holds one. It matters where nobody has said which
    /// delimiter it is, or where the columns of the rules are not found.
    let delimiterDoubt: InputError?

    /// How much is read at first. Where that is not enough, it is doubled.
    static let firstRead = 64 << 10

    /// Reads as much of a source as it takes.
    ///
    /// What it guesses, it guesses from the first 64 KiB, or from the bytes up to the end of the records that are wanted, if
    /// these are fewer. It waits for no more than those, and how a pipe cuts them up makes no difference.
    ///
    /// - Parameters:
    ///   - wanted: how many records will be read, the header not counted; `nil`: all.
    ///   - guessesDelimiter: whether a header that looks as if it had another delimiter is refused.
    ///   - emptyHint: what to do where there is nothing at all, if not to read it without a header.
    /// - Throws: ``InputError`` for what is no such table at all, with what to do instead; ``FileError``.
    package init(
        _ source: any Source, dialect: Dialect, limits: Limits, guessesDelimiter: Bool, most wanted: Int? = nil,
        emptyHint: String? = nil
    ) throws {
        let batch = assay_batch_create()
        defer { assay_batch_free(batch) }
        guard let batch else { throw HeadBytes.noMemory }

        let records = wanted.map { max(1, $0 + (dialect.header ? 1 : 0)) }
        var read = HeadBytes(source, wanted: records)
        try read.more(upTo: Self.firstRead, dialect, limits, batch)
        try InputError.refuseForeign(
            Array(read.looked(atMost: Self.firstRead)), name: source.name, hasHeader: dialect.header)

        // The first terminator decides for the whole file, and may be far away.
        var terminator = read.firstTerminator(dialect)
        while terminator == nil && !read.ended && read.bytes.count <= limits.recordBytes {
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
            terminator = read.firstTerminator(dialect)
        }
        endsAtCR = terminator == .cr

        let most = dialect.header ? 1 : Int.max
        var first = try read.scan(batch, dialect.cValue(endsAtCR: endsAtCR), limits, most: most)
        // A broken record is no header, but says so; without a header it says nothing about the others.
        func isEnough() -> Bool {
            if dialect.header || read.bytes.count > limits.recordBytes { return first != nil }
            return Self.fieldCount(batch) != nil
        }
        while !read.ended && !isEnough() {
            // The records that are wanted do not tell how many columns there are.
            read.wanted = nil
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
            first = try read.scan(batch, dialect.cValue(endsAtCR: endsAtCR), limits, most: most)
        }
        let (bytes, mark) = (read.bytes, read.markCount)
        sourceEnded = read.ended
        if first == nil {
            columnCount = 0
        } else if let count = Self.fieldCount(batch, isHeader: dialect.header) {
            columnCount = count
        } else {
            throw InputError(
                "\(printable(source.name)): none of the first \(batch.pointee.record_count) records is well-formed",
                remedy: .noQuotes)
        }

        if columnCount > limits.columns {
            throw InputError(
                "\(printable(source.name)) has \(columnCount) columns, more than the limit of \(limits.columns)",
                remedy: .limit("columns", columnCount))
        }
        guard dialect.header else {
            header = nil
            delimiterDoubt = nil
            prefix = Array(bytes[..<mark])
            rest = Array(bytes[mark...])
            lines = 0
            return
        }
        guard let first else {
            throw InputError(
                "\(printable(source.name)) is empty: a header was expected", hint: emptyHint,
                remedy: emptyHint == nil ? .noHeader : nil)
        }
        let end = mark + Int(first.end)
        let record = Array(bytes[mark..<end])
        let names = try Self.names(record, first, batch, dialect: dialect, limits: limits, source: source.name)
        delimiterDoubt = Self.delimiterDoubt(names, dialect: dialect, name: source.name)
        if guessesDelimiter, let delimiterDoubt { throw delimiterDoubt }
        header = names
        prefix = Array(bytes[..<end])
        rest = Array(bytes[end...])
        lines = Int(batch.pointee.lines)
    }

    /// How many fields the header has, or else the first record that can be read as one.
    private static func fieldCount(_ batch: UnsafeMutablePointer<assay_batch>, isHeader: Bool = false) -> Int? {
        guard let records = batch.pointee.records else { return nil }
        for entry in 0..<Int(batch.pointee.record_count) where isHeader || records[entry].flags == 0 {
            return Int(records[entry + 1].first_field - records[entry].first_field)
        }
        return nil
    }

    private static func names(
        _ record: [UInt8], _ first: assay_record, _ batch: UnsafeMutablePointer<assay_batch>, dialect: Dialect,
        limits: Limits, source: String
    ) throws -> [String] {
        let where_ = printable(source) + ":1"
        if first.flags & UInt32(ASSAY_RECORD_TOO_LONG) != 0 {
            let isField = record.count <= limits.recordBytes
            let (name, limit) = isField ? ("field-bytes", limits.fieldBytes) : ("record-bytes", limits.recordBytes)
            throw InputError(
                "\(where_): the header " + FindingText.tooLong(over: limit, limit: name, inField: isField),
                hint: "is this a table with one record on each line?")
        }
        if first.flags != 0 {
            throw InputError(
                "\(where_): the header has a quote that is never closed, or text after a closing quote",
                remedy: .noQuotes)
        }
        guard String(validating: record, as: UTF8.self) != nil else {
            throw InputError(
                "\(where_): the header is not UTF-8",
                remedy: .convert(.otherEncoding))
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

    private static func delimiterDoubt(_ names: [String], dialect: Dialect, name: String) -> InputError? {
        guard names.count == 1, let only = names.first else { return nil }
        for other in [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"), UInt8(ascii: ",")]
        where only.utf8.contains(other) && other != dialect.separator {
            let (seen, used) = (Self.spelled(other), Self.spelled(dialect.separator))
            return InputError(
                "\(printable(name)):1: the header is a single column when read with \(used), but it contains \(seen)",
                remedy: .delimiter(other))
        }
        return nil
    }

    /// A delimiter as messages name it.
    private static func spelled(_ delimiter: UInt8) -> String {
        delimiter == UInt8(ascii: "\t") ? "tab" : "'" + printable(String(UnicodeScalar(delimiter))) + "'"
    }
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

    init(_ source: any Source, wanted: Int?) {
        self.source = source
        self.wanted = wanted
    }

    /// The bytes that may be looked at for a guess.
    func looked(atMost most: Int) -> ArraySlice<UInt8> { bytes[..<min(most, end ?? bytes.count)] }

    /// How many bytes the byte order mark has.
    var markCount: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    static var noMemory: NoMemoryError { NoMemoryError(for: "the head of a table") }

    /// Reads on until there are so many bytes, or the records that are wanted.
    mutating func more(
        upTo target: Int, _ dialect: Dialect, _ limits: Limits, _ batch: UnsafeMutablePointer<assay_batch>
    ) throws {
        guard let wanted else {
            if !ended { ended = try source.read(onto: &bytes, upTo: target) }
            return
        }
        while !ended && end == nil && bytes.count < target {
            let known = bytes.count
            ended = try source.readPiece(onto: &bytes, upTo: target)
            // Which kind of archive it is stands further on, and line ends mean nothing in one.
            if bytes.starts(with: ForeignFormat.zipMagic) {
                self.wanted = nil
                return try more(upTo: target, dialect, limits, batch)
            }
            terminators += bytes[known...].count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            guard !ended, terminators >= wanted, let terminator = firstTerminator(dialect) else { continue }
            _ = try scan(batch, dialect.cValue(endsAtCR: terminator == .cr), limits, most: wanted)
            guard Int(batch.pointee.record_count) == wanted else { continue }
            let last = batch.pointee.records[wanted - 1]
            if last.flags & UInt32(ASSAY_RECORD_CONTINUED) == 0 { end = markCount + Int(last.end) }
        }
    }

    /// The first terminator outside quotes; `nil` when it is not among these bytes.
    func firstTerminator(_ dialect: Dialect) -> Terminator? {
        var inQuotes = false
        // Where a quote opens: at the start of a field, or right after one that closed, since then both are one in the text.
        var mayOpen = true
        for index in markCount..<bytes.count {
            let byte = bytes[index]
            if inQuotes {
                inQuotes = byte != dialect.quoteChar
                mayOpen = !inQuotes
            } else if byte == dialect.quoteChar && mayOpen {
                inQuotes = true
            } else if byte == UInt8(ascii: "\n") {
                return .lf
            } else if byte == UInt8(ascii: "\r") {
                guard index + 1 < bytes.count else { return ended ? .cr : nil }
                return bytes[index + 1] == UInt8(ascii: "\n") ? .lf : .cr
            } else {
                mayOpen = byte == dialect.separator
            }
        }
        return nil
    }

    /// Finds records, so many at most, and gives the first; `nil`: it is not all there.
    func scan(
        _ batch: UnsafeMutablePointer<assay_batch>, _ dialect: assay_dialect, _ limits: Limits, most: Int
    ) throws(NoMemoryError) -> assay_record? {
        guard bytes.count > markCount else { return nil }
        var dialect = dialect
        var limits = assay_record_limits(
            field_bytes: UInt32(limits.fieldBytes), record_bytes: UInt32(limits.recordBytes))
        let status = bytes.withUnsafeBufferPointer { buffer in
            assay_scan(
                batch, &dialect, &limits, buffer.baseAddress! + markCount, buffer.count - markCount,
                UInt32(clamping: most), ended, false)
        }
        if status != .ASSAY_OK { throw Self.noMemory }
        return batch.pointee.record_count > 0 ? batch.pointee.records[0] : nil
    }
}

extension Dialect {
    func cValue(endsAtCR: Bool) -> assay_dialect {
        assay_dialect(delimiter: separator, quote: quoteChar ?? 0, quoting: quoteChar != nil, cr_ends: endsAtCR)
    }
}
