import Assay
import Synchronization
import Testing

/// A requirement that logs its calls.
final class Probe: Sendable {
    private let log = Mutex<[String]>([])

    var requested: [String] { log.withLock { $0 } }

    func requirement(_ name: String, _ verdict: Verdict, of type: String.Type = String.self) -> Requirement<String> {
        Requirement(named: name) { _ in
            self.log.withLock { $0.append(name) }
            switch verdict {
            case .pass: return .confirmed
            case .fail: return .failed(reason: Reason(message: "not \(name)"))
            case .undecided: return .failed(reason: .undecided(message: "\(name)?"))
            }
        }
    }
}

@Suite("Policies of a call")
struct PolicyTests {
    @Test("first really stops at the first")
    func first() {
        let probe = Probe()
        let group = Requirement<String>.all([
            probe.requirement("a", .pass), probe.requirement("b", .fail), probe.requirement("c", .fail),
        ])
        #expect(group.failures(in: "", limit: .first) == [Reason(message: "not b")])
        #expect(probe.requested == ["a", "b"])
        #expect(group.evaluate("") == .failed(reason: Reason(message: "not b")))
        #expect(probe.requested == ["a", "b", "a", "b"])
    }

    @Test("a reason that is undecided makes room for one that is not")
    func undecidedMakesRoom() {
        let probe = Probe()
        let group = Requirement<String>.all([
            probe.requirement("a", .undecided), probe.requirement("b", .fail),
            Requirement<String>.all([probe.requirement("c", .undecided), probe.requirement("d", .fail)]).named("group"),
            probe.requirement("e", .fail),
        ])
        #expect(group.failures(in: "", limit: 1).map(\.message) == ["not b"])
        #expect(group.failures(in: "", limit: 2).map(\.message) == ["not b", "not d"])
        #expect(group.failures(in: "", limit: 4).map(\.message) == ["not b", "not d", "not e", "a?"])
        #expect(group.failures(in: "").map(\.message) == ["not b", "not d", "not e", "a?", "c?"])
        let unsure = Requirement<String>.all([probe.requirement("f", .undecided), probe.requirement("g", .undecided)])
        #expect(unsure.failures(in: "", limit: 1).map(\.message) == ["f?"])
    }

