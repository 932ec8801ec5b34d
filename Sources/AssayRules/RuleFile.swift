public import Assay

/// A rule file: the rules for every record of a table, and how to read the table. A superset of a Table Schema (v2).
///
///     fields:
///       - name: email
///         format: email
///         constraints: {required: true, maxLength: 254}
///         rules:
///           - {pattern: '.+@example\.org', options: [caseInsensitive], severity: warn}
///
/// A description: plain data. ``parse(_:name:limits:)`` makes one from YAML or JSON, ``json()`` writes it back.
public struct RuleFile: Hashable, Sendable, Codable {
    /// The fields and their rules.
    public var schema: Schema
    /// The dialect of the table.
    public var dialect: Dialect
    /// The limits of a run.
    public var limits: Limits
    /// The treatment of types in JSON values.
    public var jsonTypes = JSONTypes.strict
    /// The limits on bad data. A run that exceeds one fails.
    public var thresholds = Thresholds()
    /// The rules on the whole table. A run that violates one fails.
    public var tableRules: [TableRule] = []
    /// The directory that relative paths of the file start from. Empty for the working directory.
    public var directory = ""
    /// The tables that foreign keys refer to and that need more than a path: a dialect, or a name that is not the path,
    /// as in a Data Package.
    public var referencedTables: [ReferencedTable] = []
    /// The files that foreign keys may open. Not encoded, because the decoding program must decide about it.
    public var policy = RuleFilePolicy.noFiles

    /// Creates a rule file in code, which may name any file.
    public init(schema: Schema = Schema(), dialect: Dialect = Dialect(), limits: Limits = Limits()) {
        self.schema = schema
        self.dialect = dialect
        self.limits = limits
        policy = .anyFile
    }

    private enum CodingKeys: CodingKey {
        case schema, dialect, limits, jsonTypes, thresholds, tableRules, directory, referencedTables
    }
}

extension RuleFile {
    /// The treatment of types in JSON values.
    public typealias JSONTypes = Schema.JSONTypes

    /// Compiles the fields and row rules for single bodies of JSON, with the types and limits of the file.
    ///
    /// - Throws: ``CompileError``, as ``Schema/compiled(types:limits:maxBytes:)``.
    public func compiled() throws(CompileError) -> Schema.Compiled {
        try schema.compiled(types: jsonTypes, limits: limits.match, maxBytes: limits.recordBytes)
    }
}

/// A table that foreign keys refer to.
public struct ReferencedTable: Hashable, Sendable, Codable {
    /// The name that foreign keys use.
    public var name: String
    /// The paths of its files, relative to the rule file. Several files form one table.
    public var paths: [String]
    /// The dialect of the files.
    public var dialect: Dialect

    /// Creates a table that foreign keys refer to.
    ///
    /// - Parameters:
    ///   - name: The name that foreign keys use.
    ///   - paths: The paths of its files, relative to the rule file. Several files form one table.
    ///   - dialect: The dialect of the files.
    public init(name: String, paths: [String], dialect: Dialect = Dialect()) {
        self.name = name
        self.paths = paths
        self.dialect = dialect
    }
}

extension RuleFile {
    /// The typing of JSON values.
    package var jsonTyping: Typing { jsonTypes.typing }

    /// Returns the table that a foreign key refers to, or `nil` for its own table.
    package func table(referredToBy key: ForeignKey) -> ReferencedTable? {
        let resource = key.reference.resource
        if resource.isEmpty { return nil }
        var table = referencedTables.table(named: resource) ?? ReferencedTable(name: resource, paths: [resource])
        table.paths = table.paths.map { path in
            let isAbsolute = path.begins(withBytesOf: "/") || directory.isEmpty
            return isAbsolute ? path : directory + (directory.ends(withBytesOf: "/") ? "" : "/") + path
        }
        return table
    }

    /// Returns the place of the table's dialect in the rules, as in "say so …".
    package func place(ofDialect key: ForeignKey) -> String {
        let resource = key.reference.resource
        let isPath = referencedTables.table(named: resource).map { $0.paths == [resource] } ?? true
        return isPath ? "under 'reference' in the rules" : "in its resource"
    }

    /// Whether messages may show content of foreign keys' files, such as column names.
    package var quotesReferences: Bool { policy == .anyFile || limits.trustsRuleFiles }

    /// The paths of all files that foreign keys refer to.
    package var referencedPaths: [String] { schema.foreignKeys.flatMap { table(referredToBy: $0)?.paths ?? [] } }

    /// Reads a rule file in YAML or JSON. Compiles every pattern, format, bound and value once to verify it.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - name: The name of the file in messages. If it is a path, relative paths in the file start from its
    ///     directory.
    ///   - limits: The limits on reading the file, which its own `limits:` override. With ``Limits/trustRuleFiles()``
    ///     the rules may name any file; otherwise they may name no file, because the input is a text: see ``policy``.
    /// - Throws: All mistakes of the file at once, in order of place, each with a suggestion.
    /// - Complexity: O(bytes), plus the compilation of each check. A file may raise the limits of matching up to
    ///   ``Limits/matchCeiling``.
    public static func parse(
        _ bytes: [UInt8], name: String, limits: Limits = Limits()
    ) throws(RuleFileError) -> RuleFile {
        try read(bytes, name: name, limits: limits).file
    }

    /// Reads a rule file, and returns the reader with its notes.
    static func read(
        _ bytes: [UInt8], name: String, limits: Limits
    ) throws(RuleFileError) -> (file: RuleFile, reader: RuleReader) {
        if bytes.count > limits.ruleFileBytes { throw .tooLong(name: name, byteCount: bytes.count, limits: limits) }
        let source = SourceText(name: name, bytes: bytes)
        var yaml = YAMLReader(source, depth: limits.depth)
        let root = yaml.read()
        var reader = RuleReader(source: source, limits: limits, mistakes: yaml.mistakes)
        let file = reader.ruleFile(root)
        if !reader.mistakes.isEmpty { throw RuleFileError(problems: source.problems(reader.mistakes)) }
        guard var file else { preconditionFailure("a rule file without mistakes gives rules") }
        if let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) {
            file.directory = String(name[..<name.utf8.index(after: slash)])
        }
        file.policy = limits.trustsRuleFiles ? .anyFile : .noFiles
        return (file, reader)
    }
}

extension [ReferencedTable] {
    /// Returns the table with the name that foreign keys use.
    func table(named name: String) -> ReferencedTable? {
        first { ByteEqualString($0.name) == ByteEqualString(name) }
    }
}

extension RuleFileError {
    /// Creates the error for a rule file above the size limit.
    ///
    /// - Parameter byteCount: The size; `nil` if the file was not read to its end because it is larger than the limit.
    package static func tooLong(name: String, byteCount: Int?, limits: Limits) -> RuleFileError {
        let limit = Limits.settings.first { $0.name == "rule-file-bytes" }!.range.upperBound
        let length = byteCount.map(String.init) ?? "more than \(limits.ruleFileBytes)"
        let isBeyondHope = (byteCount ?? limits.ruleFileBytes + 1) > limit
        var mistake = Mistake(
            range: 0..<0, message: "the file has \(length) bytes; a rule file may have \(limits.ruleFileBytes)")
        if isBeyondHope {
            mistake.suggestion = "no rule file may have more than \(limit): is it the right file?"
        } else {
            mistake.remedy = .raise("rule-file-bytes", to: byteCount)
        }
        return RuleFileError(problems: SourceText(name: name, bytes: []).problems([mistake]))
    }
}
