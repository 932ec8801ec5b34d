/// The answer of a check about one value.
public enum Verdict: UInt8, Hashable, Sendable, Codable, CaseIterable {
    /// The value is as the rule asks.
    case pass = 0
    /// The value is not as the rule asks.
    case fail = 1
    /// A limit stopped the judging. It is never a pass, and it is not a fail either: the value was not proved wrong.
    case undecided = 2
}
