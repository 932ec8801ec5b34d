extension Pattern {
    /// The syntax of a pattern.
    public enum Dialect: String, Hashable, Sendable, Codable, CaseIterable {
        /// PCRE2's syntax, as in the rest of this library.
        case pcre2

        /// ICU's syntax, as in `NSRegularExpression` and `MATCHES` of `NSPredicate`. The pattern is translated to match
        /// as in ICU, or rejected with a suggested replacement. It never silently gets another meaning.
        ///
        ///     try Pattern("[a-z--[aeiou]]", dialect: .icu).matches("b")     // true, as in ICU
        ///
        /// <doc:FromNSPredicate> lists all differences and their treatment.
        case icu
    }

    /// The syntax of ``source``.
    public var dialect: Dialect { options.contains(.icuSyntax) ? .icu : .pcre2 }
}
