/// The limits on the work for one value. When a limit is reached, the verdict is ``Verdict/undecided``.
///
/// A value may take `baseSteps + stepsPerByte × its bytes` steps (its bytes rounded up to 64, then to multiples of
/// 256), so that long valid values are decided and hostile ones cannot block a run. A step is about one item of the
/// pattern, and an item that examines many bytes counts as several steps. Searches have 16 times the steps. The maximum
/// for any value is 100 × `baseSteps` + `stepsPerByte` / 4 × its bytes. With the defaults, the slowest known patterns
/// and values take about 100 ms for 64 KiB and a second for 1 MiB (`Tests/Hostile/patterns.tsv`). Values that a
/// pattern's DFA evaluates take linear time and need no limit.
public struct MatchLimits: Hashable, Sendable, Codable {
    /// The number of steps that any value may take.
    public var baseSteps: Int
    /// The number of additional steps for each byte of the value.
    public var stepsPerByte: Int
    /// The maximum memory of the interpreter for backtracking, in KiB.
    public var heapKiB: Int
    /// The size of each worker's JIT stack, in bytes, at most 64 MiB. It is fixed, because growing stacks give wrong
    /// verdicts before PCRE2 10.45.
    public var jitStackBytes: Int
    /// The maximum memory of a row rule for the values of one record, in bytes. Its work is limited to a million steps.
    public var rowRuleBytes: Int

    /// The maximum JIT stack size. Each worker allocates its stack, and no pattern benefits from a larger one.
    package static let maxJitStackBytes = 64 << 20
    package static let usualRowRuleBytes = 16 << 20

    /// Limits. Values above PCRE2's maximum (32 bits) count as that maximum.
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
