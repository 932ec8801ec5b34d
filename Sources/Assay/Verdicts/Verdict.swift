/// The result of a check on one value.
public enum Verdict: UInt8, Hashable, Sendable, Codable, CaseIterable {
    /// The value meets the rule.
    case pass = 0
    /// The value violates the rule.
    case fail = 1
    /// A limit stopped the evaluation. It is unknown whether the value meets the rule.
    case undecided = 2
}
