public import Assay

/// The same value as one given before: an address typed twice.
///
///     ConfirmationValidator(origin: email, errorMessage: "The addresses differ").validate(repeated)
///
/// For two fields whose values change, see ``Validated/confirm(origin:errorMessage:)``.
public struct ConfirmationValidator<ValueType: Hashable & Sendable>: RuleValidator {
    public var errorMessage: String
    public let rule: Requirement<ValueType>

    /// - Parameter origin: the value to compare with.
    public init(origin: ValueType, errorMessage: String) {
        self.errorMessage = errorMessage
        rule = .equals(origin)
    }
}
