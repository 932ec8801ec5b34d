internal import Assay

/// A Data Package descriptor: the tables of a folder, each with its files, its dialect and its rules.
///
///     datapackage.json ─► resources: [capital, country]
///                           ├─ path, encoding, dialect  ──►  where and how to read it
///                           └─ schema                   ──►  the rules, as in a rule file
///
/// The descriptor of a single Data Resource is a package of one. Source: Data Package (v1 and v2),
/// https://datapackage.org/standard/data-package/. A description: plain data.
package struct DataPackage: Hashable, Sendable {
    /// The tables, in the order of the descriptor.
    package var tables: [DataResource] = []
    /// Resources that are not tables, such as a text or a picture.
    package var otherResources: [Other] = []
    /// The other files that were read: separate schemas and dialects. Relative to the descriptor's folder.
    package var readFiles: [String] = []

    /// A resource that is not a table.
    package struct Other: Hashable, Sendable {
        package var name: String
        /// Its first file.
        package var path: String
    }
}

/// A table of a Data Package.
package struct DataResource: Hashable, Sendable {
    /// The format of the records.
    package enum Format: Hashable, Sendable {
        case csv, jsonLines
    }

    /// The name that references of other resources use.
    package var name: String
    /// The files, relative to the folder of the descriptor. Several are parts of one table.
    package var paths: [String]
    /// The format of the records; `nil` if the descriptor does not name it.
    package var format: Format?
    /// The schema, with the dialect and the encoding of the resource.
    package var rules: RuleFile
    /// Whether there is a schema. Without one, only structure and encoding can be checked.
    package var hasSchema: Bool
    /// The total size of the files in bytes; `nil` if the descriptor does not state it.
    package var byteCount: Int?
    /// The digest of the concatenated files; `nil` if the descriptor does not state it.
    package var hash: FileHash?
}

/// A digest that shows whether a file is the described one. Source: Data Package, `hash`.
package struct FileHash: Hashable, Sendable {
    package enum Algorithm: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha512

        /// The number of hexadecimal digits.
        var digits: Int {
            switch self {
            case .md5: 32
            case .sha1: 40
            case .sha256: 64
            case .sha512: 128
            }
        }
    }

    package var algorithm: Algorithm
    /// In lowercase hexadecimal digits.
    package var digits: String
}

extension DataPackage {
    /// Returns the table that a reference names.
    package func table(named name: String) -> DataResource? {
        tables.first { ByteEqualString($0.name) == ByteEqualString(name) }
    }

    /// Returns the tables that the foreign keys of a table name: their files and dialects.
    ///
    /// - Parameter folder: The folder of the descriptor, as a prefix of paths.
    package func tables(referredToBy table: DataResource, in folder: String) -> [ReferencedTable] {
        table.rules.schema.foreignKeys.compactMap { key in
            guard let other = self.table(named: key.reference.resource) else { return nil }
            var dialect = other.rules.dialect
            if dialect.delimiter == nil { dialect.delimiter = Dialect.delimiter(suggestedBy: other.paths[0]) }
            return ReferencedTable(name: other.name, paths: other.paths.map { folder + $0 }, dialect: dialect)
        }
    }

    /// Reads a descriptor in JSON or YAML, and the schemas and dialects that it names.
    ///
    /// - Parameters:
    ///   - name: The name of the descriptor in messages.
    ///   - limits: The limits on reading; the limits of the schemas override them.
    ///   - file: Reads a file of the package, by its path in the descriptor's folder.
    /// - Throws: All mistakes at once, each with its place. Mistakes in a separate schema have the name of its file.
    package static func parse(
        _ bytes: [UInt8], name: String, limits: Limits = Limits(),
        file: (_ path: String) throws -> (name: String, bytes: [UInt8])
    ) throws(RuleFileError) -> DataPackage {
        if bytes.count > limits.ruleFileBytes { throw .tooLong(name: name, byteCount: bytes.count, limits: limits) }
        let source = SourceText(name: name, bytes: bytes)
        var yaml = YAMLReader(source, depth: limits.depth)
        let root = yaml.read()
        var reader = PackageReader(source: source, limits: limits, mistakes: yaml.mistakes)
        let package = reader.package(root, file: file)
        let problems = source.problems(reader.mistakes) + reader.foreignProblems
        if !problems.isEmpty { throw RuleFileError(problems: problems) }
        return package
    }

    /// Whether a JSON or YAML text is a descriptor: a mapping with a list of `resources` that have a path or data, or a
    /// single resource with further properties.
    package static func isDescriptor(_ bytes: [UInt8]) -> Bool {
        var yaml = YAMLReader(SourceText(name: "", bytes: bytes), depth: Limits().depth)
        guard let root = yaml.read() else { return false }
        if case .sequence(let resources) = root.value(of: "resources")?.content {
            return !resources.isEmpty
                && resources.allSatisfy { $0.value(of: "path") != nil || $0.value(of: "data") != nil }
        }
        return isResource(root)
            && ["schema", "dialect", "profile", "encoding", "format"].contains { root.value(of: $0) != nil }
    }

    /// Whether a descriptor is for a single resource.
    static func isResource(_ root: YAMLNode) -> Bool {
        root.value(of: "resources") == nil && (root.value(of: "path") != nil || root.value(of: "data") != nil)
    }
}

extension YAMLNode {
    /// The value of a key of a mapping.
    func value(of key: String) -> YAMLNode? {
        if case .mapping(let entries) = content { entries.first { $0.key == key }?.value } else { nil }
    }

    /// An element of a list.
    func element(_ index: Int) -> YAMLNode? {
        if case .sequence(let nodes) = content, nodes.indices.contains(index) { nodes[index] } else { nil }
    }
}
