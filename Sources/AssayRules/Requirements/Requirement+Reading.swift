public import Assay

extension Requirement where Value: RuleCodable {
    /// Reads a requirement from YAML or JSON: a list of rules as under `rules` of a field, or one of them. All must pass.
    ///
    ///     let password = try Requirement<String>(yaml: """
    ///         - {minLength: 8, message: At least 8 characters}
    ///         - {pattern: '\\p{Nd}', options: [search]}
    ///         """)
    ///
    /// Of lists, optionals and records the rules are about the elements, the value, and the members by name
    /// (``Assay/RuleRecord``). A rule with an `id` and a `message` has the id as the code of its reason, one with an `id` alone as its name. Lengths
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
