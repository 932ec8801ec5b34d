extension Pattern {
    /// Whose words a pattern is written in.
    public enum Dialect: String, Hashable, Sendable, Codable, CaseIterable {
        /// PCRE2's own, as the rest of this library means it.
        case pcre2

        /// ICU's, which `NSRegularExpression` and `MATCHES` of `NSPredicate` speak. The pattern is translated, so that it
        /// judges as ICU does, or refused, with what to write instead; it never means something else in silence.
        ///
        ///     try Pattern("[a-z--[aeiou]]", dialect: .icu).matches("b")     // true, as in ICU
        ///
        /// <doc:FromNSPredicate> has every difference, and what becomes of it.
        case icu
    }

    /// Whose words ``source`` is written in.
    public var dialect: Dialect { options.contains(.icuSyntax) ? .icu : .pcre2 }
}
