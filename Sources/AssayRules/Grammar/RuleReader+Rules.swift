internal import Assay

extension RuleReader {
    /// Reads the rules of a field that are specific to Assay, as a list.
    mutating func rules(_ node: YAMLNode, _ context: FieldContext) -> [Rule] {
        let advice: String? = if case .mapping = node.content { "start each rule with '- '" } else { nil }
        guard let nodes = list(node, "a list of rules", suggestion: advice) else { return [] }
        return nodes.compactMap { isFull ? nil : ownRule($0, context) }
    }

    private mutating func ownRule(_ node: YAMLNode, _ context: FieldContext) -> Rule? {
        guard let entries = entries(node, "a rule such as {pattern: '…'}", .rule) else { return nil }
        let id = entries["id"].flatMap { text($0, "an id") }
        let message = entries["message"].flatMap { text($0, "a message") }
        let severity = severity(entries)
        guard let (code, check) = check(entries, context) else { return nil }
        if entries["id"] != nil && id == nil { return nil }
        let name = id ?? "\(context.name).\(code)"
        guard take(name, at: entries["id"]?.range ?? placeOfCheck(entries), isWritten: id != nil) else { return nil }
        return Rule(id: name, code: code, check: check, message: message, severity: severity)
    }

    mutating func severity(_ entries: Entries) -> Severity {
        let names = Severity.allCases.map(\.rawValue)
        guard let node = entries["severity"] else { return .reject }
        return choice(node, "a severity", from: names).flatMap(Severity.init) ?? .reject
    }

    private func placeOfCheck(_ entries: Entries) -> Range<Int> {
        entries.present(KeyTable.checkKeys).first.flatMap { entries.keyRange($0) } ?? entries.range
    }

    /// Returns the only check of a mapping, and its code.
    mutating func check(_ entries: Entries, _ context: FieldContext) -> (code: String, check: Check)? {
        guard countRule(at: entries.range), let main = mainKey(entries) else { return nil }
        return check(main, entries, context)
    }

    /// Returns the check of a mapping for its main key.
    mutating func check(_ main: String, _ entries: Entries, _ context: FieldContext) -> (code: String, check: Check)? {
        switch main {
        case "pattern":
            let options = entries["options"].map { self.options($0) } ?? []
            // The pattern may be valid with other options, so an invalid option must not produce an error about the
            // pattern.
            guard let node = entries["pattern"], let options else { return nil }
            return pattern(node, options: options).map { ("pattern", $0) }
        case "minLength":
            return lengthCheck(entries, context)
        case "enum":
            guard let node = entries["enum"], let type = comparisonType(entries, context) else { return nil }
            return enumeration(node, as: type).map { ("enum", $0) }
        case "minimum":
            return range(entries, context)
        case "multipleOf":
            guard let node = entries["multipleOf"], let type = comparisonType(entries, context) else { return nil }
            return multiple(node, as: type).map { ("multipleOf", $0) }
        case "jsonType":
            return entries["jsonType"].flatMap { jsonTypes($0) }.map { ("type", .jsonType($0)) }
        case "type":
            return valueType(entries).map { ("type", .type($0)) }
        case "all", "any":
            guard let node = entries[main], let checks = checks(node, context) else { return nil }
            if main == "any" && checks.isEmpty {
                complain(at: node, "'any' is empty: no value could pass")
                return nil
            }
            let check = main == "all" ? Check.all(checks) : .any(checks)
            return (check.code, check)
        case "not":
            return entries["not"].flatMap { inner($0, context) }.map { ("not", .not($0)) }
        default:
            let condition = entries["when"].flatMap { inner($0, context) }
            guard let then = whatFollows(entries) else { return nil }
            guard let consequence = inner(then, context), let condition else { return nil }
            let check = Check.when(condition, then: consequence)
            return (check.code, check)
        }
    }

    /// Reads the check for `multipleOf`.
    mutating func multiple(_ node: YAMLNode, as type: ValueType) -> Check? {
        guard let divisor = text(node, "a number greater than 0") else { return nil }
        guard [.integer, .number].contains(type.kind) else {
            complain(
                at: node, "'multipleOf' is for integer and number, and this is \(type.kind.inWords)",
                "write as: number beside it")
            return nil
        }
        // The divisor of an integer may be a fraction, such as 0.5 (every integer passes that), so the check uses
        // numbers.
        let check = Check.multiple(of: divisor, as: type.kind == .integer ? .number : type)
        do {
            _ = try CompiledCheck(check)
            return check
        } catch {
            complain(at: node, "'multipleOf': \(error.message)")
            return nil
        }
    }

