import Assay
import AssayForms
import Foundation
import Testing

// The post on composite validators. Its `enum ValidationError` is an extension here. The remaining code is unchanged,
// except for `any Validator<String>` in place of `Validator`, and a pattern in place of NSPredicate.

extension ValidationError {
    fileprivate static let empty = ValidationError(message: "文字を入力してください")
    fileprivate static func length(min: Int, max: Int) -> ValidationError {
        ValidationError(message: "\(min)文字以上\(max)文字以下で入力してください。")
    }
    fileprivate static let nameFormat = ValidationError(message: "英語大文字小文字のみで入力してください。")
}

private struct EmptyValidator: Validator {

    func validate(_ value: String) -> ValidationResult {
        if value.isEmpty == true {
            return .invalid(.empty)
        } else {
            return .valid
        }
    }
}

private struct LengthValidator: Validator {
    let min: Int
    let max: Int

    func validate(_ value: String) -> ValidationResult {
        if value.count >= min && value.count <= max {
            return .valid
        } else {
            return .invalid(.length(min: min, max: max))
        }
    }
}

private struct NameFormatValidator: Validator {

    let regExpression = Pattern.literal("^[a-zA-Z]+$")

    func validate(_ value: String) -> ValidationResult {
        let result = regExpression.matches(value)

        switch result {
        case true: return .valid
        case false: return .invalid(.nameFormat)
        }
    }
}

private struct NameValidator: CompositeValidator {
    var validators: [any Validator<String>] = [
        EmptyValidator(),
        LengthValidator(min: 1, max: 8),
        NameFormatValidator(),
    ]
}

/// The post's own error type, in addition to the library's.
private enum NameError: ValidationErrorProtocol {

    case empty
    case length(min: Int, max: Int)
    case nameFormat

    var errorDescription: String? {
        switch self {
        case .empty: return "文字を入力してください"
        case .length(let min, let max): return "\(min)文字以上\(max)文字以下で入力してください。"
        case .nameFormat: return "英語大文字小文字のみで入力してください。"
        }
    }
}

private struct ProfileValidator: CompositeValidator {
    let email: String
    var validators: [any Validator<String>] {
        [NameValidator(), ConfirmationValidator(origin: email, errorMessage: "一致しません")]
    }
}

extension Validator where Self == NameValidator {
    fileprivate static var name: NameValidator { NameValidator() }
}

extension Validator where Self == ConfirmationValidator<String> {
    fileprivate static func confirmEmail(origin: String) -> ConfirmationValidator<String> {
        ConfirmationValidator(origin: origin, errorMessage: "一致しません")
    }
}

/// Stand-ins for UITextField and UILabel.
private struct EntryView: TextEntryView {
    var enteredText: String
}

private final class Label: ErrorLabel {
    var text: String? = "old"
}

@Suite("Composite validators")
struct CompositeValidatorTests {
    @Test(
        "the first failure wins",
        arguments: [
            ("", .invalid(.empty)), ("abcdefghi", .invalid(.length(min: 1, max: 8))), ("abc1", .invalid(.nameFormat)),
            ("abc\n", .invalid(.nameFormat)), ("abc", .valid), ("a", .valid), ("abcdefgh", .valid),
            ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", .invalid(.nameFormat)),
        ] as [(String, ValidationResult)])
    func firstFailure(value: String, expected: ValidationResult) {
        let nameValidator = NameValidator()
        let result: ValidationResult = nameValidator.validate(value)
        #expect(result == expected)
        #expect(nameValidator.isValid(value: value) == expected.isValid)
        // Without a type annotation, the call returns the single result.
        #expect(nameValidator.validate(value).error == expected.error)
        #expect(nameValidator.requirement.evaluate(value) == Evaluation(expected))
    }

    @Test("the array form has one result for each validator, also valid ones, in order")
    func everyResult() {
        let results: [ValidationResult] = NameValidator().validate("abcdefgh1")
        #expect(results == [.valid, .invalid(.length(min: 1, max: 8)), .invalid(.nameFormat)])
        let all: [ValidationResult] = NameValidator().validate("")
        #expect(all == [.invalid(.empty), .invalid(.length(min: 1, max: 8)), .invalid(.nameFormat)])
    }

