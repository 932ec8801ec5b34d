import Assay
import Synchronization
import Testing

private struct Broken: Error, Equatable {
    var name = ""
}

/// Logs the requests, and lets tests decide the order of the answers.
private final class Server: Sendable {
    private let log = Mutex<[String]>([])
    let cancelled = Atomic(0)

    var requested: [String] { log.withLock { $0 } }

    func note(_ text: String) { log.withLock { $0.append(text) } }

    /// Answers after other tasks have had this number of turns.
    func requirement(_ name: String, _ verdict: Verdict, after turns: Int = 0) -> AsyncRequirement<String> {
        AsyncRequirement { _ in
            self.note(name)
            for _ in 0..<turns { await Task.yield() }
            switch verdict {
            case .pass: return .confirmed
            case .fail: return .failed(reason: Reason(message: name))
            case .undecided: return .failed(reason: .undecided(message: name))
            }
        }
    }

    func broken(_ name: String, after turns: Int = 0) -> AsyncRequirement<String> {
        AsyncRequirement { _ in
            for _ in 0..<turns { await Task.yield() }
            throw Broken(name: name)
        }
    }

    /// Never answers. Logs its cancellation.
    func endless() -> AsyncRequirement<String> {
        AsyncRequirement { _ in
            do {
                try await Task.sleep(for: .seconds(3_600))
            } catch {
                self.cancelled.add(1, ordering: .relaxed)
                throw error
            }
            return .confirmed
        }
    }
}

/// A value that must not leave its actor.
private final class Draft {
    var name = "anna"
}

@Suite("Asynchronous requirements")
struct AsyncRequirementTests {
    @Test("closures end in their answer, as those of a requirement that need not wait do")
    func closures() async throws {
        @Sendable func lookUp(_ name: String) async throws -> Bool { name == "anna" }
        let taken = Reason(message: "Taken")
        let lines = AsyncRequirement<String> { name in
            let isKnown = try await lookUp(name)
            let isEmpty = name.isEmpty
            isKnown || isEmpty ? .failed(reason: taken) : .confirmed
        }
        let branches = AsyncRequirement<String> { name in
            let isKnown = try await lookUp(name)
            if isKnown {
                .failed(reason: taken)
            } else if name.isEmpty {
                Evaluation.failed(reason: taken)
            } else {
                .confirmed
            }
        }
        let oneLine = AsyncRequirement<String> {
            try await lookUp($0) || $0.isEmpty ? .failed(reason: taken) : .confirmed
        }
        let early = AsyncRequirement<String> { name in
            guard try await !lookUp(name) else { return .failed(reason: taken) }
            return name.isEmpty ? .failed(reason: taken) : .confirmed
        }
        let never = AsyncRequirement<String> { _ in throw Broken() }
        for requirement in [lines, branches, oneLine, early] {
            #expect(try await requirement.evaluate("anna") == .failed(reason: taken))
            #expect(try await requirement.evaluate("") == .failed(reason: taken))
            #expect(try await requirement.evaluate("bert") == .confirmed)
        }
        await #expect(throws: Broken()) { try await never.evaluate("anna") }
    }

