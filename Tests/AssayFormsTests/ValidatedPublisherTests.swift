import Assay
import AssayForms
import Foundation
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombineShim
#endif

// The article on @Validated, its last third: the publisher. See StringValidatorTests.swift.

private struct Form {
    @Validated([
        NotEmptyValidator(errorMessage: "Email can't be empty").validator,
        RegexValidator(
            regex: "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-za-z]{2,64} ", errorMessage: "Email has wrong format"
        ).validator,
    ]) var email: String? = nil
}

private final class Label {
    var text: String?
}

@Suite("The publisher of @Validated")
struct ValidatedPublisherTests {
    @Test("every change is sent, also equal values without errors, and no event before the first")
    func everyChange() {
        let field = Validated(wrappedValue: 1, [CountingValidator()])
        var received: [Int] = []
        let cancellable = field.publisher.sink { received.append($0.count) }
        #expect(received.isEmpty)
        for value in [1, 2, 2, 3, nil] { field.wrappedValue = value }
        #expect(received == [1, 0, 0, 1, 1])
        cancellable.cancel()
    }

    @Test("validated once for a change however many subscribe, until the last cancels")
    func once() {
        let counting = CountingValidator()
        let field = Validated(wrappedValue: 0, [counting])
        var received = [0, 0, 0]
        let publisher = field.publisher
        var subscriptions = (0..<3).map { index in
            (index == 1 ? publisher : field.publisher).sink { _ in received[index] += 1 }
        }
        #expect(counting.count == 0)
        field.wrappedValue = 1
        #expect(counting.count == 1 && received == [1, 1, 1])
        subscriptions[0].cancel()
        subscriptions[0].cancel()
        field.wrappedValue = 2
        #expect(counting.count == 2 && received == [1, 2, 2])
        subscriptions.removeAll()
        field.wrappedValue = 3
        #expect(counting.count == 2 && received == [1, 2, 2])
        // A new subscriber arrives.
        let again = publisher.sink { _ in received[0] += 1 }
        field.wrappedValue = 4
        #expect(counting.count == 3 && received == [2, 2, 2])
        again.cancel()
    }

    @Test("an operator that ends its subscription itself is counted once")
    func operators() {
        let counting = CountingValidator()
        let field = Validated(wrappedValue: 0, [counting])
        var received = 0
        let first = field.publisher.first().sink { _ in received += 1 }
        field.wrappedValue = 1
        field.wrappedValue = 2
        first.cancel()
        field.wrappedValue = 3
        #expect(received == 1 && counting.count == 1)
        let other = field.publisher.sink { _ in received += 1 }
        field.wrappedValue = 4
        #expect(received == 2 && counting.count == 2)
        other.cancel()
    }

    @Test("a subscriber that changes the value: everybody hears the present value's errors last")
    func reentrant() {
        let field = Validated(wrappedValue: 0, [CountingValidator()])
        var received: [[Int]] = [[], [], []]
        let subscriptions = (0..<3).map { index in
            field.publisher.sink { errors in
                received[index].append(errors.count)
                if let value = field.wrappedValue, value < 3, index == 1 { field.wrappedValue = value + 1 }
            }
        }
        field.wrappedValue = 1
        #expect(field.wrappedValue == 3)
        #expect(received.map(\.last) == [1, 1, 1])
        #expect(received.map(\.count) == [3, 3, 3])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("a subscriber that changes the value and leaves: no validation without subscribers")
    func leaving() {
        let counting = CountingValidator()
        let field = Validated(wrappedValue: 0, [counting])
        var received = 0
        var subscription: AnyCancellable?
        subscription = field.publisher.sink { _ in
            received += 1
            field.wrappedValue = 5
            subscription?.cancel()
        }
        field.wrappedValue = 1
        #expect(field.wrappedValue == 5 && received == 1 && counting.count == 1)
    }

    @Test("no cycle: a field with subscribers is freed, and they receive the end")
    func lifetime() {
        weak var gone: Validated<Int>?
        var ended = false
        var subscriptions: Set<AnyCancellable> = []
        do {
            let field = Validated(wrappedValue: 0, [CountingValidator()])
            gone = field
            field.publisher.sink(receiveCompletion: { _ in ended = true }, receiveValue: { _ in })
                .store(in: &subscriptions)
            field.wrappedValue = 1
            #expect(!ended)
        }
        #expect(gone == nil)
        #expect(ended)
    }

    @Test("the article's chain: errors as text, on a run loop")
    func chain() {
        // The article's RunLoop.main, which on Linux does not run during tests.
        let runLoop = RunLoop.current
        let form = Form()
        let emailErrorLabel = Label()
        let cancellable = form.$email
            .publisher
            .map { $0.map { $0.localizedDescription }.joined(separator: ", ") }
            .receive(on: runLoop)
            .assign(to: \.text, on: emailErrorLabel)
        form.email = ""
        // A run loop without sources returns immediately, without running its scheduled work.
        let timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in }
        for _ in 0..<500 where emailErrorLabel.text == nil { runLoop.run(until: Date() + 0.01) }
        timer.invalidate()
        #expect(emailErrorLabel.text == "Email can't be empty, Email has wrong format")
        cancellable.cancel()
    }
}
