public import Assay

/// The limits that are always on: `--limit name=value` on the command line, `limits:` in a rule file.
public struct Limits: Hashable, Sendable, Codable {
    /// Longest field and record, in bytes of the file. What is longer is a `structure.too-long` record.
    public var fieldBytes = 1 << 20
    public var recordBytes = 4 << 20
    /// Most columns of a header.
    public var columns = 16_384
    /// Largest rule file, its deepest nesting, and most rules in it.
    public var ruleFileBytes = 1 << 20
    public var depth = 32
    public var rules = 10_000
    /// Longest pattern, in bytes.
    public var patternBytes = 10_000
    /// Work that one value may cause.
    public var match = MatchLimits()

    public init() {}
}