    @Test("the page's closures")
    func page() async throws {
        struct API: Sendable {
            func checkUsernameAvailability(_ name: String) async throws -> Bool { name != "anna" }
            func validateUsername(_ name: String) async throws -> Evaluation { .confirmed }
        }
        let api = API()
        let usernameAvailable = AsyncRequirement<String> { username in
            let isAvailable = try await api.checkUsernameAvailability(username)

            return isAvailable
                ? .confirmed
                : .failed(
                    reason: Reason(
                        code: "username_taken",
                        message: "Имя пользователя уже занято"
                    ))
        }
        let serverValidation = AsyncRequirement<String> { username in
            try await api.validateUsername(username)
        }
        func register(_ username: String) async throws -> Evaluation {
            guard Requirement<String>.length(min: 3, max: 20).evaluate(username).isConfirmed else {
                return .failed(reason: Reason(message: "Некорректное имя пользователя"))
            }
            return try await usernameAvailable.evaluate(username)
        }
        #expect(try await register("x") == .failed(reason: Reason(message: "Некорректное имя пользователя")))
        #expect(
            try await register("anna")
                == .failed(reason: Reason(code: "username_taken", message: "Имя пользователя уже занято")))
        #expect(try await register("boris") == .confirmed)
        #expect(try await serverValidation.evaluate("x").isConfirmed)
    }

    @Test("synchronous parts run first, at any place")
    func syncFirst() async throws {
        let server = Server()
        let slow = server.requirement("slow", .pass)
        let groups: [AsyncRequirement<String>] = [
            slow && .minLength(3), .minLength(3) && slow, .all([slow, AsyncRequirement(.minLength(3)), slow]),
            .allConcurrently([slow, AsyncRequirement(.minLength(3))]), slow && slow && .minLength(3),
        ]
        for group in groups {
            #expect(try await group.evaluate("ab").reason?.rule == "string.minLength")
            #expect(try await group.failures(in: "ab").map(\.rule) == ["string.minLength"])
        }
        #expect(server.requested == [])
        for group in groups { #expect(try await group.evaluate("abc").isConfirmed) }
        #expect(server.requested.count == 7)
        #expect(try await (server.requirement("x", .fail) || .minLength(3)).evaluate("abc").isConfirmed)
        #expect(server.requested.count == 7)
        #expect(try await (!AsyncRequirement(.minLength(3)) && slow).evaluate("abc").reason?.rule == "not")
        #expect(server.requested.count == 7)
    }

    @Test("all reasons; asynchronous parts run only if the rest passes")
    func policies() async throws {
        let server = Server()
        let group = AsyncRequirement<String>.all([
            server.requirement("a", .fail), AsyncRequirement(.minLength(3)), AsyncRequirement(.containsDigit),
            server.requirement("b", .pass), server.requirement("c", .fail),
        ])
        #expect(try await group.failures(in: "x").map(\.rule) == ["string.minLength", "string.containsDigit"])
        #expect(try await group.failures(in: "abc1").map(\.message) == ["a", "c"])
        #expect(try await group.failures(in: "abc1", limit: .first).map(\.message) == ["a"])
        #expect(try await group.failures(in: "abc1", limit: 0) == [])
        #expect(try await group.failures(in: nil).map(\.rule) == ["value.missing"])
        #expect(server.requested == ["a", "b", "c", "a"])
    }

    @Test("undecided parts hide no reason; names and timeouts keep all reasons")
    func undecidedAndWrapped() async throws {
        let server = Server()
        let unsure = AsyncRequirement<String>(.all([.matches(pattern: "("), .minLength(3)]))
        #expect(try await unsure.failures(in: "ab", limit: .first).map(\.rule) == ["string.minLength"])
        #expect(try await unsure.failures(in: "abc", limit: .first).map(\.isUndecided) == [true])
        let group = AsyncRequirement<String>.all([
            server.requirement("a", .undecided), server.requirement("b", .fail), server.requirement("c", .fail),
        ])
        #expect(try await group.failures(in: "", limit: 2).map(\.message) == ["b", "c"])
        #expect(try await group.failures(in: "").map(\.message) == ["b", "c", "a"])
        #expect(try await group.named("x").failures(in: "").map(\.rule) == ["x", "x", "x"])
        #expect(try await group.timeout(.seconds(60)).failures(in: "").map(\.message) == ["b", "c", "a"])
        #expect(try await group.timeout(.seconds(60)).failures(in: "", limit: 2).map(\.message) == ["b", "c"])
        let late = AsyncRequirement<String>.all([server.endless()]).timeout(.milliseconds(1))
        #expect(try await late.failures(in: "").map(\.code) == ["timeout"])
    }

    @Test("concurrent groups answer by declaration, whoever is ready first", arguments: 0..<6)
    func concurrentOrder(round: Int) async throws {
        let server = Server()
        let turns = [[0, 40, 80], [0, 80, 40], [40, 0, 80], [80, 0, 40], [40, 80, 0], [80, 40, 0]][round]
        func group(_ verdicts: [Verdict]) -> [AsyncRequirement<String>] {
            verdicts.enumerated().map { server.requirement("\($0)", $1, after: turns[$0]) }
        }
        func all(_ verdicts: Verdict...) async throws -> String? {
            try await AsyncRequirement.allConcurrently(group(verdicts)).evaluate("").reason?.message
        }
        func any(_ verdicts: Verdict...) async throws -> String? {
            try await AsyncRequirement.anyConcurrently(group(verdicts)).evaluate("").reason?.message
        }
        #expect(try await all(.fail, .fail, .fail) == "0")
        #expect(try await all(.pass, .fail, .fail) == "1")
        #expect(try await all(.undecided, .pass, .fail) == "2")
        #expect(try await all(.undecided, .pass, .undecided) == "0")
        #expect(try await all(.pass, .pass, .pass) == nil)
        #expect(try await any(.fail, .pass, .undecided) == nil)
        #expect(try await any(.fail, .undecided, .undecided) == "1")
        #expect(try await any(.fail, .fail, .fail) == "Does not meet any of the alternatives")

        let several = AsyncRequirement.allConcurrently(group([.fail, .pass, .fail]))
        #expect(try await several.failures(in: "").map(\.message) == ["0", "2"])
        #expect(try await several.failures(in: "", limit: .first).map(\.message) == ["0"])

        let broken = server.broken("broken", after: turns[0])
        let fails = server.requirement("fails", .fail, after: turns[1])
        let passes = server.requirement("passes", .pass, after: turns[2])
        #expect(try await AsyncRequirement.allConcurrently([fails, broken]).evaluate("").reason?.message == "fails")
        await #expect(throws: Broken(name: "broken")) {
            try await AsyncRequirement.allConcurrently([broken, fails]).evaluate("")
        }
        #expect(try await AsyncRequirement.anyConcurrently([broken, fails, passes]).evaluate("").isConfirmed)
        await #expect(throws: Broken(name: "broken")) {
            try await AsyncRequirement.anyConcurrently([fails, broken]).evaluate("")
        }
        #expect(try await AsyncRequirement<String>.allConcurrently([]).evaluate("").isConfirmed)
        #expect(try await !AsyncRequirement<String>.anyConcurrently([]).evaluate("").isConfirmed)
    }

    @Test("as soon as the answer is known, the other parts are cancelled")
    func cancelsTheRest() async throws {
        let server = Server()
        let fails = server.requirement("fails", .fail)
        let group = AsyncRequirement.allConcurrently([fails, server.endless(), server.endless()])
        #expect(try await group.evaluate("").reason?.message == "fails")
        let passes = server.requirement("passes", .pass)
        #expect(try await AsyncRequirement.anyConcurrently([server.endless(), passes]).evaluate("").isConfirmed)
    }

    @Test("after its time a requirement is undecided, even if it does not heed cancellation")
    func timeout() async throws {
        let server = Server()
        let late = server.endless().timeout(.milliseconds(20))
        let reason = try await late.evaluate("").reason
        #expect(reason?.code == "timeout" && reason?.isUndecided == true)
        #expect(reason?.message(in: "ru") == "Проверка не завершена вовремя")
        #expect(try await (!late).evaluate("").reason?.code == "timeout")
        #expect(try await late.because("x").evaluate("").reason?.code == "timeout")

        let gate = Mutex<[CheckedContinuation<Void, Never>]>([])
        let deaf = AsyncRequirement<String> { _ in
            await withCheckedContinuation { continuation in gate.withLock { $0.append(continuation) } }
            return .confirmed
        }
        #expect(try await deaf.timeout(.milliseconds(20)).evaluate("").reason?.code == "timeout")
        gate.withLock { waiting in waiting.forEach { $0.resume() } }

        #expect(try await server.requirement("a", .fail).timeout(.seconds(600)).evaluate("").reason?.message == "a")
        await #expect(throws: Broken()) { try await server.broken("").timeout(.seconds(600)).evaluate("") }
        #expect(
            try await late.evaluations(for: ["a", "b"]).map { $0.reason?.code } == ["timeout", "timeout"])
    }

    @Test("cancellation ends the waiting, and no further part runs")
    func cancellation() async throws {
        let server = Server()
        for requirement in [
            server.endless(), server.endless().timeout(.seconds(3_600)),
            .allConcurrently([server.endless(), server.endless()]),
            .all([server.endless(), server.requirement("a", .pass)]),
        ] {
            let task = Task { try await requirement.evaluate("") }
            await Task.yield()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(server.requested == [])
    }

    @Test("errors are thrown on")
    func errors() async throws {
        let server = Server()
        await #expect(throws: Broken(name: "x")) { try await server.broken("x").evaluate("") }
        await #expect(throws: Broken(name: "x")) {
            try await (.notEmpty() && server.broken("x")).evaluations(for: ["", "a"])
        }
    }

    @Test("a value need not be Sendable, and stays on its actor")
    @MainActor
    func isolation() async throws {
        let draft = Draft()
        let named = AsyncRequirement<Draft> { draft in
            await Task.yield()
            return draft.name.isEmpty ? .failed(reason: Reason(message: "no name")) : .confirmed
        }
        #expect(try await (named && named).evaluate(draft).isConfirmed)
        draft.name = ""
        #expect(
            try await named.because(code: "c", message: "m").evaluate(draft).reason == Reason(code: "c", message: "m"))
    }

    @Test("a batch asks once per chunk and key, and only for open keys")
    func batches() async throws {
        let server = Server()
        let known = AsyncRequirement<String>.batched(by: \.self, because: Reason(code: "unknown", message: "Unknown")) {
            keys in
            server.note(keys.joined(separator: ","))
            return Set(keys.filter { !$0.hasPrefix("x") })
        }
        let rule = known && .notEmpty() && .maxLength(3)
        let values = ["a", "xa", "", "a", "b", "long!", "c", "xa"]
        let evaluations = try await rule.evaluations(for: values, chunk: 4, atOnce: 1)
        #expect(
            evaluations.map { $0.reason?.code ?? "" } == [
                "", "unknown", "string.notEmpty", "", "", "string.maxLength", "", "unknown",
            ])
        #expect(server.requested == ["a,xa", "b,c,xa"])
        for (value, evaluation) in zip(values, evaluations) { #expect(try await rule.evaluate(value) == evaluation) }
        #expect(try await rule.evaluations(for: []) == [])

        let many = (0..<1_000).map { $0 % 3 == 0 ? "x\($0)" : "\($0)" }
        for (chunk, atOnce) in [(1_000, 1), (7, 1), (7, 5), (1, 16)] {
            let answers = try await (known || .maxLength(2)).evaluations(for: many, chunk: chunk, atOnce: atOnce)
            #expect(answers.map(\.isConfirmed) == many.map { !$0.hasPrefix("x") || $0.count <= 2 })
        }
    }

    @Test("concurrent groups over chunks keep batches together")
    func concurrentBatches() async throws {
        let server = Server()
        func batch(_ letter: Character) -> AsyncRequirement<String> {
            .batched(by: \.self, because: Reason(message: "\(letter)")) { keys in
                server.note("\(letter)\(keys.count)")
                return Set(keys.filter { !$0.contains(letter) })
            }
        }
        let group = AsyncRequirement.allConcurrently([batch("a"), batch("b")])
        let answers = try await group.evaluations(for: ["ab", "b", "c", "a"])
        #expect(answers.map { $0.reason?.message ?? "" } == ["a", "b", "", "a"])
        #expect(Set(server.requested) == ["a4", "b4"])
    }

    private struct Person: Sendable {
        struct Address: Sendable { var city = "Oslo" }
        var name = "anna"
        var address = Address()
    }

    @Test("parts have their names in paths: one value, all reasons, many values")
    func parts() async throws {
        let isFree = AsyncRequirement<String> { value in
            value == "taken" ? .failed(reason: Reason(message: "Taken")) : .confirmed
        }
        let person = AsyncRequirement<Person>.all([
            .at(\.name, isFree && .minLength(3)), isFree.at(\.address.city), .at(\.name, named: "login", isFree),
        ])
        func paths(_ value: Person) async throws -> [String] {
            try await person.failures(in: value).map { "\($0.path): \($0.message)" }
        }
        let taken = Person(name: "taken", address: .init(city: "taken"))
        #expect(try await paths(Person()).isEmpty)
        #expect(try await paths(taken) == ["name: Taken", "address.city: Taken", "login: Taken"])
        #expect(try await person.evaluate(taken).reason.map { "\($0.path)" } == "name")
        let evaluations = try await person.evaluations(for: [Person(), Person(name: "x"), taken])
        #expect(evaluations.map { $0.reason.map { "\($0.path)" } } == [nil, "name", "name"])
        let short = AsyncRequirement<Person>.at(\.name, AsyncRequirement(.maxLength(2)))
        #expect(try await short.failures(in: taken).map { "\($0.path)" } == ["name"])
    }
}
