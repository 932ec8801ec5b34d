internal import Assay
internal import AssayRules
internal import Synchronization

/// A table whose head has been read and whose columns have been found: all that can be known to be wrong before the first
/// record is read.
///
/// It is run once.
package struct PreparedTable: Sendable {
    let cleaner: Cleaner
    let source: any Source
    /// How the source was packed; `nil`: it was not.
    package let compression: Compression?
    /// The encoding that the table was in.
    package let encoding: TextEncoding
    let head: TableHead
    let bound: BoundSchema
    /// Of JSON Lines: the rules for them.
    let json: JSONTable?
    let run = Once()

    /// Says once that it has not been claimed.
    final class Once: Sendable {
        private let isClaimed = Atomic(false)

        func claim() -> Bool { !isClaimed.exchange(true, ordering: .relaxed) }
    }

    init(_ cleaner: Cleaner, _ source: any Source) throws {
        self.cleaner = cleaner
        let options = cleaner.options
        let opened = try OpenedInput(
            source, unpacks: options.unpacks, encoding: cleaner.rules.dialect.encoding,
            threads: options.threads ?? processorCount)
        self.source = opened.source
        compression = opened.compression
        encoding = opened.encoding
        head = try TableHead(
            opened.source, dialect: cleaner.rules.dialect, limits: cleaner.rules.limits,
            format: options.format ?? InputFormat(path: source.name).flatMap { $0 == .jsonLines ? $0 : nil },
            fields: cleaner.rules.schema.fields.map(\.name), most: options.head)
        if head.format == .jsonLines {
            let json = try JSONTable(cleaner.rules, cleaner.jsonSchema())
            (bound, self.json) = (json.plain, json)
        } else {
            (bound, json) = (try BoundSchema(cleaner.schema, head, source: source.name), nil)
        }
    }

    /// The names of the columns; `nil` for a table without a header.
    package var header: [String]? { head.header }
}

extension BoundSchema {
    /// Finds the fields in a table: by name, or by position where it has no header.
    ///
    /// - Throws: ``InputError``, which says which columns are missing or too many, or that it looks like another delimiter.
    convenience init(_ schema: CompiledSchema, _ head: TableHead, source: String) throws {
        do {
            if let header = head.header {
                try self.init(schema, header: header)
            } else {
                // No record at all has no wrong number of fields.
                let isEmpty = head.columnCount == 0
                try self.init(schema, columnCount: isEmpty ? schema.fieldCount : head.columnCount)
            }
        } catch {
            if let doubt = head.delimiterDoubt { throw doubt }
            var problem = InputError(error, source: source)
            if let lines = head.linesAboveHeader { problem.remedy = .skip(lines) }
            throw problem
        }
    }
}
