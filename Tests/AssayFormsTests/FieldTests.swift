import Assay
import AssayForms
import Observation
import Synchronization
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombineShim
#endif

private enum Rules {
    static let name = Requirement<String>.length(min: 3, max: 20).because("From 3 to 20 characters")
}

private final class Form {
    @Validated(Rules.name) var name: String?
    @Validated(.notEmpty() && .maxLength(5), policy: .ifNotEmpty) var nickname: String? = nil
    @Validated([Rules.name, NotEmptyValidator(errorMessage: "Empty")]) var other: String?
    @Validated(.inRange(18...120).because("From 18 to 120 years")) var age: Int? = 17
    @Validated([.notEmpty(), .maxLength(3)]) var short: String?
    @Validated([.notEmpty(), .maxLength(3)], policy: .ifNotEmpty) var shorter: String? = "long"
    @Validated([Rules.name, Rules.name]) var both: String?
    @Validated([], policy: .ifNotEmpty) var anything: [Int]?

    @Validated(.minLength(8)) var password: String?
    @Validated(.notEmpty()) var repeated: String?

    init() { $repeated.confirm(origin: $password, errorMessage: "The passwords differ") }
}

@Observable
private final class ObservableForm {
    @ObservationIgnored @Validated(.format("email")) var email: String?
}

@Suite("Fields beyond the articles")
struct FieldTests {
    @Test("requirements as rules, with and without a first value")
    func requirements() {
        let form = Form()
        #expect(form.$name.errors.map(\.message) == ["From 3 to 20 characters"])
        #expect(form.$other.errors.map(\.message) == ["From 3 to 20 characters", "Empty"])
        #expect(form.$age.errors.map(\.message) == ["From 18 to 120 years"])
        #expect(form.$short.errors.map(\.rule) == ["string.notEmpty"])
        #expect(Validated<Int>([.greaterThan(0), .lessThan(9)]).errors.map(\.rule) == ["value.missing"])
        #expect(form.$shorter.errors.map(\.rule) == ["string.maxLength"])
        #expect(form.$both.errors.count == 2)
        #expect(form.$anything.isValid)
        form.age = 18
        form.name = "anna"
        #expect(form.$age.isValid && form.$name.isValid)
    }

    @Test("two passwords of other bytes are not the same, though Unicode calls them so")
    func bytes() {
        let form = Form()
        (form.password, form.repeated) = ("p\u{e9}ssw\u{f6}rter", "pe\u{301}sswo\u{308}rter")
        #expect(form.password == form.repeated)
        #expect(form.$repeated.errors.map(\.message) == ["The passwords differ"])
        form.repeated = form.password
        #expect(form.$repeated.isValid)
    }

    @Test("optional fields are validated only when something was entered")
    func ifNotEmpty() {
        let form = Form()
        #expect(form.$nickname.policy == .ifNotEmpty && form.$name.policy == .always)
        #expect(form.$nickname.errors.isEmpty)
        form.nickname = ""
        #expect(form.$nickname.errors.isEmpty)
        form.nickname = "too long"
        #expect(form.$nickname.errors.map(\.rule) == ["string.maxLength"])
        let spaces = Validated(wrappedValue: "   ", .containsDigit, policy: .ifNotEmpty)
        #expect(spaces.errors.count == 1)
    }

    @Test("two fields that must agree, whichever changes")
    func relations() {
        let form = Form()
        form.password = "correct horse"
        form.repeated = "correct"
        #expect(form.$repeated.errors.map(\.message) == ["The passwords differ"])
        form.repeated = "correct horse"
        #expect(form.$repeated.isValid)

        var received: [Int] = []
        let cancellable = form.$repeated.publisher.sink { received.append($0.count) }
        form.password = "battery staple"
        form.repeated = "battery staple"
        #expect(received == [1, 0])
        cancellable.cancel()
    }

