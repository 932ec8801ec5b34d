internal import Assay
internal import AssayRules
internal import CAssay

/// Finds the header of a CSV table, or the number of columns if it has no header.
struct HeaderScan {
    /// The name of the source in messages.
    let source: String
    let dialect: Dialect
    let endsAtCR: Bool
    let limits: Limits
    let encoding: TextEncoding
    /// Receives the first records.
    let batch: UnsafeMutablePointer<assay_batch>

    /// The header of a table.
    struct Header {
        /// The names of the columns. `nil` if the dialect has no header.
        let names: [String]?
        /// 0 if there are no records.
        let columnCount: Int
        /// The offset of the first record below the header.
        let end: Int
    }

    /// Reads as far as necessary.
    ///
    /// - Parameters:
    ///   - sample: The first bytes of the file, to guess its encoding.
    ///   - fields: The names that a header should have, for advice; empty allows any names.
    ///   - emptyHint: The hint for an empty source. The default suggests reading it without a header.
    /// - Throws: ``InputError``; ``FileError``.
    func header(
        in read: inout HeadBytes, sample: [UInt8], fields: [String], emptyHint: String?
    ) throws -> Header {
        let cDialect = dialect.cValue(endsAtCR: endsAtCR)
        try readFirstRecords(&read, cDialect)
        let (bytes, firstLine) = (read.bytes, read.firstLine)
        let search = ReadingSearch(
            bytes: bytes.dropFirst(firstLine).prefix(TableHead.firstRead),
            isAll: read.ended && bytes.count - firstLine <= TableHead.firstRead, dialect: dialect, endsAtCR: endsAtCR,
            limits: limits, fields: fields, isUTF8: encoding.isUTF8, batch: batch)
        if !dialect.header {
            let count = try columnCount(bytes[read.start...], cDialect, search)
            try checkColumns(count)
            return Header(names: nil, columnCount: count, end: read.start)
        }
        let rows = try headerRows(emptyHint: emptyHint)
        let place = HeaderPlace(
            bytes: Array(bytes[read.start..<read.start + Int(batch.pointee.records[rows.last].end)]),
            linesBefore: countLines(bytes[..<read.start], endsAtCR: endsAtCR),
            sample: BinaryContent(firstBytes: sample[...]) == nil ? sample : [])
        var names: [String]
        do {
            names = try self.names(rows.named, place, cDialect)
        } catch var error as InputError {
            error.remedy = search.remedy ?? error.remedy
            throw error
        }
        if dialect.trailingDelimiter && names.count > 1 && names.last == "" { names.removeLast() }
        try checkColumns(names.count)
        return Header(names: names, columnCount: names.count, end: read.start + place.bytes.count)
    }

    /// Returns the number of fields of the first well-formed record.
    ///
    /// - Parameter bytes: The bytes from the first record on.
    private func columnCount(
        _ bytes: ArraySlice<UInt8>, _ cDialect: assay_dialect, _ search: ReadingSearch
    ) throws(InputError) -> Int {
        if batch.pointee.record_count == batch.pointee.comment_count { return 0 }
        if let count = fieldCount(cDialect, bytes) ?? fieldCount(cDialect, nil) { return count }
        throw InputError(
            "\(printable(source)): the first \(batch.pointee.record_count) records are all malformed",
            remedy: search.remedy)
    }

    /// Returns the entries of the batch that have names, and the last entry of the header.
    private func headerRows(emptyHint: String?) throws(InputError) -> (named: [Int], last: Int) {
        let entries = (0..<Int(batch.pointee.record_count)).filter {
            batch.pointee.records[$0].flags & UInt32(ASSAY_RECORD_COMMENT) == 0
        }
        let count = dialect.headerRowCount
        guard entries.count >= count, let last = entries.prefix(count).last else {
            throw InputError(
                "\(printable(source)) is empty\(dialect.skip > 0 ? " behind the lines that are skipped" : ""): "
                    + "a header was expected", hint: emptyHint,
                remedy: emptyHint == nil && dialect.skip == 0 ? .noHeader : nil)
        }
        return (dialect.headerRows.map { entries[$0 - 1] }, last)
    }

