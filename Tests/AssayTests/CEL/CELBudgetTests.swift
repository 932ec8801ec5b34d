import Foundation
import Testing

@testable import Assay

/// The columns of the tests of limits: lists of ints and of texts, and a text.
private let listColumns = [
    CELVariable("l", .list(.int)), CELVariable("t", .list(.string)), CELVariable("s", .string),
    CELVariable("i", .int),
]

/// Expressions with the resource that each one exhausts. Most take a second without optimization, so `make test` runs a
/// third of them.
private let hostileExpressions: [(String, CELResource?)] = [
    ("l.map(x, l.map(y, l.map(z, l))).size() > 0", .memory), ("l.map(x, t.map(y, y + y)).size() > 0", .memory),
    ("l.map(x, s + s).size() > 0", .memory), ("t.map(x, l + l).size() > 0", .memory),
    ("t.map(x, x + s).size() > 0", .memory), ("t.filter(x, t.filter(y, y == x).size() > 0) == t", .work),
    ("l.all(a, l.all(b, l.all(c, l.all(d, d >= 0))))", .work),
    ("l.exists(a, l.exists(b, l.exists(c, l.exists(d, d < 0))))", .work),
    ("l.exists_one(a, l.exists_one(b, l.exists_one(c, l.exists_one(d, d == a))))", .work),
    ("l.map(a, l.map(b, l.map(c, l.map(d, d)))).size() > 0", .memory),
    ("l.filter(a, l.filter(b, l.filter(c, l.filter(d, d > 0) == []) == []) == []) == []", .work),
    ("l.map(a, true, l.map(b, true, l.map(c, true, [a, b, c]))).size() > 0", .memory),
    ("l.map(a, l.map(b, [a, b])) == []", .memory), ("l.map(a, l.filter(b, true)).size() > 0", .memory),
    ("l.all(x, s.contains('x') || s.contains('y') || true)", .work),
    ("l.all(x, l == l)", .work), ("l.all(x, x in l)", .work), ("l.all(x, !(-1 in l))", .work),
    ("l.map(x, string(x) + s).size() > 0", .memory), ("l.all(x, l.map(y, l) == l.map(y, l))", .work),
    ("l.all(x, size(t.map(y, y + s)) > 0)", .memory),
    ("i == 0 || l.all(x, l == l)", nil), ("l.all(x, l == l) || i == 0", .work),
    ("l.all(x, l == l) ? true : true", .work), ("[l.all(x, l == l)].all(y, true)", .work),
    ("l.map(x, s).size() == 3000", nil), ("l.map(x, l).size() == 3000", nil),
    ("size([\(Array(repeating: "s", count: 1_500).joined(separator: ", "))]) == 1500", nil),
]

@Suite("CEL: work and memory of one row")
struct CELBudgetTests {
    /// The cells of a row: the texts of lists of `ints` and `texts` elements, and a text.
    private static func cells(ints: Int = 0, texts: Int = 0, bytes: Int = 0) -> [String] {
        [
            (0..<ints).map { "\($0)" }.joined(separator: ","),
            (0..<texts).map { "text number \($0 % 100 + 100)" }.joined(separator: ","),
            String(repeating: "s", count: bytes), "0",
        ]
    }

    private static let variables: [RowVariable] = {
        let types = [
            ValueType(.list, itemType: .integer), ValueType(.list, itemType: .string), ValueType(.string),
            ValueType(.integer),
        ]
        return types.map { try! RowVariable($0) }
    }()

    /// The outcome of an expression, and the budget of its interpreter.
    private static func run(
        _ expression: String, _ cells: [String], maxBytes: Int = MatchLimits.usualRowRuleBytes
    ) throws -> (CELOutcome, CELBudget) {
        let program = try CELProgram(compiling: expression, variables: listColumns, mustBe: nil)
        var interpreter = CELInterpreter(program: program, maxBytes: maxBytes)
        let outcome = interpreter.outcome { variables[$0].outcome(of: cells[$0], &$1) }
        return (outcome, interpreter.budget)
    }

    @Test("a cell is read once, for any number of accesses")
    func once() throws {
        let program = try CELProgram(
            compiling: "l.all(x, x >= l[0] && has(l) && size(l) > 2 && s != 'b' && has(s))", variables: listColumns)
        var reads: [Int: Int] = [:]
        let outcome = program.outcome { index, _ in
            reads[index, default: 0] += 1
            return index == 0 ? .value(.list([.int(1), .int(2), .int(3)])) : .value(.string("a"))
        }
        #expect(outcome == .value(.bool(true)) && reads == [0: 1, 2: 1])
    }

