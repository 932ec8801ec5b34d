internal import CAssay

/// How the work for a value grows with its length.
package enum PatternGrowth: Sendable {
    /// An automaton judges, whatever the value.
    case linear
    /// PCRE2 judges, and no value was found for which the work grows faster than the length. That proves nothing.
    case noWitness
    /// A value was found, built and measured.
    case witness(PatternWitness)
}

/// A value that takes long to judge: a prefix, a pump that is repeated, a suffix.
package struct PatternWitness: Sendable {
    package let prefix: String
    package let pump: String
    package let suffix: String
    /// How often the pump was repeated, three times: n, 2n and 4n.
    package let repeats: [Int]
    /// The steps that were counted for each, as ``MatchLimits`` count them.
    package let steps: [UInt64]
    /// The power of the length with which they grow, rounded; `nil`: they grow exponentially.
    package let degree: Int?
    /// The length in bytes from which such values are undecided by default; `nil`: none of up to 64 KiB is.
    package let undecidedBytes: Int?
}

extension Pattern {
    /// Looks for a value that takes long to judge.
    ///
    /// - Parameter work: increased by what the search cost, in nominal nanoseconds; at most two seconds.
    /// - Returns: `nil` without memory, or where the pattern is too large to be followed.
    package func growth(adding work: inout UInt64) -> PatternGrowth? {
        var found = assay_witness()
        let wasFollowed = assay_pattern_find_witness(handle, &found)
        work += found.work
        guard wasFollowed else { return nil }
        guard found.growth != .ASSAY_GROWTH_NOT_FOUND else { return engine == .dfa ? .linear : .noWitness }
        let bytes = withUnsafeBytes(of: found.text) { Array($0) }
        let pumpStart = Int(found.prefix_count)
        let suffixStart = pumpStart + Int(found.pump_count)
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let repeats = Int(found.repeats)
        return .witness(
            PatternWitness(
                prefix: text(0..<pumpStart), pump: text(pumpStart..<suffixStart),
                suffix: text(suffixStart..<suffixStart + Int(found.suffix_count)),
                repeats: [repeats, 2 * repeats, 4 * repeats],
                steps: [found.steps.0, found.steps.1, found.steps.2],
                degree: found.growth == .ASSAY_GROWTH_POLYNOMIAL ? Int(found.degree) : nil,
                undecidedBytes: found.undecided > 0 ? Int(found.undecided) : nil))
    }
}
