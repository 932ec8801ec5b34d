// The page on value-level requirements: its SwiftUI form as printed, and the same with fields.
import Assay
import AssayForms
import SwiftUI

// `nonisolated` for applications whose default isolation is the main actor: key paths to such a property cannot be
// sent.
nonisolated struct RegistrationData {
    let username: String
    let email: String
    let password: String
    let age: Int
    let agreedToTerms: Bool
}

enum RegistrationValidation {
    static let username = Requirement<String>.length(min: 3, max: 20).because("Имя должно быть от 3 до 20 символов")
    static let email = Requirement<String>.format("email").because("Некорректный email")
    static let password = Requirement<String>.minLength(8).because("Минимум 8 символов")
    static let complete = Requirement<RegistrationData>.at(\.username, username)
    static let isFree = AsyncRequirement<String> { _ in .confirmed }
}

struct RegistrationView: View {
    @State private var username = ""
    @State private var email = ""
    @State private var password = ""
    @State private var age = ""
    @State private var agreedToTerms = false

    @State private var errors: [String] = []

    var usernameError: String? {
        guard !username.isEmpty else { return nil }
        if case .failed(let reason) = RegistrationValidation.username.evaluate(username) {
            return reason.message
        }
        return nil
    }

    var emailError: String? {
        guard !email.isEmpty else { return nil }
        if case .failed(let reason) = RegistrationValidation.email.evaluate(email) {
            return reason.message
        }
        return nil
    }

    var passwordError: String? {
        guard !password.isEmpty else { return nil }
        if case .failed(let reason) = RegistrationValidation.password.evaluate(password) {
            return reason.message
        }
        return nil
    }

    var canSubmit: Bool {
        usernameError == nil && emailError == nil && passwordError == nil && agreedToTerms && !username.isEmpty
            && !email.isEmpty && !password.isEmpty
    }

    var body: some View {
        Form {
            Section("Учётная запись") {
                TextField("Имя пользователя", text: $username)
                if let error = usernameError {
                    ErrorText(error)
                }

                TextField("Email", text: $email)
                    .textInputAutocapitalization(.never)
                    .keyboardType(.emailAddress)
                if let error = emailError {
                    ErrorText(error)
                }

                SecureField("Пароль", text: $password)
                if let error = passwordError {
                    ErrorText(error)
                }
            }

            Section("Персональные данные") {
                TextField("Возраст", text: $age)
                    .keyboardType(.numberPad)
            }

            Section {
                Toggle("Я согласен с условиями использования", isOn: $agreedToTerms)
            }

            Button("Зарегистрироваться") {
                register()
            }
            .disabled(!canSubmit)
        }
    }

    func register() {
        guard let ageInt = Int(age) else { return }

        let data = RegistrationData(
            username: username,
            email: email,
            password: password,
            age: ageInt,
            agreedToTerms: agreedToTerms
        )

        let result = RegistrationValidation.complete.evaluate(data)

        switch result {
        case .confirmed:
            // Регистрация
            print("✅ Регистрация успешна")
        case .failed(let reason):
            errors = [reason.message]
        }
    }
}

struct ErrorText: View {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    var body: some View {
        Text(message)
            .font(.caption)
            .foregroundColor(.red)
    }
}

struct PasswordView: View {
    @State private var password = ""

    // Показывайте ошибки только после начала ввода
    @State private var hasStartedTyping = false

    var passwordError: String? {
        guard hasStartedTyping else { return nil }
        return RegistrationValidation.password.evaluate(password).reason?.message
    }

    var body: some View {
        TextField("Password", text: $password)
            .onChange(of: password) { _, _ in
                hasStartedTyping = true
            }
        if let error = passwordError {
            ErrorText(error)
        }
    }
}

final class SignUpForm {
    @Validated(RegistrationValidation.username, policy: .ifNotEmpty) var username: String?
    @Validated(RegistrationValidation.email) var email: String?
}

struct SignUpView: View {
    @State private var form = SignUpForm()

    var body: some View {
        Form {
            TextField("Имя пользователя", text: form.$username.binding)
                .task { await form.$username.check(RegistrationValidation.isFree, after: .milliseconds(300)) }
            FieldErrors(form.$username)
            TextField("Email", text: form.$email.binding)
            if form.$email.hasChanged { FieldErrors(form.$email) }
            Button("Зарегистрироваться") {}
                .disabled(!form.$username.isValid || form.$username.isChecking || !form.$email.isValid)
        }
    }
}