    @Test("rules about long lists are decided")
    func honest() throws {
        let cells = Self.cells(ints: 100_000, texts: 20_000, bytes: 1 << 20)
        for expression in [
            "l.all(d, d >= l[0])", "l.size() == 100000", "l.exists(x, x == 99999)", "t.all(x, x.startsWith('text'))",
            "l.map(x, x + 1).size() == 100000", "l.filter(x, x < 10).size() == 10", "l.all(x, x < size(l))",
            "t.map(x, x + '!').exists(x, x == 'text number 199!')", "size(s + s) == 2097152",
            "l.exists_one(x, x == 7)", "99999 in l",
        ] {
            let (outcome, budget) = try Self.run(expression, cells)
            #expect(outcome == .value(.bool(true)), "\(expression)")
            #expect(budget.peak > 0, "\(expression)")
        }
    }

    @Test(
        "expressions over the limits name the exhausted resource", .timeLimit(.minutes(1)),
        arguments: hostileExpressions.enumerated().filter { runsSlowTests || $0.offset % 3 == 0 }.map(\.element))
    func hostile(expression: String, expected: CELResource?) throws {
        let (outcome, budget) = try Self.run(expression, Self.cells(ints: 3_000, texts: 2_000, bytes: 1 << 20))
        let expectedOutcome = expected.map { CELOutcome.exhausted($0) } ?? .value(.bool(true))
        #expect(outcome == expectedOutcome)
        #expect(budget.exhausted == expected)
        #expect(budget.steps <= CELBudget.maxSteps && budget.peak <= MatchLimits.usualRowRuleBytes)
    }

    @Test(
        "memory is a separate limit, and released memory does not count",
        arguments: [
            ("l.size() == 3000", 200 << 10), ("l.map(x, x).size() == 3000", 400 << 10),
            ("t.all(x, size(x + x) > 0)", 200 << 10), ("t.map(x, x + x).size() == 2000", 400 << 10),
            ("l.all(a, size(s + s) > 0)", 200 << 10), ("t.map(x, t).size() == 2000", 300 << 10),
        ])
    func memory(expression: String, bytes: Int) throws {
        let cells = Self.cells(ints: 3_000, texts: 2_000, bytes: 1 << 12)
        let (outcome, budget) = try Self.run(expression, cells)
        #expect(outcome == .value(.bool(true)))
        #expect(budget.peak <= bytes, "\(budget.peak)")
        #expect(try Self.run(expression, cells, maxBytes: budget.peak).0 == .value(.bool(true)))
        #expect(try Self.run(expression, cells, maxBytes: budget.peak - 1).0 == .exhausted(.memory))
    }

    @Test("a cell that does not fit has a value, and only its use is undecided")
    func presence() throws {
        let cells = Self.cells(ints: 3_000, texts: 1)
        #expect(try Self.run("has(l) && size(t) == 1", cells, maxBytes: 2_000).0 == .value(.bool(true)))
        #expect(try Self.run("has(l) && size(l) > 1", cells, maxBytes: 2_000).0 == .exhausted(.memory))
    }

    /// The processor time of this thread, in seconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("random expressions of lists end within the limits, and agree with a plain evaluator on short lists")
    func fuzz() throws {
        var generator = CELListGenerator(seed: 7)
        var found: [CELOutcome: Int] = [:]
        var stopped: [CELOutcome: Int] = [:]
        for round in 0..<(runsSlowTests ? 2_000 : 300) {
            let expression = generator.expression()
            let program = try CELProgram(compiling: expression, variables: listColumns)
            for size in [0, 1, 3] {
                let cells = Self.cells(ints: size, texts: size + 1, bytes: 3 * size)
                let outcome = program.outcome { Self.variables[$0].outcome(of: cells[$0], &$1) }
                let values = cells.indices.map { index in
                    var budget = CELBudget(maxBytes: .max)
                    return Self.variables[index].outcome(of: cells[index], &budget)
                }
                var plain = CELPlainEvaluator(program, values)
                let expected = plain.outcome()
                if case .exhausted = outcome {
                    #expect(plain.visits > 50_000, "\(expression) of \(cells)")
                } else {
                    #expect(outcome == expected, "\(expression) of \(cells)")
                    found[outcome, default: 0] += 1
                }
            }
            // A million steps take half a second without optimization.
            if round % (runsSlowTests ? 10 : 25) != 0 { continue }
            let start = Self.processorTime
            let cells = Self.cells(ints: 2_000, texts: 1_000, bytes: 1 << 17)
            let maxBytes = 65_536 << generator.below(9)
            let (outcome, budget) = try Self.run(expression, cells, maxBytes: maxBytes)
            #expect(budget.steps <= CELBudget.maxSteps && budget.peak <= maxBytes, "\(expression)")
            #expect(Self.processorTime - start < 10, "\(expression)")
            stopped[outcome, default: 0] += 1
        }
        #expect(Set(found.keys) == [.value(.bool(true)), .value(.bool(false)), .undecided])
        #expect(Set(stopped.keys).isSuperset(of: [.value(.bool(true)), .exhausted(.work), .exhausted(.memory)]))
    }
}

