internal import Assay

extension RuleReader {
    /// Reads the keys of a table, in reported order: single-column keys, `primaryKey`, `uniqueKeys`; and its
    /// `foreignKeys`.
    mutating func keys(_ entries: Entries, of fields: [Field], into schema: inout Schema) {
        let fields = NamedFields(fields)
        schema.keys = uniqueFields.map { Key(.unique, fields: [$0]) }
        if let node = entries["primaryKey"], let names = keyFields(node, "'primaryKey'", fields) {
            take(Key(.primary, fields: names), at: entries.keyRange("primaryKey")!, into: &schema)
        }
        if let node = entries["uniqueKeys"], let nodes = list(node, "a list of keys", suggestion: keysAdvice(node)) {
            for (index, node) in nodes.enumerated() where !isFull {
                guard let names = keyFields(node, "the key \(index + 1) of 'uniqueKeys'", fields) else { continue }
                take(Key(.combination, fields: names, number: index + 1), at: node.range, into: &schema)
            }
        }
        if let node = entries["foreignKeys"] { schema.foreignKeys = foreignKeys(node, of: fields) }
        guard let node = entries["keep"] else { return }
        if let keep = keep(node, fields) { schema.keep = keep }
        if uniqueFields.isEmpty && entries.present(["primaryKey", "uniqueKeys"]).isEmpty {
            complain(
                at: entries.keyRange("keep")!, "'keep' without a key",
                "it is for primaryKey, uniqueKeys, and constraints: {unique: true}")
        }
    }

    /// Reads the preference among records with equal keys: a word, or a mapping with the column that decides.
    private mutating func keep(_ node: YAMLNode, _ fields: NamedFields) -> DuplicatePolicy? {
        guard case .mapping = node.content else {
            let names = DuplicatePolicy.named.map(\.name)
            if case .scalar(let word, _) = node.content, KeyTable.keep.known.contains(word) {
                complain(at: node, "'keep: \(word)' names no column", "write {\(word): COLUMN}")
                return nil
            }
            let word = choice(node, "a keep", from: names, also: ["{max: COLUMN}", "{min: COLUMN}"])
            return DuplicatePolicy.named.first { $0.name == word }?.policy
        }
        guard let entries = entries(node, "a keep", .keep) else { return nil }
        let present = entries.present(KeyTable.keep.known)
        guard present.count == 1, let value = entries[present[0]] else {
            if !entries.hasStrangers {
                complain(at: node, "'keep' has one of max and min", "write {max: COLUMN} or {min: COLUMN}")
            }
            return nil
        }
        guard let name = text(value, "the name of a field"), let type = typeOfField(name, value, "'keep'", fields)
        else { return nil }
        if !type.isPreferable {
            let reason =
                type.isSortable
                ? "durations such as P1M and P30D cannot be compared" : "\(type.kind.inWords) has no order"
            complain(at: value, "'keep' names \(name.quoted), and \(reason)", "name another column")
            return nil
        }
        return present[0] == "max" ? .max(name) : .min(name)
    }

    /// Returns the type of a field, and reports a name that is no field.
    private mutating func typeOfField(
        _ name: String, _ node: YAMLNode, _ what: String, _ fields: NamedFields
    ) -> ValueType? {
        if let field = fields[name] { return field.type }
        let near = budget.closestName(to: name, among: fields.names).map { "did you mean \($0.quoted)?" }
        let advice = near ?? "add it to 'fields': - name: \(name.visible)"
        complain(at: node, "\(what) names \(name.quoted), which is no field", advice)
        return nil
    }

    private mutating func take(_ key: Key, at place: Range<Int>, into schema: inout Schema) {
        if countRule(at: place), take(key.id, at: place, isWritten: false) { schema.keys.append(key) }
    }

    /// Reads the columns of a key: a name, or a list of names of fields. `fields` is `nil` for keys of another table.
    mutating func keyFields(_ node: YAMLNode, _ what: String, _ fields: NamedFields?) -> [String]? {
        var nodes = [node]
        if case .sequence(let several) = node.content { nodes = several }
        if nodes.isEmpty { complain(at: node, "\(what) names no field") }
        var names: [String] = []
        var seen: Set<ByteEqualString> = []
        for node in nodes where !isFull {
            guard let name = text(node, "the name of a field") else { continue }
            var type: ValueType?
            if let fields {
                type = typeOfField(name, node, what, fields)
                if type == nil { continue }
            }
            if let type, type.hasMembers {
                refuseKey(of: type, at: node.range)
            } else if !seen.insert(ByteEqualString(name)).inserted {
                complain(at: node, "\(what) names \(name.quoted) twice")
            } else {
                names.append(name)
            }
        }
        return names.count == nodes.count && !names.isEmpty ? names : nil
    }

    /// Reports that values of a type cannot be compared as keys.
    mutating func refuseKey(of type: ValueType, at place: Range<Int>) {
        complain(
            at: place, "\(type.kind.inWords) cannot be part of a key",
            "leave out its type: the texts are then compared byte by byte")
    }

    /// Returns advice for `uniqueKeys: [a, b]` or `uniqueKeys: a`.
    private func keysAdvice(_ node: YAMLNode) -> String? {
        listAdvice(node).map { _ in "write [[\(source.text(node.range).visible)]]" }
    }
}

/// Fields that keys may name.
struct NamedFields {
    private let fields: [Field]
    private let places: FieldPlaces

    init(_ fields: [Field]) {
        self.fields = fields
        places = FieldPlaces(fields.lazy.map(\.name))
    }

    subscript(name: String) -> Field? { places[name].map { fields[$0] } }

    var names: some Sequence<String> { fields.lazy.map(\.name) }
}
