public import Assay

/// What a validator says of a value.
public enum ValidationResult: Hashable, Sendable {
    /// The value is valid.
    case valid
    /// The value is not valid, for this reason.
    case invalid(ValidationError)

    /// Not valid, with an error type of one's own: its words and its code are kept.
    public static func invalid(_ error: some ValidationErrorProtocol) -> ValidationResult {
        .invalid(ValidationError(error))
    }

    /// What a requirement said, as the result of a validator. What a limit left undecided is not valid.
    public init(_ evaluation: Evaluation) {
        self = evaluation.reason.map(ValidationResult.invalid) ?? .valid
    }

    /// What is wrong; `nil` when the value is valid.
    public var error: ValidationError? {
        if case .invalid(let error) = self { return error }
        return nil
    }

    /// Whether nothing is wrong.
    public var isValid: Bool { error == nil }
}

extension Evaluation {
    /// What a validator said, as the answer of a requirement.
    public init(_ result: ValidationResult) {
        self = result.error.map(Evaluation.failed) ?? .confirmed
    }
}
