/// A view for entering text: `UITextField`, `UITextView`, and your own.
@MainActor
public protocol TextEntryView {
    /// The current text of the view.
    var enteredText: String { get }
}

/// A view that shows an error or is empty: `UILabel`, and your own.
@MainActor
public protocol ErrorLabel: AnyObject {
    /// The displayed error; `nil` if there is no error.
    var text: String? { get set }
}

extension TextEntryView {
    /// Validates the text and shows the error on a label. A valid text clears the label.
    ///
    ///     textField.validate(type: NameValidator(), errorMessageOn: errorLabel)
    ///
    /// With short names for your validators, you can write `validate(type: .name)`:
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

    /// Sets the value of a form field to the text, and shows the field's first error on a label.
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
