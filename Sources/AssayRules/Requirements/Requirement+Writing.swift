public import Assay

/// A requirement that a rule file cannot represent.
public struct NotSerializableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requirement in words.
    public var requirement: String

    public var description: String {
        """
        this requirement is not data: \(requirement)
        A rule file cannot hold closures or members that `members` does not list; write the other parts separately.
        """
    }

    /// The ``description``, under the name that Foundation uses for messages to people.
    public var localizedDescription: String { description }
}

extension Requirement where Value: RuleCodable {
    /// Returns the requirement in YAML. A requirement on a text, number or truth value has the form of a field's
    /// `rules`.
    ///
    ///     - minLength: 8
    ///       lengthUnit: characters
    ///       message: At least 8 characters
    ///     - pattern: '\p{Nd}'
    ///       options: [search]
    ///
    /// Each part of a conjunction is one rule with its own message; its `id` is a code or a name. The requirement that
    /// ``Requirement/init(yaml:name:limits:)`` reads from it gives the same verdicts, for the same reasons.
    ///
    /// - Throws: ``NotSerializableError`` if a part is a closure, or a part of a record that is not among its members.
    public func yaml() throws(NotSerializableError) -> String {
        let json = try json()
        // JSON is YAML. Read it as YAML to write it in the usual style.
        var reader = YAMLReader(SourceText(name: "", bytes: Array(json.utf8)), depth: 1_000)
        guard let root = reader.read(), reader.mistakes.isEmpty else { return json }
        return YAMLWriter.text(root)
    }

    /// Returns the requirement in JSON.
    ///
    /// - Throws: ``NotSerializableError``.
    public func json() throws(NotSerializableError) -> String {
        guard let expression else { throw NotSerializableError(requirement: description) }
        var json = JSONWriter()
        json.rules(expression, of: Value.self)
        return json.text + "\n"
    }
}

extension JSONWriter {
    /// Writes a list of rules: the parts of a conjunction, or a single rule.
    fileprivate mutating func rules(_ expression: RuleExpression, of type: any RuleCodable.Type) {
        array { json in
            if case .all(let expressions) = expression {
                for expression in expressions { json.rule(expression, of: type) }
            } else {
                json.rule(expression, of: type)
            }
        }
    }

    private mutating func rule(_ expression: RuleExpression, of type: any RuleCodable.Type) {
        object { json in json.body(expression, of: type) }
    }

    /// Writes the keys of a rule inside an object.
    private mutating func body(_ expression: RuleExpression, of type: any RuleCodable.Type) {
        switch (expression, type.ruleVocabulary) {
        case (.because(let inner, let code, let message), _):
            if code != Reason.defaultCode { member("id", code) }
            member("message", message)
            withoutWords(inner, of: type)
        case (.named(let inner, let name), _):
            member("id", name)
            withoutWords(inner, of: type)
        case (.any([]), _), (.check(.any([])), _):
            // An empty `any` is a mistake in a rule file, so write a condition that no value meets.
            list("any", [.not(.all([]))], of: type)
        case (.check(let check), .cell(let cell)):
            self.check(check, in: Field(name: "", type: cell))
        case (.present(let missing), _):
            key("required")
            bool(true)
            key("missingValues")
            strings(missing)
        case (.all(let expressions), _):
            list("all", expressions, of: type)
        case (.any(let expressions), _):
            list("any", expressions, of: type)
        case (.not(let inner), _):
            one("not", inner, of: type)
        case (.when(let condition, let then), _):
            one("when", condition, of: type)
            one("then", then, of: type)
        case (.at(let name, let inner), .record(let members)):
            member("at", name)
            key("rules")
            rules(inner, of: members.first { $0.name == name }!.type)
        case (.require(let name), _):
            member("require", name)
        case (.compare(let name, let comparison, let other), _):
            member("at", name)
            member(comparison.rawValue, other)
        case (.row(let text), _):
            member("check", text)
        case (.count(let min, let max), _):
            for case (let name, let count?) in [("minItems", min ?? (max == nil ? 0 : nil)), ("maxItems", max)] {
                key(name)
                integer(count)
            }
        case (.each(let inner), .list(let element)), (.each(let inner), .dictionary(let element)):
            key("each")
            rules(inner, of: element)
        case (.contains(let inner), .list(let element)):
            key("contains")
            rules(inner, of: element)
        case (.unique(nil), _):
            key("uniqueItems")
            bool(true)
        case (.unique(let name?), _):
            member("uniqueBy", name)
        case (.ifPresent(let inner), .optional(let wrapped)):
            key("ifPresent")
            rules(inner, of: wrapped)
        case (.notNil(let inner), .optional(let wrapped)):
            key("notNil")
            rules(inner, of: wrapped)
        case (.check, _), (.at, _), (.each, _), (.contains, _), (.ifPresent, _), (.notNil, _):
            preconditionFailure("the nodes of a requirement suit its type, \(type): \(expression)")
        }
    }

    /// Writes a rule next to an id or a message. A rule with its own message is nested one level deeper.
    private mutating func withoutWords(_ expression: RuleExpression, of type: any RuleCodable.Type) {
        switch expression {
        case .because, .named: list("all", [expression], of: type)
        default: body(expression, of: type)
        }
    }

    private mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    private mutating func one(_ name: String, _ expression: RuleExpression, of type: any RuleCodable.Type) {
        key(name)
        rule(expression, of: type)
    }

    private mutating func list(_ name: String, _ expressions: [RuleExpression], of type: any RuleCodable.Type) {
        key(name)
        array { json in
            for expression in expressions { json.rule(expression, of: type) }
        }
    }
}

extension Field {
    /// Creates a column with cells that must meet a requirement, so that a form and a file share the same rules.
    ///
    /// A rule without an id gets the default id of its kind, such as `password.minLength`.
    ///
    /// - Throws: ``NotSerializableError``.
    public init<Value: CellConvertible>(
        name: String, isRequired: Bool = false, _ requirement: Requirement<Value>
    ) throws(NotSerializableError) {
        guard let rules = requirement.expression?.rules else {
            throw NotSerializableError(requirement: requirement.description)
        }
        var uses: [String: Int] = [:]
        self.init(
            name: name, type: Value.cellType, isRequired: isRequired,
            rules: rules.map { rule in
                let id = rule.code ?? "\(name).\(rule.check.code)"
                uses[id, default: 0] += 1
                let number = uses[id, default: 1]
                return Rule(
                    id: number == 1 ? id : "\(id)-\(number)", code: rule.check.code, check: rule.check,
                    message: rule.message)
            })
    }
}
