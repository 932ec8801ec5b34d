public import Assay

/// A rule file: what every record of a table must be, and how to read the table. A superset of a Table Schema (v2).
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
    /// How the file separates and quotes its fields.
    public var dialect: Dialect
    /// The limits of a run.
    public var limits: Limits
    /// How the types of values of JSON are judged.
    public var jsonTypes = JSONTypes.strict
    /// How much may be bad before a run has fallen short.
    public var thresholds = Thresholds()
    /// The directory in which relative paths of the file begin; empty: the one where the process works.
    public var directory = ""
    /// The tables that foreign keys refer to, where more is to be said of one than its path: how it is read, or that its name is
    /// not its path, as in a Data Package.
    public var referencedTables: [ReferencedTable] = []
    /// Which files may be opened because foreign keys name them. Not encoded: whoever decodes a rule file decides about it.
    public var policy = RuleFilePolicy.noFiles

    /// A rule file made in code, which may name any file.
    public init(schema: Schema = Schema(), dialect: Dialect = Dialect(), limits: Limits = Limits()) {
        self.schema = schema
        self.dialect = dialect
        self.limits = limits
        policy = .anyFile
    }

    private enum CodingKeys: CodingKey {
        case schema, dialect, limits, jsonTypes, thresholds, directory, referencedTables
    }
}

extension RuleFile {
    /// How the types of values of JSON are judged.
    public enum JSONTypes: String, Hashable, Sendable, Codable, CaseIterable {
        /// By their types in JSON.
        case strict
        /// By their text, as those of CSV are.
        case text
        /// As in JSON Schema: null is a value of its own type, the empty text is missing only where the rules say so, and every whole
        /// number is an integer, also `1.0`.
        case jsonSchema
    }
}

/// A table that foreign keys refer to.
public struct ReferencedTable: Hashable, Sendable, Codable {
    /// What foreign keys call it.
    public var name: String
    /// The paths of its files, relative to the rule file: one, or several that are one table.
    public var paths: [String]
    /// How they separate and quote their fields.
    public var dialect: Dialect

    /// A table that foreign keys refer to.
    ///
    /// - Parameters:
    ///   - name: what foreign keys call it.
    ///   - paths: the paths of its files, relative to the rule file: one, or several that are one table.
    ///   - dialect: how they separate and quote their fields.
    public init(name: String, paths: [String], dialect: Dialect = Dialect()) {
        self.name = name
        self.paths = paths
        self.dialect = dialect
    }
}

extension RuleFile {
    /// How values of JSON tell their types.
    package var jsonTyping: Typing {
        switch jsonTypes {
        case .strict: .jsonStrict
        case .text: .jsonText
        case .jsonSchema: .jsonSchema
        }
    }

    /// The table that a foreign key refers to; `nil`: this one.
    package func table(referredToBy key: ForeignKey) -> ReferencedTable? {
        let resource = key.reference.resource
        if resource.isEmpty { return nil }
        var table = referencedTables.table(named: resource) ?? ReferencedTable(name: resource, paths: [resource])
        table.paths = table.paths.map { path in
            let isWhole = path.begins(withBytesOf: "/") || directory.isEmpty
            return isWhole ? path : directory + (directory.ends(withBytesOf: "/") ? "" : "/") + path
        }
        return table
    }

    /// Where the rules say how that table is read, as in "say so …".
    package func place(ofDialect key: ForeignKey) -> String {
        let resource = key.reference.resource
        let isPath = referencedTables.table(named: resource).map { $0.paths == [resource] } ?? true
        return isPath ? "under 'reference' in the rules" : "in its resource"
    }

    /// Whether messages may show the content of the files of foreign keys, such as the names of their columns.
    package var quotesReferences: Bool { policy == .anyFile || limits.trustsRuleFiles }

    /// The paths of all files that foreign keys refer to.
    package var referencedPaths: [String] { schema.foreignKeys.flatMap { table(referredToBy: $0)?.paths ?? [] } }

    /// Reads a rule file in YAML or JSON. Every pattern, format, bound and value in it is compiled once to see that it
    /// can be.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - name: the name of the file in messages. If it is a path, relative paths in the file begin in its directory.
    ///   - limits: what the file may cost to read, and the limits that its own `limits:` are set over. With
    ///     ``Limits/trustRuleFiles()`` the rules may name any file; otherwise they may name no file, because this is a text: see ``policy``.
    /// - Throws: all mistakes of the file at once, in order of place, each with what to write instead.
    /// - Complexity: O(bytes), plus the compilation of each check. A file may raise the limits of matching as far as
    ///   ``Limits/matchCeiling``.
    public static func parse(
        _ bytes: [UInt8], name: String, limits: Limits = Limits()
    ) throws(RuleFileError) -> RuleFile {
        try read(bytes, name: name, limits: limits).file
    }

    /// Reads a rule file, and leaves what was noted on the way.
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
    /// The one that foreign keys call so.
    func table(named name: String) -> ReferencedTable? {
        first { ByteEqualString($0.name) == ByteEqualString(name) }
    }
}

extension RuleFileError {
    /// A rule file is over its limit.
    ///
    /// - Parameter byteCount: how long it is; `nil`: longer than the limit, and nobody has read to its end.
    package static func tooLong(name: String, byteCount: Int?, limits: Limits) -> RuleFileError {
        let most = Limits.settings.first { $0.name == "rule-file-bytes" }!.range.upperBound
        let length = byteCount.map(String.init) ?? "more than \(limits.ruleFileBytes)"
        let isBeyondHope = (byteCount ?? limits.ruleFileBytes + 1) > most
        let mistake = Mistake(
            range: 0..<0, message: "the file has \(length) bytes; a rule file may have \(limits.ruleFileBytes)",
            suggestion: isBeyondHope
                ? "no rule file may have more than \(most): is it the right file?"
                : "if it is a rule file, the limit 'rule-file-bytes' allows it "
                    + "(--limit rule-file-bytes=\(byteCount.map(String.init) ?? "…"))")
        return RuleFileError(problems: SourceText(name: name, bytes: []).problems([mistake]))
    }
}
