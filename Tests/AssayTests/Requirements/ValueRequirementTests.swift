import Assay
import Foundation
import Testing

// The page on value-level requirements, line by line. Its macros are in another module.

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

private struct Item {
    let id: String
    let price: Double
}

private struct RegistrationData {
    let username: String
    let email: String
    let password: String
    let age: Int
    let agreedToTerms: Bool
}

private enum RegistrationValidation {
    static let username = Requirement<String>.all {
        Requirement<String>.notEmpty().because("Имя пользователя обязательно")
        Requirement<String>.length(min: 3, max: 20).because("Имя должно быть от 3 до 20 символов")
        Requirement<String>.matches(pattern: #"^[a-zA-Z0-9_]+$"#).because("Только буквы, цифры и подчёркивание")
    }

    static let email = Requirement<String>.all {
        Requirement<String>.notEmpty().because("Email обязателен")
        Requirement<String>
            .matches(pattern: #"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#, options: .caseInsensitive)
            .because("Некорректный email")
    }

    static let password = Requirement<String>.all {
        Requirement<String>.minLength(8).because("Минимум 8 символов")
        containsDigit
        containsUppercase
        containsSpecial
    }

    static let age = Requirement<Int>.inRange(18...120).because("Возраст должен быть от 18 до 120 лет")
    static let terms = Requirement<Bool>.require(\.self).because("Необходимо согласие с условиями")

    static let complete = Requirement<RegistrationData> { data in
        var failures: [Reason] = []
        if case .failed(let reason) = username.evaluate(data.username) { failures.append(reason) }
        if case .failed(let reason) = email.evaluate(data.email) { failures.append(reason) }
        if case .failed(let reason) = password.evaluate(data.password) { failures.append(reason) }
        if case .failed(let reason) = age.evaluate(data.age) { failures.append(reason) }
        if case .failed(let reason) = terms.evaluate(data.agreedToTerms) { failures.append(reason) }
        if failures.isEmpty { return .confirmed }
        return .failed(reason: failures[0])
    }
}

@Suite("Requirements of values")
struct ValueRequirementTests {
    @Test("an empty string is refused in the page's own words")
    func notEmpty() {
        let notEmpty = Requirement<String>.notEmpty()
        #expect(notEmpty.evaluate("") == .failed(reason: Reason(message: "String is empty")))
        #expect(notEmpty.evaluate(" ").isConfirmed)
        #expect(Reason(message: "x").code == "requirement_failed")
        #expect("\(Reason(code: "c", message: "m"))" == "[c] m")
    }

    @Test("lengths are inclusive and count characters")
    func lengths() {
        let minLength = Requirement<String>
            .minLength(8)
            .because("Минимальная длина: 8 символов")
        #expect(minLength.evaluate("1234567") == .failed(reason: Reason(message: "Минимальная длина: 8 символов")))
        #expect(minLength.evaluate("12345678").isConfirmed)
        #expect(Requirement<String>.maxLength(2).evaluate("👨‍👩‍👧‍👦🇵🇹").isConfirmed)
        let range = Requirement<String>.length(min: 2, max: 3)
        #expect(["a", "ab", "abc", "abcd"].map { range.evaluate($0).isConfirmed } == [false, true, true, false])
    }

    @Test(
        "patterns match the complete value",
        arguments: [
            (#"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#, Pattern.Options.caseInsensitive, "user@example.com", true),
            (#"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#, .caseInsensitive, "user@example.com\n", false),
            (#"^\+?\d{10,15}$"#, [], "+49301234567", true), (#"^\+?\d{10,15}$"#, [], "12345", false),
            (#"^https?://[^\s/$.?#].[^\s]*$"#, .caseInsensitive, "HTTPS://example.com/a", true),
            (#"^https?://[^\s/$.?#].[^\s]*$"#, .caseInsensitive, "ftp://example.com", false),
            (#"^[a-zA-Z0-9_]+$"#, [], "ivan_90", true), (#"^[a-zA-Z0-9_]+$"#, [], "иван", false),
        ] as [(String, Pattern.Options, String, Bool)])
    func patterns(pattern: String, options: Pattern.Options, value: String, expected: Bool) {
        let requirement = Requirement<String>.matches(pattern: pattern, options: options).because("Нет")
        #expect(requirement.evaluate(value) == (expected ? .confirmed : .failed(reason: Reason(message: "Нет"))))
    }

    @Test("a pattern that does not compile is never a pass, and never a trap")
    func badPattern() {
        for requirement in [
            Requirement<String>.matches(pattern: "("), .not(.matches(pattern: "(")),
            .matches(pattern: "(").because("x"),
        ] {
            let reason = requirement.evaluate("x").reason
            #expect(reason?.isUndecided == true)
            #expect(reason?.message.contains("does not compile") == true)
        }
    }

    @Test("the password rule")
    func password() {
        #expect(RegistrationValidation.password.evaluate("MyPass123!").isConfirmed)
        #expect(
            RegistrationValidation.password.evaluate("short") == .failed(reason: Reason(message: "Минимум 8 символов")))
        #expect(
            RegistrationValidation.password.failures(in: "short").map(\.message) == [
                "Минимум 8 символов", "Должна содержать хотя бы одну цифру", "Должна содержать заглавную букву",
                "Должна содержать спецсимвол",
            ])
        #expect(RegistrationValidation.password.failures(in: "short", limit: 2).count == 2)
    }

    @Test("the password rule as data agrees with the one made of closures")
    func passwordAsData() {
        let data = Requirement<String>.all {
            Requirement<String>.minLength(8)
            Requirement<String>.containsDigit
            Requirement<String>.containsUppercase
            Requirement<String>.containsSymbol
        }
        #expect(data.check != nil)
        #expect(RegistrationValidation.password.check == nil)
        let values = (0..<10_000).map { index in
            ["MyPass123!", "mypass123!", "MyPassword!", "Short1!", "MyPass1234", "ПарольДлинный1!"][index % 6]
                + "\(index % 7 == 0 ? "" : "x")"
        }
        let one = data.verdicts(for: values)
        #expect(Array(one) == values.map { data.evaluate($0).isConfirmed ? .pass : .fail })
        #expect(one == RegistrationValidation.password.verdicts(for: values))
        #expect(one == RegistrationValidation.password.verdicts(for: values, threads: 1))
        #expect(one.passedCount > 0 && one.failedCount > 0)
    }

    @Test("collections")
    func collections() {
        let items = [Item(id: "a", price: 10), Item(id: "b", price: -1)]
        #expect(!Requirement<[Item]>.notEmpty().evaluate([]).isConfirmed)
        let countRange = Requirement<[Item]>
            .count(min: 1, max: 100)
            .because("Должно быть от 1 до 100 элементов")
        #expect(countRange.evaluate(items).isConfirmed)
        #expect(countRange.evaluate([]) == .failed(reason: Reason(message: "Должно быть от 1 до 100 элементов")))
        let allValid = Requirement<[Item]> { items in
            let allPositivePrices = items.allSatisfy { $0.price > 0 }
            return allPositivePrices
                ? .confirmed
                : .failed(reason: Reason(message: "Все цены должны быть положительными"))
        }
        #expect(!allValid.evaluate(items).isConfirmed)
        let each = Requirement<[Item]>.each(.at(\.price, named: "price", .greaterThan(0)))
        #expect(each.evaluate(items).reason?.path.description == "[1].price")
        let nested = Requirement<[[Item]]>.each(each)
        #expect(nested.failures(in: [items, items]).map(\.path.description) == ["[0][1].price", "[1][1].price"])
    }

    @Test("numbers, and NaN fails every range")
    func numbers() {
        let ageValid = Requirement<Int>
            .inRange(18...120)
            .because("Возраст должен быть от 18 до 120 лет")
        #expect([17, 18, 120, 121].map { ageValid.evaluate($0).isConfirmed } == [false, true, true, false])
        #expect(!Requirement<Double>.greaterThan(0).evaluate(0).isConfirmed)
        #expect(Requirement<Double>.lessThanOrEqual(10000).evaluate(10000).isConfirmed)
        for requirement in [
            Requirement<Double>.greaterThan(0), .lessThanOrEqual(1), .inRange(0...1), .inRange(0..<1), .inRange(0...),
            .inRange(...1), .inRange(..<1), .greaterThanOrEqual(0), .lessThan(1),
        ] {
            #expect(!requirement.evaluate(.nan).isConfirmed)
            #expect(requirement.evaluate(0.5).isConfirmed)
        }
        #expect(Requirement<Int>.inRange(18...120).check == .range(min: Bound("18"), max: Bound("120"), as: .integer))
    }

    @Test("a truth value, in the page's own words and in those that ship")
    func terms() {
        let terms = Requirement<Bool>.require(\.self)
        #expect(terms.evaluate(true).isConfirmed)
        #expect(terms.evaluate(false) == .failed(reason: Reason(message: "Requirement not met")))
        #expect(
            RegistrationValidation.terms.evaluate(false)
                == .failed(reason: Reason(message: "Необходимо согласие с условиями")))
    }

    @Test("a closure may have several statements, with and without return")
    func closures() {
        let returned = Requirement<Int> { number in
            guard number > 0 else { return .failed(reason: Reason(message: "Not positive")) }
            return .confirmed
        }
        let odd = Reason(message: "Is odd")
        let ended = Requirement<Int> { number in
            let rest = number % 2
            rest == 0 ? .confirmed : .failed(reason: odd)
        }
        let branched = Requirement<Int>(named: "even") { number in
            var halves = 0
            if number > 0 { for _ in 0..<number / 2 { halves += 1 } }
            if halves * 2 == number { .confirmed } else { .failed(reason: odd) }
        }
        let unreachable = Requirement<Int> { number in
            _ = number + 1
            fatalError("never asked")
        }
        #expect(unreachable.check == nil)
        let switched = Requirement<Int> { number in
            switch number {
            case 0, 2, 4: .confirmed
            default: .failed(reason: odd)
            }
        }
        #expect([returned.evaluate(1), returned.evaluate(0)].map(\.isConfirmed) == [true, false])
        for requirement in [ended, branched, switched] {
            #expect([0, 2, 3].map { requirement.evaluate($0).reason } == [nil, nil, odd])
        }
    }

    @Test("the registration form, in its order")
    func form() {
        func data(
            _ username: String = "ivan", _ email: String = "i@e.com", _ password: String = "MyPass123!", age: Int = 30,
            terms: Bool = true
        ) -> RegistrationData {
            RegistrationData(username: username, email: email, password: password, age: age, agreedToTerms: terms)
        }
        #expect(RegistrationValidation.complete.evaluate(data()).isConfirmed)
        #expect(
            RegistrationValidation.complete.evaluate(data("", "", "", age: 1, terms: false))
                == .failed(reason: Reason(message: "Имя пользователя обязательно")))
        #expect(
            RegistrationValidation.complete.evaluate(data("ok_", "nope", "", age: 1, terms: false))
                == .failed(reason: Reason(message: "Некорректный email")))
        #expect(
            RegistrationValidation.complete.evaluate(data(age: 17, terms: false))
                == .failed(reason: Reason(message: "Возраст должен быть от 18 до 120 лет")))
        #expect(
            RegistrationValidation.complete.evaluate(data(terms: false))
                == .failed(reason: Reason(message: "Необходимо согласие с условиями")))
    }

    @Test("because replaces the words and keeps the rule's stable name")
    func because() {
        let reason = Requirement<String>.minLength(8).because(code: "short", message: "Zu kurz").evaluate("x").reason
        #expect(reason == Reason(code: "short", message: "Zu kurz"))
        #expect(reason?.rule == "string.minLength")
        #expect(reason?.parameters == ["min": .integer(8)])
        #expect(reason?.message(in: "ja") == "Zu kurz")
        let composite = Requirement<String>.all([.minLength(3), .maxLength(5)]).because("Nein")
        #expect(composite.failures(in: "x") == [Reason(message: "Nein")])
        #expect(composite.evaluate("abcd").isConfirmed)
    }

    @Test("messages in other languages")
    func languages() {
        let reason = Requirement<String>.length(min: 1, max: 8).evaluate("").reason
        #expect(reason?.message == "Must have 1 to 8 characters")
        #expect(reason?.message(in: "ja") == "1文字以上8文字以下で入力してください")
        #expect(reason?.message(in: "pt-BR") == "Deve ter de 1 a 8 caracteres")
        #expect(reason?.message(in: "tlh") == "Must have 1 to 8 characters")
        var mine = MessageCatalog.russian
        mine.texts["string.length"] = "{max} и не больше"
        #expect(reason?.message(in: mine) == "8 и не больше")
        for catalog in MessageCatalog.all {
            #expect(Set(catalog.texts.keys) == Set(MessageCatalog.english.texts.keys), "\(catalog.language)")
        }
    }

    @Test("and, or, not, when: as Kleene's logic has it")
    func composition() {
        let hostile = String(repeating: "a", count: 64)
        let parts: [Verdict: Requirement<String>] = [
            .pass: .notEmpty(), .fail: .maxLength(1), .undecided: .matches(pattern: #"(a+)+b\1{0}"#),
        ]
        func verdict(_ requirement: Requirement<String>) -> Verdict {
            guard let reason = requirement.evaluate(hostile).reason else { return .pass }
            let verdict: Verdict = reason.isUndecided ? .undecided : .fail
            #expect(requirement.verdicts(for: [hostile])[0] == verdict)
            return verdict
        }
        for (one, a) in parts {
            for (other, b) in parts {
                let and: Verdict =
                    one == .fail || other == .fail ? .fail : one == .pass && other == .pass ? .pass : .undecided
                let or: Verdict =
                    one == .pass || other == .pass ? .pass : one == .fail && other == .fail ? .fail : .undecided
                #expect(verdict(a && b) == and, "\(one) and \(other)")
                #expect(verdict(a || b) == or, "\(one) or \(other)")
            }
            #expect(verdict(!a) == (one == .pass ? .fail : one == .fail ? .pass : .undecided))
        }
        #expect(Requirement<String>.all([]).evaluate("").isConfirmed)
        #expect(!Requirement<String>.any([]).evaluate("").isConfirmed)
        let when = Requirement<String>.when(.notEmpty(), .minLength(3))
        #expect(["", "ab", "abc"].map { when.evaluate($0).isConfirmed } == [true, false, true])
        #expect(
            ["", "ab", "abc"].map { Requirement<String>.emptyOr(.minLength(3)).evaluate($0).isConfirmed } == [
                true, false, true,
            ])
    }

    @Test("optional values")
    func optionals() {
        #expect(Requirement<String?>.ifPresent(.notEmpty()).evaluate(nil).isConfirmed)
        #expect(!Requirement<String?>.ifPresent(.notEmpty()).evaluate("").isConfirmed)
        #expect(Requirement<String?>.notNil().evaluate(nil).reason?.rule == "value.missing")
        #expect(Requirement<String>.notEmpty().failures(in: nil).map(\.message) == ["Is missing"])
    }

    @Test("the page's own rules for collections and numbers")
    func ownRules() {
        let exactCount = Requirement<[Item]> { items in
            items.count == 5
                ? .confirmed
                : .failed(reason: Reason(message: "Требуется ровно 5 элементов"))
        }
        let hasExpensive = Requirement<[Item]> { items in
            items.contains(where: { $0.price > 1000 })
                ? .confirmed
                : .failed(reason: Reason(message: "Нет дорогих товаров"))
        }
        let uniqueIds = Requirement<[Item]> { items in
            let ids = items.map(\.id)
            let uniqueIds = Set(ids)
            return ids.count == uniqueIds.count
                ? .confirmed
                : .failed(reason: Reason(message: "ID должны быть уникальными"))
        }
        let items = (0..<5).map { Item(id: "\($0)", price: 300 * Double($0)) }
        #expect([exactCount, hasExpensive, uniqueIds].allSatisfy { $0.evaluate(items).isConfirmed })
        let twice = items[0..<3] + items[0..<1]
        #expect(
            [exactCount, hasExpensive, uniqueIds].map { $0.evaluate(Array(twice)).reason?.message } == [
                "Требуется ровно 5 элементов", "Нет дорогих товаров", "ID должны быть уникальными",
            ])
        // The same conditions as built-in requirements.
        #expect(Requirement<[Item]>.unique(by: \.id).evaluate(Array(twice)).reason?.path.description == "[3]")
        #expect(!Requirement<[Item]>.contains(.at(\.price, .greaterThan(1000))).evaluate(Array(twice)).isConfirmed)

        let discount = Requirement<Double> { value in
            (0...100).contains(value)
                ? .confirmed
                : .failed(reason: Reason(message: "Скидка должна быть от 0% до 100%"))
        }
        let multipleOf5 = Requirement<Int> { value in
            value % 5 == 0
                ? .confirmed
                : .failed(reason: Reason(message: "Должно быть кратно 5"))
        }
        #expect(
            [-1, 0, 100, 101, .nan].map { discount.evaluate($0).isConfirmed } == [false, true, true, false, false])
        #expect([4, 5].map { multipleOf5.evaluate($0).isConfirmed } == [false, true])
    }

    @Test("rules that belong together, joined by an operator")
    func grouped() {
        enum EmailValidation {
            static let format = Requirement<String>
                .matches(pattern: #"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#, options: .caseInsensitive)
                .because("Некорректный формат email")

            static let notDisposable = Requirement<String> { email in
                let disposableDomains = ["tempmail.com", "10minutemail.com"]
                let domain = email.split(separator: "@").last.map(String.init) ?? ""

                return !disposableDomains.contains(domain)
                    ? .confirmed
                    : .failed(reason: Reason(message: "Временные email не допускаются"))
            }

            static let complete = format && notDisposable
        }
        #expect(EmailValidation.complete.evaluate("anna@example.com").isConfirmed)
        #expect(EmailValidation.complete.evaluate("a@tempmail.com").reason?.message == "Временные email не допускаются")
        #expect(EmailValidation.complete.evaluate("tempmail.com").reason?.message == "Некорректный формат email")
    }

    @Test("the registration form as one requirement of its parts: all reasons, each at its field")
    func formOfParts() {
        let complete = Requirement<RegistrationData>.all {
            Requirement<RegistrationData>.at(\.username, named: "username", RegistrationValidation.username)
            Requirement<RegistrationData>.at(\.email, named: "email", RegistrationValidation.email)
            RegistrationValidation.password.at(\.password, named: "password")
            RegistrationValidation.age.at(\.age, named: "age")
            RegistrationValidation.terms.at(\.agreedToTerms, named: "agreedToTerms")
        }
        let data = RegistrationData(username: "я", email: "", password: "short1!", age: 17, agreedToTerms: false)
        #expect(
            complete.failures(in: data).map { "\($0.path): \($0.message)" } == [
                "username: Имя должно быть от 3 до 20 символов", "username: Только буквы, цифры и подчёркивание",
                "email: Email обязателен", "email: Некорректный email", "password: Минимум 8 символов",
                "password: Должна содержать заглавную букву", "age: Возраст должен быть от 18 до 120 лет",
                "agreedToTerms: Необходимо согласие с условиями",
            ])
        #expect(complete.evaluate(data).reason == RegistrationValidation.complete.evaluate(data).reason)
    }

    @Test("an error is shown only after typing has begun")
    func incremental() {
        struct Model {
            var username = ""
            var usernameError: String? {
                guard !username.isEmpty else { return nil }
                if case .failed(let reason) = RegistrationValidation.username.evaluate(username) {
                    return reason.message
                }
                return nil
            }
        }
        #expect(Model().usernameError == nil)
        #expect(Model(username: "я").usernameError == "Имя должно быть от 3 до 20 символов")
        #expect(Model(username: "anna").usernameError == nil)
    }
}

