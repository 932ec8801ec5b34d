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

    /// A range of any kind: `1...8`, `8...`, `..<9`. An empty one has no length in it, and no text is valid.
    public init(range: some RangeExpression<Int>, in unit: LengthUnit = .characters, errorMessage: String) {
        let lengths = range.relative(to: Lengths()).clamped(to: 0..<Int.max)
        self.errorMessage = errorMessage
        rule =
            lengths.isEmpty ? .any([]) : .length(min: lengths.lowerBound, max: lengths.upperBound - 1, in: unit)
    }
}

/// All numbers, for a range to be taken from: one beyond its last is no trap.
private struct Lengths: Collection {
    var startIndex: Int { .min }
    var endIndex: Int { .max }
    subscript(position: Int) -> Int { position }
    func index(after position: Int) -> Int { position == .max ? .max : position + 1 }
}