    /// Reads one JSON type, or a list of types.
    mutating func jsonTypes(_ node: YAMLNode) -> [JSONType]? {
        let nodes: [YAMLNode] = if case .sequence(let nodes) = node.content { nodes } else { [node] }
        var types: [JSONType] = []
        for node in nodes {
            // The word null may be quoted or not.
            let isNull = node.isNull && node.scalarText == "null"
            guard
                let word = isNull ? "null" : choice(node, "a type of JSON", from: JSONType.allCases.map(\.rawValue)),
                let type = JSONType(rawValue: word)
            else { return nil }
            if !types.contains(type) { types.append(type) }
        }
        if types.isEmpty { complain(at: node, "the list is empty: no value could pass") }
        return types.isEmpty ? nil : types
    }

    /// Reads the limits on the length of a text or on the number of items.
    private mutating func lengthCheck(_ entries: Entries, _ context: FieldContext) -> (code: String, check: Check)? {
        var context = context
        if let node = entries["as"] {
            guard let type = comparisonType(entries, context) else { return nil }
            if !type.hasMembers {
                let main = entries.present(["minLength", "maxLength"])[0]
                complain(
                    at: entries.keyRange("as") ?? node.range,
                    "'as' has no meaning beside '\(main)', unless it is list, array or object")
                return nil
            }
            context.type = type
        }
        guard let (min, max, unit) = lengthBounds(entries, context) else { return nil }
        let check: Check =
            if let type = context.type, type.hasMembers {
                .count(min: min, max: max, as: type)
            } else {
                .length(min: min, max: max, in: unit)
            }
        return (check.code, check)
    }

    /// Returns the value of `then`. Reports a mistake if it is missing.
    mutating func whatFollows(_ entries: Entries) -> YAMLNode? {
        if entries["then"] == nil && !entries.meant.contains("then") {
            complain(at: entries.keyRange("when")!, "'when' without 'then'", "write {when: …, then: …}")
        }
        return entries["then"]
    }

    /// Keys that form one check. The first one names it.
    private struct Family {
        var main: String
        /// A mapping has this check if it contains at least one of these keys.
        var makers: [String]
        /// Optional keys that refine the check.
        var helpers: [String] = []
    }

