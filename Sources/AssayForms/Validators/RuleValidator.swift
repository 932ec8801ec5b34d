public import Assay

/// A validator with a rule and a single message for all failures.
///
///     struct EmailValidator: RuleValidator {
///         var errorMessage: String
///         let rule = Requirement<String>.format("email")
///     }
///
/// Errors keep the rule's stable name and parameters. A value that could not be checked, because of a limit or an
/// invalid pattern, is not valid, but its error has the requirement's message.
public protocol RuleValidator<ValueType>: Validator {
    /// The type of the values. Declared again, so that the compiler infers it from the type of `rule`.
    associatedtype ValueType

    /// The requirement of the value.
    var rule: Requirement<ValueType> { get }
}

extension RuleValidator {
    public func isValid(value: ValueType?) -> Bool { value.map { rule.evaluate($0).isConfirmed } ?? false }

    public func validate(_ value: ValueType) -> ValidationResult {
        guard case .failed(var reason) = rule.evaluate(value) else { return .valid }
        if !reason.isUndecided { (reason.code, reason.message) = (Reason.defaultCode, errorMessage) }
        return .invalid(reason)
    }

    public func errors(for value: ValueType?) -> [ValidationError] {
        guard let value else { return [ValidationError(message: errorMessage)] }
        return validate(value).error.map { [$0] } ?? []
    }

    public var requirement: Requirement<ValueType> { rule.because(errorMessage) }
}
