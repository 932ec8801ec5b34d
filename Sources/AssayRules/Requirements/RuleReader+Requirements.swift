internal import Assay

extension RuleReader {
    /// Reads the rules of a requirement: a list or a single rule. `root` is `nil` if the source is empty.
    mutating func requirement(_ root: YAMLNode?, of type: any RuleCodable.Type) -> RuleExpression? {
        guard let root, !root.isNull else {
            if mistakes.isEmpty { complain(at: 0..<0, "there is no rule", "write [] to accept every value") }
            return nil
        }
        return expressions(root, of: type)
    }

    /// Reads one rule, or a list of rules that must all pass.
    private mutating func expressions(_ node: YAMLNode, of type: any RuleCodable.Type) -> RuleExpression? {
        if case .mapping = node.content { return expression(node, of: type) }
        return list(node, of: type).map(RuleExpression.all)
    }

    private mutating func list(_ node: YAMLNode, of type: any RuleCodable.Type) -> [RuleExpression]? {
        guard let nodes = list(node, "a list of rules") else { return nil }
        let expressions = nodes.compactMap { isFull ? nil : expression($0, of: type) }
        return expressions.count == nodes.count ? expressions : nil
    }

    /// Reads one rule with its message. If there is a message, the id is its code; otherwise the id is the rule's name.
    private mutating func expression(_ node: YAMLNode, of type: any RuleCodable.Type) -> RuleExpression? {
        guard let entries = entries(node, "a rule such as \(type.ruleVocabulary.example)", .requirement) else {
            return nil
        }
        let id = entries["id"].flatMap { text($0, "an id") }
        let message = entries["message"].flatMap { text($0, "a message") }
        if let node = entries["severity"],
            choice(node, "a severity", from: Severity.allCases.map(\.rawValue)) == Severity.warn.rawValue
        {
            complain(at: node, "a requirement refuses; it has no warnings", "remove the rule")
        }
        guard countRule(at: entries.range), let main = mainKey(entries),
            let expression = joined(main, entries, type) ?? question(main, entries, type)
        else { return nil }
        if let message { return .because(expression, code: id ?? Reason.defaultCode, message: message) }
        return id.map { .named(expression, $0) } ?? expression
    }

    /// Reads an operator that combines rules about the same value. Returns `nil` if the key is different or invalid.
    private mutating func joined(
        _ main: String, _ entries: Entries, _ type: any RuleCodable.Type
    ) -> RuleExpression? {
        switch main {
        case "all": return entries[main].flatMap { list($0, of: type) }.map(RuleExpression.all)
        case "not": return entries[main].flatMap { expressions($0, of: type) }.map(RuleExpression.not)
        case "any":
            guard let node = entries[main], let list = list(node, of: type) else { return nil }
            if list.isEmpty { complain(at: node, "'any' is empty: no value could pass") }
            return .any(list)
        case "when":
            let condition = entries[main].flatMap { expressions($0, of: type) }
            let then = whatFollows(entries).flatMap { expressions($0, of: type) }
            if let condition, let then { return .when(condition, then: then) }
            return nil
        default: return nil
        }
    }

    /// Reads a rule that tests a value.
    private mutating func question(
        _ main: String, _ entries: Entries, _ type: any RuleCodable.Type
    ) -> RuleExpression? {
        let outline = type.ruleVocabulary
        switch (main, outline) {
        case ("all", _), ("any", _), ("not", _), ("when", _):
            return nil
        case ("required", .cell) where type == String.self:
            if let node = entries[main], bool(node) == false { return remove(main, at: node) }
            let missing = entries["missingValues"].flatMap { values($0, "texts") }
            return .present(missing: missing ?? Schema().missingValues)
        case ("at", .record(let members)):
            return part(entries, members)
        case ("require", .record(let members)):
            guard let node = entries[main], let member = member(node, members) else { return nil }
            if member.type == Bool.self { return .require(member.name) }
            complain(at: node, "\(member.name.quoted) is not true or false", "write {at: \(member.name), rules: […]}")
            return nil
        case ("check", .record):
            return entries[main].flatMap { rowRule($0, of: type) }
        case ("minItems", .list), ("minItems", .dictionary):
            return count(entries)
        case ("each", .list(let element)), ("each", .dictionary(let element)):
            return entries[main].flatMap { expressions($0, of: element) }.map(RuleExpression.each)
        case ("contains", .list(let element)):
            return entries[main].flatMap { expressions($0, of: element) }.map(RuleExpression.contains)
        case ("uniqueItems", .list(let element)):
            guard let node = entries[main], let isUnique = bool(node) else { return nil }
            if !isUnique { return remove(main, at: node) }
            return unique(by: nil, element, at: node)
        case ("uniqueBy", .list(let element)):
            guard let node = entries[main] else { return nil }
            guard case .record(let members) = element.ruleVocabulary else {
                complain(at: node, "the elements have no members", "write uniqueItems: true")
                return nil
            }
            return member(node, members).flatMap { unique(by: $0.name, $0.type, at: node) }
        case ("ifPresent", .optional(let wrapped)):
            return entries[main].flatMap { expressions($0, of: wrapped) }.map(RuleExpression.ifPresent)
        case ("notNil", .optional(let wrapped)):
            return entries[main].flatMap { expressions($0, of: wrapped) }.map(RuleExpression.notNil)
        case (let key, .cell(let cell)) where !KeyTable.requirementKeys.contains(key):
            let context = FieldContext(name: "", type: cell, hasType: true, unit: .scalars)
            return check(main, entries, context).map { .check($0.check) }
        default:
            let key = entries.present(KeyTable.checkKeys + KeyTable.requirementKeys).first ?? main
            complain(
                at: entries.keyRange(key) ?? entries.range, "'\(key)' does not suit \(outline.inWords)",
                outline.advice)
            return nil
        }
    }

