internal import Assay
internal import AssayRules
internal import Synchronization

/// A table with a parsed head and bound columns. Creating it reports all errors that can be found before the first
/// record is read.
///
/// It can be run only once.
package struct PreparedTable: Sendable {
    let cleaner: Cleaner
    /// The files of the table; usually one.
    let parts: [Part]
    let bound: BoundSchema
    /// The rules for JSON Lines; `nil` for CSV.
    let json: JSONTable?
    let run = Once()

    /// One of the files of a table.
    struct Part: Sendable {
        /// The input as given, possibly compressed and encoded.
        let given: any Source
        /// The same input, decompressed and in UTF-8.
        let source: any Source
        /// The compression of the input, or `nil`.
        let compression: Compression?
        /// The original encoding of the text.
        let encoding: TextEncoding
        let head: TableHead
    }

    /// A flag that can be claimed once.
    final class Once: Sendable {
        private let isClaimed = Atomic(false)

        func claim() -> Bool { !isClaimed.exchange(true, ordering: .relaxed) }
    }

    init(_ cleaner: Cleaner, _ sources: [any Source]) throws {
        self.cleaner = cleaner
        let fields = cleaner.rules.schema.fields.map(\.name)
        let options = cleaner.options
        parts = try sources.map { source in
            let opened = try OpenedInput(
                source, unpacks: options.unpacks, encoding: cleaner.rules.dialect.encoding,
                trustsEncoding: cleaner.rules.dialect.trustEncoding, hasHeader: cleaner.rules.dialect.header,
                threads: options.threads ?? processorCount)
            let head = try TableHead(
                opened.source, dialect: cleaner.rules.dialect, limits: cleaner.rules.limits,
                format: options.format, formatIsImplied: options.formatIsImplied, fields: fields, limit: options.head,
                encoding: opened.encoding, firstRead: options.chunkSizes?.readBytes ?? TableHead.firstRead)
            return Part(
                given: source, source: opened.source, compression: opened.compression, encoding: opened.encoding,
                head: head)
        }
        // Compare the files with the first one that has records, because files without records have little to compare.
        lead = parts.firstIndex { $0.head.hasRecords } ?? parts.firstIndex { $0.head.columnCount > 0 } ?? 0
        for (index, part) in parts.enumerated() where index != lead { try parts[lead].expectLike(part) }
        let head = parts[lead].head
        if head.format == .jsonLines {
            let json = try JSONTable(cleaner.rules, cleaner.jsonSchema(), name: parts[0].source.name)
            (bound, self.json) = (json.plain, json)
        } else {
            (bound, json) = (try BoundSchema(cleaner.schema, head, source: parts[lead].source.name), nil)
        }
        for key in cleaner.rules.schema.foreignKeys.indices { try cleaner.references.check(key, of: cleaner) }
    }

    private let lead: Int

    /// The head of the file that the other files are compared with.
    var head: TableHead { parts[lead].head }

    /// The header of the outputs: the head of the first file, with a terminator if other files follow.
    var prefix: [UInt8] {
        let prefix = parts[0].head.prefix
        guard parts.count > 1, head.header != nil, json == nil, let last = prefix.last, last != 10, last != 13 else {
            return prefix
        }
        return prefix + [head.terminator]
    }

    /// The reason to doubt that the table is read as intended, if the user did not describe its columns.
    package var doubt: HeadDoubt? { head.doubt }

    /// The compression of the first file, or `nil`.
    package var compression: Compression? { parts[0].compression }

    /// The encoding of the files. `nil` if they have different encodings.
    package var encoding: TextEncoding? {
        parts.allSatisfy { $0.encoding.name == parts[0].encoding.name } ? parts[0].encoding : nil
    }

    /// The format of the records.
    package var format: InputFormat { head.format }

    /// The names of the columns. `nil` for a table without a header.
    package var header: [String]? { head.header }
}

extension PreparedTable.Part {
    /// Refuses a file that cannot be a part of the same table.
    fileprivate func expectLike(_ other: PreparedTable.Part) throws(InputError) {
        let (first, second) = (printable(source.name), printable(other.source.name))
        func refuse(_ difference: String, _ override: InputError.Override? = nil, unquoted: String? = nil)
            throws(InputError)
        {
            var error = InputError(
                "\(first) and \(second) are not one table: \(difference)",
                hint: "without --as-one each file has outputs of its own", override: override)
            error.unquoted = unquoted.map {
                InputError.Unquoted(message: "\(first) and \(second) are not one table: \($0)", hint: error.hint)
            }
            throw error
        }
        if head.format != other.head.format {
            try refuse("one is CSV, the other JSON Lines", .format)
        }
        if head.format == .jsonLines || other.head.columnCount == 0 { return }
        let (one, two) = (head.dialect.spelledSeparator, other.head.dialect.spelledSeparator)
        if one != two {
            try refuse("the delimiters are '\(one)' and '\(two)'", .delimiter)
        }
        if head.endsAtCR != other.head.endsAtCR && head.hasRecords && other.head.hasRecords {
            try refuse("a bare CR ends the records of only one file", .lineTerminator)
        }
        guard let names = head.header, let others = other.head.header else {
            let (count, counts) = (head.columnCount, other.head.columnCount)
            if count != counts && count > 0 && counts > 0 { try refuse("they have \(count) and \(counts) columns") }
            return
        }
        if names.count != others.count { try refuse("their headers have \(names.count) and \(others.count) columns") }
        for (index, pair) in zip(names, others).enumerated() where ByteEqualString(pair.0) != ByteEqualString(pair.1) {
            try refuse(
                "column \(index + 1) is '\(printable(pair.0))' in one and '\(printable(pair.1))' in the other",
                unquoted: "column \(index + 1) has another name in the other")
        }
    }
}

extension BoundSchema {
    /// Binds the fields to the columns of a table: by name, or by position if it has no header.
    ///
    /// - Throws: ``InputError`` that names missing or unexpected columns, or suggests another delimiter.
    convenience init(_ schema: CompiledSchema, _ head: TableHead, source: String) throws {
        do {
            if let header = head.header {
                try self.init(schema, header: header)
            } else {
                // A table without records has no wrong number of fields.
                let isEmpty = head.columnCount == 0
                try self.init(schema, columnCount: isEmpty ? schema.fieldCount : head.columnCount)
            }
        } catch {
            throw head.binding(error, source: source)
        }
    }
}
