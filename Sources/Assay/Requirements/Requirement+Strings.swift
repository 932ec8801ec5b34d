/// A question about a text that the C core can answer.
struct TextLeaf: RequirementLeaf {
    let compiled: CompiledCheck?
    let failure: Reason

    var check: Check? { compiled?.description }

    init(_ check: Check, _ failure: Reason) {
        do {
            compiled = try CompiledCheck(check)
            self.failure = failure
        } catch {
            // A pattern may come from a configuration: it must not end the process, and it must not let anything pass.
            compiled = nil
            self.failure = .undecided(message: "The pattern does not compile: \(error)")
        }
    }

    init(_ pattern: Pattern, _ failure: Reason) {
        compiled = CompiledCheck(pattern)
        self.failure = failure
    }

    func evaluate(_ value: String) -> Evaluation {
        switch compiled?.verdict(of: value) {
        case .pass: .confirmed
        case .fail: .failed(reason: failure)
        case .undecided: .failed(reason: .limit)
        case nil: .failed(reason: failure)
        }
    }
}

extension Requirement where Value == String {
    private static func text(
        _ check: Check, _ rule: String, _ parameters: [String: Reason.Parameter] = [:]
    ) -> Self {
        Self(.leaf(TextLeaf(check, Reason(rule: rule, parameters: parameters))))
    }

    /// A check of a rule file, or one made by hand, as a requirement.
    ///
    /// - Throws: ``CompileError`` when a pattern, format or bound in it is wrong.
    public init(_ check: Check) throws(CompileError) {
        _ = try CompiledCheck(check)
        self = Self.text(check, "check")
    }

    /// At least one character; white space counts.
    public static func notEmpty() -> Self { text(.length(min: 1, max: nil, unit: .utf8), "string.notEmpty") }

    /// At least so many characters, as people count them unless another unit is asked for.
    public static func minLength(_ min: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: min, max: nil, unit: unit), "string.minLength", ["min": .integer(min)])
    }

    /// At most so many characters.
    public static func maxLength(_ max: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: nil, max: max, unit: unit), "string.maxLength", ["max": .integer(max)])
    }

    /// From so many characters to so many, both included.
    public static func length(min: Int, max: Int, in unit: LengthUnit = .characters) -> Self {
        text(
            .length(min: min, max: max, unit: unit), "string.length", ["min": .integer(min), "max": .integer(max)])
    }

    /// The whole text matches a PCRE2 pattern; with ``Pattern/Options/search`` a part of it is enough.
    ///
    /// A pattern that does not compile is never confirmed and never traps: its reason says what is wrong and is
    /// ``Reason/isUndecided``. For patterns in source code there is ``Pattern/literal(_:options:)``.
    public static func matches(pattern: String, options: Pattern.Options = []) -> Self {
        text(.pattern(pattern, options: options), "string.matches")
    }

    /// The whole text matches a compiled pattern.
    public static func matches(_ pattern: Pattern) -> Self {
        Self(.leaf(TextLeaf(pattern, Reason(rule: "string.matches"))))
    }

    /// A string format of rule files: `email`, `uri`, `uuid` or `binary`.
    public static func format(_ format: String) -> Self {
        text(.type(ValueType(.string, format: format)), "string.format", ["format": .text(format)])
    }

    /// At least one decimal digit of any script (`\p{Nd}`).
    public static var containsDigit: Self { text(.pattern(#"\p{Nd}"#, options: .search), "string.containsDigit") }

    /// At least one upper-case letter of any script (`\p{Lu}`).
    public static var containsUppercase: Self {
        text(.pattern(#"\p{Lu}"#, options: .search), "string.containsUppercase")
    }

    /// At least one lower-case letter of any script (`\p{Ll}`).
    public static var containsLowercase: Self {
        text(.pattern(#"\p{Ll}"#, options: .search), "string.containsLowercase")
    }

    /// At least one character that is neither letter, mark, digit nor white space.
    public static var containsSymbol: Self {
        text(.pattern(#"[^\p{L}\p{M}\p{N}\s]"#, options: .search), "string.containsSymbol")
    }

    /// Empty, or what the requirement asks: for fields that need not be filled in.
    public static func emptyOr(_ requirement: Self) -> Self {
        .when(notEmpty(), requirement)
    }
}
