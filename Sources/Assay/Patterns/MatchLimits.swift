/// How much work one value may cause before its verdict is ``Verdict/undecided``.
///
/// A value may take `baseSteps + stepsPerByte × its bytes` steps (its bytes rounded up to 64, then to multiples of 256), so that an
/// honest long value is judged and a hostile one cannot hang a run. A step is about one item of the pattern, and an item that looks
/// at many bytes counts as several. Searches have 16 times as many. No value has more than
/// 100 × `baseSteps` + `stepsPerByte` / 4 × its bytes. With the defaults the slowest patterns and values known
/// take about 100 ms for 64 KiB and a second for 1 MiB (`Tests/Hostile/patterns.tsv`). Values that a pattern's DFA judges take linear
/// time and need no limit.
public struct MatchLimits: Hashable, Sendable, Codable {
    /// Steps that any value may take.
    public var baseSteps: Int
    /// More steps for each byte of the value.
    public var stepsPerByte: Int
    /// Memory the interpreter may use for backtracking, in KiB.
    public var heapKiB: Int
    /// Size of each worker's JIT stack, in bytes, 64 MiB at most. It is fixed: growing stacks give wrong verdicts before PCRE2 10.45.
    public var jitStackBytes: Int
    /// Memory that a row rule may use for the values of one record, in bytes. The work of a row rule is bounded, too: a million steps.
    public var rowRuleBytes: Int

    /// A larger stack would be asked of the system by each worker, and is no use to any pattern.
    package static let mostJitStackBytes = 64 << 20
    package static let usualRowRuleBytes = 16 << 20

    /// Values beyond those that PCRE2 takes (32 bits) count as the nearest that it does.
    public init(
        baseSteps: Int = 5_000, stepsPerByte: Int = 64, heapKiB: Int = 20_480,
        jitStackBytes: Int = 1 << 20, rowRuleBytes: Int = 16 << 20
    ) {
        self.baseSteps = baseSteps
        self.stepsPerByte = stepsPerByte
        self.heapKiB = heapKiB
        self.jitStackBytes = jitStackBytes
        self.rowRuleBytes = rowRuleBytes
    }
}
