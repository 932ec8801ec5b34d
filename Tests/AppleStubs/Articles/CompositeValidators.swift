// The post on composite validators: its UIKit lines, with the library's method and with the post's own.
import AssayForms
import UIKit

struct NameValidator: CompositeValidator {
    var validators: [any Validator<String>] = [
        NotEmptyValidator(errorMessage: "文字を入力してください"),
        LengthValidator(min: 1, max: 8, errorMessage: "1文字以上8文字以下で入力してください。"),
        RegexValidator(regex: "^[a-zA-Z]+$", errorMessage: "英語大文字小文字のみで入力してください。"),
    ]
}

extension Validator where Self == NameValidator {
    static var name: NameValidator { NameValidator() }
}

extension Validator where Self == ConfirmationValidator<String> {
    static func confirmEmail(origin: String) -> ConfirmationValidator<String> {
        ConfirmationValidator(origin: origin, errorMessage: "メールアドレスが一致しません")
    }
}

final class NameController: UIViewController {
    let errorLabel = UILabel()
    let notes = UITextView()
    @Validated([NameValidator()]) var name: String?
}

extension NameController: UITextFieldDelegate {
    func textFieldDidEndEditing(_ textField: UITextField) {
        let nameValidator = NameValidator()
        let result: ValidationResult = nameValidator.validate(textField.text ?? "")
        switch result {
        case .valid: break
        case .invalid(let error): print(error.localizedDescription)
        }
        textField.validate(type: .name, errorMessageOn: errorLabel)
        textField.validate(type: .confirmEmail(origin: "anna@example.org"))
        notes.validate(type: .name, errorMessageOn: errorLabel)
        textField.enter(into: $name, errorMessageOn: errorLabel)
    }
}

// The post's own extension stands beside the library's.
final class PostedTextField: UITextField {
    enum ValidateType {
        case name
        case confirmEmail(origin: String)
    }

    @discardableResult
    func validate(type: ValidateType, errorMessageOn label: UILabel? = nil) -> ValidationResult {
        let result: ValidationResult
        switch type {
        case .name: result = NameValidator().validate(text ?? "")
        case .confirmEmail(let origin): result = .confirmEmail(origin: origin, text: text ?? "")
        }
        switch result {
        case .valid: label?.text = nil
        case .invalid(let error): label?.text = error.localizedDescription
        }
        return result
    }
}

extension ValidationResult {
    fileprivate static func confirmEmail(origin: String, text: String) -> ValidationResult {
        ConfirmationValidator(origin: origin, errorMessage: "メールアドレスが一致しません").validate(text)
    }
}

@MainActor func use(_ field: PostedTextField, _ label: UILabel) {
    field.validate(type: .name, errorMessageOn: label)
}