    @Test("all really returns all, through every kind of group")
    func all() {
        let probe = Probe()
        func fail(_ name: String) -> Requirement<String> { probe.requirement(name, .fail) }
        let group = Requirement<String>.all {
            fail("a")
            Requirement<String>.all([fail("b"), probe.requirement("c", .pass), fail("d")])
            Requirement<String>.when(.always, .all([fail("e"), fail("f")]))
            Requirement<String>.any([fail("g"), fail("h")])
            Requirement<String>.all([fail("i"), fail("j")]).because("i and j")
            Requirement<String>.at(\.self, named: "self", .all([fail("k"), fail("l")]))
        }
        let reasons = group.failures(in: "x", limit: .all)
        #expect(
            reasons.map(\.message) == [
                "not a", "not b", "not d", "not e", "not f", "Does not meet any of the alternatives", "i and j",
                "not k", "not l",
            ])
        #expect(reasons.map(\.path.description) == ["", "", "", "", "", "", "", "self", "self"])
        #expect(group.failures(in: "x") == reasons)
    }

    @Test(
        "evaluate takes a shorter way through checks, and gives the first reason of the list", .needsPCRE2,
        arguments: [
            "", "a", "secret", "Secret123!", "Пароль №7", "a\r\nb", "anna@example.org",
            String(repeating: "a", count: 40),
        ])
    func shorterWay(text: String) throws {
        typealias Text = Requirement<String>
        let undecided = Text.matches(try Pattern(#"(a+)+b\1{0}"#))
        let long = Text.minLength(8)
        let parts: [Text] = [
            .notEmpty(), long.because("At least 8"), long.because("Eight").because(code: "length", message: "8"),
            .containsDigit, .containsUppercase.because("A capital"), try Text(.type(.integer)),
            .maxLength(20), undecided, undecided.because("Too hard"), .init { _ in .confirmed },
            .init { $0.isEmpty ? .failed(reason: Reason(message: "Empty")) : .confirmed }, .always, !.containsDigit,
            .any([.containsDigit, long]).because("Either"),
        ]
        func agree(_ requirement: Text) {
            let first = requirement.failures(in: text, limit: .upTo(100)).first
            let evaluation = requirement.evaluate(text)
            #expect(evaluation.reason == first)
            #expect(evaluation.reason?.rule == first?.rule)
            #expect(evaluation.reason?.isUndecided == first?.isUndecided)
            #expect(requirement.trace(text).reason == evaluation.reason)
        }
        for one in parts {
            agree(one)
            for other in parts {
                agree(.all([one, other]))
                agree(.all([one, .all([other, one]), other]))
                agree(.any([one, .all([other, other])]))
            }
        }
    }

    @Test("up to n gives n, and stops", arguments: 0...4)
    func upTo(count: Int) {
        let probe = Probe()
        let group = Requirement<String>.all((0..<4).map { probe.requirement("\($0)", .fail) })
        #expect(group.failures(in: "", limit: .upTo(count)).count == count)
        #expect(probe.requested.count == count)
        #expect(Requirement<[String]>.each(group).failures(in: ["", ""], limit: .upTo(5)).count == 5)
    }

    @Test("undecided parts are listed after failures")
    func undecided() {
        let probe = Probe()
        let group = Requirement<String>.all([probe.requirement("a", .undecided), probe.requirement("b", .fail)])
        #expect(group.failures(in: "").map(\.message) == ["not b", "a?"])
        #expect(group.failures(in: "", limit: 1) == [Reason(message: "not b")])
        #expect(group.evaluate("").verdict == .fail)
    }

    @Test("a chain of operators is one group, however long")
    func chains() {
        let probe = Probe()
        let chain = (0..<500).reduce(Requirement<String>.always) { $0 && probe.requirement("\($1)", .pass) }
        #expect(chain.evaluate("").isConfirmed)
        #expect(probe.requested.count == 500)
        #expect(chain.trace("").children.count == 501)
        let either = Requirement<String>.never(Reason(message: "")) || .maxLength(0) || .minLength(3)
        #expect(["", "a", "abc"].map { either.evaluate($0).isConfirmed } == [true, false, true])
    }
}

@Suite("Traces of requirements")
struct TraceTests {
    private let password = Requirement<String>.all {
        Requirement<String>.minLength(8).because("At least 8")
        Requirement<String>.containsDigit
        Requirement<String>.any([.containsUppercase, .containsSymbol]).named("password.strong")
    }

    @Test("a trace has its children, and shows the skipped parts")
    func picture() {
        #expect(
            password.trace("secret").description == """
                ✗ all: At least 8
                ├─ ✗ string.minLength: At least 8
                ├─ · string.containsDigit
                └─ · password.strong
                   └─ · any
                      ├─ · string.containsUppercase
                      └─ · string.containsSymbol
                """)
        #expect(
            password.trace("secret!secret", limit: .all).description == """
                ✗ all: Must contain a digit
                ├─ ✓ string.minLength
                ├─ ✗ string.containsDigit: Must contain a digit
                └─ ✓ password.strong
                   └─ ✓ any
                      ├─ ✗ string.containsUppercase: Must contain an upper-case letter
                      └─ ✓ string.containsSymbol
                """)
        #expect(password.trace("secret!secret", limit: .all).picture(in: .japanese).contains("数字を含めてください"))
    }

    @Test("the root of a trace agrees with evaluate", arguments: ["", "secret", "secret123", "Secret123", "ß"])
    func root(value: String) {
        let requirements: [Requirement<String>] = [
            password, .not(password), .when(.containsDigit, password), .at(\.self, named: "p", password),
            password || .maxLength(2), .matches(pattern: "("), .always, .emptyOr(.type(.integer)),
        ]
        for requirement in requirements {
            for limit in [FailurePolicy.first, .all] {
                let trace = requirement.trace(value, limit: limit)
                let evaluation = requirement.evaluate(value)
                #expect(trace.verdict == evaluation.verdict)
                #expect(trace.reason == evaluation.reason)
                #expect(trace.reason?.path == evaluation.reason?.path)
            }
        }
    }

    @Test("elements, parts, optionals and conditions")
    func nested() {
        let lists = Requirement<[String?]>.each(.ifPresent(.when(.containsDigit, .maxLength(2))))
        #expect(
            lists.trace([nil, "a", "1234"]).description == """
                ✗ each: Must have at most 2 characters
                ├─ ✓ [0]
                │  └─ ✓ ifPresent
                │     └─ · when
                │        ├─ · string.containsDigit
                │        └─ · string.maxLength
                ├─ ✓ [1]
                │  └─ ✓ ifPresent
                │     └─ ✓ when
                │        ├─ ✗ string.containsDigit: Must contain a digit
                │        └─ · string.maxLength
                └─ ✗ [2]: Must have at most 2 characters
                   └─ ✗ ifPresent: Must have at most 2 characters
                      └─ ✗ when: Must have at most 2 characters
                         ├─ ✓ string.containsDigit
                         └─ ✗ string.maxLength: Must have at most 2 characters
                """)
    }

    @Test("a trace runs no more parts than evaluate, and each part once")
    func asking() {
        let probe = Probe()
        let group = Requirement<String>.all([
            probe.requirement("a", .pass), .any([probe.requirement("b", .pass), probe.requirement("c", .pass)]),
            probe.requirement("d", .fail), probe.requirement("e", .fail),
        ])
        _ = group.trace("")
        #expect(probe.requested == ["a", "b", "d"])
    }
}
