import Assay
import AssayForms
import Foundation
import Testing

/// Implements neither isValid nor validate, so that the precondition failure must name the type.
private struct NeitherValidator: Validator {
    typealias ValueType = Int
}

@Suite("Validators beyond the articles")
struct ValidatorTests {
    @Test("lengths by bounds and by ranges of every kind")
    func lengths() {
        func accepted(_ validator: LengthValidator) -> [Int] {
            (0...12).filter { validator.isValid(value: String(repeating: "é", count: $0)) }
        }
        #expect(accepted(LengthValidator(min: 1, max: 8, errorMessage: "")) == Array(1...8))
        let families = "👨‍👩‍👧‍👦👨‍👩‍👧‍👦"
        #expect(LengthValidator(min: 2, max: 2, errorMessage: "").isValid(value: families))
        #expect(!LengthValidator(min: 2, max: 2, in: .scalars, errorMessage: "").isValid(value: families))
        #expect(accepted(LengthValidator(range: 1...8, errorMessage: "")) == Array(1...8))
        #expect(accepted(LengthValidator(range: 1..<8, errorMessage: "")) == Array(1...7))
        #expect(accepted(LengthValidator(range: 8..., errorMessage: "")) == Array(8...12))
        #expect(accepted(LengthValidator(range: ...3, errorMessage: "")) == Array(0...3))
        #expect(accepted(LengthValidator(range: ..<3, errorMessage: "")) == Array(0...2))
        #expect(accepted(LengthValidator(range: 0...4, in: .utf8, errorMessage: "")) == Array(0...2))
        let validator = LengthValidator(min: 1, max: 8, errorMessage: "From 1 to 8")
        #expect(validator.validate("123456789") == .invalid(ValidationError(message: "From 1 to 8")))
        #expect(!validator.isValid(value: nil))
        #expect(validator.validate("").error?.parameters == ["min": .integer(1), "max": .integer(8)])
    }

    @Test("the same value again")
    func confirmation() {
        let validator = ConfirmationValidator(origin: "a@b", errorMessage: "The addresses differ")
        #expect(validator.validate("a@b") == .valid)
        #expect(validator.validate("a@c") == .invalid(ValidationError(message: "The addresses differ")))
        #expect(validator.validate("").error?.rule == "value.equals")
        #expect(ConfirmationValidator(origin: 3, errorMessage: "").isValid(value: 3))
        #expect(!ConfirmationValidator(origin: "é", errorMessage: "").isValid(value: "e\u{301}"))
    }

    @Test("a requirement is a validator")
    func requirementAsValidator() {
        let name = Requirement<String>.all([.minLength(3).because("Longer"), .containsDigit.because("A digit")])
        let validators: [any Validator<String>] = [name, NotEmptyValidator(errorMessage: "Empty"), name.validator]
        #expect(validators.map { $0.isValid(value: "abc1") } == [true, true, true])
        #expect(validators[0].validate("a") == .invalid(ValidationError(message: "Longer")))
        #expect(validators[2].errors(for: "a").map(\.message) == ["Longer", "A digit"])
        #expect(throws: ValidationError(message: "A digit")) { try name.validate(value: "abc") }
    }

    @Test("a missing value fails, with the message for an empty text if there is one")
    func missing() {
        let filled = Requirement<String>.notEmpty().because("Email can't be empty")
        #expect(filled.errors(for: nil).map(\.message) == ["Email can't be empty"])
        let short = Requirement<String>.maxLength(5)
        #expect(short.isValid(value: "") && !short.isValid(value: nil))
        #expect(short.errors(for: nil).map(\.rule) == ["value.missing"])
        #expect(Requirement<Int>.greaterThan(3).errors(for: nil).map(\.message) == ["Is missing"])

        struct Digits: Validator {
            func validate(_ value: Int) -> ValidationResult {
                value > 9 ? .valid : .invalid(ValidationError(message: "Two digits"))
            }
        }
        #expect(Digits().errors(for: 1).map(\.message) == ["Two digits"])
        #expect(!Digits().isValid(value: nil) && Digits().isValid(value: 10))
        #expect(Digits().errors(for: nil).map(\.message) == ["Is missing"])

        struct Silent: Validator {
            func isValid(value: Int?) -> Bool { value == nil }
        }
        #expect(Silent().errors(for: nil).isEmpty)
        #expect(Silent().errors(for: 1).map(\.message) == ["Invalid value"])
    }

