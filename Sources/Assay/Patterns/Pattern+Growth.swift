internal import CAssay

/// The growth of the work for a value with its length.
package enum PatternGrowth: Sendable {
    /// A DFA evaluates all values.
    case linear
    /// PCRE2 evaluates values, and the search did not find a value with superlinear work. This is not a proof.
    case noWitness
    /// A value with superlinear work was found, built and measured.
    case witness(PatternWitness)
}

/// A value that takes long to match: a prefix, a repeated pump, and a suffix.
package struct PatternWitness: Sendable {
    package let prefix: String
    package let pump: String
    package let suffix: String
    /// The three measured numbers of repetitions of the pump: n, 2n and 4n.
    package let repeats: [Int]
    /// The measured steps for each number of repetitions, as counted for ``MatchLimits``.
    package let steps: [UInt64]
    /// The rounded degree of the polynomial growth; `nil` for exponential growth.
    package let degree: Int?
    /// The length in bytes from which such values are undecided by default; `nil` if those up to 64 KiB are decided.
    package let undecidedBytes: Int?
}

extension Pattern {
    /// Searches for a value that takes long to match.
    ///
    /// - Parameter work: Increased by the cost of the search, in nominal nanoseconds; at most by two seconds.
    /// - Returns: The growth; `nil` if there is not enough memory or the pattern is too large to analyze.
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
