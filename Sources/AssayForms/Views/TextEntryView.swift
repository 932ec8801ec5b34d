/// A view in which people enter text: `UITextField`, `UITextView`, and your own.
@MainActor
public protocol TextEntryView {
    /// The text that the view holds now.
    var enteredText: String { get }
}

/// A view that shows an error, or nothing: `UILabel`, and your own.
@MainActor
public protocol ErrorLabel: AnyObject {
    /// The error that is shown; `nil`: none.
    var text: String? { get set }
}

extension TextEntryView {
    /// Validates the text, and shows the error on a label; a valid text clears the label.
    ///
    ///     textField.validate(type: NameValidator(), errorMessageOn: errorLabel)
    ///
    /// Give your validators short names and write `validate(type: .name)`:
    ///
    ///     extension Validator where Self == NameValidator {
    ///         static var name: NameValidator { NameValidator() }
    ///     }
    @discardableResult
    public func validate(type validator: some Validator<String>, errorMessageOn label: (any ErrorLabel)? = nil)
        -> ValidationResult
    {
        show(validator.validate(enteredText), on: label)
    }

    /// Enters the text into a field of a form, and shows the field's first error on a label.
    @discardableResult
    public func enter(into field: Validated<String>, errorMessageOn label: (any ErrorLabel)? = nil) -> ValidationResult
    {
        field.wrappedValue = enteredText
        return show(field.errors.first.map(ValidationResult.invalid) ?? .valid, on: label)
    }

    private func show(_ result: ValidationResult, on label: (any ErrorLabel)?) -> ValidationResult {
        label?.text = result.error?.localizedDescription
        return result
    }
}
