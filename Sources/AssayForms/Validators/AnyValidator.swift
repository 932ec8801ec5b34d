public import Assay

/// A validator of any type, so that different ones stand in one array.
///
///     [NotEmptyValidator(errorMessage: "Missing").validator, RegexValidator(regex: "[a-z]+", errorMessage: "Letters").validator]
///
/// It asks the validator it was made of each time; nothing is copied.
public struct AnyValidator<ValueType>: Validator {
    private let wrapped: any Validator<ValueType>

    /// To wrap what is wrapped already does no harm.
    public init<V: Validator>(validator: V) where V.ValueType == ValueType { wrapped = validator }

    public var errorMessage: String { wrapped.errorMessage }
    public func isValid(value: ValueType?) -> Bool { wrapped.isValid(value: value) }
    public func validate(_ value: ValueType) -> ValidationResult { wrapped.validate(value) }
    public func errors(for value: ValueType?) -> [ValidationError] { wrapped.errors(for: value) }
    public var requirement: Requirement<ValueType> { wrapped.requirement }
}
