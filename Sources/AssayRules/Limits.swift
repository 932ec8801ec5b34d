public import Assay

/// The limits that always apply: `--limit name=value` on the command line, `limits:` in a rule file.
public struct Limits: Hashable, Sendable, Codable {
    /// The maximum size of a field, in bytes of the file. A record with a longer one is a finding,
    /// `structure.too-long`.
    public var fieldBytes = 1 << 20
    /// The maximum size of a record, in bytes of the file. A longer one is a finding, `structure.too-long`.
    public var recordBytes = 4 << 20
    /// The maximum number of columns in a header.
    public var columns = 16_384
    /// The maximum size of a rule file, in bytes.
    public var ruleFileBytes = 1 << 20
    /// The maximum nesting depth of a rule file.
    public var depth = 32
    /// The maximum number of rules in a rule file.
    public var rules = 10_000
    /// The maximum size of a pattern, in bytes.
    public var patternBytes = 10_000
    /// The limits on the work for one value.
    public var match = MatchLimits()
    /// The maximum that a rule file may raise ``match`` to, because untrusted rules must not slow a run down without
    /// bound: four times the defaults. A rule file may also set the current values of ``match``.
    public var matchCeiling = MatchLimits().times(4)
    /// Whether rule files are trusted. Not encoded.
    public private(set) var trustsRuleFiles = false

    /// Creates the default limits.
    public init() {}

    private enum CodingKeys: CodingKey {
        case fieldBytes, recordBytes, columns, ruleFileBytes, depth, rules, patternBytes, match, matchCeiling
    }

    /// Removes the ceiling on ``match`` for rule files, and lets them name any file that the process can open
    /// (``RuleFilePolicy/anyFile``). Use it only for rule files that you trust as you trust a program.
    public mutating func trustRuleFiles() {
        trustsRuleFiles = true
        for setting in Self.settings where setting.boundsWork { trustRuleFiles(with: setting) }
    }
}

extension MatchLimits {
    fileprivate func times(_ factor: Int) -> MatchLimits {
        MatchLimits(
            baseSteps: factor * baseSteps, stepsPerByte: factor * stepsPerByte, heapKiB: factor * heapKiB,
            jitStackBytes: factor * jitStackBytes, rowRuleBytes: factor * rowRuleBytes)
    }
}
