import Assay
import AssayForms
import Observation
import Synchronization
import Testing

/// A remote service that answers when the test requires it.
private struct Server {
    typealias Question = (value: String, answer: CheckedContinuation<Evaluation, any Error>)

    let questions: AsyncStream<Question>
    let requirement: AsyncRequirement<String>

    init() {
        let (questions, sender) = AsyncStream.makeStream(of: Question.self)
        self.questions = questions
        requirement = AsyncRequirement { value in
            try await withCheckedThrowingContinuation { sender.yield((value, $0)) }
        }
    }
}

/// A clock whose sleepers wake when the test requires it.
private struct GateClock: Clock {
    typealias Sleeper = AsyncStream<Void>.Continuation

    let sleepers: AsyncStream<Sleeper>
    private let sender: AsyncStream<Sleeper>.Continuation

    init() { (sleepers, sender) = AsyncStream.makeStream(of: Sleeper.self) }

    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let (stream, sleeper) = AsyncStream.makeStream(of: Void.self)
        sender.yield(sleeper)
        for await _ in stream { return }
        throw CancellationError()
    }
}

private let taken = Evaluation.failed(reason: Reason(code: "username_taken", message: "Taken"))

@Suite("Questions about fields that take time")
struct CheckTests {
    @MainActor
    @Test("synchronous checks run first; the last value wins, and answers about other values are dropped")
    func lastWins() async throws {
        let server = Server()
        var questions = server.questions.makeAsyncIterator()
        let field = Validated<String>(.minLength(3).because("Too short"))
        var updates = field.updates.makeAsyncIterator()
        func nextMessages() async -> [String]? { await updates.next(isolation: #isolation)?.map(\.message) }
        let task = Task { await field.check(server.requirement) }
        await Task.yield()
        #expect(!field.isChecking)

        field.wrappedValue = "ab"
        #expect(!field.isChecking && field.errors.map(\.message) == ["Too short"])
        #expect(await nextMessages() == ["Too short"])
        field.wrappedValue = "anna"
        #expect(field.isChecking && field.errors.isEmpty)
        #expect(await nextMessages() == [])
        let anna = try #require(await questions.next())
        #expect(anna.value == "anna")

        field.wrappedValue = "bob"
        #expect(await nextMessages() == [])
        let bob = try #require(await questions.next())
        #expect(bob.value == "bob")
        anna.answer.resume(returning: taken)
        bob.answer.resume(returning: .confirmed)
        // Only the second answer is published.
        #expect(await nextMessages() == [])
        #expect(!field.isChecking && field.isValid)

        field.wrappedValue = "carl"
        #expect(await nextMessages() == [])
        let carl = try #require(await questions.next())
        carl.answer.resume(returning: taken)
        #expect(await nextMessages() == ["Taken"])
        #expect(field.errors.map(\.code) == ["username_taken"] && !field.isChecking)

        // The answer applies to that value only.
        field.wrappedValue = "c"
        #expect(field.errors.map(\.message) == ["Too short"])
        #expect(await nextMessages() == ["Too short"])
        task.cancel()
        await task.value
        field.wrappedValue = "dora"
        #expect(!field.isChecking && field.isValid)
    }

    @MainActor
    @Test("a value that changes within the delay is not checked")
    func delay() async throws {
        let (server, clock) = (Server(), GateClock())
        var questions = server.questions.makeAsyncIterator()
        var sleepers = clock.sleepers.makeAsyncIterator()
        let field = Validated<String>(.notEmpty())
        // A value that was set before the task begins is checked as well.
        field.wrappedValue = "a"
        let task = Task { await field.check(server.requirement, after: .milliseconds(300), clock: clock) }
        let first = try #require(await sleepers.next())
        #expect(field.isChecking)
        field.wrappedValue = "an"
        let second = try #require(await sleepers.next())
        first.yield()
        second.yield()
        let question = try #require(await questions.next())
        #expect(question.value == "an")
        question.answer.resume(returning: .confirmed)
        while field.isChecking { await Task.yield() }
        #expect(field.isValid)
        task.cancel()
        await task.value
    }

    @MainActor
    @Test("an error is reported and not a verdict; empty input is not checked")
    func failing() async throws {
        struct Offline: Error {}
        let server = Server()
        var questions = server.questions.makeAsyncIterator()
        let field = Validated<String>([], policy: .ifNotEmpty)
        let task = Task { await field.check(server.requirement) }
        await Task.yield()
        field.wrappedValue = ""
        #expect(!field.isChecking)
        field.wrappedValue = nil
        #expect(!field.isChecking)
        field.wrappedValue = "anna"
        let question = try #require(await questions.next())
        #expect(question.value == "anna")
        question.answer.resume(throwing: Offline())
        while field.isChecking { await Task.yield() }
        #expect(field.errors.map(\.isUndecided) == [true])
        #expect(field.errors.map { $0.message(in: "ru") } == ["Не удалось проверить"])
        task.cancel()
        await task.value
    }

    @MainActor
    @Test("a value that another field makes acceptable is checked then")
    func relation() async throws {
        let server = Server()
        var questions = server.questions.makeAsyncIterator()
        let (name, other) = (
            Validated<String>([] as [Requirement<String>]), Validated<String>([] as [Requirement<String>])
        )
        name.confirm(origin: other, errorMessage: "Differs")
        let task = Task { await name.check(server.requirement) }
        await Task.yield()
        name.wrappedValue = "anna"
        #expect(!name.isChecking && name.errors.map(\.message) == ["Differs"])
        other.wrappedValue = "anna"
        #expect(name.isChecking)
        let question = try #require(await questions.next())
        question.answer.resume(returning: taken)
        while name.isChecking { await Task.yield() }
        #expect(name.errors.map(\.message) == ["Taken"])
        // The answer is cached: no further request is sent.
        other.wrappedValue = "bob"
        other.wrappedValue = "anna"
        #expect(!name.isChecking && name.errors.map(\.message) == ["Taken"])
        task.cancel()
        await task.value
    }

    @MainActor
    @Test("changes that come at once are one question, about the last value")
    func once() async {
        let field = Validated<String>(.notEmpty())
        let requested = Mutex<[String]>([])
        let task = Task {
            await field.check(
                AsyncRequirement { value in
                    requested.withLock { $0.append(value) }
                    return .confirmed
                })
        }
        await Task.yield()
        for value in ["a", "b", "c", "c"] { field.wrappedValue = value }
        while field.isChecking { await Task.yield() }
        #expect(requested.withLock { $0 } == ["c"])
        task.cancel()
        await task.value
    }

    @MainActor
    @Test("several questions about one field, in the order in which they began; observable")
    func several() async throws {
        let field = Validated<String>(.notEmpty())
        let one = Task { await field.check(AsyncRequirement { _ in .failed(reason: Reason(message: "One")) }) }
        await Task.yield()
        let two = Task {
            await field.check(
                Requirement<String>.maxLength(3) && AsyncRequirement { _ in .failed(reason: Reason(message: "Two")) })
        }
        await Task.yield()
        field.wrappedValue = "anna"
        let changes = Mutex(0)
        let shown = withObservationTracking {
            field.isChecking
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        #expect(shown)
        while field.isChecking { await Task.yield() }
        #expect(changes.withLock { $0 } == 1)
        #expect(field.errors.map(\.message) == ["One", "Must have at most 3 characters"])
        // Cancelling a task must not remove the answers of other tasks.
        two.cancel()
        await two.value
        #expect(field.errors.map(\.message) == ["One", "Must have at most 3 characters"])
        field.wrappedValue = "boris"
        while field.isChecking { await Task.yield() }
        #expect(field.errors.map(\.message) == ["One"])
        one.cancel()
        await one.value
    }

    @MainActor
    @Test("an answer outlives its task, until the value changes or is checked again")
    func outlives() async throws {
        let server = Server()
        var questions = server.questions.makeAsyncIterator()
        let field = Validated<String>(.notEmpty())
        func begin() -> Task<Void, Never> { Task { await field.check(server.requirement) } }
        func answer(_ question: Server.Question?, _ evaluation: Evaluation) async throws {
            try #require(question).answer.resume(returning: evaluation)
            while field.isChecking { await Task.yield() }
        }
        var task = begin()
        await Task.yield()
        func end() async {
            task.cancel()
            await task.value
        }
        field.wrappedValue = "anna"
        try await answer(await questions.next(), taken)
        // A view that disappears cancels its task.
        await end()
        #expect(field.errors.map(\.message) == ["Taken"] && !field.isValid && !field.isChecking)

        // It reappears and sends a new request. The old answer remains until the new one arrives.
        task = begin()
        while !field.isChecking { await Task.yield() }
        #expect(field.errors.map(\.message) == ["Taken"])
        try await answer(await questions.next(), taken)
        #expect(field.errors.map(\.message) == ["Taken"])
        await end()
        task = begin()
        while !field.isChecking { await Task.yield() }
        try await answer(await questions.next(), .confirmed)
        #expect(field.isValid)
        field.wrappedValue = "bob"
        try await answer(await questions.next(), taken)
        await end()
        #expect(!field.isValid)
        field.wrappedValue = "carl"
        #expect(field.isValid && !field.isChecking)
    }
}