    @Test("relations of one's own, and fields that are gone")
    func ownRelation() {
        func ordered(_ end: Int?, _ start: Int?) -> Bool { (end ?? 0) >= (start ?? 0) }
        var start: Validated<Int>? = Validated(wrappedValue: 3, [])
        var end: Validated<Int>? = Validated(wrappedValue: 2, [])
        end!.require(start!, errorMessage: "Ends before it starts", ordered)
        start!.require(end!, errorMessage: "Starts after it ends") { ordered($1, $0) }
        #expect(end!.errors == [ValidationError(message: "Ends before it starts")])
        #expect(start!.errors == [ValidationError(message: "Starts after it ends")])
        var received = [0, 0]
        let subscriptions = [
            end!.publisher.sink { _ in received[0] += 1 }, start!.publisher.sink { _ in received[1] += 1 },
        ]
        start!.wrappedValue = 1
        #expect(received == [1, 1])
        #expect(end!.isValid && start!.isValid)

        weak let gone = end
        end = nil
        #expect(gone == nil)
        start!.wrappedValue = 5
        #expect(start!.errors.count == 1)
        #expect(received == [1, 2])
        let last = Validated(wrappedValue: 4, [])
        last.require(start!, errorMessage: "Ends before it starts", ordered)
        #expect(last.errors.count == 1)
        start = nil
        #expect(last.isValid)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("two relations to a field tell of its change once")
    func twoRelations() {
        let start = Validated(wrappedValue: 3, [])
        let end = Validated(wrappedValue: 5, [])
        end.require(start, errorMessage: "A") { ($0 ?? 0) >= ($1 ?? 0) }
        end.require(start, errorMessage: "B") { ($0 ?? 0) >= ($1 ?? 0) }
        var received: [Int] = []
        let subscription = end.publisher.sink { received.append($0.count) }
        start.wrappedValue = 9
        #expect(received == [2])
        subscription.cancel()
    }

    @Test("relations of a field that may be left empty")
    func optionalRelation() {
        let start = Validated(wrappedValue: 3, [])
        let end = Validated<Int>([], policy: .ifNotEmpty)
        end.require(start, errorMessage: "Ends before it starts") { ($0 ?? 0) >= ($1 ?? 0) }
        #expect(end.isValid)
        end.wrappedValue = 2
        #expect(!end.isValid)
    }

    @Test("errors in the language of who reads them")
    func languages() {
        let form = Form()
        form.password = "short"
        let russian = Requirement<String>.minLength(8).evaluate("").reason?.message(in: "ru")
        #expect(form.$password.errors.map { $0.message(in: "ru") } == [russian])
        #expect(form.$password.errors.map(\.message) != [russian])
        form.name = "x"
        #expect(form.$name.errors.map { $0.message(in: "ru") } == ["From 3 to 20 characters"])
    }

    @Test("in an observable form")
    func observableForm() {
        let form = ObservableForm()
        let changes = Mutex(0)
        withObservationTracking {
            _ = form.$email.isValid
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        form.email = "x"
        #expect(changes.withLock { $0 } == 1)
    }

    @Test("a field knows whether it was ever set")
    func hasChanged() {
        let form = Form()
        let changes = Mutex(0)
        withObservationTracking {
            #expect(!form.$age.hasChanged)
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        form.age = 17
        #expect(form.$age.hasChanged && changes.withLock { $0 } == 1)
    }

    @Test("a text field's text")
    func text() {
        let field = Validated<String>(.notEmpty())
        #expect(field.text == "")
        field.text = "a"
        #expect(field.wrappedValue == "a")
    }

    @Test("for await: every change after the start of the sequence, until the field is gone")
    func updates() async {
        let counting = CountingValidator()
        var field: Validated<Int>? = Validated(wrappedValue: 0, [counting])
        let first = field!.updates
        let second = field!.updates
        for value in [1, 2, 2, 3] { field!.wrappedValue = value }
        #expect(counting.count == 4)
        field = nil
        var received: [Int] = []
        for await errors in first { received.append(errors.count) }
        #expect(received == [1, 0, 0, 1])
        received = []
        for await errors in second { received.append(errors.count) }
        #expect(received == [1, 0, 0, 1])
    }

    @Test("for await: no validation after the sequence is released or its task cancelled")
    func updatesStop() async {
        let counting = CountingValidator()
        let field = Validated(wrappedValue: 0, [counting])
        do {
            let updates = field.updates
            field.wrappedValue = 1
            for await _ in updates { break }
        }
        field.wrappedValue = 2
        #expect(counting.count == 1)

        let updates = field.updates
        let task = Task { for await _ in updates {} }
        task.cancel()
        await task.value
        field.wrappedValue = 3
        #expect(counting.count == 1)
    }

    @Test("streams hear the present value's errors last, also when a subscriber changes it")
    func updatesReentrant() async {
        var field: Validated<Int>? = Validated(wrappedValue: 0, [CountingValidator()])
        let updates = field!.updates
        let cancellable = field!.publisher.sink { [unowned field = field!] errors in
            if !errors.isEmpty { field.wrappedValue? += 1 }
        }
        field!.wrappedValue = 1
        cancellable.cancel()
        field = nil
        var received: [Int] = []
        for await errors in updates { received.append(errors.count) }
        #expect(received == [1, 0])
    }

    @Test("subscriptions may be cancelled on any thread")
    func threads() async {
        let field = Validated(wrappedValue: 0, [CountingValidator()])
        let streams = (0..<64).map { _ in field.updates }
        await withTaskGroup { group in
            for stream in streams {
                group.addTask { for await _ in stream {} }
            }
            for value in 0..<100 { field.wrappedValue = value }
            group.cancelAll()
            for value in 0..<100 { field.wrappedValue = value }
        }
        let before = (field.validators[0] as! CountingValidator).count
        field.wrappedValue = 1
        #expect((field.validators[0] as! CountingValidator).count == before)
    }

    @Test("observable: views of the errors are notified when they may have changed")
    func observation() {
        let form = Form()
        let changes = Mutex(0)
        func observe() {
            withObservationTracking {
                _ = form.$repeated.errors
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        observe()
        form.name = "unrelated"
        #expect(changes.withLock { $0 } == 0)
        form.repeated = "x"
        #expect(changes.withLock { $0 } == 1)
        observe()
        form.password = "x"
        #expect(changes.withLock { $0 } == 2)
    }

    @Test("a field repairs its value, but not the text during typing")
    func repairs() throws {
        let field = Validated(repair: [.trim, .lower], .format("email"))
        #expect(field.errors.map(\.rule) == ["string.format"])
        field.text = " Anna@Example.org "
        #expect(field.wrappedValue == "anna@example.org")
        #expect(field.text == " Anna@Example.org " && field.entered == " Anna@Example.org ")
        #expect(field.isValid)
        field.text = "anna @example.org"
        #expect(field.errors.map(\.rule) == ["string.format"])

        let optional = Validated(repair: [.trim], .minLength(3), policy: .ifNotEmpty)
        optional.text = "  "
        #expect(optional.wrappedValue == "" && optional.isValid)

        let account = try CompiledRepairs([.canonical()], of: ValueType(.string, format: "iban"))
        let iban = Validated(wrappedValue: "de89 3704 0044 0532 0130 00", repair: account, [Requirement<String>.iban()])
        #expect(iban.wrappedValue == "DE89370400440532013000" && iban.isValid)
    }
}
