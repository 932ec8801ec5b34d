package import Assay
package import AssayRules
internal import CAssay

/// The records of a table, or the first ones, in memory. ``RuleBench`` checks them repeatedly.
package struct BenchSample {
    let name: String
    let head: TableHead
    let dialect: assay_dialect
    let chunks: [Chunk]
    /// The paths of JSON Lines; `nil` for CSV.
    let paths: JSONPaths?
    package let bytes: Int
    package let records: Int
    package var format: InputFormat { head.format }

    /// - Parameter maxBytes: The number of bytes of the table after which no more records are read.
    /// - Throws: ``InputError`` if the source is not a table or has no records; ``FileError``.
    package init(
        _ source: any Source, rules: RuleFile, format: InputFormat? = nil, formatIsImplied: Bool = false,
        unpacks: Bool = true, maxBytes: Int
    ) throws {
        name = source.name
        let opened = try OpenedInput(
            source, unpacks: unpacks, encoding: rules.dialect.encoding, trustsEncoding: rules.dialect.trustEncoding,
            hasHeader: rules.dialect.header, threads: 1)
        let source = opened.source
        head = try TableHead(
            source, dialect: rules.dialect, limits: rules.limits, format: format, formatIsImplied: formatIsImplied,
            fields: rules.schema.fields.map(\.name), encoding: opened.encoding)
        paths = head.format == .jsonLines ? try JSONPaths.reading(rules.schema, rules.jsonTyping) : nil
        if let list = paths?.lists.first {
            throw InputError(
                "\(printable(name)): bench does not measure rules for elements of lists, such as "
                    + "\(printable(rules.schema.fields[list].name))",
                hint: "leave these fields out of the rules that are measured")
        }
        dialect = head.recordDialect
        let reader = RecordReader(
            source: source, dialect: dialect, limits: paths == nil ? rules.limits : rules.limits.forLines,
            prefix: head.rest, sourceEnded: head.sourceEnded,
            offset: head.prefix.count, lines: head.lines, limit: nil,
            rules: rules.schema.fields.reduce(0) { $0 + $1.rules.count + 2 })
        var (chunks, bytes, records): ([Chunk], Int, Int) = ([], 0, 0)
        while bytes < maxBytes {
            let chunk = try reader.makeChunk()
            guard try reader.next(chunk) else { break }
            bytes += Int(chunk.batch.pointee.consumed)
            records += chunk.recordCount
            chunks.append(chunk)
        }
        if records == 0 {
            throw InputError("\(printable(name)) has no records to measure", hint: "choose a file with data")
        }
        (self.chunks, self.bytes, self.records) = (chunks, bytes, records)
    }

    /// Returns the rules for one engine, bound to the columns.
    package func bind(_ rules: RuleFile, _ engine: Pattern.Engine) throws -> BoundSchema {
        let typing: Typing = paths == nil ? .text : rules.jsonTyping
        let schema = try CompiledSchema(
            rules.schema, engine: engine, maxPatternBytes: rules.limits.patternBytes, typing: typing)
        if let paths { return BoundSchema(schema, fields: paths.plain, hasRows: true) }
        return try BoundSchema(schema, head, source: name)
    }

    /// Passes the slices of a chunk to `body`, each with the rows that are not checked further.
    ///
    /// - Parameter used: See ``Slice/evaluate(_:broken:dialect:used:)``.
    /// - Throws: ``NoMemoryError``.
    func forEachSlice(
        of chunk: Chunk, _ body: (Slice, _ broken: UnsafePointer<UInt64>, _ used: inout UInt32) -> Void
    ) throws(NoMemoryError) {
        let reader: JSONReader?
        if let paths { reader = try JSONReader(paths) } else { reader = nil }
        var used = chunk.freeStart
        let limit = Slice.rowsEach(of: chunk.entries)
        for first in stride(from: 0, to: chunk.entries, by: limit) {
            let rows = min(limit, chunk.entries - first)
            let slice = Slice(chunk, first: first, rows: rows, width: RecordWidth(head), json: reader)
            try slice.withBroken(used: &used) { broken, _, used in body(slice, broken, &used) }
        }
    }
}
