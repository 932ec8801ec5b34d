public import Assay

/// A validator that consists of others, which run in order. Composites can contain composites.
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
/// Without validators, every value is valid. If a type implements its own `validate(_:)`, ``isValid(value:)`` and
/// ``errors(for:)`` use it, but ``requirement`` does not and must also be implemented.
public protocol CompositeValidator<ValueType>: Validator {
    /// The type of the values. Declared again, so that the compiler infers it from the type of `validators`.
    associatedtype ValueType = String

    /// The validators, in evaluation order.
    var validators: [any Validator<ValueType>] { get }
}

extension CompositeValidator {
    /// Returns the first failure in the order of the validators, or `.valid`. Later validators do not run. An undecided
    /// result is returned only if no validator fails, as everywhere in Assay.
    public func validate(_ value: ValueType) -> ValidationResult {
        var fold = KleeneFold(.and)
        for validator in validators where fold.add(Evaluation(validator.validate(value))) { break }
        return ValidationResult(fold.evaluation)
    }

    /// Returns the results of all validators, in order.
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