/// Generates expressions that nest macros over lists, and that build lists and texts.
private struct CELListGenerator {
    private var random: SeededGenerator
    /// The number of enclosing macros, each with its own variable.
    private var ints = 0
    private var texts = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

    mutating func expression(_ depth: Int = 5) -> String {
        if depth == 0 { return pick(["\(int(0)) < \(int(0))", "\(text(0)) == \(text(0))"]) }
        switch below(8) {
        case 0: return "\(intList(depth - 1)) == \(intList(depth - 1))"
        case 1: return "\(text(depth - 1)) in \(textList(depth - 1))"
        case 2: return "\(text(depth - 1)).contains(\(text(depth - 1)))"
        case 3: return "(\(expression(depth - 1)) || \(expression(depth - 1)))"
        case 4: return "size(\(below(2) == 0 ? intList(depth - 1) : textList(depth - 1))) >= \(int(depth - 1))"
        case 5:
            let lists = "\(intList(depth - 1)).map(y\(ints), \(intList(depth - 1)))"
            return "\(lists) != [\(intList(depth - 1))]"
        default: break
        }
        let macro = pick(["all", "exists", "exists_one"])
        return below(2) == 0
            ? withInt(intList(depth - 1), macro) { $0.expression(depth - 1) }
            : withText(textList(depth - 1), macro) { $0.expression(depth - 1) }
    }

    private mutating func int(_ depth: Int) -> String {
        if depth > 0 && below(3) == 0 { return "size(\(intList(depth - 1)))" }
        if depth > 0 && below(4) == 0 { return "(\(int(depth - 1)) \(pick(["+", "/"])) \(int(depth - 1)))" }
        return ints > 0 && below(3) > 0 ? "a\(below(ints))" : pick(["0", "1", "2", "i", "l[1]"])
    }

    private mutating func text(_ depth: Int) -> String {
        if depth > 0 && below(3) > 0 {
            return pick([
                "(\(text(depth - 1)) + \(text(depth - 1)))", "string(\(int(depth - 1)))",
                "\(textList(depth - 1))[\(int(0))]",
            ])
        }
        return texts > 0 && below(3) > 0 ? "b\(below(texts))" : pick(["s", "'x'", "''", "t[0]"])
    }

    private mutating func intList(_ depth: Int) -> String {
        if depth == 0 || below(4) == 0 { return pick(["l", "l", "[\(int(0)), \(int(0))]"]) }
        switch below(4) {
        case 0: return "(\(intList(depth - 1)) + \(intList(depth - 1)))"
        case 1: return withInt(intList(depth - 1), "filter") { $0.expression(depth - 1) }
        case 2: return withText(textList(depth - 1), "map") { $0.int(depth - 1) }
        default: return withInt(intList(depth - 1), "map") { "\($0.expression(depth - 1)), \($0.int(depth - 1))" }
        }
    }

    private mutating func textList(_ depth: Int) -> String {
        if depth == 0 || below(4) == 0 { return pick(["t", "t", "[\(text(0)), s]"]) }
        switch below(4) {
        case 0: return "(\(textList(depth - 1)) + \(textList(depth - 1)))"
        case 1: return withText(textList(depth - 1), "filter") { $0.expression(depth - 1) }
        case 2: return withInt(intList(depth - 1), "map") { $0.text(depth - 1) }
        default: return withText(textList(depth - 1), "map") { $0.text(depth - 1) }
        }
    }

    private mutating func withInt(_ list: String, _ macro: String, _ body: (inout Self) -> String) -> String {
        ints += 1
        defer { ints -= 1 }
        return "\(list).\(macro)(a\(ints - 1), \(body(&self)))"
    }

    private mutating func withText(_ list: String, _ macro: String, _ body: (inout Self) -> String) -> String {
        texts += 1
        defer { texts -= 1 }
        return "\(list).\(macro)(b\(texts - 1), \(body(&self)))"
    }
}