    @Test("messages")
    func messages() {
        var printed: [String] = []
        for value in ["", "abcdefghi", "abc1"] {
            let result: ValidationResult = NameValidator().validate(value)
            switch result {
            case .valid: break
            case .invalid(let error): printed.append(error.localizedDescription)
            }
        }
        #expect(printed == ["文字を入力してください", "1文字以上8文字以下で入力してください。", "英語大文字小文字のみで入力してください。"])
    }

    @Test("an error type of one's own")
    func ownErrors() {
        let result = ValidationResult.invalid(NameError.length(min: 1, max: 8))
        #expect(result.error?.localizedDescription == "1文字以上8文字以下で入力してください。")
        #expect(NameError.empty.localizedDescription == "文字を入力してください")
        #expect((NameError.nameFormat as any Error).localizedDescription == "英語大文字小文字のみで入力してください。")
        #expect(result == .invalid(.length(min: 1, max: 8)))

        enum Coded: ValidationErrorProtocol {
            case taken
            var code: String { "name_taken" }
            var errorDescription: String? { "Is taken" }
        }
        #expect(ValidationError(Coded.taken) == ValidationError(code: "name_taken", message: "Is taken"))
    }

    @Test("composites nest, and compare by their parts")
    func nested() {
        let validator = ProfileValidator(email: "anna")
        func first(_ value: String) -> ValidationResult { validator.validate(value) }
        #expect(first("anna") == .valid)
        #expect(first("bo").error?.message == "一致しません")
        #expect(first("").error == .empty)
        let results: [ValidationResult] = validator.validate("")
        #expect(results.map(\.isValid) == [false, false])
        #expect(
            validator.errors(for: "x1").map(\.message) == ["英語大文字小文字のみで入力してください。", "一致しません"])
    }

    @Test("without validators: valid")
    func empty() {
        struct Nothing: CompositeValidator {
            var validators: [any Validator<String>] = []
        }
        let result: ValidationResult = Nothing().validate("x")
        let results: [ValidationResult] = Nothing().validate("x")
        #expect(result == .valid && results.isEmpty && Nothing().isValid(value: nil))
    }

    @Test("the single result stops at the first failure")
    func shortCircuit() {
        struct Two: CompositeValidator {
            let counting = CountingValidator()
            var validators: [any Validator<Int>] { [Requirement<Int>.greaterThan(0), counting] }
        }
        let two = Two()
        #expect(two.validate(-1).error?.rule == "number.greaterThan")
        #expect(two.counting.count == 0)
        let results: [ValidationResult] = two.validate(-1)
        #expect(results.count == 2 && two.counting.count == 1)
    }

    @Test("in a field of a form")
    func field() {
        let field = Validated(wrappedValue: nil, [NameValidator()])
        #expect(
            field.errors.map(\.message) == [
                "文字を入力してください", "1文字以上8文字以下で入力してください。", "英語大文字小文字のみで入力してください。",
            ])
        field.text = "abc1"
        #expect(field.errors.map(\.message) == ["英語大文字小文字のみで入力してください。"])
    }

    @MainActor
    @Test("a text field shows the error on a label, and clears it")
    func views() {
        let errorLabel = Label()
        var textField = EntryView(enteredText: "")
        #expect(textField.validate(type: .name, errorMessageOn: errorLabel) == .invalid(.empty))
        #expect(errorLabel.text == "文字を入力してください")
        textField.enteredText = "anna"
        textField.validate(type: .name, errorMessageOn: errorLabel)
        #expect(errorLabel.text == nil)
        #expect(textField.validate(type: .confirmEmail(origin: "anna")) == .valid)
        textField.validate(type: .confirmEmail(origin: "bo"), errorMessageOn: errorLabel)
        #expect(errorLabel.text == "一致しません")

        let field = Validated<String>([NameValidator()])
        textField.enteredText = "anna 1"
        #expect(textField.enter(into: field, errorMessageOn: errorLabel) == .invalid(.nameFormat))
        #expect(field.wrappedValue == "anna 1" && errorLabel.text == "英語大文字小文字のみで入力してください。")
        textField.enteredText = "anna"
        #expect(textField.enter(into: field, errorMessageOn: errorLabel) == .valid)
        #expect(errorLabel.text == nil)
    }
}
