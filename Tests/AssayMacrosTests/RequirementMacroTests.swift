import AssayMacros
import Foundation
import Testing

// The macros of the page on value-level requirements, as printed. For the other parts of the page, see
// ValueRequirementTests.swift.

private let containsDigit = Requirement<String> { string in
    string.contains(where: \.isNumber)
        ? .confirmed
        : .failed(reason: Reason(message: "Должна содержать хотя бы одну цифру"))
}

private let containsUppercase = Requirement<String> { string in
    string.contains(where: \.isUppercase)
        ? .confirmed
        : .failed(reason: Reason(message: "Должна содержать заглавную букву"))
}

private let containsSpecial = Requirement<String> { string in
    let specialChars = CharacterSet(charactersIn: "!@#$%^&*()_+-=[]{}|;:,.<>?")
    return string.unicodeScalars.contains(where: specialChars.contains)
        ? .confirmed
        : .failed(reason: Reason(message: "Должна содержать спецсимвол"))
}

private struct RegistrationData {
    let username: String
    let email: String
    let password: String
    let age: Int
    let agreedToTerms: Bool
}

private enum RegistrationValidation {
    static let username = #all {
        Requirement<String>.notEmpty()
            .because("Имя пользователя обязательно")

        Requirement<String>.length(min: 3, max: 20)
            .because("Имя должно быть от 3 до 20 символов")

        Requirement<String>.matches(pattern: #"^[a-zA-Z0-9_]+$"#)
            .because("Только буквы, цифры и подчёркивание")
    }

    static let email = #all {
        Requirement<String>.notEmpty()
            .because("Email обязателен")

        Requirement<String>
            .matches(
                pattern: #"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#,
                options: .caseInsensitive
            )
            .because("Некорректный email")
    }

    static let password = #all {
        Requirement<String>.minLength(8)
            .because("Минимум 8 символов")

        containsDigit
        containsUppercase
        containsSpecial
    }

    static let age =
        Requirement<Int>
        .inRange(18...120)
        .because("Возраст должен быть от 18 до 120 лет")

    static let terms =
        Requirement<Bool>
        .require(\.self)
        .because("Необходимо согласие с условиями")

    static let complete = Requirement<RegistrationData> { data in
        var failures: [Reason] = []

        if case .failed(let reason) = username.evaluate(data.username) {
            failures.append(reason)
        }

        if case .failed(let reason) = email.evaluate(data.email) {
            failures.append(reason)
        }

        if case .failed(let reason) = password.evaluate(data.password) {
            failures.append(reason)
        }

        if case .failed(let reason) = age.evaluate(data.age) {
            failures.append(reason)
        }

        if case .failed(let reason) = terms.evaluate(data.agreedToTerms) {
            failures.append(reason)
        }

        if failures.isEmpty {
            return .confirmed
        } else {
            return .failed(reason: failures[0])
        }
    }
}

@Suite("Requirement macros")
struct RequirementMacroTests {
    @Test("the password rule, without a type annotation")
    func password() {
        let passwordRequirement = #all {
            Requirement<String>.minLength(8)
                .because("Минимум 8 символов")

            containsDigit

            containsUppercase

            containsSpecial
        }

        let result = passwordRequirement.evaluate("MyPass123!")
        #expect(result == .confirmed)
        #expect(
            passwordRequirement.failures(in: "short").map(\.message) == [
                "Минимум 8 символов", "Должна содержать хотя бы одну цифру", "Должна содержать заглавную букву",
                "Должна содержать спецсимвол",
            ])
        #expect(passwordRequirement.evaluate("short") == .failed(reason: Reason(message: "Минимум 8 символов")))
    }

    @Test("#all equals Requirement.all, including data")
    func asData() {
        let macro = #all {
            Requirement<String>.minLength(8)
            Requirement<String>.containsDigit
        }
        let function = Requirement<String>.all {
            Requirement<String>.minLength(8)
            Requirement<String>.containsDigit
        }
        #expect(macro.check != nil)
        #expect(macro.check == function.check)
        let values = (0..<5_000).map { String(repeating: "a", count: $0 % 12) + ($0.isMultiple(of: 3) ? "1" : "") }
        #expect(macro.verdicts(for: values) == function.verdicts(for: values))
    }

    @Test("the registration form, in its order")
    func form() {
        func evaluate(
            _ username: String = "ivan_90", _ email: String = "user@example.com", _ password: String = "MyPass123!",
            age: Int = 30, terms: Bool = true
        ) -> String? {
            let data = RegistrationData(
                username: username, email: email, password: password, age: age, agreedToTerms: terms)
            return RegistrationValidation.complete.evaluate(data).reason?.message
        }
        #expect(evaluate() == nil)
        #expect(evaluate("", "", "", age: 1, terms: false) == "Имя пользователя обязательно")
        #expect(evaluate("ab", "", "", age: 1, terms: false) == "Имя должно быть от 3 до 20 символов")
        #expect(evaluate("иван", "", "", age: 1, terms: false) == "Только буквы, цифры и подчёркивание")
        #expect(evaluate("ivan", "", "", age: 1, terms: false) == "Email обязателен")
        #expect(evaluate("ivan", "nope", "", age: 1, terms: false) == "Некорректный email")
        #expect(evaluate(age: 17, terms: false) == "Возраст должен быть от 18 до 120 лет")
        #expect(evaluate(terms: false) == "Необходимо согласие с условиями")
        #expect(RegistrationValidation.username.evaluate("ivan").isConfirmed)
    }

    @Test("#any, #not and #when")
    func others() {
        let contact = #any {
            Requirement<String>.matches(#pattern(#"\+?\d{10,15}"#)).because("Телефон")
            Requirement<String>.matches(#pattern(#"[^@]+@[^@]+"#)).because("Email")
        }
        #expect(["+49301234567", "a@b", "nope"].map { contact.evaluate($0).isConfirmed } == [true, true, false])

        let free = #not { Requirement<String>.oneOf(["admin", "root"]) }
        let alsoFree = #not(Requirement<String>.oneOf(["admin", "root"]))
        for requirement in [free, alsoFree] {
            #expect(["admin", "ivan"].map { requirement.evaluate($0).isConfirmed } == [false, true])
        }

        let nickname = #when(.notEmpty()) {
            Requirement<String>.length(min: 3, max: 20)
            containsDigit
        }
        #expect(["", "ab", "abc", "abc1"].map { nickname.evaluate($0).isConfirmed } == [true, false, false, true])
    }

    @Test("key paths, conditions and nesting in a block")
    func blocks() {
        let isStrict = true
        let complete = #all {
            \RegistrationData.agreedToTerms
            RegistrationValidation.username.at(\RegistrationData.username, named: "username")
            if isStrict {
                Requirement<RegistrationData>.at(\.age, named: "age", .inRange(18...120))
            }
            #any {
                Requirement<RegistrationData>.at(\.email, .notEmpty())
                Requirement<RegistrationData>.at(\.password, .notEmpty())
            }
        }
        let data = RegistrationData(username: "", email: "", password: "x", age: 1, agreedToTerms: false)
        #expect(complete.failures(in: data).map(\.path.description).filter { !$0.isEmpty }.contains("age"))
        #expect(
            complete.evaluate(
                RegistrationData(username: "ivan", email: "", password: "x", age: 20, agreedToTerms: true)
            ).isConfirmed)
    }
}
