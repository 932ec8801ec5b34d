public import Assay

extension Requirement where Value: RuleCodable {
    /// Reads a requirement from YAML or JSON: a list of rules as in `rules` of a field, or a single rule. All must
    /// pass.
    ///
    ///     let password = try Requirement<String>(yaml: """
    ///         - {minLength: 8, message: At least 8 characters}
    ///         - {pattern: '\\p{Nd}', options: [search]}
    ///         """)
    ///
    /// For lists, optionals and records, the rules concern the elements, the value, and the members by name
    /// (``Assay/RuleRecord``). If a rule has an `id` and a `message`, the id is the code of its reason; an `id` without
    /// a message is its name. Lengths count Unicode scalars unless `lengthUnit` is set, as in rule files.
    ///
    /// - Parameters:
    ///   - name: The name of the text in messages.
    ///   - limits: The limits on reading the text. Its depth is at most 200.
    /// - Throws: All mistakes at once, each with its place and a suggestion.
    public init(yaml text: String, name: String = "requirement", limits: Limits = Limits()) throws(RuleFileError) {
        let bytes = Array(text.utf8)
        var limits = limits
        // A requirement compiles its patterns with the default limit.
        limits.patternBytes = min(limits.patternBytes, Limits().patternBytes)
        // Deeper requirements would end the process: a mapping becomes up to two of the 500 levels of a requirement,
        // such as a negation and its message.
        limits.depth = min(limits.depth, 200)
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
        let expression = reader.requirement(root, of: Value.self)
        if !reader.mistakes.isEmpty { throw RuleFileError(problems: source.problems(reader.mistakes)) }
        do {
            guard let expression else { preconditionFailure("rules without mistakes give a requirement") }
            self = try Requirement(expression)
        } catch {
            preconditionFailure("a check that was read without mistakes compiles: \(error)")
        }
    }
}
