/// How much work one value may cause before its verdict is ``Verdict/undecided``.
///
/// The match limit of a value is `matchBase + matchPerByte × its bytes` (rounded up to the next multiple of 256 bytes), so that an
/// honest long value is judged and a hostile short one cannot hang. Source: `pcre2_set_match_limit` in pcre2api.
public struct MatchLimits: Hashable, Sendable, Codable {
    public var matchBase: UInt32
    public var matchPerByte: UInt32
    /// Memory the interpreter may use for backtracking, in KiB.
    public var heapKiB: UInt32
    /// Size of each worker's JIT stack, in bytes, 64 MiB at most. It is fixed: growing stacks give wrong verdicts before PCRE2 10.45.
    public var jitStackBytes: UInt32

    /// A larger stack would be asked of the system by each worker, and is no use to any pattern.
    package static let mostJitStackBytes: UInt32 = 64 << 20

    public init(
        matchBase: UInt32 = 10_000, matchPerByte: UInt32 = 64, heapKiB: UInt32 = 20_480,
        jitStackBytes: UInt32 = 1 << 20
    ) {
        self.matchBase = matchBase
        self.matchPerByte = matchPerByte
        self.heapKiB = heapKiB
        self.jitStackBytes = jitStackBytes
    }
}
