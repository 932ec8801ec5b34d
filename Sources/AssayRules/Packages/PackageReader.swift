internal import Assay

/// Turns the tree of a Data Package descriptor into tables, and records every mistake.
struct PackageReader {
    let source: SourceText
    private var reader: RuleReader
    /// Mistakes in files that the descriptor names.
    private(set) var foreignProblems: [RuleProblem] = []
    private var package = DataPackage()
    private var names: [ByteEqualString: Range<Int>] = [:]
    /// The schema of each table that has been read.
    private var schemas: [YAMLNode?] = []

    init(source: SourceText, limits: Limits, mistakes: [Mistake]) {
        self.source = source
        reader = RuleReader(source: source, limits: limits, mistakes: mistakes)
    }

    var mistakes: [Mistake] { reader.mistakes }

    /// Reads a file of the package.
    typealias ReadFile = (_ path: String) throws -> (name: String, bytes: [UInt8])

    private static let smallest = """
        a small descriptor looks like this:
        {"resources": [{"name": "users", "path": "users.csv", "schema": {"fields": [{"name": "email"}]}}]}
        """

    mutating func package(_ root: YAMLNode?, file: ReadFile) -> DataPackage {
        guard let root, !root.isNull else {
            if mistakes.isEmpty { reader.complain(at: 0..<0, "the descriptor is empty", Self.smallest) }
            return package
        }
        if DataPackage.isResource(root) {
            resource(root, isTabular: true, file)
            checkReferences()
            return package
        }
        guard
            let entries = reader.openEntries(root, "a mapping with 'resources'", .package, suggestion: Self.smallest)
        else { return package }
        guard let node = entries["resources"] else {
            if !entries.meant.isEmpty { return package }
            reader.complain(at: root.range.lowerBound..<root.range.lowerBound, "'resources' is missing", Self.smallest)
            return package
        }
        let isTabular = entries["profile"]?.scalarText?.contains("tabular-data-package") ?? false
        guard let resources = reader.list(node, "a list of resources") else { return package }
        if resources.isEmpty { reader.complain(at: node, "the list of resources is empty") }
        for resource in resources where !reader.isFull {
            self.resource(resource, isTabular: isTabular, file)
        }
        checkReferences()
        if mistakes.isEmpty && foreignProblems.isEmpty && package.tables.isEmpty {
            reader.complain(
                at: node, "the resources do not include a table",
                "a table has a 'schema', type: table, or a path that ends in .csv, .tsv, .jsonl or .ndjson")
        }
        return package
    }

    private mutating func resource(_ node: YAMLNode, isTabular: Bool, _ file: ReadFile) {
        guard let entries = reader.openEntries(node, "a resource such as {name: users, path: users.csv}", .resource)
        else { return }
        let name = self.name(entries)
        // Read the remaining keys even if the paths are invalid.
        let paths = paths(entries) ?? []
        if let first = paths.first, !isTabular, !isTable(entries, paths) {
            package.otherResources.append(DataPackage.Other(name: name ?? "", path: first))
            return
        }
        let format = self.format(entries)
        refuse(entries)
        let schema = entries["schema"].flatMap { $0.isNull ? nil : $0 }
        var rules = schema.flatMap { self.schema($0, file) } ?? RuleFile(limits: reader.limits)
        rules.policy = .noFiles
        if let node = entries["dialect"], !node.isNull, let (dialect, keys) = self.dialect(node, file) {
            merge(dialect, keys, at: node, into: &rules.dialect)
        }
        if let node = entries["encoding"], !node.isNull { encoding(node, &rules.dialect) }
        if entries["format"]?.scalarText?.lowercased() == "tsv" && rules.dialect.delimiter == nil {
            rules.dialect.delimiter = UInt8(ascii: "\t")
        }
        // A reference to the table's own name means the table itself.
        for key in rules.schema.foreignKeys.indices
        where ByteEqualString(rules.schema.foreignKeys[key].reference.resource) == name.map(ByteEqualString.init) {
            rules.schema.foreignKeys[key].reference.resource = ""
        }
        schemas.append(schema)
        package.tables.append(
            DataResource(
                name: name ?? "", paths: paths, format: format, rules: rules, hasSchema: schema != nil,
                byteCount: byteCount(entries), hash: hash(entries)))
    }

