public import Assay

/// A validator that requires the whole text to match a pattern.
///
///     RegexValidator(regex: "[a-z]+", errorMessage: "Small letters only").isValid(value: "abc\n")    // false
///
/// `nil` is not valid; the pattern decides for the empty text. Case matters. The pattern is in PCRE2's syntax and is
/// compiled once for all validators with the same pattern (``PatternCache``). A pattern that does not compile rejects
/// every text with an error that describes the mistake. A text that reaches the match limit is not valid, and its error
/// reports the limit.
///
/// Corresponds to `SELF MATCHES` of `NSPredicate`, except that the latter uses ICU's syntax.
public struct RegexValidator: RuleValidator {
    public var errorMessage: String
    public let rule: Requirement<String>

    /// A validator with a pattern, which is compiled now or taken from ``PatternCache/shared``.
    ///
    /// - Parameters:
    ///   - regex: The pattern. The whole text must match.
    ///   - options: The options of the pattern.
    ///   - errorMessage: The message for a text that does not match.
    public init(regex: String, options: Pattern.Options = [], errorMessage: String) {
        self.errorMessage = errorMessage
        let compiled = try? PatternCache.shared.pattern(regex, options: options)
        rule = compiled.map { .matches($0) } ?? .matches(pattern: regex, options: options)
    }

    /// A validator with a compiled pattern.
    public init(_ pattern: Pattern, errorMessage: String) {
        self.errorMessage = errorMessage
        rule = .matches(pattern)
    }
}
