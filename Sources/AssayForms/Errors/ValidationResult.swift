public import Assay

/// The result of a validator.
public enum ValidationResult: Hashable, Sendable {
    /// The value is valid.
    case valid
    /// The value is not valid for the given reason.
    case invalid(ValidationError)

    /// Not valid, with the text and the code of a custom error type.
    public static func invalid(_ error: some ValidationErrorProtocol) -> ValidationResult {
        .invalid(ValidationError(error))
    }

    /// The evaluation of a requirement as a validation result. Undecided values are not valid.
    public init(_ evaluation: Evaluation) {
        self = evaluation.reason.map(ValidationResult.invalid) ?? .valid
    }

    /// The error; `nil` if the value is valid.
    public var error: ValidationError? {
        if case .invalid(let error) = self { return error }
        return nil
    }

    /// Whether the value is valid.
    public var isValid: Bool { error == nil }
}

extension Evaluation {
    /// A validation result as the evaluation of a requirement.
    public init(_ result: ValidationResult) {
        self = result.error.map(Evaluation.failed) ?? .confirmed
    }
}
