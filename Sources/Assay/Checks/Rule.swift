/// A check with a name, and what follows when it fails.
public struct Rule: Hashable, Sendable, Codable {
    /// The stable name under which findings and counts are reported, such as `email.company`. Unique in a schema.
    public var id: String

    /// The kind of rule, such as `pattern` or `maxLength`: the code of its findings.
    public var code: String

    public var check: Check

    /// What to tell people instead of the built-in sentence.
    public var message: String?

    public var severity: Severity

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