    private static let families = [
        Family(main: "pattern", makers: ["pattern"], helpers: ["options"]),
        Family(main: "minLength", makers: ["minLength", "maxLength"], helpers: ["lengthUnit", "as"]),
        Family(main: "enum", makers: ["enum"], helpers: ["as"]),
        Family(
            main: "minimum", makers: ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"], helpers: ["as"]),
        Family(main: "multipleOf", makers: ["multipleOf"], helpers: ["as"]),
        Family(main: "jsonType", makers: ["jsonType"]),
        Family(main: "type", makers: ["type"], helpers: Array(KeyTable.typeKeys.dropFirst())),
        Family(main: "all", makers: ["all"]), Family(main: "any", makers: ["any"]),
        Family(main: "not", makers: ["not"]),
        Family(main: "when", makers: ["when"], helpers: ["then"]),
        // Only requirements that are written as data may have the following keys, not the rules of a rule file.
        Family(main: "at", makers: ["at"], helpers: ["rules"] + Comparison.allCases.map(\.rawValue)),
        Family(main: "require", makers: ["require"]), Family(main: "check", makers: ["check"]),
        Family(main: "required", makers: ["required"], helpers: ["missingValues"]),
        Family(main: "minItems", makers: ["minItems", "maxItems"]),
        Family(main: "each", makers: ["each"]), Family(main: "contains", makers: ["contains"]),
        Family(main: "uniqueItems", makers: ["uniqueItems"]), Family(main: "uniqueBy", makers: ["uniqueBy"]),
        Family(main: "ifPresent", makers: ["ifPresent"]), Family(main: "notNil", makers: ["notNil"]),
    ]

    /// Returns the key that selects the check of a mapping. Reports a mistake unless there is exactly one.
    mutating func mainKey(_ entries: Entries) -> String? {
        let found = Self.families.filter { !entries.present($0.makers).isEmpty }
        guard let family = found.first, found.count == 1 else {
            if let family = found.first {
                let other = entries.present(found[1].makers)[0]
                complain(
                    at: entries.keyRange(other)!,
                    "a rule is one check, and this has '\(entries.present(family.makers)[0])' and '\(other)'",
                    "write two rules, or all: [{…}, {…}]")
            } else if let helper = Self.families.first(where: { !entries.present($0.helpers).isEmpty }) {
                let key = entries.present(helper.helpers)[0]
                let makers = helper.makers.map { "'\($0)'" }.joined(separator: " or ")
                complain(
                    at: entries.keyRange(key)!, "'\(key)' without \(makers)",
                    key == "format" ? "write {type: string, format: …}" : nil)
            } else if !entries.hasStrangers {
                let first =
                    entries.range
                    .lowerBound..<min(entries.range.upperBound, source.line(line(of: entries.range) - 1).upperBound)
                complain(
                    at: first, "there is no check in this rule",
                    "write one of pattern, minLength, maxLength, enum, minimum, maximum, multipleOf, type, jsonType, "
                        + "all, any, not, when"
                )
            }
            return nil
        }
        let helpers = Set(Self.families.flatMap(\.helpers)).subtracting(family.helpers)
        for key in entries.present(KeyTable.checkKeys + KeyTable.requirementKeys) where helpers.contains(key) {
            complain(
                at: entries.keyRange(key)!, "'\(key)' has no meaning beside '\(entries.present(family.makers)[0])'")
        }
        return family.main
    }

    /// Reads the options of a pattern. Returns `nil` if one is invalid.
    private mutating func options(_ node: YAMLNode) -> Pattern.Options? {
        guard let nodes = list(node, "a list of options", suggestion: listAdvice(node)) else { return nil }
        var options: Pattern.Options = []
        var isRight = true
        for node in nodes {
            let name = choice(node, "an option", from: Pattern.Options.names.map(\.name))
            if let option = Pattern.Options.names.first(where: { $0.name == name })?.option {
                options.insert(option)
            } else {
                isRight = false
            }
        }
        return isRight ? options : nil
    }

    /// Returns the type of the values of an `enum` or of bounds: the type in `as`, or the type of the field.
    private mutating func comparisonType(_ entries: Entries, _ context: FieldContext) -> ValueType? {
        guard let node = entries["as"] else { return context.type }
        if case .mapping = node.content {
            return self.entries(node, "a type", .type).flatMap { valueType($0) }
        }
        // A single word is a type without properties.
        var entries = Entries(range: node.range)
        entries.insert(YAMLEntry(key: "type", keyRange: node.range, value: node))
        return valueType(entries)
    }

    private mutating func range(_ entries: Entries, _ context: FieldContext) -> (code: String, check: Check)? {
        for (one, other) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
            if entries[one] != nil, let place = entries.keyRange(other) {
                complain(at: place, "a rule has '\(one)' or '\(other)', not both", "write two rules")
                return nil
            }
        }
        guard let type = comparisonType(entries, context) else { return nil }
        let bounds = bounds(entries, as: type, hasType: context.hasType || entries["as"] != nil, isRule: true)
        guard bounds.count == entries.present(["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"]).count
        else { return nil }
        var (min, max): (Bound?, Bound?) = (nil, nil)
        for case (_, .range(let low, let high, _)) in bounds {
            min = low ?? min
            max = high ?? max
        }
        let check = Check.range(min: min, max: max, as: type)
        return (check.code, check)
    }

    private mutating func checks(_ node: YAMLNode, _ context: FieldContext) -> [Check]? {
        let advice: String? = if case .mapping = node.content { "write a list: [{…}, {…}]" } else { nil }
        guard let nodes = list(node, "a list of checks", suggestion: advice) else { return nil }
        let checks = nodes.compactMap { inner($0, context) }
        return checks.count == nodes.count ? checks : nil
    }

    /// Reads a check inside a rule.
    private mutating func inner(_ node: YAMLNode, _ context: FieldContext) -> Check? {
        let advice: String? = if case .sequence = node.content { "write all: […] or any: […]" } else { nil }
        guard let entries = entries(node, "a check such as {pattern: '…'}", .check, suggestion: advice) else {
            return nil
        }
        return check(entries, context)?.check
    }
}

extension Check {
    /// The name of the check's kind in rule files, which is the code of its findings.
    package var code: String {
        switch self {
        case .type: "type"
        case .length(_, nil, _), .count(_, nil, _): "minLength"
        case .length(nil, _, _), .count(nil, _, _): "maxLength"
        case .length, .count: "length"
        case .matches: "pattern"
        case .oneOf: "enum"
        case .range(let min?, nil, _): min.isExclusive ? "exclusiveMinimum" : "minimum"
        case .range(nil, let max?, _): max.isExclusive ? "exclusiveMaximum" : "maximum"
        case .range: "range"
        case .multiple: "multipleOf"
        case .jsonType: "type"
        case .all: "all"
        case .any: valuesOfTypes == nil ? "any" : "enum"
        case .not: "not"
        // A `when` on the JSON type only limits a check to values of that type, so the code is that of the inner check.
        case .when(.jsonType, let then): then.code
        case .when: "when"
        }
    }
}
