import Assay
import Synchronization
import Testing

@Suite("Requirements over many values")
struct RequirementBulkTests {
    private let values = (0..<10_000).map { "\($0 % 7 == 0 ? "X" : "x")\($0)" }

    @Test("closures run only for values that the data leaves open", arguments: [1, 2])
    func closureCalls(threads: Int) {
        let calls = Atomic(0)
        let closure = Requirement<String> { value in
            calls.add(1, ordering: .relaxed)
            return value.hasSuffix("7") ? .failed(reason: Reason(message: "7")) : .confirmed
        }
        func count(_ requirement: Requirement<String>) -> Int {
            calls.store(0, ordering: .relaxed)
            let mask = requirement.verdicts(for: values, threads: threads)
            let requested = calls.load(ordering: .relaxed)
            #expect(Array(mask) == values.map { requirement.evaluate($0).verdict })
            return requested
        }
        let upper = values.count { $0.hasPrefix("X") }
        let lower = values.count - upper
        #expect(count(.containsUppercase && closure) == upper)
        // In any order of declaration, and at any nesting depth of the data.
        #expect(count(closure && .containsUppercase) == upper)
        #expect(count(.all([.all([closure, .containsUppercase]).because("x"), .minLength(2)]).named("n")) == upper)
        #expect(count(.containsUppercase || closure) == lower)
        #expect(count(!(.containsUppercase || closure)) == lower)
        #expect(count(!(.containsUppercase && closure)) == upper)
        #expect(count(.when(.containsUppercase, closure)) == upper)
        #expect(count(.when(closure, .containsUppercase)) == lower)
        #expect(count(closure) == values.count)
        #expect(count(.containsUppercase) == 0)
    }

    @Test("verdicts are those of evaluate, for every way of joining data with closures")
    func joints() {
        let hostile = [String](repeating: String(repeating: "a", count: 64), count: 130)
        let data: [Requirement<String>] = [.notEmpty(), .maxLength(1), .matches(pattern: "(a+)+b")]
        let closures: [Requirement<String>] = [
            Requirement { _ in .confirmed }, Requirement { _ in .failed(reason: Reason(message: "")) },
            Requirement { _ in .failed(reason: .undecided(message: "?")) },
        ]
        for one in data {
            for other in closures {
                for joined in [
                    one && other, other && one, one || other, !(one && other), .when(one, other),
                    .when(other, one), .all([one || other, one]),
                ] {
                    let mask = joined.verdicts(for: hostile, threads: 1)
                    #expect(Set(mask) == [joined.evaluate(hostile[0]).verdict], "\(joined.describe())")
                }
            }
        }
    }

    @Test("values that are no strings")
    func numbers() {
        let even = Requirement<Int> { $0 % 2 == 0 ? .confirmed : .failed(reason: Reason(message: "odd")) }
        let mask = (Requirement<Int>.inRange(10..<9_000) && even).verdicts(for: Array(0..<10_000))
        #expect(mask.passedCount == 4_495)
        #expect(mask[9] == .fail && mask[10] == .pass && mask[11] == .fail)
    }

    @Test("a report counts all, lists some, and shows no value by default")
    func report() throws {
        let requirement = Requirement<String>.all([.minLength(3), .containsDigit])
        let report = requirement.report(on: ["abc1", "x", "secret", "1"], limit: .all)
        #expect(report.count == 4 && report.confirmed == 1 && report.failed == 3 && report.undecided == 0)
        #expect(report.findings.map(\.index) == [1, 1, 2, 3])
        #expect(
            report.findings.map(\.reason.rule) == [
                "string.minLength", "string.containsDigit", "string.containsDigit", "string.minLength",
            ])
        #expect(report.findings.allSatisfy { $0.value == nil })
        #expect(requirement.report(on: ["secret"], showingValues: true).findings.map(\.value) == ["secret"])
        let short = requirement.report(on: Array(repeating: "x", count: 10), maxFindings: 4)
        #expect(short.findings.count == 4 && short.omitted == 6 && short.failed == 10)
        let numbers = Requirement<Double>.greaterThan(0).report(on: [1, .nan, -1], showingValues: true)
        #expect(numbers.findings.map(\.value) == ["NaN", "-1.0"])
    }

    @Test("a pattern longer than the usual limit")
    func longPattern() throws {
        let pattern = try Pattern(String(repeating: "a", count: 12_000), maxBytes: 20_000)
        let requirement = Requirement<String>.matches(pattern) && .notEmpty()
        #expect(Array(requirement.verdicts(for: [pattern.source, "a"])) == [.pass, .fail])
        #expect(requirement.evaluate(pattern.source).isConfirmed)
    }
}
