public import Assay

// Who writes `isValid` gets `validate`, and the other way round.
extension Validator {
    public var errorMessage: String { defaultErrorMessage }

    public func isValid(value: ValueType?) -> Bool {
        guard let value else { return false }
        return Asked.$type.withValue(Self.self) { validate(value) }.isValid
    }

    public func validate(_ value: ValueType) -> ValidationResult {
        // Not a precondition: those are silent in release builds.
        if Asked.type == Self.self {
            fatalError("\(Self.self) must have isValid(value:) or validate(_:); it has neither")
        }
        return isValid(value: value) ? .valid : .invalid(ValidationError(message: errorMessage))
    }

    public func errors(for value: ValueType?) -> [ValidationError] {
        guard let value else { return isValid(value: nil) ? [] : [missing] }
        return validate(value).error.map { [$0] } ?? []
    }

    public var requirement: Requirement<ValueType> { Requirement { Evaluation(validate($0)) } }

    /// The words for `nil`: the validator's own, or what it says of an empty text, or that a value is missing.
    private var missing: ValidationError {
        if errorMessage != defaultErrorMessage { return ValidationError(message: errorMessage) }
        return emptyText(as: ValueType.self).flatMap { validate($0).error } ?? .missing
    }
}

private let defaultErrorMessage = "Invalid value"

/// The type whose `isValid` is being answered by its `validate`. When `validate` then asks `isValid` in turn, the type has
/// neither, and the two would ask each other for ever.
private enum Asked {
    @TaskLocal static var type: Any.Type?
}

/// The empty text, where values are texts.
func emptyText<Value>(as type: Value.Type) -> Value? { "" as? Value }

extension ValidationError {
    /// There is no value.
    static let missing = Requirement<Never>.always.failures(in: nil)[0]
}
