public import Assay

/// A validator of the length of a text. The default unit, `.characters`, counts grapheme clusters.
///
///     LengthValidator(min: 1, max: 8, errorMessage: "From 1 to 8 characters")
///     LengthValidator(range: 8..., errorMessage: "At least 8 characters")
public struct LengthValidator: RuleValidator {
    public var errorMessage: String
    public let rule: Requirement<String>

    /// A validator for lengths from `min` to `max`, both inclusive.
    public init(min: Int, max: Int, in unit: LengthUnit = .characters, errorMessage: String) {
        self.errorMessage = errorMessage
        rule = .length(min: min, max: max, in: unit)
    }

    /// A validator for a range of any kind: `1...8`, `8...`, `..<9`. With an empty range, no text is valid.
    public init(range: some RangeExpression<Int>, in unit: LengthUnit = .characters, errorMessage: String) {
        let lengths = range.relative(to: Lengths()).clamped(to: 0..<Int.max)
        self.errorMessage = errorMessage
        rule =
            lengths.isEmpty ? .any([]) : .length(min: lengths.lowerBound, max: lengths.upperBound - 1, in: unit)
    }
}

/// All integers, as the collection to which a range is relative. It must not trap for bounds outside.
private struct Lengths: Collection {
    var startIndex: Int { .min }
    var endIndex: Int { .max }
    subscript(position: Int) -> Int { position }
    func index(after position: Int) -> Int { position == .max ? .max : position + 1 }
}
