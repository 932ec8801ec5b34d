/// A check with a name and the consequence of a failure.
public struct Rule: Hashable, Sendable, Codable {
    /// The stable name for findings and counts, such as `email.company`. Unique in a schema.
    public var id: String

    /// The code of findings: the kind of rule, such as `pattern` or `maxLength`.
    public var code: String

    /// The check that a value must pass.
    public var check: Check

    /// A message that replaces the built-in one.
    public var message: String?

    /// Whether a failure rejects the record or only warns.
    public var severity: Severity

    /// A rule. Its patterns, formats and bounds are parsed when the schema is compiled.
    ///
    /// - Parameters:
    ///   - id: The stable name, unique in a schema.
    ///   - code: The kind of rule, such as `pattern`.
    ///   - check: The check that a value must pass.
    ///   - message: A message that replaces the built-in one.
    ///   - severity: Whether a failure rejects the record or only warns.
    public init(id: String, code: String, check: Check, message: String? = nil, severity: Severity = .reject) {
        self.id = id
        self.code = code
        self.check = check
        self.message = message
        self.severity = severity
    }
}

/// The consequence of a failed rule for its record.
public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
    /// The record is written to the rejects.
    case reject
    /// The finding is counted and listed, and the record is kept.
    case warn
}
