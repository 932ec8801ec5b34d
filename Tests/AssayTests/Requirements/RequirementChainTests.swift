import Foundation
import Synchronization
import Testing

@testable import Assay

@Suite("Chains and lists of requirements")
struct RequirementChainTests {
    /// One of the results of a member: confirmed, failed with its number, or undecided.
    private static func member(_ verdict: Verdict, _ index: Int) -> Requirement<Int> {
        Requirement<Int> { _ in
            switch verdict {
            case .pass: .confirmed
            case .fail: .failed(reason: Reason(code: "\(index)", message: "Failed"))
            case .undecided: .failed(reason: .undecided(message: "\(index)"))
            }
        }
    }

    @Test("a group of up to six members has the result of its fold", arguments: [KleeneOperator.and, .or])
    func folds(operation: KleeneOperator) {
        for count in 0...6 {
            for code in 0..<Int(pow(3, Double(count))) {
                var rest = code
                let verdicts = (0..<count).map { _ in
                    defer { rest /= 3 }
                    return Verdict(rawValue: UInt8(rest % 3))!
                }
                let members = verdicts.enumerated().map { Self.member($1, $0) }
                var fold = KleeneFold(operation)
                for member in members where fold.add(member.evaluate(0)) { break }
                let list = Requirement(GroupNode(operation, members))
                // A single alternative keeps its own reason.
                let expected = count == 1 ? members[0].evaluate(0) : fold.evaluation
                #expect(list.evaluate(0) == expected)
                guard let first = members.first, count > 1 else { continue }
                let chain = members.dropFirst().reduce(first) { operation == .and ? $0 && $1 : $0 || $1 }
                #expect(chain.evaluate(0) == fold.evaluation)
                #expect(chain.failures(in: 0) == list.failures(in: 0))
                #expect(chain.failures(in: 0, limit: 2) == list.failures(in: 0, limit: 2))
                #expect(chain.trace(0) == list.trace(0) && chain.trace(0, limit: .all) == list.trace(0, limit: .all))
            }
        }
    }

    @Test("a chain of many members takes seconds, and chains that share its beginning are independent")
    func long() {
        let clock = ContinuousClock()
        let count = runsSlowTests ? 100_000 : 30_000
        var chain = Requirement<String>.notEmpty()
        var shared: [Requirement<String>] = []
        let time = clock.measure {
            for index in 1..<count {
                if index % (count / 4) == 0 { shared.append(chain || .always) }
                chain = chain && .maxLength(index)
            }
        }
        #expect(time < .seconds(30), "\(time)")
        #expect(chain.evaluate("a").isConfirmed)
        #expect(chain.failures(in: "ab").count == 1 && chain.failures(in: "").count == 1)
        #expect(chain.failures(in: String(repeating: "a", count: 1_000)).count == 999)
        #expect(shared.allSatisfy { $0.evaluate("").isConfirmed })
        #expect(chain.trace("ab").children.count == count)
        var either = Requirement<Int>.equals(0)
        for index in 1..<count { either = either || .equals(index) }
        #expect(either.evaluate(count - 1).isConfirmed && !either.evaluate(count).isConfirmed)
    }

    @Test("as arguments, as a list, as a block and as a chain")
    func spellings() {
        let (one, other) = (Requirement<String>.minLength(2), Requirement<String>.containsDigit)
        for value in ["", "1", "ab", "ab1"] {
            #expect(
                Requirement.all(one, other).failures(in: value)
                    == Requirement.all(of: [one, other]).failures(in: value))
            #expect(Requirement.any(one, other).evaluate(value) == Requirement.any(of: [one, other]).evaluate(value))
            #expect(Requirement.all(one).evaluate(value) == one.evaluate(value))
            #expect(Requirement.any(one).evaluate(value) == one.evaluate(value))
        }
        let sync: Requirement<String> = .notEmpty() && .always
        let either: Requirement<String> = .notEmpty() || .always
        let inferred = Requirement<String>.notEmpty() && .always
        #expect(sync.evaluate("a").isConfirmed && either.evaluate("").isConfirmed && inferred.evaluate("a").isConfirmed)
    }

    @Test("the maximum number of levels works on a thread with half a megabyte of stack")
    func nested() {
        let done = Atomic(false)
        let thread = Thread {
            var requirement = Requirement<Int>.greaterThan(0)
            for level in 0..<maxRequirementDepth {
                switch level % 5 {
                case 0: requirement = !requirement
                case 1: requirement = .lessThan(level) || requirement
                case 2: requirement = .greaterThan(-level) && requirement
                case 3: requirement = .when(.always, requirement)
                default: requirement = requirement.because("\(level)")
                }
            }
            _ = requirement.evaluate(1)
            _ = requirement.failures(in: 1)
            _ = requirement.trace(1, limit: .all)
            _ = requirement.description
            _ = requirement.expression
            _ = requirement.verdicts(for: [1, 2], threads: 1)
            requirement = .always
            done.store(true, ordering: .releasing)
        }
        thread.stackSize = 512 << 10
        thread.start()
        while !done.load(ordering: .acquiring) { usleep(1_000) }
    }

    @Test("a further level ends the process with a message")
    func tooDeep() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var requirement = Requirement<Int>.greaterThan(0)
            for _ in 0...maxRequirementDepth { requirement = !requirement }
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("the requirement has more than 500 levels; write a list or a chain of && or ||"))
    }
}
