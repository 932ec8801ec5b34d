public import Assay

/// A validator that is a rule and one message for whatever fails it.
///
///     struct EmailValidator: RuleValidator {
///         var errorMessage: String
///         let rule = Requirement<String>.format("email")
///     }
///
/// An error keeps the stable name of the rule and its parameters. A value that could not be judged, because of a limit or a
/// pattern that does not compile, is not valid either, but says so in the words of the requirement.
public protocol RuleValidator<ValueType>: Validator {
    /// The type of the values. Said again, so that the compiler finds it by the type of `rule`.
    associatedtype ValueType

    /// What the value must be.
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
