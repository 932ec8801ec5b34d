extension Requirement where Value == String {
    /// A built-in requirement. An invalid argument makes it undecided, because a pattern may come from a configuration:
    /// it must not end the process, and it must not accept any values.
    static func text(_ check: Check) -> Self {
        do {
            return Self(try textNode(check))
        } catch {
            if error.part == .pattern { return .never(.undecided(message: "The pattern does not compile: \(error)")) }
            return .unsatisfiable("\(error)")
        }
    }

    /// At least one character. White space counts.
    public static func notEmpty() -> Self { text(.length(min: 1, max: nil, in: .utf8)) }

    /// At least `min` units. The default unit, `.characters`, counts grapheme clusters.
    public static func minLength(_ min: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: min, max: nil, in: unit))
    }

    /// At most `max` units. The default unit, `.characters`, counts grapheme clusters.
    public static func maxLength(_ max: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: nil, max: max, in: unit))
    }

    /// From `min` to `max` units, both inclusive. The default unit, `.characters`, counts grapheme clusters.
    public static func length(min: Int, max: Int, in unit: LengthUnit = .characters) -> Self {
        text(.length(min: min, max: max, in: unit))
    }

    /// The whole text matches a PCRE2 pattern. With ``Pattern/Options/search``, a match of a part suffices.
    ///
    /// A pattern that does not compile never confirms a value and never traps: its reason contains the error and is
    /// ``Reason/isUndecided``. For patterns in source code, use ``Pattern/literal(_:options:)``.
    ///
    /// - Parameter dialect: The syntax of the pattern.
    public static func matches(
        pattern: String, dialect: Pattern.Dialect = .pcre2, options: Pattern.Options = []
    ) -> Self {
        text(.matches(pattern: pattern, dialect: dialect, options: options))
    }

    /// The whole text matches a compiled pattern.
    public static func matches(_ pattern: Pattern) -> Self { Self(PatternNode(pattern)) }

    /// A string format of rule files, such as `email`, `uri`, `uuid` or `binary`. For most formats there is a member,
    /// such as `.email`.
    ///
    /// - Precondition: The format exists. For a format from a configuration, use `Requirement(Check.type(…))`, which
    ///   throws an error.
    public static func format(_ format: String) -> Self {
        do {
            return Self(try textNode(.type(ValueType(.string, format: format))))
        } catch {
            let name = format.prefix { $0 != " " }
            let hint = closestName(to: String(name), among: BuiltInType.all.map(\.name))
            fatalError("format: \(error.message)" + (hint.map { "; did you mean '\($0)'?" } ?? ""))
        }
    }

    /// The text is a valid value of a type, such as `.integer` or a date of the form `%d/%m/%Y`.
    public static func type(_ type: ValueType) -> Self { text(.type(type)) }

    /// At least one decimal digit of any script (`\p{Nd}`).
    public static var containsDigit: Self { text(TextClass.digit.check) }

    /// At least one upper-case letter of any script (`\p{Lu}`).
    public static var containsUppercase: Self { text(TextClass.uppercase.check) }

    /// At least one lower-case letter of any script (`\p{Ll}`).
    public static var containsLowercase: Self { text(TextClass.lowercase.check) }

    /// At least one character that is neither letter, mark, digit nor white space.
    public static var containsSymbol: Self { text(TextClass.symbol.check) }

    /// At least one of the given characters, compared as Unicode scalars.
    ///
    ///     .contains(oneOf: "!@#$%^&*()")
    public static func contains(oneOf characters: String) -> Self { text(TextClass.oneOf(characters).check) }

    /// One of these texts, compared byte by byte, as in a file.
    public static func oneOf(_ values: some Sequence<String>) -> Self { text(.oneOf(values.sorted())) }

    /// Empty, or a text that meets the requirement: for optional form fields.
    public static func emptyOr(_ requirement: Self) -> Self {
        .when(notEmpty(), requirement)
    }
}
