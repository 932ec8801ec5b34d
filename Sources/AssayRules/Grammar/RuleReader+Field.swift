internal import Assay

/// The properties of a field that its checks depend on.
struct FieldContext {
    var name: String
    /// `nil` if the type is invalid, so that its values cannot be checked.
    var type: ValueType?
    /// Whether the file names the type, instead of leaving it to the default.
    var hasType: Bool
    var unit: LengthUnit
}

extension RuleReader {
    /// Reads an entry of `fields`. Returns the field and the place of its name.
    mutating func field(_ node: YAMLNode, unit: LengthUnit) -> (value: Field, name: Range<Int>)? {
        guard let entries = entries(node, "a field", .field, suggestion: fieldAdvice(node)) else { return nil }
        let type = valueType(entries, isField: true)
        var name: String?
        if let node = entries["name"] {
            name = text(node, "the name of a column")
        } else if !entries.meant.contains("name") {
            complain(
                at: entries.range.lowerBound..<entries.range.lowerBound + 1, "the field has no name",
                "write - name: … as the header has it")
        }
        let context = FieldContext(
            name: name ?? "", type: type, hasType: entries["type"] != nil,
            unit: entries["lengthUnit"].flatMap { lengthUnit($0) } ?? unit)
        var field = Field(name: context.name, type: type ?? .any)
        if let node = entries["missingValues"] { field.missingValues = missingValues(node) }
        if let node = entries["nullable"] {
            field.isNullable = bool(node) ?? false
            if !hasJSONSchemaTypes {
                complain(
                    at: entries.keyRange("nullable") ?? node.range, "'nullable' belongs to types: jsonSchema",
                    "values may be missing unless there is constraints: {required: true}")
            }
        }
        if let node = entries["optional"] { field.isOptional = bool(node) ?? false }
        if let node = entries["repair"], !node.isNull {
            field.repair = repairs(node, of: type, missing: field.missingValues ?? missingOfFile)
        }
        // The id that findings about the type have; see CompiledSchema.
        if name != nil, let type, type.kind != .any, type != .string {
            let code = type.ruleCode
            ids[ByteEqualString("\(context.name).\(code)")] = entries.keyRange(code) ?? entries.range
        }
        let categories = entries["categories"].flatMap { categoriesRule($0, entries.keyRange("categories"), context) }
        if let node = entries["categoriesOrdered"] {
            _ = bool(node)
            if entries["categories"] == nil {
                complain(at: node, "'categoriesOrdered' without 'categories'")
            }
        }
        if let node = entries["constraints"], !node.isNull {
            constraints(node, context, categories: categories, into: &field)
        } else if let categories {
            field.rules = [categories]
        }
        if let node = entries["rules"], !node.isNull { field.rules += rules(node, context) }
        guard name != nil, let range = entries["name"]?.range else { return nil }
        return (field, range)
    }

    private func fieldAdvice(_ node: YAMLNode) -> String? {
        guard case .scalar(let text, _) = node.content, !node.isNull, text.count <= 60 else { return nil }
        return "write - name: \(text.visible)"
    }

    /// Reads `categories` of a string or integer field: a rule that the value is in the list.
    private mutating func categoriesRule(
        _ node: YAMLNode, _ key: Range<Int>?, _ context: FieldContext
    ) -> Rule? {
        if let type = context.type, ![.string, .integer].contains(type.kind) {
            complain(
                at: key ?? node.range, "'categories' is for string and integer, and this is \(type.kind.inWords)",
                "use enum under 'constraints'")
            return nil
        }
        guard let nodes = list(node, "a list of categories", suggestion: listAdvice(node)) else { return nil }
        if nodes.isEmpty { complain(at: node, "'categories' is empty: no value could pass") }
        var values: [(String, YAMLNode)] = []
        for node in nodes {
            if let value = labelled(node) { values.append((value, node)) }
        }
        guard !values.isEmpty, values.count == nodes.count,
            let check = oneOf(values, as: context.type)
        else { return nil }
        return rule(key ?? node.range, context, code: "categories", check)
    }

    /// Returns a rule with the default id of its kind.
    mutating func rule(_ place: Range<Int>, _ context: FieldContext, code: String, _ check: Check) -> Rule? {
        let id = "\(context.name).\(code)"
        guard take(id, at: place, isWritten: false) else { return nil }
        return Rule(id: id, code: code, check: check)
    }

    /// Records that an id is used. Reports an error if it is a duplicate.
    mutating func take(_ id: String, at place: Range<Int>, isWritten: Bool) -> Bool {
        if id.isEmpty {
            complain(at: place, "the id is empty", "leave it out, or give the rule a name")
            return false
        }
        if RuleFile.structureIDs.contains(id) {
            complain(
                at: place,
                isWritten
                    ? "the id \(id.quoted) is that of malformed records"
                    : "the id of this rule would be \(id.quoted), which is that of malformed records",
                isWritten ? "choose another one" : "give this rule an 'id'")
            return false
        }
        if let first = ids[ByteEqualString(id)] {
            complain(
                at: place,
                isWritten
                    ? "a second rule with the id \(id.quoted)"
                    : "the id of this rule would be \(id.quoted), which is taken",
                isWritten
                    ? "the first is on line \(line(of: first))" : "by line \(line(of: first)): give this rule an 'id'")
            return false
        }
        ids[ByteEqualString(id)] = place
        return true
    }
}