    /// Checks foreign keys after all resources have been read, because foreign keys of a Data Package name resources.
    private mutating func checkReferences() {
        for (table, schema) in zip(package.tables, schemas) {
            if let other = table.rules.referencedTables.first {
                reader.complain(
                    at: schema?.value(of: "foreignKeys")?.range ?? schema?.range ?? 0..<0,
                    "in a Data Package a reference has no 'dialect'",
                    "write it in the resource \(other.name.quoted)")
            }
            for (number, key) in table.rules.schema.foreignKeys.enumerated() where !key.reference.isOwnTable {
                let name = key.reference.resource
                if package.table(named: name) != nil { continue }
                // If the schema is a separate file, the place would be in that file.
                let written = schema?.value(of: "foreignKeys")?.element(number)?.value(of: "reference")
                let place = written?.value(of: "resource") ?? schema
                let names = package.tables.map(\.name)
                reader.complain(
                    at: place?.range ?? 0..<0,
                    "\(key.id) refers to \(name.quoted), and the Data Package has no such table",
                    closestName(to: name, among: names).map { "did you mean '\($0)'?" }
                        ?? "its tables are \(names.map { "'\($0)'" }.joined(separator: ", "))")
            }
        }
    }

    /// Whether a resource is a table, according to its type, profile, schema, format or file names.
    private func isTable(_ entries: Entries, _ paths: [String]) -> Bool {
        if entries["type"]?.scalarText == "table" || entries["schema"].map({ !$0.isNull }) ?? false { return true }
        if entries["profile"]?.scalarText?.contains("tabular-data-resource") ?? false { return true }
        guard let format = entries["format"]?.scalarText?.lowercased() else { return paths.allSatisfy(Self.isTable) }
        return Self.formats[format] != nil || Self.otherTables.contains(format)
    }

    private mutating func name(_ entries: Entries) -> String? {
        guard let node = entries["name"] else {
            reader.complain(at: entries.range.lowerBound..<entries.range.lowerBound, "the resource has no 'name'")
            return nil
        }
        guard let name = reader.text(node, "a name") else { return nil }
        if let first = names[ByteEqualString(name)] {
            reader.complain(
                at: node, "a second resource named \(name.quoted)", "the first is on line \(reader.line(of: first))")
        }
        names[ByteEqualString(name)] = node.range
        return name
    }

    // MARK: - Files

    /// Reads the paths of a resource. Returns `nil` if one is invalid.
    private mutating func paths(_ entries: Entries) -> [String]? {
        guard let node = entries["path"] else {
            if let place = entries.keyRange("data") {
                reader.complain(
                    at: place, "data inside the descriptor is not read", "put it into a file, and name its 'path'")
            } else if !entries.meant.contains("path") {
                reader.complain(at: entries.range.lowerBound..<entries.range.lowerBound, "the resource has no 'path'")
            }
            return nil
        }
        var nodes = [node]
        if case .sequence(let several) = node.content { nodes = several }
        if nodes.isEmpty { reader.complain(at: node, "the list of paths is empty") }
        let paths = nodes.compactMap { self.path($0) }
        return paths.isEmpty || paths.count < nodes.count ? nil : paths
    }

    /// Reads a path inside the folder of the descriptor.
    private mutating func path(_ node: YAMLNode) -> String? {
        guard let path = reader.text(node, "a path") else { return nil }
        if path.isEmpty {
            reader.complain(at: node, "the path is empty")
        } else if path.contains(bytesOf: "://") {
            reader.complain(
                at: node, "\(path.quoted) is a URL, and Assay does not read from the network",
                "download it into the folder of the descriptor, and write its path there")
        } else if ["/", "~"].contains(where: path.begins(withBytesOf:)) || path.contains(bytesOf: "\\")
            || path.utf8.dropFirst().first == UInt8(ascii: ":")
        {
            reader.complain(
                at: node, "\(path.quoted) is not a path relative to the descriptor",
                "files of a Data Package must be in its folder: write data/users.csv")
        } else if path.pieces(at: "/").contains("..") {
            reader.complain(
                at: node, "\(path.quoted) leads out of the folder of the descriptor",
                "move the file into it: a Data Package may name no others")
        } else {
            return path
        }
        return nil
    }

    /// Whether the ending of a file name indicates a table.
    private static func isTable(_ path: String) -> Bool {
        var path = path.lowercased()
        for packed in [".gz", ".zst"] where path.ends(withBytesOf: packed) {
            path = String(Substring(path.utf8.dropLast(packed.utf8.count)))
        }
        return [".csv", ".tsv", ".jsonl", ".ndjson"].contains(where: path.ends(withBytesOf:))
    }

    private static let formats: [String: DataResource.Format] = [
        "csv": .csv, "tsv": .csv, "txt": .csv, "jsonl": .jsonLines, "ndjson": .jsonLines,
    ]

