internal import Assay

/// A Data Package descriptor: the tables of a folder, each with its files, its dialect and its rules.
///
///     datapackage.json ─► resources: [capital, country]
///                           ├─ path, encoding, dialect  ──►  where and how to read it
///                           └─ schema                   ──►  the rules, as in a rule file
///
/// The descriptor of a single Data Resource is a package of one. Source: Data Package (v1 and v2), https://datapackage.org/standard/data-package/. A description: plain data.
package struct DataPackage: Hashable, Sendable {
    /// The tables, in the order of the descriptor.
    package var tables: [DataResource] = []
    /// Resources that are no tables, such as a text or a picture.
    package var others: [Other] = []
    /// The files that were read besides the descriptor: schemas and dialects that stand alone. Relative to its folder.
    package var readFiles: [String] = []

    /// A resource that is no table.
    package struct Other: Hashable, Sendable {
        package var name: String
        /// Its file, or the first of them.
        package var path: String
    }
}

/// A table of a Data Package.
package struct DataResource: Hashable, Sendable {
    /// How the records stand in the files.
    package enum Format: Hashable, Sendable {
        case csv, jsonLines
    }

    /// The name that references of other resources use.
    package var name: String
    /// The files, relative to the folder of the descriptor. Several are parts of one table.
    package var paths: [String]
    /// How the records stand in them; `nil`: nobody has said.
    package var format: Format?
    /// The schema, with the dialect and the encoding of the resource.
    package var rules: RuleFile
    /// Whether there is a schema; without one only structure and encoding can be judged.
    package var hasSchema: Bool
    /// How many bytes the files have, all together; `nil`: nobody has said.
    package var byteCount: Int?
    /// What their bytes come to, one file after another; `nil`: nobody has said.
    package var hash: FileHash?
}

/// A digest that tells whether a file is the one that somebody described. Source: Data Package, `hash`.
package struct FileHash: Hashable, Sendable {
    package enum Algorithm: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha512

        /// How many hexadecimal digits it gives.
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
    /// In small hexadecimal digits.
    package var digits: String
}

extension DataPackage {
    /// The table that a reference names.
    package func table(named name: String) -> DataResource? {
        tables.first { ByteEqualString($0.name) == ByteEqualString(name) }
    }

    /// The tables that the foreign keys of one of the tables name: their files, and how these are read.
    ///
    /// - Parameter folder: the folder of the descriptor, as the beginning of paths.
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
    ///   - name: the name of the descriptor in messages.
    ///   - limits: what it may cost to read; the limits of the schemas are set over them.
    ///   - file: reads a file of the package, by its path in the folder of the descriptor.
    /// - Throws: all mistakes at once, each with its place; those of a schema in a file of its own with that file's name.
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

    /// Whether a JSON or YAML text is a descriptor: a mapping with a list of `resources` that have a path or data, or one such
    /// resource that says more of itself.
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

    /// Whether a descriptor is that of a single resource.
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
