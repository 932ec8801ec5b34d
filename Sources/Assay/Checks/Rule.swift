/// A check with a name, and what follows when it fails.
public struct Rule: Hashable, Sendable, Codable {
    /// The stable name under which findings and counts are reported, such as `email.company`. Unique in a schema.
    public var id: String

    /// The kind of rule, such as `pattern` or `maxLength`: the code of its findings.
    public var code: String

    /// The check that a value must pass.
    public var check: Check

    /// What to tell people instead of the built-in sentence.
    public var message: String?

    /// Whether a failure rejects the record or only warns.
    public var severity: Severity

    /// A rule. Its patterns, formats and bounds are read when the schema is compiled.
    ///
    /// - Parameters:
    ///   - id: the stable name, unique in a schema.
    ///   - code: the kind of rule, such as `pattern`.
    ///   - check: the check that a value must pass.
    ///   - message: replaces the built-in sentence of the findings.
    ///   - severity: whether a failure rejects the record.
    public init(id: String, code: String, check: Check, message: String? = nil, severity: Severity = .reject) {
        self.id = id
        self.code = code
        self.check = check
        self.message = message
        self.severity = severity
    }
}

/// What a failed rule does to its record.
public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
    /// The record goes to the rejects.
    case reject
    /// The finding is counted and listed; the record stays.
    case warn
}