    /// Table formats that Assay does not read.
    private static let otherTables: Set = ["xls", "xlsx", "ods", "parquet", "sql"]

    private mutating func format(_ entries: Entries) -> DataResource.Format? {
        guard let node = entries["format"], !node.isNull, let name = reader.text(node, "a format") else { return nil }
        if let format = Self.formats[name.lowercased()] { return name.lowercased() == "txt" ? nil : format }
        reader.complain(
            at: node, "the format \(name.quoted) is not read",
            name.lowercased() == "json"
                ? "make JSON Lines of a list of objects, and write format: jsonl" : "export it as csv, tsv or jsonl")
        return nil
    }

    /// Reports properties that Assay does not support.
    private mutating func refuse(_ entries: Entries) {
        if let node = entries["scheme"], let scheme = node.scalarText, !["file", ""].contains(scheme), !node.isNull {
            reader.complain(at: node, "the scheme \(scheme.quoted) is not read", "only files are read")
        }
        if let node = entries["compression"], let name = node.scalarText, !node.isNull,
            !["gz", "gzip", "zst", "zstd", "no", "none", ""].contains(name.lowercased())
        {
            reader.complain(
                at: node, "the compression \(name.quoted) is not read", "unpack the file, or pack it with gzip or zstd")
        }
    }

    /// Reads the total size of the files in bytes.
    private mutating func byteCount(_ entries: Entries) -> Int? {
        guard let node = entries["bytes"], !node.isNull else { return nil }
        return reader.count(node)
    }

    /// Reads the hash of the files. The algorithm is MD5 unless a prefix names another one.
    private mutating func hash(_ entries: Entries) -> FileHash? {
        guard let node = entries["hash"], !node.isNull, node.scalarText != "", let text = reader.text(node, "a hash")
        else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { $0.lowercased() }
        let digits = parts[parts.count - 1]
        let known = FileHash.Algorithm.allCases
        guard let algorithm = parts.count == 1 ? .md5 : FileHash.Algorithm(rawValue: parts[0]) else {
            reader.complain(
                at: node, "the hash \(parts[0].quoted) is not verified",
                "use \(known.map(\.rawValue).joined(separator: ", ")), or remove it")
            return nil
        }
        if digits.utf8.count == algorithm.digits, digits.allSatisfy(\.isHexDigit) {
            return FileHash(algorithm: algorithm, digits: digits)
        }
        let other = parts.count == 1 ? known.first { $0.digits == digits.utf8.count } : nil
        reader.complain(
            at: node, "\(algorithm.rawValue) is \(algorithm.digits) hexadecimal digits, found \(node.kindInWords)",
            other.map { "write its name before it: \($0.rawValue):…" })
        return nil
    }

    // MARK: - Rules

    /// Reads a schema from the descriptor or from a separate file.
    private mutating func schema(_ node: YAMLNode, _ file: ReadFile) -> RuleFile? {
        guard case .scalar = node.content else {
            var inner = RuleReader(source: source, limits: reader.limits, mistakes: [])
            let rules = inner.ruleFile(node)
            for mistake in inner.mistakes { reader.note(mistake) }
            return inner.mistakes.isEmpty ? rules : nil
        }
        guard let (name, bytes) = read(node, file) else { return nil }
        do {
            return try RuleFile.parse(bytes, name: name, limits: reader.limits)
        } catch {
            report(error.problems, in: name, at: node, "schema", "assay rules check names the mistakes")
            return nil
        }
    }

    /// Reports mistakes in a file that the descriptor names. The affected lines are shown only if the descriptor is
    /// trusted, because its author chose the file.
    private mutating func report(
        _ problems: [RuleProblem], in name: String, at node: YAMLNode, _ kind: String, _ help: String? = nil
    ) {
        guard let first = problems.first else { return }
        if reader.limits.trustsRuleFiles {
            foreignProblems += problems
            return
        }
        let count = problems.count == 1 ? "a mistake" : "\(problems.count) mistakes, the first"
        reader.complain(
            at: node.range, "\(name.visible) is not a \(kind): it has \(count) at \(first.line):\(first.column)",
            .trust(or: "correct the file" + (help.map { " (\($0))" } ?? "")))
    }

