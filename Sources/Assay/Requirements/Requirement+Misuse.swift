// Common mistakes, each with the correction as its compiler message. Without these, the error would name neither.

extension Requirement where Value == String {
    @available(*, unavailable, message: "write matches(pattern: …), or matches(#pattern(…)) with AssayMacros")
    public static func matches(_ pattern: String, options: Pattern.Options = []) -> Self { .always }
}

/// Requirements in a chain. The compiler also reads two lines of a block that start with a dot as a chain.
@available(
    *, unavailable, message: "join requirements with &&; in a block start each line with Requirement<String>"
)
extension Requirement where Value == String {
    public func notEmpty() -> Self { self }
    public func minLength(_ min: Int, in unit: LengthUnit = .characters) -> Self { self }
    public func maxLength(_ max: Int, in unit: LengthUnit = .characters) -> Self { self }
    public func length(min: Int, max: Int, in unit: LengthUnit = .characters) -> Self { self }
    public func matches(pattern: String, options: Pattern.Options = []) -> Self { self }
    public func matches(_ pattern: Pattern) -> Self { self }
}

// Requirements of texts for values of another type. Without these, the compiler finds no error to report in a block,
// and needs seconds for it in a list.
@available(*, unavailable, message: "is about texts; for a number write range(1...9), for a collection count(1...9)")
extension Requirement {
    @_disfavoredOverload
    public static func minLength(_ min: Int, in unit: LengthUnit = .characters) -> Self { .always }
    @_disfavoredOverload
    public static func maxLength(_ max: Int, in unit: LengthUnit = .characters) -> Self { .always }
    @_disfavoredOverload public static func length(
        _ range: some RangeExpression<Int>, in unit: LengthUnit = .characters
    ) -> Self { .always }
    @_disfavoredOverload public static func length(
        min: Int, max: Int, in unit: LengthUnit = .characters
    ) -> Self { .always }
}

@available(*, unavailable, message: "is about texts")
extension Requirement {
    @_disfavoredOverload public static func matches(
        pattern: String, dialect: Pattern.Dialect = .pcre2, options: Pattern.Options = []
    ) -> Self { .always }
    @_disfavoredOverload public static func matches(_ pattern: Pattern) -> Self { .always }
    @_disfavoredOverload public static func format(_ format: String) -> Self { .always }
    @_disfavoredOverload public static func email(_ options: EmailOptions = []) -> Self { .always }
    @_disfavoredOverload public static func hasPrefix(_ prefix: String) -> Self { .always }
    @_disfavoredOverload public static func hasSuffix(_ suffix: String) -> Self { .always }
}

@available(*, unavailable, message: "is about texts and collections")
extension Requirement {
    @_disfavoredOverload public static func notEmpty() -> Self { .always }
    @_disfavoredOverload public static func count(_ range: some RangeExpression<Int>) -> Self { .always }
}
