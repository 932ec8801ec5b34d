internal import CAssay

extension Pattern {
    /// How much of a value the pattern could still have matched: the longest prefix that some continuation would complete.
    ///
    ///     try Pattern(#"\d{4}-\d{2}"#).viablePrefix(of: "2024/01")   // "2024"
    ///
    /// For people who wonder why a value fails; it compiles the pattern again and runs the interpreter several times.
    ///
    /// - Returns: `nil` where PCRE2 cannot tell: patterns with look-behind, `\K` or verbs, and searches.
    public func viablePrefix(of value: String) -> Substring? {
        let length = withUTF8(of: source) { text in
            withUTF8(of: value) { value in
                assay_pattern_viable_prefix(text.cBase, text.count, options.rawValue, value.cBase, value.count)
            }
        }
        // size_t comes to Swift as Int, and SIZE_MAX as a negative number.
        guard length >= 0 else { return nil }
        return value[..<value.utf8.index(value.startIndex, offsetBy: length)]
    }
}