    /// Reads a dialect from the descriptor or from a separate file. Returns it with its keys.
    private mutating func dialect(_ node: YAMLNode, _ file: ReadFile) -> (Dialect, Set<String>)? {
        guard case .scalar = node.content else {
            let node = Self.flat(node)
            return reader.dialect(node).map { ($0, Self.keys(node)) }
        }
        guard let (name, bytes) = read(node, file) else { return nil }
        let source = SourceText(name: name, bytes: bytes)
        var yaml = YAMLReader(source, depth: reader.limits.depth)
        let root = yaml.read()
        var inner = RuleReader(source: source, limits: reader.limits, mistakes: yaml.mistakes)
        let flat = root.map(Self.flat)
        let dialect = flat.flatMap { inner.dialect($0) }
        report(source.problems(inner.mistakes), in: name, at: node, "dialect")
        return dialect.flatMap { dialect in flat.map { (dialect, Self.keys($0)) } }
    }

    private static func keys(_ node: YAMLNode) -> Set<String> {
        if case .mapping(let entries) = node.content { Set(entries.map(\.key)) } else { [] }
    }

    /// Merges the dialect of a resource into the dialect of its schema. Reports contradictions.
    private mutating func merge(_ own: Dialect, _ keys: Set<String>, at node: YAMLNode, into dialect: inout Dialect) {
        let usual = Dialect()
        var merged = dialect
        var contradictions: [String] = []
        func take<Value: Equatable>(_ key: String, _ part: WritableKeyPath<Dialect, Value>) {
            guard keys.contains(key) else { return }
            let (declared, other) = (own[keyPath: part], dialect[keyPath: part])
            if declared != other && other != usual[keyPath: part] { contradictions.append(key) }
            merged[keyPath: part] = declared
        }
        take("delimiter", \.delimiters)
        take("quoteChar", \.quoteChar)
        take("escapeChar", \.escapeChar)
        take("commentChar", \.commentChar)
        take("skipInitialSpace", \.skipInitialSpace)
        take("skip", \.skip)
        take("header", \.header)
        take("headerRows", \.headerRows)
        take("headerJoin", \.headerJoin)
        take("extraFields", \.extraFields)
        take("trailingDelimiter", \.trailingDelimiter)
        take("blankLines", \.blankLines)
        if keys.contains("blankLines") { merged.rejectsLastBlankLines = own.rejectsLastBlankLines }
        take("lineTerminator", \.lineTerminator)
        take("encoding", \.encoding)
        take("trustEncoding", \.trustEncoding)
        // An empty list of header rows means that there is no header.
        if keys.contains("headerRows") && !own.header { merged.header = false }
        for key in contradictions {
            reader.complain(
                at: Self.flat(node).value(of: key)?.range ?? node.range,
                "the dialect in the schema has another value under '\(key)'", "keep one")
        }
        if contradictions.isEmpty, own.conflict == nil, let conflict = merged.conflict {
            reader.complain(at: node, "\(conflict), together with the dialect in the schema")
        }
        dialect = merged
    }

    /// Returns a dialect with the members of `csv` moved to the top level, because the Frictionless tools write CSV
    /// properties there. `json: {keyed: true}` is dropped, because it always holds for JSON Lines.
    private static func flat(_ node: YAMLNode) -> YAMLNode {
        guard case .mapping(let entries) = node.content else { return node }
        var all: [YAMLEntry] = []
        for entry in entries {
            if entry.key == "csv", case .mapping(let own) = entry.value.content {
                all += own
            } else if entry.key == "json", case .mapping(let own) = entry.value.content, own.map(\.key) == ["keyed"],
                own[0].value.scalarText == "true"
            {
                continue
            } else {
                all.append(entry)
            }
        }
        return YAMLNode(content: .mapping(all), range: node.range)
    }

    private mutating func encoding(_ node: YAMLNode, _ dialect: inout Dialect) {
        guard let name = reader.text(node, "the name of an encoding") else { return }
        let declared = dialect.encoding
        // Python's name for UTF-8 with a byte order mark. Assay always accepts the mark.
        let isMarked = ["utf-8-sig", "utf_8_sig"].contains(name.lowercased())
        if !isMarked { reader.encoding(node, &dialect) }
        guard let declared, Self.canonical(declared) != Self.canonical(isMarked ? "utf-8" : name) else { return }
        reader.complain(at: node, "the dialect of the resource names another encoding: \(declared.quoted)", "keep one")
    }

    private static func canonical(_ encoding: String) -> String { Encodings.canonicalName(encoding) ?? encoding }

    private mutating func read(_ node: YAMLNode, _ file: ReadFile) -> (name: String, bytes: [UInt8])? {
        guard let path = path(node) else { return nil }
        do {
            let read = try file(path)
            package.readFiles.append(path)
            return read
        } catch {
            reader.complain(at: node, "\(error)")
            return nil
        }
    }
}
