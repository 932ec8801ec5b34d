import Assay
import AssayForms
import Foundation
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombineShim
#endif

// The article on @Validated, its second third: the property wrapper. See StringValidatorTests.swift.

private struct Form {
    @Validated([
        NotEmptyValidator(errorMessage: "Email can't be empty").validator,
        RegexValidator(
            regex: "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-za-z]{2,64} ", errorMessage: "Email has wrong format"
        ).validator,
    ]) var email: String? = nil
}

@propertyWrapper private final class Email: Validated<String> {
    override var wrappedValue: String? {
        get { super.wrappedValue }
        set { super.wrappedValue = newValue }
    }

    override var projectedValue: Validated<String> { super.projectedValue }

    init(wrappedValue value: String?) {
        let notEmptyValidator = NotEmptyValidator(errorMessage: "Email can’t be empty")
        let regexValidator = RegexValidator(
            regex: "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-za-z]{2,64} ", errorMessage: "Email has wrong format"
        ).validator
        super.init(wrappedValue: value, [notEmptyValidator, regexValidator])
    }
}

private struct ReusingForm {
    @Email var email: String? = nil
}

@Suite("@Validated")
struct ValidatedWrapperTests {
    @Test("all errors, in order, of the value there is now")
    func errors() {
        let form = Form()
        #expect(form.$email.errors.map(\.message) == ["Email can't be empty", "Email has wrong format"])
        form.email = ""
        let errors = form.$email.errors
        #expect(errors.map(\.localizedDescription) == ["Email can't be empty", "Email has wrong format"])
        form.email = "user"
        #expect(form.$email.errors == [ValidationError(message: "Email has wrong format")])
        form.email = "user@example.com "
        #expect(form.$email.errors.isEmpty)
        #expect(form.$email.isValid)
    }

    @Test("an array of erased validators, as the article's initializer takes it")
    func erasedArray() {
        let validators: [AnyValidator<String>] = [
            NotEmptyValidator(errorMessage: "Empty").validator,
            AnyValidator(validator: Requirement.containsDigit.because("No digit")),
        ]
        let field = Validated(wrappedValue: nil, validators)
        #expect(field.errors.map(\.message) == ["Empty", "No digit"])
    }

    @Test("a reference: a copy of the form shares the field")
    func shared() {
        let form = Form()
        let copy = form
        form.$email.wrappedValue = "x"
        #expect(copy.email == "x")
        #expect(form.$email === copy.$email)
    }

    @Test("no validation at creation, or without subscribers")
    func lazy() {
        let counting = CountingValidator()
        let field = Validated(wrappedValue: 1, [counting])
        field.wrappedValue = 2
        field.wrappedValue = 3
        #expect(counting.count == 0)
        #expect(field.errors.count == 1)
        #expect(counting.count == 1)
    }

    @Test("a wrapper of one's own, written as in the article")
    func subclass() {
        let form = ReusingForm()
        #expect(form.$email.errors.map(\.message) == ["Email can’t be empty", "Email has wrong format"])
        var received: [[String]] = []
        let cancellable = form.$email.publisher.sink { received.append($0.map(\.message)) }
        form.email = "user@example.com "
        form.email = "user"
        cancellable.cancel()
        #expect(received == [[], ["Email has wrong format"]])
    }
}