    /// Reads a CEL expression about the members.
    private mutating func rowRule(_ node: YAMLNode, of type: any RuleCodable.Type) -> RuleExpression? {
        guard let record = type as? any RuleRecord.Type, let text = text(node, "an expression") else { return nil }
        do throws(CELMistake) {
            _ = try record.celProgram(text)
            return .row(text)
        } catch {
            noteExpressionMistake(error, at: node, text: text)
            return nil
        }
    }

    private mutating func remove(_ key: String, at node: YAMLNode) -> RuleExpression? {
        complain(at: node, "'\(key): false' has no effect", "remove it")
        return nil
    }

    private mutating func count(_ entries: Entries) -> RuleExpression? {
        let (low, high) = (entries["minItems"], entries["maxItems"])
        let (min, max) = (low.flatMap { count($0) }, high.flatMap { count($0) })
        if low != nil && min == nil || high != nil && max == nil { return nil }
        if let min, let max, let high, min > max {
            complain(at: high, "the maxItems \(max) is less than the minItems \(min)", "no list could pass")
        }
        return .count(min: min, max: max)
    }

    private mutating func unique(by name: String?, _ type: any RuleCodable.Type, at node: YAMLNode) -> RuleExpression? {
        if type is any Hashable.Type { return .unique(by: name) }
        complain(at: node, "\(type) is not Hashable in Swift", "write uniqueBy: with a member that is")
        return nil
    }
}

// MARK: - Members

extension RuleReader {
    private typealias Member = (name: String, type: any RuleCodable.Type)

    /// Reads `at` with the rules of a part, or with another part to compare with.
    private mutating func part(_ entries: Entries, _ members: [Member]) -> RuleExpression? {
        guard let node = entries["at"] else { return nil }
        let one = member(node, members)
        let keys = entries.present(["rules"] + Comparison.allCases.map(\.rawValue))
        guard let key = keys.first, let value = entries[key] else {
            complain(at: node, "'at' without 'rules'", "write {at: …, rules: […]}, or compare: {at: …, equals: …}")
            return nil
        }
        if keys.count > 1 {
            complain(at: entries.keyRange(keys[1])!, "'\(keys[1])' beside '\(key)'", "write two rules")
            return nil
        }
        guard let comparison = Comparison(rawValue: key) else {
            return one.flatMap { one in expressions(value, of: one.type).map { .at(one.name, $0) } }
        }
        guard let other = member(value, members), let one else { return nil }
        if one.type != other.type {
            complain(at: value, "\(one.name.quoted) is \(one.type) and \(other.name.quoted) is \(other.type)")
        } else if comparison.isOrder && !(one.type is any Comparable.Type) {
            complain(at: value, "\(one.type) is not Comparable in Swift", "equals and notEquals need no order")
        } else if !(one.type is any Equatable.Type) {
            complain(at: value, "\(one.type) is not Equatable in Swift")
        }
        return .compare(one.name, comparison, other.name)
    }

    private mutating func member(_ node: YAMLNode, _ members: [Member]) -> Member? {
        guard let name = choice(node, "a member", from: members.map(\.name)) else { return nil }
        return members.first { $0.name == name }
    }
}

extension RuleVocabulary {
    fileprivate var inWords: String {
        switch self {
        case .cell(let type): type.kind == .string ? "a text" : type.kind.inWords
        case .optional: "a value that may be missing"
        case .list: "a list"
        case .dictionary: "a dictionary"
        case .record: "a record"
        }
    }

    fileprivate var example: String {
        switch self {
        case .cell: "{pattern: '…'}"
        case .optional: "{ifPresent: […]}"
        case .list, .dictionary: "{each: […]}"
        case .record: "{at: …, rules: […]}"
        }
    }

    fileprivate var advice: String? {
        if case .cell = self { return nil }
        return "write \(example)"
    }
}