    @Test("a validator is a requirement: of one value and of many, and data if its parts are data")
    func validatorAsRequirement() {
        struct Code: CompositeValidator {
            let validators: [any Validator<String>] = [
                LengthValidator(min: 2, max: 8, errorMessage: "From 2 to 8 characters"),
                RegexValidator(regex: "[a-z]+", errorMessage: "Small letters").validator,
            ]
        }
        let requirement = Requirement(Code())
        #expect(requirement.check != nil)
        #expect(requirement.failures(in: "A").map(\.message) == ["From 2 to 8 characters", "Small letters"])
        let values = (0..<10_000).map { ["ab", "a", "abc", "AB"][$0 % 4] }
        let mask = requirement.verdicts(for: values, threads: 2)
        #expect(mask.passedCount == 5_000)
        #expect(zip(mask, values).allSatisfy { ($0 == .pass) == Code().isValid(value: $1) })

        let closure = Requirement(CountingValidator())
        #expect(closure.check == nil)
        #expect(closure.evaluate(3) == .failed(reason: Reason(message: "Must be even")))
        #expect(Requirement(requirement).check == requirement.check)
    }

    @Test("undecided values are not valid, and never hide a failure")
    func undecided() {
        struct Two: CompositeValidator {
            let validators: [any Validator<String>] = [
                RegexValidator(regex: "(", errorMessage: "Pattern"), NotEmptyValidator(errorMessage: "Empty"),
            ]
        }
        #expect(Two().validate("").error == ValidationError(message: "Empty"))
        #expect(Two().validate("x").error?.isUndecided == true)
        let slow = RegexValidator(regex: #"(a+)+b\1{0}"#, errorMessage: "Pattern")
        let error = slow.validate(String(repeating: "a", count: 60) + "c").error
        #expect(error?.isUndecided == true)
        #expect(error?.message != "Pattern")
    }

    @Test("a composite with a validate of its own is followed by the rest")
    func ownValidate() {
        struct Nick: CompositeValidator {
            let validators: [any Validator<String>] = [LengthValidator(min: 3, max: 8, errorMessage: "3 to 8")]
            func validate(_ value: String) -> ValidationResult {
                if value.isEmpty { return .valid }
                return value == "admin" ? .invalid(ValidationError(message: "Taken")) : validators[0].validate(value)
            }
        }
        #expect(["", "ab", "abc", "admin"].map { Nick().isValid(value: $0) } == [true, false, true, false])
        #expect(["", "ab", "admin"].map { Nick().errors(for: $0).map(\.message) } == [[], ["3 to 8"], ["Taken"]])
        #expect(Validated(wrappedValue: "", [Nick()]).isValid)
        #expect(!Nick().isValid(value: nil))
    }

    @Test("ranges of lengths of any kind, and beyond any length")
    func lengthRanges() {
        func lengths(_ range: some RangeExpression<Int>) -> [Bool] {
            let validator = LengthValidator(range: range, errorMessage: "")
            return ["", "a", "ab", "abc"].map { validator.isValid(value: $0) }
        }
        #expect(lengths(1...2) == [false, true, true, false] && lengths(1..<2) == [false, true, false, false])
        #expect(lengths(2...) == [false, false, true, true] && lengths(...1) == [true, true, false, false])
        #expect(lengths(..<2) == [true, true, false, false])
        #expect(lengths(1...Int.max) == [false, true, true, true] && lengths(...Int.max) == [true, true, true, true])
        #expect(lengths(..<(-1)) == [false, false, false, false] && lengths(..<Int.min) == lengths(...(-5)))
        #expect(lengths(-3...1) == [true, true, false, false])
        // An empty range contains no length, so the verdict is a failure and not undecided.
        for range in [0..<0, 5..<5, -3 ..< -1] {
            let error = LengthValidator(range: range, errorMessage: "Wrong length").validate("a").error
            #expect(error == ValidationError(message: "Wrong length") && error?.isUndecided == false)
        }
    }

    @Test("the first error is the same in all calls: undecided ones count only without failures", .needsPCRE2)
    @MainActor
    func firstError() {
        struct Entry: TextEntryView { var enteredText: String }
        struct Slow: CompositeValidator {
            let validators: [any Validator<String>] = [
                RegexValidator(regex: #"(a+)+b\1{0}"#, errorMessage: "Pattern"),
                Requirement<String>.containsDigit.because("A digit"),
            ]
        }
        let text = String(repeating: "a", count: 60) + "!"
        let requirement = Requirement<String>.all([
            .matches(pattern: #"(a+)+b\1{0}"#), .containsDigit.because("A digit"),
        ])
        func first(_ validator: some Validator<String>) {
            #expect(validator.validate(text).error?.message == "A digit")
            let errors = validator.errors(for: text)
            #expect(errors.map(\.message) == ["A digit", "Could not be checked: a limit was reached"])
            #expect(throws: ValidationError(message: "A digit")) { try validator.validate(value: text) }
            #expect(
                Entry(enteredText: text).enter(into: Validated<String>([validator] as [any Validator<String>])).error?
                    .message == "A digit")
            #expect(Validated(wrappedValue: text, [validator] as [any Validator<String>]).errors == errors)
        }
        first(requirement)
        first(Slow())
        first(Slow().validator)
        #expect(requirement.evaluate(text).reason == requirement.failures(in: text).first)
        #expect(
            Validated(wrappedValue: text, Slow().validators).errors.map(\.message) == [
                "A digit", "Could not be checked: a limit was reached",
            ])
    }

    @Test("errors of the library have a localizedDescription, with Foundation and without")
    func localized() {
        let error = CompileError(part: .pattern, message: "missing )", offset: 3)
        #expect((error as any Error).localizedDescription == "missing ) at offset 3")
        #expect(error.localizedDescription == "missing ) at offset 3")
        #expect(
            (BulkError.cancelled as any Error).localizedDescription == "the progress callback has cancelled the call")
        #expect(BulkError.badOffset(index: 2).localizedDescription.hasPrefix("the offset at index 2 is less"))
        #expect((NoMemoryError(for: "it") as any Error).localizedDescription.hasPrefix("there is no memory for it; "))
    }

