#if canImport(UIKit) && !os(watchOS)
    internal import Assay
    public import UIKit

    /// A view in which people enter text: `UITextField`, `UITextView`, and your own.
    @MainActor
    public protocol TextEntryView {
        var enteredText: String { get }
    }

    extension UITextField: TextEntryView {
        public var enteredText: String { text ?? "" }
    }

    extension UITextView: TextEntryView {
        public var enteredText: String { text ?? "" }
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
        public func validate(type validator: some Validator<String>, errorMessageOn label: UILabel? = nil)
            -> ValidationResult
        {
            show(validator.validate(enteredText), on: label)
        }

        /// Enters the text into a field of a form, and shows the field's first error on a label.
        @discardableResult
        public func enter(into field: Validated<String>, errorMessageOn label: UILabel? = nil) -> ValidationResult {
            field.wrappedValue = enteredText
            return show(field.errors.first.map(ValidationResult.invalid) ?? .valid, on: label)
        }

        private func show(_ result: ValidationResult, on label: UILabel?) -> ValidationResult {
            label?.text = result.error?.localizedDescription
            return result
        }
    }
#endif
