// What people write first, with what to write instead: each of these would else be an error that names neither.

extension Requirement where Value == String {
    @available(*, unavailable, message: "write matches(pattern: …), or matches(#pattern(…)) with AssayMacros")
    public static func matches(_ pattern: String, options: Pattern.Options = []) -> Self { .always }
}

/// Requirements in a chain. Two lines of a block that start with a dot are one, too.
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