    @Test("only when something was entered")
    func entered() {
        let website = RegexValidator(regex: "https?://.+", errorMessage: "Is no web address").ifNotEmpty
        #expect([nil, "", "assay", "http://a"].map { website.isValid(value: $0) } == [true, true, false, true])
        #expect([nil, "", "assay"].map { website.errors(for: $0).count } == [0, 0, 1])
        #expect(website.validate("") == .valid)
        #expect(website.validate(" ") == .invalid(ValidationError(message: "Is no web address")))
        #expect(website.requirement.evaluate("").isConfirmed && !website.requirement.evaluate("x").isConfirmed)
        #expect(website.requirement.check != nil)
        #expect(website.errorMessage == "Is no web address")
        let some = Requirement<[Int]>.count(min: 2).ifNotEmpty
        #expect([nil, [], [1], [1, 2]].map { some.isValid(value: $0) } == [true, true, false, true])
        #expect([[], [1], [1, 2]].map { some.requirement.evaluate($0).isConfirmed } == [true, false, true])
        let positive = Requirement<Int>.greaterThan(0).ifNotEmpty
        #expect([nil, 0, 1].map { positive.isValid(value: $0) } == [true, false, true])
    }

    @Test("a user's rule with one message")
    func ownRule() {
        struct EmailValidator: RuleValidator {
            var errorMessage: String
            let rule = Requirement<String>.format("email")
        }
        let validator = EmailValidator(errorMessage: "Is no address")
        #expect(validator.isValid(value: "anna@example.org") && !validator.isValid(value: nil))
        #expect(validator.errors(for: "anna") == [ValidationError(message: "Is no address")])
        #expect(validator.errors(for: "anna").first?.rule == "string.format")
    }

    @Test("validators that ask validators of the same type")
    func recursive() {
        struct Halving: Validator {
            let depth: Int
            func validate(_ value: Int) -> ValidationResult {
                depth == 0 || Halving(depth: depth - 1).isValid(value: value / 2) ? .valid : .invalid(.missing)
            }
        }
        #expect(Halving(depth: 3).isValid(value: 8))
    }

    @Test("a validator without either method stops with a message instead of recursing forever")
    func neither() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NeitherValidator().validate(1)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("NeitherValidator must implement isValid(value:) or validate(_:)"))
    }
}

extension ValidationError {
    fileprivate static let missing = ValidationError(message: "Missing")
}
