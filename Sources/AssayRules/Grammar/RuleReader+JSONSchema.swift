internal import Assay

/// JSON Schema of a flat object, as far as it fits the records of a table: a property is a column.
///
///     {"type": "object", "required": ["id"],                 fields:
///      "properties": {                                         - name: id
///        "id": {"type": "integer", "minimum": 1},                type: integer
///        "code": {"pattern": "^[A-Z]"}}}                         constraints: {required: true, minimum: 1}
///                                                              - name: code
///                                                                rules: [{pattern: '^[A-Z]', options: [search]}]
///
/// Keywords that do not apply to a cell or that Assay does not support are refused, although JSON Schema itself ignores
/// many keywords. Source: JSON Schema 2020-12, Validation; keywords with the same meaning since draft 6.
extension RuleReader {
    /// Whether this is a JSON Schema and not a rule file of our own.
    static func isJSONSchema(_ root: YAMLNode) -> Bool {
        guard case .mapping(let entries) = root.content, !entries.contains(where: { $0.key == "fields" }) else {
            return false
        }
        return entries.contains { entry in
            switch entry.key {
            case "properties": true
            case "$schema": entry.value.scalarText?.contains("json-schema.org") ?? false
            case "type": ["object", "array"].contains(entry.value.scalarText)
            default: false
            }
        }
    }

    mutating func jsonSchema(_ root: YAMLNode) -> RuleFile? {
        guard let entries = entries(root, "a JSON Schema", .jsonSchema) else { return nil }
        var file = settings(entries)
        if entries["types"] == nil { file.jsonTypes = .jsonSchema }
        hasJSONSchemaTypes = file.jsonTypes == .jsonSchema
        if let node = entries["type"], let type = text(node, "'object'"), type != "object" {
            complain(
                at: node, "a record is an object, and this is the schema of \(type.quoted)",
                "make a file of the schema of one record: {type: object, properties: {…}}")
        }
        if let node = entries["additionalProperties"] {
            if case .mapping = node.content {
                complain(
                    at: node, "'additionalProperties' with a schema is not supported yet",
                    "the columns of a table are all listed under 'properties'; write true or false")
            } else if let isAllowed = bool(node), entries["fieldsMatch"] == nil {
                file.schema.fieldsMatch = isAllowed ? .subset : .equal
            }
        }
        var required: [(name: String, node: YAMLNode)] = []
        if let node = entries["required"],
            let nodes = list(node, "a list of names", suggestion: listAdvice(node))
        {
            for node in nodes { if let name = text(node, "the name of a column") { required.append((name, node)) } }
        }
        let names = Set(required.map { ByteEqualString($0.name) })
        var fields: [Field] = []
        var known: Set<ByteEqualString> = []
        if let node = entries["properties"] {
            for entry in properties(node) where !isFull {
                known.insert(ByteEqualString(entry.key))
                if let field = property(entry, isRequired: names.contains(ByteEqualString(entry.key))) {
                    fields.append(field)
                }
            }
        } else if !entries.meant.contains("properties") {
            complain(
                at: entries.range.lowerBound..<entries.range.lowerBound, "'properties' is missing",
                "write properties: {email: {type: string}}, with the names of the columns")
        }
        // A name may be required without a property: then it may be anything.
        for (name, node) in required where known.insert(ByteEqualString(name)).inserted {
            ids[ByteEqualString("\(name).required")] = node.range
            fields.append(Field(name: name, type: Self.anyValue, isRequired: true))
        }
        if entries["missingValues"] != nil { fields.keepMissingValues(of: file) }
        file.schema.fields = fields
        file.thresholds = thresholds(entries, of: file)
        return file
    }

    private mutating func properties(_ node: YAMLNode) -> [YAMLEntry] {
        if case .mapping(let entries) = node.content { return entries }
        complain(
            at: node, "expected a mapping of columns, found \(node.kindInWords)",
            "write properties: {email: {type: string}}")
        return []
    }

