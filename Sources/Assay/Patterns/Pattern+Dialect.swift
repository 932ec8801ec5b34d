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

extension Check {
    /// The whole text matches a pattern in the syntax of a dialect. With ``Pattern/Options/search``, a match of a part
    /// suffices.
    public static func matches(pattern: String, dialect: Pattern.Dialect, options: Pattern.Options = []) -> Check {
        .matches(pattern: pattern, options: options.in(dialect))
    }
}

extension Pattern.Options {
    func `in`(_ dialect: Pattern.Dialect) -> Self { dialect == .icu ? union(.icuSyntax) : self }
}
