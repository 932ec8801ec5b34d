public import Assay

/// The whole text matches a pattern.
///
///     RegexValidator(regex: "[a-z]+", errorMessage: "Small letters only").isValid(value: "abc\n")    // false
///
/// No text (`nil`) is not valid; whether the empty one is, the pattern says. Case matters. The pattern is PCRE2's, compiled
/// once for all validators that have it (``PatternCache``). One that does not compile accepts nothing, and its error says what
/// is wrong. A text on which the pattern would take too long is not valid, and its error says that.
///
/// As `SELF MATCHES` of `NSPredicate`, which is ICU's.
public struct RegexValidator: RuleValidator {
    public var errorMessage: String
    public let rule: Requirement<String>

    /// A validator with a pattern, compiled now or taken from ``PatternCache/shared``.
    ///
    /// - Parameters:
    ///   - regex: the pattern. The whole text must match.
    ///   - options: of the pattern.
    ///   - errorMessage: for a text that does not match.
    public init(regex: String, options: Pattern.Options = [], errorMessage: String) {
        self.errorMessage = errorMessage
        let compiled = try? PatternCache.shared.pattern(regex, options: options)
        rule = compiled.map { .matches($0) } ?? .matches(pattern: regex, options: options)
    }

    /// With a pattern that is compiled already.
    public init(_ pattern: Pattern, errorMessage: String) {
        self.errorMessage = errorMessage
        rule = .matches(pattern)
    }
}
