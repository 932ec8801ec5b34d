internal import Assay

extension KeyTable {
    /// The top level of a descriptor.
    static let package: KeyTable = {
        var table = KeyTable(place: "a Data Package", known: ["resources", "profile"], descriptive: ["sources"])
        for key in ["path", "schema", "dialect"] {
            table.refused[key] = Refusal("'\(key)' belongs to a resource", "write resources: [{\(key): …}]")
        }
        for key in schemaKeys {
            table.refused[key] = Refusal(
                "'\(key)' belongs to the schema of a resource", "write resources: [{schema: {\(key): …}}]")
        }
        return table
    }()

    /// An entry of `resources`.
    static let resource: KeyTable = {
        var table = KeyTable(
            place: "a resource",
            known: [
                "name", "path", "data", "schema", "dialect", "encoding", "compression", "format", "scheme", "profile",
                "type", "bytes", "hash",
            ], descriptive: ["sources"])
        for key in schemaKeys {
            table.refused[key] = Refusal("'\(key)' belongs under 'schema'", "write schema: {\(key): …}")
        }
        for key in ["delimiter", "quoteChar", "header"] {
            table.refused[key] = Refusal("'\(key)' belongs under 'dialect'", "write dialect: {\(key): …}")
        }
        for key in ["innerpath", "innerPath"] {
            table.refused[key] = Refusal(
                "'\(key)' is for archives, which are not read", "unpack the file, and name its 'path'")
        }
        table.refused["extrapaths"] = Refusal("'extrapaths' is not read", "write path: [a list of all parts]")
        return table
    }()

    private static let schemaKeys = ["fields", "missingValues", "primaryKey", "uniqueKeys", "foreignKeys"]

    /// The known keys that affect how a table is read and checked.
    fileprivate var telling: [String] {
        known.filter { ["resources", "path", "schema", "dialect", "encoding", "compression"].contains($0) }
    }
}

extension RuleReader {
    /// Returns the entries of a mapping of a descriptor. The standard allows additional keys, so an unknown key is an
    /// error only if it resembles a key that affects how a table is read.
    mutating func openEntries(_ node: YAMLNode, _ what: String, _ table: KeyTable, suggestion: String? = nil)
        -> Entries?
    {
        guard case .mapping(let list) = node.content else {
            complain(at: node, "expected \(what), found \(node.kindInWords)", suggestion)
            return nil
        }
        var entries = Entries(range: node.range)
        // Suggest only keys that are absent: if the intended key is present, the unknown one must mean something else.
        let missing = table.telling.filter { name in !list.contains { $0.key == name } }
        for entry in list where !isFull {
            if table.known.contains(entry.key) {
                entries.insert(entry)
            } else if let refusal = table.refused[entry.key] {
                complain(at: entry.keyRange, refusal.message, refusal.suggestion)
            } else if !table.describes(entry.key), let name = closestName(to: entry.key, among: missing) {
                entries.meant.insert(name)
                complain(
                    at: entry.keyRange, "unknown key \(entry.key.quoted) in \(table.place)", "did you mean '\(name)'?")
            }
        }
        return entries
    }
}
