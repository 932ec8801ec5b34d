public import Assay

// A type needs only `isValid` or `validate`; each has a default implementation that uses the other.
extension Validator {
    public var errorMessage: String { defaultErrorMessage }

    public func isValid(value: ValueType?) -> Bool {
        guard let value else { return false }
        return Requested.$type.withValue(Self.self) { validate(value) }.isValid
    }

    public func validate(_ value: ValueType) -> ValidationResult {
        // fatalError, because a precondition failure prints no message in release builds.
        if Requested.type == Self.self {
            fatalError("\(Self.self) must implement isValid(value:) or validate(_:)")
        }
        return isValid(value: value) ? .valid : .invalid(ValidationError(message: errorMessage))
    }

    public func errors(for value: ValueType?) -> [ValidationError] {
        guard let value else { return isValid(value: nil) ? [] : [missing] }
        return validate(value).error.map { [$0] } ?? []
    }

    public var requirement: Requirement<ValueType> { Requirement { Evaluation(validate($0)) } }

    /// The error for `nil`: the validator's own message, otherwise the error for an empty text, otherwise `.missing`.
    private var missing: ValidationError {
        if errorMessage != defaultErrorMessage { return ValidationError(message: errorMessage) }
        return emptyText(as: ValueType.self).flatMap { validate($0).error } ?? .missing
    }
}

private let defaultErrorMessage = "Invalid value"

/// The type for which `isValid` is currently calling `validate`. If `validate` then calls `isValid`, the type
/// implements neither method, and the calls would never end.
private enum Requested {
    @TaskLocal static var type: Any.Type?
}

/// The empty text, if values are texts; otherwise `nil`.
func emptyText<Value>(as type: Value.Type) -> Value? { "" as? Value }

extension ValidationError {
    /// The error for a missing value.
    static let missing = Requirement<Never>.always.failures(in: nil)[0]
}
