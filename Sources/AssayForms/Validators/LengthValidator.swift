public import Assay

/// A text of so many characters, as people count them unless another unit is asked for.
///
///     LengthValidator(min: 1, max: 8, errorMessage: "From 1 to 8 characters")
///     LengthValidator(range: 8..., errorMessage: "At least 8 characters")
public struct LengthValidator: RuleValidator {
    public var errorMessage: String
    public let rule: Requirement<String>

    /// Both bounds are included.
    public init(min: Int, max: Int, in unit: LengthUnit = .characters, errorMessage: String) {
        self.errorMessage = errorMessage
        rule = .length(min: min, max: max, in: unit)
    }

    /// A range of any kind: `1...8`, `8...`, `..<9`.
    public init(range: some RangeExpression<Int>, in unit: LengthUnit = .characters, errorMessage: String) {
        let lengths = range.relative(to: 0..<Int.max)
        self.init(min: lengths.lowerBound, max: lengths.upperBound - 1, in: unit, errorMessage: errorMessage)
    }
}
