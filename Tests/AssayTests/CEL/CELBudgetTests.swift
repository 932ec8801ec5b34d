import Foundation
import Testing

@testable import Assay

/// The columns of the tests of limits: lists of ints and of texts, and a text.
private let listColumns = [
    CELVariable("l", .list(.int)), CELVariable("t", .list(.string)), CELVariable("s", .string),
    CELVariable("i", .int),
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

    /// The outcome of an expression, and the budget of the interpreter that has run it.
    private static func run(
        _ expression: String, _ cells: [String], maxBytes: Int = MatchLimits.usualRowRuleBytes
    ) throws -> (CELOutcome, CELBudget) {
        let program = try CELProgram(compiling: expression, variables: listColumns, mustBe: nil)
        var interpreter = CELInterpreter(program: program, maxBytes: maxBytes)
        let outcome = interpreter.outcome { variables[$0].outcome(of: cells[$0], &$1) }
        return (outcome, interpreter.budget)
    }

    @Test("a cell is read once, whatever the number of accesses")
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

    @Test("what an author may write about a long list is decided")
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
        "what takes more work or memory than there is names the limit", .timeLimit(.minutes(1)),
        arguments: [
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
        ] as [(String, CELResource?)])
    func hostile(expression: String, expected: CELResource?) throws {
        let (outcome, budget) = try Self.run(expression, Self.cells(ints: 3_000, texts: 2_000, bytes: 1 << 20))
        let wanted = expected.map { CELOutcome.exhausted($0) } ?? .value(.bool(true))
        #expect(outcome == wanted)
        #expect(budget.exhausted == expected)
        #expect(budget.steps <= CELBudget.maxSteps && budget.peak <= MatchLimits.usualRowRuleBytes)
    }

    @Test(
        "memory is a limit of its own, and what is let go counts no more",
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

    @Test("a cell that does not fit has a value, and only a use of it is undecided")
    func presence() throws {
        let cells = Self.cells(ints: 3_000, texts: 1)
        #expect(try Self.run("has(l) && size(t) == 1", cells, maxBytes: 2_000).0 == .value(.bool(true)))
        #expect(try Self.run("has(l) && size(l) > 1", cells, maxBytes: 2_000).0 == .exhausted(.memory))
    }
}
