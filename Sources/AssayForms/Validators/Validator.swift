@_exported public import Assay

/// A check of a value, with a message for values that fail.
///
/// Implement one of two methods; the other has a default implementation. A Boolean, with one message:
///
///     struct EvenValidator: Validator {
///         var errorMessage = "Must be even"
///         func isValid(value: Int?) -> Bool { value.map { $0 % 2 == 0 } ?? false }
///     }
///
/// Or a result, with an error for each case:
///
///     struct NicknameValidator: Validator {
///         func validate(_ value: String) -> ValidationResult {
///             if value.isEmpty { return .invalid(.empty) }
///             return value.contains(" ") ? .invalid(.spaces) : .valid
///         }
///     }
///
/// `nil` is not valid unless ``isValid(value:)`` returns `true`. A validator must be quick and deterministic. It runs
/// on the thread of the caller.
///
/// A ``Requirement`` is a validator, and each validator has a ``requirement``. Fields and combined validators accept
/// both. To check an array, call `verdicts(for:)` on the validator's requirement.
public protocol Validator<ValueType>: Sendable {
    /// The type of the values.
    associatedtype ValueType

    /// The message for values that are not valid. The default is "Invalid value".
    var errorMessage: String { get }

    /// Whether the value is valid. `nil` means that there is no value.
    func isValid(value: ValueType?) -> Bool

    /// Returns `.valid`, or the error.
    func validate(_ value: ValueType) -> ValidationResult

    /// Returns all errors of a value, in order, with undecided ones last; empty if the value is valid.
    func errors(for value: ValueType?) -> [ValidationError]

    /// A requirement with the same results.
    var requirement: Requirement<ValueType> { get }
}

extension Validator {
    /// Returns normally if the value is valid; otherwise throws its first error.
    ///
    /// - Throws: The first error, if the value is not valid.
    public func validate(value: ValueType?) throws(ValidationError) {
        if let error = errors(for: value).first { throw error }
    }

    /// The type-erased validator, for arrays of different validators.
    public var validator: AnyValidator<ValueType> { AnyValidator(validator: self) }
}
