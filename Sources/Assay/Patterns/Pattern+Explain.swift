internal import CAssay

extension Pattern {
    /// The reason why a value is ``Verdict/undecided``, in English; `nil` for other verdicts. It evaluates the value
    /// again.
    ///
    /// Source: pcre2api, "Error return values from pcre2_match()".
    public func undecidedReason(of value: String) -> String? {
        let scratch = Scratch(orEndWith: MatchLimits())
        let verdict = withUTF8(of: value) { assay_pattern_match(handle, scratch.handle, $0.cBase, $0.count) }
        guard Verdict(verdict) == .undecided else { return nil }
        switch scratch.engineCode {
        case -47: return "the match limit was reached: the pattern tries too many ways to match this value"
        case -46: return "the stack of the machine code was used up"
        case -53: return "the depth limit was reached"
        case -63: return "the heap limit was reached"
        default: return "PCRE2 gave up with error \(scratch.engineCode)"
        }
    }

    /// The longest prefix of a value that some continuation would complete to a match.
    ///
    ///     try Pattern(#"\d{4}-\d{2}"#).viablePrefix(of: "2024/01")   // "2024"
    ///
    /// Intended for explaining failures: it compiles the pattern again and runs the interpreter several times.
    ///
    /// - Returns: The prefix; `nil` if PCRE2 cannot determine it, for patterns with look-behind, `\K` or verbs, and for
    ///   searches.
    public func viablePrefix(of value: String) -> Substring? {
        let length = withUTF8(of: pcre2Source) { text in
            withUTF8(of: value) { value in
                assay_pattern_viable_prefix(text.cBase, text.count, coreOptions, value.cBase, value.count)
            }
        }
        // Swift imports size_t as Int, and SIZE_MAX as a negative number.
        guard length >= 0 else { return nil }
        return value[..<value.utf8.index(value.startIndex, offsetBy: length)]
    }
}
