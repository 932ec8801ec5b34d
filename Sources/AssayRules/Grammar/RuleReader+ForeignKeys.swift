internal import Assay

extension RuleReader {
    /// Reads the foreign keys of a table.
    mutating func foreignKeys(_ node: YAMLNode, of fields: NamedFields) -> [ForeignKey] {
        guard let nodes = list(node, "a list of foreign keys", suggestion: Self.foreignKeyAdvice) else { return [] }
        var keys: [ForeignKey] = []
        for (index, node) in nodes.enumerated() where !isFull {
            guard let key = foreignKey(node, number: index + 1, of: fields) else { continue }
            if countRule(at: node.range), take(key.id, at: node.range, isWritten: false) { keys.append(key) }
        }
        return keys
    }

    private static let foreignKeyAdvice =
        "write - {fields: customer_id, reference: {resource: customers.csv, fields: id}}"

    private mutating func foreignKey(_ node: YAMLNode, number: Int, of fields: NamedFields) -> ForeignKey? {
        guard let entries = entries(node, "a foreign key", .foreignKey, suggestion: Self.foreignKeyAdvice) else {
            return nil
        }
        guard let columns = required("fields", entries), let place = required("reference", entries) else { return nil }
        let what = "the foreign key \(number)"
        guard let names = keyFields(columns, what, fields), let reference = reference(place, what, of: fields) else {
            return nil
        }
        if names.count != reference.fields.count {
            let (one, other) = (countOfFields(names.count), countOfFields(reference.fields.count))
            complain(at: node, "\(what) has \(one), and refers to \(other)", "name the same number on both sides")
            return nil
        }
        return ForeignKey(fields: names, reference: reference, number: number)
    }

    private mutating func required(_ key: String, _ entries: Entries) -> YAMLNode? {
        if let node = entries[key] { return node }
        if !entries.meant.contains(key) && !entries.hasStrangers {
            complain(at: entries.range, "'\(key)' is missing", Self.foreignKeyAdvice)
        }
        return nil
    }

    private mutating func reference(
        _ node: YAMLNode, _ what: String, of fields: NamedFields
    ) -> ForeignKey.Reference? {
        guard let entries = entries(node, "a reference", .reference, suggestion: Self.foreignKeyAdvice) else {
            return nil
        }
        guard let columns = required("fields", entries) else { return nil }
        var resource = ""
        if let node = entries["resource"] {
            guard let text = text(node, "the path of a file") else { return nil }
            if text.contains(bytesOf: "://") {
                complain(
                    at: node,
                    "a reference names a file, and \(text.pieces(at: ":")[0].lowercased().visible) is not read",
                    "download it, and write the path of the file")
                return nil
            }
            resource = text
        }
        if let node = entries["dialect"], !node.isNull { dialect(node, of: resource) }
        // The columns of another table are known only when it is read.
        let known = resource.isEmpty ? fields : nil
        guard let names = keyFields(columns, "the reference of \(what)", known) else { return nil }
        return ForeignKey.Reference(resource: resource, fields: names)
    }

    /// How the file that is referred to is read.
    private mutating func dialect(_ node: YAMLNode, of resource: String) {
        guard let dialect = dialect(node) else { return }
        if resource.isEmpty {
            complain(
                at: node, "without a 'resource' a reference is to the table itself, which has no dialect of its own",
                "remove it, or name a file: resource: …")
        } else if let known = referencedTables.table(named: resource) {
            if known.dialect != dialect {
                complain(at: node, "another foreign key has another dialect for \(resource.quoted)", "write the same")
            }
        } else {
            referencedTables.append(ReferencedTable(name: resource, paths: [resource], dialect: dialect))
        }
    }

    private func countOfFields(_ count: Int) -> String { count == 1 ? "1 field" : "\(count) fields" }
}
