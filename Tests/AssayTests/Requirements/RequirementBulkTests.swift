@testable import Assay
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
                    #expect(Set(mask) == [joined.evaluate(hostile[0]).verdict], "\(joined.description)")
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

@Suite("Bulk checks of values that are not strings")
struct OtherBulkTests {
    @Test("optional strings have the verdicts of single values")
    func optionals() {
        var random = SystemRandomNumberGenerator()
        let texts = ["12", "x", "", "é", String(repeating: "9", count: 5_000), "7"]
        let child = Requirement<String>.matches(pattern: "[0-9]+")
        let closure = child && Requirement<String> { $0.count < 2 ? .confirmed : .failed(reason: .missing) }
        let backtracking = Requirement<String>.matches(pattern: #"(x+x+)+\1{0}y"#) || child
        for requirement in [
            Requirement<String?>.ifPresent(child), .notNil(child), .ifPresent(closure), .notNil(closure),
            .ifPresent(backtracking), .ifPresent(.always), .notNil(),
        ] {
            for count in [0, 1, 63, 64, 65, 4_095, 4_096, 4_097, 9_000] {
                let values: [String?] = (0..<count).map { _ in
                    Int.random(in: 0...2, using: &random) == 0 ? nil : texts.randomElement(using: &random)
                }
                let mask = requirement.verdicts(for: values, threads: count % 3 + 1)
                #expect(Array(mask) == values.map { requirement.evaluate($0).verdict }, "\(requirement) \(count)")
            }
            #expect(
                requirement.verdicts(for: [String?](repeating: nil, count: 100)).allPassed
                    == requirement.evaluate(nil).isConfirmed)
        }
    }

    @Test("the fast ranges of Int and Double agree with the node")
    func ranges() {
        func compare<Value: Comparable & Sendable>(_ bounds: [Value?], _ values: [Value]) {
            for min in bounds {
                for max in bounds {
                    for (minIsExclusive, maxIsExclusive) in [
                        (false, false), (true, false), (false, true), (true, true),
                    ] {
                        let node = RangeNode(
                            min: min, max: max, minIsExclusive: minIsExclusive, maxIsExclusive: maxIsExclusive)
                        let mask = Requirement(node).verdicts(for: values, threads: 1)
                        for (index, value) in values.enumerated() {
                            let plain = node.evaluate(value)
                            #expect(Requirement(node).evaluate(value) == plain)
                            #expect(mask[index] == plain.verdict)
                        }
                    }
                }
            }
        }
        let integers = [Int.min, .min + 1, -1, 0, 1, 7, .max - 1, .max]
        compare(integers + [nil], integers)
        let numbers = [
            -Double.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude,
            .leastNormalMagnitude, 1, Double(1).nextUp, .greatestFiniteMagnitude, .infinity, .nan,
        ]
        compare(numbers + [nil], numbers)
        compare([Float.nan, 0, 1, nil], [Float.nan, 0, 0.5, 1, 2])
    }

    @Test("a mask splits its values as the verdicts are", arguments: [0, 1, 63, 64, 65, 128, 1_000])
    func partition(count: Int) {
        let values = (0..<count).map { "\($0 &* 2_654_435_761 % 97)" }
        let mask = Requirement<String>.matches(pattern: "[0-9]*[05]").verdicts(for: values)
        let plain = Dictionary(grouping: zip(values, mask)) { $0.1 == .pass }.mapValues { $0.map(\.0) }
        let (passed, rejected) = mask.partition(values)
        #expect(passed == plain[true] ?? [] && rejected == plain[false] ?? [])
        #expect(mask.partition(values[...]).passed == passed && mask.partition(Array(values.lazy)).passed == passed)
        #expect(mask.partition(AnyCollection(values)).rejected == rejected)
    }
}

@Suite("Numbers and parts in bulk") struct NumberBulkTests {
    struct Person: Sendable {
        var name: String
        var age: Int
        var weight: Double
        var nickname: String?
        var years: Int { age }
    }

    @Test(arguments: [0, 1, 63, 64, 65, 4_096, 10_000]) func ranges(count: Int) {
        let ages = (0..<count).map { ($0 &* 7_919) % 150 - 10 }
        let range = Requirement<Int>.inRange(18...120)
        let mask = range.verdicts(for: ages)
        #expect(ages.indices.allSatisfy { mask[$0] == range.evaluate(ages[$0]).verdict })
        #expect(mask.undecidedCount == 0)
        // With a budget, each value is charged.
        #expect(range.verdicts(for: ages, budget: CallBudget(work: .max)).failedCount == mask.failedCount)
        let weights = ages.map { $0 == 5 ? .nan : Double($0) }
        let heavy = Requirement<Double>.lessThan(80)
        let others = heavy.verdicts(for: weights, threads: 1)
        #expect(weights.indices.allSatisfy { others[$0] == heavy.evaluate(weights[$0]).verdict })
    }

    /// A part that is stored in the value is read without its key path.
    @Test func parts() {
        let people = (0..<300).map { number in
            Person(
                name: String(repeating: "ä", count: number % 5), age: number % 100, weight: Double(number),
                nickname: number % 3 == 0 ? nil : "Nick\(number)")
        }
        let requirement = Requirement<Person>.all(
            .at(\.name, .notEmpty() && .maxLength(3)), .at(\.age, .inRange(10...90)), .at(\.weight, .lessThan(290)),
            .at(\.nickname, .ifPresent(.hasSuffix("1"))), .at(\.years, .greaterThan(11)),
            .at(\.name.utf8.count, .lessThan(5)))
        let mask = requirement.verdicts(for: people)
        for (index, person) in people.enumerated() {
            let passes =
                (1...3).contains(person.name.count) && (12...90).contains(person.age) && person.weight < 290
                && (person.nickname?.hasSuffix("1") ?? true) && person.name.utf8.count < 5
            #expect(mask[index] == (passes ? .pass : .fail))
            #expect(requirement.evaluate(person).reason == requirement.failures(in: person).first)
            #expect(requirement.evaluate(person).reason?.path == requirement.failures(in: person).first?.path)
        }
    }
}
