public import Assay

/// A validator made of others, asked in their order. Composites stand in composites.
///
///     struct NameValidator: CompositeValidator {
///         var validators: [any Validator<String>] = [
///             NotEmptyValidator(errorMessage: "Please enter a name"),
///             LengthValidator(min: 1, max: 8, errorMessage: "From 1 to 8 characters"),
///         ]
///     }
///     let first: ValidationResult = NameValidator().validate("")      // the first failure
///     let all: [ValidationResult] = NameValidator().validate("")      // one result for each validator
///
/// Of nothing: always valid. Where a type has a `validate(_:)` of its own, ``isValid(value:)`` and ``errors(for:)`` follow it; its
/// ``requirement`` does not, and must be its own too.
public protocol CompositeValidator<ValueType>: Validator {
    /// The type of the values. Said again, so that the compiler finds it by the type of `validators`.
    associatedtype ValueType = String

    /// What is asked, in this order.
    var validators: [any Validator<ValueType>] { get }
}

extension CompositeValidator {
    /// The first failure in the order of the validators, or valid. Those after it are not asked. What a limit left undecided
    /// counts only when nothing else is wrong, as in all of Assay.
    public func validate(_ value: ValueType) -> ValidationResult {
        var fold = KleeneFold(.and)
        for validator in validators where fold.add(Evaluation(validator.validate(value))) { break }
        return ValidationResult(fold.evaluation)
    }

    /// What each validator says, the valid ones too, in their order.
    @_disfavoredOverload
    public func validate(_ value: ValueType) -> [ValidationResult] {
        validators.map { $0.validate(value) }
    }

    public func isValid(value: ValueType?) -> Bool {
        guard let value else { return validators.allSatisfy { $0.isValid(value: nil) } }
        let result: ValidationResult = validate(value)
        return result.error == nil
    }

    public func errors(for value: ValueType?) -> [ValidationError] {
        guard let value else { return validators.flatMap { $0.errors(for: nil) }.undecidedLast }
        let result: ValidationResult = validate(value)
        guard let error = result.error else { return [] }
        let errors = validators.flatMap { $0.errors(for: value) }.undecidedLast
        return errors.contains(error) ? errors : [error]
    }

    public var requirement: Requirement<ValueType> { .all(validators.map { $0.requirement }) }
}
