import Assay
import AssayForms
import Foundation
import Synchronization
import Testing

// The validators of the article on @Validated, its first third. ValidatedWrapperTests.swift and
// ValidatedPublisherTests.swift test the other parts.

/// The article's pattern as printed, with the space before the closing quote.
private let printedPattern = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-za-z]{2,64} "

@Suite("String validators")
struct StringValidatorTests {
    @Test("an error is its message")
    func error() {
        var error = ValidationError(message: "Email can't be empty")
        let localized: any LocalizedError = error
        #expect(localized.errorDescription == "Email can't be empty")
        #expect((error as any Error).localizedDescription == "Email can't be empty")
        #expect(error.localizedDescription == "Email can't be empty")
        error.message = "Other"
        #expect(error.errorDescription == "Other")
    }

    @Test("isValid is enough: validate throws the message for invalid values only")
    func throwing() throws {
        let even = CountingValidator()
        try even.validate(value: 2)
        #expect(throws: ValidationError(message: "Must be even")) { try even.validate(value: 3) }
        #expect(throws: ValidationError(message: "Must be even")) { try even.validate(value: nil) }
        #expect(even.count == 3)
        #expect(even.validate(3) == .invalid(ValidationError(message: "Must be even")))
        #expect(even.errors(for: 4).isEmpty)
    }

    @Test("a type without its type: forwards, reads through, wraps again")
    func erased() {
        final class Moody: Validator {
            let mood = Mutex("first")
            var errorMessage: String { mood.withLock { $0 } }
            func isValid(value: String?) -> Bool { value == "ok" }
        }
        let moody = Moody()
        let any = AnyValidator(validator: AnyValidator(validator: moody.validator))
        #expect(any.errorMessage == "first")
        moody.mood.withLock { $0 = "second" }
        #expect(any.errorMessage == "second")
        #expect(any.isValid(value: "ok") && !any.isValid(value: "no") && !any.isValid(value: nil))
        #expect(any.errors(for: nil).map(\.message) == ["second"])
        #expect(throws: ValidationError(message: "second")) { try any.validate(value: "no") }
        let validators: [AnyValidator<String>] = [any, NotEmptyValidator(errorMessage: "Empty").validator]
        #expect(validators.map(\.errorMessage) == ["second", "Empty"])
    }

    @Test(
        "a pattern must match the complete text",
        arguments: [
            (printedPattern, "user@example.com ", true), (printedPattern, "user@example.com", false),
            (printedPattern, "a@b.__ ", true), (printedPattern, nil, false), (printedPattern, "", false),
            ("[a-z]*", "", true), ("[a-z]*", nil, false), ("a|ab", "ab", true), ("^[a-zA-Z]+$", "abc\n", false),
            ("[a-z]+", "ABC", false), ("b", "abc", false), ("[a-z]+", "abc", true),
        ] as [(String, String?, Bool)])
    func pattern(regex: String, value: String?, expected: Bool) {
        var validator = RegexValidator(regex: regex, errorMessage: "Email has wrong format")
        #expect(validator.isValid(value: value) == expected)
        let messages = expected ? [] : ["Email has wrong format"]
        #expect(validator.errors(for: value).map(\.message) == messages)
        validator.errorMessage = "Other"
        #expect(validator.errors(for: value).map(\.message) == (expected ? [] : ["Other"]))
        #expect(validator.requirement.errors(for: value).map(\.message) == (expected ? [] : ["Other"]) || value == nil)
    }

    @Test("a pattern that does not compile accepts no text, and reports the reason")
    func badPattern() throws {
        let validator = RegexValidator(regex: #"(\d{4}"#, errorMessage: "Wrong")
        #expect(!validator.isValid(value: "2024") && !validator.isValid(value: nil))
        let error = try #require(validator.validate("2024").error)
        #expect(error.isUndecided)
        #expect(
            error.message
                == "The pattern does not compile: missing closing parenthesis at offset 6")
    }

    @Test("one pattern is compiled once for all who have it")
    func compiledOnce() {
        let before = PatternCache.shared.statistics.misses
        for _ in 0..<5 { _ = RegexValidator(regex: "compiled-once[0-9]", errorMessage: "") }
        #expect(PatternCache.shared.statistics.misses - before <= 1)
    }

    @Test("not empty: nil and no characters are refused, white space is not")
    func notEmpty() {
        let validator = NotEmptyValidator(errorMessage: "Email can't be empty")
        #expect([nil, "", " ", "a"].map { validator.isValid(value: $0) } == [false, false, true, true])
        #expect(validator.errors(for: nil) == [ValidationError(message: "Email can't be empty")])
        #expect(validator.validate("").error?.rule == "string.notEmpty")
    }
}
