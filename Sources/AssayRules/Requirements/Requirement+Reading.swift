public import Assay

extension Requirement where Value: CellValue {
    /// Reads a requirement from YAML or JSON: a list of rules as under `rules` of a field, or one of them. All must pass.
    ///
    ///     let password = try Requirement<String>(yaml: """
    ///         - {minLength: 8, message: At least 8 characters}
    ///         - {pattern: '\\p{Nd}', options: [search]}
    ///         """)
    ///
    /// A rule with an `id` and a `message` has the id as the code of its reason, one with an `id` alone as its name. Lengths
    /// count Unicode scalars unless `lengthUnit` says otherwise, as in rule files.
    ///
    /// - Parameters:
    ///   - name: the name of the text in messages.
    ///   - limits: what the text may cost to read.
    /// - Throws: all mistakes at once, each with its place and what to write instead.
    public init(yaml text: String, name: String = "requirement", limits: Limits = Limits()) throws(RuleFileError) {
        let bytes = Array(text.utf8)
        var limits = limits
        // A requirement compiles its patterns under the usual limit.
        limits.patternBytes = min(limits.patternBytes, Limits().patternBytes)
        if bytes.count > limits.ruleFileBytes {
            let mistake = Mistake(
                range: 0..<0,
                message: "the text has \(bytes.count) bytes; a requirement may have \(limits.ruleFileBytes)",
                suggestion: nil)
            throw RuleFileError(problems: SourceText(name: name, bytes: []).problems([mistake]))
        }
        let source = SourceText(name: name, bytes: bytes)
        var yaml = YAMLReader(source, depth: limits.depth)
        let root = yaml.read()
        var reader = RuleReader(source: source, limits: limits, mistakes: yaml.mistakes)
        let rules = reader.requirement(root, of: Value.cellType)
        if !reader.mistakes.isEmpty { throw RuleFileError(problems: source.problems(reader.mistakes)) }
        self = .all(rules.map(Self.init(rule:)))
    }

    private init(rule: RequirementRule) {
        do {
            self = try Requirement(rule.check)
        } catch {
            preconditionFailure("a check that was read without mistakes compiles: \(error)")
        }
        if let message = rule.message {
            self = because(code: rule.code ?? Reason.defaultCode, message: message)
        } else if let name = rule.code {
            self = named(name)
        }
    }
}

extension RuleReader {
    /// A list of rules, or one; `root` is `nil` if there is nothing.
    fileprivate mutating func requirement(_ root: YAMLNode?, of type: ValueType) -> [RequirementRule] {
        guard let root, !root.isNull else {
            if mistakes.isEmpty { complain(at: 0..<0, "there is no rule", "write [] for what anything meets") }
            return []
        }
        let context = FieldContext(name: "", type: type, hasType: true, unit: .scalars)
        if case .mapping = root.content { return requirementRule(root, context).map { [$0] } ?? [] }
        return (list(root, "a list of rules") ?? []).compactMap { isFull ? nil : requirementRule($0, context) }
    }

    private mutating func requirementRule(_ node: YAMLNode, _ context: FieldContext) -> RequirementRule? {
        guard let entries = entries(node, "a rule such as {pattern: '…'}", .rule) else { return nil }
        let id = entries["id"].flatMap { text($0, "an id") }
        let message = entries["message"].flatMap { text($0, "a message") }
        if let node = entries["severity"],
            choice(node, "a severity", from: Severity.allCases.map(\.rawValue)) == Severity.warn.rawValue
        {
            complain(at: node, "a requirement refuses; it has no warnings", "remove the rule")
        }
        return check(entries, context).map { RequirementRule(check: $0.check, code: id, message: message) }
    }
}