    /// One property as a field.
    private mutating func property(_ entry: YAMLEntry, isRequired: Bool) -> Field? {
        if case .scalar("true", .plain) = entry.value.content {
            var field = Field(name: entry.key, type: Self.anyValue, isRequired: isRequired)
            field.isOptional = !isRequired
            return field
        }
        if case .scalar("false", .plain) = entry.value.content {
            complain(
                at: entry.value, "the schema false allows no value, and is not supported yet", "leave the property out")
            return nil
        }
        guard let entries = entries(entry.value, "a schema such as {type: string}", .property),
            let type = cellType(entries)
        else { return nil }
        // Null must match the type and be among the values, if there are such keywords.
        let values = [entries["enum"], entries["const"]].compactMap { $0 }
        let isOfType = entries["type"] == nil ? !values.isEmpty : type.isNullable
        var field = Field(name: entry.key, type: type.value, isRequired: isRequired)
        let isNullable = isOfType && values.allSatisfy(hasNull)
        if hasJSONSchemaTypes {
            field.isNullable = isNullable
        } else if isNullable {
            // With other types null is a missing value.
            field.isRequired = false
        }
        field.isOptional = !isRequired
        if type.value != .string && !type.value.isAnyJSON {
            let code = type.value.ruleCode
            ids[ByteEqualString("\(entry.key).\(code)")] = entries.keyRange(code) ?? entries.range
        }
        refuseForeign(entries, of: type)
        if let types = type.types { append(.jsonType(types), "type", entries, to: &field) }
        let hasOtherValues = refuseOtherValues(entries, than: type)
        strings(entries, type, into: &field)
        if !hasOtherValues {
            for key in Self.valueKeys {
                if let node = entries[key], let check = oneOf(self.nodes(node, key), key, node, of: type) {
                    append(check, key, entries, to: &field)
                }
            }
        }
        numbers(entries, type, into: &field)
        return field
    }

    /// The keywords that are about strings alone.
    private mutating func strings(_ entries: Entries, _ type: CellType, into field: inout Field) {
        guard type.canBe(.string) else { return }
        let context = FieldContext(name: field.name, type: .string, hasType: true, unit: .scalars)
        if let (min, max, unit) = lengthBounds(withIntegerLengths(entries), context) {
            for (key, min, max) in [("minLength", min, nil), ("maxLength", nil, max)] where min != nil || max != nil {
                append(type.ask(.string, .length(min: min, max: max, in: unit)), key, entries, to: &field)
            }
        }
        if let node = entries["pattern"], let (check, message) = searchPattern(node) {
            append(
                type.ask(.string, check), "pattern", at: entries.keyRange("pattern") ?? node.range, message, to: &field)
        }
        // Of a field that is a string the format is the type.
        if type.json == nil, let node = entries["format"], let format = format(node) {
            append(type.ask(.string, .type(format)), "format", entries, to: &field)
        }
    }

    /// Lengths as whole numbers: `2.0` is one in JSON Schema.
    private func withIntegerLengths(_ entries: Entries) -> Entries {
        var entries = entries
        for key in ["minLength", "maxLength"] {
            guard let node = entries[key], case .scalar(let text, .plain) = node.content, text.isJSONNumber,
                let point = text.firstIndex(of: "."), text[point...].dropFirst().allSatisfy({ $0 == "0" })
            else { continue }
            let integral = YAMLNode(content: .scalar(String(text[..<point]), .plain), range: node.range)
            entries.insert(YAMLEntry(key: key, keyRange: entries.keyRange(key)!, value: integral))
        }
        return entries
    }

