// Common mistakes, each with the correction as its compiler message. Without these, the error would name neither.

extension Requirement where Value == String {
    @available(*, unavailable, message: "write matches(pattern: …), or matches(#pattern(…)) with AssayMacros")
    public static func matches(_ pattern: String, options: Pattern.Options = []) -> Self { .always }
}

/// Requirements in a chain. The compiler also reads two lines of a block that start with a dot as a chain.
@available(
    *, unavailable, message: "join requirements with && or and(…); in a block start each line with Requirement<String>"
)
extension Requirement where Value == String {
    public func notEmpty() -> Self { self }
    public func minLength(_ min: Int, in unit: LengthUnit = .characters) -> Self { self }
    public func maxLength(_ max: Int, in unit: LengthUnit = .characters) -> Self { self }
    public func length(min: Int, max: Int, in unit: LengthUnit = .characters) -> Self { self }
    public func matches(pattern: String, options: Pattern.Options = []) -> Self { self }
    public func matches(_ pattern: Pattern) -> Self { self }
}