@Suite("Reasons for programs") struct ReasonCodeTests {
    private enum Plan { case free, team, firm }

    @Test func codes() throws {
        func code<Value>(_ requirement: Requirement<Value>, _ value: Value) -> String? {
            requirement.evaluate(value).reason?.code
        }
        #expect(code(.inRange(1...3), 9) == "number.range")
        #expect(code(Requirement.inRange(1...3).named("stars"), 9) == "stars")
        #expect(code(Requirement.inRange(1...3).because("no"), 9) == "number.range")
        #expect(code(Requirement.inRange(1...3).because(code: "stars", message: "no"), 9) == "stars")
        #expect(code(Requirement { _ in .failed(reason: Reason(message: "no")) }, 9) == "requirement_failed")
        // The name of the rule is no part of equality, and survives coding.
        let reason = try #require(Requirement<Int>.inRange(1...3).evaluate(9).reason)
        #expect(reason == Reason(message: reason.message))
        let again = try JSONDecoder().decode(Reason.self, from: JSONEncoder().encode(reason))
        #expect(again == reason && again.code == "number.range")
    }

    @Test func parameters() {
        #expect(
            Requirement<String>.oneOf(["team", "free"]).evaluate("x").reason?.parameters
                == ["values": .text("free, team")])
        #expect(
            Requirement<Plan>.oneOf([.free, .team]).evaluate(.firm).reason?.parameters
                == ["values": .text("free, team")])
        #expect(Requirement<Int>.oneOf([1, 2]).evaluate(3).reason?.parameters == ["values": .text("1, 2")])
        // It may be a secret.
        #expect(Requirement<String>.equals("secret").evaluate("x").reason?.parameters == [:])
        #expect(
            Requirement<String>.matches(pattern: "a+").evaluate("x").reason?.parameters == ["pattern": .text("a+")])
        let many = Requirement<String>.oneOf((1...1_000).map { "value\($0)" }).evaluate("x").reason?.parameters
        #expect((many?["values"]?.description.utf8.count ?? 0) < 1_010)
    }
}
