public import Assay

/// The limits that are always on: `--limit name=value` on the command line, `limits:` in a rule file.
public struct Limits: Hashable, Sendable, Codable {
    /// Longest field, in bytes of the file. A record with a longer one is a finding, `structure.too-long`.
    public var fieldBytes = 1 << 20
    /// Longest record, in bytes of the file. A longer one is a finding, `structure.too-long`.
    public var recordBytes = 4 << 20
    /// Most columns of a header.
    public var columns = 16_384
    /// Largest rule file, in bytes.
    public var ruleFileBytes = 1 << 20
    /// Deepest nesting of a rule file.
    public var depth = 32
    /// Most rules in a rule file.
    public var rules = 10_000
    /// Longest pattern, in bytes.
    public var patternBytes = 10_000
    /// Work that one value may cause.
    public var match = MatchLimits()
    /// What a rule file may raise ``match`` to, so that rules of somebody else cannot make a run as slow as they like: four times
    /// the defaults. What is in ``match`` already may stand in the file, too.
    public var matchCeiling = MatchLimits().times(4)
    /// Whether rule files are trusted. Not encoded.
    public private(set) var trustsRuleFiles = false

    /// The defaults.
    public init() {}

    private enum CodingKeys: CodingKey {
        case fieldBytes, recordBytes, columns, ruleFileBytes, depth, rules, patternBytes, match, matchCeiling
    }

    /// Lets rule files set ``match`` as they like, and name any file that the process can open (``RuleFilePolicy/anyFile``): for those
    /// that you trust as you trust a program.
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