    /// The keywords that are about numbers alone.
    private mutating func numbers(_ entries: Entries, _ type: CellType, into field: inout Field) {
        guard type.canBe(.number), !refuseFlags(entries) else { return }
        let bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].compactMap { entries[$0] }
        let number = type.comparedType(with: bounds)
        for (key, check) in self.bounds(entries, as: number, hasType: true) {
            append(type.ask(.number, check), key, entries, to: &field)
        }
        if let node = entries["multipleOf"], let check = multiple(node, as: .number) {
            append(type.ask(.number, check), "multipleOf", entries, to: &field)
        }
    }

    private mutating func append(_ check: Check, _ key: String, _ entries: Entries, to field: inout Field) {
        append(check, key, at: entries.keyRange(key) ?? entries.range, nil, to: &field)
    }

    private mutating func append(
        _ check: Check, _ key: String, at place: Range<Int>, _ message: String?, to field: inout Field
    ) {
        let id = "\(field.name).\(key)"
        guard countRule(at: place), take(id, at: place, isWritten: false) else { return }
        field.rules.append(Rule(id: id, code: check.code, check: check, message: message))
    }

    // MARK: - Types

    /// Every value of JSON.
    private static let anyValue = ValueType(.any, format: "json")

    /// The type of a property's cells.
    private struct CellType {
        /// The JSON type of its values; `nil` if they have several.
        var json: String?
        var value: ValueType
        var isNullable = false
        /// The JSON types of its values, if there are several; `nil` for a single type or any type.
        var types: [JSONType]?

        var isNumeric: Bool { json == "integer" || json == "number" }
        var inWords: String {
            if let types { return "one of " + types.map(\.rawValue).joined(separator: ", ") }
            return json.map { ["integer", "object", "array"].contains($0) ? "an \($0)" : "a \($0)" }
                ?? "a value of any type"
        }

        /// Whether a value may be a string, or a number.
        func canBe(_ type: JSONType) -> Bool {
            if let json { return json == type.rawValue || type == .number && json == "integer" }
            return types.map { $0.contains(type) || type == .number && $0.contains(.integer) } ?? true
        }

        /// A check that only values of one type are asked.
        func ask(_ type: JSONType, _ check: Check) -> Check {
            json == nil ? .when(.jsonType([type]), then: check) : check
        }

        /// The type by which numbers are compared with those of the schema: of an integer another one only if those
        /// have a fraction or an exponent.
        func comparedType(with nodes: [YAMLNode]) -> ValueType {
            guard json == "integer" else { return json == nil ? .number : value }
            let hasOthers = nodes.contains { node in
                guard let text = node.scalarText else { return false }
                return text.isJSONNumber && !text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (48...57).contains($0) }
            }
            return hasOthers ? .number : value
        }
    }

    private mutating func cellType(_ entries: Entries) -> CellType? {
        var type = CellType(json: nil, value: Self.anyValue)
        if let node = entries["type"] {
            guard let types = jsonTypes(node) else { return nil }
            type.isNullable = types.contains(.null)
            let others = types.filter { $0 != .null && !($0 == .integer && types.contains(.number)) }
            if others.count == 1 {
                type.json = others[0].rawValue
                type.value = ValueType(kind(others[0].rawValue))
            } else {
                type.types = others + (type.isNullable ? [.null] : [])
            }
        } else if Self.valueKeys.contains(where: { entries[$0] != nil }), let json = typeOfValues(entries) {
            type = CellType(json: json, value: ValueType(kind(json)))
        }
        guard type.json == "string", let node = entries["format"] else { return type }
        guard let format = format(node) else { return nil }
        type.value = format
        return type
    }

    /// The type of strings that have a format.
    private mutating func format(_ node: YAMLNode) -> ValueType? {
        guard let format = text(node, "a format") else { return nil }
        if format == "date" { return .date }
        if let ours = Self.builtInTypes[format] { return ValueType(.string, format: ours) }
        let known = (["date"] + Self.builtInTypes.keys).sorted()
        complain(
            at: node, "unknown format \(format.quoted)",
            closestName(to: format, among: known).map { "did you mean '\($0)'?" }
                ?? "known are \(known.joined(separator: ", "))")
        return nil
    }

    private func kind(_ json: String) -> ValueType.Kind { ValueType.Kind(rawValue: json) ?? .string }

    /// Returns the type that all values have, for a property without a type. Returns `nil` if they have several types,
    /// or only null.
    private func typeOfValues(_ entries: Entries) -> String? {
        let types = Self.valueKeys.flatMap { key in
            entries[key].map { self.values($0, key) }?.map { $0.typeOfJSON } ?? []
        }
        guard let first = types.first, types.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// Keywords with values, and those values but null.
    private static let valueKeys = ["enum", "const"]

    private func values(_ node: YAMLNode, _ key: String) -> [YAMLNode] {
        if key == "enum", case .sequence(let nodes) = node.content { return nodes.filter { !$0.isNull } }
        return node.isNull ? [] : [node]
    }

    /// Refuses values that no cell of the type could be, and says whether there were any.
    private mutating func refuseOtherValues(_ entries: Entries, than type: CellType) -> Bool {
        var isRefused = false
        for key in Self.valueKeys {
            for node in entries[key].map({ values($0, key) }) ?? [] where !isFull {
                let json = node.typeOfJSON
                if json != nil && (type.json == nil || json == type.json) || json == "number" && type.isNumeric {
                    continue
                }
                isRefused = true
                guard let json else {
                    complain(
                        at: node, "'\(key)' has \(node.kindInWords), and a cell is no object and no list",
                        "give each part a column of its own")
                    continue
                }
                complain(
                    at: node, "'\(key)' has a \(json), \(node.kindInWords), and this is \(type.inWords)",
                    json == "string" || type.json != "string"
                        ? "write values of one type" : "a string has quotes: \(JSONText.of(node.scalarText ?? ""))")
            }
        }
        return isRefused
    }

    /// The built-in types for the formats of JSON Schema (JSON Schema Validation 2020-12, section 7.3).
    private static let builtInTypes: [String: String] = {
        let alike = [
            "date-time", "time", "duration", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri",
            "iri-reference",
            "uri-template", "json-pointer", "relative-json-pointer",
        ]
        return Dictionary(uniqueKeysWithValues: alike.map { ($0, $0) })
            .merging(
                [
                    "email": "email single-label quoted ip-literal",
                    "idn-email": "email single-label unicode quoted ip-literal",
                    "regex": "regex-ecma", "uuid": "uuid any-version",
                ], uniquingKeysWith: { $1 })
    }()

    /// Keywords that JSON Schema would silently not ask of this type.
    private mutating func refuseForeign(_ entries: Entries, of type: CellType) {
        var foreign: [(key: String, owner: String)] = []
        if !type.canBe(.string) { foreign += ["format", "minLength", "maxLength", "pattern"].map { ($0, "strings") } }
        if !type.canBe(.number) {
            foreign += ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].map {
                ($0, "numbers")
            }
        }
        for (key, owner) in foreign {
            guard let place = entries.keyRange(key) else { continue }
            complain(
                at: place, "'\(key)' is for \(owner), and this is \(type.inWords)",
                owner == "numbers"
                    ? "write type: number, or remove it" : "remove it: JSON Schema does not ask it here")
        }
    }

    // MARK: - Values

    private func hasNull(_ node: YAMLNode) -> Bool {
        if case .sequence(let nodes) = node.content { return nodes.contains(where: \.isNull) }
        return node.isNull
    }

    private static let isIntegral = Result { try CompiledCheck(.multiple(of: "1")) }

    /// The values of a keyword, null among them.
    private mutating func nodes(_ node: YAMLNode, _ key: String) -> [YAMLNode] {
        key == "enum" ? list(node, "a list of values", suggestion: listAdvice(node)) ?? [] : [node]
    }

    /// The check for a list of values. If the field may have several types of JSON, a value has to equal one of its own
    /// type.
    private mutating func oneOf(_ nodes: [YAMLNode], _ key: String, _ node: YAMLNode, of type: CellType) -> Check? {
        if nodes.isEmpty {
            if case .sequence = node.content { complain(at: node, "'\(key)' is empty: no value could pass") }
            return nil
        }
        func pairs(_ nodes: [YAMLNode]) -> [(String, YAMLNode)] { nodes.map { ($0.scalarText ?? "", $0) } }
        let values = nodes.filter { !$0.isNull }
        if let json = type.json {
            if values.isEmpty {
                complain(
                    at: node, "'\(key)' allows only null, and this is \(type.inWords)",
                    "write type: [\(json), 'null'], or leave out the type")
                return nil
            }
            // The format has no effect on the equality of strings.
            // A value with a fraction is refused as no integer.
            let integral = values.filter { (try? Self.isIntegral.get())?.verdict(of: $0.scalarText ?? "") == .pass }
            return oneOf(pairs(values), as: json == "string" ? .string : type.comparedType(with: integral))
        }
        var checks: [Check] = []
        for (json, kind) in [("string", ValueType.string), ("number", .number), ("boolean", .boolean)] {
            let ofType = values.filter { $0.typeOfJSON == json }
            guard !ofType.isEmpty, let check = oneOf(pairs(ofType), as: kind), let type = JSONType(rawValue: json)
            else { continue }
            checks.append(.all([.jsonType([type]), check]))
        }
        if values.count < nodes.count { checks.append(.jsonType([.null])) }
        return checks.count == 1 ? checks[0] : .any(checks)
    }

    /// A pattern that may match anywhere. Source: JSON Schema 2020-12, Core, section 6.4: not anchored.
    private mutating func searchPattern(_ node: YAMLNode) -> (check: Check, message: String?)? {
        if let digits = node.scalarText?.unicodeEscape {
            complain(at: node, "patterns are PCRE2's, which has no '\\u\(digits)'", "write \\x{\(digits)} instead")
            return nil
        }
        let pattern = ECMAPattern(node.scalarText ?? "")
        var compiled = node
        // PCRE2 does not know these names.
        if pattern.hasLongCategories, case .scalar(_, let style) = node.content {
            compiled = YAMLNode(content: .scalar(pattern.translated, style), range: node.range)
        }
        guard let check = self.pattern(compiled, options: .search), case .matches(_, let options) = check,
            let text = node.scalarText
        else { return nil }
        if pattern.hasComplementInClass {
            complain(at: node, "'\\S' in brackets is not supported", "write it outside the brackets, as in (?:\\S|[…])")
            return nil
        }
        if pattern.translated == text { return (check, nil) }
        let message = Check.matches(pattern: text, options: options).failureMessage
        return (.matches(pattern: pattern.translated, options: options), message)
    }

    /// Refuses `exclusiveMinimum` as a flag of `minimum`, as in draft 4 and earlier. Returns whether there was such a
    /// flag.
    private mutating func refuseFlags(_ entries: Entries) -> Bool {
        var isRefused = false
        for (key, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            guard let node = entries[key], case .scalar(let text, .plain) = node.content,
                ["true", "false"].contains(text)
            else { continue }
            isRefused = true
            let number = entries[bound]?.scalarText ?? "…"
            complain(
                at: node, "'\(key)' is a bound itself since draft 6 of JSON Schema",
                text == "true" ? "remove '\(bound)', and write \(key): \(number)" : "remove it")
        }
        return isRefused
    }
}

extension YAMLNode {
    /// The type of a value in JSON. `nil` for an object or a list. In YAML, an unquoted word that is not valid JSON is
    /// a string.
    fileprivate var typeOfJSON: String? {
        guard case .scalar(let text, let style) = content else { return nil }
        guard style == .plain else { return "string" }
        if ["true", "false"].contains(text) { return "boolean" }
        return text.isJSONNumber ? "number" : "string"
    }
}

extension String {
    /// The digits of the first `\u00E9` in a pattern, as ECMA-262 writes a character.
    fileprivate var unicodeEscape: String? {
        var rest = self[...]
        while let backslash = rest.firstIndex(of: "\\") {
            rest = rest[backslash...].dropFirst()
            let digits = rest.dropFirst().prefix(4)
            if rest.first == "u", digits.count == 4, digits.allSatisfy(\.isHexDigit) { return String(digits) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
