public import Assay

/// A validator that requires a text of at least one character. White space counts as characters.
public struct NotEmptyValidator: RuleValidator {
    public var errorMessage: String
    public var rule: Requirement<String> { Self.notEmpty }

    private static let notEmpty = Requirement<String>.notEmpty()

    /// A validator with the message for an empty text.
    public init(errorMessage: String) { self.errorMessage = errorMessage }
}
