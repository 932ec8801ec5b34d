public import Assay

/// A type-erased validator, so that one array can contain validators of different types.
///
///     [
///         NotEmptyValidator(errorMessage: "Missing").validator,
///         RegexValidator(regex: "[a-z]+", errorMessage: "Letters").validator,
///     ]
///
/// Each call is forwarded to the wrapped validator.
public struct AnyValidator<ValueType>: Validator {
    private let wrapped: any Validator<ValueType>

    /// Wraps a validator. An `AnyValidator` may be wrapped again.
    public init<V: Validator>(validator: V) where V.ValueType == ValueType { wrapped = validator }

    public var errorMessage: String { wrapped.errorMessage }
    public func isValid(value: ValueType?) -> Bool { wrapped.isValid(value: value) }
    public func validate(_ value: ValueType) -> ValidationResult { wrapped.validate(value) }
    public func errors(for value: ValueType?) -> [ValidationError] { wrapped.errors(for: value) }
    public var requirement: Requirement<ValueType> { wrapped.requirement }
}
