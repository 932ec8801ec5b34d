public import Assay

/// A requirement that no rule file can hold.
public struct NotDataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requirement in words.
    public var requirement: String

    public var description: String {
        """
        this requirement is not data: \(requirement)
        A rule file holds no closures, and nothing about elements or parts of a value; write those parts for themselves.
        """
    }
}

extension Requirement where Value: CellValue {
    /// The requirement as the `rules` of a field, in YAML.
    ///
    ///     - minLength: 8
    ///       lengthUnit: characters
    ///       message: At least 8 characters
    ///     - pattern: '\p{Nd}'
    ///       options: [search]
    ///
    /// Each part of a conjunction is one rule with its own words; a code, or else a name, is its `id`. What
    /// ``Requirement/init(yaml:name:limits:)`` makes of it gives the same verdicts, and the same messages.
    ///
    /// - Throws: ``NotDataError`` where ``Requirement/check`` is `nil`.
    public func yaml() throws(NotDataError) -> String {
        let json = try json()
        // JSON is YAML: read as such, and written as people do.
        var reader = YAMLReader(SourceText(name: "", bytes: Array(json.utf8)), depth: 1_000)
        guard let root = reader.read(), reader.mistakes.isEmpty else { return json }
        return YAMLWriter.text(root)
    }

    /// The same in JSON.
    ///
    /// - Throws: ``NotDataError``.
    public func json() throws(NotDataError) -> String {
        guard let rules else { throw NotDataError(requirement: describe()) }
        var json = JSONWriter(.pretty)
        json.array { json in
            for rule in rules { json.rule(rule, of: Value.cellType) }
        }
        json.newline()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    fileprivate mutating func rule(_ rule: RequirementRule, of type: ValueType) {
        object { json in
            for case (let key, let text?) in [("id", rule.code), ("message", rule.message)] {
                json.key(key)
                json.string(text)
            }
            json.check(rule.check, in: Field(name: "", type: type))
        }
    }
}

extension Field {
    /// A column whose cells must be what a requirement asks: the same rules for a form and for a file.
    ///
    /// A rule without an id of its own gets that of its kind, such as `password.minLength`.
    ///
    /// - Throws: ``NotDataError``.
    public init<Value: CellValue>(
        name: String, isRequired: Bool = false, _ requirement: Requirement<Value>
    ) throws(NotDataError) {
        guard let rules = requirement.rules else { throw NotDataError(requirement: requirement.describe()) }
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
