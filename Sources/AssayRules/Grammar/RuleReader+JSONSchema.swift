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
/// What it cannot say of a cell, and what we cannot judge, is refused and never ignored, although JSON Schema itself ignores
/// much. Source: JSON Schema 2020-12, Validation; keywords that mean the same since draft 6.
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
        if let node = entries["type"], let type = text(node, "'object'"), type != "object" {
            complain(
                at: node, "a record is an object, and this is the schema of \(type.quoted)",
                "make a file of the schema of one record: {type: object, properties: {…}}")
        }
        if let node = entries["additionalProperties"], let isAllowed = bool(node), entries["fieldsMatch"] == nil {
            file.schema.fieldsMatch = isAllowed ? .subset : .equal
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
            return Field(name: entry.key, type: Self.anyValue, isRequired: isRequired)
        }
        guard let entries = entries(entry.value, "a schema such as {type: string}", .property),
            let type = cellType(entries)
        else { return nil }
        // Null must be of the type, and one of the values, where there are such keywords.
        let values = [entries["enum"], entries["const"]].compactMap { $0 }
        let isOfType = entries["type"] == nil ? !values.isEmpty : type.isNullable
        let nullable = isOfType && values.allSatisfy(hasNull)
        var field = Field(name: entry.key, type: type.value, isRequired: isRequired && !nullable)
        if type.value != .string {
            let code = type.value.ruleCode
            ids[ByteEqualString("\(entry.key).\(code)")] = entries.keyRange(code) ?? entries.range
        }
        refuseForeign(entries, of: type)
        let hasOtherValues = refuseOtherValues(entries, than: type)
        if type.json == nil { return field }

        let context = FieldContext(name: entry.key, type: type.value, hasType: true, unit: .scalars)
        if type.json == "string", let (min, max, unit) = lengthBounds(entries, context) {
            if let min { append(.length(min: min, max: nil, in: unit), "minLength", entries, to: &field) }
            if let max { append(.length(min: nil, max: max, in: unit), "maxLength", entries, to: &field) }
        }
        if type.json == "string", let node = entries["pattern"], let (check, message) = searchPattern(node) {
            append(check, "pattern", at: entries.keyRange("pattern") ?? node.range, message, to: &field)
        }
        // Strings are equal letter by letter, whatever their format.
        let compared = type.json == "string" ? .string : type.value
        if !hasOtherValues, let node = entries["enum"], !refuseOnlyNull(node, "enum"),
            let check = enumeration(withoutNull(node), as: compared)
        {
            append(check, "enum", entries, to: &field)
        }
        if !hasOtherValues, let node = entries["const"], !refuseOnlyNull(node, "const"),
            let value = text(node, "a value"),
            let check = oneOf([(value, node)], as: compared)
        {
            append(check, "const", entries, to: &field)
        }
        if type.json != "string" && !refuseFlags(entries) {
            for (key, check) in bounds(entries, as: type.value, hasType: true) {
                append(check, key, entries, to: &field)
            }
        }
        if type.isNumeric, let node = entries["multipleOf"], let step = multiple(node) {
            append(
                step.check, "multipleOf", at: entries.keyRange("multipleOf") ?? node.range,
                "is not a multiple of \(step.text), written without an exponent", to: &field)
        }
        return field
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

    /// What a property says that its cells are.
    private struct CellType {
        /// `string`, `integer`, `number` or `boolean`; `nil`: any value of JSON.
        var json: String?
        var value: ValueType
        var isNullable = false

        var isNumeric: Bool { json == "integer" || json == "number" }
        var inWords: String { json.map { $0 == "integer" ? "an integer" : "a \($0)" } ?? "a value of any type" }
    }

    private mutating func cellType(_ entries: Entries) -> CellType? {
        var type = CellType(json: nil, value: Self.anyValue)
        if let node = entries["type"] {
            guard let (json, isNullable) = jsonType(node) else { return nil }
            type = CellType(json: json, value: ValueType(kind(json)), isNullable: isNullable)
        } else if Self.valueKeys.contains(where: { entries[$0] != nil }) {
            // An `enum` of null alone is refused below.
            let json = typeOfValues(entries) ?? "string"
            type = CellType(json: json, value: ValueType(kind(json)))
        }
        guard type.json == "string", let node = entries["format"] else { return type }
        guard let format = text(node, "a format") else { return nil }
        switch format {
        case "date": type.value = .date
        default:
            if let ours = Self.builtInTypes[format] {
                type.value = ValueType(.string, format: ours)
                break
            }
            let known = (["date"] + Self.builtInTypes.keys).sorted()
            complain(
                at: node, "unknown format \(format.quoted)",
                closestName(to: format, among: known).map { "did you mean '\($0)'?" }
                    ?? "known are \(known.joined(separator: ", "))")
            return nil
        }
        return type
    }

    private func kind(_ json: String) -> ValueType.Kind { ValueType.Kind(rawValue: json) ?? .string }

    /// The type of the first value, for a property without a type. A value of another type of JSON cannot be one of them.
    private func typeOfValues(_ entries: Entries) -> String? {
        Self.valueKeys.lazy.compactMap { key in entries[key].map { self.values($0, key) } }.joined().first?.typeOfJSON
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
                if json == type.json || json == "number" && type.isNumeric { continue }
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

    /// What a format of JSON Schema is among the built-in types (JSON Schema Validation 2020-12, section 7.3).
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

    /// The one type of a cell. Of several only null may be beside it, or number beside integer.
    private mutating func jsonType(_ node: YAMLNode) -> (json: String, isNullable: Bool)? {
        let nodes: [YAMLNode] = if case .sequence(let nodes) = node.content { nodes } else { [node] }
        var words: Set<String> = []
        for node in nodes {
            // The word null, quoted as JSON has it or not.
            if node.isNull, node.scalarText == "null" {
                words.insert("null")
                continue
            }
            guard let word = text(node, "a type") else { return nil }
            switch word {
            case "string", "integer", "number", "boolean", "null": words.insert(word)
            case "object", "array":
                complain(
                    at: node, "a cell holds no \(word)",
                    "give each part a column of its own, or leave the property out")
                return nil
            default:
                let names = ["string", "integer", "number", "boolean", "null"]
                complain(
                    at: node, "unknown type \(word.quoted)",
                    closestName(to: word, among: names).map { "did you mean '\($0)'?" }
                        ?? "JSON Schema has \(names.joined(separator: ", "))")
                return nil
            }
        }
        let isNullable = words.remove("null") != nil
        if words.isSuperset(of: ["integer", "number"]) { words.remove("integer") }
        if words.count == 1, let word = words.first { return (word, isNullable) }
        complain(
            at: node,
            words.isEmpty ? "there is no type but null" : "a cell is read as one type, and here are several",
            words.isEmpty ? "leave the property out" : "write the widest of them, such as type: string")
        return nil
    }

    /// Keywords that JSON Schema would silently not ask of this type.
    private mutating func refuseForeign(_ entries: Entries, of type: CellType) {
        var foreign: [(key: String, owner: String)] = []
        if type.json != "string" { foreign += ["format", "minLength", "maxLength", "pattern"].map { ($0, "strings") } }
        if !type.isNumeric {
            foreign += ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].map { ($0, "numbers") }
        }
        if !type.isNumeric { foreign.append(("multipleOf", "numbers")) }
        for (key, owner) in foreign {
            guard let place = entries.keyRange(key) else { continue }
            complain(
                at: place, "'\(key)' is for \(owner), and this is \(type.inWords)",
                type.json == nil
                    ? "write type: \(owner.dropLast()) beside it"
                    : owner == "numbers"
                        ? "write type: number, or remove it" : "remove it: JSON Schema does not ask it here")
        }
    }

    // MARK: - Values

    private func hasNull(_ node: YAMLNode) -> Bool {
        if case .sequence(let nodes) = node.content { return nodes.contains(where: \.isNull) }
        return node.isNull
    }

    /// Where null, the empty cell, is all that is allowed.
    private mutating func refuseOnlyNull(_ node: YAMLNode, _ key: String) -> Bool {
        let isOnlyNull =
            if case .sequence(let nodes) = node.content { !nodes.isEmpty && nodes.allSatisfy(\.isNull) } else {
                node.isNull
            }
        guard isOnlyNull else { return false }
        complain(
            at: node, "'\(key)' allows nothing but null, the empty cell",
            "for a column that is always empty write maxLength: 0")
        return true
    }

    /// A list without null, which is the empty cell, and nothing is asked of that.
    private func withoutNull(_ node: YAMLNode) -> YAMLNode {
        guard case .sequence(let nodes) = node.content else { return node }
        return YAMLNode(content: .sequence(nodes.filter { !$0.isNull }), range: node.range)
    }

    /// A pattern that may match anywhere. Source: JSON Schema 2020-12, Core, section 6.4: not anchored.
    private mutating func searchPattern(_ node: YAMLNode) -> (check: Check, message: String?)? {
        if let digits = node.scalarText?.unicodeEscape {
            complain(at: node, "patterns are PCRE2's, which has no '\\u\(digits)'", "write \\x{\(digits)} instead")
            return nil
        }
        guard let check = pattern(node, options: .search), case .matches(let text, let options) = check else {
            return nil
        }
        let pattern = ECMAPattern(text)
        if pattern.hasComplementInClass {
            complain(at: node, "'\\S' in brackets is not supported", "write it outside of them, as in (?:\\S|[…])")
            return nil
        }
        if pattern.translated == text { return (check, nil) }
        return (.matches(pattern: pattern.translated, options: options), check.failureMessage)
    }

    /// Up to draft 4 `exclusiveMinimum` was a flag of `minimum`. Says whether there was one.
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

    /// A multiple of 1, 2 or 5 times a power of ten, which the last digits tell.
    ///
    ///     0.05    1.15  1.1  1  -0.50        and not 1.12
    ///     20      40    0    120.0           and not 30
    private mutating func multiple(_ node: YAMLNode) -> (check: Check, text: String)? {
        guard let text = text(node, "a number") else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts[0].drop { $0 == "0" }
        let fraction = String(parts.dropFirst().joined().reversed().drop { $0 == "0" }.reversed())
        guard !text.isEmpty, (whole + fraction).allSatisfy({ ("0"..."9").contains($0) }), !(whole + fraction).isEmpty
        else {
            complain(at: node, "\(text.quoted) is not a number greater than 0 without an exponent")
            return nil
        }
        guard text.utf8.count <= Self.mostDigits else {
            complain(
                at: node, "a number of \(text.utf8.count) digits is more than can be divided by here",
                "at most \(Self.mostDigits)")
            return nil
        }
        // The one digit that is not zero, and the zeros behind it or before it.
        let digits = (whole + fraction).filter { $0 != "0" }
        let place = whole.isEmpty ? fraction.count : whole.count
        guard let last = Self.lastDigits[digits], whole.isEmpty || (fraction.isEmpty && whole.first != "0") else {
            complain(
                at: node, "a multiple of \(text) is not supported yet",
                "write 1, 2 or 5 with any number of zeros, such as 0.01, 5 or 100")
            return nil
        }
        let pattern: String
        if whole.isEmpty {
            pattern = #"[+-]?\d*(?:\.(?:\d{0,\#(place - 1)}|\d{\#(place - 1)}\#(last))0*)?"#
        } else {
            let zeros = String(repeating: "0", count: place - 1)
            pattern = #"[+-]?(?:0*|\d*\#(last)\#(zeros))(?:\.0*)?"#
        }
        return (.matches(pattern: pattern), text)
    }

    /// Of what values are a multiple of: each becomes a part of a pattern.
    private static let mostDigits = 100

    /// The last digit of the multiples of a digit.
    private static let lastDigits: [String: String] = ["1": "[0-9]", "2": "[02468]", "5": "[05]"]
}

extension YAMLNode {
    /// The type that a value has in JSON; `nil`: it is an object or a list. In YAML a word without quotes that JSON does not have is a
    /// string.
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
