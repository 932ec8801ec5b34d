internal import Assay

extension [Field] {
    /// With the types of JSON Schema, the default `missingValues` has no effect on JSON Lines. If a file explicitly has
    /// the default list, each field gets this list, so that it has an effect.
    mutating func keepMissingValues(of file: RuleFile) {
        guard file.jsonTypes == .jsonSchema, file.schema.missingValues == Schema().missingValues else { return }
        for index in indices where self[index].missingValues == nil {
            self[index].missingValues = file.schema.missingValues
        }
    }
}

extension RuleReader {
    /// Reads the whole file. `root` is `nil` if the file is empty.
    mutating func ruleFile(_ root: YAMLNode?) -> RuleFile? {
        guard let root, !root.isNull else {
            if mistakes.isEmpty { complain(at: 0..<0, "the rule file is empty", Self.smallest) }
            return nil
        }
        if Self.isJSONSchema(root) { return jsonSchema(root) }
        guard let entries = entries(root, "a mapping with 'fields'", .file, suggestion: Self.smallest) else {
            return nil
        }
        var file = settings(entries)
        let unit = entries["lengthUnit"].flatMap { lengthUnit($0) } ?? .scalars
        let before = mistakes.count
        var areFieldsRight = true
        if let node = entries["fields"] {
            file.schema.fields = fields(node, unit: unit)
            areFieldsRight = mistakes.count == before
            if entries["missingValues"] != nil { file.schema.fields.keepMissingValues(of: file) }
            keys(entries, of: file.schema.fields, into: &file.schema)
            file.referencedTables = referencedTables
        } else if entries.meant.isDisjoint(with: ["fields", "columns"]), mistakes.isEmpty || !entries.hasStrangers {
            complain(at: entries.range.lowerBound..<entries.range.lowerBound, "'fields' is missing", Self.smallest)
        }
        // A mistake in a field would cause further mistakes in rules that name it.
        if let node = entries["rows"], areFieldsRight { file.schema.rows = rows(node, of: file.schema.fields) }
        if let node = entries["table"], areFieldsRight { file.tableRules = table(node, of: file.schema.fields) }
        file.thresholds = thresholds(entries, of: file)
        return file
    }

    /// Reads the settings that rule files and JSON Schemas share. Limits come first, because the rest depends on these.
    /// Thresholds name columns and rules, so they are read last: see ``thresholds(_:of:)``.
    mutating func settings(_ entries: Entries) -> RuleFile {
        if let node = entries["limits"] { limits(node) }
        var file = RuleFile(limits: limits)
        // The caller knows the folder of the file.
        file.policy = .noFiles
        if let node = entries["dialect"] { file.dialect = dialect(node) ?? Dialect() }
        if let node = entries["missingValues"] { file.schema.missingValues = missingValues(node) ?? [] }
        missingOfFile = file.schema.missingValues
        if let node = entries["types"] {
            file.jsonTypes = types(node) ?? .strict
            hasJSONSchemaTypes = file.jsonTypes == .jsonSchema
        }
        if let node = entries["fieldsMatch"] { file.schema.fieldsMatch = fieldsMatch(node) ?? .subset }
        return file
    }

    private mutating func types(_ node: YAMLNode) -> RuleFile.JSONTypes? {
        guard let text = text(node, "strict, text or jsonSchema") else { return nil }
        let types = RuleFile.JSONTypes(rawValue: text)
        if types == nil {
            complain(
                at: node, "types is strict, text or jsonSchema, found \(node.kindInWords)",
                "with text, values of JSON are judged as those of CSV are")
        }
        return types
    }

    static let smallest = """
        a small rule file looks like this:
        fields:
          - name: email
            format: email
            constraints: {required: true, maxLength: 254}
        """

    private mutating func fields(_ node: YAMLNode, unit: LengthUnit) -> [Field] {
        guard let nodes = list(node, "a list of fields", suggestion: "start each field with '- name: …'") else {
            return []
        }
        var fields: [Field] = []
        var names: [ByteEqualString: Range<Int>] = [:]
        for node in nodes where !isFull {
            guard let field = field(node, unit: unit) else { continue }
            if let first = names[ByteEqualString(field.value.name)] {
                complain(
                    at: field.name, "a second field named \(field.value.name.quoted)",
                    "the first is on line \(line(of: first)); put all rules of a column into one field")
            } else {
                names[ByteEqualString(field.value.name)] = field.name
            }
            fields.append(field.value)
        }
        return fields
    }

    /// Reads `["", NA]`, or values with labels: `[{value: "-99", label: refused}]`.
    mutating func missingValues(_ node: YAMLNode) -> [String]? {
        guard let nodes = list(node, "a list of texts", suggestion: listAdvice(node)) else { return nil }
        return nodes.compactMap { labelled($0) }
    }

    /// Reads a value, or a value with a label.
    mutating func labelled(_ node: YAMLNode) -> String? {
        guard case .mapping = node.content else { return text(node, "a text") }
        guard let entries = entries(node, "a value", .labelled) else { return nil }
        if let label = entries["label"] { _ = text(label, "a label") }
        guard let value = entries["value"] else {
            if !entries.meant.contains("value") { complain(at: entries.range, "'value' is missing") }
            return nil
        }
        return text(value, "a text")
    }

    /// Reads a word, or a list of one word, as in the JSON profile of Table Schema v2.
    private mutating func fieldsMatch(_ node: YAMLNode) -> FieldsMatch? {
        var node = node
        if case .sequence(let nodes) = node.content, nodes.count == 1 { node = nodes[0] }
        return choice(node, "a fieldsMatch", from: FieldsMatch.allCases.map(\.rawValue)).flatMap(FieldsMatch.init)
    }

    mutating func lengthUnit(_ node: YAMLNode) -> LengthUnit? {
        choice(node, "a lengthUnit", from: LengthUnit.allCases.map(\.rawValue)).flatMap(LengthUnit.init)
    }

    private mutating func limits(_ node: YAMLNode) {
        if node.isNull { return }
        guard let entries = entries(node, "a mapping of limits", .limits) else { return }
        let given = limits
        for name in entries.present(KeyTable.limits.known) {
            guard let value = entries[name], let text = text(value, "a number such as 4M") else { continue }
            do {
                try limits.set(name, to: text)
            } catch {
                complain(at: value, error.message, error.suggestion)
                continue
            }
            let setting = Limits.settings.first { $0.name == name }!
            if let limit = given.maxInRuleFile(setting), setting.value(in: limits) > limit {
                let message = "a rule file may raise \(name) to \(setting.text(limit)), not to \(text.visible)"
                complain(at: value.range, message, .trust(or: "lower it"))
            }
        }
        do {
            try limits.check()
        } catch {
            let place = entries["field-bytes"] ?? entries["record-bytes"] ?? node
            complain(at: place, error.message, error.suggestion)
        }
    }
}