    /// Reads until the batch contains the header, or without a header the first record that determines the number of
    /// columns.
    private func readFirstRecords(_ read: inout HeadBytes, _ cDialect: assay_dialect) throws {
        let headerRows = dialect.headerRowCount
        let limit = dialect.header && !dialect.hasLinesBetweenRecords ? headerRows : Int.max
        while true {
            let first = try read.scan(batch, cDialect, limits, limit: limit)
            // A broken header is reported as an error. Without a header, a broken record does not determine the number
            // of columns.
            let entries = Int(batch.pointee.record_count) - Int(batch.pointee.comment_count)
            let isTooLong = read.bytes.count > limits.recordBytes
            if dialect.header
                ? entries >= headerRows
                : isTooLong
                    ? first != nil : fieldCount(cDialect, read.bytes[read.start...]) != nil
            {
                return
            }
            if read.ended { return }
            if read.bytes.count > 2 * limits.recordBytes {
                if first != nil { return }
                if !read.hasStart { break }
            }
            // The wanted records do not determine the number of columns.
            read.recordLimit = nil
            try read.more(upTo: read.bytes.count * 2, dialect, limits, batch)
        }
        throw InputError(
            "\(printable(source)): a line above the table is longer than \(limits.recordBytes) bytes",
            hint: "is this a table with one record on each line?", remedy: .limit("record-bytes", read.bytes.count))
    }

    private func checkColumns(_ count: Int) throws(InputError) {
        if count > limits.columns {
            throw InputError(
                "\(printable(source)) has \(count) columns, more than the limit of \(limits.columns)",
                remedy: .limit("columns", count))
        }
    }

    /// Returns the number of fields of the first well-formed record.
    ///
    /// - Parameter bytes: The bytes from the first record on, to skip blank lines; `nil` counts blank lines.
    private func fieldCount(_ cDialect: assay_dialect, _ bytes: ArraySlice<UInt8>?) -> Int? {
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
        let bytes: [UInt8]
        let linesBefore: Int
        /// The first bytes of the file, used to guess its encoding.
        let sample: [UInt8]
    }

    /// Returns the names of the columns, from one record or joined from several.
    private func names(_ rows: [Int], _ place: HeaderPlace, _ cDialect: assay_dialect) throws -> [String] {
        let padded = place.bytes + [UInt8](repeating: 0, count: place.bytes.count)
        var parts: [[String]] = []
        for row in rows {
            let record = batch.pointee.records[row]
            try checkRow(record, place)
            parts.append(SampleRecords.texts(ofEntry: row, batch, cDialect, padded, count: place.bytes.count))
        }
        if parts.count == 1 { return parts[0] }
        return (0..<(parts.map(\.count).max() ?? 0)).map { column in
            parts.compactMap { $0.indices.contains(column) ? $0[column] : nil }.filter { !$0.isEmpty }
                .joined(separator: dialect.headerJoin)
        }
    }

    /// Throws if a record of the header cannot be read.
    private func checkRow(_ record: assay_record, _ place: HeaderPlace) throws(InputError) {
        let bytes = Array(place.bytes[Int(record.start)..<Int(record.end)])
        let line = place.linesBefore + countLines(place.bytes[..<Int(record.start)], endsAtCR: endsAtCR) + 1
        let location = "\(printable(source)):\(line)"
        if record.flags & UInt32(ASSAY_RECORD_TOO_LONG) != 0 {
            let isField = bytes.count <= limits.recordBytes
            let (name, limit) = isField ? ("field-bytes", limits.fieldBytes) : ("record-bytes", limits.recordBytes)
            throw InputError(
                "\(location): the header " + FindingText.tooLong(over: limit, limit: name, inField: isField),
                hint: "is this a table with one record on each line?")
        }
        if record.flags != 0 {
            throw InputError("\(location): the header has a quote that is never closed, or text after a closing quote")
        }
        if String(validating: bytes, as: UTF8.self) != nil { return }
        if encoding.isUTF8 {
            // The recommended encoding must be able to decode the header.
            let guess = [bytes, place.sample].lazy.compactMap { EncodingGuess($0)?.name }.first {
                EncodingGuess.decodes(bytes, from: $0)
            }
            throw InputError(
                "\(location): the header is not UTF-8",
                hint: guess == nil ? "no other encoding is certain" : nil,
                remedy: guess.map { .read(with: [[.encoding($0)]]) }, override: guess == nil ? .encoding : nil)
        }
        let windows = WindowsPage(of: encoding.name).flatMap { page in
            bytes.withUnsafeBufferPointer { page.hasCharacters(forEscapedIn: $0) } ? page.name : nil
        }
        throw InputError(
            "\(location): the header is not valid \(encoding.name)",
            hint: windows == nil ? "is it in another encoding?" : nil,
            remedy: windows.map { .read(with: [[.encoding($0)]]) })
    }
}

extension Dialect {
    /// The number of records from the first one to the last one that has names.
    var headerRowCount: Int { header ? headerRows.last ?? 1 : 0 }
}
