/// How much work one value may cause before its verdict is ``Verdict/undecided``.
///
/// A value may take `matchBase + matchPerByte × its bytes` steps (its bytes rounded up to 64, then to multiples of 256), so that an
/// honest long value is judged and a hostile one cannot hang a run. A step is about one item of the pattern, and an item that looks
/// at many bytes counts as several. Searches have 16 times as many. No value has more than
/// 100 × `matchBase` + `matchPerByte` / 4 × its bytes. With the defaults the slowest patterns and values known
/// take about 100 ms for 64 KiB and a second for 1 MiB (`Tests/Hostile/patterns.tsv`). Values that a pattern's DFA judges take linear
/// time and need no limit.
public struct MatchLimits: Hashable, Sendable, Codable {
    /// Steps that any value may take.
    public var matchBase: UInt32
    /// More steps for each byte of the value.
    public var matchPerByte: UInt32
    /// Memory the interpreter may use for backtracking, in KiB.
    public var heapKiB: UInt32
    /// Size of each worker's JIT stack, in bytes, 64 MiB at most. It is fixed: growing stacks give wrong verdicts before PCRE2 10.45.
    public var jitStackBytes: UInt32

    /// A larger stack would be asked of the system by each worker, and is no use to any pattern.
    package static let mostJitStackBytes: UInt32 = 64 << 20

    public init(
        matchBase: UInt32 = 20_000, matchPerByte: UInt32 = 64, heapKiB: UInt32 = 20_480,
        jitStackBytes: UInt32 = 1 << 20
    ) {
        self.matchBase = matchBase
        self.matchPerByte = matchPerByte
        self.heapKiB = heapKiB
        self.jitStackBytes = jitStackBytes
    }
}
