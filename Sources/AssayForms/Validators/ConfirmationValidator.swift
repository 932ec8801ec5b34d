public import Assay

/// A validator that requires a given value, such as an address typed twice.
///
///     ConfirmationValidator(origin: email, errorMessage: "The addresses differ").validate(repeated)
///
/// For two fields with changing values, see ``Validated/confirm(origin:errorMessage:)``.
public struct ConfirmationValidator<ValueType: Hashable & Sendable>: RuleValidator {
    public var errorMessage: String
    public let rule: Requirement<ValueType>

    /// - Parameter origin: The required value. Texts are compared byte by byte.
    public init(origin: ValueType, errorMessage: String) {
        self.errorMessage = errorMessage
        rule = .equals(origin)
    }
}
