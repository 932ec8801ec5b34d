extension Requirement where Value == String {
    /// A built-in question. What is wrong with it becomes the reason: a pattern may come from a configuration, so that it must
    /// not end the process, and it must not let anything pass.
    private static func text(_ check: Check) -> Self {
        do {
            return Self(try textNode(check))
        } catch {
            if error.part == .pattern { return .never(.undecided(message: "The pattern does not compile: \(error)")) }
            return .unsatisfiable("\(error)")
        }
    }

    /// At least one character; white space counts.
    public static func notEmpty() -> Self { text(.length(min: 1, max: nil, in: .utf8)) }

    /// At least so many characters, as people count them unless another unit is asked for.
    public static func minLength(_ min: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: min, max: nil, in: unit))
    }

    /// At most so many characters.
    public static func maxLength(_ max: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: nil, max: max, in: unit))
    }

    /// From so many characters to so many, both included.
    public static func length(min: Int, max: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: min, max: max, in: unit))
    }

    /// The whole text matches a PCRE2 pattern; with ``Pattern/Options/search`` a part of it is enough.
    ///
    /// A pattern that does not compile is never confirmed and never traps: its reason says what is wrong and is
    /// ``Reason/isUndecided``. For patterns in source code there is ``Pattern/literal(_:options:)``.
    public static func matches(pattern: String, options: Pattern.Options = []) -> Self {
        text(.matches(pattern: pattern, options: options))
    }

    /// The whole text matches a compiled pattern.
    public static func matches(_ pattern: Pattern) -> Self { Self(PatternNode(pattern)) }

    /// A string format of rule files, such as `email`, `uri`, `uuid` or `binary`.
    public static func format(_ format: String) -> Self { text(.type(ValueType(.string, format: format))) }

    /// The text can be read as a value of a type, such as `.integer` or a date of the form `%d/%m/%Y`.
    public static func type(_ type: ValueType) -> Self { text(.type(type)) }

    /// At least one decimal digit of any script (`\p{Nd}`).
    public static var containsDigit: Self { text(TextClass.digit.check) }

    /// At least one upper-case letter of any script (`\p{Lu}`).
    public static var containsUppercase: Self { text(TextClass.uppercase.check) }

    /// At least one lower-case letter of any script (`\p{Ll}`).
    public static var containsLowercase: Self { text(TextClass.lowercase.check) }

    /// At least one character that is neither letter, mark, digit nor white space.
    public static var containsSymbol: Self { text(TextClass.symbol.check) }

    /// At least one of some characters, taken as Unicode scalars.
    ///
    ///     .contains(oneOf: "!@#$%^&*()")
    public static func contains(oneOf characters: String) -> Self { text(TextClass.oneOf(characters).check) }

    /// One of these texts, spelt exactly so: compared byte for byte, as in a file.
    public static func oneOf(_ values: some Sequence<String>) -> Self { text(.oneOf(values.sorted())) }

    /// Empty, or what the requirement asks: for fields that need not be filled in.
    public static func emptyOr(_ requirement: Self) -> Self {
        .when(notEmpty(), requirement)
    }
}
