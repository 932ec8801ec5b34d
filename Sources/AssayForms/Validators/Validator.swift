@_exported public import Assay

/// A question about a value, with the words for a value that fails it.
///
/// Write it in either of two ways; the other follows. Yes or no, with one message:
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
/// No value (`nil`) is never valid unless ``isValid(value:)`` says so. A validator must be quick and give the same answer
/// for the same value; it is asked from whatever thread has the value.
///
/// A ``Requirement`` is a validator, and a validator is a requirement (``requirement``): fields, composites and
/// `verdicts(for:)` over millions take both.
public protocol Validator<ValueType>: Sendable {
    /// The type of the values.
    associatedtype ValueType

    /// What to say of a value that is not valid. "Invalid value" unless you say it better.
    var errorMessage: String { get }

    /// Whether the value is valid. `nil` is the absence of a value.
    func isValid(value: ValueType?) -> Bool

    /// Whether the value is valid, and what is wrong with it if not.
    func validate(_ value: ValueType) -> ValidationResult

    /// Everything that is wrong with a value, in order, and after it what is undecided; empty when it is valid.
    func errors(for value: ValueType?) -> [ValidationError]

    /// The validator as a requirement.
    var requirement: Requirement<ValueType> { get }
}

extension Validator {
    /// Returns when the value is valid.
    ///
    /// - Throws: the first error, when it is not.
    public func validate(value: ValueType?) throws(ValidationError) {
        if let error = errors(for: value).first { throw error }
    }

    /// The validator without its type, to stand in an array with others.
    public var validator: AnyValidator<ValueType> { AnyValidator(validator: self) }
}
